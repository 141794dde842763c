"""Sweeps that begin ahead, against the exact solution of normals, and by what friction is bounded."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from carom.world.step.solve.carried import sweep_ahead
from carom.world.step.solve.rows import Rows
from tests.support.row_problems import oracle, problem

MOST = 20_000


@pytest.mark.parametrize("seed", range(40))
def test_normals_come_to_the_velocities_of_the_exact_solution(seed: int) -> None:
    rng = Random(f"{seed}False")  # as where the minimiser is tried: some others contradict themselves
    count = rng.randint(1, 5)
    rows = problem(rng, count, rng.randint(2, 4), False)
    expected = oracle(rows)
    assert sweep_ahead(rows, (0, count, count, 0, len(rows.speed)), 1e-12, 1e-12, MOST) <= 1e-12
    assert np.abs(rows.speed - expected).max() <= 1e-6  # rows all but parallel: 1e-12 of speed is more of impulse
    assert np.all(rows.table["impulse"] >= 0.0)


def pairs_of_rows(seed: int) -> tuple[Rows, int]:
    """Return rows of which the second half are frictions, each bounded by half of its normal, and how many normals."""
    rng = Random(seed)
    points = rng.randint(2, 4)
    rows = problem(rng, 2 * points, 4, False)
    rows.table["bound"][points:], rows.table["share"][points:] = range(points), 0.5
    return rows, points


@pytest.mark.parametrize("seed", range(40))
def test_each_friction_has_settled_within_its_share_of_the_normal_of_now(seed: int) -> None:
    rows, points = pairs_of_rows(seed)
    table = rows.table
    start = rows.speed.copy()
    span = (0, points, 2 * points, 0, 4)
    missed = sweep_ahead(rows, span, 1e-9, 1e-9, MOST)
    table["high"][points:] = 0.5 * table["impulse"][:points]
    table["low"][points:] = -table["high"][points:]
    assert np.all(table["low"] <= table["impulse"]) and np.all(table["impulse"] <= table["high"])
    made = start
    for row in table:
        made[row["i"]] += row["impulse"] * row["jacobian"][:3]
        made[row["j"]] += row["impulse"] * row["jacobian"][3:]
    assert np.abs(rows.speed - made)[:-1].max() <= 1e-9, "speeds are carried with impulses"
    assert missed <= 1e-9 and sweep_ahead(rows, span, 0.0, 1.0, 1) <= 1e-8


def test_what_was_carried_ends_where_no_row_lacks_anything() -> None:
    rows, points = pairs_of_rows(3)
    span = (0, points, 2 * points, 0, 4)
    sweep_ahead(rows, span, 1e-12, 1e-12, MOST)
    impulse = rows.table["impulse"].copy()
    assert sweep_ahead(rows, span, 1e-11, 1e-11, 1) <= 1e-11
    assert np.abs(rows.table["impulse"] - impulse).max() <= 1e-10
