"""Casts: the fraction of a motion at which one shape first meets another, straight or turning."""

from __future__ import annotations

import math

from carom_conformance.engine import Engine
from carom_conformance.registry import CLOSED, RATIONAL, Answer, scene, scenes
from carom_conformance.scenes.gaps import ROUNDING, SINGLE
from carom_conformance.scenes.pairs import UNIT, down, up
from carom_conformance.shapes import Capsule, Circle, Point, Polygon, Segment, Shape, between, box, moved

BALL = Circle((0, 0), 1)
Way = tuple[Shape, Shape, Point, float | None]

STRAIGHT: dict[str, Way] = {
    "a ball and a wall": (BALL, between(5, -9, 6, 9), (8, 0), 0.5),
    "a ball and a wall 2 to the -40 thick": (BALL, between(5, -9, 5 + 2.0**-40, 9), (2.0**40, 0), 4 / 2.0**40),
    "a ball and a line": (BALL, Segment((5, -9), (5, 9)), (8, 0), 0.5),
    "a ball and a corner": (Circle((0, 0), 5), between(8, 4, 20, 20), (20, 0), 0.25),
    "a ball and a ball": (Circle((-16, 0), 2), Circle((0, 4), 3), (16, 0), 13 / 16),
    "a box and a box": (UNIT, between(5, 0.5, 6, 3), (16, 0), 0.25),
    "a box and a corner of a turned box": (
        UNIT,
        Polygon(((5, 0.5), (6, -0.5), (7, 0.5), (6, 1.5))),
        (8, 0),
        0.5,
    ),
    "a capsule and a ball": (Capsule((0, -2), (0, 2), 1), Circle((8, 1), 2), (10, 0), 0.5),
    "a segment and a segment": (Segment((0, 0), (0, 2)), Segment((3, 1), (5, 1)), (6, 0), 0.5),
    "a box far from the origin": (moved(UNIT, 1e6, 1e6), between(1e6 + 5, 1e6, 1e6 + 6, 1e6 + 1), (8, 0), 0.5),
    "a ball at 1e9 units a step": (BALL, between(5, -9, 5.0625, 9), (1e9, 0), 4e-9),
}

GRAZING: dict[str, tuple[Shape, Shape, Point, bool]] = {
    "a ball that grazes a ball": (Circle((-8, 5), 2), Circle((0, 0), 3), (16, 0), True),
    "a ball an ulp above a ball": (Circle((-8, up(5)), 2), Circle((0, 0), 3), (16, 0), False),
    "a ball an ulp into a ball": (Circle((-8, down(5)), 2), Circle((0, 0), 3), (16, 0), True),
    "a ball that grazes a corner": (Circle((-8, 2), 1), between(0, 0, 1, 1), (16, 0), True),
    "a ball an ulp above a corner": (Circle((-8, up(2)), 1), between(0, 0, 1, 1), (16, 0), False),
    "a box that ends in touch": (UNIT, between(5, 0, 6, 1), (4, 0), True),
    "a box that ends an ulp short": (UNIT, between(5, 0, 6, 1), (down(4), 0), False),
    "a box an ulp above a box": (between(0, up(1), 1, 2), between(5, 0, 6, 1), (9, 0), False),
}


@scenes("casts", RATIONAL, STRAIGHT)
def cast_fraction(engine: Engine, a: Shape, b: Shape, way: Point, right: float) -> Answer:
    """The fraction of its motion at which a shape first touches another: {}."""
    return Answer(engine.cast(a, b, way), right, right * SINGLE, ROUNDING)


@scenes("casts", RATIONAL, GRAZING)
def cast_hit(engine: Engine, a: Shape, b: Shape, way: Point, right: bool) -> Answer:
    """Whether a moving shape hits another: {}."""
    return Answer(engine.cast(a, b, way) is not None, right)


