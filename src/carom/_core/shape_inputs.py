"""The arguments of shapes, from user input to numbers: sizes, radii, rectangles, outlines, numbers of vertices.

The input is any object that a user passed; the output is plain floats, pairs of them or arrays, in the ranges that
shapes may have. The rest is refused as in `inputs`, of which this is the part for shapes alone. User's units.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from carom._core.inputs import (
    LEAST,
    NUMBERS,
    PLAIN,
    as_float64,
    checked_column,
    column,
    first_false,
    has_gaps,
    integer,
    items_of,
    number,
    point,
    refuse,
    short,
    size,
    table,
)
from carom._core.quick import built
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2

ONE_SHAPE = "must be a shape (Point, Segment, Circle, Capsule, Box, Polygon or Compound)"


def refuse_loose(usage: str, *values: Any) -> NoReturn:
    """Refuse coordinates given one by one; `usage` is the call as it should be."""
    where = usage.partition("(")[0]
    shown = ", ".join(map(short, values))
    raise TypeError(f"{where}: {len(values)} values are too many: {shown}; a point is one value: {usage}")


def growth(where: str, name: str, value: Any) -> float:
    """Return `value`, the radius a core is grown by, as a float: 0 or in [SMALLEST_SIZE, LARGEST]."""
    if type(value) is float and value == 0.0:
        return 0.0
    result = number(where, name, value)
    if result < 0.0:
        refuse(ValueError, where, name, value, "must not be negative; it grows the shape outward")
    return size(where, name, result) if result else 0.0


def sizes(where: str, name: str, value: Any, remedy: str = "") -> Point2:
    """Return `value`, a pair of sizes, as two floats in [SMALLEST_SIZE, LARGEST]."""
    if type(value) in PLAIN and len(value) == 2:
        x, y = value
        if type(x) in NUMBERS and type(y) in NUMBERS and SMALLEST_SIZE <= x <= LARGEST >= y >= SMALLEST_SIZE:
            return x + 0.0, y + 0.0
    x, y = items_of(where, name, value, 2, "a pair (width, height)")
    x, y = number(where, f"{name}[0]", x), number(where, f"{name}[1]", y)
    if x >= SMALLEST_SIZE and y >= SMALLEST_SIZE:
        return x, y
    if x <= 0.0 or y <= 0.0:
        refuse(ValueError, where, name, (x, y), "must be positive" + remedy)
    refuse(ValueError, where, name, (x, y), f"must be at least {SMALLEST_SIZE:g} each")


def rectangle(where: str, name: str, value: Any) -> tuple[float, float, float, float]:
    """Return `value`, the four numbers x, y, width, height, with positive sizes."""
    x, y, w, h = items_of(where, name, value, 4, "a rectangle (left, top, width, height)")
    if number(where, f"{name}.width", w) <= 0.0 or number(where, f"{name}.height", h) <= 0.0:
        refuse(ValueError, where, name, (x, y, w, h), "must have a positive width and height; normalize it first")
    corner = number(where, f"{name}.left", x), number(where, f"{name}.top", y)
    return *corner, size(where, f"{name}.width", w), size(where, f"{name}.height", h)


def points(where: str, name: str, value: Any) -> list[Point2]:
    """Return `value`, a sequence of pairs or an array of shape (n, 2), as a list of pairs of floats."""
    table = _table_of_array(where, name, value)
    return _listed_points(where, name, value) if table is None else [(x, y) for x, y in table.tolist()]


def points_table(where: str, name: str, value: Any) -> NDArray[np.float64]:
    """Return `value`, a sequence of pairs or an array of shape (n, 2), as a fresh array (n, 2)."""
    table = _table_of_array(where, name, value)
    return np.array(_listed_points(where, name, value)).reshape(-1, 2) if table is None else table


def line(where: str, name: str, value: Any, closed: bool) -> tuple[NDArray[np.float64], list[int]]:
    """Return the points of a line, those that are given twice in a row once, and the place of each but the first.

    The first one is the last one, too, where the line is to be closed and is not.
    """
    given = table(where, name, value, 2)
    moves = np.flatnonzero((given[1:, 0] != given[:-1, 0]) | (given[1:, 1] != given[:-1, 1]))
    kept = given[np.append(0, moves + 1)] if len(given) else given
    if len(kept) < 2:
        has = "no points" if not len(given) else "only one point, or one that is repeated"
        raise ValueError(f"{where}: {name} has {has}; a line needs two different ones, else use Shapes.points")
    if closed and len(kept) > 2 and (kept[0] != kept[-1]).any():
        kept, moves = np.vstack((kept, kept[:1])), np.append(moves, -1)
    return kept, (moves + 1).tolist()


def _table_of_array(where: str, name: str, value: Any) -> NDArray[np.float64] | None:
    """Return an array of points as a fresh array (n, 2), None for all else."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu" or has_gaps(value):
        return None
    if value.ndim != 2 or value.shape[1] != 2:
        raise ValueError(f"{where}: {name} has shape {value.shape}; it must be (n, 2), one point a row")
    table = as_float64(value)
    row = first_false(np.abs(table) <= LARGEST)
    if row >= 0:
        point(where, f"{name}[{row}]", value[row])
    return table


