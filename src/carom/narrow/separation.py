"""How far apart two shapes are, or how deep they overlap: one signed number, with its direction and its two points.

In: two shapes, or their records. Out: the separation (positive apart, 0 exactly in touch, negative in overlap), the
unit normal from A towards B, and the two points that realise it. World frame, user's units. Every other verb that asks
where two shapes stand asks here, so they all agree.

The numbers come from `gap`; exact arithmetic is asked, and compiled, only where rounding leaves the sign in doubt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, overload

import numpy as np

from carom._core.jit import kernel, uncounted_kernel
from carom._core.threads import ONE, checked, in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.dispatch import WHOLES, Rows, has_compound, pair, rows
from carom.narrow.rows.separation import Form, closest_of_columns, form_of, separations_of_columns
from carom.narrow.signed_distance import core_points, separate, settle, settle_rows
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.proxy import RADIUS
from carom.shapes.set import Shapes
from carom.vector import Vec, new


@kernel
def _separation_of_pair(a: Floats, b: Floats) -> tuple[float, bool]:
    found = separate(a, 0, b, 0)
    return found[0], found[6]


@kernel
def _closest_of_pair(a: Floats, b: Floats) -> tuple[float, bool, float, float, float, float, float, float]:
    found = separate(a, 0, b, 0)
    separation, nx, ny, _, _, _, undecided = found
    ax, ay, bx, by = core_points(a, 0, b, 0, found)
    ra, rb = a[RADIUS], b[RADIUS]
    return separation, undecided, nx, ny, ax + nx * ra, ay + ny * ra, bx - nx * rb, by - ny * rb


@uncounted_kernel
def _separations_of_rows(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_separations: Floats, out_undecided: Booleans
) -> None:
    for row in range(out_separations.shape[0]):
        found = separate(a, starts_a[row], b, starts_b[row])
        out_separations[row], out_undecided[row] = found[0], found[6]


@uncounted_kernel
def _closest_of_rows(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    out_separations: Floats,
    out_undecided: Booleans,
    out_normals: Floats,
    out_points_a: Floats,
    out_points_b: Floats,
) -> None:
    for row in range(out_separations.shape[0]):
        i, j = starts_a[row], starts_b[row]
        found = separate(a, i, b, j)
        separation, nx, ny, _, _, _, undecided = found
        ax, ay, bx, by = core_points(a, i, b, j, found)
        ra, rb = a[i + RADIUS], b[j + RADIUS]
        out_separations[row], out_undecided[row] = separation, undecided
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        out_points_a[row, 0], out_points_a[row, 1] = ax + nx * ra, ay + ny * ra
        out_points_b[row, 0], out_points_b[row, 1] = bx - nx * rb, by - ny * rb


def separation_of_rows(pairs: Rows, threads: int, form: Form | None = None) -> Floats:
    """Return the signed separation of each pair, its sign exact; `form` tells the sets' columns, if they have any."""
    n = pairs.starts_a.size
    separations, undecided = np.empty(n), np.empty(n, dtype=np.bool_)
    _fill(pairs, threads, form, separations_of_columns, _separations_of_rows, [separations, undecided])
    settle_rows(pairs, undecided, separations, threads)
    return separations


def _fill(
    pairs: Rows,
    threads: int,
    form: Form | None,
    of_columns: Callable[..., None],
    of_rows: Callable[..., None],
    out: list[Any],
) -> None:
    """Write the columns `out`: from the sets' columns where there is a form, the rows it leaves from the records."""
    n = pairs.starts_a.size
    left = np.empty(0 if form is None else n, dtype=np.bool_)

    def work(begin: int, end: int) -> None:
        parts = [column[begin:end] for column in out]
        if form is None:
            of_rows(*pairs.part(begin, end), *parts)
        else:
            of_columns(*form, begin, left[begin:end], *parts)

    in_parts(threads, n, work)
    rest = np.flatnonzero(left)
    if rest.size:
        parts = [np.empty((rest.size, *column.shape[1:]), dtype=column.dtype) for column in out]
        of_rows(pairs.a, pairs.starts_a[rest], pairs.b, pairs.starts_b[rest], *parts)
        for column, part in zip(out, parts, strict=True):
            column[rest] = part


class ClosestColumns(NamedTuple):
    """`Closest` for every row of two sets."""

    separation: Floats
    """(n,)"""
    normal: Floats
    """(n, 2)"""
    point_a: Floats
    """(n, 2)"""
    point_b: Floats
    """(n, 2)"""


class Closest(NamedTuple):
    """Where two shapes are nearest, or how they overlap least."""

    separation: float
    """Positive apart, exactly 0 in touch, negative in overlap."""
    normal: Vec
    """Unit vector from A towards B."""
    point_a: Vec
    """The point of A nearest to B; in overlap, the point of A deepest along the normal."""
    point_b: Vec
    """The point of B nearest to A."""


