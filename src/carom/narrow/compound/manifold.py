"""Where bodies of several parts touch: the pieces of their outlines that the minimum translation vector leads to.

In: two bodies, or rows of them, that touch or overlap. Out: how deep, the normal, the two surface points that realise
the depth, and one or two contact points with depth and features. Where a face meets a face the points are those of the
whole straight sides, however many parts they go along; in an inward corner there is one point for each of its faces.
World frame, user's units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import EDGE, SIDE_FIRST, SIDE_LAST, SIDE_X0, SIDE_X1, Bodies, vertex_id
from carom.narrow.compound.boundary import (
    ARC,
    AT,
    BT,
    FEATURE,
    NORMAL_X,
    NORMAL_Y,
    OF_A,
    PART_A,
    PART_B,
    ROW,
    X0,
    Y0,
    meeting_of,
)
from carom.narrow.compound.mtv import mtv
from carom.narrow.compound.mtv_pieces import Mtv
from carom.narrow.compound.part_pairs import BodyRows, least_distance
from carom.narrow.compound.standing import Standing
from carom.narrow.manifold import Spot, Spots, at_crossing, clip_face, edge_facing, no_spot
from carom.narrow.signed_distance import along_line, magnitude, separate
from carom.narrow.walk import EDGE_A, unit
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import FACE_BAND

# The points of both surfaces that realise a depth: x and y of A's, then of B's.
Witness = tuple[float, float, float, float]


@kernel
def witness_at(a: Bodies, b: Bodies, piece: Floats, k: int, found: Mtv) -> Witness:
    """Return the points of both surfaces that meet at a piece when B is moved by the vector."""
    p, q = a.buffer, b.buffer
    _, tx, ty, nx, ny, _, last = found
    i, at, j, bt = meeting_of(a, b, piece, k)
    if piece[k, FEATURE] == OF_A:
        reach = q[j + RADIUS]
        x, y = q[j + X] + (q[bt] - piece[k, NORMAL_X] * reach), q[j + Y] + (q[bt + 1] - piece[k, NORMAL_Y] * reach)
        return x + tx, y + ty, x, y
    if piece[k, FEATURE] != ARC:
        nx, ny = piece[k, NORMAL_X], piece[k, NORMAL_Y]
    elif last >= 0:
        _, nx, ny = unit(tx - piece[k, X0], ty - piece[k, Y0])
    reach = p[i + RADIUS]
    x, y = p[i + X] + (p[at] + nx * reach), p[i + Y] + (p[at + 1] + ny * reach)
    return x, y, x - tx, y - ty


@kernel
def spot_at(a: Bodies, b: Bodies, piece: Floats, k: int, depth: float, witness: Witness) -> Spot:
    """Return a contact point halfway between the two surfaces."""
    ax, ay, bx, by = witness
    i, at, j, bt = meeting_of(a, b, piece, k)
    of_a, of_b = vertex_id(a, i, at), vertex_id(b, j, bt)
    edge = int(piece[k, ROW])
    if piece[k, FEATURE] == OF_A:
        of_a = -1 - (int(a.edges[edge, SIDE_FIRST]) if edge >= 0 else of_a)
    elif piece[k, FEATURE] != ARC:
        of_b = -1 - (int(b.edges[edge, SIDE_FIRST]) if edge >= 0 else of_b)
    return ax + (bx - ax) / 2.0, ay + (by - ay) / 2.0, depth, of_a, of_b


@kernel
def set_side(body: Bodies, start: int, place: int, row: int, out: Floats) -> None:
    """Make `out` the record of the straight side that an edge belongs to, as a segment."""
    record = body.buffer
    for column in range(POINTS):
        out[column] = record[start + column]
    out[COUNT] = 2.0
    for k in range(2):
        at = POINTS + STRIDE * k
        column = SIDE_X0 if k == 0 else SIDE_X1
        sign = 1.0 if k == 0 else -1.0
        out[at], out[at + 1] = body.edges[row, column], body.edges[row, column + 1]
        out[at + 2], out[at + 3] = sign * record[place + 2], sign * record[place + 3]


@kernel
def outer_edge_of(body: Bodies, part: int, place: int, corner: int) -> int:
    """Return the row of the outer edge on the part's edge at `place` that reaches the vertex `corner`, or -1."""
    record = body.buffer
    nx, ny = record[place + 2], record[place + 3]
    number = (place - body.starts[part] - POINTS) // STRIDE
    along = record[corner + 1] * nx - record[corner] * ny
    found = -1
    for row in range(body.edge_first[part], body.edge_first[part + 1]):
        if body.edges[row, EDGE] != number:
            continue
        low = body.edges[row, SIDE_X0 + 1] * nx - body.edges[row, SIDE_X0] * ny
        high = body.edges[row, SIDE_X1 + 1] * nx - body.edges[row, SIDE_X1] * ny
        if found < 0 or low <= along <= high:
            found = row
    return found


