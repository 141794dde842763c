"""The place nearest to the origin where no pair of parts overlaps, from pieces of the boundary of A - B.

In: pieces, and the pairs of parts that may hide places on them. Out: the place as a translation of B, the normal there,
and the one or two pieces that B is then in touch at: the foot on a piece, the end of one, or where two cross. Pieces
cross only in the boxes around their open bits: a pair of parts is convex and so is the set of translations where it
overlaps, so a pair that hides both ends of a bit hides the whole of it. docs/design/compounds.md proves it. World
frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.compound.bodies import Corners
from carom.narrow.compound.boundary import (
    ARC,
    FEATURE,
    NORMAL_X,
    NORMAL_Y,
    PART_A,
    PART_B,
    X0,
    X1,
    Y0,
    Y1,
    Place,
    end_of_cone,
    in_cone,
    meeting_of,
)
from carom.narrow.compound.cover import Cover, covers, hides
from carom.narrow.slab import Box4
from carom.narrow.walk import unit
from carom.shapes.proxy import COUNT
from carom.tolerances import CONE_BAND, SURELY_LESS

BITS = 16
"""A piece is halved until each bit is hidden by one pair, or is this fraction of it."""


EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)

# distance, translation x and y, normal x and y, number of the first piece, and of the second or -1
Mtv = tuple[float, float, float, float, float, int, int]


@inner
def nearest_on_piece(a: Corners, b: Corners, piece: Floats, k: int) -> tuple[bool, float, float, float, float, float]:
    """Return whether the perpendicular from the origin meets a piece, the point nearest to it, its normal, its depth.

    The depth is negative where the origin is on the outer side of the piece.
    """
    if piece[k, FEATURE] == ARC:
        return nearest_on_arc(a, b, piece, k)
    x, y = piece[k, X0], piece[k, Y0]
    nx, ny = piece[k, NORMAL_X], piece[k, NORMAL_Y]
    height = nx * x + ny * y
    foot = x * ny - y * nx
    length = (piece[k, Y1] - y) * nx - (piece[k, X1] - x) * ny
    if 0.0 <= foot <= length:
        return True, nx * height, ny * height, nx, ny, height
    foot = min(max(foot, 0.0), length)
    x, y = x - foot * ny, y + foot * nx
    distance = math.sqrt(x * x + y * y)
    return False, x, y, nx, ny, distance if height >= 0.0 else -distance


@kernel
def nearest_on_arc(a: Corners, b: Corners, piece: Floats, k: int) -> tuple[bool, float, float, float, float, float]:
    """Return the same of an arc: the point where the line through the origin and its centre meets its circle."""
    x, y, radius = piece[k, X0], piece[k, Y0], piece[k, X1]
    length, nx, ny = unit(-x, -y)
    i, at, j, bt = meeting_of(a, b, piece, k)
    if length == 0.0:
        nx, ny = middle_of_cone(a, i, at, b, j, bt)
    met = in_cone(a, i, at, nx, ny) and in_cone(b, j, bt, -nx, -ny)
    return met, x + nx * radius, y + ny * radius, nx, ny, radius - length


@inner
def middle_of_cone(a: Corners, i: int, at: int, b: Corners, j: int, bt: int) -> Place:
    """Return a direction in which both vertices are outermost, for a point that is as near to all of an arc."""
    if a.buffer[i + COUNT] > 1.0:
        return end_of_cone(a, i, at, True)
    if b.buffer[j + COUNT] == 1.0:
        return 1.0, 0.0
    nx, ny = end_of_cone(b, j, bt, True)
    return -nx, -ny


@kernel
def on_piece(a: Corners, b: Corners, piece: Floats, k: int, x: float, y: float, band: float) -> bool:
    """Tell whether a point of a piece's line or circle belongs to the piece."""
    if piece[k, FEATURE] == ARC:
        _, nx, ny = unit(x - piece[k, X0], y - piece[k, Y0])
        i, at, j, bt = meeting_of(a, b, piece, k)
        return in_cone(a, i, at, nx, ny) and in_cone(b, j, bt, -nx, -ny)
    nx, ny = piece[k, NORMAL_X], piece[k, NORMAL_Y]
    along = (y - piece[k, Y0]) * nx - (x - piece[k, X0]) * ny
    length = (piece[k, Y1] - piece[k, Y0]) * nx - (piece[k, X1] - piece[k, X0]) * ny
    return bool(-band <= along <= length + band)


