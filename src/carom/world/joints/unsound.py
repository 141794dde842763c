"""Islands with joints that have no sound solution: they wait.

In: an island whose solution is no number, or has more energy than is accounted for. Out: its bodies where they are,
with the velocities that they have, and no impulses.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom.world.joints.forces import note_drawn
from carom.world.joints.mechanism import forget_late
from carom.world.joints.rows import joint_of
from carom.world.step.piles import Piles
from carom.world.step.rounds import forget_impulses
from carom.world.step.solve.rows import Rows
from carom.world.step.tables import Tables
from carom.world.step.ways.writer import have_wait

WAITS = -1.0
"""In place of what rows miss: an island has no sound way."""


@kernel
def are_numbers(rows: Rows, first: int, last: int) -> bool:
    """Tell whether all impulses of an island are finite."""
    finite = True
    for r in range(first, last):
        finite = finite and math.isfinite(rows.table[r].impulse)
    return finite


@kernel
def wait(w: Tables, piles: Piles, s: int, first: int, last: int) -> None:
    """Have an island wait that has no sound way: its bodies stay where they are, and keep their velocities."""
    rows, islands, solving, graph = piles.rows, piles.islands, piles.solving, piles.rows.graph
    for r in range(first, last):
        rows.table[r].impulse = 0.0
    for c in range(islands.begins[s], islands.begins[s + 1]):
        forget_impulses(piles.contacts[islands.order[c]])
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body, noted = w.bodies[islands.members[at]], solving[islands.members[at]]
        noted.next_x, noted.next_y, noted.next_spin = body.vx, body.vy, body.spin
        noted.push_x, noted.push_y, noted.push_spin = 0.0 - body.vx, 0.0 - body.vy, 0.0 - body.spin
        noted.violent, noted.flies = 0, 0
        have_wait(w.courses[islands.members[at]])
    for at in range(graph.listed[0]):
        m = graph.listed[1 + at]
        note_drawn(w, graph, m, 0.0)
        for p in range(graph.starts[m], graph.middle[m]):
            k = joint_of(graph, p)
            for slot in range(3 if k >= 0 else 0):
                w.joints.table[k].pull[slot] = 0.0
        forget_late(w.joints.table, graph, m)
