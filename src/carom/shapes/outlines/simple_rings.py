"""Which of many outlines are surely simple, and the convex cells that triangles of these join to: one kernel a stage.

In: outlines without holes, one behind the other; triangles. Out: which are surely in order (no needless point, no two
edges that touch but neighbours at their end); the cells. Every sign is exact: floats decide where they are beyond the
error bound of their determinant, else sums without rounding. Any frame.
"""

from __future__ import annotations

import numpy as np

from carom._core.arithmetic import add_product, set_sum, sign_of
from carom._core.jit import inner, kernel
from carom._core.selection import order_by
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.clean_convex import _FILTER
from carom.tolerances import SMALLEST_SQUARE

UNSURE = 2
"""In place of a sign."""

SUMS = 64
"""Room for exact sums."""

LEAST_COORDINATE = 1e-120
"""Of smaller numbers, other than 0, products lose digits."""

SHORTEST = 1e-100
"""Edges shorter than this are left to the exact way."""


@inner
def turn(points: Floats, a: int, b: int, c: int, h: Floats) -> int:
    """Return the sign of the turn a, b, c: 1 counter-clockwise, -1 clockwise, 0 straight on or back, or UNSURE.

    `h` is room for exact sums.
    """
    ex, ey = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    fx, fy = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
    left, right = ex * fy, ey * fx
    determinant, magnitude = left - right, abs(left) + abs(right)
    if magnitude > SMALLEST_SQUARE and abs(determinant) > _FILTER * magnitude:
        return 1 if determinant > 0.0 else -1
    # A difference is 0 only where it is exact.
    if (ex == 0.0 or fy == 0.0) and (ey == 0.0 or fx == 0.0):
        return 0
    return exact_turn(points, a, b, c, h)


@kernel
def exact_turn(points: Floats, a: int, b: int, c: int, h: Floats) -> int:
    """Return the sign of a turn from exact sums, or UNSURE where their last terms could vanish."""
    for axis in range(2):
        for place in (a, b, c):
            if 0.0 < abs(points[place, axis]) < LEAST_COORDINATE:
                return UNSURE
        set_sum(h, 8 * axis, points[b, axis], -points[a, axis], 0.0, 0.0)
        set_sum(h, 16 + 8 * axis, points[c, axis], -points[a, axis], 0.0, 0.0)
    h[32] = 0.0
    add_product(h, 32, 0, 24, 1.0)
    add_product(h, 32, 8, 16, -1.0)
    return sign_of(h, 32)


@inner
def is_beside(points: Floats, a: int, b: int, c: int, d: int, h: Floats) -> bool:
    """Tell whether c and d lie on one side of the line through a and b."""
    one = turn(points, a, b, c, h)
    return bool((one == 1 or one == -1) and turn(points, a, b, d, h) == one)


