"""Letters and signs as strokes: polylines, written as text.

In: text such as "0 0 0.4 1, arc 0.3 0.35 0.3 0.35 0 360". Out: lists of points. A comma begins a new stroke. A stroke
is pairs of numbers, each a point, and curves, whose points it runs through: "arc X Y RX RY START END" goes along an
ellipse around (X, Y) from one angle to the other in degrees, "spiral TURN START" out of (0, 0) by so many half turns,
to a distance of 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin

Point = tuple[float, float]
Stroke = list[Point]


@cache
def read_strokes(text: str) -> list[Stroke]:
    """Return the points of each stroke of a sign."""
    return [_read_stroke(iter(part.split())) for part in text.split(",")]


def _read_stroke(words: Iterator[str]) -> Stroke:
    points: Stroke = []
    for word in words:
        if word == "arc":
            points += _arc(*(float(next(words)) for _ in range(6)))
        elif word == "spiral":
            points += _spiral(float(next(words)), float(next(words)))
        else:
            points.append((float(word), float(next(words))))
    return points


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Stroke:
    steps = max(3, round(abs(end - start) / 15))
    angles = [(start + (end - start) * i / steps) * pi / 180 for i in range(steps + 1)]
    return [(x + rx * cos(a), y + ry * sin(a)) for a in angles]


def _spiral(turn: float, start: float) -> Stroke:
    shares = [i / 30 for i in range(31)]
    return [(t * cos(turn * pi * t + start), t * sin(turn * pi * t + start)) for t in shares]
