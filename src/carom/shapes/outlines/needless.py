"""Outlines without their needless points: the repeated ones, and those on a straight way between their neighbours.

In: many outlines, one behind the other. Out: the same outlines with fewer points, each with the rows that stay; an
outline that turns back on itself, or whose turns are in doubt, keeps all of its points. Any frame.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.sure_turns import SUMS, UNSURE, turn


def without_needless(points: Floats, first: Integers) -> tuple[Floats, Integers]:
    """Return the points that outlines need, as `tidy` keeps them, and where each outline begins among them."""
    kept = np.ones(len(points), dtype=np.bool_)
    mark_needless(points, first, kept)
    if kept.all():
        return points, first
    counts = np.add.reduceat(kept, first[:-1], dtype=np.int64)
    return points[kept], np.append(0, np.cumsum(counts))


@kernel
def mark_needless(points: Floats, first: Integers, out_kept: Booleans) -> None:
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
                sure = sign != UNSURE and lies_between(points, p, v, n)
            out_kept[begin + goes] = False
            left -= 1
            last, following = before[goes], after[goes]
            after[last], before[following] = following, last
            waiting[top], waiting[top + 1] = following, last
            top += 2
        if not sure or left < 3:
            for k in range(count):
                out_kept[begin + k] = True


@kernel
def lies_between(points: Floats, p: int, v: int, n: int) -> bool:
    """Tell whether the second of three places on a line lies between the others."""
    x, y = points[v, 0], points[v, 1]
    inside_x = min(points[p, 0], points[n, 0]) <= x <= max(points[p, 0], points[n, 0])
    return bool(inside_x and min(points[p, 1], points[n, 1]) <= y <= max(points[p, 1], points[n, 1]))
