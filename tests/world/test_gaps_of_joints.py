"""Ropes and limits hold at the end of each step; gaps of joints close without velocity."""

from __future__ import annotations

import copy
import math
import pickle

import pytest

import carom as cm

STEP = 1 / 60
SCALES = [1 / 64, 1.0, 64.0]


def falling(size: float = 1.0, **settings: bool) -> cm.World:
    return cm.World(gravity=(0, -10 * size), **settings)


def bar(world: cm.World, x: float, y: float, width: float, height: float, size: float = 1.0) -> cm.Body:
    return world.add(cm.Box((x * size, y * size), (width * size, height * size)), kind="dynamic")


def ball(world: cm.World, x: float, y: float, radius: float = 0.3, size: float = 1.0) -> cm.Body:
    return world.add(cm.Circle((x * size, y * size), radius * size), kind="dynamic")


@pytest.mark.parametrize("size", SCALES)
@pytest.mark.parametrize("links", [1, 3, 8])
def test_a_chain_of_ropes_never_stretches(links: int, size: float) -> None:
    world, last, ropes = falling(size), None, []
    for k in range(links):
        link = bar(world, 0.33 + 0.63 * k, 0, 0.6, 0.07, size)
        ropes.append(world.rope(link, last, ((0.03 + 0.63 * k) * size, 0), (0.63 * k * size, 0)))
        last = link
    for _ in range(240):
        world.step(STEP)
        assert max(rope.error for rope in ropes) < 1e-6 * 0.03 * size


@pytest.mark.parametrize("limits", [(-0.3, 0.3), (-0.01, 2.0), (-1e-3, 1e-3)])
def test_arms_never_pass_their_limits(limits: tuple[float, float]) -> None:
    world, last, pins = falling(), None, []
    for k in range(4):
        arm = bar(world, 0.5 + k, 0, 1, 0.1)
        pins.append(world.pin(arm, last, (k, 0), limits=None if last is None else limits))
        last = arm
    assert last is not None
    last.spin = 30
    for _ in range(240):
        world.step(STEP)
        for pin in pins[1:]:
            assert limits[0] - 1e-6 < pin.angle < limits[1] + 1e-6


def test_what_a_mouse_drags_on_a_rope_stays_on_it() -> None:
    world = falling()
    load = bar(world, 1, 0, 1, 0.4)
    rope = world.rope(load, None, (1, 0), (0, 0))
    mouse = world.drag(load, (1.3, 0.1), max_force=10_000, hertz=20)
    for k in range(180):
        mouse.target = (2 * math.cos(0.1 * k), 2 * math.sin(0.13 * k))
        world.step(STEP)
        assert rope.error < 1e-6


@pytest.mark.parametrize("limits", [None, (-1.0, 1.0)])
@pytest.mark.parametrize("size", SCALES)
def test_a_door_that_is_set_elsewhere_goes_back_to_its_hinge(size: float, limits: tuple[float, float] | None) -> None:
    world = falling(size)
    door = bar(world, 1, 0, 2, 0.2, size)
    pin = world.pin(door, None, (0, 0), limits=limits)
    door.angle = 0.5
    assert pin.error > 0.4 * size
    for _ in range(60):
        before = door.position
        world.step(STEP)
        assert math.dist(before, door.position) < 0.3 * size
    assert pin.error < 1e-8 * size


@pytest.mark.parametrize("limits", [None, (-1.0, 1.0)])
def test_a_gap_that_closes_adds_no_velocity(limits: tuple[float, float] | None) -> None:
    world = cm.World()
    door = bar(world, 1, 0, 2, 0.2)
    pin = world.pin(door, None, (0, 0), limits=limits)
    door.position = (2, 0.5)
    for _ in range(60):
        world.step(STEP)
        assert math.hypot(*door.velocity) + abs(door.spin) < 1e-6
    assert pin.error < 1e-8


@pytest.mark.parametrize("sleep", [False, True])
@pytest.mark.parametrize("size", SCALES)
def test_a_rope_is_wound_in(size: float, sleep: bool) -> None:
    world = falling(size, sleep=sleep)
    load = ball(world, 0, -5, 0.2, size)
    rope = world.rope(load, None, load.position, (0, 0))
    world.step(STEP, 10)
    rope.length = 2 * size
    for _ in range(120):
        before = load.position
        world.step(STEP)
        assert math.dist(before, load.position) < 0.06 * size
    assert rope.distance == pytest.approx(2 * size, rel=1e-6)


