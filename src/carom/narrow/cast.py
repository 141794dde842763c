"""When a moving shape hits another, from any start: apart, in touch, or in overlap. A ray is the cast of a point.

In: records and the motion of the first shape, as pairs or row by row. Out: the fraction of the motion at which they
first touch, the point, and the normal out of the shape that was hit, towards the mover. World frame, user's units. Any
speed. Shapes that also turn are handed to `rows.rotating_cast`.

Distance comes first. Separation along a straight path is convex, so a pair in touch whose motion does not close along
its normal cannot meet: leaving and sliding are never blocked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import inner, kernel
from carom._core.names import names_near
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.dispatch import COMPILED, Rows, plain, readable
from carom.narrow.exact.hits import Strike, settle, settle_rows, strike_at
from carom.narrow.linear_toi import clip, impact, measure_through, starts_inside
from carom.narrow.rows.rotating_cast import goes_straight, taken, turning_hits
from carom.narrow.signed_distance import core_points, magnitude, separate
from carom.narrow.slab import entry
from carom.narrow.slop import slop_of_pair
from carom.shapes.basic import ConvexShape, Shape
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import SIGN_BAND, SMALLEST_MOTION
from carom.vector import Vec


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
        # As deep as the slop but for rounding, it starts within the shape moved inward, and any way inward is deeper.
        return separation < 0.0 and starts_inside(a, i, b, j, radius - slop), False
    # Too thin to be moved inward: a path that goes through it is deeper. A point on a line is on neither side.
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
def cast_of_pair(a: Floats, b: Floats, mx: float, my: float) -> Strike:
    """Return when A, moved, hits B, from their records."""
    hit, undecided, overlapping, fraction, nx, ny, x, y = strike(a, 0, b, 0, mx, my, False)
    return hit, undecided, overlapping, fraction, nx + 0.0, ny + 0.0, x, y


# Columns of hits: whether they hit, are in doubt, overlap at the start; fraction, normal and point.
Out = tuple[Booleans, Booleans, Booleans, Floats, Floats, Floats]


@kernel
def strike_rows(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, motions: Floats, ray: bool, out: Out
) -> None:
    """Write for each row when A, moved, hits B; see `strike`."""
    out_hits, out_undecided, out_overlapping, out_fractions, out_normals, out_points = out
    for row in range(out_hits.shape[0]):
        hit, undecided, overlapping, fraction, nx, ny, x, y = strike(
            a, starts_a[row], b, starts_b[row], motions[row, 0], motions[row, 1], ray
        )
        out_hits[row], out_undecided[row], out_overlapping[row] = hit, undecided, overlapping
        out_fractions[row] = fraction
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        out_points[row, 0], out_points[row, 1] = x, y


@names_near
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

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (n,) for a data frame.

        These are hit, fraction, x, y, nx, ny, overlapping.
        """
        return flat(self._asdict())


def hit_rows(pairs: Rows, motions: Floats, ray: bool, threads: int) -> HitColumns:
    """Return when each A, moved, hits its B; hits and misses are decided exactly."""
    n = pairs.starts_a.size
    hit, undecided, overlapping = (np.empty(n, dtype=np.bool_) for _ in range(3))
    fraction, normal, point = np.empty(n), np.empty((n, 2)), np.empty((n, 2))
    columns: tuple[Any, ...] = hit, undecided, overlapping, fraction, normal, point

    def work(begin: int, end: int) -> None:
        out: Any = tuple(column[begin:end] for column in columns)
        strike_rows(*pairs.part(begin, end), motions[begin:end], ray, out)

    in_parts(threads, n, work)
    if undecided.any():
        settle_rows(pairs, motions, (undecided, hit, fraction, normal, point), threads)
    return HitColumns(hit, fraction, point, normal, overlapping)


@names_near
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


def hits_of_turning_rows(pairs: Rows, motions: Floats, turns: Floats, pivots: Floats, threads: int) -> HitColumns:
    """Return the hits of rows of which some turn: those that go straight are answered as without rotation."""

    def ahead(rows: Booleans) -> HitColumns:
        return hit_rows(taken(pairs, rows), motions[rows], False, threads)

    def turned(rows: Booleans) -> HitColumns:
        return HitColumns(*turning_hits(taken(pairs, rows), motions[rows], turns[rows], pivots[rows], threads))

    return ahead_or_turned(goes_straight(pairs.a, pairs.starts_a, turns, pivots), ahead, turned)


def ahead_or_turned(
    straight: Booleans, ahead: Callable[[Booleans], HitColumns], turned: Callable[[Booleans], HitColumns]
) -> HitColumns:
    """Return the hits of rows: `ahead` answers those that go straight, `turned` the others."""
    if straight.all() or not straight.any():
        return (ahead if straight.all() else turned)(np.ones_like(straight))
    columns = []
    for own, other in zip(ahead(straight), turned(~straight), strict=True):
        column = np.empty((straight.size, *own.shape[1:]), own.dtype)
        column[straight], column[~straight] = own, other
        columns.append(column)
    return HitColumns(*columns)


# As a strike, with the distance behind the fraction.
RayStrike = tuple[bool, bool, bool, float, float, float, float, float, float]


