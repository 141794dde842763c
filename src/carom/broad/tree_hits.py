"""The first shape that each ray, or each moving shape, meets among all shapes of a tree.

In: a tree and the grid over it, and queries with their motions. Out: for each query the slot that is hit first, of
equal ones the one with the lower row number, and the hit as `strike` tells it; and, aside, the few pairs whose hit lies
inside the error bound: the caller has them decided exactly and then compares. World frame, user's units.

There are two ways to come to candidates. Down the tree, children are looked at in the order in which the path comes to
them, and not at all once a hit is nearer. Through the grid, where there is one, a ray goes cell by cell, as J.
Amanatides and A. Woo say ("A fast voxel traversal algorithm", 1987); but every crossing is worked out afresh, so that
errors do not add up, and shapes are listed a little beyond their boxes, by more than all rounding. Rays that start so
far away that rounding could lead them past a cell go down the tree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.broad.grid_levels import cell_number
from carom.broad.queries import Queries, place_of, sees
from carom.broad.tree import CHILDREN, STACK, Tree, push_child
from carom.broad.tree_circles import is_met_later, is_repeated
from carom.broad.tree_grid import FAR, PLACES, Grid
from carom.broad.tree_paths import Mover, Path, is_passed, meet_box, meet_boxes, path_of, strike_or_pass
from carom.narrow.cast import HitColumns
from carom.narrow.slab import box_of, margin_of
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import SMALLEST_MOTION

PATIENCE = 16
"""Nodes that are looked at by their boxes alone; longer searches are in a crowd, where circles and copies help."""


class Nearest(NamedTuple):
    """The first hit of a query among the slots tested so far, and what the last test found."""

    slot: int
    """-1: none so far; -2: no room is left for undecided hits."""
    row: int
    fraction: float
    nx: float
    ny: float
    px: float
    py: float
    overlapping: bool
    undecided: int
    """How many undecided hits are written so far, those of earlier queries included."""
    tested_slot: int
    tested_row: int
    tested_fraction: float
    """Infinite where the slot tested last is missed."""


class Walk(NamedTuple):
    """Where a ray is on its way through a grid."""

    column: int
    """-1 where it is in none: it misses the grid, or has left it."""
    line: int
    when_x: float
    """When it leaves the column."""
    when_y: float
    """When it leaves the line."""


@inner
def leaving(number: int, origin: float, cell: float, start: float, motion: float, per: float) -> float:
    """Return when a ray leaves a column, or a line, of cells: at its far side, seen along the ray."""
    return (origin + (number + (1 if motion >= 0.0 else 0)) * cell - start) * per


@inner
def enter_grid(grid: Grid, ray: Mover, per_x: float, per_y: float) -> Walk:
    """Return the cell that a ray comes into first; `per_x` and `per_y` are one over its motion."""
    end_x, end_y = grid.x + grid.columns * grid.cell, grid.y + grid.lines * grid.cell
    first_x, last_x = (grid.x, end_x) if ray.mx >= 0.0 else (end_x, grid.x)
    first_y, last_y = (grid.y, end_y) if ray.my >= 0.0 else (end_y, grid.y)
    enter = max(max((first_x - ray.x) * per_x, (first_y - ray.y) * per_y), 0.0)
    if not enter <= min(min((last_x - ray.x) * per_x, (last_y - ray.y) * per_y), 1.0):
        return Walk(-1, -1, math.inf, math.inf)
    column = cell_number(ray.x + enter * ray.mx, grid.x, grid.per, grid.columns)
    line = cell_number(ray.y + enter * ray.my, grid.y, grid.per, grid.lines)
    when_x = leaving(column, grid.x, grid.cell, ray.x, ray.mx, per_x)
    return Walk(column, line, when_x, leaving(line, grid.y, grid.cell, ray.y, ray.my, per_y))


@inner
def next_cell(grid: Grid, ray: Mover, per_x: float, per_y: float, walk: Walk) -> Walk:
    """Return the cell that a ray comes into after the one it is in."""
    column, line, when_x, when_y = walk
    if when_x < when_y:
        column += 1 if ray.mx >= 0.0 else -1
        when_x = leaving(column, grid.x, grid.cell, ray.x, ray.mx, per_x)
    else:
        line += 1 if ray.my >= 0.0 else -1
        when_y = leaving(line, grid.y, grid.cell, ray.y, ray.my, per_y)
    outside = column < 0 or column == grid.columns or line < 0 or line == grid.lines
    return Walk(-1 if outside else column, line, when_x, when_y)


@inner
def mover_of(records: Floats, at: int, mx: float, my: float, ray: bool) -> Mover:
    """Return a shape that moves by m."""
    x, y = records[at + X] + records[at + CENTER_X], records[at + Y] + records[at + CENTER_Y]
    outer = records[at + RADIUS] + records[at + REACH]
    outer += margin_of(2.0 * outer, max(abs(x), abs(y)) + outer)
    return Mover(records, at, x, y, outer, mx, my, math.sqrt(mx * mx + my * my), ray)


@inner
def no_hit(undecided: int) -> Nearest:
    """Return what stands for no hit so far; so many undecided ones are written already."""
    none = np.iinfo(np.int64).max
    return Nearest(-1, none, math.inf, 0.0, 0.0, 0.0, 0.0, False, undecided, -1, none, math.inf)


@inner
def tested(
    tree: Tree,
    asked: Queries,
    query: int,
    mover: Mover,
    slot: int,
    when: float,
    doubt_slots: Integers,
    nearest: Nearest,
) -> Nearest:
    """Return the first hit once a slot is tested, too, whose box the path enters at `when`.

    An undecided hit goes to `doubt_slots`.
    """
    if mover.length > SMALLEST_MOTION and is_passed(mover, tree.circles, slot):
        best_slot, best_row, best, nx, ny, px, py, overlapping, undecided, _, tested_row, _ = nearest
        return Nearest(best_slot, best_row, best, nx, ny, px, py, overlapping, undecided, slot, tested_row, math.inf)
    if not sees(asked, query, asked.masks[query], tree.layers[slot], tree.rows[slot]):
        return nearest
    return struck(
        mover, tree.records, tree.starts[slot], tree.circles, slot, slot, tree.rows[slot], when, doubt_slots, nearest
    )


@inner
def struck(
    mover: Mover,
    records: Floats,
    at: int,
    circles: Floats,
    circle: int,
    slot: int,
    row: int,
    when: float,
    doubt_slots: Integers,
    nearest: Nearest,
) -> Nearest:
    """Return the first hit once a shape is tested, too, whose box the path enters at `when`, and which it may meet.

    Its circles stand in a row of `circles`. An undecided hit goes to `doubt_slots`.
    """
    best_slot, best_row, best, nx, ny, px, py, overlapping, undecided, _, _, _ = nearest
    hit, doubtful, inside, fraction, hit_nx, hit_ny, hit_x, hit_y = strike_or_pass(
        mover, records, at, circles, circle, when
    )
    if hit and doubtful:
        if undecided == doubt_slots.shape[0]:
            best_slot = -2
        else:
            doubt_slots[undecided] = slot
            undecided += 1
    elif hit and (fraction < best or (fraction == best and (row < best_row or (row == best_row and slot < best_slot)))):
        best_slot, best_row, best, overlapping = slot, row, fraction, inside
        nx, ny, px, py = hit_nx + 0.0, hit_ny + 0.0, hit_x, hit_y
    # An undecided hit may be sooner than it was found to be, and so may its copies.
    tested_fraction = (0.0 if doubtful else fraction) if hit else math.inf
    return Nearest(best_slot, best_row, best, nx, ny, px, py, overlapping, undecided, slot, row, tested_fraction)


@inner
def first_hit_in_grid(
    tree: Tree,
    grid: Grid,
    asked: Queries,
    query: int,
    mover: Mover,
    path: Path,
    doubt_slots: Integers,
    nearest: Nearest,
) -> Nearest:
    """Return the first hit of a ray that goes through a grid cell by cell."""
    per_x, per_y = path[8], path[9]
    walk = enter_grid(grid, mover, per_x, per_y)
    while walk.column >= 0:
        cell = walk.line * grid.columns + walk.column
        for k in range(grid.first[cell], grid.first[cell + 1]):
            slot = grid.entries[k] // PLACES
            near, far = meet_box(grid.boxes, 4 * k, 1, path)
            if near <= min(far, nearest.fraction, 1.0) and slot != nearest.slot:
                nearest = tested(tree, asked, query, mover, slot, near, doubt_slots, nearest)
                if nearest.slot == -2:
                    return nearest
        if min(walk.when_x, walk.when_y) > min(nearest.fraction, 1.0):
            break
        walk = next_cell(grid, mover, per_x, per_y, walk)
    return nearest


@inner
def first_hit_in_tree(
    tree: Tree,
    asked: Queries,
    query: int,
    mover: Mover,
    path: Path,
    nodes: Integers,
    times: Floats,
    near: Floats,
    far: Floats,
    doubt_slots: Integers,
    nearest: Nearest,
) -> Nearest:
    """Return the first hit of a query that goes down a tree."""
    moves = mover.length > SMALLEST_MOTION
    nodes[0], times[0] = 0, 0.0
    count, steps = 1, 0
    while count > 0:
        count -= 1
        node = nodes[count]
        # No hit is earlier than the entry of its box, nor than that of a box around it.
        limit = min(nearest.fraction, 1.0)
        if times[count] > limit or (nearest.fraction == 0.0 and tree.least[node] > nearest.row):
            continue
        steps += 1
        if steps > PATIENCE:
            if moves and is_met_later(tree, node, mover, limit):
                continue
            # The slot tested last is not hit, or later than the best, or in a lower row: so are its copies.
            last = nearest.tested_fraction
            no_sooner = last > nearest.fraction or last == math.inf or tree.least[node] > nearest.tested_row
            if no_sooner and is_repeated(tree, node, nearest.tested_slot):
                continue
        meet_boxes(tree.boxes, node, path, near, far)
        base = count
        for c in range(CHILDREN):
            if not near[c] <= min(far[c], nearest.fraction, 1.0):
                continue
            if node < tree.leaf:
                push_child(tree, nodes, times, base, count, CHILDREN * node + 1 + c, near[c])
                count += 1
                continue
            slot = CHILDREN * (node - tree.leaf) + c
            nearest = tested(tree, asked, query, mover, slot, near[c], doubt_slots, nearest)
            if nearest.slot == -2:
                return nearest
    return nearest


@inner
def first_hit(
    tree: Tree,
    grid: Grid,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    mx: float,
    my: float,
    nodes: Integers,
    times: Floats,
    near: Floats,
    far: Floats,
    doubt_slots: Integers,
    undecided: int,
) -> Nearest:
    """Return the first hit of a query, through the grid if it pays; `undecided` hits are written already."""
    ray = asked.points.shape[0] > 0
    path = path_of(box_of(records, at), mx, my)
    mover, nearest = mover_of(records, at, mx, my, ray), no_hit(undecided)
    walks = ray and grid.columns > 0 and mover.length > SMALLEST_MOTION
    if walks and max(abs(mover.x - grid.x), abs(mover.y - grid.y)) < FAR * grid.cell:
        return first_hit_in_grid(tree, grid, asked, query, mover, path, doubt_slots, nearest)
    return first_hit_in_tree(tree, asked, query, mover, path, nodes, times, near, far, doubt_slots, nearest)


@kernel
def first_hits(
    tree: Tree,
    grid: Grid,
    asked: Queries,
    motions: Floats,
    begin: int,
    end: int,
    out_slots: Integers,
    out_hits: HitColumns,
    doubt_queries: Integers,
    doubt_slots: Integers,
) -> tuple[int, int]:
    """Write the first hit of each query from `begin` to `end`; where there is none, the slot is -1.

    Points move as rays, shapes as `cast` has them move. Return the query it came to, since there was no room for the
    undecided hits of the next one, and how many undecided hits it wrote.
    """
    nodes, times, near, far = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(CHILDREN), np.empty(CHILDREN)
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    ray = asked.points.shape[0] > 0
    records = point if ray else asked.records
    undecided = 0
    for query in range(begin, end):
        at = place_of(asked, query, point)
        mx, my = motions[query, 0], motions[query, 1]
        nearest = first_hit(
            tree, grid, asked, query, records, at, mx, my, nodes, times, near, far, doubt_slots, undecided
        )
        if nearest.slot == -2:
            return query, undecided
        for k in range(undecided, nearest.undecided):
            doubt_queries[k] = query
        undecided = nearest.undecided
        hit = nearest.slot >= 0
        out_slots[query] = nearest.slot
        out_hits.hit[query], out_hits.fraction[query], out_hits.overlapping[query] = (
            hit,
            nearest.fraction,
            nearest.overlapping,
        )
        out_hits.point[query, 0], out_hits.point[query, 1] = nearest.px, nearest.py
        out_hits.normal[query, 0], out_hits.normal[query, 1] = nearest.nx, nearest.ny
    return end, undecided


@inner
def length_of_motion(mx: float, my: float) -> float:
    """Return the length of a motion, however small."""
    largest = max(abs(mx), abs(my))
    unit = largest if 0.0 < largest < SMALLEST_MOTION else 1.0
    mx, my = mx / unit, my / unit
    return math.sqrt(mx * mx + my * my) * unit


@kernel
def finish_rays(
    tree: Tree,
    origins: Floats,
    motions: Floats,
    fractions: Floats,
    out_points: Floats,
    out_distances: Floats,
    out_rows: Integers,
) -> None:
    """Write the distance of each hit, the row in place of its slot, and for a start inside the start as the point."""
    for query in range(out_rows.shape[0]):
        slot = out_rows[query]
        if slot < 0:
            out_distances[query] = math.inf
            continue
        out_rows[query] = tree.rows[slot]
        out_distances[query] = fractions[query] * length_of_motion(motions[query, 0], motions[query, 1])
        if fractions[query] == 0.0:
            out_points[query, 0], out_points[query, 1] = origins[query, 0], origins[query, 1]
