"""Rays: the first hit, its fraction and normal, exact hits of corners and tangents."""

from __future__ import annotations

import math
from random import Random

from carom_conformance import exact
from carom_conformance.engine import Engine
from carom_conformance.registry import CLOSED, RATIONAL, Answer, scene, scenes
from carom_conformance.scenes.gaps import ROUNDING, SINGLE
from carom_conformance.scenes.lattice import COUNT, triangle
from carom_conformance.scenes.pairs import SUM, UNIT, down, up
from carom_conformance.shapes import Capsule, Circle, Point, Polygon, Segment, Shape, between

TRIANGLE = Polygon(((0, 0), (9, 3), (0, 3)))

Ray = tuple[Point, Point, Shape, float]
FRACTIONS: dict[str, Ray] = {
    "a box": ((-3, 0.5), (8, 0), UNIT, 3 / 8),
    "a circle": ((-5, 0), (10, 0), Circle((0, 0), 1), 0.4),
    "a circle off its middle": ((-8, 3), (16, 0), Circle((0, 0), 5), 0.25),
    "a segment": ((0, -4), (0, 8), Segment((-1, 0), (1, 2)), 5 / 8),
    "a segment from its other side": ((0, 4), (0, -8), Segment((-1, 0), (1, 2)), 3 / 8),
    "a slanted edge": ((3, -1), (0, 4), TRIANGLE, 0.5),
    "the side of a capsule": ((1, 5), (0, -8), Capsule((0, 0), (4, 0), 1), 0.5),
    "the cap of a capsule": ((-8, 3), (16, 0), Capsule((0, 0), (40, 0), 5), 0.25),
    "a plate 2 to the -40 thick": ((-1, 0), (4, 0), between(1, -1, 1 + 2.0**-40, 1), 0.5),
    "a box a billion away": ((0, 0.5), (2.0**31, 0), between(2.0**30, 0, 2.0**30 + 1, 1), 0.5),
    "a box at a million": ((1e6, 1e6 + 0.5), (8, 0), between(1e6 + 2, 1e6, 1e6 + 3, 1e6 + 1), 0.25),
}
HITS: dict[str, tuple[Point, Point, Shape]] = {
    "a ray that ends on the surface": ((-1, 0.5), (1, 0), UNIT),
    "a ray that ends an ulp short": ((-1, 0.5), (down(1), 0), UNIT),
    "a ray through a corner alone": ((-1, 0), (2, 2), between(0, 0, 1, 1)),
    "a ray past a corner by an ulp": ((-1, 0), (2, 2), between(2.0**-52, -1, 1, 1 - 2.0**-52)),
    "a ray that grazes a circle": ((-8, 5), (16, 0), Circle((0, 0), 5)),
    "a ray an ulp above a circle": ((-8, up(5)), (16, 0), Circle((0, 0), 5)),
    "a ray an ulp below the top of a circle": ((-8, down(5)), (16, 0), Circle((0, 0), 5)),
    "a ray along a diagonal tangent": ((7, 1), (-8, 6), Circle((0, 0), 5)),
    "a ray that looks away": ((-1, 0.5), (-5, 0), UNIT),
    "a ray above a box by an ulp": ((-1, up(1)), (5, 0), UNIT),
    "a ray through the end of a segment": ((-1, 2), (4, -2), Segment((1, 1), (5, 5))),
    "a ray past the end of a segment": ((-1, 2), (4, -2), Segment((1, up(1)), (5, 6))),
}
NORMALS: dict[str, tuple[Point, Point, Shape, Point]] = {
    "a box from above": ((0.5, 4), (0, -8), UNIT, (0.0, 1.0)),
    "a circle": ((-3, -12), (0, 12), Circle((0, 0), 5), (-0.6, -0.8)),
    "a slanted edge": ((1, 8), (0, -8), Polygon(((0, 0), (4, 0), (0, 3))), (0.6, 0.8)),
    "the cap of a capsule": ((-3, -12), (0, 12), Capsule((0, 0), (40, 0), 5), (-0.6, -0.8)),
    "a segment from above": ((2, 8), (0, -8), Segment((0, 0), (4, 0)), (0.0, 1.0)),
}


