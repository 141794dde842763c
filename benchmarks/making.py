"""What it costs to make a shape from plain numbers, checks included, and to move one."""

from __future__ import annotations

import pygame
import pymunk
import shapely

import carom as cm
from benchmarks.harness import RACE_HEADINGS, Contender, Table, race_rows

OCTAGON = [(2.0, 0.0), (1.4, 1.4), (0.0, 2.0), (-1.4, 1.4), (-2.0, 0.0), (-1.4, -1.4), (0.0, -2.0), (1.4, -1.4)]


def run(rounds: int) -> Table:
    frame = pymunk.Body(body_type=pymunk.Body.STATIC)
    names = {"cm": cm, "shapely": shapely, "pymunk": pymunk, "pygame": pygame, "frame": frame, "points": OCTAGON}
    names |= {"circle": cm.Circle((0, 0), 1.0), "box": cm.Box((1.5, 0), (2, 1), angle=0.3)}
    questions = {
        "a circle": [
            Contender("carom", "cm.Circle((3.0, 4.0), 1.0)", names),
            Contender("pymunk", "pymunk.Circle(frame, 1.0, (3.0, 4.0))", names),
            Contender("shapely", "shapely.Point(3.0, 4.0).buffer(1.0)", names),
        ],
        "a box along the axes": [
            Contender("carom", "cm.Box((3.0, 4.0), (2.0, 1.0))", names),
            Contender("pygame-ce", "pygame.FRect(2.0, 3.5, 2.0, 1.0)", names),
            Contender("shapely", "shapely.box(2.0, 3.5, 4.0, 4.5)", names),
        ],
        "a turned box": [Contender("carom", "cm.Box((3.0, 4.0), (2.0, 1.0), angle=0.3)", names)],
        "a polygon of eight corners": [
            Contender("carom", "cm.Polygon(points)", names),
            Contender("pymunk", "pymunk.Poly(frame, points)", names),
            Contender("shapely", "shapely.Polygon(points)", names),
        ],
        "the same circle elsewhere": [Contender("carom", "circle.translated((1.0, 2.0))", names)],
        "the same turned box elsewhere": [Contender("carom", "box.translated((1.0, 2.0))", names)],
    }
    rows: list[tuple[str, ...]] = [RACE_HEADINGS]
    for question, contenders in questions.items():
        rows += race_rows(question, contenders, rounds)
    return Table("Making a value", "Median time to make one shape from plain numbers, checks included.", rows)
