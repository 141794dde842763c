"""The shapes of bodies: laid out for the tables of a world, and put back together at any place.

In: shapes as they stand in the world. Out: their records, one behind the other, with what records cannot hold; or the
shape of a body at another place and angle, with the class that was given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.sealed import name_tuples
from carom._core.types import Floats, Integers
from carom.shapes.base import restored
from carom.shapes.box import Box
from carom.shapes.compound import Compound
from carom.shapes.moments import moments
from carom.shapes.proxy import X, Y
from carom.shapes.set import Shapes


@name_tuples
class RowOf(NamedTuple):
    """The shape of a body that came in a set: it is made when someone asks for it."""

    shapes: Shapes
    row: int


@name_tuples
class Standing(NamedTuple):
    """The shape of a body, as it stands where the body has an angle that is not that of the shape."""

    shape: Any
    angle: float


class Laid(NamedTuple):
    """The parts of shapes, as the tables want them."""

    buffer: Floats
    """Their records, one behind the other."""
    sizes: list[int]
    """Of each record."""
    counts: list[int]
    """How many parts each shape has."""
    positions: Floats
    """(n, 2)"""
    turned: Floats
    """(n, 3) width, height and angle of turned boxes, 0 for all others."""


def laid_out(shapes: Shapes | list[Any]) -> Laid:
    """Return the parts of shapes for the tables."""
    if not isinstance(shapes, Shapes) and len(shapes) != 1 and not any(isinstance(one, Compound) for one in shapes):
        shapes = Shapes(shapes)  # quicker for many
    if isinstance(shapes, Shapes):
        buffer, starts, turned = shapes._proxies.buffer, shapes._proxies.starts, shapes._proxies.sizes
        sizes, counts = np.diff(starts, append=buffer.size).tolist(), [1] * len(shapes)
        turned = np.zeros((len(shapes), 3)) if turned is None else turned.copy()
        return Laid(buffer, sizes, counts, shapes.positions, turned)
    records, counts, around, turned = [], [], [], np.zeros((len(shapes), 3))
    for k, shape in enumerate(shapes):
        parts = shape.parts if isinstance(shape, Compound) else (shape,)
        records += [part._record for part in parts]
        counts.append(len(parts))
        around.append(shape.position)
        if isinstance(shape, Box) and shape._detail is not None:
            turned[k] = shape._detail
    return Laid(np.concatenate(records), [one.size for one in records], counts, np.array(around), turned)


def placed(given: Any, x: float, y: float, angle: float) -> Any:
    """Return the shape of a body with its position at (x, y) and the body at an angle."""
    shape, first = given if isinstance(given, Standing) else (given, angle_of(given))
    if angle != first:
        is_turned_box = isinstance(given, Box) and first != 0.0
        shape = given._at_angle(angle) if is_turned_box else shape.rotated(angle - first)
    center = shape.position
    if (x, y) == center:
        return shape
    if angle == first and not isinstance(shape, Compound):
        record = shape._record.copy()
        record[X], record[Y] = record[X] + (x - center[0]), record[Y] + (y - center[1])
        return restored(type(shape), record, shape._detail)
    return shape.translated((x - center.x, y - center.y))


def angle_of(shape: Any) -> float:
    """Return the angle of a shape that has one, else 0."""
    return shape.angle if isinstance(shape, Box) else 0.0


def areas_of(shapes: Shapes | list[Any]) -> Floats:
    """Return the areas of shapes, radii included, (n,)."""
    if not isinstance(shapes, Shapes):
        return np.array([shape.area for shape in shapes])
    found = np.zeros(len(shapes))
    write_areas(shapes._proxies.buffer, shapes._proxies.starts, found)
    return found


@kernel
def write_areas(buffer: Floats, starts: Integers, found: Floats) -> None:
    """Write the area of each of some records."""
    for k in range(starts.shape[0]):
        found[k], _ = moments(buffer, starts[k], buffer[starts[k] + X], buffer[starts[k] + Y])
