"""The impulses of many rows at once: the least of a quadratic function within bounds.

In: rows with impulses, bounds and velocities to which these impulses have already been added. Out: the same, settled:
each row either has the speed that it wants, or stands at a bound that keeps it from it.

Along the impulses that are free the function is followed by conjugate gradients. A step that would leave the bounds
is cut at them, and the direction begins anew. Impulses at a bound are let go once theirs is the larger error (MPRGP;
Z. Dostal, J. Schoberl, "Minimizing quadratic functions subject to bound constraints", 2005). Every turn lowers the
function, so it may be stopped at any time.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.rows import Rows

SAFE = 1.9
"""Times the inverse of the largest eigenvalue: a step along the gradient up to 2 times it lowers the function."""

NO_EFFECT = 1e-14
"""Share of their squares: impulses that change velocities less contradict each other, and would grow without end."""

Errors = tuple[float, float, float]  # the worst of any row; of free rows and of rows at a bound, squared


@inner
def error_of(lack: float, impulse: float, low: float, high: float) -> float:
    """Return the step that a row would take by itself, its bounds kept; 0 where it has settled."""
    return max(min(lack, high - impulse), low - impulse)


@kernel
def spread(rows: Rows, count: int, bodies: int) -> float:
    """Write the change of all velocities that the steps of the rows make; return the square of its length."""
    jacobian, pair, step, push = rows.jacobian, rows.pair, rows.step, rows.push
    for k in range(bodies):
        push[k, 0], push[k, 1], push[k, 2] = 0.0, 0.0, 0.0
    for r in range(count):
        p = step[r]
        if p != 0.0:
            i, j = pair[r, 0], pair[r, 1]
            push[i, 0] += p * jacobian[r, 0]
            push[i, 1] += p * jacobian[r, 1]
            push[i, 2] += p * jacobian[r, 2]
            push[j, 0] += p * jacobian[r, 3]
            push[j, 1] += p * jacobian[r, 4]
            push[j, 2] += p * jacobian[r, 5]
    square = 0.0
    for k in range(bodies):
        square += push[k, 0] * push[k, 0] + push[k, 1] * push[k, 1] + push[k, 2] * push[k, 2]
    return square


@kernel
def gather(rows: Rows, count: int) -> None:
    """Write the change of the speed along each row that the change of the velocities makes."""
    jacobian, pair, push, change = rows.jacobian, rows.pair, rows.push, rows.change
    for r in range(count):
        i, j = pair[r, 0], pair[r, 1]
        first = push[i, 0] * jacobian[r, 0] + push[i, 1] * jacobian[r, 1] + push[i, 2] * jacobian[r, 2]
        change[r] = first + (push[j, 0] * jacobian[r, 3] + push[j, 1] * jacobian[r, 4] + push[j, 2] * jacobian[r, 5])


@inner
def add_push(rows: Rows, bodies: int, share: float) -> None:
    """Add a share of the change to the velocities."""
    speed, push = rows.speed, rows.push
    for k in range(bodies):
        speed[k, 0] += share * push[k, 0]
        speed[k, 1] += share * push[k, 1]
        speed[k, 2] += share * push[k, 2]


@kernel
def measure_lacks(rows: Rows, first: int, last: int) -> None:
    """Write what each row lacks from its first body's and its second's velocities."""
    jacobian, pair, speed, lack, wanted = rows.jacobian, rows.pair, rows.speed, rows.lack, rows.wanted
    for r in range(first, last):
        i, j = pair[r, 0], pair[r, 1]
        along = speed[i, 0] * jacobian[r, 0] + speed[i, 1] * jacobian[r, 1] + speed[i, 2] * jacobian[r, 2]
        along += speed[j, 0] * jacobian[r, 3] + speed[j, 1] * jacobian[r, 4] + speed[j, 2] * jacobian[r, 5]
        lack[r] = wanted[r] - along


@kernel
def safe_step(rows: Rows, count: int, bodies: int) -> float:
    """Return a length of step along the gradient that surely lowers the function.

    The largest eigenvalue of a matrix of ones on the diagonal is bounded by how many rows share each body.
    """
    jacobian, pair, push = rows.jacobian, rows.pair, rows.push
    for k in range(bodies):
        push[k, 0] = 0.0
    for r in range(count):
        push[pair[r, 0], 0] += 1.0
        push[pair[r, 1], 0] += 1.0
    largest = 1.0
    for r in range(count):
        first = jacobian[r, 0] ** 2 + jacobian[r, 1] ** 2 + jacobian[r, 2] ** 2
        second = jacobian[r, 3] ** 2 + jacobian[r, 4] ** 2 + jacobian[r, 5] ** 2
        largest = max(largest, first * push[pair[r, 0], 0] + second * push[pair[r, 1], 0])
    return SAFE / largest


@kernel
def errors_of(rows: Rows, count: int, length: float) -> Errors:
    """Return the worst error in the user's units, and how large the errors of free rows and of bound ones are."""
    impulse, lack, low, high, scale = rows.impulse, rows.lack, rows.low, rows.high, rows.length
    worst, free, bound = 0.0, 0.0, 0.0
    for r in range(count):
        x, g = impulse[r], lack[r]
        error = error_of(g, x, low[r], high[r])
        worst = max(worst, abs(error) * scale[r])
        if low[r] < x < high[r]:
            free += max(min(g, (high[r] - x) / length), (low[r] - x) / length) * g
        elif error != 0.0:
            bound += g * g
    return worst, free, bound


