"""When two parts that move along straight lines meet: the impact as motion needs it, sliding and seams included.

In: two parts at one instant and the motion of A relative to B. Out: the fraction of the motion, the unit normal from A
to B, the point relative to A's origin at the impact, and marks: CORNER where a corner meets a corner, OVERLAP where
they overlap already, deeper than the slop. An impact is only what goes deeper than the slop, so that flush surfaces
are one smooth surface from both sides; what is in touch or overlap and does not close along its normal is none, so
that leaving and sliding are never blocked. Discs and boxes along the axes in closed form, the rest by the walk.
"""

from __future__ import annotations

import math

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Floats
from carom.narrow.cast import goes_deeper
from carom.narrow.gap import Separation, core_points, separate
from carom.narrow.path import clip, impact, impact_point, measure_through
from carom.narrow.sweep import ray_disc, sweep_disc_box
from carom.narrow.walk import VERTICES
from carom.tolerances import EPSILON, SAME_NORMAL, SEAM_SLOPS

CORNER, OVERLAP, OF_B = 1, 2, 4  # OF_B: the point is relative to B's origin instead
SEAM = 8  # a third part closes the way; see `flush`
THIRD = rec.POINTS + 2 * rec.STRIDE  # place of a box's upper corner

# fraction (infinite for none), normal x and y, point x and y relative to A's origin at the impact, marks
Meeting = tuple[float, float, float, float, float, int]


@inner
def never() -> Meeting:
    """Return that there is no impact."""
    return math.inf, 0.0, 0.0, 0.0, 0.0, 0


@inner
def meet_discs(dx: float, dy: float, ra: float, rb: float, mx: float, my: float, slop: float) -> Meeting:
    """Return when disc A, moved by m, meets disc B, whose centre is at d from its own."""
    along = dx * mx + dy * my
    if along <= 0.0:
        return never()
    radius = ra + rb
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
        # As `side_of_arc` for any shapes.
        x, y = px + fraction * mx, py + fraction * my
        gap_x, gap_y = max(lx - x, x - ux) - r, max(ly - y, y - uy) - r
        if gap_y >= gap_x and gap_y >= -SEAM_SLOPS * slop and ny * my < 0.0:
            nx, ny = 0.0, (1.0 if ny > 0.0 else -1.0)
        elif gap_x > gap_y and gap_x >= -SEAM_SLOPS * slop and nx * mx < 0.0:
            nx, ny = (1.0 if nx > 0.0 else -1.0), 0.0
    return fraction, -nx, -ny, OVERLAP if inside else 0


@inner
def touching_span(a: Floats, i: int, ox: float, oy: float, nx: float, ny: float, slop: float) -> tuple[float, float]:
    """Return from where to where, across n, a core at offset o reaches as far along n as it can, up to the slop."""
    begin, end = i + rec.POINTS, i + rec.POINTS + rec.STRIDE * int(a[i + rec.COUNT])
    farthest = -math.inf
    for at in range(begin, end, rec.STRIDE):
        farthest = max(farthest, (ox + a[at]) * nx + (oy + a[at + 1]) * ny)
    low, high = math.inf, -math.inf
    for at in range(begin, end, rec.STRIDE):
        x, y = ox + a[at], oy + a[at + 1]
        if x * nx + y * ny >= farthest - slop:
            across = y * nx - x * ny
            low, high = min(low, across), max(high, across)
    return low, high


@kernel
def is_corner_to_corner(a: Floats, i: int, j: int, mx: float, my: float, nx: float, ny: float, slop: float) -> bool:
    """Tell whether two sharp cores, A moved by m, meet along n in no more than an end of each."""
    ox, oy = a[j + rec.X] - a[i + rec.X], a[j + rec.Y] - a[i + rec.Y]
    low_a, high_a = touching_span(a, i, mx, my, nx, ny, slop)
    low_b, high_b = touching_span(a, j, ox, oy, -nx, -ny, slop)
    low_b, high_b = -high_b, -low_b
    if min(high_a, high_b) - max(low_a, low_b) > slop:
        return False
    a_inside = low_b + slop < low_a and high_a < high_b - slop
    b_inside = low_a + slop < low_b and high_b < high_a - slop
    return not (a_inside or b_inside)


