"""Casts that turn, a row of many, beside the straight cast of the same rows.

Pairs start apart, near each other; the share that hits is given. No rival: nothing else for Python casts what turns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

ROWS = 20_000
HEADINGS = ("shapes", "motion", "hits", "turning, a row", "straight, a row")
MOTIONS = (
    ("1.5 rad, moving by 3 sizes", 3.0, 1.5),
    ("3 rad about a pivot, not moving", 0.0, 3.0),
    ("8 turns, moving by 3 sizes", 3.0, 16 * math.pi),
)
HEXAGON = np.array([(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)])


def run(rounds: int) -> Table:
    rng = np.random.default_rng(7)
    rows: list[tuple[str, ...]] = [HEADINGS]
    for kind in ("rods", "boxes", "hexagons"):
        a, b, pivots = scene(kind, rng)
        for text, speed, turn in MOTIONS:
            moves = rng.normal(0.0, 1.0, (len(a), 2)) * speed
            names: dict[str, Any] = {"cast": cm.cast, "a": a, "b": b, "m": moves, "turn": turn, "pivots": pivots}
            contenders = [
                Contender("carom", "cast(a, b, m, rotation=turn, pivot=pivots)", names),
                Contender("carom", "cast(a, b, m)", names),
            ]
            share = float(cm.cast(a, b, moves, rotation=turn, pivot=pivots).hit.mean())
            each = [duration(seconds / len(a)) for seconds in race(contenders, min(rounds, 5))]
            rows.append((kind, text, f"{share:.0%}", *each))
    notes = f"Median time of one call over some {ROWS:,} rows against boxes, divided by the rows; one thread."
    return Table("Casts that turn", notes, rows)


def scene(kind: str, rng: np.random.Generator) -> tuple[cm.Shapes, cm.Shapes, Any]:
    """Return movers, boxes that stand near them but apart, and a pivot near each mover."""
    at, angles = rng.uniform(-2, 2, (ROWS, 2)), rng.uniform(0, 6, ROWS)
    if kind == "rods":
        a = cm.Shapes.segments(at, at + np.stack((np.cos(angles), np.sin(angles)), axis=1))
    elif kind == "boxes":
        a = cm.Shapes.boxes(at, rng.uniform(0.3, 1.5, (ROWS, 2)), angles)
    else:
        a = cm.Shapes.polygons(at[:, None] + HEXAGON[None])
    b = cm.Shapes.boxes(at + rng.uniform(-3, 3, (ROWS, 2)), rng.uniform(0.3, 1.5, (ROWS, 2)), rng.uniform(0, 6, ROWS))
    pivots = at + rng.uniform(-1, 1, (ROWS, 2))
    apart = cm.separation(a, b) > 0.01
    return a[apart], b[apart], pivots[apart]
