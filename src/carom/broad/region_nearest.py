"""The k owners nearest to others, by the edges of polygons: without convex parts.

In: a set that has its polygons by their edges, and shapes that ask. Out: for each owner of these the k nearest ones
with their distances, in ascending order of (distance, owner), the same as by all rows; or None where rows have to be
asked. World frame, user's units.

A tree over the boxes of things names those that may be nearest; the distance of edges decides (`narrow.region_gap`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.broad.by_row import ByRow
from carom.broad.queries import Queries
from carom.broad.region_pairs import Edged, edged
from carom.broad.things import Search, nearest_things
from carom.broad.tree import BLOCK, CHILDREN, STACK, Tree, fill, first_leaf, order_of, push_child
from carom.broad.tree_nearest import LEAST_SQUARE, insert, square_gaps
from carom.narrow.region_gap import FARTHER, UNDECIDED, things_gap
from carom.shapes.outlines.sure_turns import SUMS
from carom.shapes.region_rows import regions_of_places
from carom.shapes.regions import Regions
from carom.shapes.set import Shapes
from carom.shapes.set_rows import inputs_of

AT_ONCE = 2**20
"""Places that are filed together: about 200 bytes each."""

ANSWERS_AT_ONCE = 2**20
"""Rows that are in memory together as the nearest of queries."""


class Around(NamedTuple):
    """The things of a set under a tree of their boxes."""

    things: Regions
    tree: Tree


def around(things: Regions) -> Around:
    """Return things under a tree; its rows are their numbers."""
    boxes = np.ascontiguousarray(things.bounds)
    rows = order_of(boxes)
    leaf = first_leaf(max(1, rows.size))
    nodes = leaf + max(1, (rows.size + CHILDREN - 1) // CHILDREN)
    tree_boxes, least = np.empty(nodes * BLOCK), np.empty(nodes, dtype=np.int64)
    fill(boxes[rows], rows, leaf, tree_boxes, least)
    nothing, none, bare = np.empty(0), np.empty(0, dtype=np.int64), np.empty((0, 4))
    return Around(things, Tree(tree_boxes, least, leaf, nothing, none, rows, none, bare, bare, nothing, none))


def has_edges(shapes: Shapes) -> bool:
    """Tell whether a set has its polygons by their edges."""
    return isinstance(shapes._things, Regions)


class Edges:
    """A set that has its polygons by their edges, with a tree over them from the first question on."""

    def __init__(self, shapes: Shapes, method: str) -> None:
        self.shapes, self.method = shapes, method
        self._around: Around | None = None

    @property
    def around(self) -> Around:
        """The things under their tree."""
        if self._around is None:
            assert isinstance(self.shapes._things, Regions)
            self._around = around(self.shapes._things)
        return self._around


def nearest_owners(near: Around, asking: Shapes, k: int, within: float, threads: int) -> tuple[Integers, Floats] | None:
    """Return for each owner of a set the k nearest owners, -1 where there are fewer, and their distances: (n, k)."""
    asked = edged(asking)
    if asked is None:
        return None
    if isinstance(asked.things, Regions):
        found = _nearest_of_things(near, asked.things, k, within, threads)
        return None if found is None else of_owners(*found, *askers(asked))
    parts = []
    for begin in range(0, len(asked.things), AT_ONCE):
        part = _nearest_of_things(near, regions_of_places(asked.things[begin : begin + AT_ONCE]), k, within, threads)
        if part is None:
            return None
        parts.append(part)
    owners, distances = (np.concatenate(column) for column in zip(*parts, strict=True))
    return of_owners(owners, distances, *askers(asked))


def askers(asked: Edged) -> tuple[Integers, int]:
    """Return the owner of each thing, and how many owners there are numbers for."""
    asker, things = np.repeat(asked.owners, np.diff(asked.first)), asked.things
    if isinstance(things, Regions):
        return asker, things.rings.inputs
    return asker, inputs_of(asked.shapes._proxies) if asked.shapes._things is None else len(things)


def _nearest_of_things(
    near: Around, asking: Regions, k: int, within: float, threads: int
) -> tuple[Integers, Floats] | None:
    """Return for each thing the k nearest owners and their distances; None where one distance is undecided."""
    count, owner = asking.rows, near.things.rings.owner
    slots, distances = np.empty((count, k), dtype=np.int64), np.empty((count, k))
    undecided = np.zeros(count, dtype=np.bool_)

    def work(begin: int, end: int) -> None:
        _nearest(near.tree, near.things, asking, within, begin, end, slots, distances, undecided)

    in_parts(threads, count, work)
    if undecided.any():
        return None
    return np.where(slots >= 0, owner[near.tree.rows[slots]], -1), distances


def of_owners(found: Integers, distances: Floats, asker: Integers, count: int) -> tuple[Integers, Floats]:
    """Return for each of `count` askers the k nearest of what was found for its parts, each once."""
    k = found.shape[1]
    if asker.size == count and (asker == np.arange(count)).all():
        return found, distances
    who, what, apart = np.repeat(asker, k), found.reshape(-1), distances.reshape(-1)
    order = np.lexsort((what, apart, who))
    order = order[what[order] >= 0]
    # Of each asker and what it found the first, which is the nearest; then the first k of each asker.
    _, first = np.unique(who[order] * (int(found.max(initial=0)) + 1) + what[order], return_index=True)
    order = order[np.sort(first)]
    place = np.arange(order.size) - np.searchsorted(who[order], who[order])
    order, place = order[place < k], place[place < k]
    owners, least = np.full((count, k), -1), np.full((count, k), math.inf)
    owners[who[order], place], least[who[order], place] = what[order], apart[order]
    return owners, least


def nearest_owners_of_rows(
    search: Callable[[Queries], Search], asked: Queries, k: int, owner: ByRow, most: int
) -> tuple[Integers, Floats]:
    """Return the same for each query, by the nearest of `most` rows; few at once where owners have many rows."""
    parts = int(np.bincount(owner.values[owner.values >= 0]).max(initial=1))
    at_once = max(1, ANSWERS_AT_ONCE // (k * parts))
    found = []
    for begin in range(0, max(1, asked.starts.size), at_once):
        some = asked.some(np.arange(begin, min(begin + at_once, asked.starts.size)))
        rows, distances = nearest_things(search(some), k, owner, most)
        found.append((np.where(rows >= 0, owner[rows], -1), distances))
    owners, least = (np.concatenate(column) for column in zip(*found, strict=True))
    return owners, least


@kernel
def _nearest(
    tree: Tree,
    things: Regions,
    asking: Regions,
    within: float,
    begin: int,
    end: int,
    out_slots: Integers,
    out_distances: Floats,
    out_undecided: Booleans,
) -> None:
    """Write for each thing the slots of the nearest owners, each once, -1 and infinity where there are no more.

    Nodes are looked at nearest first, and not at all once k owners are nearer than their box.
    """
    nodes, gaps, gap, h = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(CHILDREN), np.empty(SUMS)
    last, owner = out_slots.shape[1] - 1, things.rings.owner
    for query in range(begin, end):
        out_slots[query], out_distances[query] = -1, math.inf
        bounds = asking.bounds[query]
        box = bounds[0], bounds[1], bounds[2], bounds[3]
        farthest, farthest_thing = within, things.bounds.shape[0]
        nodes[0], gaps[0], count = 0, 0.0, 1
        while count > 0 and not out_undecided[query]:
            count -= 1
            node, limit = nodes[count], farthest * farthest * FARTHER + LEAST_SQUARE
            if gaps[count] > limit or (farthest == 0.0 and tree.least[node] > farthest_thing):
                continue
            square_gaps(tree, node, box, gap)
            base = count
            for c in range(CHILDREN):
                if gap[c] > limit or gap[c] == math.inf:
                    continue
                if node < tree.leaf:
                    push_child(tree, nodes, gaps, base, count, CHILDREN * node + 1 + c, gap[c])
                    count += 1
                    continue
                slot = CHILDREN * (node - tree.leaf) + c
                thing = tree.rows[slot]
                distance = things_gap(asking, query, things, thing, farthest, h)
                if distance == UNDECIDED:
                    out_undecided[query] = True
                if distance == UNDECIDED or distance == math.inf:
                    continue
                k = 0  # where its owner stands already, else the end
                while k < last and (out_slots[query, k] < 0 or owner[tree.rows[out_slots[query, k]]] != owner[thing]):
                    k += 1
                other = out_slots[query, k]
                before = out_distances[query, k]
                if distance < before or (distance == before and (other < 0 or thing < tree.rows[other])):
                    insert(out_distances, out_slots, tree.rows, query, k, distance, slot)
                    if out_slots[query, last] >= 0:
                        farthest, farthest_thing = out_distances[query, last], tree.rows[out_slots[query, last]]
                    limit = farthest * farthest * FARTHER + LEAST_SQUARE
