"""Questions to the shapes of an index: from user input to the columns that kernels read.

In: shapes, points, vectors, distances, row numbers and masks as the user passes them. Out: single shapes and sets,
arrays, and `Queries`; or an error that names the wrong value. User's frame and units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.jit import inner
from carom._core.layers import Layers
from carom._core.types import Floats, Integers
from carom.broad.by_row import ByRow
from carom.broad.tree import Tree
from carom.narrow.dispatch import Rows, are_many, flattened
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.shapes.set import Shapes

ALL = -1
"""The mask of all layers."""


class Queries(NamedTuple):
    """Shapes, or points, with the layers that each sees and the rows that it passes by."""

    records: Floats
    starts: Integers
    """(n,) where each shape's record starts; empty where points are asked about."""
    points: Floats
    """(n, 2) points, whose records are written one at a time; (0, 2) where shapes are asked about."""
    masks: Integers
    """(n,)"""
    ignore: Integers
    """(n, k) row numbers, -1 for none."""

    def pairs(self, tree: Tree, queries: Integers, slots: Integers) -> Rows:
        """Return the records of pairs of query and slot."""
        return self.beside(queries, tree.records, tree.starts[slots])

    def beside(self, queries: Integers, records: Floats, starts: Integers) -> Rows:
        """Return the records of pairs of query and shape."""
        if len(self.points):
            return Rows(*_records_of_points(self.points[queries]), records, starts)
        return Rows(self.records, self.starts[queries], records, starts)

    def as_shapes(self) -> Queries:
        """Return points as shapes, with a record for each."""
        records, starts = _records_of_points(self.points)
        return self._replace(records=records, starts=starts, points=self.points[:0])

    def some(self, queries: Integers) -> Queries:
        """Return some of the shapes."""
        return self._replace(starts=self.starts[queries], masks=self.masks[queries], ignore=self.ignore[queries])


def shape_queries(records: Floats, starts: Integers, masks: Integers, ignore: Integers) -> Queries:
    """Return shapes as queries."""
    return Queries(records, starts, np.empty((0, 2)), masks, ignore)


def point_queries(points: Floats, masks: Integers, ignore: Integers) -> Queries:
    """Return points (n, 2) as queries."""
    return Queries(np.empty(0), np.empty(0, dtype=np.int64), points, masks, ignore)


def _records_of_points(points: Floats) -> tuple[Floats, Integers]:
    """Return the records of points (n, 2), and where each starts."""
    records = np.zeros((len(points), POINTS + STRIDE))
    records[:, COUNT] = 1.0
    records[:, X : Y + 1] = points
    return records.reshape(-1), records.shape[1] * np.arange(len(points))


@inner
def place_of(asked: Queries, query: int, point: Floats) -> int:
    """Return where the record of a query starts; that of a point is written into `point`, and starts at 0."""
    if asked.points.shape[0] == 0:
        return int(asked.starts[query])
    point[X], point[Y] = asked.points[query, 0], asked.points[query, 1]
    return 0


@inner
def sees(asked: Queries, query: int, mask: int, layer: int, row: int) -> bool:
    """Tell whether a query, whose mask is given, sees a layer and does not pass by a row."""
    if (layer & mask) == 0:
        return False
    for k in range(asked.ignore.shape[1]):
        if asked.ignore[query, k] == row:
            return False
    return True


def vectors_of(where: str, name: str, value: Any, count: int) -> Floats:
    """Return one vector for each row, (count, 2), from that, from one row, or from one (x, y) for all."""
    if are_many(value):
        table = inputs.table(where, name, value, 2, None if len(value) == 1 else count)
        return np.repeat(table, count, axis=0) if len(table) != count else table
    return np.broadcast_to(inputs.point(where, name, value), (count, 2)).copy()


def rays_of(where: str, origin: Any, translation: Any) -> tuple[tuple[int, ...] | None, Floats, Floats, bool]:
    """Return the leading shape of arrays of more dimensions, else None; origins, translations, and if it is one ray."""
    lead, (origin, translation) = flattened(where, ("origin", "translation"), origin, translation)
    lengths = [len(value) for value in (origin, translation) if are_many(value)]
    count = common_length(lengths)
    starts = vectors_of(where, "origin", origin, count)
    return lead, starts, vectors_of(where, "translation", translation, count), not lengths


