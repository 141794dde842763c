"""The six values: their exact numbers; equality, printing, pickling, moves and turns."""

from __future__ import annotations

import copy
import math
import pickle
from collections import namedtuple
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import carom as cm
from carom import Box, Capsule, Circle, Point, Polygon, Segment, Vec
from carom.shapes.proxy import (
    AABB,
    CENTER_X,
    CENTER_Y,
    COUNT,
    DISC,
    HIGHEST,
    KIND,
    LOWEST,
    OBB,
    POINTS,
    POLYGON,
    REACH,
    STADIUM,
    STRIDE,
)
from carom.shapes.proxy_writers import make_proxy
from carom.vector import quarter_turns
from tests.support import oracle, scenes

EPS = 2.0**-52
TRIANGLE = [(0.0, 0.0), (2.0, 0.0), (1.0, 2.0)]
EACH = [
    Point((1.0, 2.0)),
    Segment((0.0, 0.0), (3.0, 4.0)),
    Circle((0.1, 0.2), 0.3),
    Capsule((0.1, 0.2), (0.3, -0.4), 0.5),
    Box((1.0, 2.0), (3.0, 4.0)),
    Box.from_corners((0.1, 0.2), (0.7, 1.1), radius=0.5),
    Box((1.0, 2.0), (3.0, 4.0), 0.3),
    Box((0.1, 0.2), (0.3, 0.4), -2.0, radius=0.1),
    Polygon(TRIANGLE),
    Polygon([(0.1, 0.1), (0.1, 0.9), (0.5, 0.9), (0.9, 0.9), (0.9, 0.1)], radius=0.2),
]
numbers = (st.floats(-1e4, 1e4) | st.floats(-1e12, 1e12)).map(lambda v: v if abs(v) > 1e-100 else 0.0)
vectors = st.tuples(numbers, numbers)
sizes = st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
angles = st.floats(-10, 10) | st.integers(-8, 8).map(lambda k: k * math.pi / 2)


def fractions(values: Any) -> list[Fraction]:
    return [Fraction(v) for v in values]


def tried(make: Callable[[], Any]) -> Any:
    """Return what `make` makes, or None if float64 cannot hold it: too thin to turn, or too small so far away."""
    try:
        return make()
    except ValueError as error:
        if "too thin" not in str(error) and "lost to rounding" not in str(error):
            raise
        return None


# --- what is stored -----------------------------------------------------------------------------------------------


@given(scenes.shapes())
def test_every_proxy_is_that_of_make_proxy(shape: Any) -> None:
    record = shape._record
    assert record.dtype == np.float64 and record.flags.c_contiguous and record.flags.writeable
    expected = make_proxy(record[KIND], shape._origin(), shape._points(), shape.radius)
    assert record.shape == expected.shape
    same = np.arange(record.size) != REACH
    assert (record == expected)[same].all()
    assert record[REACH] == pytest.approx(expected[REACH], rel=8 * EPS)


@given(scenes.shapes())
def test_normals_point_outward_and_the_bounding_circle_fits(shape: Any) -> None:
    record = shape._record
    count = int(record[COUNT])
    points = [fractions(row[:2]) for row in record[POINTS:].reshape(count, STRIDE).tolist()]
    if count > 1:
        for k, (_, _, nx, ny) in enumerate(record[POINTS:].reshape(count, STRIDE).tolist()):
            (ax, ay), (bx, by) = points[k], points[(k + 1) % count]
            ex, ey, unit_x, unit_y = bx - ax, by - ay, Fraction(nx), Fraction(ny)
            longest = max(abs(ex), abs(ey))
            assert abs(ex * unit_x + ey * unit_y) <= 4 * Fraction(EPS) * longest
            assert abs(unit_x**2 + unit_y**2 - 1) <= 4 * Fraction(EPS)
            assert ey * unit_x - ex * unit_y > 0  # counter-clockwise: outside is on the right
    cx, cy, reach = fractions(record[[CENTER_X, CENTER_Y, REACH]])
    farthest = max((x - cx) ** 2 + (y - cy) ** 2 for x, y in points)
    assert farthest <= reach**2 <= farthest * (1 + 32 * Fraction(EPS))


