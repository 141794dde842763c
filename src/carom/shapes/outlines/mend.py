"""Triangles that nearly fill a region, made to fill it: corners on their edges that they have left out are put in.

In: triangles of a library that works in floats and leaves out corners which are nearly on a line; the corners. Out:
triangles that fit along whole edges, where only such corners were missing. Every sign is exact. Any frame.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.outlines.sure_turns import SUMS, turn

START, END, OWNER, NEXT, NEXT_IN = range(5)
"""Columns of an edge without its opposite: its ends; its triangle, -1 for the outside; the next such edge from its
start, and the next into its end."""

NEARLY_ON = 1e-10
"""Of the length of an edge: corners nearer to it may have been left out. Those of a library that rounds are far nearer,
and whatever is made of them is proved."""


@kernel
def mend_triangles(points: Floats, after: Integers, triangles: Integers, count: int) -> int:
    """Put corners in that lie beside an edge which leads past them; return how many triangles there are then.

    Beyond the edge the corner makes a new triangle with it, else it divides the one that is there. Each edge of a
    triangle has its opposite in the end, in another triangle or outside the boundary, of which `after` is the next
    corner. `triangles` has room for twice as many as there are, and one more for each corner.
    """
    corners, most = after.shape[0], triangles.shape[0]
    h, heads = np.empty(SUMS), np.empty((corners, 2), dtype=np.int64)
    edges = np.empty((3 * most + corners, 5), dtype=np.int64)
    used = 0
    for k in range(corners):
        heads[k, 0] = heads[k, 1] = -1
    for t in range(count):
        if turn(points, triangles[t, 0], triangles[t, 1], triangles[t, 2], h) == -1:
            triangles[t, 1], triangles[t, 2] = triangles[t, 2], triangles[t, 1]
        for k in range(3):
            used = add_loose(edges, heads, used, triangles[t, k], triangles[t, (k + 1) % 3], t)
    for k in range(corners):
        used = add_loose(edges, heads, used, after[k], k, -1)
    waiting, left = np.empty(2 * edges.shape[0], dtype=np.int64), 0
    for k in range(corners):
        at = heads[k, 0]
        while at >= 0:
            if edges[at, OWNER] >= 0:
                waiting[left] = at
                left += 1
            at = edges[at, NEXT]
    while left > 0 and count < most and used + 3 < edges.shape[0] and left + 2 < waiting.shape[0]:
        left -= 1
        edge = waiting[left]
        a, c, t = edges[edge, START], edges[edge, END], edges[edge, OWNER]
        if not is_loose(edges, heads, edge):
            continue
        other = beside(points, edges, heads, a, c)
        if other < 0:
            continue
        b = edges[other, END] if edges[other, START] == c else edges[other, START]
        apex = triangles[t, 0] + triangles[t, 1] + triangles[t, 2] - a - c
        take_loose(edges, heads, edge)
        one = other_one = count
        if turn(points, a, c, b, h) == -1:
            triangles[count, 0], triangles[count, 1], triangles[count, 2] = a, b, c
        else:
            triangles[t, 0], triangles[t, 1], triangles[t, 2] = a, b, apex
            triangles[count, 0], triangles[count, 1], triangles[count, 2] = b, c, apex
            one = t
            at = heads[c, 0]
            while at >= 0:
                if edges[at, END] == apex and edges[at, OWNER] == t:
                    edges[at, OWNER] = count
                at = edges[at, NEXT]
        count += 1
        before = used
        used = add_loose(edges, heads, used, a, b, one)
        used = add_loose(edges, heads, used, b, c, other_one)
        for k in range(before, used):
            waiting[left] = k
            left += 1
    return count


@inner
def add_loose(edges: Integers, heads: Integers, used: int, start: int, end: int, owner: int) -> int:
    """Take away the opposite of an edge, or note the edge; return how many have been noted."""
    at = heads[end, 0]
    while at >= 0:
        if edges[at, END] == start:
            take_loose(edges, heads, at)
            return used
        at = edges[at, NEXT]
    edges[used, START], edges[used, END], edges[used, OWNER] = start, end, owner
    edges[used, NEXT], edges[used, NEXT_IN] = heads[start, 0], heads[end, 1]
    heads[start, 0] = heads[end, 1] = used
    return used + 1


@inner
def take_loose(edges: Integers, heads: Integers, edge: int) -> None:
    """Take an edge out of those without their opposite."""
    for way in range(2):
        corner, following = edges[edge, START + way], NEXT + way
        if heads[corner, way] == edge:
            heads[corner, way] = edges[edge, following]
            continue
        at = heads[corner, way]
        while edges[at, following] != edge:
            at = edges[at, following]
        edges[at, following] = edges[edge, following]


@inner
def is_loose(edges: Integers, heads: Integers, edge: int) -> bool:
    """Tell whether an edge is still without its opposite."""
    at = heads[edges[edge, START], 0]
    while at >= 0 and at != edge:
        at = edges[at, NEXT]
    return bool(at == edge)


@inner
def beside(points: Floats, edges: Integers, heads: Integers, a: int, c: int) -> int:
    """Return a loose edge from the end of an edge, or into its start, whose other end is nearly on it; or -1."""
    found, ex, ey = -1, points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
    square = ex * ex + ey * ey
    least = NEARLY_ON * square
    for way in range(2):
        at = heads[c, 0] if way == 0 else heads[a, 1]
        while at >= 0:
            b = edges[at, END] if way == 0 else edges[at, START]
            fx, fy = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
            along, off = ex * fx + ey * fy, abs(ex * fy - ey * fx)
            if 0.0 < along < square and off < least:
                found, least = at, off
            at = edges[at, NEXT + way]
    return found
