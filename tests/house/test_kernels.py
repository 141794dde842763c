"""`carom.kernels` gives the answers of the verbs, to the last bit, to Python and to compiled code of users."""

from __future__ import annotations

import math
from importlib import metadata
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom import kernels
from carom._core import jit
from tests.support.scenes import FAMILIES, JOURNEYS, journey, pair


def is_served(a: Any, b: Any, path: tuple[float, float] = (1.0, 1.0)) -> bool:
    """Tell whether the numbers of a question lie near enough to each other for an exact answer inside a kernel."""
    values = np.abs([*kernels.records([a, b])[0], *path])
    return bool(np.max(values) < 1e60 * np.min(values[values > 0.0], initial=1.0))


PAIRS = [drawn for family in FAMILIES for row in range(25) if is_served(*(drawn := pair(family, row)))]
JOURNEYS_DRAWN = [drawn for family in JOURNEYS for row in range(25) if is_served(*(drawn := journey(family, row)))]


def of_pair(values: Any, i: int, j: int) -> Any:
    found = kernels.collide(values, i, values, j)
    near = kernels.closest(values, i, values, j)
    return (
        kernels.intersects(values, i, values, j),
        kernels.separation(values, i, values, j),
        (near.separation, near.nx, near.ny, near.ax, near.ay, near.bx, near.by),
        (found.touching, found.nx, found.ny, found.depth, found.point_count, found.x0, found.y0, found.x1, found.y1),
    )


def of_journey(values: Any, i: int, j: int, mx: float, my: float) -> Any:
    found = kernels.cast(values, i, values, j, mx, my)
    return found.hit, found.fraction, found.nx, found.ny, found.x, found.y, found.overlapping


def in_both_ways(function: Any) -> list[Any]:
    """Return a function as Python, and compiled by Numba as a user's own where that is at hand."""
    if jit.KERNELS == "plain":
        return [function]
    numba = pytest.importorskip("numba")
    return [function, numba.njit(function)]


def test_answers_are_those_of_the_verbs() -> None:
    ways = in_both_ways(of_pair)
    for a, b in PAIRS:
        values, (i, j) = kernels.records([a, b])
        contact, near = cm.collide(a, b), cm.closest(a, b)
        for ask in ways:
            meets, separation, nearest, found = ask(values, i, j)
            assert meets == cm.intersects(a, b)
            assert separation == cm.separation(a, b)
            assert nearest == (near.separation, *near.normal, *near.point_a, *near.point_b)
            assert found[0] == (contact is not None)
            if contact is not None:
                points = [tuple(point) for point in contact.points]
                assert found[1:5] == (*contact.normal, contact.depth, len(points))
                assert [found[5:7], found[7:9]][: len(points)] == points


def test_casts_are_those_of_the_verb() -> None:
    ways = in_both_ways(of_journey)
    for a, b, path in JOURNEYS_DRAWN:
        values, (i, j) = kernels.records([a, b])
        expected = cm.cast(a, b, path)
        for ask in ways:
            hit, fraction, nx, ny, x, y, overlapping = ask(values, i, j, *path)
            assert hit == (expected is not None)
            assert hit or fraction == math.inf
            if expected is not None:
                assert (fraction, (x, y), (nx, ny), overlapping) == tuple(expected)


def test_rays_are_those_of_the_verb() -> None:
    for shape in (cm.Circle((0, 0), 1), cm.Box((0, 0), (2, 2), 0.5), cm.Segment((-1, 0), (0, 1))):
        for origin in ((-3.0, 0.0), (0.0, 0.0), (-3.0, 1.0), (-1.0, 0.0), (-3.0, 9.0)):
            values, (i, j) = kernels.records([cm.Point(origin), shape])
            found, expected = kernels.raycast(values, i, values, j, 5, 0), cm.raycast(origin, (5, 0), shape)
            assert found.hit == (expected is not None)
            if expected is not None:
                assert (found.fraction, (found.nx, found.ny), (found.x, found.y)) == (
                    expected.fraction,
                    expected.normal,
                    expected.point,
                )


def test_a_record_is_moved_by_its_place() -> None:
    shapes = [cm.Polygon([(0, 0), (2, 0), (0, 1)]), cm.Capsule((3, 0), (4, 1), 0.25)]
    values, (i, j) = kernels.records(shapes)
    values[j + kernels.X] += 0.5
    values[j + kernels.Y] -= 2.0
    assert kernels.separation(values, i, values, j) == cm.separation(shapes[0], shapes[1].translated((0.5, -2)))
    assert cm.separation(*shapes) == kernels.separation(
        *(part for k in (0, 1) for part in (kernels.records(shapes[k])[0], 0))
    )


