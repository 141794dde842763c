"""Worlds of Tiled: several maps, each at its place.

In: a .world file as a dictionary. Out: what its maps hold, in one `Draft`; flush tiles of neighbouring maps are merged
like those of one. World pixels, y pointing down.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import NamedTuple

from carom.maps import fields, tiled_file
from carom.maps.building import Draft
from carom.maps.fields import naming
from carom.maps.roles import Roles
from carom.maps.tiled import Tiled
from carom.maps.tiled_file import Node
from carom.maps.world_names import find_numbers


class Placed(NamedTuple):
    """A map of a world."""

    told: str
    """Where the world tells of it."""
    source: str
    x: float
    y: float


def read_world(draft: Draft, node: Node, folder: Path, roles: Roles) -> str:
    """Take the maps of a world; return the name of a layer with pictures only, as `Tiled.pictures` has it.

    Raises
    ------
    ValueError
        No world, or a map of it that is none. The text has no caller's name.
    """
    if not any(isinstance(node.get(key), list) for key in ("maps", "patterns")) or node.get("type", "world") != "world":
        raise ValueError("it holds no world of Tiled: the JSON has no list of maps")
    placed: list[Placed] = []
    idle: list[str] = []
    for number, one in enumerate(fields.nodes(node, "maps")):
        place = f"maps[{number}]"
        with naming(place):
            source = fields.text(one, "fileName")
            if not source:
                raise ValueError("fileName is missing")
            placed.append(Placed(place, source, fields.place(one, "x", 0.0), fields.place(one, "y", 0.0)))
    for number, one in enumerate(fields.nodes(node, "patterns")):
        place, known = f"patterns[{number}]", {one.source for one in placed}
        with naming(place):
            found = _placed_by(place, one, folder)
            idle += [] if found else [place]
            placed += [one for one in found if one.source not in known]
    if not placed:
        raise ValueError("it has no maps: the list is empty, and no pattern fits a file beside it")
    if idle:
        warnings.warn(f"{draft.where}: {', '.join(idle)}: no file beside the world fits the regexp", stacklevel=3)
    pictures = ""
    for place, source, x, y in placed:
        with naming(place), naming(source):
            reader = Tiled(draft, tiled_file.load_named(folder, source), (folder / source).parent, roles)
            reader.read((x, y))
        pictures = pictures or reader.pictures
    draft.height = 0.0  # the maps may lie anywhere, so that they are mirrored at y = 0
    return pictures


def _placed_by(place: str, node: Node, folder: Path) -> list[Placed]:
    """Return the files beside a world whose names fit a pattern, each with its place."""
    size_x, size_y = fields.place(node, "multiplierX", 1.0), fields.place(node, "multiplierY", 1.0)
    if size_x == 0.0 or size_y == 0.0:
        raise ValueError("multiplierX and multiplierY must not be 0: all maps would lie in one place")
    left, top = fields.place(node, "offsetX", 0.0), fields.place(node, "offsetY", 0.0)
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    with naming("regexp"):
        found = find_numbers(fields.text(node, "regexp"), names)
    placed = []
    for name, column, row in found:
        with naming(name):
            at = {"x": column * size_x + left, "y": row * size_y + top}
            placed.append(Placed(place, name, fields.place(at, "x"), fields.place(at, "y")))
    return placed
