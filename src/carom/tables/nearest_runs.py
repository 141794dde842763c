"""The nearest shapes of many points, on Dask: both go to tiles, a point asks its own, and then those in its reach.

In: a source of shapes, one of points, and what is asked. Out: Parquet files, the answers in the order of the points.
Shapes are in each tile that their boxes touch, points in one. A point first asks its own tile; only where the circle
through the last of its answers leaves the tile, it asks the others that the circle reaches. A shape in none of them is
farther away than that circle, so the answer is that of a search among all shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from dask.delayed import delayed

from carom._core.types import Floats
from carom.broad.index import Index
from carom.broad.tiling import rows_by_tile
from carom.tables.answer_folder import Answer
from carom.tables.layout import ROW, Layout, things_of
from carom.tables.plans import JoinPlan
from carom.tables.progress import Told, run_all
from carom.tables.runs import Question, planned, rows_of_tile, set_all_aside
from carom.tables.sources import Piece, Source
from carom.tables.spill import by_group, read_group, write_grouped, write_whole
from carom.tables.tiles import without_bad
from carom.tolerances import EPSILON

POINTS_AT_ONCE = 2**18
"""Points whose nearest shapes are in memory together."""
NUMBER, NAME, DISTANCE = "number", "name", "distance"
"""Columns of answers: the place of a shape in its source, its name, how far it is."""


class Asked(NamedTuple):
    """The call: its sources, its question, and how it is to run."""

    where: str
    points: Source
    source: Source
    k: int
    within: float
    on_bad: str
    memory: int | None
    tile_rows: int | None
    workers: int
    told: Told | None


def run(asked: Asked, aside: Path, out: Path) -> Answer:
    """Write the answer to a folder that is there."""
    told = asked.told
    rest = (asked.on_bad, asked.memory, asked.tile_rows, asked.workers, told)
    about = Question(asked.where, [asked.source], 0.0, (), *rest)
    made = planned(about)
    asking = planned(Question(asked.where, [asked.points], 0.0, (), *rest))
    bad, bad_count = made.bad + asking.bad, made.bad_count + asking.bad_count
    points, plan = asked.points, made.plan
    paths = [out / f"nearest-{k:06d}.parquet" for k in range(max(1, len(points.pieces)))]
    if not asked.source.rows or not points.rows:
        write_whole(paths[0], _no_answers(asked))
        return Answer(paths[:1], bad[:1000], bad_count)
    shapes = set_all_aside(about, plan, aside / "shapes")
    by_tile = [aside / f"points-{k:06d}.arrow" for k in range(len(points.pieces))]
    put = delayed(set_points_aside, pure=False)
    how = (points.columns, points.layout, asked.where, asked.on_bad, asked.within)
    tasks = [put(piece, *how, plan, path) for piece, path in zip(points.pieces, by_tile, strict=True)]
    run_all(tasks, told, "sort points by tile")
    firsts = np.array([piece.first for piece in points.pieces])
    search = delayed(search_tile, pure=False)
    own = [aside / f"own-{tile:06d}.arrow" for tile in range(plan.tiles)]
    far = [aside / f"far-{tile:06d}.arrow" for tile in range(plan.tiles)]
    tasks = [search(by_tile, shapes, tile, plan, asked.k, firsts, own[tile], far[tile]) for tile in range(plan.tiles)]
    run_all(tasks, told, "search own tiles")
    also = [aside / f"also-{tile:06d}.arrow" for tile in range(plan.tiles)]
    tasks = [search(far, shapes, tile, plan, asked.k, firsts, also[tile], None) for tile in range(plan.tiles)]
    run_all(tasks, told, "search tiles in reach")
    gather = delayed(bring_together, pure=False)
    label, found = points.layout.id, [*own, *also]
    tasks = [gather(found, k, piece, label, asked.k, paths[k]) for k, piece in enumerate(points.pieces)]
    run_all(tasks, told, "gather")
    return Answer(paths, bad[:1000], bad_count)


def set_points_aside(
    piece: Piece,
    columns: Sequence[str],
    layout: Layout,
    where: str,
    on_bad: str,
    within: float,
    plan: JoinPlan,
    path: Path,
) -> None:
    """Write the points of a piece by tile, each with the distance that is asked for."""
    good, table = without_bad(piece.read(columns), layout, on_bad)
    places = np.ascontiguousarray(things_of(table, layout).bounds)
    spread = np.flatnonzero((places[:, :2] != places[:, 2:]).any(axis=1) & ~np.isnan(places[:, 0]))
    if len(spread):
        row = int(spread[0]) if good is None else int(good[spread[0]])
        raise ValueError(f"{where}: {piece.name(row)}: the shape is no point")
    numbers = {"x": places[:, 0], "y": places[:, 1], DISTANCE: np.full(table.num_rows, within)}
    found = pa.table({ROW: table.column(ROW), **numbers})
    write_grouped(path, found, *rows_by_tile(places, 0.0, *plan.edges(), 1))


def search_tile(
    asking: Sequence[Path],
    shapes: Sequence[Sequence[Path]],
    tile: int,
    plan: JoinPlan,
    k: int,
    firsts: Any,
    path: Path,
    far: Path | None,
) -> None:
    """Write the nearest shapes of a tile for the points that ask it, by the pieces of the points.

    With `far`, the points are those in the tile, and those whose circles leave it are written there, for other tiles.
    """
    table = rows_of_tile(shapes, tile, plan)[0]
    table = table.take(pc.sort_indices(table.column(ROW)))
    things = things_of(table, plan.layout)
    index = Index(things.shapes)
    answers, left = [], []
    points = read_group(asking, tile)
    for begin in range(0, max(1, points.num_rows), POINTS_AT_ONCE):
        some = points.slice(begin, POINTS_AT_ONCE)
        places = np.column_stack([some.column("x").to_numpy(), some.column("y").to_numpy()])
        limit = some.column(DISTANCE).to_numpy()
        rows, distances = _nearest(index, places, k)
        near = (rows >= 0) & (distances <= limit[:, None])
        owner = things.owner[rows[near]]
        names = table.column(plan.layout.id if plan.layout.id else ROW).take(pa.array(owner))
        asker = some.column(ROW).take(pa.array(np.nonzero(near)[0]))
        number = table.column(ROW).take(pa.array(owner))
        answers.append(pa.table({ROW: asker, NUMBER: number, NAME: names, DISTANCE: distances[near]}))
        if far is not None:
            reach = np.where(near[:, -1], distances[:, -1], limit)
            left.append(some.set_column(3, DISTANCE, pa.array(reach)))
    found = pa.concat_tables(answers)
    piece = np.searchsorted(firsts, found.column(ROW).to_numpy(), side="right") - 1
    write_grouped(path, found, *by_group(piece, len(firsts)))
    if far is not None:
        _write_far(pa.concat_tables(left), tile, plan, far)


def _nearest(index: Index, places: Floats, k: int) -> tuple[Any, Any]:
    """Return the rows and distances of the k nearest, (n, k); -1 and infinity where there are fewer."""
    most = min(k, max(1, len(index)))
    rows, distances = np.full((len(places), k), -1), np.full((len(places), k), np.inf)
    if len(index) and len(places):
        rows[:, :most], distances[:, :most] = index.nearest(places, k=most)
    return rows, distances


def _write_far(points: pa.Table, tile: int, plan: JoinPlan, path: Path) -> None:
    """Write points by the tiles that their circles reach, but for the one that they have asked."""
    x, y, reach = (points.column(name).to_numpy() for name in ("x", "y", DISTANCE))
    grown = reach + 16.0 * EPSILON * (np.abs(x) + np.abs(y) + reach)
    boxes = np.column_stack([x - grown, y - grown, x + grown, y + grown])
    rows, begins = rows_by_tile(boxes, 0.0, *plan.edges(), plan.tiles)
    keep = np.ones(len(rows), dtype=bool)
    keep[begins[tile] : begins[tile + 1]] = False
    begins[tile + 1 :] -= begins[tile + 1] - begins[tile]
    write_grouped(path, points, rows[keep], begins)


def bring_together(paths: Sequence[Path], number: int, piece: Piece, label: str | None, k: int, path: Path) -> None:
    """Write the answers for the points of a piece: the k nearest of all tiles."""
    found = read_group(paths, number)
    row, shape, distance = (found.column(name).to_numpy() for name in (ROW, NUMBER, DISTANCE))
    order = np.lexsort((shape, distance, row))
    row, shape = row[order], shape[order]
    fresh = np.append(True, (row[1:] != row[:-1]) | (shape[1:] != shape[:-1]))[: len(row)]
    order, row = order[fresh], row[fresh]
    heads = np.flatnonzero(np.append(True, row[1:] != row[:-1])[: len(row)])
    place = np.arange(len(row)) - np.repeat(heads, np.diff(np.append(heads, len(row))))
    found = found.take(pa.array(order[place < k]))
    names = found.column(ROW)
    if label is not None:
        names = piece.read([label]).column(label).take(pc.subtract(names, piece.first))
    write_whole(path, pa.table({"a": names, "b": found.column(NAME), DISTANCE: found.column(DISTANCE)}))


def _no_answers(asked: Asked) -> pa.Table:
    kinds = [
        one.schema.field(one.layout.id).type if one.layout.id else pa.int64() for one in (asked.points, asked.source)
    ]
    return pa.schema([("a", kinds[0]), ("b", kinds[1]), (DISTANCE, pa.float64())]).empty_table()
