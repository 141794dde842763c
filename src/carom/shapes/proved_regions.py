"""Polygons by their edges, each proved to be in order: what is read first of a file, before any convex part is made.

In: the rings of polygons as they are given, and whose each is. Out: `Regions` without repeated points; of polygons
whose rings touch, the boundary of the region that they leave. Or None, where kernels cannot decide about one. And
the rows of polygons that are all convex, which are the better way. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.region_cells import boundary_of
from carom.shapes.outlines.simple_regions import prove_simple
from carom.shapes.proxy import POLYGON
from carom.shapes.proxy_writers import make_proxies, order_outlines
from carom.shapes.regions import MOST_POINTS, Regions, Rings, filed, in_shares, joined, taken
from carom.shapes.set_rows import Proxies

FEW = 64
"""Outlines that are looked at together; of more a few are looked at first."""


class Whose(NamedTuple):
    """Which polygon each ring is of, and which input each polygon."""

    first: Integers
    """(n + 1,) the first ring of each polygon, the one around it."""
    owner: Integers
    """(n,) ascending"""
    inputs: int


def proved_regions(
    points: Floats,
    begins: Integers,
    whose: Whose,
    by_parts: Callable[[Integers], None] | None,
    threads: int = 1,
) -> Regions | None:
    """Return polygons by their edges, or None where they are to be made into parts at once.

    Parameters
    ----------
    points : (v, 2) float64
        Rings, each closed by its first point.
    begins : (r + 1,) int64
        Where each ring begins.
    whose : Whose
    by_parts : callable, or None
        Given the numbers of some polygons, raises ValueError if one cannot be made into parts. None where all are known
        to be in order.
    threads : int
        How many share the work.
    """
    if len(points) > MOST_POINTS:
        return None
    again = np.zeros(len(points), dtype=np.bool_)
    _find_again(points, begins, again)
    rings = Rings(points, begins, whose.first, np.ones(whose.owner.size, dtype=np.bool_), whose.owner, whose.inputs)
    if again.any():
        before = np.append(0, np.cumsum(~again))
        rings = rings._replace(points=points[~again], rings=before[begins])
    regions = filed(rings, threads)
    if by_parts is None:
        return regions
    simple = np.zeros(whose.owner.size, dtype=np.bool_)
    in_shares(rings, threads, lambda begin, end: prove_simple(regions.part(begin, end), simple[begin:end]))
    if simple.all():
        return regions
    by_parts(np.flatnonzero(~simple))
    rest = _boundaries(taken(rings, np.flatnonzero(~simple)))
    return None if rest is None else filed(joined(taken(rings, np.flatnonzero(simple)), rest))


def convex_outlines(points: Floats, begins: Integers) -> tuple[Floats, Integers] | None:
    """Return outlines that are all surely convex, counter-clockwise and open; None of others.

    Of most sets the first few tell.
    """
    count, found = begins.size - 1, None
    for some in (1 + count // 64, count) if count >= FEW else (count,):
        ends = begins[: some + 1] - np.arange(some + 1)
        corners, clean = np.empty((int(ends[-1]), 2)), np.zeros(some, dtype=np.bool_)
        _copy_open(points, begins[: some + 1], corners)
        order_outlines(corners, ends, clean, np.zeros(some, dtype=np.bool_))
        if not clean.all():
            return None
        found = corners, ends
    return found


def convex_rows(points: Floats, first: Integers, owner: Integers, inputs: int) -> Proxies:
    """Return open convex outlines as rows."""
    count = first.size - 1
    rows = make_proxies(np.full(count, POLYGON), points, first, np.zeros(count))
    return Proxies(*rows, owner=owner, inputs=inputs)


@kernel
def _find_again(points: Floats, begins: Integers, out: Booleans) -> None:
    """Mark the points of rings that are at the place of the one before."""
    for ring in range(begins.shape[0] - 1):
        for k in range(begins[ring] + 1, begins[ring + 1]):
            if points[k, 0] == points[k - 1, 0] and points[k, 1] == points[k - 1, 1]:
                out[k] = True


@kernel
def _copy_open(points: Floats, begins: Integers, out: Floats) -> None:
    """Copy closed rings without the last point of each."""
    for ring in range(begins.shape[0] - 1):
        for k in range(begins[ring], begins[ring + 1] - 1):
            out[k - ring, 0], out[k - ring, 1] = points[k, 0], points[k, 1]


def _boundaries(rings: Rings) -> Rings | None:
    """Return the boundaries of regions whose rings may touch, a thing for each connected piece; None where in doubt."""
    found, counts, pieces = [], [], []
    for thing in range(rings.filled.size):
        begins = rings.rings[rings.first[thing] : rings.first[thing + 1] + 1]
        border = boundary_of("", rings.points[begins[0] : begins[-1]], begins - begins[0])
        if border is None:
            return None
        corners, first, face = border
        for ring in range(face.size):
            own = corners[first[ring] : first[ring + 1]]
            found.append(np.concatenate((own, own[:1])))
            counts.append(len(own) + 1)
            pieces.append((thing, int(face[ring])))
    new = np.array([k == 0 or pieces[k] != pieces[k - 1] for k in range(len(pieces))])
    owner = rings.owner[np.array([thing for thing, _ in pieces])[new]]
    ends = np.append(0, np.cumsum(counts))
    first = np.append(np.flatnonzero(new), len(pieces))
    return Rings(np.concatenate(found), ends, first, np.ones(owner.size, dtype=np.bool_), owner, rings.inputs)