@kernel
def order_simple(
    points: Floats, first: Integers, out_simple: Booleans, out_turned: Booleans, out_inward: Integers
) -> None:
    """Tell which outlines are surely simple and how many corners go inward; turn those that go clockwise.

    Their first point stays the first.
    """
    h = np.empty(SUMS)
    for ring in range(out_simple.shape[0]):
        begin, count = first[ring], first[ring + 1] - first[ring]
        out_simple[ring] = out_turned[ring] = False
        simple, least, right = count >= 3, begin, 0
        for k in range(count):
            p, v, n = begin + k, begin + (k + 1) % count, begin + (k + 2) % count
            sign = turn(points, p, v, n, h)
            length = max(abs(points[v, 0] - points[p, 0]), abs(points[v, 1] - points[p, 1]))
            simple = simple and (sign == 1 or sign == -1) and length >= SHORTEST
            right += 1 if sign == -1 else 0
            if points[v, 0] < points[least, 0] or (
                points[v, 0] == points[least, 0] and points[v, 1] < points[least, 1]
            ):
                least = v
        if not simple:
            continue
        lows = np.empty(count)
        for k in range(count):
            lows[k] = min(points[begin + k, 0], points[begin + (k + 1) % count, 0])
        order = np.empty(count, dtype=np.int64)
        order_by(lows, order)
        for m in range(count):
            k = order[m]
            a, b = begin + k, begin + (k + 1) % count
            high_x = max(points[a, 0], points[b, 0])
            low_y, high_y = min(points[a, 1], points[b, 1]), max(points[a, 1], points[b, 1])
            for other in range(m + 1, count):
                j = order[other]
                if lows[j] > high_x or not simple:
                    break
                c, d = begin + j, begin + (j + 1) % count
                if min(points[c, 1], points[d, 1]) > high_y or max(points[c, 1], points[d, 1]) < low_y:
                    continue
                if b == c or d == a:  # neighbours meet at their end alone, for they turn there
                    continue
                simple = is_beside(points, a, b, c, d, h) or is_beside(points, c, d, a, b, h)
        if simple:
            before, after = begin + (least - begin + count - 1) % count, begin + (least - begin + 1) % count
            out_simple[ring], out_turned[ring] = True, turn(points, before, least, after, h) < 0
            out_inward[ring] = count - right if out_turned[ring] else right
            for k in range(1, (count + 1) // 2 if out_turned[ring] else 1):
                i, j = begin + k, begin + count - k
                points[i, 0], points[j, 0] = points[j, 0], points[i, 0]
                points[i, 1], points[j, 1] = points[j, 1], points[i, 1]


@inner
def find_edge(keys: Integers, order: Integers, key: int) -> int:
    """Return the edge of a key, -1 if there is none; `order` puts the keys in ascending order."""
    low, high = 0, order.shape[0]
    while low < high:
        middle = (low + high) // 2
        if keys[order[middle]] < key:
            low = middle + 1
        else:
            high = middle
    return int(order[low]) if low < order.shape[0] and keys[order[low]] == key else -1


@kernel
def join_triangles(
    points: Floats,
    first: Integers,
    turned: Booleans,
    triangles: Integers,
    straight: bool,
    out_corners: Integers,
    out_first: Integers,
    out_ring: Integers,
    out_sure: Booleans,
) -> int:
    """Write the convex cells of each outline, from the count - 2 triangles of each; return how many there are.

    Triangles must fill the outline, which their edges prove; then the longest inner edges are taken away first, each if
    it surely leaves no corner of more than 180 degrees. With `straight`, corners of 180 degrees stay, where other cells
    meet at an edge.
    """
    cells, used, at, h = 0, 0, 0, np.empty(SUMS)
    out_first[0] = 0
    for ring in range(out_sure.shape[0]):
        begin, count = first[ring], first[ring + 1] - first[ring]
        edges = 3 * (count - 2)
        corner, following, before = (
            np.empty(edges, dtype=np.int64),
            np.empty(edges, dtype=np.int64),
            np.empty(edges, dtype=np.int64),
        )
        sure = True
        for t in range(count - 2):
            a, b, c = triangles[at + t, 0], triangles[at + t, 1], triangles[at + t, 2]
            sign = turn(points, begin + a, begin + b, begin + c, h)
            sure = sure and (sign == 1 or sign == -1)
            corner[3 * t], corner[3 * t + 1], corner[3 * t + 2] = a, (b if sign > 0 else c), (c if sign > 0 else b)
            for k in range(3):
                following[3 * t + k], before[3 * t + k] = 3 * t + (k + 1) % 3, 3 * t + (k + 2) % 3
        at += count - 2
        keys, twin = np.empty(edges, dtype=np.int64), np.empty(edges, dtype=np.int64)
        for k in range(edges):
            keys[k] = corner[k] * count + corner[following[k]]
        order = np.empty(edges, dtype=np.int64)
        order_by(keys, order)
        outer = 0
        for k in range(edges):
            sure = sure and (k == 0 or keys[order[k]] != keys[order[k - 1]])
            twin[k] = find_edge(keys, order, corner[following[k]] * count + corner[k])
            if twin[k] < 0:
                outer += 1
                sure = sure and corner[following[k]] == (corner[k] + 1) % count
        out_sure[ring] = sure and outer == count
        if not out_sure[ring]:
            continue
        # Ties go to the edge whose ends come first in the order of x, then y.
        rank = np.empty(count, dtype=np.int64)
        xs, by_place = np.empty(count), np.empty(count, dtype=np.int64)
        for k in range(count):
            xs[k] = points[begin + k, 0]
        order_by(xs, by_place)
        for k in range(count):
            place = k
            while place > 0 and points[begin + by_place[place], 0] == points[begin + by_place[place - 1], 0]:
                if points[begin + by_place[place], 1] > points[begin + by_place[place - 1], 1]:
                    break
                by_place[place], by_place[place - 1] = by_place[place - 1], by_place[place]
                place -= 1
        for k in range(count):
            rank[by_place[k]] = k
        inner_edges, squares, total = np.empty(edges, dtype=np.int64), np.empty(edges), 0
        for k in range(edges):
            if twin[k] >= 0 and rank[corner[k]] < rank[corner[following[k]]]:
                dx = points[begin + corner[k], 0] - points[begin + corner[following[k]], 0]
                dy = points[begin + corner[k], 1] - points[begin + corner[following[k]], 1]
                inner_edges[total], squares[total] = k, -(dx * dx + dy * dy)
                total += 1
        longest = np.empty(total, dtype=np.int64)
        order_by(squares, longest)
        for k in range(total):
            place = k
            while place > 0:
                one, other = longest[place - 1], longest[place]
                if squares[one] != squares[other]:
                    break
                e, f = inner_edges[one], inner_edges[other]
                if (
                    rank[corner[e]] * count + rank[corner[following[e]]]
                    < rank[corner[f]] * count + rank[corner[following[f]]]
                ):
                    break
                longest[place - 1], longest[place] = other, one
                place -= 1
        gone = np.zeros(edges, dtype=np.bool_)
        for k in range(total):
            e = inner_edges[longest[k]]
            f = twin[e]
            e_next, f_next, e_last, f_last = following[e], following[f], before[e], before[f]
            one = turn(points, begin + corner[e_last], begin + corner[e], begin + corner[following[f_next]], h)
            other = turn(points, begin + corner[f_last], begin + corner[f], begin + corner[following[e_next]], h)
            if one == -1 or other == -1:
                continue
            if one == UNSURE or other == UNSURE:
                out_sure[ring] = False
                break
            following[e_last], before[f_next] = f_next, e_last
            following[f_last], before[e_next] = e_next, f_last
            gone[e] = gone[f] = True
        if not out_sure[ring]:
            continue
        # A cell begins with the corner that the user gave first, and cells are in the order of their first two.
        given = np.empty(edges, dtype=np.int64)
        for k in range(edges):
            given[k] = (count - corner[k]) % count if turned[ring] else corner[k]
        starts, keys_of_cells, found = np.empty(edges, dtype=np.int64), np.empty(edges, dtype=np.int64), 0
        for k in range(edges):
            if gone[k]:
                continue
            least, step = k, following[k]
            while step != k:
                least = step if given[step] < given[least] else least
                step = following[step]
            if least == k:
                starts[found], keys_of_cells[found] = k, given[k] * count + given[following[k]]
                found += 1
        cell_order = np.empty(found, dtype=np.int64)
        order_by(keys_of_cells, cell_order)
        cells_before, used_before = cells, used
        for m in range(found):
            begins = starts[cell_order[m]]
            k = begins
            while True:
                sign = turn(points, begin + corner[before[k]], begin + corner[k], begin + corner[following[k]], h)
                if sign == UNSURE:
                    out_sure[ring] = False
                if sign != 0 or straight:
                    out_corners[used] = corner[k]
                    used += 1
                k = following[k]
                if k == begins:
                    break
            cells += 1
            out_first[cells], out_ring[cells - 1] = used, ring
        if not out_sure[ring]:
            cells, used = cells_before, used_before
    return cells
