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
from carom.world.addressed import StepKernels, bare_piles_at, bare_tables_at, piles_at, table_of, tables_at
from carom.world.joints.due import find_due
from carom.world.joints.pile import solve_jointed
from carom.world.readings import Columns, read_all
from carom.world.stacked import copy_of
from carom.world.step.declared import Array, arrays_of
from carom.world.step.piles import Piles
from carom.world.step.play.events import DONE, FLY, UNEQUAL_WAIT
from carom.world.step.solve.island_kinds import JOINTED, UNEQUAL
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


def serve_copies(
    w: Tables, piles: Piles, kernels: StepKernels, tables: Integers, statuses: Integers, begin: int, end: int
) -> bool:
    """Do what copies `begin` up to `end` have stopped for, if it needs no longer tables; tell whether any had."""
    own = statuses[begin:end]
    flies, waits = bool((own == FLY).any()), own == UNEQUAL_WAIT
    if flies:
        fly_copies(tables, statuses, begin, end)
    if not waits.any():
        return flies
    islands = piles.islands
    there = (np.asarray(islands.fresh[begin:end]) != 0) & waits[:, None]
    there &= np.arange(there.shape[1]) < w.state["islands"][begin:end]
    kinds = np.where(there, islands.kind[begin:end], -1)
    for k in np.flatnonzero((kinds == UNEQUAL).any(axis=1)).tolist():
        kernels.solve_unequal(tables[begin + k])
    if (kinds == JOINTED).any():
        solve_jointed_copies(tables, statuses, begin, end)
    return True


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
            play_copy(tables_at(tables[k]), piles_at(tables[k]), wanted[k], changed[k], length, statuses, seen, k)


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
            play_copy(w, piles, wanted[k], changed[k], length, statuses, seen, k)


@kernel
def play_copy(
    w: Tables,
    piles: Piles,
    wanted: Floats,
    changed: Booleans,
    length: float,
    statuses: Integers,
    seen: Columns,
    k: int,
) -> None:
    """Change and step copy k, and write down where its bodies are."""
    row, count = np.zeros(1, np.int64), w.state[0].bodies
    if statuses[k] == WAITS:
        for number in range(count):
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
    statuses[k] = DONE
    if length > 0.0:
        statuses[k] = play_step(w, piles, False)
    if statuses[k] == DONE:
        into = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
        read_all(w, 0, count, into)


@kernel
def fly_copies(tables: Integers, statuses: Integers, begin: int, end: int) -> None:
    """Give mechanisms their ways in the copies that have stopped for it."""
    for k in range(begin, end):
        if statuses[k] == FLY:
            find_due(tables_at(tables[k]), piles_at(tables[k]))


@kernel
def solve_jointed_copies(tables: Integers, statuses: Integers, begin: int, end: int) -> None:
    """Solve islands with joints in the copies that have stopped for islands."""
    for k in range(begin, end):
        if statuses[k] == UNEQUAL_WAIT:
            solve_jointed(tables_at(tables[k]), piles_at(tables[k]))
