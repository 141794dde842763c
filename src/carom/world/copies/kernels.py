"""Steps of many copies of one world: kernels that run over copies, whose tables they receive by address.

In: the addresses of the tables of all copies, and why each copy has stopped. Out: the same, stepped, up to a copy
whose step asks something of its caller; or bodies of some copies that have got another velocity.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.world.addressed import (
    bare_piles_at,
    bare_tables_at,
    piles_at,
    play_whole,
    tables_at,
)
from carom.world.changes.bodies import begin_change, place_bodies
from carom.world.reports.motion import Columns, read_all, read_body, read_movers
from carom.world.step.play.events import DONE
from carom.world.step.step import open_step, play_step
from carom.world.step.ways.motion import forget_target
from carom.world.step.ways.writer import push

WAITS = -1  # a copy whose step is not begun


@kernel
def play_copies(tables: Integers, length: float, statuses: Integers, seen: Columns, begin: int, end: int) -> int:
    """Step copies `begin` up to `end`, and write down where the bodies are that the step may have moved.

    Returns the first one that has stopped within its step, or `end`.

    Parameters
    ----------
    tables : (n, words)
        The addresses of their tables.
    length : float, seconds
        Of the step.
    statuses : (n,)
        WAITS before; then why a copy has stopped. One that is not DONE goes on at the next call, which is to be the
        next one with the tables that are lent to it.
    seen : Columns
        Overwritten.
    """
    for k in range(begin, end):
        if statuses[k] != DONE:
            w, piles = tables_at(tables[k]), piles_at(tables[k])
            if statuses[k] == WAITS:
                open_step(w, length)
            statuses[k] = play_whole(w, piles, False)
            if statuses[k] != DONE:
                return k
            read_movers(w, Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k]))
    return end


@kernel
def play_bare_copies(tables: Integers, length: float, statuses: Integers, seen: Columns, begin: int, end: int) -> int:
    """Do the same with copies of a world that never had a joint or a sensor."""
    for k in range(begin, end):
        if statuses[k] != DONE:
            w, piles = bare_tables_at(tables[k]), bare_piles_at(tables[k])
            if statuses[k] == WAITS:
                open_step(w, length)
            statuses[k] = play_step(w, piles, False)
            if statuses[k] != DONE:
                return k
            read_movers(w, Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k]))
    return end


@kernel
def see_copies(tables: Integers, copies: Integers, seen: Columns) -> None:
    """Write down where all bodies of some copies are."""
    for i in range(copies.shape[0]):
        k = copies[i]
        w = tables_at(tables[k])
        out = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
        read_all(w, 0, w.state[0].bodies, out)


@kernel
def push_copies(tables: Integers, copies: Integers, rows: Integers, wanted: Floats, seen: Columns) -> None:
    """Give bodies of copies velocities and accelerations from outside, and write down how they move then.

    Parameters
    ----------
    tables : (n, words)
    copies, rows : (m,)
        The copy and the row of each body.
    wanted : (m, 6)
        Velocity, spin, acceleration and angular acceleration.
    seen : Columns
        Overwritten for these bodies.
    """
    row = np.zeros(1, np.int64)
    for i in range(copies.shape[0]):
        k, number, value = copies[i], rows[i], wanted[i]
        w = tables_at(tables[k])
        row[0] = number
        begin_change(w, row)
        body, course = w.bodies[number], w.courses[number]
        push(body, course, value[0], value[1], value[2])
        forget_target(course)
        body.acceleration_x, body.acceleration_y, body.acceleration_spin = value[3], value[4], value[5]
        place_bodies(w, row)
        out = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
        read_body(w.state[0], body, course.since, number, out)
