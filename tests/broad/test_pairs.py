"""All pairs: equal to brute force and to Shapely on every bad case, in order, each once, by every method."""

from __future__ import annotations

import importlib
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import carom as cm
from carom.broad import all_pairs as choice
from carom.broad import find_pairs, grid_levels, memory
from carom.broad.contact_pairs import CONTACT_BYTES, PART_BYTES
from carom.broad.sweep import sweep
from tests.support import oracle

Floats = NDArray[np.float64]
module = importlib.import_module("carom.broad.pairs")
METHODS = ("auto", "grid", "hierarchy", "strips", "sweep")
ROWS = 1200


def overlapping(a: Floats, b: Floats | None = None) -> NDArray[np.int32]:
    """Return the pairs by comparing all with all."""
    other = a if b is None else b
    hit = (a[:, None, :2] <= other[None, :, 2:]).all(axis=2) & (a[:, None, 2:] >= other[None, :, :2]).all(axis=2)
    return np.argwhere(np.triu(hit, 1) if b is None else hit).astype(np.int32).reshape(-1, 2)


def boxes(lower: Floats, sizes: Any) -> Floats:
    return np.ascontiguousarray(np.concatenate((lower, lower + sizes), axis=1))


def even(rng: np.random.Generator, n: int = ROWS) -> Floats:
    return boxes(rng.uniform(0, np.sqrt(n) * 1.2, (n, 2)), rng.uniform(0.5, 1.5, (n, 2)))


def six_decades(rng: np.random.Generator) -> Floats:
    sizes = 10.0 ** rng.uniform(-4, 2, (ROWS, 2))
    return boxes(rng.uniform(0, 1000, (ROWS, 2)), sizes)


def one_spot(rng: np.random.Generator) -> Floats:
    return boxes(rng.normal(0, 1, (ROWS, 2)) * rng.choice([1.0, 1e-4], (ROWS, 1)), rng.uniform(0, 0.02, (ROWS, 2)))


def giant(rng: np.random.Generator) -> Floats:
    found = even(rng)
    found[700] = (-1e7, -1e7, 1e7, 1e7)
    return found


def on_a_line(rng: np.random.Generator) -> Floats:
    found = boxes(np.stack((rng.uniform(0, ROWS, ROWS), np.zeros(ROWS)), 1), rng.uniform(0.5, 1.5, (ROWS, 2)))
    return found[:, [1, 0, 3, 2]].copy() if rng.random() < 0.5 else found


def on_a_diagonal(rng: np.random.Generator) -> Floats:
    return boxes(np.repeat(rng.uniform(0, ROWS, (ROWS, 1)), 2, axis=1), rng.uniform(0.5, 1.5, (ROWS, 2)))


def outliers(rng: np.random.Generator) -> Floats:
    found = even(rng)
    found[:9] += rng.uniform(-1e9, 1e9, (9, 1))
    return found


def identical(rng: np.random.Generator) -> Floats:
    return np.tile(rng.uniform(0, 1, 4).cumsum(), (300, 1))


def wires(rng: np.random.Generator) -> Floats:
    along = rng.random((ROWS, 1)) < 0.5
    return boxes(rng.uniform(0, 300, (ROWS, 2)), np.where(along, (40.0, 0.3), (0.3, 40.0)))


def long_and_parallel(rng: np.random.Generator) -> Floats:
    return boxes(rng.uniform(0, 1, (ROWS, 2)) * (10.0, 100.0), (50.0, 1e-3))


def tiles(rng: np.random.Generator) -> Floats:
    return boxes(rng.integers(0, 30, (ROWS, 2)).astype(np.float64), 1.0)


def points(rng: np.random.Generator) -> Floats:
    return boxes(rng.integers(0, 40, (ROWS, 2)) * 0.1, 0.0)


def huge(rng: np.random.Generator) -> Floats:
    found = even(rng) * 1e148 - 1e149
    found[:3] = (-1e150, -1e150, 1e150, 1e150)
    return found


def tiny(rng: np.random.Generator) -> Floats:
    return even(rng) * 1e-150


def far_away(rng: np.random.Generator) -> Floats:
    return even(rng) + 1e15


def clusters(rng: np.random.Generator) -> Floats:
    center = rng.uniform(0, 1e6, (8, 2))[rng.integers(0, 8, ROWS)]
    return boxes(center + rng.normal(0, 1, (ROWS, 2)), rng.uniform(0, 0.1, (ROWS, 2)))


