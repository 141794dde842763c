"""The contacts of one instant, solved together: impulses that make every contact part as fast as it should.

In: rows of `contacts`, each with its normal. Out: the least speed of parting that each asks for, and new velocities.
Impulses only push, so the contacts are gone through again and again until none changes (projected Gauss-Seidel;
M. Anitescu, F. A. Potra 1997 state the problem). Long rows and very different masses would take that without end: what
does not settle soon is left to `together`.
"""

from __future__ import annotations

import math

from carom._jit import inner, kernel
from carom._typing import Integers
from carom.motion.contact import (
    CORNERS_MEET,
    FACE_TURNING,
    HUDDLES,
    INELASTIC,
    REPORTED,
    STICKS,
    fastest,
    inverse_mass,
    left_out,
    parting_pull,
    parting_speed,
    push,
)
from carom.motion.responses import BOUNCE, STOP, response_of
from carom.motion.tables import DYNAMIC, Record, Table
from carom.motion.together import solve_together
from carom.motion.turn import surface_acceleration, surface_speed
from carom.tolerances import (
    ALIGNED,
    DRIVEN_ROUNDS,
    HOP,
    MOST_PRESSES,
    MOST_ROUNDS,
    RATTLES,
    REST_SPEEDS,
    REST_TURN,
    SETTLED,
    SLOWEST,
    SWEEPS,
)


@kernel
def is_held(body: Record, x: float, y: float) -> bool:
    """Tell whether a body's supports hold it against a push along the unit vector (x, y)."""
    if body.held == 0:
        return False
    ax, ay = body.support[0], body.support[1]
    if ax * x + ay * y <= ALIGNED - 1.0:
        return True
    if body.held == 1:
        return False
    bx, by = body.support[2], body.support[3]
    # Between the two: the push's opposite is a sum of both with positive shares.
    area = ax * by - ay * bx
    between = (y * bx - x * by) * area >= 0.0 and (x * ay - y * ax) * area >= 0.0 and area != 0.0
    return bool(bx * x + by * y <= ALIGNED - 1.0 or between)


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
        hop = HOP * (gain + pull) * (state.length - state.now)
        rest += REST_SPEEDS * gain * min(state.length, REST_TURN / max(abs(a.turn), abs(b.turn)))
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
        share_a = 0.0 if is_held(a, -contact.nx, -contact.ny) else contact.share_a
        share_b = 0.0 if is_held(b, contact.nx, contact.ny) else contact.share_b
        if share_a + share_b > 0.0:
            contact.share_a, contact.share_b = share_a, share_b
    if response == STOP:
        contact.state |= STICKS
    contact.approach = approach if approach > rest else 0.0


@kernel
def solve(bodies: Table, contacts: Table, first: int, last: int, driven: bool, settled: float) -> None:
    """Find the impulses of the contacts from `first` up to `last`, and apply them.

    Where something is `driven` there may be none that settle, and no limit to how large they get. Changes of velocity
    up to `settled` are none.
    """
    settled = max(settled, SLOWEST)
    for k in range(MOST_ROUNDS):
        for _ in range(SWEEPS):
            if sweep(bodies, contacts, first, last, settled):
                return
        if driven and k == DRIVEN_ROUNDS:
            return
        if not driven and shares_agree(bodies, contacts, first, last):
            enough = max(8.0 * SETTLED * fastest(bodies, contacts, first, last), 0.5 * settled)
            if not solve_together(bodies, contacts, first, last, enough):
                return


@kernel
def shares_agree(bodies: Table, contacts: Table, first: int, last: int) -> bool:
    """Tell whether no body is held for one contact and gives way for another: that is no one quadratic function."""
    for c in range(first, last):
        contact = contacts[c]
        if left_out(contact) or contact.state & HUDDLES != 0:
            continue
        a, b = bodies[contact.a], bodies[contact.b]
        if contact.share_a != inverse_mass(a) or contact.share_b != inverse_mass(b):
            return False
    return True


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


@kernel
def hold(bodies: Table, contact: Record) -> None:
    """Let what rests on the other side of a contact hold a body against its acceleration towards it."""
    pull = parting_pull(bodies, contact)
    a, b = bodies[contact.a], bodies[contact.b]
    if pull >= 0.0 or a.turn != 0.0 or b.turn != 0.0:
        return
    nx, ny = contact.nx, contact.ny
    share_a = 0.0 if is_held(a, -nx, -ny) else inverse_mass(a)
    share_b = 0.0 if is_held(b, nx, ny) else inverse_mass(b)
    total = share_a + share_b
    if total == 0.0:
        return
    # What parts so slowly that it would come back within the step lies there already.
    parting = max(parting_speed(bodies, contact), 0.0) if share_a == 0.0 or share_b == 0.0 else 0.0
    if share_a != 0.0:
        a.pull_x += pull * share_a / total * nx
        a.pull_y += pull * share_a / total * ny
        a.vx += parting * nx
        a.vy += parting * ny
    if share_b != 0.0:
        b.pull_x -= pull * share_b / total * nx
        b.pull_y -= pull * share_b / total * ny
        b.vx -= parting * nx
        b.vy -= parting * ny
    if share_b == 0.0:
        add_support(a, contact.b, -nx, -ny, pull)
    elif share_a == 0.0:
        add_support(b, contact.a, nx, ny, pull)


@kernel
def add_support(body: Record, other: int, x: float, y: float, pull: float) -> None:
    """Note that `other` holds a body along (x, y), against `pull`; between two it has no acceleration."""
    held = body.held
    for k in range(held):
        if body.support[2 * k] * x + body.support[2 * k + 1] * y >= 1.0 - ALIGNED:
            return
    if held == 2:
        return
    body.support[2 * held], body.support[2 * held + 1] = x, y
    body.supporter[held] = other
    body.held = held + 1
    if held == 1 and body.pull_x * body.support[0] + body.pull_y * body.support[1] <= ALIGNED * -pull:
        # Held along this one it would sink into the other: it lies between the two.
        body.pull_x, body.pull_y = 0.0, 0.0


@kernel
def drop_supports(state: Record, bodies: Table, body: Record) -> None:
    """Drop the supports that a body leaves, and give back the acceleration that the others do not take."""
    kept = 0
    for k in range(body.held):
        other = bodies[body.supporter[k]]
        sx, sy = body.support[2 * k], body.support[2 * k + 1]
        leaving = (body.vx - other.vx) * sx + (body.vy - other.vy) * sy
        if leaving <= ALIGNED * (abs(body.vx) + abs(body.vy) + abs(other.vx) + abs(other.vy)):
            body.support[2 * kept], body.support[2 * kept + 1] = sx, sy
            body.supporter[kept] = body.supporter[k]
            kept += 1
    if kept == body.held:
        return
    body.held = kept
    body.pull_x, body.pull_y = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
    if kept == 1:
        sx, sy = body.support[0], body.support[1]
        along = min(body.pull_x * sx + body.pull_y * sy, 0.0)
        body.pull_x -= along * sx
        body.pull_y -= along * sy
