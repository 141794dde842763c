"""Casts in which both shapes turn: against the oracle in a turned frame, and against shapes placed along the way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import affinity

import carom as cm
from tests.support import oracle
from tests.support.turning_oracle import Motion, exact_separation, posed

RNG = np.random.default_rng(8)


def some_shape(at: Any) -> Any:
    makers = [
        lambda: cm.Box(at, (2, 0.5), RNG.uniform(0, 3)),
        lambda: cm.Polygon(np.array([(0, 0), (1.5, 0), (0.3, 1)]) + at, radius=0.1),
        lambda: cm.Circle(at, 0.4),
        lambda: cm.Capsule(at, np.add(at, 1), 0.2),
        lambda: cm.Segment(at, np.add(at, (1.0, 0.3))),
    ]
    return makers[RNG.integers(5)]()


def scene() -> Any:
    a, b = some_shape(RNG.uniform(-3, -2, 2)), some_shape(RNG.uniform(-0.5, 1, 2))
    motion, pivots = tuple(RNG.uniform(0, 4, 2)), [tuple(RNG.uniform(-2, 2, 2)) for _ in range(2)]
    return a, b, motion, RNG.uniform(-3, 3), pivots[0], RNG.uniform(-4, 4), pivots[1]


@pytest.mark.parametrize("_", range(60))
def test_the_hit_is_the_first_touch(_: int) -> None:
    a, b, motion, turn, pivot, other, about = scene()
    hit = cm.cast(a, b, motion, rotation=turn, pivot=pivot, other_rotation=other, other_pivot=about)

    def gap(t: float) -> float:
        moved = a.rotated(turn * t, pivot).translated((motion[0] * t, motion[1] * t))
        return float(cm.separation(moved, b.rotated(other * t, about)))

    if gap(0.0) <= 0.0:
        return
    last = hit.fraction if hit else 1.0
    assert all(gap(t) > -1e-10 for t in np.linspace(0.0, last, 300))
    if hit:
        moved, turned = posed(a, Motion(motion, turn, pivot), last), posed(b, Motion((0.0, 0.0), other, about), last)
        assert abs(float(oracle.separation(moved, turned))) < 1e-10
        assert cm.distance(b.rotated(other * last, about), cm.Point(hit.point)) < 1e-9
        assert math.hypot(*hit.normal) == pytest.approx(1.0)


@pytest.mark.parametrize("_", range(40))
def test_a_turned_frame_changes_nothing(_: int) -> None:
    a, b, motion, turn, pivot, other, about = scene()
    # B alone turns, as A would turn back about the same point.
    one, two = (
        cm.cast(a, b, (0, 0), rotation=-other, pivot=about),
        cm.cast(a, b, (0, 0), other_rotation=other, other_pivot=about),
    )
    assert (one is None) == (two is None)
    if one and two:
        assert two.fraction == pytest.approx(one.fraction, abs=1e-10)
        back = Motion((0.0, 0.0), -other, about)
        assert abs(float(exact_separation(a, b, back, two.fraction))) < 1e-10 or one.overlapping
        assert two.normal.distance(one.normal.rotated(other * one.fraction)) < 1e-3
    # B does not turn.
    still, plain = (
        cm.cast(a, b, motion, rotation=turn, pivot=pivot, other_rotation=0.0, other_pivot=about),
        cm.cast(a, b, motion, rotation=turn, pivot=pivot),
    )
    assert (still is None) == (plain is None)
    assert still is None or still.fraction == pytest.approx(plain.fraction, abs=1e-10)  # type: ignore[union-attr]
    # Both turn together: apart they stay apart.
    if cm.separation(a, b) > 0.0:
        assert cm.cast(a, b, (0, 0), rotation=turn, pivot=pivot, other_rotation=turn, other_pivot=pivot) is None


def test_two_bars_that_turn_towards_each_other_meet_half_way() -> None:
    left, right = cm.Segment((0, 0), (1, 0)), cm.Segment((2, 0), (1.0, -1e-3))
    quarter = math.pi / 2
    one = cm.Segment((0, 0), (0.0, 1.2)), cm.Segment((2, 0), (2.0, 1.2))
    hit = cm.cast(*one, (0, 0), rotation=-quarter, pivot=(0, 0), other_rotation=quarter, other_pivot=(2, 0))
    assert hit is not None
    assert hit.point.x == pytest.approx(1.0)
    assert hit.fraction * quarter == pytest.approx(math.asin(1 / 1.2), abs=1e-9)
    away = cm.cast(left, right, (0, 0), rotation=quarter, pivot=(0, 0), other_rotation=quarter, other_pivot=(2, 0))
    assert away is None


def test_starts_in_touch_and_in_overlap() -> None:
    low, high = cm.Box((0, 0), (4, 1)), cm.Box((0, 1), (2, 1))
    assert cm.cast(high, low, (0, 1), rotation=0.1, other_rotation=-0.1) is None  # leaves, faster than they turn
    pressed = cm.cast(high, low, (0, -1), rotation=0.1, other_rotation=-0.1)
    assert pressed is not None
    assert (pressed.fraction, pressed.normal.y) == (0.0, pytest.approx(1.0))
    deep = cm.Box((0, 0.7), (2, 1))
    out, down = (cm.cast(deep, low, (0, y), rotation=0.1, other_rotation=0.1) for y in (3, -1))
    assert out is None
    assert down is not None
    assert (down.fraction, down.overlapping) == (0.0, True)


def test_rows_are_single_calls_and_what_cannot_be_is_refused() -> None:
    scenes = [scene() for _ in range(12)]
    a, b = cm.Shapes([one[0] for one in scenes]), cm.Shapes([one[1] for one in scenes])
    motions, turns, pivots, others, abouts = (np.array([one[k] for one in scenes]) for k in range(2, 7))
    found = cm.cast(a, b, motions, rotation=turns, pivot=pivots, other_rotation=others, other_pivot=abouts)
    for k, (one, two, motion, turn, pivot, other, about) in enumerate(scenes):
        hit = cm.cast(one, two, motion, rotation=turn, pivot=pivot, other_rotation=other, other_pivot=about)
        assert found.hit[k] == (hit is not None)
        assert hit is None or (found.fraction[k], tuple(found.normal[k])) == (hit.fraction, hit.normal)
    with pytest.raises(ValueError, match=r"^cast: other_rotation"):
        cm.cast(cm.Circle((9, 9), 1), cm.Box((0, 0), (1, 1)), (0, 0), other_rotation=1e9)


HOOK = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def some_outline(at: Any) -> Any:
    """Return an outline that is concave: a hook, or a star of ten corners."""
    if RNG.integers(2):
        points = np.array(HOOK, dtype=float) - 1.0
    else:
        angles = np.arange(10) * math.pi / 5
        points = np.stack([np.cos(angles), np.sin(angles)], 1) * RNG.uniform(0.4, 1.2, (10, 1))
    return points + at


def at_time(outline: Any, t: float, motion: Any, turn: float, pivot: Any) -> Any:
    """Return the region of an outline that moves and turns, at a fraction of its motion, as Shapely's."""
    turned = affinity.rotate(shapely.Polygon(outline), turn * t, origin=tuple(pivot), use_radians=True)
    return affinity.translate(turned, motion[0] * t, motion[1] * t)


