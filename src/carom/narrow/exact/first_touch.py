"""Where a moving shape first touches another, with numbers of twice the digits: the last word for every doubtful path.

In: two records that are apart and A's motion, which is known to touch B on the way or to miss it by next to nothing.
Out: the impact as in `linear_toi`. World frame, user's units. Asked only where rounding could take one side for
another: a path along an edge that passes its corner by less than an ulp enters there or at the edge's far end.

Seen from A - B the origin moves by -m. It touches first where it comes to the disc of a corner, or to an edge moved
out by the radius, between its ends; all of these belong to the boundary or lie inside, so the earliest of them is
right, and a corner missed by less than even these digits can tell counts: the answer is off by 2**-95 of the sizes
there. Between the ends of an edge the place follows from how far both ends lie beside the path: it cannot leave
the edge.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.arithmetic import (
    Long,
    between_places,
    crossed,
    dotted,
    over,
    plus,
    root,
    scale_for,
    times,
    two_product,
    two_sum,
)
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.exact.sign import SCRATCH, exact_edge_of_a_first
from carom.narrow.signed_distance import magnitude
from carom.narrow.walk import EDGE_A, EDGE_B, VERTICES, advance, next_place, start, step, unit
from carom.shapes.proxy import RADIUS, X, Y
from carom.tolerances import LONG_BAND

# fraction (infinite for a miss), normal x and y from A to B, feature and places as in walk.Nearest
Impact = tuple[float, float, float, int, int, int]


@inner
def later(a: Long, b: Long) -> float:
    """Return how much later a is than b."""
    return (a[0] - b[0]) + (a[1] - b[1])


@kernel
def first_touch(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> Impact:
    """Return where A, apart from B and moved by m, first touches it; a touch after the motion is put at its end."""
    size = magnitude(a, i, b, j) + abs(mx) + abs(my)
    scale = scale_for(size)
    band = LONG_BAND * size * scale
    radius = two_sum(a[i + RADIUS] * scale, b[j + RADIUS] * scale)
    rounded = radius[0] > 0.0
    dx, dy = -mx * scale, -my * scale
    square = plus(two_product(dx, dx), two_product(dy, dy))
    length = root(square)
    reach = times(radius, length)
    h = np.empty(SCRATCH)
    tie = 16.0 * band / length[0]
    best, nx, ny, feature, hit_a, hit_b, steepest = (math.inf, 0.0), 0.0, 0.0, VERTICES, 0, 0, 0.0
    least, most = math.inf, -math.inf  # how far the corners lie to both sides of the path, times its length
    at, bt, left_a, left_b = start(a, i, b, j)
    while True:
        vx = between_places(a[at], b[bt], a[i + X], b[j + X], scale)
        vy = between_places(a[at + 1], b[bt + 1], a[i + Y], b[j + Y], scale)
        aside, along = crossed(dx, dy, vx, vy), dotted(dx, dy, vx, vy)
        least, most = min(least, aside[0]), max(most, aside[0])
        size_aside = aside if aside[0] >= 0.0 else (-aside[0], -aside[1])
        under = plus(reach, (-size_aside[0], -size_aside[1]))
        if under[0] >= -band * length[0]:
            back = root(times(under, plus(reach, size_aside)))
            when = over(plus(along, (-back[0], -back[1])), square)
            if when[0] >= 0.0 and later(when, best) < -tie:
                best, feature, hit_a, hit_b, steepest = when, VERTICES, at, bt, 0.0
                # Turned from the path by the legs of the right triangle, as in `disc_box.ray_disc`.
                nx, ny = aside[0] * dy - back[0] * dx, -aside[0] * dx - back[0] * dy
        if left_a + left_b == 0:
            break
        old_at, old_bt = at, bt
        a_first = left_a > 0 and left_b > 0 and exact_edge_of_a_first(h, a, i, at, b, j, bt, scale)
        ex, ey, at, bt, left_a, left_b = step(a, i, at, left_a, b, j, bt, left_b, a_first)
        ux = between_places(a[at], a[old_at], b[old_bt], b[bt], scale)
        uy = between_places(a[at + 1], a[old_at + 1], b[old_bt + 1], b[bt + 1], scale)
        drop = crossed(dx, dy, ux, uy)
        if drop[0] >= 0.0 or abs(ux[0]) + abs(uy[0]) <= band:
            continue  # it faces the other way, or both of its corners stand for it: the square of its length may vanish
        beside, ahead = aside, dotted(dx, dy, ux, uy)
        if rounded:
            edge = root(plus(times(ux, ux), times(uy, uy)))
            out, shift = times(radius, ahead), times(radius, over(drop, edge))
            beside, along, drop = plus(times(aside, edge), (-out[0], -out[1])), plus(along, shift), times(drop, edge)
        if beside[0] >= 0.0 and plus(beside, drop)[0] <= 0.0:
            share = over(beside, (-drop[0], -drop[1]))
            when = over(plus(along, times(share, ahead)), square)
            closing, after = ex * mx + ey * my, later(when, best)
            if when[0] < 0.0 or after > tie:
                continue
            # At a corner the side that the path goes at more directly counts, and a side before the corner itself.
            if after < -tie or feature == VERTICES or closing > steepest:
                nx, ny, hit_a, hit_b, steepest = ex, ey, old_at, old_bt, closing
                feature = EDGE_A if old_bt == bt else EDGE_B
            if after < 0.0:
                best = when
    if best[0] == math.inf:
        return math.inf, nx, ny, feature, hit_a, hit_b
    if feature == VERTICES:
        # A radius below the last of these digits counts as none.
        room = band * length[0]
        if radius[0] > band:
            _, nx, ny = unit(nx, ny)
        else:
            nx, ny = normal_of_corner(a, i, b, j, hit_a, hit_b, mx, my, least >= -room, most <= room)
    return min(best[0], 1.0), nx, ny, feature, hit_a, hit_b


@kernel
def refined(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, found: Impact) -> Impact:
    """Return an impact, whose features are known, with its fraction taken afresh."""
    when, nx, ny, feature, at, bt = found
    scale = scale_for(magnitude(a, i, b, j) + abs(mx) + abs(my))
    radius = two_sum(a[i + RADIUS] * scale, b[j + RADIUS] * scale)
    dx, dy = -mx * scale, -my * scale
    vx = between_places(a[at], b[bt], a[i + X], b[j + X], scale)
    vy = between_places(a[at + 1], b[bt + 1], a[i + Y], b[j + Y], scale)
    if feature == VERTICES:
        square = plus(two_product(dx, dx), two_product(dy, dy))
        reach, aside = times(radius, root(square)), crossed(dx, dy, vx, vy)
        back = root(times(plus(reach, (-aside[0], -aside[1])), plus(reach, aside)))
        first = over(plus(dotted(dx, dy, vx, vy), (-back[0], -back[1])), square)[0]
        _, nx, ny = unit(aside[0] * dy - back[0] * dx, -aside[0] * dx - back[0] * dy)
    else:
        far_a = next_place(a, i, at) if feature == EDGE_A else at
        far_b = next_place(b, j, bt) if feature == EDGE_B else bt
        ux = between_places(a[far_a], a[at], b[bt], b[far_b], scale)
        uy = between_places(a[far_a + 1], a[at + 1], b[bt + 1], b[far_b + 1], scale)
        inward = plus(times(uy, vx), times((-ux[0], -ux[1]), vy))
        if radius[0] > 0.0:
            inward = plus(inward, times(radius, root(plus(times(ux, ux), times(uy, uy)))))
        first = over(inward, crossed(dx, dy, ux, uy))[0]
    # A side nearly parallel to the path may be crossed anywhere: there the error is large, and so is the error allowed.
    return (first if 0.0 <= first <= 1.0 else when), nx, ny, feature, at, bt


@kernel
def normal_of_corner(
    a: Floats, i: int, b: Floats, j: int, hit_a: int, hit_b: int, mx: float, my: float, on_left: bool, on_right: bool
) -> tuple[float, float]:
    """Return the normal where the path meets a sharp corner; A - B may lie on one side of the path only."""
    _, ux, uy = unit(mx, my)
    if on_left and on_right:
        return ux, uy  # head on, onto the end of a line
    if on_left or on_right:
        # Touched in passing: the normal looks away from it.
        return (-uy, ux) if on_left else (uy, -ux)
    best, nx, ny = 0.0, ux, uy
    at, bt, left_a, left_b = start(a, i, b, j)
    while left_a + left_b > 0:
        old_a, old_b = at, bt
        ex, ey, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        closing = ex * mx + ey * my
        meets = (old_a == hit_a and old_b == hit_b) or (at == hit_a and bt == hit_b)
        if meets and closing > best:
            best, nx, ny = closing, ex, ey
    return nx, ny
