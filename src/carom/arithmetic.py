"""Sums and products whose rounding error is known: the bricks of every accurate or exact formula.

Numbers in, numbers out, no units. Sources: T. J. Dekker, "A floating-point technique for extending the available
precision" (1971); D. E. Knuth, "The Art of Computer Programming", volume 2, section 4.2.2. Right as long as nothing
overflows or underflows; tolerances.LARGEST and SMALLEST_SIZE keep products of two coordinates inside the range.
"""

from __future__ import annotations

from carom._jit import inner

SPLITTER = 134217729.0  # 2**27 + 1: cuts a float64 into two halves of 26 bits


@inner
def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return (rounded a + b, its rounding error)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@inner
def two_product(a: float, b: float) -> tuple[float, float]:
    """Return (rounded a * b, its rounding error)."""
    product = a * b
    cut = SPLITTER * a
    a_high = cut - (cut - a)
    a_low = a - a_high
    cut = SPLITTER * b
    b_high = cut - (cut - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@inner
def cross(ax: float, ay: float, bx: float, by: float) -> float:
    """Return ax * by - ay * bx, accurate even where the two products nearly cancel."""
    first, first_error = two_product(ax, by)
    second, second_error = two_product(ay, bx)
    return (first - second) + (first_error - second_error)
