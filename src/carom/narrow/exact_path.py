"""Whether a moving shape meets another on its way, decided without any rounding.

In: two records that are apart, A's motion, and the radius as a sum of two terms. Out: yes or no; grazing is meeting.
Seen from A - B, the origin runs along a segment, and the question is whether that segment comes within the radius of
the polygon: at its far end, at a vertex of the polygon beside it, or by crossing the polygon itself.
"""

from __future__ import annotations

import numpy as np

from carom._core.arithmetic import add_term, set_sum, sign_of
from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.exact import (
    BEYOND,
    EDGE_X,
    EDGE_Y,
    POINT_X,
    POINT_Y,
    RADIUS,
    SCRATCH,
    compare_edge,
    exact_edge_of_a_first,
    foot_inside,
    power_of_two_scale,
    set_edge,
    set_point,
    side_of_touching,
    turn_sign,
)
from carom.narrow.walk import start, step
from carom.shapes import proxy


@kernel
def path_touches(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> int:
    """Return 1 if A, apart from B, touches it anywhere along the motion m, its end included; 0 if not, or BEYOND."""
    first, second = a[i + proxy.RADIUS], b[j + proxy.RADIUS]
    side = side_of_touching(a, i, b, j, mx, my, first, second)
    if side == BEYOND or side <= 0:
        return BEYOND if side == BEYOND else 1
    h = np.empty(SCRATCH)
    scale, _ = power_of_two_scale(a, i, b, j, mx, my, first, second)
    set_sum(h, RADIUS, first * scale, second * scale, 0.0, 0.0)
    rounded = sign_of(h, RADIUS) > 0
    at, bt, left_a, left_b = start(a, i, b, j)
    left_of_path, right_of_path, separated = False, False, False
    while True:
        # The motion as an edge that begins at this vertex: does the origin's path run past it, within the radius?
        set_point(h, a, i, at, b, j, bt, 0.0, 0.0, scale)
        set_sum(h, EDGE_X, mx * scale, 0.0, 0.0, 0.0)
        set_sum(h, EDGE_Y, my * scale, 0.0, 0.0, 0.0)
        turn = turn_sign(h)
        if foot_inside(h) and (turn == 0 or (rounded and compare_edge(h) <= 0)):
            return 1
        left_of_path = left_of_path or turn > 0
        right_of_path = right_of_path or turn < 0
        if left_a + left_b == 0:
            break
        old_at, old_bt = at, bt
        a_first = left_a > 0 and left_b > 0 and exact_edge_of_a_first(h, a, i, at, b, j, bt, scale)
        _, _, at, bt, left_a, left_b = step(a, i, at, left_a, b, j, bt, left_b, a_first)
        set_edge(h, a, old_at, at, b, old_bt, bt, scale)
        set_point(h, a, i, old_at, b, j, old_bt, 0.0, 0.0, scale)
        if turn_sign(h) < 0:
            add_term(h, POINT_X, mx * scale)
            add_term(h, POINT_Y, my * scale)
            separated = separated or turn_sign(h) < 0
    # No edge has the whole path outside, and the path's line has the polygon on both sides: the path crosses it.
    return 1 if left_of_path and right_of_path and not separated else 0
