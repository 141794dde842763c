"""The two ways in which questions read the grid of a world: all parts near a bound, and the parts along a way.

In: the tables of a world at any instant, between two steps or at a pause, and a box that stands or moves straight on.
Out: one part after the other whose fat bounds the box meets, with the fraction of the motion at which it does; along a
way roughly in that order, each level of the grid for itself, and none later than a limit that the caller may lower
from part to part. Nothing is written, so that the world goes on as if nobody had asked. Fat bounds hold the part where
it is now: a body at a pause is on the way that they were made for, and what a change or the end of a step puts
elsewhere gets new ones at once.

On each level the box goes through the columns of cells that it meets, or the lines if it rather rises, and in each
through the cells from the lowest to the highest point that it has there, and as far beyond as parts of that level reach
beyond their own. Every crossing is worked out afresh, so that errors do not add up. Where the cells would outnumber the
parts, the level is searched part by part.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

from carom._core.jit import inner
from carom._core.types import Floats, Integers, Rows32
from carom.broad.tree_paths import Path, meet_corners, path_of
from carom.narrow.slab import Box4
from carom.tolerances import CULL_LEAST, CULL_SIZE, CULL_ULPS, EPSILON
from carom.world.step.declared import Table
from carom.world.step.tables import MOST_LEVELS, Bodies, Part, State, Tables
from carom.world.step.ways.neighbours import PER_UNIT, WIDTH, cell_of, first_in, line_of, reach_of

ROOM_ULPS = 4.0 * CULL_ULPS * EPSILON
"""Times a coordinate: more than the roundings of a search, and than the margin of a box of `slab`."""

ALL_DONE = -2
"""In place of a level: all were searched."""

CELL, PART = 0, 1
"""How a level is searched: cell by cell, or part by part."""


class View(NamedTuple):
    """The tables of a world that questions read."""

    state: Table[State]
    bodies: Bodies
    parts: Table[Part]
    buffer: Floats
    models: Floats
    cells: Integers
    levels: Rows32


Views: TypeAlias = Any
"""The views of all copies of a world as one: each of its arrays has the copies as an axis more, in front."""


class Way(NamedTuple):
    """A box that moves straight on."""

    path: Path
    low_x: float
    low_y: float
    high_x: float
    high_y: float
    mx: float
    my: float
    slope: float
    """How far it goes across for each length along the axis on which it moves farther."""
    room: float
    """For rounding, in length units."""
    enter: float
    """When it comes to the bounds of all parts."""
    leave: float
    """When it has left them, at most 1; less than `enter` where it misses them."""


class Walk(NamedTuple):
    """Where a search stands."""

    part: int
    """The part found last; -1: there are no more."""
    when: float
    """The fraction of the motion at which the box meets its bounds."""
    room: float
    """Around the bounds of the parts of its level, for rounding, in length units."""
    next: int
    """The part to look at next; -1: that list is at its end."""
    place: int
    """Where its level stands in the list of levels; -1: it is about to begin."""
    how: int
    cell: int
    line: int
    last_line: int
    column: int
    last_column: int


def view_of(w: Tables) -> View:
    """Return what questions read of a world's tables."""
    return View(w.state, w.bodies, w.parts, w.buffer, w.models, w.cells, w.levels)


@inner
def look_around(view: View, box: Box4) -> tuple[Way, Walk]:
    """Begin a search of all parts near a box."""
    return look_along(view, box, 0.0, 0.0)


@inner
def look_along(view: View, box: Box4, mx: float, my: float) -> tuple[Way, Walk]:
    """Begin a search of the parts along the way of a box that moves by m."""
    state, path = view.state[0], path_of(box, mx, my)
    low_x, low_y, high_x, high_y = box
    largest = max(max(-low_x, high_x), max(-low_y, high_y))
    largest = max(largest, max(max(-state.least_x, state.most_x), max(-state.least_y, state.most_y)))
    room = ROOM_ULPS * largest + CULL_LEAST
    beyond = room + CULL_SIZE * 4.0 * max(state.most_x - state.least_x, state.most_y - state.least_y)
    bounds = state.least_x - beyond, state.least_y - beyond, state.most_x + beyond, state.most_y + beyond
    enter, leave = meet_corners(bounds, path)
    leave = min(leave, 1.0)
    farther, across = (my, mx) if abs(my) > abs(mx) else (mx, my)
    slope = across / farther if farther != 0.0 else 0.0
    way = Way(path, low_x, low_y, high_x, high_y, mx, my, slope, room, enter, leave)
    return way, Walk(-1, 0.0, 0.0, -1, -1 if enter <= leave else ALL_DONE, CELL, -1, 0, -1, 0, 0)


@inner
def when_met(part: Part, room: float, path: Path) -> tuple[float, float]:
    """Return when a path comes to the fat bounds of a part, with room around them, and when it has left them."""
    left, low, right, high = part.fat_low_x, part.fat_low_y, part.fat_high_x, part.fat_high_y
    return meet_corners((left - room, low - room, right + room, high + room), path)


