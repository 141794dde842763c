"""Volumes around one shape: its AABB, a small circle, and the box of least area.

In: a shape value. Out: `Bounds`, `Circle` or `Box` in the world frame, each sure to contain the exact shape, radius
included: what cannot be represented is rounded outward.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from carom._core import inputs
from carom._core.names import names_near, told_by_name
from carom.shapes.basic import Box, Circle, Polygon
from carom.shapes.compound import Compound
from carom.shapes.given import OneShape, shape_of
from carom.shapes.hull import hull_rows
from carom.tolerances import EPSILON, LARGEST, SMALLEST_SIZE
from carom.vector import Point2, cos_sin


@names_near
class Bounds(NamedTuple):
    """An AABB as four numbers, the form that grids, trees and other libraries take."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float


@told_by_name
def bounds(shape: OneShape) -> Bounds:
    """Return the least AABB with float64 sides that contains the shape.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound

    Returns
    -------
    Bounds(min_x, min_y, max_x, max_y)

    Raises
    ------
    TypeError
        If `shape` is no shape.

    Examples
    --------
    >>> import carom as cm
    >>> cm.bounds(cm.Capsule((0, 0), (3, 4), 0.5))
    Bounds(min_x=-0.5, min_y=-0.5, max_x=3.5, max_y=4.5)
    """
    if isinstance(shape, Compound) and shape._given:
        low_x, low_y, high_x, high_y = zip(*map(bounds, shape.parts), strict=True)
        return Bounds(min(low_x), min(low_y), max(high_x), max(high_y))
    shape = shape_of("bounds", "shape", shape)
    (ox, oy), points, radius = _core(shape)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Bounds(
        0.0 - _rounded_up(-ox, -min(xs), radius),  # not -0.0
        0.0 - _rounded_up(-oy, -min(ys), radius),
        _rounded_up(ox, max(xs), radius),
        _rounded_up(oy, max(ys), radius),
    )


@told_by_name
def bounding_circle(shape: OneShape) -> Circle:
    """Return the smallest circle that contains the shape, to a few roundings, and never less.

    A Circle is its own. A Point gets a circle of the smallest radius there is, `tolerances.SMALLEST_SIZE`.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound

    Raises
    ------
    TypeError
        If `shape` is no shape.
    ValueError
        If the circle around it is larger than any that can be.

    Notes
    -----
    Polygons: from the smallest circle of a few points, go on to that of these and the point farthest outside, until
    none is (B. Gärtner, Fast and robust smallest enclosing balls, 1999). Usually fewer than ten rounds of n steps.

    Examples
    --------
    >>> import carom as cm
    >>> cm.bounding_circle(cm.Segment((0, 0), (6, 8))).center
    Vec(3.0, 4.0)
    """
    shape = shape_of("bounding_circle", "shape", shape)
    (ox, oy), points, radius = _core(shape)
    if isinstance(shape, Circle):
        return shape
    if isinstance(shape, (Polygon, Compound)):
        x, y = _enclosing_center(points)
        cx, cy = ox + x, oy + y
    else:
        cx, cy = shape.position
    # Seen from the rounded centre: each difference to half an ulp, the length to one more; 4 ulp upward cover both.
    reach = max(math.hypot(math.fsum((ox, x, -cx)), math.fsum((oy, y, -cy))) for x, y in points)
    reach = max(_rounded_up(reach * (1.0 + 4.0 * EPSILON), radius), SMALLEST_SIZE)
    _within("bounding_circle", shape, "circle", (cx, cy, reach))
    return Circle((cx, cy), reach)


@told_by_name
def smallest_box(shape: OneShape) -> Box:
    """Return the box of least area, turned as needed, that contains the shape, to a few roundings, and never less.

    Its angle is in [-pi/4, pi/4]. Where the best direction is along the axes the box is exactly `bounds`.

    Parameters
    ----------
    shape : Circle, Capsule, Box, Polygon or Compound

    Raises
    ------
    TypeError
        If `shape` is no shape.
    ValueError
        If `shape` is a Point or a Segment: a box needs a positive width and height; or if the box around it is.
        larger than any that can be

    Notes
    -----
    The best box has a side along an edge of the core; all are tried with rotating calipers in n steps (H. Freeman and
    R. Shapira, 1975; G. Toussaint, 1983).

    Examples
    --------
    >>> import carom as cm
    >>> box = cm.smallest_box(cm.Polygon([(0, 0), (2, 2), (1, 3), (-1, 1)]))
    >>> round(box.area, 12), round(box.angle, 12)
    (4.0, 0.785398163397)
    """
    shape = shape_of("smallest_box", "shape", shape)
    (ox, oy), points, radius = _core(shape)
    if radius == 0.0 and len(points) < 3:
        inputs.refuse(ValueError, "smallest_box", "shape", shape, "has no area; a box needs a width and a height")
    if radius == 0.0 and isinstance(shape, Box):
        return shape
    ex, ey = _best_direction(points, radius)
    angle = math.atan2(ey, ex)
    if angle == 0.0:
        least_x, least_y, most_x, most_y = bounds(shape)
        _within("smallest_box", shape, "box", (least_x, least_y, most_x, most_y))
        return Box.from_corners((least_x, least_y), (most_x, most_y))
    c, s = cos_sin(angle)
    along = [c * x + s * y for x, y in points]
    across = [c * y - s * x for x, y in points]
    u = min(along) + (max(along) - min(along)) / 2.0
    v = min(across) + (max(across) - min(across)) / 2.0
    cx, cy = ox + (c * u - s * v), oy + (s * u + c * v)
    seen = [(math.fsum((ox, x, -cx)), math.fsum((oy, y, -cy))) for x, y in points]
    w = max(abs(c * x + s * y) for x, y in seen)
    h = max(abs(c * y - s * x) for x, y in seen)
    # A box's own corners are rounded, by less than 2 eps of their distance; the products above by no more.
    spare = 8.0 * EPSILON * (w + h + radius)
    w, h = w + radius + spare, h + radius + spare
    _within("smallest_box", shape, "box", (cx, cy, 2.0 * w, 2.0 * h))
    return Box((cx, cy), half_extents=(w, h), angle=angle)


