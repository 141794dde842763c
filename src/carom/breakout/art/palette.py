"""What everything is coloured, and the sign and the name of each power-up. No pixels here, only values.

Colours are (red, green, blue) from 0 to 255. Signs are polylines in a square from -1 to 1 with y downwards.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

Color = tuple[int, int, int]
Sign = list[list[tuple[float, float]]]

INK = (9, 16, 20)
RAIL_DARK = (13, 22, 27)
RAIL_LIGHT = (27, 41, 47)
FELT_LIGHT = (30, 68, 74)
FELT_DARK = (13, 35, 42)
BRASS = (217, 170, 96)
IVORY = (241, 235, 220)
SAGE = (146, 171, 168)
DIM = (86, 110, 112)
ROSE = (236, 110, 118)
FINE = (126, 200, 160)
BALL_THROUGH = (255, 138, 128)
PADDLE_STICKY = (240, 142, 232)

BRICKS: dict[int, Color] = {
    1: (140, 143, 133),
    2: (74, 150, 226),
    3: (63, 160, 104),
    4: (214, 196, 118),
    5: (233, 136, 62),
    6: (232, 230, 221),
}


def brick_color(code: int) -> Color:
    """Colour of a brick with this code in the level file; all codes above 5 are white."""
    return BRICKS[min(code, 6)]


def _spiral() -> list[tuple[float, float]]:
    turns = [i / 30 for i in range(31)]
    return [(t * cos(4.2 * pi * t + 0.4), t * sin(4.2 * pi * t + 0.4)) for t in turns]


def _arc(radius: float, start: float, end: float) -> list[tuple[float, float]]:
    angles = [(start + (end - start) * i / 12) * pi / 180 for i in range(13)]
    return [(radius * cos(a), radius * sin(a)) for a in angles]


class Power(NamedTuple):
    """How one power-up presents itself: its name, what it does in a few words, its colour and its sign."""

    name: str
    effect: str
    color: Color
    sign: Sign


# fmt: off
POWERS: dict[str, Power] = {
    "speed": Power("Speed", "a fifth faster", (138, 150, 255), [
        [(-0.75, -0.8), (0.0, 0.0), (-0.75, 0.8)], [(0.05, -0.8), (0.8, 0.0), (0.05, 0.8)]]),
    "sticky": Power("Sticky", "the paddle holds the ball", (243, 143, 238), [
        [(-0.7, -0.85), (-0.7, 0.05), *[(-x, y) for x, y in _arc(0.7, 0, 180)], (0.7, -0.85)],
        [(-0.95, -0.45), (-0.45, -0.45)], [(0.45, -0.45), (0.95, -0.45)]]),
    "pass-through": Power("Pass through", "bricks do not stop the ball", (126, 224, 134), [
        [(0.0, 0.95), (0.0, -0.95)], [(-0.6, -0.35), (0.0, -0.95), (0.6, -0.35)],
        [(-0.9, 0.3), (-0.4, 0.3)], [(0.4, 0.3), (0.9, 0.3)]]),
    "pad-size-increase": Power("Wide paddle", "fifty more to play with", (250, 166, 108), [
        [(-0.95, 0.0), (0.95, 0.0)], [(-0.5, -0.55), (-0.95, 0.0), (-0.5, 0.55)],
        [(0.5, -0.55), (0.95, 0.0), (0.5, 0.55)]]),
    "confuse": Power("Confuse", "the table upside down", (244, 104, 112), [
        [(-0.45, 0.9), (-0.45, -0.8)], [(-0.9, -0.35), (-0.45, -0.8), (0.0, -0.35)],
        [(0.45, -0.9), (0.45, 0.8)], [(0.0, 0.35), (0.45, 0.8), (0.9, 0.35)]]),
    "chaos": Power("Chaos", "the table goes round", (226, 84, 148), [_spiral()]),
}
# fmt: on
