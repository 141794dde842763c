"""Rows set aside between two stages of a join: those of each piece, sorted by tile, in one Arrow file.

In: the rows of a piece and their tiles. Out: an Arrow IPC file with one record batch for each tile that has rows, whose
schema tells which; and from many such files the rows of one tile, in the order of the source. A file is written under
another name and then renamed, so that it is whole or not there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from carom._core.types import Integers
from carom.tables.tiles import APART

TILES = b"carom_tiles"


def write_grouped(path: Path, table: pa.Table, rows: Integers, begins: Integers) -> None:
    """Write the rows of a table by their tiles; those of no tile are left out."""
    present = np.flatnonzero(np.diff(begins))
    numbers = [int(tile) if tile < len(begins) - 2 else APART for tile in present]
    schema = table.schema.with_metadata({TILES: json.dumps(numbers).encode()})
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    with pa.OSFile(str(aside), "wb") as sink, pa.ipc.new_file(sink, schema) as file:
        for tile in present:
            batch = table.take(rows[begins[tile] : begins[tile + 1]]).combine_chunks()
            file.write_table(batch.replace_schema_metadata(schema.metadata))
    os.replace(aside, path)


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
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    pq.write_table(table, aside, use_dictionary=False)
    os.replace(aside, path)
