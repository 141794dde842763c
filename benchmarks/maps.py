"""A map of some 3,800 cells with 65,000 vertices, made from a seed, and 100,000 footprints of buildings.

Neighbours on the map share their borders vertex by vertex, as countries do. Footprints are turned L-shapes. Shapely's
column is its own search tree on the same geometries, or the same question.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

SIDE = 62  # cells along each side of the map
FOOTPRINTS = 100_000


def border(a: Any, b: Any, rng: np.random.Generator) -> Any:
    """Return the points of a border from a to b, b left out: three or four between them, aside by chance."""
    shares = np.linspace(0.0, 1.0, int(rng.integers(4, 6)), endpoint=False)[:, None]
    aside = rng.uniform(-0.06, 0.06, len(shares))[:, None] * (shares > 0.0)
    return a + shares * (b - a) + aside * np.array([a[1] - b[1], b[0] - a[0]])


def make_map(seed: int) -> list[Any]:
    """Return the cells of a map as polygons."""
    rng = np.random.default_rng(seed)
    nodes = np.stack(np.meshgrid(np.arange(SIDE + 1.0), np.arange(SIDE + 1.0), indexing="ij"), axis=2)
    nodes += rng.uniform(-0.3, 0.3, nodes.shape)
    across = [[border(nodes[i, j], nodes[i + 1, j], rng) for j in range(SIDE + 1)] for i in range(SIDE)]
    along = [[border(nodes[i, j], nodes[i, j + 1], rng) for j in range(SIDE)] for i in range(SIDE + 1)]

    def back(points: Any, end: Any) -> Any:
        return np.concatenate((end[None], points[:0:-1]))

    return [
        shapely.Polygon(
            np.concatenate(
                (
                    across[i][j],
                    along[i + 1][j],
                    back(across[i][j + 1], nodes[i + 1, j + 1]),
                    back(along[i][j], nodes[i, j + 1]),
                )
            )
        )
        for i in range(SIDE)
        for j in range(SIDE)
    ]


def make_footprints(seed: int) -> Any:
    """Return L-shapes, each turned by chance, on a grid."""
    rng = np.random.default_rng(seed)
    a, b, c, d = rng.uniform(6.0, 20.0, (4, FOOTPRINTS))
    none = np.zeros(FOOTPRINTS)
    ends = (none, none), (a + c, none), (a + c, b), (a, b), (a, b + d), (none, b + d)
    corners = np.stack([np.stack(point, 1) for point in ends], 1)
    turn = rng.uniform(0.0, math.tau, FOOTPRINTS)
    cosine, sine = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = corners[..., 0], corners[..., 1]
    row, column = np.divmod(np.arange(FOOTPRINTS)[:, None], 400)
    return shapely.polygons(np.stack((cosine * x - sine * y + 60.0 * column, sine * x + cosine * y + 60.0 * row), 2))


def run(rounds: int) -> Table:
    """Return the table."""
    cells, buildings = make_map(7), make_footprints(7)
    one, other = cm.decompose(cells[100].exterior.coords), cm.decompose(cells[101].exterior.coords)
    names = {
        "cm": cm, "shapely": shapely, "cells": cells, "buildings": buildings,
        "many": cm.Shapes.from_shapely(cells), "one": one, "other": other, "g": cells[100], "h": cells[101],
    }  # fmt: skip
    vertices = sum(len(cell.exterior.coords) - 1 for cell in cells)
    rows: list[tuple[str, ...]] = [("", "carom", "shapely")]
    for name, ours, theirs in (
        (
            f"sets of convex parts of {len(cells):,} cells, {vertices:,} vertices",
            "cm.Shapes.from_shapely(cells)",
            "shapely.STRtree(cells)",
        ),
        (
            f"sets of convex parts of {FOOTPRINTS:,} footprints",
            "cm.Shapes.from_shapely(buildings)",
            "shapely.STRtree(buildings)",
        ),
        ("which parts, or cells, meet", "cm.pairs(many)", "shapely.STRtree(cells).query(cells, 'intersects')"),
        ("do two neighbours meet, one call", "cm.intersects(one, other)", "g.intersects(h)"),
    ):
        seconds = race([Contender("carom", ours, names), Contender("shapely", theirs, names)], min(rounds, 5))
        rows.append((name, *map(duration, seconds)))
    return Table("Maps and footprints", "Median of the turns, one thread.", rows)
