"""An index that rows come and go in for long: answers of the rows in use, and no memory of those that went."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.broad.by_row import ByRow


def turned_over(rounds: int, seed: int = 0) -> tuple[cm.Index, dict[int, Any]]:
    """Return an index after so many rounds of insertions, removals and updates, and its shapes by row."""
    rng = np.random.default_rng(seed)
    held: dict[int, Any] = {k: cm.Circle(place, 0.6) for k, place in enumerate(rng.uniform(0, 20, (40, 2)))}
    index = cm.Index(list(held.values()))
    for k in range(rounds):
        shapes = [cm.Circle(place, 0.5) for place in rng.uniform(0, 20, (3, 2))]
        if k % 5 == 0:
            shapes.append(cm.Box(rng.uniform(0, 20, 2), (1, 2)))
        held |= dict(zip(index.insert(shapes).tolist(), shapes, strict=True))
        while len(held) > 60:
            row = int(rng.choice(list(held)))
            index.remove(row)
            del held[row]
        row = int(rng.choice(list(held)))
        held[row] = cm.Circle(rng.uniform(0, 20, 2), 0.7)
        index.update(row, held[row])
    return index, held


@pytest.mark.parametrize("rounds", [12, 150, 700])
@pytest.mark.parametrize("copied", [False, True])
def test_answers_are_those_of_the_rows_in_use(rounds: int, copied: bool) -> None:
    index, held = turned_over(rounds)
    index = pickle.loads(pickle.dumps(index)) if copied else index
    rows = np.array(sorted(held))
    shapes = [held[row] for row in rows.tolist()]
    fresh = cm.Index(shapes)
    assert index.rows.tolist() == rows.tolist() and list(index.shapes) == shapes
    assert index.pairs().tolist() == rows[fresh.pairs()].tolist()
    places = np.random.default_rng(1).uniform(0, 20, (50, 2))
    found, wanted = index.nearest(places, k=3), fresh.nearest(places, k=3)
    assert found.rows.tolist() == rows[wanted.rows].tolist() and found.distances.tolist() == wanted.distances.tolist()
    assert index.query(cm.Circle((9, 9), 4)).tolist() == rows[fresh.query(cm.Circle((9, 9), 4))].tolist()
    hits, others = index.raycast(places, (5, 3)), fresh.raycast(places, (5, 3))
    assert hits.row.tolist() == np.where(others.row >= 0, rows[others.row], -1).tolist() and (hits.row >= 0).any()
    owner = index.owner
    assert (owner >= 0).nonzero()[0].tolist() == rows.tolist() and len(np.unique(owner[rows])) == len(rows)
    gone = next(row for row in range(len(owner)) if row not in held)
    with pytest.raises(ValueError, match=rf"Index\.remove: rows = {gone} was removed"):
        index.remove(gone)
    assert index.insert(cm.Circle((0, 0), 1)).tolist() == [len(owner)]


def test_an_index_keeps_nothing_of_rows_that_went() -> None:
    sizes = [len(pickle.dumps(turned_over(rounds)[0])) for rounds in (300, 3000)]
    assert sizes[1] < 1.3 * sizes[0]


def test_a_column_by_row_is_that_of_an_array() -> None:
    rng, column, wanted = np.random.default_rng(2), ByRow(np.arange(5) * 10), dict(enumerate(range(0, 50, 10)))
    for _ in range(200):
        new = rng.integers(0, 99, 3)
        wanted |= dict(zip(range(column.size, column.size + 3), new.tolist(), strict=True))
        column.append(new)
        some = rng.choice(list(wanted), 2, replace=False)
        column[some] = np.array([7, 8])
        wanted |= dict(zip(some.tolist(), (7, 8), strict=True))
        if rng.random() < 0.3:
            kept = np.sort(rng.choice(list(wanted), max(1, len(wanted) // 2), replace=False))
            column.keep(kept)
            wanted = {row: wanted[row] for row in kept.tolist()}
        every = np.arange(column.size)
        assert column[every].tolist() == [wanted.get(row, -1) for row in every.tolist()]
        assert column.where(np.arange(column.kept)).tolist() == sorted(wanted)
    column.keep(np.zeros(0, dtype=np.int64))
    assert column[every].tolist() == [-1] * len(every)
