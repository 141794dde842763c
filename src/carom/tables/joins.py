"""Joins of tables of shapes: which shapes collide, in more rows than memory holds.

In: what the user names: sources, and what is asked of each pair. Out: the plan, the rows of a source, or the answer.
The work is done by `runs`; here stand the three calls, their words and their checks.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from carom import free_memory
from carom.tables import checks
from carom.tables.answer_folder import SOURCES, Call, answered, folder_for_frame
from carom.tables.bad_rows import BAD
from carom.tables.estimates import refuse_large
from carom.tables.given import refuse_inside, source_of
from carom.tables.held import Keeping
from carom.tables.plans import Asked, JoinPlan, OnBad, check_sizes, checked_question
from carom.tables.progress import Told
from carom.tables.runs import Planned, Question, as_frame, planned, run
from carom.tables.shape_columns import layout_of, refuse_two_systems
from carom.tables.sources import Source
from carom.tables.words import answers_words

KEPT_SHARE = 8
"""Share of the memory that rows may take from one stage to the next, as 1 in this."""


@answers_words
def join(
    source: Any,
    other: Any = None,
    *,
    out: str | os.PathLike[str] | None = None,
    columns: Asked | Sequence[Asked] = ("depth", "normal"),
    within: float = 0.0,
    shape: str | Sequence[str] | None = None,
    other_shape: str | Sequence[str] | None = None,
    id: str | None = None,
    other_id: str | None = None,
    on_bad: OnBad = "raise",
    spill: str | os.PathLike[str] | None = None,
    memory: int | None = None,
    tile_rows: int | None = None,
    most: int | None = None,
    sort: bool = False,
    progress: Told | None = None,
) -> Any:
    """Return every pair of shapes of a table, or of two, that touch, overlap, or lie within a distance.

    Parameters
    ----------
    source : path of a Parquet folder or file or of a saved set, Arrow dataset, table or stream, pandas or Dask frame
        One row a shape.
    other : the same, optional
        With it, pairs are of a row of `source` and a row of `other`.
    out : path, optional
        The folder for the answer, in Parquet files; it is there when the answer is whole. A call that was stopped goes
        on when it is repeated. Without it, the answer is a Dask frame.
    columns : some of "depth", "normal", "points"
        The values that are computed of each pair besides its names.
    within : float, default 0
        The largest distance of a pair, in length units.
    shape, other_shape : name or names of columns, optional
        One of geometries (WKB or GeoArrow), two of a point (x, y), three of a circle (x, y, radius), four of an AABB
        (min x, min y, max x, max y), five of a box (x, y, width, height, angle). Usual names are looked for if
        left out.
    id, other_id : str, optional
        The column of whole numbers or text that names a row; ``id`` if there is one, else rows are numbered.
    on_bad : "raise", "skip" or "repair"
        Whether a bad row (NaN, an upper corner below the lower one, an outline that crosses itself) is an error that
        names its file, row, name and value, or is left out and listed: in the answer and its file ``_bad.csv`` with
        `out`, else by a warning. With "repair" a geometry that is not valid is made so by Shapely's ``make_valid``, and
        listed there; any other bad row is an error.
    spill : path, optional
        Where rows are set aside while the join runs; beside `out` if left out. All workers must reach it.
    memory : int, optional
        Bytes that all workers of this machine may take together; what is free if left out.
    tile_rows : int, optional
        How many rows a tile has at most, about; chosen by memory if left out.
    most : int, optional
        How many pairs the answer may have. They are estimated from the boxes of some rows before the work is begun, and
        more are refused; left alone, four billion, or what the disk of `out` has room for.
    sort : bool, default False
        Whether the rows are sorted by a, then by b, over all files or partitions of the answer.
    progress : callable, optional
        Called with a stage, and how many of how many tasks of it are done.

    Returns
    -------
    Joined, or a Dask frame without `out`
        Columns ``a`` and ``b``, then those that were asked for, as `contacts` computes them: the normal points from a
        to b. Of two rows of one source, a is the one that comes first. Each pair once.

    Raises
    ------
    ValueError, TypeError
        If a column is missing or of the wrong type, a row is bad, or the answer has too many pairs.
    FileExistsError
        If `out` holds something else, or the answer to another question, or another run writes there.
    OSError
        If the disk has no room for what is set aside, or for the answer.

    Notes
    -----
    The plane is cut into tiles of about equally many shapes. A shape is in each tile that its box touches, and a pair
    is told by the tile that holds the lower corner of the overlap of its two boxes: once, wherever the edges lie. So
    the answer does not depend on tiles, workers or partitions. The method is the partition based spatial merge join
    (J. Patel, D. DeWitt, "Partition Based Spatial-Merge Join") with the reference point of J.-P. Dittrich and B. Seeger
    ("Data Redundancy and Duplicate Detection in Spatial Join Processing").

    Examples
    --------
    >>> import pandas as pd
    >>> discs = pd.DataFrame({"id": [7, 8, 9], "x": [0, 1.5, 9], "y": [0, 0, 0], "radius": [1, 1, 1]})
    >>> cm.tables.join(discs, columns="depth").compute()
       a  b  depth
    0  7  8    0.5
    """
    where = "join"
    distance, asked = checked_question(where, within, columns, on_bad)
    check_sizes(where, memory=memory, tile_rows=tile_rows, most=most)
    refuse_inside(where, out, source, other)
    sorting = checks.truth(where, "sort", sort)
    workers = os.cpu_count() or 1
    keeping = Keeping.begun((free_memory() if memory is None else memory) // KEPT_SHARE)

    def question(aside: Path) -> Question:
        sources = _sources(where, source, other, shape, other_shape, id, other_id, on_bad, aside)
        how = (on_bad, memory, tile_rows, workers, progress, sorting)
        return Question(where, sources, distance, asked, *how, pairs=True, most=most, keeping=keeping)

    def ask(aside: Path) -> Call:
        known = question(aside)
        told = {"within": distance, "columns": asked, "on_bad": on_bad, "sort": sorting}
        for which, one in zip(("", "other_"), known.sources, strict=False):
            told |= one.question(which)
        return Call(
            known.sources,
            told,
            partial(_plan_of, known, None if out is None else Path(out).absolute().parent),
            lambda kept, room: run(known, Planned.of(kept), room),
        )

    if out is not None or sorting:
        try:
            return answered(where, out, spill, ask)
        finally:
            keeping.forget()
    work = folder_for_frame(where, spill)
    try:
        return as_frame(question(work / SOURCES), work)
    except BaseException:
        keeping.forget()
        shutil.rmtree(work, ignore_errors=True)
        raise


def _plan_of(asked: Question, place: Path | None, folder: Path) -> dict[str, Any]:
    """Return the plan of a join whose answer is not too large, as JSON has it."""
    made = planned(asked, folder)
    refuse_large(asked.where, made.plan.pairs, asked.columns, asked.most, place)
    return made.kept()


def _sources(
    where: str,
    source: Any,
    other: Any,
    shape: Any,
    other_shape: Any,
    id_: Any,
    other_id: Any,
    on_bad: OnBad,
    aside: Path,
) -> list[Source]:
    """Return one source or two from what the user gave."""
    read = partial(layout_of, where, repair=on_bad == "repair")
    sources = [source_of(where, "source", source, partial(read, shape=shape, name=id_), aside)]
    if other is not None:
        sources.append(
            source_of(where, "other", other, partial(read, shape=other_shape, name=other_id, which="other_"), aside)
        )
        refuse_two_systems(where, *(one.layout for one in sources))
    return sources


@answers_words
def plan(
    source: Any,
    other: Any = None,
    *,
    columns: Asked | Sequence[Asked] = ("depth", "normal"),
    within: float = 0.0,
    shape: str | Sequence[str] | None = None,
    other_shape: str | Sequence[str] | None = None,
    id: str | None = None,
    other_id: str | None = None,
    on_bad: OnBad = "raise",
    memory: int | None = None,
    tile_rows: int | None = None,
) -> JoinPlan:
    """Return how a join is cut into tiles: a small value that pickles, for `assign_tiles` and `join_tile`.

    Parameters
    ----------
    source, other, columns, within, shape, other_shape, id, other_id, on_bad, memory, tile_rows
        As in `join`.

    Returns
    -------
    JoinPlan
        Made from a look at every row, so that bad rows are told now.
    """
    distance, asked = checked_question("plan", within, columns, on_bad)
    check_sizes("plan", memory=memory, tile_rows=tile_rows)
    with tempfile.TemporaryDirectory(prefix="carom-plan-") as aside:
        sources = _sources("plan", source, other, shape, other_shape, id, other_id, on_bad, Path(aside))
        workers = os.cpu_count() or 1
        how = (on_bad, memory, tile_rows, workers, None)
        question = Question("plan", sources, distance, asked, *how, pairs=True)
        return planned(question, Path(aside) / BAD).plan


@answers_words
def frames(source: Any, plan: JoinPlan, *, other: bool = False) -> Iterator[pa.Table]:
    """Yield the rows of a source, some at a time, with the columns that a plan reads.

    Parameters
    ----------
    source : as in `join`
        The source of the plan.
    plan : JoinPlan
        As `plan` made it.
    other : bool
        Whether it is the other source of the plan.

    Yields
    ------
    pyarrow.Table
        With ``carom_row``, the place of each row in the source.
    """
    layout = plan.other if other and plan.other is not None else plan.layout
    layout = replace(layout, unused=(), degrees=False)  # the plan has told of these
    with tempfile.TemporaryDirectory(prefix="carom-plan-") as aside:
        found: Source = source_of("frames", "source", source, lambda _: layout, Path(aside))
        for piece in found.pieces:
            yield piece.read(found.columns)
