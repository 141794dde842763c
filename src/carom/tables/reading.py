"""The shapes in the rows of a table.

In: an Arrow table, and its `Layout`, which tells how each row is read. Out: the shapes of its rows, their boxes, and
which rows are bad, with the reason. Everything that works on one table at a time asks this module, so that a row is
read alike in the plan, in its tiles and in the answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import shapely

from carom import Shapes
from carom.tables.arrays import Booleans, Floats, Integers
from carom.tables.geometry_columns import from_lists, from_text
from carom.tables.layout import (
    AABB,
    BOX,
    CIRCLE,
    DIAMETER,
    GEOMETRY,
    LARGEST_WHOLE,
    LEVEL_BOX,
    POINT,
    ROW,
    SET,
    WKB,
    WKT,
    Layout,
)
from carom.tables.polygon_rings import RingTable, rings_of
from carom.tables.wkb import from_wkb, places_of_points, why_unreadable
from carom.tolerances import LARGEST, SMALLEST_SIZE


class Things(NamedTuple):
    """The shapes of a table's rows."""

    shapes: Shapes
    rows: Integers | None
    """The row of each shape; None where `shapes.owner` tells it, which would make convex parts of polygons."""
    bounds: Callable[[], Floats]
    """Returns the box of each row: not all who ask for shapes need it."""

    @property
    def owner(self) -> Integers:
        """The row of each shape."""
        return self.shapes.owner if self.rows is None else self.rows

    @property
    def in_parts(self) -> bool:
        """Whether a row has several shapes."""
        return self.rows is None and bool((np.diff(self.shapes.owner) == 0).any())

    @property
    def alone(self) -> bool:
        """Whether rows are owners, or each shape has an owner of its own, in their order."""
        return self.rows is None or bool((np.diff(self.shapes.owner) > 0).all())

    def row_of(self, shapes: Integers, owners: bool) -> Integers:
        """Return the rows that some shapes, or owners, are."""
        if not owners:
            return self.owner[shapes]
        return shapes if self.rows is None else self.rows[np.searchsorted(self.shapes.owner, shapes)]


class BadRows(NamedTuple):
    """Rows that cannot be read, with the reasons, and how many others have no shape."""

    rows: Integers
    reasons: list[str]
    missing: int = 0
    proved: bool = True
    """Whether polygons that are read as rings are all surely in order."""


Fault = tuple[Booleans, Callable[[Integers], Sequence[str]]]
"""Which rows have it, and what is told of some of them."""


class _Seen(NamedTuple):
    """The faults of rows, the first that a row has being told, and the rows without a shape."""

    faults: list[Fault]
    missing: Booleans
    proved: bool = True


class Reading:
    """The rows of one table, each of its columns decoded once."""

    def __init__(self, table: pa.Table, layout: Layout, threads: int = 1) -> None:
        self.table, self.layout, self._threads = table, layout, threads
        self.lock = threading.RLock()
        self._shapes: Shapes | None = None  # of polygons, once they are proved to be in order

    @property
    def size(self) -> int:
        """How many bytes it holds, about: a column, and what it is decoded to."""
        return 4 * int(self.table.nbytes)

    @cached_property
    def stored(self) -> pa.Array:
        """The column of geometries as it is stored."""
        column = self.table.column(self.layout.columns[0]).combine_chunks()
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        return column.storage if isinstance(column, pa.ExtensionArray) else column

    @cached_property
    def places(self) -> Floats | None:
        """The places of geometries that are all points in WKB, which is read thirty times faster; else None."""
        return places_of_points(self.stored) if self.layout.encoding == WKB else None

    @cached_property
    def rings(self) -> RingTable | None:
        """The rings of geometries that are all polygons, without an object a row; else None."""
        return None if self.layout.repair else rings_of(self.layout.encoding, self.stored)

    @cached_property
    def geometries(self) -> Any:
        """The geometries, (n,) objects; None where one is missing or cannot be read."""
        if self.layout.encoding == WKB:
            found = from_wkb(self.stored.to_numpy(zero_copy_only=False))
        elif self.layout.encoding == WKT:
            found = from_text(self.stored.to_numpy(zero_copy_only=False))
        else:
            found = from_lists(self.layout.encoding, self.stored)
        if self.layout.repair:
            broken = ~shapely.is_missing(found) & ~shapely.is_valid(found)
            found[broken] = shapely.make_valid(found[broken])
        return found

    @cached_property
    def names(self) -> Any:
        """The names of the rows, or their places."""
        return self.table.column(self.layout.id if self.layout.id is not None else ROW)

    def surely_in_order(self) -> bool:
        """Tell whether all geometries are polygons that are surely in order; their shapes are kept then."""
        if self.rings is None:
            return False
        try:
            self._shapes = self.rings.shapes(touching=False, threads=self._threads)
        except ValueError:
            return False
        return True

    def bounds(self, rows: Integers | None = None) -> Floats:
        """Return the box of each row, or of some, NaN where there is no shape; the same numbers as `things` has."""
        every = slice(None) if rows is None else rows
        if self.layout.kind == GEOMETRY:
            if self.places is not None:
                return np.hstack([self.places[every], self.places[every]])
            if self.rings is not None:
                return self.rings.bounds()[every]
            return np.asarray(shapely.bounds(self.geometries[every]), dtype=np.float64)
        table = self.table if rows is None else self.table.take(pa.array(rows))
        if self.layout.kind == AABB:
            return numbers(table, self.layout)
        return Reading(table, self.layout).things().bounds()

    def things(self, proved: bool = False) -> Things:
        """Return the shapes of rows of which none is bad; one without a value has none, and NaN as its bounds.

        With `proved`, `bad_rows` has said of them all that they are.
        """
        count, layout = self.table.num_rows, self.layout
        if layout.kind == SET:
            shapes = Shapes.load(layout.columns[0])[self.table.column(ROW).to_numpy()]
            return Things(shapes, np.arange(count), lambda: shapes.bounds)
        if layout.kind == GEOMETRY:
            return Things(self._shapes_of_geometries(proved), None, self.bounds)
        values = numbers(self.table, layout)
        there = ~np.isnan(values).all(axis=1)
        if layout.kind == POINT and there.all():
            return Things(Shapes.points(values), None, lambda: np.hstack([values, values]))
        owner = np.arange(count) if there.all() else np.flatnonzero(there)
        shapes = _shapes_of_numbers(layout.kind, values if there.all() else values[owner])
        if layout.kind == AABB:
            return Things(shapes, owner, lambda: values)

        def bounds() -> Floats:
            if len(owner) == count:
                return shapes.bounds
            found = np.full((count, 4), np.nan)
            found[owner] = shapes.bounds
            return found

        return Things(shapes, owner, bounds)

    def _shapes_of_geometries(self, proved: bool) -> Shapes:
        if self.places is not None:
            return Shapes.points(self.places)
        if self.rings is None:
            return Shapes.from_shapely(self.geometries)
        if self._shapes is None:
            self._shapes = self.rings.shapes(simple=proved, threads=self._threads)
        return self._shapes


