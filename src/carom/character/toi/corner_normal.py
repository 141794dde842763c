"""Which side counts where two parts meet at a corner, at the beginning of an arc, or as deep in each other as the slop.

In: two parts and what was found as their impact. Out: whether they meet at all, and the normal. What two parts alone
can tell of flush tiles is told here; what takes a third part, in `exposed_sides`.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.walk import VERTICES, edge_of_a_first, start, step
from carom.shapes.proxy import RADIUS, REACH, X, Y
from carom.tolerances import FLUSH_SLOPS, LEAN_SLOPS, SAME_NORMAL, SAME_SIDE, SEAM_SLOPS, SLIDES


@inner
def is_parallel(nx: float, ny: float, mx: float, my: float, lean: float) -> bool:
    """Tell whether two unit normals are those of one direction, but for the rounding of the ends of their sides."""
    return abs(nx - mx) + abs(ny - my) <= lean


@kernel
def side_met(
    a: Floats, i: int, j: int, mx: float, my: float, fraction: float, nx: float, ny: float, feature: int, slop: float
) -> tuple[bool, float, float, bool]:
    """Tell whether A, moved by m, meets B, which was found with normal n, and return the normal that counts.

    And whether a corner meets a corner.

    Those sides decide along which the two are apart by then, up to a little more than the slop. What does not close
    along one of them slides past: what lies on flush tiles lies up to the slop below their face, and is not to be
    stopped by the next tile's corner, or by the first piece of an arc. Where all of them are closed on, it is the side
    that takes least of the motion, for what leaves one of them leaves the other shape: the one that is met first by a
    rounding error must not count, or a box that slides on a floor would stop at the foot of a ramp. The normal of an
    arc only gives way to that of a side beside it, for there the arc begins: turned by 1e-6 where it is as deep as the
    slop, but by 0.01 a billion sizes from the origin.
    """
    offset_x, offset_y = a[j + X] - a[i + X], a[j + Y] - a[i + Y]
    radius = a[i + RADIUS] + a[j + RADIUS]
    on_side, on_arc = feature != VERTICES, feature == VERTICES and radius > 0.0
    along, corner = SLIDES * (abs(mx) + abs(my)), not on_side and not on_arc
    least = (nx * mx + ny * my) * (1.0 - SAME_NORMAL) if on_side else math.inf
    best_x, best_y = nx, ny
    size = min(a[i + REACH] + a[i + RADIUS], a[j + REACH] + a[j + RADIUS])
    lean = SAME_NORMAL + (LEAN_SLOPS * slop / size if size > 0.0 else 0.0)
    past, past_x, past_y = False, 0.0, 0.0
    at, bt, left_a, left_b = start(a, i, a, j)
    while left_a + left_b > 0:
        px, py = (a[at] - a[bt]) - offset_x, (a[at + 1] - a[bt + 1]) - offset_y
        a_first = edge_of_a_first(a[at + 2], a[at + 3], a[bt + 2], a[bt + 3])
        ex, ey, at, bt, left_a, left_b = step(a, i, at, left_a, a, j, bt, left_b, a_first)
        closing = ex * mx + ey * my
        gap = -(ex * px + ey * py) - radius - fraction * closing
        if closing <= along:
            if min(gap, gap - closing) >= -FLUSH_SLOPS * slop:
                past, past_x, past_y = True, ex, ey
            continue
        if gap < -SEAM_SLOPS * slop or (on_arc and ex * nx + ey * ny < SAME_SIDE):
            continue
        if on_side and is_parallel(ex, ey, nx, ny, lean):
            continue
        corner = not on_arc
        if closing < least:
            least, best_x, best_y = closing, ex, ey
    if past and not ((on_side or least < math.inf) and is_parallel(best_x, best_y, past_x, past_y, lean)):
        return False, nx, ny, False
    return True, best_x, best_y, corner
