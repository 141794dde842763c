"""Where two bodies of several parts stand: apart, in touch, or in overlap, as two whole shapes, decided exactly.

In: rows of bodies. Out: a side for each row, the separation where they are apart, and the nearest parts. Bodies are
apart just when all pairs of their parts are, and overlap just when some pair does; only for a Point or Segment that
lies on the line between flush parts is there more to ask, and `answers.stand` does. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers, Sides
from carom.narrow.compound.bodies import Bodies, with_room
from carom.narrow.compound.part_pairs import BodyRows, PartRows, exact_sides, least_distance, touching_pairs
from carom.narrow.dispatch import Rows
from carom.narrow.signed_distance import separate, settle_rows
from carom.shapes.proxy import COUNT, RADIUS


class Standing(NamedTuple):
    """How the bodies of each row stand."""

    side: Sides
    """(n,) -1 overlap, 0 touch, 1 apart"""
    separation: Floats
    """(n,) of the nearest parts, with its exact sign; in overlap of the parts that overlap most"""
    starts_a: Integers
    """(n,) where the records of the nearest parts start"""
    starts_b: Integers
    near: Booleans
    """(n,) whether they touch as far as rounding can tell"""

    def some(self, chosen: Booleans) -> Standing:
        """Return some of the rows."""
        columns: Any = (column[chosen] for column in self)
        return Standing(*columns)


@kernel
def _nearest_of_rows(
    rows: PartRows,
    decided: bool,
    out: tuple[Floats, Integers, Integers, Booleans, Integers],
    out_pairs: tuple[Integers, Integers, Integers, Floats],
) -> int:
    """Write the least separation of any pair of parts, and how many pairs have a sign that is in doubt.

    With `decided` only of pairs whose sign is not. Those in doubt are written, too, as far as there is room, and
    counted.
    """
    out_separations, out_starts_a, out_starts_b, out_overlaps, out_undecided = out
    out_rows, out_i, out_j, out_doubtful = out_pairs
    (a, starts_a, first_a), rows_a, (b, starts_b, first_b), rows_b = rows
    count = 0
    for row in range(rows_a.shape[0]):
        body_a, body_b = rows_a[row], rows_b[row]
        best, best_i, best_j, overlaps, undecided = math.inf, 0, 0, False, 0
        for part_a in range(first_a[body_a], first_a[body_a + 1]):
            i = starts_a[part_a]
            for part_b in range(first_b[body_b], first_b[body_b + 1]):
                j = starts_b[part_b]
                if least_distance(a, i, b, j, 0.0, 0.0) > max(best, 0.0):
                    continue
                found = separate(a, i, b, j)
                if found[6]:
                    if count < out_rows.shape[0]:
                        out_rows[count], out_i[count], out_j[count], out_doubtful[count] = row, i, j, found[0]
                    count += 1
                    undecided += 1
                elif found[0] < 0.0:
                    overlaps = True
                if found[0] < best and not (decided and found[6]):
                    best, best_i, best_j = found[0], i, j
        out_separations[row], out_starts_a[row], out_starts_b[row] = best, best_i, best_j
        out_overlaps[row], out_undecided[row] = overlaps, undecided
    return count


def standing(rows: BodyRows, threads: int) -> Standing:
    """Tell how the bodies of each row stand; a Point or Segment between flush parts counts as in touch."""
    n = rows.rows_a.size
    separations, starts_a, starts_b, overlaps, undecided = _nearest_columns(n)

    def work(begin: int, end: int) -> None:
        part = slice(begin, end)
        columns = separations[part], starts_a[part], starts_b[part], overlaps[part], undecided[part]
        _nearest_of_rows(rows.parts(part), False, columns, _NO_PAIRS)

    in_parts(threads, n, work)
    doubtful = np.flatnonzero((undecided > 0) & ~overlaps)
    if doubtful.size:
        separations[doubtful] = _settled(rows, doubtful, int(undecided[doubtful].sum()))
    side = np.sign(separations).astype(np.int8)
    side[overlaps] = -1
    return Standing(side, separations, starts_a, starts_b, undecided > 0)


def _nearest_columns(n: int) -> tuple[Floats, Integers, Integers, Booleans, Integers]:
    starts_a, starts_b, undecided = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    return np.empty(n), starts_a, starts_b, np.empty(n, np.bool_), undecided


def _pair_columns(n: int) -> tuple[Integers, Integers, Integers, Floats]:
    owners, starts_a, starts_b = (np.empty(n, dtype=np.int64) for _ in range(3))
    return owners, starts_a, starts_b, np.empty(n)


def _settled(rows: BodyRows, doubtful: Integers, count: int) -> Floats:
    """Return the least separation of doubtful rows with its exact sign."""
    columns = _nearest_columns(doubtful.size)
    owners, starts_a, starts_b, found = with_room(
        count, _pair_columns, lambda *pairs: _nearest_of_rows(rows.parts(doubtful), True, columns, pairs)
    )
    decided = columns[0]
    settle_rows(Rows(rows.a.buffer, starts_a, rows.b.buffer, starts_b), np.ones(found.size, dtype=np.bool_), found, 1)
    np.minimum.at(decided, owners, found)
    return decided


_NO_PAIRS = _pair_columns(0)


def touching_parts(rows: BodyRows, row: int) -> tuple[Integers, Integers]:
    """Return where the records start of the parts of one row that exactly touch, pair by pair: of A's and of B's."""
    _, starts_a, starts_b = touching_pairs(rows.some([row]))
    touch = exact_sides(Rows(rows.a.buffer, starts_a, rows.b.buffer, starts_b)) == 0.0
    return starts_a[touch], starts_b[touch]


def is_thin(body: Bodies, row: int) -> bool:
    """Tell whether a body is a single Point or Segment, which has no inside."""
    part = int(body.first[row])
    start = int(body.starts[part])
    return (
        int(body.first[row + 1]) == part + 1
        and body.buffer[start + RADIUS] == 0.0
        and body.buffer[start + COUNT] <= 2.0
    )
