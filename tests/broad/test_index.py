"""An index answers as if every query had asked every shape: to the last bit, in the promised order, after any changes.

Compared with the row verbs, which have tests of their own against exact arithmetic, and with Shapely.
"""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import shapely
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from numpy.typing import NDArray

import carom as cm

Array = NDArray[Any]
HIT_FIELDS = ("fraction", "distance", "point", "normal", "overlapping")


def mixed(rng: np.random.Generator, count: int, spread: float, least: float, most: float, offset: float) -> cm.Shapes:
    """Return shapes of all kinds around the offset, their sizes spread evenly over the orders of magnitude."""
    made: list[cm.Shape] = []
    while len(made) < count:
        x, y = rng.uniform(-spread, spread, 2) + offset
        size = float(np.exp(rng.uniform(math.log(least), math.log(most))))
        end = (x + rng.normal(0, size), y + rng.normal(0, size))
        kinds = (
            lambda: cm.Circle((x, y), size),  # noqa: B023
            lambda: cm.Box((x, y), (size, size * rng.uniform(0.1, 1))),  # noqa: B023
            lambda: cm.Box((x, y), (size, size * rng.uniform(0.1, 1)), angle=rng.uniform(-3, 3)),  # noqa: B023
            lambda: cm.Segment((x, y), end),  # noqa: B023
            lambda: cm.Capsule((x, y), end, size / 3),  # noqa: B023
            lambda: cm.Point((x, y)),  # noqa: B023
            lambda: cm.hull(np.array((x, y)) + rng.normal(0, size, (6, 2))),  # noqa: B023
        )
        try:
            made.append(kinds[rng.integers(len(kinds))]())
        except ValueError:  # lost to rounding so far out
            continue
    return cm.Shapes(made)


def row(columns: Any, k: Any, fields: tuple[str, ...]) -> list[Array]:
    return [np.asarray(getattr(columns, field))[k] for field in fields]


def same(a: list[Array], b: list[Array]) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def check_all(shapes: cm.Shapes, queries: cm.Shapes, origins: Array, motions: Array, threads: int = 1) -> None:
    """Ask everything, and compare each answer with that of asking every shape."""
    n, index = len(shapes), cm.Index(shapes)
    within = 0.01 * float(np.abs(motions).max(initial=1.0))
    found, near = index.query(queries, threads=threads), index.query(queries, within=within, threads=threads)
    inner = index.query(queries, touching=False, threads=threads)
    nearest = index.nearest(queries, k=3, threads=threads)
    cast = index.cast(queries, motions[: len(queries)], threads=threads)
    for q in range(len(queries)):
        one = queries[np.full(n, q)]
        distance = cm.distance(one, shapes)
        own = slice(found.offsets[q], found.offsets[q + 1])
        assert np.array_equal(found.rows[own], np.flatnonzero(cm.intersects(one, shapes)))
        own = slice(inner.offsets[q], inner.offsets[q + 1])
        assert np.array_equal(inner.rows[own], np.flatnonzero(cm.intersects(one, shapes, touching=False)))
        own = slice(near.offsets[q], near.offsets[q + 1])
        assert np.array_equal(near.rows[own], np.flatnonzero(distance <= within))
        order = np.lexsort((np.arange(n), distance))[:3]
        assert np.array_equal(nearest.rows[q], [*order, -1, -1, -1][:3])
        assert np.array_equal(nearest.distances[q], [*distance[order], *[math.inf] * 3][:3])
        hits = cm.cast(one, shapes, np.tile(motions[q], (n, 1)))
        fields = ("hit", "fraction", "point", "normal", "overlapping")
        first = np.lexsort((np.arange(n), hits.fraction))[:1]
        expected = row(hits, first[0], fields) if n else [np.array(v) for v in (False, math.inf, (0, 0), (0, 0), False)]
        assert same(row(cast, q, fields), expected)
        assert cast.row[q] == (first[0] if n and hits.hit[first[0]] else -1)
    for method in ("grid", "tree"):
        other = cm.Index(shapes, method=method)
        assert same(list(other.raycast(origins, motions)), list(index.raycast(origins, motions)))
    rays, every = index.raycast(origins, motions, threads=threads), index.raycast_all(origins, motions, threads=threads)
    for q in range(len(origins)):
        hits = cm.raycast(np.tile(origins[q], (n, 1)), np.tile(motions[q], (n, 1)), shapes)
        order = np.lexsort((np.arange(n), hits.fraction))
        order = order[hits.hit[order]]
        own = slice(every.offsets[q], every.offsets[q + 1])
        assert np.array_equal(every.row[own], order)
        assert same(row(every, own, HIT_FIELDS), row(hits, order, HIT_FIELDS))
        if order.size:
            assert rays.row[q] == order[0]
            assert same(row(rays, q, HIT_FIELDS), row(hits, order[0], HIT_FIELDS))
        else:
            assert not rays.hit[q]
            assert rays.row[q] == -1
            assert rays.fraction[q] == rays.distance[q] == math.inf
            assert not rays.point[q].any()


SCENES = {
    "even": (10, 0.1, 1, 0),
    "six decades": (10, 1e-3, 1e3, 0),
    "one spot": (1e-3, 1, 1.001, 0),
    "tiny": (1e-9, 1e-10, 1e-9, 0),
    "vast": (1e9, 1, 1e9, 0),
    "far": (10, 0.1, 1, 1e7),
    "farther": (50, 4, 16, 1e15),
    "1e140": (1e140, 1e130, 1e140, 0),
    "1e-140": (1e-140, 1e-142, 1e-140, 0),
}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("count", [0, 1, 2, 9, 150])
def test_answers_are_those_of_the_verbs(scene: str, count: int) -> None:
    spread, least, most, offset = SCENES[scene]
    rng = np.random.default_rng(count)
    shapes, queries = (mixed(rng, k, spread, least, most, offset) for k in (count, 10))
    origins, motions = rng.uniform(-spread, spread, (14, 2)) + offset, rng.normal(0, spread, (14, 2))
    motions[0], motions[1, 0], motions[2, 1] = 0.0, 0.0, 0.0
    motions[3] *= 1e6 if spread < 1e100 else 1.0
    check_all(shapes, queries, origins, motions)


