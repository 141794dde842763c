"""A join without tiles: each piece of one source with all rows of the other, or all rows at once.

In: sources, the plan, and how the rows are divided. Out: tasks, each of which makes the pairs of its rows; together
they make each pair once, since each row of the source that goes piece by piece is in one of them. Rows that are still
in memory are taken from there.
"""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from carom.tables.held import Keeping
from carom.tables.plans import ALL, FIRST, JoinPlan
from carom.tables.reading import Reading
from carom.tables.sources import Piece, Source
from carom.tables.spill import whole
from carom.tables.tile_join import Side, joined_sides, schema_of, side_of
from carom.tables.tiles import without_bad


def name_of(source: int, piece: int) -> str:
    """Return the name of a piece: the number of its source, and its own."""
    return f"{source}-{piece:06d}"


class Rows:
    """Some pieces of a source, which are joined together; `shared` names them where all tasks need them."""

    def __init__(self, source: Source, pieces: Sequence[Piece], names: Sequence[str], shared: str = "") -> None:
        self.source, self.pieces, self.names, self.shared = replace(source, pieces=()), pieces, names, shared

    def side(self, plan: JoinPlan, keeping: Keeping) -> Side:
        """Return the shapes of the rows, and their names."""
        if self.shared:
            reading = keeping.shared(self.shared, lambda: self._read(plan, keeping))
            with reading.lock:
                return side_of(reading, plan)
        return side_of(self._read(plan, keeping), plan)

    def _read(self, plan: JoinPlan, keeping: Keeping) -> Reading:
        kept = [keeping.kept(name) for name in self.names]
        if len(kept) == 1 and kept[0] is not None:
            return kept[0]
        tables = [
            piece.read(self.source.columns) if one is None else one.table
            for piece, one in zip(self.pieces, kept, strict=True)
        ]
        table = pa.concat_tables(tables)
        return Reading(
            table if plan.clean else without_bad(table, self.source.layout, plan.on_bad)[1], self.source.layout
        )


class Part:
    """A task: the rows of each side, and beside how many others it runs."""

    def __init__(self, rows: Sequence[Rows], plan: JoinPlan, keeping: Keeping, tasks: int) -> None:
        self.rows, self.plan, self.keeping, self.tasks = rows, plan, keeping, tasks

    def tables(self) -> Iterator[pa.Table]:
        """Yield the pairs, some at a time."""
        sides = [some.side(self.plan, self.keeping) for some in self.rows]
        yield from joined_sides(sides, self.plan, self.schema, self.tasks)

    @property
    def schema(self) -> pa.Schema:
        """The columns of the answer."""
        return schema_of(self.plan, [some.source.schema.empty_table() for some in self.rows])


class Pieces:
    """All tasks of a join."""

    def __init__(self, sources: Sequence[Source], plan: JoinPlan, parts: str, keeping: Keeping) -> None:
        self.keeping, self._parts = keeping, list[Part]()
        names = [[name_of(number, k) for k in range(len(one.pieces))] for number, one in enumerate(sources)]
        every = [Rows(one, one.pieces, names[k], f"all of {k}") for k, one in enumerate(sources)]
        if parts == ALL:
            self._parts.append(Part(every, plan, keeping, 1))
            return
        many = 0 if parts == FIRST else 1
        pieces = sources[many].pieces
        for k, piece in enumerate(pieces):
            rows = list(every)
            rows[many] = Rows(sources[many], [piece], [names[many][k]])
            self._parts.append(Part(rows, plan, keeping, len(pieces)))

    @property
    def count(self) -> int:
        """How many tasks there are."""
        return len(self._parts)

    def tasks(self) -> list[Part]:
        """Return them."""
        return self._parts

    def all_kept(self) -> bool:
        """Tell whether all rows are still in memory."""
        return all(self.keeping.kept(name) for part in self._parts for rows in part.rows for name in rows.names)

    def last_until_gone(self, folder: Path) -> None:
        """Keep what is in memory, and a folder, until this is gone."""
        weakref.finalize(self, _let_go, self.keeping, folder)

    def __dask_tokenize__(self) -> Any:
        return self.keeping.token


def _let_go(keeping: Keeping, folder: Path) -> None:
    keeping.forget()
    shutil.rmtree(folder, ignore_errors=True)


def write_part(part: Part, out: Path) -> None:
    """Write the pairs of a task."""
    with whole(out) as aside, pq.ParquetWriter(aside, part.schema, use_dictionary=False) as file:
        for found in part.tables():
            file.write_table(found)


def frame_of_part(number: int, pieces: Pieces, where: str) -> Any:
    """Return the pairs of a task as a pandas frame."""
    part = pieces.tasks()[number]
    if not pieces.all_kept():  # in another process: the files are read again
        for rows in part.rows:
            rows.source.refuse_changed(where)
    return pa.concat_tables([part.schema.empty_table(), *part.tables()]).to_pandas()
