"""Concave shapes: every verb with two stars of more and more parts, beside Shapely's verb where it has one.

A star of n spikes has n + 1 convex parts (5 of five spikes); the two overlap deeply, or lie apart, at places without
symmetry. Shapely's polygons are prepared for `contains`, as its users do. The picture shows how the times grow. About
two minutes on an idle machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

SPIKES = (5, 100, 1_000, 10_000)
MOST_FOR_DEPTH = 1_000
PICTURE = "docs/images/concave-growth.png"
HEADINGS = ("question", "library", *(f"{n + (n > 5):,} parts" for n in SPIKES))

# What is asked: Carom's statement and Shapely's, "" if it has none.
QUESTIONS = (
    ("do they intersect, in overlap", "cm.intersects(a, b)", "g.intersects(h)"),
    ("do they intersect, apart", "cm.intersects(a, far)", "g.intersects(away)"),
    ("distance, apart", "cm.separation(a, far)", "g.distance(away)"),
    ("cast, from apart", "cm.cast(a, far, (3.0, 0.0))", ""),
    ("contains a point", "cm.contains(a, (0.3, 0.2))", "shapely.contains_xy(g, 0.3, 0.2)"),
    ("depth, normal and points of a deep overlap", "cm.collide(a, b)", ""),
)
DISC = cm.Circle((0.9, 0.1), 0.2)
MAKING = ("made from its outline", "first question after that", "moved, and asked")


def star(spikes: int, center: tuple[float, float] = (0.0, 0.0), turn: float = 0.0) -> Any:
    """Return the outline of a star, (2 * spikes, 2)."""
    angles = np.arange(2 * spikes) * math.pi / spikes + turn
    sizes = np.where(np.arange(2 * spikes) % 2 == 0, 1.0, 0.4)
    return np.stack([center[0] + sizes * np.cos(angles), center[1] + sizes * np.sin(angles)], axis=1)


def names_of(spikes: int) -> dict[str, Any]:
    """Return the bodies of both libraries."""
    outlines = star(spikes), star(spikes, (1.2, 0.3), 0.1), star(spikes, (2.5, 0.3), 0.1)
    a, b, far = map(cm.decompose, outlines)
    g, h, away = map(shapely.Polygon, outlines)
    shapely.prepare(g)
    return {"cm": cm, "shapely": shapely, "a": a, "b": b, "far": far, "g": g, "h": h, "away": away}


def timed(work: Any) -> float:
    """Return the seconds that a call takes, once."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def run(rounds: int) -> Table:
    """Return the table, and draw how the times grow."""
    for spikes in SPIKES[:2]:  # compiles
        names = names_of(spikes)
        for _, ours, _ in QUESTIONS:
            eval(ours, names)
    found: dict[tuple[str, str], list[float]] = {}
    for spikes in SPIKES:
        names = names_of(spikes)
        for question, ours, theirs in QUESTIONS:
            if "collide" in ours and spikes > MOST_FOR_DEPTH:
                continue
            asked = [("carom", ours)] + ([("shapely", theirs)] if theirs else [])
            seconds = race([Contender(library, text, names) for library, text in asked], min(rounds, 5))
            for (library, _), each in zip(asked, seconds, strict=True):
                found.setdefault((question, library), []).append(each)
        outline = star(spikes)
        fresh = cm.decompose(outline)
        found.setdefault((MAKING[0], "carom"), []).append(min(timed(lambda o=outline: cm.decompose(o)) for _ in "123"))
        found.setdefault((MAKING[1], "carom"), []).append(timed(lambda f=fresh: cm.intersects(f, DISC)))
        moved = min(timed(lambda f=fresh: cm.intersects(f.translated((0.1, 0.2)), DISC)) for _ in "123")
        found.setdefault((MAKING[2], "carom"), []).append(moved)
    rows: list[tuple[str, ...]] = [HEADINGS]
    for (question, library), each in found.items():
        cells = [duration(seconds) for seconds in each]
        rows.append((question, library, *cells, *[""] * (len(SPIKES) - len(cells))))
    draw(found)
    return Table("Concave shapes of more and more parts", f"Time for one call, one thread. Picture: {PICTURE}.", rows)


def draw(found: dict[tuple[str, str], list[float]]) -> None:
    """Draw how the times grow: a panel for each question, and one for making and moving."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 6.2), layout="constrained")
    panels = figure.subplots(2, 4, sharex=True, sharey=True).flat
    for axes, (question, *_) in zip(panels, QUESTIONS, strict=False):
        axes.set_title(question.replace(" of a deep", "\nof a deep"), size=11)
        line(axes, found.get((question, "shapely"), ()), marker="s", ls="--", color="#E69F00", label="Shapely")
        line(axes, found[question, "carom"], marker="o", color="#0072B2", label="Carom")
        axes.legend(frameon=False, loc="upper left")
    axes = panels[len(QUESTIONS)]
    axes.set_title("making and moving a star", size=11)
    for what, color in zip(MAKING, ("#0072B2", "#009E73", "#CC79A7"), strict=True):
        line(axes, found[what, "carom"], marker="o", color=color, label=what)
    axes.legend(frameon=False, loc="upper left")
    panels[-1].set_axis_off()
    figure.supxlabel("convex parts of each star")
    figure.savefig(PICTURE, dpi=100)


def line(axes: Any, seconds: Sequence[float], **look: Any) -> None:
    """Draw how one time grows, with plain words at the axes."""
    if seconds:
        axes.plot([n + (n > 5) for n in SPIKES[: len(seconds)]], seconds, markersize=5, **look)
    axes.set(xscale="log", yscale="log", ylim=(4e-8, 2.0))
    axes.set_xticks([5, 100, 1_000, 10_000], ["5", "100", "1,000", "10,000"])
    axes.set_yticks([1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1], labels=map(duration, 10.0 ** np.arange(-7, 0)))
    axes.minorticks_off()
    axes.grid(alpha=0.3)


if __name__ == "__main__":
    run(3)