def length_of(x: float, y: float) -> float:
    """Return the length of a vector, which may be too short for its squares: the same bits as `lengths_of`."""
    if abs(x) >= SMALLEST_MOTION or abs(y) >= SMALLEST_MOTION:
        return math.sqrt(x * x + y * y)
    unit = max(abs(x), abs(y)) or 1.0
    x, y = x / unit, y / unit
    return math.sqrt(x * x + y * y) * unit


_length_of = inner(length_of)


@inner
def ray_strike(x: float, y: float, mx: float, my: float, found: Strike) -> RayStrike:
    """Return the hit of a ray from (x, y) as the user is told it, without -0.0; a start inside is hit where it is."""
    hit, undecided, overlapping, fraction, nx, ny, px, py = found
    if fraction == 0.0:
        return hit, undecided, overlapping, 0.0, 0.0, nx + 0.0, ny + 0.0, x, y
    return hit, undecided, overlapping, fraction, fraction * _length_of(mx, my), nx + 0.0, ny + 0.0, px, py


@kernel
def _ray_of_pair(x: float, y: float, mx: float, my: float, shape: Floats) -> RayStrike:
    x, y, mx, my = x + 0.0, y + 0.0, mx + 0.0, my + 0.0  # no -0.0
    point = np.zeros(POINTS + STRIDE)
    point[COUNT], point[X], point[Y] = 1.0, x, y
    return ray_strike(x, y, mx, my, strike(point, 0, shape, 0, mx, my, True))


def _point_record(x: float, y: float) -> Floats:
    record = np.zeros(POINTS + STRIDE)
    record[COUNT], record[X], record[Y] = 1.0, x, y
    return record


def _plain_ray_of_pair(x: float, y: float, mx: float, my: float, shape: Floats) -> RayStrike:
    x, y, mx, my = x + 0.0, y + 0.0, mx + 0.0, my + 0.0
    return ray_strike(x, y, mx, my, strike(plain(_point_record(x, y)), 0, plain(shape), 0, mx, my, True))


ray_of_pair = _ray_of_pair if COMPILED else _plain_ray_of_pair
"""When a ray from (x, y) along (mx, my) meets a shape, from its record; -0.0 counts as 0.0."""


def settled_ray(x: float, y: float, mx: float, my: float, shape: ConvexShape, found: RayStrike) -> RayStrike:
    """Return a doubtful hit of a ray as it truly is; it may be none."""
    x, y, mx, my = x + 0.0, y + 0.0, mx + 0.0, my + 0.0
    point = _point_record(x, y)
    strike = found[0], found[1], found[2], found[3], found[5], found[6], found[7], found[8]
    truly = settle(point if COMPILED else plain(point), readable(shape), mx, my, strike)
    hit, undecided, overlapping, fraction, nx, ny, px, py = truly
    if fraction == 0.0:
        px, py = x, y
    return hit, undecided, overlapping, fraction, fraction * length_of(mx, my), nx + 0.0, ny + 0.0, px, py


@names_near
class RayHit(NamedTuple):
    """Where a ray meets a shape."""

    fraction: float
    """Share of the translation at the hit, 0 to 1."""
    distance: float
    """Distance from the origin to the hit."""
    point: Vec
    """The point of the hit."""
    normal: Vec
    """Unit vector out of the shape that was hit, towards the ray's origin."""
    shape: Shape
    """The shape that was hit."""
    overlapping: bool
    """Whether the ray starts inside; the fraction is then 0, the normal the least way out."""


@names_near
class RayHitColumns(NamedTuple):
    """`RayHit` for every row; where there is none, the fraction and distance are infinite, the row -1, the rest 0."""

    hit: Booleans
    """(n,)"""
    fraction: Floats
    """(n,)"""
    distance: Floats
    """(n,)"""
    point: Floats
    """(n, 2)"""
    normal: Floats
    """(n, 2)"""
    row: Integers
    """(n,) the row of the shape that was hit."""
    overlapping: Booleans
    """(n,)"""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (n,) for a data frame.

        These are hit, fraction, distance, x, y, nx, ny, row, overlapping.
        """
        return flat(self._asdict())


def lengths_of(vectors: Floats) -> Floats:
    """Return the length of each row's vector, (n,)."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    unit = np.where((largest > 0.0) & (largest < SMALLEST_MOTION), largest, 1.0)
    x, y = vectors[:, 0] / unit, vectors[:, 1] / unit
    found: Floats = np.sqrt(x * x + y * y) * unit
    return found


def ray_columns(origins: Floats, translations: Floats, found: HitColumns, rows: Integers) -> RayHitColumns:
    """Return the hits of rays, from those of points that move, and from the rows they hit."""
    distance = np.where(found.hit, np.where(found.hit, found.fraction, 0.0) * lengths_of(translations), math.inf)
    inside = found.hit & (found.fraction == 0.0)
    found.point[inside] = origins[inside]
    shapes = np.where(found.hit, rows, -1)
    return RayHitColumns(found.hit, found.fraction, distance, found.point, found.normal, shapes, found.overlapping)
