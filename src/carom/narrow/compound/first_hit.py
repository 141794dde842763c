"""The parts of two bodies that meet first when one of them moves, of two that start apart.

In: the parts of two bodies and the motion of the first. Out: the hit of the two parts, as `strike` tells it, and if
a hit that may be as early is in doubt. Pairs of nodes are looked at in the order in which their boxes meet, and not at
all once a hit is earlier. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import strike
from carom.narrow.compound.part_pairs import PartRows, apart_until, may_meet
from carom.narrow.compound.part_tree import (
    DEPTH,
    Parts,
    children_of,
    meets_on_way,
    node_box,
    part_of,
    root_of,
    splits_first,
)
from carom.narrow.exact.hits import Strike
from carom.narrow.slab import entry_of_boxes
from carom.tolerances import COVER_BAND


@kernel
def first_hit(a: Parts, body_a: int, b: Parts, body_b: int, mx: float, my: float, ray: bool) -> tuple[bool, Strike]:
    """Return whether a hit is in doubt, and the first hit of A, moved by m, with B.

    Of hits at the same time that of the first part of A counts, then of B.
    """
    best: Strike = False, False, False, math.inf, 0.0, 0.0, 0.0, 0.0
    best_a, best_b, doubt = -1, -1, False
    waiting, times = np.empty((DEPTH, 2), dtype=np.int64), np.empty(DEPTH)
    room = COVER_BAND * (abs(mx) + abs(my))
    waiting[0, 0], waiting[0, 1], times[0] = root_of(a, body_a), root_of(b, body_b), 0.0
    left = 1
    while left > 0:
        left -= 1
        if times[left] > min(best[3], 1.0):
            continue
        node_a, node_b = waiting[left, 0], waiting[left, 1]
        part_a, part_b = part_of(a, body_a, node_a), part_of(b, body_b, node_b)
        if part_a < 0 or part_b < 0:
            for_a = splits_first(a, part_a, node_a, b, part_b, node_b)
            one, other = children_of(a, body_a, node_a) if for_a else children_of(b, body_b, node_b)
            base = left
            for k in range(2):
                child_a, child_b = (other if k == 0 else one, node_b) if for_a else (node_a, other if k == 0 else one)
                mover, target = node_box(a, child_a), node_box(b, child_b)
                time = entry_of_boxes(mover, target, mx, my)
                if time > min(best[3], 1.0) or not meets_on_way(mover, target, mx, my, room):
                    continue
                place = left
                if left > base and time > times[base]:  # the earlier one comes on top
                    waiting[left, 0], waiting[left, 1], times[left] = waiting[base, 0], waiting[base, 1], times[base]
                    place = base
                waiting[place, 0], waiting[place, 1], times[place] = child_a, child_b, time
                left += 1
            continue
        i, j = a.starts[part_a], b.starts[part_b]
        if not may_meet(a.buffer, i, b.buffer, j, mx, my):
            continue
        if apart_until(a.buffer, i, b.buffer, j, mx, my, min(best[3], 1.0)):
            continue
        found = strike(a.buffer, i, b.buffer, j, mx, my, ray)
        if found[1]:
            doubt = True
        elif found[0]:
            first = part_a < best_a or (part_a == best_a and part_b < best_b)
            if found[3] < best[3] or (found[3] == best[3] and first):
                best, best_a, best_b = found, part_a, part_b
    return doubt, best


@kernel
def first_hits(
    rows: PartRows,
    which: Integers,
    motions: Floats,
    ray: bool,
    out: tuple[Booleans, Booleans, Floats, Floats, Floats],
) -> None:
    """Write for some rows whether they hit, whether that is in doubt, and the fraction, point and normal."""
    a, rows_a, b, rows_b = rows
    out_hits, out_doubts, out_fractions, out_points, out_normals = out
    for row in which:
        doubt, found = first_hit(a, rows_a[row], b, rows_b[row], motions[row, 0], motions[row, 1], ray)
        hit, _, _, fraction, nx, ny, x, y = found
        out_hits[row], out_doubts[row], out_fractions[row] = hit, doubt, fraction
        out_points[row, 0], out_points[row, 1] = x, y
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
