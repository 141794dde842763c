"""From bytes to a scene: two shapes and a path, so that a fuzzer that only knows bytes can look for hard ones.

In: any bytes. Out: two shapes and a translation, or None where the bytes make shapes that are refused. Every value may
repeat an earlier one, be its neighbour in float64, or its opposite, since shared coordinates and gaps of one unit in
the last place are what is hard; B may be brought together with A by their exact separation.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import Any

import carom as cm
from tests.support import oracle

SCALES = (1.0, 1.0, 1.0, 2.0**-30, 2.0**30, 2.0**-480, 2.0**470, 0.1)
OFFSETS = (0.0, 0.0, 0.0, 1e7, -1e15, 1 / 3)
Scene = tuple[Any, Any, tuple[float, float]]


class Reader:
    """Numbers out of bytes; after the last byte all are 0."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.seen: list[float] = []
        self.scale = 1.0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def number(self) -> float:
        """Return a number from a grid, of any bits, or near an earlier one."""
        way = self.byte()
        kind, rest = way % 8, way // 8
        if kind >= 4 and self.seen:
            value = self.seen[-1 - rest % len(self.seen)]
            if kind == 5:
                value = math.nextafter(value, math.inf)
            elif kind == 6:
                value = math.nextafter(value, -math.inf)
            elif kind == 7:
                value = -value
        elif kind == 3:
            (value,) = struct.unpack("<d", bytes(self.byte() for _ in range(8)))
            value = value if abs(value) <= 1e140 else 0.0
        else:
            value = (self.byte() - 128) / (8.0 if kind else 1.0) * self.scale
        self.seen.append(value)
        return value

    def point(self) -> tuple[float, float]:
        return self.number(), self.number()

    def length(self) -> float:
        return abs(self.number()) or self.scale

    def shape(self) -> Any:
        kind = self.byte() % 9
        x, y = self.point()
        if kind == 0:
            return cm.Point((x, y))
        if kind == 1:
            return cm.Circle((x, y), self.length())
        if kind == 2:
            return cm.Segment((x, y), self.point())
        if kind == 3:
            return cm.Capsule((x, y), self.point(), self.length())
        if kind == 4:
            return cm.Box.from_corners((x, y), (x + self.length(), y + self.length()))
        if kind == 5:
            return cm.Box((x, y), (self.length(), self.length()), self.byte() / 16.0)
        if kind == 6:
            size = self.length(), self.length()
            return cm.Box((x, y), size, self.byte() / 16.0, radius=self.length())
        points = [(Fraction(a), Fraction(b)) for a, b in [(x, y), *(self.point() for _ in range(3 + self.byte() % 4))]]
        outline = [(float(a), float(b)) for a, b in oracle.convex_hull(points)]
        return cm.Polygon(outline, radius=self.length() if kind == 8 else 0.0)


def scene(data: bytes) -> Scene | None:
    """Return the scene that the bytes describe, or None if Carom refuses one of its shapes."""
    reader = Reader(data)
    head = reader.byte()
    reader.scale = SCALES[head % len(SCALES)]
    offset = OFFSETS[head // 8 % len(OFFSETS)]
    try:
        a, b = reader.shape(), reader.shape()
        if offset:
            a, b = a.translated((offset, -offset)), b.translated((offset, -offset))
        if head >= 128:
            nx, ny = oracle.direction(a, b)
            by = -oracle.separation(a, b)
            b = b.translated((float(nx * by), float(ny * by)))
    except ValueError:
        return None
    x, y = reader.point()
    far = 2.0 ** (reader.byte() % 24)
    path = x * far, y * far
    return (a, b, path) if max(map(abs, path)) <= 1e150 else None
