"""The parts of a `Compound`: convex pieces that lie about one origin, and the pieces of their edges on the outside.

In: outlines, or convex shapes as they were given, checked at the door. Out: the fields of a `Compound`. World frame,
user's units; pieces and what is on their outside are relative to the origin, without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple, cast

import numpy as np

from carom._core.types import Booleans, Floats, Integers
from carom.shapes.base import ConvexShape, near, restored
from carom.shapes.basic import Polygon
from carom.shapes.compound_made import Cut, Made, first_exact, joined
from carom.shapes.outlines.boundary import Ring
from carom.shapes.outlines.clean import counter_clockwise, tidy
from carom.shapes.outlines.convex_parts import convex_parts
from carom.shapes.outlines.exposed import exact, outer_sides
from carom.shapes.outlines.needless import without_needless
from carom.shapes.outlines.outer_edges import outside_of_sides
from carom.shapes.outlines.region_cells import divide
from carom.shapes.outlines.simple_cells import cells_of
from carom.shapes.proxy import KIND, OBB, POLYGON
from carom.shapes.proxy_writers import (
    make_proxies,
    make_proxy,
    order_outlines,
)
from carom.tolerances import LARGEST
from carom.vector import Point2

Fields = tuple[Point2, Made, "tuple[ConvexShape, ...] | None"]
"""The fields of a Compound: origin, the pieces, the parts (None where they are yet to be made)."""


class RingsTable(NamedTuple):
    """The points of an outline and its holes, and what errors about them begin with."""

    where: str
    points: Floats
    starts: list[int]
    """Where each ring begins; the last is where the points end."""


def from_outlines(where: str, given: Floats, starts: Sequence[int]) -> Fields:
    """Return the fields of the region inside the first outline and outside the others; `starts` are where each begins.

    The last of the starts is where the points end.
    """
    if (quick := _by_kernels(where, given, np.array(starts))) is not None:
        return quick
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
    return _of_cells(
        where, table, [len(ring.rows) for ring in rings], same, corners, begins, np.ones(corners.size, dtype=np.bool_)
    )


def from_many(tables: Sequence[RingsTable]) -> list[Fields | ValueError]:
    """Return the fields of many regions; of one that is refused, the error."""
    found: list[Fields | ValueError | None] = [None] * len(tables)
    alone = [k for k, table in enumerate(tables) if len(table.starts) == 2 and len(table.points) > 2]
    for k, fields in zip(alone, _from_simple([tables[k].points for k in alone]), strict=True):
        found[k] = fields
    for k, table in enumerate(tables):
        if found[k] is None:
            try:
                found[k] = from_outlines(*table)
            except ValueError as error:
                found[k] = error
    return cast("list[Fields | ValueError]", found)


def _from_simple(outlines: Sequence[Floats]) -> list[Fields | None]:
    """Return the fields of regions without holes; None where kernels do not prove that nothing touches."""
    if not outlines:
        return []
    sizes = [len(outline) for outline in outlines]
    points, first, _, tidy = without_needless(np.concatenate(outlines), np.append(0, np.cumsum(sizes)))
    points = points.copy()
    cells, simple = cells_of(points, first)
    count = first.size - 1
    origins = np.array([[first_exact(points[i:j], axis) for axis in (0, 1)] for i, j in pairwise(first.tolist())])
    local = (points - np.repeat(origins, np.diff(first), axis=0)) + 0.0  # no -0.0: equal values, equal bits
    own = np.append(0, np.cumsum(cells.kept))[cells.first]
    corners = local[(np.repeat(first[cells.ring], np.diff(cells.first)) + cells.corners)[cells.kept]]
    clean, turned = np.zeros(cells.ring.size, dtype=np.bool_), np.zeros(cells.ring.size, dtype=np.bool_)
    order_outlines(corners, own, clean, turned)
    records, starts = make_proxies(np.full(clean.size, float(POLYGON)), corners, own, np.zeros(clean.size))
    sure = simple & tidy
    sure[cells.ring[~clean | turned]] = False
    sure &= np.maximum.reduceat(np.abs(local).max(axis=1), first[:-1]) <= LARGEST
    begins = np.searchsorted(cells.ring, np.arange(count + 1))
    found: list[Fields | None] = []
    starts = np.append(starts, records.size)
    spans = zip(sure.tolist(), pairwise(first.tolist()), pairwise(begins.tolist()), origins.tolist(), strict=True)
    for good, (i, j), (low, high), (x, y) in spans:
        if not good:
            found.append(None)
            continue
        c, d, at = int(cells.first[low]), int(cells.first[high]), int(starts[low])
        kept = cells.kept[c:d].copy()
        numbers, bounds = cells.corners[c:d].copy(), cells.first[low : high + 1] - c
        cut = Cut(local[i:j].copy(), np.arange(j - i), numbers, bounds, kept, bool(kept.all()))
        made = Made(records[at : starts[high]].copy(), starts[low:high] - at, cut, (j - i,))
        found.append(((x, y), made, None))
    return found


def _by_kernels(where: str, given: Floats, starts: Integers) -> Fields | None:
    """Return the fields of a region that kernels can decide, else None."""
    found = divide(where, given, starts)
    if found is None:
        return None
    cells = found.cells
    counts = np.diff(found.first).tolist()
    return _of_cells(where, found.points, counts, found.same, cells.corners, cells.first, cells.kept)


def _of_cells(
    where: str, points: Floats, counts: list[int], same: Integers, numbers: Integers, first: Integers, kept: Booleans
) -> Fields:
    """Return the fields of a region of convex cells, whose corners name the points of outline and holes by number.

    Parts are made of the corners that are kept.
    """
    origin = first_exact(points, 0), first_exact(points, 1)
    table = (points - origin) + 0.0  # no -0.0: equal values, equal bits
    own = np.append(0, np.cumsum(kept))[first]
    corners = table[numbers[kept]]
    count = first.size - 1
    clean, turned = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    order_outlines(corners, own, clean, turned)
    records, starts = make_proxies(np.full(count, float(POLYGON)), corners, own, np.zeros(count))
    sure = clean & ~turned
    if np.abs(table).max() > LARGEST:
        sure &= np.maximum.reduceat(np.abs(corners).max(axis=1), own[:-1]) <= LARGEST
    cut = Cut(table, same, numbers, first, kept, bool(kept.all()))
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
            cell = cut.numbers[i:j]
            ids = cell[kept[i:j]].tolist()
            polygon = Polygon(cut.local[ids].tolist(), vertex_ids=ids)
            pieces[k], kept[i:j] = polygon, np.isin(cell, polygon.vertex_ids)
    return Made(*joined(pieces), cut._replace(kept=kept, whole=bool(kept.all())), made.counts, tuple(pieces))


def from_shapes(shapes: list[ConvexShape]) -> Fields:
    """Return the fields of a body made of convex shapes that have an area, or of a line made of Segments."""
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
    made = Made(*joined(given), None, (), given, outside_of_sides(sides, corners, sharp))
    return origin, made, tuple(shapes)


def _keeps_origin(shape: ConvexShape, corners: Sequence[Point2]) -> bool:
    """Tell whether a part has to have an origin of its own: its kind has, or float64 does not hold its corners."""
    turned_or_rounded = shape._record[KIND] == OBB or shape.radius > 0.0
    return turned_or_rounded or not all(type(x) is float for point in corners for x in point)


def _summed(origin: Point2, point: Point2) -> Point2:
    """Return a point's place in the world; as fractions where no float64 holds it."""
    return cast(Point2, tuple([exact(Fraction(u) + Fraction(v)) for u, v in zip(origin, point, strict=True)]))
