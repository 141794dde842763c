"""Kinematic bodies that are told where to be: exactly there, at the end of the step, having pushed what they met."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

G = 10.0
DT = 1 / 60

coordinates = st.floats(-100, 100, allow_subnormal=False)


@given(coordinates, coordinates, st.floats(-3, 3), st.floats(1e-3, 1.0))
def test_at_the_end_of_the_step_the_pose_is_the_target_to_the_last_bit(
    x: float, y: float, angle: float, dt: float
) -> None:
    world = cm.World(gravity=(0, -G))
    lift = world.add(cm.Box((0.1, 0.2), (2, 0.5)), kind="kinematic", velocity=(3, 1), spin=2)
    lift.move_to((x, y), angle)
    world.step(dt)
    assert (lift.position, lift.angle) == ((x, y), angle)
    assert (lift.velocity, lift.spin) == ((0, 0), 0)
    world.step(dt, steps=3)
    assert (lift.position, lift.angle) == ((x, y), angle)


def test_it_goes_there_evenly_by_the_shorter_turn_and_at_a_pause_for_the_rest() -> None:
    world = cm.World()
    door = world.add(cm.Box((0, 0), (2, 0.5)), kind="kinematic")
    door.angle = 3.0
    sensor = world.add(cm.Box((5, 0), (1, 3)), sensor=True)
    door.move_to((10, 0), -3.0)
    seen = []
    for hit in world.events(1.0):
        seen.append((hit.time, door.velocity.x, door.spin))
        if len(seen) == 1:
            assert hit.other == sensor or hit.body == sensor
            door.move_to((10, 4), -3.0)
    turn = 2 * math.pi - 6
    assert seen[0][1:] == pytest.approx((10, turn), rel=1e-12)
    assert door.position == (10, 4)
    assert door.angle == pytest.approx(2 * math.pi - 3, rel=1e-15)  # turns add up


def test_a_pivot_goes_along() -> None:
    world = cm.World()
    arm = world.add(cm.Box((1, 0), (2, 0.2)), kind="kinematic", spin=1.0, pivot=(0, 0))
    for k in range(1, 20):
        angle = 0.3 * math.sin(k)
        at = (math.cos(angle) + 0.01 * k, math.sin(angle))
        arm.move_to(at, angle)
        world.step(DT)
        assert (*arm.position, arm.angle) == pytest.approx((*at, angle), rel=1e-15, abs=1e-15)
        assert arm.pivot == pytest.approx((0.01 * k, 0), abs=1e-12)


def test_riders_are_carried_by_friction_and_stand_still_with_it() -> None:
    world = cm.World(gravity=(0, -G))
    lift = world.add(cm.Box((0, -0.25), (4, 0.5)), kind="kinematic")
    rider = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    for k in range(1, 121):
        lift.move_to((0.01 * k, -0.25 + 0.005 * k))
        world.step(DT)
    assert not rider.asleep
    assert rider.velocity == pytest.approx((0.6, 0.3), abs=1e-6)
    assert rider.position.y - lift.position.y == pytest.approx(0.75, abs=5e-3)
    for _ in range(60):
        lift.move_to(lift.position)  # where it is already: nothing wakes
        world.step(DT)
    assert rider.asleep


def test_what_it_meets_is_pushed_out_of_its_way() -> None:
    world = cm.World()
    ram = world.add(cm.Box((0, 0), (1, 1)), kind="kinematic")
    ball = world.add(cm.Circle((2, 0), 0.5), kind="dynamic", restitution=1.0)
    ram.move_to((2, 0))
    hits = world.step(0.1)
    assert ram.position == (2, 0)
    assert len(hits) == 1
    assert ball.velocity.x == pytest.approx(40, rel=1e-12)  # twice the ram's 20


def test_one_that_would_crush_waits_and_then_stands() -> None:
    world = cm.World(gravity=(0, -G))
    world.add(cm.Box((0, -1), (20, 2)))
    world.add(cm.Box((0, 3.5), (20, 1)))
    world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    press = world.add(cm.Box((0, 2.5), (3, 0.8)), kind="kinematic")
    told = []
    for k in range(120):
        press.move_to((0, 2.5 - 0.02 * k))
        told += [hit.kind for hit in world.step(DT)]
        assert press.velocity == (0, 0)
    assert press.position.y > 1.35
    assert len(world.overlaps().depth) == 0 or world.overlaps().depth.max() < 0.01


def test_what_is_told_last_holds() -> None:
    world = cm.World()
    lift = world.add(cm.Box((0, 0), (2, 0.5)), kind="kinematic")
    lift.move_to((1, 0))
    lift.velocity = (0, 2)
    world.step(0.5)
    assert (lift.position, lift.velocity) == ((0, 1), (0, 2))
    lift.move_to((5, 5))
    lift.move_to((1, 2), 0.5)
    world.step(0.5)
    assert (lift.position, lift.angle, lift.velocity) == ((1, 2), 0.5, (0, 0))
    lift.move_to((7, 7))
    lift.kind = "dynamic"
    world.step(0.5)
    lift.kind = "kinematic"
    world.step(0.5)
    assert (lift.position, lift.velocity) == ((1, 2), (0, 0))
    lift.move_to((0, 0))
    world.velocities = [(1, 0)]
    world.step(1.0)
    assert lift.position == (2, 2)


def test_a_step_that_is_abandoned_ends_the_way() -> None:
    world = cm.World()
    ram = world.add(cm.Box((0, 0), (1, 1)), kind="kinematic")
    world.add(cm.Circle((2, 0), 0.5), kind="dynamic")
    ram.move_to((4, 0))
    for _ in world.events(1.0):
        world.abandon()
        break
    assert ram.position.x == pytest.approx(1.0, rel=1e-9)
    world.step(1.0)
    assert ram.position.x == pytest.approx(1.0, rel=1e-9)
    assert ram.velocity == (0, 0)


def test_targets_are_recorded_kept_and_refused_as_a_whole() -> None:
    world = cm.World()
    lift = world.add(cm.Box((0, 0), (2, 0.5)), kind="kinematic")
    ball = world.add(cm.Circle((5, 0), 0.5), kind="dynamic")
    with cm.Recording(world) as tape:
        lift.move_to((1, 1), 1.0)
        world.step(DT)
        lift.move_to((2, 0))
        world.step(DT, steps=2)
    assert tape.replay().diverged is None
    still = world.digest()
    lift.move_to((7, 8))
    assert world.digest() != still
    before = world.digest()
    with pytest.raises(ValueError, match=r"kinematic bodies.*dynamic"):
        ball.move_to((0, 0))
    with pytest.raises(ValueError, match=r"move_to: position"):
        lift.move_to((math.nan, 0))
    with pytest.raises(TypeError, match=r"move_to: angle"):
        lift.move_to((0, 0), "up")  # type: ignore[arg-type]
    assert world.digest() == before
    snapshot = world.snapshot()
    worlds = (world.copy(), pickle.loads(pickle.dumps(world)), world.copies(2))
    world.step(DT)
    for other in worlds:
        other.step(DT)
        one = other.world(1) if isinstance(other, cm.Worlds) else other
        assert one.digest() == world.digest()
    world.restore(snapshot)
    assert world.digest() == before
