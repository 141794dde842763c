"""From what the user passes to an index to what its searches take: shapes, points, distances.

In: a shape, a set, a list of shapes, points. Out: single shapes, sets, arrays; or an error that names what is wrong.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.types import Floats
from carom.narrow.dispatch import are_points, record
from carom.shapes.basic import Point, Shape
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes


def listed_shapes(where: str, name: str, shapes: Any) -> Shapes:
    """Return a set of the shapes in a list; each part of a Compound becomes a row."""
    values = inputs.listed(where, name, shapes, "Shapes, or shapes in a list")
    for row, value in enumerate(values):
        if not isinstance(value, Compound):
            record(where, f"{name}[{row}]", value)
    return Shapes(values)


def shapes_of(where: str, name: str, value: Any, *, parts: bool = False) -> Shape | Shapes:
    """Return a shape, a set, or the shapes of an iterable as a set; with `parts`, a row for each part of a Compound."""
    if isinstance(value, (Shape, Shapes)):
        return value
    if isinstance(value, (Compound, str, bytes, bytearray, type)) or not hasattr(value, "__iter__"):
        record(where, name, value)
    values = inputs.listed(where, name, value, "a shape, Shapes, or shapes in a list")
    if values and not any(isinstance(item, (Shape, Compound)) for item in values):
        record(where, name, value)  # a position, most likely
    for row, item in enumerate(values):
        if not (parts and isinstance(item, Compound)):
            record(where, f"{name}[{row}]", item)
    return Shapes(values)


def as_set(shapes: Shape | Shapes) -> Shapes:
    """Return one shape as a set of one."""
    return shapes if isinstance(shapes, Shapes) else Shapes([shapes])


def are_many(value: Any) -> bool:
    """Tell whether a value stands for many points, or for none, rather than for one."""
    none = (isinstance(value, (list, tuple)) and not value) or (isinstance(value, np.ndarray) and value.shape == (0,))
    return none or are_points(value)


def points_or_shapes(where: str, name: str, value: Any) -> Shape | Shapes:
    """Return what may be a point, points, a shape, a set, or shapes in a list."""
    if isinstance(value, (Shape, Shapes)):
        return value
    if are_many(value):
        return Shapes.points(inputs.table(where, name, value, 2))
    if isinstance(value, (list, tuple)) and isinstance(value[0], (Shape, Compound)):
        return shapes_of(where, name, value)
    return Point(inputs.point(where, name, value))


def vectors_of(where: str, name: str, value: Any, count: int) -> Floats:
    """Return one vector for each row, (count, 2), from that, from one row, or from one (x, y) for all."""
    if are_many(value):
        table = inputs.table(where, name, value, 2, None if len(value) == 1 else count)
        return np.repeat(table, count, axis=0) if len(table) != count else table
    return np.broadcast_to(inputs.point(where, name, value), (count, 2)).copy()


def is_infinite(value: Any) -> bool:
    """Tell whether a distance is the one without limit."""
    return isinstance(value, float) and value == math.inf


def distances(where: str, value: Any, count: int) -> Floats:
    """Return distances, one a query, none negative."""
    limits = inputs.column(where, "within", value, count)
    if (limits < 0.0).any():
        inputs.refuse(ValueError, where, "within", limits[limits < 0.0].item(0), "must not be negative")
    return limits
