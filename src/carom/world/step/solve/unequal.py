"""Islands whose masses differ much: found at the start of a round, and solved between two calls of the step.

In: islands of a round. Out: for each body its velocity and push, impulses, as from any other solver. Sweeps and steps
along the gradient take as many turns as masses differ; `interior` takes a few, each as long as many of theirs. It
stands outside of the kernel of the step, so that a world without such islands never compiles it.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.step.constants import EXACT, FEW
from carom.world.step.piles import Piles
from carom.world.step.solve.interior import settle_inside
from carom.world.step.solve.island_kinds import UNEQUAL
from carom.world.step.solve.island_rows import begin_island, missed_by, write_back
from carom.world.step.solve.open_ways import open_ways
from carom.world.step.solve.restitution import give_back
from carom.world.step.solve.speeds import write_speed
from carom.world.step.solve.sweeps import rub
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
    rows, islands = piles.rows, piles.islands
    span, tolerance, _ = begin_island(bodies, piles, s, step)
    first, middle, last, low, high = span
    for at in range(islands.starts[s], islands.starts[s + 1]):
        noted = piles.solving[islands.members[at]]
        velocity = noted.next_x, noted.next_y, noted.next_spin
        write_speed(rows.ahead, at + s, bodies[islands.members[at]], velocity)
    rough = middle - first > FEW
    share = 1.0 if rough else EXACT
    worst = settle_inside(rows, first, middle - first, low, high, share * tolerance, tolerance)
    rub(rows, 2 * middle - first, last)
    write_back(bodies, piles, s, middle, rough)
    give_back(bodies, piles, s, span, share * tolerance, 0, rough, step)
    if rough:
        open_ways(bodies, piles, s, step)
    return missed_by(worst, tolerance)
