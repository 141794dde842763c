"""Bodies whose response is "stop": those that hang together by contacts of this moment go on as one.

In: a contact that sticks, of the present instant, solved. Out: one velocity for all that stick to its bodies, that of
what cannot be moved where they touch it, or else the mean by mass, and one acceleration for the rest of the step. Pair
by pair the speed would only halve each time where two stick to a third. Nothing is driven into what cannot be moved.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import ALIGNED, INELASTIC_AFTER, SAME_NORMAL, SETTLED, STILL_CLOSING
from carom.world.contacts import ASIDE, DEAD, INELASTIC, JAMMED, STICKS, inverse_mass, latest, one_before, parting_speed
from carom.world.crush import drives, make_wait
from carom.world.resting import drop_supports
from carom.world.rotation import surface_velocity
from carom.world.tables import DYNAMIC, Record, Table


@kernel
def stick(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    queue: Integers,
    contacts: Table,
    hits: Table,
    waiting: Integers,
    c: int,
) -> int:
    """Give all that stick together by a contact one velocity; return how many bodies, which `waiting` lists, they are.

    `waiting` has room for a number for each body.
    """
    count = gather_stuck(bodies, contacts, waiting, c, state.contacts)
    mass, vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        body = bodies[waiting[k]]
        inverse = inverse_mass(body)
        if inverse != 0.0:
            share = 1.0 / inverse
            mass += share
            vx, vy = vx + share * body.vx, vy + share * body.vy
            ax, ay = ax + share * body.acceleration_x, ay + share * body.acceleration_y
    if mass > 0.0:
        vx, vy = vx / mass, vy / mass
        ax, ay = state.gravity_x + ax / mass, state.gravity_y + ay / mass
        for _ in range(2):
            holder, px, py = find_holder(state, bodies, contacts, waiting, count)
            if holder >= 0:
                vx, vy = surface_velocity(bodies[holder], px, py)
                ax, ay = 0.0, 0.0
            works, vx, vy = keep_off(state, bodies, contacts, waiting, count, vx, vy)
            # Where there is no room, what drives into them waits.
            if works or not stop_drivers(state, bodies, parts, buffer, queue, contacts, hits, waiting, count):
                break
    for k in range(count):
        body = bodies[waiting[k]]
        if mass > 0.0 and inverse_mass(body) != 0.0:
            body.vx, body.vy = vx, vy
            drop_supports(state, bodies, body)
    ax, ay = held_acceleration(bodies, waiting, count, ax, ay)
    for k in range(count):
        body = bodies[waiting[k]]
        body.joined = 0
        if mass > 0.0 and inverse_mass(body) != 0.0:
            body.pull_x, body.pull_y = ax, ay
    return int(count) if mass > 0.0 else 0


@kernel
def held_acceleration(bodies: Table, waiting: Integers, count: int, ax: float, ay: float) -> tuple[float, float]:
    """Return the nearest acceleration to that of all who stick together that presses none of them on what holds it.

    That is their own, or what one of those who hold them leaves of it, or else none: then they lie between two.
    """
    if presses_on_none(bodies, waiting, count, ax, ay):
        return ax, ay
    for k in range(count):
        body = bodies[waiting[k]]
        for n in range(body.held):
            sx, sy = body.support[2 * n], body.support[2 * n + 1]
            along = ax * sx + ay * sy
            if along < 0.0 and bodies[body.supporter[n]].joined == 0:
                left_x, left_y = ax - along * sx, ay - along * sy
                if presses_on_none(bodies, waiting, count, left_x, left_y):
                    return left_x, left_y
    return 0.0, 0.0


@kernel
def presses_on_none(bodies: Table, waiting: Integers, count: int, ax: float, ay: float) -> bool:
    """Tell whether an acceleration of all who stick together presses none of them on what else holds it."""
    for k in range(count):
        body = bodies[waiting[k]]
        for n in range(body.held):
            along = ax * body.support[2 * n] + ay * body.support[2 * n + 1]
            if along < -ALIGNED * (abs(ax) + abs(ay)) and bodies[body.supporter[n]].joined == 0:
                return False
    return True


@kernel
def find_holder(
    state: Record, bodies: Table, contacts: Table, waiting: Integers, count: int
) -> tuple[int, float, float]:
    """Return what cannot be moved and holds those who stick together, or -1, and the point where it does.

    What stands on a floor is pushed along by what drives into it.
    """
    holder, px, py = -1, 0.0, 0.0
    for k in range(count):
        number = waiting[k]
        if inverse_mass(bodies[number]) == 0.0:
            continue
        at = latest(bodies, contacts, number, state.contacts)
        while at >= 0:
            contact = contacts[at]
            number_there = contact.b if contact.a == number else contact.a
            other = bodies[number_there]
            holds = other.joined != 0 and inverse_mass(other) == 0.0
            if holds and contact.state & (STICKS | DEAD) == STICKS and (holder < 0 or drives(other)):
                holder, px, py = number_there, contact.x, contact.y
            at = one_before(contacts, at, number)
    return int(holder), float(px), float(py)


@kernel
def stop_drivers(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    queue: Integers,
    contacts: Table,
    hits: Table,
    waiting: Integers,
    count: int,
) -> bool:
    """Stop the kinematic bodies that drive into those who stick together; tell whether there were any."""
    found = False
    for k in range(count):
        number = waiting[k]
        at = latest(bodies, contacts, number, state.contacts) if inverse_mass(bodies[number]) != 0.0 else -1
        while at >= 0:
            contact = contacts[at]
            other = contact.a if contact.b == number else contact.b
            nx, ny, _ = half_plane(bodies, contact, number)
            sx, sy = surface_velocity(bodies[other], contact.x, contact.y)
            if drives(bodies[other]) and sx * nx + sy * ny > 0.0:
                found = True
                make_wait(state, bodies, parts, buffer, queue, hits, contact, other, number)
            at = one_before(contacts, at, number)
    return found


@inner
def half_plane(bodies: Table, contact: Record, number: int) -> tuple[float, float, float]:
    """Return n and the least speed along it at which a body does not meet what cannot be moved; (0, 0) for no limit."""
    other = bodies[contact.a if contact.b == number else contact.b]
    if contact.state & DEAD != 0 or inverse_mass(other) != 0.0:
        return 0.0, 0.0, 0.0
    sign = 1.0 if contact.b == number else -1.0
    nx, ny = sign * contact.nx, sign * contact.ny
    sx, sy = surface_velocity(other, contact.x, contact.y)
    # All of them together need not bounce as one of them would.
    wanted = contact.target if contact.state & (ASIDE | INELASTIC) == INELASTIC and other.stopped == 0 else 0.0
    return nx, ny, sx * nx + sy * ny + wanted


@kernel
def keep_off(
    state: Record, bodies: Table, contacts: Table, waiting: Integers, count: int, vx: float, vy: float
) -> tuple[bool, float, float]:
    """Return the velocity next to v at which those who stick together meet nothing that cannot be moved, if any.

    Each half plane in turn: where the best so far is outside, the new best is on its edge (R. Seidel, 1991).
    """
    ux, uy = vx, vy
    for k in range(count):
        number = waiting[k]
        if inverse_mass(bodies[number]) == 0.0:
            continue
        at = latest(bodies, contacts, number, state.contacts)
        while at >= 0:
            nx, ny, least = half_plane(bodies, contacts[at], number)
            speed = abs(ux) + abs(uy) + abs(least)
            if (nx != 0.0 or ny != 0.0) and ux * nx + uy * ny < least - SETTLED * speed:
                low, high = free_stretch(state, bodies, contacts, waiting, k, at, nx, ny, least)
                if low > high:
                    return False, vx, vy
                along = min(max(vy * nx - vx * ny, low), high)
                ux, uy = least * nx - along * ny, least * ny + along * nx
            at = one_before(contacts, at, number)
    return True, ux, uy


@kernel
def free_stretch(
    state: Record,
    bodies: Table,
    contacts: Table,
    waiting: Integers,
    last: int,
    stop: int,
    nx: float,
    ny: float,
    least: float,
) -> tuple[float, float]:
    """Return from where to where the edge of a half plane lies in all before it; the reverse for nowhere."""
    low, high = -math.inf, math.inf
    for k in range(last + 1):
        number = waiting[k]
        if inverse_mass(bodies[number]) == 0.0:
            continue
        at = latest(bodies, contacts, number, state.contacts)
        while at >= 0 and (k < last or at != stop):
            mx, my, other = half_plane(bodies, contacts[at], number)
            across, lack = my * nx - mx * ny, other - least * (mx * nx + my * ny)
            if abs(across) <= SAME_NORMAL:
                if lack > SAME_NORMAL * (abs(other) + abs(least)):
                    return math.inf, -math.inf
            elif across > 0.0:
                low = max(low, lack / across)
            else:
                high = min(high, lack / across)
            at = one_before(contacts, at, number)
    return low, high


@kernel
def gather_stuck(bodies: Table, contacts: Table, waiting: Integers, c: int, last: int) -> int:
    """List all that hang together with the bodies of a contact by contacts that stick and do not part.

    Who has met others again and again at this moment sticks to all it has met: they would meet again without end.
    """
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
                wanted = contact.target if contact.state & ASIDE == 0 else 0.0
                without_end = max(a.idle, b.idle) > INELASTIC_AFTER
                if without_end or parting_speed(bodies, contact) <= wanted + STILL_CLOSING * speed:
                    bodies[other].joined = JAMMED
                    waiting[count] = other
                    count += 1
            at = one_before(contacts, at, number)
    return count
