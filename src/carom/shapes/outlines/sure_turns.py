"""The sign of a turn in a kernel: that of floats beyond the error bound of their determinant, else of exact sums.

In: three places in a table of points. Out: the sign, or that it is in doubt where products may vanish. Any frame.
"""

from __future__ import annotations

from carom._core.arithmetic import add_product, set_sum, sign_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.outlines.clean_convex import _FILTER
from carom.tolerances import SMALLEST_SQUARE

UNSURE = 2
"""In place of a sign."""

SUMS = 64
"""Room for exact sums."""

SHORTEST = 1e-100
"""Edges shorter than this are left to fractions."""

LEAST_COORDINATE = 1e-120
"""Of smaller numbers, other than 0, products lose digits."""


@inner
def turn(points: Floats, a: int, b: int, c: int, h: Floats) -> int:
    """Return the sign of the turn a, b, c: 1 counter-clockwise, -1 clockwise, 0 straight on or back, or UNSURE.

    `h` is room for exact sums.
    """
    return turn_of(points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1], h)


@inner
def turn_of(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, h: Floats) -> int:
    """Return the sign of the turn of three points as `turn` does."""
    ex, ey = bx - ax, by - ay
    fx, fy = cx - ax, cy - ay
    left, right = ex * fy, ey * fx
    determinant, magnitude = left - right, abs(left) + abs(right)
    if magnitude > SMALLEST_SQUARE and abs(determinant) > _FILTER * magnitude:
        return 1 if determinant > 0.0 else -1
    # A difference is 0 only where it is exact.
    if (ex == 0.0 or fy == 0.0) and (ey == 0.0 or fx == 0.0):
        return 0
    return exact_turn(ax, ay, bx, by, cx, cy, h)


@kernel
def exact_turn(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, h: Floats) -> int:
    """Return the sign of a turn from exact sums, or UNSURE where their last terms could vanish."""
    for value in (ax, ay, bx, by, cx, cy):
        if 0.0 < abs(value) < LEAST_COORDINATE:
            return UNSURE
    set_sum(h, 0, bx, -ax, 0.0, 0.0)
    set_sum(h, 8, by, -ay, 0.0, 0.0)
    set_sum(h, 16, cx, -ax, 0.0, 0.0)
    set_sum(h, 24, cy, -ay, 0.0, 0.0)
    h[32] = 0.0
    add_product(h, 32, 0, 24, 1.0)
    add_product(h, 32, 8, 16, -1.0)
    return sign_of(h, 32)
