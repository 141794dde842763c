"""Copies of worlds with joints continue as each would alone, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm

DT = 1 / 60


def cart_pole() -> cm.World:
    world = cm.World(gravity=(0, -10), sleep=False)
    cart = world.add(cm.Box((0, 0), (0.4, 0.2)), "dynamic", mass=1)
    pole = world.add(cm.Box((0, 0.5), (0.05, 1)), "dynamic", mass=0.1)
    world.slide(cart, None, (0, 0), axis=(1, 0))
    world.pin(pole, cart, (0, 0))
    return world


def acrobot() -> cm.World:
    world = cm.World(gravity=(0, -10), sleep=False)
    upper, lower = (world.add(cm.Box((0, y), (0.1, 1)), "dynamic", mass=1) for y in (-0.5, -1.5))
    world.pin(upper, None, (0, 0))
    world.pin(lower, upper, (0, -1), speed=2, max_torque=3)
    return world


def ragdoll() -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (20, 1)))
    torso = world.add(cm.Box((0, 2), (0.4, 0.8)), "dynamic", mass=30)
    world.pin(world.add(cm.Circle((0, 2.65), 0.2), "dynamic", mass=5), torso, (0, 2.45), limits=(-0.5, 0.5))
    for side in (-1, 1):
        for y, mass in ((2.3, 3), (1.4, 8)):
            limb = world.add(cm.Capsule((0.3 * side, y), (0.7 * side, y), 0.08), "dynamic", mass=mass)
            world.pin(limb, torso, (0.2 * side, y), limits=(-1, 1))
    return world


def breaking() -> cm.World:
    """A chain that breaks where it is weak, once its load swings."""
    world = cm.World(gravity=(0, -10))
    before = None
    for k in range(6):
        link = world.add(cm.Box((k + 0.5, 0), (0.8, 0.2)), "dynamic")
        world.pin(link, before, (k, 0), breaks_at=(18, None) if k == 3 else None, data=k)
        before = link
    return world


@pytest.mark.parametrize("scene", [cart_pole, acrobot, ragdoll, breaking])
def test_copies_go_the_way_of_single_worlds(scene) -> None:
    n, chance = 5, np.random.default_rng(1)
    world = scene()
    joints = len(world.joints)
    rows = [body.row for body in world.bodies if body.kind == "dynamic"]
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    for step in range(90):
        if step % 30 == 3:
            velocities, spins = worlds.velocities.copy(), worlds.spins.copy()
            velocities[1:, rows[0]] += chance.uniform(-2, 2, (n - 1, 2))
            spins[1:, rows[-1]] += chance.uniform(-4, 4, n - 1)
            worlds.velocities, worlds.spins = velocities, spins
            for k, single in enumerate(singles):
                single.velocities, single.spins = velocities[k], spins[k]
        hits = worlds.step(DT, threads=1 + step % 2)
        expected = [single.step(DT) for single in singles]
        for k, single in enumerate(singles):
            assert worlds.world(k).digest() == single.digest()
            assert hits.kind[hits.world == k].tolist() == expected[k].kind.tolist()
            assert np.array_equal(
                worlds.joint_forces[k, : len(single.joint_forces)], single.joint_forces, equal_nan=True
            )
    left = {len(single.joints) for single in singles}
    assert left == {joints - 1} if scene is breaking else left == {joints}
    assert [joint.data for joint in world.joints] == ([*range(joints)] if scene is breaking else [None] * joints)
    worlds.reset([True] * (n - 1) + [False])
    assert worlds.world(0).digest() == world.digest() and worlds.world(n - 1).digest() == singles[-1].digest()
    single = world.copy()
    for _ in range(5):
        worlds.step(DT)
        single.step(DT)
    assert worlds.world(1).digest() == single.digest()


def test_motors_of_copies_are_set_as_those_of_single_worlds() -> None:
    n, chance = 4, np.random.default_rng(0)
    world = acrobot()
    world.add(cm.Box((5, 0), (1, 1)), "dynamic")
    world.slide(world.body(2), None, (5, 0), axis=(1, 0), max_force=1)
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    assert np.array_equal(worlds.motor_speeds, [[0, 2, 0]] * n) and np.array_equal(worlds.motor_bounds, [[0, 3, 1]] * n)
    for _ in range(30):
        speeds, bounds = worlds.motor_speeds, worlds.motor_bounds
        speeds[1:, 1], bounds[:, 1] = chance.uniform(-9, 9, n - 1), chance.uniform(0, 9, n)
        worlds.motor_speeds, worlds.motor_bounds = speeds, bounds.tolist()
        for k, single in enumerate(singles):
            single.joint(1).speed, single.joint(1).max_torque = speeds[k, 1], bounds[k, 1]
            single.step(DT)
        worlds.step(DT)
        assert [worlds.world(k).digest() for k in range(n)] == [single.digest() for single in singles]
    worlds.motor_speeds = 1
    assert np.array_equal(worlds.motor_speeds, np.ones((n, 3)))


def test_a_motor_that_is_set_wakes_its_copy_alone() -> None:
    world = cm.World(gravity=(0, -10))
    bob = world.add(cm.Box((0, -1), (0.2, 2)), "dynamic")
    world.pin(bob, None, (0, 0), max_torque=500)
    world.step(DT, 120)
    assert bob.asleep
    worlds = world.copies(2)
    speeds = worlds.motor_speeds
    speeds[1, 0] = 1
    worlds.motor_speeds = speeds
    worlds.step(DT)
    assert worlds.asleep[:, bob.row].tolist() == [True, False]
    assert worlds.spins[:, bob.row].tolist() == pytest.approx([0, 1], abs=1e-9)


def test_refused_motors_name_copy_and_joint_and_change_nothing() -> None:
    world = acrobot()
    world.rod(world.body(1), None, from_=(0, -2), to=(0, 5))
    worlds = world.copies(2)
    before = [worlds.world(k).digest() for k in range(2)]
    for name, row, value, match in (
        ("motor_speeds", 1, np.inf, r"Worlds.motor_speeds: motor_speeds\[1\]\[1\] = inf must be from"),
        ("motor_speeds", 2, 1.0, r"motor_speeds\[1\]\[2\] = 1.0 must be NaN: the joint has no motor"),
        ("motor_bounds", 0, -1.0, r"motor_bounds\[1\]\[0\] = -1.0 must be from 0"),
        ("motor_bounds", 0, np.nan, r"motor_bounds\[1\]\[0\] = nan must be from 0"),
    ):
        values = getattr(worlds, name).copy()
        values[0, 0], values[1, row] = 7, value
        with pytest.raises(ValueError, match=match):
            setattr(worlds, name, values)
    with pytest.raises(ValueError, match=r"shape \(2,\); it must be \(2, 3\)"):
        worlds.motor_speeds = np.zeros(2)
    assert [worlds.world(k).digest() for k in range(2)] == before
