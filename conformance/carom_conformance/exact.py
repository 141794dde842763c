"""The right answers for pairs of shapes, by rational arithmetic: no rounding decides anything here.

Every shape is a convex hull of its points with a rounding (`shapes.core`). Whether two of them meet follows from the
square of the distance of the hulls, a rational number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from carom_conformance.shapes import Point, Shape, core

Exact = tuple[Fraction, Fraction]


def intersects(a: Shape, b: Shape) -> bool:
    """Return whether two closed shapes have a point in common."""
    (p, r), (q, s) = core(a), core(b)
    return hull_distance_squared(p, q) <= (Fraction(r) + Fraction(s)) ** 2


def contains(shape: Shape, point: Point) -> bool:
    """Return whether a point lies in a closed shape."""
    points, radius = core(shape)
    return hull_distance_squared(points, (point,)) <= Fraction(radius) ** 2


def distance(a: Shape, b: Shape) -> float:
    """Return the distance of two shapes, correct to the last bits."""
    (p, r), (q, s) = core(a), core(b)
    return max(0.0, float(root(hull_distance_squared(p, q)) - Fraction(r) - Fraction(s)))


def depth(a: Shape, b: Shape) -> float:
    """Return how deep two polygons, or rounded ones with hulls of some area, overlap: the least over all edges."""
    (p, r), (q, s) = core(a), core(b)
    best: Fraction | None = None
    for one, other in ((p, q), (q, p)):
        for (x0, y0), (x1, y1) in edges([fraction(point) for point in one]):
            nx, ny = y1 - y0, x0 - x1
            reach = max((x - x0) * -nx + (y - y0) * -ny for x, y in map(fraction, other))
            way = root(Fraction(reach * reach, 1) / (nx * nx + ny * ny))
            best = way if best is None or way < best else best
    if best is None:
        raise ValueError("hulls without edges have no depth")
    return float(best + Fraction(r) + Fraction(s))


def ray(origin: Point, translation: Point, vertices: Sequence[Point]) -> Fraction | None:
    """Return the fraction at which a ray first meets a closed convex polygon, counter-clockwise; None for a miss."""
    (ox, oy), (tx, ty) = fraction(origin), fraction(translation)
    enter, leave = Fraction(0), Fraction(1)
    for (x0, y0), (x1, y1) in edges([fraction(point) for point in vertices]):
        nx, ny = y1 - y0, x0 - x1
        gap, speed = nx * (ox - x0) + ny * (oy - y0), nx * tx + ny * ty
        if speed == 0:
            if gap > 0:
                return None
        elif speed < 0:
            enter = max(enter, -gap / speed)
        else:
            leave = min(leave, -gap / speed)
    return enter if enter <= leave else None


def ray_meets(origin: Point, translation: Point, shape: Shape) -> bool:
    """Return whether a ray meets a closed shape."""
    (x, y), (dx, dy), (points, radius) = fraction(origin), fraction(translation), core(shape)
    return hull_distance_squared((origin, (x + dx, y + dy)), points) <= Fraction(radius) ** 2  # type: ignore[arg-type]


def hull_distance_squared(p: Sequence[Point], q: Sequence[Point]) -> Fraction:
    """Return the square of the distance of two convex hulls, 0 if they meet."""
    a, b = [fraction(point) for point in p], [fraction(point) for point in q]
    if inside(a, b[0]) or inside(b, a[0]):
        return Fraction(0)
    sides_a, sides_b = edges(a), edges(b)
    if any(cross(e, f) for e in sides_a for f in sides_b):
        return Fraction(0)
    found = [to_edge(point, edge) for point in a for edge in sides_b]
    found += [to_edge(point, edge) for point in b for edge in sides_a]
    return min(found)


def fraction(point: Point) -> Exact:
    """Return the rational numbers that two floats are."""
    return Fraction(point[0]), Fraction(point[1])


def edges(points: Sequence[Exact]) -> list[tuple[Exact, Exact]]:
    """Return the edges of a hull: one of a segment, and that from a point to itself."""
    if len(points) <= 2:
        return [(points[0], points[-1])]
    return list(pairwise([*points, points[0]]))


def side(a: Exact, b: Exact, c: Exact) -> Fraction:
    """Return twice the area of a triangle, positive if it turns to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def inside(points: Sequence[Exact], point: Exact) -> bool:
    """Return whether a point lies in a closed polygon, counter-clockwise."""
    return len(points) > 2 and all(side(a, b, point) >= 0 for a, b in edges(points))


def cross(e: tuple[Exact, Exact], f: tuple[Exact, Exact]) -> bool:
    """Return whether two edges cross within both; ends that lie on the other are found as distances of 0."""
    return side(*e, f[0]) * side(*e, f[1]) < 0 and side(*f, e[0]) * side(*f, e[1]) < 0


def to_edge(point: Exact, edge: tuple[Exact, Exact]) -> Fraction:
    """Return the square of the distance of a point and an edge."""
    (x, y), ((x0, y0), (x1, y1)) = point, edge
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    t = min(Fraction(1), max(Fraction(0), ((x - x0) * dx + (y - y0) * dy) / length)) if length else Fraction(0)
    return (x - x0 - t * dx) ** 2 + (y - y0 - t * dy) ** 2


def root(square: Fraction) -> Fraction:
    """Return the square root of a fraction, to 200 bits."""
    shift = 400 + 2 * max(0, square.denominator.bit_length() - square.numerator.bit_length())
    return Fraction(isqrt((square.numerator << shift) // square.denominator), 1 << (shift // 2))
