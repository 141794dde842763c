"""Mechanisms whose ways are to be found: at the start of a portion, and after an impact within it.

In: marks on bodies that were hit, or that drive what is jointed to them. Out: ways of their mechanisms from now to the
end of the portion. Within a portion those that cannot fly, since they have loops and limits or motors, are solved as an
island without contacts. At its start mechanisms that take part in piles have their ways from these, and only the others
fly; before contacts are listed, velocities that were set are handed on.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.joints.changes import take_up_changes
from carom.world.joints.flight import fly
from carom.world.joints.forces import leave_pile, note_given
from carom.world.joints.leaders import hold_leaders
from carom.world.joints.mechanism import load, note_gaps
from carom.world.joints.pile import solve_held
from carom.world.joints.rows import can_fly
from carom.world.joints.tables import Graph
from carom.world.joints.unsound import WAITS
from carom.world.step.piles import Piles
from carom.world.step.play.predict import enqueue
from carom.world.step.tables import AIMED, OF_PILE, WITHIN, Tables
from carom.world.step.ways.motion import end_way, halt
from carom.world.step.ways.setting_off import settle_parts
from carom.world.step.ways.writer import end_with, have_wait, set_pull, set_way

AT_THE_END = 1e-7
"""Share of a portion that is no time to find ways for: what is hit so late goes on by its velocities."""


@kernel
def find_due(w: Tables, piles: Piles) -> None:
    """Give each mechanism of which a body, or one that drives it, has a new way its own, from now to the end."""
    state, graph = w.state[0], piles.rows.graph
    if state.phase != WITHIN and state.aimed == AIMED:
        take_up_changes(w, graph)
        return
    state.due = 1
    while state.due != 0:  # again, if some leaders turn out to wait
        state.due = 0
        for m in range(graph.mechanisms[0]):
            if not is_due(w, graph, m):
                continue
            note_given(w, graph, m, state.now)
            for p in range(graph.starts[m], graph.starts[m + 1]):
                if graph.node[p] >= 0:
                    leave_pile(w, graph.node[p])
                    end_way(w, graph.node[p])
            if not wait_together(w, graph, m):
                if state.length - state.now <= AT_THE_END * (state.length + state.before - state.begins):
                    coast(w, graph, m)
                elif state.phase == WITHIN and not can_fly(w.joints.table, graph, m):
                    solve_alone(w, piles, m)
                else:
                    fly(w, graph, m, state.length - state.now)
            for p in range(graph.starts[m], graph.middle[m]):
                number = graph.node[p]
                if number < 0:
                    continue
                w.courses[number].due = 0
                settle_parts(w, number, state.now)
                if state.phase == WITHIN:
                    w.courses[number].stamp += 1
                    enqueue(w, number)
    for p in range(graph.starts[graph.mechanisms[0]]):
        if graph.node[p] >= 0:
            w.courses[graph.node[p]].due = 0


@kernel
def is_due(w: Tables, graph: Graph, m: int) -> bool:
    """Tell whether a body of a mechanism, or one that drives it, has a new way, and no pile gives it its own."""
    due, piled = False, False
    for p in range(graph.starts[m], graph.starts[m + 1]):
        number = graph.node[p]
        due = due or (number >= 0 and w.courses[number].due != 0)
        piled = piled or (number >= 0 and w.bodies[number].pile & OF_PILE != 0)
    return due and not (piled and w.state[0].phase != WITHIN)


@kernel
def wait_together(w: Tables, graph: Graph, m: int) -> bool:
    """Have a mechanism wait as a whole of which a body waits, hit too often; tell whether one does."""
    waits = False
    for p in range(graph.starts[m], graph.middle[m]):
        waits = waits or (graph.node[p] >= 0 and w.courses[graph.node[p]].stalled != 0)
    for p in range(graph.starts[m], graph.middle[m] if waits else graph.starts[m]):
        if graph.node[p] >= 0:
            halt(w, graph.node[p])
            have_wait(w.courses[graph.node[p]])
    if waits:
        hold_leaders(w, graph, m, 1)
    return waits


@kernel
def coast(w: Tables, graph: Graph, m: int) -> None:
    """Have the bodies of a mechanism go straight on: in so short a time rounding would be all that their joints ask.

    What these gape by yet is closed at the end of the step.
    """
    note_gaps(w.joints.table, graph, m, load(w, graph, m, 0.0))
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            body = w.bodies[graph.node[p]]
            set_pull(body, 0.0, 0.0, 0.0)
            set_way(body, body.vx, body.vy, body.spin)


@kernel
def solve_alone(w: Tables, piles: Piles, m: int) -> None:
    """Give the bodies of a mechanism the ways of an island that has no contacts, from now to the end."""
    graph, islands, count, length = piles.rows.graph, piles.islands, 0, w.state[0].length - w.state[0].now
    for p in range(graph.starts[m], graph.middle[m]):
        if graph.node[p] >= 0:
            islands.members[count] = graph.node[p]
            count += 1
    islands.starts[0], islands.starts[1], islands.begins[0], islands.begins[1] = 0, count, 0, 0
    if solve_held(w, piles, 0) == WAITS and hold_leaders(w, graph, m, 1):
        solve_held(w, piles, 0)
    for at in range(count):
        body, noted = w.bodies[islands.members[at]], piles.solving[islands.members[at]]
        body.solved = 1
        set_way(body, noted.next_x + noted.push_x, noted.next_y + noted.push_y, noted.next_spin + noted.push_spin)
        end_with(body, noted.next_x, noted.next_y, noted.next_spin, length)
