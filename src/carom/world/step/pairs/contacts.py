"""The contacts of piles: one row for two parts that touch or will touch within the step, with one point or two.

In: two bodies, the records of their parts, and the impulses of the step before. Out: rows of the table. All levers are
from the centres of mass; the normal leads from body `a` to body `b`. World frame, user's units.
"""

import math
from typing import TypeAlias

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.contact_points import contact_points
from carom.shapes.proxy import RADIUS
from carom.world.step.constants import REACH, SKIN
from carom.world.step.declared import F8, I8, Lasting, Record, Table, Two, TwoWhole, form_of
from carom.world.step.tables import DYNAMIC, KINEMATIC, Bodies, Body


class Contact(Record):
    """A contact of two parts, with one point or two."""

    a: I8  # rows of the bodies
    b: I8
    name: Lasting[I8]  # of the two parts; the same as long as they touch
    count: I8  # points
    nx: F8
    ny: F8
    friction: F8
    bounce: F8  # restitution; 0 for what is to rest
    separation: F8  # the least gap
    time: F8  # when they meet, within the step; 0 for what touches already
    belt: F8  # how fast the surface of b goes beside that of a across the normal, beyond their bodies
    rolling: F8  # rolling resistance, times the radius the largest torque over the force that presses
    radius: F8  # of the rounder of both surfaces
    roll: Lasting[F8]  # angular impulse that resists rolling, over the radius
    # of each point
    ax: Two
    ay: Two
    bx: Two
    by: Two
    gap: Two
    feature: Lasting[TwoWhole]
    normal: Lasting[Two]  # impulses
    across: Lasting[Two]
    back: Two  # what restitution has added to them beside joints
    back_across: Two
    most: Two  # the largest normal impulse of any solution in this step
    receding: Two  # speed at which b recedes from a before, along the normal


CONTACT = form_of(Contact)
Contacts: TypeAlias = Table[Contact]
Velocity: TypeAlias = tuple[float, float, float]


@inner
def skin_of(a: Body, b: Body) -> float:
    """Return how far apart two bodies come to rest."""
    return float(SKIN * min(a.half_width, b.half_width))


@inner
def is_near(a: Body, b: Body, separation: float) -> bool:
    """Tell whether an awake body wakes another that it comes so near to, and keeps it awake."""
    return bool(separation < REACH * skin_of(a, b))


@inner
def moves(body: Body) -> bool:
    """Tell whether a solver may move a body."""
    return bool(body.kind == DYNAMIC and body.asleep == 0)


@inner
def velocity_of(body: Body) -> Velocity:
    """Return the velocity of a body where its way began; a kinematic one may stand though it has another."""
    if body.kind == KINEMATIC:
        return body.way_x, body.way_y, body.way_spin
    return body.vx, body.vy, body.spin


@inner
def surface_of(body: Body, time: float) -> tuple[float, float]:
    """Return the velocity of a body's surface beside its own, after some time on its way."""
    x, y = body.surface_x, body.surface_y
    if x == 0.0 and y == 0.0:
        return 0.0, 0.0
    c, s, _ = cos_sin_of(body.angle + body.way_spin * time)
    return c * x - s * y, s * x + c * y


@inner
def velocity_at(v: Velocity, u: Velocity, contact: Contact, k: int) -> tuple[float, float]:
    """Return the velocity of b beside a at a point of their contact, if a moves by v and b by u."""
    x = (u[0] - u[2] * contact.by[k]) - (v[0] - v[2] * contact.ay[k])
    return x, (u[1] + u[2] * contact.bx[k]) - (v[1] + v[2] * contact.ax[k])


@inner
def recedes_on_ways(a: Body, b: Body, contact: Contact, k: int) -> float:
    """Return how fast two bodies recede at a point of their contact on their ways, along its normal."""
    x, y = velocity_at((a.way_x, a.way_y, a.way_spin), (b.way_x, b.way_y, b.way_spin), contact, k)
    return float(x * contact.nx + y * contact.ny)


