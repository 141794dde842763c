"""The minimum translation vector (MTV) of bodies of several parts: how deep two overlap, seen as two whole shapes.

In: two bodies that touch or overlap. Out: the least translation of B that parts them, the normal there, and the one or
two pieces of the boundary of A - B that B is then in touch at. The place sought is the point nearest to the origin on
the boundary of the union of all pairs: the foot on a piece, the end of one, or where two pieces cross, provided no
pair of parts overlaps there. docs/design/compounds.md proves it. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import Bodies
from carom.narrow.compound.boundary import (
    ARC,
    AT,
    BT,
    FEATURE,
    NORMAL_X,
    NORMAL_Y,
    START_A,
    START_B,
    X0,
    X1,
    Y0,
    Y1,
    discs_of,
    hiding_pair,
    in_cone,
    near_pairs,
    near_pieces,
)
from carom.narrow.compound.hidden import set_open_box
from carom.narrow.walk import unit
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, RADIUS, REACH, X, Y
from carom.tolerances import COVER_BAND, SURELY_LESS

# distance, translation x and y, normal x and y, number of the first piece, and of the second or -1
Mtv = tuple[float, float, float, float, float, int, int]


@kernel
def nearest_on_piece(
    a: Floats, cones_a: Floats, b: Floats, cones_b: Floats, piece: Floats, k: int
) -> tuple[bool, float, float, float, float, float]:
    """Return whether the perpendicular from the origin meets a piece, the point nearest to it, its normal, its depth.

    The depth is negative where the origin is on the outer side of the piece.
    """
    x, y = piece[k, X0], piece[k, Y0]
    if piece[k, FEATURE] == ARC:
        radius = piece[k, X1]
        length, nx, ny = unit(-x, -y)
        i, at, j, bt = int(piece[k, START_A]), int(piece[k, AT]), int(piece[k, START_B]), int(piece[k, BT])
        if length == 0.0:
            nx, ny = middle_of_cone(a, cones_a, i, at, b, cones_b, j, bt)
        met = in_cone(a, cones_a, i, at, nx, ny) and in_cone(b, cones_b, j, bt, -nx, -ny)
        return met, x + nx * radius, y + ny * radius, nx, ny, radius - length
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


@inner
def middle_of_cone(
    a: Floats, cones_a: Floats, i: int, at: int, b: Floats, cones_b: Floats, j: int, bt: int
) -> tuple[float, float]:
    """Return a direction in which both vertices are outermost, for a point that is as near to all of an arc."""
    if a[i + COUNT] == 1.0 and b[j + COUNT] == 1.0:
        return 1.0, 0.0
    if a[i + COUNT] == 1.0:
        return (-cones_b[bt, 2], -cones_b[bt, 3]) if cones_b.shape[0] > 0 else (-b[bt + 2], -b[bt + 3])
    return (cones_a[at, 2], cones_a[at, 3]) if cones_a.shape[0] > 0 else (a[at + 2], a[at + 3])


@kernel
def on_piece(
    a: Floats, cones_a: Floats, b: Floats, cones_b: Floats, piece: Floats, k: int, x: float, y: float, band: float
) -> bool:
    """Tell whether a point of a piece's line or circle belongs to the piece."""
    if piece[k, FEATURE] == ARC:
        _, nx, ny = unit(x - piece[k, X0], y - piece[k, Y0])
        i, at, j, bt = int(piece[k, START_A]), int(piece[k, AT]), int(piece[k, START_B]), int(piece[k, BT])
        return in_cone(a, cones_a, i, at, nx, ny) and in_cone(b, cones_b, j, bt, -nx, -ny)
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
def mtv_within(
    a: Floats,
    cones_a: Floats,
    b: Floats,
    cones_b: Floats,
    pairs: Integers,
    piece: Floats,
    count: int,
    limit: float,
    band: float,
) -> Mtv:
    """Return the nearest uncovered point of the pieces, or one at an infinite distance if none is within `limit`."""
    best, best_x, best_y, best_nx, best_ny, first, last = limit, 0.0, 0.0, 0.0, 0.0, -1, -1
    discs, order = discs_of(a, b, pairs, 2.0 * limit)
    for asked in range(2):
        # The feet of perpendiculars first, then the ends of straight pieces.
        for k in range(count):
            met, x, y, nx, ny, distance = nearest_on_piece(a, cones_a, b, cones_b, piece, k)
            # From inside, a piece that looks the other way parts nothing: another piece does, at the same place.
            if met != (asked == 0) or distance < -band or (asked == 1 and piece[k, FEATURE] == ARC):
                continue
            distance = abs(distance)
            least = best * SURELY_LESS if asked == 0 else best - band
            less = distance < least or (first < 0 and distance <= best)
            if less and not hiding_pair(a, b, pairs, discs, order, x, y):
                best, best_x, best_y, best_nx, best_ny, first = distance, x, y, nx, ny, k
                if asked == 1 and distance > band:
                    best_nx, best_ny = x / distance, y / distance
    boxes = np.empty((count, 4))
    nearest = np.empty(count, dtype=np.int64)
    left = 0
    for k in range(count):
        if nearest_bound(piece, k) < best and set_open_box(
            a, cones_a, b, cones_b, pairs, discs, order, piece, k, band, boxes
        ):
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
                or (piece[k, START_A] == piece[other, START_A] and piece[k, START_B] == piece[other, START_B])
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
                    or not on_piece(a, cones_a, b, cones_b, piece, k, x, y, band)
                    or not on_piece(a, cones_a, b, cones_b, piece, other, x, y, band)
                ):
                    continue
                if not hiding_pair(a, b, pairs, discs, order, x, y):
                    best, best_x, best_y, first, last = distance, x, y, other, k
                    if distance > band:
                        best_nx, best_ny = x / distance, y / distance
                    else:
                        _, _, _, best_nx, best_ny, _ = nearest_on_piece(a, cones_a, b, cones_b, piece, k)
    if first < 0:
        return math.inf, 0.0, 0.0, 1.0, 0.0, -1, -1
    return best, best_x, best_y, best_nx, best_ny, first, last


