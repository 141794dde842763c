"""Casts in which both shapes turn: against the oracle in a turned frame, and against shapes placed along the way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

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
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    with pytest.raises(TypeError, match=r"^cast: b = .* is a Compound, which other_rotation does not take"):
        cm.cast(cm.Circle((9, 9), 1), corner, (0, 0), other_rotation=1.0)
    with pytest.raises(ValueError, match=r"^cast: other_rotation"):
        cm.cast(cm.Circle((9, 9), 1), cm.Box((0, 0), (1, 1)), (0, 0), other_rotation=1e9)


def test_a_compound_is_refused_and_its_parts_about_one_pivot_answer() -> None:
    hook = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    ball = cm.Circle((5, 0.5), 0.5)
    with pytest.raises(TypeError, match=r"cast: b = .* is a Compound, .* its parts, Shapes\(\[b\]\), all about one"):
        cm.cast(ball, hook, (-4, 0), other_rotation=1.5)  # type: ignore[call-overload]
    about = hook.position
    first = float(cm.cast(ball, cm.Shapes([hook]), (-4, 0), other_rotation=1.5, other_pivot=about).fraction.min())

    def gap(time: float) -> float:
        return cm.separation(ball.translated((-4 * time, 0)), hook.rotated(1.5 * time, about))

    assert 0 < gap(first) < 1e-11
    assert min(gap(first * k / 100) for k in range(100)) > gap(first)
