"""Every verb gives for a row of a set the same bits as for the single pair, independent of the other rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom._core.threads import LEAST_ROWS
from tests.support import scenes
from tests.support.judges import assert_same_contacts
from tests.support.verbs import PAIR_VERBS, STILL_VERBS, VERBS, Verb


def sample(count: int) -> list[tuple[Any, Any]]:
    return [scenes.pair(family, row) for family in scenes.FAMILIES for row in range(count)]


PAIRS = sample(12)
A, B = cm.Shapes([a for a, _ in PAIRS]), cm.Shapes([b for _, b in PAIRS])
RNG = np.random.default_rng(8)
DISCS = RNG.uniform(-5, 5, (len(PAIRS), 2)), RNG.uniform(0.5, 2, len(PAIRS))
MOVES = np.array([[v.x, v.y] for v in (b.position - a.position for a, b in PAIRS)]) * RNG.uniform(
    0.3, 3, (len(PAIRS), 1)
)


def test_rows_intersect_and_contain_as_pairs_do() -> None:
    assert cm.intersects(A, B).tolist() == [cm.intersects(a, b) for a, b in PAIRS]
    assert cm.intersects(A, B, touching=False).tolist() == [cm.intersects(a, b, touching=False) for a, b in PAIRS]
    assert cm.contains(A, B).tolist() == [cm.contains(a, b) for a, b in PAIRS]


def test_rows_have_the_separation_and_closest_points_of_pairs() -> None:
    assert cm.separation(A, B).tolist() == [cm.separation(a, b) for a, b in PAIRS]
    assert cm.distance(A, B).tolist() == [cm.distance(a, b) for a, b in PAIRS]
    found = cm.closest(A, B)
    for row, (a, b) in enumerate(PAIRS):
        one = cm.closest(a, b)
        assert (found.separation[row], *found.normal[row], *found.point_a[row], *found.point_b[row]) == (
            one.separation,
            *one.normal,
            *one.point_a,
            *one.point_b,
        )


def test_rows_have_the_contacts_of_pairs() -> None:
    assert_same_contacts(cm.collide(A, B), PAIRS)


def test_rows_have_the_casts_and_rays_of_pairs() -> None:
    found = cm.cast(A, B, MOVES)
    starts = np.array([a.position for a, _ in PAIRS])
    rays = cm.raycast(starts, MOVES, B)
    for row, (a, b) in enumerate(PAIRS):
        one = cm.cast(a, b, MOVES[row])
        assert found.hit[row] == (one is not None)
        if one is None:
            assert found.fraction[row] == np.inf
        else:
            assert (found.fraction[row], *found.point[row], *found.normal[row], found.overlapping[row]) == (
                one.fraction,
                *one.point,
                *one.normal,
                one.overlapping,
            )
        ray = cm.raycast(starts[row], MOVES[row], b)
        assert rays.hit[row] == (ray is not None)
        assert rays.row[row] == (-1 if ray is None else row)
        if ray is not None:
            assert (rays.fraction[row], *rays.point[row], *rays.normal[row]) == (ray.fraction, *ray.point, *ray.normal)
            assert rays.distance[row] == ray.distance


@pytest.mark.parametrize("verb", PAIR_VERBS)
def test_one_shape_with_many_is_that_shape_repeated(verb: Any) -> None:
    one = PAIRS[3][0]
    left, right = verb(one, B), verb(cm.Shapes.repeat(one, len(B)), B)
    columns = zip(left, right, strict=True) if isinstance(left, tuple) else [(left, right)]
    assert all(np.array_equal(mine, theirs) for mine, theirs in columns)


@pytest.mark.parametrize("verb", [verb.function for verb in STILL_VERBS])
def test_different_lengths_are_refused(verb: Any) -> None:
    with pytest.raises(ValueError, match=r"has 3 rows .* has 2; they go row by row"):
        verb(A[:3], B[:2])


def test_no_rows_give_no_answers() -> None:
    none = cm.Shapes([])
    assert cm.intersects(none, none).shape == (0,)
    assert cm.collide(none, none).points.shape == (0, 2, 2)
    assert cm.raycast(np.zeros((0, 2)), (1, 0), cm.Circle((0, 0), 1)).hit.shape == (0,)


def test_points_may_stand_for_themselves() -> None:
    square = cm.Box((0, 0), (2, 2))
    assert cm.contains(square, [(0, 0), (1, 1), (2, 0)]).tolist() == [True, True, False]
    assert cm.contains(cm.Shapes([square, square]), (2, 0)).tolist() == [False, False]


@pytest.mark.parametrize(
    "kinds", [(a, b) for a in ("disc", "straight", "turned") for b in ("disc", "straight", "turned")]
)
def test_closed_forms_agree_with_single_pairs(kinds: tuple[str, str]) -> None:
    pairs = [pair for pair in sample(60) if (scenes.closed_form_of(pair[0]), scenes.closed_form_of(pair[1])) == kinds]
    assert len(pairs) > 10
    a, b = cm.Shapes([a for a, _ in pairs]), cm.Shapes([b for _, b in pairs])
    assert a._columns_of_one_kind() is not None and b._columns_of_one_kind() is not None
    assert cm.intersects(a, b).tolist() == [cm.intersects(*pair) for pair in pairs]
    assert cm.intersects(a, b, touching=False).tolist() == [cm.intersects(*pair, touching=False) for pair in pairs]
    assert cm.intersects(a[:1], b).tolist() == [cm.intersects(pairs[0][0], pair[1]) for pair in pairs]
    assert_same_contacts(cm.collide(a, b), pairs)
    assert_same_contacts(cm.collide(a[:1], b), [(pairs[0][0], pair[1]) for pair in pairs])
    assert cm.separation(a, b).tolist() == [cm.separation(*pair) for pair in pairs]


TIED = [
    (cm.Circle((1, 2), 3), cm.Circle((1, 2), 1)),
    (cm.Circle((1, 2), 1), cm.Circle((1, 2), 3)),
    (cm.Circle((1, 2), 1), cm.Circle((1, 2), 1)),
    (cm.Circle((0, 0), 5), cm.Circle((6, 8), 5)),
    (cm.Circle((0, 0), 5), cm.Circle((6, 8.000000000000002), 5)),
    (cm.Point((3, 4)), cm.Point((3, 4))),
    (cm.Point((3, 4)), cm.Circle((0, 0), 5)),
    (cm.Circle((1e150, 0), 1e150), cm.Circle((-1e150, 0), 1e150)),
    (cm.Circle((3e-150, 0), 1.5e-150), cm.Circle((0, 0), 1.5e-150)),
]
BOXES = [
    (((0, 0), (2, 2)), ((0, 0), (2, 2))),
    (((0, 0), (4, 4)), ((1, 1), (3, 3))),
    (((0, 0), (4, 2)), ((1, -1), (3, 3))),
    (((0, 0), (1, 1)), ((1, 0), (2, 1))),
    (((0, 0), (1, 1)), ((1, 1), (2, 2))),
    (((0, 0), (1, 1)), ((0, 1), (1, 2))),
    (((0, 0), (1, 1)), ((-1, 0.5), (0, 3))),
    (((0, 0), (1, 1)), ((0.5, 0.5), (2, 2))),
    (((0, 0), (1, 1)), ((1.0000000000000002, 0), (2, 1))),
    (((0, 0), (1, 1)), ((0.9999999999999999, 0.9999999999999999), (2, 2))),
    (((0, 0), (1e150, 1e150)), ((-1e150, -1e150), (1, 1))),
    (((0, 0), (1e-150, 1e-150)), ((1e-150, 0), (1e150, 1))),
    (((1e15, 0), (1e15 + 1, 1)), ((1e15 + 1, 0.5), (1e15 + 2, 7))),
    (((0, 0), (1e9, 1e-9)), ((5, 1e-9), (6, 1))),
]


@pytest.mark.parametrize("swapped", [False, True])
def test_ties_and_extremes_have_the_bits_of_single_pairs(swapped: bool) -> None:
    boxes = [(cm.Box.from_corners(*a), cm.Box.from_corners(*b)) for a, b in BOXES]
    for pairs in (TIED, boxes):
        pairs = [(b, a) if swapped else (a, b) for a, b in pairs]
        a, b = cm.Shapes([a for a, _ in pairs]), cm.Shapes([b for _, b in pairs])
        assert a._columns_of_one_kind() is not None
        assert_same_contacts(cm.collide(a, b), pairs)
        assert cm.separation(a, b).tolist() == [cm.separation(*pair) for pair in pairs]


@pytest.mark.parametrize("corners", BOXES, ids=repr)
def test_contacts_of_straight_boxes_are_exact(corners: Any) -> None:
    """Depth, normal and points against the corners, in rational arithmetic; the same seen from B."""
    (alx, aly), (aux, auy) = (tuple(map(Fraction, corner)) for corner in corners[0])
    (blx, bly), (bux, buy) = (tuple(map(Fraction, corner)) for corner in corners[1])
    a, b = (cm.Box.from_corners(*pair) for pair in corners)
    ways = {(1, 0): blx - aux, (-1, 0): alx - bux, (0, 1): bly - auy, (0, -1): aly - buy}
    found, back = cm.collide(a, b), cm.collide(b, a)
    if max(ways.values()) > 0:
        assert found is None and back is None
        return
    assert found is not None and back is not None
    depth = -max(ways.values())
    assert found.depth == back.depth == float(depth)
    assert -ways[found.normal] <= depth * (1 + Fraction(1, 2**50))
    if a != b:
        assert found.normal == -back.normal
    for x, y in found.points:
        assert max(alx, blx) - depth <= x <= min(aux, bux) + depth
        assert max(aly, bly) - depth <= y <= min(auy, buy) + depth
    assert found.points == back.points
    if a != b:
        assert found.features == tuple((mine, theirs) for theirs, mine in back.features)
    for (x, y), (of_a, of_b) in zip(found.points, found.features, strict=True):
        for shape, feature in ((a, of_a), (b, of_b)):
            place = shape.vertices[feature if feature >= 0 else -1 - feature]
            along = 1 if found.normal[0] else 0
            if feature >= 0:
                assert (x, y)[along] == place[along]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_any_number_of_threads_gives_the_same_bits(verb: Verb) -> None:
    times = 1 + 3 * LEAST_ROWS // len(A)
    kinds = [(A, B), (cm.Shapes.circles(*DISCS), cm.Shapes.circles(DISCS[0][::-1], DISCS[1]))]
    for left, right in kinds:
        a, b = cm.Shapes.concatenate([left] * times), cm.Shapes.concatenate([right] * times)
        alone, shared = verb.ask(a, b), verb.ask(a, b, threads=3)
        columns = zip(alone, shared, strict=True) if isinstance(alone, tuple) else [(alone, shared)]
        assert all(mine.tobytes() == theirs.tobytes() for mine, theirs in columns)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
@pytest.mark.parametrize("threads", [0, -3, 1.5, True, None, "2", np.array([1, 2])], ids=repr)
def test_threads_are_checked_for_one_pair_and_for_many(verb: Verb, threads: Any) -> None:
    for a, b in ((A, B), PAIRS[0]):
        with pytest.raises((TypeError, ValueError), match=f"{verb.name}: threads"):
            verb.ask(a, b, threads=threads)
    assert verb.ask(*PAIRS[0], threads=2) == verb.ask(*PAIRS[0])


def test_features_of_rows_are_the_users_vertices() -> None:
    rng = np.random.default_rng(11)
    polygons, boxes = [], []
    for _ in range(200):
        turns = np.sort(rng.uniform(0, 6.28, 7))[::-1]  # clockwise: the cleaned outline goes the other way
        outline = np.column_stack((np.cos(turns), np.sin(turns)))
        numbers = rng.permutation(1000)[: len(outline)].tolist() if rng.random() < 0.5 else None
        polygons.append(cm.Polygon(outline, vertex_ids=numbers))
        boxes.append(cm.Box(rng.uniform(-1.5, 1.5, 2), (1, 1), angle=rng.choice([0.0, 0.3])))
    a, b = cm.Shapes(polygons), cm.Shapes(boxes)
    everything = cm.Compound.from_parts([cm.Box((0, 0), (1, 1)), cm.Box((2, 2), (1, 1))])
    for first, second, singles in (
        (a, b, list(zip(polygons, boxes, strict=True))),
        (b, a, list(zip(boxes, polygons, strict=True))),
        (polygons[0], b, [(polygons[0], box) for box in boxes]),
        (a, everything, [(polygon, everything) for polygon in polygons]),
    ):
        rows = cm.collide(first, second)
        assert rows.features.dtype == np.int32
        for row, (one, other) in enumerate(singles):
            contact = cm.collide(one, other)
            expected = [list(pair) for pair in contact.features] if contact else []
            assert rows.features[row].tolist() == expected + [[0, 0]] * (2 - len(expected))
    found = cm.contacts(a, b)
    for (i, j), count, features in zip(found.pairs.tolist(), found.count, found.features, strict=True):
        contact = cm.collide(polygons[i], boxes[j])
        assert contact is not None and [tuple(pair) for pair in features[:count].tolist()] == list(contact.features)


def test_vertex_numbers_too_large_for_the_column_widen_it() -> None:
    box = cm.Box((0, 2), (2, 2))
    for largest, kind in ((2**31 - 1, np.int32), (2**31, np.int64), (2**70, object)):
        triangle = cm.Polygon([(-1, 0), (1, 0), (0, 1.5)], vertex_ids=[5, 6, largest])
        rows = cm.collide(cm.Shapes([triangle]), box)
        assert rows.features.dtype == kind
        assert rows.features[0, 0].tolist() == list(cm.collide(triangle, box).features[0])
        assert rows.features[0, 0, 0] in (largest, -1 - largest)
