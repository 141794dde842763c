"""Which regions are surely in order: no two edges touch but neighbours at their end, and every hole is inside.

In: rings with their edges in slabs. Out: which regions are proved to be in order; the others may be so, too. Every sign
is exact. Edges in one slab are compared with each other, which takes less time than a sweep where a line crosses few
edges; where it crosses many, this gives up. Any frame.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.selection import order_by
from carom._core.types import Booleans, Floats
from carom.shapes.outlines.sure_turns import SHORTEST, SUMS, UNSURE, turn
from carom.shapes.regions import Regions, slab_of

FEW = 12
"""Edges of a slab up to which each is compared with each."""

MOST_COMPARED = 128
"""Pairs of edges for each edge, from which on a sweep is left to decide."""


@inner
def _goes_on(points: Floats, a: int, b: int, c: int, h: Floats) -> bool:
    """Tell whether the way from a by b to c surely leads not back over itself."""
    sign = turn(points, a, b, c, h)
    if sign == 1 or sign == -1:
        return True
    x = min(points[a, 0], points[c, 0]) <= points[b, 0] <= max(points[a, 0], points[c, 0])
    y = min(points[a, 1], points[c, 1]) <= points[b, 1] <= max(points[a, 1], points[c, 1])
    return bool(sign == 0 and x and y)


@inner
def _are_apart(points: Floats, a: int, b: int, c: int, d: int, h: Floats) -> bool:
    """Tell whether two edges have surely no point in common."""
    if min(points[a, 0], points[b, 0]) > max(points[c, 0], points[d, 0]):
        return True
    if max(points[a, 0], points[b, 0]) < min(points[c, 0], points[d, 0]):
        return True
    if min(points[a, 1], points[b, 1]) > max(points[c, 1], points[d, 1]):
        return True
    if max(points[a, 1], points[b, 1]) < min(points[c, 1], points[d, 1]):
        return True
    side = turn(points, a, b, c, h)
    if (side == 1 or side == -1) and turn(points, a, b, d, h) == side:
        return True
    side = turn(points, c, d, a, h)
    return bool((side == 1 or side == -1) and turn(points, c, d, b, h) == side)


@kernel
def prove_simple(regions: Regions, out_simple: Booleans) -> None:
    """Tell of each region whether it is surely in order."""
    points, rings, first = regions.rings.points, regions.rings.rings, regions.rings.first
    slabs, h = regions.slabs, np.empty(SUMS)
    for thing in range(out_simple.shape[0]):
        simple = True
        for ring in range(first[thing], first[thing + 1]):
            begin, last = rings[ring], rings[ring + 1] - 1
            simple = simple and last - begin >= 3
            for k in range(begin, last):
                length = max(abs(points[k + 1, 0] - points[k, 0]), abs(points[k + 1, 1] - points[k, 1]))
                simple = (
                    simple and length >= SHORTEST and _goes_on(points, k - 1 if k > begin else last - 1, k, k + 1, h)
                )
        left = MOST_COMPARED * (rings[first[thing + 1]] - rings[first[thing]])
        across, slab = 1 - slabs.axis[thing], slabs.first[thing]
        while simple and slab < slabs.first[thing + 1]:
            low, count = slabs.starts[slab], slabs.starts[slab + 1] - slabs.starts[slab]
            if count > FEW:
                # In the order of where they begin along the slab, so that each is compared with those that overlap it.
                begins, order = np.empty(count), np.empty(count, dtype=np.int64)
                for m in range(count):
                    e = slabs.edges[low + m]
                    begins[m] = min(points[e, across], points[e + 1, across])
                order_by(begins, order)
                for m in range(count):
                    order[m] = slabs.edges[low + order[m]]
                for m in range(count):
                    slabs.edges[low + m] = order[m]
            m = 0
            while simple and m < count:
                e, n = slabs.edges[low + m], m + 1
                end = max(points[e, across], points[e + 1, across]) if count > FEW else math.inf
                while simple and n < count:
                    f = slabs.edges[low + n]
                    if min(points[f, across], points[f + 1, across]) > end:
                        break
                    if abs(f - e) != 1 and not _are_apart(points, e, e + 1, f, f + 1, h):
                        simple = _are_ends(regions, thing, min(e, f), max(e, f))
                    n += 1
                left -= n - m
                simple = simple and left >= 0
                m += 1
            slab += 1
        ring = first[thing]
        while simple and first[thing + 1] - first[thing] > 1 and ring < first[thing + 1]:
            simple = _crossings_odd(regions, thing, ring, h) == (1 if ring > first[thing] else 0)
            ring += 1
        out_simple[thing] = simple


@kernel
def _are_ends(regions: Regions, thing: int, e: int, f: int) -> bool:
    """Tell whether two edges are the first and the last of one ring, and so neighbours."""
    rings, first = regions.rings.rings, regions.rings.first
    for ring in range(first[thing], first[thing + 1]):
        if rings[ring] == e:
            return bool(rings[ring + 1] == f + 2)
    return False


@kernel
def _crossings_odd(regions: Regions, thing: int, ring: int, h: Floats) -> int:
    """Tell whether a line from the first point of a ring crosses the other rings an odd number of times, or UNSURE."""
    points, slabs = regions.rings.points, regions.slabs
    begin, end = regions.rings.rings[ring], regions.rings.rings[ring + 1]
    axis = slabs.axis[thing]
    u, v = points[begin, 1 - axis], points[begin, axis]
    slab, odd = slab_of(slabs, thing, v), 0
    for i in range(slabs.starts[slab], slabs.starts[slab + 1]):
        e = slabs.edges[i]
        if begin <= e < end or (points[e, axis] > v) == (points[e + 1, axis] > v):
            continue
        if u < min(points[e, 1 - axis], points[e + 1, 1 - axis]):
            odd = 1 - odd
        elif u <= max(points[e, 1 - axis], points[e + 1, 1 - axis]):
            side = turn(points, e, e + 1, begin, h)
            if side == UNSURE:
                return UNSURE
            # Seen with the axes changed, left is right.
            if ((side > 0) == (axis == 1)) == (points[e + 1, axis] > points[e, axis]):
                odd = 1 - odd
    return odd
