"""The kernels of one question to a world, which receive its tables by address.

In: the table of what questions read of a world, which `table_of` makes when its arrays are others, and the record of
one shape, or an empty one and a point; one row at most is passed by; a part's
record has `room` numbers at most. Out: rows, distances or a hit as plain numbers, or
the word that the question has to be asked by the general way: something is undecided, a body of several parts decides
as a whole, or there are more answers than room. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.jit.addresses import Table, float_table_at, floats_at, integers_at, records_reader
from carom._core.types import Floats, Integers
from carom.broad.answers import RayNumbers
from carom.broad.queries import Queries, point_queries, shape_queries
from carom.broad.single import NO_SHAPE
from carom.broad.tree_hits import length_of_motion
from carom.broad.tree_regions import SHORT
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.world.questions.first_hits import first_hit
from carom.world.questions.nearest import nearest_of_query
from carom.world.questions.touched import add_touched
from carom.world.step import tables
from carom.world.step.tables import Tables
from carom.world.step.walk import View, view_of

state_at, bodies_at, parts_at = (records_reader(form) for form in (tables.STATE, tables.BODY, tables.PART))

_ONE = np.zeros(1, dtype=np.int64)
_NOBODY = np.full((1, 1), -1)
_SHAPE = shape_queries(NO_SHAPE, _ONE, _ONE, _NOBODY)
_POINT = point_queries(np.zeros((1, 2)), _ONE, _NOBODY)


def table_of(w: Tables) -> Table:
    """Return the table of what questions read of a world; it serves as long as the tables are the same."""
    return Table(w, [*view_of(w), _SHAPE.starts, _SHAPE.points, _POINT.points])


@inner
def opened(table: Integers) -> View:
    """Return what questions read."""
    return View(
        state_at(table, 0),
        bodies_at(table, 1),
        parts_at(table, 2),
        floats_at(table, 3),
        integers_at(table, 4),
        integers_at(table, 5),
    )


@inner
def only_query(table: Integers, records: Floats, is_point: bool, masks: Integers, passed_by: Integers) -> Queries:
    """Return one shape or point as queries; the record says where the point is."""
    return Queries(records, integers_at(table, 6), float_table_at(table, 8 if is_point else 7), masks, passed_by)


@kernel
def first_hit_of_one(
    table: Integers,
    record: Floats,
    x: float,
    y: float,
    mx: float,
    my: float,
    mask: int,
    ignored: int,
    sensors: bool,
    room: int,
) -> tuple[RayNumbers, int, bool]:
    """Return the first hit of one ray, or of one shape that moves as `cast` has it move.

    These are the row, -1 for none, fraction, distance, point, normal, whether it starts inside; aside the body's serial
    number, and whether to ask by the general way: then all the rest is void.
    """
    view = opened(table)
    x, y, mx, my = x + 0.0, y + 0.0, mx + 0.0, my + 0.0  # no -0.0
    scratch, circles, doubts = np.empty(room), np.empty((1, 4)), np.empty(0, dtype=np.int64)
    point, masks, passed_by = np.zeros(POINTS + STRIDE), np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)
    point[COUNT], point[X], point[Y], masks[0], passed_by[0, 0] = 1.0, x, y, mask, ignored
    ray = record.shape[0] == 0
    records = point if ray else record
    asked = only_query(table, records, ray, masks, passed_by)
    found, again = first_hit(view, asked, 0, records, 0, mx, my, sensors, scratch, circles, doubts)
    if again or found.slot < 0:
        return (-1, math.inf, math.inf, 0.0, 0.0, 0.0, 0.0, False), -1, again
    px, py = (x, y) if ray and found.fraction == 0.0 else (found.px, found.py)
    distance, serial = found.fraction * length_of_motion(mx, my), view.bodies[found.row].serial
    return (found.row, found.fraction, distance, px, py, found.nx, found.ny, found.overlapping), serial, False


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
    return not nearest_of_query(view, asked, 0, records, 0, within, sensors, scratch, out_rows, out_distances)
