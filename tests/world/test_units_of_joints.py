"""Mechanisms have no unit of length: with all lengths and gravity times a power of two, all bits are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom import World
from tests.support.measures import DT


def bar(world: World, u: float, x: float, y: float, wide: float, high: float, **settings: Any) -> cm.Body:
    return world.add(cm.Box((x * u, y * u), (wide * u, high * u)), kind="dynamic", **({"mass": 1} | settings))


def floor(world: World, u: float) -> None:
    world.add(cm.Box((0, -0.5 * u), (20 * u, 1 * u)))


def ropes(world: World, u: float) -> None:
    last = None
    for k in range(3):
        link = bar(world, u, 0.33 + 0.63 * k, 0, 0.6, 0.07)
        world.rope(link, last, ((0.03 + 0.63 * k) * u, 0), (0.63 * k * u, 0))
        last = link


def wound(world: World, u: float) -> None:
    ball = world.add(cm.Circle((0.5 * u, 2 * u), 0.3 * u), kind="dynamic", mass=2)
    rope = world.rope(ball, None, (0.5 * u, 2 * u), (0, 8 * u))
    world.step(DT, 30)
    rope.length = 2 * u


def limits(world: World, u: float) -> None:
    floor(world, u)
    a, b = (bar(world, u, x, 3, 0.9, 0.2, velocity=(0, -2 * u), spin=0.1 * x) for x in (0, 1))
    world.pin(b, a, (0.5 * u, 3 * u), limits=(-0.5, 0.5))


def slide(world: World, u: float) -> None:
    a, b = bar(world, u, 0, 0, 1, 0.2, spin=2), bar(world, u, 0, 1, 1, 0.2)
    world.slide(a, b, (0, 0), axis=(1, 0.2), limits=(-0.5 * u, 0.5 * u))


def motor(world: World, u: float) -> None:
    world.pin(bar(world, u, 0.5, 0, 1, 0.2), None, (0, 0), speed=3, max_torque=20 * u * u)


def spring(world: World, u: float) -> None:
    arm = bar(world, u, 0.5, 0, 1, 0.2)
    world.spring(arm, None, (0.5 * u, 0), (0, 2 * u), hertz=3, damping=0.3, limits=(1 * u, 2.5 * u))


def drag(world: World, u: float) -> None:
    arm = bar(world, u, 0.5, 0, 1, 0.2)
    world.rope(arm, None, (0.1 * u, 0), (0, 1 * u))
    world.drag(arm, (0.9 * u, 0), max_force=200 * u).target = 1 * u, -1 * u


def curl(world: World, u: float) -> None:
    """Have a chain hang from a wall by its limits, all of which push."""
    last = None
    for k in range(6):
        link = bar(world, u, 0.5 + k, 0, 0.9, 0.2)
        world.pin(link, last, (k * u, 0), limits=(-0.1, 0.1))
        last = link


def limb(world: World, u: float, body: cm.Body, x: float, y: float, size: tuple[float, float], **pin: Any) -> cm.Body:
    """Hang a bar on a body by its upper end, or by its end that is nearer to x = 0."""
    wide, high = size
    at = (x - np.sign(x) * wide / 2, y) if wide > high else (x, y + high / 2)
    part = bar(world, u, x, y, wide, high, mass=2)
    world.pin(part, body, (at[0] * u, at[1] * u), **pin)
    return part


def ragdolls(world: World, u: float) -> None:
    floor(world, u)
    for y in (3.0, 5.3):
        torso = bar(world, u, 0, y, 0.4, 0.8, mass=10, spin=y - 2)
        for s in (-1, 1):
            leg = limb(world, u, torso, 0.2 * s, y - 0.6, (0.15, 0.4), limits=(-0.6, 0.8))
            limb(world, u, leg, 0.2 * s, y - 1, (0.12, 0.4), limits=(-1.2, 0.0))
            arm = limb(world, u, torso, 0.4 * s, y + 0.3, (0.4, 0.1), limits=(-0.5, 0.5))
            limb(world, u, arm, 0.8 * s, y + 0.3, (0.4, 0.1), limits=(-0.3, 1.0))


def walker(world: World, u: float) -> None:
    floor(world, u)
    torso = bar(world, u, 0, 1.5, 1.2, 0.4, mass=5)
    for s in (-1, 0, 1):
        motor = {"limits": (-0.5, 0.5), "speed": 3 + s, "max_torque": 30 * u * u}
        leg = limb(world, u, torso, 0.5 * s, 1.1, (0.12, 0.5), **motor)
        limb(world, u, leg, 0.5 * s, 0.7, (0.1, 0.4), limits=(-0.8, 0.1), speed=-2, max_torque=10 * u * u)


def played(scene: Callable[[World, float], None], u: float) -> np.ndarray:
    """Play a scene with lengths times u; return all that was seen, in its unit."""
    world, seen = cm.World(gravity=(0, -10 * u)), []
    scene(world, u)
    for _ in range(200):
        world.step(DT)
        columns = world.positions / u, world.angles, world.velocities / u, world.spins
        seen.append(np.concatenate([column.ravel() for column in columns]))
    return np.array(seen)


@pytest.mark.parametrize("factor", [64.0, 1 / 64])
@pytest.mark.parametrize("scene", [ropes, wound, limits, slide, motor, spring, drag, curl, ragdolls, walker])
def test_bits_are_the_same_in_other_units(scene: Callable[[World, float], None], factor: float) -> None:
    np.testing.assert_array_equal(played(scene, factor), played(scene, 1.0))
