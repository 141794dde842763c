"""Bodies push each other only from nearby: a side of a part presses on nothing that is not beside it."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm
from tests.support.pushes import Pushes


def lander(seed: int) -> cm.World:
    """Return a world in which a body with two legs on pins with motors and limits flies over a line of hills."""
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -10), sleep=False)
    heights = rng.uniform(0, 6, 11)
    for k in range(10):
        world.add(cm.Segment((2 * k, heights[k]), (2 * k + 2, heights[k + 1])))
    x, y, velocity = rng.uniform(4, 16), rng.uniform(10, 14), rng.uniform(-4, 4, 2)
    trunk = world.add(cm.Box((x, y), (1.1, 0.9)), kind="dynamic", density=5, velocity=velocity, spin=rng.normal())
    for side in (-1, 1):
        shape = cm.Box((x + side * 0.88, y - 0.14), (0.13, 0.53), side * 0.54)
        leg = world.add(shape, kind="dynamic", velocity=velocity, mass=0.07)
        limits = (-0.1, 0.4) if side > 0 else (-0.4, 0.1)
        world.pin(leg, trunk, (x, y), limits=limits, speed=-0.3 * side, max_torque=40)
    return world


@pytest.mark.parametrize("seed", range(20))
def test_a_lander_is_pushed_by_no_line_that_it_is_not_beside(seed: int) -> None:
    world = lander(seed)
    for _ in range(100):
        pushes = Pushes(world, 1 / 50)
        world.step(1 / 50)
        assert pushes.from_afar() == []
