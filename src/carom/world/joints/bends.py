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
        total += bend_of(w, joint) + drive_of(w, body, joint)
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
def drive_of(w: Tables, body: Body, joint: Joint) -> float:
    """Return the acceleration that a spring or motor by itself gives to a body, from its force in the step before.

    A motor gives no more than takes away the speed that it lacks: its torque may be far beyond what that needs.
    """
    total, turns, motor = 0.0, body.inverse_inertia * body.sweep, driven(joint)
    for slot in range(3):
        what, role = row_of(joint, slot)
        if role == SOFT:
            total += abs(joint.pull[slot]) * (turns if what == ANGLE else body.inverse_mass + turns * body.sweep)
    if motor == ANGLE:
        total += min(abs(joint.push[1]) * turns, lack_of(w, joint, ANGLE) * body.sweep)
    elif motor >= 0 and body.inverse_mass > 0.0:
        gives = body.inverse_mass + turns * body.sweep
        total += gives * min(abs(joint.push[1]), lack_of(w, joint, motor) / body.inverse_mass)
    return total


@inner
def lack_of(w: Tables, joint: Joint, motor: int) -> float:
    """Return the acceleration that takes a motor to its speed within the step, at most."""
    a, spin, far, vx, vy = w.bodies[joint.a], 0.0, 0.0, w.bodies[joint.a].vx, w.bodies[joint.a].vy
    lever = math.sqrt(joint.ax * joint.ax + joint.ay * joint.ay)
    if joint.b >= 0:
        b = w.bodies[joint.b]
        spin, vx, vy = b.spin, vx - b.vx, vy - b.vy
        far = lever + math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y))
    if motor == ANGLE:
        return abs(joint.speed - (a.spin + joint.ratio * spin)) / w.state[0].length
    fast = math.sqrt(vx * vx + vy * vy) + abs(a.spin) * lever + abs(spin) * far  # of the anchor of a, seen from b
    return (abs(joint.speed) + fast) / w.state[0].length
