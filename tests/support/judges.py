"""Judges of the verbs for two shapes: each returns a complaint about an answer, or None where it is right.

In: two shapes, or a whole answer for rows. Out: None, or a text that says which answer is wrong and
which one is right; `assert_same_contacts` asserts. Every error is measured by the size of the pair: the bounding
extents of both shapes, plus how far apart they are. A normal is judged by the gap it opens: the separation is the
largest gap over all directions, so a direction whose gap is the separation is right, whichever of several right ones it
is; where the cores are apart it is unique, and compared.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import carom as cm
from tests.support import oracle

EPSILON = 2.0**-52


def wrong_intersects(a: Any, b: Any) -> str | None:
    """Complain unless both readings of "do they intersect" are the oracle's, either way round."""
    sign = oracle.sign(a, b)
    closed, interiors = cm.intersects(a, b), cm.intersects(a, b, touching=False)
    if (closed, interiors) != (sign <= 0, sign < 0):
        return f"sign {sign:+d}, intersects {closed}, touching=False {interiors}"
    if (cm.intersects(b, a), cm.intersects(b, a, touching=False)) != (closed, interiors):
        return "swapped shapes get another answer"
    return None


def wrong_contains(a: Any, b: Any) -> str | None:
    """Complain unless either shape holds the other, and its core points, exactly where the oracle says so."""
    for outer, inner in ((a, b), (b, a)):
        expected, found = oracle.contains(outer, inner), cm.contains(outer, inner)
        if found is not expected:
            return f"contains({outer!r}, {inner!r}) is {found!r}, exactly {expected}"
        for x, y in oracle.exact(inner).points:
            p = (float(x), float(y))
            expected = oracle.sign(oracle.point(p), outer) <= 0
            if cm.contains(outer, p) is not expected:
                return f"contains({outer!r}, {p!r}) is {cm.contains(outer, p)!r}, exactly {expected}"
    return None


def allowed(a: Any, b: Any, exact: Fraction) -> Fraction:
    """Return the error that the size of the pair and its distance allow."""
    return Fraction(16 * EPSILON * oracle.size(a, b)) + 16 * Fraction(EPSILON) * max(exact, Fraction(0))


def unit_error(n: Any) -> float:
    return abs(float(Fraction(n[0]) ** 2 + Fraction(n[1]) ** 2) - 1.0)


def off_shape(p: Any, shape: Any) -> Fraction:
    """Return how far a point is outside a shape, negative inside."""
    return oracle.separation(oracle.point(p), shape)


def wrong_separation(a: Any, b: Any) -> str | None:
    exact, found = oracle.separation(a, b), cm.separation(a, b)
    sign = oracle.sign(a, b)
    if (found > 0) - (found < 0) != sign:
        return f"separation {found!r}, exact sign {sign:+d} ({float(exact)!r})"
    if abs(Fraction(found) - exact) > allowed(a, b, exact):
        return f"separation {found!r}, exactly {float(exact)!r}"
    if cm.separation(b, a) != found:
        return f"separation {found!r}, swapped {cm.separation(b, a)!r}"
    if cm.distance(a, b) != max(found, 0.0):
        return f"distance {cm.distance(a, b)!r}, separation {found!r}"
    return None


def wrong_normal(a: Any, b: Any, n: Any, exact: Fraction, limit: Fraction) -> str | None:
    """Complain unless n is a unit vector from A to B whose gap is the separation."""
    if not unit_error(n) <= 4 * EPSILON:
        return f"normal {n!r} is not a unit vector"
    if oracle.gap(a, b, n) < exact - limit:
        return f"normal {n!r} opens {float(oracle.gap(a, b, n))!r}, not {float(exact)!r}"
    unique = oracle.normal(a, b)
    if unique is not None:
        core = oracle.separation(oracle.core(a), oracle.core(b))
        error = max(abs(Fraction(n[0]) - unique[0]), abs(Fraction(n[1]) - unique[1]))
        if core > 64 * limit and error * core > 2 * limit:
            return f"normal {n!r}, exactly ({float(unique[0])!r}, {float(unique[1])!r})"
    return None


