"""The tables of many copies of one world, stacked: how they are made and taken apart.

In: the tables of one world, or of several with the same sizes. Out: the same tables with the copy as the first axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from carom._core.jit import is_compiled
from carom._core.types import Booleans
from carom.world.step.declared import Array, arrays_of


def _as_rows(array: Any) -> Any:
    """Return an array of records as plain Python reads it."""
    return array if is_compiled() or array.dtype.names is None else array.view(np.recarray)


def stacked(tables: Any, count: int) -> Any:
    """Return tables with so many copies of each array, the copy as the first axis; but of those that all share."""
    return _each(lambda one, array: array if one.length.shared else _as_rows(np.repeat(array[None], count, 0)), tables)


def joined(copies: Sequence[Any]) -> Any:
    """Return the tables of copies as one, the copy as the first axis."""
    return _each(lambda one, *arrays: arrays[0] if one.length.shared else _as_rows(np.stack(arrays)), *copies)


def copy_of(tables: Any, k: int) -> Any:
    """Return the tables of one copy: what is written there is written in those of all copies."""
    kind: Any = type(tables)
    arrays = zip(arrays_of(kind).values(), tables, strict=True)
    return kind(
        *[(of if one.length.shared else of[k]) if isinstance(one, Array) else copy_of(of, k) for one, of in arrays]
    )


def put(tables: Any, mask: Booleans, one: Any) -> None:
    """Write the tables of one copy into those of all copies of a mask."""

    def write(declared: Array, whole: Any, part: Any) -> None:
        if not declared.length.shared:
            whole[mask] = part

    _each(write, tables, one)


def _each(do: Callable[..., Any], *given: Any) -> Any:
    """Return tables of what is made of each array of the given ones, which are of one class."""
    kind: Any = type(given[0])
    made = [
        do(one, *map(np.asarray, arrays)) if isinstance(one, Array) else _each(do, *arrays)
        for one, *arrays in zip(arrays_of(kind).values(), *given, strict=True)
    ]
    return kind(*made)
