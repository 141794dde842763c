"""Bodies whose response is "stop": those that hang together by contacts of this moment go on as one.

In: a contact that sticks, of the present instant, solved. Out: one velocity for all that stick to its bodies, that of
what cannot be moved, or else the mean by mass, and one acceleration for the rest of the step. Pair by pair the speed
would only halve each time where two stick to a third.
"""

from __future__ import annotations

from carom._jit import kernel
from carom._typing import Integers
from carom.motion.contact import DEAD, JAMMED, STICKS, inverse_mass, parting_speed
from carom.motion.moment import latest, one_before
from carom.motion.tables import DYNAMIC, KINEMATIC, Record, Table
from carom.tolerances import STILL_CLOSING


@kernel
def stick(state: Record, bodies: Table, contacts: Table, waiting: Integers, c: int) -> int:
    """Give all that stick together by a contact one velocity; return how many bodies, which `waiting` lists, they are.

    `waiting` has room for a number for each body.
    """
    count = gather_stuck(bodies, contacts, waiting, c, state.contacts)
    fixed, mass = -1, 0.0
    vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        body = bodies[waiting[k]]
        body.joined = 0
        inverse = inverse_mass(body)
        if inverse == 0.0:
            # What stands on a floor is pushed along by what drives into it.
            if fixed < 0 or (body.kind == KINEMATIC and (body.vx != 0.0 or body.vy != 0.0)):
                fixed = waiting[k]
        else:
            share = 1.0 / inverse
            mass += share
            vx, vy = vx + share * body.vx, vy + share * body.vy
            ax, ay = ax + share * body.acceleration_x, ay + share * body.acceleration_y
    if mass == 0.0:
        return 0
    if fixed >= 0:
        vx, vy, ax, ay = bodies[fixed].vx, bodies[fixed].vy, 0.0, 0.0
    else:
        vx, vy = vx / mass, vy / mass
        ax, ay = state.gravity_x + ax / mass, state.gravity_y + ay / mass
    for k in range(count):
        body = bodies[waiting[k]]
        if inverse_mass(body) != 0.0:
            body.vx, body.vy, body.pull_x, body.pull_y = vx, vy, ax, ay
    return int(count)


@kernel
def gather_stuck(bodies: Table, contacts: Table, waiting: Integers, c: int, last: int) -> int:
    """List all that hang together with the bodies of a contact by contacts that stick and do not part."""
    count = 0
    for side in range(2):
        number = contacts[c].a if side == 0 else contacts[c].b
        if bodies[number].joined == 0:
            bodies[number].joined = JAMMED
            waiting[count] = number
            count += 1
    k = 0
    while k < count:
        number = waiting[k]
        k += 1
        if bodies[number].kind != DYNAMIC:
            continue
        at = latest(bodies, contacts, number, last)
        while at >= 0:
            contact = contacts[at]
            other = contact.b if contact.a == number else contact.a
            if contact.state & STICKS != 0 and contact.state & DEAD == 0 and bodies[other].joined == 0:
                a, b = bodies[number], bodies[other]
                speed = abs(a.vx) + abs(a.vy) + abs(b.vx) + abs(b.vy)
                if parting_speed(bodies, contact) <= STILL_CLOSING * speed:
                    bodies[other].joined = JAMMED
                    waiting[count] = other
                    count += 1
            at = one_before(contacts, at, number)
    return count
