"""When discs and boxes along the axes that move along straight lines meet, in closed form; and what a meeting is.

In: where B is as seen from A, both sizes, and the motion of A relative to B. Out: the meeting as `meeting` tells it.
"""

from __future__ import annotations

import math

from carom._core.jit import inner
from carom.narrow.pairs.disc_box import ray_disc, sweep_disc_box
from carom.tolerances import EPSILON, ON_LINE_SLOPS, SEAM_SLOPS, SLOP_ULPS, STAND_OFF_SLOPS

CORNER, OVERLAP, OF_B = 1, 2, 4  # OF_B: the point is relative to B's origin instead
SEAM = 8  # a third part closes the way; see `flush`
ON_LINE = 16  # neither is on a side of the other; see `meeting_thin`
PASSES_ON = 32  # no impact: it passes from a flush surface onto a line, and is put off that on the same side

# fraction (infinite for none), normal x and y, point x and y relative to A's origin at the impact, marks
Meeting = tuple[float, float, float, float, float, int]


@inner
def never() -> Meeting:
    """Return that there is no impact."""
    return math.inf, 0.0, 0.0, 0.0, 0.0, 0


@inner
def meet_discs(
    dx: float, dy: float, ra: float, rb: float, mx: float, my: float, slop: float, largest: float
) -> Meeting:
    """Return when disc A, moved by m, meets disc B, whose centre is at d from its own.

    `largest` is their largest coordinate.
    """
    along = dx * mx + dy * my
    radius = ra + rb
    if radius < slop:
        return meet_points(dx, dy, ra, radius, mx, my, slop, largest)
    if along <= 0.0:
        return never()
    inset = max(radius - slop, 0.5 * radius)
    square = mx * mx + my * my
    if along < square:
        aside = dx * my - dy * mx
        if aside * aside >= inset * inset * square:
            return never()
    else:
        ex, ey = dx - mx, dy - my
        if ex * ex + ey * ey >= inset * inset:
            return never()
    distance = math.sqrt(dx * dx + dy * dy)
    if distance - radius <= slop:
        nx, ny = dx / distance, dy / distance
        return 0.0, nx, ny, nx * ra, ny * ra, OVERLAP if distance - radius < -slop else 0
    fraction, nx, ny = ray_disc(0.0, 0.0, mx, my, dx, dy, radius)
    if not fraction <= 1.0:
        return never()
    return fraction, -nx, -ny, -nx * ra, -ny * ra, 0


@inner
def meet_points(
    dx: float, dy: float, ra: float, radius: float, mx: float, my: float, slop: float, largest: float
) -> Meeting:
    """Return when two points meet, or discs too small to be moved inward by the slop; see `meeting_thin`."""
    distance, length = math.sqrt(dx * dx + dy * dy), math.sqrt(mx * mx + my * my)
    if distance - radius <= ON_LINE_SLOPS * min(slop, SLOP_ULPS * EPSILON * largest):
        return (0.0, mx / length, my / length, 0.0, 0.0, ON_LINE) if length > 0.0 else never()
    slop += 2.0 * EPSILON * (abs(mx) + abs(my))
    reach = radius + STAND_OFF_SLOPS * slop
    closing = dx * mx + dy * my
    deeper, _, _ = ray_disc(0.0, 0.0, mx, my, dx, dy, reach - slop)
    if closing <= 0.0 or not deeper <= 1.0:
        return never()
    if distance <= reach + slop:
        nx, ny = dx / distance, dy / distance
        return 0.0, nx, ny, nx * ra, ny * ra, 0
    fraction, nx, ny = ray_disc(0.0, 0.0, mx, my, dx, dy, reach)
    return fraction, -nx, -ny, -nx * ra, -ny * ra, 0


@inner
def deep_span(low: float, high: float, m: float) -> tuple[float, float]:
    """Return the fractions between which a motion m lies between low and high."""
    if m == 0.0:
        return (-math.inf, math.inf) if low < 0.0 < high else (math.inf, -math.inf)
    first, last = low / m, high / m
    return (first, last) if m > 0.0 else (last, first)


