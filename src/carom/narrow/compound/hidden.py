"""Boxes around what is open of the pieces of the boundary of A - B: not inside of what other pairs of parts make.

In: pieces, and the pairs of parts that may hide them. Out: a box for each, or word that none of it is open. A pair of
parts is convex and so is where it overlaps: what it hides both ends of, it hides the whole of. So a piece is halved
until each bit is hidden by one pair, or is a sixteenth of it. Translations of B, world frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.boundary import (
    ARC,
    AT,
    BT,
    FEATURE,
    START_A,
    START_B,
    X0,
    X1,
    Y0,
    Y1,
    covers,
    hiding_pair,
    in_cone,
    place_before,
)
from carom.narrow.walk import unit
from carom.shapes.proxy import COUNT
from carom.tolerances import CONE_BAND

BITS = 16


@inner
def end_of_cone(a: Floats, cones: Floats, i: int, place: int, last: bool) -> tuple[float, float]:
    """Return the normal of the outer edge that arrives at a core point, or of that which leaves it."""
    if cones.shape[0] > 0:
        return (cones[place, 2], cones[place, 3]) if last else (cones[place, 0], cones[place, 1])
    at = place if last else place_before(a, i, place)
    return a[at + 2], a[at + 3]


@kernel
def end_of_arc(
    a: Floats, cones_a: Floats, b: Floats, cones_b: Floats, piece: Floats, k: int, last: bool
) -> tuple[float, float]:
    """Return the direction of an end of an arc from its centre; (0, 0) for a whole circle."""
    i, at, j, bt = int(piece[k, START_A]), int(piece[k, AT]), int(piece[k, START_B]), int(piece[k, BT])
    if a[i + COUNT] > 1.0:
        nx, ny = end_of_cone(a, cones_a, i, at, last)
        if in_cone(b, cones_b, j, bt, -nx, -ny):
            return nx, ny
    if b[j + COUNT] > 1.0:
        nx, ny = end_of_cone(b, cones_b, j, bt, last)
        return -nx, -ny
    return 0.0, 0.0


@kernel
def set_open_box(
    a: Floats,
    cones_a: Floats,
    b: Floats,
    cones_b: Floats,
    pairs: Integers,
    discs: Floats,
    order: Integers,
    piece: Floats,
    k: int,
    band: float,
    boxes: Floats,
) -> bool:
    """Write the lower and upper corner of a box around what of a piece may be open; tell whether anything is."""
    x0, y0, x1, y1 = piece[k, X0], piece[k, Y0], piece[k, X1], piece[k, Y1]
    is_arc = piece[k, FEATURE] == ARC
    margin = 2.0 * band
    ux, uy, vx, vy, mx, my, radius = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if is_arc:
        radius = x1
        margin += 8.0 * CONE_BAND * radius
        ux, uy = end_of_arc(a, cones_a, b, cones_b, piece, k, False)
        vx, vy = end_of_arc(a, cones_a, b, cones_b, piece, k, True)
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
        hidden = hiding_pair(a, b, pairs, discs, order, top_x, top_y)
        if hidden:
            i, j = pairs[order[0], 0], pairs[order[0], 1]
            hidden = covers(a, i, b, j, first_x, first_y) and covers(a, i, b, j, last_x, last_y)
        if not hidden and size > 1:
            size //= 2
            continue
        if not hidden:
            low_x, high_x = min(low_x, first_x, last_x, top_x), max(high_x, first_x, last_x, top_x)
            low_y, high_y = min(low_y, first_y, last_y, top_y), max(high_y, first_y, last_y, top_y)
        at += size
        while size < largest and at % (2 * size) == 0:
            size *= 2
    boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3] = (
        low_x - margin,
        low_y - margin,
        high_x + margin,
        high_y + margin,
    )
    return low_x <= high_x


@inner
def on_arc(ux: float, uy: float, mx: float, my: float, vx: float, vy: float, share: float) -> tuple[float, float]:
    """Return a direction between u and v, whose middle is m; each half is at most a quarter turn."""
    if share <= 0.5:
        _, x, y = unit(ux + 2.0 * share * (mx - ux), uy + 2.0 * share * (my - uy))
    else:
        _, x, y = unit(mx + (2.0 * share - 1.0) * (vx - mx), my + (2.0 * share - 1.0) * (vy - my))
    return x, y
