"""A tree of boxes over the parts of each body, and the walks down two trees that find which parts to look at.

In: bodies, whose parts have records. Out: the nodes and boxes of their trees; and, of two bodies, the pairs of parts
that come near each other, as they stand, shifted, or on the way of a motion. A box leaves room for all rounding, so no
pair that belongs is left out. A body that is one shape needs no tree: its part is its own node. World frame, user's
units.

A node is followed by all that is below its first child, then by what is below its second; parts are halved at the
median of their centres, across the wider spread. The nodes of body k begin at twice its first part, less k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.selection import order_by, select
from carom._core.types import Floats, Integers
from carom.narrow.slab import Box4, box_of
from carom.tolerances import COVER_BAND, SURELY_LESS

DEPTH = 256
"""Room for pairs of nodes still to be looked at: two for each level of two trees that fit into memory."""

FEW = 64
"""Room for pairs of parts at first."""

INSERTED = 24
"""With so many pairs or fewer it pays to sort by insertion."""

DIAGONAL = 0.7071067
"""Times the sum of two sides of a right angle: no longer than the third."""


class Parts(NamedTuple):
    """The columns of bodies that tell where their parts are."""

    buffer: Floats
    starts: Integers
    """(m,) where each part's record starts."""
    first: Integers
    """(n + 1,) each body's first part."""
    nodes: Integers
    """(nodes, 2) the part of a leaf, or -1; the second child. Empty where every body is one shape."""
    boxes: Floats
    """(nodes, 4) least x and y, greatest x and y."""


NO_TREE: tuple[Integers, Floats] = np.zeros((0, 2), dtype=np.int64), np.zeros((0, 4))
"""Nodes and boxes of bodies that are one shape each."""


def with_tree(buffer: Floats, starts: Integers, made: Floats) -> Parts:
    """Return one body of parts with its tree, laid out over the records `made`: the parts before they were moved."""
    first, nodes = np.array([0, starts.size], dtype=np.int64), np.empty((2 * starts.size - 1, 2), dtype=np.int64)
    plant(made, starts, nodes)
    boxes = np.empty((len(nodes), 4))
    fit(buffer, starts, first, nodes, boxes)
    return Parts(buffer, starts, first, nodes, boxes)


