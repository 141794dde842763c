"""Polygons by their edges: the pairs of owners that their parts make, and that Shapely and fractions find."""

from __future__ import annotations

import importlib
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import carom as cm
from tests.support.region_scenes import GRID, by_parts, moved, places, scene

module = importlib.import_module("carom.broad.region_pairs")


def met(first: NDArray[Any], second: NDArray[Any] | None, **predicate: Any) -> list[list[int]]:
    """Return the pairs that Shapely finds."""
    others = first if second is None else second
    asked = predicate or {"predicate": "intersects"}
    found = shapely.STRtree(others).query(first, **asked)
    return sorted([i, j] for i, j in found.T.tolist() if second is not None or i < j)


SCALES = st.sampled_from(
    [
        (1.0, (0, 0)),
        (2.0**40, (1, -3)),
        (1.0, (2.0**40, -(2.0**40))),
        (2.0**-300, (0, 0)),
        (2.0**-480, (0, 0)),
        (2.0**480, (3, 0)),
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), SCALES)
def test_points_and_polygons_meet_as_parts_and_shapely_say(seed: int, put: tuple[float, Any]) -> None:
    plain = scene(seed, 12)
    zones = moved(plain, *put)
    at = places(seed, plain)
    at = np.rint(at * 4) / 4  # so that a shift changes none
    points = cm.Shapes.points((at + np.array(put[1])) * put[0])
    shapes = cm.Shapes.from_shapely(zones)
    found = cm.pairs(points, shapes, owners=True)
    assert (shapes._things is not None) == (put[0] > 1e-100)  # parts are made of what is smaller
    assert found.tolist() == cm.pairs(points, by_parts(shapes), owners=True).tolist()
    assert found.tolist() == met(shapely.points(at), plain)
    assert cm.pairs(shapes, points, owners=True).tolist() == met(plain, shapely.points(at))
    blocks = cm.pairs(points, shapes, owners=True, block=7)
    assert np.concatenate([found[:0], *blocks]).tolist() == found.tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), SCALES)
def test_polygons_meet_as_parts_and_shapely_say(seed: int, put: tuple[float, Any]) -> None:
    plain, other = scene(seed, 12), scene(seed + 1, 8)
    shapes, others = (cm.Shapes.from_shapely(moved(one, *put)) for one in (plain, other))
    found = cm.pairs(shapes, owners=True)
    assert found.tolist() == met(plain, None) == cm.pairs(by_parts(shapes), owners=True).tolist()
    assert np.concatenate([found[:0], *cm.pairs(shapes, owners=True, block=5)]).tolist() == found.tolist()
    both = cm.pairs(shapes, others, owners=True)
    assert both.tolist() == met(plain, other) == cm.pairs(shapes, by_parts(others), owners=True).tolist()
    assert both.tolist() == cm.pairs(by_parts(shapes), by_parts(others), owners=True, threads=2).tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), SCALES)
def test_lines_and_boxes_meet_polygons_as_parts_say(seed: int, put: tuple[float, Any]) -> None:
    rng = np.random.default_rng(seed)
    plain = scene(seed, 10)
    corners = rng.integers(0, 2 * GRID, (20, 4, 2)) / 2
    lines = moved(shapely.linestrings(corners + np.array([[0, 0], [9, 0], [9, 18], [27, 27]]) / 3), *put)
    low = rng.integers(0, GRID, (20, 2))
    boxes = moved(shapely.box(*low.T, *(low + rng.integers(1, 4, (20, 2))).T), *put)
    zones = moved(plain, *put)
    shapes = cm.Shapes.from_shapely(zones)
    for other in (lines, boxes):
        rows = cm.Shapes.from_shapely(other)
        assert rows._things is None
        found = cm.pairs(rows, shapes, owners=True)
        assert found.tolist() == cm.pairs(rows, by_parts(shapes), owners=True).tolist()
        if put[0] == 1.0:
            assert found.tolist() == met(other, zones)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), SCALES, st.sampled_from([0.25, 0.5, 1.0, 0.7]))
def test_near_pairs_are_those_of_the_parts(seed: int, put: tuple[float, Any], distance: float) -> None:
    zones, within = moved(scene(seed, 12), *put), distance * put[0]
    shapes = cm.Shapes.from_shapely(zones)
    points = cm.Shapes.points((places(seed, scene(seed, 12)) + np.array(put[1])) * put[0])
    assert cm.pairs(shapes, owners=True, within=within).tolist() == (
        cm.pairs(by_parts(shapes), owners=True, within=within).tolist()
    )
    assert cm.pairs(points, shapes, owners=True, within=within).tolist() == (
        cm.pairs(points, by_parts(shapes), owners=True, within=within).tolist()
    )
    if put == (1.0, (0, 0)) and distance == 0.7:  # no pair is at just that distance
        assert cm.pairs(shapes, owners=True, within=within).tolist() == (
            met(zones, None, predicate="dwithin", distance=within)
        )


