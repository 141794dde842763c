"""Geometries in well-known binary: points read where they lie, and others by Shapely, curves among them left out.

In: an Arrow array of WKB, or its values. Out: the coordinates, if all of it are points of the plane in the usual form:
one byte for the order of bytes, four for the kind, eight for each coordinate; geometry by geometry such a column takes
thirty times longer. Or the geometries, None where one cannot be read: Shapely refuses a whole column with one curve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import shapely

from carom.tables.arrays import Floats
from carom.tolerances import LARGEST

HEAD = np.array([1, 1, 0, 0, 0], dtype=np.uint8)
"""Lowest bytes first, and the kind of points."""
LENGTH = len(HEAD) + 16


def places_of_points(stored: pa.Array) -> Floats | None:
    """Return x and y of each, (n, 2); None where anything is missing, empty, out of range, or another geometry."""
    if stored.null_count or not (pa.types.is_binary(stored.type) or pa.types.is_large_binary(stored.type)):
        return None
    _, ends, data = stored.buffers()
    if not len(stored) or ends is None or data is None:
        return None
    kind = np.int64 if pa.types.is_large_binary(stored.type) else np.int32
    offsets = np.frombuffer(ends, kind)[stored.offset : stored.offset + len(stored) + 1]
    if not (np.diff(offsets) == LENGTH).all():
        return None
    whole = np.frombuffer(data, np.uint8)[offsets[0] : offsets[-1]].reshape(-1, LENGTH)
    if not (whole[:, : len(HEAD)] == HEAD).all():
        return None
    places: Floats = np.ascontiguousarray(whole[:, len(HEAD) :]).view("<f8").astype(np.float64, copy=False)
    return places if (np.abs(places) <= LARGEST).all() else None


KINDS = (
    *("CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve", "MultiSurface"),
    *("Curve", "Surface", "PolyhedralSurface", "TIN", "Triangle"),
)
"""The kinds of geometries, from 8 on, that Shapely does not read."""


def from_wkb(values: Any) -> Any:
    """Return the geometries of WKB, (n,) objects; None where one is missing or cannot be read."""
    return one_by_one(shapely.from_wkb, values)


def one_by_one(read: Callable[..., Any], values: Any) -> Any:
    """Return geometries that Shapely reads all at once, or, where one stops it, each by itself."""
    try:
        return read(values, on_invalid="ignore")
    except (NotImplementedError, TypeError, ValueError, shapely.errors.ShapelyError):
        pass
    found = np.full(len(values), None, dtype=object)
    for k, value in enumerate(values):
        try:
            found[k] = read(value, on_invalid="ignore")
        except (NotImplementedError, TypeError, ValueError, shapely.errors.ShapelyError):
            continue
    return found


def why_unreadable(value: Any) -> str:
    """Return why a geometry cannot be read: its kind, if it is one that Shapely does not know."""
    if isinstance(value, bytes) and len(value) >= 5:
        kind = int.from_bytes(value[1:5], "little" if value[0] == 1 else "big") & 0x1FFFFFFF
        if 8 <= kind % 1000 < 8 + len(KINDS):
            return f"the geometry is a {KINDS[kind % 1000 - 8]}; make lines or polygons of curves first"
    return "the geometry cannot be read"
