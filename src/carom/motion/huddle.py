"""A huddle: bodies that rattle in narrow gaps, as in a heap, are given velocities for the rest of the step at once.

In: bodies of the present instant that met others slowly again and again. Out: velocities, their acceleration for the
rest of the step included, with which none of them, and of what is near, comes nearer than it is apart: for each pair
the gap along one direction, over the time that is left, is how fast the two may close at most. That is the nearest
such velocity in the metric of the masses, so that no energy can come of it, and nothing of what takes part meets
anything again in this step but for rounding (M. Anitescu, F. A. Potra 1997; gaps as in D. E. Stewart, J. C. Trinkle
1996). What comes faster than acceleration makes it in a step is left to an impact of its own.
"""

from __future__ import annotations

import math

from carom._jit import inner, kernel
from carom._typing import Floats, Integers
from carom.motion.contact import HUDDLES, fastest, parting_speed
from carom.motion.course import bring, set_chord
from carom.motion.gaps import easiest_gap
from carom.motion.grid import find_near
from carom.motion.instant import enqueue, give_way
from carom.motion.look import place_now, slop_of
from carom.motion.neighbours import Lists
from carom.motion.responses import MEET, STOP, concern, lets_through, response_of
from carom.motion.solve import slow_speed, solve
from carom.motion.tables import DYNAMIC, SLOTS, Record, Table
from carom.motion.turn import surface_speed
from carom.tolerances import (
    EPSILON,
    MOST_HUDDLES,
    RATTLES,
    SLOP_SIZE,
    SLOP_ULPS,
    STILL_CLOSING,
)

# Of a body that takes part: its neighbours are still to be looked at, or they have been; and something holds it.
MEMBER, GATHERED, HELD = 1, 2, 3


@kernel
def huddle(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    cells: Integers,
    levels: Integers,
    near: Integers,
    lists: Lists,
    contacts: Table,
    hits: Table,
    queue: Integers,
    movers: Integers,
    rules: Integers,
) -> bool:
    """Let the bodies in the queue that rattle, and all that hang together with them, huddle; False: no room."""
    first = state.contacts
    last = gather_huddle(state, bodies, parts, buffer, cells, levels, near, lists, contacts, queue, rules)
    if last < 0:
        for k in range(state.queue):
            bodies[queue[k]].joined = 0
        return False
    state.rattling = 0
    rest = state.length - state.now
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined != 0:
            body.chord_x, body.chord_y = body.vx, body.vy
    # First the velocities of this instant, then what acceleration adds to them on the way.
    works = True
    for time in (0.0, rest):
        for turn in range(2):
            for k in range(state.queue):
                body = bodies[queue[k]]
                if body.joined != 0:
                    body.vx = body.chord_x + time * (state.gravity_x + body.acceleration_x)
                    body.vy = body.chord_y + time * (state.gravity_y + body.acceleration_y)
            works = works and keep_apart(state, bodies, contacts, first, last)
            if works or turn == 1:
                break
            # Where there is no solution, what drives into them waits, and what overlaps need not part.
            give_way(state, bodies, queue, contacts, hits, first, last)
            for c in range(first, last):
                contacts[c].target = min(contacts[c].target, 0.0)
            works = True
        for k in range(state.queue):
            body = bodies[queue[k]]
            if body.joined != 0 and works and time == 0.0:
                body.chord_x, body.chord_y = body.vx, body.vy
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined != 0:
            part_ways(state, body, rest, works)
    if works:
        settle_down(state, bodies, contacts, movers, first, last)
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined != 0:
            set_chord(state, body)
            if body.joined == HELD:
                # It goes all the way with the velocity it will have: so what swings in a heap comes to rest.
                body.push_x, body.push_y = 0.5 * rest * body.pull_x, 0.5 * rest * body.pull_y
                body.chord_x += body.push_x
                body.chord_y += body.push_y
            body.joined = 0
    return True


@kernel
def keep_apart(state: Record, bodies: Table, contacts: Table, first: int, last: int) -> bool:
    """Change velocities to the nearest at which no gap closes in the rest of the step; tell whether there are any."""
    tolerance = math.inf
    for c in range(first, last):
        contact = contacts[c]
        contact.impulse = 0.0
        tolerance = min(tolerance, contact.slop)
    solve(bodies, contacts, first, last, False, 0.25 * tolerance / state.length)
    works = True
    least = -(STILL_CLOSING * fastest(bodies, contacts, first, last) + tolerance / state.length)
    for c in range(first, last):
        works = works and parting_speed(bodies, contacts[c]) - contacts[c].target >= least
    return works


