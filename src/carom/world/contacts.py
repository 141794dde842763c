"""One contact of two bodies: what its state tells, and what an impulse along it does.

In: a row of `contacts` and the table of bodies. Out: speeds along its normal, from a to b, and changed velocities.

The contacts of the present moment, each once, and who hangs together by them.

A moment is all instants without progress in time. In: contacts in the order in which they were gathered. Out: for each
body the chain of its contacts, the latest first, and, where things happen to a body again and again, all bodies that
hang together with it by contacts, whose contacts are to be solved at one stroke.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.tolerances import INELASTIC_AFTER, MOST_PATIENCE, SAME_NORMAL, WORN_OUT
from carom.world.tables import DYNAMIC, KINEMATIC, Record, Table

# Bits of a contact's state.
ASIDE = 1  # left out: it waits, or it did not close
INELASTIC = 2
STICKS = 4
CORNERS_MEET = 8
REPORTED = 16  # told as a hit
FACE_TURNING = 32  # its normal is that of a side that turns
DEAD = 64  # another has taken its place
TOGETHER = 128  # one of those solved together

DRIVEN, JAMMED = 1, 2  # why a body has joined a joint solution, in which nothing bounces


@inner
def inverse_mass(body: Record) -> float:
    """Return 1 / mass, 0 for what stands still for the rest of the step."""
    return 0.0 if body.stopped != 0 else float(body.inverse_mass)


@inner
def parting_speed(bodies: Table, contact: Record) -> float:
    """Return how fast the two bodies of a contact part along its normal; negative: approach."""
    a, b = bodies[contact.a], bodies[contact.b]
    return float((b.vx - a.vx) * contact.nx + (b.vy - a.vy) * contact.ny + contact.extra)


@inner
def parting_pull(bodies: Table, contact: Record) -> float:
    """Return the acceleration with which the two bodies of a contact part along its normal."""
    a, b = bodies[contact.a], bodies[contact.b]
    return float((b.pull_x - a.pull_x) * contact.nx + (b.pull_y - a.pull_y) * contact.ny)


@inner
def left_out(contact: Record) -> bool:
    """Tell whether a contact is left out, or nothing of it can be pushed."""
    return bool(contact.state & ASIDE != 0 or contact.share_a + contact.share_b == 0.0)


@inner
def push(bodies: Table, contact: Record, impulse: float) -> None:
    """Push the bodies of a contact apart."""
    a, b = bodies[contact.a], bodies[contact.b]
    # What is immovable is left as it is, to the bit.
    if contact.share_a != 0.0:
        a.vx -= impulse * contact.share_a * contact.nx
        a.vy -= impulse * contact.share_a * contact.ny
    if contact.share_b != 0.0:
        b.vx += impulse * contact.share_b * contact.nx
        b.vy += impulse * contact.share_b * contact.ny


@kernel
def fastest(bodies: Table, contacts: Table, first: int, last: int) -> float:
    """Return the largest component of a velocity of the bodies of some contacts."""
    speed = 0.0
    for c in range(first, last):
        a, b = bodies[contacts[c].a], bodies[contacts[c].b]
        speed = max(speed, abs(a.vx), abs(a.vy), abs(b.vx), abs(b.vy))
    return speed


@inner
def latest(bodies: Table, contacts: Table, number: int, count: int) -> int:
    """Return the last of the first `count` contacts that a body takes part in, or -1."""
    at = bodies[number].recent
    # What stands there may be of an earlier moment, when others stood in the table.
    if at < count and (contacts[at].a == number or contacts[at].b == number):
        return int(at)
    return -1


@inner
def one_before(contacts: Table, at: int, number: int) -> int:
    """Return the contact of a body before this one of its contacts, or -1."""
    contact = contacts[at]
    return int(contact.before_a if contact.a == number else contact.before_b)


@inner
def dynamic_one(bodies: Table, contact: Record) -> int:
    """Return the body of a contact that surely has few contacts: one that is dynamic."""
    return int(contact.a if bodies[contact.a].kind == DYNAMIC else contact.b)


@inner
def link(bodies: Table, contacts: Table, c: int) -> None:
    """Put a contact, which comes after all others, on the chains of its bodies."""
    contact = contacts[c]
    contact.before_a = latest(bodies, contacts, contact.a, c)
    contact.before_b = latest(bodies, contacts, contact.b, c)
    bodies[contact.a].recent = c
    bodies[contact.b].recent = c


@inner
def is_same(bodies: Table, first: Record, second: Record) -> bool:
    """Tell whether two contacts ask the same of the same bodies."""
    if first.a != second.a or first.b != second.b:
        return False
    if abs(first.nx - second.nx) + abs(first.ny - second.ny) > SAME_NORMAL:
        return False
    a, b = bodies[first.a], bodies[first.b]
    if a.turn == 0.0 and b.turn == 0.0:
        return True
    return bool(abs(first.x - second.x) + abs(first.y - second.y) <= SAME_NORMAL * min(a.extent, b.extent))


@kernel
def add_to_moment(state: Record, bodies: Table, contacts: Table) -> None:
    """Take the contact behind the last one into the moment; an earlier one like it is dead from now on."""
    c = state.contacts
    contact = contacts[c]
    number = dynamic_one(bodies, contact)
    at = latest(bodies, contacts, number, c)
    while at >= 0:
        earlier = contacts[at]
        if earlier.state & DEAD == 0 and is_same(bodies, earlier, contact):
            contact.state |= earlier.state & REPORTED
            bury(state, earlier)
            break
        at = one_before(contacts, at, number)
    link(bodies, contacts, c)
    state.contacts = c + 1


@inner
def bury(state: Record, contact: Record) -> None:
    """Leave a contact out from now on."""
    contact.state |= DEAD | ASIDE
    state.dead += 1


@kernel
def drop_dead(state: Record, bodies: Table, contacts: Table) -> None:
    """Drop the contacts that others have taken the place of, once they are many."""
    if 2 * state.dead <= state.contacts + 64:
        return
    kept = 0
    for c in range(state.contacts):
        if contacts[c].state & DEAD == 0:
            if kept < c:
                contacts[kept] = contacts[c]
            link(bodies, contacts, kept)
            kept += 1
    state.contacts, state.dead = kept, 0


@kernel
def is_told(bodies: Table, contacts: Table, contact: Record, count: int) -> bool:
    """Tell whether a hit of the two bodies of a contact has been written at this moment."""
    number = dynamic_one(bodies, contact)
    at = latest(bodies, contacts, number, count)
    while at >= 0:
        other = contacts[at]
        if other.a == contact.a and other.b == contact.b and other.state & REPORTED != 0:
            return True
        at = one_before(contacts, at, number)
    return False


@inner
def patience(state: Record, contact: Record) -> float:
    """Return how many events without progress in time the bodies of a contact may have.

    Balls in touch hand on what hits them in a number of impacts that grows with their number and masses; what does not
    bounce, or is driven, would go on without end.
    """
    if contact.bounce == 0.0 or state.driven != 0 or state.crowd == 0:
        return float(INELASTIC_AFTER)
    more = 2.0 * state.crowd * math.sqrt(state.lightest / state.heaviest)
    if contact.bounce < 1.0:
        more = min(more, WORN_OUT / (1.0 - contact.bounce))
    return float(INELASTIC_AFTER + min(more, MOST_PATIENCE))


@kernel
def is_driven(bodies: Table, contacts: Table, contact: Record, count: int) -> bool:
    """Tell whether something kinematic has met one of a contact's bodies at this moment."""
    if bodies[contact.a].kind == KINEMATIC or bodies[contact.b].kind == KINEMATIC:
        return True
    for side in range(2):
        number = contact.a if side == 0 else contact.b
        at = latest(bodies, contacts, number, count) if bodies[number].kind == DYNAMIC else -1
        while at >= 0:
            other = contacts[at]
            if bodies[other.a].kind == KINEMATIC or bodies[other.b].kind == KINEMATIC:
                return True
            at = one_before(contacts, at, number)
    return False


