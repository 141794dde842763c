"""What becomes of a body once the contacts of an instant are solved, and what is told of it.

In: a body with a new velocity, or a contact that was one. Out: rows of `hits`; supports dropped, and the body on a new
course; stalled if too much has happened to it without progress in time.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.tolerances import (
    STILL_CLOSING,
    STOPS_AFTER,
)
from carom.world.contacts import REPORTED, is_told
from carom.world.integrate import set_chord
from carom.world.resting import drop_supports, rests
from carom.world.tables import DYNAMIC, HIT, STALLED, Record, Table


@kernel
def note(
    state: Record, hits: Table, kind: int, body: int, other: int, x: float, y: float, nx: float, ny: float
) -> None:
    """Write down something that happened; the caller saw to it that there is room."""
    hit = hits[state.hits]
    state.hits += 1
    hit.time, hit.x, hit.y, hit.nx, hit.ny = state.now, x, y, nx + 0.0, ny + 0.0
    hit.speed, hit.impulse = 0.0, 0.0
    hit.kind, hit.body, hit.other = kind, body, other


@kernel
def report(state: Record, bodies: Table, contacts: Table, hits: Table, count: int, c: int) -> None:
    """Write a hit for a contact, unless the bodies have met at this moment already."""
    contact = contacts[c]
    a = bodies[contact.a]
    if is_told(bodies, contacts, contact, count):
        return
    contact.state |= REPORTED
    hit = hits[state.hits]
    if a.kind == DYNAMIC:
        note(state, hits, HIT, contact.a, contact.b, contact.x, contact.y, -contact.nx, -contact.ny)
    else:
        note(state, hits, HIT, contact.b, contact.a, contact.x, contact.y, contact.nx, contact.ny)
    hit.speed, hit.impulse = contact.approach, contact.impulse


@kernel
def settle(state: Record, bodies: Table, hits: Table, number: int) -> None:
    """After its contacts are solved: drop the supports a body leaves, and aim it anew."""
    body = bodies[number]
    if body.kind != DYNAMIC or body.touched != state.instant:
        return
    body.touched = 0
    body.stamp += 1
    if body.held > 0 or body.huddled > 0:
        drop_supports(state, bodies, body)
        lie_still(state, bodies, body)
    if not rests(body) or body.held == 0:
        body.asleep = 0
    if body.jams > STOPS_AFTER and body.stopped == 0:
        note(state, hits, STALLED, number, number, body.x + body.center_x, body.y + body.center_y, 0.0, 0.0)
        body.stopped = 1
    if body.stopped != 0:
        body.vx, body.vy, body.pull_x, body.pull_y = 0.0, 0.0, 0.0, 0.0
    set_chord(state, body)


@kernel
def lie_still(state: Record, bodies: Table, body: Record) -> None:
    """Give a body between two supports that do not move exactly no velocity, rather than rounding errors."""
    if body.held < 2 or body.pull_x != 0.0 or body.pull_y != 0.0:
        return
    for k in range(2):
        other = bodies[body.supporter[k]]
        if other.vx != 0.0 or other.vy != 0.0:
            return
    area = abs(body.support[0] * body.support[3] - body.support[1] * body.support[2])
    ax, ay = abs(state.gravity_x + body.acceleration_x), abs(state.gravity_y + body.acceleration_y)
    if max(abs(body.vx), abs(body.vy)) <= STILL_CLOSING * area * (ax + ay) * state.length:
        body.vx, body.vy = 0.0, 0.0
