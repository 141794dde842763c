"""Every shape of a tree that lies in a region, or may lie on a path.

In: a tree with its grid, and the queries: shapes, points, boxes with a distance around them, or boxes that move. Out:
the rows that a query touches, in ascending order; or pairs of query and slot, candidates for the exact question to
choose from: none that belongs is missing. The answers go into a run of fixed length: where it is full, the query it
stopped at is told, and the caller goes on from there. So memory stays bounded however many there are.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.broad.tree import STACK, WIDTH, Tree
from carom.broad.tree_circles import corners_of
from carom.broad.tree_grid import Grid, slots_near
from carom.broad.tree_hits import is_ignored
from carom.broad.tree_paths import meet_boxes, path_of
from carom.narrow.intersects import side
from carom.narrow.rows.overlap import UNDECIDED
from carom.narrow.slab import box_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import EPSILON

SHORT = 32  # longer lists are sorted where they are gathered


@kernel
def candidates_of_boxes(
    tree: Tree,
    grid: Grid,
    boxes: Floats,
    within: Floats,
    masks: Integers,
    begin: int,
    end: int,
    out_queries: Integers,
    out_slots: Integers,
) -> tuple[int, int]:
    """Write the slots whose boxes come within a distance of each query's; return where it came to, and the count."""
    found = 0
    for query in range(begin, end):
        room = within[query] * (1.0 + 64.0 * EPSILON)
        low_x, low_y = boxes[query, 0] - room, boxes[query, 1] - room
        high_x, high_y = boxes[query, 2] + room, boxes[query, 3] + room
        before, after = found, slots_near(tree, grid, low_x, low_y, high_x, high_y, found, out_slots)
        if after < 0:
            return query, before
        for k in range(before, after):
            slot = out_slots[k]
            out_queries[found], out_slots[found] = query, slot
            found += 1 if (tree.layers[slot] & masks[query]) != 0 else 0
    return end, found


@kernel
def candidates_of_paths(
    tree: Tree,
    boxes: Floats,
    motions: Floats,
    masks: Integers,
    begin: int,
    end: int,
    out_queries: Integers,
    out_slots: Integers,
) -> tuple[int, int]:
    """Write the slots whose boxes each moving box meets on its way; return the query it came to, and the count."""
    nodes, near, far = np.empty(STACK, dtype=np.int64), np.empty(WIDTH), np.empty(WIDTH)
    found = 0
    for query in range(begin, end):
        path = path_of(
            boxes[query, 0], boxes[query, 1], boxes[query, 2], boxes[query, 3], motions[query, 0], motions[query, 1]
        )
        before = found
        nodes[0] = 0
        count = 1
        while count > 0:
            count -= 1
            node = nodes[count]
            meet_boxes(tree.boxes, node, path, near, far)
            for c in range(WIDTH):
                if not near[c] <= min(far[c], 1.0):
                    continue
                if node < tree.leaf:
                    nodes[count] = WIDTH * node + 1 + c
                    count += 1
                    continue
                slot = WIDTH * (node - tree.leaf) + c
                if (tree.layers[slot] & masks[query]) != 0:
                    if found == out_slots.shape[0]:
                        return query, before
                    out_queries[found], out_slots[found] = query, slot
                    found += 1
    return end, found


@inner
def keep_touching(
    tree: Tree,
    a: Floats,
    i: int,
    left: float,
    low: float,
    right: float,
    high: float,
    query: int,
    mask: int,
    ignore: Integers,
    most: int,
    begin: int,
    end: int,
    out: Integers,
) -> int:
    """Put in place of the slots from `begin` to `end` the rows among them that the query touches; return their end.

    Where the sign lies inside the error bound, -1 - row stands in place of the row. Short lists are put in order.
    """
    found = begin
    for k in range(begin, end):
        slot = out[k]
        row = tree.rows[slot]
        if (tree.layers[slot] & mask) == 0 or is_ignored(ignore, query, row):
            continue
        gap = max(
            max(tree.corners[slot, 0] - right, left - tree.corners[slot, 2]),
            max(tree.corners[slot, 1] - high, low - tree.corners[slot, 3]),
        )
        if not math.isnan(left) and not math.isnan(tree.corners[slot, 0]):
            answer = (1 if gap > 0.0 else 0) - (1 if gap < 0.0 else 0)
        else:
            answer = side(a, i, tree.records, tree.starts[slot])
        if answer > most and answer != UNDECIDED:
            continue
        place = found
        if found - begin <= SHORT:
            while place > begin:
                other = out[place - 1]
                if (other if other >= 0 else -1 - other) < row:
                    break
                out[place] = other
                place -= 1
        out[place] = -1 - row if answer == UNDECIDED else row
        found += 1
    return found


@kernel
def touching_of_shapes(
    tree: Tree,
    grid: Grid,
    records: Floats,
    starts: Integers,
    masks: Integers,
    ignore: Integers,
    most: int,
    begin: int,
    end: int,
    out_counts: Integers,
    out_rows: Integers,
) -> tuple[int, int]:
    """Write the rows that each shape overlaps (`most` -1) or touches (0), one list after the other.

    Returned is the query it came to, and how many rows there are; see `keep_touching`.
    """
    found = 0
    for query in range(begin, end):
        at = starts[query]
        low_x, low_y, high_x, high_y = box_of(records, at)
        after = slots_near(tree, grid, low_x, low_y, high_x, high_y, found, out_rows)
        if after < 0:
            return query, found
        left, low, right, high = corners_of(records, at)
        before, mask = found, masks[query]
        found = keep_touching(
            tree, records, at, left, low, right, high, query, mask, ignore, most, before, after, out_rows
        )
        out_counts[query] = found - before
    return end, found


@kernel
def touching_of_points(
    tree: Tree,
    grid: Grid,
    points: Floats,
    masks: Integers,
    ignore: Integers,
    most: int,
    begin: int,
    end: int,
    out_counts: Integers,
    out_rows: Integers,
) -> tuple[int, int]:
    """Write what `touching_of_shapes` writes, of points (n, 2)."""
    found = 0
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for query in range(begin, end):
        x, y = points[query, 0], points[query, 1]
        after = slots_near(tree, grid, x, y, x, y, found, out_rows)
        if after < 0:
            return query, found
        point[X], point[Y] = x, y
        before, mask = found, masks[query]
        found = keep_touching(tree, point, 0, x, y, x, y, query, mask, ignore, most, before, after, out_rows)
        out_counts[query] = found - before
    return end, found
