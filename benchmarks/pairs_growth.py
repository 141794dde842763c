"""How the time for all pairs grows with the boxes: from 1,000 to 10 million, for each kind of boxes, with a picture.

A kind whose pairs grow faster than its boxes is left out above 100,000. The best of three turns counts; of one, above a
million. About three minutes, and 8 GiB of memory, on an idle machine.
"""

from __future__ import annotations

import time

import numpy as np

import carom as cm
from benchmarks.harness import Table, duration
from benchmarks.pair_data import CASES, Floats
from carom.broad.all_pairs import all_pairs, measured
from carom.broad.blocks import in_order

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = {"stacks of 1,000 identical boxes": 100_000}
PICTURE = "docs/images/pairs-growth.png"
HEADINGS = ("boxes", *(f"{n:,}" for n in SIZES))


def run(rounds: int) -> Table:
    for method in ("grid", "hierarchy", "strips", "sweep"):
        cm.bounds_pairs(np.zeros((9, 4)), method=method)  # type: ignore[call-overload]  # compiles or loads
    rows: list[tuple[str, ...]] = [HEADINGS]
    curves: dict[str, list[tuple[int, float]]] = {}
    for name, make in CASES.items():
        cells = []
        for n in SIZES:
            if n > LARGEST.get(name, SIZES[-1]):
                cells.append("")
                continue
            boxes = make(n, np.random.default_rng(5))
            turns = [timed(boxes) for _ in range(min(rounds, 3) if n <= 1_000_000 else 1)]
            seconds, found, method = min(turns)
            curves.setdefault(name, []).append((n, seconds / (n + found)))
            cells.append(f"{duration(seconds / (n + found))}, {method}")
        rows.append((name, *cells))
    draw(curves)
    notes = f"Time for each box and each pair found, and the method chosen; one thread. The picture is {PICTURE}."
    return Table("All pairs, more and more boxes", notes, rows)


def timed(boxes: Floats) -> tuple[float, int, str]:
    """Return the seconds that the steps of `bounds_pairs` take, how many pairs there are, and the method chosen."""
    begin = time.perf_counter()
    found = all_pairs("benchmark", measured(boxes))
    assert found is not None
    count = len(in_order(found.first, found.second, len(boxes)))
    return time.perf_counter() - begin, count, found.plan.method


def draw(curves: dict[str, list[tuple[int, float]]]) -> None:
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 5.0), layout="constrained")
    axes = figure.add_subplot()
    colors = [*rcParams["axes.prop_cycle"].by_key()["color"], "black"]  # one more than Matplotlib's ten
    for (name, points), marker, color in zip(curves.items(), "osD^v<>*XPp", colors, strict=True):
        n, each = zip(*points, strict=True)
        axes.plot(n, np.array(each) * 1e9, marker=marker, markersize=5, color=color, label=name)
    axes.set(xscale="log", yscale="log", xlabel="boxes", ylabel="ns for each box and each pair")
    axes.set_title("Time for all pairs, for each box and pair: flat is linear")
    axes.grid(alpha=0.3, which="both")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    run(3)
