"""From the rings of a region to the edges of its boundary, by one sweep: what `boundary` does, in one kernel.

In: an outline and its holes, which may touch themselves and one another. Out: the edges of the boundary, each with the
one that goes on from its end, region on the left; or the fault that two rings have. The sweep is that of `sweep`, with
edges divided where points lie on them, edges on one another added up, and above each edge the number of times that the
rings go round. Every sign is exact. Any frame.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.selection import order_by_two
from carom._core.types import Floats, Integers
from carom.shapes.outlines.sure_turns import LEAST_COORDINATE, SHORTEST, SUMS, turn
from carom.shapes.outlines.sweep import AFTER, BEFORE, HIGHER, LEFT, LOWER, RIGHT, SWEEP, UP, put_in, take_out
from carom.tolerances import EPSILON, SMALLEST_SQUARE

LOW, HIGH, WAY, SIDE, NEXT_START, FOLLOWS, UNDER = range(7)
"""Columns of an edge: the places where it begins and ends, in the order of x, then y; 1 if the region is above it, -1
below, 0 where it cancels with another; the side of a ring that it is of; the next edge that begins at its place; the
edge that goes on from its end; and, where the region lies below the place it leaves, the edge there."""
EDGE = 7

OF_EDGE, ROUND, HELPER = SWEEP, SWEEP + 1, SWEEP + 2
"""Further columns of an edge at the sweep line: which it is, how often the rings go round just above it, and the last
place that has nothing but the region between it and the edge."""

FINE, DOUBT, CROSS, ALONG, MEET, OUTSIDE = range(6)
"""The result: a boundary; signs in doubt; or the fault: sides cross, run along each other, cross at a place, or go
round a place that is not inside."""


@kernel
def windings(points: Floats, first: Integers, out: Integers) -> None:
    """Tell which rings go counter-clockwise, 1, or clockwise, -1; 0 where that is in doubt."""
    for ring in range(first.shape[0] - 1):
        begin, count = first[ring], first[ring + 1] - first[ring]
        total, magnitude = 0.0, 0.0
        for k in range(count):
            here, after = begin + k, begin + (k + 1 if k + 1 < count else 0)
            left = (points[here, 0] - points[begin, 0]) * (points[after, 1] - points[begin, 1])
            right = (points[here, 1] - points[begin, 1]) * (points[after, 0] - points[begin, 0])
            total += left - right
            magnitude += abs(left) + abs(right)
        sure = magnitude > SMALLEST_SQUARE and abs(total) > (count + 4) * EPSILON * magnitude
        out[ring] = 0 if not sure else (1 if total > 0.0 else -1)


@kernel
def find_places(points: Floats, out_place: Integers, out_first: Integers, out_places: Floats) -> int:
    """Number the places of points in the order of x, then y; return how many there are.

    `out_first` gets the first point at each place.
    """
    count = points.shape[0]
    xs, ys, order = np.empty(count), np.empty(count), np.empty(count, dtype=np.int64)
    for k in range(count):
        xs[k], ys[k] = points[k, 0], points[k, 1]
    order_by_two(xs, ys, order)
    found = 0
    for m in range(count):
        k = order[m]
        if m == 0 or xs[k] != xs[order[m - 1]] or ys[k] != ys[order[m - 1]]:
            out_first[found], out_places[found, 0], out_places[found, 1] = k, xs[k], ys[k]
            found += 1
        out_place[k] = found - 1
    return found


@kernel
def arrange(
    points: Floats,
    first: Integers,
    place: Integers,
    places: Floats,
    edges: Integers,
    cuts: Integers,
    fault: Integers,
) -> tuple[int, int]:
    """Find the boundary of a region, and where to cut it into pieces without holes.

    Cut along them all, the region is in pieces that every line x = c meets in one stretch, if no rings touch. Source:
    M. de Berg et al., Computational Geometry, 3rd edition 2008, section 3.2.

    Parameters
    ----------
    points : (n, 2) float64
        The outline, then the holes, all counter-clockwise, without needless points.
    first : (rings + 1,) int64
        Where each ring begins.
    place : (n,) int64
    places : (p, 2) float64
        From `find_places`.
    edges : (4 n, EDGE) int64
        Gets the edges.
    cuts : (2 p, 2) int64
        Gets pairs of places that see each other within the region.
    fault : (4,) int64
        Gets what is found, the two sides that have a fault, numbered by their first points, and the place.

    Returns
    -------
    int
        How many edges are written; the `WAY` of those that cancel is 0.
    int
        How many cuts are written.
    """
    count, most = places.shape[0], edges.shape[0]
    h = np.empty(SUMS)
    starts, ends = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    joins = np.empty(count, dtype=np.bool_)  # places where a gap in the region ends
    used, cut, fault[0] = 0, 0, FINE
    for v in range(count):
        starts[v] = ends[v] = -1
        if 0.0 < abs(places[v, 0]) < LEAST_COORDINATE or 0.0 < abs(places[v, 1]) < LEAST_COORDINATE:
            fault[0] = DOUBT
    for ring in range(first.shape[0] - 1):
        for k in range(first[ring], first[ring + 1]):
            after = k + 1 if k + 1 < first[ring + 1] else first[ring]
            a, b = place[k], place[after]
            length = max(abs(points[after, 0] - points[k, 0]), abs(points[after, 1] - points[k, 1]))
            if length < SHORTEST:
                fault[0] = DOUBT
            way = 1 if (a < b) == (ring == 0) else -1
            used = add_edge(edges, used, starts, min(a, b), max(a, b), way, k)
    nodes = used + 1
    sweep, free = np.empty((nodes + 1, SWEEP + 3), dtype=np.int64), np.empty(nodes, dtype=np.int64)
    for k in range(nodes):
        free[k], sweep[k, RIGHT] = k, -1
    left, top = nodes, nodes
    sweep[top, LOWER] = sweep[top, UP] = -1
    fan, group, around = (
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
        np.empty(2 * nodes, dtype=np.int64),
    )
    v = 0
    while v < count and (fault[0] == FINE or fault[0] == OUTSIDE):
        # The edges at the sweep line that this place lies on, from low to high, and those beside them.
        below, above, node = -1, -1, -1
        if ends[v] >= 0 and sweep[ends[v], RIGHT] == v:
            node = ends[v]
        else:
            at = sweep[top, LOWER]
            while at >= 0 and node < 0:
                side = turn_to(places, sweep, at, v, h)
                if side == 1:
                    below, at = at, sweep[at, HIGHER]
                elif side == -1:
                    above, at = at, sweep[at, LOWER]
                else:
                    node = at
        ended = 0
        if node >= 0:
            below = sweep[node, BEFORE]
            while below >= 0 and turn_to(places, sweep, below, v, h) == 0:
                node, below = below, sweep[below, BEFORE]
            above = node
            while above >= 0 and (above == node or turn_to(places, sweep, above, v, h) == 0):
                group[ended] = above
                ended += 1
                above = sweep[above, AFTER]
        # Edges that go through are divided here.
        if used + ended + 2 > most:
            fault[0] = DOUBT
            break
        for m in range(ended):
            node = group[m]
            if sweep[node, RIGHT] != v:
                edge = sweep[node, OF_EDGE]
                used = add_edge(edges, used, starts, v, edges[edge, HIGH], edges[edge, WAY], edges[edge, SIDE])
                edges[edge, HIGH] = v
        begun = order_fan(places, edges, starts, v, fan, fault, h)
        if fault[0] == ALONG:
            break
        # Round a place, edges that leave and edges that come in alternate: each that comes in goes on in the next.
        beneath = below
        while beneath >= 0 and edges[sweep[beneath, OF_EDGE], WAY] == 0:
            beneath = sweep[beneath, BEFORE]
        within = beneath >= 0 and edges[sweep[beneath, OF_EDGE], WAY] > 0
        joins[v] = within and begun == 0
        if within and (ended == 0 or joins[sweep[beneath, HELPER]]) and cut < cuts.shape[0]:
            cuts[cut, 0], cuts[cut, 1] = sweep[beneath, HELPER], v
            cut += 1
        for m in range(ended):
            node = group[m]
            if edges[sweep[node, OF_EDGE], WAY] > 0 and joins[sweep[node, HELPER]] and cut < cuts.shape[0]:
                cuts[cut, 0], cuts[cut, 1] = sweep[node, HELPER], v
                cut += 1
        if within:
            sweep[beneath, HELPER] = v
        total, alone = 0, True
        for m in range(begun):
            if edges[fan[m], WAY] != 0:
                around[total] = fan[m]
                total += 1
        for m in range(ended - 1, -1, -1):
            edge = sweep[group[m], OF_EDGE]
            if edges[edge, WAY] != 0:
                around[total], alone = edge, False
                total += 1
        for m in range(total):
            edge, other = around[m], around[m - 1 if m > 0 else total - 1]
            leaves, other_leaves = leaves_from(edges, edge, v), leaves_from(edges, other, v)
            if leaves == other_leaves and fault[0] != MEET:
                one, two = edges[edge, SIDE], edges[other, SIDE]
                fault[0], fault[1], fault[2], fault[3] = MEET, min(one, two), max(one, two), v
            if leaves or not other_leaves:
                continue
            edges[edge, FOLLOWS] = other
            if m == 0 and alone:
                edges[other, UNDER] = sweep[beneath, OF_EDGE] if beneath >= 0 else -1
        if fault[0] == MEET:
            break
        # The edges that begin take the places of those that end.
        before, wound = below, sweep[below, ROUND] if below >= 0 else 0
        for m in range(max(begun, ended)):
            if m >= begun:
                take_out(sweep, group[m])
                sweep[group[m], RIGHT] = -1
                free[left] = group[m]
                left += 1
                continue
            if m < ended:
                node = group[m]
            else:
                left -= 1
                node = free[left]
                put_in(sweep, top, before, node, above)
            edge = fan[m]
            wound += edges[edge, WAY]
            if (wound < 0 or wound > 1) and fault[0] == FINE:
                fault[0], fault[1], fault[2], fault[3] = OUTSIDE, edges[edge, SIDE], edges[edge, SIDE], v
            sweep[node, LEFT], sweep[node, RIGHT] = v, edges[edge, HIGH]
            sweep[node, OF_EDGE], sweep[node, ROUND], sweep[node, HELPER] = edge, wound, v
            ends[edges[edge, HIGH]] = node
            before = node
        if begun == 0:
            note_cross(places, edges, sweep, below, above, fault, h)
        else:
            note_cross(places, edges, sweep, below, sweep[below, AFTER] if below >= 0 else -1, fault, h)
            note_cross(places, edges, sweep, before, above, fault, h)
        v += 1
    return used, cut


@inner
def add_edge(edges: Integers, used: int, starts: Integers, low: int, high: int, way: int, side: int) -> int:
    """Write an edge among those that begin at its lower place, and return how many there are now."""
    edges[used, LOW], edges[used, HIGH], edges[used, WAY], edges[used, SIDE] = low, high, way, side
    edges[used, NEXT_START], edges[used, FOLLOWS], edges[used, UNDER] = starts[low], -1, -1
    starts[low] = used
    return used + 1


@inner
def turn_to(places: Floats, sweep: Integers, node: int, v: int, h: Floats) -> int:
    """Return on which side of an edge at the sweep line a place lies: 1 above, -1 below, 0 on it."""
    if sweep[node, RIGHT] == v:
        return 0
    return turn(places, sweep[node, LEFT], sweep[node, RIGHT], v, h)


@kernel
def order_fan(
    places: Floats, edges: Integers, starts: Integers, v: int, fan: Integers, fault: Integers, h: Floats
) -> int:
    """Write the edges that begin at a place, from low to high, and return how many there are.

    Where edges go the same way the nearest one counts for all, and the others begin at its end.
    """
    begun, edge = 0, starts[v]
    while edge >= 0:
        following, at, merged = edges[edge, NEXT_START], begun, False
        while at > 0:
            other = fan[at - 1]
            side = turn(places, v, edges[other, HIGH], edges[edge, HIGH], h)
            if edges[other, HIGH] == edges[edge, HIGH] or side == 0:
                near, far = (other, edge) if edges[other, HIGH] <= edges[edge, HIGH] else (edge, other)
                if edges[near, HIGH] < edges[far, HIGH]:
                    end = edges[near, HIGH]
                    edges[far, LOW], edges[far, NEXT_START], starts[end] = end, starts[end], far
                if edges[near, WAY] != 0 and edges[near, WAY] == edges[far, WAY]:
                    one, two = min(edges[near, SIDE], edges[far, SIDE]), max(edges[near, SIDE], edges[far, SIDE])
                    if fault[0] != ALONG or one < fault[1]:
                        fault[0], fault[1], fault[2], fault[3] = ALONG, one, two, v
                if edges[near, WAY] == 0:
                    edges[near, SIDE] = edges[far, SIDE]
                edges[near, WAY] += edges[far, WAY]
                if edges[near, HIGH] == edges[far, HIGH]:
                    edges[far, WAY] = 0
                fan[at - 1], merged = near, True
                break
            if side == 1:
                break
            at -= 1
        if not merged:
            for k in range(begun, at, -1):
                fan[k] = fan[k - 1]
            fan[at] = edge
            begun += 1
        edge = following
    return begun


@inner
def leaves_from(edges: Integers, edge: int, v: int) -> bool:
    """Tell whether an edge leads away from one of its ends."""
    return bool((edges[edge, LOW] == v) == (edges[edge, WAY] > 0))


@inner
def note_cross(
    places: Floats, edges: Integers, sweep: Integers, one: int, other: int, fault: Integers, h: Floats
) -> None:
    """Write the fault of two edges next to each other at the sweep line if they cross."""
    if one >= 0 and other >= 0:
        a, b, c, d = sweep[one, LEFT], sweep[one, RIGHT], sweep[other, LEFT], sweep[other, RIGHT]
        if not (a == c or b == d):
            start, end = turn(places, a, b, c, h), turn(places, a, b, d, h)
            if start * end < 0:
                start, end = turn(places, c, d, a, h), turn(places, c, d, b, h)
                if start * end < 0:
                    i, j = edges[sweep[one, OF_EDGE], SIDE], edges[sweep[other, OF_EDGE], SIDE]
                    fault[0], fault[1], fault[2] = CROSS, min(i, j), max(i, j)
