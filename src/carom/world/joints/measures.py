"""Where a joint is at the present instant: its anchors, its axis, and the mass that it moves.

In: a world's tables and the row of a joint. Out: plain numbers and points of the world. Anchors stand in the table
relative to what their body turns about, at angle 0, as a step reads them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

from carom.vector import Vec
from carom.world.joints.kinds import PIN, SLIDE, SPRING, WELD, WHEEL
from carom.world.reports.motion import motion_of
from carom.world.step.tables import Tables


class Named(Protocol):
    """The columns of a joint by name: a record of the table, or what is to stand there."""

    def __getitem__(self, name: str, /) -> Any: ...


class Stand(NamedTuple):
    """Where a body is, and how hard it is to move; the world is at 0 and cannot be moved."""

    x: float
    """Of what the body turns about."""
    y: float
    angle: float
    inverse_mass: float
    inverse_inertia: float


AT_WORLD = Stand(0.0, 0.0, 0.0, 0.0, 0.0)


class Pose(NamedTuple):
    """Where a joint is."""

    a: Stand
    b: Stand
    anchor_a: Vec
    anchor_b: Vec


def stand_of(w: Tables, row: int) -> Stand:
    """Return where a body is at the present instant; row -1 is the world."""
    if row < 0:
        return AT_WORLD
    position, angle, _, _ = motion_of(w, row)
    body = w.bodies[row]
    middle = Vec(float(body["middle_x"]), float(body["middle_y"]))
    x, y = position - middle.rotated(angle) if any(middle) else position
    return Stand(x, y, angle, float(body["inverse_mass"]), float(body["inverse_inertia"]))


def anchored(stand: Stand, point: Vec) -> Vec:
    """Return a point of the world relative to a body at angle 0."""
    return (point - (stand.x, stand.y)).rotated(-stand.angle)


def anchor_of(stand: Stand, x: float, y: float) -> Vec:
    """Return the point of the world where an anchor of a body is."""
    return Vec(stand.x, stand.y) + Vec(x, y).rotated(stand.angle)


def pose_of(w: Tables, row: int) -> Pose:
    """Return where a joint is at the present instant."""
    joint = w.joints.table[row]
    a, b = (stand_of(w, int(joint[name])) for name in ("a", "b"))
    first, second = ((float(joint[f"{name}x"]), float(joint[f"{name}y"])) for name in "ab")
    return Pose(a, b, anchor_of(a, *first), anchor_of(b, *second))


def axis_of(joint: Named, pose: Pose) -> Vec:
    """Return the axis of a slide or wheel as its body b has turned it."""
    return Vec(float(joint["axis_x"]), float(joint["axis_y"])).rotated(pose.b.angle)


def angle_of(joint: Named, pose: Pose) -> float:
    """Return the angle of a, seen from b; of a gear by how much it is off."""
    return pose.a.angle + float(joint["ratio"]) * pose.b.angle - float(joint["zero"])


def distance_of(pose: Pose) -> float:
    """Return how far the anchors are from each other."""
    return (pose.anchor_a - pose.anchor_b).length


def reach_of(joint: Named, one: Vec, other: Vec, ratio: float) -> float:
    """Return how far one end of a pulley is from the point over which it runs, plus so many times that of the other."""
    over = (Vec(float(joint[f"over_{end}x"]), float(joint[f"over_{end}y"])) for end in "ab")
    first, second = over
    return (one - first).length + ratio * (other - second).length


def mass_along(pose: Pose, direction: Vec) -> float:
    """Return the mass that a force along a direction of length 1 moves, which acts at both anchors; 0 for none."""
    inverse = 0.0
    for stand, anchor in ((pose.a, pose.anchor_a), (pose.b, pose.anchor_b)):
        lever = (anchor - (stand.x, stand.y)).cross(direction)
        inverse += stand.inverse_mass + stand.inverse_inertia * lever * lever
    return 1.0 / inverse if inverse > 0.0 else 0.0


def mass_turned(pose: Pose) -> float:
    """Return the moment of inertia that a torque between the two bodies turns; 0 for none."""
    inverse = pose.a.inverse_inertia + pose.b.inverse_inertia
    return 1.0 / inverse if inverse > 0.0 else 0.0


def sprung_mass(joint: Named, pose: Pose) -> float:
    """Return the mass, or moment of inertia, of which a joint's spring has its frequency; 0 for none."""
    kind = int(joint["kind"])
    if kind in (PIN, WELD):
        return mass_turned(pose)
    if kind in (SLIDE, WHEEL):
        return mass_along(pose, axis_of(joint, pose))
    if kind == SPRING:
        way = pose.anchor_a - pose.anchor_b
        return mass_along(pose, way.normalized() if way.length > 0.0 else Vec(1.0, 0.0))
    return 1.0 / pose.a.inverse_mass if pose.a.inverse_mass > 0.0 and math.isfinite(pose.a.inverse_mass) else 0.0
