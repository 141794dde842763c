"""`decompose` and `clean`: the parts are convex, exact, and together the region, on easy and on hard outlines.

In fractions, without tolerance: the parts are apart, and their areas add up to that of the region. That each lies in it
is asked of Shapely. (Shapely's union of all parts loses whole triangles next to edges that are nearly on one line.)
"""

from __future__ import annotations

import copy
import math
import pickle
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.outlines import triangulate

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
INNER = [(1, 1), (3, 1), (3, 3), (1, 3)]
Outline = list[tuple[float, float]]


def exact_area(points: Any) -> Fraction:
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    return sum((a[0] * b[1] - a[1] * b[0] for a, b in zip(exact, exact[1:] + exact[:1], strict=True)), Fraction(0)) / 2


def is_strictly_convex(points: Any) -> bool:
    p = [(Fraction(x), Fraction(y)) for x, y in points]
    return all(
        (b[0] - a[0]) * (c[1] - b[1]) > (b[1] - a[1]) * (c[0] - b[0])
        for a, b, c in zip(p, p[1:] + p[:1], p[2:] + p[:2], strict=True)
    )


def are_apart(parts: Any) -> bool:
    """Tell whether no two convex polygons overlap: one has an edge that the other lies beyond."""
    exact = [[(Fraction(x), Fraction(y)) for x, y in part.vertices] for part in parts]
    boxes = [cm.bounds(part) for part in parts]
    return not any(
        max(a[0], b[0]) < min(a[2], b[2])
        and max(a[1], b[1]) < min(a[3], b[3])
        and not lies_beyond(exact[j], exact[i])
        and not lies_beyond(exact[i], exact[j])
        for i, a in enumerate(boxes)
        for j, b in enumerate(boxes[:i])
    )


def lies_beyond(points: Any, polygon: Any) -> bool:
    return any(
        all((bx - ax) * (y - ay) <= (by - ay) * (x - ax) for x, y in points)
        for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True)
    )


def check(outline: Any, holes: Any = ()) -> cm.Compound:
    """Hold the parts of a region against the region."""
    found = cm.decompose(outline, holes)
    given = {(float(x), float(y)) for ring in (outline, *holes) for x, y in ring}
    for part in found.parts:
        assert set(part.vertices) <= given
        assert [found.vertices[i] for i in part.vertex_ids] == list(part.vertices)
        assert is_strictly_convex(part.vertices)
    area = abs(exact_area(outline)) - sum(abs(exact_area(hole)) for hole in holes)
    assert sum(exact_area(part.vertices) for part in found.parts) == area
    assert found.area == pytest.approx(float(area), rel=1e-13)
    assert are_apart(found.parts)
    # Brought to about 1 by a shift and a power of two, for Shapely's sake.
    x, y = (min(v[axis] for v in given) for axis in (0, 1))
    unit = 2.0 ** math.frexp(max(max(v[0] - x, v[1] - y) for v in given))[1]

    def seen(points: Any) -> Any:
        return shapely.Polygon([((float(v[0]) - x) / unit, (float(v[1]) - y) / unit) for v in points])

    region = seen(outline).buffer(0).difference(shapely.union_all([seen(hole) for hole in holes]))
    outside = shapely.difference([seen(part.vertices) for part in found.parts], region)
    assert shapely.area(outside).max() <= 1e-12 * region.area
    return found


def turned(points: Any, c: float, s: float) -> Outline:
    return [(c * x - s * y, s * x + c * y) for x, y in points]


def star(count: int, seed: int) -> Outline:
    source = random.Random(seed)
    angles = [math.tau * k / count for k in range(count)]
    return [(r * math.cos(t), r * math.sin(t)) for t in angles for r in [0.2 + source.random()]]


def comb(teeth: int) -> Outline:
    return [(0, -1), (2 * teeth, -1), *[(k, 0 if k % 2 else 10) for k in range(2 * teeth, -1, -1)]]


