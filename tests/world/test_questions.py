"""What a world answers about its bodies: held to the verbs for pairs, asked of each body's shape in turn."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm

L_SHAPE = [(-1.0, -1.0), (1.0, -1.0), (1.0, -0.2), (-0.2, -0.2), (-0.2, 1.0), (-1.0, 1.0)]


def made(rng: np.random.Generator, far: float, count: int, gravity: float) -> cm.World:
    """Return a world of bodies of all kinds, some of them sensors, on layers, at rest, removed."""
    world = cm.World(gravity=(0, gravity))
    world.add(cm.Box((far, -12), (40, 2)), layer="floor")
    for _ in range(count):
        at = (far + rng.uniform(-12, 12), rng.uniform(-9, 12))
        size = float(rng.choice([0.05, 0.4, 1.0, 2.5]))
        x, y = at
        shape: Any = [
            cm.Circle(at, size),
            cm.Box(at, (size, 2 * size), angle=rng.uniform(-3, 3)),
            cm.Capsule(at, (x + size, y + size / 2), size / 3),
            cm.Polygon([at, (x + size, y), (x, y + size)]),
            cm.Point(at),
            cm.Segment(at, (x + size, y - size)),
            cm.decompose(np.array(L_SHAPE) * size + at),
        ][int(rng.integers(7))]
        kind = ["static", "kinematic", "dynamic"][int(rng.integers(3))]
        moves = {} if kind == "static" else {"velocity": tuple(rng.uniform(-4, 4, 2)), "spin": rng.uniform(-3, 3)}
        sensor = kind != "dynamic" and bool(rng.random() < 0.2)
        world.add(shape, kind=kind, sensor=sensor, layer=str(rng.choice(["default", "floor", "other"])), **moves)
    live = world.bodies
    world.remove(live[1 :: max(2, count // 3)])
    return world


def seen(world: cm.World, ignore: Any = (), mask: Any = None, sensors: bool = False) -> dict[int, Any]:
    """Return the shapes of the bodies that a question sees, by row."""
    masks = (mask,) if isinstance(mask, str) else mask
    return {
        body.row: body.shape
        for body in world.bodies
        if body.row not in ignore and (sensors or not body.sensor) and (masks is None or body.layer in masks)
    }


def close(a: float, b: float, far: float) -> bool:
    return a == b or abs(a - b) <= 1e-9 * (1.0 + abs(a)) + 1e-13 * abs(far)


def check_rays(world: cm.World, rng: np.random.Generator, far: float, **filters: Any) -> None:
    shapes = seen(world, **{**filters, "ignore": np.atleast_1d(filters.get("ignore", ())).tolist()})
    origins = np.column_stack((far + rng.uniform(-15, 15, 12), rng.uniform(-13, 14, 12)))
    ways = rng.uniform(-1, 1, (12, 2)) * rng.choice([1.0, 10.0, 60.0], (12, 1))
    many = world.raycast(origins, ways, **filters)
    for k, (origin, way) in enumerate(zip(map(tuple, origins.tolist()), map(tuple, ways.tolist()), strict=True)):
        one = world.raycast(origin, way, **filters)
        assert (many.row[k] >= 0) == many.hit[k] == (one is not None)
        hits = {row: hit for row, shape in shapes.items() if (hit := cm.raycast(origin, way, shape)) is not None}
        least = min((hit.fraction for hit in hits.values()), default=math.inf)
        assert close(many.fraction[k], least, far), (origin, way, many.row[k], hits)
        if one is not None:
            told = many.row[k], many.fraction[k], many.distance[k], tuple(many.point[k]), tuple(many.normal[k])
            assert (one.row, one.fraction, one.distance, one.point, one.normal) == told
            assert one.body is world.body(one.row)
            assert close(hits[one.row].fraction, least, far)
            assert one.overlapping == hits[one.row].overlapping
            if one.fraction < 0.99 * least or len([h for h in hits.values() if h.fraction < 1.01 * least]) == 1:
                assert np.allclose(one.normal, hits[one.row].normal, atol=1e-6)


def check_casts(world: cm.World, rng: np.random.Generator, far: float, **filters: Any) -> None:
    shapes = seen(world, **filters)
    for turn in (0.0, 1.3):
        for mover in movers(rng, far):
            way = tuple((rng.uniform(-1, 1, 2) * 12).tolist())
            one = world.cast(mover, way, turn, **filters)
            hits = {r: h for r, s in shapes.items() if (h := cm.cast(mover, s, way, rotation=turn)) is not None}
            least = min((hit.fraction for hit in hits.values()), default=math.inf)
            assert abs((math.inf if one is None else one.fraction) - least) <= 1e-7 if hits else one is None
            if one is not None:
                assert abs(hits[one.row].fraction - least) <= 1e-7
                assert one.body.row == one.row
            if not isinstance(mover, cm.Compound):
                many = world.cast([mover, mover], way, turn, **filters)
                assert many.row.tolist() == [one.row if one else -1] * 2


def movers(rng: np.random.Generator, far: float) -> list[Any]:
    at = (far + rng.uniform(-12, 12), rng.uniform(-10, 12))
    box = cm.Box(at, (1.0, 0.3), angle=rng.uniform(-3, 3))
    return [cm.Circle(at, 0.4), box, cm.Point(at), cm.decompose(np.array(L_SHAPE) * 0.7 + at)]


def check_regions(world: cm.World, rng: np.random.Generator, far: float, **filters: Any) -> None:
    shapes = seen(world, **filters)
    for asked in movers(rng, far):
        for within in (0.0, 1.5):
            apart = {row: cm.distance(asked, shape) for row, shape in shapes.items()}
            sure = {row for row, gap in apart.items() if gap < within - 1e-9 or (gap == within == 0.0)}
            may_be = {row for row, gap in apart.items() if gap <= within + 1e-9}
            for touching in (True, False):
                found = world.query(asked, touching=touching, within=within, **filters)
                rows = found.rows.tolist()
                assert rows == sorted(set(rows)) == [body.row for body in found]
                if within or touching:
                    assert sure <= set(rows) <= may_be
                else:
                    deep = {row for row in may_be if cm.separation(asked, shapes[row]) < -1e-9}
                    assert deep <= set(rows) <= may_be
            if not isinstance(asked, cm.Compound):
                lists = world.query([asked, asked], within=within, **filters)
                assert lists.rows.tolist() == 2 * world.query(asked, within=within, **filters).rows.tolist()
        gaps = sorted(apart.values())
        for k in (1, 3):
            near = world.nearest(asked, k, **filters)
            there = min(k, len(gaps))
            assert np.allclose(near.distances[:there], gaps[:there], atol=1e-9 + 1e-13 * abs(far))
            assert (near.rows[there:] == -1).all()
            assert np.isinf(near.distances[there:]).all()
            assert len(set(near.rows[:there].tolist())) == there
            assert [body.row for body in near.bodies] == near.rows[:there].tolist()
    points = np.column_stack((far + rng.uniform(-12, 12, 30), rng.uniform(-13, 12, 30)))
    lists = world.contains(points, **filters)
    for k, point in enumerate(map(tuple, points.tolist())):
        rows = world.contains(point, **filters).rows.tolist()
        assert rows == lists.rows[lists.offsets[k] : lists.offsets[k + 1]].tolist()
        assert rows == [row for row, shape in shapes.items() if cm.contains(shape, point)]
    for shaped in (points.reshape(5, 6, 2),):
        assert world.nearest(shaped, 2, **filters).rows.shape == (5, 6, 2)
        assert world.raycast(shaped, (3.0, 1.0), **filters).fraction.shape == (5, 6)
        assert world.contains(shaped, **filters).rows.tolist() == lists.rows.tolist()


def check_all(world: cm.World, rng: np.random.Generator, far: float) -> None:
    """Compare all answers with brute force; asking leaves the world as it is."""
    before = world.digest()
    some = [body.row for body in world.bodies][:2]
    for filters in ({}, {"mask": "floor"}, {"sensors": True}):
        check_rays(world, rng, far, **filters)
        check_casts(world, rng, far, **filters)
        check_regions(world, rng, far, **filters)
    check_rays(world, rng, far, ignore=some[0])
    assert world.digest() == before


def stages(world: cm.World, rng: np.random.Generator) -> Iterator[str]:
    """Change a world in all ways there are, one after the other."""
    yield "added"
    world.step(1 / 60, steps=3)
    yield "stepped"
    movers = [body for body in world.bodies if body.kind == "dynamic"]
    for body in movers[:2]:
        body.position = body.position + cm.Vec(rng.uniform(-5, 5), rng.uniform(0, 5))
        body.angle = rng.uniform(-3, 3)
    yield "put elsewhere"
    snapshot = world.snapshot()
    for count, _ in enumerate(world.events(0.5)):
        if count < 2:
            yield "at a pause"
        if count == 1:
            world.add(cm.Circle(world.bodies[-1].position, 0.3), kind="dynamic")
            world.remove(world.bodies[2])
            if movers and not movers[0].removed:
                movers[0].velocity = (3.0, -1.0)
            yield "changed at a pause"
        if count == 6:
            break
    yield "left"
    world.restore(snapshot)
    yield "restored"
    world.step(1 / 30, steps=20)
    yield "later"


@pytest.mark.parametrize("far", [0.0, -3e5])
@pytest.mark.parametrize("gravity", [0.0, -10.0])
@settings(max_examples=2)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_answer_is_that_of_the_verbs(far: float, gravity: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = made(rng, far, 12, gravity)
    for _ in stages(world, rng):
        check_all(world, rng, far)


def test_answers_of_a_world_at_rest_are_those_of_an_index_to_the_bit() -> None:
    rng = np.random.default_rng(5)
    circles = cm.Shapes.circles(rng.uniform(0, 60, (300, 2)), rng.uniform(0.05, 2.0, 300))
    boxes = cm.Shapes.boxes(rng.uniform(0, 60, (300, 2)), rng.uniform(0.3, 2, (300, 2)), rng.uniform(-3, 3, 300))
    shapes = cm.Shapes.concatenate([circles, boxes])
    world, index = cm.World(), cm.Index(shapes)
    world.add_many(shapes)
    origins, ways = rng.uniform(-5, 65, (500, 2)), rng.uniform(-90, 90, (500, 2))
    for ours, theirs in zip(world.raycast(origins, ways), index.raycast(origins, ways), strict=True):
        assert np.array_equal(ours, theirs)
    movers = cm.Shapes.boxes(origins, np.full((500, 2), 0.7), ways[:, 0])
    for ours, theirs in zip(world.cast(movers, ways), index.cast(movers, ways), strict=True):
        assert np.array_equal(ours, theirs)
    for within in (0.0, 1.0):
        ours, theirs = world.query(movers, within=within), index.query(movers, within=within)
        assert np.array_equal(ours.offsets, theirs.offsets)
        assert np.array_equal(ours.rows, theirs.rows)
    for ours, theirs in zip(world.nearest(origins, 4), index.nearest(origins, 4), strict=True):
        assert np.array_equal(ours, theirs)
    assert np.array_equal(world.contains(origins).rows, index.contains(origins).rows)


def test_many_rays_in_one_call_are_answered_as_few_are() -> None:
    rng = np.random.default_rng(8)
    world = made(rng, 0.0, 60, 0.0)
    origins, ways = rng.uniform(-15, 15, (300, 2)), rng.uniform(-20, 20, (300, 2))
    origins[0], ways[1], ways[2] = (-1e15, 0.0), (0.0, 0.0), (1e-140, 0.0)
    filters: list[dict[str, Any]] = [{}, {"sensors": True}, {"mask": "floor"}, {"ignore": world.bodies[3]}]
    for options in filters:
        many = world.raycast(origins, ways, **options)
        few = [world.raycast(origins[k : k + 3], ways[k : k + 3], **options) for k in range(0, 300, 3)]
        for column, parts in zip(many, zip(*few, strict=True), strict=True):
            np.testing.assert_array_equal(column, np.concatenate(parts))


def test_many_regions_and_points_in_one_call_are_answered_as_few_are() -> None:
    rng = np.random.default_rng(9)
    world = made(rng, 0.0, 60, 0.0)
    points = rng.uniform(-15, 15, (300, 2))
    points[0], points[1] = (-1e15, 0.0), (1e-140, 0.0)
    sizes = rng.choice([0.1, 1.0, 6.0, 200.0], (300, 2))
    boxes = cm.Shapes.boxes(points, sizes, rng.uniform(-3, 3, 300))
    filters: list[dict[str, Any]] = [{}, {"sensors": True}, {"mask": "floor"}, {"ignore": world.bodies[3]}]
    for options in filters:
        for touching in (True, False):
            many = np.split(*_lists(world.query(boxes, touching=touching, **options)))
            for k in range(300):
                np.testing.assert_array_equal(many[k], world.query(boxes[k], touching=touching, **options).rows)
        many = np.split(*_lists(world.contains(points, **options)))
        near = world.nearest(points, 3, **options)
        for k in range(300):
            np.testing.assert_array_equal(many[k], world.contains(tuple(points[k].tolist()), **options).rows)
            one = world.nearest(tuple(points[k].tolist()), 3, **options)
            np.testing.assert_array_equal(near.rows[k], one.rows)
            np.testing.assert_array_equal(near.distances[k], one.distances)


def _lists(found: Any) -> tuple[Any, Any]:
    return found.rows, found.offsets[1:-1]


def test_the_grid_finds_parts_that_have_moved_far_and_others_that_came_after_them() -> None:
    rng = np.random.default_rng(10)
    world = cm.World()
    bodies = world.add_many(cm.Shapes.circles(rng.uniform(0, 30, (80, 2)), rng.uniform(0.1, 1.5, 80)), kind="dynamic")
    world.velocities = rng.uniform(-40, 40, (80, 2))
    for turn in range(6):
        world.step(0.2)
        world.remove(bodies.pop())
        bodies.append(world.add(cm.Circle(tuple(rng.uniform(0, 30, 2).tolist()), 0.01 * 4**turn)))
        index, rows = cm.Index([body.shape for body in world.bodies]), [body.row for body in world.bodies]
        for at, way in zip(rng.uniform(-9, 39, (60, 2)).tolist(), rng.uniform(-50, 50, (60, 2)).tolist(), strict=True):
            ours, theirs = world.raycast(tuple(at), tuple(way)), index.raycast(tuple(at), tuple(way))
            assert (ours is None) == (theirs is None)
            assert ours is None or (ours.row == rows[theirs.row] and close(ours.fraction, theirs.fraction, 0.0))
        again, ways = pickle.loads(pickle.dumps(world)), rng.uniform(-50, 50, (3, 2))
        for ours, theirs in zip(again.raycast((15, 15), ways), world.raycast((15, 15), ways), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_asking_at_a_pause_changes_nothing_that_comes() -> None:
    def played(asks: bool) -> int:
        rng = np.random.default_rng(3)
        world = made(rng, 0.0, 20, -10.0)
        for _ in range(3):
            for _ in world.events(1 / 20):
                if asks:
                    world.raycast((0, 10), (0, -30))
                    world.query(cm.Box((0, 0), (20, 20)))
                    world.nearest((0, 0), 5)
        return world.digest()

    assert played(True) == played(False)


def test_copies_answer_as_each_world_does() -> None:
    rng = np.random.default_rng(8)
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 2)))
    world.add_many(cm.Shapes.circles(rng.uniform((-9, 2), (9, 8), (12, 2)), 0.2), kind="dynamic")
    world.add(cm.decompose(np.add(L_SHAPE, (0, 12))), kind="dynamic", spin=1.0)
    world.remove(world.bodies[3])
    world.step(0.5, steps=4)
    copies = world.copies(3)
    speeds = copies.velocities.copy()
    speeds[:, [5, 6]] = rng.uniform(-5, 5, (3, 2, 2))
    copies.velocities = speeds
    copies.step(0.2)
    origins, ways = rng.uniform(-10, 10, (3, 40, 2)), rng.uniform(-20, 20, (1, 40, 2))
    box = cm.Box((0, 1), (3, 3))
    movers = cm.Shapes.boxes(rng.uniform(-9, 9, (4, 2)), np.full((4, 2), 0.5))
    rays, casts = copies.raycast(origins, ways, threads=2), copies.cast(movers, (3.0, -9.0))
    lists, near, inside = copies.query(box), copies.nearest(origins, 2), copies.contains(origins)
    ends = inside.offsets.reshape(-1)
    for k in range(3):
        one = copies.world(k)
        for ours, theirs in zip(rays, one.raycast(origins[k], ways[0]), strict=True):
            assert np.array_equal(ours[k], theirs)
        for ours, theirs in zip(casts, one.cast(movers, (3.0, -9.0)), strict=True):
            assert np.array_equal(ours[k], theirs)
        assert lists.rows[lists.offsets[k] : lists.offsets[k + 1]].tolist() == one.query(box).rows.tolist()
        for ours, theirs in zip(near, one.nearest(origins[k], 2), strict=True):
            assert np.array_equal(ours[k], theirs)
        assert inside.rows[ends[40 * k] : ends[40 * k + 40]].tolist() == one.contains(origins[k]).rows.tolist()


def test_a_compound_is_one_body_and_a_seam_is_no_edge() -> None:
    world = cm.World()
    cross = cm.Compound.from_parts([cm.Box((0, 0), (6, 2)), cm.Box((0, 0), (2, 6))])
    body = world.add(cross, data="cross")
    assert [found.data for found in world.query(cm.Box((0, 0), (4, 4)))] == ["cross"]
    assert world.nearest((0, 5), k=2).rows.tolist() == [body.row, -1]
    for origin, way in [((0, 0.1), (9, 0)), ((2, 3), (0, -5)), ((-0.4, 8), (0.2, -9))]:
        hit, told = world.raycast(origin, way), cm.raycast(origin, way, cross)
        assert told is not None
        assert (hit.fraction, hit.normal, hit.overlapping) == (told.fraction, told.normal, told.overlapping)
        assert hit.body is body


def test_a_shape_moves_among_the_bodies_of_a_world() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 2)))
    crate = world.add(cm.Box((5, 1), (1, 2)), kind="dynamic")
    world.add(cm.Circle((2, 1), 0.5), sensor=True)
    world.add(cm.Segment((2.5, 3), (3.5, 3)), one_way=(0, 1))
    world.step(0.1)
    hero = cm.Circle((0, 0.5), 0.5)
    went = cm.move(hero, (10, 0), world)
    assert went.hits[0].body is crate
    assert went.hits[0].row == crate.row
    shapes = [body.shape for body in world.bodies[:2]]
    assert went.position == cm.move(hero, (10, 0), shapes).position
    assert cm.move(hero, (10, 0), world, ignore=crate).position.x == 10
    assert cm.move([hero] * 70, (10, 0), world).hits.row.tolist() == [crate.row] * 70
    assert cm.move(cm.Circle((3, 1), 0.2), (0, 5), world).position.y == 6
    assert cm.move(cm.Circle((3, 6), 0.2), (0, -5), world).position.y == pytest.approx(3.2)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda w: w.raycast((0, 0), (1, math.nan)), "must be finite"),
        (lambda w: w.raycast((0, 0), (1, 0), ignore=99), "ignore = 99 must be a row number"),
        (lambda w: w.raycast((0, 0), (1, 0), ignor=1), "did you mean ignore"),
        (lambda w: w.raycast((0, 0), (1, 0), ignore=cm.World().add(cm.Point((0, 0)))), "is of another world"),
        (lambda w: w.raycast((0, 0), (1, 0), sensors=2), "sensors = 2 must be True or False"),
        (lambda w: w.query((0, 0)), "use Point(position)"),
        (lambda w: w.query(cm.Point((0, 0)), within=-1), "must not be negative"),
        (lambda w: w.nearest((0, 0), k=0), "must be at least 1"),
        (lambda w: w.copies(2).raycast(np.zeros((3, 2)), (1, 0)), "the copy as its first axis"),
        (lambda w: cm.Index(w), "a World is asked itself: world.raycast"),
        (lambda w: cm.pairs(w), "a World is asked itself: world.raycast"),
        (lambda w: cm.contacts(w), "a World is asked itself: world.raycast"),
    ],
)
def test_a_wrong_question_is_told(ask: Callable[[cm.World], Any], words: str) -> None:
    world = cm.World()
    world.add(cm.Circle((5, 0), 1))
    before = world.digest()
    with pytest.raises((TypeError, ValueError)) as told:
        ask(world)
    assert words in str(told.value)
    assert world.digest() == before


def test_a_far_ray_and_a_world_that_a_body_has_left_are_no_trouble() -> None:
    world = cm.World()
    world.add_many(cm.Shapes.circles([(x, 0) for x in range(0, 100, 2)], 0.5))
    gone = world.add(cm.Circle((0, 5), 1e-3), kind="dynamic", velocity=(3e7, 1e7))
    world.step(1.0, steps=3)
    assert world.raycast((-1e9, 0), (2e9, 0)).row == 0
    assert world.raycast((0.3, 1e12), (0, -2e12)).row == 0
    assert world.raycast((1, -5), (0, 1e15)) is None
    found = world.raycast(gone.position - cm.Vec(1e3, 0), (2e3, 0))
    assert found is not None
    assert found.body is gone
    assert world.nearest(gone.position + cm.Vec(5, 0)).rows.tolist() == [gone.row]
