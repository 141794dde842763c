"""How a body goes through a step: its way, its velocity on the way, and where its parts stand.

In: a body with a velocity and an acceleration. Out: a straight way with an even turn, bounds of it, and, at any
instant, place, velocity and records.

A free body follows the chord of its parabola, which ends where the parabola ends. Its velocity on the way is the one
that keeps the energy: along the acceleration sqrt(v^2 + 2 a s) after a distance s. A solved body follows the way that
the solver gave it, and its velocity changes evenly in time.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of, two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.conservative_advancement import Way, time_to_gap, turn_record
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import EPSILON, HORIZON_MOST, HORIZON_SIZES, SIGN_BAND, SLOP_SIZE, SLOP_ULPS
from carom.world.step.constants import SKIN
from carom.world.step.tables import BETWEEN, KINEMATIC, STATIC, WITHIN, Body, Course, Part, State, Tables
from carom.world.step.ways.writer import push, set_velocity, set_way, stop

Gap = tuple[float, float, float, float]
"""At what gap two parts meet: the target, the margin, the floor and the tolerance of `time_to_gap`."""

CENTRED = 1e-11
"""Share of the radius: a disc whose centre is nearer to what it turns about is not moved by that."""


@kernel
def velocity_on_chord(body: Body, time: float) -> tuple[float, float]:
    """Return the velocity of a body after `time` on its chord."""
    size = math.sqrt(body.pull_x * body.pull_x + body.pull_y * body.pull_y)
    if size == 0.0 or time == 0.0:
        return body.vx, body.vy
    dx, dy = body.pull_x / size, body.pull_y / size
    before = body.vx * dx + body.vy * dy
    square = before * before + 2.0 * size * ((body.way_x * dx + body.way_y * dy) * time)
    after = math.sqrt(max(square, 0.0))
    if before + size * time < 0.0:
        after = -after
    change = after - before
    return body.vx + change * dx, body.vy + change * dy


@inner
def velocity_now(state: State, body: Body, since: float) -> tuple[float, float, float]:
    """Return the velocity of a body whose way began at some time, at the present instant."""
    past = state.now - since
    vx, vy = body.vx + body.pull_x * past, body.vy + body.pull_y * past
    if body.solved == 0 and state.now < state.length:
        vx, vy = velocity_on_chord(body, past)
    return vx, vy, body.spin + body.pull_spin * past


@inner
def velocity_after(body: Body, time: float) -> tuple[float, float, float]:
    """Return the velocity of a body after a time by its acceleration."""
    return body.vx + time * body.pull_x, body.vy + time * body.pull_y, body.spin + time * body.pull_spin


@inner
def place_now(state: State, body: Body) -> tuple[float, float, float]:
    """Return where a body is at the present instant, and at what angle, without moving it."""
    if state.phase == BETWEEN or body.kind == STATIC:
        return body.x, body.y, body.angle
    past = state.now - body.own_time
    x, y = body.x + (body.way_x * past + body.spare_x), body.y + (body.way_y * past + body.spare_y)
    return x, y, body.angle + body.way_spin * past


@inner
def has_way(body: Body) -> bool:
    """Tell whether a body goes anywhere."""
    return bool(body.way_x != 0.0 or body.way_y != 0.0 or body.way_spin != 0.0)


@inner
def speed_beside(body: Body, vx: float, vy: float, spin: float) -> float:
    """Return how fast any point of a body is at most, seen from one that moves by some velocity."""
    return float(abs(body.vx - vx) + abs(body.vy - vy) + abs(body.spin - spin) * body.sweep)


@inner
def speed_between(a: Body, b: Body) -> float:
    """Return how fast two bodies move beside each other on their ways, at most."""
    turns = abs(a.way_spin) * a.sweep + abs(b.way_spin) * b.sweep
    return float(abs(a.way_x - b.way_x) + abs(a.way_y - b.way_y) + turns)


@inner
def drives(body: Body) -> bool:
    """Tell whether a body is under way that nothing moves."""
    return bool(body.kind == KINEMATIC and has_way(body))


@inner
def waits(body: Body) -> bool:
    """Tell whether a kinematic body stands rather than crush what is in its way."""
    has_velocity = body.vx != 0.0 or body.vy != 0.0 or body.spin != 0.0
    return bool(body.kind == KINEMATIC and has_velocity and not has_way(body))


@kernel
def end_way(w: Tables, number: int) -> None:
    """Bring a body to the present instant, where its way ends, with the velocity that it has there."""
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    advance(w, body, state.now)
    if body.kind != STATIC and state.now > course.since:
        if course.stalled != 0 or waits(body):
            course.waited += state.now - course.since
        vx, vy, spin = velocity_now(state, body, course.since)
        if body.solved == 0 and state.now < state.length:
            # On a chord energy is that of the place: gravity has given more or less than it gives evenly.
            past = state.now - course.since
            note_pull(w, number, vx - body.vx - past * body.pull_x, vy - body.vy - past * body.pull_y, 1.0)
        set_velocity(body, vx, vy, spin)
    course.since = state.now


@inner
def note_pull(w: Tables, number: int, x: float, y: float, time: float) -> None:
    """Add what a body gets by an acceleration in a time to what no pair and no joint has given it."""
    course = w.courses[number]
    course.pulled_x += x * time
    course.pulled_y += y * time


@inner
def slop_between(buffer: Floats, p: Part, q: Part) -> float:
    """Return how deep counts as touching for two parts where they are."""
    far = max(
        abs(buffer[p.record + X]), abs(buffer[p.record + Y]), abs(buffer[q.record + X]), abs(buffer[q.record + Y])
    )
    return float(SLOP_SIZE * min(p.width, q.width) + SLOP_ULPS * EPSILON * (far + max(p.width, q.width)))


@inner
def can_turn_part(body: Body, buffer: Floats, part: Part) -> bool:
    """Tell whether turning a body moves one of its parts: turning a disc about its centre does not."""
    return bool(body.sweep > (1.0 + CENTRED) * buffer[part.record + RADIUS])


@inner
def turns_part(body: Body, buffer: Floats, part: Part) -> bool:
    """Tell whether the way of a body turns one of its parts."""
    return bool(body.way_spin != 0.0 and can_turn_part(body, buffer, part))


@inner
def way_of(body: Body, buffer: Floats, part: Part) -> Way:
    """Return the way of a part from its body's own time on, without a turning that does not move it."""
    spin = body.way_spin if turns_part(body, buffer, part) else 0.0
    return body.x, body.y, body.way_x, body.way_y, spin, body.sweep


