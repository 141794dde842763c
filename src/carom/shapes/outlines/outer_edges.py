"""The outer edges of a body's convex parts as arrays, and the role of each place where they meet in its outline.

In: the convex cells of a region, which fit along whole edges, or the outer edges that `exposed` found. Out: `Outside`:
each outer edge, its normal, which edges arrive at and leave each place, and the exact sign of the turn between the two.
Kernels decide all but what no float64 holds, or where products vanish: that is left to fractions. Places are relative
to the origin of the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.sealed import name_tuples
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.exposed import Side, turn_sign
from carom.shapes.outlines.simple_rings import order_edges
from carom.shapes.outlines.sure_turns import SUMS, UNSURE, turn
from carom.shapes.proxy_writers import edge_normal
from carom.vector import Point2, unit_normal

PART, EDGE, START, END, FIRST, LAST = range(6)
"""Columns of an outer edge: its part, the part's edge, numbered by the vertex that it leaves; the places where it
starts and ends, -1 of a rounded part; and the vertices of the whole where the part's edge begins and ends."""
SIDE = 6

ARRIVES, LEAVES, TURN, ROUNDED = range(4)
"""Columns of a place: the edge that arrives, the one that leaves, the sign of the turn between them, 1 round the tip of
a line; 1 if no float64 holds the place."""
MEETING = 4

NONE, SEVERAL = -1, -2
"""In place of the edge that arrives or leaves."""


@name_tuples
class Outside(NamedTuple):
    """The features of a body on its outside."""

    places: Floats
    """(p, 2) where outer edges start and end, each coordinate rounded once where no float64 holds it."""
    meetings: Integers
    """(p, MEETING) the edges that meet at each place."""
    sides: Integers
    """(m, SIDE) the outer edges, part after part."""
    normals: Floats
    """(m, 2) their outward normals; 0 of rounded parts."""
    corners: Integers
    """(c, 2) of each core point, part after part, its place, -1 of a rounded part; and the user's number."""


def outside_of_cells(places: Floats, same: Integers, numbers: Integers, first: Integers, kept: Booleans) -> Outside:
    """Return the outside of convex cells that fit along whole edges.

    Parameters
    ----------
    places : (p, 2) float64
        The vertices of the region.
    same : (p,) int64
        The first vertex that lies where each vertex does.
    numbers : (c,) int64
        The vertex at each corner of each cell.
    first : (cells + 1,) int64
        Where each cell's corners begin.
    kept : (c,) bool
        Whether the corner is one of the part that is made of the cell: straight ones need not be.
    """
    sides = np.empty((numbers.size, SIDE), dtype=np.int64)
    sides = sides[: find_sides(numbers, first, kept, same, sides)]
    ids = numbers[kept]
    corners = np.empty((ids.size, 2), dtype=np.int64)
    corners[:, 0], corners[:, 1] = same[ids], ids
    return _joined(places, sides, corners, {})


def outside_of_sides(
    sides: Sequence[Side], parts: Sequence[Sequence[Point2]], sharp: Sequence[bool]
) -> tuple[Outside, dict[int, Point2]]:
    """Return the outside of a body of convex parts, and the places that no float64 holds, as they are.

    `sides` are the outer edges, part after part, and `parts` the corners of each. Rounded parts meet nothing.
    """
    numbers: dict[Point2, int] = {}

    def number(point: Point2, part: int) -> int:
        return numbers.setdefault(point, len(numbers)) if sharp[part] else -1

    rows = [(s.part, s.edge, number(s.start, s.part), number(s.end, s.part), s.first, s.last) for s in sides]
    corners = [number(point, k) for k, part in enumerate(parts) for point in part]
    exact = {k: point for point, k in numbers.items() if not all(type(x) is float for x in point)}
    places = np.array([(float(x), float(y)) for x, y in numbers]).reshape(-1, 2)
    columns = np.array([corners, range(len(corners))], dtype=np.int64).T.copy()
    return _joined(places, np.array(rows, dtype=np.int64).reshape(-1, SIDE), columns, exact), exact


