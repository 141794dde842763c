"""Forces of joints in a step: the force and torque of each on its body a, and those that broke by it.

In: forces of eliminated and of bounded rows, and their gradients where the ways end; impulses at impacts. Out: columns
of the table of joints; hits of kind BROKEN. The force of a joint is its impulse in the step over the time of the step,
impacts with it. A broken joint pulls no more from the next step on: the step itself is not made anew.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.rows import joint_of
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.play.report import tell
from carom.world.step.tables import AT_ONCE, BROKEN, OF_PILE, WITHIN, Tables
from carom.world.step.ways.motion import note_pull, own_pull


@kernel
@left_out(None)
def tell_forces(w: Tables, graph: Graph) -> None:
    """Write the forces of all joints in a step that has ended, and tell of those that break."""
    whole = w.state[0].whole
    for m in range(graph.mechanisms[0]):
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
            joint.force_x, joint.force_y = joint.given[0] / whole, joint.given[1] / whole
            joint.torque = joint.given[2] / whole
            force = math.sqrt(joint.force_x * joint.force_x + joint.force_y * joint.force_y)
            if force > joint.breaks_force or abs(joint.torque) > joint.breaks_torque:
                break_joint(w, graph, k, force)


@kernel
@left_out(None)
def forget_given(w: Tables) -> None:
    """Have all joints begin a step in which they have done nothing yet."""
    for k in range(w.state[0].joints):
        for c in range(3):
            w.joints.table[k].given[c] = 0.0


@kernel
@left_out(None)
def note_given(w: Tables, graph: Graph, m: int, now: float) -> None:
    """Add what the joints of a mechanism have done on their way so far, at a time at which it ends."""
    begun, length = now, w.state[0].length
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            if w.bodies[graph.node[p]].asleep != 0:
                return
            begun = min(begun, w.courses[graph.node[p]].since)
    note_drawn(w, graph, m, (now - begun) / (length - begun) if now > begun else 0.0)
    for p in range(graph.starts[m], graph.middle[m] if now > begun else graph.starts[m]):
        k = joint_of(graph, p)
        if k >= 0 and w.joints.table[k].broken == 0:
            joint, share = w.joints.table[k], (now - begun) / (length - begun)
            if share < 1.0:
                note_rest(w, joint, 1.0 - share)
            add_given(joint, share)


@inner
def note_drawn(w: Tables, graph: Graph, m: int, share: float) -> None:
    """Note the share of what the bodies of a mechanism are drawn by that they have got on their way, which ends."""
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            course = w.courses[graph.node[p]]
            note_pull(w, graph.node[p], course.drawn_x, course.drawn_y, share)
            course.drawn_x, course.drawn_y = 0.0, 0.0


@inner
def note_rest(w: Tables, joint: Joint, share: float) -> None:
    """Note the share that a joint would have given yet, where a body has got all of it at once from its pile."""
    for side in range(2):
        number = joint.a if side == 0 else joint.b
        x, y = (joint.late[0], joint.late[1]) if side == 0 else (joint.late_b[0], joint.late_b[1])
        if number >= 0 and w.courses[number].jumps != 0 and w.courses[number].left <= 0.0:
            note_pull(w, number, x, y, share * w.bodies[number].inverse_mass)


@inner
def leave_pile(w: Tables, number: int) -> None:
    """Note that a body goes a new way within a portion, and that it has got, or will get, its acceleration twice."""
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    if state.phase == WITHIN and body.pile & OF_PILE != 0 and course.left == 0.0:
        if course.jumps == AT_ONCE:
            x, y, _ = own_pull(state, body)
            note_pull(w, number, x, y, state.length - state.now)
        course.left = state.now


@kernel
def note_blow(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Add what the joints of a mechanism have done at an instant."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0:
            add_given(joints[k], 1.0)


@inner
def add_given(joint: Joint, share: float) -> None:
    """Add a share of what a joint does by the end of its way to what it has done."""
    for c in range(3):
        joint.given[c] += share * joint.late[c]
        joint.late[c] = 0.0
    for c in range(2):
        joint.late_b[c] = 0.0


@kernel
def break_joint(w: Tables, graph: Graph, k: int, force: float) -> None:
    """Have a joint pull no more, and tell of it where its anchor on body a stands."""
    joint = w.joints.table[k]
    body, p = w.bodies[joint.a], joint.place_a
    x = body.x + (graph.pose[p, 6] * joint.ax - graph.pose[p, 7] * joint.ay)
    y = body.y + (graph.pose[p, 7] * joint.ax + graph.pose[p, 6] * joint.ay)
    joint.broken = 1
    state = w.state[0]
    tell(w, BROKEN, joint.a, joint.b if joint.b >= 0 else joint.a, x, y)
    row = w.hits[state.hits - 1]
    row.impulse, row.joint, row.joint_serial = force * state.whole, k, joint.serial
