"""Regions with many holes: cut into pieces without holes, each met in one stretch by every vertical line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import carom as cm
from carom.shapes.outlines import region_cells, triangulate

Floats = NDArray[np.float64]


def holes_in_cells(seed: int, side: int, aligned: bool) -> tuple[Floats, list[Floats]]:
    """Return a wavy outline round cells with a hole in most of them: turned polygons and stars, or squares in rows."""
    rng = np.random.default_rng(seed)
    around = [(k, -1.0 - 0.5 * (k % 2)) for k in range(-1, side + 1)]
    around += [(side + 1.0, k) for k in range(-1, side + 1)]
    around += [(k, side + 1.0 + 0.5 * (k % 2)) for k in range(side + 1, -1, -1)]
    around += [(-1.0 - 0.5 * (k % 2), k) for k in range(side, 0, -1)]
    holes = []
    for x in range(side):
        for y in range(side):
            count = 4 if aligned else rng.integers(3, 12).item()
            angles = np.sort(rng.uniform(0, 2 * np.pi, count)) if not aligned else np.pi * (np.arange(4) / 2 + 0.25)
            reach = 0.4 if aligned else rng.uniform(0.1, 0.45, count)
            hole = np.stack((np.cos(angles), np.sin(angles)), axis=1) * np.reshape(reach, (-1, 1)) + (x + 0.5, y + 0.5)
            hole = hole.round(2)
            if rng.random() < 0.8 and shapely.Polygon(hole).is_valid:
                holes.append(hole[:: -1 if rng.random() < 0.5 else 1])
    return np.array(around, dtype=np.float64), holes


def turns(ranks: Any) -> int:
    """Return how often a ring of ranks goes from rising to falling or back."""
    rises = np.sign(np.roll(ranks, -1) - ranks)
    return int((rises != np.roll(rises, 1)).sum())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 5), st.booleans())
def test_pieces_fill_the_region_and_rise_and_fall_once(seed: int, side: int, aligned: bool) -> None:
    outline, holes = holes_in_cells(seed, side, aligned)
    if not holes:
        return
    expected = shapely.Polygon(outline, holes)
    found: list[tuple[Floats, Any, Any, Any]] = []
    cut = region_cells.cut_into_pieces

    def seen(points: Any, after: Any, rank: Any, cuts: Any, corners: Any, first: Any) -> int:
        count = cut(points, after, rank, cuts, corners, first)
        found.append((points, rank, cuts, np.split(corners[: first[count]], first[1:count])))
        return count

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region_cells, "MANY", 0)
        patch.setattr(region_cells, "cut_into_pieces", seen)
        parts = cm.decompose(outline, holes).parts
    ((points, rank, cuts, pieces),) = found
    assert len(pieces) == len(cuts) + 1 - len(holes)
    assert all(turns(rank[piece]) == 2 for piece in pieces)
    polygons = [shapely.Polygon(points[piece]) for piece in pieces]
    assert all(polygon.is_valid and polygon.exterior.is_ccw for polygon in polygons)
    for covering in (polygons, [shapely.Polygon(part.vertices) for part in parts]):
        assert sum(one.area for one in covering) == pytest.approx(expected.area, rel=1e-12)
        assert shapely.unary_union(covering).symmetric_difference(expected).area < 1e-9


def test_thousands_of_holes_are_not_left_to_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    outline, holes = holes_in_cells(3, 60, False)
    library = triangulate.triangulate_float64
    rings: list[int] = []

    def counted(points: Any, ends: Any) -> Any:
        rings.append(len(ends))
        return library(points, ends)

    monkeypatch.setattr(triangulate, "triangulate_float64", counted)
    parts = cm.decompose(outline, holes).parts
    assert max(rings) == 1 and len(rings) > 1000
    assert sum(part.area for part in parts) == pytest.approx(shapely.Polygon(outline, holes).area, rel=1e-12)
