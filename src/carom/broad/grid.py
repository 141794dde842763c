"""Pairs of boxes by a grid, or by several for boxes of several sizes: each box in one cell, that of its lower corner.

In: boxes (n, 4) and the table of `grid_levels`. Out: pairs of row numbers whose boxes touch or overlap, each once, in
the order of the cells. Boxes are copied into that order first: neighbours in space become neighbours in memory, and the
cells of one row that a box has to search are one contiguous run.

Which cells a box has to search: a partner's lower corner lies at most the level's largest width before the box's own
lower side, and not behind its upper side. The number of a cell grows with the coordinate, rounding included, so no
partner is missed. Source of the hierarchy: B. Mirtich, "Efficient Algorithms for Two-Phase Collision Detection" (1997).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers, Rows32
from carom.broad.grid_levels import (
    CELLS_X,
    CELLS_Y,
    FIRST_CELL,
    HEIGHT,
    LARGEST_SIZE,
    ORIGIN_X,
    ORIGIN_Y,
    PER_X,
    PER_Y,
    WIDTH,
    cell_number,
)

ROW_WORK = 4  # passing through a row of cells counts as so many tests
SAMPLE = 256
"""Boxes that tell how long a search takes."""
ROOM = 4096
"""Pairs of each of them at most."""


class CellBoxes(NamedTuple):
    """Boxes in the order of their cells."""

    boxes: Floats
    """(n, 4)"""
    rows: Rows32
    """(n,) the input row of each."""
    starts: Rows32
    """(cells + 1,) where each cell begins."""
    level_ends: Integers
    """(levels,) where the boxes of each level end; none where the boxes only ask others."""
    crowding: float
    """How many boxes share the cell of a box, beside how many would if all were spread evenly."""


@kernel
def _number(bounds: Floats, levels: Floats, out_cells: Rows32, out_counts: Rows32) -> None:
    """Write the cell of each box, and how many boxes each cell has, one place further on."""
    last = levels.shape[0] - 1
    for row in range(bounds.shape[0]):
        x, y = bounds[row, 0], bounds[row, 1]
        level = 0
        if last > 0:
            size = max(bounds[row, 2] - x, bounds[row, 3] - y)
            while level < last and size > levels[level, LARGEST_SIZE]:
                level += 1
        column = cell_number(x, levels[level, ORIGIN_X], levels[level, PER_X], levels[level, CELLS_X])
        line = cell_number(y, levels[level, ORIGIN_Y], levels[level, PER_Y], levels[level, CELLS_Y])
        cell = int(levels[level, FIRST_CELL]) + line * int(levels[level, CELLS_X]) + column
        out_cells[row] = cell
        out_counts[cell + 1] += 1


@kernel
def _place(bounds: Floats, cells: Rows32, starts: Rows32, out_boxes: Floats, out_rows: Rows32) -> float:
    """Copy the boxes in the order of their cells; `starts`, one place further on, become where each cell begins.

    Return the sum of the squares of the cells' numbers of boxes.
    """
    begin, squares = 0, 0.0
    for cell in range(1, starts.shape[0]):
        count = starts[cell]
        starts[cell] = begin
        begin += count
        squares += float(count) * float(count)
    for row in range(bounds.shape[0]):
        cell = cells[row] + 1
        place = starts[cell]
        starts[cell] = place + 1
        out_rows[place] = row
        for k in range(4):
            out_boxes[place, k] = bounds[row, k]
    return squares


def file_in_cells(bounds: Floats, levels: Floats) -> CellBoxes:
    """Put boxes into the order of their cells."""
    n, cells = len(bounds), int(levels[-1, FIRST_CELL] + levels[-1, CELLS_X] * levels[-1, CELLS_Y])
    numbers, starts = np.empty(n, np.int32), np.zeros(cells + 1, np.int32)
    _number(bounds, levels, numbers, starts)
    boxes, rows = np.empty((n, 4)), np.empty(n, np.int32)
    squares = _place(bounds, numbers, starts, boxes, rows)
    cells_of_level = levels[:, CELLS_X] * levels[:, CELLS_Y]
    ends = starts[(levels[:, FIRST_CELL] + cells_of_level).astype(np.int64)].astype(np.int64)
    filed = ends.copy()
    filed[1:] -= ends[:-1]
    return CellBoxes(boxes, rows, starts, ends, squares / float((filed + filed**2 / cells_of_level).sum()))


@kernel
def search_cells(
    asking: CellBoxes,
    asked: CellBoxes,
    levels: Floats,
    begin: int,
    end: int,
    work: int,
    out_first: Rows32,
    out_second: Rows32,
) -> tuple[int, int, int]:
    """Write the partners of the asking boxes from `begin` to `end`.

    Where the asking boxes have levels they are the asked boxes themselves, and each pair is found once; boxes of
    another set have none. Return how many pairs were written, the first box without an answer (`end`, unless the room
    or the permitted work ran out), and the work that is left.
    """
    boxes, among_themselves = asked.boxes, asking.level_ends.shape[0] > 0
    own = 0
    count = 0
    for at in range(begin, end):
        while among_themselves and at >= asking.level_ends[own]:
            own += 1
        x0, y0, x1, y1 = asking.boxes[at, 0], asking.boxes[at, 1], asking.boxes[at, 2], asking.boxes[at, 3]
        row = asking.rows[at]
        before = count
        for level in range(own, levels.shape[0]):
            origin_x, per_x, cells_x = levels[level, ORIGIN_X], levels[level, PER_X], levels[level, CELLS_X]
            origin_y, per_y, cells_y = levels[level, ORIGIN_Y], levels[level, PER_Y], levels[level, CELLS_Y]
            left = cell_number(x0 - levels[level, WIDTH], origin_x, per_x, cells_x)
            right = cell_number(x1, origin_x, per_x, cells_x)
            # In its own level a box looks only at boxes that stand behind it.
            forward = among_themselves and level == own
            low = cell_number(y0 if forward else y0 - levels[level, HEIGHT], origin_y, per_y, cells_y)
            high = cell_number(y1, origin_y, per_y, cells_y)
            columns, first = int(cells_x), int(levels[level, FIRST_CELL])
            for line in range(low, high + 1):
                base = first + line * columns
                run = asked.starts[base + left]
                stop = asked.starts[base + right + 1]
                if forward and line == low:
                    run = at + 1
                work -= ROW_WORK + (stop - run)
                if count + (stop - run) > out_first.shape[0] or work < 0:
                    return before, at, work
                for other in range(run, stop):
                    # No branch: which boxes overlap cannot be foretold, and a wrong guess costs more than a test.
                    hit = (
                        (boxes[other, 0] <= x1)
                        & (boxes[other, 2] >= x0)
                        & (boxes[other, 1] <= y1)
                        & (boxes[other, 3] >= y0)
                    )
                    out_first[count] = row
                    out_second[count] = asked.rows[other]
                    count += 1 if hit else 0
    return count, end, work


@kernel
def _work_of_some(
    asking: CellBoxes, asked: CellBoxes, levels: Floats, step: int, work: int, first: Rows32, second: Rows32
) -> int:
    left = work
    for at in range(step // 2, asking.boxes.shape[0], step):
        left = search_cells(asking, asked, levels, at, at + 1, left, first, second)[2]
        if left < 0:
            break
    return work - left


def sampled_work(asking: CellBoxes, asked: CellBoxes, levels: Floats) -> float:
    """Return about how many tests a search takes for each box; of few boxes 0, because it is soon done."""
    step = len(asking.boxes) // SAMPLE
    if step < 8:
        return 0.0
    first, second = np.empty(ROOM, np.int32), np.empty(ROOM, np.int32)
    return _work_of_some(asking, asked, levels, step, 2**62, first, second) / (len(asking.boxes) // step)
