"""Every verb where a Compound takes part: bodies of several convex parts, answered as one whole shape each.

In: the arguments of a verb, at least one of them a Compound. Out: columns, one row for each pair of bodies. Apart, the
nearest parts give the answer; in touch and in overlap the outline of the whole does, so that edges between parts never
make a contact. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns, ahead_or_turned
from carom.narrow.compound.both_turning import BothTurning
from carom.narrow.compound.cast import cast_rows
from carom.narrow.compound.contains import contains_body, contains_rows
from carom.narrow.compound.inside_exact import exact_core, is_surrounded, runs_inside
from carom.narrow.compound.manifold import depths_of, mtvs_of
from carom.narrow.compound.packing import bodies
from carom.narrow.compound.part_pairs import BodyRows
from carom.narrow.compound.rotating_cast import Turning
from carom.narrow.compound.standing import Standing, is_thin, standing, touching_parts
from carom.narrow.dispatch import Rows, check_counts, vectors
from carom.narrow.rows.contact import ContactColumns
from carom.narrow.rows.rotating_cast import STILL, goes_straight, turn_and_pivot, turns_and_pivots
from carom.narrow.rows.vertex_ids import own_columns
from carom.narrow.separation import ClosestColumns, closest_rows
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes
from carom.vector import LEAST


def body_rows(verb: str, names: tuple[str, str], a: Any, b: Any) -> BodyRows:
    """Return two sets of bodies, row by row: n rows with n, or n with one."""
    first, second = bodies(verb, names[0], a), bodies(verb, names[1], b)
    count_a, count_b = first.first.size - 1, second.first.size - 1
    check_counts(verb, names, count_a, count_b)
    count = count_a if count_b == 1 else count_b
    rows_a, rows_b = (np.arange(count) if k == count else np.zeros(count, dtype=np.int64) for k in (count_a, count_b))
    return BodyRows(first, rows_a, second, rows_b)


def stand(rows: BodyRows, threads: int, yes_or_no: bool = False, limit: float = math.inf) -> Standing:
    """Tell as `standing` how the bodies of each row stand, points and segments between flush parts included."""
    found = standing(rows, threads, yes_or_no, limit)
    for row in np.flatnonzero(found.side == 0).tolist():
        if lies_on_seam(rows, row):
            found.side[row] = -1
    return found


def lies_on_seam(rows: BodyRows, row: int) -> bool:
    """Tell whether, of two bodies in touch, one is a Point or Segment that lies between flush parts of the other."""
    for thin, thin_row, whole, number in (
        (rows.a, int(rows.rows_a[row]), rows.b, 1),
        (rows.b, int(rows.rows_b[row]), rows.a, 0),
    ):
        if whole.exposed.size and is_thin(thin, thin_row):
            cores = [exact_core(whole.buffer, start) for start in touching_parts(rows, row)[number].tolist()]
            core = exact_core(thin.buffer, int(thin.starts[thin.first[thin_row]]))
            if len(core) == 1:
                return is_surrounded(core[0], cores)
            return runs_inside(core[0], core[1], cores) is not None
    return False


def comes_second(a: Any, b: Any) -> bool:
    """Tell whether (A, B) is to be answered as (B, A), so that both orders give the same bits."""
    if isinstance(a, Compound) and isinstance(b, Compound):
        return (a._origin, a._local, a._counts) > (b._origin, b._local, b._counts)
    return isinstance(b, Compound)


def ordered_rows(verb: str, a: Any, b: Any) -> BodyRows:
    """Return the rows of (A, B), or of (B, A) where A comes second."""
    return body_rows(verb, ("b", "a"), b, a) if comes_second(a, b) else body_rows(verb, ("a", "b"), a, b)


def _signed(found: Standing, overlapping: Integers, depth: Floats) -> Floats:
    """Return the separations, with the depth where bodies overlap."""
    separation = found.separation.copy()
    separation[overlapping] = -np.maximum(depth, LEAST)
    separation[found.side == 0] = 0.0
    return separation


def intersects(a: Any, b: Any, touching: bool, threads: int) -> Booleans:
    """Tell for each row whether two bodies touch or overlap."""
    rows = ordered_rows("intersects", a, b)
    found = standing(rows, threads, True, LEAST) if touching else stand(rows, threads, True, LEAST)
    answer: Booleans = found.side <= 0 if touching else found.side < 0
    return answer


def separations(a: Any, b: Any, threads: int) -> Floats:
    """Return the signed separation of each row."""
    rows = ordered_rows("separation", a, b)
    found = stand(rows, threads)
    overlapping = np.flatnonzero(found.side < 0)
    return _signed(found, overlapping, depths_of(rows, overlapping, found))


def distances(a: Any, b: Any, threads: int) -> Floats:
    """Return the distance of each row: how deep bodies overlap does not matter here."""
    found = standing(ordered_rows("distance", a, b), threads, True)
    return np.where(found.side <= 0, 0.0, found.separation)


def closest(a: Any, b: Any, threads: int) -> ClosestColumns:
    """Return where the bodies of each row are nearest, or how they overlap least."""
    rows = ordered_rows("closest", a, b)
    found = stand(rows, threads)
    result = closest_rows(Rows(rows.a.buffer, found.starts_a, rows.b.buffer, found.starts_b), threads)
    near = np.flatnonzero((found.side <= 0) | found.near)
    way = mtvs_of(rows, near, found)
    result.normal[near], result.point_a[near], result.point_b[near] = way.normal, way.point_a, way.point_b
    overlapping = found.side[near] < 0
    separation = _signed(found, near[overlapping], way.depth[overlapping])
    if comes_second(a, b):
        return ClosestColumns(separation, 0.0 - result.normal, result.point_b, result.point_a)
    return result._replace(separation=separation)


def contacts(a: Any, b: Any, threads: int) -> ContactColumns:
    """Return how the bodies of each row touch or overlap."""
    rows = ordered_rows("collide", a, b)
    found = contacts_of(rows, stand(rows, threads), comes_second(a, b))
    return found._replace(features=own_columns(a, b, found.count, found.features))


def contacts_of(rows: BodyRows, found: Standing, swapped: bool) -> ContactColumns:
    """Return how the bodies of each row touch or overlap; `swapped` tells that B is the first of the answer."""
    n = rows.rows_a.size
    met = np.flatnonzero(found.side <= 0)
    way = mtvs_of(rows, met, found)
    normal, depth, count = np.zeros((n, 2)), np.zeros(n), np.zeros(n, dtype=np.int8)
    points, depths, features = np.zeros((n, 2, 2)), np.zeros((n, 2)), np.zeros((n, 2, 2), dtype=np.int32)
    normal[met] = 0.0 - way.normal if swapped else way.normal
    overlapping = found.side[met] < 0
    depth[met] = np.where(overlapping, np.maximum(way.depth, LEAST), 0.0)
    count[met], points[met] = way.count, way.points
    depths[met] = np.where(overlapping[:, None], way.depths, 0.0)
    features[met] = way.features[:, :, ::-1] if swapped else way.features
    return ContactColumns(found.side <= 0, normal, depth, count, points, depths, features)


def contains(shape: Any, other: Any, threads: int) -> Booleans:
    """Tell for each row whether a body contains another."""
    if isinstance(other, Compound):
        return contains_body(shape, other, threads)
    return contains_rows(shape, bodies("contains", "other", other), threads)


def ray_hits(points: Shapes, shape: Compound, motions: Floats, threads: int) -> HitColumns:
    """Return when each point, moved, hits the body."""
    rows = body_rows("raycast", ("origin", "shape"), points, shape)
    return cast_rows(rows, stand(rows, threads), motions, True, True, threads)


def hits(a: Any, b: Any, translation: Any, rotation: Any, pivot: Any, threads: int) -> HitColumns:
    """Return when each A, moved and turned, hits its B."""
    rows = body_rows("cast", ("a", "b"), a, b)
    n, one = rows.rows_a.size, not isinstance(a, Shapes) and not isinstance(b, Shapes)
    if one:
        motions = np.array([inputs.point("cast", "translation", translation)])
    else:
        motions = vectors("cast", "translation", translation, n)
    swapped = comes_second(a, b)
    if rotation is STILL and pivot is None:
        return cast_rows(rows, stand(rows, threads), motions, False, swapped, threads)
    if one:
        turn, *about = turn_and_pivot(a, rotation, pivot)
        turns, pivots = np.array([turn]), np.array([about])
    else:
        turns, pivots = turns_and_pivots(a, rotation, pivot, n)
    found = stand(rows, threads)
    straight = turns == 0.0
    if not isinstance(a, Compound):
        straight = goes_straight(rows.a.buffer, rows.a.starts[rows.rows_a], turns, pivots)

    def ahead(chosen: Booleans) -> HitColumns:
        return cast_rows(rows.some(chosen), found.some(chosen), motions[chosen], False, swapped, threads)

    def turned(chosen: Booleans) -> HitColumns:
        asked = Turning(rows.some(chosen), motions[chosen], turns[chosen], pivots[chosen], swapped, threads)
        return asked.answer(found.some(chosen))

    return ahead_or_turned(straight, ahead, turned)


def hits_of_turning(rows: BodyRows, both: Floats, swapped: bool, threads: int) -> HitColumns:
    """Return when each A, moved and turned, hits its B, which turns as well."""
    return BothTurning(rows, both, swapped, threads).answer(stand(rows, threads))
