"""Rest: heaps fall asleep as a whole, what swings in place does once the eye sees it no longer, and nothing else."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import carom as cm

DT = 1 / 60


def mixed_shape(rng: np.random.Generator, x: float, y: float) -> cm.Shape:
    """Return a disc, a box, a capsule, a polygon, a star or a U, about as large as any other."""
    turn, r = rng.uniform(0, 6), rng.uniform(0.25, 0.45)
    kind = rng.integers(6)
    if kind == 0:
        return cm.Circle((x, y), r)
    if kind == 1:
        return cm.Box((x, y), (1.6 * r, r * rng.uniform(0.5, 1.2)), turn)
    if kind == 2:
        return cm.Capsule((x - 0.6 * r, y), (x + 0.6 * r, y), 0.35 * r)
    corners = int(rng.integers(3, 8))
    if kind == 3:
        turns = np.linspace(0, 2 * np.pi, corners, endpoint=False) + turn
        return cm.hull(np.array((x, y)) + r * np.column_stack((np.cos(turns), np.sin(turns))))
    turns, radii = np.linspace(0, 2 * np.pi, 10, endpoint=False) + turn, np.where(np.arange(10) % 2 == 0, 1, 0.45)
    star = np.array((x, y)) + 1.1 * r * radii[:, None] * np.column_stack((np.cos(turns), np.sin(turns)))
    u = np.array([(-1, -1), (1, -1), (1, 1), (0.5, 1), (0.5, -0.4), (-0.5, -0.4), (-0.5, 1), (-1, 1)])
    return cm.decompose(star if kind == 4 else np.array((x, y)) + r * u)


def room_of_200(seed: int, restitution: float) -> cm.World:
    """Return a room into which 200 bodies fall."""
    rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -10))
    for at, size in (((8, -0.25), (17, 0.5)), ((-0.25, 12.5), (0.5, 25)), ((16.25, 12.5), (0.5, 25))):
        world.add(cm.Box(at, size))
    for k in range(200):
        at = 0.55 + (k % 15) * 14.9 / 14, 0.55 + (k // 15) * 1.05
        world.add(mixed_shape(rng, *at), kind="dynamic", mass=1, restitution=restitution)
    return world


@pytest.mark.parametrize(("seed", "restitution"), [(9, 0.3), (9, 0.6), (3, 0.0), (4, 0.3)])
def test_a_room_falls_asleep_though_one_body_rocks_in_it_and_then_is_still(seed: int, restitution: float) -> None:
    world = room_of_200(seed, restitution)
    world.step(DT, steps=600)
    assert all(body.asleep for body in world.bodies if body.kind == "dynamic")
    before = world.positions.copy(), world.angles.copy()
    world.step(DT, steps=300)
    assert (world.positions == before[0]).all()
    assert (world.angles == before[1]).all()


def pendulum(amplitude: float, length: float, scale: float = 1.0) -> tuple[cm.World, cm.Body]:
    """Return a bob on a pin without friction, that hangs so far from the plumb line."""
    world, angle = cm.World(gravity=(0, -10 * scale)), amplitude / length
    at = length * scale * math.sin(angle), -length * scale * math.cos(angle)
    bob = world.add(cm.Box(at, (0.2 * scale, 0.4 * scale), angle=angle), kind="dynamic")
    world.pin(bob, None, (0, 0))
    return world, bob


@pytest.mark.parametrize("scale", [1.0, 64.0])
@pytest.mark.parametrize("length", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("amplitude", [0.0005, 0.002, 0.004])
def test_a_pendulum_that_swings_by_less_than_the_eye_sees_falls_asleep(
    amplitude: float, length: float, scale: float
) -> None:
    world, bob = pendulum(amplitude, length, scale)
    world.step(DT, steps=240)
    assert bob.asleep


@pytest.mark.parametrize(("length", "amplitude"), [(0.3, 0.02), (1.0, 0.012), (1.0, 0.05), (5.0, 0.05), (5.0, 0.2)])
def test_a_pendulum_that_the_eye_sees_swing_keeps_its_energy_and_never_sleeps(length: float, amplitude: float) -> None:
    world, bob = pendulum(amplitude, length)
    height = bob.position.y
    for _ in range(3600):
        world.step(DT)
        assert not bob.asleep
    speed, spin = bob.velocity.length, bob.spin
    energy = bob.mass * (0.5 * speed * speed + 10 * (bob.position.y - height)) + 0.5 * bob.inertia * spin * spin
    assert abs(energy) < 1e-9 * bob.mass * 10 * amplitude


def test_what_begins_to_slide_or_glides_on_does_not_fall_asleep() -> None:
    world = cm.World(gravity=(0, -10))
    slope = 1 / 250
    world.add(cm.Polygon([(-100, -5), (100, -5), (100, 100 * slope), (-100, -100 * slope)]), friction=0)
    box = world.add(cm.Box((0, 0.5), (1, 1), angle=math.atan(slope)), kind="dynamic", friction=0)
    world.step(DT, steps=600)
    assert not box.asleep
    assert box.velocity.length == pytest.approx(10 * math.sin(math.atan(slope)) * 10, rel=1e-3)


def test_a_push_after_a_long_swing_in_place_is_not_swallowed() -> None:
    world, bob = pendulum(0.004, 1.0)
    world.step(DT, steps=100)
    assert not bob.asleep
    other = pickle.loads(pickle.dumps(world))
    for one in (world, other):
        one.bodies[0].spin = 0.05
        one.step(DT, steps=60)
        assert not one.bodies[0].asleep
    assert world.digest() == other.digest()
