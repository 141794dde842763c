"""One mechanism at a time: its bodies where they are, its joints measured, the matrix of both assembled.

In: bodies of a world, and how long their ways are. Out: the graph's columns, and rows of joints with values and
gradients; solutions with the factors of the matrix. `flight` and `pile` use these.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.tolerances import EPSILON
from carom.world.joints.elimination import factor, solve
from carom.world.joints.kinds import DISTANCE, GIVEN, NONE, RIGID
from carom.world.joints.rows import (
    add_late_along,
    arm_of,
    begin_at_end,
    joint_of,
    rate,
    row_of,
    secant,
    set_end,
    set_start,
    zero_of,
)
from carom.world.joints.springs import ease_springs
from carom.world.joints.tables import WORLD, Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.tables import DYNAMIC, Tables
from carom.world.step.ways.motion import own_pull

LEAST_PIVOT = 0.2
"""Share of a body's inertia that is left of it, whatever the pulls of its joints take away."""
ENDS_HOLD = 1e-11
"""Share of a mechanism's size by which its joints may gape."""
CLOSING_TURNS = 20
"""Turns in which joints are closed."""
NEARLY = 1e6
"""Times the gap to which joints are closed: turns that leave less and no longer help end."""
ROUNDING = 16.0
"""Times the precision of coordinates: the same where they are large."""


@kernel
def load(w: Tables, graph: Graph, m: int, length: float) -> float:
    """Write where the bodies of a mechanism are, how heavy and how fast; return by how much its joints may gape.

    They begin their ways of this length now, with the velocity that they have.
    """
    size, far = 0.0, 0.0
    for p in range(graph.starts[m], graph.starts[m + 1]):
        number = graph.node[p]
        if number < 0:
            for c in range(3):
                graph.way[p, c], graph.speed[p, c], graph.mass[p, c], graph.root[p, c] = 0.0, 0.0, 0.0, 0.0
            graph.reach[p] = 0.0
            set_start(graph.pose, p, 0.0, 0.0, 0.0)
            set_end(graph.pose, p, 0.0, 0.0, 0.0)
            continue
        body = w.bodies[number]
        dynamic = body.kind == DYNAMIC
        mass = 1.0 / body.inverse_mass if dynamic and body.inverse_mass > 0.0 else 0.0
        graph.mass[p, 0], graph.mass[p, 1] = mass, mass
        graph.mass[p, 2] = 1.0 / body.inverse_inertia if dynamic and body.inverse_inertia > 0.0 else 0.0
        for c in range(3):
            graph.root[p, c] = math.sqrt(graph.mass[p, c])
        vx, vy, spin = (body.vx, body.vy, body.spin) if dynamic else (body.way_x, body.way_y, body.way_spin)
        graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2] = vx, vy, spin
        set_start(graph.pose, p, body.x, body.y, body.angle)
        far = max(far, abs(body.x) + abs(body.y))
        graph.reach[p], size = body.sweep, max(size, body.sweep)
    move_on(graph, m, length, graph.speed)
    return ENDS_HOLD * size + ROUNDING * EPSILON * far


@kernel
def move_on(graph: Graph, m: int, length: float, velocity: Floats) -> None:
    """Give the bodies of a mechanism ways of some velocity, and write where these end."""
    pose = graph.pose
    for p in range(graph.starts[m], graph.starts[m + 1]):
        if graph.node[p] < WORLD:
            continue
        for c in range(3):
            graph.way[p, c] = velocity[p, c]
        set_end(
            pose,
            p,
            pose[p, 0] + length * velocity[p, 0],
            pose[p, 1] + length * velocity[p, 1],
            pose[p, 2] + length * velocity[p, 2],
        )


@kernel
def accelerate(w: Tables, graph: Graph, m: int, time: float) -> None:
    """Write as `free` the velocities that a mechanism's bodies would have after a time with nothing around."""
    for p in range(graph.starts[m], graph.starts[m + 1]):
        x, y, spin = 0.0, 0.0, 0.0
        if p < graph.middle[m] and graph.node[p] >= 0:
            x, y, spin = own_pull(w.state[0], w.bodies[graph.node[p]])
        graph.free[p, 0] = graph.speed[p, 0] + time * x
        graph.free[p, 1] = graph.speed[p, 1] + time * y
        graph.free[p, 2] = graph.speed[p, 2] + time * spin


@kernel
def stay(graph: Graph, m: int) -> None:
    """Have a mechanism begin anew where its ways end; measured then, gradients are those of the place."""
    pose = graph.pose
    for p in range(graph.starts[m], graph.starts[m + 1]):
        if graph.node[p] >= WORLD:
            begin_at_end(pose, p)


