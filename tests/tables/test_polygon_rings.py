"""Polygons read as rings from WKB and GeoArrow: the numbers that Shapely reads, and joins that do not depend on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely

import carom as cm
from carom import tables
from carom.tables.polygon_rings import rings_of


def zones(seed: int, count: int = 60) -> Any:
    """Return jagged polygons on a grid; every fourth has two parts, every fifth a hole, some are missing or empty."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(count):
        turns = np.linspace(0, 2 * np.pi, 30, endpoint=False)
        sizes = rng.uniform(0.4, 0.9, (2, 30))
        at = rng.uniform(0, 8, (2, 2)) + 20.0 * np.arange(2)[:, None]
        rings = [at[m] + sizes[m][:, None] * np.stack((np.cos(turns), np.sin(turns)), axis=1) for m in range(2)]
        hole = [at[0] + 0.2 * np.stack((np.cos(turns), np.sin(turns)), axis=1)] if k % 5 == 0 else []
        one = shapely.Polygon(rings[0], hole)
        found.append(shapely.MultiPolygon([one, shapely.Polygon(rings[1])]) if k % 4 == 0 else one)
    found[7], found[9] = None, shapely.Polygon()
    return np.array(found, dtype=object)


def stored(geometries: Any, kind: str) -> pa.Array:
    """Return a column of geometries as files have it."""
    if kind in ("binary", "large_binary"):
        return pa.array(shapely.to_wkb(geometries), pa.type_for_alias(kind))
    whole = [shapely.MultiPolygon([one]) if one.geom_type == "Polygon" else one for one in geometries]
    _, points, offsets = shapely.to_ragged_array(whole)
    column = pa.array(points.reshape(-1), pa.float64())
    inner: Any = pa.FixedSizeListArray.from_arrays(column, 2)
    if kind == "separate":
        inner = pa.StructArray.from_arrays([pa.array(points[:, k].copy()) for k in range(2)], ["x", "y"])
    for each in offsets:
        inner = pa.ListArray.from_arrays(pa.array(each.astype(np.int32)), inner)
    return inner


@pytest.mark.parametrize("kind", ["binary", "large_binary", "interleaved", "separate"])
def test_rings_are_those_that_shapely_reads(kind: str) -> None:
    given = zones(1)
    if kind in ("interleaved", "separate"):
        given = np.array([one for one in given if one is not None and not one.is_empty], dtype=object)
    encoding = "wkb" if "binary" in kind else "multipolygon"
    for begin, end in ((0, len(given)), (5, 23)):
        column, part = stored(given, kind).slice(begin, end - begin), given[begin:end]
        rings = rings_of(encoding, column)
        assert rings is not None and rings.inputs == len(part) and rings.shapes(touching=False)
        assert np.array_equal(rings.points, shapely.get_coordinates(part))
        assert np.array_equal(rings.bounds(), shapely.bounds(part), equal_nan=True)
        for simple in (False, True):
            assert rings.shapes(simple=simple) == cm.Shapes.from_shapely(part)
            assert np.array_equal(rings.shapes(simple=simple).owner, cm.Shapes.from_shapely(part).owner)


def test_convex_polygons_become_rows_without_shapely(monkeypatch: pytest.MonkeyPatch) -> None:
    given = np.array([shapely.Point(k, 0).buffer(1, quad_segs=2) for k in range(9)], dtype=object)
    given[3] = shapely.reverse(given[3])
    wanted = cm.Shapes.from_shapely(given)
    rings = rings_of("wkb", stored(given, "binary"))
    monkeypatch.setattr(shapely, "polygons", None)
    assert rings is not None and rings.shapes() == wanted
    assert rings.shapes().owner.tolist() == list(range(9))


