"""The neighbours of each part: a grid of fat bounds, and a short list for each part, kept from step to step.

In: a part whose way has left its fat bounds. Out: new ones around several steps of its way, its cell in the grid, and
the list of the parts whose fat bounds overlap its own. The grid has cells for each power of two of sizes, in one hash
table: a part stands in the cell of its centre, on a level whose cells are at least as large as its bounds and not much
larger, so that a search visits few cells on each level in use, whatever the sizes; where the cells would outnumber the
parts, the search goes through the parts instead. A part that moves on within its cell costs nothing. Each of two
neighbours stands in the list of the other, so that a part on a new course finds all it may meet in its own list,
without a search (L. Verlet 1967; the bounds by body, as in Box2D's tree). An entry may name a part that is elsewhere by
now: bounds are compared again before anything is predicted.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Integers, Rows32
from carom.tolerances import FAT_MARGIN, FAT_SIZES, FAT_STEPS
from carom.world.step.tables import MOST_LEVELS, SLOTS, Body, Part, State, Tables

MIDDLE = MOST_LEVELS // 2  # the level whose cells have size 1
PER_UNIT = np.ldexp(1.0, MIDDLE - np.arange(MOST_LEVELS))
"""1 / the width of the cells of each level."""
WIDTH = np.ldexp(1.0, np.arange(MOST_LEVELS) - MIDDLE)
BITS = 0x1FFFFFF
OUTERMOST = 2.0**60  # a part's bounds are wider than 2**-48 of its coordinates, so nothing stands there

MARK = 32
"""A bucket's number holds its first part in so many bits, and above them the mark of the cell that its parts stand in:
most buckets that a search looks into hold parts of other cells, and need not be followed."""
ROW_BITS = (1 << MARK) - 1
MIXED = 0  # in place of a mark: the parts stand in several cells

REACHES = 2 * MOST_LEVELS
"""Where in `levels` it begins how far a part of each level reaches beyond its centre, in units of a cell / UNITS."""
UNITS = 1 << 20
ROOM = 1 << 10  # of these units, for the rounding of a search


@inner
def line_of(place: float) -> int:
    """Return the number of the row of cells at a place."""
    place = max(min(place, OUTERMOST), -OUTERMOST)
    row = int(place)  # towards zero: far quicker than math.floor
    return row - 1 if place < row else row


@inner
def cell_of(level: int, x: int, y: int) -> int:
    """Return one number for a cell; only cells 2**25 apart share one, farther than any search reaches."""
    return (int(level) << 50) | ((x & BITS) << 25) | (y & BITS)


@inner
def bucket_of(cell: int, buckets: int) -> int:
    """Return where a cell's list begins in the hash table; no product here leaves 63 bits.

    Two cells beside each other by four above each other stand in one cache line: searches go on to neighbours.
    """
    x, y = (cell >> 25) & BITS, cell & BITS
    mixed = (x >> 1) * 73856093 + (y >> 2) * 19349663 + (cell >> 50) * 83492791
    return (((mixed ^ (mixed >> 17)) << 3) | ((x & 1) << 2) | (y & 3)) & (buckets - 1)


@inner
def mark_of(cell: int) -> int:
    """Return the mark of a cell: of two cells of a bucket hardly ever the same."""
    return ((cell ^ (cell >> 20)) & 0x3FFFFFFF) | 1


@inner
def first_in(cells: Integers, cell: int) -> int:
    """Return the first part of the bucket of a cell, or -1 if none of its parts stands in this cell."""
    entry = cells[bucket_of(cell, cells.shape[0])]
    mark = entry >> MARK
    return int(entry & ROW_BITS) if mark == MIXED or mark == mark_of(cell) else -1


@inner
def reach_of(levels: Rows32, level: int) -> float:
    """Return how far parts of a level reach beyond the cell of their centre, in cells, with room for rounding."""
    return float(levels[REACHES + level] / UNITS)


@inner
def level_of(part: Part, size: float) -> int:
    """Return the level of a part whose bounds have a size: the same for all as long as they are not much larger."""
    own = max(part.right - part.left, part.top - part.bottom)
    _, exponent = math.frexp(max(size, FAT_SIZES * own))
    return max(1, min(exponent + MIDDLE, MOST_LEVELS - 1))


@inner
def place(w: Tables, p: int) -> None:
    """Put a part into the cell of its bounds, or leave it where it stands."""
    state, levels, part = w.state[0], w.levels, w.parts[p]
    state.least_x, state.most_x = min(state.least_x, part.fat_low_x), max(state.most_x, part.fat_high_x)
    state.least_y, state.most_y = min(state.least_y, part.fat_low_y), max(state.most_y, part.fat_high_y)
    size = max(part.fat_high_x - part.fat_low_x, part.fat_high_y - part.fat_low_y)
    level = level_of(part, size)
    half = 0.5 * PER_UNIT[level]
    x, y = (part.fat_low_x + part.fat_high_x) * half, (part.fat_low_y + part.fat_high_y) * half
    cell = cell_of(level, line_of(x), line_of(y))
    if part.cell != cell:
        take_out(w, p)
        put_in(w, p, level, cell)
    levels[REACHES + level] = max(levels[REACHES + level], int(size * half * UNITS) + ROOM)


@inner
def put_in(w: Tables, p: int, level: int, cell: int) -> None:
    """Put a part that stands in no cell into one."""
    state, parts, cells, levels, part = w.state[0], w.parts, w.cells, w.levels, w.parts[p]
    bucket, mark = bucket_of(cell, cells.shape[0]), mark_of(cell)
    entry = cells[bucket]
    first = -1
    if entry >= 0:
        first = entry & ROW_BITS
        mark = mark if entry >> MARK == mark else MIXED
        parts[first].previous = p
    cells[bucket] = (mark << MARK) | p
    part.cell, part.next, part.previous = cell, first, -1
    if levels[level] == 0:
        levels[MOST_LEVELS + state.levels] = level
        state.levels += 1
    levels[level] += 1


@inner
def take_out(w: Tables, p: int) -> None:
    """Take a part out of the grid, if it stands there."""
    state, parts, cells, levels, part = w.state[0], w.parts, w.cells, w.levels, w.parts[p]
    cell, after, before = part.cell, part.next, part.previous
    if cell < 0:
        return
    if before >= 0:
        parts[before].next = after
    else:
        bucket = bucket_of(cell, cells.shape[0])
        cells[bucket] = (cells[bucket] & ~ROW_BITS) | after if after >= 0 else -1
    if after >= 0:
        parts[after].previous = before
    part.cell = -1
    level = cell >> 50
    levels[level] -= 1
    if levels[level] == 0:
        levels[REACHES + level] = 0
        state.levels -= 1
        for k in range(MOST_LEVELS, MOST_LEVELS + state.levels):
            if levels[k] == level:
                levels[k] = levels[MOST_LEVELS + state.levels]


@inner
def overlap(p: Part, q: Part) -> bool:
    """Tell whether the fat bounds of two parts touch or overlap."""
    apart_x = max(p.fat_low_x - q.fat_high_x, q.fat_low_x - p.fat_high_x)
    return bool(max(apart_x, p.fat_low_y - q.fat_high_y, q.fat_low_y - p.fat_high_y) <= 0.0)


@kernel
def find_near(w: Tables, p: int, near: Integers) -> int:
    """Write the parts whose fat bounds overlap a part's into `near`, itself included; return how many."""
    state, parts, cells, levels, part, count = w.state[0], w.parts, w.cells, w.levels, w.parts[p], 0
    for k in range(MOST_LEVELS, MOST_LEVELS + state.levels):
        level = levels[k]
        scale = PER_UNIT[level]
        # The centre of what overlaps is at most half a cell beyond the bounds.
        x0, x1 = line_of(part.fat_low_x * scale - 0.5), line_of(part.fat_high_x * scale + 0.5)
        y0, y1 = line_of(part.fat_low_y * scale - 0.5), line_of(part.fat_high_y * scale + 0.5)
        if (x1 - x0 + 1.0) * (y1 - y0 + 1.0) > state.parts:
            for q in range(state.parts):
                if parts[q].cell >> 50 == level and overlap(part, parts[q]):
                    near[count] = q
                    count += 1
            continue
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                cell = cell_of(level, x, y)
                q = first_in(cells, cell)
                while q >= 0:
                    other = parts[q]
                    if other.cell == cell and overlap(part, other):
                        near[count] = q
                        count += 1
                    q = other.next
    return count


