"""Yes or no, exactly: `intersects` against rational arithmetic, on everything the scenes have to offer."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given

import carom as cm
from tests.support import oracle, scenes
from tests.support.judges import wrong_intersects

ROWS = [400, pytest.param(30_000, marks=pytest.mark.full)]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_intersects_is_exact(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.pair(family, row), wrong_intersects)
    assert not complaints, complaints


@given(scenes.pairs())
@scenes.cases(5)
def test_intersects_is_exact_for_drawn_pairs(pair: scenes.Scene) -> None:
    complaint = wrong_intersects(*pair)
    assert complaint is None, complaint


def test_the_scenes_are_hard() -> None:
    """The families that say so do touch exactly, and one ulp leads to either side."""
    signs = {family: [oracle.sign(*scenes.pair(family, row)) for row in range(200)] for family in scenes.FAMILIES}
    assert set(signs["touching"]) == {0}
    assert set(signs["junctures"]) == {0}
    assert set(signs["corner_touch"]) == {0}
    assert set(signs["one_ulp"]) == {-1, 0, 1}
    assert set(signs["tiles"]) == {-1, 0}
    for family in ("near_touch", "needles", "far_away", "near_parallel", "slivers", "mixed_sizes", "extremes"):
        assert min(signs[family].count(-1), signs[family].count(1)) > 20, family


def test_every_pair_of_kinds_is_met() -> None:
    """Each family that draws its kinds freely meets all 81 combinations within the sampled rows and the full ones."""
    met = set()
    for row in range(700):
        a, b = scenes.pair("touching", row)
        met.add((type(a), a.radius > 0 if hasattr(a, "radius") else False, type(b)))
    assert len({(first, last) for first, _, last in met}) == 36


@pytest.mark.parametrize(
    ("a", "b", "closed", "interiors"),
    [
        (cm.Box((0, 0), (2, 2)), cm.Box((2, 0), (2, 2)), True, False),
        (cm.Box((0, 0), (2, 2)), cm.Box((2, 2), (2, 2)), True, False),
        (cm.Box((0, 0), (2, 2)), cm.Box((math.nextafter(2, 3), 0), (2, 2)), False, False),
        (cm.Circle((0, 0), 2), cm.Circle((3, 4), 3), True, False),
        (cm.Circle((0, 0), 2), cm.Circle((3, 4), math.nextafter(3, 0)), False, False),
        (cm.Circle((0, 0), 2), cm.Circle((3, 4), math.nextafter(3, 9)), True, True),
        (cm.Circle((1, 1), 1), cm.Circle((1, 1), 1), True, True),
        (cm.Point((1, 1)), cm.Point((1, 1)), True, False),
        (cm.Point((1, 1)), cm.Box((1, 1), (1, 1)), True, True),
        (cm.Point((1, 1)), cm.Circle((1, 0), 1), True, False),
        (cm.Segment((0, 0), (4, 0)), cm.Segment((2, -1), (2, 1)), True, True),
        (cm.Segment((0, 0), (4, 0)), cm.Segment((3, 0), (9, 0)), True, False),
        (cm.Segment((0, 0), (4, 0)), cm.Segment((5, 0), (9, 0)), False, False),
        (cm.Circle((0, 0), 9), cm.Circle((1, 0), 1), True, True),
    ],
)
def test_intersects_is_right_in_named_cases(a: Any, b: Any, closed: bool, interiors: bool) -> None:
    assert cm.intersects(a, b) is closed
    assert cm.intersects(a, b, touching=False) is interiors


def test_overlap_of_nearly_no_depth_is_seen_at_any_scale() -> None:
    """Two flush boxes, one made an ulp wider, from 1e-149 to 1e149."""
    for exponent in range(-490, 491, 35):
        unit = 2.0**exponent
        flush = cm.Box.from_corners((0, 0), (unit, unit)), cm.Box.from_corners((unit, 0), (2 * unit, unit))
        wider = cm.Box.from_corners((0, 0), (math.nextafter(unit, math.inf), unit))
        thinner = cm.Box.from_corners((0, 0), (math.nextafter(unit, 0), unit))
        found = [
            (cm.intersects(a, flush[1]), cm.intersects(a, flush[1], touching=False)) for a in (flush[0], wider, thinner)
        ]
        assert found == [(True, False), (True, True), (False, False)], f"unit 2**{exponent}"
