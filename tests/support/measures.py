"""What the tests of mechanisms measure: energy and gaps, in steps of 1/60 s."""

from __future__ import annotations

import math

import carom as cm

DT = 1 / 60


def energy_of(world: cm.World) -> float:
    """Return kinetic energy and that in gravity of all dynamic bodies."""
    total, down = 0.0, world.gravity.y
    for body in world.bodies:
        if body.kind == "dynamic":
            v = body.velocity
            total += 0.5 * body.mass * (v.x * v.x + v.y * v.y) - body.mass * down * body.position.y
            total += 0.5 * body.inertia * body.spin * body.spin if math.isfinite(body.inertia) else 0.0
    return total


def gap_of(world: cm.World) -> float:
    return max(joint.error for joint in world.joints)
