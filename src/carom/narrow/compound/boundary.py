"""The pieces that the boundary of A - B is made of, where A and B are bodies of several convex parts.

In: two bodies, and pairs of their parts. Out: rows of straight pieces and arcs, each with its outward normal and the
features of A and of B that meet there. A - B is the union over all pairs of parts, each convex and rounded by both
radii; it is bounded where an outer edge of one body passes an outer corner of the other, and by arcs of two corners.
Inner edges give none. Points are translations of B: where B, moved by that much, is in touch with A. World frame,
user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Marks
from carom.narrow.compound.bodies import EDGE, EDGE_X0, EDGE_X1, Bodies, Corners, exposure
from carom.narrow.compound.cover import (
    BACK_X,
    BACK_Y,
    RADII,
    SIDE_AT,
    SIDE_BT,
    SIDE_NX,
    SIDE_NY,
    SIDE_X,
    SIDE_Y,
    SIZE,
    Cover,
    cover_of,
)
from carom.narrow.compound.part_pairs import BodyRows, near_pairs
from carom.narrow.linear_toi import Impact
from carom.narrow.walk import EDGE_A, EDGE_B, next_place
from carom.shapes.outlines.exposed import CORNER, INNER
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import CONE_BAND

# Columns of a piece. An arc has its centre in the first point and its radius in the second.
FEATURE, NORMAL_X, NORMAL_Y, X0, Y0, X1, Y1, PART_A, PART_B, AT, BT, ROW = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
PIECE = 12
OF_A, OF_B, ARC = 0.0, 1.0, 2.0  # an edge of A and a corner of B, a corner of A and an edge of B, two corners

# Columns of a piece: FEATURE to NORMAL_Y, then PART_A to BT.
Edge = tuple[float, float, float, int, int, int, int]
Place = tuple[float, float]


@inner
def place_before(a: Floats, i: int, place: int) -> int:
    """Return the place of the core point before the one at `place`."""
    return place - STRIDE if place > i + POINTS else i + POINTS + STRIDE * (int(a[i + COUNT]) - 1)


@inner
def end_of_cone(body: Corners, i: int, place: int, last: bool) -> Place:
    """Return the normal of the outer edge that leaves a core point, or with `last` False of that which arrives."""
    cones, a = body.cones, body.buffer
    if cones.shape[0] > 0:
        return (cones[place, 2], cones[place, 3]) if last else (cones[place, 0], cones[place, 1])
    at = place if last else place_before(a, i, place)
    return a[at + 2], a[at + 3]


@inner
def in_cone(body: Corners, i: int, place: int, ux: float, uy: float) -> bool:
    """Tell whether u lies between the normals of the outer edges that meet at a core point, to some digits."""
    if body.buffer[i + COUNT] == 1.0:
        return True
    (nx, ny), (mx, my) = end_of_cone(body, i, place, True), end_of_cone(body, i, place, False)
    return bool(uy * nx - ux * ny <= CONE_BAND and uy * mx - ux * my >= -CONE_BAND)


@inner
def outermost(body: Corners, i: int, place: int, nx: float, ny: float) -> bool:
    """Tell whether no point of the body near a vertex is farther along n."""
    return exposure(body.exposed, place) != INNER and in_cone(body, i, place, nx, ny)


@inner
def is_along(ux: float, uy: float, nx: float, ny: float) -> bool:
    """Tell whether two unit vectors point the same way, to some digits."""
    return ux * nx + uy * ny > 0.0 and abs(ux * ny - uy * nx) <= CONE_BAND


@inner
def outermost_on_face(body: Corners, i: int, place: int, nx: float, ny: float) -> int:
    """Return an outermost vertex that is as far along n as the one at `place`, or -1."""
    a = body.buffer
    if body.exposed.shape[0] == 0 or outermost(body, i, place, nx, ny):
        return place
    following, before = next_place(a, i, place), place_before(a, i, place)
    if is_along(a[place + 2], a[place + 3], nx, ny) and outermost(body, i, following, nx, ny):
        return following
    level = is_along(a[before + 2], a[before + 3], nx, ny)
    return before if level and outermost(body, i, before, nx, ny) else -1


@inner
def write_piece(out: Floats, count: int, edge: Edge, p: Place, q: Place, row: int) -> None:
    """Write a piece where there is room for it."""
    if count < out.shape[0]:
        feature, nx, ny, part_a, part_b, at, bt = edge
        out[count, FEATURE], out[count, NORMAL_X], out[count, NORMAL_Y] = feature, nx, ny
        out[count, X0], out[count, Y0], out[count, X1], out[count, Y1] = p[0], p[1], q[0], q[1]
        out[count, PART_A], out[count, PART_B] = part_a, part_b
        out[count, AT], out[count, BT], out[count, ROW] = at, bt, row


@inner
def meeting_of(a: Corners | Bodies, b: Corners | Bodies, piece: Floats, k: int) -> tuple[int, int, int, int]:
    """Return where the parts' records start and the places that meet at a piece: A's record and place, then B's."""
    i, j = a.starts[int(piece[k, PART_A])], b.starts[int(piece[k, PART_B])]
    return i, int(piece[k, AT]), j, int(piece[k, BT])


