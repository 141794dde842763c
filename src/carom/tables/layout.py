"""The shapes in the rows of a table.

In: an Arrow table, and its `Layout`, which tells how each row is read. Out: the shapes of its rows, their boxes, and
which rows are bad, with the reason. Everything that works on one table at a time asks this module, so that a row is
read alike in the plan, in its tiles and in the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import shapely

from carom import Shapes
from carom.tables import checks
from carom.tables.arrays import Booleans, Floats, Integers
from carom.tables.geometry_columns import from_lists, from_text
from carom.tables.polygon_rings import RingTable, rings_of
from carom.tables.wkb import from_wkb, places_of_points, why_unreadable
from carom.tolerances import LARGEST, SMALLEST_SIZE

AABB, BOX, LEVEL_BOX, CIRCLE, DIAMETER, POINT = "aabb", "box", "level box", "circle", "disc", "point"
GEOMETRY, SET = "geometry", "set"
"""The kinds of shapes that columns make, a disc by its diameter; a saved set has only the place of each row."""

CENTERS = (("x", "y"), ("cx", "cy"), ("center_x", "center_y"))
SIZES = (("width", "height"), ("w", "h"))
SIDES = tuple(side for size in SIZES for side in size)
ANGLES = ("angle",)
RADII, DIAMETERS = ("radius", "r"), ("diameter",)

KNOWN: dict[str, tuple[tuple[str, ...], ...]] = {
    AABB: (
        ("min_x", "min_y", "max_x", "max_y"),
        ("minx", "miny", "maxx", "maxy"),
        ("x_min", "y_min", "x_max", "y_max"),
        ("xmin", "ymin", "xmax", "ymax"),
        ("left", "bottom", "right", "top"),
    ),
    BOX: tuple((*center, *size, angle) for center, size, angle in product(CENTERS, SIZES, ANGLES)),
    LEVEL_BOX: tuple((*center, *size) for center, size in product(CENTERS, SIZES)),
    CIRCLE: tuple((*center, radius) for center, radius in product(CENTERS, RADII)),
    DIAMETER: tuple((*center, diameter) for center, diameter in product(CENTERS, DIAMETERS)),
    POINT: CENTERS,
}
"""The columns of numbers that are found by their names; in this order, the first that a table has."""
KIND_OF_COUNT = {1: GEOMETRY, 2: POINT, 3: CIRCLE, 4: AABB, 5: BOX}

WKB, WKT = "wkb", "wkt"
LARGEST_WHOLE = 2.0**53
"""Whole numbers up to this are float64 numbers, too."""
ROW, TILE = "carom_row", "carom_tile"
"""Columns that are added: the place of a row in its source, and its tile."""
APART = -1
"""The tile of shapes that touch very many."""


@dataclass(frozen=True)
class Layout:
    """How the rows of a table are read: the kind of their shapes, the columns, and the one that names them."""

    kind: str
    columns: tuple[str, ...]
    id: str | None = None
    encoding: str = ""
    """Of a geometry: "wkb", "wkt", or the name of its GeoArrow type."""
    degrees: bool = False
    """Whether the table says that its coordinates are degrees."""
    unused: tuple[str, ...] = ()
    """Other columns that look like shapes."""
    repair: bool = False
    """Whether geometries that are not valid are made so."""


class Things(NamedTuple):
    """The shapes of a table's rows: `bounds` has a row for each row."""

    shapes: Shapes
    rows: Integers | None
    """The row of each shape; None where `shapes.owner` tells it, which would make convex parts of polygons."""
    bounds: Floats

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


def numbers(table: pa.Table, layout: Layout) -> Floats:
    """Return the columns of numbers, (n, columns); a missing value is NaN."""
    out = np.empty((table.num_rows, len(layout.columns)))
    for k, name in enumerate(layout.columns):
        column = table.column(name)
        out[:, k] = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) if column.num_chunks else 0.0
    return out


def geometries(table: pa.Table, layout: Layout) -> Any:
    """Return the geometries of a table, (n,) objects; None where one is missing or cannot be read."""
    stored = _stored(table, layout)
    if layout.encoding == WKB:
        found = from_wkb(stored.to_numpy(zero_copy_only=False))
    elif layout.encoding == WKT:
        found = from_text(stored.to_numpy(zero_copy_only=False))
    else:
        found = from_lists(layout.encoding, stored)
    if layout.repair:
        broken = ~shapely.is_missing(found) & ~shapely.is_valid(found)
        found[broken] = shapely.make_valid(found[broken])
    return found


def _stored(table: pa.Table, layout: Layout) -> pa.Array:
    """Return the column of geometries as it is stored."""
    column = table.column(layout.columns[0]).combine_chunks()
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column.storage if isinstance(column, pa.ExtensionArray) else column


def _points_alone(table: pa.Table, layout: Layout) -> Floats | None:
    """Return the places of a column of geometries that are all points in WKB, which is read thirty times faster."""
    return places_of_points(_stored(table, layout)) if layout.encoding == WKB else None


def _rings_alone(table: pa.Table, layout: Layout) -> RingTable | None:
    """Return the rings of a column of geometries that are all polygons, without an object a row."""
    return None if layout.repair else rings_of(layout.encoding, _stored(table, layout))


