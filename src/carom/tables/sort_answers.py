"""Pairs sorted over all files of an answer, in bounded memory.

In: files of pairs in any order. Out: files whose rows are sorted by a, then by b and all that is told of the pair, each
after the one before. Ranges of pairs are chosen by a sample, so that each has about as many rows, also where one row
has very many partners; the pairs of each file are set aside by range, and each range is read back and sorted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from carom.tables.answer_folder import Room
from carom.tables.progress import Told, run_left
from carom.tables.spill import need_room, read_group, write_grouped, write_whole

RANGE_ROWS = 2**20
"""Pairs of a range, about."""
SAMPLE = 2**8
"""Pairs of each range that the ranges are chosen by, at least."""

Key = tuple[Any, Any]
"""The names of a pair, which compare as PyArrow sorts them."""


def sort_answers(where: str, found: Sequence[Path], room: Room, told: Told | None) -> list[Path]:
    """Write the pairs of some files in order; return the files."""
    aside = room.aside / "sorted"
    known = [(path, pq.read_metadata(path)) for path in found]
    groups = [(path, k) for path, meta in known for k in range(meta.num_row_groups)]
    rows = sum(meta.num_rows for _, meta in known)
    ranges = max(1, -(-rows // RANGE_ROWS))
    aside.mkdir(exist_ok=True)
    need_room(
        where, aside, sum(meta.row_group(k).total_byte_size for _, meta in known for k in range(meta.num_row_groups))
    )
    samples = [aside / f"sample-{k:06d}.parquet" for k in range(len(groups))]
    step = max(1, rows // (ranges * SAMPLE))
    run_left(sample_of, [(*group, step) for group in groups], samples, told, "look at pairs")
    cuts = cuts_of([pq.read_table(path) for path in samples], ranges)
    parts = [aside / f"ranges-{k:06d}.arrow" for k in range(len(groups))]
    run_left(divide, [(*group, cuts) for group in groups], parts, told, "divide pairs")
    paths = room.files("pairs", len(cuts) + 1)
    schema = pq.read_schema(found[0])
    run_left(sort_range, [(parts, k, schema) for k in range(len(paths))], paths, told, "sort pairs")
    return paths


def sample_of(path: Path, group: int, step: int, out: Path) -> None:
    """Write the names of some pairs of a group of rows."""
    with pq.ParquetFile(path) as file:
        names = file.read_row_group(group, columns=["a", "b"], use_threads=False)
    write_whole(out, names.take(np.arange(step // 2, names.num_rows, step)))


def cuts_of(samples: Sequence[pa.Table], ranges: int) -> list[Key]:
    """Return the pairs at which ranges begin, but for the first."""
    if not samples:
        return []
    ordered = pa.concat_tables(samples).sort_by([("a", "ascending"), ("b", "ascending")])
    places = [k * ordered.num_rows // ranges for k in range(1, ranges)] if ordered.num_rows else []
    return list(dict.fromkeys(_key(ordered, place) for place in places))


def _key(table: pa.Table, row: int) -> Key:
    return table.column("a")[row].as_py(), table.column("b")[row].as_py()


def divide(path: Path, group: int, cuts: Sequence[Key], out: Path) -> None:
    """Write a group of rows by ranges."""
    with pq.ParquetFile(path) as file:
        table = file.read_row_group(group, use_threads=False)
    order = pc.sort_indices(table, [("a", "ascending"), ("b", "ascending")])
    names = table.select(["a", "b"]).take(order)
    places = [bisect_left(range(len(order)), cut, key=partial(_key, names)) for cut in cuts]
    write_grouped(out, table, order.to_numpy(), np.array([0, *places, len(order), len(order)]))


def sort_range(parts: Sequence[Path], number: int, schema: pa.Schema, out: Path) -> None:
    """Write the pairs of a range in order."""
    table = read_group(parts, number) if parts else schema.empty_table()
    write_whole(out, table.sort_by([(name, "ascending") for name in table.column_names]))
