"""A Compound is a shape as any other: the face of Shape, placed and turned, equal, hashed, printed, pickled."""

from __future__ import annotations

import copy
import math
import pickle
import timeit
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

CORNER = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
FRAME = cm.decompose([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
HAMMER = cm.Compound.from_parts([cm.Box((0, 0), (0.4, 2)), cm.Circle((0, 1), 0.5), cm.Box((0, -1), (1, 0.5))])
WHOLES = {"corner": CORNER, "frame": FRAME, "hammer": HAMMER}


def star(count: int) -> cm.Compound:
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = 1 + 0.4 * (np.arange(count) % 2)
    return cm.decompose(np.stack([reach * np.cos(turn), reach * np.sin(turn)], axis=1))


@pytest.mark.parametrize("whole", WHOLES.values(), ids=WHOLES)
def test_a_compound_has_the_face_of_a_shape(whole: cm.Compound) -> None:
    assert isinstance(whole, cm.Shape)
    assert not isinstance(whole, cm.ConvexShape)
    for name in (name for name in dir(cm.Shape) if not name.startswith("_")):
        assert getattr(whole, name) is not None
    moved = whole.translated((3, 4))
    assert moved != whole
    assert moved == whole.translated((3, 4))
    assert hash(moved) == hash(whole.translated((3, 4)))
    for again in (pickle.loads(pickle.dumps(moved)), copy.copy(moved), copy.deepcopy(moved)):
        assert again == moved
        assert again.parts == moved.parts
        assert again.position == moved.position
    assert eval(repr(moved), {**vars(cm)}) == moved
    with pytest.raises(AttributeError, match=r"^Compound\.area cannot be set"):
        moved.area = 3  # type: ignore[misc]


@pytest.mark.parametrize("whole", WHOLES.values(), ids=WHOLES)
@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(-7, 7))
def test_placed_puts_the_centroid_there(whole: cm.Compound, x: float, y: float, angle: float) -> None:
    there = whole.placed((x, y), angle)
    assert there.position.distance((x, y)) < 1e-13 * (1 + abs(x) + abs(y))
    assert there.area == pytest.approx(whole.area, rel=1e-14)
    about = whole.position
    for point, was in zip(there.vertices, whole.vertices, strict=True):
        assert (point - cm.Vec(x, y)).distance((was - about).rotated(angle)) < 1e-13 * (10 + abs(x) + abs(y))


@pytest.mark.parametrize("whole", [CORNER, FRAME, star(20)], ids=["corner", "frame", "star"])
@given(st.floats(-7, 7), st.floats(-9, 9), st.floats(-9, 9))
def test_a_turned_region_is_filled_exactly_by_its_parts(whole: cm.Compound, angle: float, x: float, y: float) -> None:
    turned = whole.rotated(angle, (x, y))
    ring = shapely.Polygon([tuple(p) for p in turned.outline], [[tuple(p) for p in hole] for hole in turned.holes])
    assert ring.is_valid
    parts = shapely.union_all([shapely.Polygon([tuple(p) for p in part.vertices]) for part in turned.parts])
    assert parts.symmetric_difference(ring).area < 1e-13
    assert sum(part.area for part in turned.parts) == pytest.approx(ring.area, rel=1e-13)
    exact = cm.decompose(turned.outline, turned.holes)
    assert turned.position.distance(exact.position) < 1e-13


def test_turns_one_after_another_come_back() -> None:
    whole = star(20)
    there = whole
    for _ in range(100):
        there = there.rotated(math.tau / 100)
    assert max(p.distance(q) for p, q in zip(there.vertices, whole.vertices, strict=True)) < 1e-13
    assert cm.intersects(there, cm.Point(there.position))


def test_parts_that_were_given_turn_one_by_one() -> None:
    turned = HAMMER.rotated(0.7, (1, 2))
    assert turned.parts == tuple(part.rotated(0.7, (1, 2)) for part in HAMMER.parts)
    assert turned == cm.Compound.from_parts(turned.parts)
    assert turned.radius == 0.5
    box = cm.Box((0.4, 2.6), (0.3, 0.2))
    assert cm.separation(turned, box) == cm.separation(cm.Compound.from_parts(turned.parts), box)


@pytest.mark.parametrize("whole", [CORNER, HAMMER, star(20), star(200)], ids=["corner", "hammer", "star", "large"])
def test_turning_takes_at_most_a_few_times_as_long_as_moving(whole: cm.Compound) -> None:
    def seconds(ask: Callable[[], cm.Compound]) -> float:
        ask()
        return min(timeit.repeat(ask, number=200, repeat=7))

    moving, turning = seconds(lambda: whole.translated((1, 2))), seconds(lambda: whole.rotated(0.3))
    assert turning < 10 * moving  # 3 to 5; the rest is for the noise of a busy machine


def test_a_line_of_points_is_the_compound_of_its_segments() -> None:
    points = [(0, 0), (4, 0), (4, 0), (4, 3), (1, 5)]
    segments = [cm.Segment((0, 0), (4, 0)), cm.Segment((4, 0), (4, 3)), cm.Segment((4, 3), (1, 5))]
    assert cm.Compound.polyline(points) == cm.Compound.from_parts(segments)
    closed = cm.Compound.from_parts([*segments, cm.Segment((1, 5), (0, 0))])
    assert cm.Compound.polyline(np.array(points, dtype=float), closed=True) == closed
    assert cm.Compound.polyline([*points, (0, 0)], closed=True) == closed


@pytest.mark.parametrize("points", [[], [(1, 1)], [(1, 1), (1, 1)]])
def test_a_line_needs_two_points(points: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match=r"Compound\.polyline: points"):
        cm.Compound.polyline(points)
