"""Pairs of boxes by strips: for sizes and places as uneven as they like, as long as the pairs are not too many.

In: boxes (n, 4), of one set or two. Out: pairs of row numbers whose boxes touch or overlap, each once. Boxes are put
into levels of like sizes. A level is cut into strips as high as its boxes, and in each strip the boxes stand in the
order of their lower x: only strips that hold something exist, so that empty space costs nothing, and crowds lie as fine
as their own boxes. A box looks for partners in its own level and in all coarser ones. Strips and boxes both ascend, so
that the places to look at are found by going on from the last ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers, Rows32
from carom.broad.grid_levels import CLASSES, Extent, cell_number, classes_of
from carom.broad.sweep import exponential_search
from carom.tolerances import CELL_SLACK, LEAST_EXTENT

TOGETHER = 2  # classes of sizes, each twice as large as the one before, that share a level
STRIPS = 2**26  # in a level at most; boxes outside belong to the first or the last
PLACES = 2.0**32  # along a strip, within which the order of the boxes is not told

# A key is the level, then 26 bits of the strip, then 32 bits of the place. Columns of the table of levels:
WIDTH, HEIGHT, ORIGIN_X, ORIGIN_Y, PER_X, PER_Y = range(6)


class StripBoxes(NamedTuple):
    """Boxes in the order of their strips."""

    keys: Integers
    """(n,) ascending"""
    boxes: Floats
    """(n, 4)"""
    rows: Rows32
    """(n,) the input row of each."""
    starts: Integers
    """(strips + 1,) where each strip that holds something begins."""
    first_strips: Integers
    """(levels + 1,) the first of the strips of each level, and how many there are."""
    table: Floats
    """(levels, 6)"""
    sizes: Floats
    """(levels,) the longest side."""


@inner
def strip_of(y: float, table: Floats, level: int) -> int:
    """Return the number of the strip at a height."""
    return cell_number(y, table[level, ORIGIN_Y], table[level, PER_Y], STRIPS)


@inner
def place_of(x: float, table: Floats, level: int) -> int:
    """Return the place along a strip."""
    return cell_number(x, table[level, ORIGIN_X], table[level, PER_X], PLACES)


@kernel
def _write_keys(bounds: Floats, table: Floats, sizes: Floats, out_keys: Integers) -> None:
    last = sizes.shape[0] - 1
    for row in range(bounds.shape[0]):
        x, y = bounds[row, 0], bounds[row, 1]
        size = max(bounds[row, 2] - x, bounds[row, 3] - y)
        level = 0
        while level < last and size > sizes[level]:
            level += 1
        out_keys[row] = ((level * STRIPS + strip_of(y, table, level)) << 32) + place_of(x, table, level)


def file_in_strips(bounds: Floats, extent: Extent) -> StripBoxes:
    """Put boxes into the order of their strips."""
    counts, columns = classes_of(bounds, extent)
    slack = CELL_SLACK * extent.magnitude
    levels, sizes = [], []
    for end in range(CLASSES % TOGETHER or TOGETHER, CLASSES + 1, TOGETHER):
        part = slice(max(0, end - TOGETHER), end)
        if not counts[part].any():
            continue
        width, height, _, _, left, right, low, high = columns[part].max(axis=0).tolist()
        origin_x, origin_y = max(-left, extent.low_x), max(-low, extent.low_y)
        span_x, span_y = min(right, extent.high_x) - origin_x, min(high, extent.high_y) - origin_y
        strip = max(height, span_y / STRIPS)
        per_x = PLACES / span_x if span_x > PLACES * LEAST_EXTENT else 0.0
        levels.append(
            (width + slack, height + slack, origin_x, origin_y, per_x, 1.0 / strip if strip > LEAST_EXTENT else 0.0)
        )
        sizes.append(max(width, height))
    table, longest = np.array(levels), np.array(sizes)
    keys = np.empty(len(bounds), np.int64)
    _write_keys(bounds, table, longest, keys)
    order = np.argsort(keys)
    keys = keys[order]
    strips = keys >> 32
    starts = np.flatnonzero(np.append(True, strips[1:] != strips[:-1]))
    first_strips = np.searchsorted(strips[starts], np.arange(len(levels) + 1) * STRIPS)
    starts = np.append(starts, len(keys))
    return StripBoxes(keys, bounds[order], order.astype(np.int32), starts, first_strips, table, longest)


@kernel
def search_strips(
    asking: StripBoxes,
    asked: StripBoxes,
    level: int,
    same: bool,
    begin: int,
    end: int,
    work: int,
    out_asking: Rows32,
    out_asked: Rows32,
) -> tuple[int, int, int]:
    """Write the partners that the asking strips from `begin` to `end` have in a level of the asked boxes.

    With `same` it is their own level, where each pair is found once. Return how many pairs were written, the first
    strip without an answer (`end`, unless the room or the permitted work ran out), and the work that is left.
    """
    keys, boxes, starts, table = asked.keys, asked.boxes, asked.starts, asked.table
    first, last = asked.first_strips[level], asked.first_strips[level + 1]
    count, room = 0, out_asked.shape[0]
    width, height = table[level, WIDTH], table[level, HEIGHT]
    begin_other = first
    for strip in range(begin, end):
        before = count
        own_begin, own_end = asking.starts[strip], asking.starts[strip + 1]
        lowest, highest = asking.boxes[own_begin, 1], asking.boxes[own_begin, 3]
        for at in range(own_begin + 1, own_end):
            lowest, highest = min(lowest, asking.boxes[at, 1]), max(highest, asking.boxes[at, 3])
        lowest_strip = level * STRIPS + strip_of(lowest - height, table, level)
        while begin_other < last and (keys[starts[begin_other]] >> 32) < lowest_strip:
            begin_other += 1
        if same:
            begin_other = strip
        highest_strip = level * STRIPS + strip_of(highest, table, level)
        for other in range(begin_other, last):
            number = keys[starts[other]] >> 32
            if number > highest_strip:
                break
            own = same and other == strip
            run, stop, before_last = starts[other], starts[other + 1], 0
            for at in range(own_begin, own_end):
                x0, y0, x1, y1 = asking.boxes[at, 0], asking.boxes[at, 1], asking.boxes[at, 2], asking.boxes[at, 3]
                if own:
                    run = at + 1
                else:
                    if level * STRIPS + strip_of(y1, table, level) < number:
                        continue
                    if not same and level * STRIPS + strip_of(y0 - height, table, level) > number:
                        continue
                    nearest = (number << 32) + place_of(x0 - width, table, level)
                    # Boxes of one place stand in any order.
                    run = exponential_search(keys, run if nearest >= before_last else starts[other], stop, nearest)
                    before_last = nearest
                farthest, k = (number << 32) + place_of(x1, table, level), run
                while k < stop and keys[k] <= farthest:
                    if count == room:
                        return before, strip, work
                    hit = (boxes[k, 0] <= x1) & (boxes[k, 2] >= x0) & (boxes[k, 1] <= y1) & (boxes[k, 3] >= y0)
                    out_asking[count], out_asked[count] = asking.rows[at], asked.rows[k]
                    count += 1 if hit else 0
                    k += 1
                work -= 1 + k - run
                if work < 0:
                    return before, strip, work
    return count, end, work
