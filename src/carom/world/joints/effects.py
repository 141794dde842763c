"""What an impulse of each row of an island does along each other one, through the joints of their mechanisms.

In: rows, and the factors of the mechanisms. Out: a matrix, symmetric and positive.
"""

from __future__ import annotations

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
    table = rows.table
    for r in range(matrix.shape[0]):
        row = table[order[r]]
        m, n = push_along(rows, row)
        for q in range(r + 1):
            other = table[order[q]]
            effect = answer(rows, row, m, n, other.i, other, 0) + answer(rows, row, m, n, other.j, other, 3)
            matrix[q, r], matrix[r, q] = effect, effect
        if matrix[r, r] <= NO_ROOM:
            row.low, row.high, row.share = row.impulse, row.impulse, 0.0
        matrix[r, r] += SOFT * max(matrix[r, r], 1e-12)


@inner
def push_along(rows: Rows, row: Row) -> tuple[int, int]:
    """Write as `x` what an impulse of 1 along a row does to the mechanisms of its bodies; return these, or -1."""
    graph, m, n = rows.graph, mechanism_at(rows, row.i), mechanism_at(rows, row.j)
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
    return m, n


@inner
def mechanism_at(rows: Rows, place: int) -> int:
    """Return the mechanism of the body in a place of an island; -1 if it is of none."""
    node = rows.node[place]
    return int(rows.graph.mechanism[node - 1]) if node != 0 else -1


@inner
def clear_all(graph: Graph, m: int) -> None:
    """Set the unknowns of a mechanism to 0."""
    for p in range(graph.starts[m] if m >= 0 else 0, graph.middle[m] if m >= 0 else 0):
        graph.x[p, 0], graph.x[p, 1], graph.x[p, 2] = 0.0, 0.0, 0.0


@inner
def answer(rows: Rows, row: Row, m: int, n: int, place: int, other: Row, at: int) -> float:
    """Return the speed along another row that the impulse of a row gives to the body in a place."""
    graph, speed, p = rows.graph, 0.0, rows.node[place] - 1
    if p >= 0:
        own = graph.mechanism[p]
        for c in range(3 if own == m or own == n else 0):
            speed += graph.root[p, c] * graph.x[p, c] * other.jacobian[at + c]
    elif place == row.i or place == row.j:
        begin = 0 if place == row.i else 3
        for c in range(3):
            speed += row.jacobian[begin + c] * other.jacobian[at + c]
    return speed
