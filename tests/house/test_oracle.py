"""The oracle is itself held against closed forms worked out by hand, Shapely, and its own definition."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely

from carom.shapes.proxy import STADIUM
from carom.shapes.proxy_writers import make_proxy
from tests.support import oracle
from tests.support.oracle import Exact

HALF = Fraction(1, 2)


def shape(*points: tuple[float, float], radius: float | Fraction = 0) -> Exact:
    return Exact(tuple((Fraction(x), Fraction(y)) for x, y in points), Fraction(radius))


def box(x: float, y: float, width: float, height: float, radius: float | Fraction = 0) -> Exact:
    return shape((x, y), (x + width, y), (x + width, y + height), (x, y + height), radius=radius)


def drawn(s: Exact) -> shapely.Geometry:
    points = [(float(x), float(y)) for x, y in s.points]
    core = shapely.MultiPoint(points).convex_hull
    return core.buffer(float(s.radius), quad_segs=128) if s.radius else core


def random_shape(rng: np.random.Generator) -> Exact:
    count = int(rng.choice([1, 1, 2, 2, 4, 6]))
    center = rng.uniform(-3, 3, 2)
    points = [tuple(center + rng.uniform(-1, 1, 2)) for _ in range(count)]
    hull = oracle.convex_hull([(Fraction(float(x)), Fraction(float(y))) for x, y in points])
    return Exact(tuple(hull), Fraction(float(rng.choice([0, 0.25, 0.7]))))


def test_the_oracle_reads_a_record_exactly() -> None:
    far, tiny = 1e15, 2.0**-40
    record = make_proxy(STADIUM, (far, -far), [(0.0, 0.0), (tiny, 1.0)], 0.1)
    read = oracle.exact(record)
    assert read.points == (
        (Fraction(10**15), Fraction(-(10**15))),
        (10**15 + Fraction(1, 2**40), Fraction(1 - 10**15)),
    )
    assert read.radius == Fraction(0.1) != Fraction(1, 10)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (shape((0, 0), radius=1), shape((3, 4), radius=2), 2),  # 3-4-5
        (shape((0, 0), radius=2), shape((3, 4), radius=3), 0),
        (shape((0, 0), radius=3), shape((3, 4), radius=3), -1),
        (shape((1, 1), radius=3), shape((1, 1), radius=3), -6),  # coincident centres: out along any direction
        (shape((1, 1)), shape((1, 1)), 0),
        (box(0, 0, 2, 1), box(2, 0.5, 1, 1), 0),  # flush
        (box(0, 0, 2, 1), box(2, 1, 1, 1), 0),  # corner to corner
        (box(0, 0, 2, 1), box(5, 5, 1, 1), 5),  # corner to corner, 3-4-5
        (box(0, 0, 2, 1), box(1.75, -5, 9, 9), -0.25),
        (box(0, 0, 8, 8), box(1, 2, 1, 1), -2),  # one inside the other: out through the nearest side
        (box(0, 0, 8, 8, HALF), box(1, 2, 1, 1, HALF), -3),
        (shape((0, 0), (4, 0)), shape((2, 0), (9, 0)), 0),  # segments on one line
        (shape((0, 0), (4, 0)), shape((2, -1), (2, 1)), -1),  # segments crossing: a side of the parallelogram
        (shape((0, 0), (4, 0)), shape((4, 0), (4, 3)), 0),  # end to end
        (shape((0, 0), (4, 0)), shape((2, 0)), 0),  # a point on a segment
        (shape((0, 0), (4, 0), radius=1), shape((2, 0), radius=HALF), -1.5),
        (box(0, 0, 2, 2), shape((1, 1.5)), -0.5),
        (box(0, 0, 2, 2), shape((1, 2)), 0),
        (box(0, 0, 2, 2), shape((5, 6), radius=5), 0),
        (box(0, 0, 2, 2), shape((3, 1), radius=2), -1),
    ],
)
def test_separation_is_that_computed_by_hand(a: Exact, b: Exact, expected: float) -> None:
    assert oracle.separation(a, b) == oracle.separation(b, a) == Fraction(expected)
    assert oracle.sign(a, b) == oracle.sign(b, a) == (expected > 0) - (expected < 0)


def test_irrational_distances_have_forty_digits() -> None:
    found = oracle.separation(shape((0, 0)), shape((1, 1)))
    assert abs(found * found - 2) < Fraction(1, 10**44)
    near = oracle.separation(shape((0, 0), radius=math.sqrt(2)), shape((1, 1)))  # cancels all but the rounding error
    assert near < 0
    assert abs((near + Fraction(math.sqrt(2))) ** 2 - 2) < Fraction(1, 10**44)


def test_the_oracle_sees_one_ulp_either_way() -> None:
    a, still = shape((0, 0), radius=2), shape((3, 4), radius=3)
    for other, expected in ((math.nextafter(3, 9), 1), (math.nextafter(3, 0), -1)):
        assert oracle.sign(a, still._replace(points=((Fraction(other), Fraction(4)),))) == expected


def test_random_separations_are_those_of_shapely() -> None:
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(400):
        a, b = random_shape(rng), random_shape(rng)
        mine, theirs = float(oracle.separation(a, b)), shapely.distance(drawn(a), drawn(b))
        assert max(mine, 0.0) == pytest.approx(theirs, abs=1e-4)  # Shapely's arcs are chords
        seen.add(mine > 0)
        n = oracle.normal(a, b)
        if n is not None:
            assert float(oracle.gap(a, b, n)) == pytest.approx(mine, abs=1e-12)
    assert seen == {True, False}


def test_depth_is_the_shortest_way_out() -> None:
    rng = np.random.default_rng(2)
    turns = np.linspace(0, 2 * math.pi, 2881)
    checked = 0
    while checked < 60:
        a, b = random_shape(rng), random_shape(rng)
        depth = -float(oracle.separation(a, b))
        if depth <= 0:
            continue
        gaps = [float(oracle.gap(a, b, (math.cos(t), math.sin(t)))) for t in turns[::8]]
        assert max(gaps) <= -depth + 1e-12  # no direction leads out sooner
        best = max(gaps)
        assert best == pytest.approx(-depth, abs=0.1)
        checked += 1


def test_bounds_and_size_are_exact() -> None:
    capsule = shape((0, 0), (3, 1), radius=HALF)
    assert oracle.bounds(capsule) == (-HALF, -HALF, 3 + HALF, 1 + HALF)
    assert oracle.size(capsule, shape((7, 7))) == 6.0
    assert oracle.largest_coordinate(capsule, shape((-7, 2))) == 7.0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (box(0, 0, 2, 2), shape((2, 2)), True),
        (box(0, 0, 2, 2), shape((2, math.nextafter(2, 3))), False),
        (box(0, 0, 2, 2), box(0, 0, 2, 2), True),
        (box(0, 0, 2, 2), shape((1, 1), radius=1), True),
        (box(0, 0, 2, 2), shape((1, 1), radius=math.nextafter(1, 2)), False),
        (shape((0, 0), radius=5), shape((3, 4)), True),
        (shape((0, 0), radius=5), box(-3, -4, 6, 8), True),
        (shape((0, 0), radius=5), box(-3, -4, 6, math.nextafter(8, 9)), False),
        (shape((0, 0), radius=6), shape((3, 4), radius=1), True),
        (shape((0, 0), radius=1), shape((0, 0), radius=2), False),
        (shape((0, 0), (4, 0)), shape((1, 0), (4, 0)), True),
        (shape((0, 0), (4, 0)), shape((1, 0), radius=HALF), False),
        (shape((0, 0), (4, 0), radius=1), shape((0, 0), (4, 0), radius=1), True),
        (box(0, 0, 9, 9, radius=1), shape((2, 2), radius=3), True),  # reaches the side that radius 1 moved outward
        (box(0, 0, 9, 9, radius=1), shape((1.5, 2), radius=3), False),
        (box(0, 0, 2, 2), box(9, 9, 1, 1), False),
    ],
)
def test_containment_is_that_computed_by_hand(a: Exact, b: Exact, expected: bool) -> None:
    assert oracle.contains(a, b) is expected


def test_random_containment_is_that_of_shapely() -> None:
    rng = np.random.default_rng(3)
    seen = {True: 0, False: 0}
    for _ in range(900):
        a, b = random_shape(rng), random_shape(rng)
        b = Exact(tuple((x / 4 + a.points[0][0], y / 4 + a.points[0][1]) for x, y in b.points), b.radius / 4)
        big, small = drawn(a), drawn(b)
        if (big.area == 0.0) or shapely.distance(big.boundary, small) < 1e-3 or shapely.intersects(big.boundary, small):
            continue
        assert oracle.contains(a, b) == shapely.contains(big, small)
        seen[oracle.contains(a, b)] += 1
    assert min(seen.values()) > 50


@pytest.mark.parametrize(
    ("a", "b", "path", "expected"),
    [
        (shape((0, 0)), box(2, -1, 2, 2), (8, 0), Fraction(1, 4)),
        (shape((0, 0)), box(2, 0, 2, 2), (8, 0), Fraction(1, 4)),  # along the face: a closed set
        (shape((0, 0)), box(2, math.ulp(0.0), 2, 2), (8, 0), None),
        (shape((0, 0)), box(2, -1, 2, 2), (2, 0), Fraction(1)),  # ends in touch
        (shape((0, 0)), box(2, -1, 2, 2), (math.nextafter(2, 0), 0), None),
        (shape((0, 0)), box(2, -1, 2, 2), (-8, 0), None),
        (shape((0, 0)), box(2, -1, 2, 2), (0, 0), None),
        (shape((0, 0), radius=1), shape((3, 4), radius=1), (9, 12), Fraction(1, 5)),
        (shape((0, 0), radius=1), shape((5, 2), radius=1), (10, 0), Fraction(1, 2)),  # grazes at the side
        (shape((0, 0), radius=1), shape((5, math.nextafter(2, 3)), radius=1), (10, 0), None),
        (shape((0, 0)), shape((2, -1), (2, 1)), (4, 0), Fraction(1, 2)),
        (shape((0, 0)), shape((2, 0), (3, 0)), (4, 0), Fraction(1, 2)),  # a segment end on
        (shape((0, 0)), shape((2, 0)), (4, 0), Fraction(1, 2)),
        (shape((0, 0)), shape((2, 1), (3, 5)), (4, 2), Fraction(1, 2)),
        (box(0, 0, 1, 1), box(3, 1, 1, 1), (4, 0), Fraction(1, 2)),  # grazes corner to corner
        (shape((0, 0)), box(4, -5, 2, 3, radius=2), (10, 0), Fraction(2, 5)),  # grazes where arc and side meet
    ],
)
def test_first_touch_is_that_computed_by_hand(
    a: Exact, b: Exact, path: tuple[float, float], expected: Fraction | None
) -> None:
    found = oracle.first_touch(a, b, path)
    assert oracle.path_hits(a, b, path) == (found is not None)
    assert found == expected


def test_first_touch_on_a_corner_arc_is_exact() -> None:
    found = oracle.first_touch(box(0, 0, 1, 1), box(3, 3, 1, 1, radius=1), (5, 5))
    assert found is not None
    assert abs((2 - 5 * found) ** 2 * 2 - 1) < Fraction(1, 10**40)


def test_first_touch_is_the_first_and_is_a_touch() -> None:
    rng = np.random.default_rng(4)
    hits = misses = 0
    while hits < 60 or misses < 30:
        a, b = random_shape(rng), random_shape(rng)
        path = tuple(rng.uniform(-8, 8, 2))
        if oracle.sign(a, b) <= 0:
            continue
        t = oracle.first_touch(a, b, path)
        along = [i / 16 for i in range(17)]
        gaps = [float(oracle.separation(oracle.shifted(a, path, s), b)) for s in along]
        if t is None:
            misses += 1
            assert min(gaps) > 0
            continue
        hits += 1
        assert abs(oracle.separation(oracle.shifted(a, path, t), b)) < Fraction(1, 10**38)
        assert all(g > 0 for s, g in zip(along, gaps, strict=True) if s < t)
        before = [g for s, g in zip(along, gaps, strict=True) if s < t]
        assert all(later <= sooner + 1e-12 for sooner, later in pairwise(before))
        grown, shrunk = (oracle.first_touch(a, b, path, by) for by in (1e-9, -1e-9))
        assert grown is not None
        assert grown < t
        assert shrunk is None or shrunk > t


def test_an_inset_polygon_stops_the_path_deeper() -> None:
    start, target = shape((0, 0)), box(2, -1, 2, 2)
    for depth in (HALF, Fraction(1)):
        assert oracle.first_touch(start, target, (8, 0), -depth) == (2 + depth) / 8
    assert oracle.first_touch(start, target, (8, 0), Fraction(-3, 2)) is None
    rounded = box(2, -1, 2, 2, radius=1)
    assert oracle.first_touch(start, rounded, (8, 0), -HALF) == Fraction(3, 16)
    assert oracle.first_touch(start, rounded, (8, 0), Fraction(-3, 2)) == Fraction(5, 16)
