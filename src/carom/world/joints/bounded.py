"""The bounded rows of joints: limits and motors, as rows beside those of contacts.

In: the mechanisms of an island on their present ways. Out: rows that want a limit to hold where the ways end, or the
speed of a motor within its force; after a solver, what limits that have pushed take yet at the end, and forces. In
`Row.bound` a row says whose it is: four times its joint, and LOWER, UPPER or MOTOR.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.kinds import ANGLE, NONE, RIGID
from carom.world.joints.mechanism import NEARLY, close, measure_joints
from carom.world.joints.rows import arm_of, driven, joint_of, limited, rate, secant, slot_of_limit
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.notes import Notes
from carom.world.step.solve.rows import Row, Rows, add_impulse
from carom.world.step.tables import Tables

LEAST_GAP = 1e-9
"""Radians, or sizes of a body, of which on a limit is passed where a way begins."""
CLOSING_SIZES = 5.0
"""Sizes of a body a second, at which joints close that gape."""
CLOSINGS = 4
"""Times that ways are closed, each time with the limits held, too, that they have passed meanwhile."""
LOWER, UPPER, MOTOR = 0, 1, 2
"""Which bounded row of a joint one is."""
Parts = tuple[int, int, int, int]
"""Of an island's rows: the first one, the first of frictions, the first of limits and motors, and behind the last."""


@kernel
def list_bounded(w: Tables, solving: Notes, rows: Rows, first: int, time: float, still: int) -> int:
    """Write the rows of limits and motors of an island from row `first` on, without speeds; return behind the last one.

    Their impulses so far are in the speeds. `time` is that in which forces act on the ways.
    """
    graph, joints, r = rows.graph, w.joints.table, first
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        for p in range(graph.starts[m], graph.middle[m]):
            number = joint_of(graph, p)
            if number < 0 or joints[number].broken != 0:
                continue
            joint = joints[number]
            what = limited(joint)
            if what >= 0:
                bound_way(w, graph, joint, what)
            for upper in range(2 if what >= 0 else 0):
                if (joint.high if upper == 1 else joint.low) * (1.0 if upper == 1 else -1.0) < math.inf:
                    row = rows.table[r]
                    row.bound, row.low, row.high = 4 * number + upper, 0.0, math.inf
                    write_bounded(w, solving, rows, joint, row, what, still, 1.0 if upper == 0 else -1.0)
                    push = joint.push[0] if upper == 0 else -joint.push[0]
                    row.impulse = max(push, 0.0) * time * own_length(graph, joint, row, what)
                    add_impulse(row, rows.speed, row.impulse)
                    r += 1
            what = driven(joint)
            if what >= 0:
                row = rows.table[r]
                row.bound = 4 * number + MOTOR
                write_bounded(w, solving, rows, joint, row, what, still, 1.0)
                scale = time * own_length(graph, joint, row, what)
                row.low, row.high = -joint.most * scale, joint.most * scale
                row.impulse = min(max(joint.push[1] * scale, row.low), row.high)
                add_impulse(row, rows.speed, row.impulse)
                r += 1
    return r


@inner
def bound_way(w: Tables, graph: Graph, joint: Joint, what: int) -> None:
    """Write what a limit lets a joint measure where its way ends: no way closes what it begins beyond."""
    left, end = w.state[0].length - w.state[0].now, secant(graph.pose, joint, what, graph.row, 0)
    bound_from(w, joint, what, end - rate(graph.way, joint, graph.row, 0) * left)


@inner
def bound_from(w: Tables, joint: Joint, what: int, begun: float) -> None:
    """Write what a limit lets a joint measure where its way ends, of what it measures where that begins."""
    beyond = LEAST_GAP * (1.0 if what == ANGLE else w.bodies[joint.a].sweep)
    joint.lower = begun if begun < joint.low - beyond else joint.low
    joint.upper = begun if begun > joint.high + beyond else joint.high


