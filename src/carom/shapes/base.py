"""Shape: the base of all shape values, which are frozen like numbers, moved, turned, compared, printed and pickled.

In: a proxy (see `proxy`) and, where that cannot hold all of the shape, one detail: the size and angle of a turned box,
the vertex numbers of a polygon. Out: what all shapes answer alike, worked out when asked for. World frame, user's
units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Never, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.names import NamesNear, names_near, refuse_keywords, told_by_name
from carom._core.sealed import sealed
from carom.shapes.mass import Mass, grown_mass
from carom.shapes.proxy import POINTS, RADIUS, STRIDE, X, Y, exact_origin
from carom.tolerances import LARGEST
from carom.vector import Point2, Vec, cos_sin, quarter_turns

BEYOND = f"moves the shape beyond {LARGEST:g}, the largest coordinate"


@names_near
class Shape(metaclass=NamesNear):
    """A shape of any kind: `Point`, `Segment`, `Circle`, `Capsule`, `Box`, `Polygon` or `Compound`.

    Shapes are immutable, can be hashed, and are equal if they are of one class and store the same numbers; `repr` gives
    an expression for an equal shape.

    Examples
    --------
    >>> from carom import Circle, Shape, decompose
    >>> isinstance(Circle((0, 0), 1), Shape), isinstance(decompose([(0, 0), (1, 0), (0, 1)]), Shape)
    (True, True)
    """

    __slots__ = ()

    @property
    def position(self) -> Vec:
        """The point that a turn is about: the centre, the midpoint, or the centroid."""
        raise NotImplementedError

    @property
    def vertices(self) -> tuple[Vec, ...]:
        """The points of the core, or of all parts' cores, each coordinate rounded once."""
        raise NotImplementedError

    @property
    def radius(self) -> float:
        """How far the shape reaches beyond its core; of a Compound, how far any part does at most."""
        raise NotImplementedError

    @property
    def area(self) -> float:
        """The area, radius included."""
        raise NotImplementedError

    @property
    def centroid(self) -> Vec:
        """The centre of the area, radius included; of a Segment the midpoint."""
        return self.position

    def mass(self, density: float = 1.0) -> Mass:
        """Return mass, centre of mass and moment of inertia about it, radius included."""
        raise NotImplementedError

    def translated(self, vector: PointLike) -> Self:
        """Return this shape moved by `vector`."""
        raise NotImplementedError

    def rotated(self, angle: float, pivot: PointLike | None = None) -> Self:
        """Return this shape turned by `angle` radians about `pivot`, or about its position."""
        raise NotImplementedError

    def placed(self, position: PointLike, angle: float = 0.0) -> Self:
        """Return this shape with its `position` there, turned about it by `angle` radians."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: shapes do not change; make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted: shapes do not change")


class ConvexShape(Shape):
    """A frozen convex shape: a core (one point, a segment or a convex polygon) grown by a radius.

    Made as `Point`, `Segment`, `Circle`, `Capsule`, `Box` or `Polygon`.

    Examples
    --------
    >>> from carom import Circle, ConvexShape, decompose
    >>> isinstance(Circle((0, 0), 1), ConvexShape), isinstance(decompose([(0, 0), (1, 0), (0, 1)]), ConvexShape)
    (True, False)
    """

    __slots__ = ("_detail", "_record")
    _record: NDArray[np.float64]
    _detail: Any

    def _store(self, proxy: NDArray[np.float64], detail: Any = None) -> Self:
        _set_record(self, proxy)
        _set_detail(self, detail)
        return self

    @property
    def position(self) -> Vec:
        """The point that a turn is about: the centre, the midpoint, or a polygon's centroid."""
        (ox, oy), (x, y) = self._origin(), self._middle()
        return Vec(ox + x, oy + y)

    @property
    def vertices(self) -> tuple[Vec, ...]:
        """The core's points in the world, counter-clockwise, each coordinate rounded once."""
        ox, oy = self._origin()
        return tuple([Vec(ox + x, oy + y) for x, y in self._points()])

    @property
    def radius(self) -> float:
        """How far the shape reaches beyond its core."""
        return self._record.item(RADIUS)

    @property
    def area(self) -> float:
        """The area, radius included."""
        return grown_mass(self._points(), self.radius)[0]

    @told_by_name
    def mass(self, density: float = 1.0) -> Mass:
        """Return mass, centre of mass and moment of inertia about it, radius included.

        Parameters
        ----------
        density : float, positive
            Mass per area. A Point or Segment has no area and so no mass.

        Returns
        -------
        Mass(mass, center, inertia)

        Examples
        --------
        >>> from carom import Box
        >>> Box((1.0, 2.0), (2.0, 4.0)).mass(density=3.0)
        Mass(mass=24.0, center=Vec(1.0, 2.0), inertia=40.0)
        """
        density = inputs.size(f"{type(self).__name__}.mass", "density", density)
        area, _, second = grown_mass(self._points(), self.radius)
        return Mass(density * area, self.centroid, density * second)

    @told_by_name
    def translated(self, vector: PointLike, **unknown: Never) -> Self:
        """Return this shape moved by `vector`: its origin is rounded once, its local points stay as they are."""
        where = f"{type(self).__name__}.translated"
        if unknown:
            refuse_keywords(where, ConvexShape.translated, unknown)
        dx, dy = inputs.point(where, "vector", vector)
        x, y = self._origin()
        return self._placed(where, "vector", vector, x + dx, y + dy)

    @told_by_name
    def rotated(self, angle: float, pivot: PointLike | None = None, **unknown: Never) -> Self:
        """Return this shape turned.

        The turned vertices of a polygon are rounded, and cleaned again: one on an almost straight edge may go. Vertex
        numbers stay.

        Parameters
        ----------
        angle : float
            Radians, counter-clockwise where y points up. The float64 nearest to a multiple of pi / 2 turns exactly.
        pivot : (x, y), optional
            The point that stays in place; `position` if not given.
        """
        where = f"{type(self).__name__}.rotated"
        if unknown:
            refuse_keywords(where, ConvexShape.rotated, unknown)
        position, points = turned(where, self._origin(), self._points(), self._middle(), angle, pivot)
        return self._landed(where, angle, position, points)

    @told_by_name
    def placed(self, position: PointLike, angle: float = 0.0, **unknown: Never) -> Self:
        """Return this shape with its `position` there, turned about it.

        Parameters
        ----------
        position : (x, y)
            Where the centre, the midpoint or the centroid goes, to rounding.
        angle : float
            Radians beyond the orientation that the shape has; by 0 it is only moved.

        Examples
        --------
        >>> from carom import Polygon
        >>> Polygon([(0, 0), (3, 0), (0, 3)]).placed((10, 20))
        Polygon([(9.0, 19.0), (12.0, 19.0), (9.0, 22.0)])
        """
        where = f"{type(self).__name__}.placed"
        if unknown:
            refuse_keywords(where, ConvexShape.placed, unknown)
        x, y = inputs.point(where, "position", position)
        turn = inputs.number(where, "angle", angle)
        lx, ly = self._middle()
        if quarter_turns(turn) == 0:
            return self._placed(where, "position", position, x - lx, y - ly)
        _, points = turned(where, self._origin(), self._points(), (lx, ly), turn, None)
        return self._landed(where, turn, (x, y), points)

    def _middle(self) -> Point2:
        """Return the position relative to the origin."""
        raise NotImplementedError

    def _landed(self, where: str, angle: float, position: Point2, points: list[Point2]) -> Self:
        """Return the shape of turned core points, given relative to the position."""
        made = self._of_core(where, angle, points)
        (x, y), (ox, oy) = position, made._origin()
        return made._placed(where, "position", position, x + ox, y + oy)

    def _of_core(self, where: str, angle: float, points: list[Point2]) -> Self:
        """Return the shape with other core points, in the world."""
        raise NotImplementedError

    def _origin(self) -> Point2:
        return self._record.item(X), self._record.item(Y)

    def _points(self) -> list[Point2]:
        """Return the core's points relative to the origin."""
        values = self._record.tolist()
        return list(zip(values[POINTS::STRIDE], values[POINTS + 1 :: STRIDE], strict=True))

    def _placed(self, where: str, name: str, given: object, x: float, y: float) -> Self:
        """Return this shape with its origin at (x, y), which came from the argument `name`."""
        check_reach(where, name, given, x, y)
        proxy = self._record.copy()
        proxy[X] = x
        proxy[Y] = y
        return object.__new__(type(self))._store(proxy, self._detail)

    def _again(self, points: Sequence[Point2]) -> ConvexShape:
        """Return the shape that the class's own constructor makes of other core points in the world."""
        raise NotImplementedError

    def _text(self, points: Sequence[Point2]) -> str:
        """Return the expression for `_again(points)`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        try:
            if self._again(self.vertices) == self:
                return self._text(self.vertices)
        except ValueError:  # rounded, the vertices may make no shape
            pass
        return f"{self._text(self._points())}.translated({pair(self._origin())})"

    def _key(self) -> tuple[Any, ...]:
        return (self._detail, *self._record.tolist())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))

    def __reduce__(self) -> tuple[Any, ...]:
        return sealed(restored, type(self), self._record, self._detail)


# The slots' own setters: past the frozen face of a shape, and twice as fast as object.__setattr__.
_set_record = ConvexShape.__dict__["_record"].__set__
_set_detail = ConvexShape.__dict__["_detail"].__set__


def turned(
    where: str, origin: Point2, points: Sequence[Point2], local: Point2, angle: float, pivot: PointLike | None
) -> tuple[Point2, list[Point2]]:
    """Return where points relative to an origin go when turned, as an origin and points relative to it.

    `local` is the shape's position relative to its origin: points are turned about it, so that a far origin or pivot
    costs them no digits.
    """
    c, s = cos_sin(inputs.number(where, "angle", angle))
    lx, ly = local
    around = [(c * (x - lx) - s * (y - ly), s * (x - lx) + c * (y - ly)) for x, y in points]
    ox, oy = origin
    x, y = ox + lx, oy + ly
    if pivot is not None:
        px, py = inputs.point(where, "pivot", pivot)
        dx, dy = (ox - px) + lx, (oy - py) + ly
        x, y = px + (c * dx - s * dy), py + (s * dx + c * dy)
    check_reach(where, "pivot", pivot, x, y)
    return (x, y), around


def check_reach(where: str, name: str, given: object, x: float, y: float) -> None:
    """Refuse to move a shape to (x, y), where the argument `name` takes it, if that is too far out."""
    if not (-LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST):
        inputs.refuse(ValueError, where, name, given, BEYOND)


def near(points: list[Point2]) -> tuple[Point2, list[Point2]]:
    """Return an origin and the points relative to it, exactly: the first point, or 0 where that would round."""
    ox = exact_origin([x for x, _ in points])
    oy = exact_origin([y for _, y in points])
    return (ox, oy), [((x - ox) + 0.0, (y - oy) + 0.0) for x, y in points]  # no -0.0: equal values, equal bits


def pair(vector: Point2) -> str:
    """Return a point as a plain tuple in text."""
    return f"({vector[0]!r}, {vector[1]!r})"


def restored(cls: type[ConvexShape], proxy: NDArray[np.float64], detail: Any) -> ConvexShape:
    """Return the shape of a class with this proxy and detail, which some shape of that class had."""
    return object.__new__(cls)._store(proxy, detail)
