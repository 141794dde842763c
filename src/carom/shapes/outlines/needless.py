"""Outlines without their needless points: repeated ones, those on a straight way between neighbours, tips of spikes.

In: many outlines, one behind the other. Out: the same outlines with fewer points, each with the rows that stay; an
outline of which nothing is left, or whose turns are in doubt, keeps all of its points. Any frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.sure_turns import SUMS, UNSURE, turn


class Needed(NamedTuple):
    """Outlines as `tidy` keeps them."""

    points: Floats
    """(v, 2) the points that stay."""
    first: Integers
    """(n + 1,) where each outline begins among them."""
    rows: Integers
    """(v,) which of the given points each is."""
    tidy: Booleans
    """(n,) whether three points or more stay, beyond doubt."""


def without_needless(points: Floats, first: Integers) -> Needed:
    """Return outlines without the points that change nothing."""
    kept, tidy = np.ones(len(points), dtype=np.bool_), np.zeros(first.size - 1, dtype=np.bool_)
    mark_needless(points, first, kept, tidy)
    if kept.all():
        return Needed(points, first, np.arange(len(points)), tidy)
    before = np.append(0, np.cumsum(kept))
    return Needed(points[kept], before[first], np.flatnonzero(kept), tidy)


@kernel
def mark_needless(points: Floats, first: Integers, out_kept: Booleans, out_tidy: Booleans) -> None:
    """Mark the points that go. A point is looked at again when a neighbour goes, so the work is linear."""
    h = np.empty(SUMS)
    for ring in range(first.shape[0] - 1):
        begin, count = first[ring], first[ring + 1] - first[ring]
        before, after = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        waiting, left = np.empty(3 * count, dtype=np.int64), count
        for k in range(count):
            before[k], after[k], waiting[k] = (k + count - 1) % count, (k + 1) % count, count - 1 - k
        top, sure = count, True
        while top > 0 and left > 2 and sure:
            top -= 1
            place = waiting[top]
            if not out_kept[begin + place]:
                continue
            p, v, n = begin + before[place], begin + place, begin + after[place]
            goes = place
            if points[v, 0] == points[p, 0] and points[v, 1] == points[p, 1]:
                goes = max(place, before[place])  # the later row goes, a closing one too
            elif points[v, 0] == points[n, 0] and points[v, 1] == points[n, 1]:
                continue
            else:
                sign = turn(points, p, v, n, h)
                if sign == 1 or sign == -1:
                    continue
                sure = sign != UNSURE
            out_kept[begin + goes] = False
            left -= 1
            last, following = before[goes], after[goes]
            after[last], before[following] = following, last
            waiting[top], waiting[top + 1] = following, last
            top += 2
        out_tidy[ring] = sure and left >= 3
        if not out_tidy[ring]:
            for k in range(count):
                out_kept[begin + k] = True
