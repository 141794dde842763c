"""Vectors against rational arithmetic, and the tuple they are built on."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carom import Vec
from carom.vector import cos_sin, quarter_turns

numbers = st.floats(-1e6, 1e6).map(lambda v: v if abs(v) > 1e-100 else 0.0)
vectors = st.builds(Vec, numbers, numbers)
EPS = 2.0**-52


def pi_half() -> Fraction:
    """Return pi / 2 to 100 digits by Machin's formula, in integers."""
    one = 10**110

    def arctan_inverse(n: int) -> int:
        total, power, k = 0, one // n, 1
        while power:
            total += power // k if k % 4 == 1 else -(power // k)
            power //= n * n
            k += 2
        return total

    return Fraction(2 * (4 * arctan_inverse(5) - arctan_inverse(239)), one)


def test_a_vec_is_a_tuple_of_two_numbers() -> None:
    v = Vec(1.0, 2.0)
    x, y = v
    assert (x, y) == v == (1.0, 2.0)
    assert hash(v) == hash((1.0, 2.0))
    assert v.x == v[0] == 1.0 and v.y == v[1] == 2.0
    assert np.array([v, v]).shape == (2, 2)


def test_plus_adds_and_does_not_join() -> None:
    assert Vec(1.0, 2.0) + Vec(3.0, 4.0) == Vec(4.0, 6.0)
    pair = (3, 4)
    assert Vec(1.0, 2.0) + pair == Vec(4.0, 6.0)
    assert pair + Vec(1.0, 2.0) == Vec(4.0, 6.0)
    assert sum([Vec(1.0, 2.0), Vec(3.0, 4.0)], Vec(0.0, 0.0)) == Vec(4.0, 6.0)
    assert type(pair + Vec(1.0, 2.0)) is Vec


def test_minus_works_from_both_sides() -> None:
    assert Vec(1.0, 2.0) - (3, 5) == Vec(-2.0, -3.0)
    assert (3, 5) - Vec(1.0, 2.0) == Vec(2.0, 3.0)
    assert -Vec(1.0, -2.0) == Vec(-1.0, 2.0)
    assert +Vec(1.0, -2.0) == Vec(1.0, -2.0)


def test_times_scales_and_does_not_repeat() -> None:
    assert Vec(1.0, 2.0) * 3 == 3 * Vec(1.0, 2.0) == Vec(3.0, 6.0)
    assert Vec(1.0, 2.0) / 4 == Vec(0.25, 0.5)


def test_results_hold_plain_floats() -> None:
    v = Vec(1, 2)
    for result in (v + np.array([1.0, 2.0]), v * np.float64(2.0), v / np.float32(2.0), v - (1, 1)):
        assert type(result) is Vec and type(result.x) is float and type(result.y) is float


@pytest.mark.parametrize(
    "operation",
    [
        lambda v: v + 1,
        lambda v: v + tuple("abc"),
        lambda v: v + v[:1],
        lambda v: 1 + v,
        lambda v: v - "ab",
        lambda v: v - None,
        lambda v: v + np.zeros((2, 2)),
        lambda v: v * v,
        lambda v: v * (1, 2),
        lambda v: v * "a",
        lambda v: v / v,
    ],
)
def test_operations_without_a_sense_are_refused(operation: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="Vec"):
        operation(Vec(1.0, 2.0))


def test_the_refusal_of_a_product_names_dot_and_cross() -> None:
    with pytest.raises(TypeError, match="dot or cross"):
        Vec(1.0, 2.0) * Vec(3.0, 4.0)


@given(vectors, vectors)
def test_dot_and_cross_are_those_of_rational_arithmetic(a: Vec, b: Vec) -> None:
    ax, ay, bx, by = map(Fraction, (*a, *b))
    bound = 4 * EPS * (abs(ax * bx) + abs(ay * by) + abs(ax * by) + abs(ay * bx))
    assert abs(Fraction(a.dot(b)) - (ax * bx + ay * by)) <= bound
    assert abs(Fraction(a.cross(b)) - (ax * by - ay * bx)) <= bound
    assert a.cross(b) == -b.cross(a)
    assert a.length_squared == a.dot(a)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1.0, 1e200, 1e307])
def test_length_neither_overflows_nor_vanishes(scale: float) -> None:
    assert Vec(3 * scale, 4 * scale).length == pytest.approx(5 * scale, rel=1e-12)
    assert Vec(3 * scale, 4 * scale).distance((0.0, 0.0)) == pytest.approx(5 * scale, rel=1e-12)
    unit = Vec(3 * scale, 4 * scale).normalized()
    assert unit == pytest.approx((0.6, 0.8), rel=1e-12)


