"""Seeded pairs and paths that are hard on a narrow phase, as Carom's own values.

`pair(family, row)` gives two shapes, `journey(family, row)` two shapes and a translation of the first; the same row is
the same scene for ever, so a failure is named by its family and row. `held(row)` gives a shape and one within it. Exact
touches are built from Pythagorean triples on a grid, where every sum is exact, and then moved by one unit in the last
place; nothing here asks the library anything but to make its shapes. `shapes` and `pairs` give the same as Hypothesis
strategies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import carom as cm
from tests.support import oracle

KINDS = (
    "point",
    "segment",
    "circle",
    "capsule",
    "aabb",
    "obb",
    "polygon",
    "rounded box",
    "rounded polygon",
)
ROUND = frozenset({"circle", "capsule", "rounded box", "rounded polygon"})
TRIPLES = ((1, 0, 1), (0, 1, 1), (3, 4, 5), (4, 3, 5), (5, 12, 13), (15, 8, 17), (20, 21, 29))

Shape = Any
Points = list[tuple[float, float]]
Scene = tuple[Shape, Shape]
Journey = tuple[Shape, Shape, tuple[float, float]]


# --- shapes -------------------------------------------------------------------------------------------------------


def build(kind: str, points: Points, radius: float, rng: Random) -> Shape:
    """Return the shape of a kind over core points; boxes take the bounds of the points, turned by quarters if obb."""
    if kind == "point":
        return cm.Point(points[0])
    if kind == "circle":
        return cm.Circle(points[0], radius)
    if kind == "segment":
        return cm.Segment(points[0], points[1])
    if kind == "capsule":
        return cm.Capsule(points[0], points[1], radius)
    if kind in ("polygon", "rounded polygon"):
        turned = points[::-1] if rng.random() < 0.5 else points
        return cm.Polygon(turned, radius=radius)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    lower, upper = (min(xs), min(ys)), (max(xs), max(ys))
    if kind == "aabb":
        return cm.Box.from_corners(lower, upper)
    width, height = upper[0] - lower[0], upper[1] - lower[1]
    quarter = rng.randrange(4)
    size = (width, height) if quarter % 2 == 0 else (height, width)
    middle = (lower[0] + width / 2, lower[1] + height / 2)
    return cm.Box(middle, size, quarter * (math.pi / 2), radius=radius)


def hull_of(points: Points) -> Points:
    """Return the exact convex hull of floats, so that a polygon made of it is convex without any doubt."""
    return oracle.convex_hull(points_as_fractions(points))


def points_as_fractions(points: Points) -> Any:
    return [(oracle.Fraction(x), oracle.Fraction(y)) for x, y in points]


def around(rng: Random, count: int, wide: float, high: float, x: float, y: float) -> Points:
    """Return a convex outline of up to `count` points on an ellipse about (x, y), not turned, convex exactly."""
    while True:
        turns = [rng.uniform(0, math.tau) for _ in range(count)]
        ring = [(x + wide * math.cos(t), y + high * math.sin(t)) for t in turns]
        hull = hull_of(ring)
        if len(hull) >= 3:
            return [(float(px), float(py)) for px, py in hull]


def make(kind: str, rng: Random, x: float = 0.0, y: float = 0.0, scale: float = 1.0, aspect: float = 1.0) -> Shape:
    """Return a random shape of about `scale` around (x, y); aspects above 1 are that much longer than wide."""
    long, thin = scale * rng.uniform(0.3, 1.0), scale * rng.uniform(0.3, 1.0) / aspect
    radius = (thin if aspect > 1 else scale * rng.uniform(0.05, 0.6)) if kind in ROUND else 0.0
    angle = rng.choice((rng.uniform(-4, 4), rng.uniform(-4, 4), math.radians(rng.randrange(0, 360, 15))))
    dx, dy = long * math.cos(angle), long * math.sin(angle)
    if kind == "point":
        return cm.Point((x, y))
    if kind == "circle":
        return cm.Circle((x, y), radius)
    if kind in ("segment", "capsule"):
        start, end = (x - dx, y - dy), (x + dx, y + dy)
        if start == end:
            end = (math.nextafter(x, math.inf) + scale, y)
        return cm.Segment(start, end) if kind == "segment" else cm.Capsule(start, end, radius)
    if kind == "aabb":
        return cm.Box((x, y), (2 * long, 2 * thin) if rng.random() < 0.5 else (2 * thin, 2 * long))
    if kind in ("obb", "rounded box"):
        return cm.Box((x, y), (2 * long, 2 * thin), angle, radius=radius)
    count = rng.choice((3, 3, 4, 5, 6, 8, 12))
    if aspect == 1.0:
        return cm.Polygon(around(rng, count, long, thin, x, y), radius=radius)
    # A sliver at any angle: points on both sides of a long line, the hull taken after rounding.
    while True:
        ring = []
        for _ in range(count):
            along, off = rng.uniform(-1, 1), rng.uniform(-thin, thin)
            ring.append((x + along * dx - off * math.sin(angle), y + along * dy + off * math.cos(angle)))
        hull = hull_of(ring)
        if len(hull) >= 3:
            return cm.Polygon([(float(px), float(py)) for px, py in hull], radius=radius)


def kinds(rng: Random) -> tuple[str, str]:
    return rng.choice(KINDS), rng.choice(KINDS)


# --- exact touches on a grid --------------------------------------------------------------------------------------


def core_below(kind: str, rng: Random, p: int, q: int) -> Points:
    """Return core points on the integer grid with p x + q y <= 0 for all of them and (0, 0) on the core (p, q >= 0)."""

    def below() -> tuple[float, float]:
        while True:
            x, y = rng.randint(-12, 12), rng.randint(-12, 12)
            if p * x + q * y <= 0 and (x, y) != (0, 0):
                return float(x), float(y)

    left, right = float(rng.randint(0, 3)), float(rng.randint(0, 3))
    face = [(-q * left, p * left), (q * right, -p * right)]
    if kind in ("point", "circle"):
        return [(0.0, 0.0)]
    if kind in ("segment", "capsule"):
        if rng.random() < 0.4 and left + right > 0:
            return face  # the whole segment lies along the touching line
        return [(0.0, 0.0), below()]
    if kind in ("aabb", "obb", "rounded box"):
        wide, high = float(rng.randint(1, 9)), float(rng.randint(1, 9))
        if q == 0:
            return [(-wide, -high), (0.0, left)]
        if p == 0:
            return [(-wide, -high), (left, 0.0)]
        return [(-wide, -high), (0.0, 0.0)]
    while True:
        points = [(0.0, 0.0), *(below() for _ in range(rng.randint(2, 6)))]
        if rng.random() < 0.5:
            points += face
        hull = oracle.convex_hull(points)
        if len(hull) >= 3:
            return hull


def touching_parts(rng: Random, kind_a: str, kind_b: str) -> tuple[Points, float, Points, float, tuple[int, int]]:
    """Return cores and radii that exactly touch, and the direction (p, q) from A to B at the touch, p and q >= 0."""
    p, q, c = rng.choice(TRIPLES)
    if kind_a in ROUND or kind_b in ROUND:
        k = rng.randint(1, 24) / 8
        share = {True: rng.randint(1, 7) / 8, False: 1.0}[kind_a in ROUND and kind_b in ROUND]
        radius_a = k * c * share if kind_a in ROUND else 0.0
        radius_b = k * c - radius_a if kind_b in ROUND else 0.0
    else:
        k = radius_a = radius_b = 0.0
    core_a = core_below(kind_a, rng, p, q)
    core_b = [(k * p - x, k * q - y) for x, y in core_below(kind_b, rng, p, q)]
    return core_a, radius_a, core_b, radius_b, (p, q)


class Placement:
    """One exact similarity: mirrors, a swap of axes, a power of two and a shift on the grid."""

    def __init__(self, rng: Random, scale: float = 1.0, reach: int = 64) -> None:
        self.sign_x, self.sign_y = rng.choice((-1.0, 1.0)), rng.choice((-1.0, 1.0))
        self.swap = rng.random() < 0.5
        self.scale = scale
        self.shift = (rng.randint(-reach, reach), rng.randint(-reach, reach)) if reach else (0, 0)

    def vector(self, v: tuple[float, float]) -> tuple[float, float]:
        x, y = self.sign_x * v[0] * self.scale, self.sign_y * v[1] * self.scale
        return (y, x) if self.swap else (x, y)

    def points(self, points: Points) -> Points:
        placed = (self.vector(p) for p in points)
        return [(x + self.shift[0] * self.scale, y + self.shift[1] * self.scale) for x, y in placed]


def scale_of(rng: Random) -> float:
    return 2.0 ** rng.choice((0, 0, 0, -30, 30, rng.randint(-400, 400), -489, 470))


def touching(rng: Random) -> Scene:
    """Shapes that exactly touch, face on face, corner on corner, arc on anything."""
    kind_a, kind_b = kinds(rng)
    core_a, radius_a, core_b, radius_b, _ = touching_parts(rng, kind_a, kind_b)
    place = Placement(rng, scale_of(rng))
    a = build(kind_a, place.points(core_a), radius_a * place.scale, rng)
    return a, build(kind_b, place.points(core_b), radius_b * place.scale, rng)


def one_ulp(rng: Random) -> Scene:
    """The exact touches, one shape moved or grown by a unit in the last place either way."""
    kind_a, kind_b = kinds(rng)
    core_a, radius_a, core_b, radius_b, _ = touching_parts(rng, kind_a, kind_b)
    place = Placement(rng, scale_of(rng))
    points_b, radius_b = place.points(core_b), radius_b * place.scale
    towards = rng.choice((-math.inf, math.inf))
    least = place.scale * 2.0**-52  # what one ulp is for a coordinate of about 1; coordinates at 0 move by that

    def nudged(v: float) -> float:
        return math.nextafter(v, towards) if v else math.copysign(least, towards)

    if kind_b in ROUND and rng.random() < 0.4:
        radius_b = nudged(radius_b)
    elif rng.random() < 0.5:
        points_b = [(nudged(x), y) for x, y in points_b]
    else:
        points_b = [(x, nudged(y)) for x, y in points_b]
    if kind_b in ("polygon", "rounded polygon"):
        points_b = [(float(x), float(y)) for x, y in hull_of(points_b)]
    a = build(kind_a, place.points(core_a), radius_a * place.scale, rng)
    return a, build(kind_b, points_b, radius_b, rng)


def junctures(rng: Random) -> Scene:
    """Exact touches at the very place where the side of a round shape ends and its arc begins, in many directions."""
    m, n = sorted(rng.sample(range(1, 24), 2), reverse=True)
    p, q, c = m * m - n * n, 2 * m * n, m * m + n * n  # Euclid's triples
    kind_a, kind_b = rng.choice(("capsule", "rounded polygon")), rng.choice(KINDS)
    k = rng.randint(2, 24) / 8
    radius_a = k * c * (rng.randint(1, 7) / 8 if kind_b in ROUND else 1.0)
    far = float(rng.choice((-1, 1)) * rng.randint(1, 9))
    core_a = [(0.0, 0.0), (-q * far, p * far)]
    if kind_a == "rounded polygon":
        core_a.append((-p * 3.0 - q * far * 0.5, -q * 3.0 + p * far * 0.5))
    core_b = [(k * p - x, k * q - y) for x, y in core_below(kind_b, rng, p, q)]
    place = Placement(rng, scale_of(rng))
    a = build(kind_a, place.points(core_a), radius_a * place.scale, rng)
    return a, build(kind_b, place.points(core_b), (k * c - radius_a) * place.scale, rng)


def tiles(rng: Random) -> Scene:
    """Boxes of a grid with decimal steps that share a line exactly, though its coordinate is not exact in decimals."""
    step = rng.choice((0.1, 0.3, 1 / 3, 16.0, 0.7e-9, 1e7 / 3))
    i, j = rng.randint(-40, 40), rng.randint(-40, 40)
    m, n = i + rng.choice((-1, 0, 1)), j + rng.choice((-1, 0, 1))

    def tile(column: int, row: int) -> Shape:
        return cm.Box.from_corners((step * column, step * row), (step * (column + 1), step * (row + 1)))

    return tile(i, j), tile(m, n)


def corner_touch(rng: Random) -> Scene:
    """A box at any angle whose stored corner is exactly at the origin, against a shape that starts there."""
    kind = rng.choice(("point", "segment", "aabb", "obb", "polygon", "turned"))
    size, angle = (rng.uniform(0.5, 4), rng.uniform(0.5, 4)), rng.uniform(-7, 7)

    def turned(rightmost: bool, size: tuple[float, float], angle: float) -> Shape:
        corners = oracle.exact(cm.Box((0, 0), size, angle)).points
        x, y = (max if rightmost else min)(corners)
        return cm.Box((-float(x), -float(y)), size, angle)

    a = turned(True, size, angle)
    if kind == "turned":
        return a, turned(False, (rng.uniform(0.5, 4), rng.uniform(0.5, 4)), rng.uniform(-7, 7))
    core = [(-x, y) for x, y in core_below(kind, rng, 1, 0)]
    return a, build(kind, core, 0.0, rng)


# --- everything else ----------------------------------------------------------------------------------------------


def scattered(rng: Random) -> Scene:
    """Shapes of like size, about half of them overlapping."""
    kind_a, kind_b = kinds(rng)
    a = make(kind_a, rng, rng.uniform(-1, 1), rng.uniform(-1, 1))
    return a, make(kind_b, rng, rng.uniform(-1, 1), rng.uniform(-1, 1), 2.0 ** rng.uniform(-3, 3))


def brought_together(a: Shape, b: Shape, rng: Random) -> Scene:
    """Return the pair with B moved by the exact separation, rounded: they are a few roundings apart or deep."""
    nx, ny = oracle.direction(a, b)
    gap = oracle.separation(a, b)
    slack = rng.choice((0.0, 0.0, 1e-15, -1e-15, 1e-12, -1e-9))
    by = -gap + oracle.Fraction(slack * oracle.size(a, b))
    return a, b.translated((float(nx * by), float(ny * by)))


def near_touch(rng: Random) -> Scene:
    """Random shapes brought together until only rounding decides."""
    return brought_together(*scattered(rng), rng)


def needles(rng: Random) -> Scene:
    """Aspects up to 1e9, apart, crossing, and brought together."""
    kind_a, kind_b = kinds(rng)
    a = make(kind_a, rng, aspect=10 ** rng.uniform(3, 9))
    aspect = 10 ** rng.uniform(3, 9) if rng.random() < 0.5 else 1.0
    b = make(kind_b, rng, rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7), aspect=aspect)
    return brought_together(a, b, rng) if rng.random() < 0.5 else (a, b)


def slivers(rng: Random) -> Scene:
    """Triangles of nearly no height, down to a few ulps."""

    def sliver() -> Shape:
        height = 10 ** rng.uniform(-15.5, -3) * rng.choice((-1, 1))
        x, y, turn = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.choice((0.0, 0.0, rng.uniform(0, 7)))
        while True:
            raw = [(0.0, 0.0), (1.0, 0.0), (rng.uniform(-0.2, 1.2), height)]
            c, s = math.cos(turn), math.sin(turn)
            hull = hull_of([(x + c * u - s * v, y + s * u + c * v) for u, v in raw])
            if len(hull) == 3:
                return cm.Polygon([(float(px), float(py)) for px, py in hull])
            height *= 2

    a = sliver()
    b = sliver() if rng.random() < 0.4 else make(rng.choice(KINDS), rng, rng.uniform(-1, 1), rng.uniform(-1, 1))
    return brought_together(a, b, rng) if rng.random() < 0.6 else (a, b)


def mixed_sizes(rng: Random) -> Scene:
    """One shape a billionth of a unit, the other a billion units."""
    kind_a, kind_b = kinds(rng)
    a = make(kind_a, rng, scale=1e-9)
    b = make(kind_b, rng, rng.uniform(-1e9, 1e9), rng.uniform(-1e9, 1e9), scale=1e9)
    return brought_together(a, b, rng) if rng.random() < 0.7 else (a, b)


def extremes(rng: Random) -> Scene:
    """Sizes near 1e-142 and 1e149, both shapes or one of each."""
    small, large = 2.0**-470, 2.0**494
    kind_a, kind_b = kinds(rng)
    scale_a, scale_b = rng.choice(((small, small), (large, large), (small, large), (small, 1.0), (1.0, large)))
    most = max(scale_a, scale_b)
    a = make(kind_a, rng, scale=scale_a)
    b = make(kind_b, rng, most * rng.uniform(-1, 1), most * rng.uniform(-1, 1), scale=scale_b)
    return brought_together(a, b, rng) if rng.random() < 0.5 else (a, b)


def far_away(rng: Random) -> Scene:
    """Shapes 1e7 and 1e15 from the origin."""
    kind_a, kind_b = kinds(rng)
    reach, scale = rng.choice(((1e7, 1.0), (1e7, 1e-3), (1e15, 10.0), (1e15, 1e4)))
    x, y = reach * rng.choice((-1, 1)), reach * rng.uniform(-1, 1)
    a = make(kind_a, rng, x, y, scale)
    b = make(kind_b, rng, x + scale * rng.uniform(-2, 2), y + scale * rng.uniform(-2, 2), scale)
    return brought_together(a, b, rng) if rng.random() < 0.6 else (a, b)


def near_parallel(rng: Random) -> Scene:
    """Long edges that are parallel but for 1e-5 to 1e-17 of a turn, brought together."""
    base = rng.choice((0.0, math.pi / 2, rng.uniform(-4, 4)))
    tilt = base + rng.choice((-1, 1)) * 10 ** rng.uniform(-17, -5)
    x, y = rng.uniform(-2, 2), rng.uniform(-2, 2)
    radius_a, radius_b = rng.choice((0.0, 0.0, 0.25)), rng.choice((0.0, 0.0, 0.1))
    a = cm.Box((0, 0), (rng.uniform(1, 3), rng.uniform(0.1, 1)), base, radius=radius_a)
    b = cm.Box((x, y), (rng.uniform(1, 3), rng.uniform(0.1, 1)), tilt, radius=radius_b)
    if rng.random() < 0.4:
        along = math.cos(tilt), math.sin(tilt)
        ends = (x - along[0], y - along[1]), (x + along[0], y + along[1])
        b = cm.Capsule(*ends, radius_b) if radius_b else cm.Segment(*ends)
    return brought_together(a, b, rng) if rng.random() < 0.8 else (a, b)


def coincident(rng: Random) -> Scene:
    """Shapes about the very same point, one often inside the other."""
    kind_a, kind_b = kinds(rng)
    x, y = rng.choice(((0.0, 0.0), (rng.uniform(-1e3, 1e3), rng.uniform(-1e3, 1e3))))
    return make(kind_a, rng, x, y), make(kind_b, rng, x, y, rng.choice((1.0, 0.01, 1e-6)))


def inside(rng: Random) -> Scene:
    """A small shape within a large one, near its middle, its boundary or just outside."""
    kind_a, kind_b = kinds(rng)
    a = make(kind_a, rng, scale=10.0)
    turn, out = rng.uniform(0, math.tau), 10.0 * rng.choice((0.1, 0.3, 0.5, 1.0)) * rng.random()
    return a, make(kind_b, rng, out * math.cos(turn), out * math.sin(turn), 10 ** rng.uniform(-4, 0))


def repeated(rng: Random) -> Scene:
    """The same shape twice, as it is or moved by its own extent along an axis."""
    a = make(rng.choice(KINDS), rng, rng.uniform(-3, 3), rng.uniform(-3, 3))
    if rng.random() < 0.3:
        return a, a
    lower_x, lower_y, upper_x, upper_y = (float(edge) for edge in oracle.bounds(a))
    moves = ((upper_x - lower_x, 0.0), (0.0, lower_y - upper_y), (upper_x - lower_x, upper_y - lower_y), (0.0, 0.0))
    return a, a.translated(rng.choice(moves))


FAMILIES: dict[str, Callable[[Random], Scene]] = {
    maker.__name__: maker
    for maker in (
        scattered,
        touching,
        one_ulp,
        junctures,
        tiles,
        corner_touch,
        near_touch,
        needles,
        slivers,
        mixed_sizes,
        extremes,
        far_away,
        near_parallel,
        coincident,
        inside,
        repeated,
    )
}


def pair(family: str, row: int) -> Scene:
    """Return the scene of that family and row; either shape may come first."""
    rng = Random(f"{family}/{row}")
    a, b = FAMILIES[family](rng)
    return (a, b) if rng.random() < 0.5 else (b, a)


def held(row: int) -> Scene:
    """Return shapes of which the second often lies within the first and touches its boundary exactly, from inside."""
    rng = Random(f"held/{row}")
    kind_a, kind_b = kinds(rng)
    p, q, c = rng.choice(TRIPLES)
    unit = c / 8
    radius_a = unit * rng.randint(1, 24) if kind_a in ROUND else 0.0
    radius_b = unit * rng.randint(1, 24) if kind_b in ROUND else 0.0
    outer = core_below(kind_a, rng, p, q)
    # Points halfway between two core points of A are in its core; (0, 0) is on its boundary towards (p, q).
    inner = [(0.0, 0.0), *(halfway(rng.choice(outer), rng.choice(outer)) for _ in range(6))]
    shift = (radius_a - radius_b) / c
    inner = [(x + p * shift, y + q * shift) for x, y in inner]
    place = Placement(rng, scale_of(rng))
    if kind_b in ("segment", "capsule"):
        inner = sorted(set(inner))[:: max(1, len(set(inner)) - 1)]
    elif kind_b not in ("point", "circle"):
        inner = oracle.convex_hull(inner)
    if len(inner) < {"point": 1, "circle": 1, "segment": 2, "capsule": 2}.get(kind_b, 3):
        kind_b, inner = ("circle" if kind_b in ROUND else "point"), inner[:1]
    if kind_b in ROUND and rng.random() < 0.3:
        radius_b = math.nextafter(radius_b, rng.choice((0.0, math.inf)))
    a = build(kind_a, place.points(outer), radius_a * place.scale, rng)
    return a, build(kind_b, place.points(inner), radius_b * place.scale, rng)


def halfway(p: tuple[float, float], q: tuple[float, float]) -> tuple[float, float]:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def closed_form_of(shape: Any) -> str | None:
    """Name the closed form that a shape has in a set of its kind."""
    if isinstance(shape, (cm.Point, cm.Circle)):
        return "disc"
    return None if shape.radius or not isinstance(shape, cm.Box) else ("turned" if shape.angle else "straight")


# --- paths --------------------------------------------------------------------------------------------------------


def aimed(rng: Random) -> Journey:
    """Paths from afar towards a point of the other shape's surroundings: hits, near misses, paths too short."""
    kind_a, kind_b = kinds(rng)
    turn, far = rng.uniform(0, math.tau), rng.uniform(2.5, 12)
    a = make(kind_a, rng, far * math.cos(turn), far * math.sin(turn))
    goal = rng.uniform(-2, 2), rng.uniform(-2, 2)
    length = rng.choice((0.3, 0.9, 1.0, 2.0, 10.0))
    path = (goal[0] - far * math.cos(turn)) * length, (goal[1] - far * math.sin(turn)) * length
    return a, make(kind_b, rng, scale=2.0 ** rng.uniform(-4, 1)), path


