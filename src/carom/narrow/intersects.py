"""Whether two shapes touch or overlap, and whether one contains another: yes or no, right for every finite input.

In: two shapes or sets of shapes, or a shape and points. Out: a bool, or an array of bools, one a row. Shapes are closed
sets: touching counts. A rounded answer is trusted only outside its error bound; inside it `exact` decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np

from carom._core import inputs, shape_inputs
from carom._core.inputs import PointLike, PointsLike
from carom._core.jit import inner, kernel, uncounted_kernel
from carom._core.threads import ONE, checked, in_parts
from carom._core.types import Booleans, Floats, Integers, Sides
from carom.narrow.dispatch import WHOLES, Rows, are_points, has_compound, record, records, rows
from carom.narrow.exact.double_double import decided_side
from carom.narrow.exact.integers import decide_side, side_by_integers
from carom.narrow.exact.sign import side_of_touching
from carom.narrow.rows.overlap import UNDECIDED, closed_form_sides, side_of_discs
from carom.narrow.signed_distance import clearly_apart, clearly_overlapping, is_undecided, magnitude, separate_near
from carom.narrow.walk import walk
from carom.shapes.basic import Point, Shape
from carom.shapes.compound import Compound
from carom.shapes.proxy import AABB, COUNT, DISC, POINTS, RADIUS, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND

_FIRST = np.zeros(1, dtype=np.int64)


@kernel
def side(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return -1 if two shapes overlap, 0 if they exactly touch, 1 if they are apart, or UNDECIDED."""
    reach = a[i + RADIUS] + b[j + RADIUS]
    if a[i] == DISC and b[j] == DISC:
        return side_of_discs(b[j + X] - a[i + X], b[j + Y] - a[i + Y], reach)
    if a[i] == AABB and b[j] == AABB and reach == 0.0:
        return side_of_boxes(a, i, b, j)
    found = separate_near(a, i, b, j)
    if found[6]:
        return UNDECIDED
    return 1 if found[0] > 0.0 else -1