CASES: list[Callable[[np.random.Generator], Floats]] = [
    even,
    six_decades,
    one_spot,
    giant,
    on_a_line,
    on_a_diagonal,
    outliers,
    identical,
    wires,
    long_and_parallel,
    tiles,
    points,
    huge,
    tiny,
    far_away,
    clusters,
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_every_method_finds_all_pairs_of_boxes(case: Callable[[np.random.Generator], Floats], method: Any) -> None:
    rng = np.random.default_rng(11)
    a, b = case(rng), case(rng)[:500]
    found = cm.bounds_pairs(a, method=method)
    assert found.dtype == np.int32 and found.shape[1] == 2
    np.testing.assert_array_equal(found, overlapping(a))
    np.testing.assert_array_equal(cm.bounds_pairs(a, b, method=method), overlapping(a, b))
    np.testing.assert_array_equal(cm.bounds_pairs(b, a, method=method), overlapping(b, a))


@pytest.mark.parametrize("case", [even, six_decades, giant, outliers, wires, tiles, clusters])
def test_pairs_are_those_of_shapely(case: Callable[[np.random.Generator], Floats]) -> None:
    rng = np.random.default_rng(12)
    table = np.concatenate([case(rng) for _ in range(4)])
    geometries = shapely.box(*table.T)
    i, j = shapely.STRtree(geometries).query(geometries, predicate="intersects")
    expected = np.stack((i, j), 1)[i < j]
    expected = expected[np.lexsort((expected[:, 1], expected[:, 0]))]
    np.testing.assert_array_equal(cm.bounds_pairs(table), expected)
    centers, sizes = (table[:, :2] + table[:, 2:]) / 2, table[:, 2:] - table[:, :2]
    set_of = cm.Shapes.boxes(centers, sizes)
    np.testing.assert_array_equal(cm.pairs(set_of), cm.bounds_pairs(set_of.bounds))


few = st.integers(-3, 3).map(float) | st.sampled_from(
    [0.1, 0.2, 0.30000000000000004, 1e-300, -1e150, 1e150, 1e9, 5e-324]
)
corner_pairs = st.tuples(few, few, few, few).map(
    lambda c: (min(c[0], c[2]), min(c[1], c[3]), max(c[0], c[2]), max(c[1], c[3]))
)


@given(a=st.lists(corner_pairs, max_size=60), b=st.lists(corner_pairs, max_size=30), method=st.sampled_from(METHODS))
def test_touching_equal_and_empty_boxes_make_pairs(a: list[Any], b: list[Any], method: Any) -> None:
    first, second = np.array(a).reshape(-1, 4), np.array(b).reshape(-1, 4)
    np.testing.assert_array_equal(cm.bounds_pairs(first, method=method), overlapping(first))
    np.testing.assert_array_equal(cm.bounds_pairs(first, second, method=method), overlapping(first, second))


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(0, 400),
    decades=st.floats(0, 12),
    flat=st.floats(0, 3),
    method=st.sampled_from(METHODS),
)
@settings(deadline=None)
def test_every_method_finds_pairs_of_random_sizes(seed: int, n: int, decades: float, flat: float, method: Any) -> None:
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.uniform(-decades, 0, (n, 2)) * 10.0 ** rng.uniform(-flat, flat, (n, 2))
    a = boxes(rng.normal(0, 1, (n, 2)) * 10.0 ** rng.uniform(-2, 2, (n, 1)), sizes)
    b = a[rng.random(n) < 0.3] + rng.uniform(-0.1, 0.1)
    np.testing.assert_array_equal(cm.bounds_pairs(a, method=method), overlapping(a))
    np.testing.assert_array_equal(cm.bounds_pairs(a, b, method=method), overlapping(a, b))


