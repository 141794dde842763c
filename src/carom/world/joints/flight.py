"""The ways of a mechanism that nothing but its joints, springs and accelerations moves.

In: a mechanism at some instant. Out: for each of its bodies a straight way to the end of the step, at whose end the
joints hold, and the velocity there. The way is the mean of the velocities at both ends, as a free body's is, and the
joints' impulses act along discrete gradients: so they do no work, and energy is what it was. Springs pull with the mean
of their forces at both ends; one that is far too quick for the step with that of the end. Newton's matrix has the
geometric stiffness of the pulls, without which light links under a heavy load turn too fast for a step. Where Newton's
turns do not end, the step is halved, at most `HALVINGS` times.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.changes import take_up_changes
from carom.world.joints.elimination import solve
from carom.world.joints.energies import kinetic, scale_to, work_of_closing
from carom.world.joints.gathering import gather, settle
from carom.world.joints.mechanism import (
    ENDS_HOLD,
    GIVES_ALL,
    YIELDS,
    accelerate,
    assemble,
    clear,
    joint_of,
    load,
    measure,
    move_on,
    stay,
    stiffen,
)
from carom.world.joints.rows import NONE, RIGID, SOFT, add_along, ease_of, row_of
from carom.world.joints.tables import DRAG, Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.tables import Tables

MOST_TURNS = 30
"""Turns of Newton's method in a step."""
FEW_TURNS, HARDLY = 4, 0.5
"""Where, after a few turns, one with a new matrix leaves more than this, they do not end."""
HALVINGS = 6
"""Times that a step is halved where these do not end."""
SLOWLY = 0.25
"""Share of the error before: where a turn leaves more, the matrix is made anew."""


@inner
def share_of_end(joint: Joint, own: float, length: float) -> float:
    """Return how much of a spring's force is that of the end: half, or all where it is far too quick for a step."""
    turn, slowing = length * math.sqrt(joint.stiffness * own), length * joint.resistance * own
    haste = min((turn / 6.0) ** 6 + (slowing / 4.0) ** 3, 1e14)
    return float(0.5 + 0.5 * haste / (1.0 + haste))


@kernel
def ease_springs(joints: Table[Joint], graph: Graph, m: int, length: float, share: float) -> None:
    """Write by how much each eliminated row gives way to its impulse in a step; `share` of this moves the way."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            continue
        joint = joints[k]
        for slot in range(3):
            _, role = row_of(joint, slot)
            if role == NONE:
                continue
            own = ease_of(graph, joint, joint.jacobian, 6 * slot)
            joint.ease[slot] = YIELDS * own
            if role == SOFT:
                end = share_of_end(joint, own, length)
                gives = share * length * (joint.stiffness * end * length + joint.resistance)
                joint.ease[slot] = 1.0 / gives if gives > 0.0 else GIVES_ALL * own


@inner
def spring_impulse(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse of a spring on the present way."""
    end = share_of_end(joint, ease_of(graph, joint, joint.jacobian, 6 * slot), length)
    before, now = joint.before[slot], joint.value[slot]
    force = joint.stiffness * (end * now + (1.0 - end) * before) + joint.resistance * (now - before) / length
    return float(-share * length * force)


@kernel
def begin_way(w: Tables, graph: Graph, m: int, length: float, share: float) -> None:
    """Write the ways with which Newton's turns begin, from the pulls of the step before, and the matrix."""
    joints = w.joints.table
    accelerate(w, graph, m, share * length)
    move_on(graph, m, 0.0, graph.speed)
    measure(joints, graph, m)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0:
            for slot in range(3):
                joints[k].before[slot] = joints[k].value[slot]
                joints[k].turn[slot] = share * length * joints[k].pull[slot] if joints[k].broken == 0 else 0.0
    move_on(graph, m, length, graph.speed)
    measure(joints, graph, m)
    ease_springs(joints, graph, m, length, share)