@inner
def meet_boxes(
    right: float, left: float, up: float, down: float, mx: float, my: float, slop: float
) -> tuple[float, float, float, int]:
    """Return (fraction, normal from A to B, marks) of two boxes along the axes.

    A, moved by m, overlaps B where right < m_x < left and up < m_y < down.
    """
    gap_x, gap_y = max(right, -left), max(up, -down)
    touching = gap_x <= slop and gap_y <= slop
    closing_x, closing_y = (mx if right >= -left else -mx), (my if up >= -down else -my)
    if touching and (closing_x if gap_x >= gap_y else closing_y) <= 0.0:
        return math.inf, 0.0, 0.0, 0
    overlapping = touching and gap_x < -slop and gap_y < -slop
    first_x, last_x = deep_span(right + slop, left - slop, mx)
    first_y, last_y = deep_span(up + slop, down - slop, my)
    first, last = max(first_x, first_y, 0.0), min(last_x, last_y, 1.0)
    if not overlapping and not first < last:
        return math.inf, 0.0, 0.0, 0
    enter_x, _ = deep_span(right, left, mx)
    enter_y, _ = deep_span(up, down, my)
    by_x = gap_x >= gap_y if touching else enter_x >= enter_y
    enter = 0.0 if touching else max(enter_x if by_x else enter_y, 0.0)
    # How far they overlap across the normal.
    aside = min(enter * my - up, down - enter * my) if by_x else min(enter * mx - right, left - enter * mx)
    marks = (CORNER if aside <= slop else 0) + (OVERLAP if overlapping else 0)
    if by_x:
        return enter, (1.0 if right >= -left else -1.0), 0.0, marks
    return enter, 0.0, (1.0 if up >= -down else -1.0), marks


@inner
def meet_disc_box(
    dx: float, dy: float, lx: float, ly: float, ux: float, uy: float, r: float, mx: float, my: float, slop: float
) -> tuple[float, float, float, int]:
    """Return (fraction, normal, marks) of a disc A, moved by m, and a box B with corners relative to an origin at d."""
    px, py = -dx, -dy
    if r <= slop:
        # Too small to be moved inward: to the slop it is a box.
        right, left, up, down = lx - px - r, ux - px + r, ly - py - r, uy - py + r
        return meet_boxes(right, left, up, down, mx, my, min(slop, 0.25 * min(left - right, down - up)))
    if min(px, px + mx) - r > ux or max(px, px + mx) + r < lx or min(py, py + my) - r > uy or max(py, py + my) + r < ly:
        return math.inf, 0.0, 0.0, 0
    fraction, nx, ny = sweep_disc_box(px, py, mx, my, lx, ly, ux, uy, r, slop)
    if not fraction <= 1.0:
        return math.inf, 0.0, 0.0, 0
    inside = lx + slop - r < px < ux - slop + r and ly + slop - r < py < uy - slop + r and fraction == 0.0
    if inside:
        cx, cy = px - min(max(px, lx), ux), py - min(max(py, ly), uy)
        inside = cx * cx + cy * cy < (r - slop) * (r - slop)
    elif nx != 0.0 and ny != 0.0:
        # As `sides.side_met` for any shapes.
        x, y = px + fraction * mx, py + fraction * my
        gap_x, gap_y = max(lx - x, x - ux) - r, max(ly - y, y - uy) - r
        if gap_y >= gap_x and gap_y >= -SEAM_SLOPS * slop and ny * my < 0.0:
            nx, ny = 0.0, (1.0 if ny > 0.0 else -1.0)
        elif gap_x > gap_y and gap_x >= -SEAM_SLOPS * slop and nx * mx < 0.0:
            nx, ny = (1.0 if nx > 0.0 else -1.0), 0.0
    return fraction, -nx, -ny, OVERLAP if inside else 0
