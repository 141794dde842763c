"""Whether flush or rounded convex parts together contain a point, a segment or a convex shape, answered in fractions.

In: exact cores (the corners of parts) and radii. Out: yes or no; for a segment also from where to where it runs along a
line between parts; for rounded parts None where neither answer is found. No is a point of the shape that is in no part.
Yes are triangles that cover the shape, each with its three corners in one part, which is convex. A shape that fills the
outline of rounded parts to the last point may have neither. Asked rarely, since it is slow. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from carom._core.types import Floats
from carom.narrow.exact.integers import compare_outline, compare_with_point
from carom.shapes.hull import cross, edges, hull_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y

Exact = tuple[Fraction, Fraction]
Span = tuple[Fraction, Fraction]  # shares of a segment, from where to where


def exact_core(buffer: Floats | Sequence[float], start: int) -> list[Exact]:
    """Return the core points of a record, without rounding."""
    x, y = Fraction(float(buffer[start + X])), Fraction(float(buffer[start + Y]))
    places = range(start + POINTS, start + POINTS + STRIDE * int(buffer[start + COUNT]), STRIDE)
    return [(x + Fraction(float(buffer[at])), y + Fraction(float(buffer[at + 1]))) for at in places]


def is_surrounded(point: Exact, cores: Iterable[list[Exact]]) -> bool:
    """Tell whether convex polygons that all touch a point leave no direction from it free."""
    sectors: list[tuple[Exact, Exact]] = []  # the two directions that bound each sector, counter-clockwise
    for core in cores:
        here = [(p, q) for p, q in edges(core) if cross(p, q, point) == 0 and min(p, q) <= point <= max(p, q)]
        if len(here) == 1:
            (p, q) = here[0]
            along = q[0] - p[0], q[1] - p[1]
            sectors.append((along, (-along[0], -along[1])))
        elif len(here) == 2:
            leaving = next(((p, q) for p, q in here if p == point), None)
            arriving = next(((p, q) for p, q in here if q == point), None)
            if leaving is not None and arriving is not None:
                ahead = leaving[1][0] - point[0], leaving[1][1] - point[1]
                back = arriving[0][0] - point[0], arriving[0][1] - point[1]
                sectors.append((ahead, back))
    return bool(sectors) and all(any(_goes_on(sector, end) for sector in sectors) for _, end in sectors)


def _goes_on(sector: tuple[Exact, Exact], ray: Exact) -> bool:
    """Tell whether a sector, of at most half a turn, contains a direction that is not its last."""
    first, last = sector
    after_first = first[0] * ray[1] - first[1] * ray[0]
    before_last = ray[0] * last[1] - ray[1] * last[0]
    same = after_first == 0 and first[0] * ray[0] + first[1] * ray[1] > 0
    return same or (after_first > 0 and before_last > 0)


def runs_inside(start: Exact, end: Exact, cores: Iterable[list[Exact]]) -> tuple[Fraction, Fraction] | None:
    """Return from where to where, as shares of a segment, it first runs along a line with polygons on both sides."""
    left: list[tuple[Fraction, Fraction]] = []
    right: list[tuple[Fraction, Fraction]] = []
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    for core in cores:
        for p, q in edges(core):
            if cross(start, end, p) != 0 or cross(start, end, q) != 0:
                continue
            shares = [((v[0] - start[0]) * dx + (v[1] - start[1]) * dy) / square for v in (p, q)]
            low, high = max(min(shares), Fraction(0)), min(max(shares), Fraction(1))
            if low < high:
                (left if shares[0] < shares[1] else right).append((low, high))
    common = [
        (max(low, other_low), min(high, other_high))
        for low, high in left
        for other_low, other_high in right
        if max(low, other_low) < min(high, other_high)
    ]
    return min(common, default=None)


def span_inside(start: Exact, end: Exact, core: list[Exact]) -> Span | None:
    """Return from where to where, as shares, a segment lies in a convex polygon, its boundary included."""
    low, high = Fraction(0), Fraction(1)
    for p, q in edges(core):
        ex, ey = q[0] - p[0], q[1] - p[1]
        first, last = (ex * (v[1] - p[1]) - ey * (v[0] - p[0]) for v in (start, end))
        if first < 0 and last < 0:
            return None
        if first < 0 or last < 0:
            share = first / (first - last)
            low, high = (max(low, share), high) if first < 0 else (low, min(high, share))
    return (low, high) if low <= high else None


def passes_inside(start: Exact, end: Exact, core: list[Exact], radius: Fraction) -> bool:
    """Tell whether a segment has a point strictly inside a convex polygon, segment or point grown by a radius."""
    if radius:
        return compare_outline(start, end, core, radius) < 0
    span = span_inside(start, end, core) if len(core) > 2 else None
    runs = span is not None and span[0] < span[1]
    return runs and all(max(cross(p, q, start), cross(p, q, end)) > 0 for p, q in edges(core))


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
    return any(compare_with_point(point, p, q, radius) <= 0 for p, q in edges(core))


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
    return hull_of(sorted({(x + dx, y + dy) for x, y in core for dx, dy in tops}), cross)
