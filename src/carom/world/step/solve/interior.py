"""Normals and frictions of one island as one problem, solved through the interior of their bounds.

In: the rows of an island, with the impulses so far in the speeds. Out: the same, settled. The normal and the friction
of a point become two impulses along the edges of its friction cone, both at least 0: so frictions are bounded by the
normals as they come out, and no energy is made. Such a problem takes 5 to 30 turns, whatever the masses are, each with
one factor of a matrix of bodies (S. Mehrotra, "On the implementation of a primal-dual interior point method", 1992).
A point that slides would open by its friction times its slip, so its edges want that much less (G. De Saxce, Z. Feng,
1998): by the slip of the solution before, and once more if it has changed. The search begins with equal products of
impulse and slack, and with impulses that would move the heaviest body: begun smaller, it ends early where a light body
holds one of 1e8 times its mass. Where rows contradict each other, the search ends when it gains nothing more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel, unsigned
from carom._core.types import Booleans, Floats, Integers
from carom.world.joints.elimination import factor, solve_places
from carom.world.joints.tables import Matrix
from carom.world.step.constants import COARSE
from carom.world.step.solve.body_order import find_structure, order_bodies
from carom.world.step.solve.rows import Rows, add_impulse, speed_along

MOST_FACTORS = 40
"""Turns of one search."""
PATIENCE = 10
"""Turns in which a search has to gain something."""
GAIN = 0.9
"""Times the least mean product of impulse and slack so far: less is a gain."""
MOST_SEARCHES = 2
"""Searches of one problem, the second with the slips that the first has found."""
FLOOR = 1e-10
"""Share of a row that gives way: dependent rows have a factor, and its pivots are at least 1 but for rounding."""
SHY = 0.99
"""Share of the way to the nearest bound that a step goes."""


class Edges(NamedTuple):
    """The impulses along the edges of all cones: the first edges of all points, then the second."""

    jacobian: Floats
    """(edges, 6)."""
    i: Integers
    """The place of the body of the first three; behind all bodies is that of what cannot be moved."""
    j: Integers
    live: Booleans
    """False for the second edge of a point without friction."""
    wanted: Floats
    impulse: Floats
    length: Floats
    slack: Floats
    """The speed beyond the wanted one; both are at least 0, and at last one of them is 0."""
    lack: Floats
    ease: Floats
    asked: Floats
    step: Floats
    slack_step: Floats
    first_step: Floats
    """Those of the step that is tried first."""
    first_slack: Floats
    block: Integers
    """That of both bodies in the matrix; -1: one of them cannot be moved."""


@kernel
def write_edges(rows: Rows, first: int, points: int, low: int, place: Integers, e: Edges, start: Floats) -> None:
    """Write the edges of the cones, and the speeds without any impulse."""
    for k in range(place.shape[0]):
        for c in range(3):
            start[place[k], c] = rows.speed[low + k, c]
    for p in range(points):
        q, normal, across = p + points, rows.table[first + p], rows.table[first + points + p]
        i, j, share = place[normal.i - low], place[normal.j - low], across.share
        scale = 1.0 / math.sqrt(1.0 + share * share)
        for c in range(3):
            start[i, c] -= normal.impulse * normal.jacobian[c] + across.impulse * across.jacobian[c]
            start[j, c] -= normal.impulse * normal.jacobian[3 + c] + across.impulse * across.jacobian[3 + c]
        for c in range(6):
            e.jacobian[p, c] = (normal.jacobian[c] + share * across.jacobian[c]) * scale
            e.jacobian[q, c] = (normal.jacobian[c] - share * across.jacobian[c]) * scale
        e.wanted[p] = (normal.wanted + share * across.wanted) * scale
        e.wanted[q] = (normal.wanted - share * across.wanted) * scale
        e.i[p], e.j[p], e.i[q], e.j[q] = i, j, i, j
        e.length[p], e.length[q], e.live[p], e.live[q] = normal.length, normal.length, True, share > 0.0
        push = max(normal.impulse, 0.0)
        rub = min(max(across.impulse / share, -push), push) if share > 0.0 else push
        e.impulse[p], e.impulse[q] = 0.5 * (push + rub) / scale, 0.5 * (push - rub) / scale
    start[place.shape[0] - 1] = 0.0


@kernel
def read_edges(rows: Rows, first: int, points: int, low: int, place: Integers, e: Edges, speed: Floats) -> None:
    """Write impulses and speeds back; what is left of impulses where bodies part is taken away."""
    for k in range(place.shape[0] - 1):
        for c in range(3):
            rows.speed[low + k, c] = speed[place[k], c]
    for p in range(points):
        normal, across = rows.table[first + p], rows.table[first + points + p]
        share = across.share
        scale = 1.0 / math.sqrt(1.0 + share * share)
        second = e.impulse[p + points] if e.live[p + points] else 0.0
        normal.impulse = (e.impulse[p] + second) * scale
        across.impulse = share * (e.impulse[p] - second) * scale
    for p in range(points):
        normal, across = rows.table[first + p], rows.table[first + points + p]
        if speed_along(normal, rows.speed) - normal.wanted > normal.impulse:
            add_impulse(normal, rows.speed, -normal.impulse)
            add_impulse(across, rows.speed, -across.impulse)
            normal.impulse, across.impulse = 0.0, 0.0


@kernel
def measure_edges(e: Edges, start: Floats, speed: Floats) -> float:
    """Write the speeds with all impulses, and what each edge lacks; return the worst speed by which one misses."""
    for k in range(speed.shape[0]):
        for c in range(3):
            speed[k, c] = start[k, c]
    edges, last = e.i.shape[0], speed.shape[0] - 1
    for r in range(edges):
        i, j, x = unsigned(e.i[r]), unsigned(e.j[r]), e.impulse[r]
        if e.live[r]:
            for c in range(3):
                speed[i, c] += x * e.jacobian[r, c]
                speed[j, c] += x * e.jacobian[r, 3 + c]
    speed[last] = 0.0
    worst = 0.0
    for r in range(edges):
        if e.live[r]:
            e.lack[r] = e.wanted[r] - along_edge(e, r, speed)
            worst = max(worst, abs(max(e.lack[r], -e.impulse[r])) * e.length[r])
    return worst


@inner
def along_edge(e: Edges, r: int, speed: Floats) -> float:
    """Return the speed along an edge."""
    i, j, n = unsigned(e.i[r]), unsigned(e.j[r]), e.jacobian
    first = speed[i, 0] * n[r, 0] + speed[i, 1] * n[r, 1] + speed[i, 2] * n[r, 2]
    return float(first + (speed[j, 0] * n[r, 3] + speed[j, 1] * n[r, 4] + speed[j, 2] * n[r, 5]))


@kernel
def write_matrix(e: Edges, matrix: Matrix, count: int) -> None:
    """Write how easily each edge gives way between its bounds, and the matrix of the bodies."""
    diagonal, off = matrix.diagonal, matrix.off
    diagonal[:] = 0.0
    off[:] = 0.0
    for k in range(count):
        diagonal[k, 0], diagonal[k, 4], diagonal[k, 8] = 1.0, 1.0, 1.0
    for r in range(e.i.shape[0]):
        if not e.live[r]:
            continue
        e.ease[r] = 1.0 / (FLOOR + e.slack[r] / e.impulse[r])
        i, j, block, row = e.i[r], e.j[r], e.block[r], e.jacobian[r]
        high, low = (0, 3) if i > j else (3, 0)  # in the rows of a block is who comes later
        for p in range(3):
            x, y = e.ease[r] * row[p], e.ease[r] * row[3 + p]
            for q in range(3):
                if i < count:
                    diagonal[i, 3 * p + q] += x * row[q]
                if j < count:
                    diagonal[j, 3 * p + q] += y * row[3 + q]
                if block >= 0:
                    off[block, 3 * p + q] += (x if high == 0 else y) * row[low + q]


@kernel
def choose_steps(e: Edges, matrix: Matrix, target: float, second: bool, change: Floats) -> float:
    """Choose steps of impulses and slacks towards products of `target`; return how far they may go at most."""
    change[:] = 0.0
    last = change.shape[0] - 1
    for r in range(e.i.shape[0]):
        if not e.live[r]:
            continue
        x, z = e.impulse[r], e.slack[r]
        more = target - (e.first_step[r] * e.first_slack[r] if second else 0.0)
        e.slack_step[r] = more / x - z
        e.asked[r] = e.lack[r] + z + e.slack_step[r]
        v, i, j = e.asked[r] * e.ease[r], unsigned(e.i[r]), unsigned(e.j[r])
        for c in range(3):
            change[i, c] += v * e.jacobian[r, c]
            change[j, c] += v * e.jacobian[r, 3 + c]
    change[last] = 0.0
    solve_places(matrix, change, 0, last)
    most = math.inf
    for r in range(e.i.shape[0]):
        if not e.live[r]:
            continue
        step = e.ease[r] * (e.asked[r] - along_edge(e, r, change))
        e.step[r] = step
        e.slack_step[r] -= e.slack[r] / e.impulse[r] * step
        if step < 0.0:
            most = min(most, -e.impulse[r] / step)
        if e.slack_step[r] < 0.0:
            most = min(most, -e.slack[r] / e.slack_step[r])
    return most


@kernel
def hardest(e: Edges, count: int) -> float:
    """Return by how much an impulse along an edge moves both its bodies, over that of the one that it moves least."""
    least = 1.0
    for r in range(e.i.shape[0]):
        if e.live[r]:
            row, first, second = e.jacobian[r], 0.0, 0.0
            for c in range(3):
                first, second = first + row[c] * row[c], second + row[3 + c] * row[3 + c]
            least = min(least, first if e.i[r] < count else 1.0, second if e.j[r] < count else 1.0)
    return 1.0 / max(least, FLOOR)


@kernel
def search(
    e: Edges, matrix: Matrix, exact: float, enough: float, start: Floats, speed: Floats, change: Floats
) -> float:
    """Settle the impulses along all edges; return the worst speed by which one misses.

    The search ends where none misses by `exact`, or where none does by `enough` and a turn gains nothing.
    """
    edges, count, worst = e.i.shape[0], change.shape[0] - 1, measure_edges(e, start, speed)
    if worst <= exact:
        return worst
    square, lives = 0.0, 0
    for r in range(edges):
        if e.live[r]:
            miss = max(e.lack[r], -e.impulse[r])
            square += miss * miss
            lives += 1
    inside, times = math.sqrt(square / max(lives, 1)), hardest(e, count)
    times = times if exact < enough else math.sqrt(times)  # of many points that takes fewer turns
    for r in range(edges):
        e.slack[r] = max(-e.lack[r], inside)
        e.impulse[r] = max(e.impulse[r], times * inside * (inside / e.slack[r]))
    best, since, turn, worst = math.inf, 0, 0, math.inf
    while worst > exact and turn < MOST_FACTORS and since < PATIENCE:
        turn, before = turn + 1, worst
        worst = measure_edges(e, start, speed)
        mean = 0.0
        for r in range(edges):
            mean += e.impulse[r] * e.slack[r] / lives if e.live[r] else 0.0
        if worst <= exact or (before <= enough and worst > GAIN * before) or mean == 0.0:
            break
        since = 0 if mean < GAIN * best else since + 1
        best = min(best, mean)
        write_matrix(e, matrix, count)
        factor(matrix, 0, count)
        share = min(1.0, choose_steps(e, matrix, 0.0, False, change))
        after = 0.0
        for r in range(edges):
            if e.live[r]:
                e.first_step[r], e.first_slack[r] = e.step[r], e.slack_step[r]
                after += (e.impulse[r] + share * e.step[r]) * (e.slack[r] + share * e.slack_step[r]) / lives
        ratio = after / mean
        share = min(1.0, SHY * choose_steps(e, matrix, mean * ratio * ratio * ratio, True, change))
        for r in range(edges):
            if e.live[r]:
                e.impulse[r] += share * e.step[r]
                e.slack[r] += share * e.slack_step[r]
    return measure_edges(e, start, speed)


@kernel
def allow_slips(rows: Rows, first: int, points: int, e: Edges, speed: Floats) -> float:
    """Have the edges of each point want less by its slip; return by how much that has changed at most."""
    most = 0.0
    for p in range(points):
        q, normal, across = p + points, rows.table[first + p], rows.table[first + points + p]
        n, i, j, share = across.jacobian, e.i[p], e.j[p], across.share
        slip = speed[i, 0] * n[0] + speed[i, 1] * n[1] + speed[i, 2] * n[2] - across.wanted
        slip += speed[j, 0] * n[3] + speed[j, 1] * n[4] + speed[j, 2] * n[5]
        wanted = (normal.wanted + share * (across.wanted - abs(slip))) / math.sqrt(1.0 + share * share)
        most = max(most, abs(wanted - e.wanted[p]) * normal.length)
        e.wanted[q] += wanted - e.wanted[p]
        e.wanted[p] = wanted
    return most


@kernel
def settle_inside(rows: Rows, first: int, points: int, low: int, high: int, exact: float, enough: float) -> float:
    """Settle the normals from row `first` on, and their frictions behind them; return the worst miss.

    `ahead` of the rows holds the velocities of a solution before, or what else is near to those to come.
    """
    count, edges = high - low - 1, 2 * points
    live, w, n = np.zeros(edges, np.bool_), np.zeros((3, edges), np.int64), np.zeros((11, edges))
    e = Edges(
        np.zeros((edges, 6)), w[0], w[1], live, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], w[2]
    )
    start, speed, change = np.zeros((count + 1, 3)), np.zeros((count + 1, 3)), np.zeros((count + 1, 3))
    near, degrees, place = np.zeros((count, count), np.bool_), np.zeros(count, np.int64), np.zeros(count + 1, np.int64)
    for p in range(points):
        i, j = rows.table[first + p].i - low, rows.table[first + p].j - low
        if i < count and j < count and not near[i, j]:
            near[i, j], near[j, i] = True, True
            degrees[i] += 1
            degrees[j] += 1
    place[count] = count
    blocks, changes = order_bodies(near, degrees, place)
    whole, diagonal, pivots = np.zeros((2, count + 1), np.int64), np.zeros((count, 9)), np.zeros((count, 6))
    later, changed, off = np.zeros(blocks, np.int64), np.zeros(changes, np.int64), np.zeros((blocks, 9))
    matrix = Matrix(whole[0], later, whole[1], changed, diagonal, pivots, off)
    block = np.empty((count, count), np.int64)
    find_structure(near, place, matrix, block)
    write_edges(rows, first, points, low, place, e, start)
    for r in range(edges):
        e.block[r] = block[e.i[r], e.j[r]] if max(e.i[r], e.j[r]) < count else -1
    for k in range(count):
        for c in range(3):
            speed[place[k], c] = rows.ahead[low + k, c]
    allow_slips(rows, first, points, e, speed)
    searches, gained, worst = 0, math.inf, 0.0
    while searches < MOST_SEARCHES and gained > COARSE * exact:
        searches, worst = searches + 1, search(e, matrix, exact, enough, start, speed, change)
        gained = allow_slips(rows, first, points, e, speed)
    read_edges(rows, first, points, low, place, e, speed)
    return worst
