"""A flat tree of boxes, eight to a node, which every search of an `Index` goes down.

In: the boxes of all shapes. Out: the order in which shapes lie next to their neighbours, and the boxes of each group of
eight, of eight groups, and so on up to one root. There are no pointers: the shapes stand in that order in slots, the
children of node g are 8 g + 1 to 8 g + 8, those of a leaf are eight slots. World frame, user's units.

The order comes from halving: the shapes are split at the median of their centres, across the wider spread, until eight
are left; where many lie in one spot and the sizes differ by more than the places, at the median of the sizes. Only
ranks count, so outliers, one spot, one line or a million sizes cost no more than an even spread.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.selection import select
from carom._core.types import Floats, Integers
from carom.narrow.slab import Box4

CHILDREN = 8
"""Children of a node."""

BLOCK = 4 * CHILDREN
"""Numbers a node holds: the least x of its eight children, their least y, greatest x, greatest y."""

SAMPLE = 32
"""Shapes of which the spread of sizes and places is told where many lie in one spot."""

STACK = 256
"""Room for nodes still to be looked at: seven for each level of any tree that fits into memory."""


class Tree(NamedTuple):
    """The nodes, and for each slot its shape, row number, layer and circles, as kernels read them."""

    boxes: Floats
    """(nodes * 32,)"""
    least: Integers
    """(nodes,) the least row number below each node."""
    leaf: int
    """The first node whose children are slots."""
    records: Floats
    starts: Integers
    """(slots,) where each slot's record starts."""
    rows: Integers
    """(slots,) row numbers; -1 where a slot is free."""
    layers: Integers
    """(slots,) the bits of each row's layer."""
    circles: Floats
    """(slots, 4) centre, outer and inner radius; see `tree_circles`."""
    corners: Floats
    """(slots, 4) of a point or an AABB without radius its corners as they are; of others not numbers."""
    node_circles: Floats
    """(nodes * 4,) a circle around each node; see `tree_circles`."""
    copies: Integers
    """(nodes,) a slot of whose record all below a node are copies; -1 if they are not, or it is not known."""


