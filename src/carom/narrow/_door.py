"""From a user's shape to the record that kernels read: the one check of every verb's arguments.

In: whatever the user passed as a shape, a point or points. Out: float64 records and flat point arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom import _arrays
from carom._typing import Floats
from carom.shapes import Shape


def record(verb: str, name: str, shape: Any) -> Floats:
    """Return the record of one shape."""
    if not isinstance(shape, Shape):
        hint = "; for a position use Point(position)" if isinstance(shape, (tuple, list, np.ndarray)) else ""
        expected = "must be a shape (Point, Segment, Circle, Capsule, Box or Polygon)"
        _arrays.refuse(TypeError, verb, name, shape, f"{expected}, not {type(shape).__name__}{hint}")
    return shape._record


def records(verb: str, a: Any, b: Any) -> tuple[Floats, Floats]:
    """Return the records of a pair of shapes."""
    try:
        first, second = a._record, b._record
        if type(first) is np.ndarray and type(second) is np.ndarray:
            return first, second
    except AttributeError:
        pass
    return record(verb, "a", a), record(verb, "b", b)


def points_of(verb: str, name: str, value: Any) -> tuple[Floats, bool]:
    """Return points as (n, 2), and whether a single point was given."""
    if isinstance(value, np.ndarray):
        single = value.ndim == 1
    else:
        single = hasattr(value, "__len__") and len(value) == 2 and not hasattr(value[0], "__len__")
    rows = [_arrays.point(verb, name, value)] if single else _arrays.points(verb, name, value)
    return np.array(rows, dtype=np.float64).reshape(-1, 2), single
