"""Shapes from and to Shapely, pygame and pymunk: the same region on both sides, there and back again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame
import pymunk
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import shape as shapely_shape

import carom as cm
from carom.convert import from_pygame, from_pymunk, from_shapely, to_pygame, to_pymunk, to_shapely
from carom.shapes.outlines.of_cells import outlines

FRAME = ([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
SHAPES = [
    cm.Point((1, 2)),
    cm.Segment((0, 1), (3, -1)),
    cm.Circle((1, 2), 0.5),
    cm.Capsule((0, 0), (3, 1), 0.25),
    cm.Box((1, 2), (3, 4)),
    cm.Box((1, 2), (3, 4), 0.5),
    cm.Box((1, 2), (3, 4), 0.5, radius=0.25),
    cm.Polygon([(0, 0), (4, 0), (1, 3)]),
    cm.Polygon([(0, 0), (4, 0), (1, 3)], radius=0.5),
    cm.decompose(*FRAME),
]
SHARP = [shape for shape in SHAPES if isinstance(shape, cm.Compound) or shape.radius == 0.0]
ids = [type(shape).__name__ for shape in SHAPES]


@pytest.mark.parametrize("shape", SHAPES, ids=ids)
def test_shapely_has_the_same_region(shape: Any) -> None:
    geometry = to_shapely(shape, quarter=64)
    assert geometry.is_valid and geometry.has_z is False
    assert geometry.area == pytest.approx(shape.area, rel=1e-3) and geometry.area <= shape.area * (1 + 1e-12)
    assert geometry.bounds == pytest.approx(tuple(cm.bounds(shape)), abs=1e-4)


@pytest.mark.parametrize("shape", SHARP, ids=[type(shape).__name__ for shape in SHARP])
def test_sharp_shapes_come_back_from_shapely(shape: Any) -> None:
    back = from_shapely(to_shapely(shape))
    assert back.vertices == shape.vertices
    assert type(back) is type(shape) or (isinstance(shape, cm.Box) and isinstance(back, cm.Polygon))
    assert from_shapely(shapely.geometry.mapping(to_shapely(shape))) == back


@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_radii_below_the_rounding_of_shapely_are_dropped_or_refused(angle: float) -> None:
    assert to_shapely(cm.Box((0, 0), (2, 1), angle, radius=1e-17)).area == pytest.approx(2.0)
    assert to_shapely(cm.Box((1e9, 0), (2, 1), angle, radius=1e-12)).area == pytest.approx(2.0)
    assert to_shapely(cm.Polygon([(0, 0), (2, 0), (0, 1)], radius=1e-17)).area == pytest.approx(1.0)
    for thin in (cm.Capsule((angle, 0), (1, 1), 1e-17), cm.Circle((1e15, angle), 1e-6)):
        with pytest.raises(ValueError, match=r"to_shapely: shape = .* lost to rounding"):
            to_shapely(thin)


def test_every_geometry_of_geojson_is_read() -> None:
    assert from_shapely(shapely.Point(1, 2, 3)) == cm.Point((1, 2))
    assert from_shapely(shapely.LineString([(0, 0), (1, 0)])) == cm.Segment((0, 0), (1, 0))
    bent = from_shapely(shapely.LineString([(0, 0), (1, 0), (1, 0), (1, 1)]))
    assert bent == (cm.Segment((0, 0), (1, 0)), cm.Segment((1, 0), (1, 1)))
    ring = from_shapely(shapely.LinearRing([(0, 0), (1, 0), (1, 1)]))
    assert isinstance(ring, tuple) and len(ring) == 3
    square, notch = shapely.box(0, 0, 2, 2), shapely.box(0, 0, 2, 2).difference(shapely.box(1, 1, 3, 3))
    assert from_shapely(square) == cm.Polygon([(2, 0), (2, 2), (0, 2), (0, 0)], vertex_ids=(0, 1, 2, 3))
    concave = from_shapely(notch)
    assert isinstance(concave, cm.Compound) and concave.area == 3.0
    assert from_shapely(shapely.MultiPoint([(0, 0), (1, 1)])) == (cm.Point((0, 0)), cm.Point((1, 1)))
    assert from_shapely(shapely.MultiLineString([[(0, 0), (1, 0)], [(0, 0), (1, 0), (1, 1)]]))[1:] == bent
    assert from_shapely(shapely.MultiPolygon([square])) == (from_shapely(square),)
    several = from_shapely(shapely.GeometryCollection([shapely.Point(1, 2), shapely.MultiPolygon([square]), notch]))
    assert several == (cm.Point((1, 2)), from_shapely(square), concave)
    feature = {"type": "Feature", "geometry": shapely.geometry.mapping(notch), "properties": {}}
    assert from_shapely(feature) == concave
    assert from_shapely({"type": "FeatureCollection", "features": [feature, feature]}) == (concave, concave)
    assert from_shapely(shapely.Polygon()) == from_shapely(shapely.GeometryCollection()) == ()


def test_objects_with_a_geo_interface_are_read() -> None:
    class Place:
        __geo_interface__ = {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 0]]]}  # noqa: RUF012

    assert from_shapely(Place()) == cm.Polygon([(0, 0), (4, 0), (4, 4)])


@pytest.mark.parametrize(
    ("geometry", "error", "text"),
    [
        (3, TypeError, "from_shapely: geometry = 3 must be a geometry with __geo_interface__"),
        ([(0, 0), (1, 1)], TypeError, "not list"),
        ({"type": "Sphere", "coordinates": (1, 2)}, ValueError, "'Sphere' is no type of geometry"),
        ({"radius": 3}, ValueError, "must have a GeoJSON type and coordinates"),
        ({"type": "Feature", "geometry": None}, TypeError, "geometry = None"),
        (shapely.LineString([(1, 1), (1, 1)]), ValueError, "did you mean Point"),
        (shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]), ValueError, r"outline\[0\] .* crosses .* outline\[2\]"),
        (shapely.Point(math.nan, 0), ValueError, "must be finite"),
    ],
)
def test_unsupported_geometries_are_refused(geometry: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        from_shapely(geometry)


@pytest.mark.parametrize("convert", [to_shapely, to_pygame, to_pymunk])
@pytest.mark.parametrize("other", [None, (0, 0), "circle", shapely.Point(0, 0)])
def test_values_that_are_no_shape_are_refused(convert: Any, other: Any) -> None:
    with pytest.raises(TypeError, match=rf"{convert.__name__}: shape = .* must be a shape \(Point"):
        convert(other)


@pytest.mark.parametrize(("quarter", "error"), [(0, ValueError), (1.5, TypeError), (True, TypeError)])
def test_quarter_gives_the_number_of_pieces(quarter: Any, error: type[Exception]) -> None:
    assert len(to_shapely(cm.Circle((0, 0), 1), quarter=1).exterior.coords) == 5
    with pytest.raises(error, match="to_shapely: quarter"):
        to_shapely(cm.Circle((0, 0), 1), quarter=quarter)


def test_rectangles_of_pygame_become_boxes() -> None:
    rect = pygame.Rect(10, 20, 30, 40)
    box = from_pygame(rect)
    assert box == cm.Box.from_corners((10, 20), (40, 60))
    assert to_pygame(box) == pygame.FRect(rect)
    assert from_pygame(pygame.FRect(0.5, 0.25, 1, 2)) == cm.Box.from_corners((0.5, 0.25), (1.5, 2.25))
    with pytest.raises(ValueError, match="positive width and height"):
        from_pygame(pygame.Rect(0, 0, 0, 5))


@pytest.mark.parametrize(
    ("shape", "error", "text"),
    [
        (cm.Circle((0, 0), 1), TypeError, "must be a Box, not Circle: .* use Box.from_corners"),
        (cm.decompose(*FRAME), TypeError, "must be a Box, not Compound"),
        (cm.Box((0, 0), (1, 2), 0.5), ValueError, "must be neither turned nor rounded"),
        (cm.Box((0, 0), (1, 2), radius=0.5), ValueError, "must be neither turned nor rounded"),
    ],
)
def test_shapes_that_are_no_rectangle_are_refused_for_pygame(shape: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        to_pygame(shape)


@pytest.mark.parametrize("other", [None, (1, 2, 3, 4), pygame.Vector2(1, 2), "mask"])
def test_values_that_are_not_of_pygame_are_refused(other: Any) -> None:
    with pytest.raises(TypeError, match=r"from_pygame: thing = .* must be a pygame Rect, FRect or Mask"):
        from_pygame(other)


def mask_of(rows: list[str]) -> pygame.Mask:
    mask = pygame.Mask((len(rows[0]), len(rows)))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            mask.set_at((x, y), mark == "#")
    return mask


@pytest.mark.parametrize(
    ("rows", "areas"),
    [
        (["...", "..."], []),
        (["#"], [1]),
        (["##.", "##.", "..#"], [4, 1]),  # joined at a corner only
        (["####", "#..#", "####"], [10]),
        (["###", "#.#", "##."], [7]),  # the hole meets the outside at a corner
        (["#####", "#...#", "#.#.#", "#...#", "#####"], [16, 1]),
        (["####", "#.##", "##.#", "####"], [14]),  # two holes that meet at a corner
        (["#.#", "###", "#.#"], [7]),
    ],
)
def test_pixels_of_a_mask_become_regions(rows: list[str], areas: list[int]) -> None:
    found = from_pygame(mask_of(rows))
    assert sorted(shape.area for shape in found) == sorted(areas)
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            middle = cm.Point((x + 0.5, y + 0.5))
            parts = [part for shape in found for part in getattr(shape, "parts", (shape,))]
            assert sum(cm.intersects(part, middle) for part in parts) >= (mark == "#")
            assert (mark == "#") == any(cm.intersects(part, middle) for part in parts)


def cells_of(cells: Any) -> Any:
    solid = np.zeros((7, 7), dtype=np.bool_)
    for x, y in cells:
        solid[y, x] = True
    return solid


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=45))
def test_outlines_of_any_cells_are_their_union(cells: Any) -> None:
    union = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in cells])
    regions = [cm.decompose(outline, holes) for outline, holes in outlines(cells_of(cells))]
    seen = shapely.union_all([to_shapely(part) for region in regions for part in region.parts])
    assert sum(region.area for region in regions) == len(cells)
    assert seen.symmetric_difference(union).area == 0.0


def body(x: float, y: float, angle: float) -> pymunk.Body:
    made = pymunk.Body(1.0, 1.0)
    made.position, made.angle = (x, y), angle
    return made


PLACED = [None, body(0, 0, 0), body(3, -4, 0), body(1e3, 2e3, 0.7)]


@pytest.mark.parametrize("shape", SHAPES, ids=ids)
@pytest.mark.parametrize("to", PLACED, ids=["no body", "at 0", "moved", "turned"])
def test_shapes_survive_pymunk_there_and_back(shape: Any, to: Any) -> None:
    other = to_pymunk(shape, to)
    if isinstance(shape, cm.Compound):
        assert len(other) == len(shape.parts)
        back = [from_pymunk(part) for part in other]
        assert math.fsum(part.area for part in back) == pytest.approx(shape.area)
        return
    back = from_pymunk(other)
    assert other.body is to and back.radius == shape.radius
    assert {(round(x, 9), round(y, 9)) for x, y in back.vertices} == {
        (round(x, 9), round(y, 9)) for x, y in shape.vertices
    }


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if not isinstance(shape, cm.Compound)], ids=ids[:-1])
def test_pymunk_answers_the_same(shape: Any) -> None:
    other = to_pymunk(shape, body(0.5, -1, 0.3))
    space = pymunk.Space()
    space.add(other.body, other)
    other.cache_bb()
    for point in np.random.default_rng(3).uniform(-4, 6, (40, 2)).tolist():
        found = other.point_query(tuple(point)).distance
        exact = cm.separation(shape, cm.Point(point))
        assert found == pytest.approx(exact, abs=1e-9) or (exact < 0.0 and found < 0.0)


def test_a_shape_of_pymunk_follows_its_body() -> None:
    mover = body(0, 0, 0)
    wheel = to_pymunk(cm.Circle((2, 0), 0.5), mover)
    mover.angle = math.pi / 2
    assert from_pymunk(wheel).position == pytest.approx((0.0, 2.0), abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=ids)
@pytest.mark.parametrize("other", [5, "body", pymunk.Space(), (0, 0)])
def test_values_that_are_no_pymunk_body_are_refused(shape: Any, other: Any) -> None:
    with pytest.raises(TypeError, match=r"to_pymunk: body = .* must be a pymunk Body, not"):
        to_pymunk(shape, other)


@pytest.mark.parametrize("other", [None, 3, pymunk.Body(), cm.Circle((0, 0), 1)])
def test_values_that_are_not_of_pymunk_are_refused(other: Any) -> None:
    with pytest.raises(TypeError, match=r"from_pymunk: shape = .* must be a pymunk Circle, Segment or Poly"):
        from_pymunk(other)


def test_shapely_reads_the_geo_interface_of_its_geometry() -> None:
    assert shapely_shape(to_shapely(cm.decompose(*FRAME)).__geo_interface__).area == 12.0


def test_values_out_of_range_of_the_other_library_are_refused() -> None:
    for box in (cm.Box((0, 0), (1e40, 1)), cm.Box((1e39, 0), (1e30, 1)), cm.Box((0, 0), (1e-60, 1))):
        with pytest.raises(ValueError, match="32 bits"):
            cm.convert.to_pygame(box)
    with pytest.raises(ValueError, match="no type of geometry"):
        cm.convert.from_shapely({"type": "Blob", "coordinates": []})
    pymunk = pytest.importorskip("pymunk")
    assert cm.convert.from_pymunk(pymunk.Segment(None, (1, 2), (1, 2), 3)) == cm.Circle((1, 2), 3)
    assert cm.convert.from_pymunk(pymunk.Segment(None, (1, 2), (1, 2), 0)) == cm.Point((1, 2))


def test_rows_become_the_geometries_of_their_values() -> None:
    shapes = cm.Shapes(
        [
            cm.Point((1, 2)),
            cm.Segment((0, 0), (1, 1)),
            cm.Circle((0, 0), 1),
            cm.Capsule((0, 0), (2, 0), 0.5),
            cm.Box((0, 0), (2, 1), 0.3),
            cm.Box((0, 0), (2, 1), radius=0.2),
            cm.Polygon([(0, 0), (2, 0), (1, 1)]),
        ]
    )
    for shape, geometry in zip(shapes, shapes.to_shapely(), strict=True):
        assert cm.convert.to_shapely(shape).equals(geometry)
        assert shapely.get_num_coordinates(cm.convert.to_shapely(shape)) == shapely.get_num_coordinates(geometry)
    assert cm.Shapes().to_shapely().shape == (0,)
    with pytest.raises(ValueError, match=r"Shapes\.to_shapely: quarter = 0 must be positive"):
        shapes.to_shapely(quarter=0)


@pytest.mark.parametrize(
    "geometry",
    [
        shapely.MultiPoint([(0, 0), (1, 2)]),
        shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 2, 3, 4)]),
        shapely.LineString([(0, 0), (1, 1), (2, 0)]),
        shapely.GeometryCollection([shapely.Point(0, 0), shapely.box(0, 0, 1, 1)]),
        shapely.GeometryCollection(),
    ],
    ids=lambda geometry: geometry.geom_type,
)
def test_all_that_from_shapely_gives_is_taken_back(geometry: Any) -> None:
    back = cm.convert.to_shapely(cm.convert.from_shapely(geometry))
    assert back.equals(geometry) and back.geom_type.removeprefix("Multi") == geometry.geom_type.removeprefix("Multi")


def test_boxes_of_bounds_are_those_of_their_corners() -> None:
    bounds = [(0, 0, 2, 1), (1e7 + 0.1, -3, 1e7 + 0.7, 5)]
    boxes = cm.Shapes.boxes(bounds=bounds, radius=[0, 0.5])
    assert [*boxes] == [
        cm.Box.from_corners(row[:2], row[2:], radius=r) for row, r in zip(bounds, (0, 0.5), strict=True)
    ]
    assert cm.Shapes.boxes(bounds=bounds).bounds.tolist() == [[*row] for row in bounds]
    with pytest.raises(ValueError, match=r"Shapes.boxes: bounds\[1\] = \(0.0, 0.0, 0.0, 1.0\) must be min x"):
        cm.Shapes.boxes(bounds=[(0, 0, 1, 1), (0, 0, 0, 1)])
    with pytest.raises(ValueError, match="in place of center, size"):
        cm.Shapes.boxes([(0, 0)], [(1, 1)], bounds=bounds)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="give center and size"):
        cm.Shapes.boxes()  # type: ignore[call-overload]
