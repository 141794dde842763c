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
from carom._core.types import Floats, Integers
from carom.narrow.conservative_advancement import write_turned
from carom.tolerances import ONE_WAY_SIDE, STAND_OFF_SLOPS
from carom.world.step.constants import DEEPER, DEEPEST, MEET_AT, MEET_TURNING, NO_SLIP, REACH, SKIN, SLOW
from carom.world.step.pairs.contacts import (
    Contact,
    Contacts,
    closing_of,
    keep_impulses,
    moves,
    surface_of,
    write_contact,
)
from carom.world.step.pairs.filters import MEET, SLIDE, STOP, concern, response_of
from carom.world.step.pairs.seams import write_outer
from carom.world.step.pairs.slow import bounce_of, is_slow, pace_of
from carom.world.step.piles import Piles
from carom.world.step.tables import DYNAMIC, SLOTS, Body, Part, Tables
from carom.world.step.ways.motion import slop_between, time_on_ways, turns_part, way_of
from carom.world.step.ways.neighbours import find_near


@inner
def skin_of(a: Body, b: Body) -> float:
    """Return how far apart two bodies come to rest."""
    return float(SKIN * min(a.half_width, b.half_width))


@inner
def is_near(a: Body, b: Body, separation: float) -> bool:
    """Tell whether an awake body wakes another that it comes so near to, and keeps it awake."""
    return bool(separation < REACH * skin_of(a, b))


@inner
def are_stuck(w: Tables, number_a: int, number_b: int) -> bool:
    """Tell whether one of two bodies is hit without end, so that it is solved, and does not bounce."""
    return bool(w.courses[number_a].stuck + w.courses[number_b].stuck > 0)


UNKNOWN, KNOWN, SOLVED_TOGETHER = 0, 1, 2
"""What the solver knows of a pair: nothing; its contact; both bodies, which move."""


@kernel
def meeting_time(w: Tables, part_a: int, part_b: int, rest: float, known: int, work: Floats) -> float:
    """Return after what time two parts meet on their ways, both from the same instant on; or infinity.

    With acceleration they meet at half a skin, or, if the solver has their contact, where it lets them go deeper than a
    skin. Without acceleration they meet where they touch. Solved bodies that both move meet so deep that they might
    come out on the other side.
    """
    p, q, buffer = w.parts[part_a], w.parts[part_b], w.buffer
    a, b = w.bodies[p.body], w.bodies[q.body]
    size = min(a.half_width, b.half_width)
    slop = slop_between(buffer, p, q)
    target, margin, floor, tolerance = 0.0, 0.0, 0.0, slop
    thin = p.thin != 0 or q.thin != 0
    if max(a.swift, b.swift) > 0.0:
        skin = skin_of(a, b)
        target, margin, floor, tolerance = MEET_AT * skin, DEEPER * skin, -skin, 0.25 * DEEPER * skin
        if known != UNKNOWN:
            target = 0.5 * MEET_AT * skin if thin else floor
    elif turns_part(a, buffer, p) or turns_part(b, buffer, q):
        target = MEET_TURNING * size
        margin, floor, tolerance = 0.25 * target, -target, 0.025 * target
    if thin and max(a.swift, b.swift) == 0.0:
        target, margin = max(target, 2.0 * STAND_OFF_SLOPS * slop), max(margin, slop)
    if known == SOLVED_TOGETHER and not thin:
        target = -size if are_stuck(w, p.body, q.body) else -DEEPEST * size
        margin, floor, tolerance = DEEPEST * size, -math.inf, 0.25 * DEEPEST * size
    if thin:
        # A part without width has no inside: it stands off, so that it is always known on which side.
        floor, tolerance = max(margin, 2.0 * slop), 0.5 * slop
    return time_on_ways(w, part_a, part_b, rest, (target, margin, floor, tolerance), work)


@inner
def are_mere_pair(a: Body, b: Body) -> bool:
    """Tell whether neither of two bodies is of a pile."""
    return bool(a.pile == 0 and b.pile == 0)


@kernel
def neighbours_of(w: Tables, part: int) -> int:
    """Write the neighbours of a part into `around`; return how many."""
    parts, around, lists = w.parts, w.around, w.lists
    count = parts[part].listed
    if count < 0:
        return int(find_near(w, part, around))
    for k in range(count):
        around[k] = lists[SLOTS * part + k]
    return int(count)


@inner
def ways_overlap(p: Part, q: Part) -> bool:
    """Tell whether the bounds of two parts' ways touch or overlap."""
    apart_x = max(p.low_x - q.high_x, q.low_x - p.high_x)
    return bool(max(apart_x, p.low_y - q.high_y, q.low_y - p.high_y) <= 0.0)


@inner
def met_on_way(w: Tables, number: int) -> int:
    """Write the parts of other bodies whose bounds touch those of a part into `around`; return how many."""
    parts, around, lists = w.parts, w.around, w.lists
    part = parts[number]
    listed, count = part.listed >= 0, 0
    for k in range(part.listed if listed else neighbours_of(w, number)):
        q = int(lists[SLOTS * number + k]) if listed else around[k]
        other = parts[q]
        if ways_overlap(part, other) and other.body != part.body:
            around[count] = q
            count += 1
    return count


@inner
def pair_name(part_a: int, part_b: int) -> int:
    """Return a number for a pair of parts."""
    return part_a << 32 | part_b


@inner
def slot_of(names: Integers, contacts: Contacts, name: int) -> int:
    """Return where a pair stands in the hash table of contacts, or the free place where it would."""
    mask = names.shape[0] - 1
    at = (name * 2654435761 ^ name >> 29) & mask
    while names[at] >= 0 and contacts[names[at]].name != name:
        at = (at + 1) & mask
    return int(at)