LOOSE = 1.5
"""Times the size of the bounds that a part needs now: larger ones are made anew."""
NO_LIST, TOO_MANY = -2, -1  # what `listed` says of static parts, and of those with more neighbours than slots
FILLED = 0.999  # how much of a cell the bounds may fill, lest they slip to the next level


@inner
def keeps_within(part: Part) -> bool:
    """Tell whether a part's way lies within its fat bounds."""
    beyond_x = max(part.fat_low_x - part.low_x, part.high_x - part.fat_high_x)
    return bool(max(beyond_x, part.fat_low_y - part.low_y, part.high_y - part.fat_high_y) <= 0.0)


@inner
def is_loose(state: State, body: Body, part: Part) -> bool:
    """Tell whether fat bounds are far larger than need be: those of a fast way name many neighbours of a slow body."""
    spare = 2.0 * FAT_MARGIN * part.width
    wide = (part.high_x - part.low_x) + abs(body.way_x) * FAT_STEPS * state.length + spare
    high = (part.high_y - part.low_y) + abs(body.way_y) * FAT_STEPS * state.length + spare
    return bool((part.fat_high_x - part.fat_low_x) + (part.fat_high_y - part.fat_low_y) > LOOSE * (wide + high))


@inner
def set_fat_bounds(state: State, body: Body, part: Part) -> None:
    """Write bounds around a part's way and, if nothing happens to it, that of the next steps, as far as a cell goes."""
    margin, time = FAT_MARGIN * part.width, FAT_STEPS * state.length
    way = max(part.high_x - part.low_x, part.high_y - part.low_y)
    most = max(FILLED / PER_UNIT[level_of(part, way)] - way - 2.0 * margin, 0.0)
    x, y = max(-most, min(body.way_x * time, most)), max(-most, min(body.way_y * time, most))
    part.fat_low_x, part.fat_high_x = part.low_x - margin + min(x, 0.0), part.high_x + margin + max(x, 0.0)
    part.fat_low_y, part.fat_high_y = part.low_y - margin + min(y, 0.0), part.high_y + margin + max(y, 0.0)


