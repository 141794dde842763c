"""Single calls of one body or joint as one compiled call each: its motion is read, or it is told another.

In: the addresses of a world's tables, a row and the number of the body or joint, which is never given twice. Out: its
motion, NaN where it is gone; or whether it was told. What is told is checked before. A kernel that is handed
all tables one by one takes 5 us for that alone, and to tell a body a velocity takes two such kernels.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import LARGEST
from carom.world.addressed import tables_at
from carom.world.changes.bodies import (
    begin_change,
    place_bodies,
    place_body,
    put_bodies,
    put_body,
    turn_bodies,
    turn_body,
)
from carom.world.reports.motion import Motion, motion_in
from carom.world.step.tables import BETWEEN, DYNAMIC, GONE, KINEMATIC, STATIC, Tables
from carom.world.step.ways.motion import forget_target, place_now
from carom.world.step.ways.setting_off import rouse, stir
from carom.world.step.ways.writer import tell

VELOCITY, SPIN, FORCE, IMPULSE, POSITION, ANGLE = range(6)
"""What a body is told."""


@inner
def is_there(w: Tables, row: int, serial: int) -> bool:
    """Tell whether a body is in its world."""
    return bool(0 <= row < w.bodies.shape[0] and w.bodies[row].serial == serial and w.bodies[row].kind != GONE)


@kernel
def motion_at(table: Integers, row: int, serial: int) -> Motion:
    """Return the motion of a body; x is NaN if it is gone."""
    w = tables_at(table)
    if not is_there(w, row, serial):
        return math.nan, 0.0, 0.0, 0.0, 0.0, 0.0
    return motion_in(w.state[0], w.bodies[row], w.courses[row].since)


@kernel
def tell_at(table: Integers, row: int, serial: int, what: int, x: float, y: float, at_x: float, at_y: float) -> bool:
    """Tell a body between steps a VELOCITY, a SPIN, a FORCE or an IMPULSE at a point, NaN for its centre; or a place.

    Returns False, and nothing is changed, where that is not allowed; or takes more care, as a POSITION or an ANGLE does
    if the body has joints, or anything is in a sensor.
    """
    w = tables_at(table)
    if w.state[0].phase != BETWEEN or not is_there(w, row, serial):
        return False
    body, puts = w.bodies[row], what >= POSITION
    if body.kind < (STATIC if puts else (KINEMATIC if what <= SPIN else DYNAMIC)):
        return False
    if puts and (body.joint != 0 or w.state[0].inside != 0):
        return False
    vx, vy, spin = body.vx, body.vy, body.spin
    if what == VELOCITY:
        vx, vy = x, y
    elif what == SPIN:
        spin = x
    elif what == IMPULSE:
        own_x, own_y, _, _, _, _ = motion_in(w.state[0], body, w.courses[row].since)
        turn = 0.0 if math.isnan(at_x) else (at_x - own_x) * y - (at_y - own_y) * x
        vx, vy = vx + body.inverse_mass * x, vy + body.inverse_mass * y
        spin = spin + body.inverse_inertia * turn if body.inverse_inertia > 0.0 else spin
    elif what == FORCE:
        mass = 1.0 / body.inverse_mass
        x, y = x / mass, y / mass
    if not max(abs(x), abs(y), abs(vx), abs(vy), abs(spin)) <= LARGEST:
        return False
    rows = np.empty(1, np.int64)
    rows[0] = row
    begin_change(w, rows)
    if what == FORCE:
        body.acceleration_x, body.acceleration_y = x, y
    elif what == POSITION:
        put_body(w, row, x, y)
    elif what == ANGLE:
        turn_body(w, row, x)
    else:
        forget_target(w.courses[row])
        tell(body, w.courses[row], vx, vy, spin)
    place_body(w, row)
    return True


@inner
def holds(w: Tables, row: int, serial: int, kinds: int) -> bool:
    """Tell whether a joint is there, unbroken, and of one of some kinds, given by bits."""
    if not 0 <= row < w.joints.table.shape[0]:
        return False
    joint = w.joints.table[row]
    return bool(joint.serial == serial and joint.broken == 0 and (kinds >> joint.kind) & 1)


@kernel
def joint_angle_at(table: Integers, row: int, serial: int, kinds: int) -> float:
    """Return the angle of a joint of one of some kinds, given by bits; NaN if it is gone, or of another."""
    w = tables_at(table)
    if not holds(w, row, serial, kinds):
        return math.nan
    joint = w.joints.table[row]
    other = 0.0 if joint.b < 0 else place_now(w.state[0], w.bodies[joint.b])[2]
    return float(place_now(w.state[0], w.bodies[joint.a])[2] + joint.ratio * other - joint.zero)


@kernel
def set_motor_at(table: Integers, row: int, serial: int, kinds: int, speed: float) -> bool:
    """Set the speed of the motor of a joint of one of some kinds, between steps, and wake what it drives.

    Returns False, and nothing is changed, if that is not allowed.
    """
    w = tables_at(table)
    if w.state[0].phase != BETWEEN or not holds(w, row, serial, kinds):
        return False
    joint = w.joints.table[row]
    joint.speed = speed
    for number in (min(joint.a, joint.b), max(joint.a, joint.b)):
        if number >= 0 and w.bodies[number].kind == DYNAMIC:
            rouse(w, number)
            stir(w.rests[number])
    return True


@kernel
def begin_change_at(table: Integers, rows: Integers) -> None:
    """Wake and move the bodies that are about to be changed, as `begin_change` does."""
    begin_change(tables_at(table), rows)


@kernel
def place_bodies_at(table: Integers, rows: Integers) -> None:
    """Let changed bodies take part, as `place_bodies` does."""
    place_bodies(tables_at(table), rows)


@kernel
def put_bodies_at(table: Integers, rows: Integers, positions: Floats) -> None:
    """Put bodies elsewhere, as `put_bodies` does."""
    put_bodies(tables_at(table), rows, positions)


@kernel
def turn_bodies_at(table: Integers, rows: Integers, angles: Floats) -> None:
    """Turn bodies to some angles, as `turn_bodies` does."""
    turn_bodies(tables_at(table), rows, angles)
