"""One instant: what happens at it is gathered from the agenda, brought there, solved together and noted.

In: the earliest event that still holds. Out: changed velocities, rows of `hits`, and the bodies that have to look
around again. Corners that meet corners wait until the faces of the same instant are solved, and then look again. A body
to which things happen again and again without progress in time is solved with all contacts of the instant and does not
bounce any more, and at last stands still.
"""

from __future__ import annotations

import math

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Floats, Integers
from carom.motion.agenda import take_earliest
from carom.motion.contact import (
    ASIDE,
    CORNERS_MEET,
    FACE_TURNING,
    INELASTIC,
    REPORTED,
    STICKS,
    parting_speed,
)
from carom.motion.course import bring, set_chord
from carom.motion.meeting import CORNER, OF_B, SEAM
from carom.motion.moment import (
    add_to_moment,
    bury,
    disband,
    drop_dead,
    has_joined,
    is_told,
    keep_velocities,
    one_before,
    rally,
    restore_velocities,
)
from carom.motion.sensors import LOOKS_AGAIN, change_inside, is_inside, pairs_inside
from carom.motion.solve import drop_supports, hold, prepare, slow_speed, solve
from carom.motion.sticking import stick
from carom.motion.tables import (
    CRUSHED,
    DYNAMIC,
    ENTER,
    ENTERED,
    EXITED,
    HIT,
    IMPACT,
    KINEMATIC,
    RENEW,
    STALLED,
    STATIC,
    Record,
    Table,
)
from carom.motion.turn import FACE_TURNS
from carom.tolerances import (
    MOST_HUDDLES,
    MOST_PRESSES,
    RATTLES,
    SAME_INSTANT,
    SAME_NORMAL,
    STILL_CLOSING,
    STOPS_AFTER,
)

MOST_COUNTED = 32000  # of what is counted for a body


@inner
def enqueue(state: Record, bodies: Table, queue: Integers, number: int) -> None:
    """Have a body look around."""
    if bodies[number].queued == 0:
        bodies[number].queued = 1
        queue[state.queue] = number
        state.queue += 1


@kernel
def note(
    state: Record, hits: Table, kind: int, body: int, other: int, x: float, y: float, nx: float, ny: float
) -> None:
    """Write down something that happened; the caller saw to it that there is room."""
    hit = hits[state.hits]
    state.hits += 1
    hit.time, hit.x, hit.y, hit.nx, hit.ny = state.now, x, y, nx + 0.0, ny + 0.0
    hit.speed, hit.impulse = 0.0, 0.0
    hit.kind, hit.body, hit.other = kind, body, other


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
            take_earliest(state, events, heap)
            continue
        if event.part_c >= 0 and event.stamp_c != bodies[parts[event.part_c].body].stamp:
            take_earliest(state, events, heap)
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
        take_earliest(state, events, heap)
        if event.what == IMPACT:
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
        x, y = body.x + body.center_x + body.chord_x * past, body.y + body.center_y + body.chord_y * past
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
    contact.x, contact.y = event.x + buffer[part.record + rec.X], event.y + buffer[part.record + rec.Y]


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


@inner
def resolve(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    queue: Integers,
    contacts: Table,
    hits: Table,
    rules: Integers,
    waiting: Integers,
    first: int,
) -> None:
    """Solve the contacts from `first` on; corners that meet corners only where no faces meet."""
    last = state.contacts
    faces = 0
    for c in range(first, last):
        contact = contacts[c]
        prepare(state, bodies, contact, rules)
        faces += 1 if contact.state & CORNERS_MEET == 0 else 0
        count_rattles(state, bodies, contacts, first, c)
    joined = rally(state, bodies, contacts, waiting, first)
    begin = first
    if joined >= 0:
        begin = min(joined, first)
        for c in range(begin, last):
            contact = contacts[c]
            if has_joined(bodies, contact):
                prepare(state, bodies, contact, rules)
                contact.impulse = 0.0
                touch(state, bodies, parts, buffer, queue, contact.a, False)
                touch(state, bodies, parts, buffer, queue, contact.b, False)
            elif c < first:
                contact.state |= ASIDE
    for c in range(first, last):
        # Once the faces are solved, what still closes at the corners is predicted again.
        if faces > 0 and contacts[c].state & CORNERS_MEET != 0:
            bury(state, contacts[c])
    driven = state.driven != 0
    if joined >= 0 and driven:
        keep_velocities(bodies, contacts, begin, last)
    solve(bodies, contacts, begin, last, driven, 0.0)
    if joined >= 0:
        if driven and give_way(state, bodies, queue, contacts, hits, begin, last):
            # What waits has pushed nothing.
            restore_velocities(bodies, contacts, begin, last)
            for c in range(begin, last):
                contact = contacts[c]
                if contact.state & ASIDE == 0:
                    prepare(state, bodies, contact, rules)
                    contact.impulse = 0.0
                    if has_joined(bodies, contact):
                        contact.approach = 0.0
            solve(bodies, contacts, begin, last, driven, 0.0)
        disband(bodies, contacts, begin, last)
    for k in range(2 * (last - first)):
        contact = contacts[first + k % (last - first)]
        if contact.state & (ASIDE | INELASTIC) == INELASTIC:
            hold(bodies, contact)
    for c in range(first, last):
        contact = contacts[c]
        if contact.state & ASIDE == 0:
            if contact.state & STICKS != 0:
                for k in range(stick(state, bodies, contacts, waiting, c)):
                    touch(state, bodies, parts, buffer, queue, waiting[k], False)
                    settle(state, bodies, hits, waiting[k])
            if contact.approach > 0.0:
                report(state, bodies, contacts, hits, last, c)
    for c in range(begin, last):
        for side in range(2):
            settle(state, bodies, hits, contacts[c].a if side == 0 else contacts[c].b)


