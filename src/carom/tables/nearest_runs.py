"""The nearest shapes of many points, on Dask: both go to tiles, a point asks its own, and then those in its reach.

In: a source of shapes, one of points, and what is asked. Out: Parquet files, the answers in the order of the points.
Shapes are in each tile that their boxes touch, points in one. A point first asks its own tile; only where the circle
through the last of its answers leaves the tile, it asks the others that the circle reaches. A shape in none of them is
farther away than that circle, so the answer is that of a search among all shapes.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from carom import Index
from carom.tables.answer_folder import Answer, Left, Room
from carom.tables.bad_rows import KEPT
from carom.tables.estimates import refuse_full
from carom.tables.layout import ROW, Layout
from carom.tables.plans import JoinPlan
from carom.tables.progress import Told, run_left
from carom.tables.reading import Reading
from carom.tables.runs import Planned, Question, planned, rows_of_tile, set_all_aside
from carom.tables.sources import Piece, Source
from carom.tables.spill import by_group, need_room, read_group, write_grouped, write_whole
from carom.tables.tiles import without_bad
from carom.tables.tiling import rows_by_tile
from carom.tolerances import EPSILON

ANSWERS_AT_ONCE = 2**20
"""Shapes that are in memory together as the nearest of points."""
POINT_BYTES, ANSWER_BYTES = 96, 64
"""Bytes that are set aside for a point, and for each of its answers, an estimate."""
NUMBER, NAME, DISTANCE = "number", "name", "distance"
"""Columns of answers: the place of a shape in its source, its name, how far it is."""


class Asked(NamedTuple):
    """The call: its sources, its question, and how it is to run."""

    where: str
    points: Source
    source: Source
    k: int
    within: float
    columns: tuple[str, ...]
    on_bad: str
    memory: int | None
    tile_rows: int | None
    workers: int
    told: Told | None


def _looks(asked: Asked) -> tuple[Question, Question]:
    """Return what is asked of the shapes, and of the points, before they meet."""
    rest = (asked.on_bad, asked.memory, asked.tile_rows, asked.workers, asked.told)
    one, other = (
        Question(asked.where, [source], 0.0, (), *rest, first=first)
        for first, source in enumerate((asked.source, asked.points))
    )
    return one, other


def planned_of(asked: Asked, folder: Path) -> dict[str, Any]:
    """Return the plan of the shapes after a look at every row of both sources, as JSON has it."""
    made, other = (planned(one, folder) for one in _looks(asked))
    left = Left((made.left.bad + other.left.bad)[:KEPT], *map(operator.add, made.left[1:], other.left[1:]))
    return made._replace(left=left).kept()


def run(asked: Asked, kept: dict[str, Any], room: Room) -> Answer:
    """Write the files of the answer that are not there."""
    told, points, aside = asked.told, asked.points, room.aside
    plan, left, _ = Planned.of(kept)
    paths = room.files("nearest", max(1, len(points.pieces)))
    if not asked.source.rows or not points.rows:
        write_whole(paths[0], _no_answers(asked))
        return Answer(paths[:1], left)
    if all(path.exists() for path in paths):
        return Answer(paths, left)
    refuse_full(asked.where, points.rows * min(asked.k, asked.source.rows), len(asked.columns), room.out)
    need_room(asked.where, aside, plan.disk + points.rows * (POINT_BYTES + ANSWER_BYTES * asked.k))
    shapes = set_all_aside(_looks(asked)[0], plan, aside / "shapes")
    by_tile = [aside / f"points-{k:06d}.arrow" for k in range(len(points.pieces))]
    how = (points.columns, points.layout, asked.where, asked.on_bad, asked.within, plan)
    run_left(set_points_aside, [(piece, *how) for piece in points.pieces], by_tile, told, "sort points by tile")
    firsts = np.array([piece.first for piece in points.pieces])
    tiles = range(plan.tiles)
    own, far, also = ([aside / f"{name}-{tile:06d}.arrow" for tile in tiles] for name in ("own", "far", "also"))
    given: list[tuple[Any, ...]] = [(by_tile, shapes, tile, plan, asked.k, firsts, far[tile]) for tile in tiles]
    run_left(search_tile, given, own, told, "search own tiles")
    given = [(far, shapes, tile, plan, asked.k, firsts, None) for tile in tiles]
    run_left(search_tile, given, also, told, "search tiles in reach")
    found, label = [*own, *also], points.layout.id
    gathered = [(found, k, piece, label, asked.k, asked.columns) for k, piece in enumerate(points.pieces)]
    run_left(bring_together, gathered, paths, told, "gather")
    return Answer(paths, left)


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
    places = np.ascontiguousarray(Reading(table, layout).bounds())
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
    far: Path | None,
    path: Path,
) -> None:
    """Write the nearest shapes of a tile for the points that ask it, by the pieces of the points.

    With `far`, the points are those in the tile, and those whose circles leave it are written there, for other tiles.
    """
    table = rows_of_tile(shapes, tile, plan)[0]
    table = table.take(pc.sort_indices(table.column(ROW)))
    things = Reading(table, plan.layout).things(plan.proved)
    in_rows = things.rows is None  # then owners are rows of the table
    index = Index(things.shapes)
    most = min(k, max(1, table.num_rows))
    answers, left = [], []
    points = read_group(asking, tile)
    at_once = max(1, ANSWERS_AT_ONCE // k)
    for begin in range(0, max(1, points.num_rows), at_once):
        some = points.slice(begin, at_once)
        places = np.column_stack([some.column("x").to_numpy(), some.column("y").to_numpy()])
        limit = some.column(DISTANCE).to_numpy()
        rows, distances = np.full((len(places), k), -1), np.full((len(places), k), np.inf)
        if len(places) and table.num_rows:
            rows[:, :most], distances[:, :most] = index.nearest(places, k=most, owners=in_rows)
        near = (rows >= 0) & (distances <= limit[:, None])
        owner = things.row_of(rows[near], owners=in_rows)
        names = table.column(plan.layout.id if plan.layout.id else ROW).take(pa.array(owner))
        asker = some.column(ROW).take(pa.array(np.nonzero(near)[0]))
        number = table.column(ROW).take(pa.array(owner))
        answers.append(pa.table({ROW: asker, NUMBER: number, NAME: names, DISTANCE: distances[near]}))
        if far is not None:
            reach = np.where(near[:, -1], distances[:, -1], limit)
            left.append(some.set_column(3, DISTANCE, pa.array(reach)))
    found = pa.concat_tables(answers)
    piece = np.searchsorted(firsts, found.column(ROW).to_numpy(), side="right") - 1
    if far is not None:
        _write_far(pa.concat_tables(left), tile, plan, far)
    write_grouped(path, found, *by_group(piece, len(firsts)))


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


def bring_together(
    paths: Sequence[Path], number: int, piece: Piece, label: str | None, k: int, columns: Sequence[str], path: Path
) -> None:
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
    told = {"a": names, "b": found.column(NAME), **{name: found.column(name) for name in columns}}
    write_whole(path, pa.table(told))


def _no_answers(asked: Asked) -> pa.Table:
    kinds = [
        one.schema.field(one.layout.id).type if one.layout.id else pa.int64() for one in (asked.points, asked.source)
    ]
    told = [(name, pa.float64()) for name in asked.columns]
    return pa.schema([("a", kinds[0]), ("b", kinds[1]), *told]).empty_table()
