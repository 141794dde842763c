"""Direct elimination: the factors of a symmetric matrix of few 3 x 3 blocks, and solutions with them.

In: a matrix, or a right side in `x`. Out: factors, or solutions, in their place. That of a mechanism is [K J'; J -S]: K
of each body and S of each joint on the diagonal, J in the other blocks. For what bodies and joints are given it has
velocities of the bodies and, with their sign turned, impulses of the joints. In the order of `order` each pivot is
definite. `interior` has a matrix of bodies, one plus squares.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.tables import Graph, Matrix


@inner
def split(diagonal: Floats, pivots: Floats, p: int) -> None:
    """Write the factors L D L' of block p, which is symmetric and definite: three numbers of L, three of 1 / D."""
    a, b, c = diagonal[p, 0], diagonal[p, 3], diagonal[p, 6]
    i1 = 1.0 / a
    l1, l2 = b * i1, c * i1
    i2 = 1.0 / (diagonal[p, 4] - l1 * b)
    e = diagonal[p, 7] - l1 * c
    l3 = e * i2
    pivots[p, 0], pivots[p, 1], pivots[p, 2] = l1, l2, l3
    pivots[p, 3], pivots[p, 4], pivots[p, 5] = i1, i2, 1.0 / (diagonal[p, 8] - l2 * c - l3 * e)


@inner
def over(pivots: Floats, p: int, a: float, b: float, c: float) -> tuple[float, float, float]:
    """Return the inverse of block p times (a, b, c); the inverse itself would lose twice as many digits."""
    l1, l2, l3 = pivots[p, 0], pivots[p, 1], pivots[p, 2]
    b = b - l1 * a
    c = (c - l2 * a - l3 * b) * pivots[p, 5]
    b = b * pivots[p, 4] - l3 * c
    return a * pivots[p, 3] - l1 * b - l2 * c, b, c


@kernel
def factor(matrix: Matrix, begin: int, end: int) -> None:
    """Factor what stands in places `begin` up to `end`."""
    first, changes, diagonal, pivots, off = matrix.first, matrix.changes, matrix.diagonal, matrix.pivots, matrix.off
    for p in range(begin, end):
        split(diagonal, pivots, p)
        at = matrix.change_first[p]
        for s in range(first[p], first[p + 1]):
            for r in range(0, 9, 3):
                x, y, z = over(pivots, p, off[s, r], off[s, r + 1], off[s, r + 2])
                for t in range(first[p], s + 1):
                    target = changes[at + t - first[p]]
                    for c in range(3):
                        change = x * off[t, 3 * c] + y * off[t, 3 * c + 1] + z * off[t, 3 * c + 2]
                        if target < 0:
                            diagonal[-1 - target, r + c] -= change
                        else:
                            off[target, r + c] -= change
            at += s + 1 - first[p]
        for s in range(first[p], first[p + 1]):
            for r in range(0, 9, 3):
                off[s, r], off[s, r + 1], off[s, r + 2] = over(pivots, p, off[s, r], off[s, r + 1], off[s, r + 2])


@inner
def solve(graph: Graph, m: int) -> None:
    """Solve for mechanism m what stands in `x`."""
    solve_places(graph.matrix, graph.x, graph.starts[m], graph.middle[m])


@kernel
def solve_places(matrix: Matrix, x: Floats, begin: int, end: int) -> None:
    """Solve what stands in places `begin` up to `end` of `x`."""
    off, pivots, first, later = matrix.off, matrix.pivots, matrix.first, matrix.later
    for p in range(begin, end):
        a, b, c = x[p, 0], x[p, 1], x[p, 2]
        if a == 0.0 and b == 0.0 and c == 0.0:
            continue
        for s in range(first[p], first[p + 1]):
            q = later[s]
            x[q, 0] -= off[s, 0] * a + off[s, 1] * b + off[s, 2] * c
            x[q, 1] -= off[s, 3] * a + off[s, 4] * b + off[s, 5] * c
            x[q, 2] -= off[s, 6] * a + off[s, 7] * b + off[s, 8] * c
        x[p, 0], x[p, 1], x[p, 2] = over(pivots, p, a, b, c)
    for p in range(end - 1, begin - 1, -1):
        for s in range(first[p], first[p + 1]):
            q = later[s]
            a, b, c = x[q, 0], x[q, 1], x[q, 2]
            x[p, 0] -= off[s, 0] * a + off[s, 3] * b + off[s, 6] * c
            x[p, 1] -= off[s, 1] * a + off[s, 4] * b + off[s, 7] * c
            x[p, 2] -= off[s, 2] * a + off[s, 5] * b + off[s, 8] * c