def mixed(rng: np.random.Generator, n: int) -> cm.Shapes:
    """Return shapes of all kinds, many of them exactly touching: they stand on a lattice of halves."""
    at = rng.integers(0, int(np.sqrt(n) * 2) + 1, (n, 2)) * 0.5
    kinds: list[Callable[[Any], cm.Shape]] = [
        lambda p: cm.Circle(p, 0.5),
        lambda p: cm.Point(p),
        lambda p: cm.Segment(p, (p[0] + 1.0, p[1] + 0.5)),
        lambda p: cm.Capsule(p, (p[0] + 0.5, p[1] + 0.5), 0.25),
        lambda p: cm.Box(p, (1.0, 0.5)),
        lambda p: cm.Box(p, (0.8, 0.4), angle=0.7),
        lambda p: cm.Box(p, (0.5, 0.5), radius=0.25),
        lambda p: cm.Polygon([p, (p[0] + 1.0, p[1]), (p[0] + 0.5, p[1] + 1.0)]),
    ]
    return cm.Shapes([kinds[k](tuple(p)) for k, p in zip(rng.integers(0, len(kinds), n), at.tolist(), strict=True)])


def all_with_all(a: cm.Shapes, b: cm.Shapes | None, wanted: Callable[[cm.Shapes, cm.Shapes], Any]) -> Any:
    other = a if b is None else b
    i, j = np.divmod(np.arange(len(a) * len(other)), len(other))
    if b is None:
        i, j = i[i < j], j[i < j]
    kept = wanted(a[i], other[j])
    return np.stack((i[kept], j[kept]), 1)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_pairs_of_all_kinds_of_shapes(method: Any) -> None:
    rng = np.random.default_rng(21)
    a, b = mixed(rng, 150), mixed(rng, 60)
    for one, other in ((a, None), (a, b)):
        for touching in (True, False):
            expected = all_with_all(one, other, lambda x, y, t=touching: cm.intersects(x, y, touching=t))
            np.testing.assert_array_equal(cm.pairs(one, other, touching=touching, method=method), expected)
        for within in (0.5, 1e-12, 3.0, 1000.0):
            expected = all_with_all(one, other, lambda x, y, w=within: cm.separation(x, y) <= w)
            np.testing.assert_array_equal(cm.pairs(one, other, within=within, method=method), expected)
            expected = all_with_all(one, other, lambda x, y, w=within: cm.separation(x, y) < w)
            found = cm.pairs(one, other, within=within, touching=False, method=method)
            np.testing.assert_array_equal(found, expected)


def test_within_includes_the_exact_distance() -> None:
    row = cm.Shapes.boxes(np.arange(50)[:, None] * [1.0, 0.0], np.full((50, 2), 0.75))
    assert len(cm.pairs(row, within=0.25)) == 49
    assert len(cm.pairs(row, within=np.nextafter(0.25, 0.0))) == 0
    assert len(cm.pairs(row, within=0.25, touching=False)) == 0


def test_within_includes_separations_rounded_by_the_size() -> None:
    """Large shapes with a small gap near zero: their bounds are farther apart than their separation is told to be."""
    rng = np.random.default_rng(23)
    corner, before = (-1.0, 1.0) * rng.uniform(1, 2, (200, 1, 2)), -rng.uniform(1, 2, (200, 1, 2))
    wedges = cm.Shapes.polygons(np.concatenate([before, np.zeros((200, 1, 2)), corner], axis=1))
    discs = cm.Shapes.circles(np.column_stack([rng.uniform(1e-9, 1e-3, 200), np.zeros(200)]), 1e-10)
    gaps = cm.separation(wedges, discs)
    assert sum(oracle.separation(wedges[k], discs[k]) > gaps[k] for k in range(200)) > 50
    for k in range(200):
        assert len(cm.pairs(wedges[k], discs[k], within=gaps[k])) == 1
        assert len(cm.pairs([wedges[k], discs[k]], within=gaps[k])) == 1
        assert len(cm.pairs(wedges[k], discs[k], within=gaps[k], touching=False)) == 0


