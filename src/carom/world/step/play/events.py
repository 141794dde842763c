"""The event queue of a step: free bodies, and everything against what cannot be moved, impact by impact.

In: bodies on their ways, free ones and those that the solver sent. Out: the same at the last event; hits. The
earliest impact is taken, one impulse with restitution and friction at the true contact points changes both bodies, they
get new ways, and look around again. Two bodies that the solver has both are its own affair.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.tolerances import INSTANT, MOST_EVENTS
from carom.world.joints.instant import halt_mechanisms
from carom.world.step.constants import DEEPEST, ELASTIC_IMPACTS, MOST_TRIES, REACH, SPARE
from carom.world.step.pairs.contacts import Contact, moves, recedes_on_ways, receding_at, skin_of
from carom.world.step.pairs.meeting import SOLVED_TOGETHER, are_stuck, meeting_time
from carom.world.step.pairs.names import slot_of_name
from carom.world.step.pairs.sensors import are_parting
from carom.world.step.pairs.slow import bounce_of
from carom.world.step.piles import MOST_AT_ONCE, Piles
from carom.world.step.play.crossings import play_crossing
from carom.world.step.play.event_queue import foresee, is_void, pop
from carom.world.step.play.impacts import keep_apart, prepare, resolve
from carom.world.step.play.instant import gather_impacts, join_past, note_met, recedes_already
from carom.world.step.play.predict import enqueue, is_under_way, known_of, look_around
from carom.world.step.play.report import tell, tell_impact, tell_touch
from carom.world.step.solve.rows import has_joints
from carom.world.step.tables import (
    CHANGED,
    CRUSHED,
    CUT,
    DYNAMIC,
    IMPACT,
    KINEMATIC,
    LET_ON,
    LOST,
    OF_PILE,
    RENEW,
    STALLED,
    TOUCH,
    Body,
    Course,
    Event,
    State,
    Tables,
)
from carom.world.step.ways.motion import advance, end_way, halt, note_pull, own_pull, turns_part, waits
from carom.world.step.ways.setting_off import rouse, settle_parts
from carom.world.step.ways.writer import have_wait, set_pull, stop

DONE, PAUSED, MORE_EVENTS, MORE_CONTACTS, MORE_HITS, MORE_INSIDE, REGROUP, SOLVE, LOOK_UP = 0, 1, 2, 3, 4, 5, 6, 7, 8
UNEQUAL_WAIT, LINK, FLY = 9, 10, 11

EVENTS_AT_ONCE = 200
"""Events after which the caller may look whether it is interrupted (LOOK_UP): a kernel cannot be."""

LEAST_WAIT = 1e-4
"""Share of the portion that passes before a pair which does not close is looked at again."""

LOOKS = 10
"""Looks at a pair that does not close which count as one impact: without gravity, what is pressed while it turns with
another comes no farther by them."""

HITS_OF_EVENT = 3 * MOST_AT_ONCE + 8
"""Rows of `hits`, or of `blows`, that one event may fill."""


@kernel
def announce(w: Tables, piles: Piles) -> bool:
    """Put the touches of piles that are new into the queue, to be told in their turn; False if there is no room."""
    for c in range(piles.counts[0]):
        contact = piles.contacts[c]
        pushes = contact.most[0] > 0.0 or (contact.count == 2 and contact.most[1] > 0.0)
        touched = contact.gap[0] <= 0.0 and contact.receding[0] >= 0.0
        new = not touched and piles.old_names[slot_of_name(piles.old_names, piles.old, contact.name)] < 0
        if (pushes and new) or waits(w.bodies[contact.a]) or waits(w.bodies[contact.b]):
            part_a, part_b = contact.name >> 32, contact.name & 0xFFFFFFFF
            if not foresee(w, TOUCH, part_a, part_b, time_of_touch(w, contact), c):
                return False
    return True


@inner
def time_of_touch(w: Tables, contact: Contact) -> float:
    """Return when two bodies of a pile touch, on the ways that the solver gave them."""
    length = w.state[0].length
    if contact.time > 0.0 or contact.gap[0] <= 0.0:
        return float(min(contact.time, length))
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    closing = 0.0 - recedes_on_ways(a, b, contact, 0)
    return float(min(contact.gap[0] / closing, length)) if closing * length > contact.gap[0] else float(length)


@kernel
def play_events(w: Tables, piles: Piles) -> int:
    """Play the events of the step in the order of time, to its end or to a reason to stop; return which."""
    state, parts = w.state[0], w.parts
    while True:
        if state.phase == CHANGED and not (state.pauses != 0 and state.hits > state.told):
            return REGROUP
        if state.due != 0:
            return FLY
        while state.queue > 0:
            number = w.queue[state.queue - 1]
            # It is looking, no longer waiting to look.
            w.courses[number].queued = 0
            if not look_around(w, piles, number):
                w.courses[number].queued = 1
                return MORE_EVENTS
            state.queue -= 1
        if state.pauses != 0 and state.hits > state.told:
            state.told = state.hits
            return PAUSED
        if state.events == 0:
            return DONE
        if state.played % EVENTS_AT_ONCE == EVENTS_AT_ONCE - 1:
            state.played += 1
            return LOOK_UP
        full = w.hits.shape[0] - max(state.hits, state.blows) < HITS_OF_EVENT
        if full or 2 * (state.inside + 1) > w.inside.shape[0]:
            return MORE_HITS if full else MORE_INSIDE
        event = w.events[w.heap[0]]
        pop(state, w.events, w.heap)
        if is_void(w, event):
            continue
        state.now = event.when
        state.played += 1
        number_a, number_b = parts[event.part_a].body, parts[event.part_b].body
        if state.played > MOST_EVENTS + 1000 * state.bodies:
            cut_short(w, number_a, number_b)
        elif event.what == TOUCH:
            tell_touch(w, piles.contacts[event.contact])
        elif event.what == RENEW:
            advance(w, w.bodies[number_a], state.now)
            look_again(w, number_a)
        elif event.what == IMPACT:
            play_impact(w, piles, event.part_a, event.part_b)
        else:
            play_visit(w, event)


@inner
@left_out(None)
def play_visit(w: Tables, event: Event) -> None:
    """Have a visitor enter or leave a sensor. Where one of the two turns, the next time is foreseen from there."""
    bodies, parts, state = w.bodies, w.parts, w.state[0]
    part_a, part_b = event.part_a, event.part_b  # the row of the event may be used anew
    number_a, number_b = parts[part_a].body, parts[part_b].body
    play_crossing(w, event.what, part_a, part_b)
    turns = turns_part(bodies[number_a], w.buffer, parts[part_a])
    turns = turns or turns_part(bodies[number_b], w.buffer, parts[part_b])
    for number in (number_a, number_b):
        # Where something turns, entering and leaving are foreseen one by one.
        if turns and is_under_way(bodies[number]):
            advance(w, bodies[number], state.now)
            w.courses[number].stamp += 1
            enqueue(w, number)


@kernel
def cut_short(w: Tables, number_a: int, number_b: int) -> None:
    """Leave out the rest of a step with events beyond all measure, and say so of the two that were next."""
    state = w.state[0]
    for m in range(state.movers):
        end_way(w, w.movers[m])
        halt(w, w.movers[m])
        have_wait(w.courses[w.movers[m]])
    state.events = 0
    number, other = (number_a, number_b) if w.bodies[number_a].kind == DYNAMIC else (number_b, number_a)
    tell(w, CUT, number, other, w.bodies[number].x, w.bodies[number].y)


@kernel
def play_impact(w: Tables, piles: Piles, part_a: int, part_b: int) -> None:
    """Play the impact of two parts that meet now, with those at the same instant; their bodies are to look around."""
    state, bodies, parts, contacts = w.state[0], w.bodies, w.parts, piles.instant
    known, graph = known_of(w, piles, part_a, part_b), piles.rows.graph
    count = gather_impacts(w, part_a, part_b, contacts)
    contact = contacts[0]
    if count == 0:
        return
    a, b = bodies[contact.a], bodies[contact.b]
    pressed = max(a.swift, b.swift) > 0.0
    presses = pressed and bounce_of(w, contact) == 0.0
    room = SPARE * skin_of(a, b) / state.length if presses else 0.0
    if are_lost(w, contact, parts[part_a].thin + parts[part_b].thin, known):
        w.courses[contact.a].met, w.courses[contact.b].met = LOST, LOST
        return
    if recedes_already(a, b, contact, room):
        play_receding(w, piles, part_a, part_b, known)
        return
    if has_joints(piles.rows) and halt_mechanisms(w, graph, contacts, count):
        for c in range(count):
            for k in range(contacts[c].count):
                contacts[c].receding[k] = receding_at(bodies[contacts[c].a], bodies[contacts[c].b], contacts[c], k)
    bounces = wake_and_prepare(w, piles, count)
    gathered = count
    count = count if bounces else join_past(w, contacts, count)
    for c in range(gathered, count):
        prepare(w, contacts[c])
        contacts[c].bounce = 0.0
    note_met(state, contacts, count)
    resolve(w, piles, count)
    for c in range(count):
        contact = contacts[c]
        pushed = contact.normal[0] > 0.0 or contact.normal[1] > 0.0 or c == 0
        if pushed:
            tell_impact(w, contact)
        for number, other in ((contact.a, contact.b), (contact.b, contact.a)):
            if bodies[number].kind == DYNAMIC and pushed:
                go_on(w, number, other, contact)
            elif bodies[number].kind == DYNAMIC:
                look_again(w, number)


@kernel
def play_receding(w: Tables, piles: Piles, part_a: int, part_b: int, known: int) -> None:
    """Have a pair go on that meets but does not close: a wedged pair settles, a side that another part covers is none.

    The pair is looked at again, later on. Where the two might pass each other, they are held, or their mechanisms go
    new ways.
    """
    state, bodies, parts, contact = w.state[0], w.bodies, w.parts, piles.instant[0]
    a, b = bodies[contact.a], bodies[contact.b]
    thin = parts[part_a].thin + parts[part_b].thin
    for number in (contact.a, contact.b):
        w.courses[number].met = max(w.courses[number].met, LET_ON)
    x, y, turns = a.way_x - b.way_x, a.way_y - b.way_y, abs(a.way_spin) * a.sweep + abs(b.way_spin) * b.sweep
    speed, rest, size = math.sqrt(x * x + y * y) + turns, state.length - state.now, min(a.half_width, b.half_width)
    depth = -contact.separation
    # They might come out on the other side. Two that spin, without width, may close though no point does now.
    deep = depth > REACH * skin_of(a, b) and depth + speed * rest > size
    passes, jointed = thin > 0 or deep, a.node + b.node > 0
    wait, least = meeting_time(w, part_a, part_b, rest, known, piles.work), LEAST_WAIT * state.length
    if passes and (wait < rest if jointed else keep_apart(w, piles)):
        for number, other in ((contact.a, contact.b), (contact.b, contact.a)):
            if bodies[number].kind == DYNAMIC:
                find_ways_anew(state, bodies[number], w.courses[number])
                go_on(w, number, other, contact)
        return
    if wait == 0.0:
        wait = max(DEEPEST * min(size / speed, rest), least)
    elif wait < least:
        for number, other in ((contact.a, contact.b), (contact.b, contact.a)):
            if bodies[number].kind == DYNAMIC:
                w.courses[number].spent += 1.0 / (LOOKS * MOST_TRIES)
                end_if_spent(w, number, other, contact)
    later = state.now + wait
    if later < state.length:
        foresee(w, IMPACT, part_a, part_b, later, -1)


@inner
def wake_and_prepare(w: Tables, piles: Piles, count: int) -> bool:
    """Wake the bodies of an impact, and write how its points recede and bounce; tell whether one of them bounces."""
    state, bodies = w.state[0], w.bodies
    bounces = False
    for c in range(count):
        contact = piles.instant[c]
        for number in (contact.a, contact.b):
            if bodies[number].asleep != 0:
                rouse(w, number)
                body = bodies[number]
                x, y, turn = own_pull(state, body)
                set_pull(body, x, y, turn)
                note_pull(w, number, x, y, state.length - state.now)
        prepare(w, contact)
        bounces = bounces or contact.bounce > 0.0
    return bounces


@inner
def are_lost(w: Tables, contact: Contact, thin: int, known: int) -> bool:
    """Tell whether two bodies that move are so deep in each other that either side may be the nearer one.

    Solved ones without width are as soon as they meet, where they are hit without end. Bodies that were put into each
    other are on their way out.
    """
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    if not (moves(a) and moves(b)) or are_parting(w, contact.a, contact.b):
        return False
    if thin != 0:
        return known == SOLVED_TOGETHER and are_stuck(w, contact.a, contact.b)
    return bool(contact.separation < (2.0 * DEEPEST - 1.0) * min(a.half_width, b.half_width))


@kernel
def go_on(w: Tables, number: int, other: int, contact: Contact) -> None:
    """Have a body that was hit look around; one that is hit too often is solved, and then held.

    An impact takes the more of what a body may have in a step the less it gives back: without gravity what is pressed
    is hit ever more often. Elastic ones are counted at one instant: a fast ball in a narrow gap is hit as often as it
    is.
    """
    state, course = w.state[0], w.courses[number]
    time, whole = state.before + state.now, state.before + state.length
    if w.bodies[other].kind == KINEMATIC and is_under_way(w.bodies[other]):
        course.presses += 1
    elif contact.friction == 0.0 and contact.bounce == 1.0:
        at_once = time - course.last_hit <= INSTANT * whole
        course.spent = course.spent + 1.0 / ELASTIC_IMPACTS if at_once else 0.0
    else:
        course.spent += max((1.0 - contact.bounce) ** 2 / MOST_TRIES, 1.0 / ELASTIC_IMPACTS)
    course.last_hit = time
    end_if_spent(w, number, other, contact)
    look_again(w, number)


@kernel
def end_if_spent(w: Tables, number: int, other: int, contact: Contact) -> None:
    """Have a body solved that has had so many impacts as it may in a step, and held after ten times as many."""
    state, course, a = w.state[0], w.courses[number], w.bodies[contact.a]
    if course.stuck == 0 and state.begun < MOST_TRIES and course.spent > 0.5**state.begun:
        solve_from_now(w)
    if course.spent > MOST_TRIES or course.presses > MOST_TRIES:
        hold(w, number, other, a.x + contact.ax[0], a.y + contact.ay[0])
        look_again(w, number)


@kernel
def solve_from_now(w: Tables) -> None:
    """Begin the rest of the step anew, with all that is hit too often, or half as often, among what is solved."""
    state = w.state[0]
    enough = 0.5 ** (state.begun + 1)
    for m in range(state.movers):
        body, course = w.bodies[w.movers[m]], w.courses[w.movers[m]]
        if body.kind == DYNAMIC and course.spent > enough:
            course.stuck = 1
            body.pile |= OF_PILE
    state.begun += 1
    state.phase = CHANGED


@kernel
def look_again(w: Tables, number: int) -> None:
    """Have a body look around on its new way, or stay if it is held; what was predicted for the old one is void."""
    if w.courses[number].stalled != 0:
        halt(w, number)
    w.courses[number].stamp += 1
    settle_parts(w, number, w.state[0].now)
    enqueue(w, number)


@inner
def find_ways_anew(state: State, body: Body, course: Course) -> None:
    """Have the mechanism of a body, if it is of one, go new ways from the present instant on, or wait as a whole."""
    if body.node != 0:
        course.due, state.due = 1, 1


@inner
def hold(w: Tables, number: int, other: int, x: float, y: float) -> None:
    """Have a kinematic body that drives another wait rather than crush; else leave that where it is until the end."""
    course, driver = w.courses[number], w.bodies[other]
    if driver.kind == KINEMATIC and is_under_way(driver):
        tell(w, CRUSHED, number, other, x, y)
        stop(driver)
        have_wait(w.courses[other])
        w.courses[other].stamp += 1
        if driver.joint != 0:
            w.courses[other].due, w.state[0].due = 1, 1  # what its joints lead waits or goes on without it
        enqueue(w, other)
        course.presses = 0
    elif course.spent > MOST_TRIES:
        if course.stalled == 0:
            tell(w, STALLED, number, number, x, y)
        have_wait(course)
        find_ways_anew(w.state[0], w.bodies[number], course)
