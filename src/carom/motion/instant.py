"""One instant: what happens at it is gathered from the agenda, brought there, solved together and noted.

In: the earliest event that still holds. Out: changed velocities, rows of `hits`, and the bodies that have to look
around again. Corners that meet corners wait until the faces of the same instant are solved, and then look again. A body
to which things happen again and again without progress in time is solved with all contacts of the instant and does not
bounce any more, and at last stands still.
"""

from __future__ import annotations

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Floats, Integers
from carom.motion.agenda import take_earliest
from carom.motion.course import bring, set_chord
from carom.motion.meeting import CORNER, OF_B
from carom.motion.responses import BOUNCE, STOP, response_of
from carom.motion.sensors import LOOKS_AGAIN, change_inside, is_inside, pairs_inside
from carom.motion.solve import (
    ASIDE,
    CORNERS_MEET,
    INELASTIC,
    REPORTED,
    STICKS,
    drop_supports,
    hold,
    inverse_mass,
    is_held,
    parting_pull,
    parting_speed,
    solve,
    stick,
)
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
from carom.motion.turn import surface_acceleration, surface_speed
from carom.tolerances import HOP, INELASTIC_AFTER, REST_SPEEDS, SAME_INSTANT, STILL_CLOSING, STOPS_AFTER


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
    first, crossings, begun = state.contacts, 0, False
    while state.events > 0:
        event = events[heap[0]]
        if not holds_still(bodies, parts, event):
            take_earliest(state, events, heap)
            continue
        if not begun:
            time = max(event.when, state.now)
            if time - state.now > SAME_INSTANT * state.length:
                state.contacts, state.driven = 0, 0
                first = 0
            state.now = time
            state.instant += 1
            begun = True
        if event.when - state.now > event.window or max(state.contacts, crossings) == contacts.shape[0]:
            break
        take_earliest(state, events, heap)
        if event.what == IMPACT:
            add_contact(state, bodies, parts, buffer, queue, contacts[state.contacts], event)
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
    state.contacts += 1
    contact.a, contact.b = parts[event.part_a].body, parts[event.part_b].body
    part = parts[event.part_b if event.marks & OF_B != 0 else event.part_a]
    contact.state = CORNERS_MEET if event.marks & CORNER != 0 else 0
    contact.nx, contact.ny, contact.impulse = event.nx, event.ny, 0.0
    if bodies[contact.a].kind == KINEMATIC or bodies[contact.b].kind == KINEMATIC:
        state.driven = 1
    for side in range(2):
        touch(state, bodies, parts, buffer, queue, contact.a if side == 0 else contact.b, True)
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
            body.idle = body.idle + 1 if idle else 0
            body.last_time = state.now
        enqueue(state, bodies, queue, number)


