"""What rays and moving shapes hit: questions to an index about paths.

In: rays, or shapes with their motions, with the layers they see and the rows they pass through. Out: first hits, or all
in order, the same to the last bit as if each had asked each shape. User's frame and units; radians.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from carom._core.inputs import PointLike, PointsLike
from carom._core.threads import checked
from carom._core.types import Floats, Integers
from carom.broad.answers import CastColumns, RayHitLists, RowHit, RowRayHit
from carom.broad.find_pairs import ALL
from carom.broad.index_arguments import are_many, shapes_of, vectors_of
from carom.broad.index_rows import IndexRows
from carom.broad.queries import Queries, offsets_of, queries_of_points
from carom.broad.search_hits import all_hits, first_hits_of_points, first_hits_of_shapes, first_hits_of_turning
from carom.narrow.cast import HitColumns
from carom.narrow.dispatch import run
from carom.narrow.ray import RayHitColumns, ray_columns
from carom.narrow.rows.rotating_cast import turns_and_pivots
from carom.shapes.set import Shapes
from carom.vector import Vec


class Hits(IndexRows):
    """The questions about paths; see `Index`."""

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
        shapes : a shape, Shapes, or an iterable of shapes
            As many as there are motions, or one for all.
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
        RowHit or None for one shape with one motion; CastColumns for many
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
        value = shapes_of(where, "shapes", shapes)
        records, starts = run(where, "shapes", value)
        lengths = [len(value)] if isinstance(value, Shapes) else []
        lengths += [len(column) for column in (translations, pivots) if are_many(column)]
        lengths += [len(rotations)] if isinstance(rotations, (list, tuple)) else []
        lengths += [len(rotations)] if isinstance(rotations, np.ndarray) and rotations.ndim else []
        count = starts.size if starts.size != 1 else next((length for length in lengths if length != 1), 1)
        motions = vectors_of(where, "translations", translations, count)
        shared, names = checked(where, threads), ("rotations", "pivots")
        turns, about = turns_and_pivots(value, rotations, pivots, count, where, names)
        starts = np.repeat(starts, count) if starts.size == 1 else starts
        asked = Queries(records, starts, *self._filters(where, count, mask, ignore, not lengths))
        self._slots.prepare(count)
        tree = self._slots.tree
        if turns.any():
            slots, found = first_hits_of_turning(where, tree, asked, motions, turns, about, shared)
        else:
            slots, found = first_hits_of_shapes(tree, asked, motions, shared)
        rows = np.where(found.hit, tree.rows[slots], -1)
        if lengths:
            return CastColumns(found.hit, found.fraction, found.point, found.normal, rows, found.overlapping)
        return _row_hit(found, rows.item(0))

    def _rays(
        self, where: str, origins: Any, translations: Any, mask: Any, ignore: Any
    ) -> tuple[bool, Floats, Floats, Integers, Integers]:
        """Return whether it is one ray, then origins, translations, masks and ignored rows, one a ray."""
        lengths = [len(value) for value in (origins, translations) if are_many(value)]
        count = next((length for length in lengths if length != 1), 1)
        starts = vectors_of(where, "origins", origins, count)
        motions = vectors_of(where, "translations", translations, count)
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
