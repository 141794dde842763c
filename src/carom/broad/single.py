"""The kernels of one question to an index, which receive tree and grid by address.

In: the table of a tree and its grid, which `table_of` makes after a change, and the record of one shape, or an empty
one and a point; the rows' layers are all seen, and one row at most is passed by. Out: rows, distances or a hit as plain
numbers, or the word that the question has to be asked by the general way: something is undecided, or there are more
answers than room. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.jit.addresses import (
    Table,
    float_table_at,
    floats_at,
    integers_at,
    rows32_at,
)
from carom._core.types import Floats, Integers
from carom.broad.answers import RayNumbers
from carom.broad.queries import ALL, Queries, point_queries, shape_queries
from carom.broad.tree import CHILDREN, STACK, Tree
from carom.broad.tree_grid import Grid
from carom.broad.tree_hits import first_hit, length_of_motion
from carom.broad.tree_nearest import nearest_of_query
from carom.broad.tree_regions import SHORT, add_touching
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y

ROOM = 512
"""Places for the rows that one question touches, and for the nodes still to be looked at."""

NO_SHAPE = np.empty(0)
"""The record of a point, which is asked about by its coordinates."""

_ONE = np.full(1, ALL)
_NOBODY = np.full((1, 1), -1)
_SHAPE = shape_queries(NO_SHAPE, np.zeros(1, dtype=np.int64), _ONE, _NOBODY)
_POINT = point_queries(np.zeros((1, 2)), _ONE, _NOBODY)


def table_of(tree: Tree, grid: Grid) -> Table:
    """Return the table of a tree and a grid."""
    counts = np.array([tree.leaf, grid.columns, grid.lines])
    numbers = np.array([grid.x, grid.y, grid.cell, grid.per])
    of_tree = [value for value in tree if isinstance(value, np.ndarray)]
    arrays = [counts, numbers, *of_tree, grid.first, grid.entries, grid.boxes]
    return Table((tree, grid), [*arrays, _SHAPE.starts, _SHAPE.points, _POINT.points, _SHAPE.masks])


@inner
def opened_tree(table: Integers) -> Tree:
    """Return the tree of a table."""
    return Tree(
        floats_at(table, 2),
        integers_at(table, 3),
        integers_at(table, 0)[0],
        floats_at(table, 4),
        integers_at(table, 5),
        integers_at(table, 6),
        integers_at(table, 7),
        float_table_at(table, 8),
        float_table_at(table, 9),
        floats_at(table, 10),
        integers_at(table, 11),
    )


@inner
def opened_grid(table: Integers) -> Grid:
    """Return the grid of a table."""
    counts, numbers = integers_at(table, 0), floats_at(table, 1)
    return Grid(
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        counts[1],
        counts[2],
        rows32_at(table, 12),
        rows32_at(table, 13),
        floats_at(table, 14),
    )


@inner
def only_query(table: Integers, records: Floats, is_point: bool, passed_by: Integers) -> Queries:
    """Return one shape or point as queries; the record says where the point is."""
    points = float_table_at(table, 17 if is_point else 16)
    return Queries(records, integers_at(table, 15), points, integers_at(table, 18), passed_by)


@kernel
def rows_of_one(
    table: Integers, record: Floats, x: float, y: float, ignored: int, most: int, out_rows: Integers
) -> int:
    """Write the rows that one shape or point overlaps (`most` -1) or touches (0), ascending; return how many.

    -1 stands for a question that has to be asked by the general way.
    """
    tree, grid = opened_tree(table), opened_grid(table)
    point, passed_by = np.zeros(POINTS + STRIDE), np.empty((1, 1), dtype=np.int64)
    point[COUNT], point[X], point[Y], passed_by[0, 0] = 1.0, x, y, ignored
    records = point if record.shape[0] == 0 else record
    asked = only_query(table, records, False, passed_by)
    found = add_touching(tree, grid, asked, 0, records, 0, most, 0, out_rows)
    if found > SHORT:
        return -1
    for k in range(found):
        if out_rows[k] < 0:
            return -1
    return found


@kernel
def nearest_of_one(
    table: Integers,
    record: Floats,
    x: float,
    y: float,
    ignored: int,
    within: float,
    out_rows: Integers,
    out_distances: Floats,
) -> bool:
    """Write the rows nearest to one shape or point, and their distances; tell whether that is decided."""
    tree = opened_tree(table)
    nodes, gaps, gap = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(CHILDREN)
    point, passed_by = np.zeros(POINTS + STRIDE), np.empty((1, 1), dtype=np.int64)
    point[COUNT], point[X], point[Y], passed_by[0, 0] = 1.0, x, y, ignored
    records = point if record.shape[0] == 0 else record
    asked = only_query(table, records, False, passed_by)
    slots, distances = np.empty((1, out_rows.shape[0]), dtype=np.int64), np.empty((1, out_rows.shape[0]))
    undecided = nearest_of_query(tree, asked, 0, within, nodes, gaps, gap, slots, distances)
    for k in range(out_rows.shape[0]):
        slot = slots[0, k]
        out_rows[k], out_distances[k] = tree.rows[slot] if slot >= 0 else -1, distances[0, k]
    return not undecided


@kernel
def first_hit_of_one(
    table: Integers, record: Floats, x: float, y: float, mx: float, my: float, ignored: int
) -> tuple[RayNumbers, bool]:
    """Return the first hit of one ray, or of one shape that moves as `cast` has it move.

    These are the row, -1 for none, fraction, distance, point, normal, whether it starts inside; and aside whether a hit
    is undecided: then all the rest is void.
    """
    tree, grid = opened_tree(table), opened_grid(table)
    nodes, times, near, far = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(CHILDREN), np.empty(CHILDREN)
    point, doubts, passed_by = np.zeros(POINTS + STRIDE), np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)
    point[COUNT], point[X], point[Y], passed_by[0, 0] = 1.0, x, y, ignored
    ray = record.shape[0] == 0
    records = point if ray else record
    asked = only_query(table, records, ray, passed_by)
    found = first_hit(tree, grid, asked, 0, records, 0, mx, my, nodes, times, near, far, doubts, 0)
    if found.slot < 0 or found.undecided > 0:
        return (-1, math.inf, math.inf, 0.0, 0.0, 0.0, 0.0, False), found.slot == -2 or found.undecided > 0
    px, py = (x, y) if ray and found.fraction == 0.0 else (found.px, found.py)
    distance = found.fraction * length_of_motion(mx, my)
    return (tree.rows[found.slot], found.fraction, distance, px, py, found.nx, found.ny, found.overlapping), False
