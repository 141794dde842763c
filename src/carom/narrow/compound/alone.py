"""Verbs of one pair where a Compound takes part, answered by one kernel; None where the general way has to answer.

In: two shapes, at least one a Compound, or a Compound and a point. Out: the answer as a value; None where rounding
leaves a sign in doubt, where the bodies are in touch, and of a motion also where they overlap. World frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.jit.addresses import Table
from carom._core.types import Floats, Integers
from carom.narrow.cast import Hit, RayHit, length_of
from carom.narrow.compound.answers import comes_second
from carom.narrow.compound.packing import packed
from carom.narrow.compound.single import (
    DOUBT,
    NO_RECORD,
    SHAPE,
    cast_of_one,
    contact_of_one,
    separation_of_one,
    side_of_one,
    side_of_point,
    side_of_two,
    table_of,
)
from carom.narrow.exact.hits import Strike
from carom.narrow.manifold import Contact
from carom.narrow.rows.vertex_ids import own
from carom.shapes.base import ConvexShape
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.vector import LEAST, Vec, new

Pair = tuple[Integers, Floats, Integers, Floats]
"""The addresses and the record of both."""


def table(compound: Compound) -> Table:
    """Return the table of a Compound, made at the first question."""
    if compound._table is None:
        object.__setattr__(compound, "_table", table_of(packed(compound)[1]))
    found: Table = compound._table
    return found


def _body(value: Any) -> tuple[Integers, Floats] | None:
    """Return the addresses and record of a Compound or a shape."""
    if type(value) is Compound:
        return (value._table or table(value)).addresses, NO_RECORD
    return (SHAPE.addresses, value._record) if isinstance(value, ConvexShape) else None


def _pair(a: Any, b: Any) -> tuple[bool, Pair] | None:
    """Return two bodies in the order in which they are answered, and whether that is (B, A)."""
    if type(a) is not Compound and type(b) is not Compound:
        return None
    first, second = _body(a), _body(b)
    if first is None or second is None:
        return None
    swapped = comes_second(a, b)
    return swapped, (*second, *first) if swapped else (*first, *second)


def intersects(a: Any, b: Any) -> bool | None:
    """Tell whether two bodies overlap, or are apart."""
    if type(a) is Compound and type(b) is Compound:  # in either order: what is told is certain
        side = side_of_two((a._table or table(a)).addresses, (b._table or table(b)).addresses)
        return None if side == DOUBT else side < 0
    found = _pair(a, b)
    if found is None:
        return None
    side = side_of_one(*found[1])
    return None if side == DOUBT else side < 0


def separation(a: Any, b: Any, depth: bool = True) -> float | None:
    """Return the separation of two bodies; without `depth` 0 where they overlap."""
    found = _pair(a, b)
    if found is None:
        return None
    side, apart = separation_of_one(*found[1], depth)
    if side == DOUBT:
        return None
    return apart if side > 0 or not depth else min(apart, -LEAST)


def collide(a: Any, b: Any) -> tuple[Contact | None] | None:
    """Return the contact of two bodies, in a tuple: a contact may be None itself."""
    found = _pair(a, b)
    if found is None:
        return None
    swapped, pair = found
    side, depth, nx, ny, count, (x, y, deep, of_a, of_b), (x1, y1, deep1, of_a1, of_b1) = contact_of_one(*pair)
    if side == DOUBT:
        return None
    if side > 0:
        return (None,)
    if swapped:
        nx, ny = 0.0 - nx, 0.0 - ny
        of_a, of_b, of_a1, of_b1 = of_b, of_a, of_b1, of_a1
    if type(a) is not Compound or type(b) is not Compound:
        of_a, of_b = own(a, of_a), own(b, of_b)
        if count > 1:
            of_a1, of_b1 = own(a, of_a1), own(b, of_b1)
    point, features = new(Vec, (x, y)), (of_a, of_b)
    points: Any
    if count > 1:
        points = (point, new(Vec, (x1, y1))), (deep, deep1), (features, (of_a1, of_b1))
    else:
        points = ((point,), (deep,), (features,)) if count > 0 else ((), (), ())
    return (new(Contact, (new(Vec, (nx, ny)), depth if depth > LEAST else LEAST, *points)),)


def cast(a: Any, b: Any, translation: Any) -> tuple[Hit | None] | None:
    """Return the hit of a body that moves and does not turn, in a tuple."""
    if (type(a) is not Compound and type(b) is not Compound) or not inputs.is_pair(translation):
        return None
    first, second = _body(a), _body(b)
    if first is None or second is None:
        return None
    found = _cast(first, second, *inputs.point("cast", "translation", translation), False)
    if found is None:
        return None
    hit, _, overlapping, fraction, nx, ny, x, y = found
    return (Hit(fraction, new(Vec, (x, y)), new(Vec, (nx, ny)), overlapping) if hit else None,)


def raycast(x: float, y: float, mx: float, my: float, whole: Compound) -> tuple[RayHit | None] | None:
    """Return the hit of a ray, in a tuple."""
    point = np.zeros(POINTS + STRIDE)
    point[COUNT], point[X], point[Y] = 1.0, x, y
    found = _cast((SHAPE.addresses, point), (table(whole).addresses, NO_RECORD), mx, my, True)
    if found is None:
        return None
    hit, _, overlapping, fraction, nx, ny, px, py = found
    if not hit:
        return (None,)
    distance, place, normal = fraction * length_of(mx, my), new(Vec, (px, py)), new(Vec, (nx, ny))
    return (new(RayHit, (fraction, distance, place, normal, whole, overlapping)),)


def _cast(a: tuple[Integers, Floats], b: tuple[Integers, Floats], mx: float, my: float, ray: bool) -> Strike | None:
    """Return when A, moved, hits B; None unless they start apart and nothing is in doubt."""
    known, found = cast_of_one(*a, *b, mx, my, ray)
    return found if known else None


def contains(whole: Compound, x: float, y: float) -> bool | None:
    """Tell whether a body contains a point."""
    side = side_of_point(table(whole).addresses, x, y)
    return None if side == DOUBT else side <= 0
