"""When a moving body hits another, where at least one is made of several parts.

In: rows of bodies and the motion of the first of each. Out: `HitColumns`, as for single shapes. From a start apart the
first part to be met tells when; the outline of the whole tells the normal, so that an edge between parts is never the
one that was hit. In touch or overlap the bodies as wholes tell whether the motion closes, and only edges and vertices
on their outlines count. World frame, user's units.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns, goes_deeper, hit_rows
from carom.narrow.compound.bodies import Bodies, integer_columns, with_room
from carom.narrow.compound.boundary import (
    ARC,
    FEATURE,
    discs_of,
    hiding_pair,
    least_distance,
    meets_outline,
    near_pairs,
    near_pieces,
)
from carom.narrow.compound.inside_exact import exact_core, runs_inside
from carom.narrow.compound.manifold import mtvs_of
from carom.narrow.compound.mtv import nearest_on_piece
from carom.narrow.compound.standing import BodyRows, Standing, is_thin
from carom.narrow.dispatch import Rows
from carom.narrow.linear_toi import Impact, clip, impact, impact_point, measure_through
from carom.narrow.signed_distance import core_points
from carom.narrow.slop import extent, slop_within
from carom.narrow.walk import walk
from carom.shapes.proxy import CENTER_X, CENTER_Y, RADIUS, X, Y
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
    pairs = near_pairs(a, body_a, b, body_b, sx, sy, reach)
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


@inner
def size_and_largest(a: Bodies, body: int) -> tuple[float, float]:
    """Return the size of a body's largest part, and a number that none of its coordinates exceeds."""
    size, largest = 0.0, 0.0
    for part in range(a.first[body], a.first[body + 1]):
        i = a.starts[part]
        size = max(size, extent(a.buffer, i))
        x = abs(a.buffer[i + X] + a.buffer[i + CENTER_X])
        y = abs(a.buffer[i + Y] + a.buffer[i + CENTER_Y])
        largest = max(largest, max(x, y) + extent(a.buffer, i))
    return size, largest


@kernel
def _slops_of_rows(a: Bodies, rows_a: Integers, b: Bodies, rows_b: Integers, out_slops: Floats) -> None:
    """Write how deep the bodies of each row may overlap and still count as in touch when they move."""
    for row in range(rows_a.shape[0]):
        size_a, largest_a = size_and_largest(a, rows_a[row])
        size_b, largest_b = size_and_largest(b, rows_b[row])
        out_slops[row] = slop_within(min(size_a, size_b), max(largest_a, largest_b))