@pytest.mark.parametrize("k", range(40))
def test_regions_meet_where_their_outlines_first_do(k: int) -> None:
    """Both are concave, or one of them; beside Shapely's distance of the whole regions along the way."""
    concave = k % 4 != 1, k % 4 != 2
    outlines = [
        some_outline(at) if region else np.array([(0, 0), (1.5, 0), (0.3, 1)]) + at
        for at, region in zip((RNG.uniform(-4, -2, 2), RNG.uniform(-0.5, 1, 2)), concave, strict=True)
    ]
    a, b = (cm.decompose(one) if region else cm.Polygon(one) for one, region in zip(outlines, concave, strict=True))
    motion, pivots = tuple(RNG.uniform(0, 5, 2)), [tuple(RNG.uniform(-2, 2, 2)) for _ in range(2)]
    turn, other = RNG.uniform(-3, 3), RNG.uniform(-4, 4)
    hit = cm.cast(a, b, motion, rotation=turn, pivot=pivots[0], other_rotation=other, other_pivot=pivots[1])

    def gap(t: float) -> float:
        return float(
            at_time(outlines[0], t, motion, turn, pivots[0]).distance(at_time(outlines[1], t, (0, 0), other, pivots[1]))
        )

    if gap(0.0) == 0.0:
        return
    last = hit.fraction if hit else 1.0
    assert all(gap(t) > 0.0 for t in np.linspace(0.0, last, 200, endpoint=hit is None))
    # The same as seen from a frame that moves with A: there B moves back, about a pivot that goes along.
    back = (-motion[0], -motion[1])
    seen = cm.cast(b, a, back, rotation=other, pivot=pivots[1], other_rotation=turn, other_pivot=pivots[0])
    assert (seen is None) == (hit is None)
    if hit and seen:
        assert gap(hit.fraction) < 1e-10
        point = shapely.Point(hit.point)
        assert at_time(outlines[1], last, (0, 0), other, pivots[1]).distance(point) < 1e-9
        assert at_time(outlines[0], last, motion, turn, pivots[0]).distance(point) < 1e-9
        assert seen.fraction == pytest.approx(hit.fraction, abs=1e-10)
        # A little farther along the normal A would be clear of B near the point.
        assert math.hypot(*hit.normal) == pytest.approx(1.0)
        assert hit.normal.distance(-seen.normal) < 1e-3


