"""Maps of ROS's map_server: a YAML file that names a picture, and says what its grey values mean.

In: the file. Out: a `Level` in the frame of the map: metres times the user's scale, y up, the lower left corner of the
picture at the origin that the file gives, turned by its yaw. YAML is read by its safe loader, without aliases, which
may multiply; the picture must lie in the folder of the file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.missing import need
from carom._core.types import Booleans
from carom.maps import fields
from carom.maps.building import Draft
from carom.maps.fields import naming
from carom.maps.level import Level
from carom.maps.pictures import open_picture, take
from carom.maps.roles import IGNORE, SOLID, Roles
from carom.maps.turned import turned

MOST_BYTES = 2**20
"""Of a YAML file; usual ones have 200."""
MODES = ("trinary", "scale", "raw")
RAW_OCCUPIED = 100
"""In mode raw; grey values above are unknown."""


def read_ros(where: str, path: Path, scale: float, roles: Roles) -> Level:
    """Return the level of a map; `where` is the function that was called, and the file.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It, or its picture, is no map.
    """
    need("read_map of a YAML file", "yaml", "PIL", extra="maps")
    with naming(where):
        node = _load(path)
        resolution = _number(node, "resolution", None)
        if not resolution > 0.0:
            raise ValueError(f"resolution = {resolution!r} must be positive")
        x, y, yaw = _origin(node)
        picture = _picture_path(path.parent, node.get("image"))
        draft = Draft(where, resolution * scale, "resolution * scale", True)
        with naming(f"image {node['image']!r}"):
            try:
                image = open_picture("read_map", picture)
            except OSError as error:
                raise ValueError(f"{picture} cannot be read: {error.strerror}") from None
        occupied, free = _kinds(node, np.asarray(image), image.mode.endswith("A"))
        unknown = ~(occupied | free)
        kinds = [("occupied", SOLID, occupied), ("free", IGNORE, free), ("unknown", IGNORE, unknown)]
        take(draft, roles, occupied.shape, kinds)
    level = draft.finish()
    with naming(f"{where}: origin"):
        return turned(level, yaw, (x * scale, y * scale))


def _load(path: Path) -> Mapping[str, Any]:
    """Return what a YAML file holds."""
    import yaml

    with path.open("rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES} bytes; the YAML of a map is short")
    try:
        aliases = any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(raw, yaml.SafeLoader))
        node = None if aliases else yaml.safe_load(raw)
    # The loader lets through what Python's own conversions raise.
    except (
        yaml.YAMLError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        text = " ".join(str(error).split())[:200]
        raise ValueError(f"the YAML cannot be read: {text}") from None
    if aliases:
        raise ValueError("it has aliases; the YAML of a map needs none")
    if not isinstance(node, dict) or "image" not in node:
        raise ValueError("it is no map of ROS: it must be a mapping with image, resolution and origin")
    return node


def _number(node: Mapping[str, Any], key: str, default: float | None) -> float:
    """Return a number; also one like 5e-2, which YAML takes for text."""
    value = node.get(key)
    if isinstance(value, str):
        with suppress(ValueError):
            value = float(value)
    return fields.number({key: value}, key, default)


def _origin(node: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return x, y and yaw of the lower left corner."""
    value = node.get("origin")
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise ValueError(f"origin = {inputs.short(value)} must be a list of x, y and yaw")
    named = {f"origin[{k}]": number for k, number in enumerate([*value, 0.0][:3])}
    x, y, yaw = (_number(named, key, None) for key in named)
    if not abs(yaw) <= 2.0 * math.pi:
        raise ValueError(f"origin[2] = {yaw!r} must be a yaw in radians, at most 2 pi in magnitude")
    return x, y, yaw


def _picture_path(folder: Path, name: Any) -> Path:
    """Return the path of the picture, which may not lead out of the folder, by links either."""
    if not isinstance(name, str) or not name:
        raise ValueError(f"image = {inputs.short(name)} must be a file's name")
    home = folder.resolve()
    try:
        path = (home / name).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise ValueError(f"image = {inputs.short(name)} must be a file's name: {error}") from None
    if not path.is_relative_to(home):
        raise ValueError(f"image = {inputs.short(name)} must lie in the folder of the map")
    return path


def _kinds(node: Mapping[str, Any], pixels: Any, has_alpha: bool) -> tuple[Booleans, Booleans]:
    """Return which pixels are occupied and which are free; the rest is unknown."""
    mode = str(node.get("mode", "trinary")).lower()
    if mode not in MODES:
        raise ValueError(f"mode = {inputs.short(node['mode'])} must be one of {', '.join(MODES)}")
    negate = node.get("negate", 0)
    if negate not in (0, 1):
        raise ValueError(f"negate = {inputs.short(negate)} must be 0 or 1")
    upper, lower = _number(node, "occupied_thresh", 0.65), _number(node, "free_thresh", 0.196)
    if not 0.0 <= lower < upper <= 1.0:
        raise ValueError(f"free_thresh = {lower!r} must be less than occupied_thresh = {upper!r}, both from 0 to 1")
    # As map_server has it: in mode trinary the mean takes in alpha, in others a pixel is unknown unless opaque.
    opaque = pixels[:, :, -1] == 255 if has_alpha and mode == "scale" else None
    colours = pixels[:, :, :-1] if has_alpha and mode != "trinary" else pixels
    shade = colours if colours.ndim == 2 else colours.mean(axis=2, dtype=np.float32)
    values = np.arange(256.0) if shade.dtype == np.uint8 else shade
    values = 255.0 - values if negate else values
    if mode == "raw":
        occupied, free = values == RAW_OCCUPIED, values < RAW_OCCUPIED
    else:
        chance = (255.0 - values) / 255.0
        occupied = chance > upper
        free = (chance < lower) if mode == "trinary" else ~occupied
    if shade.dtype == np.uint8:  # the answers of the 256 grey values
        occupied, free = occupied[shade], free[shade]
    if opaque is not None:
        free = free & (opaque | (chance < lower))
    return occupied, free
