"""What a world answers about its bodies: held to the verbs for pairs, asked of each body's shape in turn."""

from __future__ import annotations

import math
from collections.abc import Iterator
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
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_answer_is_that_of_the_verbs(far: float, gravity: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = made(rng, far, 14, gravity)
    for _ in stages(world, rng):
        check_all(world, rng, far)
