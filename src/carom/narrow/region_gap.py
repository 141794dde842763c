"""How far two things are from each other: by their edges, without convex parts.

In: regions and lines with their edges in slabs, a pair of things, and how far to look. Out: their distance, 0 where
they touch, which is told exactly; or UNDECIDED where products could vanish, and parts have to decide. World frame,
user's units.

Of the one with fewer edges each is taken in turn, with the edges of the other in the same slabs, then in those on
either side, the nearer first, until a slab is farther away than the nearest edge so far.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.region_sides import APART, side_of_point
from carom.narrow.region_touch import LEAST as LEAST_SIZE
from carom.narrow.region_touch import MOST, edge_gap, point_gap, things_meet
from carom.shapes.outlines.sure_turns import UNSURE
from carom.shapes.regions import Regions, slab_of
from carom.tolerances import CULL_ULPS, EPSILON
from carom.vector import LEAST

UNDECIDED = -1.0
"""In place of a distance."""

FARTHER = 1.0 + 64.0 * EPSILON
"""Of squares: more than their rounding, and that of the distances."""


@inner
def _in_slabs(points: Floats, e: int, regions: Regions, slabs: tuple[int, int], best: float) -> float:
    """Return the least distance of an edge from those in some slabs, or `best` if none is nearer."""
    others, edges, starts = regions.rings.points, regions.slabs.edges, regions.slabs.starts
    ax, ay, bx, by = points[e, 0], points[e, 1], points[e + 1, 0], points[e + 1, 1]
    left, right, low, high = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    point = ax == bx and ay == by
    for n in range(starts[slabs[0]], starts[slabs[1] + 1]):
        f = edges[n]
        cx, cy, dx, dy = others[f, 0], others[f, 1], others[f + 1, 0], others[f + 1, 1]
        beside = max(max(min(cx, dx) - right, left - max(cx, dx)), 0.0)
        above = max(max(min(cy, dy) - high, low - max(cy, dy)), 0.0)
        if beside * beside + above * above <= best * best * FARTHER:
            best = min(best, point_gap(cx, cy, dx, dy, ax, ay) if point else edge_gap(points, e, others, f))
    return best


@inner
def _of_edge(points: Floats, e: int, regions: Regions, thing: int, best: float, band: float) -> float:
    """Return the distance of an edge from those of a thing that it does not touch, or `best` if that is less."""
    slabs = regions.slabs
    axis, origin, scale = slabs.axis[thing], slabs.low[thing], slabs.scale[thing]
    low, high = min(points[e, axis], points[e + 1, axis]), max(points[e, axis], points[e + 1, axis])
    first, last, begin = slab_of(slabs, thing, low), slab_of(slabs, thing, high), slabs.first[thing]
    best = _in_slabs(points, e, regions, (first, last), best)
    while True:
        below = (low - origin) - float(first - begin) / scale if first > begin else math.inf
        above = float(last + 1 - begin) / scale - (high - origin) if last + 1 < slabs.first[thing + 1] else math.inf
        if min(below, above) == math.inf or min(below, above) > best + band:
            return best
        if below <= above:
            first -= 1
            best = _in_slabs(points, e, regions, (first, first), best)
        else:
            last += 1
            best = _in_slabs(points, e, regions, (last, last), best)


@kernel
def _least_gap(a: Regions, i: int, b: Regions, j: int, most: float, band: float) -> float:
    """Return the least distance of the edges of two things that do not touch; or `most` if that is less."""
    points, best = a.rings.points, most
    for ring in range(a.rings.first[i], a.rings.first[i + 1]):
        for e in range(a.rings.rings[ring], a.rings.rings[ring + 1] - 1):
            left, right = min(points[e, 0], points[e + 1, 0]), max(points[e, 0], points[e + 1, 0])
            low, high = min(points[e, 1], points[e + 1, 1]), max(points[e, 1], points[e + 1, 1])
            dx = max(max(b.bounds[j, 0] - right, left - b.bounds[j, 2]), 0.0)
            dy = max(max(b.bounds[j, 1] - high, low - b.bounds[j, 3]), 0.0)
            if dx * dx + dy * dy <= best * best * FARTHER:
                best = _of_edge(points, e, b, j, best, band)
    return best


@inner
def _points_of(regions: Regions, thing: int) -> int:
    rings = regions.rings
    return int(rings.rings[rings.first[thing + 1]] - rings.rings[rings.first[thing]])


@inner
def _touch(a: Regions, i: int, b: Regions, j: int, h: Floats) -> int:
    """Tell whether two things touch: 1, 0 or UNSURE."""
    if a.bounds[i, 0] == a.bounds[i, 2] and a.bounds[i, 1] == a.bounds[i, 3]:
        side = side_of_point(b, j, a.bounds[i, 0], a.bounds[i, 1], h)
        return side if side == UNSURE else (0 if side == APART else 1)
    return things_meet(a, i, b, j, 0.0, h)


@kernel
def things_gap(a: Regions, i: int, b: Regions, j: int, most: float, h: Floats) -> float:
    """Return the distance of two things, infinite where it is more than `most`; or UNDECIDED."""
    one, other = a.bounds[i], b.bounds[j]
    width, height = max(one[2], other[2]) - min(one[0], other[0]), max(one[3], other[3]) - min(one[1], other[1])
    if width == 0.0 and height == 0.0:
        return 0.0
    if not LEAST_SIZE < width + height < MOST:
        return UNDECIDED
    if one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]:
        touch = _touch(a, i, b, j, h)
        if touch != 0:
            return UNDECIDED if touch == UNSURE else 0.0
    beyond, band = most * FARTHER + LEAST_SIZE, CULL_ULPS * EPSILON * (width + height)
    fewer = _points_of(a, i) <= _points_of(b, j)
    gap = _least_gap(a, i, b, j, beyond, band) if fewer else _least_gap(b, j, a, i, beyond, band)
    return math.inf if gap > most or gap == math.inf else max(gap, LEAST)
