"""Steps of many copies of one world: kernels that run over copies, whose tables they receive by address.

In: the tables of all copies, stacked, and why each copy has stopped. Out: the same, stepped, or what their steps ask of
their caller done, as `waiting` does for one world.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from carom._core.jit import kernel
from carom._core.jit.addresses import PLACES
from carom._core.types import Booleans, Floats, Integers
from carom.world.addressed import (
    StepKernels,
    bare_piles_at,
    bare_tables_at,
    piles_at,
    play_whole,
    table_of,
    tables_at,
)
from carom.world.readings import Columns, read_all, read_movers
from carom.world.stacked import copy_of
from carom.world.step.declared import Array, arrays_of
from carom.world.step.piles import Piles
from carom.world.step.play.events import DONE, UNEQUAL_WAIT
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import Tables
from carom.world.step.ways.motion import forget_target
from carom.world.step.ways.writer import push
from carom.world.update import begin_change, place_bodies

WAITS = -1  # a copy whose step is not begun


def addresses_of_copies(w: Tables, piles: Piles) -> Integers:
    """Return the addresses of the tables of copies, (n, words); they serve as long as these are the same."""
    first = table_of(copy_of(w, 0), copy_of(piles, 0)).addresses
    steps = np.zeros_like(first)
    steps[::PLACES] = [*_strides(w), *_strides(piles)]
    return first + np.arange(len(w.state))[:, None] * steps


def _strides(tables: Any) -> Iterator[int]:
    """Yield how far the arrays of a copy are from those of the one before, in bytes."""
    for one, array in zip(arrays_of(type(tables)).values(), tables, strict=True):
        if isinstance(one, Array):
            yield 0 if one.length.shared else array.strides[0]
        else:
            yield from _strides(array)


def solve_copies(kernels: StepKernels, tables: Integers, statuses: Integers, begin: int, end: int) -> bool:
    """Solve the islands of unequal masses of copies `begin` up to `end` that wait for it; tell whether any did."""
    waiting = np.flatnonzero(statuses[begin:end] == UNEQUAL_WAIT).tolist()
    for k in waiting:
        kernels.solve_unequal(tables[begin + k])
    return bool(waiting)


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
) -> None:
    """Change and step copies `begin` up to `end`, and write down where their bodies are.

    Parameters
    ----------
    tables : (n, words)
        The addresses of their tables.
    wanted : (n, bodies, 6)
        The velocities and accelerations of the bodies that are `changed`, (n, bodies), before the step.
    length : float, seconds
        Of the step; 0 for none.
    statuses : (n,)
        WAITS before; then why a copy has stopped. One that is not DONE goes on at the next call.
    seen : Columns
        Overwritten.
    """
    for k in range(begin, end):
        if statuses[k] != DONE:
            w, piles = tables_at(tables[k]), piles_at(tables[k])
            if statuses[k] == WAITS:
                begin_copy(w, wanted[k], changed[k], length)
            statuses[k] = play_whole(w, piles, False) if length > 0.0 else DONE
            if statuses[k] == DONE:
                see_copy(w, length > 0.0, seen, k)


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
) -> None:
    """Do the same with copies of a world that never had a joint or a sensor."""
    for k in range(begin, end):
        if statuses[k] != DONE:
            w, piles = bare_tables_at(tables[k]), bare_piles_at(tables[k])
            if statuses[k] == WAITS:
                begin_copy(w, wanted[k], changed[k], length)
            statuses[k] = play_step(w, piles, False) if length > 0.0 else DONE
            if statuses[k] == DONE:
                see_copy(w, length > 0.0, seen, k)


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
