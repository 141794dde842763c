"""Which contacts the solver gets: those that last, and those ahead of bodies in piles.

In: bodies on the ways that they would take with nothing around. Out: rows of the table of contacts, with the impulses
of the step before. A pair is slow where acceleration alone governs it: near, and closing no faster than some steps of
acceleration bring about. Slow pairs are contacts. A faster pair of which one body is of a pile is a contact ahead: its
normal, points and gaps are those of the time of impact, carried back. All other pairs are left to the event queue.
Without acceleration no pair is slow, and there is no threshold: a gas is exact.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.conservative_advancement import write_turned
from carom.world.step.constants import DEEPER, MEET_AT, SLOW
from carom.world.step.pairs.contacts import (
    Contact,
    closing_of,
    is_near,
    keep_impulses,
    moves,
    recedes_on_ways,
    skin_of,
    write_contact,
)
from carom.world.step.pairs.filters import MEET, concern, is_open
from carom.world.step.pairs.meeting import UNKNOWN, are_stuck, meeting_time
from carom.world.step.pairs.names import pair_name, slot_of_name
from carom.world.step.pairs.seams import MISSED, write_outer
from carom.world.step.pairs.slow import is_slow, pace_of, set_response
from carom.world.step.piles import Piles
from carom.world.step.tables import DYNAMIC, Body, Tables
from carom.world.step.ways.motion import way_of
from carom.world.step.ways.neighbours import met_on_way


@inner
def are_mere_pair(a: Body, b: Body) -> bool:
    """Tell whether neither of two bodies is of a pile."""
    return bool(a.pile == 0 and b.pile == 0)


@kernel
def list_contacts(w: Tables, piles: Piles) -> int:
    """Write the contacts at the start of a step; return how many, -1 if the table is too short, -2 - k if body k woke.

    The bounds of all ways are written. A body that wakes needs a way first; then all is listed anew.
    """
    bodies, parts, count = w.bodies, w.parts, 0
    for m in range(w.state[0].movers):
        number = w.movers[m]
        body = bodies[number]
        if body.kind != DYNAMIC or body.asleep != 0 or body.sensor != 0:
            continue
        for p in range(body.first_part, body.first_part + body.part_count):
            for k in range(met_on_way(w, p)):
                q = w.around[k]
                other = bodies[parts[q].body]
                if (moves(other) and parts[q].body < number) or concern(w, body, other) != MEET:
                    continue
                if max(body.swift, other.swift) == 0.0 and are_mere_pair(body, other):
                    continue
                if count == piles.contacts.shape[0] - 1:
                    return -1  # the last row is scratch
                found = list_pair(w, piles, count, min(p, q), max(p, q))
                if found == 2:
                    return -2 - int(parts[q].body)
                count += found
    return count


@inner
def list_pair(w: Tables, piles: Piles, c: int, part_a: int, part_b: int) -> int:
    """Write contact c of two parts, if it is one for the solver: 1, or 0; 2 if one of the two has to wake first."""
    number_a, number_b, contact = w.parts[part_a].body, w.parts[part_b].body, piles.contacts[c]
    a, b = w.bodies[number_a], w.bodies[number_b]
    swift, length = max(a.swift, b.swift), w.state[0].length
    mere = are_mere_pair(a, b)
    ahead = not mere and a.kind == DYNAMIC and b.kind == DYNAMIC
    separation = write_near(w, contact, part_a, part_b)
    if separation == math.inf:
        return write_ahead(w, contact, part_a, part_b, piles.work) if ahead else 0
    if is_open(a, b, contact):
        return 0
    closing = closing_of(contact)
    stuck = are_stuck(w, number_a, number_b)
    if closing < -swift * length and not stuck:
        return 0  # it parts faster than acceleration brings it back in this step
    # The end of the step sees to bodies of piles, but of free ones only if the event queue has seen them meet.
    unseen = mere and closing * length <= DEEPER * skin_of(a, b)
    slow = unseen or is_slow(closing, swift, pace_of(w.state[0]))
    if not slow and not stuck:
        return write_ahead(w, contact, part_a, part_b, piles.work) if ahead else 0
    if is_near(a, b, separation) and (a.asleep != 0 or b.asleep != 0):
        return 2
    before = piles.old_names[slot_of_name(piles.old_names, piles.old, contact.name)]
    if before >= 0:
        keep_impulses(contact, piles.old[before])
    if stuck or contact.normal[0] > 0.0 or contact.normal[1] > 0.0:
        contact.bounce = 0.0  # what has pressed rests
    meets = contact.bounce > 0.0 and mere and separation > MEET_AT * skin_of(a, b)
    return 0 if meets else 1


@kernel
def write_near(w: Tables, contact: Contact, part_a: int, part_b: int) -> float:
    """Write the contact of two parts as they stand; return how far apart they are, infinity if that is too far."""
    a, b = w.bodies[w.parts[part_a].body], w.bodies[w.parts[part_b].body]
    skin, time = skin_of(a, b), pace_of(w.state[0])
    margin = skin + SLOW * max(a.swift, b.swift) * time * time
    separation, sides = write_outer(w, part_a, part_b, skin, margin, contact)
    if sides == MISSED and separation > 0.0:
        return math.inf
    if separation < math.inf:
        contact.name = pair_name(part_a, part_b)
        set_response(w, contact)
    return float(separation)


@inner
def stands_at(w: Tables, contact: Contact, part_a: int, part_b: int) -> bool:
    """Write the contact of a part and a wall; tell whether they are near, and the wall does not let it through."""
    if write_near(w, contact, part_a, part_b) == math.inf:
        return False
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    if is_open(a, b, contact):
        return False
    if w.parts[part_a].thin != 0 or w.parts[part_b].thin != 0:
        # A part without width has no inside: the solver leaves it where it stands off, as far as impacts do.
        for k in range(contact.count):
            contact.gap[k] -= MEET_AT * skin_of(a, b)
    return True


@kernel
def write_ahead(w: Tables, contact: Contact, part_a: int, part_b: int, work: Floats) -> int:
    """Write the contact that two parts will have when they meet, seen from now: 1; 0 if not; 2 if one sleeps.

    Its gaps are those that the ways close until then.
    """
    bodies, parts, buffer, length = w.bodies, w.parts, w.buffer, w.state[0].length
    number_a, number_b = parts[part_a].body, parts[part_b].body
    a, b = bodies[number_a], bodies[number_b]
    i, j = parts[part_a].record, parts[part_b].record
    time = meeting_time(w, part_a, part_b, length, UNKNOWN, work)
    if time >= length:
        return 0
    if a.asleep != 0 or b.asleep != 0:
        return 2
    half, skin = work.shape[0] // 2, skin_of(a, b)
    write_turned(buffer, i, way_of(a, buffer, parts[part_a]), time, work, 0)
    write_turned(buffer, j, way_of(b, buffer, parts[part_b]), time, work, half)
    old = a.x, a.y, b.x, b.y
    # Levers and speeds are those of that instant and of the ways.
    a.x, a.y, b.x, b.y = a.x + a.way_x * time, a.y + a.way_y * time, b.x + b.way_x * time, b.y + b.way_y * time
    write_contact(bodies, number_a, number_b, work, 0, half, skin, contact)
    a.x, a.y, b.x, b.y = old
    contact.name, contact.time = pair_name(part_a, part_b), time
    for k in range(contact.count):
        contact.receding[k] = recedes_on_ways(a, b, contact, k)
        contact.gap[k] -= contact.receding[k] * time
    set_response(w, contact)
    return 0 if is_open(a, b, contact) else 1
