"""Any shapes that a user passes: one, a set, those of a level, or several in a list.

In: the user's value. Out: a shape, a Compound or a set; or a TypeError that names the way from what was passed. World
frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

import numpy as np

from carom._core import inputs
from carom._core.shape_inputs import ONE_SHAPE, is_rectangle, is_trigger, is_world, refuse_no_shape
from carom.shapes.basic import ConvexShape, Shape
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes

SHAPES = "must be a shape, a Compound, Shapes, or shapes in a list"


class HasShape(Protocol):
    """Anything that stands for its shape where it is now: a body, a Character, a trigger of a level."""

    @property
    def shape(self) -> Shape:
        """Where it is now."""
        ...


class HasSolids(Protocol):
    """Anything that stands for the shapes of its `solids`: a `Level`."""

    @property
    def solids(self) -> Shapes:
        """Everything solid."""
        ...


OneShape: TypeAlias = Shape | HasShape
ManyShapes: TypeAlias = Shapes | HasSolids | Iterable[ConvexShape | HasShape]
AnyShape: TypeAlias = OneShape | ManyShapes
AnyParts: TypeAlias = OneShape | HasSolids | Iterable[OneShape]
"""All that becomes a set with a row for each part of a Compound."""


def solid(value: Any) -> Any:
    """Return the shape of a body, and of all else that has one; every other value as it is."""
    if isinstance(value, (Shape, Shapes)) or not any("shape" in vars(kind) for kind in type(value).__mro__):
        return value  # to ask for what is not there would take longer
    return shape if isinstance(shape := value.shape, Shape) else value


def shape_of(where: str, name: str, value: Any) -> Shape:
    """Return one shape or Compound; of a body, and of all else that has one, its shape."""
    found = solid(value)
    check_shape(where, name, found)
    return found  # type: ignore[no-any-return]


def check_shape(where: str, name: str, value: Any) -> None:
    """Refuse anything but one shape or Compound."""
    if not isinstance(value, Shape):
        refuse_no_shape(where, name, value)


def shapes_of(where: str, name: str, value: Any, *, parts: bool = False) -> Shape | Shapes:
    """Return a shape or a Compound as it is, and everything else as a set.

    With `parts`, a Compound in a list becomes a row for each of its parts; without, lists hold shapes of one part, so
    that row k is the k-th of the list.
    """
    if isinstance(value, (Shape, Shapes)):
        return value
    if isinstance(shape := solid(value), Shape):
        return shape
    solids = getattr(value, "solids", None)
    if isinstance(solids, Shapes):
        return solids
    if isinstance(value, (str, bytes, bytearray, type)) or not hasattr(value, "__iter__"):
        refuse_no_shape(where, name, value, SHAPES)
    if is_rectangle(value) or is_world(value) or is_trigger(value):
        refuse_no_shape(where, name, value, SHAPES)
    if isinstance(value, np.ndarray) and value.dtype != object:
        refuse_no_shape(where, name, value, SHAPES)
    values = inputs.listed(where, name, value, "a shape, Shapes, or shapes in a list")
    position = len(values) == 2 and all(isinstance(item, (int, float)) for item in values)
    if position or (values and all(isinstance(item, (tuple, list, np.ndarray)) for item in values)):
        refuse_no_shape(where, name, value, SHAPES)
    values = [item if isinstance(item, Shape) else solid(item) for item in values]
    for row, item in enumerate(values):
        if isinstance(item, Compound) and not parts:
            expected = "must be a shape of one part; Shapes(...) has the parts of a Compound as rows, of one owner"
            inputs.refuse(TypeError, where, f"{name}[{row}]", item, expected)
        if not isinstance(item, Shape):
            refuse_no_shape(where, f"{name}[{row}]", item, ONE_SHAPE)
    return Shapes(values)


def set_of(where: str, name: str, value: Any) -> Shapes:
    """Return any shapes as a set, with a row for each part of a Compound."""
    found = shapes_of(where, name, value, parts=True)
    return found if isinstance(found, Shapes) else Shapes([found])
