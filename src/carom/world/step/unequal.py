"""Islands whose masses differ much: found at the start of a round, and solved between two calls of the step.

In: islands of a round. Out: for each body its velocity and push, impulses, as from any other solver. Sweeps and steps
along the gradient take as many turns as masses differ; `interior` takes a few, each as long as many of theirs. It
stands outside of the kernel of the step, so that a world without such islands never compiles it.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom.world.step.interior import settle_inside
from carom.world.step.island_kinds import UNEQUAL
from carom.world.step.island_rows import begin_speeds, fill, sizes_of, write_back
from carom.world.step.open_ways import open_ways
from carom.world.step.piles import Piles
from carom.world.step.restitution import give_back, note_flights
from carom.world.step.sweeps import rub
from carom.world.step.tables import SOLVED, Bodies, Tables


@kernel
def solve_unequal(w: Tables, piles: Piles) -> None:
    """Solve the islands of a round that wait for it."""
    state, islands = w.state[0], piles.islands
    for s in range(state.islands):
        if islands.fresh[s] != 0 and islands.kind[s] == UNEQUAL:
            islands.missed[s] = solve_one_inside(w.bodies, piles, s, state.length)
    state.phase = SOLVED


@kernel
def solve_one_inside(bodies: Bodies, piles: Piles, s: int, step: float) -> float:
    """Solve one island; return how many times the tolerance the worst row misses its speed by."""
    solving, contacts, rows, islands = piles.solving, piles.contacts, piles.rows, piles.islands
    begin_speeds(bodies, solving, rows, islands, s, step)
    points, rolls, tolerance = sizes_of(bodies, contacts, islands, s, step)
    first, low, high = 4 * islands.begins[s], islands.starts[s] + s, islands.starts[s + 1] + s + 1
    middle, last = first + points, first + 2 * points + rolls
    fill(bodies, solving, contacts, rows, islands, s, middle, step)
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body, noted, k = bodies[islands.members[at]], solving[islands.members[at]], at + s
        mass, inertia = math.sqrt(body.inverse_mass), math.sqrt(body.inverse_inertia)
        rows.ahead[k, 0], rows.ahead[k, 1] = noted.next_x / mass, noted.next_y / mass
        rows.ahead[k, 2] = noted.next_spin / inertia if inertia > 0.0 else 0.0
    worst = settle_inside(rows, first, points, low, high, tolerance)
    rub(rows, middle + points, last)
    write_back(bodies, solving, contacts, rows, islands, s, middle, True)
    if give_back(bodies, piles, s, (first, middle, last, low, high), tolerance, 0, step):
        write_back(bodies, solving, contacts, rows, islands, s, middle, True)
        note_flights(solving, contacts, islands, s)
    open_ways(bodies, piles, s, step)
    if worst == 0.0:
        return 0.0
    return worst / tolerance if tolerance > 0.0 and worst < math.inf else math.inf
