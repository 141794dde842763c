"""Concave outlines and outlines with holes, as one value made of convex polygons.

In: the user's outline and holes, checked at the door. Out: a `Compound`, which keeps the cleaned outlines and their
convex parts. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import fsum

from carom import _arrays
from carom._arrays import PointLike, PointsLike
from carom._records import POLYGON, Point2, make_record
from carom._shape import BEYOND, near, pair, turned
from carom.convex_parts import convex_parts
from carom.mass import Mass, grown_mass
from carom.noding import Ring
from carom.outlines import counter_clockwise, tidy
from carom.shapes import Polygon
from carom.tolerances import LARGEST
from carom.vector import Vec


@dataclass(frozen=True, slots=True, repr=False)
class Compound:
    """A region of the plane with any outline, with or without holes, and its convex parts.

    Made by `decompose`. It does not change, can be hashed, and is equal to another if both store the same numbers;
    `repr` gives an expression for an equal one.

    Examples
    --------
    >>> import carom as cm
    >>> corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    >>> corner.area, len(corner.parts)
    (3.0, 2)
    >>> corner.translated((5, 0)).outline[0]
    Vec(5.0, 0.0)
    """

    _origin: Point2
    _local: tuple[Point2, ...]  # the vertices relative to the origin, exact
    _counts: tuple[int, ...]  # how many of them are the outline's, and each hole's
    _pieces: tuple[Polygon, ...] = field(compare=False)  # the parts, relative to the origin
    parts: tuple[Polygon, ...] = field(compare=False)
    """Convex polygons that together are exactly the region; their `vertex_ids` are places in `vertices`."""

    @property
    def vertices(self) -> tuple[Vec, ...]:
        """All vertices, the outline's and then each hole's, each coordinate rounded once."""
        ox, oy = self._origin
        return tuple([Vec(ox + x, oy + y) for x, y in self._local])

    @property
    def outline(self) -> tuple[Vec, ...]:
        """The outline, counter-clockwise."""
        return self.vertices[: self._counts[0]]

    @property
    def holes(self) -> tuple[tuple[Vec, ...], ...]:
        """The outline of each hole, counter-clockwise."""
        vertices = self.vertices
        return tuple([vertices[start:stop] for start, stop in pairwise(accumulate(self._counts))])

    @property
    def area(self) -> float:
        """The area, holes left out."""
        return fsum(piece.area for piece in self._pieces)

    @property
    def position(self) -> Vec:
        """The centroid: the point that a turn is about."""
        (x, y), (ox, oy) = self._middle(), self._origin
        return Vec(ox + x, oy + y)

    @property
    def centroid(self) -> Vec:
        """The centre of the area."""
        return self.position

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
        density = _arrays.size("Compound.mass", "density", density)
        x, y = self._middle()
        second = fsum(
            inertia + area * ((cx - x) * (cx - x) + (cy - y) * (cy - y))
            for area, (cx, cy), inertia in self._piece_masses()
        )
        return Mass(density * self.area, self.position, density * second)

    def translated(self, vector: PointLike) -> Compound:
        """Return this region moved by `vector`: all parts by the same, to the last bit, so that they still fit."""
        dx, dy = _arrays.point("Compound.translated", "vector", vector)
        x, y = self._origin
        return self._placed("Compound.translated", "vector", vector, (x + dx, y + dy))

    def rotated(self, angle: float, pivot: PointLike | None = None) -> Compound:
        """Return this region turned by `angle` radians about `pivot`, or about its centroid.

        The turned vertices are rounded, and the region is divided anew, so that the parts fit exactly.
        """
        where = "Compound.rotated"
        center, points = turned(where, self._origin, self._local, self._middle(), angle, pivot)
        starts = [0, *accumulate(self._counts)]
        try:
            again = _compound(where, points, [range(start, stop) for start, stop in pairwise(starts)])
        except ValueError:
            raise ValueError(f"{where}: angle = {angle!r}: the outline is too thin to be turned") from None
        x, y = again._origin
        return again._placed(where, "pivot", pivot, (x + center[0], y + center[1]))

    def _middle(self) -> Point2:
        """Return the centroid relative to the origin."""
        masses = list(self._piece_masses())
        total = fsum(area for area, _, _ in masses)
        return fsum(area / total * x for area, (x, _), _ in masses), fsum(
            area / total * y for area, (_, y), _ in masses
        )

    def _piece_masses(self) -> Iterable[tuple[float, Point2, float]]:
        return (grown_mass([self._local[i] for i in piece.vertex_ids], 0.0) for piece in self._pieces)

    def _placed(self, where: str, name: str, given: object, origin: Point2) -> Compound:
        """Return this region with its origin elsewhere, which came from the argument `name`."""
        if not max(map(abs, origin)) <= LARGEST:
            _arrays.refuse(ValueError, where, name, given, BEYOND)
        parts = tuple([_at(piece, self._local, origin) for piece in self._pieces])
        return Compound(origin, self._local, self._counts, self._pieces, parts)

    def _text(self, vertices: Sequence[Point2]) -> str:
        starts = [0, *accumulate(self._counts)]
        outline, *holes = [f"[{', '.join(map(pair, vertices[i:j]))}]" for i, j in pairwise(starts)]
        return f"decompose({outline}, [{', '.join(holes)}])" if holes else f"decompose({outline})"

    def __repr__(self) -> str:
        try:
            if decompose(self.outline, self.holes) == self:
                return self._text(self.vertices)
        except ValueError:  # rounded, the vertices may make no region
            pass
        return f"{self._text(self._local)}.translated({pair(self._origin)})"


def decompose(outline: PointsLike, holes: Iterable[PointsLike] = ()) -> Compound:
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
    ValueError : an outline that crosses itself or another (the text names both edges), has fewer than three distinct
        points or no area; a hole outside the outline or inside another; or nothing left.

    Notes
    -----
    The triangles are those of mapbox-earcut where they are proved to fit, and else found by exact steps; they are
    joined into convex parts, at most four times as many as the fewest possible (S. Hertel and K. Mehlhorn, 1983).

    Examples
    --------
    >>> import carom as cm
    >>> arrow = cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)])
    >>> for part in arrow.parts:
    ...     print(part)
    Polygon([(0.0, 0.0), (4.0, -2.0), (3.0, 0.0)])
    Polygon([(0.0, 0.0), (3.0, 0.0), (4.0, 2.0)], vertex_ids=(0, 2, 3))
    """
    points = _arrays.points("decompose", "outline", outline)
    counts = [len(points)]
    given = _arrays.listed("decompose", "holes", holes, "a sequence of outlines")
    for k, hole in enumerate(given):
        points += _arrays.points("decompose", f"holes[{k}]", hole)
        counts.append(len(points))
    return _compound("decompose", points, [range(start, stop) for start, stop in pairwise([0, *counts])])


