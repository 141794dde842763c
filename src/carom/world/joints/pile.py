"""Islands with joints: contacts, limits and motors are bounded rows beside joints that are eliminated.

In: islands of a round of which joints hold some bodies. Out: for each body its velocity and its way, impulses, as from
any other solver. Newton's turns bring the joints to hold where the ways end; in the first two of them the bounded rows
are settled, with what an impulse does to a mechanism as a whole in place of a body's inverse mass. With contacts the
ways are those of piles, with all of the acceleration; without, as in `flight`, with half of it. It stands outside of
the kernel of the step, so that a world without joints never compiles it.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.joints.elimination import solve
from carom.world.joints.flight import add_pulls, begin_way, lack, note_pulls, take
from carom.world.joints.instant import mechanism_of
from carom.world.joints.mechanism import (
    assemble,
    close,
    hold_rigid,
    joint_of,
    load,
    measure,
    move_on,
    project,
    stay,
    stiffen,
)
from carom.world.joints.rows import RIGID, driven, limited, rate, row_of, secant
from carom.world.joints.tables import Graph
from carom.world.step.constants import FEW_TURNS, NO_SOLUTION
from carom.world.step.island_kinds import JOINTED
from carom.world.step.island_rows import begin_speeds, fill, sizes_of, write_back
from carom.world.step.islands import Islands
from carom.world.step.minimise import minimise
from carom.world.step.piles import Piles
from carom.world.step.rounds import hold_drivers
from carom.world.step.rows import Rows, add_impulse, bound_frictions
from carom.world.step.tables import SOLVED, Record, Table, Tables

NEWTON_TURNS = 12
"""Turns in which the joints of an island are brought to hold."""
SETTLING_TURNS = 2
"""Of these, those in which its bounded rows are settled."""
EXACTLY = 1e-4
"""Times the speed by which rows of other islands may miss: limits are passed by no more than this makes of a step."""
MOST_SWEEPS = 8
"""Times that frictions get the bounds of new normal impulses in such a turn."""
Parts = tuple[int, int, int, int]
"""Of an island's rows: the first one, the first of frictions, the first of limits and motors, and behind the last."""
UPPER = 1
"""In `Row.bound`, beside twice its joint: the row is of the upper limit."""


@kernel
def solve_jointed(w: Tables, piles: Piles) -> None:
    """Solve the islands of a round that joints hold."""
    state, islands = w.state[0], piles.islands
    for s in range(state.islands):
        if islands.fresh[s] == 0 or islands.kind[s] != JOINTED:
            continue
        islands.missed[s] = solve_island(w, piles, s)
        if islands.missed[s] >= NO_SOLUTION and hold_drivers(w.bodies, piles.contacts, islands, s):
            islands.missed[s] = solve_island(w, piles, s)
    state.phase = SOLVED


@kernel
def solve_island(w: Tables, piles: Piles, s: int) -> float:
    """Solve one island; return how many times the tolerance the worst row misses its speed by."""
    bodies, solving, contacts, rows, islands = w.bodies, piles.solving, piles.contacts, piles.rows, piles.islands
    graph, joints, length = rows.graph, w.joints.table, w.state[0].length
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    share = 1.0 if islands.begins[s + 1] > islands.begins[s] else 0.5
    begin_speeds(bodies, solving, rows, islands, s, length)
    gape = 0.0
    for k in range(low, high - 1):
        m = mechanism_of(w, graph, islands.members[k - s])
        if m >= 0:
            graph.lead[m] = -1
    for k in range(low, high - 1):
        m = mechanism_of(w, graph, islands.members[k - s])
        if m >= 0 and graph.lead[m] < 0:
            graph.lead[m] = k
            gape = max(gape, load(w, graph, m, length))
            begin_way(w, graph, m, length, share)
    free_speeds(w, rows, islands, s)
    points, rolls, tolerance = sizes_of(bodies, contacts, islands, s, length)
    first = 4 * islands.begins[s]
    middle, frictions = first + points, first + 2 * points + rolls
    fill(bodies, solving, contacts, rows, islands, s, middle, length)
    last = list_bounded(w, solving, rows, islands, s, frictions, share * length, high - 1)
    if tolerance == math.inf:
        tolerance = tolerance_of(w, islands, s, length)
    worst = find_ways(w, rows, islands, s, gape, share, (first, middle, frictions, last), tolerance)
    write_back(bodies, solving, contacts, rows, islands, s, middle, False)
    end_velocities(w, piles, s, share, frictions, last, gape)
    note_pushes(joints, rows, frictions, last, share * length)
    if worst == 0.0:
        return 0.0
    return worst / tolerance if tolerance > 0.0 and worst < math.inf else math.inf


