"""Bodies that turn and rub: theory, bounds on overlap and energy, and nothing passes through a wall."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm
from tests.support.second_world import Second

SKIN = 0.008


def on_floor(gravity: float = 10.0) -> Second:
    world = Second((0.0, -gravity))
    world.add(cm.Box((0, -1), (80, 2)), "static")
    return world


def room(half: float, thick: float, **settings: float) -> Second:
    """Return four walls around a square; without gravity."""
    world = Second()
    long = 2 * half + 2 * thick
    for x, y, wide, high in ((0, -1, long, thick), (0, 1, long, thick), (-1, 0, thick, long), (1, 0, thick, long)):
        center = (x * (half + thick / 2), y * (half + thick / 2))
        world.add(cm.Box(center, (wide, high)), "static", **settings)
    return world


def test_a_stack_falls_asleep_where_it_stands() -> None:
    world = on_floor()
    for k in range(20):
        world.add(cm.Box((0, 0.5 + k), (1, 1)))
    for _ in range(40):
        world.step()
    assert world.asleep == 20
    assert world.overlap() <= 0.3 * SKIN * 0.5 + 1e-12
    assert np.abs(world.moving["x"]).max() <= 1e-12
    assert np.abs(world.moving["y"] - np.arange(0.5, 20)).max() <= 0.02


@pytest.mark.parametrize("heavy", [10.0, 1e3, 1e6])
def test_a_heavy_box_rests_on_five_light_ones(heavy: float) -> None:
    world = on_floor()
    for k in range(5):
        world.add(cm.Box((0, 0.5 + k), (1, 1)))
    world.add(cm.Box((0, 5.5), (1, 1)), mass=heavy)
    for _ in range(60):
        world.step()
    assert world.asleep == 6 and world.overlap() <= 1e-8


def test_dominoes_fall_one_after_the_other_and_no_energy_is_made() -> None:
    world = on_floor()
    for k in range(20):
        world.add(cm.Box((0.6 * k, 1.0), (0.2, 2.0)), friction=0.3)
    world.add(cm.Circle((-1, 1.8), 0.2), vx=4.0, mass=0.63, friction=0.3)
    start = world.energy()
    for step in range(300):
        world.step()
        assert world.energy() <= start * (1 + 1e-12)
        if step % 20 == 0:
            assert world.overlap() <= 0.3 * SKIN * 0.1 + 1e-12
    assert np.all(np.abs(world.moving["angle"][:20]) > 1.0)


@pytest.mark.parametrize("seed", range(2))
def test_a_heap_keeps_the_promise_and_comes_to_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = on_floor()
    for x in (-5, 5):
        world.add(cm.Box((x, 20), (2, 50)), "static")
    for k in range(60):
        size, at = rng.uniform(0.6, 1.0), (-3 + 1.1 * (k % 6) + rng.uniform(-0.05, 0.05), 1 + 1.1 * (k // 6))
        world.add(cm.Circle(at, size / 2) if k % 2 else cm.Box(at, (size, size), angle=rng.uniform(0, 1)))
    start = world.energy()
    for step in range(480):
        world.step()
        if step % 8 == 7:  # some overlap at the start, and part within a few steps
            assert world.overlap() <= 0.3 * SKIN * 0.5 + 1e-9
        assert world.energy() <= start
    assert world.asleep >= 55


@pytest.mark.parametrize("seed", range(3))
def test_a_heap_of_two_hundred_falls_asleep_as_a_whole(seed: int) -> None:
    """A body that only touches it must not wake it again and again."""
    rng = np.random.default_rng(seed)
    world = on_floor()
    for x in (-12.975, 12.975):
        world.add(cm.Box((x, 60), (2, 125)), "static")
    for k in range(200):
        size, at = rng.uniform(0.5, 0.8), (1.25 * (k % 14 - 6.5) + rng.uniform(-0.1, 0.1), 1 + 1.25 * (k // 14))
        world.add(cm.Circle(at, size / 2) if k % 2 else cm.Box(at, (size, size), angle=rng.uniform(0, 1)))
    for _ in range(900):
        world.step()
        if world.asleep == 200:
            break
    assert world.asleep == 200
    assert world.overlap() <= 0.3 * SKIN * 0.4 + 1e-9


@pytest.mark.parametrize("turning", [False, True])
def test_a_gas_keeps_its_energy_and_never_overlaps(turning: bool) -> None:
    world = room(8.0, 1.0, friction=0.0, restitution=1.0)
    rng = np.random.default_rng(5)
    for k in range(100):
        at, (vx, vy) = (-6.75 + 1.5 * (k % 10), -6.75 + 1.5 * (k // 10)), rng.normal(size=2) * 3
        shape = cm.Box(at, (0.7, 0.7)) if turning else cm.Circle(at, 0.35)
        spin = rng.normal() if turning else 0.0
        world.add(shape, friction=0.0, restitution=1.0, vx=vx, vy=vy, spin=spin)
    start = world.energy()
    for step in range(300):
        world.step()
        if step % 30 == 0:
            assert world.overlap() <= 1e-5
    assert world.energy() == pytest.approx(start, rel=1e-12)


@pytest.mark.parametrize("turning", [False, True])
def test_bullets_of_any_speed_stay_in_a_room_with_thin_walls(turning: bool) -> None:
    world = room(10.0, 0.01, friction=0.0, restitution=1.0)
    rng = np.random.default_rng(3)
    for k in range(49):
        angle, speed = rng.uniform(0, 7), 10 ** rng.uniform(0, 5)
        at = (-9 + 3 * (k % 7), -9 + 3 * (k // 7))
        shape = cm.Box(at, (0.1, 0.05)) if turning else cm.Circle(at, 0.05)
        spin = rng.uniform(-50, 50) if turning else 0.0
        velocity = {"vx": speed * math.cos(angle), "vy": speed * math.sin(angle)}
        world.add(shape, friction=0.0, restitution=1.0, spin=spin, **velocity)
    start = world.energy()
    for _ in range(10):
        world.step()
    assert np.abs(world.moving["x"]).max() < 10 and np.abs(world.moving["y"]).max() < 10
    assert world.energy() == pytest.approx(start, rel=1e-12)


def test_a_cradle_hands_its_speed_to_the_last_ball() -> None:
    world = Second()
    for k in range(5):
        world.add(cm.Circle((float(k), 0.0), 0.5), friction=0.0, restitution=1.0, vx=0.0)
    world.add(cm.Circle((-3.0, 0.0), 0.5), friction=0.0, restitution=1.0, vx=3.0)
    for _ in range(120):
        world.step()
    assert world.moving["vx"] == pytest.approx([0, 0, 0, 0, 3, 0], abs=1e-12)


def test_a_bar_struck_off_its_centre_moves_and_turns_as_theory_says() -> None:
    world = Second()
    world.add(cm.Box((0, 0), (0.2, 2.0)), mass=3.0, friction=0.0, restitution=1.0)
    world.add(cm.Circle((-2.0, 0.7), 0.1), mass=0.5, friction=0.0, restitution=1.0, vx=4.0)
    inertia = 3.0 * (0.2**2 + 2.0**2) / 12
    impulse = 2 * 4.0 / (1 / 0.5 + 1 / 3.0 + 0.7**2 / inertia)
    for _ in range(40):
        world.step()
    bar, ball = world.moving
    assert bar["vx"] == pytest.approx(impulse / 3.0, rel=1e-9)
    assert bar["spin"] == pytest.approx(-impulse * 0.7 / inertia, rel=1e-9)
    assert ball["vx"] == pytest.approx(4.0 - impulse / 0.5, rel=1e-9)


def test_a_ball_that_bounces_keeps_its_height() -> None:
    world = on_floor()
    world.add(cm.Circle((0, 3.0), 0.5), friction=0.0, restitution=1.0)
    start = world.energy()
    for _ in range(6000):
        world.step()
    assert world.energy() == pytest.approx(start, rel=1e-9)


@pytest.mark.parametrize(("angle", "friction"), [(0.5, 0.2), (0.3, 0.0)])
def test_a_box_on_a_slope_slides_as_theory_says(angle: float, friction: float) -> None:
    world = Second((0.0, -10.0))
    world.add(cm.Box((0, 0), (90, 2), angle=-angle), "static", friction=friction)
    up = 1.5 * np.array([math.sin(angle), math.cos(angle)])
    world.add(cm.Box(tuple(up), (1, 1), angle=-angle), friction=friction)
    speeds = []
    for _ in range(60):
        world.step()
        speeds.append(float(np.hypot(world.moving["vx"][0], world.moving["vy"][0])))
    acceleration = (speeds[-1] - speeds[19]) * 60 / 40
    assert acceleration == pytest.approx(10 * (math.sin(angle) - friction * math.cos(angle)), rel=1e-6)


def test_a_torque_turns_a_free_body_as_theory_says() -> None:
    world = cm.World()
    body = world.add(cm.Box((0, 0), (2, 1)), kind="dynamic")
    body.torque = 3.0
    world.step(1 / 60, steps=120)
    assert body.spin == pytest.approx(2.0 * 3.0 / body.inertia, rel=1e-12)
    assert body.angle == pytest.approx(2.0 * 3.0 / body.inertia, rel=1e-12)


@pytest.mark.parametrize(("torque", "gained"), [(1.0, 1.0 / 3.0), (20.0, 6.0), (60.0, 6.0)])
def test_a_driven_wheel_rolls_and_slips_as_theory_says(torque: float, gained: float) -> None:
    # Rolling, torque r / (inertia + m r^2); what friction 0.6 does not carry makes it slip.
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (1000, 2)))
    wheel = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", mass=4.0)
    wheel.torque = -torque
    world.step(1 / 60, steps=60)
    before = wheel.velocity.x
    world.step(1 / 60, steps=60)
    assert wheel.velocity.x - before == pytest.approx(gained, rel=1e-9)


def test_a_bar_that_a_torque_jams_between_two_walls_is_at_rest() -> None:
    """It was hit 253 times in each step, since only what speeds up along its way was taken to be pressed."""
    world = cm.World()
    world.add(cm.Box((0, -1), (20, 2)))
    world.add(cm.Box((0, 1.6), (20, 2)))
    bar = world.add(cm.Box((0, 0.3), (1.5, 0.3)), kind="dynamic")
    bar.torque = 50.0
    world.step(1 / 60, steps=60)
    assert len(world.step(1 / 60, steps=60)) == 0
    assert bar.asleep
    assert len(world.overlaps().depth) == 0


def test_the_same_world_gives_the_same_bits() -> None:
    worlds = []
    for _ in range(2):
        world = on_floor()
        for k in range(12):
            world.add(cm.Box((0.3 * (k % 3), 0.6 + 1.05 * k), (1, 1), angle=0.05 * k))
        for _ in range(90):
            world.step()
        worlds.append(world.moving)
    assert all(np.array_equal(worlds[0][name], worlds[1][name]) for name in ("x", "y", "angle", "vx", "vy", "spin"))


def hits_of(world: Second) -> np.ndarray:
    return world.tables.hits[: int(world.tables.state["hits"][0])]


@pytest.mark.parametrize(
    "shape",
    [
        cm.Circle((0, 3), 0.5),
        cm.Box((0, 3), (1, 1)),
        cm.Segment((-1, 3), (1, 3.5)),
        cm.Point((0, 3)),
        cm.Capsule((-1, 3), (1, 3.4), 0.2),
        cm.Polygon([(0, 3), (1, 3), (0.2, 4)], radius=0.1),
        cm.decompose([(0, 3), (2, 3), (2, 4), (1, 3.3), (0, 4)]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_every_kind_of_shape_comes_to_rest_on_a_floor_without_width(shape: cm.Shape) -> None:
    world = Second((0.0, -10.0))
    world.add(cm.Segment((-30, 0), (30, 0)), "static", friction=0.9)
    world.add(shape, friction=0.9, mass=1.0)
    for _ in range(300):
        world.step()
        assert world.moving["y"][0] > -1e-3
    assert np.hypot(world.moving["vx"], world.moving["vy"])[0] <= 1e-6 or isinstance(shape, cm.Circle)


def test_hits_come_at_their_times_with_their_impulses() -> None:
    world = on_floor()
    world.add(cm.Circle((0, 2.5), 0.5), restitution=0.8, friction=0.0)
    told = []
    for step in range(120):
        world.step()
        told += [(step / 60 + float(hit["time"]), float(hit["speed"]), float(hit["impulse"])) for hit in hits_of(world)]
    fall, mass = math.sqrt(2 * 2.0 / 10), math.pi * 0.25
    assert len(told) == 2
    assert told[0] == pytest.approx((fall, 10 * fall, mass * 18 * fall), rel=1e-3)
    assert told[1] == pytest.approx((2.6 * fall, 8 * fall, mass * 14.4 * fall), rel=2e-3)


def test_boxes_that_touch_down_are_told_once_and_then_rest() -> None:
    world = on_floor()
    for k in range(3):
        world.add(cm.Box((0, 0.6 + 1.1 * k), (1, 1)))
    pairs = []
    for _ in range(90):
        world.step()
        hits = hits_of(world)
        assert list(hits["time"]) == sorted(hits["time"])
        pairs += [frozenset((int(hit["body"]), int(hit["other"]))) for hit in hits]
    assert set(pairs) == {frozenset((k, k + 1)) for k in range(3)}
    assert world.asleep == 3


def test_a_lift_carries_what_stands_on_it() -> None:
    world = Second((0.0, -10.0))
    world.add(cm.Box((0, 0), (6, 1)), "kinematic", vy=1.0)
    world.add(cm.Box((0, 1.0), (1, 1)))
    world.add(cm.Circle((2, 1.0), 0.5))
    for _ in range(120):
        world.step()
    assert world.tables.bodies["y"][:3] == pytest.approx([2.0, 3.0, 3.0], abs=2e-3)
    assert world.asleep == 0


@pytest.mark.parametrize("count", [20, 60])
def test_a_spinner_in_a_heap_of_balls_never_overlaps_them(count: int) -> None:
    world = Second((0.0, -10.0))
    world.add(cm.Box((0, -5), (60, 1)), "static")
    world.add(cm.Box((0, 0), (6, 0.3)), "kinematic", spin=3.0)
    for x in (-7, 7):
        world.add(cm.Box((x, 0), (0.5, 40)), "static")
    for k in range(count):
        world.add(cm.Circle((-5 + k % 6 * 2, 2 + k // 6 * 1.2), 0.4))
    for step in range(300):
        world.step()
        if step % 5 == 0:
            assert world.overlap() <= 0.3 * SKIN * 0.4 + 1e-9
    assert np.abs(world.moving["x"]).max() < 6.4 and world.moving["y"].min() > -4.2


def test_a_one_way_platform_lets_through_from_below_and_holds_from_above() -> None:
    world = Second((0.0, -10.0))
    world.add(cm.Box((0, 0), (6, 0.3)), "static", one_way_y=1.0)
    world.add(cm.Circle((0, -2.0), 0.4), vy=9.0)
    highest = -2.0
    for _ in range(180):
        world.step()
        highest = max(highest, float(world.moving["y"][0]))
    assert highest == pytest.approx(-2 + 81 / 20, abs=0.01)
    assert world.moving["y"][0] == pytest.approx(0.55, abs=1e-2)


def test_a_ball_wakes_the_stack_that_it_hits() -> None:
    world = on_floor()
    for k in range(5):
        world.add(cm.Box((0, 0.5 + k), (1, 1)))
    world.add(cm.Circle((-30, 3.5), 0.4), vx=14.0, vy=10.0)
    for _ in range(60):
        world.step()
    assert world.asleep == 5
    for _ in range(120):
        world.step()
    assert world.overlap() <= 0.3 * SKIN * 0.5
    assert world.moving["x"][3] > 0.5


@pytest.mark.parametrize(("scale", "far"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e7)])
def test_the_promise_holds_at_any_scale_and_far_from_the_origin(scale: float, far: float) -> None:
    rng = np.random.default_rng(1)
    world = Second((0.0, -10.0 * scale))
    world.add(cm.Box((far, -scale), (40 * scale, 2 * scale)), "static")
    for x in (-4, 4):
        world.add(cm.Box((far + x * scale, 10 * scale), (2 * scale, 40 * scale)), "static")
    for k in range(24):
        at, size = (far + scale * (-2 + 1.2 * (k % 4)), scale * (1 + 1.2 * (k // 4))), scale * rng.uniform(0.6, 1)
        points = [
            (at[0] + size * math.cos(t) / 2, at[1] + size * math.sin(t) / 2) for t in np.sort(rng.uniform(0, 6.28, 6))
        ]
        world.add(cm.Circle(at, size / 2) if k % 2 else cm.hull(points))
    start = world.energy()
    for step in range(300):
        world.step()
        if step % 10 == 0:
            assert world.overlap() <= 0.3 * SKIN * 0.5 * scale + 1e-8 * (far > 0)
    assert world.energy() <= start