@inner
def next_part(view: View, way: Way, walk: Walk, limit: float) -> Walk:
    """Return the search at the next part whose bounds the box meets before a limit; at none, the part is -1."""
    state, parts, cells, levels = view.state[0], view.parts, view.cells, view.levels
    _, _, room, q, place, how, cell, line, last_line, column, last_column = walk
    limit = min(limit, way.leave)
    while True:
        while q >= 0:
            part, found = parts[q], q
            if how == CELL:
                q, here = part.next, part.cell == cell
            else:
                q, here = (q + 1 if q + 1 < state.parts else -1), part.cell >> 50 == cell
            if here:
                enter, leave = when_met(part, room, way.path)
                if enter <= min(leave, limit):
                    return Walk(found, enter, room, q, place, how, cell, line, last_line, column, last_column)
        level = levels[MOST_LEVELS + max(place, 0)]
        upright = abs(way.my) > abs(way.mx)
        if how == CELL and line < last_line:
            line += 1
            cell = cell_of(level, line, column) if upright else cell_of(level, column, line)
            q = first_in(cells, cell)
            continue
        if how == CELL and column != last_column:
            column += 1 if (way.my if upright else way.mx) >= 0.0 else -1
            line, last_line, ends = lines_in(way, level, reach_of(levels, level), column, limit)
            if ends:
                column = last_column
            line -= 1
            continue
        place = next_level(state, levels, place)
        if place == ALL_DONE:
            return Walk(-1, math.inf, room, -1, ALL_DONE, CELL, -1, 0, -1, 0, 0)
        level = levels[MOST_LEVELS + place]
        # No bounds are wider than a cell, and a margin is a share of their size.
        room = way.room + 4.0 * CULL_SIZE * WIDTH[level]
        column, last_column, most = columns_of(way, level, reach_of(levels, level), limit)
        how, line, last_line = CELL, 0, -1
        if most > state.parts:
            how, cell, q, column = PART, level, 0, last_column


@inner
def next_level(state: State, levels: Rows32, place: int) -> int:
    """Return the place of the level to search after another one, which is -1 at first.

    Those come first in which much is met for each cell that is looked at: what is met there limits the others.
    """
    if place == ALL_DONE:
        return ALL_DONE
    after = worth_of(levels, place) if place >= 0 else math.inf
    best, found = -1.0, ALL_DONE
    for k in range(state.levels):
        worth = worth_of(levels, k)
        later = worth < after or (worth == after and k > place)
        if later and worth > best:
            best, found = worth, k
    return found


@inner
def worth_of(levels: Rows32, place: int) -> float:
    """Return a measure of how many parts of a level are met for each cell of a way."""
    level = levels[MOST_LEVELS + place]
    return float(levels[level] * WIDTH[level] * WIDTH[level])


@inner
def columns_of(way: Way, level: int, reach: float, limit: float) -> tuple[int, int, float]:
    """Return the column before the first one that a box meets on a level, the last one, and how many cells these are.

    Columns are lines where it rather rises.
    """
    scale = PER_UNIT[level]
    low, high, motion, low_across, high_across, _ = axes_of(way)
    beyond = reach + way.room * scale
    first, last = way.enter, min(limit, way.leave)
    if motion >= 0.0:
        begin = line_of((low + first * motion) * scale - beyond) - 1
        end = max(begin, line_of((high + last * motion) * scale + beyond))
        columns = end - begin + 0.0
    else:
        begin = line_of((high + first * motion) * scale + beyond) + 1
        end = min(begin, line_of((low + last * motion) * scale - beyond))
        columns = begin - end + 0.0
    lines = (high_across - low_across) * scale + 2.0 * beyond + 2.0
    lines += abs(way.slope) * (1.0 + 2.0 * beyond)
    return begin, end, columns * lines


@inner
def lines_in(way: Way, level: int, reach: float, column: int, limit: float) -> tuple[int, int, bool]:
    """Return the first and the last line that a box meets in a column, and whether it comes there after the limit."""
    scale = PER_UNIT[level]
    low, high, motion, low_across, high_across, across = axes_of(way)
    beyond = reach + way.room * scale
    # In cells: how far the box is to go until it comes into the column, and until it has left it.
    left, right = column - beyond - high * scale, column + 1 + beyond - low * scale
    if (motion > 0.0 and left > limit * motion * scale) or (motion < 0.0 and right < limit * motion * scale):
        return 0, -1, True
    begin, end = way.enter * across * scale, limit * across * scale
    aside, along = left * way.slope, right * way.slope
    lowest = max(min(aside, along), min(begin, end)) + low_across * scale - beyond
    highest = min(max(aside, along), max(begin, end)) + high_across * scale + beyond
    return line_of(lowest), line_of(highest), False


@inner
def axes_of(way: Way) -> tuple[float, float, float, float, float, float]:
    """Return where a box begins and ends, and how it moves, along the axis on which it moves farther, then across."""
    if abs(way.my) > abs(way.mx):
        return way.low_y, way.high_y, way.my, way.low_x, way.high_x, way.mx
    return way.low_x, way.high_x, way.mx, way.low_y, way.high_y, way.my