@kernel
def prepare(state: Record, bodies: Table, contact: Record, rules: Integers) -> None:
    """Decide what a contact asks for: how fast its bodies are to part, and who of them gives way."""
    a, b = bodies[contact.a], bodies[contact.b]
    nx, ny = contact.nx, contact.ny
    contact.extra = 0.0
    hop = 0.0
    if a.turn != 0.0 or b.turn != 0.0:
        contact.extra = surface_speed(b, contact.x, contact.y, nx, ny) - surface_speed(a, contact.x, contact.y, nx, ny)
        # What a spinning body pushes along it must leave by itself, or they would meet again at once, and again.
        hop = surface_acceleration(a, contact.x, contact.y) + surface_acceleration(b, contact.x, contact.y)
        hop = HOP * (hop + abs(parting_pull(bodies, contact))) * (state.length - state.now)
    approach = -parting_speed(bodies, contact)
    rest = REST_SPEEDS * abs(parting_pull(bodies, contact)) * state.length
    response = response_of(a, b, rules)
    restitution = max(a.restitution, b.restitution) if response == BOUNCE else 0.0
    contact.state &= CORNERS_MEET | REPORTED
    contact.share_a, contact.share_b = inverse_mass(a), inverse_mass(b)
    contact.target = restitution * max(approach, 0.0)
    if restitution == 0.0 or abs(approach) <= rest or max(a.idle, b.idle) > INELASTIC_AFTER:
        contact.state |= INELASTIC
        contact.target = hop
        share_a = 0.0 if is_held(a, -contact.nx, -contact.ny) else contact.share_a
        share_b = 0.0 if is_held(b, contact.nx, contact.ny) else contact.share_b
        if share_a + share_b > 0.0:
            contact.share_a, contact.share_b = share_a, share_b
    if response == STOP:
        contact.state |= STICKS
    contact.approach = approach if approach > rest else 0.0


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
    first: int,
) -> None:
    """Solve the contacts from `first` on; corners that meet corners only where no faces meet."""
    last = state.contacts
    faces, begin = 0, first
    for c in range(first, last):
        contact = contacts[c]
        prepare(state, bodies, contact, rules)
        faces += 1 if contact.state & CORNERS_MEET == 0 else 0
        idle = max(bodies[contact.a].idle, bodies[contact.b].idle)
        if idle > INELASTIC_AFTER or (idle > 0 and state.driven != 0 and is_driven(bodies, contacts, first, contact)):
            begin = 0
    for c in range(begin, first):
        contact = contacts[c]
        prepare(state, bodies, contact, rules)
        contact.impulse = 0.0
        touch(state, bodies, parts, buffer, queue, contact.a, False)
        touch(state, bodies, parts, buffer, queue, contact.b, False)
    for c in range(first, last):
        # Once the faces are solved, what still closes at the corners is predicted again.
        if faces > 0 and contacts[c].state & CORNERS_MEET != 0:
            contacts[c].state |= ASIDE
    solve(bodies, contacts, begin, last)
    if begin < first and give_way(state, bodies, queue, contacts, hits, begin, last):
        solve(bodies, contacts, begin, last)
    for k in range(2 * (last - first)):
        contact = contacts[first + k % (last - first)]
        if contact.state & (ASIDE | INELASTIC) == INELASTIC:
            hold(bodies, contact)
    for c in range(first, last):
        contact = contacts[c]
        if contact.state & ASIDE == 0:
            if contact.state & STICKS != 0:
                stick(bodies, contact)
            if contact.approach > 0.0:
                report(state, bodies, contacts, hits, first, c)
    for c in range(begin, last):
        for side in range(2):
            settle(state, bodies, hits, contacts[c].a if side == 0 else contacts[c].b)


@kernel
def is_driven(bodies: Table, contacts: Table, first: int, contact: Record) -> bool:
    """Tell whether a body of a contact met something else at this instant, and something kinematic is among them."""
    driven = bodies[contact.a].kind == KINEMATIC or bodies[contact.b].kind == KINEMATIC
    for c in range(first):
        other = contacts[c]
        shared = other.a == contact.a or other.a == contact.b or other.b == contact.a or other.b == contact.b
        if shared and (driven or bodies[other.a].kind == KINEMATIC or bodies[other.b].kind == KINEMATIC):
            return True
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
    # What cannot be solved is pushed without end: whoever drives into it is to wait.
    for c in range(first, last):
        contact = contacts[c]
        for side in range(2):
            number, other = (contact.a, contact.b) if side == 0 else (contact.b, contact.a)
            body = bodies[number]
            drives = body.vx != 0.0 or body.vy != 0.0 or body.turn != 0.0
            if body.kind == KINEMATIC and drives and contact.impulse > 0.0:
                found = True
                sign = 1.0 if side == 0 else -1.0
                note(state, hits, CRUSHED, other, number, contact.x, contact.y, sign * contact.nx, sign * contact.ny)
                body.stopped = 1
                body.vx, body.vy, body.chord_x, body.chord_y, body.turn = 0.0, 0.0, 0.0, 0.0, 0.0
                body.stamp += 1
                enqueue(state, bodies, queue, number)
    if found:
        for c in range(first, last):
            contacts[c].impulse, contacts[c].approach, contacts[c].extra = 0.0, 0.0, 0.0
    return found


@kernel
def report(state: Record, bodies: Table, contacts: Table, hits: Table, first: int, c: int) -> None:
    """Write a hit for a contact, unless the bodies have met at this instant already."""
    contact = contacts[c]
    a, b = bodies[contact.a], bodies[contact.b]
    # Earlier looks count if anything happened to the bodies in them; two parts of one body are one hit.
    begin = 0 if max(a.idle, b.idle) > 0 else first
    end = c if a.part_count + b.part_count > 2 else first
    for k in range(begin, end):
        if contacts[k].a == contact.a and contacts[k].b == contact.b and contacts[k].state & REPORTED != 0:
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
    if body.idle > STOPS_AFTER and body.stopped == 0:
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
