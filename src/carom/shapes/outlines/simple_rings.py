"""Which of many outlines are surely simple, and the convex cells that triangles of these join to: one kernel a stage.

In: outlines without holes, one behind the other; triangles. Out: which are surely in order (no needless point, no two
edges that touch but neighbours at their end); the cells. Every sign is exact: floats decide where they are beyond the
error bound of their determinant, else sums without rounding. Any frame.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.selection import order_by, order_by_two
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.sure_turns import SHORTEST, SUMS, UNSURE, turn
from carom.shapes.outlines.sweep import SWEEP, touches_nowhere
from carom.shapes.outlines.thin import absorb_thin


@kernel
def order_simple(
    points: Floats,
    first: Integers,
    out_simple: Booleans,
    out_turned: Booleans,
    out_inward: Integers,
    out_rank: Integers,
) -> None:
    """Tell which outlines are surely simple and how many corners go inward; turn those that go clockwise.

    Their first point stays the first. Of the points of each simple outline `out_rank` tells the order by x, then y.
    """
    h, largest = np.empty(SUMS), 0
    for ring in range(out_simple.shape[0]):
        largest = max(largest, first[ring + 1] - first[ring])
    xs, ys = np.empty(largest), np.empty(largest)
    signs, sweep = np.empty(largest, dtype=np.int64), np.empty((largest + 1, SWEEP), dtype=np.int64)
    for ring in range(out_simple.shape[0]):
        begin, count = first[ring], first[ring + 1] - first[ring]
        out_simple[ring] = out_turned[ring] = False
        simple, right = count >= 3, 0
        for k in range(count):
            p, v, n = begin + (k + count - 1) % count, begin + k, begin + (k + 1) % count
            sign = turn(points, p, v, n, h)
            length = max(abs(points[v, 0] - points[p, 0]), abs(points[v, 1] - points[p, 1]))
            simple = simple and (sign == 1 or sign == -1) and length >= SHORTEST
            right += 1 if sign == -1 else 0
            signs[k], xs[k], ys[k] = sign, points[v, 0], points[v, 1]
        if not simple:
            continue
        order = np.empty(count, dtype=np.int64)
        order_by_two(xs, ys, order)
        for k in range(count):
            out_rank[begin + order[k]] = k
        if not touches_nowhere(points, begin, order, out_rank, signs, sweep, h):
            continue
        out_simple[ring], out_turned[ring] = True, signs[order[0]] < 0
        out_inward[ring] = count - right if out_turned[ring] else right
        for k in range(1, (count + 1) // 2 if out_turned[ring] else 1):
            i, j = begin + k, begin + count - k
            points[i, 0], points[j, 0] = points[j, 0], points[i, 0]
            points[i, 1], points[j, 1] = points[j, 1], points[i, 1]
            out_rank[i], out_rank[j] = out_rank[j], out_rank[i]


@kernel
def order_edges(corner: Integers, following: Integers, rank: Integers, begin: int, count: int, out: Integers) -> None:
    """Put edges in the order of the rank of their lesser end, then of the greater: by counting, twice."""
    edges = corner.shape[0]
    places, by_greater = np.empty(count + 1, dtype=np.int64), np.empty(edges, dtype=np.int64)
    for which in range(2):
        for k in range(count + 1):
            places[k] = 0
        for k in range(edges):
            one, other = rank[begin + corner[k]], rank[begin + corner[following[k]]]
            places[(max(one, other) if which == 0 else min(one, other)) + 1] += 1
        for k in range(count):
            places[k + 1] += places[k]
        for m in range(edges):
            k = m if which == 0 else by_greater[m]
            one, other = rank[begin + corner[k]], rank[begin + corner[following[k]]]
            end = max(one, other) if which == 0 else min(one, other)
            if which == 0:
                by_greater[places[end]] = k
            else:
                out[places[end]] = k
            places[end] += 1


@kernel
def join_triangles(
    points: Floats,
    first: Integers,
    after: Integers,
    given: Integers,
    rank: Integers,
    triangles: Integers,
    triangles_first: Integers,
    out_corners: Integers,
    out_kept: Booleans,
    out_first: Integers,
    out_ring: Integers,
    out_sure: Booleans,
) -> int:
    """Write the convex cells of each region, from the triangles of each; return how many there are.

    A region has corners round its outline and its holes, numbered from 0: `after` is the next corner on the boundary,
    `given` the number that the user knows each by, and `rank` tells their order by x, then y, each rank once. Triangles
    must fill the region, which their edges prove; then the longest inner edges are taken away first, each if it surely
    leaves no corner of more than 180 degrees; and cells thinner than rounding are joined to neighbours. A cell has
    corners of 180 degrees where others meet at its edge: `out_kept` tells which make the strictly convex part.
    """
    cells, used, h = 0, 0, np.empty(SUMS)
    out_first[0] = 0
    for ring in range(out_sure.shape[0]):
        begin, count = first[ring], first[ring + 1] - first[ring]
        at, triangle_count = triangles_first[ring], triangles_first[ring + 1] - triangles_first[ring]
        edges = 3 * triangle_count
        corner, following, before = (
            np.empty(edges, dtype=np.int64),
            np.empty(edges, dtype=np.int64),
            np.empty(edges, dtype=np.int64),
        )
        sure = True
        for t in range(triangle_count):
            a, b, c = triangles[at + t, 0], triangles[at + t, 1], triangles[at + t, 2]
            sign = turn(points, begin + a, begin + b, begin + c, h)
            sure = sure and (sign == 1 or sign == -1)
            corner[3 * t], corner[3 * t + 1], corner[3 * t + 2] = a, (b if sign > 0 else c), (c if sign > 0 else b)
            for k in range(3):
                following[3 * t + k], before[3 * t + k] = 3 * t + (k + 1) % 3, 3 * t + (k + 2) % 3
        order, twin = np.empty(edges, dtype=np.int64), np.empty(edges, dtype=np.int64)
        order_edges(corner, following, rank, begin, count, order)
        inner_edges, squares, total, m = np.empty(edges, dtype=np.int64), np.empty(edges), 0, 0
        while m < edges and sure:
            k = order[m]
            a, b = corner[k], corner[following[k]]
            if m > 0:  # the third of its ends
                p, q = corner[order[m - 1]], corner[following[order[m - 1]]]
                sure = not ((p == a and q == b) or (p == b and q == a))
            if m + 1 < edges and corner[order[m + 1]] == b and corner[following[order[m + 1]]] == a:
                twin[k], twin[order[m + 1]] = order[m + 1], k
                # Ties go to the edge whose ends come first in the order of x, then y.
                dx, dy = points[begin + a, 0] - points[begin + b, 0], points[begin + a, 1] - points[begin + b, 1]
                inner_edges[total] = k if rank[begin + a] < rank[begin + b] else twin[k]
                squares[total] = -(dx * dx + dy * dy)
                total += 1
                m += 2
            else:
                twin[k] = -1
                sure = sure and b == after[begin + a]
                m += 1
        out_sure[ring] = sure and edges - 2 * total == count
        if not out_sure[ring]:
            continue
        longest = np.empty(total, dtype=np.int64)
        order_by(squares, longest)
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
        left_out = np.zeros(edges, dtype=np.bool_)
        absorb_thin(points, begin, count, corner, following, before, twin, gone, left_out, h)
        # A cell begins with the corner that the user gave first, and cells are in the order of their first two.
        largest = 0
        for k in range(count):
            largest = max(largest, given[begin + k])
        starts, keys_of_cells, found = np.empty(edges, dtype=np.int64), np.empty(edges, dtype=np.int64), 0
        for k in range(edges):
            if gone[k]:
                continue
            least, step = k, k
            while not gone[step]:
                gone[step] = True
                least = step if given[begin + corner[step]] < given[begin + corner[least]] else least
                step = following[step]
            one, two = given[begin + corner[least]], given[begin + corner[following[least]]]
            starts[found], keys_of_cells[found] = least, one * (largest + 1) + two
            found += 1
        cell_order = np.empty(found, dtype=np.int64)
        order_by(keys_of_cells, cell_order)
        cells_before, used_before = cells, used
        for m in range(found):
            begins = starts[cell_order[m]]
            k, bent = begins, left_out[begins]
            while following[k] != begins:
                k = following[k]
                bent = bent or left_out[k]
            k = begins
            while True:
                sign = turn(points, begin + corner[before[k]], begin + corner[k], begin + corner[following[k]], h)
                if sign == UNSURE:
                    out_sure[ring] = False
                out_corners[used], out_kept[used] = corner[k], (not left_out[k] if bent else sign != 0)
                used += 1
                k = following[k]
                if k == begins:
                    break
            cells += 1
            out_first[cells], out_ring[cells - 1] = used, ring
        if not out_sure[ring]:
            cells, used = cells_before, used_before
    return cells
