"""What is thinner than the slop where surfaces are flush: two flush parts are one surface to it, and so is their seam.

In: a thin part that moves relative to a wide one, and what else is there. Out: where it comes to a corner of the wide
part behind which another part closes the way, and which sides of a corner are on the outside. A wide part overlaps
both of two flush parts where it meets their seam, so that each alone stops it; a point, a segment or a box of no width
only grazes each of them. So it is stopped where it comes to a corner of one while another one touches that corner from
the other side of its way: seams, T-junctions, and corners that merely touch, whatever the angle. World frame, user's
units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, REACH, STRIDE
from carom.tolerances import SEAM_SLOPS, THIN_SLOPS

OTHER = 4  # numbers kept of each part at a corner: start of its record, its origin x and y, and its number

# how far the way is to a corner, the place of that corner in the record, and the point that is touched, relative to the
# origin of that record
Entry = tuple[float, int, float, float]


@inner
def longest_side(a: Floats, i: int) -> tuple[float, float]:
    """Return the normal of the longest side of the shape at i; (0, 0) of a point."""
    begin, end = i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT])
    longest, nx, ny = 0.0, 0.0, 0.0
    for edge in range(begin, end, STRIDE):
        after = edge + STRIDE if edge + STRIDE < end else begin
        length = abs(a[after] - a[edge]) + abs(a[after + 1] - a[edge + 1])
        if length > longest:
            longest, nx, ny = length, a[edge + 2], a[edge + 3]
    return nx, ny


@inner
def span_along(a: Floats, i: int, x: float, y: float) -> tuple[float, float]:
    """Return from where to where a core reaches along a direction, relative to its origin."""
    low, high = math.inf, -math.inf
    for at in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        along = a[at] * x + a[at + 1] * y
        low, high = min(low, along), max(high, along)
    return low, high


@inner
def span_of_front(a: Floats, i: int, ux: float, uy: float, length: float) -> tuple[float, float, float]:
    """Return from where to where the foremost part of a core, so long along u, reaches across it, to the left of u.

    And how far the core reaches along u.
    """
    _, front = span_along(a, i, ux, uy)
    low, high, cut = math.inf, -math.inf, front - length
    begin, end = i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT])
    for at in range(begin, end, STRIDE):
        after = at + STRIDE if at + STRIDE < end else begin
        along, next_along = a[at] * ux + a[at + 1] * uy, a[after] * ux + a[after + 1] * uy
        across, next_across = a[at + 1] * ux - a[at] * uy, a[after + 1] * ux - a[after] * uy
        if along >= cut:
            low, high = min(low, across), max(high, across)
        if (along < cut) != (next_along < cut):
            across += (next_across - across) * ((cut - along) / (next_along - along))
            low, high = min(low, across), max(high, across)
    return low, high, front


@kernel
def way_to_corner(
    a: Floats, i: int, j: int, ox: float, oy: float, ux: float, uy: float, length: float, slop: float
) -> Entry:
    """Return how far a thin shape at i can move along u until it is at the first corner of the shape at j beside it.

    Infinite if its foremost end is not thin across its way, has passed that corner already, or does not go on beyond
    it. A line that leans enters with its tip first. A round shape counts as a corner where it is as near as makes no
    difference.
    """
    low, high, front = span_of_front(a, i, ux, uy, slop)
    width, reach = high - low + 2.0 * a[i + RADIUS], SEAM_SLOPS * slop
    if width > THIN_SLOPS * slop:
        return math.inf, 0, 0.0, 0.0
    middle = 0.5 * (low + high)
    reach += 0.5 * width
    radius = a[j + RADIUS]
    first, place, side = math.inf, 0, 0.0
    room = math.sqrt(2.0 * radius * reach)
    for at in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
        x, y = ox + a[at], oy + a[at + 1]
        apart = middle - (y * ux - x * uy)
        if abs(abs(apart) - radius) <= reach:
            along = x * ux + y * uy - room
            if along < first:
                first, place, side = along, at, (radius if apart > 0.0 else -radius)
    way = first - front
    # Of a round shape it is past what is touched, not where that begins: it may have come to rest in between.
    if way < -SEAM_SLOPS * slop - room or way > length - slop:
        return math.inf, 0, 0.0, 0.0
    return max(way, 0.0), place, a[place] - side * uy, a[place + 1] + side * ux


@inner
def bounds_touch(a: Floats, j: int, x: float, y: float, px: float, py: float, reach: float) -> bool:
    """Tell whether the circle around the shape at j, with its origin at (x, y), reaches a point."""
    dx, dy = px - (x + a[j + CENTER_X]), py - (y + a[j + CENTER_Y])
    reach += a[j + REACH] + a[j + RADIUS]
    return bool(dx * dx + dy * dy <= reach * reach * (1.0 + 1e-9))


@inner
def put_beside(beside: Floats, count: int, start: int, x: float, y: float, number: int) -> int:
    """Note a part as one that may touch a corner; return how many there are."""
    at = OTHER * count
    if at == beside.shape[0]:
        return count
    beside[at], beside[at + 1], beside[at + 2], beside[at + 3] = float(start), x, y, float(number)
    return count + 1


@kernel
def lies_beside(
    a: Floats, j: int, x: float, y: float, px: float, py: float, ux: float, uy: float, side: float, reach: float
) -> bool:
    """Tell whether the shape at j, with its origin at (x, y), touches the line through p along u, at p and from a side.

    The sides are 1, to the left of u, and -1. What lies on the line is on neither.
    """
    radius = a[j + RADIUS]
    nearest, farthest, low, high = math.inf, -math.inf, math.inf, -math.inf
    room = math.sqrt(2.0 * radius * reach)
    for at in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
        dx, dy = (x + a[at]) - px, (y + a[at + 1]) - py
        apart = side * (dy * ux - dx * uy) - radius
        nearest, farthest = min(nearest, apart), max(farthest, apart + 2.0 * radius)
        if apart <= reach:
            along = dx * ux + dy * uy
            low, high = min(low, along - room), max(high, along + room)
    return abs(nearest) <= reach < farthest and low <= reach and high >= -reach


@inner
def stands_ahead(
    a: Floats, j: int, x: float, y: float, px: float, py: float, ux: float, uy: float, side: float, reach: float
) -> bool:
    """Tell whether the shape at j, a corner of which is at p, has something ahead of p on a side of the way along u.

    What has it only behind p has been passed: by what slides off a tile onto the next, the tile.
    """
    radius = a[j + RADIUS]
    for at in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
        dx, dy = (x + a[at]) - px, (y + a[at + 1]) - py
        if side * (dy * ux - dx * uy) + radius > reach and dx * ux + dy * uy + radius >= -reach:
            return True
    return False


@kernel
def closing_part(
    a: Floats,
    beside: Floats,
    count: int,
    j: int,
    x: float,
    y: float,
    px: float,
    py: float,
    ux: float,
    uy: float,
    reach: float,
) -> int:
    """Return which of the parts beside a corner p closes the way along u past it; -1 if none does.

    The corner is one of the shape at j, whose origin is at (x, y).
    """
    for turn in range(2):
        side = 1.0 if turn == 0 else -1.0
        if not stands_ahead(a, j, x, y, px, py, ux, uy, -side, reach):
            continue
        for k in range(count):
            at = OTHER * k
            if lies_beside(a, int(beside[at]), beside[at + 1], beside[at + 2], px, py, ux, uy, side, reach):
                return k
    return -1
