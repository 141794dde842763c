"""The kernels of one pair of bodies, which receive each body by address, and the tables that they read.

In: a Compound's table, or the record of a shape with the table that stands for any shape. Out: plain numbers, or the
word that rounding leaves the sign in doubt, or that the bodies are in touch: then the general way, by rows, decides.
World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.jit.addresses import (
    Table,
    float_table_at,
    floats_at,
    integer_table_at,
    integers_at,
    marks_at,
)
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import Bodies
from carom.narrow.compound.cast import hit_reach, outline_normal
from carom.narrow.compound.first_hit import first_hit
from carom.narrow.compound.manifold import manifold_of_mtv
from carom.narrow.compound.mtv import mtv
from carom.narrow.compound.part_pairs import BodyRows, least_distance
from carom.narrow.compound.part_tree import FEW, Parts, pairs_on_way
from carom.narrow.compound.standing import nearest_parts
from carom.narrow.exact.hits import Strike
from carom.narrow.intersects import side
from carom.narrow.pairs.discs import UNDECIDED
from carom.narrow.slop import size_and_largest, slop_within
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.vector import LEAST

NO_RECORD = np.empty(0)
"""In place of the record, where the table has all."""

DOUBT = 2
"""In place of a side: the general way has to tell."""


def table_of(body: Bodies) -> Table:
    """Return the table of one body."""
    extents = np.empty(2)
    write_extents(body.buffer, body.starts, extents)
    return Table(body, [*body, extents, _ROW])


@kernel
def write_extents(buffer: Floats, starts: Integers, out: Floats) -> None:
    """Write the size of a body's largest part, and a number that none of its coordinates exceeds."""
    out[0], out[1] = size_and_largest(buffer, starts, 0, starts.shape[0])


_ROW = np.zeros(1, dtype=np.int64)
_ONE = Bodies(np.zeros(POINTS + STRIDE), _ROW, np.arange(2))
SHAPE = Table(_ONE, [*_ONE, np.zeros(2), _ROW])
"""Stands for a body that is one shape, whose record comes beside it."""


@inner
def opened(table: Integers, record: Floats) -> Bodies:
    """Return the body of a table, or of a record."""
    return Bodies(
        record if record.shape[0] > 0 else floats_at(table, 0),
        integers_at(table, 1),
        integers_at(table, 2),
        integer_table_at(table, 3),
        float_table_at(table, 4),
        float_table_at(table, 5),
        integers_at(table, 6),
        marks_at(table, 7),
        float_table_at(table, 8),
        integers_at(table, 9),
    )


@inner
def opened_parts(table: Integers, record: Floats) -> Parts:
    """Return where the parts are of the body of a table, or of a record."""
    return Parts(
        record if record.shape[0] > 0 else floats_at(table, 0),
        integers_at(table, 1),
        integers_at(table, 2),
        integer_table_at(table, 3),
        float_table_at(table, 4),
    )


@inner
def extents_of(table: Integers, record: Floats) -> tuple[float, float]:
    """Return the size of a body's largest part, and a number that none of its coordinates exceeds."""
    if record.shape[0] > 0:
        return size_and_largest(record, integers_at(table, 11), 0, 1)
    extents = floats_at(table, 10)
    return extents[0], extents[1]


@kernel
def side_of_one(table_a: Integers, record_a: Floats, table_b: Integers, record_b: Floats) -> int:
    """Return -1 where two bodies overlap, 1 where they are apart, else DOUBT."""
    a, b = opened_parts(table_a, record_a), opened_parts(table_b, record_b)
    none = np.empty(0, dtype=np.int64)
    found = nearest_parts(a, 0, b, 0, LEAST, True, False, 0, (none, none, none, np.empty(0)), 0)
    if found[3]:
        return -1
    return 1 if found[4] == 0 and found[0] > 0.0 else DOUBT


@kernel
def side_of_two(table_a: Integers, table_b: Integers) -> int:
    """Return the side of two Compounds, as `side_of_one`: two arrays less cost a tenth of the call each."""
    record = np.empty(0)
    a, b, none = opened_parts(table_a, record), opened_parts(table_b, record), np.empty(0, dtype=np.int64)
    found = nearest_parts(a, 0, b, 0, LEAST, True, False, 0, (none, none, none, record), 0)
    if found[3]:
        return -1
    return 1 if found[4] == 0 and found[0] > 0.0 else DOUBT


