"""The k shapes of a tree nearest to a point or shape.

In: a tree, queries, how many to find and how far to look. Out: for each query up to k slots in ascending order of
(distance, row number), with the distances that `distance` tells; and whether one of the distances has a sign that only
whole numbers tell: then the caller asks again among all that are as near as the farthest.

Nodes are looked at nearest first, and not at all once k shapes are nearer than their box.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.queries import Queries, sees
from carom.broad.tree import BLOCK, CHILDREN, STACK, Tree, push_child
from carom.broad.tree_circles import is_farther, is_repeated
from carom.narrow.exact.double_double import decided_side
from carom.narrow.exact.sign import BEYOND
from carom.narrow.region_gap import FARTHER
from carom.narrow.signed_distance import compiled_with_sign, separate
from carom.narrow.slab import Box4, box_of, margin_of
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, RADIUS, REACH, X, Y
from carom.tolerances import SURELY_INSIDE
from carom.vector import LEAST

LEAST_SQUARE = 1e-300  # squares below this have lost digits


@inner
def insert(distances: Floats, slots: Integers, rows: Integers, query: int, k: int, distance: float, slot: int) -> None:
    """Put a shape among the nearest, of which the one at place k falls out."""
    row = rows[slot]
    while k > 0:
        other = slots[query, k - 1]
        before = distances[query, k - 1]
        if other >= 0 and (before < distance or (before == distance and rows[other] < row)):
            break
        distances[query, k], slots[query, k] = before, other
        k -= 1
    distances[query, k], slots[query, k] = distance, slot


@inner
def square_gaps(tree: Tree, node: int, box: Box4, out: Floats) -> None:
    """Write how far the boxes of a node's children are from a box, squared."""
    place = node * BLOCK
    for c in range(CHILDREN):
        left, low = tree.boxes[place + c], tree.boxes[place + CHILDREN + c]
        right, high = tree.boxes[place + 2 * CHILDREN + c], tree.boxes[place + 3 * CHILDREN + c]
        dx, dy = max(max(left - box[2], box[0] - right), 0.0), max(max(low - box[3], box[1] - high), 0.0)
        out[c] = dx * dx + dy * dy


@inner
def nearest_of_query(
    tree: Tree,
    asked: Queries,
    query: int,
    within: float,
    nodes: Integers,
    gaps: Floats,
    gap: Floats,
    out_slots: Integers,
    out_distances: Floats,
) -> bool:
    """Write the nearest slots of one query, -1 and infinity where there are no more; tell if one is undecided."""
    records, at, last = asked.records, asked.starts[query], out_slots.shape[1] - 1
    box = box_of(records, at)
    x, y = records[at + X] + records[at + CENTER_X], records[at + Y] + records[at + CENTER_Y]
    reach = records[at + REACH] + records[at + RADIUS]
    reach += margin_of(2.0 * reach, max(abs(x), abs(y)) + reach)
    # A shape that holds the centre of a disc, or comes nearer to it than its radius, overlaps the disc.
    disc = records[at + RADIUS] if records[at + COUNT] == 1.0 else -math.inf
    for k in range(last + 1):
        out_slots[query, k], out_distances[query, k] = -1, math.inf
    undecided = False
    measured, measured_slot = math.inf, -1
    farthest, farthest_row = within, np.iinfo(np.int64).max
    nodes[0], gaps[0] = 0, 0.0
    count = 1
    while count > 0:
        count -= 1
        node = nodes[count]
        limit = farthest * farthest * FARTHER + LEAST_SQUARE
        if gaps[count] > limit or (farthest == 0.0 and tree.least[node] > farthest_row):
            continue
        if farthest < math.inf:
            if is_farther(tree, node, x, y, farthest + reach, FARTHER, LEAST_SQUARE):
                continue
            no_nearer = measured > farthest or (measured == farthest and tree.least[node] > farthest_row)
            if no_nearer and is_repeated(tree, node, measured_slot):
                continue
        square_gaps(tree, node, box, gap)
        base = count
        for c in range(CHILDREN):
            if gap[c] > limit or gap[c] == math.inf:
                continue
            if node < tree.leaf:
                push_child(tree, nodes, gaps, base, count, CHILDREN * node + 1 + c, gap[c])
                count += 1
                continue
            slot = CHILDREN * (node - tree.leaf) + c
            row = tree.rows[slot]
            if row < 0 or not sees(asked, query, asked.masks[query], tree.layers[slot], tree.rows[slot]):
                continue
            dx, dy = tree.circles[slot, 0] - x, tree.circles[slot, 1] - y
            apart = farthest + reach + tree.circles[slot, 2]
            if dx * dx + dy * dy > apart * apart * FARTHER + LEAST_SQUARE:
                continue
            surely = tree.circles[slot, 3] + disc
            if min(surely, tree.circles[slot, 3]) > 0.0 and dx * dx + dy * dy < surely * surely * SURELY_INSIDE:
                distance = 0.0  # the query's centre lies well inside
            else:
                found = separate(records, at, tree.records, tree.starts[slot])
                distance = max(found[0], 0.0)
                if found[6]:  # it may touch or not
                    side = decided_side(records, at, tree.records, tree.starts[slot])
                    if side == BEYOND:  # here it counts as apart by a little; the caller decides
                        distance = max(abs(found[0]), LEAST)
                        undecided = True
                    else:
                        radii = records[at + RADIUS] + tree.records[tree.starts[slot] + RADIUS]
                        distance = max(compiled_with_sign(found[0], side, radii), 0.0)
            measured, measured_slot = distance, slot
            if distance < farthest or (distance == farthest and row < farthest_row):
                insert(out_distances, out_slots, tree.rows, query, last, distance, slot)
                if out_slots[query, last] >= 0:
                    farthest = out_distances[query, last]
                    farthest_row = tree.rows[out_slots[query, last]]
                limit = farthest * farthest * FARTHER + LEAST_SQUARE
    return undecided


@kernel
def nearest_slots(
    tree: Tree,
    asked: Queries,
    within: float,
    begin: int,
    end: int,
    out_slots: Integers,
    out_distances: Floats,
    out_undecided: Booleans,
) -> None:
    """Write for each query from `begin` to `end` the nearest slots, -1 and infinity where there are no more."""
    nodes, gaps, gap = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(CHILDREN)
    for query in range(begin, end):
        out_undecided[query] = nearest_of_query(tree, asked, query, within, nodes, gaps, gap, out_slots, out_distances)
