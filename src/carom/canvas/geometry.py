"""Geometry that the back ends share: sides and arcs of outlines, heads of arrows, and the view of a window.

In: outlines and windows of the world, y up. Out: points of the world, or pixels, y down.
"""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from carom._core.names import names_near, told_by_name
from carom.canvas.drawing import Outline
from carom.shapes.bounds import Bounds
from carom.vector import Point2, unit_normal

HEAD = 5.0  # length of an arrow's head, in widths of its line


class Side(NamedTuple):
    """A straight side of an outline, and the arc after it, counter-clockwise about a core point to the next side."""

    start: Point2
    end: Point2
    center: Point2
    arc_end: Point2


def sides(item: Outline) -> list[Side]:
    """Return the sides of an outline of two or more points."""
    found = []
    for k, (x, y) in enumerate(item.points):
        end_x, end_y = item.points[(k + 1) % len(item.points)]
        nx, ny = unit_normal(end_x - x, end_y - y)
        dx, dy = item.radius * nx, item.radius * ny
        found.append(((x + dx, y + dy), (end_x + dx, end_y + dy), (end_x, end_y)))
    return [Side(*side, after[0]) for side, after in zip(found, found[1:] + found[:1], strict=True)]


def arrow_head(start: Point2, end: Point2, width: float) -> tuple[tuple[Point2, Point2, Point2], Point2 | None]:
    """Return the head of an arrow, and where the shaft ends; None where the head, as short as the arrow, is all of it.

    Places and the width of the line are pixels, y down.
    """
    (x0, y0), (x1, y1) = start, end
    nx, ny = unit_normal(x1 - x0, y1 - y0)
    length = hypot(x1 - x0, y1 - y0)
    long = min(HEAD * width, length)
    half = long / 2.4
    x, y = x1 + ny * long, y1 - nx * long
    return ((x1, y1), (x + nx * half, y + ny * half), (x - nx * half, y - ny * half)), (x, y) if length > long else None


@names_near
class View(NamedTuple):
    """Where a window onto the world lies on a page or surface: the world's (low_x, high_y) at (left, top), y up.

    Examples
    --------
    >>> from carom import draw
    >>> draw.View(0, 0, low_x=-1, high_y=1, scale=50).place((0, 0))
    (50, 50)
    """

    left: float
    top: float
    low_x: float
    high_y: float
    scale: float  # pixels for each unit of the world
    size: float = 1.0  # pixels for each pixel of a style

    @told_by_name
    def place(self, point: Point2) -> Point2:
        """Return a point of the world in pixels."""
        return self.left + (point[0] - self.low_x) * self.scale, self.top + (self.high_y - point[1]) * self.scale

    @told_by_name
    def world(self, pixel: Point2) -> Point2:
        """Return the point of the world that a pixel shows."""
        return self.low_x + (pixel[0] - self.left) / self.scale, self.high_y - (pixel[1] - self.top) / self.scale


@told_by_name
def fit(window: Bounds, room: Point2, middle: Point2 | None = None, size: float = 1.0) -> View:
    """Return the view that shows a window whole in a room of this size, from (0, 0) on or about a middle.

    Parameters
    ----------
    window : Bounds
        The part of the world.
    room : (width, height)
        In pixels.
    middle : (x, y), optional
        Where the window's middle lies; that of the room if not given.
    size : float
        Pixels for each pixel of a style.

    Returns
    -------
    View

    Examples
    --------
    >>> from carom import draw
    >>> draw.fit(cm.Bounds(0, 0, 4, 3), (800, 600)).scale
    200.0
    """
    wide, high = window.max_x - window.min_x, window.max_y - window.min_y
    scale = min(room[0] / wide, room[1] / high)
    x, y = middle or (room[0] / 2.0, room[1] / 2.0)
    left, top = x - wide * scale / 2.0, y - high * scale / 2.0
    return View(left, top, window.min_x, window.max_y, scale, size)