def grazing(rng: Random) -> Journey:
    """Paths along the tangent of an exact touch, built on the grid: the shapes meet in boundaries alone."""
    kind_a, kind_b = kinds(rng)
    core_a, radius_a, core_b, radius_b, (p, q) = touching_parts(rng, kind_a, kind_b)
    back, on = float(rng.randint(20, 60)), rng.choice((20.0, 64.0, 4096.0))
    start = [(x + q * back, y - p * back) for x, y in core_a]
    place = Placement(rng, scale_of(rng), reach=8)
    a = build(kind_a, place.points(start), radius_a * place.scale, rng)
    b = build(kind_b, place.points(core_b), radius_b * place.scale, rng)
    path = place.vector((-q * (back + on), p * (back + on)))
    if rng.random() < 0.4:
        tilt = rng.choice((-math.inf, math.inf))
        path = (math.nextafter(path[0], tilt), path[1]) if path[0] else (path[0], math.nextafter(path[1], tilt))
    return a, b, path


def ends_in_touch(rng: Random) -> Journey:
    """Paths that end in an exact touch, or one unit in the last place before or past it."""
    kind_a, kind_b = kinds(rng)
    core_a, radius_a, core_b, radius_b, (p, q) = touching_parts(rng, kind_a, kind_b)
    back, side = float(rng.randint(1, 200)), float(rng.randint(-5, 5))
    step = (p * back - q * side, q * back + p * side)
    start = [(x - step[0], y - step[1]) for x, y in core_a]
    place = Placement(rng, scale_of(rng), reach=8)
    a = build(kind_a, place.points(start), radius_a * place.scale, rng)
    b = build(kind_b, place.points(core_b), radius_b * place.scale, rng)
    x, y = place.vector(step)
    nudge = rng.choice((0.0, 1.0, 1.0))
    if nudge:
        towards = rng.choice((-math.inf, math.inf))
        x, y = math.nextafter(x, towards) if x else x, math.nextafter(y, towards) if y else y
    return a, b, (x, y)


