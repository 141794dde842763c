"""The parts of a `Compound`: convex pieces that lie about one origin, and the pieces of their edges on the outside.

In: outlines, or convex shapes as they were given, checked at the door. Out: the fields of a `Compound`. World frame,
user's units; pieces and what is on their outside are relative to the origin, without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import fsum
from typing import NamedTuple, cast

import numpy as np

from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.base import ConvexShape, near, restored
from carom.shapes.basic import Polygon
from carom.shapes.centroids import find_centroids
from carom.shapes.mass import grown_mass
from carom.shapes.outlines.boundary import Ring
from carom.shapes.outlines.clean import counter_clockwise, tidy
from carom.shapes.outlines.convex_parts import convex_parts
from carom.shapes.outlines.exposed import exact, outer_sides
from carom.shapes.outlines.needless import without_needless
from carom.shapes.outlines.outer_edges import Outside, outside_of_cells, outside_of_sides
from carom.shapes.outlines.simple_cells import cells_of
from carom.shapes.proxy import AABB, COUNT, KIND, OBB, POINTS, POLYGON, RADIUS, STRIDE, X, Y
from carom.shapes.proxy_writers import (
    convex_winding,
    difference_is_exact,
    finish_proxy,
    make_proxies,
    make_proxy,
    order_outlines,
    starts_of,
)
from carom.tolerances import LARGEST
from carom.vector import Point2, cos_sin

TURNS = 2**20
"""How often vertices that are `ROOM` from every edge can be rounded anew."""

ROOM = 1e-8
"""Of the extent: far more than so many roundings make."""

MOST_COMPARED = 2048
"""Vertices of a region that are compared with all edges; of more, the time would be that of dividing it anew."""

AS_IT_IS, AS_POLYGON, ALONE = range(3)  # how a part is made at another place; ALONE: as any shape is moved


class Cut(NamedTuple):
    """The convex cells of a decomposition, whose corners name the vertices by number."""

    local: Floats
    """(n, 2) the vertices, relative to the origin."""
    same: Integers
    """(n,) the first vertex that lies where each does."""
    numbers: Integers
    """(c,) the vertex at each corner of each cell."""
    first: Integers
    """(cells + 1,) where each cell's corners begin."""
    kept: Booleans
    """(c,) whether the corner is one of the part: straight ones, where other cells meet at an edge, are not."""
    whole: bool = True
    """Whether all corners are kept."""


