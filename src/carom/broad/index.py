"""Index: many shapes kept ready for questions about all of them, and for questions about the pairs among them.

In: shapes, later others in place of some, more, fewer; then shapes, points, rays and motions to ask about. Out: row
numbers, hits, distances, pairs and contacts, the same to the last bit as if each query had asked each shape with the
verbs for pairs, in an order that is promised. User input is checked here; input that is refused changes nothing. The
shapes are kept in `tree_slots` and searched by `search_rows` and `search_hits`. User's frame and units; radians.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from threading import Lock, get_ident
from typing import Any, Literal, Never, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.guard import Guard, Reading
from carom._core.inputs import PointLike, PointsLike
from carom._core.layers import DEFAULT, AnyLayers, Layers
from carom._core.names import NamesNear, names_fixed, refuse_keywords, told_by_name
from carom._core.overloads import typed_by_overloads
from carom._core.sealed import sealed
from carom._core.threads import checked
from carom._core.types import Floats, Integers, Rows32
from carom.broad import things
from carom.broad.all_pairs import Method
from carom.broad.answers import (
    CastColumns,
    Neighbors,
    RayHitLists,
    RowHit,
    RowLists,
    RowRayHit,
    cast_numbers,
    first_of,
    offsets_of,
    ray_hit,
    row_hit,
)
from carom.broad.by_row import GONE, ByRow
from carom.broad.contact_pairs import PairContacts, contacts_of
from carom.broad.find_pairs import Search, Side, layers_and_masks, plan_of
from carom.broad.one_question import first_hit, nearest_rows, point_of, rows_touched, shape_of
from carom.broad.pairs import SearchOptions, pairs_of
from carom.broad.queries import (
    Queries,
    common_length,
    distances,
    filters_of,
    lengths_of_motions,
    point_queries,
    rays_of,
    rows_in_use,
    shape_queries,
    spread,
    vectors_of,
)
from carom.broad.region_nearest import Edges, has_edges, nearest_owners, nearest_owners_of_rows, of_owners
from carom.broad.region_queries import of_pairs, owners_met
from carom.broad.search_hits import all_hits, first_hits_of_queries, first_hits_of_rays, first_hits_of_turning
from carom.broad.search_rows import near, touched
from carom.broad.tree_slots import RowShapes, Slots
from carom.narrow.cast import HitColumns, RayHitColumns, ray_columns
from carom.narrow.crossings import CrossingLists
from carom.narrow.dispatch import are_many, in_shape, points_or_shapes, run
from carom.narrow.rows.rotating_cast import turns_and_pivots
from carom.narrow.stretches import stretches_of_rows
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.given import AnyParts, AnyShape, ManyShapes, OneShape, set_of, shapes_of
from carom.shapes.set import Shapes
from carom.shapes.set_rows import inputs_of, owner_of

METHODS = ("auto", "tree", "grid")
REGIONS_A_RAY = 4.0  # a grid gains a region less than a ray
MAKING = Lock()  # held while the rows of an index are made: several threads may be the first to ask
MANY = 100_000  # neighbours that may be asked for without there being so many rows


class QueryOptions(TypedDict, total=False):
    """Options of every question to an index."""

    mask: AnyLayers | None
    ignore: ArrayLike | None
    threads: int


@names_fixed
class Index(metaclass=NamesNear):
    """Many shapes kept ready for questions about all of them.

    Parameters
    ----------
    shapes : Shapes, or an iterable of shapes
        Row k of the set is row k of the index. Of a Compound each part is a row, and all are one thing, which `owner`
        numbers.
    layer : a name, a tuple of names, or an int of bits; or a list or array with one a row
        The layers each row is on, "default" or bit 0 if not given. A question with ``mask=`` asks only rows on one of
        its layers; without it, all rows. An index takes names or bits, not both: 63 names or 64 bits.
    mask : the same, optional
        The layers each row wants to meet, all if not given: `pairs` and `contacts` look at these.
    method : "auto", "tree" or "grid", default "auto"
        How the first hits of rays are found. "auto" lays out a grid when rays come in numbers and sizes and places are
        even enough; `plan` says what was done.

    Notes
    -----
    Every answer is that of asking each shape in turn with `intersects`, `raycast`, `cast` or `distance`, to the last
    bit. Row numbers stay valid for ever: that of a removed row is not given again, and refused.

    Several threads may ask at once. A question and a change by another thread wait for each other, so that each answer
    is that of before or after the change.

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

    _edges: Edges | None = None  # of polygons known by these, as long as the rows are those that came in

    @told_by_name
    def __init__(
        self,
        shapes: AnyParts = (),
        *,
        layer: AnyLayers = DEFAULT,
        mask: AnyLayers | None = None,
        method: Literal["auto", "tree", "grid"] = "auto",
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_keywords("Index", Index, unknown)
        if not isinstance(method, str) or method not in METHODS:
            inputs.refuse(ValueError, "Index", "method", method, f"must be one of {', '.join(map(repr, METHODS))}")
        rows = set_of("Index", "shapes", shapes)
        self._guard = Guard("Index", waits=True)
        self._reading = Reading(self._guard)
        self._layers = Layers()
        self._edges = Edges(rows, method) if layer is DEFAULT and mask is None and has_edges(rows) else None
        if self._edges is None:
            self._make_rows(rows, layer, mask, method)

    def _make_rows(self, rows: Shapes, layer: Any, mask: Any, method: str) -> None:
        layers, masks = layers_and_masks(self._layers, "Index", "", layer, mask, len(rows))
        self._slots = Slots(rows._buffer, rows._starts, layers, method)
        self._masks = ByRow(masks)
        self._row_shapes = RowShapes(rows)

    def _late(self, name: str) -> Any:
        """Make the rows of polygons that were known by their edges alone."""
        with MAKING:
            if name not in vars(self):
                assert self._edges is not None
                self._make_rows(self._edges.shapes, DEFAULT, None, self._edges.method)
            return vars(self)[name]

    _filled_late = dict.fromkeys(("_masks", "_row_shapes", "_slots"), _late)

    def __reduce__(self) -> tuple[Any, ...]:
        with self._reading:
            self._row_shapes.settle()
            return sealed(_restored, type(self), vars(self) | {"_edges": None})

    def __len__(self) -> int:
        """Return how many rows are in use."""
        return self._slots.live

    def __repr__(self) -> str:
        return f"<Index: {len(self)} rows>"

    @property
    def rows(self) -> Integers:
        """The row numbers in use, ascending."""
        with self._reading:
            return self._slots.rows

    @property
    def shapes(self) -> Shapes:
        """The present shapes of `rows`, in that order."""
        with self._reading:
            return self._row_shapes.of(self._slots.rows)

    @property
    def owner(self) -> Integers:
        """For each row number that was ever given, the number of the thing that the row belongs to; -1 if it went.

        The parts of a Compound that went in together are one thing, as `Shapes.owner` tells; rows that are given other
        shapes become the things that those are. ``np.unique(index.owner[rows])`` are the things of an answer.
        """
        with self._reading:
            rows = self._slots.rows
            found = np.full(self._slots.slot_of.size, GONE)
            found[rows] = self._row_shapes.owner[rows]
            return found

    @property
    def plan(self) -> str:
        """How the shapes are kept, how rays are cast, and how `pairs` are found, in words.

        How pairs are found is told by trying, so this takes as long as the search of their bounds.
        """
        plan = plan_of(Search("Index.plan", 0.0, True, "auto", 1), self._for_pairs("Index.plan")[1], None)
        return f"{self._slots.plan}; pairs by {plan.method}: {plan.why}"

    @told_by_name
    def update(self, rows: ArrayLike, shapes: AnyParts) -> None:
        """Give rows other shapes.

        Parameters
        ----------
        rows : int or (n,) integers
            Row numbers in use, each once.
        shapes : a shape, Shapes, or an iterable of shapes
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
        values = set_of(where, "shapes", shapes)
        with self._guard:
            numbers = rows_in_use(where, self._slots.slot_of, rows)
            if len(values) != numbers.size:
                if len(values) != 1:
                    wrong = f"{where}: shapes has {len(values)} rows and rows has {numbers.size}"
                    raise ValueError(f"{wrong}; give one shape for each row, or one for all")
                values = values[np.zeros(numbers.size, dtype=np.int64)]
            self._edges = None
            self._slots.replace(numbers, values._buffer, values._starts)
            self._row_shapes.replace(numbers, values)

    @told_by_name
    def insert(
        self,
        shapes: AnyParts,
        *,
        layer: AnyLayers = DEFAULT,
        mask: AnyLayers | None = None,
    ) -> Integers:
        """Take in more shapes, and return their row numbers.

        Parameters
        ----------
        shapes : a shape, Shapes, or an iterable of shapes
            Of a Compound each part becomes a row, and all are one thing; see `owner`.
        layer, mask
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
        values = set_of(where, "shapes", shapes)
        with self._guard:
            known = self._layers.copy()
            layers, masks = layers_and_masks(known, where, "", layer, mask, len(values))
            self._layers = known
            rows = self._slots.append(values._buffer, values._starts, layers)
            self._edges = None
            self._masks.append(masks)
            self._row_shapes.replace(rows, values)
            return rows

    @told_by_name
    def remove(self, rows: ArrayLike) -> None:
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
        with self._guard:
            if self._slots.take_out(rows_in_use("Index.remove", self._slots.slot_of, rows)):
                self._masks.keep(self._slots.rows)
                self._row_shapes.keep(self._slots.rows)
            self._edges = None

    @overload
    def query(
        self,
        shape: OneShape,
        *,
        touching: bool = True,
        within: float = 0.0,
        owners: bool = False,
        **options: Unpack[QueryOptions],
    ) -> Integers: ...

    @overload
    def query(
        self,
        shape: ManyShapes,
        *,
        touching: bool = True,
        within: ArrayLike = 0.0,
        owners: bool = False,
        **options: Unpack[QueryOptions],
    ) -> RowLists: ...

    @typed_by_overloads
    @told_by_name
    def query(
        self,
        shape: Any,
        *,
        touching: bool = True,
        within: Any = 0.0,
        owners: bool = False,
        mask: AnyLayers | None = None,
        ignore: ArrayLike | None = None,
        threads: int = 1,
        **unknown: Never,
    ) -> Any:
        """Return the rows that intersect a shape, or lie within a distance of it.

        Parameters
        ----------
        shape : a shape, Shapes, or an iterable of shapes
        touching : bool, default True
            Whether a row that is just so far away counts: with ``within=0``, one that merely touches.
        within : float or (n,) floats, default 0
            The distance, in length units.
        owners : bool, default False
            Return numbers of things, as `owner` tells them, in place of rows, ascending, and one list for each owner
            number of a set in place of each row. Polygons of `Shapes.from_shapely` are asked by their edges then, as in
            `nearest`, unless `touching` is False or `within` an array.
        mask : a name, a tuple of names, or an int of bits; or a list or array with one a query; optional
            The layers each query sees, all if not given.
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
            If `shape` is no shape.
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
        if unknown:
            refuse_keywords(where, Index.query, unknown)
        inclusive = inputs.truth(where, "touching", touching)
        guard, own = self._guard, get_ident()
        guard.readers.append(own)  # as `with self._reading`, in a third of the time
        try:
            if not guard.free:
                self._reading.wait(own)
            if inputs.truth(where, "owners", owners):
                return self._owners_met(where, shape, within, inclusive, mask, ignore, threads)
            if type(within) is float and within == 0.0:
                one = shape_of(self._slots, shape, mask, ignore, threads)
                if (rows := rows_touched(self._slots, one, 0 if inclusive else -1)) is not None:
                    return rows
            value: Any = shapes_of(where, "shape", shape)
            asked = self._asked(where, value, mask, ignore)
            count, shared = asked.starts.size, checked(where, threads)
            if isinstance(value, Compound):
                limit = distances(where, within, 1).item(0)
                return things.rows_of_whole(
                    where, self._slots, self._row_shapes, value, asked, limit, inclusive, shared
                )
            limits = distances(where, within, count)
            # In this order: what is made ready may be another tree.
            grid, tree = self._slots.prepare(count / REGIONS_A_RAY), self._slots.tree
            if (limits > 0.0).any():
                found = near(where, tree, grid, asked, limits, inclusive, shared)
                offsets, rows = offsets_of(found.queries, count), tree.rows[found.slots]
            else:
                offsets, rows = touched(where, tree, self._slots.slot_of, grid, asked, inclusive, shared)
            return RowLists(offsets, rows) if isinstance(value, Shapes) else rows
        finally:
            guard.readers.remove(own)

    def _owners_met(
        self, where: str, shape: Any, within: Any, inclusive: bool, mask: Any, ignore: Any, threads: Any
    ) -> Any:
        """Return the things that each owner meets."""
        value: Any = shapes_of(where, "shape", shape)
        asking, found = set_of(where, "shape", value), None
        if self._edges is not None and mask is None and ignore is None and inclusive and np.ndim(within) == 0:
            limit = distances(where, within, 1).item(0)
            search = Search(where, limit, True, "auto", checked(where, threads))
            found = owners_met(search, self._edges.around, asking)
        if found is None:
            options = {"within": within, "touching": inclusive, "mask": mask, "ignore": ignore, "threads": threads}
            rows: Any = self.query(value, **options)
            lists = rows if isinstance(rows, RowLists) else RowLists(np.array([0, rows.size]), rows)
            asker = owner_of(asking._proxies) if isinstance(value, Shapes) else np.zeros(1, dtype=np.int64)
            count = inputs_of(asking._proxies) if isinstance(value, Shapes) else 1
            met = np.repeat(asker, np.diff(lists.offsets)), self._row_shapes.owner[lists.rows]
            found = of_pairs(np.column_stack(met), count)
        return RowLists(*found) if isinstance(value, Shapes) else found[1]

    @overload
    def contains(self, point: PointsLike, **options: Unpack[QueryOptions]) -> RowLists: ...

    @overload
    def contains(self, point: PointLike, **options: Unpack[QueryOptions]) -> Integers: ...

    @typed_by_overloads
    @told_by_name
    def contains(
        self,
        point: Any,
        *,
        mask: AnyLayers | None = None,
        ignore: ArrayLike | None = None,
        threads: int = 1,
        **unknown: Never,
    ) -> Any:
        """Return the rows that contain a point, boundary included.

        Parameters
        ----------
        point : (x, y), or (n, 2)
        mask, ignore, threads
            As in `query`.

        Returns
        -------
        (m,) int64 for one point; RowLists(offsets, rows) for many
            Ascending row numbers.

        Raises
        ------
        TypeError, ValueError
            If `point` is no point and no array of points, or not finite.
        MemoryError
            As `query`.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (1, 0), (6, 0)], 1))
        >>> index.contains((1, 0))
        array([0, 1])
        """
        where = "Index.contains"
        if unknown:
            refuse_keywords(where, Index.contains, unknown)
        guard, own = self._guard, get_ident()
        guard.readers.append(own)  # as `with self._reading`, in a third of the time
        try:
            if not guard.free:
                self._reading.wait(own)
            one = point_of(self._slots, where, "point", point, mask, ignore, threads)
            if (rows := rows_touched(self._slots, one, 0)) is not None:
                return rows
            single = not are_many(point)
            at = np.array([inputs.point(where, "point", point)]) if single else inputs.table(where, "point", point, 2)
            asked = point_queries(at, *self._filters(where, len(at), mask, ignore, single))
            shared, grid = checked(where, threads), self._slots.prepare(len(at) / REGIONS_A_RAY)
            offsets, rows = touched(where, self._slots.tree, self._slots.slot_of, grid, asked, True, shared)
            return rows if single else RowLists(offsets, rows)
        finally:
            guard.readers.remove(own)

    @told_by_name
    def nearest(
        self,
        shape: PointLike | PointsLike | AnyShape,
        k: int = 1,
        within: float = math.inf,
        *,
        owners: bool = False,
        mask: AnyLayers | None = None,
        ignore: ArrayLike | None = None,
        threads: int = 1,
        **unknown: Never,
    ) -> Neighbors:
        """Return the k things nearest to a point or shape, each by its nearest row, with their distances.

        A row is a thing of its own, but for the parts of a Compound, which count once (see `owner`).

        Parameters
        ----------
        shape : (x, y), (n, 2), a shape, Shapes, or a list of shapes
        k : int, default 1
        within : float, default infinite
            How far to look, in length units; a row just so far away counts.
        owners : bool, default False
            Return numbers of things, as `owner` tells them, in place of rows, and one answer for each owner number of
            a set in place of each row. Polygons of `Shapes.from_shapely` are asked by their edges then, without being
            made into parts, until the index changes, or where there are layers or rows to ignore: such a distance is
            that of `distance` but for its last digits.
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
            If `shape` is neither points nor shapes, or `k` is no whole number.
        ValueError
            If `k` is less than 1, or `within` is negative or not a number.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (4, 0), (9, 0)], 1))
        >>> index.nearest((2, 0), k=2)
        Neighbors(rows=array([0, 1]), distances=array([1., 1.]))
        >>> corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
        >>> cm.Index([corner, cm.Circle((4, 0), 1)]).nearest((9, 0), k=2, owners=True).rows
        array([1, 0])
        """
        where = "Index.nearest"
        if unknown:
            refuse_keywords(where, Index.nearest, unknown)
        count = inputs.integer(where, "k", k)
        if count < 1:
            inputs.refuse(ValueError, where, "k", k, "must be at least 1")
        if count > MANY and count > len(self):
            inputs.refuse(ValueError, where, "k", k, f"is more than the {len(self)} rows there are")
        endless = isinstance(within, float) and within == math.inf
        limit = math.inf if endless else distances(where, within, 1).item(0)
        guard, own = self._guard, get_ident()
        guard.readers.append(own)  # as `with self._reading`, in a third of the time
        try:
            if not guard.free:
                self._reading.wait(own)
            if inputs.truth(where, "owners", owners):
                return self._nearest_owners(where, shape, count, limit, mask, ignore, checked(where, threads))
            given = mask, ignore, threads
            one = shape_of(self._slots, shape, *given) or point_of(self._slots, where, "shape", shape, *given)
            several = self._row_shapes.shared
            if not several and (found := nearest_rows(self._slots, one, count, limit)) is not None:
                return Neighbors(*found)
            value: Any = points_or_shapes(where, "shape", shape)
            single = not isinstance(value, Shapes)
            asked = self._asked(where, value, mask, ignore)
            self._slots.prepare(asked.starts.size)
            search = things.nearest_rows(where, self._slots, asked, limit, checked(where, threads))
            if isinstance(value, Compound):
                search = things.nearest_to_any(search)
            found = (
                things.nearest_things(search, count, self._row_shapes.owner, len(self)) if several else search(count)
            )
            return Neighbors(*(column[0] for column in found)) if single else Neighbors(*found)
        finally:
            guard.readers.remove(own)

    def _nearest_owners(
        self, where: str, shape: Any, k: int, limit: float, mask: Any, ignore: Any, threads: int
    ) -> Neighbors:
        """Return the nearest things of each owner."""
        value: Any = points_or_shapes(where, "shape", shape)
        asking, found = set_of(where, "shape", value), None
        if self._edges is not None and mask is None and ignore is None:
            found = nearest_owners(self._edges.around, asking, k, limit, threads)
        if found is None:
            asked = self._asked(where, value, mask, ignore)
            self._slots.prepare(asked.starts.size)
            search = partial(things.nearest_rows, where, self._slots, limit=limit, n=threads)
            of_rows = nearest_owners_of_rows(search, asked, k, self._row_shapes.owner, len(self))
            found = of_owners(*of_rows, owner_of(asking._proxies), inputs_of(asking._proxies))
        single = not isinstance(value, Shapes)
        return Neighbors(*(column[0] for column in found)) if single else Neighbors(*found)

    @overload
    def raycast(
        self, origin: PointsLike, translation: PointLike | PointsLike, **options: Unpack[QueryOptions]
    ) -> RayHitColumns: ...

    @overload
    def raycast(self, origin: PointLike, translation: PointsLike, **options: Unpack[QueryOptions]) -> RayHitColumns: ...

    @overload
    def raycast(
        self, origin: PointLike, translation: PointLike, **options: Unpack[QueryOptions]
    ) -> RowRayHit | None: ...

    @typed_by_overloads
    @told_by_name
    def raycast(
        self,
        origin: Any,
        translation: Any,
        *,
        ignore: ArrayLike | None = None,
        mask: AnyLayers | None = None,
        threads: int = 1,
        **unknown: Never,
    ) -> Any:
        """Return what each ray meets first.

        Parameters
        ----------
        origin : (x, y), (n, 2), or an array (..., 2)
        translation : (x, y), (n, 2), or an array (..., 2)
            From each origin to the ray's end, in length units. One for all, or one a ray. Answers to arrays of more
            dimensions have their leading shape, both broadcast together: (200, 1, 2) and (64, 2) give (200, 64).
        ignore : int, (n,) or (n, k) integers, optional
            Rows that each ray passes through; -1 for none. For one ray, any number of rows. Rays of a leading shape
            take an array that broadcasts to it: (200, 1) for the rows of 200 robots with 64 rays each.
        mask : a name, a tuple of names, or an int of bits; or a list or array with one a ray; optional
            The layers each ray sees, all if not given.
        threads : int, default 1
            How many threads share the rays; the answers are the same with any number.

        Returns
        -------
        RowRayHit or None for one ray; RayHitColumns for many
            As `raycast` gives them; `row` in the columns is the row that was hit. Of rows hit at the same fraction,
            the one with the lowest number.

        Raises
        ------
        TypeError
            If `origin` or `translation` is no pair of numbers and no array of pairs.
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
        if unknown:
            refuse_keywords(where, Index.raycast, unknown)
        guard, own = self._guard, get_ident()
        guard.readers.append(own)  # as `with self._reading`, in a third of the time
        try:
            if not guard.free:
                self._reading.wait(own)
            one = point_of(self._slots, where, "origin", origin, mask, ignore, threads)
            if (found := first_hit(self._slots, where, one, translation)) is None:
                lead, asked, motions = self._rays(where, origin, translation, mask, ignore)
                shared, grid = checked(where, threads), self._slots.prepare(len(motions))
                columns = first_hits_of_rays(where, self._slots.tree, grid, asked, motions, shared)
                if lead:
                    return in_shape(lead, columns)
                found = first_of(columns)
            return ray_hit(self._row_shapes.of_row(found[0]), found) if found[0] >= 0 else None
        finally:
            guard.readers.remove(own)

    @told_by_name
    def raycast_all(
        self,
        origin: PointLike | PointsLike,
        translation: PointLike | PointsLike,
        *,
        ignore: ArrayLike | None = None,
        mask: AnyLayers | None = None,
        threads: int = 1,
        **unknown: Never,
    ) -> RayHitLists:
        """Return everything that each ray meets, in order.

        Parameters
        ----------
        origin, translation, ignore, mask, threads
            As in `raycast`.

        Returns
        -------
        RayHitLists(offsets, row, fraction, distance, point, normal, overlapping)
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
        >>> found.row, found.distance
        (array([1, 0]), array([4., 8.]))
        """
        where = "Index.raycast_all"
        if unknown:
            refuse_keywords(where, Index.raycast_all, unknown)
        with self._reading:
            _, asked, motions = self._rays(where, origin, translation, mask, ignore)
            tree = self._slots.tree
            found, hits = all_hits(where, tree, asked.as_shapes(), motions, checked(where, threads))
            columns = ray_columns(asked.points[found.queries], motions[found.queries], hits, tree.rows[found.slots])
            offsets = offsets_of(found.queries, len(motions))
            return RayHitLists(offsets, columns.row, *columns[1:5], columns.overlapping)

    @told_by_name
    def crossings(
        self,
        origin: PointLike | PointsLike,
        translation: PointLike | PointsLike,
        *,
        ignore: ArrayLike | None = None,
        mask: AnyLayers | None = None,
        threads: int = 1,
    ) -> CrossingLists:
        """Return where each ray runs inside a row: from its way in to its way out.

        Parameters
        ----------
        origin, translation, ignore, mask, threads
            As in `raycast`.

        Returns
        -------
        CrossingLists(offsets, row, entry, exit, entry_point, exit_point, entry_normal, exit_normal, enters, leaves)
            The stretches of ray k stand from ``offsets[k]`` to ``offsets[k + 1]``, in ascending order of (entry, row);
            a single ray is ray 0. Each is that of `crossings`, the function; each part of a Compound is a row.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `raycast_all`.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(9, 0), (5, 0)], 1))
        >>> found = index.crossings((0, 0), (20, 0))
        >>> found.row, found.entry, found.exit
        (array([1, 0]), array([0.2, 0.4]), array([0.3, 0.5]))
        """
        where = "Index.crossings"
        with self._reading:
            _, asked, motions = self._rays(where, origin, translation, mask, ignore)
            tree, shared = self._slots.tree, checked(where, threads)
            found, ahead = all_hits(where, tree, asked.as_shapes(), motions, shared)
            pairs = asked.as_shapes().pairs(tree, *found)
            stretches = stretches_of_rows(asked.points[found.queries], motions[found.queries], ahead, pairs, shared)
            return CrossingLists(offsets_of(found.queries, len(motions)), tree.rows[found.slots], *stretches)

    @overload
    def cast(
        self,
        shape: ManyShapes,
        translation: PointLike | PointsLike,
        rotation: ArrayLike = 0.0,
        pivot: PointLike | PointsLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> CastColumns: ...

    @overload
    def cast(
        self,
        shape: OneShape,
        translation: PointsLike,
        rotation: ArrayLike = 0.0,
        pivot: PointLike | PointsLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> CastColumns: ...

    @overload
    def cast(
        self,
        shape: OneShape,
        translation: PointLike,
        rotation: float = 0.0,
        pivot: PointLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> RowHit | None: ...

    @overload
    def cast(
        self,
        shape: OneShape,
        translation: PointLike,
        rotation: Sequence[float] | NDArray[Any],
        pivot: PointLike | PointsLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> CastColumns: ...

    @typed_by_overloads
    @told_by_name
    def cast(
        self,
        shape: Any,
        translation: Any,
        rotation: Any = 0.0,
        pivot: Any = None,
        *,
        ignore: ArrayLike | None = None,
        mask: AnyLayers | None = None,
        threads: int = 1,
        **unknown: Never,
    ) -> Any:
        """Return what each moving shape meets first.

        Parameters
        ----------
        shape : a shape, Shapes, or an iterable of shapes
            As many as there are motions, or one for all.
        translation : (x, y), or (n, 2)
            The whole motion of each, in length units. One for all, or one a shape.
        rotation : float or (n,) floats, default 0
            The whole turn of each, in radians.
        pivot : (x, y), or (n, 2), optional
            The point of the world that each turn is about, at the start; `position` if not given.
        ignore, mask, threads
            As in `raycast`.

        Returns
        -------
        RowHit or None for one shape with one motion; CastColumns for many
            As `cast` gives them, with the row that was hit; of rows hit at the same fraction, the one with the lowest
            number. What a shape starts in touch with, or in overlap with, follows the rules of `cast`.

        Raises
        ------
        TypeError
            If `shape` is no shape, or `translation` is no pair of numbers and no array of pairs.
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
        if unknown:
            refuse_keywords(where, Index.cast, unknown)
        guard, own = self._guard, get_ident()
        guard.readers.append(own)  # as `with self._reading`, in a third of the time
        try:
            if not guard.free:
                self._reading.wait(own)
            if pivot is None and type(rotation) is float and rotation == 0.0:
                one = shape_of(self._slots, shape, mask, ignore, threads)
                if (hit := first_hit(self._slots, where, one, translation)) is not None:
                    return row_hit(hit) if hit[0] >= 0 else None
            value: Any = shapes_of(where, "shape", shape)
            lengths = lengths_of_motions(value, translation, rotation, pivot)
            count = common_length(lengths)
            motions = vectors_of(where, "translation", translation, count)
            shared = checked(where, threads)
            turns, about = turns_and_pivots(value, rotation, pivot, count, where)
            filters = self._filters(where, count, mask, ignore, not lengths)
            if isinstance(value, Compound):
                motion = motions, turns, about
                slots, found = things.first_hits_of_whole(
                    where, self._slots, self._row_shapes, value, *motion, filters, shared
                )
                return self._first_hits(slots, found, single=not lengths)
            records, starts = run(where, "shape", value)
            starts = np.repeat(starts, count) if starts.size == 1 else starts
            asked = shape_queries(records, starts, *filters)
            grid, tree = self._slots.prepare(count), self._slots.tree
            if turns.any():
                slots, found = first_hits_of_turning(where, tree, asked, motions, turns, about, shared)
            else:
                slots, found = first_hits_of_queries(where, tree, grid, asked, motions, shared)
            return self._first_hits(slots, found, single=not lengths)
        finally:
            guard.readers.remove(own)

    def _first_hits(self, slots: Integers, found: HitColumns, *, single: bool) -> Any:
        """Return hits of moving shapes as the user gets them."""
        rows = np.where(found.hit, self._slots.tree.rows[slots], -1)
        if not single:
            return CastColumns(found.hit, found.fraction, found.point, found.normal, rows, found.overlapping)
        return row_hit(cast_numbers(found, rows.item(0))) if found.hit[0] else None

    @overload
    def pairs(
        self, *, within: float = 0.0, touching: bool = True, block: None = None, **options: Unpack[SearchOptions]
    ) -> Rows32: ...

    @overload
    def pairs(
        self, *, within: float = 0.0, touching: bool = True, block: int, **options: Unpack[SearchOptions]
    ) -> Iterator[Rows32]: ...

    @told_by_name
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
    def contacts(
        self, *, within: float = 0.0, touching: bool = True, block: None = None, **options: Unpack[SearchOptions]
    ) -> PairContacts: ...

    @overload
    def contacts(
        self, *, within: float = 0.0, touching: bool = True, block: int, **options: Unpack[SearchOptions]
    ) -> Iterator[PairContacts]: ...

    @told_by_name
    def contacts(
        self,
        *,
        within: float = 0.0,
        touching: bool = True,
        method: Method = "auto",
        block: int | None = None,
        threads: int = 1,
    ) -> Any:
        """Return all pairs of rows that touch, overlap or are near, with normal, depth and contact points.

        Parameters
        ----------
        within, touching, method, block, threads
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
        found = contacts_of("Index.contacts", side, None, within, touching, method, block, threads)
        if block is None:
            return found._replace(pairs=rows[found.pairs])
        return (some._replace(pairs=rows[some.pairs]) for some in found)

    def _for_pairs(self, where: str) -> tuple[Rows32, Side]:
        """Return the numbers of the rows in use, and these rows with their layers."""
        with self._reading:
            rows = self._slots.rows
            layers = self._slots.tree.layers[self._slots.slot_of[rows]]
            masks = self._masks[rows]
            shapes = self._row_shapes.of(rows)
        return rows.astype(np.int32), Side(shapes, layers, masks, shapes._proxies.owner)

    def _asked(self, where: str, shape: Shape | Shapes, mask: Any, ignore: Any) -> Queries:
        """Return shapes as queries, a Compound as its parts."""
        if isinstance(shape, Compound):
            return things.part_queries(shape, *self._filters(where, 1, mask, ignore, True))
        records, starts = run(where, "shape", shape)
        single = not isinstance(shape, Shapes)
        return shape_queries(records, starts, *self._filters(where, starts.size, mask, ignore, single))

    def _rays(
        self, where: str, origin: Any, translation: Any, mask: Any, ignore: Any
    ) -> tuple[tuple[int, ...], Queries, Floats]:
        """Return the leading shape of the rays, () of one, the origins as queries, and the translations."""
        lead, starts, motions, single = rays_of(where, origin, translation)
        if lead is not None:
            mask, ignore = spread(where, "mask", mask, lead), spread(where, "ignore", ignore, lead)
        asked = point_queries(starts, *self._filters(where, len(motions), mask, ignore, single))
        return lead or (len(motions),) * (not single), asked, motions

    def _filters(self, where: str, count: int, mask: Any, ignore: Any, single: bool) -> tuple[Integers, Integers]:
        """Return the mask of each query, (n,), and the rows it ignores, (n, k)."""
        return filters_of(where, self._layers.asked(), self._slots.slot_of.size, count, mask, ignore, single)


def _restored(kind: type[Index], state: dict[str, Any]) -> Index:
    """Return an Index as it was pickled."""
    index = kind.__new__(kind)
    vars(index).update(state)
    return index
