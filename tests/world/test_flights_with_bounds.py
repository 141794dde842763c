"""Limits, motors, ropes and springs of a mechanism that flies hold in its own turns: as exactly as its joints."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm
from tests.support.measures import DT, gap_of

G = 10.0


def energy_of(body: cm.Body) -> float:
    vx, vy = body.velocity
    return 0.5 * body.mass * (vx * vx + vy * vy) + 0.5 * body.inertia * body.spin**2 + G * body.mass * body.position.y


@pytest.mark.parametrize("stiffness", [0.0, 40.0])
@pytest.mark.parametrize("kind", ["pin", "slide", "wheel"])
def test_a_motor_that_slips_does_the_work_of_its_largest_force(kind: str, stiffness: float) -> None:
    """It was off by 4e-6: where a motor drove, velocities at the end were those that joints allow there."""
    world = cm.World(gravity=(0, -G), sleep=False)
    arm = world.add(cm.Box((0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    spring = {"stiffness": stiffness} if stiffness else {}
    if kind == "pin":
        joint = world.pin(arm, None, (0, 0), speed=5, max_torque=3, **spring)
    elif kind == "slide":
        joint = world.slide(arm, None, (0, 0), axis=(0.6, 0.8), speed=20, max_force=3, **spring)
    else:
        joint = world.slide(arm, None, (0, 0), axis=(0.6, 0.8), turns=True, speed=9, max_torque=3, **spring)
    first, worst = energy_of(arm), 0.0
    for _ in range(25):
        world.step(DT)
        driven, sprung = (joint.angle, joint.angle) if kind == "pin" else (joint.offset, joint.offset)
        driven = arm.angle if kind == "wheel" else driven
        worst = max(worst, abs(energy_of(arm) + 0.5 * stiffness * sprung**2 - first - 3 * driven))
    assert worst < 1e-9


def test_limits_and_motors_hold_to_rounding_while_a_mechanism_is_pushed() -> None:
    chance = np.random.default_rng(5)
    world = cm.World(gravity=(0, -G), sleep=False)
    trunk = world.add(cm.Box((0, 0), (1, 0.4)), kind="dynamic", mass=2)
    joints = []
    for side in (-1, 1):
        upper = world.add(cm.Box((0.4 * side, -0.4), (0.15, 0.8)), kind="dynamic", mass=0.4)
        lower = world.add(cm.Box((0.4 * side, -1.1), (0.12, 0.8)), kind="dynamic", mass=0.3)
        joints.append(world.pin(upper, trunk, (0.4 * side, 0), limits=(-0.8, 0.6), speed=1, max_torque=4))
        joints.append(world.pin(lower, upper, (0.4 * side, -0.75), limits=(-1.2, 0.1), speed=1, max_torque=2))
    stood = 0
    for k in range(300):
        for joint in joints if k % 7 == 0 else []:
            joint.speed = float(chance.uniform(-4, 4))
        trunk.velocity = trunk.velocity + tuple(chance.uniform(-0.3, 0.3, 2))
        trunk.spin += float(chance.uniform(-0.2, 0.2))
        world.step(DT)
        for joint, (low, high), most in zip(joints, 2 * [(-0.8, 0.6), (-1.2, 0.1)], 2 * [4, 2], strict=True):
            assert low - 1e-10 < joint.angle < high + 1e-10
            loose = low + 1e-6 < joint.angle < high - 1e-6
            assert abs(joint.torque) < most + 1e-9 or not loose
            stood += not loose
        assert gap_of(world) < 1e-10
    assert stood > 100


def test_wheels_in_the_air_take_the_speed_of_their_motors() -> None:
    world = cm.World(sleep=False)
    hull = world.add(cm.Box((0, 0), (2, 0.5)), kind="dynamic", mass=5)
    wheels = [world.add(cm.Circle((x, -0.4), 0.35), kind="dynamic", mass=1) for x in (-0.7, 0.7)]
    for wheel in wheels:
        told = {"hertz": 4, "damping": 0.7, "limits": (-0.05, 0.05), "turns": True}
        world.slide(wheel, hull, wheel.position, axis=(0, 1), speed=-8, max_torque=2, **told)
    hull.velocity = 0, 3
    for _ in range(120):
        world.step(DT)
        assert all(abs(joint.offset) < 0.05 + 1e-10 for joint in world.joints)
    assert [wheel.spin - hull.spin for wheel in wheels] == pytest.approx([-8, -8], abs=1e-8)


def test_a_limit_and_a_motor_share_what_a_spring_in_the_same_joint_leaves() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    arm = world.add(cm.Box((0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    joint = world.pin(arm, None, (0, 0), stiffness=4, resistance=0.1, limits=(-0.3, 0.3), speed=1, max_torque=1)
    lowest = 0.0
    for _ in range(200):
        world.step(DT)
        lowest = min(lowest, joint.angle)
    assert lowest > -0.3 - 1e-10 and joint.angle == pytest.approx(-0.3, abs=1e-10)
    assert joint.torque == pytest.approx(0.5 * G * math.cos(0.3), abs=1e-8)
    joint.max_torque = 20
    for _ in range(200):
        world.step(DT)
    assert joint.angle == pytest.approx(0.3, abs=1e-10)


def test_of_two_motors_in_a_loop_the_stronger_has_its_speed() -> None:
    """Rows that contradict each other have no place among joints: where these make loops, a pile solves them."""
    world = cm.World(sleep=False)
    cranks = [world.add(cm.Box((x, 0.5), (0.1, 1)), kind="dynamic", mass=1) for x in (0, 2)]
    bar = world.add(cm.Box((1, 1), (2, 0.1)), kind="dynamic", mass=1)
    for crank, x, speed, most in zip(cranks, (0, 2), (2, -1), (80, 0.5), strict=True):
        world.pin(crank, None, (x, 0), speed=speed, max_torque=most)
        world.pin(crank, bar, (x, 1))
    for _ in range(30):
        world.step(DT)
        assert not any(body.waited for body in (*cranks, bar)) and gap_of(world) < 1e-9
    assert [crank.spin for crank in cranks] == pytest.approx([2, 2], abs=1e-6)
    assert world.joints[2].torque == pytest.approx(-0.5, abs=1e-6)
