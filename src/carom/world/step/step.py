"""The step: bodies on their ways, piles solved, free bodies played, what is too deep opened, what rests put to sleep.

In: the tables of a world and those of its piles. Out: the same at the end of the step, or at an instant within it:
where the caller asked to pause, or where a table is too short. Called again, it goes on there. After a change at a
pause, what is left of the step is begun as a step of its own.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.joints.forces import forget_given, note_given, tell_forces
from carom.world.joints.instant import halt_flights
from carom.world.step.end.displacement import narrow_gaps
from carom.world.step.end.projection import open_gaps
from carom.world.step.end.sleep import fall_asleep
from carom.world.step.end.waits import tell_waiting
from carom.world.step.end.wedged import take_back, take_lost_back
from carom.world.step.pairs.blows import end_blows, note_left, note_pulls
from carom.world.step.pairs.contacts import Contact, moves
from carom.world.step.pairs.listing import list_contacts
from carom.world.step.pairs.names import name_contacts, slot_of_name
from carom.world.step.piles import Piles
from carom.world.step.play.crossings import cross_displaced
from carom.world.step.play.events import (
    DONE,
    FLY,
    LINK,
    LOOK_UP,
    MORE_CONTACTS,
    MORE_EVENTS,
    MORE_HITS,
    REGROUP,
    SOLVE,
    UNEQUAL_WAIT,
    announce,
    play_events,
)
from carom.world.step.play.predict import enqueue, is_under_way
from carom.world.step.rounds import send_off, solve_piles
from carom.world.step.tables import (
    AIMED,
    BETWEEN,
    CHANGED,
    DYNAMIC,
    GONE,
    KINEMATIC,
    LET_ON,
    MET,
    NEW,
    OF_PILE,
    OPEN,
    PUSHED,
    READY,
    STATIC,
    TOUCH,
    WITHIN,
    Bodies,
    State,
    Tables,
)
from carom.world.step.ways.motion import end_on_targets, end_way, note_start
from carom.world.step.ways.portions import begin_portion
from carom.world.step.ways.setting_off import rouse_to_set_off, set_off, settle_parts


@kernel
def play_step(w: Tables, piles: Piles, shared: bool) -> int:
    """Play the step on to its end, or to a reason to stop; return which. Called again, it goes on there.

    If `shared`, SOLVE asks the caller to solve islands by several threads; UNEQUAL_WAIT always to call `solve_unequal`.
    """
    state = w.state[0]
    while True:
        status = play_portion(w, piles, shared)
        if status != DONE:
            return status
        told = state.bodies if state.phase == CHANGED else state.drivers
        told += state.drivers + state.inside + 2 * state.joints
        if w.hits.shape[0] - state.hits < told or w.hits.shape[0] - state.blows < piles.counts[0]:
            return MORE_HITS
        finish(w, piles)
        state.phase = BETWEEN
        if state.later == 0.0:
            state.clock, state.steps = state.clock + state.whole, state.steps + 1
            tell_waiting(w, piles.rows.graph)
            return DONE
        begin_portion(w)
        return interrupt(state, LOOK_UP)


@kernel
def play_portion(w: Tables, piles: Piles, shared: bool) -> int:
    """Play a portion of the step on to its last event, or to a reason to stop; return which."""
    state = w.state[0]
    while True:
        if state.phase == CHANGED:
            if state.now >= state.length:
                # Nothing is left to begin anew; what is too deep is opened as the joints there are hold it.
                return LINK if state.linked == 0 and state.joints > 0 else DONE
            if w.hits.shape[0] - state.blows < piles.counts[0]:
                return MORE_HITS
            break_off(w, piles)
        status = DONE if state.phase == WITHIN else begin(w, piles, shared)
        if status == DONE:
            state.phase = WITHIN
            status = play_events(w, piles)
        if status != REGROUP:
            return status


@kernel
def open_step(w: Tables, length: float) -> None:
    """Begin a step of some length, in which nothing has happened yet; damped bodies lose their share of velocity."""
    state = w.state[0]
    state.hits, state.told, state.blows, state.booked = 0, 0, 0, 1
    forget_given(w)
    state.whole, state.later, state.aimed = length, length, 0
    begin_portion(w)


@kernel
def begin(w: Tables, piles: Piles, shared: bool) -> int:
    """Send all bodies on their ways, those of piles as the solver says; a table too short leaves all as it was."""
    state = w.state[0]
    if state.phase in (BETWEEN, OPEN):
        state.phase = BETWEEN
        if state.aimed == 0:
            if state.linked == 0 and state.joints > 0:
                return interrupt(state, LINK)
            aim_all(w)
            state.aimed = AIMED
        if state.aimed == AIMED:
            count = list_awake(w, piles)
            if count < 0:
                return give_up(state, piles, MORE_CONTACTS) if count == -1 else interrupt(state, FLY)
            piles.counts[0], state.rounds, state.quick, state.aimed = count, 0, 1, READY
    status = solve_piles(w, piles, shared)
    if status in (FLY, LOOK_UP):
        return interrupt(state, status)
    if status in (SOLVE, UNEQUAL_WAIT):
        return status
    if status == REGROUP:
        return give_up(state, piles, REGROUP)
    if status != DONE or piles.counts[0] + piles.counts[1] > piles.old.shape[0]:
        return give_up(state, piles, MORE_CONTACTS)
    if not announce(w, piles):
        return give_up(state, piles, MORE_EVENTS)
    send_off(w, piles)
    note_pulls(w)
    for m in range(state.movers):
        body = w.bodies[w.movers[m]]
        if is_under_way(body) or body.moved == NEW or w.rests[w.movers[m]].displaced != 0:
            enqueue(w, w.movers[m])
            w.rests[w.movers[m]].displaced = 0
    state.aimed = 0
    return DONE


@kernel
def list_awake(w: Tables, piles: Piles) -> int:
    """List contacts, and wake whom they wake; return how many, -1 if the table is too short.

    -2 where velocities in mechanisms were set, which are to be handed on first.
    """
    state, count = w.state[0], -2
    while count <= -2:
        if state.due >= PUSHED:
            return -2
        count = 0
        if state.slow != 0:
            count = list_contacts(w, piles)
        if count <= -2:
            rouse_to_set_off(w, -2 - count)
    return count


@inner
def interrupt(state: State, status: int) -> int:
    """Have the caller do something before the step goes on where it is; return what."""
    state.phase = OPEN
    return status


@inner
def give_up(state: State, piles: Piles, status: int) -> int:
    """Have the portion begun once more, when its tables are longer; return the reason.

    The step goes on even if the caller is interrupted meanwhile.
    """
    state.listed, state.phase, state.aimed, piles.counts[0] = 0, OPEN, 0, 0
    return status


@kernel
def aim_all(w: Tables) -> None:
    """Send all bodies on the ways that they would take with nothing around."""
    state, bodies = w.state[0], w.bodies
    for k in range(state.queue):
        w.courses[w.queue[k]].queued = 0
    state.now, state.events, state.queue, state.solved, state.slow, state.struck = 0.0, 0, 0, 0, 0, 0
    if state.listed == 0:
        list_movers(w)
    for m in range(state.movers):
        number = w.movers[m]
        body = bodies[number]
        if state.before == state.begins:
            note_start(w, number)
        body.own_time, w.courses[number].since, body.horizon = 0.0, 0.0, state.length
        if body.kind == KINEMATIC or body.asleep == 0:
            body.moved = NEW if body.moved == NEW else 0
            set_off(w, number)
        if body.swift > 0.0 or body.pile != 0:
            state.slow = 1


@kernel
def list_movers(w: Tables) -> None:
    """List the bodies that may move, after some were put in; new static ones are to look around once."""
    state, bodies = w.state[0], w.bodies
    state.movers, state.drivers, state.listed = 0, 0, 1
    for number in range(state.bodies):
        body = bodies[number]
        if body.kind >= KINEMATIC:
            w.movers[state.movers] = number
            state.movers += 1
            state.drivers += 1 if body.kind == KINEMATIC else 0
        elif body.kind == STATIC and body.moved == NEW:
            settle_parts(w, number, 0.0)
            enqueue(w, number)


@kernel
def break_off(w: Tables, piles: Piles) -> None:
    """End the step so far at the present instant, after a change; what is left of it is to begin anew."""
    state = w.state[0]
    note_left(w, piles)
    for k in range(state.events):
        event = w.events[w.heap[k]]
        if event.what == TOUCH:
            piles.contacts[event.contact].name = -1  # it is to be told yet
    halt_flights(w, piles.rows.graph)
    for m in range(state.movers):
        end_way(w, w.movers[m])
        if w.bodies[w.movers[m]].pile & OF_PILE != 0:
            # What a pile has not opened by now is opened at the end, whoever is in it.
            w.courses[w.movers[m]].met = max(w.courses[w.movers[m]].met, LET_ON)
    end_regimes(w, piles)
    state.solved = 0
    state.before += state.now
    state.length -= state.now
    state.now, state.phase, state.aimed = 0.0, BETWEEN, 0


@kernel
def end_changed(w: Tables, piles: Piles) -> None:
    """End a step that was changed at its last instant, and open what its piles have left too deep."""
    break_off(w, piles)
    end_on_targets(w, True)
    members = 0
    for number in range(w.state[0].bodies):
        w.bodies[number].own_time = 0.0
        if w.bodies[number].kind != GONE and w.bodies[number].moved == NEW:
            settle_parts(w, number, 0.0)
        if may_be_deep(w, number):
            piles.solved[members] = number
            members += 1
    open_up(w, piles, members)


@kernel
def finish(w: Tables, piles: Piles) -> None:
    """Move everything to the end of the step, open what is too deep, and put islands to sleep."""
    state = w.state[0]
    if state.phase == CHANGED:
        end_changed(w, piles)
        if state.linked != 0 and piles.rows.graph.mechanisms[0] > 0 and state.later == 0.0:
            tell_forces(w, piles.rows.graph)
        return
    state.now = state.length
    end_blows(w, piles)
    members = state.solved
    for m in range(piles.rows.graph.mechanisms[0]):
        note_given(w, piles.rows.graph, m, state.now)
    for m in range(state.movers):
        end_way(w, w.movers[m])
    end_on_targets(w, True)
    narrow_gaps(w, piles.rows.graph, piles.work)
    for m in range(state.movers):
        number = w.movers[m]
        if w.bodies[number].pile & OF_PILE == 0 and may_be_deep(w, number):
            piles.solved[members] = number
            members += 1
    open_up(w, piles, members)
    if piles.rows.graph.mechanisms[0] > 0 and state.later == 0.0:
        tell_forces(w, piles.rows.graph)
    fall_asleep(w, piles)
    end_regimes(w, piles)


@inner
def may_be_deep(w: Tables, number: int) -> bool:
    """Tell whether a body that is of no pile has to be looked at, at the end of a step.

    A single body that met another may be in its skin: it came to rest there, rose and fell back, or turned; in short
    steps it goes on there without another impact.
    """
    body = w.bodies[number]
    looks = w.courses[number].met >= (MET if body.swift > 0.0 else LET_ON)
    looks = looks or (body.swift > 0.0 and w.rests[number].near != 0)
    return bool(moves(body) and (looks or body.parting != 0))


@kernel
def open_up(w: Tables, piles: Piles, members: int) -> None:
    """Open what is too deep around the first so many bodies of `solved`, or take it back."""
    members = take_lost_back(w, piles, members)
    rough = False
    for k in range(w.state[0].solved):
        rough = rough or piles.solving[piles.solved[k]].violent != 0
    deep = open_gaps(w, piles, members, rough)
    if deep > 0:
        take_back(w, piles, deep)
    cross_displaced(w)


@kernel
def end_regimes(w: Tables, piles: Piles) -> None:
    """Note which bodies were of a pile, and keep the contacts for the next step, those of sleeping bodies, too."""
    bodies, state = w.bodies, w.state[0]
    for m in range(state.movers):
        body = bodies[w.movers[m]]
        body.pile = (body.pile & OF_PILE) << 1 if body.swift > 0.0 or state.phase == CHANGED else 0
        w.courses[w.movers[m]].jumps, w.courses[w.movers[m]].left = 0, 0.0
    old, before, kept = piles.old, piles.counts[1], 0
    for c in range(before):
        if old[c].name < 0:
            continue  # one of the two was removed
        anew = piles.names[slot_of_name(piles.names, piles.contacts, old[c].name)] >= 0
        if not anew and sleeps_on(bodies, old[c]):
            old[kept] = old[c]
            kept += 1
    for c in range(piles.counts[0]):
        contact = piles.contacts[c]
        if contact.name >= 0 and kept < old.shape[0]:
            old[kept] = contact
            kept += 1
    name_contacts(piles.old_names, old, 0, kept)
    piles.counts[0], piles.counts[1] = 0, kept


@kernel
def sleeps_on(bodies: Bodies, contact: Contact) -> bool:
    """Tell whether a contact of earlier steps still holds, since nobody in it moves."""
    a, b = bodies[contact.a], bodies[contact.b]
    if a.kind == GONE or b.kind == GONE or (a.asleep == 0 and b.asleep == 0):
        return False
    return bool((a.kind != DYNAMIC or a.asleep != 0) and (b.kind != DYNAMIC or b.asleep != 0))
