"""Displacements at the end of a step: how far a body goes on one before it passes another, and joints closed by it.

In: bodies at the end of a step, and where they are to be put. Out: the share of the way there on which they pass
nothing; mechanisms whose joints are closed, or that wait on the way, since something is in it. No velocity comes of it.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom._core.types import Floats
from carom.narrow.conservative_advancement import Way, time_to_gap
from carom.narrow.signed_distance import separate
from carom.world.joints.bounded import CLOSING_SIZES, bind_limits, bound_ways, close_within_limits, hold_passed
from carom.world.joints.mechanism import load, note_gaps
from carom.world.joints.rows import joint_of, limited
from carom.world.joints.tables import Graph, Joint
from carom.world.step.constants import SPARE
from carom.world.step.declared import Table
from carom.world.step.pairs.contacts import moves, skin_of
from carom.world.step.pairs.filters import MEET, concern, is_one_way
from carom.world.step.tables import LET_ON, Body, Part, Tables
from carom.world.step.ways.motion import place_parts
from carom.world.step.ways.neighbours import keeps_within, met_on_way, neighbours_of, settle_in
from carom.world.step.ways.setting_off import settle_parts


@inner
def are_apart(a: Body, p: Part, b: Body, q: Part, reach: float) -> bool:
    """Tell whether the bounds of two parts where they stand are farther apart than `reach`."""
    dx, dy = (b.x + q.offset_x) - (a.x + p.offset_x), (b.y + q.offset_y) - (a.y + p.offset_y)
    apart_x = max(dx + q.left - p.right, p.left - q.right - dx)
    return bool(max(apart_x, dy + q.bottom - p.top, p.bottom - q.top - dy) > reach)


@inner
def share_before_others(w: Tables, number: int, dx: float, dy: float, turn: float, far: float, work: Floats) -> float:
    """Return the share of a displacement, up to 1, with which no part without width passes another part."""
    body, parts, share = w.bodies[number], w.parts, 1.0
    way = body.x, body.y, dx, dy, turn, body.sweep
    for p in range(body.first_part, body.first_part + body.part_count):
        for k in range(neighbours_of(w, p, w.around)):
            q = w.around[k]
            other, thin = w.bodies[parts[q].body], parts[p].thin + parts[q].thin
            # Walls without width lie still: a part with width stays where it was.
            if thin == 0 or (parts[p].thin == 0 and not moves(other)):
                continue
            if parts[q].body == number or are_apart(body, parts[p], other, parts[q], far):
                continue
            share = min(share, share_before(w, p, q, way, (other.x, other.y, 0.0, 0.0, 0.0, other.sweep), work))
    return share


@inner
def share_before(w: Tables, p: int, q: int, way: Way, beside: Way, work: Floats) -> float:
    """Return the share of two displacements, up to 1, with which a part does not pass another one.

    Where one has no width, a gap is halved at most, and what touches goes no deeper: from inside a thin part either
    side may be the nearer. Parts with width go a skin deep at most, or deeper, and are opened.
    """
    body, other, thin = w.bodies[w.parts[p].body], w.bodies[w.parts[q].body], w.parts[p].thin + w.parts[q].thin
    if concern(w, body, other) != MEET or is_one_way(other) or is_one_way(body):
        return 1.0
    i, j, skin = w.parts[p].record, w.parts[q].record, skin_of(body, other)
    separation, spare = separate(w.buffer, i, w.buffer, j)[0], 0.25 * SPARE * skin
    if thin == 0:
        limit = min(separation, 0.0) - skin
    elif separation > 0.0:
        limit = 0.5 * separation
    else:
        limit = separation if thin == 2 else separation - 2.0 * spare
    tolerance = 0.25 * (separation - limit)
    time = time_to_gap(w.buffer, i, way, w.buffer, j, beside, 1.0, limit, 0.0, -math.inf, tolerance, work)
    return min(float(time), 1.0)


@kernel
@left_out(None)
def close_joints(w: Tables, graph: Graph, work: Floats) -> None:
    """Close the joints of mechanisms that were displaced: linearly they hold, and what is left is of second order.

    A mechanism goes as far as it passes nothing, and waits there.
    """
    for m in range(graph.mechanisms[0]):
        moved = False
        for p in range(graph.starts[m], graph.middle[m]):
            moved = moved or (graph.node[p] >= 0 and w.rests[graph.node[p]].displaced != 0)
        if not moved:
            continue
        gape = load(w, graph, m, 0.0)
        hold_passed(w.joints.table, graph, m, gape)
        close_within_limits(w.joints.table, graph, m, gape, 0.0)
        put_on_ways(w, graph, m, share_of_mechanism(w, graph, m, work), True)


@kernel
@left_out(None)
def narrow_gaps(w: Tables, graph: Graph, work: Floats) -> None:
    """Close joints that gape, and limits that are passed, where something was set elsewhere or their mechanism waited.

    Within a step joints gape by the sagitta of their ways, and what waits stands there. No velocity comes of it, no
    body goes faster than a few of its sizes a second, and none passes another; later steps close what is left. Where a
    step closes a share, all joints of a mechanism close by that: what holds goes on to hold.
    """
    joints = w.joints.table
    for m in range(graph.mechanisms[0]):
        if not has_gap(joints, graph, m) and not has_waited(w, graph, m):
            continue
        closes, share = close_by(w, graph, m, 1.0), share_of_speed(w, graph, m)
        if closes and share < 1.0:
            closes = close_by(w, graph, m, share)
        free = share_of_mechanism(w, graph, m, work) if closes else 0.0
        put_on_ways(w, graph, m, free, free < 1.0)
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0:
                course = w.courses[graph.node[p]]
                course.met = max(course.met, LET_ON)
        note_gaps(joints, graph, m, load(w, graph, m, 0.0))
        bound_ways(w, graph, m)


@kernel
def close_by(w: Tables, graph: Graph, m: int, share: float) -> bool:
    """Have a mechanism end where its joints, and limits that are passed, are closed by a share; tell if they are."""
    joints, gape = w.joints.table, load(w, graph, m, 0.0)
    bind_limits(joints, graph, m)
    note_gaps(joints, graph, m, 0.0 if share < 1.0 else math.inf)
    if share < 1.0:
        bound_ways(w, graph, m)
        ask_less(joints, graph, m, 1.0 - share)
    hold_passed(joints, graph, m, gape)
    return bool(close_within_limits(joints, graph, m, gape, 0.0))


@inner
def ask_less(joints: Table[Joint], graph: Graph, m: int, left: float) -> None:
    """Have so much of the gaps of a mechanism, and of what it is beyond its limits, be left where its ways end."""
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k < 0:
            continue
        joint = joints[k]
        for c in range(3):
            joint.gap[c] *= left
        if joint.upper > joint.high:
            joint.upper = joint.high + left * (joint.upper - joint.high)
        if joint.lower < joint.low:
            joint.lower = joint.low + left * (joint.lower - joint.low)


@kernel
def has_gap(joints: Table[Joint], graph: Graph, m: int) -> bool:
    """Tell whether a joint of a mechanism gapes, or its ways began beyond a limit."""
    found = False
    for p in range(graph.starts[m], graph.middle[m]):
        k = joint_of(graph, p)
        if k >= 0:
            joint = joints[k]
            found = found or joint.gap[0] != 0.0 or joint.gap[1] != 0.0 or joint.gap[2] != 0.0
            found = found or (limited(joint) >= 0 and (joint.upper > joint.high or joint.lower < joint.low))
    return found


@inner
def has_waited(w: Tables, graph: Graph, m: int) -> bool:
    """Tell whether a mechanism, or a part of it, has waited in this portion after it had gone some way."""
    found = False
    for p in range(graph.starts[m], graph.middle[m]):
        number = graph.node[p]
        found = found or (number >= 0 and w.courses[number].stalled != 0 and w.bodies[number].asleep == 0)
    return found


@inner
def share_of_speed(w: Tables, graph: Graph, m: int) -> float:
    """Return the share, up to 1, of the displacement of a mechanism that none of its bodies goes too fast on."""
    share, sizes = 1.0, 2.0 * CLOSING_SIZES * w.state[0].length
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            body = w.bodies[graph.node[p]]
            dx, dy, turn = way_to(graph, p, body)
            far = math.sqrt(dx * dx + dy * dy) + abs(turn) * body.sweep
            if far > sizes * body.sweep:
                share = min(share, sizes * body.sweep / far)
    return share


@inner
def put_on_ways(w: Tables, graph: Graph, m: int, share: float, waits: bool) -> None:
    """Put the bodies of a mechanism where a share of their displacements leads."""
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            put_on_way(w, graph, p, share, waits)


@inner
def put_on_way(w: Tables, graph: Graph, p: int, share: float, waits: bool) -> None:
    """Put a body of a mechanism where a share of its displacement leads; it has waited if something is in its way."""
    number = graph.node[p]
    body, pose, state = w.bodies[number], graph.pose, w.state[0]
    if share == 1.0:
        body.x, body.y, body.angle = pose[p, 3], pose[p, 4], pose[p, 5]
    else:
        dx, dy, turn = way_to(graph, p, body)
        body.x, body.y, body.angle = body.x + share * dx, body.y + share * dy, body.angle + share * turn
        if waits:
            w.courses[number].waited = state.before + state.now - state.begins
    place_parts(w, body, True)
    settle_parts(w, number, state.length)


@inner
def way_to(graph: Graph, p: int, body: Body) -> tuple[float, float, float]:
    """Return the displacement of a body to where its mechanism has it end."""
    return graph.pose[p, 3] - body.x, graph.pose[p, 4] - body.y, graph.pose[p, 5] - body.angle


@kernel
def share_of_mechanism(w: Tables, graph: Graph, m: int, work: Floats) -> float:
    """Return the share, up to 1, of the displacement of a mechanism on which none of its bodies passes another."""
    share = 1.0
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            write_bounds(w, graph.node[p], way_to(graph, p, w.bodies[graph.node[p]]))
    for p in range(graph.starts[m], graph.middle[m]):
        number = graph.node[p]
        if number < 0:
            continue
        body = w.bodies[number]
        dx, dy, turn = way_to(graph, p, body)
        way = body.x, body.y, dx, dy, turn, body.sweep
        for part in range(body.first_part, body.first_part + body.part_count):
            for k in range(met_on_way(w, part)):
                q = w.around[k]
                other, dx, dy, turn = w.bodies[w.parts[q].body], 0.0, 0.0, 0.0
                if other.node != 0 and graph.mechanism[other.node - 1] == m:
                    dx, dy, turn = way_to(graph, other.node - 1, other)
                beside = other.x, other.y, dx, dy, turn, other.sweep
                share = min(share, share_before(w, part, q, way, beside, work))
    return share


@inner
def write_bounds(w: Tables, number: int, way: tuple[float, float, float]) -> None:
    """Write the bounds of the parts of a body on a displacement, and whom they are near there."""
    body, (dx, dy, turn) = w.bodies[number], way
    room = min(abs(turn), 2.0) * body.sweep
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        x, y = body.x + part.offset_x, body.y + part.offset_y
        part.low_x, part.high_x = x + part.left + min(dx, 0.0) - room, x + part.right + max(dx, 0.0) + room
        part.low_y, part.high_y = y + part.bottom + min(dy, 0.0) - room, y + part.top + max(dy, 0.0) + room
        if not keeps_within(part):
            settle_in(w, body, p)
