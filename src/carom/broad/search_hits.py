"""Hits of rays and moving shapes on the shapes of a tree: the first of each, or all of a ray in order.

In: a tree, its grid, and checked arrays, one row a query. Out: slots and hits, in the promised order. Where a hit lies
inside the error bound it is decided exactly, by the same code as a single pair, before it is compared.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from carom._core.types import Floats, Integers
from carom.broad.answers import HIT_BYTES, Answers, Found, in_turn, room_for_candidates
from carom.broad.queries import Queries
from carom.broad.tree import Tree
from carom.broad.tree_circles import boxes_of, boxes_of_turning
from carom.broad.tree_grid import Grid
from carom.broad.tree_hits import finish_rays, first_hits
from carom.broad.tree_regions import candidates_of_paths
from carom.narrow.cast import HitColumns, RayHitColumns, hit_rows, hits_of_turning_rows

DOUBTS = 1 << 10
"""Room for undecided hits at first."""


def first_hits_of_rays(
    where: str, tree: Tree, grid: Grid, asked: Queries, motions: Floats, threads: int
) -> RayHitColumns:
    """Return the first hit of each ray, by walking through the grid if there is one."""
    slots, found = first_hits_of_queries(where, tree, grid, asked, motions, threads)
    distances = np.empty(slots.size)
    finish_rays(tree, asked.points, motions, found.fraction, found.point, distances, slots)
    return RayHitColumns(found.hit, found.fraction, distances, found.point, found.normal, slots, found.overlapping)


def first_hits_of_queries(
    where: str, tree: Tree, grid: Grid, asked: Queries, motions: Floats, threads: int
) -> tuple[Integers, HitColumns]:
    """Return the slot that each ray or moving shape meets first, -1 for none, and the hits."""
    slots, hits = _no_hits(len(motions))

    def ask(begin: int, end: int, *undecided: Integers) -> tuple[int, int]:
        return first_hits(tree, grid, asked, motions, begin, end, slots, hits, *undecided)

    answers = Answers(where, HIT_BYTES, len(motions))
    queries, candidates = in_turn(answers, len(motions), lambda _: DOUBTS, 2, ask, Found, threads)
    if queries.size:
        found = hit_rows(asked.pairs(tree, queries, candidates), motions[queries], len(asked.points) > 0, 1)
        at, exact, *columns = _hits_in_order(tree, queries, candidates, found, True)
        now, then = columns[1], hits.fraction[at]
        better = (now < then) | ((now == then) & ((slots[at] < 0) | (tree.rows[exact] < tree.rows[slots[at]])))
        slots[at[better]] = exact[better]
        for column, exactly in zip(hits, columns, strict=True):
            column[at[better]] = exactly[better]
    return slots, hits


def first_hits_of_turning(
    where: str, tree: Tree, asked: Queries, motions: Floats, turns: Floats, pivots: Floats, threads: int
) -> tuple[Integers, HitColumns]:
    """Return the slot that each turning shape meets first, -1 for none, and the hits."""
    boxes = boxes_of_turning(asked.records, asked.starts, motions, pivots)

    def decide(queries: Integers, candidates: Integers) -> list[Any]:
        pairs, turned = asked.pairs(tree, queries, candidates), (turns[queries], pivots[queries])
        found = hits_of_turning_rows(pairs, motions[queries], *turned, 1)
        return _hits_in_order(tree, queries, candidates, found, True)

    ask, answers = partial(candidates_of_paths, tree, asked, boxes, motions), Answers(where, HIT_BYTES, len(motions))
    return _filled(len(motions), *in_turn(answers, len(motions), room_for_candidates, 2, ask, decide, threads))


def first_of_each(
    count: int, tree: Tree, queries: Integers, slots: Integers, found: HitColumns
) -> tuple[Integers, HitColumns]:
    """Return the first slot of each query, -1 for none, and its hit, from pairs of query and slot with their hits."""
    return _filled(count, *_hits_in_order(tree, queries, slots, found, True))


def _filled(count: int, at: Integers, first: Integers, *columns: Any) -> tuple[Integers, HitColumns]:
    """Return the slots and hits of all queries from those of some."""
    slots, hits = _no_hits(count)
    slots[at] = first
    for column, found in zip(hits, columns, strict=True):
        column[at] = found
    return slots, hits


def all_hits(where: str, tree: Tree, asked: Queries, motions: Floats, threads: int) -> tuple[Found, HitColumns]:
    """Return all hits of rays, in ascending order of (ray, fraction, row number)."""
    boxes = boxes_of(asked.records, asked.starts)

    def decide(queries: Integers, candidates: Integers) -> list[Any]:
        found = hit_rows(asked.pairs(tree, queries, candidates), motions[queries], True, 1)
        return _hits_in_order(tree, queries, candidates, found, False)

    ask, answers = partial(candidates_of_paths, tree, asked, boxes, motions), Answers(where, HIT_BYTES, len(motions))
    queries, slots, *columns = in_turn(answers, len(motions), room_for_candidates, 2, ask, decide, threads)
    return Found(queries, slots), HitColumns(*columns)


def _no_hits(count: int) -> tuple[Integers, HitColumns]:
    """Return the slots and hits of queries that hit nothing."""
    hit, overlapping = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    hits = HitColumns(hit, np.full(count, math.inf), np.zeros((count, 2)), np.zeros((count, 2)), overlapping)
    return np.full(count, -1), hits


def _hits_in_order(tree: Tree, queries: Integers, slots: Integers, found: HitColumns, first_only: bool) -> list[Any]:
    """Return the queries, slots and columns of hits alone, in ascending order of (query, fraction, row number)."""
    order = np.lexsort((tree.rows[slots], found.fraction, queries))
    order = order[found.hit[order]]
    if first_only:
        ordered = queries[order]
        order = order[np.append(True, ordered[1:] != ordered[:-1])[: order.size]]
    return [column[order] for column in (queries, slots, *found)]
