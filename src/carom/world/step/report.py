"""The report of a step: one row of `hits` for each thing that happened.

In: two bodies, and what happened to them. Out: a row; the caller saw to it that there is room.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom.world.step.contacts import Contact, closing_of
from carom.world.step.motion import waits
from carom.world.step.tables import CRUSHED, DYNAMIC, HIT, Tables


@inner
def tell(w: Tables, kind: int, body: int, other: int, x: float, y: float) -> None:
    """Write something that happened to a body at a point."""
    state = w.state[0]
    row = w.hits[state.hits]
    state.hits += 1
    row.time, row.x, row.y, row.nx, row.ny = state.before + state.now, x, y, 0.0, 0.0
    row.speed, row.impulse, row.friction_impulse = 0.0, 0.0, 0.0
    row.kind, row.body, row.other = kind, body, other


@inner
def tell_hit(
    w: Tables, a: int, b: int, x: float, y: float, nx: float, ny: float, speed: float, impulse: float, friction: float
) -> None:
    """Write a hit; n leads from a to b, but the normal that is told leads out of the body that was met."""
    first = w.bodies[a].kind == DYNAMIC
    row = w.hits[w.state[0].hits]
    if first:
        tell(w, HIT, a, b, x, y)
        row.nx, row.ny = 0.0 - nx, 0.0 - ny
    else:
        tell(w, HIT, b, a, x, y)
        row.nx, row.ny = nx + 0.0, ny + 0.0
    row.speed, row.impulse, row.friction_impulse = speed, impulse, friction


@inner
def tell_touch(w: Tables, contact: Contact) -> None:
    """Write a hit for a contact of the solver."""
    a = w.bodies[contact.a]
    k = 1 if contact.count == 2 and contact.receding[1] < contact.receding[0] else 0
    impulse, friction = contact.most[0], abs(contact.across[0])
    if contact.count == 2:
        impulse, friction = impulse + contact.most[1], abs(contact.across[0] + contact.across[1])
    past = w.state[0].now - a.own_time
    x, y = a.x + a.way_x * past + contact.ax[k], a.y + a.way_y * past + contact.ay[k]
    if waits(w.bodies[contact.a]) or waits(w.bodies[contact.b]):
        driver, other = (contact.a, contact.b) if waits(w.bodies[contact.a]) else (contact.b, contact.a)
        tell(w, CRUSHED, other, driver, x, y)
        return
    closing = max(0.0 - contact.receding[k], 0.0)
    tell_hit(w, contact.a, contact.b, x, y, contact.nx, contact.ny, closing, impulse, friction)


@inner
def tell_impact(w: Tables, contact: Contact) -> None:
    """Write a hit for an impact, at the point that closed fastest; one that did not close is not told."""
    k = 1 if contact.count == 2 and contact.gap[1] < contact.gap[0] else 0
    closing = closing_of(contact)
    if closing <= 0.0:
        return
    a = w.bodies[contact.a]
    impulse, friction = contact.normal[0], contact.across[0]
    if contact.count == 2:
        impulse, friction = impulse + contact.normal[1], friction + contact.across[1]
    x, y = contact.ax[k] + a.x, contact.ay[k] + a.y
    tell_hit(w, contact.a, contact.b, x, y, contact.nx, contact.ny, closing, impulse, abs(friction))
