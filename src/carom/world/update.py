"""Kernels for single bodies: where they are at the present instant, and new, changed and removed ones.

In: rows of a world's tables, at a pause or between steps. Out: positions and velocities; or bodies that are moved to
the present instant before a change (`advance_bodies`), and take part from there on after it (`place_bodies`).
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.kinds import is_aabb, is_disc
from carom.shapes.proxy import COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.vector import Vec
from carom.world.integrate import bring, set_chord, velocity_at, write_records
from carom.world.neighbours import NO_LIST, find_near, place, take_out
from carom.world.predict import set_bounds
from carom.world.rotation import write_turned
from carom.world.tables import BETWEEN, DYNAMIC, GONE, KINEMATIC, NEW, STATIC, Record, Table, Tables
from carom.world.toi.internal_edges import least_width


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
        x, y = x + (body.way_x * past + body.spare_x), y + (body.way_y * past + body.spare_y)
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


def motion_of(w: Tables, row: int) -> tuple[Vec, Vec]:
    """Return the position and the velocity of a body at the present instant."""
    position, velocity = np.empty((1, 2)), np.empty((1, 2))
    read_all(w, row, row + 1, position, velocity)
    return Vec(*position[0].tolist()), Vec(*velocity[0].tolist())


@kernel
def advance_bodies(w: Tables, rows: Integers) -> None:
    """Move bodies to the present instant, so that they can be changed there."""
    if w.state[0].phase != BETWEEN:
        for k in range(rows.shape[0]):
            if w.bodies[rows[k]].kind != STATIC:
                bring(w.state[0], w.bodies[rows[k]], w.parts, w.buffer)


@kernel
def move_body(w: Tables, number: int, x: float, y: float) -> None:
    """Put a body's origin elsewhere; `place_bodies` comes next."""
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
def place_body(w: Tables, number: int) -> None:
    """Let a new or changed body take part from the present instant on: its course, its bounds, its place."""
    state, body = w.state[0], w.bodies[number]
    within = state.phase != BETWEEN
    body.stamp += 1
    body.asleep, body.held, body.moved, body.huddle, body.huddled = 0, 0, NEW, 0, 0
    body.own_time, body.horizon = 0.0, state.now
    body.pull_x, body.pull_y, body.way_x, body.way_y = 0.0, 0.0, 0.0, 0.0
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
        part.fat_low_x, part.fat_low_y = part.low_x, part.low_y
        part.fat_high_x, part.fat_high_y = part.high_x, part.high_y
        part.listed = NO_LIST if body.kind == STATIC else 0
        place(state, w.parts, w.cells, w.levels, p)
    state.listed = 0
    if body.kind == STATIC:
        body.horizon = math.inf


@kernel
def place_bodies(w: Tables, rows: Integers) -> None:
    """Let changed bodies take part from the present instant on."""
    for k in range(rows.shape[0]):
        place_body(w, rows[k])


@kernel
def enter_bodies(
    w: Tables,
    rows: Integers,
    told: Table,
    serial: int,
    owned: Integers,
    buffer: Floats,
    sizes: Integers,
    places: Floats,
    fresh: int,
    used: int,
) -> tuple[bool, int, int]:
    """Let new bodies take part from the present instant on; `told` holds their settings.

    `owned` is the first part of each and how many it has; the records of all parts lie one behind the other in
    `buffer`; `places` are the bodies' origins and positions. Parts from `fresh` on get their records where the buffer
    of the tables is `used` up to. Returns whether all parts are discs and boxes along the axes, the most points of any,
    and how much of the buffer is used then.
    """
    plain, most = True, 0
    a, begin, number = w.buffer, 0, 0
    for k in range(rows.shape[0]):
        body = w.bodies[rows[k]]
        stamp = body.stamp
        w.bodies[rows[k]] = told[k]
        body.x, body.y = places[k, 0], places[k, 1]
        body.center_x, body.center_y = places[k, 2] - body.x, places[k, 3] - body.y
        body.middle_x, body.middle_y = body.center_x, body.center_y
        body.stamp, body.serial = stamp, serial + k
        body.supporter[0], body.supporter[1] = -1, -1
        body.first_part, body.part_count = owned[k, 0], owned[k, 1]
        low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
        for p in range(body.first_part, body.first_part + body.part_count):
            part = w.parts[p]
            part.body, part.cell = rows[k], -1
            if p >= fresh:
                part.record = used
                used += sizes[number]
            i = part.record
            for n in range(sizes[number]):
                a[i + n] = buffer[begin + n]
            begin, number = begin + sizes[number], number + 1
            count, radius = int(a[i + COUNT]), a[i + RADIUS]
            part.offset_x, part.offset_y = a[i + X] - body.x, a[i + Y] - body.y
            left, bottom, right, top = math.inf, math.inf, -math.inf, -math.inf
            for at in range(i + POINTS, i + POINTS + STRIDE * count, STRIDE):
                left, right = min(left, a[at]), max(right, a[at])
                bottom, top = min(bottom, a[at + 1]), max(top, a[at + 1])
            part.left, part.bottom, part.right, part.top = left - radius, bottom - radius, right + radius, top + radius
            part.width, part.least_width = 2.0 * (a[i + REACH] + radius), least_width(a, i)
            low_x, high_x = min(low_x, part.offset_x + part.left), max(high_x, part.offset_x + part.right)
            low_y, high_y = min(low_y, part.offset_y + part.bottom), max(high_y, part.offset_y + part.top)
            plain = plain and (is_disc(a, i) or (is_aabb(a, i) and radius == 0.0))
            most = max(most, count)
        body.extent = max(high_x - low_x, high_y - low_y)
        place_body(w, rows[k])
    return plain, most, used


@kernel
def begin_change(w: Tables, rows: Integers, changing: Booleans, waking: Booleans) -> None:
    """Wake the bodies that rest on some others, or sleep beside them, and move these to the present instant."""
    wake_what_rests_on(w, rows, changing, waking)
    advance_bodies(w, rows)


@kernel
def wake_what_rests_on(w: Tables, rows: Integers, changing: Booleans, waking: Booleans) -> None:
    """Give the bodies that rest on some others, or sleep beside them, their acceleration back, and all they sleep with.

    `changing` and `waking` are all false, and have a place for each body.
    """
    state, bodies = w.state[0], w.bodies
    for k in range(rows.shape[0]):
        changing[rows[k]] = True
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
            if state.phase != BETWEEN:
                bring(state, bodies[number], w.parts, w.buffer)
            place_body(w, number)


@kernel
def take_out_bodies(w: Tables, rows: Integers) -> None:
    """Take the parts of removed bodies out of the grid, and make predictions with them void."""
    for k in range(rows.shape[0]):
        body = w.bodies[rows[k]]
        body.stamp += 1
        for p in range(body.first_part, body.first_part + body.part_count):
            take_out(w.state[0], w.parts, w.cells, w.levels, p)
            # Parts whose lists name it find nothing there.
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
