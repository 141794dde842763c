"""Pairs of owners: those that the pairs of rows name, and those that Shapely finds, whatever is asked of them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import carom as cm

module = importlib.import_module("carom.broad.owner_pairs")
GRID = 8


def owners_by_rows(shapes: cm.Shapes, others: cm.Shapes | None = None, **asked: Any) -> NDArray[Any]:
    """Return the pairs of owners of all pairs of rows."""
    rows = cm.pairs(shapes, others, **asked)
    second = shapes if others is None else others
    found = np.column_stack((shapes.owner[rows[:, 0]], second.owner[rows[:, 1]]))
    if others is None:
        found.sort(axis=1)
    return np.unique(found, axis=0)


def crowd(seed: int, count: int = 40) -> cm.Shapes:
    """Return stars, lines, discs and boxes whose corners lie on a grid, so that many just touch."""
    rng = np.random.default_rng(seed)
    things: list[Any] = []
    for k in range(count):
        x, y = rng.integers(0, GRID, 2).tolist()
        size = rng.integers(1, 4).item()
        corner = [(0, 0), (2 * size, 0), (2 * size, 1), (1, 1), (1, 2 * size), (0, 2 * size)]
        kinds = (
            lambda: cm.decompose(corner),  # noqa: B023
            lambda: cm.Box((0, 0), (size, size)),  # noqa: B023
            lambda: cm.Circle((0, 0), size / 2),  # noqa: B023
            lambda: cm.Point((0, 0)),
            lambda: cm.Segment((0, 0), (size, 0)),  # noqa: B023
        )
        things.append(kinds[k % len(kinds)]().translated((float(x), float(y))))
    return cm.Shapes(things)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**31),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.booleans(),
    st.sampled_from(["auto", "sweep"]),
    st.integers(0, 3),
)
def test_owners_are_those_of_the_pairs_of_rows(
    seed: int, within: float, touching: bool, method: Any, filters: int
) -> None:
    shapes, others, rng = crowd(seed), crowd(seed + 1, 25), np.random.default_rng(seed)
    asked: dict[str, Any] = {"within": within, "touching": touching, "method": method}
    if filters & 1:
        asked |= {"layer": rng.integers(1, 8, len(shapes)), "mask": rng.integers(0, 8, len(shapes))}
    if filters & 2:
        shapes = shapes[rng.permutation(len(shapes))[: len(shapes) - 5]]
        asked |= {name: column[: len(shapes)] for name, column in asked.items() if name in ("layer", "mask")}
    found = cm.pairs(shapes, owners=True, **asked)
    assert found.dtype == np.int32
    assert found.tolist() == owners_by_rows(shapes, **asked).tolist()
    assert np.concatenate([found[:0], *cm.pairs(shapes, owners=True, block=7, **asked)]).tolist() == found.tolist()
    both = cm.pairs(shapes, others, owners=True, **asked)
    assert both.tolist() == owners_by_rows(shapes, others, **asked).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_regions_of_a_map_meet_as_shapely_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seeds = rng.uniform(0, 1, (150, 2)) ** (1 + seed) * 100
    cells = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(seeds)))
    # Rounded alike on both sides of a border; with a hole, so that the region is no convex polygon.
    regions = [shapely.set_precision(cell, 1e-6) for cell in cells]
    holes = [
        region.representative_point().buffer(0.3 * region.boundary.distance(region.representative_point()))
        for region in regions
    ]
    regions = [
        region.difference(hole) if k % 3 else region
        for k, (region, hole) in enumerate(zip(regions, holes, strict=True))
    ]
    first, second = shapely.STRtree(regions).query(regions, predicate="intersects")
    expected = sorted({(i, j) for i, j in zip(first.tolist(), second.tolist(), strict=True) if i < j})
    shapes = cm.Shapes.from_shapely(regions)
    assert cm.pairs(shapes, owners=True).tolist() == [list(pair) for pair in expected]
    assert cm.pairs(shapes, owners=True, threads=2).tolist() == [list(pair) for pair in expected]


def test_only_the_first_rows_that_touch_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    combs = [cm.Shapes.boxes([(k, y) for k in range(400)], (1.0, 1.0)) for y in (0.0, 1.0)]
    rows = cm.Shapes([cm.Compound.from_parts(list(comb)) for comb in combs])
    asked: list[int] = []
    decided = module.decided

    def counted(search: Any, a: Any, b: Any, i: Any, j: Any) -> Any:
        asked.append(i.size)
        return decided(search, a, b, i, j)

    monkeypatch.setattr(module, "decided", counted)
    assert cm.pairs(rows, owners=True).tolist() == [[0, 1]]
    assert len(cm.pairs(rows)) == 1198
    assert sum(asked) == module.FIRST


@pytest.mark.parametrize("room", [1, 3])
def test_a_long_walk_is_taken_in_pieces(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    # The bounds of all slanted pieces overlap and none touches, until the last.
    slanted = [cm.Segment((0.01 * k, 0), (10 + 0.01 * k, 10)) for k in range(30)]
    near = [part.translated((0.005, 0)) for part in slanted]
    a, b = cm.Compound.from_parts(slanted), cm.Compound.from_parts([*near, cm.Segment((10.2, 10.0), (10.4, 9.9))])
    monkeypatch.setattr(module, "FIRST", room)
    monkeypatch.setattr(module, "AT_ONCE", 2 * room)
    assert cm.pairs([a, b], owners=True).tolist() == owners_by_rows(cm.Shapes([a, b])).tolist() == [[0, 1]]
    far = cm.Compound.from_parts(near)
    assert cm.pairs([a, far], owners=True).tolist() == []


def test_empty_sets_have_no_pairs() -> None:
    assert cm.pairs([], owners=True).shape == (0, 2)
    assert cm.pairs(cm.Circle((0, 0), 1), [], owners=True).shape == (0, 2)
    with pytest.raises(TypeError, match="pairs: owners = 'both' must be True or False"):
        cm.pairs([], owners="both")  # type: ignore[call-overload]
