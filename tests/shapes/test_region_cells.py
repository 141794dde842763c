"""Regions with holes, and outlines that touch themselves, by kernels: as by the exact way, and refused as there."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes import compound_parts
from carom.shapes.outlines import region_cells
from carom.shapes.outlines.mend import mend_triangles

Points = list[tuple[float, float]]
GRID = st.tuples(st.integers(0, 4).map(float), st.integers(0, 4).map(float))
SQUARE: Points = [(0, 0), (9, 0), (9, 9), (0, 9)]


def exact_area(points: Any) -> Fraction:
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    return sum((a[0] * b[1] - a[1] * b[0] for a, b in zip(exact, exact[1:] + exact[:1], strict=True)), Fraction(0)) / 2


def decomposed(outline: Points, holes: list[Points]) -> tuple[cm.Compound | None, str]:
    try:
        return cm.decompose(outline, holes), ""
    except ValueError as error:
        return None, str(error)


def outside(region: cm.Compound) -> list[Any]:
    """Return the edges on the outside of a region by their ends, in order."""
    found = region._made.outside
    places = [tuple(place) for place in found.places.tolist()]
    return sorted((places[side[2]], places[side[3]]) for side in found.sides.tolist())


def assert_as_the_exact_way(outline: Points, holes: list[Points]) -> cm.Compound | None:
    """Hold a region, or its refusal, against that of the slow steps in fractions."""
    quick, text = decomposed(outline, holes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compound_parts, "_by_kernels", lambda *_: None)
        slow, _ = decomposed(outline, holes)
    assert (quick is None) == (slow is None), text
    if quick is not None and slow is not None:
        assert quick.outline == slow.outline and quick.holes == slow.holes
        areas = [sum(exact_area(part.vertices) for part in one.parts) for one in (quick, slow)]
        assert areas[0] == areas[1] and outside(quick) == outside(slow)
    return quick


@given(st.lists(GRID, min_size=3, max_size=9), st.lists(st.lists(GRID, min_size=3, max_size=4), max_size=1))
def test_any_rings_are_read_or_refused_as_by_the_exact_way(outline: Points, holes: list[Points]) -> None:
    assert_as_the_exact_way(outline, holes)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 4), st.integers(1, 4)), max_size=5),
    st.sampled_from([(1, 0), (0.6, 0.8), (3, 4)]),
)
def test_holes_that_touch_are_left_out_as_by_the_exact_way(boxes: Any, turn: Any) -> None:
    c, s = turn

    def turned(points: Any) -> Points:
        return [(c * x - s * y, s * x + c * y) for x, y in points]

    holes = [turned([(x, y), (x, y + h), (x + w, y + h / 2)]) for x, y, w, h in boxes]
    assert_as_the_exact_way(turned(SQUARE), holes)


@pytest.mark.parametrize("lobes", [2, 7, 60])
def test_an_outline_goes_through_one_point_many_times(lobes: int) -> None:
    """A flower whose leaves meet in the middle, and the same as gaps of a square."""
    flower: Points = []
    for k in range(lobes):
        t, u = 2 * math.pi * k / lobes, 2 * math.pi * (k + 0.4) / lobes
        flower += [(0.0, 0.0), (math.cos(t), math.sin(t)), (math.cos(u), math.sin(u))]
    assert assert_as_the_exact_way(flower, [])
    frame: Points = [(-2, -2), (2, -2), (2, 2), (-2, 2)]
    assert assert_as_the_exact_way(frame, [flower])
    assert assert_as_the_exact_way(frame, [flower[k : k + 3] for k in range(0, 3 * lobes, 3)])


def ring(count: int, size: float = 1.0, x: float = 0.0, y: float = 0.0) -> Any:
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = size * (1 + 0.01 * np.sin(40 * t))
    return np.stack([reach * np.cos(t) + x, reach * np.sin(t) + y], axis=1)


def with_loops(outline: Any, every: int) -> Any:
    """Return a ring with small loops outside, each of which leaves it and comes back at one of its points."""
    parts = []
    for k in range(0, len(outline), every):
        (x, y), d = outline[k], 1e-4
        loop = [(1.02 * (x + d * y), 1.02 * (y - d * x)), (1.02 * (x - d * y), 1.02 * (y + d * x)), (x, y)]
        parts += [outline[k : k + 1], np.array(loop), outline[k + 1 : k + every]]
    return np.concatenate(parts)


def quickest(call: Any) -> float:
    """Return the least time of the processor that a call took, of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def test_outlines_that_touch_and_holes_take_as_long_as_plain_outlines() -> None:
    """Times are compared with a wide margin: the exact way takes 50 times as long."""
    plain = ring(8000)
    once, often = with_loops(plain, 8000), with_loops(plain, 100)
    small = [ring(60, 0.05, 0.5 * math.cos(k), 0.5 * math.sin(k)) for k in range(6)]
    least = quickest(lambda: cm.decompose(plain))
    for outline, holes in (
        (once, []),
        (often, []),
        (plain, small),
        (plain.round(6), [hole.round(6) for hole in small]),
    ):
        assert quickest(lambda o=outline, h=holes: cm.decompose(o, h)) < 10 * least  # type: ignore[misc]
        region = cm.decompose(outline, holes)
        assert region.area == pytest.approx(float(exact_area(outline) - sum(exact_area(h) for h in holes)), rel=1e-12)


