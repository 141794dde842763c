"""How words are set: a typeface of our own whose every glyph is a few round strokes, and lines of it on a surface.

In: a line of text, the size, colour and weight. Out: a surface with the line, its width in pixels. The strokes stand
in `glyphs.txt`, on a grid where the baseline is y = 0, capitals reach y = 1 and y points up. A size is the height of a
capital in output pixels; a weight is the stroke's width over that height. Text is drawn from distances, so the same
outlines serve a label of nine pixels and a title of two hundred. A letter with accents is its plain letter and marks
of `marks.txt`; a letter that neither table has, such as a Greek one, comes from the typeface of Carom's pictures.
"""

from __future__ import annotations

import contextlib
from functools import lru_cache
from importlib import resources
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
import pygame

from carom import draw
from carom_breakout.art.ink import Color, Mask, Path, cover, stroke_distance, surface
from carom_breakout.art.strokes import Stroke, read_strokes

LIGHT, REGULAR, BOLD = 0.09, 0.13, 0.185
DESCENT = 0.34
ASCENT = 1.36  # room for accents on capitals
SPACE = 0.36
BEARINGS = {"straight": 0.115, "round": 0.085, "open": 0.04}  # room left and right of strokes of that kind


class Glyph(NamedTuple):
    """One letter: the room to its left and right, in capital heights, and its strokes."""

    left: float
    right: float
    strokes: list[Stroke]


def read_glyphs(table: str) -> dict[str, Glyph]:
    """Read a table of glyphs: a line for each, of the character, the kinds of its sides and its strokes."""
    glyphs: dict[str, Glyph] = {}
    for line in table.splitlines():
        character, left, right, strokes = line.split(maxsplit=3)
        glyphs[character] = Glyph(BEARINGS[left], BEARINGS[right], read_strokes(strokes))
    return glyphs


GLYPHS = read_glyphs(resources.files("carom_breakout.art").joinpath("glyphs.txt").read_text(encoding="utf-8"))
FIGURE_WIDTH = 0.58
TYPEFACE_HEIGHT = 1.372  # of DejaVu Sans, over its capitals


def read_marks(table: str) -> dict[str, list[Stroke]]:
    """Read a table of marks: a line for each, of the combining character in hexadecimal and its strokes.

    Their x counts from the middle of the letter, their y from its top, or, below 0, from the baseline.
    """
    parts = (line.split(maxsplit=1) for line in table.splitlines())
    return {chr(int(code, 16)): read_strokes(strokes) for code, strokes in parts}


MARKS = read_marks(resources.files("carom_breakout.art").joinpath("marks.txt").read_text(encoding="utf-8"))
DOTLESS = {"i": "ı", "j": "ȷ"}
ASIDE = "dtlL"  # a caron stands beside these as an apostrophe
CARON, OGONEK = "\u030c", "\u0328"


@lru_cache(maxsize=1024)
def strokes_of(character: str) -> Glyph | None:
    """Return the glyph of a character, its accents put on; None where the tables have no strokes for it."""
    if character in GLYPHS:
        return GLYPHS[character]
    base, *marks = [*normalize("NFD", character)]
    if base not in GLYPHS or not marks or not MARKS.keys() >= {*marks}:
        return None
    above = any(MARKS[mark][0][0][1] > 0.03 for mark in marks)
    left, right, strokes = GLYPHS[DOTLESS.get(base, base) if above else base]
    across = [x for path in strokes for x, _ in path]
    middle, top = (min(across) + max(across)) / 2, max(y for path in strokes for _, y in path)
    found = [*strokes]
    for mark in marks:
        if mark == CARON and base in ASIDE:
            edge = max(across) + 0.14 if base != "L" else max(across) - 0.12
            found.append([(edge + 0.03, 1.02), (edge - 0.03, 0.8)])
            continue
        drawn = MARKS[mark]
        below = drawn[0][0][1] <= 0.03
        x = max(across) - 0.1 if mark == OGONEK else middle
        found += [[(x + dx, dy if below else top + dy) for dx, dy in path] for path in drawn]
        top += 0.0 if below else 0.2
    return Glyph(left, right, found)


def typeface(words: str, size: float, weight: float) -> pygame.Surface:
    """Return words in the typeface of Carom's pictures, its capitals as high as a size."""
    return draw.written(words, size * TYPEFACE_HEIGHT, "#FFFFFF", weight >= BOLD)


