"""Mechanisms that were changed from outside: a body was put in, pushed or driven otherwise, a joint was set.

In: a mechanism that begins its ways, loaded into the graph. Out: velocities that its joints allow, where that of a body
of it, or of one that drives it, was set; and whether its joints gape, so that its ways close them.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.joints.mechanism import factor_rigid, measure, move_on, project
from carom.world.joints.tables import Graph
from carom.world.step.tables import PUSHED, Tables

GAPES = 1e3
"""Times the gap to which joints are closed from which on one gapes."""


@kernel
def take_up_changes(w: Tables, graph: Graph, m: int, gape: float) -> bool:
    """Hand a change of some velocities on to a whole mechanism, as an impact; tell whether its joints gape.

    A way is the mean of the velocities at both ends: velocities that the joints do not allow would change their signs
    in each step, without end.
    """
    move_on(graph, m, 0.0, graph.speed)
    gapes = measure(w.joints.table, graph, m) > GAPES * gape
    changed = False
    for p in range(graph.starts[m], graph.starts[m + 1]):
        changed = changed or (graph.node[p] >= 0 and w.courses[graph.node[p]].due == PUSHED)
    if changed:
        factor_rigid(w.joints.table, graph, m)
        project(w.joints.table, graph, m, graph.speed)
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0:
                body = w.bodies[graph.node[p]]
                body.vx, body.vy, body.spin = graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2]
    return bool(gapes)