@kernel
def may_meet(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> bool:
    """Tell whether the circle around a part of A, moved by m, may meet the circle around a part of B on its way."""
    x = (b[j + X] - a[i + X]) + (b[j + CENTER_X] - a[i + CENTER_X])
    y = (b[j + Y] - a[i + Y]) + (b[j + CENTER_Y] - a[i + CENTER_Y])
    square = mx * mx + my * my
    share = min(max((x * mx + y * my) / square, 0.0), 1.0) if square > 0.0 else 0.0
    # Half the motion along it, and the rest across: what rounding adds is covered by the margin of the distance.
    margin = COVER_BAND * (abs(mx) + abs(my))
    return bool(least_distance(a, i, b, j, -share * mx, -share * my) <= margin)


@kernel
def _meeting_pairs(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    motions: Floats,
    out_rows: Integers,
    out_starts_a: Integers,
    out_starts_b: Integers,
) -> int:
    """Write the pairs of parts that may meet on the way, as long as there is room; return how many there are."""
    count = 0
    for k in range(rows.shape[0]):
        row = rows[k]
        for part_a in range(a.first[rows_a[row]], a.first[rows_a[row] + 1]):
            i = a.starts[part_a]
            for part_b in range(b.first[rows_b[row]], b.first[rows_b[row] + 1]):
                j = b.starts[part_b]
                if may_meet(a.buffer, i, b.buffer, j, motions[row, 0], motions[row, 1]):
                    if count < out_rows.shape[0]:
                        out_rows[count], out_starts_a[count], out_starts_b[count] = row, i, j
                    count += 1
    return count


def meeting_pairs(rows: BodyRows, which: Integers, motions: Floats) -> tuple[Integers, Integers, Integers]:
    """Return the pairs of parts that may meet on the way: row, start of A's record, start of B's."""
    write = partial(_meeting_pairs, *rows, which, motions)
    owners, starts_a, starts_b = with_room(4 * which.size + 16, integer_columns(3), write)
    return owners, starts_a, starts_b


@kernel
def _starts_of_rows(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    leaving: Booleans,
    motions: Floats,
    slops: Floats,
    out_hits: Booleans,
    out_fractions: Floats,
    out_points: Floats,
    out_normals: Floats,
) -> None:
    """Write the hits of rows that start in touch, or `leaving` an overlap; normals point from B to A."""
    for k in range(rows.shape[0]):
        row = rows[k]
        body_a, body_b = rows_a[row], rows_b[row]
        mx, my, slop = motions[row, 0], motions[row, 1], slops[row]
        best, strongest = math.inf, 0.0
        for part_a in range(a.first[body_a], a.first[body_a + 1]):
            i = a.starts[part_a]
            for part_b in range(b.first[body_b], b.first[body_b + 1]):
                j = b.starts[part_b]
                if not may_meet(a.buffer, i, b.buffer, j, mx, my):
                    continue
                met, x, y = start_of_pair(a.buffer, i, b.buffer, j, mx, my, slop)
                fraction, nx, ny, _, _, _ = met
                if fraction == math.inf:
                    continue
                share_x, share_y = fraction * mx, fraction * my
                if leaving[k] and not meets_outline(a, part_a, b, part_b, met, share_x, share_y, slop):
                    continue
                closing = nx * mx + ny * my
                if fraction < best or (fraction == best and closing > strongest):
                    best, strongest = fraction, closing
                    out_hits[row], out_fractions[row] = True, fraction
                    out_normals[row, 0], out_normals[row, 1] = 0.0 - nx, 0.0 - ny
                    out_points[row, 0], out_points[row, 1] = x, y


@kernel
def start_of_pair(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float, slop: float
) -> tuple[Impact, float, float]:
    """Return when two parts of bodies that start in touch go deeper than the slop, and the point on B."""
    distance, nx, ny, feature, at, bt = walk(a, i, b, j)
    radius = a[i + RADIUS] + b[j + RADIUS]
    separation = distance - radius
    missed = math.inf, nx, ny, feature, at, bt
    if separation > slop:
        thick = radius >= slop
        if not thick:
            thick = measure_through(a, i, b, j, mx, my, radius)[0] > 4.0 * slop
        if thick and clip(a, i, b, j, mx, my, radius - slop)[0] == math.inf:
            return missed, 0.0, 0.0
        met, _ = impact(a, i, b, j, mx, my, separation)
        x, y = impact_point(a, i, b, j, mx, my, met)
        return met, x, y
    closing = nx * mx + ny * my
    if closing <= 0.0 or separation < -slop:
        return missed, 0.0, 0.0
    if not goes_deeper(a, i, b, j, mx, my, closing, separation, slop)[0]:
        return missed, 0.0, 0.0
    _, _, x, y = core_points(a, i, b, j, (separation, nx, ny, feature, at, bt, False))
    reach = b[j + RADIUS]
    return (0.0, nx, ny, feature, at, bt), x - nx * reach, y - ny * reach


def no_hits(count: int) -> HitColumns:
    """Return columns for rows that meet nothing."""
    return HitColumns(
        np.zeros(count, dtype=np.bool_),
        np.full(count, math.inf),
        np.zeros((count, 2)),
        np.zeros((count, 2)),
        np.zeros(count, dtype=np.bool_),
    )


def write_first(hits: HitColumns, owners: Integers, each: HitColumns) -> None:
    """Write for each row the first of the hits of its pairs of parts; `owners` are their rows."""
    order = np.lexsort((each.fraction, owners))
    first = order[np.append(True, np.diff(owners[order]) > 0)] if order.size else order
    first = first[each.hit[first]]
    row = owners[first]
    hits.hit[row], hits.fraction[row] = True, each.fraction[first]
    hits.point[row], hits.normal[row] = each.point[first], each.normal[first]


def cast_rows(rows: BodyRows, found: Standing, motions: Floats, ray: bool, swapped: bool, threads: int) -> HitColumns:
    """Return when each A, moved, hits its B; `swapped` tells that A comes second where they overlap."""
    hits = no_hits(rows.rows_a.size)
    slops = np.empty(rows.rows_a.size)
    _slops_of_rows(*rows, slops)
    is_apart = (found.separation > slops) & (found.side > 0)
    apart, begun = np.flatnonzero(is_apart), np.flatnonzero(~is_apart)
    if apart.size:
        owners, starts_a, starts_b = meeting_pairs(rows, apart, motions)
        pairs = Rows(rows.a.buffer, starts_a, rows.b.buffer, starts_b)
        each = hit_rows(pairs, np.ascontiguousarray(motions[owners]), ray, threads)
        write_first(hits, owners, each)
    if begun.size:
        _answer_starts(rows, begun, found, motions, slops, ray, swapped, hits)
    told = np.flatnonzero(hits.hit & ~hits.overlapping)
    if told.size:
        put_outline_normals(*rows, told, motions, slops, hits.fraction, hits.normal)
    return hits


def _answer_starts(
    rows: BodyRows,
    begun: Integers,
    found: Standing,
    motions: Floats,
    slops: Floats,
    ray: bool,
    swapped: bool,
    hits: HitColumns,
) -> None:
    """Write the hits of rows that start in touch or overlap."""
    leaving = np.zeros(begun.size, dtype=np.bool_)
    overlap = np.flatnonzero(found.side[begun] < 0)
    if overlap.size:
        inside = begun[overlap]
        depth, normal, point = mtv_out_of(rows, inside, found, swapped)
        leaving[overlap] = deep = depth > slops[inside]
        # The normal points out of B.
        closing = np.sum(normal * motions[inside], axis=1) < 0.0
        met = deep & (closing | ray)
        hits.overlapping[inside] = met
        hits.hit[inside[met]], hits.fraction[inside[met]] = True, 0.0
        hits.normal[inside[met]], hits.point[inside[met]] = normal[met], point[met]
        keep = np.ones(begun.size, dtype=np.bool_)
        keep[overlap[met]] = False
        begun, leaving = begun[keep], leaving[keep]
    if begun.size:
        columns = hits.hit, hits.fraction, hits.point, hits.normal
        _starts_of_rows(*rows, begun, leaving, motions, slops, *columns)
    for number in begun.tolist():
        if not hits.hit[number] and is_thin(rows.a, int(rows.rows_a[number])):
            _follow_seam(rows, number, motions, hits)


def mtv_out_of(rows: BodyRows, which: Integers, found: Standing, swapped: bool) -> tuple[Floats, Floats, Floats]:
    """Return how deep A and B overlap, the normal out of B, and the point of B that is deepest, of some rows.

    `swapped` tells to compare B with A, so that both orders give the same bits.
    """
    if swapped:
        way = mtvs_of(BodyRows(rows.b, rows.rows_b, rows.a, rows.rows_a), which, found)
        return way.depth, way.normal, way.point_a
    way = mtvs_of(rows, which, found)
    return way.depth, 0.0 - way.normal, way.point_b


def _follow_seam(rows: BodyRows, row: int, motions: Floats, hits: HitColumns) -> None:
    """Write the hit of a point that goes in between flush parts, without going into any of them."""
    a, b = rows.a, rows.b
    core = exact_core(a.buffer, int(a.starts[a.first[rows.rows_a[row]]]))
    mx, my = motions[row].tolist()
    if len(core) > 1 or b.exposed.size == 0 or (mx == 0.0 and my == 0.0):
        return
    _, _, starts = meeting_pairs(rows, np.array([row]), motions)
    end = core[0][0] + Fraction(mx), core[0][1] + Fraction(my)
    shared = runs_inside(core[0], end, [exact_core(b.buffer, start) for start in starts.tolist()])
    if shared is not None:
        share = float(shared[0])
        length = math.hypot(mx, my)
        hits.hit[row], hits.fraction[row] = True, share
        hits.point[row] = float(core[0][0]) + share * mx, float(core[0][1]) + share * my
        hits.normal[row] = -mx / length, -my / length
