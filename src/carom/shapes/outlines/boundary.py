"""From outlines that may touch to the boundary of the region inside them, corner by corner.

In: points, an outline and its holes as rings of rows of these points. Out: the positions in the order of (x, y), each
once, and the corners of the boundary, region on the left, with no other edge inside any corner. First each edge is
divided where a point lies on it, so that two edges share at most an end or all; edges that cross are refused. Then
edges with the region on both sides are taken away, so holes may share edges, and an outline may reach its holes through
a slit. Every decision is exact, and no point is made anew. Any frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from carom.shapes.outlines.clean_convex import box_around, boxes_touch, doubled_areas, orientation, winding_sign
from carom.vector import Point2


class Ring(NamedTuple):
    """A closed outline: rows of a list of points, in order, and the name that the user knows it by."""

    name: str
    rows: list[int]
    first: int  # the row that the user calls 0


class Edge(NamedTuple):
    """An edge of a ring, in the direction of the ring."""

    ring: Ring
    start: int
    end: int

    def text(self, points: Sequence[Point2]) -> str:
        """Return the name of this edge in errors."""
        a, b = self.start - self.ring.first, self.end - self.ring.first
        return f"the edge from {self.ring.name}[{a}] = {points[self.start]} to [{b}] = {points[self.end]}"


def node(where: str, points: Sequence[Point2], rings: Sequence[Ring]) -> list[tuple[Edge, list[Point2]]]:
    """Return each edge with the positions along it: its start, the points on it in order, its end.

    Raises
    ------
    ValueError
        Two edges cross, and the text names both; or a ring has no area.
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
        (one, spare_one), (two, spare_two) = (doubled_areas(a[k], b[k], *ends[others].T) for ends in (a, b))
        beside = ((one > spare_one) & (two > spare_two)) | ((one < -spare_one) & (two < -spare_two))
        for other in others[~beside].tolist():
            yield int(order[k]), int(order[other])


def _side(p: Point2, q: Point2, v: Point2) -> int:
    """Return on which side of the line from `p` to `q` a point lies: left 1, right -1, on it 0."""
    return 0 if v in (p, q) else orientation(p, q, v)


def _inside(p: Point2, q: Point2, v: Point2) -> bool:
    """Tell whether `v`, on the line through `p` and `q`, lies between them and is neither of them."""
    return min(p, q) < v < max(p, q)  # on a line, order by (x, y) is order along it


Edges = dict[tuple[int, int], Edge]


class Boundary(NamedTuple):
    """The boundary of a region, region on the left; positions are numbered in the order of (x, y)."""

    rows: list[int]  # for each position the first row of the points that lies there
    places: list[Point2]  # the positions
    rings: list[list[int]]  # the rings as they were given, if none touches itself or another; else empty
    here: list[int]  # for each corner its position
    before: list[int]  # the corner before it
    after: list[int]  # the corner after it

    def edges(self) -> set[tuple[int, int]]:
        """Return the edges of the boundary as pairs of positions."""
        return {(here, self.here[after]) for here, after in zip(self.here, self.after, strict=True)}


def boundary(where: str, points: Sequence[Point2], rings: Sequence[Ring]) -> Boundary:
    """Return the boundary of the region that all `rings` leave: a counter-clockwise outline, then clockwise holes.

    Raises
    ------
    ValueError
        Edges cross or run along one another, a ring has no area, or a hole is not inside the outline.
    """
    noded = node(where, points, rings)
    _check_holes(where, points, rings, noded)
    used = sorted({row for ring in rings for row in ring.rows}, key=lambda row: (points[row], row))
    rows = [row for k, row in enumerate(used) if k == 0 or points[row] != points[used[k - 1]]]
    numbers = {points[row]: number for number, row in enumerate(rows)}
    tracks = [(edge, [numbers[v] for v in along]) for edge, along in noded]
    apart = len(rows) == len(noded) and all(len(track) == 2 for _, track in tracks)
    edges = _net(where, points, tracks)
    if not edges:
        raise ValueError(f"{where}: holes leave nothing of the outline")
    corners = _corners(where, points, rows, edges)
    entered = {(before, here): k for k, (before, here, _) in enumerate(corners)}
    left = {(here, after): k for k, (_, here, after) in enumerate(corners)}
    return Boundary(
        rows,
        [points[row] for row in rows],
        [[numbers[points[row]] for row in ring.rows] for ring in rings] if apart else [],
        [here for _, here, _ in corners],
        [left[before, here] for before, here, _ in corners],
        [entered[here, after] for _, here, after in corners],
    )


