"""What of two bodies in touch lies on their outlines, so that an edge between parts is never the one that is hit.

In: bodies of several parts, B moved by a shift to where it meets A. Out: the normal between the outlines, or whether an
edge or vertex of a part is on the outline of its body. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.narrow.bodies import EDGE, EDGE_X0, EDGE_X1, Bodies
from carom.narrow.escape import nearest_on_piece
from carom.narrow.path import Impact
from carom.narrow.pieces import (
    ARC,
    FEATURE,
    discs_of,
    hiding_pair,
    near_pairs,
    near_pieces,
    outermost_on_face,
)
from carom.narrow.walk import EDGE_A, EDGE_B
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import CONE_BAND, COVER_BAND


@kernel
def outline_normal(
    a: Bodies,
    body_a: int,
    b: Bodies,
    body_b: int,
    shift: tuple[float, float],
    motion: tuple[float, float],
    given: tuple[float, float],
    reach: float,
) -> tuple[float, float]:
    """Return a normal from A to B of the outlines, where B, moved by the shift, is in touch.

    It is the given one if that is between the normals of what meets there; else the one that the motion closes on most.
    """
    sx, sy = shift
    first_a, last_a, first_b, last_b = a.first[body_a], a.first[body_a + 1], b.first[body_b], b.first[body_b + 1]
    pairs = near_pairs(a.buffer, a.starts, first_a, last_a, b.buffer, b.starts, first_b, last_b, sx, sy, reach)
    piece, total = near_pieces(a, b, pairs, sx, sy, reach)
    discs, order = discs_of(a.buffer, b.buffer, pairs, abs(sx) + abs(sy) + 2.0 * reach)
    normals = np.empty((total, 2))
    count = 0
    best, best_x, best_y = 0.0, given[0], given[1]
    for k in range(total):
        met, x, y, nx, ny, distance = nearest_on_piece(a.buffer, a.cones, b.buffer, b.cones, piece, k)
        if (
            abs(distance) > reach
            or (piece[k, FEATURE] == ARC and not met)
            or hiding_pair(a.buffer, b.buffer, pairs, discs, order, sx + x, sy + y)
        ):
            continue
        if nx * given[0] + ny * given[1] > 1.0 - CONE_BAND:
            return given if piece[k, FEATURE] == ARC else (nx, ny)
        closing = nx * motion[0] + ny * motion[1]
        if closing > best:
            best, best_x, best_y = closing, nx, ny
        for other in range(count):
            mx, my = normals[other, 0], normals[other, 1]
            turning = mx * ny - my * nx
            if abs(turning) > CONE_BAND:
                of_other = (given[0] * ny - given[1] * nx) / turning
                of_this = (mx * given[1] - my * given[0]) / turning
                if of_other >= -CONE_BAND and of_this >= -CONE_BAND:
                    return given
        normals[count, 0], normals[count, 1] = nx, ny
        count += 1
    return best_x, best_y


@kernel
def put_outline_normals(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    motions: Floats,
    slops: Floats,
    fractions: Floats,
    out_normals: Floats,
) -> None:
    """Put normals of the outline, from B to A, in the place of those of edges between parts."""
    for k in range(rows.shape[0]):
        row = rows[k]
        mx, my = motions[row, 0], motions[row, 1]
        share = fractions[row]
        reach = 4.0 * slops[row] + COVER_BAND * (abs(mx) + abs(my))
        given = -out_normals[row, 0], -out_normals[row, 1]
        nx, ny = outline_normal(a, rows_a[row], b, rows_b[row], (-share * mx, -share * my), (mx, my), given, reach)
        out_normals[row, 0], out_normals[row, 1] = 0.0 - nx, 0.0 - ny


@kernel
def meets_outline(
    a: Bodies,
    part_a: int,
    b: Bodies,
    part_b: int,
    met: Impact,
    mx: float,
    my: float,
    slop: float,
) -> bool:
    """Tell whether what meets of two parts, A moved by m, is on the outlines of their bodies."""
    i, j = a.starts[part_a], b.starts[part_b]
    _, nx, ny, feature, at, bt = met
    if feature != EDGE_A and outermost_on_face(a.buffer, a.exposed, a.cones, i, at, nx, ny) < 0:
        return False
    if feature != EDGE_B and outermost_on_face(b.buffer, b.exposed, b.cones, j, bt, -nx, -ny) < 0:
        return False
    if feature == EDGE_A:
        return edge_is_outer(a, part_a, at, b, j, bt, -mx, -my, slop)
    return feature != EDGE_B or edge_is_outer(b, part_b, bt, a, i, at, mx, my, slop)


@kernel
def edge_is_outer(a: Bodies, part: int, at: int, b: Bodies, j: int, bt: int, sx: float, sy: float, slop: float) -> bool:
    """Tell whether a part's edge is on the outline where a vertex or face of B, moved by s, meets it."""
    i = a.starts[part]
    p, q = a.buffer, b.buffer
    nx, ny = p[at + 2], p[at + 3]
    if a.exposed.shape[0] == 0:
        return True
    x, y = (q[j + X] - p[i + X]) + sx, (q[j + Y] - p[i + Y]) + sy
    low, high = math.inf, -math.inf
    deepest = nx * q[bt] + ny * q[bt + 1]
    for k in range(int(q[j + COUNT])):
        place = j + POINTS + STRIDE * k
        if nx * q[place] + ny * q[place + 1] <= deepest + slop:
            along = (q[place + 1] + y) * nx - (q[place] + x) * ny
            low, high = min(low, along), max(high, along)
    number = (at - i - POINTS) // STRIDE
    for row in range(a.edge_first[part], a.edge_first[part + 1]):
        if a.edges[row, EDGE] == number:
            first = a.edges[row, EDGE_X0 + 1] * nx - a.edges[row, EDGE_X0] * ny
            last = a.edges[row, EDGE_X1 + 1] * nx - a.edges[row, EDGE_X1] * ny
            meet = last - first > slop and low <= last + slop and high >= first - slop
            if meet and (high - low <= slop or min(high, last) - max(low, first) > slop):
                return True
    return False
