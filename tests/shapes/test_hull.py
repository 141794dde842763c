"""`hull`: held against the oracle's hull in rational arithmetic, and its errors for points without area."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.hull import hull_rows, outer_rows
from tests.support import oracle

grid = st.tuples(st.integers(-4, 4), st.integers(-4, 4)).map(lambda p: (float(p[0]), float(p[1])))
ulps = grid.map(lambda p: (1e7 + p[0] * 2.0**-29, -3e7 + p[1] * 2.0**-28))
tiny = grid.map(lambda p: (p[0] * 1e-140, p[1] * 1e-140))
wide = st.tuples(*[st.floats(-1e150, 1e150).map(lambda x: x if abs(x) > 1e-130 else 0.0)] * 2)
clouds = st.one_of([st.lists(points, min_size=1, max_size=40) for points in (grid, ulps, tiny, wide)])


def exact(points: Any) -> list[Any]:
    return [(Fraction(x), Fraction(y)) for x, y in points]


@given(clouds)
def test_the_hull_is_exactly_right(points: Any) -> None:
    expected = oracle.convex_hull(exact(points))
    if len(expected) < 3:
        with pytest.raises(ValueError, match="have no area"):
            cm.hull(points)
        return
    found = cm.hull(points)
    assert exact(found.vertices) == expected
    assert [points.index(v) for v in found.vertices] == list(found.vertex_ids)


@given(st.lists(grid, min_size=3, max_size=30), st.randoms(use_true_random=False))
def test_order_repetition_and_points_inside_change_nothing(points: Any, random: Any) -> None:
    if len(oracle.convex_hull(exact(points))) < 3:
        return
    vertices = cm.hull(points).vertices
    more = [*points, *points, *[((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(points, vertices, strict=False)]]
    random.shuffle(more)
    assert cm.hull(more).vertices == vertices
    assert cm.hull(vertices).vertices == vertices
    assert cm.hull(np.array(more)) == cm.hull(more)


def test_refusals_of_points_without_area_name_their_hull() -> None:
    with pytest.raises(ValueError, match=r"at least three points not on one line, not 0"):
        cm.hull([])
    with pytest.raises(ValueError, match=r"all one point; their hull is Point\(\(1.0, 2.0\)\)"):
        cm.hull([(1, 2), (1, 2)])
    with pytest.raises(ValueError, match=r"on one line; their hull is Segment\(\(-1.0, -1.0\), \(3.0, 3.0\)\)"):
        cm.hull([(0, 0), (3, 3), (-1, -1), (2, 2)])
    with pytest.raises(ValueError, match=r"^hull: the hull of points is too small"):
        cm.hull([(0, 0), (1e-160, 0), (0, 1)])


@pytest.mark.parametrize(
    ("points", "error", "text"),
    [
        (None, TypeError, "hull: points = None"),
        ([(0, 0), (1, 0), (0, float("nan"))], ValueError, r"hull: points\[2\]\[1\] = nan must be finite"),
        (np.zeros((4, 3)), ValueError, r"hull: points has shape \(4, 3\)"),
        ([(0, 0), (1, 0, 0)], ValueError, r"hull: points\[1\]"),
    ],
)
def test_bad_points_are_named(points: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        cm.hull(points)


def test_hulls_of_many_points_are_right() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 20_000, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    found = cm.hull(np.concatenate([ring / 2, ring]))
    inside = np.array(found.vertices)
    assert len(inside) > 19_000 and min(found.vertex_ids) >= 20_000
    assert found.area == pytest.approx(np.pi, rel=1e-6)


def many_points(rng: np.random.Generator, kind: str, count: int) -> np.ndarray:
    """Return many points (count, 2)."""
    if kind == "square":
        return rng.random((count, 2))
    if kind == "far away":
        return 1e7 + rng.random((count, 2))
    if kind == "grid":  # thousands of copies, and edges full of points
        return rng.integers(-6, 7, (count, 2)).astype(float)
    if kind == "circle":
        angles = rng.random(count) * 7
        return np.stack((np.cos(angles), np.sin(angles)), axis=1)
    if kind == "needle":
        return rng.random((count, 2)) * (1.0, 1e-12) + (0.0, 1.0)
    if kind == "tiny":
        return rng.normal(size=(count, 2)) * 1e-9
    return np.concatenate((rng.normal(size=(count - 3, 2)) * 1e-3, [(1e9, 0), (0, 1e9), (-1e9, -1e9)]))


@pytest.mark.parametrize("kind", ["square", "far away", "grid", "circle", "needle", "tiny", "three far ones"])
@pytest.mark.parametrize("seed", range(3))
def test_of_many_points_the_hull_is_that_of_the_chain_alone(kind: str, seed: int) -> None:
    points = many_points(np.random.default_rng(seed), kind, 3000)
    expected = hull_rows([(x, y) for x, y in points.tolist()])
    assert cm.hull(points).vertex_ids == tuple(expected)
    assert cm.hull(points.tolist()).vertex_ids == tuple(expected)
    assert len(outer_rows(points)) < 3000 or kind == "circle"


def test_many_points_on_one_line_have_no_area() -> None:
    points = np.stack((np.arange(1000.0), 3.0 * np.arange(1000.0)), axis=1)
    with pytest.raises(ValueError, match=r"Segment\(\(0\.0, 0\.0\), \(999\.0, 2997\.0\)\)"):
        cm.hull(points)


def test_a_bad_point_among_many_is_named() -> None:
    points = np.zeros((1000, 2))
    points[700, 1] = np.inf
    with pytest.raises(ValueError, match=r"points\[700\]"):
        cm.hull(points)
