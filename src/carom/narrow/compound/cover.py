"""Which places of the boundary of A - B are hidden, where A and B are bodies of several convex parts.

In: two bodies and pairs of their parts. Out: the sides of A - B of each pair, written out once, since each pair is
asked at many places; and whether a pair overlaps where B is moved by t, which hides that place. World frame, user's
units.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import Bodies
from carom.narrow.compound.part_pairs import offset
from carom.narrow.signed_distance import magnitude
from carom.narrow.walk import advance, edge_count, nearest_feature, start
from carom.shapes.proxy import CENTER_X, CENTER_Y, RADIUS, REACH, X, Y
from carom.tolerances import COVER_BAND

# Columns of a side of A - B: where it begins, A's point less B's; its normal; the places of both points.
SIDE_X, SIDE_Y, SIDE_NX, SIDE_NY, SIDE_AT, SIDE_BT = 0, 1, 2, 3, 4, 5
SIDE_COLUMNS = 6

# Columns of a pair: the disc of translations of B outside of which it is apart, B's origin as seen from A's, both
# radii, and `magnitude`.
DISC_X, DISC_Y, DISC_REACH, BACK_X, BACK_Y, RADII, SIZE = 0, 1, 2, 3, 4, 5, 6
PAIR_COLUMNS = 7


class Cover(NamedTuple):
    """Two bodies and the pairs of their parts that may hide a place of the boundary."""

    a: Floats  # the records of both bodies
    b: Floats
    pairs: Integers  # (n, 4) see `near_pairs`
    table: Floats  # (n, PAIR_COLUMNS)
    first: Integers  # (n + 1,) of each pair the first side, and at the end m
    sides: Floats  # (m, SIDE_COLUMNS)
    order: Integers  # (n,) in which pairs are looked at: one that hides a place often hides the next, so it comes first


@inner
def write_sides(a: Floats, i: int, b: Floats, j: int, sides: Floats, row: int) -> None:
    """Write the sides of A - B of two parts from a row on, in the order of the walk."""
    at, bt, left_a, left_b = start(a, i, b, j)
    while left_a + left_b > 0:
        sides[row, SIDE_X], sides[row, SIDE_Y] = a[at] - b[bt], a[at + 1] - b[bt + 1]
        sides[row, SIDE_AT], sides[row, SIDE_BT] = at, bt
        sides[row, SIDE_NX], sides[row, SIDE_NY], at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        row += 1


@kernel
def cover_of(a: Bodies, b: Bodies, pairs: Integers, span: float) -> Cover:
    """Return the pairs that may hide places that are no farther than `span` from the origin."""
    p, q = a.buffer, b.buffer
    count = pairs.shape[0]
    table, first, order = np.empty((count, PAIR_COLUMNS)), np.empty(count + 1, np.int64), np.empty(count, np.int64)
    total = 0
    for k in range(count):
        i, j = pairs[k, 0], pairs[k, 1]
        x, y = offset(p, i, q, j, q[j + CENTER_X] - p[i + CENTER_X], q[j + CENTER_Y] - p[i + CENTER_Y])
        reach, radii = p[i + REACH] + q[j + REACH], p[i + RADIUS] + q[j + RADIUS]
        size = magnitude(p, i, q, j)
        table[k, DISC_X], table[k, DISC_Y] = x, y
        table[k, DISC_REACH] = reach + radii + COVER_BAND * (size + 2.0 * span)
        table[k, BACK_X], table[k, BACK_Y] = q[j + X] - p[i + X], q[j + Y] - p[i + Y]
        table[k, RADII], table[k, SIZE] = radii, size
        order[k], first[k] = k, total
        total += edge_count(p, i) + edge_count(q, j)
    first[count] = total
    sides = np.empty((total, SIDE_COLUMNS))
    for k in range(count):
        write_sides(p, pairs[k, 0], q, pairs[k, 1], sides, first[k])
    return Cover(p, q, pairs, table, first, sides, order)


@kernel
def _nearer(a: Floats, i: int, b: Floats, j: int, tx: float, ty: float, radius: float) -> bool:
    """Tell whether the cores of two parts, B moved by t, are nearer than a radius, or overlap."""
    return bool(nearest_feature(a, i, b, j, -tx, -ty)[0] < radius)


@inner
def covers(cover: Cover, k: int, tx: float, ty: float) -> bool:
    """Tell whether the two parts of a pair, B moved by t, overlap by more than rounding."""
    table, sides = cover.table, cover.sides
    offset_x, offset_y = table[k, BACK_X] + tx, table[k, BACK_Y] + ty
    radius = table[k, RADII] - COVER_BAND * (table[k, SIZE] + abs(tx) + abs(ty))
    worst = -math.inf
    for row in range(cover.first[k], cover.first[k + 1]):
        px, py = sides[row, SIDE_X] - offset_x, sides[row, SIDE_Y] - offset_y
        worst = max(worst, -(sides[row, SIDE_NX] * px + sides[row, SIDE_NY] * py))
        if worst >= radius:
            return False
    if -math.inf < worst < 0.0:
        return True
    return _nearer(cover.a, cover.pairs[k, 0], cover.b, cover.pairs[k, 1], tx, ty, radius)


@kernel
def hides(cover: Cover, tx: float, ty: float) -> bool:
    """Tell whether any of the pairs of parts, B moved by t, overlap by more than rounding; such a pair is put first."""
    table, order = cover.table, cover.order
    for n in range(order.shape[0]):
        k = order[n]
        x, y, reach = table[k, DISC_X] + tx, table[k, DISC_Y] + ty, table[k, DISC_REACH]
        if x * x + y * y < reach * reach and covers(cover, k, tx, ty):
            for m in range(n, 0, -1):
                order[m] = order[m - 1]
            order[0] = k
            return True
    return False
