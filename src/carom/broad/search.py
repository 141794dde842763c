"""The searches of an `Index`, from arrays to answers: candidates from the tree, the last word from the row verbs.

In: a tree and checked arrays, one row a query. Out: slots, distances and hits, in the promised order. Where the sign of
a candidate lies inside the error bound it is decided exactly, by the same code as a single pair, before it is compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from carom import _records as rec
from carom._threads import in_parts
from carom._typing import Floats, Integers
from carom.broad import memory
from carom.broad.first_hits import finish_rays, first_hits_of_movers, first_hits_of_rays
from carom.broad.nearest import nearest_slots
from carom.broad.ray_grid import Grid, first_hits_of_rays_on_grid
from carom.broad.reach import boxes_of, boxes_of_turning
from carom.broad.regions import (
    candidates_of_boxes,
    candidates_of_paths,
    sort_lists,
    touching_of_shapes,
)
from carom.broad.tree import Tree
from carom.narrow._door import Rows
from carom.narrow.cast import HitColumns, hit_rows, hits_of_turning_rows
from carom.narrow.intersects import sides_of_rows
from carom.narrow.ray import RayHitColumns
from carom.narrow.separation import separation_of_rows
from carom.tolerances import LARGEST

Answer = TypeVar("Answer")

FARTHEST = 8.0 * LARGEST  # more than any two shapes are apart
ROOM = 1 << 16
"""Candidates looked at together: enough that a call costs nothing, few enough to stay in the processor's cache."""

ROW_BYTES, HIT_BYTES = 48, 240
"""What a row or a hit that is found takes at most: its columns, their parts, and what putting them in order takes."""

DOUBTS = 1 << 10
"""Room for undecided hits at first."""


class Queries(NamedTuple):
    """What is asked: records, and for each query which layers it sees and which rows it passes by."""

    records: Floats
    starts: Integers
    masks: Integers
    """(n,)"""
    ignore: Integers
    """(n, k) row numbers, -1 for none."""

    def pairs(self, tree: Tree, queries: Integers, slots: Integers) -> Rows:
        """Return the records of pairs of query and slot."""
        return Rows(self.records, self.starts[queries], tree.records, tree.starts[slots])

    def some(self, queries: Integers) -> Queries:
        """Return some of the queries."""
        return Queries(self.records, self.starts[queries], self.masks[queries], self.ignore[queries])


class Answers:
    """What is found for queries in turn, as long as all of it fits into memory."""

    def __init__(self, where: str, size: int, queries: int) -> None:
        """Begin with none; an answer takes so many bytes."""
        self._where, self._size, self._queries = where, size, queries
        self._parts: dict[int, Any] = {}
        self._count = 0

    def keep(self, begin: int, end: int, count: int, part: Any) -> None:
        """Keep what was found for the queries from `begin` to `end`."""
        self._count += count
        self._parts[begin] = part
        self.check(0, end)

    def check(self, more: int, reached: int) -> None:
        """Refuse to go on where what is kept, and so many more, would not fit."""
        need = self._size * (self._count + more)
        if not memory.fits(need):
            raise MemoryError(
                f"{self._where}: up to query {reached:,} of {self._queries:,} there are at least {self._count + more:,}"
                f" answers, which would take {need / 2**30:,.1f} GiB of memory, and {memory.free() / 2**30:,.1f} GiB"
                " are free; ask fewer queries at a time"
            )

    def in_order(self) -> list[Any]:
        """Return the parts in the order of the queries."""
        return [self._parts[begin] for begin in sorted(self._parts)]


class Found(NamedTuple):
    """Pairs of query and slot, in ascending order of query."""

    queries: Integers
    slots: Integers


def queries_of_points(points: Floats, masks: Integers, ignore: Integers) -> Queries:
    """Return points (n, 2) as queries."""
    records = np.zeros((len(points), rec.POINTS + rec.STRIDE))
    records[:, rec.COUNT] = 1.0
    records[:, rec.X : rec.Y + 1] = points
    return Queries(records.reshape(-1), records.shape[1] * np.arange(len(points)), masks, ignore)


def offsets_of(queries: Integers, count: int) -> Integers:
    """Return where the answers of each of `count` queries begin, and where the last one's end."""
    return np.append(0, np.cumsum(np.bincount(queries, minlength=count)))


def first_hits_of_points(
    tree: Tree,
    grid: Grid | None,
    origins: Floats,
    motions: Floats,
    masks: Integers,
    ignore: Integers,
    threads: int,
) -> RayHitColumns:
    """Return what each ray meets first, by walking through a grid if there is one."""

    def pairs(queries: Integers, slots: Integers) -> Rows:
        few = queries_of_points(origins[queries], masks, ignore)
        return Rows(few.records, few.starts, tree.records, tree.starts[slots])

    if grid is None:
        ask = partial(first_hits_of_rays, tree, origins, motions, masks, ignore)
    else:
        ask = partial(first_hits_of_rays_on_grid, tree, grid, origins, motions, masks, ignore)
    slots, found = _first_hits(tree, ask, pairs, motions, True, threads)
    distances = np.empty(slots.size)
    finish_rays(tree, origins, motions, found.fraction, found.point, distances, slots)
    return RayHitColumns(found.hit, found.fraction, distances, found.point, found.normal, slots, found.overlapping)


