"""Rows set aside between two stages of a run: those of each piece, sorted by tile, in one Arrow file.

In: the rows of a piece and their tiles. Out: an Arrow IPC file with one record batch for each tile that has rows, whose
schema tells which; and from many such files the rows of one tile, in the order of the source. A file is written under
another name and then renamed, so that it is whole or not there. With it goes what its maker has to say, so that a run
that goes on knows that, too.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from carom.tables.arrays import Integers
from carom.tables.layout import APART

TILES, TOLD = b"carom_tiles", b"carom_told"
PART = ".part"
"""The end of the name of a file that is not whole."""


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield another name for a file, which gets its own when the block ends; of a block that fails nothing is left."""
    aside = path.with_name(f"{path.name}.{uuid4().hex}{PART}")
    try:
        yield aside
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def need_room(where: str, folder: Path, size: int) -> None:
    """Refuse to set so many bytes aside in a folder, those that lie there among them, if its disk has no room."""
    left = size - sum(size_of(path) for path in folder.rglob("*"))
    free = shutil.disk_usage(folder).free
    if left > free:
        raise OSError(
            f"{where}: about {left / 2**30:,.1f} GiB are to be set aside in {folder}, where {free / 2**30:,.1f} GiB "
            "are free; spill= names another folder"
        )


def size_of(path: Path) -> int:
    """Return the bytes of a file; 0 if it is gone, as one that is not whole is once the call that was stopped ends."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def write_grouped(path: Path, table: pa.Table, rows: Integers, begins: Integers, told: Any = None) -> None:
    """Write the rows of a table by their tiles, and what is told beside; rows of no tile are left out."""
    present = np.flatnonzero(np.diff(begins))
    numbers = [int(tile) if tile < len(begins) - 2 else APART for tile in present]
    schema = table.schema.with_metadata({TILES: json.dumps(numbers).encode(), TOLD: json.dumps(told).encode()})
    with whole(path) as aside, pa.OSFile(str(aside), "wb") as sink, pa.ipc.new_file(sink, schema) as file:
        for tile in present:
            batch = table.take(rows[begins[tile] : begins[tile + 1]]).combine_chunks()
            file.write_table(batch.replace_schema_metadata(schema.metadata))


def told_with(path: Path) -> Any:
    """Return what was told beside the rows of a file."""
    with pa.OSFile(str(path), "rb") as source:
        return json.loads(pa.ipc.open_file(source).schema.metadata[TOLD])


def read_group(paths: Sequence[Path], tile: int) -> pa.Table:
    """Return the rows of a tile from all files, in their order."""
    tables = []
    for path in paths:
        with pa.OSFile(str(path), "rb") as source:
            file = pa.ipc.open_file(source)
            numbers = json.loads(file.schema.metadata[TILES])
            tables.append(
                pa.Table.from_batches([file.get_batch(numbers.index(tile))] if tile in numbers else [], file.schema)
            )
    return pa.concat_tables([one.replace_schema_metadata(None) for one in tables])


def by_group(numbers: Integers, count: int) -> tuple[Integers, Integers]:
    """Return rows in the order of their groups, and where each begins, as `write_grouped` takes them: none is apart."""
    begins = np.zeros(count + 2, dtype=np.int64)
    np.cumsum(np.bincount(numbers, minlength=count), out=begins[1:-1])
    begins[-1] = begins[-2]
    return np.argsort(numbers, kind="stable"), begins


def write_whole(path: Path, table: pa.Table) -> None:
    """Write a table as a Parquet file that is whole or not there."""
    with whole(path) as aside:
        pq.write_table(table, aside, use_dictionary=False)
