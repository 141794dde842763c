"""Encounters from a source to an answer, on Dask: rows to tracks, tracks to pieces, pieces to tiles, tiles to pairs.

In: a source of tracks, and what is asked. Out: Parquet files, each pair of tracks once, in the order of their names.
Five stages follow each other, each of independent tasks that write files: the rows are sorted by track, in as many
buckets as memory wants; the samples of each track are linked to pieces; the pieces are sorted by tiles of the plane and
of time; the pairs of each tile are solved; and what the tiles say of a pair of tracks is brought together. How the work
is cut does not change the answer: each pair of pieces has one, and the least of many is the least in any order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from dask.delayed import delayed

from carom._core.types import Floats, Integers
from carom.tables.answer_folder import Answer
from carom.tables.approach import approaches
from carom.tables.plans import BadRow, refuse_bad
from carom.tables.progress import Told, run_all
from carom.tables.sources import Piece, Source
from carom.tables.space_time import Cut, boxes, cuts_of, near_pairs, tiles_of
from carom.tables.spill import by_group, read_group, write_grouped, write_whole
from carom.tables.tracks import buckets_of, linked, samples_of

SAMPLE = 2**16
"""Pieces that tiles are chosen by, of each bucket."""
PIECE = ("t0", "x0", "y0", "t1", "x1", "y1", "radius")
FOUND = ("first", "separation", "closest")
NONE = pa.table({"a": np.zeros(0, np.int64), "b": np.zeros(0, np.int64), **{name: np.zeros(0) for name in FOUND}})


class Asked(NamedTuple):
    """The call: its sources, its question, and how it is to run."""

    where: str
    source: Source
    within: float
    longest_gap: float
    on_bad: str
    most_rows: int
    told: Told | None


class Bucket(NamedTuple):
    """The tracks of a bucket."""

    names: pa.Array
    pieces: int
    sample: Floats
    bad: list[tuple[int, str]]
    bad_count: int


def run(asked: Asked, aside: Path, out: Path) -> Answer:
    """Write the answer to a folder that is there."""
    source, told = asked.source, asked.told
    count = max(1, math.ceil(source.rows / asked.most_rows))
    rows = [aside / f"rows-{k:06d}.arrow" for k in range(len(source.pieces))]
    by_track = _stage(sort_by_track)
    tasks = [
        by_track(piece, source.layout, source.columns, count, path)
        for piece, path in zip(source.pieces, rows, strict=True)
    ]
    bad, bad_count = [], 0
    for found, number in run_all(tasks, told, "sort by track"):
        bad += found
        bad_count += number
    refuse_bad(asked.where, bad, asked.on_bad)
    kind = source.schema.field(source.layout.columns[0]).type
    if not rows:
        write_whole(
            out / "encounters-000000.parquet", _told(least_of_pairs(NONE), pa.array([], _type_of_names(source)), kind)
        )
        return Answer([out / "encounters-000000.parquet"], (), 0)
    pieces = [aside / f"pieces-{k:06d}.arrow" for k in range(count)]
    link = _stage(link_bucket)
    tasks = [link(rows, k, asked.within, asked.longest_gap, path) for k, path in enumerate(pieces)]
    buckets: list[Bucket] = run_all(tasks, told, "link tracks")
    later = sorted(one for bucket in buckets for one in bucket.bad)
    bad += [BadRow(source.name(row), reason) for row, reason in later]
    bad_count += sum(bucket.bad_count for bucket in buckets)
    refuse_bad(asked.where, bad, asked.on_bad)

    names, ranks = _ranked([bucket.names for bucket in buckets], _type_of_names(source))
    pq.write_table(pa.table({"name": names}), aside / "names.parquet")
    tiles = max(1, math.ceil(sum(bucket.pieces for bucket in buckets) / asked.most_rows))
    cuts = cuts_of(np.concatenate([np.zeros((0, 6)), *(bucket.sample for bucket in buckets)]), tiles)
    sorted_ = [aside / f"sorted-{k:06d}.arrow" for k in range(len(pieces))]
    by_tile = _stage(sort_by_tile)
    run_all(
        [by_tile(*given, cuts, asked.within) for given in zip(pieces, ranks, sorted_, strict=True)],
        told,
        "sort by tile",
    )
    ends = np.unique(np.linspace(0, len(names), len(cuts) + 2).astype(np.int64)[1:])
    found = [aside / f"found-{k:06d}.arrow" for k in range(len(cuts) + 1)]
    solve = _stage(solve_tile)
    run_all([solve(sorted_, k, asked.within, ends, path) for k, path in enumerate(found)], told, "solve tiles")
    paths = [out / f"encounters-{k:06d}.parquet" for k in range(len(ends))]
    together = _stage(bring_together)
    run_all([together(found, k, aside / "names.parquet", kind, path) for k, path in enumerate(paths)], told, "gather")
    return Answer(paths, tuple(bad[:1000]), bad_count)


def _stage(function: Any) -> Any:
    return delayed(function, pure=False)


def _type_of_names(source: Source) -> pa.DataType:
    assert source.layout.id is not None
    kind: pa.DataType = source.schema.field(source.layout.id).type
    return kind


def _ranked(names: Sequence[pa.Array], kind: pa.DataType) -> tuple[pa.Array, list[Integers]]:
    """Return all names in order, and the places of those of each bucket."""
    together = pa.chunked_array([one.cast(kind) for one in names], kind).combine_chunks()
    order = pc.sort_indices(together).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return together.take(pa.array(order)), np.split(rank, np.cumsum([len(one) for one in names])[:-1]) if names else []


def sort_by_track(
    piece: Piece, layout: Any, columns: Sequence[str], buckets: int, path: Path
) -> tuple[list[BadRow], int]:
    """Write the samples of a piece of the source by bucket; return its bad rows."""
    samples, bad = samples_of(piece.read(columns), layout)
    write_grouped(path, samples, *by_group(buckets_of(samples, buckets), buckets))
    told = [BadRow(piece.name(int(row)), reason) for row, reason in zip(bad.rows, bad.reasons, strict=False)]
    return told, len(bad.rows)


def link_bucket(rows: Sequence[Path], number: int, within: float, longest_gap: float, path: Path) -> Bucket:
    """Write the pieces of the tracks of a bucket."""
    found = linked(read_group(rows, number), longest_gap)
    columns = {name: pa.array(found.pieces[:, k]) for k, name in enumerate(PIECE)}
    write_whole(path, pa.table({"track": found.tracks, **columns}))
    some = found.pieces[:: max(1, len(found.pieces) // SAMPLE)]
    bad = [(int(row), reason) for row, reason in zip(found.bad.rows, found.bad.reasons, strict=False)]
    return Bucket(found.names, len(found.pieces), boxes(some, within), bad, len(found.bad.rows))


def _pieces_of(table: pa.Table) -> Floats:
    return np.column_stack([table.column(name).to_numpy() for name in PIECE])


def sort_by_tile(pieces: Path, ranks: Integers, path: Path, cuts: Sequence[Cut], within: float) -> None:
    """Write the pieces of a bucket by tile, with the places of their tracks among all."""
    table = pq.read_table(pieces)
    table = table.set_column(0, "track", pa.array(ranks[table.column("track").to_numpy()]))
    rows, begins = tiles_of(boxes(_pieces_of(table), within), cuts)
    write_grouped(path, table, rows, np.append(begins, begins[-1]))


def solve_tile(paths: Sequence[Path], tile: int, within: float, ends: Integers, path: Path) -> None:
    """Write what a tile tells of pairs of tracks, by the range that the first is in."""
    table = read_group(paths, tile)
    found = encounters_of(_pieces_of(table), table.column("track").to_numpy(), within)
    write_grouped(path, found, *by_group(np.searchsorted(ends, found.column("a").to_numpy(), side="right"), len(ends)))


def encounters_of(pieces: Floats, tracks: Integers, within: float) -> pa.Table:
    """Return the encounters of some pieces: the numbers of two tracks, first instant, separation, closest instant."""
    found = NONE
    for i, j in near_pairs(pieces, tracks, within):
        told = approaches(pieces, i, j, within)
        meets = told.meets
        columns = (tracks[i][meets], tracks[j][meets], *(values[meets] for values in told[1:]))
        fresh = pa.table(dict(zip(("a", "b", *FOUND), map(pa.array, columns), strict=True)))
        found = least_of_pairs(pa.concat_tables([found, fresh]))
    return found


def least_of_pairs(table: pa.Table) -> pa.Table:
    """Return one row for each pair of tracks, sorted: its earliest first instant, and its least separation."""
    a, b, first, separation, closest = (table.column(name).to_numpy() for name in ("a", "b", *FOUND))
    order = np.lexsort((closest, separation, b, a))
    a, b = a[order], b[order]
    heads = np.flatnonzero(np.append(True, (a[1:] != a[:-1]) | (b[1:] != b[:-1]))[: len(a)])
    earliest = np.minimum.reduceat(first[order], heads) if len(heads) else first
    best = order[heads]
    columns = (a[heads], b[heads], earliest, separation[best], closest[best])
    return pa.table(dict(zip(("a", "b", *FOUND), map(pa.array, columns), strict=True)))


def bring_together(paths: Sequence[Path], number: int, names: Path, kind: pa.DataType, path: Path) -> int:
    """Write the answer for a range of first tracks; return how many pairs it has."""
    found = least_of_pairs(read_group(paths, number))
    write_whole(path, _told(found, pq.read_table(names).column("name"), kind))
    return int(found.num_rows)


def _told(found: pa.Table, names: pa.Array, kind: pa.DataType) -> pa.Table:
    """Return encounters by the names of the tracks, and with times of the kind that the source has."""
    columns = {name: names.take(found.column(name)) for name in ("a", "b")}
    for name in FOUND:
        columns[name] = found.column(name)
        if name != "separation" and pa.types.is_timestamp(kind):
            whole = pa.array(np.rint(found.column(name).to_numpy()).astype(np.int64))
            columns[name] = whole.cast(pa.timestamp("us", kind.tz))
    return pa.table(columns)
