"""Steps of many copies of one world: kernels that run over copies, whose tables they receive by address.

In: the addresses of the tables of all copies, and why each copy has stopped. Out: the same, stepped, up to a copy whose
step asks something of its caller.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.world.addressed import (
    bare_piles_at,
    bare_tables_at,
    piles_at,
    play_whole,
    tables_at,
)
from carom.world.readings import Columns, read_all, read_movers
from carom.world.step.play.events import DONE
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import Tables
from carom.world.step.ways.motion import forget_target
from carom.world.step.ways.writer import push
from carom.world.update import begin_change, place_bodies

WAITS = -1  # a copy whose step is not begun


@kernel
def play_copies(
    tables: Integers,
    wanted: Floats,
    changed: Booleans,
    length: float,
    statuses: Integers,
    seen: Columns,
    begin: int,
    end: int,
) -> int:
    """Change and step copies `begin` up to `end`, and write down where their bodies are.

    Returns the first one that has stopped within its step, or `end`.

    Parameters
    ----------
    tables : (n, words)
        The addresses of their tables.
    wanted : (n, bodies, 6)
        The velocities and accelerations of the bodies that are `changed`, (n, bodies), before the step.
    length : float, seconds
        Of the step; 0 for none.
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
                begin_copy(w, wanted[k], changed[k], length)
            statuses[k] = play_whole(w, piles, False) if length > 0.0 else DONE
            if statuses[k] != DONE:
                return k
            see_copy(w, length > 0.0, seen, k)
    return end


@kernel
def play_bare_copies(
    tables: Integers,
    wanted: Floats,
    changed: Booleans,
    length: float,
    statuses: Integers,
    seen: Columns,
    begin: int,
    end: int,
) -> int:
    """Do the same with copies of a world that never had a joint or a sensor."""
    for k in range(begin, end):
        if statuses[k] != DONE:
            w, piles = bare_tables_at(tables[k]), bare_piles_at(tables[k])
            if statuses[k] == WAITS:
                begin_copy(w, wanted[k], changed[k], length)
            statuses[k] = play_step(w, piles, False) if length > 0.0 else DONE
            if statuses[k] != DONE:
                return k
            see_copy(w, length > 0.0, seen, k)
    return end


@kernel
def begin_copy(w: Tables, wanted: Floats, changed: Booleans, length: float) -> None:
    """Change a copy, and begin its step."""
    row = np.zeros(1, np.int64)
    for number in range(w.state[0].bodies):
        if changed[number]:
            row[0] = number
            begin_change(w, row)
            body, value = w.bodies[number], wanted[number]
            push(body, w.courses[number], value[0], value[1], value[2])
            forget_target(w.courses[number])
            body.acceleration_x, body.acceleration_y, body.acceleration_spin = value[3], value[4], value[5]
            place_bodies(w, row)
    if length > 0.0:
        open_step(w, length)


@kernel
def see_copy(w: Tables, stepped: bool, seen: Columns, k: int) -> None:
    """Write down where the bodies of copy k are, after a step those alone that it may have moved."""
    into = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
    if stepped:
        read_movers(w, into)
    else:
        read_all(w, 0, w.state[0].bodies, into)
