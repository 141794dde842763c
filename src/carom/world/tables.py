"""The state of a world as plain columns: what each table holds, and how the tables are made and made larger.

Everything that a step reads or writes stands in these arrays, so that one kernel call plays a whole step, may stop at
any instant and go on later, and a copy of the arrays is a copy of the world. A body is a row of `bodies`; it has one or
more convex parts, rows of `parts`, each with its record in `buffer`. World frame, user's units; times within a step
count from its start, in seconds.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import is_compiled
from carom._core.types import Floats, Integers

GONE, STATIC, KINEMATIC, DYNAMIC = -1, 0, 1, 2  # kinds of bodies
NEW = 2  # value of `moved`

# A row fills whole cache lines of 64 bytes, and the first of them are all that a step without impacts reads.
BODY = np.dtype(
    [
        ("x", "f8"),  # its origin at its own time
        ("y", "f8"),
        ("vx", "f8"),  # its velocity at its own time
        ("vy", "f8"),
        ("way_x", "f8"),  # velocity of the straight line it follows until something happens
        ("way_y", "f8"),
        ("own_time", "f8"),  # the time that origin and velocity belong to
        ("horizon", "f8"),  # until when the bounds of its parts hold
        # line 2
        ("kind", "i1"),
        ("queued", "i1"),  # 1: waits for its look around
        ("sensor", "i1"),  # 1: notices, and stops nothing
        ("response", "i1"),
        ("unused_byte", "i1"),
        ("held", "i1"),  # how many supports it has, 0 to 2
        ("asleep", "i1"),  # 1: at rest on what is at rest
        ("stopped", "i1"),  # 1: stands still for the rest of the step
        ("idle", "i2"),  # events in a row without progress in time
        ("rattles", "i2"),  # slow impacts in this step since its last huddle, see `huddle`
        ("moved", "i1"),  # 1: it was elsewhere at the start of the step; NEW: it has not looked around since it came
        ("huddled", "i1"),  # huddles in its last step awake that it took part in
        ("joined", "i2"),  # how it takes part in a joint solution, see `moment` and `huddle`; 0 in between
        ("mask", "i8"),  # bit k: meets layer k
        ("stamp", "i8"),  # changes when the body does: what was predicted for another stamp is void
        ("first_part", "i4"),
        ("part_count", "i4"),
        ("extent", "f8"),  # its size
        ("layer", "i8"),  # bit k: is on layer k
        ("turn", "f8"),  # radians a second that it spins now
        # line 3
        ("pull_x", "f8"),  # acceleration for the rest of the step, less what supports take away
        ("pull_y", "f8"),
        ("acceleration_x", "f8"),  # in addition to gravity
        ("acceleration_y", "f8"),
        ("spare_x", "f8"),  # what rounding has left out of its origin (of its pivot while it spins)
        ("spare_y", "f8"),
        ("push_x", "f8"),  # the part of its chord that parts it from what it overlaps; no velocity
        ("push_y", "f8"),
        # line 4
        ("inverse_mass", "f8"),  # 0: immovable
        ("restitution", "f8"),
        ("touched", "i8"),  # number of the last instant that it took part in
        ("one_way_x", "f8"),  # blocks only what comes from this side; 0, 0: blocks everything
        ("one_way_y", "f8"),
        ("drive_x", "f8"),  # the velocity a kinematic body is given
        ("drive_y", "f8"),
        ("spin", "f8"),  # radians a second that a kinematic body is given
        # lines 5 and 6
        ("support", "f8", 4),  # unit vectors along which up to two supports push it: x, y, x, y
        ("supporter", "i4", 2),  # the rows of the bodies that do
        ("huddle", "i8"),  # name of the huddle it came to rest in: all in one sleep and wake together; 0: none
        ("angle", "f8"),  # how far it has turned
        ("pivot_x", "f8"),  # what it turns about, at its own time
        ("pivot_y", "f8"),
        ("lever_x", "f8"),  # its origin relative to the pivot, at angle 0
        ("lever_y", "f8"),
        ("middle_x", "f8"),  # its position relative to its origin, at angle 0
        ("middle_y", "f8"),
        ("sweep", "f8"),  # how far from the pivot it reaches
        ("serial", "i8"),  # number of the body, never given twice
        ("recent", "i4"),  # the latest of its contacts at this moment, see `moment`
        ("jams", "i2"),  # joint solutions in a row without progress in time
        ("presses", "i2"),  # impacts in this step with kinematic bodies
        # line 7
        ("center_x", "f8"),  # its position relative to its origin
        ("center_y", "f8"),
        ("squeezed", "i8"),  # 1: it hangs together with a contact that cannot be solved, see `crushing`
        ("team", "i4"),  # name of those who push each other in a huddle of this step; 0: none
        ("teammate", "i4"),  # the next one in the ring of them
        ("last_time", "f8"),  # when something last happened to it
        ("unused", "f8", 3),
    ]
)

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
        ("model", "i8"),  # where its record at angle 0, relative to the body's origin, begins in the buffer
        # line 3
        ("left", "f8"),  # bounds relative to its own origin
        ("bottom", "f8"),
        ("right", "f8"),
        ("top", "f8"),
        ("offset_x", "f8"),  # its origin relative to the body's, turned as the body is
        ("offset_y", "f8"),
        ("least_width", "f8"),  # how thin it is
        ("unused", "f8"),
    ]
)

LINE = 64  # bytes of a cache line
SLOTS = 16  # of the list of a part's neighbours: one cache line

IMPACT, ENTER, EXIT, RENEW = 0, 1, 2, 3  # what is predicted: the last asks for new bounds

EVENT = np.dtype(
    [
        ("when", "f8"),
        ("window", "f8"),  # what happens no more than this later happens at the same instant
        ("nx", "f8"),  # from the body of part a to that of part b
        ("ny", "f8"),
        ("x", "f8"),  # where they meet, relative to a's origin
        ("y", "f8"),
        ("what", "i8"),
        ("part_a", "i8"),
        ("part_b", "i8"),
        ("stamp_a", "i8"),
        ("stamp_b", "i8"),
        ("marks", "i8"),  # as `meeting` tells
        ("part_c", "i8"),  # another part without which it would not happen, or -1
        ("stamp_c", "i8"),
    ]
)

CONTACT = np.dtype(
    [
        ("nx", "f8"),  # from a to b
        ("ny", "f8"),
        ("x", "f8"),
        ("y", "f8"),
        ("target", "f8"),  # the least speed of parting that it asks for
        ("impulse", "f8"),
        ("share_a", "f8"),  # inverse masses as this contact sees them
        ("share_b", "f8"),
        ("extra", "f8"),  # speed of parting by spin
        ("approach", "f8"),  # speed of approach before; 0 for what merely rests
        ("bounce", "f8"),  # restitution; 0 for what is to rest
        ("lack", "f8"),  # speed of parting that it still lacks, and the impulse by which all change at once
        ("step", "f8"),
        ("slop", "f8"),  # how deep its parts may overlap; of a huddle
        ("gain", "f8"),  # by how much the steps of all raise its speed of parting
        ("a", "i8"),
        ("b", "i8"),
        ("state", "i8"),  # bits, see `solve`
        ("before_a", "i8"),  # the contact of a before this one, -1 if there is none
        ("before_b", "i8"),
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
        ("kind", "i8"),
        ("body", "i8"),
        ("other", "i8"),
    ]
)

BETWEEN, WITHIN, CHANGED = 0, 1, 2  # phases: between steps, within one, within one that was changed

STATE = np.dtype(
    [
        ("now", "f8"),
        ("length", "f8"),  # of the step
        ("gravity_x", "f8"),
        ("gravity_y", "f8"),
        ("phase", "i8"),
        ("pauses", "i8"),  # 1: the caller asked to pause at each instant with hits
        ("still", "i8"),  # 1: nothing moves, and nothing will
        ("listed", "i8"),  # 1: `movers` names all that may move
        ("instant", "i8"),  # number of the present instant
        ("played", "i8"),  # instants in this step
        ("told", "i8"),  # hits of this step up to its last pause
        ("driven", "i8"),  # 1: something kinematic takes part in the present moment
        ("crowd", "i8"),  # bodies that take part in it
        ("rattling", "i8"),  # 1: some body of the present instant asks for a huddle
        ("lightest", "f8"),  # the largest inverse mass of them, and the least
        ("heaviest", "f8"),
        ("bodies", "i8"),  # how many rows each table uses
        ("parts", "i8"),
        ("events", "i8"),
        ("movers", "i8"),
        ("queue", "i8"),
        ("contacts", "i8"),  # of the present moment: instants without progress in time
        ("dead", "i8"),  # how many of them others have taken the place of
        ("hits", "i8"),
        ("inside", "i8"),
        ("levels", "i8"),
    ]
)

BESIDE = 64  # numbers: four of each part
MOST_LEVELS = 1100  # one for each power of two between the smallest size and the largest

Record: TypeAlias = Any
"""One row of a table of records; its fields are read and set by name."""

Table: TypeAlias = NDArray[Any]
"""A table of records."""


class Tables(NamedTuple):
    """All arrays of a world."""

    state: Table  # one row
    bodies: Table
    parts: Table
    buffer: Floats
    cells: Integers  # first part of each bucket of the grid, or -1; a power of two of them
    levels: Integers  # how many parts stand in each level, then a list of the levels in use
    events: Table
    heap: Integers  # rows of `events`, the earliest on top; behind them the free rows
    queue: Integers  # bodies that wait for their look around
    movers: Integers  # the bodies that may move
    near: Integers  # parts found around one
    lists: NDArray[np.int32]  # (parts, SLOTS) flat: the neighbours of each part
    contacts: Table
    hits: Table
    inside: Integers  # pairs of parts, a visitor inside a sensor: a hash table, -1 where free
    workspace: Floats  # of the pair in which one turns
    beside: Floats  # what is at a corner, as `flush` notes it
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


def make_tables() -> Tables:
    """Return the tables of a world without bodies."""
    return Tables(
        state=rows_of(STATE, 1),
        bodies=rows_of(BODY, 16),
        parts=rows_of(PART, 16),
        buffer=np.zeros(64),
        cells=np.full(32, -1, dtype=np.int64),
        levels=np.zeros(2 * MOST_LEVELS, dtype=np.int64),
        events=rows_of(EVENT, 64),
        heap=np.arange(64),
        queue=np.zeros(16, dtype=np.int64),
        movers=np.zeros(16, dtype=np.int64),
        near=np.zeros(16, dtype=np.int64),
        lists=np.zeros(16 * SLOTS, dtype=np.int32),
        contacts=rows_of(CONTACT, 64),
        hits=rows_of(HIT_ROW, 512),
        inside=np.full(256, -1, dtype=np.int64),
        workspace=np.zeros(0),
        beside=np.zeros(BESIDE),
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