def _joined(places: Floats, sides: Integers, corners: Integers, exact: dict[int, Point2]) -> Outside:
    """Return the outside of outer edges; `exact` are the places that no float64 holds."""
    meetings, normals = np.empty((len(places), MEETING), dtype=np.int64), np.empty((len(sides), 2))
    if join_sides(places, sides, meetings, normals) or exact:
        points: list[Point2] = [exact.get(k, (x, y)) for k, (x, y) in enumerate(places.tolist())]
        meetings[list(exact), ROUNDED] = 1
        for k, side in enumerate(sides.tolist()):
            if side[START] in exact or side[END] in exact:
                ends = zip(points[side[START]], points[side[END]], strict=True)
                normals[k] = unit_normal(*[float(Fraction(v) - Fraction(u)) for u, v in ends])
        for here, (one, other, sign, _) in enumerate(meetings.tolist()):
            if one >= 0 and other >= 0 and (exact or sign == UNSURE):
                start, end = points[sides[one, START]], points[sides[other, END]]
                sign = turn_sign(start, points[here], points[here], end)
                meetings[here, TURN] = 1 if turns_back(sign, normals[one], normals[other]) else sign
    return Outside(places, meetings, sides, normals, corners)


@kernel
def find_sides(numbers: Integers, first: Integers, kept: Booleans, same: Integers, out: Integers) -> int:
    """Write the edges of convex cells that no other cell has the other way round; return how many there are."""
    count = numbers.shape[0]
    following, order, rank = (
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(same.shape[0], dtype=np.int64),
    )
    for part in range(first.shape[0] - 1):
        for k in range(first[part], first[part + 1]):
            following[k] = k + 1 if k + 1 < first[part + 1] else first[part]
    for k in range(same.shape[0]):
        rank[k] = k
    order_edges(numbers, following, rank, 0, same.shape[0], order)
    within, total = np.zeros(count, dtype=np.bool_), 0
    for m in range(1, count):
        k, other = order[m - 1], order[m]
        if numbers[k] == numbers[following[other]] and numbers[other] == numbers[following[k]]:
            within[k] = within[other] = True
    for part in range(first.shape[0] - 1):
        turned = first[part]
        while not kept[turned]:
            turned += 1
        k, edge = turned, -1
        while True:
            edge += 1 if kept[k] else 0
            if not within[k]:
                a, b = numbers[k], numbers[following[k]]
                out[total, PART], out[total, EDGE] = part, edge
                out[total, START], out[total, END], out[total, FIRST], out[total, LAST] = same[a], same[b], a, b
                total += 1
            k = following[k]
            if k == turned:
                break
    return total


@inner
def turns_back(sign: int, one: Floats, other: Floats) -> bool:
    """Tell whether the outline turns back at a place, round the tip of a line; a tip is a turn to the left."""
    # Of edges on one line the signs of normals are right, whatever was rounded.
    return bool(sign == 0 and one[0] * other[0] + one[1] * other[1] < 0.0)


@kernel
def join_sides(places: Floats, sides: Integers, meetings: Integers, normals: Floats) -> bool:
    """Write the edges that meet at each place and the normals; tell whether any turn is in doubt."""
    h, doubt = np.empty(SUMS), False
    for k in range(places.shape[0]):
        meetings[k, ARRIVES], meetings[k, LEAVES], meetings[k, TURN], meetings[k, ROUNDED] = NONE, NONE, 0, 0
    for k in range(sides.shape[0]):
        start, end = sides[k, START], sides[k, END]
        normals[k, 0], normals[k, 1] = 0.0, 0.0
        if start >= 0:
            ex, ey = places[end, 0] - places[start, 0], places[end, 1] - places[start, 1]
            normals[k, 0], normals[k, 1] = edge_normal(ex, ey)
            meetings[start, LEAVES] = k if meetings[start, LEAVES] == NONE else SEVERAL
            meetings[end, ARRIVES] = k if meetings[end, ARRIVES] == NONE else SEVERAL
    for k in range(places.shape[0]):
        one, other = meetings[k, ARRIVES], meetings[k, LEAVES]
        if one >= 0 and other >= 0:
            sign = turn(places, sides[one, START], k, sides[other, END], h)
            meetings[k, TURN] = 1 if turns_back(sign, normals[one], normals[other]) else sign
            doubt = doubt or sign == UNSURE
    return doubt


@inner
def end_of_line(outside: Outside, side: int, backward: bool) -> int:
    """Return the last outer edge that goes straight on from this one, or with `backward` goes straight into it."""
    sides = outside.sides
    for _ in range(sides.shape[0]):
        here = sides[side, START] if backward else sides[side, END]
        one, other, sign = outside.meetings[here, ARRIVES], outside.meetings[here, LEAVES], outside.meetings[here, TURN]
        # Outlines are closed, so that where one edge arrives one leaves.
        if one < 0 or other < 0 or sign != 0:
            break
        side = one if backward else other
    return int(side)
