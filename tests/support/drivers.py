"""What may drive mechanisms in a step: the most energy that motors and kinematic bodies can have given by it.

In: a world before a step, and after it with its hits. Out: an energy. Each force of the step is taken over the way of
what drives, and what would take energy away counts nothing.
"""

from __future__ import annotations

import math

import carom as cm


class Drivers:
    """The motors and kinematic bodies of a world, where they are before a step."""

    def __init__(self, world: cm.World) -> None:
        self.world = world
        self.bodies = {body: (body.position, body.angle) for body in world.bodies if body.kind == "kinematic"}
        self.motors = {joint: value_of(joint) for joint in world.joints if most_of(joint) > 0}

    def gave(self, hits: cm.WorldHits, length: float) -> float:
        """Return the most energy that they can have given in a step of a length."""
        left = set(self.world.joints)  # a motor that broke its joint has worked, too, but is not seen any more
        motors = {joint: value for joint, value in self.motors.items() if joint in left}
        total = sum(most_of(joint) * abs(value_of(joint) - value) for joint, value in motors.items())
        contacts = self.world.contacts()
        for body in self.bodies:
            for joint in self.world.joints:
                if body in (joint.a, joint.b):
                    total += joint.force.length * self.way(body, joint.anchor_a) + abs(joint.torque) * self.turn(body)
            for c in ((contacts.body == body.row) | (contacts.other == body.row)).nonzero()[0].tolist():
                for k in range(int(contacts.count[c])):
                    impulse = math.hypot(contacts.impulses[c, k], contacts.friction_impulses[c, k])
                    total += impulse / length * self.way(body, cm.Vec(*contacts.points[c, k]))
            for hit in hits:
                if body in (hit.body, hit.other):
                    total += math.hypot(hit.impulse, hit.friction_impulse) / length * self.way(body, hit.point)
        return float(total)

    def turn(self, body: cm.Body) -> float:
        return abs(body.angle - self.bodies[body][1])

    def way(self, body: cm.Body, point: cm.Vec) -> float:
        """Return how far a point of a kinematic body has gone, at most."""
        return (body.position - self.bodies[body][0]).length + self.turn(body) * (point - body.position).length


def most_of(joint: cm.Joint) -> float:
    """Return the largest torque or force of a motor, 0 where there is none."""
    if joint.kind in ("pin", "wheel"):
        return joint.max_torque
    return (joint.max_force or 0.0) if joint.kind == "slide" else 0.0


def value_of(joint: cm.Joint) -> float:
    return joint.offset if joint.kind == "slide" else joint.angle
