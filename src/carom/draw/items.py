"""Figures as a drawing for pages: one item a figure, marks and words over them, and how each looks.

In: figures, colours, names of what to show over them. Out: a `Drawing`, which is drawn as SVG, by matplotlib or by
pygame. World frame, user's units; what has a size in pixels takes the window's height for that of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, sin

import numpy as np

from carom._core.types import Floats
from carom.canvas.drawing import HEIGHT, STYLES, Arrow, Dot, Drawing, Item, Line, Merged, Outline, Style, Text
from carom.draw.colors import CONTACT, EDGE_SHARE, JOINT, JOINT_WAY, NORMAL, ONE_WAY, VELOCITY, WORDS, Colors, Look
from carom.draw.figures import ROLES, Figures, bounds_of, bounds_of_parts, circles_around, places_of
from carom.draw.joints import bounds_with_joints, marks_of
from carom.draw.legend import EDGE as EDGE_OF_LEGEND
from carom.draw.legend import LINE, SAMPLE, best_place, size_of
from carom.draw.overlays import overlays_of
from carom.shapes.bounds import Bounds
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.vector import Point2

EDGE = 1.6  # pixels, the width of edges at most
EMPTY = Bounds(-4.0, -3.0, 4.0, 3.0)  # shown where there is nothing to show
MARGIN = 0.05
MARKS = {
    "contact point": Style(fill=CONTACT, size=3.5),
    "contact normal": Style(NORMAL, 1.4),
    "velocity": Style(VELOCITY, 2.0),
    "one way": Style(ONE_WAY, 2.4),
    "joint": Style(JOINT, 2.0, fill="#FFFFFF", size=3.5),
    "way of a joint": Style(JOINT_WAY, 1.4),
    "word": Style(fill=WORDS, size=13.0),
}


def drawing_of(
    figures: Figures,
    colors: Colors,
    chosen: frozenset[str],
    words: Sequence[str],
    window: Bounds | None,
    joints: bool = True,
) -> Drawing:
    """Return the drawing of figures, as seen through a window, or whole."""
    bounds = bounds_with_joints(figures) if joints else bounds_of(figures)
    seen = _around(bounds) if window is None else window
    pixel = (seen.max_y - seen.min_y) / HEIGHT
    legend: Point2 = (0.0, 0.0)
    if "legend" in chosen:
        seen, legend = _room_for_legend(figures, colors, seen, pixel, window is None)
    roles, styles = _styles(figures, colors, _edge(figures, pixel))
    items = [*_figures(figures, roles)]
    found = overlays_of(figures, chosen, 1.0 / pixel)
    marks = marks_of(figures if joints else figures._replace(worlds=()), 1.0 / pixel)
    for role, lines in (("way of a joint", marks.faint), ("joint", marks.lines)):
        items += [Line(role, _pair(start), _pair(end)) for start, end in lines.tolist()]
    items += [Dot("joint", _pair(at)) for at in marks.dots.tolist()]
    boxes = [Bounds(*box) for box in found.boxes.tolist()]
    items += [Outline("aabb", ((x0, y0), (x1, y0), (x1, y1), (x0, y1))) for x0, y0, x1, y1 in boxes]
    for role, arrows in (
        ("one way", found.one_way),
        ("velocity", found.velocities),
        ("contact normal", found.normals),
    ):
        items += [Arrow(role, _pair(start), _pair(end)) for start, end in arrows.tolist()]
    items += [Dot("contact point", _pair(at)) for at in found.dots.tolist()]
    if words:
        places = places_of(figures).tolist()
        items += [
            Text("word", _pair(at), text) for at, text in zip(places, words, strict=True) if text and at[0] == at[0]
        ]
    if "legend" in chosen:
        for row, (text, look) in enumerate(colors.legend):
            items += _entry(text, f"legend {row}", legend, row, pixel)
            styles[f"legend {row}"] = _style(look)
    return Drawing(tuple(items), seen, STYLES | MARKS | styles)


def mirrored(drawing: Drawing) -> Drawing:
    """Return a drawing with y the other way round."""
    low_x, low_y, high_x, high_y = drawing.window
    items = tuple(_mirrored(item) for item in drawing.items)
    return drawing._replace(items=items, window=Bounds(low_x, -high_y, high_x, -low_y))


def _mirrored(item: Item) -> Item:
    if isinstance(item, Merged):
        return item._replace(parts=tuple(part._replace(points=_turned_over(part.points)) for part in item.parts))
    if isinstance(item, Outline):
        return item._replace(points=_turned_over(item.points))
    if isinstance(item, Dot | Text):
        return item._replace(at=(item.at[0], -item.at[1]))
    return item._replace(start=(item.start[0], -item.start[1]), end=(item.end[0], -item.end[1]))


def shifted(drawing: Drawing, x: float, y: float) -> tuple[Item, ...]:
    """Return the items of a drawing, moved."""
    return tuple(_shifted(item, x, y) for item in drawing.items)


def _shifted(item: Item, x: float, y: float) -> Item:
    def moved(point: Sequence[float]) -> Point2:
        return point[0] + x, point[1] + y

    if isinstance(item, Merged):
        parts = tuple(part._replace(points=tuple(map(moved, part.points))) for part in item.parts)
        return item._replace(parts=parts)
    if isinstance(item, Outline):
        return item._replace(points=tuple(map(moved, item.points)))
    if isinstance(item, Dot | Text):
        return item._replace(at=moved(item.at))
    return item._replace(start=moved(item.start), end=moved(item.end))


def _turned_over(points: Sequence[Point2]) -> tuple[Point2, ...]:
    return tuple((x, -y) for x, y in reversed(points))


def _around(found: Bounds | None) -> Bounds:
    """Return bounds with a margin."""
    if found is None:
        return EMPTY
    low_x, low_y, high_x, high_y = found
    free = MARGIN * max(high_x - low_x, high_y - low_y, 1e-12 * max(map(abs, found))) or 1.0
    return Bounds(low_x - free, low_y - free, high_x + free, high_y + free)


def _edge(figures: Figures, pixel: float) -> float:
    """Return how many pixels wide edges are, where most parts are of some size."""
    radii = circles_around(figures)[1]
    size = float(np.median(radii[radii > 0.0])) / pixel if (radii > 0.0).any() else np.inf
    return min(EDGE, EDGE_SHARE * size)


def _styles(figures: Figures, colors: Colors, edge: float) -> tuple[list[str], dict[str, Style]]:
    """Return the role of each figure in the drawing, and the style of each role."""
    kinds = figures.roles.tolist()
    names = dict.fromkeys(zip(kinds, colors.chosen, strict=True), "")
    for kind, place in names:
        same = sum(other == kind for other, _ in names)
        names[kind, place] = ROLES[kind] if same == 1 else f"{ROLES[kind]} {place}"
    styles = {name: _style(colors.looks[place], edge) for (_, place), name in names.items()}
    return [names[key] for key in zip(kinds, colors.chosen, strict=True)], styles


def _style(look: Look, edge: float = EDGE) -> Style:
    return Style(look.edge, edge, fill=look.fill, opacity=look.opacity, size=3.0)


def _figures(figures: Figures, roles: list[str]) -> Iterator[Item]:
    """Yield an item for each figure, and a line for each disc that turns; sensors first, below the rest."""
    starts = np.searchsorted(figures.owner, np.arange(len(roles) + 1)).tolist()
    angles = figures.angles.tolist()
    for below in (True, False):
        for k, role in enumerate(roles):
            if role.startswith("sensor") != below or starts[k] == starts[k + 1]:
                continue
            parts = [_outline(role, figures.buffer, at) for at in figures.records[starts[k] : starts[k + 1]].tolist()]
            one = parts[0]
            if len(parts) > 1:
                yield Merged(role, tuple(parts))
            elif len(one.points) == 1 and one.radius == 0.0:
                yield Dot(role, one.points[0])
            else:
                yield one
            if len(parts) == len(one.points) == 1 and one.radius > 0.0 and angles[k] == angles[k]:
                x, y = one.points[0]
                rim = x + one.radius * cos(angles[k]), y + one.radius * sin(angles[k])
                yield Line(role, (x, y), rim)


def _outline(role: str, buffer: Floats, at: int) -> Outline:
    """Return the outline of a record."""
    count = int(buffer[at + COUNT])
    local = buffer[at + POINTS : at + POINTS + STRIDE * count].reshape(count, STRIDE)[:, :2]
    points = (local + buffer[at + X : at + Y + 1]).tolist()
    return Outline(role, tuple((x, y) for x, y in points), float(buffer[at + RADIUS]))


def _room_for_legend(
    figures: Figures, colors: Colors, window: Bounds, pixel: float, may_widen: bool
) -> tuple[Bounds, Point2]:
    """Return the window and the upper left corner of the legend: where nothing is drawn, or else beside all, if it may.

    A window that the user gave stays; there the legend covers as little as it can.
    """
    low_x, _, high_x, high_y = window
    boxes = bounds_of_parts(figures)
    in_pixels = np.column_stack((boxes[:, 0] - low_x, high_y - boxes[:, 3], boxes[:, 2] - low_x, high_y - boxes[:, 1]))
    size = size_of(colors, MARKS["word"].size)
    (x, y), is_free = best_place(in_pixels / pixel, ((high_x - low_x) / pixel, HEIGHT), size)
    if not is_free and may_widen:
        window, x, y = window._replace(min_x=low_x - size[0] * pixel), -size[0], 0.0
    return window, (low_x + x * pixel, high_y - y * pixel)


def _entry(text: str, role: str, corner: Point2, row: int, pixel: float) -> list[Item]:
    """Return a line of the legend, whose upper left corner is there."""
    half = 0.5 * SAMPLE * pixel
    x, y = corner[0] + EDGE_OF_LEGEND * pixel + half, corner[1] - (EDGE_OF_LEGEND + LINE * row) * pixel - half
    corners = (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)
    return [Outline(role, corners), Text("word", (x + half + 7.0 * pixel, y), text, "start")]


def _pair(point: Sequence[float]) -> Point2:
    return point[0], point[1]
