"""Kernels that give bodies their parts: new bodies, and another shape, kind or pivot of one that is there.

In: rows of a world's tables, and records of shapes as they stand in the world. Out: parts, each with its record, and
its model: the record at angle 0, relative to what the body turns about; and what a step wants to know of the body as a
whole: how far it reaches, how thin it is, how hard to turn. `update.place_body` then lets it take part.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.conservative_advancement import mark_ends, turn_record
from carom.shapes.moments import least_width, moments
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import NO_SIZE
from carom.world.changes.bodies import place_body
from carom.world.step.declared import Table
from carom.world.step.tables import DYNAMIC, KINEMATIC, STATIC, Bodies, Body, Part, Tables
from carom.world.step.ways.motion import forget_target, note_start, set_extent
from carom.world.step.ways.setting_off import POINTLIKE
from carom.world.step.ways.writer import set_velocity

FROM_SHAPE = -1.0
"""In place of 1 / moment of inertia: it is to be found from the shape and the mass."""


class Form(NamedTuple):
    """The shapes of some bodies, as they stand in the world."""

    buffer: Floats
    """The records of all parts, one behind the other."""
    sizes: Integers
    """The length of each record."""
    owned: Integers
    """(n, 2) the first part of each body, and how many it has."""
    places: Floats
    """(n, 4) the positions of the bodies, and the points that they turn about."""
    turned: Floats
    """(n, 3) width, height and angle of turned boxes; 0 for all others."""


@kernel
def enter_bodies(w: Tables, rows: Integers, told: Bodies, serial: int, form: Form, fresh: int, used: int) -> int:
    """Let new bodies take part from the present instant on; `told` holds their settings.

    Parts from `fresh` on get their records where the buffer of the tables is `used` up to, and their models. Returns
    how much of the buffer is used then.
    """
    begin, first = 0, 0
    for k in range(rows.shape[0]):
        body, course, rest = w.bodies[rows[k]], w.courses[rows[k]], w.rests[rows[k]]
        w.bodies[rows[k]] = told[k]
        course.queued, course.last_hit, course.met, course.spent, course.stuck = 0, -1.0, 0, 0.0, 0
        course.presses, course.waited, rest.waited = 0, 0.0, 0.0
        forget_target(course)
        rest.stood_vx, rest.stood_vy, rest.stood_spin = 0.0, 0.0, 0.0
        rest.home_x, rest.home_y, rest.home_angle = 0.0, 0.0, 0.0
        rest.ring, rest.near, rest.displaced = rows[k], 0, 0
        body.serial = serial + k
        begin, first, used = enter_parts(w, rows[k], form, k, begin, first, fresh, used)
        set_inertia(body, w.parts, w.buffer, body.inverse_inertia)
        note_start(w, rows[k])
        place_body(w, rows[k])
    return used


@kernel
def reshape_body(
    w: Tables, number: int, form: Form, k: int, begin: int, first: int, fresh: int, used: int
) -> tuple[int, int, int]:
    """Give a body another shape, the k-th of a form, of which it has the parts already; `place_bodies` comes next.

    It keeps its velocity, its mass and, unless the shape is a turned box, its angle. Takes and returns what
    `enter_parts` does.
    """
    body = w.bodies[number]
    body.spare_x, body.spare_y = 0.0, 0.0
    begin, first, used = enter_parts(w, number, form, k, begin, first, fresh, used)
    forget_target(w.courses[number])
    if body.upright == 0:
        set_inertia(body, w.parts, w.buffer, FROM_SHAPE)
    note_start(w, number)
    return begin, first, used


@kernel
def enter_parts(
    w: Tables, number: int, form: Form, k: int, begin: int, first: int, fresh: int, used: int
) -> tuple[int, int, int]:
    """Write the parts of a body, the k-th of a form, from their records from `begin` on, the first one of them `first`.

    Returns where the records of the next body begin, its first one, and how much of the tables' buffer is used.
    """
    a, models, body = w.buffer, w.models, w.bodies[number]
    width, height = form.turned[k, 0], form.turned[k, 1]
    if width > 0.0:
        body.angle = form.turned[k, 2]
    body.x, body.y = form.places[k, 2], form.places[k, 3]
    c, s = 1.0, 0.0
    if body.angle != 0.0:
        c, s, _ = cos_sin_of(body.angle)
    dx, dy = form.places[k, 0] - body.x, form.places[k, 1] - body.y
    body.middle_x, body.middle_y = c * dx + s * dy, c * dy - s * dx
    body.first_part, body.part_count = form.owned[k, 0], form.owned[k, 1]
    for p in range(body.first_part, body.first_part + body.part_count):
        part, size = w.parts[p], form.sizes[first]
        part.body, part.cell = number, -1
        if p >= fresh:
            part.record = used
            used += size
        i = part.record
        for n in range(size):
            a[i + n] = models[i + n] = form.buffer[begin + n]
        begin, first = begin + size, first + 1
        if width > 0.0:
            write_box(models, i, 0.5 * width, 0.5 * height)
        elif body.angle != 0.0:
            turn_record(a, i, c, -s, models, i)
        set_extent(part, a)
        part.width = 2.0 * (a[i + REACH] + a[i + RADIUS])
        thin = max(NO_SIZE * part.width, POINTLIKE * (abs(a[i + X]) + abs(a[i + Y])))
        part.thin = 1 if least_width(a, i) <= thin else 0
    hang_parts(w, body, c, s)
    measure_body(body, w.parts, a)
    return begin, first, used


@inner
def write_box(a: Floats, j: int, w: float, h: float) -> None:
    """Make the record of a turned box that of the same box at angle 0, from half its size."""
    a[j + CENTER_X], a[j + CENTER_Y] = 0.0, 0.0
    for k in range(4):
        at = j + POINTS + STRIDE * k
        a[at], a[at + 1] = (w if k == 1 or k == 2 else -w), (h if k > 1 else -h)
        a[at + 2], a[at + 3] = (
            (1.0 if k == 1 else -1.0 if k == 3 else 0.0),
            (1.0 if k == 2 else -1.0 if k == 0 else 0.0),
        )
    mark_ends(a, j, POINTS + 4 * STRIDE)


@inner
def hang_parts(w: Tables, body: Body, c: float, s: float) -> None:
    """Note where the parts of a body are from what it turns about: now, and at angle 0, given cos and sin of its own.

    It reaches as far as its farthest point.
    """
    a, models = w.buffer, w.models
    body.sweep = 0.0
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        i = part.record
        part.offset_x, part.offset_y = a[i + X] - body.x, a[i + Y] - body.y
        models[i + X], models[i + Y] = c * part.offset_x + s * part.offset_y, c * part.offset_y - s * part.offset_x
        for at in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
            x, y = part.offset_x + a[at], part.offset_y + a[at + 1]
            body.sweep = max(body.sweep, math.sqrt(x * x + y * y) + a[i + RADIUS])
    body.sweep *= 1.0 + 1e-12


@kernel
def measure_body(body: Body, parts: Table[Part], a: Floats) -> None:
    """Note what a step wants to know of the shape of a body of its kind: how thin it is."""
    body.half_width = math.inf
    for p in range(body.first_part, body.first_part + body.part_count):
        if parts[p].thin == 0:
            body.half_width = min(body.half_width, 0.5 * least_width(a, parts[p].record))
    if body.kind != STATIC and body.half_width == math.inf:
        body.half_width = body.sweep


@kernel
def inertia_of(body: Body, parts: Table[Part], buffer: Floats) -> float:
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


@inner
def set_inertia(body: Body, parts: Table[Part], a: Floats, inverse: float) -> None:
    """Give a body 1 / its moment of inertia; where `inverse` is FROM_SHAPE, that of its shape and mass."""
    if body.kind != DYNAMIC:
        inverse = 0.0
    elif inverse < 0.0:
        inertia = inertia_of(body, parts, a)
        inverse = body.inverse_mass / inertia if inertia > 0.0 else 0.0
    body.inverse_inertia = inverse


@kernel
def change_kind(w: Tables, number: int, kind: int) -> None:
    """Make a body static, kinematic or dynamic, as if it had been added so; `place_bodies` comes next.

    It keeps the velocity that its kind may have. Where it is dynamic again it has the mass that it had.
    """
    body, course, rest = w.bodies[number], w.courses[number], w.rests[number]
    if body.kind == kind:
        return
    if body.kind == DYNAMIC:
        body.kept_mass = body.inverse_mass
    body.inverse_mass = 0.0
    if kind == DYNAMIC:
        body.inverse_mass = body.kept_mass if body.kept_mass > 0.0 else 1.0
    else:
        body.acceleration_x, body.acceleration_y, body.acceleration_spin = 0.0, 0.0, 0.0
    if kind != KINEMATIC and (body.middle_x != 0.0 or body.middle_y != 0.0):
        x, y = middle_of(body)
        set_velocity(body, body.vx - body.spin * y, body.vy + body.spin * x, body.spin)
        hang_body(w, number, body.x + x, body.y + y)
    if kind == STATIC:
        set_velocity(body, 0.0, 0.0, 0.0)
        body.spare_x, body.spare_y = 0.0, 0.0
    body.kind = kind
    body.swift, body.solved, body.pile = 0.0, 0, 0
    rest.near, rest.displaced = 0, 0
    forget_target(course)
    measure_body(body, w.parts, w.buffer)
    set_inertia(body, w.parts, w.buffer, 0.0 if body.upright != 0 else FROM_SHAPE)
    note_start(w, number)


@kernel
def set_upright(w: Tables, number: int, upright: int) -> None:
    """Let impacts turn a body, with the moment of inertia of its shape, or no longer."""
    body = w.bodies[number]
    if body.upright != upright:
        body.upright = upright
        set_inertia(body, w.parts, w.buffer, 0.0 if upright != 0 else FROM_SHAPE)


@inner
def middle_of(body: Body) -> tuple[float, float]:
    """Return the position of a body relative to what it turns about."""
    c, s = 1.0, 0.0
    if body.angle != 0.0:
        c, s, _ = cos_sin_of(body.angle)
    return c * body.middle_x - s * body.middle_y, s * body.middle_x + c * body.middle_y


@kernel
def hang_body(w: Tables, number: int, x: float, y: float) -> None:
    """Let a body turn about another point from now on; its place and its velocity are the same."""
    body = w.bodies[number]
    c, s = 1.0, 0.0
    if body.angle != 0.0:
        c, s, _ = cos_sin_of(body.angle)
    dx, dy = middle_of(body)
    dx, dy = (body.x + dx) - x, (body.y + dy) - y
    body.x, body.y, body.spare_x, body.spare_y = x, y, 0.0, 0.0
    body.middle_x, body.middle_y = c * dx + s * dy, c * dy - s * dx
    hang_parts(w, body, c, s)
    forget_target(w.courses[number])
    note_start(w, number)
