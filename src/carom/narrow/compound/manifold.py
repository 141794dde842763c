"""Where bodies of several parts touch: the pieces of their outlines that the minimum translation vector leads to.

In: two bodies, or rows of them, that touch or overlap. Out: how deep, the normal, the two surface points that realise
the depth, and one or two contact points with depth and features. Where a face meets a face the points are those of the
whole straight sides, however many parts they go along; in an inward corner there is one point for each of its faces.
World frame, user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import EDGE, SIDE_FIRST, SIDE_LAST, SIDE_X0, SIDE_X1, Bodies, vertex_id
from carom.narrow.compound.boundary import ARC, AT, BT, FEATURE, NORMAL_X, NORMAL_Y, OF_A, ROW, START_A, START_B, X0, Y0
from carom.narrow.compound.mtv import Mtv, mtv
from carom.narrow.compound.standing import BodyRows, Standing
from carom.narrow.manifold import clip_face, edge_facing
from carom.narrow.signed_distance import magnitude
from carom.narrow.walk import unit
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import FACE_BAND

# Columns of the two rows that a manifold writes: point x and y, depth, feature of A, feature of B.
COLUMNS = 5


@kernel
def write_witnesses(
    a: Bodies, b: Bodies, piece: Floats, k: int, tx: float, ty: float, nx: float, ny: float, out: Floats
) -> None:
    """Write the points of both surfaces that meet at a piece when B is moved by t: x and y of A's, then of B's."""
    p, q = a.buffer, b.buffer
    i, j, at, bt = int(piece[k, START_A]), int(piece[k, START_B]), int(piece[k, AT]), int(piece[k, BT])
    if piece[k, FEATURE] == OF_A:
        reach = q[j + RADIUS]
        out[2] = q[j + X] + (q[bt] - piece[k, NORMAL_X] * reach)
        out[3] = q[j + Y] + (q[bt + 1] - piece[k, NORMAL_Y] * reach)
        out[0], out[1] = out[2] + tx, out[3] + ty
        return
    reach = p[i + RADIUS]
    if piece[k, FEATURE] != ARC:
        nx, ny = piece[k, NORMAL_X], piece[k, NORMAL_Y]
    out[0], out[1] = p[i + X] + (p[at] + nx * reach), p[i + Y] + (p[at + 1] + ny * reach)
    out[2], out[3] = out[0] - tx, out[1] - ty


@kernel
def write_point(
    a: Bodies, b: Bodies, piece: Floats, k: int, depth: float, witness: Floats, row: int, out: Floats
) -> None:
    """Write a contact point halfway between the two surfaces."""
    i, j, at, bt = int(piece[k, START_A]), int(piece[k, START_B]), int(piece[k, AT]), int(piece[k, BT])
    out[row] = witness[0] + (witness[2] - witness[0]) / 2.0
    out[row + 1] = witness[1] + (witness[3] - witness[1]) / 2.0
    out[row + 2] = depth
    of_a, of_b = vertex_id(a, i, at), vertex_id(b, j, bt)
    edge = int(piece[k, ROW])
    if piece[k, FEATURE] == OF_A:
        of_a = -1 - (int(a.edges[edge, SIDE_FIRST]) if edge >= 0 else of_a)
    elif piece[k, FEATURE] != ARC:
        of_b = -1 - (int(b.edges[edge, SIDE_FIRST]) if edge >= 0 else of_b)
    out[row + 3], out[row + 4] = float(of_a), float(of_b)


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
def outer_edge_of(body: Bodies, start: int, place: int, corner: int) -> int:
    """Return the row of the outer edge on the part's edge at `place` that reaches the vertex `corner`, or -1."""
    record = body.buffer
    nx, ny = record[place + 2], record[place + 3]
    number = float((place - start - POINTS) // STRIDE)
    along = record[corner + 1] * nx - record[corner] * ny
    found = -1
    for row in range(body.edges.shape[0]):
        if body.edges[row, EDGE] != number or body.starts[part_of(body, row)] != start:
            continue
        low = body.edges[row, SIDE_X0 + 1] * nx - body.edges[row, SIDE_X0] * ny
        high = body.edges[row, SIDE_X1 + 1] * nx - body.edges[row, SIDE_X1] * ny
        if found < 0 or low <= along <= high:
            found = row
    return found


@inner
def part_of(body: Bodies, row: int) -> int:
    """Return the part that an outer edge belongs to."""
    low, high = 0, body.edge_first.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if body.edge_first[middle] <= row:
            low = middle
        else:
            high = middle
    return low


@kernel
def user_feature(body: Bodies, start: int, side: int, feature: int) -> float:
    """Return a feature of a part, or of one of its sides made a record, with the number of the whole body's vertex."""
    vertex = feature if feature >= 0 else -1 - feature
    if side >= 0:
        vertex = int(body.edges[side, SIDE_FIRST if vertex == 0 else SIDE_LAST])
    else:
        vertex = vertex_id(body, start, start + POINTS + STRIDE * vertex)
    return float(vertex if feature >= 0 else -1 - vertex)


@kernel
def clip_sides(
    a: Bodies, i: int, at: int, row: int, b: Bodies, j: int, bt: int, depth: float, swapped: bool, out: Floats
) -> int:
    """Clip the side of B that faces A's edge `at` to the whole side of A; write the points, return how many."""
    p, q = a.buffer, b.buffer
    if p[i + COUNT] == 1.0 or q[j + COUNT] == 1.0:
        return 0
    band = FACE_BAND * magnitude(p, i, q, j)
    facing = edge_facing(q, j, bt, -p[at + 2], -p[at + 3])
    other = outer_edge_of(b, j, facing, bt) if b.exposed.shape[0] > 0 else -1
    first, second = np.zeros(POINTS + 2 * STRIDE), np.zeros(POINTS + 2 * STRIDE)
    ui, ua, vj, vb = i, at, j, bt
    if row >= 0:
        set_side(a, i, at, row, first)
        p, ui, ua = first, 0, POINTS
    if other >= 0:
        set_side(b, j, facing, other, second)
        q, vj, vb = second, 0, POINTS
    count, one, two = clip_face(p, ui, ua, q, vj, vb, depth, band, swapped)
    for k in range(count):
        x, y, deep, of_a, of_b = one if k == 0 else two
        at_row = COLUMNS * k
        out[at_row], out[at_row + 1], out[at_row + 2] = x, y, deep
        if swapped:
            of_a, of_b = of_b, of_a
        own_a, own_b = user_feature(a, i, row, of_a), user_feature(b, j, other, of_b)
        out[at_row + 3], out[at_row + 4] = (own_b, own_a) if swapped else (own_a, own_b)
    return count


@kernel
def manifold_of_mtv(a: Bodies, b: Bodies, found: Mtv, piece: Floats, out: Floats, witness: Floats) -> int:
    """Write the contact points where an MTV leads to, and the two surface points; return how many contact points."""
    depth, tx, ty, nx, ny, first, last = found
    if first < 0:
        return 0
    if last >= 0:
        # An inward corner: B comes to touch at two places at once.
        for k in range(2):
            which = last if k == 0 else first
            mx, my = nx, ny
            if piece[which, FEATURE] == ARC:
                _, mx, my = unit(tx - piece[which, X0], ty - piece[which, Y0])
            write_witnesses(a, b, piece, which, tx, ty, mx, my, witness)
            write_point(a, b, piece, which, depth, witness, COLUMNS * k, out)
        if out[0] == out[COLUMNS] and out[1] == out[COLUMNS + 1]:
            return 1
        return 2
    write_witnesses(a, b, piece, first, tx, ty, nx, ny, witness)
    count = 0
    i, j, at, bt = int(piece[first, START_A]), int(piece[first, START_B]), int(piece[first, AT]), int(piece[first, BT])
    if piece[first, FEATURE] != ARC and nx == piece[first, NORMAL_X] and ny == piece[first, NORMAL_Y]:
        row = int(piece[first, ROW])
        if piece[first, FEATURE] == OF_A:
            count = clip_sides(a, i, at, row, b, j, bt, depth, False, out)
        else:
            count = clip_sides(b, j, bt, row, a, i, at, depth, True, out)
    if count == 0:
        write_point(a, b, piece, first, depth, witness, 0, out)
        count = 1
    return count


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
def _depths_of_rows(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    separations: Floats,
    out_depths: Floats,
) -> None:
    """Write how long the minimum translation vectors of some `rows` are."""
    for k in range(rows.shape[0]):
        row = rows[k]
        found, _ = mtv(a, rows_a[row], b, rows_b[row], max(0.0, -separations[row]))
        out_depths[k] = found[0]


@kernel
def _mtvs_of_rows(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    separations: Floats,
    out: tuple[Floats, Floats, Floats, Floats, Integers, Floats, Integers, Floats],
) -> None:
    """Write the minimum translation vector of some `rows` that touch or overlap, and where they do."""
    out_depths, out_normals, out_points_a, out_points_b, out_counts, out_points, out_features, out_point_depths = out
    scratch = np.zeros(2 * COLUMNS)
    witness = np.zeros(4)
    for k in range(rows.shape[0]):
        row = rows[k]
        found, piece = mtv(a, rows_a[row], b, rows_b[row], max(0.0, -separations[row]))
        out_depths[k] = found[0]
        out_normals[k, 0], out_normals[k, 1] = found[3] + 0.0, found[4] + 0.0
        count = manifold_of_mtv(a, b, found, piece, scratch, witness)
        out_counts[k] = count
        out_points_a[k, 0], out_points_a[k, 1] = witness[0], witness[1]
        out_points_b[k, 0], out_points_b[k, 1] = witness[2], witness[3]
        for which in range(count):
            at = COLUMNS * which
            out_points[k, which, 0], out_points[k, which, 1] = scratch[at], scratch[at + 1]
            out_point_depths[k, which] = scratch[at + 2]
            out_features[k, which, 0], out_features[k, which, 1] = int(scratch[at + 3]), int(scratch[at + 4])


def depths_of(rows: BodyRows, which: Integers, found: Standing) -> Floats:
    """Return how long the minimum translation vectors of some rows are."""
    depths = np.empty(which.size)
    if which.size:
        _depths_of_rows(*rows, which, found.separation, depths)
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
        columns: Any = tuple(way)
        _mtvs_of_rows(*rows, which, found.separation, columns)
    return way
