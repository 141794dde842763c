"""Columns of polygons as rings, read where they lie: WKB and GeoArrow, without an object a row.

In: an Arrow array. Out: the points of all rings, one behind the other, and whose they are; or None where anything but
polygons of the plane in the usual form is there, which is read geometry by geometry.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from carom import Shapes, inner, kernel
from carom.tables.arrays import Bytes, Floats, Integers

POLYGON, MULTIPOLYGON = 3, 6
"""The numbers of these kinds in WKB; that of what has a third coordinate is another."""
HEAD = 5
"""Bytes in front of a geometry: the order of bytes, and the kind."""


class RingTable(NamedTuple):
    """Polygons by their rings, as `Shapes.from_rings` takes them."""

    points: Floats
    rings: Integers
    polygons: Integers
    owner: Integers
    inputs: int

    def shapes(self, **options: Any) -> Shapes:
        """Return the shapes of all polygons."""
        return Shapes.from_rings(self.points, self.rings, self.polygons, self.owner, copy=False, **options)

    def bounds(self) -> Floats:
        """Return the box of each input, NaN of those without a polygon."""
        found = np.full((self.inputs, 4), np.nan)
        _write_bounds(self.points, self.rings, self.polygons, self.owner, found)
        return found


def rings_of(encoding: str, stored: pa.Array) -> RingTable | None:
    """Return the rings of a column, or None where it holds something else."""
    if encoding == "wkb":
        return _of_wkb(stored)
    return _of_lists(stored) if encoding in ("polygon", "multipolygon") else None


def _of_lists(stored: pa.Array) -> RingTable | None:
    """Return the rings of a GeoArrow column."""
    inner_most, offsets = stored, []
    while pa.types.is_list(inner_most.type) or pa.types.is_large_list(inner_most.type):
        if inner_most.null_count:
            return None
        starts = np.asarray(inner_most.offsets).astype(np.int64)
        offsets.append(starts - starts[0])
        inner_most = inner_most.flatten()
    if len(offsets) not in (2, 3):
        return None
    if pa.types.is_struct(inner_most.type):
        columns = [np.asarray(inner_most.field(name)) for name in ("x", "y")]
        points = np.column_stack(columns)
    else:
        points = np.asarray(inner_most.flatten()).reshape(len(inner_most), -1)[:, :2]
    parts = offsets[0] if len(offsets) == 3 else np.arange(len(stored) + 1)
    owner = np.repeat(np.arange(len(stored)), np.diff(parts))
    return RingTable(np.array(points, dtype=np.float64, order="C"), offsets[-1], offsets[-2], owner, len(stored))


def _of_wkb(stored: pa.Array) -> RingTable | None:
    """Return the rings of a column of WKB."""
    if not (pa.types.is_binary(stored.type) or pa.types.is_large_binary(stored.type)) or not len(stored):
        return None
    present, ends, data = stored.buffers()
    if ends is None or data is None or (stored.null_count and present is None):
        return None
    kind = np.int64 if pa.types.is_large_binary(stored.type) else np.int32
    offsets = np.frombuffer(ends, kind)[stored.offset : stored.offset + len(stored) + 1].astype(np.int64)
    there = stored.is_valid().to_numpy(zero_copy_only=False)
    if ((np.diff(offsets) > 0) != there).any():  # bytes where nothing is, or nothing where bytes should be
        return None
    whole = np.frombuffer(data, np.uint8)
    whole.flags.writeable = False  # of some buffers it is, and to the compiler that is another type
    counts = np.zeros(3, dtype=np.int64)
    nothing = np.zeros(0, dtype=np.int64)
    if not _walk(whole, offsets, counts, np.zeros(0, dtype=np.uint8), nothing, nothing, nothing):
        return None
    polygons, rings, points = counts.tolist()
    out = np.empty((points, 2))
    begins, first, owner = (np.zeros(n, dtype=np.int64) for n in (rings + 1, polygons + 1, polygons))
    _walk(whole, offsets, counts, out.reshape(-1).view(np.uint8), begins, first, owner)
    return RingTable(out, begins, first, owner, len(stored))


@kernel
def _write_bounds(points: Floats, begins: Integers, first: Integers, owner: Integers, out: Floats) -> None:
    for polygon in range(owner.shape[0]):
        row, start = owner[polygon], begins[first[polygon]]
        if math.isnan(out[row, 0]):
            out[row, 0], out[row, 1] = points[start, 0], points[start, 1]
            out[row, 2], out[row, 3] = points[start, 0], points[start, 1]
        for k in range(start, begins[first[polygon] + 1]):
            x, y = points[k, 0], points[k, 1]
            out[row, 0], out[row, 1] = min(out[row, 0], x), min(out[row, 1], y)
            out[row, 2], out[row, 3] = max(out[row, 2], x), max(out[row, 3], y)


@inner
def _count_at(data: Bytes, at: int) -> int:
    """Return the whole number of four bytes, lowest first."""
    low = int(data[at]) + 256 * int(data[at + 1])
    return low + 65536 * (int(data[at + 2]) + 256 * int(data[at + 3]))


@inner
def _kind_at(data: Bytes, at: int, end: int) -> int:
    """Return the kind of the geometry that begins there, or -1."""
    return _count_at(data, at + 1) if at + HEAD + 4 <= end and data[at] == 1 else -1


@inner
def _copy(data: Bytes, begin: int, count: int, out: Bytes, to: int) -> None:
    """Copy bytes; unsigned places are never counted from the end, so the compiler makes it one copy of memory."""
    source, target = np.uint64(begin), np.uint64(to)
    for k in range(np.uint64(count)):
        out[target + k] = data[source + k]


@kernel
def _walk(
    data: Bytes,
    offsets: Integers,
    counts: Integers,
    out_points: Bytes,
    out_begins: Integers,
    out_first: Integers,
    out_owner: Integers,
) -> bool:
    """Count polygons, rings and points, or write these where there is room; tell whether all rows are polygons."""
    writes = out_owner.shape[0] > 0
    polygons, rings, points = 0, 0, 0
    for row in range(offsets.shape[0] - 1):
        at, end = offsets[row], offsets[row + 1]
        if at == end:
            continue
        kind, parts = _kind_at(data, at, end), 1
        if kind == MULTIPOLYGON:
            parts = _count_at(data, at + HEAD)
            at += HEAD + 4
        elif kind != POLYGON:
            return False
        for _ in range(parts):
            if _kind_at(data, at, end) != POLYGON:
                return False
            own = _count_at(data, at + HEAD)
            at += HEAD + 4
            kept = 0
            for _ in range(own):
                if at + 4 > end:
                    return False
                size = _count_at(data, at)
                at += 4
                if at + 16 * size > end or 0 < size < 4:
                    return False
                if size == 0:
                    continue
                if writes:
                    _copy(data, at, 16 * size, out_points, 16 * points)
                    out_begins[rings + 1] = points + size
                at += 16 * size
                points += size
                rings += 1
                kept += 1
            if kept > 0:
                if writes:
                    out_first[polygons + 1], out_owner[polygons] = rings, row
                polygons += 1
        if at != end:
            return False
    counts[0], counts[1], counts[2] = polygons, rings, points
    return True
