"""A step of bodies that turn and rub: piles are solved, free bodies are played.

In: the tables of a world, and those of its piles. Out: the same at the end of the step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.world.pile.contacts import CONTACT, moves
from carom.world.pile.islands import Islands, make_islands
from carom.world.pile.listing import list_contacts, name_contacts
from carom.world.pile.motion import advance
from carom.world.pile.play import (
    DONE,
    MORE_CONTACTS,
    MORE_EVENTS,
    announce,
    enqueue,
    is_under_way,
    play_events,
)
from carom.world.pile.project import open_gaps
from carom.world.pile.rounds import solve_piles
from carom.world.pile.rows import Rows, make_rows
from carom.world.pile.tables import SOLVING
from carom.world.pile.waking import OF_PILE, fall_asleep, set_off, settle_parts, wake
from carom.world.tables import BETWEEN, DYNAMIC, KINEMATIC, NEW, STATIC, WITHIN, Table, Tables, rows_of


class Piles(NamedTuple):
    """The tables of a world's piles, beside its bodies."""

    solving: Table
    contacts: Table
    old: Table
    """The contacts of the step before, for their impulses."""
    names: Integers
    """A hash table of the contacts by their names."""
    old_names: Integers
    counts: Integers
    """How many contacts there are, and how many there were."""
    solved: Integers
    """The bodies that the solver moves."""
    islands: Islands
    rows: Rows
    work: Floats


def make_piles(bodies: int, contacts: int, most_points: int) -> Piles:
    """Return tables for so many bodies and contacts, and parts with so many points."""
    names = 1 << (2 * contacts).bit_length()
    return Piles(
        solving=rows_of(SOLVING, bodies),
        contacts=rows_of(CONTACT, contacts),
        old=rows_of(CONTACT, contacts),
        names=np.full(names, -1),
        old_names=np.full(names, -1),
        counts=np.zeros(2, dtype=np.int64),
        solved=np.zeros(bodies, dtype=np.int64),
        islands=make_islands(bodies, contacts),
        rows=make_rows(4 * contacts, bodies + 1),
        work=np.zeros(2 * (10 + 4 * most_points)),
    )


@kernel
def play_step(w: Tables, piles: Piles) -> int:
    """Play the step on to its end, or to a reason to stop; return which. Called again, it goes on there."""
    state = w.state[0]
    if state.phase == BETWEEN:
        status = begin(w, piles)
        if status != DONE:
            return status
        state.phase = WITHIN
    status = play_events(w, piles.contacts, piles.names, piles.work)
    if status != DONE:
        return status
    finish(w, piles)
    state.phase = BETWEEN
    return DONE


@kernel
def begin(w: Tables, piles: Piles) -> int:
    """Send all bodies on their ways, those of piles as the solver says; a table too short leaves all as it was."""
    state = w.state[0]
    aim_all(w)
    count = -2
    while count <= -2:
        count = list_contacts(w, piles.contacts, piles.old, piles.old_names, piles.work)
        if count <= -2:
            wake(w, -2 - count)
    if count == -1:
        return MORE_CONTACTS
    count = solve_piles(
        w, piles.solving, piles.contacts, piles.names, count, piles.solved, piles.islands, piles.rows, piles.work
    )
    if count < 0:
        return MORE_CONTACTS
    if not announce(w, piles.contacts, count, piles.old, piles.old_names):
        return MORE_EVENTS
    piles.counts[0] = count
    for m in range(state.movers):
        if is_under_way(w.bodies[w.movers[m]]):
            enqueue(w, w.movers[m])
    return DONE


@kernel
def finish(w: Tables, piles: Piles) -> None:
    """Move everything to the end of the step, open what is too deep, and put islands to sleep."""
    state, bodies = w.state[0], w.bodies
    state.now = state.length
    for m in range(state.movers):
        advance(bodies[w.movers[m]], w.parts, w.buffer, state.length, state.length)
    members = state.crowd
    for m in range(state.movers):
        body = bodies[w.movers[m]]
        # A single body that was hit may have come to rest in the skin of a wall.
        if moves(body) and body.pile & OF_PILE == 0 and body.swift > 0.0 and body.last_hit >= 0.0:
            piles.solved[members] = w.movers[m]
            members += 1
    open_gaps(w, piles.solving, piles.contacts, piles.solved, members, piles.rows)
    fall_asleep(w, piles.solving, piles.contacts, piles.counts[0])
    for m in range(state.movers):
        bodies[w.movers[m]].pile = (bodies[w.movers[m]].pile & OF_PILE) << 1
    keep_contacts(piles.contacts, piles.counts[0], piles.old, piles.old_names)


@kernel
def keep_contacts(contacts: Table, count: int, old: Table, old_names: Integers) -> None:
    """Keep the contacts for the next step."""
    for c in range(count):
        old[c] = contacts[c]
    name_contacts(old_names, old, 0, count)


@kernel
def aim_all(w: Tables) -> None:
    """Send all bodies on the ways that they would take with nothing around."""
    state, bodies = w.state[0], w.bodies
    state.now, state.events, state.hits, state.told, state.queue = 0.0, 0, 0, 0, 0
    for number in range(state.bodies):
        body = bodies[number]
        if body.kind == STATIC and body.moved == NEW:
            settle_parts(w, number, 0.0)
            body.moved = 0
    for m in range(state.movers):
        number = w.movers[m]
        body = bodies[number]
        body.own_time = 0.0
        if (body.kind == DYNAMIC and body.asleep == 0) or body.kind == KINEMATIC:
            set_off(w, number)
            body.moved = 0
