"""Heaps: bodies poured into a box come to exact rest, within a bounded number of impacts."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm
from carom._core.types import Floats
from tests.support.plain_python import printed_by_other_mode
from tests.support.smooth_world import SmoothWorld

CRUSHED, STALLED, CUT = "crushed", "stalled", "cut"
GRAVITY = 10.0

SKIN = 0.008 * 0.5  # of bodies one unit wide
DEEP = 0.3 * SKIN  # no two bodies overlap by more: 0.3 skins of the largest


def heap(count: int, seed: int, restitution: float, mixed: bool = False, response: str = "bounce") -> cm.World:
    """Return a box into which bodies fall: balls of several sizes, or boxes and polygons among them."""
    rng = np.random.default_rng(seed)
    world, width = SmoothWorld(gravity=(0, -GRAVITY)), 6.0
    world.add(cm.Box((0, -0.5), (width + 2, 1)))
    for side in (-1, 1):
        world.add(cm.Box((side * (width / 2 + 0.5), 20), (1, 60)))
    columns = int(width // 1.3)
    for k in range(count):
        x = 0.8 - width / 2 + 1.25 * (k % columns) + rng.uniform(-0.12, 0.12)
        y = 0.8 + 1.25 * (k // columns) + rng.uniform(-0.1, 0.1)
        r = rng.uniform(0.3, 0.5)
        shape: cm.Circle | cm.Box | cm.Polygon = cm.Circle((x, y), r)
        if mixed and k % 3 == 1:
            shape = cm.Box((x, y), (1.4 * r, 1.2 * r))
        if mixed and k % 3 == 2:
            shape = cm.hull(np.array((x, y)) + 0.4 * r * rng.normal(size=(9, 2)))
        world.add(shape, kind="dynamic", restitution=restitution, response=response)
    return world


def energy_of(world: cm.World) -> float:
    """Return the kinetic and potential energy of the dynamic bodies."""
    moving = [body for body in world.bodies if body.kind == "dynamic"]
    return sum(energy_of_one(body) for body in moving)


def energy_of_one(body: cm.Body) -> float:
    """Return the kinetic and potential energy of a body."""
    x, y = body.velocity
    return body.mass * (0.5 * (x * x + y * y) + GRAVITY * body.position.y)


def awake(world: cm.World) -> int:
    """Return how many dynamic bodies moved in a step."""
    before = world.positions.copy()
    world.step(1 / 60)
    return int((world.positions != before).any(axis=1).sum())


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize(("count", "restitution"), [(20, 0.0), (20, 0.3), (40, 0.3), (40, 0.8)])
def test_bodies_poured_into_a_box_gain_no_energy_and_never_stall(count: int, restitution: float, mixed: bool) -> None:
    world = heap(count, 5, restitution, mixed)
    energy = energy_of(world)
    for _ in range(400):
        hits = world.step(1 / 60)
        assert not np.isin(hits.kind, (STALLED, CUT)).any()
        assert len(hits.kind) < 1500
        after = energy_of(world)
        assert after <= energy * (1 + 1e-12), "never over its start"
    shapes = cm.Shapes([body.shape for body in world.bodies])
    near = cm.pairs(shapes)
    near = near[(near >= 3).any(axis=1)]
    assert cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]).min(initial=0.0) >= -DEEP


@pytest.mark.parametrize("seed", [1, 2])
def test_no_step_of_a_fast_falling_heap_takes_many_instants(seed: int) -> None:
    world = heap(80, seed, 0.5)
    for _ in range(130):
        assert not np.isin(world.step(1 / 60).kind, (STALLED, CUT)).any()
        assert world._tables.state["played"][0] < 150


@pytest.mark.parametrize("seed", range(4))
def test_balls_poured_into_a_box_come_to_rest(seed: int) -> None:
    world = heap(20, seed, 0.3)
    world.step(1 / 60, steps=900)
    assert np.abs(world.velocities).max() < 0.5, "nothing rubs, and a ball may slide to and fro in a hollow"


def test_a_pyramid_between_walls_rests_in_place() -> None:
    world = SmoothWorld(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -0.5), (20, 1)))
    for side in (-1, 1):
        world.add(cm.Box((side * 3.5, 5), (1, 10)))
    balls = []
    for row in range(6):
        for k in range(6 - row):
            center = (k - (5 - row) / 2, 0.5 + row * np.sqrt(3) / 2)
            balls.append(world.add(cm.Circle(center, 0.5), kind="dynamic"))
    before = world.positions.copy()
    hits = world.step(1 / 60, steps=120)
    assert len(hits.kind) == 0
    assert np.abs(world.positions - before).max() <= 6 * DEEP
    assert awake(world) == 0
    tip = balls[-1]
    assert {body for body, _ in tip.resting_on} == {balls[-2], balls[-3]}


def rested(seed: int = 0) -> tuple[cm.World, list[cm.Body]]:
    """Return a heap of 20 balls at rest, and the balls from the lowest up."""
    world = heap(20, seed, 0.0)
    world.step(1 / 60, steps=900)
    assert awake(world) == 0
    moving = [body for body in world.bodies if body.kind == "dynamic"]
    return world, sorted(moving, key=lambda body: body.position.y)


def test_a_resting_heap_falls_where_a_ball_below_is_removed() -> None:
    world, balls = rested()
    energy = energy_of(world) - energy_of_one(balls[0])
    world.remove(balls[0])
    assert awake(world) > 0
    world.step(1 / 60, steps=900)
    assert energy_of(world) < energy - 0.1
    assert awake(world) <= 1  # a ball may roll on the floor for ever
    assert len(world.overlaps().depth) == 0


@pytest.mark.parametrize("way", ["moved", "driven", "passed"])
def test_a_resting_heap_follows_its_floor(way: str) -> None:
    world, balls = rested()
    if way == "driven":
        world = heap(20, 0, 0.0)
        world.remove(world.bodies[0])
        floor = world.add(cm.Box((0, -0.5), (5.9, 1)), kind="kinematic")
        world.step(1 / 60, steps=900)
        balls = [body for body in world.bodies if body.kind == "dynamic"]
        assert awake(world) == 0
        floor.velocity = (0, -1)
    elif way == "moved":
        world.bodies[0].position = (0, -2)
    else:
        world.bodies[0].layer = "floor"
        world.step(1 / 60, steps=60)
        assert awake(world) == 0
        world.rule("floor", "default", "pass")
    lowest = min(ball.position.y for ball in balls)
    world.step(1 / 60, steps=60)
    assert min(ball.position.y for ball in balls) < lowest - 0.9


def test_a_ball_dropped_on_a_resting_heap_comes_to_rest() -> None:
    world, balls = rested()
    ball = world.add(cm.Circle((0.3, 8), 0.4), kind="dynamic", restitution=0.2)
    for _ in range(900):
        assert not np.isin(world.step(1 / 60).kind, (STALLED, CUT)).any()
    assert awake(world) == 0
    assert ball.position.y > max(each.position.y for each in balls) - 1.5
    assert len(ball.resting_on) == 2


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("seed", range(12))
def test_a_ball_that_lands_on_a_sliding_box_stalls_nothing(seed: int, offset: float, restitution: float) -> None:
    rng = np.random.default_rng(seed)
    world = SmoothWorld(gravity=(0, -float(rng.choice([10.0, 50.0, 1000.0]))))
    tiles = int(rng.integers(1, 40))
    for k in range(tiles):
        world.add(cm.Box((offset + 40 * ((k + 0.5) / tiles - 0.5), offset - 0.5), (40 / tiles, 1)))
    width, height = rng.uniform(0.3, 4), rng.uniform(0.2, 2)
    box = cm.Box((offset + rng.uniform(-5, 5), offset + height / 2), (width, height))
    speed = (rng.uniform(-6, 6), 0)
    world.add(box, kind="dynamic", velocity=speed, restitution=restitution, mass=float(10 ** rng.uniform(-2, 2)))
    center = (box.position.x + rng.uniform(-0.6, 0.6) * width, offset + height + rng.uniform(0.5, 4))
    ball = cm.Circle(center, rng.uniform(0.1, 0.5))
    fall = (rng.uniform(-4, 4), rng.uniform(-9, 0))
    world.add(ball, kind="dynamic", velocity=fall, restitution=1.0, mass=float(10 ** rng.uniform(-2, 2)))
    for _ in range(120):
        assert not np.isin(world.step(1 / 60).kind, (STALLED, CUT)).any()


def test_a_heap_has_the_same_bits_after_a_snapshot_and_in_plain_python() -> None:
    world = heap(12, 1, 0.2)
    world.step(1 / 60, steps=50)
    kept = world.snapshot()
    world.step(1 / 60, steps=20)
    expected = world.digest()
    world.step(1 / 60, steps=10)
    world.restore(kept)
    world.step(1 / 60, steps=20)
    assert world.digest() == expected
    assert len(world.contacts()) > 5
    code = "from tests.world.test_heaps import heap; w = heap(12, 1, 0.2); w.step(1 / 60, steps=70); print(w.digest())"
    assert int(printed_by_other_mode(code)) == expected


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
@pytest.mark.parametrize("seed", range(3))
def test_a_press_pushes_a_heap_and_waits_rather_than_crush(seed: int, response: str) -> None:
    world = heap(14, seed, 0.2, response=response)
    press = world.add(cm.Box((-2.9, 3), (0.1, 5.9)), kind="kinematic")
    world.step(1 / 60, steps=240)
    press.velocity = (0.8, 0)
    crushed = False
    for _ in range(420):
        kinds = world.step(1 / 60).kind
        crushed = crushed or bool((kinds == CRUSHED).any())
        assert not np.isin(kinds, (STALLED, CUT)).any()
        shapes = cm.Shapes([body.shape for body in world.bodies])
        near = cm.pairs(shapes)
        near = near[(near >= 3).any(axis=1)]
        apart = cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]).min(initial=0.0)
        assert apart >= -DEEP
    assert crushed
    assert press.position.x > -1.5


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
@pytest.mark.parametrize("seed", range(4))
def test_a_spinning_bar_stirs_a_heap_and_stalls_nothing(seed: int, response: str) -> None:
    world = heap(24, seed, 0.2, mixed=True, response=response)
    for body in world.bodies[3:]:
        body.position = body.position + cm.Vec(0, 2)
    bar = world.add(cm.Box((0, 0.4), (1.7, 0.3)), kind="kinematic", spin=(2.5, -1, 0.3, -0.1)[seed])
    for k in range(300):
        kinds = world.step(1 / 60).kind
        assert not np.isin(kinds, (STALLED, CUT)).any()
        if k % 10 == 0:
            shapes = cm.Shapes([body.shape for body in world.bodies])
            near = cm.pairs(shapes)
            near = near[((near >= 3) & (near != bar.row)).any(axis=1)]
            assert len(near) == 0 or cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]).min() >= -DEEP


@pytest.mark.parametrize("seed", [3, 71])
def test_a_sticky_body_between_a_bar_and_a_heap_is_hit_few_times(seed: int) -> None:
    world = heap(16, seed, 0.2, mixed=True, response="stop")
    for body in world.bodies[3:]:
        body.position = body.position + cm.Vec(0, 2)
    world.add(cm.Box((0, 0.4), (1.7, 0.3)), kind="kinematic", spin=2.5 - 0.2 * (seed % 25))
    for _ in range(260):
        kinds = world.step(1 / 60).kind
        assert not (kinds == CUT).any()


@pytest.mark.parametrize("seed", range(6))
def test_a_heap_on_a_one_way_platform_stalls_nothing(seed: int) -> None:
    world = heap(20, seed, 0.0, mixed=True)
    for body in world.bodies[3:]:
        body.position = body.position + cm.Vec(0, 3)
    world.add(cm.Box((0, 3), (2, 0.2)), one_way=(0, 1))
    for _ in range(300):
        assert not np.isin(world.step(1 / 60).kind, (STALLED, CUT)).any()


def test_a_pressed_heap_is_the_same_hit_by_hit() -> None:
    worlds = []
    told: list[list[tuple[str, float]]] = [[], []]
    for way in range(2):
        world = heap(14, 1, 0.2)
        press = world.add(cm.Box((-2.9, 3), (0.1, 5.9)), kind="kinematic")
        world.step(1 / 60, steps=240)
        press.velocity = (0.8, 0)
        for _ in range(420):
            if way == 0:
                hits = world.step(1 / 60)
                told[0] += zip(hits.kind.tolist(), hits.time.tolist(), strict=True)
            else:
                told[1] += [(hit.kind, hit.time) for hit in world.events(1 / 60)]
        worlds.append(world)
    assert told[0] == told[1]
    assert "crushed" in {kind for kind, _ in told[0]}
    assert worlds[0].digest() == worlds[1].digest()


@pytest.mark.parametrize("speed", [1.0, 30.0])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2))])
def test_a_fast_press_with_no_room_left_waits_and_nothing_goes_through_a_wall(seed: int, speed: float) -> None:
    world = heap(20, seed, 0.3, mixed=True)
    world.step(1 / 60, steps=120)
    press = world.add(cm.Box((0, 20), (5.9, 1)), kind="kinematic", velocity=(0, -speed))
    waited = 0
    for _ in range(int(20 / speed * 60) + 60):
        hits = world.step(1 / 60)
        waited += int((hits.kind == CRUSHED).any())
        shapes = cm.Shapes([body.shape for body in world.bodies])
        near = cm.pairs(shapes)
        near = near[((near >= 3) & (near != press.row)).any(axis=1)]
        assert cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]).min(initial=0.0) >= -DEEP
    assert waited > 0
    places = world.positions[3:-1]
    assert np.abs(places[:, 0]).max() < 3 and places[:, 1].min() > 0 and places[:, 1].max() < press.position.y


def pressed(seed: int) -> tuple[cm.World, Floats]:
    """Return bodies that a bar presses against a wall without gravity, and half the widths of all but hulls."""
    rng = np.random.default_rng(seed)
    world, halves = cm.World(), np.full(100, np.inf)
    corners = [(-6, -6), (6, -6), (6, 6), (-6, 6)]
    for k in range(4):
        world.add(cm.Segment(corners[k], corners[(k + 1) % 4]), restitution=rng.choice([0, 1]))
    velocity, spin = (0, rng.uniform(1, 6)), rng.choice([0, 0, 0.05])
    world.add(cm.Box((0, 0), (11.6, 0.4)), kind="kinematic", velocity=velocity, spin=spin)
    for x in np.arange(-5, 5.1, 1.2):
        for y in np.arange(1.0, 5.1, 0.9):
            form, half = rng.integers(4), np.inf
            shape: cm.Circle | cm.Box | cm.Capsule | cm.Polygon = cm.Capsule((x - 0.2, y), (x + 0.2, y), 0.1)
            if form == 0:
                half = rng.uniform(0.1, 0.35)
                shape = cm.Circle((x, y), half)
            elif form == 1:
                size = rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.6)
                shape, half = cm.Box((x, y), size), min(size) / 2
            elif form == 2:
                half = 0.1
            else:
                shape = cm.hull(np.array((x, y)) + 0.2 * rng.normal(size=(6, 2)).clip(-1.7, 1.7))
            velocity, spin = rng.uniform(-5, 5, 2), rng.uniform(-8, 8)
            mass, restitution, friction = 10 ** rng.uniform(-2, 2), rng.choice([0, 0.3, 1]), rng.choice([0, 0.6])
            body = world.add(
                shape,
                kind="dynamic",
                velocity=velocity,
                spin=spin,
                mass=mass,
                restitution=restitution,
                friction=friction,
            )
            halves[body.row] = half
    return world, halves


@pytest.mark.parametrize("seed", [pytest.param(4, marks=pytest.mark.full), 36])
def test_a_bar_that_presses_bodies_against_a_wall_without_gravity_leaves_none_deep(seed: int) -> None:
    """They spin fast where they are light, and a pair that has met turns into each other before it is seen again."""
    world, halves = pressed(seed)
    deepest = 0.0
    for _ in range(90):
        world.step(1 / 60)
        found = world.overlaps()
        shares = found.depth / np.minimum(halves[found.body], halves[found.other])
        deepest = max(deepest, shares.max(initial=0.0))
    assert deepest <= 0.0024


@pytest.mark.parametrize("seed", [4, 36])
def test_bodies_on_their_way_out_of_each_other_leave_no_others_deep(seed: int) -> None:
    """While two were parting anywhere, nobody went back who had no way out; these two never have one."""
    world, halves = pressed(seed)
    pressed_bodies = len(world)
    for x, y, wide, high in ((100, -1, 4, 1), (100, 1, 4, 1), (98.5, 0, 1, 1), (101.5, 0, 1, 1)):
        world.add(cm.Box((x, y), (wide, high)))
    for x in (99.5, 100.5):
        world.add(cm.Box((x, 0), (1.5, 0.9)), kind="dynamic")
    deepest = 0.0
    for _ in range(90):
        world.step(1 / 60)
        found = world.overlaps()
        pressing = found.other < pressed_bodies
        shares = found.depth / np.minimum(halves[found.body], halves[found.other])
        deepest = max(deepest, shares[pressing].max(initial=0.0))
        assert not pressing.all()
    assert deepest <= 0.0024


def test_what_rubs_in_a_flat_wedge_gains_no_energy_from_a_wall() -> None:
    """A box between a bar that stands and a wall went faster with each impact, to 7e8 m/s."""
    world, _ = pressed(6)
    for _ in range(176):
        world.step(1 / 60)
        assert np.abs(world.velocities).max() < 1000


def test_a_body_pushed_against_what_sleeps_is_solved_with_all_that_wakes() -> None:
    """The lower box sleeps with the higher one, and wakes while the piles of the step are solved."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    low = world.add(cm.Box((0, 0.504), (1, 1)), kind="dynamic")
    high = world.add(cm.Box((1.003, 1.008), (1, 2)), kind="dynamic")
    world.step(1 / 60, steps=120)
    assert low.asleep and high.asleep
    top = low.position.y + 0.5
    upon = world.add(cm.Box((0.2, top + 0.256), (0.5, 0.5)), kind="dynamic")
    world.add(cm.Circle((-0.3, top + 0.3), 0.2), kind="dynamic", velocity=(12, 0), mass=5)
    world.step(1 / 60)
    assert not low.asleep and not high.asleep
    assert upon.velocity.x > 5.0 and high.velocity.x > 1.0


