"""When two parts that move along straight lines meet: the impact as motion needs it, sliding and seams included.

In: two parts at one instant and the motion of A relative to B. Out: the fraction of the motion, the unit normal from A
to B, the point relative to A's origin at the impact, and marks: CORNER where a corner meets a corner, OVERLAP where
they overlap already, deeper than the slop. An impact is only what goes deeper than the slop, so that flush surfaces
are one smooth surface from both sides; what is in touch or overlap and does not close along its normal is none, so
that leaving and sliding are never blocked. Discs and boxes along the axes in closed form, the rest by the walk.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.cast import goes_deeper
from carom.narrow.linear_toi import clip, impact, impact_point, measure_through
from carom.narrow.signed_distance import core_points, separate
from carom.shapes.proxy import AABB, CENTER_X, CENTER_Y, DISC, KIND, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import SLIDES
from carom.world.toi.closed_forms import CORNER as CORNER
from carom.world.toi.closed_forms import OF_B as OF_B
from carom.world.toi.closed_forms import ON_LINE as ON_LINE
from carom.world.toi.closed_forms import OVERLAP as OVERLAP
from carom.world.toi.closed_forms import PASSES_ON as PASSES_ON
from carom.world.toi.closed_forms import SEAM as SEAM
from carom.world.toi.closed_forms import Meeting as Meeting
from carom.world.toi.closed_forms import meet_boxes, meet_disc_box, meet_discs
from carom.world.toi.closed_forms import never as never
from carom.world.toi.corner_normal import side_met
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
def meet(
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
    general: Floats | None,
) -> Meeting:
    """Return when the shape at i, now at (xa, ya) and moved by m, meets the shape at j, now at (xb, yb).

    Where `general` is None all shapes are discs and boxes along the axes, and the walk is not even compiled.
    """
    dx, dy = xb - xa, yb - ya
    kind_a, kind_b, ra, rb = a[i + KIND], a[j + KIND], a[i + RADIUS], a[j + RADIUS]
    if kind_a == DISC and kind_b == DISC:
        return meet_discs(dx, dy, ra, rb, mx, my, slop, max(abs(xa), abs(ya), abs(xb), abs(yb)))
    low_a, high_a, low_b, high_b = i + POINTS, i + THIRD, j + POINTS, j + THIRD
    if (kind_a == DISC and kind_b == AABB) or (kind_a == AABB and kind_b == DISC):
        swapped = kind_a == AABB
        sign, low, high = (-1.0, low_a, high_a) if swapped else (1.0, low_b, high_b)
        fraction, nx, ny, marks = meet_disc_box(
            sign * dx, sign * dy, a[low], a[low + 1], a[high], a[high + 1], ra + rb, sign * mx, sign * my, slop
        )
        nx, ny = sign * nx, sign * ny
        if not swapped:
            return fraction, nx, ny, nx * ra, ny * ra, marks
        share = fraction if fraction <= 1.0 else 0.0
        return fraction, nx, ny, dx - share * mx - nx * rb, dy - share * my - ny * rb, marks
    if kind_a == AABB and kind_b == AABB and ra == 0.0 and rb == 0.0:
        right, left = dx + (a[low_b] - a[high_a]), dx + (a[high_b] - a[low_a])
        up, down = dy + (a[low_b + 1] - a[high_a + 1]), dy + (a[high_b + 1] - a[low_a + 1])
        # What is too thin to be moved inward by the slop is moved by less.
        slop = min(slop, 0.25 * min(left - right, down - up))
        fraction, nx, ny, marks = meet_boxes(right, left, up, down, mx, my, slop)
        if fraction == math.inf:
            return never()
        x, y = dx - fraction * mx, dy - fraction * my
        # The middle of where they overlap.
        px = 0.5 * (max(a[low_a], x + a[low_b]) + min(a[high_a], x + a[high_b]))
        py = 0.5 * (max(a[low_a + 1], y + a[low_b + 1]) + min(a[high_a + 1], y + a[high_b + 1]))
        return fraction, nx, ny, px, py, marks
    if general is None:
        return never()
    # The general walk reads the records where they lie: put them where they are now.
    old_xa, old_ya, old_xb, old_yb = a[i + X], a[i + Y], a[j + X], a[j + Y]
    a[i + X], a[i + Y], a[j + X], a[j + Y] = xa, ya, xb, yb
    found = meet_any(a, i, j, mx, my, slop)
    a[i + X], a[i + Y], a[j + X], a[j + Y] = old_xa, old_ya, old_xb, old_yb
    return found


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