def lengths_of_motions(shapes: Any, translations: Any, rotations: Any, pivots: Any) -> list[int]:
    """Return the lengths of those that are columns."""
    lengths = [len(shapes)] if isinstance(shapes, Shapes) else []
    lengths += [len(column) for column in (translations, pivots) if are_many(column)]
    lengths += [len(rotations)] if isinstance(rotations, (list, tuple)) else []
    return lengths + ([len(rotations)] if isinstance(rotations, np.ndarray) and rotations.ndim else [])


def distances(where: str, value: Any, count: int) -> Floats:
    """Return distances, one a query, none negative."""
    limits = inputs.column(where, "within", value, count)
    if (limits < 0.0).any():
        inputs.refuse(ValueError, where, "within", limits[limits < 0.0].item(0), "must not be negative")
    return limits


def common_length(lengths: list[int]) -> int:
    """Return how many rows columns of these lengths make, where those with one row are repeated."""
    return next((length for length in lengths if length != 1), 1)


def check_rows(where: str, name: str, numbers: Integers, least: int, rows: int) -> None:
    """Refuse row numbers, if not from `least` up to `rows`."""
    bad = (numbers < least) | (numbers >= rows)
    if bad.any():
        place = [int(part[0]) for part in bad.nonzero()] if bad.ndim else []
        number, name = numbers[bad].item(0), name + "".join(f"[{k}]" for k in place)
        expected = f"must be a row number from 0 to {rows - 1}" if rows else "must be empty: there are no rows yet"
        inputs.refuse(ValueError, where, name, number, expected + (", or -1 for none" if least < 0 else ""))


def filters_of(
    where: str, layers: Layers, rows: int, count: int, mask: Any, ignore: Any, single: bool
) -> tuple[Integers, Integers]:
    """Return the mask of each of `count` queries, (count,), and the rows, of so many, that it ignores, (count, k)."""
    masks = np.full(count, ALL) if mask is None else layers.column(where, "mask", mask, count)
    if ignore is None:
        return masks, np.empty((count, 0), dtype=np.int64)
    ignored = inputs.whole_numbers(where, "ignore", ignore)
    check_rows(where, "ignore", ignored, -1, rows)
    if ignored.ndim == 0:
        return masks, np.full((count, 1), ignored)
    if ignored.ndim == 1 and single:
        return masks, ignored[None]
    if ignored.ndim > 2 or len(ignored) != count:
        wrong = f"{where}: ignore has shape {ignored.shape}; it must be one row number"
        raise ValueError(f"{wrong}, ({count},) or ({count}, k): one row, or as many for each query")
    return masks, np.ascontiguousarray(ignored.reshape(count, -1))


def rows_in_use(where: str, slot_of: ByRow, rows: Any) -> Integers:
    """Return row numbers, each in use and named once."""
    given = inputs.whole_numbers(where, "rows", rows)
    if given.ndim > 1:
        raise ValueError(f"{where}: rows has shape {given.shape}; it must be one number or (n,)")
    check_rows(where, "rows", given, 0, slot_of.size)
    numbers = np.atleast_1d(given)
    gone = slot_of[numbers] < 0
    if gone.any():
        k = int(gone.argmax())
        expected = "was removed; row numbers are not given again: insert the shape, and keep the number it gets"
        inputs.refuse(ValueError, where, f"rows[{k}]" if given.ndim else "rows", numbers.item(k), expected)
    ordered = np.sort(numbers)
    if (ordered[1:] == ordered[:-1]).any():
        values, counts = np.unique(numbers, return_counts=True)
        inputs.refuse(ValueError, where, "rows", rows, f"names row {values[counts.argmax()]} more than once")
    return numbers


def spread(where: str, name: str, value: Any, lead: tuple[int, ...]) -> Any:
    """Return one entry for each ray of a leading shape, or several, from an array that broadcasts to it."""
    if value is None or isinstance(value, (str, tuple)):
        return value
    try:
        array = np.asarray(value)
    except ValueError:
        inputs.refuse(ValueError, where, name, value, "must be an array with one entry for each")
    if array.ndim == 0:
        return value
    several = array.shape[-1:] if array.ndim > len(lead) else ()
    try:
        return np.broadcast_to(array, lead + several).reshape(-1, *several)
    except ValueError:
        wrong = f"{where}: {name} has shape {array.shape}; it must broadcast to that of the rays, {lead}"
        raise ValueError(wrong) from None
