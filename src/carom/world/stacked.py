"""The tables of many copies of one world, stacked: how they are made, taken apart, and stepped by one kernel.

In: the tables of one world, or of several with the same sizes. Out: the same tables with the copy as the first axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from carom._core.jit import is_compiled, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.world.addressed import table_of
from carom.world.joints.tables import Graph, Joints
from carom.world.step.declared import Array, arrays_of
from carom.world.step.events import DONE, FLY, UNEQUAL_WAIT
from carom.world.step.islands import Islands
from carom.world.step.motion import forget_target
from carom.world.step.piles import Piles
from carom.world.step.rows import Rows
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import PUSHED, Tables
from carom.world.update import Columns, begin_change, place_bodies, read_all
from carom.world.waiting import serve

WAITS = -1  # a copy whose step is not begun


def _as_rows(array: Any) -> Any:
    """Return an array of records as plain Python reads it."""
    return array if is_compiled() or array.dtype.names is None else array.view(np.recarray)


def stacked(tables: Any, count: int) -> Any:
    """Return tables with so many copies of each array, the copy as the first axis; but of those that all share."""
    return _each(lambda one, array: array if one.length.shared else _as_rows(np.repeat(array[None], count, 0)), tables)


def joined(copies: Sequence[Any]) -> Any:
    """Return the tables of copies as one, the copy as the first axis."""
    return _each(lambda one, *arrays: arrays[0] if one.length.shared else _as_rows(np.stack(arrays)), *copies)


def copy_of(tables: Any, k: int) -> Any:
    """Return the tables of one copy: what is written there is written in those of all copies."""
    kind: Any = type(tables)
    arrays = zip(arrays_of(kind).values(), tables, strict=True)
    return kind(
        *[(of if one.length.shared else of[k]) if isinstance(one, Array) else copy_of(of, k) for one, of in arrays]
    )


def solve_waiting(w: Tables, piles: Piles, statuses: Integers) -> None:
    """Do what copies wait for."""
    for k in np.flatnonzero((statuses == UNEQUAL_WAIT) | (statuses == FLY)).tolist():
        one, own = copy_of(w, k), copy_of(piles, k)
        serve(one, own, table_of(one, own).addresses, statuses[k])


def put(tables: Any, mask: Booleans, one: Any) -> None:
    """Write the tables of one copy into those of all copies of a mask."""

    def write(declared: Array, whole: Any, part: Any) -> None:
        if not declared.length.shared:
            whole[mask] = part

    _each(write, tables, one)


def _each(do: Callable[..., Any], *given: Any) -> Any:
    """Return tables of what is made of each array of the given ones, which are of one class."""
    kind: Any = type(given[0])
    made = [
        do(one, *map(np.asarray, arrays)) if isinstance(one, Array) else _each(do, *arrays)
        for one, *arrays in zip(arrays_of(kind).values(), *given, strict=True)
    ]
    return kind(*made)


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
            state=w.state[k],
            bodies=w.bodies[k],
            courses=w.courses[k],
            rests=w.rests[k],
            parts=w.parts[k],
            buffer=w.buffer[k],
            cells=w.cells[k],
            levels=w.levels[k],
            events=w.events[k],
            heap=w.heap[k],
            queue=w.queue[k],
            movers=w.movers[k],
            around=w.around[k],
            beside=w.beside[k],
            lists=w.lists[k],
            hits=w.hits[k],
            inside=w.inside[k],
            rules=w.rules,
            overlaps=w.overlaps[k],
            joints=Joints(w.joints.table[k]),
        )
        count = one.state[0].bodies
        if statuses[k] == WAITS:
            for number in range(count):
                if changed[k, number]:
                    row[0] = number
                    begin_change(one, row)
                    body, value = one.bodies[number], wanted[k, number]
                    if body.joint != 0 and (body.vx != value[0] or body.vy != value[1] or body.spin != value[2]):
                        one.courses[number].due = PUSHED
                    body.vx, body.vy, body.spin = value[0], value[1], value[2]
                    forget_target(one.courses[number])
                    body.acceleration_x, body.acceleration_y, body.acceleration_spin = value[3], value[4], value[5]
                    place_bodies(one, row)
            if steps:
                open_step(one, length)
        statuses[k] = DONE
        if steps:
            islands, rows, graph = piles.islands, piles.rows, piles.rows.graph
            own = Piles(
                solving=piles.solving[k],
                contacts=piles.contacts[k],
                old=piles.old[k],
                instant=piles.instant[k],
                names=piles.names[k],
                old_names=piles.old_names[k],
                counts=piles.counts[k],
                solved=piles.solved[k],
                islands=Islands(
                    members=islands.members[k],
                    starts=islands.starts[k],
                    order=islands.order[k],
                    begins=islands.begins[k],
                    fresh=islands.fresh[k],
                    kind=islands.kind[k],
                    missed=islands.missed[k],
                ),
                rows=Rows(
                    table=rows.table[k],
                    speed=rows.speed[k],
                    push=rows.push[k],
                    ahead=rows.ahead[k],
                    node=rows.node[k],
                    graph=Graph(
                        node=graph.node[k],
                        mechanism=graph.mechanism[k],
                        starts=graph.starts[k],
                        middle=graph.middle[k],
                        first=graph.first[k],
                        later=graph.later[k],
                        update_first=graph.update_first[k],
                        updates=graph.updates[k],
                        diagonal=graph.diagonal[k],
                        inverse=graph.inverse[k],
                        off=graph.off[k],
                        x=graph.x[k],
                        pose=graph.pose[k],
                        way=graph.way[k],
                        free=graph.free[k],
                        speed=graph.speed[k],
                        mass=graph.mass[k],
                        root=graph.root[k],
                        row=graph.row[k],
                        lead=graph.lead[k],
                        stiff=graph.stiff[k],
                    ),
                ),
                work=piles.work[k],
            )
            statuses[k] = play_step(one, own, False)
        if statuses[k] == DONE:
            into = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
            read_all(one, 0, count, into)
