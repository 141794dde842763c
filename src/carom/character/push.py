"""How a character pushes the dynamic bodies of a world: by impulses, so that the world itself moves them.

In: a character where it has come to, the motion that it wants in one frame, the bodies around it, the largest force and
the length of the frame. Out: impulses on the bodies that it walks against, and how fast these then are. As nothing but
velocities is changed, a pushed body goes where a step lets it: it rubs, turns, pushes others, and stops at walls. World
frame, user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.character.ground import WALL, GroundMover
from carom.narrow.verbs import cast, collide
from carom.tolerances import PUSH_GAP
from carom.vector import Vec
from carom.world.body import Body
from carom.world.world import World


class Strength(NamedTuple):
    """How a character pushes."""

    force: float
    """The largest, on all bodies together."""
    dt: float
    """Length of the frame, seconds."""


class Pushed(NamedTuple):
    """One body that a character pushes."""

    row: int
    serial: int
    direction: Vec
    """Unit vector from the character into the body."""
    point: Vec
    """The middle of where they touch: there the force acts."""
    speed: float
    """Of that point along the direction, after the impulse."""
    lost: float
    """How much of such a speed it lost in the last step."""


class _Reached(NamedTuple):
    """A body that a character walks against, before it is pushed."""

    body: Body
    direction: Vec
    point: Vec
    speed: float
    lost: float
    inverse_mass: float
    """Of that point along the direction: turning makes a body lighter."""
    impulse: float
    """So large that in the next step the body gives way to the character, and no larger."""


def push_bodies(
    world: World,
    shape: Any,
    way: Vec,
    mover: GroundMover,
    floor: int | None,
    strength: Strength,
    before: tuple[Pushed, ...],
) -> tuple[Pushed, ...]:
    """Push what a shape walks against on its way, and return it.

    The floor is never pushed: with it, a character would push itself. `before` is what it pushed last: speed that a
    body has lost since, by friction or to bodies behind it, is given once more.
    """
    terrain = mover.terrain
    given = {one.serial: one for one in before}
    reached = []
    movable = (terrain.keys >= 0) & ~terrain.one_way.any(axis=1)
    for row in np.unique(terrain.rows[movable]).tolist():
        body = world.body(row)
        if body.kind == "dynamic" and row != floor:
            found = _reached(world, body, shape, way, mover, strength.dt, given.get(body._serial))
            if found is not None:
                reached.append(found)
    largest = strength.force * strength.dt
    needed = sum(one.impulse for one in reached)
    share = 1.0 if needed <= largest else largest / needed
    pushed = []
    for one in reached:
        impulse = share * one.impulse
        if impulse > 0.0:
            one.body.apply_impulse(one.direction * impulse, at=one.point)
        speed = one.speed + impulse * one.inverse_mass
        pushed.append(Pushed(one.body.row, one.body._serial, one.direction, one.point, speed, one.lost))
    return tuple(pushed)


def _reached(
    world: World, body: Body, shape: Any, way: Vec, mover: GroundMover, dt: float, before: Pushed | None
) -> _Reached | None:
    """Return how a shape walks against a body; None if it is not in touch with it, or not at a wall of it."""
    there = body.shape
    hit = cast(shape, there, way)
    if hit is None or hit.fraction > PUSH_GAP or mover.kind(hit.normal) != WALL:
        return None
    direction = -hit.normal
    contact = collide(shape.translated(way * (2.0 * PUSH_GAP)), there)
    points = contact.points if contact is not None else (hit.point,)
    point = sum(points, Vec(0.0, 0.0)) / len(points)
    arm = point - body.position
    lever = arm.cross(direction)
    inverse = 1.0 / body.mass + lever * lever / body.inertia
    speed = (body.velocity + Vec(-arm.y, arm.x) * body.spin).dot(direction)
    wanted = way.dot(direction) * (1.0 - hit.fraction) / dt
    lost = 0.0 if before is None else max(before.speed - speed, 0.0)
    # A wall takes all speed that it is given. No more is given for it than friction takes, of the order of gravity.
    lost = min(lost, max(wanted, world.gravity.length * dt))
    return _Reached(body, direction, point, speed, lost, inverse, max(wanted - speed + lost, 0.0) / inverse)
