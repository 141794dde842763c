"""A picture as plain facts: outlines, lines, arrows, dots and words, each with a role, and how each role looks.

In: shapes and points in the world, y up. Out: a `Drawing`, which every back end draws in the same way. Widths of lines
and sizes of dots and words do not belong to the world: they are pixels of a picture `HEIGHT` pixels high.

Colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008), told apart by most colour-blind people; green
where shapes are apart and red where they meet, and red is hatched too. A has a full outline, B a dashed one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from carom._core.names import names_near
from carom.shapes.base import ConvexShape
from carom.shapes.bounds import Bounds
from carom.vector import Point2

HEIGHT = 540

GREEN, RED, BLUE, ORANGE, BROWN = "#009E73", "#D55E00", "#0072B2", "#B07C00", "#6E4A00"
BLACK, GREY = "#1A1A1A", "#5F5F5F"


@names_near
class Style(NamedTuple):
    """How a role looks; an empty colour draws nothing."""

    stroke: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    fill: str = ""
    opacity: float = 1.0
    hatched: bool = False
    size: float = 0.0
    bold: bool = False


PURPLE, SKY = "#8A2F6B", "#56B4E9"

DASHED, FINE_DASHED, DOTTED = (9.0, 5.0), (5.0, 4.0), (2.0, 5.0)
STYLES = {
    "a apart": Style(BLUE, 3.5, fill=GREEN, opacity=0.35, size=6.0),
    "b apart": Style(ORANGE, 3.5, DASHED, fill=GREEN, opacity=0.35, size=6.0),
    "a meets": Style(BLUE, 3.5, fill=RED, opacity=0.4, hatched=True, size=6.0),
    "b meets": Style(ORANGE, 3.5, DASHED, fill=RED, opacity=0.4, hatched=True, size=6.0),
    "apart": Style(GREY, 2.5, fill=GREEN, opacity=0.35, size=6.0),
    "meets": Style(GREY, 2.5, fill=RED, opacity=0.4, hatched=True, size=6.0),
    "line apart": Style(GREEN, 9.0),
    "line meets": Style(RED, 9.0),
    "plain": Style(GREY, 2.5, fill="#D9D6CE", opacity=0.6, size=6.0),
    "a plain": Style(BLUE, 3.5, fill="#D9D6CE", opacity=0.6, size=6.0),
    "b plain": Style(ORANGE, 3.5, DASHED, fill="#D9D6CE", opacity=0.6, size=6.0),
    "volume": Style(GREY, 2.0, DOTTED, size=4.0),
    "volume meets": Style(RED, 3.0, DOTTED, size=4.0),
    "volume apart": Style(GREEN, 3.0, DOTTED, size=4.0),
    "circle": Style(PURPLE, 1.5, DOTTED, size=4.0),
    "aabb": Style(BLACK, 1.5, FINE_DASHED, size=4.0),
    "obb": Style(BLUE, 1.5, FINE_DASHED, size=4.0),
    "ghost": Style(GREY, 2.0, FINE_DASHED, size=4.0),
    "swept": Style(GREY, 1.2, DOTTED, fill=SKY, opacity=0.25, size=4.0),
    "impact": Style(BLUE, 2.5, fill=SKY, opacity=0.45, size=6.0),
    "motion": Style(BLUE, 3.0),
    "mtv": Style(PURPLE, 4.0),
    "cell": Style("#B8B8B8", 1.0),
    "busy cell": Style("#B8B8B8", 1.0, fill=SKY, opacity=0.22),
    "node": Style(BROWN, 1.5),
    "candidate": Style(PURPLE, 1.5, DOTTED),
    "compass": Style("#B8B8B8", 1.0),
    "origin": Style(BLACK, 2.0, fill=BLACK, size=6.0),
    "axis": Style(BLACK, 1.5),
    "guide": Style(GREY, 1.2, DOTTED),
    "projection a": Style(BLUE, 9.0),
    "projection b": Style(ORANGE, 9.0),
    "point a": Style(fill=BLUE, size=5.0),
    "point b": Style(fill=ORANGE, size=5.0),
    "middle a": Style(BLUE, 2.0, fill="#FFFFFF", size=5.0),
    "middle b": Style(ORANGE, 2.0, fill="#FFFFFF", size=5.0),
    "gap": Style(GREEN, 6.0),
    "overlap": Style(RED, 6.0),
    "witness": Style(BLACK, 2.0, size=5.0, fill=BLACK),
    "contact": Style(BLACK, 1.5, size=6.0, fill="#FFFFFF"),
    "normal": Style(BLACK, 3.0),
    "band": Style(fill="#F0E9C8"),
    "name a": Style(fill=BLUE, size=26.0, bold=True),
    "name b": Style(fill=BROWN, size=26.0, bold=True),
    "title": Style(fill=BLACK, size=23.0, bold=True),
    "label": Style(fill=BLACK, size=17.0),
    "strong": Style(fill=BLACK, size=17.0, bold=True),
    "small": Style(fill=GREY, size=15.0),
}


# For those who tell red from green badly, on a projector: blue where shapes are apart, orange where they meet.
SAFE_STYLES = (
    STYLES
    | {f"{who}apart": STYLES[f"{who}apart"]._replace(fill="#0072B2", opacity=0.3) for who in ("", "a ", "b ")}
    | {f"{who}meets": STYLES[f"{who}meets"]._replace(fill="#E69F00", opacity=0.55) for who in ("", "a ", "b ")}
    | {"line apart": STYLES["line apart"]._replace(stroke="#56B4E9")}
    | {"line meets": STYLES["line meets"]._replace(stroke="#E69F00")}
)


@names_near
class Outline(NamedTuple):
    """A convex core, counter-clockwise, grown by a radius: a polygon, a capsule or, with one point, a circle."""

    role: str
    points: tuple[Point2, ...]
    radius: float = 0.0


class Merged(NamedTuple):
    """Outlines that are seen as one: what they cover together, with an edge around the whole."""

    role: str
    parts: tuple[Outline, ...]


@names_near
class Line(NamedTuple):
    """A straight line."""

    role: str
    start: Point2
    end: Point2


@names_near
class Arrow(NamedTuple):
    """A straight line with a head at its end."""

    role: str
    start: Point2
    end: Point2


@names_near
class Dot(NamedTuple):
    """A mark of fixed size."""

    role: str
    at: Point2


@names_near
class Text(NamedTuple):
    """Words beside a point: "start", "middle" or "end" of them stands there, at half their height."""

    role: str
    at: Point2
    text: str
    align: str = "middle"


Item = Outline | Merged | Line | Arrow | Dot | Text


@names_near
class Drawing(NamedTuple):
    """Items to draw, in this order, the window through which they are seen, and how each role looks."""

    items: tuple[Item, ...]
    window: Bounds
    styles: Mapping[str, Style] = STYLES


def outline(role: str, volume: ConvexShape | Bounds) -> Outline | Dot:
    """Return the item for a shape or for bounds: an outline, or a dot for a single point."""
    if isinstance(volume, Bounds):
        x0, y0, x1, y1 = volume
        return Outline(role, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    corners, radius = volume.vertices, volume.radius
    return Outline(role, corners, radius) if len(corners) > 1 or radius > 0.0 else Dot(role, corners[0])
