"""Which columns of a table hold its shapes, and the shapes in them.

In: an Arrow table and the user's names of columns, or none. Out: a `Layout`, which tells how each row is read; and for
a table of that layout the shapes of its rows, their boxes, and which rows are bad, with the reason. Everything that
works on one table at a time asks this module, so that a row is read alike in the plan, in its tiles and in the answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import shapely

from carom._core import inputs
from carom._core.types import Floats, Integers
from carom.shapes.set import Shapes
from carom.tables.wkb_points import places_of_points
from carom.tolerances import LARGEST, SMALLEST_SIZE

AABB, BOX, CIRCLE, POINT, GEOMETRY, SET = "aabb", "box", "circle", "point", "geometry", "set"
"""The kinds of shapes that columns make; a saved set has no column but the place of each row."""

KNOWN: dict[str, tuple[tuple[str, ...], ...]] = {
    AABB: (
        ("min_x", "min_y", "max_x", "max_y"),
        ("minx", "miny", "maxx", "maxy"),
        ("xmin", "ymin", "xmax", "ymax"),
        ("left", "bottom", "right", "top"),
    ),
    BOX: (
        ("x", "y", "width", "height", "angle"),
        ("cx", "cy", "width", "height", "angle"),
        ("center_x", "center_y", "width", "height", "angle"),
    ),
    CIRCLE: (("x", "y", "radius"), ("cx", "cy", "radius"), ("center_x", "center_y", "radius"), ("x", "y", "r")),
    POINT: (("x", "y"),),
    GEOMETRY: (("geometry",), ("geom",), ("wkb",)),
}
"""The columns that are found by their names; in this order, the first that a table has."""

KIND_OF_COUNT = {1: GEOMETRY, 2: POINT, 3: CIRCLE, 4: AABB, 5: BOX}
ROW, TILE = "carom_row", "carom_tile"
"""Columns that are added: the place of a row in its source, and its tile."""


@dataclass(frozen=True)
class Layout:
    """How the rows of a table are read: the kind of their shapes, the columns, and the one that names them."""

    kind: str
    columns: tuple[str, ...]
    id: str | None = None
    encoding: str = ""
    """Of a geometry: "wkb", or the name of its GeoArrow type."""
    degrees: bool = False
    """Whether the table says that its coordinates are degrees."""


class Things(NamedTuple):
    """The shapes of a table's rows: `owner` tells the row of each shape, `bounds` has a row for each row."""

    shapes: Shapes
    owner: Integers
    bounds: Floats


class BadRows(NamedTuple):
    """Rows that cannot be read, the first thousand with the reason, and how many others have no shape."""

    rows: Integers
    reasons: list[str]
    missing: int = 0


def layout_of(where: str, schema: pa.Schema, shape: str | Sequence[str] | None, name: str | None) -> Layout:
    """Return the layout of a table: by the columns that the user names, or by names that are known."""
    names = schema.names
    label = names_of_rows(where, schema, name)
    if shape is None:
        found_columns = next(
            (columns for known in KNOWN.values() for columns in known if all(one in names for one in columns)), None
        )
        if found_columns is None:
            raise ValueError(
                f"{where}: no columns of shapes are known in {', '.join(names)}; name them by shape=: one of a "
                f"geometry, two of a point, three of a circle (x, y, radius), four of an AABB, "
                "five of a box (x, y, width, height, angle)"
            )
    else:
        found_columns = (shape,) if isinstance(shape, str) else tuple(shape)
        for one in found_columns:
            if one not in names:
                raise ValueError(f"{where}: shape = {shape!r}: {one!r} is no column; there are {', '.join(names)}")
    if len(found_columns) not in KIND_OF_COUNT:
        raise ValueError(f"{where}: shape = {shape!r} names {len(found_columns)} columns; 1 to 5 make shapes")
    kind = KIND_OF_COUNT[len(found_columns)]
    if kind != GEOMETRY:
        for one in found_columns:
            of = schema.field(one).type
            if not is_number(of):
                raise TypeError(f"{where}: {one!r} is a column of {of}; it must be of numbers")
        return Layout(kind, found_columns, label)
    return Layout(kind, found_columns, label, *_encoding(where, schema, found_columns[0]))


