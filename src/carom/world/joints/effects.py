"""What an impulse of each row of an island does along each other one, through the joints of their mechanisms.

In: rows, and the factors of the mechanisms. Out: a matrix, symmetric and positive, of which only the effects are kept
that there are: a row acts on rows of the two mechanisms, or bodies without joints, that it acts between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.joints.elimination import solve
from carom.world.joints.tables import Graph
from carom.world.step.solve.rows import Row, Rows

YIELDING = 1e-10
"""Share of its diagonal that each row gives way, so that rows that say the same agree."""
NO_ROOM = 1e-8
"""Share of a row's effect without joints: where joints leave less of it, they hold what the row asks for, or keep it
from it; the rest is their rounding."""


class Sides(NamedTuple):
    """Which rows act on each owner, a mechanism or a body without joints, that goes by the place of its first body."""

    owner: Integers
    """Of the two sides of each row; -1 of what cannot be moved."""
    head: Integers
    """Of each owner the last side that acts on it: twice the row, and 1 for the second; -1 if there is none."""
    before: Integers
    """Of each side the one before it of the same owner."""


class Effects(NamedTuple):
    """A matrix by rows."""

    start: Integers
    """Where each row begins, and behind the last."""
    other: Integers
    """Of each effect the row along which it is."""
    effect: Floats
    own: Floats
    """Of each row the effect along itself."""


@kernel
def list_sides(rows: Rows, order: Integers, low: int, high: int, sides: Sides) -> int:
    """List on what rows act, with bodies at places from `low` up to `high`; return how many effects there may be."""
    owner, head, before, most = sides.owner, sides.head, sides.before, 0
    acting = np.zeros(high - low, np.int64)
    for side in range(owner.shape[0]):
        row = rows.table[order[side // 2]]
        place = row.i if side % 2 == 0 else row.j
        node = rows.node[place]
        place = rows.graph.lead[rows.graph.mechanism[node - 1]] if node != 0 else place
        owner[side] = place - low if place != high - 1 else -1
        if owner[side] < 0 or (side % 2 == 1 and owner[side] == owner[side - 1]):
            continue
        before[side], head[owner[side]] = head[owner[side]], side
        acting[owner[side]] += 1
    for place in range(high - low):
        most += acting[place] * acting[place]
    return most


@kernel
def write_effects(rows: Rows, order: Integers, sides: Sides, effects: Effects) -> None:
    """Write the matrix of some rows. A row to which joints leave no room keeps its impulse."""
    owner, at = sides.owner, 0
    for r in range(order.shape[0]):
        row = rows.table[order[r]]
        push_along(rows, row)
        effects.start[r], effects.own[r] = at, 0.0
        for side in range(2 * r, 2 * r + 2):
            if owner[side] < 0 or (side % 2 == 1 and owner[side] == owner[side - 1]):
                continue
            met = sides.head[owner[side]]
            while met >= 0:
                q = met // 2
                if side % 2 == 0 or not acts_on(owner, q, owner[side - 1]):
                    effects.other[at], effects.effect[at] = (
                        q,
                        effect_along(rows, row, owner, r, q, rows.table[order[q]]),
                    )
                    if q == r:
                        effects.own[r] = effects.effect[at]
                        effects.effect[at] += YIELDING * max(effects.own[r], 1e-12)
                    at += 1
                met = sides.before[met]
        if effects.own[r] <= NO_ROOM:
            row.low, row.high, row.share = row.impulse, row.impulse, 0.0
        effects.own[r] += YIELDING * max(effects.own[r], 1e-12)
    effects.start[order.shape[0]] = at


@inner
def acts_on(owner: Integers, r: int, one: int) -> bool:
    """Tell whether a row acts on an owner, one that is no wall."""
    return bool(one >= 0 and (owner[2 * r] == one or owner[2 * r + 1] == one))


@inner
def effect_along(rows: Rows, row: Row, owner: Integers, r: int, q: int, other: Row) -> float:
    """Return what the impulse of row r, which is in `x`, does along row q."""
    effect = 0.0
    if acts_on(owner, r, owner[2 * q]):
        effect += answer(rows, row, other.i, other, 0)
    if acts_on(owner, r, owner[2 * q + 1]):
        effect += answer(rows, row, other.j, other, 3)
    return effect


@inner
def push_along(rows: Rows, row: Row) -> None:
    """Write as `x` what an impulse of 1 along a row does to the mechanisms of its bodies."""
    graph = rows.graph
    m = graph.mechanism[rows.node[row.i] - 1] if rows.node[row.i] != 0 else -1
    n = graph.mechanism[rows.node[row.j] - 1] if rows.node[row.j] != 0 else -1
    clear_all(graph, m)
    clear_all(graph, n)
    for c in range(3):
        if m >= 0:
            p = rows.node[row.i] - 1
            graph.x[p, c] += graph.root[p, c] * row.jacobian[c]
        if n >= 0:
            p = rows.node[row.j] - 1
            graph.x[p, c] += graph.root[p, c] * row.jacobian[3 + c]
    if m >= 0:
        solve(graph, m)
    if n >= 0 and n != m:
        solve(graph, n)


@inner
def clear_all(graph: Graph, m: int) -> None:
    """Set the unknowns of a mechanism to 0."""
    for p in range(graph.starts[m] if m >= 0 else 0, graph.middle[m] if m >= 0 else 0):
        graph.x[p, 0], graph.x[p, 1], graph.x[p, 2] = 0.0, 0.0, 0.0


@inner
def answer(rows: Rows, row: Row, place: int, other: Row, at: int) -> float:
    """Return the speed along another row that the impulse of a row gives to the body in a place, one of its own."""
    graph, speed, p = rows.graph, 0.0, rows.node[place] - 1
    begin = 0 if place == row.i else 3
    for c in range(3):
        given = graph.root[p, c] * graph.x[p, c] if p >= 0 else row.jacobian[begin + c]
        speed += given * other.jacobian[at + c]
    return speed
