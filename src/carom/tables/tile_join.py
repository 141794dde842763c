"""The pairs of one tile.

In: the rows of a tile as `assign_tiles` gave them, and the plan. Out: a table with a row for each pair that belongs to
the tile: the lower corner of the overlap of its two boxes, grown by the distance that is asked for, lies in it. So each
pair is told by exactly one tile, however many both shapes are in.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from carom import contacts, pairs
from carom.tables import checks
from carom.tables.arrays import Booleans, Floats, Integers, Rows32
from carom.tables.layout import ROW, TILE, check_schema
from carom.tables.plans import JoinPlan
from carom.tables.reading import Reading, Things
from carom.tables.tiles import as_table
from carom.tables.tiling import told_in
from carom.tables.words import answers_words


class Side(NamedTuple):
    """The rows of one source in a tile."""

    things: Things
    names: pa.ChunkedArray | pa.Array


class Found(NamedTuple):
    """Pairs of rows of a tile, and what `contacts` says of each; None where only the pairs are asked for."""

    pairs: Integers
    told: Any


@answers_words
def join_tile(frame: Any, plan: JoinPlan, other: Any = None) -> Any:
    """Return the pairs of one tile.

    Parameters
    ----------
    frame : pyarrow.Table or pandas.DataFrame
        All rows of one tile, as `assign_tiles` gave them, and those of the tile -1.
    plan : JoinPlan
        As `carom.tables.plan` made it.
    other : the same, if the plan is of two sources
        The rows of the other source in that tile.

    Returns
    -------
    pyarrow.Table or pandas.DataFrame, as `frame` is
        A row a pair: ``a`` and ``b``, the names of its rows, then ``depth``, ``normal_x``, ``normal_y``, ``points`` and
        the points, as far as the plan asks for them. Sorted by the places of the rows in their source, or as they came.

    Raises
    ------
    TypeError
        If the plan is of two sources and `other` is missing, or the other way round.
    ValueError
        If the rows are of several tiles.
    """
    if (other is None) != (plan.other is None):
        raise TypeError(f"join_tile: the plan is of {1 if plan.other is None else 2} sources; give as many frames")
    tables = [as_table(frame)] + ([] if other is None else [as_table(other)])
    for table in tables:
        if TILE not in table.column_names:
            raise ValueError(f"join_tile: frame has no column {TILE!r}; assign_tiles adds it")
    numbers = {int(one) for table in tables for one in pc.unique(table.column(TILE)).to_pylist() if one >= 0}
    if len(numbers) > 1:
        checks.refuse(ValueError, "join_tile", "frame", sorted(numbers), "must have the rows of one tile")
    found = list(joined(tables, plan, numbers.pop())) if numbers else []
    out = pa.concat_tables(found) if found else schema_of(plan, tables).empty_table()
    return out if isinstance(frame, pa.Table) else out.to_pandas()


def schema_of(plan: JoinPlan, tables: Sequence[pa.Table]) -> pa.Schema:
    """Return the columns of an answer; tables tell the types of the names."""
    layouts = (plan.layout, plan.other if plan.other is not None else plan.layout)
    kinds = [
        table.schema.field(layout.id).type if layout.id is not None else pa.int64()
        for table, layout in zip((tables[0], tables[-1]), layouts, strict=True)
    ]
    fields = [pa.field("a", kinds[0]), pa.field("b", kinds[1])]
    number = pa.float64()
    fields += [pa.field("depth", number)] if "depth" in plan.columns else []
    fields += [pa.field(f"normal_{axis}", number) for axis in "xy" if "normal" in plan.columns]
    if "points" in plan.columns:
        fields += [pa.field("points", pa.int8())]
        fields += [pa.field(f"point_{k}_{axis}", number) for k in (1, 2) for axis in "xy"]
    return pa.schema(fields)


def joined(tables: Sequence[pa.Table], plan: JoinPlan, tile: int) -> Iterator[pa.Table]:
    """Yield the pairs that belong to a tile, some at a time."""
    schema = schema_of(plan, tables)
    sides: list[Side] = []
    for given, layout in zip(tables, (plan.layout, plan.other), strict=False):
        assert layout is not None
        check_schema("join_tile", given, layout)
        table = given.take(pc.sort_indices(given.column(ROW))) if ROW in given.column_names else given
        sides.append(side_of(Reading(table, layout), plan))
    yield from joined_sides(sides, plan, schema, plan.tiles, plan.bounds()[tile])


def side_of(reading: Reading, plan: JoinPlan) -> Side:
    """Return the shapes of some rows, and their names."""
    return Side(reading.things(plan.proved), reading.names)


def joined_sides(
    sides: Sequence[Side], plan: JoinPlan, schema: pa.Schema, tasks: int, tile: Floats | None = None
) -> Iterator[pa.Table]:
    """Yield the pairs of one side or two, some at a time: all of them, or those that belong to a tile.

    There are so many tasks beside each other.
    """
    first, second = sides[0], sides[-1]
    boxes = [] if tile is None else [side.things.bounds() for side in sides]
    for found in _found(first.things, None if len(sides) == 1 else second.things, plan, tasks):
        kept = np.ones(len(found.pairs), dtype=np.bool_)
        if tile is not None:
            told_in(boxes[0], boxes[-1], found.pairs, plan.within, tile, kept)
        yield _answer(found, kept, first, second, plan, schema)


def _found(first: Things, second: Things | None, plan: JoinPlan, tasks: int) -> Iterator[Found]:
    """Yield pairs of rows, each once, and what is told of them, in order."""
    sides = [first] if second is None else [first, second]
    # Of two regions in parts, the wholes are asked: how deep these lie in each other no two parts tell.
    # A yes or no of polygons needs no parts, so owners are asked where there is any geometry.
    owners = any(one.in_parts if plan.columns else one.rows is None for one in sides) and all(
        one.alone for one in sides
    )
    # Tasks are shared among workers; where there are fewer, some of these are idle.
    threads = max(1, (os.cpu_count() or 1) // tasks)
    how: dict[str, Any] = {"within": plan.within, "block": plan.block, "owners": owners, "threads": threads}
    shapes = [one.shapes for one in sides]

    def rows(found: Rows32) -> Integers:
        columns = found.astype(np.int64).T
        return np.column_stack(
            [side.row_of(column, how["owners"]) for side, column in zip((sides[0], sides[-1]), columns, strict=True)]
        )

    if plan.columns:
        for told in contacts(*shapes, **how):
            yield Found(rows(told.pairs), told)
        return
    if not owners and any(one.in_parts for one in sides):
        every = [np.zeros((0, 2), dtype=np.int64), *map(rows, pairs(*shapes, **how))]
        yield Found(np.unique(np.concatenate(every), axis=0), None)
        return
    for some in pairs(*shapes, **how):
        yield Found(rows(some), None)


def _answer(found: Found, kept: Booleans, first: Side, second: Side, plan: JoinPlan, schema: pa.Schema) -> pa.Table:
    """Return the rows of the answer that belong to the tile."""
    rows = found.pairs[kept]
    columns: list[Any] = [first.names.take(pa.array(rows[:, 0])), second.names.take(pa.array(rows[:, 1]))]
    if "depth" in plan.columns:
        columns.append(found.told.depth[kept])
    if "normal" in plan.columns:
        columns += _both(found.told.normal[kept])
    if "points" in plan.columns:
        count, points = found.told.count[kept], found.told.points[kept]
        columns.append(count)
        for k in range(2):
            columns += _both(np.where((count > k)[:, None], points[:, k], np.nan))
    return pa.table(columns, schema=schema)


def _both(values: Floats) -> list[Floats]:
    return [np.ascontiguousarray(values[:, 0]), np.ascontiguousarray(values[:, 1])]
