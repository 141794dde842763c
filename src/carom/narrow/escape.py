"""The least way out of a body of several parts: how deep two bodies overlap, seen as two whole shapes.

In: two bodies that touch or overlap. Out: the least translation of B that parts them, the normal there, and the one or
two pieces of the boundary of A - B that B is then in touch at. The place sought is the point nearest to the origin on
the boundary of the union of all pairs: the foot on a piece, the end of one, or where two pieces cross, provided no
pair of parts overlaps there. docs/design/compounds.md proves it. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._jit import inner, kernel
from carom._records import CENTER_X, CENTER_Y, COUNT, RADIUS, REACH, X, Y
from carom._typing import Floats, Integers
from carom.narrow.bodies import Bodies
from carom.narrow.pieces import (
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
    covered,
    in_cone,
    near_pairs,
    near_pieces,
)
from carom.narrow.walk import unit
from carom.tolerances import COVER_BAND, SURELY_LESS

# distance, translation x and y, normal x and y, number of the first piece, and of the second or -1
Escape = tuple[float, float, float, float, float, int, int]


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
def escape_within(
    a: Floats,
    cones_a: Floats,
    b: Floats,
    cones_b: Floats,
    pairs: Integers,
    piece: Floats,
    sx: float,
    sy: float,
    limit: float,
    band: float,
) -> Escape:
    """Return the nearest uncovered point of the pieces, or one at an infinite distance if none is within `limit`."""
    best, best_x, best_y, best_nx, best_ny, first, last = limit, 0.0, 0.0, 0.0, 0.0, -1, -1
    count = piece.shape[0]
    for k in range(count):
        met, x, y, nx, ny, distance = nearest_on_piece(a, cones_a, b, cones_b, piece, k)
        # From inside, a piece that looks the other way is no way out: another piece is, at the same place.
        if not met or distance < -band:
            continue
        distance = abs(distance)
        less = distance < best * SURELY_LESS if first >= 0 else distance <= best
        if less and not covered(a, b, pairs, sx + x, sy + y):
            best, best_x, best_y, best_nx, best_ny, first = distance, x, y, nx, ny, k
    for k in range(count):
        met, x, y, nx, ny, distance = nearest_on_piece(a, cones_a, b, cones_b, piece, k)
        if met or distance < -band or piece[k, FEATURE] == ARC:
            continue
        distance = abs(distance)
        less = distance < best - band if first >= 0 else distance <= best
        if less and not covered(a, b, pairs, sx + x, sy + y):
            best, best_x, best_y, best_nx, best_ny, first = distance, x, y, nx, ny, k
            if distance > band:
                best_nx, best_ny = x / distance, y / distance
    for k in range(count):
        if nearest_bound(piece, k) >= best:
            continue
        for other in range(k):
            if piece[k, START_A] == piece[other, START_A] and piece[k, START_B] == piece[other, START_B]:
                continue
            for which in range(2):
                crosses, x, y = crossing(piece, k, other, which == 1)
                distance = math.sqrt(x * x + y * y)
                less = distance < best - band if first >= 0 else distance <= best
                if (
                    crosses
                    and less
                    and on_piece(a, cones_a, b, cones_b, piece, k, x, y, band)
                    and on_piece(a, cones_a, b, cones_b, piece, other, x, y, band)
                    and not covered(a, b, pairs, sx + x, sy + y)
                ):
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
def size_of_pair(a: Bodies, body_a: int, b: Bodies, body_b: int) -> float:
    """Return a length that no way out exceeds, and that no coordinate difference does."""
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    i, j = a.starts[a.first[body_a]], b.starts[b.first[body_b]]
    home_x, home_y = a.buffer[i + X], a.buffer[i + Y]
    total = abs(b.buffer[j + X] - home_x) + abs(b.buffer[j + Y] - home_y)
    for part in range(a.first[body_a], a.first[body_a + 1]):
        i = a.starts[part]
        reach = a.buffer[i + REACH] + a.buffer[i + RADIUS]
        x, y = (a.buffer[i + X] - home_x) + a.buffer[i + CENTER_X], (a.buffer[i + Y] - home_y) + a.buffer[i + CENTER_Y]
        low_x, high_x = min(low_x, x - reach), max(high_x, x + reach)
        low_y, high_y = min(low_y, y - reach), max(high_y, y + reach)
    for part in range(b.first[body_b], b.first[body_b + 1]):
        j = b.starts[part]
        reach = b.buffer[j + REACH] + b.buffer[j + RADIUS]
        x, y = (b.buffer[j + X] - home_x) + b.buffer[j + CENTER_X], (b.buffer[j + Y] - home_y) + b.buffer[j + CENTER_Y]
        low_x, high_x = min(low_x, x - reach), max(high_x, x + reach)
        low_y, high_y = min(low_y, y - reach), max(high_y, y + reach)
    return float(2.0 * ((high_x - low_x) + (high_y - low_y)) + total)


@kernel
def escape(a: Bodies, body_a: int, b: Bodies, body_b: int, sx: float, sy: float, least: float) -> tuple[Escape, Floats]:
    """Return the least way out of two bodies, B moved by s, known to be at least `least`; and the pieces near it."""
    whole = size_of_pair(a, body_a, b, body_b)
    band = COVER_BAND * whole
    limit = least + 2.0 * band
    while True:
        pairs = near_pairs(a, body_a, b, body_b, sx, sy, limit)
        piece = near_pieces(a, b, pairs, sx, sy, limit)
        found = escape_within(a.buffer, a.cones, b.buffer, b.cones, pairs, piece, sx, sy, limit, band)
        if found[0] < math.inf or limit > whole:
            return found, piece
        limit = max(2.0 * limit, whole / 4096.0)
