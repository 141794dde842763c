"""Pieces of even motion, and how near two come, from the square of their distance as a polynomial in time.

In: random numbers, or two pieces, (7,): t0, x0, y0, t1, x1, y1, radius. Out: pieces of some family, or the first
instant, the least separation and the closest instant, in rational arithmetic.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

Told = tuple[float, float, float]


def of_polynomials(a: list[float], b: list[float], within: float) -> Told | None:
    """Return first instant, separation and closest instant from the square of the distance as a polynomial in time."""
    start, end = max(a[0], b[0]), min(a[3], b[3])
    if start > end:
        return None
    (ax, ay), (bx, by) = line(a), line(b)
    x, y = (ax[0] - bx[0], ax[1] - bx[1]), (ay[0] - by[0], ay[1] - by[1])
    square = x[1] ** 2 + y[1] ** 2
    linear = 2 * (x[0] * x[1] + y[0] * y[1])
    constant = x[0] ** 2 + y[0] ** 2
    closest = min(max(-linear / (2 * square), Fraction(start)), Fraction(end)) if square else Fraction(start)
    least = square * closest**2 + linear * closest + constant
    radii = Fraction(a[6]) + Fraction(b[6])
    reach = (radii + Fraction(within)) ** 2
    if least > reach:
        return None
    with localcontext(prec=400):
        separation = float(decimal(least).sqrt() - decimal(radii))
        at_start = square * Fraction(start) ** 2 + linear * Fraction(start) + constant
        if at_start <= reach:
            return start, separation, float(closest)
        root = max(Decimal(0), decimal(linear**2 - 4 * square * (constant - reach))).sqrt()
        return float((-decimal(linear) - root) / (2 * decimal(square))), separation, float(closest)


def line(piece: list[float]) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """Return x and y of a piece as constant and factor of time."""
    t0, x0, y0, t1, x1, y1 = map(Fraction, piece[:6])
    over = 1 / (t1 - t0) if t1 > t0 else Fraction(0)
    vx, vy = (x1 - x0) * over, (y1 - y0) * over
    return (x0 - vx * t0, vx), (y0 - vy * t0, vy)


def decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def near(found: float, wanted: float) -> bool:
    """Tell whether two numbers are one unit in the last place apart at most."""
    return bool(abs(found - wanted) <= math.ulp(wanted))


def drawn(family: str, rng: np.random.Generator, count: int = 400) -> np.ndarray[Any, np.dtype[np.float64]]:
    pieces = rng.normal(size=(count, 7)) * 10.0
    pieces[:, 0] = rng.uniform(0.0, 10.0, count)
    pieces[:, 3] = pieces[:, 0] + rng.uniform(0.1, 10.0, count)
    pieces[:, 6] = rng.uniform(0.0, 1.0, count)
    lasting = (pieces[:, 3] - pieces[:, 0])[:, None]
    if family == "whole":
        pieces = rng.integers(-6, 7, (count, 7)).astype(float)
        pieces[:, 0] = rng.integers(0, 6, count)
        pieces[:, 3] = pieces[:, 0] + rng.integers(0, 7, count)
        pieces[:, 6] = rng.integers(0, 3, count)
        instant = pieces[:, 0] == pieces[:, 3]
        pieces[instant, 4:6] = pieces[instant, 1:3]
    elif family == "far":
        pieces[:, [1, 4]] += 1e7
        pieces[:, [0, 3]] = np.rint(pieces[:, [0, 3]] * 1e6) + 1.7e15
    elif family == "convoy":
        pieces[:, 4:6] = pieces[:, 1:3] + lasting * [3.1, 2.7] + rng.normal(size=(count, 2)) * 1e-9
    elif family == "formation":
        pieces[:, 1:3] = np.rint(pieces[:, 1:3])
        pieces[:, 0], pieces[:, 3] = np.rint(pieces[:, 0]), np.rint(pieces[:, 0]) + rng.integers(1, 7, count)
        pieces[:, 4:6] = pieces[:, 1:3] + (pieces[:, 3] - pieces[:, 0])[:, None] * [3.0, 2.0]
    elif family == "tiny":
        pieces[:, [1, 2, 4, 5, 6]] *= 1e-140
    elif family == "huge":
        pieces[:, [1, 2, 4, 5, 6]] *= 1e140
    return pieces
