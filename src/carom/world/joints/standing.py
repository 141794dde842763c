"""How a joint stands, as a kernel finds it: its angle, its offset, how far it gapes, and how fast it moves.

In: a world's tables and the row of a joint. Out: plain numbers, at the present instant; nothing is moved. One rule
serves a joint that is asked, and all joints of many copies. World frame, user's units, radians.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.addressed import tables_at
from carom.world.joints.kinds import GEAR, PIN, PULLEY, REMOVED, ROD, ROPE, SLIDE, SPRING, WELD, WHEEL
from carom.world.joints.tables import Joint
from carom.world.step.tables import BETWEEN, STATIC, Tables
from carom.world.step.ways.motion import place_now, velocity_now

ANGLE, OFFSET, ERROR, SPEED = range(4)
"""Columns of what is found of a joint."""

Stand = tuple[float, float, float, float, float, float]
"""Anchor, angle, and the velocity of the anchor with the spin."""


@inner
def stand_of(w: Tables, row: int, x: float, y: float) -> Stand:
    """Return how an anchor of a body, relative to it at angle 0, stands and moves; row -1 is the world."""
    if row < 0:
        return x, y, 0.0, 0.0, 0.0, 0.0
    state, body = w.state[0], w.bodies[row]
    at_x, at_y, angle = place_now(state, body)
    vx, vy, spin = body.vx, body.vy, body.spin
    if state.phase != BETWEEN and body.kind != STATIC:
        vx, vy, spin = velocity_now(state, body, w.courses[row].since)
    c, s, _ = cos_sin_of(angle)
    arm_x, arm_y = c * x - s * y, s * x + c * y
    return at_x + arm_x, at_y + arm_y, angle, vx - spin * arm_y, vy + spin * arm_x, spin


@inner
def find_standing(w: Tables, joint: Joint) -> tuple[float, float, float, float]:
    """Return the ANGLE, the OFFSET, the ERROR and the SPEED of a joint; NaN for what its kind does not have.

    The error adds up by how much rows that hold fast are off, angles as radians, and by how much limits are passed.
    """
    kind, angle, offset, speed = joint.kind, math.nan, math.nan, math.nan
    ax, ay, a_angle, avx, avy, a_spin = stand_of(w, joint.a, joint.ax, joint.ay)
    bx, by, b_angle, bvx, bvy, b_spin = stand_of(w, joint.b, joint.bx, joint.by)
    x, y, turned = ax - bx, ay - by, a_angle + joint.ratio * b_angle - joint.zero
    length = math.sqrt(x * x + y * y)
    gap, measured = 0.0, 0.0
    if kind == PIN or kind == WELD:
        gap, measured = length, turned
    elif kind == SLIDE or kind == WHEEL:
        c, s, _ = cos_sin_of(b_angle)
        along_x, along_y = c * joint.axis_x - s * joint.axis_y, s * joint.axis_x + c * joint.axis_y
        gap, measured = abs(x * along_y - y * along_x), x * along_x + y * along_y
        offset = measured
        # The axis turns with b, so the anchor of a slides along it by its velocity seen from b.
        speed = (avx - bvx + b_spin * y) * along_x + (avy - bvy - b_spin * x) * along_y
    elif kind == ROD:
        gap = abs(length - joint.length)
    elif kind == PULLEY:
        one = math.sqrt((ax - joint.over_ax) ** 2 + (ay - joint.over_ay) ** 2)
        measured = one + joint.ratio * math.sqrt((bx - joint.over_bx) ** 2 + (by - joint.over_by) ** 2)
    elif kind == ROPE or kind == SPRING:
        measured = length
    if kind == SLIDE or kind == GEAR or (kind == WELD and joint.sprung == 0):
        gap += abs(turned)
    if kind == PIN or kind == WELD or kind == WHEEL:
        angle, speed = turned, a_spin + joint.ratio * b_spin
    return angle, offset, gap + max(joint.low - measured, measured - joint.high, 0.0), speed


@kernel
def find_standing_at(table: Integers, row: int) -> tuple[float, float, float, float]:
    """Return how a joint stands, as `find_standing` does."""
    w = tables_at(table)
    return find_standing(w, w.joints.table[row])


@kernel
def write_standing(tables: Integers, out: Floats) -> None:
    """Write how all joints of copies stand into (n, rows, 4); NaN where there is none, or one has broken."""
    for k in range(out.shape[0]):
        w = tables_at(tables[k])
        for row in range(out.shape[1]):
            joint = w.joints.table[row]
            if joint.kind == REMOVED or joint.broken != 0:
                out[k, row, :] = math.nan
            else:
                out[k, row, ANGLE], out[k, row, OFFSET], out[k, row, ERROR], out[k, row, SPEED] = find_standing(
                    w, joint
                )
