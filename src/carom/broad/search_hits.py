"""What rays and moving shapes hit: the first of all shapes of a tree, or all of them in order.

In: a tree, its grid, and checked arrays, one row a query. Out: slots and hits, in the promised order. Where a hit lies
inside the error bound it is decided exactly, by the same code as a single pair, before it is compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Floats, Integers
from carom.broad.queries import Found, Queries, in_turn, queries_of_points
from carom.broad.ray_grid import first_hits_of_rays
from carom.broad.tree import Tree
from carom.broad.tree_circles import boxes_of, boxes_of_turning
from carom.broad.tree_grid import Grid
from carom.broad.tree_hits import finish_rays, first_hits_of_movers
from carom.broad.tree_regions import candidates_of_paths
from carom.narrow.cast import HitColumns, hit_rows, hits_of_turning_rows
from carom.narrow.dispatch import Rows
from carom.narrow.ray import RayHitColumns

DOUBTS = 1 << 10
"""Room for undecided hits at first."""


def first_hits_of_points(
    tree: Tree,
    grid: Grid,
    origins: Floats,
    motions: Floats,
    masks: Integers,
    ignore: Integers,
    threads: int,
) -> RayHitColumns:
    """Return what each ray meets first, by walking through the grid if there is one."""

    def pairs(queries: Integers, slots: Integers) -> Rows:
        few = queries_of_points(origins[queries], masks, ignore)
        return Rows(few.records, few.starts, tree.records, tree.starts[slots])

    ask = partial(first_hits_of_rays, tree, grid, origins, motions, masks, ignore)
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
    for first, hits in in_turn(where, tree, asked, ask, decide, threads):
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

    parts = in_turn(where, tree, asked, ask, decide, threads)
    found = Found(*(np.concatenate(column) for column in zip(*(part[0] for part in parts), strict=True)))
    columns: list[Any] = [np.concatenate(column) for column in zip(*(part[1] for part in parts), strict=True)]
    return found, HitColumns(*columns)
