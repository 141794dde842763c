"""What is kinematic never crushes: it waits, for the rest of the step, where it would, and that is told.

In: contacts that have been solved as well as they can be. Out: kinematic bodies stopped where they are now, and rows of
`hits`.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import STILL_CLOSING
from carom.world.contacts import ASIDE, inverse_mass, parting_speed
from carom.world.integrate import bring
from carom.world.report import note
from carom.world.simultaneous import enqueue
from carom.world.tables import CRUSHED, KINEMATIC, Record, Table


@inner
def drives(body: Record) -> bool:
    """Tell whether a body is kinematic and moves."""
    return bool(body.kind == KINEMATIC and (body.vx != 0.0 or body.vy != 0.0 or body.turn != 0.0))


@kernel
def make_wait(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    queue: Integers,
    hits: Table,
    contact: Record,
    number: int,
    other: int,
) -> None:
    """Stop a kinematic body, which would crush another at a contact, where it is now, and tell it."""
    body = bodies[number]
    sign = 1.0 if contact.a == number else -1.0
    note(state, hits, CRUSHED, other, number, contact.x, contact.y, sign * contact.nx, sign * contact.ny)
    bring(state, body, parts, buffer)
    body.stopped = 1
    body.vx, body.vy, body.way_x, body.way_y, body.turn = 0.0, 0.0, 0.0, 0.0, 0.0
    body.stamp += 1
    enqueue(state, bodies, queue, number)


@kernel
def give_way(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    queue: Integers,
    contacts: Table,
    hits: Table,
    first: int,
    last: int,
) -> bool:
    """Stop the kinematic bodies that would crush something where they are now; tell whether there were any."""
    speed, worst = 0.0, 0.0
    for c in range(first, last):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        speed = max(speed, abs(a.vx), abs(a.vy), abs(b.vx), abs(b.vy))
        if contact.state & ASIDE == 0:
            worst = min(worst, parting_speed(bodies, contact))
    if worst >= -STILL_CLOSING * speed:
        return False
    mark_squeezed(bodies, contacts, first, last, STILL_CLOSING * speed)
    found = False
    # What cannot be solved is pushed without end: whoever drives into it is to wait, as before what stands still.
    for c in range(first, last):
        contact = contacts[c]
        if contact.state & ASIDE != 0 or min(bodies[contact.a].squeezed, bodies[contact.b].squeezed) == 0:
            continue
        stands = contact.share_a + contact.share_b == 0.0 and parting_speed(bodies, contact) < 0.0
        for side in range(2):
            number, other = (contact.a, contact.b) if side == 0 else (contact.b, contact.a)
            if (contact.impulse > 0.0 or stands) and drives(bodies[number]):
                found = True
                make_wait(state, bodies, parts, buffer, queue, hits, contact, number, other)
    for c in range(first, last):
        if bodies[contacts[c].a].turn == 0.0 and bodies[contacts[c].b].turn == 0.0:
            contacts[c].extra = 0.0
    return found


@kernel
def mark_squeezed(bodies: Table, contacts: Table, first: int, last: int, least: float) -> None:
    """Mark who hangs together, by contacts, with one that still closes faster than that."""
    for c in range(first, last):
        bodies[contacts[c].a].squeezed, bodies[contacts[c].b].squeezed = 0, 0
    growing = True
    while growing:
        growing = False
        for c in range(first, last):
            contact = contacts[c]
            a, b = bodies[contact.a], bodies[contact.b]
            if contact.state & ASIDE != 0 or min(a.squeezed, b.squeezed) != 0:
                continue
            # What cannot be moved hands on no push.
            by_a, by_b = a.squeezed != 0 and inverse_mass(a) != 0.0, b.squeezed != 0 and inverse_mass(b) != 0.0
            if by_a or by_b or parting_speed(bodies, contact) < -least:
                a.squeezed, b.squeezed = 1, 1
                growing = True