@kernel
def crossing(piece: Floats, k: int, other: int, second: bool) -> tuple[bool, float, float]:
    """Return where the lines or circles of two pieces cross: whether they do, and the first or second place."""
    if piece[k, FEATURE] == ARC and piece[other, FEATURE] != ARC:
        k, other = other, k
    x, y = piece[k, X0], piece[k, Y0]
    if piece[k, FEATURE] == ARC:
        dx, dy = piece[other, X0] - x, piece[other, Y0] - y
        first, last = piece[k, X1], piece[other, X1]
        length, ux, uy = unit(dx, dy)
        if length == 0.0:
            return False, 0.0, 0.0
        along = ((first - last) * (first + last) / length + length) / 2.0
        if abs(along) > first:
            return False, 0.0, 0.0
        aside = math.sqrt((first - along) * (first + along))
        aside = -aside if second else aside
        return True, x + along * ux - aside * uy, y + along * uy + aside * ux
    nx, ny = piece[k, NORMAL_X], piece[k, NORMAL_Y]
    cx, cy = piece[other, X0], piece[other, Y0]
    if piece[other, FEATURE] == ARC:
        radius, height = piece[other, X1], nx * (x - cx) + ny * (y - cy)
        if abs(height) > radius:
            return False, 0.0, 0.0
        aside = math.sqrt((radius - height) * (radius + height))
        aside = -aside if second else aside
        return True, cx + nx * height - aside * ny, cy + ny * height + aside * nx
    mx, my = piece[other, NORMAL_X], piece[other, NORMAL_Y]
    turning = nx * my - ny * mx
    if second or turning == 0.0:
        return False, 0.0, 0.0
    along = (mx * (cx - x) + my * (cy - y)) / turning
    return True, x - along * ny, y + along * nx


@kernel
def end_of_arc(a: Corners, b: Corners, piece: Floats, k: int, last: bool) -> Place:
    """Return the direction of an end of an arc from its centre; (0, 0) for a whole circle."""
    i, at, j, bt = meeting_of(a, b, piece, k)
    if a.buffer[i + COUNT] > 1.0:
        nx, ny = end_of_cone(a, i, at, last)
        if in_cone(b, j, bt, -nx, -ny):
            return nx, ny
    if b.buffer[j + COUNT] > 1.0:
        nx, ny = end_of_cone(b, j, bt, last)
        return -nx, -ny
    return 0.0, 0.0


@inner
def set_open_box(a: Corners, b: Corners, cover: Cover, piece: Floats, k: int, band: float, boxes: Floats) -> bool:
    """Write the lower and upper corner of a box around the bits of a piece that may be open; tell whether any is."""
    x0, y0, x1, y1 = piece[k, X0], piece[k, Y0], piece[k, X1], piece[k, Y1]
    is_arc = piece[k, FEATURE] == ARC
    margin = 2.0 * band
    ux, uy, vx, vy, mx, my, radius = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if is_arc:
        radius = x1
        margin += 8.0 * CONE_BAND * radius
        ux, uy = end_of_arc(a, b, piece, k, False)
        vx, vy = end_of_arc(a, b, piece, k, True)
        length, mx, my = unit(vy - uy, ux - vx)
        if length == 0.0:
            boxes[k, 0], boxes[k, 1] = x0 - radius - margin, y0 - radius - margin
            boxes[k, 2], boxes[k, 3] = x0 + radius + margin, y0 + radius + margin
            return True
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    largest = BITS // 2 if is_arc else BITS
    at, size = 0, largest
    while at < BITS:
        # The corners of a triangle around the bit: its ends and, of an arc, where the tangents at them meet.
        first, last = at / BITS, (at + size) / BITS
        if is_arc:
            first_x, first_y = on_arc(ux, uy, mx, my, vx, vy, first)
            last_x, last_y = on_arc(ux, uy, mx, my, vx, vy, last)
            reach = radius / (1.0 + (first_x * last_x + first_y * last_y))
            top_x, top_y = x0 + reach * (first_x + last_x), y0 + reach * (first_y + last_y)
            first_x, first_y = x0 + radius * first_x, y0 + radius * first_y
            last_x, last_y = x0 + radius * last_x, y0 + radius * last_y
        else:
            first_x, first_y = x0 + first * (x1 - x0), y0 + first * (y1 - y0)
            last_x, last_y = x0 + last * (x1 - x0), y0 + last * (y1 - y0)
            top_x, top_y = first_x + 0.5 * (last_x - first_x), first_y + 0.5 * (last_y - first_y)
        hidden = hides(cover, top_x, top_y)
        if hidden:
            pair = cover.order[0]
            hidden = covers(cover, pair, first_x, first_y) and covers(cover, pair, last_x, last_y)
        if not hidden and size > 1:
            size //= 2
            continue
        if not hidden:
            low_x, high_x = min(low_x, first_x, last_x, top_x), max(high_x, first_x, last_x, top_x)
            low_y, high_y = min(low_y, first_y, last_y, top_y), max(high_y, first_y, last_y, top_y)
        at += size
        while size < largest and at % (2 * size) == 0:
            size *= 2
    boxes[k, 0], boxes[k, 1] = low_x - margin, low_y - margin
    boxes[k, 2], boxes[k, 3] = high_x + margin, high_y + margin
    return low_x <= high_x


