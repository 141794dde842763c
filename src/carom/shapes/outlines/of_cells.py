"""Outlines of the cells that are set in a grid, such as the pixels of a mask.

In: the set cells as pairs of whole numbers; cell (x, y) is the square from there to (x + 1, y + 1). Out: for each group
of cells joined by their sides its outline and its holes, corners only. Frame and units of the grid.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from carom.shapes.outlines.rings import components, trace
from carom.vector import Point2

Cell = tuple[int, int]
Outline = list[Point2]

# Each side of a cell goes from one corner to the next, the cell on its left; beyond it lies another cell.
_CORNERS = np.array(((0, 0), (1, 0), (1, 1), (0, 1), (0, 0)))
_BEYOND = ((0, -1), (1, 0), (0, 1), (-1, 0))


def outlines(cells: Iterable[Cell]) -> list[tuple[Outline, list[Outline]]]:
    """Return outline and holes of each group of cells joined by their sides, in the order of their first cells.

    Outlines are counter-clockwise in (x, y), holes clockwise; they may touch themselves and one another at corners.
    Each begins where the first of its sides does, cell by cell.
    """
    places = {cell: k for k, cell in enumerate(sorted(set(cells)))}
    if not places:
        return []
    beyond = np.array([[places.get((x + dx, y + dy), -1) for dx, dy in _BEYOND] for x, y in places])
    joined, side = np.nonzero(beyond >= 0)
    group = components(len(places), joined, beyond[joined, side])
    cell, side = np.nonzero(beyond < 0)
    lower = np.array(list(places))[cell]
    start, way = lower + _CORNERS[side], np.diff(_CORNERS, axis=0)[side]
    seen: dict[tuple[int, ...], int] = {}
    first = [seen.setdefault(corner, len(seen)) for corner in zip(group[cell].tolist(), *start.T.tolist(), strict=True)]
    order = np.lexsort((way[:, 1], way[:, 0], np.array(first)))
    points, begins, region = trace(start[order] + 0.0, (start + way)[order] + 0.0, group[cell][order], twice=True)
    around = [[(x, y) for x, y in points[begin:end].tolist()] for begin, end in pairwise(begins.tolist())]
    found: dict[int, list[Outline]] = {}
    for number, ring in zip(region.tolist(), around, strict=True):
        found.setdefault(number, []).append(ring)
    return [(outline, holes) for outline, *holes in found.values()]
