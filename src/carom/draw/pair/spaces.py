"""How `pairs` and `Index` divide space among boxes, for reading.

In: shapes. Out: the pairs left to test; the table of grids, and which cells hold something; the boxes of the tree. The
numbers are those of the search itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.types import Floats
from carom.broad import grid_levels as grids
from carom.broad.all_pairs import all_pairs, measured
from carom.broad.grid import file_in_cells
from carom.broad.tree import CHILDREN
from carom.broad.tree_slots import Slots
from carom.shapes.base import ConvexShape
from carom.shapes.bounds import Bounds
from carom.shapes.set import Shapes


class Filed(NamedTuple):
    """How boxes are filed in cells."""

    method: str
    """The method of the search: "grid" or "hierarchy" if there are cells."""
    levels: list[list[float]]
    """Rows of the table of `grid_levels`, fine to coarse; none of a single grid."""
    busy: list[bool]
    """Whether a box is filed in each cell of these levels."""
    candidates: tuple[tuple[int, int], ...]
    """Pairs of rows whose AABBs meet."""


def filed(shapes: tuple[ConvexShape, ...]) -> Filed:
    """Return how `pairs` files at least two shapes."""
    boxes = measured(np.ascontiguousarray(Shapes(shapes).bounds))
    found = all_pairs("partition", boxes)
    assert found is not None
    pairs = np.sort(np.stack((found.first, found.second), axis=1), axis=1)
    candidates = tuple(sorted((i, j) for i, j in pairs.tolist()))
    if found.plan.method != "hierarchy":
        return Filed(found.plan.method, [], [], candidates)
    levels: Floats = grids.choose_levels(boxes.bounds, boxes.extent)
    busy = np.diff(file_in_cells(boxes.bounds, levels).starts) > 0
    return Filed(found.plan.method, levels.tolist(), busy.tolist(), candidates)


def nodes_of(shapes: tuple[ConvexShape, ...]) -> list[Bounds]:
    """Return the boxes of the tree that `Index` puts above the shapes, the largest first."""
    rows = Shapes(shapes)
    tree = Slots(rows._buffer, rows._starts, np.ones(len(rows), dtype=np.int64)).tree
    held = tree.boxes.reshape(-1, 4, CHILDREN)
    low, high = held[:, :2].min(axis=2), held[:, 2:].max(axis=2)
    nodes = [Bounds(*low[k].tolist(), *high[k].tolist()) for k in range(len(held)) if (low[k] <= high[k]).all()]
    return list(dict.fromkeys(nodes))
