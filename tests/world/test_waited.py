"""Time that waited is told: a kinematic body goes its velocity times the rest of the step, to rounding."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm

DT = 1 / 60


def pressed() -> tuple[cm.World, cm.Body]:
    """Return a box on a floor, and a press above it that comes down."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (10, 2)))
    world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    return world, world.add(cm.Box((0, 1.55), (2, 1)), kind="kinematic", velocity=(0, -1))


def crate(seed: int, spin: float, gravity: float) -> tuple[cm.World, cm.Body]:
    """Return a crate full of boxes, and a bar that turns among them."""
    world, rng = cm.World(gravity=(0, -gravity)), np.random.default_rng(seed)
    for x, y, wide, high in ((0, -3.5, 8, 1), (0, 3.5, 8, 1), (-3.5, 0, 1, 6), (3.5, 0, 1, 6)):
        world.add(cm.Box((x, y), (wide, high)))
    bar = world.add(cm.Box((0, 0), (5.8, 0.2)), kind="kinematic", spin=spin)
    for k in range(36):
        shape = cm.Box((-2.5 + k % 6, -2.5 + k // 6), (0.75, 0.75), angle=rng.uniform(0, 3))
        if not world.query(shape):
            world.add(shape, kind="dynamic")
    return world, bar


def test_a_press_that_jams_waits_from_then_on() -> None:
    world, press = pressed()
    told = []
    for _ in range(12):
        before = press.position.y
        kinds = world.step(DT).kind.tolist()
        assert before - press.position.y == pytest.approx(DT - press.waited, abs=1e-12)
        assert ("crushed" in kinds) == (press.waited > 0.0)
        told.append(press.waited)
    assert told[:3] == [0.0, 0.0, 0.0]
    assert told[-3:] == pytest.approx([DT] * 3)
    press.velocity = (0, 1)
    world.step(DT)
    assert world.waited.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("seed", "spin", "gravity"), [(0, 2.0, 10.0), (1, -8.0, 10.0), (2, 5.0, 0.0)])
def test_a_turnstile_lags_by_the_time_that_it_waited(seed: int, spin: float, gravity: float) -> None:
    world, bar = crate(seed, spin, gravity)
    total = 0.0
    for _ in range(60):
        before = bar.angle
        world.step(DT)
        assert (bar.angle - before) / spin == pytest.approx(DT - bar.waited, abs=1e-9)
        assert (world.waited >= 0.0).all()
        assert (world.waited <= DT * (1 + 1e-12)).all()
        total += bar.waited
    assert total > 0.05
    assert world.waited[world.rows([bar])].tolist() == [bar.waited]


def test_nothing_waits_in_a_gas() -> None:
    world, rng = cm.World(), np.random.default_rng(0)
    for x, y, wide, high in ((0, -3.5, 8, 1), (0, 3.5, 8, 1), (-3.5, 0, 1, 6), (3.5, 0, 1, 6)):
        world.add(cm.Box((x, y), (wide, high)))
    for k in range(36):
        place = -2.5 + k % 6, -2.5 + k // 6
        world.add(cm.Circle(place, 0.2), kind="dynamic", velocity=rng.normal(0, 5, 2), restitution=1, friction=0)
    world.add(cm.Box((0, 0.05), (0.1, 0.1)), kind="kinematic", velocity=(0.5, 0))
    hits = 0
    for _ in range(60):
        hits += len(world.step(DT))
        assert not world.waited.any()
    assert hits > 100


def test_at_a_pause_it_is_the_time_so_far() -> None:
    world, press = pressed()
    world.step(DT, steps=3)
    pauses = 0
    for hit in world.events(DT):
        if hit.kind == "crushed":
            pauses += 1
            assert 0.0 <= press.waited <= hit.time + 1e-15
    assert pauses > 0
    assert press.waited > 0.0
    copy = world.copy()
    assert copy.waited.tolist() == world.waited.tolist()
    world.remove(press)
    assert world.waited[2] == 0.0
    again = world.add(cm.Box((50, 0), (1, 1)), kind="kinematic")
    assert (again.row, again.waited) == (2, 0.0)


def test_each_copy_tells_its_own() -> None:
    world, press = pressed()
    worlds = world.copies(2)
    worlds.velocities = np.array([[(0, 0), (0, 0), (0, -1)], [(0, 0), (0, 0), (0, 1)]])
    for _ in range(6):
        worlds.step(DT)
    assert worlds.waited.shape == (2, 3)
    assert worlds.waited[0, press.row] == pytest.approx(DT)
    assert worlds.waited[1].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("scale", [1.0, 64.0, 1 / 64])
def test_gears_at_rest_beyond_a_limit_by_rounding_do_not_wait(scale: float) -> None:
    """Their limit closes what rounding left: energy that is nothing beside what they had, which was nothing, too."""
    world = cm.World()
    large, small = (
        world.add(cm.Circle((x * scale, 0), r * scale), kind="dynamic", mass=1) for x, r in ((0, 0.5), (1.2, 0.4))
    )
    world.pin(large, None, large.position, limits=(-0.5, 0.5))
    world.pin(small, None, small.position)
    gear = world.gear(large, small, ratio=-2.0)
    large.angle, small.angle = -0.5 - 1e-13, -0.25
    large.spin, small.spin = -1e-20, -5e-21
    for _ in range(5):
        world.step(DT)
        assert not world.waited.any()
        assert gear.error < 1e-12
