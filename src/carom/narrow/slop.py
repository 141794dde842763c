"""The slop: how deep two shapes may overlap and still count as in touch when they move. No other file computes it.

In: two records, or a size and the largest coordinate. Out: a length in the user's units. World frame. The formula is
one: a share of the smaller size, or some units in the last place of the largest coordinate where that is more. What a
unit in the last place is taken for differs, since callers know the coordinate more or less exactly; their answers
rest on these bits.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner
from carom._core.types import Floats, Integers
from carom.shapes.proxy import CENTER_X, CENTER_Y, RADIUS, REACH, X, Y
from carom.tolerances import EPSILON, SLOP_SIZE, SLOP_ULPS


@inner
def extent(a: Floats, i: int) -> float:
    """Return the size of a shape: the diameter of its bounding circle."""
    size: float = 2.0 * (a[i + REACH] + a[i + RADIUS])
    return size


@inner
def slop_of_pair(a: Floats, i: int, b: Floats, j: int) -> float:
    """Return how deep two shapes may overlap and still count as in touch when they move."""
    size_a, size_b = extent(a, i), extent(b, j)
    largest_a = max(abs(a[i + X] + a[i + CENTER_X]), abs(a[i + Y] + a[i + CENTER_Y])) + 0.5 * size_a
    largest_b = max(abs(b[j + X] + b[j + CENTER_X]), abs(b[j + Y] + b[j + CENTER_Y])) + 0.5 * size_b
    return float(max(SLOP_SIZE * min(size_a, size_b), SLOP_ULPS * spacing(max(largest_a, largest_b))))


@inner
def size_and_largest(a: Floats, starts: Integers, begin: int, end: int) -> tuple[float, float]:
    """Return the size of the largest of some shapes, and a number that none of their coordinates exceeds."""
    size, largest = 0.0, 0.0
    for k in range(begin, end):
        i = starts[k]
        size = max(size, extent(a, i))
        x = abs(a[i + X] + a[i + CENTER_X])
        y = abs(a[i + Y] + a[i + CENTER_Y])
        largest = max(largest, max(x, y) + extent(a, i))
    return size, largest


@inner
def spacing(value: float) -> float:
    """Return the distance from a positive number to the next larger one."""
    return float((value + 0.75 * EPSILON * value) - value)


@inner
def slop_within(size: float, largest: float) -> float:
    """Return the slop of shapes whose coordinates are at most `largest`: no spacing of floats is asked for a bound."""
    return float(max(SLOP_SIZE * size, SLOP_ULPS * EPSILON * largest))


def slops_within(sizes: Floats, largest: Floats) -> Floats:
    """Return the same for rows."""
    found: Floats = np.maximum(SLOP_SIZE * sizes, SLOP_ULPS * EPSILON * largest)
    return found


@inner
def slop_of_size(size: float) -> float:
    """Return the slop near the origin: what a filter takes that looks at sizes alone."""
    return SLOP_SIZE * size
