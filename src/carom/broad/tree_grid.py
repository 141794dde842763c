"""A grid of cells over the slots of a tree, for shapes of like sizes evenly spread: to walk through and to look up.

In: a tree. Out: for each cell the slots whose boxes reach into it, with these boxes; or an empty grid where sizes or
places are so uneven that the tree is quicker. World frame, user's units.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers, Rows32
from carom.broad.grid_levels import cell_number
from carom.broad.tree import BLOCK, CHILDREN, Tree, slots_that_meet
from carom.narrow.slab import Box4

MARGIN = 2.0**-12
"""Shapes are listed in cells so near, in cells: more than the rounding of a walk from at most FAR cells away."""

FAR = 2.0**32
"""Cells: from farther away, or at coordinates so large, the margin might not cover all rounding."""

CROWDED = 12.0
"""The most shapes that a listed shape may share its cell with, on average; with more the tree is quicker."""

REPEATED = 4
"""The most cells that a shape may be listed in, on average."""

SIZES = 2.0
"""A cell is at least so many median sizes wide, and wide enough that there are no more cells than shapes."""

FEWEST = 32
"""With fewer shapes the tree has two levels, and there is nothing to gain."""

MOST = 2**28
"""With more shapes entries would not fit into 32 bits."""

FEW_CELLS = 64
"""A box that reaches into more cells is looked up in the tree."""

# An entry of a cell is 4 times the slot, plus 1 if the box comes from a cell to the left, plus 2 if from one below.
PLACES, FROM_LEFT, FROM_BELOW = 4, 1, 2


class Grid(NamedTuple):
    """Cells in rows from the lowest, and the slots listed in each; without columns if there is none."""

    x: float
    """Where the first cell begins."""
    y: float
    cell: float
    """The width and height of a cell."""
    per: float
    """One over it."""
    columns: int
    lines: int
    first: Rows32
    """(cells + 1,) where each cell's entries begin."""
    entries: Rows32
    boxes: Floats
    """(4 * entries,) the box of each: least x, least y, greatest x, greatest y."""


def no_grid() -> Grid:
    """Return the grid that has no cells."""
    return Grid(0.0, 0.0, 1.0, 1.0, 0, 0, np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0))


@kernel
def _measure(boxes: Floats, out_sizes: Floats) -> tuple[int, float, float, float, float]:
    """Write the greater extent of each box that is there; return how many there are, and the bounds of all."""
    count = 0
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    for slot in range(boxes.shape[0]):
        left, low, right, high = boxes[slot, 0], boxes[slot, 1], boxes[slot, 2], boxes[slot, 3]
        if left < math.inf:
            low_x, low_y, high_x, high_y = min(low_x, left), min(low_y, low), max(high_x, right), max(high_y, high)
            out_sizes[count] = max(right - left, high - low)
            count += 1
    return count, low_x, low_y, high_x, high_y


@kernel
def _count_or_list(
    boxes: Floats, grid: Grid, listing: bool, out_first: Rows32, out_entries: Rows32, out_boxes: Floats
) -> int:
    """Count the entries of each cell into `out_first`, or list them and move it on; return how many there are."""
    total, used = 0, boxes.shape[0]
    room = MARGIN * grid.cell
    for slot in range(used):
        if boxes[slot, 0] == math.inf:
            continue
        left = cell_number(boxes[slot, 0] - room, grid.x, grid.per, grid.columns)
        low = cell_number(boxes[slot, 1] - room, grid.y, grid.per, grid.lines)
        right = cell_number(boxes[slot, 2] + room, grid.x, grid.per, grid.columns)
        high = cell_number(boxes[slot, 3] + room, grid.y, grid.per, grid.lines)
        total += (right - left + 1) * (high - low + 1)
        if not listing and total > REPEATED * used:
            return total
        for line in range(low, high + 1):
            for column in range(left, right + 1):
                place = line * grid.columns + column
                if listing:
                    from_left, from_below = FROM_LEFT if column > left else 0, FROM_BELOW if line > low else 0
                    entry = out_first[place]
                    out_entries[entry] = PLACES * slot + from_left + from_below
                    for side in range(4):
                        out_boxes[4 * entry + side] = boxes[slot, side]
                out_first[place] += 1
    return total