@given(scenes.shapes())
def test_records_are_convex_and_know_their_extremes(shape: Any) -> None:
    points = oracle.exact(shape).points
    record = shape._record
    assert record[COUNT] == len(points) and record.size == POINTS + STRIDE * len(points)
    assert points[int(record[LOWEST])] == min(points, key=lambda p: (p[1], p[0]))
    assert points[int(record[HIGHEST])] == max(points, key=lambda p: (p[1], p[0]))
    if len(points) > 2:
        hull = oracle.convex_hull(points)
        start = hull.index(points[0])
        assert list(points) == hull[start:] + hull[:start]


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        (Point((1, 2)), DISC),
        (Circle((1, 2), 3), DISC),
        (Segment((1, 2), (3, 4)), STADIUM),
        (Capsule((1, 2), (3, 4), 1), STADIUM),
        (Box((1, 2), (3, 4)), AABB),
        (Box((1, 2), (3, 4), math.pi / 2), AABB),
        (Box((1, 2), (3, 4), -3 * math.pi), AABB),
        (Box((1, 2), (3, 4), 1e-9), OBB),
        (Box((1, 2), (3, 4), math.nextafter(math.pi / 2, 0)), OBB),
        (Polygon(TRIANGLE), POLYGON),
        (Polygon([(0, 0), (1, 0), (1, 1), (0, 1)]), POLYGON),
    ],
)
def test_every_shape_has_its_kind(shape: Any, kind: float) -> None:
    assert shape._record[KIND] == kind


@given(vectors, vectors)
def test_a_box_from_corners_stores_exactly_these(a: Any, b: Any) -> None:
    lower, upper = (min(a[0], b[0]), min(a[1], b[1])), (max(a[0], b[0]) + 1.0, max(a[1], b[1]) + 1.0)
    box = Box.from_corners(lower, upper)
    assert oracle.bounds(box) == tuple(fractions((*lower, *upper)))
    assert box.lower == lower and box.upper == upper


@given(vectors, sizes)
def test_a_box_from_centre_and_size_rounds_each_corner_once(center: Any, size: Any) -> None:
    box = Box(center, size)
    for i in (0, 1):
        c, half = Fraction(center[i]), Fraction(size[i]) / 2
        assert Fraction(box.lower[i]) == Fraction(float(c - half))
        assert Fraction(box.upper[i]) == Fraction(float(c + half))
    halves = (size[0] / 2, size[1] / 2)
    assert Box(center, half_extents=halves) == box


def test_tiles_on_a_decimal_grid_stay_flush_when_moved() -> None:
    rows = [Box.from_corners((i * 0.1, 0.0), ((i + 1) * 0.1, 0.1)) for i in range(100)]
    for move in ((0.3, 0.7), (1e7 + 0.1, -3.3), (-1 / 3, 1e-9)):
        moved = [box.translated(move) for box in rows]
        for box, left, right in zip(rows, moved, moved[1:], strict=False):
            assert left.upper.x == right.lower.x
            assert left.upper.x == box.upper.x + move[0]
    for angle in (math.pi / 2, math.pi, -math.pi / 2):
        turned = [box.rotated(angle, pivot=(0.37, 0.11)) for box in rows]
        for left, right in pairwise(turned):
            shared = {left.lower.x, left.upper.x} & {right.lower.x, right.upper.x}
            shared_y = {left.lower.y, left.upper.y} & {right.lower.y, right.upper.y}
            assert len(shared) + len(shared_y) == 3


