"""The k bodies of a world nearest to a point or shape.

In: what questions read of a world, queries, how many to find and how far to look. Out: for each query up to k rows in
ascending order of (distance, row), with the distances that `distance` tells; and whether it has to be asked again,
exactly, since the sign of one of them lies inside the error bound.

A box around the query grows until it holds all that is as near as the k-th; each part is measured when the box first
comes to its bounds.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.queries import Queries
from carom.broad.tree_grid import Grid, reaches_into_few, slots_in_cells
from carom.narrow.signed_distance import separate
from carom.narrow.slab import Box4, box_of
from carom.vector import LEAST
from carom.world.questions.first_hits import is_seen
from carom.world.questions.ground import NEAR, Ground
from carom.world.questions.present import is_on_its_way, write_now
from carom.world.questions.walk import View, Views, look_around, next_part
from carom.world.step.tables import MOST_LEVELS
from carom.world.step.ways.neighbours import WIDTH

GROWTH = 2.0
"""Times as far as before the box reaches in the next round."""


@inner
def put_nearest(distances: Floats, rows: Integers, distance: float, row: int) -> None:
    """Put a body among the nearest, each of which counts once; the farthest falls out."""
    last = rows.shape[0] - 1
    for k in range(last + 1):
        if rows[k] == row:
            if distances[k] <= distance:
                return
            last = k  # it was known by a part that is farther
            break
    if last == rows.shape[0] - 1 and rows[last] != row:
        other = rows[last]
        if other >= 0 and (distances[last] < distance or (distances[last] == distance and other < row)):
            return
    k = last
    while k > 0:
        other, before = rows[k - 1], distances[k - 1]
        if other >= 0 and (before < distance or (before == distance and other < row)):
            break
        distances[k], rows[k] = before, other
        k -= 1
    distances[k], rows[k] = distance, row


@inner
def first_reach(view: View) -> float:
    """Return how far to look at first: a cell of the level on which most parts stand."""
    most, level = -1, 0
    for k in range(MOST_LEVELS, MOST_LEVELS + view.state[0].levels):
        if view.levels[view.levels[k]] > most:
            most, level = view.levels[view.levels[k]], view.levels[k]
    return WIDTH[level] if most >= 0 else 1.0


@inner
def gap_between(one: Box4, other: Box4) -> float:
    """Return how far a box has to grow to all sides to come to another."""
    low_x, low_y, high_x, high_y = one
    left, low, right, high = other
    return max(max(left - high_x, low_x - right), max(low - high_y, low_y - high))


@inner
def nearest_of_query(
    grid: Grid,
    view: View,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    within: float,
    sensors: bool,
    scratch: Floats,
    near: Integers,
    out_rows: Integers,
    out_distances: Floats,
) -> bool:
    """Write the nearest rows of one query, -1 and infinity where there are no more; tell if one is undecided.

    The grid has no columns where the world is not laid out.
    """
    state, bodies, parts = view.state[0], view.bodies, view.parts
    last, undecided = out_rows.shape[0] - 1, False
    for k in range(last + 1):
        out_rows[k], out_distances[k] = -1, math.inf
    low_x, low_y, high_x, high_y = box_of(records, at)
    farthest = max(max(high_x - state.least_x, state.most_x - low_x), max(high_y - state.least_y, state.most_y - low_y))
    most = min(within, 2.0 * max(farthest, 0.0))
    known, reach = -math.inf, min(first_reach(view), most)
    while True:
        grown = low_x - reach, low_y - reach, high_x + reach, high_y + reach
        way, walk = look_around(view, grown)
        count, k, room = -1, 0, way.room
        if grid.columns > 0 and reaches_into_few(grid, grown):
            count = slots_in_cells(grid, grown, 0, near)
        while True:
            if count >= 0:
                if k == count:
                    break
                part = near[k]
                k += 1
                bounds = box_of(view.buffer, parts[part].record)
            else:
                walk = next_part(view, way, walk, 1.0)
                part, room = walk.part, walk.room
                if part < 0:
                    break
                fat = parts[part]
                bounds = fat.fat_low_x, fat.fat_low_y, fat.fat_high_x, fat.fat_high_y
            row, gap = parts[part].body, gap_between((low_x, low_y, high_x, high_y), bounds)
            body = bodies[row]
            # A part that two rounds measure counts once; one at the border of a round may not be left out of both.
            if gap > reach + room or gap + room <= known or gap - room > out_distances[last]:
                continue
            if not is_seen(asked, query, sensors, body, row):
                continue
            if is_on_its_way(state, body):
                write_now(view, part, scratch, 0)
                found = separate(records, at, scratch, 0)
            else:
                found = separate(records, at, view.buffer, parts[part].record)
            distance = max(found[0], 0.0)
            if found[6]:
                # It may touch or not: here it counts as apart by a little; the caller decides.
                distance, undecided = max(abs(found[0]), LEAST), True
            if distance <= within:
                put_nearest(out_distances, out_rows, distance, row)
        if reach >= most or out_distances[last] <= reach:
            return undecided
        known = reach
        reach = min(out_distances[last] if out_rows[last] >= 0 else GROWTH * reach, most)


@kernel
def nearest_rows(
    ground: Ground,
    views: Views,
    each: int,
    asked: Queries,
    within: float,
    sensors: bool,
    room: int,
    begin: int,
    end: int,
    out_rows: Integers,
    out_distances: Floats,
    out_again: Booleans,
) -> None:
    """Write for each query from `begin` to `end` the nearest rows, -1 and infinity where there are no more.

    The ground, copies of a world and `room` are as for `first_hits`.
    """
    scratch, near = np.empty(room), np.empty(NEAR, dtype=np.int64)
    k = -1
    for query in range(begin, end):
        if query // each != k:
            k = query // each
            view = View(
                views.state[k],
                views.bodies[k],
                views.parts[k],
                views.buffer[k],
                views.models[k % views.models.shape[0]],  # of copies that share them the only ones
                views.cells[k],
                views.levels[k],
            )
        rows, distances = out_rows[query], out_distances[query]
        out_again[query] = nearest_of_query(
            ground.grid,
            view,
            asked,
            query,
            asked.records,
            asked.starts[query],
            within,
            sensors,
            scratch,
            near,
            rows,
            distances,
        )
