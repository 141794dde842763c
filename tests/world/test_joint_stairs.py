"""Ragdolls of 11 bodies fall down stairs: their joints hold, and with a brake in each they soon sleep."""

from __future__ import annotations

import pytest

import carom as cm
from tests.support.measures import DT


def stairs(world: cm.World) -> None:
    world.add(cm.Box((0, -1), (60, 2)), friction=0.6)
    for k in range(6):
        world.add(cm.Box((-1 - k, 0.25 + 0.25 * k), (1, 0.5 + 0.5 * k)), friction=0.6)


def ragdoll(world: cm.World, x: float, y: float, heavy: float, brake: float) -> None:
    """Add hip, chest, head and four limbs of two bodies, the trunk so many times as heavy."""

    def body(dx: float, dy: float, wide: float, high: float, mass: float) -> cm.Body:
        return world.add(cm.Box((x + dx, y + dy), (wide, high)), kind="dynamic", mass=mass, friction=0.6)

    def pin(a: cm.Body, b: cm.Body, dx: float, dy: float, low: float, high: float) -> None:
        world.pin(a, b, (x + dx, y + dy), limits=(low, high), max_torque=brake)

    hip, chest = body(0, 0, 0.4, 0.4, 3 * heavy), body(0, 0.38, 0.36, 0.32, 2 * heavy)
    head = world.add(cm.Circle((x, y + 0.72), 0.16), kind="dynamic", mass=1, friction=0.6)
    pin(chest, hip, 0, 0.2, -0.4, 0.4)
    pin(head, chest, 0, 0.55, -0.5, 0.5)
    for side in (-1, 1):
        upper, lower = body(side * 0.27, 0.3, 0.12, 0.4, 1), body(side * 0.27, -0.09, 0.1, 0.38, 0.7)
        pin(upper, chest, side * 0.25, 0.48, -2, 2)
        pin(lower, upper, side * 0.27, 0.1, -2, 2)
        thigh, shin = body(side * 0.12, -0.43, 0.15, 0.45, 1.5), body(side * 0.12, -0.87, 0.13, 0.43, 1)
        pin(thigh, hip, side * 0.12, -0.2, -1, 1)
        pin(shin, thigh, side * 0.12, -0.65, -1.5, 0.1)


def gap_of(world: cm.World) -> float:
    """Return how far the anchors of a joint are apart at most; its error counts limits that are passed, too."""
    return max((joint.anchor_a - joint.anchor_b).length for joint in world.joints)


@pytest.mark.parametrize("at", [-4, -3.78, -3.12])
@pytest.mark.parametrize(("heavy", "seconds"), [(1, 5), (1000, 10)])
def test_a_ragdoll_with_brakes_sleeps_below_the_stairs(at: float, heavy: float, seconds: float) -> None:
    world = cm.World(gravity=(0, -10))
    stairs(world)
    ragdoll(world, at, 6, heavy, 1)
    steps = 0
    while not all(body.asleep for body in world.bodies if body.kind == "dynamic"):
        world.step(DT)
        steps += 1
        assert gap_of(world) < 1e-8
        assert steps * DT < seconds


@pytest.mark.parametrize("heavy", [1, 1000])
def test_the_joints_of_a_ragdoll_hold_all_the_way(heavy: float) -> None:
    world = cm.World(gravity=(0, -10))
    stairs(world)
    ragdoll(world, -4, 6, heavy, 0)
    for _ in range(300):
        world.step(DT)
        assert gap_of(world) < 1e-8