class Made:
    """The pieces of a Compound, relative to its origin, and what of them is on the outside; shared by moved copies.

    Of a decomposition there is the cut alone, from which kernels go on: records, values, which take longer than all
    that was worked out before, and the outside are made when asked for.
    """

    __slots__ = (
        "_local",
        "_middle",
        "_outside",
        "_pieces",
        "_records",
        "_turns_left",
        "counts",
        "cut",
        "exact",
        "given",
        "starts",
    )

    def __init__(
        self,
        records: Floats | None,
        starts: Integers,
        cut: Cut | None,
        counts: tuple[int, ...] = (),
        pieces: tuple[ConvexShape, ...] | None = None,
        outside: tuple[Outside, dict[int, Point2]] | None = None,
    ) -> None:
        self._records = records
        self.starts = starts
        self.cut = cut
        self.counts = counts
        """How many of the vertices are the outline's, and each hole's; () of a body made of shapes."""
        self.given: tuple[ConvexShape, ...] = cast("tuple[ConvexShape, ...]", pieces) if cut is None else ()
        """The pieces, where they were given as such."""
        self._pieces = pieces
        self._local: tuple[Point2, ...] | None = None
        self._middle: Point2 | None = None
        self._turns_left = 0  # how often the vertices can surely be rounded anew, and no outline comes to cross
        self._outside: Outside | None
        self.exact: dict[int, Point2]
        self._outside, self.exact = outside or (None, {})

    @property
    def local(self) -> tuple[Point2, ...]:
        """The vertices relative to the origin, exact."""
        if self._local is None:
            if self.cut:
                xs, ys = self.cut.local.T.tolist()
                self._local = tuple(zip(xs, ys, strict=True))
            else:
                of_pieces = [(piece._origin(), piece._points()) for piece in self.given]
                self._local = tuple([(x + ox, y + oy) for (ox, oy), points in of_pieces for x, y in points])
        return self._local

    @property
    def records(self) -> Floats:
        """The records of the parts, relative to the origin, one behind the other."""
        if self._records is None:
            cut = cast(Cut, self.cut)
            count = cut.first.size - 1
            corners = cut.local[cut.numbers]
            self._records, _ = make_proxies(np.full(count, float(POLYGON)), corners, cut.first, np.zeros(count))
        return self._records

    @property
    def middle(self) -> Point2:
        """The centroid, relative to the origin."""
        if self._middle is None:
            areas = np.empty((self.starts.size, 3))
            if self.cut and find_centroids(self.records, self.starts, areas):
                masses = [(area, (x, y)) for area, x, y in areas.tolist()]
            else:
                masses = [(area, center) for area, center, _ in self.masses()]
            total = fsum(area for area, _ in masses)
            self._middle = (
                fsum(area / total * x for area, (x, _) in masses),
                fsum(area / total * y for area, (_, y) in masses),
            )
        return self._middle

    def masses(self) -> Iterator[tuple[float, Point2, float]]:
        """Yield area, centroid and second moment of each piece."""
        for piece in self.pieces:
            area, (x, y), inertia = grown_mass(piece._points(), piece.radius)
            ox, oy = piece._origin()
            yield area, (ox + x, oy + y), inertia

    @property
    def pieces(self) -> tuple[ConvexShape, ...]:
        """The parts, relative to the origin."""
        if self._pieces is None:
            self._pieces = self._polygons(self.records)
        return self._pieces

    @property
    def outside(self) -> Outside:
        """What of the parts is on the outside; `exact` has the places of it that no float64 holds."""
        if self._outside is None:
            cut = cast(Cut, self.cut)
            self._outside = outside_of_cells(cut.local, cut.same, cut.numbers, cut.first, cut.kept)
        return self._outside

    def turned(self, angle: float) -> tuple[Point2, Made] | None:
        """Return the pieces of a decomposition turned about the centroid, and their origin relative to it.

        None where a turned cell may not be strictly convex: then the region is to be divided anew.
        """
        cut = self.cut
        if cut is None or not cut.whole or not self._has_room(cut):
            return None
        local, origin = np.empty_like(cut.local), np.empty(2)
        c, s = cos_sin(angle)
        if not turn_cells(cut.local, cut.numbers, cut.first, *self.middle, c, s, local, origin):
            return None
        made = Made(None, self.starts, cut._replace(local=local), self.counts)
        made._turns_left = self._turns_left - 1
        return (origin.item(0), origin.item(1)), made

    def _has_room(self, cut: Cut) -> bool:
        """Tell whether no vertex is so near to an edge that rounding could put it on the other side."""
        if self._turns_left < 1 and len(cut.local) <= MOST_COMPARED:
            firsts = np.array([0, *accumulate(self.counts)])
            if is_roomy(cut.local, cut.same, firsts):
                self._turns_left = TURNS
        return self._turns_left > 0

    def records_at(self, origin: Point2) -> Floats:
        """Return the records of the parts of a decomposition at their places in the world, without rounding."""
        placed, how = np.empty(self.records.size), np.empty(self.starts.size, dtype=np.int64)
        place_sharp(self.records, self.starts, *origin, placed, how)
        return placed

    def parts_at(self, origin: Point2) -> tuple[ConvexShape, ...]:
        """Return the parts at their places in the world."""
        return self._polygons(self.records_at(origin)) if self.cut else pieces_at(self.pieces, origin)

    def _polygons(self, records: Floats) -> tuple[Polygon, ...]:
        """Return the parts of a decomposition from their records, wherever they lie."""
        cut = cast(Cut, self.cut)
        ids = cut.numbers[cut.kept].tolist()
        ends = accumulate(records[self.starts + COUNT].astype(np.int64).tolist(), initial=0)
        spans = zip(pairwise([*self.starts.tolist(), records.size]), pairwise(ends), strict=True)
        found = [restored(Polygon, records[i:j], tuple(ids[first:last])) for (i, j), (first, last) in spans]
        return cast(tuple[Polygon, ...], tuple(found))


