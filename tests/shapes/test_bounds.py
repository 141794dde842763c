"""Bounds, bounding circle and smallest box: sure to contain the exact shape, and no larger than need be."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom import Bounds, Box, Capsule, Circle, Point, Polygon, Segment, bounding_circle, bounds, smallest_box
from carom.tolerances import SMALLEST_SIZE
from tests.support import oracle, scenes

EPS = 2.0**-52
boxable = st.one_of(*(scenes.shapes(kind) for kind in scenes.KINDS if kind not in ("point", "segment")))
far = st.sampled_from([(0.0, 0.0), (0.1, -0.7), (1e7, -3e7), (1e12, 0.1)])
OTHERS = [None, 1.0, "Circle", (0.0, 0.0), [(0, 0), (1, 0), (0, 1)], Circle]


def regular(count: int) -> list[tuple[float, float]]:
    return [(5 + math.cos(math.tau * i / count), math.sin(math.tau * i / count)) for i in range(count)]


def moved(shape: Any, move: Any) -> Any:
    try:
        return shape.translated(move)
    except ValueError as error:
        if "lost to rounding" not in str(error):
            raise
        return shape


def largest(shape: Any) -> float:
    return oracle.largest_coordinate(shape)


# --- bounds --------------------------------------------------------------------------------------------------------


@given(scenes.shapes(), far)
def test_bounds_are_the_least_floats_around_the_exact_shape(shape: Any, move: Any) -> None:
    shape = moved(shape, move)
    found = bounds(shape)
    low_x, low_y, high_x, high_y = oracle.bounds(shape)
    for value, exact in ((found.min_x, low_x), (found.min_y, low_y)):
        assert Fraction(value) <= exact < Fraction(math.nextafter(value, math.inf))
    for value, exact in ((found.max_x, high_x), (found.max_y, high_y)):
        assert Fraction(math.nextafter(value, -math.inf)) < exact <= Fraction(value)


@given(scenes.shapes("aabb"))
def test_bounds_of_a_box_along_the_axes_are_its_corners(box: Box) -> None:
    assert bounds(box) == (*box.lower, *box.upper)


def test_bounds_have_names() -> None:
    found = bounds(Circle((1, 2), 3))
    assert isinstance(found, Bounds)
    assert (found.min_x, found.min_y, found.max_x, found.max_y) == found == (-2.0, -1.0, 4.0, 5.0)
    assert bounds(Point((1, 2))) == (1.0, 2.0, 1.0, 2.0)
    assert bounds(Segment((3, 1), (1, 2))) == (1.0, 1.0, 3.0, 2.0)
    assert all(type(v) is float for v in found)


@given(scenes.shapes())
def test_bounds_are_shapelys(shape: Any) -> None:
    points = shapely.MultiPoint(shape.vertices)
    r = shape.radius
    expected = points.bounds[0] - r, points.bounds[1] - r, points.bounds[2] + r, points.bounds[3] + r
    assert bounds(shape) == pytest.approx(expected, abs=4 * EPS * largest(shape))


# --- bounding circle -----------------------------------------------------------------------------------------------


def smallest_radius(points: Any) -> float:
    """Return the radius of the smallest circle around a few points, by trying every pair and triple."""
    best = math.inf
    for chosen in [*combinations(points, 2), *combinations(points, 3)]:
        center = shapely.minimum_bounding_circle(shapely.MultiPoint(chosen)).centroid if len(chosen) == 3 else None
        x, y = (center.x, center.y) if center else ((chosen[0].x + chosen[1].x) / 2, (chosen[0].y + chosen[1].y) / 2)
        best = min(best, max(math.dist((x, y), p) for p in points))
    return best


@given(scenes.shapes(), far)
def test_the_bounding_circle_contains_the_exact_shape(shape: Any, move: Any) -> None:
    shape = moved(shape, move)
    assert oracle.contains(bounding_circle(shape), shape)


@given(scenes.shapes())
def test_the_bounding_circle_is_the_smallest(shape: Any) -> None:
    radius = bounding_circle(shape).radius
    known = shapely.minimum_bounding_radius(shapely.MultiPoint(shape.vertices)) + shape.radius
    if isinstance(shape, Polygon) and len(shape.vertices) <= 6:
        known = min(known, smallest_radius(shape.vertices) + shape.radius)
    assert radius <= known * (1 + 1e-9) + 8 * EPS * largest(shape) + SMALLEST_SIZE


@pytest.mark.parametrize("count", [3, 4, 5, 101, 10_000])
def test_a_regular_polygon_has_its_bounding_circle(count: int) -> None:
    circle = bounding_circle(Polygon(regular(count)))
    assert circle.radius == pytest.approx(1.0, rel=1e-14)
    assert circle.center == pytest.approx((5.0, 0.0), abs=1e-14)


def test_simple_shapes_have_their_bounding_circles() -> None:
    assert bounding_circle(Circle((1, 2), 3)) == Circle((1, 2), 3)
    assert bounding_circle(Point((1, 2))) == Circle((1, 2), SMALLEST_SIZE)
    assert bounding_circle(Segment((0, 0), (6, 8))).radius == pytest.approx(5.0, rel=4 * EPS)
    assert bounding_circle(Capsule((0, 0), (6, 8), 2)).radius == pytest.approx(7.0, rel=4 * EPS)
    assert bounding_circle(Box((1, 2), (6, 8), 0.5, radius=1)).radius == pytest.approx(6.0, rel=4 * EPS)
    obtuse = bounding_circle(Polygon([(0, 0), (10, 0), (4, 1)]))
    assert obtuse.center == (5.0, 0.0) and obtuse.radius == pytest.approx(5.0, rel=4 * EPS)


@pytest.mark.parametrize("scale", [1e-140, 1e140])
def test_bounding_circles_of_extreme_sizes_are_tight(scale: float) -> None:
    triangle = Polygon([(0, 0), (2 * scale, 0), (scale, 2 * scale)])
    circle = bounding_circle(triangle)
    assert oracle.contains(circle, triangle)
    assert circle.radius == pytest.approx(1.25 * scale, rel=1e-14)


# --- smallest box --------------------------------------------------------------------------------------------------


def least_area(shape: Any) -> float:
    """Return the least area over the directions of all edges, each by projecting every vertex."""
    best, center = math.inf, shape.position
    for a, b in zip(shape.vertices, shape.vertices[1:] + shape.vertices[:1], strict=True):
        length = math.dist(a, b)
        if length == 0.0:
            continue
        u = ((b.x - a.x) / length, (b.y - a.y) / length)
        along = [(v - center).dot(u) for v in shape.vertices]
        across = [(v - center).cross(u) for v in shape.vertices]
        width, height = max(along) - min(along), max(across) - min(across)
        best = min(best, (width + 2 * shape.radius) * (height + 2 * shape.radius))
    return best


@given(boxable, far)
def test_the_smallest_box_contains_the_exact_shape(shape: Any, move: Any) -> None:
    shape = moved(shape, move)
    box = smallest_box(shape)
    assert box.radius == 0.0
    assert oracle.contains(box, shape)


def test_the_smallest_box_prefers_the_axes_where_directions_tie() -> None:
    low = Polygon([(-5e-324, 3.0), (0.0, 1.0 - 2.0**-53), (0.002, 1.0), (0.001, 2.1)]).translated((-(2.0**40), 0.0))
    near = Polygon([(-(2.0**20), 0.001), (-(2.0**20) + 1, 0.0), (4.0, 5e-324), (4.0, 0.003)], radius=2.0**-45)
    for shape in (low, near):
        assert smallest_box(shape).angle == 0.0
        assert oracle.contains(smallest_box(shape), shape)


@given(boxable)
def test_the_smallest_box_is_the_smallest(shape: Any) -> None:
    box = smallest_box(shape)
    spare = 64 * EPS * (largest(shape) + box.size.length) * box.size.length
    if not isinstance(shape, Circle):
        assert box.area <= least_area(shape) + spare
    if shape.radius == 0.0:
        core = shapely.MultiPoint(shape.vertices)
        assert box.area <= shapely.oriented_envelope(core).area * (1 + 1e-9) + spare
    center = shape.position
    for step in range(16):
        angle = step * math.pi / 32 + 0.01
        along = [(v - center).rotated(angle) for v in shape.vertices]
        width = max(v.x for v in along) - min(v.x for v in along) + 2 * shape.radius
        height = max(v.y for v in along) - min(v.y for v in along) + 2 * shape.radius
        assert box.area <= width * height * (1 + 1e-9) + spare


@given(scenes.shapes("polygon"))
def test_the_angle_is_the_least_turn(shape: Polygon) -> None:
    assert abs(smallest_box(shape).angle) <= math.pi / 4


def test_simple_shapes_have_their_smallest_boxes() -> None:
    assert smallest_box(Circle((1, 2), 3)) == Box((1, 2), (6, 6))
    assert smallest_box(Box((1, 2), (3, 4), 0.5)) == Box((1, 2), (3, 4), 0.5)
    assert smallest_box(Box((1, 2), (3, 4), radius=1)) == Box((1, 2), (5, 6))
    assert smallest_box(Polygon([(0, 0), (4, 0), (4, 2), (0, 2)], radius=1)) == Box((2, 1), (6, 4))
    assert smallest_box(Capsule((0, 0), (5, 0), 1)) == Box((2.5, 0), (7, 2))
    assert smallest_box(Capsule((0, 5), (0, 0), 1)) == Box((0, 2.5), (2, 7))
    leaning = smallest_box(Capsule((0, 0), (6, 8), 1))
    assert leaning.size == pytest.approx((4 - 2, 12), rel=1e-14)
    assert leaning.angle == pytest.approx(math.atan2(-6, 8), rel=1e-14)
    rounded = smallest_box(Box((1, 2), (3, 4), 0.5, radius=1))
    assert rounded.size == pytest.approx((5, 6), rel=1e-14) and rounded.angle == pytest.approx(0.5, rel=1e-14)


@pytest.mark.parametrize("count", [5, 8, 101, 10_000])
def test_a_regular_polygon_has_its_smallest_box(count: int) -> None:
    polygon = Polygon(regular(count))
    box = smallest_box(polygon)
    assert box.area == pytest.approx(least_area(polygon) if count < 1000 else 4.0, rel=1e-6)
    assert box.center == pytest.approx((5.0, 0.0), abs=0.2 if count == 5 else 1e-3)


# --- refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [Point((1, 2)), Segment((1, 2), (3, 4))], ids=repr)
def test_shapes_without_area_have_no_smallest_box(shape: Any) -> None:
    with pytest.raises(ValueError, match=r"smallest_box: shape = (Point|Segment).* has no area; a box needs a width"):
        smallest_box(shape)


@pytest.mark.parametrize("verb", [bounds, bounding_circle, smallest_box])
@pytest.mark.parametrize("other", OTHERS)
def test_values_that_are_no_shape_are_refused(verb: Any, other: Any) -> None:
    found = "type" if isinstance(other, type) else type(other).__name__
    expected = rf"must be a shape \(Point, .*Polygon or Compound\), not {found}"
    with pytest.raises(TypeError, match=rf"^{verb.__name__}: shape = .* {expected}"):
        verb(other)


@pytest.mark.parametrize(
    "shape",
    [
        cm.Capsule((0, 0), (1e150, 0), 1e150),
        cm.Box((0, 0), (1, 1), 0.3, radius=1e150),
        cm.Polygon([(-1e150, 0), (1e150, 0), (0, 1e150)], radius=1e150),
    ],
)
def test_shapes_too_large_for_a_bounding_volume_are_refused(shape: Any) -> None:
    for verb in (cm.smallest_box, cm.bounding_circle):
        with pytest.raises(ValueError, match=rf"{verb.__name__}: shape = .* is too large: the .* around it"):
            verb(shape)
    for other in (cm.Box((0, 0), (1, 1), 0.4), cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]), shape):
        for a, b in ((shape, other), (other, shape)):
            why = cm.explain(a, b)
            assert why.levels[-1].verdict == "overlap" and "bounding circle" not in str([x.name for x in why.levels])