@kernel
def rally(state: Record, bodies: Table, contacts: Table, waiting: Integers, first: int) -> int:
    """Have bodies to which things happen again and again joined by all that hangs together with them.

    Looked at are the contacts from `first` on. Returned is the first contact of those who have joined, or -1 if it is
    nobody. `waiting` has room for a number for each body.
    """
    begin, last = -1, state.contacts
    for why in (JAMMED, DRIVEN):
        count = 0
        for c in range(first, last):
            contact = contacts[c]
            a, b = bodies[contact.a], bodies[contact.b]
            idle = max(a.idle, b.idle)
            jammed = idle > patience(state, contact)
            if why == JAMMED:
                if not jammed:
                    continue
                a.jams, b.jams = a.jams + 1, b.jams + 1
            elif (
                idle == 0
                or state.driven == 0
                or jammed
                or contact.bounce > 0.0
                or not is_driven(bodies, contacts, contact, last)
            ):
                continue
            for side in range(2):
                number = contact.a if side == 0 else contact.b
                if bodies[number].kind == DYNAMIC and bodies[number].joined == 0:
                    bodies[number].joined = why
                    waiting[count] = number
                    count += 1
            begin = c if begin < 0 else min(begin, c)
        while count > 0:
            count -= 1
            number = waiting[count]
            at = latest(bodies, contacts, number, last)
            while at >= 0:
                contact = contacts[at]
                if contact.state & DEAD == 0:
                    begin = min(begin, at)
                    other = contact.b if contact.a == number else contact.a
                    if bodies[other].kind == DYNAMIC and bodies[other].joined == 0:
                        bodies[other].joined = why
                        waiting[count] = other
                        count += 1
                at = one_before(contacts, at, number)
    return begin


@inner
def has_joined(bodies: Table, contact: Record) -> bool:
    """Tell whether a contact belongs to those who have joined."""
    return bool(contact.state & DEAD == 0 and max(bodies[contact.a].joined, bodies[contact.b].joined) > 0)


@kernel
def disband(bodies: Table, contacts: Table, begin: int, last: int) -> None:
    """Let those who have joined go their ways again."""
    for c in range(begin, last):
        bodies[contacts[c].a].joined = 0
        bodies[contacts[c].b].joined = 0


@kernel
def keep_velocities(bodies: Table, contacts: Table, begin: int, last: int) -> None:
    """Keep the velocities of those who take part in place of their courses, which end here."""
    for c in range(begin, last):
        if contacts[c].state & ASIDE == 0:
            for side in range(2):
                body = bodies[contacts[c].a if side == 0 else contacts[c].b]
                if body.kind == DYNAMIC:
                    body.way_x, body.way_y = body.vx, body.vy


@kernel
def restore_velocities(bodies: Table, contacts: Table, begin: int, last: int) -> None:
    """Give back the velocities that were kept; from now on nothing bounces of those who have joined."""
    for c in range(begin, last):
        if contacts[c].state & ASIDE == 0:
            for side in range(2):
                body = bodies[contacts[c].a if side == 0 else contacts[c].b]
                if body.kind == DYNAMIC:
                    body.vx, body.vy = body.way_x, body.way_y
                    body.joined = JAMMED if body.joined != 0 else 0
