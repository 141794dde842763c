"""When a body that moves and turns at once first touches another, where at least one is made of several parts.

In: rows of bodies, and the motion, turn and pivot of the first of each. Out: `HitColumns`, as for single shapes. From a
start apart the first pair of parts to meet tells when, the outline of the whole tells the normal. From a start in touch
or overlap all pairs are followed together until the wholes are clear of each other, or one is deeper in the other than
at the start; docs/design/compounds.md says how. World frame, user's units.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns
from carom.narrow.compound.bodies import posed, with_room
from carom.narrow.compound.cast import no_hits, put_outline_normals, write_first
from carom.narrow.compound.manifold import MtvColumns, mtvs_out_of
from carom.narrow.compound.part_pairs import BodyRows
from carom.narrow.compound.standing import Standing, standing
from carom.narrow.dispatch import Rows
from carom.narrow.rotating_pose import (
    LONGEST,
    MOVE_X,
    MOVE_Y,
    MOVED,
    TOLERANCE,
    TURN,
    lay_out,
    layout,
    length,
    pose,
    workspace,
)
from carom.narrow.rotating_toi import Meeting, free_time, meeting, reachable, time_inside
from carom.narrow.rows.rotating_cast import turning_hits
from carom.shapes.proxy import COUNT, RADIUS
from carom.tolerances import FULL_TURN, STEPS_INSIDE

# Columns of each pair of parts that is followed: where the records start, its tolerance, the separation below
# which it is deeper than it may be, when it was last looked at, its separation and greatest speed then, until when
# it is proved free, and the free time, closing rate and separation at the start.
START_A, START_B, PAIR_TOLERANCE, STOP, SEEN, SEPARATION, SPEED, UNTIL = 0, 1, 2, 3, 4, 5, 6, 7
FIRST_FREE, FIRST_CLOSING, FIRST_SEPARATION = 8, 9, 10
KEPT = 11

MISSED, CLEAR, DEEPER = 0, 1, 2

Motion = tuple[float, float, float, float, float]  # translation x and y, turn, pivot x and y


@kernel
def _pairs_in_reach(
    rows: BodyRows, w: Floats, motions: Floats, turns: Floats, pivots: Floats, out_rows: Integers, out: Floats
) -> int:
    """Write the pairs of parts that may meet on the way, as long as there is room; return how many there are."""
    a, rows_a, b, rows_b = rows
    count = 0
    for row in range(rows_a.shape[0]):
        mx, my, turn, px, py = motions[row, 0], motions[row, 1], turns[row], pivots[row, 0], pivots[row, 1]
        for part_a in range(a.first[rows_a[row]], a.first[rows_a[row] + 1]):
            i = a.starts[part_a]
            for part_b in range(b.first[rows_b[row]], b.first[rows_b[row] + 1]):
                j = b.starts[part_b]
                lay_out(w, a.buffer, i, b.buffer, j, mx, my, turn, px, py)
                first, last = reachable(w, 0.0)
                if first > last:
                    continue
                if count < out_rows.shape[0]:
                    at_b, _, _ = layout(w)
                    separation = pose(w, 0.0)[0] - (w[MOVED + RADIUS] + w[at_b + RADIUS])
                    out_rows[count] = row
                    out[count, START_A], out[count, START_B] = float(i), float(j)
                    out[count, PAIR_TOLERANCE] = w[TOLERANCE]
                    out[count, STOP] = min(separation, 0.0) - w[TOLERANCE]
                    out[count, SEEN], out[count, SEPARATION], out[count, UNTIL] = 0.0, separation, -1.0
                    out[count, SPEED] = length(w[MOVE_X], w[MOVE_Y]) + abs(w[TURN]) * w[LONGEST]
                    out[count, FIRST_SEPARATION] = separation
                count += 1
    return count


@kernel
def _follow(
    a: Floats, b: Floats, w: Floats, motion: Motion, t: float, end: float, overlapping: bool, pairs: Floats
) -> tuple[int, int, float]:
    """Return whether the wholes miss, come clear, or a pair (which) goes deeper than it may, and when, from t on."""
    mx, my, turn, px, py = motion
    steps = 0
    while True:
        clear, following = True, end
        for k in range(pairs.shape[0]):
            tolerance = pairs[k, PAIR_TOLERANCE]
            least = pairs[k, SEPARATION] - pairs[k, SPEED] * (t - pairs[k, SEEN])
            if pairs[k, UNTIL] > t and least > 3.0 * tolerance:
                following = min(following, pairs[k, UNTIL])
                continue
            lay_out(w, a, int(pairs[k, START_A]), b, int(pairs[k, START_B]), mx, my, turn, px, py)
            at_b, _, _ = layout(w)
            found = pose(w, t)
            separation = found[0] - (w[MOVED + RADIUS] + w[at_b + RADIUS])
            pairs[k, SEEN], pairs[k, SEPARATION] = t, separation
            if separation <= pairs[k, STOP]:
                return DEEPER, k, t
            clear = clear and separation > 2.0 * tolerance
            free, closing = free_time(w, separation, found[1], found[2], pairs[k, STOP] - 0.5 * tolerance, end - t)
            if t == 0.0:
                pairs[k, FIRST_FREE], pairs[k, FIRST_CLOSING] = free, closing
            if overlapping and separation < 0.0 and steps < STEPS_INSIDE:
                # Out and in again must not pass for having stayed inside.
                free = min(free, time_inside(w, found, separation))
            pairs[k, UNTIL] = t + free if free < end - t else end
            following = min(following, pairs[k, UNTIL])
        if clear:
            return CLEAR, -1, t
        if t >= end:
            return MISSED, -1, t
        t = following
        steps += 1


@kernel
def _meeting_at(a: Floats, i: int, b: Floats, j: int, w: Floats, motion: Motion, t: float) -> Meeting:
    """Return the answer for two parts as they stand at the fraction t."""
    mx, my, turn, px, py = motion
    lay_out(w, a, i, b, j, mx, my, turn, px, py)
    return meeting(w, b, j, pose(w, t), False, t, 0)


class Turning:
    """Rows of bodies of which the first turns as it moves, and the answers."""

    def __init__(
        self, rows: BodyRows, motions: Floats, turns: Floats, pivots: Floats, swapped: bool, threads: int
    ) -> None:
        self.rows, self.motions, self.turns, self.pivots = rows, motions, turns, pivots
        self.swapped, self.threads = swapped, threads
        self.hits = no_hits(turns.size)
        self.most = [int(s.buffer[s.starts + COUNT].max(initial=1.0)) for s in (rows.a, rows.b)]  # corners of a part
        self.workspace = np.empty(workspace(*self.most))
        self.owners, self.pairs = self._in_reach()

    def _in_reach(self) -> tuple[Integers, Floats]:
        asked = self.rows, self.workspace, self.motions, self.turns, self.pivots
        owners, pairs = with_room(
            4 * self.turns.size + 16,
            lambda room: (np.empty(room, dtype=np.int64), np.empty((room, KEPT))),
            partial(_pairs_in_reach, *asked),
        )
        return owners, pairs

    def answer(self, found: Standing) -> HitColumns:
        """Return the hits of rows of which it is known how they stand at the start."""
        held = found.side < 0
        held[self.owners[self.pairs[:, SEPARATION] <= self.pairs[:, PAIR_TOLERANCE]]] = True
        self._meet(~held[self.owners], 0.0)
        bounds = np.searchsorted(self.owners, np.arange(held.size + 1))
        for row in np.flatnonzero(held).tolist():
            self._follow_row(row, found.side[row] < 0, np.arange(bounds[row], bounds[row + 1]))
        told = np.flatnonzero(self.hits.hit & ~self.hits.overlapping)
        self._take_outline(told)
        return self.hits

    def _meet(self, chosen: Booleans | Integers, begin: float) -> None:
        """Write the earliest meeting of some pairs of parts, from apart."""
        owners, pairs = self.owners[chosen], self.pairs[chosen]
        if not owners.size:
            return
        starts_a, starts_b = pairs[:, START_A].astype(np.int64), pairs[:, START_B].astype(np.int64)
        parts = Rows(self.rows.a.buffer, starts_a, self.rows.b.buffer, starts_b)
        write_first(self.hits, owners, self._hits_of_parts(parts, owners, begin))

    def _hits_of_parts(self, parts: Rows, owners: Integers, begin: float) -> HitColumns:
        """Return the hits of pairs of parts, from a fraction on."""
        motions, turns, pivots = self.motions[owners], self.turns[owners], self.pivots[owners]
        return HitColumns(*turning_hits(parts, motions, turns, pivots, self.threads, begin))

    def _follow_row(self, row: int, overlapping: bool, chosen: Integers) -> None:
        """Write the hit of bodies that start in touch or in overlap."""
        pairs = self.pairs[chosen]
        tolerance = pairs[:, PAIR_TOLERANCE].max(initial=0.0)
        depth = 0.0
        if overlapping:
            way = self._way_out(row, 0.0)
            depth = way.depth.item(0)
            overlapping = depth > tolerance
            if overlapping and self._closes_at_once(row, way, tolerance):
                self._hit_inside(row, 0.0, way)
                return
        t = 0.0
        while True:
            outcome, k, t = self._follow_pairs(row, t, overlapping, pairs)
            if outcome != DEEPER or not overlapping:
                break
            way = self._way_out(row, t)
            if way.depth.item(0) > depth + tolerance:
                self._hit_inside(row, t, way)
                return
            # Deeper in a part, but not in the whole: a seam. The whole is asked again when it is twice as deep there.
            pairs[k, STOP] = 2.0 * pairs[k, SEPARATION]
        if outcome == CLEAR:
            self._meet(chosen, t)
        elif outcome == DEEPER:
            if pairs[k, FIRST_SEPARATION] <= pairs[k, PAIR_TOLERANCE] and self._closed_at_once(pairs[k], t):
                t = 0.0  # not only later: the hit is where it starts
            self.hits.hit[row], self.hits.fraction[row] = True, t
            self.hits.normal[row], self.hits.point[row] = self._meeting_of(row, pairs[k], t)

    def _motion(self, row: int) -> Motion:
        (mx, my), (px, py) = self.motions[row].tolist(), self.pivots[row].tolist()
        return mx, my, self.turns.item(row), px, py

    def _follow_pairs(self, row: int, t: float, overlapping: bool, pairs: Floats) -> tuple[int, int, float]:
        """Follow the pairs of a row from the fraction t on; see `_follow`."""
        mx, my, turn, _, _ = motion = self._motion(row)
        # A body that only turns has been everywhere after one turn.
        end = min(1.0, FULL_TURN / abs(turn)) if mx == 0.0 and my == 0.0 else 1.0
        return _follow(self.rows.a.buffer, self.rows.b.buffer, self.workspace, motion, t, end, overlapping, pairs)

    def _closed_at_once(self, pair: Floats, t: float) -> bool:
        """Tell whether a pair that is too deep at t has closed from the start on."""
        room = pair[FIRST_SEPARATION] - (pair[STOP] - 0.5 * pair[PAIR_TOLERANCE])
        free, closing = pair[FIRST_FREE], pair[FIRST_CLOSING]
        return bool(t <= 4.0 * free and 2.0 * closing * free >= room)

    def _meeting_of(self, row: int, pair: Floats, t: float) -> tuple[Any, Any]:
        """Return normal and point of two parts that meet at the fraction t."""
        i, j = int(pair[START_A]), int(pair[START_B])
        met = _meeting_at(self.rows.a.buffer, i, self.rows.b.buffer, j, self.workspace, self._motion(row), t)
        return met[3:5], met[5:7]

    def _way_out(self, row: int, t: float) -> MtvColumns:
        """Return the minimum translation vector of the bodies of a row at the fraction t, its normal out of B."""
        rows = self._posed(np.array([row]), np.array([t]))
        found = standing(rows.exchanged() if self.swapped else rows, 1)
        return mtvs_out_of(rows, np.zeros(1, dtype=np.int64), found, self.swapped)

    def _closes_at_once(self, row: int, way: MtvColumns, tolerance: float) -> bool:
        """Tell whether bodies that overlap go deeper from the start on, by the motion of the points in touch."""
        for k in range(int(way.count[0])):
            rate = -float(way.normal[0] @ self._speeds(np.array([row]), way.points[0, k], np.zeros(1))[0])
            bend = self._bend(row, way.points[0, k])
            if way.depths[0, k] >= way.depth[0] - tolerance and rate > 0.0 and rate * rate > 4.0 * tolerance * bend:
                return True
        return False

    def _bend(self, row: int, point: Floats) -> float:
        """Return how fast the velocity of a point that A begins with changes by turning."""
        return float(self.turns[row] ** 2 * math.hypot(*(point - self.pivots[row])))

    def _speeds(self, which: Integers, points: Floats, fractions: Floats) -> Floats:
        """Return the velocities of points of A at fractions, as seen from B."""
        arm = points - (self.pivots[which] + fractions[:, None] * self.motions[which])
        return self.motions[which] + self.turns[which, None] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)

    def _hit_inside(self, row: int, t: float, way: MtvColumns) -> None:
        """Write a hit of bodies that have overlapped from the start, with the normal of their MTV."""
        self.hits.hit[row], self.hits.fraction[row], self.hits.overlapping[row] = True, t, True
        self.hits.normal[row], self.hits.point[row] = way.normal[0], way.point_b[0]

    def _posed(self, which: Integers, fractions: Floats) -> BodyRows:
        """Return some rows as they stand at fractions."""
        motions, turns, pivots = self.motions[which], self.turns[which], self.pivots[which]
        moved = posed(self.rows.a, self.rows.rows_a[which], motions, turns, pivots, fractions)
        return BodyRows(moved, np.arange(which.size), self.rows.b, self.rows.rows_b[which])

    def _take_outline(self, told: Integers) -> None:
        """Put normals of the outline in the place of those of edges between parts."""
        if not told.size:
            return
        rows = self._posed(told, self.hits.fraction[told])
        tolerances = np.zeros(self.turns.size)
        np.maximum.at(tolerances, self.owners, self.pairs[:, PAIR_TOLERANCE])
        # Where the point that met is going, as a vector of the tolerance's length: only its direction counts.
        speed = self._speeds(told, self.hits.point[told], self.hits.fraction[told])
        largest = np.abs(speed).max(axis=1)
        speed *= (tolerances[told] / np.where(largest > 0.0, largest, 1.0))[:, None]
        normal = self.hits.normal[told]
        put_outline_normals(rows, np.arange(told.size), speed, tolerances[told], np.zeros(told.size), normal)
        self.hits.normal[told] = normal
