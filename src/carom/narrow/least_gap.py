"""How far two parts are apart at least, told sooner than how far they are.

In: the records of two parts. Out: their gap along one direction, which the separation is never below: the normal of
the edge, of either, that faces the other part most; for two discs the line of their centres. Where two parts are apart
it is most often the separation itself, or near to it. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, RADIUS, STRIDE, X, Y


@inner
def facing(a: Floats, i: int, x: float, y: float) -> tuple[float, float, float]:
    """Return the largest product of (x, y) and the normal of an edge, and that normal; a disc has no edge."""
    best, nx, ny = -math.inf, 0.0, 0.0
    if a[i + COUNT] > 1.0:
        for k in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
            along = a[k + 2] * x + a[k + 3] * y
            if along > best:
                best, nx, ny = along, a[k + 2], a[k + 3]
    return best, nx, ny


@inner
def first_along(a: Floats, i: int, nx: float, ny: float) -> float:
    """Return how far along n a core begins, from its origin."""
    first = math.inf
    for k in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        first = min(first, a[k] * nx + a[k + 1] * ny)
    return first


@kernel
def least_gap(a: Floats, i: int, b: Floats, j: int) -> tuple[float, float, float]:
    """Return a gap that the separation of two parts is not below, and its direction from A to B."""
    dx, dy = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    x, y = dx + (b[j + CENTER_X] - a[i + CENTER_X]), dy + (b[j + CENTER_Y] - a[i + CENTER_Y])
    of_a, nx, ny = facing(a, i, x, y)
    of_b, mx, my = facing(b, j, -x, -y)
    if of_b > of_a:
        nx, ny = -mx, -my
    elif of_a == -math.inf:
        distance = math.sqrt(x * x + y * y)
        if distance > 0.0:
            nx, ny = x / distance, y / distance
    gap = dx * nx + dy * ny + first_along(b, j, nx, ny) + first_along(a, i, -nx, -ny)
    return gap - (a[i + RADIUS] + b[j + RADIUS]), nx, ny
