"""What a hand can do to a shape: make one, scale it, move one of its corners. Moving and turning are the shape's own.

In: shapes and points of the world. Out: new shapes; what cannot be, such as a corner that would make a polygon
concave, raises ValueError with the reason. World frame, user's units.
"""

from __future__ import annotations

import math

from carom.shapes.base import Shape
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment
from carom.shapes.box import Box
from carom.shapes.outlines.clean_convex import orientation
from carom.vector import Point2, Vec

KINDS = ("circle", "box", "turned box", "polygon", "capsule", "segment", "point")
"""What can be added, in the order of the buttons."""


def new_shape(kind: str, at: Point2, size: float) -> Shape:
    """Return a shape of a kind at a place, about so large."""
    x, y = at
    if kind == "circle":
        return Circle(at, 0.5 * size)
    if kind == "box":
        return Box(at, (1.2 * size, 0.8 * size))
    if kind == "turned box":
        return Box(at, (1.2 * size, 0.7 * size), math.radians(25.0))
    if kind == "polygon":
        turns = [math.tau * (k + 0.25) / 5 for k in range(5)]
        return Polygon([(x + 0.6 * size * math.cos(t), y + 0.6 * size * math.sin(t)) for t in turns])
    if kind == "capsule":
        return Capsule((x - 0.45 * size, y - 0.2 * size), (x + 0.45 * size, y + 0.2 * size), 0.25 * size)
    if kind == "segment":
        return Segment((x - 0.6 * size, y - 0.3 * size), (x + 0.6 * size, y + 0.3 * size))
    return Point(at)


def scaled(shape: Shape, factor: float) -> Shape:
    """Return a shape grown about its position; a Point stays as it is."""
    middle = shape.position

    def grown(point: Point2) -> Vec:
        return middle + (Vec(*point) - middle) * factor

    if isinstance(shape, Circle):
        return Circle(shape.center, shape.radius * factor)
    if isinstance(shape, Box):
        return Box(shape.center, shape.size * factor, shape.angle, radius=shape.radius * factor)
    if isinstance(shape, Capsule):
        return Capsule(grown(shape.start), grown(shape.end), shape.radius * factor)
    if isinstance(shape, Segment):
        return Segment(grown(shape.start), grown(shape.end))
    if isinstance(shape, Polygon):
        return _polygon([grown(vertex) for vertex in shape.vertices], shape.radius * factor, shape)
    return shape


def corners(shape: Shape) -> tuple[Vec, ...]:
    """Return the points that can be moved one by one; of a circle one on its rim, of a Point none."""
    if isinstance(shape, Circle):
        return (Vec(shape.center.x + shape.radius, shape.center.y),)
    return () if isinstance(shape, Point) else shape.vertices


def with_corner(shape: Shape, number: int, to: Point2) -> Shape:
    """Return a shape with one of its `corners` moved.

    A box stays a box, its opposite corner where it was; a circle takes the new distance as its radius.

    Raises
    ------
    ValueError : if that makes no shape, or a polygon that is not convex
    """
    there = Vec(*to)
    if isinstance(shape, Circle):
        return Circle(shape.center, (there - shape.center).length)
    if isinstance(shape, Box):
        return _box_between(shape, shape.vertices[(number + 2) % 4], there)
    ends = list(shape.vertices)
    ends[number] = there
    if isinstance(shape, Capsule):
        return Capsule(ends[0], ends[1], shape.radius)
    if isinstance(shape, Segment):
        return Segment(*ends)
    if isinstance(shape, Polygon):
        return _polygon(ends, shape.radius, shape)
    return shape


def _box_between(box: Box, fixed: Vec, moved: Vec) -> Box:
    if box.angle == 0.0:
        (x0, x1), (y0, y1) = sorted((fixed.x, moved.x)), sorted((fixed.y, moved.y))
        return Box.from_corners((x0, y0), (x1, y1), radius=box.radius)
    across = moved - fixed
    along = Vec(math.cos(box.angle), math.sin(box.angle))
    size = abs(across.dot(along)), abs(along.cross(across))
    return Box(fixed + across * 0.5, size, box.angle, radius=box.radius)


def _polygon(points: list[Vec], radius: float, before: Polygon) -> Polygon:
    """Return a polygon that kept its corners, in the order they had."""
    count = len(points)
    for k in range(count):
        if orientation(points[k], points[(k + 1) % count], points[(k + 2) % count]) <= 0:
            raise ValueError("a polygon has to stay convex")
    return Polygon(points, radius=radius, vertex_ids=before.vertex_ids)
