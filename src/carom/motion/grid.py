"""Where parts stand, for finding what may be met: a grid of cells for each power of two of sizes, in one hash table.

In: the fat bounds of parts, which hold for some steps. Out: for a part the parts whose fat bounds overlap its own. A
part stands in the cell of its centre, on a level whose cells are at least as large as its bounds, and not much larger,
so that a search visits few cells on each level in use, whatever the sizes; where the cells would outnumber the parts
it goes through the parts instead. A part that moves on within its cell costs nothing.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner
from carom._core.types import Integers
from carom.motion.tables import MOST_LEVELS, Record, Table
from carom.tolerances import FAT_SIZES

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
def level_of(part: Record, size: float) -> int:
    """Return the level of a part whose bounds have a size: the same for all as long as they are not much larger."""
    own = max(part.right - part.left, part.top - part.bottom)
    _, exponent = math.frexp(max(size, FAT_SIZES * own))
    return max(1, min(exponent + MIDDLE, MOST_LEVELS - 1))


@inner
def place(state: Record, parts: Table, cells: Integers, levels: Integers, p: int) -> None:
    """Put a part into the cell of its bounds, or leave it where it stands."""
    part = parts[p]
    level = level_of(part, max(part.fat_high_x - part.fat_low_x, part.fat_high_y - part.fat_low_y))
    half = 0.5 * PER_UNIT[level]
    x, y = (part.fat_low_x + part.fat_high_x) * half, (part.fat_low_y + part.fat_high_y) * half
    cell = cell_of(level, row_of(x), row_of(y))
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
    """Tell whether the fat bounds of two parts touch or overlap."""
    apart_x = max(p.fat_low_x - q.fat_high_x, q.fat_low_x - p.fat_high_x)
    return bool(max(apart_x, p.fat_low_y - q.fat_high_y, q.fat_low_y - p.fat_high_y) <= 0.0)


@inner
def find_near(state: Record, parts: Table, cells: Integers, levels: Integers, p: int, near: Integers) -> int:
    """Write the parts whose fat bounds overlap a part's into `near`, itself included; return how many."""
    count = 0
    part = parts[p]
    for k in range(MOST_LEVELS, MOST_LEVELS + state.levels):
        level = levels[k]
        scale = PER_UNIT[level]
        # The centre of what overlaps is at most half a cell beyond the bounds.
        x0, x1 = row_of(part.fat_low_x * scale - 0.5), row_of(part.fat_high_x * scale + 0.5)
        y0, y1 = row_of(part.fat_low_y * scale - 0.5), row_of(part.fat_high_y * scale + 0.5)
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
                    if other.cell == cell and overlap(part, other):
                        near[count] = q
                        count += 1
                    q = other.next
    return count
