"""Where a ray first meets a shape: the cast of a point.

In: the ray's origin, its translation (a vector to its end, not a direction) and a shape. Out: the fraction of the
translation, the distance, the point, the normal out of the shape, or None. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom import _arrays
from carom import _records as rec
from carom._arrays import PointLike
from carom._jit import kernel
from carom._typing import Floats
from carom.narrow._door import record
from carom.narrow.cast import Strike, strike
from carom.narrow.exact_path import path_touches
from carom.shapes import Shape
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
    shape: Shape
    """The shape that was hit."""
    overlapping: bool
    """Whether the ray starts inside; the fraction is then 0, the normal the least way out."""


def raycast(origin: PointLike, translation: PointLike, shape: Shape) -> RayHit | None:
    """Return where a ray first meets a shape.

    Parameters
    ----------
    origin : (x, y)
        Where the ray starts.
    translation : (x, y)
        From the origin to the ray's end, in length units.
    shape : Point, Segment, Circle, Capsule, Box or Polygon

    Returns
    -------
    RayHit or None
        Named tuple (fraction, distance, point, normal, shape, overlapping); None if the ray misses. Grazing is a hit.
        A start inside is a hit at fraction 0. A start on the surface is a hit only if the ray goes inward.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `origin` or `translation` is no pair of numbers.
    ValueError
        If `origin` or `translation` is not finite.

    Examples
    --------
    >>> hit = cm.raycast((0, 0), (10, 0), cm.Circle((5, 0), 1))
    >>> hit.fraction, hit.distance, hit.point, hit.normal
    (0.4, 4.0, Vec(4.0, 0.0), Vec(-1.0, 0.0))
    """
    x, y = _arrays.point("raycast", "origin", origin)
    mx, my = _arrays.point("raycast", "translation", translation)
    target = record("raycast", "shape", shape)
    point = np.zeros(rec.POINTS + rec.STRIDE)
    point[rec.COUNT], point[rec.X], point[rec.Y] = 1.0, x, y
    hit, undecided, overlapping, fraction, nx, ny, px, py = _ray_against_shape(point, target, mx, my)
    if not hit or (undecided and not path_touches(point, 0, target, 0, mx, my)):
        return None
    normal = new(Vec, (nx + 0.0, ny + 0.0))
    if fraction == 0.0:
        return RayHit(0.0, 0.0, new(Vec, (x, y)), normal, shape, overlapping)
    return RayHit(fraction, fraction * math.hypot(mx, my), new(Vec, (px, py)), normal, shape, overlapping)
