"""Two turning parts: the time found is never late and not early, by many measurements in between."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

import carom as cm
from carom import kernels
from carom.narrow.conservative_advancement import time_to_gap, write_turned

WORK = np.zeros(256)


def shape(rng: Random, x: float, y: float) -> cm.Shape:
    kind = rng.randrange(5)
    if kind == 0:
        return cm.Circle((x, y), rng.uniform(0.1, 1))
    if kind == 1:
        return cm.Capsule((x - rng.uniform(0.1, 2), y), (x + 0.5, y + rng.uniform(0, 1)), rng.uniform(0.05, 0.5))
    if kind == 2:
        return cm.Box((x, y), (rng.uniform(0.1, 3), rng.uniform(0.1, 2)), angle=rng.choice([0.0, rng.uniform(0, 6)]))
    if kind == 3:
        return cm.Segment((x - 1, y), (x + 1, y + rng.uniform(-1, 1)))
    return cm.hull([(x + rng.uniform(-1, 1), y + rng.uniform(-1, 1)) for _ in range(7)])


def way(rng: Random, one: cm.Shape, turns: bool) -> tuple[float, ...]:
    center = one.centroid
    low_x, low_y, high_x, high_y = cm.bounds(one)
    rate = rng.choice([0.0, rng.uniform(-3, 3), rng.uniform(-30, 30)]) if turns else 0.0
    return (*center, rng.uniform(-4, 4), rng.uniform(-4, 4), rate, math.hypot(high_x - low_x, high_y - low_y))


def placed(one: cm.Shape, on: tuple[float, ...], time: float) -> cm.Shape:
    return one.rotated(on[4] * time, on[:2]).translated((on[2] * time, on[3] * time))


def gap_after(a: cm.Shape, on_a: tuple[float, ...], b: cm.Shape, on_b: tuple[float, ...], time: float) -> float:
    return float(cm.separation(placed(a, on_a, time), placed(b, on_b, time)))


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_the_time_is_that_of_the_gap(seed: int, turns: bool) -> None:
    rng = Random(f"{seed}{turns}")
    a, b = shape(rng, 0, 0), shape(rng, rng.uniform(-4, 4), rng.uniform(-4, 4))
    on_a, on_b = way(rng, a, turns), way(rng, b, turns)
    now = float(cm.separation(a, b))
    limit = min(now, rng.choice([0.0, 0.01, 0.1])) - 1e-3
    tolerance = 1e-4
    values, (i, j) = kernels.records([a, b])
    found = time_to_gap(values, int(i), on_a, values, int(j), on_b, 1.0, limit, 0.0, -9.0, tolerance, WORK)
    until = min(found, 1.0)
    least = min(gap_after(a, on_a, b, on_b, until * k / 400) for k in range(401))
    assert least >= limit - 1e-9
    if found < 1.0:
        assert gap_after(a, on_a, b, on_b, found) <= limit + tolerance + 1e-9
    else:
        assert math.isinf(found)


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", range(40))
def test_two_discs_meet_where_exact_arithmetic_says(seed: int, size: float, offset: float) -> None:
    """Many graze each other; they turn, which moves no disc."""
    rng, tolerance = Random(f"discs{seed}{size}"), 1e-9 * size
    at = offset * size
    r, q, away, speed = rng.uniform(0.1, 1) * size, rng.uniform(0.1, 1) * size, 3.0 * size, 5.0 * size
    aside = (r + q) * rng.choice([0.0, rng.uniform(0, 1), 1 - 1e-7, 1 + 1e-5])
    a, b = cm.Circle((at, at), r), cm.Circle((at + away, at + aside), q)
    values, (i, j) = kernels.records([a, b])
    on_a, on_b = (*a.center, speed, 0.0, rng.uniform(-9, 9), r), (*b.center, 0.0, 0.0, rng.uniform(-9, 9), q)
    found = time_to_gap(values, int(i), on_a, values, int(j), on_b, 1.0, 0.0, 0.0, 0.0, tolerance, WORK)
    dx, dy = Fraction(b.center.x) - Fraction(a.center.x), Fraction(b.center.y) - Fraction(a.center.y)
    if math.isinf(found):
        assert dy * dy >= (Fraction(r) + Fraction(q)) ** 2
        return
    x, rounding = dx - Fraction(speed) * Fraction(found), Fraction(4e-16 * away)
    square, least, most = x * x + dy * dy, Fraction(r) + Fraction(q), Fraction(r) + Fraction(q) + Fraction(tolerance)
    assert (least - rounding) ** 2 <= square <= (most + rounding) ** 2


def test_a_bar_that_turns_into_a_wall_meets_it_at_its_angle() -> None:
    """The end of a bar of length 2, turning at 1 a second about its middle, reaches the wall at asin(1/2)."""
    values, (i, j) = kernels.records([cm.Segment((-1, 0), (1, 0)), cm.Box((0, 5.5), (9, 10))])
    on = (0.0, 0.0, 0.0, 0.0, 1.0, 1.0)
    found = time_to_gap(
        values, int(i), on, values, int(j), (0.0, 5.5, 0.0, 0.0, 0.0, 9.0), 2.0, 0.0, 0.0, -9.0, 1e-12, WORK
    )
    assert found == pytest.approx(math.asin(0.5), abs=1e-11)


def test_a_bar_that_turns_fast_is_followed_until_it_meets() -> None:
    # The step ends far behind the meeting: a chord from there advances by nanoseconds.
    bar, wall = cm.Capsule((-0.3, 0.3), (0.3, 0.3), 1e-4), cm.Segment((-5, 0), (5, 0))
    values, (i, j) = kernels.records([bar, wall])
    way, still = (0.0, 0.3, 0.0, -0.01, 1000.0, 0.3001), (0.0, 0.0, 0.0, 0.0, 0.0, 5.0)
    found = time_to_gap(values, int(i), way, values, int(j), still, 10.0, 1e-7, 0.0, -9.0, 1e-9, WORK)
    gap = float(cm.separation(bar.rotated(1000.0 * found, (0.0, 0.3)).translated((0.0, -0.01 * found)), wall))
    assert gap == pytest.approx(1e-7, abs=2e-9)


@pytest.mark.parametrize("speed", [1.0, 1e3, 1e6])
def test_a_spinning_bullet_is_not_late_at_a_thin_wall(speed: float) -> None:
    bullet, wall = cm.Box((-speed / 2, 0), (0.1, 0.02)), cm.Box((0, 0), (1e-3, 10))
    values, (i, j) = kernels.records([bullet, wall])
    on = (-speed / 2, 0.0, speed, 0.0, 50.0, 0.06)
    found = time_to_gap(
        values, int(i), on, values, int(j), (0.0, 0.0, 0.0, 0.0, 0.0, 5.0), 1.0, 0.0, 0.0, -9.0, 1e-6, WORK
    )
    gap = gap_after(bullet, on, wall, (0.0,) * 6, found)
    assert -1e-9 * speed <= gap <= 1e-6 + 1e-9 * speed and found < 0.5


@pytest.mark.parametrize("seed", range(40))
def test_a_turned_record_is_that_of_the_turned_shape(seed: int) -> None:
    rng = Random(seed)
    one = shape(rng, rng.uniform(-2, 2), 0.5)
    on = way(rng, one, True)
    values, (i,) = kernels.records([one])
    out = np.zeros(200)
    write_turned(values, int(i), on, 0.7, out, 3)
    other = placed(one, on, 0.7)
    probe = cm.Box((5, 1), (1, 2), angle=0.3)
    record, (j,) = kernels.records([probe])
    assert kernels.separation(out, 3, record, int(j)) == pytest.approx(cm.separation(other, probe), abs=1e-12)