def test_limits_that_are_set_in_play_are_reached() -> None:
    world = falling()
    arm = bar(world, 1, 0, 2, 0.2)
    pin = world.pin(arm, None, (0, 0), limits=(-2, 2))
    cart = bar(world, 5, 0, 1, 0.5)
    slide = world.slide(cart, None, (5, 0), axis=(1, 0), limits=(-3, 3))
    world.step(STEP, 30)
    pin.limits, slide.limits = (-0.1, 0.1), (1, 2)
    world.step(STEP, 120)
    assert -0.1 - 1e-6 < pin.angle < 0.1 + 1e-6 and 1 - 1e-6 < slide.offset < 2 + 1e-6


@pytest.mark.parametrize("limits", [None, (-1.0, 1.0)])
def test_what_hangs_follows_its_hook(limits: tuple[float, float] | None) -> None:
    world = falling()
    world.add(cm.Box((0, -3.3), (20, 2)))
    hook = world.add(cm.Circle((0, 0), 0.2), kind="kinematic")
    load = ball(world, 0, -2)
    pin = world.pin(load, hook, (0, 0), limits=limits)
    world.step(STEP, 3)
    hook.position = (0.3, 1)
    world.step(STEP, 120)
    assert pin.error < 1e-8 and not load.waited


def test_what_cannot_close_waits_and_stays_awake() -> None:
    world = falling()
    world.add(cm.Box((0, 1), (20, 0.2)))
    hook = world.add(cm.Circle((0, 3), 0.2), kind="kinematic")
    load = ball(world, 0, 0)
    pin = world.pin(load, hook, (0, 2.5))
    hook.position = (0, 6)
    world.step(STEP, 300)
    assert pin.error > 1 and load.position.y < 0.61 and not load.asleep and load.waited > 0


def test_a_damped_body_and_its_rod_go_on_with_one_velocity() -> None:
    world = cm.World()
    a = world.add(cm.Circle((-1, 0), 0.5), kind="dynamic", velocity=(3, 0), damping=2)
    b = world.add(cm.Circle((1, 0), 0.5), kind="dynamic", velocity=(3, 0))
    rod = world.rod(a, b, a.position, b.position, breaks_at=(3, None))
    for k in range(30):
        world.step(STEP)
        assert abs(a.velocity.x - b.velocity.x) < 1e-12
        assert a.velocity.x == pytest.approx(3 * (0.5 * (1 + math.exp(-2 * STEP))) ** (k + 1), rel=1e-9)
    assert not rod.removed


def test_anchors_stay_where_they_are_when_a_shape_is_set() -> None:
    world = falling()
    hanging = bar(world, 0, -1, 0.4, 2)
    pin = world.pin(hanging, None, (0, 0))
    world.step(STEP, 10)
    hanging.shape = cm.Polygon([(-0.2, -3), (0.8, -3), (0.2, 0)])
    before = hanging.position
    world.step(STEP)
    assert pin.error < 1e-8 and math.dist(before, hanging.position) < 0.05


def test_copies_and_pickles_of_a_world_go_on_closing_what_gapes_to_the_same_bits() -> None:
    world = falling()
    door, load = bar(world, 1, 0, 2, 0.2), ball(world, 8, -5, 0.2)
    pin, rope = world.pin(door, None, (0, 0), limits=(-1, 1)), world.rope(load, None, (8, -5), (8, 0))
    door.angle, rope.length = 0.5, 2
    world.step(STEP)
    assert pin.error > 0.01 and rope.error > 1
    twins = [pickle.loads(pickle.dumps(world)), copy.deepcopy(world), cm.World()]
    twins[2].restore(world.snapshot())
    copies = world.copies(2)
    for _ in range(60):
        copies.step(STEP)
    for one in (world, *twins):
        one.step(STEP, 60)
    assert {one.digest() for one in (*twins, copies.world(0), copies.world(1))} == {world.digest()}


def test_what_holds_goes_on_to_hold_while_a_limit_closes() -> None:
    """A bar swings round to its limit, at some sizes a second: the one that is welded to it went 0.05 from it."""
    world = cm.World()
    arm, end = bar(world, 0.5, 0, 1, 0.2), bar(world, 1.5, 0, 1, 0.2)
    hinge, weld = world.pin(arm, None, (0, 0), limits=(-1, 2)), world.weld(end, arm, (1, 0))
    hinge.limits = 1.2, 2
    for step in range(60):
        world.step(STEP)
        assert weld.error < 1e-9
        assert world.bodies[0].angle < 1.2 + 1e-9
        assert step > 0 or world.bodies[0].angle < 0.6
    assert abs(hinge.angle - 1.2) < 1e-9
