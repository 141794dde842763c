"""Polygons of many kinds on a small grid, and places on and beside them: what tests of polygons by their edges ask.

In: a seed and a count. Out: valid Shapely polygons with holes, places, or the same with other numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

import carom as cm

GRID = 9


def by_parts(shapes: cm.Shapes) -> cm.Shapes:
    """Return a set that knows nothing but its convex parts."""
    return cm.Shapes.concatenate([shapes])


def star(rng: np.random.Generator) -> Any:
    """Return a polygon round a place of the grid, whose corners are whole numbers; some have a hole."""
    x, y = rng.integers(0, GRID, 2)
    angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(4, 12)))
    sizes = rng.uniform(1, 4, angles.size)
    corners = np.rint(np.stack((x + sizes * np.cos(angles), y + sizes * np.sin(angles)), axis=1))
    return shapely.Polygon(corners)


def cells(rng: np.random.Generator) -> Any:
    """Return squares of the grid as one region: with holes, holes that touch, and places where it touches itself."""
    at = rng.integers(0, 4, (rng.integers(3, 11), 2)) + rng.integers(0, GRID - 3, 2)
    return shapely.union_all(shapely.box(*at.T, *(at + 1).T))


def comb(rng: np.random.Generator) -> Any:
    """Return a comb with many teeth, upright or lying."""
    x, y = rng.integers(0, GRID, 2).tolist()
    teeth = [(x + k / 2, y + 1 + 3 * (k % 2)) for k in range(15)]
    corners = [(x, y), *teeth, (x + 7, y)]
    return shapely.Polygon(corners if rng.integers(2) else [(b, a) for a, b in corners])


def frame(rng: np.random.Generator) -> Any:
    """Return a square with holes that may touch it and each other."""
    x, y = rng.integers(0, GRID, 2).tolist()
    whole = shapely.box(x, y, x + 5, y + 5)
    for _ in range(3):
        hole = np.vstack((rng.integers(0, 6, (1, 2)), rng.integers(1, 5, (3, 2)))) + np.array([x, y])
        polygon = shapely.Polygon(hole)
        if polygon.is_valid and polygon.area:
            ring = shapely.Polygon(whole.exterior, [*whole.interiors, polygon.exterior])
            whole = ring if ring.is_valid else whole
    return whole


def scene(seed: int, count: int) -> NDArray[Any]:
    """Return valid polygons of all these kinds, none convex alone."""
    rng = np.random.default_rng(seed)
    kinds = (star, cells, comb, frame)
    found = [kinds[k % len(kinds)](rng) for k in range(3 * count)]
    whole: NDArray[Any] = np.array([one for one in found if one.is_valid and one.area][:count])
    return whole


def moved(geometries: NDArray[Any], scale: float, shift: tuple[float, float]) -> NDArray[Any]:
    """Return geometries with other numbers, which are exact for powers of two."""
    found: NDArray[Any] = shapely.transform(geometries, lambda points: points * scale + np.array(shift) * scale)
    return found


def places(seed: int, geometries: NDArray[Any]) -> NDArray[np.float64]:
    """Return places on corners, on edges, on the grid, and anywhere."""
    rng = np.random.default_rng(seed)
    corners = shapely.get_coordinates(geometries)
    lines = shapely.get_coordinates(shapely.segmentize(geometries, 0.75))
    grid = rng.integers(-4, 2 * GRID + 8, (60, 2)) / 2
    return np.concatenate(
        [rng.permutation(corners)[:40], rng.permutation(lines)[:40], grid, rng.uniform(-2, GRID, (40, 2))]
    )
