"""Where the edges of outlines meet: refused where they cross, divided where a point lies on an edge.

In: points and the rings that are made of them. Out: the edges, divided so that two of them share at most an end or all.
Every decision is exact, and no point is made anew. Any frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from carom.hulls import orientation, turns, winding_sign
from carom.vector import Point2


class Ring(NamedTuple):
    """A closed outline: rows of a list of points, in order, and what the user calls it."""

    name: str
    rows: list[int]
    first: int  # the row that the user calls 0


class Edge(NamedTuple):
    """An edge of a ring, in the direction of the ring."""

    ring: Ring
    start: int
    end: int

    def text(self, points: Sequence[Point2]) -> str:
        """Return what an error calls this edge."""
        a, b = self.start - self.ring.first, self.end - self.ring.first
        return f"the edge from {self.ring.name}[{a}] = {points[self.start]} to [{b}] = {points[self.end]}"


def node(where: str, points: Sequence[Point2], rings: Sequence[Ring]) -> list[tuple[Edge, list[Point2]]]:
    """Return each edge with the positions along it: its start, what lies on it in order, its end.

    Raises
    ------
    ValueError : two edges cross, and the text names both; or a ring has no area.
    """
    edges = [Edge(ring, a, b) for ring in rings for a, b in zip(ring.rows, ring.rows[1:] + ring.rows[:1], strict=True)]
    between: list[set[Point2]] = [set() for _ in edges]
    for i, j in _near(points, edges):
        a, b, c, d = (points[row] for edge in (edges[i], edges[j]) for row in edge[1:])
        of_c, of_d, of_a, of_b = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
        if of_c * of_d < 0 and of_a * of_b < 0:
            raise ValueError(f"{where}: {edges[i].text(points)} crosses {edges[j].text(points)}")
        between[i].update(v for v, side in ((c, of_c), (d, of_d)) if side == 0 and _inside(a, b, v))
        between[j].update(v for v, side in ((a, of_a), (b, of_b)) if side == 0 and _inside(c, d, v))
    for ring in rings:
        if winding_sign(points, ring.rows) == 0:
            raise ValueError(f"{where}: {ring.name} has no area: it goes back on its own edges")
    noded = []
    for edge, inner in zip(edges, between, strict=True):
        a, b = points[edge.start], points[edge.end]
        noded.append((edge, [a, *sorted(inner, reverse=a > b), b]))
    return noded


def _near(points: Sequence[Point2], edges: Sequence[Edge]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of edges that may meet, each once: AABBs touch, and neither is surely beside the other."""
    table = np.array(points)
    a, b = table[[edge.start for edge in edges]], table[[edge.end for edge in edges]]
    order = np.argsort(np.minimum(a, b)[:, 0], kind="stable")
    a, b = a[order], b[order]
    (low_x, low_y), (high_x, high_y) = np.minimum(a, b).T, np.maximum(a, b).T
    last = np.searchsorted(low_x, high_x, side="right")
    for k, stop in enumerate(last.tolist()):
        meet = (low_y[k + 1 : stop] <= high_y[k]) & (high_y[k + 1 : stop] >= low_y[k])
        others = np.flatnonzero(meet) + (k + 1)
        (one, spare_one), (two, spare_two) = (turns(a[k], b[k], *ends[others].T) for ends in (a, b))
        beside = ((one > spare_one) & (two > spare_two)) | ((one < -spare_one) & (two < -spare_two))
        for other in others[~beside].tolist():
            yield int(order[k]), int(order[other])


def _side(p: Point2, q: Point2, v: Point2) -> int:
    """Return on which side of the line from `p` to `q` a point lies: left 1, right -1, on it 0."""
    return 0 if v in (p, q) else orientation(p, q, v)


def _inside(p: Point2, q: Point2, v: Point2) -> bool:
    """Tell whether `v`, on the line through `p` and `q`, lies between them and is neither of them."""
    return min(p, q) < v < max(p, q)  # on a line, order by (x, y) is order along it