@kernel
def user_feature(body: Bodies, start: int, side: int, feature: int) -> int:
    """Return a feature of a part, or of one of its sides made a record, with the number of the whole body's vertex."""
    vertex = feature if feature >= 0 else -1 - feature
    if side >= 0:
        vertex = int(body.edges[side, SIDE_FIRST if vertex == 0 else SIDE_LAST])
    else:
        vertex = vertex_id(body, start, start + POINTS + STRIDE * vertex)
    return vertex if feature >= 0 else -1 - vertex


@kernel
def user_spot(spot: Spot, a: Bodies, i: int, side_a: int, b: Bodies, j: int, side_b: int, swapped: bool) -> Spot:
    """Return a contact point with its features as `user_feature` tells them; those of B first if `swapped`."""
    x, y, depth, of_a, of_b = spot
    of_a, of_b = user_feature(a, i, side_a, of_a), user_feature(b, j, side_b, of_b)
    return (x, y, depth, of_b, of_a) if swapped else (x, y, depth, of_a, of_b)


@kernel
def clip_sides(
    a: Bodies, part_a: int, at: int, row: int, b: Bodies, part_b: int, bt: int, depth: float, swapped: bool
) -> Spots:
    """Clip the side of B that faces A's edge `at` to the whole side of A; `swapped` tells that B is the first body."""
    p, q, i, j = a.buffer, b.buffer, a.starts[part_a], b.starts[part_b]
    if p[i + COUNT] == 1.0 or q[j + COUNT] == 1.0:
        return 0, no_spot(), no_spot()
    band = FACE_BAND * magnitude(p, i, q, j)
    facing = edge_facing(q, j, bt, -p[at + 2], -p[at + 3])
    other = outer_edge_of(b, part_b, facing, bt) if b.exposed.shape[0] > 0 else -1
    first, second = np.zeros(POINTS + 2 * STRIDE), np.zeros(POINTS + 2 * STRIDE)
    ui, ua, vj, vb = i, at, j, bt
    if row >= 0:
        set_side(a, i, at, row, first)
        p, ui, ua = first, 0, POINTS
    if other >= 0:
        set_side(b, j, facing, other, second)
        q, vj, vb = second, 0, POINTS
    count, one, two = clip_face(p, ui, ua, q, vj, vb, depth, band, False)
    if count == 1 and a.buffer[i + COUNT] == b.buffer[j + COUNT] == 2.0:
        one = at_crossing(a.buffer, i, b.buffer, j, one)
    one = user_spot(one, a, i, row, b, j, other, swapped) if count > 0 else one
    two = user_spot(two, a, i, row, b, j, other, swapped) if count > 1 else two
    return count, one, two


@kernel
def meets_others(a: Bodies, body_a: int, i: int, b: Bodies, j: int, band: float) -> bool:
    """Tell whether the part of B at `j` meets other parts of A than that at `i`."""
    for part in range(a.first[body_a], a.first[body_a + 1]):
        start = a.starts[part]
        near = start != i and least_distance(a.buffer, start, b.buffer, j, 0.0, 0.0) <= 0.0
        if near and separate(a.buffer, start, b.buffer, j)[0] <= band:
            return True
    return False


@kernel
def laid_along(rows: BodyRows, row: int, found: Mtv, piece: Floats) -> Mtv:
    """Return an MTV of bodies in touch, with its normal along the line where just two of their parts lie end to end.

    Then these say alone how the bodies touch, and `along_line` what their normal is.
    """
    _, tx, ty, nx, ny, k, last = found
    if k < 0 or last >= 0:
        return found
    a, b = rows.a, rows.b
    i, at, j, bt = meeting_of(a, b, piece, k)
    apart = 0.0, nx, ny, EDGE_A, at, bt, False
    _, nx, ny, feature, at, bt, _ = along_line(a.buffer, i, b.buffer, j, apart)
    band = FACE_BAND * magnitude(a.buffer, i, b.buffer, j)
    if feature == EDGE_A or meets_others(a, rows.rows_a[row], i, b, j, band):
        return found
    if meets_others(b, rows.rows_b[row], j, a, i, band):
        return found
    piece[k, FEATURE], piece[k, AT], piece[k, BT] = ARC, at, bt  # two tips meet, no edge
    return 0.0, tx, ty, nx, ny, k, last


