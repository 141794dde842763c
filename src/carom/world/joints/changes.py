"""Mechanisms that were changed from outside: a body was put in, pushed or driven otherwise, a joint was set.

In: marks on bodies whose velocity was set, or that of one that drives them, before a step begins. Out: velocities of
their mechanisms that the joints allow.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.joints.energies import begins_within
from carom.world.joints.forces import note_blow
from carom.world.joints.mechanism import factor_rigid, forget_late, load, note_gaps, project
from carom.world.joints.tables import Graph
from carom.world.step.tables import PLACED, PUSHED, Tables
from carom.world.step.ways.setting_off import set_off
from carom.world.step.ways.writer import set_velocity

GAPES = 1e4
"""Times the gap that joints may have of which on they gape: ways close what is less."""


@kernel
def take_up_changes(w: Tables, graph: Graph) -> None:
    """Hand a change of some velocities on to whole mechanisms, as an impact, and send their bodies off anew.

    A way is the mean of the velocities at both ends: velocities that the joints do not allow would change their signs
    in each step, without end. What joints gape by, no way closes, but for the sagitta of the ways that a pause ends.
    """
    state = w.state[0]
    state.due = 0
    for m in range(graph.mechanisms[0]):
        due = 0
        for p in range(graph.starts[m], graph.starts[m + 1]):
            due = max(due, w.courses[graph.node[p]].due if graph.node[p] >= 0 else 0)
        if due < PUSHED:
            continue
        gape = load(w, graph, m, 0.0)
        if due == PLACED or not begins_within(w, 0.0):
            note_gaps(w.joints.table, graph, m, GAPES * gape)
        factor_rigid(w.joints.table, graph, m)
        forget_late(w.joints.table, graph, m)
        project(w.joints.table, graph, m, graph.speed)
        note_blow(w.joints.table, graph, m)
        for p in range(graph.starts[m], graph.middle[m]):
            number = graph.node[p]
            if number >= 0 and w.bodies[number].asleep == 0:
                body = w.bodies[number]
                set_velocity(body, graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2])
                w.courses[number].due = 0
                set_off(w, number)
    for p in range(graph.starts[graph.mechanisms[0]]):
        if graph.node[p] >= 0:
            course = w.courses[graph.node[p]]
            course.due = 0 if course.due >= PUSHED else course.due