@inner
def _middle_spread(values: Floats, begin: int, end: int, some: Floats) -> float:
    """Return how far apart the quarters of a few of the values lie: one giant among many does not count."""
    count = min(end - begin, some.shape[0])
    for k in range(count):
        value = values[begin + k * (end - begin) // count]
        place = k
        while place > 0 and some[place - 1] > value:
            some[place] = some[place - 1]
            place -= 1
        some[place] = value
    return float(some[count - 1 - count // 4] - some[count // 4])


@kernel
def arrange(xs: Floats, ys: Floats, sizes: Floats, order: Integers) -> None:
    """Put the centres and sizes, with their row numbers, into the order of the slots."""
    some = np.empty(SAMPLE)
    waiting = np.empty((64, 2), dtype=np.int64)
    waiting[0, 0], waiting[0, 1] = 0, xs.shape[0]
    count = 1
    while count > 0:
        count -= 1
        begin, end = waiting[count, 0], waiting[count, 1]
        if end - begin <= CHILDREN:
            continue
        block = CHILDREN
        while block * CHILDREN < end - begin:
            block *= CHILDREN
        low_x, high_x, low_y, high_y = xs[begin], xs[begin], ys[begin], ys[begin]
        least, largest = sizes[begin], sizes[begin]
        for k in range(begin + 1, end):
            low_x, high_x = min(low_x, xs[k]), max(high_x, xs[k])
            low_y, high_y = min(low_y, ys[k]), max(high_y, ys[k])
            least, largest = min(least, sizes[k]), max(largest, sizes[k])
        blocks = (end - begin + block - 1) // block
        middle = begin + (blocks + 1) // 2 * block
        spread = max(high_x - low_x, high_y - low_y)
        crowded = largest - least > spread and _middle_spread(sizes, begin, end, some) > max(
            _middle_spread(xs, begin, end, some), _middle_spread(ys, begin, end, some)
        )
        if crowded:
            select(sizes, xs, ys, order, begin, end, middle)
        elif high_x - low_x >= high_y - low_y:
            select(xs, ys, sizes, order, begin, end, middle)
        else:
            select(ys, xs, sizes, order, begin, end, middle)
        # The smaller part waits on top, so that few ever wait.
        waiting[count, 0], waiting[count, 1] = begin, middle
        waiting[count + 1, 0], waiting[count + 1, 1] = middle, end
        count += 2


@inner
def box_around(boxes: Floats, node: int) -> Box4:
    """Return the box around all children of a node; of a node without children its least x is infinite."""
    at = node * BLOCK
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    for c in range(CHILDREN):
        low_x, low_y = min(low_x, boxes[at + c]), min(low_y, boxes[at + CHILDREN + c])
        high_x, high_y = max(high_x, boxes[at + 2 * CHILDREN + c]), max(high_y, boxes[at + 3 * CHILDREN + c])
    return low_x, low_y, high_x, high_y


@inner
def union_into_parent(boxes: Floats, node: int) -> bool:
    """Write the box of a node's children into its parent; tell whether that changed it."""
    low_x, low_y, high_x, high_y = box_around(boxes, node)
    parent, c = (node - 1) // CHILDREN, (node - 1) % CHILDREN
    at = parent * BLOCK + c
    same = boxes[at] == low_x and boxes[at + CHILDREN] == low_y
    same = same and boxes[at + 2 * CHILDREN] == high_x and boxes[at + 3 * CHILDREN] == high_y
    boxes[at], boxes[at + CHILDREN] = low_x, low_y
    boxes[at + 2 * CHILDREN], boxes[at + 3 * CHILDREN] = high_x, high_y
    return not same


@kernel
def fill(slot_boxes: Floats, rows: Integers, leaf: int, out_boxes: Floats, out_least: Integers) -> None:
    """Write all nodes from the boxes of the slots, bottom up."""
    for node in range(out_least.shape[0]):
        at = node * BLOCK
        for k in range(2 * CHILDREN):
            out_boxes[at + k], out_boxes[at + 2 * CHILDREN + k] = math.inf, -math.inf
        out_least[node] = np.iinfo(np.int64).max
    for slot in range(slot_boxes.shape[0]):
        node = leaf + slot // CHILDREN
        at = node * BLOCK + slot % CHILDREN
        for k in range(4):
            out_boxes[at + k * CHILDREN] = slot_boxes[slot, k]
        out_least[node] = min(out_least[node], rows[slot])
    last = leaf + (slot_boxes.shape[0] + CHILDREN - 1) // CHILDREN - 1
    first = leaf
    while first > 0:
        for node in range(last, first - 1, -1):
            union_into_parent(out_boxes, node)
            parent = (node - 1) // CHILDREN
            out_least[parent] = min(out_least[parent], out_least[node])
        first, last = (first - 1) // CHILDREN, (last - 1) // CHILDREN


@kernel
def refit(slots: Integers, slot_boxes: Floats, rows: Integers, leaf: int, boxes: Floats, least: Integers) -> None:
    """Write new boxes for some slots, and for all nodes above them."""
    for k in range(slots.shape[0]):
        node = leaf + slots[k] // CHILDREN
        at = node * BLOCK + slots[k] % CHILDREN
        for side in range(4):
            boxes[at + side * CHILDREN] = slot_boxes[k, side]
        row = rows[slots[k]]
        if row >= 0:
            above = node
            while row < least[above]:
                least[above] = row
                if above == 0:
                    break
                above = (above - 1) // CHILDREN
    for k in range(slots.shape[0]):
        node = leaf + slots[k] // CHILDREN
        while node > 0 and union_into_parent(boxes, node):
            node = (node - 1) // CHILDREN


@kernel
def measure_leaves(boxes: Floats, leaf: int, slots: int) -> float:
    """Return the sum of the half perimeters of all leaves: how well the slots lie together."""
    total = 0.0
    for node in range(leaf, leaf + (slots + CHILDREN - 1) // CHILDREN):
        low_x, low_y, high_x, high_y = box_around(boxes, node)
        if low_x <= high_x:
            total += (high_x - low_x) + (high_y - low_y)
    return total


@inner
def does_meet(boxes: Floats, at: int, box: Box4) -> bool:
    """Tell whether a node's box, the least x of which stands at a place, meets another."""
    return bool(
        (boxes[at] <= box[2])
        & (boxes[at + CHILDREN] <= box[3])
        & (boxes[at + 2 * CHILDREN] >= box[0])
        & (boxes[at + 3 * CHILDREN] >= box[1])
    )


@inner
def slots_that_meet(tree: Tree, box: Box4, found: int, out: Integers) -> int:
    """Write the slots whose boxes meet a box from place `found` on; return where they end, -1 if there is no room.

    Nodes still to be looked at wait at the end of `out`.
    """
    waiting = out.shape[0] - 1
    if waiting < found:
        return -1
    out[waiting] = 0
    while waiting < out.shape[0]:
        node = out[waiting]
        waiting += 1
        if waiting - found < 2 * CHILDREN:
            return -1
        # Two loops without branches: which boxes meet cannot be foretold, and a wrong guess costs more than a step. One
        # loop for both, its step now +1 and now -1, took three times as long.
        place = node * BLOCK
        if node < tree.leaf:
            for c in range(CHILDREN):
                out[waiting - 1] = CHILDREN * node + 1 + c
                waiting -= 1 if does_meet(tree.boxes, place + c, box) else 0
        else:
            for c in range(CHILDREN):
                out[found] = CHILDREN * (node - tree.leaf) + c
                found += 1 if does_meet(tree.boxes, place + c, box) else 0
    return found


@inner
def push_child(tree: Tree, nodes: Integers, keys: Floats, base: int, count: int, child: int, key: float) -> None:
    """Put a node on the stack, which has `count`, among those from `base` on.

    The least key comes on top; of equal ones the node with the lowest row number.
    """
    k = count
    while k > base and (keys[k - 1] < key or (keys[k - 1] == key and tree.least[nodes[k - 1]] < tree.least[child])):
        nodes[k], keys[k] = nodes[k - 1], keys[k - 1]
        k -= 1
    nodes[k], keys[k] = child, key


def first_leaf(slots: int) -> int:
    """Return the number of the first leaf in a tree with room for so many slots."""
    leaf, room = 0, CHILDREN
    while room < slots:
        leaf, room = CHILDREN * leaf + 1, CHILDREN * room
    return leaf


def order_of(boxes: Floats) -> Integers:
    """Return the row numbers in the order of the slots."""
    # Halved before they are added: the sum of two of the largest coordinates is still a float.
    xs, ys = boxes[:, 0] * 0.5 + boxes[:, 2] * 0.5, boxes[:, 1] * 0.5 + boxes[:, 3] * 0.5
    sizes = np.maximum(boxes[:, 2] * 0.5 - boxes[:, 0] * 0.5, boxes[:, 3] * 0.5 - boxes[:, 1] * 0.5)
    order = np.arange(len(boxes))
    arrange(xs, ys, sizes, order)
    return order