Fields = tuple[Point2, Made, "tuple[ConvexShape, ...] | None"]
"""The fields of a Compound: origin, the pieces, the parts (None where they are yet to be made)."""


def from_outlines(where: str, given: Floats, starts: Sequence[int]) -> Fields:
    """Return the fields of the region inside the first outline and outside the others; `starts` are where each begins.

    The last of the starts is where the points end.
    """
    if len(starts) == 2 and (simple := _from_simple(where, given)) is not None:
        return simple
    points: list[Point2] = [(x, y) for x, y in given.tolist()]
    rings: list[Ring] = []
    for k, (start, stop) in enumerate(pairwise(starts)):
        ring = Ring(f"holes[{k - 1}]" if k else "outline", list(range(start, stop)), start)
        kept, *_ = tidy(where, points, ring)
        rings.append(ring._replace(rows=counter_clockwise(points, kept)[0]))
    clockwise = [ring._replace(rows=ring.rows[::-1]) for ring in rings[1:]]
    cells = convex_parts(where, points, [rings[0], *clockwise])
    kept_rows = [row for ring in rings for row in ring.rows]
    numbers = {row: number for number, row in enumerate(kept_rows)}
    places: dict[Point2, int] = {}
    same = np.array([places.setdefault(points[row], number) for row, number in numbers.items()], dtype=np.int64)
    corners = np.array([numbers[row] for cell in cells for row in cell], dtype=np.int64)
    begins = np.array([0, *accumulate(map(len, cells))], dtype=np.int64)
    table = np.array([points[row] for row in kept_rows])
    return _of_cells(where, table, [len(ring.rows) for ring in rings], same, corners, begins)


def _from_simple(where: str, given: Floats) -> Fields | None:
    """Return the fields of the region inside one outline that floats prove to be in order, else None."""
    count = len(given)
    if count > 0 and given[0, 0] == given[-1, 0] and given[0, 1] == given[-1, 1]:
        count -= 1
    if count < 3:
        return None
    table, first = without_needless(given[:count].copy(), np.array([0, count]))
    found, simple = cells_of(table, first, straight=True)
    if not simple[0]:
        return None
    return _of_cells(where, table, [len(table)], np.arange(len(table)), found.corners, found.first)


def _of_cells(
    where: str, points: Floats, counts: list[int], same: Integers, numbers: Integers, first: Integers
) -> Fields:
    """Return the fields of a region of convex cells, whose corners name the points of outline and holes by number."""
    origin = first_exact(points, 0), first_exact(points, 1)
    table = (points - origin) + 0.0  # no -0.0: equal values, equal bits
    corners = table[numbers]
    count = first.size - 1
    clean, turned = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    order_outlines(corners, first, clean, turned)
    records, starts = make_proxies(np.full(count, float(POLYGON)), corners, first, np.zeros(count))
    sure = clean & ~turned
    if np.abs(table).max() > LARGEST:
        sure &= np.maximum.reduceat(np.abs(corners).max(axis=1), first[:-1]) <= LARGEST
    cut = Cut(table, same, numbers, first, np.ones(numbers.size, dtype=np.bool_))
    made = Made(records, starts, cut, tuple(counts))
    if not sure.all():
        try:
            made = _with_care(made, cut, sure.tolist())
        except ValueError as error:
            raise ValueError(f"{where}: a convex part of the outline is too small: {error}") from None
    return origin, made, None


def _with_care(made: Made, cut: Cut, sure: list[bool]) -> Made:
    """Return a decomposition whose cells that may not be strictly convex are polygons made one by one."""
    kept, pieces = cut.kept.copy(), list(made.pieces)
    for k, (i, j) in enumerate(pairwise(cut.first.tolist())):
        if not sure[k]:
            cell = cut.numbers[i:j].tolist()
            polygon = Polygon(cut.local[cell].tolist(), vertex_ids=cell)
            pieces[k], kept[i:j] = polygon, np.isin(cell, polygon.vertex_ids)
    return Made(*_joined(pieces), cut._replace(kept=kept, whole=bool(kept.all())), made.counts, tuple(pieces))


