"""Polygons by the points of their rings: the set that Shapely's polygons make, and what does not fit together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom as cm

shapely = pytest.importorskip("shapely")

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)]
HOLE = [(1, 1), (1, 2), (2, 2), (2, 1), (1, 1)]
CORNER = [(0, 0), (9, 0), (9, 1), (1, 1), (1, 9), (0, 9), (0, 0)]
BOW_TIE = [(0, 0), (2, 2), (2, 0), (0, 2), (0, 0)]
TOUCHING_HOLE = [(0, 0), (2, 1), (1, 2), (0, 0)]


def rings_of(*polygons: list[Any]) -> tuple[np.ndarray[Any, Any], list[int], list[int]]:
    """Return the arguments of polygons, each a list of rings."""
    rings = [ring for polygon in polygons for ring in polygon]
    begins = np.cumsum([0, *map(len, rings)]).tolist()
    return np.array([point for ring in rings for point in ring]), begins, np.cumsum([0, *map(len, polygons)]).tolist()


@pytest.mark.parametrize("turned", [False, True])
def test_rings_make_the_shapes_of_the_same_polygons_of_shapely(turned: bool) -> None:
    given: list[list[Any]] = [[SQUARE, HOLE], [[(x + 20, y) for x, y in CORNER]], [[(x, y + 20) for x, y in SQUARE]]]
    given = [[ring[::-1] for ring in one] for one in given] if turned else given
    first, second, third = (shapely.Polygon(one[0], one[1:]) for one in given)
    assert cm.Shapes.from_rings(*rings_of(*given)) == cm.Shapes.from_shapely([first, second, third])
    owned = cm.Shapes.from_rings(*rings_of(*given), [1, 1, 4])
    wanted = cm.Shapes.from_shapely([None, shapely.MultiPolygon([first, second]), None, None, third])
    assert owned == wanted and owned.owner.tolist() == wanted.owner.tolist()


def test_convex_rings_are_rows_and_need_no_polygons() -> None:
    points, begins, _ = rings_of([SQUARE], [[(9, 0), (12, 0), (9, 5), (9, 0)]])
    found = cm.Shapes.from_rings(points, begins)
    assert found.kinds.tolist() == ["Polygon", "Polygon"] and found.areas.tolist() == [16.0, 7.5]
    assert len(cm.Shapes.from_rings([], [0])) == 0


def test_a_hole_that_touches_its_ring_is_read_unless_it_may_not_touch() -> None:
    given = rings_of([SQUARE, TOUCHING_HOLE])
    assert cm.Shapes.from_rings(*given) == cm.Shapes.from_shapely([shapely.Polygon(SQUARE, [TOUCHING_HOLE])])
    with pytest.raises(ValueError, match="polygon 0 crosses or touches itself"):
        cm.Shapes.from_rings(*given, touching=False)


def test_the_points_given_stay_as_they_are() -> None:
    points, begins, first = rings_of([SQUARE, HOLE])
    kept = points.astype(float)
    given = kept.copy()
    given[0] = given[4] = (-0.0, 0.0)
    cm.Shapes.from_rings(given, begins, first)
    assert np.signbit(given[0, 0]) and np.array_equal(given, kept)


def test_points_that_are_not_copied_make_the_same_shapes() -> None:
    points, begins, first = rings_of([SQUARE, HOLE])
    expected = cm.Shapes.from_rings(points, begins, first)
    own = points.astype(float)
    assert cm.Shapes.from_rings(own, begins, first, copy=False) == expected
    own.flags.writeable = False
    for given in (own, points.astype(int), np.asfortranarray(points), points.tolist()):
        assert cm.Shapes.from_rings(given, begins, first, copy=False) == expected


POINTS = np.array(SQUARE + HOLE)


@pytest.mark.parametrize(
    ("points", "rings", "polygons", "owner", "text"),
    [
        (BOW_TIE, [0, 5], None, None, r"points of owner\[0\]"),
        (POINTS, [0, 5], None, None, "rings = .* must begin with 0 and end with 10"),
        (POINTS, [0, 3, 10], None, None, r"rings\[1\] = 3 must be at least 4 more than the one before, 0"),
        (POINTS, [0, 11, 10], None, None, r"rings\[2\] = 10 must be at least 4 more"),
        (POINTS, [0, 4, 10], None, None, "ring 0, from point 0 on, must end with the point it begins with"),
        (POINTS, [0, 5, 10], [0, 0, 2], None, r"polygons\[1\] = 0 must be at least 1 more"),
        (POINTS, [0, 5, 10], [0, 3], None, "polygons = .* must begin with 0 and end with 2"),
        (POINTS, [0, 5, 10], [0, 2], [0, 1], r"owner has shape \(2,\); it must be \(1,\)"),
        (POINTS, [0, 5, 10], None, [1, 0], "owner = .* must be 0 or more, and ascend"),
        (POINTS, [0, 5, 10], None, [-1, 0], "owner = .* must be 0 or more, and ascend"),
        (np.where(POINTS == 4, np.nan, POINTS), [0, 5, 10], [0, 2], None, r"points\[1\]\[0\] = nan must be finite"),
    ],
)
def test_what_does_not_fit_together_is_refused(points: Any, rings: Any, polygons: Any, owner: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        cm.Shapes.from_rings(points, rings, polygons, owner)
