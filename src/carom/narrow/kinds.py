"""Which closed form serves two shapes: with `shapes`, the only place that tells kinds of shapes apart.

In: two records, two sets, or a shape. Out: the number of a form, or yes or no. Where no form serves, the walk does,
which knows no kinds. A test holds that no other file names a kind.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeGuard

import numpy as np

from carom._core.jit import inner
from carom._core.types import Columns, Floats
from carom.shapes.basic import Circle, ConvexShape, Point, Segment, Shape
from carom.shapes.proxy import AABB, DISC, KIND, OBB, POLYGON, RADIUS
from carom.shapes.set import Shapes

WALK, DISCS, AABBS, OBBS, DISC_AND_AABB, DISC_AND_OBB, AABB_AND_OBB = 0, 1, 2, 3, 4, 5, 6

_FORMS = {
    (DISC, DISC): DISCS,
    (AABB, AABB): AABBS,
    (OBB, OBB): OBBS,
    (DISC, AABB): DISC_AND_AABB,
    (DISC, OBB): DISC_AND_OBB,
    (AABB, OBB): AABB_AND_OBB,
}


@inner
def form_of(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return the closed form for the cores of two records of one kind, or WALK.

    That of boxes leaves their radii out: who asks whether they touch has to look at these, too.
    """
    kind = a[i + KIND]
    if kind != b[j + KIND]:
        return WALK
    if kind == DISC:
        return DISCS
    if kind == AABB:
        return AABBS
    return OBBS if kind == OBB else WALK


# Kernels take a `SetForm` as a plain tuple, which costs a call 800 ns less.
Asked = tuple[int, bool, Columns, Columns, int, int]


class SetForm(NamedTuple):
    """Two sets, each of one kind, that a closed form serves."""

    form: int
    swapped: bool
    """Whether the columns below are those of (B, A): the form of two kinds has one order."""
    a: Columns
    b: Columns
    step_a: int
    """How far to go on in the columns from row to row: 0 for a set of one row."""
    step_b: int


def form_of_sets(a: Any, b: Any, detailed: bool) -> SetForm | None:
    """Return how the rows of two sets, or of a set and one shape, are asked; None where no form serves.

    `detailed` asks for columns that hold all that the records of turned boxes tell: contacts and nearest points.
    """
    found_a, found_b = _columns_of(a, detailed), _columns_of(b, detailed)
    if found_a is None or found_b is None:
        return None
    (kind_a, columns_a), (kind_b, columns_b) = found_a, found_b
    swapped = kind_a > kind_b
    if swapped:
        kind_a, columns_a, kind_b, columns_b = kind_b, columns_b, kind_a, columns_a
    steps = (min(columns.shape[1] - 1, 1) for columns in (columns_a, columns_b))
    return SetForm(_FORMS[kind_a, kind_b], swapped, columns_a, columns_b, *steps)


def _columns_of(shapes: Any, detailed: bool) -> tuple[float, Columns] | None:
    """Return kind and columns of a set with a closed form, or of one shape."""
    rows = shapes if isinstance(shapes, Shapes) else Shapes([shapes])
    return rows._columns_of_contacts() if detailed else rows._columns_of_one_kind()


@inner
def is_disc(a: Floats, i: int) -> bool:
    """Tell whether a record is a point or a circle."""
    return bool(a[i + KIND] == DISC)


@inner
def is_aabb(a: Floats, i: int) -> bool:
    """Tell whether a record is a box along the axes, sharp or rounded."""
    return bool(a[i + KIND] == AABB)


def are_sharp_aabbs(shapes: Shapes) -> bool:
    """Tell whether all shapes are boxes along the axes without radius: they are their own bounds."""
    buffer, starts = shapes._buffer, shapes._starts
    return bool((buffer[starts + KIND] == AABB).all() and not buffer[starts + RADIUS].any())


def kinds_when_turned(kinds: Floats) -> Floats:
    """Return the kinds that shapes have once they are turned by any angle: boxes along the axes become polygons."""
    return np.where(kinds == AABB, POLYGON, kinds)


def form_of_shapes(a: ConvexShape, b: ConvexShape) -> int:
    """Return the closed form for the cores of two shapes, in whatever order, or WALK."""
    kinds = a._record.item(KIND), b._record.item(KIND)
    return _FORMS.get((min(kinds), max(kinds)), WALK)


def is_obb(shape: ConvexShape) -> bool:
    """Tell whether a shape is a turned box, sharp or rounded."""
    return bool(shape._record[KIND] == OBB)


def is_sharp_box(shape: ConvexShape) -> bool:
    """Tell whether a shape is a box, along the axes or turned, without radius."""
    return shape._record[KIND] in (AABB, OBB) and shape.radius == 0.0


def is_round(shape: Shape) -> TypeGuard[Point | Circle]:
    """Tell whether a shape is its own bounding circle."""
    return isinstance(shape, Point | Circle)


def is_thin(shape: ConvexShape) -> bool:
    """Tell whether a shape has no inside."""
    return isinstance(shape, Point | Segment)


@inner
def kind_turned(kind: float) -> float:
    """Return the kind of a record after a turn: the corners of a box are opposite each other up to rounding only."""
    return POLYGON if kind in (AABB, OBB) else kind