@given(sizes, st.floats(-10, 10).filter(lambda t: quarter_turns(t) < 0))
def test_a_turned_box_is_its_four_local_corners(size: Any, angle: float) -> None:
    box = Box((1e7, -1.0), size, angle)
    a, b, c, d = box._points()
    assert c == (-a[0], -a[1]) and d == (-b[0], -b[1])
    w, h = size[0] / 2, size[1] / 2
    expected = (math.cos(angle) * w + math.sin(angle) * h, math.sin(angle) * w - math.cos(angle) * h)
    assert math.dist(b, expected) <= 4 * EPS * (w + h)
    assert box.size == size and box.angle == angle and box.center == (1e7, -1.0)
    assert box.half_extents == (w, h)
    assert box.translated((0.1, 0.2))._points() == box._points()


@pytest.mark.parametrize("quarters", [-1, 0, 1, 2, 3, 4, 7])
def test_a_quarter_turn_swaps_the_size(quarters: int) -> None:
    size = (4, 3) if quarters % 2 else (3, 4)
    box = Box((1, 2), (3, 4), quarters * math.pi / 2)
    assert box == Box((1, 2), size)
    assert box.angle == 0.0 and box.size == size
    assert Box((1, 2), (3, 4)).rotated(quarters * math.pi / 2) == box


@given(st.lists(vectors, min_size=2, max_size=2, unique=True))
def test_segments_store_their_ends_exactly(ends: Any) -> None:
    segment = Segment(*ends)
    assert oracle.exact(segment).points == tuple(tuple(fractions(end)) for end in ends)
    assert (segment.start, segment.end) == segment.vertices == tuple(ends)


@given(st.lists(vectors, min_size=3, max_size=12), st.just(0.0) | st.floats(1e-9, 10))
def test_polygons_store_their_vertices_exactly(points: Any, radius: float) -> None:
    hull = [(float(x), float(y)) for x, y in oracle.convex_hull([tuple(fractions(p)) for p in points])]
    if len(hull) >= 3:
        polygon = Polygon(hull, radius=radius)
        assert oracle.exact(polygon).points == tuple(tuple(fractions(p)) for p in hull)
        assert polygon.vertices == tuple(hull)


# --- ways to make a box --------------------------------------------------------------------------------------------


def test_every_way_to_make_a_box_makes_the_same() -> None:
    Rect = namedtuple("Rect", "left top width height")
    box = Box((1.0, 1.5), (2.0, 1.0))
    assert Box.from_corners((0, 1), (2, 2)) == box
    assert Box.from_corner((0, 1), (2, 1)) == box
    assert Box.from_rect((0, 1, 2, 1)) == box
    assert Box.from_rect([0, 1, 2, 1]) == box
    assert Box.from_rect(np.array([0, 1, 2, 1])) == box
    assert Box.from_rect(Rect(0, 1, 2, 1)) == box
    assert Box((1.0, 1.5), half_extents=(1.0, 0.5)) == box
    assert Box.from_corner((0, 1), (2, 1), radius=0.5) == Box((1.0, 1.5), (2.0, 1.0), radius=0.5) != box
    assert (box.center, box.size, box.half_extents) == ((1.0, 1.5), (2.0, 1.0), (1.0, 0.5))
    assert (box.lower, box.upper, box.angle, box.radius) == ((0.0, 1.0), (2.0, 2.0), 0.0, 0.0)


def test_rectangles_of_pygame_make_boxes() -> None:
    pygame = pytest.importorskip("pygame")
    assert Box.from_rect(pygame.Rect(10, 20, 30, 40)) == Box((25, 40), (30, 40))
    assert Box.from_rect(pygame.FRect(0.5, 1, 2, 3)).lower == (0.5, 1.0)
    assert Circle(pygame.Vector2(1, 2), 3) == Circle((1, 2), 3)


def test_a_turned_box_has_no_lower_corner() -> None:
    for name in ("lower", "upper"):
        with pytest.raises(AttributeError, match=f"Box.{name}: a box at angle = 0.5"):
            getattr(Box((0, 0), (1, 2), 0.5), name)


