"""Limits and motors where the ways of an island end: taut ones turn velocities, others stop what meets them.

In: the bounded rows of an island whose ways are found, and the velocities there. Out: velocities that the limits allow
which were run into, what each pushed, and what joints do late for that.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom.world.joints.bounded import LOWER, MOTOR, UPPER, fixed_rate, own_length, write_bounded
from carom.world.joints.kinds import ANGLE
from carom.world.joints.mechanism import add_late, clear_places
from carom.world.joints.rows import arm_of, driven, limited, rate, secant
from carom.world.joints.tables import Joint
from carom.world.step.constants import FEW_TURNS
from carom.world.step.declared import Table
from carom.world.step.notes import Notes
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.minimise import minimise
from carom.world.step.solve.rows import Rows, add_impulse, speed_along, spread
from carom.world.step.solve.speeds import clear
from carom.world.step.tables import Tables

ABRUPTLY = 0.25
"""Share of what a limit changes of its own speed in a step: with more of it before, the limit was run into."""
STOPPED = 1e-12
"""Share of the fastest speed along limits that is left where they stop what runs into them."""


@kernel
def note_starts(joints: Table[Joint], rows: Rows, first: int, last: int) -> None:
    """Note as `share` how fast the limits and motors of an island moved where its ways begin; there its bodies are."""
    graph = rows.graph
    for r in range(first, last):
        joint, which = joints[rows.table[r].bound // 4], rows.table[r].bound % 4
        secant(graph.pose, joint, driven(joint) if which == MOTOR else limited(joint), graph.row, 0)
        rows.table[r].share = rate(graph.speed, joint, graph.row, 0)


@kernel
def are_run_into(joints: Table[Joint], rows: Rows, first: int, last: int) -> bool:
    """Tell whether a limit of an island was run into on its ways, or a motor drives it.

    A limit that pushes all the while, as a taut rope does, turns the velocity as a rod does, and keeps the energy; one
    that is run into would throw back. The velocities are those where the ways end.
    """
    graph = rows.graph
    for r in range(first, last):
        row = rows.table[r]
        joint = joints[row.bound // 4]
        if row.bound % 4 == MOTOR:
            return True
        if row.impulse > 0.0:
            secant(graph.pose, joint, limited(joint), graph.row, 0)
            left, way = rate(graph.speed, joint, graph.row, 0), rate(graph.way, joint, graph.row, 0)
            if abs(row.share) > ABRUPTLY * 2.0 * abs(left - way):
                return True
    return False


@kernel
def stop_at_limits(
    w: Tables, solving: Notes, rows: Rows, islands: Islands, s: int, first: int, last: int, length: float
) -> None:
    """Have limits that have pushed take what closes them yet, and motors what is left of their force."""
    graph, joints = rows.graph, w.joints.table
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3):
            if p >= 0:
                rows.speed[k, c] = graph.root[p, c] * graph.speed[p, c]
    fastest = 0.0
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        before = row.impulse / row.length
        what, sign = driven(joint) if which == MOTOR else limited(joint), -1.0 if which == UPPER else 1.0
        write_bounded(w, solving, rows, joint, row, what, high - 1, sign)
        secant(graph.pose, joint, what, graph.row, 0)
        fixed = sign * fixed_rate(graph, joint, graph.speed)
        row.wanted = ((joint.speed if which == MOTOR else 0.0) - fixed) / own_length(graph, joint, row, what)
        if which == MOTOR:
            most = joint.most * length / arm_of(graph, joint, what)
            row.low, row.high = (-most - 2.0 * before) * row.length, (most - 2.0 * before) * row.length
        else:
            row.low, row.high = -2.0 * before * row.length, math.inf if before > 0.0 else 0.0
        row.share, row.impulse = before, 0.0
        fastest = max(fastest, (abs(row.wanted) + abs(speed_along(row, rows.speed))) * row.length)
    minimise(rows, first, last, low, high, STOPPED * fastest, 4 * FEW_TURNS, 0.0)
    add_late_pushes(joints, rows, first, last, 1.0)
    hand_on_late(joints, rows, first, last, low, high)
    for r in range(first, last):
        row = rows.table[r]
        row.impulse = row.share * row.length + 0.5 * row.impulse
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3):
            if p >= 0 and graph.root[p, c] > 0.0:
                graph.speed[p, c] = rows.speed[k, c] / graph.root[p, c]


@kernel
def add_late_pushes(joints: Table[Joint], rows: Rows, first: int, last: int, times: float) -> None:
    """Add the impulses of limits and motors, so many times, to what their joints do by the end of the way."""
    graph = rows.graph
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        what = driven(joint) if which == MOTOR else limited(joint)
        if what == ANGLE:
            impulse = row.impulse / own_length(graph, joint, row, what)
            joint.late[2] += times * (-impulse if which == UPPER else impulse)
            continue
        for c in range(2):
            # What cannot be moved has no momentum of its own: it is told that of the other, the other way.
            own, other = graph.root[joint.place_a, c], graph.root[joint.place_b, c]
            one, two = own * row.jacobian[c], other * row.jacobian[3 + c]
            joint.late[c] += times * row.impulse * (one if own > 0.0 else -two)
            joint.late_b[c] += times * row.impulse * (two if other > 0.0 else -one)


@kernel
def hand_on_late(joints: Table[Joint], rows: Rows, first: int, last: int, low: int, high: int) -> None:
    """Add what rigid rows do where limits and motors act at the end of the way to what their joints do by then."""
    clear(rows.push, low, high)
    for r in range(first, last):
        add_impulse(rows.table[r], rows.push, rows.table[r].impulse)
    for at in range(rows.graph.listed[0]):
        clear_places(rows.graph.x, rows.graph, rows.graph.listed[1 + at])
    spread(rows, low, high, False, 0.0)
    for at in range(rows.graph.listed[0]):
        add_late(joints, rows.graph, rows.graph.listed[1 + at], 1.0)


@kernel
def note_pushes(joints: Table[Joint], rows: Rows, first: int, last: int, time: float) -> None:
    """Note the forces of limits and motors."""
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        if which != UPPER:
            own = own_length(rows.graph, joint, row, driven(joint) if which == MOTOR else limited(joint))
            joint.push[0 if which == LOWER else 1] = row.impulse / own / time
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        if which == UPPER:
            below = joint.push[0] if joint.low > -math.inf else 0.0
            joint.push[0] = below - row.impulse / own_length(rows.graph, joint, row, limited(joint)) / time