def thin_walls(rng: Random) -> Journey:
    """A million lengths in one path, against a wall a billionth thick."""
    turn = rng.choice((0.0, 0.0, rng.uniform(-4, 4)))
    wall = cm.Box((0, 0), (1e-9, 10.0), turn)
    if rng.random() < 0.3:
        x, y = 5 * math.sin(turn), -5 * math.cos(turn)
        wall = cm.Segment((x, y), (-x, -y))
    a = make(rng.choice(KINDS), rng, rng.uniform(-40, -3), rng.uniform(-8, 8), scale=10 ** rng.uniform(-9, 0))
    x, y = (float(edge) for edge in oracle.bounds(a)[:2])
    goal = 5.5 * rng.uniform(-1, 1)
    length = 10 ** rng.uniform(1, 6)
    return a, wall, (-x * length, (goal - y) * length)


def corners(rng: Random) -> Journey:
    """Rays and shapes sent straight at a corner, or at where an edge and an arc meet."""
    kind_a, kind_b = kinds(rng)
    if rng.random() < 0.5:
        kind_a = "point"
    a = make(kind_a, rng, rng.uniform(-9, -4), rng.uniform(-9, 9), scale=rng.choice((1.0, 1e-3)))
    b = make(kind_b, rng)
    ax, ay = rng.choice(oracle.exact(a).points)
    bx, by = rng.choice(oracle.exact(b).points)
    length = rng.choice((1.0, 1.0, 2.0, 100.0))
    return a, b, (float(bx - ax) * length, float(by - ay) * length)


