"""The shapes with a core of one or two points as frozen values: Point, Circle, Segment and Capsule.

In: the user's numbers, validated. Out: values that carry the proxy every kernel reads, and that answer what can be said
of one shape alone. World frame, user's units; angles in radians. All six classes of shapes can be imported from here:
`Box` stands in `box.py`, `Polygon` in `polygon.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Never, Self

import numpy as np

from carom._core import inputs, shape_inputs
from carom._core.inputs import PointLike
from carom._core.names import refuse_keywords, told_by_name
from carom._core.quick import new
from carom.shapes.base import ConvexShape, Shape, _set_detail, _set_record, pair
from carom.shapes.box import Box
from carom.shapes.polygon import Polygon
from carom.shapes.proxy import DISC, POINTS, RADIUS, STRIDE
from carom.shapes.proxy_writers import stadium_proxy
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2, Vec

__all__ = ["Box", "Capsule", "Circle", "ConvexShape", "Point", "Polygon", "Segment", "Shape"]


_empty_disc = np.array([DISC, 1.0] + [0.0] * (POINTS + STRIDE - 2)).copy
_put_numbers: Callable[..., None] = struct.Struct("3d").pack_into
_NUMBERS = 8 * RADIUS  # where radius and origin begin, in bytes


class _Disc(ConvexShape):
    """A core of one point."""

    __slots__ = ()

    def _disc(self, x: float, y: float, radius: float) -> None:
        """Store the proxy, written out here because discs are many: each number after the origin is 0."""
        proxy = _empty_disc()
        _put_numbers(proxy, _NUMBERS, radius, x, y)  # in a third of the time of np.array
        _set_record(self, proxy)
        _set_detail(self, None)

    @property
    def position(self) -> Vec:
        """The centre."""
        return Vec(*self._origin())

    def _middle(self) -> Point2:
        return 0.0, 0.0

    def _landed(self, where: str, angle: float, position: Point2, points: list[Point2]) -> Self:
        return self._placed(where, "position", position, *position)


class Point(_Disc):
    """A single point.

    Parameters
    ----------
    position : (x, y)

    Examples
    --------
    >>> from carom import Point
    >>> Point((1, 2)).translated((0.5, 0))
    Point((1.5, 2.0))
    """

    __slots__ = ()
    __match_args__ = ("position",)

    @told_by_name
    def __init__(self, position: PointLike, *more: Never, **unknown: Never) -> None:
        if unknown:
            refuse_keywords("Point", Point, unknown)
        if more:
            shape_inputs.refuse_loose("Point((x, y))", position, *more)
        x, y = inputs.point("Point", "position", position)
        self._disc(x, y, 0.0)

    def __repr__(self) -> str:
        return f"Point({pair(self._origin())})"


class Circle(_Disc):
    """A disc, boundary and inside.

    Parameters
    ----------
    center : (x, y)
    radius : float, positive

    Examples
    --------
    >>> from carom import Circle
    >>> Circle((0, 0), 2.0).area
    12.566370614359172
    """

    __slots__ = ()
    __match_args__ = ("center", "radius")

    @told_by_name
    def __init__(self, center: PointLike, radius: float, *more: Never, **unknown: Never) -> None:
        if unknown:
            refuse_keywords("Circle", Circle, unknown)
        if more:
            shape_inputs.refuse_loose("Circle((x, y), radius)", center, radius, *more)
        x, y = inputs.point("Circle", "center", center)
        r = radius
        if type(r) is not float or not SMALLEST_SIZE <= r <= LARGEST:
            r = inputs.size("Circle", "radius", r, "; did you mean Point?")
        proxy = _empty_disc()
        _put_numbers(proxy, _NUMBERS, r, x, y)
        _set_record(self, proxy)
        _set_detail(self, None)

    @property
    def center(self) -> Vec:
        """The centre."""
        return Vec(*self._origin())

    def __repr__(self) -> str:
        return f"Circle({pair(self._origin())}, {self.radius!r})"


class _Stadium(ConvexShape):
    """A core of two points."""

    __slots__ = ()

    def _span(self, start: PointLike, end: PointLike, radius: float, other: str) -> None:
        name = type(self).__name__
        a = inputs.point(name, "start", start)
        b = inputs.point(name, "end", end)
        if a == b:
            inputs.refuse(ValueError, name, "end", b, f"must differ from start; did you mean {other}?")
        if max(abs(b[0] - a[0]), abs(b[1] - a[1])) < SMALLEST_SIZE:
            inputs.refuse(ValueError, name, "end", b, f"must be at least {SMALLEST_SIZE:g} from start = {a}")
        self._store(stadium_proxy(a, b, radius))

    @property
    def position(self) -> Vec:
        """The midpoint."""
        _, _, _, ox, oy, _, _, _, _, _, ax, ay, _, _, bx, by, _, _ = self._record.tolist()
        return new(Vec, (ox + (ax + (bx - ax) / 2.0), oy + (ay + (by - ay) / 2.0)))

    @property
    def start(self) -> Vec:
        """The core's first end, rounded."""
        return self.vertices[0]

    @property
    def end(self) -> Vec:
        """The core's second end, rounded."""
        return self.vertices[1]

    def _of_core(self, where: str, angle: float, points: list[Point2]) -> Self:
        start, end = points
        return object.__new__(type(self))._store(stadium_proxy(start, end, self.radius))

    def _middle(self) -> Point2:
        (ax, ay), (bx, by) = self._points()
        return ax + (bx - ax) / 2.0, ay + (by - ay) / 2.0


class Segment(_Stadium):
    """A straight line from one point to another, both ends included.

    Parameters
    ----------
    start, end : (x, y)
        Two different points.

    Examples
    --------
    >>> from carom import Segment
    >>> Segment((0, 0), (4, 2)).position
    Vec(2.0, 1.0)
    """

    __slots__ = ()
    __match_args__ = ("start", "end")

    @told_by_name
    def __init__(self, start: PointLike, end: PointLike, *more: Never, **unknown: Never) -> None:
        if unknown:
            refuse_keywords("Segment", Segment, unknown)
        if more:
            shape_inputs.refuse_loose("Segment((x, y), (x, y))", start, end, *more)
        self._span(start, end, 0.0, "Point")

    def _again(self, points: Sequence[Point2]) -> Segment:
        start, end = points
        return Segment(start, end)

    def _text(self, points: Sequence[Point2]) -> str:
        start, end = map(pair, points)
        return f"Segment({start}, {end})"


class Capsule(_Stadium):
    """All points within a radius of a segment: a rectangle with round ends.

    Parameters
    ----------
    start, end : (x, y)
        The ends of the segment inside, two different points.
    radius : float, positive

    Examples
    --------
    >>> from carom import Capsule
    >>> Capsule((0, 0), (3, 0), 0.5).area
    3.7853981633974483
    """

    __slots__ = ()
    __match_args__ = ("start", "end", "radius")

    @told_by_name
    def __init__(self, start: PointLike, end: PointLike, radius: float, *more: Never, **unknown: Never) -> None:
        if unknown:
            refuse_keywords("Capsule", Capsule, unknown)
        if more:
            shape_inputs.refuse_loose("Capsule((x, y), (x, y), radius)", start, end, radius, *more)
        self._span(start, end, inputs.size("Capsule", "radius", radius, "; did you mean Segment?"), "Circle")

    def _again(self, points: Sequence[Point2]) -> Capsule:
        start, end = points
        return Capsule(start, end, self.radius)

    def _text(self, points: Sequence[Point2]) -> str:
        start, end = map(pair, points)
        return f"Capsule({start}, {end}, {self.radius!r})"
