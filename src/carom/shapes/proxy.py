"""How one shape lies in memory: a flat run of float64 that every kernel reads.

A shape is a convex core (1 point: circle; 2: segment, capsule; n: polygon) grown by a radius. Its proxy holds the
origin, the core's points relative to that origin, counter-clockwise, and the outward unit normal of the edge that
leaves each point. One shape is one such run; a mixed set is many runs in one buffer, each found by its start. Every
kernel takes `(buffer, start)`, so that the same function serves a pair and a million rows. World frame, user's units.

The exact shape is `origin + local point`, summed without rounding, grown by `radius`.
"""

from __future__ import annotations

from collections.abc import Sequence

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
