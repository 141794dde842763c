"""When two parts that move along straight lines meet: the impact as motion needs it, sliding and seams included.

In: two parts at one instant and the motion of A relative to B. Out: the fraction of the motion, the unit normal from A
to B, the point relative to A's origin at the impact, and marks: CORNER where a corner meets a corner, OVERLAP where
they overlap already, deeper than the slop. An impact is only what goes deeper than the slop, so that flush surfaces
are one smooth surface from both sides; what is in touch or overlap and does not close along its normal is none, so
that leaving and sliding are never blocked.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.cast import goes_deeper
from carom.narrow.linear_toi import clip, impact, impact_point, measure_through
from carom.narrow.signed_distance import core_points, separate
from carom.shapes.proxy import CENTER_X, CENTER_Y, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import SLIDES
from carom.world.toi.corner_normal import side_met
from carom.world.toi.meeting import CORNER as CORNER
from carom.world.toi.meeting import OF_B as OF_B
from carom.world.toi.meeting import ON_LINE as ON_LINE
from carom.world.toi.meeting import OVERLAP as OVERLAP
from carom.world.toi.meeting import PASSES_ON as PASSES_ON
from carom.world.toi.meeting import SEAM as SEAM
from carom.world.toi.meeting import Meeting as Meeting
from carom.world.toi.meeting import never as never
from carom.world.toi.thin import meet_thin

THIRD = POINTS + 2 * STRIDE  # place of a box's upper corner


@kernel
def meet_any(a: Floats, i: int, j: int, mx: float, my: float, slop: float) -> Meeting:
    """Return when the shape at i, moved by m, meets the shape at j, whatever their kinds."""
    ox = (a[j + X] - a[i + X]) + (a[j + CENTER_X] - a[i + CENTER_X])
    oy = (a[j + Y] - a[i + Y]) + (a[j + CENTER_Y] - a[i + CENTER_Y])
    reach = a[i + REACH] + a[j + REACH] + a[i + RADIUS] + a[j + RADIUS] + slop
    square, along = mx * mx + my * my, ox * mx + oy * my
    share = min(max(along / square, 0.0), 1.0) if square > 0.0 else 0.0
    px, py = ox - share * mx, oy - share * my
    if px * px + py * py > reach * reach * (1.0 + 1e-9):
        return never()
    nearest = separate(a, i, a, j)
    separation, nx, ny = nearest[0], nearest[1], nearest[2]
    radius = a[i + RADIUS] + a[j + RADIUS]
    if radius < slop and measure_through(a, i, a, j, mx, my, radius)[0] <= 4.0 * slop:
        return meet_thin(a, i, j, mx, my, slop, nearest)
    if separation <= slop:
        closing = nx * mx + ny * my
        if closing <= SLIDES * (abs(mx) + abs(my)):
            return never()
        marks = OVERLAP if separation < -slop else 0
        if marks == 0:
            deeper, _ = goes_deeper(a, i, a, j, mx, my, closing, separation, slop)
            if not deeper:
                return never()
        ax, ay, _, _ = core_points(a, i, a, j, nearest)
        x, y = ax + nx * a[i + RADIUS], ay + ny * a[i + RADIUS]
        meets, nx, ny, corner = side_met(a, i, j, mx, my, 0.0, nx, ny, nearest[3], slop)
        marks += CORNER if corner else 0
        return (0.0, nx, ny, x - a[i + X], y - a[i + Y], marks) if meets else never()
    found, _ = impact(a, i, a, j, mx, my, separation)
    if not found[0] <= 1.0 or clip(a, i, a, j, mx, my, radius - slop)[0] == math.inf:
        return never()
    fraction, nx, ny = found[0], found[1], found[2]
    x, y = impact_point(a, i, a, j, mx, my, found)
    meets, nx, ny, corner = side_met(a, i, j, mx, my, fraction, nx, ny, found[3], slop)
    if not meets:
        return never()
    return (
        fraction,
        nx,
        ny,
        x - a[i + X] - fraction * mx,
        y - a[i + Y] - fraction * my,
        CORNER if corner else 0,
    )


@kernel
def cross(
    a: Floats,
    i: int,
    j: int,
    xa: float,
    ya: float,
    xb: float,
    yb: float,
    mx: float,
    my: float,
    slop: float,
    inside: bool,
) -> tuple[float, float]:
    """Return when the shape at i, moved by m, enters the shape at j and leaves it, as fractions; infinite for never.

    A straight path meets a convex shape once, so that leaving is entering backwards. In touch, up to the slop, it is
    the way it goes that tells whether it is inside: rounding must not make it enter and leave without end. A way so
    long that rounding hides where it ends leaves as it enters.
    """
    old_xa, old_ya, old_xb, old_yb = a[i + X], a[i + Y], a[j + X], a[j + Y]
    a[i + X], a[i + Y], a[j + X], a[j + Y] = xa, ya, xb, yb
    separation, nx, ny, _, _, _, _ = separate(a, i, a, j)
    closing = nx * mx + ny * my
    touching = abs(separation) <= slop
    within = closing > 0.0 or (closing == 0.0 and (inside or separation <= 0.0)) if touching else separation < 0.0
    enter, leave = math.inf, math.inf
    if inside or within:
        enter = 0.0
    elif not touching:
        enter = impact(a, i, a, j, mx, my, separation)[0][0]
    if inside and not within:
        leave = 0.0
    elif enter <= 1.0:
        a[i + X], a[i + Y] = xa + mx, ya + my
        after = separate(a, i, a, j)[0]
        if after > slop:
            back = impact(a, i, a, j, -mx, -my, after)[0][0]
            leave = max(1.0 - back, enter) if back <= 1.0 else enter
    a[i + X], a[i + Y], a[j + X], a[j + Y] = old_xa, old_ya, old_xb, old_yb
    return enter, leave
