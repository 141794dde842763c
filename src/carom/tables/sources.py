"""A source of rows: its pieces, each of which is read by itself, and a mark that changes when the source does.

In: what `given` made of that which the user gave. Out: the rows of its pieces, of about a million each. A piece knows
where it comes from and pickles small, so that any process reads it.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from carom.tables.layout import ROW, SET, Layout, needed_of

PIECE_ROWS, PIECE_BYTES = 2**20, 2**28
"""Rows of one piece at most, or bytes of its columns: few enough that many are in memory at once."""
LEAST_ROWS, SHARES = 2**17, 8
"""Rows of one piece at least, where there are more: the work on it outweighs its start; and how many pieces share those
of a smaller source, so that no worker is idle."""


Stamp = tuple[str, int, int]
"""A file, its size, and the time of its last change."""
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
        What errors call that which it is of: a file, or the kind of source.
    offset : int
        The place of its first row in that.
    """

    first: int
    rows: int
    place: str
    offset: int
    schema: pa.Schema = pa.schema([])  # noqa: RUF009
    """The columns of the source; those of its file may be narrower."""
    path: str = ""
    groups: tuple[int, ...] = ()
    """The file that is read, and its groups of rows."""
    fragment: Any = None
    table: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: of a table its own rows alone, and not all that it is a slice of."""
        state = dict(vars(self))
        if self.table is not None:
            with pa.ipc.new_stream(sink := pa.BufferOutputStream(), self.table.schema) as stream:
                stream.write_table(self.table)
            state["table"] = sink.getvalue()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["table"] is not None:
            state["table"] = pa.ipc.open_stream(state["table"]).read_all()
        vars(self).update(state)

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
            with pq.ParquetFile(self.path) as file:
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
    files: tuple[Stamp, ...] = ()
    """The files that are the user's."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(piece.rows for piece in self.pieces)

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return columns_of(self.layout)

    def question(self, which: str = "") -> dict[str, Any]:
        """Return the part of a question that it is, as JSON has it: runs that agree in it read the same rows."""
        told = asdict(self.layout)
        shape = [told[name] for name in ("kind", "columns", "encoding")]
        own = {"shape": shape, "id": self.layout.id, "rows": self.rows, "data": self.mark}
        return {which + name: value for name, value in own.items()}

    def without_pieces(self) -> Source:
        """Return what is known of every row, which is small."""
        return replace(self, pieces=(), files=())

    def refuse_changed(self, where: str) -> None:
        """Refuse a source of which a file has changed since it was looked at."""
        for told in self.files:
            try:
                now = stamp(told[0])
            except OSError:
                now = None
            if now != told:
                raise ValueError(f"{where}: {told[0]} has changed while it was read; ask again when it stands")

    def name(self, row: int) -> str:
        """Return what errors call a row, by its place in the source."""
        piece = self.pieces[bisect_right(self.pieces, row, key=lambda piece: piece.first) - 1]
        return piece.name(row - piece.first)


def columns_of(layout: Layout) -> list[str]:
    """Return the columns of a source that are read; those of a saved set are in its file."""
    return needed_of(layout) if layout.kind != SET else []


def rows_of_piece(rows: int) -> int:
    """Return how many rows a piece has of a source of so many, wherever it is read: a run may go on elsewhere."""
    return min(PIECE_ROWS, max(LEAST_ROWS, -(-rows // SHARES)))


def stamp(path: str | Path) -> Stamp:
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


def of_columns(schema: pa.Schema, names: Sequence[str]) -> pa.Schema:
    """Return some columns of a schema, without what is told of them."""
    return pa.schema([schema.field(name).remove_metadata() for name in names])
