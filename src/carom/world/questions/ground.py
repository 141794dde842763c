"""The parts of a world in cells that are laid out for one call with many questions: each takes a fifth of the time.

In: what questions read of a world between two steps, and how many questions there are. Out: for each cell the parts
that reach into it, with their boxes beside them, as in the grid of an `Index`; nothing of it is kept. The world's own
grid holds each part in one cell of its size, so that moving a part costs little, and a question looks into the cells
beside its own on each level. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.broad.tree_circles import write_circle
from carom.broad.tree_grid import Grid, grid_of_boxes, no_grid
from carom.narrow.slab import box_of
from carom.world.questions.walk import Views
from carom.world.step.tables import BETWEEN

RAYS, REGIONS = 0.0625, 0.25
"""Questions for each part from which on it pays to lay out the cells: measured in docs/design/search.md."""

NEAR = 1024
"""Places for the parts whose boxes meet that of one query; with more the world's own grid is asked."""


class Ground(NamedTuple):
    """The parts of a world as many questions look at them; with a grid without columns they ask the world's own."""

    grid: Grid
    parts: Integers
    """(parts, 4): where its record begins in the world's buffer, its body, the bits of its layer, and 1 where
    the body has several parts; side by side, so that they come in one cache line."""
    circles: Floats
    """(parts, 4) centre, outer and inner radius."""


def no_ground() -> Ground:
    """Return the ground of a world that is not laid out."""
    return Ground(no_grid(), np.empty((0, 4), dtype=np.int64), np.empty((0, 4)))


def ground_of(views: Views, sensors: bool, count: int, enough: float) -> Ground:
    """Return the parts of a world laid out for so many questions, or no cells if that does not pay or within a step."""
    state = views.state[0, 0]
    parts = int(state["parts"])
    if len(views.state) > 1 or state["phase"] != BETWEEN or count < enough * parts:
        return no_ground()
    rows, circles, boxes = np.empty((parts, 4), dtype=np.int64), np.empty((parts, 4)), np.empty((parts, 4))
    _write_parts(views, sensors, rows, circles, boxes)
    return Ground(grid_of_boxes(boxes), rows, circles)


@kernel
def _write_parts(views: Views, sensors: bool, out_parts: Integers, out_circles: Floats, out_boxes: Floats) -> None:
    """Write what rays look at of each part; of those that no ray sees a box without room."""
    bodies, parts, buffer = views.bodies[0], views.parts[0], views.buffer[0]
    for k in range(out_parts.shape[0]):
        part = parts[k]
        low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
        if part.cell >= 0:
            row, start = part.body, part.record
            body = bodies[row]
            out_parts[k, 0], out_parts[k, 1], out_parts[k, 2] = start, row, body.layer
            out_parts[k, 3] = 1 if body.part_count > 1 else 0
            if sensors or body.sensor == 0:
                low_x, low_y, high_x, high_y = box_of(buffer, start)
                write_circle(buffer, start, out_circles, k)
        out_boxes[k, 0], out_boxes[k, 1], out_boxes[k, 2], out_boxes[k, 3] = low_x, low_y, high_x, high_y
