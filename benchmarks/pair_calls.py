"""One pair, one call from Python: does it touch, how far, where, and which way out.

Each question is put to Carom and to every library that can answer it, on shapes that overlap and on shapes that do
not. Shapely has no circle: its circles are polygons of 64 corners. Pymunk's `shapes_collide` stops with an assertion on
shapes that are apart, so it is asked for overlapping ones only; it also fills a contact, as Carom's `collide` does.
"""

from __future__ import annotations

from typing import Any

import pygame
import pygame.geometry
import pymunk
import shapely

import carom as cm
from benchmarks.harness import RACE_HEADINGS, Contender, Table, race_rows

ANGLE = 0.3
FRAME = pymunk.Body(body_type=pymunk.Body.STATIC)
TRIANGLE = [(0.0, 0.0), (2.0, 0.0), (1.0, 2.0)]


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [RACE_HEADINGS]
    for state, offset in (("overlapping", 0.5), ("apart", 50.0)):
        for question, contenders in questions(offset).items():
            chosen = [c for c in contenders if c.library != "pymunk" or offset < 1.0 or "query" in c.statement]
            rows += race_rows(f"{question}, {state}", chosen, rounds)
    return Table("One pair, one call", "Median time of one call from Python, the values being made beforehand.", rows)


def questions(x: float) -> dict[str, list[Contender]]:
    """Return the questions about a shape at the origin and one at (x, 0)."""
    circles = both(lambda at: cm.Circle((at, 0), 1.0), x)
    boxes = both(lambda at: cm.Box((at, 0), (2, 2)), x)
    turned = both(lambda at: cm.Box((at, 0), (2, 2), angle=ANGLE), x)
    triangles = both(lambda at: cm.Polygon([(px + at, py) for px, py in TRIANGLE]), x)
    shapely_circles = both(lambda at: shapely.Point(at, 0).buffer(1.0), x)
    shapely_boxes = both(lambda at: shapely.box(at - 1, -1, at + 1, 1), x)
    shapely_triangles = both(lambda at: shapely.Polygon([(px + at, py) for px, py in TRIANGLE]), x)
    pymunk_circles = both(lambda at: placed(pymunk.Circle(FRAME, 1.0, (at, 0))), x)
    pymunk_boxes = both(lambda at: placed(pymunk.Poly(FRAME, corners(at))), x)
    pymunk_triangles = both(lambda at: placed(pymunk.Poly(FRAME, [(px + at, py) for px, py in TRIANGLE])), x)
    game_circles = both(lambda at: pygame.geometry.Circle(at, 0, 1), x)
    game_boxes = both(lambda at: pygame.FRect(at - 1, -1, 2, 2), x)
    ray = {"origin": (-5.0, 0.1), "translation": (60.0, 0.0), "end": (55.0, 0.1)}
    line = shapely.LineString([ray["origin"], ray["end"]])
    return {
        "circle and circle touch": [
            Contender("carom", "intersects(a, b)", circles | {"intersects": cm.intersects}),
            Contender("pygame-ce", "a.collidecircle(b)", game_circles),
            Contender("shapely", "intersects(a, b)", shapely_circles | {"intersects": shapely.intersects}),
        ],
        "box and box touch": [
            Contender("carom", "intersects(a, b)", boxes | {"intersects": cm.intersects}),
            Contender("pygame-ce", "a.colliderect(b)", game_boxes),
            Contender("shapely", "intersects(a, b)", shapely_boxes | {"intersects": shapely.intersects}),
        ],
        "turned box and turned box touch": [
            Contender("carom", "intersects(a, b)", turned | {"intersects": cm.intersects}),
            Contender("shapely", "intersects(a, b)", turned_in_shapely(x) | {"intersects": shapely.intersects}),
        ],
        "triangle and triangle touch": [
            Contender("carom", "intersects(a, b)", triangles | {"intersects": cm.intersects}),
            Contender("shapely", "intersects(a, b)", shapely_triangles | {"intersects": shapely.intersects}),
        ],
        "circle and circle, how far": [
            Contender("carom", "separation(a, b)", circles | {"separation": cm.separation}),
            Contender("shapely", "distance(a, b)", shapely_circles | {"distance": shapely.distance}),
        ],
        "box and box, how far": [
            Contender("carom", "separation(a, b)", boxes | {"separation": cm.separation}),
            Contender("shapely", "distance(a, b)", shapely_boxes | {"distance": shapely.distance}),
        ],
        "circle and circle, contact": [
            Contender("carom", "collide(a, b)", circles | {"collide": cm.collide}),
            Contender("pymunk", "a.shapes_collide(b)", pymunk_circles),
        ],
        "box and box, contact": [
            Contender("carom", "collide(a, b)", boxes | {"collide": cm.collide}),
            Contender("pymunk", "a.shapes_collide(b)", pymunk_boxes),
        ],
        "triangle and triangle, contact": [
            Contender("carom", "collide(a, b)", triangles | {"collide": cm.collide}),
            Contender("pymunk", "a.shapes_collide(b)", pymunk_triangles),
        ],
        "ray against a box": [
            Contender("carom", "raycast(origin, translation, b)", boxes | ray | {"raycast": cm.raycast}),
            Contender("pymunk", "b.segment_query(origin, end)", pymunk_boxes | ray),
            Contender(
                "shapely",
                "intersection(line, b)",
                {**shapely_boxes, "line": line, "intersection": shapely.intersection},
            ),
        ],
        "circle moving against a box": [
            Contender("carom", "cast(a, b, translation)", {"a": circles["a"], "b": boxes["b"], **ray, "cast": cm.cast}),
        ],
    }


def both(make: Any, x: float) -> dict[str, Any]:
    return {"a": make(0.0), "b": make(x)}


def placed(shape: Any) -> Any:
    shape.cache_bb()
    return shape


def corners(at: float) -> list[tuple[float, float]]:
    return [(at - 1, -1), (at + 1, -1), (at + 1, 1), (at - 1, 1)]


def turned_in_shapely(x: float) -> dict[str, Any]:
    return both(lambda at: shapely.Polygon(cm.Box((at, 0), (2, 2), angle=ANGLE).vertices), x)
