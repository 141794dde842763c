"""Tracks: rows of positions with times, and the pieces of even motion from each to the next of the same track.

In: tables with columns of a name, a time, x, y and perhaps a radius, in any order. Out: their samples as numbers, and
which rows are bad, with the reason; and of all samples of some tracks the pieces, as `approach` has them. Times that
are timestamps are read as whole microseconds, so that no digit of them is lost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from carom.tables.arrays import Floats, Integers
from carom.tables.layout import LARGEST_WHOLE, ROW, Layout
from carom.tables.motion_columns import RADIUS, T0, T1, X0, X1, Y0, Y1
from carom.tables.reading import BadRows, rounded_rows
from carom.tables.shape_columns import is_number, names_of_rows
from carom.tolerances import LARGEST

TRACK = "track"
KNOWN_TIMES = ("t", "time", "timestamp")
SIZES = ("r", "diameter", "width", "w")
"""Columns that tell of the size of a thing otherwise than by its radius."""
NAME, NUMBERS = "name", ("t", "x", "y", "radius")
"""The columns of samples, besides the place of their row."""


class Linked(NamedTuple):
    """Tracks: their names in order, and their pieces, with the place of its name for each; and rows that are bad."""

    names: pa.Array
    pieces: Floats
    tracks: Integers
    bad: BadRows
    bad_names: list[Any]


def track_layout(where: str, schema: pa.Schema, shape: Any, name: str | None) -> Layout:
    """Return the layout of a table of tracks: by the columns that the user names, or by names that are known."""
    names = schema.names
    label = names_of_rows(where, schema, name)
    if label is None:
        raise ValueError(f"{where}: no column id is in {', '.join(names)}; name the tracks' by id=")
    unused: tuple[str, ...] = ()
    if shape is None:
        time = next((one for one in KNOWN_TIMES if one in names), None)
        if time is None or "x" not in names or "y" not in names:
            raise ValueError(f"{where}: no columns t, x, y are in {', '.join(names)}; name them by shape=")
        found: tuple[str, ...] = (time, "x", "y", *(["radius"] if "radius" in names else []))
        if "radius" not in names:
            unused = tuple(one for one in SIZES if one in names and is_number(schema.field(one).type))
    else:
        found = (shape,) if isinstance(shape, str) else tuple(shape)
    if len(found) not in (3, 4):
        raise ValueError(f"{where}: shape = {shape!r} must name t, x and y, or t, x, y and radius, in this order")
    for k, one in enumerate(found):
        if one not in names:
            raise ValueError(f"{where}: shape = {shape!r}: {one!r} is no column; there are {', '.join(names)}")
        kind = schema.field(one).type
        if not is_number(kind) and not (k == 0 and pa.types.is_timestamp(kind)):
            wanted = "numbers or timestamps" if k == 0 else "numbers"
            raise TypeError(f"{where}: {one!r} is a column of {kind}; it must be of {wanted}")
    return Layout(TRACK, found, label, unused=unused)


def samples_of(table: pa.Table, layout: Layout) -> tuple[pa.Table, BadRows]:
    """Return the samples of the good rows of a table, and the bad rows."""
    numbers = np.zeros((4, table.num_rows))
    rounded, whole = np.zeros(table.num_rows, dtype=np.bool_), [False] * 4
    for k, name in enumerate(layout.columns):
        column = table.column(name)
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.timestamp("us", column.type.tz), safe=False).cast(pa.int64())
        rounded[rounded_rows(column)[0]] = True
        whole[k] = pa.types.is_integer(column.type)
        numbers[k] = column.cast(pa.float64(), safe=False).to_numpy()
    reasons = np.full(table.num_rows, "", dtype=object)
    reasons[numbers[3] < 0.0] = "the radius must not be negative"
    most = np.where(whole, LARGEST_WHOLE, LARGEST)[:, None]
    reasons[rounded | ~(np.abs(numbers) <= most).all(axis=0)] = "a number is missing, not finite or too large"
    names = table.column(layout.id)
    reasons[names.is_null().to_numpy()] = f"{layout.id!r} is missing"
    bad = np.flatnonzero(reasons != "")
    columns = dict(zip(NUMBERS, map(pa.array, numbers), strict=True))
    samples = pa.table({ROW: table.column(ROW), NAME: names, **columns})
    told = []
    for row in bad:
        values = ", ".join(f"{name} = {table.column(name)[int(row)].as_py()}" for name in layout.columns)
        told.append(f"{values}: {reasons[row]}")
    return (samples.filter(pa.array(reasons == "")) if len(bad) else samples), BadRows(bad, told)


def buckets_of(samples: pa.Table, count: int) -> Integers:
    """Return a number below `count` for each sample: the same for all of a track."""
    from pandas.util import hash_array

    names = samples.column(NAME).combine_chunks()
    if pa.types.is_integer(names.type):
        hashed = hash_array(names.to_numpy(zero_copy_only=False))
    else:
        coded = names.dictionary_encode()
        coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
        hashed = hash_array(np.asarray(coded.dictionary.to_pylist(), dtype=object))[coded.indices.to_numpy()]
    found: Integers = (hashed % np.uint64(count)).astype(np.int64)
    return found


def linked(samples: pa.Table, longest_gap: float) -> Linked:
    """Return the pieces of whole tracks; two samples with more time than `longest_gap` between them make none.

    A sample that is in no piece is one that lasts no time.
    """
    codes, names = _coded(samples.column(NAME))
    row, t, x, y, radius = (samples.column(name).to_numpy() for name in (ROW, *NUMBERS))
    order = np.lexsort((row, t, codes))
    row, t, x, y, radius, codes = (values[order] for values in (row, t, x, y, radius, codes))
    again = np.zeros(len(t), dtype=bool)
    again[1:] = (codes[1:] == codes[:-1]) & (t[1:] == t[:-1])
    first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1])[: len(codes)])
    own = radius[first][codes]
    other = (radius != own) & ~again
    bad = np.flatnonzero(again | other)
    bad = bad[np.argsort(row[bad])]
    told = []
    for k in bad:
        name = names[int(codes[k])].as_py()
        if again[k]:
            told.append(f"t = {t[k]:.17g}: the track {name!r} has an earlier row of the same time")
        else:
            told.append(f"radius = {radius[k]:.17g}: that of the track {name!r} is {own[k]:.17g} at its first time")
    bad_names, good = names.take(pa.array(codes[bad])).to_pylist(), ~(again | other)
    t, x, y, radius, codes = (values[good] for values in (t, x, y, radius, codes))
    ends = (codes[1:] == codes[:-1]) & (t[1:] - t[:-1] <= longest_gap) if len(t) else np.zeros(0, dtype=bool)
    starts, stops = np.append(ends, False)[: len(t)], np.append(False, ends)[: len(t)]
    begin = np.flatnonzero(starts | ~stops)
    end = begin + starts[begin]
    pieces = np.empty((len(begin), 7))
    for column, values, rows in (
        (T0, t, begin),
        (X0, x, begin),
        (Y0, y, begin),
        (T1, t, end),
        (X1, x, end),
        (Y1, y, end),
    ):
        pieces[:, column] = values[rows]
    pieces[:, RADIUS] = radius[begin]
    return Linked(names, pieces, codes[begin], BadRows(row[bad], told), bad_names)


def _coded(column: Any) -> tuple[Integers, pa.Array]:
    """Return the place of each name among all names in order, and these."""
    coded = (
        pa.chunked_array(column).combine_chunks()
        if not isinstance(column, pa.ChunkedArray)
        else column.combine_chunks()
    )
    coded = coded.dictionary_encode()
    order = pc.sort_indices(coded.dictionary).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[coded.indices.to_numpy()], coded.dictionary.take(pa.array(order))