@kernel
def measure_joints(joints: Table[Joint], graph: Graph, m: int) -> float:
    """Measure the eliminated rows of a mechanism where its ways end; return the worst value of a rigid one."""
    worst = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0 or joints[k].broken != 0:
            continue
        joint = joints[k]
        for slot in range(3):
            what, role = row_of(joint, slot)
            if role != NONE:
                value = secant(graph.pose, joint, what, joint.jacobian, 6 * slot) - zero_of(joint, slot, role)
                joint.value[slot] = value
                if role == RIGID:
                    joint.value[slot] = value - joint.gap[slot]
                    worst = max(worst, abs(joint.value[slot]) * arm_of(graph, joint, what))
    return worst


@kernel
def note_gaps(joints: Table[Joint], graph: Graph, m: int, gape: float) -> bool:
    """Note by how much the rigid rows of a mechanism gape where its ways end; tell whether one does."""
    found = False
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joints[k].gap[slot] = 0.0
    measure_joints(joints, graph, m)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
            what, role = row_of(joints[k], slot)
            if role == RIGID and abs(joints[k].value[slot]) * arm_of(graph, joints[k], what) > gape:
                joints[k].gap[slot] = joints[k].value[slot]
                found = True
    return found


@kernel
def stiffen(joints: Table[Joint], graph: Graph, m: int, share: float) -> None:
    """Write the geometric stiffness of the impulses of the joints: how these turn with the bodies, times a share."""
    stiff = graph.stiff
    clear_places(stiff, graph, m)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0 or joints[k].broken != 0:
            continue
        joint = joints[k]
        a, b = joint.place_a, joint.place_b
        for slot in range(3):
            what, role = row_of(joint, slot)
            pull = share * joint.turn[slot]
            if role == NONE or pull == 0.0:
                continue
            x, y = pull * joint.jacobian[6 * slot], pull * joint.jacobian[6 * slot + 1]
            other_x, other_y = pull * joint.jacobian[6 * slot + 3], pull * joint.jacobian[6 * slot + 4]
            pose = graph.pose
            ax, ay = pose[a, 6] * joint.ax - pose[a, 7] * joint.ay, pose[a, 7] * joint.ax + pose[a, 6] * joint.ay
            bx, by = pose[b, 6] * joint.bx - pose[b, 7] * joint.by, pose[b, 7] * joint.bx + pose[b, 6] * joint.by
            stiff[a, 1] += x * ax + y * ay
            stiff[b, 1] += other_x * bx + other_y * by
            if what == DISTANCE and pull < 0.0:
                far = joint.value[slot] + zero_of(joint, slot, role) + (joint.gap[slot] if role == RIGID else 0.0)
                if far > 0.0:
                    stiff[a, 0] -= 2.0 * pull / far
                    stiff[b, 0] -= 2.0 * pull / far


@kernel
def assemble(joints: Table[Joint], graph: Graph, m: int, bounded: bool) -> None:
    """Write and factor the matrix of a mechanism with the gradients, eases and stiffness that stand there.

    Where `bounded` rows are solved with it, too, no stiffness is negative.
    """
    diagonal, mass, stiff, first, off = (
        graph.matrix.diagonal,
        graph.mass,
        graph.stiff,
        graph.matrix.first,
        graph.matrix.off,
    )
    for s in range(first[graph.starts[m]], first[graph.middle[m]]):
        for e in range(9):
            off[s, e] = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        for e in range(9):
            diagonal[p, e] = 0.0
        if graph.node[p] >= 0:
            for c in range(3):
                own = mass[p, c]
                more = max(stiff[p, 0], 0.0) if c < 2 else stiff[p, 1]
                more = max(more, 0.0) if bounded else max(more, (LEAST_PIVOT - 1.0) * own)
                diagonal[p, 4 * c] = own + more if own > 0.0 else 1.0
            continue
        joint = joints[joint_of(graph, p)]
        for slot in range(3):
            _, role = row_of(joint, slot)
            holds = role != NONE and role != GIVEN and joint.broken == 0
            diagonal[p, 4 * slot] = -joint.ease[slot] if holds else -1.0
            if holds and joint.block_a >= 0:
                write_block(graph, joint, slot, joint.place_a, joint.block_a, joint.flip_a, 6 * slot)
            if holds and joint.block_b >= 0:
                write_block(graph, joint, slot, joint.place_b, joint.block_b, joint.flip_b, 6 * slot + 3)
    factor(graph.matrix, graph.starts[m], graph.middle[m])


@inner
def write_block(graph: Graph, joint: Joint, slot: int, place: int, block: int, flip: int, at: int) -> None:
    """Write the gradient of a row by one body, from place `at` of the joint's on, into the block of both."""
    for c in range(3):
        if graph.mass[place, c] > 0.0 and flip == 0:
            graph.matrix.off[block, 3 * slot + c] += joint.jacobian[at + c]
        elif graph.mass[place, c] > 0.0:
            graph.matrix.off[block, 3 * c + slot] += joint.jacobian[at + c]


