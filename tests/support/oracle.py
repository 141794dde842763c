"""The slow, obvious, exact answers that the narrow phase is held against.

In come Carom's shapes, read as what they exactly are: `origin + local point` summed as fractions, grown by the exact
radius. Out come signs that are proved (rational arithmetic only) and lengths to about 48 digits (one integer square
root at the end). Nothing here is shared with the library but the layout of a record. World frame, the user's units.

All answers come from one object: the Minkowski difference A - B, the convex hull of all differences of core points,
on a grid of integers fine enough to hold every input. The shapes touch where the origin touches that hull grown by
both radii.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y

Pair = tuple[Fraction, Fraction]
Number = int | Fraction
Grid = tuple[Number, Number]

DIGITS = 160  # bits kept of a square root


class Exact(NamedTuple):
    """A convex core in counter-clockwise order and the radius it is grown by, without any rounding."""

    points: tuple[Pair, ...]
    radius: Fraction


class Difference(NamedTuple):
    """A - B and the path of the origin through it, all in units of `unit`."""

    hull: list[Grid]
    radius: Number
    path: Grid
    unit: Fraction


def exact(shape: Any) -> Exact:
    """Return the exact form of a value, of a bare record, or of an `Exact`."""
    if isinstance(shape, Exact):
        return shape
    record = [float(number) for number in getattr(shape, "_record", shape)]
    x, y = Fraction(record[X]), Fraction(record[Y])
    starts = (POINTS + STRIDE * i for i in range(int(record[COUNT])))
    points = tuple((x + Fraction(record[at]), y + Fraction(record[at + 1])) for at in starts)
    return Exact(points, Fraction(record[RADIUS]))


def core(shape: Any) -> Exact:
    """Return the shape without its radius."""
    return exact(shape)._replace(radius=Fraction(0))


def point(position: Sequence[float]) -> Exact:
    """Return a point as an exact shape."""
    return Exact(((Fraction(position[0]), Fraction(position[1])),), Fraction(0))


def shifted(shape: Any, by: Sequence[float | Fraction], times: float | Fraction = 1) -> Exact:
    """Return the shape moved by `by * times`, without rounding."""
    dx, dy = Fraction(by[0]) * Fraction(times), Fraction(by[1]) * Fraction(times)
    points, radius = exact(shape)
    return Exact(tuple((x + dx, y + dy) for x, y in points), radius)


def root(square: Number) -> Fraction:
    """Return the square root of a fraction, to 160 bits; exact for the squares of integers."""
    top, bottom = Fraction(square).as_integer_ratio()
    shift = max(0, DIGITS + (bottom.bit_length() - top.bit_length()) // 2 + 1)
    return Fraction(math.isqrt((top << 2 * shift) // bottom), 1 << shift)


def surd_sign(p: Number, q: Number, r: Number) -> int:
    """Return the sign of p + q sqrt(r), proved."""
    left, right = p * p, q * q * r
    if p >= 0 and q >= 0:
        return int(left > 0 or right > 0)
    if p <= 0 and q <= 0:
        return -int(left > 0 or right > 0)
    larger = (left > right) - (left < right)
    return larger if p > 0 else -larger


def dot(a: Grid, b: Grid) -> Number:
    return a[0] * b[0] + a[1] * b[1]


def cross(a: Grid, b: Grid) -> Number:
    return a[0] * b[1] - a[1] * b[0]


def minus(a: Grid, b: Grid) -> Grid:
    return a[0] - b[0], a[1] - b[1]


def convex_hull(points: Iterable[Any]) -> list[Any]:
    """Return the strict hull, counter-clockwise (Andrew's monotone chain); one or two points if it has no area."""
    ordered = sorted(set(points))
    if len(ordered) <= 2:
        return ordered
    chains = []
    for sequence in (ordered, ordered[::-1]):
        chain: list[Any] = []
        for p in sequence:
            while len(chain) > 1 and cross(minus(chain[-1], chain[-2]), minus(p, chain[-2])) <= 0:
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def edges(hull: list[Grid]) -> list[tuple[Grid, Grid]]:
    """Return each edge as its start and its vector; a hull of two points has one edge each way."""
    return [(start, minus(end, start)) for start, end in zip(hull, hull[1:] + hull[:1], strict=True) if start != end]


def difference(a: Any, b: Any, path: Sequence[float | Fraction] = (0, 0)) -> Difference:
    """Return A - B on a common integer grid; a path that A takes is minus that path of the origin."""
    a, b = exact(a), exact(b)
    dx, dy = Fraction(path[0]), Fraction(path[1])
    numbers = [number for shape in (a, b) for xy in shape.points for number in xy]
    scale = math.lcm(*(n.denominator for n in (*numbers, a.radius, b.radius, dx, dy)))

    def whole(number: Fraction) -> int:
        return number.numerator * (scale // number.denominator)

    core_a = [(whole(x), whole(y)) for x, y in a.points]
    core_b = [(whole(x), whole(y)) for x, y in b.points]
    hull = convex_hull((ax - bx, ay - by) for ax, ay in core_a for bx, by in core_b)
    return Difference(hull, whole(a.radius) + whole(b.radius), (-whole(dx), -whole(dy)), Fraction(1, scale))


def nearest(hull: list[Grid], to: Grid = (0, 0)) -> Pair:
    """Return the point of a hull (its inside included) nearest to `to`."""
    if len(hull) > 2 and all(cross(e, minus(to, v)) >= 0 for v, e in edges(hull)):
        return Fraction(to[0]), Fraction(to[1])
    if len(hull) == 1:
        return Fraction(hull[0][0]), Fraction(hull[0][1])
    candidates = []
    for v, e in edges(hull):
        along = min(max(Fraction(dot(e, minus(to, v))) / dot(e, e), Fraction(0)), Fraction(1))
        candidates.append((v[0] + along * e[0], v[1] + along * e[1]))
    return min(candidates, key=lambda c: square(minus(c, to)))


def square(v: Grid) -> Number:
    return dot(v, v)


def core_distance_squared(hull: list[Grid]) -> Fraction:
    """Return the squared distance of the origin from a hull; 0 inside."""
    if len(hull) == 1:
        return Fraction(square(hull[0]))
    if len(hull) > 2 and all(cross(v, e) >= 0 for v, e in edges(hull)):
        return Fraction(0)
    best: Fraction | None = None
    for v, e in edges(hull):
        along = -dot(v, e)
        length = square(e)
        if along <= 0:
            value = Fraction(square(v))
        elif along >= length:
            continue  # the next edge starts there
        else:
            value = Fraction(cross(v, e) ** 2, length)
        if best is None or value < best:
            best = value
    assert best is not None
    return best


def core_depth_squared(hull: list[Grid]) -> Fraction:
    """Return the squared distance of the origin, inside a hull, from its boundary."""
    return min((Fraction(cross(v, e) ** 2, square(e)) for v, e in edges(hull)), default=Fraction(0))


def sign(a: Any, b: Any) -> int:
    """Return +1 if the shapes are apart, 0 if they exactly touch, -1 if they overlap."""
    hull, radius, _, _ = difference(a, b)
    apart = core_distance_squared(hull)
    if apart > 0:
        limit = radius * radius
        return (apart > limit) - (apart < limit)
    if radius > 0:
        return -1
    inside = len(hull) > 2 and all(cross(v, e) > 0 for v, e in edges(hull))
    return -1 if inside else 0


def separation(a: Any, b: Any) -> Fraction:
    """Return the signed separation; its sign is exact, its relative error below 1e-45."""
    hull, radius, _, unit = difference(a, b)
    apart = core_distance_squared(hull)
    if apart > 0:
        return (apart - radius * radius) / (root(apart) + radius) * unit
    inside = root(core_depth_squared(hull)) if len(hull) > 2 else Fraction(0)
    return -(inside + radius) * unit


def gap(a: Any, b: Any, direction: Sequence[float | Fraction]) -> Fraction:
    """Return the gap between both shapes along a direction from A to B (of any length), negative in overlap.

    The separation is the largest gap over all directions, so a direction is right if its gap is the separation.
    """
    hull, radius, _, unit = difference(a, b)
    d = Fraction(direction[0]), Fraction(direction[1])
    return (-max(dot(v, d) for v in hull) / root(square(d)) - radius) * unit


def normal(a: Any, b: Any) -> Pair | None:
    """Return the unit normal from A to B where the cores are apart (there it is unique), else None."""
    hull = difference(a, b).hull
    c = nearest(hull)
    length = root(square(c))
    return None if length == 0 else (-c[0] / length, -c[1] / length)


def direction(a: Any, b: Any) -> Pair:
    """Return a unit normal of the largest gap: the unique one, or that of the nearest edge where the cores overlap."""
    unique = normal(a, b)
    if unique is not None:
        return unique
    hull = difference(a, b).hull
    if len(hull) == 1:
        return Fraction(1), Fraction(0)
    _, e = min(edges(hull), key=lambda edge: Fraction(cross(*edge) ** 2, square(edge[1])))
    length = root(square(e))
    return e[1] / length, -e[0] / length


def bounds(shape: Any) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return the exact AABB: lower x, lower y, upper x, upper y."""
    points, radius = exact(shape)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius


def size(*shapes: Any) -> float:
    """Return the sum of the bounding extents of all shapes: the length that errors are measured by."""
    total = Fraction(0)
    for shape in shapes:
        lower_x, lower_y, upper_x, upper_y = bounds(shape)
        total += (upper_x - lower_x) + (upper_y - lower_y)
    return float(total)


def largest_coordinate(*shapes: Any) -> float:
    """Return the largest absolute coordinate that any of the shapes reaches."""
    return float(max(abs(edge) for shape in shapes for edge in bounds(shape)))


def contains(a: Any, b: Any) -> bool:
    """Return whether closed A holds all of closed B.

    Growing both by the same radius changes nothing for convex shapes, so the smaller radius is taken off both: B
    becomes bare points if its radius is the smaller one, and A a bare polygon if not.
    """
    a, b = exact(a), exact(b)
    hull = convex_hull(a.points)
    if b.radius <= a.radius:
        limit = (a.radius - b.radius) ** 2
        return all(core_distance_squared([minus(v, p) for v in hull]) <= limit for p in b.points)
    margin = (b.radius - a.radius) ** 2
    if len(hull) < 3:
        return False
    return all(
        cross(e, minus(p, v)) > 0 and cross(e, minus(p, v)) ** 2 >= margin * square(e)
        for v, e in edges(hull)
        for p in b.points
    )


def path_hits(a: Any, b: Any, translation: Sequence[float]) -> bool:
    """Return whether A, moved along the translation, meets closed B anywhere on the way, start and end included."""
    hull, radius, path, _ = difference(a, b, translation)
    swept = convex_hull([*hull, *(minus(v, path) for v in hull)])
    return core_distance_squared(swept) <= radius * radius


def first_touch(a: Any, b: Any, translation: Sequence[float], grown: float | Fraction = 0) -> Fraction | None:
    """Return the fraction of the path at which A, starting apart, first meets closed B grown by `grown`; None if never.

    Whether it does is decided exactly; the fraction is good to 1e-45 of itself. A negative `grown` makes the
    difference smaller, past its radius by moving the edges of the core inward.
    """
    hull, core_radius, path, unit = difference(a, b, translation)
    radius = core_radius + Fraction(grown) / unit
    if radius < 0:
        return _first_inside(hull, -radius, path)
    if core_distance_squared(hull) <= radius * radius:
        return Fraction(0)
    swept = convex_hull([*hull, *(minus(v, path) for v in hull)])
    if core_distance_squared(swept) > radius * radius:
        return None
    found = [t for v in hull for t in _enter_disc(v, radius, path)]
    found += [t for v, e in edges(hull) for t in _enter_edge(v, e, radius, path)]
    earliest = min(found)
    assert 0 < earliest < 1 + Fraction(1, 2**140), "the pieces of the boundary disagree with the exact decision"
    return min(earliest, Fraction(1))


def _enter_disc(center: Grid, radius: Number, path: Grid) -> list[Fraction]:
    """Return where the ray from the origin enters a disc that does not hold the origin: at most one fraction."""
    towards, outside = dot(path, center), square(center) - radius * radius
    discriminant = towards * towards - square(path) * outside
    if towards <= 0 or discriminant < 0:
        return []
    return [Fraction(outside) / (towards + root(discriminant))]


def _enter_edge(start: Grid, edge: Grid, radius: Number, path: Grid) -> list[Fraction]:
    """Return where the ray from the origin enters through an edge moved outward by the radius: at most one fraction."""
    outward = edge[1], -edge[0]
    length2 = square(edge)
    closing = Fraction(dot(outward, path))
    offset = dot(outward, start)  # plus radius * length: where the moved edge stands
    if closing >= 0 or surd_sign(offset, radius, length2) >= 0:
        return []
    along_path = dot(edge, path) / closing
    at, per_root = along_path * offset - dot(edge, start), along_path * radius
    if surd_sign(at, per_root, length2) < 0 or surd_sign(at - length2, per_root, length2) > 0:
        return []
    return [(offset + radius * root(length2)) / closing]


def _first_inside(hull: list[Grid], depth: Number, path: Grid) -> Fraction | None:
    """Return where the path from the origin enters the polygon whose edges are moved inward by `depth`."""
    if len(hull) < 3:
        return None
    first, last = Fraction(0), Fraction(1)
    for start, edge in edges(hull):
        outward = edge[1], -edge[0]
        room = dot(outward, start) - depth * root(square(edge))  # outward . (t path) may be at most this
        speed = Fraction(dot(outward, path))
        if speed == 0:
            if room < 0:
                return None
        elif speed > 0:
            last = min(last, room / speed)
        else:
            first = max(first, room / speed)
    return first if first <= last else None
