"""Islands with joints: contacts, limits and motors are bounded rows beside joints that are eliminated.

In: islands of a round of which joints hold some bodies. Out: for each body its velocity and its way, impulses, as
from any other solver. Newton's turns bring the joints to hold where the ways end; in each of them the bounded rows
are settled, with what an impulse does to a mechanism as a whole in place of a body's inverse mass. With contacts the
ways are those of piles, with all of the acceleration; without, as in `flight`, with half of it. It stands outside of
the kernel of the step, so that a world without joints never compiles it.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.world.joints.beginnings import (
    begin_mechanisms,
    begin_pulled,
    begin_still,
    free_speeds,
    have_pushed,
    is_large,
    meets,
    missable_of,
    note_ways,
    time_left,
    tolerance_of,
)
from carom.world.joints.bouncing import bounce
from carom.world.joints.bounded import (
    Parts,
    add_pushes,
    aim_rows,
    ask_bounded,
    close_within_limits,
    hold_passed,
    list_bounded,
)
from carom.world.joints.elimination import solve
from carom.world.joints.energies import energy_of_closing, work_of_springs
from carom.world.joints.flight import HARDLY, lack, note_pulls, take
from carom.world.joints.gauss_seidel import bound, settle_bounded
from carom.world.joints.given import note_closing, note_impulses
from carom.world.joints.kinds import RIGID
from carom.world.joints.leaders import hold_leaders_of_island
from carom.world.joints.mechanism import (
    ENDS_HOLD,
    assemble,
    factor_rigid,
    measure_joints,
    move_on,
    project,
    stay,
    stiffen,
)
from carom.world.joints.rows import arm_of, joint_of, row_of, set_start
from carom.world.joints.stops import are_run_into, note_pushes, note_starts, stop_at_limits
from carom.world.joints.tables import Graph, Joint
from carom.world.joints.unsound import WAITS, are_numbers, wait
from carom.world.joints.within import count_gaping, note_energies, note_works, scale_all
from carom.world.step.constants import NO_SOLUTION
from carom.world.step.declared import Table
from carom.world.step.piles import Piles
from carom.world.step.rounds import let_go
from carom.world.step.solve.island_kinds import JOINTED
from carom.world.step.solve.island_rows import begin_speeds, fill, missed_by, sizes_of, write_back
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.minimise import error_of
from carom.world.step.solve.rows import Rows, speed_along
from carom.world.step.solve.solver import work_of
from carom.world.step.solve.speeds import energy
from carom.world.step.tables import DYNAMIC, SOLVED, Tables
from carom.world.step.ways.writer import have_go

NEWTON_TURNS = 12
"""Turns in which the joints of an island are brought to hold, its bounded rows settled in each."""
FLIGHT_LOOKS = 2
"""Turns after which an island whose contacts push is no longer solved as one in flight."""
CLOSED = 1e7
"""Times the gap that joints may have with which Newton's turns may leave off: the rest is closed by displacement."""
ROUND_TURNS, BACK = 5, 1.1
"""Turns of a large island from which on they end where they come back to so many times the least that they have missed
by: they go round, and nothing better comes."""
LEFT, MUCH_LEFT = 1e6, 1e8
"""Where a turn leaves more than the share HARDLY of what the rows missed by before it, turns end as soon as neither
joints nor rows miss by more than so many times the same; of large islands by so many."""


@kernel
def solve_jointed(w: Tables, piles: Piles) -> None:
    """Solve the islands of a round that joints hold."""
    state, islands = w.state[0], piles.islands
    for s in range(state.islands):
        if islands.fresh[s] == 0 or islands.kind[s] != JOINTED:
            continue
        missed = solve_held(w, piles, s)
        if missed >= NO_SOLUTION and let_go(w, piles, s, True):
            missed = solve_held(w, piles, s)
        if missed == WAITS and hold_leaders_of_island(w, piles.rows.graph):
            missed = solve_held(w, piles, s)
        islands.missed[s] = max(missed, 0.0)
    state.phase = SOLVED


