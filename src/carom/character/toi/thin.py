"""When things without width meet that move along straight lines: points and lines, which have no inside.

Their difference cannot be moved inward by the slop, and where they touch neither is on a side of the other. So they
stop before that, by more than the slop and any rounding, and what is nearer goes no nearer. What lies exactly on a
line all the same, since it was put there, comes from where its motion comes from: it is met there (mark ON_LINE), and
stands off as far as all others from then on. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.character.toi.internal_edges import longest_side, span_along
from carom.character.toi.meeting import ON_LINE, Meeting, never
from carom.narrow.linear_toi import clip, impact_point
from carom.narrow.signed_distance import Separation, core_points
from carom.narrow.slop import slop_of_pair
from carom.shapes.proxy import RADIUS, REACH, X, Y
from carom.tolerances import EPSILON, LEAN_SLOPS, ON_LINE_SLOPS, SLIDES, STAND_OFF_SLOPS


@kernel
def meet_thin(a: Floats, i: int, j: int, mx: float, my: float, slop: float, start: Separation) -> Meeting:
    """Return when two shapes meet whose difference has no width."""
    separation, nx, ny = start[0], start[1], start[2]
    # The slop of a long way is more than where they are now may be off by.
    if separation <= ON_LINE_SLOPS * min(slop, slop_of_pair(a, i, a, j)):
        return meet_on_line(a, i, j, mx, my, slop, start)
    radius = a[i + RADIUS] + a[j + RADIUS]
    slop += 2.0 * EPSILON * (abs(mx) + abs(my))
    away = STAND_OFF_SLOPS * slop
    deeper = clip(a, i, a, j, mx, my, radius + away - slop)
    if separation <= away + slop:
        closing = nx * mx + ny * my
        inside = separation <= away - slop
        if closing <= 0.0 or (deeper[0] == math.inf and not inside):
            return never()
        ax, ay, _, _ = core_points(a, i, a, j, start)
        return 0.0, nx, ny, ax - a[i + X], ay - a[i + Y], 0
    found = clip(a, i, a, j, mx, my, radius + away)
    if not found[0] <= 1.0 or deeper[0] == math.inf:
        return never()
    fraction, nx, ny = found[0], found[1], found[2]
    x, y = impact_point(a, i, a, j, mx, my, found)
    return fraction, nx, ny, x - a[i + X] - fraction * mx, y - a[i + Y] - fraction * my, 0


@kernel
def meet_on_line(a: Floats, i: int, j: int, mx: float, my: float, slop: float, start: Separation) -> Meeting:
    """Return how two shapes without width meet that lie on each other.

    A motion along the line is free, unless only their ends touch and it goes in. Across, the one comes from where its
    motion comes from; where it does both at an end, the one counts that takes less of the motion.
    """
    length = math.sqrt(mx * mx + my * my)
    if length == 0.0:
        return never()
    ax, ay, _, _ = core_points(a, i, a, j, start)
    x, y = ax - a[i + X], ay - a[i + Y]
    reach = max(a[i + REACH], a[j + REACH])
    nx, ny = longest_side(a, i if a[i + REACH] == reach else j)
    if nx == 0.0 and ny == 0.0:
        return 0.0, mx / length, my / length, x, y, ON_LINE
    closing, least = nx * mx + ny * my, (SLIDES + LEAN_SLOPS * slop / reach) * (abs(mx) + abs(my))
    if closing < 0.0:
        nx, ny, closing = -nx, -ny, -closing
    tx, ty = -ny, nx
    low_a, high_a = span_along(a, i, tx, ty)
    low_b, high_b = span_along(a, j, tx, ty)
    offset = (a[j + X] - a[i + X]) * tx + (a[j + Y] - a[i + Y]) * ty
    low_b, high_b = low_b + offset, high_b + offset
    if min(high_a - low_b, high_b - low_a) <= slop:
        if low_a + high_a > low_b + high_b:
            tx, ty = -tx, -ty
        inward = tx * mx + ty * my
        if inward > least and (closing <= least or inward <= closing):
            return 0.0, tx, ty, x, y, 0
        if inward <= least and min(high_a - low_a, high_b - low_b) > slop:
            return never()  # two lines, end to end
    return (0.0, nx, ny, x, y, ON_LINE) if closing > least else never()
