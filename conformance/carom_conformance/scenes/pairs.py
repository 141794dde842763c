"""Whether two shapes meet: corners, edges, slivers, an ulp more or less, far from the origin."""

from __future__ import annotations

from math import inf, nextafter

from carom_conformance import exact
from carom_conformance.engine import Engine
from carom_conformance.registry import RATIONAL, Answer, scene, scenes
from carom_conformance.shapes import Capsule, Circle, Polygon, Segment, Shape, between, box, regular


def up(x: float) -> float:
    """Return the next float above."""
    return nextafter(x, inf)


def down(x: float) -> float:
    """Return the next float below."""
    return nextafter(x, -inf)


UNIT = between(0, 0, 1, 1)
SUM = 0.1 + 0.2  # an ulp above 0.3
BIG = 2.0**30
SLIVER = Polygon(((0, 0), (3, 1), (6, 2 + 2.0**-40)))
DIAGONAL = Segment((0, 0), (3, 1))
GON = regular(64, 1.0)
TIP = GON.vertices[0][0]

Pair = tuple[Shape, Shape]

TOUCHING: dict[str, Pair] = {
    "boxes side by side": (UNIT, between(1, 0, 2, 1)),
    "boxes corner to corner": (UNIT, between(1, 1, 2, 2)),
    "boxes on tenths": (between(0, 0, SUM, 1), between(SUM, 0, 1, 1)),
    "boxes far from the origin": (between(BIG, BIG, BIG + 1, BIG + 1), between(BIG + 1, BIG, BIG + 2, BIG + 1)),
    "boxes at 2 to the 52": (between(2.0**52, 0, 2.0**52 + 1, 1), between(2.0**52 + 1, 0, 2.0**52 + 2, 1)),
    "circles side by side": (Circle((0, 0), 2), Circle((5, 0), 3)),
    "circles along a diagonal": (Circle((0, 0), 2), Circle((3, 4), 3)),
    "a circle in an offset place": (Circle((1e6, 1e6), 2), Circle((1e6 + 3, 1e6 + 4), 3)),
    "a circle and a corner": (Circle((-3, -4), 5), UNIT),
    "a circle and a face": (Circle((0.5, 3), 2), UNIT),
    "a circle and a slanted edge": (Circle((5, -2.5), 5), Polygon(((0, 0), (4, 3), (-3, 4)))),
    "a circle of radius 1e-8 at a face": (Circle((0.5, 1 + 2.0**-27), 2.0**-27), UNIT),
    "capsules in parallel": (Capsule((0, 0), (4, 0), 1), Capsule((1, 3), (6, 3), 2)),
    "capsules end to end": (Capsule((0, 0), (4, 0), 1), Capsule((7, 4), (9, 9), 4)),
    "a capsule and a corner": (Capsule((-3, -4), (-9, -4), 5), UNIT),
    "segments in a T": (Segment((0, 0), (4, 0)), Segment((1, 0), (1, 5))),
    "segments end to end": (Segment((0, 0), (0.1, 0.3)), Segment((0.1, 0.3), (7, 1))),
    "segments in one line": (Segment((0, 0), (3, 1)), Segment((6, 2), (3, 1))),
    "a vertex on a slanted edge": (Polygon(((0, 0), (9, 3), (0, 3))), Polygon(((3, 1), (3, -2), (6, -1)))),
    "a vertex on a slanted edge of thirds": (
        Polygon(((0, 0), (0.75, 0.25), (0, 1))),
        Polygon(((0.375, 0.125), (0.4, -1), (1, -1))),
    ),
    "tips of polygons of 64": (GON, between(TIP, -1, TIP + 2, 1)),
    "a sliver and its tip": (SLIVER, Segment((6, 2 + 2.0**-40), (9, 9))),
}

