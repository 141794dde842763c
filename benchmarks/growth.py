"""How the cost of a question grows: with the number of vertices, 3 to 10,000 each, and with the number of rows."""

from __future__ import annotations

import math

import numpy as np

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

VERTICES = (3, 10, 30, 100, 300, 1_000, 3_000, 10_000)
ROWS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
VERBS = ("intersects", "separation", "collide")


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("what grows", "how many", "verb", "a call", "for each")]
    verbs = {verb: getattr(cm, verb) for verb in VERBS}
    for count in VERTICES:
        # Overlapping, so that no bounding circle answers; corners at an angle, so that the outlines are merged.
        pair = {"a": round_polygon(count, 0.0, 0.0), "b": round_polygon(count, 1.9, 0.3)}
        rows += lines("vertices of each", count, 2 * count, pair | verbs, rounds)
    rng = np.random.default_rng(11)
    for count in ROWS:
        centers = rng.uniform(-50, 50, (count, 2))
        outline = np.array([(math.cos(k), math.sin(k)) for k in np.arange(6) * math.pi / 3])
        a = cm.Shapes.polygons(centers[:, None] + outline)
        b = cm.Shapes.polygons((centers + rng.uniform(-1.9, 1.9, (count, 2)))[:, None] + outline)
        rows += lines("rows of hexagons", count, count, {"a": a, "b": b} | verbs, min(rounds, 5))
    notes = "Median time of one call. Vertices: one pair of overlapping polygons, the time divided by all vertices."
    return Table("Growth with vertices and rows", notes, rows)


def lines(what: str, count: int, parts: int, names: dict[str, object], rounds: int) -> list[tuple[str, ...]]:
    seconds = race([Contender("carom", f"{verb}(a, b)", names) for verb in VERBS], rounds)
    return [
        (what, f"{count:,}", verb, duration(s), duration(s / parts)) for verb, s in zip(VERBS, seconds, strict=True)
    ]


def round_polygon(count: int, x: float, angle: float) -> cm.Polygon:
    """Return a regular polygon about (x, 0); of many corners on a wider ring, where neighbours stay apart."""
    turns = angle + np.arange(count) * (math.tau / count)
    return cm.Polygon(np.column_stack((x + np.cos(turns), np.sin(turns))))
