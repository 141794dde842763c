"""The bounded rows of an island settled by sweeps (Gauss and Seidel), those of a small one to the end by factors.

In: rows of contacts, limits and motors with impulses, and the factors of their mechanisms. Out: the same, settled. The
matrix says what an impulse of each row does along each other one, through all joints. Only rows take part that push or
lack something: most limits are far away, and welds leave most contacts between their bodies nothing to do. Sweeps over
the rows, within their bounds, find which of them stand at a bound, and bound each friction by its normal; then the
others are solved at once by factors of their part of the matrix, until nothing changes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel, unsigned
from carom._core.types import Floats, Integers
from carom.world.joints.bounded import Parts
from carom.world.joints.effects import Effects, Sides, list_sides, write_effects
from carom.world.step.constants import FEW_TURNS
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.minimise import error_of, minimise
from carom.world.step.solve.rows import Rows, add_impulse, bound_frictions, speed_along, spread

MOST_EFFECTS, MOST_DIRECT = 160_000, 120
"""Effects of rows on each other with which they are swept: steps along the gradient take less with more. And rows with
which factors follow: with more these take longer than sweeps."""
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


class Acting(NamedTuple):
    """The rows that take part, side by side."""

    order: Integers
    """Their numbers in the table."""
    normal: Integers
    """Of frictions the place of their normal here; else -1."""
    impulse: Floats
    low: Floats
    high: Floats
    lack: Floats
    """Speed along the row that is wanted, less the speed there is."""
    length: Floats
    share: Floats
    """Both as in the table."""


@kernel
def settle_acting(
    rows: Rows, first: int, middle: int, frictions: int, last: int, low: int, high: int, enough: float
) -> float:
    """Settle the rows from `first` up to `last`, of which those from `middle` to `frictions` are bounded by normals.

    `enough` is the speed by which a row may miss and still take no part. Returns the worst by which a row misses; -1
    if too many take part.
    """
    worst, known = 0.0, 0
    found, acts = np.empty(last - first, np.int64), np.zeros(last - first, np.int64)
    for _ in range(ROUNDS):
        count = list_acting(rows, first, middle, frictions, enough, found, acts)
        if count == known:
            break
        known, order = count, found[:count]
        sides = Sides(np.empty(2 * count, np.int64), np.full(high - low, -1), np.empty(2 * count, np.int64))
        most = list_sides(rows, order, low, high, sides)
        if most > MOST_EFFECTS:
            return -1.0
        effects = Effects(np.empty(count + 1, np.int64), np.empty(most, np.int64), np.empty(most), np.empty(count))
        write_effects(rows, order, sides, effects)
        kept = np.empty((6, count))
        acting = Acting(order, np.full(count, -1), kept[0], kept[1], kept[2], kept[3], kept[4], kept[5])
        take_up(rows, first, middle, frictions, acting, acts)
        direct = count if count <= MOST_DIRECT else 0
        factors, solution, place = np.empty((direct, direct)), np.empty(direct), np.full(count, -1)
        for _ in range(TURNS):
            if sweep_rows(acting, effects, enough) or count > MOST_DIRECT:
                break
            free, same = number_free(acting, place)
            if free == 0 or not factor_free(effects, factors, place):
                break
            if go_within(acting, effects, factors, place, solution) == 1.0 and same:
                break
        worst = take_changes(rows, acting, low, high)
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
            acts[r] = count
    return count


@inner
def take_up(rows: Rows, first: int, middle: int, frictions: int, acting: Acting, acts: Integers) -> None:
    """Copy the rows that take part; `acts` has their places here, counted from 1."""
    for r in range(acting.order.shape[0]):
        number = acting.order[r]
        bound(rows, number, middle, frictions)
        row = rows.table[number]
        acting.impulse[r], acting.low[r], acting.high[r] = row.impulse, row.low, row.high
        acting.lack[r] = row.wanted - speed_along(row, rows.speed)
        acting.length[r], acting.share[r] = row.length, row.share
        acting.normal[r] = acts[row.bound - first] - 1 if middle <= number < frictions else -1


@inner
def take_changes(rows: Rows, acting: Acting, low: int, high: int) -> float:
    """Hand the changes of impulses to rows and speeds; return the worst speed by which a row misses."""
    worst = 0.0
    for k in range(low, high):
        rows.push[k, 0], rows.push[k, 1], rows.push[k, 2] = 0.0, 0.0, 0.0
    for r in range(acting.order.shape[0]):
        row = rows.table[acting.order[r]]
        bound_friction(acting, r)
        impulse, least, most = acting.impulse[r], acting.low[r], acting.high[r]
        worst = max(worst, abs(error_of(acting.lack[r], impulse, least, most)) * row.length)
        add_impulse(row, rows.push, impulse - row.impulse)
        row.impulse, row.low, row.high = impulse, least, most
    spread(rows, low, high, False, 0.0)
    for k in range(low, high):
        for c in range(3):
            rows.speed[k, c] += rows.push[k, c]
    return worst


@kernel
def sweep_rows(acting: Acting, effects: Effects, enough: float) -> bool:
    """Give each row the impulse that it lacks, one after the other, some times; tell whether none lacked any.

    From the second time on each begins ahead, where the last ones have carried the impulses (M. Silcowitz, S. Niebe and
    K. Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010).
    """
    impulse, lack, count, still, before = acting.impulse, acting.lack, acting.lack.shape[0], enough, 0.0
    begun, begun_lack, ahead, ahead_lack = np.empty(count), np.empty(count), np.zeros(count), np.zeros(count)
    for sweep in range(SWEEPS):
        most, size = 0.0, 0.0
        for r in range(count):
            begun[r], begun_lack[r] = impulse[r], lack[r]
        for r in range(count):
            bound_friction(acting, r)
            own = effects.own[r]
            change = move(acting, effects, r, lack[r] / own)
            most = max(most, abs(change) * own * acting.length[r])
            size += (impulse[r] - begun[r]) * (impulse[r] - begun[r])
        if most <= still or sweep == SWEEPS - 1:
            return sweep == 0
        still = max(enough, STILL * most) if sweep == 0 else still
        carried = size / before if size < before else 0.0
        before = size
        for r in range(count):
            change, change_lack = impulse[r] - begun[r], lack[r] - begun_lack[r]
            impulse[r] += carried * ahead[r]
            lack[r] += carried * ahead_lack[r]
            ahead[r] = carried * ahead[r] + change
            ahead_lack[r] = carried * ahead_lack[r] + change_lack
    return False


@inner
def number_free(acting: Acting, place: Integers) -> tuple[int, bool]:
    """Number the rows between their bounds; return how many there are, and whether they are those of before."""
    free, same = 0, True
    for r in range(place.shape[0]):
        between = acting.low[r] < acting.impulse[r] < acting.high[r]
        same = same and between == (place[r] >= 0)
        place[r] = free if between else -1
        free += 1 if between else 0
    return free, same


@inner
def go_within(acting: Acting, effects: Effects, factors: Floats, place: Integers, solution: Floats) -> float:
    """Give the free rows the impulses that they lack together, or such a share that none passes a bound; return it."""
    count, share, free = place.shape[0], 1.0, 0
    for r in range(count):
        if place[r] >= 0:
            solution[place[r]] = acting.lack[r]
            free += 1
    solve_free(factors, solution, free)
    for r in range(count):
        if place[r] >= 0:
            share = min(share, share_within(acting, r, solution[place[r]]))
    for r in range(count):
        if place[r] >= 0:
            move(acting, effects, r, share * solution[place[r]])
    return share


@inner
def bound(rows: Rows, r: int, middle: int, frictions: int) -> None:
    """Bound a friction by the normal impulse there is."""
    if middle <= r < frictions:
        row = rows.table[r]
        most = row.share * rows.table[row.bound].impulse
        row.low, row.high = -most, most


@inner
def bound_friction(acting: Acting, r: int) -> None:
    """Bound a friction that takes part by the normal impulse there is."""
    normal = acting.normal[r]
    if normal >= 0:
        most = acting.share[r] * acting.impulse[normal]
        acting.low[r], acting.high[r] = -most, most


@inner
def move(acting: Acting, effects: Effects, r: int, step: float) -> float:
    """Change the impulse of a row by a step, within its bounds, and what all rows lack; return by how much."""
    before = acting.impulse[r]
    acting.impulse[r] = min(max(before + step, acting.low[r]), acting.high[r])
    change = acting.impulse[r] - before
    if change != 0.0:
        for at in range(effects.start[r], effects.start[r + 1]):
            acting.lack[unsigned(effects.other[unsigned(at)])] -= effects.effect[unsigned(at)] * change
    return float(change)


@inner
def share_within(acting: Acting, r: int, step: float) -> float:
    """Return the share of a step, up to 1, with which a row stays within its bounds."""
    before = acting.impulse[r]
    if before + step > acting.high[r]:
        return float((acting.high[r] - before) / step)
    return float((acting.low[r] - before) / step) if before + step < acting.low[r] else 1.0


@inner
def factor_free(effects: Effects, factors: Floats, place: Integers) -> bool:
    """Factor the part of the matrix of rows between their bounds (A. Cholesky); False if it has none."""
    for r in range(place.shape[0]):
        i = place[r]
        for j in range(i + 1):
            factors[i, j] = 0.0
        for at in range(effects.start[r], effects.start[r + 1] if i >= 0 else 0):
            j = place[effects.other[at]]
            if 0 <= j <= i:
                factors[i, j] = effects.effect[at]
        for j in range(i + 1):
            total = factors[i, j]
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
def settle_bounded(rows: Rows, islands: Islands, s: int, parts: Parts, missable: float) -> float:
    """Settle the bounded rows of an island on the present matrix; return the worst speed by which a row misses."""
    first, middle, frictions, last = parts
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    missed = settle_acting(rows, first, middle, frictions, last, low, high, missable)
    if missed >= 0.0:
        return missed
    for _ in range(MOST_SWEEPS):
        bound_frictions(rows, middle, frictions, low, high)
        turns, missed = minimise(rows, first, last, low, high, missable, FEW_TURNS, 0.0)
        if turns == 0:
            break
    return missed
