"""Where pieces of tracks lie in the plane and in time: their boxes, tiles of both, and the pairs that could meet.

In: pieces as `approach` has them, and a distance. Out: cuts of the plane and of time that make tiles of about as many
pieces each, the pieces of each tile, and the pairs of pieces whose boxes overlap while both are under way. A box is
that of a disc in motion, grown by half the distance and by more than all that rounding could take from it. A pair that
is found in two tiles is the same pair with the same answer, so it does no harm to find it twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from carom import bounds_pairs
from carom.tables.arrays import Floats, Integers
from carom.tables.motion_columns import RADIUS, T0, T1, X0, X1, Y0, Y1
from carom.tolerances import EPSILON

BLOCK = 2**21
"""Pairs that are looked at together."""
SHORTEST = 0.25
"""Share of the mean duration of a piece that a slab of time lasts at least: pieces are then cut into five at most."""


class Cut(NamedTuple):
    """A tile that was cut in two: along t, x or y, where, and the numbers of both sides; a number below 0 is a tile."""

    axis: int
    place: float
    low: int
    high: int


def boxes(pieces: Floats, within: float) -> Floats:
    """Return the boxes of pieces, (n, 6): the least t, x and y, then the largest."""
    return np.column_stack(
        [pieces[:, T0], *_bounds(pieces, 0.0, 1.0, within)[:2], pieces[:, T1], *_bounds(pieces, 0.0, 1.0, within)[2:]]
    )


def _bounds(pieces: Floats, begin: Floats | float, end: Floats | float, within: float) -> tuple[Floats, ...]:
    """Return min x, min y, max x and max y of pieces between two shares of their motion."""
    lower, upper = [], []
    for start, stop in ((X0, X1), (Y0, Y1)):
        p, step = pieces[:, start], pieces[:, stop] - pieces[:, start]
        first, last = p + begin * step, p + end * step
        grown = pieces[:, RADIUS] + 0.5 * within
        grown += 16.0 * EPSILON * (np.abs(p) + np.abs(step) + grown)
        lower.append(np.minimum(first, last) - grown)
        upper.append(np.maximum(first, last) + grown)
    return *lower, *upper


def cuts_of(sample: Floats, tiles: int) -> tuple[Cut, ...]:
    """Return cuts that make so many tiles of boxes: each through the middle of the tile with the most of the sample.

    It runs across the axis along which the tile is longest, in lengths of the mean box: few boxes lie on such a cut.
    """
    cuts: list[Cut] = []
    middles = 0.5 * sample[:, :3] + 0.5 * sample[:, 3:]
    length = np.maximum((sample[:, 3:] - sample[:, :3]).mean(axis=0), 1e-300) if len(sample) else np.ones(3)
    parts = [middles]
    sides: list[tuple[int, str]] = [(-1, "")]  # which cut a part hangs from, and on which side
    while len(parts) < tiles:
        number = max(range(len(parts)), key=lambda k: len(parts[k]))
        part = parts[number]
        if len(part) < 2:
            break
        axis = int(np.argmax((part.max(axis=0) - part.min(axis=0)) / length))
        place = float(np.median(part[:, axis]))
        low, high = part[part[:, axis] < place], part[part[:, axis] >= place]
        if not len(low):
            break
        above, side = sides[number]
        if above >= 0:
            cuts[above] = cuts[above]._replace(**{side: len(cuts)})
        parts[number], sides[number] = low, (len(cuts), "low")
        parts.append(high)
        sides.append((len(cuts), "high"))
        cuts.append(Cut(axis, place, ~number, ~(len(parts) - 1)))
    return tuple(cuts)


def tiles_of(found: Floats, cuts: Sequence[Cut]) -> tuple[Integers, Integers]:
    """Return the rows of boxes by their tiles, a row in each tile that it touches, and where each tile begins."""
    rows_of: dict[int, Integers] = {}
    left = [(0 if cuts else ~0, np.arange(len(found)))]
    while left:
        number, rows = left.pop()
        if number < 0:
            rows_of[~number] = rows
            continue
        axis, place, low, high = cuts[number]
        left.append((low, rows[found[rows, axis] < place]))
        left.append((high, rows[found[rows, 3 + axis] >= place]))
    parts = [rows_of[tile] for tile in range(len(cuts) + 1)]
    begins = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    return np.concatenate(parts), begins


def near_pairs(pieces: Floats, tracks: Integers, within: float) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows of pieces of two tracks that could meet, the lower track first.

    Time is cut into slabs. A piece has a box in each slab that it runs through, of its motion in that slab, and the
    slabs are laid beside each other on one plane, far enough apart: there one search finds all pairs of all slabs.
    """
    if len(pieces) < 2:
        return
    edges = _edges(pieces, within)
    begin = np.searchsorted(edges, pieces[:, T0], side="right") - 1
    count = np.searchsorted(edges, pieces[:, T1], side="right") - begin
    rows = np.repeat(np.arange(len(pieces)), count)
    slab = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count - begin, count)
    found = _in_slab(pieces, rows, slab, edges, within)
    for i, j in _overlapping(found, slab, len(edges) - 1):
        a, b, now = rows[i], rows[j], slab[i]
        fresh = (now == slab[j]) & (tracks[a] != tracks[b])
        a, b, now = a[fresh], b[fresh], now[fresh]
        again = now > np.maximum(begin[a], begin[b])  # both have been under way before: perhaps told already
        old = np.flatnonzero(again)
        p, q = (_in_slab(pieces, some[old], now[old] - 1, edges, within) for some in (a, b))
        again[old] = ((p[:, :2] <= q[:, 2:]) & (q[:, :2] <= p[:, 2:])).all(axis=1)
        a, b = a[~again], b[~again]
        turned = tracks[a] > tracks[b]
        yield np.where(turned, b, a), np.where(turned, a, b)


