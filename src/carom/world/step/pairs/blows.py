"""Impulses that pairs have given each other in a step: of impacts, of held bodies, and of piles that were left.

In: contacts with their impulses, when these are given. Out: rows of `blows`; with what the contacts that piles keep
tell of the last portion, and with what each body was `pulled` by, they add up to the changes of momentum in the step.
Nothing in a step reads them.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.step.pairs.contacts import Contact, moves
from carom.world.step.piles import Piles
from carom.world.step.tables import AT_ONCE, CHANGED_THERE, Tables
from carom.world.step.ways.motion import note_pull, own_pull

Impulses = tuple[float, float, float, float]
"""Along the normal and across it, at the first point and at the second."""

GIVEN = -1.0
"""In place of when a push began: it does not last."""


@inner
def impulses_of(contact: Contact) -> Impulses:
    """Return the impulses of a contact along its normal and across it, at its first point and at the second."""
    n0, t0 = contact.normal[0] + contact.back[0], contact.across[0] + contact.back_across[0]
    n1, t1 = contact.normal[1] + contact.back[1], contact.across[1] + contact.back_across[1]
    return (n0, t0, n1, t1) if contact.count == 2 else (n0, t0, 0.0, 0.0)


@inner
def note_blow(w: Tables, contact: Contact, impulses: Impulses, share: float, since: float) -> None:
    """Add a share of some impulses to what the pair of a contact has given each other; the caller has seen to room."""
    n0, t0, n1, t1 = impulses
    if n0 != 0.0 or t0 != 0.0 or n1 != 0.0 or t1 != 0.0:
        row = w.blows[w.state[0].blows]
        w.state[0].blows += 1
        row.name, row.a, row.b, row.since = contact.name, contact.a, contact.b, since
        row.x = share * ((n0 + n1) * contact.nx - (t0 + t1) * contact.ny)
        row.y = share * ((n0 + n1) * contact.ny + (t0 + t1) * contact.nx)
        row.feature[0], row.feature[1] = contact.feature[0], contact.feature[1]
        row.normal[0], row.normal[1] = share * n0, share * n1
        row.across[0], row.across[1] = share * t0, share * t1


@kernel
def note_pulls(w: Tables) -> None:
    """Note what the accelerations of all bodies give them in the portion that begins."""
    state = w.state[0]
    state.booked, state.span = 0, state.length
    for m in range(state.movers):
        body = w.bodies[w.movers[m]]
        if moves(body) and w.courses[w.movers[m]].stalled == 0:
            x, y, _ = own_pull(state, body)
            note_pull(w, w.movers[m], x, y, state.length)


@kernel
def end_pushes(w: Tables) -> None:
    """End what is held at the present instant: pushes that were to last longer have given their share."""
    state = w.state[0]
    for k in range(state.blows):
        row = w.blows[k]
        if row.since >= 0.0:
            share = (state.now - row.since) / (state.span - row.since)
            row.x, row.y, row.since = share * row.x, share * row.y, GIVEN
            for at in range(2):
                row.normal[at] *= share
                row.across[at] *= share


@inner
def share_given(w: Tables, number: int) -> float:
    """Return the share that a body has got by now of what the contacts of its pile give in the portion."""
    state, course = w.state[0], w.courses[number]
    return float(1.0 if course.jumps != 0 else (course.left if course.left > 0.0 else state.now) / state.span)


@kernel
def note_contacts(w: Tables, piles: Piles, tells: bool) -> None:
    """Note what the contacts of piles have given by now, when the portion ends; if not `tells`, these tell it all.

    Where one body of a pair has got all of it at the start, and the other evenly, the pair tells the mean.
    """
    for c in range(piles.counts[0]):
        contact = piles.contacts[c]
        if contact.name < 0:
            continue
        a, b = w.bodies[contact.a], w.bodies[contact.b]
        first, second = share_given(w, contact.a), share_given(w, contact.b)
        first, second = first if moves(a) else second, second if moves(b) else first
        told = 0.5 * (first + second) if tells else 1.0
        n0, t0, n1, t1 = impulses_of(contact)
        n, t = n0 + n1, t0 + t1
        x, y = n * contact.nx - t * contact.ny, n * contact.ny + t * contact.nx
        note_pull(w, contact.a, x, y, a.inverse_mass * (told - first))
        note_pull(w, contact.b, x, y, b.inverse_mass * (second - told))
        if tells:
            note_blow(w, contact, (n0, t0, n1, t1), told, GIVEN)


@kernel
def end_blows(w: Tables, piles: Piles) -> None:
    """Note what was given in a portion that has ended. Contacts that piles keep tell what the last one has given."""
    state = w.state[0]
    end_pushes(w)
    if state.later > 0.0 or piles.rows.graph.mechanisms[0] > 0:
        note_contacts(w, piles, state.later > 0.0)
    state.booked = 1 if state.later > 0.0 else 0


@kernel
def leave_way(w: Tables, number: int) -> None:
    """Note what a body does not get of its acceleration, since its way is left now, unless it has been already.

    What a pile has sent off at once has got that of the whole portion; unless it bounced, and flies.
    """
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    if state.booked != 0 or course.left == CHANGED_THERE:
        return
    got = course.stalled != 0 or (course.jumps == AT_ONCE and course.left == 0.0)
    if moves(body) and not got:
        x, y = body.pull_x, body.pull_y  # none where it has woken within the portion
        if body.solved != 0 or body.node != 0:
            x, y, _ = own_pull(state, body)
        note_pull(w, number, x, y, state.now - state.span)


@kernel
def leave_changed(w: Tables, number: int) -> None:
    """Have a body leave its way now that is changed at a pause."""
    leave_way(w, number)
    if w.state[0].booked == 0:
        w.courses[number].left = CHANGED_THERE


@kernel
def note_left(w: Tables, piles: Piles) -> None:
    """Note what pairs have given, and what bodies do not get, when the portion is broken off now."""
    state = w.state[0]
    if state.booked != 0:
        return
    end_pushes(w)
    note_contacts(w, piles, True)
    for m in range(state.movers):
        leave_way(w, w.movers[m])
    state.booked = 1