@inner
def speed_at(a: Body, b: Body, contact: Contact, k: int, nx: float, ny: float) -> float:
    """Return how fast b moves from a at a point of their contact, along a direction."""
    x, y = velocity_at(velocity_of(a), velocity_of(b), contact, k)
    return float(x * nx + y * ny)


@inner
def receding_at(a: Body, b: Body, contact: Contact, k: int) -> float:
    """Return how fast two bodies recede at a point of their contact, along its normal."""
    return speed_at(a, b, contact, k, contact.nx, contact.ny)


@inner
def is_turned(body: Body) -> bool:
    """Tell whether impulses turn a body."""
    return bool(moves(body) and body.inverse_inertia > 0.0)


@inner
def drive_along(a: Body, b: Body, contact: Contact, k: int, across: bool) -> float:
    """Return the speed at a point, along the normal or across it, that takes up how walls and belts move there."""
    x, y = (-contact.ny, contact.nx) if across else (contact.nx, contact.ny)
    ax, ay, bx, by = contact.ax[k], contact.ay[k], contact.bx[k], contact.by[k]
    drive = 0.0 - contact.belt if across else 0.0
    # A body that cannot be moved may move by itself.
    if not moves(a):
        drive += (a.way_x - a.way_spin * ay) * x + (a.way_y + a.way_spin * ax) * y
    if not moves(b):
        drive -= (b.way_x - b.way_spin * by) * x + (b.way_y + b.way_spin * bx) * y
    return float(drive)


@inner
def closing_of(contact: Contact) -> float:
    """Return how fast two bodies close before, at the point where they close fastest; below 0 where they recede."""
    first = -contact.receding[0]
    return float(max(first, -contact.receding[1]) if contact.count == 2 else first)


@kernel
def write_contact(
    bodies: Bodies, a: int, b: int, buffer: Floats, i: int, j: int, slack: float, contact: Contact
) -> float:
    """Write the contact of two bodies by the records i and j of their parts; return the least gap.

    `slack` is how much nearer than it is a gap counts, so that the two come to rest at a distance.
    """
    first_body, second_body = bodies[a], bodies[b]
    separation, nx, ny, count, first, second = contact_points(buffer, i, buffer, j)
    contact.a, contact.b, contact.count, contact.nx, contact.ny = a, b, count, nx, ny
    contact.separation, contact.time, contact.bounce, contact.belt = separation, 0.0, 0.0, 0.0
    contact.friction = math.sqrt(first_body.friction * second_body.friction)
    rolls = is_turned(first_body) or is_turned(second_body)
    contact.rolling, contact.roll = max(first_body.rolling, second_body.rolling) if rolls else 0.0, 0.0
    contact.radius = max(buffer[i + RADIUS], buffer[j + RADIUS])
    for k in range(2):
        x, y, gap, feature = first if k == 0 else second
        contact.ax[k], contact.ay[k] = x - first_body.x, y - first_body.y
        contact.bx[k], contact.by[k] = x - second_body.x, y - second_body.y
        contact.gap[k], contact.feature[k] = gap - slack, feature
        contact.normal[k], contact.across[k], contact.most[k] = 0.0, 0.0, 0.0
        contact.back[k], contact.back_across[k] = 0.0, 0.0
        contact.receding[k] = receding_at(first_body, second_body, contact, k)
    return separation


@inner
def resists_rolling(contact: Contact) -> bool:
    """Tell whether two bodies could roll on each other, and something resists: cornered surfaces have no radius."""
    return bool(contact.rolling > 0.0 and contact.count == 1 and contact.radius > 0.0)


@kernel
def keep_impulses(contact: Contact, old: Contact) -> None:
    """Start a contact from the impulses that its points had in the step before."""
    contact.roll = old.roll if resists_rolling(contact) and resists_rolling(old) else 0.0
    for k in range(contact.count):
        for m in range(old.count):
            if contact.feature[k] == old.feature[m]:
                contact.normal[k], contact.across[k] = old.normal[m], old.across[m]
