"""Which bodies the solver moves: those of contacts, and mechanisms as a whole.

In: the contacts of a round, and the joints of a world. Out: the list of solved bodies, each with the mark OF_PILE and
without a solution yet.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.joints.rows import has_bounds
from carom.world.step.contacts import Contacts, moves
from carom.world.step.notes import Note, Notes
from carom.world.step.piles import Piles
from carom.world.step.tables import OF_PILE, Bodies, Body, Tables


@kernel
def join_pile(
    bodies: Bodies, solving: Notes, contacts: Contacts, first: int, last: int, solved: Integers, count: int
) -> int:
    """Have the bodies of new contacts take part; return how many bodies do."""
    for c in range(first, last):
        for side in range(2):
            number = contacts[c].a if side == 0 else contacts[c].b
            body, noted = bodies[number], solving[number]
            begin_solution(body, noted)
            if moves(body) and body.pile & OF_PILE == 0:
                body.pile |= OF_PILE
                noted.seen_x = math.inf
                solved[count] = number
                count += 1
    return count


@kernel
def join_mechanisms(w: Tables, piles: Piles, count: int) -> int:
    """Have whole mechanisms take part of which a body does, or that have limits, motors or ropes; see `join_pile`.

    In the order of their places, so that the same world gives the same bits. Notes whether others are to fly.
    """
    graph, joints, bodies, state = piles.rows.graph, w.joints.table, w.bodies, w.state[0]
    state.due = 0
    for m in range(state.mechanisms):
        takes, awake = False, True
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0:
                takes = takes or bodies[graph.node[p]].pile & OF_PILE != 0
                awake = awake and bodies[graph.node[p]].asleep == 0
            else:
                takes = takes or has_bounds(joints[-2 - graph.node[p]])
        for p in range(graph.starts[m], graph.middle[m]):
            number = graph.node[p]
            if number < 0 or not awake:
                continue
            if not takes:
                state.due = max(state.due, w.courses[number].due)
                continue
            w.courses[number].due = 0
            if bodies[number].pile & OF_PILE != 0:
                continue
            body, noted = bodies[number], piles.solving[number]
            begin_solution(body, noted)
            noted.seen_x = math.inf
            body.pile |= OF_PILE
            piles.solved[count] = number
            count += 1
    return count


@inner
def begin_solution(body: Body, noted: Note) -> None:
    """Have a body begin without a solution."""
    noted.next_x, noted.next_y, noted.next_spin = body.vx, body.vy, body.spin
    noted.push_x, noted.push_y, noted.push_spin = 0.0, 0.0, 0.0
