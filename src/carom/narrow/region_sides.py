"""On which side of a region a point lies: by its edges, without convex parts.

In: regions and lines with their edges in slabs, and a point. Out: -1 inside, 0 on an edge, 1 apart; or UNSURE where
products could vanish, and parts have to decide. Every sign is exact: floats decide beyond the error bound of their
determinant, else sums without rounding. World frame, user's units.

A point is inside if a line from it to one side crosses an odd number of edges (M. Shimrat, "Algorithm 112: Position of
point relative to polygon", 1962); an edge counts with its lower end and without its upper one, so that a corner on the
line counts once.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Floats
from carom.shapes.outlines.sure_turns import UNSURE, turn_of
from carom.shapes.regions import Regions, slab_of

INSIDE, ON, APART = -1, 0, 1


@inner
def side_of_point(regions: Regions, thing: int, x: float, y: float, h: Floats) -> int:
    """Return where a point lies: INSIDE, ON an edge, APART, or UNSURE; of a line it is never inside."""
    bounds, points, slabs = regions.bounds, regions.rings.points, regions.slabs
    if not (bounds[thing, 0] <= x <= bounds[thing, 2] and bounds[thing, 1] <= y <= bounds[thing, 3]):
        return APART
    axis = slabs.axis[thing]
    across = 1 - axis
    u, v = (x, y) if axis == 1 else (y, x)
    slab, odd, unsure = slab_of(slabs, thing, v), False, False
    for i in range(slabs.starts[slab], slabs.starts[slab + 1]):
        e = slabs.edges[i]
        u0, v0, u1, v1 = points[e, across], points[e, axis], points[e + 1, across], points[e + 1, axis]
        if (v0 > v) == (v1 > v):
            # No crossing; but it may be an end, or lie on an edge along the line.
            if (v0 == v and u0 == u) or (v1 == v and (u1 == u or (v0 == v and min(u0, u1) <= u <= max(u0, u1)))):
                return ON
        elif u < min(u0, u1):
            odd = not odd
        elif u <= max(u0, u1):
            side = turn_of(u0, v0, u1, v1, u, v, h)
            if side == 0:
                return ON
            unsure = unsure or side == UNSURE
            if (side > 0) == (v1 > v0):
                odd = not odd
    if unsure:
        return UNSURE
    return INSIDE if odd and regions.rings.filled[thing] else APART
