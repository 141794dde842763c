"""Cholesky of a matrix of 3x3 blocks, one for each body and for each pair of bodies that share rows.

In: which bodies share rows; later the blocks. Out: an order in which few blocks fill in, where they stand, the factor,
and solutions. The order is that of the least degree: who has the fewest neighbours left goes next, and those become
neighbours of each other (A. George, J. Liu, "The evolution of the minimum degree ordering algorithm", 1989). It is
found anew for each problem, in less time than one factor takes. All sums go in one order, so that bits are the same.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers

LEAST_PIVOT = 1e-3
"""Pivots are at least 1 but for rounding, since the matrix is one plus squares."""


class Factor(NamedTuple):
    """The factor of a matrix of n bodies; bodies are known by their places in the order."""

    place: Integers
    """(n,): the place of each body in the order."""
    starts: Integers
    """(n + 1,): the blocks of column j are starts[j] up to starts[j + 1]."""
    rows: Integers
    """The row of each block, ascending in each column."""
    row_starts: Integers
    """(n + 1,): the blocks of row i are named by row_starts[i] up to row_starts[i + 1]."""
    row_columns: Integers
    row_blocks: Integers
    diagonal: Floats
    """(n, 3, 3): the matrix's, lower halves."""
    blocks: Floats
    """(blocks, 3, 3): the matrix's."""
    own: Floats
    """(n, 3, 3): the factor's; its diagonal is inverted."""
    below: Floats
    """(blocks, 3, 3): the factor's."""
    at: Integers
    """(n,), scratch."""
    y: Floats
    """(n, 3), scratch."""


@kernel
def order_bodies(near: Booleans, degrees: Integers, order: Integers) -> int:
    """Write the order of n bodies; return how many blocks below the diagonal the factor has.

    near : (n, n), True for two that share rows; overwritten with the structure of the factor, by bodies
    """
    n, blocks = degrees.shape[0], 0
    for k in range(n):
        # The least degree among those left, the first of equals; degrees of those gone are below 0.
        body = -1
        for a in range(n):
            if degrees[a] >= 0 and (body < 0 or degrees[a] < degrees[body]):
                body = a
        order[k] = body
        blocks += degrees[body]
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
    return blocks


@kernel
def find_structure(near: Booleans, order: Integers, f: Factor) -> None:
    """Write where the blocks of the factor stand, column by column and row by row."""
    n, m = order.shape[0], 0
    for k in range(n):
        f.place[order[k]] = k
    for j in range(n):
        f.starts[j] = m
        for i in range(j + 1, n):
            if near[order[j], order[i]]:
                f.rows[m] = i
                m += 1
    f.starts[n] = m
    f.row_starts[:] = 0
    for t in range(m):
        f.row_starts[f.rows[t] + 1] += 1
    for i in range(n):
        f.row_starts[i + 1] += f.row_starts[i]
        f.at[i] = f.row_starts[i]
    for j in range(n):
        for t in range(f.starts[j], f.starts[j + 1]):
            i = f.rows[t]
            f.row_columns[f.at[i]], f.row_blocks[f.at[i]] = j, t
            f.at[i] += 1


@inner
def block_of(f: Factor, a: int, b: int) -> int:
    """Return the block of two places, or -1 if one of them is no place."""
    if a < 0 or b < 0:
        return -1
    row, low = max(a, b), f.starts[min(a, b)]
    high = f.starts[min(a, b) + 1] - 1
    while low < high:
        middle = (low + high) >> 1
        if f.rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return int(low)


@inner
def add_square(f: Factor, a: int, b: int, block: int, row: Floats, factor: float) -> None:
    """Add to the matrix the square of a row of six numbers, three for each of two places, times a factor."""
    for p in range(3):
        x, y = factor * row[p], factor * row[3 + p]
        for q in range(p + 1):
            if a >= 0:
                f.diagonal[a, p, q] += x * row[q]
            if b >= 0:
                f.diagonal[b, p, q] += y * row[3 + q]
        if block >= 0:
            # In the rows of a block is who comes later in the order.
            value, other = (x, 3) if a > b else (y, 0)
            for q in range(3):
                f.blocks[block, p, q] += value * row[other + q]


