"""The order in which bodies are eliminated from a matrix that has a block for each two that share rows.

In: which bodies share rows. Out: an order in which few blocks fill in, and where they stand. It is that of the least
degree: who has the fewest neighbours left goes next, and those become neighbours of each other (A. George, J. Liu, "The
evolution of the minimum degree ordering algorithm", 1989). It is found anew for each problem, in less time than one
factor takes.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom._core.types import Booleans, Integers
from carom.world.joints.tables import Matrix


@kernel
def order_bodies(near: Booleans, degrees: Integers, place: Integers) -> tuple[int, int]:
    """Write the place of each of n bodies; return how many blocks below the diagonal there are, and changes of blocks.

    near : (n, n), True for two that share rows; overwritten with the structure of the factor, by bodies
    """
    n, blocks, changes = degrees.shape[0], 0, 0
    for k in range(n):
        # The least degree among those left, the first of equals; degrees of those gone are below 0.
        body = -1
        for a in range(n):
            if degrees[a] >= 0 and (body < 0 or degrees[a] < degrees[body]):
                body = a
        place[body] = k
        blocks += degrees[body]
        changes += degrees[body] * (degrees[body] + 1) // 2
        degrees[body] = -1
        for a in range(n):
            if not near[body, a] or degrees[a] < 0:
                continue
            count = 0
            for b in range(n):
                if degrees[b] >= 0 and b != a:
                    if near[body, b]:
                        near[a, b] = True
                    count += 1 if near[a, b] else 0
            degrees[a] = count
    return blocks, changes


@kernel
def find_structure(near: Booleans, place: Integers, matrix: Matrix, block: Integers) -> None:
    """Write where the blocks stand, column by column, and what their products change; into `block`, them by places."""
    n, first, later, count, at = near.shape[0], matrix.first, matrix.later, 0, 0
    block[:] = -1
    for a in range(n):
        for b in range(n):
            if near[a, b]:
                block[place[a], place[b]] = 0
    for j in range(n):
        first[j] = count
        for i in range(j + 1, n):
            if block[i, j] == 0:
                later[count], block[i, j], block[j, i] = i, count, count
                count += 1
    first[n] = count
    for j in range(n):
        matrix.change_first[j] = at
        for s in range(first[j], first[j + 1]):
            for t in range(first[j], s + 1):
                matrix.changes[at] = -1 - later[s] if s == t else block[later[s], later[t]]
                at += 1
