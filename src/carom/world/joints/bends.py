"""The acceleration that joints give to a body which nothing touches: by the bend of its way, springs and motors.

In: a jointed body with its velocity, at the start of a step. Out: how large the acceleration is, at most. What joints
press is pressed as what falls is: without gravity, too, a rope that winds round a post lies on it.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.kinds import ALONG, ANGLE, BENDS, BY_AXIS, BY_LEVERS, BY_REACH, MOTOR_KIND, ROD, SOFT, STRAIGHT
from carom.world.joints.rows import driven, is_driving, row_of
from carom.world.joints.tables import Joint
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
    bends = BENDS[joint.kind]
    if bends == STRAIGHT or bends == BY_LEVERS:
        return bend if bends == BY_LEVERS else 0.0
    if bends == BY_REACH:
        return bend + bend_about(a, joint.over_ax, joint.over_ay) + reach_bend_of(w, joint)
    speed += math.sqrt(vx * vx + vy * vy)
    if bends == BY_AXIS:
        far += math.sqrt(x * x + y * y)
        return bend + abs(spin) * (abs(spin) * far + 2.0 * speed)
    return bend + speed * speed / (joint.length if joint.kind == ROD else joint.high)


@inner
def reach_bend_of(w: Tables, joint: Joint) -> float:
    """Return the same of body b about the point of the world over which its side of a pulley runs."""
    return bend_about(w.bodies[joint.b], joint.over_bx, joint.over_by) if joint.b >= 0 else 0.0


@inner
def bend_about(body: Body, x: float, y: float) -> float:
    """Return the acceleration of a body that goes round a point of the world."""
    far, square = math.sqrt((body.x - x) ** 2 + (body.y - y) ** 2), body.vx * body.vx + body.vy * body.vy
    return square / max(far, body.sweep) if far + body.sweep > 0.0 else 0.0


@inner
def drive_of(w: Tables, body: Body, joint: Joint) -> float:
    """Return the acceleration that a spring or motor by itself gives to a body, from its force in the step before.

    A motor gives no more than takes away the speed that it lacks: its torque may be far beyond what that needs.
    """
    total, turns, motor = 0.0, body.inverse_inertia * body.sweep, driven(joint)
    for slot in range(3 if joint.kind != MOTOR_KIND else 0):
        what, role = row_of(joint, slot)
        if role == SOFT:
            total += abs(joint.pull[slot]) * (turns if what == ANGLE else body.inverse_mass + turns * body.sweep)
    if joint.kind == MOTOR_KIND:
        total += min(brake_of(body, joint), lack_of(w, joint, ALONG) + lack_of(w, joint, ANGLE) * body.sweep)
    elif motor == ANGLE:
        total += min(abs(joint.push[1]) * turns, lack_of(w, joint, ANGLE) * body.sweep)
    elif motor >= 0 and body.inverse_mass > 0.0:
        gives = body.inverse_mass + turns * body.sweep
        total += gives * min(abs(joint.push[1]), lack_of(w, joint, motor) / body.inverse_mass)
    return total


@inner
def brake_of(body: Body, joint: Joint) -> float:
    """Return the acceleration that the motor of a body may give to its fastest point."""
    turns = body.inverse_inertia * body.sweep
    return joint.most * (body.inverse_mass + turns * body.sweep) + joint.most_torque * turns


@kernel
@left_out(0.0)
def brakes_of(w: Tables, number: int) -> float:
    """Return the acceleration that the motors of a body may give it which are to bring it to rest."""
    body, total, k = w.bodies[number], 0.0, w.bodies[number].joint - 1
    while k >= 0:
        joint = w.joints.table[k]
        if joint.kind == MOTOR_KIND and not is_driving(joint):
            total += brake_of(body, joint)
        k = (joint.next_a if joint.a == number else joint.next_b) - 1
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
    asked = math.sqrt(joint.velocity_x**2 + joint.velocity_y**2) if joint.kind == MOTOR_KIND else abs(joint.speed)
    return (asked + fast) / w.state[0].length
