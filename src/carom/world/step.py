"""The step: all motion of a world through a length of time, event by event, as a list of stages in one kernel call.

In: the tables of a world. Out: the same tables at the end of the step, or at an instant within it: where the caller
asked to pause, or where a table is too short. Called again, it goes on as if it had never stopped.

Everything moves along straight lines. Each body looks around for what it will meet; the earliest event that still
holds is taken, with all that happens at the same instant; only the bodies it concerns are moved there, solved, and look
around again. At the end everything moves the rest of the way.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import MOST_EVENTS, RATTLES
from carom.world.impacts import resolve
from carom.world.integrate import bring, go_along, set_chord
from carom.world.island_solve import huddle
from carom.world.predict import look_around
from carom.world.report import note
from carom.world.rotation import turn_body
from carom.world.simultaneous import enqueue, gather
from carom.world.tables import BETWEEN, CUT, DYNAMIC, KINEMATIC, NEW, STATIC, WITHIN, Record, Table, Tables

AWAKE = 1  # of the body whose name a huddle has: one of those who sleep together is awake
HITS_FOR_CONTACT = 6  # more than one contact can lead to: a hit, two stalled bodies, a crush; or a sensor crossed

DONE, PAUSED, MORE_EVENTS, MORE_CONTACTS, MORE_HITS, MORE_INSIDE = 0, 1, 2, 3, 4, 5


@kernel
def play(w: Tables, general: Floats | None) -> int:
    """Play the step on to its end, or to the next reason to stop; return which. `general`: see `meeting.meet`."""
    state, bodies, parts, buffer, cells, levels = w.state[0], w.bodies, w.parts, w.buffer, w.cells, w.levels
    events, heap, queue, movers = w.events, w.heap, w.queue, w.movers
    near, lists, workspace = w.near, w.lists, w.workspace
    contacts, hits, inside, rules = w.contacts, w.hits, w.inside, w.rules
    fresh = state.phase == BETWEEN
    if state.phase != WITHIN:
        begin(state, bodies, queue, movers, fresh)
    state.phase = WITHIN
    if fresh:
        state.told = 0
        if has_news(state):
            return PAUSED  # for what is told at the very start
    while True:
        if hits.shape[0] - state.hits < HITS_FOR_CONTACT * contacts.shape[0]:
            return MORE_HITS
        if 2 * (state.inside + contacts.shape[0]) > inside.shape[0]:
            return MORE_INSIDE
        if state.rattling != 0 and not huddle(
            state, bodies, parts, buffer, cells, levels, near, lists, contacts, hits, queue, movers, rules
        ):
            return MORE_CONTACTS
        while state.queue > 0:
            state.queue -= 1
            body = queue[state.queue]
            # It is looking, no longer waiting to look.
            bodies[body].queued = 0
            room = look_around(
                state,
                bodies,
                parts,
                buffer,
                cells,
                levels,
                events,
                heap,
                near,
                lists,
                inside,
                workspace,
                rules,
                w.beside,
                general,
                body,
            )
            if not room:
                enqueue(state, bodies, queue, body)
                return MORE_EVENTS
        if state.contacts == contacts.shape[0]:
            return MORE_CONTACTS
        if has_news(state):
            return PAUSED  # for what waits in a huddle
        first = gather(state, bodies, parts, buffer, events, heap, queue, contacts, hits, inside)
        if first < 0:
            break
        resolve(state, bodies, parts, buffer, queue, contacts, hits, rules, near, first)
        state.played += 1
        if state.played > MOST_EVENTS + 1000 * state.bodies:
            cut_short(state, bodies, movers, parts, buffer, hits)
            break
        if has_news(state):
            return PAUSED
    finish(state, bodies, movers, parts, buffer)
    return DONE


@inner
def has_news(state: Record) -> bool:
    """Tell whether the step is to pause for something that happened after the last pause, and note that it did."""
    news = state.pauses != 0 and state.hits > state.told
    if news:
        state.told = state.hits
    return bool(news)


@kernel
def begin(state: Record, bodies: Table, queue: Integers, movers: Integers, fresh: bool) -> None:
    """Aim every body, if the step is a fresh one; those that move are to look around, at what is predicted anew."""
    for k in range(state.queue):
        bodies[queue[k]].queued = 0
    state.events, state.contacts, state.dead, state.queue, state.driven, state.crowd = 0, 0, 0, 0, 0, 0
    state.lightest, state.heaviest, state.rattling = 0.0, math.inf, 0
    if fresh:
        state.now, state.played = 0.0, 0
        if state.still != 0:
            return
    if state.listed == 0:
        list_movers(state, bodies, queue, movers)
    if fresh:
        wake(state, bodies, movers)
    for k in range(state.movers):
        number = movers[k]
        body = bodies[number]
        if body.kind < KINEMATIC:
            continue
        if fresh:
            aim(state, body)
        # What stands still is found by the others where it is, at any time.
        body.horizon = state.length
        if body.moved == NEW or body.way_x != 0.0 or body.way_y != 0.0 or body.turn != 0.0:
            enqueue(state, bodies, queue, number)


@kernel
def list_movers(state: Record, bodies: Table, queue: Integers, movers: Integers) -> None:
    """List the bodies that may move, after some were put in; new static ones are to look around once."""
    state.movers, state.listed = 0, 1
    for number in range(state.bodies):
        body = bodies[number]
        if body.kind >= KINEMATIC:
            movers[state.movers] = number
            state.movers += 1
        elif body.kind == STATIC and body.moved == NEW:
            enqueue(state, bodies, queue, number)


@inner
def aim(state: Record, body: Record) -> None:
    """Set a body on its course at the start of a step."""
    body.own_time, body.last_time = 0.0, -state.length
    body.idle, body.jams, body.presses, body.stopped = 0, 0, 0, 0
    body.moved = NEW if body.moved == NEW else 0
    body.pull_x, body.pull_y = 0.0, 0.0
    if body.kind == KINEMATIC:
        body.vx, body.vy, body.turn = body.drive_x, body.drive_y, body.spin
    elif body.asleep == 0:
        # Who huddled does so again at once, where more than one thing holds it.
        body.rattles = RATTLES - 2 if body.huddled != 0 else 0
        if body.huddled != 0:
            body.team = 0
        body.huddled, body.huddle = 0, 0
        body.pull_x, body.pull_y = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
        body.held = 0
    else:
        body.huddled = min(body.huddled, 1)
    set_chord(state, body)


@inner
def wake(state: Record, bodies: Table, movers: Integers) -> None:
    """Wake those that sleep on something that is awake or moves, those that sleep on them, or huddle with them."""
    woken = True
    while woken:
        woken = False
        for m in range(state.movers):
            body = bodies[movers[m]]
            if body.asleep == 0:
                if body.huddled != 0 and body.huddle != 0:
                    bodies[body.huddle - 1].joined = AWAKE
                continue
            if body.huddle != 0 and bodies[body.huddle - 1].joined == AWAKE:
                body.asleep = 0
                woken = True
            for k in range(body.held):
                other = bodies[body.supporter[k]]
                drives = other.drive_x != 0.0 or other.drive_y != 0.0 or other.spin != 0.0
                if (other.kind == KINEMATIC and drives) or (other.kind == DYNAMIC and other.asleep == 0):
                    body.asleep = 0
                    woken = True
            if body.asleep == 0 and body.huddle != 0:
                bodies[body.huddle - 1].joined = AWAKE
    for m in range(state.movers):
        if bodies[movers[m]].huddle != 0:
            bodies[bodies[movers[m]].huddle - 1].joined = 0


@kernel
def cut_short(state: Record, bodies: Table, movers: Integers, parts: Table, buffer: Floats, hits: Table) -> None:
    """Leave out the rest of a step with events beyond all measure, and say so."""
    note(state, hits, CUT, -1, -1, 0.0, 0.0, 0.0, 0.0)
    for k in range(state.movers):
        body = bodies[movers[k]]
        if body.kind >= KINEMATIC:
            bring(state, body, parts, buffer)
            body.way_x, body.way_y, body.pull_x, body.pull_y, body.turn = 0.0, 0.0, 0.0, 0.0, 0.0


@kernel
def finish(state: Record, bodies: Table, movers: Integers, parts: Table, buffer: Floats) -> None:
    """Move everything the rest of the way; what has not moved and is held goes to sleep."""
    state.now, state.phase = state.length, BETWEEN
    if state.still != 0:
        return
    state.still = 1
    for k in range(state.movers):
        body = bodies[movers[k]]
        if body.kind < KINEMATIC:
            continue
        rest = state.length - body.own_time
        if body.turn != 0.0:
            turn_body(body, parts, buffer, rest)
        elif body.way_x != 0.0 or body.way_y != 0.0:
            go_along(body, body.way_x * rest, body.way_y * rest, parts, buffer)
        body.vx += body.pull_x * rest
        body.vy += body.pull_y * rest
        moves = body.moved != 0 or body.vx != 0.0 or body.vy != 0.0
        if body.kind == KINEMATIC:
            moves = moves or body.drive_x != 0.0 or body.drive_y != 0.0 or body.spin != 0.0
        elif not moves and body.pull_x == 0.0 and body.pull_y == 0.0:
            body.asleep = 1 if body.held > 0 and body.stopped == 0 else 0
            if body.huddled != 0:
                body.team = 0
            moves = body.stopped != 0  # it is tried again in the next step
        else:
            moves = True
        if moves:
            state.still = 0
