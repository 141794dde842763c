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
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from carom._core import inputs
from carom.shapes.set import Shapes
from carom.tables.layout import ROW, SET, TILE, Layout, needed_of

PIECE_ROWS, PIECE_BYTES = 2**20, 2**28
"""Rows of one piece, or bytes of its columns: enough that the work on it outweighs its start, few enough that many are
in memory at once."""


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
    schema: pa.Schema = pa.schema([])  # noqa: RUF009
    """The columns of the source; those of its file may be narrower."""
    groups: tuple[int, ...] = ()
    fragment: Any = None
    table: Any = None

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return the named columns of its rows, and before them the place of each row in the source."""
        wanted = pa.schema([self.schema.field(name) for name in columns])
        try:
            found = self._stored(wanted)
            found = found.select(wanted.names).replace_schema_metadata(None).cast(wanted)
        except pa.ArrowException as error:
            raise _unreadable(self.place, error) from None
        except OSError as error:
            if error.errno is not None:
                raise
            raise _unreadable(self.place, error) from None
        rows = pa.array(np.arange(self.first, self.first + self.rows))
        return found.add_column(0, ROW, rows) if found.num_columns else pa.table({ROW: rows})

    def _stored(self, wanted: pa.Schema) -> pa.Table:
        """Return the columns as they are stored, others perhaps among them."""
        if self.table is not None:
            return self.table
        if self.fragment is not None:
            return self.fragment.to_table(schema=wanted)
        if self.groups:
            with pq.ParquetFile(self.place) as file:
                return file.read_row_groups(list(self.groups), columns=wanted.names, use_threads=False)
        return wanted.empty_table()

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
    files: tuple[tuple[str, int, int], ...] = ()
    """The files that are the user's, with the size and the time of each."""

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

    def refuse_changed(self, where: str) -> None:
        """Refuse a source of which a file has changed since it was looked at."""
        for told in self.files:
            try:
                now = _file(told[0])
            except OSError:
                now = None
            if now != told:
                raise ValueError(f"{where}: {told[0]} has changed while it was read; ask again when it stands")

    def name(self, row: int) -> str:
        """Return what errors call a row, by its place in the source."""
        piece = self.pieces[bisect_right(self.pieces, row, key=lambda piece: piece.first) - 1]
        return piece.name(row - piece.first)


def _file(path: str | Path) -> tuple[str, int, int]:
    """Return a file with its size and the time of its last change."""
    told = os.stat(path)
    return str(Path(path).resolve()), told.st_size, told.st_mtime_ns


def _unreadable(place: str, error: Exception) -> ValueError:
    return ValueError(f"{place} cannot be read: {str(error).splitlines()[0]}")


def plain(schema: pa.Schema) -> pa.Schema:
    """Return a schema with plain values in place of dictionaries, and of views, which PyArrow cannot yet sort."""
    for k, field in enumerate(schema):
        if pa.types.is_dictionary(field.type):
            schema = schema.set(k, field := field.with_type(field.type.value_type))
        if pa.types.is_string_view(field.type) or pa.types.is_binary_view(field.type):
            kind = pa.large_string() if pa.types.is_string_view(field.type) else pa.large_binary()
            schema = schema.set(k, field.with_type(kind))
    return schema


def source_of(where: str, name: str, given: Any, layout_of: Read, aside: Path) -> Source:
    """Return a source from what the user gave; `aside` takes what can be read only once."""
    read = partial(_read_once, where, layout_of)
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        if not path.exists():
            raise FileNotFoundError(f"{where}: {name} = {str(path)!r}: there is no such file or folder")
        if path.is_file() and not _is_parquet(path):
            return _of_set(path)
        return _of_files(where, name, _parquet_files(where, name, path), read)
    if isinstance(given, ds.Dataset):
        return _of_dataset(where, name, given, read, aside)
    if hasattr(given, "to_delayed") and hasattr(given, "to_parquet"):
        folder = aside / name
        given.to_parquet(str(folder), write_index=False)
        return _marked_by_content(_of_files(where, name, _parquet_files(where, name, folder), read))
    if isinstance(given, pa.Table):
        return _of_table(where, given, read)
    if hasattr(given, "columns") and hasattr(given, "iloc"):
        try:
            table = pa.Table.from_pandas(given, preserve_index=False)
        except (pa.ArrowException, ValueError) as error:
            raise TypeError(f"{where}: {name} is a frame that Arrow cannot hold: {error.args[0]}") from None
        return _of_table(where, table, read)
    if hasattr(given, "__arrow_c_stream__"):
        return _of_stream(where, name, pa.RecordBatchReader.from_stream(given), read, aside)
    inputs.refuse_type(
        where, name, given, "must be a Parquet folder, an Arrow dataset, table or stream, a frame, or a saved set"
    )


def _read_once(where: str, layout_of: Read, schema: pa.Schema) -> Layout:
    """Return the layout of a table that has no name twice, and none of a column that is added."""
    twice = [name for name in schema.names if schema.names.count(name) > 1]
    if twice:
        raise ValueError(f"{where}: {twice[0]!r} is the name of {schema.names.count(twice[0])} columns")
    layout = layout_of(schema)
    if layout.kind != SET and {ROW, TILE} & set(needed_of(layout)):
        raise ValueError(f"{where}: {ROW!r} and {TILE!r} are columns that {where} adds; rename that of the table")
    return layout


