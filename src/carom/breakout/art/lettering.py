"""How words are set: a typeface of our own whose every glyph is a few round strokes, and lines of it on a surface.

Glyphs are polylines on a grid where the baseline is y = 0, capitals reach y = 1 and y points up. A size is the height
of a capital in output pixels; a weight is the stroke's width over that height. Text is drawn from distances, so the
same outlines serve a label of nine pixels and a title of two hundred.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import numpy as np
import pygame

from carom.breakout.art.ink import Color, Mask, Path, cover, stroke_distance, surface

LIGHT, REGULAR, BOLD = 0.09, 0.13, 0.185
DESCENT = 0.34
ASCENT = 1.1
STRAIGHT, ROUND, OPEN = 0.115, 0.085, 0.04
SPACE = 0.36


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> list[tuple[float, float]]:
    """Points of an ellipse's arc around (x, y), from one angle to another in degrees."""
    steps = max(3, round(abs(end - start) / 15))
    angles = [(start + (end - start) * i / steps) * pi / 180 for i in range(steps + 1)]
    return [(x + rx * cos(a), y + ry * sin(a)) for a in angles]


def line(*numbers: float) -> list[tuple[float, float]]:
    """Points of a polyline, given as x, y, x, y, ..."""
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def turned(paths: list[list[tuple[float, float]]], width: float) -> list[list[tuple[float, float]]]:
    """The same strokes turned upside down inside a cell of this width and the height of a capital."""
    return [[(width - x, 1 - y) for x, y in path] for path in paths]


BOWL = arc(0.3, 0.35, 0.3, 0.35, 0, 360)
SIX = [arc(0.29, 0.31, 0.29, 0.31, 0, 360), arc(0.66, 0.31, 0.66, 0.72, 180, 113)]
CURL = [*arc(0.27, 0.745, 0.25, 0.255, 150, -90)]
BELLY = [*arc(0.27, 0.255, 0.29, 0.265, 90, -155)]

