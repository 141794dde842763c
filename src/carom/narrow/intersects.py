"""Whether two shapes touch or overlap, and whether one contains another: yes or no, right for every finite input.

In: two shapes, or a shape and points. Out: a bool, or an array of bools for an array of points. Shapes are closed
sets: touching counts. A rounded answer is trusted only outside its error bound; inside it `exact` decides.
"""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import NDArray

from carom import _records as rec
from carom._arrays import PointLike, PointsLike
from carom._jit import inner, kernel
from carom._typing import Floats
from carom.narrow._door import points_of, record, records
from carom.narrow.exact import side_of_touching
from carom.narrow.separation import magnitude, separate
from carom.narrow.walk import walk
from carom.shapes import Shape
from carom.tolerances import EPSILON, SIGN_BAND

UNDECIDED = 2  # the rounded answer lies inside its error bound

X, Y, RADIUS, POINTS, STRIDE = rec.X, rec.Y, rec.RADIUS, rec.POINTS, rec.STRIDE


@kernel
def side(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return -1 if two shapes overlap, 0 if they exactly touch, 1 if they are apart, or UNDECIDED."""
    reach = a[i + RADIUS] + b[j + RADIUS]
    if a[i] == rec.DISC and b[j] == rec.DISC:
        dx, dy = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
        squared, limit = dx * dx + dy * dy, reach * reach
        if abs(squared - limit) > 16.0 * EPSILON * limit and max(squared, limit) > 1e-280:
            return 1 if squared > limit else -1
        return UNDECIDED
    if a[i] == rec.AABB and b[j] == rec.AABB and reach == 0.0:
        return side_of_boxes(a, i, b, j)
    reach += a[i + rec.REACH] + b[j + rec.REACH]
    dx = (b[j + X] - a[i + X]) + (b[j + rec.CENTER_X] - a[i + rec.CENTER_X])
    dy = (b[j + Y] - a[i + Y]) + (b[j + rec.CENTER_Y] - a[i + rec.CENTER_Y])
    # The bounding circles first; their margin covers the rounding of the centres.
    reach += SIGN_BAND * magnitude(a, i, b, j)
    if abs(dx) > reach or abs(dy) > reach or dx * dx + dy * dy > reach * reach:
        return 1
    found = separate(a, i, b, j)
    if found[6]:
        return UNDECIDED
    return 1 if found[0] > 0.0 else -1


@inner
def side_of_boxes(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return the side of two AABBs by comparing their corners, which are stored without rounding."""
    answer = -1
    for axis in range(2):
        low_a = a[i + X + axis] + a[i + POINTS + axis]
        high_a = a[i + X + axis] + a[i + POINTS + 2 * STRIDE + axis]
        low_b = b[j + X + axis] + b[j + POINTS + axis]
        high_b = b[j + X + axis] + b[j + POINTS + 2 * STRIDE + axis]
        if low_a > high_b or low_b > high_a:
            return 1
        if low_a == high_b or low_b == high_a:
            answer = 0
    return answer


@kernel
def _side_of_pair(a: Floats, b: Floats) -> int:
    return side(a, 0, b, 0)


@inner
def side_of_core_point(a: Floats, i: int, point: Floats, margin: float) -> int:
    """Return the side of a point's record, grown by `margin`, from inside A: -1 within, 1 not, or UNDECIDED."""
    distance = walk(point, 0, a, i)[0]
    gap = distance - (a[i + RADIUS] - margin)
    if abs(gap) <= SIGN_BAND * (magnitude(point, 0, a, i) + margin):
        return UNDECIDED
    return -1 if gap < 0.0 else 1


@kernel
def _sides_of_points(a: Floats, points: Floats, margin: float, out_sides: NDArray[np.int64]) -> None:
    """Write the side of each point from inside A; a point is four numbers, two terms of x and two of y."""
    point = np.zeros(POINTS + STRIDE)
    point[rec.COUNT] = 1.0
    for row in range(out_sides.shape[0]):
        point[X], point[POINTS] = points[4 * row], points[4 * row + 1]
        point[Y], point[POINTS + 1] = points[4 * row + 2], points[4 * row + 3]
        out_sides[row] = side_of_core_point(a, 0, point, margin)


@kernel
def _settle_points(a: Floats, points: Floats, margin: float, out_sides: NDArray[np.int64]) -> None:
    """Replace what `_sides_of_points` left undecided by the exact sides."""
    point = np.zeros(POINTS + STRIDE)
    point[rec.COUNT] = 1.0
    for row in range(out_sides.shape[0]):
        if out_sides[row] == UNDECIDED:
            point[X], point[POINTS] = points[4 * row], points[4 * row + 1]
            point[Y], point[POINTS + 1] = points[4 * row + 2], points[4 * row + 3]
            out_sides[row] = side_of_touching(point, 0, a, 0, 0.0, 0.0, a[RADIUS], -margin)


def _inside(a: Floats, points: Floats, margin: float) -> NDArray[np.bool_]:
    """Return which points, grown by `margin`, lie inside the shape of record `a`, boundary included."""
    sides = np.empty(points.size // 4, dtype=np.int64)
    _sides_of_points(a, points, margin, sides)
    if UNDECIDED in sides:
        _settle_points(a, points, margin, sides)
    return sides <= 0


def intersects(a: Shape, b: Shape, *, touching: bool = True) -> bool:
    """Tell whether two shapes touch or overlap.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon
    touching : bool, default True
        Whether shapes that merely touch intersect. With False, only overlap counts: ``separation(a, b) < 0``.

    Returns
    -------
    bool
        Exactly right for every finite input.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.

    Examples
    --------
    >>> left, right = cm.Box.from_corner((0, 0), (1, 1)), cm.Box.from_corner((1, 0), (1, 1))
    >>> cm.intersects(left, right), cm.intersects(left, right, touching=False)
    (True, False)
    """
    try:
        answer = _side_of_pair(a._record, b._record)
    except Exception:
        # Looking first would cost a quarter of the whole call.
        records("intersects", a, b)
        raise
    if answer == UNDECIDED:
        first, second = a._record, b._record
        answer = side_of_touching(first, 0, second, 0, 0.0, 0.0, first.item(RADIUS), second.item(RADIUS))
    return answer <= 0 if touching else answer < 0


@overload
def contains(shape: Shape, other: Shape | PointLike) -> bool: ...


@overload
def contains(shape: Shape, other: PointsLike) -> NDArray[np.bool_]: ...


def contains(shape: Shape, other: Shape | PointLike | PointsLike) -> bool | NDArray[np.bool_]:
    """Tell whether a shape contains a point, points, or another shape, boundary included.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box or Polygon
    other : a point (x, y), points (n, 2), or a shape

    Returns
    -------
    bool, or (n,) bool for points
        Exactly right for every finite input.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `other` is neither shape nor points.
    ValueError
        If a point has the wrong length or is not finite.

    Examples
    --------
    >>> triangle = cm.Polygon([(0, 0), (2, 0), (1, 2)])
    >>> cm.contains(triangle, (1, 1)), cm.contains(triangle, (2, 2))
    (True, False)
    >>> cm.contains(triangle, [(1, 0), (0, 1)])
    array([ True, False])
    >>> cm.contains(cm.Circle((1, 1), 3), triangle)
    True
    """
    outer = record("contains", "shape", shape)
    if isinstance(other, Shape):
        # A core grown by a radius lies inside just when each of its points, grown by that radius, does.
        inner_record = other._record
        local = inner_record[POINTS:].reshape(-1, STRIDE)
        points = np.empty((local.shape[0], 4))
        points[:, 0], points[:, 1] = inner_record[X], local[:, 0]
        points[:, 2], points[:, 3] = inner_record[Y], local[:, 1]
        return bool(_inside(outer, points.reshape(-1), inner_record.item(RADIUS)).all())
    rows, single = points_of("contains", "other", other)
    points = np.zeros((rows.shape[0], 4))
    points[:, ::2] = rows
    inside = _inside(outer, points.reshape(-1), 0.0)
    return bool(inside[0]) if single else inside
