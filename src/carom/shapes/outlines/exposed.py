"""Which edges of convex parts are on the outside of the union of the parts.

In: the corners of convex parts, counter-clockwise, as exact numbers. Out: the pieces of their edges that no other part
covers. Parts may lie flush, overlap, or be apart. Every decision is exact: signs of turns, and fractions where edges
cross. Any frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, cast

from carom.shapes.outlines import clean_convex
from carom.shapes.outlines.clean_convex import box_around, boxes_touch
from carom.vector import Point2

INNER, STRAIGHT, CORNER = 0, 1, 2  # a part's vertex in the outline: none or an inward corner, on a side, a tip


class Side(NamedTuple):
    """A piece of one part's edge that is on the outside of the whole; points are relative to the common origin."""

    part: int
    edge: int  # the part's edge, numbered by the vertex that it leaves
    start: Point2  # a coordinate that no float64 holds is a Fraction
    end: Point2
    first: int  # the vertex of the whole where its edge begins, and where it ends
    last: int


def outer_sides(parts: Sequence[Sequence[Point2]], sharp: Sequence[bool], numbers: Sequence[int]) -> list[Side]:
    """Return the outer pieces of the edges of convex parts; `numbers` are those of each part's first corner.

    Parts that are not sharp are cores of rounded ones: they cover nothing, and nothing covers them.
    """
    boxes = [box_around(part) for part in parts]
    sides = []
    for number, part in enumerate(parts):
        if len(part) == 1:
            continue
        others = [
            (other, k < number)
            for k, other in enumerate(parts)
            if k != number and sharp[number] and sharp[k] and boxes_touch(boxes[number], boxes[k])
        ]
        for edge, p in enumerate(part):
            q = part[(edge + 1) % len(part)]
            first, last = numbers[number] + edge, numbers[number] + (edge + 1) % len(part)
            spans = sorted(span for other in others if (span := _covered(p, q, *other)) is not None)
            for low, high in gaps(spans):
                sides.append(Side(number, edge, _between(p, q, low), _between(p, q, high), first, last))
    return sides


def turn_sign(a: Point2, b: Point2, c: Point2, d: Point2) -> int:
    """Return the exact sign of the turn from a-b to c-d, also where coordinates are fractions."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    if float is type(ax) is type(ay) is type(bx) is type(by) is type(cx) is type(cy) is type(dx) is type(dy):
        return clean_convex.turn_sign(a, b, c, d)
    p, q, r, s = ([Fraction(x) for x in point] for point in (a, b, c, d))
    exact_turn = (q[0] - p[0]) * (s[1] - r[1]) - (q[1] - p[1]) * (s[0] - r[0])
    return (exact_turn > 0) - (exact_turn < 0)


def _covered(p: Point2, q: Point2, part: Sequence[Point2], first_of_two: bool) -> tuple[Fraction, Fraction] | None:
    """Return from where to where, as shares of the edge p-q, a part covers its outer side.

    Where both have the same outer side, it is the edge of the one that comes first.
    """
    low, high = Fraction(0), Fraction(1)
    for k, u in enumerate(part):
        v = part[(k + 1) % len(part)]
        first, last = turn_sign(u, v, u, p), turn_sign(u, v, u, q)
        if first == 0 and last == 0:
            if _same_way(p, q, u, v) and not first_of_two:
                return None
            from_u, from_v = sorted((_share(p, q, u), _share(p, q, v)))
            low, high = max(low, from_u), min(high, from_v)  # a line has no other edges that bound it
            continue
        if first <= 0 and last <= 0:
            return None
        if first < 0 or last < 0:
            from_p, from_q = _distance(u, v, p), _distance(u, v, q)
            share = from_p / (from_p - from_q)
            low, high = (max(low, share), high) if first < 0 else (low, min(high, share))
    return (low, high) if low < high else None


def _same_way(p: Point2, q: Point2, u: Point2, v: Point2) -> bool:
    """Tell whether two edges on one line go the same way."""
    return _share(p, q, u) < _share(p, q, v)


def _share(p: Point2, q: Point2, u: Point2) -> Fraction:
    """Return where a point on the line of p-q lies, as a share of the way from p to q."""
    axis = 0 if p[0] != q[0] else 1
    start = Fraction(p[axis])
    return (Fraction(u[axis]) - start) / (Fraction(q[axis]) - start)


def _distance(u: Point2, v: Point2, p: Point2) -> Fraction:
    """Return how far p lies to the left of u-v, times the length of u-v."""
    ux, uy = Fraction(u[0]), Fraction(u[1])
    return (Fraction(v[0]) - ux) * (Fraction(p[1]) - uy) - (Fraction(v[1]) - uy) * (Fraction(p[0]) - ux)


def gaps(spans: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Return the gaps that spans in order leave between 0 and 1."""
    found, reached = [], Fraction(0)
    for low, high in spans:
        if low > reached:
            found.append((reached, low))
        reached = max(reached, high)
    if reached < 1:
        found.append((reached, Fraction(1)))
    return found


def _between(p: Point2, q: Point2, share: Fraction) -> Point2:
    if share in (0, 1):
        return q if share else p
    return cast(
        Point2, tuple([exact(Fraction(u) + share * (Fraction(v) - Fraction(u))) for u, v in zip(p, q, strict=True)])
    )


def exact(value: Fraction) -> float | Fraction:
    """Return a number as a float64 where one holds it exactly."""
    rounded = float(value)
    return rounded if rounded == value else value