@pytest.mark.parametrize("masses", [(1, 100), (1, 1, 1, 1, 100), (0.01, 1, 1000)], ids=str)
@pytest.mark.parametrize("restitution", [0.0, 0.3])
@pytest.mark.parametrize("floor", ["box", "line", "kinematic"])
def test_a_column_that_falls_stops_as_a_whole(floor: str, restitution: float, masses: tuple[float, ...]) -> None:
    """The floor stopped the lowest body alone; those above stood on it with the speed that they had before."""
    world = cm.World(gravity=(0, -10))
    ground: cm.Box | cm.Segment = cm.Segment((-10, 0), (10, 0)) if floor == "line" else cm.Box((0, -1), (20, 2))
    world.add(ground, kind="kinematic" if floor == "kinematic" else "static", restitution=restitution)
    boxes = [
        world.add(
            cm.Box((0, 0.8 + 1.004 * k), (1, 1)),
            kind="dynamic",
            mass=mass,
            velocity=(0, -5),
            restitution=restitution,
        )
        for k, mass in enumerate(masses)
    ]
    hits = world.step(1 / 60, steps=8)
    assert hits.time.size >= 1
    for body in boxes:
        # The lowest has given back its share when the next one meets it.
        assert -0.5 < body.velocity.y < 0.5 + restitution * (1 + restitution) * 5.7
    world.step(1 / 60, steps=120)
    assert [body.position.y for body in boxes] == pytest.approx([0.5 + k for k in range(len(boxes))], abs=0.02)
    assert world.asleep[1:].all()


