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
    a, b, c = given[p, 0, 0], given[p, 1, 0], given[p, 2, 0]
    l1, l2 = b / a, c / a
    d2 = given[p, 1, 1] - l1 * b
    e2 = given[p, 2, 1] - l1 * c
    l3 = e2 / d2
    d3 = given[p, 2, 2] - l2 * c - l3 * e2
    m = l1 * l3 - l2
    i1, i2, i3 = 1.0 / a, 1.0 / d2, 1.0 / d3
    inverse[p, 0, 0] = i1 + l1 * l1 * i2 + m * m * i3
    inverse[p, 1, 0] = -l1 * i2 - m * l3 * i3
    inverse[p, 2, 0] = m * i3
    inverse[p, 1, 1] = i2 + l3 * l3 * i3
    inverse[p, 2, 1] = -l3 * i3
    inverse[p, 2, 2] = i3
    inverse[p, 0, 1], inverse[p, 0, 2], inverse[p, 1, 2] = inverse[p, 1, 0], inverse[p, 2, 0], inverse[p, 2, 1]


@kernel
def factor(graph: Graph, m: int) -> None:
    """Factor what stands on the diagonal and beside it of mechanism m."""
    diagonal, inverse, off = graph.diagonal, graph.inverse, graph.off
    for p in range(graph.starts[m], graph.middle[m]):
        invert(diagonal, inverse, p)
        for u in range(graph.update_first[p], graph.update_first[p + 1]):
            a, b, target = graph.updates[u, 0], graph.updates[u, 1], graph.updates[u, 2]
            for r in range(3):
                x, y, z = through(off, a, r, inverse, p)
                for c in range(3):
                    change = x * off[b, c, 0] + y * off[b, c, 1] + z * off[b, c, 2]
                    if target < 0:
                        diagonal[-1 - target, r, c] -= change
                    else:
                        off[target, r, c] -= change
        for s in range(graph.first[p], graph.first[p + 1]):
            for r in range(3):
                off[s, r, 0], off[s, r, 1], off[s, r, 2] = through(off, s, r, inverse, p)


@inner
def through(off: Floats, s: int, r: int, inverse: Floats, p: int) -> tuple[float, float, float]:
    """Return a row of block s times the inverse of place p."""
    a, b, c = off[s, r, 0], off[s, r, 1], off[s, r, 2]
    x = a * inverse[p, 0, 0] + b * inverse[p, 1, 0] + c * inverse[p, 2, 0]
    y = a * inverse[p, 0, 1] + b * inverse[p, 1, 1] + c * inverse[p, 2, 1]
    z = a * inverse[p, 0, 2] + b * inverse[p, 1, 2] + c * inverse[p, 2, 2]
    return x, y, z


@kernel
def solve(graph: Graph, m: int) -> None:
    """Solve for mechanism m what stands in `x`."""
    x, off, inverse, begin, end = graph.x, graph.off, graph.inverse, graph.starts[m], graph.middle[m]
    for p in range(begin, end):
        a, b, c = x[p, 0], x[p, 1], x[p, 2]
        if a == 0.0 and b == 0.0 and c == 0.0:
            continue
        for s in range(graph.first[p], graph.first[p + 1]):
            q = graph.later[s]
            x[q, 0] -= off[s, 0, 0] * a + off[s, 0, 1] * b + off[s, 0, 2] * c
            x[q, 1] -= off[s, 1, 0] * a + off[s, 1, 1] * b + off[s, 1, 2] * c
            x[q, 2] -= off[s, 2, 0] * a + off[s, 2, 1] * b + off[s, 2, 2] * c
        x[p, 0] = inverse[p, 0, 0] * a + inverse[p, 0, 1] * b + inverse[p, 0, 2] * c
        x[p, 1] = inverse[p, 1, 0] * a + inverse[p, 1, 1] * b + inverse[p, 1, 2] * c
        x[p, 2] = inverse[p, 2, 0] * a + inverse[p, 2, 1] * b + inverse[p, 2, 2] * c
    for p in range(end - 1, begin - 1, -1):
        for s in range(graph.first[p], graph.first[p + 1]):
            q = graph.later[s]
            a, b, c = x[q, 0], x[q, 1], x[q, 2]
            x[p, 0] -= off[s, 0, 0] * a + off[s, 1, 0] * b + off[s, 2, 0] * c
            x[p, 1] -= off[s, 0, 1] * a + off[s, 1, 1] * b + off[s, 2, 1] * c
            x[p, 2] -= off[s, 0, 2] * a + off[s, 1, 2] * b + off[s, 2, 2] * c