@given(vectors.filter(lambda v: v != (0, 0)))
def test_normalized_has_length_one_and_the_same_direction(v: Vec) -> None:
    unit = v.normalized()
    x, y = map(Fraction, unit)
    assert abs(x * x + y * y - 1) <= 4 * EPS
    assert abs(x * Fraction(v.y) - y * Fraction(v.x)) <= 4 * EPS * Fraction(v.length)
    assert unit.dot(v) > 0


@pytest.mark.parametrize(
    "v", [Vec(0.0, 0.0), Vec(-0.0, 0.0), Vec(math.nan, 1.0), Vec(1.0, math.nan), Vec(1.0, math.inf)]
)
def test_zero_vectors_have_no_direction(v: Vec) -> None:
    with pytest.raises(ValueError, match=r"Vec\.normalized = Vec"):
        v.normalized()
    with pytest.raises(ValueError, match=r"Vec\.projection: onto = Vec"):
        Vec(1.0, 1.0).projection(v)


def test_projection_is_the_part_along_the_other() -> None:
    assert Vec(3.0, 4.0).projection((2, 0)) == Vec(3.0, 0.0)
    assert Vec(1.0, 1.0).projection(Vec(1.0, 1.0)) == Vec(1.0, 1.0)
    assert Vec(2.0, 0.0).projection((1e200, 1e200)) == Vec(1.0, 1.0)
    assert Vec(2.0, 0.0).projection((1e-200, 1e-200)) == Vec(1.0, 1.0)


@given(vectors, vectors.filter(lambda v: v.length > 1e-3))
def test_projection_leaves_a_perpendicular_rest(v: Vec, onto: Vec) -> None:
    part = v.projection(onto)
    assert abs(part.cross(onto)) <= 8 * EPS * part.length * onto.length
    assert abs((v - part).dot(onto)) <= 32 * EPS * v.length * onto.length


def test_angle_and_perpendicular_are_counter_clockwise() -> None:
    assert Vec(0.0, 2.0).angle == math.pi / 2
    assert Vec(-1.0, -1.0).angle == -3 * math.pi / 4
    assert Vec(3.0, 4.0).perpendicular == Vec(-4.0, 3.0)
    assert Vec(3.0, 4.0).cross(Vec(3.0, 4.0).perpendicular) == 25.0


def test_quarter_turns_are_exact() -> None:
    v = Vec(3.0, 4.0)
    assert v.rotated(math.pi / 2) == Vec(-4.0, 3.0)
    assert v.rotated(-math.pi / 2) == Vec(4.0, -3.0)
    assert v.rotated(math.pi) == Vec(-3.0, -4.0)
    assert v.rotated(2 * math.pi) == v.rotated(0) == v


def test_quarter_turns_are_the_nearest_floats_and_only_those() -> None:
    quarter = pi_half()
    for k in [*range(1, 2000), 10**5 + 1, 10**6 + 3]:
        for sign in (1, -1):
            nearest = float(sign * k * quarter)
            assert quarter_turns(nearest) == sign * k % 4
            assert quarter_turns(math.nextafter(nearest, math.inf)) == -1
            assert quarter_turns(math.nextafter(nearest, -math.inf)) == -1


@pytest.mark.parametrize("angle", [5e-324, 1e-300, -1e-17, 1.0, 1e15, 1e150, math.inf, math.nan])
def test_other_angles_are_no_quarter_turns(angle: float) -> None:
    assert quarter_turns(angle) == -1


@given(st.floats(-1e4, 1e4))
def test_cosine_and_sine_are_on_the_circle_in_both_ways(angle: float) -> None:
    c, s = cos_sin(angle)
    assert abs(c - math.cos(angle)) <= 2e-12 and abs(s - math.sin(angle)) <= 2e-12
    assert abs(c * c + s * s - 1.0) <= 4 * EPS


@given(vectors, st.floats(-10, 10))
def test_rotation_keeps_the_length_and_adds_the_angle(v: Vec, angle: float) -> None:
    turned = v.rotated(angle)
    assert turned.length == pytest.approx(v.length, rel=1e-14)
    direction = v.angle + angle
    assert turned.distance((v.length * math.cos(direction), v.length * math.sin(direction))) <= 1e-14 * v.length


def test_repr_evaluates_back_and_pickle_keeps_the_type() -> None:
    v = Vec(0.1, -1e-300)
    assert repr(v) == "Vec(0.1, -1e-300)"
    assert eval(repr(v)) == v
    again = pickle.loads(pickle.dumps(v))
    assert again == v and type(again) is Vec


def test_vectors_sort_like_tuples() -> None:
    ordered = sorted([Vec(1.0, 2.0), Vec(0.0, 5.0), Vec(1.0, 1.0)])
    assert all(a <= b for a, b in pairwise(ordered))