@pytest.mark.parametrize(
    "center",
    [[1, 2], (1.0, 2.0), Vec(1.0, 2.0), np.array([1, 2]), np.array([1, 2], np.float32), (np.int8(1), Fraction(2))],
)
def test_every_form_of_a_point_is_read(center: Any) -> None:
    circle = Circle(center, 1)
    assert circle == Circle((1.0, 2.0), 1.0)
    assert circle._key() == Circle((1.0, 2.0), 1.0)._key()
    assert all(type(v) is float for v in (*circle.center, circle.radius))


def test_every_form_of_a_size_is_read() -> None:
    for radius in (2, 2.0, np.float32(2), np.int64(2), Fraction(2)):
        assert Circle((0, 0), radius) == Circle((0, 0), 2.0)
        assert Box((0, 0), (1, 1), radius=radius) == Box((0, 0), (1, 1), radius=2.0)
    for size in ([1, 2], np.array([1, 2]), Vec(1, 2)):
        assert Box((0, 0), size) == Box((0, 0), (1.0, 2.0))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_vertices_may_be_an_array(dtype: Any) -> None:
    array = np.array(TRIANGLE, dtype=dtype)
    assert Polygon(array) == Polygon(TRIANGLE) == Polygon(list(array)) == Polygon(np.asfortranarray(array)[:, :])
    array[0] = 9
    assert Polygon(TRIANGLE).vertices[0] == (0.0, 0.0)


# --- a value -------------------------------------------------------------------------------------------------------


def shifted_and_turned(shape: Any, moves: Any) -> Any:
    for kind, value in moves:
        shape = shape.translated(value) if kind else shape.rotated(*value)
    return shape


moves = st.lists(
    st.tuples(st.just(1), vectors) | st.tuples(st.just(0), st.tuples(angles, st.none() | vectors)), max_size=3
)


@given(scenes.shapes(), moves)
def test_repr_evaluates_back(shape: Any, moves: Any) -> None:
    shape = tried(lambda: shifted_and_turned(shape, moves)) or shape
    again = eval(repr(shape), dict(vars(cm)))
    assert again == shape and hash(again) == hash(shape) and repr(again) == repr(shape)
    assert again._record.tobytes() == shape._record.tobytes()
    assert oracle.exact(again) == oracle.exact(shape)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Point((1, 2)), "Point((1.0, 2.0))"),
        (Circle((0.1, 2), 3), "Circle((0.1, 2.0), 3.0)"),
        (Segment((0.1, 0.2), (5, 7)), "Segment((0.1, 0.2), (5.0, 7.0))"),
        (Capsule((0.1, 0.2), (5, 7), 0.5), "Capsule((0.1, 0.2), (5.0, 7.0), 0.5)"),
        (Box((1, 2), (3, 4)), "Box((1.0, 2.0), (3.0, 4.0))"),
        (Box((1, 2), (3, 4), 0.1, radius=0.5), "Box((1.0, 2.0), (3.0, 4.0), 0.1, radius=0.5)"),
        (Box.from_corners((0.1, 0), (0.7, 1)), "Box.from_corners((0.1, 0.0), (0.7, 1.0))"),
        (Polygon(TRIANGLE), "Polygon([(0.0, 0.0), (2.0, 0.0), (1.0, 2.0)])"),
        (
            Polygon(TRIANGLE[::-1], radius=1),
            "Polygon([(1.0, 2.0), (0.0, 0.0), (2.0, 0.0)], radius=1.0, vertex_ids=(0, 2, 1))",
        ),
        (
            Polygon([(0, 0), (0.1, 0), (0, 0.1)]).translated((1e7, 0)),
            "Polygon([(0.0, 0.0), (0.1, 0.0), (0.0, 0.1)]).translated((10000000.0, 0.0))",
        ),
        (
            Segment((0, 0), (1e-9, 1e-9)).translated((1e9, 0)),
            "Segment((0.0, 0.0), (1e-09, 1e-09)).translated((1000000000.0, 0.0))",
        ),
        (
            Capsule((0, 0), (0, 1e-9), 1).translated((0, 1e9)),
            "Capsule((0.0, 0.0), (0.0, 1e-09), 1.0).translated((0.0, 1000000000.0))",
        ),
    ],
)
def test_repr_shows_the_numbers(shape: Any, text: str) -> None:
    assert repr(shape) == text


