"""A region cut along lines between its corners into pieces without holes.

In: rings with the region on their left, and pairs of corners that see each other within it. Out: the corners of each
piece, counter-clockwise. Any frame.

The library that fills a region with triangles looks at all corners for each hole, and a piece costs it more than its
share of the corners: a region with ten thousand holes takes it seconds, its pieces milliseconds.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.outlines.sure_turns import SUMS, turn


@kernel
def cut_into_pieces(
    points: Floats, after: Integers, rank: Integers, cuts: Integers, out_corners: Integers, out_first: Integers
) -> int:
    """Write the pieces of a region, and return how many there are.

    Parameters
    ----------
    points : (c, 2) float64
        The corners of all rings.
    after : (c,) int64
        The corner after each.
    rank : (c,) int64
        Their order by x, then y.
    cuts : (k, 2) int64
        Pairs of corners.
    out_corners : (c + 2 k,) int64
    out_first : (c + 2 k + 1,) int64
        Gets where each piece begins.
    """
    count, lines = after.shape[0], cuts.shape[0]
    # Sides: number c leaves corner c along its ring; c + 2 m and c + 2 m + 1 go along the cut m, there and back.
    sides = count + 2 * lines
    start, follows, before = (
        np.empty(sides, dtype=np.int64),
        np.empty(sides, dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    for corner in range(count):
        start[corner], before[after[corner]] = corner, corner
    for m in range(lines):
        start[count + 2 * m], start[count + 2 * m + 1] = cuts[m, 0], cuts[m, 1]
    begins = np.zeros(count + 1, dtype=np.int64)
    for side in range(count, sides):
        begins[start[side] + 1] += 1
    for corner in range(count):
        begins[corner + 1] += begins[corner]
    at_corner, left = np.empty(2 * lines, dtype=np.int64), begins.copy()
    for side in range(count, sides):
        at_corner[left[start[side]]] = side
        left[start[side]] += 1
    fan, ends, h = np.empty(2 * lines + 2, dtype=np.int64), np.empty(2 * lines + 2, dtype=np.int64), np.empty(SUMS)
    for corner in range(count):
        # What leads away from a corner, counter-clockwise, the side that comes in (-1) among them.
        found = _put(points, rank, corner, fan, ends, 0, corner, after[corner], h)
        found = _put(points, rank, corner, fan, ends, found, -1, before[corner], h)
        for k in range(begins[corner], begins[corner + 1]):
            side = at_corner[k]
            back = side + 1 if (side - count) % 2 == 0 else side - 1
            found = _put(points, rank, corner, fan, ends, found, side, start[back], h)
        # What comes in goes on by the next clockwise.
        for k in range(found):
            side = fan[k]
            comes = before[corner] if side == -1 else (side + 1 if (side - count) % 2 == 0 else side - 1)
            if side == -1 or side >= count:
                follows[comes] = fan[k - 1 if k > 0 else found - 1]
    pieces, written = 0, 0
    for side in range(sides):
        if follows[side] < 0:
            continue
        out_first[pieces] = written
        pieces += 1
        at = side
        while follows[at] >= 0:
            out_corners[written] = start[at]
            written += 1
            following = follows[at]
            follows[at] = -1
            at = following
    out_first[pieces] = written
    return pieces


@inner
def _put(
    points: Floats,
    rank: Integers,
    corner: int,
    fan: Integers,
    ends: Integers,
    found: int,
    side: int,
    end: int,
    h: Floats,
) -> int:
    """Put a side into its place among those round a corner, and return how many there are now."""
    right, at = rank[end] > rank[corner], found
    while at > 0:
        other = ends[at - 1]
        other_right = rank[other] > rank[corner]
        if other_right and not right:
            break
        if other_right == right and turn(points, corner, other, end, h) == 1:
            break
        fan[at], ends[at] = fan[at - 1], other
        at -= 1
    fan[at], ends[at] = side, end
    return found + 1
