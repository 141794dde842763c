"""How far two shapes are apart, and whether a point lies in a shape."""

from __future__ import annotations

import math

from carom_conformance import exact
from carom_conformance.engine import Engine
from carom_conformance.registry import CLOSED, RATIONAL, Answer, scene, scenes
from carom_conformance.scenes.pairs import SLIVER, UNIT, down, up
from carom_conformance.shapes import Capsule, Circle, Point, Polygon, Segment, Shape, between, box, regular

SINGLE = 1e-6
ROUNDING = "some roundings of 32-bit floats"
TRIANGLE = Polygon(((0, 0), (9, 3), (0, 3)))

GAPS: dict[str, tuple[Shape, Shape]] = {
    "circles": (Circle((0, 0), 1), Circle((6, 8), 2)),
    "boxes corner to corner": (UNIT, between(4, 5, 6, 9)),
    "boxes face to face": (UNIT, between(1.5, -3, 2, 3)),
    "a circle and a corner": (Circle((-3, -4), 2), UNIT),
    "a circle and a slanted edge": (Circle((5, -2.5), 2), Polygon(((0, 0), (4, 3), (-3, 4)))),
    "segments in parallel": (Segment((0, 0), (3, 4)), Segment((4, -3), (10, 5))),
    "segments end to middle": (Segment((0, 0), (9, 3)), Segment((3, 2), (0, 9))),
    "a circle and a segment": (Circle((5, 5), 1), Segment((0, 0), (10, 0))),
    "a capsule and a box": (Capsule((3, 3), (8, 4), 0.5), UNIT),
    "a sliver and a point": (SLIVER, Segment((3, 0), (3, -1))),
    "a triangle and a box": (TRIANGLE, box(7, 0, 1, 1)),
    "boxes that overlap": (UNIT, between(0.5, 0.5, 2, 2)),
}
NEAR = {
    "a billion away": (between(1e9, 0, 1e9 + 1, 1), between(1e9 + 1.5, 0, 1e9 + 3, 1)),
    "a thousandth apart at 1e6": (
        between(1e6, 1e6, 1e6 + 1, 1e6 + 1),
        between(1e6 + 1.0009765625, 1e6, 1e6 + 2, 1e6 + 1),
    ),
    "tiny and huge": (between(-1e6, -1e6, 0, 1e6), between(2.0**-30, 0, 2.0**-29, 2.0**-30)),
}

INSIDE: dict[str, tuple[Shape, Point]] = {
    "on a slanted edge": (TRIANGLE, (3, 1)),
    "a vertex": (TRIANGLE, (9, 3)),
    "an ulp below a slanted edge": (TRIANGLE, (3, down(1))),
    "an ulp above a slanted edge": (TRIANGLE, (3, up(1))),
    "on a circle": (Circle((0, 0), 5), (3, 4)),
    "an ulp outside a circle": (Circle((0, 0), 5), (3, up(4))),
    "an ulp inside a circle": (Circle((0, 0), 5), (3, down(4))),
    "on the side of a capsule": (Capsule((0, 0), (4, 0), 1), (2, 1)),
    "on the cap of a capsule": (Capsule((0, 0), (4, 0), 5), (7, 4)),
    "in a sliver": (SLIVER, (4.5, 1.5)),
    "a corner far from the origin": (between(2.0**40, 0, 2.0**40 + 1, 1), (2.0**40 + 1, 1)),
    "a middle of 64 sides": (regular(64, 1.0), (0.999, 0.0)),
}


@scenes("pairs", RATIONAL, GAPS)
def distance(engine: Engine, a: Shape, b: Shape) -> Answer:
    """The distance of two shapes: {}."""
    return Answer(engine.distance(a, b), exact.distance(a, b), SINGLE, ROUNDING)


@scenes("pairs", RATIONAL, NEAR)
def distance_far_out(engine: Engine, a: Shape, b: Shape) -> Answer:
    """The distance of two shapes whose coordinates differ by exact numbers: {}."""
    right = exact.distance(a, b)
    return Answer(engine.distance(a, b), right, right * SINGLE, ROUNDING)


@scenes("pairs", RATIONAL, INSIDE)
def contains(engine: Engine, shape: Shape, point: Point) -> Answer:
    """Whether a point lies in a shape or on its boundary: {}."""
    return Answer(engine.contains(shape, point), exact.contains(shape, point))


@scene("pairs", CLOSED)
def distance_of_polygons_of_a_hundred(engine: Engine) -> Answer:
    """Two regular polygons of 100 vertices face each other with a vertex each, 3 from centre to centre."""
    return Answer(engine.distance(regular(100, 1.0), regular(100, 1.0, 3.0)), 1.0, SINGLE, ROUNDING)


@scene("pairs", CLOSED)
def distance_of_a_turned_box(engine: Engine) -> Answer:
    """A square of side 2, turned by 45 degrees, has its corner at sqrt 2; a wall stands at 3."""
    turned = box(0, 0, 2, 2, math.pi / 4)
    return Answer(engine.distance(turned, between(3, -5, 4, 5)), 3 - math.sqrt(2), SINGLE, ROUNDING)