def staircase(steps: int, height: float = 1.0) -> Outline:
    return [(0, 0), *[(k // 2 + k % 2, k // 2 * height) for k in range(1, 2 * steps)], (0, steps * height)]


def spiral(count: int) -> Outline:
    arm = [(t * math.cos(t), t * math.sin(t)) for t in (0.3 * k for k in range(10, count))]
    return arm + [(1.3 * x, 1.3 * y) for x, y in reversed(arm)]


OUTLINES = {
    "triangle": [(0, 0), (2, 0), (1, 1)],
    "arrow": [(0, 0), (4, -2), (3, 0), (4, 2)],
    "star": star(60, 1),
    "large star": star(150, 2),
    "comb": comb(20),
    "comb on its side": [(y, x) for x, y in comb(20)],
    "turned comb": turned(comb(40), math.cos(0.7), math.sin(0.7)),
    "staircase": staircase(30),
    "turned staircase": turned(staircase(30), 0.6, 0.8),
    "low steps": staircase(30, 2.0**-40),
    "spiral": spiral(90),
    "needle": [(0, 0), (1e9, 0), (1e9, 1), (5e8, 0.25), (0, 1)],
    "one ulp deep": [(1, 1), (2, 1), (2, 2), (1.5, 2 - 2.0**-52), (1, 2)],
    "one ulp high": [(0, 1), (1, 1), (2, 1 + 2.0**-52), (2, 1 + 2.0**-51), (1, 1 + 2.0**-52), (0, 1 + 2.0**-51)],
    "pinched": [(0, 0), (2, 0), (1, 1), (2, 2), (0, 2), (1, 1)],
    "hole through a slit": [*SQUARE, (0, 0), *INNER[::-1][3:], *INNER[::-1][:3], (1, 1)],
    "vertex on an edge": [(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)],
}


TOUCHING = ("pinched", "hole through a slit", "vertex on an edge")


def places() -> Any:
    """Yield each outline as it is, and where no digit is lost elsewhere."""
    for name, outline in OUTLINES.items():
        yield pytest.param(outline, id=name)
        yield pytest.param(outline[::-1], id=f"{name}, clockwise")
        for power in (-400, 400):
            yield pytest.param([(x * 2.0**power, y * 2.0**power) for x, y in outline], id=f"{name}, by 2**{power}")
        far = [(round(x * 1024) / 1024 + 1e7, round(y * 1024) / 1024 - 3e7) for x, y in outline]
        if name in TOUCHING or shapely.Polygon(far).is_valid:
            yield pytest.param(far, id=f"{name}, far")


@pytest.mark.parametrize("outline", list(places()))
def test_outlines_become_convex_parts(outline: Any) -> None:
    check(outline)


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triangulate, "triangulate_float64", None)


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize("name", [name for name in OUTLINES if name != "large star"])
def test_outlines_with_exact_steps_become_convex_parts(name: str) -> None:
    check(OUTLINES[name])


@pytest.mark.parametrize(
    ("holes", "parts"),
    [
        ([INNER], 4),
        ([INNER[::-1]], 4),
        ([[(0, 0), (2, 1), (1, 2)]], 3),  # touches the outline at a corner
        ([[(2, 0), (3, 2), (2, 3)]], 4),  # touches it on an edge
        ([[(1, 0), (3, 0), (3, 2), (1, 2)]], 3),  # shares part of an edge: a notch
        ([[(0, 0), (2, 0), (2, 2), (0, 2)]], 2),  # takes a corner away
        ([[(2, 0), (4, 2), (2, 4), (0, 2)]], 4),  # leaves four triangles
        ([[(1, 1), (2, 1), (2, 3), (1, 3)], [(2, 1), (3, 1), (3, 3), (2, 3)]], 4),  # two holes flush make one
        ([[(1, 1), (2, 1), (2, 2)], [(2, 2), (3, 2), (3, 3)], [(3, 3), (2, 3), (2, 2)]], None),  # three at one point
        ([[(1, 0), (3, 0), (3, 4), (1, 4)]], 2),  # cuts the outline in two
    ],
)
@pytest.mark.parametrize("c", [1, 3])
def test_holes_stay_empty(holes: Any, parts: int | None, c: int) -> None:
    s = 0 if c == 1 else 4  # times (3, 4): turned, and still exact
    found = check(turned(SQUARE, c, s), [turned(hole, c, s) for hole in holes])
    assert parts is None or len(found.parts) <= parts + 1
    assert len(found.holes) == len(holes)


def test_many_holes_stay_empty() -> None:
    cells = [(x, y) for x in range(8) for y in range(8)]
    holes = [[(x + 0.25, y + 0.25), (x + 0.75, y + 0.25), (x + 0.75, y + 0.75), (x + 0.25, y + 0.75)] for x, y in cells]
    check([(0, 0), (8, 0), (8, 8), (0, 8)], holes)
    chess = [
        [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in cells if 0 < x < 7 and 0 < y < 7 and (x + y) % 2
    ]
    assert len(check([(0, 0), (8, 0), (8, 8), (0, 8)], chess).holes) == 18


tiles = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30)


@given(tiles, st.sampled_from([(1, 0), (3, 4), (5, 12), (0, -1)]), st.sampled_from([(0, 0), (10**7, -3 * 10**7)]))
def test_rooms_made_of_tiles_become_convex_parts(cells: Any, turn: Any, offset: Any) -> None:
    union = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in cells])
    for region in shapely.get_parts(union):
        rings = [region.exterior, *region.interiors]
        outline, *holes = (
            [(x + offset[0], y + offset[1]) for x, y in turned(ring.coords[:-1], *turn)] for ring in rings
        )
        found = check(outline, holes)
        assert len(found.parts) <= len(found.vertices) + len(holes)


