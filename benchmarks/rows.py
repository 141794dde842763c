"""A million rows in one call: yes or no, separation, contacts, beside Shapely's vectorised functions.

Pairs are random, about half of them touch; the sets are made beforehand. Shapely has no circle, no normal and no depth:
its circles are asked as distances of centres, and it takes no part where there is no question it can answer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

ROWS = 1_000_000
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
            rows += race_rows(f"{kind_a} and {kind_b}, {verb}", asked, min(rounds, 5))
    notes = f"Median time of one call over {ROWS:,} rows, divided by the rows; one thread, answers in fresh arrays."
    return Table("A million rows, one call", notes, rows)


def race_rows(question: str, contenders: list[Contender], rounds: int) -> list[tuple[str, ...]]:
    seconds = race(contenders, rounds)
    return [
        (question, c.library, f"`{c.statement}`", duration(s / ROWS), f"{s / seconds[0]:.1f}")
        for c, s in zip(contenders, seconds, strict=True)
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
    ours = Contender("carom", "intersects(a, b)", {"a": a[0], "b": b[0], "intersects": cm.intersects})
    theirs: dict[str, Any] = {"dwithin": shapely.dwithin, "intersects": shapely.intersects}
    if isinstance(a[1], tuple):
        others, reach = b[1], a[1][1]
        if isinstance(b[1], tuple):
            others, reach = b[1][0], reach + b[1][1]
        names = theirs | {"a": a[1][0], "b": others, "reach": reach}
        return [ours, Contender("shapely", "dwithin(a, b, reach)", names)]
    return [ours, Contender("shapely", "intersects(a, b)", theirs | {"a": a[1], "b": b[1]})]
