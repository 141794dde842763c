"""A million tiles that exactly touch their neighbours: rounding can tell none of them, exact arithmetic decides.

Tiles along the axes are told by their stored corners; turned tiles, triangles and hexagons ask expansion arithmetic.
Some of the turned tiles' stored corners are apart or overlap by less than the last place: that is decided, too.
"""

from __future__ import annotations

import math

import numpy as np

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

ROWS = 1_000_000
VERBS = ("intersects", "separation", "collide")


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("tiles", "verb", "threads", "a million rows", "a row")]
    for kind, (a, b) in tiles().items():
        for verb in VERBS:
            names = {"a": a, "b": b, "verb": getattr(cm, verb)}
            asked = [Contender("carom", f"verb(a, b, threads={threads})", names) for threads in (1, 2)]
            for threads, seconds in zip((1, 2), race(asked, min(rounds, 3)), strict=True):
                rows.append((kind, verb, str(threads), duration(seconds * ROWS / len(a)), duration(seconds / len(a))))
    return Table("A million touching tiles", f"Median time of one call over {ROWS:,} rows, fresh arrays.", rows)


def tiles() -> dict[str, tuple[cm.Shapes, cm.Shapes]]:
    """Return neighbours in a row of tiles, for each kind of tile."""
    side = math.isqrt(ROWS)
    at = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2).astype(np.float64)
    lower = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    upper = np.array([(1.0, 1.0), (0.0, 1.0), (1.0, 0.0)])
    # Corners on a grid of quarters, so that flush sides are flush exactly; the sides slant by 3 : 4.
    hexagon = np.array([(0.0, 0.0), (0.75, -1.0), (1.75, -1.0), (2.5, 0.0), (1.75, 1.0), (0.75, 1.0)])
    turn = 0.3
    across = np.array([math.cos(turn), math.sin(turn)])
    turned = at @ np.array([across, [-across[1], across[0]]])
    ones = np.ones((len(at), 2))
    return {
        "AABBs, side by side": (cm.Shapes.boxes(at, ones), cm.Shapes.boxes(at + np.array([1.0, 0.0]), ones)),
        "boxes turned by 0.3": (cm.Shapes.boxes(turned, ones, turn), cm.Shapes.boxes(turned + across, ones, turn)),
        "triangles, two a square": (
            cm.Shapes.polygons(at[:, None] + lower),
            cm.Shapes.polygons(at[:, None] + upper),
        ),
        "hexagons, on slanted sides": (
            cm.Shapes.polygons(at[:, None] + hexagon),
            cm.Shapes.polygons(at[:, None] + hexagon + np.array([1.75, 1.0])),
        ),
    }