def uncrossed(points: Any) -> Any:
    """Return the points in the order of a short tour, which crosses itself nowhere (2-opt)."""
    tour, better = list(points), True
    while better:
        better = False
        for i in range(1, len(tour) - 1):
            for j in range(i + 1, len(tour)):
                a, b, c, d = tour[i - 1], tour[i], tour[j], tour[(j + 1) % len(tour)]
                if math.dist(a, c) + math.dist(b, d) < math.dist(a, b) + math.dist(c, d) - 1e-9:
                    tour[i : j + 1] = reversed(tour[i : j + 1])
                    better = True
    return tour


coarse = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
fine = st.tuples(st.floats(-1, 1), st.floats(-1, 1))


@given(st.lists(coarse, min_size=3, max_size=25, unique=True) | st.lists(fine, min_size=3, max_size=25, unique=True))
def test_random_outlines_become_convex_parts(points: Any) -> None:
    outline = uncrossed(points)
    assume(shapely.Polygon(outline).is_valid and max(abs(v) for p in points for v in p) > 1e-3)
    assume(not any(0.0 < abs(v) < 1e-140 for p in points for v in p))
    check(outline)


@given(st.lists(coarse, min_size=3, max_size=7), st.lists(coarse, min_size=3, max_size=4))
def test_any_input_is_right_or_refused(outline: Any, hole: Any) -> None:
    try:
        found = cm.decompose(outline, [hole])
    except ValueError:
        region, inner = shapely.Polygon(outline), shapely.Polygon(hole)
        good = region.is_valid and inner.is_valid and inner.area > 0 and region.covers(inner)
        assert not good or inner.equals(region)
    else:
        area = abs(exact_area(outline)) - abs(exact_area(hole))
        assert sum(exact_area(part.vertices) for part in found.parts) == area
        assert all(is_strictly_convex(part.vertices) for part in found.parts)


@pytest.mark.parametrize(
    ("outline", "holes", "text"),
    [
        (
            [(0, 0), (2, 2), (2, 0), (0, 2)],
            [],
            r"from outline\[0\] = \(0.0, 0.0\) to \[1\] .* crosses .* outline\[2\] .* \[3\]",
        ),
        (
            [(-2, 0), (0, 0), (2, 1), (2, -2), (1, -2), (0, 0), (-1, 2)],
            [],
            r"outline\[.* crosses .*outline\[.* at \(0.0, 0.0\)",
        ),
        ([(0, 0), (1, 0), (2, 0)], [], "outline has no area"),
        ([(0, 0), (2, 0), (2, 1), (2, 0)], [], "outline has no area"),
        ([], [], "outline must hold at least three distinct points, not 0"),
        ([(3, 3)], [], "outline must hold at least three distinct points, not 1; for one use Point"),
        ([(0, 0), (1, 1)], [], "outline must hold at least three distinct points, not 2; for two use Segment"),
        ([*SQUARE, (0, 0), *INNER, (1, 1)], [], r"goes round \(1.0, 1.0\) twice"),
        (SQUARE * 2, [], r"outline\[0\] .* runs along .*outline\[4\]"),
        (SQUARE, [INNER, [(5, 5), (6, 5), (6, 6)]], r"holes\[1\]\[0\] = \(5.0, 5.0\) is outside the outline"),
        (SQUARE, [[(1, 1), (6, 1), (3, 3)]], r"outline\[1\] .* crosses .* holes\[0\]\[\d\]"),
        (SQUARE, [[(0, 1), (-1, 2), (0, 3)]], r"holes\[0\]"),
        (SQUARE, [[(0, 0), (4, 0), (2, -3)]], r"holes\[0\]"),
        (SQUARE, [INNER, [(1.5, 1.5), (2, 1.5), (2, 2)]], r"holes\[1\]\[0\] = \(1.5, 1.5\) is inside holes\[0\]"),
        (SQUARE, [INNER, INNER], r"holes\[0\].* runs along .* holes\[1\]"),
        (SQUARE, [SQUARE], "leave nothing of the outline"),
        (SQUARE, [[(1, 1), (2, 2)]], r"holes\[0\] must hold at least three distinct points"),
        ([(0, 0), (math.inf, 0), (1, 1)], [], r"outline\[1\]\[0\] = inf must be finite"),
        ([(0, 0), (1, 0), (1, 1e-160), (0, 1)], [], "too small"),
    ],
)
def test_refusals_name_the_fault_and_its_place(outline: Any, holes: Any, text: str) -> None:
    with pytest.raises(ValueError, match=f"^decompose: .*{text}"):
        cm.decompose(outline, holes)


