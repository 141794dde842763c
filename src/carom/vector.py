"""Vectors: a NamedTuple of x and y with vector algebra, and the cosine and sine that every turn in Carom uses.

A `Vec` is a plain tuple, so it goes wherever a pair of numbers goes; `+` adds and `*` scales, they do not join or
repeat. Frame and units are the caller's. Angles are radians, counter-clockwise where y points up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any, NamedTuple, NoReturn

Point2 = tuple[float, float]
LEAST = 5e-324  # the smallest positive float64: there, but by less than can be written
# pi / 2 in three parts: the first two have at most 33 bits, so their multiples by up to MOST_QUARTERS are exact.
HALF_PI = float.fromhex("0x1.921fb54400000p+0")
HALF_PI_TAIL = float.fromhex("0x1.0b4611a600000p-34")
HALF_PI_REST = float.fromhex("0x1.3198a2e037073p-69")
COS_SIN_OF_QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
MOST_QUARTERS = 2**20  # farther out the floats lie so wide that chance hits would begin to count
new = tuple.__new__  # makes a named tuple in half the time of calling its class


class Vec(NamedTuple):
    """A vector or a point in the plane.

    Parameters
    ----------
    x, y : float

    Examples
    --------
    >>> from carom import Vec
    >>> Vec(3.0, 4.0).length
    5.0
    >>> Vec(1.0, 2.0) + (1, 1)
    Vec(2.0, 3.0)
    >>> 2 * Vec(1.0, 2.0)
    Vec(2.0, 4.0)
    """

    x: float
    y: float

    def __repr__(self) -> str:
        return f"Vec({self[0]!r}, {self[1]!r})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"Vec.{name} cannot be set, since a Vec is a value, as a number is: assign a new vector, as in "
            f"body.velocity = (3, body.velocity.y)"
        )

    def __add__(self, other: Iterable[float]) -> Vec:  # type: ignore[override]
        try:
            x, y = other
            return new(Vec, (float(self[0] + x), float(self[1] + y)))
        except (TypeError, ValueError):
            raise TypeError(f"Vec + {other!r}: only a vector (x, y) can be added to a Vec") from None

    def __radd__(self, other: Iterable[float]) -> Vec:
        return self + other

    def __abs__(self) -> float:
        return self.length

    def __round__(self, digits: int | None = None) -> Vec:
        return new(Vec, (float(round(self[0], digits or 0)), float(round(self[1], digits or 0))))

    def __matmul__(self, other: tuple[float, float]) -> float:
        return self.dot(other)

    def __rmatmul__(self, other: tuple[float, float]) -> float:
        return self.dot(other)

    def __sub__(self, other: Iterable[float]) -> Vec:
        try:
            x, y = other
            return new(Vec, (float(self[0] - x), float(self[1] - y)))
        except (TypeError, ValueError):
            raise TypeError(f"Vec - {other!r}: only a vector (x, y) can be subtracted from a Vec") from None

    def __rsub__(self, other: Iterable[float]) -> Vec:
        return -self + other

    def __mul__(self, factor: float) -> Vec:  # type: ignore[override]
        try:
            return new(Vec, (float(self[0] * factor), float(self[1] * factor)))
        except (TypeError, ValueError):
            raise TypeError(f"Vec * {factor!r}: only a number scales a Vec; for two vectors use dot or cross") from None

    def __rmul__(self, factor: float) -> Vec:  # type: ignore[override]
        return self * factor

    def __truediv__(self, divisor: float) -> Vec:
        try:
            return new(Vec, (float(self[0] / divisor), float(self[1] / divisor)))
        except (TypeError, ValueError):
            raise TypeError(f"Vec / {divisor!r}: a Vec is divided by a number") from None

    def __neg__(self) -> Vec:
        return new(Vec, (-self[0], -self[1]))

    def __pos__(self) -> Vec:
        return self

    def dot(self, other: tuple[float, float]) -> float:
        """Return x * other.x + y * other.y: the product of the lengths times the cosine of the angle between."""
        if type(other) is Vec and type(other[0]) is float is type(other[1]):
            return self[0] * other[0] + self[1] * other[1]
        x, y = _pair("Vec.dot: other", other)
        return self[0] * x + self[1] * y

    def cross(self, other: tuple[float, float]) -> float:
        """Return x * other.y - y * other.x: positive if `other` lies counter-clockwise of this vector."""
        x, y = _pair("Vec.cross: other", other)
        return self[0] * y - self[1] * x

    @property
    def length(self) -> float:
        """The Euclidean length, right for components of any size."""
        return math.hypot(self[0], self[1])

    @property
    def length_squared(self) -> float:
        """The square of the length: cheaper than `length`, and enough to compare two vectors."""
        return self[0] * self[0] + self[1] * self[1]

    @property
    def angle(self) -> float:
        """The direction in radians from the x axis, in [-pi, pi]."""
        return math.atan2(self[1], self[0])

    @property
    def perpendicular(self) -> Vec:
        """The vector turned a quarter counter-clockwise (where y points up): (-y, x)."""
        return new(Vec, (-self[1], self[0]))

    def distance(self, other: tuple[float, float]) -> float:
        """Return the length of the difference from `other`."""
        x, y = _pair("Vec.distance: other", other)
        return math.hypot(self[0] - x, self[1] - y)

    def normalized(self) -> Vec:
        """Return the unit vector of the same direction.

        Raises
        ------
        ValueError
            If this vector has no direction: it is zero or not finite.
        """
        self._check_direction("Vec.normalized")
        return new(Vec, unit_normal(-self[1], self[0]))

    def projection(self, onto: tuple[float, float]) -> Vec:
        """Return the part of this vector along `onto`: the point of the line through 0 and `onto` nearest to it.

        Raises
        ------
        ValueError
            If `onto` has no direction: it is zero or not finite.
        """
        x, y = _pair("Vec.projection: onto", onto)
        Vec(x, y)._check_direction("Vec.projection: onto")
        exponent = -math.frexp(max(abs(x), abs(y)))[1]
        x, y = math.ldexp(x, exponent), math.ldexp(y, exponent)
        share = (self[0] * x + self[1] * y) / (x * x + y * y)
        return new(Vec, (share * x, share * y))

    def rotated(self, angle: float) -> Vec:
        """Return this vector turned by `angle` radians; exact where `angle` is the float64 nearest to k pi / 2."""
        turn = _number("Vec.rotated: angle", angle)
        if not math.isfinite(turn):
            raise ValueError(f"Vec.rotated: angle = {angle!r} must be finite")
        c, s = cos_sin(turn)
        return new(Vec, (c * self[0] - s * self[1], s * self[0] + c * self[1]))

    def _check_direction(self, where: str) -> None:
        if not 0.0 < max(abs(self[0]), abs(self[1])) < math.inf or self[0] != self[0] or self[1] != self[1]:
            raise ValueError(f"{where} = {self!r} has no direction; it must be finite and not zero")


# Above NumPy's numbers, below its arrays: np.float64(2) * vec is a Vec, too. Set here, since type checkers take it for
# a field of the class.
Vec.__array_priority__ = -1.0  # type: ignore[attr-defined]


def _pair(name: str, value: tuple[float, float]) -> Point2:
    """Return two numbers as plain floats; they may be infinite, as those of a Vec may."""
    try:
        x, y = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {value!r:.80} must be a vector (x, y)") from None
    if type(x) is type(y) is float:
        return x, y
    return _number(f"{name}[0]", x), _number(f"{name}[1]", y)


def _number(name: str, value: Any) -> float:
    try:
        if isinstance(value, Real):
            return float(value)
    except OverflowError:
        raise ValueError(f"{name} must be at most 1.8e308 in magnitude, as a float64 is") from None
    except TypeError:  # a span of time, which NumPy counts among its integers
        pass
    raise TypeError(f"{name} = {value!r:.80} must be a number, not {type(value).__name__}")


def quarter_turns(angle: float) -> int:
    """Return k in 0..3 if `angle` is the float64 nearest to a multiple k (modulo 4) of pi / 2, else -1.

    Multiples up to 2**20 are known; beyond, an angle is read as it stands. Kernels compile this function, too.
    """
    if angle == 0.0:
        return 0
    quarters = angle / (math.pi / 2)
    if not abs(quarters) < MOST_QUARTERS:
        return -1
    k = math.floor(quarters + 0.5)
    if abs(quarters - k) > 1e-15 * abs(k):  # nearly all angles; a true multiple is off by three roundings at most
        return -1
    first, second = k * HALF_PI, k * HALF_PI_TAIL
    nearest = first + second
    error = second - (nearest - first)  # exact (Dekker 1971)
    return k % 4 if angle == nearest + (error + k * HALF_PI_REST) else -1


def cos_sin(angle: float) -> Point2:
    """Return cosine and sine of `angle`, exact where `angle` is the float64 nearest to a multiple of pi / 2."""
    quarters = quarter_turns(angle)
    if quarters < 0:
        return math.cos(angle), math.sin(angle)
    return COS_SIN_OF_QUARTERS[quarters]


def unit_normal(ex: float, ey: float) -> Point2:
    """Return the outward unit normal of an edge (ex, ey) of a counter-clockwise outline, for any finite length."""
    largest = max(abs(ex), abs(ey))
    if largest == 0.0:
        return 0.0, 0.0
    exponent = math.frexp(largest)[1]
    x, y = math.ldexp(ex, -exponent), math.ldexp(ey, -exponent)
    length = math.sqrt(x * x + y * y)
    nx, ny = y / length + 0.0, 0.0 - x / length
    # The signs put the edges in order: a slope too small for float64 must not become none.
    if nx == 0.0 and ey != 0.0:
        nx = math.copysign(LEAST, ey)
    if ny == 0.0 and ex != 0.0:
        ny = math.copysign(LEAST, -ex)
    return nx, ny


def length_of(x: float, y: float) -> float:
    """Return the length of a vector whose squares neither overflow nor all vanish."""
    return math.sqrt(x * x + y * y)
