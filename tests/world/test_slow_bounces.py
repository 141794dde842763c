"""Slow impacts where nothing presses: they bounce with their restitution, however slow they are."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

import carom as cm

STEP = 1 / 60


def awake_world() -> cm.World:
    """Return a world with gravity in which nothing sleeps: what is slow would."""
    return cm.World(gravity=(0, -10), sleep=False)


@pytest.mark.parametrize("seed", range(20))
def test_a_ball_that_falls_beside_an_upright_wall_bounces_however_slowly_it_meets_it(seed: int) -> None:
    rng, world = Random(seed), awake_world()
    speed, restitution, gap = 10 ** rng.uniform(-3, -0.4), rng.choice([1.0, 0.8, 0.2]), rng.uniform(0.0, 0.03)
    world.add(cm.Box((5, 0), (1, 1e4)))
    ball = world.add(
        cm.Circle((4.05 - gap, 40), 0.45),
        kind="dynamic",
        velocity=(speed, rng.choice([0.0, -3.0])),
        restitution=restitution,
        friction=0,
    )
    world.step(STEP, steps=math.ceil((gap / speed + 0.1) / STEP))
    assert ball.velocity.x == pytest.approx(-restitution * speed, rel=1e-9)
    assert ball.position.x < 4.05 + 0.3 * 0.008 * 0.45


@pytest.mark.parametrize("seed", range(20))
def test_two_that_fall_side_by_side_part_as_without_gravity(seed: int) -> None:
    rng, world = Random(seed), awake_world()
    speed, restitution, gap = 10 ** rng.uniform(-2.5, -0.4), rng.choice([1.0, 0.5]), rng.uniform(0.0, 0.03)
    angle, mass = rng.uniform(0, 2 * math.pi), rng.choice([1.0, 30.0])
    along = np.array([math.cos(angle), math.sin(angle)])
    settings = {"kind": "dynamic", "restitution": restitution, "friction": 0}
    first = world.add(cm.Circle((0, 0), 0.5), velocity=speed * along + (0, -5), mass=1.0, **settings)
    second = world.add(cm.Circle((1 + gap) * along, 0.5), velocity=(0, -5), mass=mass, **settings)
    world.step(STEP, steps=math.ceil((gap / speed + 0.1) / STEP))
    parting = (np.array(second.velocity) - np.array(first.velocity)) @ along
    # A chord through a step keeps the energy, not the relative velocity to the last bit.
    assert parting == pytest.approx(restitution * speed, rel=1e-3)


@pytest.mark.parametrize("form", ["ball", "box"])
@pytest.mark.parametrize("seed", range(20))
def test_what_slides_on_a_floor_bounces_at_a_wall(seed: int, form: str) -> None:
    """The floor presses it, the wall does not; a box meets both with a side."""
    rng, world = Random(seed), awake_world()
    speed, restitution, gap = 10 ** rng.uniform(-2.5, 1), rng.choice([1.0, 0.5]), rng.uniform(0.004, 0.03)
    world.add(cm.Box((0, -0.5), (200, 1)))
    world.add(cm.Box((5, 0), (1, 200)))
    shape = cm.Circle((4 - gap, 0.5), 0.5) if form == "ball" else cm.Box((4 - gap, 0.5), (1, 1))
    body = world.add(shape, kind="dynamic", velocity=(speed, 0), restitution=restitution, friction=0)
    world.step(STEP, steps=math.ceil((gap / speed + 0.1) / STEP))
    assert tuple(body.velocity) == pytest.approx((-restitution * speed, 0), rel=1e-6, abs=1e-9)
    assert body.spin == pytest.approx(0, abs=1e-6 * speed)


@pytest.mark.parametrize("restitution", [0.3, 0.9])
def test_what_lies_between_a_slope_and_a_wall_comes_to_rest(restitution: float) -> None:
    """Its weight presses it on the wall, though gravity goes along that."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2), angle=-0.3))
    world.add(cm.Box((3, 0), (1, 20)))
    ball = world.add(cm.Circle((1.5, 2), 0.5), kind="dynamic", restitution=restitution)
    world.step(STEP, steps=900)
    assert ball.asleep


@pytest.mark.parametrize("restitution", [0.0, 1.0])
@pytest.mark.parametrize("apart", [0.4, 0.2, -0.2])
@pytest.mark.parametrize("shape", [cm.Box((0, 0), (1, 1)), cm.Circle((0, 0), 0.5), cm.Box((0, 0), (1, 1), radius=0.1)])
def test_two_that_drift_meet_however_little_they_close_in_a_step(
    shape: cm.Shape, apart: float, restitution: float
) -> None:
    """They begin nearer than they meet, and close by less than they go deeper until they meet again."""
    skin = 0.008 * min(cm.smallest_box(shape).size) / 2
    for share in (0.06, 0.03, 0.003):
        world, speed = cm.World(gravity=(0, -1e-4)), share * skin * 60
        wide = cm.bounds(shape)[2] - cm.bounds(shape)[0]
        settings = {"kind": "dynamic", "restitution": restitution}
        first = world.add(shape, velocity=(speed, 0), **settings)
        other = world.add(shape.translated((wide + apart * skin, 0)), **settings)
        hits = 0
        for _ in range(600):
            hits += len(world.step(1 / 60))
            assert cm.separation(first.shape, other.shape) > -0.3 * skin - 1e-12
        assert hits >= 1
        after = (0.0, speed) if restitution else (speed / 2, speed / 2)
        assert (first.velocity.x, other.velocity.x) == pytest.approx(after, abs=1e-9 * speed)