def bad_rows(table: pa.Table, layout: Layout) -> BadRows:
    """Return the rows that hold a shape that is none, or no name. A row without any value has no shape, nor is it bad.

    Rows that `Layout.repair` has mended are not bad.
    """
    if layout.kind == SET:
        return BadRows(np.zeros(0, dtype=np.int64), [])
    seen = _seen_geometries(table, layout) if layout.kind == GEOMETRY else _seen_numbers(table, layout)
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


Fault = tuple[Booleans, Callable[[Integers], Sequence[str]]]
"""Which rows have it, and what is told of some of them."""


class _Seen(NamedTuple):
    """The faults of rows, the first that a row has being told, and the rows without a shape."""

    faults: list[Fault]
    missing: Booleans
    proved: bool = True


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


def _seen_geometries(table: pa.Table, layout: Layout) -> _Seen:
    if _points_alone(table, layout) is not None:
        return _Seen([], np.zeros(table.num_rows, dtype=np.bool_))
    rings = _rings_alone(table, layout)
    if rings is not None and rings.surely_in_order():
        missing = np.ones(table.num_rows, dtype=np.bool_)
        missing[rings.owner] = False
        return _Seen([], missing)
    found = geometries(table, layout)
    present = table.column(layout.columns[0]).is_valid().to_numpy()
    missing = shapely.is_missing(found)
    far = (np.abs(shapely.bounds(found)) > LARGEST).any(axis=1)
    stored = _stored(table, layout)

    def unreadable(rows: Integers) -> list[str]:
        return [why_unreadable(stored[int(row)].as_py()) for row in rows]

    faults: list[Fault] = [
        (present & missing, unreadable),
        (~missing & ~shapely.is_valid(found), lambda rows: shapely.is_valid_reason(found[rows]).tolist()),
        (far, lambda rows: [f"a coordinate is beyond {LARGEST:g}"] * len(rows)),
    ]
    return _Seen(faults, (missing & ~present) | shapely.is_empty(found), False)


def repaired_rows(table: pa.Table, layout: Layout) -> tuple[Integers, list[str]]:
    """Return the rows whose geometries are repaired, and what is wrong with them as they are stored."""
    if not layout.repair or layout.kind != GEOMETRY:
        return np.zeros(0, dtype=np.int64), []
    found = geometries(table, replace(layout, repair=False))
    rows = np.flatnonzero(~shapely.is_missing(found) & ~shapely.is_valid(found))
    return rows, shapely.is_valid_reason(found[rows]).tolist()


def things_of(table: pa.Table, layout: Layout, proved: bool = False) -> Things:
    """Return the shapes of a table whose bad rows are gone; a row without a value has none, and NaN as its bounds.

    With `proved`, `bad_rows` has said of them all that they are.
    """
    count = table.num_rows
    if layout.kind == SET:
        shapes = Shapes.load(layout.columns[0])[table.column(ROW).to_numpy()]
        return Things(shapes, np.arange(count), shapes.bounds)
    if layout.kind == GEOMETRY:
        places = _points_alone(table, layout)
        if places is not None:
            return Things(Shapes.points(places), None, np.hstack([places, places]))
        rings = _rings_alone(table, layout)
        if rings is not None:
            return Things(rings.shapes(simple=proved), None, rings.bounds())
        found = geometries(table, layout)
        return Things(Shapes.from_shapely(found), None, shapely.bounds(found))
    values = numbers(table, layout)
    there = ~np.isnan(values).all(axis=1)
    if layout.kind == POINT and there.all():
        return Things(Shapes.points(values), None, np.hstack([values, values]))
    owner = np.arange(count) if there.all() else np.flatnonzero(there)
    shapes = _shapes_of_numbers(layout.kind, values if there.all() else values[owner])
    if layout.kind == AABB:
        return Things(shapes, owner, values)
    if len(owner) == count:
        return Things(shapes, owner, shapes.bounds)
    bounds = np.full((count, 4), np.nan)
    bounds[owner] = shapes.bounds
    return Things(shapes, owner, bounds)


def bounds_of(table: pa.Table, layout: Layout) -> Floats:
    """Return the box of each row, NaN where there is no shape; the same numbers as `things_of` has."""
    if layout.kind == AABB:
        return numbers(table, layout)
    if layout.kind != GEOMETRY:
        return things_of(table, layout).bounds
    places = _points_alone(table, layout)
    if places is not None:
        return np.hstack([places, places])
    rings = _rings_alone(table, layout)
    if rings is not None:
        return rings.bounds()
    return np.asarray(shapely.bounds(geometries(table, layout)), dtype=np.float64)


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


def needed_of(layout: Layout) -> list[str]:
    """Return the columns that are read."""
    if layout.kind == SET:
        return [ROW]
    return [*dict.fromkeys((*([layout.id] if layout.id is not None else []), *layout.columns))]


def check_schema(where: str, table: Any, layout: Layout) -> None:
    """Refuse a table that lacks a column of its layout."""
    missing = [name for name in needed_of(layout) if name not in table.column_names]
    if missing:
        checks.refuse(ValueError, where, "frame", table.column_names, f"must have the columns {', '.join(missing)}")
