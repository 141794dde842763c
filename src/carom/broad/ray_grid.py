"""A grid that rays walk through cell by cell, for shapes of like sizes evenly spread.

In: a tree, whose slots the cells list, and rays. Out: what each ray meets first, as `first_hits` gives it; rays that
start so far away that rounding could lead them past a cell go down the tree instead. World frame, user's units.

The walk is that of J. Amanatides and A. Woo, "A fast voxel traversal algorithm" (1987), but every crossing is worked
out afresh, so that errors do not add up; and shapes are listed a little beyond their boxes, by more than all rounding.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Booleans, Floats, Integers
from carom.broad.first_hits import first_hit, is_ignored
from carom.broad.paths import LATER, LEAST_LENGTH, Path, is_passed, path_of, strike_or_pass
from carom.broad.tree import BLOCK, STACK, WIDTH, Tree
from carom.narrow.entry import box_of, inverse, margin_of
from carom.tolerances import LEAST_COMPONENT

MARGIN = 2.0**-12
"""Shapes are listed in cells so near, in cells: more than the rounding of a walk from at most FAR cells away."""

FAR = 2.0**32
"""Cells: from farther away, or at coordinates so large, the margin might not cover all rounding."""

CROWDED = 12.0
"""The most shapes that a listed shape may share its cell with, on average; with more the tree is quicker."""

REPEATED = 4
"""The most cells that a shape may be listed in, on average."""

SIZES = 2.0
"""A cell is at least so many median sizes wide, and wide enough that there are no more cells than shapes."""

FEWEST = 32
"""With fewer shapes the tree has two levels, and there is nothing to gain."""


class Grid(NamedTuple):
    """Cells in rows from the lowest, and the slots listed in each."""

    x: float
    """Where the first cell begins."""
    y: float
    cell: float
    """The width and height of a cell."""
    columns: int
    lines: int
    first: Integers
    """(cells + 1,) where each cell's slots begin in `slots`."""
    slots: Integers
    boxes: Floats
    """(4 * listed,) the box of each listed slot: least x, least y, greatest x, greatest y."""


@inner
def place_of(value: float, origin: float, cell: float, count: int) -> int:
    """Return the number of the cell that a coordinate lies in, the nearest one if it lies beyond them."""
    return int(min(max(math.floor((value - origin) / cell), 0.0), count - 1.0))