@overload
def separation(a: Shape | Compound, b: Shape | Compound, *, threads: int = 1) -> float: ...


@overload
def separation(a: Shapes, b: Shape | Compound | Shapes, *, threads: int = 1) -> Floats: ...


@overload
def separation(a: Shape | Compound, b: Shapes, *, threads: int = 1) -> Floats: ...


def separation(a: Any, b: Any, *, threads: int = ONE) -> Any:
    """Return the signed separation of two shapes.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    float, or (n,) float64 for sets
        The distance where they are apart; exactly 0.0 where they touch; minus the depth of the minimum translation
        vector where they overlap. The same for (a, b) and (b, a) to the last bit.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Notes
    -----
    One walk around the Minkowski difference of the two cores, less both radii. The sign is exact: where rounding
    cannot tell, expansion arithmetic does (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
    Geometric Predicates").

    Examples
    --------
    >>> cm.separation(cm.Circle((0, 0), 1), cm.Circle((5, 0), 2))
    2.0
    >>> cm.separation(cm.Box((0, 0), (2, 2)), cm.Box((1.5, 0), (2, 2)))
    -0.5
    """
    if threads is not ONE:
        checked("separation", threads)
    found = pair("separation", a, b)
    if found is None:
        if has_compound(a, b):
            return WHOLES["separation"](a, b, threads)
        return separation_of_rows(rows("separation", ("a", "b"), a, b), threads, form_of(a, b))
    first, second = found
    gap, undecided = _separation_of_pair(first, second)
    return settle(first, second, gap) if undecided else gap


@overload
def distance(a: Shape | Compound, b: Shape | Compound, *, threads: int = 1) -> float: ...


@overload
def distance(a: Shapes, b: Shape | Compound | Shapes, *, threads: int = 1) -> Floats: ...


@overload
def distance(a: Shape | Compound, b: Shapes, *, threads: int = 1) -> Floats: ...


def distance(a: Any, b: Any, *, threads: int = ONE) -> Any:
    """Return the distance of two shapes: their separation, never below 0.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    float, or (n,) float64 for sets
        0.0 exactly where they touch or overlap.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Examples
    --------
    >>> cm.distance(cm.Point((3, 4)), cm.Point((0, 0)))
    5.0
    """
    if threads is not ONE:
        checked("distance", threads)
    found = pair("distance", a, b)
    if found is None:
        if has_compound(a, b):
            return WHOLES["distance"](a, b, threads)
        separations = separation_of_rows(rows("distance", ("a", "b"), a, b), threads, form_of(a, b))
        return np.maximum(separations, 0.0, out=separations)
    first, second = found
    gap, undecided = _separation_of_pair(first, second)
    return max(0.0, settle(first, second, gap) if undecided else gap)


def closest_rows(pairs: Rows, threads: int, form: Form | None = None) -> ClosestColumns:
    """Return where the shapes of each row are nearest; `form` tells the sets' columns, if they have any."""
    n = pairs.starts_a.size
    undecided = np.empty(n, dtype=np.bool_)
    found = ClosestColumns(np.empty(n), np.empty((n, 2)), np.empty((n, 2)), np.empty((n, 2)))
    _fill(pairs, threads, form, closest_of_columns, _closest_of_rows, [found.separation, undecided, *found[1:]])
    settle_rows(pairs, undecided, found.separation, threads)
    return found


@overload
def closest(a: Shape | Compound, b: Shape | Compound, *, threads: int = 1) -> Closest: ...


@overload
def closest(a: Shapes, b: Shape | Compound | Shapes, *, threads: int = 1) -> ClosestColumns: ...


@overload
def closest(a: Shape | Compound, b: Shapes, *, threads: int = 1) -> ClosestColumns: ...


def closest(a: Any, b: Any, *, threads: int = ONE) -> Any:
    """Return the separation of two shapes with its normal and its two points.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    Closest, or ClosestColumns for sets
        Named tuple (separation, normal, point_a, point_b); the normal points from A towards B, and
        ``point_b - point_a`` is ``normal * separation`` up to rounding.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Examples
    --------
    >>> found = cm.closest(cm.Circle((0, 0), 1), cm.Box((4, 0), (2, 2)))
    >>> found.separation, found.point_a, found.point_b
    (2.0, Vec(1.0, 0.0), Vec(3.0, 0.0))
    """
    if threads is not ONE:
        checked("closest", threads)
    found = pair("closest", a, b)
    if found is None:
        if has_compound(a, b):
            return WHOLES["closest"](a, b, threads)
        return closest_rows(rows("closest", ("a", "b"), a, b), threads, form_of(a, b))
    first, second = found
    gap, undecided, nx, ny, ax, ay, bx, by = _closest_of_pair(first, second)
    if undecided:
        gap = settle(first, second, gap)
    return Closest(gap, new(Vec, (nx + 0.0, ny + 0.0)), new(Vec, (ax, ay)), new(Vec, (bx, by)))
