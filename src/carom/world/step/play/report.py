"""The report of a step: one row of `hits` for each thing that happened.

In: two bodies, and what happened to them. Out: a row; the caller saw to it that there is room.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom.world.step.pairs.contacts import Contact, closing_of
from carom.world.step.tables import CRUSHED, DYNAMIC, HIT, Tables
from carom.world.step.ways.motion import waits


@inner
def tell(w: Tables, kind: int, body: int, other: int, x: float, y: float) -> None:
    """Write what happened to a body at a point, no earlier than what is told already: portions are rounded."""
    state = w.state[0]
    row, time = w.hits[state.hits], state.before + state.now
    if state.hits > 0:
        time = max(time, w.hits[state.hits - 1].time)
    state.hits += 1
    row.time, row.x, row.y, row.nx, row.ny = time, x, y, 0.0, 0.0
    row.speed, row.impulse, row.friction_impulse = 0.0, 0.0, 0.0
    row.kind, row.body, row.other, row.joint, row.joint_serial = kind, body, other, -1, -1


@inner
def tell_hit(w: Tables, contact: Contact, k: int, impulse: float, second: float) -> None:
    """Write a hit at point k of a contact; the normal that is told leads out of the body that was met."""
    first, two = w.bodies[contact.a].kind == DYNAMIC, contact.count == 2
    body, other, sign = (contact.a, contact.b, -1.0) if first else (contact.b, contact.a, 1.0)
    x, y = place_of(w, contact, k)
    row = w.hits[w.state[0].hits]
    tell(w, HIT, body, other, x, y)
    row.nx, row.ny = sign * contact.nx + 0.0, sign * contact.ny + 0.0
    row.speed, row.impulse = max(0.0, closing_of(contact)), impulse + (second if two else 0.0)
    row.friction_impulse = abs(contact.across[0] + (contact.across[1] if two else 0.0))


@inner
def place_of(w: Tables, contact: Contact, k: int) -> tuple[float, float]:
    """Return where point k of a contact is now, on the way of the first body."""
    a = w.bodies[contact.a]
    past = w.state[0].now - a.own_time
    return a.x + a.way_x * past + contact.ax[k], a.y + a.way_y * past + contact.ay[k]


@inner
def tell_touch(w: Tables, contact: Contact) -> None:
    """Write a hit for a contact of the solver."""
    k = 1 if contact.count == 2 and contact.receding[1] < contact.receding[0] else 0
    for other, driver in ((contact.b, contact.a), (contact.a, contact.b)):
        if waits(w.bodies[driver]):
            x, y = place_of(w, contact, k)
            tell(w, CRUSHED, other, driver, x, y)
            return
    tell_hit(w, contact, k, contact.most[0], contact.most[1])


@inner
def tell_impact(w: Tables, contact: Contact) -> None:
    """Write a hit for an impact, at the point that closed fastest; one that did not close is not told."""
    if closing_of(contact) > 0.0:
        k = 1 if contact.count == 2 and contact.gap[1] < contact.gap[0] else 0
        tell_hit(w, contact, k, contact.normal[0], contact.normal[1])