# fmt: off
# character: (bearing on the left, bearing on the right, strokes)
GLYPHS: dict[str, tuple[float, float, list[list[tuple[float, float]]]]] = {
    "A": (OPEN, OPEN, [line(0, 0, 0.38, 1, 0.76, 0), line(0.125, 0.33, 0.635, 0.33)]),
    "B": (STRAIGHT, ROUND, [[*line(0, 0.53, 0, 1, 0.3, 1), *arc(0.3, 0.765, 0.22, 0.235, 90, -90), (0, 0.53)],
                            [(0, 0.53), *arc(0.32, 0.265, 0.25, 0.265, 90, -90), (0, 0), (0, 0.53)]]),
    "C": (ROUND, OPEN, [arc(0.45, 0.5, 0.45, 0.5, 48, 312)]),
    "D": (STRAIGHT, ROUND, [[*line(0, 0, 0, 1, 0.26, 1), *arc(0.26, 0.5, 0.44, 0.5, 90, -90), (0, 0)]]),
    "E": (STRAIGHT, OPEN, [line(0.5, 1, 0, 1, 0, 0, 0.5, 0), line(0, 0.52, 0.44, 0.52)]),
    "F": (STRAIGHT, OPEN, [line(0.48, 1, 0, 1, 0, 0), line(0, 0.5, 0.42, 0.5)]),
    "G": (ROUND, ROUND, [[*arc(0.45, 0.5, 0.45, 0.5, 48, 360), (0.52, 0.5)]]),
    "H": (STRAIGHT, STRAIGHT, [line(0, 0, 0, 1), line(0.64, 0, 0.64, 1), line(0, 0.52, 0.64, 0.52)]),
    "I": (STRAIGHT, STRAIGHT, [line(0, 0, 0, 1)]),
    "J": (OPEN, STRAIGHT, [[(0.42, 1), *arc(0.21, 0.24, 0.21, 0.24, 0, -160)]]),
    "K": (STRAIGHT, OPEN, [line(0, 0, 0, 1), line(0.54, 1, 0, 0.4), line(0.19, 0.61, 0.58, 0)]),
    "L": (STRAIGHT, OPEN, [line(0, 1, 0, 0, 0.46, 0)]),
    "M": (STRAIGHT, STRAIGHT, [line(0, 0, 0, 1, 0.4, 0.32, 0.8, 1, 0.8, 0)]),
    "N": (STRAIGHT, STRAIGHT, [line(0, 0, 0, 1, 0.66, 0, 0.66, 1)]),
    "O": (ROUND, ROUND, [arc(0.48, 0.5, 0.48, 0.5, 0, 360)]),
    "P": (STRAIGHT, ROUND, [[*line(0, 0, 0, 1, 0.28, 1), *arc(0.28, 0.72, 0.26, 0.28, 90, -90), (0, 0.44)]]),
    "Q": (ROUND, ROUND, [arc(0.48, 0.5, 0.48, 0.5, 0, 360), line(0.58, 0.26, 0.86, -0.06)]),
    "R": (STRAIGHT, OPEN, [[*line(0, 0, 0, 1, 0.28, 1), *arc(0.28, 0.73, 0.25, 0.27, 90, -90), (0, 0.46)],
                           line(0.28, 0.46, 0.56, 0)]),
    "S": (ROUND, ROUND, [[*arc(0.28, 0.745, 0.25, 0.255, 35, 270), *arc(0.28, 0.25, 0.28, 0.25, 85, -150)]]),
    "T": (OPEN, OPEN, [line(0, 1, 0.66, 1), line(0.33, 1, 0.33, 0)]),
    "U": (STRAIGHT, STRAIGHT, [[(0, 1), *arc(0.31, 0.31, 0.31, 0.31, 180, 360), (0.62, 1)]]),
    "V": (OPEN, OPEN, [line(0, 1, 0.36, 0, 0.72, 1)]),
    "W": (OPEN, OPEN, [line(0, 1, 0.28, 0, 0.54, 0.92, 0.8, 0, 1.08, 1)]),
    "X": (OPEN, OPEN, [line(0, 0, 0.62, 1), line(0, 1, 0.62, 0)]),
    "Y": (OPEN, OPEN, [line(0, 1, 0.33, 0.46, 0.66, 1), line(0.33, 0.46, 0.33, 0)]),
    "Z": (OPEN, OPEN, [line(0.02, 1, 0.58, 1, 0, 0, 0.6, 0)]),
    "a": (ROUND, STRAIGHT, [BOWL, line(0.6, 0.7, 0.6, 0)]),
    "b": (STRAIGHT, ROUND, [BOWL, line(0, 1.04, 0, 0)]),
    "c": (ROUND, OPEN, [arc(0.3, 0.35, 0.3, 0.35, 50, 310)]),
    "d": (ROUND, STRAIGHT, [BOWL, line(0.6, 1.04, 0.6, 0)]),
    "e": (ROUND, ROUND, [[(0.01, 0.36), *arc(0.3, 0.35, 0.3, 0.35, 2, 318)]]),
    "f": (OPEN, OPEN, [[(0.14, 0), *arc(0.33, 0.85, 0.19, 0.19, 180, 75)], line(0, 0.68, 0.34, 0.68)]),
    "g": (ROUND, STRAIGHT, [BOWL, [(0.6, 0.7), *arc(0.31, -0.02, 0.29, 0.27, 0, -148)]]),
    "h": (STRAIGHT, STRAIGHT, [line(0, 1.04, 0, 0), [*arc(0.265, 0.42, 0.265, 0.28, 180, 0), (0.53, 0)]]),
    "i": (STRAIGHT, STRAIGHT, [line(0, 0.7, 0, 0), line(0, 0.98)]),
    "j": (OPEN, STRAIGHT, [[(0.16, 0.7), *arc(-0.02, -0.1, 0.18, 0.19, 0, -95)], line(0.16, 0.98)]),
    "k": (STRAIGHT, OPEN, [line(0, 1.04, 0, 0), line(0.45, 0.7, 0, 0.27), line(0.16, 0.42, 0.48, 0)]),
    "l": (STRAIGHT, OPEN, [[(0, 1.04), *arc(0.15, 0.15, 0.15, 0.15, 180, 280)]]),
    "m": (STRAIGHT, STRAIGHT, [line(0, 0.7, 0, 0), [*arc(0.225, 0.44, 0.225, 0.26, 180, 0), (0.45, 0)],
                               [*arc(0.675, 0.44, 0.225, 0.26, 180, 0), (0.9, 0)]]),
    "n": (STRAIGHT, STRAIGHT, [line(0, 0.7, 0, 0), [*arc(0.265, 0.42, 0.265, 0.28, 180, 0), (0.53, 0)]]),
    "o": (ROUND, ROUND, [arc(0.31, 0.35, 0.31, 0.35, 0, 360)]),
    "p": (STRAIGHT, ROUND, [BOWL, line(0, 0.7, 0, -0.28)]),
    "q": (ROUND, STRAIGHT, [BOWL, line(0.6, 0.7, 0.6, -0.28)]),
    "r": (STRAIGHT, OPEN, [line(0, 0.7, 0, 0), arc(0.25, 0.42, 0.25, 0.28, 180, 65)]),
    "s": (ROUND, ROUND, [[*arc(0.23, 0.525, 0.205, 0.175, 35, 270), *arc(0.23, 0.175, 0.225, 0.175, 85, -150)]]),
    "t": (OPEN, OPEN, [[(0.15, 0.93), *arc(0.32, 0.18, 0.17, 0.18, 180, 290)], line(0, 0.7, 0.36, 0.7)]),
    "u": (STRAIGHT, STRAIGHT, [[(0, 0.7), *arc(0.265, 0.28, 0.265, 0.28, 180, 360)], line(0.53, 0.7, 0.53, 0)]),
    "v": (OPEN, OPEN, [line(0, 0.7, 0.27, 0, 0.54, 0.7)]),
    "w": (OPEN, OPEN, [line(0, 0.7, 0.22, 0, 0.42, 0.64, 0.62, 0, 0.84, 0.7)]),
    "x": (OPEN, OPEN, [line(0, 0, 0.48, 0.7), line(0, 0.7, 0.48, 0)]),
    "y": (OPEN, OPEN, [line(0, 0.7, 0.28, 0.02), line(0.54, 0.7, 0.16, -0.28)]),
    "z": (OPEN, OPEN, [line(0.01, 0.7, 0.45, 0.7, 0, 0, 0.47, 0)]),
    "0": (ROUND, ROUND, [arc(0.29, 0.5, 0.29, 0.5, 0, 360)]),
    "1": (ROUND, ROUND, [line(0.1, 0.78, 0.33, 1, 0.33, 0)]),
    "2": (ROUND, ROUND, [[*arc(0.29, 0.71, 0.26, 0.29, 165, -38), (0.01, 0), (0.57, 0)]]),
    "3": (ROUND, ROUND, [CURL, BELLY]),
    "4": (ROUND, ROUND, [line(0.44, 0, 0.44, 1, 0, 0.27, 0.58, 0.27)]),
    "5": (ROUND, ROUND, [[*line(0.51, 1, 0.1, 1, 0.06, 0.53), *arc(0.27, 0.32, 0.3, 0.32, 128, -150)]]),
    "6": (ROUND, ROUND, SIX),
    "7": (ROUND, ROUND, [line(0.01, 1, 0.56, 1, 0.18, 0)]),
    "8": (ROUND, ROUND, [arc(0.29, 0.765, 0.235, 0.235, -90, 270), arc(0.29, 0.265, 0.28, 0.265, 90, 450)]),
    "9": (ROUND, ROUND, turned(SIX, 0.58)),
    ".": (STRAIGHT, STRAIGHT, [line(0, 0.01)]),
    ",": (STRAIGHT, STRAIGHT, [line(0.04, 0.02, -0.03, -0.17)]),
    ":": (STRAIGHT, STRAIGHT, [line(0, 0.01), line(0, 0.56)]),
    ";": (STRAIGHT, STRAIGHT, [line(0.04, 0.02, -0.03, -0.17), line(0.03, 0.56)]),
    "!": (STRAIGHT, STRAIGHT, [line(0, 1, 0, 0.32), line(0, 0.01)]),
    "?": (ROUND, ROUND, [[*arc(0.23, 0.77, 0.22, 0.23, 165, -60), (0.23, 0.46), (0.23, 0.3)], line(0.23, 0.01)]),
    "'": (STRAIGHT, STRAIGHT, [line(0, 1, 0, 0.76)]),
    '"': (STRAIGHT, STRAIGHT, [line(0, 1, 0, 0.76), line(0.17, 1, 0.17, 0.76)]),
    "-": (ROUND, ROUND, [line(0, 0.38, 0.3, 0.38)]),
    "–": (ROUND, ROUND, [line(0, 0.38, 0.48, 0.38)]),
    "—": (ROUND, ROUND, [line(0, 0.38, 0.8, 0.38)]),
    "+": (ROUND, ROUND, [line(0, 0.42, 0.48, 0.42), line(0.24, 0.66, 0.24, 0.18)]),
    "−": (ROUND, ROUND, [line(0, 0.42, 0.48, 0.42)]),
    "×": (ROUND, ROUND, [line(0, 0.62, 0.4, 0.22), line(0, 0.22, 0.4, 0.62)]),
    "=": (ROUND, ROUND, [line(0, 0.54, 0.46, 0.54), line(0, 0.3, 0.46, 0.3)]),
    "<": (ROUND, ROUND, [line(0.42, 0.68, 0, 0.42, 0.42, 0.16)]),
    ">": (ROUND, ROUND, [line(0, 0.68, 0.42, 0.42, 0, 0.16)]),
    "/": (OPEN, OPEN, [line(0, -0.08, 0.4, 1.04)]),
    "(": (ROUND, OPEN, [arc(0.34, 0.44, 0.3, 0.68, 122, 238)]),
    ")": (OPEN, ROUND, [arc(-0.16, 0.44, 0.3, 0.68, 58, -58)]),
    "[": (STRAIGHT, OPEN, [line(0.2, 1.08, 0, 1.08, 0, -0.16, 0.2, -0.16)]),
    "]": (OPEN, STRAIGHT, [line(0, 1.08, 0.2, 1.08, 0.2, -0.16, 0, -0.16)]),
    "_": (OPEN, OPEN, [line(0, -0.12, 0.5, -0.12)]),
    "%": (ROUND, ROUND, [arc(0.16, 0.8, 0.16, 0.2, 0, 360), arc(0.68, 0.2, 0.16, 0.2, 0, 360), line(0.1, 0, 0.74, 1)]),
    "&": (ROUND, OPEN, [[*line(0.66, 0, 0.12, 0.66), *arc(0.29, 0.79, 0.19, 0.21, 215, -40), (0.16, 0.47),
                         *arc(0.26, 0.25, 0.26, 0.25, 120, 290), (0.66, 0.42)]]),
    "#": (ROUND, ROUND, [line(0.2, 0, 0.3, 1), line(0.46, 0, 0.56, 1), line(0.04, 0.67, 0.7, 0.67),
                         line(0, 0.33, 0.66, 0.33)]),
    "*": (ROUND, ROUND, [line(0.2, 0.98, 0.2, 0.56), line(0.02, 0.88, 0.38, 0.66), line(0.02, 0.66, 0.38, 0.88)]),
    "·": (ROUND, ROUND, [line(0, 0.4)]),
    "…": (STRAIGHT, STRAIGHT, [line(0, 0.01), line(0.28, 0.01), line(0.56, 0.01)]),
    "°": (ROUND, ROUND, [arc(0.13, 0.87, 0.13, 0.13, 0, 360)]),
    "→": (ROUND, ROUND, [line(0, 0.42, 0.74, 0.42), line(0.48, 0.68, 0.74, 0.42, 0.48, 0.16)]),
    "←": (ROUND, ROUND, [line(0, 0.42, 0.74, 0.42), line(0.26, 0.68, 0, 0.42, 0.26, 0.16)]),
    "↑": (ROUND, ROUND, [line(0.26, 0, 0.26, 0.9), line(0, 0.64, 0.26, 0.9, 0.52, 0.64)]),
    "↓": (ROUND, ROUND, [line(0.26, 0.9, 0.26, 0), line(0, 0.26, 0.26, 0, 0.52, 0.26)]),
}
# fmt: on
UNKNOWN = (STRAIGHT, STRAIGHT, [line(0, 0, 0.5, 0, 0.5, 1, 0, 1, 0, 0)])
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
    alpha: int = 255,
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
    picture.set_alpha(alpha)
    target.blit(picture, (round(left), round(top)))
    return pygame.Rect(round(left), round(at[1] - size), round(width), round(size))
