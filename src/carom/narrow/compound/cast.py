"""When a moving body hits another, where at least one is made of several parts.

In: rows of bodies and the motion of the first of each. Out: `HitColumns`, as for single shapes. From a start apart the
first part to be met tells when; the outline of the whole tells the normal, so that an edge between parts is never the
one that was hit. In touch or overlap the bodies as wholes tell whether the motion closes, and only edges and vertices
on their outlines count. World frame, user's units.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns, goes_deeper, hit_rows
from carom.narrow.compound.bodies import Corners
from carom.narrow.compound.boundary import (
    ARC,
    FEATURE,
    Place,
    meets_outline,
    near_pieces,
)
from carom.narrow.compound.cover import hides
from carom.narrow.compound.first_hit import first_hits
from carom.narrow.compound.inside_exact import exact_core, runs_inside
from carom.narrow.compound.manifold import mtvs_out_of
from carom.narrow.compound.mtv_pieces import nearest_on_piece
from carom.narrow.compound.part_pairs import BodyRows, PartRows, may_meet, meeting_pairs
from carom.narrow.compound.part_tree import FEW, Parts, pairs_on_way
from carom.narrow.compound.standing import Standing, is_thin
from carom.narrow.dispatch import Rows
from carom.narrow.linear_toi import Impact, clip, impact, impact_point, measure_through
from carom.narrow.signed_distance import core_points
from carom.narrow.slop import size_and_largest, slop_within
from carom.narrow.walk import walk
from carom.shapes.proxy import RADIUS
from carom.tolerances import CONE_BAND, COVER_BAND


@kernel
def outline_normal(rows: BodyRows, row: int, shift: Place, motion: Place, given: Place, reach: float) -> Place:
    """Return a normal from A to B of the outlines, where B, moved by the shift, is in touch.

    It is the given one if that is between the normals of pieces that meet there; else the one that the motion closes on
    most.
    """
    sx, sy = shift
    a = Corners(rows.a.buffer, rows.a.starts, rows.a.exposed, rows.a.cones)
    b = Corners(rows.b.buffer, rows.b.starts, rows.b.exposed, rows.b.cones)
    piece, total, cover = near_pieces(rows, row, sx, sy, reach, abs(sx) + abs(sy) + 2.0 * reach)
    normals = np.empty((total, 2))
    count = 0
    best, best_x, best_y = 0.0, given[0], given[1]
    for k in range(total):
        met, x, y, nx, ny, distance = nearest_on_piece(a, b, piece, k)
        if abs(distance) > reach or (piece[k, FEATURE] == ARC and not met) or hides(cover, sx + x, sy + y):
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


@inner
def hit_reach(slop: float, mx: float, my: float) -> float:
    """Return how near the pieces of the outline are that may have been hit by a motion."""
    return 4.0 * slop + COVER_BAND * (abs(mx) + abs(my))


@kernel
def put_outline_normals(
    rows: BodyRows, which: Integers, motions: Floats, slops: Floats, fractions: Floats, out_normals: Floats
) -> None:
    """Put normals of the outline, from B to A, in the place of those of edges between parts."""
    for row in which:
        mx, my = motions[row, 0], motions[row, 1]
        share = fractions[row]
        reach = hit_reach(slops[row], mx, my)
        given = -out_normals[row, 0], -out_normals[row, 1]
        nx, ny = outline_normal(rows, row, (-share * mx, -share * my), (mx, my), given, reach)
        out_normals[row, 0], out_normals[row, 1] = 0.0 - nx, 0.0 - ny


@kernel
def _slops_of_rows(rows: PartRows, out_slops: Floats) -> None:
    """Write how deep the bodies of each row may overlap and still count as in touch when they move."""
    a, rows_a, b, rows_b = rows
    for row in range(out_slops.shape[0]):
        size_a, largest_a = size_and_largest(a.buffer, a.starts, a.first[rows_a[row]], a.first[rows_a[row] + 1])
        size_b, largest_b = size_and_largest(b.buffer, b.starts, b.first[rows_b[row]], b.first[rows_b[row] + 1])
        out_slops[row] = slop_within(min(size_a, size_b), max(largest_a, largest_b))


@kernel
def _starts_of_rows(
    rows: BodyRows, which: Integers, leaving: Booleans, motions: Floats, slops: Floats, out: HitColumns
) -> None:
    """Write the hits of rows that start in touch, or `leaving` an overlap; normals point from B to A."""
    a, b = rows.a, rows.b
    parts_a = Parts(a.buffer, a.starts, a.first, a.nodes, a.boxes)
    parts_b = Parts(b.buffer, b.starts, b.first, b.nodes, b.boxes)
    pairs = np.empty(FEW, dtype=np.int64)
    for row in which:
        body_a, body_b = rows.rows_a[row], rows.rows_b[row]
        mx, my, slop = motions[row, 0], motions[row, 1], slops[row]
        best, strongest = math.inf, 0.0
        total = pairs_on_way(parts_a, body_a, parts_b, body_b, (0.0, 0.0), (mx, my), slop, pairs)
        if total > pairs.shape[0]:
            pairs = np.empty(total, dtype=np.int64)
            pairs_on_way(parts_a, body_a, parts_b, body_b, (0.0, 0.0), (mx, my), slop, pairs)
        for k in range(total):
            part_a, part_b = pairs[k] // b.starts.shape[0], pairs[k] % b.starts.shape[0]
            i, j = a.starts[part_a], b.starts[part_b]
            if not may_meet(a.buffer, i, b.buffer, j, mx, my):
                continue
            met, x, y = start_of_pair(a.buffer, i, b.buffer, j, mx, my, slop)
            fraction, nx, ny, _, _, _ = met
            if fraction == math.inf:
                continue
            share_x, share_y = fraction * mx, fraction * my
            if leaving[row] and not meets_outline(a, part_a, b, part_b, met, share_x, share_y, slop):
                continue
            closing = nx * mx + ny * my
            if fraction < best or (fraction == best and closing > strongest):
                best, strongest = fraction, closing
                out.hit[row], out.fraction[row] = True, fraction
                out.normal[row, 0], out.normal[row, 1] = 0.0 - nx, 0.0 - ny
                out.point[row, 0], out.point[row, 1] = x, y


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
    count = rows.rows_a.size
    hits, slops, leaving = no_hits(count), np.empty(count), np.zeros(count, dtype=np.bool_)
    _slops_of_rows(rows.parts(), slops)
    is_apart = (found.separation > slops) & (found.side > 0)
    apart, inside = np.flatnonzero(is_apart), np.flatnonzero(~is_apart & (found.side < 0))
    if apart.size:
        doubts = np.zeros(count, dtype=np.bool_)
        first_hits(rows.parts(), apart, motions, ray, (hits.hit, doubts, hits.fraction, hits.point, hits.normal))
        doubtful = np.flatnonzero(doubts)
        if doubtful.size:
            owners, starts_a, starts_b = meeting_pairs(rows, doubtful, motions)
            pairs = Rows(rows.a.buffer, starts_a, rows.b.buffer, starts_b)
            each = hit_rows(pairs, np.ascontiguousarray(motions[owners]), ray, threads)
            write_first(hits, owners, each)
    if inside.size:
        way = mtvs_out_of(rows, inside, found, swapped)
        leaving[inside] = deep = way.depth > slops[inside]
        closing = np.sum(way.normal * motions[inside], axis=1) < 0.0
        met = deep & (closing | ray)
        hits.overlapping[inside] = met
        hits.hit[inside[met]], hits.fraction[inside[met]] = True, 0.0
        hits.normal[inside[met]], hits.point[inside[met]] = way.normal[met], way.point_b[met]
    begun = np.flatnonzero(~is_apart & ~hits.overlapping)
    if begun.size:
        _starts_of_rows(rows, begun, leaving, motions, slops, hits)
    for row in begun.tolist():
        if not hits.hit[row] and is_thin(rows.a, int(rows.rows_a[row])):
            _follow_seam(rows, row, motions, hits)
    told = np.flatnonzero(hits.hit & ~hits.overlapping)
    if told.size:
        put_outline_normals(rows, told, motions, slops, hits.fraction, hits.normal)
    return hits


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
