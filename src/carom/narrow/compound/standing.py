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
from carom.narrow.compound.part_tree import (
    DEPTH,
    Parts,
    children_of,
    gap_between,
    node_box,
    part_of,
    root_of,
    splits_first,
)
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


Doubtful = tuple[Integers, Integers, Integers, Floats]
"""Pairs of parts whose sign is in doubt: row, where A's record starts, where B's does, separation."""

# Least separation, where the records of the two parts start, whether any two surely overlap, how many are in doubt.
NearestParts = tuple[float, int, int, bool, int]


@kernel
def nearest_parts(
    a: Parts,
    body_a: int,
    b: Parts,
    body_b: int,
    limit: float,
    yes_or_no: bool,
    decided: bool,
    row: int,
    out: Doubtful,
    count: int,
) -> NearestParts:
    """Return the two parts of two bodies that are nearest to each other, or overlap most.

    Parts at least `limit` apart do not count; where no others are, the limit is told. With `yes_or_no` the search ends
    where two parts surely overlap; with `decided` only pairs count whose sign is not in doubt. Those in doubt are
    written behind `count` others, as far as there is room. Of pairs equally near, that of the first part of A counts,
    then of B.
    """
    out_rows, out_i, out_j, out_doubtful = out
    best, best_a, best_b, overlaps, undecided = limit, -1, -1, False, 0
    waiting, gaps = np.empty((DEPTH, 2), dtype=np.int64), np.empty(DEPTH)
    waiting[0, 0], waiting[0, 1], gaps[0] = root_of(a, body_a), root_of(b, body_b), 0.0
    left = 1
    while left > 0:
        left -= 1
        if gaps[left] > max(best, 0.0):
            continue
        node_a, node_b = waiting[left, 0], waiting[left, 1]
        part_a, part_b = part_of(a, body_a, node_a), part_of(b, body_b, node_b)
        if part_a < 0 or part_b < 0:
            for_a = splits_first(a, part_a, node_a, b, part_b, node_b)
            one, other = children_of(a, body_a, node_a) if for_a else children_of(b, body_b, node_b)
            box = node_box(b, node_b) if for_a else node_box(a, node_a)
            gap = gap_between(box, node_box(a if for_a else b, one))
            far = gap_between(box, node_box(a if for_a else b, other))
            if far < gap:
                one, other, gap, far = other, one, far, gap
            for k in range(2):
                child = other if k == 0 else one
                waiting[left, 0], waiting[left, 1] = (child, node_b) if for_a else (node_a, child)
                gaps[left] = far if k == 0 else gap
                left += 1
            continue
        i, j = a.starts[part_a], b.starts[part_b]
        if least_distance(a.buffer, i, b.buffer, j, 0.0, 0.0) > max(best, 0.0):
            continue
        found = separate(a.buffer, i, b.buffer, j)
        if found[6]:
            if count + undecided < out_rows.shape[0]:
                place = count + undecided
                out_rows[place], out_i[place], out_j[place], out_doubtful[place] = row, i, j, found[0]
            undecided += 1
        elif found[0] < 0.0:
            overlaps = True
        first = part_a < best_a or (part_a == best_a and part_b < best_b)
        if (found[0] < best or (found[0] == best and first)) and not (decided and found[6]):
            best, best_a, best_b = found[0], part_a, part_b
        if overlaps and yes_or_no:
            break
    return best, a.starts[max(best_a, 0)], b.starts[max(best_b, 0)], overlaps, undecided


@kernel
def _nearest_of_rows(
    rows: PartRows,
    limit: float,
    yes_or_no: bool,
    decided: bool,
    out: tuple[Floats, Integers, Integers, Booleans, Integers],
    out_pairs: Doubtful,
) -> int:
    """Write the nearest parts of each row, and the pairs in doubt where there is room; return how many these are."""
    out_separations, out_starts_a, out_starts_b, out_overlaps, out_undecided = out
    a, rows_a, b, rows_b = rows
    count = 0
    for row in range(rows_a.shape[0]):
        found = nearest_parts(a, rows_a[row], b, rows_b[row], limit, yes_or_no, decided, row, out_pairs, count)
        out_separations[row], out_starts_a[row], out_starts_b[row], out_overlaps[row], out_undecided[row] = found
        count += found[4]
    return count


def standing(rows: BodyRows, threads: int, yes_or_no: bool = False, limit: float = math.inf) -> Standing:
    """Tell how the bodies of each row stand; a Point or Segment between flush parts counts as in touch.

    With `yes_or_no` the nearest parts of bodies in overlap are just two that overlap; bodies at least `limit` apart are
    told to be that far apart.
    """
    n = rows.rows_a.size
    separations, starts_a, starts_b, overlaps, undecided = _nearest_columns(n)

    def work(begin: int, end: int) -> None:
        part = slice(begin, end)
        columns = separations[part], starts_a[part], starts_b[part], overlaps[part], undecided[part]
        _nearest_of_rows(rows.parts(part), limit, yes_or_no, False, columns, _NO_PAIRS)

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
        count,
        _pair_columns,
        lambda *pairs: _nearest_of_rows(rows.parts(doubtful), math.inf, False, True, columns, pairs),
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
