"""The draft that readers of map files fill, and how it becomes a Level: merged, cut into convex parts, placed.

In: cells of lattices, forms, one-way edges and triggers in pixels, y pointing down. Out: a `Level` in the user's units.
Cells are merged, and one-way edges in one line joined, in pixels or in the frame of their lattice, where coordinates
are whole numbers and the answer is exact; then each coordinate is multiplied once, so that flush tiles stay flush.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Booleans, Floats
from carom.maps.fields import naming
from carom.maps.forms import Form, rectangle, shapes_of, shifted
from carom.maps.lattice import Lattice
from carom.maps.level import Level, OneWay, Trigger
from carom.maps.pieces import Cells, Pieces, after, cell_pieces, doubled, gather, merged, outlined, rings_of
from carom.maps.roles import IGNORE, ONE_WAY, SOLID, TRIGGER, Role
from carom.shapes.basic import Shape
from carom.shapes.bounds import Bounds
from carom.shapes.compound import Compound
from carom.shapes.outlines.of_cells import boxes_of, rings_of_cells
from carom.shapes.outlines.rings import Rings, counter_clockwise, join_rings
from carom.shapes.proxy import AABB
from carom.shapes.proxy_writers import make_proxies
from carom.shapes.set import Shapes
from carom.shapes.set_rows import Proxies
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2

PIXELS = Lattice((1.0, 1.0))
"""The cells of a picture or a text."""

ALONG = 1e-9
"""An edge that is turned less towards a direction lies along it, but for the rounding of its ends."""

Edge = tuple[Point2, Point2, Point2]  # from, to, the direction that it looks in


def chained(edges: Sequence[Edge]) -> list[Edge]:
    """Return edges, each once, with those joined that begin in one line where another of their direction ends."""
    single = list(dict.fromkeys(edges))
    begins: dict[tuple[Point2, Point2], list[Edge]] = {}
    for edge in single:
        begins.setdefault((edge[0], edge[2]), []).append(edge)
    following = {edge: _following(edge, begins) for edge in single}
    led = {after for after in following.values() if after is not None}
    found = []
    for edge in single:
        if edge in led:
            continue
        last = edge
        while (after := following[last]) is not None:
            last = after
        found.append((edge[0], last[1], edge[2]))
    return found


def _following(edge: Edge, begins: dict[tuple[Point2, Point2], list[Edge]]) -> Edge | None:
    """Return the edge that goes on in the same line, if there is one."""
    (ax, ay), (bx, by), direction = edge
    for other in begins.get((edge[1], direction), ()):
        dx, dy = other[1][0] - bx, other[1][1] - by
        if (bx - ax) * dy == (by - ay) * dx and (bx - ax) * dx + (by - ay) * dy > 0.0:
            return other
    return None


class Grid(NamedTuple):
    """The cells of one grid, layer by layer, and the convex rings inside a cell that some of them hold."""

    cells: list[Cells]
    table: list[list[Floats]]


class Use(NamedTuple):
    """A shape of a tile or object that is not merged with others, its role, name, class, properties and id."""

    form: Form
    role: Role
    name: str
    kind: str
    properties: dict[str, Any]
    id: int | str | None = None

    def shifted(self, vector: Point2) -> Use:
        """Return this use with its shape moved by a vector."""
        return self._replace(form=shifted(self.form, vector))


class Draft:
    """A map while it is read.

    Parameters
    ----------
    where : str
        The function that was called, and the file, for messages.
    scale : float
        User's units for a pixel.
    argument : str
        The name of the scale among the caller's arguments.
    y_up : bool
        Mirror: `height - y` in place of y.
    """

    def __init__(self, where: str, scale: float, argument: str, y_up: bool) -> None:
        self.where, self.scale, self.argument, self.y_up = where, scale, argument, y_up
        self.height = 0.0
        self.boxes: list[tuple[float, float, float, float]] = []  # that the map says it fills
        self.solids: list[tuple[Form, str]] = []  # each with its name in messages
        self._edges: list[Edge] = []
        self._separate_edges: list[Edge] = []
        self._triggers: list[tuple[Use, str, str]] = []  # each with its name in messages and its layer
        self._mask: Booleans | None = None  # the solid cells of a picture
        self._grids: dict[tuple[float, float, Lattice], Grid] = {}

    def grid(self, corner: Point2, lattice: Lattice) -> Grid:
        """Return the grid of a lattice, one of whose cells has this corner."""
        x, y = corner[0] % lattice.size[0], corner[1] % lattice.size[1]
        return self._grids.setdefault((x, y, lattice), Grid([], lattice.table))

    def add(self, use: Use, called: str, layer: str, separate: bool = False) -> None:
        """Take a shape by its role, with its name in messages.

        Its one-way edges are joined with others in the same line, unless it is to stay separate.
        """
        if use.role.name == SOLID:
            self.solids.append((use.form, called))
        elif use.role.name == ONE_WAY:
            self.add_one_way(use.form, use.role.direction, separate)
        elif use.role.name == TRIGGER:
            self._triggers.append((use, called, layer))

    def add_cells(self, cells: Cells, role: Role, at: Point2, of: Lattice, name: str = "", layer: str = "") -> None:
        """Take cells of a lattice by their role; the one in column 0 and row 0 has its corner there, in their frame.

        One-way cells are whole rectangles, trigger cells whole. Layers whose corners differ by whole cells share a
        grid.
        """
        (x, y), (w, h) = at, of.size
        if role.name == SOLID:
            moved = Cells(cells.column + int(x // w), cells.row + int(y // h), cells.kind)
            self.grid(at, of).cells.append(moved)
        elif role.name == ONE_WAY:
            for column, row in zip(cells.column.tolist(), cells.row.tolist(), strict=True):
                self.add_one_way(rectangle(x + column * w, y + row * h, w, h), role.direction)
        elif role.name == TRIGGER:
            use = Use(rectangle(0.0, 0.0, w, h), role, name, name, {})
            self.add_regions([cells], use, at, of, layer)

    def add_mask(self, mask: Booleans, role: Role, name: str) -> None:
        """Take the cells that are set in a table (h, w) by their role; each is one unit wide, the first at (0, 0)."""
        if role.name == SOLID:
            self._mask = mask if self._mask is None else self._mask | mask
        elif role.name != IGNORE:
            row, column = np.nonzero(mask)
            whole = np.full(row.size, PIXELS.whole)
            self.add_cells(Cells(column, row, whole), role, (0.0, 0.0), PIXELS, name)

    def add_one_way(self, form: Form, direction: Point2, separate: bool = False) -> None:
        """Take the edges of a form that look in a direction; of a line all."""
        edges = self._separate_edges if separate else self._edges
        for (ax, ay), (bx, by) in form.edges():
            looks = (by - ay) * direction[0] - (bx - ax) * direction[1]
            if form.kind == "line" or looks > ALONG * math.dist((ax, ay), (bx, by)):
                edges.append(((ax, ay), (bx, by), direction))

    def add_regions(self, cells: list[Cells], use: Use, corner: Point2, lattice: Lattice, layer: str) -> None:
        """Take whole cells as triggers, one for each connected region, with the name of the use in each cell."""
        rings = counter_clockwise(outlined(cell_pieces(gather(cells), lattice.table, lattice.size))[0])
        points: list[Point2] = [(x, y) for x, y in lattice.drawn(np.add(rings.points, corner)).tolist()]
        first, regions = rings.first.tolist(), rings.region.tolist()
        found: dict[int, list[tuple[Point2, ...]]] = {}
        for k, region in enumerate(regions):
            found.setdefault(region, []).append(tuple(points[first[k] : first[k + 1]]))
        for outline, *holes in found.values():
            whole = use._replace(form=Form("ring", outline, 0.0, tuple(holes)))
            self.add(whole, f"trigger {use.name!r}", layer)

    def finish(self) -> Level:
        """Put everything together."""
        bounds = self._bounds()
        rings: list[Rings] = []
        sets: list[Shapes] = []
        for (x, y, lattice), grid in self._grids.items():
            merged, convex = self._merged(grid, (x, y), lattice)
            rings.append(merged._replace(points=self._all_placed(lattice.drawn(np.add(merged.points, (x, y))))))
            placed = self._all_placed(lattice.drawn(np.add(convex.points, (x, y))))
            turned = counter_clockwise(Rings(placed, convex.first, np.arange(convex.first.size - 1)))
            sets += self._solids(Pieces(turned.points, turned.first))
        if self._mask is not None:
            boxes = boxes_of(self._mask)
            around = rings_of_cells(self._mask, boxes)
            rings.append(around._replace(points=self._all_placed(around.points)))
            ends = self._all_placed(boxes.reshape(-1, 2).astype(np.float64)).reshape(-1, 2, 2)
            sets.append(self._boxes(ends.min(axis=1), ends.max(axis=1)))
        shapes: list[Shape] = []
        for form, called in self.solids:
            made = self._shapes(form, called)
            shapes += made
            if form.kind == "ring":
                rings += [rings_of(shape) for shape in made]
        sets.append(Shapes(shapes))
        solids = Shapes._of(Shapes.concatenate(sets)._proxies._replace(owner=None, inputs=None))
        return Level(bounds, solids, self._one_way(), self._all_triggers(), counter_clockwise(join_rings(rings)))

    def _place(self, point: Point2) -> Point2:
        x, y = point
        return x * self.scale, (self.height - y if self.y_up else y) * self.scale

    def _all_placed(self, points: Floats) -> Floats:
        """Return corners of tiles in the world."""
        across, down = points.T
        placed = np.stack((across, self.height - down if self.y_up else down), axis=1) * self.scale + 0.0
        if not (np.abs(placed) <= LARGEST).all():
            expected = f"takes tiles beyond coordinates of {LARGEST:g}"
            raise ValueError(f"{self.where}: {self.argument} = {self.scale!r} {expected}")
        return placed

    def _shapes(self, form: Form, called: str) -> list[Shape]:
        with naming(f"{self.where}: {called}"):
            return shapes_of(form.moved(self._place, self.scale))

    def _bounds(self) -> Bounds:
        low_x, low_y, high_x, high_y = zip(*(self.boxes or [(0.0, 0.0, 0.0, 0.0)]), strict=True)
        box = min(low_x), min(low_y), max(high_x), max(high_y)
        low, high = self._place(box[:2]), self._place(box[2:])
        result = Bounds(low[0], min(low[1], high[1]), high[0], max(low[1], high[1]))
        if not max(map(abs, result)) <= LARGEST:
            reach = max(map(abs, box))
            expected = f"takes the map, {reach:g} large, beyond coordinates of {LARGEST:g}"
            raise ValueError(f"{self.where}: {self.argument} = {self.scale!r} {expected}")
        return result

    def _merged(self, grid: Grid, corner: Point2, lattice: Lattice) -> tuple[Rings, Pieces]:
        """Return the outlines and convex parts of a grid's cells, relative to its corner.

        Shapes that share a cell are not merged: they may overlap.
        """
        cells = gather(grid.cells)
        extra = doubled(cells)
        for column, row, kind in zip(*(part[extra].tolist() for part in cells), strict=True):
            place = corner[0] + column * lattice.size[0], corner[1] + row * lattice.size[1]
            for ring in grid.table[kind]:
                points = tuple([(x, y) for x, y in lattice.drawn(np.add(ring, place)).tolist()])
                self.solids.append((Form("ring", points), f"the tile at column {column}, row {row}"))
        return merged(Cells(*(part[~extra] for part in cells)), grid.table, lattice.size)

    def _solids(self, pieces: Pieces) -> list[Shapes]:
        """Return boxes along the axes, and polygons, of convex parts in the world."""
        if not len(pieces.points):
            return []
        counts = np.diff(pieces.first)
        along = (pieces.points[after(pieces)] == pieces.points).any(axis=1)
        boxes = (counts == 4) & np.logical_and.reduceat(along, pieces.first[:-1])
        corners = pieces.points[np.repeat(boxes, counts)].reshape(-1, 4, 2)
        others = zip(pieces.first[:-1][~boxes].tolist(), pieces.first[1:][~boxes].tolist(), strict=True)
        with naming(f"{self.where}: a part of a tile"):
            polygons = Shapes.polygons([pieces.points[a:b] for a, b in others])
        return [self._boxes(corners.min(axis=1), corners.max(axis=1)), polygons]

    def _boxes(self, low: Floats, high: Floats) -> Shapes:
        """Return boxes along the axes."""
        if not (high - low >= SMALLEST_SIZE).all():
            expected = f"leaves tiles smaller than {SMALLEST_SIZE:g}, or than the digits of their coordinates tell"
            raise ValueError(f"{self.where}: {self.argument} = {self.scale!r} {expected}")
        points = np.stack(
            (low[:, 0], low[:, 1], high[:, 0], low[:, 1], high[:, 0], high[:, 1], low[:, 0], high[:, 1]), 1
        )
        n = len(points)
        records = make_proxies(np.full(n, AABB), points.reshape(-1, 2), 4 * np.arange(n + 1), np.zeros(n))
        return Shapes._of(Proxies(*records))

    def _one_way(self) -> OneWay:
        edges = chained(self._edges) + self._separate_edges
        made = [self._shapes(Form("line", (a, b)), "a one-way edge")[0] for a, b, _ in edges]
        sides = [(x, -y if self.y_up else y) for _, _, (x, y) in edges]
        return OneWay(Shapes(made), np.array(sides, dtype=np.float64).reshape(-1, 2) + 0.0)

    def _all_triggers(self) -> tuple[Trigger, ...]:
        found: list[Trigger] = []
        for use, called, layer in self._triggers:
            shape, *others = self._shapes(use.form, called)
            shape = Compound.from_parts([shape, *others]) if others else shape
            found.append(Trigger(use.name, shape, use.properties, use.kind or use.name, layer, use.id))
        return tuple(found)
