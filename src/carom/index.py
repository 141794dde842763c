"""Index: many shapes kept ready for questions about all of them: what is here, what does a ray meet, what is nearest.

In: shapes, later others in place of some, more, fewer. Out: row numbers, hits and distances, the same to the last bit
as if each query had asked each shape with the verbs for pairs, in an order that is promised. User's frame and units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, overload

import numpy as np

from carom import _arrays
from carom._arrays import PointLike, PointsLike
from carom._threads import checked
from carom._typing import Floats, Integers, Rows32
from carom.broad.all_pairs import Method
from carom.broad.answers import CastColumns, Neighbors, RayHitLists, RowHit, RowLists, RowRayHit
from carom.broad.hit_search import all_hits, first_hits_of_points, first_hits_of_shapes, first_hits_of_turning
from carom.broad.queries import Queries, offsets_of, queries_of_points
from carom.broad.row_search import containing, near, nearest, touched
from carom.broad.slots import Slots
from carom.broad.values import RowValues
from carom.columns import Shapes
from carom.compound import Compound
from carom.narrow._door import are_points, record, run, vectors
from carom.narrow.cast import HitColumns
from carom.narrow.ray import RayHitColumns, ray_columns
from carom.narrow.turning_rows import turns_and_pivots
from carom.pair_search import ALL, Side, side_of
from carom.pairs import PairContacts, contacts_of, pairs_of
from carom.shapes import Point, Shape
from carom.vector import Vec

METHODS = ("auto", "tree", "grid")
REGIONS_A_RAY = 4.0  # a grid gains a region less than a ray
MANY = 100_000  # neighbours that may be asked for without there being so many rows


class Index:
    """Many shapes kept ready for questions about all of them.

    Parameters
    ----------
    shapes : Shapes, or an iterable of shapes
        Row k of the set is row k of the index.
    layer : int or (n,) integers, default 1
        The layers each row is on, one bit each, 64 in all. A question with ``mask=`` asks only rows with
        ``layer & mask != 0``; without it, all rows.
    mask : int or (n,) integers, optional
        The layers each row wants to meet, all if not given: what `pairs` and `contacts` look at.
    method : "auto", "tree" or "grid", default "auto"
        How the first hits of rays are found. "auto" lays out a grid when rays come in numbers and sizes and places are
        even enough; `plan` says what was done.

    Notes
    -----
    Every answer is that of asking each shape in turn with `intersects`, `raycast`, `cast` or `distance`, to the last
    bit. Row numbers stay valid for ever: that of a removed row is not given again, and refused.

    The index keeps a tree of boxes in which neighbours lie together; `plan` describes it. Changing shapes refits the
    boxes; when that has spread them out too far, the tree is put in order again.

    Examples
    --------
    >>> index = cm.Index([cm.Circle((0, 0), 1), cm.Box((5, 0), (2, 2)), cm.Circle((9, 0), 1)])
    >>> index.query(cm.Circle((3, 0), 2.5))
    array([0, 1])
    >>> hit = index.raycast((2, 0), (10, 0))
    >>> hit.row, hit.distance
    (1, 2.0)
    >>> index.nearest((7, 0), k=2).rows
    array([1, 2])
    """

    def __init__(self, shapes: Any = (), *, layer: Any = 1, mask: Any = ALL, method: Any = "auto") -> None:
        if not isinstance(method, str) or method not in METHODS:
            _arrays.refuse(ValueError, "Index", "method", method, f"must be one of {', '.join(map(repr, METHODS))}")
        rows = shapes if isinstance(shapes, Shapes) else _listed(shapes)
        layers, masks = _arrays.bits("Index", "layer", layer, len(rows)), _arrays.bits("Index", "mask", mask, len(rows))
        self._slots = Slots(rows._buffer, rows._starts, layers, method)
        self._masks = masks
        self._values = RowValues(rows)

    def __len__(self) -> int:
        """Return how many rows are in use."""
        return self._slots.live

    def __repr__(self) -> str:
        return f"<Index: {len(self)} rows>"

    @property
    def rows(self) -> Integers:
        """The row numbers in use, ascending."""
        return self._slots.rows

    @property
    def shapes(self) -> Shapes:
        """The present shapes of `rows`, in that order."""
        return self._values.of(self.rows)

    @property
    def plan(self) -> str:
        """How the shapes are kept, in words."""
        return self._slots.plan

    # Questions

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
        shapes: Shapes,
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
        shapes : a shape, or Shapes
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
        return self._touching("Index.query", "shapes", shapes, touching, within, mask, ignore, threads)

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
        single = not are_points(points)
        at = vectors(where, "points", points, 1 if single else len(points))
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
        shapes : (x, y), (n, 2), a shape, or Shapes
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
        single = not (isinstance(shapes, Shapes) or are_points(shapes))
        value = shapes if isinstance(shapes, (Shape, Shapes)) else _points(where, shapes)
        (count,) = _arrays.integers(where, "k", [k], 1)
        if count < 1:
            _arrays.refuse(ValueError, where, "k", k, "must be at least 1")
        if count > max(len(self), MANY):
            _arrays.refuse(ValueError, where, "k", k, f"is more than the {len(self)} rows there are")
        limit = math.inf if _is_infinite(within) else _distances(where, within, 1).item(0)
        asked = self._asked(where, "shapes", value, mask, ignore)
        self._slots.prepare(asked.starts.size)
        slots, distances = nearest(where, self._slots.tree, asked, count, limit, checked(where, threads))
        rows = np.where(slots >= 0, self._slots.tree.rows[slots], -1)
        return Neighbors(rows[0], distances[0]) if single else Neighbors(rows, distances)

    @overload
    def raycast(
        self, origins: PointLike, translations: PointLike, *, ignore: Any = None, mask: Any = ALL, threads: int = 1
    ) -> RowRayHit | None: ...

    @overload
    def raycast(
        self,
        origins: PointLike | PointsLike,
        translations: PointLike | PointsLike,
        *,
        ignore: Any = None,
        mask: Any = ALL,
        threads: int = 1,
    ) -> RowRayHit | RayHitColumns | None: ...

    def raycast(self, origins: Any, translations: Any, *, ignore: Any = None, mask: Any = ALL, threads: int = 1) -> Any:
        """Return what each ray meets first.

        Parameters
        ----------
        origins : (x, y), or (n, 2)
        translations : (x, y), or (n, 2)
            From each origin to the ray's end, in length units. One for all, or one a ray.
        ignore : int, (n,) or (n, k) integers, optional
            Rows that each ray passes through; -1 for none. For one ray, any number of rows.
        mask : int or (n,) integers, optional
            The layers each ray sees.
        threads : int, default 1
            How many threads share the rays; the answers are the same with any number.

        Returns
        -------
        RowRayHit or None for one ray; RayHitColumns for many
            As `raycast` gives them; `shape` in the columns is the row that was hit. Of rows hit at the same fraction,
            the one with the lowest number.

        Raises
        ------
        TypeError
            If `origins` or `translations` is no pair of numbers and no array of pairs.
        ValueError
            If they are not finite, or the numbers of rows differ.

        Notes
        -----
        Boxes are met as slabs, with room for rounding (A. Williams and others, "An efficient and robust ray-box
        intersection algorithm", 2005; T. Ize, "Robust BVH ray traversal", 2013).

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(5, 0), (9, 0)], 1))
        >>> index.raycast([(0, 0), (0, 0)], [(10, 0), (0, 10)], ignore=0).fraction
        array([0.8, inf])
        """
        where = "Index.raycast"
        single, starts, motions, masks, ignored = self._rays(where, origins, translations, mask, ignore)
        shared = checked(where, threads)
        grid = self._slots.prepare(len(starts))
        columns = first_hits_of_points(self._slots.tree, grid, starts, motions, masks, ignored, shared)
        return self._ray_hit(columns) if single else columns

    def raycast_all(
        self, origins: Any, translations: Any, *, ignore: Any = None, mask: Any = ALL, threads: int = 1
    ) -> RayHitLists:
        """Return everything that each ray meets, in order.

        Parameters
        ----------
        origins, translations, ignore, mask, threads
            As in `raycast`.

        Returns
        -------
        RayHitLists(offsets, shape, fraction, distance, point, normal, overlapping)
            The hits of ray k stand from ``offsets[k]`` to ``offsets[k + 1]``, in ascending order of (fraction, row);
            a single ray is ray 0.

        Raises
        ------
        TypeError, ValueError
            As `raycast`.
        MemoryError
            If the hits would not fit into memory: found out before memory is taken for them.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(9, 0), (5, 0)], 1))
        >>> found = index.raycast_all((0, 0), (10, 0))
        >>> found.shape, found.distance
        (array([1, 0]), array([4., 8.]))
        """
        where = "Index.raycast_all"
        _, starts, motions, masks, ignored = self._rays(where, origins, translations, mask, ignore)
        tree = self._slots.tree
        asked = queries_of_points(starts, masks, ignored)
        found, hits = all_hits(where, tree, asked, motions, checked(where, threads))
        columns = ray_columns(starts[found.queries], motions[found.queries], hits, tree.rows[found.slots])
        offsets = offsets_of(found.queries, len(starts))
        return RayHitLists(offsets, columns.shape, *columns[1:5], columns.overlapping)

    def cast(
        self,
        shapes: Any,
        translations: Any,
        rotations: Any = 0.0,
        pivots: Any = None,
        *,
        ignore: Any = None,
        mask: Any = ALL,
        threads: int = 1,
    ) -> Any:
        """Return what each moving shape meets first.

        Parameters
        ----------
        shapes : a shape, or Shapes
        translations : (x, y), or (n, 2)
            The whole motion of each, in length units. One for all, or one a shape.
        rotations : float or (n,) floats, default 0
            The whole turn of each, in radians.
        pivots : (x, y), or (n, 2), optional
            The point of the world that each turn is about, at the start; `position` if not given.
        ignore, mask, threads
            As in `raycast`.

        Returns
        -------
        RowHit or None for one shape; CastColumns for a set
            As `cast` gives them, with the row that was hit; of rows hit at the same fraction, the one with the lowest
            number. What a shape starts in touch with, or in overlap with, follows the rules of `cast`.

        Raises
        ------
        TypeError
            If `shapes` is no shape, or `translations` is no pair of numbers and no array of pairs.
        ValueError
            If they are not finite, a turn is too large, or the numbers of rows differ.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.boxes([(5, 0), (9, 0)], [(2, 2), (2, 2)]))
        >>> hit = index.cast(cm.Circle((0, 0), 1), (6, 0))
        >>> hit.row, hit.fraction
        (0, 0.5)
        """
        where = "Index.cast"
        asked = self._asked(where, "shapes", shapes, mask, ignore)
        motions = vectors(where, "translations", translations, asked.starts.size)
        self._slots.prepare(asked.starts.size)
        tree = self._slots.tree
        shared, count, names = checked(where, threads), asked.starts.size, ("rotations", "pivots")
        turns, about = turns_and_pivots(shapes, rotations, pivots, count, where, names)
        if turns.any():
            slots, found = first_hits_of_turning(where, tree, asked, motions, turns, about, shared)
        else:
            slots, found = first_hits_of_shapes(tree, asked, motions, shared)
        rows = np.where(found.hit, tree.rows[slots], -1)
        if isinstance(shapes, Shapes):
            return CastColumns(found.hit, found.fraction, found.point, found.normal, rows, found.overlapping)
        return _row_hit(found, rows.item(0))

    @overload
    def pairs(
        self,
        *,
        within: float = 0.0,
        touching: bool = True,
        method: Method = "auto",
        block: None = None,
        threads: int = 1,
    ) -> Rows32: ...

    @overload
    def pairs(
        self, *, within: float = 0.0, touching: bool = True, method: Method = "auto", block: int, threads: int = 1
    ) -> Iterator[Rows32]: ...

    def pairs(
        self,
        *,
        within: float = 0.0,
        touching: bool = True,
        method: Method = "auto",
        block: int | None = None,
        threads: int = 1,
    ) -> Any:
        """Return all pairs of rows that touch or overlap, or lie within a distance of each other.

        Parameters
        ----------
        within, touching, method, block, threads
            As for `pairs`, the function, and `pairs_plan` tells how; the rows' layers and masks are those of the index.

        Returns
        -------
        (m, 2) int32, or an iterator of such blocks
            Row numbers i < j, sorted by the first, then by the second, each pair once.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `pairs`.

        Examples
        --------
        >>> cm.Index(cm.Shapes.circles([(0, 0), (9, 0), (1, 0)], 1)).pairs()
        array([[0, 2]], dtype=int32)
        """
        rows, side = self._for_pairs("Index.pairs")
        found = pairs_of("Index.pairs", side, None, within, touching, method, block, threads)
        return rows[found] if block is None else (rows[some] for some in found)

    @overload
    def contacts(self, *, method: Method = "auto", block: None = None, threads: int = 1) -> PairContacts: ...

    @overload
    def contacts(self, *, method: Method = "auto", block: int, threads: int = 1) -> Iterator[PairContacts]: ...

    def contacts(self, *, method: Method = "auto", block: int | None = None, threads: int = 1) -> Any:
        """Return all pairs of rows that touch or overlap, with normal, depth and contact points.

        Parameters
        ----------
        method, block, threads
            As for `pairs`.

        Returns
        -------
        PairContacts, or an iterator of such blocks
            As `contacts`, the function, gives them, the pairs as row numbers of the index.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `pairs`.

        Examples
        --------
        >>> cm.Index(cm.Shapes.circles([(0, 0), (9, 0), (1, 0)], 1)).contacts().depth
        array([1.])
        """
        rows, side = self._for_pairs("Index.contacts")
        found = contacts_of("Index.contacts", side, None, method, block, threads)
        if block is None:
            return found._replace(pairs=rows[found.pairs])
        return (some._replace(pairs=rows[some.pairs]) for some in found)

    def _for_pairs(self, where: str) -> tuple[Rows32, Side]:
        """Return the numbers of the rows in use, and these rows with their layers."""
        rows = self.rows
        layers = self._slots.tree.layers[self._slots.slot_of[rows]]
        masks = self._masks[rows]
        side = side_of(where, "", self.shapes, layers.view(np.uint64), masks.view(np.uint64), True)
        return rows.astype(np.int32), side

    # Changes

    def update(self, rows: Any, shapes: Any) -> None:
        """Give rows other shapes.

        Parameters
        ----------
        rows : int or (n,) integers
            Row numbers in use, each once.
        shapes : a shape, or Shapes
            One for each row, or one for all.

        Raises
        ------
        TypeError
            If `rows` are no whole numbers, or `shapes` is no shape.
        ValueError
            If a row was removed or never was, is named twice, or the numbers differ. Nothing is changed then.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (5, 0)], 1))
        >>> index.update(0, cm.Circle((9, 0), 1))
        >>> index.query(cm.Point((9, 0)))
        array([0])
        """
        where = "Index.update"
        numbers = self._in_use(where, rows)
        values = self._set(where, shapes)
        if len(values) != numbers.size:
            if len(values) != 1:
                wrong = f"{where}: shapes has {len(values)} rows and rows has {numbers.size}"
                raise ValueError(f"{wrong}; give one shape for each row, or one for all")
            values = values[np.zeros(numbers.size, dtype=np.int64)]
        self._slots.replace(numbers, values._buffer, values._starts)
        self._values.replace(numbers, values)

    def insert(self, shapes: Any, *, layer: Any = 1, mask: Any = ALL) -> Integers:
        """Take in more shapes, and return their row numbers.

        Parameters
        ----------
        shapes : a shape, or Shapes
        layer, mask : int or (n,) integers
            As for `Index`.

        Returns
        -------
        (n,) int64
            Numbers that no row ever had, ascending.

        Raises
        ------
        TypeError
            If `shapes` is no shape.
        ValueError
            If a column has the wrong length. Nothing is changed then.

        Examples
        --------
        >>> index = cm.Index([cm.Circle((0, 0), 1)])
        >>> index.insert(cm.Shapes.circles([(4, 0), (8, 0)], 1))
        array([1, 2])
        """
        where = "Index.insert"
        values = self._set(where, shapes)
        layers = _arrays.bits(where, "layer", layer, len(values))
        masks = _arrays.bits(where, "mask", mask, len(values))
        rows = self._slots.append(values._buffer, values._starts, layers)
        self._masks = np.append(self._masks, masks)
        self._values.replace(rows, values)
        return rows

    def remove(self, rows: Any) -> None:
        """Take rows out; their numbers are not given again.

        Parameters
        ----------
        rows : int or (n,) integers
            Row numbers in use, each once.

        Raises
        ------
        TypeError
            If `rows` are no whole numbers.
        ValueError
            If a row was removed before or never was, or is named twice. Nothing is changed then.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (5, 0)], 1))
        >>> index.remove(0)
        >>> len(index), index.rows
        (1, array([1]))
        """
        self._slots.take_out(self._in_use("Index.remove", rows))

    # From what the user passes to checked arrays

    def _set(self, where: str, shapes: Any) -> Shapes:
        if isinstance(shapes, Shapes):
            return shapes
        record(where, "shapes", shapes)
        return Shapes([shapes])

    def _in_use(self, where: str, rows: Any) -> Integers:
        """Return row numbers, each in use and named once."""
        numbers = np.atleast_1d(_arrays.whole_numbers(where, "rows", rows))
        if numbers.ndim != 1:
            raise ValueError(f"{where}: rows has shape {numbers.shape}; it must be one number or (n,)")
        self._check_known(where, "rows", numbers, least=0)
        gone = self._slots.slot_of[numbers] < 0
        if gone.any():
            k = int(gone.argmax())
            expected = "was removed; row numbers are not given again: insert the shape, and keep the number it gets"
            _arrays.refuse(ValueError, where, f"rows[{k}]", numbers.item(k), expected)
        named = np.zeros(self._slots.slot_of.size, dtype=np.bool_)
        named[numbers] = True
        if np.count_nonzero(named) < numbers.size:
            values, counts = np.unique(numbers, return_counts=True)
            _arrays.refuse(ValueError, where, "rows", rows, f"names row {values[counts.argmax()]} more than once")
        return numbers

    def _check_known(self, where: str, name: str, numbers: Integers, least: int) -> None:
        count = self._slots.slot_of.size
        bad = (numbers < least) | (numbers >= count)
        if bad.any():
            place = [int(part[0]) for part in bad.nonzero()] if bad.ndim else []
            number, name = numbers[bad].item(0), name + "".join(f"[{k}]" for k in place)
            expected = (
                f"must be a row number from 0 to {count - 1}" if count else "must be empty: there are no rows yet"
            )
            _arrays.refuse(ValueError, where, name, number, expected + (", or -1 for none" if least < 0 else ""))

    def _filters(self, where: str, count: int, mask: Any, ignore: Any, single: bool) -> tuple[Integers, Integers]:
        """Return the mask of each query, (n,), and the rows it ignores, (n, k)."""
        masks = _arrays.bits(where, "mask", mask, count)
        if ignore is None:
            return masks, np.empty((count, 0), dtype=np.int64)
        ignored = _arrays.whole_numbers(where, "ignore", ignore)
        self._check_known(where, "ignore", ignored, least=-1)
        if ignored.ndim == 0:
            return masks, np.full((count, 1), ignored)
        if ignored.ndim == 1 and single:
            return masks, ignored[None]
        if ignored.ndim > 2 or len(ignored) != count:
            wrong = f"{where}: ignore has shape {ignored.shape}; it must be one row number"
            raise ValueError(f"{wrong}, ({count},) or ({count}, k): one row, or as many for each query")
        return masks, np.ascontiguousarray(ignored.reshape(count, -1))

    def _asked(self, where: str, name: str, shapes: Any, mask: Any, ignore: Any) -> Queries:
        records, starts = run(where, name, shapes)
        single = not isinstance(shapes, Shapes)
        return Queries(records, starts, *self._filters(where, starts.size, mask, ignore, single))

    def _touching(
        self, where: str, name: str, shapes: Any, touching: bool, within: Any, mask: Any, ignore: Any, threads: int
    ) -> Any:
        inclusive = _arrays.truth(where, "touching", touching)
        asked = self._asked(where, name, shapes, mask, ignore)
        limits = _distances(where, within, asked.starts.size)
        slots, count, shared = self._slots, asked.starts.size, checked(where, threads)
        grid = slots.prepare(count / REGIONS_A_RAY)
        tree = slots.tree
        if (limits > 0.0).any():
            found = near(where, tree, grid, asked, limits, inclusive, shared)
            offsets, rows = offsets_of(found.queries, count), tree.rows[found.slots]
        else:
            offsets, rows = touched(where, tree, slots.slot_of, grid, asked, inclusive, shared)
        return RowLists(offsets, rows) if isinstance(shapes, Shapes) else rows

    def _rays(
        self, where: str, origins: Any, translations: Any, mask: Any, ignore: Any
    ) -> tuple[bool, Floats, Floats, Integers, Integers]:
        """Return whether it is one ray, then origins, translations, masks and ignored rows, one a ray."""
        lengths = [len(value) for value in (origins, translations) if are_points(value)]
        count = next((length for length in lengths if length != 1), 1)
        starts = vectors(where, "origins", origins, count)
        motions = vectors(where, "translations", translations, count)
        return not lengths, starts, motions, *self._filters(where, count, mask, ignore, not lengths)

    def _ray_hit(self, found: RayHitColumns) -> RowRayHit | None:
        if not found.hit[0]:
            return None
        row = found.shape.item(0)
        shape = self._values.of_row(row)
        point, normal = Vec(*found.point[0].tolist()), Vec(*found.normal[0].tolist())
        values = found.fraction.item(0), found.distance.item(0), point, normal, shape, bool(found.overlapping[0])
        hit = RowRayHit(*values)
        hit.row = row
        return hit


def _row_hit(found: HitColumns, row: int) -> RowHit | None:
    if row < 0:
        return None
    point, normal = Vec(*found.point[0].tolist()), Vec(*found.normal[0].tolist())
    hit = RowHit(found.fraction.item(0), point, normal, bool(found.overlapping[0]))
    hit.row = row
    return hit


def _listed(shapes: Any) -> Shapes:
    """Return a set of the shapes in a list."""
    values = _arrays.listed("Index", "shapes", shapes, "Shapes, or shapes in a list")
    for row, value in enumerate(values):
        if not isinstance(value, Compound):  # each part of one becomes a row
            record("Index", f"shapes[{row}]", value)
    return Shapes(values)


def _points(where: str, value: Any) -> Point | Shapes:
    """Return a point, or points, as a shape or set."""
    name = "points" if where == "Index.contains" else "shapes"
    if are_points(value):
        return Shapes.points(_arrays.table(where, name, value, 2))
    return Point(_arrays.point(where, name, value))


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and value == math.inf


def _distances(where: str, value: Any, count: int) -> Floats:
    """Return distances, one a query, none negative."""
    limits = _arrays.column(where, "within", value, count)
    if (limits < 0.0).any():
        _arrays.refuse(ValueError, where, "within", limits[limits < 0.0].item(0), "must not be negative")
    return limits