def few_ulps(rng: Random, value: float) -> float:
    """Return the value moved by up to four units in the last place."""
    for _ in range(rng.choice((0, 0, 1, 2, 4))):
        value = math.nextafter(value, rng.choice((-math.inf, math.inf)))
    return value


def along_edges(rng: Random) -> Journey:
    """Paths along an edge to within some ulps, past a corner to within some ulps: rounding might take another side."""
    while True:
        far, most = rng.choice((0.0, 0.0, 1e3, 1e7)), rng.choice((6.0, 12.0))
        cores = [make(kind, rng, aspect=rng.choice((1.0, 1.0, 10 ** rng.uniform(3, most)))) for kind in kinds(rng)]
        at = far, far * rng.random()
        try:
            a, b = (shape.translated(at) for shape in cores)
        except ValueError:
            continue  # thinner than the rounding there
        outlines = [[(float(x), float(y)) for x, y in oracle.exact(shape).points] for shape in (a, b)]
        edges = [edge for points in outlines for edge in zip(points, points[1:] + points[:1], strict=True)]
        (px, py), (qx, qy) = rng.choice(
            [(p, q) for p, q in edges if p != q] or [((0.0, 0.0), (1.0, rng.uniform(-1, 1)))]
        )
        ex, ey = (qx - px, qy - py) if rng.random() < 0.9 else (1.0, 0.0)
        length = math.hypot(ex, ey)
        times = rng.choice((-1, 1)) * 10 ** rng.uniform(-1, 6) / length
        if rng.random() < 0.4:
            times = math.ldexp(1.0, math.frexp(times)[1])
        path = few_ulps(rng, ex * times), few_ulps(rng, ey * times)
        reach = (a.radius + b.radius) * rng.choice((-1, 1)) * rng.choice((1.0, 1.0, 1.0, 1.0 - 1e-12, 0.99)) / length
        (ax, ay), (bx, by) = (rng.choice(points) for points in outlines)
        share = rng.choice((0.5, 0.5, 0.25, 1.0, rng.random()))
        x, y = (bx - ax) - ey * reach - path[0] * share, (by - ay) + ex * reach - path[1] * share
        try:
            return a.translated((few_ulps(rng, x), few_ulps(rng, y))), b, path
        except ValueError:
            continue


