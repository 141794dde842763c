"""The contacts of one instant, solved together: impulses that make every contact part as fast as it should.

In: rows of `contacts`, each with its normal. Out: the least speed of parting that each asks for, and new velocities.
Impulses only push, so the contacts are gone through again and again until none changes (projected Gauss-Seidel;
M. Anitescu, F. A. Potra 1997 state the problem). Long rows and very different masses would take that without end: what
does not settle soon is left to `together`.

The impulses of many contacts found together, where going through them one by one would take without end.

In: contacts with impulses that are not right yet, and the velocities that these gave. Out: the same, settled. What is
asked is the least of a quadratic function whose variables may not be negative: along those that push already it is
followed by conjugate gradients, a variable that comes to zero stays there, and those that should leave zero are let go
once theirs is the larger error (MPRGP; Z. Dostal, J. Schoberl 2005). Each step lowers the function, so that stopping
at any time does no harm.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.tolerances import (
    FLAT,
    HOP,
    HOP_TURN,
    MOST_PRESSES,
    MOST_ROUNDS,
    RATTLES,
    REST_SPEEDS,
    REST_TURN,
    SETTLED,
    SLOWEST,
    STEPS_TOGETHER,
    SWEEPS,
)
from carom.world.contacts import (
    CORNERS_MEET,
    FACE_TURNING,
    INELASTIC,
    REPORTED,
    STICKS,
    TOGETHER,
    fastest,
    inverse_mass,
    left_out,
    parting_pull,
    parting_speed,
    push,
)
from carom.world.filters import BOUNCE, STOP, response_of
from carom.world.resting import stands
from carom.world.rotation import surface_acceleration, surface_speed
from carom.world.tables import DYNAMIC, Record, Table

Errors = tuple[float, float, float]  # the worst lack, and the squares of the errors of those that push, and that do not


@kernel
def solve_together(bodies: Table, contacts: Table, first: int, last: int, settled: float) -> bool:
    """Change the impulses of all contacts until none lacks more than `settled`, or pushes what parts by more.

    False: pushes grow without end, since what is asked cannot be.
    """
    count, length = take_together(bodies, contacts, first, last)
    worst, inner_error, outer_error = begin_anew(bodies, contacts, first, last, length)
    for _ in range(STEPS_TOGETHER * count):
        if worst <= settled:
            return True
        if outer_error > inner_error:
            let_go(bodies, contacts, first, last)
            worst, inner_error, outer_error = begin_anew(bodies, contacts, first, last, length)
            continue
        curve, steepest, slope, most = measure_step(bodies, contacts, first, last)
        along = slope / curve if curve > FLAT * steepest else math.inf
        if along <= most and along < math.inf:
            worst, inner_error, outer_error, back = follow_step(bodies, contacts, first, last, along, length)
            turn_step(bodies, contacts, first, last, back / curve)
        elif most < math.inf:
            follow_step(bodies, contacts, first, last, most, length)
            slide_along_bounds(bodies, contacts, first, last, length)
            worst, inner_error, outer_error = begin_anew(bodies, contacts, first, last, length)
        else:
            return False
    return True


@inner
def takes_part(contact: Record) -> bool:
    """Tell whether a contact is one of those solved together."""
    return bool(contact.state & TOGETHER != 0)


@kernel
def take_together(bodies: Table, contacts: Table, first: int, last: int) -> tuple[int, float]:
    """Mark the contacts to solve; return how many, and how far along the errors a step may always go."""
    count, largest = 0, 0.0
    for c in range(first, last):
        contact = contacts[c]
        contact.state &= ~TOGETHER
        bodies[contact.a].push_x, bodies[contact.b].push_x = 0.0, 0.0
        if not left_out(contact):
            contact.state |= TOGETHER
            count += 1
    for c in range(first, last):
        contact = contacts[c]
        if takes_part(contact):
            bodies[contact.a].push_x += 1.0
            bodies[contact.b].push_x += 1.0
    for c in range(first, last):
        contact = contacts[c]
        if takes_part(contact):
            weight = contact.share_a * bodies[contact.a].push_x + contact.share_b * bodies[contact.b].push_x
            largest = max(largest, weight / (contact.share_a + contact.share_b))
    # Twice the inverse of the largest eigenvalue is the most; that is no larger than `largest`.
    return count, 1.9 / largest if largest > 0.0 else 0.0


@inner
def error_of(contact: Record, length: float) -> Errors:
    """Return what one contact adds to the errors."""
    lack, total = contact.lack, contact.share_a + contact.share_b
    if contact.impulse > 0.0:
        return abs(lack), max(lack, -contact.impulse * total / length) * lack / total, 0.0
    return (lack, 0.0, lack * lack / total) if lack > 0.0 else (0.0, 0.0, 0.0)


@kernel
def begin_anew(bodies: Table, contacts: Table, first: int, last: int, length: float) -> Errors:
    """Have the next step go along what the contacts that push lack; return the errors."""
    worst, inner_error, outer_error = 0.0, 0.0, 0.0
    for c in range(first, last):
        contact = contacts[c]
        if takes_part(contact):
            contact.lack = contact.target - parting_speed(bodies, contact)
            contact.step = contact.lack / (contact.share_a + contact.share_b) if contact.impulse > 0.0 else 0.0
            own_worst, own_inner, own_outer = error_of(contact, length)
            worst, inner_error, outer_error = max(worst, own_worst), inner_error + own_inner, outer_error + own_outer
            still(bodies, contact)
    for c in range(first, last):
        if takes_part(contacts[c]):
            spread(bodies, contacts[c])
    return worst, inner_error, outer_error


@inner
def still(bodies: Table, contact: Record) -> None:
    """Take the changes of velocity of a contact's bodies back that a step was to make."""
    a, b = bodies[contact.a], bodies[contact.b]
    a.push_x, a.push_y, b.push_x, b.push_y = 0.0, 0.0, 0.0, 0.0


