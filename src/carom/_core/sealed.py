"""Pickles with a check sum, so that a damaged one raises and never becomes a value that ends Python.

In: the function that makes a value anew and its arguments, as `__reduce__` would return them. Out: the same as bytes
with their check sum; on loading the value, or a ValueError. The check finds damage, not malice: a pickle from a
stranger may run any program.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable
from typing import Any


def sealed(make: Callable[..., Any], *arguments: Any) -> tuple[Callable[..., Any], tuple[bytes, int]]:
    """Return what `__reduce__` returns of a value that `make` makes of these arguments."""
    content = pickle.dumps((make, arguments), protocol=pickle.HIGHEST_PROTOCOL)
    return unsealed, (content, zlib.crc32(content))


def unsealed(content: Any, check_sum: Any) -> Any:
    """Return the value of a sealed pickle."""
    if type(content) is not bytes or zlib.crc32(content) != check_sum:
        raise ValueError("this pickle of a value of Carom is damaged: its check sum is not that of its content")
    make, arguments = pickle.loads(content)
    return make(*arguments)
