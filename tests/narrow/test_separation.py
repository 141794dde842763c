"""How far, which way, where: `separation`, `distance`, `closest` and `collide` against exact lengths and each other.

The answers are judged in `tests/support/judges.py`.
"""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

import carom as cm
from tests.support import oracle, scenes
from tests.support.judges import off_shape, wrong_closest, wrong_contact, wrong_separation

ROWS = [120, pytest.param(12_000, marks=pytest.mark.full)]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_separation_is_exact_to_rounding(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.pair(family, row), wrong_separation)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_closest_points_and_normal_are_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.pair(family, row), wrong_closest)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_contacts_are_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.pair(family, row), wrong_contact)
    assert not complaints, complaints


@given(scenes.pairs())
@scenes.cases(3)
def test_all_verbs_agree_for_drawn_pairs(pair: scenes.Scene) -> None:
    for question in (wrong_separation, wrong_closest, wrong_contact):
        complaint = question(*pair)
        assert complaint is None, complaint


# Pairs that once got a wrong answer, or that a plausible shortcut gets wrong.
CASES = {
    "parallel segments apart": (
        cm.Segment((-1.4305187677286026, -0.131101809), (-3.3044587445808924, 0.371018895)),
        cm.Segment((-1.4305187677286026, 0.371018895), (-3.3044587445808924, 0.873139599)),
    ),
    "parallel segment and capsule that touch": (
        cm.Segment((34603008.0, 63963136.0), (53477376.0, 38797312.0)),
        cm.Capsule((38797312.0, 40894464.0), (32505856.0, 49283072.0), 10485760.0),
    ),
    "a point that touches where a capsule's side ends": (
        cm.Point((62.0, 23.0)),
        cm.Capsule((58.5, 6.875), (67.5, 18.875), 6.875),
    ),
    "crossed boxes, two opposite ways out equally short": (
        cm.Box((0.0, 0.0), (0.604437755096556, 1.6204622003772373)),
        cm.Box((0.0, 0.0), (0.8771713938005175, 1.2342309677192307)),
    ),
    "two deep ways out along edges 3e-8 of a turn apart, the foot on the second": (
        cm.Polygon([(27999999.0, -25.0), (27999998.0, 20000000.0), (-1.0, 1.0)]),
        cm.Polygon([(0.0, 0.0), (28000000.0, 20000000.0), (0.0, 20000062.0)]),
    ),
    "a sliver lies on a box, two ulps deep": (
        cm.Polygon(
            [
                (0.8625832266000575, -0.5639032092910607),
                (1.9506950854311818, -0.5639032092912816),
                (1.8625832266000575, -0.5639032092910607),
            ]
        ),
        cm.Box((0.5983588686123824, -0.1045848185568129), (1.846148203397215, 0.9186367814685035)),
    ),
    "a segment along a box's face, one ulp deep": (
        cm.Segment((-2.4894290525688536, 0.2191912901195228), (-0.4894290525688536, 0.2191912901195228)),
        cm.Box((0.0, 0.0), (1.1548882140223469, 0.43838258023905274)),
    ),
    "an edge an ulp from an edge": (
        cm.Segment((8.0, 3.0000000000000004), (-4.0, -5.999999999999999)),
        cm.Polygon([(-4, -3), (0, -3), (16, 9), (8, 13), (7, 12), (0, 3)]),
    ),
    "deep at the far end of float64's grid": (
        cm.Box((-1000000000000000.0, -11128748818950.207), (10.75, 6.59375)),
        cm.Box((-999999999999988.0, -11128748818956.33), (12.237047620280904, 7.633789671931099), -2.9865465721778692),
    ),
    "1e-142 overlaps 1e148 by its own size": (
        cm.Box((0.0, 0.0), (4.074993765550944e-142, 2.5560435168471285e-142)),
        cm.Polygon(
            [
                (-1.3945346723457916e148, 2.3196414576870325e148),
                (-9.169908658052908e147, 4.232629519037851e147),
                (0.0, 0.0),
            ]
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_pairs_that_were_wrong_once_are_right(name: str) -> None:
    for question in (wrong_separation, wrong_closest, wrong_contact):
        complaint = question(*CASES[name])
        assert complaint is None, complaint


def test_flush_boxes_touch_face_to_face() -> None:
    a, b = cm.Box((0, 0), (2, 2)), cm.Box((2, 0.5), (2, 2))
    contact = cm.collide(a, b)
    assert contact is not None
    assert contact.depth == 0.0
    assert tuple(contact.normal) == (1.0, 0.0)
    assert sorted(tuple(p) for p in contact.points) == [(1.0, -0.5), (1.0, 1.0)]
    assert tuple(contact.depths) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("box", "rounded"),
    [
        (
            cm.Box((0.0, 0.0), (0.3755171255470868, 0.4091918799077856)),
            cm.Box(
                (0.5586241793305033, 0.9217454852048057), (1.5386857978962512, 0.48971942839082616), 0.7853981633974483
            ),
        ),
        (
            cm.Box((0.0, 0.0), (1.663865605127057, 1.88246624180898)),
            cm.Box(
                (0.3329318565150348, 1.7108384495934257), (0.48485271382929984, 1.7692074695487665), 3.9843156011816836
            ),
        ),
    ],
)
def test_cores_corner_to_corner_meet_along_the_normal(box: Any, rounded: Any) -> None:
    """Where cores touch and one is grown, the point lies halfway between both surfaces along the normal."""
    rounded = cm.Box(rounded.center, rounded.size, rounded.angle, radius=0.25)
    for a, b in ((box, rounded), (rounded, box)):
        contact = cm.collide(a, b)
        assert contact is not None and len(contact.points) == 1
        half = contact.normal * (contact.depth / 2)
        assert abs(off_shape(contact.points[0] + half, a)) < 1e-14
        assert abs(off_shape(contact.points[0] - half, b)) < 1e-14


def test_a_ball_in_the_side_of_a_box_has_one_contact_point() -> None:
    contact = cm.collide(cm.Circle((0, 0), 1.0), cm.Box((1.5, 0), (2, 1)))
    assert contact is not None
    assert (contact.depth, tuple(contact.normal)) == (0.5, (1.0, 0.0))
    assert len(contact.points) == 1
    assert (tuple(contact.move_a), tuple(contact.move_b)) == ((-0.5, 0.0), (0.5, 0.0))


def test_coincident_centres_part_by_some_unit_normal() -> None:
    contact = cm.collide(cm.Circle((5, 5), 1.0), cm.Circle((5, 5), 2.0))
    assert contact is not None
    assert contact.depth == 3.0
    assert math.hypot(*contact.normal) == 1.0


def test_separation_is_continuous_through_zero() -> None:
    """A box slides past a turned one in tiny steps: no step changes the separation by more than itself."""
    a = cm.Box((0, 0), (2, 1), 0.3)
    step = 2.0**-30
    start = float(oracle.separation(a, cm.Box((3, 0.2), (1, 1), -0.2)))
    seen = [cm.separation(a, cm.Box((3 - start + i * step, 0.2), (1, 1), -0.2)) for i in range(-40, 41)]
    assert all(-1e-14 <= after - before <= step + 1e-14 for before, after in pairwise(seen))


def test_the_deepest_point_of_a_capsule_end_on_is_a_contact_point() -> None:
    """A core that stands on the end of an edge, beyond it by rounding: its end is the contact, nothing up the core."""
    rng = random.Random(1)
    some = [(1.1102230246251565e-16, 2.999999999999999, 3.0, 0.0)]
    for _ in range(4000):
        end, x0, x1, y1 = (rng.randint(-8, 8) * 2.0**-53 for _ in range(4))
        some.append((end, 3.0 + 4.0 * x0, 3.0 + 4.0 * x1, y1))
    for end, x0, x1, y1 in some:
        capsule, wedge = cm.Capsule((0, 0), (3, end), 1.0), cm.Polygon([(x0, -1), (4.5, 0.5), (x1, y1)])
        for a, b in ((capsule, wedge), (wedge, capsule)):
            contact = cm.collide(a, b)
            assert contact is not None and max(contact.depths) == pytest.approx(contact.depth, abs=1e-14)
