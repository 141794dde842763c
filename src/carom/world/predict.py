"""What lies ahead of a body: bounds of its way, what else is there, and when it will meet what.

In: a body whose course is new. Out: predicted events on the agenda. A body that moves far compared with its size looks
ahead a part of the way at a time, so that its bounds stay small; at that horizon it looks again.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.proxy import X, Y
from carom.tolerances import (
    EPSILON,
    HORIZON_MOST,
    HORIZON_SIZES,
    NEAR_SIZE,
    NEAR_SLOPS,
    SAME_NORMAL,
    SIGN_BAND,
    SLOP_SIZE,
    SLOP_ULPS,
    THIN_SLOPS,
)
from carom.world.event_queue import push
from carom.world.filters import MEET, NOTICE, concern, lets_through, part_slowly
from carom.world.integrate import bring
from carom.world.neighbours import Lists, find_near, settle_in, stays_within
from carom.world.rotation import cross_turning, meet_turning
from carom.world.sensors import LOOKS_AGAIN, is_inside
from carom.world.tables import DYNAMIC, ENTER, EXIT, IMPACT, NEW, RENEW, SLOTS, STATIC, Record, Table
from carom.world.toi.seams import meet_corner, meet_flush
from carom.world.toi.toi import CORNER, ON_LINE, OVERLAP, cross, meet, never


@inner
def set_horizon(state: Record, body: Record) -> None:
    """Decide until when a body looks ahead."""
    speed = max(abs(body.way_x), abs(body.way_y))
    far = max(HORIZON_SIZES * body.extent, speed * state.length / HORIZON_MOST)
    body.horizon = state.length
    if speed * (state.length - state.now) > far:
        body.horizon = min(state.now + far / speed, state.length)


@inner
def set_bounds(state: Record, body: Record, part: Record) -> None:
    """Write the bounds of a part on its way from now until the horizon, wide enough for roundings and the slop."""
    past, ahead = state.now - body.own_time, body.horizon - state.now
    if body.turn != 0.0:
        low_x, high_x = body.pivot_x + min(body.way_x * ahead, 0.0), body.pivot_x + max(body.way_x * ahead, 0.0)
        low_y, high_y = body.pivot_y + min(body.way_y * ahead, 0.0), body.pivot_y + max(body.way_y * ahead, 0.0)
        room = body.sweep * (1.0 + SIGN_BAND) + SIGN_BAND * max(-low_x, high_x, -low_y, high_y)
        part.low_x, part.high_x, part.low_y, part.high_y = low_x - room, high_x + room, low_y - room, high_y + room
        return
    x, y = body.x + part.offset_x + body.way_x * past, body.y + part.offset_y + body.way_y * past
    mx, my = body.way_x * ahead, body.way_y * ahead
    low_x, high_x = x + min(mx, 0.0) + part.left, x + max(mx, 0.0) + part.right
    low_y, high_y = y + min(my, 0.0) + part.bottom, y + max(my, 0.0) + part.top
    room = SIGN_BAND * (max(-low_x, high_x, -low_y, high_y) + abs(mx) + abs(my)) + 2.0 * SLOP_SIZE * part.width
    part.low_x, part.high_x, part.low_y, part.high_y = low_x - room, high_x + room, low_y - room, high_y + room


@inner
def look_around(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    cells: Integers,
    levels: Integers,
    events: Table,
    heap: Integers,
    near: Integers,
    lists: Lists,
    inside: Integers,
    workspace: Floats,
    rules: Integers,
    beside: Floats,
    general: Floats | None,
    number: int,
) -> bool:
    """Predict all that a body will meet; False if the agenda was too short, and it has to look again."""
    body = bodies[number]
    if body.kind != STATIC:
        if body.turn != 0.0:
            bring(state, body, parts, buffer)
        set_horizon(state, body)
    first = body.first_part
    last = first + body.part_count
    room = heap.shape[0] - state.events
    for i in range(first, last):
        if body.kind != STATIC:
            set_bounds(state, body, parts[i])
        if body.moved == NEW or not stays_within(parts[i]):
            settle_in(state, body, parts, cells, levels, near, lists, i)
        room -= 2 * (parts[i].listed if parts[i].listed >= 0 else find_near(state, parts, cells, levels, i, near))
    if room < 1:
        return False
    for i in range(first, last):
        part = parts[i]
        listed = part.listed >= 0
        count = part.listed if listed else find_near(state, parts, cells, levels, i, near)
        for k in range(count):
            neighbour = int(lists[SLOTS * i + k]) if listed else near[k]
            q = parts[neighbour]
            # Whoever waits to look will find this body.
            if not ways_overlap(part, q) or q.body == number or bodies[q.body].queued != 0:
                continue
            what = concern(body, bodies[q.body], rules)
            # In the order of their numbers, so that the answer does not depend on who looks.
            part_a, part_b = min(i, neighbour), max(i, neighbour)
            if what == MEET:
                third = neighbour
                for turn in range(2):
                    # If a thin part comes between this one and a third, when it meets the third may be news, too.
                    part_a, part_b = min(third, neighbour), max(third, neighbour)
                    if turn == 0:
                        part_a, part_b = min(i, neighbour), max(i, neighbour)
                    third = foresee_impact(
                        state, bodies, parts, buffer, events, heap, near, lists, rules, beside, workspace, general,
                        i, count, part_a, part_b, turn == 1,
                    )  # fmt: skip
                    if third < 0 or parts[third].body == number or parts[third].body == q.body:
                        break
            elif what == NOTICE and general is not None:
                foresee_crossing(state, bodies, parts, buffer, events, heap, inside, workspace, part_a, part_b)
    if body.moved == NEW:
        body.moved = 0
    if body.horizon < state.length:
        foresee(state, events, heap, RENEW, body.horizon, 0, first, first, body.stamp, body.stamp)
    return True


@inner
def ways_overlap(p: Record, q: Record) -> bool:
    """Tell whether the bounds of two parts' ways touch or overlap."""
    apart_x = max(p.low_x - q.high_x, q.low_x - p.high_x)
    return bool(max(apart_x, p.low_y - q.high_y, q.low_y - p.high_y) <= 0.0)