def _compound(where: str, points: list[Point2], outlines: Sequence[range]) -> Compound:
    """Return the region inside the first of `outlines`, rows of `points`, and outside the others."""
    rings: list[Ring] = []
    for k, rows in enumerate(outlines):
        ring = Ring(f"holes[{k - 1}]" if k else "outline", list(rows), rows.start)
        kept, *_ = tidy(where, points, ring)
        rings.append(ring._replace(rows=counter_clockwise(points, kept)[0]))
    clockwise = [ring._replace(rows=ring.rows[::-1]) for ring in rings[1:]]
    cells = convex_parts(where, points, [rings[0], *clockwise])
    kept_rows = [row for ring in rings for row in ring.rows]
    origin, local = near([points[row] for row in kept_rows])
    numbers = {row: number for number, row in enumerate(kept_rows)}
    pieces = []
    try:
        for cell in cells:
            ids = [numbers[row] for row in cell]
            pieces.append(Polygon([local[i] for i in ids], vertex_ids=ids))
    except ValueError as error:
        raise ValueError(f"{where}: a convex part of the outline is too small: {error}") from None
    counts = tuple(len(ring.rows) for ring in rings)
    parts = tuple([_at(piece, local, origin) for piece in pieces])
    return Compound(origin, tuple(local), counts, tuple(pieces), parts)


def _at(piece: Polygon, local: Sequence[Point2], origin: Point2) -> Polygon:
    """Return a part that is given relative to an origin at its place in the world, without rounding.

    A part has an origin of its own, as any polygon, where that can be exact; else it takes the common one.
    """
    (x, y), (ox, oy) = piece._origin(), origin
    if _adds_up(x, ox) and _adds_up(y, oy):
        return piece.translated(origin)
    record = make_record(POLYGON, origin, [local[i] for i in piece.vertex_ids], 0.0)
    return object.__new__(Polygon)._store(record, piece.vertex_ids)


def _adds_up(a: float, b: float) -> bool:
    """Tell whether the sum of two floats is exact."""
    total = a + b
    back = total - a
    return (a - (total - back)) + (b - back) == 0.0
