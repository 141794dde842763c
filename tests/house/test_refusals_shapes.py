"""Bad input is validated up front: the error names the caller, argument, row and value, and says how to mend it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom import Box, Capsule, Circle, Point, Polygon, Segment
from carom.tolerances import LARGEST, SMALLEST_SIZE

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]

# Every argument that is a point, a positive size, a radius that may be 0, an angle: name in the message, and a call.
POINTS: dict[str, Callable[[Any], Any]] = {
    "Point: position": lambda v: Point(v),
    "Segment: start": lambda v: Segment(v, (5, 5)),
    "Segment: end": lambda v: Segment((5, 5), v),
    "Circle: center": lambda v: Circle(v, 1),
    "Capsule: start": lambda v: Capsule(v, (5, 5), 1),
    "Capsule: end": lambda v: Capsule((5, 5), v, 1),
    "Box: center": lambda v: Box(v, (1, 1)),
    "Box: size": lambda v: Box((0, 0), v),
    "Box: half_extents": lambda v: Box((0, 0), half_extents=v),
    "Box.from_corners: lower": lambda v: Box.from_corners(v, (5, 5)),
    "Box.from_corners: upper": lambda v: Box.from_corners((-5, -5), v),
    "Box.from_corner: corner": lambda v: Box.from_corner(v, (1, 1)),
    "Box.from_corner: size": lambda v: Box.from_corner((0, 0), v),
    "Polygon: vertices[1]": lambda v: Polygon([(0, 0), v, (1, 5)]),
    "Circle.translated: vector": lambda v: Circle((0, 0), 1).translated(v),
    "Box.translated: vector": lambda v: Box((0, 0), (1, 1)).translated(v),
    "Polygon.rotated: pivot": lambda v: Polygon(SQUARE).rotated(1.0, v),
    "Box.rotated: pivot": lambda v: Box((0, 0), (1, 1)).rotated(1.0, v),
    "Point.rotated: pivot": lambda v: Point((0, 0)).rotated(1.0, v),
}
SIZES: dict[str, Callable[[Any], Any]] = {
    "Circle: radius": lambda v: Circle((0, 0), v),
    "Capsule: radius": lambda v: Capsule((0, 0), (1, 1), v),
    "Circle.mass: density": lambda v: Circle((0, 0), 1).mass(v),
    "Polygon.mass: density": lambda v: Polygon(SQUARE).mass(v),
}
RADII: dict[str, Callable[[Any], Any]] = {
    "Box: radius": lambda v: Box((0, 0), (1, 1), radius=v),
    "Box.from_corners: radius": lambda v: Box.from_corners((0, 0), (1, 1), radius=v),
    "Box.from_corner: radius": lambda v: Box.from_corner((0, 0), (1, 1), radius=v),
    "Box.from_rect: radius": lambda v: Box.from_rect((0, 0, 1, 1), radius=v),
    "Polygon: radius": lambda v: Polygon(SQUARE, radius=v),
}
ANGLES: dict[str, Callable[[Any], Any]] = {
    "Box: angle": lambda v: Box((0, 0), (1, 1), v),
    "Circle.rotated: angle": lambda v: Circle((0, 0), 1).rotated(v),
    "Segment.rotated: angle": lambda v: Segment((0, 0), (1, 1)).rotated(v),
    "Box.rotated: angle": lambda v: Box((0, 0), (1, 1)).rotated(v),
    "Polygon.rotated: angle": lambda v: Polygon(SQUARE).rotated(v),
}
NUMBERS = {**SIZES, **RADII, **ANGLES}


def named(value: Any) -> str:
    """Return the same name in every process."""
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))


def sized(number: Any) -> str:
    return f"int of {number.bit_length()} bits" if isinstance(number, int) else repr(number)


def message(call: Callable[[], Any], error: type[Exception]) -> str:
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


NO_PAIRS = [None, 1, True, "12", b"12", {1, 2}, {1: 2, 3: 4}, 1j, Ellipsis, np.float64(1), np.array(1.0), iter((1, 2))]
TOO_LARGE = [math.nan, math.inf, -math.inf, np.float32("nan"), 10**400, 10**5000, 2e150, -2e150, 2 * 10**150]
NO_NUMBERS = [None, "1", b"1", True, np.True_, 1j, np.complex64(1), (1.0,), np.array([1.0]), Decimal(1)]


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("value", NO_PAIRS, ids=named)
def test_a_point_is_an_ordered_pair(name: str, value: Any) -> None:
    if value is None and ("pivot" in name or name in ("Box: size", "Box: half_extents")):
        return
    text = message(lambda: POINTS[name](value), TypeError)
    assert text.startswith(f"{name} = ")
    pair = "pair (width, height)" if name.endswith(("size", "half_extents")) else "point (x, y)"
    assert f"must be a {pair}, not {type(value).__name__}" in text


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("value", [(), (1,), (1, 2, 3), [1.0], np.zeros(3), np.zeros((3, 2))])
def test_a_point_has_two_numbers(name: str, value: Any) -> None:
    text = message(lambda: POINTS[name](value), ValueError)
    pair = "pair (width, height)" if name.endswith(("size", "half_extents")) else "point (x, y)"
    assert text.startswith(f"{name} = ") and text.endswith(f"must be a {pair}: 2 numbers, not {len(value)}")


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize(
    "bad", ["1", None, True, 1j, np.True_, [1.0], (), Decimal(1), np.array([1.0]), np.ma.masked, np.datetime64(5, "s")]
)
def test_coordinates_are_numbers(name: str, bad: Any) -> None:
    for value, place in (((bad, 1.0), "[0]"), ([1.0, bad], "[1]")):
        text = message(lambda value=value: POINTS[name](value), TypeError)
        assert text.startswith(f"{name}{place} = ") and f"must be a number, not {type(bad).__name__}" in text


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("bad", TOO_LARGE, ids=sized)
def test_coordinates_are_finite_and_in_range(name: str, bad: Any) -> None:
    expected = "must be finite" if bad != bad or abs(bad) > 1e308 else "must be at most 1e+150 in magnitude"
    for value, place in (((bad, 1.0), "[0]"), ([1.0, bad], "[1]"), (np.array([1.0, bad]), "[1]")):
        text = message(lambda value=value: POINTS[name](value), ValueError)
        assert text.startswith(f"{name}{place} = ") and expected in text


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("bad", NO_NUMBERS, ids=repr)
def test_numbers_are_numbers(name: str, bad: Any) -> None:
    text = message(lambda: NUMBERS[name](bad), TypeError)
    assert text.startswith(f"{name} = ") and text.endswith(f"must be a number, not {type(bad).__name__}")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("bad", TOO_LARGE, ids=sized)
def test_numbers_are_finite_and_in_range(name: str, bad: Any) -> None:
    text = message(lambda: NUMBERS[name](bad), ValueError)
    assert text.startswith(f"{name} = ")
    assert text.endswith(("must be finite", "must be at most 1e+150 in magnitude"))


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("bad", [0, 0.0, -0.0, -1, -1.5])
def test_sizes_are_positive(name: str, bad: float) -> None:
    text = message(lambda: SIZES[name](bad), ValueError)
    assert text.startswith(f"{name} = {bad!r} must be positive")


@pytest.mark.parametrize("name", RADII)
def test_a_growing_radius_is_not_negative(name: str) -> None:
    text = message(lambda: RADII[name](-0.5), ValueError)
    assert text == f"{name} = -0.5 must not be negative; it grows the shape outward"
    assert RADII[name](-0.0) == RADII[name](0) == RADII[name](0.0)


@pytest.mark.parametrize("name", [*SIZES, *RADII])
def test_sizes_are_not_too_small_to_square(name: str) -> None:
    call = {**SIZES, **RADII}[name]
    assert message(lambda: call(1e-151), ValueError) == f"{name} = 1e-151 must be at least 1e-150"
    assert call(SMALLEST_SIZE) is not None and call(LARGEST) is not None


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Circle((0, 0), 0.0), "Circle: radius = 0.0 must be positive; did you mean Point?"),
        (lambda: Capsule((0, 0), (1, 0), 0), "Capsule: radius = 0 must be positive; did you mean Segment?"),
        (lambda: Segment((1, 2), (1, 2)), "Segment: end = (1.0, 2.0) must differ from start; did you mean Point?"),
        (lambda: Segment((0.0, 0), (-0.0, 0)), "Segment: end = (0.0, 0.0) must differ from start; did you mean Point?"),
        (lambda: Capsule((1, 2), [1, 2], 3), "Capsule: end = (1.0, 2.0) must differ from start; did you mean Circle?"),
        (
            lambda: Segment((0, 0), (1e-160, 0)),
            "Segment: end = (1e-160, 0.0) must be at least 1e-150 from start = (0.0, 0.0)",
        ),
        (
            lambda: Box((0, 0), (2.0, -1.0)),
            "Box: size = (2.0, -1.0) must be positive; did you pass corners? Use Box.from_corners",
        ),
        (
            lambda: Box((0, 0), (0, 1)),
            "Box: size = (0.0, 1.0) must be positive; did you pass corners? Use Box.from_corners",
        ),
        (lambda: Box((0, 0), (1, 1e-160)), "Box: size = (1.0, 1e-160) must be at least 1e-150 each"),
        (lambda: Box((0, 0), half_extents=(-1, 1)), "Box: half_extents = (-1.0, 1.0) must be positive"),
        (lambda: Box((0, 0)), "Box: size is missing; give size = (width, height) or half_extents"),
        (
            lambda: Box((0, 0), (1, 2), half_extents=(1, 2)),
            "Box: size = (1, 2) and half_extents = (1, 2) say the same thing; give one",
        ),
        (
            lambda: Box.from_corners((0, 1), (1, 0)),
            "Box.from_corners: upper = (1.0, 0.0) must be greater than lower = (0.0, 1.0) in x and in y",
        ),
        (
            lambda: Box.from_corners((0, 0), (0, 1)),
            "Box.from_corners: upper = (0.0, 1.0) must be greater than lower = (0.0, 0.0) in x and in y",
        ),
        (
            lambda: Box.from_corners((0, 0), (1e-200, 1)),
            "Box.from_corners: upper makes corners (0.0, 0.0) and (1e-200, 1.0), which must be at least 1e-150 apart "
            "in x and in y",
        ),
        (
            lambda: Box.from_rect((0, 0, -1, 2)),
            "Box.from_rect: rect = (0, 0, -1, 2) must have a positive width and height; normalize it first",
        ),
        (
            lambda: Box.from_rect((0, 0, 1)),
            "Box.from_rect: rect = (0, 0, 1) must be a rectangle (left, top, width, height): 4 numbers, not 3",
        ),
        (lambda: Box.from_rect((0, math.nan, 1, 1)), "Box.from_rect: rect.top = nan must be finite"),
        (lambda: Box.from_rect((0, 0, 1, "1")), "Box.from_rect: rect.height = '1' must be a number, not str"),
        (
            lambda: Box((1e17, 0), (0.001, 1)),
            "Box: size makes corners (1e+17, -0.5) and (1e+17, 0.5), which must differ in x and in y; the size is lost "
            "to rounding",
        ),
        (
            lambda: Box((0, 0), (1, 1)).translated((1e20, 0)),
            "Box.translated: vector makes corners (1e+20, -0.5) and (1e+20, 0.5), which must differ in x and in y; the "
            "size is lost to rounding",
        ),
        (
            lambda: Box((0, 0), (1e149, 1e149)).translated((0, 1e150)),
            "Box.translated: vector makes corners (-5e+148, 9.5e+149) and (5e+148, 1.05e+150), which must be at most "
            "1e+150 in magnitude",
        ),
        (
            lambda: Box((0, 0), (1, 1e-20), 0.5),
            "Box: size = (1.0, 1e-20) is too thin to turn by angle = 0.5; use Segment or Capsule",
        ),
        (
            lambda: Circle((1e150, 0), 1).translated((1e150, 0)),
            "Circle.translated: vector = (1e+150, 0) moves the shape beyond 1e+150, the largest coordinate",
        ),
        (
            lambda: Segment((1e150, 0), (0, 1)).rotated(1.0, (-1e150, -1e150)),
            "Segment.rotated: pivot = (-1e+150, -1e+150) moves the shape beyond 1e+150, the largest coordinate",
        ),
        (
            lambda: Polygon([(0, 0), (1, 0), (1, 1e-20), (0, 1e-20)]).rotated(0.5),
            "Polygon.rotated: angle = 0.5: the polygon is too thin to be turned",
        ),
        (
            lambda: Polygon([(0, 0), (1e-160, 0), (1, 1), (0, 1)]),
            "Polygon: vertices[1] = (1e-160, 0.0) must be at least 1e-150 from vertices[0]",
        ),
        (
            lambda: Polygon(SQUARE, vertex_ids=[1, 2, 3]),
            "Polygon: vertex_ids = [1, 2, 3] must be one for each vertex: 4 numbers, not 3",
        ),
        (
            lambda: Polygon(SQUARE, vertex_ids=[1, 2, 3, 4.0]),
            "Polygon: vertex_ids[3] = 4.0 must be a whole number, not float",
        ),
        (
            lambda: Polygon(SQUARE, vertex_ids=[1, True, 3, 4]),
            "Polygon: vertex_ids[1] = True must be a whole number, not bool",
        ),
        (
            lambda: Polygon([(0, 0), (1, 0), (0.5, 1e-200)]),
            "Polygon: vertices span 1e-200 in y; they must span 1e-150 or more",
        ),
        (lambda: Polygon([1.0, 2.0, 3.0]), "Polygon: vertices[0] = 1.0 must be a point (x, y), not float"),
        (lambda: Polygon(np.zeros((4, 3))), "Polygon: vertices has shape (4, 3); it must be (n, 2), one point a row"),
        (lambda: Polygon(np.zeros(4)), "Polygon: vertices has shape (4,); it must be (n, 2), one point a row"),
        (
            lambda: Polygon(np.zeros((1, 4, 2))),
            "Polygon: vertices has shape (1, 4, 2); it must be (n, 2), one point a row",
        ),
        (lambda: Polygon([(0, 0), (1, 0), (0, math.nan)]), "Polygon: vertices[2][1] = nan must be finite"),
        (lambda: Polygon(np.array([(0, 0), (1, 0), (np.inf, 1)])), "Polygon: vertices[2][0] = inf must be finite"),
        (
            lambda: Polygon([(0, 0), (1, 0)]),
            "Polygon: vertices must hold at least three distinct points, not 2; for two use Segment",
        ),
        (lambda: Polygon([]), "Polygon: vertices must hold at least three distinct points, not 0"),
    ],
)
def test_the_whole_message_reads_well(call: Callable[[], Any], text: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    assert str(caught.value) == text


@pytest.mark.parametrize("value", [None, 5, "vertices", {(0, 0), (1, 0), (0, 1)}, iter(SQUARE)])
def test_vertices_are_a_sequence(value: Any) -> None:
    text = message(lambda: Polygon(value), TypeError)
    assert text.startswith("Polygon: vertices = ")
    assert f"must be a sequence of points (x, y) or an array of shape (n, 2), not {type(value).__name__}" in text


@pytest.mark.parametrize("array", [np.array(SQUARE, bool), np.array(SQUARE, complex), np.array(SQUARE, str)])
def test_arrays_of_other_types_are_refused(array: Any) -> None:
    assert message(lambda: Polygon(array), TypeError).startswith("Polygon: vertices[0][0] = ")


def test_masked_rows_are_refused() -> None:
    masked = np.ma.masked_array(SQUARE, mask=[(False, False)] * 3 + [(False, True)])
    assert "vertices[3][1]" in message(lambda: Polygon(masked), TypeError)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Point(1, 2), "Point: 2 values are too many: 1, 2; a point is one value: Point((x, y))"),
        (
            lambda: Circle(0, 0, 1),
            "Circle: 3 values are too many: 0, 0, 1; a point is one value: Circle((x, y), radius)",
        ),
        (lambda: Segment(0, 0, 1, 1), "Segment: 4 values .*: Segment\\(\\(x, y\\), \\(x, y\\)\\)"),
        (lambda: Capsule(0, 0, 1, 1, 0.5), "Capsule: 5 values .*Capsule\\(\\(x, y\\), \\(x, y\\), radius\\)"),
        (lambda: Box(0, 0, 2, 1), "Box: 4 values .*Box\\(\\(x, y\\), \\(width, height\\), angle\\)"),
        (lambda: Polygon((0, 0), (1, 0), (0, 1)), "Polygon: 3 values .*: Polygon\\("),
    ],
)
def test_points_given_as_loose_numbers_name_the_remedy(call: Callable[[], Any], text: str) -> None:
    found = message(call, TypeError)
    assert found == text or re.match(text, found)


def test_long_values_are_cut_in_the_message() -> None:
    assert len(message(lambda: Circle("x" * 10_000, 1), TypeError)) < 200
    assert len(message(lambda: Circle(np.zeros(10_000), 1), ValueError)) < 200
    assert len(message(lambda: Circle(list(range(10_000)), 1), ValueError)) < 200


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda v: cm.Shapes.points(v), "Shapes.points: position[1][0] = True must be a number, not bool"),
        (lambda v: cm.Shapes.circles(v, 1.0), "Shapes.circles: center[1][0] = True must be a number, not bool"),
        (
            lambda v: cm.raycast(v, (1, 1), cm.Circle((0, 0), 1)),
            "raycast: origin[1][0] = True must be a number, not bool",
        ),
        (
            lambda v: cm.Shapes.polygons([[*v, (0, 1)]]),
            "Shapes.polygons: vertices[0][1][0] = True must be a number, not bool",
        ),
    ],
)
@pytest.mark.parametrize("kind", [list, tuple, lambda rows: [list(row) for row in rows]])
def test_a_truth_among_numbers_is_refused(call: Callable[[Any], Any], text: str, kind: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=re.escape(text)):
        call(kind([(0.0, 0.0), (True, 1.0)]))
    with pytest.raises(TypeError, match="must be a number, not bool"):
        call([np.zeros(2), np.array([True, False])])