@kernel
def tolerance_of(w: Tables, islands: Islands, s: int, length: float) -> float:
    """Return by what speed the rows of an island without contacts may miss theirs."""
    swiftest, fastest = 0.0, 0.0
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body = w.bodies[islands.members[at]]
        swiftest = max(swiftest, body.swift)
        fastest = max(fastest, abs(body.vx) + abs(body.vy) + abs(body.spin) * body.sweep)
    return 1e-6 * swiftest * length + 1e-12 * fastest


@kernel
def free_speeds(w: Tables, rows: Rows, islands: Islands, s: int) -> None:
    """Write the speeds that bodies of mechanisms have without joints and bounded rows."""
    graph = rows.graph
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        p = rows.node[k] - 1
        if p >= 0:
            for c in range(3):
                rows.speed[k, c] = graph.root[p, c] * graph.free[p, c]


@kernel
def list_bounded(
    w: Tables, solving: Table, rows: Rows, islands: Islands, s: int, first: int, time: float, still: int
) -> int:
    """Write the rows of limits and motors of an island from row `first` on, without speeds; return behind the last one.

    Their impulses so far are in the speeds. `time` is that in which forces act on the ways.
    """
    graph, joints, r = rows.graph, w.joints.table, first
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        m = led_by(w, graph, islands, s, k)
        if m < 0:
            continue
        for p in range(graph.starts[m], graph.middle[m]):
            number = joint_of(graph, p)
            if number < 0 or joints[number].broken != 0:
                continue
            joint = joints[number]
            what = limited(joint)
            for upper in range(2 if what >= 0 else 0):
                if (joint.high if upper == 1 else joint.low) * (1.0 if upper == 1 else -1.0) < math.inf:
                    row = rows.table[r]
                    row.bound, row.low, row.high = 4 * number + upper, 0.0, math.inf
                    write_bounded(w, solving, rows, joint, row, what, still, 1.0 if upper == 0 else -1.0)
                    push = joint.push[0] if upper == 0 else -joint.push[0]
                    row.impulse = max(push, 0.0) * time * row.length
                    add_impulse(row, rows.speed, row.impulse)
                    r += 1
            what = driven(joint)
            if what >= 0:
                row = rows.table[r]
                row.bound = 4 * number + 2
                write_bounded(w, solving, rows, joint, row, what, still, 1.0)
                row.low, row.high = -joint.most * time * row.length, joint.most * time * row.length
                row.impulse = min(max(joint.push[1] * time * row.length, row.low), row.high)
                add_impulse(row, rows.speed, row.impulse)
                r += 1
    return r


@kernel
def write_bounded(
    w: Tables, solving: Table, rows: Rows, joint: Record, row: Record, what: int, still: int, sign: float
) -> None:
    """Write the row of a limit or a motor, scaled as those of contacts, on the present ways."""
    graph, jacobian = rows.graph, row.jacobian
    secant(graph.pose, joint, what, jacobian, 0)
    size = 0.0
    for side in range(2):
        p = joint.place_a if side == 0 else joint.place_b
        place = still
        if graph.node[p] >= 0 and graph.mass[p, 0] + graph.mass[p, 2] > 0.0:
            place = solving[graph.node[p]].place
        for c in range(3):
            root = graph.root[p, c]
            scaled = sign * jacobian[3 * side + c] / root if root > 0.0 else 0.0
            jacobian[3 * side + c] = scaled
            size += scaled * scaled
        if side == 0:
            row.i = place
        else:
            row.j = place
    row.length = math.sqrt(size) if size > 0.0 else 1.0
    for c in range(6):
        jacobian[c] /= row.length


@kernel
def ask_bounded(w: Tables, rows: Rows, first: int, last: int, length: float) -> None:
    """Write what speeds the rows of limits and motors want, such that limits hold where the ways end."""
    joints, graph = w.joints.table, rows.graph
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        value = secant(graph.pose, joint, driven(joint) if which == 2 else limited(joint), graph.row, 0)
        total, fixed = rate(graph.way, joint, graph.row, 0), fixed_rate(graph, joint, graph.way)
        if which == 2:
            row.wanted = (joint.speed - fixed) / row.length
        elif which == UPPER:
            row.wanted = -((total - fixed) + (joint.high - value) / length) / row.length
        else:
            row.wanted = ((total - fixed) - (value - joint.low) / length) / row.length


@inner
def fixed_rate(graph: Graph, joint: Record, velocity: Floats) -> float:
    """Return how fast what nothing changes moves along the row in `Graph.row`."""
    fixed = 0.0
    for c in range(3):
        if graph.root[joint.place_a, c] == 0.0:
            fixed += velocity[joint.place_a, c] * graph.row[c]
        if graph.root[joint.place_b, c] == 0.0:
            fixed += velocity[joint.place_b, c] * graph.row[3 + c]
    return fixed


