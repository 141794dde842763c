"""Energy of the mechanisms of an island whose ways begin within a portion, where their joints gape.

In: an island that begins its ways at a pause or after an impact, and goes them as one in flight. Out: velocities at
their end with the energy that the closed mechanisms had, and the work of accelerations, springs, limits and motors.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.energies import begins_within, kinetic, note_speeds, scale_to, work_of_closing, work_of_joints
from carom.world.joints.flight import GAPES
from carom.world.joints.mechanism import measure_joints, move_on
from carom.world.joints.tables import Graph
from carom.world.step.tables import Tables


@kernel
def count_gaping(w: Tables, graph: Graph, gape: float) -> int:
    """Return how many mechanisms an island has if one of them gapes where its ways begin within a portion; else 0."""
    listed, gapes = graph.listed[0], False
    for at in range(listed if begins_within(w, w.state[0].now) else 0):
        m = graph.listed[1 + at]
        move_on(graph, m, 0.0, graph.speed)
        gapes = gapes or measure_joints(w.joints.table, graph, m) > GAPES * gape
    return int(listed) if gapes else 0


@kernel
def note_works(w: Tables, graph: Graph, gape: float, owed: Floats) -> None:
    """Write twice the work that closes each mechanism of an island where its ways begin."""
    for at in range(owed.shape[0]):
        owed[at] = work_of_closing(w, graph, graph.listed[1 + at], gape)


@kernel
def note_energies(w: Tables, graph: Graph, length: float, owed: Floats) -> None:
    """Write twice the kinetic energy of each mechanism where its ways end, in place of the work that closed it."""
    for at in range(owed.shape[0]):
        m = graph.listed[1 + at]
        for p in range(graph.starts[m], graph.middle[m]):
            for c in range(3):
                graph.free[p, c] = 2.0 * graph.way[p, c] - graph.speed[p, c]
        owed[at] = kinetic(graph, m, graph.free) - work_of_joints(w.joints.table, graph, m, length) - owed[at]


@inner
def scale_all(w: Tables, graph: Graph, owed: Floats) -> None:
    """Scale the velocities of all mechanisms of an island to these energies."""
    for at in range(owed.shape[0]):
        m = graph.listed[1 + at]
        note_speeds(w, graph, m, -1.0, True)
        scale_to(graph, m, owed[at])
        note_speeds(w, graph, m, 1.0, True)
