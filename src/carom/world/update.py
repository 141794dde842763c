"""Kernels that read or touch single bodies between events: where everything is now, a body put in or changed."""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.world.integrate import bring, set_chord, velocity_at, write_records
from carom.world.neighbours import NO_LIST, find_near, place, take_out
from carom.world.predict import set_bounds
from carom.world.rotation import write_turned
from carom.world.tables import BETWEEN, DYNAMIC, GONE, KINEMATIC, NEW, STATIC, Record, Tables


@inner
def read_body(state: Record, body: Record, at: int, out_positions: Floats, out_velocities: Floats) -> None:
    """Write where a body is at the present instant and how fast, without moving it."""
    if body.kind == GONE:
        out_positions[at, 0], out_positions[at, 1] = math.nan, math.nan
        out_velocities[at, 0], out_velocities[at, 1] = 0.0, 0.0
        return
    x, y, vx, vy = body.x, body.y, body.vx, body.vy
    if state.phase != BETWEEN and body.kind != STATIC:
        past = state.now - body.own_time
        vx, vy = velocity_at(body, past)
        x, y = x + (body.chord_x * past + body.spare_x), y + (body.chord_y * past + body.spare_y)
        if body.turn != 0.0:
            _, s, fall = cos_sin_of(body.turn * past)
            dx, dy = body.x + body.center_x - body.pivot_x, body.y + body.center_y - body.pivot_y
            x, y = x + (fall * dx - s * dy), y + (s * dx + fall * dy)
    out_positions[at, 0], out_positions[at, 1] = x + body.center_x, y + body.center_y
    if body.kind == KINEMATIC:  # also while it waits: whoever turns it round would else leave it standing
        vx, vy = body.drive_x, body.drive_y
    out_velocities[at, 0], out_velocities[at, 1] = vx, vy


@kernel
def read_all(w: Tables, first: int, last: int, out_positions: Floats, out_velocities: Floats) -> None:
    """Write where bodies `first` up to `last` are at the present instant and how fast, without moving them."""
    state, bodies = w.state[0], w.bodies
    for number in range(first, last):
        read_body(state, bodies[number], number - first, out_positions, out_velocities)


@kernel
def read_movers(w: Tables, out_positions: Floats, out_velocities: Floats) -> None:
    """Write the same of the bodies that a step may move; of the others it stands there already."""
    state, bodies, movers = w.state[0], w.bodies, w.movers
    for k in range(state.movers):
        read_body(state, bodies[movers[k]], movers[k], out_positions, out_velocities)


@kernel
def bring_body(w: Tables, number: int) -> None:
    """Move one body to the present instant, so that it can be changed there."""
    if w.state[0].phase != BETWEEN and w.bodies[number].kind != STATIC:
        bring(w.state[0], w.bodies[number], w.parts, w.buffer)


@kernel
def bring_bodies(w: Tables, rows: Integers) -> None:
    """Move bodies to the present instant."""
    for k in range(rows.shape[0]):
        bring_body(w, rows[k])


@kernel
def move_body(w: Tables, number: int, x: float, y: float) -> None:
    """Put a body's origin elsewhere; `put_body` comes next."""
    body = w.bodies[number]
    body.pivot_x += x - body.x
    body.pivot_y += y - body.y
    body.spare_x, body.spare_y = 0.0, 0.0
    if body.spin != 0.0 or body.angle != 0.0:
        write_turned(body, w.parts, w.buffer)
    else:
        body.x, body.y = x, y
        write_records(body, w.parts, w.buffer)


@kernel
def put_body(w: Tables, number: int) -> None:
    """Let a new or changed body take part from the present instant on: its course, its bounds, its place."""
    state, body = w.state[0], w.bodies[number]
    within = state.phase != BETWEEN
    body.stamp += 1
    body.asleep, body.held, body.moved, body.huddle, body.huddled = 0, 0, NEW, 0, 0
    body.own_time, body.horizon = 0.0, state.now
    body.pull_x, body.pull_y, body.chord_x, body.chord_y = 0.0, 0.0, 0.0, 0.0
    if body.kind != STATIC:
        body.own_time = state.now if within else 0.0
        if within:
            body.stopped = 0
            body.turn = body.spin
            if body.kind == DYNAMIC:
                body.pull_x, body.pull_y = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
            set_chord(state, body)
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        set_bounds(state, body, part)
        part.fat_low_x, part.fat_low_y, part.fat_high_x, part.fat_high_y = (
            part.low_x,
            part.low_y,
            part.high_x,
            part.high_y,
        )
        part.listed = NO_LIST if body.kind == STATIC else 0
        place(state, w.parts, w.cells, w.levels, p)
    state.listed = 0
    if body.kind == STATIC:
        body.horizon = math.inf


@kernel
def put_bodies(w: Tables, rows: Integers) -> None:
    """Let new bodies take part from the present instant on."""
    for k in range(rows.shape[0]):
        put_body(w, rows[k])


@kernel
def wake_what_rests_on(w: Tables, changing: Booleans, waking: Booleans) -> None:
    """Give what is held by marked bodies, or sleeps beside them, its acceleration back, and all it sleeps with.

    `waking` is all false, and has a place for each body.
    """
    state, bodies = w.state[0], w.bodies
    for number in range(state.bodies):
        body = bodies[number]
        if body.kind == DYNAMIC:
            for k in range(body.held):
                waking[number] = waking[number] or changing[body.supporter[k]]
        if changing[number]:
            for p in range(body.first_part, body.first_part + body.part_count):
                for k in range(find_near(state, w.parts, w.cells, w.levels, p, w.near)):
                    beside = w.parts[w.near[k]].body
                    waking[beside] = waking[beside] or bodies[beside].asleep != 0
    for number in range(state.bodies):
        if waking[number] and bodies[number].huddle != 0:
            bodies[bodies[number].huddle - 1].joined = 1
    for number in range(state.bodies):
        body = bodies[number]
        if body.asleep != 0 and body.huddle != 0 and bodies[body.huddle - 1].joined != 0:
            waking[number] = True
    for number in range(state.bodies):
        bodies[number].joined = 0
    for number in range(state.bodies):
        if waking[number] and bodies[number].held > 0:
            bring_body(w, number)
            put_body(w, number)


@kernel
def take_out_body(w: Tables, number: int) -> None:
    """Take the parts of a removed body out of the grid."""
    body = w.bodies[number]
    for p in range(body.first_part, body.first_part + body.part_count):
        take_out(w.state[0], w.parts, w.cells, w.levels, p)
        # Whose lists name it find nothing there.
        w.parts[p].low_x, w.parts[p].fat_low_x = math.inf, math.inf


@kernel
def abandon(w: Tables) -> None:
    """End a step at the present instant: everything stays where it is now."""
    state, bodies = w.state[0], w.bodies
    for number in range(state.bodies):
        if bodies[number].kind >= KINEMATIC:
            bring(state, bodies[number], w.parts, w.buffer)
    state.phase = BETWEEN


@kernel
def place_all(w: Tables) -> None:
    """Put the parts of all bodies into a new, empty grid."""
    for p in range(w.state[0].parts):
        if w.parts[p].body >= 0:
            place(w.state[0], w.parts, w.cells, w.levels, p)
