"""Tables as plain bytes, for pickles: NumPy believes the layout of a table that a pickle tells, wherever it leads.

In: named tuples of arrays. Out: the same with each array as its columns, its shape and its bytes; and from those arrays
again, or a ValueError where they do not fit together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = frozenset(("<f8", "<i8", "<i4", "|i1"))

Packed = tuple[Any, tuple[int, ...], bytes]


def packed(tables: Any) -> Any:
    """Return tables as tuples of tuples."""
    if isinstance(tables, tuple):
        return tuple(map(packed, tables))
    array = np.asarray(tables)
    if array.dtype.names is None:
        return array.dtype.newbyteorder("<").str, array.shape, array.astype(array.dtype.newbyteorder("<")).tobytes()
    columns = [
        (name, array.dtype[name].base.newbyteorder("<").str, array.dtype[name].shape) for name in array.dtype.names
    ]
    dense = np.zeros(array.shape, dtype=columns)
    for name in array.dtype.names:
        dense[name] = array[name]
    return tuple(columns), array.shape, dense.tobytes()


def unpacked(given: Any, model: Any) -> Any:
    """Return the arrays of tables, in named tuples as those of a model."""
    if isinstance(model, tuple):
        if type(given) is type(model):
            return given  # as versions before this file kept them
        if type(given) is not tuple or len(given) != len(model):
            raise ValueError("a table is missing")
        return type(model)(*(unpacked(one, other) for one, other in zip(given, model, strict=True)))
    columns, shape, content = given
    kinds = [columns] if isinstance(columns, str) else [kind for _, kind, _ in columns]
    if not KINDS.issuperset(kinds) or type(content) is not bytes or not all(type(k) is int and k >= 0 for k in shape):
        raise ValueError("a table is no table")
    if not isinstance(columns, str) and not all(wide in ((), (2,), (6,)) for _, _, wide in columns):
        raise ValueError("a table has columns of another form")
    dtype = np.dtype(columns if isinstance(columns, str) else list(columns))
    array: NDArray[Any] = np.frombuffer(content, dtype=dtype).reshape(shape)
    return array.copy()
