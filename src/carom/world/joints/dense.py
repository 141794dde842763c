"""The bounded rows of a small island as one dense problem, solved to the end whatever the masses.

In: rows of contacts, limits and motors with impulses, and the factors of their mechanisms. Out: the same, settled. The
matrix says what an impulse of each row does along each other one, through all joints. Sweeps over the rows (Gauss and
Seidel, with bounds) find which of them stand at a bound, and bound each friction by its normal; then the others are
solved at once by factors of their part of the matrix, until no bound is passed.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.step.rows import Rows, add_impulse, speed_along, spread
from carom.world.step.tables import Record, Table

MOST_DENSE = 120
"""Rows of an island; with more the matrix takes longer than steps along the gradient."""
SWEEPS = 30
"""Sweeps before each direct solution."""
TURNS = 6
"""Direct solutions at most."""
SOFT = 1e-10
"""Share of its diagonal that each row gives way, so that rows that say the same agree."""
NO_ROOM = 1e-8
"""Share of a row's effect without joints: where joints leave less of it, they hold what the row asks for, or keep it
from it; the rest is their rounding."""


@kernel
def settle_densely(rows: Rows, first: int, middle: int, frictions: int, last: int, low: int, high: int) -> float:
    """Settle the rows from `first` up to `last`, of which those from `middle` to `frictions` are bounded by normals.

    Returns the worst speed by which a row misses.
    """
    count = last - first
    matrix, factors = np.empty((count, count)), np.empty((count, count))
    lack, solution = np.empty(count), np.empty(count)
    table = rows.table
    for r in range(count):
        for k in range(low, high):
            rows.push[k, 0], rows.push[k, 1], rows.push[k, 2] = 0.0, 0.0, 0.0
        add_impulse(table[first + r], rows.push, 1.0)
        spread(rows, low, high, False, 0.0)
        for q in range(count):
            matrix[q, r] = speed_along(table[first + q], rows.push)
        table[first + r].step = table[first + r].impulse
        lack[r] = table[first + r].wanted - speed_along(table[first + r], rows.speed)
    for r in range(count):
        matrix[r, r] += SOFT * max(matrix[r, r], 1e-12)
    for _ in range(TURNS):
        sweep_rows(rows, first, middle, frictions, matrix, lack)
        free = number_free(table, first, matrix)
        if free == 0 or not factor_free(matrix, factors, table, first, count):
            break
        if go_within(table, first, matrix, factors, lack, solution, free) == 1.0:
            break
    worst = 0.0
    for k in range(low, high):
        rows.push[k, 0], rows.push[k, 1], rows.push[k, 2] = 0.0, 0.0, 0.0
    for r in range(count):
        row = table[first + r]
        bound(rows, first + r, middle, frictions)
        error = max(min(lack[r], row.high - row.impulse), row.low - row.impulse) if matrix[r, r] > NO_ROOM else 0.0
        worst = max(worst, abs(error) * row.length)
        add_impulse(row, rows.push, row.impulse - row.step)
    spread(rows, low, high, False, 0.0)
    for k in range(low, high):
        for c in range(3):
            rows.speed[k, c] += rows.push[k, c]
    return worst


@inner
def sweep_rows(rows: Rows, first: int, middle: int, frictions: int, matrix: Floats, lack: Floats) -> None:
    """Give each row the impulse that it lacks, one after the other, some times."""
    count = lack.shape[0]
    for _ in range(SWEEPS):
        for r in range(count):
            bound(rows, first + r, middle, frictions)
            change = move(rows.table[first + r], lack[r] / matrix[r, r]) if matrix[r, r] > NO_ROOM else 0.0
            for q in range(count if change != 0.0 else 0):
                lack[q] -= matrix[q, r] * change


@inner
def number_free(table: Table, first: int, matrix: Floats) -> int:
    """Number the rows between their bounds, in `lack`; return how many there are."""
    free = 0
    for r in range(matrix.shape[0]):
        row = table[first + r]
        row.lack = -1.0
        if row.low < row.impulse < row.high and matrix[r, r] > NO_ROOM:
            row.lack = free
            free += 1
    return free


@inner
def go_within(
    table: Table, first: int, matrix: Floats, factors: Floats, lack: Floats, solution: Floats, free: int
) -> float:
    """Give the free rows the impulses that they lack together, or such a share that none passes a bound; return it."""
    count, share = lack.shape[0], 1.0
    for r in range(count):
        if table[first + r].lack >= 0.0:
            solution[int(table[first + r].lack)] = lack[r]
    solve_free(factors, solution, free)
    for r in range(count):
        row = table[first + r]
        if row.lack >= 0.0:
            share = min(share, share_within(row, solution[int(row.lack)]))
    for r in range(count):
        row = table[first + r]
        change = move(row, share * solution[int(row.lack)]) if row.lack >= 0.0 else 0.0
        for q in range(count if change != 0.0 else 0):
            lack[q] -= matrix[q, r] * change
    return share


@inner
def bound(rows: Rows, r: int, middle: int, frictions: int) -> None:
    """Bound a friction by the normal impulse there is."""
    if middle <= r < frictions:
        row = rows.table[r]
        most = row.share * rows.table[row.bound].impulse
        row.low, row.high = -most, most


@inner
def move(row: Record, step: float) -> float:
    """Change the impulse of a row by a step, within its bounds; return by how much."""
    before = row.impulse
    row.impulse = min(max(before + step, row.low), row.high)
    return float(row.impulse - before)


@inner
def share_within(row: Record, step: float) -> float:
    """Return the share of a step, up to 1, with which a row stays within its bounds."""
    after = row.impulse + step
    if after > row.high:
        return float((row.high - row.impulse) / step)
    return float((row.low - row.impulse) / step) if after < row.low else 1.0


@inner
def factor_free(matrix: Floats, factors: Floats, table: Table, first: int, count: int) -> bool:
    """Factor the part of the matrix of rows between their bounds (A. Cholesky); False if it has none."""
    for r in range(count):
        i = int(table[first + r].lack)
        for q in range(r + 1 if i >= 0 else 0):
            j = int(table[first + q].lack)
            if j < 0:
                continue
            total = matrix[r, q]
            for k in range(j):
                total -= factors[i, k] * factors[j, k]
            if i != j:
                factors[i, j] = total / factors[j, j]
            elif total > 0.0:
                factors[i, i] = math.sqrt(total)
            else:
                return False
    return True


@inner
def solve_free(factors: Floats, solution: Floats, free: int) -> None:
    """Solve with these factors."""
    for i in range(free):
        for k in range(i):
            solution[i] -= factors[i, k] * solution[k]
        solution[i] /= factors[i, i]
    for i in range(free - 1, -1, -1):
        for k in range(i + 1, free):
            solution[i] -= factors[k, i] * solution[k]
        solution[i] /= factors[i, i]
