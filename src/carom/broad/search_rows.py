"""Which shapes of a tree a query touches, which are near it, which are nearest.

In: a tree, its grid, and checked arrays, one row a query. Out: rows or slots and distances, in the promised order.
Where the sign of a candidate lies inside the error bound it is decided exactly, by the same code as a single pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Floats, Integers
from carom.broad.queries import Answers, Found, Queries, in_turn, offsets_of, queries_of_points
from carom.broad.tree import Tree
from carom.broad.tree_circles import boxes_of
from carom.broad.tree_grid import Grid, no_grid
from carom.broad.tree_nearest import nearest_slots
from carom.broad.tree_regions import SHORT, candidates_of_boxes, touching_of_points, touching_of_shapes
from carom.narrow.dispatch import Rows
from carom.narrow.intersects import sides_of_rows
from carom.narrow.separation import separation_of_rows
from carom.tolerances import LARGEST

FARTHEST = 8.0 * LARGEST  # more than any two shapes are apart

ROW_BYTES = 48
"""What a row that is found takes at most: its columns, their parts, and what putting them in order takes."""


def touched(
    where: str, tree: Tree, slot_of: Integers, grid: Grid, asked: Queries, inclusive: bool, threads: int
) -> tuple[Integers, Integers]:
    """Return where each query's rows begin, (n + 1,), and the rows that it touches, ascending."""
    most = 0 if inclusive else -1
    ask = partial(touching_of_shapes, tree, grid, *asked, most)
    return _lists(where, tree, slot_of, asked.starts.size, ask, asked.pairs, most, threads)


def containing(
    where: str,
    tree: Tree,
    slot_of: Integers,
    grid: Grid,
    points: Floats,
    masks: Integers,
    ignore: Integers,
    threads: int,
) -> tuple[Integers, Integers]:
    """Return where each point's rows begin, (n + 1,), and the rows that contain it, ascending."""

    def pairs(tree: Tree, queries: Integers, slots: Integers) -> Rows:
        few = queries_of_points(points[queries], masks, ignore)
        return few.pairs(tree, np.arange(queries.size), slots)

    ask = partial(touching_of_points, tree, grid, points, masks, ignore, 0)
    return _lists(where, tree, slot_of, len(points), ask, pairs, 0, threads)


def _lists(
    where: str,
    tree: Tree,
    slot_of: Integers,
    n: int,
    ask: Callable[..., tuple[int, int]],
    pairs: Callable[[Tree, Integers, Integers], Rows],
    most: int,
    threads: int,
) -> tuple[Integers, Integers]:
    """Return offsets and rows of what is asked, the undecided ones decided exactly."""
    counts = np.empty(n, dtype=np.int64)
    answer = Answers(where, ROW_BYTES, n)

    def work(begin: int, end: int) -> None:
        room = max(256, 4 * (end - begin))
        while begin < end:
            rows = np.empty(room, dtype=np.int64)
            came_to, count = ask(begin, end, counts, rows)
            if came_to > begin:
                answer.keep(begin, came_to, count, rows[:count].copy() if 2 * count < room else rows[:count])
            else:
                answer.check(room, begin + 1)
                room *= 4
            begin = came_to

    in_parts(threads, n, work)
    parts = answer.in_order()
    rows = parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype=np.int64), *parts])
    unsorted, undecided = counts > SHORT, rows < 0
    if undecided.any():
        rows = np.where(undecided, -1 - rows, rows)
        queries = np.repeat(np.arange(n), counts)
        kept = ~undecided
        kept[undecided] = sides_of_rows(pairs(tree, queries[undecided], slot_of[rows[undecided]]), 1) <= most
        rows, counts = rows[kept], np.bincount(queries[kept], minlength=n)
    offsets = np.append(0, np.cumsum(counts))
    for k in np.flatnonzero(unsorted).tolist():
        rows[offsets[k] : offsets[k + 1]].sort()
    return offsets, rows


def near(where: str, tree: Tree, grid: Grid, asked: Queries, within: Floats, inclusive: bool, threads: int) -> Found:
    """Return the pairs of query and slot no farther apart than `within`, in ascending order of (query, row number)."""
    boxes = boxes_of(asked.records, asked.starts)
    ask = partial(candidates_of_boxes, tree, grid, boxes, within, asked.masks)

    def measure(found: Found) -> Found:
        gaps, limits = separation_of_rows(asked.pairs(tree, *found), 1), within[found.queries]
        kept = gaps <= limits if inclusive else gaps < limits
        return _in_order(tree, found.queries[kept], found.slots[kept])

    parts = in_turn(where, tree, asked, ask, measure, threads)
    return Found(*(np.concatenate(column) for column in zip(*parts, strict=True)))


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
        nearest_slots(tree, *asked, within, begin, end, slots, distances, undecided)

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
