"""Rolling resistance against theory: a ball slows down evenly, stops, sleeps, and stands on a slope."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm

G = 10.0
DT = 1 / 60


def with_floor(resistance: float, angle: float = 0.0) -> cm.World:
    """Return a world with a floor at an angle whose upper side goes through the origin."""
    world = cm.World(gravity=(0, -G))
    floor = world.add(cm.Box((math.sin(angle), -math.cos(angle)), (400, 2)), friction=1, rolling_resistance=resistance)
    floor.angle = angle
    return world


def on_slope(angle: float, radius: float) -> cm.Circle:
    return cm.Circle((-radius * math.sin(angle), radius * math.cos(angle)), radius)


@pytest.mark.parametrize(("radius", "resistance"), [(0.5, 0.05), (0.2, 0.1), (2.0, 0.02)])
def test_a_rolling_disc_slows_down_by_two_thirds_of_resistance_times_gravity(radius: float, resistance: float) -> None:
    world = with_floor(resistance)
    disc = world.add(cm.Circle((0, radius), radius), kind="dynamic", friction=1, velocity=(3, 0), spin=-3 / radius)
    slows = resistance * G / 1.5
    steps = int(3 / slows / DT)
    for k in range(1, steps):
        world.step(DT)
        assert disc.velocity.x == pytest.approx(3 - slows * DT * k, abs=1e-9)
        assert disc.velocity.x + disc.spin * radius == pytest.approx(0, abs=1e-9)
    world.step(DT, steps=60)
    assert disc.asleep
    assert disc.position.x == pytest.approx(9 / 2 / slows, rel=2e-2)


def test_without_it_a_disc_rolls_on() -> None:
    world = with_floor(0.0)
    disc = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", friction=1, velocity=(3, 0), spin=-6)
    world.step(DT, steps=300)
    assert disc.velocity.x == pytest.approx(3, rel=1e-9)


@pytest.mark.parametrize("resistance", [0.02, 0.1, 0.3])
def test_a_disc_stands_on_a_slope_below_the_angle_of_its_resistance_and_rolls_above(resistance: float) -> None:
    flat = math.atan(resistance) * 0.97
    world = with_floor(resistance, flat)
    disc = world.add(on_slope(flat, 0.5), kind="dynamic", friction=1)
    at = disc.position
    world.step(DT, steps=120)
    assert disc.asleep
    assert disc.position == pytest.approx(at, abs=1e-6)
    steep = math.atan(resistance) * 1.3
    world = with_floor(resistance, steep)
    disc = world.add(on_slope(steep, 0.5), kind="dynamic", friction=1)
    world.step(DT, steps=60)
    pull = (math.sin(steep) - resistance * math.cos(steep)) * G / 1.5
    assert disc.velocity.length == pytest.approx(pull, rel=1e-3)


def test_of_two_bodies_the_larger_counts_and_cornered_surfaces_do_not_resist() -> None:
    for floor, own in ((0.05, 0.0), (0.0, 0.05), (0.05, 0.02)):
        world = with_floor(floor)
        disc = world.add(
            cm.Circle((0, 0.5), 0.5), kind="dynamic", friction=1, velocity=(3, 0), spin=-6, rolling_resistance=own
        )
        world.step(DT, steps=60)
        assert disc.velocity.x == pytest.approx(3 - 0.05 * G / 1.5, rel=1e-9)
    ends = []
    for resistance in (0.0, 0.5):
        world = with_floor(resistance)
        box = world.add(cm.Box((0, 0.75), (1, 1), angle=0.7), kind="dynamic", friction=1)
        world.step(DT, steps=40)
        ends.append((box.position, box.angle))
    assert ends[0] == ends[1]


def test_a_turning_disc_takes_along_by_resistance_alone_what_lies_on_it() -> None:
    world = cm.World(gravity=(0, -G))
    world.add(cm.Circle((0, -1), 1), kind="kinematic", spin=2.0, friction=0)
    ball = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", friction=0, rolling_resistance=0.1)
    world.step(DT)
    assert ball.spin == pytest.approx(0.1 * 0.5 * 0 + 0.1 * 1.0 * G * DT / 0.125, rel=1e-6)  # of the larger radius


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.floats(0.2, 0.6), st.floats(-20, 20), st.floats(0, 0.5)), min_size=2, max_size=6))
def test_energy_never_grows(balls: list[tuple[float, float, float]]) -> None:
    world = with_floor(0.1)
    added = [
        world.add(cm.Circle((1.2 * k, radius + k), radius), kind="dynamic", spin=spin, rolling_resistance=resistance)
        for k, (radius, spin, resistance) in enumerate(balls)
    ]

    def energy() -> float:
        return sum(
            one.mass * (one.velocity.length**2 / 2 + G * one.position.y) + one.inertia * one.spin**2 / 2
            for one in added
        )

    before = energy()
    for _ in range(90):
        world.step(DT)
        now = energy()
        assert now <= before + 0.02 * G * DT + 1e-3 * abs(before)
        before = min(before, now)


def test_rolling_resistance_is_checked_kept_and_replayed() -> None:
    world = with_floor(0.05)
    disc = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", velocity=(3, 0), spin=-6)
    with cm.Recording(world) as tape:
        world.step(DT, steps=20)
        disc.rolling_resistance = 0.2
        world.step(DT, steps=20)
    assert tape.replay().diverged is None
    before = world.digest()
    with pytest.raises(ValueError, match="rolling_resistance"):
        disc.rolling_resistance = -0.1
    assert (world.digest(), disc.rolling_resistance) == (before, 0.2)
    other = world.copies(1)
    world.step(DT, steps=5)
    for _ in range(5):
        other.step(DT)
    assert other.world(0).digest() == world.digest()


@pytest.mark.parametrize("other", ["floor", "body"])
def test_bodies_that_do_not_turn_do_not_roll(other: str) -> None:
    """The row of a contact that turns neither body had no length."""
    world = with_floor(0.1)
    box = cm.Box((0, 0.5), (4, 1))
    world.add(box, kind="dynamic" if other == "body" else "static", turns=False, rolling_resistance=0.1)
    disc = world.add(cm.Circle((0, 1.51), 0.5), kind="dynamic", turns=False, rolling_resistance=0.1)
    world.step(DT, steps=90)
    assert disc.position == pytest.approx((0, 1.5), abs=0.01)
    assert disc.asleep
