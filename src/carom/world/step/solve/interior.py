"""Normals and frictions of one island as one problem, solved through the interior of their bounds.

In: the rows of an island, with the impulses so far in the speeds. Out: the same, settled. The normal and the friction
of a point become two impulses along the edges of its friction cone, both at least 0: so frictions are bounded by the
normals as they come out, and no energy is made. Such a problem takes 5 to 20 turns, whatever the masses are, each with
one factor of a matrix of bodies (S. Mehrotra, "On the implementation of a primal-dual interior point method", 1992).
A point that slides would open by its friction times its slip, so its edges want that much less (G. De Saxce, Z. Feng,
1998): by the slip of the solution before, and once more if it has changed. Where rows contradict each other, the search
ends when it gains nothing more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel, unsigned
from carom._core.types import Booleans, Floats, Integers
from carom.world.step.constants import COARSE
from carom.world.step.solve.block_cholesky import (
    Factor,
    add_square,
    block_of,
    factorise,
    find_structure,
    order_bodies,
    solve,
)
from carom.world.step.solve.rows import Rows, add_impulse, speed_along

MOST_FACTORS = 40
"""Turns of one search."""
PATIENCE = 10
"""Turns in which a search has to gain something."""
GAIN = 0.9
"""Times the least mean product of impulse and slack so far: less is a gain."""
MOST_SEARCHES = 2
"""Searches of one problem, the second with the slips that the first has found."""
FLOOR = 1e-12
"""Share of a row that gives way, so that rows which depend on each other have a factor."""
SHY = 0.99
"""Share of the way to the nearest bound that a step goes."""


class Edges(NamedTuple):
    """The impulses along the edges of all cones: the first edges of all points, then the second."""

    jacobian: Floats
    """(edges, 6)."""
    i: Integers
    """The body of the first three, or how many bodies there are for what cannot be moved."""
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


@kernel
def write_edges(rows: Rows, first: int, points: int, low: int, count: int, e: Edges, start: Floats) -> None:
    """Write the edges of the cones, and the speeds without any impulse."""
    for k in range(count + 1):
        for c in range(3):
            start[k, c] = rows.speed[low + k, c]
    for p in range(points):
        q, normal, across = p + points, rows.table[first + p], rows.table[first + points + p]
        i, j, share = normal.i - low, normal.j - low, across.share
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
    start[count] = 0.0


@kernel
def read_edges(rows: Rows, first: int, points: int, low: int, count: int, e: Edges, speed: Floats) -> None:
    """Write impulses and speeds back; what is left of impulses where bodies part is taken away."""
    for k in range(count):
        for c in range(3):
            rows.speed[low + k, c] = speed[k, c]
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
def measure(e: Edges, start: Floats, speed: Floats) -> float:
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
            e.lack[r] = e.wanted[r] - along(e, r, speed)
            worst = max(worst, abs(max(e.lack[r], -e.impulse[r])) * e.length[r])
    return worst


@inner
def along(e: Edges, r: int, speed: Floats) -> float:
    """Return the speed along an edge."""
    i, j, n = unsigned(e.i[r]), unsigned(e.j[r]), e.jacobian
    first = speed[i, 0] * n[r, 0] + speed[i, 1] * n[r, 1] + speed[i, 2] * n[r, 2]
    return float(first + (speed[j, 0] * n[r, 3] + speed[j, 1] * n[r, 4] + speed[j, 2] * n[r, 5]))


@kernel
def write_matrix(e: Edges, f: Factor, count: int) -> None:
    """Write how easily each edge gives way between its bounds, and the matrix of the bodies."""
    f.diagonal[:] = 0.0
    f.blocks[:] = 0.0
    for k in range(count):
        f.diagonal[k, 0, 0], f.diagonal[k, 1, 1], f.diagonal[k, 2, 2] = 1.0, 1.0, 1.0
    for r in range(e.i.shape[0]):
        if e.live[r]:
            e.ease[r] = 1.0 / (FLOOR + e.slack[r] / e.impulse[r])
            a = f.place[e.i[r]] if e.i[r] < count else -1
            b = f.place[e.j[r]] if e.j[r] < count else -1
            add_square(f, a, b, e.block[r], e.jacobian[r], e.ease[r])


@kernel
def choose(e: Edges, f: Factor, count: int, target: float, second: bool, right: Floats, change: Floats) -> float:
    """Choose steps of impulses and slacks towards products of `target`; return how far they may go at most."""
    right[:] = 0.0
    for r in range(e.i.shape[0]):
        if not e.live[r]:
            continue
        x, z = e.impulse[r], e.slack[r]
        more = target - (e.first_step[r] * e.first_slack[r] if second else 0.0)
        e.slack_step[r] = more / x - z
        e.asked[r] = e.lack[r] + z + e.slack_step[r]
        v, i, j = e.asked[r] * e.ease[r], unsigned(e.i[r]), unsigned(e.j[r])
        for c in range(3):
            right[i, c] += v * e.jacobian[r, c]
            right[j, c] += v * e.jacobian[r, 3 + c]
    solve(f, right, change)
    most = math.inf
    for r in range(e.i.shape[0]):
        if not e.live[r]:
            continue
        step = e.ease[r] * (e.asked[r] - along(e, r, change))
        e.step[r] = step
        e.slack_step[r] -= e.slack[r] / e.impulse[r] * step
        if step < 0.0:
            most = min(most, -e.impulse[r] / step)
        if e.slack_step[r] < 0.0:
            most = min(most, -e.slack[r] / e.slack_step[r])
    return most


@kernel
def search(
    e: Edges, f: Factor, count: int, tolerance: float, start: Floats, speed: Floats, right: Floats, change: Floats
) -> float:
    """Settle the impulses along all edges; return the worst speed by which one misses."""
    edges, worst = e.i.shape[0], measure(e, start, speed)
    if worst <= tolerance:
        return worst
    square, lives = 0.0, 0
    for r in range(edges):
        if e.live[r]:
            miss = max(e.lack[r], -e.impulse[r])
            square += miss * miss
            lives += 1
    inside = math.sqrt(square / max(lives, 1))
    for r in range(edges):
        e.impulse[r], e.slack[r] = max(e.impulse[r], inside), max(-e.lack[r], inside)
    best, since, turn = math.inf, 0, 0
    while worst > tolerance and turn < MOST_FACTORS and since < PATIENCE:
        turn += 1
        worst = measure(e, start, speed)
        mean = 0.0
        for r in range(edges):
            mean += e.impulse[r] * e.slack[r] / lives if e.live[r] else 0.0
        if worst <= tolerance or mean == 0.0:
            break
        since = 0 if mean < GAIN * best else since + 1
        best = min(best, mean)
        write_matrix(e, f, count)
        factorise(f)
        share = min(1.0, choose(e, f, count, 0.0, False, right, change))
        after = 0.0
        for r in range(edges):
            if e.live[r]:
                e.first_step[r], e.first_slack[r] = e.step[r], e.slack_step[r]
                after += (e.impulse[r] + share * e.step[r]) * (e.slack[r] + share * e.slack_step[r]) / lives
        ratio = after / mean
        share = min(1.0, SHY * choose(e, f, count, mean * ratio * ratio * ratio, True, right, change))
        for r in range(edges):
            if e.live[r]:
                e.impulse[r] += share * e.step[r]
                e.slack[r] += share * e.slack_step[r]
    return measure(e, start, speed)


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
def settle_inside(rows: Rows, first: int, points: int, low: int, high: int, tolerance: float) -> float:
    """Settle the normals from row `first` on, and their frictions behind them; return the worst miss.

    `ahead` of the rows holds the velocities of a solution before, or what else is near to those to come.
    """
    count, edges = high - low - 1, 2 * points
    live, w, n = np.zeros(edges, np.bool_), np.zeros((3, edges), np.int64), np.zeros((11, edges))
    e = Edges(
        np.zeros((edges, 6)), w[0], w[1], live, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], w[2]
    )
    start, speed = np.zeros((count + 1, 3)), np.zeros((count + 1, 3))
    right, change = np.zeros((count + 1, 3)), np.zeros((count + 1, 3))
    near, degrees, order = np.zeros((count, count), np.bool_), np.zeros(count, np.int64), np.zeros(count, np.int64)
    write_edges(rows, first, points, low, count, e, start)
    for k in range(count):
        for c in range(3):
            speed[k, c] = rows.ahead[low + k, c]
    allow_slips(rows, first, points, e, speed)
    for p in range(points):
        i, j = e.i[p], e.j[p]
        if i < count and j < count and not near[i, j]:
            near[i, j], near[j, i] = True, True
            degrees[i] += 1
            degrees[j] += 1
    blocks = order_bodies(near, degrees, order)
    own, named, firsts = (
        np.zeros((2, count), np.int64),
        np.zeros((3, blocks), np.int64),
        np.zeros((2, count + 1), np.int64),
    )
    a, b = np.zeros((2, count, 3, 3)), np.zeros((2, blocks, 3, 3))
    y = np.zeros((count, 3))
    f = Factor(own[0], firsts[0], named[0], firsts[1], named[1], named[2], a[0], b[0], a[1], b[1], own[1], y)
    find_structure(near, order, f)
    for r in range(edges):
        i, j = e.i[r], e.j[r]
        e.block[r] = block_of(f, f.place[i] if i < count else -1, f.place[j] if j < count else -1)
    searches, changed, worst = 0, math.inf, 0.0
    while searches < MOST_SEARCHES and changed > COARSE * tolerance:
        searches, worst = searches + 1, search(e, f, count, tolerance, start, speed, right, change)
        changed = allow_slips(rows, first, points, e, speed)
    read_edges(rows, first, points, low, count, e, speed)
    return worst