APART: dict[str, Pair] = {
    "boxes": (UNIT, between(up(1), 0, 2, 1)),
    "boxes on tenths": (between(0, 0, 0.3, 1), between(SUM, 0, 1, 1)),
    "boxes corner to corner": (UNIT, between(1, up(1), 2, 2)),
    "boxes far from the origin": (between(BIG, 0, BIG + 1, 1), between(up(BIG + 1), 0, BIG + 2, 1)),
    "circles along a diagonal": (Circle((0, 0), 2), Circle((3, 4), down(3))),
    "circles of tenths": (Circle((0, 0), 0.1), Circle((SUM, 0), 0.2)),
    "a circle and a corner": (Circle((-3, -4), down(5)), UNIT),
    "a circle and a slanted edge": (Circle((5, -2.5), down(5)), Polygon(((0, 0), (4, 3), (-3, 4)))),
    "capsules end to end": (Capsule((0, 0), (4, 0), 1), Capsule((7, 4), (9, 9), down(4))),
    "segments in a T": (Segment((0, 0), (4, 0)), Segment((1, 5e-324), (1, 5))),
    "a vertex and a slanted edge": (Polygon(((0, 0), (9, 3), (0, 3))), Polygon(((3, down(1)), (3, -2), (6, -1)))),
    "a point beside a diagonal": (DIAGONAL, Segment((1.5, down(0.5)), (1.5, -2))),
    "a sliver and a point under it": (SLIVER, Segment((3, down(1)), (3, -1))),
}

DEEPER: dict[str, Pair] = {
    "boxes": (UNIT, between(down(1), 0, 2, 1)),
    "boxes corner to corner": (UNIT, between(down(1), down(1), 2, 2)),
    "a circle and a corner": (Circle((-3, -4), up(5)), UNIT),
    "a vertex and a slanted edge": (Polygon(((0, 0), (9, 3), (0, 3))), Polygon(((3, up(1)), (3, -2), (6, -1)))),
    "boxes far from the origin": (between(BIG, 0, up(BIG + 1), 1), between(BIG + 1, 0, BIG + 2, 1)),
}

PLAIN: dict[str, Pair] = {
    "one within the other": (between(-5, -5, 5, 5), regular(7, 0.5)),
    "two in a cross": (between(-5, -1, 5, 1), between(-1, -5, 1, 5)),
    "capsules in a cross": (Capsule((-5, 0), (5, 0), 0.1), Capsule((0, -5), (0, 5), 0.1)),
    "slivers that cross": (Polygon(((0, 0), (10, 0), (10, 2.0**-30))), Polygon(((5, -5), (5 + 2.0**-30, -5), (5, 5)))),
    "nearly parallel boxes": (box(0, 0, 10, 1), box(0, 1, 10, 1, 1e-9)),
    "a huge box and a tiny circle": (between(-1e8, -1e8, 0, 1e8), Circle((1e-8, 3), 2e-8)),
    "a huge box and a tiny circle apart": (between(-1e8, -1e8, 0, 1e8), Circle((2e-8, 3), 1e-8)),
    "boxes whose bounds alone overlap": (box(0, 0, 2, 2, 0.7853981633974483), box(1.3, 1.3, 1, 1, 0.7853981633974483)),
}


@scenes("pairs", RATIONAL, TOUCHING)
def touching(engine: Engine, a: Shape, b: Shape) -> Answer:
    """Closed shapes that touch in exactly one point or along an edge intersect: {}."""
    return Answer(engine.intersects(a, b), exact.intersects(a, b))


@scenes("pairs", RATIONAL, APART)
def an_ulp_apart(engine: Engine, a: Shape, b: Shape) -> Answer:
    """Shapes that one coordinate, moved by its last bit, keeps apart do not intersect: {}."""
    return Answer(engine.intersects(a, b), exact.intersects(a, b))


@scenes("pairs", RATIONAL, DEEPER)
def an_ulp_deep(engine: Engine, a: Shape, b: Shape) -> Answer:
    """Shapes that overlap by the last bit of a coordinate intersect: {}."""
    return Answer(engine.intersects(a, b), exact.intersects(a, b))


@scenes("pairs", RATIONAL, PLAIN)
def meeting(engine: Engine, a: Shape, b: Shape) -> Answer:
    """Whether two shapes intersect: {}."""
    return Answer(engine.intersects(a, b), exact.intersects(a, b))


@scene("pairs", "shapely/shapely#938")
def circles_of_four_and_two(engine: Engine) -> Answer:
    """Discs of radius 4 about (0, 0) and of radius 2 about (6, 0) touch at (4, 0)."""
    return Answer(engine.intersects(Circle((0, 0), 4), Circle((6, 0), 2)), True)


@scene("pairs", "shapely/shapely#1962")
def a_tenth_of_a_line(engine: Engine) -> Answer:
    """Whether (-0.2, -0.3), as floats have it, lies on the line from (0, 0) to (-2, -3): it does not."""
    line = Segment((0, 0), (-2, -3))
    return Answer(engine.contains(line, (-0.2, -0.3)), exact.contains(line, (-0.2, -0.3)))
