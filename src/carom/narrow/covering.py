"""Whether rounded convex parts together cover a convex shape, where that can be told exactly.

In: exact cores and radii. Out: yes, no, or None where neither is found. No: a point of the shape that is in no part.
Yes: triangles that cover the shape, each with its three corners in one part, which is convex. A shape that fills the
outline of the parts to the last point may have neither. Asked rarely, and answered in fractions. World frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from carom.narrow.seams import Exact, cross, edges, squared_distance

Rounded = tuple[list[Exact], Fraction]  # core and radius

MOST_TRIANGLES = 400
"""So many triangles are looked at before the question is given up: each takes some tens of microseconds."""

QUARTER = [Fraction(k, 4) for k in range(4)]  # tangents of half the angles


def is_covered(shape: Rounded, parts: Sequence[Rounded]) -> bool | None:
    """Tell whether parts cover a shape."""
    core, radius = shape
    known: dict[Exact, frozenset[int]] = {}

    def owners(point: Exact) -> frozenset[int]:
        if point not in known:
            known[point] = frozenset(k for k, part in enumerate(parts) if has_point(part, point))
        return known[point]

    if any(not owners(point) for point in _points_of(shape)):
        return False
    outline = _around(core, radius) if radius else core
    todo = [[outline[0], p, q] for p, q in pairwise(outline[1:])] if len(outline) > 2 else [[*outline, outline[-1]]]
    for _ in range(MOST_TRIANGLES):
        if not todo:
            return True
        triangle = todo.pop()
        held = [owners(point) for point in triangle]
        if held[0] & held[1] & held[2]:
            continue
        if not all(held):
            return None if radius else False
        lengths = [(q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2 for p, q in edges(triangle)]
        k = lengths.index(max(lengths))
        p, q, other = triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]
        middle = (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
        if other in (p, q):  # a segment
            todo += [[p, middle, middle], [middle, q, q]]
        else:
            todo += [[p, middle, other], [middle, q, other]]
    return True if not todo else None


def has_point(part: Rounded, point: Exact) -> bool:
    """Tell whether a rounded convex part has a point."""
    core, radius = part
    if len(core) > 2 and all(cross(p, q, point) >= 0 for p, q in edges(core)):
        return True
    return min(squared_distance(point, p, q) for p, q in edges(core)) <= radius * radius


def _directions() -> list[Exact]:
    """Return unit vectors all round, exactly, counter-clockwise."""
    quarter = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in QUARTER]
    half = quarter + [(-y, x) for x, y in quarter]
    return half + [(-x, -y) for x, y in half]


def _points_of(shape: Rounded) -> list[Exact]:
    """Return some points of a shape: the core's corners, or points all round them."""
    core, radius = shape
    if not radius:
        return list(core)
    return [(x + radius * ux, y + radius * uy) for x, y in core for ux, uy in _directions()]


def _around(core: Sequence[Exact], radius: Fraction) -> list[Exact]:
    """Return a polygon around a rounded shape, its corners counter-clockwise."""
    directions = _directions()
    tops = []
    for (ux, uy), (vx, vy) in zip(directions, [*directions[1:], directions[0]], strict=True):
        share = radius / (1 + ux * vx + uy * vy)
        tops.append((share * (ux + vx), share * (uy + vy)))
    return _hull([(x + dx, y + dy) for x, y in core for dx, dy in tops])


def _hull(points: Sequence[Exact]) -> list[Exact]:
    """Return the corners of the convex hull, counter-clockwise."""
    ordered = sorted(set(points))
    found: list[Exact] = []
    for way in (ordered, ordered[::-1]):
        half: list[Exact] = []
        for point in way:
            while len(half) > 1 and cross(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        found += half[:-1]
    return found
