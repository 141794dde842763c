"""How the time of searches grows with the shapes: from 1,000 to ten million, for good cases and bad, with a picture.

Queries are boxes as large as the shapes, rays across a few shapes, and points for the nearest; they lie where the
shapes lie, for "all in one spot" and "identical" half of them outside. The best of five turns counts; of three
or one for making an index. The grid is laid out where a turn has rays enough. Two scenes go on to ten million. About
two minutes, and 8 GiB of memory, on an idle machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import carom as cm
from benchmarks.all_pairs import best
from benchmarks.harness import Table, duration

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = {"even": 10_000_000, "all in one spot": 10_000_000}
MOST = 1_000_000  # of the others
PICTURE = "docs/images/searches-growth.png"
COLORS = ("#000000", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#0072B2", "#56B4E9")
TICKS = (3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 1e-4, 1e-3)
HEADINGS = ("shapes", "question", *(f"{n:,}" for n in SIZES))
ANSWERS = 2_000_000
QUERIES = 1_000

Scene = tuple[cm.Shapes, np.ndarray[Any, Any], float]  # shapes, points among them, a typical distance


def even(n: int, rng: np.random.Generator) -> Scene:
    side = 3.0 * math.sqrt(n)
    return cm.Shapes.circles(rng.uniform(0, side, (n, 2)), 0.5), rng.uniform(0, side, (QUERIES, 2)), 3.0


def six_decades(n: int, rng: np.random.Generator) -> Scene:
    side = 3.0 * math.sqrt(n)
    radii = 10.0 ** rng.uniform(-6, 0, n)
    return cm.Shapes.circles(rng.uniform(0, side, (n, 2)), radii), rng.uniform(0, side, (QUERIES, 2)), 3.0


def one_giant(n: int, rng: np.random.Generator) -> Scene:
    shapes, at, step = even(n, rng)
    return cm.Shapes.concatenate([shapes, cm.Shapes([cm.Circle((0, 0), 3.0 * math.sqrt(n))])]), at + 0.4, step


def a_line(n: int, rng: np.random.Generator) -> Scene:
    at = np.column_stack((rng.uniform(0, 3.0 * n, n), np.zeros(n)))
    return cm.Shapes.circles(at, 0.5), np.column_stack((rng.uniform(0, 3.0 * n, QUERIES), np.zeros(QUERIES))), 3.0


def outliers(n: int, rng: np.random.Generator) -> Scene:
    shapes, at, step = even(n, rng)
    return cm.Shapes.concatenate([shapes, cm.Shapes.circles(rng.normal(0, 1e9, (9, 2)), 1.0)]), at, step


def one_spot(n: int, rng: np.random.Generator) -> Scene:
    at = rng.normal(0, 1, (QUERIES, 2)) * np.where(np.arange(QUERIES) % 2, 0.1, 3.0)[:, None]
    return cm.Shapes.circles(rng.uniform(-0.01, 0.01, (n, 2)), rng.uniform(0.9, 1.1, n)), at, 3.0


def identical(n: int, rng: np.random.Generator) -> Scene:
    at = rng.normal(0, 1, (QUERIES, 2)) * np.where(np.arange(QUERIES) % 2, 0.1, 3.0)[:, None]
    return cm.Shapes.repeat(cm.Circle((0, 0), 1.0), n), at, 3.0


SCENES: dict[str, Callable[[int, np.random.Generator], Scene]] = {
    "even": even,
    "sizes over six decades": six_decades,
    "one giant": one_giant,
    "on a line": a_line,
    "outliers at 1e9": outliers,
    "all in one spot": one_spot,
    "identical": identical,
}


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [HEADINGS]
    curves: dict[str, list[list[float]]] = {}
    for name, make in SCENES.items():
        cells: list[list[str]] = [[], [], [], []]
        for n in SIZES:
            if n > LARGEST.get(name, MOST):
                for column in cells:
                    column.append("")
                continue
            shapes, at, step = make(n, np.random.default_rng(5))
            begin = time.perf_counter()
            index = cm.Index(shapes)
            making = time.perf_counter() - begin
            few = max(2, min(QUERIES, ANSWERS // n)) if name in ("all in one spot", "identical") else QUERIES
            boxes = cm.Shapes.boxes(at[:few], np.full((few, 2), step / 3))
            angles = np.linspace(0, 6, len(at))
            motions = 10 * step * np.column_stack((np.cos(angles), np.sin(angles)))
            answers = few + index.query(boxes).rows.size
            asked = (
                (lambda given=shapes: cm.Index(given), n),
                (lambda q=boxes, i=index: i.query(q), answers),
                (lambda q=at, m=motions, i=index: i.raycast(q, m), len(at)),
                (lambda q=at, i=index: i.nearest(q), len(at)),
            )
            for place, (ask, count) in enumerate(asked):
                again = place > 0 or n <= 100_000
                (seconds,) = best([ask], 5 if place > 0 else min(rounds, 3)) if again else (making,)
                cells[place].append(duration(seconds / count))
                curves.setdefault(name, [[], [], [], []])[place].append(seconds / count)
        for question, row in zip(
            ("Index, a shape", "query, a query and answer", "raycast", "nearest"), cells, strict=True
        ):
            rows.append((name, question, *row))
    draw(curves)
    notes = f"Time for one, one thread. The picture is {PICTURE}."
    return Table("Searches among more and more shapes", notes, rows)


def draw(curves: dict[str, list[list[float]]]) -> None:
    """Draw how the times grow: a panel for each call, all with the same scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 7.0), layout="constrained")
    titles = (
        "Index: for each shape",
        "query: for each query and answer",
        "raycast: for each ray",
        "nearest: for each point",
    )
    for axes, place, title in zip(figure.subplots(2, 2, sharex=True, sharey=True).flat, range(4), titles, strict=True):
        for (name, columns), marker, color in zip(curves.items(), "osD^v<>", COLORS, strict=True):
            each = columns[place]
            axes.plot(SIZES[: len(each)], each, marker=marker, markersize=5, color=color, label=name)
        axes.set(xscale="log", yscale="log", title=title)
        axes.set_xticks(SIZES, ["1,000", "10,000", "100,000", "1 million", "10 million"])
        axes.set_yticks(TICKS, [duration(tick) for tick in TICKS])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False, title="shapes")
    figure.supxlabel("shapes in the index")
    figure.savefig(PICTURE, dpi=100)


if __name__ == "__main__":
    run(3)