def _joined(pieces: Sequence[ConvexShape]) -> tuple[Floats, Integers]:
    """Return the records of shapes, one behind the other, and where each starts."""
    records = [piece._record for piece in pieces]
    return np.concatenate(records), starts_of(np.array([record.size for record in records], dtype=np.int64))


@kernel
def first_exact(points: Floats, axis: int) -> float:
    """Return the coordinate to subtract from those of all points, as `exact_origin` chooses it."""
    first = points[0, axis]
    for k in range(points.shape[0]):
        if not difference_is_exact(points[k, axis], first):
            return 0.0
    return float(first)


@kernel
def is_roomy(table: Floats, same: Integers, firsts: Integers) -> bool:
    """Tell whether no vertex is nearer than `ROOM` to an edge of an outline that it does not end."""
    extent = 0.0
    for k in range(table.shape[0]):
        extent = max(extent, abs(table[k, 0] - table[0, 0]), abs(table[k, 1] - table[0, 1]))
    least = ROOM * extent
    for row in range(firsts.shape[0] - 1):
        for i in range(firsts[row], firsts[row + 1]):
            j = i + 1 if i + 1 < firsts[row + 1] else firsts[row]
            x, y = table[i, 0], table[i, 1]
            ex, ey = table[j, 0] - x, table[j, 1] - y
            square = ex * ex + ey * ey
            for k in range(table.shape[0]):
                if same[k] == same[i] or same[k] == same[j]:
                    continue
                u, v = table[k, 0] - x, table[k, 1] - y
                along = u * ex + v * ey
                if along <= 0.0:
                    gap = math.sqrt(u * u + v * v)
                elif along >= square:
                    gap = math.sqrt((u - ex) * (u - ex) + (v - ey) * (v - ey))
                else:
                    gap = abs(ex * v - ey * u) / math.sqrt(square)
                if not gap > least:
                    return False
    return True


@kernel
def turn_cells(
    table: Floats,
    numbers: Integers,
    first: Integers,
    x: float,
    y: float,
    c: float,
    s: float,
    out_local: Floats,
    out_origin: Floats,
) -> bool:
    """Turn the vertices of cells about (x, y), and write their origin from there and their places from the origin.

    Tell whether every cell is surely strictly convex, counter-clockwise and within reach.
    """
    for k in range(table.shape[0]):
        u, v = table[k, 0] - x, table[k, 1] - y
        out_local[k, 0], out_local[k, 1] = c * u - s * v, s * u + c * v
    for axis in range(2):
        origin = first_exact(out_local, axis)
        out_origin[axis] = origin
        for k in range(table.shape[0]):
            value = (out_local[k, axis] - origin) + 0.0  # no -0.0: equal values, equal bits
            if not abs(value) <= LARGEST:
                return False
            out_local[k, axis] = value
    corners = np.empty((numbers.shape[0], 2))
    for k in range(numbers.shape[0]):
        corners[k, 0], corners[k, 1] = out_local[numbers[k], 0], out_local[numbers[k], 1]
    for row in range(first.shape[0] - 1):
        if convex_winding(corners, first[row], first[row + 1] - first[row]) <= 0:
            return False
    return True


