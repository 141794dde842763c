"""Questions to an index in which shapes of several parts count as one: asked by a Compound, or with rows of one thing.

In: the slots of an index, a Compound and its motions, or rows and the thing that each belongs to. Out: rows, distances
and hits of the whole: the same as if each row had been asked with the verbs for pairs. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from carom._core.types import Floats, Integers
from carom.broad.by_row import ByRow
from carom.broad.queries import Queries, shape_queries
from carom.broad.search_hits import first_of_each
from carom.broad.search_rows import near, nearest, touched
from carom.broad.tree_slots import RowShapes, Slots
from carom.narrow.cast import HitColumns
from carom.narrow.verbs import cast, intersects
from carom.shapes.bounds import bounds
from carom.shapes.compound import Compound
from carom.shapes.hull import hull
from carom.shapes.set import Shapes

ROOM = 1e-9
"""Of the numbers that make up a motion: more than rounding and the tolerance of a turning cast take."""

MORE = 4
"""Times as many rows are looked at, each time that those seen belong to too few things."""

Search = Callable[[int], tuple[Integers, Floats]]
"""Returns so many nearest rows of each query, -1 where there are fewer, and their distances: (n, k) each."""


def part_queries(whole: Compound, masks: Integers, ignore: Integers) -> Queries:
    """Return the parts of a Compound as queries, each with the mask and the ignored rows of the whole."""
    starts = whole._made.starts
    count = starts.size
    return shape_queries(whole._records(), starts, np.repeat(masks, count), np.repeat(ignore, count, axis=0))


def rows_of_whole(
    where: str, slots: Slots, shapes: RowShapes, whole: Compound, asked: Queries, within: float, inclusive: bool, n: int
) -> Integers:
    """Return the rows that a Compound, asked by its parts, touches or lies within a distance of, ascending."""
    grid, tree = slots.prepare(1.0), slots.tree
    if within > 0.0:
        limits = np.full(asked.starts.size, within)
        return np.unique(tree.rows[near(where, tree, grid, asked, limits, inclusive, n).slots])
    rows = np.unique(touched(where, tree, slots.slot_of, grid, asked, True, n)[1])
    if inclusive or not rows.size:
        return rows
    # A point between flush parts touches both, and overlaps the whole.
    kept: Integers = rows[intersects(whole, shapes.of(rows), touching=False)]
    return kept


def nearest_rows(where: str, slots: Slots, asked: Queries, limit: float, n: int) -> Search:
    """Return the search for rows nearest to queries."""

    def search(count: int) -> tuple[Integers, Floats]:
        found, apart = nearest(where, slots.tree, asked, count, limit, n)
        return np.where(found >= 0, slots.tree.rows[found], -1), apart

    return search


def nearest_to_any(search: Search) -> Search:
    """Return the search for rows nearest to any of the queries of another: one query."""

    def merged(count: int) -> tuple[Integers, Floats]:
        rows, apart = (column.reshape(-1) for column in search(count))
        order = np.lexsort((rows, apart))
        order = order[rows[order] >= 0]
        _, first = np.unique(rows[order], return_index=True)
        order = order[np.sort(first)][:count]
        found, distances = np.full((1, count), -1), np.full((1, count), math.inf)
        found[0, : order.size], distances[0, : order.size] = rows[order], apart[order]
        return found, distances

    return merged


def nearest_things(search: Search, k: int, owner: ByRow, most: int) -> tuple[Integers, Floats]:
    """Return the nearest row of each of the k nearest things, (n, k), of `most` rows that there are."""
    count = min(k, most)
    while True:
        rows, apart = search(max(count, 1))
        n, seen = rows.shape
        thing = np.where(rows >= 0, owner[rows], -1)
        key = np.arange(n)[:, None] * (int(owner.values.max(initial=0)) + 2) + thing + 1
        _, first = np.unique(key, return_index=True)
        fresh = np.zeros(n * seen, dtype=np.bool_)
        fresh[first] = True
        fresh = fresh.reshape(n, seen) & (rows >= 0)
        if count >= most or ((fresh.sum(axis=1) >= k) | (rows[:, -1] < 0)).all():
            break
        count = min(MORE * count, most)
    query, place = np.nonzero(fresh)
    rank = np.cumsum(fresh, axis=1)[query, place] - 1
    query, place, rank = (column[rank < k] for column in (query, place, rank))
    found, distances = np.full((n, k), -1), np.full((n, k), math.inf)
    found[query, rank], distances[query, rank] = rows[query, place], apart[query, place]
    return found, distances


def first_hits_of_whole(
    where: str,
    slots: Slots,
    shapes: RowShapes,
    whole: Compound,
    motions: Floats,
    turns: Floats,
    pivots: Floats,
    filters: tuple[Integers, Integers],
    n: int,
) -> tuple[Integers, HitColumns]:
    """Return the slot that a Compound hits first in each of some motions, -1 for none, and the hits."""
    swept, room = _swept(whole, motions, turns, pivots)
    grid, tree = slots.prepare(len(motions)), slots.tree
    asked = shape_queries(swept._buffer, swept._starts, *filters)
    queries, found = near(where, tree, grid, asked, room, True, n)
    rows, place = np.unique(tree.rows[found], return_inverse=True)
    others = shapes.of(rows)[place.reshape(-1)]
    turning: dict[str, Any] = {"rotation": turns[queries], "pivot": pivots[queries]} if turns.any() else {}
    hits = cast(whole, others, motions[queries], threads=n, **turning)
    return first_of_each(len(motions), tree, queries, found, hits)


def _swept(whole: Compound, motions: Floats, turns: Floats, pivots: Floats) -> tuple[Shapes, Floats]:
    """Return a shape around all that a Compound passes in each motion, and how far beyond rounding may take it."""
    x0, y0, x1, y1 = bounds(whole)
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    found, room = [], np.empty(len(motions))
    for row, (motion, turn, pivot) in enumerate(zip(motions, turns.tolist(), pivots, strict=True)):
        lever = np.hypot(*(corners - pivot).T).max() if turn else 0.0
        around = pivot + lever * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) if turn else corners
        found.append(hull(np.concatenate((around, around + motion))))
        largest = np.abs(corners).max() + np.abs(motion).max() + lever
        room[row] = ROOM * largest
    return Shapes(found), room
