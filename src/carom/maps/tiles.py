"""Tiled's tiles and objects: tilesets, objects as forms, and the collision shapes of a tile as it is drawn.

In: tilesets in a map or in files of their own, .tsx or JSON; an object's fields; a tile, how its cell flips it, and its
layer's role. Out: `Tileset` values, found by global id, with the size, class, properties and collision shapes of each
tile; a `Form` for an object; for a tile `Use` values relative to its corner. Pixels, y pointing down; rotation is
clockwise, in degrees, about the object's own point, as drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from carom.maps import fields
from carom.maps.building import Use
from carom.maps.fields import naming
from carom.maps.forms import Form, cos_sin_degrees, ellipse, rectangle, ring_of, scaled, turned
from carom.maps.lattice import Projection
from carom.maps.roles import IGNORE, SOLID, TRIGGER, Role, Roles
from carom.maps.tiled_file import Node, load_named, properties_of
from carom.vector import Point2

HORIZONTAL, VERTICAL, DIAGONAL = 0x80000000, 0x40000000, 0x20000000
TURNED = 0x10000000  # of hexagonal maps; it may be set in others, where it means nothing
FLAGS = 0xF0000000

# Where in its rectangle a tile object's own point lies, as parts of width and height.
ALIGNMENTS = {
    f"{level}{side}" or "center": (across, down)
    for level, down in (("top", 0.0), ("", 0.5), ("bottom", 1.0))
    for side, across in (("left", 0.0), ("", 0.5), ("right", 1.0))
}


class Tile(NamedTuple):
    """One tile: its size, class and properties, and the objects of its collision shape."""

    size: Point2
    kind: str
    properties: dict[str, Any]
    objects: list[Node]
    called: str
    view: Projection | None
    """How its objects are drawn: in an isometric grid at the foot of its picture, or as they are."""

    def object_point(self, point: Point2) -> Point2:
        """Return where a point of an object is in the picture."""
        if self.view is None:
            return point
        x, y = self.view.point(point)
        return x + self.view.width / 2.0, y + self.size[1] - self.view.height


class Tileset(NamedTuple):
    """Tiles with ids from `first_id` on."""

    first_id: int
    name: str
    size: Point2
    offset: Point2
    fills_cell: bool  # drawn in the size of the map's cells
    alignment: str
    tiles: dict[int, Node]
    view: Projection | None

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
            objects = fields.nodes(group, "objects")
            return Tile((width, height), kind, properties_of(node), objects, called, self.view)

    def shift(self, tile: Tile, size: Point2) -> Point2:
        """Return by how much a tile that is drawn in this size is moved."""
        (x, y), (width, height) = self.offset, tile.size
        return (x * size[0] / width if width else x), (y * size[1] / height if height else y)


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
        fills = node.get("tilerendersize") == "grid"
        return Tileset(first_id, name, size, shift, fills, alignment, tiles, _view(node))


def _view(node: Node) -> Projection | None:
    """Return the isometric grid of a tileset; None without one."""
    grid = node.get("grid") or {}
    if not isinstance(grid, dict):
        raise ValueError("grid must be an object")
    orientation = fields.text(grid, "orientation", "orthogonal")
    if orientation not in ("orthogonal", "isometric"):
        raise ValueError(f"grid: orientation {orientation[:40]!r} must be orthogonal or isometric")
    if orientation == "orthogonal":
        return None
    with naming("grid"):
        return Projection(fields.cell(grid, "width"), fields.cell(grid, "height"))


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


def object_form(node: Node, drawn: Callable[[Point2], Point2] | None = None) -> Form:
    """Return the shape of an object that shows no tile; `drawn` tells where its points are drawn, if elsewhere.

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
    pivot = (x, y)
    if drawn is not None:
        form, pivot = ring_of(form).moved(drawn), drawn(pivot)
    return turned(form, fields.number(node, "rotation", 0.0), pivot)


def _capsule(x: float, y: float, width: float, height: float) -> Form:
    """Return the capsule that fills a rectangle."""
    if width == height or not width or not height:
        return ellipse(x, y, width, height)
    radius = min(width, height) / 2
    return Form("line", ((x + radius, y + radius), (x + width - radius, y + height - radius)), radius)


class Flip(NamedTuple):
    """How a tile of a size is drawn: the flags of its cell; in a hexagonal map with the outline of the cell, if any."""

    flags: int
    size: Point2
    hexagon: tuple[Point2, ...] | None = None

    @property
    def drawn(self) -> Point2:
        """Width and height as drawn."""
        return (self.size[1], self.size[0]) if self._swaps else self.size

    @property
    def _swaps(self) -> bool:
        return self.hexagon is None and self.flags & DIAGONAL != 0

    def form(self, form: Form) -> Form:
        """Return a shape of the tile as drawn: x and y swapped first, then mirrored.

        In a hexagonal map it is mirrored first, and then turned about the middle; but what fills a cell fills it in any
        case, whether or not the hexagon is regular.
        """
        if self.hexagon is not None and set(form.points) == set(self.hexagon):
            return form
        width, height = self.drawn
        return form.moved(lambda point: self._mapped(point, (width / 2.0, height / 2.0), (width, height)))

    def direction(self, way: Point2) -> Point2:
        """Return where a direction of the tile points as drawn."""
        return self._mapped(way, (0.0, 0.0), (0.0, 0.0))

    def _mapped(self, point: Point2, middle: Point2, opposite: Point2) -> Point2:
        """Return where a point comes to lie, about the middle of a picture from (0, 0) to the opposite corner."""
        x, y = point[::-1] if self._swaps else point
        x = opposite[0] - x if self.flags & HORIZONTAL else x
        y = opposite[1] - y if self.flags & VERTICAL else y
        degrees = (60.0 if self.flags & DIAGONAL else 0.0) + (120.0 if self.flags & TURNED else 0.0)
        if self.hexagon is None or not degrees:
            return x + 0.0, y + 0.0
        (c, s), dx, dy = cos_sin_degrees(degrees), x - middle[0], y - middle[1]
        return middle[0] + (c * dx - s * dy), middle[1] + (s * dx + c * dy)


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
            drawn = tile.object_point if tile.view else None
            form = flip.form(scaled(object_form(node, drawn), *factors))
            usual = Role(TRIGGER) if form.kind == "point" else own or Role(SOLID)
            role = roles.of(properties, kind) or usual
            called = fields.text(node, "name") or kind or tile.kind or name
            found.append(Use(form, _turned(role, flip), called, kind or tile.kind, {**tile.properties, **properties}))
    return [use for use in found if use.role.name != IGNORE]


def _turned(role: Role, flip: Flip) -> Role:
    return role._replace(direction=flip.direction(role.direction))
