"""Worlds of Tiled: several maps, each at its place.

In: a .world file as a dictionary. Out: what its maps hold, in one `Draft`; flush tiles of neighbouring maps are merged
like those of one. World pixels, y pointing down.
"""

from __future__ import annotations

from pathlib import Path

from carom.maps import fields, tiled_file
from carom.maps.building import Draft
from carom.maps.fields import naming
from carom.maps.roles import Roles
from carom.maps.tiled import Tiled
from carom.maps.tiled_file import Node
from carom.maps.world_names import find_numbers


def read_world(draft: Draft, node: Node, folder: Path, roles: Roles) -> str:
    """Take the maps of a world; return the name of a layer with pictures only, as `Tiled.pictures` has it.

    Raises
    ------
    ValueError
        No world, or a map of it that is none. The text has no caller's name.
    """
    if not any(isinstance(node.get(key), list) for key in ("maps", "patterns")) or node.get("type", "world") != "world":
        raise ValueError("it holds no world of Tiled: the JSON has no list of maps")
    places: dict[str, tuple[str, float, float]] = {}
    for number, one in enumerate(fields.nodes(node, "maps")):
        with naming(f"maps[{number}]"):
            source = fields.text(one, "fileName")
            if not source:
                raise ValueError("fileName is missing")
            place = fields.place(one, "x", 0.0), fields.place(one, "y", 0.0)
            places.setdefault(source, (f"maps[{number}]: {source}", *place))
    for number, one in enumerate(fields.nodes(node, "patterns")):
        with naming(f"patterns[{number}]"):
            for source, x, y in _placed_by(one, folder):
                places.setdefault(source, (f"patterns[{number}]: {source}", x, y))
    pictures = ""
    for source, (named, x, y) in places.items():
        with naming(named):
            reader = Tiled(draft, tiled_file.load_named(folder, source), (folder / source).parent, roles)
            reader.read((x, y))
        pictures = pictures or reader.pictures
    draft.height = 0.0  # the maps may lie anywhere, so that they are mirrored at y = 0
    return pictures


def _placed_by(node: Node, folder: Path) -> list[tuple[str, float, float]]:
    """Return the files beside a world whose names fit a pattern, each with its place."""
    size_x, size_y = fields.place(node, "multiplierX", 1.0), fields.place(node, "multiplierY", 1.0)
    if size_x == 0.0 or size_y == 0.0:
        raise ValueError("multiplierX and multiplierY must not be 0: all maps would lie in one place")
    left, top = fields.place(node, "offsetX", 0.0), fields.place(node, "offsetY", 0.0)
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    with naming("regexp"):
        found = find_numbers(fields.text(node, "regexp"), names)
    placed = [(name, column * size_x + left, row * size_y + top) for name, column, row in found]
    for name, x, y in placed:
        with naming(name):
            fields.place({"x": x}, "x")
            fields.place({"y": y}, "y")
    return placed