def refuse_inside(where: str, out: Any, *sources: Any) -> None:
    """Refuse an answer in the folder of a source, which would be a part of the source from then on."""
    for given in sources if out is not None else ():
        inside = isinstance(given, (str, os.PathLike)) and Path(out).resolve().is_relative_to(Path(given).resolve())
        if inside and Path(given).is_dir():
            inputs.refuse(ValueError, where, "out", str(out), f"must not lie in {str(given)!r}, which is read")


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
    mark, metas, told = hashlib.blake2b(digest_size=16), [], []
    schema = used = pa.schema([])
    for path in files:
        try:
            metas.append(pq.read_metadata(path))
            own = plain(metas[-1].schema.to_arrow_schema())
        except (OSError, pa.ArrowException) as error:
            raise ValueError(f"{where}: {name}: {path} is no Parquet file that can be read: {error}") from None
        if len(metas) == 1:
            schema = own
            used = _of_columns(schema, needed_of(read(schema)))
        used = _wider(f"{where}: {name}: {path}", used, own)
        told.append(_file(path))
        mark.update(f"{told[-1]} {metas[-1].num_rows}\n".encode())
    for field in used:
        schema = schema.set(schema.get_field_index(field.name), schema.field(field.name).with_type(field.type))
    pieces: list[Piece] = []
    first = 0
    for path, meta in zip(files, metas, strict=True):
        groups, begin, offset, size = [], 0, 0, 0
        for k in range(meta.num_row_groups):
            groups.append(k)
            offset += meta.row_group(k).num_rows
            size += _size_of(meta.row_group(k), used.names)
            if offset - begin >= PIECE_ROWS or size >= PIECE_BYTES or k == meta.num_row_groups - 1:
                if offset > begin:
                    pieces.append(Piece(first, offset - begin, str(path), begin, used, tuple(groups)))
                first, begin, groups, size = first + offset - begin, offset, [], 0
    return Source(tuple(pieces), schema, read(schema), mark.hexdigest(), tuple(told))


def _of_columns(schema: pa.Schema, names: Sequence[str]) -> pa.Schema:
    return pa.schema([schema.field(name).remove_metadata() for name in names])


def _wider(where: str, used: pa.Schema, own: pa.Schema) -> pa.Schema:
    """Return columns that hold the values of a further file, too."""
    missing = [one for one in used.names if one not in own.names]
    if missing:
        raise ValueError(f"{where} has no column {missing[0]!r}")
    try:
        return pa.unify_schemas([used, _of_columns(own, used.names)], promote_options="permissive")
    except pa.ArrowException as error:
        raise TypeError(f"{where} has other columns than the files before: {error}") from None


def _size_of(group: pq.RowGroupMetaData, used: Sequence[str]) -> int:
    """Return the bytes of some columns in a group of rows."""
    columns = map(group.column, range(group.num_columns))
    return sum(one.total_uncompressed_size for one in columns if one.path_in_schema.split(".")[0] in used)


def _of_dataset(where: str, name: str, dataset: ds.Dataset, read: Read, aside: Path) -> Source:
    try:
        fragments = list(dataset.get_fragments())
    except ValueError:  # of rows that a filter chooses
        return _of_stream(where, name, dataset.scanner().to_reader(), read, aside)
    schema = plain(dataset.schema)
    layout = read(schema)
    used = _of_columns(schema, needed_of(layout))
    pieces: list[Piece] = []
    told: list[tuple[str, int, int]] = []
    first, mark = 0, hashlib.blake2b(digest_size=16)
    for fragment in fragments:
        path = getattr(fragment, "path", "") or "the dataset"
        whole, offset = [fragment], 0
        if isinstance(fragment, ds.ParquetFileFragment):
            whole = fragment.split_by_row_group()
        if os.path.exists(path):
            told.append(_file(path))
            mark.update(f"{told[-1]}".encode())
        for part in whole:
            parquet = isinstance(part, ds.ParquetFileFragment)
            rows = sum(group.num_rows for group in part.row_groups) if parquet else part.count_rows()
            if rows:
                pieces.append(Piece(first, rows, path, offset, used, fragment=part))
            first, offset = first + rows, offset + rows
            mark.update(f"{path} {rows}\n".encode())
    return Source(tuple(pieces), schema, layout, mark.hexdigest(), tuple(told))


def _of_table(where: str, table: pa.Table, read: Read) -> Source:
    table = table.cast(plain(table.schema))
    layout = read(table.schema)
    used = table.select(needed_of(layout)).replace_schema_metadata(None)
    pieces = tuple(
        Piece(
            begin,
            min(PIECE_ROWS, used.num_rows - begin),
            "the table",
            begin,
            used.schema,
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
    read(plain(stream.schema))  # what is wrong with the columns is said before anything is read
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
    return replace(source, mark=mark.hexdigest(), files=())


def _of_set(path: Path) -> Source:
    rows, told = len(Shapes.load(path)), _file(path)
    pieces = tuple(
        Piece(begin, min(PIECE_ROWS, rows - begin), str(path), begin) for begin in range(0, rows, PIECE_ROWS)
    )
    mark = hashlib.blake2b(f"{told}".encode(), digest_size=16)
    return Source(pieces, pa.schema([]), Layout(SET, (told[0],)), mark.hexdigest(), (told,))
