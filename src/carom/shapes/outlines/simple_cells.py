"""Many outlines at once into convex parts: those that floats prove to be simple.

In: outlines without holes, one behind the other. Out: the vertices of the convex parts of each that is surely simple,
the same parts as `convex_parts` finds; and which outlines are not: these go the way of `boundary` and `triangulate`.
Any frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.simple_rings import join_triangles, order_simple
from carom.shapes.outlines.triangulate import triangulate_float64, without_rounding

OTHER_STARTS = (4, 2, 6, 1, 5, 3, 7)
"""Eighths of the way round: where the library begins anew if its triangles give more parts than may be needed."""

MOST_TRIED = 40
"""Corners of an outline that is tried from other starts: seven more triangulations of a larger one would take long."""


class Cells(NamedTuple):
    """The convex parts of some outlines, each counter-clockwise."""

    corners: Integers
    """(c,) the vertex at each corner, as its number in the outline."""
    first: Integers
    """(parts + 1,) where each part's corners begin."""
    ring: Integers
    """(parts,) the outline of each."""
    kept: Booleans
    """(c,) whether the corner makes the part: others lie on its edges, exactly or within rounding, where parts meet."""


def cells_of(points: Floats, first: Integers) -> tuple[Cells, Booleans]:
    """Return the convex parts of outlines that are surely simple, and which are; `points` are turned in place.

    Parts fit along whole edges, and have corners of 180 degrees where others meet there.
    """
    count = first.size - 1
    simple, turned = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    inward, rank = np.zeros(count, dtype=np.int64), np.zeros(len(points), dtype=np.int64)
    if triangulate_float64 is not None:
        order_simple(points, first, simple, turned, inward, rank)
    sizes = np.diff(first)
    local = without_rounding(points, first)
    best = _cut(points, rank, local, first, simple, turned, 0)
    for eighths in OTHER_STARTS:
        parts = np.bincount(best.ring, minlength=count)
        again = simple & (sizes <= MOST_TRIED) & may_be_many(parts, inward)
        if not again.any():
            break
        best = _fewest(best, _cut(points, rank, local, first, again, turned, eighths), parts)
    return best, simple


def joined_cells(found: Sequence[Cells]) -> Cells:
    """Return the parts of several outlines as one table; `ring` numbers the outlines."""
    sizes = np.concatenate([np.diff(one.first) for one in found])
    return Cells(
        np.concatenate([one.corners for one in found]),
        np.append(0, np.cumsum(sizes)),
        np.repeat(np.arange(len(found)), [one.ring.size for one in found]),
        np.concatenate([one.kept for one in found]),
    )


def may_be_many(parts: Integers, inward: Integers) -> Booleans:
    """Tell which outlines may have more than one and a half times as many parts as they need.

    An edge between two parts ends at one inward corner or two, and each of these needs one.
    """
    many: Booleans = 2 * parts > 3 * ((inward + 1) // 2 + 1)
    return many


def _cut(
    points: Floats,
    rank: Integers,
    local: Floats,
    first: Integers,
    which: Booleans,
    turned: Booleans,
    eighths: int,
) -> Cells:
    """Return the convex parts of some outlines, triangulated from a start so far round; others leave `which`."""
    sizes = np.diff(first)
    asked = np.flatnonzero(which)
    found = []
    ends = np.empty(1, dtype=np.uint32)
    for ring, begin, size in zip(asked.tolist(), first[asked].tolist(), sizes[asked].tolist(), strict=True):
        ends[0], start = size, size * eighths // 8
        around = local[begin : begin + size]
        numbers = triangulate_float64(np.concatenate((around[start:], around[:start])) if start else around, ends)
        if numbers.size == 3 * (size - 2):
            found.append((numbers.astype(np.int64) + start) % size if start else numbers)
        else:
            which[ring] = False
    asked = np.flatnonzero(which)
    own = np.repeat(which, sizes)
    triangles = np.concatenate(found).astype(np.int64).reshape(-1, 3) if found else np.zeros((0, 3), dtype=np.int64)
    most, sure = 3 * len(triangles), np.zeros(asked.size, dtype=np.bool_)
    corners, cell_first, ring_of = (np.empty(most + 1, dtype=np.int64) for _ in range(3))
    starts = np.append(0, np.cumsum(sizes[asked]))
    kept = np.empty(most + 1, dtype=np.bool_)
    made = corners, kept, cell_first, ring_of, sure
    after, given = _round(starts, turned[asked])
    triangles_first = starts - 2 * np.arange(starts.size)
    cells = join_triangles(points[own], starts, after, given, rank[own], triangles, triangles_first, *made)
    which[asked[~sure]] = False
    used = int(cell_first[cells]) if asked.size else 0
    return Cells(corners[:used], cell_first[: cells + 1], asked[ring_of[:cells]], kept[:used])


def _round(first: Integers, turned: Booleans) -> tuple[Integers, Integers]:
    """Return for each corner of rings the one after it, and the number that the user knows it by."""
    sizes = np.diff(first)
    size = np.repeat(sizes, sizes)
    number = np.arange(first[-1]) - np.repeat(first[:-1], sizes)
    after, given = number + 1, np.where(np.repeat(turned, sizes) & (number > 0), size - number, number)
    after[first[1:] - 1] = 0
    return after, given


def _fewest(one: Cells, other: Cells, parts: Integers) -> Cells:
    """Return of each outline the cells of which there are fewer; `parts` tells how many there are of the first."""
    count = np.bincount(other.ring, minlength=parts.size)
    better = (count > 0) & (count < parts)
    chosen = np.concatenate((~better[one.ring], better[other.ring]))
    rings = np.concatenate((one.ring, other.ring))[chosen]
    order = np.argsort(rings, kind="stable")
    begins = np.concatenate((one.first[:-1], other.first[:-1] + one.corners.size))[chosen][order]
    lengths = np.concatenate((np.diff(one.first), np.diff(other.first)))[chosen][order]
    first = np.append(0, np.cumsum(lengths))
    places = np.repeat(begins - first[:-1], lengths) + np.arange(first[-1])
    corners, kept = np.concatenate((one.corners, other.corners)), np.concatenate((one.kept, other.kept))
    return Cells(corners[places], first, rings[order], kept[places])