def _listed_points(where: str, name: str, value: Any) -> list[Point2]:
    rows = items_of(where, name, value, None, "a sequence of points (x, y) or an array of shape (n, 2)")
    result = []
    for row, item in enumerate(rows):
        # As `point` begins; a name for each row, and the call, would take twice as long as the looking.
        if type(item) in PLAIN and len(item) == 2:
            x, y = item
            if type(x) is float is type(y) and LEAST <= x <= LARGEST >= y >= LEAST:
                result.append((x + 0.0, y + 0.0))
                continue
        result.append(point(where, f"{name}[{row}]", item))
    return result


@built
def plain_table(pairs: Any) -> NDArray[np.float64] | None:
    """Return plain pairs of plain numbers as an array (n, 2), of any size and finite or not; None for all else."""
    if type(pairs) not in PLAIN:
        return None
    numbers: list[float] = []
    try:
        for pair in pairs:
            if type(pair) not in PLAIN:
                return None
            x, y = pair
            if not (type(x) is float is type(y) or (type(x) in NUMBERS and type(y) in NUMBERS)):
                return None
            numbers += x, y
        return np.array(numbers, dtype=np.float64).reshape(-1, 2) if numbers else None
    except (ValueError, OverflowError):  # no pair; an int beyond all floats
        return None


def plain_points(value: Any) -> NDArray[np.float64] | None:
    """Return points that need no looking at as a fresh array (n, 2), of any size and finite or not; None for all else.

    What nearly always comes is taken here at a quarter of the time; who gets None, or a number that is no good, asks
    `points`, which says what is wrong.
    """
    if type(value) in PLAIN:
        return plain_table(value)
    if type(value) is np.ndarray and value.dtype == np.float64 and value.ndim == 2 and value.shape[1] == 2:
        return np.array(value, order="C")
    return None


def integers(where: str, name: str, value: Any, count: int) -> list[int]:
    """Return `value`, a sequence of `count` whole numbers, as a list of int."""
    items = items_of(where, name, value, count, "one for each vertex")
    return [integer(where, f"{name}[{row}]", item) for row, item in enumerate(items)]


def growth_column(where: str, name: str, value: Any, rows: int) -> NDArray[np.float64]:
    """Return `value`, for each row the radius its core is grown by or one for all, as a fresh array (rows,)."""
    result = column(where, name, value, rows)
    return checked_column(where, name, result, (result == 0.0) | (result >= SMALLEST_SIZE), growth)


def is_rectangle(value: Any) -> bool:
    """Tell whether a value is a rectangle of a game library: it has x, y, w and h, and may be a sequence of them."""
    return all(hasattr(value, name) for name in ("x", "y", "w", "h"))


def is_world(value: Any) -> bool:
    """Tell whether a value is a world of bodies, which answers questions itself."""
    return hasattr(type(value), "raycast") and hasattr(type(value), "step")


def is_trigger(value: Any) -> bool:
    """Tell whether a value is a trigger of a level, a named tuple that has a shape."""
    return hasattr(value, "shape") and hasattr(value, "properties")


def remedy_for(value: Any) -> str:
    """Return the end of a message about a value that is no shape: how it becomes one, where that can be told."""
    if is_world(value):
        return "; a World is asked itself: world.raycast, cast, query, contains, nearest, contacts() and overlaps()"
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        return "; give columns of a table, as in Shapes.circles(table[['x', 'y']], table['radius'])"
    if is_rectangle(value):
        return "; for a rectangle use Box.from_rect(rectangle)"
    if hasattr(value, "__geo_interface__"):
        return "; for geometries use Shapes.from_shapely([...]), for one convert.from_shapely(geometry)"
    if hasattr(value, "solids"):
        return "; ask the World that has them"
    if hasattr(value, "shape") and hasattr(value, "position"):
        return "; use its shape"
    if isinstance(value, (list, tuple)) and value and not isinstance(value[0], (int, float)):
        return remedy_for(value[0])
    return "; for a position use Point(position)" if isinstance(value, (list, tuple, np.ndarray)) else ""


def refuse_no_shape(where: str, name: str, value: Any, expected: str = ONE_SHAPE) -> NoReturn:
    """Raise the TypeError of a value that is no shape, with the remedy."""
    kind = "type" if isinstance(value, type) else type(value).__name__
    refuse(TypeError, where, name, value, f"{expected}, not {kind}{remedy_for(value)}")
