"""Who huddles: bodies that rattle, all that is near and slow, and all that is near those; and what keeps them apart.

In: bodies of the present instant that ask for a huddle. Out: all of them at that instant, and a contact for each pair
that may meet in the rest of the step, with the speed at which it may close at most.

How far apart two parts are now, along the direction that leaves them most freedom.

In: two parts at one instant and the way of A relative to B. Out: a gap, the unit normal from A to B along which it is
that wide, and a point relative to A's origin. Along any direction the gap is a bound: as long as what closes along it
is no more than the gap, the two do not meet. Of the sides of both, and of the line between their nearest corners, the
one is taken that the way uses up least, so that what slides along a floor is not stopped by the side of the next tile.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE
from carom.tolerances import MOST_HUDDLES, RATTLES, STAND_OFF_SLOPS
from carom.world.filters import MEET, concern, lets_through
from carom.world.integrate import bring
from carom.world.neighbours import Lists, find_near
from carom.world.predict import place_now, slop_of
from carom.world.simultaneous import enqueue
from carom.world.solver import slow_speed
from carom.world.tables import DYNAMIC, SLOTS, Record, Table
from carom.world.toi.internal_edges import has_no_width

Gap = tuple[float, float, float, float, float]


@inner
def farthest_along(a: Floats, i: int, nx: float, ny: float) -> tuple[float, float]:
    """Return how far the core of the shape at i reaches along n, from its origin, and the middle of where, across n."""
    begin, end = i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT])
    farthest = -math.inf
    across = 0.0
    for at in range(begin, end, STRIDE):
        reach = a[at] * nx + a[at + 1] * ny
        if reach > farthest:
            farthest, across = reach, a[at + 1] * nx - a[at] * ny
    return farthest, across


@inner
def nearest_corners(a: Floats, i: int, j: int, dx: float, dy: float) -> tuple[float, float]:
    """Return the unit vector from the one to the other of the two nearest corners; 0, 0 where they coincide."""
    best, nx, ny = math.inf, 0.0, 0.0
    for of_a in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        for of_b in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
            x, y = dx + (a[of_b] - a[of_a]), dy + (a[of_b + 1] - a[of_a + 1])
            distance = x * x + y * y
            if distance < best:
                best, nx, ny = distance, x, y
    length = math.sqrt(best)
    return (nx / length, ny / length) if length > 0.0 else (0.0, 0.0)


@kernel
def easiest_gap(a: Floats, i: int, j: int, dx: float, dy: float, mx: float, my: float, slop: float) -> Gap:
    """Return the gap of the shapes at i and j, their origins d apart, along the direction that a motion m uses least.

    Directions along which they overlap by more than the slop count only if there are no others: the least deep then.
    """
    radius = a[i + RADIUS] + a[j + RADIUS]
    best, gap, nx, ny = math.inf, -math.inf, 0.0, 0.0
    count_a, count_b = int(a[i + COUNT]), int(a[j + COUNT])
    for k in range(count_a + count_b + 1):
        if k < count_a:
            at = i + POINTS + STRIDE * k
            px, py = a[at + 2], a[at + 3]
        elif k < count_a + count_b:
            at = j + POINTS + STRIDE * (k - count_a)
            px, py = -a[at + 2], -a[at + 3]
        else:
            px, py = nearest_corners(a, i, j, dx, dy)
        if px == 0.0 and py == 0.0:
            continue
        far, _ = farthest_along(a, i, px, py)
        near, _ = farthest_along(a, j, -px, -py)
        apart = (dx * px + dy * py) - near - far - radius
        used = mx * px + my * py - apart
        if apart < -slop:
            if gap >= -slop or apart <= gap:
                continue
            used = math.inf
        if gap < -slop or used < best or (used == best and apart > gap):
            best, gap, nx, ny = used, apart, px, py
    far, across = farthest_along(a, i, nx, ny)
    far += a[i + RADIUS]
    return gap, nx, ny, far * nx - across * ny, far * ny + across * nx


# Of a body that takes part: its neighbours are still to be looked at, or they have been; something holds it; or it is
# held so that it stands still.
MEMBER, GATHERED, HELD, RESTING = 1, 2, 3, 4


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
    last, growing, again = state.contacts, False, 0
    for k in range(state.queue):
        body = bodies[queue[k]]
        if body.rattles >= RATTLES and body.huddled < MOST_HUDDLES and can_join(body):
            again = max(again, body.huddled)
            join_team(state, bodies, parts, buffer, queue, queue[k])
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
                    if is_near(
                        state, bodies, parts, buffer, rules, contact, min(i, neighbour), max(i, neighbour), again
                    ):
                        last += 1
                        if bodies[other].joined == 0 and can_join(bodies[other]):
                            join_team(state, bodies, parts, buffer, queue, other)
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


@inner
def free_pull(state: Record, body: Record) -> tuple[float, float]:
    """Return the acceleration of a body that nothing holds."""
    if body.kind != DYNAMIC:
        return 0.0, 0.0
    return state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y


@kernel
def join(state: Record, bodies: Table, parts: Table, buffer: Floats, queue: Integers, number: int) -> None:
    """Bring a body to the present instant to take part in a huddle."""
    body = bodies[number]
    bring(state, body, parts, buffer)
    body.joined, body.asleep = MEMBER, 0
    body.stamp += 1
    enqueue(state, bodies, queue, number)


@kernel
def join_team(state: Record, bodies: Table, parts: Table, buffer: Floats, queue: Integers, number: int) -> None:
    """Have a body join, with all who push each other with it."""
    team, at = bodies[number].team, number
    while True:
        body = bodies[at]
        body.team = 0
        if body.joined == 0 and can_join(body):
            join(state, bodies, parts, buffer, queue, at)
        at = body.teammate
        # One who was taken out of the world on the way has left a gap in the ring.
        if team == 0 or bodies[at].team != team:
            return


@kernel
def reach_by_spin(
    buffer: Floats, record: int, body: Record, x: float, y: float, nx: float, ny: float, rest: float
) -> float:
    """Return a speed at which a part at (x, y) reaches no less far along n than it does by its body's spin for `rest`.

    A point at r from the pivot that turns by an angle t is off the straight line by no more than r t^2 / 2, so that
    how far the farthest one is grows ever faster: what holds at the end holds before.
    """
    if body.turn == 0.0 or rest == 0.0:
        return 0.0
    angle, reach = body.turn * rest, -math.inf
    begin = record + POINTS
    for at in range(begin, begin + STRIDE * int(buffer[record + COUNT]), STRIDE):
        px, py = x + buffer[at] - body.pivot_x, y + buffer[at + 1] - body.pivot_y
        bend = 0.5 * angle * angle * math.sqrt(px * px + py * py)
        reach = max(reach, buffer[at] * nx + buffer[at + 1] * ny + angle * (px * ny - py * nx) + bend)
    return (reach - farthest_along(buffer, record, nx, ny)[0]) / rest


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
    again: int,
) -> bool:
    """Tell whether two parts may meet in the rest of the step, slowly; write what their contact asks for.

    `again`: how many huddles those who asked for this one have had in this step.
    """
    p, q = parts[part_a], parts[part_b]
    a, b = bodies[p.body], bodies[q.body]
    if concern(a, b, rules) != MEET:
        return False
    rest, slop = state.length - state.now, slop_of(p, q)
    # With each huddle of a step more of what comes is taken for slow, so that it comes to an end.
    slow = max(slow_speed(state, a), slow_speed(state, b)) * 2.0 ** max(a.huddled, b.huddled, again)
    for body in (a, b):
        if body.turn != 0.0:
            bring(state, body, parts, buffer)
    xa, ya = place_now(state, a, p, buffer)
    xb, yb = place_now(state, b, q, buffer)
    ux, uy = a.vx - b.vx, a.vy - b.vy
    gap, nx, ny, x, y = easiest_gap(buffer, p.record, q.record, xb - xa, yb - ya, ux * rest, uy * rest, slop)
    if max(p.least_width, q.least_width) <= slop and has_no_width(buffer, p.record, q.record, slop):
        gap -= STAND_OFF_SLOPS * slop  # that is where they stop
    extra = -reach_by_spin(buffer, p.record, a, xa, ya, nx, ny, rest)
    extra -= reach_by_spin(buffer, q.record, b, xb, yb, -nx, -ny, rest)
    closing = ux * nx + uy * ny - extra
    if closing > slow or gap > (max(closing, 0.0) + slow) * rest + slop or gap < -8.0 * slop:
        return False
    # What holds them is to be found anew: as it is now, what stands on a one-way body does not move against it.
    pull_ax, pull_ay = free_pull(state, a)
    pull_bx, pull_by = free_pull(state, b)
    mx, my = ux + (pull_ax - pull_bx) * state.length, uy + (pull_ay - pull_by) * state.length
    if lets_through(b, -nx, -ny, mx, my, gap < -slop) or lets_through(a, nx, ny, -mx, -my, gap < -slop):
        return False
    contact.a, contact.b, contact.state = p.body, q.body, 0
    contact.nx, contact.ny, contact.x, contact.y = nx, ny, xa + x, ya + y
    # In touch they may overlap by half the slop, so that neither roundings make an impact nor a row has no room.
    room = gap + 0.5 * slop
    contact.target, contact.extra = -room / (rest if room > 0.0 else state.length), extra
    contact.impulse, contact.approach, contact.bounce, contact.slop = 0.0, 0.0, 0.0, slop
    return True
