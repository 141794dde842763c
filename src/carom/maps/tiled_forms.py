"""Tiled's objects as forms in pixels: rectangles, ellipses, capsules, points, polygons, polylines, turned and flipped.

In: an object's fields. Out: a `Form`; for tiles their collision shapes, flipped as a cell asks. y points down, rotation
is clockwise in degrees about the object's own point.
"""

from __future__ import annotations

from typing import NamedTuple

from carom.maps import fields
from carom.maps.forms import Form, ellipse, rectangle, turned
from carom.maps.tiled_file import Node
from carom.vector import Point2

HORIZONTAL, VERTICAL, DIAGONAL = 0x80000000, 0x40000000, 0x20000000
FLAGS = 0xF0000000  # the fourth turns hexagonal tiles; it may be set in other maps, where it means nothing

# Where in its rectangle a tile object's own point lies, as parts of width and height.
ALIGNMENTS = {
    "topleft": (0.0, 0.0),
    "top": (0.5, 0.0),
    "topright": (1.0, 0.0),
    "left": (0.0, 0.5),
    "center": (0.5, 0.5),
    "right": (1.0, 0.5),
    "bottomleft": (0.0, 1.0),
    "bottom": (0.5, 1.0),
    "bottomright": (1.0, 1.0),
    "unspecified": (0.0, 1.0),
}


def object_form(node: Node) -> Form:
    """Return the shape of an object that shows no tile.

    Raises
    ------
    ValueError : fields that make no shape. The text has no caller's name.
    """
    x, y = fields.number(node, "x", 0.0), fields.number(node, "y", 0.0)
    width, height = fields.size(node, "width", 0.0), fields.size(node, "height", 0.0)
    if node.get("point"):
        form = Form("point", ((x, y),))
    elif node.get("polygon") is not None or node.get("polyline") is not None:
        kind, key = ("ring", "polygon") if node.get("polygon") is not None else ("line", "polyline")
        points = [(fields.number(one, "x") + x, fields.number(one, "y") + y) for one in fields.nodes(node, key)]
        least = 3 if kind == "ring" else 2
        if len(points) < least:
            raise ValueError(f"{key} has {len(points)} points; it needs {least}")
        form = Form(kind, tuple(points))
    elif node.get("ellipse"):
        form = ellipse(x, y, width, height)
    elif node.get("capsule"):
        form = _capsule(x, y, width, height)
    else:
        form = rectangle(x, y, width, height)
    return turned(form, fields.number(node, "rotation", 0.0), (x, y))


def _capsule(x: float, y: float, width: float, height: float) -> Form:
    """Return the capsule that fills a rectangle."""
    if width == height or not width or not height:
        return ellipse(x, y, width, height)
    radius = min(width, height) / 2
    return Form("line", ((x + radius, y + radius), (x + width - radius, y + height - radius)), radius)


class Flip(NamedTuple):
    """How a tile of a size is drawn: the flags of its cell."""

    flags: int
    size: Point2

    @property
    def drawn(self) -> Point2:
        """Width and height as drawn."""
        return (self.size[1], self.size[0]) if self.flags & DIAGONAL else self.size

    def point(self, point: Point2) -> Point2:
        """Return where a point of the tile is drawn: x and y swapped first, then mirrored."""
        x, y = point[::-1] if self.flags & DIAGONAL else point
        width, height = self.drawn
        return (width - x if self.flags & HORIZONTAL else x), (height - y if self.flags & VERTICAL else y)

    def direction(self, way: Point2) -> Point2:
        """Return where a direction of the tile points as drawn."""
        x, y = way[::-1] if self.flags & DIAGONAL else way
        return (-x if self.flags & HORIZONTAL else x) + 0.0, (-y if self.flags & VERTICAL else y) + 0.0
