"""How deep two shapes overlap, and in which direction they part."""

from __future__ import annotations

import math

from carom_conformance import exact
from carom_conformance.engine import Engine
from carom_conformance.registry import CLOSED, RATIONAL, Answer, scene, scenes
from carom_conformance.scenes.gaps import ROUNDING, SINGLE
from carom_conformance.shapes import Capsule, Circle, Polygon, Segment, Shape, between, box, moved

WALL = between(0, 0, 10, 2)

DEEP: dict[str, tuple[Shape, Shape, float]] = {
    "circles": (Circle((0, 0), 2), Circle((3, 0), 2), 1.0),
    "circles along a diagonal": (Circle((0, 0), 4), Circle((3, 4), 3), 2.0),
    "circles about one centre": (Circle((1, 1), 2), Circle((1, 1), 3), 5.0),
    "a circle and a face": (WALL, Circle((5, 2.5), 1), 0.5),
    "a circle with its centre inside": (WALL, Circle((5, 1.75), 1), 1.25),
    "a circle and a corner": (WALL, Circle((13, 6), 6), 1.0),
    "a capsule on a box": (WALL, Capsule((2, 2.25), (4, 2.25), 0.5), 0.25),
    "capsules in a cross": (Capsule((-5, 0), (5, 0), 0.5), Capsule((1, -5), (1, 5), 0.25), 4.75),
    "a circle and a segment": (Segment((0, 0), (10, 0)), Circle((5, 0.75), 1), 0.25),
    "a box in a box": (between(0, 0, 10, 10), between(1, 4, 3, 6), 3.0),
    "a thin box through a wall": (WALL, between(4, -5, 4.5, 5), 4.5),
}
HULLS: dict[str, tuple[Polygon, Polygon]] = {
    "boxes by a face": (WALL, between(3, 1.5, 4, 3)),
    "boxes by a corner": (WALL, between(9.75, 1.5, 12, 4)),
    "a turned box in a floor": (WALL, box(4, 2.5, 1, 1, 0.5)),
    "triangles": (Polygon(((0, 0), (8, 1), (3, 6))), Polygon(((4, 3), (9, 2), (7, 9)))),
    "slivers": (Polygon(((0, 0), (10, 0), (10, 2.0**-20))), Polygon(((5, -5), (5 + 2.0**-20, -5), (5, 5)))),
}


def _depth(engine: Engine, a: Shape, b: Shape) -> float:
    found = engine.overlap(a, b)
    return found[0] if found else 0.0


@scenes("pairs", CLOSED, DEEP)
def depth(engine: Engine, a: Shape, b: Shape, right: float) -> Answer:
    """The shortest move that separates two shapes: {}."""
    return Answer(_depth(engine, a, b), right, SINGLE, ROUNDING)


@scenes("pairs", RATIONAL, HULLS)
def depth_of_polygons(engine: Engine, a: Polygon, b: Polygon) -> Answer:
    """The shortest move that separates two polygons: {}."""
    return Answer(_depth(engine, a, b), exact.depth(a, b), SINGLE, ROUNDING)


@scene("pairs", "dimforge/parry#34")
def a_circle_about_a_corner(engine: Engine) -> Answer:
    """A disc of radius 1 has its centre exactly at the corner of a square of side 2: it is 1 deep."""
    return Answer(_depth(engine, box(0, 0, 2, 2), Circle((1, 1), 1)), 1.0, SINGLE, ROUNDING)


@scene("pairs", "google-deepmind/mujoco_warp#1526")
def equal_boxes_in_one_place(engine: Engine) -> Answer:
    """Two equal squares of side 2 in the same place are 2 deep, in any of four directions."""
    return Answer(_depth(engine, box(0, 0, 2, 2), box(0, 0, 2, 2)), 2.0, SINGLE, ROUNDING)


@scene("pairs", "AlexanderFabisch/distance3d#78")
def swapped_depths(engine: Engine) -> Answer:
    """The largest difference of the depths of (a, b) and (b, a) over the pairs of this page."""
    pairs = [pair[:2] for pair in DEEP.values()] + list(HULLS.values())
    return Answer(max(abs(_depth(engine, a, b) - _depth(engine, b, a)) for a, b in pairs), 0.0, SINGLE, ROUNDING)


def _normal(engine: Engine, a: Shape, b: Shape, right: tuple[float, float]) -> Answer:
    found = engine.overlap(a, b)
    return Answer(found[1] if found else None, right, SINGLE, ROUNDING)


@scene("pairs", CLOSED)
def normal_of_circles(engine: Engine) -> Answer:
    """The normal of two discs, from the first to the second, along (3, 4)."""
    return _normal(engine, Circle((0, 0), 4), Circle((3, 4), 3), (0.6, 0.8))


@scene("pairs", CLOSED)
def normal_of_a_face(engine: Engine) -> Answer:
    """The normal of a box that has sunk into a floor points up, from the floor to the box."""
    return _normal(engine, WALL, box(4, 2.4, 1, 1), (0.0, 1.0))


@scene("pairs", CLOSED)
def normal_of_a_centre_inside(engine: Engine) -> Answer:
    """The normal of a disc whose centre is in a box points out of the nearest face."""
    return _normal(engine, WALL, Circle((9.5, 1), 0.25), (1.0, 0.0))


@scene("pairs", RATIONAL)
def parted_by_depth_and_normal(engine: Engine) -> Answer:
    """Moved by the depth and 0.01 more along the normal, two triangles are apart by 0.01."""
    a, b = HULLS["triangles"]
    found = engine.overlap(a, b)
    if found is None:
        return Answer(None, 0.0)
    way, (nx, ny) = found[0] + 0.01, found[1]
    return Answer(exact.distance(a, moved(b, nx * way, ny * way)), 0.01, SINGLE, ROUNDING)


@scene("pairs", CLOSED)
def depth_of_a_turned_square(engine: Engine) -> Answer:
    """A square of side 2 turned by 45 degrees stands with its corner in a floor, sqrt 2 - 1.2 deep."""
    return Answer(
        _depth(engine, between(-5, -5, 5, 0), box(0, 1.2, 2, 2, math.pi / 4)), math.sqrt(2) - 1.2, SINGLE, ROUNDING
    )