def wrong_closest(a: Any, b: Any) -> str | None:
    exact = oracle.separation(a, b)
    limit = allowed(a, b, exact)
    found = cm.closest(a, b)
    separation, n, point_a, point_b = found
    if separation != cm.separation(a, b):
        return f"closest says {separation!r}, separation {cm.separation(a, b)!r}"
    complaint = wrong_normal(a, b, n, exact, limit)
    if complaint:
        return complaint
    # A point is rounded to its own coordinates, far from the origin more coarsely than the shapes are apart.
    rounding = Fraction(4 * EPSILON * oracle.largest_coordinate(a, b))
    for name, p, shape in (("point_a", point_a, a), ("point_b", point_b, b)):
        off = off_shape(p, shape)
        if abs(off) > limit + rounding:
            return f"{name} {p!r} is {float(off)!r} off its shape"
    for axis in (0, 1):
        step = Fraction(point_b[axis]) - Fraction(point_a[axis])
        if abs(step - Fraction(n[axis]) * Fraction(separation)) > 2 * (limit + rounding):
            return f"{found!r}: point_b - point_a is not normal * separation"
    back = cm.closest(b, a)
    same = oracle.exact(a) == oracle.exact(b)
    if not same and (back.normal[0], back.normal[1]) != (-n[0], -n[1]):
        return f"normal {n!r}, swapped {back.normal!r}"
    if back.separation != separation:
        return f"separation {separation!r}, swapped {back.separation!r}"
    if not same and (tuple(back.point_a), tuple(back.point_b)) != (tuple(point_b), tuple(point_a)):
        return f"{found!r}, swapped {back!r}"
    return None


def wrong_contact(a: Any, b: Any) -> str | None:
    exact, sign = oracle.separation(a, b), oracle.sign(a, b)
    limit = allowed(a, b, exact)
    contact = cm.collide(a, b)
    if (contact is None) != (sign > 0):
        return f"collide {contact!r}, exact sign {sign:+d}"
    if contact is None:
        return None
    if contact.depth != -cm.separation(a, b):
        return f"depth {contact.depth!r}, separation {cm.separation(a, b)!r}"
    complaint = wrong_normal(a, b, contact.normal, exact, limit)
    if complaint:
        return complaint
    left = oracle.separation(a, oracle.shifted(b, contact.normal, contact.depth))
    if abs(left) > 2 * limit:
        return f"moved by normal * depth they are {float(left)!r} apart: {contact!r}"
    for name, shape, other, move in (("move_a", a, b, contact.move_a), ("move_b", b, a, contact.move_b)):
        left = oracle.separation(oracle.shifted(shape, move), other)
        if abs(left) > 2 * limit:
            return f"moved by {name} = {move!r} they are {float(left)!r} apart"
    rounding = Fraction(4 * EPSILON * oracle.largest_coordinate(a, b))
    if not 1 <= len(contact.points) <= 2 or not len(contact.points) == len(contact.depths) == len(contact.features):
        return f"{contact!r}: one or two points, with as many depths and features"
    for p, depth in zip(contact.points, contact.depths, strict=True):
        if not -limit <= Fraction(depth) <= Fraction(contact.depth) + limit:
            return f"depth {depth!r} of point {p!r} is not between 0 and {contact.depth!r}"
        for shape in (a, b):  # between both surfaces: in both shapes at a touch, no further out than it is deep
            if off_shape(p, shape) > max(Fraction(depth), Fraction(0)) + limit + rounding:
                return f"contact point {p!r} is {float(off_shape(p, shape))!r} outside of {shape!r}"
    if abs(max(contact.depths) - contact.depth) > limit:
        return f"{contact!r}: no point is as deep as the contact"
    back = cm.collide(b, a)
    if back is None or back.depth != contact.depth:
        return f"{contact!r}, swapped {back!r}"
    same = oracle.exact(a) == oracle.exact(b)
    if not same and tuple(back.normal) != (-contact.normal[0], -contact.normal[1]):
        return f"{contact!r}, swapped {back!r}"
    return None


def assert_same_contacts(found: Any, pairs: list[tuple[Any, Any]]) -> None:
    """Compare columns with the single pairs' contacts; vertex numbers are those of cleaned outlines in both."""
    assert found.count.dtype == np.int8 and found.features.dtype == np.int32
    for row, (a, b) in enumerate(pairs):
        one = cm.collide(a, b)
        assert found.hit[row] == (one is not None), (a, b)
        count = found.count[row]
        assert not found.points[row, count:].any() and not found.depths[row, count:].any()
        assert not found.features[row, count:].any()
        if one is None:
            assert found.count[row] == found.depth[row] == 0 and not found.normal[row].any()
            continue
        assert (tuple(found.normal[row]), found.depth[row], count) == (one.normal, one.depth, len(one.points)), (a, b)
        assert [tuple(point) for point in found.points[row, :count]] == list(one.points), (a, b)
        assert tuple(found.depths[row, :count]) == one.depths, (a, b)
        if not any(isinstance(shape, cm.Polygon) for shape in (a, b)):
            assert found.features[row, :count].tolist() == [list(pair) for pair in one.features], (a, b)