def test_contacts_are_those_of_collide() -> None:
    rng = np.random.default_rng(22)
    a, b = mixed(rng, 150), mixed(rng, 60)
    for other in (None, b):
        found = cm.contacts(a, other)
        np.testing.assert_array_equal(found.pairs, cm.pairs(a, other))
        expected = cm.collide(a[found.pairs[:, 0]], (a if other is None else other)[found.pairs[:, 1]])
        assert expected.hit.all()
        for name in ("normal", "depth", "count", "points", "depths", "features"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_parts_of_one_compound_are_no_pairs() -> None:
    rng = np.random.default_rng(31)
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    things = [corner.translated(at) for at in rng.integers(0, 20, (60, 2)).tolist()] + list(mixed(rng, 100))
    parts = cm.Shapes(things)
    assert len(np.unique(parts.owner)) == 160 < len(parts)
    i, j = all_with_all(parts, None, cm.intersects).T
    expected = np.stack((i, j), 1)[parts.owner[i] != parts.owner[j]]
    np.testing.assert_array_equal(cm.pairs(parts), expected)
    np.testing.assert_array_equal(cm.contacts(parts).pairs, expected)
    np.testing.assert_array_equal(np.concatenate(list(cm.pairs(parts, block=50))), expected)
    np.testing.assert_array_equal(cm.pairs(things), expected)
    assert cm.pairs(corner).shape == (0, 2)
    np.testing.assert_array_equal(cm.pairs(parts, corner), all_with_all(parts, cm.Shapes([corner]), cm.intersects))
    # Two sets are two sets, even of the same things.
    np.testing.assert_array_equal(cm.pairs(parts, parts), all_with_all(parts, parts, cm.intersects))


def test_layers_and_masks_exclude_pairs() -> None:
    rng = np.random.default_rng(23)
    a, b = mixed(rng, 200), mixed(rng, 100)
    bits = np.array([1, 2, 3, 2**62, -(2**63), -1])
    layer, mask = rng.choice(bits, 200), rng.choice(bits, 200)
    other_layer, other_mask = rng.choice(bits, 100), rng.choice(bits, 100)
    i, j = cm.pairs(a).T
    kept = ((mask[i] & layer[j]) != 0) & ((mask[j] & layer[i]) != 0)
    np.testing.assert_array_equal(cm.pairs(a, layer=layer, mask=mask), np.stack((i, j), 1)[kept])
    np.testing.assert_array_equal(cm.contacts(a, layer=layer, mask=mask).pairs, np.stack((i, j), 1)[kept])
    i, j = cm.pairs(a, b).T
    kept = ((mask[i] & other_layer[j]) != 0) & ((other_mask[j] & layer[i]) != 0)
    found = cm.pairs(a, b, layer=layer, mask=mask, others_layer=other_layer, others_mask=other_mask)
    np.testing.assert_array_equal(found, np.stack((i, j), 1)[kept])
    assert len(cm.pairs(a, layer=2**63, mask=2**64 - 1)) == len(cm.pairs(a))
    assert len(cm.pairs(a, layer=4, mask=3)) == 0
    # The defaults are layer 1, and a mask of all layers.
    assert len(cm.pairs(a, mask=2)) == 0 and len(cm.pairs(a, mask=1)) == len(cm.pairs(a))


@pytest.mark.parametrize("case", [even, six_decades, identical, one_spot])
@pytest.mark.parametrize("block", [1, 7, 1000, 10**9])
def test_blocks_together_are_all_pairs(case: Callable[[np.random.Generator], Floats], block: int) -> None:
    rng = np.random.default_rng(24)
    a, b = case(rng)[:300], case(rng)[:200]
    for other in (None, b):
        blocks = list(cm.bounds_pairs(a, other, block=block))
        assert all(len(some) == block for some in blocks[:-1])
        assert all(0 < len(some) <= block for some in blocks)
        np.testing.assert_array_equal(np.concatenate([np.empty((0, 2)), *blocks]), overlapping(a, other))


def test_blocks_search_a_few_rows_at_a_time() -> None:
    rng = np.random.default_rng(25)
    crowd = boxes(rng.uniform(0, 1, (3000, 2)), rng.uniform(0.3, 0.6, (3000, 2)))
    every = cm.bounds_pairs(crowd)
    assert len(every) > 2**20  # more than fit at once
    blocks = list(cm.bounds_pairs(crowd, block=10_000))
    np.testing.assert_array_equal(np.concatenate(blocks), every)
    half = cm.bounds_pairs(crowd, crowd[::2])
    np.testing.assert_array_equal(np.concatenate(list(cm.bounds_pairs(crowd, crowd[::2], block=9999))), half)
    shapes = cm.Shapes.circles(crowd[:, :2], 0.3)
    np.testing.assert_array_equal(np.concatenate(list(cm.pairs(shapes, block=10_000))), cm.pairs(shapes))


def test_any_number_of_threads_gives_the_same() -> None:
    rng = np.random.default_rng(26)
    table = even(rng, 20_000)
    shapes = cm.Shapes.circles(table[:, :2], 0.6)
    np.testing.assert_array_equal(cm.bounds_pairs(table, threads=3), cm.bounds_pairs(table))
    np.testing.assert_array_equal(cm.pairs(shapes, threads=2), cm.pairs(shapes))
    np.testing.assert_array_equal(cm.pairs(shapes, shapes, threads=2), cm.pairs(shapes, shapes))


def test_too_many_pairs_are_refused_with_their_number() -> None:
    n = 200_000
    with pytest.raises(MemoryError, match=rf"bounds_pairs: {n * (n - 1) // 2:,} pairs.* block="):
        cm.bounds_pairs(np.tile([0.0, 0.0, 1.0, 1.0], (n, 1)))
    with pytest.raises(MemoryError, match=rf"bounds_pairs: {n * n:,} pairs"):
        cm.bounds_pairs(np.zeros((n, 4)), np.zeros((n, 4)))


def test_the_number_of_pairs_is_exact_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(27)
    for case in CASES:
        table = case(rng)
        assert sweep(table, 0, 0)[0] == len(overlapping(table))
        assert sweep(table, 400, 0)[0] == len(overlapping(table[:400], table[400:]))
    monkeypatch.setattr(memory, "free_memory", lambda: 24 * 1000)
    monkeypatch.setattr(memory, "FEW", 0)
    for method in METHODS:
        with pytest.raises(MemoryError, match="bounds_pairs: 44,850 pairs"):
            cm.bounds_pairs(identical(rng), method=method)  # type: ignore[call-overload]


def leave_free(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let an answer take no more than so many bytes."""
    monkeypatch.setattr(memory, "free_memory", lambda: size)
    monkeypatch.setattr(memory, "FEW", 0)


@pytest.mark.parametrize("make", [lambda n: cm.Circle((0, 0), 1), lambda n: cm.Box((0, 0), (2, 1), 0.3)])
def test_contacts_that_do_not_fit_are_refused_with_their_count(
    make: Callable[[int], cm.Shape], monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = cm.Shapes([make(0)] * 100)
    every = cm.contacts(crowd)
    assert len(every.pairs) == 4950
    leave_free(monkeypatch, 4950 * 97)  # their columns alone, and no room for the work
    assert len(cm.pairs(crowd)) == 4950
    with pytest.raises(MemoryError, match=r"^contacts: 4,950 pairs touch or overlap.* with block="):
        cm.contacts(crowd)
    blocks = list(cm.contacts(crowd, block=1000))
    assert [len(block.pairs) for block in blocks] == [1000] * 4 + [950]
    for column, values in zip(every, zip(*blocks, strict=True), strict=True):
        np.testing.assert_array_equal(np.concatenate(values), column)
    with pytest.raises(MemoryError, match=r"^contacts: 4,950 pairs .* smaller ones with block="):
        list(cm.contacts(crowd, block=5000))


def test_contacts_take_no_more_memory_than_is_asked_for() -> None:
    crowd = cm.Shapes([cm.Polygon(np.stack((np.cos(t := np.arange(40) / 6.4), np.sin(t)), 1))] * 800)
    cm.contacts(crowd[:3])
    tracemalloc.start()
    try:
        found = cm.contacts(crowd)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found.pairs) == 800 * 799 // 2
    assert peak < CONTACT_BYTES * len(found.pairs) + 3 * PART_BYTES


def test_contacts_made_in_parts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = mixed(np.random.default_rng(32), 300)
    every = cm.contacts(shapes)
    monkeypatch.setattr("carom.broad.contact_pairs.AT_ONCE", 7)
    for column, values in zip(cm.contacts(shapes), every, strict=True):
        np.testing.assert_array_equal(column, values)


def test_pairs_excluded_by_layers_do_not_count_against_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 1200
    crowd = cm.Shapes.circles(np.random.default_rng(33).uniform(0, 0.1, (n, 2)), 1.0)
    rng = np.random.default_rng(34)
    layer, mask = rng.choice([1, 2, 4], n), rng.choice([8, 9, 16], n, p=[0.45, 0.1, 0.45])
    some = cm.pairs(crowd, layer=layer, mask=mask)
    second = {"others_layer": layer[:500], "others_mask": mask[:500]}
    joined = cm.pairs(crowd, crowd[:500], layer=layer, mask=mask, **second)
    near = cm.pairs(crowd, layer=layer, mask=mask, within=0.01)
    leave_free(monkeypatch, 24 * max(len(some), len(joined)))
    assert 0 < len(some) < n * (n - 1) // 2 and 0 < len(joined) < n * 500 // 2
    for method in METHODS:
        assert len(cm.pairs(crowd, layer=1, mask=2, method=method)) == 0  # type: ignore[call-overload]
        found = cm.pairs(crowd, layer=layer, mask=mask, method=method)  # type: ignore[call-overload]
        np.testing.assert_array_equal(found, some)
    np.testing.assert_array_equal(cm.pairs(crowd, crowd[:500], layer=layer, mask=mask, **second), joined)
    np.testing.assert_array_equal(cm.pairs(crowd, layer=layer, mask=mask, within=0.01), near)
    assert len(cm.contacts(crowd, layer=1, mask=2).pairs) == 0
    leave_free(monkeypatch, 24 * (len(some) - 1))
    with pytest.raises(
        MemoryError, match=rf"^pairs: {len(some):,} pairs of bounding boxes overlap, of shapes that meet"
    ):
        cm.pairs(crowd, layer=layer, mask=mask)
    with pytest.raises(MemoryError, match=rf"^pairs: {n * (n - 1) // 2:,} pairs of bounding boxes overlap;"):
        cm.pairs(crowd)


def test_pairs_excluded_by_owners_do_not_count_against_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    one = cm.Shapes([corner]).owner
    few, many = cm.Shapes([corner] * 20), cm.Shapes([corner] * 300)
    assert len(few) == 20 * len(one)
    expected = cm.pairs(few)
    bits = 1 << np.arange(60)
    layer, mask = np.tile(bits, 10), np.repeat(bits, 10)
    circles = cm.Shapes.circles(np.zeros((600, 2)), 1.0)
    alone = cm.pairs(circles, layer=layer, mask=mask)
    excluded = cm.pairs(many, layer=1, mask=2)
    assert len(excluded) == 0 < len(alone)
    monkeypatch.setattr(find_pairs, "AT_ONCE", 100)
    leave_free(monkeypatch, 24 * 2**17)
    np.testing.assert_array_equal(cm.pairs(circles, layer=layer, mask=mask), alone)
    assert len(cm.pairs(many, layer=1, mask=2)) == 0
    with pytest.raises(MemoryError, match=r"^pairs: [0-9,]+ pairs, and more, are found"):
        cm.pairs(cm.Shapes([corner] * 500))
    leave_free(monkeypatch, 24 * len(expected))
    np.testing.assert_array_equal(cm.pairs(few), expected)


def test_a_single_shape_works_as_either_argument() -> None:
    circles = cm.Shapes.circles([(0, 0), (3, 0), (9, 0)], 1)
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    for thing in (cm.Circle((1.5, 0), 1), cm.Box((2, 0), (2, 2)), corner, [cm.Point((0, 0)), corner]):
        found, back = cm.pairs(circles, thing), cm.pairs(thing, circles)
        np.testing.assert_array_equal(back, found[np.lexsort((found[:, 0], found[:, 1]))][:, ::-1])
        assert len(found) and len(cm.contacts(thing, circles).pairs) == len(found)
        assert len(cm.pairs(thing, thing))
    assert cm.pairs(cm.Circle((0, 0), 1)).shape == (0, 2)


def test_an_index_gives_its_pairs_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    index = cm.Index(cm.Shapes.circles(np.zeros((101, 2)), 1.0))
    index.remove(50)
    every, contacts = index.pairs(), index.contacts()
    assert len(every) == 4950 and not (every == 50).any()
    np.testing.assert_array_equal(np.concatenate(list(index.pairs(block=999))), every)
    np.testing.assert_array_equal(index.pairs(method="sweep", within=0.5), every)
    leave_free(monkeypatch, 24 * 4949)
    with pytest.raises(MemoryError, match=r"^Index\.pairs: 4,950 pairs .* with block="):
        index.pairs()
    leave_free(monkeypatch, 24 * 4950)
    with pytest.raises(MemoryError, match=r"^Index\.contacts: 4,950 pairs .* with block="):
        index.contacts()
    blocks = list(index.contacts(block=1000))
    np.testing.assert_array_equal(np.concatenate([some.pairs for some in blocks]), contacts.pairs)
    np.testing.assert_array_equal(np.concatenate([some.depth for some in blocks]), contacts.depth)


def test_pairs_plan_names_the_method_and_the_reason() -> None:
    rng = np.random.default_rng(28)
    circles = cm.Shapes.circles(even(rng)[:, :2], 0.6)
    assert cm.pairs_plan(circles).method == "grid"
    assert cm.pairs_plan(circles, method="sweep")[:2] == ("sweep", "asked for")
    assert cm.pairs_plan(circles, cm.Circle((0, 0), 1)).method == "grid"
    assert "crowded" in cm.pairs_plan(cm.Shapes.circles(np.zeros((3000, 2)), 1)).why
    assert cm.pairs_plan([]).method == "none"


def test_the_plan_names_the_method_and_the_reason() -> None:
    def plan(table: Floats, **options: Any) -> choice.Plan:
        found = choice.all_pairs("test", choice.measured(table), **options)
        assert found is not None
        return found.plan

    rng = np.random.default_rng(28)
    assert plan(even(rng)).method == "grid"
    assert plan(even(rng)[:1]).method == "none"
    assert plan(six_decades(rng)).method == "hierarchy" and plan(six_decades(rng)).levels > 1
    # One giant does not spoil the cells of all others.
    assert plan(giant(rng)).method == "hierarchy"
    crowded = plan(identical(np.random.default_rng(1)).repeat(5, axis=0))
    assert crowded.method == "sweep" and "crowded" in crowded.why
    # Crowds and empty space: cells would be full or empty.
    center = rng.uniform(0, 1e6, (20, 2))[rng.integers(0, 20, 4000)]
    uneven = plan(boxes(center + rng.uniform(0, 12, (4000, 2)), rng.uniform(0.5, 1.5, (4000, 2))))
    assert uneven.method == "strips" and "times as many as if all were spread evenly" in uneven.why
    assert plan(six_decades(rng), method="strips").levels > 5
    for method in ("grid", "strips", "sweep"):
        assert plan(six_decades(rng), method=method)[:2] == (method, "asked for")


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_rows_give_their_pairs_by_every_method(n: int) -> None:
    for shapes in (cm.Shapes.circles(np.zeros((n, 2)), 1.0), cm.Shapes.boxes(np.zeros((n, 2)), np.ones((n, 2)))):
        expected = np.array([[0, 1]][: n - 1 if n else 0]).reshape(-1, 2)
        for method in METHODS:
            found = cm.pairs(shapes, method=method)  # type: ignore[call-overload]
            np.testing.assert_array_equal(found, expected)
            assert found.shape == (max(0, n - 1), 2) and found.dtype == np.int32
        assert len(cm.pairs(shapes, shapes)) == n * n
        assert len(cm.pairs(shapes, cm.Point((0, 0)))) == n
        assert cm.contacts(shapes).points.shape == (max(0, n - 1), 2, 2)
        assert sum(map(len, cm.pairs(shapes, block=1))) == max(0, n - 1)
    table = np.zeros((n, 4))
    assert len(cm.bounds_pairs(table)) == max(0, n - 1)
    assert len(cm.bounds_pairs(table.tolist())) == max(0, n - 1)


def test_the_boxes_given_are_only_read() -> None:
    table = even(np.random.default_rng(29))
    cm.bounds_pairs(table)
    table.flags.writeable = False
    before = table.copy()
    assert module._boxes("test", "bounds", table).bounds.flags.carray
    # The compiler has seen one type of array only, though this one may not be written to.
    types = getattr(grid_levels._measure, "signatures", [None])
    cm.bounds_pairs(table)
    assert len(getattr(grid_levels._measure, "signatures", [None])) == len(types) == 1
    assert len(cm.bounds_pairs(table)) == len(cm.bounds_pairs(np.asfortranarray(table)))
    assert len(cm.bounds_pairs(table.astype(np.float32))) > 0
    assert (table == before).all()


circle = cm.Circle((0, 0), 1)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: cm.pairs([circle, 3]), TypeError, r"^pairs: shapes\[1\] = 3 must be"),
        (lambda: cm.pairs([circle], [3]), TypeError, r"^pairs: others\[0\] = 3 must be"),
        (lambda: cm.pairs_plan(3), TypeError, "^pairs_plan: shapes"),
        (lambda: cm.contacts([circle], block=0), ValueError, "contacts: block = 0 must be at least 1"),
        (lambda: cm.pairs([circle], 3), TypeError, "pairs: others"),
        (lambda: cm.contacts(3), TypeError, "contacts: shapes"),
        (lambda: cm.pairs([circle], within=-1.0), ValueError, "within = -1.0 must not be negative"),
        (lambda: cm.pairs([circle], within=float("nan")), ValueError, "within = nan must be finite"),
        (lambda: cm.pairs([circle], layer=[1, 2]), ValueError, r"layer has shape \(2,\)"),
        (lambda: cm.pairs([circle], mask=0.5), TypeError, "mask"),
        (lambda: cm.pairs([circle], others_mask=1), ValueError, "others_mask"),
        (lambda: cm.pairs([circle], [circle], others_layer=2**64), ValueError, "others_layer"),
        (lambda: cm.pairs([circle], method="tree"), ValueError, "method = 'tree' must be one of auto, grid"),
        (lambda: cm.pairs([circle], method=[]), ValueError, "method"),
        (lambda: cm.pairs([circle], threads=0), ValueError, "threads = 0 must be at least 1"),
        (lambda: cm.pairs([circle], block=0), ValueError, "block = 0 must be at least 1"),
        (lambda: cm.pairs([circle], block=1.5), TypeError, "block"),
        (lambda: cm.bounds_pairs([(0, 0, 1)]), ValueError, r"must be \(n, 4\)"),
        (lambda: cm.bounds_pairs([(0, 0, 1, 1), (0, 0, -1, 1)]), ValueError, r"bounds\[1\] = \(0.0, 0.0, -1.0, 1.0\)"),
        (lambda: cm.bounds_pairs(np.full((2, 4), np.nan)), ValueError, r"bounds\[0\]\[0\] = nan must be a number"),
        (lambda: cm.bounds_pairs([], [(0, 0, np.nan, 1)]), ValueError, r"others\[0\]\[2\]"),
        (lambda: cm.bounds_pairs("boxes"), TypeError, "bounds_pairs: bounds"),
    ],
)
def test_bad_input_is_refused(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_bounds_of_any_size_are_only_compared() -> None:
    rng = np.random.default_rng(0)
    values = rng.choice([-np.inf, -1e300, -5, 0, 1, 2, 3, 1e20, np.inf], (400, 2, 2))
    values.sort(axis=1)
    bounds = values.reshape(-1, 4)
    one, other = bounds[:, None], bounds[None]
    meets = (one[..., 0] <= other[..., 2]) & (other[..., 0] <= one[..., 2])
    meets &= (one[..., 1] <= other[..., 3]) & (other[..., 1] <= one[..., 3])
    assert np.array_equal(cm.bounds_pairs(bounds), np.argwhere(np.triu(meets, 1)))
    assert np.array_equal(cm.bounds_pairs(bounds[:100], bounds[100:]), np.argwhere(meets[:100, 100:]))
    blocks = [*cm.bounds_pairs(bounds, block=500, method="grid")]
    assert np.array_equal(np.concatenate(blocks), cm.bounds_pairs(bounds))


def test_contacts_can_leave_touching_out() -> None:
    row = cm.Shapes.boxes(bounds=[(0, 0, 1, 1), (1, 0, 2, 1), (1.5, 0, 3, 1)])
    assert cm.contacts(row).pairs.tolist() == cm.Index(row).contacts().pairs.tolist() == [[0, 1], [1, 2]]
    assert (
        cm.contacts(row, touching=False).pairs.tolist()
        == cm.Index(row).contacts(touching=False).pairs.tolist()
        == [[1, 2]]
    )


def test_a_sample_tells_beforehand_that_grids_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, n = np.random.default_rng(5), 20_000
    corners = rng.uniform(0, 600, (n, 2))
    spread, alike = (boxes(corners, rng.lognormal(0, sigma, (n, 2))) for sigma in (2.5, 1.0))
    assert cm.pairs_plan(cm.Shapes.boxes(bounds=alike)).method == "hierarchy"
    expected = cm.bounds_pairs(spread, method="hierarchy")
    monkeypatch.setattr(choice, "collect_runs", None)
    assert np.array_equal(cm.bounds_pairs(spread), expected)
