"""Impacts: bodies get their impulses, and new ways for the rest of the step.

In: bodies that meet now, and their contacts. Out: velocities after impulses with restitution and friction at the true
contact points; ways. Two bodies that would close again within the step are held: the push becomes an acceleration.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.tolerances import INSTANT
from carom.world.joints.instant import release_mechanisms
from carom.world.step.constants import DEEPER, MEET_AT
from carom.world.step.contacts import Contact, Contacts, closing_of
from carom.world.step.impulses import find_impulses, pair_impulses, push_at
from carom.world.step.listing import are_stuck, set_response, skin_of
from carom.world.step.motion import set_way
from carom.world.step.notes import Notes
from carom.world.step.rows import Rows
from carom.world.step.slow import bounce_of
from carom.world.step.tables import DYNAMIC, Tables


@kernel
def prepare(w: Tables, contact: Contact) -> None:
    """Decide how an impact bounces and rubs."""
    state, a, b = w.state[0], w.bodies[contact.a], w.bodies[contact.b]
    set_response(contact, a, b, w.rules)
    # A body hit again and again no longer bounces, so that it comes to an end.
    stuck = are_stuck(w, contact.a, contact.b)
    contact.bounce = 0.0 if stuck else bounce_of(state, a, b, contact, w.rules)
    for k in range(2):
        contact.normal[k], contact.across[k] = 0.0, 0.0


@kernel
def resolve(w: Tables, contacts: Contacts, count: int, solving: Notes, rows: Rows) -> None:
    """Give the bodies of impacts at one instant their impulses, which are left in the contacts, and new ways."""
    state, bodies = w.state[0], w.bodies
    find_impulses(bodies, solving, contacts, count, rows)
    for c in range(count):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        for k in range(contact.count):
            push_at(a, b, contact, k, contact.nx, contact.ny, contact.normal[k])
            push_at(a, b, contact, k, -contact.ny, contact.nx, contact.across[k])
    release_mechanisms(w, rows.graph, contacts, count)
    for c in range(count):
        for side in range(2):
            body = bodies[contacts[c].a if side == 0 else contacts[c].b]
            if body.kind == DYNAMIC:
                set_way(body, state.length)
    for c in range(count):
        press_on(w, contacts[c : c + 1], solving, rows)  # type: ignore[arg-type]  # a table of one row


@inner
def keep_apart(w: Tables, contacts: Contacts, solving: Notes, rows: Rows) -> bool:
    """Have two bodies that recede now not close in this step: they go by their velocities, held if these close later.

    False if their ways are those already: the two would come back at once, without end.
    """
    a, b = w.bodies[contacts[0].a], w.bodies[contacts[0].b]
    if a.node + b.node > 0:
        return False  # the ways of a mechanism are those at whose end its joints hold
    ways = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    for side in range(2):
        body = a if side == 0 else b
        if body.kind == DYNAMIC:
            set_way(body, w.state[0].length)
    now = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    return bool(press_on(w, contacts, solving, rows) or now != ways)


@kernel
def press_on(w: Tables, contacts: Contacts, solving: Notes, rows: Rows) -> bool:
    """Hold the two bodies of the first contact, if they would close again within the step; tell whether they would.

    They get one more impulse, dealt out as acceleration.
    """
    state, contact = w.state[0], contacts[0]
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    rest = state.length - state.now
    skin, swift = skin_of(a, b), max(a.swift, b.swift)
    if swift == 0.0 or rest <= INSTANT * state.length or a.node + b.node > 0:
        return False  # joints find ways of their own
    nx, ny = contact.nx, contact.ny
    closing = max(closing_of(contact), swift * rest)
    target, margin = MEET_AT * skin, DEEPER * skin
    closes = False
    wanted0, wanted1 = 0.0, 0.0
    for k in range(contact.count):
        ax, ay, bx, by = contact.ax[k], contact.ay[k], contact.bx[k], contact.by[k]
        x, y = (
            (b.way_x - b.way_spin * by) - (a.way_x - a.way_spin * ay),
            (b.way_y + b.way_spin * bx) - (a.way_y + a.way_spin * ax),
        )
        receding, gap = x * nx + y * ny, contact.gap[k]
        closes = closes or (receding < -1e-12 * closing and gap + receding * rest < target - margin)
        if k == 0:
            wanted0 = -max(gap - target, 0.0) / rest
        else:
            wanted1 = -max(gap - target, 0.0) / rest
    if not closes:
        return False
    n0, t0, n1, t1 = pair_impulses(w.bodies, solving, contacts, rows, rest, wanted0, wanted1)
    for side in range(2):
        body, sign = (a, -1.0) if side == 0 else (b, 1.0)
        if body.kind != DYNAMIC:
            continue
        for k in range(2):
            n, t = (n0, t0) if k == 0 else (n1, t1)
            jx, jy = sign * (n * nx - t * ny) / rest, sign * (n * ny + t * nx) / rest
            lx, ly = (contact.ax[k], contact.ay[k]) if side == 0 else (contact.bx[k], contact.by[k])
            body.pull_x += body.inverse_mass * jx
            body.pull_y += body.inverse_mass * jy
            body.pull_spin += body.inverse_inertia * (lx * jy - ly * jx)
        body.solved, body.swift = 1, max(body.swift, swift)  # what it touches feels that, too
        set_way(body, state.length)
    return True
