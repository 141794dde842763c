"""Contacts of owners: those of `collide` and `closest` of the two as wholes, one row a pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

import carom as cm
from carom.convert import from_shapely

LETTER = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (4, 3), (4, 4), (0, 4)]


def star(rng: np.random.Generator, corners: int) -> Any:
    angles, radii = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners)), rng.uniform(0.4, 1.0, corners)
    ring = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]) + rng.uniform(0.0, 5.0, 2)
    found = shapely.Polygon(ring)
    return found if found.is_valid else found.convex_hull


def geometries(seed: int) -> list[Any]:
    """Return convex and concave polygons, some with a hole, discs of many corners, and lines."""
    rng = np.random.default_rng(seed)
    found = [star(rng, int(rng.integers(3, 20))) for _ in range(30)]
    for k in range(0, 30, 3):
        found[k] = found[k].difference(shapely.buffer(found[k].representative_point(), 0.08))
    found += [shapely.LineString(rng.uniform(0.0, 5.0, (4, 2))) for _ in range(4)]
    return [max(shapely.get_parts(one), key=lambda part: part.length) for one in found]


def whole(geometry: Any) -> Any:
    found = from_shapely(geometry)
    return cm.Compound.from_parts(found) if isinstance(found, tuple) else found


def assert_as_wholes(found: Any, a: list[Any], b: list[Any], within: float) -> None:
    for (i, j), normal, depth, count, points in zip(
        found.pairs.tolist(), found.normal, found.depth, found.count, found.points, strict=True
    ):
        contact = cm.collide(a[i], b[j])
        if contact is None:
            near = cm.closest(a[i], b[j])
            assert 0.0 < near.separation <= within and depth == pytest.approx(-near.separation, abs=1e-12)
            assert count == 1 and points[0] == pytest.approx((near.point_a + near.point_b) / 2, abs=1e-9)
            assert normal == pytest.approx(near.normal, abs=1e-9)
            continue
        assert depth == pytest.approx(contact.depth, abs=1e-12)
        assert normal == pytest.approx(contact.normal, abs=1e-9) or cm.separation(
            a[i], b[j].translated(normal * depth)
        ) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("within", [0.0, 0.4])
@pytest.mark.parametrize("two", [False, True])
def test_a_pair_of_owners_has_the_contact_of_two_wholes(within: float, two: bool) -> None:
    given, more = geometries(1), geometries(2)
    wholes, others = [whole(one) for one in given], [whole(one) for one in more]
    first, second = cm.Shapes.from_shapely(given), cm.Shapes.from_shapely(more) if two else None
    found = cm.contacts(first, second, owners=True, within=within)
    assert found.pairs.tolist() == cm.pairs(first, second, owners=True, within=within).tolist()
    assert len(found.pairs) > 60
    assert_as_wholes(found, wholes, others if two else wholes, within)
    blocks = list(cm.contacts(first, second, owners=True, within=within, block=17))
    assert {len(one.pairs) for one in blocks[:-1]} == {17}
    for column, parts in zip(found, zip(*blocks, strict=True), strict=True):
        assert np.array_equal(column, np.concatenate(parts))


def test_contacts_are_the_same_however_few_rows_are_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = cm.Shapes.from_shapely(geometries(1))
    wanted = cm.contacts(shapes, owners=True)
    monkeypatch.setattr("carom.broad.contact_pairs.OWNERS_ROWS", 20)
    for column, other in zip(wanted, cm.contacts(shapes, owners=True), strict=True):
        assert np.array_equal(column, other)


def test_two_letters_that_interlock_are_as_deep_as_collide_says() -> None:
    a = cm.decompose(LETTER)
    b = a.translated((0.3, 0.4))
    found = cm.contacts([a, b, cm.Circle((2, 2), 0.5)], owners=True, within=1)
    assert found.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert found.depth == pytest.approx([3.6, -0.5, -0.1]) and cm.collide(a, b).depth == found.depth[0]
    assert cm.contacts([a, b]).depth.max() < 1.0


def test_owners_of_one_row_have_the_rows_of_contacts() -> None:
    shapes = cm.Shapes.circles(np.random.default_rng(3).uniform(0, 9, (80, 2)), 0.7)
    for one, other in zip(cm.contacts(shapes, within=0.2), cm.contacts(shapes, within=0.2, owners=True), strict=True):
        assert np.array_equal(one, other)


def test_rows_that_make_no_body_touch_by_the_deepest() -> None:
    points = shapely.MultiPoint([(0.5, 0.5), (2.0, 1.0), (9.0, 9.0)])
    mixed = shapely.GeometryCollection([shapely.LineString([(0, 5), (6, 5)]), shapely.box(4, 4, 6, 4.5)])
    wholes = cm.Shapes.from_shapely([points, shapely.box(0, 0, 4, 4), mixed])
    found = cm.contacts(wholes, owners=True, within=0.5)
    assert found.pairs.tolist() == [[0, 1], [1, 2]]
    assert found.depth.tolist() == [1.0, 0.0]


def test_parts_of_any_kind_make_a_body() -> None:
    rounded = cm.Compound.from_parts([cm.Capsule((0, 0), (3, 0), 0.5), cm.Box((0, 1), (1, 2)), cm.Circle((3, 0), 1)])
    apart = cm.Compound.from_parts([cm.Box((0, 0), (1, 1)), cm.Box((2, 0), (1, 1))])
    pinched = cm.Compound.from_parts([cm.Box((0, 0), (1, 1)), cm.Box((1, 1), (1, 1)), cm.Box((1, 0), (1, 1))])
    given = [rounded, apart.translated((0.3, 0.2)), pinched.translated((1.1, 0.4)), cm.Box((0.5, 0.5), (1, 1))]
    found = cm.contacts(given, owners=True)
    assert len(found.pairs) == 6
    assert_as_wholes(found, given, given, 0.0)


def test_layers_hold_and_a_wrong_word_is_refused() -> None:
    a = cm.decompose(LETTER)
    shapes = cm.Shapes([a, a.translated((0.3, 0.4))])
    layer = np.where(np.asarray(shapes.owner) == 0, 1, 2)
    assert len(cm.contacts(shapes, owners=True, layer=layer, mask=layer).pairs) == 0
    with pytest.raises(TypeError, match=r"^contacts: owners = 1 must be True or False"):
        cm.contacts(shapes, owners=1)  # type: ignore[call-overload]
