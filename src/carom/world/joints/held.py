"""Limits and motors of a mechanism that flies, as rows of its joints that hold or give way.

In: a mechanism that nothing touches, measured on a way. Out: which of its limits and motors hold there, so that
elimination takes them with the joints, and the impulses of the others. A pin has room for one row more: at a limit it
is a weld, and so it is where its motor keeps its speed. The rows that hold are guessed from the forces of the step
before, so that nothing else lasts. In each of Newton's turns rows whose impulse is beyond its bounds give way, and
those that pass theirs hold.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.bounded import bound_from
from carom.world.joints.elimination import solve
from carom.world.joints.kinds import GIVEN, MOTORS, NONE, RIGID, SOFT
from carom.world.joints.mechanism import add_late, clear_places, factor_rigid, measure_joints
from carom.world.joints.rows import (
    add_along,
    add_late_along,
    arm_of,
    driven,
    joint_of,
    limited,
    own_role,
    rate,
    row_of,
    slot_of_limit,
    zero_of,
)
from carom.world.joints.springs import spring_impulse
from carom.world.joints.stops import ABRUPTLY
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.tables import Tables

FREE, LOWER, UPPER, MOTOR = 0, 1, 2, 3
"""A bounded row is held by nothing, by its lower or its upper limit, or by its motor."""
EXACTLY = 1e-12
"""Share of an impulse by which one may be beyond its bounds."""
AT_MOST = 1e-9
"""Share of its largest force by which a motor that was at it may have missed it."""
ALL_AT_ONCE = 8
"""Turns after which only one row of a mechanism changes in each: where all do, they may go round."""
MANY = 1 << 30
"""As many as there are."""
ENDINGS = 6
"""Solutions of the velocities where ways end, at most."""


@inner
def has_limit(joint: Joint, slot: int) -> bool:
    """Tell whether the limit of a joint has its place in a slot."""
    return bool(limited(joint) >= 0 and slot == slot_of_limit(joint.kind))


@inner
def has_motor(joint: Joint, slot: int) -> bool:
    """Tell whether the motor of a joint has its place in a slot."""
    return bool(driven(joint) >= 0 and slot == MOTORS[joint.kind])


@inner
def is_sprung(joint: Joint, slot: int) -> bool:
    """Tell whether a joint has a spring in the same slot."""
    return bool(own_role(joint, slot) == SOFT)


@inner
def let_go(joint: Joint, slot: int) -> None:
    """Have a bounded row give way: there is its spring, or the impulse that is given to it."""
    joint.held[slot] = SOFT if is_sprung(joint, slot) else GIVEN


@kernel
def begin_held(joints: Table[Joint], graph: Graph, m: int) -> int:
    """Give the bounded rows of a mechanism places among its own, and guess what holds; return how many there are."""
    count = 0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
            joint = joints[k]
            limit, motor = has_limit(joint, slot), has_motor(joint, slot)
            if limit or motor:
                let_go(joint, slot)
                guess(joint, slot, limit, motor)
                count += 1
    return count


@inner
def guess(joint: Joint, slot: int, limit: bool, motor: bool) -> None:
    """Write what holds a bounded row by the forces of the step before."""
    state, side = FREE, 0
    if limit and joint.push[0] > 0.0 and joint.low > -math.inf:
        state = LOWER
    elif limit and joint.push[0] < 0.0 and joint.high < math.inf:
        state = UPPER
    if motor:
        if joint.push[1] != 0.0 and abs(joint.push[1]) >= joint.most * (1.0 - AT_MOST):
            side = 1 if joint.push[1] > 0.0 else -1
        elif state == FREE:
            state = MOTOR
        else:
            side = 1 if joint.speed > 0.0 else -1
    joint.state[slot], joint.side[slot] = state, side


@kernel
def ask_held(w: Tables, graph: Graph, m: int, length: float) -> None:
    """Have bounded rows hold or give way as was guessed, with the impulses of the step before, on ways that begin here.

    The mechanism is measured where these begin.
    """
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joint = w.joints.table[k]
            if joint.held[slot] == NONE:
                continue
            if has_limit(joint, slot):
                bound_from(w, joint, limited(joint), start_of(joint, slot))
                joint.turn[slot] += 0.5 * length * joint.push[0]
            if has_motor(joint, slot):
                joint.turn[slot] += 0.5 * length * joint.push[1]
            joint.begun[slot] = rate(graph.speed, joint, joint.jacobian, 6 * slot)
            ask(joint, slot, length)


@inner
def start_of(joint: Joint, slot: int) -> float:
    """Return what a bounded row measures where the way begins."""
    return float(joint.before[slot] + (joint.rest if is_sprung(joint, slot) else 0.0))


@inner
def ask(joint: Joint, slot: int, length: float) -> None:
    """Have a bounded row hold or give way as its state says."""
    state = joint.state[slot]
    if state == FREE:
        let_go(joint, slot)
        if joint.held[slot] == GIVEN:
            joint.turn[slot] = 0.5 * length * joint.side[slot] * joint.most
        return
    joint.held[slot] = RIGID
    if state == MOTOR:
        joint.hold_at[slot] = start_of(joint, slot) + joint.speed * length
    else:
        joint.hold_at[slot] = joint.lower if state == LOWER else joint.upper


@kernel
def change_held(joints: Table[Joint], graph: Graph, m: int, length: float, slack: float, most: int) -> int:
    """Have rows hold or give way that are beyond their bounds on the present ways, at most so many; return how many do.

    The mechanism is measured on these ways; `slack` is a displacement by which limits may be passed.
    """
    changed = 0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joint = joints[k]
            if joint.held[slot] == NONE or changed >= most:
                continue
            what, role = row_of(joint, slot)
            if changes(graph, joint, slot, length, slack / arm_of(graph, joint, what)):
                value = joint.value[slot] + zero_of(joint, slot, role)
                ask(joint, slot, length)
                joint.value[slot] = value - zero_of(joint, slot, joint.held[slot])
                changed += 1
    return changed


@inner
def changes(graph: Graph, joint: Joint, slot: int, length: float, slack: float) -> bool:
    """Write what is to hold a row on the present ways; tell whether that is something else."""
    before, motor = joint.state[slot], has_motor(joint, slot)
    end = joint.value[slot] + zero_of(joint, slot, joint.held[slot])
    if before == LOWER or before == UPPER:
        own, gives = other_impulse(graph, joint, slot, length), 0.5 * length * joint.most if motor else 0.0
        way = joint.hold_at[slot] - start_of(joint, slot)
        joint.side[slot] = (1 if joint.speed * length > way else -1) if motor else 0
        push = joint.turn[slot] - own - joint.side[slot] * gives
        outwards = 1 if before == LOWER else -1
        if outwards * push < -EXACTLY * (gives + abs(own) + abs(joint.turn[slot])):
            joint.state[slot] = MOTOR if motor and joint.side[slot] == outwards else FREE
    elif has_limit(joint, slot) and not joint.lower - slack <= end <= joint.upper + slack:
        outwards = 1 if end < joint.lower else -1
        joint.state[slot] = LOWER if outwards > 0 else UPPER
        if before == MOTOR:
            joint.side[slot] = -outwards
    elif before == MOTOR:
        own, gives = other_impulse(graph, joint, slot, length), 0.5 * length * joint.most
        push = joint.turn[slot] - own
        if abs(push) > gives + EXACTLY * (gives + abs(own) + abs(joint.turn[slot])):
            joint.state[slot], joint.side[slot] = FREE, 1 if push > 0.0 else -1
    elif joint.side[slot] * (end - start_of(joint, slot) - joint.speed * length) > slack:
        joint.state[slot], joint.side[slot] = MOTOR, 0
    return bool(joint.state[slot] != before)


@inner
def other_impulse(graph: Graph, joint: Joint, slot: int, length: float) -> float:
    """Return the impulse of the spring in the same slot as a bounded row; 0 if there is none."""
    return spring_impulse(graph, joint, slot, length, 0.5) if is_sprung(joint, slot) else 0.0


@kernel
def note_held(joints: Table[Joint], graph: Graph, m: int, length: float) -> None:
    """Note the forces of limits and motors on a way that was found, apart from those of springs in the same rows."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joint = joints[k]
            if joint.held[slot] == NONE:
                continue
            joint.pull[slot] = other_impulse(graph, joint, slot, length) / (0.5 * length)
            force, state = joint.turn[slot] / (0.5 * length) - joint.pull[slot], joint.state[slot]
            own = force if state == MOTOR else joint.side[slot] * joint.most
            if has_motor(joint, slot):
                joint.push[1] = own
            if has_limit(joint, slot):
                joint.push[0] = force - own if state == LOWER or state == UPPER else 0.0


