"""Where rays run inside shapes: against Shapely for outlines, closed forms for discs, exact fractions for seams."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

FRAME = cm.decompose([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
TURN = np.linspace(0, 2 * np.pi, 24, endpoint=False)
STAR = cm.decompose(np.stack([(1 + 0.6 * (np.arange(24) % 2)) * f(TURN) for f in (np.cos, np.sin)], axis=1))
SHARP: list[Any] = [
    cm.Box((0.5, 0.2), (2, 1)),
    cm.Box((0.1, -0.3), (2, 1), 0.4),
    cm.Polygon([(-1, -1), (2, 0), (0, 1.5)]),
    FRAME.placed((0.2, 0.1)),
    STAR,
    STAR.rotated(0.3),
    cm.Compound.from_parts([cm.Box((-1, 0), (2, 2)), cm.Box((1, 0), (2, 2)), cm.Box((0, 2), (1, 1), 0.3)]),
]
NUMBERS = st.floats(-4, 4) | st.integers(-16, 16).map(lambda k: k / 4)


def as_shapely(shape: Any) -> Any:
    parts = shape.parts if isinstance(shape, cm.Compound) else (shape,)
    return shapely.union_all([shapely.Polygon([tuple(p) for p in part.vertices]) for part in parts])


def spans_of(shape: Any, origin: Any, translation: Any) -> list[tuple[float, float]]:
    """Return the stretches of a ray of some length inside, as Shapely has them."""
    x, y = origin
    dx, dy = translation
    found = as_shapely(shape).intersection(shapely.LineString([(x, y), (x + dx, y + dy)]))
    lines = [line for line in shapely.get_parts(found) if line.geom_type == "LineString" and line.length > 1e-9]
    square = dx * dx + dy * dy
    spans = [sorted(((u - x) * dx + (v - y) * dy) / square for u, v in line.coords) for line in lines]
    return sorted((span[0], span[-1]) for span in spans)


@pytest.mark.parametrize("shape", SHARP, ids=range(len(SHARP)))
@given(st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS))
def test_stretches_are_those_of_shapely(shape: Any, origin: Any, end: Any) -> None:
    translation = end[0] - origin[0], end[1] - origin[1]
    length = math.hypot(*translation)
    if length < 0.1:
        return
    found = cm.crossings(origin, translation, shape)
    first = cm.raycast(origin, translation, shape)
    assert bool(found) == (first is not None)
    if first is not None:
        assert (found[0].entry, found[0].entry_point) == (first.fraction, first.point)
        assert found[0].enters == (not first.overlapping)
    assert all(one.exit < other.entry for one, other in itertools.pairwise(found))
    outline = as_shapely(shape).boundary
    for stretch in found:
        assert 0.0 <= stretch.entry <= stretch.exit <= 1.0
        for crosses, point, normal in (
            (stretch.enters, stretch.entry_point, stretch.entry_normal),
            (stretch.leaves, stretch.exit_point, stretch.exit_normal),
        ):
            assert math.hypot(*normal) == pytest.approx(1.0 if crosses else 0.0)
            assert not crosses or outline.distance(shapely.Point(*point)) < 1e-9
        assert stretch.length == pytest.approx((stretch.exit - stretch.entry) * length, abs=1e-9)
    # A ray that runs along an edge is left to the other tests: Shapely rounds where it lies.
    along = outline.intersection(shapely.LineString([origin, end]).buffer(1e-9)).length
    if along < 1e-6:
        mine = [(one.entry, one.exit) for one in found if one.exit - one.entry > 1e-8]
        theirs = [span for span in spans_of(shape, origin, translation) if span[1] - span[0] > 1e-8]
        assert np.allclose(np.array(mine).reshape(-1), np.array(theirs).reshape(-1), atol=1e-7)


@given(st.tuples(NUMBERS, NUMBERS), st.floats(0, 7), st.floats(0.5, 9), st.floats(0.1, 2))
def test_the_way_out_of_a_disc_is_the_closed_form(origin: Any, angle: float, length: float, radius: float) -> None:
    along = cm.Vec(math.cos(angle), math.sin(angle))
    found = cm.crossings(origin, along * length, cm.Circle((0, 0), radius))
    middle = -along.dot(cm.Vec(*origin))
    aside = abs(along.cross(cm.Vec(*origin)))
    if aside > radius * 0.999:
        return
    half = math.sqrt(radius * radius - aside * aside)
    if min(abs(middle - half), abs(middle + half), abs(middle - half - length), abs(middle + half - length)) < 1e-6:
        return
    low, high = max(middle - half, 0.0) / length, min(middle + half, length) / length
    assert len(found) == (low < high)
    for stretch in found:
        assert (stretch.entry, stretch.exit) == pytest.approx((low, high), abs=1e-9)
        assert (stretch.enters, stretch.leaves) == (low > 0.0, high < 1.0)


def test_a_seam_between_flush_parts_is_no_gap_and_a_crack_is_one() -> None:
    third = 1 / 3
    parts = [cm.Box.from_corners((k * third, 0), ((k + 1) * third, 1)) for k in range(7)]
    edges = [part.vertices[1].x == after.vertices[0].x for part, after in itertools.pairwise(parts)]
    whole = cm.Compound.from_parts(parts)
    for y in (0.1, 0.5, 0.7):
        found = cm.crossings((-1.1, y), (7.3, 0.01), whole)
        assert len(found) == 1 + edges.count(False)
    slit = cm.Compound.from_parts(
        [cm.Box.from_corners((0, 0), (1, 1)), cm.Box.from_corners((math.nextafter(1, 2), 0), (2, 1))]
    )
    assert len(cm.crossings((-1, 0.5), (4, 0), slit)) == 2
    assert len(cm.crossings((-1, 0.5), (4, 0.125), slit)) == 2


def test_a_ray_along_a_seam_is_inside() -> None:
    slab = cm.Compound.from_parts([cm.Box((0, 1), (4, 2)), cm.Box((0, -1), (4, 2))])
    (through,) = cm.crossings((-4, 0), (8, 0), slab)
    assert (through.entry, through.exit) == (0.25, 0.75)
    (inside,) = cm.crossings((-1, 0), (2, 0), slab)
    assert (inside.entry, inside.exit, inside.enters, inside.leaves) == (0.0, 1.0, False, False)
    (out,) = cm.crossings((0, 0), (4, 0), slab)
    assert (out.entry, out.exit, out.exit_normal) == (0.0, 0.5, (1.0, 0.0))


def test_rules_of_touch_are_those_of_raycast() -> None:
    box = cm.Box((0, 0), (2, 2))
    assert cm.crossings((1, 0), (3, 0), box) == ()
    assert cm.crossings((1, 0), (0, 1), box) == ()
    (inward,) = cm.crossings((1, 0), (-3, 0), box)
    assert (inward.entry, inward.exit, inward.enters) == (0.0, pytest.approx(2 / 3, rel=1e-15), True)
    (corner,) = cm.crossings((0, 2), (2, -2), box)
    assert (corner.entry, corner.exit) == (0.5, 0.5)
    (edge,) = cm.crossings((-2, 1), (8, 0), box)
    assert (edge.entry, edge.exit) == (0.125, 0.375)
    (ends,) = cm.crossings((-2, 0), (3, 0), box)
    assert (ends.exit, ends.leaves, ends.exit_point) == (1.0, False, (1.0, 0.0))
    assert cm.crossings((0, 0), (0, 0), box)[0][:2] == (0.0, 1.0)


def test_a_long_ray_leaves_where_it_should() -> None:
    (found,) = cm.crossings((0.25, 0.0), (1e12, 0.0), cm.Circle((2, 0), 1))
    assert found.exit_point == (3.0, 0.0)
    assert Fraction(found.exit) * Fraction(10**12) == pytest.approx(2.75, rel=1e-15)


def test_rows_and_an_index_say_what_single_calls_say() -> None:
    rng = np.random.default_rng(4)
    shapes = cm.Shapes([shape.placed(rng.uniform(-3, 3, 2)) for shape in SHARP for _ in range(3)])
    n = len(shapes)
    origins, ways = rng.uniform(-5, 5, (n, 2)), rng.uniform(-9, 9, (n, 2))
    rows = cm.crossings(origins, ways, shapes)
    for k in range(n):
        single = cm.crossings(origins[k], ways[k], shapes[k])
        span = slice(rows.offsets[k], rows.offsets[k + 1])
        assert rows.entry[span].tolist() == [one.entry for one in single]
        assert rows.exit[span].tolist() == [one.exit for one in single]
        assert rows.row[span].tolist() == [k] * len(single)
    found = cm.Index(shapes).crossings(origins[:5], ways[:5])
    for k in range(5):
        each = [(one, row) for row in range(n) for one in cm.crossings(origins[k], ways[k], shapes[row])]
        each.sort(key=lambda pair: (pair[0].entry, pair[1]))
        span = slice(found.offsets[k], found.offsets[k + 1])
        assert found.row[span].tolist() == [row for _, row in each]
        assert found.exit_point[span].tolist() == [list(one.exit_point) for one, _ in each]
        assert found.length[span] == pytest.approx([one.length for one, _ in each])
    many = cm.crossings(origins, ways, FRAME)
    assert (
        many.offsets[-1]
        == len(many.entry)
        == sum(len(cm.crossings(o, w, FRAME)) for o, w in zip(origins, ways, strict=True))
    )
    assert cm.crossings(origins[0], ways.reshape(n // 3, 3, 2), FRAME).offsets.size == n + 1


def test_bad_rays_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^crossings: shape"):
        cm.crossings((0, 0), (1, 0), 3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"^crossings: origin"):
        cm.crossings((0, math.nan), (1, 0), FRAME)
    with pytest.raises(TypeError, match=r"crossings.*translatoin"):
        cm.crossings((0, 0), (1, 0), FRAME, translatoin=(1, 0))  # type: ignore[call-overload]
