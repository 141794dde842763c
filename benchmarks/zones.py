"""Points in jagged zones, and zones with each other, in memory: by edges, by convex parts, and by Shapely.

2,000 zones of 556 corners each, five lobes with notches all round, and 500,000 points. Making is in all times: Carom's
sets, Shapely's tree and its preparing; the geometries are Shapely's own in all. A minute on an idle machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import shapely

import carom as cm
from benchmarks.harness import Table, duration

ZONES, CORNERS, POINTS, SIDE, WITHIN = 2_000, 556, 500_000, 45, 0.02


def make_zones() -> Any:
    """Return zones on a grid, neighbours of which overlap a little."""
    rng = np.random.default_rng(1)
    turns = np.linspace(0.0, 2.0 * np.pi, CORNERS, endpoint=False)
    found = []
    for k in range(ZONES):
        reach = 0.4 + 0.25 * np.sin(5.0 * turns + k) * rng.uniform(0.3, 1.0) + rng.uniform(0.0, 0.02, CORNERS)
        found.append((k % SIDE, k // SIDE) + np.stack((np.cos(turns), np.sin(turns)), axis=1) * reach[:, None])
    return shapely.polygons(np.array(found))


def least(work: Callable[[], Any], rounds: int) -> tuple[Any, float]:
    """Return an answer, and the least time of the processor that it took."""
    best = np.inf
    for _ in range(rounds):
        begin = time.process_time()
        answer = work()
        best = min(best, time.process_time() - begin)
    return answer, best


def prepared(zones: Any, at: Any) -> Any:
    """Return pairs by Shapely: fresh zones, prepared, ask a tree of points."""
    fresh = shapely.from_wkb(zones)
    shapely.prepare(fresh)
    return shapely.STRtree(shapely.points(at)).query(fresh, predicate="intersects")


def by_parts(zones: Any) -> cm.Shapes:
    """Return a set that knows only convex parts."""
    return cm.Shapes.concatenate([cm.Shapes.from_shapely(zones)])


def run(rounds: int) -> Table:
    """Return the table."""
    zones = make_zones()
    stored = shapely.to_wkb(zones)
    at = np.random.default_rng(2).uniform(-0.5, SIDE - 0.5, (POINTS, 2))
    near = {"predicate": "dwithin", "distance": WITHIN}
    asked: tuple[tuple[str, Callable[[Any], Any], Callable[[], Any]], ...] = (
        (
            "which points are in which zones",
            lambda read: cm.pairs(cm.Shapes.points(at), read(zones), owners=True),
            lambda: prepared(stored, at),
        ),
        (
            "which zones touch",
            lambda read: cm.pairs(read(zones), owners=True),
            lambda: shapely.STRtree(zones).query(zones, predicate="intersects"),
        ),
        (
            f"which zones are within {WITHIN}",
            lambda read: cm.pairs(read(zones), owners=True, within=WITHIN),
            lambda: shapely.STRtree(zones).query(zones, **near),
        ),
    )
    rows: list[tuple[str, ...]] = [("question", "pairs", "by edges", "by parts", "Shapely")]
    for name, ours, theirs in asked:
        ours(lambda given: cm.Shapes.from_shapely(given[:50])), ours(lambda given: by_parts(given[:50]))  # compiles
        found, edges = least(lambda ours=ours: ours(cm.Shapes.from_shapely), min(rounds, 3))  # type: ignore[misc]
        _, parts = least(lambda ours=ours: ours(by_parts), 1)  # type: ignore[misc]
        _, other = least(theirs, min(rounds, 3))
        rows.append((name, f"{len(found):,}", duration(edges), duration(parts), duration(other)))
        print("  ".join(rows[-1]), flush=True)
    notes = (
        f"{ZONES:,} zones of {CORNERS} corners, {POINTS:,} points. Time of the processor, one thread, making included."
    )
    return Table("Zones by their edges", notes, rows)


if __name__ == "__main__":
    run(3)
