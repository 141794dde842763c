"""Overlaps at the end of a step are opened by the least displacement, without speed.

In: the bodies of piles where they stand at the end of the step. Out: the same bodies and free ones beside them, moved
and turned so that no pair overlaps by more than a share of the skin. Of all displacements that open the gaps it is the
least by mass: min 1/2 dq' M dq so that J dq >= target - gap. It is measured anew until open; `wedged` sees to what has
no way out.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.bounded import list_limits
from carom.world.joints.instant import factor_where_it_is
from carom.world.step.constants import DEEP, FEW_TURNS, MEET_AT, MOST_TRIES, PARTING_SIZES, REACH, SPARE
from carom.world.step.end.displacement import are_apart, close_joints, share_before_others
from carom.world.step.pairs.contacts import Contact, moves, skin_of
from carom.world.step.pairs.filters import MEET, concern, is_open
from carom.world.step.pairs.seams import OUTER, write_outer
from carom.world.step.pairs.sensors import are_parting
from carom.world.step.piles import Piles
from carom.world.step.solve.islands import first_of
from carom.world.step.solve.minimise import minimise
from carom.world.step.solve.open_ways import MOST_OF_GAPS, lift, open_rows
from carom.world.step.solve.rows import Rows, has_joints, roots_of, write_row
from carom.world.step.solve.speeds import clear, read_speed
from carom.world.step.tables import Body, Tables
from carom.world.step.ways.motion import own_pull, place_parts
from carom.world.step.ways.neighbours import neighbours_of
from carom.world.step.ways.setting_off import settle_parts

REPORTED = 2
"""Value of `parting`: what overlaps another of these is told of, and stays."""
STILL_DEEP = 2
"""Value of `shifted`: the body is deep in another one, and is measured again even if nothing can move it."""
ROUGH_REACH = 10.0
"""Times the skin: pairs that are opened together after a rough solution."""
FARTHEST = 60.0
"""Times the skin beyond the reach: pairs so far apart are opened together at most, whatever is deep."""
SOFTNESS = 1e-11
"""Of each row, by its push: what contradicts, where bodies are wedged, does not keep the others from opening."""


@kernel
def open_gaps(w: Tables, piles: Piles, members: int, rough: bool) -> int:
    """Open the gaps around the first `members` bodies of `solved`; some violent piles are among them if `rough`.

    Returns 0, or, if some are still too deep, how many bodies took part.
    """
    solving, solved, rows = piles.solving, piles.solved, piles.rows
    for k in range(members):
        solving[solved[k]].member, solving[solved[k]].shifted = k + 1, 0
        w.rests[solved[k]].near = 0
    for k in range(members):
        members = add_held(w, piles, members, solved[k])
    reach, measures, parts, worst, before = ROUGH_REACH if rough else REACH, 0, False, 0.0, math.inf
    while measures < MOST_TRIES:
        measures += 1
        points, members, parts, worst, least_skin = measure_gaps(w, piles, members, rough, measures == 1, reach, parts)
        if worst <= -DEEP and not (parts and measures == 1):
            break
        if worst > before and not rough:
            break  # what is wedged goes deeper elsewhere with each push
        before = worst if measures > 1 else before
        for r in range(points):
            row = rows.table[r]
            row.i, row.j = row.i if row.i >= 0 else members, row.j if row.j >= 0 else members
        rough = rough and not parts  # those that were put into each other go a bounded way, which nobody hands on
        limits = hold_members(w, piles, members, points)
        jointed, points = limits >= 0, points + max(limits, 0)
        rough = rough and not jointed
        if rough:
            open_roughly(w, piles, members, points)
        else:
            clear(rows.speed, 0, members + 1)
            # What has no room has no solution, however long it is looked for; what opens takes fewer turns.
            most = FEW_TURNS if parts and measures == 1 else FEW_TURNS * MOST_TRIES
            minimise(rows, 0, points, 0, members + 1, SPARE * least_skin, most, SOFTNESS)
        for k in range(members):
            noted = solving[solved[k]]
            noted.shifted = 1 if displace(w, piles, k) or noted.shifted == STILL_DEEP else 0
        if jointed:
            close_joints(w, rows.graph, piles.work)
        reach = REACH + min(2.0 * worst, FARTHEST)
    for k in range(members):
        solving[solved[k]].member = 0
    return members if worst > -DEEP else 0


@kernel
def measure_gaps(
    w: Tables, piles: Piles, members: int, rough: bool, first: bool, reach: float, parts: bool
) -> tuple[int, int, bool, float, float]:
    """Write a row for each point of pairs around members that are nearer than `reach` skins.

    Returns how many rows and members there are, whether some pairs were put into each other, how deep the deepest of
    the others is, in skins, and the least skin.
    """
    bodies, solving, solved, rows = w.bodies, piles.solving, piles.solved, piles.rows
    scratch = piles.contacts[piles.contacts.shape[0] - 1]
    points, worst, least_skin, k = 0, 0.0, math.inf, 0
    all_of_them = first or not rough  # else only those that the last measure has moved, or left deep
    while k < members:
        number = solved[k]
        body = bodies[number]
        if not all_of_them and solving[number].shifted == 0:
            k += 1
            continue
        for p in range(body.first_part, body.first_part + body.part_count):
            for m in range(neighbours_of(w, p, w.around)):
                q = w.around[m]
                other_number = w.parts[q].body
                beside = solving[other_number]
                asks = all_of_them or beside.shifted != 0
                if other_number < number and beside.member != 0 and asks:
                    continue
                if not are_near(w, p, q, reach, scratch):
                    continue
                other = bodies[other_number]
                skin, separation = skin_of(body, other), scratch.separation
                if not first or separation <= REACH * skin:
                    w.rests[number].near, w.rests[other_number].near = 1, 1
                if moves(other) and beside.member == 0:
                    # A free body that is met takes part.
                    solved[members] = other_number
                    members += 1
                    beside.member, beside.shifted = members, 1
                    members = add_held(w, piles, members, other_number)
                target, least_skin = -SPARE * skin, min(least_skin, skin)
                if separation < 0.0 and are_parting(w, number, other_number):
                    # A bounded way, so that nothing jumps; then no deeper.
                    bounded = min(SPARE * skin, separation + PARTING_SIZES * min(body.half_width, other.half_width))
                    target, parts = bounded if first else separation, True
                else:
                    worst = max(worst, -separation / skin)
                    if separation < DEEP * skin:
                        solving[number].shifted, beside.shifted = STILL_DEEP, STILL_DEEP
                i, j = solving[scratch.a].member - 1, solving[scratch.b].member - 1
                # A kinematic body may be near a sleeping one: their row would move neither.
                for point in range(scratch.count if moves(body) or moves(other) else 0):
                    if scratch.gap[point] <= reach * skin and points < rows.table.shape[0]:
                        ask_for(rows, points, i, j, bodies[scratch.a], bodies[scratch.b], scratch, point, target)
                        points += 1
        k += 1
    return points, members, parts, worst, least_skin


@inner
def add_held(w: Tables, piles: Piles, members: int, number: int) -> int:
    """Have the bodies that joints connect with a member be members, too; return how many there are."""
    if w.bodies[number].node == 0:
        return members
    graph, solving = piles.rows.graph, piles.solving
    m = graph.mechanism[w.bodies[number].node - 1]
    for p in range(graph.starts[m], graph.middle[m]):
        one = graph.node[p]
        if one >= 0 and moves(w.bodies[one]) and solving[one].member == 0:
            piles.solved[members] = one
            members += 1
            solving[one].member, solving[one].shifted = members, 1
            w.rests[one].near = 0
    return members


@kernel
@left_out(-1)
def hold_members(w: Tables, piles: Piles, members: int, points: int) -> int:
    """Factor the mechanisms of the members where they stand; return how many rows of their limits follow the points.

    -1 if there are no mechanisms.
    """
    rows, graph, last, found = piles.rows, piles.rows.graph, points, False
    if not has_joints(rows):
        return -1
    rows.node[members] = 0
    for k in range(members):
        rows.node[k], piles.solving[piles.solved[k]].place = w.bodies[piles.solved[k]].node, k
    for k in range(members):
        node = rows.node[k]
        if node != 0 and first_of(graph, node) == piles.solved[k]:
            factor_where_it_is(w, graph, graph.mechanism[node - 1])
            last = list_limits(w, piles.solving, rows, graph.mechanism[node - 1], last, members)
            found = True
    return last - points if found else -1


@kernel
def open_roughly(w: Tables, piles: Piles, members: int, points: int) -> None:
    """Displace the bodies of piles that fall, rather the higher ones, until no gap is much too small."""
    rows, solved, up_x, up_y = piles.rows, piles.solved, 0.0, 0.0
    for k in range(members):
        x, y, _ = own_pull(w.state[0], w.bodies[solved[k]])
        up_x, up_y = up_x - x, up_y - y
    lift(w.bodies, solved, 0, members, rows, 0, up_x, up_y)
    open_rows(rows, 0, points, MOST_OF_GAPS)
    for k in range(members + 1):
        for c in range(3):
            rows.speed[k, c] = rows.ahead[k, c]


@kernel
def are_near(w: Tables, p: int, q: int, reach: float, contact: Contact) -> bool:
    """Write the contact of two parts as they stand; tell whether they meet no farther than some skins apart."""
    parts, bodies = w.parts, w.bodies
    body, other = bodies[parts[p].body], bodies[parts[q].body]
    skin = skin_of(body, other)
    # How deep is known at last: a part may be less deep behind a side that another part covers.
    far = max(reach * skin, 0.0)
    if parts[p].body == parts[q].body or are_apart(body, parts[p], other, parts[q], far):
        return False
    if concern(w, body, other) != MEET:
        return False
    if body.parting == REPORTED and are_parting(w, parts[p].body, parts[q].body):
        return False
    # A part without width has no inside: where something presses, it is to stay outside of others, on its side.
    thin, pressed = parts[p].thin != 0 or parts[q].thin != 0, max(body.swift, other.swift) > 0.0
    apart = MEET_AT * skin if thin and pressed else 0.0
    separation, sides = write_outer(w, min(p, q), max(p, q), apart, far, contact)
    if separation == math.inf:
        return False
    contact.separation -= apart
    # The side does not count where it is no deeper than opening leaves it.
    if sides != OUTER and contact.separation < -2.0 * SPARE * skin:
        contact.separation = min(contact.separation, -skin)
    return contact.separation <= reach * skin and not is_open(bodies[contact.a], bodies[contact.b], contact)


@inner
def ask_for(rows: Rows, r: int, i: int, j: int, a: Body, b: Body, contact: Contact, k: int, target: float) -> None:
    """Write the row of one point: by how much its gap is to open; i, j are places, -1 of what cannot be moved."""
    row = rows.table[r]
    length = write_row(row, i, j, roots_of(a, b, i >= 0, j >= 0), contact, k, contact.nx, contact.ny)
    row.wanted, row.low, row.high, row.impulse = (target - contact.gap[k]) / length, 0.0, math.inf, 0.0
    row.share = SPARE * skin_of(a, b) / length


@kernel
def displace(w: Tables, piles: Piles, k: int) -> bool:
    """Move and turn member k by its share, and no part without width through another one; tell whether it has one."""
    number = piles.solved[k]
    body = w.bodies[number]
    dx, dy, turn = read_speed(piles.rows.speed, k, body)
    if dx == 0.0 and dy == 0.0 and turn == 0.0:
        return False
    far = abs(dx) + abs(dy) + abs(turn) * body.sweep
    # What is wedged has no way out, and would be thrown: in all measures together no body leaves where it was. A Point
    # stands nowhere but where the others let it.
    share = min(1.0, body.half_width / MOST_TRIES / far) if body.sweep > 0.0 else 1.0
    share *= share_before_others(w, number, share * dx, share * dy, share * turn, share * far, piles.work)
    body.x += share * dx
    body.y += share * dy
    body.angle += share * turn
    body.moved, w.rests[number].displaced = 1, 1
    place_parts(w, body, turn != 0.0)
    settle_parts(w, number, w.state[0].length)
    return True
