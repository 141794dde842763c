"""Every batch answer as arrays of one number a row; unknown names and keywords name the near one."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import carom as cm

RNG = np.random.default_rng(5)
A = cm.Shapes.circles(RNG.uniform(0, 4, (20, 2)), 0.7)
B = cm.Shapes.boxes(RNG.uniform(0, 4, (20, 2)), RNG.uniform(0.5, 1, (20, 2)), 0.5)
INDEX = cm.Index(B)
WAYS = RNG.uniform(-4, 4, (20, 2))


def world() -> cm.World:
    made = cm.World(overlaps="report")
    made.add_many([cm.Circle((k, 0), 0.75) for k in range(4)], kind="dynamic")
    return made


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (
            cm.collide(A, B),
            "hit nx ny depth count x0 y0 x1 y1 depth0 depth1 feature_a0 feature_b0 feature_a1 feature_b1",
        ),
        (cm.closest(A, B), "separation nx ny ax ay bx by"),
        (cm.cast(A, B, WAYS), "hit fraction x y nx ny overlapping"),
        (cm.raycast(A.positions, WAYS, B), "hit fraction distance x y nx ny row overlapping"),
        (INDEX.cast(A, WAYS), "hit fraction x y nx ny row overlapping"),
        (INDEX.query(A), "query row"),
        (INDEX.nearest(A, k=3, within=1), "query row distance"),
        (INDEX.raycast_all(A.positions, WAYS), "query row fraction distance x y nx ny overlapping"),
        (
            cm.contacts(A, B),
            "a b nx ny depth count x0 y0 x1 y1 depth0 depth1 feature_a0 feature_b0 feature_a1 feature_b1",
        ),
        (world().overlaps(), "body other depth nx ny x y"),
        (world().step(0.1), "time kind body other x y nx ny speed impulse friction_impulse joint"),
        (cm.move(A, WAYS, B), "x y rest_x rest_y heading_x heading_y hits"),
        (cm.move(A, WAYS, B).hits, "query fraction x y nx ny row overlapping"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else None,
)
def test_flat_columns_are_of_one_length_and_named(columns: Any, names: str) -> None:
    table = columns.flat()
    assert sorted(table) == sorted(names.split())
    assert len({column.shape for column in table.values()}) == 1 and all(column.ndim == 1 for column in table.values())


def test_flat_columns_hold_the_numbers() -> None:
    hits = INDEX.raycast_all(A.positions, WAYS)
    table = hits.flat()
    assert np.array_equal(table["x"], hits.point[:, 0]) and np.array_equal(table["ny"], hits.normal[:, 1])
    assert np.array_equal(np.bincount(table["query"], minlength=20), np.diff(hits.offsets))
    found = cm.collide(A, B)
    flat = found.flat()
    assert np.array_equal(flat["y1"], found.points[:, 1, 1]) and np.array_equal(
        flat["feature_b0"], found.features[:, 0, 1]
    )
    near = INDEX.nearest(A, k=30)
    assert len(near.flat()["row"]) == np.count_nonzero(near.rows >= 0) == 400


def test_rays_of_any_leading_shape_answer_in_that_shape() -> None:
    origins, ways = A.positions, WAYS[:8]
    many = INDEX.raycast(origins[:, None], ways, ignore=np.arange(20)[:, None])
    one = INDEX.raycast(np.repeat(origins, 8, axis=0), np.tile(ways, (20, 1)), ignore=np.repeat(np.arange(20), 8))
    assert many.hit.shape == (20, 8) and many.point.shape == (20, 8, 2)
    assert all(np.array_equal(a.reshape(b.shape), b) for a, b in zip(many, one, strict=True))
    single = cm.raycast(origins[:, None], ways, B[0])
    assert single.fraction.shape == (20, 8)
    assert (
        single.flat()["fraction"].tolist()
        == cm.raycast(np.repeat(origins, 8, axis=0), np.tile(ways, (20, 1)), B[0]).fraction.tolist()
    )
    with pytest.raises(ValueError, match=r"Index.raycast: origin has shape \(2, 3, 3\)"):
        INDEX.raycast(np.zeros((2, 3, 3)), ways)
    with pytest.raises(ValueError, match="do not go together"):
        cm.raycast(np.zeros((2, 3, 2)), ways, B[0])
    with pytest.raises(ValueError, match=r"Index\.raycast: ignore has shape"):
        INDEX.raycast(origins[:, None], ways, ignore=np.zeros((3, 5), int))


@pytest.mark.parametrize(
    ("ask", "error", "text"),
    [
        (lambda: cm.AABB, AttributeError, "did you mean Box"),  # type: ignore[attr-defined]
        (lambda: cm.intersect, AttributeError, "did you mean intersects"),  # type: ignore[attr-defined]
        (lambda: INDEX.add, AttributeError, "did you mean insert"),  # type: ignore[attr-defined]
        (lambda: INDEX.add_many, AttributeError, "did you mean insert"),  # type: ignore[attr-defined]
        (lambda: INDEX.move, AttributeError, "did you mean update"),  # type: ignore[attr-defined]
        (lambda: cm.Character(B[0], B, up=(0, 1)), TypeError, "give obstacles to each move"),  # type: ignore[arg-type]
        (lambda: cm.World().tick, AttributeError, "did you mean step"),  # type: ignore[attr-defined]
        (lambda: cm.World().add(B[0], torque=1), TypeError, "World.add: .*'torque': set it on the Body"),  # type: ignore[arg-type]
        (lambda: cm.World().add(B[0], elasticity=1), TypeError, "did you mean restitution"),  # type: ignore[arg-type]
        (lambda: cm.raycast((0, 0), (1, 0), B[0], direction=1), TypeError, "raycast: .*did you mean translation"),  # type: ignore[call-overload]
        (lambda: INDEX.raycast((0, 0), (1, 0), direction=1), TypeError, "did you mean translation"),  # type: ignore[call-overload]
        (lambda: cm.move(B[0], (1, 0), INDEX, respons="slide"), TypeError, "move: .*did you mean response"),  # type: ignore[call-overload]
    ],
)
def test_an_unknown_name_names_the_near_one(ask: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        ask()


OLD_AND_NEAR = {
    "columns of rays": (lambda: INDEX.raycast(WAYS, -WAYS), "shape", "row"),
    "contact": (lambda: cm.collide(cm.Circle((0, 0), 1), cm.Circle((1, 0), 1)), "penetration", "depth"),
    "hit": (lambda: cm.cast(cm.Circle((0, 0), 1), cm.Circle((5, 0), 1), (9, 0)), "time", "fraction"),
    "rows": (lambda: INDEX.query([cm.Circle((0, 0), 1)]), "row", "rows"),
    "move": (lambda: cm.move(cm.Circle((0, 0), 1), (1, 0), []), "positon", "position"),
}


@pytest.mark.parametrize("case", OLD_AND_NEAR)
def test_an_answer_names_the_field_that_was_meant(case: str) -> None:
    make, old, near = OLD_AND_NEAR[case]
    answer = make()
    with pytest.raises(AttributeError, match=f"has no attribute '{old}'; did you mean {near}"):
        getattr(answer, old)
    assert pickle.loads(pickle.dumps(answer)).__class__ is type(answer)
    assert copy.copy(answer)._fields == answer._fields
