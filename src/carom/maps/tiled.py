"""Maps of Tiled: tile layers and object layers, finite or infinite, of every orientation.

In: the content of a .tmx or .tmj file, and the folder with its tilesets and templates. Out: cells, forms, one-way edges
and triggers in a `Draft`. Pixels, y pointing down, layer offsets added.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Floats, Integers
from carom.maps import fields, tiled_file, tiles
from carom.maps.building import Draft, Use
from carom.maps.fields import naming
from carom.maps.forms import Form, rectangle, shifted, turned
from carom.maps.orientation import HEXAGONAL, ISOMETRIC, ORTHOGONAL, layout_of
from carom.maps.pieces import Cells
from carom.maps.roles import IGNORE, ONE_WAY, SOLID, TRIGGER, Role, Roles
from carom.maps.tiled_file import Ids, Node, properties_of
from carom.maps.tiles import Flip, Tile, Tileset
from carom.vector import Point2


class Layer(NamedTuple):
    """The name, role and offset that all cells or objects of a layer share."""

    name: str
    role: Role | None
    offset: Point2


class Region(NamedTuple):
    """Cells of a layer that are triggers of one name, class and properties."""

    cells: list[Cells]
    use: Use
    layer: Layer


class Tiled:
    """A reader of one map."""

    def __init__(self, draft: Draft, node: Node, folder: Path, roles: Roles) -> None:
        self.draft, self.roles, self.folder, self.node = draft, roles, folder, node
        if node.get("type", "map") != "map" or "layers" not in node:
            raise ValueError(f"it holds no map of Tiled{', but a ' + str(node['type']) if 'type' in node else ''}")
        self.layout = layout_of(node)
        self.infinite = bool(node.get("infinite"))
        self.tilesets = [tiles.read_tileset(one, folder) for one in fields.nodes(node, "tilesets")]
        self._regions: dict[tuple[str, ...], Region] = {}
        self.pictures = ""
        """The name of a layer with tiles that have neither a collision shape nor a role; empty without such tiles."""

    def read(self, at: Point2 = (0.0, 0.0)) -> None:
        """Take everything into the draft, with the corner of the map there."""
        width, height = fields.whole(self.node, "width", 0), fields.whole(self.node, "height", 0)
        if not self.infinite:
            self._bound(0, 0, width, height, at)
            self.draft.height = self.layout.extent(0, 0, width, height)[3]
        self._layers(self.node, Layer("", None, at))
        for cells, use, layer in self._regions.values():
            corner = self.layout.lattice_corner(layer.offset)
            self.draft.add_regions(cells, use, corner, self.layout.lattice, layer.name)

    def _bound(self, left: int, top: int, width: int, height: int, offset: Point2) -> None:
        """Note that the map reaches over a block of cells, moved by an offset."""
        x0, y0, x1, y1 = self.layout.extent(left, top, width, height)
        self.draft.boxes.append((offset[0] + x0, offset[1] + y0, offset[0] + x1, offset[1] + y1))

    def _layers(self, node: Node, above: Layer) -> None:
        for one in fields.nodes(node, "layers"):
            name = fields.text(one, "name") or f"id {one.get('id')}"
            with naming(f"layer {name!r}"):
                shift = fields.place(one, "offsetx", 0.0), fields.place(one, "offsety", 0.0)
                own = self.roles.of(properties_of(one), fields.text(one, "class"), fields.text(one, "name"))
                layer = Layer(name, own or above.role, (above.offset[0] + shift[0], above.offset[1] + shift[1]))
                kind = one.get("type")
                if kind == "group":
                    self._layers(one, layer)
                elif layer.role is not None and layer.role.name == IGNORE:
                    continue
                elif kind == "tilelayer":
                    self._tile_layer(one, layer, fields.text(one, "class"))
                elif kind == "objectgroup":
                    for thing in fields.nodes(one, "objects"):
                        with naming(f"object {thing.get('id')}"):
                            self._object(thing, layer)

    def _tile_layer(self, node: Node, layer: Layer, kind: str) -> None:
        encoding, compression = fields.text(node, "encoding"), fields.text(node, "compression")
        if "chunks" in node or (self.infinite and _is_blank(node.get("data"))):
            chunks = fields.nodes(node, "chunks")
        else:
            chunks = [{**node, "x": 0, "y": 0}]
        columns, rows, ids = [], [], []
        for chunk in chunks:
            width, height = fields.whole(chunk, "width", 0), fields.whole(chunk, "height", 0)
            left, top = fields.whole(chunk, "x", -fields.MOST_CELLS, 0), fields.whole(chunk, "y", -fields.MOST_CELLS, 0)
            with naming(f"chunk at ({left}, {top})" if "chunks" in node else "data"):
                found = tiled_file.tile_ids(chunk.get("data"), encoding, compression, width, height)
            row, column = np.nonzero(found)
            columns.append(column + left)
            rows.append(row + top)
            ids.append(found[row, column])
            if self.infinite and width and height:
                self._bound(left, top, width, height, layer.offset)
        if ids:
            self._cells(np.concatenate(columns), np.concatenate(rows), np.concatenate(ids), layer, kind)

    def _cells(self, column: Integers, row: Integers, ids: Ids, layer: Layer, kind: str) -> None:
        """Take the cells of a layer, tile by tile."""
        layout, whole = self.layout, self.layout.outline
        order = np.argsort(ids, kind="stable")
        numbers, begins = np.unique(ids[order], return_index=True)
        ends = np.append(begins, order.size)[1:]
        for number, first, end in zip(numbers.tolist(), begins.tolist(), ends.tolist(), strict=True):
            at = order[first:end]
            tileset, tile_number = tiles.find(self.tilesets, number & ~tiles.FLAGS)
            tile = tileset.tile(tile_number)
            flip = self._flip(number, layout.cell if tileset.fills_cell else tile.size)
            shift = tileset.shift(tile, flip.size)
            corner = shift[0], layout.cell[1] - flip.drawn[1] + shift[1]
            if layout.orientation == HEXAGONAL:
                flip = flip._replace(hexagon=shifted(whole, (-corner[0], -corner[1])).points)
            with naming(tile.called):
                uses = tiles.tile_uses(tile, flip, layer.role, kind or layer.name, self.roles)
                if not uses and not self.roles.of(tile.properties, tile.kind):
                    self.pictures = self.pictures or layer.name
                if tile.objects or layout.orientation == ORTHOGONAL:
                    uses = [use.shifted(corner) for use in uses]
                else:  # the cell, whatever the size of the picture on it
                    uses = [use._replace(form=whole) for use in uses]
                rings, alone = layout.lattice.rings_inside([use.form for use in uses if use.role.name == SOLID])
            here = Cells(*layout.places(column[at], row[at]), np.full(at.size, layout.lattice.whole))
            self._solid_cells(rings, here, layer)
            uses = [use for use in uses if use.role.name != SOLID]
            uses += [Use(form, Role(SOLID), tile.called, "", {}) for form in alone]
            for use in uses:
                if use.role.name == TRIGGER and not tile.objects and use.form == whole:
                    key = (use.name, use.kind, layer.name, repr(layer.offset), repr(use.properties))
                    self._regions.setdefault(key, Region([], use, layer)).cells.append(here)
                    continue
                places = layout.corners(column[at], row[at]).tolist()
                for c, r, (x, y) in zip(column[at].tolist(), row[at].tolist(), places, strict=True):
                    called = f"layer {layer.name!r}: tile at column {c}, row {r}"
                    self.draft.add(use.shifted((layer.offset[0] + x, layer.offset[1] + y)), called, layer.name)

    def _flip(self, number: int, size: Point2) -> Flip:
        return Flip(number & tiles.FLAGS, size, () if self.layout.orientation == HEXAGONAL else None)

    def _solid_cells(self, rings: list[Floats], here: Cells, layer: Layer) -> None:
        """Take cells that hold solid rings."""
        if not rings:
            return
        lattice, corner = self.layout.lattice, self.layout.lattice_corner(layer.offset)
        if not lattice.is_whole(rings):
            table = self.draft.grid(corner, lattice).table
            here = here._replace(kind=np.full(here.row.size, len(table)))
            table.append(rings)
        self.draft.add_cells(here, Role(SOLID), corner, lattice)

    def _object(self, node: Node, layer: Layer) -> None:
        """Take an object of an object layer."""
        tilesets, folder = self.tilesets, self.folder
        source = fields.text(node, "template")
        if source:
            node, tilesets = self._filled(node, folder / source)
        if "text" in node:
            return
        properties, kind, tile = properties_of(node), tiles.class_of(node), None
        if node.get("gid"):
            form, tile, flip, back = self._tile_object(node, tilesets)
            kind, properties = kind or tile.kind, {**tile.properties, **properties}
        else:
            form = tiles.object_form(node, self.layout.object_point if self.layout.orientation == ISOMETRIC else None)
        role = self.roles.of(properties, kind) or layer.role or Role(TRIGGER)
        name = fields.text(node, "name") or kind or layer.name
        called = f"layer {layer.name!r}: object {node.get('id')}"
        number = node["id"] if isinstance(node.get("id"), int) else None
        uses = [Use(form, role, name, kind, properties)]
        if tile is not None and tile.objects and role.name in (SOLID, ONE_WAY):
            tile = tile._replace(kind=kind, properties=properties)
            uses = tiles.tile_uses(tile, flip, layer.role, name, self.roles)
            uses = [use._replace(form=back(use.form)) for use in uses]
        for use in uses:
            self.draft.add(use._replace(id=number).shifted(layer.offset), called, layer.name)

    def _tile_object(self, node: Node, tilesets: list[Tileset]) -> tuple[Form, Tile, Flip, Callable[[Form], Form]]:
        """Return the rectangle of an object that shows a tile, the tile, and how its shapes get there."""
        number = fields.whole(node, "gid", 1, most=2**32 - 1)
        tileset, tile_number = tiles.find(tilesets, number & ~tiles.FLAGS)
        tile = tileset.tile(tile_number)
        if tileset.alignment not in (*tiles.ALIGNMENTS, "unspecified"):
            raise ValueError(f"tileset {tileset.name!r}: objectalignment {tileset.alignment!r} is not known")
        size = fields.size(node, "width", tile.size[0]), fields.size(node, "height", tile.size[1])
        x, y = self.layout.object_point((fields.number(node, "x", 0.0), fields.number(node, "y", 0.0)))
        usual = "bottom" if self.layout.orientation == ISOMETRIC else "bottomleft"
        across, down = tiles.ALIGNMENTS[usual if tileset.alignment == "unspecified" else tileset.alignment]
        shift = tileset.shift(tile, size)
        left, top = x - across * size[0] + shift[0], y - down * size[1] + shift[1]
        degrees = fields.number(node, "rotation", 0.0)

        def back(form: Form) -> Form:
            return turned(shifted(form, (left, top)), degrees, (x, y))

        return back(rectangle(0.0, 0.0, *size)), tile, self._flip(number, size), back

    def _filled(self, node: Node, path: Path) -> tuple[Node, list[Tileset]]:
        """Return an object with its missing fields from its template, and the tilesets of its tile."""
        with naming(f"template {path.name!r}"):
            found = tiled_file.load_named(path.parent, path.name)
            objects = [found["object"]] if isinstance(found.get("object"), dict) else fields.nodes(found, "objects")
            if len(objects) != 1:
                raise ValueError("it holds no template of an object")
            sets = [found["tileset"]] if isinstance(found.get("tileset"), dict) else fields.nodes(found, "tilesets")
            tilesets = self.tilesets if "gid" in node else [tiles.read_tileset(one, path.parent) for one in sets]
            merged = {**properties_of(objects[0]), **properties_of(node)}
            listed = [{"name": name, "value": value} for name, value in merged.items()]
            return {**objects[0], **node, "properties": listed}, tilesets


def _is_blank(data: Any) -> bool:
    """Tell whether a layer's data say nothing: of an infinite map, that no chunk has a tile."""
    return data is None or (not data.strip() if isinstance(data, str) else data == [])