@inner
def place_now(state: Record, body: Record, part: Record, buffer: Floats) -> tuple[float, float]:
    """Return where the origin of a part is at the present instant."""
    past = state.now - body.own_time
    return buffer[part.record + X] + body.way_x * past, buffer[part.record + Y] + body.way_y * past


@inner
def slop_of(p: Record, q: Record) -> float:
    """Return how deep two parts may overlap."""
    largest = max(-p.low_x, p.high_x, -p.low_y, p.high_y, -q.low_x, q.high_x, -q.low_y, q.high_y)
    return float(max(SLOP_SIZE * min(p.width, q.width), SLOP_ULPS * EPSILON * largest))


@inner
def acceleration_of(state: Record, body: Record) -> tuple[float, float]:
    """Return the acceleration of a body that nothing holds."""
    if body.kind != DYNAMIC:
        return 0.0, 0.0
    return state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y


@inner
def is_pressed_off(state: Record, a: Record, b: Record, nx: float, ny: float) -> bool:
    """Tell whether acceleration presses two bodies together against n, from a to b, one exactly on a line of the other.

    Then each is on the side that it is pressed from, and a motion along n takes them off each other.
    """
    ax, ay = acceleration_of(state, a)
    bx, by = acceleration_of(state, b)
    pull_x, pull_y = ax - bx, ay - by
    return bool(pull_x * nx + pull_y * ny < -SAME_NORMAL * (abs(pull_x) + abs(pull_y)))


@inner
def window_of(p: Record, q: Record, ux: float, uy: float, nx: float, ny: float, slop: float) -> float:
    """Return how long before it an impact counts as one of the same instant.

    That is as long as the two are within the slop of each other. Along their surface, too, they are next to where they
    meet: what all but slides has hardly any closing speed, and would count from far off.
    """
    closing, speed = ux * nx + uy * ny, abs(ux) + abs(uy)
    if not closing > 0.0:
        return 0.0
    near = max(NEAR_SLOPS * slop, NEAR_SIZE * min(p.width, q.width))
    return float(min(slop / closing, near / speed))


