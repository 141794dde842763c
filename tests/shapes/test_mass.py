"""Area, centroid and inertia against Shapely, textbook formulas and sums over thin strips."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from carom import Box, Capsule, Circle, Mass, Point, Polygon, Segment
from tests.support import scenes

HEXAGON = [(3.0, 0.0), (2.5, 1.5), (1.0, 2.0), (-1.0, 1.5), (-2.0, 0.5), (0.0, -1.0)]
REGULAR = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
round_shapes = st.one_of(*(scenes.shapes(kind) for kind in scenes.KINDS if kind not in ("point", "segment")))


def polygon_moments(ring: np.ndarray[Any, Any]) -> tuple[float, float, float, float]:
    """Return area, centroid and second moment about it of an outline, by Green's theorem on coordinates near 0."""
    start = ring.mean(axis=0)
    a, b = ring - start, np.roll(ring, -1, axis=0) - start
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = cross.sum() / 2
    center = ((a + b) * cross[:, None]).sum(axis=0) / (6 * area)
    second = (cross * ((a * a) + (a * b) + (b * b)).sum(axis=1)).sum() / 12 - area * (center @ center)
    return area, *(center + start), second


def outline(shape: Any) -> shapely.Geometry:
    """Return the shape as Shapely's polygon, curves as very many edges, with the area and size of the true curve."""
    core = shapely.Polygon(shape.vertices) if len(shape.vertices) > 2 else shapely.LineString(shape.vertices * 2)
    core = shapely.Point(shape.vertices[0]) if len(shape.vertices) == 1 else core
    return shapely.orient_polygons(core.buffer(shape.radius, quad_segs=800)) if shape.radius else core


@pytest.mark.parametrize(
    ("shape", "area", "inertia"),
    [
        (Circle((1.0, 2.0), 3.0), 9 * math.pi, 81 * math.pi / 2),
        (Box((5.0, -1.0), (3.0, 4.0)), 12.0, 12 * 25 / 12),
        (Box((5.0, -1.0), (3.0, 4.0), 0.7), 12.0, 12 * 25 / 12),
        (Polygon([(0, 0), (1, 0), (0, 1)]), 0.5, 1 / 18),
        (Polygon(REGULAR), 1.5 * 3**0.5, 5 * 3**0.5 / 8),
    ],
)
@pytest.mark.parametrize("density", [1.0, 2.5])
def test_mass_has_textbook_values(shape: Any, area: float, inertia: float, density: float) -> None:
    mass = shape.mass(density)
    assert isinstance(mass, Mass)
    assert shape.area == pytest.approx(area, rel=1e-14)
    assert mass.mass == pytest.approx(density * area, rel=1e-14)
    assert mass.inertia == pytest.approx(density * inertia, rel=1e-14)
    assert mass.center == pytest.approx(shape.position, rel=1e-14)


@pytest.mark.parametrize(("length", "radius"), [(4.0, 0.5), (1.0, 1.0), (1e-3, 1.0), (1e3, 1e-3), (3.0, 1e-9)])
def test_a_capsule_is_a_rectangle_and_two_half_discs(length: float, radius: float) -> None:
    dx, dy = 0.6 * length, 0.8 * length
    capsule = Capsule((7.0, 7.0), (7.0 + dx, 7.0 + dy), radius)
    length = math.hypot(capsule.end.x - capsule.start.x, capsule.end.y - capsule.start.y)
    rectangle, half = 2 * radius * length, math.pi * radius**2 / 2
    # A half disc's centre lies 4 r / 3 pi from its flat side; its inertia there is (1/2 - 16 / 9 pi^2) m r^2.
    away = length / 2 + 4 * radius / (3 * math.pi)
    inertia = rectangle * (length**2 + 4 * radius**2) / 12
    inertia += 2 * half * ((0.5 - 16 / (9 * math.pi**2)) * radius**2 + away**2)
    assert capsule.area == pytest.approx(rectangle + 2 * half, rel=1e-14)
    assert capsule.mass().inertia == pytest.approx(inertia, rel=1e-12)


# Shapely's own buffers lose digits where the radius is small beside the coordinates.
@given(round_shapes.filter(lambda shape: shape.radius == 0.0 or shape.radius > 0.01))
def test_area_and_centroid_are_shapelys(shape: Any) -> None:
    known = outline(shape)
    size = 1.0 + max(map(abs, known.bounds))
    assert shape.area == pytest.approx(known.area, rel=1e-6, abs=1e-12 * size * size)
    assert math.dist(shape.centroid, (known.centroid.x, known.centroid.y)) <= 1e-6 * size or shape.area < 1e-9 * size**2


@given(round_shapes.filter(lambda shape: shape.radius > 0.01))
def test_inertia_of_rounded_shapes_is_that_of_a_fine_outline(shape: Any) -> None:
    ring = np.asarray(outline(shape).exterior.coords)[:-1]
    area, x, y, second = polygon_moments(ring)
    mass = shape.mass()
    size = 1.0 + np.abs(ring).max()
    assert mass.mass == pytest.approx(area, rel=1e-5)
    assert math.dist(mass.center, (x, y)) <= 1e-6 * size
    assert mass.inertia == pytest.approx(second, rel=1e-5)


