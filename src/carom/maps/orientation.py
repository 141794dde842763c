"""Where the cells and objects of a map of Tiled are drawn: orthogonal, isometric, staggered and hexagonal maps.

In: the fields of a map. Out: a `Layout`. Pixels, y pointing down, relative to the corner of the map; as Tiled's own
renderers have it: a cell's box begins half a width left of the top of its diamond, the top of an isometric map lies as
far right as its height asks for, shifted rows and columns begin half a step later, odd pixels of widths and heights are
left out where half steps count, and objects of isometric maps have their own frame, in heights of a cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.types import Floats, Integers
from carom.maps import fields
from carom.maps.forms import Form
from carom.maps.lattice import Lattice, Projection
from carom.maps.tiled_file import Node
from carom.vector import Point2

ORTHOGONAL, ISOMETRIC, STAGGERED, HEXAGONAL = "orthogonal", "isometric", "staggered", "hexagonal"
ORIENTATIONS = ORTHOGONAL, ISOMETRIC, STAGGERED, HEXAGONAL

Box = tuple[float, float, float, float]


class Layout(NamedTuple):
    """The places of cells and objects."""

    orientation: str
    cell: Point2
    """Width and height of the box round a cell."""
    lattice: Lattice
    origin: Point2
    """Where (0, 0) of the lattice is drawn."""
    axis: str = ""
    """Along which half a step is made: of staggered and hexagonal maps, "y" if rows are shifted, "x" if columns are."""
    even: int = 0
    """Whether the even ones are shifted: 1, or 0."""

    @property
    def outline(self) -> Form:
        """The outline of a cell, relative to the corner of its box."""
        points = np.array(self.lattice.outline)
        if self.lattice.projection is not None:
            points = np.add(self.lattice.drawn(points), (self.cell[0] / 2.0, 0.0))
        return Form("ring", tuple([(x, y) for x, y in points.tolist()]))

    def places(self, column: Integers, row: Integers) -> tuple[Integers, Integers]:
        """Return columns and rows of cells in the lattice."""
        if not self.axis:
            return column, row
        shifted = (row if self.axis == "y" else column) & 1 ^ self.even
        across, down = (2 * column + shifted, row) if self.axis == "y" else (column, 2 * row + shifted)
        if self.orientation == HEXAGONAL:
            return across, down
        return (across + self.even + down) // 2, (down - across - self.even) // 2

    def corners(self, column: Integers, row: Integers) -> Floats:
        """Return the corners (n, 2) of the boxes of cells."""
        column, row = self.places(column, row)
        drawn = self.lattice.drawn(np.stack((column * self.lattice.size[0], row * self.lattice.size[1]), axis=1))
        left = self.origin[0] - (self.cell[0] / 2.0 if self.lattice.projection else 0.0)
        return np.asarray(np.add(drawn, (left, self.origin[1])))

    def extent(self, left: int, top: int, width: int, height: int) -> Box:
        """Return the box round a block of cells."""
        if not width or not height:
            return 0.0, 0.0, 0.0, 0.0
        columns = [left, left + min(1, width - 1), left + max(0, width - 2), left + width - 1]
        rows = [top, top + min(1, height - 1), top + max(0, height - 2), top + height - 1]
        corners = self.corners(np.repeat(columns, 4), np.tile(rows, 4))
        (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return x0, y0, x1 + self.cell[0], y1 + self.cell[1]

    def lattice_corner(self, offset: Point2) -> Point2:
        """Return where the lattice of a layer that is moved by an offset begins, in the frame of the lattice."""
        return self.lattice.undrawn((self.origin[0] + offset[0], self.origin[1] + offset[1]))

    def object_point(self, point: Point2) -> Point2:
        """Return where a point of an object is drawn."""
        if self.orientation != ISOMETRIC or self.lattice.projection is None:
            return point
        x, y = self.lattice.projection.point(point)
        return self.origin[0] + x, self.origin[1] + y


def layout_of(node: Node) -> Layout:
    """Return the layout of a map.

    Raises
    ------
    ValueError
        An orientation that is not known, or fields that make no cells. The text has no caller's name.
    """
    orientation = fields.text(node, "orientation", ORTHOGONAL)
    if orientation not in ORIENTATIONS:
        known = f"{', '.join(ORIENTATIONS[:-1])} and {ORIENTATIONS[-1]} are"
        raise ValueError(f"orientation {orientation!r} is not known here; {known}")
    width, height = fields.cell(node, "tilewidth"), fields.cell(node, "tileheight")
    if orientation == ORTHOGONAL:
        return Layout(orientation, (width, height), Lattice((width, height)), (0.0, 0.0))
    if orientation == ISOMETRIC:
        lattice = Lattice((height, height), Projection(width, height))
        return Layout(orientation, (width, height), lattice, (fields.whole(node, "height", 0) * width / 2.0, 0.0))
    axis, index = _choice(node, "staggeraxis", "y", "x"), _choice(node, "staggerindex", "odd", "even")
    even = int(index == "even")
    width, height = _even("tilewidth", width), _even("tileheight", height)
    if orientation == STAGGERED:
        lattice = Lattice((height, height), Projection(width, height))
        return Layout(orientation, (width, height), lattice, ((1 - even) * width / 2.0, 0.0), axis, even)
    if "hexsidelength" not in node:
        raise ValueError("hexsidelength is missing; a hexagonal map must say how long the sides of its cells are")
    side, most = fields.size(node, "hexsidelength"), height if axis == "y" else width
    if side > most:
        called = "tileheight" if axis == "y" else "tilewidth"
        raise ValueError(f"hexsidelength = {side!r} must be at most {called} = {most!r}")
    step = (most - side) // 2.0 + side
    if axis == "y":
        lattice = Lattice((width / 2.0, step), None, _hexagon(width, height, height - step))
    else:
        turned = tuple([(x, y) for y, x in _hexagon(height, width, width - step)][::-1])
        lattice = Lattice((step, height / 2.0), None, turned)
    return Layout(orientation, (width, height), lattice, (0.0, 0.0), axis, even)


def _choice(node: Node, key: str, usual: str, other: str) -> str:
    """Return one of two words, the usual one where there is none."""
    word = fields.text(node, key, usual)
    if word not in (usual, other):
        raise ValueError(f"{key} = {word[:40]!r} must be {usual} or {other}")
    return word


def _even(key: str, value: float) -> float:
    """Return a size in whole pairs of pixels."""
    if value < 2.0:
        raise ValueError(f"{key} = {value!r} must be at least 2 where cells are shifted by half a step")
    return value // 2.0 * 2.0


def _hexagon(width: float, height: float, slope: float) -> tuple[Point2, ...]:
    """Return a hexagon with upright sides, whose other sides rise by `slope`: a rectangle or a diamond at the ends."""
    if not slope:
        return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)
    right = dict.fromkeys(((width, slope), (width, height - slope)))
    left = dict.fromkeys(((0.0, height - slope), (0.0, slope)))
    return (width / 2.0, 0.0), *right, (width / 2.0, height), *left
