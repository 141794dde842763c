"""The nearest shapes of the points of a table: as one index of all shapes tells them, however the work is cut."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("dask.dataframe")
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

import carom as cm
from carom import tables
from carom.tables.wkb import places_of_points


def discs(rng: np.random.Generator, count: int, *, crowded: bool = False) -> pd.DataFrame:
    places = rng.uniform(0.0, 100.0, (count, 2))
    if crowded:
        places[::2] = 50.0 + rng.normal(size=places[::2].shape)
    return pd.DataFrame({"x": places[:, 0], "y": places[:, 1], "radius": rng.uniform(0.1, 2.0, count)})


def in_memory(points: Any, shapes: cm.Shapes, k: int, within: float = math.inf) -> list[tuple[int, int, float]]:
    """Return (point, shape, distance) by going through all distances."""
    found = []
    for number, point in enumerate(np.asarray(points)):
        distances = cm.distance(cm.Point(tuple(point)), shapes)
        order = np.lexsort((np.arange(len(distances)), distances))[:k]
        found += [(number, int(row), float(distances[row])) for row in order if distances[row] <= within]
    return found


def rows(answer: Any) -> list[tuple[Any, ...]]:
    return list(answer.compute().itertuples(index=False, name=None))


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(15, 60), st.integers(1, 3), st.booleans())
@settings(max_examples=8, deadline=None)
def test_nearest_is_that_of_all_shapes(seed: int, k: int, tile_rows: int, partitions: int, crowded: bool) -> None:
    rng = np.random.default_rng(seed)
    source = discs(rng, 120, crowded=crowded)
    points = pd.DataFrame(rng.uniform(-20.0, 120.0, (60, 2)), columns=["x", "y"])
    shapes = cm.Shapes.circles(source[["x", "y"]].to_numpy(), source["radius"].to_numpy())
    given_points = dd.from_pandas(points, npartitions=partitions)
    for within in (math.inf, 4.0):
        found = tables.nearest(given_points, source, k, within=within, tile_rows=tile_rows)
        assert rows(found) == in_memory(points, shapes, k, within)


def test_points_on_edges_of_tiles_and_equal_distances() -> None:
    x, y = (side.ravel().astype(float) for side in np.meshgrid(np.arange(12), np.arange(12)))
    source = pd.DataFrame({"x": x, "y": y})
    points = pd.DataFrame({"x": np.append(x, x + 0.5), "y": np.append(y, y + 0.5)})
    shapes = cm.Shapes.points(source.to_numpy())
    for tile_rows in (20, 50):
        assert rows(tables.nearest(points, source, 5, tile_rows=tile_rows)) == in_memory(points, shapes, 5)


def test_polygons_with_holes_count_once_and_names_are_the_users_own(tmp_path: Path) -> None:
    ring = shapely.Polygon([(0, 0), (10, 0), (10, 10), (0, 10)], [[(2, 2), (8, 2), (8, 8), (2, 8)]])
    zones = [ring, shapely.box(20, 0, 21, 1), None, shapely.box(5, 30, 6, 31)]
    source = pd.DataFrame({"zone": ["ring", "small", "none", "high"], "geometry": shapely.to_wkb(zones)})
    points = pd.DataFrame(
        {"id": [30, 10, 20], "geometry": shapely.to_wkb(shapely.points([(5.0, 5.0), (1.0, 1.0), (20.5, 3.0)]))}
    )
    told = [(30, "ring", 3.0), (30, "small", math.hypot(15.0, 4.0)), (10, "ring", 0.0), (10, "small", 19.0)]
    told += [(20, "small", 2.0), (20, "ring", 10.5)]
    for tile_rows in (None, 1):
        assert rows(tables.nearest(points, source, 2, other_id="zone", tile_rows=tile_rows)) == told
    assert len(rows(tables.nearest(points, source, 9, other_id="zone"))) == 9
    done = tables.nearest(points, source, 2, other_id="zone", out=tmp_path / "out", tile_rows=1)
    assert done.pairs == 6
    assert list(pd.read_parquet(done.path).itertuples(index=False, name=None)) == told


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
def test_points_in_wkb_are_read_as_shapely_reads_them(kind: pa.DataType) -> None:
    places = np.random.default_rng(2).normal(size=(40, 2))
    points = shapely.points(places)
    stored = pa.array(shapely.to_wkb(points), pa.binary()).cast(kind)
    found = places_of_points(stored[3:17])
    assert found is not None
    assert (found == places[3:17]).all()
    others = [None, shapely.Point(), shapely.Point(1, 2, 3), shapely.Point(0, 1e200), shapely.box(0, 0, 1, 1)]
    for other in others:
        for flavor in ({}, {"byte_order": 0}):
            mixed = pa.array(shapely.to_wkb([*points, other], **flavor), pa.binary()).cast(kind)
            assert places_of_points(mixed) is None
    assert places_of_points(pa.array(shapely.to_wkb(points, byte_order=0), pa.binary()).cast(kind)) is None


def test_columns_of_views_are_read_as_others(tmp_path: Path) -> None:
    names, places = pa.array(["b", "a", "c"]), shapely.points([(0.0, 0.0), (5.0, 0.0), (9.0, 1.0)])
    plain = pa.table({"id": names, "geometry": pa.array(shapely.to_wkb(places), pa.binary())})
    views = plain.cast(pa.schema([("id", pa.string_view()), ("geometry", pa.binary_view())]))
    pq.write_table(views, tmp_path / "views.parquet")
    wanted = rows(tables.nearest(plain, plain, 2))
    assert len(wanted) == 6
    for given_table in (views, tmp_path / "views.parquet"):
        assert rows(tables.nearest(given_table, given_table, 2)) == wanted
    assert len(rows(tables.join(views, within=5.0, columns=()))) == 2


def test_nothing_to_ask_or_to_find() -> None:
    points = pd.DataFrame({"id": ["a"], "x": [0.0], "y": [0.0]})
    source = discs(np.random.default_rng(1), 3)
    for some, others in ((points.iloc[:0], source), (points, source.iloc[:0])):
        found = tables.nearest(some, others).compute()
        assert list(found.columns) == ["a", "b", "distance"]
        assert len(found) == 0


def test_what_cannot_be_is_refused() -> None:
    points, source = pd.DataFrame({"x": [0.0, math.nan], "y": [0.0, 1.0]}), discs(np.random.default_rng(1), 3)
    with pytest.raises(ValueError, match=r"^nearest: k = 0 must be at least 1"):
        tables.nearest(points, source, 0)
    with pytest.raises(ValueError, match=r"^nearest: within = -1.0 must not be negative"):
        tables.nearest(points, source, within=-1.0)
    with pytest.raises(ValueError, match=r"^nearest: the table, row 1: \(nan, 1.0\): a number is missing"):
        tables.nearest(points, source)
    with pytest.warns(UserWarning, match=r"^nearest: 1 bad row is left out: the table, row 1: \(nan, 1.0\)"):
        assert len(tables.nearest(points, source, on_bad="skip")) == 1
    with pytest.raises(ValueError, match=r"^nearest: shape = \('x', 'y', 'radius'\) must be a geometry, or x and y"):
        tables.nearest(source, source)
    zones = pd.DataFrame({"geometry": shapely.to_wkb([shapely.Point(0, 0), shapely.box(0, 0, 1, 1)])})
    with pytest.raises(ValueError, match=r"^nearest: the table, row 1: the shape is no point"):
        tables.nearest(zones, source)


@pytest.mark.parametrize("tile_rows", [6, 1000])
def test_jagged_zones_of_several_parts(tile_rows: int) -> None:
    rng = np.random.default_rng(7)
    angles = np.linspace(0.0, 2 * np.pi, 40, endpoint=False)
    round_about = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    stars = [shapely.Polygon(rng.uniform(0, 50, 2) + rng.uniform(1, 3, (40, 1)) * round_about) for _ in range(36)]
    zones = np.array([shapely.union(a, b) for a, b in zip(stars[::2], stars[1::2], strict=True)])
    points = pd.DataFrame(rng.uniform(-5.0, 55.0, (80, 2)), columns=["x", "y"])
    source = pa.table({"geometry": shapely.to_wkb(zones).tolist()})
    found = rows(tables.nearest(points, source, 3, tile_rows=tile_rows))
    apart = shapely.distance(shapely.points(points.to_numpy())[:, None], zones[None, :])
    assert len(found) == 3 * len(points)
    for place, (point, zone, distance) in enumerate(found):
        assert distance == pytest.approx(np.sort(apart[point])[place % 3], abs=1e-12)
        assert distance == pytest.approx(apart[point, zone], abs=1e-12)
