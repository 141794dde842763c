"""Random problems of rows, and their exact solution: every choice of rows at a bound, solved in rational numbers."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random

import numpy as np

from carom.world.step.declared import make
from carom.world.step.solve.rows import Rows
from tests.support.rational import solved


def blank_rows(count: int, bodies: int) -> Rows:
    """Return rows of length 1 and bodies, none more than these."""
    made = make(Rows, contacts=count, bodies=bodies, nodes=0, blocks=0, changes=0)
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
