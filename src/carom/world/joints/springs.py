"""The springs of joints, and drags, which pull with at most a force.

In: a joint whose rows are measured on a way, and the impulses that they have so far. Out: the impulses that they are to
have on this way, and how each row gives way to its own.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.kinds import DRAG, MOTOR_KIND, NONE, RIGID, SOFT
from carom.world.joints.rows import ease_of, joint_of, rate, row_of
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table

YIELDS = 1e-12
"""Share of what a row gives way by itself by which a rigid joint gives way, so that joints that say the same agree."""
KEEPS = 1e9
"""Times its mass over the time of a step by which the motor of a body resists: it leaves so little speed over."""
GIVES_ALL = 1e30
"""Times the same by which a row gives way that pulls at nothing."""


@inner
def resistance_of(joint: Joint, own: float, length: float) -> float:
    """Return the force of a spring over speed; that of a motor leaves next to nothing of the speed that it lacks."""
    return float(joint.resistance if joint.kind != MOTOR_KIND else KEEPS / (own * length))


@inner
def share_of_end(joint: Joint, own: float, length: float) -> float:
    """Return how much of a spring's force is that of the end: half, or all where it is far too quick for a step."""
    turn, slowing = length * math.sqrt(joint.stiffness * own), length * resistance_of(joint, own, length) * own
    haste = min((turn / 6.0) ** 6 + (slowing / 4.0) ** 3, 1e14)
    return float(0.5 + 0.5 * haste / (1.0 + haste))


@inner
def lag_of(end: float, share: float) -> float:
    """Return by what share of its change in a step a speed is beyond the mean that resistance is about."""
    return 2.0 * end - 1.0 if share < 1.0 else 0.0  # impulses at the start leave no other speed than that of the way


@kernel
def ease_springs(joints: Table[Joint], graph: Graph, m: int, length: float, share: float) -> None:
    """Write by how much each eliminated row gives way to its impulse in a step; `share` of this moves the way.

    At an instant, and in displacements, whose length is 0, springs do nothing: only rigid rows hold.
    """
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
                joint.ease[slot] = ease_of_spring(joint, own, length, share)


@inner
def ease_of_spring(joint: Joint, own: float, length: float, share: float) -> float:
    """Return by how much the row of a spring gives way to its impulse."""
    end = share_of_end(joint, own, length)
    resistance = (1.0 + lag_of(end, share)) * resistance_of(joint, own, length)
    gives = share * length * (joint.stiffness * end * length + resistance)
    return float(1.0 / gives if gives > 0.0 else GIVES_ALL * own)


@inner
def spring_impulse(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse of a spring on the present way."""
    own = ease_of(graph, joint, joint.jacobian, 6 * slot)
    end = share_of_end(joint, own, length)
    before, now = joint.before[slot], joint.value[slot]
    if joint.held[slot] == RIGID:  # a limit or a motor holds in the same row
        now += joint.hold_at[slot] - joint.rest
    speed = (now - before) / length if joint.kind != MOTOR_KIND else rate(graph.way, joint, joint.jacobian, 6 * slot)
    speed += lag_of(end, share) * (speed - joint.begun[slot]) - wanted_speed(joint, slot)
    force = joint.stiffness * (end * now + (1.0 - end) * before) + resistance_of(joint, own, length) * speed
    return float(-share * length * force)


@inner
def wanted_speed(joint: Joint, slot: int) -> float:
    """Return how fast a row is to change, which is not 0 of the motor of a body."""
    if joint.kind != MOTOR_KIND:
        return 0.0
    return float(joint.speed if slot == 2 else (joint.velocity_x if slot == 0 else joint.velocity_y))


@inner
def expected_impulse(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse of a bounded spring once its bodies have given way to it, as they do without other joints."""
    own = ease_of(graph, joint, joint.jacobian, 6 * slot)
    ease = ease_of_spring(joint, own, length, share)
    lacks = spring_impulse(graph, joint, slot, length, share) - joint.turn[slot]
    return float(joint.turn[slot] + lacks * ease / (ease + own))


@inner
def impulse_of_soft(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse that the spring of a joint is to have, and a motor at its bound in the same row gives.

    Of a drag, or the motor of a body, write how its row gives way to it.
    A drag is a spring, or has its largest force, by the impulse that is expected: that on the present way may be far
    off, and have the drag be the one and the other in turn without end.
    """
    if joint.kind != DRAG and joint.kind != MOTOR_KIND:
        motor = joint.side[slot] * joint.most * share * length
        return float(spring_impulse(graph, joint, slot, length, share) + motor)
    turns = slot == 2  # a torque has a bound of its own
    x = expected_impulse(graph, joint, slot if turns else 0, length, share)
    y = expected_impulse(graph, joint, 1, length, share) if not turns else 0.0
    pulls, most = math.sqrt(x * x + y * y), (joint.most_torque if turns else joint.most) * share * length
    own = ease_of(graph, joint, joint.jacobian, 6 * slot)
    if pulls <= most:
        joint.ease[slot] = ease_of_spring(joint, own, length, share)
        return spring_impulse(graph, joint, slot, length, share)
    joint.ease[slot] = GIVES_ALL * own
    return float(most / pulls * (y if slot == 1 else x))
