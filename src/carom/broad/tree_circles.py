"""Circles and boxes that hold a shape or a node of the tree: a search looks at them before it asks the shape itself.

In: the records of shapes, or a tree whose boxes are current. Out: for each shape a box and two circles around one
centre, an outer one that surely holds the shape and an inner one that the shape surely holds (0 where it has no area),
and of AABBs their corners; for each node a circle around all below it, and whether these are copies of one shape. Where
many shapes lie in one spot their boxes tell next to nothing: there a search leaves out nodes whose circle a path or a
query does not come to in time, and nodes that only repeat a shape that was asked already. The margins cover all
rounding of the searches and of the answers themselves: a path or a distance that is worked out for a shape never lies
beyond its box by more than the margin (docs/design/search.md has the proof). World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.broad.tree import BLOCK, CHILDREN, Tree, box_around
from carom.broad.tree_paths import LATER, Mover
from carom.narrow.kinds import is_aabb, is_disc
from carom.narrow.slab import Box4, box_of, margin_of
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import CULL_LEAST, CULL_SIZE, CULL_ULPS, EPSILON, LEAST_COMPONENT

CIRCLE = 4
"""Numbers of a node's circle: centre x and y, radius (infinite where it is not known), 1 where all are discs."""


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


def with_node_circles(tree: Tree, used: int) -> Tree:
    """Return the tree with the circles and the copies of its nodes as they are now."""
    nodes = tree.least.size
    replaced = tree._replace(node_circles=np.full(nodes * CIRCLE, np.inf), copies=np.full(nodes, -1))
    _write_node_circles(replaced, used)
    return replaced


@kernel
def forget_node_circles(tree: Tree, slots: Integers) -> None:
    """Leave nothing out for the circles and copies of the nodes above some slots: they have changed."""
    for k in range(slots.shape[0]):
        node = tree.leaf + slots[k] // CHILDREN
        while node >= 0 and tree.node_circles[CIRCLE * node + 2] < math.inf:
            tree.node_circles[CIRCLE * node + 2] = math.inf
            tree.copies[node] = -1
            node = (node - 1) // CHILDREN if node > 0 else -1


@kernel
def _write_node_circles(tree: Tree, used: int) -> None:
    """Write the circle of each node, and the slot that all below it repeat into `copies`, bottom up."""
    last = tree.leaf + (used + CHILDREN - 1) // CHILDREN - 1
    for node in range(last, -1, -1):
        at = node * BLOCK
        low_x, low_y, high_x, high_y = box_around(tree.boxes, node)
        if low_x > high_x:
            continue
        x, y = low_x * 0.5 + high_x * 0.5, low_y * 0.5 + high_y * 0.5
        radius, discs, copy = 0.0, 1.0, -2
        for c in range(CHILDREN):
            if tree.boxes[at + c] == math.inf:
                continue
            if node >= tree.leaf:
                slot = CHILDREN * (node - tree.leaf) + c
                dx, dy, reach = tree.circles[slot, 0] - x, tree.circles[slot, 1] - y, tree.circles[slot, 2]
                disc = 1.0 if tree.records[tree.starts[slot] + COUNT] == 1.0 else 0.0
                same = slot
            else:
                child = CIRCLE * (CHILDREN * node + 1 + c)
                dx, dy, reach = (
                    tree.node_circles[child] - x,
                    tree.node_circles[child + 1] - y,
                    tree.node_circles[child + 2],
                )
                disc, same = tree.node_circles[child + 3], tree.copies[CHILDREN * node + 1 + c]
            radius, discs = max(radius, _length(dx, dy) + reach), min(discs, disc)
            if copy == -2:
                copy = same
            elif copy >= 0 and (same < 0 or not is_copy(tree.records, tree.starts[copy], tree.starts[same])):
                copy = -1
        tree.node_circles[CIRCLE * node], tree.node_circles[CIRCLE * node + 1] = x, y
        tree.node_circles[CIRCLE * node + 2] = radius + 4.0 * margin_of(2.0 * radius, max(abs(x), abs(y)) + radius)
        tree.node_circles[CIRCLE * node + 3] = discs
        tree.copies[node] = max(copy, -1)


@inner
def is_repeated(tree: Tree, node: int, slot: int) -> bool:
    """Tell whether all below a node are copies of the shape in a slot."""
    copy = tree.copies[node]
    return bool(copy >= 0 and slot >= 0 and is_copy(tree.records, tree.starts[copy], tree.starts[slot]))


