"""Cleaning of outlines, through Polygon: the vertices that are removed or kept, their numbers, and the refusals."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from carom import Polygon
from carom.shapes.outlines.clean_convex import clean_outline, orientation
from tests.support import oracle

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
grid = st.tuples(st.integers(-6, 6), st.integers(-6, 6)).map(lambda p: (float(p[0]), float(p[1])))
numbers = st.floats(-1e3, 1e3) | st.floats(-1e-290, 1e-290) | st.floats(-1e150, 1e150)


def exact_turn(a: Any, b: Any, c: Any) -> int:
    (ax, ay), (bx, by), (cx, cy) = ((Fraction(x), Fraction(y)) for x, y in (a, b, c))
    turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (turn > 0) - (turn < 0)


def is_strictly_convex(points: Any) -> bool:
    count = len(points)
    return all(exact_turn(points[i - 1], points[i], points[(i + 1) % count]) > 0 for i in range(count))


def regular(count: int, x: float = 0.0, y: float = 0.0, turns: int = 1) -> list[tuple[float, float]]:
    angles = [math.tau * turns * i / count for i in range(count)]
    return [(x + math.cos(t), y + math.sin(t)) for t in angles]


@given(st.tuples(numbers, numbers), st.tuples(numbers, numbers), st.tuples(numbers, numbers))
def test_orientation_is_exact(a: Any, b: Any, c: Any) -> None:
    assert orientation(a, b, c) == exact_turn(a, b, c)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    assert orientation(a, b, middle) == exact_turn(a, b, middle)


def test_orientation_is_exact_where_floats_fail() -> None:
    # L. Kettner et al., Classroom examples of robustness problems in geometric computations, 2008: fig. 2.
    for i in range(0, 64, 7):
        for j in range(0, 64, 7):
            p = (0.5 + i * 2.0**-53, 0.5 + j * 2.0**-53)
            assert orientation(p, (12.0, 12.0), (24.0, 24.0)) == exact_turn(p, (12.0, 12.0), (24.0, 24.0))


@pytest.mark.parametrize(
    ("outline", "ids"),
    [
        (SQUARE, (0, 1, 2, 3)),
        ([*SQUARE, SQUARE[0]], (0, 1, 2, 3)),
        (SQUARE[::-1], (0, 3, 2, 1)),
        ([SQUARE[0], *SQUARE, SQUARE[3]], (1, 2, 3, 5)),
        ([(0, 0), (0.5, 0), (1, 0), (1, 0.25), (1, 0.5), (1, 1), (0, 1), (0, 0.5)], (0, 2, 5, 6)),
        ([(0.5, 0), (1, 0), (1, 1), (0, 1), (0, 0)], (1, 2, 3, 4)),
        ([(0.5, 0.0), (0, 0), (0, 1), (1, 1), (1, 0)], (4, 3, 2, 1)),
        ([(-0.0, 0.0), (0.0, -0.0), (1, 0), (0, 1)], (1, 2, 3)),
    ],
)
def test_kept_vertices_keep_their_numbers(outline: Any, ids: tuple[int, ...]) -> None:
    polygon = Polygon(outline)
    kept = polygon.vertices
    assert [outline[i] for i in polygon.vertex_ids] == list(kept)
    assert is_strictly_convex(kept)
    assert sorted(polygon.vertex_ids) == sorted(ids) or len(ids) == len(kept)
    assert set(kept) == {tuple(map(float, outline[i])) for i in ids}


def test_winding_is_turned_and_the_first_vertex_stays_first() -> None:
    polygon = Polygon(SQUARE[::-1])
    assert polygon.vertices == ((0.0, 1.0), (0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    assert polygon.vertex_ids == (0, 3, 2, 1)


def test_own_numbers_go_through_cleaning_and_turning() -> None:
    polygon = Polygon([(0, 0), (0, 1), (0.5, 1), (1, 1), (1, 0)], vertex_ids=[10, 20, 30, 40, 50])
    assert polygon.vertex_ids == (10, 50, 40, 20)
    assert polygon.rotated(1.0).translated((3, 4)).vertex_ids == (10, 50, 40, 20)


@given(st.lists(grid, min_size=3, max_size=9), st.randoms(use_true_random=False))
def test_a_hull_with_repeated_and_collinear_points_keeps_its_corners(points: Any, rng: random.Random) -> None:
    hull = [(float(x), float(y)) for x, y in oracle.convex_hull([(Fraction(x), Fraction(y)) for x, y in points])]
    assume(len(hull) >= 3)
    dressed = []
    for a, b in zip(hull, hull[1:] + hull[:1], strict=True):
        dressed += [a] * rng.randint(1, 3)
        dressed += [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)] * rng.randint(0, 2)
    start = rng.randrange(len(dressed))
    dressed = dressed[start:] + dressed[:start]
    if rng.random() < 0.5:
        dressed.reverse()
    polygon = Polygon(dressed)
    assert set(polygon.vertices) == set(hull)
    assert is_strictly_convex(polygon.vertices)
    assert [dressed[i] for i in polygon.vertex_ids] == list(polygon.vertices)


@given(st.lists(grid, min_size=3, max_size=8))
def test_only_convex_outlines_are_accepted(points: Any) -> None:
    hull = oracle.convex_hull([(Fraction(x), Fraction(y)) for x, y in points])
    try:
        kept = clean_outline(points)
    except ValueError:
        return
    # On this grid nothing is within rounding, so what was taken is the hull, in its order, once round.
    assert is_strictly_convex([points[i] for i in kept])
    assert {points[i] for i in kept} == set(hull)
    assert all(any(exact_turn(a, b, p) == 0 for a, b in zip(hull, hull[1:] + hull[:1], strict=True)) for p in points)


@pytest.mark.parametrize("count", [3, 4, 5, 7, 64, 10_000])
@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_regular_polygons_are_convex_in_both_windings(count: int, offset: float) -> None:
    outline = regular(count, offset, -offset)
    assert len(Polygon(outline).vertices) == count
    assert len(Polygon(outline[::-1]).vertices) == count


def test_cleaning_asks_for_a_few_turns_per_point(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = []

    def counted(*points: Any) -> int:
        turns.append(points)
        return orientation(*points)

    monkeypatch.setattr("carom.shapes.outlines.clean_convex.orientation", counted)
    n = 2500
    sides = [(i / n, 0.0) for i in range(n)] + [(1.0, i / n) for i in range(n)]
    sides += [(1.0 - i / n, 1.0) for i in range(n)] + [(0.0, 1.0 - i / n) for i in range(n)]
    assert set(Polygon(sides).vertices) == set(SQUARE)
    assert 4 * n <= len(turns) <= 4 * 4 * n


def test_far_away_outlines_are_accepted_and_become_strictly_convex() -> None:
    # Steps of 2e-9 at 1e7 against a sagitta of 5e-8: some vertices turn inward by rounding alone.
    for count in (1000, 10_000, 20_000):
        polygon = Polygon(regular(count, 1e7, -1e7))
        assert is_strictly_convex(polygon.vertices)
        assert polygon.area == pytest.approx(math.pi, abs=1e-4)


def test_an_ulp_long_edge_that_turns_inward_is_dropped() -> None:
    low = math.nextafter(1.0, 0.0)
    for noisy in (
        [(0.0, 0.0), (1.0, 0.0), (1.0, -(2.0**-53)), (1.0, 1.0), (0.0, 1.0)],
        [(0.0, 0.0), (1.0, 0.0), (low, 0.0), (1.0, 1.0), (0.0, 1.0)],
        [(0.0, 0.0), (0.5, 2.0**-54), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
        [(0.0, 0.0), (1.0, 0.0), (low, 0.5), (1.0, 1.0), (0.0, 1.0)],
    ):
        for outline in (noisy, noisy[::-1]):
            polygon = Polygon(outline)
            assert is_strictly_convex(polygon.vertices)
            assert len(polygon.vertices) == 4
            assert polygon.area == pytest.approx(1.0, abs=1e-15)


def test_a_turned_polygon_is_convex_again() -> None:
    rng = random.Random(5)
    n = 40
    sides = [(i / n, 1e-17 * i * (n - i)) for i in range(n + 1)] + [(1.0, 1.0), (0.0, 1.0)]
    polygon = Polygon([(x, -y) if y < 0.5 else (x, y) for x, y in sides])
    for _ in range(50):
        turned = polygon.rotated(rng.uniform(-4, 4))
        points = oracle.exact(turned).points
        assert is_strictly_convex(points)
        assert set(turned.vertex_ids) <= set(polygon.vertex_ids)
        assert turned.area == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize(
    ("outline", "message"),
    [
        ([(0, 0), (2, 0), (1, 0.5), (1, 2)], r"vertices\[2\] = \(1.0, 0.5\) turns inward.*convex parts"),
        ([(1, 2), (1, 0.5), (2, 0), (0, 0)], r"vertices\[1\] = \(1.0, 0.5\) turns inward.*convex parts"),
        ([(0, 0), (1, 1e-12), (2, 0), (1, 1)], r"vertices\[1\] = \(1.0, 1e-12\) turns inward"),
        ([(0, 0), (1, 0), (1, 1), (2, 1), (1, 1), (0, 1)], r"vertices\[\d\]"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "cross"),
        ([(0, 0), (1, 1), (1, 0), (0, 2)], "crosses itself"),
        (SQUARE + SQUARE, "more than once"),
        (regular(5, turns=2), "more than once"),
        (regular(7, turns=3)[::-1], "more than once"),
        ([(0, 0), (1, 1), (2, 2), (5, 5)], "no area: all points lie on one line.*Segment"),
        ([(0.1, 0.1), (0.2, 0.2), (0.7, 0.7)], "no area"),
        ([(0, 0), (1, 0), (0, 0), (1, 0)], "at least three distinct points, not 2.*Segment"),
        ([(3, 3)] * 5, "at least three distinct points, not 1.*Point"),
        ([(0, 0), (1, 0)], "at least three distinct points, not 2.*Segment"),
        ([], "at least three distinct points, not 0"),
        ([(0, 0), (2, 0), (1, 0), (1, 1), (1, 0)], "retrace"),
    ],
)
def test_bad_outlines_are_refused(outline: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^Polygon: vertices.*{message}|^Polygon: {message}"):
        Polygon(outline)


def test_a_concave_arc_of_many_tiny_turns_is_concave() -> None:
    # Each vertex is within rounding of its neighbours' line, all together they are not.
    n = 4000
    arc = [(i / n, 1e-9 * (i / n) * (1 - i / n) * 4) for i in range(n + 1)]
    with pytest.raises(ValueError, match="turns inward"):
        Polygon([*arc, (1.0, 1.0), (0.0, 1.0)])


def test_drops_that_add_up_are_seen() -> None:
    # Each vertex lies within rounding of the line from the first to the next one, all of them 300 times as far off.
    n = 1000
    arc = [(float(k), 0.9 * 8 * 2.0**-52 * n * k * math.log(n / k)) for k in range(1, n + 1)]
    with pytest.raises(ValueError, match=r"vertices\[\d+\] = .* turns inward"):
        Polygon([(0.0, 0.0), *arc, (n, n), (0.0, n)])
