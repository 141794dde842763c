"""How near two pieces of tracks come, in rational arithmetic: for pairs that double-double numbers leave open.

In: two pieces as `approach` has them, whose times overlap, and a distance. Out: the first instant, the least separation
and its earliest instant, each correctly rounded but for the last bit; or None where the two never come so near. Only
the square roots are cut off, after 128 bits, and no decision hangs on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

ROOT_BITS = 128


def exact_approach(a: Sequence[float], b: Sequence[float], within: float) -> tuple[float, float, float] | None:
    """Return the first instant, the least separation and the closest instant of two pieces."""
    start, end = Fraction(max(a[0], b[0])), Fraction(min(a[3], b[3]))
    x, y = (p - q for p, q in zip(_place(a, start), _place(b, start), strict=True))
    last_x, last_y = (p - q for p, q in zip(_place(a, end), _place(b, end), strict=True))
    mx, my = last_x - x, last_y - y
    closing, travel = x * mx + y * my, mx * mx + my * my
    radii = Fraction(a[6]) + Fraction(b[6])
    reach = radii + Fraction(within)
    share = min(-closing / travel, Fraction(1)) if closing < 0 else Fraction(0)
    least = (x + share * mx) ** 2 + (y + share * my) ** 2
    if least > reach * reach:
        return None
    closest = start + share * (end - start)
    # The difference of two roots, and of two instants, in the form in which nothing cancels.
    separation = (least - radii * radii) / (_root(least) + radii) if least != radii * radii else Fraction(0)
    outside = x * x + y * y - reach * reach
    entry = Fraction(0)
    if outside > 0:
        entry = outside / (_root(travel * reach * reach - (x * my - y * mx) ** 2) - closing)
    return float(start + entry * (end - start)), float(separation), float(closest)


def _place(piece: Sequence[float], t: Fraction) -> tuple[Fraction, Fraction]:
    t0, x0, y0, t1, x1, y1 = (Fraction(number) for number in piece[:6])
    share = (t - t0) / (t1 - t0) if t1 > t0 else Fraction(0)
    return x0 + share * (x1 - x0), y0 + share * (y1 - y0)


def _root(value: Fraction) -> Fraction:
    """Return the square root of a fraction, to `ROOT_BITS` bits; 0 of 0."""
    if value == 0:
        return Fraction(0)
    shift = max(0, ROOT_BITS - (value.numerator.bit_length() - value.denominator.bit_length()) // 2)
    return Fraction(isqrt((value.numerator << 2 * shift) // value.denominator), 1 << shift)
