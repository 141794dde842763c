"""Maps of LDtk: the IntGrids and entities of its levels, in the project's file or in files of their own.

In: a project as LDtk writes it, from 0.8 on. Out: cells, one-way edges and triggers in a `Draft`. World pixels, y
pointing down; tiles and auto-layers are pictures and have no part in it.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from carom.maps import fields, tiled_file
from carom.maps.building import Draft, Use
from carom.maps.fields import naming
from carom.maps.forms import rectangle
from carom.maps.lattice import Lattice
from carom.maps.pieces import WHOLE, Cells
from carom.maps.roles import IGNORE, SOLID, TRIGGER, Role, Roles
from carom.maps.tiled_file import Node
from carom.vector import Point2


def read_ldtk(draft: Draft, project: Node, folder: Path, roles: Roles, wanted: list[str] | None) -> None:
    """Take the levels of a project, or those wanted, into a draft; a world that is wanted is all of its levels."""
    _refuse_old(project)
    names = _value_names(project)
    for kind in ("layers", "entities"):  # also those of levels that are not wanted
        roles.meet(*(fields.text(one, "identifier") for one in fields.nodes(project["defs"], kind)))
    roles.meet(*names.values(), *(value for _, value in names))
    there: list[str] = []
    taken: list[Placed] = []
    for number, world in enumerate([project, *fields.nodes(project, "worlds")]):
        title = fields.text(world, "identifier") or str(number) if number else ""
        corner = (0.0, 0.0)
        layout = fields.text(world, "worldLayout")
        there += [title] if title else []
        for level in fields.nodes(world, "levels"):
            name = fields.text(level, "identifier") or str(level.get("uid"))
            with naming(f"level {name!r}"):
                width, height = fields.place(level, "pxWid"), fields.place(level, "pxHei")
                place = fields.place(level, "worldX", 0.0), fields.place(level, "worldY", 0.0)
                if layout.startswith("Linear"):  # then the file says -1: levels lie in a row
                    place = corner
                    across = layout == "LinearHorizontal"
                    corner = (corner[0] + width, 0.0) if across else (0.0, corner[1] + height)
                there.append(name)
                if wanted is None or name in wanted or (title and title in wanted):
                    box = (*place, place[0] + width, place[1] + height)
                    taken.append(Placed(name, title, fields.number(level, "worldDepth", 0.0), box, level))
    missing = [name for name in wanted or () if name not in there]
    if missing:
        raise ValueError(f"levels: there is no {missing[0]!r}; there are {', '.join(map(repr, there))}"[:300])
    _refuse_several(draft, taken)
    for one in taken:
        with naming(f"level {one.name!r}"):
            draft.boxes.append(one.box)
            for layer in fields.nodes(_whole_level(one.node, folder), "layerInstances"):
                _layer(draft, layer, one.name, one.box[:2], names, roles)


class Placed(NamedTuple):
    """A level that is read: its name, its world and depth there, its box, and its node."""

    name: str
    world: str
    depth: float
    box: tuple[float, float, float, float]
    node: Node


def _refuse_old(project: Node) -> None:
    """Refuse a file that is older than what is read here, whose cells stand otherwise."""
    version = fields.text(project, "jsonVersion")
    found = re.match(r"(\d{1,6})\.(\d{1,6})", version)
    if found is not None and (int(found[1]), int(found[2])) < (0, 8):
        raise ValueError(f"jsonVersion = {version[:20]!r}: save the project with LDtk 0.8 or later")


def _refuse_several(draft: Draft, taken: list[Placed]) -> None:
    """Refuse levels of several worlds, which have coordinates of their own; warn of those of other depths beneath."""
    worlds = list(dict.fromkeys(one.world for one in taken))
    if len(worlds) > 1:
        raise ValueError(
            f"levels of {len(worlds)} worlds, {', '.join(map(repr, worlds))}, would lie over each other, as each has "
            "coordinates of its own; levels= names a world, or levels of one"[:300]
        )
    if len({one.depth for one in taken}) > 1:
        for k, one in enumerate(taken):
            for other in taken[:k]:
                over = all(one.box[j] < other.box[2 + j] and other.box[j] < one.box[2 + j] for j in range(2))
                if over and one.depth != other.depth:
                    warnings.warn(
                        f"{draft.where}: the levels {other.name!r} and {one.name!r} lie over each other, at the depths "
                        f"{other.depth:g} and {one.depth:g}; levels= chooses",
                        stacklevel=4,
                    )
                    return


def _whole_level(level: Node, folder: Path) -> Node:
    """Return a level with its layers, from its own file if they stand there."""
    source = fields.text(level, "externalRelPath")
    if level.get("layerInstances") is not None:
        return level
    if not source:
        raise ValueError("layerInstances is missing, and externalRelPath names no file")
    whole = tiled_file.load_named(folder, source)
    if not isinstance(whole.get("layerInstances"), list):
        raise ValueError(f"{source}: layerInstances is missing")
    return whole


def _value_names(project: Node) -> dict[tuple[int, int], str]:
    """Return the names of IntGrid values, by layer definition and value."""
    names = {}
    definitions = project["defs"]
    if not isinstance(definitions, dict):
        raise ValueError("defs must be an object")
    for layer in fields.nodes(definitions, "layers"):
        number = fields.whole(layer, "uid", -fields.MOST_CELLS)
        with naming(f"layer {fields.text(layer, 'identifier')!r}"):
            for value in fields.nodes(layer, "intGridValues"):
                names[number, fields.whole(value, "value", 0)] = fields.text(value, "identifier")
    return names


def _layer(
    draft: Draft, layer: Node, level: str, place: Point2, names: dict[tuple[int, int], str], roles: Roles
) -> None:
    name = fields.text(layer, "__identifier")
    with naming(f"layer {name!r}"):
        shift = fields.place(layer, "__pxTotalOffsetX", 0.0), fields.place(layer, "__pxTotalOffsetY", 0.0)
        corner = place[0] + shift[0], place[1] + shift[1]
        if roles.named(name) == Role(IGNORE):
            return
        for entity in fields.nodes(layer, "entityInstances"):
            with naming(f"entity {entity.get('iid') or entity.get('__identifier')!r}"):
                _entity(draft, entity, f"{level}/{name}", corner, roles.named(name), roles)
        if fields.text(layer, "__type") == "IntGrid":
            _int_grid(draft, layer, f"{level}/{name}", corner, names, roles)


def _entity(draft: Draft, entity: Node, layer: str, corner: Point2, usual: Role | None, roles: Roles) -> None:
    name = fields.text(entity, "__identifier")
    values = {}
    for one in fields.nodes(entity, "fieldInstances"):
        values[fields.text(one, "__identifier")] = one.get("__value")
    (x, y), (pivot_x, pivot_y) = _pair(entity, "px"), _pair(entity, "__pivot", (0.0, 0.0))
    width, height = fields.size(entity, "width", 0.0), fields.size(entity, "height", 0.0)
    form = rectangle(corner[0] + x - pivot_x * width, corner[1] + y - pivot_y * height, width, height)
    tags = entity.get("__tags") or []
    if not isinstance(tags, list):
        raise ValueError(f"__tags = {str(tags)[:60]} must be a list")
    role = roles.of(values, name, *(tag for tag in tags if isinstance(tag, str))) or usual or Role(TRIGGER)
    number = entity["iid"] if isinstance(entity.get("iid"), str) else None
    use = Use(form, role, name, name, {"iid": entity.get("iid"), **values}, number)
    draft.add(use, f"layer {layer!r}: entity {entity.get('iid') or name!r}", layer)


def _pair(node: Node, key: str, default: Point2 | None = None) -> Point2:
    value = node.get(key, default)
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f"{key} = {str(value)[:60]} must be two numbers")
    named = {f"{key}[0]": value[0], f"{key}[1]": value[1]}
    x, y = (fields.number(named, name) for name in named)
    return x, y


def _int_grid(
    draft: Draft, node: Node, layer: str, corner: Point2, names: dict[tuple[int, int], str], roles: Roles
) -> None:
    """Take the cells of an IntGrid, value by value: solid unless their name, value or layer says otherwise."""
    width, height = fields.whole(node, "__cWid", 0), fields.whole(node, "__cHei", 0)
    cell = fields.cell(node, "__gridSize")
    if "intGridCsv" not in node:
        raise ValueError("intGridCsv is missing; save the project with LDtk 0.8 or later")
    with naming("intGridCsv"):
        values = tiled_file.tile_ids(node["intGridCsv"], "csv", "", width, height)
    definition = fields.whole(node, "layerDefUid", -fields.MOST_CELLS, 0)
    for value in np.unique(values[values > 0]).tolist():
        row, column = np.nonzero(values == value)
        name = names.get((definition, value), "")
        role = roles.named(name, value, fields.text(node, "__identifier")) or Role(SOLID)
        cells = Cells(column, row, np.full(row.size, WHOLE))
        draft.add_cells(cells, role, corner, Lattice((cell, cell)), name or str(value), layer)
