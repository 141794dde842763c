"""The straight line a body follows between two events, and its velocity on the way.

A constant acceleration bends a path; within a step the path is its chord: from the present time to the end of the
step the body moves with v + a * rest / 2, which ends where the curve ends. The velocity on the way is the one that
keeps the energy exactly: along the acceleration sqrt(v^2 + 2 a s) after a distance s, across it as it was. At the end
of the step that is v + a * rest.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.proxy import X, Y
from carom.world.rotation import turn_body
from carom.world.tables import KINEMATIC, Record, Table


@kernel
def velocity_on_chord(
    vx: float, vy: float, ax: float, ay: float, ux: float, uy: float, time: float
) -> tuple[float, float]:
    """Return the velocity after `time` on the chord with velocity u, from a start with velocity v."""
    size = math.sqrt(ax * ax + ay * ay)
    if size == 0.0 or time == 0.0:
        return vx, vy
    dx, dy = ax / size, ay / size
    before = vx * dx + vy * dy
    square = before * before + 2.0 * size * ((ux * dx + uy * dy) * time)
    after = math.sqrt(max(square, 0.0))
    if before + size * time < 0.0:
        after = -after
    change = after - before
    return vx + change * dx, vy + change * dy


@inner
def velocity_at(body: Record, past: float) -> tuple[float, float]:
    """Return the velocity of a body so long after its own time.

    Those who huddle push each other all the time, so that only what is even in time keeps their momentum.
    """
    if body.huddled > 0 and (body.push_x != 0.0 or body.push_y != 0.0):
        return body.vx + body.pull_x * past, body.vy + body.pull_y * past
    ux, uy = body.way_x - body.push_x, body.way_y - body.push_y
    return velocity_on_chord(body.vx, body.vy, body.pull_x, body.pull_y, ux, uy, past)


@inner
def set_chord(state: Record, body: Record) -> None:
    """Aim a body, from its own time, at where it will be at the end of the step."""
    half = 0.5 * (state.length - body.own_time)
    body.way_x, body.way_y = body.vx + body.pull_x * half, body.vy + body.pull_y * half
    body.push_x, body.push_y = 0.0, 0.0


@inner
def bring(state: Record, body: Record, parts: Table, buffer: Floats) -> None:
    """Move a body along its chord to the present instant, velocity included."""
    past = state.now - body.own_time
    ux, uy = body.way_x, body.way_y
    body.own_time = state.now
    if body.turn != 0.0 and past != 0.0:
        turn_body(body, parts, buffer, past)
        return
    if past == 0.0 or (ux == 0.0 and uy == 0.0):
        return
    if body.pull_x != 0.0 or body.pull_y != 0.0:
        body.vx, body.vy = velocity_at(body, past)
    go_along(body, ux * past, uy * past, parts, buffer)


@inner
def go_along(body: Record, mx: float, my: float, parts: Table, buffer: Floats) -> None:
    """Move a body by m.

    What rounding leaves out of its coordinates is kept, and goes along with its next way: what slides down a slanted
    floor would else sink into it, or rise from it, by up to half a unit in the last place with every step.
    """
    x, y = body.x, body.y
    body.x, body.spare_x = two_sum(x, mx + body.spare_x)
    body.y, body.spare_y = two_sum(y, my + body.spare_y)
    body.moved = 1
    if body.kind == KINEMATIC:  # it may spin again
        body.pivot_x += body.x - x
        body.pivot_y += body.y - y
    write_records(body, parts, buffer)


@inner
def write_records(body: Record, parts: Table, buffer: Floats) -> None:
    """Move the records of a body's parts to its origin."""
    for p in range(body.first_part, body.first_part + body.part_count):
        part = parts[p]
        buffer[part.record + X] = body.x + part.offset_x
        buffer[part.record + Y] = body.y + part.offset_y
