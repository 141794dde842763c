"""Where sizes lie too far apart for products of float64, whole numbers decide: single pairs, rows, casts."""

from __future__ import annotations

from typing import Any

import pytest

import carom as cm
from carom.narrow.exact.integers import path_by_integers, side_by_integers
from carom.narrow.exact.sign import BEYOND, path_touches, side_of_touching
from carom.shapes.proxy import RADIUS
from tests.support import oracle, scenes

FAR_APART: list[tuple[Any, Any]] = [
    (cm.Circle((-1e100, 0), 1e100), cm.Point((1e-300, 0))),
    (cm.Circle((-1e100, 0), 1e100), cm.Point((0, 0))),
    (cm.Circle((-1e100, 0), 1e100), cm.Point((-1e-300, 0))),
    (cm.Circle((-1e150, 0), 1e150), cm.Circle((1e-150, 0), 1e-150)),
    (cm.Box((0, 0), (1e150, 1e150), 0.3), cm.Circle((0, 0), 1e-150)),
    (cm.Capsule((0, 0), (1e148, 1e148), 1e-140), cm.Point((3e-141, -3e-141))),
    (cm.Capsule((0, 0), (1e148, 1e148), 1e-140), cm.Point((3e-140, -3e-140))),
]


def radii(a: Any, b: Any) -> tuple[float, float]:
    return float(a._record[RADIUS]), float(b._record[RADIUS])


@pytest.mark.parametrize(("a", "b"), FAR_APART)
def test_sizes_far_apart_are_decided(a: Any, b: Any) -> None:
    sign = oracle.sign(a, b)
    assert cm.intersects(a, b) == (sign <= 0)
    assert cm.intersects(a, b, touching=False) == (sign < 0)
    found = cm.separation(a, b)
    assert (found > 0.0, found < 0.0) == (sign > 0, sign < 0)
    many = cm.Shapes.repeat(a, 3)
    assert cm.intersects(many, b).tolist() == [sign <= 0] * 3
    assert cm.separation(many, b).tolist() == [found] * 3
    assert cm.contains(many, b).tolist() == [cm.contains(a, b)] * 3
    assert cm.contains(a, b) == oracle.contains(a, b)


def test_the_kernel_reports_numbers_out_of_its_range() -> None:
    a, b = FAR_APART[0]
    assert side_of_touching(a._record, 0, b._record, 0, 0.0, 0.0, *radii(a, b)) == BEYOND
    assert path_touches(a._record, 0, b._record, 0, 1.0, 0.0) == BEYOND


def test_casts_among_sizes_far_apart_are_exact() -> None:
    mover = cm.Circle((-10.0, 1.0), 1.0)
    under, over = cm.Point((0.0, 1e-300)), cm.Point((0.0, -1e-300))
    assert cm.cast(mover, under, (20.0, 0.0)) is not None
    assert cm.cast(mover, cm.Point((0.0, 0.0)), (20.0, 0.0)) is not None
    assert cm.cast(mover, over, (20.0, 0.0)) is None
    points = cm.Shapes([under, over])
    assert cm.cast(mover, points, (20.0, 0.0)).hit.tolist() == [True, False]


@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_whole_numbers_agree_with_the_oracle(family: str) -> None:
    for row in range(25):
        a, b = scenes.pair(family, row)
        assert side_by_integers(a._record, 0, b._record, 0, 0.0, 0.0, *radii(a, b)) == oracle.sign(a, b), row


@pytest.mark.parametrize("family", scenes.JOURNEYS)
def test_whole_numbers_agree_with_the_kernel_on_paths(family: str) -> None:
    asked = 0
    for row in range(25):
        a, b, path = scenes.journey(family, row)
        kernel = path_touches(a._record, 0, b._record, 0, float(path[0]), float(path[1]))
        if cm.separation(a, b) > 0.0 and kernel != BEYOND:
            asked += 1
            assert path_by_integers(a._record, 0, b._record, 0, float(path[0]), float(path[1])) == (kernel == 1), row
    assert asked or family in ("from_overlap", "from_touch")