@inner
def foresee_impact(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    events: Table,
    heap: Integers,
    near: Integers,
    lists: Lists,
    rules: Integers,
    beside: Floats,
    workspace: Floats,
    general: Floats | None,
    looker: int,
    near_count: int,
    part_a: int,
    part_b: int,
    again: bool,
) -> int:
    """Put it on the agenda if two parts will meet before the horizon of either; return the part that makes them, or -1.

    That is one that closes the way where one of the two is thin. `again`: only if there is such a part.
    """
    p, q, now = parts[part_a], parts[part_b], state.now
    a, b = bodies[p.body], bodies[q.body]
    ahead = min(a.horizon, b.horizon) - now
    xa, ya = place_now(state, a, p, buffer)
    xb, yb = place_now(state, b, q, buffer)
    ux, uy = a.way_x - b.way_x, a.way_y - b.way_y
    mx, my = ux * ahead, uy * ahead
    slop = slop_of(p, q)
    found = never()
    if a.turn == 0.0 and b.turn == 0.0:
        found = meet(buffer, p.record, q.record, xa, ya, xb, yb, mx, my, slop, general)
    elif general is not None:
        first_turns = a.turn != 0.0
        turner, i_turner, i_other = (a, p.record, q.record) if first_turns else (b, q.record, p.record)
        sign, x, y = (1.0, xb, yb) if first_turns else (-1.0, xa, ya)
        bring(state, turner, parts, buffer)
        turn, px, py = turner.turn * ahead, turner.pivot_x, turner.pivot_y
        found = meet_turning(
            buffer, i_turner, i_other, x, y, sign * mx, sign * my, turn, px, py, first_turns, workspace
        )
    if found[5] & ON_LINE != 0 and is_pressed_off(state, a, b, found[1], found[2]):
        found = never()
    third = -1
    if min(p.least_width, q.least_width) <= THIN_SLOPS * slop and a.turn == 0.0 and b.turn == 0.0:
        found, third = meet_flush(
            state, bodies, parts, buffer, near, lists, rules, beside,
            looker, near_count, part_a, part_b, ahead, mx, my, slop, found,
        )  # fmt: skip
    if third < 0 and found[5] & CORNER != 0 and a.turn == 0.0 and b.turn == 0.0:
        found = meet_corner(
            state, bodies, parts, buffer, near, lists, rules, beside,
            looker, near_count, part_a, part_b, ahead, mx, my, slop, found,
        )  # fmt: skip
    fraction, nx, ny, x, y, marks = found
    if not fraction <= 1.0 or (again and third < 0):
        return -1
    overlapping = marks & OVERLAP != 0
    if overlapping and part_slowly(a, b, mx, my):
        return -1
    if lets_through(b, -nx, -ny, mx, my, overlapping) or lets_through(a, nx, ny, -mx, -my, overlapping):
        return -1
    event = events[heap[state.events]]
    event.what, event.when, event.window = IMPACT, now + fraction * ahead, window_of(p, q, ux, uy, nx, ny, slop)
    event.nx, event.ny, event.x, event.y, event.marks = nx, ny, x, y, marks
    event.part_a, event.part_b, event.stamp_a, event.stamp_b = part_a, part_b, a.stamp, b.stamp
    event.part_c, event.stamp_c = third, (bodies[parts[third].body].stamp if third >= 0 else 0)
    push(state, events, heap)
    return third


@kernel
def foresee_crossing(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    events: Table,
    heap: Integers,
    inside: Integers,
    workspace: Floats,
    part_a: int,
    part_b: int,
) -> None:
    """Put it on the agenda if one of two parts will enter or leave the other, a sensor, before either's horizon."""
    p, q, now = parts[part_a], parts[part_b], state.now
    a, b = bodies[p.body], bodies[q.body]
    ahead = min(a.horizon, b.horizon) - now
    xa, ya = place_now(state, a, p, buffer)
    xb, yb = place_now(state, b, q, buffer)
    mx, my = (a.way_x - b.way_x) * ahead, (a.way_y - b.way_y) * ahead
    within, marks = is_inside(state, inside, part_a, part_b), 0
    if a.turn == 0.0 and b.turn == 0.0:
        enter, leave = cross(buffer, p.record, q.record, xa, ya, xb, yb, mx, my, slop_of(p, q), within)
    else:
        marks, first_turns = LOOKS_AGAIN, a.turn != 0.0
        turner, i_turner, i_other = (a, p.record, q.record) if first_turns else (b, q.record, p.record)
        sign, x, y = (1.0, xb, yb) if first_turns else (-1.0, xa, ya)
        bring(state, turner, parts, buffer)
        mx, my, again = sign * mx, sign * my, turner.last_time == now
        turn, px, py = turner.turn * ahead, turner.pivot_x, turner.pivot_y
        enter, leave = cross_turning(buffer, i_turner, i_other, x, y, mx, my, turn, px, py, within, again, workspace)
    until = now + ahead
    if enter <= 1.0 and not within:
        when = min(now + enter * ahead, until)
        foresee(state, events, heap, ENTER, when, marks, part_a, part_b, a.stamp, b.stamp)
    if leave <= 1.0:
        when = min(now + leave * ahead, until)
        foresee(state, events, heap, EXIT, when, marks, part_a, part_b, a.stamp, b.stamp)


@inner
def foresee(
    state: Record,
    events: Table,
    heap: Integers,
    what: int,
    when: float,
    marks: int,
    part_a: int,
    part_b: int,
    stamp_a: int,
    stamp_b: int,
) -> None:
    """Put something that is no impact on the agenda."""
    event = events[heap[state.events]]
    event.what, event.when, event.window, event.marks = what, when, 0.0, marks
    event.part_a, event.part_b, event.stamp_a, event.stamp_b = part_a, part_b, stamp_a, stamp_b
    event.part_c = -1
    push(state, events, heap)
