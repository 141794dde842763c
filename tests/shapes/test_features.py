"""Collections of features: errors name the one that is wrong; bad ones are skipped or repaired, and listed."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

FINE = {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 1], [1, 1], [1, 4], [0, 4], [0, 0]]]}
BOW_TIE = {"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}
FLAT = {"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [1, 1], [0, 0]]]}
MISSHAPED = {"type": "Polygon", "coordinates": [[[0, 0], [1]]]}

SPHERE = {"type": "Sphere", "coordinates": [1, 2]}


def collection(*geometries: Any) -> dict[str, Any]:
    features = [
        {"type": "Feature", "id": f"id-{k}", "geometry": one, "properties": {"NAME": f"place {k}", "area": 3}}
        for k, one in enumerate(geometries)
    ]
    return {"type": "FeatureCollection", "features": features}


TINY = {"type": "LineString", "coordinates": [[0, 9], [1e-320, 9], [3, 9]]}

READERS = [cm.convert.from_shapely, cm.Shapes.from_shapely]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("bad", [BOW_TIE, FLAT, MISSHAPED, SPHERE, TINY, {"type": "Point"}])
def test_an_error_names_the_feature(read: Any, bad: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"from_shapely: features\[2\] \(id 'id-2', name 'place 2'\)"):
        read(collection(FINE, None, bad, FINE))


@pytest.mark.parametrize("read", READERS)
def test_bad_features_are_skipped_and_listed(read: Any) -> None:
    found = read(collection(FINE, BOW_TIE, None, MISSHAPED, FINE), on_bad="skip")
    assert set(found.owner.tolist()) == {0, 4}
    assert [(one.index, one.id, one.name, one.repaired) for one in found.bad] == [
        (1, "id-1", "place 1", False),
        (3, "id-3", "place 3", False),
    ]
    assert found.bad[0].reason.startswith("the edge from outline[0] = (0.0, 0.0) to [1] = (2.0, 2.0) crosses")
    fine = read(collection(FINE, FINE))
    assert tuple(found) == tuple(fine) and fine.bad == ()


@pytest.mark.parametrize("read", READERS)
def test_bad_features_are_repaired_and_listed(read: Any) -> None:
    found = read(collection(BOW_TIE, FLAT, FINE), on_bad="repair")
    assert [(one.index, one.repaired) for one in found.bad] == [(0, True), (1, False)]
    assert "nothing with an area is left" in found.bad[1].reason
    assert sum(shape.area for shape, owner in zip(found, found.owner, strict=True) if owner == 0) == 2.0


@pytest.mark.parametrize("read", READERS)
def test_one_bad_geometry_is_a_collection_of_one(read: Any) -> None:
    shape = shapely.geometry.shape(BOW_TIE)
    assert len(read(shape, on_bad="skip")) == 0 and read(shape, on_bad="skip").bad[0].index == 0
    assert len(read(BOW_TIE, on_bad="repair")) == 2
    assert len(cm.Shapes.from_shapely({"type": "Feature", "geometry": FINE})) == 2
    assert cm.convert.from_shapely(FINE, on_bad="repair") == cm.convert.from_shapely(FINE)


def test_geometries_in_arrays_are_skipped_and_repaired() -> None:
    bad = [shapely.geometry.shape(BOW_TIE), None, shapely.LineString([(1, 1), (1, 1)])]
    many = [shapely.geometry.shape(FINE)] * 5 + bad
    found = cm.Shapes.from_shapely(many, on_bad="repair")
    assert [(one.index, one.repaired) for one in found.bad] == [(5, True), (7, True)]
    assert found[-1] == cm.Point((1, 1))
    skipped = cm.Shapes.from_shapely(many, on_bad="skip")
    assert set(skipped.owner.tolist()) == set(range(5)) and len(skipped.bad) == 2
    assert skipped[:1].bad == ()


class Column:
    """The parts of a column or table of GeoPandas that are read."""

    crs = None

    def __init__(self, geometry: list[Any], names: list[Any] | None = None) -> None:
        self.geometry = np.array(geometry, dtype=object)
        self.index = [10 * k for k in range(len(geometry))]
        self.columns = ["pop", "Name"] if names else []
        self.names = names

    def __getitem__(self, key: str) -> Any:
        assert key == "Name"
        return self.names


def test_rows_of_geopandas_are_named_by_label_and_name() -> None:
    geometries = [shapely.geometry.shape(one) for one in (FINE, BOW_TIE)]
    assert len(cm.Shapes.from_shapely(Column(geometries[:1]))) == 2
    with pytest.raises(ValueError, match=r"geometry\[1\] \(id 10\): the edge"):
        cm.Shapes.from_shapely(Column(geometries))
    with pytest.raises(ValueError, match=r"geometry\[1\] \(id 10, name 'Chad'\): the edge"):
        cm.Shapes.from_shapely(Column(geometries, ["Mali", "Chad"]))
    (bad,) = cm.Shapes.from_shapely(Column(geometries, ["Mali", "Chad"]), on_bad="skip").bad
    assert (bad.index, bad.id, bad.name) == (1, 10, "Chad")


def test_wrong_types_are_refused_whatever_becomes_of_bad_features() -> None:
    with pytest.raises(TypeError, match=r"shapely.from_wkb and shapely.from_wkt read texts"):
        cm.Shapes.from_shapely([b"\x01"], on_bad="skip")
    with pytest.raises(TypeError, match="features = 3 must be the list of features"):
        cm.convert.from_shapely({"type": "FeatureCollection", "features": 3}, on_bad="skip")
    with pytest.raises(TypeError, match=r"features\[0\] = 3 must be a GeoJSON Feature"):
        cm.convert.from_shapely({"type": "FeatureCollection", "features": [3]}, on_bad="skip")
    for read in READERS:
        with pytest.raises(ValueError, match="on_bad = 'ignore' must be one of raise, skip, repair"):
            read(FINE, on_bad="ignore")


def test_many_features_are_read_as_each_alone() -> None:
    """Outlines are divided together: convex, concave, touching, with holes, far away, thin, and bad ones among them."""
    source = np.random.default_rng(3)
    outlines: list[Any] = [FINE["coordinates"], BOW_TIE["coordinates"], FLAT["coordinates"]]
    for k in range(120):
        t = np.sort(source.uniform(0, 2 * np.pi, 3 + k % 30))
        reach = source.uniform(0.4, 1.0, t.size) * 10.0 ** (k % 7 - 3)
        ring = np.stack((reach * np.cos(t), reach * np.sin(t)), axis=1) + 10.0 ** (k % 5)
        outlines.append([(ring.round(k % 9) if k % 2 else ring).tolist()])
    outlines.append([[[0, 0], [9, 0], [9, 9], [0, 9]], [[1, 1], [2, 1], [2, 2]], [[4, 4], [5, 4], [5, 5]]])
    outlines.append([[[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 1]]])
    geometries = [{"type": "Polygon", "coordinates": rings} for rings in outlines]
    found = cm.convert.from_shapely(collection(*geometries), on_bad="skip")
    alone: list[tuple[int, cm.Shape]] = []
    for k, one in enumerate(geometries):
        with contextlib.suppress(ValueError):
            alone.append((k, cm.convert.from_shapely(one)))
    assert found.owner.tolist() == [k for k, _ in alone] and len(alone) > 100
    for ours, (_, theirs) in zip(found, alone, strict=True):
        assert ours == theirs and cm.bounds(ours) == cm.bounds(theirs)
        parts = [[*getattr(one, "parts", (one,))] for one in (ours, theirs)]
        assert [p._record.tobytes() for p in parts[0]] == [p._record.tobytes() for p in parts[1]]
        if isinstance(ours, cm.Compound) and isinstance(theirs, cm.Compound):
            assert pickle.dumps(ours.translated((1, 2))) == pickle.dumps(theirs.translated((1, 2)))
            assert cm.separation(ours, cm.Point((3, 4))) == cm.separation(theirs, cm.Point((3, 4)))
            assert [part.vertex_ids for part in ours.parts] == [part.vertex_ids for part in theirs.parts]


def test_features_are_pickled_and_copied() -> None:
    found = cm.convert.from_shapely(collection(FINE, BOW_TIE), on_bad="skip")
    for one in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert one == found and one.bad == found.bad and one.owner.tolist() == found.owner.tolist()


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers(-9, 9) | st.sampled_from(["", "Point", "Polygon"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["type", "coordinates"]), inner),
    max_leaves=6,
)


@given(st.data())
def test_mutated_collections_are_read_or_refused_in_own_words(data: st.DataObject) -> None:
    told = json.loads(json.dumps(collection(FINE, {"type": "MultiPolygon", "coordinates": [FINE["coordinates"]]})))
    for _ in range(data.draw(st.integers(1, 3))):
        at: Any = told
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(at[key], (dict, list)) and data.draw(st.integers(0, 3)):
                at = at[key]
                continue
            at[key] = data.draw(VALUES)
            break
    for on_bad in ("raise", "skip", "repair"):
        for read in READERS:
            with contextlib.suppress(TypeError, ValueError):  # errors of other kinds are not its own
                read(told, on_bad=on_bad)