@scene("casts", "dimforge/parry#405")
def cast_out_of_touch(engine: Engine) -> Answer:
    """A ball that touches a wall and moves away from it hits nothing."""
    return Answer(engine.cast(Circle((1, 0), 1), between(-1, -9, 0, 9), (5, 0)) is None, True)


@scene("casts", "erincatto/box3d#32")
def cast_along_a_floor(engine: Engine) -> Answer:
    """A ball that touches a floor and rolls along it hits the wall at its end: fractions of both, -1 for never."""
    ball = Circle((0, 1), 1)
    floor, wall = engine.cast(ball, between(-9, -1, 9, 0), (8, 0)), engine.cast(ball, between(5, 0, 6, 9), (8, 0))
    return Answer((-1.0 if floor is None else floor, -1.0 if wall is None else wall), (-1.0, 0.5), SINGLE, ROUNDING)


@scene("casts", "erincatto/box2d#935")
def cast_down_on_flush_tiles(engine: Engine) -> Answer:
    """A box falls on three flush tiles: the fractions at which it hits each are the same, 0.5."""
    tiles = [between(k, -1, k + 1, 0) for k in range(3)]
    found = [engine.cast(between(0.4, 4, 2.3, 5), tile, (0, -8)) for tile in tiles]
    return Answer(max((abs((one or 0.0) - 0.5) for one in found), default=1.0), 0.0, SINGLE, ROUNDING)


# A rod that swings about its end at the origin is met by a disc of radius r at distance d under the angle asin(r / d).
TURNING: dict[str, tuple[Shape, Shape, Point, float, float]] = {
    "a rod that swings to a ball": (
        Segment((0, 0), (6, 0)),
        Circle((0, 4), 1),
        (0, 0),
        math.pi,
        (math.pi / 2 - math.asin(1 / 4)) / math.pi,
    ),
    "a flipper that swings to a ball": (
        Capsule((0, 0), (6, 0), 0.5),
        Circle((0, 4), 1),
        (0, 0),
        math.pi,
        (math.pi / 2 - math.asin(1.5 / 4)) / math.pi,
    ),
    "a rod that turns ten times": (
        Segment((0, 0), (6, 0)),
        Circle((0, 4), 1),
        (0, 0),
        20 * math.pi,
        (math.pi / 2 - math.asin(1 / 4)) / (20 * math.pi),
    ),
    "a square whose corner swings to a wall": (
        box(0, 0, 2, 2),
        between(1.25, -9, 2, 9),
        (0, 0),
        1.0,
        math.pi / 4 - math.acos(1.25 / math.sqrt(2)),
    ),
    "a square that just passes a wall": (box(0, 0, 2, 2), between(1.415, -9, 2, 9), (0, 0), 7.0, -1.0),
    "a disc that turns about its centre": (Circle((0, 0), 1), between(3, -9, 4, 9), (4, 0), 5.0, 0.5),
}


@scenes("casts", CLOSED, TURNING)
def turning_cast(engine: Engine, a: Shape, b: Shape, way: Point, turn: float, right: float) -> Answer:
    """The fraction of its motion at which a turning shape first touches another, -1 for never: {}."""
    found = engine.turning_cast(a, b, way, turn, (0, 0))
    return Answer(-1.0 if found is None else found, right, SINGLE, ROUNDING)


@scene("casts", "dimforge/parry#317")
def turning_cuboid_meets_a_cuboid(engine: Engine) -> Answer:
    """A square of side 2 moves by 4 towards a wall at 3.5 and makes half a turn: the hit lies within its bounds.

    It comes no earlier than a corner in front could meet the wall, and no later than a face in front would.
    """
    found = engine.turning_cast(box(0, 0, 2, 2), between(3.5, -9, 5, 9), (4, 0), math.pi, (0, 0))
    return Answer(found is not None and (3.5 - math.sqrt(2)) / 4 - 1e-9 <= found <= 2.5 / 4, True)
