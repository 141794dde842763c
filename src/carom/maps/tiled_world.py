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


def read_world(draft: Draft, node: Node, folder: Path, roles: Roles) -> str:
    """Take the maps of a world; return the name of a layer with pictures only, as `Tiled.pictures` has it.

    Raises
    ------
    ValueError
        No world, or a map of it that is none. The text has no caller's name.
    """
    if not isinstance(node.get("maps"), list) or node.get("type", "world") != "world":
        raise ValueError("it holds no world of Tiled: the JSON has no list of maps")
    if node.get("patterns"):
        raise ValueError("its maps are told by patterns of file names, which are not read here; list them one by one")
    pictures = ""
    for number, one in enumerate(fields.nodes(node, "maps")):
        with naming(f"maps[{number}]"):
            source = fields.text(one, "fileName")
            if not source:
                raise ValueError("fileName is missing")
            place = fields.place(one, "x", 0.0), fields.place(one, "y", 0.0)
            with naming(source):
                path = folder / source
                reader = Tiled(draft, tiled_file.load_named(folder, source), path.parent, roles)
                reader.read(place)
        pictures = pictures or reader.pictures
    draft.height = 0.0  # the maps may lie anywhere, so that they are mirrored at y = 0
    return pictures
