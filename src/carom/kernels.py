"""The questions about one pair, to be called from compiled code of your own.

In: records of shapes, a flat array of float64 in which each shape begins at its start. Out: numbers and small named
tuples. Functions of your own that Numba compiles may call these in their loops, with Carom's extra `jit` installed;
as plain Python they may be called, too. `records` makes the arrays. World frame, user's units.

Yes or no is exact, as with the verbs, as long as the numbers of one pair lie less than about 1e125 apart.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from carom._core import inputs
from carom._core.jit import inner, kernel
from carom._core.jit.offered import offer
from carom._core.names import no_attribute
from carom._core.types import Floats, Integers
from carom.narrow.cast import strike
from carom.narrow.exact.double_double import decided_side
from carom.narrow.exact.hits import settled
from carom.narrow.exact.sign import BEYOND, path_touches
from carom.narrow.intersects import side
from carom.narrow.manifold import manifold
from carom.narrow.pairs.discs import UNDECIDED
from carom.narrow.signed_distance import compiled_with_sign, core_points, nearest, separate
from carom.shapes import proxy
from carom.shapes.given import AnyParts, set_of
from carom.shapes.proxy import COUNT, HIGHEST, LOWEST, POINTS, RADIUS, STRIDE

__all__ = [
    "Contact",
    "Hit",
    "Nearest",
    "X",
    "Y",
    "cast",
    "closest",
    "collide",
    "intersects",
    "raycast",
    "records",
    "separation",
]

X = proxy.X
"""A shape is moved by adding to ``array[start + X]``: the first coordinate of its place."""
Y = proxy.Y
"""The second coordinate of its place, as `X` is the first."""


class Nearest(NamedTuple):
    """How far two shapes are apart, and where they are nearest to each other."""

    separation: float
    """Positive apart, 0 in touch, negative in overlap."""
    nx: float
    """Unit normal from A towards B, first coordinate."""
    ny: float
    """Second coordinate of the normal."""
    ax: float
    """Nearest point of A, first coordinate."""
    ay: float
    """Second coordinate of the nearest point of A."""
    bx: float
    """Nearest point of B, first coordinate."""
    by: float
    """Second coordinate of the nearest point of B."""


class Contact(NamedTuple):
    """How two shapes touch or overlap."""

    touching: bool
    """Whether they touch or overlap at all; if not, nothing below counts."""
    nx: float
    """Unit normal from A towards B, first coordinate: B moved by the normal times the depth just touches A."""
    ny: float
    """Second coordinate of the normal."""
    depth: float
    """How deep they overlap; 0 where they merely touch."""
    point_count: int
    """Number of contact points, 1 or 2."""
    x0: float
    """First contact point, halfway between the surfaces."""
    y0: float
    """Second coordinate of the first contact point."""
    x1: float
    """Second contact point, if there are two."""
    y1: float
    """Second coordinate of the second contact point."""


class Hit(NamedTuple):
    """When and where a moved shape first hits another."""

    hit: bool
    """Whether it hits at all; if not, nothing below counts."""
    fraction: float
    """The part of the motion before the hit, from 0 to 1; infinite if it does not hit."""
    nx: float
    """Unit normal out of the shape that was hit, first coordinate."""
    ny: float
    """Second coordinate of the normal."""
    x: float
    """Where they touch, first coordinate."""
    y: float
    """Second coordinate of the point."""
    overlapping: bool
    """Whether they overlap at the start."""


LEAST_RECORD = POINTS + STRIDE


def _is_record(values: Floats, start: int) -> bool:
    """Tell whether a record can begin there, so that reading it stays within the array."""
    room = values.size - start
    if start < 0 or room < LEAST_RECORD:
        return False
    count, low, high = values[start + np.array((COUNT, LOWEST, HIGHEST))].tolist()
    return bool(STRIDE * count <= room - POINTS and 0.0 <= low < count and 0.0 <= high < count)


def _records(name: str, a: Any, i: Any, b: Any, j: Any) -> tuple[Floats, int, Floats, int]:
    """Return records and starts as the kernels take them, or refuse them."""
    where = f"kernels.{name}"
    starts = []
    for of, values, at, given in (("a", a, "i", i), ("b", b, "j", j)):
        if not (isinstance(values, np.ndarray) and values.dtype == np.float64 and values.ndim == 1):
            inputs.refuse_type(where, of, values, "must be an array of `kernels.records`")
        if not values.flags.c_contiguous:
            inputs.refuse(ValueError, where, of, values, "must be contiguous")
        start = inputs.integer(where, at, given)
        if not _is_record(values, start):
            expected = (
                f"must be a start of `kernels.records`: in {of}, of {values.size} numbers, no record begins there"
            )
            inputs.refuse(IndexError, where, at, given, expected)
        starts.append(start)
    return a, starts[0], b, starts[1]


@kernel
def _intersects(a: Floats, i: int, b: Floats, j: int) -> bool:
    found = side(a, i, b, j)
    if found == UNDECIDED:
        found = decided_side(a, i, b, j)
    if found == BEYOND:
        return bool(separate(a, i, b, j)[0] <= 0.0)
    return bool(found <= 0)


@inner
def _sign_settled(a: Floats, i: int, b: Floats, j: int, separation: float) -> float:
    found = decided_side(a, i, b, j)
    if found == BEYOND:
        return separation
    return float(compiled_with_sign(separation, found, a[i + RADIUS] + b[j + RADIUS]))


@kernel
def _separation(a: Floats, i: int, b: Floats, j: int) -> float:
    found = separate(a, i, b, j)
    return _sign_settled(a, i, b, j, found[0]) if found[6] else found[0]


@kernel
def _closest(a: Floats, i: int, b: Floats, j: int) -> tuple[float, float, float, float, float, float, float]:
    found = nearest(a, i, b, j)
    separation, nx, ny, _, _, _, undecided = found
    ax, ay, bx, by = core_points(a, i, b, j, found)
    ra, rb = a[i + RADIUS], b[j + RADIUS]
    if undecided:
        separation = _sign_settled(a, i, b, j, separation)
    return separation, nx + 0.0, ny + 0.0, ax + nx * ra, ay + ny * ra, bx - nx * rb, by - ny * rb


@kernel
def _collide(a: Floats, i: int, b: Floats, j: int) -> tuple[bool, float, float, float, int, float, float, float, float]:
    separation, nx, ny, undecided, count, first, second = manifold(a, i, b, j)
    if undecided:
        separation = _sign_settled(a, i, b, j, separation)
    if separation > 0.0:
        return False, 0.0, 0.0, 0.0, 0, 0.0, 0.0, 0.0, 0.0
    return True, nx + 0.0, ny + 0.0, 0.0 - separation, count, first[0], first[1], second[0], second[1]


@kernel
def _hit(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float, ray: bool
) -> tuple[bool, float, float, float, float, float, bool]:
    mx, my = mx + 0.0, my + 0.0  # -0.0 would turn the sign of an infinite quotient
    found = strike(a, i, b, j, mx, my, ray)
    if found[1]:
        if path_touches(a, i, b, j, mx, my) == 0:
            return False, math.inf, 0.0, 0.0, 0.0, 0.0, False
        found = settled(a, i, b, j, mx, my, found)
    hit, _, overlapping, fraction, nx, ny, x, y = found
    if not hit:
        return False, math.inf, 0.0, 0.0, 0.0, 0.0, False
    if ray and fraction == 0.0:
        x, y = a[i + X] + a[i + POINTS], a[i + Y] + a[i + POINTS + 1]
    return True, fraction, nx + 0.0, ny + 0.0, x, y, overlapping


@kernel
def _cast(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float
) -> tuple[bool, float, float, float, float, float, bool]:
    return _hit(a, i, b, j, mx, my, False)


@kernel
def _raycast(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float
) -> tuple[bool, float, float, float, float, float, bool]:
    return _hit(a, i, b, j, mx, my, True)


def records(shapes: AnyParts) -> tuple[Floats, Integers]:
    """Return the records of shapes, one after the other, and the place where each begins.

    Parameters
    ----------
    shapes : Shapes, one shape, or shapes in a list
        A Compound gives a record for each of its parts.

    Returns
    -------
    tuple of ndarray
        The records, float64, a copy that you may change: ``array[start + X] += dx`` moves a shape. The starts, int64,
        one for each shape.

    Raises
    ------
    TypeError
        If there is no shape.

    Examples
    --------
    >>> from carom import kernels
    >>> values, starts = kernels.records([cm.Circle((0, 0), 1), cm.Box((3, 0), (2, 2))])
    >>> kernels.separation(values, starts[0], values, starts[1])
    1.0
    >>> values[starts[0] + kernels.X] += 1
    >>> kernels.separation(values, starts[0], values, starts[1])
    0.0
    """
    given = set_of("records", "shapes", shapes)
    return given._buffer.copy(), given._starts.copy()


def intersects(a: Floats, i: int, b: Floats, j: int) -> bool:
    """Tell whether two shapes have a point in common, as `carom.intersects` does.

    Parameters
    ----------
    a, b : ndarray
        Records, contiguous float64; they may be the same array.
    i, j : int
        Where the records of A and B begin.

    Returns
    -------
    bool
        True if they touch or overlap.
    """
    return _intersects(*_records("intersects", a, i, b, j))


def separation(a: Floats, i: int, b: Floats, j: int) -> float:
    """Return how far two shapes are apart, as `carom.separation` does.

    Parameters
    ----------
    a, b : ndarray
        Records, contiguous float64; they may be the same array.
    i, j : int
        Where the records of A and B begin.

    Returns
    -------
    float
        Positive apart, 0 in touch, negative in overlap.
    """
    return _separation(*_records("separation", a, i, b, j))


def closest(a: Floats, i: int, b: Floats, j: int) -> Nearest:
    """Return the nearest points of two shapes, as `carom.closest` does.

    Parameters
    ----------
    a, b : ndarray
        Records, contiguous float64; they may be the same array.
    i, j : int
        Where the records of A and B begin.

    Returns
    -------
    Nearest
    """
    return Nearest(*_closest(*_records("closest", a, i, b, j)))


def collide(a: Floats, i: int, b: Floats, j: int) -> Contact:
    """Return depth, normal and contact points of two shapes, as `carom.collide` does.

    Parameters
    ----------
    a, b : ndarray
        Records, contiguous float64; they may be the same array.
    i, j : int
        Where the records of A and B begin.

    Returns
    -------
    Contact
        Ask its `touching` first.
    """
    return Contact(*_collide(*_records("collide", a, i, b, j)))


def cast(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> Hit:
    """Return when A, moved by (mx, my), first hits B, as `carom.cast` does.

    Parameters
    ----------
    a, b : ndarray
        Records, contiguous float64; they may be the same array.
    i, j : int
        Where the records of A and B begin.
    mx, my : float
        The translation of A, all of it.

    Returns
    -------
    Hit
        Ask its `hit` first.
    """
    return Hit(*_cast(*_records("cast", a, i, b, j), float(mx), float(my)))


def raycast(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> Hit:
    """Return when a ray from the Point A first hits B, as `carom.raycast` does.

    Parameters
    ----------
    a, b : ndarray
        Records, contiguous float64; they may be the same array.
    i, j : int
        Where the records of A, a Point, and of B begin.
    mx, my : float
        From the ray's origin to its end.

    Returns
    -------
    Hit
        Ask its `hit` first. A ray that starts inside B hits it at fraction 0.
    """
    return Hit(*_raycast(*_records("raycast", a, i, b, j), float(mx), float(my)))


_HIT = ("bool", *["float64"] * 5, "bool")
for _function, _kernel, _answer, _class in (
    (intersects, _intersects, "bool", None),
    (separation, _separation, "float64", None),
    (closest, _closest, ("float64",) * 7, Nearest),
    (collide, _collide, ("bool", *["float64"] * 3, "int64", *["float64"] * 4), Contact),
    (cast, _cast, _HIT, Hit),
    (raycast, _raycast, _HIT, Hit),
):
    offer(_function, _kernel, _answer, _class, least=LEAST_RECORD)


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> NoReturn:
        raise no_attribute(__name__, name, __all__)
