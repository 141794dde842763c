"""Rows of bodies, and which pairs of their parts are near each other: as they stand, moved, or on the way of a motion.

In: two sets of bodies, row by row, and a motion of A or a translation of B. Out: pairs of parts; all others are apart
by more than rounding. World frame, user's units.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.compound.bodies import Bodies, parts_of, with_room
from carom.narrow.compound.part_tree import FEW, Parts, pairs_on_way
from carom.narrow.dispatch import Rows
from carom.narrow.signed_distance import magnitude, settle_rows
from carom.narrow.walk import advance, start
from carom.shapes.proxy import CENTER_X, CENTER_Y, RADIUS, REACH, X, Y
from carom.tolerances import COVER_BAND, CULL_SIZE

ALL = slice(None)

PartRows = tuple[Parts, Integers, Parts, Integers]


class BodyRows(NamedTuple):
    """Two sets of bodies, row by row."""

    a: Bodies
    rows_a: Integers
    b: Bodies
    rows_b: Integers

    def parts(self, chosen: slice | Integers = ALL) -> PartRows:
        """Return the columns of some rows that tell where their parts are: fewer columns make a call quicker."""
        return parts_of(self.a), self.rows_a[chosen], parts_of(self.b), self.rows_b[chosen]

    def some(self, chosen: slice | Booleans | Integers | list[int]) -> BodyRows:
        """Return some of the rows."""
        return self._replace(rows_a=self.rows_a[chosen], rows_b=self.rows_b[chosen])

    def exchanged(self) -> BodyRows:
        """Return the rows with B first."""
        return BodyRows(self.b, self.rows_b, self.a, self.rows_a)


@inner
def offset(a: Floats, i: int, b: Floats, j: int, sx: float, sy: float) -> tuple[float, float]:
    """Return B's origin as seen from A's, B moved by s."""
    return (b[j + X] - a[i + X]) + sx, (b[j + Y] - a[i + Y]) + sy


@kernel
def least_distance(a: Floats, i: int, b: Floats, j: int, sx: float, sy: float) -> float:
    """Return a number that the distance of two parts, B moved by s, is at least; negative where that says nothing."""
    dx, dy = offset(a, i, b, j, sx, sy)
    dx, dy = dx + (b[j + CENTER_X] - a[i + CENTER_X]), dy + (b[j + CENTER_Y] - a[i + CENTER_Y])
    reach = (a[i + REACH] + b[j + REACH]) + (a[i + RADIUS] + b[j + RADIUS])
    margin = COVER_BAND * (magnitude(a, i, b, j) + abs(sx) + abs(sy))
    return float(math.sqrt(dx * dx + dy * dy) - reach - margin)


@kernel
def may_meet(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> bool:
    """Tell whether the circle around a part of A, moved by m, may meet the circle around a part of B on its way."""
    x = (b[j + X] - a[i + X]) + (b[j + CENTER_X] - a[i + CENTER_X])
    y = (b[j + Y] - a[i + Y]) + (b[j + CENTER_Y] - a[i + CENTER_Y])
    square = mx * mx + my * my
    share = min(max((x * mx + y * my) / square, 0.0), 1.0) if square > 0.0 else 0.0
    # Half the motion along it, and the rest across: the margin of the distance covers the rounding of it.
    margin = COVER_BAND * (abs(mx) + abs(my))
    return bool(least_distance(a, i, b, j, -share * mx, -share * my) <= margin)


@kernel
def apart_until(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, share: float) -> bool:
    """Tell whether a side of A - B keeps two parts apart, by more than any hit is off, while A goes a share of m."""
    # A hit is found where no side keeps them apart, at sides by the same sums, at arcs to half the digits.
    apart = a[i + RADIUS] + b[j + RADIUS] + CULL_SIZE * (magnitude(a, i, b, j) + (abs(mx) + abs(my)))
    offset_x, offset_y = offset(a, i, b, j, 0.0, 0.0)
    at, bt, left_a, left_b = start(a, i, b, j)
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        if -(nx * px + ny * py) > apart + share * max(nx * mx + ny * my, 0.0):
            return True
    return False


@kernel
def _meeting_pairs(
    rows: PartRows, which: Integers, motions: Floats, out_rows: Integers, out_starts_a: Integers, out_starts_b: Integers
) -> int:
    """Write the pairs of parts that may meet on the way, as long as there is room; return how many there are."""
    a, rows_a, b, rows_b = rows
    count, pairs = 0, np.empty(FEW, dtype=np.int64)
    for row in which:
        mx, my = motions[row, 0], motions[row, 1]
        total = pairs_on_way(a, rows_a[row], b, rows_b[row], (0.0, 0.0), (mx, my), 0.0, pairs)
        if total > pairs.shape[0]:
            pairs = np.empty(total, dtype=np.int64)
            pairs_on_way(a, rows_a[row], b, rows_b[row], (0.0, 0.0), (mx, my), 0.0, pairs)
        for k in range(total):
            i, j = a.starts[pairs[k] // b.starts.shape[0]], b.starts[pairs[k] % b.starts.shape[0]]
            if may_meet(a.buffer, i, b.buffer, j, mx, my):
                if count < out_rows.shape[0]:
                    out_rows[count], out_starts_a[count], out_starts_b[count] = row, i, j
                count += 1
    return count


def meeting_pairs(rows: BodyRows, which: Integers, motions: Floats) -> tuple[Integers, Integers, Integers]:
    """Return the pairs of parts that may meet on the way: row, start of A's record, start of B's."""
    owners, starts_a, starts_b = with_room(
        4 * which.size + 16,
        lambda room: tuple(np.empty(room, dtype=np.int64) for _ in range(3)),
        partial(_meeting_pairs, rows.parts(), which, motions),
    )
    return owners, starts_a, starts_b


def touching_pairs(rows: BodyRows) -> tuple[Integers, Integers, Integers]:
    """Return the pairs of parts that may touch as they stand: row, start of A's record, start of B's."""
    count = rows.rows_a.size
    return meeting_pairs(rows, np.arange(count), np.zeros((count, 2)))


def exact_sides(pairs: Rows, threads: int = 1) -> Floats:
    """Return for each pair of parts a number of the exact sign of its separation."""
    found = np.zeros(pairs.starts_a.size)
    settle_rows(pairs, np.ones(found.size, dtype=np.bool_), found, threads)
    return found


@kernel
def near_pairs(rows: BodyRows, row: int, sx: float, sy: float, reach: float) -> Integers:
    """Return the pairs of parts of a row, B moved by s, that may come nearer than `reach`.

    Of each the start of A's record, of B's, the part of A, the part of B.
    """
    a, b, body_a, body_b = rows.a, rows.b, rows.rows_a[row], rows.rows_b[row]
    parts_a = Parts(a.buffer, a.starts, a.first, a.nodes, a.boxes)
    parts_b = Parts(b.buffer, b.starts, b.first, b.nodes, b.boxes)
    pairs = np.empty(FEW, dtype=np.int64)
    total = pairs_on_way(parts_a, body_a, parts_b, body_b, (sx, sy), (0.0, 0.0), reach, pairs)
    if total > FEW:
        pairs = np.empty(total, dtype=np.int64)
        pairs_on_way(parts_a, body_a, parts_b, body_b, (sx, sy), (0.0, 0.0), reach, pairs)
    found = np.empty((total, 4), dtype=np.int64)
    count = 0
    for k in range(total):
        part_a, part_b = pairs[k] // b.starts.shape[0], pairs[k] % b.starts.shape[0]
        i, j = a.starts[part_a], b.starts[part_b]
        if least_distance(a.buffer, i, b.buffer, j, sx, sy) <= reach:
            found[count, 0], found[count, 1], found[count, 2], found[count, 3] = i, j, part_a, part_b
            count += 1
    return found[:count]
