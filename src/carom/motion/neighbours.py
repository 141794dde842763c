"""What is near a part, kept from step to step: its fat bounds, and a short list of the parts whose own overlap them.

In: a part whose way has left its fat bounds. Out: new ones, around several steps of its way, its place in the grid, and
its list. Each of two neighbours stands in the list of the other, so that whoever is set on a new course finds all it
may meet in its own list, without a search (L. Verlet 1967; the bounds by body, as in Box2D's tree). An entry may be
out of date, that is, name a part that is elsewhere by now: bounds are compared again before anything is predicted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.motion.grid import PER_UNIT, find_near, level_of, overlap, place
from carom.motion.tables import SLOTS, Record, Table
from carom.tolerances import FAT_MARGIN, FAT_STEPS

NO_LIST, TOO_MANY = -2, -1  # what `listed` says of static parts, and of those with more neighbours than slots
FILLED = 0.999  # how much of a cell the bounds may fill, lest they slip to the next level

Lists = NDArray[np.int32]


@inner
def stays_within(part: Record) -> bool:
    """Tell whether a part's way lies within its fat bounds."""
    beyond_x = max(part.fat_low_x - part.low_x, part.high_x - part.fat_high_x)
    return bool(max(beyond_x, part.fat_low_y - part.low_y, part.high_y - part.fat_high_y) <= 0.0)


@inner
def set_fat_bounds(state: Record, body: Record, part: Record) -> None:
    """Write bounds around a part's way and, if nothing happens to it, that of the next steps, as far as a cell goes."""
    margin, time = FAT_MARGIN * part.width, FAT_STEPS * state.length
    way = max(part.high_x - part.low_x, part.high_y - part.low_y)
    most = max(FILLED / PER_UNIT[level_of(part, way)] - way - 2.0 * margin, 0.0)
    x, y = max(-most, min(body.chord_x * time, most)), max(-most, min(body.chord_y * time, most))
    part.fat_low_x, part.fat_high_x = part.low_x - margin + min(x, 0.0), part.high_x + margin + max(x, 0.0)
    part.fat_low_y, part.fat_high_y = part.low_y - margin + min(y, 0.0), part.high_y + margin + max(y, 0.0)


@kernel
def settle_in(
    state: Record,
    body: Record,
    parts: Table,
    cells: Integers,
    levels: Integers,
    near: Integers,
    lists: Lists,
    number: int,
) -> None:
    """Give a part new fat bounds, and a list of its neighbours; in their lists it is named, too."""
    part = parts[number]
    set_fat_bounds(state, body, part)
    place(state, parts, cells, levels, number)
    count = 0
    for k in range(find_near(state, parts, cells, levels, number, near)):
        q = near[k]
        if parts[q].body == part.body:
            continue
        if count < SLOTS:
            lists[SLOTS * number + count] = q
        count += 1
        if parts[q].listed >= 0:
            add_to_list(parts, lists, q, number)
    if part.listed != NO_LIST:
        part.listed = count if count <= SLOTS else TOO_MANY


@inner
def add_to_list(parts: Table, lists: Lists, owner: int, number: int) -> None:
    """Name a part in the list of another, unless it is there already."""
    part = parts[owner]
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
