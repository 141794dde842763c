"""A million rows in one call: yes or no, separation, contacts, beside the others.

Pairs are random, about half of them touch; the sets are made beforehand. Shapely has no circle, no normal and no depth:
its circles are asked as distances of centres, and it takes no part where there is no question it can answer. Pymunk and
pygame-ce answer one pair at a time: a Python loop over FEW of them. For NumPy the usual formulas are written out.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame
import pymunk
import shapely
from numpy.typing import NDArray

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

ROWS = 1_000_000
FEW = 10_000
HEADINGS = ("question", "library", "statement", "a row", "times Carom's")
REACH = {"circle": 3.1, "AABB": 1.75, "OBB": 1.85, "hexagon": 2.8}  # offsets up to which about half the pairs touch
HEXAGON = np.array([(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)])


def run(rounds: int) -> Table:
    rng = np.random.default_rng(7)
    rows: list[tuple[str, ...]] = [HEADINGS]
    for kind_a, kind_b in (
        ("circle", "circle"),
        ("AABB", "AABB"),
        ("circle", "OBB"),
        ("OBB", "OBB"),
        ("hexagon", "hexagon"),
    ):
        centers = rng.uniform(-50, 50, (ROWS, 2))
        reach = (REACH[kind_a] + REACH[kind_b]) / 2
        a, b = make(kind_a, centers, rng), make(kind_b, centers + rng.uniform(-reach, reach, (ROWS, 2)), rng)
        share = float(cm.intersects(a[0], b[0]).mean())
        rows += race_rows(f"{kind_a} and {kind_b} touch ({share:.0%} do)", yes_or_no(a, b), min(rounds, 5))
        names = {"a": a[0], "b": b[0], "separation": cm.separation, "collide": cm.collide}
        for verb in ("separation", "collide"):
            asked = [Contender("carom", f"{verb}(a, b)", names)]
            if verb == "collide":
                asked += [Contender("carom", "collide(a, b, threads=2)", names), in_pymunk(a[0], b[0])]
            rows += race_rows(f"{kind_a} and {kind_b}, {verb}", asked, min(rounds, 5))
    notes = f"Median time of one call over {ROWS:,} rows, divided by the rows; one thread, answers in fresh arrays."
    return Table("A million rows, one call", notes, rows)


def race_rows(question: str, contenders: list[Contender], rounds: int) -> list[tuple[str, ...]]:
    seconds = race(contenders, rounds)
    return [
        (question, c.library, f"`{c.statement}`", duration(s / count), f"{s / count * ROWS / seconds[0]:.1f}")
        for c, s in zip(contenders, seconds, strict=True)
        for count in (FEW if "zip" in c.statement else ROWS,)
    ]


def make(kind: str, centers: NDArray[np.float64], rng: np.random.Generator) -> tuple[cm.Shapes, Any]:
    """Return Carom's set and what Shapely needs for the same shapes."""
    sizes = rng.uniform(0.5, 2.0, (len(centers), 2))
    if kind == "circle":
        return cm.Shapes.circles(centers, sizes[:, 0]), (shapely.points(centers), sizes[:, 0])
    if kind == "hexagon":
        outlines = centers[:, None] + sizes[:, :1, None] * HEXAGON
        return cm.Shapes.polygons(outlines), shapely.polygons(outlines)
    angles = rng.uniform(0, math.pi, len(centers)) if kind == "OBB" else np.zeros(len(centers))
    c, s = np.cos(angles), np.sin(angles)
    x, y = sizes[:, 0] / 2, sizes[:, 1] / 2
    corners = [
        np.stack((i * x * c - j * y * s, i * x * s + j * y * c), 1) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return cm.Shapes.boxes(centers, sizes, angles), shapely.polygons(centers[:, None] + np.stack(corners, 1))


def yes_or_no(a: tuple[cm.Shapes, Any], b: tuple[cm.Shapes, Any]) -> list[Contender]:
    ours = [Contender("carom", "intersects(a, b)", {"a": a[0], "b": b[0], "intersects": cm.intersects})]
    ours.append(Contender("carom", "intersects(a, b, threads=2)", ours[0].names))
    theirs: dict[str, Any] = {"dwithin": shapely.dwithin, "intersects": shapely.intersects}
    first = a[0][0]
    if isinstance(a[1], tuple):
        others, reach = b[1], a[1][1]
        if isinstance(b[1], tuple):
            others, reach = b[1][0], reach + b[1][1]
            p, q = (shapely.get_coordinates(side[1][0]) for side in (a, b))
            ours.append(Contender("numpy", "((q - p) ** 2).sum(axis=1) <= reach**2", {"p": p, "q": q, "reach": reach}))
        names = theirs | {"a": a[1][0], "b": others, "reach": reach}
        return [*ours, Contender("shapely", "dwithin(a, b, reach)", names)]
    if isinstance(first, cm.Box) and first.angle == 0.0:
        p, q = a[0].bounds, b[0].bounds
        statement = "((p[:, :2] <= q[:, 2:]) & (q[:, :2] <= p[:, 2:])).all(axis=1)"
        ours.append(Contender("numpy", statement, {"p": p, "q": q}))
        rects = [[pygame.FRect(x, y, u - x, v - y) for x, y, u, v in side[:FEW].tolist()] for side in (p, q)]
        ours.append(Contender("pygame-ce", "[a.colliderect(b) for a, b in zip(*rects)]", {"rects": rects}))
    return [*ours, Contender("shapely", "intersects(a, b)", theirs | {"a": a[1], "b": b[1]})]


def in_pymunk(a: cm.Shapes, b: cm.Shapes) -> Contender:
    """Return pymunk's contacts of those of the first rows that touch: on shapes apart it stops with an assertion."""
    kept = [(x, y) for x, y in zip(a[: 4 * FEW], b[: 4 * FEW], strict=True) if cm.separation(x, y) < -1e-3][:FEW]
    pairs = [tuple(placed(shape) for shape in pair) for pair in kept]
    return Contender(
        "pymunk", "[a.shapes_collide(b) for a, b in zip(*pairs)]", {"pairs": list(zip(*pairs, strict=True))}
    )


def placed(shape: Any) -> pymunk.Shape:
    """Return pymunk's form of a shape, with its bounds up to date."""
    frame = pymunk.Body(body_type=pymunk.Body.STATIC)
    if isinstance(shape, cm.Circle):
        made: pymunk.Shape = pymunk.Circle(frame, shape.radius, tuple(shape.center))
    else:
        made = pymunk.Poly(frame, [tuple(v) for v in shape.vertices])
    made.cache_bb()
    return made
