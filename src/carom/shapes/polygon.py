"""Polygon: a convex polygon of any number of vertices, sharp or rounded.

In: an outline in either winding, with or without needless points. Out: a frozen value of the vertices that count,
counter-clockwise, each with the number that the user knows it by. World frame, user's units; angles in radians.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Never, Self

import numpy as np
from numpy.typing import NDArray

from carom._core import shape_inputs
from carom._core.inputs import PointsLike
from carom._core.names import refuse_keywords, told_by_name
from carom.shapes.base import BEYOND, ConvexShape, near, pair
from carom.shapes.mass import grown_mass
from carom.shapes.outlines import clean_convex
from carom.shapes.proxy import POLYGON
from carom.shapes.proxy_writers import make_proxy, polygon_proxy
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2

_NONE = 0.0  # radius unless said otherwise; told by identity


class Polygon(ConvexShape):
    """A convex polygon of any number of vertices, sharp or rounded.

    Parameters
    ----------
    vertices : sequence of (x, y), or array of shape (n, 2)
        The outline in order, in either winding, closed or not. Repeated points and points on a straight edge are
        dropped, and so are points that turn inward by no more than rounding (8 eps times the largest coordinate).
    radius : float
        Grows the polygon outward and rounds its corners.
    vertex_ids : sequence of int, optional
        A number for each of `vertices`, to know its features by; 0, 1, 2, ... if not given.

    Raises
    ------
    ValueError
        Fewer than three distinct points, no area, a concave outline, or one that crosses itself.

    Examples
    --------
    >>> from carom import Polygon
    >>> triangle = Polygon([(0, 0), (1, 2), (2, 0)])
    >>> triangle.vertices
    (Vec(0.0, 0.0), Vec(2.0, 0.0), Vec(1.0, 2.0))
    >>> triangle.vertex_ids
    (0, 2, 1)
    """

    __slots__ = ()
    __match_args__ = ("vertices",)

    @told_by_name
    def __init__(
        self,
        vertices: PointsLike,
        *more: Never,
        radius: float = _NONE,
        vertex_ids: Sequence[int] | None = None,
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_keywords("Polygon", Polygon, unknown)
        if more:
            shape_inputs.refuse_loose("Polygon([(x, y), (x, y), ...])", vertices, *more)
        r = radius if radius is _NONE else shape_inputs.growth("Polygon", "radius", radius)
        table = shape_inputs.plain_points(vertices)
        winding = 0
        kept: Sequence[int]
        if table is not None:
            proxy, winding = polygon_proxy(table, r)
            count = len(table)
        if winding == 0:
            proxy, kept, count = _careful(vertices, r)
        else:
            kept = range(count) if winding > 0 else (0, *range(count - 1, 0, -1))
        if vertex_ids is not None:
            ids = shape_inputs.integers("Polygon", "vertex_ids", vertex_ids, count)
            kept = [ids[i] for i in kept]
        self._store(proxy, tuple(kept))

    @property
    def vertex_ids(self) -> tuple[int, ...]:
        """For each of `vertices` the number the user knows it by."""
        return self._detail  # type: ignore[no-any-return]

    def _of_core(self, where: str, angle: float, points: list[Point2]) -> Self:
        if max(max(abs(x), abs(y)) for x, y in points) > LARGEST:
            raise ValueError(f"{where}: angle = {angle!r} {BEYOND}")
        try:
            turned = self._again(points)
        except ValueError:
            raise ValueError(f"{where}: angle = {angle!r}: the polygon is too thin to be turned") from None
        return object.__new__(type(self))._store(turned._record, turned._detail)

    def _middle(self) -> Point2:
        return grown_mass(self._points(), self.radius)[1]

    def _again(self, points: Sequence[Point2]) -> Polygon:
        return Polygon(points, radius=self.radius, vertex_ids=self.vertex_ids)

    def _text(self, points: Sequence[Point2]) -> str:
        options = f", radius={self.radius!r}" if self.radius else ""
        if self.vertex_ids != tuple(range(len(points))):
            options += f", vertex_ids={self.vertex_ids}"
        return f"Polygon([{', '.join(map(pair, points))}]{options})"


def _careful(vertices: PointsLike, radius: float) -> tuple[NDArray[np.float64], list[int], int]:
    """Return the proxy of any outline, the rows kept, and how many were given; or refuse it."""
    given = shape_inputs.points("Polygon", "vertices", vertices)
    try:
        kept = clean_convex.clean_outline(given)
    except ValueError as error:
        raise ValueError(f"Polygon: {error}") from None
    points = [given[i] for i in kept]
    _check_sizes(points, kept)
    return make_proxy(POLYGON, *near(points), radius), kept, len(given)


def _check_sizes(points: list[Point2], kept: list[int]) -> None:
    """Refuse what is too small to be squared: a whole outline in x or in y, or an edge between `kept` vertices."""
    for axis, values in zip("xy", zip(*points, strict=True), strict=True):
        if (span := max(values) - min(values)) < SMALLEST_SIZE:
            raise ValueError(f"Polygon: vertices span {span!r} in {axis}; they must span {SMALLEST_SIZE:g} or more")
    last_x, last_y = points[-1]
    for k, (x, y) in enumerate(points):
        if -SMALLEST_SIZE < x - last_x < SMALLEST_SIZE > y - last_y > -SMALLEST_SIZE:
            at = f"Polygon: vertices[{kept[k]}]"
            raise ValueError(f"{at} = {points[k]} must be at least {SMALLEST_SIZE:g} from vertices[{kept[k - 1]}]")
        last_x, last_y = x, y
