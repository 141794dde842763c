"""Which side of a corner is on the outside, and where what is thin came in, given what else is there.

In: a corner, the motion towards it, and the parts beside it. Out: the normal of a side against which no other part
lies, or the corner at which the outside is reached. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.character.toi.internal_edges import OTHER, span_along
from carom.shapes.moments import least_width
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, STRIDE
from carom.tolerances import NEARLY_TOUCHING, SAME_NORMAL


@kernel
def is_covered(
    a: Floats,
    beside: Floats,
    count: int,
    px: float,
    py: float,
    tx: float,
    ty: float,
    nx: float,
    ny: float,
    ux: float,
    uy: float,
    length: float,
    reach: float,
) -> bool:
    """Tell whether another part lies against a side that begins at p, goes along t, and whose outward normal is n.

    Or whether it lies at p between the side and where a motion along u comes from.
    """
    step = min(NEARLY_TOUCHING * reach, 0.5 * length)
    qx, qy = px + step * tx, py + step * ty
    for k in range(count):
        at = OTHER * k
        c, x, y = int(beside[at]), beside[at + 1], beside[at + 2]
        if a[c + COUNT] < 3.0:
            continue
        apart, apart_first, lowest = -math.inf, -math.inf, math.inf
        for edge in range(c + POINTS, c + POINTS + STRIDE * int(a[c + COUNT]), STRIDE):
            ex, ey = x + a[edge], y + a[edge + 1]
            apart = max(apart, (qx - ex) * a[edge + 2] + (qy - ey) * a[edge + 3])
            apart_first = max(apart_first, (px - ex) * a[edge + 2] + (py - ey) * a[edge + 3])
            lowest = min(lowest, (ex - px) * nx + (ey - py) * ny)
        radius = a[c + RADIUS]
        if apart - radius < -reach or (apart - radius <= reach and lowest - radius >= -reach):
            return True
        cx, cy = (x + a[c + CENTER_X]) - px, (y + a[c + CENTER_Y]) - py
        outward = cx * nx + cy * ny
        if apart_first - radius <= reach and outward > reach:
            along, from_along, from_outward = cx * tx + cy * ty, -(ux * tx + uy * ty), -(ux * nx + uy * ny)
            if along * from_outward - outward * from_along > reach:
                return True
    return False


@kernel
def outer_side(
    a: Floats,
    beside: Floats,
    count: int,
    j: int,
    x: float,
    y: float,
    place: int,
    ux: float,
    uy: float,
    reach: float,
    steepest: bool,
    given_x: float,
    given_y: float,
) -> tuple[float, float, bool]:
    """Return the outward normal of the side at a corner that stops a motion along u; (0, 0) if there is none.

    And whether another part covers such a side.

    Of the sides against which no other part lies, and towards which the motion closes by more than rounding, it is the
    one that takes most of the motion, or else the one that is given if no other part lies against that, or else the one
    that takes least. The corner is at `place` of the shape at j, with its origin at (x, y).
    """
    px, py = x + a[place], y + a[place + 1]
    begin, end = j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT])
    best, best_x, best_y = (0.0 if steepest else math.inf), 0.0, 0.0
    if a[j + COUNT] < 2.0 or a[j + RADIUS] > reach:
        return best_x, best_y, False
    covered = False
    for edge in range(begin, end, STRIDE):
        after = edge + STRIDE if edge + STRIDE < end else begin
        nx, ny = a[edge + 2], a[edge + 3]
        length = abs((a[after] - a[edge]) * ny) + abs((a[after + 1] - a[edge + 1]) * nx)
        closing = -(nx * ux + ny * uy)
        given = not steepest and abs(nx - given_x) + abs(ny - given_y) <= SAME_NORMAL
        if closing * length <= 2.0 * reach and not given:
            continue
        if given:
            closing = 0.0
        from_first = max(abs(a[edge] - a[place]), abs(a[edge + 1] - a[place + 1])) <= reach
        from_last = max(abs(a[after] - a[place]), abs(a[after + 1] - a[place + 1])) <= reach
        if from_first == from_last or (closing <= best if steepest else closing >= best):
            continue
        sign = 1.0 if from_first else -1.0
        if is_covered(a, beside, count, px, py, -sign * ny, sign * nx, nx, ny, ux, uy, length, reach):
            covered = True
        else:
            best, best_x, best_y = closing, nx, ny
    return best_x, best_y, covered


@kernel
def corner_at(
    a: Floats, j: int, x: float, y: float, px: float, py: float, nx: float, ny: float, ux: float, uy: float
) -> tuple[int, int]:
    """Return the places of the corner of the shape at j nearest to p, and of the one behind it on the side that is hit.

    Behind, as seen along u. The side has the outward normal n, the shape its origin at (x, y); -1 where there is none.
    """
    nearest, behind = -1, -1
    if a[j + COUNT] < 2.0:
        return nearest, behind
    least = math.inf
    begin, end = j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT])
    for edge in range(begin, end, STRIDE):
        away = max(abs(x + a[edge] - px), abs(y + a[edge + 1] - py))
        if away < least:
            least, nearest = away, edge
        if abs(a[edge + 2] - nx) + abs(a[edge + 3] - ny) <= SAME_NORMAL:
            after = edge + STRIDE if edge + STRIDE < end else begin
            behind = after if nx * uy - ny * ux < 0.0 else edge
    return nearest, behind


@inner
def ends_at(
    a: Floats, place: int, x: float, y: float, px: float, py: float, nx: float, ny: float, reach: float
) -> bool:
    """Tell whether a side through p, with the normal n, passes a corner of a shape with its origin at (x, y).

    Where the side leans by little, p may be far from the corner.
    """
    return bool(abs((x + a[place] - px) * nx + (y + a[place + 1] - py) * ny) <= 2.0 * reach)


@kernel
def side_of_corner(
    a: Floats,
    beside: Floats,
    count: int,
    i: int,
    xi: float,
    yi: float,
    j: int,
    x: float,
    y: float,
    place: int,
    ux: float,
    uy: float,
    reach: float,
    given_x: float,
    given_y: float,
) -> tuple[float, float]:
    """Return the outward normal of a side of a corner at which the shape at i, moving along u, meets the shape at j.

    Others lie at the corner: it is a side against which none lies, and on whose outside the shape at i is; (0, 0) if
    there is none. The shapes' origins are at (xi, yi) and (x, y), the corner is at `place` of the second.
    """
    if count == 0:
        return 0.0, 0.0
    nx, ny, _ = outer_side(a, beside, count, j, x, y, place, ux, uy, reach, False, given_x, given_y)
    apart = (xi - (x + a[place])) * nx + (yi - (y + a[place + 1])) * ny
    # One that it is on the far side of is met from within.
    if apart - span_along(a, i, -nx, -ny)[1] - a[i + RADIUS] < -reach:
        return 0.0, 0.0
    return nx, ny


@inner
def touches_with_end(a: Floats, i: int, nx: float, ny: float, reach: float) -> bool:
    """Tell whether the core at i reaches farthest along n with one end only."""
    _, farthest = span_along(a, i, nx, ny)
    low, high = math.inf, -math.inf
    for at in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        if a[at] * nx + a[at + 1] * ny >= farthest - reach:
            across = a[at + 1] * nx - a[at] * ny
            low, high = min(low, across), max(high, across)
    return high - low <= reach


@kernel
def way_to_outside(
    a: Floats,
    beside: Floats,
    count: int,
    i: int,
    j: int,
    x: float,
    y: float,
    px: float,
    py: float,
    nx: float,
    ny: float,
    ux: float,
    uy: float,
    gone: float,
    reach: float,
) -> tuple[float, int, bool]:
    """Return at which corner a thin shape at i, which meets the shape at j at p, really comes to the outside of it.

    `gone` is the length of its way to p, and n the normal there, towards the shape at j, whose origin is at (x, y) by
    then. Near a corner it is that one; where another part lies against the side that is hit, the thin shape is between
    the two already, and came in at the corner behind. Returned: the way to the corner, its place (-1 if the side is the
    right one), and whether it comes in there beside the corner.
    """
    nearest, behind = corner_at(a, j, x, y, px, py, -nx, -ny, ux, uy)
    side_to_side = behind >= 0 and least_width(a, j) > 4.0 * reach
    if nearest < 0 or not (side_to_side or touches_with_end(a, i, nx, ny, reach)):
        return gone, -1, False
    dx, dy = (x + a[nearest]) - px, (y + a[nearest + 1]) - py
    if max(abs(dx), abs(dy)) <= 4.0 * reach:
        return gone, nearest, False
    if behind < 0:
        return gone, -1, False
    dx, dy = (x + a[behind]) - px, (y + a[behind + 1]) - py
    away = math.sqrt(dx * dx + dy * dy)
    way = gone + (dx * ux + dy * uy)
    if away == 0.0 or way < -2.0 * reach:
        return gone, -1, False  # if covered, it started in between
    if not is_covered(a, beside, count, px, py, dx / away, dy / away, -nx, -ny, ux, uy, away, reach):
        return gone, -1, False
    return max(way, 0.0), behind, True


@kernel
def surface_along(
    a: Floats, beside: Floats, count: int, j: int, px: float, py: float, ux: float, uy: float, reach: float
) -> tuple[bool, float, float]:
    """Tell whether what meets the end p of the line at j, head on, comes along another part that ends there.

    Then it goes on along the line: the two are one surface. And return the outward normal of that part's side, for
    what comes along the other part may lie on the line exactly; (0, 0) if that is a line itself.
    """
    if a[j + COUNT] != 2.0 or a[j + RADIUS] > reach:
        return False, 0.0, 0.0
    qx, qy = px - NEARLY_TOUCHING * reach * ux, py - NEARLY_TOUCHING * reach * uy
    for k in range(count):
        at = OTHER * k
        c, x, y = int(beside[at]), beside[at + 1], beside[at + 2]
        apart, begin = -math.inf, c + POINTS
        outward_x, outward_y = 0.0, 0.0
        for edge in range(begin, begin + STRIDE * int(a[c + COUNT]), STRIDE):
            dx, dy = qx - (x + a[edge]), qy - (y + a[edge + 1])
            beyond = dx * a[edge + 2] + dy * a[edge + 3]
            if beyond > apart:
                apart, outward_x, outward_y = beyond, a[edge + 2], a[edge + 3]
            if a[c + COUNT] == 2.0:  # beyond the ends of a line
                other = begin + STRIDE if edge == begin else begin
                ex, ey = a[other] - a[edge], a[other + 1] - a[edge + 1]
                apart = max(apart, -(dx * ex + dy * ey) / math.sqrt(ex * ex + ey * ey))
        if a[c + COUNT] >= 2.0 and abs(apart - a[c + RADIUS]) <= reach:
            return (True, 0.0, 0.0) if a[c + COUNT] == 2.0 else (True, outward_x, outward_y)
    return False, 0.0, 0.0
