"""The bodies of a world that a shape or a point touches, and the pairs of query and part that may meet at all.

In: what questions read of a world, and queries. Out: the rows that a query touches, ascending, each once, and whether
it has to be asked again by `again`; or candidates for the exact questions to choose from: none that belongs is missing.
The answers go into columns of fixed length: where they are full, the query that the search stopped at is returned, and
the caller goes on from there. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.queries import Queries, place_of, sees
from carom.broad.tree_grid import reaches_into_few, slots_in_cells
from carom.broad.tree_regions import SHORT
from carom.narrow.intersects import side
from carom.narrow.pairs.discs import UNDECIDED
from carom.narrow.slab import box_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.world.questions.first_hits import is_seen
from carom.world.questions.ground import NEAR, Ground
from carom.world.questions.present import is_on_its_way, write_now
from carom.world.questions.walk import View, Views, look_along, look_around, next_part


@inner
def put_row(rows: Integers, first: int, last: int, row: int) -> int:
    """Put a row among those from `first` to `last`, in order and once; return where they end.

    To many it is added behind them: the caller sorts these.
    """
    if last - first > SHORT:
        rows[last] = row
        return last + 1
    place = last
    while place > first and rows[place - 1] > row:
        place -= 1
    if place > first and rows[place - 1] == row:
        return last
    for k in range(last, place, -1):
        rows[k] = rows[k - 1]
    rows[place] = row
    return last + 1


@inner
def add_touched(
    view: View,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    most: int,
    sensors: bool,
    scratch: Floats,
    found: int,
    out_rows: Integers,
) -> tuple[int, bool]:
    """Write the rows that a query touches from place `found` on; return where they end, and whether to ask it again.

    They end at -1 if there is no room.
    """
    state, bodies, parts, again, first = view.state[0], view.bodies, view.parts, False, found
    way, walk = look_around(view, box_of(records, at))
    while True:
        walk = next_part(view, way, walk, 1.0)
        part = walk.part
        if part < 0:
            return found, again
        row = parts[part].body
        body = bodies[row]
        if not is_seen(asked, query, sensors, body, row):
            continue
        if is_on_its_way(state, body):
            write_now(view, part, scratch, 0)
            answer = side(records, at, scratch, 0)
        else:
            answer = side(records, at, view.buffer, parts[part].record)
        found, again = with_row(answer, most, body.part_count > 1, row, first, found, again, out_rows)
        if found < 0:
            return -1, again


@inner
def with_row(
    answer: int, most: int, several: bool, row: int, first: int, found: int, again: bool, out_rows: Integers
) -> tuple[int, bool]:
    """Put in a row of whose parts one is touched as `side` tells; return as `add_touched` does."""
    # Several parts that are merely touched may be overlapped as a whole.
    again = again or answer == UNDECIDED or (answer == 0 and most < 0 and several)
    if answer == UNDECIDED or answer > most:
        return found, again
    return -1 if found == out_rows.shape[0] else put_row(out_rows, first, found, row), again


@inner
def add_touched_on_ground(
    ground: Ground,
    buffer: Floats,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    most: int,
    near: Integers,
    count: int,
    found: int,
    out_rows: Integers,
) -> tuple[int, bool]:
    """Do as `add_touched` with those of `near`, the parts whose boxes meet the query's, where the world is laid out."""
    again, first, mask = False, found, asked.masks[query]
    for k in range(count):
        part = near[k]
        row, several = ground.parts[part, 1], ground.parts[part, 3] == 1
        if not sees(asked, query, mask, ground.parts[part, 2], row):
            continue
        answer = side(records, at, buffer, ground.parts[part, 0])
        found, again = with_row(answer, most, several, row, first, found, again, out_rows)
        if found < 0:
            return -1, again
    return found, again


@kernel
def touched_rows(
    ground: Ground,
    views: Views,
    each: int,
    asked: Queries,
    most: int,
    sensors: bool,
    room: int,
    out_counts: Integers,
    out_again: Booleans,
    begin: int,
    end: int,
    out_rows: Integers,
) -> tuple[int, int]:
    """Write the rows that each query overlaps (`most` -1) or touches (0), one list after the other.

    Return the query it came to, and how many rows there are. Lists of more than SHORT rows are not in order, and may
    name a row more than once. The ground, copies of a world and `room` are as for `first_hits`.
    """
    scratch, point, near = np.empty(room), np.zeros(POINTS + STRIDE), np.empty(NEAR, dtype=np.int64)
    point[COUNT] = 1.0
    records = point if asked.points.shape[0] > 0 else asked.records
    found = 0
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
        at = place_of(asked, query, point)
        count, box = -1, box_of(records, at)
        if ground.grid.columns > 0 and reaches_into_few(ground.grid, box):
            count = slots_in_cells(ground.grid, box, 0, near)
        if count >= 0:
            after, again = add_touched_on_ground(
                ground, view.buffer, asked, query, records, at, most, near, count, found, out_rows
            )
        else:
            after, again = add_touched(view, asked, query, records, at, most, sensors, scratch, found, out_rows)
        if after < 0:
            return query, found
        out_counts[query], out_again[query] = after - found, again
        found = after
    return end, found


@kernel
def parts_on_ways(
    views: Views,
    each: int,
    asked: Queries,
    boxes: Floats,
    motions: Floats,
    limits: Floats,
    sensors: bool,
    begin: int,
    end: int,
    out_queries: Integers,
    out_parts: Integers,
) -> tuple[int, int]:
    """Write the parts whose bounds each box meets on its way up to a limit; return where it came to, and the count."""
    found = 0
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
        before = found
        box = boxes[query, 0], boxes[query, 1], boxes[query, 2], boxes[query, 3]
        way, walk = look_along(view, box, motions[query, 0], motions[query, 1])
        while True:
            walk = next_part(view, way, walk, limits[query])
            if walk.part < 0:
                break
            row = view.parts[walk.part].body
            if not is_seen(asked, query, sensors, view.bodies[row], row):
                continue
            if found == out_parts.shape[0]:
                return query, before
            out_queries[found], out_parts[found] = query, walk.part
            found += 1
    return end, found
