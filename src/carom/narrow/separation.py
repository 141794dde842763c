"""How far apart two shapes are, or how deep they overlap: one signed number, with its direction and its two points.

In: two shapes, or their records. Out: the separation (positive apart, 0 exactly in touch, negative in overlap), the
unit normal from A towards B, and the two points that realise it. World frame, user's units. Every other verb that asks
where two shapes stand asks here, so they all agree.

The compiled walk rounds, and tells when the sign lies inside its error bound; only then `exact` is asked, which is
compiled only if it ever is.
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Booleans, Floats, Integers
from carom.columns import Shapes
from carom.narrow._door import Rows, pair, rows
from carom.narrow.exact import BEYOND, side_of_touching
from carom.narrow.integers import decide_side, side_by_integers
from carom.narrow.walk import EDGE_A, EDGE_B, VERTICES, walk
from carom.shapes import Shape
from carom.tolerances import SIGN_BAND
from carom.vector import Vec, new

LEAST = 5e-324  # the smallest positive float64: "apart, but by less than can be written"

# separation, normal x and y, feature and places as in walk.Nearest, and whether the sign is inside the error bound
Separation = tuple[float, float, float, int, int, int, bool]


@inner
def magnitude(a: Floats, i: int, b: Floats, j: int) -> float:
    """Return a number that no coordinate difference of the pair exceeds: the measure of rounding errors."""
    return float(
        abs(b[j + rec.X] - a[i + rec.X])
        + abs(b[j + rec.Y] - a[i + rec.Y])
        + 2.0 * (a[i + rec.REACH] + b[j + rec.REACH])
        + abs(a[i + rec.CENTER_X])
        + abs(a[i + rec.CENTER_Y])
        + abs(b[j + rec.CENTER_X])
        + abs(b[j + rec.CENTER_Y])
        + a[i + rec.RADIUS]
        + b[j + rec.RADIUS]
    )


@inner
def comes_second(a: Floats, i: int, b: Floats, j: int) -> bool:
    """Tell whether (A, B) is to be computed as (B, A), so that both orders give the same bits."""
    for column in (rec.X, rec.Y, rec.KIND, rec.COUNT, rec.RADIUS):
        if a[i + column] != b[j + column]:
            return bool(a[i + column] > b[j + column])
    for k in range(rec.POINTS, rec.POINTS + rec.STRIDE * int(a[i + rec.COUNT])):
        if a[i + k] != b[j + k]:
            return bool(a[i + k] > b[j + k])
    return False


@inner
def is_undecided(distance: float, radius: float, band: float) -> bool:
    """Tell whether rounding may hide on which side of the radius a distance of cores lies."""
    # Beyond a sharp corner every edge is nearer than the corner: there even the sign of the distance says little, and
    # what is taken for inside may be outside by more than a small radius.
    return abs(distance - radius) <= band or (radius > 0.0 and -band <= distance <= 0.0)


@kernel
def separate(a: Floats, i: int, b: Floats, j: int) -> Separation:
    """Return the signed separation of two shapes, its normal, and the feature that decided."""
    swapped = comes_second(a, i, b, j)
    if swapped:
        a, i, b, j = b, j, a, i
    distance, nx, ny, feature, at, bt = walk(a, i, b, j)
    separation = distance - (a[i + rec.RADIUS] + b[j + rec.RADIUS])
    undecided = is_undecided(distance, a[i + rec.RADIUS] + b[j + rec.RADIUS], SIGN_BAND * magnitude(a, i, b, j))
    if swapped:
        if feature != VERTICES:
            feature = EDGE_A + EDGE_B - feature
        return separation, -nx, -ny, feature, bt, at, undecided
    return separation, nx, ny, feature, at, bt, undecided


def with_sign(separation: float, side: int, radius: float) -> float:
    """Return a rounded separation with its exact sign; between sharp cores only the sign can have been wrong."""
    if side == 0:
        return 0.0
    if radius == 0.0:
        separation = side * abs(separation)
    return max(separation, LEAST) if side > 0 else min(separation, -LEAST)


def settle(a: Floats, b: Floats, separation: float) -> float:
    """Return an undecided separation of two records with its true sign: 0 in touch, else at least the least float."""
    first, second = float(a[rec.RADIUS]), float(b[rec.RADIUS])
    return with_sign(separation, decide_side(a, 0, b, 0, 0.0, 0.0, first, second), first + second)


@inner
def core_points(a: Floats, i: int, b: Floats, j: int, found: Separation) -> tuple[float, float, float, float]:
    """Return the points of the two cores, in the world, that realise a separation: (ax, ay, bx, by)."""
    separation, nx, ny, feature, at, bt, _ = found
    apart = separation + (a[i + rec.RADIUS] + b[j + rec.RADIUS])
    ax, ay = a[i + rec.X] + a[at], a[i + rec.Y] + a[at + 1]
    bx, by = b[j + rec.X] + b[bt], b[j + rec.Y] + b[bt + 1]
    if feature == EDGE_A:
        return bx - nx * apart, by - ny * apart, bx, by
    if feature == EDGE_B:
        return ax, ay, ax + nx * apart, ay + ny * apart
    return ax, ay, bx, by


@kernel
def _separation_of_pair(a: Floats, b: Floats) -> tuple[float, bool]:
    found = separate(a, 0, b, 0)
    return found[0], found[6]


@kernel
def _closest_of_pair(a: Floats, b: Floats) -> tuple[float, bool, float, float, float, float, float, float]:
    found = separate(a, 0, b, 0)
    separation, nx, ny, _, _, _, undecided = found
    ax, ay, bx, by = core_points(a, 0, b, 0, found)
    ra, rb = a[rec.RADIUS], b[rec.RADIUS]
    return separation, undecided, nx, ny, ax + nx * ra, ay + ny * ra, bx - nx * rb, by - ny * rb


@kernel
def _separations_of_rows(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_separations: Floats, out_undecided: Booleans
) -> None:
    for row in range(out_separations.shape[0]):
        found = separate(a, starts_a[row], b, starts_b[row])
        out_separations[row], out_undecided[row] = found[0], found[6]


@kernel
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
        ra, rb = a[i + rec.RADIUS], b[j + rec.RADIUS]
        out_separations[row], out_undecided[row] = separation, undecided
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        out_points_a[row, 0], out_points_a[row, 1] = ax + nx * ra, ay + ny * ra
        out_points_b[row, 0], out_points_b[row, 1] = bx - nx * rb, by - ny * rb


compiled_with_sign = inner(with_sign)


@kernel
def _settle_rows(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, undecided: Booleans, out_separations: Floats
) -> None:
    for row in range(undecided.shape[0]):
        if undecided[row]:
            i, j = starts_a[row], starts_b[row]
            first, second = a[i + rec.RADIUS], b[j + rec.RADIUS]
            side = side_of_touching(a, i, b, j, 0.0, 0.0, first, second)
            undecided[row] = side == BEYOND
            out_separations[row] = compiled_with_sign(out_separations[row], side, first + second)


def settle_rows(pairs: Rows, undecided: Booleans, separations: Floats) -> None:
    """Give every undecided separation its true sign, as `settle` does for one pair."""
    if not undecided.any():
        return
    known = separations.copy()
    _settle_rows(*pairs, undecided, separations)
    for row in np.flatnonzero(undecided).tolist():
        a, i, b, j = pairs.a, pairs.starts_a[row], pairs.b, pairs.starts_b[row]
        first, second = float(a[i + rec.RADIUS]), float(b[j + rec.RADIUS])
        side = side_by_integers(a, i, b, j, 0.0, 0.0, first, second)
        separations[row] = with_sign(known.item(row), side, first + second)


def _separation_of_rows(pairs: Rows) -> Floats:
    separations, undecided = np.empty(pairs.starts_a.size), np.empty(pairs.starts_a.size, dtype=np.bool_)
    _separations_of_rows(*pairs, separations, undecided)
    settle_rows(pairs, undecided, separations)
    return separations


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
def separation(a: Shape, b: Shape) -> float: ...


@overload
def separation(a: Shapes, b: Shape | Shapes) -> Floats: ...


@overload
def separation(a: Shape, b: Shapes) -> Floats: ...


def separation(a: Any, b: Any) -> Any:
    """Return the signed separation of two shapes.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon, or Shapes
        Sets go row by row: n with n, or n with one.

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
    found = pair("separation", a, b)
    if found is None:
        return _separation_of_rows(rows("separation", ("a", "b"), a, b))
    first, second = found
    gap, undecided = _separation_of_pair(first, second)
    return settle(first, second, gap) if undecided else gap


