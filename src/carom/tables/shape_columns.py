"""Which columns of a table hold its shapes, and which names its rows.

In: the schema of a table, and the user's names of columns, or none. Out: a `Layout`. A geometry goes before columns of
numbers, and columns that tell more of a shape before those that tell less: a width is never passed over for a point.
What is ambiguous is refused; whatever else looks like a shape and is not read is told of once.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from carom.tables.layout import (
    BOX,
    CIRCLE,
    DIAMETER,
    GEOMETRY,
    KIND_OF_COUNT,
    KNOWN,
    LEVEL_BOX,
    POINT,
    SIDES,
    SIZES,
    WKB,
    WKT,
    Layout,
)

BOXES, DISCS = {BOX, LEVEL_BOX}, {CIRCLE, DIAMETER}
GEOMETRIES = ("geometry", "geom", "wkb", "wkb_geometry", "the_geom", "shape", "geography", "geog", "wkt")
"""Names of columns of geometries, in any case, where nothing else in the table tells which one is."""
WORLD = "OGC:CRS84"
"""Longitude and latitude, of which EPSG:4326 is another name in files."""
IDS = ("id", "ID", "Id")
GEOARROW = ("point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon")


def layout_of(
    where: str,
    schema: pa.Schema,
    shape: str | Sequence[str] | None,
    name: str | None,
    repair: bool = False,
    which: str = "",
) -> Layout:
    """Return the layout of a table: by the columns that the user names, or by names that are known.

    `which` is "other_" for the second table of a call, whose words begin so.
    """
    label = names_of_rows(where, schema, name, which)
    if shape is None:
        kind, columns, unused = _found(where, schema)
    else:
        kind, columns = _named(f"{where}: {which}shape = {shape!r}", schema, shape)
        unused = ()
    if kind == GEOMETRY:
        encoding, degrees, system = _encoding(where, schema, columns[0])
        return Layout(kind, columns, label, encoding, degrees, unused, system, repair)
    for one in columns:
        of = schema.field(one).type
        if not is_number(of):
            raise TypeError(f"{where}: {one!r} is a column of {of}; it must be of numbers")
    return Layout(kind, columns, label, unused=unused)


def _found(where: str, schema: pa.Schema) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the kind of the shapes of a table, their columns, and those that are passed over."""
    found: list[tuple[str, tuple[str, ...]]] = [(GEOMETRY, (name,)) for name in _geometries(schema)]
    names = set(schema.names)
    if {"r", "g", "b"} <= names:  # a color
        names.remove("r")
    for kind, known in KNOWN.items():
        found += [(kind, columns) for columns in known if set(columns) <= names]
    if not found:  # a column without a value has no type
        empty = [one for one in schema if one.name.lower() in GEOMETRIES and pa.types.is_null(one.type)]
        found += [(GEOMETRY, (one.name,)) for one in empty]
    if not found:
        raise ValueError(
            f"{where}: no columns of shapes are known in {', '.join(schema.names)}; name them by shape=: one of a "
            "geometry, two of a point, three of a circle (x, y, radius), four of an AABB (min x, min y, max x, max y), "
            "five of a box (x, y, width, height, angle)"
        )
    kind, columns = found[0]
    kinds = {kind for kind, _ in found}
    unused = tuple(dict.fromkeys(one for _, others in found for one in others if one not in columns))
    if kind in (*BOXES, *DISCS) and kinds & BOXES and kinds & DISCS:
        raise ValueError(
            f"{where}: {', '.join(columns)} tell a box, and {', '.join(unused)} a disc; shape= chooses the columns"
        )
    if kind == POINT:
        sides = tuple(one for one in SIDES if one in names)
        wide = [one for one in sides if one in ("width", "w")]
        if wide:
            raise ValueError(
                f"{where}: {wide[0]!r} tells no shape without its other side; shape={columns!r} makes points of the "
                "rows, and names of a height or a radius beside them boxes or discs"
            )
        unused += sides
    return kind, columns, tuple(one for one in unused if not _is_text(schema.field(one).type))


def _geometries(schema: pa.Schema) -> list[str]:
    """Return the columns of geometries: the one that GeoParquet names, those whose type tells, those of known names."""
    told = _read((schema.metadata or {}).get(b"geo"))
    found = [str(told.get("primary_column"))]
    found += [name for name in schema.names if _extension(schema.field(name)) in (*GEOARROW, WKB, WKT)]
    kept = told.get("columns")
    found += list(kept) if isinstance(kept, dict) else []
    for known in GEOMETRIES:
        found += [name for name in schema.names if name.lower() == known and _may_hold(schema.field(name).type)]
    return [name for name in dict.fromkeys(found) if name in schema.names]


def _may_hold(kind: pa.DataType) -> bool:
    """Tell whether a column could hold geometries."""
    return bool(pa.types.is_nested(kind) or _is_text(kind) or _is_binary(kind))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_binary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