@kernel
def solve_held(w: Tables, piles: Piles, s: int) -> float:
    """Solve one island; return how many times the tolerance the worst row misses its speed by, or WAITS."""
    bodies, solving, contacts, rows, islands = w.bodies, piles.solving, piles.contacts, piles.rows, piles.islands
    joints, length = w.joints.table, time_left(w)
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    gape, share, first = begin_mechanisms(w, rows, islands, s, length), 0.5, 4 * islands.begins[s]
    points, rolls, tolerance = sizes_of(bodies, piles, s, length)
    tolerance = tolerance_of(w, islands, s, length) if tolerance == math.inf else tolerance
    middle, frictions = first + points, first + 2 * points + rolls
    last, before, worst, owed = frictions, 0.0, 0.0, np.empty(count_gaping(w, rows.graph, gape))
    note_works(w, rows.graph, gape, owed)
    parts = first, middle, frictions, frictions
    closed = True
    for attempt in range(1 if have_pushed(contacts, islands, s) else 0, 3):
        if attempt == 1 and not closed:
            continue  # the same turns would not end either
        share, turns = 0.5 if attempt == 0 else 1.0, 1 if attempt == 2 else NEWTON_TURNS
        begin_speeds(bodies, piles, s, length)
        free_speeds(w, rows, islands, s, share)
        before = energy(rows.speed, low, high, 0.0)
        fill(bodies, piles, s, middle, length)
        last = list_bounded(w, solving, rows, frictions, share * length, high - 1)
        parts = first, middle, frictions, last
        if turns == 1:
            begin_still(w, rows, parts)
        else:
            begin_pulled(w, rows, islands, s)
        acting, watched = ((frictions, frictions, frictions, last), middle) if attempt == 0 else (parts, first)
        gap, worst = find_ways(w, rows, islands, s, gape, share, acting, watched, tolerance, turns)
        if attempt == 0 and meets(rows, first, middle, missable_of(parts, tolerance, gape / length)):
            continue
        closed = gap <= CLOSED * gape or is_large(parts)
        if closed:
            break
    note_impulses(w, rows, share, parts)
    note_energies(w, rows.graph, length, owed)
    springs, most = 0.0, 2.0 * before + work_of(rows, first, last) + energy_of_closing(w, islands, s, length)
    for at in range(rows.graph.listed[0]):
        work, most_work = work_of_springs(joints, rows.graph, rows.graph.listed[1 + at])
        springs, most = springs + work, most + most_work
    # A solution that is no number has not less energy than any.
    sound = energy(rows.speed, low, high, 0.0) <= most and are_numbers(rows, first, last)
    if not sound or not close_all(w, rows.graph, length, gape, share):
        wait(w, piles, s, first, last)
        return WAITS
    for at in range(islands.starts[s], islands.starts[s + 1]):
        if bodies[islands.members[at]].kind == DYNAMIC:
            have_go(w.courses[islands.members[at]])  # it may have waited in an earlier round
    write_back(bodies, piles, s, middle, False)
    end_velocities(w, piles, s, share, frictions, last, owed)
    if points > 0:
        bounce(w, piles, s, parts, missable_of(parts, tolerance, gape / length), springs)
    note_pushes(joints, rows, frictions, last, share * length)
    return missed_by(worst, tolerance)


