"""Many pairs at once: how many of some hundred answers are wrong, each compared with rational arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from carom_conformance import exact
from carom_conformance.engine import Engine
from carom_conformance.registry import RATIONAL, Answer, scene, scenes
from carom_conformance.scenes.pairs import down, up
from carom_conformance.shapes import Circle, Point, Polygon, Segment, Shape, moved

COUNT = 300
TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29))


def triangle(random: Random, most: int = 8) -> Polygon:
    """Return a triangle whose corners have small whole numbers, counter-clockwise."""
    while True:
        a, b, c = ((random.randint(0, most), random.randint(0, most)) for _ in range(3))
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if turn:
            return Polygon((a, b, c) if turn > 0 else (a, c, b))


def on_edges(random: Random) -> Iterator[tuple[Polygon, Polygon, Point]]:
    """Yield pairs of triangles of which one has a corner on an edge of the other and lies outside, and that corner."""
    while True:
        a = triangle(random)
        (x0, y0), (x1, y1), _ = a.vertices
        part = random.randint(1, 3)
        corner = (x0 + (x1 - x0) * part / 4, y0 + (y1 - y0) * part / 4)
        nx, ny = y1 - y0, x0 - x1
        b = Polygon(
            (corner, (corner[0] + nx - ny, corner[1] + ny + nx), (corner[0] + 2 * nx + ny, corner[1] + 2 * ny - nx))
        )
        flipped = Polygon((b.vertices[0], b.vertices[2], b.vertices[1]))
        yield a, flipped if exact.side(*map(exact.fraction, b.vertices)) < 0 else b, corner


def any_triangles(random: Random) -> tuple[Shape, Shape]:
    """Return two triangles."""
    return triangle(random), triangle(random)


def touching_triangles(random: Random) -> tuple[Shape, Shape]:
    """Return two triangles of which one has a corner on an edge of the other."""
    return next(on_edges(random))[:2]


def nearly_touching_triangles(random: Random) -> tuple[Shape, Shape]:
    """Return such triangles, with that corner an ulp aside."""
    a, b, (x, y) = next(on_edges(random))
    aside = random.choice(((up(x), y), (down(x), y), (x, up(y)), (x, down(y))))
    return a, Polygon((aside, *b.vertices[1:]))


def touching_circles(random: Random) -> tuple[Shape, Shape]:
    """Return two circles that touch in a rational point, or are an ulp from that."""
    x, y, length = random.choice(TRIPLES)
    scale, first = 2.0 ** random.randint(-20, 20), random.randint(1, length - 1)
    radius = (length - first) * scale
    radius = random.choice((radius, up(radius), down(radius)))
    return Circle((0, 0), first * scale), Circle((x * scale, y * scale), radius)


def segments(random: Random) -> tuple[Shape, Shape]:
    """Return two segments between points of a small lattice, many of which only touch."""
    ends = [(random.randint(0, 5), random.randint(0, 5)) for _ in range(4)]
    if ends[0] == ends[1] or ends[2] == ends[3]:
        return segments(random)
    return Segment(ends[0], ends[1]), Segment(ends[2], ends[3])


def far_triangles(random: Random) -> tuple[Shape, Shape]:
    """Return two triangles a million units from the origin."""
    a, b = touching_triangles(random)
    return moved(a, 2.0**20, -(2.0**20)), moved(b, 2.0**20, -(2.0**20))


CASES = {
    "triangles": (any_triangles,),
    "touching triangles": (touching_triangles,),
    "triangles an ulp from touching": (nearly_touching_triangles,),
    "touching triangles far away": (far_triangles,),
    "circles within an ulp of touching": (touching_circles,),
    "segments": (segments,),
}


@scenes("pairs", RATIONAL, CASES)
def of_300_pairs(engine: Engine, draw: object) -> Answer:
    """How many of 300 random pairs get the wrong answer: {}."""
    random = Random(20240611)
    pairs = [draw(random) for _ in range(COUNT)]  # type: ignore[operator]
    wrong = sum(engine.intersects(a, b) is not exact.intersects(a, b) for a, b in pairs)
    return Answer(wrong, 0)


@scene("pairs", RATIONAL)
def swapped_triangles(engine: Engine) -> Answer:
    """How many of 300 pairs of triangles within an ulp of touching get another answer when they are swapped."""
    random = Random(1)
    pairs = [nearly_touching_triangles(random) for _ in range(COUNT)]
    return Answer(sum(engine.intersects(a, b) is not engine.intersects(b, a) for a, b in pairs), 0)


@scene("pairs", "flexible-collision-library/fcl#495")
def distance_agrees_with_touch(engine: Engine) -> Answer:
    """How many of 300 pairs of triangles near touch have a distance of 0 but do not intersect, or the reverse."""
    random = Random(2)
    pairs = [nearly_touching_triangles(random) for _ in range(COUNT)]
    return Answer(sum((engine.distance(a, b) == 0) is not engine.intersects(a, b) for a, b in pairs), 0)


@scene("pairs", RATIONAL)
def swapped_distances(engine: Engine) -> Answer:
    """The largest difference of the distances of (a, b) and (b, a) over 300 pairs of triangles."""
    random = Random(3)
    pairs = [(triangle(random), moved(triangle(random), 9, 1)) for _ in range(COUNT)]
    off = max(abs(engine.distance(a, b) - engine.distance(b, a)) for a, b in pairs)
    return Answer(off, 0.0)


def _worst(engine: Engine, random: Random) -> float:
    pairs = [(triangle(random), moved(triangle(random), 9, 1)) for _ in range(COUNT)]
    return max(abs(engine.distance(a, b) / exact.distance(a, b) - 1) for a, b in pairs)


@scene("pairs", RATIONAL)
def distances_of_300_pairs(engine: Engine) -> Answer:
    """The largest relative error of the distances of 300 pairs of triangles."""
    return Answer(_worst(engine, Random(4)), 0.0, 1e-14, "some tens of roundings of 64-bit floats")


@scene("pairs", RATIONAL)
def depths_of_300_pairs(engine: Engine) -> Answer:
    """The largest error of the depths of 300 pairs of overlapping triangles of size 8."""
    random = Random(5)
    pairs: list[tuple[Polygon, Polygon]] = []
    while len(pairs) < COUNT:
        a, b = triangle(random), triangle(random)
        if exact.intersects(a, b):
            pairs.append((a, b))
    off = 0.0
    for a, b in pairs:
        found = engine.overlap(a, b)
        off = max(off, abs((found[0] if found else 0.0) - exact.depth(a, b)))
    return Answer(off, 0.0, 1e-12, "some tens of roundings of 64-bit floats, at a size of 8")


@scene("pairs", RATIONAL)
def points_in_triangles(engine: Engine) -> Answer:
    """How many of 300 points of a lattice are wrongly reported as inside or outside a triangle; many lie on an edge."""
    random, wrong = Random(6), 0
    for _ in range(COUNT):
        shape, point = triangle(random), (random.randint(0, 8), random.randint(0, 8))
        wrong += engine.contains(shape, point) is not exact.contains(shape, point)
    return Answer(wrong, 0)


@scene("pairs", "shapely/shapely#423")
def points_an_ulp_from_an_edge(engine: Engine) -> Answer:
    """How many of 300 points within an ulp of a slanted edge are wrongly reported as inside or outside."""
    random, wrong = Random(7), 0
    for a, _, (x, y) in (pair for pair, _ in zip(on_edges(random), range(COUNT), strict=False)):
        point = (x, random.choice((y, up(y), down(y))))
        wrong += engine.contains(a, point) is not exact.contains(a, point)
    return Answer(wrong, 0)
