"""Concave outlines, outlines with holes, and bodies of several shapes, as one value made of convex parts.

In: the user's outline and holes or parts, checked at the door. Out: a `Compound`, which keeps the cleaned outlines and
the convex parts that `compound_parts` finds. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import fsum
from numbers import Real
from typing import Any, Never, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs, shape_inputs
from carom._core.inputs import PointLike, PointsLike
from carom._core.names import refuse_keywords, told_by_name
from carom._core.sealed import sealed
from carom._core.types import Floats
from carom.shapes import compound_parts
from carom.shapes.base import ConvexShape, Shape, check_reach, pair, turned
from carom.shapes.basic import Point, Segment
from carom.shapes.compound_made import Made
from carom.shapes.compound_parts import RingsTable
from carom.shapes.mass import Mass
from carom.vector import Point2, Vec, cos_sin, quarter_turns


class Compound(Shape):
    """A region of the plane with any outline, with or without holes, and its convex parts: a shape as any other.

    Made by `decompose`, `Compound.from_parts` or `Compound.polyline`. It does not change, can be hashed, and equals
    another if both store the same numbers; `repr` gives an expression for an equal one.

    Examples
    --------
    >>> import carom as cm
    >>> corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    >>> corner.area, len(corner.parts)
    (3.0, 2)
    >>> corner.placed((5, 0)).position
    Vec(5.0, 0.0)
    """

    __slots__ = ("_fields", "_moved_from", "_packed", "_parts", "_table")
    _fields: tuple[Point2, Made] | None
    """The origin and the parts relative to it; None as long as a body of turned shapes was not asked for them."""
    _parts: tuple[ConvexShape, ...] | None  # None as long as nobody asked for them
    _packed: Any  # the arrays that kernels read, made at the first question
    _table: Any  # the same by address
    _moved_from: Any  # those of the Compound that this one was moved from

    def __init__(self, *given: object, **named: object) -> None:
        """Refuse a call by hand; the remedy is in the text."""
        remedy = "make a Compound with decompose(outline, holes) or Compound.from_parts(parts)"
        raise TypeError(f"Compound: {remedy}, not Compound({', '.join(map(inputs.short, given))})")

    @property
    def _record(self) -> Any:
        """Fail sooner than a name that is not there: verbs ask for two records before they look what they have."""
        raise TypeError

    @property
    def parts(self) -> tuple[ConvexShape, ...]:
        """Convex shapes that together are exactly the region.

        Those of `decompose` are Polygons, whose `vertex_ids` are places in `vertices`.
        """
        if self._parts is None:
            _set_parts(self, self._made.parts_at(self._origin))
        return cast("tuple[ConvexShape, ...]", self._parts)

    def _put_together(self) -> tuple[Point2, Made]:
        """Return origin and pieces."""
        found = self._fields
        if found is None:
            origin, made, _ = compound_parts.from_shapes(list(self.parts))
            found = origin, made
            _set_fields(self, found)
        return found

    @property
    def _origin(self) -> Point2:
        return (self._fields or self._put_together())[0]

    @property
    def _made(self) -> Made:
        """The parts, relative to the origin, and their outside."""
        return (self._fields or self._put_together())[1]

    def _records(self) -> Floats:
        """Return the records of the parts, one behind the other."""
        if self._given:
            return np.concatenate([part._record for part in self.parts])
        return self._made.records_at(self._origin)

    @property
    def _local(self) -> tuple[Point2, ...]:
        """The vertices relative to the origin, exact."""
        return self._made.local

    @property
    def _counts(self) -> tuple[int, ...]:
        """How many of the vertices are the outline's, and each hole's."""
        return self._made.counts

    @property
    def _given(self) -> tuple[ConvexShape, ...]:
        """The pieces, where they were given as such."""
        return self._made.given

    @property
    def _pieces(self) -> tuple[ConvexShape, ...]:
        """The parts, relative to the origin."""
        return self._made.pieces

    @property
    def vertices(self) -> tuple[Vec, ...]:
        """All vertices, the outline's and then each hole's, or part by part; each coordinate rounded once."""
        ox, oy = self._origin
        return tuple([Vec(ox + x, oy + y) for x, y in self._local])

    @property
    def outline(self) -> tuple[Vec, ...]:
        """The outline, counter-clockwise."""
        self._need_outline("outline")
        return self.vertices[: self._counts[0]]

    @property
    def holes(self) -> tuple[tuple[Vec, ...], ...]:
        """The outline of each hole, counter-clockwise."""
        self._need_outline("holes")
        vertices = self.vertices
        return tuple([vertices[start:stop] for start, stop in pairwise(accumulate(self._counts))])

    def _need_outline(self, name: str) -> None:
        if self._given:
            raise ValueError(f"Compound.{name}: this Compound was made from parts; see its parts")

    @property
    def area(self) -> float:
        """The area, holes left out; where parts overlap, the area of each counts."""
        return fsum(piece.area for piece in self._pieces)

    @property
    def radius(self) -> float:
        """How far a part reaches beyond its core at most: 0 where all are sharp."""
        return max(part.radius for part in self._given) if self._given else 0.0

    @property
    def position(self) -> Vec:
        """The centroid: the point that a turn is about."""
        (x, y), (ox, oy) = self._made.middle, self._origin
        return Vec(ox + x, oy + y)

    @property
    def centroid(self) -> Vec:
        """The centre of the area."""
        return self.position

    @told_by_name
    def mass(self, density: float = 1.0) -> Mass:
        """Return mass, centre of mass and moment of inertia about it.

        Parameters
        ----------
        density : float, positive
            Mass per area.

        Returns
        -------
        Mass(mass, center, inertia)

        Examples
        --------
        >>> import carom as cm
        >>> frame = cm.decompose([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
        >>> found = frame.mass(density=2.0)
        >>> found.mass, found.center, round(found.inertia, 9)
        (24.0, Vec(2.0, 2.0), 80.0)
        """
        density = inputs.size("Compound.mass", "density", density)
        x, y = self._made.middle
        second = fsum(
            inertia + area * ((cx - x) * (cx - x) + (cy - y) * (cy - y))
            for area, (cx, cy), inertia in self._made.masses()
        )
        return Mass(density * self.area, self.position, density * second)

    @told_by_name
    def translated(self, vector: PointLike, **unknown: Never) -> Self:
        """Return this region moved by `vector`: all parts by the same, to the last bit, so that they still fit.

        Turned boxes and rounded parts are each rounded as when they are moved alone. A box along the axes whose moved
        corners float64 does not hold becomes a Polygon.
        """
        if unknown:
            refuse_keywords("Compound.translated", Compound.translated, unknown)
        dx, dy = inputs.point("Compound.translated", "vector", vector)
        x, y = self._origin
        return self._placed("Compound.translated", "vector", vector, (x + dx, y + dy))

    @classmethod
    @told_by_name
    def from_parts(cls, parts: Iterable[Shape]) -> Self:
        """Return a body made of convex shapes, or a line made of Segments, which acts as one shape in all verbs.

        Parts may lie flush, overlap, or be apart. Edges of sharp parts that lie flush are inside the body, exactly;
        where they miss one another by however little they are not, and a Point can lie between them.

        Parameters
        ----------
        parts : iterable of Circle, Capsule, Box, Polygon or Compound
            With an area, sharp or rounded. The parts of a Compound are taken one by one. Or Segments alone: a line.

        Raises
        ------
        TypeError
            A part that is no shape.
        ValueError
            No part, a Point, or a Segment beside parts with an area.

        Notes
        -----
        Features are numbered by the parts' core points, part after part. Area, centroid and mass are sums over the
        parts; where parts overlap, each counts. A line has no area and no mass; its centroid is that of its length.

        Examples
        --------
        >>> import carom as cm
        >>> hammer = cm.Compound.from_parts([cm.Box((0, 0), (0.2, 2)), cm.Box((0, 1), (1, 0.4))])
        >>> cm.intersects(hammer, cm.Circle((0.4, 0.5), 0.2))
        False
        >>> cm.separation(hammer, cm.Point((0, 0.8)))
        -0.1
        """
        where = "Compound.from_parts"
        try:
            given = list(parts)
        except TypeError:
            inputs.refuse(TypeError, where, "parts", parts, "must be a sequence of shapes")
        shapes: list[ConvexShape] = []
        for k, part in enumerate(given):
            if isinstance(part, Compound):
                shapes += part.parts
                continue
            if not isinstance(part, ConvexShape):
                inputs.refuse_type(where, f"parts[{k}]", part, "must be a shape")
            if isinstance(part, Point):
                inputs.refuse(ValueError, where, f"parts[{k}]", part, "has no area; use a Circle")
            if shapes and isinstance(part, Segment) != isinstance(shapes[0], Segment):
                remedy = "cannot be a part beside others: a line has Segments alone, a body has none; use a Capsule"
                line = part if isinstance(part, Segment) else shapes[0]
                inputs.refuse(ValueError, where, f"parts[{k if line is part else 0}]", line, remedy)
            shapes.append(part)
        if not shapes:
            raise ValueError(f"{where}: parts is empty; a body needs at least one part")
        return cls._of(*compound_parts.from_shapes(shapes))

    @classmethod
    @told_by_name
    def polyline(cls, points: ArrayLike, *, closed: bool = False) -> Self:
        """Return a line from each point to the next as one body: hills, a track, the walls of a room.

        Bodies slide and roll over it without being caught where its pieces meet.

        Parameters
        ----------
        points : (n, 2) array of numbers
            At least two different points; those that are given twice in a row count once.
        closed : bool
            Whether a piece leads from the last point back to the first, if they differ.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault, or if there are not two different points.

        Examples
        --------
        >>> import carom as cm
        >>> hills = cm.Compound.polyline([(0, 0), (4, 1), (8, 0), (12, 2)])
        >>> len(hills.parts), cm.distance(hills, cm.Point((4, 3)))
        (3, 2.0)
        """
        where = "Compound.polyline"
        table, _ = shape_inputs.line(where, "points", points, inputs.truth(where, "closed", closed))
        ends: list[Point2] = [(x, y) for x, y in table.tolist()]
        return cls._of(*compound_parts.from_shapes([Segment(a, b) for a, b in pairwise(ends)]))

    @told_by_name
    def rotated(self, angle: float, pivot: PointLike | None = None, **unknown: Never) -> Self:
        """Return this region turned by `angle` radians about `pivot`, or about its centroid.

        The turned vertices are rounded, each once, so that the parts still fit exactly; where that leaves a part that
        is not convex, the region is divided anew. Parts that were given as such are turned one by one.
        """
        where = "Compound.rotated"
        if unknown:
            refuse_keywords(where, Compound.rotated, unknown)
        turn = inputs.number(where, "angle", angle)
        if self._given:
            about = self.position if pivot is None else inputs.point(where, "pivot", pivot)
            return self._of_parts([part.rotated(turn, about) for part in self.parts])
        (ox, oy), (lx, ly) = self._origin, self._made.middle
        x, y = ox + lx, oy + ly
        if pivot is not None:
            px, py = inputs.point(where, "pivot", pivot)
            dx, dy = (ox - px) + lx, (oy - py) + ly
            c, s = cos_sin(turn)
            x, y = px + (c * dx - s * dy), py + (s * dx + c * dy)
        check_reach(where, "pivot", pivot, x, y)
        return self._turned(where, turn, (x, y))

    @told_by_name
    def placed(self, position: PointLike, angle: float = 0.0, **unknown: Never) -> Self:
        """Return this region with its centroid at `position`, turned about it by `angle` radians.

        Parameters
        ----------
        position : (x, y)
            Where the centroid goes, to rounding.
        angle : float
            Radians beyond the orientation that the region has; by 0 it is only moved.

        Examples
        --------
        >>> import carom as cm
        >>> corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
        >>> there = corner.placed((10, 20), 0.5)
        >>> round(there.position.x, 9), round(there.position.y, 9)
        (10.0, 20.0)
        """
        where = "Compound.placed"
        if unknown:
            refuse_keywords(where, Compound.placed, unknown)
        x, y = inputs.point(where, "position", position)
        turn = inputs.number(where, "angle", angle)
        if quarter_turns(turn) != 0:
            if not self._given:
                return self._turned(where, turn, (x, y))
            return self.rotated(turn).placed((x, y))
        lx, ly = self._made.middle
        return self._placed(where, "position", position, (x - lx, y - ly))

    def _turned(self, where: str, angle: float, center: Point2) -> Self:
        """Return this region turned, with its centroid at a point."""
        found = self._made.turned(angle)
        if found is None:
            _, points = turned(where, (0.0, 0.0), self._local, self._made.middle, angle, None)
            try:
                starts = [0, *accumulate(self._counts)]
                origin, made, _ = compound_parts.from_outlines(where, np.array(points), starts)
            except ValueError:
                raise ValueError(f"{where}: angle = {angle!r}: the outline is too thin to be turned") from None
            found = origin, made
        (x, y), made = found
        x, y = x + center[0], y + center[1]
        check_reach(where, "angle", angle, x, y)
        return self._of((x, y), made, None)

    @classmethod
    def _of(cls, origin: Point2, made: Made, parts: Any, moved_from: Any = None) -> Self:
        made_now = object.__new__(cls)
        _set_fields(made_now, (origin, made))
        _set_parts(made_now, parts)
        _set_packed(made_now, None)
        _set_table(made_now, None)
        _set_moved_from(made_now, moved_from)
        return made_now

    @classmethod
    def _of_parts(cls, parts: Sequence[ConvexShape]) -> Self:
        """Return a body of parts that are known to make one; how they fit is found out when somebody asks."""
        made_now = object.__new__(cls)
        _set_fields(made_now, None)
        _set_parts(made_now, tuple(parts))
        _set_packed(made_now, None)
        _set_table(made_now, None)
        _set_moved_from(made_now, None)
        return made_now

    def _placed(self, where: str, name: str, given: object, origin: Point2) -> Self:
        """Return this region with its origin elsewhere, which came from the argument `name`."""
        check_reach(where, name, given, *origin)
        made = self._made
        return self._of(origin, made, made.parts_at(origin) if made.given else None, self._packed or self._moved_from)

    def _text(self, vertices: Sequence[Point2]) -> str:
        if self._given:
            return f"Compound.from_parts([{', '.join(map(repr, self._given))}])"
        starts = [0, *accumulate(self._counts)]
        outline, *holes = [f"[{', '.join(map(pair, vertices[i:j]))}]" for i, j in pairwise(starts)]
        return f"decompose({outline}, [{', '.join(holes)}])" if holes else f"decompose({outline})"

    def __repr__(self) -> str:
        try:
            if self._given:
                if self._origin == (0.0, 0.0):
                    return self._text(())
            elif decompose(self.outline, self.holes) == self:
                return self._text(self.vertices)
        except ValueError:  # rounded, the vertices may make no region
            pass
        return f"{self._text(self._local)}.translated({pair(self._origin)})"

    def _key(self) -> tuple[Any, ...]:
        return self._origin, self._local, self._counts, self._given

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(("Compound", self._key()))

    def __reduce__(self) -> tuple[Any, ...]:
        return sealed(Compound._of, self._origin, self._made, self._parts if self._given else None)


# The slots' own setters, past the frozen face of a shape.
_set_fields, _set_parts, _set_packed, _set_table, _set_moved_from = (
    Compound.__dict__[name].__set__ for name in ("_fields", "_parts", "_packed", "_table", "_moved_from")
)


@told_by_name
def decompose(outline: PointsLike, holes: Iterable[PointsLike] = (), **unknown: Never) -> Compound:
    """Return the region inside an outline, with or without holes, as convex polygons that fill it exactly.

    No vertex is added and none is moved. Points given twice, points on a straight edge and spikes are left out; `clean`
    reports them. Outlines may touch themselves and one another, at points or along edges; they must not cross.

    Parameters
    ----------
    outline : sequence of (x, y), or array of shape (n, 2)
        In order, in either winding, closed or not, convex or not.
    holes : sequence of outlines
        Inside the outline and outside one another.

    Returns
    -------
    Compound
        With `parts`, a tuple of Polygon.

    Raises
    ------
    ValueError
        An outline that crosses itself or another (the text names both edges), has fewer than three distinct.
        points or no area; a hole outside the outline or inside another; or nothing left.

    Notes
    -----
    The triangles are those of mapbox-earcut where they are proved to fit, and else found by exact steps; they are
    joined into convex parts, at most four times as many as the fewest possible (S. Hertel and K. Mehlhorn, 1983). A
    part thinner than ``8 * 2**-52`` times the largest coordinate is joined to a wider neighbour, if it has one, which
    then covers at most that much more: the corners of a turned T lie a rounding beside one line, and parts between them
    would be needles. Of up to 40 points several triangulations are tried where there may be more than half as many
    again as needed.

    Examples
    --------
    >>> import carom as cm
    >>> arrow = cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)])
    >>> for part in arrow.parts:
    ...     print(part)
    Polygon([(0.0, 0.0), (4.0, -2.0), (3.0, 0.0)])
    Polygon([(0.0, 0.0), (3.0, 0.0), (4.0, 2.0)], vertex_ids=(0, 2, 3))
    """
    if unknown:
        refuse_keywords("decompose", decompose, unknown)
    given = inputs.listed("decompose", "holes", holes, "a sequence of outlines")
    if given and all(_is_point(item) for item in given):
        raise TypeError("decompose: holes must be a list of outlines; give one hole as [hole]")
    return region("decompose", outline, given)


def region(where: str, outline: PointsLike, holes: Sequence[PointsLike]) -> Compound:
    """Return what `decompose` does; errors begin with `where`."""
    return Compound._of(*compound_parts.from_outlines(*rings_table(where, outline, holes)))


def rings_table(where: str, outline: PointsLike, holes: Sequence[PointsLike]) -> RingsTable:
    """Return the points of an outline and its holes as one table."""
    tables = [shape_inputs.points_table(where, "outline", outline)]
    for k, hole in enumerate(holes):
        tables.append(shape_inputs.points_table(where, f"holes[{k}]", hole))
    return RingsTable(where, np.concatenate(tables), list(accumulate(map(len, tables), initial=0)))


def regions(tables: Sequence[RingsTable]) -> list[Compound | ValueError]:
    """Return many regions, those without holes by few calls for all; of one that is refused, the error."""
    found = compound_parts.from_many(tables)
    return [one if isinstance(one, ValueError) else Compound._of(*one) for one in found]


def _is_point(value: Any) -> bool:
    """Tell whether a value is a pair of numbers, where an outline is due."""
    try:
        return len(value) == 2 and all(isinstance(part, Real) for part in value)
    except TypeError:
        return False
