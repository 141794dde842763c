"""How one shape lies in memory: a flat run of float64 that every kernel reads.

A shape is a convex core (1 point: circle; 2: segment, capsule; n: polygon) grown by a radius. Its record holds the
origin, the core's points relative to that origin, counter-clockwise, and the outward unit normal of the edge that
leaves each point. One shape is one such run; a mixed set is many runs in one buffer, each found by its start. Every
kernel takes `(buffer, start)`, so that the same function serves a pair and a million rows. World frame, user's units.

The exact shape is `origin + local point`, summed without rounding, grown by `radius`.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

KIND = 0  # one of DISC, STADIUM, AABB, OBB, POLYGON
COUNT = 1  # number of core points
RADIUS = 2  # grown outward by this
X = 3  # origin
Y = 4
LOWEST = 5  # index of the core point with the least (y, x)
HIGHEST = 6  # index of the core point with the greatest (y, x)
CENTER_X = 7  # centre of a circle around the core, relative to the origin
CENTER_Y = 8
REACH = 9  # radius of that circle, rounded up; RADIUS is not in it
POINTS = 10  # then for each core point: x, y, normal x, normal y
STRIDE = 4

DISC = 0.0  # 1 core point: Point (radius 0) or Circle
STADIUM = 1.0  # 2 core points: Segment (radius 0) or Capsule
AABB = 2.0  # 4 core points, edges along the axes; point 0 is the lower corner
OBB = 3.0  # 4 core points, point 2 = -point 0 and point 3 = -point 1 exactly, origin at the centre
POLYGON = 4.0

Point2 = tuple[float, float]
LEAST = 5e-324  # the smallest positive float64: there, but by less than can be written
LEAST_PLAIN, MOST_PLAIN = 1e-140, 1e140  # between them a length is safe without scaling


def exact_origin(values: Sequence[float]) -> float:
    """Return the coordinate to subtract from all `values`: the first where every difference is exact, else 0.

    Differences of coordinates within a factor of two are exact (Sterbenz), so shapes far from zero get small local
    points; where one is not exact the shape is as large as its coordinates, and subtracting would gain nothing.
    """
    first = values[0]
    for value in values:
        if not difference_is_exact(value, first):
            return 0.0
    return first


def difference_is_exact(value: float, first: float) -> bool:
    """Tell whether the float64 nearest to value - first is that difference, without rounding."""
    difference = value - first
    back = value - difference
    return (value - (difference + back)) + (back - first) == 0.0


def unit_normal(ex: float, ey: float) -> Point2:
    """Return the outward unit normal of an edge (ex, ey) of a counter-clockwise outline, for any finite length."""
    largest = max(abs(ex), abs(ey))
    if largest == 0.0:
        return 0.0, 0.0
    exponent = math.frexp(largest)[1]
    x, y = math.ldexp(ex, -exponent), math.ldexp(ey, -exponent)
    length = math.sqrt(x * x + y * y)
    nx, ny = y / length + 0.0, 0.0 - x / length
    # The signs put the edges in order: a slope too small for float64 must not become none.
    if nx == 0.0 and ey != 0.0:
        nx = math.copysign(LEAST, ey)
    if ny == 0.0 and ex != 0.0:
        ny = math.copysign(LEAST, -ex)
    return nx, ny


def length_of(x: float, y: float) -> float:
    """Return the length of a vector whose squares neither overflow nor all vanish."""
    return math.sqrt(x * x + y * y)


def make_record(kind: float, origin: Point2, points: Sequence[Point2], radius: float) -> NDArray[np.float64]:
    """Return the record of a shape whose cleaned, counter-clockwise core `points` are relative to `origin`.

    Parameters
    ----------
    kind : one of DISC, STADIUM, AABB, OBB, POLYGON
    origin : (x, y)
    points : core points relative to the origin, exact
    radius : float, >= 0

    Returns
    -------
    (10 + 4 * len(points),) float64, writeable, C-contiguous
    """
    xs, ys = zip(*points, strict=True)
    low_x, high_x, low_y, high_y = min(xs), max(xs), min(ys), max(ys)
    center_x, center_y = low_x + (high_x - low_x) / 2, low_y + (high_y - low_y) / 2
    order = list(zip(ys, xs, strict=True))
    row = [kind, float(len(points)), radius, *origin, float(order.index(min(order))), float(order.index(max(order)))]
    row += [center_x, center_y, 0.0]
    farthest = 0.0
    for (x, y), (after_x, after_y) in zip(points, (*points[1:], points[0]), strict=True):
        dx, dy = x - center_x, y - center_y
        if (squared := dx * dx + dy * dy) > farthest:
            farthest = squared
        ex, ey = after_x - x, after_y - y
        if MOST_PLAIN > abs(ex) > LEAST_PLAIN < abs(ey) < MOST_PLAIN:
            length = math.sqrt(ex * ex + ey * ey)  # as `unit_normal`: scaling by a power of two changes no digit
            row += (x, y, ey / length, 0.0 - ex / length)
        else:
            row += (x, y, *unit_normal(ex, ey))
    # The distance is within 3 roundings of the truth: 4 ulp upward keep every point inside.
    row[REACH] = math.sqrt(farthest) * (1.0 + 2.0**-50)
    return np.frombuffer(array("d", row))
