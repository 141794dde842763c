"""Kernels for single bodies: where they are at the present instant, and changed and removed ones.

In: rows of a world's tables, at a pause or between steps. Out: positions and velocities; or bodies that are moved to
the present instant before a change (`begin_change`), and take part from there on after it (`place_bodies`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import LARGEST
from carom.vector import Vec
from carom.world.step.pairs.contacts import Contacts
from carom.world.step.tables import BETWEEN, DYNAMIC, GONE, KINEMATIC, NEW, STATIC, Body, State, Tables
from carom.world.step.ways.motion import end_way, note_start, place_now, place_parts, set_bounds, velocity_now
from carom.world.step.ways.neighbours import NO_LIST, find_near, place, take_out
from carom.world.step.ways.setting_off import rouse

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
def read_body(state: State, body: Body, since: float, at: int, out: Columns) -> None:
    """Write where a body is at the present instant and how fast, without moving it."""
    if body.kind == GONE:
        out.positions[at, 0], out.positions[at, 1], out.angles[at] = math.nan, math.nan, math.nan
        out.velocities[at, 0], out.velocities[at, 1], out.spins[at] = 0.0, 0.0, 0.0
        return
    x, y, angle = place_now(state, body)
    vx, vy, spin = body.vx, body.vy, body.spin
    if state.phase != BETWEEN and body.kind != STATIC:
        vx, vy, spin = velocity_now(state, body, since)
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


def waited_in(w: Tables, rows: slice | int) -> Any:
    """Return for how many seconds of the present step, or of the last one, bodies have waited; of copies, in each."""
    body, course = w.bodies[..., rows], w.courses[..., rows]
    kind, waited = body["kind"], w.rests["waited"][..., rows] + course["waited"]
    stands = (body["way_x"] == 0.0) & (body["way_y"] == 0.0) & (body["way_spin"] == 0.0)
    told = (body["vx"] != 0.0) | (body["vy"] != 0.0) | (body["spin"] != 0.0)
    holds = (course["stalled"] != 0) | ((kind == KINEMATIC) & stands & told)
    since = np.where(w.state["phase"] != BETWEEN, w.state["now"] - course["since"], 0.0)
    return np.where(kind > STATIC, waited + np.where(holds, since, 0.0), 0.0)


@kernel
def advance_bodies(w: Tables, rows: Integers) -> None:
    """Move bodies to the present instant, so that they can be changed there."""
    state = w.state[0]
    if state.phase != BETWEEN:
        for k in range(rows.shape[0]):
            end_way(w, rows[k])


@kernel
def put_bodies(w: Tables, rows: Integers, positions: Floats) -> None:
    """Put the positions of bodies elsewhere; `place_bodies` comes next."""
    for k in range(rows.shape[0]):
        body = w.bodies[rows[k]]
        body.spare_x, body.spare_y = 0.0, 0.0
        c, s = 1.0, 0.0
        if body.angle != 0.0:
            c, s, _ = cos_sin_of(body.angle)
        body.x = positions[k, 0] - (c * body.middle_x - s * body.middle_y)
        body.y = positions[k, 1] - (s * body.middle_x + c * body.middle_y)
        place_parts(body, w.parts, w.buffer, False)
        note_start(w, rows[k])


@kernel
def turn_bodies(w: Tables, rows: Integers, angles: Floats) -> None:
    """Turn bodies to some angles about their (x, y); `place_bodies` comes next."""
    for k in range(rows.shape[0]):
        body = w.bodies[rows[k]]
        body.spare_x, body.spare_y = 0.0, 0.0
        body.angle = angles[k]
        place_parts(body, w.parts, w.buffer, True)
        note_start(w, rows[k])


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
    course.since, course.stalled = body.own_time, 0
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        set_bounds(body, part, body.own_time, state.length)
        part.fat_low_x, part.fat_low_y = part.low_x, part.low_y
        part.fat_high_x, part.fat_high_y = part.high_x, part.high_y
        part.listed = NO_LIST if body.kind == STATIC else 0
        place(w, p)
    state.listed = 0


@kernel
def place_bodies(w: Tables, rows: Integers) -> None:
    """Let changed bodies take part from the present instant on."""
    for k in range(rows.shape[0]):
        place_body(w, rows[k])


@kernel
def begin_change(w: Tables, rows: Integers) -> None:
    """Wake the bodies that sleep beside some others, and move these to the present instant."""
    wake_beside(w, rows)
    advance_bodies(w, rows)


@kernel
def rouse_bodies(w: Tables, rows: Integers) -> None:
    """Wake some bodies and all that fell asleep with them, and have them wait anew before they sleep."""
    for k in range(rows.shape[0]):
        rouse(w, rows[k], False)
        w.rests[rows[k]].timer = 0.0


@kernel
def wake_beside(w: Tables, rows: Integers) -> None:
    """Wake some bodies, those that sleep beside them or hang on them, and all that fell asleep with those."""
    bodies, joints = w.bodies, w.joints.table
    for k in range(rows.shape[0]):
        body = bodies[rows[k]]
        rouse(w, rows[k], False)
        j = body.joint
        while j != 0:
            joint = joints[j - 1]
            other, j = (joint.b, joint.next_a) if joint.a == rows[k] else (joint.a, joint.next_b)
            if other >= 0 and bodies[other].asleep != 0:
                rouse(w, other, False)
        for p in range(body.first_part, body.first_part + body.part_count):
            for n in range(find_near(w, p, w.around)):
                beside = w.parts[w.around[n]].body
                if bodies[beside].asleep != 0:
                    rouse(w, beside, False)


@kernel
def take_out_bodies(w: Tables, rows: Integers, contacts: Contacts, count: int) -> None:
    """Take the parts of removed bodies out of the grid, and make predictions and contacts with them void."""
    w.state[0].listed = 0
    for k in range(rows.shape[0]):
        body = w.bodies[rows[k]]
        w.courses[rows[k]].stamp += 1
        for p in range(body.first_part, body.first_part + body.part_count):
            take_out(w, p)
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
            place(w, p)


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
