"""Outlines as files have them: points to spare, touches, holes; and a map like one of countries and counties.

Each outline is divided by kernels and, once, by the exact way that stands behind them, which was the only one before.
The map is made up: cells around random places, with rough borders that neighbours share, rounded to 6 decimals. Times
are of the processor, the least of three. About a minute.
"""

from __future__ import annotations

import contextlib
import math
import time
from typing import Any

import numpy as np
import shapely

import carom as cm
from benchmarks.harness import Table, duration
from carom.shapes import compound_parts

COUNT = 16_000
HOLES = 100  # in each row and column
MAPS = (
    # Cells, their area in degrees, how often each border is halved.
    (241, (-170.0, -55.0, 170.0, 80.0), 5),
    (3350, (-125.0, 25.0, -67.0, 49.0), 2),
    (200, (-10.0, 36.0, 30.0, 70.0), 3),
)


def ring(count: int, size: float = 1.0, x: float = 0.0, y: float = 0.0) -> Any:
    """Return a wavy ring, (count, 2)."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = size * (1 + 0.01 * np.sin(40 * t))
    return np.stack([reach * np.cos(t) + x, reach * np.sin(t) + y], axis=1)


def with_loops(outline: Any, every: int) -> Any:
    """Return a ring with small loops, each of which leaves it and comes back at one of its points."""
    parts = []
    for k in range(0, len(outline), every):
        (x, y), d = outline[k], 5e-5
        loop = [(1.02 * (x + d * y), 1.02 * (y - d * x)), (1.02 * (x - d * y), 1.02 * (y + d * x)), (x, y)]
        parts += [outline[k : k + 1], np.array(loop), outline[k + 1 : k + every]]
    return np.concatenate(parts)


def cases() -> dict[str, tuple[Any, list[Any]]]:
    """Return outlines with their holes."""
    plain, hole = ring(COUNT), ring(COUNT, 0.5)
    straight = np.empty((COUNT, 2))
    straight[::2] = ring(COUNT // 2).round(4)
    straight[1::2] = (straight[::2] + np.roll(straight[::2], -1, axis=0)) / 2
    lakes = [ring(100, 0.04, 0.5 * math.cos(k / 5), 0.5 * math.sin(k / 5)) for k in range(30)]
    return {
        "nothing to spare": (plain, []),
        "a point twice": (np.insert(plain, 1, plain[0], axis=0), []),
        "rounded to 6 decimals": (plain.round(6), []),
        "every other point straight": (straight, []),
        "touches itself once": (with_loops(plain, COUNT), []),
        "touches itself 80 times": (with_loops(plain, 200), []),
        "30 holes of 100 points": (plain.round(6), [lake.round(6) for lake in lakes]),
        "a hole of 16,000 points": (plain, [hole]),
        "two equal holes, refused": (plain, [hole, hole]),
    }


def many_holes() -> tuple[Any, list[Any]]:
    """Return a square with turned pentagons in it."""
    turns = np.random.default_rng(5).uniform(0.0, 6.0, HOLES * HOLES)
    angles = turns[:, None] + np.linspace(0.0, 2.0 * np.pi, 5, endpoint=False)
    places = np.stack((np.arange(HOLES * HOLES) % HOLES, np.arange(HOLES * HOLES) // HOLES), axis=1)
    holes = 0.4 * np.stack((np.cos(angles), np.sin(angles)), axis=2) + places[:, None]
    return np.array([(-1, -1), (HOLES, -1), (HOLES, HOLES), (-1, HOLES)]), [*holes]


def least(call: Any, times: int = 3) -> float:
    """Return the least time of the processor that a call takes."""
    found = math.inf
    for _ in range(times):
        begin = time.process_time()
        with contextlib.suppress(ValueError):
            call()
        found = min(found, time.process_time() - begin)
    return found


def land() -> Any:
    """Return the polygons of a map."""
    rng, found = np.random.default_rng(7), []
    for count, (x0, y0, x1, y1), halvings in MAPS:
        seeds = np.stack([rng.uniform(x0, x1, count), rng.uniform(y0, y1, count)], axis=1)
        around = shapely.box(x0, y0, x1, y1)
        cells = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(seeds), extend_to=around))
        borders: dict[Any, Any] = {}
        for cell in cells:
            corners = np.asarray(cell.exterior.coords).round(6)
            line = []
            for a, b in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
                if a != b:
                    ends = min((*a, *b), (*b, *a))
                    if ends not in borders:
                        borders[ends] = rough(np.array(ends).reshape(2, 2), halvings, rng)
                    line.append(borders[ends][:-1] if [*ends[:2]] == a else borders[ends][:0:-1])
            polygon = shapely.Polygon(np.concatenate(line))
            if polygon.is_valid:
                found.append(polygon)
    lakes = range(0, len(found), 25)
    for k in lakes:
        place = found[k].representative_point()
        reach = 0.5 * place.distance(found[k].exterior)
        lake = (ring(24) * reach + np.array(place.coords[0])).round(6)
        found[k] = shapely.Polygon(found[k].exterior.coords, [lake])
    return np.array(found, dtype=object)


def rough(line: Any, halvings: int, rng: Any) -> Any:
    """Return a line whose pieces are halved, and their middles moved aside, so many times."""
    for _ in range(halvings):
        aside = (line[1:] - line[:-1])[:, ::-1] * (-1.0, 1.0) * rng.uniform(-0.18, 0.18, (len(line) - 1, 1))
        middle = (line[1:] + line[:-1]) / 2 + aside
        longer = np.empty((2 * len(line) - 1, 2))
        longer[::2], longer[1::2] = line, middle
        line = longer
    return line.round(6)


def run(rounds: int) -> Table:
    """Return the table."""
    rows: list[tuple[str, ...]] = [("what", "time", "exact way alone")]
    kernels = compound_parts._by_kernels
    for name, (outline, holes) in cases().items():
        quick = least(lambda o=outline, h=holes: cm.decompose(o, h))  # type: ignore[misc]
        compound_parts._by_kernels = lambda *_: None
        try:
            slow = least(lambda o=outline, h=holes: cm.decompose(o, h), 1)  # type: ignore[misc]
        finally:
            compound_parts._by_kernels = kernels
        rows.append((f"{COUNT:,} points, {name}", duration(quick), duration(slow)))
    outline, holes = many_holes()
    rows.append((f"{len(holes):,} holes of 5 points", duration(least(lambda: cm.decompose(outline, holes))), ""))
    polygons = land()
    shapes = cm.Shapes.from_shapely(polygons)
    pairs, met = cm.pairs(shapes), cm.pairs(shapes, owners=True)
    points = int(shapely.get_num_coordinates(polygons).sum())
    text = f"a map of {len(polygons):,} polygons with {points:,} points, made"
    rows.append((text, duration(least(lambda: cm.Shapes.from_shapely(polygons))), ""))
    text = f"its {len(met):,} pairs of polygons that touch, found"
    rows.append((text, duration(least(lambda: cm.pairs(shapes, owners=True))), ""))
    text = "the same, by Shapely's tree"
    rows.append((text, duration(least(lambda: shapely.STRtree(polygons).query(polygons, predicate="intersects"))), ""))
    text = f"its {len(pairs):,} pairs of parts that touch, found"
    rows.append((text, duration(least(lambda: cm.pairs(shapes))), ""))
    return Table("Outlines as files have them", "Time of the processor, one thread, the least of three.", rows)


if __name__ == "__main__":
    run(3)
