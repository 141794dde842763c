"""One pair of bodies, answered by one kernel, gets the same bits as the same pair answered as a row."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import random
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.narrow.compound import alone
from carom.narrow.compound.packing import packed
from carom.narrow.many import answer_many, only_ray_hit, ray_rows

SCALES = [1.0, 1e-9, 1e9]


def star(points: int, rng: random.Random, scale: float, place: tuple[float, float]) -> Any:
    turn = rng.uniform(0, 7)
    angles = [turn + k * math.pi / points for k in range(2 * points)]
    sizes = [scale if k % 2 else scale * rng.uniform(0.2, 0.7) for k in range(2 * points)]
    return cm.decompose([(r * math.cos(t), r * math.sin(t)) for r, t in zip(sizes, angles, strict=True)]).translated(
        place
    )


def body(rng: random.Random, scale: float, offset: float) -> Any:
    place = (offset + scale * rng.uniform(-2, 2), scale * rng.uniform(-2, 2))
    kind = rng.randrange(6)
    if kind < 2:
        return star(rng.randrange(3, 24), rng, scale, place)
    if kind == 2:
        square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        hole = [(-0.7, -0.6), (0.5, -0.6), (0.5, 0.8), (-0.7, 0.8)]
        outline, inside = ([(scale * x, scale * y) for x, y in points] for points in (square, hole))
        return cm.decompose(outline, [inside]).translated(place)
    if kind == 3:
        return cm.Compound.from_parts(
            [cm.Circle((0, 0), scale), cm.Box((scale, 0), (2 * scale, 0.3 * scale), angle=rng.uniform(0, 3))]
        ).translated(place)
    if kind == 4:
        return cm.Circle(place, scale * rng.uniform(0.05, 1))
    return cm.Polygon([(0, 0), (scale, 0), (0, scale)]).translated(place)


def as_row(verb: str, a: Any, b: Any, *rest: Any) -> Any:
    return answer_many(verb, a, b, *rest, 1)


def same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(40))
def test_one_pair_is_answered_as_a_row(seed: int, scale: float) -> None:
    rng = random.Random(seed)
    offset = rng.choice([0.0, 0.0, 1e7 * scale])
    for _ in range(6):
        a, b = body(rng, scale, offset), body(rng, scale, offset)
        if isinstance(a, cm.Compound) or isinstance(b, cm.Compound):
            assert cm.intersects(a, b) == as_row("intersects", a, b, True)
            assert cm.intersects(a, b, touching=False) == as_row("intersects", a, b, False)
            assert same(cm.separation(a, b), as_row("separation", a, b))
            assert same(cm.distance(a, b), as_row("distance", a, b))
            assert same(cm.collide(a, b), as_row("collide", a, b))
            motion = (scale * rng.uniform(-5, 5), scale * rng.uniform(-5, 5))
            assert same(cm.cast(a, b, motion), as_row("cast", a, b, motion, 0.0, None))
        if isinstance(a, cm.Compound):
            point = (offset + scale * rng.uniform(-3, 3), scale * rng.uniform(-3, 3))
            assert cm.contains(a, point) == cm.contains(a, np.array([point]))[0]
            motion = (scale * rng.uniform(-5, 5), scale * rng.uniform(-5, 5))
            found = cm.raycast(point, motion, a)
            assert same(found, only_ray_hit(ray_rows(point, motion, a, 1), a))


def test_most_pairs_are_answered_alone_and_touch_is_not() -> None:
    rng = random.Random(3)
    pairs = [(star(7, rng, 1.0, (0, 0)), star(9, rng, 1.0, (rng.uniform(0, 3), 0.3))) for _ in range(50)]
    known = [alone.intersects(a, b) for a, b in pairs]
    assert None not in known and True in known and False in known
    frame = cm.decompose([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])
    assert alone.intersects(frame, frame.translated((3, 0))) is None
    assert cm.intersects(frame, frame.translated((3, 0)))
    assert not cm.intersects(frame, frame.translated((3, 0)), touching=False)
    assert alone.intersects(frame, (0, 0)) is None and alone.intersects(cm.Circle((0, 0), 1), (1, 2)) is None


@pytest.mark.parametrize("seed", range(30))
def test_a_moved_body_answers_as_one_that_was_made_there(seed: int) -> None:
    """Moved near and far, once and twice, asked in between or not: the arrays that kernels read are the same."""
    rng = random.Random(seed)
    made = body(rng, 1.0, 0.0)
    while not isinstance(made, cm.Compound):
        made = body(rng, 1.0, 0.0)
    if rng.random() < 0.8:
        packed(made)
    steps = [(rng.uniform(-3, 3), rng.uniform(-3, 3)), (1e9 * rng.random(), 0.0), (-(2.0**30), 0.125)]
    moved = made
    for step in rng.sample(steps, 2):
        moved = moved.translated(step)
        afresh = pickle.loads(pickle.dumps(moved))
        for one, other in zip(packed(moved)[1], packed(afresh)[1], strict=True):
            assert np.array_equal(one, other)


def test_copies_and_pickles_have_no_addresses_of_the_original() -> None:
    rng = random.Random(8)
    made, disc = star(9, rng, 1.0, (0, 0)), cm.Circle((0.5, 0.1), 0.2)
    answers = [cm.intersects(made, disc), cm.separation(made, disc)]
    for twin in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin == made
        assert twin is made or twin._table is None or twin._table is made._table
        assert [cm.intersects(twin, disc), cm.separation(twin, disc)] == answers
    index = cm.Index(cm.Shapes.circles(np.arange(40).reshape(20, 2), 0.5))
    found = index.raycast((-3.0, 1.0), (50.0, 0.0)), index.query(disc).tolist()
    for twin in (copy.deepcopy(index), pickle.loads(pickle.dumps(index))):
        assert twin._slots._table is None
        assert (twin.raycast((-3.0, 1.0), (50.0, 0.0)), twin.query(disc).tolist()) == found


def test_a_body_moved_often_keeps_none_of_those_before() -> None:
    rng = random.Random(8)
    moved, disc = star(9, rng, 1.0, (0, 0)), cm.Circle((0.5, 0.1), 0.2)
    gc.collect()
    before = sum(type(one) is cm.Compound for one in gc.get_objects())
    for _ in range(9):
        moved = moved.translated((0.25, 0.0))
        cm.intersects(moved, disc)
    gc.collect()
    assert sum(type(one) is cm.Compound for one in gc.get_objects()) == before
