"""`contains` against the oracle: points, arrays of points and shapes, the boundary included to the last bit."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import carom as cm
from tests.support import oracle, scenes

ROWS = [120, pytest.param(15_000, marks=pytest.mark.full)]


def held(row: int) -> scenes.Scene:
    """Return shapes of which the second often lies within the first and touches its boundary exactly, from inside."""
    rng = Random(f"held/{row}")
    kind_a, kind_b = scenes.kinds(rng)
    p, q, c = rng.choice(scenes.TRIPLES)
    unit = c / 8
    radius_a = unit * rng.randint(1, 24) if kind_a in scenes.ROUND else 0.0
    radius_b = unit * rng.randint(1, 24) if kind_b in scenes.ROUND else 0.0
    outer = scenes.core_below(kind_a, rng, p, q)
    # Points halfway between two core points of A are in its core; (0, 0) is on its boundary towards (p, q).
    inner = [(0.0, 0.0), *(halfway(rng.choice(outer), rng.choice(outer)) for _ in range(6))]
    shift = (radius_a - radius_b) / c
    inner = [(x + p * shift, y + q * shift) for x, y in inner]
    place = scenes.Placement(rng, scenes.scale_of(rng))
    if kind_b in ("segment", "capsule"):
        inner = sorted(set(inner))[:: max(1, len(set(inner)) - 1)]
    elif kind_b not in ("point", "circle"):
        inner = oracle.convex_hull(inner)
    if len(inner) < {"point": 1, "circle": 1, "segment": 2, "capsule": 2}.get(kind_b, 3):
        kind_b, inner = ("circle" if kind_b in scenes.ROUND else "point"), inner[:1]
    if kind_b in scenes.ROUND and rng.random() < 0.3:
        radius_b = math.nextafter(radius_b, rng.choice((0.0, math.inf)))
    a = scenes.build(kind_a, place.points(outer), radius_a * place.scale, rng)
    return a, scenes.build(kind_b, place.points(inner), radius_b * place.scale, rng)


def halfway(p: tuple[float, float], q: tuple[float, float]) -> tuple[float, float]:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def wrong_answer(a: Any, b: Any) -> str | None:
    for outer, inner in ((a, b), (b, a)):
        expected, found = oracle.contains(outer, inner), cm.contains(outer, inner)
        if found is not expected:
            return f"contains({outer!r}, {inner!r}) is {found!r}, exactly {expected}"
        for x, y in oracle.exact(inner).points:
            p = (float(x), float(y))
            expected = oracle.sign(oracle.point(p), outer) <= 0
            if cm.contains(outer, p) is not expected:
                return f"contains({outer!r}, {p!r}) is {cm.contains(outer, p)!r}, exactly {expected}"
    return None


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", ["inside", "coincident", "repeated", "touching", "one_ulp", "corner_touch", "tiles"])
def test_contains_is_exact(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.pair(family, row), wrong_answer)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", [400, pytest.param(40_000, marks=pytest.mark.full)])
def test_held_shapes(rows: int) -> None:
    complaints = scenes.failures(rows, held, wrong_answer)
    assert not complaints, complaints


def test_held_shapes_are_hard() -> None:
    answers = [oracle.contains(*held(row)) for row in range(300)]
    assert 50 < answers.count(True) < 290


@given(scenes.pairs())
@scenes.cases(3)
def test_drawn_pairs(pair: scenes.Scene) -> None:
    complaint = wrong_answer(*pair)
    assert complaint is None, complaint


@pytest.mark.parametrize("row", range(40))
def test_many_points_at_once(row: int) -> None:
    rng = np.random.default_rng(row)
    shape = scenes.make(scenes.KINDS[row % len(scenes.KINDS)], Random(row))
    points = np.concatenate(
        [rng.uniform(-1.5, 1.5, (40, 2)), [[float(x), float(y)] for x, y in oracle.exact(shape).points]]
    )
    found = cm.contains(shape, points)
    assert isinstance(found, np.ndarray)
    assert found.dtype == bool
    assert found.tolist() == [oracle.sign(oracle.point(p), shape) <= 0 for p in points.tolist()]


def test_no_points_at_all() -> None:
    found = cm.contains(cm.Circle((0, 0), 1), np.empty((0, 2)))
    assert isinstance(found, np.ndarray)
    assert found.shape == (0,)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (cm.Polygon([(0, 0), (2, 0), (1, 2)]), (1, 1), True),
        (cm.Polygon([(0, 0), (2, 0), (1, 2)]), (0.5, 1), True),
        (cm.Polygon([(0, 0), (2, 0), (1, 2)]), (math.nextafter(0.5, 0), 1), False),
        (cm.Circle((0, 0), 5), (3, 4), True),
        (cm.Circle((0, 0), 5), (3, math.nextafter(4, 5)), False),
        (cm.Circle((0, 0), 5), cm.Circle((0, 0), 5), True),
        (cm.Box((0, 0), (2, 2)), cm.Circle((0, 0), 1), True),
        (cm.Box((0, 0), (2, 2)), cm.Circle((0, 0), math.nextafter(1, 2)), False),
        (cm.Segment((0, 0), (4, 4)), (1, 1), True),
        (cm.Segment((0, 0), (4, 4)), cm.Circle((1, 1), 0.1), False),
        (cm.Point((1, 1)), cm.Point((1, 1)), True),
        (cm.Point((1, 1)), (1, 1), True),
    ],
)
def test_named_cases(a: Any, b: Any, expected: bool) -> None:
    assert cm.contains(a, b) is expected
