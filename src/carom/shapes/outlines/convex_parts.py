"""Convex parts of a region: its triangles, joined wherever two parts make a convex one.

In: points, an outline and its holes as rings of their rows. Out: rings of rows, counter-clockwise, convex, that fit
together along whole edges. No point is made anew and every decision on shape is exact. Any frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from carom.shapes.outlines.boundary import Ring, boundary
from carom.shapes.outlines.clean_convex import orientation
from carom.shapes.outlines.triangulate import Triangle, triangulate
from carom.vector import Point2

Cell = tuple[int, ...]


def convex_parts(where: str, points: Sequence[Point2], rings: Sequence[Ring]) -> list[Cell]:
    """Return the rows round each convex part of the region in the first of `rings` and outside the others.

    Each part begins with its least row, and the parts are in order. A part may have corners of 180 degrees, where
    other parts meet at its edge.

    Raises
    ------
    ValueError : edges cross or run along one another, a ring has no area, or a hole is not inside the outline.
    """
    border = boundary(where, points, rings)
    cells = _joined(border.places, triangulate(where, border))
    named = [[border.rows[place] for place in cell] for cell in cells]
    return sorted(tuple(cell[(least := cell.index(min(cell))) :] + cell[:least]) for cell in named)


def _joined(places: Sequence[Point2], triangles: Sequence[Triangle]) -> list[Cell]:
    """Return convex cells made of triangles.

    The longest inner edges are taken away first, each if it leaves no corner of more than 180 degrees at its ends: at
    most four times as many cells as the fewest possible. (S. Hertel and K. Mehlhorn, Fast triangulation of simple
    polygons, 1983.)
    """
    after = {}
    before = {}
    for a, b, c in triangles:
        after.update({(a, b): c, (b, c): a, (c, a): b})
        before.update({(a, b): c, (b, c): a, (c, a): b})
    inner = [(a, b) for a, b in after if a < b and (b, a) in after]
    for a, b in sorted(inner, key=lambda edge: (-math.dist(places[edge[0]], places[edge[1]]), edge)):
        # On the left of a-b the cell runs p, a, b, s; on its right r, b, a, q.
        p, s = before[a, b], after[a, b]
        r, q = before[b, a], after[b, a]
        if orientation(places[p], places[a], places[q]) < 0 or orientation(places[r], places[b], places[s]) < 0:
            continue
        after[p, a], before[a, q] = q, p
        after[r, b], before[b, s] = s, r
        del after[a, b], after[b, a], before[a, b], before[b, a]
    cells = []
    while after:
        a, b = next(iter(after))
        cell = []
        while (a, b) in after:
            cell.append(a)
            a, b = b, after.pop((a, b))
        cells.append(tuple(cell))
    return cells
