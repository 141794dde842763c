"""Bodies are sent on their ways, when a step begins or when they wake within one.

In: bodies between two steps, or one that sleeps. Out: ways, their bounds, lists of neighbours.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.bends import pull_of_joints
from carom.world.step.tables import DYNAMIC, KINEMATIC, NEW, WAS_OF_PILE, Rest, Tables
from carom.world.step.ways.motion import aim_by_velocity, own_pull, set_bounds, set_horizon, set_on_target
from carom.world.step.ways.neighbours import keeps_within, settle_in
from carom.world.step.ways.writer import have_go, set_pull, stop

POINTLIKE = 2.0**-42
"""Share of its coordinates: a smaller body counts as a point."""


@kernel
def set_off(w: Tables, number: int) -> None:
    """Send a body on the way that it would take with nothing around, at the start of a step."""
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    body.own_time, course.since = 0.0, 0.0
    body.solved = 0
    body.pile &= WAS_OF_PILE
    if body.kind == DYNAMIC:
        have_go(course)
        x, y, turn = own_pull(state, body)
        set_pull(body, x, y, turn)
        turning = abs(body.pull_spin) * body.sweep
        body.swift = math.sqrt(body.pull_x * body.pull_x + body.pull_y * body.pull_y) + turning
        body.swift += pull_of_joints(w, number) if body.node != 0 else 0.0
        if body.sweep <= POINTLIKE * (abs(body.x) + abs(body.y)):
            # A Point has no size, nor has what is lost beside its coordinates: near is how far it may go.
            speed = math.sqrt(body.vx * body.vx + body.vy * body.vy) + body.swift * state.length
            body.half_width = speed * state.length
    if course.told != 0 and body.kind == KINEMATIC:
        set_on_target(body, course, state.length + state.later)
    aim_by_velocity(body, state.length)
    if body.joint != 0:
        course.due = max(course.due, 1 if body.node != 0 else 0)
        state.due = max(state.due, course.due)
    if course.stalled != 0:
        stop(body)  # a kinematic body that waits goes on waiting when the rest of a step is begun anew
    settle_parts(w, number, 0.0)


@kernel
def settle_parts(w: Tables, number: int, time: float) -> None:
    """Write the bounds of a body's way, and make its lists of neighbours anew where it leaves the old ones."""
    state, body = w.state[0], w.bodies[number]
    set_horizon(body, time, state.length)
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        set_bounds(body, part, time, state.length)
        if body.moved == NEW or not keeps_within(part):
            settle_in(w, body, p)


@kernel
def rouse(w: Tables, number: int) -> None:
    """Wake a body and all that fell asleep with it.

    In mid-step a woken body stays where it is, so that nobody has to look around for it.
    """
    k, now, length = number, w.state[0].now, w.state[0].length
    while True:
        slept, following = leave_ring(w, k)
        if slept:
            body, course = w.bodies[k], w.courses[k]
            body.solved, course.spent, course.stuck = 0, 0.0, 0
            body.own_time, course.since, body.horizon = now, now, length
        k = following
        if k == number:
            break


@kernel
def rouse_to_set_off(w: Tables, number: int) -> None:
    """Wake a body and all that fell asleep with it at the start of a step, and send them on their ways."""
    k = number
    while True:
        slept, following = leave_ring(w, k)
        if slept:
            set_off(w, k)
        k = following
        if k == number:
            break


@inner
def stir(rest: Rest) -> None:
    """Have a body wait anew before it sleeps."""
    rest.timer, rest.stayed, rest.settled = 0.0, 0.0, 0


@inner
def leave_ring(w: Tables, k: int) -> tuple[bool, int]:
    """Take a body out of the ring of those that fell asleep together; return whether it slept, and who is next."""
    body, rest = w.bodies[k], w.rests[k]
    following, rest.ring = rest.ring, k
    slept = body.asleep != 0
    if slept:
        body.asleep = 0
        stir(rest)
    return slept, following
