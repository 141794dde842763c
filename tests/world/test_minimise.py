"""The impulses of many rows, against every choice of rows at a bound solved in rational numbers, and at large."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from carom.world.step.declared import make
from carom.world.step.solve.minimise import minimise
from carom.world.step.solve.rows import Rows
from tests.support.rational import solved


def blank_rows(count: int, bodies: int) -> Rows:
    """Return rows of length 1 and bodies, none more than these."""
    made = make(Rows, contacts=count, bodies=bodies, nodes=0, blocks=0, updates=0)
    made.table["length"] = 1.0
    return made._replace(
        table=made.table[:count], speed=made.speed[:bodies], push=made.push[:bodies], ahead=made.ahead[:bodies]
    )


def problem(rng: Random, count: int, bodies: int, boxed: bool) -> Rows:
    """Return random rows among bodies, of which the last cannot be moved; some rows twice, some with no room."""
    rows = blank_rows(count, bodies)
    table = rows.table
    for r in range(count):
        if r and rng.random() < 0.2:
            for name in ("jacobian", "i", "j", "wanted"):
                table[name][r] = table[name][r - 1]
        else:
            i, j = rng.sample(range(bodies), 2)
            row = np.array([rng.uniform(-1, 1) for _ in range(6)]) * rng.choice([1.0, 1.0, 1e-3])
            if i == bodies - 1:
                row[:3] = 0.0
            if j == bodies - 1:
                row[3:] = 0.0
            table["jacobian"][r], table["i"][r], table["j"][r] = row / math.sqrt(float(row @ row)), i, j
            table["wanted"][r] = rng.choice([0.0, rng.uniform(-1, 2)])
        width = rng.choice([0.0, rng.uniform(0, 1), math.inf])
        low, high = (-width, width) if boxed and rng.random() < 0.5 else (0.0, math.inf)
        table["low"][r], table["high"][r] = (0.0 if math.isinf(low) else low), high
    rows.speed[:-1] = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(bodies - 1)]
    return rows


def oracle(rows: Rows) -> np.ndarray:
    """Return the velocities after the impulses that the definition asks for; they are the same for all of these."""
    table, count, bodies = rows.table, len(rows.table), len(rows.speed)
    effects = []
    for r in range(count):
        effect = [Fraction(0)] * (3 * bodies)
        for side, name in enumerate("ij"):
            for k in range(3):
                effect[3 * int(table[name][r]) + k] += Fraction(float(table["jacobian"][r, 3 * side + k]))
        effects.append(effect)
    start = [Fraction(float(value)) for value in rows.speed.ravel()]
    dot = lambda a, b: sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))  # noqa: E731
    matrix = [[dot(a, b) for b in effects] for a in effects]
    lack = [Fraction(float(table["wanted"][r])) - dot(effects[r], start) for r in range(count)]
    for states in itertools.product((0, -1, 1), repeat=count):
        if any(state == 1 and math.isinf(table["high"][r]) for r, state in enumerate(states)):
            continue
        x = [
            Fraction(float(table["low"][r] if s < 0 else table["high"][r] if s > 0 else 0))
            for r, s in enumerate(states)
        ]
        free = [r for r in range(count) if states[r] == 0]
        right = [lack[r] - sum(matrix[r][c] * x[c] for c in range(count) if states[c] != 0) for r in free]
        found = solved([[matrix[r][c] for c in free] for r in free], right)
        if found is None:
            continue
        for r, value in zip(free, found, strict=True):
            x[r] = value
        left = [lack[r] - dot(matrix[r], x) for r in range(count)]
        if all(
            (s == 0 and x[r] >= table["low"][r] and x[r] <= table["high"][r])
            or (s < 0 and left[r] <= 0)
            or (s > 0 and left[r] >= 0)
            for r, s in enumerate(states)
        ):
            total = list(start)
            for r in range(count):
                total = [v + x[r] * e for v, e in zip(total, effects[r], strict=True)]
            return np.array([float(value) for value in total]).reshape(bodies, 3)
    raise AssertionError("no choice of bounds is right")


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