@kernel
def pull(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Give the bodies of a mechanism the ways that its joints' impulses make of `free` ones."""
    clear(graph.x, graph, m)
    add_pulls(joints, graph, m)
    for p in range(graph.starts[m], graph.starts[m + 1]):
        for c in range(3):
            graph.way[p, c] = graph.free[p, c]
            if p < graph.middle[m] and graph.node[p] >= 0 and graph.mass[p, c] > 0.0:
                graph.way[p, c] += graph.x[p, c] / graph.mass[p, c]


@kernel
def add_pulls(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Add to `x` the momenta that the joints' impulses give to their bodies."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0 or joints[k].broken != 0:
            continue
        joint = joints[k]
        for slot in range(3):
            _, role = row_of(joint, slot)
            if role == NONE:
                continue
            if joint.place_a < graph.middle[m]:
                add_along(graph.x, joint.place_a, joint.jacobian, 6 * slot, joint.turn[slot])
            if joint.place_b < graph.middle[m]:
                add_along(graph.x, joint.place_b, joint.jacobian, 6 * slot + 3, joint.turn[slot])


@inner
def kept_of_drag(graph: Graph, joint: Joint, length: float, share: float) -> float:
    """Return which share of a drag's pull its largest force lets it have; one that has not all of it is no spring."""
    x, y = spring_impulse(graph, joint, 0, length, share), spring_impulse(graph, joint, 1, length, share)
    pulls, most = math.sqrt(x * x + y * y), joint.most * share * length
    if pulls <= most:
        return 1.0
    for slot in range(2):
        joint.ease[slot] = GIVES_ALL * ease_of(graph, joint, joint.jacobian, 6 * slot)
    return float(most / pulls)


@kernel
def lack(joints: Table[Joint], graph: Graph, m: int, length: float, share: float) -> float:
    """Write as `x` what momenta, joints and springs lack on the present ways; return the worst, as a displacement."""
    x, worst = graph.x, 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3):
            x[p, c] = graph.mass[p, c] * (graph.free[p, c] - graph.way[p, c]) if graph.node[p] >= 0 else 0.0
    add_pulls(joints, graph, m)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            for c in range(3):
                own = graph.mass[p, c]
                x[p, c] = x[p, c] if own > 0.0 else 0.0
                worst = max(worst, abs(x[p, c]) / own * length) if own > 0.0 else worst
            continue
        joint = joints[k]
        kept = kept_of_drag(graph, joint, length, share) if joint.kind == DRAG else 1.0
        for slot in range(3):
            _, role = row_of(joint, slot)
            if role == NONE or joint.broken != 0:
                continue
            if role == RIGID:
                x[p, slot] = -joint.value[slot] / length
                worst = max(worst, abs(joint.value[slot]))
            else:
                asked = kept * spring_impulse(graph, joint, slot, length, share) - joint.turn[slot]
                x[p, slot] = asked * joint.ease[slot]
                own = ease_of(graph, joint, joint.jacobian, 6 * slot)
                worst = max(worst, abs(asked) * min(joint.ease[slot], own) * length)
    return worst


@kernel
def take(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Add what was solved for to ways and impulses."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            if k >= 0:
                joints[k].turn[c] -= graph.x[p, c]
            elif graph.mass[p, c] > 0.0:
                graph.way[p, c] += graph.x[p, c]


@kernel
def try_way(w: Tables, graph: Graph, m: int, length: float, gape: float) -> bool:
    """Find the ways of a mechanism through a time; False if Newton's turns do not end."""
    joints = w.joints.table
    begin_way(w, graph, m, length, 0.5)
    pull(joints, graph, m)
    last, anew = 0.0, False
    for turn in range(MOST_TURNS):
        move_on(graph, m, length, graph.way)
        measure(joints, graph, m)
        worst = lack(joints, graph, m, length, 0.5)
        if worst <= gape and turn > 0:
            pull(joints, graph, m)  # momenta are exact
            return True
        if not worst < 1e9 * (gape / ENDS_HOLD) or (turn > FEW_TURNS and anew and worst > HARDLY * last):
            return worst <= 1e3 * gape
        anew = worst > SLOWLY * last
        if anew:
            stiffen(joints, graph, m, 0.5 * length)
            assemble(joints, graph, m, False)
        last = worst
        solve(graph, m)
        take(joints, graph, m)
    return bool(last <= 1e3 * gape)


@inner
def has_pulled(joints: Table[Joint], graph: Graph, m: int) -> bool:
    """Tell whether joints have pulled in the step before: one that was taken at once has left no forces, nor has rest.

    Newton's turns then begin with none, and no shorter time helps them.
    """
    pulled = False
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            pulled = pulled or joints[k].pull[slot] != 0.0
    return pulled


@kernel
def fly(w: Tables, graph: Graph, m: int, length: float) -> None:
    """Give the bodies of a mechanism their ways for a time from now on, and the accelerations that lead along these."""
    joints = w.joints.table
    gape, pulled = load(w, graph, m, length), has_pulled(joints, graph, m)
    left, part, made = length, length, 0.0
    halved = take_up_changes(w, graph, m, gape)
    gapes = halved and w.state[0].now > 0.0
    if gapes:
        made = work_of_closing(w, graph, m, gape)
    while left > 1e-9 * length:
        part = min(part, left)
        if not try_way(w, graph, m, part, gape):
            halved = True
            if part > length / 2.0**HALVINGS and pulled:
                part *= 0.5
                continue
            part = left  # no shorter time helps: the rest is taken at once
            gather(w, graph, m, part, gape)
            note_pulls(joints, graph, m, 0.5 * part)
            stay(graph, m)
        else:
            for p in range(graph.starts[m], graph.middle[m]):
                for c in range(3):
                    graph.speed[p, c] = 2.0 * graph.way[p, c] - graph.speed[p, c]
            energy = kinetic(graph, m, graph.speed) - work_of_joints(joints, graph, m, part) - made
            note_pulls(joints, graph, m, 0.5 * part)
            stay(graph, m)
            if halved:
                settle(joints, graph, m)
            if gapes:
                scale_to(graph, m, energy)
            gapes = False
        left -= part
        part *= 2.0
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] < 0:
            continue
        body, pose = w.bodies[graph.node[p]], graph.pose
        if halved:
            body.way_x, body.way_y = (pose[p, 0] - body.x) / length, (pose[p, 1] - body.y) / length
            body.way_spin = (pose[p, 2] - body.angle) / length
        else:
            body.way_x, body.way_y, body.way_spin = graph.way[p, 0], graph.way[p, 1], graph.way[p, 2]
        body.pull_x, body.pull_y = (graph.speed[p, 0] - body.vx) / length, (graph.speed[p, 1] - body.vy) / length
        body.pull_spin = (graph.speed[p, 2] - body.spin) / length


@kernel
def work_of_joints(joints: Table[Joint], graph: Graph, m: int, part: float) -> float:
    """Return twice the work of rigid joints: some on ways that begin within a step, where they gape by its sagitta."""
    total = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
            if row_of(joints[k], slot)[1] == RIGID:
                total += 4.0 * joints[k].turn[slot] * (joints[k].value[slot] - joints[k].before[slot]) / part
    return total


@kernel
def note_pulls(joints: Table[Joint], graph: Graph, m: int, time: float) -> None:
    """Note the forces of the joints, with which the next step begins; `time` is that in which they act on the way."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            continue
        for slot in range(3):
            joints[k].pull[slot] = joints[k].turn[slot] / time
