"""Regions and lines by their edges: what yes and no are asked of, without convex parts.

In: rings of points, one behind the other, and whose each is. Out: `Regions`, where the edges of each thing are filed in
slabs, so that few of them are looked at for a place. A slab is a strip of the plane between two lines x = c, or two
lines y = c, of equal widths; a thing has at most half as many as it has edges. Numbers are taken over as they are.
World frame, user's units.

A line through a thing crosses few of its edges, if it is not chosen badly: slabs lie along the axis that all edges
together go the shorter way along, in proportion to its extent. There are so many that an edge is filed about five times
at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.threads import at_once
from carom._core.types import Booleans, Floats, Integers, Rows32
from carom.tolerances import LEAST_EXTENT

FILED = 4.0
"""Times that an edge is filed beyond the first, at most, on average."""

LEAST_SHARE = 2**16
"""Points of the share of a thread at least."""

MOST_POINTS = 2**31 - 1
"""Of one set: the slabs name points by 32 bits."""


class Slabs(NamedTuple):
    """Which edges reach into which slabs."""

    axis: Integers
    """(n,) of each thing the axis along which its slabs follow each other: 0 for x, 1 for y."""
    low: Floats
    """(n,) where the first slab begins."""
    scale: Floats
    """(n,) slabs per length."""
    first: Integers
    """(n + 1,) the number of the first slab of each."""
    starts: Integers
    """(slabs + 1,) where the edges of each slab begin."""
    edges: Rows32
    """Edges, each named by the point where it begins."""


class Rings(NamedTuple):
    """Edges between points that follow each other, ring after ring, thing after thing."""

    points: Floats
    """(v, 2); a ring of a region ends with the point that it began with."""
    rings: Integers
    """(r + 1,) where the points of each ring begin."""
    first: Integers
    """(n + 1,) the first ring of each thing; of a region the one around it."""
    filled: Booleans
    """(n,) whether a thing is a region, and not points or lines."""
    owner: Integers
    """(n,) the input that each is of, ascending; one may have several."""
    inputs: int
    """How many inputs there were."""


class Regions(NamedTuple):
    """Things, their boxes and their slabs."""

    rings: Rings
    bounds: Floats
    """(n, 4)"""
    slabs: Slabs

    @property
    def rows(self) -> int:
        """How many things there are."""
        return len(self.bounds)

    def part(self, begin: int, end: int) -> Regions:
        """Return the things from `begin` up to `end`: windows on the same memory."""
        things, ends = slice(begin, end), slice(begin, end + 1)
        first, filled, owner = self.rings.first[ends], self.rings.filled[things], self.rings.owner[things]
        axis, low, scale, begins, starts, edges = self.slabs
        slabs = Slabs(axis[things], low[things], scale[things], begins[ends], starts, edges)
        return Regions(self.rings._replace(first=first, filled=filled, owner=owner), self.bounds[things], slabs)


def taken(rings: Rings, things: Integers) -> Rings:
    """Return some things, in that order."""
    ring_counts = np.diff(rings.first)[things]
    first = np.append(0, np.cumsum(ring_counts))
    of = np.repeat(rings.first[things] - first[:-1], ring_counts) + np.arange(first[-1])
    counts = np.diff(rings.rings)[of]
    begins = np.append(0, np.cumsum(counts))
    rows = np.repeat(rings.rings[of] - begins[:-1], counts) + np.arange(begins[-1])
    return Rings(rings.points[rows], begins, first, rings.filled[things], rings.owner[things], rings.inputs)


def joined(one: Rings, other: Rings) -> Rings:
    """Return the things of two tables of the same inputs, in the order of these."""
    both = Rings(
        np.concatenate((one.points, other.points)),
        np.append(one.rings[:-1], other.rings + one.rings[-1]),
        np.append(one.first[:-1], other.first + one.first[-1]),
        np.append(one.filled, other.filled),
        np.append(one.owner, other.owner),
        one.inputs,
    )
    return taken(both, np.argsort(both.owner, kind="stable"))


def filed(rings: Rings, threads: int = 1) -> Regions:
    """Return things with their edges in slabs."""
    count = rings.filled.size
    bounds, axis = np.empty((count, 4)), np.empty(count, dtype=np.int64)
    low, scale, first = np.empty(count), np.empty(count), np.zeros(count + 1, dtype=np.int64)

    def choose(begin: int, end: int) -> None:
        some, ends = slice(begin, end), slice(begin, end + 1)
        out = bounds[some], axis[some], low[some], scale[some], first[ends]
        _choose(rings.points, rings.rings, rings.first[ends], *out)

    in_shares(rings, threads, choose)
    np.cumsum(first, out=first)
    starts = np.zeros(int(first[-1]) + 1, dtype=np.int64)
    regions = Regions(rings, bounds, Slabs(axis, low, scale, first, starts, np.empty(0, np.int32)))

    def count_edges(begin: int, end: int) -> None:
        some = regions.part(begin, end)
        _count(rings.points, rings.rings, some.rings.first, some.slabs)

    in_shares(rings, threads, count_edges)
    np.cumsum(starts, out=starts)
    regions = regions._replace(slabs=regions.slabs._replace(edges=np.empty(int(starts[-1]), np.int32)))

    def file_edges(begin: int, end: int) -> None:
        some = regions.part(begin, end)
        _file(rings.points, rings.rings, some.rings.first, some.slabs)

    in_shares(rings, threads, file_edges)
    return regions


def in_shares(rings: Rings, threads: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(begin, end)`` for all things, in parts of about as many points each, at the same time."""
    parts = max(1, min(threads, len(rings.points) // LEAST_SHARE))
    begins = rings.rings[rings.first]
    ends = np.searchsorted(begins, np.arange(1, parts) * (len(rings.points) // parts))
    cuts = [0, *ends.tolist(), rings.filled.size]
    at_once(parts, lambda part, _: work(cuts[part], cuts[part + 1]))


@inner
def slab_of(slabs: Slabs, thing: int, place: float) -> int:
    """Return the slab of a thing at a coordinate along its axis; the outermost one for what is beyond.

    The number never falls as the coordinate grows, so an edge is in all slabs from that of one end to that of the
    other, and what lies between its ends is in one of these, whatever the rounding.
    """
    most = float(slabs.first[thing + 1] - slabs.first[thing] - 1)
    return int(slabs.first[thing]) + int(min(max((place - slabs.low[thing]) * slabs.scale[thing], 0.0), most))


@kernel
def _choose(
    points: Floats,
    rings: Integers,
    first: Integers,
    out_bounds: Floats,
    out_axis: Integers,
    out_low: Floats,
    out_scale: Floats,
    out_count: Integers,
) -> None:
    """Write the box of each thing, the axis of its slabs, where they are, and how many, one place further on."""
    for thing in range(out_axis.shape[0]):
        begin, end = rings[first[thing]], rings[first[thing + 1]]
        x, y = points[begin, 0], points[begin, 1]
        low_x, low_y, high_x, high_y, along_x, along_y = x, y, x, y, 0.0, 0.0
        for k in range(begin + 1, end):
            next_x, next_y = points[k, 0], points[k, 1]
            low_x, high_x, low_y, high_y = (
                min(low_x, next_x),
                max(high_x, next_x),
                min(low_y, next_y),
                max(high_y, next_y),
            )
            along_x, along_y = along_x + abs(next_x - x), along_y + abs(next_y - y)
            x, y = next_x, next_y
        out_bounds[thing, 0], out_bounds[thing, 1] = low_x, low_y
        out_bounds[thing, 2], out_bounds[thing, 3] = high_x, high_y
        width, height, edges = high_x - low_x, high_y - low_y, float(end - begin - 1)
        crossed_x = along_x / width if width > LEAST_EXTENT else edges
        crossed_y = along_y / height if height > LEAST_EXTENT else edges
        axis = 0 if crossed_x < crossed_y else 1
        extent = width if axis == 0 else height
        count = max(1.0, min(0.5 * edges, FILED * edges / max(min(crossed_x, crossed_y), 1.0)))
        if not extent > LEAST_EXTENT:
            count = 1.0
        out_axis[thing], out_low[thing] = axis, low_x if axis == 0 else low_y
        out_count[thing + 1] = int(count)
        out_scale[thing] = float(int(count)) / extent if count > 1.0 else 0.0


@kernel
def _count(points: Floats, rings: Integers, first: Integers, slabs: Slabs) -> None:
    """Count the edges in each slab, one place further on."""
    for thing in range(slabs.axis.shape[0]):
        axis = slabs.axis[thing]
        for ring in range(first[thing], first[thing + 1]):
            slab = slab_of(slabs, thing, points[rings[ring], axis])
            for k in range(rings[ring], rings[ring + 1] - 1):
                after = slab_of(slabs, thing, points[k + 1, axis])
                for one in range(min(slab, after), max(slab, after) + 1):
                    slabs.starts[one + 1] += 1
                slab = after


@kernel
def _file(points: Floats, rings: Integers, first: Integers, slabs: Slabs) -> None:
    """Write the edges of each slab, in their order."""
    lowest = slabs.first[0]
    at = np.empty(slabs.first[slabs.axis.shape[0]] - lowest, dtype=np.int64)
    for k in range(at.shape[0]):
        at[k] = slabs.starts[lowest + k]
    for thing in range(slabs.axis.shape[0]):
        axis = slabs.axis[thing]
        for ring in range(first[thing], first[thing + 1]):
            slab = slab_of(slabs, thing, points[rings[ring], axis])
            for k in range(rings[ring], rings[ring + 1] - 1):
                after = slab_of(slabs, thing, points[k + 1, axis])
                for one in range(min(slab, after), max(slab, after) + 1):
                    slabs.edges[at[one - lowest]] = k
                    at[one - lowest] += 1
                slab = after
