"""The energy of a mechanism: what it has, and what it is given so that an impact within a step keeps it.

In: a mechanism with velocities. Out: its kinetic energy, the work that closes it, velocities scaled to an energy.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.bounded import LEAST_GAP
from carom.world.joints.kinds import NONE, RIGID, SOFT
from carom.world.joints.mechanism import close, move_on
from carom.world.joints.rows import joint_of, rate, row_of, set_start
from carom.world.joints.tables import Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.solve.islands import Islands
from carom.world.step.tables import Tables
from carom.world.step.ways.motion import note_pull, own_pull


@kernel
def energy_of_closing(w: Tables, islands: Islands, s: int, length: float) -> float:
    """Return twice the energy with which limits of an island close that its bodies are beyond by rounding, at most."""
    total = 0.0
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body = w.bodies[islands.members[at]]
        speed = LEAST_GAP * body.sweep / length
        total += speed * speed / body.inverse_mass if body.inverse_mass > 0.0 else 0.0
    return total


@inner
def begins_within(w: Tables, time: float) -> bool:
    """Tell whether ways that begin at a time begin within a portion, at a pause or an impact: joints may gape there."""
    return bool(time + w.state[0].before > w.state[0].begins)


@kernel
def kinetic(graph: Graph, m: int, velocity: Floats) -> float:
    """Return twice the kinetic energy of a mechanism at some velocities."""
    total = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            for c in range(3):
                total += graph.mass[p, c] * velocity[p, c] * velocity[p, c]
    return total


@kernel
def work_of_closing(w: Tables, graph: Graph, m: int, gape: float) -> float:
    """Return twice the work of accelerations on the least displacement that closes a mechanism where its ways begin.

    In the middle of a step it gapes by the sagittas of its chords; its potential energy is that of the closed one.
    """
    joints, pose, begun, total = w.joints.table, graph.pose, graph.free, 0.0
    for p in range(graph.starts[m], graph.starts[m + 1]):
        for c in range(3):
            begun[p, c] = pose[p, c]
    move_on(graph, m, 0.0, graph.speed)
    close(joints, graph, m, gape, 0.0)
    for p in range(graph.starts[m], graph.starts[m + 1]):
        if p < graph.middle[m] and graph.node[p] >= 0:
            pull = own_pull(w.state[0], w.bodies[graph.node[p]])
            for c in range(3):
                total += 2.0 * graph.mass[p, c] * pull[c] * (pose[p, c] - begun[p, c])
        set_start(pose, p, begun[p, 0], begun[p, 1], begun[p, 2])
    return total


@kernel
def note_speeds(w: Tables, graph: Graph, m: int, times: float, late: bool) -> None:
    """Note the velocities of a mechanism, so many times, as what its bodies get of no pair and no joint.

    If `late`, they get it by the end of their ways.
    """
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] < 0:
            continue
        x, y, course = graph.speed[p, 0], graph.speed[p, 1], w.courses[graph.node[p]]
        if late:
            course.drawn_x, course.drawn_y = course.drawn_x + times * x, course.drawn_y + times * y
        else:
            note_pull(w, graph.node[p], x, y, times)


@kernel
def scale_to(graph: Graph, m: int, energy: float) -> None:
    """Scale the velocities of a mechanism so that it has twice this kinetic energy; momentum of a free one is kept.

    One that is driven keeps its velocities, and one that would have to change by half its energy: it hardly moves.
    """
    start, middle, driven = graph.starts[m], graph.middle[m], False
    vx, vy, mass = 0.0, 0.0, 0.0
    for p in range(middle, graph.starts[m + 1]):
        for c in range(3):
            driven = driven or graph.speed[p, c] != 0.0
    for p in range(start, middle if middle == graph.starts[m + 1] else start):
        if graph.node[p] >= 0:
            mass += graph.mass[p, 0]
            vx, vy = vx + graph.mass[p, 0] * graph.speed[p, 0], vy + graph.mass[p, 1] * graph.speed[p, 1]
    vx, vy = (vx / mass, vy / mass) if mass > 0.0 else (0.0, 0.0)
    common = mass * (vx * vx + vy * vy)
    own = kinetic(graph, m, graph.speed) - common
    asked = energy - common
    if driven or not 0.5 * own < asked < 2.0 * own:
        return
    share = math.sqrt(asked / own)
    for p in range(start, middle):
        if graph.node[p] >= 0:
            graph.speed[p, 0] = vx + share * (graph.speed[p, 0] - vx)
            graph.speed[p, 1] = vy + share * (graph.speed[p, 1] - vy)
            graph.speed[p, 2] *= share


@kernel
def work_of_joints(joints: Table[Joint], graph: Graph, m: int, part: float) -> float:
    """Return twice the work of rigid joints: some on ways that begin within a step, where they gape by its sagitta."""
    total = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for slot in range(3 if k >= 0 and joints[k].broken == 0 else 0):
            if row_of(joints[k], slot)[1] == RIGID and joints[k].held[slot] == NONE:
                total += 4.0 * joints[k].turn[slot] * (joints[k].value[slot] - joints[k].before[slot]) / part
    return total


@kernel
def work_of_springs(joints: Table[Joint], graph: Graph, m: int) -> tuple[float, float]:
    """Return twice the work of the springs of a mechanism on its ways, and twice the most that it may be.

    The joints are measured on these ways.
    """
    total, most = 0.0, 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        number = joint_of(graph, p)
        for slot in range(3 if number >= 0 else 0):
            joint = joints[number]
            if row_of(joint, slot)[1] == SOFT:
                work = 2.0 * joint.turn[slot] * rate(graph.way, joint, joint.jacobian, 6 * slot)
                total, most = total + work, most + abs(work)
    return total, most