@kernel
def bound_ways(w: Tables, graph: Graph, m: int) -> None:
    """Write what the limits of a mechanism let its joints measure where their ways end."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0 and limited(w.joints.table[k]) >= 0:
            bound_way(w, graph, w.joints.table[k], limited(w.joints.table[k]))


@inner
def bind_limits(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Have the limits of a mechanism hold, wherever its ways begin."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0:
            joints[k].lower, joints[k].upper = joints[k].low, joints[k].high


@kernel
def hold_passed(joints: Table[Joint], graph: Graph, m: int, gape: float) -> bool:
    """Have the limits that a mechanism passes where its ways end be rigid rows there; tell whether one is new."""
    found = False
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0 or joints[k].broken != 0 or joints[k].held[slot_of_limit(joints[k].kind)] != NONE:
            continue
        joint = joints[k]
        what, slot = limited(joint), slot_of_limit(joint.kind)
        if what < 0:
            continue
        value, spare = secant(graph.pose, joint, what, graph.row, 0), gape / arm_of(graph, joint, what)
        if value > joint.upper + spare:
            joint.held[slot], joint.hold_at[slot], found = RIGID, joint.upper, True
        elif value < joint.lower - spare:
            joint.held[slot], joint.hold_at[slot], found = RIGID, joint.lower, True
    return found


@kernel
def close_within_limits(joints: Table[Joint], graph: Graph, m: int, gape: float, share: float) -> bool:
    """Have the ways of a mechanism end where its joints hold and its limits are not passed; tell whether they do.

    Those that it passes are held already. That takes the least displacement by mass; so many times its impulses are
    added to what the joints do late.
    """
    for _ in range(CLOSINGS):
        close(joints, graph, m, gape, share)
        if not hold_passed(joints, graph, m, gape):
            break
    closed = bool(measure_joints(joints, graph, m) <= NEARLY * gape)
    let_go_of_limits(joints, graph, m)
    return closed


@inner
def let_go_of_limits(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Have the limits of a mechanism be bounded rows again."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0:
            joints[k].held[slot_of_limit(joints[k].kind)] = NONE


@kernel
def list_limits(w: Tables, solving: Notes, rows: Rows, m: int, first: int, still: int) -> int:
    """Write rows, from `first` on, that keep a mechanism within its limits on a displacement; return behind the last.

    What it is beyond a limit already it may stay: gaps are closed elsewhere.
    """
    graph, r = rows.graph, first
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        what = limited(w.joints.table[k]) if k >= 0 and w.joints.table[k].broken == 0 else -1
        for upper in range(2 if what >= 0 else 0):
            joint = w.joints.table[k]
            value = secant(graph.pose, joint, what, graph.row, 0)
            room = max(joint.upper, joint.high) - value if upper == 1 else value - min(joint.lower, joint.low)
            if room == math.inf or r >= rows.table.shape[0]:
                continue
            row = rows.table[r]
            write_bounded(w, solving, rows, joint, row, what, still, 1.0 if upper == 0 else -1.0)
            row.wanted = -max(room, 0.0) / own_length(graph, joint, row, what)
            row.low, row.high, row.impulse = 0.0, math.inf, 0.0
            r += 1
    return r


@kernel
def write_bounded(
    w: Tables, solving: Notes, rows: Rows, joint: Joint, row: Row, what: int, still: int, sign: float
) -> None:
    """Write the row of a limit or a motor, scaled as those of contacts, on the present ways."""
    graph = rows.graph
    for side in range(2):
        p = joint.place_a if side == 0 else joint.place_b
        place = still
        if graph.node[p] >= 0 and graph.mass[p, 0] + graph.mass[p, 2] > 0.0:
            place = solving[graph.node[p]].place
        if side == 0:
            row.i = place
        else:
            row.j = place
    row.step = 0.0
    aim_row(graph, joint, row, what, sign)


@inner
def aim_row(graph: Graph, joint: Joint, row: Row, what: int, sign: float) -> None:
    """Write along what a row of a joint acts on the present ways: its discrete gradient.

    An angle counts as a displacement there, so that rows of all kinds miss by the same measure.
    """
    jacobian, size = row.jacobian, 0.0
    secant(graph.pose, joint, what, jacobian, 0)
    for side in range(2):
        p = joint.place_a if side == 0 else joint.place_b
        for c in range(3):
            root = graph.root[p, c]
            scaled = sign * jacobian[3 * side + c] / root if root > 0.0 else 0.0
            jacobian[3 * side + c] = scaled
            size += scaled * scaled
    length = math.sqrt(size) if size > 0.0 else 1.0
    for c in range(6):
        jacobian[c] /= length
    row.length = length * arm_of(graph, joint, what)


@inner
def own_length(graph: Graph, joint: Joint, row: Row, what: int) -> float:
    """Return the length of a row of a joint where an angle counts as an angle, as users set speeds and torques."""
    return float(row.length / arm_of(graph, joint, what))


@kernel
def aim_rows(w: Tables, rows: Rows, first: int, last: int) -> None:
    """Have limits and motors act along the ways as they are now: the same impulses, along other gradients.

    The gradient of an angle never changes.
    """
    for r in range(first, last):
        row = rows.table[r]
        joint, which, before = w.joints.table[row.bound // 4], row.bound % 4, row.length
        what, sign = driven(joint) if which == MOTOR else limited(joint), -1.0 if which == UPPER else 1.0
        if what == ANGLE:
            continue
        aim_row(rows.graph, joint, row, what, sign)
        scale = row.length / before
        row.impulse *= scale
        if which == MOTOR:
            row.low, row.high = row.low * scale, row.high * scale


@kernel
def ask_bounded(w: Tables, rows: Rows, first: int, last: int, length: float) -> None:
    """Write what speeds the rows of limits and motors want, such that limits hold where the ways end."""
    joints, graph = w.joints.table, rows.graph
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        what = driven(joint) if which == MOTOR else limited(joint)
        value, own = secant(graph.pose, joint, what, graph.row, 0), own_length(graph, joint, row, what)
        total, fixed = rate(graph.way, joint, graph.row, 0), fixed_rate(graph, joint, graph.way)
        if which == MOTOR:
            row.wanted = (joint.speed - fixed) / own
        elif which == UPPER:
            row.wanted = -((total - fixed) + (joint.upper - value) / length) / own
        else:
            row.wanted = ((total - fixed) - (value - joint.lower) / length) / own


@inner
def fixed_rate(graph: Graph, joint: Joint, velocity: Floats) -> float:
    """Return how fast what nothing changes moves along the row in `Graph.row`."""
    fixed = 0.0
    for c in range(3):
        if graph.root[joint.place_a, c] == 0.0:
            fixed += velocity[joint.place_a, c] * graph.row[c]
        if graph.root[joint.place_b, c] == 0.0:
            fixed += velocity[joint.place_b, c] * graph.row[3 + c]
    return fixed


@kernel
def add_pushes(rows: Rows, parts: Parts) -> None:
    """Add to `x` the momenta that bounded rows give to bodies of mechanisms."""
    graph = rows.graph
    for r in range(parts[0], parts[3]):
        row = rows.table[r]
        for side in range(2):
            p = rows.node[row.i if side == 0 else row.j] - 1
            for c in range(3 if p >= 0 else 0):
                graph.x[p, c] += graph.root[p, c] * row.impulse * row.jacobian[3 * side + c]