@kernel
def settle_in(w: Tables, body: Body, number: int) -> None:
    """Give a part new fat bounds, and a list of its neighbours; in their lists it is named, too."""
    parts, lists, part, count = w.parts, w.lists, w.parts[number], 0
    set_fat_bounds(w.state[0], body, part)
    place(w, number)
    for k in range(find_near(w, number, w.around)):
        q = w.around[k]
        if parts[q].body == part.body:
            continue
        if count < SLOTS:
            lists[SLOTS * number + count] = q
        count += 1
        if parts[q].listed >= 0:
            add_to_list(w, q, number)
    if part.listed != NO_LIST:
        part.listed = count if count <= SLOTS else TOO_MANY


@inner
def add_to_list(w: Tables, owner: int, number: int) -> None:
    """Name a part in the list of another, unless it is there already."""
    parts, lists, part = w.parts, w.lists, w.parts[owner]
    begin, count = SLOTS * owner, part.listed
    for k in range(begin, begin + count):
        if lists[k] == number:
            return
    if count == SLOTS:
        count = 0
        for k in range(begin, begin + SLOTS):
            if overlap(part, parts[lists[k]]):
                lists[begin + count] = lists[k]
                count += 1
    if count == SLOTS:
        part.listed = TOO_MANY
        return
    lists[begin + count] = number
    part.listed = count + 1


@kernel
def neighbours_of(w: Tables, part: int, near: Integers) -> int:
    """Write the neighbours of a part into `near`; return how many. Lists may still name parts that were removed."""
    count, found = w.parts[part].listed, 0
    if count < 0:
        return int(find_near(w, part, near))
    for k in range(count):
        other = w.lists[SLOTS * part + k]
        if w.parts[other].body >= 0:
            near[found] = other
            found += 1
    return found


@inner
def met_on_way(w: Tables, number: int) -> int:
    """Write the parts of other bodies whose ways' bounds touch those of a part into `around`; return how many."""
    part, around, count = w.parts[number], w.around, 0
    for k in range(neighbours_of(w, number, around)):
        q = around[k]
        other = w.parts[q]
        apart_x = max(part.low_x - other.high_x, other.low_x - part.high_x)
        apart = max(apart_x, part.low_y - other.high_y, other.low_y - part.high_y)
        if apart <= 0.0 and other.body != part.body:
            around[count] = q
            count += 1
    return count
