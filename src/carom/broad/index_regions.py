"""What is in a region, what contains a point, what is nearest: questions to an index about places.

In: shapes or points, with the layers they see and the rows they pass by. Out: row numbers and distances, the same as if
each query had asked each shape, in an order that is promised. User's frame and units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, overload

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike, PointsLike
from carom._core.threads import checked
from carom._core.types import Integers
from carom.broad.answers import Neighbors, RowLists
from carom.broad.find_pairs import ALL
from carom.broad.index_arguments import are_many, distances, is_infinite, points_or_shapes, shapes_of
from carom.broad.index_rows import IndexRows
from carom.broad.queries import Queries, offsets_of
from carom.broad.search_rows import containing, near, nearest, touched
from carom.narrow.dispatch import run
from carom.shapes.basic import Shape
from carom.shapes.set import Shapes

REGIONS_A_RAY = 4.0  # a grid gains a region less than a ray
MANY = 100_000  # neighbours that may be asked for without there being so many rows


class Regions(IndexRows):
    """The questions about places; see `Index`."""

    @overload
    def query(
        self,
        shapes: Shape,
        *,
        touching: bool = True,
        within: float = 0.0,
        mask: Any = ALL,
        ignore: Any = None,
        threads: int = 1,
    ) -> Integers: ...

    @overload
    def query(
        self,
        shapes: Shapes | Iterable[Shape],
        *,
        touching: bool = True,
        within: Any = 0.0,
        mask: Any = ALL,
        ignore: Any = None,
        threads: int = 1,
    ) -> RowLists: ...

    def query(
        self,
        shapes: Any,
        *,
        touching: bool = True,
        within: Any = 0.0,
        mask: Any = ALL,
        ignore: Any = None,
        threads: int = 1,
    ) -> Any:
        """Return the rows that intersect a shape, or lie within a distance of it.

        Parameters
        ----------
        shapes : a shape, Shapes, or an iterable of shapes
        touching : bool, default True
            Whether a row that is just so far away counts: with ``within=0``, one that merely touches.
        within : float or (n,) floats, default 0
            The distance, in length units.
        mask : int or (n,) integers, optional
            The layers each query sees.
        ignore : int, (n,) or (n, k) integers, optional
            Rows that each query does not see; -1 for none. For one shape, any number of rows.
        threads : int, default 1
            How many threads share the queries; the answers are the same with any number.

        Returns
        -------
        (m,) int64 for one shape; RowLists(offsets, rows) for a set
            Ascending row numbers, those for which `intersects`, or `distance`, says so.

        Raises
        ------
        TypeError
            If `shapes` is no shape.
        ValueError
            If a distance is negative or not finite, or a column has the wrong length.
        MemoryError
            If the rows would not fit into memory: found out before memory is taken for them.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (3, 0), (6, 0)], 1))
        >>> index.query(cm.Point((2, 0))), index.query(cm.Point((2, 0)), within=2)
        (array([1]), array([0, 1]))
        """
        where = "Index.query"
        inclusive = inputs.truth(where, "touching", touching)
        value = shapes_of(where, "shapes", shapes)
        asked = self._asked(where, value, mask, ignore)
        limits = distances(where, within, asked.starts.size)
        slots, count, shared = self._slots, asked.starts.size, checked(where, threads)
        grid = slots.prepare(count / REGIONS_A_RAY)
        tree = slots.tree
        if (limits > 0.0).any():
            found = near(where, tree, grid, asked, limits, inclusive, shared)
            offsets, rows = offsets_of(found.queries, count), tree.rows[found.slots]
        else:
            offsets, rows = touched(where, tree, slots.slot_of, grid, asked, inclusive, shared)
        return RowLists(offsets, rows) if isinstance(value, Shapes) else rows

    @overload
    def contains(self, points: PointLike, *, mask: Any = ALL, ignore: Any = None, threads: int = 1) -> Any: ...

    @overload
    def contains(self, points: PointsLike, *, mask: Any = ALL, ignore: Any = None, threads: int = 1) -> Any: ...

    def contains(self, points: Any, *, mask: Any = ALL, ignore: Any = None, threads: int = 1) -> Any:
        """Return the rows that contain a point, boundary included.

        Parameters
        ----------
        points : (x, y), or (n, 2)
        mask, ignore, threads
            As in `query`.

        Returns
        -------
        (m,) int64 for one point; RowLists(offsets, rows) for many
            Ascending row numbers.

        Raises
        ------
        TypeError, ValueError
            If `points` is no point and no array of points, or not finite.
        MemoryError
            As `query`.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (1, 0), (6, 0)], 1))
        >>> index.contains((1, 0))
        array([0, 1])
        """
        where = "Index.contains"
        single = not are_many(points)
        at = np.array([inputs.point(where, "points", points)]) if single else inputs.table(where, "points", points, 2)
        filters = self._filters(where, len(at), mask, ignore, single)
        shared, slots = checked(where, threads), self._slots
        grid = slots.prepare(len(at) / REGIONS_A_RAY)
        offsets, rows = containing(where, slots.tree, slots.slot_of, grid, at, *filters, shared)
        return rows if single else RowLists(offsets, rows)

    def nearest(
        self,
        shapes: Any,
        k: int = 1,
        within: float = math.inf,
        *,
        mask: Any = ALL,
        ignore: Any = None,
        threads: int = 1,
    ) -> Neighbors:
        """Return the k rows nearest to a point or shape, with their distances.

        Parameters
        ----------
        shapes : (x, y), (n, 2), a shape, Shapes, or a list of shapes
        k : int, default 1
        within : float, default infinite
            How far to look, in length units; a row just so far away counts.
        mask, ignore, threads
            As in `query`.

        Returns
        -------
        Neighbors(rows, distances)
            Both (n, k), or (k,) for one point or shape: nearest first, of equally near ones the lower row number
            first; where there are fewer, the row is -1 and the distance infinite. Distances are those of `distance`.

        Raises
        ------
        TypeError
            If `shapes` is neither points nor shapes, or `k` is no whole number.
        ValueError
            If `k` is less than 1, or `within` is negative or not a number.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (4, 0), (9, 0)], 1))
        >>> index.nearest((2, 0), k=2)
        Neighbors(rows=array([0, 1]), distances=array([1., 1.]))
        """
        where = "Index.nearest"
        value = points_or_shapes(where, "shapes", shapes)
        single = not isinstance(value, Shapes)
        count = inputs.integer(where, "k", k)
        if count < 1:
            inputs.refuse(ValueError, where, "k", k, "must be at least 1")
        if count > max(len(self), MANY):
            inputs.refuse(ValueError, where, "k", k, f"is more than the {len(self)} rows there are")
        limit = math.inf if is_infinite(within) else distances(where, within, 1).item(0)
        asked = self._asked(where, value, mask, ignore)
        self._slots.prepare(asked.starts.size)
        slots, apart = nearest(where, self._slots.tree, asked, count, limit, checked(where, threads))
        rows = np.where(slots >= 0, self._slots.tree.rows[slots], -1)
        return Neighbors(rows[0], apart[0]) if single else Neighbors(rows, apart)

    def _asked(self, where: str, shapes: Shape | Shapes, mask: Any, ignore: Any) -> Queries:
        """Return shapes as queries."""
        records, starts = run(where, "shapes", shapes)
        single = not isinstance(shapes, Shapes)
        return Queries(records, starts, *self._filters(where, starts.size, mask, ignore, single))