@kernel
def add_piece(
    edge: Edge, row: int, p: Place, q: Place, corner: Place, back: Place, reach: float, out: Floats, count: int
) -> int:
    """Write the straight piece of an outer edge, from p to q, and a corner if it comes nearer than `reach`.

    Return the new count.
    """
    feature, nx, ny, _, _, _, _ = edge
    x, y = corner
    if feature == OF_A:
        p, q = ((p[0] - x) - back[0], (p[1] - y) - back[1]), ((q[0] - x) - back[0], (q[1] - y) - back[1])
    else:
        p, q = ((x - p[0]) - back[0], (y - p[1]) - back[1]), ((x - q[0]) - back[0], (y - q[1]) - back[1])
    ux, uy = -ny, nx
    along = min(max(0.0, -(p[0] * ux + p[1] * uy)), (q[0] - p[0]) * ux + (q[1] - p[1]) * uy)
    x, y = p[0] + along * ux, p[1] + along * uy
    if not x * x + y * y <= reach * reach:
        return count
    write_piece(out, count, edge, p, q, row)
    return count + 1


@inner
def add_edge(
    edge: Edge, owner: Bodies, far: int, corner: Place, back: Place, reach: float, out: Floats, count: int
) -> int:
    """Write the pieces of one edge of a part, up to the place `far`, that are on the outside; return the new count.

    `corner` is that of the other part which meets it, `back` where that part's origin is, moved out by the radius.
    """
    feature, _, _, part_a, part_b, at, bt = edge
    part, near = (part_a, at) if feature == OF_A else (part_b, bt)
    p, outer = owner.buffer, owner.edges
    if owner.exposed.shape[0] == 0:
        return add_piece(edge, -1, (p[near], p[near + 1]), (p[far], p[far + 1]), corner, back, reach, out, count)
    number = (near - owner.starts[part] - POINTS) // STRIDE
    for row in range(owner.edge_first[part], owner.edge_first[part + 1]):
        if outer[row, EDGE] == number:
            first, last = (outer[row, EDGE_X0], outer[row, EDGE_X0 + 1]), (outer[row, EDGE_X1], outer[row, EDGE_X1 + 1])
            count = add_piece(edge, row, first, last, corner, back, reach, out, count)
    return count


@inner
def add_arc(
    edge: Edge, place: Place, radius: float, reach: float, exposed_a: Marks, exposed_b: Marks, out: Floats, count: int
) -> int:
    """Write the arc around a place, of two corners, if it comes nearer than `reach`; return the new count."""
    x, y = place
    if (
        radius > 0.0
        and exposure(exposed_a, edge[5]) == CORNER
        and exposure(exposed_b, edge[6]) == CORNER
        and abs(math.sqrt(x * x + y * y) - radius) <= reach
    ):
        write_piece(out, count, edge, place, (radius, 0.0), -1)
        return count + 1
    return count


