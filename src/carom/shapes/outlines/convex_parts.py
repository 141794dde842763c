"""Convex parts of a region: its triangles, joined wherever two parts make a convex one.

In: points, an outline and its holes as rings of their rows. Out: rings of rows, counter-clockwise, convex, that fit
together along whole edges. No point is made anew and every decision on shape is exact. Any frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from carom.shapes.outlines.boundary import Boundary, Ring, boundary
from carom.shapes.outlines.clean_convex import orientation
from carom.shapes.outlines.rings import cycles
from carom.shapes.outlines.simple_cells import MOST_TRIED, OTHER_STARTS, may_be_many
from carom.shapes.outlines.triangulate import Triangle, triangles_from, triangulate
from carom.vector import Point2

Cell = tuple[int, ...]


def convex_parts(where: str, points: Sequence[Point2], rings: Sequence[Ring]) -> list[Cell]:
    """Return the rows round each convex part of the region in the first of `rings` and outside the others.

    Each part begins with its least row, and the parts are in order. A part may have corners of 180 degrees, where
    other parts meet at its edge.

    Raises
    ------
    ValueError
        Edges cross or run along one another, a ring has no area, or a hole is not inside the outline.
    """
    border = boundary(where, points, rings)
    cells = _joined(border.places, triangulate(where, border))
    if len(rings) == 1 and len(border.rings) == 1 and len(border.rings[0]) <= MOST_TRIED:
        cells = _fewest(border, cells)
    named = [[border.rows[place] for place in cell] for cell in cells]
    return sorted(tuple(cell[(least := cell.index(min(cell))) :] + cell[:least]) for cell in named)


def _fewest(border: Boundary, cells: list[Cell]) -> list[Cell]:
    """Return the cells of one outline, or fewer from triangles that begin elsewhere; see `simple_cells`."""
    (ring,), places = border.rings, border.places
    before, after = [*ring[-1:], *ring[:-1]], [*ring[1:], *ring[:1]]
    turns = [orientation(places[p], places[v], places[n]) for p, v, n in zip(before, ring, after, strict=True)]
    inward = np.array(sum(sign < 0 for sign in turns))
    for eighths in OTHER_STARTS:
        if not may_be_many(np.array(len(cells)), inward):
            break
        triangles = triangles_from(border, len(ring) * eighths // 8)
        other = _joined(places, triangles) if triangles else cells
        cells = other if len(other) < len(cells) else cells
    return cells


def _joined(places: Sequence[Point2], triangles: Sequence[Triangle]) -> list[Cell]:
    """Return convex cells made of triangles.

    The longest inner edges are taken away first, each if it leaves no corner of more than 180 degrees at its ends: at
    most four times as many cells as the fewest possible. (S. Hertel and K. Mehlhorn, Fast triangulation of simple
    polygons, 1983.)
    """
    corners = [place for triangle in triangles for place in triangle]
    following = [k - 2 if k % 3 == 2 else k + 1 for k in range(len(corners))]
    edges = {(a, corners[after]): k for k, (a, after) in enumerate(zip(corners, following, strict=True))}
    inner = [(a, b) for a, b in edges if a < b and (b, a) in edges]
    inner.sort(key=lambda edge: (-_square(places[edge[0]], places[edge[1]]), edge))
    gone = bytearray(len(corners))
    pairs = [(edges[a, b], edges[b, a]) for a, b in inner]
    join(pairs, [places[place] for place in corners], following, gone)
    order, first = cycles(following, gone)
    around, begins = [corners[k] for k in order.tolist()], [*first.tolist(), order.size]
    return [tuple(around[begin:end]) for begin, end in pairwise(begins)]


def _square(p: Point2, q: Point2) -> float:
    """Return the square of a distance."""
    dx, dy = p[0] - q[0], p[1] - q[1]
    return dx * dx + dy * dy


def join(pairs: Iterable[tuple[int, int]], points: list[Point2], following: list[int], gone: bytearray) -> None:
    """Take away each pair of edges whose ends stay convex; edges are named by their first corner."""
    before = [0] * len(following)
    for k, after_it in enumerate(following):
        before[after_it] = k
    for e, f in pairs:
        e_next, f_next, e_last, f_last = following[e], following[f], before[e], before[f]
        # At e's first corner the other piece goes on to the end of the edge after f; at f's likewise.
        if (
            orientation(points[e_last], points[e], points[following[f_next]]) >= 0
            and orientation(points[f_last], points[f], points[following[e_next]]) >= 0
        ):
            following[e_last], before[f_next] = f_next, e_last
            following[f_last], before[e_next] = e_next, f_last
            gone[e] = gone[f] = 1
