"""Segments and lines of them: the normal where they lie end to end, the contact point where they cross, the depth."""

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


def straight_line(
    rng: Random, start: tuple[int, int], step: tuple[int, int], count: int
) -> tuple[cm.Compound, cm.Segment]:
    """A line of several segments on one straight line, each given either way round, and the one segment that it is."""
    at = [0, *sorted(rng.sample(range(1, 9), count))]
    ends = [(float(start[0] + k * step[0]), float(start[1] + k * step[1])) for k in at]
    parts = [cm.Segment(*(pair if rng.random() < 0.5 else pair[::-1])) for pair in pairwise(ends)]
    return cm.Compound.from_parts(parts), cm.Segment(ends[0], ends[-1])


@pytest.mark.parametrize("seed", range(120))
def test_a_straight_line_of_segments_is_as_deep_in_others_as_one_segment(seed: int) -> None:
    rng = Random(f"straight {seed}")
    line, whole = straight_line(rng, (0, 0), rng.choice([(1, 0), (0, 1), (1, 1), (2, -1)]), rng.randint(2, 4))
    place = rng.randint(-2, 10), rng.randint(-4, 10)
    size = rng.choice([0.5, 1.0, 2.0])
    for other in (cm.Circle(place, size), cm.Box(place, (size, 2.0), rng.choice([0.0, 0.5]))):
        expected = cm.closest(whole, other)
        for near in (cm.closest(line, other), cm.closest(other, line)):
            assert near.separation == pytest.approx(expected.separation, abs=1e-12)
            assert (near.point_b - near.point_a).length == pytest.approx(abs(near.separation), abs=1e-12)
        contact = cm.collide(line, other)
        assert (contact is None) == (expected.separation > 0.0)
        assert contact is None or contact.depth == pytest.approx(-expected.separation, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_no_way_out_of_a_bent_line_is_shorter_than_its_depth(seed: int) -> None:
    """Tried in 720 directions, with the single segments."""
    rng = Random(f"bent {seed}")
    corners = [(float(x), rng.uniform(-1, 1)) for x in range(4)]
    parts = [cm.Segment(*ends) for ends in pairwise(corners)]
    disc = cm.Circle((rng.uniform(-0.3, 3.3), rng.uniform(-1, 1)), rng.uniform(0.2, 0.8))
    contact = cm.collide(cm.Compound.from_parts(parts), disc)
    if contact is None:
        assert all(cm.collide(part, disc) is None for part in parts)
        return

    def overlap(way: cm.Vec) -> float:
        return -min(cm.separation(part, disc.translated(way)) for part in parts)

    assert overlap(contact.normal * contact.depth) == pytest.approx(0.0, abs=1e-12)
    for k in range(720):
        way = cm.Vec(math.cos(math.pi * k / 360), math.sin(math.pi * k / 360))
        assert overlap(way * (0.999 * contact.depth)) > 0.0


@pytest.mark.parametrize("seed", range(40))
def test_lines_of_segments_end_to_end_lie_along_their_last_segments(seed: int) -> None:
    """The two segments that meet are the only parts that touch, and a pair of segments has that normal."""
    rng = Random(f"end to end {seed}")
    step = rng.choice([(1, 0), (0, 1), (1, 1), (2, -1)])
    before, _ = straight_line(rng, (0, 0), (-step[0], -step[1]), rng.randint(1, 3))
    after, whole = straight_line(rng, (0, 0), step, rng.randint(1, 3))
    aside = cm.Segment(whole.vertices[1], (40, 41))  # a bend that does not touch
    bent = cm.Compound.from_parts([*after.parts, aside])
    along = cm.Vec(*step) / math.hypot(*step)
    for other in (after, bent, whole):
        near, contact = cm.closest(before, other), cm.collide(before, other)
        assert contact is not None
        assert near.separation == contact.depth == 0.0
        assert near.normal == contact.normal == pytest.approx(along, abs=1e-15)
        assert near.point_a == near.point_b == contact.points[0] == (0, 0)
        assert len(contact.points) == 1
        back = cm.collide(other, before)
        assert back is not None
        assert (back.normal, back.points) == (-contact.normal, contact.points)
        why = cm.explain(before, other)
        assert (why.axis.direction, why.axis.gap) == (near.normal, 0.0)


def test_lines_that_also_touch_elsewhere_have_the_normal_of_an_edge_there() -> None:
    """Where a third part meets the joint, the line alone does not say how the two bodies come apart."""
    line = cm.Compound.from_parts([cm.Segment((0, 0), (1, 0)), cm.Segment((1, 0), (2, 0))])
    fork = cm.Compound.from_parts([cm.Segment((2, 0), (3, 0)), cm.Segment((2, 0), (3, 1))])
    contact = cm.collide(line, fork)
    assert contact is not None
    assert contact.depth == 0.0
    assert contact.points == ((2, 0),)
    assert cm.separation(line, fork.translated(contact.normal * 1e-3)) >= 0.0
