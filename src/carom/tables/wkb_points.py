"""Points in well-known binary, read where they lie.

In: an Arrow array of WKB. Out: the coordinates, if all of it are points of the plane in the usual form: one byte for
the order of bytes, four for the kind, eight for each coordinate. Geometry by geometry such a column takes thirty times
longer.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from carom._core.types import Floats
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
