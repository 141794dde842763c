"""Many Shapely geometries at once become the rows that one by one they would."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

RNG = np.random.default_rng(11)
HEXAGON = np.array([(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)])
FRAME = shapely.box(0.1, 0, 3, 3).difference(shapely.box(1, 1, 2, 2))
ARROW = shapely.Polygon([(0, 0), (4, -2), (3, 0), (4, 2)])
PIECES: list[Any] = [
    None,
    shapely.Point(0.1, 2.0),
    shapely.Point(1.0, 2.0, 3.0),
    shapely.Point(),
    shapely.LineString([(0, 0), (1, 0.1), (1, 0.1), (2, 5)]),
    shapely.LineString([(0, 0, 7), (1, 0.1, 8)]),
    shapely.LinearRing([(0, 0), (1, 0), (0, 1)]),
    shapely.LineString(),
    shapely.box(0.1, 0.2, 0.3, 5.0),
    shapely.box(0, 0, 1, 1, ccw=False),
    shapely.Polygon(HEXAGON * 3 + 1e7),
    shapely.Polygon(HEXAGON[::-1]),
    shapely.Polygon([(0, 0), (1, 0), (2, 0), (2, 2), (0, 2)]),  # a straight corner
    shapely.Polygon([(0, 0, 1), (1, 0, 2), (0, 1, 3)]),
    shapely.Point(3, 3).buffer(2.0),
    FRAME,
    ARROW,
    shapely.Polygon(),
    shapely.MultiPoint([(0, 0), (1, 5)]),
    shapely.MultiPoint(),
    shapely.MultiLineString([[(0, 0), (1, 1)], [(5, 5), (6, 6), (7, 5)]]),
    shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 5, 6, 7)]),
    shapely.MultiPolygon([FRAME, shapely.box(5, 5, 6, 7)]),
    shapely.GeometryCollection([shapely.Point(1, 1), FRAME, shapely.MultiPoint([(2, 2), (3, 3)]), shapely.Point()]),
    shapely.GeometryCollection([shapely.GeometryCollection([shapely.box(0, 0, 1, 1)])]),
    shapely.GeometryCollection(),
]


def one_by_one(geometries: list[Any]) -> tuple[list[cm.Shape], list[int]]:
    """Return the shapes and owners that `convert.from_shapely` gives."""
    shapes: list[cm.Shape] = []
    owner = []
    for row, geometry in enumerate(geometries):
        found = () if geometry is None or geometry.is_empty else cm.convert.from_shapely(geometry)
        parts = [p for one in (found if isinstance(found, tuple) else (found,)) for p in getattr(one, "parts", (one,))]
        shapes += parts
        owner += [row] * len(parts)
    return shapes, owner


def assert_alike(many: cm.Shapes, geometries: list[Any]) -> None:
    shapes, owner = one_by_one(geometries)
    assert many.owner.tolist() == owner
    for ours, theirs in zip(many, shapes, strict=True):
        assert type(ours) is type(theirs) and ours._detail == theirs._detail
        assert ours._record.tobytes() == theirs._record.tobytes()


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_geometries_become_the_rows_of_single_conversions(geometries: list[Any]) -> None:
    assert_alike(cm.Shapes.from_shapely(geometries), geometries)
    assert_alike(cm.Shapes.from_shapely(np.array(geometries, dtype=object)), geometries)


def test_random_outlines_become_the_rows_of_single_conversions() -> None:
    outlines = [RNG.normal(size=(3 + k % 4, 2)) * 10.0 ** (k % 9 - 4) + 10.0 ** (k % 7) for k in range(300)]
    geometries = [g for g in map(shapely.Polygon, outlines) if g.is_valid and g.area > 0]
    geometries += [g.convex_hull for g in shapely.multipoints([RNG.normal(size=(12, 2)) for _ in range(100)])]
    many = cm.Shapes.from_shapely(geometries)
    assert_alike(many, geometries)
    areas = np.bincount(many.owner, [shape.area for shape in many])
    assert np.allclose(areas, shapely.area(geometries), rtol=1e-9)
    assert np.array_equal(cm.Shapes.from_shapely(geometries[0]).bounds, many[many.owner == 0].bounds)


def test_inputs_are_counted_with_those_that_have_no_row() -> None:
    many = cm.Shapes.from_shapely([shapely.Point(0, 0), None])
    assert cm.Shapes.concatenate([many, many]).owner.tolist() == [0, 2]


with np.errstate(invalid="ignore"):
    NOWHERE = shapely.LineString([(0, 0), (math.nan, 0)])
BAD: list[tuple[Any, type[Exception], str]] = [
    ([shapely.Point(0, 0), "x"], TypeError, r"geometry\[1\] = 'x' must be a Shapely geometry or None, not str"),
    ("POINT (0 0)", TypeError, "must be a Shapely geometry or None, not str"),
    (3, TypeError, "not int"),
    ([[shapely.Point(0, 0)]], ValueError, r"geometry has shape \(1, 1\)"),
    ([None, shapely.LineString([(1, 1), (1, 1)])], ValueError, r"geometry\[1\] is a line without length"),
    ([None, shapely.LineString([(0, 0), (1e-200, 0)])], ValueError, r"geometry\[1\] has points nearer than"),
    ([shapely.LineString([(0, 0), (1e200, 0)])], ValueError, r"geometry\[0\]: point\[0\] = 1e\+200 must be at most"),
    ([NOWHERE], ValueError, r"geometry\[0\]: point\[0\] = nan must be finite"),
    ([None, shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])], ValueError, r"geometry\[1\]: .*cross"),
    ([shapely.Polygon([(0, 0), (1, 1), (2, 2)])], ValueError, r"geometry\[0\]: .*no area|geometry\[0\]: "),
]


@pytest.mark.parametrize(("geometries", "error", "message"), BAD, ids=range(len(BAD)))
def test_geometries_without_rows_are_refused_by_row(geometries: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cm.Shapes.from_shapely(geometries)
