"""What rays meet first: by walking through a grid cell by cell where there is one, else down the tree.

In: a tree, the grid over it, and rays. Out: what each ray meets first, as `first_hits` gives it; rays that start so far
away that rounding could lead them past a cell go down the tree, too. World frame, user's units.

The walk is that of J. Amanatides and A. Woo, "A fast voxel traversal algorithm" (1987), but every crossing is worked
out afresh, so that errors do not add up; and shapes are listed a little beyond their boxes, by more than all rounding.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.tree import STACK, WIDTH, Tree
from carom.broad.tree_grid import FAR, PLACES, Grid, place_of
from carom.broad.tree_hits import first_hit, is_ignored
from carom.broad.tree_paths import LATER, Path, is_passed, path_of, strike_or_pass
from carom.narrow.slab import box_of, inverse, margin_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import LEAST_COMPONENT, SMALLEST_MOTION


@inner
def meet_listed(boxes: Floats, at: int, path: Path) -> tuple[float, float]:
    """Return when the path comes into a listed box, and when it has left it: the bits of `meet_boxes`."""
    near_x, near_y, far_x, far_y, ahead_x, ahead_y, behind_x, behind_y, per_x, per_y = path
    # In a node a side stands WIDTH places after the one before it.
    enter_x, enter_y = (boxes[at + near_x // WIDTH] - ahead_x) * per_x, (boxes[at + near_y // WIDTH] - ahead_y) * per_y
    leave_x, leave_y = (boxes[at + far_x // WIDTH] - behind_x) * per_x, (boxes[at + far_y // WIDTH] - behind_y) * per_y
    return max(max(enter_x, enter_y), 0.0), min(leave_x, leave_y) * LATER + LEAST_COMPONENT


@kernel
def first_hits_of_rays(
    tree: Tree,
    grid: Grid,
    origins: Floats,
    motions: Floats,
    masks: Integers,
    ignore: Integers,
    begin: int,
    end: int,
    out_slots: Integers,
    out_fractions: Floats,
    out_normals: Floats,
    out_points: Floats,
    out_overlapping: Booleans,
    doubt_queries: Integers,
    doubt_slots: Integers,
) -> tuple[int, int]:
    """Write what each ray from `begin` to `end` meets first; return the ray it came to, and how many hits it doubts."""
    nodes, times, near, far = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(WIDTH), np.empty(WIDTH)
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    doubts = 0
    end_x, end_y = grid.x + grid.columns * grid.cell, grid.y + grid.lines * grid.cell
    farthest = FAR * grid.cell
    for query in range(begin, end):
        x, y, mx, my = origins[query, 0], origins[query, 1], motions[query, 0], motions[query, 1]
        point[X], point[Y] = x, y
        length, mask = math.sqrt(mx * mx + my * my), masks[query]
        best, best_row, best_slot = math.inf, np.iinfo(np.int64).max, -1
        bx, by, px, py, overlapping = 0.0, 0.0, 0.0, 0.0, False
        if grid.columns == 0 or not (length > SMALLEST_MOTION and max(abs(x - grid.x), abs(y - grid.y)) < farthest):
            best_slot, best, bx, by, px, py, overlapping, after = first_hit(
                tree,
                point,
                0,
                box_of(point, 0),
                mx,
                my,
                True,
                query,
                mask,
                ignore,
                nodes,
                times,
                near,
                far,
                doubt_slots,
                doubts,
            )
            if best_slot == -2:
                return query, doubts
            for k in range(doubts, after):
                doubt_queries[k] = query
            doubts = after
        else:
            outer = margin_of(0.0, max(abs(x), abs(y)))
            per_x, per_y = inverse(mx), inverse(my)
            enter_x, leave_x = (
                ((grid.x if mx >= 0.0 else end_x) - x) * per_x,
                ((end_x if mx >= 0.0 else grid.x) - x) * per_x,
            )
            enter_y, leave_y = (
                ((grid.y if my >= 0.0 else end_y) - y) * per_y,
                ((end_y if my >= 0.0 else grid.y) - y) * per_y,
            )
            enter = max(max(enter_x, enter_y), 0.0)
            limit = 1.0
            low_x, low_y, high_x, high_y = box_of(point, 0)
            path = path_of(low_x, low_y, high_x, high_y, mx, my)
            if enter <= min(min(leave_x, leave_y), limit):
                column = place_of(x + enter * mx, grid.x, grid.per, grid.columns)
                line = place_of(y + enter * my, grid.y, grid.per, grid.lines)
                # Cells are left at their far side, seen along the ray.
                beyond_x, beyond_y = (1 if mx >= 0.0 else 0), (1 if my >= 0.0 else 0)
                step_x, step_y = 2 * beyond_x - 1, 2 * beyond_y - 1
                when_x = (grid.x + (column + beyond_x) * grid.cell - x) * per_x
                when_y = (grid.y + (line + beyond_y) * grid.cell - y) * per_y
                while True:
                    place = line * grid.columns + column
                    for k in range(grid.first[place], grid.first[place + 1]):
                        slot = grid.entries[k] // PLACES
                        near_box, far_box = meet_listed(grid.boxes, 4 * k, path)
                        if not near_box <= min(far_box, limit) or slot == best_slot:
                            continue
                        if is_passed(x, y, mx, my, length, outer, tree.circles, slot):
                            continue
                        at = tree.starts[slot]
                        row = tree.rows[slot]
                        if (tree.layers[slot] & mask) == 0 or is_ignored(ignore, query, row):
                            continue
                        hit, undecided, inside, fraction, nx, ny, hx, hy = strike_or_pass(
                            point,
                            0,
                            x,
                            y,
                            outer,
                            0.0,
                            tree.records,
                            at,
                            tree.circles,
                            slot,
                            mx,
                            my,
                            length,
                            True,
                            near_box,
                        )
                        if hit and undecided:
                            if doubts == doubt_slots.shape[0]:
                                return query, doubts - doubted_since(doubt_queries, doubts, query)
                            doubt_queries[doubts], doubt_slots[doubts] = query, slot
                            doubts += 1
                            continue
                        if not hit or fraction > best or (fraction == best and row > best_row):
                            continue
                        best, best_row, best_slot, overlapping = fraction, row, slot, inside
                        bx, by, px, py = nx + 0.0, ny + 0.0, hx, hy
                        limit = best
                    if min(when_x, when_y) > limit:
                        break
                    if when_x < when_y:
                        column += step_x
                        if column < 0 or column == grid.columns:
                            break
                        when_x = (grid.x + (column + beyond_x) * grid.cell - x) * per_x
                    else:
                        line += step_y
                        if line < 0 or line == grid.lines:
                            break
                        when_y = (grid.y + (line + beyond_y) * grid.cell - y) * per_y
        out_slots[query], out_fractions[query], out_overlapping[query] = best_slot, best, overlapping
        out_normals[query, 0], out_normals[query, 1] = bx, by
        out_points[query, 0], out_points[query, 1] = px, py
    return end, doubts


@inner
def doubted_since(queries: Integers, count: int, query: int) -> int:
    """Return how many of the last doubts are of this query."""
    since = 0
    while since < count and queries[count - 1 - since] == query:
        since += 1
    return since
