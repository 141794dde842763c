"""How many grids of which cells find the pairs among boxes with the least work: measured, then chosen by a cost model.

In: boxes (n, 4), lower x, y, upper x, y. Out: a table of levels, one grid each, fine to coarse. A box belongs to the
level that its longer side fits, is filed in one cell, that of its lower corner, and looks for partners in its own
level and in all coarser ones. One level is a plain grid; several are a hierarchical grid.

The model: to search a level costs some time for each row of cells passed through, and some for each box tested; the
boxes are taken as spread evenly over the area. Which sizes share a level is found by dynamic programming over classes
of sizes, each twice as large as the one before. Where the boxes are not spread evenly the model is wrong, which costs
time and never an answer; `all_pairs` bounds the time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import CELL_SLACK, LEAST_EXTENT

CLASSES = 64  # of sizes, each twice the next; sizes below 2**-63 of the largest are of the last class
CELLS_PER_BOX = 1.0  # more cells save tests and cost memory
ROW_COST = 6.0  # of passing through a row of cells, where a test costs 1
SAMPLE = 1024  # boxes that tell where nearly all lie
BEYOND = 0.25  # of the length on which nine tenths of them lie, cells go on so far on either side
ALIKE = 8.0  # the largest size is at most so many times the mean
FEW = 24.0  # a cost that does not repay looking at the sizes
EVEN = 1.25  # one grid is taken without looking at the sizes if it may cost this much more than one of equal sizes

# Columns of the table of levels.
LARGEST_SIZE, WIDTH, HEIGHT, ORIGIN_X, ORIGIN_Y, PER_X, PER_Y, CELLS_X, CELLS_Y, FIRST_CELL = range(10)
COLUMNS = 10


class Extent(NamedTuple):
    """The measures of boxes that one pass over them, and a sample of them, give."""

    boxes: int  # how many
    low_x: float  # between these lie the lower corners, but for far outliers
    high_x: float
    low_y: float
    high_y: float
    magnitude: float  # the largest coordinate
    width: float  # the largest
    height: float
    mean_width: float
    mean_height: float


@inner
def cell_number(value: float, origin: float, per: float, count: float) -> int:
    """Return the number of the cell along one axis; outside of all cells it is the first or the last."""
    return int(min(max((value - origin) * per, 0.0), count - 1.0))


@kernel
def _measure(bounds: Floats, largest: float, out: Floats) -> int:
    """Write the extent; return the first row that is no box with coordinates up to `largest`, or -1."""
    low_x = low_y = math.inf
    high_x = high_y = -math.inf
    magnitude = width = height = sum_x = sum_y = 0.0
    good = True
    for row in range(bounds.shape[0]):
        x0, y0, x1, y1 = bounds[row, 0], bounds[row, 1], bounds[row, 2], bounds[row, 3]
        good = good & (x0 <= x1) & (y0 <= y1)
        low_x, high_x, low_y, high_y = min(low_x, x0), max(high_x, x0), min(low_y, y0), max(high_y, y0)
        magnitude = max(magnitude, max(max(abs(x0), abs(x1)), max(abs(y0), abs(y1))))
        width, height = max(width, x1 - x0), max(height, y1 - y0)
        sum_x += x1 - x0
        sum_y += y1 - y0
    out[0], out[1], out[2], out[3], out[4] = low_x, high_x, low_y, high_y, magnitude
    out[5], out[6], out[7], out[8] = width, height, sum_x, sum_y
    if good and magnitude <= largest:
        return -1
    for row in range(bounds.shape[0]):
        x0, y0, x1, y1 = bounds[row, 0], bounds[row, 1], bounds[row, 2], bounds[row, 3]
        fits = max(max(abs(x0), abs(x1)), max(abs(y0), abs(y1))) <= largest
        if not (x0 <= x1 and y0 <= y1 and fits):
            return row
    return -1


def measure(bounds: Floats, largest: float) -> tuple[int, Extent]:
    """Return the first row that is not a box (or -1) and the extent of at least one box."""
    out, n = np.empty(9), len(bounds)
    bad = _measure(bounds, largest, out)
    out[7:] /= n
    if bad < 0 and n >= SAMPLE // 8 and out[4] < math.inf:
        for axis in range(2):
            # Boxes outside the cells are filed in the outermost ones: far outliers must not stretch the cells.
            some = bounds[:: max(1, n // SAMPLE), axis]
            ends = some.size // 20, some.size - 1 - some.size // 20
            low, high = np.partition(some, ends)[list(ends)]
            if high > low:
                out[2 * axis] = max(out[2 * axis], low - BEYOND * (high - low))
                out[2 * axis + 1] = min(out[2 * axis + 1], high + BEYOND * (high - low))
    return bad, Extent(n, *out.tolist())


# Columns of a class of sizes: largest width and height, their sums, and the lower corners' greatest -x, x, -y and y.
CLASS_COLUMNS = 8


@kernel
def _classify(bounds: Floats, largest: float, out_counts: Integers, out_sizes: Floats) -> None:
    """Write how many boxes each class of sizes has, and the columns above."""
    top = math.frexp(largest)[1]
    for row in range(bounds.shape[0]):
        width, height = bounds[row, 2] - bounds[row, 0], bounds[row, 3] - bounds[row, 1]
        size = max(width, height)
        rank = 0
        if size > 0.0:
            rank = max(0, CLASSES - 1 - (top - math.frexp(size)[1]))
        out_counts[rank] += 1
        out_sizes[rank, 0] = max(out_sizes[rank, 0], width)
        out_sizes[rank, 1] = max(out_sizes[rank, 1], height)
        out_sizes[rank, 2] += width
        out_sizes[rank, 3] += height
        x, y = bounds[row, 0], bounds[row, 1]
        out_sizes[rank, 4], out_sizes[rank, 5] = max(out_sizes[rank, 4], -x), max(out_sizes[rank, 5], x)
        out_sizes[rank, 6], out_sizes[rank, 7] = max(out_sizes[rank, 6], -y), max(out_sizes[rank, 7], y)


def classes_of(bounds: Floats, extent: Extent) -> tuple[Integers, Floats]:
    """Return how many boxes each class of sizes has, and the columns above."""
    counts, sizes = np.zeros(CLASSES, np.int64), np.zeros((CLASSES, CLASS_COLUMNS))
    sizes[:, 4:] = -np.inf
    _classify(bounds, max(extent.width, extent.height), counts, sizes)
    return counts, sizes


@inner
def _share(length: float, extent: float) -> float:
    return min(1.0, length / extent) if extent > length else 1.0


@inner
def cheapest_cells(
    boxes: float, span_x: float, span_y: float, extent_x: float, extent_y: float
) -> tuple[float, float, float]:
    """Return the least cost of one search, and the numbers of columns and rows of cells that have it.

    A search asks for all lower corners in a window of `span_x` by `span_y`.
    """
    most = CELLS_PER_BOX * boxes + 1.0
    share_x, share_y = _share(span_x, extent_x), _share(span_y, extent_y)
    best, best_x, best_y = math.inf, 1.0, 1.0
    rows = 1.0
    while rows <= most:
        columns = max(1.0, math.floor(most / rows))
        passed = min(rows, share_y * rows + 1.0)
        tested = boxes * min(1.0, share_x + 1.0 / columns) * min(1.0, share_y + 1.0 / rows)
        cost = ROW_COST * passed + tested
        if cost < best:
            best, best_x, best_y = cost, columns, rows
        rows = math.floor(rows * 1.25) + 1.0
    return best, best_x, best_y


@kernel
def _group(
    counts: Integers,
    sizes: Floats,
    askers: Floats,
    sums: Floats,
    extent: Floats,
    out_first: Integers,
) -> None:
    """Write for each class the first class of the group that it is the last of, so that all groups cost least.

    `askers` tells how many boxes search a level that ends with each class, `sums` their summed widths and heights, and
    `extent` the greatest -x, x, -y, y that cells may reach.
    """
    best = np.zeros(CLASSES + 1)
    for last in range(CLASSES):
        best[last + 1] = best[last]
        out_first[last] = last
        if counts[last] == 0:
            continue
        best[last + 1] = math.inf
        filed, width, height = 0.0, 0.0, 0.0
        left = right = low = high = -math.inf
        for first in range(last, -1, -1):
            if counts[first] == 0:
                continue
            filed += counts[first]
            width, height = max(width, sizes[first, 0]), max(height, sizes[first, 1])
            left, right = max(left, sizes[first, 4]), max(right, sizes[first, 5])
            low, high = max(low, sizes[first, 6]), max(high, sizes[first, 7])
            extent_x = max(0.0, min(right, extent[1]) + min(left, extent[0]))
            extent_y = max(0.0, min(high, extent[3]) + min(low, extent[2]))
            span_x, span_y = width + sums[last, 0] / askers[last], height + sums[last, 1] / askers[last]
            cost = best[first] + askers[last] * cheapest_cells(filed, span_x, span_y, extent_x, extent_y)[0]
            if cost < best[last + 1]:
                best[last + 1] = cost
                out_first[last] = first


@kernel
def _cells_of(
    boxes: float, span_x: float, span_y: float, extent_x: float, extent_y: float
) -> tuple[float, float, float]:
    return cheapest_cells(boxes, span_x, span_y, extent_x, extent_y)


def one_level(extent: Extent, askers: Extent | None = None) -> Floats:
    """Return the table of a single grid for the boxes of an extent."""
    who = extent if askers is None else askers
    return _table([extent], [(who.mean_width, who.mean_height)], extent.magnitude)


def choose_levels(bounds: Floats, extent: Extent, askers: Extent | None = None) -> Floats:
    """Return the table of the levels that cost least where all boxes ask, or another set of `askers`."""
    span_x, span_y = extent.high_x - extent.low_x, extent.high_y - extent.low_y
    who = extent if askers is None else askers
    alone = _cells_of(extent.boxes, extent.width + who.mean_width, extent.height + who.mean_height, span_x, span_y)[0]
    mean_x, mean_y = extent.mean_width + who.mean_width, extent.mean_height + who.mean_height
    # One giant makes even the mean large, so that its grid would look no better: few tests, or sizes that are alike.
    alike = extent.width <= ALIKE * extent.mean_width and extent.height <= ALIKE * extent.mean_height
    good = alike or alone <= FEW
    if good and alone <= EVEN * _cells_of(extent.boxes, mean_x, mean_y, span_x, span_y)[0]:
        return one_level(extent, askers)
    counts, sizes = classes_of(bounds, extent)
    first_of = np.zeros(CLASSES, np.int64)
    if askers is None:
        asking, sums = np.maximum(np.cumsum(counts), 1).astype(np.float64), np.cumsum(sizes[:, 2:4], axis=0)
    else:
        asking = np.full(CLASSES, float(askers.boxes))
        sums = np.tile(np.array([askers.mean_width, askers.mean_height]) * askers.boxes, (CLASSES, 1))
    edges = np.array([-extent.low_x, extent.high_x, -extent.low_y, extent.high_y])
    _group(counts, sizes, asking, sums, edges, first_of)
    groups, means = [], []
    last = CLASSES - 1
    while last >= 0:
        first = first_of.item(last)
        part = slice(first, last + 1)
        if counts[part].any():
            width, height, _, _, left, right, low, high = sizes[part].max(axis=0).tolist()
            groups.append(
                extent._replace(
                    boxes=int(counts[part].sum()),
                    low_x=max(-left, extent.low_x),
                    high_x=min(right, extent.high_x),
                    low_y=max(-low, extent.low_y),
                    high_y=min(high, extent.high_y),
                    width=width,
                    height=height,
                )
            )
            means.append(tuple((sums[last] / asking[last]).tolist()))
        last = first - 1
    return _table(groups[::-1], means[::-1], extent.magnitude)


def _table(groups: list[Extent], askers: list[tuple[float, float]], magnitude: float) -> Floats:
    table = np.zeros((len(groups), COLUMNS))
    # Rounded differences of coordinates decide which cells are searched: the slack is larger than their errors.
    slack = CELL_SLACK * magnitude
    cells = 0.0
    for level, (group, (mean_x, mean_y)) in enumerate(zip(groups, askers, strict=True)):
        span_x, span_y = max(0.0, group.high_x - group.low_x), max(0.0, group.high_y - group.low_y)
        _, columns, rows = _cells_of(group.boxes, group.width + mean_x, group.height + mean_y, span_x, span_y)
        columns = columns if span_x > LEAST_EXTENT else 1.0
        rows = rows if span_y > LEAST_EXTENT else 1.0
        table[level] = (
            max(group.width, group.height),
            group.width + slack,
            group.height + slack,
            group.low_x,
            group.low_y,
            columns / span_x if columns > 1.0 else 0.0,
            rows / span_y if rows > 1.0 else 0.0,
            columns,
            rows,
            cells,
        )
        cells += columns * rows
    return table