def from_shapes(shapes: list[ConvexShape]) -> Fields:
    """Return the fields of a body made of convex shapes that have an area."""
    corners = [[_summed(shape._origin(), point) for point in shape._points()] for shape in shapes]
    sharp = [shape.radius == 0.0 for shape in shapes]
    origin, pieces = (0.0, 0.0), list(shapes)
    if any(sharp):
        # Everything takes one origin, exactly, so that flush parts stay flush when they are moved, and so that shapes
        # made far from zero have small numbers near it.
        loose = [_keeps_origin(shape, part) for shape, part in zip(shapes, corners, strict=True)]
        places: list[Point2] = []
        for shape, part, alone in zip(shapes, corners, loose, strict=True):
            places += [shape._origin()] if alone else part
        origin, _ = near(places)
        back = -origin[0], -origin[1]
        corners = [[_summed(back, point) for point in part] for part in corners]
        for k, (shape, part) in enumerate(zip(shapes, corners, strict=True)):
            if loose[k]:
                x, y = shape._origin()
                pieces[k] = shape._placed("Compound.from_parts", "parts", shape, x - origin[0], y - origin[1])
            else:
                proxy = make_proxy(float(shape._record[KIND]), (0.0, 0.0), part, 0.0)
                pieces[k] = restored(type(shape), proxy, shape._detail)
    numbers = [0, *accumulate(len(part) for part in corners)]
    sides = outer_sides(corners, sharp, numbers)
    given = tuple(pieces)
    made = Made(*_joined(given), None, (), given, outside_of_sides(sides, corners, sharp))
    return origin, made, tuple(shapes)


def _keeps_origin(shape: ConvexShape, corners: Sequence[Point2]) -> bool:
    """Tell whether a part has to have an origin of its own: its kind has, or float64 does not hold its corners."""
    turned_or_rounded = shape._record[KIND] == OBB or shape.radius > 0.0
    return turned_or_rounded or not all(type(x) is float for point in corners for x in point)


def _summed(origin: Point2, point: Point2) -> Point2:
    """Return a point's place in the world; as fractions where no float64 holds it."""
    return cast(Point2, tuple([exact(Fraction(u) + Fraction(v)) for u, v in zip(origin, point, strict=True)]))


def pieces_at(pieces: Sequence[ConvexShape], origin: Point2) -> tuple[ConvexShape, ...]:
    """Return parts that are given relative to an origin at their places in the world, sharp ones without rounding.

    A part has an origin of its own, as any polygon, where that can be exact; else it takes the common one.
    """
    given, starts = _joined(pieces)
    placed, how = np.empty(given.size), np.empty(len(pieces), dtype=np.int64)
    place_sharp(given, starts, *origin, placed, how)
    found = []
    spans = zip(pieces, how.tolist(), pairwise([*starts.tolist(), placed.size]), strict=True)
    for piece, way, (i, j) in spans:
        if way == ALONE:
            found.append(piece.translated(origin))
        elif way == AS_POLYGON:
            found.append(restored(Polygon, placed[i:j], (0, 1, 2, 3)))
        else:
            found.append(restored(type(piece), placed[i:j], piece._detail))
    return tuple(found)


@kernel
def place_sharp(given: Floats, starts: Integers, x: float, y: float, placed: Floats, how: Integers) -> None:
    """Write the records of sharp parts moved without rounding, and of each part how it is made of its own."""
    for row in range(starts.shape[0]):
        at = starts[row]
        kind, count = given[at + KIND], int(given[at + COUNT])
        how[row] = AS_IT_IS
        if given[at + RADIUS] != 0.0 or not (kind == AABB or kind == POLYGON):
            how[row] = ALONE
            continue
        for axis in range(2):
            own, common, first = given[at + X + axis], x if axis == 0 else y, at + POINTS + axis
            shifts = not adds_up(own, common)
            for k in range(count):
                shifts = shifts and adds_up(own, given[first + STRIDE * k])
            place = common if shifts else own + common
            placed[at + X + axis] = place
            for k in range(count):
                value = given[first + STRIDE * k]
                value = own + value if shifts else value
                placed[first + STRIDE * k] = value
                if kind == AABB and not adds_up(place, value):
                    how[row] = AS_POLYGON  # the corners of a Box are floats
        kind = float(POLYGON) if how[row] == AS_POLYGON else kind
        finish_proxy(kind, count, 0.0, placed[at + X], placed[at + Y], placed, at)


@inner
def adds_up(a: float, b: float) -> bool:
    """Tell whether the sum of two floats is exact."""
    _, error = two_sum(a, b)
    return error == 0.0
