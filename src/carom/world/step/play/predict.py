"""The way ahead of a body: the bodies that it meets until its horizon, the sensors that it enters and leaves.

In: a body whose way is new. Out: predicted events in the queue. A body that moves far compared with its size looks
ahead a part of the way at a time, so that its bounds stay small; at that horizon it looks again.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Floats
from carom.world.step.pairs.contacts import moves
from carom.world.step.pairs.filters import MEET, NOTICE, concern
from carom.world.step.pairs.meeting import KNOWN, SOLVED_TOGETHER, UNKNOWN, meeting_time
from carom.world.step.pairs.names import contact_of
from carom.world.step.piles import Piles
from carom.world.step.play.crossings import foresee_crossing
from carom.world.step.play.event_queue import foresee
from carom.world.step.tables import IMPACT, NEW, OF_PILE, RENEW, STATIC, Body, Tables
from carom.world.step.ways.motion import advance, has_way, speed_between
from carom.world.step.ways.neighbours import met_on_way


@inner
def is_under_way(body: Body) -> bool:
    """Tell whether a body has to look around: what stands still is found by the others."""
    return bool(has_way(body) and body.kind != STATIC and body.asleep == 0)


@inner
def enqueue(w: Tables, number: int) -> None:
    """Have a body look around, before anything else happens."""
    state, course = w.state[0], w.courses[number]
    if course.queued == 0:
        course.queued = 1
        w.queue[state.queue] = number
        state.queue += 1


@inner
def known_of(w: Tables, piles: Piles, part_a: int, part_b: int) -> int:
    """Return what the solver knows of the contact of two parts."""
    a, b = w.bodies[w.parts[part_a].body], w.bodies[w.parts[part_b].body]
    if moves(a) and moves(b) and a.pile & b.pile & OF_PILE != 0:
        return SOLVED_TOGETHER
    at = contact_of(piles, part_a, part_b) if w.state[0].seen > 0 else -1
    if at < 0 or piles.contacts[at].count == 0:
        return UNKNOWN
    return SOLVED_TOGETHER if moves(a) and moves(b) else KNOWN


@inner
def look_around(w: Tables, piles: Piles, number: int) -> bool:
    """Predict whom a body meets until its horizon; False if the table of events is too short."""
    bodies, parts = w.bodies, w.parts
    body, rest = bodies[number], w.state[0].length - w.state[0].now
    for p in range(body.first_part, body.first_part + body.part_count):
        for k in range(met_on_way(w, p)):
            q = w.around[k]
            other_number = parts[q].body
            other = bodies[other_number]
            if w.courses[other_number].queued != 0:
                continue  # it will find this one when it looks
            # In the order of their numbers, so that the answer does not depend on who looks.
            part_a, part_b = min(p, q), max(p, q)
            what = concern(w, body, other)
            if what == NOTICE and not foresee_crossing(w, part_a, part_b, piles.work):
                return False
            if what != MEET or not (is_under_way(body) or is_under_way(other)):
                continue
            known = known_of(w, piles, part_a, part_b)
            if known == SOLVED_TOGETHER and speed_between(body, other) * rest <= min(body.half_width, other.half_width):
                continue  # they cannot come out beyond each other
            if not foresee_impact(w, part_a, part_b, known, piles.work):
                return False
    if body.moved == NEW:
        body.moved = 0
    if body.horizon < w.state[0].length and body.kind != STATIC:
        return foresee(w, RENEW, body.first_part, body.first_part, body.horizon, -1)
    return True


@inner
def foresee_impact(w: Tables, part_a: int, part_b: int, known: int, work: Floats) -> bool:
    """Put the meeting of two parts into the queue, if they meet; False if there is no room."""
    a, b = w.bodies[w.parts[part_a].body], w.bodies[w.parts[part_b].body]
    now = max(a.own_time, b.own_time)
    # Both at one time: the one that is behind is brought on its way, which changes nothing else.
    advance(w, a, now)
    advance(w, b, now)
    rest = min(a.horizon, b.horizon) - now
    time = meeting_time(w, part_a, part_b, rest, known, work)
    if not time < rest:
        return True
    return foresee(w, IMPACT, part_a, part_b, now + time, -1)
