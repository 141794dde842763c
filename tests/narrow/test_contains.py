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
from tests.support.judges import wrong_contains

ROWS = [120, pytest.param(15_000, marks=pytest.mark.full)]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", ["inside", "coincident", "repeated", "touching", "one_ulp", "corner_touch", "tiles"])
def test_contains_is_exact(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.pair(family, row), wrong_contains)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", [400, pytest.param(40_000, marks=pytest.mark.full)])
def test_contains_is_exact_for_held_shapes(rows: int) -> None:
    complaints = scenes.failures(rows, scenes.held, wrong_contains)
    assert not complaints, complaints


def test_held_shapes_are_hard() -> None:
    answers = [oracle.contains(*scenes.held(row)) for row in range(300)]
    assert 50 < answers.count(True) < 290


@given(scenes.pairs())
@scenes.cases(3)
def test_contains_is_exact_for_drawn_pairs(pair: scenes.Scene) -> None:
    complaint = wrong_contains(*pair)
    assert complaint is None, complaint


@pytest.mark.parametrize("row", range(40))
def test_many_points_are_answered_at_once(row: int) -> None:
    rng = np.random.default_rng(row)
    shape = scenes.make(scenes.KINDS[row % len(scenes.KINDS)], Random(row))
    points = np.concatenate(
        [rng.uniform(-1.5, 1.5, (40, 2)), [[float(x), float(y)] for x, y in oracle.exact(shape).points]]
    )
    found = cm.contains(shape, points)
    assert isinstance(found, np.ndarray)
    assert found.dtype == bool
    assert found.tolist() == [oracle.sign(oracle.point(p), shape) <= 0 for p in points.tolist()]


def test_no_points_give_no_answers() -> None:
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
def test_contains_is_right_in_named_cases(a: Any, b: Any, expected: bool) -> None:
    assert cm.contains(a, b) is expected
