"""Every shape of a tree that lies in a region, or may lie on a path: candidates, for the exact question to choose from.

In: a tree and the boxes of the queries, with a distance around them, or boxes that move. Out: pairs of query and slot;
none that belongs is missing. The pairs go into a run of fixed length: where it is full, the query it stopped at is
told, and the caller goes on from there. So memory stays bounded however many candidates there are.
"""

from __future__ import annotations

import numpy as np

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Floats, Integers
from carom.broad.first_hits import is_ignored
from carom.broad.paths import meet_boxes, path_of
from carom.broad.tree import BLOCK, STACK, WIDTH, Tree
from carom.narrow.closed_forms import UNDECIDED
from carom.narrow.entry import box_of
from carom.narrow.intersects import side
from carom.tolerances import EPSILON

SHORT = 32  # longer lists are sorted when they are whole


@kernel
def candidates_of_boxes(
    tree: Tree,
    boxes: Floats,
    within: Floats,
    masks: Integers,
    begin: int,
    end: int,
    out_queries: Integers,
    out_slots: Integers,
) -> tuple[int, int]:
    """Write the slots whose boxes come within a distance of each query's; return where it came to, and the count."""
    nodes, meets = np.empty(STACK, dtype=np.int64), np.empty(WIDTH, dtype=np.bool_)
    found = 0
    for query in range(begin, end):
        room = within[query] * (1.0 + 64.0 * EPSILON)
        low_x, low_y = boxes[query, 0] - room, boxes[query, 1] - room
        high_x, high_y = boxes[query, 2] + room, boxes[query, 3] + room
        before = found
        nodes[0] = 0
        count = 1
        while count > 0:
            count -= 1
            node = nodes[count]
            at = node * BLOCK
            for c in range(WIDTH):
                meets[c] = (
                    (tree.boxes[at + c] <= high_x)
                    & (tree.boxes[at + WIDTH + c] <= high_y)
                    & (tree.boxes[at + 2 * WIDTH + c] >= low_x)
                    & (tree.boxes[at + 3 * WIDTH + c] >= low_y)
                )
            for c in range(WIDTH):
                if not meets[c]:
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
def take(
    tree: Tree,
    records: Floats,
    at: int,
    masks: Integers,
    ignore: Integers,
    most: int,
    query: int,
    slot: int,
    before: int,
    found: int,
    out_slots: Integers,
) -> int:
    """Put a slot whose box meets the query's on its list if it belongs there; return how many there are, -1 if full."""
    row = tree.rows[slot]
    if (tree.layers[slot] & masks[query]) == 0 or is_ignored(ignore, query, row):
        return found
    j = tree.starts[slot]
    is_point = records[at] == rec.DISC and records[at + rec.RADIUS] == 0.0
    if is_point and tree.records[j] == rec.AABB and tree.records[j + rec.RADIUS] == 0.0:
        answer = side_of_point_and_box(records, at, tree.records, j)
    else:
        answer = side(records, at, tree.records, j)
    if answer > most and answer != UNDECIDED:
        return found
    if found == out_slots.shape[0]:
        return -1
    k = found
    if found - before <= SHORT:
        while k > before:
            other = out_slots[k - 1]
            if tree.rows[other if other >= 0 else -1 - other] < row:
                break
            out_slots[k] = other
            k -= 1
    out_slots[k] = -1 - slot if answer == UNDECIDED else slot
    return found + 1


@inner
def side_of_point_and_box(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return the side of a point and an AABB, whose corners are stored without rounding."""
    answer = -1
    for axis in range(2):
        at = a[i + rec.X + axis] + a[i + rec.POINTS + axis]
        low = b[j + rec.X + axis] + b[j + rec.POINTS + axis]
        high = b[j + rec.X + axis] + b[j + rec.POINTS + 2 * rec.STRIDE + axis]
        if at < low or at > high:
            return 1
        if at in (low, high):
            answer = 0
    return answer


@kernel
def touching_of_shapes(
    tree: Tree,
    records: Floats,
    starts: Integers,
    masks: Integers,
    ignore: Integers,
    most: int,
    begin: int,
    end: int,
    out_counts: Integers,
    out_slots: Integers,
) -> tuple[int, int]:
    """Write the slots that each query overlaps (`most` -1) or touches (0), one list after the other.

    Returned is the query it came to, and how many slots there are. Where the sign lies inside the error bound, -1 -
    slot stands in place of the slot. Short lists are put in the order of the row numbers here.
    """
    nodes, meets = np.empty(STACK, dtype=np.int64), np.empty(WIDTH, dtype=np.bool_)
    found = 0
    for query in range(begin, end):
        at = starts[query]
        low_x, low_y, high_x, high_y = box_of(records, at)
        before = found
        nodes[0] = 0
        count = 1
        while count > 0:
            count -= 1
            node = nodes[count]
            place = node * BLOCK
            for c in range(WIDTH):
                meets[c] = (
                    (tree.boxes[place + c] <= high_x)
                    & (tree.boxes[place + WIDTH + c] <= high_y)
                    & (tree.boxes[place + 2 * WIDTH + c] >= low_x)
                    & (tree.boxes[place + 3 * WIDTH + c] >= low_y)
                )
            for c in range(WIDTH):
                if not meets[c]:
                    continue
                if node < tree.leaf:
                    nodes[count] = WIDTH * node + 1 + c
                    count += 1
                    continue
                slot = WIDTH * (node - tree.leaf) + c
                found = take(tree, records, at, masks, ignore, most, query, slot, before, found, out_slots)
                if found < 0:
                    return query, before
        out_counts[query] = found - before
    return end, found


@kernel
def sort_lists(offsets: Integers, rows: Integers) -> None:
    """Sort each long list; short ones are in order."""
    for k in range(offsets.shape[0] - 1):
        if offsets[k + 1] - offsets[k] > SHORT:
            rows[offsets[k] : offsets[k + 1]].sort()
