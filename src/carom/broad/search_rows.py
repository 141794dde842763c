"""Shapes of a tree that a query touches, that are near it, or that are nearest.

In: a tree, its grid, and checked arrays, one row a query. Out: rows or slots and distances, in the promised order.
Where the sign of a candidate lies inside the error bound it is decided exactly, by the same code as a single pair.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Floats, Integers
from carom.broad.answers import HIT_BYTES, Answers, Found, in_turn, offsets_from, offsets_of, room_for_candidates
from carom.broad.by_row import ByRow
from carom.broad.queries import Queries
from carom.broad.tree import Tree
from carom.broad.tree_circles import boxes_of
from carom.broad.tree_grid import Grid, no_grid
from carom.broad.tree_nearest import nearest_slots
from carom.broad.tree_regions import SHORT, candidates_of_boxes, touching_rows
from carom.narrow.intersects import sides_of_rows
from carom.narrow.separation import separation_of_rows
from carom.tolerances import LARGEST

FARTHEST = 8.0 * LARGEST  # more than any two shapes are apart

ROW_BYTES = 48
"""Of memory that a row takes at most: its columns, their parts, and scratch for putting them in order."""


def touched(
    where: str, tree: Tree, slot_of: ByRow, grid: Grid, asked: Queries, inclusive: bool, threads: int
) -> tuple[Integers, Integers]:
    """Return where each query's rows begin, (n + 1,), and the rows that it touches, ascending."""
    most, n = 0 if inclusive else -1, asked.masks.size
    counts = np.empty(n, dtype=np.int64)

    def ask(begin: int, end: int, rows: Integers) -> tuple[int, int]:
        return touching_rows(tree, grid, asked, most, begin, end, counts, rows)

    def keep(rows: Integers) -> tuple[Integers]:
        return (rows.copy(),)

    (rows,) = in_turn(Answers(where, ROW_BYTES, n), n, lambda queries: max(256, 4 * queries), 1, ask, keep, threads)
    unsorted, undecided = counts > SHORT, rows < 0
    if undecided.any():
        rows = np.where(undecided, -1 - rows, rows)
        queries = np.repeat(np.arange(n), counts)
        kept = ~undecided
        pairs = asked.pairs(tree, queries[undecided], slot_of[rows[undecided]])
        kept[undecided] = sides_of_rows(pairs, 1) <= most
        rows, counts = rows[kept], np.bincount(queries[kept], minlength=n)
    offsets = offsets_from(counts)
    for k in np.flatnonzero(unsorted).tolist():
        rows[offsets[k] : offsets[k + 1]].sort()
    return offsets, rows


def near(where: str, tree: Tree, grid: Grid, asked: Queries, within: Floats, inclusive: bool, threads: int) -> Found:
    """Return the pairs of query and slot no farther apart than `within`, in ascending order of (query, row number)."""
    ask = partial(candidates_of_boxes, tree, grid, asked, boxes_of(asked.records, asked.starts), within)

    def decide(queries: Integers, slots: Integers) -> Found:
        gaps, limits = separation_of_rows(asked.pairs(tree, queries, slots), 1), within[queries]
        kept = gaps <= limits if inclusive else gaps < limits
        return _in_order(tree, queries[kept], slots[kept])

    count = asked.starts.size
    return Found(*in_turn(Answers(where, HIT_BYTES, count), count, room_for_candidates, 2, ask, decide, threads))


def _in_order(tree: Tree, queries: Integers, slots: Integers) -> Found:
    """Return pairs in ascending order of (query, row number)."""
    # One number for each pair: far quicker to sort than two.
    keys = queries * (int(tree.rows.max()) + 1) + tree.rows[slots]
    if not (keys[1:] < keys[:-1]).any():
        return Found(queries, slots)
    order = np.argsort(keys)
    return Found(queries[order], slots[order])


def nearest(where: str, tree: Tree, asked: Queries, k: int, within: float, threads: int) -> tuple[Integers, Floats]:
    """Return the k nearest slots of each query and their distances, -1 and infinity where there are no more."""
    n = asked.starts.size
    slots, distances = np.empty((n, k), dtype=np.int64), np.empty((n, k))
    undecided = np.empty(n, dtype=np.bool_)

    def work(begin: int, end: int) -> None:
        nearest_slots(tree, asked, within, begin, end, slots, distances, undecided)

    in_parts(threads, n, work)
    again = np.flatnonzero(undecided)
    if again.size:
        # Each distance of these is, if anything, too large: the true ones are among all that are no farther.
        some = asked.some(again)
        # Never infinite: so far away lie the boxes of free slots.
        limits = np.minimum(np.where(slots[again, -1] >= 0, distances[again, -1], within), FARTHEST)
        found = near(where, tree, no_grid(), some, np.minimum(limits, within), True, threads)
        exact = np.maximum(separation_of_rows(some.pairs(tree, *found), threads), 0.0)
        order = np.lexsort((tree.rows[found.slots], exact, found.queries))
        queries = found.queries[order]
        place = np.arange(order.size) - offsets_of(queries, again.size)[queries]
        slots[again], distances[again] = -1, math.inf
        order, queries, place = order[place < k], queries[place < k], place[place < k]
        slots[again[queries], place], distances[again[queries], place] = found.slots[order], exact[order]
    return slots, distances