@inner
def spread(bodies: Table, contact: Record) -> None:
    """Add to its bodies' pushes the change of velocity that a contact's step makes."""
    if contact.step != 0.0:
        a, b = bodies[contact.a], bodies[contact.b]
        a.push_x -= contact.step * contact.share_a * contact.nx
        a.push_y -= contact.step * contact.share_a * contact.ny
        b.push_x += contact.step * contact.share_b * contact.nx
        b.push_y += contact.step * contact.share_b * contact.ny


@kernel
def measure_step(bodies: Table, contacts: Table, first: int, last: int) -> tuple[float, float, float, float]:
    """Return how the function curves and falls along the step, its most curve, and how far no impulse is negative."""
    curve, steepest, slope, most = 0.0, 0.0, 0.0, math.inf
    for c in range(first, last):
        contact = contacts[c]
        if not takes_part(contact):
            continue
        a, b = bodies[contact.a], bodies[contact.b]
        contact.gain = (b.push_x - a.push_x) * contact.nx + (b.push_y - a.push_y) * contact.ny
        if contact.step != 0.0:
            curve += contact.step * contact.gain
            steepest += contact.step * contact.step * (contact.share_a + contact.share_b)
            slope += contact.step * contact.lack
            if contact.step < 0.0:
                most = min(most, -contact.impulse / contact.step)
    return curve, steepest, slope, most


@kernel
def follow_step(
    bodies: Table, contacts: Table, first: int, last: int, along: float, length: float
) -> tuple[float, float, float, float]:
    """Go along the step; return the errors, and how much of what is lacking now would undo it."""
    worst, inner_error, outer_error, back = 0.0, 0.0, 0.0, 0.0
    for c in range(first, last):
        contact = contacts[c]
        if not takes_part(contact):
            continue
        if contact.step != 0.0:
            change_impulse(bodies, contact, along * contact.step)
        contact.lack -= along * contact.gain
        if contact.impulse > 0.0:
            back += contact.lack / (contact.share_a + contact.share_b) * contact.gain
        own_worst, own_inner, own_outer = error_of(contact, length)
        worst, inner_error, outer_error = max(worst, own_worst), inner_error + own_inner, outer_error + own_outer
        still(bodies, contact)
    return worst, inner_error, outer_error, back


@inner
def change_impulse(bodies: Table, contact: Record, change: float) -> None:
    """Change the impulse of a contact, no farther than to zero."""
    after = max(contact.impulse + change, 0.0)
    push(bodies, contact, after - contact.impulse)
    contact.impulse = after


@kernel
def turn_step(bodies: Table, contacts: Table, first: int, last: int, back: float) -> None:
    """Have the next step go along what is lacking now, less what would undo the last one."""
    for c in range(first, last):
        contact = contacts[c]
        if takes_part(contact):
            ahead = contact.lack / (contact.share_a + contact.share_b)
            contact.step = ahead - back * contact.step if contact.impulse > 0.0 else 0.0
            spread(bodies, contact)


@kernel
def let_go(bodies: Table, contacts: Table, first: int, last: int) -> None:
    """Have those push that do not and should."""
    for c in range(first, last):
        contact = contacts[c]
        if takes_part(contact):
            pushes = contact.impulse > 0.0 or contact.lack <= 0.0
            contact.step = 0.0 if pushes else contact.lack / (contact.share_a + contact.share_b)
            still(bodies, contact)
    for c in range(first, last):
        if takes_part(contacts[c]):
            spread(bodies, contacts[c])
    curve, _, slope, _ = measure_step(bodies, contacts, first, last)
    if curve > 0.0:
        follow_step(bodies, contacts, first, last, slope / curve, 1.0)


@kernel
def slide_along_bounds(bodies: Table, contacts: Table, first: int, last: int, length: float) -> None:
    """Go along what those that push lack by a length that never goes too far; those that come to zero stay there."""
    for c in range(first, last):
        contact = contacts[c]
        if takes_part(contact) and contact.impulse > 0.0:
            change_impulse(bodies, contact, length * contact.lack / (contact.share_a + contact.share_b))


