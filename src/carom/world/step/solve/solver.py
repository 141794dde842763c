"""All contacts of one island, solved together for the whole step: normals, friction, restitution.

In: bodies with velocities at the start of the step and accelerations, contacts with gaps and the impulses of the step
before. Out: the velocity of each body after the step, in `next_x`, `next_y`, `next_spin` of its row of `solving`, which
is also that of its way; impulses.

A contact may close by its gap, and no faster; one that touches or is too deep may not close at all, and is not pushed
open either, so that no energy comes from it. Friction is Coulomb's. Where the island moves, normals and frictions are
solved in turns; where it is calm, as one problem, which settles best: by sweeps if it is large.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom.world.step.constants import COARSE, EXACT, FEW, FEW_TURNS, MOST_TURNS, SETTLED_CALM
from carom.world.step.piles import Piles
from carom.world.step.solve.carried import sweep_ahead
from carom.world.step.solve.island_kinds import CALM, VIOLENT
from carom.world.step.solve.island_rows import begin_island, missed_by, write_back
from carom.world.step.solve.minimise import minimise
from carom.world.step.solve.open_ways import open_ways
from carom.world.step.solve.restitution import give_back
from carom.world.step.solve.rows import Rows, Span, add_impulse, bound_frictions
from carom.world.step.solve.speeds import energy
from carom.world.step.solve.sweeps import FULL_SWEEPS, QUICK_SWEEPS, rub, sweep
from carom.world.step.tables import Bodies

MANY = 128
"""Points of a calm island: one of more is swept, which takes half the time. Of fewer, as in a stack of 60, the
minimiser leaves nothing but rounding, so that they stand on a lift."""
CALMLY = 1e-4
"""Times the tolerance of what moves: sweeps of a calm island end where no row misses by more."""


@kernel
def solve_island(bodies: Bodies, piles: Piles, s: int, step: float, quick: bool) -> float:
    """Solve island s, coarsely if `quick`; return how many times the tolerance the worst row misses its speed by.

    Islands do not share rows, so that several may be solved at once.
    """
    rows, kind = piles.rows, piles.islands.kind[s]
    span, tolerance, before = begin_island(bodies, piles, s, step)
    first, middle, last, low, high = span
    worst, share, violent = 0.0, EXACT if middle - first <= FEW else 1.0, kind == VIOLENT
    sweeps = QUICK_SWEEPS if quick else FULL_SWEEPS
    if violent:
        sweep(rows, first, middle, last, sweeps)
        violent = energy(rows.speed, low, high, 0.0) <= 2.0 * before + work_of(rows, first, last)
    if not violent and middle > first:
        worst = settle(rows, span, tolerance, share, kind == CALM, quick)
        if energy(rows.speed, low, high, 0.0) > 2.0 * before + work_of(rows, first, last):
            # Frictions that contradict the normals would throw what is light: then without.
            for r in range(middle, last):
                add_impulse(rows.table[r], rows.speed, -rows.table[r].impulse)
                rows.table[r].impulse = 0.0
            _, worst = minimise(rows, first, middle, low, high, tolerance, MOST_TURNS, 0.0)
    write_back(bodies, piles, s, middle, violent)
    give_back(bodies, piles, s, span, share * tolerance, sweeps if violent else 0, violent, step)
    if violent:
        open_ways(bodies, piles, s, step)
    return missed_by(worst, tolerance)


@kernel
def settle(rows: Rows, span: Span, tolerance: float, share: float, calm: bool, quick: bool) -> float:
    """Solve all rows to a share of the tolerance: coarsely, and, unless `quick`, once more until they have settled.

    A large calm island is swept once, and goes on as a moving one if that leaves a row missing by the tolerance.

    Returns the worst speed by which a row misses.
    """
    (first, middle, last, low, high), worst, begin = span, 0.0, 0
    if calm and middle - first > MANY:
        worst = sweep_ahead(rows, span, CALMLY * tolerance, tolerance, FEW_TURNS)
        if worst <= tolerance:
            return worst
        begin, calm = 1, False
    for turn in range(begin, 1 if quick else 2):
        wanted = tolerance if turn == 1 else COARSE * tolerance
        if calm:
            bound_frictions(rows, middle, last, low, high)
            # In full as exactly as so many turns can: what rests stands for ever, and comes to rest.
            own = SETTLED_CALM * share if share < 1.0 else EXACT
            _, worst = minimise(rows, first, last, low, high, own * wanted, FEW_TURNS, 0.0)
            if worst <= wanted:
                continue
            calm = False
        _, worst = minimise(rows, first, middle, low, high, share * wanted, MOST_TURNS, 0.0)
        if turn == 0:
            rub(rows, middle, last)
    return worst


@kernel
def work_of(rows: Rows, first: int, last: int) -> float:
    """Return twice the energy that moving walls add to bodies at most."""
    total = 0.0
    for r in range(first, last):
        total += max(rows.table[r].impulse * rows.table[r].wanted, 0.0)
    return 2.0 * total