@lru_cache(maxsize=256)
def typeface_width(character: str, weight: float) -> float:
    """Return the advance of a character of that typeface, less a stroke, in capital heights."""
    return typeface(character, 100.0, weight).get_width() / 100.0 - weight


def extent(character: str, weight: float) -> tuple[float, float]:
    """The left edge of a glyph's strokes and the advance to the next glyph, both in capital heights."""
    if character == " ":
        return 0.0, SPACE
    found = strokes_of(character)
    if found is None:
        return 0.0, typeface_width(character, weight)
    left, right, strokes = found
    if character.isdigit():
        return 0.0, left + FIGURE_WIDTH + right
    across = [x for path in strokes for x, _ in path]
    low, high = min(0.0, *across), max(0.0, *across)
    return low, left + (high - low) + right


def advance(text: str, size: float, weight: float = REGULAR, tracking: float = 0.0) -> float:
    """Width in pixels of one line of text."""
    widths = [extent(character, weight)[1] + weight + tracking for character in text]
    return size * (sum(widths) - (tracking if widths else 0.0))


@lru_cache(maxsize=4096)
def glyph(character: str, size: float, weight: float, shift: float) -> Mask:
    """Coverage of one glyph in a cell that reaches from ASCENT to DESCENT, `shift` of a pixel to the right."""
    found = strokes_of(character)
    low, step = extent(character, weight)
    half = max(size * weight / 2, 0.5)
    baseline = round(size * ASCENT) + half
    across = int(size * (step + weight) + shift) + 2
    down = round(baseline + size * DESCENT + half)
    if found is None:
        return _from_typeface(character, size, weight, (across, down), baseline)
    left, _, strokes = found
    start = shift + size * (left + weight / 2 - low)
    paths: list[Path] = [[(start + x * size, baseline - y * size) for x, y in path] for path in strokes if path]
    return cover(stroke_distance((across, down), paths, half + 1) - half)


def _from_typeface(character: str, size: float, weight: float, room: tuple[int, int], baseline: float) -> Mask:
    """Coverage of a glyph of that typeface in a cell of so many pixels, at its baseline."""
    cell = pygame.Surface(room, pygame.SRCALPHA, 32)
    with contextlib.suppress(pygame.error):  # a character without a width
        foot = typeface("H", size, weight).get_bounding_rect().bottom
        cell.blit(typeface(character, size, weight), (0, round(baseline) - foot))
    mask: Mask = pygame.surfarray.array_alpha(cell).T / 255.0
    return mask


@lru_cache(maxsize=512)
def text(words: str, size: float, color: Color, weight: float = REGULAR, tracking: float = 0.0) -> pygame.Surface:
    """Set one line of text on a transparent surface, just as wide as `advance` says."""
    across = int(advance(words, size, weight, tracking)) + 2
    down = glyph("x", size, weight, 0.0).shape[0]
    mask = np.zeros((down, across))
    pen = 0.0
    for character in words:
        step = size * (extent(character, weight)[1] + weight + tracking)
        if character != " ":
            whole = int(pen)
            cell = glyph(character, size, weight, int((pen - whole) * 4) / 4)
            room = mask[:, whole : whole + cell.shape[1]]
            np.maximum(room, cell[:, : room.shape[1]], out=room)
        pen += step
    return surface(color, mask)


def put(
    target: pygame.Surface,
    words: str,
    at: tuple[float, float],
    size: float,
    color: Color,
    *,
    weight: float = REGULAR,
    tracking: float = 0.0,
    anchor: float = 0.0,
    alpha: float = 255,
) -> pygame.Rect:
    """Draw one line of text with its baseline at `at` and return the rectangle from capital height to baseline.

    Parameters
    ----------
    target : the surface to draw on.
    words : the line of text.
    at : x in pixels of the anchor, y of the baseline.
    size : height of a capital in pixels.
    color : red, green, blue from 0 to 255.
    weight : width of a stroke over the size.
    tracking : extra room between glyphs over the size.
    anchor : 0 sets the text right of x, 0.5 centres it, 1 ends it there.
    alpha : opacity from 0 to 255.
    """
    size = float(round(size * 2) / 2)
    picture = text(words, size, color, weight, tracking)
    width = advance(words, size, weight, tracking)
    left = at[0] - width * anchor
    half = max(size * weight / 2, 0.5)
    top = at[1] - round(size * ASCENT) - half
    picture.set_alpha(round(alpha))
    target.blit(picture, (round(left), round(top)))
    return pygame.Rect(round(left), round(at[1] - size), round(width), round(size))