def grid_over(tree: Tree, used: int) -> Grid:
    """Return a grid over the shapes of a tree, one without cells where sizes or places are too uneven."""
    leaves = tree.boxes[tree.leaf * BLOCK :].reshape(-1, 4, CHILDREN)
    leaves = leaves[: (used + CHILDREN - 1) // CHILDREN]
    return grid_of_boxes(np.column_stack([leaves[:, side].reshape(-1)[:used] for side in range(4)]))


def grid_of_boxes(boxes: Floats) -> Grid:
    """Return a grid over boxes (n, 4), whose least x is infinite where a slot is free, or one without cells."""
    used = len(boxes)
    sizes = np.empty(used)
    count, low_x, low_y, high_x, high_y = _measure(boxes, sizes)
    if count < FEWEST or used > MOST:
        return no_grid()
    wide, high = high_x - low_x, high_y - low_y
    middle = float(np.median(sizes[:count]))
    cell = max(SIZES * middle, math.sqrt(wide / count) * math.sqrt(high), wide / count, high / count)
    if not max(abs(low_x), abs(low_y), wide, high) < FAR * cell < math.inf or 1.0 / cell == math.inf:
        return no_grid()
    # A cell's width of air on all sides.
    columns, lines = int(wide / cell) + 3, int(high / cell) + 3
    counts = np.zeros(columns * lines + 1, dtype=np.int32)
    grid = no_grid()._replace(x=low_x - cell, y=low_y - cell, cell=cell, per=1.0 / cell, columns=columns, lines=lines)
    total = _count_or_list(boxes, grid, False, counts, grid.entries, grid.boxes)
    if total > REPEATED * used or float((counts.astype(np.float64) ** 2).sum()) > CROWDED * total:
        return no_grid()
    first = np.append(0, np.cumsum(counts[:-1])).astype(np.int32)
    entries, listed = np.empty(total, dtype=np.int32), np.empty(4 * total)
    _count_or_list(boxes, grid, True, first[:-1].copy(), entries, listed)
    return grid._replace(first=first, entries=entries, boxes=listed)


@inner
def cells_of(grid: Grid, box: Box4) -> tuple[int, int, int, int]:
    """Return the first column and line that a box reaches into, and the last ones."""
    low_x, low_y, high_x, high_y = box
    left = cell_number(low_x, grid.x, grid.per, grid.columns)
    right = cell_number(high_x, grid.x, grid.per, grid.columns)
    low, high = cell_number(low_y, grid.y, grid.per, grid.lines), cell_number(high_y, grid.y, grid.per, grid.lines)
    return left, low, right, high


@inner
def reaches_into_few(grid: Grid, box: Box4) -> bool:
    """Tell whether a box reaches into few cells."""
    left, low, right, high = cells_of(grid, box)
    return (right - left + 1) * (high - low + 1) <= FEW_CELLS


@inner
def slots_near(tree: Tree, grid: Grid, box: Box4, found: int, out: Integers) -> int:
    """Write the slots whose boxes meet a box from place `found` on; return where they end, -1 if there is no room."""
    if grid.columns == 0 or not reaches_into_few(grid, box):
        return slots_that_meet(tree, box, found, out)
    return slots_in_cells(grid, box, found, out)


@inner
def slots_in_cells(grid: Grid, box: Box4, found: int, out: Integers) -> int:
    """Do the same by the cells that a box reaches into."""
    low_x, low_y, high_x, high_y = box
    left, low, right, high = cells_of(grid, box)
    for line in range(low, high + 1):
        for column in range(left, right + 1):
            place = line * grid.columns + column
            run, stop = grid.first[place], grid.first[place + 1]
            if found + (stop - run) > out.shape[0]:
                return -1
            # A box that reaches in from a cell that was looked at before was found there.
            known = (FROM_LEFT if column > left else 0) | (FROM_BELOW if line > low else 0)
            for k in range(run, stop):
                # No branch: which boxes meet cannot be foretold, and a wrong guess costs more than a test.
                entry = grid.entries[k]
                meets = (
                    (grid.boxes[4 * k] <= high_x)
                    & (grid.boxes[4 * k + 1] <= high_y)
                    & (grid.boxes[4 * k + 2] >= low_x)
                    & (grid.boxes[4 * k + 3] >= low_y)
                    & ((entry & known) == 0)
                )
                out[found] = entry // PLACES
                found += 1 if meets else 0
    return found
