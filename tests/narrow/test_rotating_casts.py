"""Casts that turn: against closed forms, against a slow search that misses nothing, and against themselves.

What is promised: no contact before the reported fraction, and at it the shapes are apart by no more than the stated
tolerance. Starts in touch and in overlap may leave and slide, and are stopped where they go deeper.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom._core.arithmetic import cos_sin_of
from carom.narrow.rotating_pose import workspace
from carom.narrow.rotating_toi import time_of_impact
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, RADIUS, REACH, X, Y
from tests.support import oracle, scenes, turning_scenes
from tests.support import turning_oracle as slow
from tests.support.plain_python import printed_by_other_mode

EPSILON = 2.0**-52
ROWS = [80, pytest.param(2000, marks=pytest.mark.full)]
FLOOR = cm.Box.from_corners((-10, -1), (10, 0))


def tolerance(a: Any, b: Any, motion: slow.Motion) -> float:
    """Return the tolerance that docs/design/turning.md states."""
    one, two = a._record, b._record
    sizes = [2 * (r[REACH] + r[RADIUS]) for r in (one, two)]
    middles = [max(abs(r[X] + r[CENTER_X]), abs(r[Y] + r[CENTER_Y])) for r in (one, two)]
    slop = max(1e-12 * min(sizes), 16 * EPSILON * max(m + s for m, s in zip(middles, sizes, strict=True)))
    path = math.hypot(one[X] - two[X], one[Y] - two[Y]) + math.hypot(*motion.translation)
    path += slow.reach(a, motion.pivot) * (1 + abs(motion.rotation))
    local = sum(2 * r[REACH] + abs(r[CENTER_X]) + abs(r[CENTER_Y]) + r[RADIUS] for r in (one, two))
    return float(max(slop, EPSILON * (32 * path + 128 * local)))


def wrong(a: Any, b: Any, motion: slow.Motion) -> str | None:
    hit = cm.cast(a, b, motion.translation, rotation=motion.rotation, pivot=motion.pivot)
    near, at_start = tolerance(a, b, motion), slow.exact_separation(a, b, motion, 0.0)
    if isinstance(a, (cm.Point, cm.Circle)) and tuple(a.position) == motion.pivot:
        return None if hit == cm.cast(a, b, motion.translation) else "a disc about its own centre is not a linear cast"
    chase = slow.Chase(a, b, motion)
    end = 1.0 if hit is None else hit.fraction
    if hit is not None and not abs(math.hypot(*hit.normal) - 1.0) <= 4 * EPSILON:
        return f"normal {hit.normal!r} is not a unit vector"
    if at_start > near:
        return wrong_from_apart(a, b, motion, hit, near) or late(a, b, motion, chase, 0.0, 0.0, end)
    # From touch or overlap: nowhere before the hit is it deeper than at the start, and once clear it is apart.
    if rounded_or_solid(a, b, near):
        depth = min(float(at_start), 0.0)
        complaint = late(a, b, motion, chase, depth - 2 * near, 0.0, end)
        if complaint is not None:
            return complaint
        clear = next((k / 64 for k in range(65) if chase.separation(k / 64) > 2.1 * near), None)
        if hit is not None and hit.fraction == 0.0:
            if chase.first_contact(depth - 0.5 * near, 0.0, 1.0, 100_000) is None:
                return f"{hit!r} blocks what goes no deeper than {depth}"
        elif clear is not None:
            return late(a, b, motion, chase, -2 * near, clear, end)
    return None


def rounded_or_solid(a: Any, b: Any, near: float) -> bool:
    """Tell whether the pair can be clearly deeper than touching."""
    return bool(a.radius + b.radius > 2 * near or (min(oracle.size(a), oracle.size(b)) > 0 and a.area + b.area > 1e-8))


def wrong_from_apart(a: Any, b: Any, motion: slow.Motion, hit: Any, near: float) -> str | None:
    """Complain unless at the hit the shapes are apart by at most the tolerance, and normal and point are theirs."""
    if hit is None:
        return None
    left = float(slow.exact_separation(a, b, motion, hit.fraction))
    if not 0.0 < left <= 1.25 * near:
        return f"{hit!r} leaves {left!r}, tolerance {near!r}"
    if hit.overlapping:
        return f"{hit!r} says overlapping"
    moved = slow.posed(a, motion, hit.fraction)
    rounding = Fraction(4 * EPSILON * oracle.largest_coordinate(b) + near)
    for name, other in (("the moved", moved), ("the standing", b)):
        off = abs(oracle.separation(oracle.point(hit.point), other))
        if off > rounding + Fraction(near):
            return f"point {hit.point!r} is {float(off)!r} off {name} shape"
    if a.radius + b.radius > 1e3 * near and oracle.gap(b, moved, hit.normal) < left - near:
        return f"normal {hit.normal!r} opens {float(oracle.gap(b, moved, hit.normal))!r}, not {left!r}"
    return None


def late(a: Any, b: Any, motion: slow.Motion, chase: slow.Chase, level: float, begin: float, end: float) -> str | None:
    found = chase.first_contact(level, begin, end, 30_000)
    if found is None or slow.exact_separation(a, b, motion, found) > level:
        return None
    return f"said {end!r}, yet at {found!r} they are {float(slow.exact_separation(a, b, motion, found))!r} apart"


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", turning_scenes.FAMILIES)
def test_rotating_casts_are_never_late_and_hardly_early(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: turning_scenes.scene(family, row), wrong)
    assert not complaints, complaints


def test_the_scenes_are_hard() -> None:
    for family in turning_scenes.FAMILIES:
        drawn = [turning_scenes.scene(family, row) for row in range(60)]
        hits = sum(cm.cast(a, b, m.translation, rotation=m.rotation, pivot=m.pivot) is not None for a, b, m in drawn)
        assert 3 < hits < 57, family


# --- closed forms ---


def test_a_paddle_meets_a_ball_at_the_exact_angle() -> None:
    """A rod from the pivot comes as near to a ball as the sine of the angle between them."""
    rod = cm.Segment((0, 0), (2, 0))
    for sine in (0.1, 0.5, 0.75, 0.99):
        for turn in (2.0, 7.0, 1000.0):
            hit = cm.cast(rod, cm.Circle((0, 1), sine), (0, 0), rotation=turn, pivot=(0, 0))
            assert hit is not None
            assert hit.fraction == pytest.approx((math.pi / 2 - math.asin(sine)) / turn, rel=1e-10)
            assert hit.normal == pytest.approx((math.sqrt(1 - sine * sine), -sine), abs=1e-6)


def test_a_rod_meets_a_point_at_the_exact_angle() -> None:
    rod = cm.Segment((3, 4), (5, 4))
    for angle in (1e-6, 0.5, 3.0, 6.28):
        seen = cm.Point((3 + 1.5 * math.cos(angle), 4 + 1.5 * math.sin(angle)))
        hit = cm.cast(rod, seen, (0, 0), rotation=2 * math.pi * 1000, pivot=(3, 4))
        assert hit is not None
        assert hit.fraction * 2 * math.pi * 1000 == pytest.approx(angle, abs=1e-9)
        back = cm.cast(rod, seen, (0, 0), rotation=-2 * math.pi * 1000, pivot=(3, 4))
        assert back is not None
        assert back.fraction * 2 * math.pi * 1000 == pytest.approx(2 * math.pi - angle, abs=1e-9)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_a_turning_box_meets_the_floor_with_its_corner(size: float) -> None:
    floor = cm.Box.from_corners((-9 * size, -size), (9 * size, 0))
    for height in (1.01, 1.2, 1.4142):
        box = cm.Box((0, height * size), (2 * size, 2 * size))
        hit = cm.cast(box, floor, (0, 0), rotation=2.0)
        assert hit is not None
        angle = math.pi / 4 - math.acos(height / math.sqrt(2))
        assert hit.fraction * 2.0 == pytest.approx(angle, abs=1e-9)
        assert tuple(hit.normal) == (0.0, 1.0)
        assert hit.point.x == pytest.approx(-math.sqrt(2 - height * height) * size, abs=1e-8 * size)
    assert cm.cast(cm.Box((0, 1.4143 * size), (2 * size, 2 * size)), floor, (0, 0), rotation=100.0) is None


def test_a_point_on_a_rolling_wheel_meets_the_ceiling() -> None:
    """Turning and moving at once: a cycloid, whose height is 1 - cos of the angle rolled."""
    turns = 40 * math.pi
    ceiling = cm.Box.from_corners((-1, 1.5), (200, 2))
    hit = cm.cast(cm.Point((0, 0)), ceiling, (turns, 0), rotation=-turns, pivot=(0, 1))
    assert hit is not None
    assert hit.fraction * turns == pytest.approx(2 * math.pi / 3, abs=1e-9)
    assert cm.cast(cm.Point((0, 0)), ceiling.translated((0, 0.6)), (turns, 0), rotation=-turns, pivot=(0, 1)) is None


def test_a_pivot_a_million_away_keeps_the_digits() -> None:
    hit = cm.cast(cm.Box((0, 0), (1, 1)), cm.Box((0, -1.5), (9, 1)), (0, 0), rotation=1e-6, pivot=(1e6, 0))
    assert hit is not None
    left = 1e6 * (1 + 5e-7)
    assert hit.fraction * 1e-6 == pytest.approx(0.5 / left, abs=2e-14)


def test_a_needle_meets_a_thin_wall_at_any_speed() -> None:
    wall = cm.Box((1, 0), (0.5, 1e-9))
    for turns in (0.3, 1.0, 10.0, 1e3, 1e5):
        needle = cm.Box((0, 0), (4, 1e-9), 1.0)
        hit = cm.cast(needle, wall, (1e-3, 0), rotation=-turns * 2 * math.pi)
        assert hit is not None
        assert hit.fraction * turns * 2 * math.pi == pytest.approx(1.0, abs=1e-2)


def test_a_grazing_tip_is_a_hit_only_if_it_reaches() -> None:
    """The tip of a rod as it comes round just reaches a point, or just does not."""
    rod = cm.Segment((0, 0), (1, 0)).rotated(-1.0, pivot=(0, 0))
    for beyond, expected in ((-1e-9, True), (-1e-12, True), (0.0, True), (1e-9, False), (1e-10, False)):
        for obstacle in (cm.Point((1 + beyond, 0)), cm.Circle((2 + beyond, 0), 1), cm.Box((2 + beyond, 0), (2, 3))):
            for move in ((0.0, 0.0), (0.0, 1e-14)):
                hit = cm.cast(rod, obstacle, move, rotation=20 * math.pi, pivot=(0, 0))
                assert (hit is not None) == expected, (beyond, obstacle)


# --- starts in touch and in overlap ---


def test_a_box_on_the_floor_turns_only_over_its_corner() -> None:
    box = cm.Box((0, 1), (2, 2))
    for turn in (1.0, -1.0, 100.0):
        hit = cm.cast(box, FLOOR, (0, 0), rotation=turn)
        assert hit is not None
        assert (hit.fraction, hit.overlapping, tuple(hit.normal)) == (0.0, False, (0.0, 1.0))
    # Over its own corner: up and round, until the side comes down.
    hit = cm.cast(box, FLOOR, (0, 0), rotation=2.0, pivot=(-1, 0))
    assert hit is None or hit.fraction * 2.0 == pytest.approx(math.pi / 2, abs=1e-9)
    assert cm.cast(box, FLOOR, (0, 0), rotation=1.0, pivot=(-1, 0)) is None
    assert cm.cast(box, FLOOR, (0, 3), rotation=1.0) is None
    assert cm.cast(box, FLOOR, (0, -3), rotation=1.0) is not None


def test_a_rod_that_leaves_and_comes_back_has_its_hit() -> None:
    """Starts in touch, leaves at once, and hits the same wall from the other side: turning is not convex."""
    rod, wall = cm.Segment((0, 0), (2, 0)), cm.Box.from_corners((1, -1), (1.5, 0))
    hit = cm.cast(rod, wall, (0, 0), rotation=7.0, pivot=(0, 0))
    assert hit is not None
    assert hit.fraction * 7.0 == pytest.approx(2 * math.pi - math.pi / 4, abs=1e-9)
    assert not hit.overlapping


def test_a_wheel_that_rolls_is_never_blocked() -> None:
    wheel = cm.Capsule((0, 1), (0, 4), 1)  # turns about the centre of its lower cap
    for move, turn in (((3, 0), -1.5), ((3, 0), 1.5), ((-3, 0), 0.1), ((0, 0), 1.5)):
        assert cm.cast(wheel, FLOOR, move, rotation=turn, pivot=(0, 1)) is None
    hit = cm.cast(wheel, FLOOR, (3, 0), rotation=-3.0, pivot=(0, 1))
    assert hit is not None
    assert hit.fraction * 3.0 == pytest.approx(math.pi / 2, abs=1e-5)
    planet = cm.Circle((2, 0), 1)
    assert cm.cast(planet, cm.Circle((0, 0), 1), (0, 0), rotation=100.0, pivot=(0, 0)) is None


def test_starts_in_overlap_are_hits_where_they_go_deeper() -> None:
    box = cm.Box((0, 0.9), (2, 2))
    hit = cm.cast(box, FLOOR, (0, 0), rotation=1.0)
    assert hit is not None
    assert (hit.fraction, hit.overlapping, tuple(hit.normal)) == (0.0, True, (0.0, 1.0))
    assert cm.cast(box, FLOOR, (0, 9), rotation=1.0) is None
    assert cm.cast(box, FLOOR, (3, 0.0), rotation=0.0, pivot=(0, 0)) is None
    blocked = cm.cast(cm.Segment((0, -1), (0, 1)), cm.Box((0, 0), (1, 1)), (0, 0), rotation=0.5, pivot=(0, 0))
    assert blocked is None or blocked.overlapping


def test_a_cast_from_its_hit_is_stopped_again() -> None:
    """Moved to the hit, the next call starts in touch: pushing on is a hit at 0, turning back is free."""
    for row in range(200):
        a, b, motion = turning_scenes.scene("mixed", row)
        hit = cm.cast(a, b, motion.translation, rotation=motion.rotation, pivot=motion.pivot)
        if hit is None or hit.fraction == 0.0 or a._record[COUNT] == 1:
            continue
        done, left = hit.fraction, 1.0 - hit.fraction
        move = cm.Vec(*motion.translation)
        a = a.rotated(motion.rotation * done, pivot=motion.pivot).translated(move * done)
        pivot = move * done + motion.pivot
        back = cm.cast(a, b, move * -done, rotation=-motion.rotation * done, pivot=pivot)
        assert back is None or back.fraction > 0.0
        again = cm.cast(a, b, move * left, rotation=motion.rotation * left, pivot=pivot)
        if again is None or again.fraction > 1e-9:  # a graze, or away and back
            moved = a.rotated(motion.rotation * left * 1e-6, pivot=pivot).translated(move * left * 1e-6)
            assert cm.separation(moved, b) > -1e-11


# --- the same answer every way ---

SCENES = [turning_scenes.scene(family, row) for family in turning_scenes.FAMILIES for row in range(12)]


def flat(hit: Any) -> list[Any]:
    return [] if hit is None else [hit.fraction, *hit.point, *hit.normal, bool(hit.overlapping)]


def answers() -> list[list[Any]]:
    return [flat(cm.cast(a, b, m.translation, rotation=m.rotation, pivot=m.pivot)) for a, b, m in SCENES]


def test_rows_have_the_bits_of_single_pairs() -> None:
    a, b = cm.Shapes([a for a, _, _ in SCENES]), cm.Shapes([b for _, b, _ in SCENES])
    moves, turns, pivots = (np.array([m[k] for _, _, m in SCENES]) for k in range(3))
    turns[::7] = 0.0
    for pivot in (pivots, None):
        found = cm.cast(a, b, moves, rotation=turns, pivot=pivot)
        for row, (one, other, motion) in enumerate(SCENES):
            own = None if pivot is None else motion.pivot
            hit = cm.cast(one, other, motion.translation, rotation=turns.item(row), pivot=own)
            assert found.hit[row] == (hit is not None)
            if hit is None:
                assert found.fraction[row] == math.inf
                assert not found.normal[row].any() and not found.point[row].any() and not found.overlapping[row]
            else:
                mine = [found.fraction[row], *found.point[row], *found.normal[row], bool(found.overlapping[row])]
                assert mine == flat(hit)


def test_one_turn_and_one_pivot_for_all_rows() -> None:
    a, b, _ = SCENES[0]
    many = cm.Shapes([other for _, other, _ in SCENES])
    left = cm.cast(a, many, (1, 0), rotation=2.0, pivot=(0.5, 0))
    count = len(many)
    right = cm.cast(
        cm.Shapes.repeat(a, count), many, (1, 0), rotation=np.full(count, 2.0), pivot=np.full((count, 2), (0.5, 0))
    )
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(left, right, strict=True))
    assert cm.cast(cm.Shapes([]), cm.Shapes([]), (1, 0), rotation=1.0).hit.shape == (0,)
    assert cm.cast(cm.Shapes([]), b, np.zeros((0, 2)), rotation=np.zeros(0), pivot=np.zeros((0, 2))).hit.shape == (0,)


def test_threads_give_the_same_bits() -> None:
    a, b = (cm.Shapes([s[k] for s in SCENES] * 100) for k in range(2))
    turns = np.random.default_rng(3).uniform(-4, 4, len(a))
    one, two = (cm.cast(a, b, (1, 0), rotation=turns, threads=count) for count in (1, 2))
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, two, strict=True))


def test_a_rotation_of_zero_is_the_linear_cast() -> None:
    for a, b, motion in SCENES:
        expected = cm.cast(a, b, motion.translation)
        assert cm.cast(a, b, motion.translation, rotation=0.0) == expected
        assert cm.cast(a, b, motion.translation, rotation=0, pivot=motion.pivot) == expected
        if isinstance(a, (cm.Point, cm.Circle)):
            assert cm.cast(a, b, motion.translation, rotation=5.0) == expected


def test_plain_python_has_the_same_bits() -> None:
    script = "import json; from tests.narrow.test_rotating_casts import answers; print(json.dumps(answers()))"
    assert json.loads(printed_by_other_mode(script)) == json.loads(json.dumps(answers()))


def test_cosine_and_sine_are_within_their_bound() -> None:
    rng = Random(5)
    angles = [0.0, 5e-324, 1e-9, 2.0**20, *(k * math.pi / 4 for k in range(-9, 100))]
    angles += [math.nextafter(k * math.pi / 2, 0) for k in range(1, 600_000, 9973)]
    angles += [rng.choice([-1, 1]) * 10.0 ** rng.uniform(-20, 6) for _ in range(1500)]
    for angle in angles:
        c, s, fall = cos_sin_of(angle)
        exact_c, exact_s = slow.cos_sin(Fraction(angle))
        assert abs(exact_c - Fraction(c)) <= Fraction(EPSILON)
        assert abs(exact_s - Fraction(s)) <= Fraction(EPSILON)
        assert abs(exact_c - 1 - Fraction(fall)) <= Fraction(EPSILON) * min(
            1, Fraction(angle) ** 2 + Fraction(1, 2**250)
        )
    assert cos_sin_of(0.0)[:2] == (1.0, 0.0)


# --- how many steps ---


def steps(a: Any, b: Any, move: Any, turn: float, pivot: Any) -> int:
    w = np.empty(workspace(len(a.vertices), len(b.vertices)))
    numbers = (*map(float, move), turn, *map(float, pivot), 0.0, w)
    return int(time_of_impact(a._record, 0, b._record, 0, *numbers)[-1])


def test_casts_take_few_steps() -> None:
    counts = [steps(a, b, m.translation, m.rotation, m.pivot) for a, b, m in SCENES if abs(m.rotation) < 30]
    assert max(counts) < 40
    assert sum(counts) < 8 * len(counts)


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-11])
def test_near_misses_that_last_take_few_steps(gap: float) -> None:
    """Clearance stays tiny for a whole turn, or for many."""
    gear = cm.Polygon([(math.cos(k * math.pi / 32), math.sin(k * math.pi / 32)) for k in range(64)])
    ball, rod = cm.Circle((0, 0), 1), cm.Segment((-1, -1 - gap), (1, -1 - gap))
    hundred = 200 * math.pi
    assert steps(cm.Circle((2 + gap, 0), 1), ball, (0, 1e-15), hundred, (0, 0)) <= 700
    assert steps(rod, ball, (1e-15, 0), hundred, (0, 0)) <= 700
    assert steps(rod, gear, (1e-15, 0), hundred, (0, 0)) <= 1400
    assert steps(rod, gear.translated((gap / 4, 0)), (1e-15, 0), 2 * math.pi, (0, 0)) <= 64 * 40
    spiked = cm.hull([*gear.vertices, (1.05, 0.0)])
    assert steps(spiked, cm.Point((math.cos(-0.2) * (1 + gap), math.sin(-0.2))), (0, 0), 6.0, (0, 0)) <= 64 * 25
    assert steps(gear, FLOOR.translated((0, -1 - gap)), (5, 0), hundred, (0, 0)) <= 1


# --- refusals ---


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2.0**20 + 1, 1e300, 10**400])
def test_bad_rotations_are_refused(value: Any) -> None:
    a, b = cm.Box((0, 0), (1, 1)), FLOOR
    with pytest.raises(ValueError, match=r"cast: rotation = "):
        cm.cast(a, b, (1, 0), rotation=value)


@pytest.mark.parametrize("value", [None, "1", True, [1.0], (1.0,), np.zeros(1), 1j, {}])
def test_a_single_turn_is_one_number(value: Any) -> None:
    with pytest.raises(TypeError, match=r"cast: rotation = .* must be a number"):
        cm.cast(cm.Box((0, 0), (1, 1)), FLOOR, (1, 0), rotation=value)


@pytest.mark.parametrize("value", [3, "ab", (1,), (1, 2, 3), (math.nan, 0), (None, 1), [(0, 0)]])
def test_bad_pivots_are_refused(value: Any) -> None:
    a, many = cm.Box((0, 0), (1, 1)), cm.Shapes([cm.Box((0, 0), (1, 1))] * 3)
    for turn in (0.0, 1.0):
        with pytest.raises((TypeError, ValueError), match=r"cast: pivot"):
            cm.cast(a, FLOOR, (1, 0), rotation=turn, pivot=value)
        with pytest.raises((TypeError, ValueError), match=r"cast: pivot"):
            cm.cast(many, FLOOR, (1, 0), rotation=turn, pivot=value)


def test_rows_of_turns_and_pivots_are_checked() -> None:
    many = cm.Shapes([cm.Box((0, 0), (1, 1))] * 3)
    with pytest.raises(ValueError, match=r"cast: rotation\[1\] = nan"):
        cm.cast(many, FLOOR, (1, 0), rotation=[0.0, math.nan, 1.0])
    with pytest.raises(ValueError, match=r"cast: rotation\[2\] = 2000000.0 must be at most 1048576 radians"):
        cm.cast(many, FLOOR, (1, 0), rotation=[0.0, 1.0, 2e6])
    with pytest.raises(ValueError, match=r"cast: rotation has shape \(2,\)"):
        cm.cast(many, FLOOR, (1, 0), rotation=[0.0, 1.0])
    with pytest.raises(ValueError, match=r"cast: pivot has 2 rows"):
        cm.cast(many, FLOOR, (1, 0), rotation=1.0, pivot=np.zeros((2, 2)))
    with pytest.raises(TypeError, match=r"cast: rotation"):
        cm.cast(many, FLOOR, (1, 0), rotation=[True, False, True])
    with pytest.raises(TypeError):
        cm.cast(many, FLOOR, (1, 0), 1.0)  # type: ignore[call-overload]
