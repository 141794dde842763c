"""Direct elimination of a mechanism: the block-sparse factors of [K J'; J -S], and solutions with them.

In: K of each body and S of each joint on the diagonal of the graph, J in its other blocks. Out: factors in their place;
then, for what bodies and joints are given in `x`, velocities of the bodies and, with their sign turned, impulses of the
joints. All blocks are 3 x 3; in the order of `order` each pivot is definite.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.tables import Graph


@inner
def invert(given: Floats, inverse: Floats, p: int) -> None:
    """Write the inverse of block p, which is symmetric and definite."""
    a, b, c = given[p, 0], given[p, 3], given[p, 6]
    i1 = 1.0 / a
    l1, l2 = b * i1, c * i1
    i2 = 1.0 / (given[p, 4] - l1 * b)
    e2 = given[p, 7] - l1 * c
    l3 = e2 * i2
    i3 = 1.0 / (given[p, 8] - l2 * c - l3 * e2)
    m = l1 * l3 - l2
    inverse[p, 0] = i1 + l1 * l1 * i2 + m * m * i3
    inverse[p, 3] = -l1 * i2 - m * l3 * i3
    inverse[p, 6] = m * i3
    inverse[p, 4] = i2 + l3 * l3 * i3
    inverse[p, 7] = -l3 * i3
    inverse[p, 8] = i3
    inverse[p, 1], inverse[p, 2], inverse[p, 5] = inverse[p, 3], inverse[p, 6], inverse[p, 7]


@kernel
def factor(graph: Graph, m: int) -> None:
    """Factor what stands on the diagonal and beside it of mechanism m."""
    diagonal, inverse, off, updates = graph.diagonal, graph.inverse, graph.off, graph.updates
    for p in range(graph.starts[m], graph.middle[m]):
        invert(diagonal, inverse, p)
        for u in range(graph.update_first[p], graph.update_first[p + 1]):
            a, b, target = updates[u, 0], updates[u, 1], updates[u, 2]
            for r in range(0, 9, 3):
                x, y, z = through(off, a, r, inverse, p)
                for c in range(3):
                    change = x * off[b, 3 * c] + y * off[b, 3 * c + 1] + z * off[b, 3 * c + 2]
                    if target < 0:
                        diagonal[-1 - target, r + c] -= change
                    else:
                        off[target, r + c] -= change
        for s in range(graph.first[p], graph.first[p + 1]):
            for r in range(0, 9, 3):
                off[s, r], off[s, r + 1], off[s, r + 2] = through(off, s, r, inverse, p)


@inner
def through(off: Floats, s: int, r: int, inverse: Floats, p: int) -> tuple[float, float, float]:
    """Return the row of block s that begins at r times the inverse of place p."""
    a, b, c = off[s, r], off[s, r + 1], off[s, r + 2]
    x = a * inverse[p, 0] + b * inverse[p, 3] + c * inverse[p, 6]
    y = a * inverse[p, 1] + b * inverse[p, 4] + c * inverse[p, 7]
    z = a * inverse[p, 2] + b * inverse[p, 5] + c * inverse[p, 8]
    return x, y, z


@kernel
def solve(graph: Graph, m: int) -> None:
    """Solve for mechanism m what stands in `x`."""
    x, off, inverse, first, later = graph.x, graph.off, graph.inverse, graph.first, graph.later
    begin, end = graph.starts[m], graph.middle[m]
    for p in range(begin, end):
        a, b, c = x[p, 0], x[p, 1], x[p, 2]
        if a == 0.0 and b == 0.0 and c == 0.0:
            continue
        for s in range(first[p], first[p + 1]):
            q = later[s]
            x[q, 0] -= off[s, 0] * a + off[s, 1] * b + off[s, 2] * c
            x[q, 1] -= off[s, 3] * a + off[s, 4] * b + off[s, 5] * c
            x[q, 2] -= off[s, 6] * a + off[s, 7] * b + off[s, 8] * c
        x[p, 0] = inverse[p, 0] * a + inverse[p, 1] * b + inverse[p, 2] * c
        x[p, 1] = inverse[p, 3] * a + inverse[p, 4] * b + inverse[p, 5] * c
        x[p, 2] = inverse[p, 6] * a + inverse[p, 7] * b + inverse[p, 8] * c
    for p in range(end - 1, begin - 1, -1):
        for s in range(first[p], first[p + 1]):
            q = later[s]
            a, b, c = x[q, 0], x[q, 1], x[q, 2]
            x[p, 0] -= off[s, 0] * a + off[s, 3] * b + off[s, 6] * c
            x[p, 1] -= off[s, 1] * a + off[s, 4] * b + off[s, 7] * c
            x[p, 2] -= off[s, 2] * a + off[s, 5] * b + off[s, 8] * c