@kernel
def find_ways(
    w: Tables,
    rows: Rows,
    islands: Islands,
    s: int,
    gape: float,
    share: float,
    parts: Parts,
    watched: int,
    tolerance: float,
    turns: int,
) -> tuple[float, float]:
    """Find the ways at whose end the joints of an island and its bounded rows hold; return what is missed.

    That is the worst displacement by which joints gaped before the last turn, and the worst speed of bounded rows.
    Contacts before row `watched` do not act: turns leave off where these are met.
    """
    graph, joints, length = rows.graph, w.joints.table, time_left(w)
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    worst, missed, before, missable = math.inf, 0.0, math.inf, missable_of(parts, tolerance, gape / length)
    left, best, rose = (MUCH_LEFT if is_large(parts) else LEFT) * gape, math.inf, False
    for turn in range(turns):
        worst = move_all(w, rows, share, parts)
        if turn >= ROUND_TURNS and rose and 0.5 * best < worst <= BACK * best and is_large(parts):
            break
        rose, best = worst > best, min(worst, best)
        lingers = missed > max(HARDLY * before, missable) and share == 1.0
        if turn > 0 and lingers and max(worst, missed * length) <= left:
            break
        if turn > 0 and worst <= gape and holds(w, rows, islands, s, parts, missable, False):
            break
        if share < 1.0 and turn >= FLIGHT_LOOKS:
            note_ways(rows, low, high)
            if meets(rows, 4 * islands.begins[s], watched, missable + 2.0 * worst / length):
                break
        if not worst < 1e6 * (gape / ENDS_HOLD):
            break  # it leads nowhere
        for at in range(graph.listed[0]):
            m = graph.listed[1 + at]
            stiffen(joints, graph, m, 0.5 * length)
            assemble(joints, graph, m, True)
        solve_all(graph)
        if not holds(w, rows, islands, s, parts, missable, True):
            before, missed = missed if missed > 0.0 else math.inf, settle_bounded(rows, islands, s, parts, missable)
            lack_all(w, rows, share, parts)
            solve_all(graph)
        for at in range(graph.listed[0]):
            take(joints, graph, graph.listed[1 + at])
    note_ways(rows, low, high)
    return worst, missed


@kernel
def solve_all(graph: Graph) -> None:
    """Solve for what the mechanisms of an island lack."""
    for at in range(graph.listed[0]):
        solve(graph, graph.listed[1 + at])


@kernel
def move_all(w: Tables, rows: Rows, share: float, parts: Parts) -> float:
    """Measure the joints of an island where its ways end, and what they lack; return the worst, as a displacement."""
    graph = rows.graph
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        move_on(graph, m, time_left(w), graph.way)
        measure_joints(w.joints.table, graph, m)
    aim_rows(w, rows, parts[2], parts[3])
    return float(lack_all(w, rows, share, parts))


@kernel
def lack_all(w: Tables, rows: Rows, share: float, parts: Parts) -> float:
    """Write as `x` what an island lacks on its ways; return the worst, as a displacement."""
    worst = 0.0
    for at in range(rows.graph.listed[0]):
        lack(w.joints.table, rows.graph, rows.graph.listed[1 + at], time_left(w), share)
    add_pushes(rows, parts)
    for at in range(rows.graph.listed[0]):
        worst = max(worst, worst_of(w.joints.table, rows.graph, rows.graph.listed[1 + at], time_left(w)))
    return worst


@kernel
def worst_of(joints: Table[Joint], graph: Graph, m: int, length: float) -> float:
    """Return how far a mechanism is from holding together and from its momenta, as a displacement."""
    worst = 0.0
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        for c in range(3):
            if k < 0 and graph.mass[p, c] > 0.0:
                far = length * (graph.reach[p] if c == 2 else 1.0)
                worst = max(worst, abs(graph.x[p, c]) / graph.mass[p, c] * far)
            elif k >= 0 and row_of(joints[k], c)[1] == RIGID:
                worst = max(worst, abs(joints[k].value[c]) * arm_of(graph, joints[k], row_of(joints[k], c)[0]))
    return worst