@pytest.mark.parametrize("offset", [0.0, 0.1, 1e7])
def test_flush_tiles_are_decided_exactly(offset: float) -> None:
    rng = np.random.default_rng(3)
    at = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), -1).reshape(-1, 2) + offset
    tiles, circles = cm.Shapes.boxes(at, np.ones_like(at)), cm.Shapes.circles(at, 0.5)
    origins, motions = rng.integers(-3, 20, (40, 2)) / 2 + offset, rng.integers(-20, 20, (40, 2)) / 2
    queries = cm.Shapes.boxes(rng.integers(0, 18, (15, 2)) / 2 + offset, rng.integers(1, 4, (15, 2)))
    check_all(tiles, queries, origins, motions)
    check_all(cm.Shapes.concatenate([circles, tiles, circles]), cm.Shapes.points(origins[:15]), origins, motions)


def test_rows_stay_in_order_where_rounding_hides_gaps() -> None:
    rng = np.random.default_rng(7)
    turns = rng.uniform(0, 2 * math.pi, 400)
    around = 2.0 * np.column_stack((np.cos(turns), np.sin(turns)))
    apart = [Fraction(x) ** 2 + Fraction(y) ** 2 > 4 for x, y in around.tolist()]
    for overlapping in range(20, 36):  # so that lists of all lengths about that of a short one come about
        centers = np.concatenate((around[apart][:12], rng.uniform(-1, 1, (overlapping, 2))))
        shapes = cm.Shapes.circles(rng.permutation(centers), 1.0)
        disc = cm.Circle((0, 0), 1)
        assert np.array_equal(cm.Index(shapes).query(disc), np.flatnonzero(cm.intersects(disc, shapes)))


def test_needles_and_outliers_give_the_answers_of_the_verbs() -> None:
    rng = np.random.default_rng(4)
    at, angles = rng.uniform(-5, 5, (120, 2)), rng.uniform(0, 3, 120)
    along = np.stack((np.cos(angles), np.sin(angles)), 1)
    needles = cm.Shapes.polygons(np.stack((at, at + along, at + 0.5 * along + 1e-9 * along[:, ::-1] * (-1, 1)), 1))
    others = cm.Shapes([cm.Circle((1e9, -1e9), 1), cm.Circle((0, 0), 1e8), cm.Box((-1e9, 0), (1, 1e9))])
    shapes = cm.Shapes.concatenate([needles, others])
    origins = np.concatenate((at[:20] - along[:20], rng.uniform(-9, 9, (20, 2))))
    motions = np.concatenate((3 * along[:20], rng.normal(0, 30, (20, 2))))
    check_all(needles, needles[:20].translated((1e-9, 0)), origins, motions)
    check_all(shapes, needles[:20].translated((1e-9, 0)), origins, motions)


@pytest.mark.parametrize("width", [1e-16, 1e-14, 1e-12, 1e-9])
def test_a_disc_before_the_tip_of_a_needle_is_hit_before_the_needle(width: float) -> None:
    # Where the path nearly runs along an edge, rounding puts the hit far before the tip of the needle: before its box
    # even, were it not held back to that. There stand discs.
    rng = np.random.default_rng(15)
    for offset in (0.0, 1.0, 1e7):
        angle = rng.uniform(0, 6.3)
        along = np.array((math.cos(angle), math.sin(angle)))
        across = along[::-1] * (-1, 1)
        made: list[cm.Shape] = []
        for size in 10.0 ** rng.uniform(-1, 3, 12):
            tip = offset + rng.normal(0, 1, 2) * size * 10.0 ** rng.uniform(-16, -8)
            try:
                made.append(
                    cm.Polygon((tip, tip + size * (along + width * across), tip + size * rng.uniform() * along))
                )
            except ValueError:  # lost to rounding
                made.append(cm.Segment(tip, tip + size * along))
        needles = cm.Shapes(made)
        origins = offset - along * 10.0 ** rng.uniform(0, 4, (40, 1)) + rng.normal(0, 1e-9, (40, 2))
        ends = offset + rng.normal(0, 1, (40, 2)) * 10.0 ** rng.uniform(-16, -6, (40, 1))
        motions = (ends - origins) * 10.0 ** rng.uniform(0, 2, (40, 1))
        before = offset - along * 10.0 ** rng.uniform(-9, 0, (30, 1))
        discs = cm.Shapes.circles(before, np.abs(before - offset).max(axis=1) / 8)
        for shapes in (cm.Shapes.concatenate([discs, needles]), cm.Shapes.concatenate([needles, discs])):
            check_all(shapes, discs[:10].translated(-9 * along), origins, motions)


FOUND_EARLY = [  # a needle, an origin, a motion: rounding puts the hit between the origin and the needle's box
    (
        [(-0.575795335854515, 0.7817359095382271), (-0.3454772015127094, 0.4690415457229362),
         (3.495452855955783e-16, 5.931313274289033e-16), (-0.17273860075635397, 0.23452077286146877)],
        (1.1195003450706513, -1.5199039762781854), (-47.07160697605762, 63.907369861684906),
    ),
    (
        [(-17.903622275656495, 213.918055748899), (-9.961060608658414, 119.01785492190437),
         (-1.426375967087165e-15, -1.1763880115784748e-12)],
        (2068.6881745082974, -24717.330684493943), (-816351.8172288036, 9754025.797594158),
    ),
    (
        [(10000000.0, 10000000.0), (10000128.377192473, 9999878.331194708), (10000256.754384948, 9999756.662389416)],
        (9915572.07237156, 10080016.121944474), (57011635.279081315, -54032475.851132035),
    ),
    (
        [(9999785.32746387, 10000145.159594089), (9999999.999999994, 10000000.00000001),
         (9999892.663731933, 10000072.57979705)],
        (9997801.232746324, 10001486.786189722), (1984.0947175472975, -1341.6265956331044),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("points", "origin", "motion"), FOUND_EARLY)
def test_no_hit_lies_before_the_bounds_of_its_target(points: Any, origin: Any, motion: Any) -> None:
    needle = cm.Polygon(points)
    hit = cm.raycast(origin, motion, needle)
    assert hit is not None
    low, high = np.array(points).min(axis=0), np.array(points).max(axis=0)
    near = [Fraction(o) + Fraction(hit.fraction) * Fraction(m) for o, m in zip(origin, motion, strict=True)]
    size, largest = (high - low).max(), np.abs(points).max()
    room = 2.0**-18 * size + 2.0**-45 * largest
    assert all(low[k] - room <= near[k] <= high[k] + room for k in range(2))
    # A disc in front of it is met first, whichever row it is.
    disc = cm.Circle(np.array(origin) + (hit.fraction - 1e-7) * np.array(motion), 1e-9 * size + 2.0**-45 * largest)
    fraction = cm.raycast(origin, motion, disc).fraction
    for row, shapes in enumerate(([disc, needle], [needle, disc])):
        found = cm.Index(shapes).raycast(origin, motion)
        assert (found.row, found.fraction) == ((row, fraction) if fraction < hit.fraction else (1 - row, hit.fraction))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(60))
