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
    largest = max(max(xs) - min(xs), max(ys) - min(ys), radius)
    if radius == 0.0 and len(points) < 3:
        return 0.0, (cx, cy), 0.0
    unit = 2.0 ** math.frexp(largest)[1]  # a power of two: scaling is exact, and no power of a size overflows
    radius /= unit
    scaled = [((x - cx) / unit, (y - cy) / unit) for x, y in points]
    area, mx, my, _ = _moments(scaled, radius)
    mx, my = mx / area, my / area
    # A second pass about the centroid itself: shifting the first sum to it would cancel digits.
    _, rest_x, rest_y, second = _moments([(x - mx, y - my) for x, y in scaled], radius)
    mx, my = mx + rest_x / area, my + rest_y / area
    return area * unit * unit, (cx + mx * unit, cy + my * unit), second * unit * unit * unit * unit


def _moments(points: Sequence[Point2], radius: float) -> tuple[float, float, float, float]:
    """Return the integrals of 1, x, y and x^2 + y^2 over the convex core `points` grown by `radius`."""
    area = mx = my = second = 0.0
    edges = list(zip(points, points[1:] + points[:1], strict=True)) if len(points) > 1 else []  # type: ignore[operator]
    for (ax, ay), (bx, by) in edges:
        cross = ax * by - ay * bx
        area += cross / 2.0
        mx += (ax + bx) * cross / 6.0
        my += (ay + by) * cross / 6.0
        second += cross * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) / 12.0
    if radius == 0.0:
        return area, mx, my, second
    normals = [unit_normal(bx - ax, by - ay) for (ax, ay), (bx, by) in edges]
    for ((ax, ay), (bx, by)), (nx, ny) in zip(edges, normals, strict=True):
        length = math.hypot(bx - ax, by - ay)
        x, y = (ax + bx + radius * nx) / 2.0, (ay + by + radius * ny) / 2.0
        part = length * radius
        area += part
        mx += part * x
        my += part * y
        second += part * (x * x + y * y + (length * length + radius * radius) / 12.0)
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = (normals[i - 1], normals[i]) if normals else ((1.0, 0.0), (1.0, 0.0))
        turn = math.atan2(abs(ax * by - ay * bx), ax * bx + ay * by) if len(points) > 2 else 2.0 * math.pi / len(points)
        part = turn * radius * radius / 2.0
        # First moment of the sector about its own corner.
        sx, sy = (by - ay) * radius**3 / 3.0, (ax - bx) * radius**3 / 3.0
        area += part
        mx += part * x + sx
        my += part * y + sy
        second += part * (x * x + y * y + radius * radius / 2.0) + 2.0 * (x * sx + y * sy)
    return area, mx, my, second
