"""Kernels for single bodies: where they are at the present instant, and new, changed and removed ones.

In: rows of a world's tables, at a pause or between steps. Out: positions and velocities; or bodies that are moved to
the present instant before a change (`begin_change`), and take part from there on after it (`place_bodies`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.moments import least_width, moments
from carom.shapes.proxy import COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import LARGEST, NO_SIZE
from carom.vector import Vec
from carom.world.step.exposed import note_exposed
from carom.world.step.motion import (
    end_way,
    forget_target,
    note_start,
    place_parts,
    set_bounds,
    set_extent,
    velocity_now,
)
from carom.world.step.neighbours import NO_LIST, find_near, place, take_out
from carom.world.step.sleep import POINTLIKE, rouse
from carom.world.step.tables import BETWEEN, DYNAMIC, GONE, NEW, STATIC, Record, Table, Tables

IS_POSITION, IS_ANGLE = 0, 1
SHORT_TIME = 1.0  # seconds in which nothing gets out of all bounds


class Columns(NamedTuple):
    """Where bodies are and how fast, by row."""

    positions: Floats
    """(n, 2); NaN in rows without a body."""
    angles: Floats
    velocities: Floats
    """(n, 2)"""
    spins: Floats


def make_columns(count: int) -> Columns:
    """Return columns for so many bodies."""
    return Columns(np.empty((count, 2)), np.empty(count), np.empty((count, 2)), np.empty(count))


@inner
def read_body(state: Record, body: Record, since: float, at: int, out: Columns) -> None:
    """Write where a body is at the present instant and how fast, without moving it."""
    if body.kind == GONE:
        out.positions[at, 0], out.positions[at, 1], out.angles[at] = math.nan, math.nan, math.nan
        out.velocities[at, 0], out.velocities[at, 1], out.spins[at] = 0.0, 0.0, 0.0
        return
    x, y, angle, vx, vy, spin = body.x, body.y, body.angle, body.vx, body.vy, body.spin
    if state.phase != BETWEEN and body.kind != STATIC:
        past = state.now - body.own_time
        vx, vy, spin = velocity_now(state, body, since)
        x, y = x + (body.way_x * past + body.spare_x), y + (body.way_y * past + body.spare_y)
        angle += body.way_spin * past
    if body.middle_x != 0.0 or body.middle_y != 0.0:
        c, s, _ = cos_sin_of(angle)
        x += c * body.middle_x - s * body.middle_y
        y += s * body.middle_x + c * body.middle_y
    out.positions[at, 0], out.positions[at, 1], out.angles[at] = x, y, angle
    out.velocities[at, 0], out.velocities[at, 1], out.spins[at] = vx, vy, spin


@kernel
def read_all(w: Tables, first: int, last: int, out: Columns) -> None:
    """Write where bodies `first` up to `last` are at the present instant and how fast, without moving them."""
    state, bodies = w.state[0], w.bodies
    for number in range(first, last):
        read_body(state, bodies[number], w.courses[number].since, number - first, out)


@kernel
def read_movers(w: Tables, out: Columns) -> None:
    """Write the same of the bodies that a step may move; of the others it stands there already."""
    state, bodies, movers = w.state[0], w.bodies, w.movers
    for k in range(state.movers):
        read_body(state, bodies[movers[k]], w.courses[movers[k]].since, movers[k], out)


def motion_of(w: Tables, row: int) -> tuple[Vec, float, Vec, float]:
    """Return position, angle, velocity and spin of a body at the present instant."""
    out = make_columns(1)
    read_all(w, row, row + 1, out)
    return Vec(*out.positions[0].tolist()), out.angles.item(0), Vec(*out.velocities[0].tolist()), out.spins.item(0)


@kernel
def advance_bodies(w: Tables, rows: Integers) -> None:
    """Move bodies to the present instant, so that they can be changed there."""
    state = w.state[0]
    if state.phase != BETWEEN:
        for k in range(rows.shape[0]):
            end_way(w, rows[k])


@kernel
def put_body(w: Tables, number: int, what: int, x: float, y: float) -> None:
    """Put a body's position elsewhere, or turn it to an angle x about its (x, y); `place_bodies` comes next."""
    body = w.bodies[number]
    body.spare_x, body.spare_y = 0.0, 0.0
    if what == IS_ANGLE:
        body.angle = x
    else:
        c, s = 1.0, 0.0
        if body.angle != 0.0:
            c, s, _ = cos_sin_of(body.angle)
        body.x = x - (c * body.middle_x - s * body.middle_y)
        body.y = y - (s * body.middle_x + c * body.middle_y)
    place_parts(body, w.parts, w.buffer, what == IS_ANGLE)
    note_start(w, number)