@overload
def distance(a: Shape, b: Shape) -> float: ...


@overload
def distance(a: Shapes, b: Shape | Shapes) -> Floats: ...


@overload
def distance(a: Shape, b: Shapes) -> Floats: ...


def distance(a: Any, b: Any) -> Any:
    """Return the distance of two shapes: their separation, never below 0.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon, or Shapes
        Sets go row by row: n with n, or n with one.

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
    found = pair("distance", a, b)
    if found is None:
        return np.maximum(_separation_of_rows(rows("distance", ("a", "b"), a, b)), 0.0)
    first, second = found
    gap, undecided = _separation_of_pair(first, second)
    return max(0.0, settle(first, second, gap) if undecided else gap)


def _closest_rows(pairs: Rows) -> ClosestColumns:
    n = pairs.starts_a.size
    undecided = np.empty(n, dtype=np.bool_)
    found = ClosestColumns(np.empty(n), np.empty((n, 2)), np.empty((n, 2)), np.empty((n, 2)))
    _closest_of_rows(*pairs, found.separation, undecided, found.normal, found.point_a, found.point_b)
    settle_rows(pairs, undecided, found.separation)
    return found


@overload
def closest(a: Shape, b: Shape) -> Closest: ...


@overload
def closest(a: Shapes, b: Shape | Shapes) -> ClosestColumns: ...


@overload
def closest(a: Shape, b: Shapes) -> ClosestColumns: ...


def closest(a: Any, b: Any) -> Any:
    """Return the separation of two shapes with its normal and its two points.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon, or Shapes
        Sets go row by row: n with n, or n with one.

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
    found = pair("closest", a, b)
    if found is None:
        return _closest_rows(rows("closest", ("a", "b"), a, b))
    first, second = found
    gap, undecided, nx, ny, ax, ay, bx, by = _closest_of_pair(first, second)
    if undecided:
        gap = settle(first, second, gap)
    return Closest(gap, new(Vec, (nx + 0.0, ny + 0.0)), new(Vec, (ax, ay)), new(Vec, (bx, by)))
