"""The contacts of one instant, solved together: impulses that make every contact part as fast as it should.

In: rows of `contacts`, each with its normal. Out: the least speed of parting that each asks for, and new velocities.
Impulses only push, so the contacts are gone through again and again until none changes (projected Gauss-Seidel;
M. Anitescu, F. A. Potra 1997 state the problem). Long rows and very different masses would take that without end: what
does not settle soon is left to `together`.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.motion.contact import (
    CORNERS_MEET,
    FACE_TURNING,
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
from carom.motion.supports import stands
from carom.motion.tables import DYNAMIC, Record, Table
from carom.motion.together import solve_together
from carom.motion.turn import surface_acceleration, surface_speed
from carom.tolerances import (
    HOP,
    HOP_TURN,
    MOST_PRESSES,
    MOST_ROUNDS,
    RATTLES,
    REST_SPEEDS,
    REST_TURN,
    SETTLED,
    SLOWEST,
    SWEEPS,
)


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