def _edges(pieces: Floats, within: float) -> Floats:
    """Return the instants at which slabs of time begin, and one after the last."""
    start, end = pieces[:, T0].min(), pieces[:, T1].max()
    mean = (pieces[:, T1] - pieces[:, T0]).mean()
    way = np.hypot(pieces[:, X1] - pieces[:, X0], pieces[:, Y1] - pieces[:, Y0]).mean()
    wide = 2.0 * pieces[:, RADIUS].mean() + within
    # Boxes as long as they are wide are the best: shorter ones overlap as often.
    lasting = mean * (min(1.0, max(SHORTEST, wide / way)) if way > 0.0 else 1.0)
    lasting = max(lasting, (end - start) / len(pieces))
    slabs = 1 if lasting == 0.0 else max(1, math.ceil((end - start) / lasting))
    edges: Floats = np.unique(np.append(start + np.arange(slabs) * lasting, np.inf))
    return edges


def _in_slab(pieces: Floats, rows: Integers, slab: Integers, edges: Floats, within: float) -> Floats:
    """Return the bounds of pieces in a slab of time each, (n, 4)."""
    some = pieces[rows]
    start, lasting = some[:, T0], some[:, T1] - some[:, T0]
    lasting[lasting == 0.0] = 1.0
    begin = (np.maximum(edges[slab], start) - start) / lasting
    end = (np.minimum(edges[slab + 1], some[:, T1]) - start) / lasting
    return np.column_stack(_bounds(some, begin, end, within))


def _overlapping(found: Floats, slab: Integers, slabs: int) -> Iterator[tuple[Integers, Integers]]:
    """Yield the pairs of bounds that overlap in the same slab, and few others."""
    in_line = math.ceil(math.sqrt(slabs))
    low, high = found[:, :2].min(axis=0), found[:, 2:].max(axis=0)
    apart = (high - low) * (1.0 + 2.0**-10)
    place = np.column_stack([slab % in_line, slab // in_line]) * apart
    slack = 8.0 * EPSILON * (in_line + 1) * apart
    laid = np.empty_like(found)
    laid[:, :2] = (found[:, :2] - low) + place - slack
    laid[:, 2:] = (found[:, 2:] - low) + place + slack
    for pairs in bounds_pairs(laid, block=BLOCK):
        yield pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
