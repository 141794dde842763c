"""How deep two shapes may overlap and still count as in touch when they move.

In: two records. Out: a length in the user's units, from their sizes and coordinates alone. World frame.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Floats
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
def spacing(value: float) -> float:
    """Return the distance from a positive number to the next larger one."""
    return float((value + 0.75 * EPSILON * value) - value)