@inner
def time_on_ways(w: Tables, part_a: int, part_b: int, rest: float, gap: Gap, work: Floats) -> float:
    """Return after what time two parts meet on the ways of their bodies, both from one instant on: `time_to_gap`."""
    p, q, buffer, (target, margin, floor, tolerance) = w.parts[part_a], w.parts[part_b], w.buffer, gap
    first, second = way_of(w.bodies[p.body], buffer, p), way_of(w.bodies[q.body], buffer, q)
    return float(
        time_to_gap(buffer, p.record, first, buffer, q.record, second, rest, target, margin, floor, tolerance, work)
    )


@inner
def own_pull(state: State, body: Body) -> tuple[float, float, float]:
    """Return the acceleration of a body that nothing holds."""
    x = state.gravity_x * body.gravity_scale + body.acceleration_x
    y = state.gravity_y * body.gravity_scale + body.acceleration_y
    return x, y, body.acceleration_spin


@inner
def wrapped(angle: float) -> float:
    """Return the least turn that leads to the same place."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner
def set_on_target(body: Body, course: Course, rest: float) -> None:
    """Give a kinematic body that is told where to be the velocity with which it is there when the step ends.

    It turns there by the shorter way, and its angle then says so: turns add up.
    """
    asked = course.target_angle - body.angle
    turn = wrapped(asked)
    course.target_angle = course.target_angle if turn == asked else body.angle + turn
    vx, vy, spin = (course.target_x - body.x) / rest, (course.target_y - body.y) / rest, turn / rest
    if course.told == 1:
        push(body, course, vx, vy, spin)
    else:
        set_velocity(body, vx, vy, spin)  # it is under way: what it leads goes along
    course.told = 2


@kernel
def end_on_targets(w: Tables, arrives: bool) -> None:
    """End the ways to targets, with which a step ends: what has gone there stands there, to the last bit.

    A body that had to wait has no way any more, and stands where that was.
    """
    state = w.state[0]
    if state.later > 0.0:
        return
    for m in range(state.movers):
        body, course = w.bodies[w.movers[m]], w.courses[w.movers[m]]
        if course.told != 2:
            continue
        if arrives and has_way(body):
            body.x, body.y, body.angle = course.target_x, course.target_y, course.target_angle
            body.spare_x, body.spare_y = 0.0, 0.0
            place_parts(w, body, True)
        push(body, course, 0.0, 0.0, 0.0)
        forget_target(course)


@inner
def forget_target(course: Course) -> None:
    """Tell a body no longer where to be."""
    course.target_x, course.target_y, course.target_angle, course.told = 0.0, 0.0, 0.0, 0


@inner
def aim_by_velocity(body: Body, length: float) -> None:
    """Aim a body from its own time on: free at where it will be when the step ends, solved by its velocity then."""
    rest = (1.0 if body.solved != 0 else 0.5) * (length - body.own_time)
    set_way(body, body.vx + body.pull_x * rest, body.vy + body.pull_y * rest, body.spin + body.pull_spin * rest)


@inner
def advance(w: Tables, body: Body, time: float) -> None:
    """Bring a body along its way to an instant of the step; its velocity is left as it was where the way began."""
    past = time - body.own_time
    if past <= 0.0 or body.kind == STATIC:
        return
    body.own_time = time
    if has_way(body):
        # The part of a coordinate that rounding leaves out goes along with the next way.
        body.x, body.spare_x = two_sum(body.x, body.way_x * past + body.spare_x)
        body.y, body.spare_y = two_sum(body.y, body.way_y * past + body.spare_y)
        body.angle += body.way_spin * past
        body.moved = 1
        # The record of a disc about its own centre is the same at any angle.
        turns = body.part_count > 1 or can_turn_part(body, w.buffer, w.parts[body.first_part])
        place_parts(w, body, turns and body.way_spin != 0.0)


@kernel
def place_parts(w: Tables, body: Body, turned: bool) -> None:
    """Write the records of a body's parts where it stands; those of a body that does not turn are only moved."""
    buffer, models = w.buffer, w.models
    c, s = 1.0, 0.0
    if turned:
        c, s, _ = cos_sin_of(body.angle)
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        if turned:
            x, y = models[part.record + X], models[part.record + Y]
            part.offset_x, part.offset_y = c * x - s * y, s * x + c * y
            turn_record(models, part.record, c, s, buffer, part.record)
            set_extent(part, buffer)
        buffer[part.record + X], buffer[part.record + Y] = body.x + part.offset_x, body.y + part.offset_y