@pytest.mark.parametrize("radius", [0.0, 0.25, 3.0])
def test_inertia_is_a_sum_over_strips(radius: float) -> None:
    polygon = Polygon(HEXAGON, radius=radius)
    center = polygon.centroid
    region = outline(polygon)
    low, high = region.bounds[1], region.bounds[3]
    count = 1000
    step = (high - low) / count
    total = 0.0
    for i in range(count):
        y = low + (i + 0.5) * step
        left, _, right, _ = shapely.intersection(region, shapely.LineString([(-20, y), (20, y)])).bounds
        total += step * ((right - center.x) ** 3 - (left - center.x) ** 3) / 3
        total += step * (right - left) * (y - center.y) ** 2
    assert polygon.mass().inertia == pytest.approx(total, rel=1e-4)


def test_a_rounded_polygon_has_the_centroid_of_its_whole_area() -> None:
    triangle = [(0.0, 0.0), (10.0, 0.0), (0.0, 1.0)]
    sharp, rounded = Polygon(triangle), Polygon(triangle, radius=2.0)
    assert sharp.centroid == pytest.approx((10 / 3, 1 / 3), rel=1e-15)
    assert rounded.centroid.x > sharp.centroid.x + 0.5
    assert rounded.position == rounded.centroid == rounded.mass().center


@pytest.mark.parametrize("offset", [1e7, 1e12])
def test_mass_far_from_the_origin_loses_no_digits(offset: float) -> None:
    polygon = Polygon([(0, 0), (1, 0), (1, 0.5), (0, 1)], radius=0.125)
    for near in (polygon, Capsule((0, 0), (1, 0.5), 0.25), Box((0, 0), (1, 2), 0.5)):
        far = near.translated((offset, -offset))
        assert far.area == near.area
        assert far.mass().inertia == near.mass().inertia
        assert math.dist(far.centroid - (offset, -offset), near.centroid) <= 2.0**-52 * offset


@pytest.mark.parametrize("scale", [1e-140, 1e-70, 1e70, 1e140])
def test_mass_of_extreme_sizes_is_right(scale: float) -> None:
    polygon = Polygon([(x * scale, y * scale) for x, y in HEXAGON], radius=0.5 * scale)
    one = Polygon(HEXAGON, radius=0.5)
    assert polygon.area / scale / scale == pytest.approx(one.area, rel=1e-13)
    assert polygon.centroid / scale == pytest.approx(one.centroid, rel=1e-13)
    inertia = polygon.mass().inertia
    if 1e-300 < scale**2 * scale**2 < 1e300:
        assert inertia / scale**4 == pytest.approx(one.mass().inertia, rel=1e-13)
    else:
        assert inertia == (0.0 if scale < 1 else math.inf)


def test_points_and_segments_have_no_mass() -> None:
    assert Point((1, 2)).mass() == Mass(0.0, (1.0, 2.0), 0.0)  # type: ignore[arg-type]
    assert Segment((1, 2), (3, 4)).mass(5.0) == Mass(0.0, (2.0, 3.0), 0.0)  # type: ignore[arg-type]
    assert Point((1, 2)).area == Segment((1, 2), (3, 4)).area == 0.0


@pytest.mark.parametrize("start", range(3))
@pytest.mark.parametrize("thin", [1e-9, 1e-16, 1e-28, 1e-140])
def test_slivers_in_any_order_have_their_rational_mass(start: int, thin: float) -> None:
    points = [(0.0, 0.0), (1.0, 1.0), (0.0, thin)]
    sliver = Polygon(points[start:] + points[:start])
    assert sliver.area == pytest.approx(thin / 2, rel=1e-14)
    assert sliver.centroid == pytest.approx((1 / 3, (1 + thin) / 3), rel=1e-14)
    assert sliver.mass().inertia == pytest.approx(thin / 2 / 9, rel=1e-8)


def test_a_rounded_sliver_is_a_capsule() -> None:
    sliver = Polygon([(0.0, 0.0), (0.25, 0.25), (0.0, 1e-60)], radius=0.25)
    capsule = Capsule((0.0, 0.0), (0.25, 0.25), 0.25)
    assert sliver.area == pytest.approx(capsule.area, rel=1e-14)
    assert sliver.mass().inertia == pytest.approx(capsule.mass().inertia, rel=1e-14)
    assert sliver.centroid == pytest.approx(capsule.centroid, rel=1e-14)


def test_a_thin_sliver_keeps_its_digits() -> None:
    sliver = Polygon([(0, 0), (1, 0), (1, 1e-12)])
    assert sliver.area == pytest.approx(5e-13, rel=1e-14)
    assert sliver.centroid == pytest.approx((2 / 3, 1e-12 / 3), rel=1e-14)
    assert sliver.mass().inertia == pytest.approx(5e-13 / 18, rel=1e-13)
