"""All overlapping pairs of AABBs, from boxes as arrays to a sorted array of pairs, beside Shapely's STRtree.

Shapely builds its tree from geometries made beforehand and is asked once for all; Carom gets the bare array, in random
order. Both find the same pairs, which is checked. The best of several turns counts, each contender in turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import shapely

import carom as cm
from benchmarks.harness import Table, duration
from benchmarks.pair_data import CASES, Floats
from carom.broad.all_pairs import all_pairs, measured

SIZES = (10_000, 100_000, 1_000_000)
BAD = 100_000
BARE = {10_000: 0.234e-3, 100_000: 3.82e-3, 1_000_000: 63.9e-3}
HEADINGS = ("boxes", "n", "pairs", "carom", "a box and pair", "method", "Shapely", "times Carom's", "C grid", "of it")


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [HEADINGS]
    for name in list(CASES)[:2]:
        rows += [compare(name, n, min(rounds, 9 if n < SIZES[-1] else 3)) for n in SIZES]
    rows += [compare(name, BAD, min(rounds, 3)) for name in list(CASES)[2:]]
    notes = (
        "Best of several turns, one thread. `carom` is `cm.bounds_pairs(boxes)`. The C grid is a bare loop over "
        "float32 boxes that was told the cell size and does not sort its pairs, as it was measured on this machine "
        "when idle."
    )
    return Table("All overlapping pairs of boxes", notes, rows)


def compare(name: str, n: int, rounds: int) -> tuple[str, ...]:
    boxes = CASES[name](n, np.random.default_rng(5))
    geometries = shapely.box(*boxes.T)
    found = cm.bounds_pairs(boxes)
    theirs = tree_pairs(geometries)
    assert np.array_equal(found, theirs[np.lexsort((theirs[:, 1], theirs[:, 0]))]), name
    ours, shapelys = best([lambda: cm.bounds_pairs(boxes), lambda: tree_pairs(geometries)], rounds)
    bare = BARE.get(n) if name == "sizes alike" else None
    return (
        name,
        f"{n:,}",
        f"{len(found):,}",
        duration(ours),
        duration(ours / (n + len(found))),
        method_of(boxes),
        duration(shapelys),
        f"{shapelys / ours:.1f}",
        "" if bare is None else duration(bare),
        "" if bare is None else f"{ours / bare:.1f}",
    )


def method_of(boxes: Floats) -> str:
    found = all_pairs("benchmark", measured(boxes))
    assert found is not None
    plan = found.plan
    return f"{plan.method}, {plan.levels} levels" if plan.levels > 1 else plan.method


def tree_pairs(geometries: Any) -> Any:
    i, j = shapely.STRtree(geometries).query(geometries)
    once = i < j
    return np.stack((i[once], j[once]), axis=1)


def best(calls: list[Callable[[], Any]], rounds: int) -> list[float]:
    times = [float("inf")] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            times[k] = min(times[k], time.perf_counter() - begin)
    return times