@inner
def set_extent(part: Part, buffer: Floats) -> None:
    """Write the bounds of a part relative to its own origin."""
    at = part.record
    left, bottom, right, top = math.inf, math.inf, -math.inf, -math.inf
    for k in range(at + POINTS, at + POINTS + STRIDE * int(buffer[at + COUNT]), STRIDE):
        left, right = min(left, buffer[k]), max(right, buffer[k])
        bottom, top = min(bottom, buffer[k + 1]), max(top, buffer[k + 1])
    radius = buffer[at + RADIUS]
    part.left, part.bottom, part.right, part.top = left - radius, bottom - radius, right + radius, top + radius


@inner
def set_horizon(body: Body, time: float, length: float) -> None:
    """Decide until when a body looks ahead: one that goes many of its sizes looks a part of the way at a time."""
    body.horizon = math.inf if body.kind == STATIC else length
    speed = max(abs(body.way_x), abs(body.way_y))
    far = max(2.0 * HORIZON_SIZES * body.sweep, speed * length / HORIZON_MOST)
    if body.solved == 0 and speed * (length - time) > far:
        body.horizon = min(time + far / speed, length)


@inner
def set_bounds(body: Body, part: Part, time: float, length: float) -> None:
    """Write the bounds of a part on its way from an instant to its horizon, with room for the skin."""
    past, rest = time - body.own_time, body.horizon - time if body.kind != STATIC else 0.0
    x, y = body.x + part.offset_x + body.way_x * past, body.y + part.offset_y + body.way_y * past
    mx, my = body.way_x * rest, body.way_y * rest
    low_x, high_x = x + min(mx, 0.0) + part.left, x + max(mx, 0.0) + part.right
    low_y, high_y = y + min(my, 0.0) + part.bottom, y + max(my, 0.0) + part.top
    # The solver may send it elsewhere, by what acceleration does in the step.
    room = 2.0 * body.swift * length * length
    if body.kind != STATIC:
        room += 2.0 * SKIN * body.half_width
    room += min(abs(body.way_spin) * (length - body.own_time), 2.0) * body.sweep
    room += SIGN_BAND * (max(-low_x, high_x, -low_y, high_y) + abs(mx) + abs(my))
    part.low_x, part.high_x, part.low_y, part.high_y = low_x - room, high_x + room, low_y - room, high_y + room


@inner
def note_start(w: Tables, number: int) -> None:
    """Note where a body stands, when a step begins or somebody has put it there."""
    body, course = w.bodies[number], w.courses[number]
    course.start_x, course.start_y, course.start_angle = body.x, body.y, body.angle


@inner
def halt(w: Tables, number: int) -> None:
    """Leave a body where it is until the portion ends, and note what its acceleration does not give it then."""
    body, state = w.bodies[number], w.state[0]
    if state.phase == WITHIN:
        note_pull(w, number, body.pull_x, body.pull_y, state.now - state.length)
    stop(body)
