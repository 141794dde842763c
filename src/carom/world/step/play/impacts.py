"""Impacts: bodies get their impulses, and new ways for the rest of the step.

In: bodies that meet now, and their contacts. Out: velocities after impulses with restitution and friction at the true
contact points; ways. Two bodies that would close again within the step are held: the push becomes an acceleration.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.tolerances import INSTANT
from carom.world.joints.instant import release_mechanisms
from carom.world.step.constants import DEEPER, MEET_AT
from carom.world.step.pairs.blows import GIVEN, impulses_of, note_blow
from carom.world.step.pairs.contacts import Contact, closing_of, recedes_on_ways, skin_of
from carom.world.step.pairs.meeting import are_stuck
from carom.world.step.pairs.slow import set_response
from carom.world.step.piles import Piles
from carom.world.step.play.impulses import find_impulses, pair_impulses, push_at
from carom.world.step.tables import DYNAMIC, Tables
from carom.world.step.ways.motion import aim_by_velocity
from carom.world.step.ways.writer import set_pull

STAYS = 1e-12
"""Share of the speeds of an impact: what closes more slowly on its way stays, but for rounding."""


@kernel
def prepare(w: Tables, contact: Contact) -> None:
    """Decide how an impact bounces and rubs."""
    set_response(w, contact)
    if are_stuck(w, contact.a, contact.b):
        contact.bounce = 0.0  # a body hit again and again no longer bounces, so that it comes to an end


@kernel
def resolve(w: Tables, piles: Piles, count: int) -> None:
    """Give the bodies of impacts at one instant their impulses, which are left in the contacts, and new ways."""
    bodies, contacts = w.bodies, piles.instant
    find_impulses(bodies, piles, count)
    for c in range(count):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        note_blow(w, contact, impulses_of(contact), 1.0, GIVEN)
        for k in range(contact.count):
            push_at(a, b, contact, k, contact.nx, contact.ny, contact.normal[k])
            push_at(a, b, contact, k, -contact.ny, contact.nx, contact.across[k])
    release_mechanisms(w, piles.rows.graph, contacts, count)
    for c in range(count):
        for number in (contacts[c].a, contacts[c].b):
            if bodies[number].kind == DYNAMIC:
                aim_by_velocity(bodies[number], w.state[0].length)
    for c in range(count):
        press_on(w, piles, c)


@inner
def keep_apart(w: Tables, piles: Piles) -> bool:
    """Have two bodies that recede now not close in this step: they go by their velocities, held if these close later.

    False if their ways are those already: the two would come back at once, without end.
    """
    contact = piles.instant[0]
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    ways = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    for number in (contact.a, contact.b):
        if w.bodies[number].kind == DYNAMIC:
            aim_by_velocity(w.bodies[number], w.state[0].length)
    now = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    return bool(press_on(w, piles, 0) or now != ways)


@kernel
def press_on(w: Tables, piles: Piles, c: int) -> bool:
    """Hold the two bodies of impact c, if they would close again within the step; tell whether they would.

    They get one more impulse, dealt out as acceleration.
    """
    state, contact = w.state[0], piles.instant[c]
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    rest = state.length - state.now
    skin, swift = skin_of(a, b), max(a.swift, b.swift)
    if swift == 0.0 or rest <= INSTANT * state.length or a.node + b.node > 0:
        return False  # joints find ways of their own
    nx, ny = contact.nx, contact.ny
    least = -STAYS * max(closing_of(contact), swift * rest)
    target, closes = MEET_AT * skin, False
    for k in range(contact.count):
        receding = recedes_on_ways(a, b, contact, k)
        closes = closes or (receding < least and contact.gap[k] + receding * rest < target - DEEPER * skin)
    if not closes:
        return False
    ask = 0.0, -max(contact.gap[0] - target, 0.0) / rest, -max(contact.gap[1] - target, 0.0) / rest
    n0, t0, n1, t1 = pair_impulses(w.bodies, piles, c, rest, ask)
    note_blow(w, contact, (n0, t0, n1, t1), 1.0, state.now)
    for side in range(2):
        body, sign = (a, -1.0) if side == 0 else (b, 1.0)
        if body.kind != DYNAMIC:
            continue
        for k in range(2):
            n, t = (n0, t0) if k == 0 else (n1, t1)
            jx, jy = sign * (n * nx - t * ny) / rest, sign * (n * ny + t * nx) / rest
            lx, ly = (contact.ax[k], contact.ay[k]) if side == 0 else (contact.bx[k], contact.by[k])
            turn = body.pull_spin + body.inverse_inertia * (lx * jy - ly * jx)
            set_pull(body, body.pull_x + body.inverse_mass * jx, body.pull_y + body.inverse_mass * jy, turn)
        body.solved, body.swift = 1, max(body.swift, swift)  # what it touches feels that, too
        aim_by_velocity(body, state.length)
    return True
