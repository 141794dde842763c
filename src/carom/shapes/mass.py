"""Area, centre of mass and moment of inertia of a convex core grown by a radius, in closed form.

In: the core's points, counter-clockwise, relative to any origin near the shape, and the radius. Out: plain floats in
the same frame. The grown shape is the core, a rectangle on each edge, and a sector of a disc at each corner. The kernel
of sets compiles the formulas of these three pieces, too (`centroids`).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from carom._core.names import names_near
from carom.tolerances import SMALLEST_SQUARE
from carom.vector import Point2, Vec, unit_normal

Part = tuple[float, float, float, float]
"""A piece of a shape: its area, its centroid x and y, and its second moment about that."""

_GREATEST = Fraction(sys.float_info.max)
THIN = 2.0**-14  # a cross product this small beside its terms has lost digits, and is taken exactly


@names_near
class Mass(NamedTuple):
    """Mass of a shape of even density.

    Parameters
    ----------
    mass : float
        Area times density.
    center : Vec
        Centre of mass, in the frame of the shape.
    inertia : float
        Moment of inertia about `center`, for turning in the plane.
    """

    mass: float
    center: Vec
    inertia: float


def grown_mass(points: Sequence[Point2], radius: float) -> tuple[float, Point2, float]:
    """Return area, centroid and second moment about it of the convex core `points` grown by `radius`.

    Where there is no area (a point, a segment) the centroid is the middle of the points. A second moment beyond the
    range of float64 is inf or 0.
    """
    ox, oy = points[0]
    if radius == 0.0 and len(points) < 3:
        ex, ey = points[-1]
        return 0.0, (ox + (ex - ox) / 2.0, oy + (ey - oy) / 2.0), 0.0
    largest = max(radius, *(max(abs(x - ox), abs(y - oy)) for x, y in points))
    unit = 2.0 ** math.frexp(largest)[1]  # a power of two: scaling is exact, and no power of a size overflows
    local = [((x - ox) / unit, (y - oy) / unit) for x, y in points]
    parts = list(_core(local, points, unit))
    if radius:
        parts += _rim(local, points, radius / unit)
    area = x = y = 0.0
    for part_area, part_x, part_y, _ in parts:  # as `centroids` adds; `sum` rounds otherwise since Python 3.12
        area += part_area
        x += part_area * part_x
        y += part_area * part_y
    if area < SMALLEST_SQUARE and not radius:
        return _exact_core(points)
    x, y = x / area, y / area
    second = sum(about + weight * ((px - x) ** 2 + (py - y) ** 2) for weight, px, py, about in parts)
    return area * unit * unit, (ox + x * unit, oy + y * unit), second * unit * unit * unit * unit


def _core(local: Sequence[Point2], points: Sequence[Point2], unit: float) -> Iterator[Part]:
    """Yield the triangles that the first point makes with each edge."""
    for i in range(1, len(local) - 1):
        (ax, ay), (bx, by) = local[i], local[i + 1]
        left, right = ax * by, ay * bx
        cross = left - right
        if cross < THIN * (abs(left) + abs(right)):
            corners = (points[0], points[i], points[i + 1])
            (ox, oy), (px, py), (qx, qy) = ((Fraction(x), Fraction(y)) for x, y in corners)
            cross = float(((px - ox) * (qy - oy) - (py - oy) * (qx - ox)) / Fraction(unit) ** 2)
        sides = ax * ax + ay * ay + bx * bx + by * by + (bx - ax) ** 2 + (by - ay) ** 2
        yield *triangle(ax, ay, bx, by, cross), cross / 2.0 * sides / 36.0


def _exact_core(points: Sequence[Point2]) -> tuple[float, Point2, float]:
    """Return what `grown_mass` does of a core so thin that its area, beside the square of its length, vanishes."""
    (ox, oy), *others = [(Fraction(x), Fraction(y)) for x, y in points]
    local = [(x - ox, y - oy) for x, y in others]
    crosses = [ax * by - ay * bx for (ax, ay), (bx, by) in pairwise(local)]
    twice = sum(crosses)
    x = sum(cross * (a[0] + b[0]) for cross, (a, b) in zip(crosses, pairwise(local), strict=True)) / (3 * twice)
    y = sum(cross * (a[1] + b[1]) for cross, (a, b) in zip(crosses, pairwise(local), strict=True)) / (3 * twice)
    # About the first point, and from there to the centroid (Steiner).
    second = sum(
        cross * sum(u * u + u * v + v * v for u, v in zip(a, b, strict=True))
        for cross, (a, b) in zip(crosses, pairwise(local), strict=True)
    )
    about = second / 12 - twice / 2 * (x * x + y * y)
    return float(twice / 2), (float(ox + x), float(oy + y)), float(about) if about < _GREATEST else math.inf


def _rim(local: Sequence[Point2], points: Sequence[Point2], radius: float) -> Iterator[Part]:
    """Yield the rectangle on each edge and the sector at each point."""
    after = [*local[1:], local[0]]
    # From the points as they stand: shifted, very short edges could vanish.
    normals = [unit_normal(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise((*points, points[0]))]
    for i, ((ax, ay), (bx, by)) in enumerate(zip(local, after, strict=True)):
        (mx, my), (nx, ny) = normals[i - 1], normals[i]
        yield strip(ax, ay, bx, by, nx, ny, radius)
        turn = math.atan2(abs(mx * ny - my * nx), mx * nx + my * ny) if len(points) > 1 else 2.0 * math.pi
        if turn * radius * radius / 2.0 > 0.0:
            yield sector(ax, ay, mx, my, nx, ny, turn, radius)


def triangle(ax: float, ay: float, bx: float, by: float, cross: float) -> tuple[float, float, float]:
    """Return area and centroid of the triangle 0, a, b, whose edges from 0 have the given cross product."""
    return cross / 2.0, (ax + bx) / 3.0, (ay + by) / 3.0


def strip(ax: float, ay: float, bx: float, by: float, nx: float, ny: float, radius: float) -> Part:
    """Return the rectangle on the edge a, b, as wide as the radius, on the side of the unit normal n."""
    ex, ey = bx - ax, by - ay
    length = math.sqrt(ex * ex + ey * ey)
    area = length * radius
    second = area * (length * length + radius * radius) / 12.0
    return area, (ax + bx + radius * nx) / 2.0, (ay + by + radius * ny) / 2.0, second


def sector(ax: float, ay: float, mx: float, my: float, nx: float, ny: float, turn: float, radius: float) -> Part:
    """Return the sector of a disc about the corner a, from the unit normal m to n, which lie `turn` > 0 apart."""
    area = turn * radius * radius / 2.0
    # From the corner to the centroid: the integral of the unit vector from one normal to the other.
    x, y = 2.0 * radius * (ny - my) / (3.0 * turn), 2.0 * radius * (mx - nx) / (3.0 * turn)
    return area, ax + x, ay + y, area * (radius * radius / 2.0 - (x * x + y * y))
