"""One contact of two bodies: what its state tells, and what an impulse along it does.

In: a row of `contacts` and the table of bodies. Out: speeds along its normal, from a to b, and changed velocities.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.motion.tables import Record, Table

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
