"""Grids of cells as rows of a set: against `read_grid`, which merges them another way, and against Shapely."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.outlines.of_cells import boxes_of, rings_of_cells

GRIDS = st.integers(1, 9).flatmap(
    lambda w: st.lists(st.lists(st.booleans(), min_size=w, max_size=w), min_size=1, max_size=9)
)


def text_of(rows: Any) -> str:
    """Return the drawing of a grid with an empty frame around it, since lines of blanks at the ends do not count."""
    return "\n".join("".join("#" if cell else "." for cell in row) for row in np.pad(np.array(rows), 1))


@given(GRIDS)
def test_boxes_and_rings_are_those_that_read_grid_makes(rows: Any) -> None:
    solid = np.array(rows)
    level = cm.read_grid(text_of(rows))
    boxes = cm.Shapes.from_grid(solid, origin=(1, 1))
    assert sorted(boxes.bounds.tolist()) == sorted(level.solids.bounds.tolist())
    rings = rings_of_cells(solid, boxes_of(solid))
    assert np.array_equal(rings.points + 1.0, level._rings.points)
    assert np.array_equal(rings.first, level._rings.first)
    assert np.array_equal(np.unique(rings.region, return_inverse=True)[1], level._rings.region)


@given(GRIDS, st.booleans(), st.sampled_from([1.0, 0.05, 1e-3, 7.0]), st.sampled_from([(0.0, 0.0), (-3.1, 0.7)]))
def test_boxes_fill_the_cells_and_outlines_go_round_them(
    rows: Any, up: bool, size: float, origin: tuple[float, float]
) -> None:
    solid = np.array(rows)
    boxes = cm.Shapes.from_grid(solid, size, origin, y_up=up)
    assert boxes.areas.sum() == pytest.approx(solid.sum() * size * size, rel=1e-9)
    row, column = np.nonzero(solid[::-1] if up else solid)
    middles = np.array(origin) + np.stack((column + 0.5, row + 0.5), axis=1) * size
    for x, y in middles.tolist():
        assert np.count_nonzero(cm.contains(boxes, (x, y))) == 1
    edges = cm.Shapes.from_grid(solid, size, origin, y_up=up, outlines=True)
    union = shapely.union_all(shapely.box(*boxes.bounds.T)).boundary if len(boxes) else shapely.LineString()
    assert shapely.length(edges.to_shapely()).sum() == pytest.approx(union.length, rel=1e-9)
    regions = shapely.get_num_geometries(shapely.union_all(shapely.box(*cm.Shapes.from_grid(solid).bounds.T)))
    assert len(set(edges.owner.tolist())) >= (regions if solid.any() else 0)


def test_thresholds_say_which_numbers_are_solid() -> None:
    grey = np.array([[0, 100, 205, 254]], dtype=np.uint8)

    def columns(**ends: float) -> list[float]:
        return cm.Shapes.from_grid(grey, **ends).bounds[:, [0, 2]].ravel().tolist()

    assert columns(below=128) == [0.0, 2.0]
    assert columns(above=100) == [2.0, 4.0]
    assert columns(above=0, below=254) == [1.0, 3.0]
    assert columns(below=1000) == [0.0, 4.0]
    assert columns(above=254.5) == []
    occupancy = np.array([[-1, 0, 100]], dtype=np.int8)
    assert cm.Shapes.from_grid(occupancy, above=50).bounds.tolist() == [[2.0, 0.0, 3.0, 1.0]]


def test_flush_cells_stay_flush_at_any_size() -> None:
    rng = np.random.default_rng(3)
    solid = rng.random((60, 80)) < 0.6
    bounds = cm.Shapes.from_grid(solid, 0.1, (-3.3, 1e6 + 0.1)).bounds
    lines = -3.3 + np.arange(81) * 0.1, 1e6 + 0.1 + np.arange(61) * 0.1
    for axis in (0, 1):
        assert np.isin(bounds[:, [axis, axis + 2]], lines[axis]).all()


@pytest.mark.parametrize(
    ("array", "options", "expected"),
    [
        ([[True]], {"above": 1}, "above = 1.0 is for numbers; the array has truths"),
        ([[1, 0]], {}, "array has numbers; say which are solid, as in above=0"),
        (np.zeros((2, 2, 3)), {"above": 0}, r"array has shape \(2, 2, 3\).* one channel"),
        (np.array([1.0, 2.0]), {"above": 0}, r"array has shape \(2,\)"),
        ([[1.0, float("nan")]], {"above": 0}, r"array\[0\]\[1\] = nan"),
        ([[True, True]], {"cell_size": 1e300}, "cell_size = 1e\\+300"),
        ([[True, True]], {"cell_size": 1e-9, "origin": (1e9, 0)}, "cell_size = 1e-09 leaves cells smaller"),
        ([[True]], {"cell_size": 0}, "cell_size = 0 must be positive"),
        ([["a"]], {}, r"array\[0\] = .* must be a row"),
        ([[1, 2], [3]], {"above": 0}, r"array\[1\] has 1 cells; the first row has 2"),
        (np.ma.masked_equal([[1, 2]], 2), {"above": 0}, "array = .* must not be masked"),
    ],
)
def test_what_is_no_grid_is_refused(array: Any, options: dict[str, Any], expected: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"Shapes.from_grid: {expected}"):
        cm.Shapes.from_grid(array, **options)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (3, 4)])
@pytest.mark.parametrize("outlines", [False, True])
def test_grids_without_solid_cells_have_no_rows(shape: tuple[int, int], outlines: bool) -> None:
    assert len(cm.Shapes.from_grid(np.zeros(shape, dtype=np.bool_), outlines=outlines)) == 0


@given(st.integers(0, 140), st.integers(0, 4), st.integers(0, 2**32 - 1))
def test_pixels_of_a_mask_are_those_that_it_tells(width: int, height: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    solid = rng.random((height, width)) < 0.9
    mask = pygame.Mask((width, height))
    for y, x in np.argwhere(solid).tolist():
        mask.set_at((x, y))
    assert sum(shape.area for shape in cm.convert.from_pygame(mask)) == mask.count()
    boxes = boxes_of(cm.convert._pixels(mask))
    assert np.array_equal(boxes, boxes_of(solid))