def from_touch(rng: Random) -> Journey:
    """Starts in an exact touch: into the other shape, along it, away from it, or not at all."""
    kind_a, kind_b = kinds(rng)
    core_a, radius_a, core_b, radius_b, (p, q) = touching_parts(rng, kind_a, kind_b)
    place = Placement(rng, scale_of(rng))
    a = build(kind_a, place.points(core_a), radius_a * place.scale, rng)
    b = build(kind_b, place.points(core_b), radius_b * place.scale, rng)
    on, side = float(rng.choice((-3, -1, 0, 0, 1, 2))), float(rng.randint(-3, 3))
    return a, b, place.vector((p * on - q * side, q * on + p * side))


def from_overlap(rng: Random) -> Journey:
    """Starts that overlap, some deeply: paths through, out and not at all."""
    while True:
        a, b = rng.choice((scattered, coincident, inside))(rng)
        if oracle.sign(a, b) < 0:
            break
    length = rng.choice((0.0, 0.1, 3.0, 1e3))
    turn = rng.uniform(0, math.tau)
    return a, b, (length * math.cos(turn), length * math.sin(turn))


def among_all(rng: Random) -> Journey:
    """Any pair of the other families, sent along a random path of about its own size or far beyond."""
    a, b = FAMILIES[rng.choice(tuple(FAMILIES))](rng)
    nx, ny = oracle.direction(a, b)
    turn = rng.choice((0.0, 0.0, 0.3, math.pi / 2, math.pi, rng.uniform(0, 7)))
    c, s = math.cos(turn), math.sin(turn)
    length = min(oracle.size(a, b) + abs(float(oracle.separation(a, b))), 1e149) * rng.choice((0.1, 1.0, 2.0))
    x, y = float(nx), float(ny)
    return a, b, ((c * x - s * y) * length, (s * x + c * y) * length)


