"""Expected flights: the accelerations of a mechanism in its next flight, if they change as they did so far.

In: the ways of a flight from the start of a step to its end. Out: columns of its joints, and the ways with which
Newton's turns of the next flight begin.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.joints.energies import begins_within
from carom.world.joints.rows import joint_of
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.tables import WAS_OF_PILE, Tables


@kernel
def expect(joints: Table[Joint], graph: Graph, m: int, length: float) -> None:
    """Give the bodies of a mechanism the ways of accelerations that change as they did on its last two flights."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for side in range(2 if k >= 0 else 0):
            q = joints[k].place_a if side == 0 else joints[k].place_b
            for c in range(3 if q < graph.middle[m] else 0):
                rate = joints[k].flown[3 * side + c] + joints[k].drift[3 * side + c]
                graph.way[q, c] = graph.speed[q, c] + 0.5 * length * rate


@kernel
def note_flight(joints: Table[Joint], graph: Graph, m: int, length: float, known: bool) -> None:
    """Note the accelerations on the way of a whole step; in 0 seconds that they are not known."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for side in range(2 if k >= 0 else 0):
            q = joints[k].place_a if side == 0 else joints[k].place_b
            for c in range(3):
                at, rate = 3 * side + c, 0.0
                if length > 0.0 and q < graph.middle[m]:
                    rate = 2.0 * (graph.way[q, c] - graph.speed[q, c]) / length
                joints[k].drift[at] = rate - joints[k].flown[at] if known else 0.0
                joints[k].flown[at] = rate


@inner
def is_known(w: Tables, graph: Graph, m: int) -> bool:
    """Tell whether a mechanism has flown in the step before, from its start to its end."""
    known, whole = False, not begins_within(w, w.state[0].now)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            whole = whole and w.bodies[graph.node[p]].pile & WAS_OF_PILE == 0
        for at in range(6 if k >= 0 else 0):
            known = known or w.joints.table[k].flown[at] != 0.0
    return known and whole
