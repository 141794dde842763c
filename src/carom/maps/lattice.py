"""Grids of cells that are rectangles, diamonds or hexagons, and which shapes in a cell can be merged with others.

In: the steps from column to column and from row to row, in pixels; forms relative to the corner of the box round a
cell. Out: `Lattice` values, the convex rings of a cell, and the forms that stand alone. Diamonds are the squares of a
frame of their own, in which they are merged; a `Projection` draws its points in pixels. Hexagons are merged whole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.types import Floats
from carom.maps.forms import Form
from carom.maps.pieces import WHOLE
from carom.narrow.verbs import intersects
from carom.shapes.compound import Compound, decompose
from carom.vector import Point2


class Projection(NamedTuple):
    """An isometric view of a frame whose cells are squares, as wide as a diamond is high."""

    width: float  # of a diamond
    height: float

    def point(self, point: Point2) -> Point2:
        """Return where a point is drawn, relative to that of (0, 0)."""
        x, y = point
        return (x - y) * self.width / (2.0 * self.height), (x + y) / 2.0

    def points(self, points: Floats) -> Floats:
        """Return where points (n, 2) are drawn."""
        x, y = points.T
        return np.stack(((x - y) * self.width / (2.0 * self.height), (x + y) / 2.0), axis=1)

    def back(self, point: Point2) -> Point2:
        """Return the point that is drawn there."""
        across = point[0] * self.height / self.width
        return point[1] + across, point[1] - across


class Lattice(NamedTuple):
    """Columns and rows of cells; a cell's corner is its column times the width of a step, its row times the height."""

    size: Point2
    projection: Projection | None = None
    """How the frame of the cells is drawn; None where it is that of the pixels."""
    hexagon: tuple[Point2, ...] | None = None
    """The outline of each cell, where it is not the rectangle of a step."""

    @property
    def whole(self) -> int:
        """The content of a whole cell, as `pieces` has it."""
        return WHOLE if self.hexagon is None else 0

    @property
    def table(self) -> list[list[Floats]]:
        """The contents that every grid of this kind begins with."""
        return [] if self.hexagon is None else [[np.array(self.hexagon)]]

    @property
    def outline(self) -> tuple[Point2, ...]:
        """The outline of a whole cell, relative to its corner."""
        w, h = self.size
        return self.hexagon or ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))

    def drawn(self, points: Floats) -> Floats:
        """Return where points (n, 2) of the frame are in pixels."""
        return points if self.projection is None else self.projection.points(points)

    def undrawn(self, point: Point2) -> Point2:
        """Return the point of the frame that is there in pixels."""
        return point if self.projection is None else self.projection.back(point)

    def rings_inside(self, forms: list[Form]) -> tuple[list[Floats], list[Form]]:
        """Return the convex rings of those forms that can be merged, relative to a cell's corner, and the other forms.

        They are flat-sided, inside the cell and apart. In a hexagon, whose sides may be shared in part by others, only
        the whole cell is one.
        """
        rings: list[Floats] = []
        kept: list[Compound] = []
        others = []
        for form in forms:
            points = [self._from_box(point) for point in form.points]
            region = decompose(points) if form.kind == "ring" and self._holds(points) else None
            if region is None or any(intersects(region, other, touching=False) for other in kept):
                others.append(form)
                continue
            kept.append(region)
            rings += [np.array(part.vertices) for part in region.parts]
        return rings, others

    def is_whole(self, rings: list[Floats]) -> bool:
        """Tell whether the rings are one, and that the whole cell."""
        return len(rings) == 1 and {(x, y) for x, y in rings[0].tolist()} == set(self.outline)

    def _from_box(self, point: Point2) -> Point2:
        """Return a point of the frame, relative to a cell's corner: a diamond's is the uppermost."""
        return point if self.projection is None else self.undrawn((point[0] - self.projection.width / 2.0, point[1]))

    def _holds(self, points: list[Point2]) -> bool:
        if self.hexagon is not None:
            return set(points) == set(self.hexagon)
        return all(0.0 <= x <= self.size[0] and 0.0 <= y <= self.size[1] for x, y in points)
