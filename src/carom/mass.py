"""Area, centre of mass and moment of inertia of a convex core grown by a radius, in closed form.

In: the core's points, counter-clockwise, relative to any origin near the shape, and the radius. Out: plain floats in
the same frame. The grown shape is the core, a rectangle on each edge, and a sector of a disc at each corner.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from carom._records import Point2, unit_normal
from carom.vector import Vec


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


def grown_area(points: Sequence[Point2], radius: float) -> float:
    """Return the area of the convex core `points` grown by `radius`: core + perimeter * r + pi r^2."""
    ox, oy = points[0]
    local = [(x - ox, y - oy) for x, y in points]
    core = perimeter = 0.0
    for (ax, ay), (bx, by) in zip(local, local[1:] + local[:1], strict=True):
        core += (ax * by - ay * bx) / 2.0
        perimeter += math.hypot(bx - ax, by - ay)
    return core + perimeter * radius + math.pi * radius * radius


def grown_mass(points: Sequence[Point2], radius: float) -> tuple[float, Point2, float]:
    """Return area, centroid and second moment about it of the convex core `points` grown by `radius`.

    Where there is no area (a point, a segment) the centroid is the middle of the points. A second moment beyond the
    range of float64 is inf or 0.
    """
    xs, ys = [x for x, _ in points], [y for _, y in points]
    cx = min(xs) + (max(xs) - min(xs)) / 2.0
    cy = min(ys) + (max(ys) - min(ys)) / 2.0
    if radius == 0.0 and len(points) < 3:
        return 0.0, (cx, cy), 0.0
    largest = max(max(xs) - min(xs), max(ys) - min(ys), radius)
    unit = 2.0 ** math.frexp(largest)[1]  # a power of two: scaling is exact, and no power of a size overflows
    sides = _sides(points, unit)
    scaled = [((x - cx) / unit, (y - cy) / unit) for x, y in points]
    area, mx, my, _ = _moments(scaled, sides, radius / unit)
    mx, my = mx / area, my / area
    # A second pass about the centroid itself: shifting the first sum to it would cancel digits.
    _, rest_x, rest_y, second = _moments([(x - mx, y - my) for x, y in scaled], sides, radius / unit)
    mx, my = mx + rest_x / area, my + rest_y / area
    return area * unit * unit, (cx + mx * unit, cy + my * unit), second * unit * unit * unit * unit


def _sides(points: Sequence[Point2], unit: float) -> list[_Side]:
    """Return what is known of each edge from the points as they stand; shifted, very short edges would vanish."""
    if len(points) == 1:
        return [_Side(0.0, 1.0, 0.0, 2.0 * math.pi)]
    vectors = [(bx - ax, by - ay) for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True)]
    normals = [unit_normal(x, y) for x, y in vectors]
    sides = []
    for (x, y), (ax, ay), (bx, by) in zip(vectors, (normals[-1], *normals[:-1]), normals, strict=True):
        turn = math.atan2(abs(ax * by - ay * bx), ax * bx + ay * by)
        sides.append(_Side(math.hypot(x, y) / unit, bx, by, turn))
    return sides


class _Side(NamedTuple):
    """The edge that leaves a point: its length, its outward unit normal, and the turn of the normal at the point."""

    length: float
    nx: float
    ny: float
    turn: float


def _moments(points: Sequence[Point2], sides: Sequence[_Side], radius: float) -> tuple[float, float, float, float]:
    """Return the integrals of 1, x, y and x^2 + y^2 over the convex core `points` grown by `radius`."""
    area = mx = my = second = 0.0
    for i, (bx, by) in enumerate(points):
        ax, ay = points[i - 1]
        length, nx, ny, _ = sides[i - 1]
        cross = ax * by - ay * bx
        area += cross / 2.0
        mx += (ax + bx) * cross / 6.0
        my += (ay + by) * cross / 6.0
        second += cross * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) / 12.0
        # The rectangle on the edge.
        x, y = (ax + bx + radius * nx) / 2.0, (ay + by + radius * ny) / 2.0
        part = length * radius
        area += part
        mx += part * x
        my += part * y
        second += part * (x * x + y * y + (length * length + radius * radius) / 12.0)
        # The sector at the point, with its first moment about the point.
        part = sides[i].turn * radius * radius / 2.0
        sx, sy = (sides[i].ny - ny) * radius**3 / 3.0, (nx - sides[i].nx) * radius**3 / 3.0
        area += part
        mx += part * bx + sx
        my += part * by + sy
        second += part * (bx * bx + by * by + radius * radius / 2.0) + 2.0 * (bx * sx + by * sy)
    return area, mx, my, second
