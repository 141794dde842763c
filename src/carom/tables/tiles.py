"""Which tiles the rows of a frame belong to.

In: a frame of the source's columns, and the plan. Out: the same rows with the number of their tile, a row for each tile
that its shape touches. A shape that touches very many is given to the tile -1 once, and joined with the others of each
tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from carom.tables.arrays import Integers
from carom.tables.layout import APART, ROW, TILE, Layout, check_schema
from carom.tables.plans import MOST_TILES, JoinPlan
from carom.tables.reading import Reading, bad_rows
from carom.tables.tiling import rows_by_tile
from carom.tables.words import answers_words


@answers_words
def assign_tiles(frame: Any, plan: JoinPlan, *, other: bool = False) -> Any:
    """Return the rows of a frame with their tiles: a row for each tile that a shape touches.

    Parameters
    ----------
    frame : pyarrow.Table or pandas.DataFrame
        Some rows of the source; with the column that names them, or ``carom_row``, the place of each in the source.
    plan : JoinPlan
        As `carom.tables.plan` made it.
    other : bool
        Whether the rows are of the other source.

    Returns
    -------
    pyarrow.Table or pandas.DataFrame, as `frame` is
        With the column ``carom_tile``; rows in the order of their tiles, then as they were.

    Raises
    ------
    ValueError
        If a column of the plan is missing, or a row is bad and the plan does not skip bad rows.
    """
    table = as_table(frame)
    taken, tiles = tiles_of(table, plan, other)
    out = table.take(taken)
    out = out.drop_columns([TILE]) if TILE in out.column_names else out
    out = out.append_column(TILE, pa.array(tiles.astype(np.int32)))
    return out if isinstance(frame, pa.Table) else out.to_pandas()


def as_table(frame: Any) -> pa.Table:
    """Return a frame as an Arrow table."""
    return frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame, preserve_index=False)


def tiles_of(table: pa.Table, plan: JoinPlan, other: bool) -> tuple[Integers, Integers]:
    """Return the rows of a table once for each tile that they touch, and that tile."""
    layout = plan.other if other and plan.other is not None else plan.layout
    check_schema("assign_tiles", table, layout)
    rows, begins = grouped(Reading(table, layout), plan, other)
    numbers = np.append(np.arange(len(begins) - 2), APART)
    return rows, np.repeat(numbers, np.diff(begins))


def grouped(given: Reading, plan: JoinPlan, other: bool) -> tuple[Integers, Integers]:
    """Return the rows of a table by their tiles, and where each tile begins; those apart at the end."""
    good = None
    if not plan.clean:
        good, table = without_bad(given.table, given.layout, plan.on_bad)
        given = given if good is None else Reading(table, given.layout)
    boxes = np.ascontiguousarray(given.bounds())
    rows, begins = rows_by_tile(boxes, plan.within, *plan.edges(), MOST_TILES)
    return (rows if good is None else good[rows]), begins


def without_bad(table: pa.Table, layout: Layout, on_bad: str) -> tuple[Integers | None, pa.Table]:
    """Return a table without its bad rows, and which rows these are; None where all are good."""
    bad = bad_rows(Reading(table, layout))
    if not len(bad.rows):
        return None, table
    if on_bad == "raise":
        at = int(table.column(ROW)[int(bad.rows[0])].as_py()) if ROW in table.column_names else int(bad.rows[0])
        raise ValueError(f"assign_tiles: row {at} is bad: {bad.reasons[0]}")
    good = np.setdiff1d(np.arange(table.num_rows), bad.rows)
    return good, table.take(good)
