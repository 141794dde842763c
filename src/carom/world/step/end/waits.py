"""Mechanisms and kinematic bodies that waited in a step are told, where no other hit of the step tells of them.

In: for how long each body has waited, at the end of a step, and its hits so far. Out: a hit of kind STALLED for each
mechanism of which a body has waited, and for each kinematic body that has.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.tables import Graph
from carom.world.step.play.report import tell
from carom.world.step.tables import CRUSHED, KINEMATIC, STALLED, Tables


@kernel
def tell_waiting(w: Tables, graph: Graph) -> None:
    """Tell of what has waited in a step that has ended; the caller has seen to room."""
    state = w.state[0]
    for m in range(state.movers if state.drivers > 0 else 0):
        number = w.movers[m]
        if w.bodies[number].kind == KINEMATIC and has_waited(w, number) and not is_told(w, number):
            tell(w, STALLED, number, number, w.bodies[number].x, w.bodies[number].y)
    tell_waiting_mechanisms(w, graph)


@kernel
@left_out(None)
def tell_waiting_mechanisms(w: Tables, graph: Graph) -> None:
    """Tell of each mechanism once of which a body has waited."""
    for m in range(graph.mechanisms[0]):
        first, told = -1, False
        for p in range(graph.starts[m], graph.middle[m]):
            number = graph.node[p]
            if number >= 0 and has_waited(w, number):
                first = number if first < 0 else min(first, number)
                told = told or is_told(w, number)
        if first >= 0 and not told:
            tell(w, STALLED, first, first, w.bodies[first].x, w.bodies[first].y)


@inner
def has_waited(w: Tables, number: int) -> bool:
    """Tell whether a body has waited in this step."""
    return bool(w.courses[number].waited + w.rests[number].waited > 0.0)


@inner
def is_told(w: Tables, number: int) -> bool:
    """Tell whether a hit of this step says that a body waits."""
    for k in range(w.state[0].hits):
        row = w.hits[k]
        if (row.kind == STALLED and row.body == number) or (row.kind == CRUSHED and row.other == number):
            return True
    return False
