"""Surfaces that move beside their bodies: belts carry by friction alone, in piles and impacts, and keep awake."""

from __future__ import annotations

import math
import pickle

import pytest

import carom as cm

G = 10.0
DT = 1 / 60


def on_belt(speed: float, friction: float, shape: cm.Shape, angle: float = 0.0) -> tuple[cm.World, cm.Body, cm.Body]:
    """Return a world with a belt whose upper side goes through the origin at an angle, and a body on it."""
    world = cm.World(gravity=(0, -G))
    middle = (math.sin(angle), -math.cos(angle))
    belt = world.add(cm.Box(middle, (200, 2)), surface_velocity=(speed, 0), friction=friction)
    belt.angle = angle
    return world, belt, world.add(shape, kind="dynamic", friction=friction)


@pytest.mark.parametrize("speed", [2.0, -2.0])
def test_a_box_on_a_belt_gains_friction_times_gravity_and_rides_at_its_speed(speed: float) -> None:
    world, _, box = on_belt(speed, 0.4, cm.Box((0, 0.5), (1, 1)))
    for k in range(1, 30):
        world.step(DT)
        assert box.velocity.x == pytest.approx(math.copysign(0.4 * G * k * DT, speed), rel=1e-9)
    world.step(DT, steps=120)
    assert box.velocity.x == pytest.approx(speed, rel=1e-7)
    assert box.angle == pytest.approx(0, abs=1e-6)


def test_a_disc_on_a_belt_rolls_at_a_third_of_its_speed() -> None:
    world, _, disc = on_belt(3.0, 0.4, cm.Circle((0, 0.5), 0.5))
    world.step(DT, steps=120)
    # The torque and the push of one force: m v = J, I spin = J r, v + spin r = speed.
    assert disc.velocity.x == pytest.approx(1.0, rel=1e-9)
    assert disc.spin == pytest.approx(4.0, rel=1e-9)


def test_an_inclined_belt_carries_a_box_up_where_friction_holds_it_and_not_where_it_slips() -> None:
    for friction, rides in ((0.4, True), (0.2, False)):
        angle = 0.3
        box = cm.Box((-0.5 * math.sin(angle), 0.5 * math.cos(angle)), (1, 1), angle=angle)
        world, _, carried = on_belt(0.5, friction, box, angle)
        world.step(DT, steps=120)
        along = carried.velocity.x * math.cos(angle) + carried.velocity.y * math.sin(angle)
        slides = (friction * math.cos(angle) - math.sin(angle)) * G * 2.0
        assert along == pytest.approx(0.5 if rides else slides, rel=1e-3)


def test_a_belt_turns_and_goes_with_its_body() -> None:
    world, belt, box = on_belt(1.0, 0.5, cm.Box((0, 0.5), (1, 1)))
    belt.angle = math.pi  # now its other side is up
    world.step(DT, steps=60)
    assert box.velocity.x == pytest.approx(-1.0, rel=1e-6)
    world = cm.World(gravity=(0, -G))
    world.add(cm.Box((0, -1), (20, 2)), kind="kinematic", velocity=(0.5, 0), surface_velocity=(1, 0))
    box = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    world.step(DT, steps=60)
    assert box.velocity.x == pytest.approx(1.5, rel=1e-6)


def test_a_dynamic_body_drives_on_its_own_belt() -> None:
    world = cm.World(gravity=(0, -G))
    world.add(cm.Box((0, -1), (200, 2)))
    tank = world.add(cm.Box((0, 0.5), (2, 1)), kind="dynamic", surface_velocity=(-3, 0))
    world.step(DT, steps=30)
    assert tank.velocity.x == pytest.approx(0.6 * G * 0.5, rel=1e-9)
    world.step(DT, steps=90)
    assert tank.velocity.x == pytest.approx(3.0, rel=1e-6)


@pytest.mark.parametrize("friction", [0.1, 5.0])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_an_impact_on_a_belt_obeys_coulomb(friction: float, restitution: float) -> None:
    world = cm.World()
    world.add(cm.Box((0, -1), (200, 2)), surface_velocity=(5, 0), friction=friction)
    disc = world.add(
        cm.Circle((0, 1), 0.5), kind="dynamic", velocity=(1, -4), friction=friction, restitution=restitution
    )
    hit = world.step(0.3)[0]
    normal, sticks = 4 * (1 + restitution), (5 - 1) / 3  # of a disc that a force at its rim moves, a third is its mass
    across = min(friction * normal, sticks)
    assert disc.velocity == pytest.approx((1 + across, 4 * restitution), abs=1e-12)
    assert disc.spin == pytest.approx(across * 0.5 / 0.125, rel=1e-12)
    assert (hit.impulse, abs(hit.friction_impulse)) == pytest.approx((normal, across), rel=1e-12)


