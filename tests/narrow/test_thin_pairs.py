"""Two segments: the normal where they lie end to end, the contact point where they cross."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom import kernels

WHOLE = st.integers(-1000, 1000)
STEPS = st.tuples(WHOLE, WHOLE).filter(any)


@given(st.tuples(WHOLE, WHOLE), STEPS, st.integers(1, 50), st.integers(1, 50), st.sampled_from((1.0, 0.125, 2.0**40)))
def test_segments_end_to_end_lie_along_their_line(
    joint: tuple[int, int], step: tuple[int, int], before: int, after: int, unit: float
) -> None:
    def at(times: int) -> cm.Vec:  # exact in float64
        return cm.Vec(joint[0] + times * step[0], joint[1] + times * step[1]) * unit

    a, b = cm.Segment(at(-before), at(0)), cm.Segment(at(after), at(0))
    along = cm.Vec(*step) / math.hypot(*step)
    near, contact = cm.closest(a, b), cm.collide(a, b)
    assert contact is not None
    assert near.separation == contact.depth == 0.0
    assert near.normal == contact.normal == pytest.approx(along, abs=1e-15)
    assert near.point_a == near.point_b == at(0)
    assert contact.points == (at(0),)
    back = cm.closest(b, a)
    assert (back.normal, back.point_a) == (-near.normal, near.point_b)
    point = cm.closest(cm.Point(at(0)), b)
    assert point.normal == pytest.approx(along, abs=1e-15)
    values, (i, j) = kernels.records([a, b])
    assert kernels.closest(values, int(i), values, int(j))[1:3] == near.normal
    many = cm.closest(cm.Shapes([a, b]), cm.Shapes([b, a]))
    assert np.array_equal(many.normal, [near.normal, -near.normal])


def test_segments_side_by_side_or_at_an_angle_keep_the_normal_across() -> None:
    floor = cm.Segment((0, 0), (4, 0))
    assert abs(cm.closest(floor, cm.Segment((2, 0), (6, 0))).normal.y) == 1.0  # they share half of their length
    assert cm.closest(floor, cm.Segment((2, 0), (3, 1))).normal == (0, 1)
    assert cm.closest(floor, cm.Segment((0, 2), (4, 2))).normal == (0, 1)


def test_a_cast_from_the_end_of_a_segment_slides_along_the_next() -> None:
    tile, following = cm.Segment((0, 0), (1, 0)), cm.Segment((1, 0), (2, 0))
    for mover in (cm.Point((1, 0)), cm.Segment((0.25, 0), (1, 0))):
        assert cm.cast(mover, tile, (3, 0)) is cm.cast(mover, following, (3, 0)) is None


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("radius", [0.0, 0.01])
def test_the_contact_point_of_crossing_segments_lies_on_both(seed: int, radius: float) -> None:
    rng = Random(seed)
    far = rng.choice([0.0, 0.0, 1e6])
    ends = [(far + rng.uniform(-2, 2), rng.uniform(-2, 2)) for _ in range(4)]
    a, b = ends[:2], ends[2:]
    crossing = shapely.LineString(a).intersection(shapely.LineString(b))
    made = [cm.Capsule(*line, radius) if radius else cm.Segment(*line) for line in (a, b)]
    contact = cm.collide(*made)
    if crossing.is_empty:
        assert radius or contact is None
        return
    assert contact is not None
    if len(contact.points) == 2:  # both ends of what flat capsules share
        assert radius
        return
    (x, y), bits = contact.points[0], 4e-16 * (4 + far)
    assert (x, y) == pytest.approx((crossing.x, crossing.y), abs=8 * bits)
    for (x0, y0), (x1, y1) in (a, b):  # exactly, how far off the line
        dx, dy = Fraction(x1) - Fraction(x0), Fraction(y1) - Fraction(y0)
        off = (Fraction(x) - Fraction(x0)) * dy - (Fraction(y) - Fraction(y0)) * dx
        assert abs(off) <= Fraction(bits) * Fraction(math.hypot(dx, dy))
    depth = -cm.separation(*made)
    assert contact.depth == contact.depths[0] == depth
    swapped = cm.collide(*made[::-1])
    assert swapped is not None
    assert (swapped.points, swapped.normal) == (contact.points, -contact.normal)


@pytest.mark.parametrize("seed", range(40))
def test_the_contact_point_of_a_line_and_a_segment_that_crosses_it_once_lies_on_both(seed: int) -> None:
    rng = Random(f"line {seed}")
    corners = [(float(x), rng.uniform(-1, 1)) for x in range(4)]
    line = cm.Compound.from_parts([cm.Segment(*ends) for ends in pairwise(corners)])
    ends = [(rng.uniform(0, 3), 2.0), (rng.uniform(0, 3), -2.0)]
    crossing = shapely.LineString(corners).intersection(shapely.LineString(ends))
    for pair in ((line, cm.Segment(*ends)), (cm.Segment(*ends), line)):
        contact = cm.collide(*pair)
        assert contact is not None
        if crossing.geom_type == "Point" and len(contact.points) == 1:
            assert contact.points[0] == pytest.approx((crossing.x, crossing.y), abs=1e-14)
