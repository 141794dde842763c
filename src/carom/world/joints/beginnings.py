"""Where the solution of an island with joints begins: its mechanisms loaded, their first ways, what may be missed.

In: an island of bodies, joints and contacts. Out: the graph's columns of its mechanisms, and ways that the impulses of
the step before make, or none.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.joints.bounded import Parts
from carom.world.joints.flight import add_pulls, begin_way
from carom.world.joints.forces import note_drawn
from carom.world.joints.gauss_seidel import MOST_DIRECT
from carom.world.joints.instant import mechanism_of
from carom.world.joints.mechanism import clear_places, forget_late, load
from carom.world.joints.rows import joint_of
from carom.world.step.pairs.contacts import Contacts
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.rows import Rows, speed_along
from carom.world.step.tables import WITHIN, Tables

EXACTLY, ROUGHLY = 1e-4, 5e-3
"""Times the speed by which rows of other islands may miss, in small islands and in large ones: limits are passed by no
more than this makes of a step."""


@inner
def time_left(w: Tables) -> float:
    """Return the time to the end of the portion: all of it where an island is solved as it begins."""
    return float(w.state[0].length - w.state[0].now)


@kernel
def begin_mechanisms(w: Tables, rows: Rows, islands: Islands, s: int, length: float) -> float:
    """List and load the mechanisms of an island, and note the first body of each; return how far joints may gape."""
    graph, gape, count = rows.graph, 0.0, 0
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s
    for k in range(low, high):
        m = mechanism_of(w, graph, islands.members[k - s])
        if m >= 0:
            graph.lead[m] = -1
    for k in range(low, high):
        m = mechanism_of(w, graph, islands.members[k - s])
        if m >= 0 and graph.lead[m] < 0:
            graph.lead[m] = k
            count += 1
            graph.listed[count] = m
            forget_late(w.joints.table, graph, m)
            note_drawn(w, graph, m, 0.0)
            gape = max(gape, load(w, graph, m, length))
    graph.listed[0] = count
    return gape


@kernel
def free_speeds(w: Tables, rows: Rows, islands: Islands, s: int, share: float) -> None:
    """Write the speeds that bodies of mechanisms have without joints and bounded rows, and begin their ways."""
    graph = rows.graph
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        begin_way(w, graph, m, time_left(w), share)
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        p = rows.node[k] - 1
        if p >= 0:
            for c in range(3):
                rows.speed[k, c] = graph.root[p, c] * graph.free[p, c]


@kernel
def begin_pulled(w: Tables, rows: Rows, islands: Islands, s: int) -> None:
    """Have an island begin with the ways that the impulses of its joints and bounded rows make.

    In a later round these are the ways that its bodies have.
    """
    graph, again = rows.graph, w.state[0].phase != WITHIN and w.state[0].rounds > 0
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        clear_places(graph.x, graph, m)
        add_pulls(w.joints.table, graph, m)
    for k in range(islands.starts[s] + s, islands.starts[s + 1] + s):
        p, body = rows.node[k] - 1, w.bodies[islands.members[k - s]]
        ways = body.way_x, body.way_y, body.way_spin
        for c in range(3 if p >= 0 else 0):
            root = graph.root[p, c]
            if root > 0.0:
                graph.way[p, c] = ways[c] if again else (rows.speed[k, c] + graph.x[p, c] / root) / root


@kernel
def begin_still(w: Tables, rows: Rows, parts: Parts) -> None:
    """Have an island begin where it is, without ways and impulses: one turn from there holds its joints at once."""
    graph = rows.graph
    for r in range(parts[0], parts[3]):
        rows.table[r].impulse = 0.0
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        for p in range(graph.starts[m], graph.middle[m]):
            number = joint_of(graph, p)
            for c in range(3):
                graph.way[p, c] = 0.0
                if number >= 0:
                    w.joints.table[number].turn[c] = 0.0


@inner
def have_pushed(contacts: Contacts, islands: Islands, s: int) -> bool:
    """Tell whether contacts of an island have pushed in the step before, or in an earlier round."""
    found = False
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = contacts[islands.order[c]]
        found = found or contact.normal[0] > 0.0 or contact.normal[1] > 0.0
    return found


@kernel
def meets(rows: Rows, first: int, middle: int, missable: float) -> bool:
    """Tell whether an island that flies runs into contacts by more than a speed; it is solved with them then."""
    found = False
    for r in range(first, middle):
        row = rows.table[r]
        found = found or (row.wanted - speed_along(row, rows.speed)) * row.length > missable
    return found


@kernel
def tolerance_of(w: Tables, islands: Islands, s: int, length: float) -> float:
    """Return by what speed the rows of an island without contacts may miss theirs."""
    swiftest, fastest = 0.0, 0.0
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body = w.bodies[islands.members[at]]
        swiftest = max(swiftest, body.swift)
        fastest = max(fastest, abs(body.vx) + abs(body.vy) + abs(body.spin) * body.sweep)
    return 1e-6 * swiftest * length + 1e-12 * fastest


@inner
def missable_of(parts: Parts, tolerance: float, least: float) -> float:
    """Return by what speed the rows of an island may miss."""
    return max((ROUGHLY if is_large(parts) else EXACTLY) * tolerance, least)


@inner
def is_large(parts: Parts) -> bool:
    """Tell whether an island has more rows than are surely settled to the end."""
    return parts[3] - parts[0] > MOST_DIRECT


@inner
def note_ways(rows: Rows, low: int, high: int) -> None:
    """Write the ways of the bodies of mechanisms as the speeds of an island."""
    graph = rows.graph
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3 if p >= 0 else 0):
            rows.speed[k, c] = graph.root[p, c] * graph.way[p, c]