def test_wrong_types_are_refused() -> None:
    with pytest.raises(TypeError, match="holes = 3 must be a sequence of outlines"):
        cm.decompose(SQUARE, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"holes must be a list of outlines; give one hole as \[hole\]"):
        cm.decompose(SQUARE, INNER)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="outline = None"):
        cm.decompose(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="clean: outline = 'square'"):
        cm.clean("square")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"clean: outline has shape \(3, 3\)"):
        cm.clean(np.zeros((3, 3)))
    with pytest.raises(ValueError, match=r"Compound.translated: vector = .* moves the shape beyond 1e"):
        cm.decompose([(0, 0), (1e150, 0), (0, 1e150)]).translated((1e150, 0)).translated((1e150, 0))
    with pytest.raises(TypeError, match=r"Compound.rotated: angle = 'left'"):
        cm.decompose(SQUARE).rotated("left")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"Compound.mass: density = -1.0 must be positive"):
        cm.decompose(SQUARE).mass(-1.0)


def test_a_compound_is_a_value() -> None:
    one = cm.decompose(SQUARE, [INNER])
    assert one == cm.decompose(np.array(SQUARE), [np.array(INNER[::-1])[[3, 0, 1, 2]]])
    assert one != cm.decompose(SQUARE) and one != "a text" and len({one, cm.decompose(SQUARE, [INNER])}) == 1
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)).parts == one.parts
    with pytest.raises(AttributeError):
        one.parts = ()  # type: ignore[misc]
    assert one.outline == tuple(SQUARE) and one.holes == (tuple(INNER),)
    assert one.vertices == (*SQUARE, *INNER)
    assert one.position == one.centroid == (2.0, 2.0) and one.area == 12.0


@pytest.mark.parametrize("name", OUTLINES)
def test_mass_is_that_of_the_parts(name: str) -> None:
    region = cm.decompose(OUTLINES[name])
    seen = shapely.Polygon(OUTLINES[name])
    size = max(map(abs, shapely.bounds(seen)))
    if seen.is_valid:
        assert region.centroid == pytest.approx(seen.centroid.coords[0], abs=1e-12 * size)
    masses = [part.mass(3.0) for part in region.parts]
    inertia = math.fsum(m.inertia + m.mass * math.dist(m.center, region.position) ** 2 for m in masses)
    assert region.mass(3.0) == (pytest.approx(3 * region.area), region.position, pytest.approx(inertia, rel=1e-9))


@pytest.mark.parametrize("name", OUTLINES)
@pytest.mark.parametrize("vector", [(0.1, -0.3), (1e7 + 0.1, 3e15), (1e-20, 0.0)])
def test_parts_fit_after_a_move(name: str, vector: Any) -> None:
    here = cm.decompose(OUTLINES[name])
    there = here.translated(vector)
    assert eval(repr(there), {"decompose": cm.decompose}) == there
    shifts = set()
    for a, b in zip(here.parts, there.parts, strict=True):
        for (ax, ay), (bx, by) in zip(in_full(a), in_full(b), strict=True):
            shifts.add((bx - ax, by - ay))
    assert len(shifts) == 1, "all vertices of all parts have moved by one vector"
    assert there.area == here.area


@pytest.mark.parametrize("name", [name for name in OUTLINES if name not in (*TOUCHING, "needle", "large star")])
@pytest.mark.parametrize("offset", [(0, 0), (1e7, -3e7)])
def test_turned_parts_fit(name: str, offset: Any) -> None:
    here = cm.decompose(OUTLINES[name]).translated(offset)
    there = here.rotated(0.7, (3, 4))
    assert sum(exact_area(in_full(part)) for part in there.parts) == exact_area(there._local)
    assert there.area == pytest.approx(here.area, rel=1e-10 if "ulp" in name or "low" in name else 1e-12)
    assert here.rotated(math.pi / 2).area == pytest.approx(here.area, rel=1e-15)
    size = max(abs(v) for p in here.vertices for v in p) + 5.0
    assert np.allclose(there.rotated(-0.7, (3, 4)).vertices, here.vertices, rtol=0.0, atol=1e-14 * size)