def _named(asked: str, schema: pa.Schema, shape: Any) -> tuple[str, tuple[str, ...]]:
    """Return the kind of the shapes that are in the columns of the user, and these."""
    columns = (shape,) if isinstance(shape, str) else tuple(shape) if isinstance(shape, (list, tuple)) else ()
    if not columns or not all(isinstance(one, str) for one in columns):
        raise TypeError(f"{asked} must be a name of a column, or a list of some")
    for one in columns:
        if one not in schema.names:
            raise ValueError(f"{asked}: {one!r} is no column; there are {', '.join(schema.names)}")
    if len(columns) not in KIND_OF_COUNT:
        raise ValueError(f"{asked} names {len(columns)} columns; 1 to 5 make shapes")
    lower = tuple(one.lower() for one in columns)
    for kind, known in KNOWN.items():
        if lower in known:
            return kind, columns
    kind = KIND_OF_COUNT[len(columns)]
    if lower[2:] in SIZES:
        raise ValueError(
            f"{asked} tells of sizes; four columns are min x, min y, max x, max y, or x, y, width, height of a box "
            "about its centre"
        )
    if kind == CIRCLE and "diam" in lower[2]:
        return DIAMETER, columns
    if kind == BOX and "deg" in lower[4]:
        raise ValueError(f"{asked} tells of degrees; angles are in radians")
    return kind, columns


def names_of_rows(where: str, schema: pa.Schema, name: str | None, which: str = "") -> str | None:
    """Return the column that names the rows: that of the user, or one whose name is known, or none."""
    names, asked = schema.names, f"{where}: {which}id = {name!r}"
    if name is not None and not isinstance(name, str):
        raise TypeError(f"{asked} must be the name of one column; id= is for the first table, other_id= for the second")
    if name is not None and name not in names:
        swapped = (
            "; id= names the points, in place of point_id=, and other_id= the shapes" if where == "nearest" else ""
        )
        raise ValueError(f"{asked} is no column; there are {', '.join(names)}{swapped}")
    label = name if name is not None else next((one for one in IDS if one in names), None)
    if label is not None and not _may_name(schema.field(label).type):
        found = schema.field(label).type
        raise TypeError(f"{where}: {which}id = {label!r} is a column of {found}; it must be of whole numbers or text")
    return label


def is_number(kind: pa.DataType) -> bool:
    """Tell whether the values of a column are numbers."""
    kinds = pa.types.is_floating, pa.types.is_integer, pa.types.is_decimal, pa.types.is_null
    return any(one(kind) for one in kinds)


def _may_name(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or _is_text(kind) or pa.types.is_null(kind))


def _extension(field: pa.Field) -> str:
    """Return the name of the GeoArrow type of a column, or nothing."""
    told = (field.metadata or {}).get(b"ARROW:extension:name", b"").decode()
    return str(getattr(field.type, "extension_name", told)).removeprefix("geoarrow.").removeprefix("ogc.")


def _encoding(where: str, schema: pa.Schema, name: str) -> tuple[str, bool, str]:
    """Return how a column holds geometries, whether it says that they are in degrees, and in which system they are."""
    field = schema.field(name)
    columns = _read((schema.metadata or {}).get(b"geo")).get("columns")
    geo = columns.get(name) if isinstance(columns, dict) else None
    own: Any = (field.metadata or {}).get(b"ARROW:extension:metadata")
    kind = field.type
    if isinstance(kind, pa.BaseExtensionType):
        own, kind = kind.__arrow_ext_serialize__() if isinstance(kind, pa.ExtensionType) else own, kind.storage_type
    told = [geo] if isinstance(geo, dict) else []
    crs = [one.get("crs", "OGC:CRS84") for one in told] + [_read(own).get("crs")]
    spherical = any(one.get("edges", "planar") not in ("planar", None) for one in (*told, _read(own)))
    degrees, system = spherical or _in_degrees(crs[0]), _system(crs[0])
    encoding = _extension(field) or str(next((one.get("encoding", "") for one in told), "")).lower()
    if pa.types.is_nested(kind) and encoding in GEOARROW:
        return encoding, degrees, system
    if _is_binary(kind) or pa.types.is_null(kind):
        return WKB, degrees, system
    if _is_text(kind):
        return WKT, degrees, system
    raise TypeError(f"{where}: {name!r} is a column of {field.type}; it must hold WKB, WKT or GeoArrow geometries")


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
    return _system(crs) == WORLD


def _system(crs: Any) -> str:
    """Return the authority and the code of a coordinate system, longitude and latitude by one of its names."""
    code = _code(crs.get("id")) if isinstance(crs, dict) else str(crs or "")
    code = code.upper().removeprefix("URN:OGC:DEF:CRS:").replace("::", ":")
    return WORLD if code == "EPSG:4326" else code if re.fullmatch(r"[A-Z]+:\w+", code) else ""


def refuse_two_systems(where: str, one: Layout, other: Layout) -> None:
    """Refuse two tables that tell two coordinate systems: numbers of one mean nothing in the other."""
    if one.system and other.system and one.system != other.system:
        raise ValueError(
            f"{where}: {one.columns[0]!r} is in {one.system} and the other table's {other.columns[0]!r} in "
            f"{other.system}; bring both to one coordinate system first, by to_crs of GeoPandas for example"
        )


def _code(known: Any) -> str:
    return f"{known.get('authority')}:{known.get('code')}" if isinstance(known, dict) else ""


def tell_of_layout(where: str, name: str, layout: Layout) -> None:
    """Warn of what a user may not expect: columns that are not read, and degrees that are taken as lengths."""
    if layout.unused:
        warnings.warn(
            f"{where}: the shapes of {name} are read from {', '.join(layout.columns)}, not from "
            f"{', '.join(layout.unused)}; shape= chooses the columns",
            UserWarning,
            stacklevel=3,
        )
    if layout.degrees:
        warnings.warn(
            f"{where}: the column {layout.columns[0]!r} says that its coordinates are degrees; they are taken as "
            "planar, so that distances and depths are degrees, too",
            UserWarning,
            stacklevel=3,
        )
