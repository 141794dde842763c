"""Which bodies the solver moves: those of contacts, and mechanisms as a whole.

In: the contacts of a round, and the joints of a world. Out: the list of solved bodies, each with the mark OF_PILE and
without a solution yet.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom.world.joints.rows import can_fly
from carom.world.step.notes import Note
from carom.world.step.pairs.contacts import moves
from carom.world.step.piles import Piles
from carom.world.step.tables import OF_PILE, Body, Tables


@kernel
def join_pile(w: Tables, piles: Piles, first: int, last: int) -> None:
    """Have the bodies of new contacts take part."""
    for c in range(first, last):
        for number in (piles.contacts[c].a, piles.contacts[c].b):
            begin_solution(w.bodies[number], piles.solving[number])
            if moves(w.bodies[number]) and w.bodies[number].pile & OF_PILE == 0:
                take_part(w, piles, number)


@kernel
@left_out(None)
def join_mechanisms(w: Tables, piles: Piles) -> None:
    """Have whole mechanisms take part of which a body does, or that cannot fly.

    In the order of their places, so that the same world gives the same bits. Notes whether others are to fly.
    """
    graph, joints, bodies, state = piles.rows.graph, w.joints.table, w.bodies, w.state[0]
    state.due = 0
    for m in range(graph.mechanisms[0]):
        takes, awake = not can_fly(joints, graph, m), True
        for p in range(graph.starts[m], graph.middle[m]):
            if graph.node[p] >= 0:
                takes = takes or bodies[graph.node[p]].pile & OF_PILE != 0
                awake = awake and bodies[graph.node[p]].asleep == 0
        for p in range(graph.starts[m], graph.middle[m]):
            number = graph.node[p]
            if number < 0 or not awake:
                continue
            if not takes:
                state.due = max(state.due, w.courses[number].due)
                continue
            w.courses[number].due = 0
            if bodies[number].pile & OF_PILE == 0:
                begin_solution(bodies[number], piles.solving[number])
                take_part(w, piles, number)


@inner
def take_part(w: Tables, piles: Piles, number: int) -> None:
    """Have a body be solved that has not looked around yet."""
    state = w.state[0]
    w.bodies[number].pile |= OF_PILE
    noted = piles.solving[number]
    noted.seen_x, noted.seen_y, noted.seen_spin = math.inf, 0.0, 0.0
    piles.solved[state.solved] = number
    state.solved += 1


@inner
def begin_solution(body: Body, noted: Note) -> None:
    """Have a body begin without a solution."""
    noted.next_x, noted.next_y, noted.next_spin = body.vx, body.vy, body.spin
    noted.push_x, noted.push_y, noted.push_spin = 0.0, 0.0, 0.0
