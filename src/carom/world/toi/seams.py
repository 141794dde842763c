"""When two parts of bodies meet, of which one is thin and the other may be flush with a third: see `flush`.

In: two parts on their courses, what they would do as if alone, and the parts that are near the one that looks. Out: the
meeting, and the third part if it is what closes the way. As the third may be on a course of its own, what is foreseen
holds only as long as it is unchanged, too.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.proxy import X, Y
from carom.tolerances import SEAM_SLOPS, THIN_SLOPS
from carom.world.filters import MEET, concern
from carom.world.neighbours import Lists
from carom.world.tables import SLOTS, Record, Table
from carom.world.toi.exposed_sides import corner_at, ends_at, outer_side, side_of_corner, surface_along, way_to_outside
from carom.world.toi.internal_edges import OTHER, bounds_touch, closing_part, put_beside, way_to_corner
from carom.world.toi.toi import PASSES_ON, SEAM, Meeting, never

# Stages of what is asked of a pair.
AHEAD, HIT, OUTSIDE, FOUND = 0, 1, 2, 3


@inner
def place_after(state: Record, body: Record, part: Record, buffer: Floats, time: float) -> tuple[float, float]:
    """Return where the origin of a part will be after a time, if its body stays on its course."""
    past = (state.now - body.own_time) + time
    return buffer[part.record + X] + body.way_x * past, buffer[part.record + Y] + body.way_y * past


@kernel
def gather_beside(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    near: Integers,
    lists: Lists,
    rules: Integers,
    beside: Floats,
    looker: int,
    count: int,
    thin: int,
    wide: int,
    time: float,
    px: float,
    py: float,
    reach: float,
) -> int:
    """Note what will be at p after a time, beside a thin part and a wide one, and stops the thin one.

    Whatever touches both is near the one of them that looks.
    """
    found = 0
    own, listed = bodies[parts[looker].body], parts[looker].listed >= 0
    body = bodies[parts[thin].body]
    for k in range(count + own.part_count):
        number = own.first_part + k - count
        if k < count:
            number = int(lists[SLOTS * looker + k]) if listed else int(near[k])
        part = parts[number]
        other = bodies[part.body]
        if number == wide or part.body == parts[thin].body or other.turn != 0.0:
            continue
        against = (body.way_x - other.way_x) * other.one_way_x + (body.way_y - other.way_y) * other.one_way_y
        lets_through = (other.one_way_x != 0.0 or other.one_way_y != 0.0) and against >= 0.0
        if lets_through or concern(body, other, rules) != MEET:
            continue
        x, y = place_after(state, other, part, buffer, time)
        if bounds_touch(buffer, part.record, x, y, px, py, reach):
            found = put_beside(beside, found, part.record, x, y, number)
    return found


@kernel
def meet_flush(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    near: Integers,
    lists: Lists,
    rules: Integers,
    beside: Floats,
    looker: int,
    near_count: int,
    part_a: int,
    part_b: int,
    ahead: float,
    mx: float,
    my: float,
    slop: float,
    alone: Meeting,
) -> tuple[Meeting, int]:
    """Return when part A, moved by m relative to B in the time ahead, meets it, and the part that closes the way.

    That part is -1 where there is none. `alone` is what the two would do if there were no others.
    """
    length = math.sqrt(mx * mx + my * my)
    if length == 0.0:
        return alone, -1
    for turn in range(2):
        sign = 1.0 if turn == 0 else -1.0
        thin, wide = (part_a, part_b) if turn == 0 else (part_b, part_a)
        p, q = parts[thin], parts[wide]
        if p.least_width > THIN_SLOPS * slop:
            continue
        a, b, i, j = bodies[p.body], bodies[q.body], p.record, q.record
        ux, uy, reach = sign * mx / length, sign * my / length, SEAM_SLOPS * slop + p.least_width
        xi, yi = place_after(state, a, p, buffer, 0.0)
        x, y = place_after(state, b, q, buffer, 0.0)
        way, place, qx, qy = way_to_corner(buffer, i, j, x - xi, y - yi, ux, uy, length, slop)
        steepest, closing, count = True, -1, 0
        fraction, nx, ny, marks = alone[0], alone[1], alone[2], alone[5]
        px, py = 0.0, 0.0
        # Is the way closed at a corner? If not: is what is hit on the outside? If not: where is the outside?
        stage = AHEAD if way <= min(fraction, 2.0) * length + slop else HIT
        while stage <= OUTSIDE:
            if stage == HIT:
                way = fraction * length
                if not fraction <= 1.0:
                    break
            time = ahead * (way / length)
            x, y = place_after(state, b, q, buffer, time)
            if stage == HIT:
                px, py = place_after(state, bodies[parts[part_a].body], parts[part_a], buffer, time)
                px, py = px + alone[3], py + alone[4]
            else:
                px, py = x + qx, y + qy
            count = gather_beside(
                state, bodies, parts, buffer, near, lists, rules, beside,
                looker, near_count, thin, wide, time, px, py, reach,
            )  # fmt: skip
            if stage == AHEAD:
                closing = closing_part(buffer, beside, count, j, x, y, px, py, ux, uy, reach)
                stage = HIT if closing < 0 else FOUND
            elif stage == HIT:
                way, place, steepest = way_to_outside(
                    buffer, beside, count, i, j, x, y, px, py, sign * nx, sign * ny, ux, uy, way, reach
                )
                if place < 0:
                    break
                qx, qy = buffer[place], buffer[place + 1]
                stage = OUTSIDE
            else:
                stage = FOUND
        if stage != FOUND:
            continue
        if closing >= 0:
            closing = int(beside[OTHER * closing + 3])
        outward_x, outward_y, covered = outer_side(
            buffer, beside, count, j, x, y, place, ux, uy, reach, steepest, -sign * nx, -sign * ny
        )
        if outward_x == 0.0 and outward_y == 0.0:
            on, ox, oy = False, 0.0, 0.0
            if closing < 0 and not covered:
                on, ox, oy = surface_along(buffer, beside, count, j, px, py, ux, uy, reach)
            if on and ox == 0.0 and oy == 0.0:
                return never(), -1
            if on:
                return (fraction, 0.0 - sign * ox, 0.0 - sign * oy, alone[3], alone[4], PASSES_ON), -1
            if closing < 0 or covered:
                continue  # what covers it is met itself
            outward_x, outward_y = -ux, -uy
        x, y = place_after(state, bodies[parts[part_a].body], parts[part_a], buffer, ahead * (way / length))
        nx, ny = 0.0 - sign * outward_x, 0.0 - sign * outward_y
        return (way / length, nx, ny, px - x, py - y, SEAM if closing >= 0 else marks), closing
    return alone, -1


@kernel
def meet_corner(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    near: Integers,
    lists: Lists,
    rules: Integers,
    beside: Floats,
    looker: int,
    near_count: int,
    part_a: int,
    part_b: int,
    ahead: float,
    mx: float,
    my: float,
    slop: float,
    alone: Meeting,
) -> Meeting:
    """Return how part A, moved by m relative to B in the time ahead, meets it, corner to corner as if `alone`.

    Where a third part lies at a corner, as the next tile does, a side of it counts that the third does not lie against:
    a tip that comes down on the seam of two tiles would else be wedged between their corners by its own slanted sides.
    """
    length, reach = math.sqrt(mx * mx + my * my), SEAM_SLOPS * slop
    time = ahead * alone[0]
    px, py = place_after(state, bodies[parts[part_a].body], parts[part_a], buffer, time)
    px, py = px + alone[3], py + alone[4]
    for turn in range(2):
        sign = 1.0 if turn == 0 else -1.0
        comes, stays = (part_a, part_b) if turn == 0 else (part_b, part_a)
        ux, uy, j = sign * mx / length, sign * my / length, parts[stays].record
        x, y = place_after(state, bodies[parts[stays].body], parts[stays], buffer, time)
        place, _ = corner_at(buffer, j, x, y, px, py, 0.0, 0.0, ux, uy)
        if place < 0 or not ends_at(buffer, place, x, y, px, py, alone[1], alone[2], reach):
            continue
        count = gather_beside(
            state, bodies, parts, buffer, near, lists, rules, beside,
            looker, near_count, comes, stays, time, x + buffer[place], y + buffer[place + 1], reach,
        )  # fmt: skip
        xi, yi = place_after(state, bodies[parts[comes].body], parts[comes], buffer, time)
        nx, ny = side_of_corner(
            buffer, beside, count, parts[comes].record, xi, yi, j, x, y, place, ux, uy, reach,
            -sign * alone[1], -sign * alone[2],
        )  # fmt: skip
        if nx != 0.0 or ny != 0.0:
            return alone[0], 0.0 - sign * nx, 0.0 - sign * ny, alone[3], alone[4], alone[5]
    return alone
