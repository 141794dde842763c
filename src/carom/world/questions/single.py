"""The kernels of one question to a world, which receive its tables by address.

In: the table of what questions read of a world, which `table_of` makes when its arrays are others, and the record of
one shape, or an empty one and a point; one row at most is passed by; a part's
record has `room` numbers at most. Out: rows, distances or a hit as plain numbers, or
the word that the question has to be asked by the general way: something is undecided, a body of several parts decides
as a whole, or there are more answers than room. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.jit.addresses import Table, float_table_at, floats_at, integers_at, records_reader, rows32_at
from carom._core.types import Floats, Integers
from carom.broad.queries import Queries, point_queries, shape_queries
from carom.broad.single import NO_SHAPE
from carom.broad.tree_grid import Grid
from carom.broad.tree_hits import length_of_motion
from carom.broad.tree_regions import SHORT
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.world.questions.first_hits import first_hit
from carom.world.questions.nearest import nearest_of_query
from carom.world.questions.touched import add_touched
from carom.world.questions.walk import View, view_of
from carom.world.step import tables
from carom.world.step.tables import Tables

state_at, bodies_at, parts_at = (records_reader(form) for form in (tables.STATE, tables.BODY, tables.PART))

HitOfOne: TypeAlias = tuple[int, float, float, float, float, float, float, bool, int]
"""Row, fraction, distance, point, normal, whether it starts inside, and the body's serial number."""
NONE, ASK = -1, -2
"""In place of a row: nothing is met; it is to be asked by the general way."""

_ONE = np.zeros(1, dtype=np.int64)
_NOBODY = np.full((1, 1), -1)
_NOTHING = np.empty(0, dtype=np.int64)
_NO_ROWS = np.empty(0, dtype=np.int32)
_SHAPE = shape_queries(NO_SHAPE, _ONE, _ONE, _NOBODY)
_POINT = point_queries(np.zeros((1, 2)), _ONE, _NOBODY)


def table_of(w: Tables) -> Table:
    """Return the table of what questions read of a world; it serves as long as the tables are the same."""
    return Table(w, [*view_of(w), _SHAPE.starts, _SHAPE.points, _POINT.points, _NOTHING, _NO_ROWS])


@inner
def opened(table: Integers) -> View:
    """Return what questions read."""
    return View(
        state_at(table, 0),
        bodies_at(table, 1),
        parts_at(table, 2),
        floats_at(table, 3),
        floats_at(table, 4),
        integers_at(table, 5),
        rows32_at(table, 6),
    )


@inner
def only_query(table: Integers, records: Floats, is_point: bool, masks: Integers, passed_by: Integers) -> Queries:
    """Return one shape or point as queries; the record says where the point is."""
    return Queries(records, integers_at(table, 7), float_table_at(table, 9 if is_point else 8), masks, passed_by)


@inner
def only_hit(
    view: View,
    asked: Queries,
    records: Floats,
    at: int,
    mx: float,
    my: float,
    sensors: bool,
    scratch: Floats,
    circles: Floats,
    doubts: Integers,
) -> HitOfOne:
    """Return the first hit of the only query."""
    found, again = first_hit(view, asked, 0, records, at, mx, my, sensors, scratch, circles, doubts)
    if again or found.slot < 0:
        return ASK if again else NONE, math.inf, math.inf, 0.0, 0.0, 0.0, 0.0, False, -1
    distance, serial = found.fraction * length_of_motion(mx, my), view.bodies[found.row].serial
    return found.row, found.fraction, distance, found.px, found.py, found.nx, found.ny, found.overlapping, serial


@kernel
def first_hit_of_ray(
    table: Integers, x: float, y: float, mx: float, my: float, mask: int, ignored: int, sensors: bool, room: int
) -> HitOfOne:
    """Return the first hit of one ray."""
    x, y, mx, my = x + 0.0, y + 0.0, mx + 0.0, my + 0.0  # no -0.0
    scratch, circles = np.zeros(room + POINTS + STRIDE), np.empty((1, 4))
    masks, passed_by = np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)
    scratch[room + COUNT], scratch[room + X], scratch[room + Y], masks[0], passed_by[0, 0] = 1.0, x, y, mask, ignored
    asked = only_query(table, scratch, True, masks, passed_by)
    hit = only_hit(opened(table), asked, scratch, room, mx, my, sensors, scratch, circles, integers_at(table, 10))
    row, fraction, distance, px, py, nx, ny, overlapping, serial = hit
    if row >= 0 and fraction == 0.0:
        px, py = x, y
    return row, fraction, distance, px, py, nx, ny, overlapping, serial


@kernel
def first_hit_of_shape(
    table: Integers, record: Floats, mx: float, my: float, mask: int, ignored: int, sensors: bool, room: int
) -> HitOfOne:
    """Return the first hit of one shape that moves as `cast` has it move."""
    scratch, circles = np.empty(room), np.empty((1, 4))
    masks, passed_by = np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)
    masks[0], passed_by[0, 0] = mask, ignored
    asked, mx, my = only_query(table, record, False, masks, passed_by), mx + 0.0, my + 0.0
    return only_hit(opened(table), asked, record, 0, mx, my, sensors, scratch, circles, integers_at(table, 10))


@kernel
def rows_of_one(
    table: Integers,
    record: Floats,
    x: float,
    y: float,
    most: int,
    out_rows: Integers,
    mask: int,
    ignored: int,
    sensors: bool,
    room: int,
) -> int:
    """Write the rows that one shape or point overlaps (`most` -1) or touches (0), ascending; return how many.

    -1 stands for a question that has to be asked by the general way.
    """
    view = opened(table)
    scratch, point = np.empty(room), np.zeros(POINTS + STRIDE)
    masks, passed_by = np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)
    point[COUNT], point[X], point[Y], masks[0], passed_by[0, 0] = 1.0, x, y, mask, ignored
    records = point if record.shape[0] == 0 else record
    asked = only_query(table, records, False, masks, passed_by)
    found, again = add_touched(view, asked, 0, records, 0, most, sensors, scratch, 0, out_rows)
    return -1 if again or found > SHORT else found


@kernel
def nearest_of_one(
    table: Integers,
    record: Floats,
    x: float,
    y: float,
    within: float,
    out_rows: Integers,
    out_distances: Floats,
    mask: int,
    ignored: int,
    sensors: bool,
    room: int,
) -> bool:
    """Write the rows nearest to one shape or point, and their distances; tell whether that is decided."""
    view = opened(table)
    scratch, point = np.empty(room), np.zeros(POINTS + STRIDE)
    masks, passed_by = np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)
    point[COUNT], point[X], point[Y], masks[0], passed_by[0, 0] = 1.0, x, y, mask, ignored
    records = point if record.shape[0] == 0 else record
    asked = only_query(table, records, False, masks, passed_by)
    no_rows, nothing = rows32_at(table, 11), integers_at(table, 10)
    grid = Grid(0.0, 0.0, 1.0, 1.0, 0, 0, no_rows, no_rows, view.buffer)
    return not nearest_of_query(
        grid, view, asked, 0, records, 0, within, sensors, scratch, nothing, out_rows, out_distances
    )
