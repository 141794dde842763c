"""Encounters of tracks: which things that move came near each other, when first, and how near at best.

In: what the user names: a source of positions with times, a distance. Out: the answer as files or as a Dask frame. The
work is done by `encounter_runs`; here stand the call, its words and its checks.
"""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from carom import free_memory
from carom.tables import checks
from carom.tables.answer_folder import Call, answered
from carom.tables.encounter_runs import FOUND, Asked, run
from carom.tables.given import refuse_inside, source_of
from carom.tables.plans import LEAST_ROWS, TILE_ROWS, check_sizes, checked_columns
from carom.tables.progress import Told
from carom.tables.sources import Source
from carom.tables.tracks import TRACK, track_layout
from carom.tables.words import answers_words

Answer = Literal["first", "separation", "closest"]

ROW_BYTES = 1000
"""Bytes that a sample takes at most while its tile is solved: measured."""


@answers_words
def encounters(
    tracks: Any,
    *,
    within: float,
    out: str | os.PathLike[str] | None = None,
    columns: Answer | Sequence[Answer] = ("first", "separation", "closest"),
    shape: Sequence[str] | None = None,
    id: str | None = None,
    longest_gap: float | datetime.timedelta | None = None,
    on_bad: Literal["raise", "skip"] = "raise",
    spill: str | os.PathLike[str] | None = None,
    memory: int | None = None,
    tile_rows: int | None = None,
    progress: Told | None = None,
) -> Any:
    """Return every pair of tracks that came within a distance of each other, when first, and their closest approach.

    Parameters
    ----------
    tracks : path of a Parquet folder or file, Arrow dataset, table or stream, pandas or Dask frame
        One row a sample: the name of its track, a time, a position, and perhaps the radius of the thing, which is a
        disc; else it is a point. Rows are in any order, times are the track's own.
    within : float
        The largest separation of a pair, in length units.
    out : path, optional
        The folder for the answer, in Parquet files; it is there when the answer is whole. A call that was stopped goes
        on when it is repeated. Without it, the answer is a Dask frame.
    columns : some of "first", "separation", "closest"
        The values that are told of each pair besides its names.
    shape : names of columns, optional
        Of time, x and y, or of time, x, y and radius. Left alone, ``t`` (or ``time``, ``timestamp``), ``x``, ``y`` and,
        if there is one, ``radius``. Times are numbers or timestamps, which are read to the microsecond.
    id : str, optional
        The column of whole numbers or text that names the track; ``id`` if left out.
    longest_gap : float, or timedelta of Python, pandas or NumPy, optional
        Two samples with more time between them are not joined: the thing is not known to be anywhere then.
    on_bad : "raise" or "skip"
        Whether a bad row (NaN, a second row of the same time, another radius than at the first time of the track) is an
        error that names its file, row and value, or is left out and listed.
    spill, memory, tile_rows, progress
        As in `join`.

    Returns
    -------
    Joined, or a Dask frame without `out`
        A row for each pair, sorted by a, then by b. ``a`` and ``b``: the names of two tracks, a the lower one.
        ``first``: the earliest time at which both were known and no farther apart than `within`. ``separation``: the
        least distance between the edges of both, negative where they overlapped, and ``closest``: the earliest time of
        that.

    Raises
    ------
    ValueError, TypeError
        If a column is missing or of the wrong type, a number is out of range, or a row is bad.
    FileExistsError
        If `out` holds something else, or the answer to another question.
    OSError
        If the disk has no room for what is set aside.

    Notes
    -----
    From each sample of a track to the next the thing moves evenly on a straight line. So two of them move on a straight
    line relative to each other, the square of their distance is a parabola, and its root and its least are known in
    closed form; whether a pair meets is exact, and numbers are off by one unit in the last place at most. The answer
    does not depend on tiles, workers, partitions or the order of rows. All names of tracks are held in memory.

    Examples
    --------
    >>> import pandas as pd
    >>> ships = pd.DataFrame({
    ...     "id": ["Ada", "Ada", "Bea", "Bea"], "t": [0, 10, 2, 12], "x": [0, 10, 5, 5], "y": [0, 0, -5, 5]})
    >>> cm.tables.encounters(ships, within=1.5).compute()
         a    b     first  separation  closest
    0  Ada  Bea  5.646447    1.414214      6.0
    """
    where = "encounters"
    remedy = "; shape= names the columns of a track, in the order time, x, y and perhaps radius"
    names = checked_columns(where, columns, FOUND, remedy)
    distance = checks.distance(where, "within", within)
    checks.one_of(where, "on_bad", on_bad, ("raise", "skip"))
    refuse_inside(where, out, tracks)
    check_sizes(where, memory=memory, tile_rows=tile_rows)
    most_rows = _most_rows(memory, tile_rows)

    def ask(aside: Path) -> Call:
        source = source_of(where, "tracks", tracks, partial(track_layout, where, shape=shape, name=id), aside)
        if source.layout.kind != TRACK:
            checks.refuse(ValueError, where, "tracks", tracks, "is no Parquet file")
        gap = _gap(where, longest_gap, source)
        asked = Asked(where, source, distance, gap, names, on_bad, progress)
        told = {"within": distance, "longest_gap": gap, "columns": names, "on_bad": on_bad, **source.question()}
        return Call((source,), told, lambda _: {"most_rows": most_rows}, lambda kept, room: run(asked, kept, room))

    return answered(where, out, spill, ask)


def _gap(where: str, longest_gap: Any, source: Source) -> float:
    """Return the longest time between two samples that are joined, as the times are read."""
    if longest_gap is None:
        return math.inf
    timestamps = pa.types.is_timestamp(source.schema.field(source.layout.columns[0]).type)
    if timestamps != isinstance(longest_gap, (datetime.timedelta, np.timedelta64)):
        wanted = "must be a timedelta, as times are timestamps" if timestamps else "must be a number, as times are"
        checks.refuse_type(where, "longest_gap", longest_gap, wanted)
    if isinstance(longest_gap, np.timedelta64):
        longest_gap = float(longest_gap / np.timedelta64(1, "us"))
    elif timestamps:
        longest_gap = longest_gap / datetime.timedelta(microseconds=1)
    return checks.distance(where, "longest_gap", longest_gap)


def _most_rows(memory: int | None, tile_rows: int | None) -> int:
    """Return how many rows are worked on at once."""
    if tile_rows is not None:
        return tile_rows
    have = memory if memory is not None else free_memory()
    return min(TILE_ROWS, max(LEAST_ROWS, int(0.8 * have / (os.cpu_count() or 1) / ROW_BYTES)))
