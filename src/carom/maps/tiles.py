"""Tiled's tiles and objects: tilesets, objects as forms, and the collision shapes of a tile as it is drawn.

In: tilesets in a map or in files of their own, .tsx or JSON; an object's fields; a tile, how its cell flips it, and its
layer's role. Out: `Tileset` values, found by global id, with the size, class, properties and collision shapes of each
tile; a `Form` for an object; for a tile `Use` values relative to its corner, and of the solid ones those that can be
merged with the neighbours'. Pixels, y pointing down; rotation is clockwise, in degrees, about the object's own point.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Floats
from carom.maps import fields
from carom.maps.building import Use
from carom.maps.fields import naming
from carom.maps.forms import Form, ellipse, rectangle, scaled, turned
from carom.maps.roles import IGNORE, SOLID, TRIGGER, Role, Roles
from carom.maps.tiled_file import Node, load_named, properties_of
from carom.narrow.verbs import intersects
from carom.shapes.compound import Compound, decompose
from carom.vector import Point2

HORIZONTAL, VERTICAL, DIAGONAL = 0x80000000, 0x40000000, 0x20000000
FLAGS = 0xF0000000  # the fourth turns hexagonal tiles; it may be set in other maps, where it means nothing

# Where in its rectangle a tile object's own point lies, as parts of width and height.
ALIGNMENTS = {
    f"{level}{side}" or "center": (across, down)
    for level, down in (("top", 0.0), ("", 0.5), ("bottom", 1.0))
    for side, across in (("left", 0.0), ("", 0.5), ("right", 1.0))
}
ALIGNMENTS["unspecified"] = ALIGNMENTS["bottomleft"]


class Tile(NamedTuple):
    """One tile: its size, class and properties, and the objects of its collision shape."""

    size: Point2
    kind: str
    properties: dict[str, Any]
    objects: list[Node]
    called: str


class Tileset(NamedTuple):
    """Tiles with ids from `first_id` on."""

    first_id: int
    name: str
    size: Point2
    offset: Point2
    fills_cell: bool  # drawn in the size of the map's cells
    alignment: str
    tiles: dict[int, Node]

    def tile(self, number: int) -> Tile:
        """Return a tile by its number in this set."""
        node = self.tiles.get(number, {})
        called = f"tileset {self.name!r}: tile {number}"
        with naming(called):
            width = fields.size(node, "width", fields.size(node, "imagewidth", self.size[0]))
            height = fields.size(node, "height", fields.size(node, "imageheight", self.size[1]))
            group = node.get("objectgroup") or {}
            if not isinstance(group, dict):
                raise ValueError("objectgroup must be an object")
            kind = class_of(node)
            return Tile((width, height), kind, properties_of(node), fields.nodes(group, "objects"), called)


def class_of(node: Node) -> str:
    """Return the class of an object or a tile, which has been called type, class, and type again."""
    return fields.text(node, "class") or fields.text(node, "type")


def read_tileset(node: Node, folder: Path) -> Tileset:
    """Return a tileset of a map, read from its own file where it has one.

    Raises
    ------
    ValueError
        Its file is missing or broken. The text has no caller's name.
    """
    first_id = fields.whole(node, "firstgid", 1, 1)
    source = fields.text(node, "source")
    if source:
        with naming(f"tileset {source!r}"):
            node = load_named(folder, source)
            if node.get("type", "tileset") != "tileset":
                raise ValueError(f"it holds a {node['type']}, not a tileset")
    name = fields.text(node, "name") or source
    with naming(f"tileset {name!r}"):
        tiles = nodes_by_id(node)
        if node.get("tilerendersize") == "grid" and node.get("fillmode", "stretch") != "stretch":
            raise ValueError(f"fillmode {node['fillmode']!r} is not known here; choose stretch")
        offset = node.get("tileoffset") or {}
        if not isinstance(offset, dict):
            raise ValueError("tileoffset must be an object")
        alignment = fields.text(node, "objectalignment", "unspecified")
        size = fields.size(node, "tilewidth", 0.0), fields.size(node, "tileheight", 0.0)
        shift = fields.number(offset, "x", 0.0), fields.number(offset, "y", 0.0)
        return Tileset(first_id, name, size, shift, node.get("tilerendersize") == "grid", alignment, tiles)


def nodes_by_id(node: Node) -> dict[int, Node]:
    """Return the tiles that a tileset describes, by number."""
    if isinstance(node.get("tiles"), dict):
        raise ValueError("it is of a Tiled before 1.2; save it anew")
    return {fields.whole(tile, "id", 0): tile for tile in fields.nodes(node, "tiles")}


def find(tilesets: list[Tileset], global_id: int) -> tuple[Tileset, int]:
    """Return the tileset of a global id without flags, and the tile's number in it."""
    found = [one for one in tilesets if one.first_id <= global_id]
    if not found:
        raise ValueError(f"tile id {global_id} is of no tileset")
    chosen = max(found, key=lambda one: one.first_id)
    return chosen, global_id - chosen.first_id


