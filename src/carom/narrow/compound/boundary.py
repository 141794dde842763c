"""The pieces that the boundary of A - B is made of, where A and B are bodies of several convex parts.

In: two bodies, and pairs of their parts. Out: rows of straight pieces and arcs, each with its outward normal and what
of A and of B meets there. A - B is the union over all pairs of parts, each convex and rounded by both radii; it is
bounded where an outer edge of one body passes an outer corner of the other, and by arcs of two corners. Inner edges
give none. Points are translations of B: where B, moved by that much, is in touch with A. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import EDGE, EDGE_X0, EDGE_X1, Bodies, Marks, exposure
from carom.narrow.signed_distance import magnitude
from carom.narrow.walk import edge_of_a_first, nearest_feature, start, step
from carom.shapes.outlines.exposed import CORNER, INNER
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import CONE_BAND, COVER_BAND

# Columns of a piece. An arc has its centre in the first point and its radius in the second.
FEATURE, NORMAL_X, NORMAL_Y, X0, Y0, X1, Y1, START_A, START_B, AT, BT, ROW = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
PIECE = 12
OF_A, OF_B, ARC = 0.0, 1.0, 2.0  # an edge of A and a corner of B, a corner of A and an edge of B, two corners


@inner
def offset(a: Floats, i: int, b: Floats, j: int, sx: float, sy: float) -> tuple[float, float]:
    """Return B's origin as seen from A's, B moved by s."""
    return (b[j + X] - a[i + X]) + sx, (b[j + Y] - a[i + Y]) + sy


@kernel
def least_distance(a: Floats, i: int, b: Floats, j: int, sx: float, sy: float) -> float:
    """Return a number that the distance of two parts, B moved by s, is at least; negative where that says nothing."""
    dx, dy = offset(a, i, b, j, sx, sy)
    dx, dy = dx + (b[j + CENTER_X] - a[i + CENTER_X]), dy + (b[j + CENTER_Y] - a[i + CENTER_Y])
    reach = (a[i + REACH] + b[j + REACH]) + (a[i + RADIUS] + b[j + RADIUS])
    margin = COVER_BAND * (magnitude(a, i, b, j) + abs(sx) + abs(sy))
    return float(math.sqrt(dx * dx + dy * dy) - reach - margin)


@kernel
def covers(a: Floats, i: int, b: Floats, j: int, tx: float, ty: float) -> bool:
    """Tell whether two parts, B moved by t, overlap by more than rounding."""
    offset_x, offset_y = offset(a, i, b, j, tx, ty)
    radius = a[i + RADIUS] + b[j + RADIUS]
    band = COVER_BAND * (magnitude(a, i, b, j) + abs(tx) + abs(ty))
    at, bt, left_a, left_b = start(a, i, b, j)
    worst = -math.inf
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        a_first = edge_of_a_first(a[at + 2], a[at + 3], b[bt + 2], b[bt + 3])
        nx, ny, at, bt, left_a, left_b = step(a, i, at, left_a, b, j, bt, left_b, a_first)
        worst = max(worst, -(nx * px + ny * py))
        if worst >= radius - band:
            return False
    if -math.inf < worst < 0.0:
        return True
    return bool(nearest_feature(a, i, b, j, -tx, -ty)[0] < radius - band)


@kernel
def hiding_pair(a: Floats, b: Floats, pairs: Integers, discs: Floats, order: Integers, tx: float, ty: float) -> bool:
    """Tell whether any of the pairs of parts, B moved by t, overlap by more than rounding.

    `discs` are those outside of which a pair is apart, `order` is that in which pairs are looked at: the one that is
    found comes first the next time, for what hides one place often hides the next.
    """
    for n in range(order.shape[0]):
        k = order[n]
        x, y, reach = discs[k, 0] + tx, discs[k, 1] + ty, discs[k, 2]
        if x * x + y * y < reach * reach and covers(a, pairs[k, 0], b, pairs[k, 1], tx, ty):
            for m in range(n, 0, -1):
                order[m] = order[m - 1]
            order[0] = k
            return True
    return False


@kernel
def discs_of(a: Floats, b: Floats, pairs: Integers, span: float) -> tuple[Floats, Integers]:
    """Return for each pair the disc of translations of B, none longer than `span`, that it may overlap at.

    And 0, 1, 2, ..., an order to look at them in.
    """
    discs, order = np.empty((pairs.shape[0], 3)), np.empty(pairs.shape[0], dtype=np.int64)
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        x, y = offset(a, i, b, j, b[j + CENTER_X] - a[i + CENTER_X], b[j + CENTER_Y] - a[i + CENTER_Y])
        reach = (a[i + REACH] + b[j + REACH]) + (a[i + RADIUS] + b[j + RADIUS])
        discs[k, 0], discs[k, 1] = x, y
        discs[k, 2] = reach + COVER_BAND * (magnitude(a, i, b, j) + 2.0 * span)
        order[k] = k
    return discs, order


@inner
def place_before(a: Floats, i: int, place: int) -> int:
    """Return the place of the core point before the one at `place`."""
    return place - STRIDE if place > i + POINTS else i + POINTS + STRIDE * (int(a[i + COUNT]) - 1)


@inner
def in_cone(a: Floats, cones: Floats, i: int, place: int, ux: float, uy: float) -> bool:
    """Tell whether u lies between the normals of the outer edges that meet at a core point, to some digits."""
    if a[i + COUNT] == 1.0:
        return True
    if cones.shape[0] > 0:
        leaving = uy * cones[place, 2] - ux * cones[place, 3]
        arriving = uy * cones[place, 0] - ux * cones[place, 1]
    else:
        before = place_before(a, i, place)
        leaving = uy * a[place + 2] - ux * a[place + 3]
        arriving = uy * a[before + 2] - ux * a[before + 3]
    return bool(leaving <= CONE_BAND and arriving >= -CONE_BAND)


@inner
def outermost(a: Floats, exposed: Marks, cones: Floats, i: int, place: int, nx: float, ny: float) -> bool:
    """Tell whether no point of the body near a vertex is farther along n."""
    return exposure(exposed, place) != INNER and in_cone(a, cones, i, place, nx, ny)


@inner
def is_along(ux: float, uy: float, nx: float, ny: float) -> bool:
    """Tell whether two unit vectors point the same way, to some digits."""
    return ux * nx + uy * ny > 0.0 and abs(ux * ny - uy * nx) <= CONE_BAND


@kernel
def outermost_on_face(a: Floats, exposed: Marks, cones: Floats, i: int, place: int, nx: float, ny: float) -> int:
    """Return an outermost vertex that is as far along n as the one at `place`, or -1."""
    if exposed.shape[0] == 0 or outermost(a, exposed, cones, i, place, nx, ny):
        return place
    following = place + STRIDE
    if following == i + POINTS + STRIDE * int(a[i + COUNT]):
        following = i + POINTS
    if is_along(a[place + 2], a[place + 3], nx, ny) and outermost(a, exposed, cones, i, following, nx, ny):
        return following
    before = place_before(a, i, place)
    level = is_along(a[before + 2], a[before + 3], nx, ny)
    return before if level and outermost(a, exposed, cones, i, before, nx, ny) else -1


@kernel
def write_piece(
    out: Floats,
    count: int,
    feature: float,
    nx: float,
    ny: float,
    p: tuple[float, float],
    q: tuple[float, float],
    i: int,
    j: int,
    at: int,
    bt: int,
    row: int,
) -> None:
    """Write a piece where there is room for it."""
    if count < out.shape[0]:
        out[count, FEATURE], out[count, NORMAL_X], out[count, NORMAL_Y] = feature, nx, ny
        out[count, X0], out[count, Y0], out[count, X1], out[count, Y1] = p[0], p[1], q[0], q[1]
        out[count, START_A], out[count, START_B], out[count, AT], out[count, BT], out[count, ROW] = i, j, at, bt, row


@kernel
def add_piece(
    out: Floats,
    count: int,
    feature: float,
    nx: float,
    ny: float,
    p: tuple[float, float],
    q: tuple[float, float],
    i: int,
    j: int,
    at: int,
    bt: int,
    row: int,
    reach: float,
) -> int:
    """Write a straight piece if it comes nearer than `reach`, and return the new count."""
    ux, uy = -ny, nx
    along = min(max(0.0, -(p[0] * ux + p[1] * uy)), (q[0] - p[0]) * ux + (q[1] - p[1]) * uy)
    x, y = p[0] + along * ux, p[1] + along * uy
    if not x * x + y * y <= reach * reach:
        return count
    write_piece(out, count, feature, nx, ny, p, q, i, j, at, bt, row)
    return count + 1


@kernel
def add_pieces(
    a: Bodies, part_a: int, b: Bodies, part_b: int, sx: float, sy: float, reach: float, out: Floats, count: int
) -> int:
    """Write the pieces of one pair of parts that come nearer to the origin than `reach`; return the new count.

    Those for which `out` has no room are counted only.
    """
    p, q = a.buffer, b.buffer
    i, j = a.starts[part_a], b.starts[part_b]
    offset_x, offset_y = offset(p, i, q, j, sx, sy)
    radius = p[i + RADIUS] + q[j + RADIUS]
    at, bt, left_a, left_b = start(p, i, q, j)
    while True:
        if radius > 0.0 and exposure(a.exposed, at) == CORNER and exposure(b.exposed, bt) == CORNER:
            x, y = (p[at] - q[bt]) - offset_x, (p[at + 1] - q[bt + 1]) - offset_y
            if abs(math.sqrt(x * x + y * y) - radius) <= reach:
                write_piece(out, count, ARC, 0.0, 0.0, (x, y), (radius, 0.0), i, j, at, bt, -1)
                count += 1
        if left_a + left_b == 0:
            return count
        old_at, old_bt = at, bt
        a_first = edge_of_a_first(p[at + 2], p[at + 3], q[bt + 2], q[bt + 3])
        nx, ny, at, bt, left_a, left_b = step(p, i, at, left_a, q, j, bt, left_b, a_first)
        grown_x, grown_y = nx * radius, ny * radius
        if old_bt == bt:
            corner = outermost_on_face(q, b.exposed, b.cones, j, bt, -nx, -ny)
            if corner < 0:
                continue
            back_x, back_y = offset_x - grown_x, offset_y - grown_y
            if a.exposed.shape[0] == 0:
                first = (p[old_at] - q[corner]) - back_x, (p[old_at + 1] - q[corner + 1]) - back_y
                last = (p[at] - q[corner]) - back_x, (p[at + 1] - q[corner + 1]) - back_y
                count = add_piece(out, count, OF_A, nx, ny, first, last, i, j, old_at, corner, -1, reach)
                continue
            number = (old_at - i - POINTS) // STRIDE
            for row in range(a.edge_first[part_a], a.edge_first[part_a + 1]):
                if a.edges[row, EDGE] == number:
                    x0, y0 = a.edges[row, EDGE_X0], a.edges[row, EDGE_X0 + 1]
                    x1, y1 = a.edges[row, EDGE_X1], a.edges[row, EDGE_X1 + 1]
                    first = (x0 - q[corner]) - back_x, (y0 - q[corner + 1]) - back_y
                    last = (x1 - q[corner]) - back_x, (y1 - q[corner + 1]) - back_y
                    count = add_piece(out, count, OF_A, nx, ny, first, last, i, j, old_at, corner, row, reach)
        else:
            corner = outermost_on_face(p, a.exposed, a.cones, i, at, nx, ny)
            if corner < 0:
                continue
            back_x, back_y = offset_x - grown_x, offset_y - grown_y
            if b.exposed.shape[0] == 0:
                first = (p[corner] - q[old_bt]) - back_x, (p[corner + 1] - q[old_bt + 1]) - back_y
                last = (p[corner] - q[bt]) - back_x, (p[corner + 1] - q[bt + 1]) - back_y
                count = add_piece(out, count, OF_B, nx, ny, first, last, i, j, corner, old_bt, -1, reach)
                continue
            number = (old_bt - j - POINTS) // STRIDE
            for row in range(b.edge_first[part_b], b.edge_first[part_b + 1]):
                if b.edges[row, EDGE] == number:
                    x0, y0 = b.edges[row, EDGE_X0], b.edges[row, EDGE_X0 + 1]
                    x1, y1 = b.edges[row, EDGE_X1], b.edges[row, EDGE_X1 + 1]
                    first = (p[corner] - x0) - back_x, (p[corner + 1] - y0) - back_y
                    last = (p[corner] - x1) - back_x, (p[corner + 1] - y1) - back_y
                    count = add_piece(out, count, OF_B, nx, ny, first, last, i, j, corner, old_bt, row, reach)


@kernel
def near_pairs(
    a: Floats,
    starts_a: Integers,
    first_a: int,
    last_a: int,
    b: Floats,
    starts_b: Integers,
    first_b: int,
    last_b: int,
    sx: float,
    sy: float,
    reach: float,
) -> Integers:
    """Return the pairs of some parts that may come nearer than `reach`: (start of A's, of B's, part of A, of B)."""
    found = np.empty((0, 4), dtype=np.int64)
    for filling in range(2):
        count = 0
        for part_a in range(first_a, last_a):
            i = starts_a[part_a]
            for part_b in range(first_b, last_b):
                j = starts_b[part_b]
                if least_distance(a, i, b, j, sx, sy) <= reach:
                    if filling == 1:
                        found[count, 0], found[count, 1], found[count, 2], found[count, 3] = i, j, part_a, part_b
                    count += 1
        if filling == 0:
            found = np.empty((count, 4), dtype=np.int64)
    return found


@kernel
def near_pieces(a: Bodies, b: Bodies, pairs: Integers, sx: float, sy: float, reach: float) -> tuple[Floats, int]:
    """Return the pieces of these pairs that come nearer to the origin than `reach`, and how many rows they take."""
    out = np.empty((32, PIECE))
    while True:
        count = 0
        for k in range(pairs.shape[0]):
            count = add_pieces(a, pairs[k, 2], b, pairs[k, 3], sx, sy, reach, out, count)
        if count <= out.shape[0]:
            return out, count
        out = np.empty((count, PIECE))