@pytest.mark.parametrize("shape", EACH, ids=repr)
def test_shapes_survive_pickle_and_copy(shape: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(shape, protocol))
        assert again == shape and type(again) is type(shape)
        assert again._record.flags.writeable
    assert copy.copy(shape) is shape and copy.deepcopy([shape])[0] is shape


@pytest.mark.parametrize("shape", EACH, ids=repr)
def test_shapes_do_not_change(shape: Any) -> None:
    for name in ("radius", "position", "_record", "new"):
        with pytest.raises(AttributeError, match=f"{type(shape).__name__}.{name} cannot be set: shapes do not change"):
            setattr(shape, name, 1.0)
    with pytest.raises(AttributeError, match="do not change"):
        del shape._record
    assert not hasattr(shape, "__dict__")


def test_equal_shapes_have_one_class_and_the_same_numbers() -> None:
    assert len(set(EACH)) == len(EACH)
    for i, a in enumerate(EACH):
        for j, b in enumerate(EACH):
            assert (a == b) == (i == j) and (a != b) == (i != j)
    assert Circle((0.0, -0.0), 1) == Circle((-0.0, 0.0), 1)
    assert hash(Circle((0.0, -0.0), 1)) == hash(Circle((-0.0, 0.0), 1))
    assert Circle((0, 0), 1) != Circle((0, 0), math.nextafter(1, 2))
    assert Segment((0, 0), (1, 1)) != Segment((1, 1), (0, 0))
    assert Box((0, 0), (2, 2)) != Polygon(Box((0, 0), (2, 2)).vertices)
    assert Point((1, 2)) != (1, 2)
    assert Box((0, 0), (2, 1), 0.5) != Box((0, 0), (2, 1), 0.5 + 2 * math.pi)


def test_shapes_match_patterns() -> None:
    match Circle((1, 2), 3):
        case Circle(center, radius):
            assert center == (1.0, 2.0) and radius == 3.0
    match Box((1, 2), (3, 4), 0.5):
        case Box(center, size, angle):
            assert (center, size, angle) == ((1.0, 2.0), (3.0, 4.0), 0.5)
    match Capsule((1, 2), (3, 4), 0.5):
        case Capsule(start, end, radius):
            assert (start, end, radius) == ((1.0, 2.0), (3.0, 4.0), 0.5)


# --- moving and turning --------------------------------------------------------------------------------------------


@given(scenes.shapes().filter(lambda shape: shape._record[KIND] != AABB), vectors)
def test_translated_rounds_the_origin_once_and_no_local_point(shape: Any, vector: Any) -> None:
    moved = shape.translated(vector)
    assert moved._points() == shape._points()
    x, y = (float(Fraction(o) + Fraction(v)) for o, v in zip(shape._origin(), vector, strict=True))
    assert moved._origin() == (x, y)
    assert type(moved) is type(shape) and moved.radius == shape.radius


@given(scenes.shapes(), angles, st.none() | vectors)
def test_rotated_turns_every_vertex_about_the_pivot(shape: Any, angle: float, pivot: Any) -> None:
    turned = tried(lambda: shape.rotated(angle, pivot))
    assume(turned is not None)
    center = Vec(*pivot) if pivot else shape.position
    expected = [center + (v - center).rotated(angle) for v in shape.vertices]
    largest = 1.0 + max(abs(c) for v in (*shape.vertices, *expected, center) for c in v)
    found = list(turned.vertices)
    assert len(found) <= len(expected)
    for v in found:
        assert min(v.distance(e) for e in expected) <= 32 * EPS * largest
    for e in expected:
        assert min(v.distance(e) for v in found) <= 32 * EPS * largest or isinstance(shape, Polygon)
    assert turned.radius == shape.radius
    assert turned.position.distance(center + (shape.position - center).rotated(angle)) <= 32 * EPS * largest


