"""When a moving shape hits another, from any start: apart, in touch, or in overlap.

In: two shapes and the first one's translation. Out: the fraction of the translation at which they first touch, the
point, and the normal out of the shape that was hit, towards the mover; or None. World frame, user's units. Any speed.
What also turns is handed to `turning_rows`.

Distance comes first. Separation along a straight path is convex, so a pair in touch whose motion does not close along
its normal cannot meet: leaving and sliding are never blocked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike, PointsLike
from carom._core.jit import inner, kernel
from carom._core.threads import ONE, checked, in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.dispatch import WHOLES, Rows, has_compound, pair, rows, vectors
from carom.narrow.exact.hits import Strike, settle, settle_rows, strike_at
from carom.narrow.linear_toi import clip, impact, measure_through, starts_inside
from carom.narrow.rows.rotating_cast import (
    STILL,
    goes_straight,
    taken,
    turn_and_pivot,
    turning_hit,
    turning_hits,
    turns_and_pivots,
)
from carom.narrow.signed_distance import core_points, magnitude, separate
from carom.narrow.slab import entry
from carom.narrow.slop import slop_of_pair
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.proxy import RADIUS
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND
from carom.vector import Vec, new


@inner
def goes_deeper(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float, closing: float, separation: float, slop: float
) -> tuple[bool, bool]:
    """Tell whether two shapes in touch, closing, overlap by more than the slop, and whether it is undecided."""
    radius = a[i + RADIUS] + b[j + RADIUS]
    thickness, chord = math.inf, 0.0
    if radius < slop:
        thickness, chord = measure_through(a, i, b, j, mx, my, radius)
    if thickness > 4.0 * slop:
        if clip(a, i, b, j, mx, my, radius - slop)[0] < math.inf:
            return True, False
        # As deep as the slop but for rounding, it starts within what is moved inward, and any way inward is deeper.
        return separation < 0.0 and starts_inside(a, i, b, j, radius - slop), False
    # Too thin to be moved inward: what counts is whether the path goes through. A point on a line is on neither side.
    if separation > 0.0:
        found, undecided = impact(a, i, b, j, mx, my, separation)
        return found[0] < math.inf, undecided
    return closing > slop and chord > SIGN_BAND * magnitude(a, i, b, j), False


@kernel
def strike(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, ray: bool) -> Strike:
    """Return when A moved by m hits B. A ray that starts inside is a hit wherever it goes; a shape may leave."""
    slop = slop_of_pair(a, i, b, j)
    start = separate(a, i, b, j)
    separation, nx, ny, _, _, _, _ = start
    if separation > slop:
        found, undecided = impact(a, i, b, j, mx, my, separation)
        if found[0] == math.inf:
            return False, False, False, math.inf, 0.0, 0.0, 0.0, 0.0
        return strike_at(a, i, b, j, mx, my, found, entry(a, i, b, j, mx, my), undecided)
    closing = nx * mx + ny * my
    overlapping = separation < -slop
    hit, undecided = False, False
    if overlapping:
        hit = ray or closing > 0.0
    elif closing > 0.0:
        hit, undecided = goes_deeper(a, i, b, j, mx, my, closing, separation, slop)
    if not hit:
        return False, False, False, math.inf, 0.0, 0.0, 0.0, 0.0
    _, _, x, y = core_points(a, i, b, j, start)
    reach = b[j + RADIUS]
    return True, undecided, overlapping, 0.0, -nx, -ny, x - nx * reach, y - ny * reach


@kernel
def _cast_of_pair(a: Floats, b: Floats, mx: float, my: float) -> Strike:
    return strike(a, 0, b, 0, mx, my, False)


@kernel
def strike_rows(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    motions: Floats,
    ray: bool,
    out_hits: Booleans,
    out_undecided: Booleans,
    out_overlapping: Booleans,
    out_fractions: Floats,
    out_normals: Floats,
    out_points: Floats,
) -> None:
    """Write for each row when A, moved, hits B; see `strike`."""
    for row in range(out_hits.shape[0]):
        hit, undecided, overlapping, fraction, nx, ny, x, y = strike(
            a, starts_a[row], b, starts_b[row], motions[row, 0], motions[row, 1], ray
        )
        out_hits[row], out_undecided[row], out_overlapping[row] = hit, undecided, overlapping
        out_fractions[row] = fraction
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        out_points[row, 0], out_points[row, 1] = x, y


class HitColumns(NamedTuple):
    """`Hit` for every row; where there is none, the fraction is infinite and the rest 0."""

    hit: Booleans
    """(n,)"""
    fraction: Floats
    """(n,)"""
    point: Floats
    """(n, 2)"""
    normal: Floats
    """(n, 2)"""
    overlapping: Booleans
    """(n,)"""


def hit_rows(pairs: Rows, motions: Floats, ray: bool, threads: int) -> HitColumns:
    """Return when each A, moved, hits its B; hits and misses are decided exactly."""
    n = pairs.starts_a.size
    hit, undecided, overlapping = (np.empty(n, dtype=np.bool_) for _ in range(3))
    fraction, normal, point = np.empty(n), np.empty((n, 2)), np.empty((n, 2))
    columns: tuple[Any, ...] = hit, undecided, overlapping, fraction, normal, point

    def work(begin: int, end: int) -> None:
        strike_rows(*pairs.part(begin, end), motions[begin:end], ray, *(column[begin:end] for column in columns))

    in_parts(threads, n, work)
    if undecided.any():
        settle_rows(pairs, motions, undecided, hit, fraction, normal, point, threads)
    return HitColumns(hit, fraction, point, normal, overlapping)


class Hit(NamedTuple):
    """Where and when a moving shape hits another."""

    fraction: float
    """Share of the motion at the hit, 0 to 1."""
    point: Vec
    """The point on the surface that was hit."""
    normal: Vec
    """Unit vector out of the shape that was hit, towards the mover."""
    overlapping: bool
    """Whether the two already overlapped at the start and had not been clear of each other since.

    The normal is then the least way out, and the fraction 0, or for a turning motion where it goes deeper.
    """


@overload
def cast(
    a: Shape | Compound,
    b: Shape | Compound,
    translation: PointLike,
    *,
    rotation: float = 0.0,
    pivot: PointLike | None = None,
    threads: int = 1,
) -> Hit | None: ...


@overload
def cast(
    a: Shapes,
    b: Shape | Compound | Shapes,
    translation: PointLike | PointsLike,
    *,
    rotation: float | Sequence[float] | Floats = 0.0,
    pivot: PointLike | PointsLike | None = None,
    threads: int = 1,
) -> HitColumns: ...


@overload
def cast(
    a: Shape | Compound,
    b: Shapes,
    translation: PointLike | PointsLike,
    *,
    rotation: float | Sequence[float] | Floats = 0.0,
    pivot: PointLike | PointsLike | None = None,
    threads: int = 1,
) -> HitColumns: ...


def cast(a: Any, b: Any, translation: Any, *, rotation: Any = STILL, pivot: Any = None, threads: int = ONE) -> Any:
    """Return when shape `a`, moving by `translation` and turning by `rotation`, first touches `b`, which stands.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets go row by row: n with n, or n with one.
    translation : (x, y)
        The whole motion, in length units; any length. For sets one for all, or one for each row, (n, 2).
    rotation : float, default 0
        The whole turn, in radians, counter-clockwise where y points up; several turns are fine, up to 2**20 radians.
        At the fraction t of the motion `a` has been turned by t * rotation and moved by t * translation. For sets one
        for all, or one for each row, (n,).
    pivot : (x, y), optional
        The point of the world, as it lies at the start, that the turn is about; it moves along with the translation.
        `a.position` if not given. For sets one for all, or one for each row, (n, 2).
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    Hit or None, or HitColumns for sets
        Named tuple (fraction, point, normal, overlapping); None if they do not meet. From a start apart, grazing is a
        hit. From a start in touch, it is a hit only if the motion goes deeper; leaving and sliding never are. From a
        start in overlap, it is a hit at fraction 0 if the motion closes along the normal of the least way out.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape, `translation` or `pivot` no pair of numbers, or `rotation` no number.
    ValueError
        If one of these is not finite, the turn too large, or the numbers of rows differ.

    Notes
    -----
    Without rotation a closed form: the origin as a ray against the Minkowski difference, rounded by both radii. Whether
    there is a hit is decided exactly; nothing is passed through at any speed.

    With rotation conservative advancement: steps that are proved free of contact, until the shapes are nearer than a
    tolerance: 1e-12 of the smaller size, or what rounding takes where that is more (docs/design/turning.md). A hit is
    never late, and early by at most that distance. A start in touch is blocked where the motion goes deeper, and a
    start in overlap where it goes deeper than at the start, be it at once (fraction 0) or later; once clear, both are
    starts apart.

    Examples
    --------
    >>> hit = cm.cast(cm.Circle((0, 0), 1), cm.Box((10, 0), (2, 2)), (16, 0))
    >>> hit.fraction, hit.point, hit.normal
    (0.5, Vec(9.0, 0.0), Vec(-1.0, 0.0))

    A door, hinged at the origin, opens by a quarter turn and meets a ball half way:

    >>> door, ball = cm.Segment((0, 0), (2, 0)), cm.Circle((0, 1), 0.5**0.5)
    >>> hit = cm.cast(door, ball, (0, 0), rotation=1.5707963267948966, pivot=(0, 0))
    >>> round(hit.fraction, 9)
    0.5
    """
    if threads is not ONE:
        checked("cast", threads)
    turns = rotation is not STILL or pivot is not None
    found = pair("cast", a, b)
    if found is None:
        if has_compound(a, b):
            if turns:
                return WHOLES["turning_cast"](a, b, translation, rotation, pivot, threads)
            return WHOLES["cast"](a, b, translation, threads)
        pairs = rows("cast", ("a", "b"), a, b)
        motions = vectors("cast", "translation", translation, pairs.starts_a.size)
        if turns:
            return hits_of_turning_rows(
                pairs, motions, *turns_and_pivots(a, rotation, pivot, pairs.starts_a.size), threads
            )
        return hit_rows(pairs, motions, False, threads)
    first, second = found
    mx, my = inputs.point("cast", "translation", translation)
    if turns:
        turn, px, py = turn_and_pivot(a, rotation, pivot)
        if not goes_straight(first, 0, turn, (px, py)):
            hit, overlapping, fraction, nx, ny, x, y = turning_hit(first, second, mx, my, turn, px, py)
            return Hit(fraction, new(Vec, (x, y)), new(Vec, (nx, ny)), overlapping) if hit else None
    found_hit = _cast_of_pair(first, second, mx, my)
    if found_hit[1]:
        found_hit = settle(first, second, mx, my, found_hit)
    hit, _, overlapping, fraction, nx, ny, x, y = found_hit
    if not hit:
        return None
    return Hit(fraction, new(Vec, (x, y)), new(Vec, (nx + 0.0, ny + 0.0)), overlapping)


def hits_of_turning_rows(pairs: Rows, motions: Floats, turns: Floats, pivots: Floats, threads: int) -> HitColumns:
    """Return the hits of rows of which some turn: those that go straight are answered as without rotation."""
    straight = goes_straight(pairs.a, pairs.starts_a, turns, pivots)
    if straight.all():
        return hit_rows(pairs, motions, False, threads)
    turning = ~straight
    found = HitColumns(*turning_hits(taken(pairs, turning), motions[turning], turns[turning], pivots[turning], threads))
    if turning.all():
        return found
    return in_order(straight, hit_rows(taken(pairs, straight), motions[straight], False, threads), found)


def in_order(chosen: Booleans, first: HitColumns, second: HitColumns) -> HitColumns:
    """Return one set of rows from those of the chosen rows and those of the others."""
    columns = []
    for own, other in zip(first, second, strict=True):
        column = np.empty((chosen.size, *own.shape[1:]), own.dtype)
        column[chosen], column[~chosen] = own, other
        columns.append(column)
    return HitColumns(*columns)
