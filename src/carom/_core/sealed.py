"""Pickles with a check sum, so that a damaged one raises and never becomes a value that ends Python.

In: the function that makes a value anew and its arguments, as `__reduce__` would return them. Out: the same as bytes
with their check sum; on loading the value, or a ValueError. The check finds damage, not malice: a pickle from a
stranger may run any program.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

DAMAGED = "this pickle of a value of Carom is damaged: its check sum is not that of its content"


def sealed(make: Callable[..., Any], *arguments: Any) -> tuple[Callable[..., Any], tuple[bytes, int]]:
    """Return what `__reduce__` returns of a value that `make` makes of these arguments."""
    return unsealed, seal((make, arguments))


def unsealed(content: Any, check_sum: Any) -> Any:
    """Return the value of a sealed pickle."""
    make, arguments = opened(content, check_sum)
    return make(*arguments)


def seal(value: Any) -> tuple[bytes, int]:
    """Return the pickle of a value, with its check sum."""
    content = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return content, zlib.crc32(content)


def opened(content: Any, check_sum: Any) -> Any:
    """Return what `seal` has packed."""
    if type(content) is not bytes or zlib.crc32(content) != check_sum:
        raise ValueError(DAMAGED)
    return pickle.loads(content)


def sealed_columns(make: Callable[..., Any], columns: Iterable[Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the same of columns, whose arrays a pickle may keep beside it."""
    given = tuple(columns)
    return unsealed_columns, (make, check_sum_of(given), *given)


def unsealed_columns(make: Callable[..., Any], check_sum: Any, *columns: Any) -> Any:
    """Return the value of a sealed pickle of columns."""
    if check_sum_of(columns) != check_sum:
        raise ValueError(DAMAGED)
    return make(*columns)


def check_sum_of(columns: Iterable[Any]) -> int:
    """Return the check sum of arrays of numbers and of plain values."""
    total = 0
    for one in columns:
        if isinstance(one, np.ndarray) and not one.dtype.hasobject:
            total = zlib.crc32(repr((one.dtype.str, one.shape)).encode(), total)
            total = zlib.crc32(np.ascontiguousarray(one).tobytes(), total)
        else:
            total = zlib.crc32(repr(one).encode(), total)
    return total
