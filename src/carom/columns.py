"""Shapes: many shapes as columns, one row each.

In: arrays of centres, sizes, vertices, or a list of values. Out: an immutable set that every verb takes in place of one
shape, row by row. World frame, user's units; angles in radians.

Inside, a set is one buffer of records (see `_records`) and where each record starts, whatever the kinds: a row has the
same numbers, bit for bit, as the single value of the same shape. What a record cannot hold (the size and angle of a
turned box, the vertex numbers of a polygon) stands beside it in `_details`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom import _arrays
from carom import _records as rec
from carom._shape import Shape, restored
from carom._typing import Columns, Floats, Integers
from carom.boxes import Box
from carom.column_records import (
    are_convex,
    copy_records,
    in_world,
    make_records,
    record_bounds,
    starts_of,
    turned_box_points,
)
from carom.shapes import Capsule, Circle, Point, Polygon, Segment
from carom.tolerances import SMALLEST_SIZE
from carom.vector import quarter_turns

_UNASKED = object()

# What each row keeps beside its record: nothing, or one entry a row (None, a box's size and angle, vertex numbers).
Details = Sequence[Any] | NDArray[np.float64] | None


class Shapes:
    """Many shapes, one a row, that every verb takes in place of one.

    Parameters
    ----------
    values : iterable of shapes
        Any kinds, in any order. From arrays, `Shapes.points`, `segments`, `circles`, `capsules`, `boxes` and `polygons`
        make a set without a Python loop.

    Examples
    --------
    >>> many = cm.Shapes([cm.Circle((0, 0), 1), cm.Box((5, 0), (2, 2))])
    >>> len(many), many[1]
    (2, Box((5.0, 0.0), (2.0, 2.0)))
    >>> cm.intersects(many, cm.Circle((1.5, 0), 1))
    array([ True, False])
    """

    __slots__ = ("_buffer", "_closed_form", "_details", "_starts")
    _buffer: Floats
    _starts: Integers
    _details: Details
    _closed_form: Any  # kind and columns, None, or _UNASKED: looked for at the first question that could use it

    def __init__(self, values: Iterable[Shape] = ()) -> None:
        rows = _arrays.listed("Shapes", "values", values, "shapes")
        for row, value in enumerate(rows):
            if not isinstance(value, Shape):
                _arrays.refuse(
                    TypeError, "Shapes", f"values[{row}]", value, f"must be a shape, not {type(value).__name__}"
                )
        records = [value._record for value in rows]
        starts = starts_of(np.array([record.size for record in records], dtype=np.int64))
        buffer = np.concatenate(records) if rows else np.zeros(0)
        details = [value._detail for value in rows]
        self._set(buffer, starts, details if any(detail is not None for detail in details) else None)

    def _set(self, buffer: Floats, starts: Integers, details: Details) -> Self:
        object.__setattr__(self, "_buffer", buffer)
        object.__setattr__(self, "_starts", starts)
        object.__setattr__(self, "_details", details)
        object.__setattr__(self, "_closed_form", _UNASKED)
        return self

    @classmethod
    def _of(cls, buffer: Floats, starts: Integers, details: Details = None) -> Self:
        return object.__new__(cls)._set(buffer, starts, details)

    @classmethod
    def points(cls, positions: ArrayLike) -> Self:
        """Return points at `positions` (n, 2)."""
        at = _arrays.table("Shapes.points", "positions", positions, 2)
        return cls._discs(at, np.zeros(len(at)))

    @classmethod
    def circles(cls, centers: ArrayLike, radii: ArrayLike) -> Self:
        """Return circles with `centers` (n, 2) and `radii` (n,) or one for all."""
        at = _arrays.table("Shapes.circles", "centers", centers, 2)
        return cls._discs(at, _arrays.size_column("Shapes.circles", "radii", radii, len(at)))

    @classmethod
    def _discs(cls, at: Floats, radii: Floats) -> Self:
        n = len(at)
        kinds = np.full(n, rec.DISC)
        return cls._of(*make_records(kinds, np.zeros((n, 2)), np.arange(n + 1), radii, at, np.zeros(n, dtype=np.bool_)))

    @classmethod
    def segments(cls, starts: ArrayLike, ends: ArrayLike) -> Self:
        """Return segments from `starts` (n, 2) to `ends` (n, 2)."""
        return cls._stadiums("Shapes.segments", starts, ends, None)

    @classmethod
    def capsules(cls, starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> Self:
        """Return capsules from `starts` (n, 2) to `ends` (n, 2) with `radii` (n,) or one for all."""
        return cls._stadiums("Shapes.capsules", starts, ends, radii)

    @classmethod
    def _stadiums(cls, where: str, starts: ArrayLike, ends: ArrayLike, radii: ArrayLike | None) -> Self:
        a = _arrays.table(where, "starts", starts, 2)
        b = _arrays.table(where, "ends", ends, 2, len(a))
        r = np.zeros(len(a)) if radii is None else _arrays.size_column(where, "radii", radii, len(a))
        short = np.abs(b - a).max(axis=1, initial=0.0) < SMALLEST_SIZE
        if short.any():
            row = int(short.argmax())
            expected = f"must differ from starts[{row}]; did you mean Shapes.points or Shapes.circles?"
            _arrays.refuse(ValueError, where, f"ends[{row}]", tuple(b[row].tolist()), expected)
        kinds = np.full(len(a), rec.STADIUM)
        points = np.stack((a, b), axis=1).reshape(-1, 2)
        return cls._of(*in_world(kinds, points, 2 * np.arange(len(a) + 1), r))

    @classmethod
    def boxes(cls, centers: ArrayLike, sizes: ArrayLike, angles: ArrayLike = 0.0, *, radii: ArrayLike = 0.0) -> Self:
        """Return boxes with `centers` (n, 2), full `sizes` (n, 2), `angles` and `radii` (n,) or one for all."""
        where = "Shapes.boxes"
        at = _arrays.table(where, "centers", centers, 2)
        half = _arrays.table(where, "sizes", sizes, 2, len(at))
        bad = (half < SMALLEST_SIZE).any(axis=1)
        if bad.any():
            row = int(bad.argmax())
            remedy = "; did you pass corners? Use Box.from_corners"
            _arrays.sizes(where, f"sizes[{row}]", tuple(half[row].tolist()), remedy)
        turns = _arrays.column(where, "angles", angles, len(at))
        r = _arrays.column(where, "radii", radii, len(at))
        negative = r < 0.0
        if negative.any():
            row = int(negative.argmax())
            _arrays.growth(where, f"radii[{row}]", r.item(row))
        half *= 0.5
        quarters = np.full(len(at), -1)
        near_quarter = np.abs(turns / (np.pi / 2) - np.rint(turns / (np.pi / 2))) < 1e-9
        for row in np.flatnonzero(near_quarter & (turns != 0.0)).tolist():
            known = quarter_turns(turns.item(row))
            quarters[row] = -1 if known is None else known
        quarters[turns == 0.0] = 0
        straight = quarters >= 0
        swapped = (quarters == 1) | (quarters == 3)
        half[swapped] = half[swapped, ::-1]
        points = np.empty((4 * len(at), 2))
        turned_box_points(turns, quarters, half, points)
        corners = points.reshape(-1, 4, 2)
        lower, upper = at[straight] - half[straight], at[straight] + half[straight]
        corners[straight, 0] = lower
        corners[straight, 1] = np.stack((upper[:, 0], lower[:, 1]), axis=1)
        corners[straight, 2] = upper
        corners[straight, 3] = np.stack((lower[:, 0], upper[:, 1]), axis=1)
        lost = (upper <= lower).any(axis=1)
        if lost.any():
            row = int(np.flatnonzero(straight)[lost.argmax()])
            expected = f"is lost to rounding at centers[{row}] = {tuple(at[row].tolist())}"
            _arrays.refuse(ValueError, where, f"sizes[{row}]", tuple((2.0 * half[row]).tolist()), expected)
        turned = ~straight
        ax, ay, bx, by = corners[turned, 0, 0], corners[turned, 0, 1], corners[turned, 1, 0], corners[turned, 1, 1]
        for row in np.flatnonzero(turned)[ax * by - ay * bx <= 1e-9 * (ax * ax + ay * ay)].tolist():
            try:
                Box(at[row], 2.0 * half[row], turns.item(row))  # refuses what is too thin to be turned
            except ValueError as error:
                raise ValueError(f"{where}: sizes[{row}]: {error}") from None
        kinds = np.where(straight, rec.AABB, rec.OBB)
        first = 4 * np.arange(len(at) + 1)
        at[straight] = 0.0
        buffer, starts = make_records(kinds, points, first, r, at, straight)
        details = None if straight.all() else np.column_stack((2.0 * half, turns))
        return cls._of(buffer, starts, details)

    @classmethod
    def polygons(cls, vertices: NDArray[Any] | Sequence[ArrayLike], *, radii: ArrayLike = 0.0) -> Self:
        """Return convex polygons with `vertices` (n, k, 2), or a list of (k, 2), and `radii` (n,) or one for all.

        Outlines are cleaned as those of `Polygon`.
        """
        where = "Shapes.polygons"
        outlines: list[Floats]
        if isinstance(vertices, np.ndarray) and vertices.ndim == 3 and vertices.size and vertices.dtype.kind in "fiu":
            try:
                flat = _arrays.table(where, "vertices", vertices.reshape(-1, vertices.shape[2]), 2)
            except ValueError:  # again, for the row
                for k, outline in enumerate(vertices):
                    _arrays.table(where, f"vertices[{k}]", outline, 2)
                raise
            outlines = list(flat.reshape(-1, vertices.shape[1], 2))
            count = np.full(len(outlines), vertices.shape[1], dtype=np.int64)
        else:
            given = _arrays.listed(where, "vertices", vertices, "outlines, or an array of shape (n, k, 2)")
            outlines = [_arrays.table(where, f"vertices[{k}]", outline, 2) for k, outline in enumerate(given)]
            flat = np.concatenate(outlines) if outlines else np.zeros((0, 2))
            count = np.array([len(outline) for outline in outlines], dtype=np.int64)
        r = _arrays.column(where, "radii", radii, len(outlines))
        if (r < 0.0).any():
            row = int((r < 0.0).argmax())
            _arrays.growth(where, f"radii[{row}]", r.item(row))
        first = np.append(starts_of(count), len(flat))
        clean = np.zeros(len(outlines), dtype=np.bool_)
        are_convex(flat, first, clean)
        details: list[Any] | None = None
        if not clean.all():
            details = [tuple(range(k)) for k in count.tolist()]
            for row in np.flatnonzero(~clean).tolist():
                try:
                    polygon = Polygon(outlines[row])
                except ValueError as error:
                    raise ValueError(f"{where}: vertices[{row}]: {error}") from None
                details[row] = polygon._detail
                position = {k: outlines[row][k] for k in range(len(outlines[row]))}
                outlines[row] = np.array([position[k] for k in polygon._detail])
            flat = np.concatenate(outlines)
            count = np.array([len(outline) for outline in outlines], dtype=np.int64)
            first = np.append(starts_of(count), len(flat))
        kinds = np.full(len(outlines), rec.POLYGON)
        return cls._of(*in_world(kinds, flat, first, r), details)

    @classmethod
    def repeat(cls, shape: Shape, count: int) -> Self:
        """Return `count` rows of one shape."""
        if not isinstance(shape, Shape):
            _arrays.refuse(TypeError, "Shapes.repeat", "shape", shape, f"must be a shape, not {type(shape).__name__}")
        (rows,) = _arrays.integers("Shapes.repeat", "count", [count], 1)
        if rows < 0:
            _arrays.refuse(ValueError, "Shapes.repeat", "count", rows, "must not be negative")
        size = shape._record.size
        if rows > sys.maxsize // (8 * size):
            _arrays.refuse(ValueError, "Shapes.repeat", "count", count, "is more than any memory holds")
        details = None if shape._detail is None else [shape._detail] * rows
        return cls._of(np.tile(shape._record, rows), size * np.arange(rows), details)

    @classmethod
    def concatenate(cls, sets: Iterable[Shapes]) -> Self:
        """Return the rows of several sets, one set behind the other."""
        parts = _arrays.listed("Shapes.concatenate", "sets", sets, "sets of shapes")
        for k, part in enumerate(parts):
            if not isinstance(part, Shapes):
                _arrays.refuse(TypeError, "Shapes.concatenate", f"sets[{k}]", part, "must be Shapes")
        if not parts:
            return cls._of(np.zeros(0), np.zeros(0, dtype=np.int64))
        before = starts_of(np.array([part._buffer.size for part in parts], dtype=np.int64))
        starts = np.concatenate([part._starts + at for part, at in zip(parts, before.tolist(), strict=True)])
        details = None
        if any(part._details is not None for part in parts):
            details = [detail for part in parts for detail in map(part._detail, range(len(part)))]
        return cls._of(np.concatenate([part._buffer for part in parts]), starts, details)

    @property
    def bounds(self) -> Floats:
        """The least AABB of each row that contains it: (n, 4), min x, min y, max x, max y."""
        table = np.empty((len(self), 4))
        record_bounds(self._buffer, self._starts, table)
        return table

    @property
    def closed_form(self) -> tuple[float, Columns] | None:
        """Kind and columns of a set of discs, or of boxes of one kind without radius; None for any other.

        Discs: x, y, radius. AABBs: lower x, y, upper x, y. OBBs: centre x, y, half extents, cosine, sine.
        """
        if self._closed_form is _UNASKED:
            object.__setattr__(self, "_closed_form", self._find_closed_form())
        found: tuple[float, Columns] | None = self._closed_form
        return found

    def _find_closed_form(self) -> tuple[float, Columns] | None:
        if not len(self):
            return None
        kinds = self._buffer[self._starts + rec.KIND]
        kind = kinds.item(0)
        radii = self._buffer[self._starts + rec.RADIUS]
        if kind not in (rec.DISC, rec.AABB, rec.OBB) or (kinds != kind).any() or (kind != rec.DISC and radii.any()):
            return None
        origin = self._buffer[self._starts + rec.X], self._buffer[self._starts + rec.Y]
        if kind == rec.DISC:
            return kind, np.stack((*origin, radii))
        if kind == rec.AABB:
            lower, upper = self._corners(np.arange(len(self)))
            return kind, np.concatenate((lower.T, upper.T))
        first, second, last = (self._starts + rec.POINTS + k * rec.STRIDE for k in (0, 1, 3))
        c, s = -self._buffer[first + 3], self._buffer[first + 2]
        x, y = self._buffer[first], self._buffer[first + 1]
        half_x = (c * (self._buffer[second] - x) + s * (self._buffer[second + 1] - y)) * 0.5
        half_y = (c * (self._buffer[last + 1] - y) - s * (self._buffer[last] - x)) * 0.5
        return kind, np.stack((*origin, half_x, half_y, c, s))

    def translated(self, vectors: ArrayLike) -> Self:
        """Return the set moved by one vector (x, y) or one for each row, (n, 2), each row as the single value moves."""
        where = "Shapes.translated"
        by = _arrays.vectors(where, "vectors", vectors, len(self))
        buffer = self._buffer.copy()
        buffer[self._starts + rec.X] += by[:, 0]
        buffer[self._starts + rec.Y] += by[:, 1]
        straight = np.flatnonzero(self._buffer[self._starts + rec.KIND] == rec.AABB)
        if straight.size:
            lower, upper = self._corners(straight)
            lower, upper = lower + by[straight], upper + by[straight]
            if (lower >= upper).any():
                row = int(straight[(lower >= upper).any(axis=1).argmax()])
                expected = "moves the box so far that its size is lost to rounding"
                _arrays.refuse(ValueError, "Shapes.translated", f"vectors[{row}]", tuple(by[row].tolist()), expected)
            corners = np.stack(
                (lower, np.stack((upper[:, 0], lower[:, 1]), 1), upper, np.stack((lower[:, 0], upper[:, 1]), 1)), 1
            )
            radii = self._buffer[self._starts[straight] + rec.RADIUS]
            records, _ = in_world(
                np.full(straight.size, rec.AABB), corners.reshape(-1, 2), 4 * np.arange(straight.size + 1), radii
            )
            size = rec.POINTS + 4 * rec.STRIDE
            buffer[self._starts[straight][:, None] + np.arange(size)] = records.reshape(-1, size)
        return self._of(buffer, self._starts, self._details)

    def _corners(self, rows: Integers) -> tuple[Floats, Floats]:
        """Return the lower and upper corners of rows that are boxes along the axes."""
        at = self._starts[rows][:, None] + np.arange(2)
        origin, third = self._buffer[at + rec.X], at + rec.POINTS + 2 * rec.STRIDE
        return origin + self._buffer[at + rec.POINTS], origin + self._buffer[third]

    def _detail(self, row: int) -> Any:
        """Return what a single value of this row keeps beside its record."""
        kind = self._buffer.item(self._starts.item(row))
        count = int(self._buffer.item(self._starts.item(row) + rec.COUNT))
        if self._details is None:
            return tuple(range(count)) if kind == rec.POLYGON else None
        detail = self._details[row]
        if isinstance(detail, np.ndarray):
            return tuple(detail.tolist()) if kind == rec.OBB else None
        return detail

    def _value(self, row: int) -> Shape:
        begin = self._starts.item(row)
        size = rec.POINTS + rec.STRIDE * int(self._buffer.item(begin + rec.COUNT))
        record = np.array(self._buffer[begin : begin + size])
        sharp, rounded = _CLASSES[record.item(rec.KIND)]
        return restored(rounded if record.item(rec.RADIUS) > 0.0 else sharp, record, self._detail(row))

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
        rows = np.arange(len(self))[key]
        if rows.ndim != 1:
            raise IndexError("Shapes: rows are taken by a number, a slice, a mask or an array of numbers")
        counts = self._buffer[self._starts[rows] + rec.COUNT].astype(np.int64)
        sizes = rec.POINTS + rec.STRIDE * counts
        starts, buffer = starts_of(sizes), np.empty(int(sizes.sum()))
        copy_records(self._buffer, self._starts, rows, starts, buffer)
        details: Details = self._details
        if details is not None:
            details = details[rows] if isinstance(details, np.ndarray) else [details[row] for row in rows.tolist()]
        return self._of(buffer, starts, details)

    def __len__(self) -> int:
        return int(self._starts.size)

    def __iter__(self) -> Iterator[Shape]:
        return map(self._value, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shapes):
            return NotImplemented
        same = np.array_equal(self._starts, other._starts) and np.array_equal(self._buffer, other._buffer)
        return bool(same) and all(self._detail(row) == other._detail(row) for row in range(len(self)))

    __hash__ = None  # type: ignore[assignment]  # a set is as large as its rows

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3])) + (", ..." if len(self) > 3 else "")
        return f"<Shapes: {len(self)} rows: {shown}>" if len(self) else "<Shapes: no rows>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _set_restored, (self._buffer, self._starts, self._details)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Shapes.{name} cannot be set: sets of shapes do not change; make a new one")


_CLASSES: dict[float, tuple[type[Shape], type[Shape]]] = {
    rec.DISC: (Point, Circle),
    rec.STADIUM: (Segment, Capsule),
    rec.AABB: (Box, Box),
    rec.OBB: (Box, Box),
    rec.POLYGON: (Polygon, Polygon),
}


def _set_restored(buffer: Floats, starts: Integers, details: Details) -> Shapes:
    return Shapes._of(buffer, starts, details)
