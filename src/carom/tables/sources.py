"""A source of rows: its pieces, each of which is read by itself, and a mark that changes when the source does.

In: a Parquet folder or file, an Arrow dataset, a table or stream, a pandas or Dask frame, or a saved set of `Shapes`.
Out: a `Source` of pieces of about a million rows. A piece knows where it comes from and pickles small, so that any
process reads it; sources that can be read only once (a stream, a Dask frame) are written to Parquet first, in the
folder for rows that are set aside.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from carom._core import inputs
from carom.shapes.set import Shapes
from carom.tables.layout import ROW, SET, Layout, needed_of

PIECE_ROWS = 2**20
"""Rows of one piece: enough that the work on it outweighs its start, few enough that many are in memory at once."""


Read = Callable[[pa.Schema], Layout]
"""Tells which columns of a table hold what is asked for, or refuses the table."""


@dataclass(frozen=True)
class Piece:
    """Some rows of a source, which any process can read.

    Attributes
    ----------
    first : int
        The place of its first row in the source.
    rows : int
        How many rows it has.
    place : str
        The file that it is of, or the kind of source.
    offset : int
        The place of its first row in that file.
    """

    first: int
    rows: int
    place: str
    offset: int
    groups: tuple[int, ...] = ()
    fragment: Any = None
    table: Any = None

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return the named columns of its rows, and before them the place of each row in the source."""
        if self.table is not None:
            found = self.table.select(list(columns))
        elif self.fragment is not None:
            found = self.fragment.to_table(columns=list(columns))
        elif self.groups:
            with pq.ParquetFile(self.place) as file:
                found = file.read_row_groups(list(self.groups), columns=list(columns), use_threads=False)
        else:
            found = pa.table({})
        found = found.cast(without_views(found.schema))
        rows = pa.array(np.arange(self.first, self.first + self.rows))
        return found.add_column(0, ROW, rows) if found.num_columns else pa.table({ROW: rows})

    def name(self, row: int) -> str:
        """Return what errors call a row of it."""
        return f"{self.place}, row {self.offset + row}"


