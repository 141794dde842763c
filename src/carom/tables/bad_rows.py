"""Bad rows told: the first as an error, or all of them in a file beside the answer.

In: the bad rows of a piece, with the reasons. Out: an error as soon as one is found; or files, one for each piece that
has some, which become one CSV file when the answer is whole. A row is told by its file, its place there, and the name
that its user gave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

from carom.tables.arrays import Integers
from carom.tables.spill import whole, write_whole

BAD = "bad"
"""The folder for the bad rows of each piece, while a run is under way."""
BAD_FILE = "_bad.csv"
"""The file of all bad rows beside an answer."""
KEPT = 1000
"""Bad rows that the result of a call lists."""


class BadRow(NamedTuple):
    """A row that was left out, and why.

    Attributes
    ----------
    place : str
        Its file, or the kind of its source, and its place there.
    reason : str
        What is wrong with it.
    id : int or str, optional
        The name that its user gave it.
    """

    place: str
    reason: str
    id: int | str | None = None

    def __str__(self) -> str:
        """Return it in one line."""
        named = f": id {self.id!r}" if self.id is not None else ""
        return f"{self.place}{named}: {self.reason}"


def refuse_bad(where: str, bad: Sequence[BadRow], on_bad: str) -> None:
    """Refuse bad rows, unless they are to be left out."""
    if bad and on_bad != "skip":
        raise ValueError(f"{where}: {bad[0]}; on_bad='skip' leaves such rows out")


def write_bad(folder: Path, part: str, rows: Integers, bad: Sequence[BadRow]) -> None:
    """Write the bad rows of a part of a source, if there are any; `rows` are their places in the source."""
    if not bad:
        return
    folder.mkdir(parents=True, exist_ok=True)
    columns: dict[str, Any] = {"row": pa.array(rows, pa.int64()), "place": pa.array([one.place for one in bad])}
    columns["id"] = pa.array([None if one.id is None else str(one.id) for one in bad], pa.string())
    columns["reason"] = pa.array([one.reason for one in bad])
    write_whole(folder / f"{part}.parquet", pa.table(columns))


def gather_bad(folder: Path) -> None:
    """Write the bad rows of all parts into one file of a folder, if there are any."""
    parts = sorted((folder / BAD).glob("*.parquet"))
    if not parts:
        return
    with whole(folder / BAD_FILE) as aside, csv.CSVWriter(aside, pq.read_schema(parts[0])) as file:
        for part in parts:
            file.write_table(pq.read_table(part))