@inner
def slow_speed(state: Record, body: Record) -> float:
    """Return the speed up to which what meets a body is slow: twice what acceleration adds to it in a step.

    In a gap that closes everything is slow.
    """
    if body.kind != DYNAMIC:
        return 0.0
    if body.presses == MOST_PRESSES:
        return math.inf
    pull = max(abs(state.gravity_x + body.acceleration_x), abs(state.gravity_y + body.acceleration_y))
    return float(REST_SPEEDS * pull * state.length)


@inner
def in_heap(body: Record) -> bool:
    """Tell whether a body huddles, in this step or the last."""
    return bool(body.huddled > 0 or body.rattles >= RATTLES - 2)


@kernel
def prepare(state: Record, bodies: Table, contact: Record, rules: Integers) -> None:
    """Decide what a contact asks for: how fast its bodies are to part, and who of them gives way."""
    a, b = bodies[contact.a], bodies[contact.b]
    nx, ny = contact.nx, contact.ny
    contact.extra = 0.0
    pull = abs(parting_pull(bodies, contact))
    hop, rest = 0.0, REST_SPEEDS * pull * state.length
    if in_heap(a) or in_heap(b):
        rest = max(rest, slow_speed(state, a), slow_speed(state, b))
    if a.turn != 0.0 or b.turn != 0.0:
        contact.extra = surface_speed(b, contact.x, contact.y, nx, ny) - surface_speed(a, contact.x, contact.y, nx, ny)
        faces = contact.state & FACE_TURNING != 0
        gain = surface_acceleration(a, b, contact.x, contact.y, nx, ny, faces)
        gain += surface_acceleration(b, a, contact.x, contact.y, -nx, -ny, faces)
        # What a spinning body pushes along it must leave by itself, or they would meet again at once, and again.
        # No farther than it hardly turns: what slides in a wheel would else be thrown from side to side, ever faster.
        left, turn = state.length - state.now, max(abs(a.turn), abs(b.turn))
        hop = HOP * (gain * min(left, HOP_TURN / turn) + pull * left)
        rest += REST_SPEEDS * gain * min(state.length, REST_TURN / turn)
    approach = -parting_speed(bodies, contact)
    response = response_of(a, b, rules)
    restitution = max(a.restitution, b.restitution) if response == BOUNCE else 0.0
    if max(a.presses, b.presses) == MOST_PRESSES or max(a.joined, b.joined) > 0:
        restitution = 0.0
    contact.state &= CORNERS_MEET | REPORTED | FACE_TURNING
    contact.share_a, contact.share_b = inverse_mass(a), inverse_mass(b)
    contact.target, contact.bounce = restitution * max(approach, 0.0), restitution
    if restitution == 0.0 or abs(approach) <= rest:
        contact.state |= INELASTIC
        contact.target, contact.bounce = hop, 0.0
        share_a = 0.0 if stands(bodies, a, -contact.nx, -contact.ny, False) else contact.share_a
        share_b = 0.0 if stands(bodies, b, contact.nx, contact.ny, False) else contact.share_b
        if share_a + share_b > 0.0:
            contact.share_a, contact.share_b = share_a, share_b
    if response == STOP:
        contact.state |= STICKS
    contact.approach = approach if approach > rest else 0.0


@kernel
def solve(bodies: Table, contacts: Table, first: int, last: int, settled: float) -> None:
    """Find the impulses of the contacts from `first` up to `last`, and apply them.

    Changes of velocity up to `settled` are none. Where something kinematic drives there may be none that settle, and
    no limit to how large they get: then the velocities are none, either.
    """
    settled = max(settled, SLOWEST)
    for _ in range(MOST_ROUNDS):
        for _ in range(SWEEPS):
            if sweep(bodies, contacts, first, last, settled):
                return
        enough = max(8.0 * SETTLED * fastest(bodies, contacts, first, last), 0.5 * settled)
        if not solve_together(bodies, contacts, first, last, enough):
            return


@kernel
def sweep(bodies: Table, contacts: Table, first: int, last: int, settled: float) -> bool:
    """Give each contact in turn the impulse that it asks for; tell whether they have settled."""
    largest, speed, solved = 0.0, 0.0, 0
    for c in range(first, last):
        contact = contacts[c]
        if left_out(contact):
            continue
        a, b, total = bodies[contact.a], bodies[contact.b], contact.share_a + contact.share_b
        parting = parting_speed(bodies, contact)
        before = contact.impulse
        contact.impulse = max(before + (contact.target - parting) / total, 0.0)
        change = contact.impulse - before
        push(bodies, contact, change)
        largest = max(largest, abs(change) * total)
        speed = max(speed, abs(parting), abs(a.vx), abs(a.vy), abs(b.vx), abs(b.vy))
        solved += 1
    return solved <= 1 or largest <= max(SETTLED * speed, settled)