@kernel
def find_ways(
    w: Tables,
    rows: Rows,
    islands: Islands,
    s: int,
    gape: float,
    share: float,
    parts: tuple[int, int, int, int],
    tolerance: float,
) -> float:
    """Find the ways at whose end the joints of an island and its bounded rows hold; return the worst speed missed."""
    first, _, _, last = parts
    graph, joints, length = rows.graph, w.joints.table, w.state[0].length
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    for k in range(low, high - 1):
        m = led_by(w, graph, islands, s, k)
        if m >= 0:
            begin_mechanism(joints, graph, m)
    take_speeds(rows, low, high)
    missed = 0.0
    for turn in range(NEWTON_TURNS):
        worst = move_all(w, rows, islands, s, share, parts)
        if turn >= SETTLING_TURNS and worst <= gape:
            break
        for k in range(low, high - 1):
            m = led_by(w, graph, islands, s, k)
            if m >= 0:
                stiffen(joints, graph, m, 0.5 * length)
                assemble(joints, graph, m, True)
        if turn < SETTLING_TURNS and last > first:
            missed = settle(w, rows, islands, s, share, parts, tolerance)
            lack_all(w, rows, islands, s, share, parts)
        for k in range(low, high - 1):
            m = led_by(w, graph, islands, s, k)
            if m >= 0:
                solve(graph, m)
                take(joints, graph, m)
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        if p >= 0:
            for c in range(3):
                rows.speed[k, c] = graph.root[p, c] * graph.way[p, c]
    return missed


@kernel
def move_all(w: Tables, rows: Rows, islands: Islands, s: int, share: float, parts: Parts) -> float:
    """Measure the joints of an island where its ways end, and what they lack; return the worst, as a displacement."""
    graph = rows.graph
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        m = led_by(w, graph, islands, s, k)
        if m >= 0:
            move_on(graph, m, w.state[0].length, graph.way)
            measure(w.joints.table, graph, m)
    return float(lack_all(w, rows, islands, s, share, parts))


@kernel
def lack_all(w: Tables, rows: Rows, islands: Islands, s: int, share: float, parts: Parts) -> float:
    """Write as `x` what an island lacks on its ways; return the worst, as a displacement."""
    worst = 0.0
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        m = led_by(w, rows.graph, islands, s, k)
        if m >= 0:
            lack(w.joints.table, rows.graph, m, w.state[0].length, share)
    add_pushes(rows, parts)
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        m = led_by(w, rows.graph, islands, s, k)
        if m >= 0:
            worst = max(worst, worst_of(w.joints.table, rows.graph, m, w.state[0].length))
    return worst


@inner
def led_by(w: Tables, graph: Graph, islands: Islands, s: int, k: int) -> int:
    """Return the mechanism of the body in place k of an island, if it is the first of it; else -1."""
    m = mechanism_of(w, graph, islands.members[k - s])
    return m if m >= 0 and graph.lead[m] == k else -1


@kernel
def begin_mechanism(joints: Table, graph: Graph, m: int) -> None:
    """Write what the joints' impulses of the step before change of velocities."""
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3):
            graph.x[p, c] = 0.0
    add_pulls(joints, graph, m)


@kernel
def take_speeds(rows: Rows, low: int, high: int) -> None:
    """Write as ways the speeds of bodies of mechanisms, with what stands in `x` as momenta."""
    graph = rows.graph
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        if p >= 0:
            for c in range(3):
                root = graph.root[p, c]
                if root > 0.0:
                    graph.way[p, c] = (rows.speed[k, c] + graph.x[p, c] / root) / root


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


@kernel
def worst_of(joints: Table, graph: Graph, m: int, length: float) -> float:
    """Return how far a mechanism is from holding together and from its momenta, as a displacement."""
    worst = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            if k < 0 and graph.mass[p, c] > 0.0:
                worst = max(worst, abs(graph.x[p, c]) / graph.mass[p, c] * length)
            elif k >= 0 and row_of(joints[k], c)[1] == RIGID:
                worst = max(worst, abs(joints[k].value[c]))
    return worst


@kernel
def settle(w: Tables, rows: Rows, islands: Islands, s: int, share: float, parts: Parts, tolerance: float) -> float:
    """Settle the bounded rows of an island on the present matrix; return the worst speed by which a row misses."""
    first, middle, frictions, last = parts
    graph, length = rows.graph, w.state[0].length
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    ask_bounded(w, rows, frictions, last, length)
    for k in range(low, high - 1):
        m = led_by(w, graph, islands, s, k)
        if m >= 0:
            solve(graph, m)
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        if p >= 0:
            for c in range(3):
                root = graph.root[p, c]
                rows.speed[k, c] = root * (graph.way[p, c] + graph.x[p, c]) if root > 0.0 else 0.0
    missed = 0.0
    for _ in range(MOST_SWEEPS):
        bound_frictions(rows, middle, frictions, low, high)
        turns, missed = minimise(rows, first, last, low, high, EXACTLY * tolerance, 4 * FEW_TURNS, 0.0)
        if turns == 0:
            break
    return missed


