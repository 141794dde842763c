"""The pairs of owners of which a row of one touches, or is near, a row of the other: each pair of things once.

In: sets of shapes with the owner of each row. Out: pairs of owners in no promised order, each once. World frame, user's
units.

Boxes around all rows of an owner tell which owners may meet. Of such a pair, trees over the rows of both name the pairs
of rows whose boxes meet, a few at first; only where none of them touches, the walk goes on for more. So two regions
with a long common border are settled by the first rows that touch, whatever the number of their parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers, Rows32
from carom.broad.all_pairs import Boxes, Candidates, all_pairs, measured
from carom.broad.blocks import ordered
from carom.broad.find_pairs import AT_ONCE, NOTHING, Search, Side, decided, find_pairs, meeting
from carom.narrow.compound.part_tree import (
    DEPTH,
    Parts,
    children_of,
    fit,
    gap_between,
    node_box,
    part_of,
    plant,
    root_of,
    splits_first,
)
from carom.shapes.set_rows import owner_of
from carom.tolerances import CULL_ULPS, EPSILON

FIRST = 2
"""Pairs of rows of each pair of owners that are decided first: most owners whose boxes meet do touch."""

MORE = 4
"""Times as many are decided each time that none of those before touches."""


class Owners(NamedTuple):
    """The rows of each owner of a set, in the order of owners."""

    side: Side
    numbers: Integers
    """(n,) of each owner, ascending"""
    first: Integers
    """(n + 1,) its first row"""

    @property
    def rows(self) -> int:
        """How many owners there are."""
        return len(self.numbers)

    def part(self, begin: int, end: int) -> Owners:
        """Return the owners from the place `begin` up to `end`."""
        first = self.first[begin : end + 1]
        return Owners(self.side.part(int(first[0]), int(first[-1])), self.numbers[begin:end], first - first[0])


def owners_of(side: Side) -> Owners:
    """Return the owners of a set."""
    owner = owner_of(side.shapes._proxies)
    if (owner[1:] < owner[:-1]).any():
        order = np.argsort(owner, kind="stable")
        owner = owner[order]
        layers, masks = (column if column is None else column[order] for column in (side.layers, side.masks))
        side = Side(side.shapes[order], layers, masks, None)
    numbers, first = np.unique(owner, return_index=True)
    return Owners(side, numbers, np.append(first, owner.size))


@kernel
def _plant(buffer: Floats, starts: Integers, first: Integers, out_nodes: Integers) -> None:
    for owner in range(first.shape[0] - 1):
        begin, end = first[owner], first[owner + 1]
        plant(buffer, starts[begin:end], out_nodes[2 * begin - owner : 2 * end - owner - 1])


def parts_of(owners: Owners) -> Parts:
    """Return the rows of owners with a tree for each owner."""
    buffer, starts, count = owners.side.shapes._buffer, owners.side.shapes._starts, owners.rows
    nodes = np.empty((2 * starts.size - count, 2), dtype=np.int64)
    _plant(buffer, starts, owners.first, nodes)
    boxes = np.empty((len(nodes), 4))
    fit(buffer, starts, owners.first, nodes, boxes)
    return Parts(buffer, starts, owners.first, nodes, boxes)


def _boxes_of(parts: Parts, reach: float) -> Boxes:
    """Return the boxes around owners, grown by half the reach."""
    first = parts.first[:-1]
    return measured(
        parts.boxes[2 * first - np.arange(first.size)] + (-0.5 * reach, -0.5 * reach, 0.5 * reach, 0.5 * reach)
    )


@kernel
def _near_rows(
    a: Parts,
    b: Parts,
    pairs: tuple[Rows32, Rows32],
    which: Integers,
    reach: float,
    skip: int,
    room: int,
    out: tuple[Integers, Rows32, Rows32],
    out_more: Booleans,
) -> int:
    """Write pairs of rows whose boxes are within reach: of each chosen pair of owners `room` after the first `skip`.

    Return how many there are; `out_more` tells which pairs of owners may have more of them.
    """
    first, second = pairs
    out_pair, out_a, out_b = out
    waiting = np.empty((DEPTH, 2), dtype=np.int64)
    count = 0
    for k in range(which.shape[0]):
        body_a, body_b = first[which[k]], second[which[k]]
        node_a, node_b = root_of(a, body_a), root_of(b, body_b)
        waiting[0, 0], waiting[0, 1] = node_a, node_b
        left, found = int(gap_between(node_box(a, node_a), node_box(b, node_b)) <= reach), 0
        while left > 0 and found < skip + room:
            left -= 1
            node_a, node_b = waiting[left, 0], waiting[left, 1]
            part_a, part_b = part_of(a, body_a, node_a), part_of(b, body_b, node_b)
            if part_a >= 0 and part_b >= 0:
                if found >= skip:
                    out_pair[count], out_a[count], out_b[count] = which[k], part_a, part_b
                    count += 1
                found += 1
                continue
            one_a, other_a, one_b, other_b = node_a, node_a, node_b, node_b
            if splits_first(a, part_a, node_a, b, part_b, node_b):
                one_a, other_a = children_of(a, body_a, node_a)
            else:
                one_b, other_b = children_of(b, body_b, node_b)
            one = gap_between(node_box(a, one_a), node_box(b, one_b))
            other = gap_between(node_box(a, other_a), node_box(b, other_b))
            # The children that overlap deeper are looked at first.
            if one > other:
                one, other, one_a, other_a, one_b, other_b = other, one, other_a, one_a, other_b, one_b
            if other <= reach:
                waiting[left, 0], waiting[left, 1] = other_a, other_b
                left += 1
            if one <= reach:
                waiting[left, 0], waiting[left, 1] = one_a, one_b
                left += 1
        out_more[k] = left > 0
    return count


def owners_that_meet(
    search: Search, one: tuple[Owners, Parts], other: tuple[Owners, Parts], pairs: tuple[Rows32, Rows32]
) -> Booleans:
    """Tell of which pairs of places of owners a row of one makes a pair with a row of the other."""
    (a, parts), (second, others), reach = one, other, reach_of(search)
    met, left = np.zeros(pairs[0].size, np.bool_), np.arange(pairs[0].size)
    skip, room = 0, FIRST
    while left.size:
        on = []
        for begin in range(0, left.size, AT_ONCE // room):
            which = left[begin : begin + AT_ONCE // room]
            size, more = which.size * room, np.empty(which.size, np.bool_)
            rows = np.empty(size, np.int64), np.empty(size, np.int32), np.empty(size, np.int32)
            count = _near_rows(parts, others, pairs, which, reach, skip, room, rows, more)
            whose, i, j = rows[0][:count], rows[1][:count], rows[2][:count]
            kept = meeting(a.side, second.side, i, j)
            if kept is not None:
                whose, i, j = whose[kept], i[kept], j[kept]
            met[whose[decided(search, a.side.shapes, second.side.shapes, i, j)]] = True
            on.append(which[more & ~met[which]])
        left = np.concatenate(on)
        skip, room = skip + room, min(MORE * room, AT_ONCE)
    return met


def reach_of(search: Search) -> float:
    """Return how far apart boxes of a pair may be: a separation is rounded, by the size of the shapes and its own."""
    return search.distance * (1.0 + CULL_ULPS * EPSILON)


def find_owner_pairs(search: Search, a: Owners, b: Owners | None, most: int | None) -> Candidates | None:
    """Return the pairs of places of owners in no promised order, or None if the boxes of more than `most` overlap.

    Raises
    ------
    MemoryError
        If the pairs of owners whose boxes overlap would not fit into memory.
    """
    second = a if b is None else b
    if not a.rows or not second.rows:
        return NOTHING
    parts = parts_of(a)
    others = parts if b is None else parts_of(b)
    reach = reach_of(search)
    mine, theirs = _boxes_of(parts, reach), None if b is None else _boxes_of(others, reach)
    near = all_pairs(search.where, mine, theirs, most, method=search.method, threads=search.threads)
    if near is None:
        return None
    met = owners_that_meet(search, (a, parts), (second, others), (near.first, near.second))
    return Candidates(near.first[met], near.second[met], near.plan)


class Found(NamedTuple):
    """The owners of one side or two, and the pairs of places of them in order: all of them, or blocks of a size."""

    a: Owners
    b: Owners
    places: Rows32 | Iterator[Rows32]

    def named(self, places: Rows32) -> Rows32:
        """Return pairs of owners by their numbers."""
        columns = self.a.numbers[places[:, 0]], self.b.numbers[places[:, 1]]
        return np.column_stack(columns).astype(np.int32)


def owner_places(search: Search, first: Side, second: Side | None, size: int | None) -> Found:
    """Return the pairs of owners of one side or two, by their places."""
    a = owners_of(first)
    b = None if second is None else owners_of(second)
    return Found(a, a if b is None else b, ordered(partial(find_owner_pairs, search), a, b, size))


def owner_pairs(search: Search, first: Side, second: Side | None, size: int | None) -> Rows32 | Iterator[Rows32]:
    """Return the pairs of owners of one side or two in order: all of them, or blocks of a size."""
    sides = [owner_of(side.shapes._proxies) for side in ((first,) if second is None else (first, second))]
    if all((owner[1:] > owner[:-1]).all() for owner in sides):  # each row is a thing of its own
        rows = ordered(partial(find_pairs, search), first, second, size)
        numbers, others = sides[0], sides[-1]

        def named(some: Rows32) -> Rows32:
            return np.column_stack((numbers[some[:, 0]], others[some[:, 1]])).astype(np.int32)

        return named(rows) if isinstance(rows, np.ndarray) else map(named, rows)
    found = owner_places(search, first, second, size)
    return found.named(found.places) if isinstance(found.places, np.ndarray) else map(found.named, found.places)