@pytest.mark.parametrize("options", [{"touching": False}, {"layer": 1, "mask": 3}, {"method": "sweep"}])
def test_options_change_nothing_but_what_they_say(options: dict[str, Any]) -> None:
    shapes = cm.Shapes.from_shapely(scene(5, 20))
    whole = by_parts(shapes)
    assert cm.pairs(shapes, owners=True, **options).tolist() == cm.pairs(whole, owners=True, **options).tolist()


def side(corners: list[tuple[float, float]], x: float, y: float) -> int:
    """Return 1 inside, 0 on, -1 outside of a ring, in fractions."""
    exact = [(Fraction(a), Fraction(b)) for a, b in corners]
    u, v, odd = Fraction(x), Fraction(y), False
    for (ax, ay), (bx, by) in zip(exact, exact[1:] + exact[:1], strict=True):
        turn = (bx - ax) * (v - ay) - (u - ax) * (by - ay)
        if turn == 0 and min(ax, bx) <= u <= max(ax, bx) and min(ay, by) <= v <= max(ay, by):
            return 0
        if (ay > v) != (by > v) and (turn > 0) == (by > ay):
            odd = not odd
    return 1 if odd else -1


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([1.0, 1e12, 1e140]), st.sampled_from([0.0, 1e12]))
def test_slivers_and_ulps_are_decided_as_by_fractions(seed: int, size: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    a, b, c, d = rng.uniform(-1, 1, (4, 2)) * size + shift * size
    corners = [tuple(a), tuple(b), tuple(a + (b - a) * 0.5 + (c - a) * 1e-15), tuple(d)]
    if not shapely.Polygon(corners).is_valid:
        return
    along = a + rng.uniform(0, 1, (50, 1)) * (b - a)
    ulps = np.nextafter(along, along + rng.integers(-1, 2, along.shape))
    at = np.concatenate((ulps, [a, b, c, d], (np.array([a, b, d]) + np.array([b, d, a])) / 2))
    try:
        shapes = cm.Shapes.from_shapely([shapely.Polygon(corners)])
    except ValueError:  # within rounding of no area
        return
    if shapes._things is None:
        return
    found = cm.pairs(cm.Shapes.points(at), shapes, owners=True)[:, 0]
    plain = [(float(x), float(y)) for x, y in corners]
    assert found.tolist() == [k for k, (x, y) in enumerate(at.tolist()) if side(plain, x, y) >= 0]


def test_numbers_whose_products_vanish_are_decided_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = 1e-300
    zone = [(0.0, 0.0), (4.0, tiny), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)]
    shapes = cm.Shapes.from_shapely([shapely.Polygon(zone)])
    assert shapes._things is not None
    asked: list[int] = []
    by_rows = module._by_rows

    def counted(search: Any, a: Any, b: Any, i: Any, j: Any) -> Any:
        asked.append(i.size)
        return by_rows(search, a, b, i, j)

    monkeypatch.setattr(module, "_by_rows", counted)
    at = [(2.0, tiny / 2), (2.0, tiny / 4), (2.0, 0.0), (2.0, tiny), (4.0, tiny), (3.0, 0.0), (2.0, 1.0), (2.0, 1.5)]
    found = cm.pairs(cm.Shapes.points(at), shapes, owners=True)[:, 0]
    assert asked
    assert found.tolist() == [k for k, (x, y) in enumerate(at) if side(zone, x, y) >= 0]


def test_parts_are_made_when_they_are_asked_for() -> None:
    zones = scene(3, 8)
    shapes = cm.Shapes.from_shapely(zones)
    cm.pairs(shapes, owners=True)
    with pytest.raises(AttributeError):
        object.__getattribute__(shapes, "_proxies")
    rows = len(shapes)
    assert rows == shapes.owner.size > len(zones)
    assert object.__getattribute__(shapes, "_proxies").starts.size == rows
    assert pickle.loads(pickle.dumps(cm.Shapes.from_shapely(zones))) == shapes
    assert cm.Shapes.from_shapely(zones)[1:] == shapes[1:]
    assert repr(cm.Shapes.from_shapely(zones)) == repr(shapes)


def test_convex_polygons_and_other_geometries_are_rows_at_once() -> None:
    hexagons = [shapely.Point(k, 0).buffer(1, quad_segs=2) for k in range(5)]
    assert cm.Shapes.from_shapely(hexagons)._things is None
    assert cm.Shapes.from_shapely([*scene(1, 4), shapely.Point(0, 0)])._things is None
    assert cm.Shapes.from_shapely([None, *scene(1, 4), shapely.Polygon()])._things is not None


