"""An Index asked by a Compound, and one whose Compounds count as one thing each: against the verbs, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom as cm

CORNER = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
HAMMER = cm.Compound.from_parts([cm.Box((0, 0), (0.4, 2)), cm.Circle((0, 1), 0.5)])


def scattered(seed: int, count: int = 25) -> cm.Shapes:
    """Return shapes of all kinds, Compounds among them."""
    rng, found = np.random.default_rng(seed), []
    for k in range(count):
        at, angle = rng.uniform(-6, 6, 2), rng.uniform(0, 6)
        kinds: list[cm.Shape] = [
            cm.Circle(at, 0.5),
            cm.Box(at, (1, 0.5), angle),
            cm.Point(at),
            CORNER.placed(at, angle),
            cm.Segment(at, at + 1),
            HAMMER.placed(at, angle),
        ]
        found.append(kinds[k % 6])
    return cm.Shapes(found)


def nearest_things(shapes: cm.Shapes, distances: Any) -> list[tuple[float, int]]:
    """Return distance and row of each thing's nearest row, nearest first."""
    best: dict[int, tuple[float, int]] = {}
    for row, (owner, apart) in enumerate(zip(shapes.owner.tolist(), distances.tolist(), strict=True)):
        best[owner] = min(best.get(owner, (np.inf, -1)), (apart, row))
    return sorted(best.values())


@pytest.mark.parametrize("seed", range(4))
def test_a_compound_asks_as_any_shape(seed: int) -> None:
    many = scattered(seed)
    index = cm.Index(many)
    for whole in (CORNER.placed((1, 0.5), seed), HAMMER.placed((-1, 1), 2.0 * seed)):
        for touching in (True, False):
            expected = np.flatnonzero(cm.intersects(whole, many, touching=touching))
            assert index.query(whole, touching=touching).tolist() == expected.tolist()
        apart = cm.distance(whole, many)
        assert index.query(whole, within=1.0).tolist() == np.flatnonzero(apart <= 1.0).tolist()
        found = index.nearest(whole, k=5)
        assert list(zip(found.distances, found.rows, strict=True)) == nearest_things(many, apart)[:5]


@pytest.mark.parametrize("turn", [0.0, 1.5])
def test_a_compound_is_cast_as_the_verb_casts_it(turn: float) -> None:
    many = scattered(7)
    index, motions = cm.Index(many), np.random.default_rng(3).uniform(-6, 6, (8, 2))
    whole = HAMMER.placed((0.3, 0.2), 1.0)
    columns = index.cast(whole, motions, turn)
    for row, motion in enumerate(motions):
        each = cm.cast(whole, many, motion, rotation=turn)
        first = int(np.argmin(np.where(each.hit, each.fraction, np.inf)))
        single = index.cast(whole, motion, turn)
        if not each.hit.any():
            assert columns.row[row] == -1
            assert single is None
            continue
        assert (columns.row[row], columns.fraction[row]) == (first, each.fraction[first])
        assert (single.row, single.fraction) == (first, each.fraction[first])
        assert columns.normal[row].tolist() == each.normal[first].tolist() == list(single.normal)


def test_a_point_between_flush_parts_is_overlapped() -> None:
    slab = cm.Compound.from_parts([cm.Box((-1, 0), (2, 2)), cm.Box((1, 0), (2, 2))])
    index = cm.Index([cm.Point((0, 0)), cm.Point((0, 1)), cm.Point((2, 0))])
    assert index.query(slab).tolist() == [0, 1, 2]
    assert index.query(slab, touching=False).tolist() == [0]


def test_ignored_rows_and_layers_are_not_seen_by_a_compound() -> None:
    index = cm.Index([cm.Circle((1, 1), 1), cm.Circle((1, 1), 1), cm.Circle((1, 1), 1)], layer=["a", "b", "a"])
    assert index.query(CORNER, mask="a").tolist() == [0, 2]
    assert index.query(CORNER, ignore=[0, 1]).tolist() == [2]
    assert index.nearest(CORNER, k=2, ignore=0, mask="a").rows.tolist() == [2, -1]
    assert index.cast(CORNER.placed((-9, 1)), (20, 0), mask="b").row == 1
    with pytest.raises(ValueError, match=r"^Index.query: ignore = 9"):
        index.query(CORNER, ignore=9)


def test_nearest_counts_things() -> None:
    many = scattered(11, 60)
    index, point = cm.Index(many), cm.Point((0.5, 0.5))
    expected = nearest_things(many, cm.distance(many, point))
    assert len(expected) == 60 < len(many)
    for k in (1, 7, 60):
        found = index.nearest((0.5, 0.5), k=k)
        assert list(zip(found.distances, found.rows, strict=True)) == expected[:k]
    beyond = index.nearest((0.5, 0.5), k=80)
    assert beyond.rows[:60].tolist() == [row for _, row in expected]
    assert (beyond.rows[60:] == -1).all()
    several = index.nearest([(0.5, 0.5), (-3, 2)], k=9)
    assert several.rows[0].tolist() == [row for _, row in expected[:9]]
    assert len(set(index.owner[several.rows[1]].tolist())) == 9


def test_owner_follows_the_changes_of_an_index() -> None:
    index = cm.Index([CORNER, cm.Circle((9, 0), 1)])
    assert index.owner.tolist() == [0, 0, 1]
    assert index.insert([CORNER.translated((5, 5)), cm.Point((0, 9))]).tolist() == [3, 4, 5]
    assert index.owner.tolist() == [0, 0, 1, 2, 2, 3]
    index.update([0, 1], cm.Shapes([CORNER.translated((1, 0))]))
    owner = index.owner.tolist()
    assert owner[0] == owner[1] not in owner[2:]
    assert index.nearest((0, 0), k=4).rows.tolist() == [0, 3, 2, 5]
