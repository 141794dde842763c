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

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import (
    EPSILON,
    MOST_HUDDLES,
    RATTLES,
    SLOP_SIZE,
    SLOP_ULPS,
    STILL_CLOSING,
)
from carom.world.contacts import fastest, parting_speed
from carom.world.crush import give_way
from carom.world.integrate import set_chord
from carom.world.islands import GATHERED, HELD, RESTING, gather_huddle
from carom.world.neighbours import Lists
from carom.world.resting import rests
from carom.world.solver import solve
from carom.world.tables import DYNAMIC, Record, Table


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
            body.way_x, body.way_y = body.vx, body.vy
    # First the velocities of this instant, then what acceleration adds to them on the way.
    works = True
    for time in (0.0, rest):
        for turn in range(2):
            for k in range(state.queue):
                body = bodies[queue[k]]
                if body.joined != 0:
                    body.vx = body.way_x + time * (state.gravity_x + body.acceleration_x)
                    body.vy = body.way_y + time * (state.gravity_y + body.acceleration_y)
            works = works and keep_apart(state, bodies, contacts, first, last)
            if works or turn == 1:
                break
            # Where there is no solution, what drives into them waits, and what overlaps need not part.
            give_way(state, bodies, parts, buffer, queue, contacts, hits, first, last)
            for c in range(first, last):
                contacts[c].target = min(contacts[c].target, 0.0)
            works = True
        if not works:
            break
        for k in range(state.queue):
            body = bodies[queue[k]]
            if body.joined != 0 and time == 0.0:
                body.way_x, body.way_y = body.vx, body.vy
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined != 0:
            part_ways(state, body, rest, works)
    if works:
        go_along_with_held(bodies, contacts, first, last, rest)
        come_to_rest(state, bodies, contacts, queue, first, last, rest)
        team_up(state, bodies, contacts, queue, first, last)
        settle_down(state, bodies, contacts, movers, first, last)
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined != 0:
            set_chord(state, body)
            if body.joined == HELD:
                # It goes all the way with the velocity it will have: so what swings in a heap comes to rest.
                body.push_x, body.push_y = 0.5 * rest * body.pull_x, 0.5 * rest * body.pull_y
                body.way_x += body.push_x
                body.way_y += body.push_y
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
    solve(bodies, contacts, first, last, 0.25 * tolerance / state.length)
    works = True
    least = -(STILL_CLOSING * fastest(bodies, contacts, first, last) + tolerance / state.length)
    for c in range(first, last):
        works = works and parting_speed(bodies, contacts[c]) - contacts[c].target >= least
    return works


@kernel
def part_ways(state: Record, body: Record, rest: float, works: bool) -> None:
    """Set one who has huddled on its way: a velocity now, and an acceleration that makes of it the one on the way."""
    if body.rattles >= RATTLES:
        body.huddled += 1
    body.rattles = 0
    ux, uy = body.vx, body.vy
    body.vx, body.vy = body.way_x, body.way_y
    if not works:
        body.huddled = MOST_HUDDLES
        return
    body.idle, body.jams, body.held = 0, 0, 0
    body.pull_x, body.pull_y = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
    if ux == body.vx + rest * body.pull_x and uy == body.vy + rest * body.pull_y:
        return
    body.joined, body.huddled = HELD, max(body.huddled, 1)
    body.pull_x, body.pull_y = (ux - body.vx) / rest, (uy - body.vy) / rest


@inner
def way_of(body: Record, rest: float) -> tuple[float, float]:
    """Return the velocity with which a body goes all the way of a huddle, as it is to take part now."""
    if body.joined == RESTING:
        return 0.0, 0.0
    time = rest if body.joined == HELD else 0.5 * rest
    return body.vx + time * body.pull_x, body.vy + time * body.pull_y


@kernel
def will_meet(bodies: Table, contact: Record, rest: float, slops: float) -> bool:
    """Tell whether the two of a contact come nearer on their ways than they may, by more than some slops."""
    ax, ay = way_of(bodies[contact.a], rest)
    bx, by = way_of(bodies[contact.b], rest)
    parting = (bx - ax) * contact.nx + (by - ay) * contact.ny + contact.extra
    return bool((contact.target - parting) * rest > slops * contact.slop)


@kernel
def go_along_with_held(bodies: Table, contacts: Table, first: int, last: int, rest: float) -> None:
    """Have those who would meet what is held on the way, falling slower than it at first, go like it all the way."""
    changed = True
    while changed:
        changed = False
        for c in range(first, last):
            contact = contacts[c]
            a, b = bodies[contact.a], bodies[contact.b]
            differ = min(a.joined, b.joined) == GATHERED and max(a.joined, b.joined) == HELD
            if differ and will_meet(bodies, contact, rest, 0.25):
                a.joined, b.joined = HELD, HELD
                a.huddled, b.huddled = max(a.huddled, 1), max(b.huddled, 1)
                changed = True


@kernel
def come_to_rest(
    state: Record, bodies: Table, contacts: Table, queue: Integers, first: int, last: int, rest: float
) -> None:
    """Have those not go at all who go no farther than they may overlap, and whom that brings into nobody's way."""
    for k in range(state.queue):
        body = bodies[queue[k]]
        ux, uy = body.vx + rest * body.pull_x, body.vy + rest * body.pull_y
        least = max(SLOP_SIZE * body.extent, SLOP_ULPS * EPSILON * max(abs(body.x), abs(body.y)))
        most = max(abs(ux), abs(uy), abs(body.vx), abs(body.vy))
        if body.joined == HELD and most * state.length <= 0.5 * least:
            body.joined = RESTING
    changed = True
    while changed:
        changed = False
        for c in range(first, last):
            contact = contacts[c]
            a, b = bodies[contact.a], bodies[contact.b]
            if (a.joined == RESTING or b.joined == RESTING) and will_meet(bodies, contact, rest, 0.375):
                a.joined, b.joined = min(a.joined, HELD), min(b.joined, HELD)
                changed = True
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined == RESTING:
            body.joined = HELD
            body.vx, body.vy, body.pull_x, body.pull_y = 0.0, 0.0, 0.0, 0.0


@kernel
def team_up(state: Record, bodies: Table, contacts: Table, queue: Integers, first: int, last: int) -> None:
    """Note who hangs together by pushes: if something happens to one of them on the way, all are to huddle again."""
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.joined != 0:
            body.team, body.teammate = queue[k] + 1, queue[k]
    for c in range(first, last):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        if contact.impulse > 0.0 and a.joined != 0 and b.joined != 0 and a.team != b.team:
            at = contact.b
            while bodies[at].team != a.team:
                bodies[at].team = a.team
                at = bodies[at].teammate
            a.teammate, b.teammate = b.teammate, a.teammate


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
