"""Bodies put into each other: they get out without a jump, or are reported, as asked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.proxy import RADIUS, REACH
from tests.support.smooth_world import SmoothWorld
from tests.support.world_scenes import KINDS, deepest, make

SKIN = 0.0041  # of bodies one unit wide: they come to rest so near
SHARE = 1 / 16
OVERLAP = "overlap"


def steps_of(world: cm.World, body: cm.Body, count: int) -> list[cm.Vec]:
    """Step a world and return where a body is after each step."""
    places = [body.position]
    for _ in range(count):
        world.step(1 / 60)
        places.append(body.position)
    return places


@pytest.mark.parametrize("gravity", [(0, 0), (0, -10)])
@pytest.mark.parametrize("shape", ["circle", "box", "triangle"])
@pytest.mark.parametrize("depth", [0.003, 0.3])
def test_a_body_in_the_floor_gets_out_and_stays_there(gravity: Any, shape: str, depth: float) -> None:
    world = SmoothWorld(gravity=gravity)
    world.add(cm.Box.from_corners((-20, -10), (20, 0)))
    shapes = {
        "circle": cm.Circle((0, 0.5), 0.5),
        "box": cm.Box((0, 0.5), (1, 1)),
        "triangle": cm.Polygon([(-0.5, 0), (0.5, 0), (0, 1)]),
    }
    body = world.add(shapes[shape].translated((0, -depth)), kind="dynamic", restitution=1.0)
    start = body.position.y
    assert world.overlaps().depth == pytest.approx([depth])
    places = steps_of(world, body, 30)
    moves = np.diff([place.y for place in places])
    assert moves.max() <= SHARE * 1.0 + 1e-12
    assert moves.min() >= -1e-12
    assert places[-1].y == pytest.approx(start + depth, abs=SKIN)
    assert body.velocity == (0, 0), "it was not thrown"
    assert (body.position.x, len(world.overlaps().depth)) == (0, 0)


def test_two_masses_part_about_their_common_centre() -> None:
    world = SmoothWorld()
    a = world.add(cm.Circle((0, 0), 1), kind="dynamic", mass=3, velocity=(0, 2))
    b = world.add(cm.Circle((1.2, 0), 1), kind="dynamic", velocity=(0, 2))
    before = (3 * a.position + b.position) / 4
    world.step(1 / 60, steps=60)
    assert b.position.x - a.position.x == pytest.approx(2.0, abs=SKIN)
    assert tuple((3 * a.position + b.position) / 4) == pytest.approx((before.x, before.y + 2))
    assert (a.velocity, b.velocity) == ((0, 2), (0, 2))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_heap_of_overlapping_bodies_separates(seed: int) -> None:
    world = SmoothWorld(gravity=(0, -10))
    for low, high in (((-6, -1), (6, 0)), ((-7, -1), (-6, 20)), ((6, -1), (7, 20))):
        world.add(cm.Box.from_corners(low, high))
    rng = np.random.default_rng(seed)
    shapes = [make(KINDS[k % len(KINDS)], *rng.uniform((-4, 1), (4, 4)), 1.0, rng.uniform(0, 6)) for k in range(30)]
    bodies = world.add_many(shapes, kind="dynamic")
    before = world.positions[world.rows(bodies)].copy()
    for _ in range(240):
        world.step(1 / 60)
        after = world.positions[world.rows(bodies)].copy()
        fall = np.abs(world.velocities[world.rows(bodies)]).max() / 60
        assert np.abs(after - before).max() <= fall + 4 * SHARE * 1.4 + 1e-9
        before = after
    assert len(world.overlaps().depth) == 0
    assert deepest(world) >= -0.3 * SKIN
    assert before[:, 1].min() > 0


def test_bodies_on_top_of_a_pushed_out_body_go_along() -> None:
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (20, 1)))
    low = world.add(cm.Box((0, 0.3), (1, 1)), kind="dynamic")
    stack = [world.add(cm.Box((0, 1.3 + k), (1, 1)), kind="dynamic") for k in range(3)]
    world.step(1 / 60, steps=120)
    assert [body.position.y for body in (low, *stack)] == pytest.approx([0.5, 1.5, 2.5, 3.5], abs=4 * SKIN)
    assert all(body.velocity == (0, 0) for body in stack)


def test_a_body_in_a_corner_gets_out_of_both_walls() -> None:
    world = SmoothWorld(gravity=(-3, -10))
    world.add(cm.Box.from_corners((-2, -2), (0, 20)))
    world.add(cm.Box.from_corners((-2, -2), (20, 0)))
    body = world.add(cm.Box((0.3, 0.4), (1, 1)), kind="dynamic")
    world.step(1 / 60, steps=30)
    assert tuple(body.position) == pytest.approx((0.5, 0.5), abs=SKIN)
    assert body.velocity == (0, 0)


def test_a_push_out_stops_at_an_obstacle() -> None:
    world = SmoothWorld()
    world.add(cm.Box.from_corners((-2, -2), (20, 0)))
    lid = world.add(cm.Box.from_corners((-2, 0.8), (20, 2)))
    ball = world.add(cm.Circle((3, 0.3), 0.5), kind="dynamic")
    for _ in range(40):
        world.step(1 / 60)
        assert abs(ball.position.y - 0.3) <= 0.1 + 1e-9, "wedged, it stays"
    assert ball.velocity == (0, 0)
    world.remove(lid)
    world.step(1 / 60, steps=40)
    assert ball.position.y == pytest.approx(0.5, abs=SKIN)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-6, 1.0, 1e7]))
def test_any_two_bodies_separate_without_a_throw(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    world = SmoothWorld()
    kinds = [KINDS[int(k)] for k in rng.integers(len(KINDS), size=2)]
    a = world.add(make(kinds[0], 0, 0, unit, rng.uniform(0, 6)), kind=["static", "dynamic"][seed % 2])
    b = world.add(make(kinds[1], *(rng.uniform(-0.3, 0.3, 2) * unit), unit, rng.uniform(0, 6)), kind="dynamic")
    world.step(1 / 60, steps=80)
    assert len(world.overlaps().depth) == 0
    assert deepest(world) >= -0.3 * SKIN * unit
    assert (a.velocity, b.velocity) == ((0, 0), (0, 0))
    assert (b.position - a.position).length <= 2.5 * unit


@pytest.mark.parametrize("seed", [0, 10, 26, 53, *range(20, 28)])
def test_while_some_part_no_two_others_come_into_each_other(seed: int) -> None:
    """Bodies in pairs, dropped into each other on a floor: a pair that is apart, or allowed, stays so."""
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -3), (20, 2)))
    for k in range(4):
        center = np.array([-1.6 + 0.9 * k + rng.uniform(-0.2, 0.2), -0.8])
        for _ in range(2):
            at, size = center + rng.uniform(-0.2, 0.2, 2), rng.uniform(0.3, 0.9, 2)
            shape = cm.Box(at, size, rng.uniform(0, 3)) if rng.random() < 0.7 else cm.Circle(at, size[0] / 2)
            world.add(shape, kind="dynamic", mass=10 ** rng.uniform(-1, 2))
    bodies = world.bodies
    pairs = [(a, b) for k, a in enumerate(bodies) for b in bodies[:k]]
    widths = {body.row: world._store.tables.bodies["half_width"][body.row] for body in bodies}
    allowed = np.array([-0.3 * 0.008 * min(widths[a.row], widths[b.row]) * (1 + 1e-6) for a, b in pairs])
    gaps = np.array([cm.separation(a.shape, b.shape) for a, b in pairs])
    assert (gaps < allowed).any()
    for _ in range(60):
        world.step(1 / 60)
        now = np.array([cm.separation(a.shape, b.shape) for a, b in pairs])
        assert (now[gaps >= allowed] >= allowed[gaps >= allowed]).all()
        gaps = now
    assert (gaps >= allowed).all()


def test_overlaps_are_reported_if_the_world_asks_for_it() -> None:
    world = SmoothWorld(gravity=(0, -10), overlaps="report")
    floor = world.add(cm.Box((0, -1), (20, 2)))
    ball = world.add(cm.Circle((0, 0.3), 0.5), kind="dynamic")
    world.add(cm.Circle((5, 0.5), 0.5), kind="dynamic")
    found = world.overlaps()
    assert (found.body.tolist(), found.other.tolist()) == ([floor.row], [ball.row])
    assert found.depth == pytest.approx([0.2])
    assert found.normal.tolist() == [[0, 1]]
    told = [(hit.kind, hit.time, hit.body, hit.other, hit.normal) for hit in world.events(1 / 60)]
    assert told == [("overlap", 0.0, ball, floor, (0, 1))]
    assert world.step(1 / 60, steps=60).kind.tolist() == []
    assert ball.position == (0, 0.3), "it stays, no deeper"
    ball.position = (2, 0.4)
    assert world.copy().step(1 / 60).kind.tolist() == [OVERLAP]
    with pytest.raises(ValueError, match="overlaps"):
        SmoothWorld(overlaps="ignore")


def test_bodies_that_do_not_collide_have_no_overlap() -> None:
    world = SmoothWorld()
    world.add(cm.Box((0, 0), (4, 4)), one_way=(0, 1))
    world.add(cm.Box((0, 0), (4, 4)), sensor=True)
    world.add(cm.Box((0, 0), (4, 4)), layer="far", mask="far")
    world.add(cm.Box((0, 0), (4, 4)), response="pass")
    ball = world.add(cm.Circle((0, 1.9), 0.5), kind="dynamic")
    assert len(world.overlaps().depth) == 0
    world.step(1 / 60, steps=10)
    assert ball.position == (0, 1.9)
    ball.mask = None
    wall = world.add(cm.Box((0, 0), (4, 4)), layer="solid", mask="solid")
    wall.mask = None
    assert world.overlaps().depth == pytest.approx([0.6])
    world.step(1 / 60, steps=20)
    assert ball.position.y == pytest.approx(2.5, abs=SKIN)


def test_a_copy_in_a_push_out_continues_bit_for_bit() -> None:
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    with cm.Recording(world) as tape:
        for k in range(6):
            world.add(cm.Circle((0.3 * k, 0.2 * (k % 3)), 0.5), kind="dynamic")
        world.step(1 / 60, steps=3)
        other = world.copy()
        for _hit in world.events(1 / 60):
            pass
        world.step(1 / 60, steps=20)
    for _hit in other.events(1 / 60):
        pass
    other.step(1 / 60, steps=20)
    assert other.digest() == world.digest()
    assert tape.replay().diverged is None


def test_a_spinning_body_pushes_out_a_body_inside_it() -> None:
    world = SmoothWorld()
    wheel = world.add(cm.Box((0, 0), (6, 0.5)), kind="kinematic", spin=0.5)
    ball = world.add(cm.Circle((1, 0.3), 0.4), kind="dynamic")
    for _ in range(60):
        world.step(1 / 60)
    assert cm.separation(wheel.shape, ball.shape) >= -0.3 * SKIN
    assert ball.velocity.length <= 0.5 * math.hypot(3, 1) * 2


def test_a_body_as_deep_as_the_slop_gets_no_deeper() -> None:
    # Rounding says of this pair that it is not deeper than the slop, and of the way ahead that it starts deeper.
    low = cm.Box((-1.8971565274846947, 0.32264453062750953), (0.5, 0.25), angle=3.874325373449687, radius=0.0625)
    high = cm.Box((-1.7051025778199043, 0.8872589738554566), (0.7, 0.5), angle=5.819552479296796)
    slop = 1e-12 * 0.6840169943749479
    assert -slop <= cm.separation(high, low) < -0.9999 * slop
    velocity = (0.29571436250174926, -0.23118505088847355)
    assert cm.cast(high, low, velocity) is not None
    world = SmoothWorld()
    world.add(low)
    body = world.add(high, kind="dynamic", velocity=velocity)
    world.step(1 / 60, steps=60)
    assert cm.separation(body.shape, low) >= -2 * slop


PLAIN = [kind for kind in KINDS if kind != "compound"]


@pytest.mark.parametrize(
    "kinds", [("circle", "box"), ("turned", "rounded"), ("turned", "turned"), ("rounded", "rounded"), PLAIN]
)
def test_no_motion_goes_deeper_from_exactly_the_slop(kinds: list[str]) -> None:
    rng = np.random.default_rng(5)
    for _ in range(80):
        angle, size = rng.uniform(0, math.tau), rng.uniform(0.3, 3)
        way = np.array([math.cos(angle), math.sin(angle)])
        one = make(kinds[int(rng.integers(len(kinds)))], 0, 0, 1.0, rng.uniform(0, 6))
        two = make(kinds[int(rng.integers(len(kinds)))], 0, 0, size, rng.uniform(0, 6))
        slop = 1e-12 * min(2 * (shape._record[REACH] + shape._record[RADIUS]) for shape in (one, two))
        apart, deep = 4.0, 0.0
        for _ in range(60):
            middle = (apart + deep) / 2
            if cm.separation(one, two.translated(middle * way)) > -slop:
                apart = middle
            else:
                deep = middle
        start = two.translated(apart * way)
        normal = np.array(cm.closest(one, start).normal)
        velocity = rng.uniform(-0.8, 0.8) * np.array([-normal[1], normal[0]]) - normal
        world = SmoothWorld()
        world.add(one)
        body = world.add(start, kind="dynamic", velocity=velocity)
        world.step(1 / 60)
        assert cm.separation(one, body.shape) >= -2 * slop


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("kind", ["static", "kinematic"])
def test_a_sleeping_body_parts_from_what_is_put_into_it(kind: str, moved: bool) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    box = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    world.step(1 / 60, steps=60)
    assert box.asleep
    wall = world.add(cm.Box((8 if moved else 0.8, 0.5), (1, 0.9)), kind=kind)
    if moved:
        world.step(1 / 60)
        assert box.asleep
        wall.position = (0.8, 0.5)
    world.step(1 / 60, steps=60)
    assert len(world.overlaps().depth) == 0
    assert box.position.x == pytest.approx(-0.2, abs=0.02)


def test_a_rule_leaves_bodies_alone_that_it_does_not_concern() -> None:
    world = cm.World(gravity=(0, -10), overlaps="report")
    world.add(cm.Box((0, -1), (20, 2)))
    for k in range(4):
        world.add(cm.Box((0, 0.5 + k), (1, 1)), kind="dynamic")
    world.step(1 / 60, steps=60)
    world.rule("ghosts", "walls", "pass")
    assert world.asleep[1:].all()
    assert len(world.step(1 / 60).kind) == 0
