"""Arithmetic with known rounding: two-sum and two-product, cosine and sine, double-double numbers, expansions.

Numbers in, numbers out, no units. Right as long as nothing overflows or underflows; tolerances.LARGEST and
SMALLEST_SIZE keep products of two coordinates inside the range. Sources: T. J. Dekker, "A floating-point technique for
extending the available precision" (1971); D. E. Knuth, "The Art of Computer Programming", volume 2, section 4.2.2.

`cos_sin_of` uses sums and products alone, so that compiled kernels and plain Python agree to the bit. In: an angle in
radians, at most `tolerances.MOST_TURN` in magnitude. Out: cosine, sine, and cosine less 1, which keeps its digits for
small angles: a shape turned by nothing stays exactly where it is. The angle less the nearest multiple of pi / 2 is
found with pi / 2 cut into three parts, of which the first two have at most 33 bits: their products with the multiple
are exact. What is left is at most pi / 4 and off by at most 2^-53. There the Taylor series are cut off where the next
term is below 1e-19 (Lagrange), so cosine and sine are off by at most 2^-52.

A double-double number (`Long`) is a float and what was lost when it was rounded, about 32 digits together. It is not
exact, unlike an expansion, but fast, with quotients and roots: off by some 2**-104 of the terms at hand. Inputs are to
be brought near 2**150 by `scale_for`: fourth powers are then finite, and what vanishes is nothing beside the rest.

An expansion is a number without rounding, a sum of float64 whose bits do not overlap, smallest first and zeros left
out, so its sign is that of its last term. It lies in a scratch buffer at a place: there the number of terms, then the
terms. Nothing is allocated. Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
Geometric Predicates" (1997).
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.vector import HALF_PI, HALF_PI_REST, HALF_PI_TAIL

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


QUARTERS = 0.6366197723675814  # 2 / pi

# 1 / n!
OVER_3, OVER_5, OVER_7, OVER_9 = 1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0, 1.0 / 362880.0
OVER_11, OVER_13, OVER_15 = 1.0 / 39916800.0, 1.0 / 6227020800.0, 1.0 / 1307674368000.0
OVER_17 = 1.0 / 355687428096000.0
OVER_4, OVER_6, OVER_8, OVER_10 = 1.0 / 24.0, 1.0 / 720.0, 1.0 / 40320.0, 1.0 / 3628800.0
OVER_12, OVER_14, OVER_16 = 1.0 / 479001600.0, 1.0 / 87178291200.0, 1.0 / 20922789888000.0
OVER_18 = 1.0 / 6402373705728000.0


@inner
def cos_sin_of(angle: float) -> tuple[float, float, float]:
    """Return (cosine, sine, cosine - 1) of an angle."""
    size = abs(angle)
    quarters = int(size * QUARTERS + 0.5)
    x = ((size - quarters * HALF_PI) - quarters * HALF_PI_TAIL) - quarters * HALF_PI_REST
    z = x * x
    tail = OVER_9 - z * (OVER_11 - z * (OVER_13 - z * (OVER_15 - z * OVER_17)))
    s = x - x * z * (OVER_3 - z * (OVER_5 - z * (OVER_7 - z * tail)))
    tail = OVER_10 - z * (OVER_12 - z * (OVER_14 - z * (OVER_16 - z * OVER_18)))
    fall = -z * (0.5 - z * (OVER_4 - z * (OVER_6 - z * (OVER_8 - z * tail))))
    c = 1.0 + fall
    quarter = quarters % 4
    if quarter == 1:
        c, s = -s, c
    elif quarter == 2:
        c, s = -c, -s
    elif quarter == 3:
        c, s = s, -c
    if quarters > 0:
        fall = c - 1.0
    return c, (-s if angle < 0.0 else s), fall


LN2, LN2_REST = 0.6931471803691238, 1.9082149292705877e-10
"""ln 2 in two parts; a whole number up to 2**20 times the first is exact."""


@inner
def decayed(x: float) -> float:
    """Return exp(-x) of x >= 0, by sums and products alone, off by at most 2^-51 of it; 0 where it is below 1e-300."""
    if x > 690.0:
        return 0.0
    halvings = int(x / LN2 + 0.5)
    rest = -((x - halvings * LN2) - halvings * LN2_REST)
    total = 1.0
    for n in range(16, 0, -1):
        total = 1.0 + rest * total / n
    return math.ldexp(total, -halvings)


Long = tuple[float, float]

UNIT_EXPONENT = 150


@inner
def plus(a: Long, b: Long) -> Long:
    """Return a + b."""
    total, error = two_sum(a[0], b[0])
    return two_sum(total, error + (a[1] + b[1]))


@inner
def times(a: Long, b: Long) -> Long:
    """Return a * b."""
    product, error = two_product(a[0], b[0])
    return two_sum(product, error + (a[0] * b[1] + a[1] * b[0]))


@inner
def over(a: Long, b: Long) -> Long:
    """Return a / b."""
    share = a[0] / b[0]
    back, error = two_product(share, b[0])
    return two_sum(share, (((a[0] - back) - error) + (a[1] - share * b[1])) / b[0])


@inner
def root(a: Long) -> Long:
    """Return the square root of a, 0 for what is negative."""
    if a[0] <= 0.0:
        return 0.0, 0.0
    first = math.sqrt(a[0])
    back, error = two_product(first, first)
    return two_sum(first, (((a[0] - back) - error) + a[1]) / (2.0 * first))


@inner
def crossed(x: float, y: float, u: Long, v: Long) -> Long:
    """Return the cross product of (x, y) and (u, v)."""
    left, right = times((x, 0.0), v), times((y, 0.0), u)
    return plus(left, (-right[0], -right[1]))


@inner
def dotted(x: float, y: float, u: Long, v: Long) -> Long:
    """Return the scalar product of (x, y) and (u, v)."""
    return plus(times((x, 0.0), u), times((y, 0.0), v))


@inner
def between_places(p: float, q: float, x: float, y: float, scale: float) -> Long:
    """Return ((p - q) + (x - y)) * scale: a coordinate of a corner of A - B."""
    near, far = two_sum(p, -q), two_sum(x, -y)
    return plus((near[0] * scale, near[1] * scale), (far[0] * scale, far[1] * scale))


@inner
def scale_for(size: float) -> float:
    """Return the power of two that brings a size near the exponent at which these numbers are safe."""
    return math.ldexp(1.0, min(UNIT_EXPONENT - math.frexp(size)[1], 1023))


@kernel
def add_term(h: Floats, place: int, value: float) -> None:
    """Add one float64 to the expansion at `place`."""
    kept = place
    for k in range(place + 1, place + 1 + int(h[place])):
        value, error = two_sum(value, h[k])
        if error != 0.0:
            kept += 1
            h[kept] = error
    if value != 0.0:
        kept += 1
        h[kept] = value
    h[place] = float(kept - place)


@kernel
def add_product(h: Floats, place: int, f: int, g: int, factor: float) -> None:
    """Add factor * (expansion at f) * (expansion at g) to the expansion at `place`; the factor is a power of two."""
    for m in range(f + 1, f + 1 + int(h[f])):
        for k in range(g + 1, g + 1 + int(h[g])):
            product, error = two_product(factor * h[m], h[k])
            add_term(h, place, error)
            add_term(h, place, product)


@kernel
def add_multiple(h: Floats, place: int, f: int, factor: float) -> None:
    """Add factor * (expansion at f) to the expansion at `place`; the factor is a power of two."""
    for m in range(f + 1, f + 1 + int(h[f])):
        add_term(h, place, factor * h[m])


@kernel
def set_sum(h: Floats, place: int, a: float, b: float, c: float, d: float) -> None:
    """Set the expansion at `place` to a + b + c + d."""
    h[place] = 0.0
    add_term(h, place, a)
    add_term(h, place, b)
    add_term(h, place, c)
    add_term(h, place, d)


@inner
def sign_of(h: Floats, place: int) -> int:
    """Return the sign of the expansion at `place`: that of its largest term."""
    terms = int(h[place])
    if terms == 0:
        return 0
    return 1 if h[place + terms] > 0.0 else -1
