"""Rows of joints: the value of each one at the end of a way, and by how much it changes with the two bodies.

In: a joint, and for both its bodies where they begin and end a way. Out: values, which are 0 where a rigid joint holds,
and six numbers for each row: how it changes with x, y and angle of `a`, then of `b`. These are discrete gradients:
along them the change of a row is exactly that of its value (O. Gonzalez, "Exact energy and momentum conserving
algorithms for general models in nonlinear elasticity", 1999), so that impulses along them do no work while the joint
holds.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.kinds import (
    ALONG,
    ANGLE,
    DISTANCE,
    HOLDS,
    IF_SPRUNG,
    LIMITS,
    MEASURES,
    MOTOR_KIND,
    MOTORS,
    NO_SLOT,
    NONE,
    RIGID,
    ROD,
    ROLES,
    SOFT,
    SUM,
    UNLESS_SPRUNG,
    X,
    Y,
)
from carom.world.joints.tables import WORLD, Graph, Joint
from carom.world.step.declared import Table

X0, Y0, ANGLE0, X1, Y1, ANGLE1 = 0, 1, 2, 3, 4, 5
COS, SIN, HALF_COS, HALF_SIN, CHORD, COS0, SIN0 = 6, 7, 8, 9, 10, 11, 12
"""Columns of `pose`: the start, the end, cosine and sine of the angle between both, of half the turn, the sine of half
the turn over it, and cosine and sine of the angle at the start."""

SMALL_TURN = 0.5
"""Radians up to which the series of sine and cosine below are exact: their next terms are less than 1e-16."""


@inner
def set_start(pose: Floats, p: int, x: float, y: float, angle: float) -> None:
    """Write where a body begins its way."""
    pose[p, X0], pose[p, Y0], pose[p, ANGLE0] = x, y, angle
    pose[p, COS0], pose[p, SIN0] = math.cos(angle), math.sin(angle)


@inner
def set_end(pose: Floats, p: int, x: float, y: float, angle: float) -> None:
    """Write where a body ends its way."""
    pose[p, X1], pose[p, Y1], pose[p, ANGLE1] = x, y, angle
    half = 0.5 * (angle - pose[p, ANGLE0])
    c, s, chord = half_turn(half)
    pose[p, COS], pose[p, SIN] = c * pose[p, COS0] - s * pose[p, SIN0], c * pose[p, SIN0] + s * pose[p, COS0]
    pose[p, HALF_COS], pose[p, HALF_SIN], pose[p, CHORD] = c, s, chord


@inner
def half_turn(x: float) -> tuple[float, float, float]:
    """Return cosine and sine of an angle, and the sine over it."""
    if abs(x) > SMALL_TURN:
        return math.cos(x), math.sin(x), math.sin(x) / x
    q = x * x
    chord = 1.0 - q * (1.0 / 110.0) * (1.0 - q * (1.0 / 156.0))
    chord = 1.0 - q * (1.0 / 42.0) * (1.0 - q * (1.0 / 72.0) * chord)
    chord = 1.0 - q * (1.0 / 6.0) * (1.0 - q * (1.0 / 20.0) * chord)
    c = 1.0 - q * (1.0 / 132.0) * (1.0 - q * (1.0 / 182.0))
    c = 1.0 - q * (1.0 / 56.0) * (1.0 - q * (1.0 / 90.0) * c)
    c = 1.0 - q * 0.5 * (1.0 - q * (1.0 / 12.0) * (1.0 - q * (1.0 / 30.0) * c))
    return c, x * chord, chord


@inner
def begin_at_end(pose: Floats, p: int) -> None:
    """Have a body begin a way where its way ends, and stay there."""
    set_start(pose, p, pose[p, X1], pose[p, Y1], pose[p, ANGLE1])
    pose[p, COS], pose[p, SIN], pose[p, HALF_COS], pose[p, HALF_SIN] = pose[p, COS0], pose[p, SIN0], 1.0, 0.0
    pose[p, CHORD] = 1.0


@inner
def joint_of(graph: Graph, p: int) -> int:
    """Return the row of the joint in a place; -1 if it is that of a body."""
    return int(-2 - graph.node[p]) if graph.node[p] < WORLD else -1


@inner
def row_of(joint: Joint, slot: int) -> tuple[int, int]:
    """Return what an eliminated row of a joint measures, and what it is for; `held` rows are there for a while only."""
    what = MEASURES[3 * joint.kind + slot]
    return what, joint.held[slot] if joint.held[slot] != NONE else own_role(joint, slot)


@inner
def own_role(joint: Joint, slot: int) -> int:
    """Return what a row of a joint is for where no limit and no motor holds in it."""
    role = ROLES[3 * joint.kind + slot]
    if role == IF_SPRUNG:
        return SOFT if joint.sprung != 0 else NONE
    if role == UNLESS_SPRUNG:
        return SOFT if joint.sprung != 0 else RIGID
    return role


@inner
def slot_of_limit(kind: int) -> int:
    """Return in which slot the limit of a joint has its place, or would have."""
    return LIMITS[kind] if LIMITS[kind] != NO_SLOT else 2


@inner
def arm_of(graph: Graph, joint: Joint, what: int) -> float:
    """Return by what a measure of a joint is a displacement: 1, or of an angle how far its bodies reach."""
    if what != ANGLE:
        return 1.0
    arm = max(graph.reach[joint.place_a], graph.reach[joint.place_b])
    return arm if arm > 0.0 else 1.0


@inner
def limited(joint: Joint) -> int:
    """Return what the limits of a joint bound; -1 if it has none."""
    if joint.low == -math.inf and joint.high == math.inf:
        return -1
    slot = LIMITS[joint.kind]
    return MEASURES[3 * joint.kind + slot] if slot != NO_SLOT else -1


@inner
def driven(joint: Joint) -> int:
    """Return what the motor of a joint drives; -1 if it has none."""
    if joint.most == 0.0:
        return -1
    slot = MOTORS[joint.kind]
    return MEASURES[3 * joint.kind + slot] if slot != NO_SLOT else -1


@inner
def is_driving(joint: Joint) -> bool:
    """Tell whether a motor is to keep something moving."""
    if joint.kind != MOTOR_KIND:
        return bool(joint.most != 0.0 and joint.speed != 0.0)
    along = joint.most != 0.0 and (joint.velocity_x != 0.0 or joint.velocity_y != 0.0)
    return bool(along or (joint.most_torque != 0.0 and joint.speed != 0.0))


@inner
def has_bounds(joint: Joint) -> bool:
    """Tell whether a joint has a limit or a motor, which no elimination bounds."""
    return bool(limited(joint) >= 0 or driven(joint) >= 0)


@kernel
def can_fly(joints: Table[Joint], graph: Graph, m: int) -> bool:
    """Tell whether a mechanism has no limits and motors, or no loops, through the world neither.

    In loops limits and motors that hold may contradict each other, and no turn would tell which of them gives way.
    Drags and motors of bodies hold nothing.
    """
    bounded, anchored, loose = False, False, 0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            loose += 1
            continue
        bounded = bounded or has_bounds(joints[k])
        if HOLDS[joints[k].kind] != 0:
            loose -= 1
            anchored = anchored or max(joints[k].place_a, joints[k].place_b) >= graph.middle[m]
    return not bounded or loose > 0 or (anchored and loose == 0)


@inner
def zero_of(joint: Joint, slot: int, role: int) -> float:
    """Return what a row measures where it holds, or where its spring is at rest."""
    if role == SOFT:
        return float(joint.rest)
    if joint.held[slot] == RIGID:
        return float(joint.hold_at[slot])
    return float(joint.length) if joint.kind == ROD else 0.0


@kernel
def secant(pose: Floats, joint: Joint, what: int, jacobian: Floats, at: int) -> float:
    """Return what a row measures at the end of both ways, and write its discrete gradient from place `at` on."""
    p, q = joint.place_a, joint.place_b
    if what == ANGLE:
        for c in range(6):
            jacobian[at + c] = 0.0
        jacobian[at + 2], jacobian[at + 5] = 1.0, joint.ratio
        return float(pose[p, ANGLE1] + joint.ratio * pose[q, ANGLE1] - joint.zero)
    if what == SUM:
        one = reach_of(pose, p, joint.ax, joint.ay, joint.over_ax, joint.over_ay, 1.0, jacobian, at)
        return one + reach_of(pose, q, joint.bx, joint.by, joint.over_bx, joint.over_by, joint.ratio, jacobian, at + 3)
    ax = pose[p, COS] * joint.ax - pose[p, SIN] * joint.ay
    ay = pose[p, SIN] * joint.ax + pose[p, COS] * joint.ay
    bx = pose[q, COS] * joint.bx - pose[q, SIN] * joint.by
    by = pose[q, SIN] * joint.bx + pose[q, COS] * joint.by
    co_a, si_a, co_b, si_b = pose[p, HALF_COS], pose[p, HALF_SIN], pose[q, HALF_COS], pose[q, HALF_SIN]
    # From the anchor of b to that of a: the mean of start and end, and half of the change.
    mx = 0.5 * ((pose[p, X0] - pose[q, X0]) + (pose[p, X1] - pose[q, X1])) + (co_a * ax - co_b * bx)
    my = 0.5 * ((pose[p, Y0] - pose[q, Y0]) + (pose[p, Y1] - pose[q, Y1])) + (co_a * ay - co_b * by)
    ex = 0.5 * ((pose[p, X1] - pose[p, X0]) - (pose[q, X1] - pose[q, X0])) - (si_a * ay - si_b * by)
    ey = 0.5 * ((pose[p, Y1] - pose[p, Y0]) - (pose[q, Y1] - pose[q, Y0])) + (si_a * ax - si_b * bx)
    dx, dy = mx + ex, my + ey
    reach_x, reach_y = mx + co_b * bx, my + co_b * by  # from the middle of b's way to that of the anchor of a
    ax, ay, bx, by = pose[p, CHORD] * ax, pose[p, CHORD] * ay, pose[q, CHORD] * bx, pose[q, CHORD] * by
    ux, uy, turn, value = 1.0, 0.0, 0.0, dx
    if what == Y:
        ux, uy, value = 0.0, 1.0, dy
    elif what == DISTANCE:
        value = math.sqrt(dx * dx + dy * dy)
        total = value + math.sqrt((mx - ex) * (mx - ex) + (my - ey) * (my - ey))
        if total > 0.0:
            ux, uy = 2.0 * mx / total, 2.0 * my / total
    elif what != X:
        tx, ty = (joint.axis_x, joint.axis_y) if what == ALONG else (-joint.axis_y, joint.axis_x)
        tx, ty = pose[q, COS] * tx - pose[q, SIN] * ty, pose[q, SIN] * tx + pose[q, COS] * ty
        ux, uy = co_b * tx, co_b * ty
        turn = pose[q, CHORD] * (tx * my - ty * mx)
        value = (ux - si_b * ty) * dx + (uy + si_b * tx) * dy
    if joint.kind == MOTOR_KIND:  # it acts on b where a is, too
        bx, by = reach_x, reach_y
    jacobian[at], jacobian[at + 1], jacobian[at + 2] = ux, uy, ax * uy - ay * ux
    jacobian[at + 3], jacobian[at + 4], jacobian[at + 5] = -ux, -uy, turn - (bx * uy - by * ux)
    return float(value)


@inner
def reach_of(
    pose: Floats, p: int, ax: float, ay: float, x: float, y: float, times: float, jacobian: Floats, at: int
) -> float:
    """Return so many times how far an anchor is from a point of the world where a way ends, and write its gradient."""
    lx, ly = pose[p, COS] * ax - pose[p, SIN] * ay, pose[p, SIN] * ax + pose[p, COS] * ay
    c, s = pose[p, HALF_COS], pose[p, HALF_SIN]
    mx, my = 0.5 * (pose[p, X0] + pose[p, X1]) - x + c * lx, 0.5 * (pose[p, Y0] + pose[p, Y1]) - y + c * ly
    ex, ey = 0.5 * (pose[p, X1] - pose[p, X0]) - s * ly, 0.5 * (pose[p, Y1] - pose[p, Y0]) + s * lx
    value = math.sqrt((mx + ex) * (mx + ex) + (my + ey) * (my + ey))
    total, ux, uy = value + math.sqrt((mx - ex) * (mx - ex) + (my - ey) * (my - ey)), 1.0, 0.0
    if total > 0.0:
        ux, uy = 2.0 * mx / total, 2.0 * my / total
    jacobian[at], jacobian[at + 1] = times * ux, times * uy
    jacobian[at + 2] = times * pose[p, CHORD] * (lx * uy - ly * ux)
    return times * value


@inner
def add_along(array: Floats, p: int, jacobian: Floats, at: int, impulse: float) -> None:
    """Add to a row of an array what an impulse does to the momenta of the body in that place."""
    array[p, 0] += impulse * jacobian[at]
    array[p, 1] += impulse * jacobian[at + 1]
    array[p, 2] += impulse * jacobian[at + 2]


@inner
def add_late_along(joint: Joint, what: int, jacobian: Floats, at: int, impulse: float) -> None:
    """Add what an impulse of a row does to both bodies to what its joint does by the end of the way."""
    if what == ANGLE:
        joint.late[2] += impulse * jacobian[at + 2]
        return
    for c in range(2):
        joint.late[c] += impulse * jacobian[at + c]
        joint.late_b[c] += impulse * jacobian[at + 3 + c]


@inner
def rate(array: Floats, joint: Joint, jacobian: Floats, at: int) -> float:
    """Return how fast a row changes with the velocities in an array."""
    p, q = joint.place_a, joint.place_b
    first = array[p, 0] * jacobian[at] + array[p, 1] * jacobian[at + 1] + array[p, 2] * jacobian[at + 2]
    second = array[q, 0] * jacobian[at + 3] + array[q, 1] * jacobian[at + 4] + array[q, 2] * jacobian[at + 5]
    return float(first + second)


@inner
def ease_of(graph: Graph, joint: Joint, jacobian: Floats, at: int) -> float:
    """Return by how much an impulse of 1 changes the rate of a row, of its two bodies alone."""
    p, q, total = joint.place_a, joint.place_b, 0.0
    for c in range(3):
        if graph.mass[p, c] > 0.0:
            total += jacobian[at + c] * jacobian[at + c] / graph.mass[p, c]
        if graph.mass[q, c] > 0.0:
            total += jacobian[at + 3 + c] * jacobian[at + 3 + c] / graph.mass[q, c]
    return total if total > 0.0 else 1.0  # a row that changes nothing pulls at nothing
