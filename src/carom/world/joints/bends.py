"""The acceleration that joints give to a body which nothing touches: by the bend of its way, springs and motors.

In: a jointed body with its velocity, at the start of a step. Out: how large the acceleration is, at most. What joints
press is pressed as what falls is: without gravity, too, a rope that winds round a post lies on it.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.rows import ANGLE, SOFT, driven, row_of
from carom.world.joints.tables import PIN, ROD, ROPE, SLIDE, WELD, WHEEL, Joint
from carom.world.step.tables import Body, Tables


@kernel
@left_out(0.0)
def pull_of_joints(w: Tables, number: int) -> float:
    """Return the acceleration that the joints of a body give to its fastest point, as if all pulled one way."""
    body, total, k = w.bodies[number], 0.0, w.bodies[number].joint - 1
    while k >= 0:
        joint = w.joints.table[k]
        total += bend_of(w, joint) + drive_of(body, joint)
        k = (joint.next_a if joint.a == number else joint.next_b) - 1
    return total


@inner
def bend_of(w: Tables, joint: Joint) -> float:
    """Return by what acceleration the anchors of a joint would part at most, if both bodies went on as they do."""
    a = w.bodies[joint.a]
    lever = math.sqrt(joint.ax * joint.ax + joint.ay * joint.ay)
    bend, x, y, vx, vy, spin = a.spin * a.spin * lever, a.x - joint.bx, a.y - joint.by, a.vx, a.vy, 0.0
    far, speed = lever, abs(a.spin) * lever
    if joint.b >= 0:
        b = w.bodies[joint.b]
        lever = math.sqrt(joint.bx * joint.bx + joint.by * joint.by)
        bend, x, y, vx, vy, spin = bend + b.spin * b.spin * lever, a.x - b.x, a.y - b.y, vx - b.vx, vy - b.vy, b.spin
        far, speed = far + lever, speed + abs(b.spin) * lever
    if joint.kind == PIN or joint.kind == WELD:
        return bend
    speed += math.sqrt(vx * vx + vy * vy)
    if joint.kind == SLIDE or joint.kind == WHEEL:
        far += math.sqrt(x * x + y * y)
        return bend + abs(spin) * (abs(spin) * far + 2.0 * speed)
    length = joint.length if joint.kind == ROD else joint.high
    return bend + speed * speed / length if joint.kind == ROD or joint.kind == ROPE else 0.0


@inner
def drive_of(body: Body, joint: Joint) -> float:
    """Return the acceleration that a spring or motor by itself has given to a body in the step before."""
    total, turns, motor = 0.0, body.inverse_inertia * body.sweep, driven(joint)
    for slot in range(3):
        what, role = row_of(joint, slot)
        if role == SOFT:
            total += abs(joint.pull[slot]) * (turns if what == ANGLE else body.inverse_mass + turns * body.sweep)
    if motor >= 0:
        total += abs(joint.push[1]) * (turns if motor == ANGLE else body.inverse_mass + turns * body.sweep)
    return total
