"""Repeated and straight points of outlines go as `tidy` has them go, and change nothing about the region."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.outlines.boundary import Ring
from carom.shapes.outlines.clean import tidy
from carom.shapes.outlines.needless import without_needless

GRID = st.integers(0, 4).map(float)
FINE = st.integers(-3, 3).map(lambda k: 0.1 * k + 7.0)


@given(st.lists(st.tuples(GRID, GRID) | st.tuples(FINE, FINE), min_size=3, max_size=12))
def test_the_points_that_stay_are_those_of_the_exact_way(points: list[tuple[float, float]]) -> None:
    try:
        kept, *_ = tidy("x", points, Ring("outline", list(range(len(points))), 0))
    except ValueError:
        kept = []
    found, first, *_ = without_needless(np.array(points), np.array([0, len(points)]))
    if not kept:
        assert len(found) == len(points)
    else:
        assert found.tolist() == [list(points[k]) for k in kept]
    assert first.tolist() == [0, len(found)]


def test_many_outlines_keep_their_order_without_their_needless_points() -> None:
    rings = [
        [(0, 0), (2, 0), (2, 2)],
        [(0, 0), (1, 0), (2, 0), (2, 2), (2, 2)],
        [(5, 5), (5, 5), (6, 5), (5, 6), (5, 5)],
    ]
    points = np.array([point for ring in rings for point in ring], dtype=np.float64)
    found, first, *_ = without_needless(points, np.array([0, 3, 8, 13]))
    assert first.tolist() == [0, 3, 6, 9]
    assert found.tolist() == [[0, 0], [2, 0], [2, 2], [0, 0], [2, 0], [2, 2], [5, 5], [6, 5], [5, 6]]


@pytest.mark.parametrize(("count", "digits"), [(2000, 3), (16000, 5), (16000, 6)])
def test_a_ring_of_rounded_points_is_divided_as_one_without_straight_points(count: int, digits: int) -> None:
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = 1 + 0.01 * np.sin(40 * t)
    ring = np.stack([reach * np.cos(t), reach * np.sin(t)], axis=1).round(digits)
    needed, *_ = without_needless(ring, np.array([0, len(ring)]))
    assert len(needed) < len(ring)
    whole, plain = cm.decompose(ring), cm.decompose(needed)
    assert whole == plain
    x, y = needed.T
    assert whole.area == pytest.approx(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2, rel=1e-12)