@kernel
def end_velocities(w: Tables, piles: Piles, s: int, share: float, first: int, last: int, gape: float) -> None:
    """Write the velocities at the end of the ways: such as the joints allow there, and limits that have pushed."""
    rows, islands, solving = piles.rows, piles.islands, piles.solving
    graph, joints, length = rows.graph, w.joints.table, w.state[0].length
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    for k in range(low, high - 1):
        m = led_by(w, graph, islands, s, k)
        if m < 0:
            continue
        shorten_gaps(w, graph, m, length, gape)
        for p in range(graph.starts[m], graph.middle[m]):
            for c in range(3):
                before = graph.speed[p, c]
                graph.speed[p, c] = graph.way[p, c] if share == 1.0 else 2.0 * graph.way[p, c] - before
        move_on(graph, m, length, graph.way)
        stay(graph, m)
        measure(joints, graph, m)
        hold_rigid(joints, graph, m)
        for p in range(graph.starts[m], graph.middle[m]):
            graph.stiff[p, 0], graph.stiff[p, 1] = 0.0, 0.0
        note_pulls(joints, graph, m, share * length)
        assemble(joints, graph, m, True)
        if share == 1.0 or last > first:
            project(joints, graph, m, graph.speed)
    if share < 1.0 and last > first:
        stop_at_limits(w, solving, rows, islands, s, first, last, length)
    for k in range(low, high - 1):
        p, noted = rows.node[k] - 1, solving[islands.members[k - s]]
        if p < 0:
            continue
        noted.next_x, noted.next_y, noted.next_spin = graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2]
        noted.push_x, noted.push_y = graph.way[p, 0] - noted.next_x, graph.way[p, 1] - noted.next_y
        noted.push_spin = graph.way[p, 2] - noted.next_spin


@kernel
def shorten_gaps(w: Tables, graph: Graph, m: int, length: float, gape: float) -> None:
    """Have ways end where the joints hold, by the least displacement, if Newton's turns did not end."""
    joints, pose, begun = w.joints.table, graph.pose, graph.free
    move_on(graph, m, length, graph.way)
    if measure(joints, graph, m) <= gape:
        return
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3):
            begun[p, c] = pose[p, c]
    close(joints, graph, m, gape)
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3):
            pose[p, c] = begun[p, c]
            if graph.mass[p, c] > 0.0:
                graph.way[p, c] = (pose[p, 3 + c] - begun[p, c]) / length


@kernel
def stop_at_limits(
    w: Tables, solving: Table, rows: Rows, islands: Islands, s: int, first: int, last: int, length: float
) -> None:
    """Have limits that have pushed take what closes them yet, and motors what is left of their force."""
    graph, joints = rows.graph, w.joints.table
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3):
            if p >= 0:
                rows.speed[k, c] = graph.root[p, c] * graph.speed[p, c]
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        before = row.impulse / row.length
        what, sign = driven(joint) if which == 2 else limited(joint), -1.0 if which == UPPER else 1.0
        write_bounded(w, solving, rows, joint, row, what, high - 1, sign)
        secant(graph.pose, joint, what, graph.row, 0)
        row.wanted = ((joint.speed if which == 2 else 0.0) - sign * fixed_rate(graph, joint, graph.speed)) / row.length
        if which == 2:
            most = joint.most * length
            row.low, row.high = (-most - 2.0 * before) * row.length, (most - 2.0 * before) * row.length
        else:
            row.low, row.high = -2.0 * before * row.length, math.inf if before > 0.0 else 0.0
        row.share, row.impulse = before, 0.0
    minimise(rows, first, last, low, high, 1e-12, 4 * FEW_TURNS, 0.0)
    for r in range(first, last):
        row = rows.table[r]
        row.impulse = row.share * row.length + 0.5 * row.impulse
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3):
            if p >= 0 and graph.root[p, c] > 0.0:
                graph.speed[p, c] = rows.speed[k, c] / graph.root[p, c]


@kernel
def note_pushes(joints: Table, rows: Rows, first: int, last: int, time: float) -> None:
    """Note the forces of limits and motors."""
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        if which != UPPER:
            joint.push[0 if which == 0 else 1] = row.impulse / row.length / time
    for r in range(first, last):
        row = rows.table[r]
        joint, which = joints[row.bound // 4], row.bound % 4
        if which == UPPER:
            below = joint.push[0] if joint.low > -math.inf else 0.0
            joint.push[0] = below - row.impulse / row.length / time