@kernel
def set_target(w: Tables, number: int, x: float, y: float, angle: float) -> None:
    """Tell a kinematic body where its position is to be when the next step ends, or this one, and its angle."""
    body, course = w.bodies[number], w.courses[number]
    c, s, _ = cos_sin_of(angle)
    dx, dy = c * body.middle_x - s * body.middle_y, s * body.middle_x + c * body.middle_y
    # So that the sum, which is its position then, is rounded to what was given.
    course.target_x, course.target_y = (x - dx) + (x - ((x - dx) + dx)), (y - dy) + (y - ((y - dy) + dy))
    course.target_angle, course.told = angle, 1


@kernel
def place_body(w: Tables, number: int) -> None:
    """Let a new or changed body take part from the present instant on: its bounds, its place."""
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    rouse(w, number, False)
    course.stamp += 1
    body.moved, w.rests[number].timer = NEW, 0.0
    body.way_x, body.way_y, body.way_spin = 0.0, 0.0, 0.0
    body.pull_x, body.pull_y, body.pull_spin = 0.0, 0.0, 0.0
    body.own_time, body.horizon = 0.0, math.inf
    if body.kind == STATIC:
        note_start(w, number)
    else:
        body.own_time, body.horizon = state.now if state.phase != BETWEEN else 0.0, state.length
    course.since = body.own_time
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        set_bounds(body, part, body.own_time, state.length)
        part.fat_low_x, part.fat_low_y = part.low_x, part.low_y
        part.fat_high_x, part.fat_high_y = part.high_x, part.high_y
        part.listed = NO_LIST if body.kind == STATIC else 0
        place(state, w.parts, w.cells, w.levels, p)
    state.listed = 0


@kernel
def place_bodies(w: Tables, rows: Integers) -> None:
    """Let changed bodies take part from the present instant on."""
    for k in range(rows.shape[0]):
        place_body(w, rows[k])


@inner
def records_of(parts: int) -> int:
    """Return for how many records each of so many parts of a body has room: with its model, and what it shows."""
    return 2 if parts == 1 else 3


@kernel
def inertia_of(body: Record, parts: Table, buffer: Floats) -> float:
    """Return the moment of inertia of a body about (x, y), divided by its mass."""
    total, second, reach = 0.0, 0.0, 0.0
    for p in range(body.first_part, body.first_part + body.part_count):
        i = parts[p].record
        area, about = moments(buffer, i, body.x, body.y)
        total += area
        second += about
        for at in range(i + POINTS, i + POINTS + STRIDE * int(buffer[i + COUNT]), STRIDE):
            x, y = (buffer[i + X] + buffer[at]) - body.x, (buffer[i + Y] + buffer[at + 1]) - body.y
            reach = max(reach, x * x + y * y)
    # About its middle, a thin rod of half length r has r^2 / 3; no shape has less area than a rounding of its needle.
    return second / total if total > 1e-12 * reach else reach / 3.0


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
) -> tuple[int, int]:
    """Let new bodies take part from the present instant on; `told` holds their settings.

    `owned` is the first part of each and how many it has; the records of all parts lie one behind the other in
    `buffer`; `places` are the bodies' positions and the points that they turn about. Parts from `fresh` on get their
    records where the buffer of the tables is `used` up to, see `records_of`. Returns the most points of
    any part, and how much of the buffer is used then.
    """
    most = 0
    a, begin, number = w.buffer, 0, 0
    for k in range(rows.shape[0]):
        body, course, rest = w.bodies[rows[k]], w.courses[rows[k]], w.rests[rows[k]]
        w.bodies[rows[k]] = told[k]
        course.queued, course.last_hit, course.met, course.hits = 0, -1.0, 0, 0
        course.presses, course.stalled = 0, 0
        forget_target(course)
        rest.stood_x, rest.stood_y, rest.stood_angle, rest.stood_speed, rest.ring = 0.0, 0.0, 0.0, 0.0, rows[k]
        rest.near, rest.displaced = 0, 0
        body.x, body.y = places[k, 2], places[k, 3]
        body.middle_x, body.middle_y = places[k, 0] - body.x, places[k, 1] - body.y
        body.serial = serial + k
        body.first_part, body.part_count = owned[k, 0], owned[k, 1]
        body.sweep, body.half_width = 0.0, math.inf
        for p in range(body.first_part, body.first_part + body.part_count):
            part = w.parts[p]
            part.body, part.cell = rows[k], -1
            if p >= fresh:
                part.record, part.model = used, used + sizes[number]
                part.exposed = part.model + sizes[number] if body.part_count > 1 else 0
                used += records_of(body.part_count) * sizes[number]
            i, j = part.record, part.model
            for n in range(sizes[number]):
                a[i + n] = a[j + n] = buffer[begin + n]
            begin, number = begin + sizes[number], number + 1
            part.offset_x, part.offset_y = a[i + X] - body.x, a[i + Y] - body.y
            a[j + X], a[j + Y] = part.offset_x, part.offset_y
            set_extent(part, a)
            part.width = 2.0 * (a[i + REACH] + a[i + RADIUS])
            for at in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
                x, y = part.offset_x + a[at], part.offset_y + a[at + 1]
                body.sweep = max(body.sweep, math.sqrt(x * x + y * y) + a[i + RADIUS])
            width = least_width(a, i)
            part.thin = 1 if width <= max(NO_SIZE * part.width, POINTLIKE * (abs(a[i + X]) + abs(a[i + Y]))) else 0
            body.half_width = min(body.half_width, 0.5 * width if part.thin == 0 else math.inf)
            most = max(most, int(a[i + COUNT]))
        body.sweep *= 1.0 + 1e-12
        if body.half_width == math.inf and body.kind != STATIC:
            body.half_width = body.sweep
        if body.part_count > 1 and body.kind != STATIC:
            note_exposed(body, w.parts, a)
        if body.kind != DYNAMIC:
            body.inverse_inertia = 0.0
        elif body.inverse_inertia < 0.0:
            inertia = inertia_of(body, w.parts, a)
            body.inverse_inertia = body.inverse_mass / inertia if inertia > 0.0 else 0.0
        note_start(w, rows[k])
        place_body(w, rows[k])
    return most, used


