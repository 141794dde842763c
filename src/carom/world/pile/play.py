"""The event queue of a step: free bodies, and everything against what cannot be moved, impact by impact.

In: bodies on their ways, free ones and those that the solver sent. Out: the same at the last event; hits. The
earliest impact is taken, one impulse with restitution and friction at the true contact points changes both bodies, they
get new ways, and look around again. Two bodies that the solver has both are its own affair.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.event_queue import pop, push
from carom.world.filters import MEET, concern
from carom.world.pile.contacts import moves, write_contact
from carom.world.pile.listing import (
    is_open,
    meeting_time,
    neighbours_of,
    pair_name,
    slot_of,
    ways_overlap,
)
from carom.world.pile.motion import advance
from carom.world.pile.resolve import own_pull, resolve
from carom.world.pile.waking import OF_PILE, settle_parts, wake
from carom.world.tables import DYNAMIC, HIT, IMPACT, KINEMATIC, RENEW, STATIC, Record, Table, Tables

TOUCH = 4
"""A kind of event beside those of `tables`: two bodies of a pile touch, which is only told."""
DONE, PAUSED, MORE_EVENTS, MORE_CONTACTS, MORE_HITS = 0, 1, 2, 3, 4

MOST_HITS = 8
"""Impacts of a body in a step without progress; then it stays where it is until the step ends."""
PROGRESS = 1e-6
"""Share of the step: impacts nearer in time to the one before are without progress."""


@inner
def is_under_way(body: Record) -> bool:
    """Tell whether a body has to look around: what stands still is found by the others."""
    moves_on = body.way_x != 0.0 or body.way_y != 0.0 or body.way_spin != 0.0
    return bool(moves_on and body.kind != STATIC and body.asleep == 0)


@inner
def enqueue(w: Tables, number: int) -> None:
    """Have a body look around, before anything else happens."""
    state, body = w.state[0], w.bodies[number]
    if body.queued == 0:
        body.queued = 1
        w.queue[state.queue] = number
        state.queue += 1


@kernel
def look_around(w: Tables, contacts: Table, names: Integers, number: int, work: Floats) -> bool:
    """Predict whom a body meets until its horizon; False if the table of events is too short."""
    bodies, parts = w.bodies, w.parts
    body = bodies[number]
    for p in range(body.first_part, body.first_part + body.part_count):
        near = neighbours_of(w, p)
        for k in range(near):
            q = w.near[k]
            other_number = parts[q].body
            other = bodies[other_number]
            # A body that waits to look will find this one.
            if other_number == number or other.queued != 0 or not ways_overlap(parts[p], parts[q]):
                continue
            if concern(body, other, w.rules) != MEET:
                continue
            if moves(body) and moves(other) and body.pile & other.pile & OF_PILE != 0:
                continue
            part_a, part_b = min(p, q), max(p, q)
            listed = names[slot_of(names, contacts, pair_name(part_a, part_b))] >= 0
            if listed and moves(body) and moves(other):
                continue
            if not foresee_impact(w, part_a, part_b, listed, work):
                return False
    if body.horizon < w.state[0].length:
        return foresee(w, RENEW, body.first_part, body.first_part, body.horizon, -1)
    return True


@inner
def foresee_impact(w: Tables, part_a: int, part_b: int, listed: bool, work: Floats) -> bool:
    """Put the meeting of two parts into the queue, if they meet; False if there is no room."""
    state, bodies, parts = w.state[0], w.bodies, w.parts
    a, b = bodies[parts[part_a].body], bodies[parts[part_b].body]
    now = max(a.own_time, b.own_time)
    # Both at one time: the one that is behind is brought on its way, which changes nothing else.
    advance(a, parts, w.buffer, now, state.length)
    advance(b, parts, w.buffer, now, state.length)
    rest = min(a.horizon, b.horizon) - now
    time = meeting_time(w, part_a, part_b, rest, listed, work)
    if not time < rest:
        return True
    return foresee(w, IMPACT, part_a, part_b, now + time, -1)


@inner
def foresee(w: Tables, what: int, part_a: int, part_b: int, when: float, contact: int) -> bool:
    """Put an event into the queue; False if there is no room. `contact`: the row that a TOUCH tells of."""
    state, bodies, parts = w.state[0], w.bodies, w.parts
    a, b = bodies[parts[part_a].body], bodies[parts[part_b].body]
    if state.events == w.heap.shape[0]:
        drop_void(w)
        if state.events > 3 * w.heap.shape[0] // 4:
            return False
    event = w.events[w.heap[state.events]]
    event.what, event.when, event.window, event.marks, event.part_c = what, when, 0.0, 0, contact
    event.part_a, event.part_b, event.stamp_a, event.stamp_b = part_a, part_b, a.stamp, b.stamp
    push(state, w.events, w.heap)
    return True


@kernel
def drop_void(w: Tables) -> None:
    """Take the events out of the queue that hold no more."""
    state, events, heap, parts, bodies = w.state[0], w.events, w.heap, w.parts, w.bodies
    count, kept = state.events, 0
    for k in range(count):
        event = events[heap[k]]
        a, b = bodies[parts[event.part_a].body], bodies[parts[event.part_b].body]
        if event.what == TOUCH or (event.stamp_a == a.stamp and event.stamp_b == b.stamp):
            heap[k], heap[kept] = heap[kept], heap[k]
            kept += 1
    state.events = 0
    for _ in range(kept):
        push(state, events, heap)


@kernel
def announce(w: Tables, contacts: Table, count: int, old: Table, old_names: Integers) -> bool:
    """Put the touches of piles that are new into the queue, to be told in their turn; False if there is no room."""
    state = w.state[0]
    for c in range(count):
        contact = contacts[c]
        pushes = contact.most[0] > 0.0 or (contact.count == 2 and contact.most[1] > 0.0)
        if pushes and old_names[slot_of(old_names, old, contact.name)] < 0:
            part_a, part_b = contact.name >> 32, contact.name & 0xFFFFFFFF
            if not foresee(w, TOUCH, part_a, part_b, min(contact.time, state.length), c):
                return False
    return True


@kernel
def play_events(w: Tables, contacts: Table, names: Integers, work: Floats) -> int:
    """Play the events of the step in the order of time, to its end or to a reason to stop; return which."""
    state, bodies, parts = w.state[0], w.bodies, w.parts
    scratch = contacts[contacts.shape[0] - 1]
    while True:
        while state.queue > 0:
            number = w.queue[state.queue - 1]
            # It is looking, no longer waiting to look.
            bodies[number].queued = 0
            if not look_around(w, contacts, names, number, work):
                bodies[number].queued = 1
                return MORE_EVENTS
            state.queue -= 1
        if state.pauses != 0 and state.hits > state.told:
            state.told = state.hits
            return PAUSED
        if state.events == 0:
            return DONE
        if w.hits.shape[0] - state.hits < 2:
            return MORE_HITS
        event = w.events[w.heap[0]]
        pop(state, w.events, w.heap)
        number_a, number_b = parts[event.part_a].body, parts[event.part_b].body
        a, b = bodies[number_a], bodies[number_b]
        if event.what == TOUCH:
            state.now = event.when
            tell_touch(w, contacts[event.part_c])
        elif event.stamp_a == a.stamp and event.stamp_b == b.stamp:
            state.now = event.when
            if event.what == RENEW:
                advance(a, parts, w.buffer, state.now, state.length)
                settle_parts(w, number_a, state.now)
                enqueue(w, number_a)
            else:
                play_impact(w, event.part_a, event.part_b, scratch)


@kernel
def play_impact(w: Tables, part_a: int, part_b: int, contact: Record) -> None:
    """Play the impact of two parts that meet now; both bodies are to look around."""
    state, bodies, parts = w.state[0], w.bodies, w.parts
    number_a, number_b = parts[part_a].body, parts[part_b].body
    a, b = bodies[number_a], bodies[number_b]
    for side in range(2):
        number = number_a if side == 0 else number_b
        advance(bodies[number], parts, w.buffer, state.now, state.length)
    write_contact(bodies, number_a, number_b, w.buffer, parts[part_a].record, parts[part_b].record, 0.0, contact)
    if is_open(a, b, contact):
        return
    for side in range(2):
        number = number_a if side == 0 else number_b
        if bodies[number].asleep != 0:
            wake(w, number)
            body = bodies[number]
            body.pull_x, body.pull_y, body.pull_spin = own_pull(state, body)
    first, closing, impulse = resolve(state, a, b, w.rules, contact)
    if closing > 0.0:
        x, y = contact.ax[first] + a.x, contact.ay[first] + a.y
        tell(w, number_a, number_b, x, y, contact.nx, contact.ny, closing, impulse)
    for side in range(2):
        number = number_a if side == 0 else number_b
        body = bodies[number]
        if body.kind == DYNAMIC:
            body.stamp += 1
            body.hits = body.hits + 1 if state.now - body.last_hit <= PROGRESS * state.length else 0
            body.last_hit = state.now
            if body.hits > MOST_HITS:
                stop(body)
                other = b if side == 0 else a
                if other.kind == KINEMATIC and is_under_way(other):
                    # A kinematic body waits rather than crush.
                    stop(other)
                    other.stamp += 1
                    enqueue(w, number_b if side == 0 else number_a)
            settle_parts(w, number, state.now)
            enqueue(w, number)


@inner
def tell(w: Tables, a: int, b: int, x: float, y: float, nx: float, ny: float, speed: float, impulse: float) -> None:
    """Write a hit; its normal leads out of the body that was met."""
    state = w.state[0]
    row = w.hits[state.hits]
    state.hits += 1
    first = w.bodies[a].kind == DYNAMIC
    row.time, row.x, row.y, row.speed, row.impulse, row.kind = state.now, x, y, speed, impulse, HIT
    row.nx, row.ny = (0.0 - nx, 0.0 - ny) if first else (nx + 0.0, ny + 0.0)
    row.body, row.other = (a, b) if first else (b, a)


@inner
def tell_touch(w: Tables, contact: Record) -> None:
    """Write a hit for a contact of the solver."""
    a = w.bodies[contact.a]
    k = 1 if contact.count == 2 and contact.parting[1] < contact.parting[0] else 0
    impulse = contact.most[0] + (contact.most[1] if contact.count == 2 else 0.0)
    past = w.state[0].now - a.own_time
    x, y = a.x + a.way_x * past + contact.ax[k], a.y + a.way_y * past + contact.ay[k]
    closing = max(0.0 - contact.parting[k], 0.0)
    tell(w, contact.a, contact.b, x, y, contact.nx, contact.ny, closing, impulse)


@inner
def stop(body: Record) -> None:
    """Leave a body where it is until the step ends; its velocity stays."""
    body.way_x, body.way_y, body.way_spin = 0.0, 0.0, 0.0
