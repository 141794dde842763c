"""The six shapes as frozen values: Point, Segment, Circle, Capsule, Box and Polygon.

In: the user's numbers, checked at the door. Out: values that carry the record every kernel reads, and that answer what
can be said of one shape alone. World frame, user's units; angles in radians. `Box` lives in `boxes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from carom import _arrays, hulls, shape_arguments
from carom._arrays import PointLike, PointsLike
from carom._records import DISC, POLYGON, Point2
from carom._shape import BEYOND, Shape, near, pair
from carom.boxes import Box
from carom.mass import grown_mass
from carom.record_writers import make_record, polygon_record, stadium_record
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Vec

__all__ = ["Box", "Capsule", "Circle", "Point", "Polygon", "Segment", "Shape"]


class _Disc(Shape):
    """A core of one point."""

    __slots__ = ()

    def _disc(self, x: float, y: float, radius: float) -> None:
        """Store the record, written out here because discs are many: each number after the origin is 0."""
        self._store(np.array([DISC, 1.0, radius, x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]))

    @property
    def position(self) -> Vec:
        """The centre."""
        return Vec(*self._origin())

    def rotated(self, angle: float, pivot: PointLike | None = None) -> Self:
        """Return this shape turned by `angle` radians about `pivot`; about its own position nothing changes."""
        (x, y), _ = self._turn(angle, pivot, (0.0, 0.0))
        return self._placed(f"{type(self).__name__}.rotated", "pivot", pivot, x, y)

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

    def __init__(self, position: PointLike, *more: object) -> None:
        if more:
            shape_arguments.refuse_loose("Point((x, y))", position, *more)
        x, y = _arrays.point("Point", "position", position)
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

    def __init__(self, center: PointLike, radius: float, *more: object) -> None:
        if more:
            shape_arguments.refuse_loose("Circle((x, y), radius)", center, radius, *more)
        x, y = _arrays.point("Circle", "center", center)
        r = _arrays.size("Circle", "radius", radius, "; did you mean Point?")
        self._disc(x, y, r)

    @property
    def center(self) -> Vec:
        """The centre."""
        return Vec(*self._origin())

    def __repr__(self) -> str:
        return f"Circle({pair(self._origin())}, {self.radius!r})"


class _Stadium(Shape):
    """A core of two points."""

    __slots__ = ()

    def _span(self, start: PointLike, end: PointLike, radius: float, other: str) -> None:
        name = type(self).__name__
        a = _arrays.point(name, "start", start)
        b = _arrays.point(name, "end", end)
        if a == b:
            _arrays.refuse(ValueError, name, "end", b, f"must differ from start; did you mean {other}?")
        if max(abs(b[0] - a[0]), abs(b[1] - a[1])) < SMALLEST_SIZE:
            _arrays.refuse(ValueError, name, "end", b, f"must be at least {SMALLEST_SIZE:g} from start = {a}")
        self._store(stadium_record(a, b, radius))

    @property
    def start(self) -> Vec:
        """The core's first end, rounded."""
        return self.vertices[0]

    @property
    def end(self) -> Vec:
        """The core's second end, rounded."""
        return self.vertices[1]

    @property
    def position(self) -> Vec:
        """The midpoint."""
        ox, oy = self._origin()
        x, y = self._middle()
        return Vec(ox + x, oy + y)

    def rotated(self, angle: float, pivot: PointLike | None = None) -> Self:
        """Return this shape turned by `angle` radians about `pivot`, or about its midpoint."""
        position, points = self._turn(angle, pivot, self._middle())
        return self._landed(f"{type(self).__name__}.rotated", angle, position, points)

    def _landed(self, where: str, angle: float, position: Point2, points: list[Point2]) -> Self:
        (x, y), (a, b) = position, points
        turned = object.__new__(type(self))._store(stadium_record(a, b, self.radius))
        ox, oy = turned._origin()
        return turned._placed(where, "position", position, x + ox, y + oy)

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

    def __init__(self, start: PointLike, end: PointLike, *more: object) -> None:
        if more:
            shape_arguments.refuse_loose("Segment((x, y), (x, y))", start, end, *more)
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

    def __init__(self, start: PointLike, end: PointLike, radius: float, *more: object) -> None:
        if more:
            shape_arguments.refuse_loose("Capsule((x, y), (x, y), radius)", start, end, radius, *more)
        self._span(start, end, _arrays.size("Capsule", "radius", radius, "; did you mean Segment?"), "Circle")

    def _again(self, points: Sequence[Point2]) -> Capsule:
        start, end = points
        return Capsule(start, end, self.radius)

    def _text(self, points: Sequence[Point2]) -> str:
        start, end = map(pair, points)
        return f"Capsule({start}, {end}, {self.radius!r})"


