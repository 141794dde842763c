"""Forces of joints in a step: the force and torque of each on its body a, and those that broke by it.

In: forces of eliminated and of bounded rows, and their gradients where the ways end. Out: columns of the table of
joints; hits of kind BROKEN. A broken joint pulls no more from the next step on: the step itself is not made anew.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom.world.joints.mechanism import joint_of
from carom.world.joints.rows import ANGLE, NONE, driven, limited, row_of, secant
from carom.world.joints.tables import Graph, Joint
from carom.world.step.report import tell
from carom.world.step.tables import BROKEN, Tables


@kernel
def tell_forces(w: Tables, graph: Graph) -> None:
    """Write the forces of all joints in a step that ends, and tell of those that break."""
    for m in range(w.state[0].mechanisms):
        for p in range(graph.starts[m], graph.middle[m]):
            k = joint_of(graph, p)
            if k < 0:
                if w.bodies[graph.node[p]].asleep != 0:
                    break  # it stands as it did when it fell asleep
                continue
            joint = w.joints.table[k]
            if joint.broken != 0:
                joint.force_x, joint.force_y, joint.torque = 0.0, 0.0, 0.0
                continue
            add_forces(graph, joint)
            force = math.sqrt(joint.force_x * joint.force_x + joint.force_y * joint.force_y)
            if force > joint.breaks_force or abs(joint.torque) > joint.breaks_torque:
                break_joint(w, graph, joint, force)


@kernel
def add_forces(graph: Graph, joint: Joint) -> None:
    """Write the force and the torque of a joint's rows on its body a."""
    joint.force_x, joint.force_y, joint.torque = 0.0, 0.0, 0.0
    for slot in range(5):
        if slot < 3:
            what, role = row_of(joint, slot)
            what, force = what if role != NONE else -1, joint.pull[slot]
        else:
            what, force = limited(joint) if slot == 3 else driven(joint), joint.push[slot - 3]
        if what == ANGLE:
            joint.torque += force
        elif what >= 0:
            secant(graph.pose, joint, what, graph.row, 0)
            joint.force_x += force * graph.row[0]
            joint.force_y += force * graph.row[1]


@kernel
def break_joint(w: Tables, graph: Graph, joint: Joint, force: float) -> None:
    """Have a joint pull no more, and tell of it where its anchor on body a stands."""
    body, p = w.bodies[joint.a], joint.place_a
    x = body.x + (graph.pose[p, 6] * joint.ax - graph.pose[p, 7] * joint.ay)
    y = body.y + (graph.pose[p, 7] * joint.ax + graph.pose[p, 6] * joint.ay)
    joint.broken = 1
    state = w.state[0]
    tell(w, BROKEN, joint.a, joint.b if joint.b >= 0 else joint.a, x, y)
    w.hits[state.hits - 1].impulse = force * state.whole
