"""Kinematic bodies that spin: they hit when and as fast as the circle says, never overlap, carry, and never crush."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom as cm
from tests.support.smooth_world import SmoothWorld

CRUSHED = "crushed"


@pytest.mark.parametrize("angle", [0.3, 1.0, 2.9])
@pytest.mark.parametrize("spin", [0.7, 12.0, 300.0])
def test_a_rod_hits_a_ball_at_its_time_and_speed(angle: float, spin: float) -> None:
    world = SmoothWorld()
    world.add(cm.Box((2, 0), (4, 0.2)), kind="kinematic", spin=spin, pivot=(0, 0))
    ball = world.add(
        cm.Circle((3 * math.cos(angle), 3 * math.sin(angle)), 0.25), kind="dynamic", restitution=1.0, mass=3.0
    )
    # The rod's upper face is 0.1 above its middle line: they touch when the centre is 0.35 above that line.
    time = (angle - math.asin(0.35 / 3)) / spin
    events = world.events(2 * time)
    hit = next(iter(events))
    assert hit.time == pytest.approx(time, rel=1e-4)
    assert hit.speed == pytest.approx(spin * math.sqrt(9 - 0.35**2), rel=1e-4)
    turned = angle - math.asin(0.35 / 3)
    assert tuple(hit.normal) == pytest.approx((-math.sin(turned), math.cos(turned)), abs=1e-4)
    assert ball.velocity.length == pytest.approx(2 * hit.speed, rel=1e-4)
    events.close()  # type: ignore[attr-defined]
    world.resume()


def test_a_spinning_body_is_at_its_exact_angle() -> None:
    world = SmoothWorld()
    door = world.add(cm.Box((1, 0), (2, 0.5)), kind="kinematic", spin=math.pi / 2, pivot=(0, 0), velocity=(0, 3))
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]).translated((20, 0))
    sign = world.add(corner, kind="kinematic", spin=-1.0)
    place = corner.position
    world.step(1 / 60, steps=60)
    assert door.angle == pytest.approx(math.pi / 2)
    assert tuple(door.position) == pytest.approx((0, 4))
    assert cm.intersects(door.shape, cm.Point((0, 4.9)))
    assert not cm.intersects(door.shape, cm.Point((0.9, 4)))
    assert tuple(sign.position) == pytest.approx(tuple(place))
    assert tuple(sign.shape.vertices[1]) == pytest.approx(tuple(corner.rotated(-1.0).vertices[1]), abs=1e-4)
    door.spin = 0.0
    world.step(1.0)
    assert door.angle == pytest.approx(math.pi / 2)
    assert tuple(door.position) == pytest.approx((0, 7))


@pytest.mark.parametrize("spin", [0.5, 7.0, 60.0])
def test_nothing_overlaps_a_turnstile(spin: float) -> None:
    world = SmoothWorld()
    for low, high in (((-6, -6), (-5, 6)), ((5, -6), (6, 6)), ((-6, -6), (6, -5)), ((-6, 5), (6, 6))):
        world.add(cm.Box.from_corners(low, high))
    bar = world.add(cm.Box((0, 0), (6, 0.3)), kind="kinematic", spin=spin)
    rng = np.random.default_rng(0)
    balls = [
        world.add(cm.Circle((x, y), 0.3), kind="dynamic", velocity=rng.normal(0, 3, 2), restitution=0.5)
        for x in (-4, -2, 0, 2, 4)
        for y in (-4, -2.5, 2.5, 4)
    ]
    for _ in range(60):
        world.step(1 / 60)
        assert min(cm.separation(bar.shape, ball.shape) for ball in balls) >= -0.005
        assert max(max(abs(ball.position.x), abs(ball.position.y)) for ball in balls) <= 4.7 + 1e-9


def test_a_tilting_board_carries_a_ball() -> None:
    world = SmoothWorld(gravity=(0, -10))
    board = world.add(cm.Box((0, 0), (10, 1)), kind="kinematic", spin=0.2)
    ball = world.add(cm.Circle((2, 1), 0.5), kind="dynamic")
    for _ in range(60):
        world.step(1 / 60)
        assert world._tables.state["played"][0] <= 500
        assert -0.005 <= cm.separation(board.shape, ball.shape) < 1e-3
    # It rolls down: the board rises to the right.
    assert ball.position.x < 2
    assert ball.velocity.x < 0


@pytest.mark.parametrize("spin", [1e-6, 1e-3, -1e-3, 0.1, 1.0, -1.0, 10.0])
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_body_sliding_along_a_spinning_side_hits_it_seldom(spin: float, restitution: float) -> None:
    world = SmoothWorld()
    door = world.add(cm.Box((0, 0), (0.7, 0.5)), kind="kinematic", spin=spin)
    low, high = (-0.5104731115710331, 0.01675416234205785), (-0.3499999999998028, 0.13137781346436528)
    box = world.add(
        cm.Box.from_corners(low, high),
        kind="dynamic",
        velocity=(0.6877419067338445, 0.42305207892946073),
        restitution=restitution,
    )
    for _ in range(20):
        hits = world.step(1 / 60)
        assert world._tables.state["played"][0] <= 500
        assert set(hits.kind.tolist()) <= {"hit", CRUSHED}
        assert cm.separation(door.shape, box.shape) >= -1e-4
    if restitution == 0 and 0 < spin <= 0.1:
        assert cm.separation(door.shape, box.shape) <= 0.02 * spin


def test_a_spinning_body_waits_before_a_stalled_one() -> None:
    # A ball wedged between walls that close in on it: it stands still, and the rod must not go through it.
    world = SmoothWorld()
    world.add(cm.Box((0, 1.5), (10, 1)))
    world.add(cm.Box((0, -0.5), (10, 1)))
    rod = world.add(cm.Box((2, 0.5), (2, 0.1)), kind="kinematic", spin=1e-3, velocity=(-3, 0))
    ball = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", velocity=(1, 0))
    world.add(cm.Box((-1, 0.5), (0.5, 1)))
    for _ in range(60):
        world.step(1 / 60)
        assert world._tables.state["played"][0] <= 200
        assert cm.separation(rod.shape, ball.shape) >= -0.005


def test_an_opened_door_is_hit_at_its_present_angle() -> None:
    # Only at the angle that it stands at now does it reach the way of the balls.
    world = SmoothWorld()
    door = world.add(cm.Box((0, 0), (6, 0.2)), kind="kinematic", spin=math.pi / 2)
    world.step(1.0)
    door.spin = 0.0
    balls = [world.add(cm.Circle((3, y), 0.25), kind="dynamic", velocity=(-3, 0), response="stop") for y in (2.5, 3.3)]
    world.step(1.0)
    assert balls[0].position.x == pytest.approx(0.35)
    assert balls[1].position.x == pytest.approx(0.0)
    assert world.overlaps().body.size == 0


def test_a_waiting_rod_is_not_passed_in_the_rest_of_the_step() -> None:
    # A ball in a pocket stops the rod; then another comes along, far from where the rod was at angle 0.
    world = SmoothWorld()
    rod = world.add(cm.Box((0, 0), (6, 0.2)), kind="kinematic", spin=1.5)
    for low, high in (((-2, -3), (-1.25, 0)), ((-0.75, -3), (0, 0)), ((-2, -4), (0, -3))):
        world.add(cm.Box.from_corners(low, high))
    wedged = world.add(cm.Circle((-1, -2.75), 0.25), kind="dynamic")
    ball = world.add(cm.Circle((8, 2.2), 0.25), kind="dynamic", velocity=(-8, 0), response="stop")
    hits = world.step(1.5)
    assert CRUSHED in hits.kind.tolist()
    assert rod.angle == pytest.approx(1.5 * hits.time[0], rel=1e-3)
    assert ball.row in hits.body.tolist()
    for one in (ball, wedged):
        assert cm.separation(rod.shape, one.shape) >= -0.005


def test_a_flipper_waits_rather_than_crush() -> None:
    world = SmoothWorld()
    world.add(cm.Box((0, 3), (20, 1)))
    flipper = world.add(cm.Box((2, 0), (4, 0.2)), kind="kinematic", spin=2.0, pivot=(0, 0))
    ball = world.add(cm.Circle((3.5, 1.9), 0.5), kind="dynamic")
    stop = world.add(cm.Box((5, 0), (1, 20)))
    left = world.add(cm.Box((2, 2), (1.9, 1)), layer="left")
    crushed = 0
    for _ in range(40):
        hits = world.step(1 / 60)
        crushed += int((hits.kind == CRUSHED).sum())
        for body in (flipper, stop, left):
            assert cm.separation(body.shape, ball.shape) >= -0.005
    assert crushed > 0
    before = flipper.angle
    world.remove(ball)
    world.step(1 / 60, steps=3)
    assert flipper.angle > before


def test_bad_spins_are_refused() -> None:
    world = SmoothWorld()
    with pytest.raises(ValueError, match="spin"):
        world.add(cm.Circle((0, 0), 1), spin=1.0)
    with pytest.raises(ValueError, match="pivot"):
        world.add(cm.Circle((0, 0), 1), pivot=(0, 0))
    with pytest.raises(ValueError, match="spin"):
        world.add(cm.Circle((0, 0), 1), kind="kinematic", spin=math.nan)
    assert len(world) == 0


def test_add_many_takes_spins_and_pivots() -> None:
    one, many = SmoothWorld(), SmoothWorld()
    shapes = [cm.Box((4 * k, 0), (2, 1)) for k in range(3)]
    doors = many.add_many(shapes, kind="kinematic", spin=[1.0, 0.5, -2.0], pivot=[(0, 0), (1, 1), (9, 0)])
    for shape, spin, pivot in zip(shapes, (1.0, 0.5, -2.0), ((0, 0), (1, 1), (9, 0)), strict=True):
        one.add(shape, kind="kinematic", spin=spin, pivot=pivot)
    for world in (one, many):
        world.step(1 / 60, steps=7)
    assert one.digest() == many.digest()
    assert [door.spin for door in doors] == [1.0, 0.5, -2.0]
    for settings, error in (({"spin": [1, 2]}, "spin"), ({"pivot": [(0, 0)]}, "pivot"), ({"spin": math.nan}, "spin")):
        with pytest.raises(ValueError, match=error):
            many.add_many(shapes, kind="kinematic", **settings)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"spin\[1\] = 2"):
        many.add_many(shapes, spin=[0, 2, 0])
    assert len(many) == 3


def test_copies_of_a_spinning_world_continue_bit_for_bit() -> None:
    world = SmoothWorld(gravity=(0, -5))
    world.add(cm.Box((0, -5), (20, 1)))
    world.add(cm.Box((0, 0), (6, 0.3)), kind="kinematic", spin=3.0)
    for k in range(6):
        world.add(cm.Circle((k - 2.5, 2 + k % 3), 0.3), kind="dynamic", restitution=0.5)
    with cm.Recording(world) as tape:
        world.step(1 / 60, steps=20)
        other = world.copy()
        world.step(1 / 60, steps=20)
    other.step(1 / 60, steps=20)
    assert other.digest() == world.digest()
    assert tape.replay().diverged is None


def test_removed_spinning_bodies_free_their_memory() -> None:
    """A world in which spinning bodies come and go does not grow, and a copy knows its free rows."""
    world = SmoothWorld()
    sizes = set()
    for k in range(40):
        blades = [world.add(cm.Box((4 * i, 0), (3, 1)), kind="kinematic", spin=1.0) for i in range(3)]
        world.step(1 / 60)
        assert [blade.shape.angle for blade in blades] == pytest.approx([1 / 60] * 3)
        sizes.add(len(world._tables.buffer))
        world.remove(blades)
        if k == 20:
            world = world.copy()
        still = world.add(cm.Box((0, 0), (3, 1)))
        world.remove(still)
    assert len(sizes) == 1


@pytest.mark.parametrize("spin", [1.0, -1.0, 0.2])
def test_a_body_stuck_to_a_spinning_bar_goes_round_with_it(spin: float) -> None:
    world = SmoothWorld(gravity=(0, -10))
    bar = world.add(cm.Box((0, 0), (4, 0.3)), kind="kinematic", spin=spin)
    ball = world.add(cm.Circle((1, 0.6), 0.3), kind="dynamic", response="stop")
    start = at = 0.0
    for k in range(60):
        hits = world.step(1 / 60)
        assert not np.isin(hits.kind, ("crushed", "stalled", "cut")).any()
        assert bar.angle == pytest.approx(spin * (k + 1) / 60)
        along = ball.position.x * np.cos(bar.angle) + ball.position.y * np.sin(bar.angle)
        gap = cm.separation(bar.shape, ball.shape)
        assert gap >= -0.005
        if start == 0.0 and gap < 1e-3:
            start, at = along, k / 60
        if start > 0.0:
            assert gap < 0.01
            # It does not turn, and the surface is slower than the ball's middle would have to be by radius x spin.
            assert along == pytest.approx(start + 0.3 * spin * (k / 60 - at), abs=0.08)
    assert start > 0.0


def cage(sides: int, size: float, thick: float) -> Any:
    """Return a ring of walls around the origin, as a Compound."""
    around = [cm.Vec(1, 0).rotated(2 * math.pi * k / sides) for k in range(sides)]
    return cm.decompose([p * size for p in around], [[p * (size - thick) for p in around]])


@pytest.mark.parametrize("sides", [3, 4, 7])
@pytest.mark.parametrize("stop", ["stands", "goes on", "is put elsewhere"])
def test_a_compound_that_has_spun_still_encloses_a_ball(sides: int, stop: str) -> None:
    world = SmoothWorld()
    ring = world.add(cage(sides, 10, 0.5), kind="kinematic", spin=2.0, pivot=(1, 2))
    world.step(0.7)
    ring.spin = 0.0
    if stop == "goes on":
        ring.velocity = (3, -1)
    elif stop == "is put elsewhere":
        ring.position = (40, -7)
    middle = ring.position
    ball = world.add(cm.Circle(middle, 0.3), kind="dynamic", velocity=(31, 17), restitution=1)
    alike = SmoothWorld()
    for part in ring.shape.parts:
        alike.add(part, kind="kinematic", velocity=ring.velocity)
    other = alike.add(cm.Circle(middle, 0.3), kind="dynamic", velocity=(31, 17), restitution=1)
    for _ in range(20):
        world.step(0.1)
        alike.step(0.1)
        assert ball.position == pytest.approx(other.position, abs=1e-7)
        assert cm.separation(ring.shape, ball.shape) > -0.005 and (ball.position - ring.position).length < 10


def test_a_compound_that_waits_in_a_turn_still_encloses_its_bodies() -> None:
    """It would crush the box that is wedged in it; the ball goes on within."""
    world = SmoothWorld()
    ring = world.add(cage(4, 10, 0.1), kind="kinematic", spin=-50.0)
    world.add(cm.Box((4.5, 0), (0.4, 7.9)))
    ball = world.add(cm.Circle((-3, 0), 0.5), kind="dynamic", velocity=(-70, 40), restitution=1)
    plug = world.add(cm.Box((5.3, 3), (0.5, 0.5)), kind="dynamic")
    kinds = set()
    for _ in range(10):
        kinds |= set(world.step(0.3).kind.tolist())
        for body in (ball, plug):
            assert body.position.length < 10 and cm.separation(ring.shape, body.shape) > -0.005
    assert CRUSHED in kinds


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("sides", [3, 6])
@pytest.mark.parametrize("turn", [0.2, 1.0, 6.0, 20.0])
def test_a_body_in_a_spinning_wheel_keeps_a_bounded_speed(turn: float, sides: int, restitution: float) -> None:
    """Nothing sticks to a wheel without friction, but its corners carry it along; no side throws it."""
    world = SmoothWorld()
    ring = world.add(cage(sides, 10, 0.1), kind="kinematic", spin=27.0)
    box = world.add(cm.Box((1, 0), (0.8, 0.5)), kind="dynamic", velocity=(-13, -28), restitution=restitution)
    for _ in range(30):
        world.step(turn / 27.0)
        assert box.velocity.length < 2 * 27 * 10 + 31
        assert box.position.length < 10 and cm.separation(ring.shape, box.shape) > -0.005
