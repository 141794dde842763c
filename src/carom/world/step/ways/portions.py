"""Portions: a step in which walls turn is played as several, one after the other.

In: bodies at the start of a step. Out: in how many portions of the same length the step is played. All that a solver
sends goes a straight way, but what is carried by a kinematic body that turns goes an arc with it. A portion is so short
that the straight way leaves the arc by no more than bodies may overlap. So what turns does not run into what it
carries, and the promise on overlaps holds within the step, too.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import decayed
from carom._core.jit import kernel
from carom.world.step.constants import SKIN, SPARE
from carom.world.step.tables import DYNAMIC, KINEMATIC, Tables
from carom.world.step.ways.motion import can_turn_part, note_pull, wrapped
from carom.world.step.ways.neighbours import find_near
from carom.world.step.ways.writer import have_go, push

MOST_PORTIONS = 32
"""Portions of a step at most, since each takes as long as a step: what turns faster than that may have to wait."""


@kernel
def begin_portion(w: Tables) -> None:
    """Begin the next portion of a step, which is played as a step of its own.

    With the first, damped bodies lose their share of velocity for the whole step.
    """
    state = w.state[0]
    last, before = state.before + state.length - state.begins, state.whole - state.later
    length = state.later / portions_of(w, state.later, MOST_PORTIONS * (state.later / state.whole))
    state.pace = min(last, length) if last > 0.0 else length
    first = state.later == state.whole
    state.length, state.now, state.before, state.begins = length, 0.0, before, before
    state.later -= length
    state.played, state.begun = 0, 0
    listed = state.listed != 0  # else bodies were put in or taken out, and all are looked at
    for m in range(state.movers if listed else state.bodies):
        number = w.movers[m] if listed else m
        course, rest, body = w.courses[number], w.rests[number], w.bodies[number]
        rest.waited, course.waited = 0.0 if first else rest.waited + course.waited, 0.0
        course.met, course.spent, course.stuck, course.presses, course.last_hit = 0, 0.0, 0, 0, -1.0
        have_go(course)
        if first:
            course.pulled_x, course.pulled_y = 0.0, 0.0
        if first and body.kind == DYNAMIC and body.damping != 0.0 and body.asleep == 0:
            left = decayed(body.damping * state.whole)
            note_pull(w, number, body.vx, body.vy, left - 1.0)
            push(body, course, body.vx * left, body.vy * left, body.spin * left)


@kernel
def portions_of(w: Tables, rest: float, limit: float) -> int:
    """Return in how many portions the rest of a step is played, rounded up from at most `limit`."""
    state, most = w.state[0], 1.0
    listed = state.listed != 0
    if listed and state.drivers == 0:
        return 1
    for m in range(state.movers if listed else state.bodies):
        number = w.movers[m] if listed else m
        body = w.bodies[number]
        if body.kind == KINEMATIC:
            course = w.courses[number]
            # Either way round.
            turn = abs(wrapped(course.target_angle - body.angle)) if course.told != 0 else abs(body.spin) * rest
            if turn > 0.0:
                carries = most_turn(w, number)
                most = turn / carries if turn > most * carries else most
    return math.ceil(min(most, limit))


@kernel
def most_turn(w: Tables, number: int) -> float:
    """Return how far a body may turn in a portion; without end, if nothing is near that it could carry.

    On an arc of some radius, a chord that turns so far is off by radius * turn * turn / 8.
    """
    body, least = w.bodies[number], math.inf
    for p in range(body.first_part, body.first_part + body.part_count):
        if can_turn_part(body, w.buffer, w.parts[p]):
            for k in range(find_near(w, p, w.around)):
                other = w.bodies[w.parts[w.around[k]].body]
                if other.kind == DYNAMIC and other.sweep > 0.0:  # a Point is not carried
                    least = min(least, min(body.half_width, other.half_width))
    return math.sqrt(8.0 * SPARE * SKIN * least / body.sweep)
