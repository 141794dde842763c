"""Mechanisms whose ways no turns of Newton's method find: they are brought together by the least displacement.

In: a mechanism at some instant. Out: the same after a time, its joints closed, with no more energy than it had and its
accelerations gave. One that has no way at all waits.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.bounded import close_within_limits, hold_passed
from carom.world.joints.energies import kinetic, note_speeds
from carom.world.joints.leaders import hold_leaders
from carom.world.joints.mechanism import accelerate, factor_rigid, forget_late, project
from carom.world.joints.rows import joint_of
from carom.world.joints.tables import WORLD, Graph, Joint
from carom.world.step.declared import Table
from carom.world.step.tables import Tables
from carom.world.step.ways.writer import have_wait


@kernel
def allow_speeds(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Have the velocities of a mechanism be such as its joints allow where it is: light links flutter else."""
    factor_rigid(joints, graph, m)
    project(joints, graph, m, graph.speed)


@kernel
def gather(w: Tables, graph: Graph, m: int, part: float, gape: float) -> None:
    """Take a mechanism through a time whose joints no turns bring together: freely, then together by the least way.

    That loses energy; velocities are scaled down where there would be more than before and the accelerations' work.
    """
    joints, pose = w.joints.table, graph.pose
    accelerate(w, graph, m, part)
    before = kinetic(graph, m, graph.speed)
    start = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            for c in range(3):
                graph.way[p, c] = pose[p, c]
                start += 2.0 * graph.mass[p, c] * (graph.free[p, c] - graph.speed[p, c]) / part * pose[p, c]
    for p in range(graph.starts[m], graph.starts[m + 1]):
        if graph.node[p] >= WORLD:
            for c in range(3):
                pose[p, 3 + c] = pose[p, c] + part * graph.free[p, c]
    hold_passed(joints, graph, m, gape)
    if not close_within_limits(joints, graph, m, gape, 1.0 / part) or not is_whole(graph, m):
        wait_there(w, graph, m)
        return
    work = -start
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            for c in range(3):
                work += 2.0 * graph.mass[p, c] * (graph.free[p, c] - graph.speed[p, c]) / part * pose[p, 3 + c]
                graph.speed[p, c] = (pose[p, 3 + c] - graph.way[p, c]) / part
    allow_speeds(joints, graph, m)
    after, most = kinetic(graph, m, graph.speed), max(before + work, 0.0)
    share = math.sqrt(most / after) if after > most else 1.0
    note_speeds(w, graph, m, share - 1.0, True)
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            graph.speed[p, c] *= share
            if k >= 0:
                joints[k].turn[c] = 0.0


@kernel
def wait_there(w: Tables, graph: Graph, m: int) -> None:
    """Have a mechanism wait that has no way, where `way` says that it is, and what leads it."""
    note_speeds(w, graph, m, -1.0, True)
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            have_wait(w.courses[graph.node[p]])
        for c in range(3):
            graph.pose[p, 3 + c], graph.speed[p, c] = graph.way[p, c], 0.0
    forget_turns(w.joints.table, graph, m)
    forget_late(w.joints.table, graph, m)
    hold_leaders(w, graph, m, 1)


@inner
def are_numbers(joints: Table[Joint], graph: Graph, m: int) -> bool:
    """Tell whether the ways of a mechanism, and the impulses of its joints, are finite."""
    finite = True
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            finite = finite and math.isfinite(joints[k].turn[c] if k >= 0 else graph.way[p, c])
    return finite


@kernel
def wait_at_once(w: Tables, graph: Graph, m: int) -> None:
    """Have a mechanism wait where its ways begin: what leads on is no number."""
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3 if graph.node[p] >= 0 else 0):
            graph.way[p, c] = graph.pose[p, c]
    wait_there(w, graph, m)


@inner
def is_whole(graph: Graph, m: int) -> bool:
    """Tell whether the bodies of a mechanism end their ways where numbers say."""
    finite = True
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            for c in range(3):
                finite = finite and math.isfinite(graph.pose[p, 3 + c])
    return finite


@inner
def forget_turns(joints: Table[Joint], graph: Graph, m: int) -> None:
    """Have the joints of a mechanism begin without impulses."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3 if k >= 0 else 0):
            joints[k].turn[c] = 0.0
