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
from carom.narrow.linear_toi import Impact
from carom.narrow.signed_distance import magnitude
from carom.narrow.walk import EDGE_A, EDGE_B, advance, nearest_feature, start
from carom.shapes.outlines.exposed import CORNER, INNER
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import CONE_BAND, COVER_BAND

# Columns of a piece. An arc has its centre in the first point and its radius in the second.
FEATURE, NORMAL_X, NORMAL_Y, X0, Y0, X1, Y1, START_A, START_B, AT, BT, ROW = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
PIECE = 12
OF_A, OF_B, ARC = 0.0, 1.0, 2.0  # an edge of A and a corner of B, a corner of A and an edge of B, two corners

# Columns of a piece: FEATURE to NORMAL_Y, then START_A to BT.
Edge = tuple[float, float, float, int, int, int, int]


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
        nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
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


@inner
def write_piece(out: Floats, count: int, edge: Edge, p: tuple[float, float], q: tuple[float, float], row: int) -> None:
    """Write a piece where there is room for it."""
    if count < out.shape[0]:
        feature, nx, ny, i, j, at, bt = edge
        out[count, FEATURE], out[count, NORMAL_X], out[count, NORMAL_Y] = feature, nx, ny
        out[count, X0], out[count, Y0], out[count, X1], out[count, Y1] = p[0], p[1], q[0], q[1]
        out[count, START_A], out[count, START_B], out[count, AT], out[count, BT], out[count, ROW] = i, j, at, bt, row


@kernel
def add_piece(
    ends: tuple[float, float, float, float],
    corner: tuple[float, float],
    back: tuple[float, float],
    edge: Edge,
    row: int,
    reach: float,
    out: Floats,
    count: int,
) -> int:
    """Write the straight piece of an outer edge and a corner if it comes nearer than `reach`; return the new count."""
    feature, nx, ny, _, _, _, _ = edge
    x0, y0, x1, y1 = ends
    x, y = corner
    if feature == OF_A:
        p, q = ((x0 - x) - back[0], (y0 - y) - back[1]), ((x1 - x) - back[0], (y1 - y) - back[1])
    else:
        p, q = ((x - x0) - back[0], (y - y0) - back[1]), ((x - x1) - back[0], (y - y1) - back[1])
    ux, uy = -ny, nx
    along = min(max(0.0, -(p[0] * ux + p[1] * uy)), (q[0] - p[0]) * ux + (q[1] - p[1]) * uy)
    x, y = p[0] + along * ux, p[1] + along * uy
    if not x * x + y * y <= reach * reach:
        return count
    write_piece(out, count, edge, p, q, row)
    return count + 1


@kernel
def add_edge(
    owner: Bodies,
    part: int,
    at: int,
    far: int,
    corner: tuple[float, float],
    back: tuple[float, float],
    edge: Edge,
    reach: float,
    out: Floats,
    count: int,
) -> int:
    """Write the pieces of one edge of a part, from `at` to `far`, as far as it is on the outside; return the new count.

    `corner` is that of the other part which meets it, `back` where that part's origin is, moved out by the radius.
    """
    if owner.exposed.shape[0] == 0:
        p = owner.buffer
        ends = p[at], p[at + 1], p[far], p[far + 1]
        return add_piece(ends, corner, back, edge, -1, reach, out, count)
    number = (at - owner.starts[part] - POINTS) // STRIDE
    for row in range(owner.edge_first[part], owner.edge_first[part + 1]):
        if owner.edges[row, EDGE] == number:
            x0, y0 = owner.edges[row, EDGE_X0], owner.edges[row, EDGE_X0 + 1]
            x1, y1 = owner.edges[row, EDGE_X1], owner.edges[row, EDGE_X1 + 1]
            count = add_piece((x0, y0, x1, y1), corner, back, edge, row, reach, out, count)
    return count


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
                write_piece(out, count, (ARC, 0.0, 0.0, i, j, at, bt), (x, y), (radius, 0.0), -1)
                count += 1
        if left_a + left_b == 0:
            return count
        old_at, old_bt = at, bt
        nx, ny, at, bt, left_a, left_b = advance(p, i, at, left_a, q, j, bt, left_b)
        back = offset_x - nx * radius, offset_y - ny * radius
        if old_bt == bt:
            corner = outermost_on_face(q, b.exposed, b.cones, j, bt, -nx, -ny)
            if corner >= 0:
                edge = OF_A, nx, ny, i, j, old_at, corner
                count = add_edge(a, part_a, old_at, at, (q[corner], q[corner + 1]), back, edge, reach, out, count)
        else:
            corner = outermost_on_face(p, a.exposed, a.cones, i, at, nx, ny)
            if corner >= 0:
                edge = OF_B, nx, ny, i, j, corner, old_bt
                count = add_edge(b, part_b, old_bt, bt, (p[corner], p[corner + 1]), back, edge, reach, out, count)


@kernel
def near_pairs(a: Bodies, body_a: int, b: Bodies, body_b: int, sx: float, sy: float, reach: float) -> Integers:
    """Return the pairs of parts that may come nearer than `reach`: (start of A's, of B's, part of A, of B)."""
    found = np.empty((0, 4), dtype=np.int64)
    for filling in range(2):
        count = 0
        for part_a in range(a.first[body_a], a.first[body_a + 1]):
            i = a.starts[part_a]
            for part_b in range(b.first[body_b], b.first[body_b + 1]):
                j = b.starts[part_b]
                if least_distance(a.buffer, i, b.buffer, j, sx, sy) <= reach:
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
