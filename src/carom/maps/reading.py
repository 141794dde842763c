"""Maps by their file's ending: Tiled's, LDtk's, text, pictures, those of ROS and movingai.

In: a path. Out: a `Level`. A file that cannot be read is refused with its name, the layer and the object.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Never

from carom._core import inputs
from carom._core.names import refuse_keywords, told_by_name
from carom.maps import tiled_file
from carom.maps.building import Draft
from carom.maps.fields import naming
from carom.maps.ldtk import read_ldtk
from carom.maps.level import Level
from carom.maps.pictures import read_movingai, read_picture
from carom.maps.roles import Roles
from carom.maps.ros import read_ros
from carom.maps.text import draw, meanings
from carom.maps.tiled import Tiled
from carom.maps.tiled_world import read_world

ENDINGS = (".tmx", ".tmj", ".json", ".world", ".ldtk", ".txt", ".yaml", ".yml", ".png", ".pgm", ".map")
OF_CELLS = {".png": read_picture, ".pgm": read_picture, ".map": read_movingai}


@told_by_name
def read_map(
    path: str | os.PathLike[str],
    *,
    scale: float = 1.0,
    y_up: bool = False,
    roles: Mapping[str | int, str] | None = None,
    levels: str | Iterable[str] | None = None,
    **unknown: Never,
) -> Level:
    r"""Return the level in a map file.

    Maps of Tiled (.tmx, .tmj, .world), LDtk (.ldtk) and movingai (.map), text (.txt), pictures (.png, .pgm), and maps
    of ROS (.yaml).

    Parameters
    ----------
    path : str or path
    scale : float, positive
        User's units for a pixel of the map; of a text file or movingai for a cell; of ROS for a metre.
    y_up : bool
        Let y point up: the lower edge of the map lies on y = 0. LDtk's levels, worlds and infinite maps, which lie
        anywhere, are mirrored at y = 0. Maps of ROS have a frame of their own, y up in either case.
    roles : mapping, optional
        Meanings of classes, layers, and names or numbers of IntGrid values: "solid", "one_way" (or "one_way_up",
        "_down", "_left", "_right"), "trigger" or "ignore". These words themselves, as a class, as the name of a layer
        or as a custom property, need no entry. Of a text file the legend of `read_grid`. Of a picture the meanings of
        "dark" and "light" pixels, of ROS of "occupied", "free" and "unknown" ones, of movingai of letters.
    levels : str or several, optional
        LDtk: the levels to read, or the world of which all are; all of them if not given, unless the file has several
        worlds, each of which has coordinates of its own.

    Returns
    -------
    Level
        `solids`, `outlines`, `one_way`, `triggers`, `bounds`, `add_to(world)`.

    Raises
    ------
    OSError
        The file cannot be read.
    TypeError, ValueError : with the file, the layer and the object at fault, or the argument.

    Notes
    -----
    A map of Tiled in which nothing is solid, though it has tiles, gives a warning.

    Isometric, staggered and hexagonal maps lie where Tiled draws them, in pixels of the picture.

    Without roles: collision shapes of tiles are solid, tiles without are pictures; objects and entities are triggers;
    IntGrid values are solid; so are dark pixels, occupied ones, and the letters @, O, T and W.

    Pictures and maps of ROS need Pillow and PyYAML, of the extra `maps`.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("cave.txt").write_text("#..@#\n#####\n")
    >>> level = cm.read_map("cave.txt", scale=16, roles={"@": "start"})
    >>> level.named("start")[0].shape
    Box((56.0, 8.0), (16.0, 16.0))
    """
    where = "read_map"
    if unknown:
        refuse_keywords(where, read_map, unknown)
    if not isinstance(path, (str, os.PathLike)):
        inputs.refuse(TypeError, where, "path", path, f"must be a path, not {type(path).__name__}")
    file = Path(path)
    size = inputs.size(where, "scale", scale)
    up = inputs.truth(where, "y_up", y_up)
    wanted = _names(where, levels)
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        inputs.refuse(ValueError, where, "path", str(file), f"must end with one of {', '.join(ENDINGS)}")
    draft = Draft(f"{where}: {file.name}", size, "scale", up)
    if ending == ".txt":
        _no_levels(where, wanted)
        legend = meanings(where, "roles", roles)
        with naming(draft.where):
            text = file.read_text(encoding="utf-8-sig")
        return draw(draft, text, legend)
    words = Roles(where, roles)
    if ending in (".yaml", ".yml", *OF_CELLS):
        _no_levels(where, wanted)
        if ending in OF_CELLS:
            with naming(draft.where):
                OF_CELLS[ending](draft, file, words)
            level = draft.finish()
        else:
            level = read_ros(draft.where, file, size, words)
        words.refuse_unfit()
        return level
    pictures = ""
    with naming(draft.where):
        node = tiled_file.load(file)
        if "defs" in node and "levels" in node:
            read_ldtk(draft, node, file.parent, words, wanted)
        elif ending == ".world":
            _no_levels("levels", wanted)
            pictures = read_world(draft, node, file.parent, words)
        else:
            _no_levels("levels", wanted)
            reader = Tiled(draft, node, file.parent, words)
            reader.read()
            pictures = reader.pictures
    words.refuse_unfit()
    level = draft.finish()
    if pictures and not len(level.solids) and not len(level.one_way.shapes):
        remedy = f"draw collision shapes in the tileset, or give a role, as in roles={{{pictures!r}: 'solid'}}"
        warnings.warn(f"{draft.where}: no tile has a collision shape, so nothing is solid; {remedy}", stacklevel=2)
    return level


def _names(where: str, levels: str | Iterable[str] | None) -> list[str] | None:
    """Return names of levels as a list, None for all."""
    if levels is None:
        return None
    names = [levels] if isinstance(levels, str) else inputs.listed(where, "levels", levels, "a name, or several")
    for row, name in enumerate(names):
        if not isinstance(name, str):
            inputs.refuse(TypeError, where, f"levels[{row}]", name, f"must be a name, not {type(name).__name__}")
    return names


def _no_levels(where: str, wanted: list[str] | None) -> None:
    if wanted is not None:
        raise ValueError(f"{where}: levels = {inputs.short(wanted)} is for maps of LDtk")
