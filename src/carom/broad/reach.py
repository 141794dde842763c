"""How far each shape reaches, with room for rounding: what a search looks at before it asks the shape itself.

In: records. Out: for each a box and two circles around one centre, an outer one that surely holds the shape and an
inner one that the shape surely holds (0 where it has no area); and of AABBs their corners. World frame, user's units.

The margins cover all rounding of the searches and of the answers themselves: a path or a distance that is worked out
for a shape never lies beyond its box by more than the margin (see docs/design/search.md).
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.slab import Box4, box_of, margin_of
from carom.shapes.proxy import AABB, CENTER_X, CENTER_Y, COUNT, DISC, KIND, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import CULL_LEAST, CULL_SIZE, CULL_ULPS, EPSILON


@kernel
def write_reaches(records: Floats, starts: Integers, out_boxes: Floats) -> None:
    """Write the box of each shape, (n, 4)."""
    for row in range(starts.shape[0]):
        low_x, low_y, high_x, high_y = box_of(records, starts[row])
        out_boxes[row, 0], out_boxes[row, 1], out_boxes[row, 2], out_boxes[row, 3] = low_x, low_y, high_x, high_y


@inner
def corners_of(records: Floats, at: int) -> Box4:
    """Return the corners of a point or an AABB without radius, which are stored without rounding; else no numbers."""
    kind, first = records[at + KIND], at + POINTS
    if records[at + RADIUS] != 0.0 or (kind != AABB and kind != DISC):
        return math.nan, math.nan, math.nan, math.nan
    x, y = records[at + X], records[at + Y]
    last = first + 2 * STRIDE if kind == AABB else first
    return x + records[first], y + records[first + 1], x + records[last], y + records[last + 1]


@kernel
def write_circles(records: Floats, starts: Integers, out_circles: Floats, out_corners: Floats) -> None:
    """Write for each shape the centre, the outer and the inner radius, (n, 4), and its corners, (n, 4)."""
    for row in range(starts.shape[0]):
        at = starts[row]
        left, low, right, high = corners_of(records, at)
        out_corners[row, 0], out_corners[row, 1], out_corners[row, 2], out_corners[row, 3] = left, low, right, high
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
    write_reaches(records, starts, boxes)
    return boxes


def boxes_of_turning(records: Floats, starts: Integers, motions: Floats, pivots: Floats) -> Floats:
    """Return boxes that hold shapes however they are turned about their pivots, (n, 4)."""
    x, y = (records[starts + X + axis] + records[starts + CENTER_X + axis] for axis in range(2))
    reach = records[starts + REACH] + records[starts + RADIUS]
    apart = np.maximum(np.abs(x - pivots[:, 0]), np.abs(y - pivots[:, 1])) * 1.5  # more than the root of two
    room = (apart + reach) * (1.0 + CULL_SIZE) + CULL_LEAST
    room += CULL_ULPS * EPSILON * (np.abs(x) + np.abs(y) + np.abs(pivots).sum(axis=1) + np.abs(motions).sum(axis=1))
    return np.column_stack((pivots[:, 0] - room, pivots[:, 1] - room, pivots[:, 0] + room, pivots[:, 1] + room))