@inner
def contact_of(piles: Piles, part_a: int, part_b: int) -> int:
    """Return the contact of two parts; -1 if there is none."""
    return int(piles.names[slot_of(piles.names, piles.contacts, pair_name(part_a, part_b))])


@kernel
def name_contacts(names: Integers, contacts: Contacts, first: int, last: int) -> None:
    """Enter contacts into the hash table; from the first one on it is made anew."""
    if first == 0:
        names[:] = -1
    for c in range(first, last):
        names[slot_of(names, contacts, contacts[c].name)] = c


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
    ahead = not are_mere_pair(a, b) and a.kind == DYNAMIC and b.kind == DYNAMIC
    separation = write_near(w, contact, part_a, part_b)
    if separation == math.inf:
        return foresee(w, contact, part_a, part_b, piles.work) if ahead else 0
    if is_open(a, b, contact):
        return 0
    closing = closing_of(contact)
    stuck = are_stuck(w, number_a, number_b)
    if closing < -swift * length and not stuck:
        return 0  # it parts faster than acceleration brings it back in this step
    if not is_slow(closing, swift, pace_of(w.state[0])) and not stuck:
        return foresee(w, contact, part_a, part_b, piles.work) if ahead else 0
    if is_near(a, b, separation) and (a.asleep != 0 or b.asleep != 0):
        return 2
    before = piles.old_names[slot_of(piles.old_names, piles.old, contact.name)]
    if before >= 0:
        keep_impulses(contact, piles.old[before])
    if stuck or contact.normal[0] > 0.0 or contact.normal[1] > 0.0:
        contact.bounce = 0.0  # what has pressed rests
    meets = contact.bounce > 0.0 and are_mere_pair(a, b) and separation > MEET_AT * skin_of(a, b)
    return 0 if meets else 1


@kernel
def write_near(w: Tables, contact: Contact, part_a: int, part_b: int) -> float:
    """Write the contact of two parts as they stand; return how far apart they are, infinity if that is too far."""
    a, b = w.bodies[w.parts[part_a].body], w.bodies[w.parts[part_b].body]
    skin, time = skin_of(a, b), pace_of(w.state[0])
    margin = skin + SLOW * max(a.swift, b.swift) * time * time
    separation, _ = write_outer(w, part_a, part_b, skin, margin, contact)
    if separation < math.inf:
        contact.name = pair_name(part_a, part_b)
        set_response(w, contact)
    return float(separation)


@inner
def stands_at(w: Tables, contact: Contact, part_a: int, part_b: int) -> bool:
    """Write the contact of a part and a wall; tell whether they are near, and the wall does not let it through."""
    near = write_near(w, contact, part_a, part_b) < math.inf
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    if not near or is_open(a, b, contact):
        return False
    if w.parts[part_a].thin != 0 or w.parts[part_b].thin != 0:
        # A part without width has no inside: the solver leaves it where it stands off, as far as impacts do.
        for k in range(contact.count):
            contact.gap[k] -= MEET_AT * skin_of(a, b)
    return True


@kernel
def set_response(w: Tables, contact: Contact) -> None:
    """Have a contact rub and bounce as the response of the pair says: what slides does not rub, what stops not slip.

    Friction sees the surfaces as they move, beside their bodies, too.
    """
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    response = response_of(a, b, w.rules)
    (xa, ya), (xb, yb) = surface_of(a, contact.time), surface_of(b, contact.time)
    contact.belt = (yb - ya) * contact.nx - (xb - xa) * contact.ny
    if response == SLIDE:
        contact.friction, contact.rolling = 0.0, 0.0
    elif response == STOP:
        contact.friction = NO_SLIP
    contact.bounce = bounce_of(w, contact)


@inner
def is_open(a: Body, b: Body, contact: Contact) -> bool:
    """Tell whether one of two bodies is one-way and lets the other through.

    It blocks what meets a side that looks its way and has not passed that side already.
    """
    return bool(
        opens(a, contact.nx, contact.ny, contact.separation, skin_of(a, b))
        or opens(b, -contact.nx, -contact.ny, contact.separation, skin_of(a, b))
    )


@inner
def opens(body: Body, nx: float, ny: float, separation: float, skin: float) -> bool:
    """Tell whether a one-way body lets through what stands along n from it."""
    dx, dy = body.one_way_x, body.one_way_y
    if dx == 0.0 and dy == 0.0:
        return False
    return bool(nx * dx + ny * dy <= ONE_WAY_SIDE or separation < -REACH * skin)


@kernel
def foresee(w: Tables, contact: Contact, part_a: int, part_b: int, work: Floats) -> int:
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
    vxa, vya, wa, vxb, vyb, wb = a.vx, a.vy, a.spin, b.vx, b.vy, b.spin
    # Levers and speeds are those of that instant and of the ways.
    a.x, a.y, b.x, b.y = a.x + a.way_x * time, a.y + a.way_y * time, b.x + b.way_x * time, b.y + b.way_y * time
    a.vx, a.vy, a.spin, b.vx, b.vy, b.spin = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    write_contact(bodies, number_a, number_b, work, 0, half, skin, contact)
    a.x, a.y, b.x, b.y = old
    a.vx, a.vy, a.spin, b.vx, b.vy, b.spin = vxa, vya, wa, vxb, vyb, wb
    contact.name, contact.time = pair_name(part_a, part_b), time
    for k in range(contact.count):
        contact.gap[k] -= contact.receding[k] * time
    set_response(w, contact)
    return 0 if is_open(a, b, contact) else 1