def first_hits_of_shapes(tree: Tree, asked: Queries, motions: Floats, threads: int) -> tuple[Integers, HitColumns]:
    """Return the slot that each moving shape meets first, -1 for none, and the hits."""
    ask = partial(first_hits_of_movers, tree, asked.records, asked.starts, motions, asked.masks, asked.ignore)
    return _first_hits(tree, ask, partial(asked.pairs, tree), motions, False, threads)


def _first_hits(
    tree: Tree,
    ask: Callable[..., tuple[int, int]],
    pairs: Callable[[Integers, Integers], Rows],
    motions: Floats,
    ray: bool,
    threads: int,
) -> tuple[Integers, HitColumns]:
    n = len(motions)
    slots, overlapping = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.bool_)
    fractions, normals, points = np.empty(n), np.empty((n, 2)), np.empty((n, 2))
    doubts: list[Found] = []

    def work(begin: int, end: int) -> None:
        room = DOUBTS
        while begin < end:
            doubted = Found(np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64))
            came_to, count = ask(begin, end, slots, fractions, normals, points, overlapping, *doubted)
            doubts.append(Found(doubted.queries[:count], doubted.slots[:count]))
            room, begin = (room if came_to > begin else 4 * room), came_to

    in_parts(threads, n, work)
    found = HitColumns(slots >= 0, fractions, points, normals, overlapping)
    doubted = Found(*(np.concatenate(column) for column in zip(*doubts, strict=True))) if doubts else None
    if doubted is not None and doubted.queries.size:
        _choose(tree, pairs, motions, ray, doubted, slots, found)
    return slots, found


def _choose(
    tree: Tree,
    pairs: Callable[[Integers, Integers], Rows],
    motions: Floats,
    ray: bool,
    doubts: Found,
    slots: Integers,
    found: HitColumns,
) -> None:
    """Have undecided hits decided exactly, and put those that come first into the answers."""
    columns = hit_rows(pairs(*doubts), motions[doubts.queries], ray, 1)
    rows = tree.rows[doubts.slots]
    order = np.lexsort((rows, columns.fraction, doubts.queries))
    queries = doubts.queries[order]
    order = order[np.append(True, queries[1:] != queries[:-1])]  # the first of each query; a miss is at infinity
    at = doubts.queries[order]
    now, then = columns.fraction[order], found.fraction[at]
    before = (now == then) & ((slots[at] < 0) | (rows[order] < tree.rows[slots[at]]))
    better = columns.hit[order] & ((now < then) | before)
    order, at = order[better], at[better]
    slots[at] = doubts.slots[order]
    for kept, column in zip(found, columns, strict=True):
        kept[at] = column[order]


def first_hits_of_turning(
    where: str, tree: Tree, asked: Queries, motions: Floats, turns: Floats, pivots: Floats, threads: int
) -> tuple[Integers, HitColumns]:
    """Return the slot that each turning shape meets first, -1 for none, and the hits."""
    n = asked.starts.size
    boxes = boxes_of_turning(asked.records, asked.starts, motions, pivots)
    ask = partial(candidates_of_paths, tree, boxes, motions, asked.masks)

    def decide(found: Found) -> tuple[Found, HitColumns]:
        queries = found.queries
        columns = hits_of_turning_rows(asked.pairs(tree, *found), motions[queries], turns[queries], pivots[queries], 1)
        order = np.lexsort((tree.rows[found.slots], columns.fraction, queries))
        order = order[columns.hit[order]]
        queries = queries[order]
        order = order[np.append(True, queries[1:] != queries[:-1])[: order.size]]
        kept: list[Any] = [column[order] for column in columns]
        return Found(found.queries[order], found.slots[order]), HitColumns(*kept)

    slots, hit, overlapping = np.full(n, -1), np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    columns = HitColumns(hit, np.full(n, math.inf), np.zeros((n, 2)), np.zeros((n, 2)), overlapping)
    for first, hits in _in_turn(where, tree, asked, ask, decide, threads):
        slots[first.queries] = first.slots
        for column, values in zip(columns, hits, strict=True):
            column[first.queries] = values
    return slots, columns


def all_hits(where: str, tree: Tree, asked: Queries, motions: Floats, threads: int) -> tuple[Found, HitColumns]:
    """Return all hits of rays, in ascending order of (ray, fraction, row number)."""
    boxes = boxes_of(asked.records, asked.starts)
    ask = partial(candidates_of_paths, tree, boxes, motions, asked.masks)

    def decide(found: Found) -> tuple[Found, HitColumns]:
        columns = hit_rows(asked.pairs(tree, *found), motions[found.queries], True, 1)
        order = np.lexsort((tree.rows[found.slots], columns.fraction, found.queries))
        order = order[columns.hit[order]]
        kept: list[Any] = [column[order] for column in columns]
        return Found(found.queries[order], found.slots[order]), HitColumns(*kept)

    parts = _in_turn(where, tree, asked, ask, decide, threads)
    found = Found(*(np.concatenate(column) for column in zip(*(part[0] for part in parts), strict=True)))
    columns: list[Any] = [np.concatenate(column) for column in zip(*(part[1] for part in parts), strict=True)]
    return found, HitColumns(*columns)