def _within(verb: str, shape: Any, volume: str, numbers: Sequence[float]) -> None:
    """Refuse a shape whose volume cannot be written down."""
    if not max(map(abs, numbers)) <= LARGEST:
        expected = f"is too large: the {volume} around it has a number beyond {LARGEST:g}, the largest"
        inputs.refuse(ValueError, verb, "shape", shape, expected)


def _core(shape: Any) -> tuple[Point2, list[Point2], float]:
    """Return origin, points of a convex outline relative to it, and radius."""
    if not isinstance(shape, Compound):
        return shape._origin(), shape._points(), shape.radius
    radius = 0.0
    if shape._given:
        # One radius for all: safe, and least where all parts have the same.
        largest = max(max(abs(x), abs(y)) for x, y in shape._local)
        radius = max(part.radius for part in shape.parts) + 8.0 * EPSILON * largest
    return shape._origin, [shape._local[row] for row in hull_rows(shape._local)], radius


def _rounded_up(*terms: float) -> float:
    """Return the least float64 that is at least the exact sum."""
    total = math.fsum(terms)
    return math.nextafter(total, math.inf) if math.fsum((*terms, -total)) > 0.0 else total


def _enclosing_center(points: Sequence[Point2]) -> Point2:
    """Return the centre of the smallest circle around the points, to a few roundings."""
    size = max(max(abs(x), abs(y)) for x, y in points)
    unit = 2.0 ** math.frexp(size)[1]
    scaled = [(x / unit, y / unit) for x, y in points]
    basis = [min(scaled), max(scaled)]
    (cx, cy), reach = _middle(basis), 0.0
    while True:
        far = max(scaled, key=lambda p: (p[0] - cx) * (p[0] - cx) + (p[1] - cy) * (p[1] - cy))
        if far in basis:
            return cx * unit, cy * unit
        basis.append(far)
        choices = [chosen for k in (2, 3) for chosen in combinations(basis, k)]
        grown, center, basis = min((_reach(basis, m := _middle(chosen)), m, list(chosen)) for chosen in choices)
        if grown <= reach:
            return cx * unit, cy * unit
        (cx, cy), reach = center, grown


def _middle(points: Sequence[Point2]) -> Point2:
    """Return the point at the same distance from two points, halfway, or from three."""
    ax, ay = points[0]
    bx, by = points[1][0] - ax, points[1][1] - ay
    if len(points) == 2:
        return ax + bx / 2.0, ay + by / 2.0
    cx, cy = points[2][0] - ax, points[2][1] - ay
    twice = 2.0 * (bx * cy - by * cx)
    if twice == 0.0:
        return math.inf, math.inf
    b, c = bx * bx + by * by, cx * cx + cy * cy
    return ax + (cy * b - by * c) / twice, ay + (bx * c - cx * b) / twice


def _reach(points: Sequence[Point2], center: Point2) -> float:
    return max(math.hypot(x - center[0], y - center[1]) for x, y in points)


def _best_direction(points: Sequence[Point2], radius: float) -> Point2:
    """Return the direction of the edge that the box of least area lies along, by quarter turns next to the x axis.

    Between two edges width and height are concave, so their product, grown by the radius, is least at an edge.
    """
    count = len(points)
    if count == 1:
        return 1.0, 0.0
    least, best = math.inf, (1.0, 0.0)
    right = top = left = 1
    for i in range(count if count > 2 else 1):
        (ax, ay), (bx, by) = points[i], points[(i + 1) % count]
        ex, ey = bx - ax, by - ay
        length = math.hypot(ex, ey)
        ux, uy = ex / length, ey / length
        right = _climb(points, max(right, i + 1), ux, uy)
        top = _climb(points, max(top, right), -uy, ux)
        left = _climb(points, max(left, top), -ux, -uy)
        (rx, ry), (tx, ty), (lx, ly) = points[right % count], points[top % count], points[left % count]
        width = (rx - lx) * ux + (ry - ly) * uy
        height = (ty - ay) * ux - (tx - ax) * uy
        area = (width + 2.0 * radius) * (height + 2.0 * radius)
        if area < least:
            least, best = area, (ex, ey)
    ex, ey = best
    for _ in range(3):
        if not -ex < ey <= ex:
            ex, ey = ey, -ex
    return ex, ey


def _climb(points: Sequence[Point2], start: int, ux: float, uy: float) -> int:
    """Return the first index from `start` on, counted round, after which the points no longer rise along (ux, uy)."""
    i = start
    while i < start + len(points):
        (ax, ay), (bx, by) = points[i % len(points)], points[(i + 1) % len(points)]
        if (bx - ax) * ux + (by - ay) * uy <= 0.0:
            break
        i += 1
    return i