@pytest.mark.parametrize("_", range(20))
def test_a_region_that_alone_turns_is_met_as_in_its_own_frame(_: int) -> None:
    a, b = cm.decompose(some_outline(RNG.uniform(-3, -2, 2))), cm.decompose(some_outline(RNG.uniform(-0.5, 1, 2)))
    other, about = RNG.uniform(-6, 6), tuple(RNG.uniform(-2, 2, 2))
    one = cm.cast(a, b, (0, 0), rotation=-other, pivot=about)
    two = cm.cast(a, b, (0, 0), other_rotation=other, other_pivot=about)
    assert (one is None) == (two is None)
    if one and two:
        assert (one.overlapping, two.fraction) == (two.overlapping, pytest.approx(one.fraction, abs=1e-9))
        assert two.normal.distance(one.normal.rotated(other * one.fraction)) < 1e-3


TILES = cm.Compound.from_parts([cm.Box((k, 0), (1, 1)) for k in range(-4, 5)])
SLAB = cm.Box((0, 0), (9, 1))


def slide(k: int, depth: float) -> list[Any]:
    """Return the hits of a crate that stands so deep in a slab, and in tiles of the same outline."""
    rng = np.random.default_rng(k)
    crate = cm.Box((rng.uniform(-1, 1), 1 - depth), (1, 1))
    about, (turn, other) = (0.0, 0.0), rng.uniform(-0.2, 0.2, 2)
    motion = rng.uniform(-3, 3), (0.0, -0.5, 0.5, 1.0)[k % 4]
    asked: Any = {"rotation": other if k < 4 else turn, "pivot": about, "other_rotation": other, "other_pivot": about}
    return [cm.cast(crate, floor, motion, **asked) for floor in (SLAB, TILES)]


@pytest.mark.parametrize("k", range(24))
def test_seams_between_tiles_are_met_by_nothing_that_slides_over_them(k: int) -> None:
    slab, tiles = slide(k, 0.0)
    assert (slab is None) == (tiles is None)
    if slab:
        assert (tiles.fraction, tiles.overlapping) == (pytest.approx(slab.fraction, abs=1e-6), slab.overlapping)
        assert tiles.normal.distance(slab.normal) < 1e-5


@pytest.mark.parametrize("k", range(24))
def test_a_crate_that_has_sunk_into_tiles_is_stopped_by_their_outline(k: int) -> None:
    """As by one slab; later, where no part goes deeper into a part while the way out gets longer."""
    slab, tiles = slide(k, 0.2)
    if tiles:
        assert slab is not None and tiles.overlapping
        assert tiles.fraction >= slab.fraction - 1e-6
        if slab.fraction == 0.0:
            assert tiles.fraction == 0.0
    if slab is None:
        assert tiles is None


def test_a_crate_rides_on_tiles_that_turn_with_it() -> None:
    crate = cm.Box((0.3, 1), (1, 1))
    turning: Any = {"rotation": 0.7, "pivot": (0, 0), "other_rotation": 0.7, "other_pivot": (0, 0)}
    assert cm.cast(crate, TILES, (0, 0), **turning) is None
    assert cm.cast(TILES, crate, (0, 0), **turning) is None
    pressed = cm.cast(crate, TILES, (0, -1), **turning)
    assert pressed is not None and (pressed.fraction, pressed.normal) == (0.0, (0.0, 1.0))


def test_rows_of_regions_are_single_calls() -> None:
    balls = cm.Shapes.circles(RNG.uniform(-4, -2, (8, 2)), 0.5)
    hook, turns = cm.decompose(HOOK), RNG.uniform(-3, 3, 8)
    found = cm.cast(balls, hook, (5, 4), other_rotation=turns, other_pivot=(1, 1))
    for k, turn in enumerate(turns.tolist()):
        hit = cm.cast(balls[k], hook, (5, 4), other_rotation=turn, other_pivot=(1, 1))
        assert found.hit[k] == (hit is not None)
        assert hit is None or (found.fraction[k], tuple(found.normal[k])) == (hit.fraction, hit.normal)
