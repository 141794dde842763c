"""What lies ahead of a body: bounds of its way, what else is there, and when it will meet what.

In: a body whose course is new. Out: predicted events on the agenda. A body that moves far compared with its size looks
ahead a part of the way at a time, so that its bounds stay small; at that horizon it looks again.
"""

from __future__ import annotations

from carom import _records as rec
from carom._jit import inner
from carom._typing import Floats, Integers
from carom.motion.agenda import put_on
from carom.motion.course import bring
from carom.motion.grid import find_near, place
from carom.motion.meeting import OVERLAP, cross, meet, never
from carom.motion.responses import NOTHING, NOTICE, concern, lets_through, part_slowly
from carom.motion.sensors import LOOKS_AGAIN, is_inside
from carom.motion.tables import ENTER, EXIT, IMPACT, RENEW, Record, Table
from carom.motion.turn import cross_turning, meet_turning
from carom.tolerances import EPSILON, HORIZON_MOST, HORIZON_SIZES, SIGN_BAND, SLOP_SIZE, SLOP_ULPS


@inner
def set_horizon(state: Record, body: Record) -> None:
    """Decide until when a body looks ahead."""
    speed = max(abs(body.chord_x), abs(body.chord_y))
    far = max(HORIZON_SIZES * body.extent, speed * state.length / HORIZON_MOST)
    body.horizon = state.length
    if speed * (state.length - state.now) > far:
        body.horizon = min(state.now + far / speed, state.length)


@inner
def set_bounds(state: Record, body: Record, part: Record, buffer: Floats) -> None:
    """Write the bounds of a part on its way from now until the horizon, wide enough for roundings and the slop."""
    past, ahead = state.now - body.own_time, body.horizon - state.now
    if body.turn != 0.0:
        low_x, high_x = body.pivot_x + min(body.chord_x * ahead, 0.0), body.pivot_x + max(body.chord_x * ahead, 0.0)
        low_y, high_y = body.pivot_y + min(body.chord_y * ahead, 0.0), body.pivot_y + max(body.chord_y * ahead, 0.0)
        room = body.sweep * (1.0 + SIGN_BAND) + SIGN_BAND * max(-low_x, high_x, -low_y, high_y)
        part.low_x, part.high_x, part.low_y, part.high_y = low_x - room, high_x + room, low_y - room, high_y + room
        return
    x, y = buffer[part.record + rec.X] + body.chord_x * past, buffer[part.record + rec.Y] + body.chord_y * past
    mx, my = body.chord_x * ahead, body.chord_y * ahead
    low_x, high_x = x + min(mx, 0.0) + part.left, x + max(mx, 0.0) + part.right
    low_y, high_y = y + min(my, 0.0) + part.bottom, y + max(my, 0.0) + part.top
    room = SIGN_BAND * (max(-low_x, high_x, -low_y, high_y) + abs(mx) + abs(my)) + 2.0 * SLOP_SIZE * part.width
    part.low_x, part.high_x, part.low_y, part.high_y = low_x - room, high_x + room, low_y - room, high_y + room


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
    put_on(state, events, heap)


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
    inside: Integers,
    workspace: Floats,
    rules: Integers,
    general: Floats | None,
    number: int,
) -> bool:
    """Predict all that a body will meet; False if the agenda was too short, and it has to look again."""
    body, now = bodies[number], state.now
    if body.turn != 0.0:
        bring(state, body, parts, buffer)
    set_horizon(state, body)
    first = body.first_part
    last = first + body.part_count
    for i in range(first, last):
        set_bounds(state, body, parts[i], buffer)
        place(state, parts, cells, levels, i)
    for i in range(first, last):
        count = find_near(state, parts, cells, levels, i, near)
        if state.events + 2 * count + 1 > heap.shape[0]:
            return False
        for k in range(count):
            # Whoever waits to look will find this body.
            other = bodies[parts[near[k]].body]
            if parts[near[k]].body == number or other.queued != 0:
                continue
            what = concern(body, other, rules)
            if what == NOTHING:
                continue
            # In the order of their numbers, so that the answer does not depend on who looks.
            part_a, part_b = min(i, near[k]), max(i, near[k])
            p, q = parts[part_a], parts[part_b]
            a, b = bodies[p.body], bodies[q.body]
            ahead, past_a, past_b = min(a.horizon, b.horizon) - now, now - a.own_time, now - b.own_time
            xa, ya = buffer[p.record + rec.X] + a.chord_x * past_a, buffer[p.record + rec.Y] + a.chord_y * past_a
            xb, yb = buffer[q.record + rec.X] + b.chord_x * past_b, buffer[q.record + rec.Y] + b.chord_y * past_b
            ux, uy = a.chord_x - b.chord_x, a.chord_y - b.chord_y
            mx, my = ux * ahead, uy * ahead
            largest = max(-p.low_x, p.high_x, -p.low_y, p.high_y, -q.low_x, q.high_x, -q.low_y, q.high_y)
            slop = max(SLOP_SIZE * min(p.width, q.width), SLOP_ULPS * EPSILON * largest)
            if what == NOTICE:
                if general is None:
                    continue
                within, marks = is_inside(state, inside, part_a, part_b), 0
                if a.turn == 0.0 and b.turn == 0.0:
                    enter, leave = cross(buffer, p.record, q.record, xa, ya, xb, yb, mx, my, slop, within)
                else:
                    marks, first_turns = LOOKS_AGAIN, a.turn != 0.0
                    turner, i_turner, i_other = (a, p.record, q.record) if first_turns else (b, q.record, p.record)
                    sign, x, y = (1.0, xb, yb) if first_turns else (-1.0, xa, ya)
                    bring(state, turner, parts, buffer)
                    mx, my, again = sign * mx, sign * my, turner.last_time == now
                    turn, px, py = turner.turn * ahead, turner.pivot_x, turner.pivot_y
                    enter, leave = cross_turning(
                        buffer, i_turner, i_other, x, y, mx, my, turn, px, py, within, again, workspace
                    )
                until = now + ahead
                if enter <= 1.0 and not within:
                    when = min(now + enter * ahead, until)
                    foresee(state, events, heap, ENTER, when, marks, part_a, part_b, a.stamp, b.stamp)
                if leave <= 1.0:
                    when = min(now + leave * ahead, until)
                    foresee(state, events, heap, EXIT, when, marks, part_a, part_b, a.stamp, b.stamp)
                continue
            # Written into the first free row, and put on the agenda if it comes about.
            event = events[heap[state.events]]
            event.window = 0.0
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
            fraction, nx, ny, x, y, marks = found
            if not fraction <= 1.0:
                continue
            overlapping = marks & OVERLAP != 0
            if overlapping and part_slowly(a, b, mx, my):
                continue
            if lets_through(b, -nx, -ny, mx, my, overlapping) or lets_through(a, nx, ny, -mx, -my, overlapping):
                continue
            event.what = IMPACT
            event.nx, event.ny, event.x, event.y, event.marks = nx, ny, x, y, marks
            closing = ux * nx + uy * ny
            if closing > 0.0:
                event.window = slop / closing
            event.when = now + fraction * ahead
            event.part_a, event.part_b, event.stamp_a, event.stamp_b = part_a, part_b, a.stamp, b.stamp
            put_on(state, events, heap)
    if body.horizon < state.length:
        foresee(state, events, heap, RENEW, body.horizon, 0, first, first, body.stamp, body.stamp)
    return True