@inner
def on_arc(ux: float, uy: float, mx: float, my: float, vx: float, vy: float, share: float) -> Place:
    """Return a direction between u and v, whose middle is m; each half is at most a quarter turn."""
    if share <= 0.5:
        _, x, y = unit(ux + 2.0 * share * (mx - ux), uy + 2.0 * share * (my - uy))
    else:
        _, x, y = unit(mx + (2.0 * share - 1.0) * (vx - mx), my + (2.0 * share - 1.0) * (vy - my))
    return x, y


@kernel
def mtv_within(
    a: Corners, b: Corners, cover: Cover, piece: Floats, count: int, limit: float, band: float, square: Box4
) -> Mtv:
    """Return the nearest uncovered point of the pieces in a square, or one at an infinite distance.

    There is none if none is within `limit`.
    """
    best, best_x, best_y, best_nx, best_ny, first, last = limit, 0.0, 0.0, 0.0, 0.0, -1, -1
    for asked in range(2):
        # The feet of perpendiculars first, then the ends of straight pieces.
        for k in range(count):
            met, x, y, nx, ny, distance = nearest_on_piece(a, b, piece, k)
            # From inside, a piece that looks the other way parts nothing: another piece does, at the same place.
            if met != (asked == 0) or distance < -band or (asked == 1 and piece[k, FEATURE] == ARC):
                continue
            distance = abs(distance)
            least = best * SURELY_LESS if asked == 0 else best - band
            less = distance < least or (first < 0 and distance <= best)
            if less and is_in(square, x, y) and not hides(cover, x, y):
                best, best_x, best_y, best_nx, best_ny, first = distance, x, y, nx, ny, k
                if asked == 1 and distance > band:
                    best_nx, best_ny = x / distance, y / distance
    boxes = np.empty((count, 4))
    nearest = np.empty(count, dtype=np.int64)
    left = 0
    for k in range(count):
        if nearest_bound(piece, k) < best and set_open_box(a, b, cover, piece, k, band, boxes):
            nearest[left] = k
            left += 1
    for m in range(left):
        for n in range(m):
            k, other = nearest[m], nearest[n]
            if (
                boxes[k, 0] > boxes[other, 2]
                or boxes[other, 0] > boxes[k, 2]
                or boxes[k, 1] > boxes[other, 3]
                or boxes[other, 1] > boxes[k, 3]
                or (piece[k, PART_A] == piece[other, PART_A] and piece[k, PART_B] == piece[other, PART_B])
            ):
                continue
            for which in range(2):
                crosses, x, y = crossing(piece, k, other, which == 1)
                distance = math.sqrt(x * x + y * y)
                if (
                    not crosses
                    or not (boxes[k, 0] <= x <= boxes[k, 2] and boxes[k, 1] <= y <= boxes[k, 3])
                    or not (boxes[other, 0] <= x <= boxes[other, 2] and boxes[other, 1] <= y <= boxes[other, 3])
                    or not (distance < best - band if first >= 0 else distance <= best)
                    or not is_in(square, x, y)
                    or not on_piece(a, b, piece, k, x, y, band)
                    or not on_piece(a, b, piece, other, x, y, band)
                ):
                    continue
                if not hides(cover, x, y):
                    best, best_x, best_y, first, last = distance, x, y, other, k
                    if distance > band:
                        best_nx, best_ny = x / distance, y / distance
                    else:
                        _, _, _, best_nx, best_ny, _ = nearest_on_piece(a, b, piece, k)
    if first < 0:
        return math.inf, 0.0, 0.0, 1.0, 0.0, -1, -1
    return best, best_x, best_y, best_nx, best_ny, first, last


@inner
def is_in(square: Box4, x: float, y: float) -> bool:
    """Tell whether a point lies in a square."""
    return square[0] <= x <= square[2] and square[1] <= y <= square[3]


@inner
def nearest_bound(piece: Floats, k: int) -> float:
    """Return a number that no point of a piece's line or circle is nearer to the origin than."""
    x, y = piece[k, X0], piece[k, Y0]
    if piece[k, FEATURE] == ARC:
        return float(abs(math.sqrt(x * x + y * y) - piece[k, X1]))
    return float(abs(piece[k, NORMAL_X] * x + piece[k, NORMAL_Y] * y))
