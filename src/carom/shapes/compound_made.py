"""The pieces of a `Compound`, about its origin: made when asked for, shared by moved copies, and turned.

In: the convex cells of a decomposition, by the numbers of their vertices, or convex shapes about one origin. Out: the
records and values of the pieces, there or at their places in the world, their centroid, what of them is on the outside,
and the same turned. User's units; pieces are relative to the origin, without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import fsum
from typing import Any, NamedTuple, cast

import numpy as np

from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.quick import new
from carom._core.sealed import begun, name_tuples
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.base import ConvexShape, restored
from carom.shapes.basic import Polygon, Segment
from carom.shapes.centroids import find_centroids
from carom.shapes.mass import grown_mass
from carom.shapes.outlines.outer_edges import Outside, outside_of_cells
from carom.shapes.proxy import AABB, COUNT, KIND, POINTS, POLYGON, RADIUS, STRIDE, X, Y
from carom.shapes.proxy_writers import convex_winding, difference_is_exact, finish_proxy, make_proxies, starts_of
from carom.tolerances import LARGEST
from carom.vector import Point2, cos_sin

TURNS = 2**20
"""How often vertices that are `ROOM` from every edge can be rounded anew."""

ROOM = 1e-8
"""Of the extent: far more than so many roundings make."""

MOST_COMPARED = 2048
"""Vertices of a region that are compared with all edges; of more, the time would be that of dividing it anew."""

AS_IT_IS, AS_POLYGON, ALONE = range(3)  # how a part is made at another place; ALONE: as any shape is moved


@name_tuples
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

    def __reduce__(self) -> tuple[Any, ...]:
        return begun, ("Made",), self.__getstate__()

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Return what was given, and the records; what is worked out from these when asked for is worked out anew."""
        state = {name: getattr(self, name) for name in self.__slots__} | {"_local": None, "_middle": None}
        if self.cut is not None:
            state["_outside"] = None
            state["_pieces"] = None if self.cut.whole else self._pieces
        return None, state

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
        """The centroid, relative to the origin: of the area, or where there is none of the length."""
        if self._middle is None:
            areas = np.empty((self.starts.size, 3))
            if self.cut and find_centroids(self.records, self.starts, areas):
                masses = [(area, (x, y)) for area, x, y in areas.tolist()]
            else:
                masses = [(area, center) for area, center, _ in self.masses()]
            if self.given and isinstance(self.given[0], Segment):
                masses = [
                    (math.dist(*piece._points()), center) for piece, (_, center) in zip(self.given, masses, strict=True)
                ]
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
        """The features of the parts on the outside; `exact` has the places of it that no float64 holds."""
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
        local, origin = np.empty(cut.local.shape), np.empty(2)
        c, s = cos_sin(angle)
        if not turn_cells(cut.local, cut.numbers, cut.first, *self.middle, c, s, local, origin):
            return None
        turned = Made(None, self.starts, new(Cut, (local, *cut[1:])), self.counts)
        turned._turns_left = self._turns_left - 1
        return (origin.item(0), origin.item(1)), turned

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


def joined(pieces: Sequence[ConvexShape]) -> tuple[Floats, Integers]:
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


def pieces_at(pieces: Sequence[ConvexShape], origin: Point2) -> tuple[ConvexShape, ...]:
    """Return parts that are given relative to an origin at their places in the world, sharp ones without rounding.

    A part has an origin of its own, as any polygon, where that can be exact; else it takes the common one.
    """
    given, starts = joined(pieces)
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