@inner
def is_met_later(tree: Tree, node: int, mover: Mover, limit: float) -> bool:
    """Tell whether a path surely misses all below a node, or meets it after `limit` of the motion."""
    at, mx, my, length = CIRCLE * node, mover.mx, mover.my, mover.length
    radius = tree.node_circles[at + 2]
    dx, dy = tree.node_circles[at] - mover.x, tree.node_circles[at + 1] - mover.y
    left, right = mx * dy, my * dx
    aside, reach = abs(left - right), (radius + mover.outer) * length
    error = 8.0 * EPSILON * (abs(left) + abs(right))
    if aside - error > reach + LEAST_COMPONENT:
        return True
    if mover.records[mover.at + COUNT] != 1.0 or tree.node_circles[at + 3] == 0.0:
        return False
    along = mx * dx + my * dy
    error += 8.0 * EPSILON * (abs(mx * dx) + abs(my * dy))
    root = math.sqrt(max(reach - aside + error, 0.0) * (reach + aside))
    return bool(along - error - root * LATER - LEAST_COMPONENT > limit * length * length * LATER)


@inner
def is_farther(tree: Tree, node: int, x: float, y: float, apart: float, factor: float, least: float) -> bool:
    """Tell whether the centre of a node's circle lies farther from a point than the circle's radius and `apart`."""
    at = CIRCLE * node
    dx, dy, reach = tree.node_circles[at] - x, tree.node_circles[at + 1] - y, tree.node_circles[at + 2] + apart
    return bool(dx * dx + dy * dy > reach * reach * factor + least)


@kernel
def _write_boxes(records: Floats, starts: Integers, out_boxes: Floats) -> None:
    """Write the box of each shape, (n, 4)."""
    for row in range(starts.shape[0]):
        low_x, low_y, high_x, high_y = box_of(records, starts[row])
        out_boxes[row, 0], out_boxes[row, 1], out_boxes[row, 2], out_boxes[row, 3] = low_x, low_y, high_x, high_y


@inner
def corners_of(records: Floats, at: int) -> Box4:
    """Return the corners of a point or an AABB without radius, which are stored without rounding; else no numbers."""
    first, along_axes = at + POINTS, is_aabb(records, at)
    if records[at + RADIUS] != 0.0 or not (along_axes or is_disc(records, at)):
        return math.nan, math.nan, math.nan, math.nan
    x, y = records[at + X], records[at + Y]
    last = first + 2 * STRIDE if along_axes else first
    return x + records[first], y + records[first + 1], x + records[last], y + records[last + 1]


@kernel
def write_circles(records: Floats, starts: Integers, out_circles: Floats, out_corners: Floats) -> None:
    """Write for each shape the centre, the outer and the inner radius, (n, 4), and its corners, (n, 4)."""
    for row in range(starts.shape[0]):
        at = starts[row]
        left, low, right, high = corners_of(records, at)
        out_corners[row, 0], out_corners[row, 1], out_corners[row, 2], out_corners[row, 3] = left, low, right, high
        write_circle(records, at, out_circles, row)


@inner
def write_circle(records: Floats, at: int, out_circles: Floats, row: int) -> None:
    """Write the centre of a shape, and the radius of a circle around it and of one inside."""
    cx, cy, radius = records[at + CENTER_X], records[at + CENTER_Y], records[at + RADIUS]
    count, first = int(records[at + COUNT]), at + POINTS
    within = 0.0
    if count > 2:
        within = math.inf
        for k in range(count):
            place = first + STRIDE * k
            nx, ny = records[place + 2], records[place + 3]
            within = min(within, nx * (records[place] - cx) + ny * (records[place + 1] - cy))
    x, y = records[at + X] + cx, records[at + Y] + cy
    reach = records[at + REACH] + radius
    room = margin_of(2.0 * reach, abs(records[at + X]) + abs(cx) + abs(records[at + Y]) + abs(cy) + reach)
    out_circles[row, 0], out_circles[row, 1] = x, y
    out_circles[row, 2], out_circles[row, 3] = reach + room, max(max(within, 0.0) + radius - room, 0.0)


def boxes_of(records: Floats, starts: Integers) -> Floats:
    """Return the boxes of many shapes, (n, 4)."""
    boxes = np.empty((starts.size, 4))
    _write_boxes(records, starts, boxes)
    return boxes


def boxes_of_turning(records: Floats, starts: Integers, motions: Floats, pivots: Floats) -> Floats:
    """Return boxes that hold shapes however they are turned about their pivots, (n, 4)."""
    x, y = (records[starts + X + axis] + records[starts + CENTER_X + axis] for axis in range(2))
    reach = records[starts + REACH] + records[starts + RADIUS]
    apart = np.maximum(np.abs(x - pivots[:, 0]), np.abs(y - pivots[:, 1])) * 1.5  # more than the root of two
    room = (apart + reach) * (1.0 + CULL_SIZE) + CULL_LEAST
    room += CULL_ULPS * EPSILON * (np.abs(x) + np.abs(y) + np.abs(pivots).sum(axis=1) + np.abs(motions).sum(axis=1))
    return np.column_stack((pivots[:, 0] - room, pivots[:, 1] - room, pivots[:, 0] + room, pivots[:, 1] + room))