class Polygon(Shape):
    """A convex polygon of any number of vertices, sharp or rounded.

    Parameters
    ----------
    vertices : sequence of (x, y), or array of shape (n, 2)
        The outline in order, in either winding, closed or not. Repeated points and points on a straight edge are
        dropped, and so are points that turn inward by no more than rounding (8 eps times the largest coordinate).
    radius : float
        Grows the polygon outward and rounds its corners.
    vertex_ids : sequence of int, optional
        A number for each of `vertices`, to know its features by; 0, 1, 2, ... if not given.

    Raises
    ------
    ValueError : fewer than three distinct points, no area, a concave outline, or one that crosses itself.

    Examples
    --------
    >>> from carom import Polygon
    >>> triangle = Polygon([(0, 0), (1, 2), (2, 0)])
    >>> triangle.vertices
    (Vec(0.0, 0.0), Vec(2.0, 0.0), Vec(1.0, 2.0))
    >>> triangle.vertex_ids
    (0, 2, 1)
    """

    __slots__ = ()
    __match_args__ = ("vertices",)

    def __init__(
        self, vertices: PointsLike, *more: object, radius: float = 0.0, vertex_ids: Sequence[int] | None = None
    ) -> None:
        if more:
            shape_arguments.refuse_loose("Polygon([(x, y), (x, y), ...])", vertices, *more)
        r = shape_arguments.growth("Polygon", "radius", radius)
        table = shape_arguments.plain_points(vertices)
        winding = 0
        if table is not None:
            record, winding = polygon_record(table, r)
            count = len(table)
        if winding == 0:
            record, kept, count = _careful(vertices, r)
        else:
            kept = list(range(count)) if winding > 0 else [0, *range(count - 1, 0, -1)]
        if vertex_ids is not None:
            ids = shape_arguments.integers("Polygon", "vertex_ids", vertex_ids, count)
            kept = [ids[i] for i in kept]
        self._store(record, tuple(kept))

    @property
    def vertex_ids(self) -> tuple[int, ...]:
        """For each of `vertices` the number the user knows it by."""
        return self._detail  # type: ignore[no-any-return]

    @property
    def position(self) -> Vec:
        """The centroid."""
        (ox, oy), (x, y) = self._origin(), self._middle()
        return Vec(ox + x, oy + y)

    def rotated(self, angle: float, pivot: PointLike | None = None) -> Self:
        """Return this polygon turned by `angle` radians about `pivot`, or about its centroid.

        The turned vertices are rounded, and cleaned again: one on an almost straight edge may go. Vertex numbers stay.
        """
        position, points = self._turn(angle, pivot, self._middle())
        return self._landed("Polygon.rotated", angle, position, points)

    def _landed(self, where: str, angle: float, position: Point2, points: list[Point2]) -> Self:
        if max(max(abs(x), abs(y)) for x, y in points) > LARGEST:
            raise ValueError(f"{where}: angle = {angle!r} {BEYOND}")
        try:
            turned = self._again(points)
        except ValueError:
            raise ValueError(f"{where}: angle = {angle!r}: the polygon is too thin to be turned") from None
        (x, y), (ox, oy) = position, turned._origin()
        record = turned._placed(where, "position", position, x + ox, y + oy)._record
        return object.__new__(type(self))._store(record, turned._detail)

    def _middle(self) -> Point2:
        return grown_mass(self._points(), self.radius)[1]

    def _again(self, points: Sequence[Point2]) -> Polygon:
        return Polygon(points, radius=self.radius, vertex_ids=self.vertex_ids)

    def _text(self, points: Sequence[Point2]) -> str:
        options = f", radius={self.radius!r}" if self.radius else ""
        if self.vertex_ids != tuple(range(len(points))):
            options += f", vertex_ids={self.vertex_ids}"
        return f"Polygon([{', '.join(map(pair, points))}]{options})"


def _careful(vertices: PointsLike, radius: float) -> tuple[NDArray[np.float64], list[int], int]:
    """Return the record of any outline, the rows kept, and how many were given; or refuse it."""
    given = shape_arguments.points("Polygon", "vertices", vertices)
    try:
        kept = hulls.clean_outline(given)
    except ValueError as error:
        raise ValueError(f"Polygon: {error}") from None
    points = [given[i] for i in kept]
    _check_sizes(points, kept)
    return make_record(POLYGON, *near(points), radius), kept, len(given)


def _check_sizes(points: list[Point2], kept: list[int]) -> None:
    """Refuse what is too small to be squared: a whole outline in x or in y, or an edge between `kept` vertices."""
    for axis, values in zip("xy", zip(*points, strict=True), strict=True):
        if (span := max(values) - min(values)) < SMALLEST_SIZE:
            raise ValueError(f"Polygon: vertices span {span!r} in {axis}; they must span {SMALLEST_SIZE:g} or more")
    last_x, last_y = points[-1]
    for k, (x, y) in enumerate(points):
        if -SMALLEST_SIZE < x - last_x < SMALLEST_SIZE > y - last_y > -SMALLEST_SIZE:
            at = f"Polygon: vertices[{kept[k]}]"
            raise ValueError(f"{at} = {points[k]} must be at least {SMALLEST_SIZE:g} from vertices[{kept[k - 1]}]")
        last_x, last_y = x, y
