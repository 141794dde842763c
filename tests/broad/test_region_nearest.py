"""The nearest owners by the edges of polygons: those that their parts tell, and the distances that Shapely does."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import carom as cm
from tests.support.region_scenes import by_parts, moved, places, scene

PUT = st.sampled_from([(1.0, (0, 0)), (2.0**40, (1, -3)), (1.0, (2.0**20, -(2.0**20))), (2.0**-300, (0, 0))])


def several(seed: int, count: int) -> NDArray[Any]:
    """Return polygons, some of two parts that may lie far from each other."""
    zones = scene(seed, 2 * count)
    far = shapely.transform(zones[count:], lambda points: points + np.array([6.0, -4.0]))
    both = shapely.union(zones[: len(far)], far)
    mixed = np.where(np.arange(len(far)) % 3 == 0, both, zones[: len(far)])
    found: NDArray[Any] = mixed[shapely.is_valid(mixed) & (shapely.get_type_id(mixed) != 7)]
    return found


def check(index: cm.Index, asking: Any, geometries: NDArray[Any], zones: NDArray[Any], k: int, within: float) -> None:
    """Check owners and distances against the parts and against all distances of Shapely."""
    found = index.nearest(asking, k, within, owners=True)
    assert "_slots" not in vars(index)
    parts = cm.Index(by_parts(index.shapes)).nearest(by_parts(asking), k, within, owners=True)
    apart = shapely.distance(geometries[:, None], zones[None, :])
    size = np.abs(shapely.bounds(np.append(zones, geometries))).max()
    for query, (owners, distances) in enumerate(zip(*found, strict=True)):
        there = owners >= 0
        assert len(set(owners[there].tolist())) == there.sum()
        true = apart[query]
        nearest = np.sort(true)[:k]
        nearest = nearest[nearest <= within]
        assert there.sum() == nearest.size
        assert np.abs(distances[there] - nearest).max(initial=0.0) <= 1e-12 * size
        assert np.abs(true[owners[there]] - nearest).max(initial=0.0) <= 1e-12 * size
        assert ((distances[there] == 0.0) == (parts.distances[query][there] == 0.0)).all()
        assert np.abs(distances[there] - parts.distances[query][there]).max(initial=0.0) <= 1e-12 * size
        same = owners == parts.rows[query]
        # Of others the distances are equal but for rounding.
        assert np.abs(true[owners[~same]] - true[parts.rows[query][~same]]).max(initial=0.0) <= 1e-12 * size
        zero = distances == 0.0
        assert same[zero].all() or zero.sum() == k
        order = list(zip(distances[there].tolist(), owners[there].tolist(), strict=True))
        assert order == sorted(order)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), PUT, st.integers(1, 5), st.booleans())
def test_nearest_of_points(seed: int, put: tuple[float, Any], k: int, bounded: bool) -> None:
    plain = several(seed, 10)
    at = np.rint(places(seed, plain) * 4) / 4
    at = (at + np.array(put[1])) * put[0]
    zones = moved(plain, *put)
    index = cm.Index(cm.Shapes.from_shapely(zones))
    check(index, cm.Shapes.points(at), shapely.points(at), zones, k, 1.3 * put[0] if bounded else math.inf)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), PUT, st.integers(1, 4), st.booleans())
def test_nearest_of_polygons_and_lines(seed: int, put: tuple[float, Any], k: int, lines: bool) -> None:
    zones = moved(several(seed, 8), *put)
    others = moved(several(seed + 1, 6), put[0], put[1])
    if lines:
        others = np.array([one.exterior for one in shapely.get_geometry(others, 0)])
    others = shapely.transform(others, lambda points: points + np.array([7.25, 3.5]) * put[0])
    index = cm.Index(cm.Shapes.from_shapely(zones))
    check(index, cm.Shapes.from_shapely(others), others, zones, k, math.inf)


def zones_on_a_map() -> NDArray[Any]:
    """Return two regions beside each other that share a bent border, and one that is far away."""
    left = shapely.Polygon([(0, 0), (4, 0), (3, 1), (4.3, 2.1), (3, 3), (0, 3)])
    right = shapely.Polygon([(8, 0), (8, 3), (3, 3), (4.3, 2.1), (3, 1), (4, 0)])
    return np.array([left, right, shapely.transform(left, lambda points: points + 20.0)])


def test_neighbours_tie_and_the_lower_number_comes_first() -> None:
    for zones in (zones_on_a_map(), zones_on_a_map()[[1, 0, 2]]):
        index = cm.Index(cm.Shapes.from_shapely(zones))
        corner = index.nearest((3.0, 3.7), 2, owners=True)
        assert corner.rows.tolist() == [0, 1]
        assert corner.distances[0] == corner.distances[1] == 3.7 - 3.0
        border = index.nearest((4.3, 2.1), 3, owners=True)
        assert border.rows.tolist() == [0, 1, 2] and border.distances[1] == 0.0
        assert index.nearest((3.0, 3.7), 3, 1.0, owners=True).rows.tolist() == [0, 1, -1]


def test_rows_are_made_when_they_are_asked_for_and_changes_are_seen() -> None:
    shapes = cm.Shapes.from_shapely(zones_on_a_map())
    index = cm.Index(shapes)
    first = index.nearest((1.0, 1.0), owners=True)
    assert "_slots" not in vars(index)
    assert first.rows.tolist() == [0] and first.distances.tolist() == [0.0]
    copy = pickle.loads(pickle.dumps(index))
    assert copy.nearest((1.0, 1.0), owners=True).rows.tolist() == [0]
    assert index.nearest((1.0, 1.0), owners=True, ignore=np.flatnonzero(index.owner == 0)).rows.tolist() == [1]
    index.remove(np.flatnonzero(index.owner == 0))
    assert index.nearest((1.0, 1.0), owners=True).rows.tolist() == [1]
    new = index.insert(cm.Circle((1.0, 1.0), 0.5))
    assert index.nearest((1.0, 1.0), owners=True).rows.tolist() == index.owner[new].tolist()
    assert len(cm.Index(shapes)) == len(shapes)


def test_owners_of_shapes_that_are_rows() -> None:
    index = cm.Index([cm.Circle((0, 0), 1), cm.decompose([(4, 0), (9, 0), (9, 1), (5, 1), (5, 5), (4, 5)])])
    assert index.nearest((20, 0), 2, owners=True).rows.tolist() == [1, 0]
    both = cm.Shapes([cm.decompose([(2, 0), (3, 0), (3, 5), (2.5, 1), (2, 5)]), cm.Point((7, 7))])
    found = index.nearest(both, owners=True)
    assert found.rows.tolist() == [[0], [1]] and found.distances.shape == (2, 1)
    with pytest.raises(TypeError, match="owners"):
        index.nearest((0, 0), owners="yes")  # type: ignore[arg-type]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), PUT, st.sampled_from([0.0, 0.25, 1.0]))
def test_queries_for_owners(seed: int, put: tuple[float, Any], within: float) -> None:
    plain = several(seed, 10)
    at = np.rint(places(seed, plain) * 4) / 4
    at = (at + np.array(put[1])) * put[0]
    zones = moved(plain, *put)
    others = shapely.transform(moved(several(seed + 1, 6), *put), lambda points: points + 0.5 * put[0])
    for asking, geometries in (
        (cm.Shapes.points(at), shapely.points(at)),
        (cm.Shapes.from_shapely(others), others),
        (cm.Shapes.from_shapely(shapely.boundary(others)), shapely.boundary(others)),
    ):
        index = cm.Index(cm.Shapes.from_shapely(zones))
        found = index.query(asking, within=within * put[0], owners=True)
        parts = cm.Index(by_parts(index.shapes)).query(by_parts(asking), within=within * put[0], owners=True)
        assert (found.offsets == parts.offsets).all() and (found.rows == parts.rows).all()
        if within == 0.0:
            true = shapely.intersects(geometries[:, None], zones[None, :])
            if put[0] == 1.0 and len(at) == len(true):  # Shapely's places of crossings are rounded, those of points not
                assert np.array_equal(np.argwhere(true)[:, 1], found.rows)


def test_one_query_for_owners() -> None:
    index = cm.Index(cm.Shapes.from_shapely(zones_on_a_map()))
    assert index.query(cm.Point((4.3, 2.1)), owners=True).tolist() == [0, 1]
    assert index.query(cm.Point((-1.0, 1.0)), within=1.0, owners=True).tolist() == [0]
    fresh = cm.Index(cm.Shapes.from_shapely(zones_on_a_map()))
    assert fresh.query(cm.Segment((1, 1), (7, 1)), owners=True).tolist() == [0, 1]
    assert "_slots" not in vars(fresh)
    assert fresh.query(cm.Circle((3.6, 1.5), 0.25), owners=True).tolist() == [0, 1]  # by parts, since it is round
    assert fresh.query(cm.Point((4.3, 2.1)), touching=False, owners=True).tolist() == []
    some = cm.Shapes.points([(1, 1), (7, 1), (9, 9)])[[2, 1]]
    assert fresh.query(some, owners=True).offsets.tolist() == [0, 0, 1, 1]
    assert fresh.nearest(some, owners=True).rows.tolist() == [[-1], [1], [1]]