@kernel
def count_rattles(state: Record, bodies: Table, contacts: Table, first: int, c: int) -> None:
    """Count an impact for those for whom it is slower than what bounces after a fall within a step."""
    contact = contacts[c]
    a, b = bodies[contact.a], bodies[contact.b]
    slow = max(slow_speed(state, a), slow_speed(state, b)) * 2.0 ** max(a.huddled, b.huddled)
    if contact.bounce >= 1.0 or contact.approach > slow:
        return
    for side in range(2):
        number = contact.a if side == 0 else contact.b
        body = bodies[number]
        if body.kind != DYNAMIC or is_flush(contacts, first, c, number):
            continue
        # What was held in a huddle is held no more as it was: all who huddled are to do so again.
        held = body.huddled > 0 and (body.push_x != 0.0 or body.push_y != 0.0)
        body.rattles = RATTLES if held else min(body.rattles + 1, MOST_COUNTED)
        if body.rattles >= RATTLES and body.huddled < MOST_HUDDLES:
            state.rattling = 1


@kernel
def is_flush(contacts: Table, first: int, c: int, number: int) -> bool:
    """Tell whether another contact of this instant pushes a body the same way, as those of one floor do."""
    at = one_before(contacts, c, number)
    sign = 1.0 if contacts[c].a == number else -1.0
    while at >= first:
        other = contacts[at]
        same = sign if other.a == number else -sign
        if abs(contacts[c].nx - same * other.nx) + abs(contacts[c].ny - same * other.ny) <= SAME_NORMAL:
            return True
        at = one_before(contacts, at, number)
    return False


@kernel
def give_way(
    state: Record, bodies: Table, queue: Integers, contacts: Table, hits: Table, first: int, last: int
) -> bool:
    """Stop the kinematic bodies that would crush something; tell whether there were any."""
    speed, worst = 0.0, 0.0
    for c in range(first, last):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        speed = max(speed, abs(a.vx), abs(a.vy), abs(b.vx), abs(b.vy))
        if contact.state & ASIDE == 0:
            worst = min(worst, parting_speed(bodies, contact))
    found = False
    if worst >= -STILL_CLOSING * speed:
        return found
    # What cannot be solved is pushed without end: whoever drives into it is to wait, as before what stands still.
    for c in range(first, last):
        contact = contacts[c]
        stands = contact.state & ASIDE == 0 and contact.share_a + contact.share_b == 0.0
        pressed = contact.impulse > 0.0 or (stands and parting_speed(bodies, contact) < 0.0)
        for side in range(2):
            number, other = (contact.a, contact.b) if side == 0 else (contact.b, contact.a)
            body = bodies[number]
            drives = body.vx != 0.0 or body.vy != 0.0 or body.turn != 0.0
            if body.kind == KINEMATIC and drives and pressed:
                found = True
                sign = 1.0 if side == 0 else -1.0
                note(state, hits, CRUSHED, other, number, contact.x, contact.y, sign * contact.nx, sign * contact.ny)
                body.stopped = 1
                body.vx, body.vy, body.chord_x, body.chord_y, body.turn = 0.0, 0.0, 0.0, 0.0, 0.0
                body.stamp += 1
                enqueue(state, bodies, queue, number)
    return found


@kernel
def report(state: Record, bodies: Table, contacts: Table, hits: Table, count: int, c: int) -> None:
    """Write a hit for a contact, unless the bodies have met at this moment already."""
    contact = contacts[c]
    a = bodies[contact.a]
    if is_told(bodies, contacts, contact, count):
        return
    contact.state |= REPORTED
    hit = hits[state.hits]
    if a.kind == DYNAMIC:
        note(state, hits, HIT, contact.a, contact.b, contact.x, contact.y, -contact.nx, -contact.ny)
    else:
        note(state, hits, HIT, contact.b, contact.a, contact.x, contact.y, contact.nx, contact.ny)
    hit.speed, hit.impulse = contact.approach, contact.impulse


@kernel
def settle(state: Record, bodies: Table, hits: Table, number: int) -> None:
    """After its contacts are solved: drop the supports a body leaves, and aim it anew."""
    body = bodies[number]
    if body.kind != DYNAMIC or body.touched != state.instant:
        return
    body.touched = 0
    body.stamp += 1
    if body.held > 0:
        drop_supports(state, bodies, body)
        lie_still(state, bodies, body)
    if body.vx != 0.0 or body.vy != 0.0 or body.held == 0:
        body.asleep = 0
    if body.jams > STOPS_AFTER and body.stopped == 0:
        note(state, hits, STALLED, number, number, body.x + body.center_x, body.y + body.center_y, 0.0, 0.0)
        body.stopped = 1
    if body.stopped != 0:
        body.vx, body.vy, body.pull_x, body.pull_y = 0.0, 0.0, 0.0, 0.0
    set_chord(state, body)


@kernel
def lie_still(state: Record, bodies: Table, body: Record) -> None:
    """Give a body between two supports that do not move exactly no velocity, rather than rounding errors."""
    if body.held < 2 or body.pull_x != 0.0 or body.pull_y != 0.0:
        return
    for k in range(2):
        other = bodies[body.supporter[k]]
        if other.vx != 0.0 or other.vy != 0.0:
            return
    area = abs(body.support[0] * body.support[3] - body.support[1] * body.support[2])
    ax, ay = abs(state.gravity_x + body.acceleration_x), abs(state.gravity_y + body.acceleration_y)
    if max(abs(body.vx), abs(body.vy)) <= STILL_CLOSING * area * (ax + ay) * state.length:
        body.vx, body.vy = 0.0, 0.0
