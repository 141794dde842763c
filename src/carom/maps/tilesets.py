"""Tilesets: for each tile its size, class, properties and collision shapes.

In: tilesets in a map or in files of their own, .tsx or JSON. Out: `Tileset` values, found by global id. Pixels, y down.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from carom.maps import fields, tiled_file
from carom.maps.tiled_file import Node, properties_of
from carom.vector import Point2


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
        with fields.naming(called):
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
    ValueError : its file is missing or broken. The text has no caller's name.
    """
    first_id = fields.whole(node, "firstgid", 1, 1)
    source = fields.text(node, "source")
    if source:
        with fields.naming(f"tileset {source!r}"):
            node = tiled_file.load_named(folder, source)
            if node.get("type", "tileset") != "tileset":
                raise ValueError(f"it holds a {node['type']}, not a tileset")
    name = fields.text(node, "name") or source
    with fields.naming(f"tileset {name!r}"):
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
