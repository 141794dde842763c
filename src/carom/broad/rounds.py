"""A circle around each node of a tree, and whether all below it are copies of one shape: what helps in a crowd.

In: a tree whose boxes are current. Out: what a search may leave out although its box is near: nodes whose circle a path
or a query does not come to in time, and nodes that only repeat a shape that was asked already. Where many shapes lie in
one spot their boxes tell next to nothing. World frame, user's units; docs/design/search.md has the proof.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.broad.tree import BLOCK, WIDTH, Tree
from carom.narrow.slab import margin_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.tolerances import EPSILON, LEAST_COMPONENT

ROUND = 4
"""Numbers of a node's circle: centre x and y, radius (infinite where it is not known), 1 where all are discs."""

LATER = 1.0 + 2.0**-48  # more than the rounding of a time


@inner
def is_copy(records: Floats, i: int, j: int) -> bool:
    """Tell whether two records are the same."""
    if records[i + COUNT] != records[j + COUNT]:
        return False
    for k in range(POINTS + STRIDE * int(records[i + COUNT])):
        if records[i + k] != records[j + k]:
            return False
    return True


@inner
def _length(dx: float, dy: float) -> float:
    """Return the length of a vector whose squares may overflow or vanish."""
    longer, shorter = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if longer == 0.0:
        return 0.0
    ratio = shorter / longer
    return longer * math.sqrt(1.0 + ratio * ratio)


def with_rounds(tree: Tree, used: int) -> Tree:
    """Return the tree with the circles and the copies of its nodes as they are now."""
    nodes = tree.least.size
    rounded = tree._replace(rounds=np.full(nodes * ROUND, np.inf), copies=np.full(nodes, -1))
    _write_rounds(rounded, used)
    return rounded


@kernel
def forget_rounds(tree: Tree, slots: Integers) -> None:
    """Leave nothing out for the circles and copies of the nodes above some slots: they have changed."""
    for k in range(slots.shape[0]):
        node = tree.leaf + slots[k] // WIDTH
        while node >= 0 and tree.rounds[ROUND * node + 2] < math.inf:
            tree.rounds[ROUND * node + 2] = math.inf
            tree.copies[node] = -1
            node = (node - 1) // WIDTH if node > 0 else -1


@kernel
def _write_rounds(tree: Tree, used: int) -> None:
    """Write the circle of each node into `rounds`, and the slot that all below it repeat into `copies`, bottom up."""
    last = tree.leaf + (used + WIDTH - 1) // WIDTH - 1
    for node in range(last, -1, -1):
        at = node * BLOCK
        low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
        for c in range(WIDTH):
            low_x, low_y = min(low_x, tree.boxes[at + c]), min(low_y, tree.boxes[at + WIDTH + c])
            high_x, high_y = max(high_x, tree.boxes[at + 2 * WIDTH + c]), max(high_y, tree.boxes[at + 3 * WIDTH + c])
        if low_x > high_x:
            continue
        x, y = low_x * 0.5 + high_x * 0.5, low_y * 0.5 + high_y * 0.5
        radius, discs, copy = 0.0, 1.0, -2
        for c in range(WIDTH):
            if tree.boxes[at + c] == math.inf:
                continue
            if node >= tree.leaf:
                slot = WIDTH * (node - tree.leaf) + c
                dx, dy, reach = tree.circles[slot, 0] - x, tree.circles[slot, 1] - y, tree.circles[slot, 2]
                disc = 1.0 if tree.records[tree.starts[slot] + COUNT] == 1.0 else 0.0
                same = slot
            else:
                child = ROUND * (WIDTH * node + 1 + c)
                dx, dy, reach = tree.rounds[child] - x, tree.rounds[child + 1] - y, tree.rounds[child + 2]
                disc, same = tree.rounds[child + 3], tree.copies[WIDTH * node + 1 + c]
            radius, discs = max(radius, _length(dx, dy) + reach), min(discs, disc)
            if copy == -2:
                copy = same
            elif copy >= 0 and (same < 0 or not is_copy(tree.records, tree.starts[copy], tree.starts[same])):
                copy = -1
        tree.rounds[ROUND * node], tree.rounds[ROUND * node + 1] = x, y
        tree.rounds[ROUND * node + 2] = radius + 4.0 * margin_of(2.0 * radius, max(abs(x), abs(y)) + radius)
        tree.rounds[ROUND * node + 3] = discs
        tree.copies[node] = max(copy, -1)


@inner
def is_repeated(tree: Tree, node: int, slot: int) -> bool:
    """Tell whether all below a node are copies of what stands in a slot."""
    copy = tree.copies[node]
    return bool(copy >= 0 and slot >= 0 and is_copy(tree.records, tree.starts[copy], tree.starts[slot]))


@inner
def is_met_later(
    tree: Tree,
    node: int,
    x: float,
    y: float,
    outer: float,
    mx: float,
    my: float,
    length: float,
    disc: bool,
    limit: float,
) -> bool:
    """Tell whether a path, of a circle, surely misses all below a node, or meets it after `limit` of the motion."""
    at = ROUND * node
    radius = tree.rounds[at + 2]
    dx, dy = tree.rounds[at] - x, tree.rounds[at + 1] - y
    left, right = mx * dy, my * dx
    aside, reach = abs(left - right), (radius + outer) * length
    error = 8.0 * EPSILON * (abs(left) + abs(right))
    if aside - error > reach + LEAST_COMPONENT:
        return True
    if not disc or tree.rounds[at + 3] == 0.0:
        return False
    along = mx * dx + my * dy
    error += 8.0 * EPSILON * (abs(mx * dx) + abs(my * dy))
    root = math.sqrt(max(reach - aside + error, 0.0) * (reach + aside))
    return bool(along - error - root * LATER - LEAST_COMPONENT > limit * length * length * LATER)


@inner
def is_farther(tree: Tree, node: int, x: float, y: float, apart: float, factor: float, least: float) -> bool:
    """Tell whether the centre of a node's circle lies farther from a point than the circle's radius and `apart`."""
    at = ROUND * node
    dx, dy, reach = tree.rounds[at] - x, tree.rounds[at + 1] - y, tree.rounds[at + 2] + apart
    return bool(dx * dx + dy * dy > reach * reach * factor + least)
