"""Shapes as plain data: circles, segments, capsules and convex polygons, in the numbers that a scene gives.

An adapter turns them into the shapes of its engine. A box is a Polygon of four vertices, counter-clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]


class Circle(NamedTuple):
    """A disc."""

    centre: Point
    radius: float


class Segment(NamedTuple):
    """A line between two points, without a width."""

    a: Point
    b: Point


class Capsule(NamedTuple):
    """All points within the radius of a segment."""

    a: Point
    b: Point
    radius: float


class Polygon(NamedTuple):
    """A convex polygon, counter-clockwise unless a scene says otherwise."""

    vertices: tuple[Point, ...]


Shape: TypeAlias = Circle | Segment | Capsule | Polygon


def box(x: float, y: float, wide: float, high: float, angle: float = 0.0) -> Polygon:
    """Return a box about a centre; without an angle its corners are sums of the numbers given, rounded once."""
    corners = ((-wide / 2, -high / 2), (wide / 2, -high / 2), (wide / 2, high / 2), (-wide / 2, high / 2))
    c, s = (math.cos(angle), math.sin(angle)) if angle else (1.0, 0.0)
    return Polygon(tuple((x + c * u - s * v, y + s * u + c * v) for u, v in corners))


def between(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Return the box between two corners, to the last bit."""
    return Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def regular(count: int, radius: float, x: float = 0.0, y: float = 0.0) -> Polygon:
    """Return a regular polygon about a centre, whose first vertex lies to the right."""
    turns = [2 * math.pi * k / count for k in range(count)]
    return Polygon(tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns))


def core(shape: Shape) -> tuple[Sequence[Point], float]:
    """Return the points and the radius of a shape: every shape is a convex hull with a rounding."""
    if isinstance(shape, Circle):
        return (shape.centre,), shape.radius
    if isinstance(shape, Polygon):
        return shape.vertices, 0.0
    return (shape.a, shape.b), shape.radius if isinstance(shape, Capsule) else 0.0


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """Return a shape elsewhere; each coordinate is rounded once."""
    if isinstance(shape, Circle):
        return Circle((shape.centre[0] + dx, shape.centre[1] + dy), shape.radius)
    if isinstance(shape, Polygon):
        return Polygon(tuple((x + dx, y + dy) for x, y in shape.vertices))
    ends = (shape.a[0] + dx, shape.a[1] + dy), (shape.b[0] + dx, shape.b[1] + dy)
    return Capsule(*ends, shape.radius) if isinstance(shape, Capsule) else Segment(*ends)


def area_and_moment(shape: Shape) -> tuple[float, float]:
    """Return the area of a shape and its second moment about the origin of its coordinates, for density 1.

    A segment has no area: its length and the moment of a thin rod stand for them.
    """
    if isinstance(shape, Circle):
        area = math.pi * shape.radius**2
        return area, area * (shape.radius**2 / 2 + math.dist(shape.centre, (0, 0)) ** 2)
    if isinstance(shape, Polygon):
        area = moment = 0.0
        for (x0, y0), (x1, y1) in pairwise([*shape.vertices, shape.vertices[0]]):
            cross = x0 * y1 - x1 * y0
            area += cross / 2
            moment += cross * (x0 * x0 + x0 * x1 + x1 * x1 + y0 * y0 + y0 * y1 + y1 * y1) / 12
        return area, moment
    length, middle = math.dist(shape.a, shape.b), ((shape.a[0] + shape.b[0]) / 2, (shape.a[1] + shape.b[1]) / 2)
    away = math.dist(middle, (0, 0)) ** 2
    if isinstance(shape, Segment):
        return length, length * (length**2 / 12 + away)
    r = shape.radius
    bar, discs, lever = 2 * r * length, math.pi * r * r, length / 2 + 4 * r / (3 * math.pi)
    half = discs / 2 * (r * r / 2 - (4 * r / (3 * math.pi)) ** 2) + discs / 2 * lever**2
    return bar + discs, bar * (length**2 + 4 * r * r) / 12 + 2 * half + (bar + discs) * away