@kernel
def minimise(rows: Rows, count: int, bodies: int, tolerance: float, most: int, softness: float) -> tuple[int, float]:
    """Settle the impulses of the first `count` rows.

    Parameters
    ----------
    rows : Rows
        `speed` holds the velocities with all impulses in them.
    count, bodies : int
        Rows and places in `speed` that take part.
    tolerance : float
        Speed, in the user's units, by which a row may miss.
    most : int
        Turns at most.
    softness : float
        By how much a row gives way, times its impulse. If it is 0, rows that contradict each other end the search;
        with a little, they end with impulses that balance, and the other rows settle as if these were not there.

    Returns
    -------
    tuple of int and float
        How many turns it took, and the worst speed by which a row misses.
    """
    impulse, lack, low, high = rows.impulse, rows.lack, rows.low, rows.high
    step, change = rows.step, rows.change
    measure_lacks(rows, 0, count)
    length = safe_step(rows, count, bodies)
    worst, free, bound = errors_of(rows, count, length)
    beta, turn = 0.0, 0
    while worst > tolerance and turn < most:
        turn += 1
        releasing = bound > free
        slope, size = 0.0, 0.0
        for r in range(count):
            x, g = impulse[r], lack[r]
            if low[r] < x < high[r]:
                p = 0.0 if releasing else g - beta * step[r]
            else:
                p = g if releasing and error_of(g, x, low[r], high[r]) != 0.0 else 0.0
            step[r] = p
            slope += p * g
            size += p * p
        square = spread(rows, count, bodies)
        square += softness * size
        if square <= NO_EFFECT * size:
            break
        share, is_within = slope / square, True
        for r in range(count):
            x = impulse[r] + share * step[r]
            is_within = is_within and low[r] <= x <= high[r]
        if is_within:
            add_push(rows, bodies, share)
            gather(rows, count)
            back = 0.0
            for r in range(count):
                impulse[r] += share * step[r]
                softer = change[r] + softness * step[r]
                lack[r] -= share * softer
                if low[r] < impulse[r] < high[r]:
                    back += lack[r] * softer
            beta = 0.0 if releasing else back / square
        else:
            cut(rows, count, bodies, share, length, softness)
            beta = 0.0
        worst, free, bound = errors_of(rows, count, length)
    return turn, worst


@kernel
def cut(rows: Rows, count: int, bodies: int, share: float, length: float, softness: float) -> None:
    """Take a step that leaves the bounds, cut at them; where that does not lower the function, a safe one instead."""
    impulse, lack, low, high, step, change = rows.impulse, rows.lack, rows.low, rows.high, rows.step, rows.change
    for r in range(count):
        step[r] = min(max(impulse[r] + share * step[r], low[r]), high[r]) - impulse[r]
    square = spread(rows, count, bodies)
    gain = 0.0
    for r in range(count):
        gain += step[r] * lack[r]
        square += softness * step[r] * step[r]
    if not 2.0 * gain > square:
        for r in range(count):
            step[r] = min(max(impulse[r] + length * lack[r], low[r]), high[r]) - impulse[r]
        spread(rows, count, bodies)
    add_push(rows, bodies, 1.0)
    gather(rows, count)
    for r in range(count):
        # Exactly at the bound where it was cut: a rounding beside it would count as free.
        impulse[r] = min(max(impulse[r] + step[r], low[r]), high[r])
        lack[r] -= change[r] + softness * step[r]
