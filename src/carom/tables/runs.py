"""A join from its sources to its answer, on Dask: pieces to tiles, tiles to pairs.

In: one source or two, and what is asked. Out: the files of the answer, or a Dask frame. Three stages follow each other:
all rows are looked at, and the plan is made; the rows of each piece are set aside by tile; each tile is read back and
joined. On request the pairs of all tiles are sorted afterwards. The tasks of a stage are independent, and write files
that are renamed when they are whole. So a task that is lost is done again, and a run that was stopped goes on with what
is there.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from carom.tables.answer_folder import Answer, Left, Paths, Room, tell_of_bad
from carom.tables.bad_rows import BAD, KEPT
from carom.tables.estimates import MOST, estimate_of, most_pairs, refuse_large
from carom.tables.held import Keeping
from carom.tables.layout import APART, TILE, Layout
from carom.tables.piece_join import Pieces, frame_of_part, name_of, write_part
from carom.tables.plans import SAMPLE, TILES, JoinPlan, Survey, parts_of, plan_of, survey
from carom.tables.progress import Told, open_client, run_all, run_left
from carom.tables.reading import Reading
from carom.tables.sort_answers import sort_answers
from carom.tables.sources import Piece, Source, columns_of
from carom.tables.spill import need_room, read_group, whole, write_grouped, write_whole
from carom.tables.tile_join import joined, schema_of
from carom.tables.tiles import grouped


class Question(NamedTuple):
    """The call: its sources, its question, and how it is to run."""

    where: str
    sources: list[Source]
    within: float
    columns: tuple[str, ...]
    on_bad: str
    memory: int | None
    tile_rows: int | None
    workers: int
    told: Told | None
    sort: bool = False
    first: int = 0
    """The number of its first source among those of the call."""
    pairs: bool = False
    """Whether pairs of rows are asked for."""
    most: int | None = None
    """How many of them are allowed."""
    keeping: Keeping = Keeping("", 0)
    """What is read stays in memory."""


class Planned(NamedTuple):
    """A plan, and the rows that are left out of it."""

    plan: JoinPlan
    left: Left
    parts: str = TILES
    """How the rows are divided: by tiles, or as `parts_of` says."""

    def kept(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"plan": json.loads(self.plan.to_json()), "left": self.left, "parts": self.parts}

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Planned:
        """Return what was kept."""
        return cls(JoinPlan.from_json(json.dumps(kept["plan"])), Left.of(kept["left"]), kept.get("parts", TILES))


def planned(asked: Question, folder: Path, estimates: bool = True) -> Planned:
    """Return the plan of a question, after a look at every row; bad rows go to a folder.

    With `estimates` it tells how many pairs there will be, about.
    """
    share = min(1.0, SAMPLE / max(1, sum(source.rows for source in asked.sources)))
    given = [
        (
            asked.where,
            piece,
            source.without_pieces(),
            share,
            asked.on_bad,
            folder,
            name_of(number, k),
            asked.keeping,
            max(1, asked.workers // len(source.pieces)),
        )
        for number, source in enumerate(asked.sources, asked.first)
        for k, piece in enumerate(source.pieces)
    ]
    of_source = [number for number, source in enumerate(asked.sources) for _ in source.pieces]
    # A source of few pieces goes first: looking at one of them may take the longest.
    turns = sorted(range(len(given)), key=lambda task: len(asked.sources[of_source[task]].pieces))
    found = run_all(survey, [given[task] for task in turns], asked.told, "look at all rows")
    surveys: list[Survey] = [one for _, one in sorted(zip(turns, found, strict=True), key=lambda pair: pair[0])]
    left = Left(
        tuple(row for one in surveys for row in one.bad)[:KEPT],
        sum(one.bad_count for one in surveys),
        sum(one.missing for one in surveys),
        sum(one.repaired for one in surveys),
    )
    how = (asked.within, asked.columns, asked.on_bad, asked.memory, asked.tile_rows, asked.workers)
    plan = plan_of(asked.sources, surveys, *how)
    if asked.pairs and estimates:
        samples = [np.zeros((0, 4))] * len(asked.sources)
        for number, one in zip(of_source, surveys, strict=True):
            samples[number] = np.concatenate([samples[number], one.sample])
        plan = replace(plan, pairs=estimate_of(samples, [source.rows for source in asked.sources], asked.within))
    sizes = [
        [one.size for number, one in zip(of_source, surveys, strict=True) if number == k]
        for k in range(len(asked.sources))
    ]
    fits = asked.tile_rows is None and asked.pairs
    return Planned(plan, left, parts_of(asked.sources, sizes, plan, asked.memory, asked.workers) if fits else TILES)


def run(asked: Question, made: Planned, room: Room) -> Answer:
    """Write the pairs of each tile, but for those that are there; sorted over all tiles on request."""
    plan = made.plan
    pieces = None if made.parts == TILES else Pieces(asked.sources, plan, made.parts, asked.keeping)
    count = plan.tiles if pieces is None else pieces.count
    targets = (room._replace(out=room.aside) if asked.sort else room).files("pairs", count)
    if any(source.rows == 0 for source in asked.sources):
        targets = room.files("pairs", 1)
        write_whole(targets[0], schema_of(plan, [one.schema.empty_table() for one in asked.sources]).empty_table())
        return Answer(targets, made.left)
    if pieces is not None:
        given = [(part,) for part in pieces.tasks()]
        run_left(write_part, given, targets, asked.told, "join pieces")
    elif not all(path.exists() for path in targets):
        paths = set_all_aside(asked, plan, room.aside)
        run_left(write_tile, [(paths, tile, plan) for tile in range(plan.tiles)], targets, asked.told, "join tiles")
    if asked.sort:
        targets = sort_answers(asked.where, targets, room, asked.told)
    return Answer(targets, made.left)


def set_all_aside(asked: Question, plan: JoinPlan, folder: Path) -> list[list[Path]]:
    """Set the rows of all pieces aside by tile, but for those that are; return the files of each source."""
    folder.mkdir(parents=True, exist_ok=True)
    paths, given = [], []
    for number, source in enumerate(asked.sources):
        paths.append([folder / f"{number}-{k:06d}.arrow" for k in range(len(source.pieces))])
        names = [name_of(number, k) for k in range(len(source.pieces))]
        given += [
            (piece, source.layout, plan, number == 1, asked.keeping, name)
            for piece, name in zip(source.pieces, names, strict=True)
        ]
    every = [path for some in paths for path in some]
    need_room(asked.where, folder, plan.disk)
    run_left(set_aside, given, every, asked.told, f"sort {plan.disk / 2**20:,.0f} MiB by tile in {folder}")
    asked.keeping.forget()
    return paths


def set_aside(
    piece: Piece, layout: Layout, plan: JoinPlan, other: bool, keeping: Keeping, name: str, path: Path
) -> None:
    """Write the rows of a piece by tile."""
    reading = keeping.kept(name) or Reading(piece.read(columns_of(layout)), layout)
    write_grouped(path, reading.table, *grouped(reading, plan, other))


def write_tile(paths: Sequence[Sequence[Path]], tile: int, plan: JoinPlan, out: Path) -> None:
    """Write the pairs of a tile."""
    tables = rows_of_tile(paths, tile, plan)
    with whole(out) as aside, pq.ParquetWriter(aside, schema_of(plan, tables), use_dictionary=False) as file:
        for found in joined(tables, plan, tile):
            file.write_table(found)


def rows_of_tile(paths: Sequence[Sequence[Path]], tile: int, plan: JoinPlan) -> list[pa.Table]:
    """Return the rows of each source in a tile from what was set aside, those that were kept apart among them."""
    tables, bounds = [], plan.bounds()[tile]
    for files, layout in zip(paths, (plan.layout, plan.other), strict=False):
        assert layout is not None
        apart = read_group(files, APART)
        if apart.num_rows:
            boxes = Reading(apart, layout).bounds()
            low, high = boxes[:, :2] - plan.within, boxes[:, 2:] + plan.within
            apart = apart.filter(pa.array(((low < bounds[2:]) & (high >= bounds[:2])).all(axis=1)))
        own = pa.concat_tables([read_group(files, tile), apart])
        tables.append(own.append_column(TILE, pa.array(np.full(own.num_rows, tile, dtype=np.int32))))
    return tables


def as_frame(asked: Question, work: Path) -> Any:
    """Return the answer as a Dask frame whose partitions are the tiles, which are joined when they are asked for."""
    import dask.dataframe

    frames: Any = dask.dataframe
    possible = most_pairs([source.rows for source in asked.sources])
    made = planned(asked, work / BAD, possible > (MOST if asked.most is None else asked.most))
    refuse_large(asked.where, made.plan.pairs, asked.columns, asked.most, None)
    tell_of_bad(asked.where, made.left)
    empty = schema_of(made.plan, [source.schema.empty_table() for source in asked.sources]).empty_table().to_pandas()
    if any(source.rows == 0 for source in asked.sources):
        asked.keeping.forget()
        shutil.rmtree(work)
        return frames.from_pandas(empty, npartitions=1)
    if made.parts != TILES:
        pieces = Pieces(asked.sources, made.plan, made.parts, asked.keeping)
        # What is in memory alone would be sent to the workers with each task.
        sent = open_client() is not None and any(one.table is not None for some in asked.sources for one in some.pieces)
        if pieces.all_kept() and not sent:
            for source in asked.sources:
                source.refuse_changed(asked.where)
            pieces.last_until_gone(work)
            return frames.from_map(frame_of_part, range(pieces.count), pieces=pieces, where=asked.where, meta=empty)
    paths = Paths(set_all_aside(asked, made.plan, work / "tiles"), work)
    for source in asked.sources:
        source.refuse_changed(asked.where)
    return frames.from_map(frame_of_tile, range(made.plan.tiles), paths=paths, plan=made.plan, meta=empty)


def frame_of_tile(tile: int, paths: Sequence[Sequence[Path]], plan: JoinPlan) -> Any:
    """Return the pairs of a tile as a pandas frame."""
    tables = rows_of_tile(paths, tile, plan)
    found = list(joined(tables, plan, tile))
    return (pa.concat_tables(found) if found else schema_of(plan, tables).empty_table()).to_pandas()
