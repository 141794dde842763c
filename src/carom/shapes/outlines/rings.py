"""From single edges to rings: the outlines of regions and their holes.

In: directed edges, each with the number of its region, which lies where x turns to y. Out: for each region one outline
and its holes, corners only. A ring goes through each of its points once, as OGC's simple features ask: where a region
touches itself at a point, the gap that it encloses there is a hole. Edges must not touch one another but at their ends,
and such a point stays a corner of both rings, also of one that goes straight on there: they meet in it at any scale.
Exact for coordinates whose products are. Any frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from carom._core.types import Booleans, Floats, Integers


class Rings(NamedTuple):
    """Rings, one behind the other; of each region first the outline, then the holes, which go round the other way."""

    points: Floats  # (v, 2)
    first: Integers  # (r + 1,): where each begins
    region: Integers  # (r,)


def trace(start: Floats, end: Floats, region: Integers) -> Rings:
    """Return the rings that edges make; each region's edges must close.

    Each ring begins at the first of its edges, and the holes of a region are in the order of their first edges.
    """
    following, shared = _next(start, end, region)
    order, first = cycles(following.tolist(), bytearray(following.size))
    straight = _straight(start, end, following)
    corner = np.empty(order.size, dtype=np.bool_)
    corner[following] = ~straight  # whether the edge's first point is a corner
    corner[shared] = True
    kept = corner[order]
    points = start[order][kept]
    sizes = np.add.reduceat(kept.astype(np.int64), first) if first.size else np.zeros(0, dtype=np.int64)
    regions = region[order][first]
    first = np.append(0, np.cumsum(sizes))
    area = signed_areas(points, first)
    ranked = np.lexsort((area <= 0.0, regions))
    return Rings(*_reordered(points, first, ranked), regions[ranked])


def signed_areas(points: Floats, first: Integers) -> Floats:
    """Return twice the area of each ring, relative to its first point; negative where it goes round the other way."""
    sizes = np.diff(first)
    if not sizes.size:
        return np.zeros(0)
    local = points - np.repeat(points[first[:-1]], sizes, axis=0)
    following = np.arange(1, len(points) + 1)
    following[first[1:] - 1] = first[:-1]
    after = local[following]
    doubled: Floats = np.add.reduceat(local[:, 0] * after[:, 1] - local[:, 1] * after[:, 0], first[:-1])
    return doubled


def _next(start: Floats, end: Floats, region: Integers) -> tuple[Integers, Integers]:
    """Return for each edge the one that goes on where it ends, and the edges that begin where several do.

    Where several edges of a region go on from a point, the rays round it are sorted by angle: an edge that comes in
    turns into the next ray round, with nothing of the region between them.
    """
    n = len(start)
    both = np.concatenate((start, end))
    ranks = [np.unique(both[:, axis], return_inverse=True) for axis in (0, 1)]
    labels = np.unique(region, return_inverse=True)[1]
    key = (np.tile(labels, 2) * max(ranks[0][0].size, 1) + ranks[0][1]) * max(ranks[1][0].size, 1) + ranks[1][1]
    leaving, coming = np.argsort(key[:n], kind="stable"), np.argsort(key[n:], kind="stable")
    following = np.empty(n, dtype=np.int64)
    following[coming] = leaving
    places = key[:n][leaving]
    shared = np.zeros(n, dtype=np.bool_)
    again = places[1:] == places[:-1]
    shared[1:] |= again
    shared[:-1] |= again
    if shared.any():
        ins, outs = coming[shared], leaving[shared]
        rays = np.concatenate((start[ins] - end[ins], end[outs] - start[outs]))
        at = np.concatenate((places[shared], places[shared]))
        angle = np.arctan2(rays[:, 1], rays[:, 0])
        order = np.lexsort((angle, at))
        at = at[order]
        opens = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
        turn = np.arange(1, at.size + 1)
        turn[np.append(opens[1:], at.size) - 1] = opens
        edges = np.concatenate((ins, outs))[order]
        arriving = order < ins.size
        following[edges[arriving]] = edges[turn[arriving]]
    return following, leaving[shared]


def _straight(start: Floats, end: Floats, following: Integers) -> Booleans:
    """Tell for each edge whether the one after it goes on in its direction."""
    d = end - start
    e = d[following]
    result: Booleans = (d[:, 0] * e[:, 1] == d[:, 1] * e[:, 0]) & (d[:, 0] * e[:, 0] + d[:, 1] * e[:, 1] > 0.0)
    return result


def cycles(following: list[int], seen: bytearray) -> tuple[Integers, Integers]:
    """Return the edges ring by ring, and where each ring begins; those that are `seen` already are left out."""
    order: list[int] = []
    first: list[int] = []
    for k in range(len(following)):
        if seen[k]:
            continue
        first.append(len(order))
        while not seen[k]:
            seen[k] = 1
            order.append(k)
            k = following[k]
    return np.array(order, dtype=np.int64), np.array(first, dtype=np.int64)


def components(count: int, one: Integers, other: Integers) -> Integers:
    """Return for each of `count` things the least number of those it hangs together with through pairs."""
    label = np.arange(count)
    while True:
        a, b = label[one], label[other]
        apart = a != b
        if not apart.any():
            return label
        one, other, a, b = one[apart], other[apart], a[apart], b[apart]
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while True:
            further = label[label]
            if (further == label).all():
                break
            label = further


def _reordered(points: Floats, first: Integers, order: Integers) -> tuple[Floats, Integers]:
    """Return rings in another order."""
    sizes = np.diff(first)[order]
    begins = np.append(0, np.cumsum(sizes))
    rows = np.repeat(first[:-1][order] - begins[:-1], sizes) + np.arange(begins[-1])
    return points[rows], begins


def join_rings(parts: Sequence[Rings]) -> Rings:
    """Return several tables as one; regions are numbered anew, from 0."""
    regions, count = [np.zeros(0, dtype=np.int64)], 0
    for part in parts:
        names, numbers = np.unique(part.region, return_inverse=True)
        regions.append(numbers + count)
        count += names.size
    sizes = [np.zeros(0, dtype=np.int64), *[np.diff(part.first) for part in parts]]
    points = np.concatenate([np.zeros((0, 2)), *[part.points for part in parts]])
    return Rings(points, np.append(0, np.cumsum(np.concatenate(sizes))), np.concatenate(regions))


def counter_clockwise(rings: Rings) -> Rings:
    """Return all rings with positive area, holes too, each from its lowest corner, of several the one of least x."""
    points, first, regions = rings
    if not regions.size:
        return rings
    sizes = np.diff(first)
    ring = np.repeat(np.arange(sizes.size), sizes)
    place = np.arange(len(points)) - first[ring]
    backwards = (signed_areas(points, first) < 0.0)[ring]
    points = points[first[ring] + np.where(backwards, sizes[ring] - 1 - place, place)]
    lowest = np.lexsort((points[:, 0], points[:, 1], ring))[first[:-1]] - first[:-1]
    return Rings(points[first[ring] + (place + lowest[ring]) % sizes[ring]], first, regions)
