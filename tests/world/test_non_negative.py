"""Impulses that none pulls, against every choice of those that push solved in rational numbers, and at large."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest

from carom.world.step.non_negative import solve_non_negative
from tests.support.rational import solved


def answer(matrix: np.ndarray, lack: np.ndarray) -> np.ndarray:
    push = np.full(len(lack), np.nan)
    solve_non_negative(matrix, lack, push)
    return push


def exact_effects(matrix: list[list[Fraction]], lack: list[Fraction]) -> list[Fraction] | None:
    """Return what the impulses do at each point, which is the same for all solutions; None if there is none."""
    every = range(len(lack))
    for pushing in chain.from_iterable(combinations(every, k) for k in range(len(lack) + 1)):
        found = solved([[matrix[p][q] for q in pushing] for p in pushing], [lack[p] for p in pushing])
        if found is None or min(found, default=Fraction(0)) < 0:
            continue
        effects = [sum((matrix[p][q] * x for q, x in zip(pushing, found, strict=True)), Fraction(0)) for p in every]
        if all(effect >= wanted for effect, wanted in zip(effects, lack, strict=True)):
            return effects
    return None


@pytest.mark.parametrize("consistent", [True, False])
@pytest.mark.parametrize("seed", range(150))
def test_effects_are_those_of_the_exact_solution(seed: int, consistent: bool) -> None:
    # More points than ways to move, and points twice: some depend on others.
    rng = Random(f"{seed}{consistent}")
    points, ways = rng.randint(1, 6), rng.randint(1, 4)
    rows = [[rng.randint(-4, 4) for _ in range(ways)] for _ in range(points)]
    rows = [rows[p - 1] if p and rng.random() < 0.2 else row for p, row in enumerate(rows)]
    rows = [row if any(row) else [1] * ways for row in rows]
    speed = [rng.randint(-3, 3) for _ in range(ways)]
    wanted = [sum(a * b for a, b in zip(row, speed, strict=True)) for row in rows]
    lack = wanted if consistent else [rng.randint(-5, 5) for _ in rows]
    matrix = [[Fraction(sum(a * b for a, b in zip(p, q, strict=True))) for q in rows] for p in rows]
    expected = exact_effects(matrix, [Fraction(one) for one in lack])
    found = answer(np.array(matrix, dtype=float), np.array(lack, dtype=float))
    assert np.all(found >= 0)
    assert np.isfinite(found).all()
    assert expected is not None or not consistent
    if expected is not None:
        effects = np.array(matrix, dtype=float) @ found
        assert effects == pytest.approx(np.array(expected, dtype=float), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_thirty_points_of_bodies_of_very_different_mass_settle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 24)) * 10.0 ** rng.uniform(-2, 2, 24)
    rows[1] = rows[0] + 1e-5 * rng.normal(size=24)  # all but parallel
    matrix, lack = rows @ rows.T, rows @ rng.normal(size=24)
    found = answer(matrix, lack)
    left = lack - matrix @ found
    assert np.all(found >= 0)
    assert left.max() <= 1e-9 * np.abs(lack).max()
    assert np.abs(found * left).max() <= 1e-9 * np.abs(lack).max() * found.max()