@pytest.mark.parametrize("shape", EACH, ids=repr)
def test_four_quarter_turns_come_back(shape: Any) -> None:
    turned = shape
    for _ in range(4):
        turned = turned.rotated(math.pi / 2, pivot=(0.25, -0.5))
    largest = max(abs(c) for v in shape.vertices for c in v) + 1
    for vertex in shape.vertices:
        assert min(vertex.distance(v) for v in turned.vertices) <= 16 * EPS * largest
    assert shape.rotated(0.0).position.distance(shape.position) <= EPS * largest


def test_turning_a_box_adds_angles_and_keeps_size() -> None:
    box = Box((1, 2), (3, 4), 0.25, radius=0.5)
    turned = box.rotated(0.5).rotated(0.25)
    assert (turned.center, turned.size, turned.angle, turned.radius) == (box.center, box.size, 1.0, 0.5)
    assert Box((1, 2), (3, 4), math.pi / 4).rotated(math.pi / 4) == Box((1, 2), (4, 3))
    orbit = Box((1, 0), (3, 4), 0.25).rotated(math.pi / 2, pivot=(0, 0))
    assert orbit.center == (0.0, 1.0) and orbit.angle == 0.25 + math.pi / 2


@given(scenes.shapes().filter(lambda shape: shape._record[KIND] != AABB))
def test_far_turns_keep_the_local_shape(shape: Any) -> None:
    near_turn = tried(lambda: shape.rotated(0.75))
    assume(near_turn is not None)
    far_turn = shape.translated((1e9, -1e9)).rotated(0.75)
    assert far_turn._points() == near_turn._points()


@pytest.mark.parametrize("shape", EACH, ids=repr)
def test_position_is_the_middle_or_the_centroid(shape: Any) -> None:
    if not isinstance(shape, Polygon):
        xs, ys = [v.x for v in shape.vertices], [v.y for v in shape.vertices]
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        assert shape.position == pytest.approx(middle, abs=1e-15)
    assert shape.centroid == shape.position
    assert all(type(v) is Vec and type(v.x) is float for v in (*shape.vertices, shape.position))


def test_vertices_go_counter_clockwise() -> None:
    assert Box((0, 0), (2, 4)).vertices == ((-1, -2), (1, -2), (1, 2), (-1, 2))
    assert Polygon(TRIANGLE[::-1]).vertices == ((1, 2), (0, 0), (2, 0))
    assert Circle((1, 2), 3).vertices == ((1, 2),)
    assert Capsule((1, 2), (3, 4), 3).vertices == ((1, 2), (3, 4))


# --- at the ends of the range ---------------------------------------------------------------------------------------


def test_a_box_longer_than_any_coordinate_can_be_moved_and_printed() -> None:
    box = Box.from_corners((0, -1e150), (4e55, 1e150))
    assert eval(repr(box), dict(vars(cm))) == box
    assert box.placed((0, 0)) == Box.from_corners((-2e55, -1e150), (2e55, 1e150))
    with pytest.raises(ValueError, match=r"^Box.placed: position makes corners .* at most 1e\+150"):
        box.placed((0, 1e150))
    with pytest.raises(ValueError, match=r"^Box.rotated: angle = 1.0 at .* beyond 1e\+150"):
        box.rotated(1.0)


def test_a_needle_with_hardly_any_area_keeps_its_digits() -> None:
    points = [(-1e150, -2e-15), (7e-15, -1e-15), (0.0, -1e-15)]
    needle = Polygon(points)
    exact = [[Fraction(u) for u in point] for point in points]
    (ax, ay), (bx, by), (cx, cy) = exact
    assert needle.area == float(abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2)
    assert needle.position == pytest.approx((float((ax + bx + cx) / 3), float((ay + by + cy) / 3)), rel=1e-15)
    assert cm.Shapes([needle]).positions.tolist() == [list(needle.position)]
    assert needle.mass().inertia == pytest.approx(needle.area * (1e150**2 / 18), rel=1e-12)
    assert needle.placed((0, 0)).area == pytest.approx(needle.area, rel=1e-9)
