"""The Minkowski difference A - B of two shapes, for reading: the convex polygon that the walk goes round.

In: two shapes. Out: its corners, counter-clockwise, and the radius it is grown by. The origin of the difference's own
plane lies inside just when the shapes overlap; the nearest point of its boundary is A's witness point less B's. World
units; nothing is decided here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.walk import edge_of_a_first, start, step
from carom.shapes.base import Shape
from carom.shapes.proxy import COUNT, X, Y
from carom.vector import Vec


class Difference(NamedTuple):
    """All differences of a point of A and a point of B: a convex core grown by a radius."""

    points: tuple[Vec, ...]
    """The core's corners, counter-clockwise; two of a line, one of two points."""
    radius: float
    """The sum of both radii."""


@kernel
def _walked(a: Floats, b: Floats, out_points: Floats) -> int:
    """Write the points that the walk meets, in its order; return how many."""
    at, bt, left_a, left_b = start(a, 0, b, 0)
    count = 0
    while True:
        out_points[count, 0] = (a[at] - b[bt]) - (b[X] - a[X])
        out_points[count, 1] = (a[at + 1] - b[bt + 1]) - (b[Y] - a[Y])
        count += 1
        if left_a + left_b <= 1:
            return count
        a_first = edge_of_a_first(a[at + 2], a[at + 3], b[bt + 2], b[bt + 3])
        _, _, at, bt, left_a, left_b = step(a, 0, at, left_a, b, 0, bt, left_b, a_first)


def difference(a: Shape, b: Shape) -> Difference:
    """Return the Minkowski difference of two shapes."""
    first, second = a._record, b._record
    points = np.empty((int(first[COUNT] + second[COUNT]) + 1, 2))
    count = _walked(first, second, points)
    corners: list[Vec] = []
    for x, y in points[:count].tolist():
        if not corners or (x, y) != corners[-1]:
            corners.append(Vec(x + 0.0, y + 0.0))
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    return Difference(tuple(corners), a.radius + b.radius)
