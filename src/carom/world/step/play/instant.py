"""Impacts at one instant that share bodies are found together; `impulses` gives their impulses together.

In: an impact that is due, and the queue of events. Out: the contacts of all impacts of that instant that share a body
with it, directly or by others. One after the other they would give an answer that depends on the order: a ball that
meets two at once would favour one of them.
Where nothing bounces, pairs that have met at this instant before are among them, too: else what is light would go to
and fro between what is heavy and a wall a thousand times at one instant. (With restitution that would make energy.)
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.tolerances import INSTANT, NO_SIZE, SLIDES
from carom.world.step.constants import REACH
from carom.world.step.pairs.contacts import (
    Contact,
    Contacts,
    Velocity,
    skin_of,
    velocity_at,
    velocity_of,
    write_contact,
)
from carom.world.step.pairs.filters import is_open
from carom.world.step.pairs.names import pair_name
from carom.world.step.pairs.seams import keep_outside
from carom.world.step.pairs.slow import speed_of
from carom.world.step.piles import MOST_AT_ONCE
from carom.world.step.play.event_queue import is_void
from carom.world.step.tables import IMPACT, MET, Body, State, Tables
from carom.world.step.ways.motion import advance, end_way, speed_between, velocity_now

LEVEL = 1e-4
"""Share of half the smaller least width: two points meet at one instant that are no more different in their gaps."""


@kernel
def gather_impacts(w: Tables, part_a: int, part_b: int, contacts: Contacts) -> int:
    """Write the contacts of an impact and of those at the same instant that share bodies with it; return how many.

    The bodies are brought to this instant. The events of the others stay in the queue, void once their bodies change.
    """
    state, parts, stack = w.state[0], w.parts, w.around
    if not write_impact(w, part_a, part_b, contacts[0]):
        return 0
    count, grows = 1, True
    while grows and state.events > 0:
        grows, stack[0], depth = False, 0, 1
        while depth > 0 and count < MOST_AT_ONCE:
            depth -= 1
            at = stack[depth]
            event = w.events[w.heap[at]]
            if event.when > state.now + INSTANT * state.length:
                continue  # what stands below it in the heap is later still
            for below in range(2 * at + 1, min(2 * at + 3, state.events)):
                if depth < stack.shape[0]:
                    stack[depth] = below
                    depth += 1
            if event.what != IMPACT or is_void(w, event):
                continue
            if not joins(w, event.part_a, event.part_b, event.when - state.now, contacts, count):
                continue
            if not write_impact(w, event.part_a, event.part_b, contacts[count]):
                continue
            a, b = w.bodies[parts[event.part_a].body], w.bodies[parts[event.part_b].body]
            if not is_double(contacts, count, a, b) and not recedes_already(a, b, contacts[count], 0.0):
                count += 1
                grows = True
    return count


@kernel
def join_past(w: Tables, contacts: Contacts, count: int) -> int:
    """Add to the contacts of some impacts those of pairs that have met at this instant before; return how many."""
    state = w.state[0]
    past = state.now - state.struck_at
    state.struck = state.struck if past <= INSTANT * state.length else 0
    grows = state.struck > 0
    while grows:
        grows = False
        for k in range(MOST_AT_ONCE, MOST_AT_ONCE + state.struck):
            part_a, part_b = contacts[k].name >> 32, contacts[k].name & 0xFFFFFFFF
            if count == MOST_AT_ONCE or not joins(w, part_a, part_b, past, contacts, count):
                continue
            if write_impact(w, part_a, part_b, contacts[count]):
                count += 1
                grows = True
    return count


@kernel
def note_met(state: State, contacts: Contacts, count: int) -> None:
    """Note the pairs of some impacts as those that met last at this instant; where they are many the first go."""
    left = 0
    for k in range(MOST_AT_ONCE, MOST_AT_ONCE + state.struck):
        again = False
        for c in range(count):
            again = again or contacts[c].name == contacts[k].name
        if not again:
            contacts[MOST_AT_ONCE + left].name = contacts[k].name
            left += 1
    gone = max(left + count - MOST_AT_ONCE, 0)
    for k in range(MOST_AT_ONCE, MOST_AT_ONCE + left - gone):
        contacts[k].name = contacts[k + gone].name
    for c in range(count):
        contacts[MOST_AT_ONCE + left - gone + c].name = contacts[c].name
    state.struck, state.struck_at = left - gone + count, state.now


@inner
def joins(w: Tables, part_a: int, part_b: int, time: float, contacts: Contacts, count: int) -> bool:
    """Tell whether two parts that meet after a time do so at this instant, and share a body with others than they."""
    number_a, number_b = w.parts[part_a].body, w.parts[part_b].body
    shares, name = False, pair_name(part_a, part_b)
    for c in range(count):
        contact = contacts[c]
        if contact.name == name:
            return False
        shares = shares or contact.a == number_a or contact.b == number_a
        shares = shares or contact.a == number_b or contact.b == number_b
    a, b = w.bodies[number_a], w.bodies[number_b]
    return bool(shares and time * speed_between(a, b) <= NO_SIZE * min(a.half_width, b.half_width))


@inner
def is_double(contacts: Contacts, count: int, a: Body, b: Body) -> bool:
    """Tell whether a contact is as one of those before it: two parts of one body are met once where they join."""
    new, near, found = contacts[count], NO_SIZE * min(a.half_width, b.half_width), False
    for c in range(count):
        old = contacts[c]
        same = old.a == new.a and old.b == new.b and old.count == 1 and new.count == 1
        aside = abs(old.ax[0] - new.ax[0]) + abs(old.ay[0] - new.ay[0])
        found = found or (same and aside <= near and abs(old.nx - new.nx) + abs(old.ny - new.ny) <= NO_SIZE)
    return found


@inner
def recedes_already(a: Body, b: Body, contact: Contact, room: float) -> bool:
    """Tell whether no point of a contact closes faster than `room`, or than velocities are rounded."""
    room = max(room, SLIDES * speed_of(a, b))
    return bool(contact.receding[0] >= -room and (contact.count == 1 or contact.receding[1] >= -room))


@inner
def own_velocity(w: Tables, number: int) -> Velocity:
    """Return the velocity of a body at this instant: a jointed one is on its way yet, which only an impact ends."""
    body = w.bodies[number]
    if body.node == 0:
        return velocity_of(body)
    return velocity_now(w.state[0], body, w.courses[number].since)


@kernel
def write_impact(w: Tables, part_a: int, part_b: int, contact: Contact) -> bool:
    """Bring two bodies to the present instant, and write the contact at which they meet; ways of jointed ones go on.

    False if one of them lets the other through: both go on as if they had not met. A corner that faces a side far off
    along it is left out: it does not meet the side now.
    """
    state, parts, bodies = w.state[0], w.parts, w.bodies
    number_a, number_b = parts[part_a].body, parts[part_b].body
    for number in (number_a, number_b):
        advance(w, bodies[number], state.now)
    write_contact(bodies, number_a, number_b, w.buffer, parts[part_a].record, parts[part_b].record, 0.0, contact)
    keep_outside(w, part_a, part_b, 0.0, contact)
    contact.name = pair_name(part_a, part_b)
    a, b = bodies[number_a], bodies[number_b]
    if is_open(a, b, contact):
        return False
    for number in (number_a, number_b):
        if bodies[number].node == 0:
            end_way(w, number)
        w.courses[number].met = max(w.courses[number].met, MET)
    v, u = own_velocity(w, number_a), own_velocity(w, number_b)
    for k in range(contact.count):
        x, y = velocity_at(v, u, contact, k)
        contact.receding[k] = x * contact.nx + y * contact.ny
    reach = REACH * skin_of(a, b) if max(a.swift, b.swift) > 0.0 else 0.0
    reach = max(reach, LEVEL * min(a.half_width, b.half_width))
    if contact.count == 2 and abs(contact.gap[0] - contact.gap[1]) > reach:
        if contact.gap[1] < contact.gap[0]:
            contact.ax[0], contact.ay[0] = contact.ax[1], contact.ay[1]
            contact.bx[0], contact.by[0] = contact.bx[1], contact.by[1]
            contact.gap[0], contact.receding[0] = contact.gap[1], contact.receding[1]
        contact.count = 1
    return True