@kernel
def write_pieces(a: Bodies, b: Bodies, cover: Cover, sx: float, sy: float, reach: float, out: Floats) -> int:
    """Write the pieces of pairs of parts, B moved by s, that come nearer to the origin than `reach`; return how many.

    Those for which `out` has no room are counted only.
    """
    p, q, pairs, table, sides = a.buffer, b.buffer, cover.pairs, cover.table, cover.sides
    corners_a, corners_b = Corners(p, a.starts, a.exposed, a.cones), Corners(q, b.starts, b.exposed, b.cones)
    count = 0
    for k in range(pairs.shape[0]):
        i, j, part_a, part_b = pairs[k, 0], pairs[k, 1], pairs[k, 2], pairs[k, 3]
        offset_x, offset_y = table[k, BACK_X] + sx, table[k, BACK_Y] + sy
        radius = table[k, RADII]
        # Beyond this a line has no piece in reach, also with another vertex on its face.
        far = reach + 4.0 * CONE_BAND * (table[k, SIZE] + abs(sx) + abs(sy))
        first, end = cover.first[k], cover.first[k + 1]
        if first == end:  # two points
            place = (p[i + POINTS] - q[j + POINTS]) - offset_x, (p[i + POINTS + 1] - q[j + POINTS + 1]) - offset_y
            edge = ARC, 0.0, 0.0, part_a, part_b, i + POINTS, j + POINTS
            count = add_arc(edge, place, radius, reach, a.exposed, b.exposed, out, count)
        for row in range(first, end):
            at, bt = int(sides[row, SIDE_AT]), int(sides[row, SIDE_BT])
            px, py = sides[row, SIDE_X] - offset_x, sides[row, SIDE_Y] - offset_y
            edge = ARC, 0.0, 0.0, part_a, part_b, at, bt
            count = add_arc(edge, (px, py), radius, reach, a.exposed, b.exposed, out, count)
            nx, ny = sides[row, SIDE_NX], sides[row, SIDE_NY]
            if abs(nx * px + ny * py + radius) > far:
                continue
            back = offset_x - nx * radius, offset_y - ny * radius
            following = row + 1 if row + 1 < end else first
            next_at, next_bt = int(sides[following, SIDE_AT]), int(sides[following, SIDE_BT])
            if next_at != at:
                corner = outermost_on_face(corners_b, j, bt, -nx, -ny)
                if corner >= 0:
                    edge = OF_A, nx, ny, part_a, part_b, at, corner
                    count = add_edge(edge, a, next_at, (q[corner], q[corner + 1]), back, reach, out, count)
            else:
                corner = outermost_on_face(corners_a, i, at, nx, ny)
                if corner >= 0:
                    edge = OF_B, nx, ny, part_a, part_b, corner, bt
                    count = add_edge(edge, b, next_bt, (p[corner], p[corner + 1]), back, reach, out, count)
    return count


@kernel
def near_pieces(rows: BodyRows, row: int, sx: float, sy: float, reach: float, span: float) -> tuple[Floats, int, Cover]:
    """Return the pieces of a row's bodies, B moved by s, that come nearer to the origin than `reach`.

    And how many rows they take, and the pairs that may hide places no farther than `span` from the origin.
    """
    a, b = rows.a, rows.b
    cover = cover_of(a, b, near_pairs(rows, row, sx, sy, reach), span)
    out = np.empty((32, PIECE))
    while True:
        count = write_pieces(a, b, cover, sx, sy, reach, out)
        if count <= out.shape[0]:
            return out, count, cover
        out = np.empty((count, PIECE))


@kernel
def meets_outline(
    a: Bodies, part_a: int, b: Bodies, part_b: int, met: Impact, mx: float, my: float, slop: float
) -> bool:
    """Tell whether the features of two parts that meet, A moved by m, are on the outlines of their bodies."""
    i, j = a.starts[part_a], b.starts[part_b]
    _, nx, ny, feature, at, bt = met
    corners_a = Corners(a.buffer, a.starts, a.exposed, a.cones)
    corners_b = Corners(b.buffer, b.starts, b.exposed, b.cones)
    if feature != EDGE_A and outermost_on_face(corners_a, i, at, nx, ny) < 0:
        return False
    if feature != EDGE_B and outermost_on_face(corners_b, j, bt, -nx, -ny) < 0:
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
