"""Features of contacts with the vertex numbers that the user gave, in place of those of cleaned outlines.

In: a shape or a set, and features of it: k for a vertex, -1 - k for an edge, k counted in the cleaned outline. Out: the
same with `vertex_ids`. Shapes without numbers of their own keep what they have.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom._core.types import Integers
from carom.shapes.basic import Polygon
from carom.shapes.set import Shapes
from carom.shapes.set_make import numbers
from carom.shapes.set_rows import first_points


def own(shape: Any, feature: int) -> int:
    """Return a feature of one shape."""
    if not isinstance(shape, Polygon):
        return feature
    return shape.vertex_ids[feature] if feature >= 0 else -1 - shape.vertex_ids[-1 - feature]


def features_type(*shapes: Any) -> np.dtype[Any]:
    """Return the dtype that holds the features of all rows: int32 where it can."""
    kind: np.dtype[Any] = np.dtype(np.int32)
    for ids in map(_ids, shapes):
        if ids is None or not ids.size:
            continue
        if ids.dtype == object:
            return ids.dtype
        if max(int(ids.max()), -1 - int(ids.min())) >= 2**31:
            kind = np.dtype(np.int64)
    return kind


def own_columns(a: Any, b: Any, counts: NDArray[np.int8], features: NDArray[Any]) -> NDArray[Any]:
    """Return the features of rows: (n, 2, 2), of each of up to two points that of A and that of B.

    Parameters
    ----------
    a, b : a shape or Shapes
        The sets whose rows they are; one shape stands for all rows.
    counts : (n,) int8
        How many points each row has; the features of what it does not have stay 0.
    features : (n, 2, 2) int32
        Overwritten where its type can hold the numbers.
    """
    if _ids(a) is None and _ids(b) is None:
        return features
    features = features.astype(features_type(a, b), copy=False)
    for side, shape in enumerate((a, b)):
        ids = _ids(shape)
        if ids is None:
            continue
        first: Any = 0
        if isinstance(shape, Shapes):
            first = first_points(shape._proxies)[:-1]
            first = first if len(first) == len(counts) else first[0]
        for point in range(2):
            has = counts > point
            column = features[has, point, side]
            begin: Integers | int = first[has] if np.ndim(first) else first
            whole = ids[begin + np.where(column >= 0, column, -1 - column).astype(np.int64)]
            features[has, point, side] = np.where(column >= 0, whole, -1 - whole)
    return features


def _ids(shape: Any) -> NDArray[Any] | None:
    """Return the user's number of each core point, one row after the other; None where they are 0, 1, 2, ..."""
    if isinstance(shape, Shapes):
        return shape._proxies.ids
    if isinstance(shape, Polygon):
        return numbers(shape.vertex_ids)
    return None