@pytest.mark.parametrize("masses", [(1, 1, 1), (1, 1, 100)], ids=str)
@pytest.mark.parametrize("way", [(0, 1), (0, -1), (0, 4), (1, 0)], ids=str)
def test_a_column_that_falls_on_a_lift_under_way_takes_its_velocity(
    way: tuple[float, float], masses: tuple[float, ...]
) -> None:
    """Bodies above the lowest kept the velocity of their fall for seconds, while they stood on it."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)), kind="kinematic", velocity=way, restitution=0.3)
    for side in (-0.61, 0.61):
        world.add(cm.Box((side, 5), (0.2, 40)), friction=0)
    boxes = [
        world.add(cm.Box((0, 0.8 + 1.004 * k), (1, 1)), kind="dynamic", mass=mass, velocity=(0, -5), restitution=0.3)
        for k, mass in enumerate(masses)
    ]
    world.step(1 / 60, steps=90)
    for body in boxes:
        assert body.velocity.y == pytest.approx(way[1], abs=0.2)


@pytest.mark.parametrize("angle", [2, 9])
def test_a_wedge_that_hits_a_body_on_the_floor_presses_it_out_without_a_throw(angle: float) -> None:
    """A wedge that is no solution for a pile is left to the event queue, which presses blow by blow."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (1e3, 1)))
    ball = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", friction=0, restitution=0.3)
    along = np.array((np.cos(np.radians(angle)), np.sin(np.radians(angle))))
    into = np.array((along[1], -along[0]))
    world.step(1 / 60, steps=3)
    corner = np.array((0, 0.5)) - 0.5 * into
    corners = [corner - 20 * along, corner + 20 * along, corner + 20 * along - 5 * into, corner - 20 * along - 5 * into]
    world.add(cm.Polygon(corners), kind="kinematic", velocity=(0, -5), friction=0)
    theory, fastest = 5 / np.tan(np.radians(angle)), 0.0
    world.step(1 / 60, steps=4)
    assert ball.velocity.x > 0.05 * theory
    for _ in range(26):
        world.step(1 / 60)
        fastest = max(fastest, ball.velocity.x)
    assert 0.2 * theory < fastest < 1.1 * theory
