"""The impulses that the joints of an island give on its ways, and those that bodies get there of nobody.

In: ways, and impulses of joints and bounded rows. Out: what joints do by the end of the way, and what each body is
drawn by beside: what Newton's turns have left, and what is of second order where joints were closed by displacement.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.joints.bounded import Parts, add_pushes
from carom.world.joints.flight import add_pulls, add_turns
from carom.world.joints.rows import joint_of
from carom.world.joints.stops import add_late_pushes
from carom.world.joints.tables import Graph
from carom.world.step.solve.rows import Rows
from carom.world.step.tables import Tables


@kernel
def note_impulses(w: Tables, rows: Rows, share: float, parts: Parts) -> None:
    """Note what joints, limits and motors give on the ways that were found, and what bodies get of nobody there.

    That is what the last turn has left.
    """
    graph, joints = rows.graph, w.joints.table
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        add_turns(joints, graph, m, share)
        for p in range(graph.starts[m], graph.middle[m]):
            for c in range(3):
                graph.x[p, c] = graph.mass[p, c] * (graph.free[p, c] - graph.way[p, c]) if graph.node[p] >= 0 else 0.0
        add_pulls(joints, graph, m)
    add_late_pushes(joints, rows, parts[2], parts[3], 1.0 / share)
    add_pushes(rows, parts)
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0 and graph.mass[p, 0] > 0.0:
                course, times = w.courses[graph.node[p]], -1.0 / (share * graph.mass[p, 0])
                course.drawn_x, course.drawn_y = times * graph.x[p, 0], times * graph.x[p, 1]


@kernel
def note_closing(w: Tables, graph: Graph, m: int, times: float, share: float) -> None:
    """Note, so many times, the ways of a mechanism beyond what its joints do late as what its bodies get of nobody.

    Twice, before the joints are closed by displacement and after it: that is of second order.
    """
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            course = w.courses[graph.node[p]]
            course.drawn_x += times * graph.way[p, 0] / share
            course.drawn_y += times * graph.way[p, 1] / share
            continue
        joint = w.joints.table[k]
        for side in range(2):
            number = joint.a if side == 0 else joint.b
            x, y = (joint.late[0], joint.late[1]) if side == 0 else (joint.late_b[0], joint.late_b[1])
            if number >= 0:
                w.courses[number].drawn_x -= times * x * w.bodies[number].inverse_mass
                w.courses[number].drawn_y -= times * y * w.bodies[number].inverse_mass
