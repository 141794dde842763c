"""Sleep: islands in which nothing moves fall asleep together, and wake together.

In: bodies after a step, and the contacts that carried them. Out: who sleeps. A sleeping body has no velocity and no
way, and the solver takes it for something that cannot be moved, until a contact, an impact or the user wakes it; all
that fell asleep with it wake, too.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.bends import brakes_of
from carom.world.joints.rows import is_driving
from carom.world.joints.tables import WORLD, Graph
from carom.world.step.constants import (
    CREEPING,
    DROWSY,
    FEW,
    SETTLED,
    SETTLED_CALM,
    UNTIL_ASLEEP,
)
from carom.world.step.declared import Table
from carom.world.step.end.displacement import has_gap
from carom.world.step.notes import Notes
from carom.world.step.pairs.contacts import Contact, Contacts, is_near, moves, speed_at
from carom.world.step.piles import Piles
from carom.world.step.solve.islands import root_of, unite
from carom.world.step.tables import DYNAMIC, KINEMATIC, Body, Rest, Tables
from carom.world.step.ways.motion import has_way, note_pull, speed_beside
from carom.world.step.ways.setting_off import settle_parts
from carom.world.step.ways.writer import set_velocity, stop


@inner
def touches(a: Body, b: Body, contact: Contact) -> bool:
    """Tell whether two bodies sleep and wake together: they are near, or push each other.

    Nearness counts without a push, too, since an awake body wakes those that it is near to.
    """
    near = contact.time == 0.0 and is_near(a, b, contact.separation)
    return bool(near or contact.normal[0] > 0.0 or (contact.count == 2 and contact.normal[1] > 0.0))


@inner
def carries(a: Body, b: Body, contact: Contact, length: float) -> bool:
    """Tell whether a belt moves what lies on it: it goes along at half the belt's speed, or does more than creep.

    What another body keeps from that may fall asleep on a belt that slips under it.
    """
    along = -speed_at(a, b, contact, 0, -contact.ny, contact.nx)
    least = min(0.5 * abs(contact.belt), CREEPING * max(a.swift, b.swift) * length)
    return bool(contact.friction > 0.0 and (along if contact.belt > 0.0 else -along) > least)


@kernel
def fall_asleep(w: Tables, piles: Piles) -> None:
    """Put islands to sleep in which nothing has moved for long enough."""
    state, bodies, rests, solving = w.state[0], w.bodies, w.rests, piles.solving
    if state.sleepless != 0 or (state.solved == 0 and state.settling == 0 and piles.rows.graph.mechanisms[0] == 0):
        return  # nothing falls asleep but in a pile, or held by joints
    state.settling = state.solved
    join_islands(w, solving, piles.contacts, piles.counts[0])
    join_held(w, piles)
    for m in range(state.movers):
        body, rest = bodies[w.movers[m]], rests[w.movers[m]]
        if body.kind == DYNAMIC and body.asleep == 0:
            exact = solving[root_of(solving, w.movers[m])].points <= FEW
            brake = brakes_of(w, w.movers[m]) if body.node != 0 else 0.0
            wait_or_stir(body, rest, state.length, exact, brake)
            stay(body, rest, state.length, exact or body.node != 0)
    for c in range(piles.counts[0]):
        contact = piles.contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        if contact.belt != 0.0 and carries(a, b, contact, state.length):
            rests[contact.a].timer, rests[contact.b].timer = 0.0, 0.0
        if not moves(a) or not moves(b):
            driver, carried = (a, contact.b) if moves(b) else (b, contact.a)
            if has_way(driver):
                rests[carried].timer = 0.0
    keep_driven_awake(w, piles.rows.graph)
    for m in range(state.movers):
        number = w.movers[m]
        rest = rests[root_of(solving, number)]
        rest.timer = min(rest.timer, rests[number].timer)
    for m in range(state.movers):
        number = w.movers[m]
        root = root_of(solving, number)
        if moves(bodies[number]) and rests[root].timer >= UNTIL_ASLEEP:
            note_pull(w, number, bodies[number].vx, bodies[number].vy, -1.0)
            lay_down(bodies[number], rests, number, root)


@inner
def rests_or_hangs(body: Body) -> bool:
    """Tell whether something holds a body that may sleep: another, or a joint."""
    return bool((body.solved != 0 or body.node != 0) and body.sleepless == 0)


@inner
def wait_or_stir(body: Body, rest: Rest, length: float, exact: bool, brake: float) -> None:
    """Count the time for which a body has been slow; it begins anew where it is not.

    A body that hangs on a joint swings where it does not creep. Where all is solved exactly, one that changes its
    velocity is at the apex of its way, and not at rest. A motor that is to stop it counts as far as it may `brake`.
    """
    gain, half = (body.swift + brake) * length, 0.5 * UNTIL_ASLEEP
    quick = speed_beside(body, 0.0, 0.0, 0.0) > (DROWSY if body.node == 0 else CREEPING) * gain
    change = speed_beside(body, rest.stood_vx, rest.stood_vy, rest.stood_spin)
    turns = exact and rest.timer >= half and change > SETTLED_CALM * SETTLED * gain
    if quick or turns or not rests_or_hangs(body):
        rest.timer = 0.0
        return
    # A belt or a kinematic body has held it at 0; the speed that this has left it is gone within half the time.
    if rest.timer < half <= rest.timer + length:
        rest.stood_vx, rest.stood_vy, rest.stood_spin = body.vx, body.vy, body.spin
    rest.timer += length


@inner
def stay(body: Body, rest: Rest, length: float, exact: bool) -> None:
    """Count the time for which a body has stayed in place, to and fro; after long enough it has waited, too, once slow.

    Nothing brakes what swings on a pin without friction, or rocks on a round stone: it would for ever.
    """
    gain, least = body.swift * length, 4.0 * UNTIL_ASLEEP
    away, speed = way_from(body, rest.home_x, rest.home_y, rest.home_angle), speed_beside(body, 0.0, 0.0, 0.0)
    # On average it is as slow as what creeps, to and fro, or in a heap as what may fall asleep.
    gone = away > 0.5 * CREEPING * gain * least or speed > DROWSY * gain if exact else away > DROWSY * gain * least
    if gone or not rests_or_hangs(body):
        rest.home_x, rest.home_y, rest.home_angle = body.x, body.y, body.angle
        rest.stayed, rest.settled = 0.0, 0
        return
    rest.stayed += length
    if rest.stayed >= least and speed <= CREEPING * gain:
        rest.settled = 1  # it has turned back
    if rest.settled != 0:
        rest.timer = max(rest.timer, UNTIL_ASLEEP)


@inner
def way_from(body: Body, x: float, y: float, angle: float) -> float:
    """Return how far a body's points are at most from where they were in another place."""
    return float(abs(body.x - x) + abs(body.y - y) + abs(body.angle - angle) * body.sweep)


