"""The tables of many copies of one world, stacked: how they are made, taken apart, and stepped by one kernel.

In: the tables of one world, or of several with the same sizes. Out: the same tables with the copy as the first axis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.jit import is_compiled, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.world.step.events import DONE
from carom.world.step.islands import Islands
from carom.world.step.motion import forget_target
from carom.world.step.piles import Piles
from carom.world.step.rows import Rows
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import Tables
from carom.world.update import Columns, begin_change, place_bodies, read_all

WAITS = -1  # a copy whose step is not begun


def _as_rows(array: Any) -> Any:
    """Return an array of records as plain Python reads it."""
    return array if is_compiled() or array.dtype.names is None else array.view(np.recarray)


def stacked(tables: Any, count: int) -> Any:
    """Return tables with so many copies of each array, the copy as the first axis."""
    if isinstance(tables, tuple):
        return type(tables)(*(stacked(one, count) for one in tables))
    return _as_rows(np.repeat(np.asarray(tables)[None], count, axis=0))


def joined(copies: list[Any]) -> Any:
    """Return the tables of copies as one, the copy as the first axis."""
    if isinstance(copies[0], tuple):
        return type(copies[0])(*(joined(list(arrays)) for arrays in zip(*copies, strict=True)))
    return _as_rows(np.stack([np.asarray(array) for array in copies]))


def copy_of(tables: Any, k: int) -> Any:
    """Return the tables of one copy."""
    return type(tables)(*(copy_of(one, k) for one in tables)) if isinstance(tables, tuple) else tables[k].copy()


def put(tables: Any, mask: Booleans, one: Any) -> None:
    """Write the tables of one copy into those of all copies of a mask."""
    for whole, part in zip(tables, one, strict=True):
        if isinstance(part, tuple):
            put(whole, mask, part)
        else:
            whole[mask] = part


@kernel
def play_copies(
    w: Tables,
    piles: Piles,
    wanted: Floats,
    changed: Booleans,
    length: float,
    steps: bool,
    statuses: Integers,
    seen: Columns,
    begin: int,
    end: int,
) -> None:
    """Change and step copies `begin` up to `end`, and write down where their bodies are.

    Parameters
    ----------
    w, piles : Tables, Piles
        The tables of all copies, the copy as the first axis; the rules are shared.
    wanted : (n, bodies, 6)
        The velocities and accelerations of the bodies that are `changed`, (n, bodies), before the step.
    length : float, seconds
    steps : bool
        Whether to make a step of this length.
    statuses : (n,)
        WAITS before; then why a copy has stopped. One that is not DONE goes on at the next call.
    seen : Columns
        Overwritten.
    """
    row = np.zeros(1, np.int64)
    for k in range(begin, end):
        if statuses[k] == DONE:
            continue
        one = Tables(
            w.state[k],
            w.bodies[k],
            w.courses[k],
            w.rests[k],
            w.parts[k],
            w.buffer[k],
            w.cells[k],
            w.levels[k],
            w.events[k],
            w.heap[k],
            w.queue[k],
            w.movers[k],
            w.near[k],
            w.beside[k],
            w.lists[k],
            w.hits[k],
            w.inside[k],
            w.rules,
        )
        count = one.state[0].bodies
        if statuses[k] == WAITS:
            for number in range(count):
                if changed[k, number]:
                    row[0] = number
                    begin_change(one, row)
                    body, value = one.bodies[number], wanted[k, number]
                    body.vx, body.vy, body.spin = value[0], value[1], value[2]
                    forget_target(one.courses[number])
                    body.acceleration_x, body.acceleration_y, body.acceleration_spin = value[3], value[4], value[5]
                    place_bodies(one, row)
            if steps:
                open_step(one, length)
        statuses[k] = DONE
        if steps:
            islands, rows = piles.islands, piles.rows
            own = Piles(
                piles.solving[k],
                piles.contacts[k],
                piles.old[k],
                piles.instant[k],
                piles.names[k],
                piles.old_names[k],
                piles.counts[k],
                piles.solved[k],
                Islands(
                    islands.members[k],
                    islands.starts[k],
                    islands.order[k],
                    islands.begins[k],
                    islands.fresh[k],
                    islands.missed[k],
                ),
                Rows(rows.table[k], rows.speed[k], rows.push[k], rows.ahead[k]),
                piles.work[k],
            )
            statuses[k] = play_step(one, own, False)
        if statuses[k] == DONE:
            into = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
            read_all(one, 0, count, into)
