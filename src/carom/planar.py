"""From outlines that may touch to the boundary of the region inside them, corner by corner.

In: points, an outline and its holes. Out: the positions in the order of (x, y), each once, and the corners of the
boundary, region on the left, with no other edge inside any corner. Edges with the region on both sides are gone, so
holes may share edges, and an outline may reach its holes through a slit. Every decision is exact. Any frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import NamedTuple

from carom.hulls import orientation
from carom.noding import Edge, Ring, node
from carom.vector import Point2

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
    """Return the boundary of what is left of all `rings`: a counter-clockwise outline, then clockwise holes.

    Raises
    ------
    ValueError : edges cross or run along one another, a ring has no area, or a hole is not inside the outline.
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
    boxes = {ring.name: _box(points, ring.rows) for ring in rings}
    for hole in rings[1:]:
        for ring in rings:
            if ring is hole or (ring is not rings[0] and not _meet(boxes[hole.name], boxes[ring.name])):
                continue
            row = next((row for row in sorted(hole.rows) if points[row] not in touched[ring.name]), None)
            if row is not None and _surrounds(points, ring.rows, points[row]) != (ring is rings[0]):
                place = "outside the outline" if ring is rings[0] else f"inside {ring.name}"
                raise ValueError(f"{where}: {hole.name}[{row - hole.first}] = {points[row]} is {place}")


def _box(points: Sequence[Point2], rows: Sequence[int]) -> tuple[float, float, float, float]:
    xs, ys = [points[row][0] for row in rows], [points[row][1] for row in rows]
    return min(xs), min(ys), max(xs), max(ys)


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _surrounds(points: Sequence[Point2], rows: Sequence[int], p: Point2) -> bool:
    """Tell whether a ring goes round `p`, which is not on it."""
    turns = 0
    for a, b in pairwise((*rows, rows[0])):
        if points[a][1] <= p[1] < points[b][1]:
            turns += orientation(points[a], points[b], p) > 0
        elif points[b][1] <= p[1] < points[a][1]:
            turns -= orientation(points[a], points[b], p) < 0
    return turns != 0
