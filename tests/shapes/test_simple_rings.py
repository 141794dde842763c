"""Outlines that floats prove to be simple are divided at once, into the parts that the exact way finds."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes import compound_parts
from carom.shapes.compound_made import Made
from carom.shapes.outlines.clean_convex import orientation
from carom.shapes.outlines.needless import without_needless
from carom.shapes.outlines.simple_cells import cells_of
from carom.vector import Point2

GRID = st.integers(0, 5).map(float)
FINE = st.floats(-1, 1).map(lambda x: 100.0 + x)


def plain(fields: Any) -> Any:
    """Return the fields of a region with the values that are made when asked for."""
    if not fields:
        return fields
    origin, made, parts = fields
    return origin, made.local, made.counts, made.given, made.pieces, outside(made), parts


def outside(made: Made) -> list[Any]:
    """Return what is on the outside of a region's parts, as lists."""
    return [column.tolist() for column in made.outside]


def from_simple(points: list[tuple[float, float]]) -> Any:
    """Return the fields of a region by the quick way, None where it is in doubt."""
    needed = without_needless(np.array(points), np.array([0, len(points)]))
    table = needed.points.copy()
    cells, simple = cells_of(table, needed.first)
    if not simple[0]:
        return None
    found = cells.corners, cells.first, cells.kept
    return compound_parts._of_cells("x", table, [len(table)], np.arange(len(table)), *found)


def both_ways(points: list[tuple[float, float]]) -> tuple[Any, Any]:
    """Return the fields of a region by the quick way, None where it is in doubt, and by the exact way."""
    quick = from_simple(points)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compound_parts, "_by_kernels", lambda *_: None)
        return plain(quick), plain(compound_parts.from_outlines("x", np.array(points), [0, len(points)]))


@given(
    st.lists(st.tuples(GRID, GRID), min_size=3, max_size=9) | st.lists(st.tuples(FINE, FINE), min_size=3, max_size=8)
)
def test_the_quick_way_finds_the_parts_of_the_exact_way(points: list[tuple[float, float]]) -> None:
    if from_simple(points) is None:
        return
    assert shapely.Polygon(cm.clean(points).vertices).is_valid
    quick, exact = both_ways(points)
    assert exact == quick