def object_form(node: Node) -> Form:
    """Return the shape of an object that shows no tile.

    Raises
    ------
    ValueError
        Fields that make no shape. The text has no caller's name.
    """
    x, y = fields.number(node, "x", 0.0), fields.number(node, "y", 0.0)
    width, height = fields.size(node, "width", 0.0), fields.size(node, "height", 0.0)
    if node.get("point"):
        form = Form("point", ((x, y),))
    elif node.get("polygon") is not None or node.get("polyline") is not None:
        kind, key = ("ring", "polygon") if node.get("polygon") is not None else ("line", "polyline")
        points = [(fields.number(one, "x") + x, fields.number(one, "y") + y) for one in fields.nodes(node, key)]
        least = 3 if kind == "ring" else 2
        if len(points) < least:
            raise ValueError(f"{key} has {len(points)} points; it needs {least}")
        form = Form(kind, tuple(points))
    elif node.get("ellipse"):
        form = ellipse(x, y, width, height)
    elif node.get("capsule"):
        form = _capsule(x, y, width, height)
    else:
        form = rectangle(x, y, width, height)
    return turned(form, fields.number(node, "rotation", 0.0), (x, y))


def _capsule(x: float, y: float, width: float, height: float) -> Form:
    """Return the capsule that fills a rectangle."""
    if width == height or not width or not height:
        return ellipse(x, y, width, height)
    radius = min(width, height) / 2
    return Form("line", ((x + radius, y + radius), (x + width - radius, y + height - radius)), radius)


class Flip(NamedTuple):
    """How a tile of a size is drawn: the flags of its cell."""

    flags: int
    size: Point2

    @property
    def drawn(self) -> Point2:
        """Width and height as drawn."""
        return (self.size[1], self.size[0]) if self.flags & DIAGONAL else self.size

    def point(self, point: Point2) -> Point2:
        """Return where a point of the tile is drawn: x and y swapped first, then mirrored."""
        x, y = point[::-1] if self.flags & DIAGONAL else point
        width, height = self.drawn
        return (width - x if self.flags & HORIZONTAL else x), (height - y if self.flags & VERTICAL else y)

    def direction(self, way: Point2) -> Point2:
        """Return where a direction of the tile points as drawn."""
        x, y = way[::-1] if self.flags & DIAGONAL else way
        return (-x if self.flags & HORIZONTAL else x) + 0.0, (-y if self.flags & VERTICAL else y) + 0.0


def tile_uses(tile: Tile, flip: Flip, above: Role | None, name: str, roles: Roles) -> list[Use]:
    """Return the shapes of a tile as drawn, relative to its upper left corner.

    `above` is the role of its layer; `name` is for shapes without a name or class of their own.
    """
    own = roles.of(tile.properties, tile.kind) or above
    factors = [drawn / size if size else 1.0 for drawn, size in zip(flip.size, tile.size, strict=True)]
    if not tile.objects:
        if own is None or own.name == IGNORE or not min(flip.size):
            return []
        called = tile.kind or name
        return [Use(rectangle(0.0, 0.0, *flip.drawn), _turned(own, flip), called, called, tile.properties)]
    found = []
    for node in tile.objects:
        with naming(f"collision object {node.get('id')}"):
            properties, kind = properties_of(node), class_of(node)
            form = scaled(object_form(node), *factors).moved(flip.point)
            usual = Role(TRIGGER) if form.kind == "point" else own or Role(SOLID)
            role = roles.of(properties, kind) or usual
            called = fields.text(node, "name") or kind or tile.kind or name
            found.append(Use(form, _turned(role, flip), called, kind or tile.kind, {**tile.properties, **properties}))
    return [use for use in found if use.role.name != IGNORE]


def _turned(role: Role, flip: Flip) -> Role:
    return role._replace(direction=flip.direction(role.direction))


def rings_inside(forms: list[Form], cell: Point2) -> tuple[list[Floats], list[Form]]:
    """Return the convex rings of those forms that are flat-sided, inside the cell and apart, and the other forms."""
    rings: list[Floats] = []
    kept: list[Compound] = []
    others = []
    for form in forms:
        inside = all(0.0 <= x <= cell[0] and 0.0 <= y <= cell[1] for x, y in form.points)
        region = decompose(form.points) if form.kind == "ring" and inside else None
        if region is None or any(intersects(region, other, touching=False) for other in kept):
            others.append(form)
            continue
        kept.append(region)
        rings += [np.array(part.vertices) for part in region.parts]
    return rings, others


def is_whole(rings: list[Floats], cell: Point2) -> bool:
    """Tell whether the rings are one, and that the whole cell."""
    corners = {(0.0, 0.0), (cell[0], 0.0), cell, (0.0, cell[1])}
    return len(rings) == 1 and {(x, y) for x, y in rings[0].tolist()} == corners
