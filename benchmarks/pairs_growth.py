"""How the time for all pairs grows with the boxes: from 1,000 to 10 million, for each kind of boxes, with a picture.

A kind is left out above a million boxes where its pairs would take too much memory, and above 100,000 where they grow
faster than the boxes. The best of three turns counts; of one, above a million.
"""

from __future__ import annotations

import numpy as np

import carom as cm
from benchmarks.all_pairs import best, method_of
from benchmarks.harness import Table, duration
from benchmarks.pair_data import CASES

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = {
    "sizes alike": 10_000_000,
    "sizes spread 1,000 times": 10_000_000,
    "stacks of 1,000 identical boxes": 100_000,
}
PICTURE = "docs/images/pairs-growth.png"
HEADINGS = ("boxes", *(f"{n:,}" for n in SIZES))


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [HEADINGS]
    curves: dict[str, list[tuple[int, float]]] = {}
    for name, make in CASES.items():
        cells = []
        for n in SIZES:
            if n > LARGEST.get(name, 1_000_000):
                cells.append("")
                continue
            boxes = make(n, np.random.default_rng(5))
            found = len(cm.bounds_pairs(boxes))
            (seconds,) = best([lambda given=boxes: cm.bounds_pairs(given)], min(rounds, 3) if n <= 1_000_000 else 1)
            curves.setdefault(name, []).append((n, seconds / (n + found)))
            cells.append(f"{duration(seconds / (n + found))}, {method_of(boxes).split(',')[0]}")
        rows.append((name, *cells))
    draw(curves)
    notes = f"Time for each box and each pair found, and the method chosen; one thread. The picture is {PICTURE}."
    return Table("All pairs, more and more boxes", notes, rows)


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
