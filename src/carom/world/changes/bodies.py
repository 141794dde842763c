"""Changes of single bodies: put elsewhere, told where to be, woken, taken out.

In: rows of a world's tables, at a pause or between steps. Out: bodies that are moved to the present instant before a
change (`begin_change`), and take part from there on after it (`place_bodies`).
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.world.step.pairs.blows import leave_changed
from carom.world.step.pairs.contacts import Contacts
from carom.world.step.tables import BETWEEN, NEW, STATIC, Tables
from carom.world.step.ways.motion import end_way, note_start, place_parts, set_bounds
from carom.world.step.ways.neighbours import NO_LIST, find_near, place, take_out
from carom.world.step.ways.setting_off import rouse, stir
from carom.world.step.ways.writer import have_go, stop


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
        put_body(w, rows[k], positions[k, 0], positions[k, 1])


@kernel
def put_body(w: Tables, number: int, x: float, y: float) -> None:
    """Put the position of a body elsewhere; `place_body` comes next."""
    body = w.bodies[number]
    body.spare_x, body.spare_y = 0.0, 0.0
    c, s = 1.0, 0.0
    if body.angle != 0.0:
        c, s, _ = cos_sin_of(body.angle)
    body.x = x - (c * body.middle_x - s * body.middle_y)
    body.y = y - (s * body.middle_x + c * body.middle_y)
    place_parts(w, body, False)
    note_start(w, number)


@kernel
def turn_bodies(w: Tables, rows: Integers, angles: Floats) -> None:
    """Turn bodies to some angles about their (x, y); `place_bodies` comes next."""
    for k in range(rows.shape[0]):
        turn_body(w, rows[k], angles[k])


@kernel
def turn_body(w: Tables, number: int, angle: float) -> None:
    """Turn a body to an angle about its (x, y); `place_body` comes next."""
    body = w.bodies[number]
    body.spare_x, body.spare_y, body.angle = 0.0, 0.0, angle
    place_parts(w, body, True)
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
    leave_changed(w, number)
    rouse(w, number)
    course.stamp += 1
    body.moved = NEW
    stir(w.rests[number])
    stop(body)
    body.own_time, body.horizon = 0.0, math.inf
    if body.kind == STATIC:
        note_start(w, number)
    else:
        body.own_time, body.horizon = state.now if state.phase != BETWEEN else 0.0, state.length
    course.since = body.own_time
    have_go(course)
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
        rouse(w, rows[k])
        stir(w.rests[rows[k]])


@kernel
def wake_beside(w: Tables, rows: Integers) -> None:
    """Wake some bodies, those that sleep beside them or hang on them, and all that fell asleep with those."""
    bodies, joints = w.bodies, w.joints.table
    for k in range(rows.shape[0]):
        body = bodies[rows[k]]
        rouse(w, rows[k])
        j = body.joint
        while j != 0:
            joint = joints[j - 1]
            other, j = (joint.b, joint.next_a) if joint.a == rows[k] else (joint.a, joint.next_b)
            if other >= 0 and bodies[other].asleep != 0:
                rouse(w, other)
        for p in range(body.first_part, body.first_part + body.part_count):
            for n in range(find_near(w, p, w.around)):
                beside = w.parts[w.around[n]].body
                if bodies[beside].asleep != 0:
                    rouse(w, beside)


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
        for c in range(w.state[0].blows):
            if w.blows[c].a == rows[k] or w.blows[c].b == rows[k]:
                w.blows[c].name = -1


@kernel
def place_all(w: Tables) -> None:
    """Put the parts of all bodies into a new, empty grid."""
    for p in range(w.state[0].parts):
        if w.parts[p].body >= 0:
            place(w, p)
