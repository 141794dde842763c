"""Where a ray first meets a shape: the cast of a point.

In: the ray's origin, its translation (a vector to its end, not a direction) and a shape. Out: the fraction of the
translation, the distance, the point, the normal out of the shape, or None. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, overload

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike, PointsLike
from carom._core.jit import kernel
from carom._core.threads import ONE, checked
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns, hit_rows, strike
from carom.narrow.dispatch import COMPILED, WHOLES, are_points, has_compound, plain, record, rows, vectors
from carom.narrow.exact.hits import Strike, settle
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.tolerances import SMALLEST_MOTION
from carom.vector import Vec, new


@kernel
def _ray_against_shape(point: Floats, shape: Floats, mx: float, my: float) -> Strike:
    return strike(point, 0, shape, 0, mx, my, True)


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
    shape: Shape | Compound
    """The shape that was hit."""
    overlapping: bool
    """Whether the ray starts inside; the fraction is then 0, the normal the least way out."""


class RayHitColumns(NamedTuple):
    """`RayHit` for every row; where there is none, the fraction and distance are infinite, the shape -1, the rest 0."""

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
    shape: Integers
    """(n,) the row of the shape that was hit."""
    overlapping: Booleans
    """(n,)"""


def length_of(x: float, y: float) -> float:
    """Return the length of a vector, which may be too short for its squares: the same bits as `lengths_of`."""
    if abs(x) >= SMALLEST_MOTION or abs(y) >= SMALLEST_MOTION:
        return math.sqrt(x * x + y * y)
    unit = max(abs(x), abs(y)) or 1.0
    x, y = x / unit, y / unit
    return math.sqrt(x * x + y * y) * unit


def lengths_of(vectors: Floats) -> Floats:
    """Return the length of each row's vector, (n,)."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    unit = np.where((largest > 0.0) & (largest < SMALLEST_MOTION), largest, 1.0)
    x, y = vectors[:, 0] / unit, vectors[:, 1] / unit
    found: Floats = np.sqrt(x * x + y * y) * unit
    return found


def ray_rows(origin: Any, translation: Any, shape: Any, threads: int) -> RayHitColumns:
    """Return where many rays first meet their shapes; `shape` may be a Compound."""
    many = isinstance(shape, Shapes)
    lengths = [len(shape)] if many else []
    lengths += [len(value) for value in (origin, translation) if are_points(value)]
    count = next((length for length in lengths if length != 1), 1)
    starts = vectors("raycast", "origin", origin, count)
    motions = vectors("raycast", "translation", translation, count)
    points = Shapes.points(starts)
    if has_compound(shape):
        found = WHOLES["hits"](points, shape, motions, True, threads)
    else:
        found = hit_rows(rows("raycast", ("origin", "shape"), points, shape), motions, True, threads)
    row = np.arange(count) if many and len(shape) == count else np.zeros(count, dtype=np.int64)
    return ray_columns(starts, motions, found, row)


def ray_columns(origins: Floats, translations: Floats, found: HitColumns, rows: Integers) -> RayHitColumns:
    """Return the hits of rays, from those of points that move, and from the rows they hit."""
    distance = np.where(found.hit, np.where(found.hit, found.fraction, 0.0) * lengths_of(translations), math.inf)
    inside = found.hit & (found.fraction == 0.0)
    found.point[inside] = origins[inside]
    shapes = np.where(found.hit, rows, -1)
    return RayHitColumns(found.hit, found.fraction, distance, found.point, found.normal, shapes, found.overlapping)


@overload
def raycast(
    origin: PointLike, translation: PointLike, shape: Shape | Compound, *, threads: int = 1
) -> RayHit | None: ...


@overload
def raycast(
    origin: PointLike | PointsLike,
    translation: PointLike | PointsLike,
    shape: Shape | Compound | Shapes,
    *,
    threads: int = 1,
) -> RayHit | RayHitColumns | None: ...


def raycast(origin: Any, translation: Any, shape: Any, *, threads: int = ONE) -> Any:
    """Return where a ray first meets a shape.

    Parameters
    ----------
    origin : (x, y), or (n, 2)
        Where the ray starts.
    translation : (x, y), or (n, 2)
        From the origin to the ray's end, in length units.
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Many go row by row: ray k against shape k, n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    RayHit or None, or RayHitColumns where anything is many
        Named tuple (fraction, distance, point, normal, shape, overlapping); None if the ray misses. Grazing is a hit.
        A start inside is a hit at fraction 0. A start on the surface is a hit only if the ray goes inward.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `origin` or `translation` is no pair of numbers.
    ValueError
        If `origin` or `translation` is not finite, or the numbers of rows differ.

    Examples
    --------
    >>> hit = cm.raycast((0, 0), (10, 0), cm.Circle((5, 0), 1))
    >>> hit.fraction, hit.distance, hit.point, hit.normal
    (0.4, 4.0, Vec(4.0, 0.0), Vec(-1.0, 0.0))
    """
    if threads is not ONE:
        checked("raycast", threads)
    if has_compound(shape):
        return WHOLES["raycast"](origin, translation, shape, threads)
    if isinstance(shape, Shapes) or are_points(origin) or are_points(translation):
        return ray_rows(origin, translation, shape, threads)
    x, y = inputs.point("raycast", "origin", origin)
    mx, my = inputs.point("raycast", "translation", translation)
    target = record("raycast", "shape", shape)
    point = np.zeros(POINTS + STRIDE)
    point[COUNT], point[X], point[Y] = 1.0, x, y
    if not COMPILED:
        point, target = plain(point), plain(target)
    found = _ray_against_shape(point, target, mx, my)
    if found[1]:
        found = settle(point, target, mx, my, found)
    hit, _, overlapping, fraction, nx, ny, px, py = found
    if not hit:
        return None
    normal = new(Vec, (nx + 0.0, ny + 0.0))
    if fraction == 0.0:
        return new(RayHit, (0.0, 0.0, new(Vec, (x, y)), normal, shape, overlapping))
    return new(RayHit, (fraction, fraction * length_of(mx, my), new(Vec, (px, py)), normal, shape, overlapping))
