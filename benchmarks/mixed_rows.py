"""Mixed sets: what asking the cheap volumes first saves, and what a second thread does.

Rows pair circles, capsules, straight boxes, turned boxes and hexagons at random. `intersects` asks bounding circles
and circles inside before it walks; the sign of `separation` is the same answer without them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

ROWS = 500_000
HEXAGON = np.array([(math.cos(k), math.sin(k)) for k in np.arange(6) * math.pi / 3])


def run(rounds: int) -> Table:
    rng = np.random.default_rng(12)
    rows: list[tuple[str, ...]] = [("offsets up to", "touch", "statement", "a row")]
    names = {"intersects": cm.intersects, "separation": cm.separation, "collide": cm.collide}
    for reach in (1.0, 3.0, 10.0, 100.0):
        centers = rng.uniform(-50, 50, (ROWS, 2))
        order = rng.permutation(ROWS)
        a = mixed(centers, order, rng)
        b = mixed(centers + rng.uniform(-reach, reach, (ROWS, 2)), rng.permutation(ROWS), rng)
        statements = ["intersects(a, b)", "separation(a, b) <= 0", "collide(a, b)", "intersects(a, b, threads=2)"]
        asked = [Contender("carom", statement, names | {"a": a, "b": b}) for statement in statements]
        touch = f"{float(cm.intersects(a, b).mean()):.0%}"
        for statement, seconds in zip(statements, race(asked, min(rounds, 5)), strict=True):
            rows.append((f"{reach:g}", touch, f"`{statement}`", duration(seconds / ROWS)))
    return Table("Mixed kinds, row by row", f"Median time over {ROWS:,} rows of shapes of size 1 to 2.", rows)


def mixed(centers: NDArray[np.float64], order: NDArray[np.int64], rng: np.random.Generator) -> cm.Shapes:
    """Return shapes of five kinds at these centres, the kinds in random order."""
    parts = np.array_split(order, 5)
    one, two, three, four, five = (centers[part] for part in parts)
    sets = cm.Shapes.concatenate(
        [
            cm.Shapes.circles(one, rng.uniform(0.5, 1, len(one))),
            cm.Shapes.capsules(two, two + rng.uniform(0.2, 1, two.shape), 0.4),
            cm.Shapes.boxes(three, rng.uniform(1, 2, three.shape)),
            cm.Shapes.boxes(four, rng.uniform(1, 2, four.shape), rng.uniform(0, math.pi, len(four))),
            cm.Shapes.polygons(five[:, None] + HEXAGON),
        ]
    )
    return sets[np.argsort(np.concatenate(parts))]
