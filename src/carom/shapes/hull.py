"""The convex hull of points: the smallest convex polygon that holds them all.

In: the user's points, any number in any order. Out: the rows on the hull, and the hull as a `Polygon`. Every turn is
decided exactly, so the hull is right for points on one line, far from zero, or one ulp apart. World frame and
units of the user.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from carom._core import shape_inputs
from carom._core.inputs import PointsLike
from carom.shapes.basic import Polygon
from carom.shapes.outlines.clean_convex import orientation
from carom.vector import Point2

Place = TypeVar("Place", bound=tuple[Any, Any])


def hull(points: PointsLike) -> Polygon:
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
    A. Andrew's monotone chain (1979): a sort, then n steps.

    Examples
    --------
    >>> import carom as cm
    >>> around = cm.hull([(0, 0), (1, 1), (4, 0), (2, 1), (2, 3)])
    >>> around.vertices
    (Vec(0.0, 0.0), Vec(4.0, 0.0), Vec(2.0, 3.0))
    >>> around.vertex_ids
    (0, 2, 4)
    """
    given = shape_inputs.points("hull", "points", points)
    if not given:
        raise ValueError("hull: points must hold at least three points not on one line, not 0")
    rows = hull_rows(given)
    if len(rows) < 3:
        ends = ", ".join(str(given[i]) for i in rows)
        where, value = ("are all one point", "Point") if len(rows) == 1 else ("all lie on one line", "Segment")
        raise ValueError(f"hull: points have no area: they {where}; their hull is {value}({ends})")
    try:
        return Polygon([given[i] for i in rows], vertex_ids=rows)
    except ValueError as error:
        raise ValueError(f"hull: the hull of points is too small: {error}") from None


def hull_rows(points: Sequence[Point2]) -> list[int]:
    """Return the rows of the strict hull, counter-clockwise from the least (x, y); one or two if it has no area."""
    rows: dict[Point2, int] = {}
    for row, point in enumerate(points):
        rows.setdefault(point, row)
    return [rows[point] for point in hull_of(sorted(rows), orientation)]


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
