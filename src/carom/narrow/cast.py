"""When a moving shape hits another, from any start: apart, in touch, or in overlap.

In: two shapes and the first one's translation. Out: the fraction of the translation at which they first touch, the
point, and the normal out of the shape that was hit, towards the mover; or None. World frame, user's units. Any speed.

Distance comes first. Separation along a straight path is convex, so a pair in touch whose motion does not close along
its normal cannot meet: leaving and sliding are never blocked.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, overload

import numpy as np

from carom import _arrays
from carom import _records as rec
from carom._arrays import PointLike, PointsLike
from carom._jit import inner, kernel
from carom._threads import ONE, checked, in_parts
from carom._typing import Booleans, Floats, Integers
from carom.columns import Shapes
from carom.narrow._door import Rows, pair, rows, vectors
from carom.narrow.exact import BEYOND
from carom.narrow.exact_path import path_touches
from carom.narrow.gap import core_points, magnitude, separate
from carom.narrow.integers import decide_path, path_by_integers
from carom.narrow.path import clip, impact, impact_point, measure_through
from carom.shapes import Shape
from carom.tolerances import EPSILON, SIGN_BAND, SLOP_SIZE, SLOP_ULPS
from carom.vector import Vec, new

# hit, undecided (ask `exact_path`), overlapping, fraction, normal x and y (from B to A), point x and y
Strike = tuple[bool, bool, bool, float, float, float, float, float]


@inner
def extent(a: Floats, i: int) -> float:
    """Return the size of a shape: the diameter of its bounding circle."""
    size: float = 2.0 * (a[i + rec.REACH] + a[i + rec.RADIUS])
    return size


@inner
def slop_of_pair(a: Floats, i: int, b: Floats, j: int) -> float:
    """Return how deep two shapes may overlap and still count as in touch when they move."""
    largest_a = max(abs(a[i + rec.X] + a[i + rec.CENTER_X]), abs(a[i + rec.Y] + a[i + rec.CENTER_Y])) + extent(a, i)
    largest_b = max(abs(b[j + rec.X] + b[j + rec.CENTER_X]), abs(b[j + rec.Y] + b[j + rec.CENTER_Y])) + extent(b, j)
    size, largest = min(extent(a, i), extent(b, j)), max(largest_a, largest_b)
    return float(max(SLOP_SIZE * size, SLOP_ULPS * EPSILON * largest))


@inner
def goes_deeper(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float, closing: float, separation: float, slop: float
) -> tuple[bool, bool]:
    """Tell whether two shapes in touch, closing, overlap by more than the slop, and whether it is undecided."""
    radius = a[i + rec.RADIUS] + b[j + rec.RADIUS]
    thickness, chord = math.inf, 0.0
    if radius < slop:
        thickness, chord = measure_through(a, i, b, j, mx, my, radius)
    if thickness > 4.0 * slop:
        return clip(a, i, b, j, mx, my, radius - slop)[0] < math.inf, False
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
        x, y = impact_point(a, i, b, j, mx, my, found)
        return True, undecided, False, found[0], -found[1], -found[2], x, y
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
    reach = b[j + rec.RADIUS]
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


@kernel
def _settle_hits(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    motions: Floats,
    undecided: Booleans,
    out_hits: Booleans,
) -> None:
    for row in range(undecided.shape[0]):
        if undecided[row]:
            answer = path_touches(a, starts_a[row], b, starts_b[row], motions[row, 0], motions[row, 1])
            out_hits[row], undecided[row] = answer == 1, answer == BEYOND


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

    def decide(begin: int, end: int) -> None:
        _settle_hits(*pairs.part(begin, end), motions[begin:end], undecided[begin:end], hit[begin:end])

    in_parts(threads, n, work)
    if undecided.any():
        asked = undecided.copy()
        in_parts(threads, n, decide)
        for row in np.flatnonzero(undecided).tolist():
            i, j = pairs.starts_a[row], pairs.starts_b[row]
            hit[row] = path_by_integers(pairs.a, i, pairs.b, j, *motions[row].tolist())
        missed = asked & ~hit
        fraction[missed], normal[missed], point[missed] = math.inf, 0.0, 0.0
    return HitColumns(hit, fraction, point, normal, overlapping)


class Hit(NamedTuple):
    """Where and when a moving shape hits another."""

    fraction: float
    """Share of the translation at the hit, 0 to 1."""
    point: Vec
    """The point on the surface that was hit."""
    normal: Vec
    """Unit vector out of the shape that was hit, towards the mover."""
    overlapping: bool
    """Whether the two already overlapped at the start; the fraction is then 0, the normal the least way out."""


@overload
def cast(a: Shape, b: Shape, translation: PointLike, *, threads: int = 1) -> Hit | None: ...


@overload
def cast(a: Shapes, b: Shape | Shapes, translation: PointLike | PointsLike, *, threads: int = 1) -> HitColumns: ...


@overload
def cast(a: Shape, b: Shapes, translation: PointLike | PointsLike, *, threads: int = 1) -> HitColumns: ...


def cast(a: Any, b: Any, translation: Any, *, threads: int = ONE) -> Any:
    """Return when shape `a`, moving by `translation`, first touches shape `b`, which stands.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon, or Shapes
        Sets go row by row: n with n, or n with one.
    translation : (x, y)
        The whole motion, in length units; any length. For sets one for all, or one for each row, (n, 2).
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
        If `a` or `b` is no shape, or `translation` is no pair of numbers.
    ValueError
        If `translation` is not finite, or the numbers of rows differ.

    Notes
    -----
    Closed form: the origin as a ray against the Minkowski difference, rounded by both radii. Whether there is a hit is
    decided exactly; nothing is passed through at any speed.

    Examples
    --------
    >>> hit = cm.cast(cm.Circle((0, 0), 1), cm.Box((10, 0), (2, 2)), (16, 0))
    >>> hit.fraction, hit.point, hit.normal
    (0.5, Vec(9.0, 0.0), Vec(-1.0, 0.0))
    """
    if threads is not ONE:
        checked("cast", threads)
    found = pair("cast", a, b)
    if found is None:
        pairs = rows("cast", ("a", "b"), a, b)
        return hit_rows(pairs, vectors("cast", "translation", translation, pairs.starts_a.size), False, threads)
    first, second = found
    mx, my = _arrays.point("cast", "translation", translation)
    hit, undecided, overlapping, fraction, nx, ny, x, y = _cast_of_pair(first, second, mx, my)
    if not hit or (undecided and not decide_path(first, 0, second, 0, mx, my)):
        return None
    return Hit(fraction, new(Vec, (x, y)), new(Vec, (nx + 0.0, ny + 0.0)), overlapping)