@pytest.mark.parametrize(
    "row",
    [
        shapely.Point(1, 1),
        shapely.Polygon([(0, 0, 1), (1, 0, 1), (0, 1, 1)]),
        shapely.GeometryCollection([shapely.box(0, 0, 1, 1)]),
        b"\x00" + shapely.to_wkb(shapely.box(0, 0, 1, 1), byte_order=0)[1:],
        shapely.to_wkb(shapely.box(0, 0, 1, 1))[:-1],
        shapely.to_wkb(shapely.box(0, 0, 1, 1)) + b"\x00",
        b"",
        b"\x01\x03",
        b"\x01\x03\x00\x00\x00\xff\xff\xff\xff",
        b"\x01\x06\x00\x00\x00\xff\xff\xff\xff\x01\x03\x00\x00\x00\x01\x00\x00\x00\xff\xff\xff\x7f",
    ],
    ids=lambda row: row.hex()[:8] if isinstance(row, bytes) else row.geom_type,
)
def test_other_rows_are_left_to_shapely(row: Any) -> None:
    one = row if isinstance(row, bytes) else shapely.to_wkb(row, output_dimension=3)
    column = pa.array([*shapely.to_wkb(zones(2)[:5]), one, None], pa.binary())
    assert rings_of("wkb", column) is None


def test_a_join_of_zones_with_points_is_that_of_shapely(tmp_path: Any) -> None:
    given = zones(3, 200)
    given[[7, 9]] = given[[8, 10]]
    touching = shapely.Polygon(
        [(0, 0), (8, 0), (8, 8), (4, 3), (0, 8)], [[(4, 3), (3, 2), (5, 2)]]
    )  # no kernel proves it
    given[11] = touching
    at = np.random.default_rng(4).uniform(-1, 9, (9000, 2))
    at[:500] = shapely.get_coordinates(given)[:500]
    frames = (
        pd.DataFrame({"id": np.arange(200) + 1000, "geometry": shapely.to_wkb(given)}),
        pd.DataFrame({"id": np.arange(9000), "x": at[:, 0], "y": at[:, 1]}),
    )
    for tile_rows in (None, 700):
        found = tables.join(*frames, columns=(), tile_rows=tile_rows, sort=True, out=tmp_path / f"{tile_rows}")
        pairs = pd.read_parquet(found.path)[["a", "b"]].to_numpy()
        zone, point = shapely.STRtree(shapely.points(at)).query(given, predicate="intersects")
        wanted = np.stack((zone + 1000, point), axis=1)
        assert np.array_equal(pairs, wanted[np.lexsort(wanted.T[::-1])])


def test_a_join_of_zones_with_themselves_and_within_a_distance() -> None:
    given = zones(5)
    frame = pd.DataFrame({"geometry": shapely.to_wkb(given)})
    for within in (0.0, 0.1):
        found = tables.join(frame, columns=(), within=within, tile_rows=30).compute()
        tree = shapely.STRtree(given)
        asked = {"predicate": "dwithin", "distance": within} if within else {"predicate": "intersects"}
        one, other = tree.query(given, **asked)
        assert sorted(map(tuple, found[["a", "b"]].to_numpy())) == sorted(
            (i, j) for i, j in zip(one, other, strict=True) if i < j
        )


def test_points_without_a_place_are_in_no_zone() -> None:
    given = zones(6)
    at = np.random.default_rng(6).uniform(0, 8, (300, 2))
    at[[3, 50]] = np.nan
    frame, points = pd.DataFrame({"geometry": shapely.to_wkb(given)}), pd.DataFrame(at, columns=["x", "y"])
    found = tables.join(frame, points, columns=()).compute()
    zone, point = shapely.STRtree(shapely.points(at)).query(given, predicate="intersects")
    assert sorted(map(tuple, found[["a", "b"]].to_numpy())) == sorted(zip(zone, point, strict=True))


def test_rows_of_a_saved_set_that_share_an_owner_stay_rows(tmp_path: Any) -> None:
    given = zones(7)
    corner = cm.decompose([(0, 0), (9, 0), (9, 1), (1, 1), (1, 9), (0, 9)])
    cm.Shapes([corner, cm.Point((4, 4))]).save(tmp_path / "some.shapes")
    frame = pd.DataFrame({"geometry": shapely.to_wkb(given)})
    found = tables.join(tmp_path / "some.shapes", frame, columns=()).compute()
    expected = cm.pairs(cm.Shapes([corner, cm.Point((4, 4))]), cm.Shapes.from_shapely(given))
    owner = cm.Shapes.from_shapely(given).owner
    assert sorted(map(tuple, found[["a", "b"]].to_numpy())) == sorted({(i, owner[j]) for i, j in expected.tolist()})
