"""A set holds the same shapes, bit for bit, as the single values; every way in and out keeps them."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

RNG = np.random.default_rng(5)
N = 300
CENTERS = RNG.uniform(-1e3, 1e3, (N, 2))
CENTERS[::10] *= 1e7
SIZES = RNG.uniform(0.1, 5.0, (N, 2))
RADII = RNG.uniform(0.1, 3.0, N)
ANGLES = RNG.uniform(-7.0, 7.0, N)
ANGLES[::7], ANGLES[1::7], ANGLES[2::14] = 0.0, math.pi / 2, -math.pi
CORNERS = np.array([(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)])
OUTLINES = CENTERS[:, None] + RADII[:, None, None] * CORNERS

MADE: dict[str, tuple[cm.Shapes, list[Any]]] = {
    "points": (cm.Shapes.points(CENTERS), [cm.Point(c) for c in CENTERS]),
    "circles": (cm.Shapes.circles(CENTERS, RADII), [cm.Circle(c, r) for c, r in zip(CENTERS, RADII, strict=True)]),
    "segments": (
        cm.Shapes.segments(CENTERS, CENTERS + SIZES),
        [cm.Segment(c, c + s) for c, s in zip(CENTERS, SIZES, strict=True)],
    ),
    "capsules": (
        cm.Shapes.capsules(CENTERS, CENTERS + SIZES, RADII),
        [cm.Capsule(c, c + s, r) for c, s, r in zip(CENTERS, SIZES, RADII, strict=True)],
    ),
    "boxes": (cm.Shapes.boxes(CENTERS, SIZES), [cm.Box(c, s) for c, s in zip(CENTERS, SIZES, strict=True)]),
    "turned boxes": (
        cm.Shapes.boxes(CENTERS, SIZES, ANGLES, radii=0.5),
        [cm.Box(c, s, a, radius=0.5) for c, s, a in zip(CENTERS, SIZES, ANGLES, strict=True)],
    ),
    "polygons": (cm.Shapes.polygons(OUTLINES), [cm.Polygon(outline) for outline in OUTLINES]),
    "clockwise": (cm.Shapes.polygons(OUTLINES[:, ::-1]), [cm.Polygon(outline[::-1]) for outline in OUTLINES]),
    "ragged": (
        cm.Shapes.polygons([outline[: 3 + k % 4] for k, outline in enumerate(OUTLINES)], radii=0.25),
        [cm.Polygon(outline[: 3 + k % 4], radius=0.25) for k, outline in enumerate(OUTLINES)],
    ),
}
ALL = cm.Shapes([value for _, values in MADE.values() for value in values])


@pytest.mark.parametrize("kind", MADE)
def test_rows_are_the_single_values(kind: str) -> None:
    many, values = MADE[kind]
    assert list(many) == values
    assert all(np.array_equal(a._record, b._record) for a, b in zip(many, values, strict=True))
    assert many == cm.Shapes(values)


@pytest.mark.parametrize("kind", MADE)
def test_bounds_and_moves_are_those_of_the_single_values(kind: str) -> None:
    many, values = MADE[kind]
    assert many.bounds.tolist() == [list(cm.bounds(value)) for value in values]
    moves = RNG.uniform(-1e4, 1e4, (len(values), 2))
    assert list(many.translated(moves)) == [value.translated(move) for value, move in zip(values, moves, strict=True)]
    assert many.translated((3.0, -1.0)) == cm.Shapes([value.translated((3.0, -1.0)) for value in values])


NUMBERS = st.one_of(
    st.floats(-1e150, 1e150),
    st.sampled_from([0.1, -0.1, 1.0, 2.0**-1074, -(2.0**-1022), 1e-290, 1e-160, 3.0, 1e15, -1e7 / 3, 1e150]),
    st.integers(-10, 10).map(lambda k: k * 0.1),
)
SIZED = st.one_of(st.floats(1e-150, 1e150), st.sampled_from([1e-150, 0.1, 1.0, 1e15, 1e150]))


@given(st.lists(st.tuples(NUMBERS, NUMBERS, SIZED), min_size=1, max_size=5), st.tuples(NUMBERS, NUMBERS))
def test_bounds_hold_the_exact_shape_to_the_ulp(
    discs: list[tuple[float, float, float]], end: tuple[float, float]
) -> None:
    values: list[cm.Shape] = [cm.Circle((x, y), r) for x, y, r in discs]
    values += [cm.Capsule((x, y), end, r) for x, y, r in discs if max(abs(x - end[0]), abs(y - end[1])) >= 1e-150]
    assert cm.Shapes(values).bounds.tolist() == [list(cm.bounds(value)) for value in values]


def test_rows_are_taken_like_those_of_an_array() -> None:
    values = list(ALL)
    mask = RNG.random(len(ALL)) < 0.3
    rows = RNG.integers(0, len(ALL), 50)
    assert ALL[-1] == values[-1]
    assert list(ALL[5:900:7]) == values[5:900:7]
    assert list(ALL[mask]) == [value for value, kept in zip(values, mask, strict=True) if kept]
    assert list(ALL[rows]) == [values[row] for row in rows]
    with pytest.raises(IndexError, match="row 9999 of"):
        ALL[9999]


def test_sets_are_joined_and_repeated() -> None:
    assert cm.Shapes.concatenate([many for many, _ in MADE.values()]) == ALL
    assert list(cm.Shapes.repeat(ALL[700], 3)) == [ALL[700]] * 3
    assert len(cm.Shapes.concatenate([])) == len(cm.Shapes()) == 0


def test_sets_are_pickled_by_buffer_and_copied() -> None:
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(MADE["circles"][0], protocol=5, buffer_callback=buffers.append)
    assert len(text) < 2_000 and sum(buffer.raw().nbytes for buffer in buffers) > 8 * 14 * N
    assert pickle.loads(text, buffers=buffers) == MADE["circles"][0]
    assert pickle.loads(pickle.dumps(ALL)) == copy.deepcopy(ALL) == ALL


def test_sets_do_not_change() -> None:
    with pytest.raises(AttributeError, match="do not change"):
        ALL._buffer = np.zeros(3)  # type: ignore[misc]


BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: cm.Shapes.circles([(0, 0), (1, math.nan)], 1.0), ValueError, r"centers\[1\]\[1\] = nan must be finite"),
    (lambda: cm.Shapes.circles([(0, 0), (1, 1)], [1.0, -2.0]), ValueError, r"radii\[1\] = -2.0 must be positive"),
    (lambda: cm.Shapes.circles([(0, 0), (1, 1)], [1.0]), ValueError, r"radii has shape \(1,\)"),
    (lambda: cm.Shapes.circles([0, 1, 2], 1.0), ValueError, r"centers has shape \(3,\)"),
    (lambda: cm.Shapes.circles([("a", "b")], 1.0), TypeError, r"centers\[0\]\[0\] = 'a' must be a number"),
    (
        lambda: cm.Shapes.circles([(0, 0), (1,)], 1.0),
        ValueError,
        r"centers\[1\] = \(1,\) must be a point \(x, y\): 2 numbers, not 1",
    ),
    (
        lambda: cm.Shapes.boxes(np.zeros((3, 2)), [(1, 1), (1, 1), (2.0, -1.0)]),
        ValueError,
        r"sizes\[2\] = \(2.0, -1.0\) must be positive; did you pass corners",
    ),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1)], math.inf), ValueError, r"angles\[0\] = inf must be finite"),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1)], radii=-1.0), ValueError, r"radii\[0\] = -1.0 must not be negative"),
    (lambda: cm.Shapes.boxes([(1e30, 0)], [(1, 1)]), ValueError, r"sizes\[0\] = .* is lost to rounding"),
    (lambda: cm.Shapes.segments([(0, 0)], [(0, 0)]), ValueError, r"ends\[0\] = \(0.0, 0.0\) must differ from starts"),
    (lambda: cm.Shapes.segments([(0, 0)], [(0, 0), (1, 1)]), ValueError, "ends has 2 rows; 1 were expected"),
    (
        lambda: cm.Shapes.polygons([[(0, 0), (1, 0), (0, 1)], [(0, 0), (2, 0), (1, 0.5), (2, 2)]]),
        ValueError,
        r"vertices\[1\]: .*turns inward",
    ),
    (lambda: cm.Shapes([cm.Circle((0, 0), 1), (0, 0)]), TypeError, r"values\[1\] = \(0, 0\) must be a shape"),
    (lambda: cm.Shapes(3), TypeError, "values = 3 must be shapes"),
    (lambda: cm.Shapes.repeat(ALL[0], -1), ValueError, "count = -1 must not be negative"),
    (lambda: ALL.translated([(1, 2), (3, 4)]), ValueError, "vectors has 2 rows"),
]


@pytest.mark.parametrize(("make", "error", "message"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_by_row(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
