"""Tiles of the plane: strips between sorted x, each cut at sorted y of its own; and which of them boxes touch.

In: edges, and boxes (n, 4). Out: for each tile the rows of its boxes, in order. Tiles are half-open and cover the
plane, the outer ones without end, so that each point is in one tile: a pair that is told where one point of it lies is
told once.
"""

from __future__ import annotations

import numpy as np

from carom import inner, kernel
from carom.tables.arrays import Booleans, Floats, Integers


@inner
def place_among(edges: Floats, begin: int, end: int, value: float) -> int:
    """Return how many of the sorted edges are at most a value: the interval that it lies in."""
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if edges[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low - begin


@kernel
def fill_tiles(
    bounds: Floats,
    within: float,
    x_edges: Floats,
    y_edges: Floats,
    starts: Integers,
    most: int,
    places: Integers,
    rows: Integers,
) -> None:
    """Write the rows of each tile, in order, from its place in `places` on, which moves on.

    Boxes are grown by a distance; those of more than `most` tiles go to the last place, those that are NaN nowhere.
    Strip s has the edges ``y_edges[starts[s]:starts[s + 1]]``, and the tiles from ``starts[s] + s`` on. If `rows` is
    empty, nothing is written, and `places` that begin at 0 end as counts.
    """
    last, writes = places.shape[0] - 1, rows.shape[0] > 0
    for row in range(bounds.shape[0]):
        if not bounds[row, 0] <= bounds[row, 2]:
            continue
        first = place_among(x_edges, 0, x_edges.shape[0], bounds[row, 0] - within)
        end = place_among(x_edges, 0, x_edges.shape[0], bounds[row, 2] + within)
        touched = 0
        for s in range(first, end + 1):
            low = place_among(y_edges, starts[s], starts[s + 1], bounds[row, 1] - within)
            touched += place_among(y_edges, starts[s], starts[s + 1], bounds[row, 3] + within) - low + 1
        if touched > most:
            if writes:
                rows[places[last]] = row
            places[last] += 1
            continue
        for s in range(first, end + 1):
            low = place_among(y_edges, starts[s], starts[s + 1], bounds[row, 1] - within)
            high = place_among(y_edges, starts[s], starts[s + 1], bounds[row, 3] + within)
            for tile in range(starts[s] + s + low, starts[s] + s + high + 1):
                if writes:
                    rows[places[tile]] = row
                places[tile] += 1


@kernel
def told_in(bounds: Floats, others: Floats, pairs: Integers, within: float, tile: Floats, out: Booleans) -> None:
    """Tell of each pair of boxes, grown by a distance, whether the lower corner of their overlap lies in a tile.

    The tile is min x, min y, max x, max y, half-open.
    """
    for k in range(pairs.shape[0]):
        a, b = pairs[k, 0], pairs[k, 1]
        x = max(bounds[a, 0] - within, others[b, 0] - within)
        y = max(bounds[a, 1] - within, others[b, 1] - within)
        out[k] = tile[0] <= x < tile[2] and tile[1] <= y < tile[3]


def rows_by_tile(
    bounds: Floats, within: float, x_edges: Floats, y_edges: Floats, starts: Integers, most: int
) -> tuple[Integers, Integers]:
    """Return the rows of each tile, one tile after the other, and where each begins.

    A tile more than there are follows at the end: the rows of boxes that touch more than `most` tiles.
    """
    counts = np.zeros(len(y_edges) + len(starts), dtype=np.int64)
    fill_tiles(bounds, within, x_edges, y_edges, starts, most, counts, np.empty(0, dtype=np.int64))
    begins = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=begins[1:])
    rows = np.empty(begins[-1], dtype=np.int64)
    fill_tiles(bounds, within, x_edges, y_edges, starts, most, begins[:-1].copy(), rows)
    return rows, begins


def bounds_of_tiles(x_edges: Floats, y_edges: Floats, starts: Integers) -> Floats:
    """Return min x, min y, max x, max y of each tile, in their order."""
    xs, out = np.concatenate([[-np.inf], x_edges, [np.inf]]), []
    for s in range(len(starts) - 1):
        ys = np.concatenate([[-np.inf], y_edges[starts[s] : starts[s + 1]], [np.inf]])
        out.append(np.column_stack([np.full(len(ys) - 1, xs[s]), ys[:-1], np.full(len(ys) - 1, xs[s + 1]), ys[1:]]))
    return np.concatenate(out)