@kernel
def factorise(f: Factor) -> None:
    """Write the factor of the matrix, column by column, each less the products of those before it."""
    n, below, at = f.at.shape[0], f.below, f.at
    for j in range(n):
        begin, end = f.starts[j], f.starts[j + 1]
        d00, d10, d11 = f.diagonal[j, 0, 0], f.diagonal[j, 1, 0], f.diagonal[j, 1, 1]
        d20, d21, d22 = f.diagonal[j, 2, 0], f.diagonal[j, 2, 1], f.diagonal[j, 2, 2]
        for t in range(begin, end):
            at[f.rows[t]] = t
            for p in range(3):
                for q in range(3):
                    below[t, p, q] = f.blocks[t, p, q]
        for s in range(f.row_starts[j], f.row_starts[j + 1]):
            block = f.row_blocks[s]
            b00, b01, b02 = below[block, 0, 0], below[block, 0, 1], below[block, 0, 2]
            b10, b11, b12 = below[block, 1, 0], below[block, 1, 1], below[block, 1, 2]
            b20, b21, b22 = below[block, 2, 0], below[block, 2, 1], below[block, 2, 2]
            d00 -= b00 * b00 + b01 * b01 + b02 * b02
            d10 -= b10 * b00 + b11 * b01 + b12 * b02
            d11 -= b10 * b10 + b11 * b11 + b12 * b12
            d20 -= b20 * b00 + b21 * b01 + b22 * b02
            d21 -= b20 * b10 + b21 * b11 + b22 * b12
            d22 -= b20 * b20 + b21 * b21 + b22 * b22
            for t in range(block + 1, f.starts[f.row_columns[s] + 1]):
                u = at[f.rows[t]]
                for p in range(3):
                    x, y, z = below[t, p, 0], below[t, p, 1], below[t, p, 2]
                    below[u, p, 0] -= x * b00 + y * b01 + z * b02
                    below[u, p, 1] -= x * b10 + y * b11 + z * b12
                    below[u, p, 2] -= x * b20 + y * b21 + z * b22
        i0 = 1.0 / math.sqrt(max(d00, LEAST_PIVOT))
        l10, l20 = d10 * i0, d20 * i0
        i1 = 1.0 / math.sqrt(max(d11 - l10 * l10, LEAST_PIVOT))
        l21 = (d21 - l20 * l10) * i1
        i2 = 1.0 / math.sqrt(max(d22 - l20 * l20 - l21 * l21, LEAST_PIVOT))
        f.own[j, 0, 0], f.own[j, 1, 0], f.own[j, 1, 1] = i0, l10, i1
        f.own[j, 2, 0], f.own[j, 2, 1], f.own[j, 2, 2] = l20, l21, i2
        for t in range(begin, end):
            for p in range(3):
                x = below[t, p, 0] * i0
                y = (below[t, p, 1] - x * l10) * i1
                below[t, p, 0], below[t, p, 1] = x, y
                below[t, p, 2] = (below[t, p, 2] - x * l20 - y * l21) * i2


@kernel
def solve(f: Factor, right: Floats, found: Floats) -> None:
    """Write the solution for a right side, (n, 3) both, by bodies."""
    n, y, own, below = f.at.shape[0], f.y, f.own, f.below
    for a in range(n):
        for c in range(3):
            y[f.place[a], c] = right[a, c]
    for j in range(n):
        a = y[j, 0] * own[j, 0, 0]
        b = (y[j, 1] - own[j, 1, 0] * a) * own[j, 1, 1]
        c = (y[j, 2] - own[j, 2, 0] * a - own[j, 2, 1] * b) * own[j, 2, 2]
        y[j, 0], y[j, 1], y[j, 2] = a, b, c
        for t in range(f.starts[j], f.starts[j + 1]):
            for p in range(3):
                y[f.rows[t], p] -= below[t, p, 0] * a + below[t, p, 1] * b + below[t, p, 2] * c
    for j in range(n - 1, -1, -1):
        a, b, c = y[j, 0], y[j, 1], y[j, 2]
        for t in range(f.starts[j], f.starts[j + 1]):
            i = f.rows[t]
            for p in range(3):
                a -= below[t, p, 0] * y[i, p]
                b -= below[t, p, 1] * y[i, p]
                c -= below[t, p, 2] * y[i, p]
        c = c * own[j, 2, 2]
        b = (b - own[j, 2, 1] * c) * own[j, 1, 1]
        a = (a - own[j, 1, 0] * b - own[j, 2, 0] * c) * own[j, 0, 0]
        y[j, 0], y[j, 1], y[j, 2] = a, b, c
    for a in range(n):
        for c in range(3):
            found[a, c] = y[f.place[a], c]
