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
from carom.character.toi.corner_normal import side_met
from carom.character.toi.meeting import CORNER, OVERLAP, Meeting, never
from carom.character.toi.thin import meet_thin
from carom.narrow.cast import goes_deeper
from carom.narrow.linear_toi import clip, impact, impact_point, measure_through
from carom.narrow.signed_distance import core_points, separate
from carom.shapes.proxy import CENTER_X, CENTER_Y, RADIUS, REACH, X, Y
from carom.tolerances import SLIDES


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
