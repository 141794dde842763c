"""A calm island: sweeps of Gauss and Seidel, each begun ahead, where the last ones have carried the impulses.

In: the rows of an island, with the impulses so far in the speeds. Out: impulses and speeds with which each row has the
speed that it wants, or stands at a bound that keeps it from it. Each friction is bounded by the normal impulse there is
when it is looked at, so that normals and frictions settle as one problem.

What a sweep changes is carried on by Nesterov's rule, and begun anew where a sweep takes back what was carried (B.
O'Donoghue, E. Candes, "Adaptive restart for accelerated gradient schemes", 2015). A sweep changes the function more
than a step along the gradient does, since each row sees what those before it have done.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.step.solve.rows import Row, Rows, Span, add_impulse, speed_along


@kernel
def sweep_ahead(rows: Rows, span: Span, exact: float, enough: float, most: int) -> float:
    """Sweep through the normals of an island and what is bounded by them, until no row misses by `exact`.

    Ends after `most` sweeps if no row misses by `enough`, else after four times as many. Returns the worst speed, in
    the user's units, by which a row missed when it was looked at.
    """
    (first, middle, last, low, high), table, speed, before = span, rows.table, rows.speed, rows.ahead
    for r in range(first, last):
        table[r].step = table[r].impulse
    for k in range(low, high):
        for c in range(3):
            before[k, c] = speed[k, c]
    theta, carried, turn, worst = 1.0, 0.0, 0, math.inf
    while True:
        turn += 1
        worst, along = 0.0, 0.0
        for r in range(first, middle):
            row = table[r]
            change, gained = visit(row, rows, carried, 0.0, math.inf)
            worst, along = max(worst, abs(change) * row.length), along + gained
        for r in range(middle, last):
            row = table[r]
            bound = row.share * table[row.bound].impulse
            change, gained = visit(row, rows, carried, -bound, bound)
            worst, along = max(worst, abs(change) * row.length), along + gained
        if worst <= exact or turn >= (most if worst <= enough else 4 * most):
            return worst
        theta = 1.0 if along < 0.0 else theta
        following = 0.5 * theta * (math.sqrt(theta * theta + 4.0) - theta)
        carried = theta * (1.0 - theta) / (theta * theta + following)
        theta = following
        for k in range(low, high):
            for c in range(3):
                now = speed[k, c]
                speed[k, c] = now + carried * (now - before[k, c])
                before[k, c] = now


@inner
def visit(row: Row, rows: Rows, carried: float, low: float, high: float) -> tuple[float, float]:
    """Carry the impulse of a row on, and give it what it lacks within its bounds.

    Returns by how much it changed from where it was carried to, and that times how far it was carried.
    """
    impulse = row.impulse
    way = carried * (impulse - row.step)
    begun = impulse + way
    new = min(max(begun + (row.wanted - speed_along(row, rows.speed)), low), high)
    row.step, row.impulse = impulse, new
    add_impulse(row, rows.speed, new - begun)
    return new - begun, (new - begun) * way