@kernel
def easiest_side(
    a: Floats, i: int, j: int, mx: float, my: float, fraction: float, nx: float, ny: float, slop: float
) -> tuple[float, float]:
    """Return the normal of the side, of all that meet where corner meets corner, which takes least of the motion m.

    All sides along which the two are apart would do: what leaves one of them leaves the other shape. The one that is
    met first by a rounding error must not count, or a box that slides on a floor would stop at the foot of a ramp.
    """
    sx, sy = fraction * mx, fraction * my
    ox, oy = a[j + rec.X] - a[i + rec.X], a[j + rec.Y] - a[i + rec.Y]
    end_a = i + rec.POINTS + rec.STRIDE * int(a[i + rec.COUNT])
    end_b = j + rec.POINTS + rec.STRIDE * int(a[j + rec.COUNT])
    least = (nx * mx + ny * my) * (1.0 - SAME_NORMAL)
    for turn in range(2):
        sign = 1.0 if turn == 0 else -1.0
        first, last = (i + rec.POINTS, end_a) if turn == 0 else (j + rec.POINTS, end_b)
        for at in range(first, last, rec.STRIDE):
            px, py = sign * a[at + 2], sign * a[at + 3]
            closing = px * mx + py * my
            if not 0.0 < closing < least:
                continue
            farthest, nearest = -math.inf, math.inf
            for of_a in range(i + rec.POINTS, end_a, rec.STRIDE):
                farthest = max(farthest, (sx + a[of_a]) * px + (sy + a[of_a + 1]) * py)
            for of_b in range(j + rec.POINTS, end_b, rec.STRIDE):
                nearest = min(nearest, (ox + a[of_b]) * px + (oy + a[of_b + 1]) * py)
            if nearest - farthest >= -slop:
                nx, ny, least = px, py, closing
    return nx, ny


@kernel
def side_of_arc(
    a: Floats, i: int, j: int, mx: float, my: float, fraction: float, nx: float, ny: float, slop: float
) -> tuple[float, float]:
    """Return the normal of the side in place of that of the arc it ends in, where they are as good as one.

    What slides on flush tiles lies up to the slop below their face. The next tile then meets it at the very beginning
    of an arc, whose normal is turned from that of the face: by 1e-6, but by 0.01 a billion sizes from the origin.
    """
    sx, sy = fraction * mx, fraction * my
    ox, oy = a[j + rec.X] - a[i + rec.X], a[j + rec.Y] - a[i + rec.Y]
    radius = a[i + rec.RADIUS] + a[j + rec.RADIUS]
    end_a = i + rec.POINTS + rec.STRIDE * int(a[i + rec.COUNT])
    end_b = j + rec.POINTS + rec.STRIDE * int(a[j + rec.COUNT])
    best, best_x, best_y = -SEAM_SLOPS * slop, nx, ny
    for turn in range(2):
        sign = 1.0 if turn == 0 else -1.0
        first, last = (i + rec.POINTS, end_a) if turn == 0 else (j + rec.POINTS, end_b)
        for at in range(first, last, rec.STRIDE):
            px, py = sign * a[at + 2], sign * a[at + 3]
            if px * nx + py * ny < 0.9 or px * mx + py * my <= 0.0:
                continue
            farthest, nearest = -math.inf, math.inf
            for of_a in range(i + rec.POINTS, end_a, rec.STRIDE):
                farthest = max(farthest, (sx + a[of_a]) * px + (sy + a[of_a + 1]) * py)
            for of_b in range(j + rec.POINTS, end_b, rec.STRIDE):
                nearest = min(nearest, (ox + a[of_b]) * px + (oy + a[of_b + 1]) * py)
            gap = nearest - farthest - radius
            if gap >= best:
                best, best_x, best_y = gap, px, py
    return best_x, best_y


@kernel
def meet_any(a: Floats, i: int, j: int, mx: float, my: float, slop: float) -> Meeting:
    """Return when the shape at i, moved by m, meets the shape at j, whatever their kinds."""
    ox = (a[j + rec.X] - a[i + rec.X]) + (a[j + rec.CENTER_X] - a[i + rec.CENTER_X])
    oy = (a[j + rec.Y] - a[i + rec.Y]) + (a[j + rec.CENTER_Y] - a[i + rec.CENTER_Y])
    reach = a[i + rec.REACH] + a[j + rec.REACH] + a[i + rec.RADIUS] + a[j + rec.RADIUS] + slop
    square, along = mx * mx + my * my, ox * mx + oy * my
    share = min(max(along / square, 0.0), 1.0) if square > 0.0 else 0.0
    px, py = ox - share * mx, oy - share * my
    if px * px + py * py > reach * reach * (1.0 + 1e-9):
        return never()
    start = separate(a, i, a, j)
    separation, nx, ny = start[0], start[1], start[2]
    radius = a[i + rec.RADIUS] + a[j + rec.RADIUS]
    if radius < slop and measure_through(a, i, a, j, mx, my, radius)[0] <= 4.0 * slop:
        return meet_thin(a, i, j, mx, my, slop, start)
    if separation <= slop:
        closing = nx * mx + ny * my
        if closing <= 0.0:
            return never()
        marks = OVERLAP if separation < -slop else 0
        if marks == 0:
            deeper, _ = goes_deeper(a, i, a, j, mx, my, closing, separation, slop)
            if not deeper:
                return never()
        ax, ay, _, _ = core_points(a, i, a, j, start)
        x, y = ax + nx * a[i + rec.RADIUS], ay + ny * a[i + rec.RADIUS]
        if radius == 0.0 and is_corner_to_corner(a, i, j, 0.0, 0.0, nx, ny, slop):
            marks += CORNER
            nx, ny = easiest_side(a, i, j, mx, my, 0.0, nx, ny, slop)
        elif radius > 0.0 and marks == 0 and start[3] == VERTICES:
            nx, ny = side_of_arc(a, i, j, mx, my, 0.0, nx, ny, slop)
        return 0.0, nx, ny, x - a[i + rec.X], y - a[i + rec.Y], marks
    found, _ = impact(a, i, a, j, mx, my, separation)
    if not found[0] <= 1.0 or clip(a, i, a, j, mx, my, radius - slop)[0] == math.inf:
        return never()
    fraction, nx, ny = found[0], found[1], found[2]
    x, y = impact_point(a, i, a, j, mx, my, found)
    corner = radius == 0.0 and is_corner_to_corner(a, i, j, fraction * mx, fraction * my, nx, ny, slop)
    if corner:
        nx, ny = easiest_side(a, i, j, mx, my, fraction, nx, ny, slop)
    elif radius > 0.0 and found[3] == VERTICES:
        nx, ny = side_of_arc(a, i, j, mx, my, fraction, nx, ny, slop)
    return fraction, nx, ny, x - a[i + rec.X] - fraction * mx, y - a[i + rec.Y] - fraction * my, CORNER if corner else 0


