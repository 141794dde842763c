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
    return world.add(cm.Box((x * u, y * u), (wide * u, high * u)), kind="dynamic", mass=1, **settings)


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
    world.add(cm.Box((0, -0.5 * u), (20 * u, 1 * u)))
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
@pytest.mark.parametrize("scene", [ropes, wound, limits, slide, motor, spring, drag])
def test_bits_are_the_same_in_other_units(scene: Callable[[World, float], None], factor: float) -> None:
    np.testing.assert_array_equal(played(scene, factor), played(scene, 1.0))
