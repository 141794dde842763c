"""One-way edges that go on in one line are one edge.

In: edges with the direction that they look in. Out: fewer, with the same points on them. Exact for coordinates whose
products are. Any frame and unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from carom.vector import Point2

Edge = tuple[Point2, Point2, Point2]  # from, to, the direction that it looks in


def chained(edges: Sequence[Edge]) -> list[Edge]:
    """Return edges, each once, with those joined that begin in one line where another of their direction ends."""
    single = list(dict.fromkeys(edges))
    begins: dict[tuple[Point2, Point2], list[Edge]] = {}
    for edge in single:
        begins.setdefault((edge[0], edge[2]), []).append(edge)
    following = {edge: _following(edge, begins) for edge in single}
    led = {after for after in following.values() if after is not None}
    found = []
    for edge in single:
        if edge in led:
            continue
        last = edge
        while (after := following[last]) is not None:
            last = after
        found.append((edge[0], last[1], edge[2]))
    return found


def _following(edge: Edge, begins: dict[tuple[Point2, Point2], list[Edge]]) -> Edge | None:
    """Return the edge that goes on in the same line, if there is one."""
    (ax, ay), (bx, by), direction = edge
    for other in begins.get((edge[1], direction), ()):
        dx, dy = other[1][0] - bx, other[1][1] - by
        if (bx - ax) * dy == (by - ay) * dx and (bx - ax) * dx + (by - ay) * dy > 0.0:
            return other
    return None