@kernel
def join_islands(w: Tables, solving: Notes, contacts: Contacts, count: int) -> None:
    """Find the islands of bodies that touch, and of how many points each is."""
    bodies = w.bodies
    for m in range(w.state[0].movers):
        solving[w.movers[m]].root, solving[w.movers[m]].points = w.movers[m], 0
    for c in range(count):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        if contact.name >= 0 and moves(a) and moves(b) and touches(a, b, contact):
            unite(solving, contact.a, contact.b)
    for c in range(count):
        moved = contacts[c].a if moves(bodies[contacts[c].a]) else contacts[c].b
        solving[root_of(solving, moved)].points += contacts[c].count


@kernel
@left_out(None)
def join_held(w: Tables, piles: Piles) -> None:
    """Join the bodies of each mechanism."""
    graph = piles.rows.graph
    for m in range(graph.mechanisms[0]):
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0:
                unite(piles.solving, graph.node[graph.starts[m]], graph.node[p])


@kernel
@left_out(None)
def keep_driven_awake(w: Tables, graph: Graph) -> None:
    """Keep mechanisms awake that gape, that a motor turns, or a body that is on its way."""
    for m in range(graph.mechanisms[0]):
        driven = has_gap(w.joints.table, graph, m)
        for p in range(graph.starts[m], graph.starts[m + 1]):
            number = graph.node[p]
            if number < WORLD:
                joint = w.joints.table[WORLD - 1 - number]
                driven = driven or is_driving(joint)
            elif number >= 0 and w.bodies[number].kind == KINEMATIC:
                body = w.bodies[number]
                driven = driven or body.vx != 0.0 or body.vy != 0.0 or body.spin != 0.0  # though it may wait
        for p in range(graph.starts[m], graph.middle[m] if driven else graph.starts[m]):
            if graph.node[p] >= 0:
                w.rests[graph.node[p]].timer = 0.0


@inner
def lay_down(body: Body, rests: Table[Rest], number: int, root: int) -> None:
    """Put a body to sleep where it is, in the ring of those that fall asleep with the body `root`."""
    stop(body)
    set_velocity(body, 0.0, 0.0, 0.0)
    body.asleep, rests[number].ring = 1, number
    if number != root:
        rests[number].ring = rests[root].ring
        rests[root].ring = number


@kernel
def put_to_sleep(w: Tables, solving: Notes, contacts: Contacts, count: int, number: int) -> int:
    """Put the island of a body to sleep between steps, whatever its velocity, by the contacts of the last one.

    Returns -1; or a body of it that is told not to sleep, and then nothing is changed.
    """
    bodies, rests, total = w.bodies, w.rests, w.state[0].bodies
    for k in range(total):
        solving[k].root = k
    join_islands(w, solving, contacts, count)
    root = root_of(solving, number)
    for k in range(total):
        if moves(bodies[k]) and root_of(solving, k) == root and bodies[k].sleepless != 0:
            return k
    for k in range(total):
        if moves(bodies[k]) and root_of(solving, k) == root:
            # One that is new has no list of neighbours yet, and is in none.
            settle_parts(w, k, 0.0)
            lay_down(bodies[k], rests, k, root)
    return -1
