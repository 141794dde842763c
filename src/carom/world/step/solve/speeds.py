"""Velocities as the solver has them: scaled by the roots of masses and inertias, so that energy is their square.

In: velocities of bodies, one row for each place. Out: the same scaled, and back. Those of what cannot be moved are 0.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.step.pairs.contacts import Velocity
from carom.world.step.tables import Body


@inner
def write_speed(speed: Floats, k: int, body: Body, velocity: Velocity) -> None:
    """Write the velocity of a body in place k among the scaled ones; what nothing moves or turns has 0."""
    mass, inertia = math.sqrt(body.inverse_mass), math.sqrt(body.inverse_inertia)
    speed[k, 0] = velocity[0] / mass if mass > 0.0 else 0.0
    speed[k, 1] = velocity[1] / mass if mass > 0.0 else 0.0
    speed[k, 2] = velocity[2] / inertia if inertia > 0.0 else 0.0


@inner
def read_speed(speed: Floats, k: int, body: Body) -> Velocity:
    """Return the velocity of a body by place k of the scaled ones."""
    mass = math.sqrt(body.inverse_mass)
    return speed[k, 0] * mass, speed[k, 1] * mass, speed[k, 2] * math.sqrt(body.inverse_inertia)


@inner
def clear(speed: Floats, low: int, high: int) -> None:
    """Set scaled velocities to 0."""
    for k in range(low, high):
        speed[k, 0], speed[k, 1], speed[k, 2] = 0.0, 0.0, 0.0


@kernel
def energy(speed: Floats, low: int, high: int, total: float) -> float:
    """Return `total` and twice the kinetic energy of scaled velocities."""
    for k in range(low, high):
        x, y, spin = speed[k, 0], speed[k, 1], speed[k, 2]
        total += x * x + y * y + spin * spin
    return total
