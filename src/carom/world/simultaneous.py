"""What happens at one instant, gathered: contacts from the agenda, and the bodies brought to where they are then.

In: the earliest event that still holds, and all of the same instant. Out: new rows of `contacts`, sensors crossed, and
the bodies that have to look around again.

Which side of a line something is on that lies exactly on it, in a world, and how it is put there.

In: two parts without width that lie on each other, and the normal along which they were found to meet. Out: whether
they do meet, for acceleration tells the side where it presses them together, and the bodies brought as far off each
other as all else without width stops, so that from then on the place itself tells. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.proxy import RADIUS, X, Y
from carom.tolerances import (
    MOST_PRESSES,
    SAME_INSTANT,
    STAND_OFF_SLOPS,
)
from carom.world.contacts import CORNERS_MEET, FACE_TURNING, add_to_moment, drop_dead
from carom.world.event_queue import pop
from carom.world.integrate import bring, go_along
from carom.world.predict import slop_of
from carom.world.report import note
from carom.world.resting import stands
from carom.world.rotation import FACE_TURNS
from carom.world.sensors import LOOKS_AGAIN, change_inside, is_inside, pairs_inside
from carom.world.tables import DYNAMIC, ENTER, ENTERED, EXITED, IMPACT, KINEMATIC, RENEW, STATIC, Record, Table
from carom.world.toi.internal_edges import span_along
from carom.world.toi.toi import CORNER, OF_B, ON_LINE, PASSES_ON, SEAM


@inner
def gap_along(a: Floats, i: int, j: int, nx: float, ny: float) -> float:
    """Return how far the shape at j begins beyond where the shape at i ends, along n."""
    dx, dy = a[j + X] - a[i + X], a[j + Y] - a[i + Y]
    apart = (dx * nx + dy * ny) + (span_along(a, j, nx, ny)[0] - span_along(a, i, nx, ny)[1])
    return float(apart - (a[i + RADIUS] + a[j + RADIUS]))


@kernel
def stand_off(bodies: Table, parts: Table, buffer: Floats, event: Record) -> None:
    """Put two parts that lie on each other off each other along the normal of their event.

    It is no farther than rounding may have brought them there, so that nobody else can be between. What is held against
    it stays, and so does the heavier one.
    """
    p, q = parts[event.part_a], parts[event.part_b]
    a, b = bodies[p.body], bodies[q.body]
    nx, ny = event.nx, event.ny
    way = STAND_OFF_SLOPS * slop_of(p, q) - gap_along(buffer, p.record, q.record, nx, ny)
    if way <= 0.0:
        return
    ease_a = a.inverse_mass if a.kind == DYNAMIC and a.stopped == 0 else 0.0
    ease_b = b.inverse_mass if b.kind == DYNAMIC and b.stopped == 0 else 0.0
    held_a, held_b = stands(bodies, a, -nx, -ny, True), stands(bodies, b, nx, ny, True)
    if ease_a > 0.0 and (ease_b == 0.0 or (held_b and not held_a) or (held_a == held_b and ease_a >= ease_b)):
        go_along(a, -way * nx, -way * ny, parts, buffer)
    elif ease_b > 0.0:
        go_along(b, way * nx, way * ny, parts, buffer)


MOST_COUNTED = 32000  # of what is counted for a body


@inner
def enqueue(state: Record, bodies: Table, queue: Integers, number: int) -> None:
    """Have a body look around."""
    if bodies[number].queued == 0:
        bodies[number].queued = 1
        queue[state.queue] = number
        state.queue += 1


@inner
def holds_still(bodies: Table, parts: Table, event: Record) -> bool:
    """Tell whether both bodies of an event are as they were when it was predicted."""
    a, b = bodies[parts[event.part_a].body], bodies[parts[event.part_b].body]
    return bool(event.stamp_a == a.stamp and event.stamp_b == b.stamp)


@kernel
def look_again(state: Record, bodies: Table, queue: Integers, number: int) -> None:
    """Have a body look around, because something else than itself has changed; what it foresaw is void."""
    body = bodies[number]
    if body.kind != STATIC:
        body.stamp += 1
        enqueue(state, bodies, queue, number)


@kernel
def is_known(parts: Table, contacts: Table, first: int, last: int, event: Record) -> bool:
    """Tell whether an impact is among the contacts of the instant already."""
    a, b = parts[event.part_a].body, parts[event.part_b].body
    for c in range(first, last):
        known = contacts[c]
        if known.a == a and known.b == b and known.nx == event.nx and known.ny == event.ny:
            return True
    return False


@inner
def gather(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    events: Table,
    heap: Integers,
    queue: Integers,
    contacts: Table,
    hits: Table,
    inside: Integers,
) -> int:
    """Go to the earliest event and take what happens at its instant; return the first new contact, or -1 at the end."""
    drop_dead(state, bodies, contacts)
    first, crossings, begun = state.contacts, 0, False
    while state.events > 0:
        event = events[heap[0]]
        if not holds_still(bodies, parts, event):
            pop(state, events, heap)
            continue
        if event.part_c >= 0 and event.stamp_c != bodies[parts[event.part_c].body].stamp:
            pop(state, events, heap)
            look_again(state, bodies, queue, parts[event.part_a].body)
            look_again(state, bodies, queue, parts[event.part_b].body)
            begun = True
            break
        if not begun:
            time = max(event.when, state.now)
            if time - state.now > SAME_INSTANT * state.length:
                state.contacts, state.dead, state.driven, state.crowd = 0, 0, 0, 0
                state.lightest, state.heaviest = 0.0, math.inf
                first = 0
            state.now = time
            state.instant += 1
            begun = True
        if event.when - state.now > event.window or max(state.contacts, crossings) == contacts.shape[0]:
            break
        pop(state, events, heap)
        if event.what == IMPACT and event.marks & PASSES_ON != 0:
            pass_on(state, bodies, parts, buffer, queue, event)
        elif event.what == IMPACT:
            if event.marks & SEAM == 0 or not is_known(parts, contacts, first, state.contacts, event):
                add_contact(state, bodies, parts, buffer, queue, contacts[state.contacts], event)
                add_to_moment(state, bodies, contacts)
        elif event.what == RENEW:
            enqueue(state, bodies, queue, parts[event.part_a].body)
        else:
            crossings += 1
            again = cross_sensor(state, bodies, parts, buffer, hits, inside, event)
            if again >= 0:
                enqueue(state, bodies, queue, again)
    return int(first) if begun else -1


@kernel
def cross_sensor(
    state: Record, bodies: Table, parts: Table, buffer: Floats, hits: Table, inside: Integers, event: Record
) -> int:
    """Let a part enter or leave a sensor; return the body that has to look around again, or -1.

    What moves straight looks no more: when it will leave was foreseen with its entry.
    """
    first, second = parts[event.part_a].body, parts[event.part_b].body
    enters = event.what == ENTER
    if is_inside(state, inside, event.part_a, event.part_b) == enters:
        return -1
    change_inside(inside, event.part_a, event.part_b, enters)
    state.inside += 1 if enters else -1
    visitor, sensor = (second, first) if bodies[first].sensor != 0 else (first, second)
    body = bodies[visitor]
    if body.turn != 0.0:
        bring(state, body, parts, buffer)
    if pairs_inside(inside, bodies[first], bodies[second]) == (1 if enters else 0):
        past = state.now - body.own_time
        x, y = body.x + body.center_x + body.way_x * past, body.y + body.center_y + body.way_y * past
        note(state, hits, ENTERED if enters else EXITED, visitor, sensor, x, y, 0.0, 0.0)
    if event.marks & LOOKS_AGAIN == 0:
        return -1
    body.stamp += 1
    body.last_time = state.now
    return int(visitor)


@inner
def add_contact(
    state: Record, bodies: Table, parts: Table, buffer: Floats, queue: Integers, contact: Record, event: Record
) -> None:
    """Bring two bodies to the instant and note that they meet there."""
    contact.a, contact.b = parts[event.part_a].body, parts[event.part_b].body
    part = parts[event.part_b if event.marks & OF_B != 0 else event.part_a]
    contact.state = CORNERS_MEET if event.marks & CORNER != 0 else 0
    if event.marks & FACE_TURNS != 0:
        contact.state |= FACE_TURNING
    contact.nx, contact.ny, contact.impulse = event.nx, event.ny, 0.0
    for side in range(2):
        number, other = (contact.a, contact.b) if side == 0 else (contact.b, contact.a)
        touch(state, bodies, parts, buffer, queue, number, True)
        if bodies[other].kind == KINEMATIC:
            state.driven = 1
            bodies[number].presses = min(bodies[number].presses + 1, MOST_PRESSES)
    if event.marks & ON_LINE != 0:
        stand_off(bodies, parts, buffer, event)
    contact.x, contact.y = event.x + buffer[part.record + X], event.y + buffer[part.record + Y]


@kernel
def pass_on(state: Record, bodies: Table, parts: Table, buffer: Floats, queue: Integers, event: Record) -> None:
    """Put a body that passes from a flush surface onto a line off it; nothing else becomes of it."""
    for side in range(2):
        number = parts[event.part_a if side == 0 else event.part_b].body
        touch(state, bodies, parts, buffer, queue, number, False)
        look_again(state, bodies, queue, number)
    stand_off(bodies, parts, buffer, event)


@kernel
def touch(
    state: Record, bodies: Table, parts: Table, buffer: Floats, queue: Integers, number: int, counts: bool
) -> None:
    """Bring a body to the present instant, as one whose velocity may change there; once an instant."""
    body = bodies[number]
    if body.kind == STATIC or body.touched == state.instant:
        return
    body.touched = state.instant
    bring(state, body, parts, buffer)
    if body.kind == DYNAMIC:
        if counts:
            idle = state.now - body.last_time <= SAME_INSTANT * state.length
            if idle:
                body.idle = min(body.idle + 1, MOST_COUNTED)
            else:
                body.idle, body.jams = 0, 0
                state.crowd += 1
                state.lightest = max(state.lightest, body.inverse_mass)
                state.heaviest = min(state.heaviest, body.inverse_mass)
            body.last_time = state.now
        enqueue(state, bodies, queue, number)
