"""Box: a rectangle, along the axes (AABB) or turned (OBB), sharp or rounded.

In: centre and size, corners, or a rectangle as pygame's. Out: a frozen value. Along the axes its lower and upper corner
are what is stored; turned, four local corners are, rounded once. World frame, user's units; angles in radians.
"""

from __future__ import annotations

import struct
from math import cos, sin, sqrt
from typing import Any, Never, Self

import numpy as np

from carom._core import inputs, shape_inputs
from carom._core.inputs import LEAST, PointLike
from carom._core.jit import is_compiled
from carom._core.names import refuse_keywords, told_by_name
from carom.shapes.base import BEYOND, ConvexShape, _set_detail, _set_record, pair
from carom.shapes.outlines.clean_convex import orientation
from carom.shapes.proxy import AABB, POINTS, STRIDE, X, Y
from carom.shapes.proxy_writers import BOX_LENGTH, turned_box_proxy, write_given_box
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2, Vec, cos_sin, new, quarter_turns

_NONE = 0.0  # angle and radius unless said otherwise; told by identity
COMPILED = is_compiled()  # as plain Python the kernel takes longer than what is written out below
_THIRD = POINTS + 2 * STRIDE  # the corner across from the first
_pack_into = struct.Struct(f"{BOX_LENGTH}d").pack_into  # takes two thirds of the time of np.array
_CORNERS = "; did you pass corners? Use Box.from_corners"