def _net(where: str, points: Sequence[Point2], tracks: Sequence[tuple[Edge, list[int]]]) -> Edges:
    """Return the steps from position to position that remain where one there and one back cancel, and their edges."""
    net: defaultdict[tuple[int, int], list[Edge]] = defaultdict(list)
    for edge, track in tracks:
        for a, b in pairwise(track):
            if net[b, a]:
                net[b, a].pop()
            else:
                net[a, b].append(edge)
    for edges in net.values():
        if len(edges) > 1:
            raise ValueError(f"{where}: {edges[0].text(points)} runs along {edges[1].text(points)}")
    return {ends: edges[0] for ends, edges in net.items() if edges}


def _corners(where: str, points: Sequence[Point2], rows: Sequence[int], edges: Edges) -> list[tuple[int, int, int]]:
    """Return each corner as positions (before, here, after).

    Seen from a position, edges that leave and edges that come in must alternate; the region lies counter-clockwise
    of each that leaves, up to the next that comes in. Where they do not, two outlines cross.
    """
    places = [points[row] for row in rows]
    around: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
    for a, b in edges:
        around[a].append((b, True))
        around[b].append((a, False))
    corners = []
    for here, ends in around.items():
        if len(ends) > 2:
            ends.sort(key=cmp_to_key(lambda a, b, here=here: _order(places, here, a[0], b[0])))  # type: ignore[misc]
        for (b, leaves), (a, leaves_too) in zip(ends, ends[1:] + ends[:1], strict=True):
            if leaves == leaves_too:
                one, other = (edges[(here, end) if leaves else (end, here)] for end in (a, b))
                raise ValueError(f"{where}: {one.text(points)} crosses {other.text(points)} at {places[here]}")
            if leaves:
                corners.append((a, here, b))
    return corners


def _order(places: Sequence[Point2], here: int, a: int, b: int) -> int:
    """Compare two other positions by their direction from `here`, counter-clockwise from straight down."""
    if (a > here) != (b > here):
        return -1 if a > here else 1
    return -orientation(places[here], places[a], places[b])


def _check_holes(
    where: str, points: Sequence[Point2], rings: Sequence[Ring], noded: Sequence[tuple[Edge, list[Point2]]]
) -> None:
    """Refuse holes outside the outline or inside one another, where known not to cross.

    One point of a hole that is not on the other ring tells; where all are, the corners have told.
    """
    touched: dict[str, set[Point2]] = {ring.name: set() for ring in rings}
    for edge, along in noded:
        touched[edge.ring.name].update(along)
    boxes = {ring.name: box_around([points[row] for row in ring.rows]) for ring in rings}
    for hole in rings[1:]:
        for ring in rings:
            if ring is hole or (ring is not rings[0] and not boxes_touch(boxes[hole.name], boxes[ring.name])):
                continue
            row = next((row for row in sorted(hole.rows) if points[row] not in touched[ring.name]), None)
            if row is not None and surrounds(points, ring.rows, points[row]) != (ring is rings[0]):
                place = "outside the outline" if ring is rings[0] else f"inside {ring.name}"
                raise ValueError(f"{where}: {hole.name}[{row - hole.first}] = {points[row]} is {place}")


def surrounds(points: Sequence[Point2], rows: Sequence[int], p: Point2) -> bool:
    """Tell whether a ring goes round `p`, which is not on it."""
    turns = 0
    for a, b in pairwise((*rows, rows[0])):
        if points[a][1] <= p[1] < points[b][1]:
            turns += orientation(points[a], points[b], p) > 0
        elif points[b][1] <= p[1] < points[a][1]:
            turns -= orientation(points[a], points[b], p) < 0
    return turns != 0
