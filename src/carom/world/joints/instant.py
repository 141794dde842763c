"""Mechanisms at one instant: brought there before an impact, and let go after it.

In: bodies that meet now. Out: all bodies that their joints connect with them, at this instant, with velocities that the
joints allow, and the factors with which impulses are handed on; after the impact the velocities that it gives to all of
them. Their ways from here on are found before anything else is played (`flight`).
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.energies import begins_within, note_speeds, scale_to, work_of_closing
from carom.world.joints.forces import leave_pile, note_blow, note_given
from carom.world.joints.mechanism import factor_rigid, forget_late, load, project, stay
from carom.world.joints.rows import set_start
from carom.world.joints.tables import Graph
from carom.world.step.pairs.contacts import Contacts
from carom.world.step.play.impulses import energy_of
from carom.world.step.tables import Body, Tables
from carom.world.step.ways.motion import end_way
from carom.world.step.ways.writer import set_velocity

MEAN = 1e-9
"""Share of a velocity by which a mean of two is the same."""


@inner
def mechanism_of(w: Tables, graph: Graph, number: int) -> int:
    """Return the mechanism of a body; -1 if it is of none."""
    node = w.bodies[number].node
    return int(graph.mechanism[node - 1]) if node != 0 else -1


@kernel
def factor_where_it_is(w: Tables, graph: Graph, m: int) -> None:
    """Measure the joints of a mechanism as it stands, and write the factors with which its rigid ones hold there."""
    load(w, graph, m, 0.0)
    stay(graph, m)
    factor_rigid(w.joints.table, graph, m)


@kernel
@left_out(False)
def halt_mechanisms(w: Tables, graph: Graph, contacts: Contacts, count: int) -> bool:
    """Bring the mechanisms of bodies in some contacts to the present instant; tell whether there are any."""
    found = False
    for c in range(count):
        for side in range(2):
            m = mechanism_of(w, graph, contacts[c].a if side == 0 else contacts[c].b)
            if m < 0:
                continue
            found = True
            if graph.lead[m] == -2:
                continue
            graph.lead[m] = -2
            flies, energy = energy_on_way(w, graph, m)
            halt_mechanism(w, graph, m, flies, energy)
    for c in range(count if found else 0):
        for side in range(2):
            m = mechanism_of(w, graph, contacts[c].a if side == 0 else contacts[c].b)
            if m >= 0:
                graph.lead[m] = -1
    return found


@kernel
def halt_mechanism(w: Tables, graph: Graph, m: int, flies: bool, energy: float) -> None:
    """Bring a mechanism to the present instant, with velocities that its joints allow there, and if it flies an energy.

    That is twice its kinetic energy where it is on its way.
    """
    note_given(w, graph, m, w.state[0].now)
    for p in range(graph.starts[m], graph.starts[m + 1]):
        if graph.node[p] >= 0:
            leave_pile(w, graph.node[p])
            end_way(w, graph.node[p])
    gape = load(w, graph, m, 0.0)
    energy += work_of_closing(w, graph, m, gape)
    factor_where_it_is(w, graph, m)
    forget_late(w.joints.table, graph, m)
    project(w.joints.table, graph, m, graph.speed)
    if flies:
        note_speeds(w, graph, m, -1.0, False)
        scale_to(graph, m, energy)
        note_speeds(w, graph, m, 1.0, False)
    hand_on(w, graph, m, 0)


@kernel
@left_out(None)
def halt_flights(w: Tables, graph: Graph) -> None:
    """Bring the mechanisms that fly to the present instant, at which the portion ends; others are where ways lead.

    One of which a velocity was set there hands that on later.
    """
    for m in range(graph.mechanisms[0]):
        changed = w.state[0].linked == 0
        for p in range(graph.starts[m], graph.middle[m]):
            number = graph.node[p]
            changed = changed or (number >= 0 and (w.courses[number].due != 0 or w.bodies[number].asleep != 0))
        flies, energy = (False, 0.0) if changed else energy_on_way(w, graph, m)
        if flies:
            halt_mechanism(w, graph, m, flies, energy)
            note_blow(w.joints.table, graph, m)
        elif w.state[0].linked != 0:
            note_given(w, graph, m, w.state[0].now)


@kernel
def energy_on_way(w: Tables, graph: Graph, m: int) -> tuple[bool, float]:
    """Tell whether a mechanism flies, and twice the kinetic energy that it has now, on its way.

    On its chord gravity does even work. Its velocities there are not those that the joints allow, which are slower.
    """
    state, before, after, begun, flies = w.state[0], 0.0, 0.0, 0.0, True
    gape = load(w, graph, m, 0.0)
    for p in range(graph.starts[m], graph.middle[m]):
        number = graph.node[p]
        if number < 0:
            continue
        body, since = w.bodies[number], w.courses[number].since
        begun, past = max(begun, since), body.own_time - since
        flies = flies and w.courses[number].stalled == 0
        flies = flies and (body.solved == 0 or is_on_chord(body, state.length - since))
        x, y, angle = body.x - past * body.way_x, body.y - past * body.way_y, body.angle - past * body.way_spin
        set_start(graph.pose, p, x, y, angle)
        rest = state.length - since
        x, y, spin = body.vx + rest * body.pull_x, body.vy + rest * body.pull_y, body.spin + rest * body.pull_spin
        before += energy_of(body, body.vx, body.vy, body.spin)
        after += energy_of(body, x, y, spin)
    if flies and begins_within(w, begun):
        before -= work_of_closing(w, graph, m, gape)
    share = (state.now - begun) / (state.length - begun) if state.length > begun else 0.0
    return flies, before + share * (after - before)


@inner
def is_on_chord(body: Body, rest: float) -> bool:
    """Tell whether a body that was solved goes as in flight, with the mean of the velocities at both ends."""
    x, y = body.vx + 0.5 * rest * body.pull_x, body.vy + 0.5 * rest * body.pull_y
    turn = body.spin + 0.5 * rest * body.pull_spin
    beside = abs(body.way_x - x) + abs(body.way_y - y) + abs(body.way_spin - turn) * body.sweep
    return bool(beside <= MEAN * (abs(x) + abs(y) + abs(turn) * body.sweep))


@kernel
def hand_on(w: Tables, graph: Graph, m: int, due: int) -> None:
    """Give a mechanism the velocities of the graph; if `due`, its ways are to be found anew."""
    for p in range(graph.starts[m], graph.middle[m]):
        number = graph.node[p]
        if number >= 0 and w.bodies[number].asleep == 0:
            body = w.bodies[number]
            set_velocity(body, graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2])
            w.courses[number].due = max(w.courses[number].due, due)
            w.state[0].due = max(w.state[0].due, due)


@kernel
@left_out(None)
def release_mechanisms(w: Tables, graph: Graph, contacts: Contacts, count: int) -> None:
    """Hand on what an impact has given to some bodies to all that their joints connect with them."""
    for c in range(count):
        for side in range(2):
            m = mechanism_of(w, graph, contacts[c].a if side == 0 else contacts[c].b)
            if m < 0:
                continue
            for p in range(graph.starts[m], graph.middle[m]):
                if graph.node[p] >= 0:
                    body = w.bodies[graph.node[p]]
                    graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2] = body.vx, body.vy, body.spin
            project(w.joints.table, graph, m, graph.speed)
            note_blow(w.joints.table, graph, m)
            hand_on(w, graph, m, 1)
