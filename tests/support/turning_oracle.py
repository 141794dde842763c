"""When a turning shape first meets another: slow answers that share nothing with the library but the record.

`exact_separation` poses A at a fraction of its motion with cosine and sine to 200 bits and asks the exact oracle.
`first_contact` finds where the separation first falls to a level: halves of the motion are ruled out where the
separation in the middle exceeds what any point of A could close in that time. It computes in float64, with the math
module's cosine and sine and with nothing but distances of points from lines. World frame, the user's units.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

from tests.support import oracle

BITS = 260
ONE = 1 << BITS


class Motion(NamedTuple):
    """A's motion: its whole translation, its rotation, and the point of the world it turns about."""

    translation: tuple[float, float]
    rotation: float
    pivot: tuple[float, float]


def arctangent_of_inverse(x: int) -> int:
    """Return arctan(1 / x) in units of 2^-BITS."""
    total, term, k = 0, ONE // x, 0
    while term:
        total += (-term if k % 2 else term) // (2 * k + 1)
        term //= x * x
        k += 1
    return total


PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))


def cos_sin(angle: Fraction) -> tuple[Fraction, Fraction]:
    """Return cosine and sine to some 240 bits."""
    x = (angle.numerator << BITS) // angle.denominator
    x -= (x + PI) // (2 * PI) * (2 * PI)
    c, s, term, k = 0, 0, ONE, 0
    while term:
        sign = -1 if k % 4 in (2, 3) else 1
        c, s = (c, s + sign * term) if k % 2 else (c + sign * term, s)
        k += 1
        term = (term * x >> BITS) // k if term * x >= 0 else -((-term * x >> BITS) // k)
    return Fraction(c, ONE), Fraction(s, ONE)


def posed(a: Any, motion: Motion, t: float) -> oracle.Exact:
    """Return A at the fraction t, good to some 70 digits."""
    core = oracle.exact(a)
    (mx, my), turn, (px, py) = motion
    c, s = cos_sin(Fraction(turn) * Fraction(t))
    x, y = Fraction(px), Fraction(py)
    to_x, to_y = x + Fraction(mx) * Fraction(t), y + Fraction(my) * Fraction(t)
    points = tuple((to_x + c * (u - x) - s * (v - y), to_y + s * (u - x) + c * (v - y)) for u, v in core.points)
    return oracle.Exact(points, core.radius)


def exact_separation(a: Any, b: Any, motion: Motion, t: float) -> Fraction:
    return oracle.separation(posed(a, motion, t), b)


def reach(a: Any, pivot: tuple[float, float]) -> float:
    """Return how far the farthest core point of A is from the pivot."""
    return max(
        math.hypot(float(x - Fraction(pivot[0])), float(y - Fraction(pivot[1]))) for x, y in oracle.exact(a).points
    )


Points = list[tuple[float, float]]


def core_distance(p: Points, q: Points) -> float:
    """Return the signed distance of two convex cores: the widest gap, or where that is open the nearest points."""
    if len(p) + len(q) < 4:  # nothing is inside a point or a segment
        return distance_to_core(*p[0], q) if len(p) == 1 else distance_to_core(*q[0], p)
    widest = max(widest_gap(p, q), widest_gap(q, p))
    if widest <= 0.0:
        return widest
    return min(min(distance_to_core(x, y, q) for x, y in p), min(distance_to_core(x, y, p) for x, y in q))


def widest_gap(core: Points, other: Points) -> float:
    """Return the widest gap along the outward normals of a core's edges; of a segment along its direction as well."""
    widest = -math.inf
    for k, (x, y) in enumerate(core if len(core) > 1 else []):
        ex, ey = core[(k + 1) % len(core)][0] - x, core[(k + 1) % len(core)][1] - y
        length = math.hypot(ex, ey)
        if length > 0.0:
            widest = max(widest, min((ey * (u - x) - ex * (v - y)) / length for u, v in other))
            if len(core) == 2:
                widest = max(widest, min((ex * (x - u) + ey * (y - v)) / length for u, v in other))
    return widest


def distance_to_core(x: float, y: float, core: Points) -> float:
    """Return the distance of a point from the outline of a core."""
    best = min(math.hypot(x - u, y - v) for u, v in core)
    for k, (u, v) in enumerate(core):
        ex, ey = core[(k + 1) % len(core)][0] - u, core[(k + 1) % len(core)][1] - v
        square = ex * ex + ey * ey
        if square > 0.0 and 0.0 <= ex * (x - u) + ey * (y - v) <= square:
            best = min(best, abs(ey * (x - u) - ex * (y - v)) / math.sqrt(square))
    return best


class Chase:
    """The separation along a motion in float64, relative to B, and the search for where it first falls to a level."""

    def __init__(self, a: Any, b: Any, motion: Motion) -> None:
        mover, other = oracle.exact(a), oracle.exact(b)
        zero_x, zero_y = other.points[0]
        px, py = Fraction(motion.pivot[0]), Fraction(motion.pivot[1])
        self.arms = [(float(x - px), float(y - py)) for x, y in mover.points]
        self.points = [(float(x - zero_x), float(y - zero_y)) for x, y in other.points]
        self.pivot = float(px - zero_x), float(py - zero_y)
        self.motion, self.radius = motion, float(mover.radius + other.radius)
        self.speed = math.hypot(*motion.translation) + abs(motion.rotation) * max(math.hypot(*arm) for arm in self.arms)
        self.asked = 0

    def separation(self, t: float) -> float:
        self.asked += 1
        c, s = math.cos(self.motion.rotation * t), math.sin(self.motion.rotation * t)
        x, y = (self.pivot[k] + t * self.motion.translation[k] for k in (0, 1))
        moved = [(x + c * u - s * v, y + s * u + c * v) for u, v in self.arms]
        return core_distance(moved, self.points) - self.radius

    def first_contact(self, level: float, begin: float, end: float, limit: int) -> float | None:
        """Return the first fraction between two at which the separation may be at most `level`, to a few ulps."""
        todo = [(begin, end)]
        while todo and self.asked < limit:
            low, high = todo.pop()
            middle = (low + high) / 2
            if self.separation(middle) - level > self.speed * (high - low) / 2:
                continue
            if high - low <= 4e-16 * max(high, 1e-3):
                return middle
            todo += [(middle, high), (low, middle)]
        return None
