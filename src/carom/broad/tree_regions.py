"""Every shape of a tree that a query touches, that may be within a distance of it, or that may lie on its path.

In: a tree with its grid, and queries, with a distance around their boxes or with motions of these. Out: the rows that a
query touches, in ascending order; or pairs of query and slot, candidates for the exact question to choose from: none
that belongs is missing. The answers go into columns of fixed length: where they are full, the query that the search
stopped at is returned, and the caller goes on from there. So memory stays bounded however many answers there are.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.broad.queries import Queries, place_of, sees
from carom.broad.tree import CHILDREN, STACK, Tree
from carom.broad.tree_circles import corners_of
from carom.broad.tree_grid import Grid, slots_near
from carom.broad.tree_paths import meet_boxes, path_of
from carom.narrow.intersects import side
from carom.narrow.pairs.discs import UNDECIDED
from carom.narrow.slab import box_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.tolerances import EPSILON

SHORT = 32  # rows; longer lists are sorted by the caller


@kernel
def candidates_of_boxes(
    tree: Tree,
    grid: Grid,
    asked: Queries,
    boxes: Floats,
    within: Floats,
    begin: int,
    end: int,
    out_queries: Integers,
    out_slots: Integers,
) -> tuple[int, int]:
    """Write the slots whose boxes come within a distance of each query's; return where it came to, and the count."""
    found = 0
    for query in range(begin, end):
        room = within[query] * (1.0 + 64.0 * EPSILON)
        box = boxes[query, 0] - room, boxes[query, 1] - room, boxes[query, 2] + room, boxes[query, 3] + room
        mask = asked.masks[query]
        before, after = found, slots_near(tree, grid, box, found, out_slots)
        if after < 0:
            return query, before
        for k in range(before, after):
            slot = out_slots[k]
            out_queries[found], out_slots[found] = query, slot
            found += 1 if sees(asked, query, mask, tree.layers[slot], tree.rows[slot]) else 0
    return end, found


@kernel
def candidates_of_paths(
    tree: Tree,
    asked: Queries,
    boxes: Floats,
    motions: Floats,
    begin: int,
    end: int,
    out_queries: Integers,
    out_slots: Integers,
) -> tuple[int, int]:
    """Write the slots whose boxes each box meets on its way; return the query it came to, and the count."""
    nodes, near, far = np.empty(STACK, dtype=np.int64), np.empty(CHILDREN), np.empty(CHILDREN)
    found = 0
    for query in range(begin, end):
        box = boxes[query, 0], boxes[query, 1], boxes[query, 2], boxes[query, 3]
        mask, path = asked.masks[query], path_of(box, motions[query, 0], motions[query, 1])
        before = found
        nodes[0] = 0
        count = 1
        while count > 0:
            count -= 1
            node = nodes[count]
            meet_boxes(tree.boxes, node, path, near, far)
            for c in range(CHILDREN):
                if not near[c] <= min(far[c], 1.0):
                    continue
                if node < tree.leaf:
                    nodes[count] = CHILDREN * node + 1 + c
                    count += 1
                    continue
                slot = CHILDREN * (node - tree.leaf) + c
                if sees(asked, query, mask, tree.layers[slot], tree.rows[slot]):
                    if found == out_slots.shape[0]:
                        return query, before
                    out_queries[found], out_slots[found] = query, slot
                    found += 1
    return end, found


@inner
def add_touching(
    tree: Tree,
    grid: Grid,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    most: int,
    found: int,
    out_rows: Integers,
) -> int:
    """Write the rows that a query touches from place `found` on; return where they end, -1 if there is no room."""
    # The box of a point is the point: in a branch of its own, half of the look-up falls away.
    if asked.points.shape[0] > 0:
        left, low = asked.points[query, 0], asked.points[query, 1]
        right, high = left, low
        after = slots_near(tree, grid, (left, low, left, low), found, out_rows)
    else:
        left, low, right, high = corners_of(records, at)
        after = slots_near(tree, grid, box_of(records, at), found, out_rows)
    if after < 0:
        return -1
    before, mask = found, asked.masks[query]
    for k in range(before, after):
        slot = out_rows[k]
        if not sees(asked, query, mask, tree.layers[slot], tree.rows[slot]):
            continue
        if math.isnan(left) or math.isnan(tree.corners[slot, 0]):
            answer = side(records, at, tree.records, tree.starts[slot])
        else:
            gap_x = max(tree.corners[slot, 0] - right, left - tree.corners[slot, 2])
            gap = max(gap_x, max(tree.corners[slot, 1] - high, low - tree.corners[slot, 3]))
            answer = (1 if gap > 0.0 else 0) - (1 if gap < 0.0 else 0)
        if answer > most and answer != UNDECIDED:
            continue
        # Among few rows, this one is put in its place; many are sorted by the caller.
        row, place = tree.rows[slot], found
        while found - before <= SHORT and place > before:
            other = out_rows[place - 1]
            if (other if other >= 0 else -1 - other) < row:
                break
            out_rows[place] = other
            place -= 1
        out_rows[place] = -1 - row if answer == UNDECIDED else row
        found += 1
    return found


@kernel
def touching_rows(
    tree: Tree,
    grid: Grid,
    asked: Queries,
    most: int,
    begin: int,
    end: int,
    out_counts: Integers,
    out_rows: Integers,
) -> tuple[int, int]:
    """Write the rows that each query overlaps (`most` -1) or touches (0), one list after the other.

    Return the query it came to, and how many rows there are. Where the sign lies inside the error bound, -1 - row
    stands in place of the row. Short lists are put in order.
    """
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    records = point if asked.points.shape[0] > 0 else asked.records
    found = 0
    for query in range(begin, end):
        at = place_of(asked, query, point)
        after = add_touching(tree, grid, asked, query, records, at, most, found, out_rows)
        if after < 0:
            return query, found
        out_counts[query] = after - found
        found = after
    return end, found