def test_records_are_a_copy_and_refuse_what_is_no_shape() -> None:
    shapes = cm.Shapes.circles([(0, 0), (5, 0)], 1.0)
    values, starts = kernels.records(shapes)
    values[:] = 0.0
    assert starts.dtype == np.int64 and cm.separation(shapes[0], shapes[1]) == 3.0
    with pytest.raises(TypeError, match=r"records: shapes = .* not int"):
        kernels.records(3)


@pytest.mark.skipif(jit.KERNELS == "plain", reason="nothing is compiled")
def test_compiled_code_with_wrong_arguments_is_told_which() -> None:
    numba = pytest.importorskip("numba")
    ask = numba.njit(lambda values, i: kernels.intersects(values, i, values, 0))
    with pytest.raises(numba.core.errors.TypingError, match=r"a must be an array of `carom\.kernels\.records`"):
        ask(np.zeros((2, 2)), 0)
    with pytest.raises(numba.core.errors.TypingError, match=r"i must be a number of type int64"):
        ask(np.zeros(20), 1.5)


STARTS_OUT_OF_RANGE = [10**9, -1, -(10**9), 40, 27, 10**18, -(2**63)]


def calls(values: Any, i: int, j: int) -> list[Any]:
    """Return a call of each function, as Python."""
    pair = (values, i, values, j)
    short = [kernels.intersects, kernels.separation, kernels.closest, kernels.collide]
    return [lambda ask=ask: ask(*pair) for ask in short] + [
        lambda ask=ask: ask(*pair, 1.0, 0.0) for ask in (kernels.cast, kernels.raycast)
    ]


@pytest.mark.parametrize("start", STARTS_OUT_OF_RANGE)
def test_a_start_out_of_range_is_refused(start: int) -> None:
    values, (first, second) = kernels.records([cm.Circle((0, 0), 1), cm.Box((3, 0), (2, 2))])
    for i, j, name in ((start, second, "i"), (first, start, "j")):
        for call in calls(values, i, j):
            with pytest.raises(IndexError, match=rf"{name} = {start} must be a start"):
                call()


@pytest.mark.skipif(jit.KERNELS == "plain", reason="nothing is compiled")
def test_compiled_code_refuses_a_start_out_of_range() -> None:
    numba = pytest.importorskip("numba")
    values, (first, second) = kernels.records([cm.Circle((0, 0), 1), cm.Box((3, 0), (2, 2))])
    pair, path = numba.njit(of_pair), numba.njit(of_journey)
    for start in STARTS_OUT_OF_RANGE:
        with pytest.raises(IndexError, match=r"collide: i is out of range"):
            pair(values, start, second)
        with pytest.raises(IndexError, match=r"collide: j is out of range"):
            pair(values, first, start)
        with pytest.raises(IndexError, match=r"cast: j is out of range"):
            path(values, first, start, 1.0, 0.0)
    assert pair(values, first, second)[1] == 1.0


def test_python_refuses_a_start_from_which_reading_would_leave_the_array() -> None:
    values, starts = kernels.records([cm.Circle((50, 60), 1), cm.Box((70, 80), (2, 2))])
    for start in (2, 3):  # the place of the circle is taken for the number of its points
        with pytest.raises(IndexError, match=rf"i = {start} must be a start"):
            kernels.intersects(values, start, values, starts[1])


def test_arrays_that_are_no_records_are_refused() -> None:
    values, _ = kernels.records(cm.Circle((0, 0), 1))
    for wrong in (values.astype(np.float32), values.reshape(2, -1), values.tolist(), np.zeros(40)[::2]):
        with pytest.raises((TypeError, ValueError), match=r"kernels\.intersects: b = "):
            kernels.intersects(values, 0, wrong, 0)
    with pytest.raises(TypeError, match=r"i = 0\.5"):
        kernels.intersects(values, 0.5, values, 0)  # type: ignore[arg-type]


def test_the_module_shows_what_is_public() -> None:
    assert dir(kernels) == sorted(kernels.__all__)


def test_the_package_shows_its_module_of_kernels_and_its_version() -> None:
    assert {"kernels", "__version__", *cm.__all__} == set(dir(cm))
    assert cm.kernels is kernels and cm.__version__ == metadata.version("carom")
