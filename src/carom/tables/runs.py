"""A join from its sources to its answer, on Dask: pieces to tiles, tiles to pairs.

In: one source or two, and what is asked. Out: a folder of Parquet files, or a Dask frame. Three stages follow each
other: all rows are looked at, and the plan is made; the rows of each piece are set aside by tile; each tile is read
back and joined. The tasks of a stage are independent, and write files that are renamed when they are whole. So a task
that is lost is done again, and a run that was stopped goes on with what is there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dask.delayed import delayed

from carom.tables.layout import TILE, bounds_of
from carom.tables.plans import SAMPLE, BadRow, JoinPlan, Survey, checked_question, plan_of, refuse_bad, survey
from carom.tables.progress import Told, run_all
from carom.tables.sources import Piece, Source
from carom.tables.spill import read_group, write_grouped
from carom.tables.tile_join import joined, schema_of
from carom.tables.tiles import APART, grouped

PLAN = "_plan.json"
"""The file beside an answer that tells which question it answers."""


class Question(NamedTuple):
    """The call: its sources, its question, and how it is to run."""

    where: str
    sources: list[Source]
    within: Any
    columns: Any
    on_bad: Any
    memory: int | None
    tile_rows: int | None
    workers: int
    told: Told | None


class Planned(NamedTuple):
    """A plan, and the rows that are left out of it."""

    plan: JoinPlan
    bad: tuple[BadRow, ...]
    bad_count: int


class Joined(NamedTuple):
    """The result of a join that wrote files.

    Attributes
    ----------
    path : Path
        The folder of Parquet files.
    pairs : int
        How many pairs there are.
    bad : tuple of BadRow
        The rows that were left out, the first thousand of them.
    bad_count : int
        How many were left out.
    """

    path: Path
    pairs: int
    bad: tuple[BadRow, ...]
    bad_count: int


def planned(asked: Question) -> Planned:
    """Return the plan of a question, after a look at every row."""
    distance, columns = checked_question(asked.where, asked.within, asked.columns, asked.on_bad)
    share = min(1.0, SAMPLE / max(1, sum(source.rows for source in asked.sources)))
    look = delayed(survey, pure=False)
    tasks = [look(piece, source.layout, source.columns, share) for source in asked.sources for piece in source.pieces]
    surveys: list[Survey] = run_all(tasks, asked.told, "look at all rows")
    bad = [row for one in surveys for row in one.bad]
    refuse_bad(asked.where, bad, asked.on_bad)
    plan = plan_of(
        asked.where,
        asked.sources,
        surveys,
        distance,
        columns,
        asked.on_bad,
        asked.memory,
        asked.tile_rows,
        asked.workers,
    )
    return Planned(plan, tuple(bad[:1000]), sum(one.bad_count for one in surveys))


def run(asked: Question, out: Path, aside: Path | None) -> Joined:
    """Join into a folder, which is there when it is whole; an earlier run that was stopped is continued."""
    work = out.with_name(f"{out.name}.unfinished")
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        return _finished(out, _kept(asked, out))
    known = _kept(asked, work) if (work / PLAN).exists() else None
    made = known if known is not None else planned(asked)
    work.mkdir(parents=True, exist_ok=True)
    if known is None:
        _keep(made, work)
    targets = [work / f"pairs-{tile:06d}.parquet" for tile in range(made.plan.tiles)]
    left = [tile for tile, path in enumerate(targets) if not path.exists()]
    folder = (aside if aside is not None else work) / f"tiles-{_name(made.plan)}"
    if any(source.rows == 0 for source in asked.sources):
        tables = [source.schema.empty_table() for source in asked.sources]
        pq.write_table(schema_of(made.plan, tables).empty_table(), targets[0])
    elif left:
        paths = set_all_aside(asked, made.plan, folder)
        join = delayed(write_tile, pure=False)
        run_all([join(paths, tile, made.plan, targets[tile]) for tile in left], asked.told, "join tiles")
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("source", "other"):
        shutil.rmtree(work / name, ignore_errors=True)
        (work / f"{name}.parquet").unlink(missing_ok=True)
    if out.exists():
        out.rmdir()
    os.replace(work, out)
    return _finished(out, made)


def _finished(out: Path, made: Planned) -> Joined:
    pairs = sum(pq.read_metadata(path).num_rows for path in sorted(out.glob("pairs-*.parquet")))
    return Joined(out, pairs, made.bad, made.bad_count)


def _name(plan: JoinPlan) -> str:
    """Return a name for what is set aside for a plan, so that no other plan takes it for its own."""
    return hashlib.blake2b(plan.to_json().encode(), digest_size=8).hexdigest()


def _keep(made: Planned, folder: Path) -> None:
    """Write a plan into a folder."""
    aside = folder / f"{PLAN}.part"
    told = {"plan": json.loads(made.plan.to_json()), "bad": made.bad, "bad_count": made.bad_count}
    aside.write_text(json.dumps(told), encoding="utf-8")
    os.replace(aside, folder / PLAN)


def _kept(asked: Question, folder: Path) -> Planned:
    """Return the plan of a folder; one of another question, or a folder of something else, is refused."""
    try:
        told = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        plan = JoinPlan.from_json(json.dumps(told["plan"]))
        bad = tuple(BadRow(*row) for row in told["bad"])
    except (OSError, ValueError, KeyError, TypeError):
        raise FileExistsError(
            f"{asked.where}: out = {str(folder)!r} holds something else; name a folder that is not there"
        ) from None
    distance, columns = checked_question(asked.where, asked.within, asked.columns, asked.on_bad)
    layouts = [source.layout for source in asked.sources]
    question = JoinPlan(
        layouts[0],
        layouts[1] if len(layouts) > 1 else None,
        distance,
        columns,
        (),
        (),
        asked.sources[0].rows,
        asked.sources[1].rows if len(layouts) > 1 else 0,
        tuple(source.mark for source in asked.sources),
        asked.on_bad,
    ).question
    if plan.question != question:
        told_anew = [name.replace("marks", "the data") for name in question if plan.question[name] != question[name]]
        raise FileExistsError(
            f"{asked.where}: out = {str(folder)!r} holds the answer to another plan, since "
            f"{' and '.join(told_anew)} differ; remove it, or name another folder"
        )
    return Planned(plan, bad, int(told["bad_count"]))


def set_all_aside(asked: Question, plan: JoinPlan, folder: Path) -> list[list[Path]]:
    """Set the rows of all pieces aside by tile, but for those that are; return the files of each source."""
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if plan.disk > free:
        need, have = plan.disk / 2**30, free / 2**30
        raise OSError(
            f"{asked.where}: about {need:,.1f} GiB are to be set aside in {folder}, where {have:,.1f} GiB are free; "
            "spill= names another folder"
        )
    put = delayed(set_aside, pure=False)
    paths, tasks = [], []
    for number, source in enumerate(asked.sources):
        paths.append([folder / f"{number}-{k:06d}.arrow" for k in range(len(source.pieces))])
        for piece, path in zip(source.pieces, paths[-1], strict=True):
            if not path.exists():
                tasks.append(put(piece, source.columns, plan, number == 1, path))
    run_all(tasks, asked.told, "sort by tile")
    return paths


def set_aside(piece: Piece, columns: Sequence[str], plan: JoinPlan, other: bool, path: Path) -> None:
    """Write the rows of a piece by tile."""
    table = piece.read(columns)
    write_grouped(path, table, *grouped(table, plan, other))


def write_tile(paths: Sequence[Sequence[Path]], tile: int, plan: JoinPlan, out: Path) -> int:
    """Write the pairs of a tile; return how many there are."""
    tables = rows_of_tile(paths, tile, plan)
    aside, count = out.with_name(f"{out.name}.{os.getpid()}.part"), 0
    with pq.ParquetWriter(aside, schema_of(plan, tables), use_dictionary=False) as file:
        for found in joined(tables, plan, tile):
            count += found.num_rows
            file.write_table(found)
    os.replace(aside, out)
    return count


def rows_of_tile(paths: Sequence[Sequence[Path]], tile: int, plan: JoinPlan) -> list[pa.Table]:
    """Return the rows of each source in a tile from what was set aside, those that were kept apart among them."""
    tables, bounds = [], plan.bounds()[tile]
    for files, layout in zip(paths, (plan.layout, plan.other), strict=False):
        assert layout is not None
        apart = read_group(files, APART)
        if apart.num_rows:
            boxes = bounds_of(apart, layout)
            low, high = boxes[:, :2] - plan.within, boxes[:, 2:] + plan.within
            apart = apart.filter(pa.array(((low < bounds[2:]) & (high >= bounds[:2])).all(axis=1)))
        own = pa.concat_tables([read_group(files, tile), apart])
        tables.append(own.append_column(TILE, pa.array(np.full(own.num_rows, tile, dtype=np.int32))))
    return tables


class Paths(list[list[Path]]):
    """The files that a frame is computed from, which are gone with the last frame that needs them."""


def as_frame(asked: Question, folder: Path) -> Any:
    """Return the answer as a Dask frame whose partitions are the tiles, which are joined when they are asked for."""
    import dask.dataframe

    frames: Any = dask.dataframe
    made = planned(asked)
    empty = schema_of(made.plan, [source.schema.empty_table() for source in asked.sources]).empty_table().to_pandas()
    if any(source.rows == 0 for source in asked.sources):
        return frames.from_pandas(empty, npartitions=1)
    paths = Paths(set_all_aside(asked, made.plan, folder))
    weakref.finalize(paths, shutil.rmtree, folder, True)
    return frames.from_map(frame_of_tile, range(made.plan.tiles), paths=paths, plan=made.plan, meta=empty)


def frame_of_tile(tile: int, paths: Sequence[Sequence[Path]], plan: JoinPlan) -> Any:
    """Return the pairs of a tile as a pandas frame."""
    tables = rows_of_tile(paths, tile, plan)
    found = list(joined(tables, plan, tile))
    return (pa.concat_tables(found) if found else schema_of(plan, tables).empty_table()).to_pandas()
