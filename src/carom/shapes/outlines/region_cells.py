"""Regions with holes, or with outlines that touch themselves, into convex parts by kernels.

In: the rings of a region as they are given. Out: its convex parts, or the fault of its rings. Rings that
kernels cannot decide go the way of `boundary` and `triangulate`. Any frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from carom._core.types import Floats, Integers
from carom.shapes.outlines import arrange, triangulate
from carom.shapes.outlines.boundary import surrounds
from carom.shapes.outlines.clean_convex import winding_sign
from carom.shapes.outlines.cuts import cut_into_pieces
from carom.shapes.outlines.mend import mend_triangles
from carom.shapes.outlines.needless import without_needless
from carom.shapes.outlines.simple_cells import Cells, cells_of
from carom.shapes.outlines.simple_rings import join_triangles
from carom.shapes.outlines.trace import trace_rings
from carom.vector import Point2

MANY = 2**24
"""Holes times corners, from which on the library takes longer for a region than for its pieces."""


class Rings(NamedTuple):
    """The outline of a region and its holes, each counter-clockwise, its first point first."""

    points: Floats
    """(n, 2), the outline first."""
    first: Integers
    """(rings + 1,) where each ring begins."""
    rows: Integers
    """(n,) the number that the user knows each point by, in all rings as they were given."""
    offsets: Sequence[int]
    """(rings,) the number of the first point of each ring as it was given."""
    sure: bool
    """Whether every ring has an area."""


class Boundary(NamedTuple):
    """The corners of the boundary of a region, region on the left, ring after ring."""

    corners: Integers
    """(c,) the point at each corner, the one with the least row of those that lie there."""
    first: Integers
    """(rings + 1,) where each ring begins."""
    face: Integers
    """(rings,) the connected piece of the region that each ring is of: first the ring around it, then its holes."""
    rank: Integers
    """(c,) the order of corners by x, then y."""
    cuts: Integers
    """(k, 2) pairs of corners that see each other, which together cut all holes open; none where rings touch."""


class Divided(NamedTuple):
    """A region in convex parts, which fit along whole edges, with corners of 180 degrees where others meet there."""

    points: Floats
    """(n, 2) the points of all rings, each counter-clockwise, without needless ones."""
    first: Integers
    """(rings + 1,) where each ring begins."""
    cells: Cells
    """The parts, whose corners name the points."""
    same: Integers
    """(n,) the first point that lies where each does."""


def divide(where: str, given: Floats, starts: Integers) -> Divided | None:
    """Return the parts of the region inside the first ring and outside the others; None where kernels cannot decide.

    Raises
    ------
    ValueError
        Edges cross or run along one another, or a hole is not inside the outline.
    """
    if (np.diff(starts) < 3).any():
        return None
    needed = without_needless(given, starts)
    if not needed.tidy.all():
        return None
    if starts.size == 2:
        points = needed.points.copy()
        cells, simple = cells_of(points, needed.first)
        if simple[0]:
            return Divided(points, needed.first, cells, np.arange(len(points)))
    rings = rings_of(needed.points.copy(), needed.first, needed.rows, starts.tolist())
    return divide_rings(where, rings)


def rings_of(points: Floats, first: Integers, rows: Integers, offsets: Sequence[int]) -> Rings:
    """Return rings counter-clockwise; `points` are turned in place."""
    winding = np.zeros(first.size - 1, dtype=np.int64)
    arrange.windings(points, first, winding)
    rows, sure = rows.copy(), True
    for ring, (begin, end) in enumerate(pairwise(first.tolist())):
        sign = int(winding[ring])
        if sign == 0:
            sign = winding_sign([(x, y) for x, y in points[begin:end].tolist()], list(range(end - begin)))
        if sign < 0:
            for column in (points, rows):
                column[begin + 1 : end] = column[begin + 1 : end][::-1]
        sure = sure and sign != 0
    return Rings(points, first, rows, offsets, sure)


def boundary_of(where: str, given: Floats, starts: Integers) -> tuple[Floats, Integers, Integers] | None:
    """Return the boundary of a region whose rings may touch, or None where kernels cannot decide.

    Its points, where each ring begins, and the connected piece of the region that each is of, the ring around it first.

    Raises
    ------
    ValueError
        As `divide`.
    """
    if (np.diff(starts) < 3).any():
        return None
    needed = without_needless(given, starts)
    if not needed.tidy.all():
        return None
    rings = rings_of(needed.points.copy(), needed.first, needed.rows, starts.tolist())
    found = _boundary(where, rings)
    return None if found is None else (rings.points[found[0].corners], found[0].first, found[0].face)


def divide_rings(where: str, rings: Rings) -> Divided | None:
    """Return the parts of a region whose rings may touch; None where kernels cannot decide."""
    found = _boundary(where, rings)
    if found is None or triangulate.triangulate_float64 is None:
        return None
    border, same = found
    points = rings.points[border.corners]
    count = border.corners.size
    after = np.arange(1, count + 1)
    after[border.first[1:] - 1] = border.first[:-1]
    many = border.cuts.size and (border.face.size - 1) * count > MANY
    triangles = _of_pieces(points, border, after) if many else _triangles(points, border)
    cells = _joined(rings, border, after, triangles)
    if cells is None:
        room = np.concatenate((triangles, np.zeros((len(triangles) + count, 3), dtype=np.int64)))
        triangles = room[: mend_triangles(points, after, room, len(triangles))]
        cells = _joined(rings, border, after, triangles)
    return None if cells is None else Divided(rings.points, rings.first, cells, same)


def _joined(rings: Rings, border: Boundary, after: Integers, triangles: Integers) -> Cells | None:
    """Return the convex parts that triangles of corners join to, None where they do not fill the region."""
    most, count = 3 * len(triangles), border.corners.size
    corners, first, region = (np.empty(most + 1, dtype=np.int64) for _ in range(3))
    kept, sure = np.empty(most + 1, dtype=np.bool_), np.zeros(1, dtype=np.bool_)
    points, rows = rings.points[border.corners], rings.rows[border.corners]
    around = points, np.array([0, count]), after, rows, border.rank
    filled = triangles, np.array([0, len(triangles)])
    cells = join_triangles(*around, *filled, corners, kept, first, region, sure)
    if not sure[0]:
        return None
    used = int(first[cells])
    return Cells(border.corners[corners[:used]], first[: cells + 1], region[:cells], kept[:used])


def _triangles(corners: Floats, border: Boundary) -> Integers:
    """Return triangles that nearly always fill a region, of the numbers of corners."""
    found = []
    begins = np.flatnonzero(np.append(True, np.diff(border.face) != 0))
    for ring, end in zip(begins.tolist(), [*begins[1:].tolist(), border.face.size], strict=True):
        begin, stop = int(border.first[ring]), int(border.first[end])
        local = triangulate.without_rounding(corners[begin:stop], np.array([0, stop - begin]))
        ends = (border.first[ring + 1 : end + 1] - begin).astype(np.uint32)
        numbers = triangulate.triangulate_float64(local, ends)
        found.append(numbers.astype(np.int64).reshape(-1, 3) + begin)
    return np.concatenate(found)


def _of_pieces(corners: Floats, border: Boundary, after: Integers) -> Integers:
    """Return triangles as `_triangles` does, of pieces that are cut open beforehand."""
    room = corners.shape[0] + border.cuts.size
    around, first = np.empty(room, dtype=np.int64), np.empty(room + 1, dtype=np.int64)
    count = cut_into_pieces(corners, after, border.rank, border.cuts, around, first)
    first = first[: count + 1]
    local = triangulate.without_rounding(corners[around], first)
    is_triangle = np.diff(first) == 3
    found = [around[first[:-1][is_triangle][:, None] + np.arange(3)]]
    ends = np.empty(1, dtype=np.uint32)
    larger = np.flatnonzero(~is_triangle)
    for begin, end in zip(first[larger].tolist(), first[larger + 1].tolist(), strict=True):
        ends[0] = end - begin
        numbers = triangulate.triangulate_float64(local[begin:end], ends)
        found.append(around[numbers.astype(np.int64) + begin].reshape(-1, 3))
    return np.concatenate(found)


class Swept(NamedTuple):
    """The result of a sweep over the rings of a region."""

    place: Integers
    """(n,) where each point is among the places."""
    first: Integers
    """(p,) the first point at each place."""
    places: Floats
    """(p, 2) the places in the order of x, then y."""
    edges: Integers
    """(e, EDGE) the edges, divided where they touch."""
    cuts: Integers
    """(k, 2) pairs of places that see each other within the region."""
    fault: list[int]
    """The fault, the two sides, and the place."""


def _swept(rings: Rings) -> Swept:
    """Return what a sweep over rings finds."""
    count = len(rings.points)
    place, first, places = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64), np.empty((count, 2))
    found = arrange.find_places(rings.points, place, first, places)
    edges, fault = np.empty((4 * count, arrange.EDGE), dtype=np.int64), np.zeros(4, dtype=np.int64)
    cuts = np.empty((2 * found, 2), dtype=np.int64)
    used, cut = arrange.arrange(rings.points, rings.first, place, places[:found], edges, cuts, fault)
    return Swept(place, first[:found], places[:found], edges[:used], cuts[:cut], fault.tolist())


def refuse_crossing(where: str, rings: Rings) -> bool:
    """Tell whether rings surely have an area and cross nowhere; they may touch, and go round one another.

    Raises
    ------
    ValueError
        Two edges cross, and the text names both.
    """
    swept = _swept(rings)
    if swept.fault[0] == arrange.CROSS:
        _refuse(where, rings, swept.places, swept.fault)
    return rings.sure and swept.fault[0] in (arrange.FINE, arrange.OUTSIDE)


def _boundary(where: str, rings: Rings) -> tuple[Boundary, Integers] | None:
    """Return the boundary of a region, and the first point that lies where each does; None where it is in doubt."""
    points, first, rows, *_ = rings
    place, at_place, places, edges, cuts, fault = _swept(rings)
    count, found, used = len(points), len(places), len(edges)
    if fault[0] == arrange.DOUBT or not (rings.sure or fault[0] == arrange.CROSS):
        return None
    if fault[0] != arrange.FINE:
        _refuse(where, rings, places, fault)
    same = at_place[place]
    if found == count == used:  # nothing touches
        corners = np.arange(count)
        for begin, end in zip(first[1:-1].tolist(), first[2:].tolist(), strict=True):
            corners[begin:end] = corners[begin:end][::-1]
        corner_at = np.empty(count, dtype=np.int64)
        corner_at[place[corners]] = np.arange(count)
        face = np.zeros(first.size - 1, dtype=np.int64)
        return Boundary(corners, first, face, place[corners], corner_at[cuts]), same
    if not edges[:, arrange.WAY].any():
        raise ValueError(f"{where}: holes leave nothing of the outline")
    start, ring_first, face = (np.empty(used + 1, dtype=np.int64) for _ in range(3))
    number, total = trace_rings(edges, found, start, ring_first, face)
    start = start[:total]
    least = np.full(found, np.iinfo(np.int64).max)
    np.minimum.at(least, place, rows)
    point_of_row = np.empty(int(rows.max()) + 1, dtype=np.int64)
    point_of_row[rows] = np.arange(count)
    rank = np.empty(total, dtype=np.int64)
    rank[np.argsort(start, kind="stable")] = np.arange(total)
    no_cuts = np.zeros((0, 2), dtype=np.int64)
    border = Boundary(point_of_row[least][start], ring_first[: number + 1], face[:number], rank, no_cuts)
    return border, same


def _refuse(where: str, rings: Rings, places: Floats, fault: Sequence[int]) -> None:
    """Raise the error of what is wrong with the rings of a region."""
    kind, one, other, place = fault
    sides = f"{_side(rings, one)} {{}} {_side(rings, other)}"
    if kind == arrange.CROSS:
        raise ValueError(f"{where}: {sides.format('crosses')}")
    if kind == arrange.ALONG:
        raise ValueError(f"{where}: {sides.format('runs along')}")
    p: Point2 = tuple(places[place].tolist())
    if kind == arrange.MEET:
        raise ValueError(f"{where}: {sides.format('crosses')} at {p}")
    ring = _ring(rings, one)
    if ring > 0:
        ends = [k for k in (one, _following(rings, one)) if tuple(rings.points[k].tolist()) == p]
        numbers = [f"{_name(ring)}[{int(rings.rows[k]) - rings.offsets[ring]}] = {p}" for k in ends]
        name = numbers[0] if numbers else f"{p} on {_side(rings, one)}"
        if not _goes_round(rings, 0, p):
            raise ValueError(f"{where}: {name} is outside the outline")
        others: Iterable[int] = (k for k in range(1, rings.first.size - 1) if k != ring)
        within = next((k for k in others if _goes_round(rings, k, p)), None)
        if within is not None:
            raise ValueError(f"{where}: {name} is inside {_name(within)}")
    raise ValueError(f"{where}: the outline goes round {p} twice")


def _goes_round(rings: Rings, ring: int, p: Point2) -> bool:
    """Tell whether a ring goes round a point that is not on it."""
    own = [(x, y) for x, y in rings.points[rings.first[ring] : rings.first[ring + 1]].tolist()]
    return surrounds(own, range(len(own)), p)


def _ring(rings: Rings, point: int) -> int:
    """Return the ring that a point is of."""
    return int(np.searchsorted(rings.first, point, side="right")) - 1


def _following(rings: Rings, point: int) -> int:
    """Return the point after one in its ring."""
    ring = _ring(rings, point)
    return point + 1 if point + 1 < rings.first[ring + 1] else int(rings.first[ring])


def _name(ring: int) -> str:
    return f"holes[{ring - 1}]" if ring else "outline"


def _side(rings: Rings, point: int) -> str:
    """Return the name of the side from a point to the next, in errors."""
    ring, after = _ring(rings, point), _following(rings, point)
    a, b = (int(rings.rows[k]) - rings.offsets[ring] for k in (point, after))
    p, q = (tuple(rings.points[k].tolist()) for k in (point, after))
    return f"the edge from {_name(ring)}[{a}] = {p} to [{b}] = {q}"
