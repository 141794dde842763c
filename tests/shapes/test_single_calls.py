"""What is looked at quickly and what is looked at with care come to the same answers, bits, types and refusals.

One call takes plain numbers straight to a kernel. Here the quick looks are asked beside the careful ones, and shapes
and rays are asked once more with every quick look answering that it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom._core import inputs, shape_inputs
from carom._core.quick import new
from carom.shapes.basic import Circle
from tests.support.odd_numbers import likely_pairs, numbers, outcome, pair_of, pairs, plain, told

TARGETS = [Circle((2, 0), 1), cm.Box((3, 0.5), (1, 4)), cm.Box((3, 0), (1, 4), angle=0.3), cm.Segment((1, 1), (2, -1))]


def with_care(ask: Callable[[], Any]) -> str:
    """Return what a call answers where no quick look knows anything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "plain_pairs", lambda one, other: None)
        patch.setattr(inputs, "point", inputs.point_with_care)
        patch.setattr(shape_inputs, "plain_points", lambda value: None)
        return outcome(ask)


@given(likely_pairs)
def test_a_point_is_the_same_at_a_quick_look(value: Any) -> None:
    quick = outcome(lambda: inputs.point("Where", "name", value))
    assert quick == outcome(lambda: inputs.point_with_care("Where", "name", value))


@given(likely_pairs, likely_pairs)
def test_two_pairs_are_known_at_a_quick_look_or_left(one: Any, other: Any) -> None:
    found = inputs.plain_pairs(one, other)
    if found is not None:
        known = inputs.point_with_care("", "", one) + inputs.point_with_care("", "", other)
        assert told(tuple(number + 0.0 for number in found)) == told(known)


@given(st.lists(likely_pairs, max_size=6), st.booleans())
def test_a_table_is_known_at_a_quick_look_or_left(rows: list[Any], listed: bool) -> None:
    given = rows if listed else tuple(rows)
    found = shape_inputs.plain_points(given)
    if found is not None and (np.abs(found) <= 1e100).all():
        assert told(found + 0.0) == told(np.array(shape_inputs.points("", "", given)))


@given(likely_pairs, numbers)
def test_circles_and_points_are_made_the_same_with_care(center: Any, radius: Any) -> None:
    assert outcome(lambda: cm.Circle(center, radius)) == with_care(lambda: cm.Circle(center, radius))
    assert outcome(lambda: cm.Point(center)) == with_care(lambda: cm.Point(center))


sizes = st.builds(pair_of, st.integers(0, 2), st.floats(1e-3, 1e3), st.one_of(st.integers(1, 9), st.floats(1e-3, 1e3)))


@given(likely_pairs, st.one_of(sizes, pairs), st.one_of(st.just(0.0), plain, numbers))
def test_boxes_are_made_the_same_with_care(center: Any, size: Any, angle: Any) -> None:
    assert outcome(lambda: cm.Box(center, size, angle)) == with_care(lambda: cm.Box(center, size, angle))
    assert outcome(lambda: cm.Box(center, size)) == with_care(lambda: cm.Box(center, size))


@given(st.lists(likely_pairs, max_size=6))
def test_polygons_are_made_the_same_with_care(vertices: list[Any]) -> None:
    assert outcome(lambda: cm.Polygon(vertices)) == with_care(lambda: cm.Polygon(vertices))


@given(st.lists(st.floats(0, 6.28), min_size=3, max_size=9, unique=True), st.floats(-50, 50), st.booleans())
def test_round_polygons_are_made_the_same_with_care(angles: list[float], x: float, back: bool) -> None:
    vertices = [(x + float(np.cos(angle)), float(np.sin(angle))) for angle in sorted(angles, reverse=back)]
    assert outcome(lambda: cm.Polygon(vertices)) == with_care(lambda: cm.Polygon(vertices))


@given(likely_pairs, likely_pairs, st.sampled_from(TARGETS))
def test_rays_and_casts_are_the_same_with_care(origin: Any, way: Any, target: Any) -> None:
    assert outcome(lambda: cm.raycast(origin, way, target)) == with_care(lambda: cm.raycast(origin, way, target))
    ball = Circle((-1, 0), 0.5)
    assert outcome(lambda: cm.cast(ball, target, way)) == with_care(lambda: cm.cast(ball, target, way))


@pytest.mark.parametrize("target", TARGETS)
def test_a_ray_from_minus_zero_starts_at_zero(target: Any) -> None:
    """The start, where it is the hit, and a motion along an axis have no -0.0, as from any other start."""
    around = cm.Circle((0.25, 0.0), 1.0)
    assert told(cm.raycast((-0.0, -0.0), (1.0, -0.0), around)) == told(cm.raycast((0.0, 0.0), (1.0, 0.0), around))
    assert told(cm.raycast((-0.0, -0.0), (5.0, -0.0), target)) == told(cm.raycast((0, 0), (5, 0), target))


@given(st.lists(numbers, max_size=5))
def test_named_tuples_are_made_of_the_values_as_they_are(values: list[Any]) -> None:
    made = new(cm.Vec, tuple(values))
    assert type(made) is cm.Vec and len(made) == len(values)
    assert all(one is other for one, other in zip(made, values, strict=True))