@kernel
def let_all_go(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Have all bounded rows of a mechanism give way."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            if joints[k].held[slot] != NONE:
                let_go(joints[k], slot)


@kernel
def release_held(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Take the bounded rows of a mechanism out of its own."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joints[k].held[slot], joints[k].side[slot] = NONE, 0


@kernel
def end_held(joints: Table[Joint], graph: Graph, m: int, length: float, slack: float) -> bool:
    """Have limits stop what runs into them where the ways end, and motors have their speeds there; tell if one does.

    A limit that pushes all the while turns the velocity as a rod does; one that is run into would throw back. The
    mechanism stands where its ways have ended.
    """
    lacks = False
    measure_joints(joints, graph, m)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joint = joints[k]
            if joint.held[slot] == NONE:
                continue
            state, at = joint.state[slot], 6 * slot
            near = slack / (arm_of(graph, joint, row_of(joint, slot)[0]) * length)
            fast, stops, wanted = rate(graph.speed, joint, joint.jacobian, at), state != FREE, joint.speed
            if state == LOWER or state == UPPER:
                turned, wanted = 2.0 * abs(fast - rate(graph.way, joint, joint.jacobian, at)), 0.0
                lacks = lacks or (abs(joint.begun[slot]) > ABRUPTLY * turned and abs(fast) > near)
            else:
                stops = stops or joint.side[slot] * (fast - wanted) > near
                lacks = lacks or (stops and abs(fast - wanted) > near)
            joint.held[slot] = RIGID if stops else GIVEN
            joint.begun[slot], joint.before[slot], joint.turn[slot] = wanted, 0.0, 0.0
    if lacks:
        settle_ends(joints, graph, m, length)
    return lacks


@kernel
def settle_ends(joints: Table[Joint], graph: Graph, m: int, length: float) -> None:
    """Give a mechanism the velocities that its joints, and bounded rows that hold, have where it stands.

    Their impulses are within what those on the way leave of their bounds. In `begun` stands what speeds rows are to
    have, in `turn` what they get for it, in `before` what one that gave way has got too much.
    """
    beyond = True
    for turn in range(ENDINGS):
        if beyond:
            factor_rigid(joints, graph, m)
        clear_places(graph.x, graph, m)
        for p in range(graph.starts[m], graph.middle[m]):
            k = joint_of(graph, p)
            for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
                what, role = row_of(joints[k], slot)
                if role == RIGID:
                    ask_end(graph, joints[k], slot)
                elif role == GIVEN and joints[k].before[slot] != 0.0:
                    give_back(graph, joints[k], slot, what)
        solve(graph, m)
        take_ends(joints, graph, m)
        add_late(joints, graph, m, 1.0)
        beyond = turn < ENDINGS - 2 and bound_ends(joints, graph, m, length)
        if turn > 0 and not beyond:
            break  # the second time takes what joints gave way
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            if joints[k].held[slot] != NONE:
                state = joints[k].state[slot]
                joints[k].push[0 if state == LOWER or state == UPPER else 1] += joints[k].turn[slot] / length


@inner
def ask_end(graph: Graph, joint: Joint, slot: int) -> None:
    """Write what speed a rigid row lacks where the way has ended."""
    wanted = joint.begun[slot] if joint.held[slot] != NONE else 0.0
    graph.x[joint.node, slot] += wanted - rate(graph.speed, joint, joint.jacobian, 6 * slot)


@inner
def give_back(graph: Graph, joint: Joint, slot: int, what: int) -> None:
    """Give what a row has got too much back to its bodies."""
    impulse, joint.before[slot] = -joint.before[slot], 0.0
    if joint.place_a < graph.middle[graph.mechanism[joint.place_a]]:
        add_along(graph.x, joint.place_a, joint.jacobian, 6 * slot, impulse)
    if joint.place_b < graph.middle[graph.mechanism[joint.place_a]]:
        add_along(graph.x, joint.place_b, joint.jacobian, 6 * slot + 3, impulse)
    add_late_along(joint, what, joint.jacobian, 6 * slot, impulse)


@inner
def take_ends(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Add what was solved for to the velocities of a mechanism, and to the impulses of its bounded rows that hold."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            if k < 0 and graph.mass[p, c] > 0.0:
                graph.speed[p, c] += graph.x[p, c]
            elif k >= 0 and joints[k].held[c] == RIGID:
                joints[k].turn[c] -= graph.x[p, c]


@inner
def bound_ends(joints: Table[Joint], graph: Graph, m: int, length: float) -> bool:
    """Have bounded rows give way whose impulses are beyond what is left of their bounds; tell whether one does."""
    beyond = False
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            joint = joints[k]
            if joint.held[slot] != RIGID:
                continue
            low, high, state = -math.inf, math.inf, joint.state[slot]
            if state == LOWER:
                low = -joint.push[0] * length
            elif state == UPPER:
                high = -joint.push[0] * length
            else:
                low, high = (-joint.most - joint.push[1]) * length, (joint.most - joint.push[1]) * length
            within = min(max(joint.turn[slot], low), high)
            if within != joint.turn[slot]:
                joint.before[slot], joint.turn[slot] = joint.turn[slot] - within, within
                joint.held[slot], beyond = GIVEN, True
    return beyond