def numbers(table: pa.Table, layout: Layout) -> Floats:
    """Return the columns of numbers, (n, columns); a missing value is NaN."""
    out = np.empty((table.num_rows, len(layout.columns)))
    for k, name in enumerate(layout.columns):
        column = table.column(name)
        out[:, k] = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) if column.num_chunks else 0.0
    return out


def bad_rows(given: Reading) -> BadRows:
    """Return the rows that hold a shape that is none, or no name. A row without any value has no shape, nor is it bad.

    Rows that `Layout.repair` has mended are not bad.
    """
    table, layout = given.table, given.layout
    if layout.kind == SET:
        return BadRows(np.zeros(0, dtype=np.int64), [])
    seen = _seen_geometries(given) if layout.kind == GEOMETRY else _seen_numbers(table, layout)
    faults = seen.faults
    if layout.id is not None:
        nameless = table.column(layout.id).is_null().to_numpy() & ~seen.missing
        faults.append((nameless, lambda rows: [f"{layout.id!r} is missing"] * len(rows)))
    bad = np.zeros(table.num_rows, dtype=np.bool_)
    for wrong, _ in faults:
        bad |= wrong & ~seen.missing
    rows = np.flatnonzero(bad)
    reasons = np.full(len(rows), "", dtype=object)
    for wrong, told in faults:
        now = np.flatnonzero(wrong[rows] & (reasons == ""))
        reasons[now] = told(rows[now])
    return BadRows(rows, reasons.tolist(), int(seen.missing.sum()), seen.proved)


def names_of(table: pa.Table, layout: Layout, rows: Integers) -> list[Any]:
    """Return the users' names of some rows; None where they have none."""
    if layout.id is None:
        return [None] * len(rows)
    found: list[Any] = table.column(layout.id).take(pa.array(rows)).to_pylist()
    return found


def _seen_numbers(table: pa.Table, layout: Layout) -> _Seen:
    values = numbers(table, layout)

    def told(reason: str) -> Callable[[Integers], list[str]]:
        return lambda rows: [f"{tuple(values[row].tolist())}: {reason}" for row in rows]

    faults: list[Fault] = [(wrong, told(reason)) for wrong, reason in _faults(values, layout.kind)]
    for name in layout.columns:
        faults += _rounded(table.column(name), name)
    return _Seen(faults, np.asarray(np.isnan(values).all(axis=1)))


def _rounded(column: pa.ChunkedArray, name: str) -> list[Fault]:
    """Return the fault of whole numbers that are not told from their neighbours as float64, if any are."""
    rows, values = rounded_rows(column)
    if not len(rows):
        return []
    wrong = np.zeros(len(column), dtype=np.bool_)
    wrong[rows] = True
    exact = dict(zip(rows.tolist(), values, strict=True))
    return [(wrong, lambda rows: [f"{name} = {exact[int(row)]}: no float64 number is that" for row in rows])]