@inner
def nearest_bound(piece: Floats, k: int) -> float:
    """Return a number that no point of a piece's line or circle is nearer to the origin than."""
    x, y = piece[k, X0], piece[k, Y0]
    if piece[k, FEATURE] == ARC:
        return float(abs(math.sqrt(x * x + y * y) - piece[k, X1]))
    return float(abs(piece[k, NORMAL_X] * x + piece[k, NORMAL_Y] * y))


@kernel
def widen(box: Floats, body: Bodies, row: int, x: float, y: float) -> None:
    """Widen a box, relative to a place, by the parts of a body."""
    a = body.buffer
    for part in range(body.first[row], body.first[row + 1]):
        i = body.starts[part]
        reach = a[i + REACH] + a[i + RADIUS]
        dx, dy = (a[i + X] - x) + a[i + CENTER_X], (a[i + Y] - y) + a[i + CENTER_Y]
        box[0], box[1] = min(box[0], dx - reach), min(box[1], dy - reach)
        box[2], box[3] = max(box[2], dx + reach), max(box[3], dy + reach)


@kernel
def mtv(a: Bodies, body_a: int, b: Bodies, body_b: int, least: float) -> tuple[Mtv, Floats]:
    """Return the minimum translation vector of two bodies, known to be at least `least`; and the pieces near it."""
    p, q = a.buffer, b.buffer
    first_a, first_b = a.starts[a.first[body_a]], b.starts[b.first[body_b]]
    x, y = p[first_a + X], p[first_a + Y]
    box = np.empty(4)
    box[0], box[1], box[2], box[3] = math.inf, math.inf, -math.inf, -math.inf
    widen(box, a, body_a, x, y)
    widen(box, b, body_b, x, y)
    # No translation that parts them has to be longer, and no coordinate difference is.
    whole = 2.0 * ((box[2] - box[0]) + (box[3] - box[1]))
    whole += abs(q[first_b + X] - x) + abs(q[first_b + Y] - y)
    band = COVER_BAND * whole
    limit = least + 2.0 * band
    while True:
        pairs = near_pairs(a, body_a, b, body_b, 0.0, 0.0, limit)
        piece, count = near_pieces(a, b, pairs, 0.0, 0.0, limit)
        found = mtv_within(p, a.cones, q, b.cones, pairs, piece, count, limit, band)
        if found[0] < math.inf or limit > whole:
            return found, piece
        limit = max(2.0 * limit, whole / 4096.0)