def near(where: str, tree: Tree, asked: Queries, within: Floats, inclusive: bool, threads: int) -> Found:
    """Return the pairs of query and slot no farther apart than `within`, in ascending order of (query, row number)."""
    boxes = boxes_of(asked.records, asked.starts)
    ask = partial(candidates_of_boxes, tree, boxes, within, asked.masks)

    def measure(found: Found) -> Found:
        gaps, limits = separation_of_rows(asked.pairs(tree, *found), 1), within[found.queries]
        kept = gaps <= limits if inclusive else gaps < limits
        return _in_order(tree, found.queries[kept], found.slots[kept])

    parts = _in_turn(where, tree, asked, ask, measure, threads)
    return Found(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def touching(where: str, tree: Tree, asked: Queries, inclusive: bool, threads: int) -> tuple[Integers, Integers]:
    """Return where each query's rows begin, (n + 1,), and the rows that it touches, ascending."""
    n, most = asked.starts.size, 0 if inclusive else -1
    counts = np.empty(n, dtype=np.int64)
    answer = Answers(where, ROW_BYTES, n)

    def work(begin: int, end: int) -> None:
        room = max(256, 4 * (end - begin))
        while begin < end:
            slots = np.empty(room, dtype=np.int64)
            came_to, count = touching_of_shapes(tree, *asked, most, begin, end, counts, slots)
            if came_to > begin:
                answer.keep(begin, came_to, count, slots[:count].copy() if 2 * count < room else slots[:count])
            else:
                answer.check(room, begin + 1)
                room *= 4
            begin = came_to

    in_parts(threads, n, work)
    slots = np.concatenate([np.empty(0, dtype=np.int64), *answer.in_order()])
    undecided = slots < 0
    if undecided.any():
        slots = np.where(undecided, -1 - slots, slots)
        queries = np.repeat(np.arange(n), counts)
        kept = ~undecided
        kept[undecided] = sides_of_rows(asked.pairs(tree, queries[undecided], slots[undecided]), 1) <= most
        slots, counts = slots[kept], np.bincount(queries[kept], minlength=n)
    offsets = np.append(0, np.cumsum(counts))
    rows = tree.rows[slots]
    sort_lists(offsets, rows)
    return offsets, rows


def _in_order(tree: Tree, queries: Integers, slots: Integers) -> Found:
    """Return pairs in ascending order of (query, row number)."""
    # One number for each pair: far quicker to sort than two.
    keys = queries * (int(tree.rows.max()) + 1) + tree.rows[slots]
    if not (keys[1:] < keys[:-1]).any():
        return Found(queries, slots)
    order = np.argsort(keys)
    return Found(queries[order], slots[order])


def _in_turn(
    where: str,
    tree: Tree,
    asked: Queries,
    ask: Callable[..., tuple[int, int]],
    decide: Callable[[Found], Answer],
    threads: int,
) -> list[Answer]:
    """Return what is decided about the candidates, in the order of the queries, a bounded number at a time."""
    answer = Answers(where, HIT_BYTES, asked.starts.size)

    def work(begin: int, end: int) -> None:
        room = min(ROOM, 256 + 16 * (end - begin))
        while True:
            found = Found(np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64))
            came_to, count = ask(begin, end, *found)
            if came_to == begin < end:
                answer.check(room, begin + 1)
                room *= 4
                continue
            found = Found(found.queries[:count], found.slots[:count])
            if asked.ignore.shape[1]:
                kept = (asked.ignore[found.queries] != tree.rows[found.slots][:, None]).all(axis=1)
                found = Found(found.queries[kept], found.slots[kept])
            decided = decide(found)
            answer.keep(begin, came_to, _count_of(decided), decided)
            begin = came_to
            if begin >= end:
                return

    in_parts(threads, asked.starts.size, work)
    return answer.in_order()


def _count_of(decided: Any) -> int:
    """Return how many pairs were found: `Found`, or `Found` and their hits."""
    found = decided if isinstance(decided, Found) else decided[0]
    return int(found.queries.size)


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
        found = near(where, tree, some, np.minimum(limits, within), True, threads)
        exact = np.maximum(separation_of_rows(some.pairs(tree, *found), threads), 0.0)
        order = np.lexsort((tree.rows[found.slots], exact, found.queries))
        queries = found.queries[order]
        place = np.arange(order.size) - offsets_of(queries, again.size)[queries]
        slots[again], distances[again] = -1, math.inf
        order, queries, place = order[place < k], queries[place < k], place[place < k]
        slots[again[queries], place], distances[again[queries], place] = found.slots[order], exact[order]
    return slots, distances