def in_full(part: cm.Polygon) -> Any:
    """Return the vertices without rounding."""
    x, y = map(Fraction, part._origin())
    return [(x + Fraction(px), y + Fraction(py)) for px, py in part._points()]


def test_an_outline_too_thin_to_be_turned_is_refused() -> None:
    outline = cm.decompose(OUTLINES["vertex on an edge"])
    with pytest.raises(ValueError, match=r"^Compound.rotated: angle = 0.11: the outline is too thin to be turned"):
        outline.rotated(0.11)


@pytest.mark.parametrize("name", OUTLINES)
def test_volumes_hold_the_region(name: str) -> None:
    region = cm.decompose(OUTLINES[name]).translated((0.1, 0.7))
    around = cm.hull(region._local).translated(region._origin)
    assert cm.bounds(region) == cm.bounds(around)
    assert cm.bounding_circle(region).radius == pytest.approx(cm.bounding_circle(around).radius, rel=1e-14)
    assert cm.smallest_box(region).area == pytest.approx(cm.smallest_box(around).area, rel=1e-12)


@pytest.mark.parametrize(
    ("outline", "kept", "repeated", "straight", "spikes", "turned"),
    [
        (SQUARE, (0, 1, 2, 3), (), (), (), False),
        (SQUARE[::-1], (0, 3, 2, 1), (), (), (), True),
        ([*SQUARE, SQUARE[0]], (0, 1, 2, 3), (4,), (), (), False),
        ([SQUARE[0], *SQUARE, SQUARE[3], SQUARE[0]], (0, 2, 3, 4), (1, 5, 6), (), (), False),
        ([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4), (0, 2)], (0, 2, 3, 4), (), (1, 5), (), False),
        ([(2, 0), (4, 0), (4, 4), (0, 4), (0, 0)], (1, 2, 3, 4), (), (0,), (), False),
        ([(0, 0), (4, 0), (7, 0), (4, 0), (4, 4), (0, 4)], (0, 3, 4, 5), (), (1,), (2,), False),
        ([(0, 0), (4, 0), (4, 4), (9, 9), (4, 4), (0, 4)], (0, 1, 2, 5), (4,), (), (3,), False),
        ([(0, 0), (4, 0), (4, 6), (4, 4), (0, 4)], (0, 1, 3, 4), (), (), (2,), False),
        ([(-0.0, 0.0), (4, 0), (4, 4), (0.0, -0.0)], (0, 1, 2), (3,), (), (), False),
    ],
)
def test_cleaning_is_reported(outline: Any, kept: Any, repeated: Any, straight: Any, spikes: Any, turned: bool) -> None:
    found = cm.clean(outline)
    assert found[1:] == (kept, repeated, straight, spikes, turned)
    assert [tuple(map(float, outline[i])) for i in kept] == list(found.vertices)
    assert cm.clean(found.vertices)[1:] == (tuple(range(len(kept))), (), (), (), False)
    assert cm.decompose(outline).outline == found.vertices


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=10))
def test_cleaning_keeps_the_region(outline: Any) -> None:
    try:
        found = cm.clean(outline)
    except ValueError:
        return
    assert exact_area(found.vertices) == abs(exact_area(outline))
    rows = sorted(sum(found[1:5], ()))
    assert rows == list(range(len(outline))), "each row is kept or named once"


def test_clean_refuses_crossing_edges() -> None:
    with pytest.raises(ValueError, match=r"^clean: the edge from outline\[0\] .* crosses the edge from outline\[2\]"):
        cm.clean([(0, 0), (2, 2), (2, 0), (0, 2)])


def test_outlines_of_thousands_of_vertices_keep_their_area() -> None:
    outline = turned(comb(1000), 3, 4)
    found = cm.decompose(outline)
    assert sum(exact_area(part.vertices) for part in found.parts) == exact_area(outline)
    assert len(found.parts) <= 1500


def test_one_hole_in_place_of_a_list_of_holes_is_refused_with_the_remedy() -> None:
    square, hole = [(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 1), (2, 1), (2, 2)]
    for holes in (hole, np.array(hole), [np.array(point) for point in hole]):
        with pytest.raises(TypeError, match=r"decompose: holes must be a list of outlines; give one hole as \[hole\]"):
            cm.decompose(square, holes)  # type: ignore[arg-type]
    assert cm.decompose(square, [hole]).area == 15.5