def test_equal_holes_are_refused_at_once() -> None:
    hole = ring(8000, 0.5)
    for other in (hole, hole[::-1], np.roll(hole, 50, axis=0)):
        start = time.process_time()
        with pytest.raises(ValueError, match=r"holes\[0\]\[\d+\] = .* runs along the edge from holes\[1\]\[\d+\]"):
            cm.decompose(ring(8000), [hole, other])
        assert time.process_time() - start < 1.0
    with pytest.raises(ValueError, match="leave nothing of the outline"):
        cm.decompose(hole, [hole])


@pytest.mark.parametrize(
    ("outline", "holes", "text"),
    [
        (SQUARE, [[(10, 1), (11, 1), (11, 2)]], r"holes\[0\]\[0\] = \(10.0, 1.0\) is outside the outline"),
        (SQUARE, [[(2, 1), (8, 1), (8, 7)], [(6, 2), (7, 3), (7, 2)]], r"holes\[1\]\[0\] = .* is inside holes\[0\]"),
        (SQUARE, [[(2, 1), (10, 1), (8, 7)]], r"outline\[1\] .* crosses the edge from holes\[0\]"),
        (SQUARE, [[(9, 3), (12, 4), (12, 2)]], r"outline.* crosses .*holes.* at \(9.0, 3.0\)|outline"),
        (
            [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (2, 1), (2, 2), (1, 1)],
            [],
            r"goes round \(1.0, 1.0\) twice",
        ),
    ],
)
def test_refusals_name_the_fault(outline: Points, holes: list[Points], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        cm.decompose(outline, holes)


def test_corners_that_the_library_leaves_out_are_put_in() -> None:
    """Of holes whose corners lie on lines with others earcut leaves some out; the exact way is not asked."""
    source, mended = random.Random(4), 0
    fitting = region_cells._joined

    def counted(*args: Any) -> Any:
        nonlocal mended
        found = fitting(*args)
        mended += found is None
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region_cells, "_joined", counted)
        patch.setattr(compound_parts, "convex_parts", None)
        for _ in range(100):
            holes = []
            for x, y in ((0, 0), (5, 0), (0, 5), (5, 5)):
                triangle = [(x + source.randint(1, 3), y + source.randint(1, 3)) for _ in range(3)]
                holes += [triangle] if exact_area(triangle) else []
            region = cm.decompose(SQUARE, holes)
            assert sum(exact_area(part.vertices) for part in region.parts) == 81 - sum(
                abs(exact_area(hole)) for hole in holes
            )
    assert mended > 3


def test_triangles_are_divided_where_a_corner_lies_on_an_edge() -> None:
    points = np.array([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 2.0)])
    triangles = np.zeros((8, 3), dtype=np.int64)
    triangles[0] = 0, 2, 3
    count = mend_triangles(points, np.array([1, 2, 3, 0]), triangles, 1)
    assert sorted(sorted(one) for one in triangles[:count].tolist()) == [[0, 1, 3], [1, 2, 3]]


def test_geometries_with_holes_become_rows_as_quickly_as_others() -> None:
    lake = [ring(30, 0.2, 0.3), ring(30, 0.2, -0.4)]
    whole = [shapely.Polygon(ring(500).round(6)) for _ in range(20)]
    lakes = [shapely.Polygon(one.exterior.coords, lake) for one in whole]
    plain = quickest(lambda: cm.Shapes.from_shapely(whole))
    assert quickest(lambda: cm.Shapes.from_shapely(lakes)) < 30 * plain
    many = cm.Shapes.from_shapely(lakes)
    assert np.bincount(many.owner, many.areas) == pytest.approx(shapely.area(lakes), rel=1e-12)
