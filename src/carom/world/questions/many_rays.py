"""Many rays at once, through cells that are laid out for this one call: each ray takes a fifth of the time.

In: what questions read of a world between two steps, and rays. Out: the same as `first_hits` writes, to the last bit.
The world's own grid holds each part in one cell of its size, so that moving a part costs little, and a ray looks into
the cells beside its own on each level. Here each part stands in all the cells that it reaches into, with its box
beside it, as in the grid of an `Index`; nothing of it is kept. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.queries import Queries, place_of, sees
from carom.broad.tree_circles import write_circle
from carom.broad.tree_grid import FAR, PLACES, Grid, grid_of_boxes
from carom.broad.tree_hits import Nearest, enter_grid, mover_of, next_cell, no_hit, struck
from carom.broad.tree_paths import Mover, Path, is_passed, meet_box, path_of
from carom.narrow.cast import HitColumns
from carom.narrow.slab import box_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.tolerances import SMALLEST_MOTION
from carom.world.questions.first_hits import first_hit, write_hit
from carom.world.step.tables import BETWEEN
from carom.world.step.walk import View

ENOUGH = 0.125
"""Rays for each part from which on it pays to lay out the cells: measured in docs/design/search.md."""


class Ground(NamedTuple):
    """The parts of a world as many rays look at them."""

    grid: Grid
    parts: Integers
    """(parts, 4): where its record begins in the world's buffer, its body, the bits of its layer, and 1 where
    the body has several parts; side by side, so that they come in one cache line."""
    circles: Floats
    """(parts, 4) centre, outer and inner radius."""


def ground_of(views: View, sensors: bool, rays: int) -> Ground | None:
    """Return the parts of a world laid out for so many rays; None if that does not pay, or within a step."""
    state = views.state[0, 0] if len(views.state) == 1 else None
    if state is None or state["phase"] != BETWEEN or rays < ENOUGH * state["parts"]:
        return None
    count = int(state["parts"])
    parts, circles, boxes = np.empty((count, 4), dtype=np.int64), np.empty((count, 4)), np.empty((count, 4))
    _write_parts(views, sensors, parts, circles, boxes)
    grid = grid_of_boxes(boxes)
    return Ground(grid, parts, circles) if grid.columns else None


@kernel
def _write_parts(views: View, sensors: bool, out_parts: Integers, out_circles: Floats, out_boxes: Floats) -> None:
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


@inner
def _first_on_ground(
    ground: Ground, buffer: Floats, asked: Queries, query: int, mover: Mover, path: Path, doubts: Integers
) -> tuple[Nearest, bool]:
    """Return the first hit of a ray that goes cell by cell, and whether it has to be asked again."""
    grid, nearest, again, mask = ground.grid, no_hit(0), False, asked.masks[query]
    per_x, per_y = path[8], path[9]
    walk = enter_grid(grid, mover, per_x, per_y)
    while walk.column >= 0:
        cell = walk.line * grid.columns + walk.column
        for k in range(grid.first[cell], grid.first[cell + 1]):
            near, far = meet_box(grid.boxes, 4 * k, 1, path)
            part = grid.entries[k] // PLACES
            if not near <= min(far, nearest.fraction, 1.0) or part == nearest.slot:
                continue
            start, row = ground.parts[part, 0], ground.parts[part, 1]
            if not sees(asked, query, mask, ground.parts[part, 2], row):
                continue
            again = again or (near == 0.0 and ground.parts[part, 3] == 1)
            if is_passed(mover, ground.circles, part):
                continue
            nearest = struck(mover, buffer, start, ground.circles, part, part, row, near, doubts, nearest)
            if nearest.slot == -2:
                return nearest, True
        if min(walk.when_x, walk.when_y) > min(nearest.fraction, 1.0):
            break
        walk = next_cell(grid, mover, per_x, per_y, walk)
    return nearest, again or (nearest.slot >= 0 and ground.parts[nearest.slot, 3] == 1)


@inner
def _first_of_ray(
    ground: Ground,
    view: View,
    asked: Queries,
    query: int,
    point: Floats,
    at: int,
    mx: float,
    my: float,
    sensors: bool,
    scratch: Floats,
    circles: Floats,
    doubts: Integers,
) -> tuple[Nearest, bool]:
    """Return the first hit of a ray, and whether it has to be asked again."""
    mover = mover_of(point, at, mx, my, True)
    apart = max(abs(mover.x - ground.grid.x), abs(mover.y - ground.grid.y))
    if mover.length > SMALLEST_MOTION and apart < FAR * ground.grid.cell:
        path = path_of(box_of(point, at), mx, my)
        return _first_on_ground(ground, view.buffer, asked, query, mover, path, doubts)
    return first_hit(view, asked, query, point, at, mx, my, sensors, scratch, circles, doubts)


@kernel
def first_hits_of_rays(
    ground: Ground,
    views: View,
    asked: Queries,
    motions: Floats,
    sensors: bool,
    room: int,
    begin: int,
    end: int,
    out_rows: Integers,
    out_distances: Floats,
    out_hits: HitColumns,
    out_again: Booleans,
) -> None:
    """Write the first hit of each ray from `begin` to `end`; a ray from very far away goes through the world's grid."""
    scratch, circles, doubts = np.empty(room), np.empty((1, 4)), np.empty(0, dtype=np.int64)
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    view = View(views.state[0], views.bodies[0], views.parts[0], views.buffer[0], views.cells[0], views.levels[0])
    for query in range(begin, end):
        at = place_of(asked, query, point)
        mx, my = motions[query, 0], motions[query, 1]
        found, again = _first_of_ray(ground, view, asked, query, point, at, mx, my, sensors, scratch, circles, doubts)
        write_hit(asked, query, mx, my, found, again, out_rows, out_distances, out_hits, out_again)