@kernel
def _count_or_list(
    tree: Tree,
    used: int,
    x: float,
    y: float,
    cell: float,
    columns: int,
    lines: int,
    listing: bool,
    first: Integers,
    out_slots: Integers,
) -> int:
    """Count the slots of each cell into `first`, or list them and move `first` on; return how many are listed."""
    total = 0
    for slot in range(used):
        if tree.rows[slot] < 0:
            continue
        at = (tree.leaf + slot // WIDTH) * BLOCK + slot % WIDTH
        room = MARGIN * cell
        low_x = place_of(tree.boxes[at] - room, x, cell, columns)
        low_y = place_of(tree.boxes[at + WIDTH] - room, y, cell, lines)
        high_x = place_of(tree.boxes[at + 2 * WIDTH] + room, x, cell, columns)
        high_y = place_of(tree.boxes[at + 3 * WIDTH] + room, y, cell, lines)
        total += (high_x - low_x + 1) * (high_y - low_y + 1)
        if not listing and total > REPEATED * used:
            return total
        for line in range(low_y, high_y + 1):
            for column in range(low_x, high_x + 1):
                place = line * columns + column
                if listing:
                    out_slots[first[place]] = slot
                first[place] += 1
    return total


def grid_over(tree: Tree, used: int) -> Grid | None:
    """Return a grid over the shapes of a tree, or None where sizes or places are too uneven for one."""
    leaves = tree.boxes[tree.leaf * BLOCK :].reshape(-1, 4, WIDTH)
    leaves = leaves[: (used + WIDTH - 1) // WIDTH]
    boxes = [leaves[:, side].reshape(-1)[:used] for side in range(4)]
    live = tree.rows[:used] >= 0
    count = int(live.sum())
    if count < FEWEST:
        return None
    low_x, low_y = float(boxes[0].min()), float(boxes[1].min())
    wide, high = float(boxes[2].max()) - low_x, float(boxes[3].max()) - low_y
    sizes = np.maximum(boxes[2] - boxes[0], boxes[3] - boxes[1])[live]
    cell = max(SIZES * float(np.median(sizes)), math.sqrt(wide / count) * math.sqrt(high), wide / count, high / count)
    if not max(abs(low_x), abs(low_y), wide, high) < FAR * cell < math.inf:
        return None
    # A cell's width of air on all sides.
    x, y = low_x - cell, low_y - cell
    columns, lines = int(wide / cell) + 3, int(high / cell) + 3
    counts = np.zeros(columns * lines + 1, dtype=np.int64)
    total = _count_or_list(tree, used, x, y, cell, columns, lines, False, counts, counts)
    if total > REPEATED * used or float((counts * counts).sum()) > CROWDED * total:
        return None
    first = np.append(0, np.cumsum(counts[:-1]))
    slots = np.empty(total, dtype=np.int64)
    _count_or_list(tree, used, x, y, cell, columns, lines, True, first[:-1].copy(), slots)
    listed = np.column_stack(boxes)[slots].reshape(-1)
    return Grid(x, y, cell, columns, lines, first, slots, listed)


@inner
def meet_listed(boxes: Floats, at: int, path: Path) -> tuple[float, float]:
    """Return when the path comes into a listed box, and when it has left it: the bits of `meet_boxes`."""
    near_x, near_y, far_x, far_y, ahead_x, ahead_y, behind_x, behind_y, per_x, per_y = path
    # In a node a side stands WIDTH places after the one before it.
    enter_x, enter_y = (boxes[at + near_x // WIDTH] - ahead_x) * per_x, (boxes[at + near_y // WIDTH] - ahead_y) * per_y
    leave_x, leave_y = (boxes[at + far_x // WIDTH] - behind_x) * per_x, (boxes[at + far_y // WIDTH] - behind_y) * per_y
    return max(max(enter_x, enter_y), 0.0), min(leave_x, leave_y) * LATER + LEAST_COMPONENT


@kernel
def first_hits_of_rays_on_grid(
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
    point = np.zeros(rec.POINTS + rec.STRIDE)
    point[rec.COUNT] = 1.0
    doubts = 0
    end_x, end_y = grid.x + grid.columns * grid.cell, grid.y + grid.lines * grid.cell
    farthest = FAR * grid.cell
    for query in range(begin, end):
        x, y, mx, my = origins[query, 0], origins[query, 1], motions[query, 0], motions[query, 1]
        point[rec.X], point[rec.Y] = x, y
        length, mask = math.sqrt(mx * mx + my * my), masks[query]
        best, best_row, best_slot = math.inf, np.iinfo(np.int64).max, -1
        bx, by, px, py, overlapping = 0.0, 0.0, 0.0, 0.0, False
        if not (length > LEAST_LENGTH and max(abs(x - grid.x), abs(y - grid.y)) < farthest):
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
                column = place_of(x + enter * mx, grid.x, grid.cell, grid.columns)
                line = place_of(y + enter * my, grid.y, grid.cell, grid.lines)
                # Cells are left at their far side, seen along the ray.
                beyond_x, beyond_y = (1 if mx >= 0.0 else 0), (1 if my >= 0.0 else 0)
                step_x, step_y = 2 * beyond_x - 1, 2 * beyond_y - 1
                when_x = (grid.x + (column + beyond_x) * grid.cell - x) * per_x
                when_y = (grid.y + (line + beyond_y) * grid.cell - y) * per_y
                while True:
                    place = line * grid.columns + column
                    for k in range(grid.first[place], grid.first[place + 1]):
                        slot = grid.slots[k]
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
                        if not hit or fraction > best or (fraction == best and row > best_row):
                            continue
                        if undecided:
                            if doubts == doubt_slots.shape[0]:
                                return query, doubts - doubted_since(doubt_queries, doubts, query)
                            doubt_queries[doubts], doubt_slots[doubts] = query, slot
                            doubts += 1
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