def test_several_impacts_at_once_see_their_belts() -> None:
    world = cm.World()
    for x, speed in ((-1.5, 2.0), (1.5, -2.0)):  # a disc falls between two rollers, both going down inside
        world.add(cm.Box((x, 0), (1, 10)), surface_velocity=(0, -abs(speed)), friction=1.0)
    world.add(cm.Box((0, -2), (1.9, 1)), surface_velocity=(3, 0), friction=1.0)
    box = world.add(cm.Box((0, 0), (1, 1)), kind="dynamic", velocity=(0, -5), friction=1.0, turns=False)
    world.step(0.3)
    assert box.velocity == pytest.approx((3, 0), abs=1e-12)


def test_a_slow_belt_keeps_awake_what_it_carries_and_lets_sleep_what_is_blocked() -> None:
    world, belt, box = on_belt(0.01, 0.6, cm.Box((0, 0.5), (1, 1)))
    top = world.add(cm.Box((0, 1.5), (1, 1)), kind="dynamic")
    world.add(cm.Box((20, 5), (1, 10)))
    blocked = world.add(cm.Box((19, 0.5), (1, 1)), kind="dynamic")
    world.step(DT, steps=240)
    assert (box.asleep, top.asleep, blocked.asleep) == (False, False, True)
    assert box.position.x == pytest.approx(0.04, rel=1e-2)
    belt.surface_velocity = (-0.5, 0)
    world.step(DT, steps=60)
    assert blocked.velocity.x == pytest.approx(-0.5, rel=1e-6)


def test_what_slides_does_not_feel_a_belt() -> None:
    world, belt, box = on_belt(2.0, 0.0, cm.Box((0, 0.5), (1, 1)))
    world.step(DT, steps=120)
    assert (box.velocity.x, box.asleep) == (0.0, True)
    assert belt.surface_velocity == (2.0, 0.0)


def test_threads_do_not_change_the_bits_of_piles_on_belts_that_resist_rolling() -> None:
    def filled() -> cm.World:
        world = cm.World(gravity=(0, -G))
        for x in range(6):
            belt = cm.Box((20 * x, -1), (9, 2))
            world.add(belt, surface_velocity=(0.3 * (x - 2), 0), rolling_resistance=0.05)
            world.add_many(cm.Shapes.boxes([(20 * x - 5, 10), (20 * x + 5, 10)], [(1, 40), (1, 40)]))
            for k in range(60):
                at = (20 * x - 4 + 1.0 * (k % 8) + 0.01 * (k % 7), 0.6 + 1.1 * (k // 8))
                one = cm.Circle(at, 0.45) if k % 2 else cm.Box(at, (0.9, 0.9))
                world.add(one, kind="dynamic", rolling_resistance=0.1 * (k % 3), surface_velocity=(k % 5 / 5, 0))
        return world

    one, several = filled(), filled()
    one.step(DT, steps=60)
    several.step(DT, steps=60, threads=3)
    assert one.digest() == several.digest()


def test_belts_are_recorded_kept_and_refused_as_a_whole() -> None:
    world, belt, _ = on_belt(2.0, 0.5, cm.Box((0, 0.5), (1, 1)))
    plain = world.copy()
    plain.bodies[0].surface_velocity = (1.0, 0.0)
    assert plain.digest() != world.digest()
    with cm.Recording(world) as tape:
        world.step(DT, steps=10)
        belt.surface_velocity = (-2, 0)
        world.step(DT, steps=10)
    assert tape.replay().diverged is None
    before = world.digest()
    with pytest.raises(ValueError, match="surface_velocity"):
        belt.surface_velocity = (math.nan, 0)
    with pytest.raises(ValueError, match="surface_velocity"):
        world.add(cm.Circle((0, 5), 1), surface_velocity=(0, math.inf))
    assert world.digest() == before
    for other in (world.copy(), pickle.loads(pickle.dumps(world)), world.copies(2).world(1)):
        other.step(DT, steps=5)
        assert other.bodies[0].surface_velocity == (-2.0, 0.0)
    world.step(DT, steps=5)
    assert other.digest() == world.digest()
