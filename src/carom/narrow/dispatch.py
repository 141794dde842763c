"""From what the user passes to what kernels read: the one check of every verb's arguments.

In: a shape, a set of shapes, a point or points. Out: float64 records, alone or as a buffer with the start of each row.
Sets are taken row by row: n rows with n, or n with one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from carom._core import inputs
from carom._core.jit import is_compiled
from carom._core.shape_inputs import ONE_SHAPE, refuse_no_shape
from carom._core.types import Floats, Integers
from carom.shapes.basic import ConvexShape, Point, Shape
from carom.shapes.compound import Compound
from carom.shapes.given import shapes_of, solid
from carom.shapes.set import Shapes

COMPILED = is_compiled()
Named = TypeVar("Named", bound=Any)
Asked = TypeVar("Asked", bound=Callable[..., Any])


def has_compound(*given: Any) -> bool:
    """Tell whether a Compound is among what a verb was given."""
    for value in given:  # in half the time that `any` takes
        if isinstance(value, Compound):
            return True
    return False


class Rows(NamedTuple):
    """The records of two sets, row by row; both starts have one entry a row."""

    a: Floats
    starts_a: Integers
    b: Floats
    starts_b: Integers

    def part(self, begin: int, end: int) -> Rows:
        """Return the rows from `begin` up to `end`."""
        return Rows(self.a, self.starts_a[begin:end], self.b, self.starts_b[begin:end])


def plain(record: Floats) -> Floats:
    """Return a record as a list, from which plain Python reads plain floats, and faster than from an array."""
    return record.tolist()  # type: ignore[no-any-return]


def record(verb: str, name: str, shape: Any) -> Floats:
    """Return the record of one shape of one part."""
    if not isinstance(shape, ConvexShape):
        if isinstance(shape, Compound):
            expected = "must be a shape of one part or Shapes, not Compound"
            hint = "; Shapes([compound]) has its parts as rows, of one owner"
            inputs.refuse(TypeError, verb, name, shape, expected + hint)
        refuse_no_shape(verb, name, shape, f"{ONE_SHAPE} or Shapes")
    return shape._record


def readable(shape: ConvexShape) -> Any:
    """Return the record of a shape as kernels read it soonest: as it is, or for plain Python as a list."""
    return shape._record if COMPILED else plain(shape._record)


def of_records(kernel: Asked) -> Asked:
    """Return a kernel of two records as verbs call it, with `shape._record` of both: plain Python gets lists."""
    if COMPILED:
        return kernel

    def reading(a: Any, b: Any, *more: Any) -> Any:
        return kernel(plain(a), plain(b), *more)

    return reading  # type: ignore[return-value]


def are_shapes(a: Any, b: Any) -> bool:
    """Tell whether two values are shapes of one part: then the fault of a kernel that was asked at once is its own."""
    return isinstance(a, ConvexShape) and isinstance(b, ConvexShape)


def shapes_of_both(a: Any, b: Any) -> tuple[Any, Any] | None:
    """Return the shapes of bodies, and of all else that has one; None if neither value is such."""
    first, second = solid(a), solid(b)
    return None if first is a and second is b else (first, second)


def rows(verb: str, names: tuple[str, str], a: Any, b: Any) -> Rows:
    """Return the records of two sets, or of a set and one shape, row by row."""
    (buffer_a, starts_a), (buffer_b, starts_b) = run(verb, names[0], a), run(verb, names[1], b)
    check_counts(verb, names, starts_a.size, starts_b.size)
    if starts_a.size != starts_b.size:
        starts_a, starts_b = (starts.copy() for starts in np.broadcast_arrays(starts_a, starts_b))
    return Rows(buffer_a, starts_a, buffer_b, starts_b)


def check_counts(verb: str, names: tuple[str, str], count_a: int, count_b: int) -> None:
    """Refuse two sets that do not go row by row."""
    if count_a != count_b and 1 not in (count_a, count_b):
        wrong = f"{verb}: {names[0]} has {count_a} rows and {names[1]} has {count_b}"
        raise ValueError(f"{wrong}; they go row by row, so give as many of both, or one")


def run(verb: str, name: str, shapes: Any) -> tuple[Floats, Integers]:
    """Return buffer and starts of a set; of one shape as a set of one."""
    if isinstance(shapes, Shapes):
        return shapes._buffer, shapes._starts
    return record(verb, name, shapes), np.zeros(1, dtype=np.int64)


def are_points(value: Any) -> bool:
    """Tell whether a value stands for many points, rather than for one (or for nothing that makes sense)."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and isinstance(value[0], (list, tuple, np.ndarray))
    return isinstance(value, np.ndarray) and value.ndim >= 2


def flattened(where: str, names: Sequence[str], *values: Any) -> tuple[tuple[int, ...] | None, list[Any]]:
    """Return the leading shape of points in an array of more than two dimensions, and all points as (n, 2).

    Leading shapes are broadcast together. None, and the values as they are, where no array has so many.
    """
    if not any(isinstance(value, np.ndarray) and value.ndim > 2 for value in values):
        return None, list(values)
    arrays = []
    for name, value in zip(names, values, strict=True):
        if not isinstance(value, np.ndarray):
            value = inputs.table(where, name, value, 2) if are_points(value) else inputs.point(where, name, value)
        arrays.append(np.asarray(value))
    for name, array in zip(names, arrays, strict=True):
        if array.shape[-1:] != (2,):
            raise ValueError(f"{where}: {name} has shape {array.shape}; it must be (..., 2), a point each")
    try:
        lead = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError:
        shapes = " and ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        raise ValueError(f"{where}: {shapes} do not go together") from None
    return lead, [np.broadcast_to(array, (*lead, 2)).reshape(-1, 2) for array in arrays]


def in_shape(lead: tuple[int, ...], columns: Named) -> Named:
    """Return columns of n rows with the leading shape of what was asked."""
    shaped: Named = type(columns)(*(column.reshape(lead + column.shape[1:]) for column in columns))
    return shaped


def vectors(verb: str, name: str, value: Any, count: int) -> Floats:
    """Return one vector for each row, (count, 2), from that or from one (x, y) for all."""
    if are_points(value):
        return inputs.table(verb, name, value, 2, count)
    return np.broadcast_to(inputs.point(verb, name, value), (count, 2)).copy()


def are_many(value: Any) -> bool:
    """Tell whether a value stands for many points, or for none, rather than for one."""
    none = (isinstance(value, (list, tuple)) and not value) or (isinstance(value, np.ndarray) and value.shape == (0,))
    return none or are_points(value)


def points_or_shapes(where: str, name: str, value: Any) -> Shape | Shapes:
    """Return points, a shape, or shapes in a list as a shape or a set."""
    if isinstance(value, (Shape, Shapes)):
        return value
    if are_many(value):
        return Shapes.points(inputs.table(where, name, value, 2))
    listed = isinstance(value, (list, tuple)) and isinstance(value[0], Shape)
    if listed or hasattr(value, "solids") or solid(value) is not value:
        return shapes_of(where, name, value)
    return Point(inputs.point(where, name, value))