class Box(ConvexShape):
    """A rectangle by centre and size; turned if `angle` is not 0, rounded if `radius` is not 0.

    Parameters
    ----------
    center : (x, y)
    size : (width, height), positive
        Full size of the core, without `radius`.
    angle : float
        Radians, counter-clockwise where y points up. The float64 nearest to a multiple of pi / 2 is an exact quarter
        turn: the box stays along the axes with its size swapped as needed, and reports angle 0.
    radius : float
        Grows the box outward and rounds its corners.
    half_extents : (width / 2, height / 2), instead of `size`

    Examples
    --------
    >>> from carom import Box
    >>> Box((1, 1), (2, 4)).upper
    Vec(2.0, 3.0)
    >>> Box.from_corners((0, 0), (2, 1))
    Box((1.0, 0.5), (2.0, 1.0))
    """

    __slots__ = ()
    __match_args__ = ("center", "size", "angle")

    @told_by_name
    def __init__(
        self,
        center: PointLike,
        size: PointLike | None = None,
        angle: float = _NONE,
        *more: Never,
        radius: float = _NONE,
        half_extents: PointLike | None = None,
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_keywords("Box", Box, unknown)
        if more:
            shape_inputs.refuse_loose("Box((x, y), (width, height), angle)", center, size, angle, *more)
        # What nearly always comes goes straight to a kernel; all else is looked at with care.
        numbers = inputs.plain_pairs(center, size) if half_extents is None and radius is _NONE else None
        if numbers and type(angle) is float and COMPILED:
            proxy = np.empty(BOX_LENGTH)
            x, y, w, h = numbers
            form = write_given_box(x, y, w, h, angle, 0.0, proxy)
            if form:
                _set_record(self, proxy)
                _set_detail(self, None if form == 1 else (w, h, angle))
                return
        x, y = inputs.point("Box", "center", center)
        if size is not None and half_extents is None:
            w, h = shape_inputs.sizes("Box", "size", size, _CORNERS)
            w *= 0.5
            h *= 0.5
        elif half_extents is not None and size is None:
            w, h = shape_inputs.sizes("Box", "half_extents", half_extents)
        elif size is None:
            raise TypeError("Box: size is missing; give size = (width, height) or half_extents")
        else:
            raise TypeError(f"Box: size = {size!r} and half_extents = {half_extents!r} say the same thing; give one")
        r = shape_inputs.growth("Box", "radius", radius)
        self._set("Box", x, y, w, h, inputs.number("Box", "angle", angle), r)

    @classmethod
    @told_by_name
    def from_corners(cls, lower: PointLike, upper: PointLike, *, radius: float = 0.0, **unknown: Never) -> Self:
        """Return the box along the axes with exactly these corners: least x and y, greatest x and y."""
        where = "Box.from_corners"
        if unknown:
            refuse_keywords(where, Box.from_corners, unknown)
        lx, ly = inputs.point(where, "lower", lower)
        ux, uy = inputs.point(where, "upper", upper)
        if not (lx < ux and ly < uy):
            inputs.refuse(
                ValueError, where, "upper", (ux, uy), f"must be greater than lower = {(lx, ly)} in x and in y"
            )
        return object.__new__(cls)._span(where, lx, ly, ux, uy, shape_inputs.growth(where, "radius", radius))

    @classmethod
    @told_by_name
    def from_corner(cls, corner: PointLike, size: PointLike, *, radius: float = 0.0, **unknown: Never) -> Self:
        """Return the box along the axes from its corner of least x and y, and its size."""
        where = "Box.from_corner"
        if unknown:
            refuse_keywords(where, Box.from_corner, unknown)
        x, y = inputs.point(where, "corner", corner)
        w, h = shape_inputs.sizes(where, "size", size, _CORNERS)
        return object.__new__(cls)._span(where, x, y, x + w, y + h, shape_inputs.growth(where, "radius", radius))

    @classmethod
    @told_by_name
    def from_rect(cls, rect: Any, *, radius: float = 0.0, **unknown: Never) -> Self:
        """Return the box of a rectangle with left, top, width, height, such as pygame's, or of those four numbers."""
        where = "Box.from_rect"
        if unknown:
            refuse_keywords(where, Box.from_rect, unknown)
        if all(hasattr(rect, name) for name in ("left", "top", "width", "height")):
            rect = (rect.left, rect.top, rect.width, rect.height)
        x, y, w, h = shape_inputs.rectangle(where, "rect", rect)
        return object.__new__(cls)._span(where, x, y, x + w, y + h, shape_inputs.growth(where, "radius", radius))

    def _span(self, where: str, lx: float, ly: float, ux: float, uy: float, radius: float) -> Self:
        """Store the box along the axes with these corners, written out here because boxes are many."""
        w, h = ux - lx, uy - ly
        if not (w >= SMALLEST_SIZE <= h and lx >= LEAST <= ly and ux <= LARGEST >= uy):
            _refuse_corners(where, (lx, ly), (ux, uy))
        # As `choose_origin` does: the lower corner is the origin where the size is exact, which it is if both corners
        # come back from it (Dekker 1971: the error of a difference shows at the larger of the two numbers).
        ox, oy, ax, ay = lx, ly, 0.0, 0.0
        if ux - w != lx or lx + w != ux:
            ox, ax, w = 0.0, lx, ux
        if uy - h != ly or ly + h != uy:
            oy, ay, h = 0.0, ly, uy
        hx, hy = (w - ax) * 0.5, (h - ay) * 0.5
        reach = sqrt(hx * hx + hy * hy) * (1.0 + 2.0**-50)
        proxy = np.empty(BOX_LENGTH)
        # fmt: off
        _pack_into(
            proxy, 0,  # type: ignore[arg-type]  # an array is a buffer
            AABB, 4.0, radius, ox, oy, 0.0, 2.0, ax + hx, ay + hy, reach,
            ax, ay, 0.0, -1.0, w, ay, 1.0, 0.0, w, h, 0.0, 1.0, ax, h, -1.0, 0.0,
        )
        # fmt: on
        _set_record(self, proxy)
        _set_detail(self, None)
        return self

    def _set(self, where: str, x: float, y: float, w: float, h: float, angle: float, radius: float) -> Self:
        """Store the box turned by any angle, from its centre and half its size."""
        quarters = quarter_turns(angle)
        if quarters < 0:
            if max(2.0 * w, 2.0 * h, abs(x), abs(y)) > LARGEST:
                raise ValueError(f"{where}: angle = {angle!r} at {(x, y)} {BEYOND}")
            self._turned(where, x, y, w, h, angle, radius)
            return self
        if quarters % 2:
            w, h = h, w
        return self._span(where, x - w, y - h, x + w, y + h, radius)

    def _turned(self, where: str, x: float, y: float, w: float, h: float, angle: float, radius: float) -> None:
        """Store the box turned by an angle that is no quarter turn, from half its size."""
        proxy, sure = turned_box_proxy(x, y, w, h, cos(angle), sin(angle), radius)
        size = (2.0 * w, 2.0 * h)
        if not sure:
            (ax, ay), (bx, by) = proxy[POINTS:].reshape(4, STRIDE)[:2, :2].tolist()
            if orientation((0.0, 0.0), (ax, ay), (bx, by)) <= 0:
                raise ValueError(
                    f"{where}: size = {size} is too thin to turn by angle = {angle!r}; use Segment or Capsule"
                )
        _set_record(self, proxy)
        _set_detail(self, (*size, angle))

    @property
    def lower(self) -> Vec:
        """The corner of least x and y, without radius; for boxes along the axes only."""
        return self._corner("lower", 0)

    @property
    def upper(self) -> Vec:
        """The corner of greatest x and y, without radius; for boxes along the axes only."""
        return self._corner("upper", 2)

    @property
    def center(self) -> Vec:
        """The centre; of a box along the axes the middle of its corners, rounded."""
        ox, oy = self._origin()
        if self._detail is not None:
            return Vec(ox, oy)
        item = self._record.item  # many times as quick as a list of all points
        ax, ay, bx, by = item(POINTS), item(POINTS + 1), item(_THIRD), item(_THIRD + 1)
        return new(Vec, (ox + (ax + (bx - ax) / 2.0), oy + (ay + (by - ay) / 2.0)))

    @property
    def position(self) -> Vec:
        """The centre."""
        return self.center

    @property
    def size(self) -> Vec:
        """Width and height of the core; along the axes the difference of the corners, rounded."""
        if self._detail is not None:
            return Vec(self._detail[0], self._detail[1])
        (ax, ay), _, (bx, by), _ = self._points()
        return Vec(bx - ax, by - ay)

    @property
    def half_extents(self) -> Vec:
        """Half of `size`."""
        return self.size / 2.0

    @property
    def angle(self) -> float:
        """The angle in radians; 0.0 for a box along the axes."""
        return 0.0 if self._detail is None else self._detail[2]

    @told_by_name
    def translated(self, vector: PointLike, **unknown: Never) -> Self:
        """Return this box moved by `vector`.

        Along the axes each corner is moved and rounded once, so that tiles that share an edge still do; turned, the
        centre is, and the local corners stay.
        """
        if unknown:
            refuse_keywords("Box.translated", Box.translated, unknown)
        if self._detail is not None:
            return super().translated(vector)
        dx, dy = inputs.point("Box.translated", "vector", vector)
        lx, ly, ux, uy = self._corners()
        return object.__new__(type(self))._span("Box.translated", lx + dx, ly + dy, ux + dx, uy + dy, self.radius)

    @told_by_name
    def rotated(self, angle: float, pivot: PointLike | None = None, **unknown: Never) -> Self:
        """Return this box turned by `angle` radians about `pivot`, or about its centre.

        Size and radius stay, angles add up. A quarter turn of a box along the axes moves its corners one by one, so
        that tiles that share an edge still do.
        """
        where = "Box.rotated"
        if unknown:
            refuse_keywords(where, Box.rotated, unknown)
        turn = inputs.number(where, "angle", angle)
        center = self.center
        px, py = center if pivot is None else inputs.point(where, "pivot", pivot)
        quarters = quarter_turns(turn)
        if quarters >= 0 and self._detail is None:
            if quarters == 0:
                return self
            c, s = cos_sin(turn)
            lx, ly, ux, uy = self._corners()
            ax, bx = sorted((px + (c * (x - px) - s * (y - py)) for x, y in ((lx, ly), (ux, uy))))
            ay, by = sorted((py + (s * (x - px) + c * (y - py)) for x, y in ((lx, ly), (ux, uy))))
            return object.__new__(type(self))._span(where, ax, ay, bx, by, self.radius)
        x, y = center
        if pivot is not None:
            offset = (center - (px, py)).rotated(turn)
            x, y = px + offset.x, py + offset.y
        return self._anew(where, x, y, turn)

    @told_by_name
    def placed(self, position: PointLike, angle: float = 0.0, **unknown: Never) -> Self:
        """Return this box with its centre there, turned by `angle` radians beyond its own; size and radius stay."""
        where = "Box.placed"
        if unknown:
            refuse_keywords(where, Box.placed, unknown)
        x, y = inputs.point(where, "position", position)
        return self._anew(where, x, y, inputs.number(where, "angle", angle))

    def _at_angle(self, angle: float) -> Self:
        """Return this box at another angle, about its centre."""
        x, y = self.center
        w, h = self.half_extents
        return object.__new__(type(self))._set("Box", x, y, w, h, angle, self.radius)

    def _anew(self, where: str, x: float, y: float, turn: float) -> Self:
        """Return this box about another centre, turned beyond its own angle."""
        w, h = self.half_extents
        angle = inputs.number(where, "angle", self.angle + turn)
        return object.__new__(type(self))._set(where, x, y, w, h, angle, self.radius)

    def _corners(self) -> tuple[float, float, float, float]:
        """Return the lower and the upper corner of a box along the axes, exactly."""
        values = self._record.tolist()
        x, y, first, third = values[X], values[Y], POINTS, POINTS + 2 * STRIDE
        return x + values[first], y + values[first + 1], x + values[third], y + values[third + 1]

    def _corner(self, name: str, i: int) -> Vec:
        if self._detail is not None:
            raise AttributeError(f"Box.{name}: a box at angle = {self.angle!r} has none; use bounds or vertices")
        corners = self._corners()
        return Vec(corners[i], corners[i + 1])

    def __repr__(self) -> str:
        options = f", radius={self.radius!r}" if self.radius else ""
        if self._detail is not None:
            return f"Box({pair(self.center)}, {pair(self.size)}, {self.angle!r}{options})"
        center, size = self.center, self.size
        lx, ly, ux, uy = self._corners()
        w, h = size.x / 2.0, size.y / 2.0
        if max(size) <= LARGEST and (center.x - w, center.y - h, center.x + w, center.y + h) == (lx, ly, ux, uy):
            return f"Box({pair(center)}, {pair(size)}{options})"
        return f"Box.from_corners({pair((lx, ly))}, {pair((ux, uy))}{options})"


# The two arguments that place the corners of a box along the axes: the one to name where they come out wrong.
_PLACED_BY = {
    "Box.from_corners": "upper",
    "Box.from_rect": "rect",
    "Box.translated": "vector",
    "Box.rotated": "pivot",
    "Box.placed": "position",
}


def _refuse_corners(where: str, lower: Point2, upper: Point2) -> None:
    given = f"{where}: {_PLACED_BY.get(where, 'size')} makes corners {lower} and {upper}, which must"
    if max(map(abs, lower + upper)) > LARGEST:
        raise ValueError(f"{given} be at most {LARGEST:g} in magnitude")
    if lower[0] == upper[0] or lower[1] == upper[1]:
        raise ValueError(f"{given} differ in x and in y; the size is lost to rounding")
    raise ValueError(f"{given} be at least {SMALLEST_SIZE:g} apart in x and in y")
