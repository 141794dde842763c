"""The pairs of owners that meet, decided by their edges where polygons are known by these: without convex parts.

In: two sets of shapes, or one, of which at least one has its polygons by their edges. Out: pairs of owners, each once,
the same as by all rows. World frame, user's units.

Boxes around the regions of each owner tell which may meet; the crossing test, or edges that meet, decide
(`narrow.region_touch`). A pair of which that cannot be told, since products could vanish or a distance is within
rounding of the one that is asked for, is decided by the rows of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers, Rows32
from carom.broad.all_pairs import Boxes, Candidates, all_pairs, measured
from carom.broad.blocks import ordered
from carom.broad.find_pairs import NOTHING, Search, Side
from carom.broad.owner_pairs import owners_of, owners_that_meet, parts_of, reach_of
from carom.narrow.region_touch import decide_points, decide_things
from carom.shapes.outlines.sure_turns import SUMS, UNSURE
from carom.shapes.proxy import KIND, POLYGON
from carom.shapes.region_rows import places_of_points, regions_of_rows
from carom.shapes.regions import Regions
from carom.shapes.set import Shapes
from carom.shapes.set_rows import owner_of
from carom.tolerances import CULL_SIZE

MORE_POLYGONS = 2
"""Times as many convex polygons as points up to which they are asked by their edges."""


class Edged(NamedTuple):
    """The things of a set, in the order of their owners: regions and lines by their edges, or points."""

    shapes: Shapes
    owners: Integers
    """(k,) of each owner, ascending"""
    first: Integers
    """(k + 1,) its first thing"""
    things: Regions | Floats

    @property
    def rows(self) -> int:
        """How many owners there are."""
        return len(self.owners)

    def part(self, begin: int, end: int) -> Edged:
        """Return the owners from the place `begin` up to `end`."""
        first = self.first[begin : end + 1]
        low, high = int(first[0]), int(first[-1])
        things = self.things[low:high] if isinstance(self.things, np.ndarray) else self.things.part(low, high)
        return Edged(self.shapes, self.owners[begin:end], first - low, things)

    @property
    def place(self) -> Rows32 | None:
        """For each thing the place of its owner; None where each has one thing."""
        if self.first[-1] == self.rows:
            return None
        return np.repeat(np.arange(self.rows, dtype=np.int32), np.diff(self.first))


def edged(shapes: Shapes) -> Edged | None:
    """Return the things of a set, or None where its rows have to be asked."""
    if isinstance(shapes._things, Regions):
        return _by_owners(shapes, shapes._things.rings.owner, shapes._things)
    if shapes._things is not None:
        return Edged(shapes, np.arange(len(shapes._things)), np.arange(len(shapes._things) + 1), shapes._things)
    owner = owner_of(shapes._proxies)
    if (owner[1:] < owner[:-1]).any():
        order = np.argsort(owner, kind="stable")
        shapes, owner = shapes[order], owner[order]
    places = places_of_points(shapes._proxies)
    things = regions_of_rows(shapes._proxies) if places is None else places
    return None if things is None else _by_owners(shapes, owner, things)


def _by_owners(shapes: Shapes, owner: Integers, things: Regions | Floats) -> Edged:
    new = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])[: owner.size])
    return Edged(shapes, owner[new], np.append(new, owner.size), things)


def _by_edges(first: Shapes, second: Shapes | None) -> bool:
    """Tell whether polygons are known by their edges, or many points are asked about polygons."""
    if isinstance(first._things, Regions) or (second is not None and isinstance(second._things, Regions)):
        return True
    for points, others in () if second is None else ((first, second), (second, first)):
        if points._things is not None and others._things is None and len(others) <= MORE_POLYGONS * len(points._things):
            return bool((others._buffer[others._starts + KIND] == POLYGON).all())
    return False


def region_pairs(
    search: Search, first: Shapes, second: Shapes | None, size: int | None
) -> Rows32 | Iterator[Rows32] | None:
    """Return the pairs of owners in order, all or in blocks of a size; None where rows have to be asked."""
    if not search.touching or not _by_edges(first, second):
        return None
    a, b = edged(first), None if second is None else edged(second)
    if a is None or (second is not None and b is None):
        return None
    found = ordered(partial(find_region_pairs, search), a, b, size)
    owners, others = a.owners, (a if b is None else b).owners

    def named(places: Rows32) -> Rows32:
        return np.column_stack((owners[places[:, 0]], others[places[:, 1]])).astype(np.int32)

    return named(found) if isinstance(found, np.ndarray) else map(named, found)


def find_region_pairs(search: Search, a: Edged, b: Edged | None, most: int | None) -> Candidates | None:
    """Return the pairs of places of owners in no promised order, or None if more than `most` boxes overlap.

    Raises
    ------
    MemoryError
        If the pairs of things whose boxes overlap would not fit into memory.
    """
    second = a if b is None else b
    if not a.rows or not second.rows:
        return NOTHING
    mine, theirs = _boxes_of(search, a, second), None if b is None else _boxes_of(search, second, a)
    # Points ask: the second set is filed in cells, and points may crowd where regions do not.
    swapped = theirs is not None and isinstance(second.things, np.ndarray)
    if theirs is not None and swapped:
        mine, theirs = theirs, mine
    near = all_pairs(search.where, mine, theirs, most, method=search.method, threads=search.threads)
    if near is None:
        return None
    i, j = (near.second, near.first) if swapped else (near.first, near.second)
    one, other = (side.place[things] if side.place is not None else things for side, things in ((a, i), (second, j)))
    if b is None:
        kept = one != other
        i, j, one, other = i[kept], j[kept], one[kept], other[kept]
        one, other = np.minimum(one, other), np.maximum(one, other)
    answer = decided(search, a.things, second.things, i, j)
    yes, unsure = answer == 1, np.flatnonzero(answer == UNSURE)
    if unsure.size:
        yes[unsure] = _by_rows(search, a, second, one[unsure], other[unsure])
    one, other = one[yes], other[yes]
    if a.first[-1] > a.rows or second.first[-1] > second.rows:
        one, other = (column.astype(np.int32) for column in np.unique(np.stack((one, other), axis=1), axis=0).T)
    return Candidates(np.ascontiguousarray(one), np.ascontiguousarray(other), near.plan)


def _boxes_of(search: Search, side: Edged, other: Edged) -> Boxes:
    """Return the boxes around things, grown by half the distance and by what a separation may be rounded.

    Beside points, regions have the whole of it, which is less work where these are few.
    """
    if isinstance(side.things, np.ndarray):
        boxes = np.empty((len(side.things), 4))
        boxes[:, :2] = boxes[:, 2:] = side.things
        return measured(boxes)
    boxes = side.things.bounds
    if search.distance == 0.0:
        return measured(np.ascontiguousarray(boxes))
    share = 1.0 if isinstance(other.things, np.ndarray) else 0.5
    return measured(grown(boxes, share * reach_of(search)))


def grown(boxes: Floats, reach: float) -> Floats:
    """Return boxes grown by a distance, and by what a separation may be rounded."""
    extent = (boxes[:, 2:] - boxes[:, :2]).sum(axis=1) + CULL_SIZE * np.abs(boxes).max(axis=1, initial=0.0)
    room = (reach * (1.0 + CULL_SIZE) + CULL_SIZE * extent)[:, None]
    return np.hstack((boxes[:, :2] - room, boxes[:, 2:] + room))


def decided(search: Search, one: Regions | Floats, other: Regions | Floats, i: Rows32, j: Rows32) -> Integers:
    """Tell of each pair of things whether they meet: 1, 0 or UNSURE."""
    out, reach = np.zeros(i.size, dtype=np.int64), search.distance

    def decide(begin: int, end: int) -> None:
        some, h = slice(begin, end), np.empty(SUMS)
        if isinstance(one, np.ndarray):
            assert not isinstance(other, np.ndarray)
            decide_points(one, i[some], other, j[some], reach, h, out[some])
        elif isinstance(other, np.ndarray):
            decide_points(other, j[some], one, i[some], reach, h, out[some])
        else:
            decide_things(one, i[some], other, j[some], reach, h, out[some])

    in_parts(search.threads, i.size, decide)
    return out


def _by_rows(search: Search, a: Edged, b: Edged, i: Rows32, j: Rows32) -> Booleans:
    """Tell which pairs of owners meet, by the rows of these alone."""
    sides = []
    for side, places in ((a, i), (b, j)):
        wanted, numbers = np.unique(places, return_inverse=True)
        rows = np.isin(owner_of(side.shapes._proxies), side.owners[wanted])
        some = owners_of(Side(side.shapes[np.flatnonzero(rows)], None, None, None))
        sides.append(((some, parts_of(some)), numbers.astype(np.int32).reshape(-1)))
    (one, first), (other, second) = sides
    return owners_that_meet(search, one, other, (first, second))
