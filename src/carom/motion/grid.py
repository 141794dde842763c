"""Where parts stand, for finding what may be met: a grid of cells for each power of two of sizes, in one hash table.

In: the bounds of parts, which hold until each body's horizon. Out: for some bounds the parts whose own bounds overlap
them. A part stands in the cell of its centre, on the level whose cells are at least as large as its bounds and less
than twice as large, so that a search visits few cells on each level in use, whatever the sizes; where the cells would
outnumber the parts it goes through the parts instead. A part that moves on within its cell costs nothing.
"""

from __future__ import annotations

import math

import numpy as np

from carom._jit import inner
from carom._typing import Integers
from carom.motion.tables import MOST_LEVELS, Record, Table

MIDDLE = MOST_LEVELS // 2  # the level whose cells have size 1
PER_UNIT = np.ldexp(1.0, MIDDLE - np.arange(MOST_LEVELS))
"""1 / the width of the cells of each level."""
BITS = 0x1FFFFFF
FARTHEST = 2.0**60  # a part's bounds are wider than 2**-48 of its coordinates, so nothing stands there


@inner
def row_of(place: float) -> int:
    """Return the number of the row of cells at a place."""
    return math.floor(max(min(place, FARTHEST), -FARTHEST))


@inner
def cell_of(level: int, x: int, y: int) -> int:
    """Return one number for a cell; only cells 2**25 apart share one, farther than any search reaches."""
    return (level << 50) | ((x & BITS) << 25) | (y & BITS)


@inner
def bucket_of(cell: int, buckets: int) -> int:
    """Return where a cell's list begins in the hash table; no product here leaves 63 bits."""
    mixed = ((cell >> 25) & BITS) * 73856093 + (cell & BITS) * 19349663 + (cell >> 50) * 83492791
    return (mixed ^ (mixed >> 17)) & (buckets - 1)


@inner
def place(state: Record, parts: Table, cells: Integers, levels: Integers, p: int) -> None:
    """Put a part into the cell of its bounds, or leave it where it stands."""
    part = parts[p]
    size = max(part.high_x - part.low_x, part.high_y - part.low_y)
    level = max(part.cell, 0) >> 50
    if not 0.5 <= size * PER_UNIT[level] < 1.0:
        _, exponent = math.frexp(size)
        level = max(1, min(exponent + MIDDLE, MOST_LEVELS - 1))
    half = 0.5 * PER_UNIT[level]
    cell = cell_of(level, row_of((part.low_x + part.high_x) * half), row_of((part.low_y + part.high_y) * half))
    if part.cell == cell:
        return
    take_out(state, parts, cells, levels, p)
    bucket = bucket_of(cell, cells.shape[0])
    first = cells[bucket]
    cells[bucket] = p
    part.cell, part.next, part.previous = cell, first, -1
    if first >= 0:
        parts[first].previous = p
    if levels[level] == 0:
        levels[MOST_LEVELS + state.levels] = level
        state.levels += 1
    levels[level] += 1


@inner
def take_out(state: Record, parts: Table, cells: Integers, levels: Integers, p: int) -> None:
    """Take a part out of the grid, if it stands there."""
    part = parts[p]
    cell, after, before = part.cell, part.next, part.previous
    if cell < 0:
        return
    if before >= 0:
        parts[before].next = after
    else:
        cells[bucket_of(cell, cells.shape[0])] = after
    if after >= 0:
        parts[after].previous = before
    part.cell = -1
    level = cell >> 50
    levels[level] -= 1
    if levels[level] == 0:
        state.levels -= 1
        for k in range(MOST_LEVELS, MOST_LEVELS + state.levels):
            if levels[k] == level:
                levels[k] = levels[MOST_LEVELS + state.levels]


@inner
def overlap(p: Record, q: Record) -> bool:
    """Tell whether the bounds of two parts touch or overlap."""
    return bool(p.low_x <= q.high_x and q.low_x <= p.high_x and p.low_y <= q.high_y and q.low_y <= p.high_y)


@inner
def find_near(state: Record, parts: Table, cells: Integers, levels: Integers, p: int, near: Integers) -> int:
    """Write the parts whose bounds overlap a part's into `near`, itself included; return how many."""
    count = 0
    part = parts[p]
    for k in range(MOST_LEVELS, MOST_LEVELS + state.levels):
        level = levels[k]
        scale = PER_UNIT[level]
        # The centre of what overlaps is at most half a cell beyond the bounds.
        x0, x1 = row_of(part.low_x * scale - 0.5), row_of(part.high_x * scale + 0.5)
        y0, y1 = row_of(part.low_y * scale - 0.5), row_of(part.high_y * scale + 0.5)
        if (x1 - x0 + 1.0) * (y1 - y0 + 1.0) > state.parts:
            for q in range(state.parts):
                if parts[q].cell >> 50 == level and overlap(part, parts[q]):
                    near[count] = q
                    count += 1
            continue
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                cell = cell_of(level, x, y)
                q = cells[bucket_of(cell, cells.shape[0])]
                while q >= 0:
                    other = parts[q]
                    if overlap(part, other) and other.cell == cell:
                        near[count] = q
                        count += 1
                    q = other.next
    return count
