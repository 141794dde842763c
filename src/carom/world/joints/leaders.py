"""Kinematic bodies that lead mechanisms: they wait, as they do rather than crush, where what they lead has no way.

In: a mechanism, or an island of some, that has no way while its leaders go theirs. Out: leaders that stand until the
portion ends, and a note that whatever else they lead has a new way.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.joints.tables import Graph
from carom.world.step.play.predict import enqueue, is_under_way
from carom.world.step.tables import KINEMATIC, WITHIN, Tables
from carom.world.step.ways.writer import have_wait, stop


@kernel
def hold_leaders(w: Tables, graph: Graph, m: int, due: int) -> bool:
    """Have the kinematic bodies that lead a mechanism wait; tell whether one was on its way.

    If `due`, what else they lead is to find its ways anew.
    """
    state, found = w.state[0], False
    for p in range(graph.middle[m], graph.starts[m + 1]):
        number = graph.node[p]
        if number < 0 or w.bodies[number].kind != KINEMATIC or not is_under_way(w.bodies[number]):
            continue
        found = True
        stop(w.bodies[number])
        course = w.courses[number]
        have_wait(course)
        course.due, state.due = max(course.due, due), max(state.due, due)
        course.stamp += 1
        if state.phase == WITHIN:
            enqueue(w, number)
    return found


@kernel
def hold_leaders_of_island(w: Tables, graph: Graph) -> bool:
    """Have the kinematic bodies that lead the listed mechanisms wait; tell whether one was on its way.

    What else they lead goes on, and follows in the next step: its ways may be those of another island.
    """
    found = False
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        found = hold_leaders(w, graph, m, 0) or found
    return found
