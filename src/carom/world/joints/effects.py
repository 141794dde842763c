"""What an impulse of each row of an island does along each other one, through the joints of their mechanisms.

In: rows, and the factors of the mechanisms. Out: a matrix, symmetric and positive.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.joints.elimination import solve
from carom.world.joints.tables import Graph
from carom.world.step.rows import Row, Rows

SOFT = 1e-10
"""Share of its diagonal that each row gives way, so that rows that say the same agree."""
NO_ROOM = 1e-8
"""Share of a row's effect without joints: where joints leave less of it, they hold what the row asks for, or keep it
from it; the rest is their rounding."""


@kernel
def write_effects(rows: Rows, order: Integers, matrix: Floats) -> None:
    """Write the matrix of some rows. A row to which joints leave no room keeps its impulse."""
    table, count = rows.table, matrix.shape[0]
    owners = np.empty((count, 2), np.int64)
    for r in range(count):
        owners[r, 0], owners[r, 1] = owner_of(rows, table[order[r]].i), owner_of(rows, table[order[r]].j)
    for r in range(count):
        row, m, n = table[order[r]], owners[r, 0], owners[r, 1]
        push_along(rows, row, m, n)
        for q in range(r + 1):
            i, j, effect = owners[q, 0], owners[q, 1], 0.0
            if i == m or i == n:
                effect += answer(rows, row, table[order[q]].i, table[order[q]], 0)
            if j == m or j == n:
                effect += answer(rows, row, table[order[q]].j, table[order[q]], 3)
            matrix[q, r], matrix[r, q] = effect, effect
        if matrix[r, r] <= NO_ROOM:
            row.low, row.high, row.share = row.impulse, row.impulse, 0.0
        matrix[r, r] += SOFT * max(matrix[r, r], 1e-12)


@inner
def owner_of(rows: Rows, place: int) -> int:
    """Return the mechanism of the body in a place of an island, or for one of no mechanism a number below 0."""
    node = rows.node[place]
    return int(rows.graph.mechanism[node - 1]) if node != 0 else -1 - place


@inner
def push_along(rows: Rows, row: Row, m: int, n: int) -> None:
    """Write as `x` what an impulse of 1 along a row does to the mechanisms of its bodies."""
    graph = rows.graph
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