@pytest.mark.parametrize("seed", range(60))
def test_stars_and_walks_round_a_grid_are_divided_alike(seed: int) -> None:
    """In both windings, closed or not, small, large and far away."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    angles = np.sort(rng.uniform(0, 2 * math.pi, n)) if seed % 2 else np.arange(n) * 2 * math.pi / n
    sizes = rng.uniform(0.2, 1.0, n) if seed % 3 else np.where(np.arange(n) % 2, 1.0, 0.5)
    points = np.stack((sizes * np.cos(angles), sizes * np.sin(angles)), axis=1)
    points = (points + (0.0 if seed % 4 else 1e6)) * 10.0 ** rng.integers(-9, 9)
    if seed % 5 == 0:
        points = np.concatenate((points[:1], points[:0:-1], points[:1]))
    quick, exact = both_ways([(x, y) for x, y in points.tolist()])
    assert quick is None or quick == exact
    assert quick is not None or n < 5 or seed % 4 == 0


def test_what_is_in_doubt_goes_the_exact_way() -> None:
    in_doubt = [
        [(0, 0), (1, 0), (2, 0), (2, 2), (0, 1)],  # a straight corner
        [(0, 0), (2, 0), (2, 2), (1, 0), (0, 2)],  # it touches itself
        [(0, 0), (2, 0), (0, 2), (2, 2)],  # it crosses itself
        [(0, 0), (1, 0), (1, 0), (1, 1)],  # a point given twice
        [(0, 0), (4, 0), (4, 1), (1e-150, 2.5e-151)],  # numbers whose products vanish
        [(0, 0), (1, 0)],
    ]
    for points in in_doubt:
        table = np.array(points, dtype=np.float64)
        cells, simple = cells_of(table, np.array([0, len(points)]))
        assert not simple[0] and not cells.corners.size
    with pytest.raises(ValueError, match="crosses"):
        cm.decompose(in_doubt[2])
    assert cm.decompose(in_doubt[0]).area == 3.0


@pytest.mark.parametrize("far", [0.0, 1e7, 2.0**52])
def test_turns_within_rounding_are_decided(far: float) -> None:
    """An ulp beside the straight line, on either side of it, and on it."""
    for nudge in (-1, 0, 1):
        y = 3.0 + far if nudge == 0 else float(np.nextafter(3.0 + far, math.inf * nudge))
        points = [(far, far), (9.0 + far, far + 9.0), (far, far + 9.0), (far + 2.0, far + 4.0), (far + 3.0, y)]
        if nudge < 0:  # the last point lies beyond the first side
            assert from_simple(points) is None
            with pytest.raises(ValueError, match="crosses"):
                cm.decompose(points)
            continue
        quick, exact = both_ways(points)
        assert quick == exact


def test_many_outlines_of_which_some_are_in_doubt_keep_their_order() -> None:
    good = [(0, 0), (4, -2), (3, 0), (4, 2)]
    bent = [(0, 0), (2, 0), (4, 0), (4, 4), (2, 1)]
    regions = [shapely.Polygon(ring) for ring in (good, bent, good[::-1])]
    many = cm.Shapes.from_shapely(regions)
    assert many.owner.tolist() == [0, 0, 1, 1, 2, 2]
    assert np.bincount(many.owner, [shape.area for shape in many]).tolist() == shapely.area(regions).tolist()


@pytest.mark.parametrize("spikes", [40, 400])
def test_of_two_edges_that_touch_one_pair_is_enough_to_find(spikes: int) -> None:
    """A star is in order; one point moved onto, or just beyond, another of its edges is not."""
    angles = np.arange(2 * spikes) * math.pi / spikes
    sizes = np.where(np.arange(2 * spikes) % 2 == 0, 1.0, 0.4)
    star = np.stack((sizes * np.cos(angles), sizes * np.sin(angles)), axis=1)
    rng = np.random.default_rng(spikes)
    for at in rng.integers(0, 2 * spikes, 30).tolist():
        whole = np.array([0, 2 * spikes])
        moved = star.copy()
        beside = (at + int(rng.integers(2, 6))) % (2 * spikes)
        share = rng.choice((0.0, 0.5, 0.5 + 2.0**-30))
        moved[at] = moved[beside] + share * (moved[(beside + 1) % (2 * spikes)] - moved[beside])
        _, simple = cells_of(moved.copy(), whole)
        valid = shapely.is_valid(shapely.Polygon(moved)) and np.unique(moved, axis=0).shape == moved.shape
        assert simple[0] <= valid
    assert cells_of(star, np.array([0, 2 * spikes]))[1][0]


@pytest.mark.parametrize("teeth", [3, 30])
def test_points_on_two_lines_and_equal_edges_are_put_in_order_as_by_the_exact_way(teeth: int) -> None:
    """All edges to and fro are equally long, and none goes inward but at the bottoms of the gaps, which slope."""
    outline = [(0.0, -1.0), (4.0 * teeth, -1.0)]
    for k in range(teeth, 0, -1):
        outline += [(4.0 * k, 4.0), (4.0 * k - 2.0, 4.0), (4.0 * k - 2.0, k % 2 + 1.0), (4.0 * k - 4.0, k % 2 + 1.0)]
    quick, exact = both_ways(outline[:-1])
    assert quick is not None and quick == exact


@given(st.lists(st.tuples(GRID, GRID), min_size=3, max_size=9, unique=True))
def test_the_sweep_finds_every_touch(points: list[tuple[float, float]]) -> None:
    """Against each pair of edges in fractions, for outlines whose corners all turn."""
    count = len(points)
    edges = [(points[k], points[(k + 1) % count]) for k in range(count)]
    turns = [orientation(points[k - 1], points[k], points[(k + 1) % count]) for k in range(count)]
    found = cells_of(np.array(points), np.array([0, count]))[1][0]
    apart = all(
        {*edges[i]} & {*edges[j]} or not segments_touch(*edges[i], *edges[j]) for i in range(count) for j in range(i)
    )
    assert found == (apart and 0 not in turns)


def segments_touch(a: Point2, b: Point2, c: Point2, d: Point2) -> bool:
    """Tell whether two segments have a point in common; all numbers are whole and small, so every sum is exact."""
    if orientation(a, b, c) * orientation(a, b, d) > 0 or orientation(c, d, a) * orientation(c, d, b) > 0:
        return False
    return all(min(max(a[k], b[k]), max(c[k], d[k])) >= max(min(a[k], b[k]), min(c[k], d[k])) for k in range(2))


@given(
    st.lists(st.tuples(GRID, GRID) | st.tuples(FINE, FINE), min_size=3, max_size=9), st.sampled_from((0.0, 0.1, 1e7))
)
def test_parts_made_when_asked_for_are_those_of_their_vertices(points: list[tuple[float, float]], far: float) -> None:
    """Asked before a motion or after it, of a copy from a file, too: each is the polygon that the user would make."""
    try:
        asked, other = cm.decompose(points), cm.decompose(points)
    except ValueError:
        return
    assert other._parts is None
    local = [cm.Polygon([asked._local[i] for i in part.vertex_ids], vertex_ids=part.vertex_ids) for part in asked.parts]
    assert list(asked._pieces) == local
    moved, kept = other.translated((far, -far)), pickle.loads(pickle.dumps(other))
    assert moved._parts is None
    assert moved.parts == asked.translated((far, -far)).parts
    assert other.parts == asked.parts == kept.parts and kept == other == asked and hash(kept) == hash(asked)
    assert outside(kept._made) == outside(asked._made)
    probe = cm.Point((1.5 + far, 1.5 - far))
    assert cm.separation(moved, probe) == cm.separation(asked.translated((far, -far)), probe)
