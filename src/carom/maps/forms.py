"""Shapes of a map in pixels, before they are placed in the world: points, lines, circles and rings, moved and mirrored.

In: numbers from a file, y pointing down. Out: `Form` values, and the shapes they become. Pixels, clockwise degrees as
Tiled has them; a ring may be concave and go round either way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment, Shape
from carom.shapes.box import Box
from carom.shapes.compound import decompose
from carom.vector import Point2

ELLIPSE = 32  # corners of an ellipse that is no circle; it lies inside by half a percent of its size


class Form(NamedTuple):
    """A ring of corners, a line through points (a capsule with a radius), a circle about a point, or a point."""

    kind: str  # "ring", "line", "circle", "point"
    points: tuple[Point2, ...]
    radius: float = 0.0
    holes: tuple[tuple[Point2, ...], ...] = ()

    def moved(self, way: Callable[[Point2], Point2], scale: float = 1.0) -> Form:
        """Return this form with each point where `way` takes it, and a circle's radius times `scale`."""
        points, *holes = [tuple([way(point) for point in ring]) for ring in (self.points, *self.holes)]
        return Form(self.kind, points, self.radius * scale, tuple(holes))

    def edges(self) -> list[tuple[Point2, Point2]]:
        """Return the edges, a ring's in the order in which its inside lies where x turns to y."""
        if self.kind in ("circle", "point"):
            return ring_of(self).edges() if self.kind == "circle" else []
        points = list(self.points)
        if self.kind == "line":
            return list(pairwise(points))
        if _area(points) < 0.0:
            points.reverse()
        return list(zip(points, points[1:] + points[:1], strict=True))


def rectangle(x: float, y: float, width: float, height: float) -> Form:
    """Return a rectangle; one without width or height is a line, one without either a point."""
    if not width and not height:
        return Form("point", ((x, y),))
    if not width or not height:
        return Form("line", ((x, y), (x + width, y + height)))
    return Form("ring", ((x, y), (x + width, y), (x + width, y + height), (x, y + height)))


def ellipse(x: float, y: float, width: float, height: float) -> Form:
    """Return the ellipse in a rectangle: a circle where it is one, else a ring of corners on it."""
    if not width or not height:
        return rectangle(x, y, width, height)
    center = x + width / 2, y + height / 2
    if width == height:
        return Form("circle", (center,), width / 2)
    return _round(center, width / 2, height / 2)


def ring_of(form: Form) -> Form:
    """Return a form with its circle or capsule as a ring of corners."""
    if form.kind == "circle":
        return _round(form.points[0], form.radius, form.radius)
    if not form.radius:
        return form
    (ax, ay), (bx, by) = form.points
    dx, dy = (bx - ax) * form.radius / math.dist(*form.points), (by - ay) * form.radius / math.dist(*form.points)
    corners = []
    for k in range(ELLIPSE // 2 + 1):  # round the far end, and then, from the other side, round the near one
        c, s = cos_sin_degrees(360.0 * k / ELLIPSE - 90.0)
        corners.append((c * dx - s * dy, s * dx + c * dy))
    ends = [(bx + x, by + y) for x, y in corners] + [(ax - x, ay - y) for x, y in corners]
    return Form("ring", tuple(ends))


def _round(center: Point2, a: float, b: float) -> Form:
    corners = []
    for k in range(ELLIPSE):
        c, s = cos_sin_degrees(360.0 * k / ELLIPSE)
        corners.append((center[0] + a * c, center[1] + b * s))
    return Form("ring", tuple(corners))


def cos_sin_degrees(degrees: float) -> tuple[float, float]:
    """Return cosine and sine, exact for quarter turns."""
    quarters, rest = divmod(degrees, 90.0)
    if rest == 0.0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    angle = math.radians(degrees % 360.0)
    return math.cos(angle), math.sin(angle)


def turned(form: Form, degrees: float, pivot: Point2) -> Form:
    """Return a form turned clockwise on the screen about a point."""
    if not degrees:
        return form
    c, s = cos_sin_degrees(degrees)

    def way(point: Point2) -> Point2:
        x, y = point[0] - pivot[0], point[1] - pivot[1]
        return pivot[0] + (c * x - s * y), pivot[1] + (s * x + c * y)

    return form.moved(way)


def shifted(form: Form, vector: Point2) -> Form:
    """Return a form moved by a vector."""
    dx, dy = vector
    return form.moved(lambda point: (point[0] + dx, point[1] + dy))


def scaled(form: Form, x: float, y: float) -> Form:
    """Return a form with all coordinates times these factors."""
    if x != y:
        form = ring_of(form)
    return form.moved(lambda point: (point[0] * x, point[1] * y), x)


def shapes_of(form: Form) -> list[Shape]:
    """Return the shapes of a form in the world: one shape, or the segments of a line.

    Raises
    ------
    ValueError
        No shape; the text has no caller's name.
    """
    if form.kind == "point":
        return [Point(form.points[0])]
    if form.kind == "circle":
        return [Circle(form.points[0], form.radius)]
    if form.kind == "line" and form.radius:
        return [Capsule(form.points[0], form.points[1], form.radius)]
    if form.kind == "line":
        found: list[Shape] = [Segment(a, b) for a, b in form.edges() if a != b]
        return found or [Point(form.points[0])]
    (ax, ay), (bx, by) = form.points[0], form.points[2]
    around = ({(ax, ay), (bx, by)}, {(ax, by), (bx, ay)})
    opposite = [{form.points[k], form.points[k + 2]} for k in (0, 1)] if len(form.points) == 4 else []
    if opposite == list(around) and ax != bx and ay != by and not form.holes:
        return [Box.from_corners((min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by)))]
    region = decompose(form.points, form.holes)
    return [Polygon(region.outline) if len(region.parts) == 1 else region]


def _area(points: list[Point2]) -> float:
    """Return twice the area, negative where the points go round from y to x."""
    ox, oy = points[0]
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return math.fsum((ax - ox) * (by - oy) - (ay - oy) * (bx - ox) for (ax, ay), (bx, by) in pairs)
