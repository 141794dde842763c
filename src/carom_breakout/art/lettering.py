"""How words are set: a typeface of our own whose every glyph is a few round strokes, and lines of it on a surface.

In: a line of text, the size, colour and weight. Out: a surface with the line, its width in pixels. The strokes stand
in `glyphs.txt`, on a grid where the baseline is y = 0, capitals reach y = 1 and y points up. A size is the height of a
capital in output pixels; a weight is the stroke's width over that height. Text is drawn from distances, so the same
outlines serve a label of nine pixels and a title of two hundred.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import pygame

from carom_breakout.art.ink import Color, Mask, Path, cover, stroke_distance, surface
from carom_breakout.art.strokes import Stroke, read_strokes

LIGHT, REGULAR, BOLD = 0.09, 0.13, 0.185
DESCENT = 0.34
ASCENT = 1.1
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
UNKNOWN = Glyph(BEARINGS["straight"], BEARINGS["straight"], read_strokes("0 0 0.5 0 0.5 1 0 1 0 0"))
FIGURE_WIDTH = 0.58


def extent(character: str) -> tuple[float, float]:
    """The left edge of a glyph's strokes and the advance to the next glyph, both in capital heights."""
    if character == " ":
        return 0.0, SPACE
    left, right, strokes = GLYPHS.get(character, UNKNOWN)
    if character.isdigit():
        return 0.0, left + FIGURE_WIDTH + right
    across = [x for path in strokes for x, _ in path]
    low, high = min(0.0, *across), max(0.0, *across)
    return low, left + (high - low) + right


def advance(text: str, size: float, weight: float = REGULAR, tracking: float = 0.0) -> float:
    """Width in pixels of one line of text."""
    widths = [extent(character)[1] + weight + tracking for character in text]
    return size * (sum(widths) - (tracking if widths else 0.0))


@lru_cache(maxsize=4096)
def glyph(character: str, size: float, weight: float, shift: float) -> Mask:
    """Coverage of one glyph in a cell that reaches from ASCENT to DESCENT, `shift` of a pixel to the right."""
    left, _, strokes = GLYPHS.get(character, UNKNOWN)
    low, step = extent(character)
    half = max(size * weight / 2, 0.5)
    start = shift + size * (left + weight / 2 - low)
    baseline = round(size * ASCENT) + half
    across = int(size * (step + weight) + shift) + 2
    down = round(baseline + size * DESCENT + half)
    paths: list[Path] = [[(start + x * size, baseline - y * size) for x, y in path] for path in strokes if path]
    return cover(stroke_distance((across, down), paths, half + 1) - half)


@lru_cache(maxsize=512)
def text(words: str, size: float, color: Color, weight: float = REGULAR, tracking: float = 0.0) -> pygame.Surface:
    """Set one line of text on a transparent surface, just as wide as `advance` says."""
    across = int(advance(words, size, weight, tracking)) + 2
    down = glyph("x", size, weight, 0.0).shape[0]
    mask = np.zeros((down, across))
    pen = 0.0
    for character in words:
        step = size * (extent(character)[1] + weight + tracking)
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