@kernel
def holds(w: Tables, rows: Rows, islands: Islands, s: int, parts: Parts, missable: float, ahead: bool) -> bool:
    """Write the speeds of an island's ways, or of those `ahead`; tell whether its bounded rows hold on these."""
    first, middle, frictions, last = parts
    graph, length = rows.graph, time_left(w)
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    ask_bounded(w, rows, frictions, last, length)
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3 if p >= 0 else 0):
            root = graph.root[p, c]
            way = graph.way[p, c] + (graph.x[p, c] if ahead else 0.0)
            rows.speed[k, c] = root * way if root > 0.0 else 0.0
    worst = 0.0
    for r in range(first, last):
        bound(rows, r, middle, frictions)
        row = rows.table[r]
        error = error_of(row.wanted - speed_along(row, rows.speed), row.impulse, row.low, row.high)
        worst = max(worst, abs(error) * row.length)
    return bool(worst <= missable)


@kernel
def end_velocities(w: Tables, piles: Piles, s: int, share: float, first: int, last: int, owed: Floats) -> None:
    """Write the velocities at the end of the ways: such as the joints allow there, and limits that have pushed."""
    rows, islands, solving = piles.rows, piles.islands, piles.solving
    graph, joints, length = rows.graph, w.joints.table, time_left(w)
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    for at in range(graph.listed[0]):
        move_on(graph, graph.listed[1 + at], 0.0, graph.way)
    note_starts(joints, rows, first, last)
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        for p in range(graph.starts[m], graph.middle[m]):
            for c in range(3):
                before = graph.speed[p, c]
                graph.speed[p, c] = graph.way[p, c] if share == 1.0 else 2.0 * graph.way[p, c] - before
        move_on(graph, m, length, graph.way)
        stay(graph, m)
        note_pulls(joints, graph, m, share * length)
    meets_limits, gapes = share < 1.0 and are_run_into(joints, rows, first, last), share < 1.0 and owed.shape[0] > 0
    stops = meets_limits or (gapes and last > first)
    for at in range(graph.listed[0]):
        factor_rigid(joints, graph, graph.listed[1 + at])
        if share == 1.0 or stops or gapes:
            project(joints, graph, graph.listed[1 + at], graph.speed)
    if stops:
        stop_at_limits(w, solving, rows, islands, s, first, last, length)
    if gapes and not meets_limits:
        scale_all(w, graph, owed)
    for k in range(low, high - 1):
        p, noted = rows.node[k] - 1, solving[islands.members[k - s]]
        if p < 0:
            continue
        noted.next_x, noted.next_y, noted.next_spin = graph.speed[p, 0], graph.speed[p, 1], graph.speed[p, 2]
        noted.push_x, noted.push_y = graph.way[p, 0] - noted.next_x, graph.way[p, 1] - noted.next_y
        noted.push_spin = graph.way[p, 2] - noted.next_spin


@kernel
def close_all(w: Tables, graph: Graph, length: float, gape: float, share: float) -> bool:
    """Have the ways of an island end where its joints hold; tell whether there is such a place for all of them."""
    closed = True
    for at in range(graph.listed[0]):
        closed = closed and shorten_gaps(w, graph, graph.listed[1 + at], length, gape, share)
    return closed


@kernel
def shorten_gaps(w: Tables, graph: Graph, m: int, length: float, gape: float, share: float) -> bool:
    """Have ways end where the joints hold, if need be by the least displacement; tell whether these do."""
    joints, pose, begun = w.joints.table, graph.pose, graph.free
    move_on(graph, m, length, graph.way)
    passes = hold_passed(joints, graph, m, gape)
    if measure_joints(joints, graph, m) <= gape and not passes:
        return True
    for p in range(graph.starts[m], graph.middle[m]):
        for c in range(3):
            begun[p, c] = pose[p, c]
    note_closing(w, graph, m, -1.0, share)
    closed = close_within_limits(joints, graph, m, gape, 1.0 / (share * length))
    for p in range(graph.starts[m], graph.middle[m]):
        set_start(pose, p, begun[p, 0], begun[p, 1], begun[p, 2])
        for c in range(3):
            if graph.mass[p, c] > 0.0:
                graph.way[p, c] = (pose[p, 3 + c] - begun[p, c]) / length
    note_closing(w, graph, m, 1.0, share)
    return closed
