"""The minimum translation vector (MTV) of bodies of several parts: how deep two overlap, seen as two whole shapes.

In: two bodies that touch or overlap. Out: the least translation of B that parts them, the normal there, and the pieces
of the boundary of A - B that B is then in touch at. Of few parts all pieces near the origin are looked at, farther and
farther out; of many the plane is divided (`mtv_squares`). World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.compound.bodies import Bodies, Corners
from carom.narrow.compound.boundary import near_pieces
from carom.narrow.compound.mtv_pieces import EVERYWHERE, Mtv, mtv_within
from carom.narrow.compound.mtv_squares import mtv_by_squares
from carom.narrow.compound.part_pairs import BodyRows
from carom.shapes.proxy import CENTER_X, CENTER_Y, RADIUS, REACH, X, Y
from carom.tolerances import COVER_BAND

MANY_PAIRS = 100
"""With more pairs of parts it pays to divide the plane."""


@inner
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
def mtv(rows: BodyRows, row: int, least: float) -> tuple[Mtv, Floats]:
    """Return the minimum translation vector of a row's bodies, known to be at least `least`; and the pieces near it."""
    a, b, body_a, body_b = rows.a, rows.b, rows.rows_a[row], rows.rows_b[row]
    p, q = a.buffer, b.buffer
    corners_a, corners_b = Corners(p, a.starts, a.exposed, a.cones), Corners(q, b.starts, b.exposed, b.cones)
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
    if (a.first[body_a + 1] - a.first[body_a]) * (b.first[body_b + 1] - b.first[body_b]) > MANY_PAIRS:
        found, piece = mtv_by_squares(rows, row, band)
        if found[5] >= 0:
            return found, piece
    limit = least + 2.0 * band
    while True:
        piece, count, cover = near_pieces(rows, row, 0.0, 0.0, limit, 2.0 * limit)
        found = mtv_within(corners_a, corners_b, cover, piece, count, limit, band, EVERYWHERE)
        if found[0] < math.inf or limit > whole:
            return found, piece
        limit = max(2.0 * limit, whole / 4096.0)