@kernel
def meet_thin(a: Floats, i: int, j: int, mx: float, my: float, slop: float, start: Separation) -> Meeting:
    """Return when two shapes meet whose difference has no width: points and lines.

    They cannot be moved inward by the slop, and where they touch neither is on a side of the other. So they stop
    before that, by more than the slop and any rounding, and what is nearer goes no nearer.
    """
    separation, nx, ny = start[0], start[1], start[2]
    radius = a[i + rec.RADIUS] + a[j + rec.RADIUS]
    slop += 2.0 * EPSILON * (abs(mx) + abs(my))
    away = 2.0 * slop
    deeper = clip(a, i, a, j, mx, my, radius + away - slop)
    if separation <= away + slop:
        closing = nx * mx + ny * my
        inside = separation <= away - slop
        if closing <= 0.0 or (deeper[0] == math.inf and not inside):
            return never()
        ax, ay, _, _ = core_points(a, i, a, j, start)
        return 0.0, nx, ny, ax - a[i + rec.X], ay - a[i + rec.Y], 0
    found = clip(a, i, a, j, mx, my, radius + away)
    if not found[0] <= 1.0 or deeper[0] == math.inf:
        return never()
    fraction, nx, ny = found[0], found[1], found[2]
    x, y = impact_point(a, i, a, j, mx, my, found)
    return fraction, nx, ny, x - a[i + rec.X] - fraction * mx, y - a[i + rec.Y] - fraction * my, 0


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
    kind_a, kind_b, ra, rb = a[i + rec.KIND], a[j + rec.KIND], a[i + rec.RADIUS], a[j + rec.RADIUS]
    if kind_a == rec.DISC and kind_b == rec.DISC:
        return meet_discs(dx, dy, ra, rb, mx, my, slop)
    low_a, high_a, low_b, high_b = i + rec.POINTS, i + THIRD, j + rec.POINTS, j + THIRD
    if (kind_a == rec.DISC and kind_b == rec.AABB) or (kind_a == rec.AABB and kind_b == rec.DISC):
        swapped = kind_a == rec.AABB
        sign, low, high = (-1.0, low_a, high_a) if swapped else (1.0, low_b, high_b)
        fraction, nx, ny, marks = meet_disc_box(
            sign * dx, sign * dy, a[low], a[low + 1], a[high], a[high + 1], ra + rb, sign * mx, sign * my, slop
        )
        nx, ny = sign * nx, sign * ny
        if not swapped:
            return fraction, nx, ny, nx * ra, ny * ra, marks
        share = fraction if fraction <= 1.0 else 0.0
        return fraction, nx, ny, dx - share * mx - nx * rb, dy - share * my - ny * rb, marks
    if kind_a == rec.AABB and kind_b == rec.AABB and ra == 0.0 and rb == 0.0:
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
    old_xa, old_ya, old_xb, old_yb = a[i + rec.X], a[i + rec.Y], a[j + rec.X], a[j + rec.Y]
    a[i + rec.X], a[i + rec.Y], a[j + rec.X], a[j + rec.Y] = xa, ya, xb, yb
    found = meet_any(a, i, j, mx, my, slop)
    a[i + rec.X], a[i + rec.Y], a[j + rec.X], a[j + rec.Y] = old_xa, old_ya, old_xb, old_yb
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
    old_xa, old_ya, old_xb, old_yb = a[i + rec.X], a[i + rec.Y], a[j + rec.X], a[j + rec.Y]
    a[i + rec.X], a[i + rec.Y], a[j + rec.X], a[j + rec.Y] = xa, ya, xb, yb
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
        a[i + rec.X], a[i + rec.Y] = xa + mx, ya + my
        after = separate(a, i, a, j)[0]
        if after > slop:
            back = impact(a, i, a, j, -mx, -my, after)[0][0]
            leave = max(1.0 - back, enter) if back <= 1.0 else enter
    a[i + rec.X], a[i + rec.Y], a[j + rec.X], a[j + rec.Y] = old_xa, old_ya, old_xb, old_yb
    return enter, leave
