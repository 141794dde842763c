"""The springs of joints, and drags, which pull with at most a force.

In: a joint whose rows are measured on a way, and the impulses that they have so far. Out: the impulses that they are to
have on this way, and how each row gives way to its own.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.rows import NONE, RIGID, SOFT, ease_of, joint_of, row_of
from carom.world.joints.tables import DRAG, Graph, Joint
from carom.world.step.declared import Table

YIELDS = 1e-12
"""Share of what a row gives way by itself by which a rigid joint gives way, so that joints that say the same agree."""
GIVES_ALL = 1e30
"""Times the same by which a row gives way that pulls at nothing."""


@inner
def share_of_end(joint: Joint, own: float, length: float) -> float:
    """Return how much of a spring's force is that of the end: half, or all where it is far too quick for a step."""
    turn, slowing = length * math.sqrt(joint.stiffness * own), length * joint.resistance * own
    haste = min((turn / 6.0) ** 6 + (slowing / 4.0) ** 3, 1e14)
    return float(0.5 + 0.5 * haste / (1.0 + haste))


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
    gives = share * length * (joint.stiffness * share_of_end(joint, own, length) * length + joint.resistance)
    return float(1.0 / gives if gives > 0.0 else GIVES_ALL * own)


@inner
def spring_impulse(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse of a spring on the present way."""
    end = share_of_end(joint, ease_of(graph, joint, joint.jacobian, 6 * slot), length)
    before, now = joint.before[slot], joint.value[slot]
    if joint.held[slot] == RIGID:  # a limit or a motor holds in the same row
        now += joint.hold_at[slot] - joint.rest
    force = joint.stiffness * (end * now + (1.0 - end) * before) + joint.resistance * (now - before) / length
    return float(-share * length * force)


@inner
def expected_of_drag(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse of a drag's spring once its bodies have given way to it, as they do without other joints."""
    own = ease_of(graph, joint, joint.jacobian, 6 * slot)
    ease = ease_of_spring(joint, own, length, share)
    lacks = spring_impulse(graph, joint, slot, length, share) - joint.turn[slot]
    return float(joint.turn[slot] + lacks * ease / (ease + own))


@inner
def impulse_of_soft(graph: Graph, joint: Joint, slot: int, length: float, share: float) -> float:
    """Return the impulse that the spring of a joint is to have, and a motor at its bound in the same row gives.

    Of a drag, write how its row gives way to it.
    A drag is a spring, or has its largest force, by the impulse that is expected: that on the present way may be far
    off, and have the drag be the one and the other in turn without end.
    """
    if joint.kind != DRAG:
        motor = joint.side[slot] * joint.most * share * length
        return float(spring_impulse(graph, joint, slot, length, share) + motor)
    x = expected_of_drag(graph, joint, 0, length, share)
    y = expected_of_drag(graph, joint, 1, length, share)
    pulls, most = math.sqrt(x * x + y * y), joint.most * share * length
    own = ease_of(graph, joint, joint.jacobian, 6 * slot)
    if pulls <= most:
        joint.ease[slot] = ease_of_spring(joint, own, length, share)
        return spring_impulse(graph, joint, slot, length, share)
    joint.ease[slot] = GIVES_ALL * own
    return float(most / pulls * (x if slot == 0 else y))
