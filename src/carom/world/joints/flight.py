"""The ways of a mechanism that nothing but its joints, springs and accelerations moves.

In: a mechanism at some instant. Out: for each of its bodies a straight way to the end of the step, at whose end the
joints hold, and the velocity there. The way is the mean of the velocities at both ends, as a free body's is, and the
joints' impulses act along discrete gradients: so they do no work, and energy is what it was. Springs pull with the mean
of their forces at both ends; one that is far too quick for the step with that of the end. Newton's matrix has the
geometric stiffness of the pulls, without which light links under a heavy load turn too fast for a step. Limits and
motors hold or give way as `held` says. Where Newton's turns do not end, the step is halved, at most `HALVINGS` times.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.joints.elimination import solve
from carom.world.joints.energies import (
    begins_within,
    kinetic,
    note_speeds,
    scale_to,
    work_of_closing,
    work_of_joints,
)
from carom.world.joints.expected import expect, is_known, note_flight
from carom.world.joints.forces import note_drawn
from carom.world.joints.gathering import allow_speeds, are_numbers, gather, wait_at_once
from carom.world.joints.held import (
    ALL_AT_ONCE,
    MANY,
    ask_held,
    begin_held,
    change_held,
    end_held,
    let_all_go,
    note_held,
    release_held,
)
from carom.world.joints.kinds import GIVEN, NONE, RIGID, SOFT
from carom.world.joints.mechanism import (
    ENDS_HOLD,
    accelerate,
    assemble,
    clear_places,
    forget_late,
    load,
    measure_joints,
    move_on,
    stay,
    stiffen,
)
from carom.world.joints.rows import add_along, add_late_along, arm_of, ease_of, joint_of, rate, row_of
from carom.world.joints.springs import ease_springs, impulse_of_soft
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.tables import Tables
from carom.world.step.ways.writer import end_with, set_way

FLIGHT_TURNS = 30
"""Turns of Newton's method in a step."""
SOME_TURNS, HARDLY = 4, 0.5
"""Where, after a few turns, one with a new matrix leaves more than this, they do not end."""
HALVINGS = 6
"""Times that a step is halved where these do not end."""
GAPES = 1e3
"""Times the gap to which joints are closed from which on one gapes where a flight begins."""
SLOWLY = 0.25
"""Share of the error before: where a turn leaves more, the matrix is made anew."""


@kernel
def begin_way(w: Tables, graph: Graph, m: int, length: float, share: float) -> None:
    """Write the ways with which Newton's turns begin, from the pulls of the step before, and the matrix."""
    joints = w.joints.table
    move_on(graph, m, 0.0, graph.speed)
    measure_joints(joints, graph, m)
    begin_turns(w, graph, m, length, share)
    move_on(graph, m, length, graph.speed)
    measure_joints(joints, graph, m)
    ease_springs(joints, graph, m, length, share)


@kernel
def begin_turns(w: Tables, graph: Graph, m: int, length: float, share: float) -> None:
    """Have joints begin with the pulls of the step before; they are measured where the ways begin."""
    joints = w.joints.table
    accelerate(w, graph, m, share * length)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0:
            joint = joints[k]
            for slot in range(3):
                joint.before[slot] = joint.value[slot]
                if row_of(joint, slot)[1] == SOFT:
                    joint.begun[slot] = rate(graph.speed, joint, joint.jacobian, 6 * slot)
                joint.turn[slot] = share * length * joint.pull[slot] if joint.broken == 0 else 0.0