@kernel
def plant(buffer: Floats, starts: Integers, nodes: Integers) -> None:
    """Write the nodes of a tree over the parts of one body."""
    count = starts.shape[0]
    xs, ys, sizes, order = np.empty(count), np.empty(count), np.empty(count), np.empty(count, dtype=np.int64)
    for k in range(count):
        low_x, low_y, high_x, high_y = box_of(buffer, starts[k])
        xs[k], ys[k] = low_x * 0.5 + high_x * 0.5, low_y * 0.5 + high_y * 0.5
        sizes[k], order[k] = 0.0, k
    waiting = np.empty((DEPTH, 3), dtype=np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, 0, count
    left = 1
    while left > 0:
        left -= 1
        node, low, high = waiting[left, 0], waiting[left, 1], waiting[left, 2]
        if high - low == 1:
            nodes[node, 0], nodes[node, 1] = order[low], -1
            continue
        low_x, high_x, low_y, high_y = xs[low], xs[low], ys[low], ys[low]
        for k in range(low + 1, high):
            low_x, high_x = min(low_x, xs[k]), max(high_x, xs[k])
            low_y, high_y = min(low_y, ys[k]), max(high_y, ys[k])
        middle = (low + high) // 2
        if high_x - low_x >= high_y - low_y:
            select(xs, ys, sizes, order, low, high, middle)
        else:
            select(ys, xs, sizes, order, low, high, middle)
        nodes[node, 0], nodes[node, 1] = -1, node + 2 * (middle - low)
        waiting[left, 0], waiting[left, 1], waiting[left, 2] = nodes[node, 1], middle, high
        waiting[left + 1, 0], waiting[left + 1, 1], waiting[left + 1, 2] = node + 1, low, middle
        left += 2


@kernel
def fit(buffer: Floats, starts: Integers, first: Integers, nodes: Integers, boxes: Floats) -> None:
    """Write the boxes of the nodes of all bodies, from their parts as they are now."""
    for body in range(first.shape[0] - 1 if nodes.shape[0] > 0 else 0):
        root, part = 2 * first[body] - body, first[body]
        for node in range(root + 2 * (first[body + 1] - part) - 2, root - 1, -1):
            if nodes[node, 0] >= 0:
                low_x, low_y, high_x, high_y = box_of(buffer, starts[part + nodes[node, 0]])
            else:
                one, other = node + 1, root + nodes[node, 1]
                low_x, low_y = min(boxes[one, 0], boxes[other, 0]), min(boxes[one, 1], boxes[other, 1])
                high_x, high_y = max(boxes[one, 2], boxes[other, 2]), max(boxes[one, 3], boxes[other, 3])
            boxes[node, 0], boxes[node, 1], boxes[node, 2], boxes[node, 3] = low_x, low_y, high_x, high_y


@inner
def root_of(parts: Parts, body: int) -> int:
    """Return the node above all parts of a body."""
    return int(2 * parts.first[body] - body) if parts.nodes.shape[0] > 0 else int(parts.first[body])


@inner
def part_of(parts: Parts, body: int, node: int) -> int:
    """Return the part of a leaf, -1 where a node has children."""
    if parts.nodes.shape[0] == 0:
        return node
    part = parts.nodes[node, 0]
    return int(parts.first[body] + part) if part >= 0 else -1


@inner
def children_of(parts: Parts, body: int, node: int) -> tuple[int, int]:
    """Return the two children of a node that is no leaf."""
    return node + 1, int(2 * parts.first[body] - body + parts.nodes[node, 1])


@inner
def node_box(parts: Parts, node: int) -> Box4:
    """Return the box of a node."""
    if parts.nodes.shape[0] == 0:
        return box_of(parts.buffer, parts.starts[node])
    return parts.boxes[node, 0], parts.boxes[node, 1], parts.boxes[node, 2], parts.boxes[node, 3]


@inner
def gap_between(one: Box4, other: Box4) -> float:
    """Return a number that the distance of two boxes is at least, negative where they meet."""
    across, up = max(other[0] - one[2], one[0] - other[2]), max(other[1] - one[3], one[1] - other[3])
    if min(across, up) <= 0.0:
        return max(across, up)
    return max(max(across, up), DIAGONAL * (across + up)) * SURELY_LESS


@inner
def meets_on_way(one: Box4, other: Box4, mx: float, my: float, reach: float) -> bool:
    """Tell whether a box, moved by m, may come nearer to another than `reach` on its way."""
    low_x, high_x = other[0] - one[2] - reach, other[2] - one[0] + reach
    low_y, high_y = other[1] - one[3] - reach, other[3] - one[1] + reach
    if min(0.0, mx) > high_x or max(0.0, mx) < low_x or min(0.0, my) > high_y or max(0.0, my) < low_y:
        return False
    # Across the motion: the corners of the box of differences on both sides of its line.
    first, last = (low_x, high_x) if my >= 0.0 else (high_x, low_x)
    lowest, highest = (low_y, high_y) if mx >= 0.0 else (high_y, low_y)
    slack = COVER_BAND * (abs(first * my) + abs(last * my) + abs(lowest * mx) + abs(highest * mx))
    return bool(first * my - highest * mx <= slack and last * my - lowest * mx >= -slack)


@inner
def splits_first(a: Parts, part_a: int, node_a: int, b: Parts, part_b: int, node_b: int) -> bool:
    """Tell which of two nodes is divided: the one with children, of two such the larger."""
    if part_a >= 0 or part_b >= 0:
        return part_b >= 0
    size_a = (a.boxes[node_a, 2] - a.boxes[node_a, 0]) + (a.boxes[node_a, 3] - a.boxes[node_a, 1])
    return bool(size_a >= (b.boxes[node_b, 2] - b.boxes[node_b, 0]) + (b.boxes[node_b, 3] - b.boxes[node_b, 1]))


@kernel
def pairs_on_way(
    a: Parts,
    body_a: int,
    b: Parts,
    body_b: int,
    shift: tuple[float, float],
    motion: tuple[float, float],
    reach: float,
    out: Integers,
) -> int:
    """Write the pairs of parts whose boxes, B shifted, come nearer than `reach` on the way of A; return how many.

    A pair is the number of A's part times that of all parts of B, and B's part, in ascending order: which of two equal
    answers is taken must not depend on the trees. Those for which `out` has no room are counted only.
    """
    (sx, sy), (mx, my) = shift, motion
    room = max(reach, 0.0) + COVER_BAND * (abs(sx) + abs(sy) + abs(mx) + abs(my))
    waiting = np.empty((DEPTH, 2), dtype=np.int64)
    waiting[0, 0], waiting[0, 1] = root_of(a, body_a), root_of(b, body_b)
    left, count = 1, 0
    while left > 0:
        left -= 1
        node_a, node_b = waiting[left, 0], waiting[left, 1]
        low_x, low_y, high_x, high_y = node_box(b, node_b)
        moved = low_x + sx, low_y + sy, high_x + sx, high_y + sy
        if not meets_on_way(node_box(a, node_a), moved, mx, my, room):
            continue
        part_a, part_b = part_of(a, body_a, node_a), part_of(b, body_b, node_b)
        if part_a >= 0 and part_b >= 0:
            if count < out.shape[0]:
                out[count] = part_a * b.starts.shape[0] + part_b
            count += 1
        elif splits_first(a, part_a, node_a, b, part_b, node_b):
            one, other = children_of(a, body_a, node_a)
            waiting[left, 0], waiting[left, 1], waiting[left + 1, 0], waiting[left + 1, 1] = other, node_b, one, node_b
            left += 2
        else:
            one, other = children_of(b, body_b, node_b)
            waiting[left, 0], waiting[left, 1], waiting[left + 1, 0], waiting[left + 1, 1] = node_a, other, node_a, one
            left += 2
    if count <= min(INSERTED, out.shape[0]):
        for k in range(1, count):
            key, place = out[k], k
            while place > 0 and out[place - 1] > key:
                out[place] = out[place - 1]
                place -= 1
            out[place] = key
    elif count <= out.shape[0]:
        keys, order = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        for k in range(count):
            keys[k] = out[k]
        order_by(keys, order)
        for k in range(count):
            out[k] = keys[order[k]]
    return count
