"""Maps whose cells are pixels or letters: pictures, and the grids of movingai.

In: a file; which kinds of cells are solid, by default or by the user's `roles`. Out: cells in a `Draft`, one unit wide,
the first row uppermost. Pillow decodes pictures; those of more pixels than its limit are refused before they are
decoded, since a small file may hold a picture that no memory does.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from carom._core.missing import need
from carom._core.types import Booleans
from carom.maps.building import Draft
from carom.maps.roles import IGNORE, SOLID, Role, Roles

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "PPM")
"""Pillow's names of the formats that are read; PPM is that of .pgm, too."""
DARK = 128
"""Grey values below are dark."""
LETTERS = {".": IGNORE, "G": IGNORE, "S": IGNORE, "@": SOLID, "O": SOLID, "T": SOLID, "W": SOLID}
"""The letters of movingai: ground, swamp, out of bounds, trees, and water that nobody enters from the ground."""


def take(draft: Draft, roles: Roles, shape: tuple[int, ...], kinds: Iterable[tuple[str, str, Booleans]]) -> None:
    """Take the cells of a map, kind by kind: its name, its role unless `roles` gives one, and where it is."""
    height, width = shape
    draft.boxes.append((0.0, 0.0, float(width), float(height)))
    draft.height = float(height)
    for name, usual, cells in kinds:
        draft.add_mask(cells, roles.named(name) or Role(usual), name)


def read_picture(draft: Draft, path: Path, roles: Roles) -> None:
    """Take a picture: dark pixels are solid."""
    pixels = grey(open_picture("read_map", path))
    dark = pixels < DARK
    take(draft, roles, pixels.shape, [("dark", SOLID, dark), ("light", IGNORE, ~dark)])


def open_picture(where: str, path: Path) -> Image.Image:
    """Return a picture, decoded, of the modes L, LA, RGB or RGBA.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is no picture of a known format, is broken, or has more pixels than Pillow's limit. The text has no name.
    """
    need(f"{where} of a picture", "PIL", extra="maps")
    from PIL import Image

    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            picture = Image.open(file, formats=FORMATS)
            picture.load()
        except (Image.DecompressionBombWarning, Image.DecompressionBombError):
            most = f"the limit is PIL.Image.MAX_IMAGE_PIXELS = {Image.MAX_IMAGE_PIXELS}"
            raise ValueError(f"the picture has too many pixels: {most}") from None
        except MemoryError:
            raise
        except Exception as error:  # the decoders let through whatever a damaged file makes them raise
            raise ValueError(f"it is no PNG or PGM, or a broken one: {error}") from None
        if picture.mode.startswith(("I", "F")):  # of 16 bits
            tall = np.asarray(picture).astype(np.float32) / 257.0
            return Image.fromarray(np.clip(tall, 0.0, 255.0).astype(np.uint8))
        if picture.mode in ("L", "LA", "RGB", "RGBA"):
            return picture
        with_alpha = "A" in picture.mode or "transparency" in picture.info
        return picture.convert("L" if picture.mode == "1" else "RGBA" if with_alpha else "RGB")


def grey(picture: Image.Image) -> NDArray[np.uint8]:
    """Return grey values (h, w), of transparent pixels as on white paper."""
    from PIL import Image

    if picture.mode in ("LA", "RGBA"):
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    values: NDArray[Any] = np.asarray(picture.convert("L"))
    return values


def read_movingai(draft: Draft, path: Path, roles: Roles) -> None:
    """Take the grid of a .map file of movingai: a header of type, height and width, then a letter for each cell.

    Raises
    ------
    ValueError
        Another header, other numbers of cells than it says, or a letter without a meaning. The text has no name.
    """
    lines = path.read_bytes().splitlines()
    header: dict[str, str] = {}
    for number, line in enumerate(lines[:4], 1):
        key, _, value = line.decode("latin-1").strip().partition(" ")
        if key not in ("type", "height", "width", "map") or key in header:
            raise ValueError(f"line {number} = {line[:40]!r} must be one of type octile, height, width and map")
        header[key] = value.strip()
    if set(header) != {"type", "height", "width", "map"} or [*header][3] != "map":
        raise ValueError("the header must be four lines: type octile, height, width, map")
    if header["type"] != "octile":
        raise ValueError(f"type = {header['type'][:40]!r} is not known here; only octile is")
    height, width = (_count(name, header[name]) for name in ("height", "width"))
    rows = lines[4:]
    while len(rows) > height and not rows[-1].strip():
        rows.pop()
    if len(rows) != height:
        raise ValueError(f"the map has {len(rows)} rows; the header says height {height}")
    for number, cells in enumerate(rows, 5):
        if len(cells) != width:
            raise ValueError(f"line {number} has {len(cells)} cells; the header says width {width}")
    letters = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(height, width)
    roles.meet(*LETTERS)
    there = [chr(code) for code in np.unique(letters).tolist()]
    for letter in there:
        if letter not in LETTERS and roles.named(letter) is None:
            row, column = (int(k[0]) for k in np.nonzero(letters == ord(letter)))
            place = f"line {row + 5}, column {column + 1}"
            raise ValueError(f"{place} has {letter!r}, which has no meaning; give it one in roles")
    kinds = ((letter, LETTERS.get(letter, IGNORE), letters == ord(letter)) for letter in there)
    take(draft, roles, letters.shape, kinds)


def _count(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{name} = {text[:40]!r} must be a whole number")
    return int(text)