def test_answers_are_those_of_the_verbs_many_times(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    spread, least, most, offset = SCENES[list(SCENES)[seed % len(SCENES)]]
    shapes, queries = (mixed(rng, k, spread, least, most, offset) for k in (1500, 120))
    origins, motions = rng.uniform(-spread, spread, (400, 2)) + offset, rng.normal(0, spread, (400, 2))
    check_all(shapes, queries, origins, motions)


def test_tiny_motions_give_the_hits_of_the_verbs() -> None:
    """Rays too short for their squares are scaled up: by an index as by the verbs."""
    rng = np.random.default_rng(7)
    discs = cm.Shapes.circles(rng.uniform(-1e-137, 1e-137, (40, 2)), 10.0 ** rng.uniform(-146, -138, 40))
    origins = rng.uniform(-1e-137, 1e-137, (200, 2))
    aims = discs.positions[rng.integers(40, size=200)] + discs.radii.mean() * rng.uniform(-1, 1, (200, 2))
    check_all(discs, discs[:8], origins, (aims - origins) * rng.choice([0.5, 1.0, 2.0], (200, 1)))


def test_regions_and_neighbours_are_those_of_shapely() -> None:
    rng = np.random.default_rng(5)
    lower = rng.uniform(0, 100, (3000, 2))
    upper = lower + rng.uniform(0.1, 3, (3000, 2))
    boxes = shapely.box(*lower.T, *upper.T)
    shapes = cm.Shapes([cm.Box.from_corners(low, high) for low, high in zip(lower, upper, strict=True)])
    index, tree = cm.Index(shapes), shapely.STRtree(boxes)
    points = rng.uniform(0, 100, (500, 2))
    found = index.contains(points)
    theirs = tree.query(shapely.points(points), predicate="intersects")
    assert np.array_equal(found.rows, theirs[1][np.lexsort(theirs[::-1])])
    assert np.array_equal(np.diff(found.offsets), np.bincount(theirs[0], minlength=500))
    pairs = index.query(shapes)
    theirs = tree.query(boxes, predicate="intersects")
    assert np.array_equal(pairs.rows, theirs[1][np.lexsort(theirs[::-1])])
    (which, rows), distances = tree.query_nearest(shapely.points(points), return_distance=True, all_matches=False)
    ours = index.nearest(points)
    assert np.array_equal(which, np.arange(500))
    assert ours.distances[:, 0] == pytest.approx(distances, rel=1e-12)
    apart = distances > 0
    assert np.array_equal(ours.rows[apart, 0], rows[apart])


def test_nearest_gives_k_rows_within_a_limit() -> None:
    rng = np.random.default_rng(6)
    points, queries = rng.uniform(0, 10, (400, 2)), rng.uniform(0, 10, (30, 2))
    index = cm.Index(cm.Shapes.points(points))
    for k, within in ((1, 0.3), (7, math.inf), (50, 1.5), (500, math.inf)):
        found = index.nearest(queries, k=k, within=within)
        assert found.rows.shape == found.distances.shape == (30, k)
        for q in range(30):
            distance = cm.distance(cm.Shapes.points(points), cm.Point(queries[q]))
            order = np.argsort(distance, kind="stable")
            order = order[distance[order] <= within][:k]
            assert np.array_equal(found.rows[q], np.append(order, np.full(k - order.size, -1)))
            assert np.array_equal(found.distances[q], np.append(distance[order], np.full(k - order.size, math.inf)))


def test_one_query_gives_its_own_answer_alone() -> None:
    shapes = cm.Shapes([cm.Circle((0, 0), 1), cm.Box((5, 0), (2, 2)), cm.Circle((5, 0), 3)])
    index = cm.Index(shapes)
    assert index.query(cm.Circle((3, 0), 1)).tolist() == [1, 2]
    assert index.contains((5, 0)).tolist() == [1, 2]
    hit = index.raycast((-3, 0), (20, 0))
    assert hit == cm.raycast((-3, 0), (20, 0), shapes[0])
    assert (hit.row, hit.shape) == (0, shapes[0])
    assert index.raycast((-3, 0), (0, 9)) is None
    assert index.raycast((-3, 0), (20, 0), ignore=0).row == 2
    assert index.raycast((-3, 0), (20, 0), ignore=[0, 2]).row == 1
    moved = index.cast(cm.Circle((-9, 0), 1), (20, 0), ignore=0)
    assert moved == cm.cast(cm.Circle((-9, 0), 1), shapes[2], (20, 0))
    assert moved.row == 2
    assert index.cast(cm.Circle((-9, 0), 1), (0, 20)) is None
    near = index.nearest((1, 2), k=2)
    assert near.rows.tolist() == [0, 2]
    assert near.distances.tolist() == [cm.distance(cm.Point((1, 2)), shapes[k]) for k in (0, 2)]
    every = index.raycast_all((-3, 0), (20, 0))
    assert every.row.tolist() == [0, 2, 1]
    assert every.offsets.tolist() == [0, 3]


def test_queries_see_masked_layers_but_no_ignored_rows() -> None:
    rng = np.random.default_rng(7)
    shapes = mixed(rng, 300, 5, 0.1, 1, 0)
    layers = rng.integers(0, 8, 300)
    layers[:5] = np.int64(-(2**63))
    index = cm.Index(shapes, layer=layers)
    origins, motions = rng.uniform(-5, 5, (60, 2)), rng.normal(0, 5, (60, 2))
    masks = rng.integers(0, 8, 60)
    masks[0] = np.int64(-(2**63))
    ignore = rng.integers(-1, 300, (60, 4))
    rays = index.raycast(origins, motions, mask=masks, ignore=ignore)
    found = index.query(cm.Shapes.circles(origins, 1), mask=masks, ignore=ignore)
    near = index.nearest(origins, k=2, mask=masks, ignore=ignore)
    for q in range(60):
        seen = np.flatnonzero(((layers & masks[q]) != 0) & ~np.isin(np.arange(300), ignore[q]))
        own = found.rows[found.offsets[q] : found.offsets[q + 1]]
        assert np.array_equal(own, seen[cm.intersects(shapes[seen], cm.Circle(origins[q], 1))] if seen.size else [])
        if not seen.size:
            assert rays.row[q] == near.rows[q, 0] == -1
            continue
        hits = cm.raycast(origins[q], motions[q], shapes[seen])
        first = np.argmin(hits.fraction)
        assert rays.fraction[q] == hits.fraction[first]
        assert rays.row[q] == (seen[first] if hits.hit[first] else -1)
        order = np.argsort(cm.distance(shapes[seen], cm.Point(origins[q])), kind="stable")[:2]
        assert np.array_equal(near.rows[q, : order.size], seen[order])
    top = np.uint64(2**63)
    assert cm.Index(shapes, layer=np.full(300, top)).query(shapes[0], mask=top).size > 0


def test_answers_do_not_depend_on_threads() -> None:
    rng = np.random.default_rng(8)
    index = cm.Index(mixed(rng, 500, 5, 0.1, 1, 0))
    origins, motions = rng.uniform(-5, 5, (9000, 2)), rng.normal(0, 5, (9000, 2))
    discs = cm.Shapes.circles(origins, 0.1)
    for ask in (
        lambda threads: index.raycast(origins, motions, threads=threads),
        lambda threads: index.raycast_all(origins, motions, threads=threads),
        lambda threads: index.cast(discs, motions, threads=threads),
        lambda threads: index.query(discs, threads=threads),
        lambda threads: index.nearest(discs, k=2, threads=threads),
    ):
        one = ask(1)
        for threads in (2, 3):
            assert same(list(map(np.asarray, one)), list(map(np.asarray, ask(threads))))


def test_pairs_and_contacts_are_those_of_the_rows_in_use() -> None:
    rng = np.random.default_rng(12)
    shapes, layers = mixed(rng, 200, 5, 0.1, 1, 0), rng.integers(1, 4, 200)
    layers[7] = np.int64(-(2**63))
    index = cm.Index(shapes, layer=layers, mask=3)
    index.remove([3, 150])
    index.update([10], cm.Circle((0, 0), 3))
    rows, now = index.rows, index.shapes
    assert np.array_equal(index.pairs(), rows[cm.pairs(now, layer=layers[rows].view(np.uint64), mask=3)])
    assert np.array_equal(
        index.pairs(within=0.2).tolist(), rows[cm.pairs(now, within=0.2, layer=layers[rows].view(np.uint64), mask=3)]
    )
    found, expected = index.contacts(), cm.contacts(now, layer=layers[rows].view(np.uint64), mask=3)
    assert np.array_equal(found.pairs, rows[expected.pairs])
    assert same(list(map(np.asarray, found[1:])), list(map(np.asarray, expected[1:])))


def test_turning_casts_are_those_of_the_verb() -> None:
    rng = np.random.default_rng(13)
    shapes, movers = mixed(rng, 120, 5, 0.1, 1, 0), mixed(rng, 25, 5, 0.1, 1, 0)
    motions, turns, pivots = rng.normal(0, 4, (25, 2)), rng.normal(0, 2, 25), rng.uniform(-5, 5, (25, 2))
    turns[0] = 0.0
    index = cm.Index(shapes)
    for about in (None, pivots):
        found = index.cast(movers, motions, turns, about)
        for q in range(25):
            one, pivot = movers[np.full(120, q)], None if about is None else about[q]
            hits = cm.cast(one, shapes, np.tile(motions[q], (120, 1)), rotation=turns[q], pivot=pivot)
            first = np.lexsort((np.arange(120), hits.fraction))[0]
            fields = ("hit", "fraction", "point", "normal", "overlapping")
            assert same(row(found, q, fields), row(hits, first, fields))
            assert found.row[q] == (first if hits.hit[first] else -1)
    hit = index.cast(movers[1], motions[1], 1.5, (0, 0), ignore=[5])
    assert hit is None or hit == cm.cast(movers[1], shapes[hit.row], motions[1], rotation=1.5, pivot=(0, 0))


def test_shapes_in_one_spot_give_the_answers_of_the_verbs() -> None:
    many = cm.Shapes.repeat(cm.Circle((1, 1), 1), 3000)
    index = cm.Index(many)
    assert index.raycast((-2, 1), (9, 0)).row == 0
    assert index.nearest((1, 1), k=3).rows.tolist() == [0, 1, 2]
    assert index.nearest((5, 1), k=3).rows.tolist() == [0, 1, 2]
    assert index.query(cm.Point((2, 1))).size == 3000
    assert index.raycast_all([(-2, 1), (1, 1)], [(9, 0), (1, 0)]).offsets.tolist() == [0, 3000, 6000]


def crowd(rng: np.random.Generator, kind: str, count: int) -> cm.Shapes:
    """Return shapes that all lie in one spot: boxes tell next to nothing of which is met first, or nearest."""
    at, sizes = rng.uniform(-0.01, 0.01, (count, 2)), rng.uniform(0.9, 1.1, count)
    angles = rng.uniform(0, 3, count)
    if kind == "circles":
        return cm.Shapes.circles(at, sizes)
    if kind == "identical boxes":
        return cm.Shapes.repeat(cm.Box((0, 0), (1, 1), angle=0.7), count)
    if kind == "few kinds":
        few = [
            cm.Circle((0, 0), 1),
            cm.Box((0, 0), (2, 1), angle=0.4),
            cm.Box((0.1, 0), (1, 2)),
            cm.Circle((0, 0), 0.5),
        ]
        return cm.Shapes([few[k] for k in rng.integers(0, 4, count)])
    if kind == "needles":
        along = np.stack((np.cos(angles), np.sin(angles)), 1)
        return cm.Shapes.polygons(np.stack((-along, along, at), 1))
    turned = cm.Shapes.boxes(at, np.stack((sizes, sizes / 2), 1), angles)
    return cm.Shapes.concatenate([turned, cm.Shapes.circles(at, sizes / 2), turned])


@pytest.mark.parametrize("kind", ["circles", "identical boxes", "few kinds", "needles", "all kinds, twice"])
def test_a_crowd_in_one_spot_is_answered_as_by_the_verbs(kind: str) -> None:
    rng = np.random.default_rng(21)
    shapes = crowd(rng, kind, 900)
    around = np.linspace(0, 6, 16)
    origins = rng.uniform(1, 4, (16, 1)) * np.stack((np.cos(around), np.sin(around)), 1)
    origins[::5] *= 0.1
    # At the spot, past it, and along its edges.
    ends = rng.normal(0, 0.7, (16, 2))
    ends[:4], origins[:4] = [(3, 1), (3, 0.5), (1, 3), (-3, 1)], [(-3, 1), (-3, 0.5), (1, -3), (3, 1)]
    queries = cm.Shapes.concatenate([cm.Shapes.circles(origins[:5], 0.2), cm.Shapes.points(origins[5:10])])
    check_all(shapes, queries, origins, 2.0 * (ends - origins))


def test_an_index_that_changes_gives_the_answers_of_a_new_one() -> None:
    rng = np.random.default_rng(22)
    index, shapes = cm.Index(crowd(rng, "few kinds", 700)), list(crowd(np.random.default_rng(22), "few kinds", 700))
    origins = rng.normal(0, 2, (30, 2))
    for step in range(4):
        rows = rng.choice(700, 1 + 40 * step, replace=False)
        changed = crowd(rng, "circles", rows.size) if step % 2 else cm.Shapes.repeat(cm.Circle((0.5, 0), 1), rows.size)
        index.update(rows, changed)
        for row, shape in zip(rows.tolist(), changed, strict=True):
            shapes[row] = shape
        fresh = cm.Index(shapes)
        for one, other in (
            (index.nearest(origins, k=4), fresh.nearest(origins, k=4)),
            (index.raycast(origins, -2 * origins), fresh.raycast(origins, -2 * origins)),
            (index.query(cm.Shapes.points(origins)), fresh.contains(origins)),
        ):
            assert same(list(one), list(other))
    distances = cm.distance(cm.Shapes(shapes), cm.Point(origins[0]))
    order = np.lexsort((np.arange(700), distances))[:4]
    assert np.array_equal(index.nearest(origins[0], k=4).rows, order)


def test_query_is_exact_for_points_on_points_and_on_edges() -> None:
    at = np.stack(np.meshgrid(np.arange(7.0), np.arange(7.0)), -1).reshape(-1, 2)
    shapes = cm.Shapes.concatenate([cm.Shapes.points(at), cm.Shapes.boxes(at, np.full((49, 2), 2.0))])
    for asked in (cm.Shapes.points(at + 0.0), cm.Shapes.boxes(at, np.full((49, 2), 1.0)), shapes):
        for touching in (True, False):
            found = cm.Index(shapes).query(asked, touching=touching)
            for q in range(len(asked)):
                own = found.rows[found.offsets[q] : found.offsets[q + 1]]
                assert np.array_equal(own, np.flatnonzero(cm.intersects(shapes, asked[q], touching=touching)))


def test_regions_of_every_size_are_looked_up_in_the_grid() -> None:
    # The grid is there from the second question on; large regions go down the tree, and far ones lie beyond its cells.
    rng = np.random.default_rng(23)
    shapes = mixed(rng, 500, 10, 0.1, 1, 0)
    index = cm.Index(shapes, method="grid")
    at, sizes = rng.uniform(-14, 14, (60, 2)), 10.0 ** rng.uniform(-3, 2, (60, 2))
    at[::9] *= 1e6
    queries = cm.Shapes.boxes(at, sizes)
    for _ in range(2):
        found, near = index.query(queries), index.query(queries, within=0.3)
        inside = index.contains(at)
        for q in range(60):
            distance = cm.distance(shapes, queries[q])
            assert np.array_equal(found.rows[found.offsets[q] : found.offsets[q + 1]], np.flatnonzero(distance == 0.0))
            assert np.array_equal(near.rows[near.offsets[q] : near.offsets[q + 1]], np.flatnonzero(distance <= 0.3))
            own = inside.rows[inside.offsets[q] : inside.offsets[q + 1]]
            assert np.array_equal(own, np.flatnonzero(cm.intersects(shapes, cm.Point(at[q]))))
    assert "cells of" in index.plan


def test_query_gives_more_rows_than_fit_in_a_block() -> None:
    many = cm.Shapes.circles(np.zeros((70_000, 2)), np.linspace(1, 2, 70_000))
    found = cm.Index(many).query(cm.Shapes.points([(0, 0), (1.5, 0), (0, 0)]))
    assert np.diff(found.offsets).tolist() == [70_000, int((np.linspace(1, 2, 70_000) >= 1.5).sum()), 70_000]


def test_answers_too_large_for_memory_are_refused_before_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    many = cm.Index(cm.Shapes.circles(np.zeros((3000, 2)), np.linspace(1, 2, 3000)))
    points = np.zeros((500, 2))
    monkeypatch.setattr("carom.broad.memory.FEW", 0)
    monkeypatch.setattr("carom.broad.memory.free_memory", lambda: 20_000_000)
    for ask in (
        lambda: many.query(cm.Shapes.points(points)),
        lambda: many.query(cm.Shapes.points(points), within=1),
        lambda: many.contains(points),
        lambda: many.raycast_all(points - 3, (9, 9)),
    ):
        with pytest.raises(MemoryError, match=r"Index.*at least .* answers.*GiB are free; ask fewer queries at a time"):
            ask()
    assert many.query(cm.Point((0, 0))).size == 3000
    assert many.nearest(points, k=2).rows.shape == (500, 2)


def test_a_moved_set_is_put_in_order_again() -> None:
    rng = np.random.default_rng(9)
    positions = rng.uniform(0, 100, (2000, 2))
    index = cm.Index(cm.Shapes.circles(positions, 0.3))
    for _ in range(6):
        rows = rng.choice(2000, 700, replace=False)
        positions[rows] = rng.uniform(0, 100, (700, 2))
        index.update(rows, cm.Shapes.circles(positions[rows], 0.3))
    points = rng.uniform(0, 100, (200, 2))
    shapes = cm.Shapes.circles(positions, 0.3)
    assert index.shapes == shapes
    fresh = cm.Index(shapes)
    assert same(list(index.nearest(points, k=4)), list(fresh.nearest(points, k=4)))
    assert same(list(index.query(shapes)), list(fresh.query(shapes)))


class Changes(RuleBasedStateMachine):
    """Insert, update, remove and ask, beside a dictionary of row numbers and shapes."""

    shape = st.builds(
        lambda kind, x, y, w, h: (
            cm.Circle((x, y), w),
            cm.Box((x, y), (w, h)),
            cm.Box((x, y), (w, h), angle=0.4),
            cm.Capsule((x, y), (x + w, y + h), 0.5),
            cm.Polygon([(x, y), (x + w, y), (x, y + h)]),
            cm.Point((x, y)),
        )[kind],
        st.integers(0, 5),
        st.integers(-8, 8),
        st.integers(-8, 8),
        st.integers(1, 4),
        st.integers(1, 4),
    )

    def __init__(self) -> None:
        super().__init__()
        self.index = cm.Index()
        self.known: dict[int, tuple[cm.Shape, int]] = {}
        self.given = 0

    @rule(shapes=st.lists(shape, max_size=40), layer=st.integers(1, 3))
    def insert(self, shapes: list[cm.Shape], layer: int) -> None:
        rows = self.index.insert(cm.Shapes(shapes), layer=layer)
        assert rows.tolist() == list(range(self.given, self.given + len(shapes)))
        self.given += len(shapes)
        self.known |= {row: (shape, layer) for row, shape in zip(rows.tolist(), shapes, strict=True)}

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def update(self, data: st.DataObject) -> None:
        rows = data.draw(st.lists(st.sampled_from(sorted(self.known)), unique=True, max_size=9))
        shapes = data.draw(st.lists(self.shape, min_size=len(rows), max_size=len(rows)))
        self.index.update(np.array(rows, dtype=int), cm.Shapes(shapes))
        self.known |= {row: (shape, self.known[row][1]) for row, shape in zip(rows, shapes, strict=True)}

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        rows = data.draw(st.lists(st.sampled_from(sorted(self.known)), unique=True, max_size=30))
        self.index.remove(np.array(rows, dtype=int))
        for k in rows:
            del self.known[k]

    @precondition(lambda self: len(self.known) < self.given)
    @rule(data=st.data())
    def use_a_removed_row(self, data: st.DataObject) -> None:
        gone = data.draw(st.sampled_from(sorted(set(range(self.given)) - set(self.known))))
        with pytest.raises(ValueError, match="was removed"):
            self.index.update(gone, cm.Point((0, 0)))
        with pytest.raises(ValueError, match="was removed"):
            self.index.remove([*sorted(self.known)[:1], gone])

    @rule(shape=shape, mask=st.sampled_from([-1, 1, 2]))
    def ask(self, shape: cm.Shape, mask: int) -> None:
        seen = [k for k, (_, layer) in sorted(self.known.items()) if layer & mask]
        distances = {k: cm.distance(shape, self.known[k][0]) for k in seen}
        assert self.index.query(shape, mask=mask).tolist() == [k for k in seen if distances[k] == 0.0]
        order = sorted(seen, key=lambda k: (distances[k], k))[:3]
        near = self.index.nearest(shape, k=3, mask=mask)
        assert near.rows.tolist() == [*order, -1, -1, -1][:3]
        assert near.distances.tolist() == [*(distances[k] for k in order), *[math.inf] * 3][:3]

    @rule(x=st.integers(-9, 9), y=st.integers(-9, 9), dx=st.integers(-20, 20), dy=st.integers(-20, 20))
    def cast_a_ray(self, x: int, y: int, dx: int, dy: int) -> None:
        hits = {k: cm.raycast((x, y), (dx, dy), shape) for k, (shape, _) in self.known.items()}
        order = sorted((hit.fraction, k) for k, hit in hits.items() if hit is not None)
        found = self.index.raycast((x, y), (dx, dy))
        assert (found is None) == (not order)
        if found is not None:
            assert found.row == order[0][1]
            assert found == hits[found.row]
        every = self.index.raycast_all((x, y), (dx, dy))
        assert list(zip(every.fraction.tolist(), every.row.tolist(), strict=True)) == order

    @invariant()
    def the_shapes_are_those_put_in(self) -> None:
        assert len(self.index) == len(self.known)
        assert self.index.rows.tolist() == sorted(self.known)
        assert list(self.index.shapes) == [self.known[k][0] for k in sorted(self.known)]


Changes.TestCase.settings = settings(stateful_step_count=25)
TestChanges = Changes.TestCase


@pytest.mark.parametrize(
    ("ask", "error", "text"),
    [
        (lambda i: cm.Index(3), TypeError, "Index: shapes"),
        (lambda i: cm.Index([cm.Point((0, 0)), 3]), TypeError, r"Index: shapes\[1\]"),
        (lambda i: i.nearest((0, 0), k=10**6), ValueError, "Index.nearest: k = 1000000 is more than the 4 rows"),
        (lambda i: cm.Index([cm.Point((0, 0))], layer=[1, 2]), ValueError, r"Index: layer has shape \(2,\)"),
        (lambda i: cm.Index([cm.Point((0, 0))], layer=1.5), TypeError, "Index: layer"),
        (lambda i: cm.Index([cm.Point((0, 0))], layer="red", mask=2), TypeError, "Index: mask"),
        (lambda i: i.query((0, 0)), TypeError, r"Index.query: shape.*Point\(position\)"),
        (lambda i: i.query(cm.Point((0, 0)), within=-1), ValueError, "Index.query: within.*negative"),
        (lambda i: i.query(cm.Point((0, 0)), within=math.nan), ValueError, "Index.query: within.*finite"),
        (lambda i: i.query(cm.Point((0, 0)), ignore=9), ValueError, "Index.query: ignore = 9 .*0 to 4"),
        (lambda i: i.query(cm.Shapes.points([(0, 0), (1, 1)]), ignore=[1, 2, 3]), ValueError, "ignore has shape"),
        (lambda i: i.query(cm.Point((0, 0)), threads=0), ValueError, "Index.query: threads"),
        (lambda i: i.contains(cm.Point((0, 0))), TypeError, "Index.contains: point"),
        (lambda i: i.contains([(0, 0), (math.nan, 0)]), ValueError, r"Index.contains: point\[1\]"),
        (lambda i: i.nearest((0, 0), k=0), ValueError, "Index.nearest: k"),
        (lambda i: i.nearest((0, 0), k=1.5), TypeError, "Index.nearest: k = 1.5 must be a whole number"),
        (lambda i: i.nearest((0, 0), within=-1), ValueError, "Index.nearest: within"),
        (lambda i: i.nearest((0, math.inf)), ValueError, "Index.nearest: shape"),
        (lambda i: i.nearest("here"), TypeError, "Index.nearest: shape"),
        (lambda i: i.raycast((0, 0), (1, math.nan)), ValueError, "Index.raycast: translation"),
        (lambda i: i.raycast([(0, 0)] * 2, [(1, 1)] * 3), ValueError, "Index.raycast: translation has 3 rows"),
        (lambda i: i.raycast([(0, 0)] * 2, (1, 1), mask=[1, 2, 3]), ValueError, "Index.raycast: mask"),
        (lambda i: i.raycast_all((0, 0), (1,)), ValueError, "Index.raycast_all: translation"),
        (lambda i: i.cast((0, 0), (1, 1)), TypeError, "Index.cast: shape"),
        (lambda i: i.cast(cm.Shapes.points([(0, 0)] * 3), [(1, 1)] * 2), ValueError, "Index.cast: translation has 2"),
        (lambda i: i.cast(cm.Point((0, 0)), [(1, 1)] * 2, [1, 2, 3]), ValueError, "Index.cast: rotation has shape"),
        (lambda i: i.query([cm.Point((0, 0)), 3]), TypeError, r"Index.query: shape\[1\] = 3"),
        (lambda i: i.query([(0, 0), (1, 1)]), TypeError, r"Index.query: shape.*Point\(position\)"),
        (lambda i: i.query(cm.Point((0, 0)), threads=1.5), TypeError, "Index.query: threads = 1.5 must be a whole"),
        (lambda i: i.nearest([cm.Point((0, 0)), (0, 0)]), TypeError, r"Index.nearest: shape\[1\] = \(0, 0\)"),
        (lambda i: i.insert([cm.Point((0, 0)), "here"]), TypeError, r"Index.insert: shapes\[1\] = 'here'"),
        (lambda i: i.raycast([], [(1, 1)] * 2), ValueError, "Index.raycast: translation has 2 rows; 0"),
        (lambda i: i.update(7, cm.Point((0, 0))), ValueError, r"Index.update: rows = 7 .*0 to 4"),
        (lambda i: i.update(-1, cm.Point((0, 0))), ValueError, r"Index.update: rows = -1"),
        (lambda i: i.update(0.5, cm.Point((0, 0))), TypeError, "Index.update: rows"),
        (lambda i: i.update([True, False], cm.Point((0, 0))), TypeError, "Index.update: rows"),
        (lambda i: i.update([1, 1], cm.Point((0, 0))), ValueError, "names row 1 more than once"),
        (lambda i: i.update([0, 1, 2], cm.Shapes.points([(0, 0), (1, 1)])), ValueError, "shapes has 2 rows"),
        (lambda i: i.update([0, 1], (0, 0)), TypeError, "Index.update: shapes"),
        (lambda i: i.remove([0, 3]), ValueError, r"Index.remove: rows\[1\] = 3 was removed"),
        (lambda i: i.remove([[0]]), ValueError, "Index.remove: rows has shape"),
        (lambda i: i.insert([1, 2]), TypeError, "Index.insert: shapes"),
        (lambda i: i.insert(cm.Point((0, 0)), layer=[1, 2]), ValueError, "Index.insert: layer"),
    ],
)
def test_refused_calls_change_nothing(ask: Any, error: type[Exception], text: str) -> None:
    index = cm.Index(cm.Shapes.circles([(k, 0) for k in range(5)], 0.3))
    index.remove(3)
    before = index.shapes
    with pytest.raises(error, match=text):
        ask(index)
    assert index.shapes == before
    assert index.rows.tolist() == [0, 1, 2, 4]
    assert index.query(cm.Point((2, 0))).tolist() == [2]
    assert index.insert(cm.Point((9, 9))).tolist() == [5]


def test_the_plan_is_readable_text() -> None:
    index = cm.Index(cm.Shapes.circles([(k, 0) for k in range(100)], 0.3))
    assert index.plan.startswith("a tree of 100 rows")
    assert "pairs by grid: the sizes are so much alike" in index.plan
    spot = np.random.default_rng(24).uniform(0, 30, (4000, 2)) + np.repeat(
        [[0, 0], [0, 1e6], [1e6, 0], [1e5, 7e5]], 1000, 0
    )
    uneven = cm.Index(cm.Shapes.circles(spot, 0.3))
    assert "pairs by strips: a box shares its cell" in uneven.plan
    assert "pairs by none: there is no pair" in cm.Index().plan
    assert repr(index) == "<Index: 100 rows>"


def test_queries_take_no_points_lists_and_one_shape_with_many_motions() -> None:
    rng = np.random.default_rng(25)
    shapes = mixed(rng, 40, 5, 0.1, 1, 0)
    index, few = cm.Index(shapes), list(shapes[:3])
    for none in ([], (), np.zeros((0, 2)), np.array([])):
        assert index.contains(none).offsets.tolist() == [0] and index.contains(none).rows.size == 0
        assert index.nearest(none, k=2).rows.shape == (0, 2)
        assert index.raycast(none, (1, 0)).fraction.shape == index.raycast(none, none).fraction.shape == (0,)
        assert index.raycast((0, 0), none).point.shape == (0, 2)
        assert index.raycast_all(none, none).offsets.tolist() == [0]
        assert index.cast(cm.Point((0, 0)), none).hit.shape == (0,)
    assert index.query([]).offsets.tolist() == [0] and index.cast([], (1, 0)).fraction.size == 0
    for given in (few, tuple(few), iter(few)):
        assert same(list(index.query(given)), list(index.query(shapes[:3])))
    assert same(list(index.nearest(few, k=2)), list(index.nearest(shapes[:3], k=2)))
    assert same(list(index.cast(few, (3, 1))), list(index.cast(shapes[:3], (3, 1))))
    motions, turns, pivots = rng.normal(0, 4, (6, 2)), rng.normal(0, 1, 6), rng.normal(0, 3, (6, 2))
    many = cm.Shapes.repeat(few[0], 6)
    for one in (few[0], few[:1], shapes[:1]):
        assert same(list(index.cast(one, motions)), list(index.cast(many, motions)))
        assert same(list(index.cast(one, (1, 2), turns)), list(index.cast(many, (1, 2), turns)))
        for options in ((turns,), (turns, pivots), (0.3, pivots), (0.0, None)):
            assert same(list(index.cast(one, motions, *options)), list(index.cast(many, motions, *options)))
    assert same(list(index.raycast([(0, 0)], motions)), list(index.raycast((0, 0), motions)))
    index.update([0, 1], few[1:])
    assert index.insert(iter(few)).tolist() == [40, 41, 42] and index.insert([]).size == 0
    assert list(index.shapes) == [*few[1:], *shapes[2:], *few]
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    assert index.insert([corner, few[0]]).tolist() == [43, 44, 45]
    index.update([], [])


def test_an_index_survives_pickling_and_copying() -> None:
    index = cm.Index(cm.Shapes.circles([(k, 0) for k in range(100)], 0.3))
    index.remove([5, 6])
    copy = pickle.loads(pickle.dumps(index))
    copy.insert(cm.Point((0, 5)))
    assert len(copy) == len(index) + 1
    assert copy.query(cm.Box((5, 0), (4, 1))).tolist() == index.query(cm.Box((5, 0), (4, 1))).tolist() == [3, 4, 7]


def test_nearest_gives_all_rows_where_fewer_than_k_exist() -> None:
    """Free slots lie infinitely far away, and must not be taken for neighbours when a touch is settled."""
    triangle = cm.Polygon([(0, 0), (1, 0), (0, 1)])
    index = cm.Index([triangle, triangle.translated((5, 5))])
    found = index.nearest((0.5, 0.5), k=3)
    assert found.rows.tolist() == [0, 1, -1] and found.distances[0] == 0.0 and found.distances[2] == np.inf
    tiles = cm.Shapes.boxes([(0, 0), (1, 0)], [(1, 1)] * 2).rotated(0.3, (0, 0))
    others = cm.Index(tiles).nearest(tiles, k=2, ignore=[0, 1])
    assert others.rows.tolist() == [[1, -1], [0, -1]] and others.distances[:, 0].tolist() == [0.0, 0.0]
    masked = cm.Index([triangle] * 3, layer=[1, 2, 1]).nearest((0.5, 0.5), k=3, mask=1)
    assert masked.rows.tolist() == [0, 2, -1]


def test_one_ray_is_answered_as_one_of_many() -> None:
    """Straight to one kernel, or through columns: rays that graze, start inside, end in touch or do not move, too."""
    rng = np.random.default_rng(5)
    shapes = [cm.Circle((x, y), 1) for x in range(0, 40, 4) for y in range(0, 40, 4)]
    shapes += [cm.Box((x + 2, 2), (1, 1), angle=0.3 * x) for x in range(0, 40, 4)]
    index = cm.Index(shapes)
    origins = [*rng.uniform(-2, 42, (300, 2)).tolist(), *[(-3.0, float(y)) for y in range(42)], (0.0, 0.0), (2.0, 2.0)]
    motions = [*rng.uniform(-30, 30, (300, 2)).tolist(), *[(50.0, 0.0)] * 42, (0.0, 0.0), (0.0, 0.0)]
    many = index.raycast(np.array(origins), np.array(motions))
    for k, (origin, motion) in enumerate(zip(origins, motions, strict=True)):
        for one in (index.raycast(origin, motion), index.raycast(np.array(origin), cm.Vec(*motion))):
            if not many.hit[k]:
                assert one is None
                continue
            assert one is not None and one.row == many.row[k] and one.shape == shapes[one.row]
            assert (one.fraction, one.distance, one.overlapping) == (
                many.fraction[k],
                many.distance[k],
                many.overlapping[k],
            )
            assert tuple(one.point) == tuple(many.point[k]) and tuple(one.normal) == tuple(many.normal[k])
    assert 100 < many.hit.sum() < len(origins)


@pytest.mark.parametrize("method", ["tree", "grid"])
def test_one_question_is_answered_as_one_of_many(method: Any) -> None:
    """Straight to one kernel, or through columns: after changes, in crowds, in touch, with a row passed by."""
    rng = np.random.default_rng(9)
    index = cm.Index(cm.Shapes.circles(rng.integers(0, 30, (120, 2)), 1.0), method=method)
    index.insert([cm.Box((3 * x, 5), (1, 2), angle=0.2 * x) for x in range(10)])
    index.insert([cm.Circle((7.5, 7.5), 0.25 * (k + 1)) for k in range(40)])  # more in one spot than are put in order
    answered = 0
    for turn in range(3):
        for _ in range(60):
            x, y, mx, my = rng.integers(-2, 32, 4).tolist()
            shape = [cm.Circle((x, y), 1.0), cm.Box((x, y), (2, 2)), cm.Polygon([(x, y), (x + 2, y), (x, y + 1.5)])][
                answered % 3
            ]
            ignore = [None, answered % 100, [answered % 100, 121]][answered % 3]
            many = None if ignore is None else np.atleast_2d(ignore)
            for touching in (True, False):
                rows = index.query(shape, ignore=ignore, touching=touching)
                assert rows.tolist() == index.query(cm.Shapes([shape]), ignore=many, touching=touching).rows.tolist()
            assert index.contains((x, y), ignore=ignore).tolist() == index.contains([(x, y)], ignore=many).rows.tolist()
            for value, listed in ((shape, cm.Shapes([shape])), ((x, y), [(x, y)])):
                one = index.nearest(value, 3, 9.0, ignore=ignore)
                all_of_them = index.nearest(listed, 3, 9.0, ignore=many)
                assert one.rows.tolist() == all_of_them.rows[0].tolist()
                assert one.distances.tolist() == all_of_them.distances[0].tolist()
            hit = index.cast(shape, (mx, my), ignore=ignore)
            hits = index.cast(cm.Shapes([shape]), [(mx, my)], ignore=many)
            assert (hit is not None) == hits.hit[0]
            if hit is not None:
                assert (hit.row, hit.fraction, hit.overlapping) == (hits.row[0], hits.fraction[0], hits.overlapping[0])
                assert (*hit.point, *hit.normal) == (*hits.point[0], *hits.normal[0])
            answered += 1
        if turn == 0:
            index.update(np.arange(60), cm.Shapes.circles(rng.integers(0, 30, (60, 2)), 0.5))
        else:
            index.remove(np.arange(80 + 20 * turn, 100 + 20 * turn))
    assert answered == 180
