"""Judges of `cast` and `raycast`: each returns a complaint about an answer, or None where it is right.

In: shapes and a path. Out: None, or a text that says which answer is wrong. A start clearly apart (further than the
slop) is held to the closed set: hit or miss exactly, grazing included. Its fraction is judged backwards: it must be the
exact fraction for a target grown or shrunk by no more than 16 eps times the lengths at hand. And forwards: off by no
more than 16 eps times the sizes, the distance, and the path over the cosine of incidence where the shapes truly meet,
so that no other side can be taken for that one. Starts in touch and in overlap follow the slop rule; within a factor of
8 of the slop either is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import carom as cm
from tests.support import oracle
from tests.support.judges import EPSILON

Path = Sequence[float]


def slops(a: Any, b: Any) -> tuple[Fraction, Fraction]:
    """Return lengths clearly below and clearly above the slop, whichever extent of the two shapes it is taken from."""
    least, most = min(oracle.size(a), oracle.size(b)), oracle.size(a, b)
    ulps = 16 * math.ulp(max(oracle.largest_coordinate(a), oracle.largest_coordinate(b)))
    return Fraction(max(1e-12 * least, ulps)) / 8, Fraction(max(1e-12 * most, ulps)) * 8


def allowed(a: Any, b: Any, path: Path, start: Fraction) -> Fraction:
    """Return the length that 16 roundings of everything in the scene amount to."""
    length = abs(Fraction(path[0])) + abs(Fraction(path[1])) + Fraction(oracle.size(a, b)) + abs(start)
    return 16 * Fraction(EPSILON) * length


def promised(a: Any, b: Any, path: Path, start: Fraction, touch: Fraction) -> Fraction:
    """Return by how much the fraction may be off; how much sooner wider shapes meet tells the cosine of incidence."""
    length = abs(Fraction(path[0])) + abs(Fraction(path[1]))
    size = Fraction(oracle.size(a, b))
    growth = max(size, length) / 2**80
    sooner = oracle.first_touch(a, b, path, growth)
    assert sooner is not None
    return 16 * Fraction(EPSILON) * ((size + abs(start)) / length + length * (touch - sooner) / growth)


def dot(n: Any, path: Path) -> float:
    return float(Fraction(n[0]) * Fraction(path[0]) + Fraction(n[1]) * Fraction(path[1]))


def is_zero(path: Path) -> bool:
    return path[0] == 0.0 and path[1] == 0.0


def wrong_touch(hit: Any, a: Any, b: Any, path: Path, limit: Fraction) -> str | None:
    """Complain unless at the instant of the hit the shapes touch, with that normal, at that point."""
    moved = oracle.shifted(a, path, hit.fraction)
    n = hit.normal
    length = math.hypot(*path)
    if not abs(math.hypot(*n) - 1.0) <= 4 * EPSILON:
        return f"normal {n!r} is not a unit vector"
    if dot(n, path) > 4 * EPSILON * length:
        return f"normal {n!r} points along the path"
    left = oracle.separation(moved, b)
    if abs(left) > limit:
        return f"at fraction {hit.fraction!r} they are {float(left)!r} apart"
    if oracle.gap(b, moved, n) < left - limit:
        return f"normal {n!r} opens {float(oracle.gap(b, moved, n))!r}, not {float(left)!r}"
    unique = oracle.normal(b, moved)
    between = oracle.separation(oracle.core(b), oracle.core(moved))
    if unique is not None and between > 64 * limit:
        error = max(abs(Fraction(n[0]) - unique[0]), abs(Fraction(n[1]) - unique[1]))
        if error * between > 2 * limit:
            return f"normal {n!r}, exactly ({float(unique[0])!r}, {float(unique[1])!r})"
    rounding = Fraction(4 * EPSILON * oracle.largest_coordinate(moved, b))
    for name, shape in (("the moved", moved), ("the standing", b)):
        off = oracle.separation(oracle.point(hit.point), shape)
        if abs(off) > 2 * limit + rounding:
            return f"point {hit.point!r} is {float(off)!r} off {name} shape"
    return None


def wrong_from_apart(hit: Any, a: Any, b: Any, path: Path, start: Fraction) -> str | None:
    expected = oracle.first_touch(a, b, path)
    if (hit is None) != (expected is None):
        return f"{hit!r}, exactly {expected if expected is None else float(expected)!r}"
    if hit is None or expected is None:
        return None
    if hit.overlapping:
        return f"{hit!r} says overlapping, yet starts {float(start)!r} apart"
    if not 0.0 <= hit.fraction <= 1.0:
        return f"fraction {hit.fraction!r} is not on the path"
    limit = allowed(a, b, path, start)
    soonest, latest = oracle.first_touch(a, b, path, limit), oracle.first_touch(a, b, path, -limit)
    if (soonest is not None and hit.fraction < soonest) or (latest is not None and hit.fraction > latest):
        return f"fraction {hit.fraction!r}, exactly {float(expected)!r}"
    if abs(hit.fraction - expected) > promised(a, b, path, start, expected):
        return f"fraction {hit.fraction!r} is on another side than {float(expected)!r}"
    return wrong_touch(hit, a, b, path, limit)


def wrong_from_touch(hit: Any, a: Any, b: Any, path: Path, shallow: Fraction, deep: Fraction) -> str | None:
    """Complain unless a start in touch is a hit exactly if the path goes deeper than the slop."""
    if oracle.first_touch(a, b, path, -shallow) is None and not is_thin(a, b, deep):
        return f"{hit!r} blocks a path that goes no deeper" if hit is not None else None
    if is_zero(path):
        return f"{hit!r} without motion" if hit is not None else None
    if oracle.first_touch(a, b, path, -deep) is None:
        return None
    if hit is None:
        return "goes deep from touch, and is no hit"
    if hit.overlapping:
        return f"{hit!r} says overlapping, yet starts in touch"
    return wrong_touch(hit, a, b, path, deep + allowed(a, b, path, Fraction(0)))


def is_thin(a: Any, b: Any, deep: Fraction) -> bool:
    """Return whether no place is clearly deeper than the slop: then the core decides, not an inset."""
    lower_x, lower_y, upper_x, upper_y = oracle.bounds(b)
    other = oracle.bounds(a)
    middle = (lower_x + upper_x - other[0] - other[2]) / 2, (lower_y + upper_y - other[1] - other[3]) / 2
    return oracle.separation(oracle.shifted(a, middle), b) > -2 * deep


def wrong_cast(a: Any, b: Any, path: Path) -> str | None:
    hit = cm.cast(a, b, path)
    start, (shallow, deep) = oracle.separation(a, b), slops(a, b)
    if start > deep:
        return wrong_from_apart(hit, a, b, path, start)
    if abs(start) <= shallow:
        return wrong_from_touch(hit, a, b, path, shallow, deep)
    if start > -deep:
        return None if hit is None else wrong_touch(hit, a, b, path, 2 * deep + allowed(a, b, path, start))
    if hit is None:
        contact = cm.collide(a, b)
        closes = dot(contact.normal, path) > 8 * EPSILON * math.hypot(*path)
        return f"closes along the normal of {contact!r}, and is no hit" if closes else None
    if hit.fraction != 0.0 or not hit.overlapping:
        return f"{hit!r} starts {float(-start)!r} deep"
    if not dot(hit.normal, path) < 0:
        return f"{hit!r} does not close along its normal"
    limit = allowed(a, b, path, start)
    if oracle.gap(b, a, hit.normal) < start - limit:
        return f"{hit!r} opens {float(oracle.gap(b, a, hit.normal))!r}, not {float(start)!r}"
    return None


def wrong_ray(origin: Path, path: Path, shape: Any) -> str | None:
    hit = cm.raycast(origin, path, shape)
    a = oracle.point(origin)
    start, (shallow, deep) = oracle.separation(a, shape), slops(a, shape)
    if hit is not None:
        length = oracle.root(Fraction(path[0]) ** 2 + Fraction(path[1]) ** 2)
        # No distance is finer than the least number.
        rounding = 4 * Fraction(EPSILON) * length + Fraction(math.ulp(0.0))
        if abs(Fraction(hit.distance) - length * Fraction(hit.fraction)) > rounding:
            return f"{hit!r}: the distance is not the fraction of the path"
        if hit.shape != shape:
            return f"{hit!r} names another shape"
    if start > deep:
        return wrong_from_apart(hit, a, shape, path, start)
    if abs(start) <= shallow:
        return wrong_from_touch(hit, a, shape, path, shallow, deep)
    if start > -deep:
        return None
    if hit is None or hit.fraction != 0.0 or not hit.overlapping:
        return f"{hit!r} starts {float(-start)!r} inside"
    if oracle.gap(shape, a, hit.normal) < start - allowed(a, shape, (0, 0), start):
        return f"normal {hit.normal!r} opens {float(oracle.gap(shape, a, hit.normal))!r}, not {float(start)!r}"
    return None