def rounded_rows(column: pa.ChunkedArray) -> tuple[Integers, list[Any]]:
    """Return the rows of whole numbers beyond 2**53 that no float64 number is, and these numbers."""
    kind, none = column.type, (np.zeros(0, dtype=np.int64), list[Any]())
    if not (pa.types.is_int64(kind) or pa.types.is_uint64(kind) or pa.types.is_decimal(kind)):
        return none
    held = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    large = np.flatnonzero(np.abs(held) >= LARGEST_WHOLE)
    if not len(large):
        return none
    given = column.take(pa.array(large)).to_pylist()
    wrong = [k for k, value in enumerate(given) if value != held[large[k]].item()]
    return large[wrong], [given[k] for k in wrong]


def _faults(values: Floats, kind: str) -> list[tuple[Any, str]]:
    """Return what can be wrong with rows of numbers: which rows have that fault, and its name."""
    columns = list(values.T)
    far = ~(np.abs(columns[0]) <= LARGEST)
    for column in columns[1:]:
        far |= ~(np.abs(column) <= LARGEST)
    found: list[tuple[Any, str]] = [(far, f"a number is missing, not finite or beyond {LARGEST:g}")]
    if kind == AABB:
        reverse = (columns[2] < columns[0]) | (columns[3] < columns[1])
        found.append((reverse, "the upper corner is below the lower one"))
    elif kind in (CIRCLE, DIAMETER):
        what = "radius" if kind == CIRCLE else "diameter"
        found.append((columns[2] < SMALLEST_SIZE, f"the {what} must be positive"))
    elif kind in (BOX, LEVEL_BOX):
        found.append(((columns[2] < SMALLEST_SIZE) | (columns[3] < SMALLEST_SIZE), "width and height must be positive"))
    return found


def _seen_geometries(given: Reading) -> _Seen:
    rows = given.table.num_rows
    if given.places is not None:
        return _Seen([], np.zeros(rows, dtype=np.bool_))
    if given.rings is not None and given.surely_in_order():
        missing = np.ones(rows, dtype=np.bool_)
        missing[given.rings.owner] = False
        return _Seen([], missing)
    found = given.geometries
    present = given.table.column(given.layout.columns[0]).is_valid().to_numpy()
    missing = shapely.is_missing(found)
    far = (np.abs(shapely.bounds(found)) > LARGEST).any(axis=1)

    def unreadable(rows: Integers) -> list[str]:
        return [why_unreadable(given.stored[int(row)].as_py()) for row in rows]

    faults: list[Fault] = [
        (present & missing, unreadable),
        (~missing & ~shapely.is_valid(found), lambda rows: shapely.is_valid_reason(found[rows]).tolist()),
        (far, lambda rows: [f"a coordinate is beyond {LARGEST:g}"] * len(rows)),
    ]
    return _Seen(faults, (missing & ~present) | shapely.is_empty(found), False)


def repaired_rows(given: Reading) -> tuple[Integers, list[str]]:
    """Return the rows whose geometries are repaired, and what is wrong with them as they are stored."""
    if not given.layout.repair or given.layout.kind != GEOMETRY:
        return np.zeros(0, dtype=np.int64), []
    found = Reading(given.table, replace(given.layout, repair=False)).geometries
    rows = np.flatnonzero(~shapely.is_missing(found) & ~shapely.is_valid(found))
    return rows, shapely.is_valid_reason(found[rows]).tolist()


def _shapes_of_numbers(kind: str, values: Floats) -> Shapes:
    if kind == POINT:
        return Shapes.points(values)
    if kind == CIRCLE:
        return Shapes.circles(values[:, :2], values[:, 2])
    if kind == DIAMETER:
        return Shapes.circles(values[:, :2], 0.5 * values[:, 2])
    if kind == BOX:
        return Shapes.boxes(values[:, :2], values[:, 2:4], values[:, 4])
    if kind == LEVEL_BOX:
        return Shapes.boxes(values[:, :2], values[:, 2:])
    wide = values[:, 2:] - values[:, :2] >= SMALLEST_SIZE
    if wide.all():
        return Shapes.boxes(bounds=values)
    # A box without width or height is a line, or a point.
    box, point = wide.all(axis=1), (values[:, 2:] == values[:, :2]).all(axis=1)
    line = ~box & ~point
    rows = np.concatenate([np.flatnonzero(box), np.flatnonzero(line), np.flatnonzero(point)])
    joined = Shapes.concatenate(
        [
            Shapes.boxes(bounds=values[box]),
            Shapes.segments(values[line, :2], values[line, 2:]),
            Shapes.points(values[point, :2]),
        ]
    )
    return joined[np.argsort(rows)]
