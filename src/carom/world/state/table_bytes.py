"""Tables as plain bytes, for pickles: NumPy believes the layout of a table that a pickle tells, wherever it leads.

In: named tuples of arrays. Out: the same by name, each array as its columns, its shape and its bytes, what is scratch
left out; and from those again tables as this version declares them, or a ValueError where they do not fit together.
Tables and columns that the pickle has and this version has not are dropped, and new ones are as they begin.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from carom._core.types import Integers
from carom.world.step.declared import Array, Use, arrays_of, blank, by_name, columns_of
from carom.world.step.piles import Piles
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.rows import Rows
from carom.world.step.tables import Tables

T = TypeVar("T")

MOST_WIDE = 64  # numbers in a row of a column

KINDS = frozenset(("<f8", "<i8", "<i4", "|i1"))

# The tables of 0.1.0, which named none in its pickles.
EARLIER: dict[type, list[str]] = {
    Tables: [
        *("state", "bodies", "courses", "rests", "parts", "buffer", "cells", "levels", "events", "heap", "queue"),
        *("movers", "near", "beside", "lists", "hits", "inside", "rules"),
    ],
    Piles: [
        *("solving", "contacts", "old", "instant", "names", "old_names", "counts", "solved", "islands", "rows", "work")
    ],
    Islands: ["members", "starts", "order", "begins", "fresh", "missed"],
    Rows: ["table", "speed", "push", "ahead"],
}
for _kind, _names in EARLIER.items():
    # The first pickles of 0.1.0 call the class with these tables alone.
    _kind.__new__.__defaults__ = (None,) * (len(arrays_of(_kind)) - len(_names))


def packed(tables: Any, unfinished: bool = False) -> dict[str, Any]:
    """Return tables as dictionaries of tuples; what lasts until a step ends only while one is under way."""
    left_out = (Use.SCRATCH,) if unfinished else (Use.SCRATCH, Use.WITHIN)
    found: dict[str, Any] = {}
    for name, one in arrays_of(type(tables)).items():
        if not isinstance(one, Array):
            found[name] = packed(getattr(tables, name), unfinished)
        elif one.use not in left_out:
            scratch = columns_of(one.record, *left_out) if one.record else ()
            found[name] = _packed(np.asarray(getattr(tables, name)), scratch)
    return found


def _packed(array: NDArray[Any], scratch: tuple[str, ...]) -> tuple[Any, tuple[int, ...], bytes]:
    if array.dtype.names is None:
        return array.dtype.newbyteorder("<").str, array.shape, array.astype(array.dtype.newbyteorder("<")).tobytes()
    columns = [
        (name, array.dtype[name].base.newbyteorder("<").str, array.dtype[name].shape)
        for name in array.dtype.names
        if name not in scratch
    ]
    dense = np.zeros(array.shape, dtype=columns)
    for name, *_ in columns:
        dense[name] = array[name]
    return tuple(columns), array.shape, dense.tobytes()


def unpacked(given: Any, model: T) -> T:
    """Return tables with what any version has packed of its own; what is new or scratch begins as in a model."""
    read = _read(given, type(model))
    counts: dict[str, int] = {}
    _count(read, type(model), counts)
    return _complete(read, model, counts)


def _read(given: Any, kind: type) -> dict[str, Any]:
    """Return the arrays that are there and wanted, by name."""
    if isinstance(given, kind) and given[-1] is not None:  # type: ignore[index]
        given = given._asdict()  # type: ignore[attr-defined]
    elif isinstance(given, tuple):
        given = dict(zip(EARLIER[kind], given, strict=False))
    if type(given) is not dict:
        raise ValueError("a table is missing")
    found: dict[str, Any] = {}
    for name, one in arrays_of(kind).items():
        if name not in given:
            continue
        if not isinstance(one, Array):
            found[name] = _read(given[name], one)
        elif one.use is not Use.SCRATCH:
            array = given[name] if isinstance(given[name], np.ndarray) else _unpacked(given[name])
            found[name] = by_name(array, one.form) if one.record else array
    return found


def _count(read: dict[str, Any], kind: type, counts: dict[str, int]) -> None:
    """Note for how many bodies, parts, ... there is room."""
    for name, one in arrays_of(kind).items():
        if name in read and not isinstance(one, Array):
            _count(read[name], one, counts)
        elif name in read and not one.length.hashed:
            count = (len(read[name]) - one.length.more) // one.length.times
            counts[one.length.of] = max(count, counts.get(one.length.of, 0))


def _complete(read: dict[str, Any], model: T, counts: dict[str, int]) -> T:
    """Return tables of all arrays, those that were not read as they begin."""
    made: list[Any] = []
    for (name, one), begun in zip(arrays_of(type(model)).items(), cast(Any, model), strict=True):
        if not isinstance(one, Array):
            made.append(_complete(read.get(name, {}), begun, counts))
        elif name in read:
            made.append(read[name])
        else:
            made.append(blank(one, counts[one.length.of]) if one.length.of in counts else begun)
    return type(model)(*made)


def is_width(wide: Any) -> bool:
    """Tell whether what a pickle gives is how many numbers a column may have in a row."""
    return wide == () or (type(wide) is tuple and len(wide) == 1 and type(wide[0]) is int and 0 < wide[0] <= MOST_WIDE)


def _unpacked(given: Any) -> NDArray[Any]:
    columns, shape, content = given
    kinds = [columns] if isinstance(columns, str) else [kind for _, kind, _ in columns]
    if not KINDS.issuperset(kinds) or type(content) is not bytes or not all(type(k) is int and k >= 0 for k in shape):
        raise ValueError("a table is no table")
    if not isinstance(columns, str) and not all(is_width(wide) for _, _, wide in columns):
        raise ValueError("a table has columns of another form")
    dtype = np.dtype(columns if isinstance(columns, str) else list(columns))
    array: NDArray[Any] = np.frombuffer(content, dtype=dtype).reshape(shape)
    return array.copy()


def models_apart(given: Any) -> Integers | None:
    """Return where the models of parts begin in what was packed of a world's buffer; None where they are a table."""
    parts = given["parts"] if type(given) is dict else given[4]
    array = parts if isinstance(parts, np.ndarray) else _unpacked(parts)
    return array["model"].astype(np.int64) if "model" in (array.dtype.names or ()) else None


def names_column(given: Any, name: str) -> bool:
    """Tell whether what was packed of a world's tables has a column of a name among those of bodies."""
    bodies = given["bodies"] if type(given) is dict else given[1]
    columns = bodies.dtype.names if isinstance(bodies, np.ndarray) else [column for column, *_ in bodies[0]]
    return name in columns