@kernel
def pull(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Give the bodies of a mechanism the ways that its joints' impulses make of `free` ones."""
    clear_places(graph.x, graph, m)
    add_pulls(joints, graph, m)
    for p in range(graph.starts[m], graph.starts[m + 1]):
        for c in range(3):
            graph.way[p, c] = graph.free[p, c]
            if p < graph.middle[m] and graph.node[p] >= 0 and graph.mass[p, c] > 0.0:
                graph.way[p, c] += graph.x[p, c] / graph.mass[p, c]


@kernel
def add_pulls(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Add to `x` the momenta that the joints' impulses give to their bodies."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0 or joints[k].broken != 0:
            continue
        joint = joints[k]
        for slot in range(3):
            _, role = row_of(joint, slot)
            if role == NONE:
                continue
            if joint.place_a < graph.middle[m]:
                add_along(graph.x, joint.place_a, joint.jacobian, 6 * slot, joint.turn[slot])
            if joint.place_b < graph.middle[m]:
                add_along(graph.x, joint.place_b, joint.jacobian, 6 * slot + 3, joint.turn[slot])


@kernel
def lack(joints: Table[Joint], graph: Graph, m: int, length: float, share: float) -> float:
    """Write as `x` what momenta, joints and springs lack on the present ways; return the worst, as a displacement."""
    x, worst = graph.x, 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3):
            x[p, c] = graph.mass[p, c] * (graph.free[p, c] - graph.way[p, c]) if graph.node[p] >= 0 else 0.0
    add_pulls(joints, graph, m)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            for c in range(3):
                own = graph.mass[p, c]
                x[p, c] = x[p, c] if own > 0.0 else 0.0
                far = length * (graph.reach[p] if c == 2 else 1.0)
                worst = max(worst, abs(x[p, c]) / own * far) if own > 0.0 else worst
            continue
        joint = joints[k]
        for slot in range(3):
            what, role = row_of(joint, slot)
            if role == NONE or role == GIVEN or joint.broken != 0:
                continue
            arm = arm_of(graph, joint, what)
            if role == RIGID:
                x[p, slot] = -joint.value[slot] / length
                worst = max(worst, abs(joint.value[slot]) * arm)
            else:
                asked = impulse_of_soft(graph, joint, slot, length, share) - joint.turn[slot]
                x[p, slot] = asked * joint.ease[slot]
                own = ease_of(graph, joint, joint.jacobian, 6 * slot)
                worst = max(worst, abs(asked) * min(joint.ease[slot], own) * length * arm)
    return worst


@kernel
def take(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Add what was solved for to ways and impulses."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            if k >= 0:
                joints[k].turn[c] -= graph.x[p, c]
            elif graph.mass[p, c] > 0.0:
                graph.way[p, c] += graph.x[p, c]


@kernel
def try_way(w: Tables, graph: Graph, m: int, length: float, gape: float, known: bool, held: bool) -> bool:
    """Find the ways of a mechanism through a time; False if Newton's turns do not end.

    They begin as its flights so far let `expect`, if these are `known`, else with the pulls of the step before. Its
    joints are measured where the ways begin. If it has bounded rows, some of these are `held`.
    """
    joints = w.joints.table
    begin_turns(w, graph, m, length, 0.5)
    if held:
        ask_held(w, graph, m, length)
    if known:
        expect(joints, graph, m, length)
    else:
        move_on(graph, m, length, graph.speed)
        measure_joints(joints, graph, m)
        pull(joints, graph, m)
    last, anew, changed = 0.0, False, 0
    for turn in range(FLIGHT_TURNS):
        move_on(graph, m, length, graph.way)
        measure_joints(joints, graph, m)
        steady = changed == 0
        if held:
            changed = change_held(joints, graph, m, length, gape, MANY if turn < ALL_AT_ONCE else 1)
        if turn == 0 or changed > 0:
            ease_springs(joints, graph, m, length, 0.5)
        worst = lack(joints, graph, m, length, 0.5)
        if worst <= gape and turn > 0 and changed == 0:
            pull(joints, graph, m)  # momenta are exact
            return are_numbers(joints, graph, m)
        lingers = turn > SOME_TURNS and anew and steady and changed == 0 and worst > HARDLY * last
        if not worst < 1e9 * (gape / ENDS_HOLD) or lingers:
            return worst <= 1e3 * gape
        anew = worst > SLOWLY * last or changed > 0
        if anew:
            stiffen(joints, graph, m, 0.5 * length)
            assemble(joints, graph, m, False)
        last = worst
        solve(graph, m)
        take(joints, graph, m)
    return bool(last <= 1e3 * gape and changed == 0)


@inner
def find_way(w: Tables, graph: Graph, m: int, length: float, gape: float, known: bool, anew: bool, held: bool) -> bool:
    """Find the ways of a mechanism through a time, if its flights so far are `known` first as these let expect.

    If `anew`, its joints are still to be measured where the ways begin.
    """
    if known and try_way(w, graph, m, length, gape, True, held):
        return True
    if known or anew:
        if held:
            begin_held(w.joints.table, graph, m)
        move_on(graph, m, 0.0, graph.speed)
        measure_joints(w.joints.table, graph, m)
    return bool(try_way(w, graph, m, length, gape, False, held))


@inner
def has_pulled(joints: Table[Joint], graph: Graph, m: int) -> bool:
    """Tell whether joints have pulled in the step before: one that was taken at once has left no forces, nor has rest.

    Newton's turns then begin with none, and no shorter time helps them; but where a spring is strained it does.
    """
    pulled = False
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 else 0):
            strained = row_of(joints[k], slot)[1] == SOFT and joints[k].value[slot] != 0.0
            pulled = pulled or joints[k].pull[slot] != 0.0 or strained
    return pulled


@kernel
def fly(w: Tables, graph: Graph, m: int, length: float) -> None:
    """Give the bodies of a mechanism their ways for a time from now on, and the accelerations that lead along these."""
    joints = w.joints.table
    forget_late(joints, graph, m)
    note_drawn(w, graph, m, 0.0)
    gape, known = load(w, graph, m, 0.0), is_known(w, graph, m)
    held = begin_held(joints, graph, m) > 0
    left, part, made = length, length, 0.0
    halved = measure_joints(joints, graph, m) > GAPES * gape
    pulled = has_pulled(joints, graph, m)
    gapes = halved and begins_within(w, w.state[0].now)
    if gapes:
        made = work_of_closing(w, graph, m, gape)
    while left > 1e-9 * length:
        part = min(part, left)
        if not find_way(w, graph, m, part, gape, known, halved, held):
            halved, known = True, False
            sound = are_numbers(joints, graph, m)
            if part > length / 2.0**HALVINGS and pulled and sound:
                part *= 0.5
                continue
            part = left  # no shorter time helps: the rest is taken at once
            release_held(joints, graph, m)
            if sound:
                gather(w, graph, m, part, gape)
            else:
                wait_at_once(w, graph, m)
            note_pulls(joints, graph, m, 0.5 * part)
            stay(graph, m)
        else:
            if not halved and not begins_within(w, w.state[0].now):
                note_flight(joints, graph, m, length, known)
            for p in range(graph.starts[m], graph.middle[m]):
                for c in range(3):
                    graph.speed[p, c] = 2.0 * graph.way[p, c] - graph.speed[p, c]
            add_turns(joints, graph, m, 0.5)
            energy = kinetic(graph, m, graph.speed) - work_of_joints(joints, graph, m, part) - made if gapes else 0.0
            note_pulls(joints, graph, m, 0.5 * part)
            if held:
                note_held(joints, graph, m, part)
            stay(graph, m)
            if halved:
                let_all_go(joints, graph, m)
                allow_speeds(joints, graph, m)
            stops = held and end_held(joints, graph, m, part, gape)
            release_held(joints, graph, m)
            if gapes and not stops:
                note_speeds(w, graph, m, -1.0, True)
                scale_to(graph, m, energy)
                note_speeds(w, graph, m, 1.0, True)
            gapes = False
        left -= part
        part *= 2.0
    if halved or begins_within(w, w.state[0].now):
        note_flight(joints, graph, m, 0.0, False)
    give_ways(w, graph, m, length, halved)


@inner
def give_ways(w: Tables, graph: Graph, m: int, length: float, halved: bool) -> None:
    """Give the bodies of a mechanism the ways that lead where it is, and the accelerations that lead to its speeds."""
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] < 0:
            continue
        body, pose = w.bodies[graph.node[p]], graph.pose
        if halved:
            x, y, turn = pose[p, 0] - body.x, pose[p, 1] - body.y, pose[p, 2] - body.angle
            set_way(body, x / length, y / length, turn / length)
        else:
            set_way(body, graph.way[p, 0], graph.way[p, 1], graph.way[p, 2])
        end_with(body, graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2], length)


@kernel
def note_pulls(joints: Table[Joint], graph: Graph, m: int, time: float) -> None:
    """Note the forces of the joints, with which the next step begins; `time` is that in which they act on the way."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            continue
        for slot in range(3):
            joints[k].pull[slot] = joints[k].turn[slot] / time


@kernel
def add_turns(joints: Table[Joint], graph: Graph, m: int, share: float) -> None:
    """Add the impulses of a way, which act for a share of its time, to what the joints do by its end.

    They act along the gradients with which the joints were measured last.
    """
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
            what, role = row_of(joints[k], slot)
            if role != NONE:
                add_late_along(joints[k], what, joints[k].jacobian, 6 * slot, joints[k].turn[slot] / share)
