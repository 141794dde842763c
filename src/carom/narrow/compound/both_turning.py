"""When a body of several parts first touches another, where both turn and the first moves as well.

In: rows of bodies, and what both do (`narrow.both_turning`). Out: `HitColumns`. The rule is that of a body that turns
alone (`rotating_cast`): from apart the first pair of parts to meet tells when; from a start in touch or overlap all
pairs are followed together until the wholes are clear of each other, or one is deeper in the other than at the start.
World frame, user's units.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.narrow.both_turning import (
    ABOUT_X,
    AT_ONCE,
    MOTION_X,
    OTHER,
    PIVOT_X,
    TURN,
    free_of_both,
    gap_at,
    hits_of_both,
    speed_of,
    time_to_clear,
    tolerance_of,
    ways_of,
)
from carom.narrow.cast import HitColumns
from carom.narrow.compound.bodies import posed, with_room
from carom.narrow.compound.part_pairs import BodyRows, PartRows
from carom.narrow.compound.rotating_cast import (
    CLEAR,
    DEEPER,
    FIRST_SEPARATION,
    KEPT,
    MISSED,
    PAIR_TOLERANCE,
    SEEN,
    SEPARATION,
    SPEED,
    START_A,
    START_B,
    STOP,
    UNTIL,
    Turning,
)
from carom.narrow.conservative_advancement import circles_miss
from carom.narrow.dispatch import Rows
from carom.narrow.signed_distance import separate
from carom.shapes.proxy import POINTS, STRIDE


@kernel
def pairs_in_reach_of_both(rows: PartRows, both: Floats, out_rows: Integers, out: Floats) -> int:
    """Write the pairs of parts that may meet on the way, as long as there is room; return how many there are."""
    a, rows_a, b, rows_b = rows
    count = 0
    for row in range(rows_a.shape[0]):
        for part_a in range(a.first[rows_a[row]], a.first[rows_a[row] + 1]):
            i = a.starts[part_a]
            for part_b in range(b.first[rows_b[row]], b.first[rows_b[row] + 1]):
                j = b.starts[part_b]
                way_a, way_b = ways_of(a.buffer, i, b.buffer, j, both, row)
                tolerance = tolerance_of(a.buffer, i, way_a, b.buffer, j, way_b)
                if circles_miss(way_a, way_b, 1.0, 4.0 * tolerance):
                    continue
                if count < out_rows.shape[0]:
                    separation = separate(a.buffer, i, b.buffer, j)[0]
                    out_rows[count] = row
                    out[count, START_A], out[count, START_B] = float(i), float(j)
                    out[count, PAIR_TOLERANCE] = tolerance
                    out[count, STOP] = min(separation, 0.0) - tolerance
                    out[count, SEEN], out[count, SEPARATION], out[count, UNTIL] = 0.0, separation, -1.0
                    out[count, SPEED], out[count, FIRST_SEPARATION] = speed_of(way_a, way_b), separation
                count += 1
    return count


@kernel
def follow_both(
    a: Floats, b: Floats, both: Floats, row: int, t: float, overlapping: bool, pairs: Floats, now: Floats
) -> tuple[int, int, float]:
    """Return whether the wholes miss, come clear, or a pair (which) goes deeper than it may, and when, from t on."""
    steps, growth, end = 0, 1.0, 1.0
    while True:
        clear, following = True, end
        for k in range(pairs.shape[0]):
            tolerance, speed = pairs[k, PAIR_TOLERANCE], pairs[k, SPEED]
            least = pairs[k, SEPARATION] - speed * (t - pairs[k, SEEN])
            if pairs[k, UNTIL] > t and least > 3.0 * tolerance:
                following = min(following, pairs[k, UNTIL])
                continue
            i, j = int(pairs[k, START_A]), int(pairs[k, START_B])
            way_a, way_b = ways_of(a, i, b, j, both, row)
            separation, nx, ny, _, _ = gap_at(a, i, way_a, b, j, way_b, t, now)
            pairs[k, SEEN], pairs[k, SEPARATION] = t, separation
            if separation <= pairs[k, STOP]:
                return DEEPER, k, t
            clear = clear and separation > 2.0 * tolerance
            rest = min(end - t, time_to_clear(separation, tolerance, speed, overlapping, steps, growth))
            safe = pairs[k, STOP] - 0.5 * tolerance
            free = free_of_both(now, way_a, way_b, t, separation, nx, ny, safe, rest)
            pairs[k, UNTIL] = t + free if free < end - t else end
            following = min(following, pairs[k, UNTIL])
        if clear:
            return CLEAR, -1, t
        if t >= end:
            return MISSED, -1, t
        t = following
        steps, growth = steps + 1, 2.0 * growth


@kernel
def meeting_of_both(
    a: Floats, i: int, b: Floats, j: int, both: Floats, row: int, t: float, now: Floats
) -> tuple[float, float, float, float, float]:
    """Return how two parts of a row stand at the fraction t, as `gap_at` does."""
    way_a, way_b = ways_of(a, i, b, j, both, row)
    return gap_at(a, i, way_a, b, j, way_b, t, now)


class BothTurning(Turning):
    """Rows of bodies of which both turn, the first as it moves, and the answers."""

    def __init__(self, rows: BodyRows, both: Floats, swapped: bool, threads: int) -> None:
        self.both = both
        vectors = (MOTION_X, PIVOT_X, ABOUT_X)
        motions, pivots, self.abouts = (np.ascontiguousarray(both[:, at : at + 2]) for at in vectors)
        self.others = both[:, OTHER].copy()
        super().__init__(rows, motions, both[:, TURN].copy(), pivots, swapped, threads)

    def _in_reach(self) -> tuple[Integers, Floats]:
        owners, pairs = with_room(
            4 * self.turns.size + 16,
            lambda room: (np.empty(room, dtype=np.int64), np.empty((room, KEPT))),
            partial(pairs_in_reach_of_both, self.rows.parts(), self.both),
        )
        return owners, pairs

    def _hits_of_parts(self, parts: Rows, owners: Integers, begin: float) -> HitColumns:
        return hits_of_both(parts, self.both[owners], self.threads, begin)

    def _scratch(self) -> Floats:
        return np.empty(2 * (POINTS + STRIDE * max(self.most)))

    def _follow_pairs(self, row: int, t: float, overlapping: bool, pairs: Floats) -> tuple[int, int, float]:
        buffers = self.rows.a.buffer, self.rows.b.buffer
        return follow_both(*buffers, self.both, row, t, overlapping, pairs, self._scratch())

    def _closed_at_once(self, pair: Floats, t: float) -> bool:
        return bool(t * pair[SPEED] <= AT_ONCE * pair[PAIR_TOLERANCE])

    def _meeting_of(self, row: int, pair: Floats, t: float) -> tuple[Any, Any]:
        a, i, b, j = self.rows.a.buffer, int(pair[START_A]), self.rows.b.buffer, int(pair[START_B])
        _, nx, ny, x, y = meeting_of_both(a, i, b, j, self.both, row, t, self._scratch())
        return (0.0 - nx, 0.0 - ny), (x, y)

    def _bend(self, row: int, point: Floats) -> float:
        return super()._bend(row, point) + float(self.others[row] ** 2 * math.hypot(*(point - self.abouts[row])))

    def _speeds(self, which: Integers, points: Floats, fractions: Floats) -> Floats:
        arm = points - self.abouts[which]
        own = self.others[which, None] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
        return super()._speeds(which, points, fractions) - own

    def _posed(self, which: Integers, fractions: Floats) -> BodyRows:
        rows = super()._posed(which, fractions)
        still, turns, abouts = np.zeros((which.size, 2)), self.others[which], self.abouts[which]
        turned = posed(self.rows.b, self.rows.rows_b[which], still, turns, abouts, fractions)
        return rows._replace(b=turned, rows_b=np.arange(which.size))