@dataclass(frozen=True)
class Source:
    """All rows of a source."""

    pieces: tuple[Piece, ...]
    schema: pa.Schema
    layout: Layout
    mark: str
    """Changes when a file of the source changes, or a value in memory."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(piece.rows for piece in self.pieces)

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return needed_of(self.layout) if self.layout.kind != SET else []

    def question(self, which: str = "") -> dict[str, Any]:
        """Return the part of a question that it is, as JSON has it: runs that agree in it read the same rows."""
        told = asdict(self.layout)
        shape = [told[name] for name in ("kind", "columns", "encoding")]
        own = {"shape": shape, "id": self.layout.id, "rows": self.rows, "data": self.mark}
        return {which + name: value for name, value in own.items()}

    def name(self, row: int) -> str:
        """Return what errors call a row, by its place in the source."""
        piece = self.pieces[bisect_right(self.pieces, row, key=lambda piece: piece.first) - 1]
        return piece.name(row - piece.first)


def without_views(schema: pa.Schema) -> pa.Schema:
    """Return a schema with plain text and bytes in place of views, which PyArrow cannot yet sort or take rows of."""
    for k, field in enumerate(schema):
        if pa.types.is_string_view(field.type) or pa.types.is_binary_view(field.type):
            kind = pa.large_string() if pa.types.is_string_view(field.type) else pa.large_binary()
            schema = schema.set(k, field.with_type(kind))
    return schema


def source_of(where: str, name: str, given: Any, read: Read, aside: Path) -> Source:
    """Return a source from what the user gave, whose columns `read` knows; `aside` takes what can be read only once."""
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        if not path.exists():
            raise FileNotFoundError(f"{where}: {name} = {str(path)!r}: there is no such file or folder")
        if path.is_file() and not _is_parquet(path):
            return _of_set(path)
        return _of_files(where, name, _parquet_files(where, name, path), read)
    if isinstance(given, ds.Dataset):
        return _of_dataset(where, given, read)
    if hasattr(given, "to_delayed") and hasattr(given, "to_parquet"):
        folder = aside / name
        given.to_parquet(str(folder), write_index=False)
        return _marked_by_content(_of_files(where, name, _parquet_files(where, name, folder), read))
    if isinstance(given, pa.Table):
        return _of_table(where, given, read)
    if hasattr(given, "columns") and hasattr(given, "iloc"):
        return _of_table(where, pa.Table.from_pandas(given, preserve_index=False), read)
    if hasattr(given, "__arrow_c_stream__"):
        return _of_stream(where, name, pa.RecordBatchReader.from_stream(given), read, aside)
    inputs.refuse_type(
        where, name, given, "must be a Parquet folder, an Arrow dataset, table or stream, a frame, or a saved set"
    )


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _parquet_files(where: str, name: str, path: Path) -> list[Path]:
    """Return the files of a folder in the order of their names, numbers in them by value."""
    if path.is_file():
        return [path]
    found = [
        file for file in path.rglob("*.parquet") if not any(part[0] in "_." for part in file.relative_to(path).parts)
    ]
    if not found:
        raise ValueError(f"{where}: {name} = {str(path)!r}: no file in this folder ends in .parquet")
    return sorted(found, key=lambda file: [int(word) if word.isdigit() else word for word in _words(str(file))])


def _is_hidden(path: Path) -> bool:
    """Tell whether a path is of what tables keep beside their rows."""
    return any(part[0] in "_." for part in path.parts)


def _words(text: str) -> list[str]:
    """Return a text in turns of letters and digits, letters first."""
    out, digits = [""], False
    for letter in text:
        if letter.isdigit() != digits:
            digits = not digits
            out.append("")
        out[-1] += letter
    return out


def _of_files(where: str, name: str, files: list[Path], read: Read) -> Source:
    pieces: list[Piece] = []
    schema, first, mark = None, 0, hashlib.blake2b(digest_size=16)
    for path in files:
        try:
            meta = pq.read_metadata(path)
            own = pq.read_schema(path)
        except (OSError, pa.ArrowException) as error:
            raise ValueError(f"{where}: {name}: {path} is no Parquet file that can be read: {error}") from None
        schema = schema if schema is not None else without_views(own)
        told = path.stat()
        mark.update(f"{path.resolve()} {told.st_size} {told.st_mtime_ns} {meta.num_rows}\n".encode())
        groups, begin, offset = [], 0, 0
        for k in range(meta.num_row_groups):
            groups.append(k)
            offset += meta.row_group(k).num_rows
            if offset - begin >= PIECE_ROWS or k == meta.num_row_groups - 1:
                if offset > begin:
                    pieces.append(Piece(first, offset - begin, str(path), begin, tuple(groups)))
                first, begin, groups = first + offset - begin, offset, []
    assert schema is not None
    return Source(tuple(pieces), schema, read(schema), mark.hexdigest())


def _of_dataset(where: str, dataset: ds.Dataset, read: Read) -> Source:
    pieces: list[Piece] = []
    first, mark = 0, hashlib.blake2b(digest_size=16)
    for fragment in dataset.get_fragments():
        path = getattr(fragment, "path", "") or "the dataset"
        whole, offset = [fragment], 0
        if isinstance(fragment, ds.ParquetFileFragment):
            whole = fragment.split_by_row_group()
            if os.path.exists(path):
                mark.update(f"{path} {os.stat(path).st_size} {os.stat(path).st_mtime_ns}".encode())
        for part in whole:
            parquet = isinstance(part, ds.ParquetFileFragment)
            rows = sum(group.num_rows for group in part.row_groups) if parquet else part.count_rows()
            if rows:
                pieces.append(Piece(first, rows, path, offset, fragment=part))
            first, offset = first + rows, offset + rows
            mark.update(f"{path} {rows}\n".encode())
    schema = without_views(dataset.schema)
    return Source(tuple(pieces), schema, read(schema), mark.hexdigest())


def _of_table(where: str, table: pa.Table, read: Read) -> Source:
    table = table.cast(without_views(table.schema))
    layout = read(table.schema)
    used = table.select(needed_of(layout)).replace_schema_metadata(None)
    pieces = tuple(
        Piece(
            begin,
            min(PIECE_ROWS, used.num_rows - begin),
            "the table",
            begin,
            table=used.slice(begin, PIECE_ROWS).combine_chunks(),
        )
        for begin in range(0, used.num_rows, PIECE_ROWS)
    )
    mark = hashlib.blake2b(str(used.schema).encode(), digest_size=16)
    for piece in pieces:
        with pa.ipc.new_stream(sink := pa.BufferOutputStream(), used.schema) as stream:
            stream.write_table(piece.table)
        mark.update(sink.getvalue())
    return Source(pieces, table.schema, layout, mark.hexdigest())


def _of_stream(where: str, name: str, stream: pa.RecordBatchReader, read: Read, aside: Path) -> Source:
    read(without_views(stream.schema))  # what is wrong with the columns is said before anything is read
    aside.mkdir(parents=True, exist_ok=True)
    path = aside / f"{name}.parquet"
    with pq.ParquetWriter(path, stream.schema) as writer:
        for batch in stream:
            writer.write_batch(batch)
    return _marked_by_content(_of_files(where, name, [path], read))


def _marked_by_content(source: Source) -> Source:
    """Return a source whose files were written just now with a mark that another run's copy has, too."""
    mark = hashlib.blake2b(digest_size=16)
    for place in dict.fromkeys(piece.place for piece in source.pieces):
        with open(place, "rb") as file:
            while part := file.read(2**24):
                mark.update(part)
    return replace(source, mark=mark.hexdigest())


def _of_set(path: Path) -> Source:
    rows, told = len(Shapes.load(path)), path.stat()
    pieces = tuple(
        Piece(begin, min(PIECE_ROWS, rows - begin), str(path), begin) for begin in range(0, rows, PIECE_ROWS)
    )
    mark = hashlib.blake2b(f"{path.resolve()} {told.st_size} {told.st_mtime_ns}".encode(), digest_size=16)
    return Source(pieces, pa.schema([]), Layout(SET, (str(path.resolve()),)), mark.hexdigest())
