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

from carom import approaches
from carom.tables.answer_folder import Answer, Left, Room
from carom.tables.arrays import Floats, Integers
from carom.tables.bad_rows import BAD, KEPT, BadRow, refuse_bad, write_bad
from carom.tables.estimates import refuse_full
from carom.tables.plans import named_rows
from carom.tables.progress import Told, run_left
from carom.tables.sources import Piece, Source
from carom.tables.space_time import Cut, boxes, cuts_of, near_pairs, tiles_of
from carom.tables.spill import by_group, need_room, read_group, told_with, write_grouped, write_whole
from carom.tables.tracks import buckets_of, linked, samples_of

SAMPLE = 2**16
"""Pieces that tiles are chosen by, of each bucket."""
SAMPLE_BYTES = 320
"""Bytes that are set aside for a sample on its way, an estimate."""
PIECE = ("t0", "x0", "y0", "t1", "x1", "y1", "radius")
FOUND = ("first", "separation", "closest")
NONE = pa.table({"a": np.zeros(0, np.int64), "b": np.zeros(0, np.int64), **{name: np.zeros(0) for name in FOUND}})


class Asked(NamedTuple):
    """The call: its sources, its question, and how it is to run."""

    where: str
    source: Source
    within: float
    longest_gap: float
    columns: tuple[str, ...]
    on_bad: str
    told: Told | None


def run(asked: Asked, kept: dict[str, Any], room: Room) -> Answer:
    """Write the files of the answer that are not there."""
    source, told, aside, most_rows = asked.source, asked.told, room.aside, kept["most_rows"]
    kind = source.schema.field(source.layout.columns[0]).type
    if not source.rows:
        paths = room.files("encounters", 1)
        write_whole(paths[0], _told(least_of_pairs(NONE), pa.array([], _type_of_names(source)), kind, asked.columns))
        return Answer(paths, Left())
    count = max(1, math.ceil(source.rows / most_rows))
    need_room(asked.where, aside, source.rows * SAMPLE_BYTES)
    rows = [aside / f"rows-{k:06d}.arrow" for k in range(len(source.pieces))]
    known, folder = source.without_pieces(), room.out / BAD
    given: list[tuple[Any, ...]] = [
        (asked.where, piece, known, count, asked.on_bad, folder, f"0-{k:06d}") for k, piece in enumerate(source.pieces)
    ]
    run_left(sort_by_track, given, rows, told, "sort by track")
    names_of, samples, pieces, sorted_ = (
        [aside / f"{name}-{k:06d}.{kind}" for k in range(count)]
        for name, kind in (("names", "parquet"), ("sample", "parquet"), ("pieces", "arrow"), ("sorted", "arrow"))
    )
    given = [(rows, k, asked.within, asked.longest_gap, names_of[k], samples[k]) for k in range(count)]
    run_left(link_bucket, given, pieces, told, "link tracks")
    left = _left(asked, rows, pieces, folder)
    names, ranks = _ranked([pq.read_table(path).column("name") for path in names_of], _type_of_names(source))
    in_order = aside / "names.parquet"
    write_whole(in_order, pa.table({"name": names}))
    tiles = max(1, math.ceil(sum(told_with(path)["pieces"] for path in pieces) / most_rows))
    cuts = cuts_of(np.concatenate([_numbers_of(pq.read_table(path)) for path in samples]), tiles)
    given = [(path, rank, cuts, asked.within) for path, rank in zip(pieces, ranks, strict=True)]
    run_left(sort_by_tile, given, sorted_, told, "sort by tile")
    ends = np.unique(np.linspace(0, len(names), len(cuts) + 2).astype(np.int64)[1:])
    found = [aside / f"found-{k:06d}.arrow" for k in range(len(cuts) + 1)]
    run_left(solve_tile, [(sorted_, k, asked.within, ends) for k in range(len(found))], found, told, "solve tiles")
    paths = room.files("encounters", len(ends))
    # What tiles tell of the same two tracks becomes one row, so there are at most as many as they tell.
    refuse_full(asked.where, sum(told_with(path) for path in found), len(asked.columns), room.out)
    given = [(found, k, in_order, kind, asked.columns) for k in range(len(ends))]
    run_left(bring_together, given, paths, told, "gather")
    return Answer(paths, left)


def _left(asked: Asked, rows: Sequence[Path], pieces: Sequence[Path], folder: Path) -> Left:
    """Return the bad rows that are told beside files; they are refused, unless they are to be left out."""
    bad, count = list[BadRow](), 0
    for path in rows:
        some, more = told_with(path)["bad"]
        bad += [BadRow(*row) for row in some]
        count += more
    for k, path in enumerate(pieces):
        found = told_with(path)["bad"]
        told = [BadRow(asked.source.name(row), reason, name) for row, reason, name in found]
        refuse_bad(asked.where, told, asked.on_bad)
        write_bad(folder, f"1-{k:06d}", np.array([row for row, *_ in found], dtype=np.int64), told)
        bad += told
        count += len(told)
    return Left(tuple(bad[:KEPT]), count)


