"""Whether two things touch, or lie within a distance of each other: by their edges, without convex parts.

In: regions and lines with their edges in slabs, and pairs of them, or of points and them. Out: 1 for yes, 0 for no, or
UNSURE: where products could vanish, or a distance is within rounding of the one that is asked for, parts have to
decide. World frame, user's units.

Two things touch if two of their edges do, or if one is inside the other; then so is its first point. Of the one with
fewer edges those are looked at that reach into the box of the other, each with the other's edges in the same slabs.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel, uncounted_kernel
from carom._core.types import Floats, Integers, Rows32
from carom.narrow.region_sides import APART, side_of_point
from carom.shapes.outlines.sure_turns import UNSURE, turn_of
from carom.shapes.regions import Regions, slab_of
from carom.tolerances import CULL_ULPS, EPSILON

LEAST, MOST = 1e-100, 1e100
"""Sizes between which distances are told by floats: their squares and products keep their digits."""


@inner
def _edges_touch(points: Floats, e: int, others: Floats, f: int, h: Floats) -> int:
    """Return 1 if two edges have a point in common, 0 if not, or UNSURE."""
    ax, ay, bx, by = points[e, 0], points[e, 1], points[e + 1, 0], points[e + 1, 1]
    cx, cy, dx, dy = others[f, 0], others[f, 1], others[f + 1, 0], others[f + 1, 1]
    one, other = turn_of(ax, ay, bx, by, cx, cy, h), turn_of(ax, ay, bx, by, dx, dy, h)
    if one == other and (one == 1 or one == -1):
        return 0
    if one == UNSURE or other == UNSURE:
        return UNSURE
    one, other = turn_of(cx, cy, dx, dy, ax, ay, h), turn_of(cx, cy, dx, dy, bx, by, h)
    if one == UNSURE or other == UNSURE:
        return UNSURE
    if one == 0 and other == 0:  # on one line, where boxes tell
        along = min(ax, bx) <= max(cx, dx) and min(cx, dx) <= max(ax, bx)
        return 1 if along and min(ay, by) <= max(cy, dy) and min(cy, dy) <= max(ay, by) else 0
    return 0 if one == other else 1


@inner
def point_gap(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    """Return the distance of a point from an edge: the same whichever way the edge goes, so that neighbours tie."""
    if bx < ax or (bx == ax and by < ay):
        ax, ay, bx, by = bx, by, ax, ay
    ex, ey, wx, wy = bx - ax, by - ay, x - ax, y - ay
    along, length = wx * ex + wy * ey, ex * ex + ey * ey
    if along <= 0.0:
        return math.sqrt(wx * wx + wy * wy)
    if along >= length:
        return math.sqrt((x - bx) * (x - bx) + (y - by) * (y - by))
    if ex == 0.0 or ey == 0.0:
        return abs(wx if ex == 0.0 else wy)
    return abs(ex * wy - ey * wx) / math.sqrt(length)


@inner
def edge_gap(points: Floats, e: int, others: Floats, f: int) -> float:
    """Return the least distance of an end of one of two edges from the other one; they do not cross."""
    ax, ay, bx, by = points[e, 0], points[e, 1], points[e + 1, 0], points[e + 1, 1]
    cx, cy, dx, dy = others[f, 0], others[f, 1], others[f + 1, 0], others[f + 1, 1]
    one = min(point_gap(ax, ay, bx, by, cx, cy), point_gap(ax, ay, bx, by, dx, dy))
    return min(one, point_gap(cx, cy, dx, dy, ax, ay), point_gap(cx, cy, dx, dy, bx, by))


@inner
def _band(size: float, reach: float) -> float:
    """Return by how much rounding may change a distance of about `reach` between things of a size; inf: any."""
    whole = size + reach
    return CULL_ULPS * EPSILON * whole if LEAST < whole < MOST else math.inf


@inner
def _extent(bounds: Floats, k: int) -> float:
    extent: float = (bounds[k, 2] - bounds[k, 0]) + (bounds[k, 3] - bounds[k, 1])
    return extent


@kernel
def point_is_near(regions: Regions, thing: int, x: float, y: float, reach: float, h: Floats) -> int:
    """Tell whether a point is in a thing, or no farther from it than a distance."""
    points, slabs = regions.rings.points, regions.slabs
    side = side_of_point(regions, thing, x, y, h)
    if side != APART:
        return UNSURE if side == UNSURE else 1
    band = _band(_extent(regions.bounds, thing), reach)
    v = y if slabs.axis[thing] == 1 else x
    found = 0
    first, last = slab_of(slabs, thing, v - reach - band), slab_of(slabs, thing, v + reach + band)
    for i in range(slabs.starts[first], slabs.starts[last + 1]):
        e = slabs.edges[i]
        gap = point_gap(points[e, 0], points[e, 1], points[e + 1, 0], points[e + 1, 1], x, y)
        if gap < reach - band:
            return 1
        if not gap > reach + band:
            found = UNSURE
    return found


@kernel
def _edges_meet(a: Regions, i: int, b: Regions, j: int, reach: float, h: Floats) -> int:
    """Tell whether an edge of one thing touches one of another, or is no farther from it than a distance."""
    points, others, slabs, theirs = a.rings.points, b.rings.points, a.slabs, b.slabs
    band = _band(_extent(a.bounds, i) + _extent(b.bounds, j), reach) if reach > 0.0 else 0.0
    room, found = reach + band, 0
    low_x, low_y = max(a.bounds[i, 0], b.bounds[j, 0] - room), max(a.bounds[i, 1], b.bounds[j, 1] - room)
    high_x, high_y = min(a.bounds[i, 2], b.bounds[j, 2] + room), min(a.bounds[i, 3], b.bounds[j, 3] + room)
    if not (low_x <= high_x and low_y <= high_y):
        return 0
    own, axis = slabs.axis[i], theirs.axis[j]
    begin = slab_of(slabs, i, low_y if own == 1 else low_x)
    end = slab_of(slabs, i, high_y if own == 1 else high_x)
    for slab in range(begin, end + 1):
        for m in range(slabs.starts[slab], slabs.starts[slab + 1]):
            e = slabs.edges[m]
            left, right = min(points[e, 0], points[e + 1, 0]) - room, max(points[e, 0], points[e + 1, 0]) + room
            below, above = min(points[e, 1], points[e + 1, 1]) - room, max(points[e, 1], points[e + 1, 1]) + room
            if left > b.bounds[j, 2] or right < b.bounds[j, 0] or below > b.bounds[j, 3] or above < b.bounds[j, 1]:
                continue
            # An edge in several slabs is looked at in the first of them.
            if slab > begin and slab_of(slabs, i, min(points[e, own], points[e + 1, own])) < slab:
                continue
            first = slab_of(theirs, j, below if axis == 1 else left)
            last = slab_of(theirs, j, above if axis == 1 else right)
            for n in range(theirs.starts[first], theirs.starts[last + 1]):
                f = theirs.edges[n]
                if (
                    min(others[f, 0], others[f + 1, 0]) > right
                    or max(others[f, 0], others[f + 1, 0]) < left
                    or min(others[f, 1], others[f + 1, 1]) > above
                    or max(others[f, 1], others[f + 1, 1]) < below
                ):
                    continue
                if reach > 0.0:
                    gap = edge_gap(points, e, others, f)
                    if gap < reach - band:
                        return 1
                    if not gap > reach + band:
                        found = UNSURE
                touch = _edges_touch(points, e, others, f, h)
                if touch == 1:
                    return 1
                found = UNSURE if touch == UNSURE else found
    return found


@kernel
def _side(regions: Regions, thing: int, x: float, y: float, h: Floats) -> int:
    return side_of_point(regions, thing, x, y, h)


@kernel
def things_meet(a: Regions, i: int, b: Regions, j: int, reach: float, h: Floats) -> int:
    """Tell whether two things touch, or one is no farther from the other than a distance."""
    mine = a.rings.rings[a.rings.first[i + 1]] - a.rings.rings[a.rings.first[i]]
    theirs = b.rings.rings[b.rings.first[j + 1]] - b.rings.rings[b.rings.first[j]]
    found = _edges_meet(a, i, b, j, reach, h) if mine <= theirs else _edges_meet(b, j, a, i, reach, h)
    if found != 0:
        return found
    if b.rings.filled[j]:
        k = a.rings.rings[a.rings.first[i]]
        side = _side(b, j, a.rings.points[k, 0], a.rings.points[k, 1], h)
        if side != APART:
            return UNSURE if side == UNSURE else 1
    if a.rings.filled[i]:
        k = b.rings.rings[b.rings.first[j]]
        side = _side(a, i, b.rings.points[k, 0], b.rings.points[k, 1], h)
        if side != APART:
            return UNSURE if side == UNSURE else 1
    return 0


@uncounted_kernel
def decide_points(
    places: Floats, i: Rows32, regions: Regions, j: Rows32, reach: float, h: Floats, out: Integers
) -> None:
    """Write whether the point and the thing of each pair meet."""
    for k in range(i.shape[0]):
        if reach > 0.0:
            out[k] = point_is_near(regions, j[k], places[i[k], 0], places[i[k], 1], reach, h)
        else:
            side = side_of_point(regions, j[k], places[i[k], 0], places[i[k], 1], h)
            out[k] = UNSURE if side == UNSURE else (1 if side <= 0 else 0)


@uncounted_kernel
def decide_things(a: Regions, i: Rows32, b: Regions, j: Rows32, reach: float, h: Floats, out: Integers) -> None:
    """Write whether the two things of each pair meet."""
    for k in range(i.shape[0]):
        out[k] = things_meet(a, i[k], b, j[k], reach, h)
