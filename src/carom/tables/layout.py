"""How the rows of a table are read: which columns make the shape of a row, and what kind of shape.

In: nothing, or a table. Out: names, and the `Layout` that `shape_columns` fills in; whether a table has its columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from carom.tables import checks

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
    system: str = ""
    """The coordinate system that the table tells, by its authority and code; nothing where it tells none."""
    repair: bool = False
    """Whether geometries that are not valid are made so."""


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