@kernel
def gather_huddle(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    cells: Integers,
    levels: Integers,
    near: Integers,
    lists: Lists,
    contacts: Table,
    queue: Integers,
    rules: Integers,
) -> int:
    """Write the contacts of all that huddle behind the others; return where they end, or -1 if there is no room."""
    last, growing = state.contacts, False
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.rattles >= RATTLES and body.huddled < MOST_HUDDLES and can_join(body):
            join(state, bodies, parts, buffer, queue, queue[k])
            growing = True
    while growing:
        growing = False
        k = 0
        while k < state.queue:
            number = queue[k]
            k += 1
            if bodies[number].joined != MEMBER:
                continue
            body = bodies[number]
            for i in range(body.first_part, body.first_part + body.part_count):
                listed = parts[i].listed >= 0
                count = parts[i].listed if listed else find_near(state, parts, cells, levels, i, near)
                for n in range(count):
                    neighbour = int(lists[SLOTS * i + n]) if listed else near[n]
                    other = parts[neighbour].body
                    if other < 0 or other == number or bodies[other].joined == GATHERED:
                        continue
                    if last == contacts.shape[0]:
                        return -1
                    contact = contacts[last]
                    if is_near(state, bodies, parts, buffer, rules, contact, min(i, neighbour), max(i, neighbour)):
                        last += 1
                        if bodies[other].joined == 0 and can_join(bodies[other]):
                            join(state, bodies, parts, buffer, queue, other)
                            growing = True
            body.joined = GATHERED
    for c in range(state.contacts, last):
        contact = contacts[c]
        contact.share_a, contact.share_b = share(bodies[contact.a]), share(bodies[contact.b])
    return int(last)


@kernel
def can_join(body: Record) -> bool:
    """Tell whether a body may huddle: one that sleeps does so if it came to rest in a huddle, or is rattled itself."""
    if body.kind != DYNAMIC or body.stopped != 0:
        return False
    if body.asleep != 0 and body.huddle == 0 and body.rattles < RATTLES:
        return False
    return bool(body.huddled != 0 or (body.push_x == 0.0 and body.push_y == 0.0))


@kernel
def share(body: Record) -> float:
    """Return the inverse mass of what huddles, 0 for all others."""
    return float(body.inverse_mass) if body.joined != 0 else 0.0


@kernel
def join(state: Record, bodies: Table, parts: Table, buffer: Floats, queue: Integers, number: int) -> None:
    """Bring a body to the present instant to take part in a huddle."""
    body = bodies[number]
    bring(state, body, parts, buffer)
    body.joined, body.asleep = MEMBER, 0
    body.stamp += 1
    enqueue(state, bodies, queue, number)


@kernel
def is_near(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    rules: Integers,
    contact: Record,
    part_a: int,
    part_b: int,
) -> bool:
    """Tell whether two parts may meet in the rest of the step, slowly; write what their contact asks for."""
    p, q = parts[part_a], parts[part_b]
    a, b = bodies[p.body], bodies[q.body]
    if concern(a, b, rules) != MEET or response_of(a, b, rules) == STOP:
        return False
    rest, slop = state.length - state.now, slop_of(p, q)
    # With each huddle of a step more of what comes is taken for slow, so that it comes to an end.
    slow = max(slow_speed(state, a), slow_speed(state, b)) * 2.0 ** max(a.huddled, b.huddled)
    xa, ya = place_now(state, a, p, buffer)
    xb, yb = place_now(state, b, q, buffer)
    ux, uy = a.vx - b.vx, a.vy - b.vy
    gap, nx, ny, x, y = easiest_gap(buffer, p.record, q.record, xb - xa, yb - ya, ux * rest, uy * rest, slop)
    closing = ux * nx + uy * ny
    extra = 0.0
    if a.turn != 0.0 or b.turn != 0.0:
        extra = surface_speed(b, xa + x, ya + y, nx, ny) - surface_speed(a, xa + x, ya + y, nx, ny)
        closing -= extra
    if closing > slow or gap > (max(closing, 0.0) + slow) * rest + slop or gap < -8.0 * slop:
        return False
    mx = (a.vx + (a.pull_x - b.pull_x) * rest - b.vx) * rest
    my = (a.vy + (a.pull_y - b.pull_y) * rest - b.vy) * rest
    if lets_through(b, -nx, -ny, mx, my, gap < -slop) or lets_through(a, nx, ny, -mx, -my, gap < -slop):
        return False
    contact.a, contact.b, contact.state = p.body, q.body, HUDDLES
    contact.nx, contact.ny, contact.x, contact.y = nx, ny, xa + x, ya + y
    # In touch they may overlap by half the slop, so that neither roundings make an impact nor a row has no room.
    room = gap + 0.5 * slop
    contact.target, contact.extra = -room / (rest if room > 0.0 else state.length), extra
    contact.impulse, contact.approach, contact.bounce, contact.slop = 0.0, 0.0, 0.0, slop
    return True


