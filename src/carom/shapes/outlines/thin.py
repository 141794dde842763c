"""Convex cells that are thinner than rounding, joined to their neighbours.

In: the cells of a region as edges that name the one after them and the one across. Out: the same with fewer cells, and
the corners that the joined cells are made without: each lies within the reach of the edge that then passes it. Of a
turned T, or of two walls in line, corners that were on one line lie a rounding beside it, on either side: exact
triangles between them are needles of no width. A region that is as thin as these all over stays as it is. Any frame.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.sure_turns import turn
from carom.tolerances import EPSILON

REACH = 8.0 * EPSILON
"""Of the largest coordinate, as for straight corners of a convex outline (`clean_convex`)."""


@kernel
def absorb_thin(
    points: Floats,
    begin: int,
    count: int,
    corner: Integers,
    following: Integers,
    before: Integers,
    twin: Integers,
    gone: Booleans,
    left_out: Booleans,
    h: Floats,
) -> None:
    """Join each cell that is thinner than the reach to a neighbour, across its longest edge for which that can be.

    `corner` are numbers of points from `begin` on, `gone` the edges that are inside cells; `left_out` gets the corners,
    by the edges that leave them, which joined cells go without.
    """
    largest = 0.0
    for k in range(begin, begin + count):
        largest = max(largest, abs(points[k, 0]), abs(points[k, 1]))
    reach, edges = REACH * largest, corner.shape[0]
    seen, changed = np.empty(edges, dtype=np.bool_), True
    while changed:
        changed = False
        for k in range(edges):
            seen[k] = gone[k]
        for k in range(edges):
            if seen[k] or gone[k]:
                continue
            at = k
            while not seen[at]:
                seen[at], at = True, following[at]
            if is_thin(points, begin, corner, following, k, reach):
                changed = absorb(points, begin, corner, following, before, twin, gone, left_out, reach, k, h) or changed


@inner
def is_thin(points: Floats, begin: int, corner: Integers, following: Integers, cell: int, reach: float) -> bool:
    """Tell whether a cell, named by one of its edges, may be thinner than the reach, and is not twice as wide."""
    x, y = points[begin + corner[cell], 0], points[begin + corner[cell], 1]
    area, low_x, high_x, low_y, high_y = 0.0, 0.0, 0.0, 0.0, 0.0
    at = cell
    while True:
        p, q = begin + corner[at], begin + corner[following[at]]
        px, py = points[p, 0] - x, points[p, 1] - y
        area += px * (points[q, 1] - y) - py * (points[q, 0] - x)
        low_x, high_x, low_y, high_y = min(low_x, px), max(high_x, px), min(low_y, py), max(high_y, py)
        at = following[at]
        if at == cell:
            break
    width, height = high_x - low_x, high_y - low_y
    # A convex cell is at least as wide as its area over its diameter.
    return bool(area <= 2.0 * reach * math.sqrt(width * width + height * height))


@kernel
def absorb(
    points: Floats,
    begin: int,
    corner: Integers,
    following: Integers,
    before: Integers,
    twin: Integers,
    gone: Booleans,
    left_out: Booleans,
    reach: float,
    cell: int,
    h: Floats,
) -> bool:
    """Join a cell, named by one of its edges, to a neighbour that is not thin; tell whether that can be."""
    longest, last = np.inf, -1
    while True:
        e, square, at = -1, -1.0, cell
        while True:  # the longest edge that is shorter than those tried
            p, q = begin + corner[at], begin + corner[following[at]]
            dx, dy = points[p, 0] - points[q, 0], points[p, 1] - points[q, 1]
            length = dx * dx + dy * dy
            untried = length < longest or (length == longest and at > last)
            if twin[at] >= 0 and untried and length > square:
                e, square = at, length
            at = following[at]
            if at == cell:
                break
        if e < 0:
            return False
        longest, last = square, e
        f = twin[e]
        if is_thin(points, begin, corner, following, f, reach):
            continue
        e_next, f_next, e_last, f_last = following[e], following[f], before[e], before[f]
        following[e_last], before[f_next] = f_next, e_last
        following[f_last], before[e_next] = e_next, f_last
        if straighten(points, begin, corner, following, left_out, reach, f_next, h):
            gone[e] = gone[f] = True
            return True
        following[e_last], before[f_next] = e, f
        following[f_last], before[e_next] = f, e


@kernel
def straighten(
    points: Floats,
    begin: int,
    corner: Integers,
    following: Integers,
    left_out: Booleans,
    reach: float,
    start: int,
    h: Floats,
) -> bool:
    """Tell whether a cell is strictly convex without corners that lie within the reach, and mark these."""
    count, at = 1, following[start]
    while at != start:
        count, at = count + 1, following[at]
    edge = np.empty(count, dtype=np.int64)
    last, after, waiting = (
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(3 * count, dtype=np.int64),
    )
    stays = np.ones(count, dtype=np.bool_)
    at = start
    for k in range(count):
        edge[k], last[k], after[k], waiting[k] = at, (k + count - 1) % count, (k + 1) % count, count - 1 - k
        at = following[at]
    top, left = count, count
    while top > 0 and left > 2:
        top -= 1
        k = waiting[top]
        if not stays[k]:
            continue
        p, v, n = begin + corner[edge[last[k]]], begin + corner[edge[k]], begin + corner[edge[after[k]]]
        if turn(points, p, v, n, h) == 1:
            continue
        if distance_to(points, v, p, n) > reach:
            return False
        stays[k] = False
        left -= 1
        after[last[k]], last[after[k]] = after[k], last[k]
        waiting[top], waiting[top + 1] = after[k], last[k]
        top += 2
    if left < 3:
        return False
    for k in range(count):
        if not stays[k]:  # many small steps must not make a large one
            p, n = last[k], after[k]
            while not stays[p]:
                p = last[p]
            while not stays[n]:
                n = after[n]
            p, n = begin + corner[edge[p]], begin + corner[edge[n]]
            if distance_to(points, begin + corner[edge[k]], p, n) > 2.0 * reach:
                return False
    for k in range(count):
        left_out[edge[k]] = not stays[k]
    return True


@inner
def distance_to(points: Floats, v: int, p: int, n: int) -> float:
    """Return the distance from a point to the segment between two others, to a few roundings."""
    ex, ey = points[n, 0] - points[p, 0], points[n, 1] - points[p, 1]
    fx, fy = points[v, 0] - points[p, 0], points[v, 1] - points[p, 1]
    square = ex * ex + ey * ey
    share = min(max((fx * ex + fy * ey) / square, 0.0), 1.0) if square > 0.0 else 0.0
    gx, gy = fx - share * ex, fy - share * ey
    distance = math.sqrt(gx * gx + gy * gy)
    if 0.0 < share < 1.0:
        distance = abs(fx * ey - fy * ex) / math.sqrt(square)
    return distance
