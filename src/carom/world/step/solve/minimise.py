"""The impulses of many rows at once: the least of a quadratic function within bounds.

In: rows with impulses, bounds and velocities to which these impulses have already been added. Out: the same, settled:
each row either has the speed that it wants, or stands at a bound that keeps it from it.

Two methods take turns. While impulses come to their bounds or leave them, all rows take one short step at a time along
the gradient, cut at the bounds and carried on by what the last step gained (Y. Nesterov, 1983; begun anew where the
function rises, B. O'Donoghue, E. Candes, "Adaptive restart for accelerated gradient schemes", 2015). Once the error is
in the impulses between their bounds, the function is followed along these by conjugate gradients, which end after few
turns even where masses differ by a million; a step that would leave the bounds is not taken.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.step.solve.rows import Rows, add_impulse, has_joints, speed_along, spread
from carom.world.step.solve.speeds import clear, energy

BURST = 4
"""Turns of steps along the gradient before conjugate gradients are tried again; then twice as many."""

FIRST_LENGTH = 0.4
"""Length of a step along the gradient, in parts of the gradient; it is shortened until no step raises the function."""

AGREE = 1e-14
"""Share of the impulses, and of their squares: what changes less is rounding."""

DEPENDS = 1e-12
"""Share of the diagonal: an impulse of whose effect no larger share is its own depends on the others."""

Errors = tuple[float, float, float]  # the worst of any row; of rows between their bounds and of rows at one, squared


@inner
def error_of(lack: float, impulse: float, low: float, high: float) -> float:
    """Return the step that a row would take by itself, its bounds kept; 0 where it has settled."""
    return max(min(lack, high - impulse), low - impulse)


@kernel
def measure(rows: Rows, first: int, last: int, softness: float) -> Errors:
    """Write what each row lacks; return the errors."""
    table, speed = rows.table, rows.speed
    worst, free, bound = 0.0, 0.0, 0.0
    for r in range(first, last):
        row = table[r]
        x = row.impulse
        row.lack = row.wanted - speed_along(row, speed) - softness * x
        error = error_of(row.lack, x, row.low, row.high)
        worst = max(worst, abs(error) * row.length)
        if row.low < x < row.high:
            free += error * error
        else:
            bound += error * error
    return worst, free, bound


@kernel
def choose(
    rows: Rows, first: int, last: int, low: int, high: int, beta: float, releasing: bool, softness: float
) -> tuple[float, float, float]:
    """Choose the steps of the rows between their bounds, and write the change of all velocities that they make.

    If `releasing`, rows at a bound that are to leave it get a step in place of these. Returns the slope of the
    function along these steps, the square of their length, and twice its curvature.
    """
    table, push = rows.table, rows.push
    clear(push, low, high)
    slope, size = 0.0, 0.0
    for r in range(first, last):
        row = table[r]
        if row.low < row.impulse < row.high:
            p = 0.0 if releasing else row.lack - beta * row.step
        else:
            p = row.lack if releasing and error_of(row.lack, row.impulse, row.low, row.high) != 0.0 else 0.0
        row.step = p
        slope += p * row.lack
        size += p * p
        add_impulse(row, push, p)
    if has_joints(rows):
        return slope, size, spread(rows, low, high, False, softness * size)
    return slope, size, energy(push, low, high, softness * size)


@inner
def stays_within(rows: Rows, first: int, last: int, share: float) -> bool:
    """Tell whether all impulses stay between their bounds if each gets this share of its step."""
    table, within = rows.table, True
    for r in range(first, last):
        row = table[r]
        x = row.impulse + share * row.step
        within = within and row.low <= x <= row.high
    return within


@kernel
def advance(
    rows: Rows, first: int, last: int, low: int, high: int, share: float, softness: float
) -> tuple[float, Errors]:
    """Take a share of the steps; return how much of it the next direction must not undo, and the errors."""
    table, speed, push = rows.table, rows.speed, rows.push
    for k in range(low, high):
        speed[k, 0] += share * push[k, 0]
        speed[k, 1] += share * push[k, 1]
        speed[k, 2] += share * push[k, 2]
    back, worst, free, bound = 0.0, 0.0, 0.0, 0.0
    for r in range(first, last):
        row = table[r]
        change = speed_along(row, push) + softness * row.step
        x, lack = row.impulse + share * row.step, row.lack - share * change
        row.impulse, row.lack = x, lack
        error = error_of(lack, x, row.low, row.high)
        worst = max(worst, abs(error) * row.length)
        if row.low < x < row.high:
            free += error * error
            back += lack * change
        else:
            bound += error * error
    return back, (worst, free, bound)


@kernel
def descend(
    rows: Rows, first: int, last: int, low: int, high: int, tolerance: float, most: int, length: float, softness: float
) -> tuple[int, float]:
    """Take steps along the gradient until all rows have settled, or `most` of them.

    Each step begins ahead of the impulses, where the last one has carried them: there are `ahead` the velocities and
    in `step` the impulses. Returns how many steps it took, and their length at last.
    """
    table, speed, ahead, push = rows.table, rows.speed, rows.ahead, rows.push
    theta, turn, worst, anew = 1.0, 0, math.inf, True
    while worst > tolerance and turn < most:
        turn += 1
        if anew:
            theta = 1.0
            for r in range(first, last):
                table[r].step = table[r].impulse
        for k in range(low, high):
            for c in range(3):
                ahead[k, c] = speed[k, c] if anew else ahead[k, c]
                push[k, c] = ahead[k, c]
        following = 0.5 * theta * (math.sqrt(theta * theta + 4.0) - theta)
        carried = theta * (1.0 - theta) / (theta * theta + following)
        theta = following
        worst, size, gain = 0.0, 0.0, 0.0
        for r in range(first, last):
            row = table[r]
            y, least, largest = row.step, row.low, row.high
            lack = row.wanted - speed_along(row, ahead) - softness * y
            new = min(max(y + length * lack, least), largest)
            error = min(max(y + lack, least), largest) - min(max(y, least), largest)
            worst = max(worst, abs(error) * row.length)
            p, forward = new - y, new - row.impulse
            size += p * p
            gain += lack * forward
            add_impulse(row, push, p)
            row.impulse, row.step = new, new + carried * forward
        square, jointed = softness * size, has_joints(rows)
        if jointed:
            square = spread(rows, low, high, True, square)
        for k in range(low, high):
            for c in range(3):
                p = 0.0 if jointed else push[k, c] - ahead[k, c]
                square += p * p
                ahead[k, c] = push[k, c] + carried * (push[k, c] - speed[k, c])
                speed[k, c] = push[k, c]
        anew = gain < 0.0
        if length * square > size:
            length, anew = size / square, True
    return turn, length


@kernel
def minimise(
    rows: Rows, first: int, last: int, low: int, high: int, tolerance: float, most: int, softness: float
) -> tuple[int, float]:
    """Settle the impulses of the rows from `first` up to `last`.

    Parameters
    ----------
    rows : Rows
        `speed` holds the velocities with all impulses in them.
    first, last : int
        Rows that take part.
    low, high : int
        The places in `speed` of their bodies, and of what cannot be moved.
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
    worst, free, bound = measure(rows, first, last, softness)
    turn, burst, length, beta = 0, BURST, FIRST_LENGTH, 0.0
    while worst > tolerance and turn < most:
        turn += 1
        releasing = bound > free
        slope, size, square = choose(rows, first, last, low, high, beta, releasing, softness)
        if square <= AGREE * size:
            break  # these impulses contradict each other, and would grow without end
        share = slope / square
        if stays_within(rows, first, last, share):
            back, (worst, free, bound) = advance(rows, first, last, low, high, share, softness)
            beta = 0.0 if releasing else back / square
        else:
            turns, length = descend(rows, first, last, low, high, tolerance, min(burst, most - turn), length, softness)
            worst, free, bound = measure(rows, first, last, softness)
            turn, burst, beta = turn + turns, 2 * burst, 0.0
    return turn, worst