@kernel
def part_ways(state: Record, body: Record, rest: float, works: bool) -> None:
    """Set one who has huddled on its way: a velocity now, and an acceleration that makes of it the one on the way."""
    if body.rattles >= RATTLES:
        body.huddled += 1
    body.rattles = 0
    ux, uy = body.vx, body.vy
    body.vx, body.vy = body.chord_x, body.chord_y
    if not works:
        body.huddled = MOST_HUDDLES
        return
    body.idle, body.jams, body.held = 0, 0, 0
    body.pull_x, body.pull_y = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
    if ux == body.vx + rest * body.pull_x and uy == body.vy + rest * body.pull_y:
        return
    body.joined, body.huddled = HELD, max(body.huddled, 1)
    body.pull_x, body.pull_y = (ux - body.vx) / rest, (uy - body.vy) / rest
    # What goes no farther than it may overlap does not go at all.
    least = max(SLOP_SIZE * body.extent, SLOP_ULPS * EPSILON * max(abs(body.x), abs(body.y)))
    if max(abs(ux), abs(uy), abs(body.vx), abs(body.vy)) * state.length <= 0.5 * least:
        body.vx, body.vy, body.pull_x, body.pull_y = 0.0, 0.0, 0.0, 0.0


@kernel
def settle_down(state: Record, bodies: Table, contacts: Table, movers: Integers, first: int, last: int) -> None:
    """Note what they lie on, the two that push most, and that those who came to rest sleep and wake together."""
    name = 0
    for c in range(first, last):
        contact = contacts[c]
        if contact.impulse <= 0.0:
            continue
        for side in range(2):
            number, other = (contact.a, contact.b) if side == 0 else (contact.b, contact.a)
            body, neighbour = bodies[number], bodies[other]
            if body.joined == 0 or not (neighbour.joined == 0 or (rests(body) and rests(neighbour))):
                continue
            sign = -1.0 if side == 0 else 1.0
            lie_on(state, body, other, sign * contact.nx, sign * contact.ny, contact.impulse)
            if rests(body):
                if name == 0:
                    name = number + 1
                body.huddle = name
                if neighbour.kind == DYNAMIC and neighbour.joined == 0 and neighbour.huddle != name:
                    rename(state, bodies, movers, neighbour.huddle, name)
                    neighbour.huddle = name


@inner
def rests(body: Record) -> bool:
    """Tell whether a body stands still, and will in the rest of the step."""
    return bool(body.vx == 0.0 and body.vy == 0.0 and body.pull_x == 0.0 and body.pull_y == 0.0)


@kernel
def lie_on(state: Record, body: Record, other: int, x: float, y: float, impulse: float) -> None:
    """Note that `other` holds a body along (x, y), if it is among the two that do so most."""
    ax, ay = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
    weight = max(-(ax * x + ay * y), 0.0) * impulse
    slot = body.held
    if slot == 2:
        slot = 0 if body.push_x <= body.push_y else 1
        if weight <= (body.push_x if slot == 0 else body.push_y):
            return
    else:
        body.held += 1
    body.support[2 * slot], body.support[2 * slot + 1] = x, y
    body.supporter[slot] = other
    # Until the body is aimed, its pushes are the weights on its two supports.
    if slot == 0:
        body.push_x = weight
    else:
        body.push_y = weight


@kernel
def rename(state: Record, bodies: Table, movers: Integers, old: int, name: int) -> None:
    """Have those who sleep together sleep together with others."""
    if old == 0:
        return
    for k in range(state.movers):
        body = bodies[movers[k]]
        if body.huddle == old:
            body.huddle = name