@scenes("casts", RATIONAL, FRACTIONS)
def ray_fraction(engine: Engine, origin: Point, translation: Point, shape: Shape, right: float) -> Answer:
    """The fraction of its length at which a ray hits {}."""
    found = engine.raycast(origin, translation, shape)
    return Answer(found and found.fraction, right, SINGLE, ROUNDING)


@scenes("casts", RATIONAL, HITS)
def ray_hit(engine: Engine, origin: Point, translation: Point, shape: Shape) -> Answer:
    """Whether there is a hit of {}."""
    return Answer(engine.raycast(origin, translation, shape) is not None, exact.ray_meets(origin, translation, shape))


@scenes("casts", CLOSED, NORMALS)
def ray_normal(engine: Engine, origin: Point, translation: Point, shape: Shape, right: Point) -> Answer:
    """The unit normal out of the surface that a ray hits: {}."""
    found = engine.raycast(origin, translation, shape)
    return Answer(found and found.normal, right, SINGLE, ROUNDING)


@scene("casts", RATIONAL)
def rays_at_triangles(engine: Engine) -> Answer:
    """How many of 300 rays between points of a lattice hit or miss a triangle wrongly; they begin outside."""
    random, wrong, asked = Random(8), 0, 0
    while asked < COUNT:
        shape, start = triangle(random), (random.randint(-3, 11), random.randint(-3, 11))
        way = (random.randint(-8, 8), random.randint(-8, 8))
        if exact.contains(shape, start) or way == (0, 0):
            continue
        asked += 1
        wrong += (engine.raycast(start, way, shape) is not None) is not (
            exact.ray(start, way, shape.vertices) is not None
        )
    return Answer(wrong, 0)


@scene("casts", RATIONAL)
def fractions_of_rays(engine: Engine) -> Answer:
    """The largest error of the fractions of 300 rays that hit triangles, each far from their corners or near."""
    random, off, asked = Random(9), 0.0, 0
    while asked < COUNT:
        shape, start = triangle(random), (random.randint(-3, 11), random.randint(-3, 11))
        way = (random.randint(-8, 8), random.randint(-8, 8))
        right = None if way == (0, 0) or exact.contains(shape, start) else exact.ray(start, way, shape.vertices)
        if right is None:
            continue
        asked += 1
        found = engine.raycast(start, way, shape)
        off = max(off, abs(found.fraction - float(right)) if found else 1.0)
    return Answer(off, 0.0, SINGLE, ROUNDING)


@scene("casts", RATIONAL)
def rays_into_a_seam(engine: Engine) -> Answer:
    """How many of 200 rays pass between two boxes that share an edge at 0.1 + 0.2, aimed at the seam from all sides."""
    left, right, through = between(-4, -1, SUM, 0), between(SUM, -1, 4, 0), 0
    for k in range(200):
        angle = math.pi * (k + 0.5) / 200
        start = (SUM + 3 * math.cos(angle), 3 * math.sin(angle))
        way = (2 * (SUM - start[0]), -2 * start[1])
        through += engine.raycast(start, way, left) is None and engine.raycast(start, way, right) is None
    return Answer(through, 0)


@scene("casts", CLOSED)
def a_fan_of_rays_at_a_circle(engine: Engine) -> Answer:
    """How many of 360 rays in all directions hit a disc of radius 1 at distance 2: those within 30 degrees."""
    hits = 0
    for k in range(360):
        angle = math.radians(k + 0.5)
        hits += engine.raycast((0, 0), (4 * math.cos(angle), 4 * math.sin(angle)), Circle((2, 0), 1)) is not None
    return Answer(hits, 60)