@kernel
def clear_places(array: Floats, graph: Graph, m: int) -> None:
    """Set the rows of a mechanism in an array to 0."""
    for p in range(graph.starts[m], graph.starts[m + 1]):
        for c in range(array.shape[1]):
            array[p, c] = 0.0


@kernel
def factor_rigid(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Measure a mechanism where its ways end, and write the factors with which its rigid rows hold there."""
    measure_joints(joints, graph, m)
    ease_springs(joints, graph, m, 0.0, 1.0)
    clear_places(graph.stiff, graph, m)
    assemble(joints, graph, m, True)


@kernel
def project(joints: Table[Joint], graph: Graph, m: int, velocity: Floats) -> None:
    """Take from velocities what the joints, as they are measured, do not allow; the matrix is that of `factor_rigid`.

    Twice, since what a joint gives way is then none. The impulses are added to what the joints do `late`.
    """
    for _ in range(2):
        clear_places(graph.x, graph, m)
        for p in range(graph.starts[m], graph.middle[m]):
            k = joint_of(graph, p)
            if k < 0 or joints[k].broken != 0:
                continue
            joint = joints[k]
            for slot in range(3):
                _, role = row_of(joint, slot)
                if role == RIGID:
                    graph.x[p, slot] = -rate(velocity, joint, joint.jacobian, 6 * slot)
        solve(graph, m)
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0:
                for c in range(3):
                    if graph.mass[p, c] > 0.0:
                        velocity[p, c] += graph.x[p, c]
        add_late(joints, graph, m, 1.0)


@kernel
def add_late(joints: Table[Joint], graph: Graph, m: int, share: float) -> None:
    """Add so many times the impulses of a solution in which only rigid rows hold to what the joints do late."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
            joint = joints[k]
            what, role = row_of(joint, slot)
            if role != RIGID:
                continue
            add_late_along(joint, what, joint.jacobian, 6 * slot, -share * graph.x[p, slot])


@inner
def forget_late(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Have the joints of a mechanism do nothing late: their ways begin."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3 if k >= 0 else 0):
            joints[k].late[c] = 0.0
        for c in range(2 if k >= 0 else 0):
            joints[k].late_b[c] = 0.0


@kernel
def close(joints: Table[Joint], graph: Graph, m: int, gape: float, share: float) -> None:
    """Close the joints of a mechanism where its ways end, by the least displacement by mass; its ways begin there.

    The matrix has the geometric stiffness of the impulses so far: light links between heavy ones turn to and fro else.
    So many times the impulses that displace bodies are added to what the joints do late.
    """
    pose, last = graph.pose, math.inf
    swap_turns(joints, graph, m, False)
    for turn in range(CLOSING_TURNS):
        stay(graph, m)
        worst = measure_joints(joints, graph, m)
        if worst <= gape:
            break
        if turn > 2 and worst >= last and last <= NEARLY * gape:  # where the joints agree only just, turns go round
            shift_ends(graph, m, pose, -1.0)
            if share != 0.0:
                add_late(joints, graph, m, -share)
            break
        last = worst
        ease_springs(joints, graph, m, 0.0, 1.0)
        stiffen(joints, graph, m, 1.0)
        assemble(joints, graph, m, True)
        clear_places(graph.x, graph, m)
        for p in range(graph.starts[m], graph.middle[m]):
            k = joint_of(graph, p)
            if k < 0 or joints[k].broken != 0:
                continue
            for slot in range(3):
                _, role = row_of(joints[k], slot)
                if role == RIGID:
                    graph.x[p, slot] = -joints[k].value[slot]
        solve(graph, m)
        shift_ends(graph, m, pose, 1.0)
        if share != 0.0:
            add_late(joints, graph, m, share)
        for p in range(graph.starts[m], graph.middle[m]):
            k = joint_of(graph, p)
            for c in range(3 if k >= 0 else 0):
                joints[k].turn[c] -= graph.x[p, c]
    stay(graph, m)
    swap_turns(joints, graph, m, True)


@inner
def shift_ends(graph: Graph, m: int, pose: Floats, share: float) -> None:
    """Move the ends of a mechanism's ways by a share of `x`."""
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            for c in range(3):
                if graph.mass[p, c] > 0.0:
                    pose[p, 3 + c] += share * graph.x[p, c]


@kernel
def swap_turns(joints: Table[Joint], graph: Graph, m: int, back: bool) -> None:
    """Put aside the impulses of the joints of a mechanism, so that these begin without; or take them `back`."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3 if k >= 0 else 0):
            joint = joints[k]
            if back:
                joint.turn[c] = joint.before[c]
            else:
                joint.before[c], joint.turn[c] = joint.turn[c], 0.0