@inner
def side_of_boxes(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return the side of two AABBs by comparing their corners, which are stored without rounding."""
    answer = -1
    for axis in range(2):
        low_a = a[i + X + axis] + a[i + POINTS + axis]
        high_a = a[i + X + axis] + a[i + POINTS + 2 * STRIDE + axis]
        low_b = b[j + X + axis] + b[j + POINTS + axis]
        high_b = b[j + X + axis] + b[j + POINTS + 2 * STRIDE + axis]
        if low_a > high_b or low_b > high_a:
            return 1
        if low_a == high_b or low_b == high_a:
            answer = 0
    return answer


@kernel
def _side_of_pair(a: Floats, b: Floats) -> int:
    return side(a, 0, b, 0)


@uncounted_kernel
def _sides_of_rows(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    for row in range(out_sides.shape[0]):
        i, j = starts_a[row], starts_b[row]
        # Circles around and circles inside settle most rows. Of one pair they would save less than it takes to call.
        if clearly_apart(a, i, b, j):
            out_sides[row] = 1
        elif clearly_overlapping(a, i, b, j):
            out_sides[row] = -1
        else:
            out_sides[row] = side(a, i, b, j)


@uncounted_kernel
def _settle_sides(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    for row in range(out_sides.shape[0]):
        if out_sides[row] == UNDECIDED:
            out_sides[row] = decided_side(a, starts_a[row], b, starts_b[row])


@inner
def set_core_point(point: Floats, b: Floats, j: int, number: int) -> None:
    """Make `point` the record of one core point of B."""
    place = j + POINTS + STRIDE * number
    point[X], point[Y] = b[j + X], b[j + Y]
    point[POINTS], point[POINTS + 1] = b[place], b[place + 1]


@kernel
def _insides_of_rows(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    """Write -1 where B lies within A, 1 where it does not, or UNDECIDED."""
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for row in range(out_sides.shape[0]):
        i, j = starts_a[row], starts_b[row]
        # B, a core grown by a radius, lies within A just when each of its core points, grown by that radius, does.
        margin = b[j + RADIUS]
        answer = -1
        for k in range(int(b[j + COUNT])):
            set_core_point(point, b, j, k)
            distance, radius = walk(point, 0, a, i)[0], a[i + RADIUS] - margin
            if is_undecided(distance, radius, SIGN_BAND * (magnitude(point, 0, a, i) + margin)):
                answer = UNDECIDED
            elif distance > radius:
                answer = 1
                break
        out_sides[row] = answer


@kernel
def _settle_insides(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for row in range(out_sides.shape[0]):
        if out_sides[row] == UNDECIDED:
            i, j = starts_a[row], starts_b[row]
            answer = -1
            for k in range(int(b[j + COUNT])):
                set_core_point(point, b, j, k)
                side = side_of_touching(point, 0, a, i, 0.0, 0.0, a[i + RADIUS], -b[j + RADIUS])
                answer = max(answer, side)
                if side == 1:
                    answer = 1
                    break
            out_sides[row] = answer


def insides(pairs: Rows, threads: int) -> Booleans:
    """Tell for each row whether A contains B."""
    sides = np.empty(pairs.starts_a.size, dtype=np.int8)
    _in_parts(threads, _insides_of_rows, pairs, sides)
    if (sides == UNDECIDED).any():
        _in_parts(threads, _settle_insides, pairs, sides)
    for row in np.flatnonzero(sides == UNDECIDED).tolist():
        a, i, b, j = pairs.a, pairs.starts_a[row], pairs.b, pairs.starts_b[row]
        sides[row] = _inside_by_integers(a, i, b, j)
    return sides <= 0


def _inside_by_integers(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return -1 if B lies within A, 1 if it does not, where numbers lie too far apart for `exact`."""
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for k in range(int(b[j + COUNT])):
        set_core_point(point, b, j, k)
        if side_by_integers(point, 0, a, i, 0.0, 0.0, float(a[i + RADIUS]), -float(b[j + RADIUS])) > 0:
            return 1
    return -1


def _in_parts(threads: int, loop: Callable[..., None], pairs: Rows, sides: Sides) -> None:
    in_parts(threads, sides.size, lambda begin, end: loop(*pairs.part(begin, end), sides[begin:end]))


def sides_of_rows(pairs: Rows, threads: int, sides: Sides | None = None) -> Sides:
    """Return for each pair -1 overlap, 0 touch, 1 apart, exactly; `sides` may bring what is known already."""
    if sides is None:
        sides = np.empty(pairs.starts_a.size, dtype=np.int8)
        _in_parts(threads, _sides_of_rows, pairs, sides)
    if (sides == UNDECIDED).any():
        _in_parts(threads, _settle_sides, pairs, sides)
    for row in np.flatnonzero(sides == UNDECIDED).tolist():
        first, i, second, j = pairs.a, pairs.starts_a[row], pairs.b, pairs.starts_b[row]
        radii = float(first[i + RADIUS]), float(second[j + RADIUS])
        sides[row] = side_by_integers(first, i, second, j, 0.0, 0.0, *radii)
    return sides


def _intersecting_rows(a: Shape | Shapes, b: Shape | Shapes, touching: bool, threads: int) -> Booleans:
    pairs = rows("intersects", ("a", "b"), a, b)
    sides = sides_of_rows(pairs, threads, closed_form_sides(a, b, pairs.starts_a.size, threads))
    return sides <= 0 if touching else sides < 0


@overload
def intersects(a: Shape | Compound, b: Shape | Compound, *, touching: bool = True, threads: int = 1) -> bool: ...


@overload
def intersects(a: Shapes, b: Shape | Compound | Shapes, *, touching: bool = True, threads: int = 1) -> Booleans: ...


@overload
def intersects(a: Shape | Compound, b: Shapes, *, touching: bool = True, threads: int = 1) -> Booleans: ...


def intersects(a: Any, b: Any, *, touching: bool = True, threads: int = ONE) -> Any:
    """Tell whether two shapes touch or overlap.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets go row by row: n with n, or n with one.
    touching : bool, default True
        Whether shapes that merely touch intersect. With False, only overlap counts: ``separation(a, b) < 0``.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    bool, or (n,) bool for sets
        Exactly right for every finite input, touching included.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape, or `touching` neither True nor False.
    ValueError
        If two sets have different numbers of rows.

    Examples
    --------
    >>> left, right = cm.Box.from_corner((0, 0), (1, 1)), cm.Box.from_corner((1, 0), (1, 1))
    >>> cm.intersects(left, right), cm.intersects(left, right, touching=False)
    (True, False)
    """
    if threads is not ONE:
        checked("intersects", threads)
    if touching is not True:
        touching = inputs.truth("intersects", "touching", touching)
    try:
        answer = _side_of_pair(a._record, b._record)
    except Exception:
        if has_compound(a, b):
            return WHOLES["intersects"](a, b, touching, threads)
        if isinstance(a, Shapes) or isinstance(b, Shapes):
            return _intersecting_rows(a, b, touching, threads)
        # Looking first would cost a quarter of the whole call.
        records("intersects", a, b)
        raise
    if answer == UNDECIDED:
        first, second = a._record, b._record
        answer = decide_side(first, 0, second, 0, 0.0, 0.0, first.item(RADIUS), second.item(RADIUS))
    return answer <= 0 if touching else answer < 0


@overload
def contains(shape: Shape | Compound, other: Shape | Compound | PointLike, *, threads: int = 1) -> bool: ...


@overload
def contains(
    shape: Shapes, other: Shape | Compound | Shapes | PointLike | PointsLike, *, threads: int = 1
) -> Booleans: ...


@overload
def contains(shape: Shape | Compound, other: Shapes | PointsLike, *, threads: int = 1) -> Booleans: ...


def contains(shape: Any, other: Any, *, threads: int = ONE) -> Any:
    """Tell whether a shape contains a point, points, or another shape, boundary included.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
    other : a point (x, y), points (n, 2), a shape, or Shapes
        Many go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    bool, or (n,) bool where either is many
        Exactly right for every finite input, touching included.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `other` is neither shape nor points.
    ValueError
        If a point has the wrong length or is not finite, or the numbers of rows differ.

    Examples
    --------
    >>> triangle = cm.Polygon([(0, 0), (2, 0), (1, 2)])
    >>> cm.contains(triangle, (1, 1)), cm.contains(triangle, (2, 2))
    (True, False)
    >>> cm.contains(triangle, [(1, 0), (0, 1)])
    array([ True, False])
    >>> cm.contains(cm.Circle((1, 1), 3), triangle)
    True
    """
    if threads is not ONE:
        checked("contains", threads)
    if has_compound(shape, other):
        return WHOLES["contains"](shape, other, threads)
    many = isinstance(shape, Shapes)
    if not many:
        record("contains", "shape", shape)
    if isinstance(other, Shapes):
        many = True
    elif not isinstance(other, Shape):
        if are_points(other):
            other, many = Shapes.points(shape_inputs.points("contains", "other", other)), True
        else:
            other = Point(inputs.point("contains", "other", other))
    if many:
        return insides(rows("contains", ("shape", "other"), shape, other), threads)
    one = Rows(shape._record, _FIRST, other._record, _FIRST)
    side_of_one = np.empty(1, dtype=np.int8)
    _insides_of_rows(*one, side_of_one)
    answer = side_of_one.item(0)
    return bool(insides(one, 1)[0]) if answer == UNDECIDED else answer <= 0