@kernel
def manifold_of_mtv(a: Bodies, b: Bodies, found: Mtv, piece: Floats) -> tuple[Spots, Witness]:
    """Return the contact points where an MTV leads to, and the two surface points."""
    depth, _, _, nx, ny, first, last = found
    if first < 0:
        return (0, no_spot(), no_spot()), (0.0, 0.0, 0.0, 0.0)
    witness = witness_at(a, b, piece, first, found)
    spot = spot_at(a, b, piece, first, depth, witness)
    if last >= 0:
        # An inward corner: B comes to touch at two places at once.
        other = spot_at(a, b, piece, last, depth, witness_at(a, b, piece, last, found))
        return (1 if other[0] == spot[0] and other[1] == spot[1] else 2, other, spot), witness
    if piece[first, FEATURE] != ARC and nx == piece[first, NORMAL_X] and ny == piece[first, NORMAL_Y]:
        _, at, _, bt = meeting_of(a, b, piece, first)
        part_a, part_b, row = int(piece[first, PART_A]), int(piece[first, PART_B]), int(piece[first, ROW])
        if piece[first, FEATURE] == OF_A:
            spots = clip_sides(a, part_a, at, row, b, part_b, bt, depth, False)
        else:
            spots = clip_sides(b, part_b, bt, row, a, part_a, at, depth, True)
        if spots[0] > 0:
            return spots, witness
    return (1, spot, no_spot()), witness


class MtvColumns(NamedTuple):
    """The minimum translation vectors of some rows."""

    depth: Floats
    """(m,) as the search found it: negative where bodies are apart by rounding"""
    normal: Floats
    """(m, 2) from A to B"""
    point_a: Floats
    """(m, 2) the points of both surfaces that realise the depth"""
    point_b: Floats
    count: Integers  # type: ignore[assignment]
    """(m,) contact points, and then where they are, their features and depths"""
    points: Floats
    features: Integers
    depths: Floats


@kernel
def _depths_of_rows(rows: BodyRows, which: Integers, separations: Floats, out_depths: Floats) -> None:
    """Write how long the minimum translation vectors of some rows are."""
    for k in range(which.shape[0]):
        found, _ = mtv(rows, which[k], max(0.0, -separations[which[k]]))
        out_depths[k] = found[0]


@kernel
def _mtvs_of_rows(rows: BodyRows, which: Integers, separations: Floats, out: MtvColumns) -> None:
    """Write the minimum translation vector of some rows that touch or overlap, and where they do."""
    out_depths, out_normals, out_points_a, out_points_b, out_counts, out_points, out_features, out_point_depths = out
    for k in range(which.shape[0]):
        found, piece = mtv(rows, which[k], max(0.0, -separations[which[k]]))
        if separations[which[k]] == 0.0:
            found = laid_along(rows, which[k], found, piece)
        out_depths[k] = found[0]
        out_normals[k, 0], out_normals[k, 1] = found[3] + 0.0, found[4] + 0.0
        (count, one, two), witness = manifold_of_mtv(rows.a, rows.b, found, piece)
        out_counts[k] = count
        out_points_a[k, 0], out_points_a[k, 1] = witness[0], witness[1]
        out_points_b[k, 0], out_points_b[k, 1] = witness[2], witness[3]
        for point in range(count):
            x, y, depth, of_a, of_b = one if point == 0 else two
            out_points[k, point, 0], out_points[k, point, 1], out_point_depths[k, point] = x, y, depth
            out_features[k, point, 0], out_features[k, point, 1] = of_a, of_b


def depths_of(rows: BodyRows, which: Integers, found: Standing) -> Floats:
    """Return how long the minimum translation vectors of some rows are."""
    depths = np.empty(which.size)
    if which.size:
        _depths_of_rows(rows, which, found.separation, depths)
    return depths


def mtvs_of(rows: BodyRows, which: Integers, found: Standing) -> MtvColumns:
    """Return the minimum translation vectors of some rows, and where they touch."""
    n = which.size
    way = MtvColumns(
        np.empty(n),
        np.empty((n, 2)),
        np.empty((n, 2)),
        np.empty((n, 2)),
        np.zeros(n, dtype=np.int64),
        np.zeros((n, 2, 2)),
        np.zeros((n, 2, 2), dtype=np.int64),
        np.zeros((n, 2)),
    )
    if n:
        _mtvs_of_rows(rows, which, found.separation, way)
    return way


def mtvs_out_of(rows: BodyRows, which: Integers, found: Standing, swapped: bool) -> MtvColumns:
    """Return the minimum translation vectors of some rows, with the normals out of B.

    `swapped` tells to compare B with A, so that both orders give the same bits.
    """
    if swapped:
        way = mtvs_of(rows.exchanged(), which, found)
        return way._replace(point_a=way.point_b, point_b=way.point_a)
    way = mtvs_of(rows, which, found)
    return way._replace(normal=0.0 - way.normal)
