"""Sensors: when a part enters another and leaves it, and what is told then.

In: two parts on their ways, of which one belongs to a sensor. Out: predicted events ENTER and EXIT; when they come, the
table of what is inside what, and rows of `hits`. A pair of bodies has entered when the first of their parts meet, and
left when the last have parted. Straight ways have closed forms; where one turns, the gap is measured again and again.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom._core.types import Floats
from carom.narrow.conservative_advancement import MOST_MEASURES, write_turned
from carom.narrow.linear_toi import impact
from carom.narrow.signed_distance import separate
from carom.shapes.proxy import X, Y
from carom.tolerances import SHORTEST_STAY
from carom.world.step.pairs.sensors import FREE, MOST_PARTS, change_inside, is_inside, pairs_inside
from carom.world.step.play.event_queue import foresee
from carom.world.step.play.report import tell
from carom.world.step.tables import ENTER, ENTERED, EXIT, EXITED, RENEW, Tables
from carom.world.step.ways.motion import advance, slop_between, time_on_ways, turns_part, way_of


@kernel
@left_out(True)
def foresee_crossing(w: Tables, part_a: int, part_b: int, work: Floats) -> bool:
    """Put when two parts begin or end to overlap into the queue; False if there is no room."""
    state, parts, buffer = w.state[0], w.parts, w.buffer
    p, q = parts[part_a], parts[part_b]
    a, b = w.bodies[p.body], w.bodies[q.body]
    now = max(a.own_time, b.own_time)
    advance(w, a, now)
    advance(w, b, now)
    rest = min(a.horizon, b.horizon) - now
    if rest <= 0.0:
        return True
    within, slop = is_inside(state, w.inside, part_a, part_b), slop_between(buffer, p, q)
    if turns_part(a, buffer, p) or turns_part(b, buffer, q):
        stay = SHORTEST_STAY * state.length
        if within:
            leave = time_to_part(w, part_a, part_b, rest, stay, slop, work)
            return leave > rest or foresee(w, EXIT, part_a, part_b, now + leave, -1)
        separation, enter = separate(buffer, p.record, buffer, q.record)[0], 0.0
        if separation > slop:
            enter = time_on_ways(w, part_a, part_b, rest, (0.0, 0.0, -math.inf, slop), work)
            if enter > rest:
                return True
            separation = separation_after(w, part_a, part_b, enter, work)
        if separation >= -slop and separation_after(w, part_a, part_b, enter + stay, work) >= separation:
            # A pair that touches and goes no deeper does not enter, or it would go in and out without end: it is
            # looked at again later.
            visitor = part_b if a.sensor != 0 else part_a
            again = now + enter + stay
            return again >= state.length or foresee(w, RENEW, visitor, visitor, again, -1)
        return foresee(w, ENTER, part_a, part_b, now + enter, -1)
    mx, my = (a.way_x - b.way_x) * rest, (a.way_y - b.way_y) * rest
    enter, leave = cross(buffer, p.record, q.record, mx, my, slop, within)
    if enter <= 1.0 and not within and not foresee(w, ENTER, part_a, part_b, now + enter * rest, -1):
        return False
    return leave > 1.0 or foresee(w, EXIT, part_a, part_b, now + leave * rest, -1)


@kernel
def cross(a: Floats, i: int, j: int, mx: float, my: float, slop: float, inside: bool) -> tuple[float, float]:
    """Return when the shape at i, moved by m, enters the shape at j and leaves it, as fractions; infinite for never.

    A straight path meets a convex shape once, so that leaving is entering backwards. In touch, up to the slop, it is
    the way it goes that tells whether it is inside: rounding must not make it enter and leave without end. A way so
    long that rounding hides where it ends leaves as it enters.
    """
    old_x, old_y = a[i + X], a[i + Y]
    separation, nx, ny, _, _, _, _ = separate(a, i, a, j)
    closing = nx * mx + ny * my
    touching = abs(separation) <= slop
    within = closing > 0.0 or (closing == 0.0 and (inside or separation <= 0.0)) if touching else separation < 0.0
    enter, leave = math.inf, math.inf
    if inside or within:
        enter = 0.0
    elif not touching:
        enter = impact(a, i, a, j, mx, my, separation)[0][0]
    if inside and not within:
        leave = 0.0
    elif enter <= 1.0:
        a[i + X], a[i + Y] = old_x + mx, old_y + my
        after = separate(a, i, a, j)[0]
        if after > slop:
            back = impact(a, i, a, j, -mx, -my, after)[0][0]
            leave = max(1.0 - back, enter) if back <= 1.0 else enter
    a[i + X], a[i + Y] = old_x, old_y
    return enter, leave


@inner
def separation_after(w: Tables, part_a: int, part_b: int, time: float, work: Floats) -> float:
    """Return the separation of two parts after a time on their ways."""
    p, q, half = w.parts[part_a], w.parts[part_b], work.shape[0] // 2
    write_turned(w.buffer, p.record, way_of(w.bodies[p.body], w.buffer, p), time, work, 0)
    write_turned(w.buffer, q.record, way_of(w.bodies[q.body], w.buffer, q), time, work, half)
    return float(separate(work, 0, work, half)[0])


@kernel
def time_to_part(w: Tables, part_a: int, part_b: int, rest: float, stay: float, slop: float, work: Floats) -> float:
    """Return after what time two parts that overlap or touch no longer do; infinity if not before `rest`.

    How deep they are cannot change faster than their points move, so that a step as long as the depth allows is
    never late. A pair that touches and goes deeper within a time of `stay` has not left.
    """
    p, q, buffer = w.parts[part_a], w.parts[part_b], w.buffer
    a, b = w.bodies[p.body], w.bodies[q.body]
    vx, vy = b.way_x - a.way_x, b.way_y - a.way_y
    most = math.sqrt(vx * vx + vy * vy) + abs(a.way_spin) * a.sweep + abs(b.way_spin) * b.sweep
    time = 0.0
    before = separate(buffer, p.record, buffer, q.record)[0]
    if before > slop:
        return 0.0
    if before >= -slop:
        time = stay
    for measured in range(MOST_MEASURES):
        separation = separation_after(w, part_a, part_b, time, work)
        if separation < -slop:
            time += (0.5 * slop - separation) / most
        elif measured == 0 and before >= -slop and separation > before:
            return 0.0
        elif separation_after(w, part_a, part_b, time + stay, work) >= separation:
            return time
        else:
            time += stay
        if time > rest:
            return math.inf
    return time


@kernel
@left_out(None)
def cross_displaced(w: Tables) -> None:
    """Have the bodies that were put elsewhere at the end of the step leave the sensors that they are no longer in.

    What they are put into they enter as the next step begins.
    """
    state, last, at = w.state[0], w.inside.shape[0], 0
    while at < last and state.inside > 0:
        p, q = w.inside[at] // MOST_PARTS, w.inside[at] % MOST_PARTS
        at += 1
        if w.inside[at - 1] == FREE:
            continue
        one, other = w.parts[p], w.parts[q]
        if w.rests[one.body].displaced == 0 and w.rests[other.body].displaced == 0:
            continue
        if separate(w.buffer, one.record, w.buffer, other.record)[0] > slop_between(w.buffer, one, other):
            play_crossing(w, EXIT, p, q)
            at -= 1  # another pair may have moved up


@kernel
def play_crossing(w: Tables, what: int, part_a: int, part_b: int) -> None:
    """Have a part enter or leave a sensor now, and tell it where it is the first or the last of its body."""
    state, parts = w.state[0], w.parts
    number_a, number_b = parts[part_a].body, parts[part_b].body
    a, b = w.bodies[number_a], w.bodies[number_b]
    enters = what == ENTER
    if is_inside(state, w.inside, part_a, part_b) == enters:
        return
    before = pairs_inside(w.inside, a, b) if a.part_count + b.part_count > 2 else (0 if enters else 1)
    change_inside(w.inside, part_a, part_b, enters)
    state.inside += 1 if enters else -1
    if before != (0 if enters else 1):
        return
    visitor, sensor, body = (number_b, number_a, b) if a.sensor != 0 else (number_a, number_b, a)
    past = state.now - body.own_time
    tell(w, ENTERED if enters else EXITED, visitor, sensor, body.x + body.way_x * past, body.y + body.way_y * past)