@kernel
def begin_change(w: Tables, rows: Integers) -> None:
    """Wake the bodies that sleep beside some others, and move these to the present instant."""
    wake_beside(w, rows)
    advance_bodies(w, rows)


@kernel
def wake_beside(w: Tables, rows: Integers) -> None:
    """Wake some bodies, those that sleep beside them, and all that fell asleep with those."""
    state, bodies = w.state[0], w.bodies
    for k in range(rows.shape[0]):
        body = bodies[rows[k]]
        rouse(w, rows[k], False)
        for p in range(body.first_part, body.first_part + body.part_count):
            for n in range(find_near(state, w.parts, w.cells, w.levels, p, w.near)):
                beside = w.parts[w.near[n]].body
                if bodies[beside].asleep != 0:
                    rouse(w, beside, False)


@kernel
def take_out_bodies(w: Tables, rows: Integers, contacts: Table, count: int) -> None:
    """Take the parts of removed bodies out of the grid, and make predictions and contacts with them void."""
    w.state[0].listed = 0
    for k in range(rows.shape[0]):
        body = w.bodies[rows[k]]
        w.courses[rows[k]].stamp += 1
        for p in range(body.first_part, body.first_part + body.part_count):
            take_out(w.state[0], w.parts, w.cells, w.levels, p)
            # Parts whose lists name it find nothing there.
            w.parts[p].low_x, w.parts[p].fat_low_x = math.inf, math.inf
        for c in range(count):
            if contacts[c].a == rows[k] or contacts[c].b == rows[k]:
                contacts[c].name, contacts[c].count = -1, 0


@kernel
def place_all(w: Tables) -> None:
    """Put the parts of all bodies into a new, empty grid."""
    for p in range(w.state[0].parts):
        if w.parts[p].body >= 0:
            place(w.state[0], w.parts, w.cells, w.levels, p)


def refuse_too_far(where: str, w: Tables, dt: float, steps: int) -> None:
    """Refuse a time in which some body, of one world or of copies, could get beyond all coordinates."""
    time = dt * steps
    if time <= SHORT_TIME:
        return
    bodies = w.bodies[..., : int(w.state["bodies"].flat[0])]
    moving = bodies[bodies["kind"] > STATIC]
    start, speed, pull = (
        max(float(np.abs(moving[name]).max(initial=0.0)) for name in names)
        for names in (("x", "y"), ("vx", "vy"), ("acceleration_x", "acceleration_y"))
    )
    if (moving["kind"] == DYNAMIC).any():
        pull += max(float(np.abs(w.state[name]).max()) for name in ("gravity_x", "gravity_y"))
    if not start + (speed + pull * time) * time <= LARGEST:
        many = "" if steps == 1 else f", {steps} times,"
        expected = f"is too long: in that time{many} a body could get farther than {LARGEST:g} from the origin"
        inputs.refuse(ValueError, where, "dt", dt, expected)
