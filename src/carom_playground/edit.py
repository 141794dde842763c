"""Editing a shape by hand: make one, scale it, move one of its corners. Moving and turning are the shape's own.

In: shapes and points of the world. Out: new shapes; an edit that makes no shape, such as a corner that would make a
polygon concave, raises ValueError with the reason. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from carom import Box, Capsule, Circle, ConvexShape, Point, Polygon, Segment, Vec
from carom_playground.scene import Point2

FIFTHS = [math.tau * (k + 0.25) / 5 for k in range(5)]  # of a turn, where a new polygon has its corners
NEW: dict[str, Callable[[float, float, float], ConvexShape]] = {
    "circle": lambda x, y, size: Circle((x, y), 0.5 * size),
    "box": lambda x, y, size: Box((x, y), (1.2 * size, 0.8 * size)),
    "turned box": lambda x, y, size: Box((x, y), (1.2 * size, 0.7 * size), math.radians(25.0)),
    "polygon": lambda x, y, size: Polygon(
        [(x + 0.6 * size * math.cos(turn), y + 0.6 * size * math.sin(turn)) for turn in FIFTHS]
    ),
    "capsule": lambda x, y, size: Capsule(
        (x - 0.45 * size, y - 0.2 * size), (x + 0.45 * size, y + 0.2 * size), 0.25 * size
    ),
    "segment": lambda x, y, size: Segment((x - 0.6 * size, y - 0.3 * size), (x + 0.6 * size, y + 0.3 * size)),
    "point": lambda x, y, _: Point((x, y)),
}
"""Makers of new shapes, in the order of the buttons: each takes its middle and about its size."""
KINDS = tuple(NEW)


def new_shape(kind: str, at: Point2, size: float) -> ConvexShape:
    """Return a shape of a kind at a place, about so large."""
    return NEW[kind](*at, size)


def scaled(shape: ConvexShape, factor: float) -> ConvexShape:
    """Return a shape grown about its position; a Point stays as it is."""
    if isinstance(shape, Box):
        return Box(shape.center, shape.size * factor, shape.angle, radius=shape.radius * factor)
    middle = shape.position
    return _about(shape, [middle + (vertex - middle) * factor for vertex in shape.vertices], shape.radius * factor)


def corners(shape: ConvexShape) -> tuple[Vec, ...]:
    """Return the points that can be moved one by one; of a circle one on its rim, of a Point none."""
    if isinstance(shape, Circle):
        return (Vec(shape.center.x + shape.radius, shape.center.y),)
    return () if isinstance(shape, Point) else shape.vertices


def with_corner(shape: ConvexShape, number: int, to: Point2) -> ConvexShape:
    """Return a shape with one of its `corners` moved.

    A box stays a box, its opposite corner where it was; a circle takes the new distance as its radius.

    Raises
    ------
    ValueError
        If that makes no shape, or a polygon that is not convex.
    """
    there = Vec(*to)
    if isinstance(shape, Circle):
        return Circle(shape.center, (there - shape.center).length)
    if isinstance(shape, Box):
        return _box_between(shape, shape.vertices[(number + 2) % 4], there)
    ends = list(shape.vertices)
    ends[number] = there
    return _about(shape, ends, shape.radius)


def _box_between(box: Box, fixed: Vec, moved: Vec) -> Box:
    if box.angle == 0.0:
        (x0, x1), (y0, y1) = sorted((fixed.x, moved.x)), sorted((fixed.y, moved.y))
        return Box.from_corners((x0, y0), (x1, y1), radius=box.radius)
    across = moved - fixed
    along = Vec(math.cos(box.angle), math.sin(box.angle))
    size = abs(across.dot(along)), abs(along.cross(across))
    return Box(fixed + across * 0.5, size, box.angle, radius=box.radius)


def _about(shape: ConvexShape, points: list[Vec], radius: float) -> ConvexShape:
    """Return a shape of the same kind, but no Box, about other core points; a polygon keeps its corners' order."""
    if isinstance(shape, Circle):
        return Circle(points[0], radius)
    if isinstance(shape, Capsule):
        return Capsule(points[0], points[1], radius)
    if isinstance(shape, Segment):
        return Segment(points[0], points[1])
    if isinstance(shape, Polygon):
        for a, b, c in zip(points, points[1:] + points[:1], points[2:] + points[:2], strict=True):
            if (b - a).cross(c - b) <= 0.0:
                raise ValueError("a polygon has to stay convex")
        return Polygon(points, radius=radius, vertex_ids=shape.vertex_ids)
    return shape
