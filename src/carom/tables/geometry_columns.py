"""Geometries in columns of text and of nested lists.

In: a column as it is stored. Out: (n,) objects of Shapely, None where one is missing or cannot be read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import shapely

from carom.tables.wkb import from_wkb, one_by_one


def from_text(texts: Any) -> Any:
    """Return the geometries of texts: WKT, or, as databases print them, EWKT and WKB in digits of 16."""
    plain = [None if text is None else text[text.find(";") + 1 :] if text[:5] == "SRID=" else text for text in texts]
    texts = np.array([*plain, None], dtype=object)[:-1]
    digits = np.array([text is not None and text[:1] == "0" for text in texts], dtype=np.bool_)
    found = np.full(len(texts), None, dtype=object)
    found[~digits] = one_by_one(shapely.from_wkt, texts[~digits])
    found[digits] = from_wkb(texts[digits])
    return found


def from_lists(encoding: str, stored: pa.Array) -> Any:
    """Return the geometries of a GeoArrow column of nested lists."""
    kinds = {
        "point": shapely.GeometryType.POINT,
        "linestring": shapely.GeometryType.LINESTRING,
        "polygon": shapely.GeometryType.POLYGON,
        "multipoint": shapely.GeometryType.MULTIPOINT,
        "multilinestring": shapely.GeometryType.MULTILINESTRING,
        "multipolygon": shapely.GeometryType.MULTIPOLYGON,
    }
    present = stored.is_valid().to_numpy(zero_copy_only=False)
    inner, offsets = stored.filter(pa.array(present)), []
    while pa.types.is_list(inner.type) or pa.types.is_large_list(inner.type):
        starts = np.asarray(inner.offsets)
        offsets.append(starts - starts[0])
        inner = inner.flatten()
    if pa.types.is_struct(inner.type):
        points = np.column_stack([np.asarray(inner.field(name)) for name in ("x", "y")])
    else:
        points = np.ascontiguousarray(np.asarray(inner.flatten()).reshape(len(inner), -1)[:, :2])
    found = np.full(len(stored), None, dtype=object)
    found[present] = shapely.from_ragged_array(kinds[encoding], points, tuple(reversed(offsets)) or None)
    return found