def names_of_rows(where: str, schema: pa.Schema, name: str | None) -> str | None:
    """Return the column that names the rows: that of the user, or one whose name is known, or none."""
    names = schema.names
    if name is not None and name not in names:
        raise ValueError(f"{where}: id = {name!r} is no column; there are {', '.join(names)}")
    label = name if name is not None else next((one for one in ("id", "ID", "Id") if one in names), None)
    if label is not None and not _may_name(schema.field(label).type):
        found = schema.field(label).type
        raise TypeError(f"{where}: id = {label!r} is a column of {found}; it must be of whole numbers or text")
    return label


def is_number(kind: pa.DataType) -> bool:
    """Tell whether the values of a column are numbers."""
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def _may_name(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _encoding(where: str, schema: pa.Schema, name: str) -> tuple[str, bool]:
    """Return how a column holds geometries, and whether it says that they are in degrees."""
    field = schema.field(name)
    told = (field.metadata or {}).get(b"ARROW:extension:name", b"").decode()
    told = getattr(field.type, "extension_name", told)
    crs: Any = (field.metadata or {}).get(b"ARROW:extension:metadata", b"{}")
    geo = json.loads((schema.metadata or {}).get(b"geo", b"{}")).get("columns", {}).get(name, {})
    degrees = _in_degrees(geo["crs"] if "crs" in geo else ("OGC:CRS84" if geo else _read(crs).get("crs")))
    told = told.removeprefix("geoarrow.")
    if told in ("polygon", "multipolygon", "point", "multipoint", "linestring", "multilinestring"):
        return told, degrees
    kind = field.type.storage_type if isinstance(field.type, pa.BaseExtensionType) else field.type
    if told == "wkb" or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return "wkb", degrees
    raise TypeError(f"{where}: {name!r} is a column of {field.type}; it must hold WKB or GeoArrow geometries")


def _read(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _in_degrees(crs: Any) -> bool:
    """Tell whether a coordinate system is one of angles: by its PROJJSON, or by the names that are most common."""
    if isinstance(crs, dict):
        return str(crs.get("type", "")).startswith("Geographic") or _in_degrees(_code(crs.get("id")))
    return str(crs).upper().removeprefix("URN:OGC:DEF:CRS:") in ("EPSG:4326", "OGC:CRS84", "EPSG::4326", "OGC::CRS84")


def _code(known: Any) -> str:
    return f"{known.get('authority')}:{known.get('code')}" if isinstance(known, dict) else ""


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
    if layout.encoding == "wkb":
        return shapely.from_wkb(stored.to_numpy(zero_copy_only=False), on_invalid="ignore")
    return _from_lists(layout.encoding, stored)


def _stored(table: pa.Table, layout: Layout) -> pa.Array:
    """Return the column of geometries as it is stored."""
    column = table.column(layout.columns[0]).combine_chunks()
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column.storage if isinstance(column, pa.ExtensionArray) else column


def _points_alone(table: pa.Table, layout: Layout) -> Floats | None:
    """Return the places of a column of geometries that are all points in WKB, which is read thirty times faster."""
    return places_of_points(_stored(table, layout)) if layout.encoding == "wkb" else None


def _from_lists(encoding: str, stored: pa.Array) -> Any:
    """Return the geometries of a GeoArrow column of nested lists."""
    kinds = {
        "point": shapely.GeometryType.POINT,
        "linestring": shapely.GeometryType.LINESTRING,
        "polygon": shapely.GeometryType.POLYGON,
        "multipoint": shapely.GeometryType.MULTIPOINT,
        "multilinestring": shapely.GeometryType.MULTILINESTRING,
        "multipolygon": shapely.GeometryType.MULTIPOLYGON,
    }
    present = stored.is_valid().to_numpy(zero_copy_only=False)
    inner, offsets = stored.filter(pa.array(present)), []
    while pa.types.is_list(inner.type) or pa.types.is_large_list(inner.type):
        starts = np.asarray(inner.offsets)
        offsets.append(starts - starts[0])
        inner = inner.flatten()
    if pa.types.is_struct(inner.type):
        points = np.column_stack([np.asarray(inner.field(name)) for name in ("x", "y")])
    else:
        points = np.asarray(inner.flatten()).reshape(len(inner), -1)[:, :2]
    found = np.full(len(stored), None, dtype=object)
    found[present] = shapely.from_ragged_array(kinds[encoding], points, tuple(reversed(offsets)) or None)
    return found


def bad_rows(table: pa.Table, layout: Layout) -> BadRows:
    """Return the rows that hold a shape that is none. A row without any value has no shape, and is not bad."""
    if layout.kind == SET:
        return BadRows(np.zeros(0, dtype=np.int64), [])
    if layout.kind == GEOMETRY:
        return _bad_geometries(table, layout)
    values = numbers(table, layout)
    faults = _faults(values, layout.kind)
    bad = faults[0][0]
    for wrong, _ in faults[1:]:
        bad = bad | wrong
    rows = np.flatnonzero(bad)
    none = np.isnan(values[rows]).all(axis=1)
    rows = rows[~none]
    told = [next(reason for wrong, reason in faults if wrong[row]) for row in rows[:1000]]
    reasons = [f"{tuple(values[row].tolist())}: {reason}" for row, reason in zip(rows, told, strict=False)]
    return BadRows(rows, reasons, int(none.sum()))


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
    elif kind == CIRCLE:
        found.append((columns[2] < SMALLEST_SIZE, "the radius must be positive"))
    elif kind == BOX:
        found.append(((columns[2] < SMALLEST_SIZE) | (columns[3] < SMALLEST_SIZE), "width and height must be positive"))
    return found


def _bad_geometries(table: pa.Table, layout: Layout) -> BadRows:
    if _points_alone(table, layout) is not None:
        return BadRows(np.zeros(0, dtype=np.int64), [])
    found = geometries(table, layout)
    present = table.column(layout.columns[0]).is_valid().to_numpy()
    missing = shapely.is_missing(found)
    unreadable, crossing = present & missing, ~missing & ~shapely.is_valid(found)
    far = (np.abs(shapely.bounds(found)) > LARGEST).any(axis=1)
    rows = np.flatnonzero(unreadable | crossing | far)
    some = rows[:1000]
    valid = f"a coordinate is beyond {LARGEST:g}"
    told = [valid if one == "Valid Geometry" else one for one in shapely.is_valid_reason(found[some])]
    none = (missing & ~present) | shapely.is_empty(found)
    return BadRows(rows, [f"{reason or 'the geometry cannot be read'}" for reason in told], int(none.sum()))


def things_of(table: pa.Table, layout: Layout) -> Things:
    """Return the shapes of a table whose bad rows are gone; a row without a value has none, and NaN as its bounds."""
    count = table.num_rows
    if layout.kind == SET:
        shapes = Shapes.load(layout.columns[0])[table.column(ROW).to_numpy()]
        return Things(shapes, np.arange(count), shapes.bounds)
    if layout.kind == GEOMETRY:
        places = _points_alone(table, layout)
        if places is not None:
            return Things(Shapes.points(places), np.arange(count), np.hstack([places, places]))
        found = geometries(table, layout)
        shapes = Shapes.from_shapely(found)
        return Things(shapes, np.asarray(shapes.owner), shapely.bounds(found))
    values = numbers(table, layout)
    there = ~np.isnan(values).all(axis=1)
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
    return np.asarray(shapely.bounds(geometries(table, layout)), dtype=np.float64)


def _shapes_of_numbers(kind: str, values: Floats) -> Shapes:
    if kind == POINT:
        return Shapes.points(values)
    if kind == CIRCLE:
        return Shapes.circles(values[:, :2], values[:, 2])
    if kind == BOX:
        return Shapes.boxes(values[:, :2], values[:, 2:4], values[:, 4])
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
        inputs.refuse(ValueError, where, "frame", table.column_names, f"must have the columns {', '.join(missing)}")
