"""What all sets of shapes share, however they are made: frozen, their rows taken, moved, turned, compared and printed.

In: `Records` (see `column_rows`), and the user's row numbers, vectors and angles. Out: columns, single values, or other
sets. World frame, user's units; angles in radians.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.types import Columns, Floats, Integers
from carom.shapes import proxy_writers, set_move, set_rows
from carom.shapes.base import Shape, restored
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment
from carom.shapes.box import Box
from carom.shapes.proxy import AABB, COUNT, DISC, OBB, POINTS, POLYGON, RADIUS, STADIUM, STRIDE
from carom.shapes.set_rows import Records

_UNASKED = object()


class ShapeSet:
    """What `Shapes` are once they are made: rows that do not change. All but making, saving and loading."""

    __slots__ = ("_buffer", "_closed_form", "_records", "_starts", "_turned_boxes")
    _buffer: Floats
    _starts: Integers
    _records: Records
    _closed_form: Any  # kind and columns, None, or _UNASKED: looked for at the first question that could use it
    _turned_boxes: Any  # the columns of contacts, or _UNASKED

    def _set(self, records: Records) -> Self:
        object.__setattr__(self, "_buffer", records.buffer)
        object.__setattr__(self, "_starts", records.starts)
        object.__setattr__(self, "_records", records)
        object.__setattr__(self, "_closed_form", _UNASKED)
        object.__setattr__(self, "_turned_boxes", _UNASKED)
        return self

    @classmethod
    def _of(cls, records: Records) -> Self:
        return object.__new__(cls)._set(records)

    @property
    def owner(self) -> Integers:
        """For each row the number of the input it came from, (n,): parts of one Compound or geometry share it.

        Rows taken, moved or turned keep it; a row taken again is a copy, counted on as `concatenate` does, so that the
        copies are not one thing. Equality does not look at it.
        """
        owner = set_rows.owner_of(self._records)
        return owner if self._records.owner is None else owner.copy()

    @property
    def bounds(self) -> Floats:
        """The least AABB of each row that contains it: (n, 4), min x, min y, max x, max y."""
        table = np.empty((len(self), 4))
        proxy_writers.record_bounds(self._buffer, self._starts, table)
        return table

    @property
    def positions(self) -> Floats:
        """The centre, midpoint or centroid of each row: (n, 2)."""
        return set_move.positions(self._records)

    @property
    def radii(self) -> Floats:
        """How far each row reaches beyond its core: (n,)."""
        return self._buffer[self._starts + RADIUS]

    def _columns_of_one_kind(self) -> tuple[float, Columns] | None:
        """Return kind and columns of a set of discs, or of boxes of one kind without radius; None for any other.

        Discs: x, y, radius. AABBs: lower x, y, upper x, y. OBBs: centre x, y, half extents, cosine, sine.
        """
        if self._closed_form is _UNASKED:
            object.__setattr__(self, "_closed_form", set_rows.closed_form(self._records))
        found: tuple[float, Columns] | None = self._closed_form
        return found

    def _columns_of_contacts(self) -> tuple[float, Columns] | None:
        """Return the same but for turned boxes: of them all that their records tell (`column_forms.turned_boxes`)."""
        found = self._columns_of_one_kind()
        if found is None or found[0] != OBB:
            return found
        if self._turned_boxes is _UNASKED:
            object.__setattr__(self, "_turned_boxes", set_rows.turned_boxes(self._records))
        return OBB, self._turned_boxes

    def translated(self, vectors: ArrayLike) -> Self:
        """Return the set moved by one vector (x, y) or one for each row, (n, 2), each row as the single value moves."""
        where = "Shapes.translated"
        return self._of(set_move.translated(where, self._records, self._vectors(where, "vectors", vectors)))

    def rotated(self, angles: ArrayLike, pivots: ArrayLike | None = None) -> Self:
        """Return the set turned, each row as the single value turns.

        Parameters
        ----------
        angles : (n,) array of radians, or one for all
        pivots : (n, 2) array of numbers, or one (x, y) for all, optional
            The points that stay in place; the rows' positions if not given.

        Examples
        --------
        >>> import math
        >>> cm.Shapes([cm.Circle((1, 0), 1), cm.Box((2, 0), (2, 1))]).rotated(math.pi / 2, (0, 0))
        <Shapes: 2 rows: Circle((0.0, 1.0), 1.0), Box((0.0, 2.0), (1.0, 2.0))>
        """
        where = "Shapes.rotated"
        turns = inputs.column(where, "angles", angles, len(self))
        about = None if pivots is None else self._vectors(where, "pivots", pivots)
        return self._of(set_move.rotated(where, self._records, turns, about))

    def placed(self, positions: ArrayLike, angles: ArrayLike = 0.0) -> Self:
        """Return the set with the rows' positions there, each row turned about it as the single value's `placed` does.

        Parameters
        ----------
        positions : (n, 2) array of numbers, or one (x, y) for all
            Where the centres, midpoints and centroids go.
        angles : (n,) array of radians, or one for all
            Beyond the orientation that each row has.

        Notes
        -----
        Parts of a Compound are rows of their own and would each go to their position. To move whole inputs, take
        their rows by `owner`: ``many.translated(vectors[many.owner])``.

        Examples
        --------
        >>> cm.Shapes.repeat(cm.Box((0, 0), (2, 1)), 2).placed([(1, 0), (5, 0)], [0, 0.5])
        <Shapes: 2 rows: Box((1.0, 0.0), (2.0, 1.0)), Box((5.0, 0.0), (2.0, 1.0), 0.5)>
        """
        where = "Shapes.placed"
        at = self._vectors(where, "positions", positions)
        turns = inputs.column(where, "angles", angles, len(self))
        return self._of(set_move.placed(where, self._records, at, turns))

    def _vectors(self, where: str, name: str, value: ArrayLike) -> Floats:
        return np.array(inputs.vectors(where, name, value, len(self)), order="C")

    def _value(self, row: int) -> Shape:
        records, begin = self._records, self._starts.item(row)
        kind, count = self._buffer.item(begin), int(self._buffer.item(begin + COUNT))
        record = np.array(self._buffer[begin : begin + POINTS + STRIDE * count])
        detail = None
        if kind == OBB:
            detail = tuple(records.sizes[row].tolist()) if records.sizes is not None else None
        elif kind == POLYGON:
            first = (begin - POINTS * row) // STRIDE
            detail = tuple(range(count) if records.ids is None else records.ids[first : first + count].tolist())
        sharp, rounded = _CLASSES[kind]
        return restored(rounded if record.item(RADIUS) > 0.0 else sharp, record, detail)

    @overload
    def __getitem__(self, key: int) -> Shape: ...

    @overload
    def __getitem__(self, key: slice | ArrayLike) -> Self: ...

    def __getitem__(self, key: Any) -> Any:
        """Return one row as a value, or the rows of a slice, a mask or an array of row numbers as a set."""
        if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
            if not -len(self) <= key < len(self):
                raise IndexError(f"Shapes: row {key} of {len(self)}")
            return self._value(int(key) % len(self))
        if isinstance(key, slice) and key.step in (None, 1):
            begin, end, _ = key.indices(len(self))
            return self._of(set_rows.part(self._records, begin, end))
        rows = np.arange(len(self))[key]
        if rows.ndim != 1:
            raise IndexError("Shapes: rows are taken by a number, a slice, a mask or an array of numbers")
        return self._of(set_rows.take(self._records, rows))

    def __len__(self) -> int:
        return int(self._starts.size)

    def __iter__(self) -> Iterator[Shape]:
        return map(self._value, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ShapeSet):
            return NotImplemented
        return set_rows.are_equal(self._records, other._records)

    __hash__ = None  # type: ignore[assignment]  # a set is as large as its rows

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3])) + (", ..." if len(self) > 3 else "")
        return f"<Shapes: {len(self)} rows: {shown}>" if len(self) else "<Shapes: no rows>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Shapes.{name} cannot be set: sets of shapes do not change; make a new one")


_CLASSES: dict[float, tuple[type[Shape], type[Shape]]] = {
    DISC: (Point, Circle),
    STADIUM: (Segment, Capsule),
    AABB: (Box, Box),
    OBB: (Box, Box),
    POLYGON: (Polygon, Polygon),
}