@kernel
def separation_of_one(
    table_a: Integers, record_a: Floats, table_b: Integers, record_b: Floats, depth: bool
) -> tuple[int, float]:
    """Return the side of two bodies, as `side_of_one`, and their separation; in overlap, with `depth`, less than 0."""
    a, b = opened_parts(table_a, record_a), opened_parts(table_b, record_b)
    none = np.empty(0, dtype=np.int64)
    found = nearest_parts(a, 0, b, 0, math.inf, not depth, False, 0, (none, none, none, np.empty(0)), 0)
    if not found[3]:
        return (1 if found[4] == 0 and found[0] > 0.0 else DOUBT), found[0]
    if not depth:
        return -1, 0.0
    row = integers_at(table_a, 11)
    rows = BodyRows(opened(table_a, record_a), row, opened(table_b, record_b), row)
    way, _ = mtv(rows, 0, max(0.0, -found[0]))
    return -1, -way[0]


# Depth and features of a contact point: place x and y, depth, feature of A, of B.
Point5 = tuple[float, float, float, int, int]


@kernel
def contact_of_one(
    table_a: Integers, record_a: Floats, table_b: Integers, record_b: Floats
) -> tuple[int, float, float, float, int, Point5, Point5]:
    """Return the side, depth, normal, number of contact points, and these."""
    a, b = opened_parts(table_a, record_a), opened_parts(table_b, record_b)
    none, nowhere = np.empty(0, dtype=np.int64), (0.0, 0.0, 0.0, 0, 0)
    found = nearest_parts(a, 0, b, 0, math.inf, False, False, 0, (none, none, none, np.empty(0)), 0)
    if not found[3]:
        apart = found[4] == 0 and found[0] > 0.0
        return (1 if apart else DOUBT), 0.0, 0.0, 0.0, 0, nowhere, nowhere
    row = integers_at(table_a, 11)
    rows = BodyRows(opened(table_a, record_a), row, opened(table_b, record_b), row)
    way, piece = mtv(rows, 0, max(0.0, -found[0]))
    (count, one, two), _ = manifold_of_mtv(rows.a, rows.b, way, piece)
    return -1, way[0], way[3] + 0.0, way[4] + 0.0, count, one, two


@kernel
def cast_of_one(
    table_a: Integers, record_a: Floats, table_b: Integers, record_b: Floats, mx: float, my: float, ray: bool
) -> tuple[bool, Strike]:
    """Return whether the bodies start apart and nothing is in doubt; and when A, moved, hits B."""
    a, b = opened_parts(table_a, record_a), opened_parts(table_b, record_b)
    none = np.empty(0, dtype=np.int64)
    miss = False, False, False, math.inf, 0.0, 0.0, 0.0, 0.0
    start = nearest_parts(a, 0, b, 0, math.inf, False, False, 0, (none, none, none, np.empty(0)), 0)
    size_a, largest_a = extents_of(table_a, record_a)
    size_b, largest_b = extents_of(table_b, record_b)
    slop = slop_within(min(size_a, size_b), max(largest_a, largest_b))
    if start[4] > 0 or not start[0] > slop:
        return False, miss
    doubt, best = first_hit(a, 0, b, 0, mx, my, ray)
    if doubt:
        return False, miss
    if not best[0]:
        return True, miss
    row = integers_at(table_a, 11)
    rows = BodyRows(opened(table_a, record_a), row, opened(table_b, record_b), row)
    fraction, nx, ny, x, y = best[3], best[4] + 0.0, best[5] + 0.0, best[6], best[7]
    shift = -fraction * mx, -fraction * my
    nx, ny = outline_normal(rows, 0, shift, (mx, my), (-nx, -ny), hit_reach(slop, mx, my))
    return True, (True, False, False, fraction, 0.0 - nx, 0.0 - ny, x, y)


@kernel
def side_of_point(table: Integers, x: float, y: float) -> int:
    """Return 0 where a point lies in a body or on it, 1 where it is apart, else DOUBT."""
    a, point, where = opened_parts(table, np.empty(0)), np.zeros(POINTS + STRIDE), np.empty(FEW, dtype=np.int64)
    point[COUNT], point[X], point[Y] = 1.0, x, y
    alone = Parts(point, integers_at(table, 11), integers_at(table, 11), np.empty((0, 2), np.int64), np.empty((0, 4)))
    total = pairs_on_way(a, 0, alone, 0, (0.0, 0.0), (0.0, 0.0), 0.0, where)
    if total > where.shape[0]:
        return DOUBT
    doubt = False
    for k in range(total):
        i = a.starts[where[k]]
        if least_distance(a.buffer, i, point, 0, 0.0, 0.0) <= 0.0:
            found = side(a.buffer, i, point, 0)
            if found == UNDECIDED:
                doubt = True
            elif found <= 0:
                return 0
    return DOUBT if doubt else 1