def _type_of_names(source: Source) -> pa.DataType:
    assert source.layout.id is not None
    kind: pa.DataType = source.schema.field(source.layout.id).type
    return kind


def _ranked(names: Sequence[pa.ChunkedArray], kind: pa.DataType) -> tuple[pa.Array, list[Integers]]:
    """Return all names in order, and the places of those of each bucket."""
    together = pa.chunked_array([chunk for one in names for chunk in one.cast(kind).chunks], kind).combine_chunks()
    order = pc.sort_indices(together).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return together.take(pa.array(order)), np.split(rank, np.cumsum([len(one) for one in names])[:-1]) if names else []


def sort_by_track(
    where: str, piece: Piece, source: Source, buckets: int, on_bad: str, folder: Path, part: str, path: Path
) -> None:
    """Write the samples of a piece of the source by bucket; its bad rows are refused, or told beside."""
    table = piece.read(source.columns)
    samples, bad = samples_of(table, source.layout)
    told = named_rows(piece, table, source.layout, bad.rows, bad.reasons)
    refuse_bad(where, told, on_bad)
    write_bad(folder, part, piece.first + bad.rows, told)
    beside = {"bad": (told[:KEPT], len(told))}
    write_grouped(path, samples, *by_group(buckets_of(samples, buckets), buckets), beside)


def link_bucket(
    rows: Sequence[Path], number: int, within: float, longest_gap: float, names: Path, sample: Path, path: Path
) -> None:
    """Write the pieces of the tracks of a bucket, all in one group, and beside them the names and some of the boxes."""
    found = linked(read_group(rows, number), longest_gap)
    write_whole(names, pa.table({"name": found.names}))
    some = boxes(found.pieces[:: max(1, len(found.pieces) // SAMPLE)], within)
    write_whole(sample, pa.table({str(k): pa.array(column) for k, column in enumerate(some.T)}))
    columns = {name: pa.array(found.pieces[:, k]) for k, name in enumerate(PIECE)}
    bad = list(zip(found.bad.rows.tolist(), found.bad.reasons, found.bad_names, strict=True))
    told = {"bad": bad, "pieces": len(found.pieces)}
    one_group = by_group(np.zeros(len(found.pieces), dtype=np.int64), 1)
    write_grouped(path, pa.table({"track": found.tracks, **columns}), *one_group, told)


def _numbers_of(table: pa.Table) -> Floats:
    return np.column_stack([column.to_numpy() for column in table.columns])


def _pieces_of(table: pa.Table) -> Floats:
    return _numbers_of(table.select(PIECE))


def sort_by_tile(pieces: Path, ranks: Integers, cuts: Sequence[Cut], within: float, path: Path) -> None:
    """Write the pieces of a bucket by tile, with the places of their tracks among all."""
    table = read_group([pieces], 0)
    table = table.set_column(0, "track", pa.array(ranks[table.column("track").to_numpy()]))
    rows, begins = tiles_of(boxes(_pieces_of(table), within), cuts)
    write_grouped(path, table, rows, np.append(begins, begins[-1]))


def solve_tile(paths: Sequence[Path], tile: int, within: float, ends: Integers, path: Path) -> None:
    """Write what a tile tells of pairs of tracks, by the range that the first is in."""
    table = read_group(paths, tile)
    found = encounters_of(_pieces_of(table), table.column("track").to_numpy(), within)
    ranges = np.searchsorted(ends, found.column("a").to_numpy(), side="right")
    write_grouped(path, found, *by_group(ranges, len(ends)), found.num_rows)


def encounters_of(pieces: Floats, tracks: Integers, within: float) -> pa.Table:
    """Return the encounters of some pieces: the numbers of two tracks, first instant, separation, closest instant."""
    found = NONE
    for i, j in near_pairs(pieces, tracks, within):
        told = approaches(pieces, np.stack((i, j), axis=1), within=within)
        meets = told.meets
        columns = (
            tracks[i][meets],
            tracks[j][meets],
            *(values[meets] for values in (told.first, told.separation, told.closest)),
        )
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


def bring_together(
    paths: Sequence[Path], number: int, names: Path, kind: pa.DataType, told: Sequence[str], path: Path
) -> None:
    """Write the answer for a range of first tracks."""
    found = least_of_pairs(read_group(paths, number))
    write_whole(path, _told(found, pq.read_table(names).column("name"), kind, told))


def _told(found: pa.Table, names: pa.Array, kind: pa.DataType, told: Sequence[str]) -> pa.Table:
    """Return encounters by the names of the tracks, and with times of the kind that the source has."""
    columns = {name: names.take(found.column(name)) for name in ("a", "b")}
    for name in told:
        columns[name] = found.column(name)
        if name != "separation" and pa.types.is_timestamp(kind):
            whole = pa.array(np.rint(found.column(name).to_numpy()).astype(np.int64))
            columns[name] = whole.cast(pa.timestamp("us", kind.tz))
    return pa.table(columns)
