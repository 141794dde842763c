"""Slow pairs, which acceleration alone governs, and pairs that bounce.

In: two bodies and their contact. Out: whether speeds are slow; how the contact rubs and gives back. The
acceleration along the normal presses two bodies together: a ball that falls beside an upright wall, or beside
another ball, is not pressed on it, and bounces however slowly they meet.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.tolerances import SLIDES
from carom.world.step.constants import NO_SLIP, SLOW
from carom.world.step.pairs.contacts import Contact, closing_of, moves, surface_of
from carom.world.step.pairs.filters import BOUNCE, SLIDE, STOP, response_of
from carom.world.step.tables import Body, State, Tables
from carom.world.step.ways.motion import own_pull, speed_beside


@inner
def is_slow(speed: float, pull: float, length: float) -> bool:
    """Tell whether acceleration brings about such a speed in two steps."""
    return bool(speed <= SLOW * pull * length)


@inner
def pace_of(state: State) -> float:
    """Return in what time two bodies are slow that meet: one long step among short ones makes no pair slow."""
    return float(min(state.pace, state.length))


@inner
def pull_along(state: State, body: Body, contact: Contact, side: int) -> float:
    """Return the own acceleration of a body at the first point of a contact, along its normal."""
    if not moves(body):
        return 0.0
    x, y, spin = own_pull(state, body)
    lx, ly = (contact.ax[0], contact.ay[0]) if side == 0 else (contact.bx[0], contact.by[0])
    return float((x - spin * ly) * contact.nx + (y + spin * lx) * contact.ny)


@inner
def pressing(state: State, a: Body, b: Body, contact: Contact) -> float:
    """Return by what acceleration two bodies are pressed on each other, or drawn apart, along their normal.

    A body that falls as another does is not pressed on it. In a pile something may hold the one or the other.
    """
    first, second = pull_along(state, a, contact, 0), pull_along(state, b, contact, 1)
    return float(abs(second - first) if a.pile == 0 and b.pile == 0 else max(abs(first), abs(second)))


@kernel
def bounce_of(w: Tables, contact: Contact) -> float:
    """Return the restitution of a contact; 0 where it is slow, or closes no faster than velocities are rounded."""
    state, a, b = w.state[0], w.bodies[contact.a], w.bodies[contact.b]
    restitution, closing = max(a.restitution, b.restitution), closing_of(contact)
    if restitution == 0.0 or response_of(a, b, w.rules) != BOUNCE or closing <= SLIDES * speed_of(a, b):
        return 0.0
    return 0.0 if is_slow(closing, pressing(state, a, b, contact), pace_of(state)) else float(restitution)


@inner
def speed_of(a: Body, b: Body) -> float:
    """Return how fast two bodies are at most, taken together."""
    return float(speed_beside(a, 0.0, 0.0, 0.0) + speed_beside(b, 0.0, 0.0, 0.0))


@kernel
def set_response(w: Tables, contact: Contact) -> None:
    """Have a contact rub and bounce as the response of the pair says: what slides does not rub, what stops not slip.

    Friction sees the surfaces as they move, beside their bodies, too.
    """
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    response = response_of(a, b, w.rules)
    (xa, ya), (xb, yb) = surface_of(a, contact.time), surface_of(b, contact.time)
    contact.belt = (yb - ya) * contact.nx - (xb - xa) * contact.ny
    if response == SLIDE:
        contact.friction, contact.rolling = 0.0, 0.0
    elif response == STOP:
        contact.friction = NO_SLIP
    contact.bounce = bounce_of(w, contact)
