"""The impulses of many rows, against every choice of rows at a bound solved in rational numbers, and at large."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from carom.world.step.solve.minimise import minimise
from tests.support.row_problems import blank_rows, oracle, problem


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_velocities_are_those_of_the_exact_solution(seed: int, boxed: bool) -> None:
    rng = Random(f"{seed}{boxed}")
    count = rng.randint(1, 5)
    rows = problem(rng, count, rng.randint(2, 4), boxed)
    expected = oracle(rows)
    turns, worst = minimise(rows, 0, count, 0, len(rows.speed), 1e-12, 2000, 0.0)
    assert worst <= 1e-12 and turns < 2000
    assert np.abs(rows.speed - expected).max() <= 1e-6  # rows all but parallel: 1e-12 of speed is more of impulse
    impulse = rows.table["impulse"]
    assert np.all(rows.table["low"] <= impulse) and np.all(impulse <= rows.table["high"])


def test_impulses_of_the_last_time_are_a_start_that_counts() -> None:
    rows = problem(Random(5), 5, 4, True)
    turns, _ = minimise(rows, 0, 5, 0, 4, 1e-12, 2000, 0.0)
    speed, impulse = rows.speed.copy(), rows.table["impulse"].copy()
    assert turns > 0
    assert minimise(rows, 0, 5, 0, 4, 1e-11, 2000, 0.0)[0] == 0
    assert np.array_equal(rows.speed, speed) and np.array_equal(rows.table["impulse"], impulse)


@pytest.mark.parametrize("heavy", [1.0, 1e3, 1e6])
def test_a_heavy_body_on_a_stack_is_carried(heavy: float) -> None:
    """Twenty boxes of mass 1 under one of mass `heavy`, on the floor, after gravity has pulled for a step."""
    bodies = 21
    rows = blank_rows(2 * bodies, bodies + 1)
    table = rows.table
    root = np.sqrt(np.array([*[1.0] * (bodies - 1), heavy]))
    inertia = root * math.sqrt(2.0 / 12.0)
    r = 0
    for k in range(bodies):
        for x in (-0.5, 0.5):  # the corners of box k on the one below
            below = k - 1 if k else bodies
            row = (
                np.array([0.0, -1.0 / root[below - 0], -x / inertia[below], 0.0, 1.0 / root[k], x / inertia[k]])
                if k
                else (np.array([0.0, 0.0, 0.0, 0.0, 1.0 / root[k], x / inertia[k]]))
            )
            table["length"][r] = math.sqrt(float(row @ row))
            table["jacobian"][r], table["i"][r], table["j"][r] = row / table["length"][r], below, k
            table["high"][r] = math.inf
            r += 1
    rows.speed[:bodies, 1] = -10.0 / 60.0 * root  # scaled
    turns, worst = minimise(rows, 0, r, 0, bodies + 1, 1e-9, 2000, 0.0)
    assert worst <= 1e-9 and turns < 2000
    weight = 10.0 / 60.0 * (bodies - 1 + heavy)
    assert (table["impulse"] / table["length"])[:2].sum() == pytest.approx(weight, rel=1e-6)


def test_rows_that_contradict_each_other_do_not_keep_the_others_from_settling() -> None:
    """One body is to part from two sides at once, another from one side."""
    rows = blank_rows(3, 3)
    table = rows.table
    for r, (body, x) in enumerate(((0, 1.0), (0, -1.0), (1, 1.0))):
        table["jacobian"][r, 3], table["i"][r], table["j"][r], table["high"][r] = x, 2, body, math.inf
        table["wanted"][r] = 1.0
    minimise(rows, 0, 3, 0, 3, 1e-9, 2000, 1e-11)
    assert rows.speed[1, 0] == pytest.approx(1.0, abs=1e-9)
    assert rows.speed[0, 0] == pytest.approx(0.0, abs=1e-4)
    assert np.isfinite(table["impulse"]).all()