JOURNEYS: dict[str, Callable[[Random], Journey]] = {
    maker.__name__: maker
    for maker in (aimed, grazing, ends_in_touch, thin_walls, corners, along_edges, from_touch, from_overlap, among_all)
}


def journey(family: str, row: int) -> Journey:
    """Return the moving shape, the standing shape and the path of that family and row."""
    return JOURNEYS[family](Random(f"{family}/{row}"))


def failures(rows: int, scene: Callable[[int], tuple[Any, ...]], question: Callable[..., str | None]) -> str:
    """Ask the question of each row's scene; return the first few complaints, or an empty string if there is none."""
    complaints = []
    for row in range(rows):
        parts = scene(row)
        complaint = question(*parts)
        if complaint is not None:
            complaints.append(f"row {row}: {complaint}\n    " + "\n    ".join(repr(part) for part in parts))
    if not complaints:
        return ""
    return f"{len(complaints)} of {rows} rows fail\n" + "\n".join(complaints[:6])


# --- Hypothesis ---------------------------------------------------------------------------------------------------


def cases(times: int) -> settings:
    """Return settings that try so many times the cases of the profile at hand, be it `sample` or `full`."""
    return settings(max_examples=times * settings.default.max_examples)


@st.composite
def shapes(draw: st.DrawFn, kind: str | None = None) -> Shape:
    """Draw a shape; its numbers often come from a coarse grid, so that shapes often share lines, points and centres."""
    coarse = st.integers(-8, 8).map(lambda n: n / 4)
    number = coarse | st.floats(-100, 100, allow_subnormal=False).map(lambda v: v if abs(v) > 1e-100 else 0.0)
    length = st.integers(1, 8).map(lambda n: n / 4) | st.floats(1e-9, 100)
    kind = draw(st.sampled_from(KINDS)) if kind is None else kind
    x, y = draw(number), draw(number)
    if kind == "point":
        return cm.Point((x, y))
    if kind == "circle":
        return cm.Circle((x, y), draw(length))
    if kind in ("segment", "capsule"):
        end = draw(st.tuples(number, number).filter(lambda p: p != (x, y)))
        return cm.Segment((x, y), end) if kind == "segment" else cm.Capsule((x, y), end, draw(length))
    if kind == "aabb":
        return cm.Box((x, y), (draw(length), draw(length)))
    if kind == "obb":
        return cm.Box((x, y), (draw(length), draw(length)), draw(st.floats(-7, 7)))
    if kind == "rounded box":
        return cm.Box((x, y), (draw(length), draw(length)), draw(st.just(0.0) | st.floats(-7, 7)), radius=draw(length))
    outline = st.lists(st.tuples(number, number), min_size=3, max_size=8, unique=True).map(hull_of)
    points = [(float(px), float(py)) for px, py in draw(outline.filter(lambda hull: len(hull) >= 3))]
    return cm.Polygon(points, radius=draw(length) if kind == "rounded polygon" else 0.0)


def pairs() -> st.SearchStrategy[Scene]:
    """Draw two shapes."""
    return st.tuples(shapes(), shapes())
