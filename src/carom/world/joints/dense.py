"""The bounded rows of an island as one dense problem, those of a small one solved to the end whatever the masses.

In: rows of contacts, limits and motors with impulses, and the factors of their mechanisms. Out: the same, settled. The
matrix says what an impulse of each row does along each other one, through all joints. Only rows take part that push or
lack something: most limits are far away, and welds leave most contacts between their bodies nothing to do. Sweeps over
the rows (Gauss and Seidel, with bounds) find which of them stand at a bound, and bound each friction by its normal;
then the others are solved at once by factors of their part of the matrix, until nothing changes.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.joints.bounded import Parts
from carom.world.joints.effects import write_effects
from carom.world.step.constants import FEW_TURNS
from carom.world.step.declared import Table
from carom.world.step.islands import Islands
from carom.world.step.minimise import error_of, minimise
from carom.world.step.rows import Row, Rows, add_impulse, bound_frictions, speed_along, spread

MOST_DENSE, MOST_DIRECT = 400, 120
"""Rows that take part; with more the matrix takes longer than steps along the gradient, or its factors than sweeps."""
ROUNDS = 4
"""Times that rows are looked for which what the others do leaves lacking."""
SWEEPS = 30
"""Sweeps before each direct solution, at most."""
TURNS = 6
"""Direct solutions at most."""
STILL = 1e-6
"""Share of what the first sweep changes: sweeps end where no row changes by more."""
MOST_SWEEPS = 3
"""Times that frictions get the bounds of new normal impulses in such a turn."""


@kernel
def settle_densely(
    rows: Rows, first: int, middle: int, frictions: int, last: int, low: int, high: int, enough: float
) -> float:
    """Settle the rows from `first` up to `last`, of which those from `middle` to `frictions` are bounded by normals.

    `enough` is the speed by which a row may miss and still take no part. Returns the worst by which a row misses; -1
    if too many take part.
    """
    table, worst, known = rows.table, 0.0, 0
    order, acts = np.empty(last - first, np.int64), np.zeros(last - first, np.int64)
    for _ in range(ROUNDS):
        count = list_acting(rows, first, middle, frictions, enough, order, acts)
        if count > MOST_DENSE:
            return -1.0
        if count == known:
            break
        known = count
        matrix, factors = np.empty((count, count)), np.empty((count, count))
        lack, solution, place = np.empty(count), np.empty(count), np.full(count, -1)
        write_effects(rows, order, matrix)
        for r in range(count):
            row = table[order[r]]
            row.step = row.impulse
            lack[r] = row.wanted - speed_along(row, rows.speed)
        for _ in range(TURNS):
            if sweep_rows(rows, middle, frictions, order, matrix, lack, enough) or count > MOST_DIRECT:
                break
            free, same = number_free(table, order, place)
            if free == 0 or not factor_free(matrix, factors, place):
                break
            if go_within(table, order, matrix, factors, place, lack, solution) == 1.0 and same:
                break
        worst = take_changes(rows, middle, frictions, order, matrix, lack, low, high)
    return worst


@inner
def list_acting(
    rows: Rows, first: int, middle: int, frictions: int, enough: float, order: Integers, acts: Integers
) -> int:
    """List the rows that take part: that push, lack something that their bounds let them give, or did so before."""
    count = 0
    for r in range(acts.shape[0]):
        row = rows.table[first + r]
        if acts[r] == 0:
            if middle <= first + r < frictions:
                acts[r] = acts[row.bound - first]
            else:
                lack = (row.wanted - speed_along(row, rows.speed)) * row.length
                gives = (lack > enough and row.impulse < row.high) or (lack < -enough and row.impulse > row.low)
                acts[r] = 1 if gives else 0
            acts[r] = 1 if row.impulse != 0.0 else acts[r]
        if acts[r] != 0:
            order[count] = first + r
            count += 1
    return count


@inner
def take_changes(
    rows: Rows, middle: int, frictions: int, order: Integers, matrix: Floats, lack: Floats, low: int, high: int
) -> float:
    """Hand what impulses have changed to the speeds; return the worst speed by which a row misses."""
    worst = 0.0
    for k in range(low, high):
        rows.push[k, 0], rows.push[k, 1], rows.push[k, 2] = 0.0, 0.0, 0.0
    for r in range(lack.shape[0]):
        row = rows.table[order[r]]
        bound(rows, order[r], middle, frictions)
        worst = max(worst, abs(error_of(lack[r], row.impulse, row.low, row.high)) * row.length)
        add_impulse(row, rows.push, row.impulse - row.step)
    spread(rows, low, high, False, 0.0)
    for k in range(low, high):
        for c in range(3):
            rows.speed[k, c] += rows.push[k, c]
    return worst


@kernel
def sweep_rows(
    rows: Rows, middle: int, frictions: int, order: Integers, matrix: Floats, lack: Floats, enough: float
) -> bool:
    """Give each row the impulse that it lacks, one after the other, some times; tell whether none lacked any.

    From the second time on each begins ahead, where the last ones have carried the impulses (M. Silcowitz, S. Niebe and
    K. Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010).
    """
    table, count, still, before = rows.table, lack.shape[0], enough, 0.0
    begun, begun_lack, ahead, ahead_lack = np.empty(count), np.empty(count), np.zeros(count), np.zeros(count)
    for sweep in range(SWEEPS):
        most, size = 0.0, 0.0
        for r in range(count):
            begun[r], begun_lack[r] = table[order[r]].impulse, lack[r]
        for r in range(count):
            bound(rows, order[r], middle, frictions)
            row, own = table[order[r]], matrix[r, r]
            change = move(row, lack[r] / own)
            most = max(most, abs(change) * own * row.length)
            for q in range(count if change != 0.0 else 0):
                lack[q] -= matrix[r, q] * change
            size += (row.impulse - begun[r]) * (row.impulse - begun[r])
        if most <= still or sweep == SWEEPS - 1:
            return sweep == 0
        still = max(enough, STILL * most) if sweep == 0 else still
        carried = size / before if size < before else 0.0
        before = size
        for r in range(count):
            row = table[order[r]]
            change, change_lack = row.impulse - begun[r], lack[r] - begun_lack[r]
            row.impulse += carried * ahead[r]
            lack[r] += carried * ahead_lack[r]
            ahead[r] = carried * ahead[r] + change
            ahead_lack[r] = carried * ahead_lack[r] + change_lack
    return False


@inner
def number_free(table: Table[Row], order: Integers, place: Integers) -> tuple[int, bool]:
    """Number the rows between their bounds; return how many there are, and whether they are those of before."""
    free, same = 0, True
    for r in range(place.shape[0]):
        row = table[order[r]]
        between = row.low < row.impulse < row.high
        same = same and between == (place[r] >= 0)
        place[r] = free if between else -1
        free += 1 if between else 0
    return free, same


@inner
def go_within(
    table: Table[Row],
    order: Integers,
    matrix: Floats,
    factors: Floats,
    place: Integers,
    lack: Floats,
    solution: Floats,
) -> float:
    """Give the free rows the impulses that they lack together, or such a share that none passes a bound; return it."""
    count, share, free = lack.shape[0], 1.0, 0
    for r in range(count):
        if place[r] >= 0:
            solution[place[r]] = lack[r]
            free += 1
    solve_free(factors, solution, free)
    for r in range(count):
        if place[r] >= 0:
            share = min(share, share_within(table[order[r]], solution[place[r]]))
    for r in range(count):
        change = move(table[order[r]], share * solution[place[r]]) if place[r] >= 0 else 0.0
        for q in range(count if change != 0.0 else 0):
            lack[q] -= matrix[r, q] * change
    return share


@inner
def bound(rows: Rows, r: int, middle: int, frictions: int) -> None:
    """Bound a friction by the normal impulse there is."""
    if middle <= r < frictions:
        row = rows.table[r]
        most = row.share * rows.table[row.bound].impulse
        row.low, row.high = -most, most


@inner
def move(row: Row, step: float) -> float:
    """Change the impulse of a row by a step, within its bounds; return by how much."""
    before = row.impulse
    row.impulse = min(max(before + step, row.low), row.high)
    return float(row.impulse - before)


@inner
def share_within(row: Row, step: float) -> float:
    """Return the share of a step, up to 1, with which a row stays within its bounds."""
    after = row.impulse + step
    if after > row.high:
        return float((row.high - row.impulse) / step)
    return float((row.low - row.impulse) / step) if after < row.low else 1.0


@inner
def factor_free(matrix: Floats, factors: Floats, place: Integers) -> bool:
    """Factor the part of the matrix of rows between their bounds (A. Cholesky); False if it has none."""
    for r in range(place.shape[0]):
        i = place[r]
        for q in range(r + 1 if i >= 0 else 0):
            j = place[q]
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


@kernel
def settle(rows: Rows, islands: Islands, s: int, parts: Parts, missable: float) -> float:
    """Settle the bounded rows of an island on the present matrix; return the worst speed by which a row misses."""
    first, middle, frictions, last = parts
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    missed = settle_densely(rows, first, middle, frictions, last, low, high, missable)
    if missed >= 0.0:
        return missed
    for _ in range(MOST_SWEEPS):
        bound_frictions(rows, middle, frictions, low, high)
        turns, missed = minimise(rows, first, last, low, high, missable, FEW_TURNS, 0.0)
        if turns == 0:
            break
    return missed
