"""The rows of an index, which may change, come and go: their slots in the search tree, and their shapes as values.

In: records with row numbers and layers, or sets of shapes, later others for some rows, more rows, rows to take out.
Out: a `Tree` that kernels read, always current, and the present shapes of any rows. Row numbers never change and are
never given twice; those that went take no room. A row that changes keeps its slot, and the boxes above are fitted
anew; a new row takes the next slot at the end. When that has spread the leaves out too far, or used up the room,
everything is put in order again. Shapes are kept in the sets that came in, which are put together only when a set is
asked for, or when too many rows of them are no longer present. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import kernel
from carom._core.jit.addresses import Table
from carom._core.types import Floats, Integers
from carom.broad.by_row import GONE, ByRow
from carom.broad.single import table_of
from carom.broad.tree import BLOCK, CHILDREN, Tree, fill, first_leaf, measure_leaves, order_of, refit
from carom.broad.tree_circles import boxes_of, forget_node_circles, with_node_circles, write_circles
from carom.broad.tree_grid import Grid, grid_over, no_grid
from carom.shapes.basic import ConvexShape
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.shapes.proxy_writers import starts_of
from carom.shapes.set import Shapes
from carom.shapes.set_rows import inputs_of, owner_of

SPARE = 4
"""One slot in so many is kept free for rows to come."""

LEAST_SPARE = 64

LEAST_GONE = 256
"""So many rows that went are kept in columns by row, and as many as are in use."""

RAYS_A_ROW = 8
"""A grid is laid out once there is a ray for so many rows; before, the tree costs less than that."""

SPREAD = 2.0
"""Leaves may grow so many times longer, all together, before everything is put in order again."""

NOTHING = (math.inf, math.inf, -math.inf, -math.inf)
"""The box of a free slot: it meets no box, and no path comes to it."""


@kernel
def copy_records(records: Floats, starts: Integers, rows: Integers, out_starts: Integers, out: Floats) -> None:
    """Copy the records of some rows, in that order, to the places given."""
    for k in range(rows.shape[0]):
        begin, at = starts[rows[k]], out_starts[k]
        for place in range(POINTS + STRIDE * int(records[begin + COUNT])):
            out[at + place] = records[begin + place]


class Slots:
    """Shapes by slot, with the tree above them, and a grid where rays gain by one."""

    tree: Tree
    """Read by kernels; another one after every change."""
    _grid: Grid
    _rays: float
    _prepared: bool
    _changed_circles: bool
    _table: Table | None = None

    def __init__(self, records: Floats, starts: Integers, layers: Integers, method: str = "auto") -> None:
        self._method = method
        self.slot_of = ByRow(np.arange(starts.size))
        self._build(records, starts, np.arange(starts.size), layers)

    def _build(self, records: Floats, starts: Integers, rows: Integers, layers: Integers) -> None:
        """Put these shapes in order, and room behind them."""
        boxes = boxes_of(records, starts)
        order = order_of(boxes)
        count = rows.size
        room = count + count // SPARE + LEAST_SPARE
        sizes = _sizes(records, starts)[order]
        used = int(sizes.sum())
        own = np.empty(used + used // SPARE + LEAST_SPARE * (POINTS + STRIDE * 4))
        own_starts, own_rows, own_layers = (np.zeros(room, dtype=np.int64) for _ in range(3))
        own_starts[:count] = starts_of(sizes)
        copy_records(records, starts, order, own_starts, own)
        own_rows[:count], own_rows[count:] = rows[order], -1
        own_layers[:count] = layers[order]
        circles, corners = np.zeros((2, room, 4))
        write_circles(own, own_starts[:count], circles, corners)
        leaf = first_leaf(room)
        nodes = leaf + (room + CHILDREN - 1) // CHILDREN
        tree_boxes, least = np.empty(nodes * BLOCK), np.empty(nodes, dtype=np.int64)
        fill(boxes[order], own_rows, leaf, tree_boxes, least)
        nothing: tuple[Floats, Integers] = np.empty(0), np.empty(0, dtype=np.int64)
        bare = Tree(tree_boxes, least, leaf, own, own_starts, own_rows, own_layers, circles, corners, *nothing)
        self.tree = with_node_circles(bare, count)
        self.slot_of[own_rows[:count]] = np.arange(count)
        self._change(own_rows[:0])
        self._changed_circles = False
        self.used, self._filled, self.live = count, used, count
        self._changed = 0
        self._length = measure_leaves(tree_boxes, leaf, count)

    @property
    def rows(self) -> Integers:
        """The row numbers in use, ascending."""
        return self.slot_of.where(np.flatnonzero(self.slot_of.values >= 0))

    def prepare(self, rays: float) -> Grid:
        """Make ready for so many rays, or questions worth as much; return the grid, without cells if none pays."""
        self._rays += rays
        if not self._prepared and (RAYS_A_ROW * self._rays >= self.live or self._method == "grid"):
            if self._changed_circles:
                self.tree, self._changed_circles = with_node_circles(self.tree, self.used), False
            if self._method != "tree":
                self._grid = grid_over(self.tree, self.used)
            self._table, self._prepared = None, True
        return self._grid

    def table(self) -> Table:
        """Make ready for one question; return tree and grid as one table."""
        table = self._table
        if not self._prepared:
            self.prepare(1.0)
            table = self._table
        if table is None:
            table = self._table = table_of(self.tree, self._grid)
        return table

    def _change(self, slots: Integers) -> None:
        """A change makes the grid stale, and some circles; they are made again when there are rays enough."""
        self._grid = no_grid()
        self._table, self._prepared, self._rays = None, False, 0.0
        forget_node_circles(self.tree, slots)
        self._changed_circles = True

    @property
    def plan(self) -> str:
        """How the shapes are kept, in words."""
        levels, nodes = 1, self.tree.leaf
        while nodes > 0:
            levels, nodes = levels + 1, (nodes - 1) // CHILDREN
        free = self.used - self.live
        rays = f"none laid out: fewer rays than one for {RAYS_A_ROW} rows since the last change"
        if self._method == "tree":
            rays = "none, as asked"
        elif self._grid.columns > 0:
            rays = (
                f"{self._grid.columns} by {self._grid.lines} cells of {self._grid.cell:.4g}, sizes and places are even"
            )
        elif self._prepared:
            rays = "none: sizes or places are too uneven for cells of one size, or the rows too few"
        return (
            f"a tree of {self.live} rows, {CHILDREN} children a node, {levels} levels, split at medians: no sizes or"
            f" places are bad for it; {free} slots are empty, leaves measure {self._length:.4g} in all;"
            f" cells for rays and regions: {rays}"
        )

    def records_of(self, slots: Integers) -> tuple[Floats, Integers]:
        """Return the records of some slots, as buffer and starts."""
        sizes = _sizes(self.tree.records, self.tree.starts[slots])
        buffer, starts = np.empty(int(sizes.sum())), starts_of(sizes)
        copy_records(self.tree.records, self.tree.starts, slots, starts, buffer)
        return buffer, starts

    def replace(self, rows: Integers, records: Floats, starts: Integers) -> None:
        """Give rows in use other shapes."""
        slots = self.slot_of[rows]
        sizes = _sizes(records, starts)
        moved = sizes > _sizes(self.tree.records, self.tree.starts[slots])
        if moved.any():
            self._reserve(slots[moved], sizes[moved])
        self._write(slots, records, starts)
        self._look_after(rows.size)

    def append(self, records: Floats, starts: Integers, layers: Integers) -> Integers:
        """Take in more shapes; return their row numbers."""
        count, first = starts.size, self.slot_of.size
        rows = np.arange(first, first + count)
        self.slot_of.append(np.full(count, GONE))
        if self.used + count > self.tree.rows.size:
            self.rebuild((records, starts, rows, layers))
            return rows
        order = order_of(boxes_of(records, starts))
        slots = self.used + np.arange(count)
        self._reserve(slots, _sizes(records, starts)[order])
        self.tree.rows[slots], self.tree.layers[slots] = rows[order], layers[order]
        self.slot_of[rows[order]] = slots
        self.used += count
        self.live += count
        self._write(slots, records, starts[order])
        self._look_after(CHILDREN * count)
        return rows

    def take_out(self, rows: Integers) -> bool:
        """Take rows in use out; their numbers stay unused. Tell whether columns by row are to drop those that went."""
        slots = self.slot_of[rows]
        self.slot_of[rows] = GONE
        self.tree.rows[slots], self.tree.layers[slots] = -1, 0
        nothing = np.tile(NOTHING, (slots.size, 1))
        refit(slots, nothing, self.tree.rows, self.tree.leaf, self.tree.boxes, self.tree.least)
        self.live -= rows.size
        self._change(slots)
        if 2 * self.live + LEAST_SPARE < self.used:
            self.rebuild()
        drops = self.slot_of.kept > 2 * self.live + LEAST_GONE
        if drops:
            self.slot_of.keep(self.rows)
        return drops

    def rebuild(self, more: tuple[Floats, Integers, Integers, Integers] | None = None) -> None:
        """Put everything in order again, together with more records, starts, rows and layers."""
        slots = np.flatnonzero(self.tree.rows >= 0)
        records, starts = self.records_of(slots)
        rows, layers = self.tree.rows[slots], self.tree.layers[slots]
        if more is not None:
            starts = np.append(starts, more[1] + records.size)
            records = np.append(records, more[0])
            rows, layers = np.append(rows, more[2]), np.append(layers, more[3])
        self._build(records, starts, rows, layers)

    def _look_after(self, changes: int) -> None:
        """Put everything in order again if changes have spread the leaves out; looked at now and then."""
        self._changed += changes
        if CHILDREN * self._changed > self.used:
            self._changed = 0
            if measure_leaves(self.tree.boxes, self.tree.leaf, self.used) > SPREAD * self._length:
                self.rebuild()

    def _reserve(self, slots: Integers, sizes: Integers) -> None:
        """Give slots room of these sizes behind all records."""
        begin, self._filled = self._filled, self._filled + int(sizes.sum())
        if self._filled > self.tree.records.size:
            longer = np.empty(2 * self._filled)
            longer[:begin] = self.tree.records[:begin]
            self.tree = self.tree._replace(records=longer)
        self.tree.starts[slots] = begin + starts_of(sizes)

    def _write(self, slots: Integers, records: Floats, starts: Integers) -> None:
        """Write records into slots that have room for them, and fit the tree."""
        self._change(slots)
        tree = self.tree
        copy_records(records, starts, np.arange(starts.size), tree.starts[slots], tree.records)
        circles, corners = np.empty((2, slots.size, 4))
        write_circles(records, starts, circles, corners)
        tree.circles[slots], tree.corners[slots] = circles, corners
        refit(slots, boxes_of(records, starts), tree.rows, tree.leaf, tree.boxes, tree.least)


def _sizes(records: Floats, starts: Integers) -> Integers:
    """Return how many numbers each record has."""
    return POINTS + STRIDE * records[starts + COUNT].astype(np.int64)


STALE = 4
"""So many times as many rows as are in use may be kept before they are put together."""

LEAST_STALE = 2_000

MOST_VALUES = 50_000
"""Shapes that are kept as values, about 500 bytes each."""


class RowShapes:
    """The present shape of every row in use.

    What reading makes ready, several threads may make at once: it is put in place by one assignment.
    """

    def __init__(self, shapes: Shapes) -> None:
        self._kept: tuple[list[Shapes], ByRow, int] = [shapes], ByRow(np.arange(len(shapes))), len(shapes)
        self._values: dict[int, ConvexShape] = {}
        self.owner = ByRow(np.array(owner_of(shapes._proxies), dtype=np.int64))
        """For each row the number of the thing it belongs to."""
        self._things = inputs_of(shapes._proxies)
        self.shared = shapes._proxies.owner is not None
        """Whether several rows may be of one thing."""

    def of(self, rows: Integers) -> Shapes:
        """Return the shapes of some rows."""
        sets, places, _ = self._kept
        if len(sets) > 1 or len(sets[0]) != places.kept:
            sets, places = self._put_together(sets, places)
        shapes, at = sets[0], places[rows]
        return shapes if rows.size == len(shapes) and (at == np.arange(rows.size)).all() else shapes[at]

    def of_row(self, row: int) -> ConvexShape:
        """Return the shape of one row: the same value each time, since making one takes longer than finding it."""
        value = self._values.get(row)
        if value is None:
            if len(self._values) >= MOST_VALUES:
                self._values.clear()
            sets, places, _ = self._kept
            value = self._values[row] = self._value(sets, int(places[np.array(row)]))
        return value

    def _value(self, sets: list[Shapes], place: int) -> ConvexShape:
        for shapes in sets:
            if place < len(shapes):
                return shapes[place]
            place -= len(shapes)
        raise IndexError(place)

    def replace(self, rows: Integers, shapes: Shapes) -> None:
        """Give rows other shapes; row numbers one beyond the last are new rows."""
        sets, places, count = self._kept
        if (new := np.zeros(int((rows >= places.size).sum()), dtype=np.int64)).size:
            places.append(new)
            self.owner.append(new)
        places[rows] = count + np.arange(rows.size)
        sets.append(shapes)
        count += rows.size
        self._kept = sets, places, count
        self._values.clear()
        self.owner[rows] = self._things + owner_of(shapes._proxies)
        self._things += inputs_of(shapes._proxies)
        self.shared = self.shared or shapes._proxies.owner is not None
        if count > STALE * places.kept + LEAST_STALE:
            self._put_together(sets, places)

    def keep(self, rows: Integers) -> None:
        """Drop all rows but these, which are ascending."""
        sets, places, count = self._kept
        places.keep(rows)
        self.owner.keep(rows)
        self._values.clear()
        if count > STALE * places.kept + LEAST_STALE:
            self._put_together(sets, places)

    def settle(self) -> None:
        """Put all shapes in use together."""
        sets, places, _ = self._kept
        if len(sets) > 1 or len(sets[0]) != places.kept:
            self._put_together(sets, places)

    def _put_together(self, sets: list[Shapes], places: ByRow) -> tuple[list[Shapes], ByRow]:
        together = [Shapes.concatenate(sets)[places.values]]
        counted = places.renumbered()
        self._kept = together, counted, counted.kept
        return together, counted