def test_polygons_that_cross_themselves_are_refused_before_anything_is_asked() -> None:
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    hole_outside = shapely.Polygon([(0, 0), (4, 0), (1, 1), (0, 4)], [[(5, 5), (6, 5), (6, 6)]])
    within = [[(1, 1), (9, 1), (9, 9), (1, 9)], [(3, 3), (4, 3), (4, 4)]]
    hole_in_hole = shapely.Polygon([(0, 0), (10, 0), (10, 10), (0, 10)], within)
    for bad in (bow, hole_outside, hole_in_hole):
        with pytest.raises(ValueError, match=r"geometry\[1\]"):
            cm.Shapes.from_shapely([*scene(1, 1), bad])
        kept = cm.Shapes.from_shapely([*scene(1, 1), bad], on_bad="skip")
        assert [one.index for one in kept.bad] == [1]
        assert cm.pairs(cm.Shapes.points([(2, 2)]), kept, owners=True)[:, 1].max(initial=0) == 0


def test_holes_side_by_side_leave_nothing_between_them() -> None:
    holes = [[(1, 1), (2, 1), (2, 3), (1, 3)], [(2, 1), (3, 1), (3, 3), (2, 3)]]
    zone = shapely.Polygon([(0, 0), (4, 0), (4, 4), (2, 3.5), (0, 4)], holes)
    at = [(2.0, 2.0), (2.0, 1.0), (2.0, 0.5), (1.5, 2.0), (1.0, 2.0), (2.0, 3.5), (2.0, 3.6)]
    shapes = cm.Shapes.from_shapely([zone])
    assert shapes._things is not None
    expected = [1, 2, 4, 5]
    assert cm.pairs(cm.Shapes.points(at), shapes, owners=True)[:, 0].tolist() == expected
    assert cm.pairs(cm.Shapes.points(at), by_parts(shapes), owners=True)[:, 0].tolist() == expected


def test_a_line_that_crosses_many_edges_is_no_reason_to_compare_all() -> None:
    teeth = np.arange(6000)
    corners = np.stack((teeth * 0.5, 1.0 + 50.0 * (teeth % 2)), axis=1)
    zone = shapely.Polygon([(0.0, 0.0), *corners.tolist(), (3000.0, 0.0)])
    turned = shapely.transform(zone, lambda points: points @ np.array([[0.6, 0.8], [-0.8, 0.6]]))
    for one in (zone, turned):
        shapes = cm.Shapes.from_shapely([one])
        assert shapes._things is not None
        assert shapes._things.slabs.edges.size <= 6 * len(shapes._things.rings.points)
        at = shapely.get_coordinates(one)[::100]
        assert len(cm.pairs(cm.Shapes.points(at), shapes, owners=True)) == len(at)


def test_many_points_and_convex_polygons_meet_as_their_rows_say() -> None:
    rng = np.random.default_rng(8)
    hexagons = [shapely.Point(x, y).buffer(0.7, quad_segs=2) for x, y in rng.uniform(0, 30, (400, 2))]
    rows = cm.Shapes.from_shapely(hexagons)
    at = np.concatenate((shapely.get_coordinates(hexagons)[:1500], rng.uniform(0, 30, (4000, 2))))
    for within in (0.0, 0.25):
        points = cm.Shapes.points(at)
        assert isinstance(points._things, np.ndarray)
        found = cm.pairs(points, rows, owners=True, within=within)
        with pytest.raises(AttributeError):
            object.__getattribute__(points, "_proxies")
        assert found.tolist() == cm.pairs(points, rows, within=within).tolist()
        assert cm.pairs(rows, points, owners=True, within=within).tolist() == sorted(found[:, ::-1].tolist())


def test_points_keep_their_numbers_when_the_array_changes() -> None:
    at = np.random.default_rng(1).uniform(0, 9, (5000, 2))
    given = at.copy()
    points = cm.Shapes.points(given)
    given[:] = 0.0
    assert points == by_parts(points) and np.array_equal(points.positions, at)
    assert len(cm.Shapes.points(at)) == 5000 and cm.Shapes.points(at)[4999] == cm.Point(tuple(at[4999]))


def test_rows_that_are_each_a_thing_are_asked_as_rows() -> None:
    rng = np.random.default_rng(2)
    discs = cm.Shapes.circles(rng.uniform(0, 20, (300, 2)), 0.7)
    some = discs[np.flatnonzero(rng.random(300) < 0.5)]
    assert cm.pairs(discs, owners=True).tolist() == cm.pairs(discs).tolist()
    expected = np.stack((some.owner[cm.pairs(some)[:, 0]], some.owner[cm.pairs(some)[:, 1]]), axis=1)
    assert cm.pairs(some, owners=True).tolist() == expected.tolist()
    assert len(next(cm.pairs(some, discs, owners=True, block=10))) == 10
