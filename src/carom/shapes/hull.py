"""The convex hull of points: the smallest convex polygon that holds them all.

In: the user's points, any number in any order. Out: the rows on the hull, and the hull as a `Polygon`. Every turn is
decided exactly, so the hull is right for points on one line, far from zero, or one ulp apart. World frame and
units of the user.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Never, TypeVar

import numpy as np

from carom._core import shape_inputs
from carom._core.inputs import PointsLike
from carom._core.names import refuse_keywords, told_by_name
from carom._core.types import Floats, Integers
from carom.shapes.basic import Polygon
from carom.shapes.outlines.clean_convex import doubled_areas, orientation
from carom.tolerances import LARGEST
from carom.vector import Point2

Place = TypeVar("Place", bound=tuple[Any, Any])

MANY = 500
"""Points from which on those well inside are sorted out first, all at once."""
DIRECTIONS = (8, 64)
"""In so many directions the farthest points are found; a second time among those that the first has left."""


@told_by_name
def hull(points: PointsLike, **unknown: Never) -> Polygon:
    """Return the convex hull of points.

    Its vertices are some of the points, unchanged, counter-clockwise from the one farthest left (of several the
    lowest). Points inside, on an edge, or given twice are left out.

    Parameters
    ----------
    points : sequence of (x, y), or array of shape (n, 2)
        In any order.

    Returns
    -------
    Polygon
        `vertex_ids` are the rows of `points`; of a point given twice, the first.

    Raises
    ------
    ValueError
        If the points have no area. The text names the Point or Segment that is their hull.

    Notes
    -----
    A. Andrew's monotone chain (1979): a sort, then n steps. Of many points those inside the polygon of the farthest in
    some directions are left out before (S. Akl, G. Toussaint, "A fast convex hull algorithm", 1978), if it is beyond
    rounding.

    Examples
    --------
    >>> import carom as cm
    >>> around = cm.hull([(0, 0), (1, 1), (4, 0), (2, 1), (2, 3)])
    >>> around.vertices
    (Vec(0.0, 0.0), Vec(4.0, 0.0), Vec(2.0, 3.0))
    >>> around.vertex_ids
    (0, 2, 4)
    """
    if unknown:
        refuse_keywords("hull", hull, unknown)
    table = shape_inputs.plain_points(points)
    if table is not None and len(table) >= MANY and bool((np.abs(table) <= LARGEST).all()):
        table += 0.0  # no negative zero
        outer = outer_rows(table)
        given = [(x, y) for x, y in table[outer].tolist()]
        places = hull_rows(given)
        given, rows = [given[k] for k in places], outer[places].tolist()
    else:
        given = shape_inputs.points("hull", "points", points)
        if not given:
            raise ValueError("hull: points must hold at least three points not on one line, not 0")
        rows = hull_rows(given)
        given = [given[k] for k in rows]
    if len(rows) < 3:
        ends = ", ".join(map(str, given))
        where, value = ("are all one point", "Point") if len(rows) == 1 else ("all lie on one line", "Segment")
        raise ValueError(f"hull: points have no area: they {where}; their hull is {value}({ends})")
    try:
        return Polygon(given, vertex_ids=rows)
    except ValueError as error:
        raise ValueError(f"hull: the hull of points is too small: {error}") from None


def hull_rows(points: Sequence[Point2]) -> list[int]:
    """Return the rows of the strict hull, counter-clockwise from the least (x, y); one or two if it has no area."""
    rows: dict[Point2, int] = {}
    for row, point in enumerate(points):
        rows.setdefault(point, row)
    return [rows[point] for point in hull_of(sorted(rows), orientation)]


def outer_rows(table: Floats) -> Integers:
    """Return rows of points (n, 2), ascending: all that are on the hull, and few of the others.

    A point to the left of all edges of a closed chain of points is inside their hull.
    """
    rows = np.arange(len(table))
    for count in DIRECTIONS:
        x, y = np.ascontiguousarray(table[rows].T)
        angles = np.arange(count) * (2.0 * np.pi / count)
        farthest = [int((c * x + s * y).argmax()) for c, s in zip(np.cos(angles), np.sin(angles), strict=True)]
        chain = [k for k, before in zip(farthest, [farthest[-1], *farthest], strict=False) if k != before]
        inside = np.full(len(rows), len(chain) > 2)
        for first, second in zip(chain, [*chain[1:], *chain[:1]], strict=True):
            areas, errors = doubled_areas((x[first], y[first]), (x[second], y[second]), x, y)
            inside &= areas > errors
        rows = rows[~inside]
        if len(rows) < MANY:
            break
    return rows


def cross(o: tuple[Any, Any], p: tuple[Any, Any], q: tuple[Any, Any]) -> Any:
    """Return twice the area of a triangle, positive counter-clockwise; exact for whole numbers and fractions."""
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])


def edges(outline: list[Place]) -> list[tuple[Place, Place]]:
    """Return the ends of the edges of a polygon; of a segment there and back, of a point it twice."""
    return list(zip(outline, [*outline[1:], outline[0]], strict=True))


def hull_of(ordered: Sequence[Place], turn: Callable[[Place, Place, Place], Any]) -> list[Place]:
    """Return the strict hull of different points in the order of (x, y), counter-clockwise from the first.

    `turn` is above 0 for three points that turn left; the hull is exact if its sign is. Numbers may be of any kind.
    """
    if len(ordered) < 3:
        return list(ordered)
    around: list[Place] = []
    for way in (ordered, ordered[::-1]):
        chain: list[Place] = []
        for point in way:
            while len(chain) > 1 and turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        around += chain[:-1]
    return around
