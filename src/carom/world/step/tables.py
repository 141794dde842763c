"""The state of a world as plain columns: what each table holds, and how the tables are made and made larger.

Everything that a step reads or writes stands in these arrays, so that one kernel call plays a whole step, may stop at
any instant and go on later, and a copy of the arrays is a copy of the world. A body is a row of `bodies`, and the same
row of `courses` and `rests`; it has one or more convex parts, rows of `parts`, each with its record in `buffer`. World
frame, user's units; times within a step count from its start, in seconds.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import is_compiled
from carom._core.types import Floats, Integers

GONE, STATIC, KINEMATIC, DYNAMIC = -1, 0, 1, 2  # kinds of bodies
NEW = 2  # value of `moved`
LOST = 3  # value of `met`: so deep in another that it goes back at the end

BODY = np.dtype(
    [
        ("x", "f8"),  # what it turns about, at its own time: the centre of mass, or the pivot of a kinematic body
        ("y", "f8"),
        ("vx", "f8"),  # velocity where its way began
        ("vy", "f8"),
        ("way_x", "f8"),  # velocity of the straight line it follows until something happens
        ("way_y", "f8"),
        ("own_time", "f8"),  # the time that its place belongs to
        ("horizon", "f8"),  # until when the bounds of its parts hold
        # line 2
        ("kind", "i1"),
        ("sensor", "i1"),  # 1: notices, and stops nothing
        ("response", "i1"),
        ("asleep", "i1"),
        ("moved", "i1"),  # 1: it was elsewhere at the start of the step; NEW: it has not looked around since it came
        ("solved", "i1"),  # 1: its way is the solver's
        ("pile", "i1"),  # 1: it has contacts in the solver in this step; 2: it had in the one before; 3: both
        ("parting", "i1"),  # 1: it was put into something, and is on its way out; 2: it stays until it leaves by itself
        ("first_part", "i8"),
        ("part_count", "i8"),
        ("mask", "i8"),  # bit k: meets layer k
        ("layer", "i8"),  # bit k: is on layer k
        ("spin", "f8"),  # radians a second
        ("way_spin", "f8"),  # of its way
        ("angle", "f8"),  # at 0 its parts stand as their models do
        # line 3
        ("pull_x", "f8"),  # acceleration along its way
        ("pull_y", "f8"),
        ("pull_spin", "f8"),
        ("inverse_mass", "f8"),  # 0: immovable
        ("inverse_inertia", "f8"),  # 0: nothing but its own spin turns it
        ("restitution", "f8"),
        ("friction", "f8"),
        ("swift", "f8"),  # the acceleration that its fastest point feels without contacts
        # line 4
        ("spare_x", "f8"),  # what rounding has left out of x and y
        ("spare_y", "f8"),
        ("sweep", "f8"),  # how far from (x, y) it reaches
        (
            "half_width",
            "f8",
        ),  # half of its least width; of a Segment its length; infinite for static ones without width
        ("acceleration_x", "f8"),  # in addition to gravity
        ("acceleration_y", "f8"),
        ("acceleration_spin", "f8"),
        ("gravity_scale", "f8"),  # times the world's gravity
        # line 5
        ("damping", "f8"),  # a share of its velocity is lost each second
        ("one_way_x", "f8"),  # blocks only what comes from this side; 0, 0: blocks everything
        ("one_way_y", "f8"),
        ("middle_x", "f8"),  # its position relative to (x, y), at angle 0
        ("middle_y", "f8"),
        ("serial", "i8"),  # number of the body, never given twice
        ("surface_x", "f8"),  # velocity of its surface beside its own, at angle 0: only friction sees it
        ("surface_y", "f8"),
        # line 6
        ("rolling", "f8"),  # rolling resistance: largest lever, in radii, at which what presses it resists turning
        ("sleepless", "i8"),  # 1: it never falls asleep
        ("upright", "i8"),  # 1: no impact turns it
        ("kept_mass", "f8"),  # 1 / the mass that it had when it was dynamic last; 0: it never was, or is
    ]
)

COURSE = np.dtype(
    [
        ("since", "f8"),  # when its way began
        ("stamp", "i8"),  # changes when the body does: what was predicted for another stamp is void
        ("queued", "i8"),  # 1: waits for its look around
        ("last_hit", "f8"),  # when it was hit last, since the whole step began
        ("met", "i8"),  # 1: it met another in this step; 2: and was let go on, deeper perhaps
        ("hits", "i8"),  # impacts in this step, of elastic ones those at one instant; see `go_on`
        ("presses", "i8"),  # impacts in this step with kinematic bodies
        ("stalled", "i8"),  # 1: so many impacts have made it stay where it is until the step ends
        ("start_x", "f8"),  # where it stood when the whole step began, or was put since
        ("start_y", "f8"),
        ("start_angle", "f8"),
        ("target_x", "f8"),  # where a kinematic body is told to be when the step ends
        ("target_y", "f8"),
        ("target_angle", "f8"),
        ("told", "i8"),  # 1: it is told where to be; 2: and it is on its way there
    ]
)
"""What the event queue notes of a body within a step."""

REST = np.dtype(
    [
        ("timer", "f8"),  # for how long it has been slow enough to sleep
        ("stood_x", "f8"),  # where it stood when its timer began
        ("stood_y", "f8"),
        ("stood_angle", "f8"),
        ("stood_speed", "f8"),  # how fast it was then
        ("ring", "i8"),  # the next one of those that fell asleep together
        ("near", "i8"),  # 1: it was within some skins of another when the step before ended
        ("displaced", "i8"),  # 1: the end of that step has put it elsewhere, so as to open what was too deep
    ]
)
"""What a step notes of a body for the next."""

PART = np.dtype(
    [
        ("low_x", "f8"),  # bounds of its way until the horizon
        ("low_y", "f8"),
        ("high_x", "f8"),
        ("high_y", "f8"),
        ("body", "i8"),
        ("record", "i8"),  # where its record begins in the buffer
        ("width", "f8"),  # diameter of a circle around it
        ("listed", "i8"),  # how many neighbours its list names; see `neighbours`
        # line 2
        ("fat_low_x", "f8"),  # fat bounds, which hold as long as its way stays within them
        ("fat_low_y", "f8"),
        ("fat_high_x", "f8"),
        ("fat_high_y", "f8"),
        ("cell", "i8"),  # the cell of its fat bounds in the grid; -1: not in it
        ("next", "i8"),  # in the list of its bucket
        ("previous", "i8"),
        ("model", "i8"),  # where its record at angle 0, relative to the body's (x, y), begins in the buffer; 0: none
        # line 3
        ("left", "f8"),  # bounds relative to its own origin
        ("bottom", "f8"),
        ("right", "f8"),
        ("top", "f8"),
        ("offset_x", "f8"),  # its origin relative to the body's (x, y), turned as the body is
        ("offset_y", "f8"),
        ("thin", "i8"),  # 1: it has no width to speak of
        ("exposed", "i8"),  # where in the buffer it stands how far its edges are the body's; 0: it is the only part
    ]
)

LINE = 64  # bytes of a cache line
SLOTS = 16  # of the list of a part's neighbours: one cache line

IMPACT, ENTER, EXIT, RENEW, TOUCH = 0, 1, 2, 3, 4
"""Kinds of predicted events. RENEW asks for new bounds; TOUCH, of two bodies of a pile, is only told."""

EVENT = np.dtype(
    [
        ("when", "f8"),
        ("what", "i8"),
        ("part_a", "i8"),
        ("part_b", "i8"),
        ("stamp_a", "i8"),
        ("stamp_b", "i8"),
        ("contact", "i8"),  # the row that a TOUCH tells of
        ("padding", "i8"),
    ]
)

HIT, ENTERED, EXITED, CRUSHED, STALLED, CUT, OVERLAPPED = 0, 1, 2, 3, 4, 5, 6  # kinds of what is told

HIT_ROW = np.dtype(
    [
        ("time", "f8"),
        ("x", "f8"),
        ("y", "f8"),
        ("nx", "f8"),
        ("ny", "f8"),
        ("speed", "f8"),
        ("impulse", "f8"),
        ("friction_impulse", "f8"),
        ("kind", "i8"),
        ("body", "i8"),
        ("other", "i8"),
    ]
)

BETWEEN, WITHIN, CHANGED, SOLVING, SOLVED = 0, 1, 2, 3, 4
"""Phases: between steps, within one, within one that was changed, while its islands are solved by threads, after."""

STATE = np.dtype(
    [
        ("now", "f8"),  # since the step began, or was begun anew after a change
        ("length", "f8"),  # of the step, or of what was left of it then
        ("before", "f8"),  # how much of the step had passed then
        ("gravity_x", "f8"),
        ("gravity_y", "f8"),
        ("phase", "i8"),
        ("pauses", "i8"),  # 1: the caller asked to pause at each instant with hits
        ("listed", "i8"),  # 1: `movers` names all that may move
        ("told", "i8"),  # hits of this step up to its last pause
        ("pulled", "i8"),  # 1: some body has an acceleration, or was of a pile; else no pair is slow
        ("solved", "i8"),  # bodies that the solver moves
        ("settling", "i8"),  # how many it moved in the step before: some may have been slow since
        ("islands", "i8"),
        ("rounds", "i8"),  # of the solver so far
        ("quick", "i8"),  # 1: it is a coarse one
        ("full", "i8"),  # 1: one was not coarse
        ("known", "i8"),  # contacts that were solved before this round, as well as in this one
        ("seen", "i8"),  # contacts that have been solved
        ("played", "i8"),  # events in this step
        ("bodies", "i8"),  # how many rows each table uses
        ("parts", "i8"),
        ("events", "i8"),
        ("movers", "i8"),
        ("drivers", "i8"),  # kinematic bodies among them
        ("queue", "i8"),
        ("hits", "i8"),
        ("inside", "i8"),
        ("levels", "i8"),
        ("struck", "i8"),  # pairs that have met at one instant
        ("struck_at", "f8"),  # which
        ("sleepless", "i8"),  # 1: nothing falls asleep
        ("least_x", "f8"),  # bounds of all parts that ever stood in the grid, and of the origin
        ("least_y", "f8"),
        ("most_x", "f8"),
        ("most_y", "f8"),
    ]
)

MOST_LEVELS = 1100  # one for each power of two between the smallest size and the largest

Record: TypeAlias = Any
"""One row of a table of records; its fields are read and set by name."""

Table: TypeAlias = NDArray[Any]
"""A table of records."""


class Tables(NamedTuple):
    """All arrays of a world."""

    state: Table  # one row
    bodies: Table
    courses: Table
    rests: Table
    parts: Table
    buffer: Floats
    cells: Integers  # first part of each bucket of the grid, or -1; a power of two of them
    levels: Integers  # how many parts stand in each level, then a list of the levels in use
    events: Table
    heap: Integers  # rows of `events`, the earliest on top; behind them the free rows
    queue: Integers  # bodies that wait for their look around
    movers: Integers  # the bodies that may move
    near: Integers  # parts found around one
    beside: Integers  # parts that touch a wall where it is met
    lists: NDArray[np.int32]  # (parts, SLOTS) flat: the neighbours of each part
    hits: Table
    inside: Integers  # pairs of parts, a visitor inside a sensor: a hash table, -1 where free
    rules: Integers  # (63, 63) response of two layers, -1 for that of the bodies


def zeros(count: int, dtype: Any) -> Table:
    """Return an array of zeros that begins with a cache line, so that rows do not lie across two."""
    dtype = np.dtype(dtype)
    room = np.zeros(count * dtype.itemsize + LINE, dtype=np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + count * dtype.itemsize].view(dtype)


def rows_of(dtype: np.dtype[Any], count: int) -> Table:
    """Return zeroed rows; plain Python reads their fields by name only from a record array."""
    rows = zeros(count, dtype)
    return rows if is_compiled() else rows.view(np.recarray)


FORMS = {"state": STATE, "bodies": BODY, "courses": COURSE, "rests": REST, "parts": PART} | {
    "events": EVENT,
    "hits": HIT_ROW,
}
"""The tables of records and their columns."""


def by_name(given: Any, form: np.dtype[Any]) -> Table:
    """Return rows of some form with the columns that they share with the given ones."""
    rows = rows_of(form, len(given))
    for name in form.names or ():
        if name in (given.dtype.names or ()):
            rows[name] = given[name]
    return rows


def make_tables() -> Tables:
    """Return the tables of a world without bodies."""
    return Tables(
        state=rows_of(STATE, 1),
        bodies=rows_of(BODY, 16),
        courses=rows_of(COURSE, 16),
        rests=rows_of(REST, 16),
        parts=rows_of(PART, 16),
        buffer=np.zeros(64),
        cells=np.full(32, -1, dtype=np.int64),
        levels=np.zeros(2 * MOST_LEVELS, dtype=np.int64),
        events=rows_of(EVENT, 64),
        heap=np.arange(64),
        queue=np.zeros(16, dtype=np.int64),
        movers=np.zeros(16, dtype=np.int64),
        near=np.zeros(16, dtype=np.int64),
        beside=np.zeros(16, dtype=np.int64),
        lists=np.zeros(16 * SLOTS, dtype=np.int32),
        hits=rows_of(HIT_ROW, 512),
        inside=np.full(256, -1, dtype=np.int64),
        rules=np.full((63, 63), -1, dtype=np.int64),
    )


def larger(array: Any, rows: int) -> Any:
    """Return an array with at least `rows` rows, the old ones in front; if any are new, at least twice as many."""
    if len(array) >= rows:
        return array
    grown = zeros(max(rows, 2 * len(array)), array.dtype).view(type(array))
    grown[: len(array)] = array
    return grown


def with_more_events(tables: Tables, rows: int) -> Tables:
    """Return tables with room for at least so many predicted events."""
    old = len(tables.heap)
    heap = np.concatenate((tables.heap, np.arange(old, max(rows, 2 * old))))
    return tables._replace(events=larger(tables.events, len(heap)), heap=heap)
