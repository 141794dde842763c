"""Figures on a pygame surface, quick enough for each frame of a game.

In: a surface, something to draw, a camera. Out: pixels. All places are found at once, in columns; then each part takes
one or two calls of pygame. Edges are smooth. Whatever lies outside of the surface is left out beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Never, cast

import numpy as np

from carom._core import inputs
from carom._core.missing import need
from carom._core.names import refuse_keywords, told_by_name
from carom.draw.camera import Camera
from carom.draw.colors import (
    CONTACT,
    EDGE_SHARE,
    JOINT,
    JOINT_WAY,
    NORMAL,
    ONE_WAY,
    VELOCITY,
    WORDS,
    Colors,
    Look,
    Rgb,
    colors_of,
    rgb,
)
from carom.draw.figures import (
    SENSOR,
    SHAPE,
    STATIC,
    Figures,
    bounds_of_parts,
    circles_around,
    figures_of,
    places_of,
    seen_in,
)
from carom.draw.joints import Marks, marks_of
from carom.draw.legend import EDGE, LINE, SAMPLE, best_place, size_of
from carom.draw.outlines import Disc, Part, corners_about, parts_of
from carom.draw.overlays import OVERLAYS, Overlays, labels_of, names_of, overlays_of
from carom.shapes.bounds import Bounds
from carom.vector import Point2

if TYPE_CHECKING:
    import pygame

MIDDLE = 24.0  # half the size of most parts, in pixels, from which edges are 2 pixels wide
BEYOND = 8.0  # pixels around the surface: edges and marks reach so far
LETTERS = 12.0
LEAST_ARROW = 3.0  # pixels
LEAST = 2.0  # radius in pixels of the smallest disc
MOST_SMOOTH = 4500  # corners of all that is seen: more have plain edges, since smooth ones take about 1 us a corner
BOX = "#9AA0A6"


@told_by_name
def paint(
    surface: pygame.Surface,
    thing: Any,
    camera: Camera | None = None,
    *,
    layers: str | Iterable[str] = (),
    color: Any = "kind",
    labels: Sequence[str] | None = None,
    joints: bool = True,
    **unknown: Never,
) -> Camera:
    """Draw a world, or anything else that is made of shapes, onto a pygame surface.

    What is there already stays; fill the surface first. Only what the camera sees is drawn, bodies that sleep paler
    than others, sensors as if made of glass, one-way bodies with a mark in the direction that they let through. A
    world is drawn as it is at that instant, at pauses of `World.events` too; nothing in it changes.

    Parameters
    ----------
    surface : pygame.Surface
    thing : World, Shapes, Compound, Index, Level, Character, a shape, a Body, or several in a list
        Later ones lie above earlier ones.
    camera : Camera, optional
        One that shows all, y up, if not given.
    layers : str or iterable of str
        More to show, names with commas between: "contacts" for where bodies pressed on each other in the last step,
        "normals" for their directions, "velocities", "aabb", "rows" for the number of each, "names" for
        the data of bodies where that is text, "legend".
    color : "kind", "layer", a colour, or a list with a colour or None for each figure
        A colour is "#RRGGBB", "#RRGGBBAA" where the fill lets something through, or three or four numbers from 0 to
        255. A list is in the order of rows: for a world ``[body.data for body in world.bodies]``.
    labels : sequence of str, optional
        A few words for each figure, in the same order.
    joints : bool, default True
        Whether to draw joints, with their limits.

    Returns
    -------
    Camera
        The one that was used.

    Raises
    ------
    ModuleNotFoundError
        If pygame is not installed.
    TypeError, ValueError
        With the argument at fault; nothing is drawn then.

    Examples
    --------
    >>> import pygame
    >>> screen = pygame.Surface((400, 300))
    >>> _ = screen.fill("white")
    >>> camera = cm.draw.paint(screen, cm.Box((0, 0), (4, 3)))
    >>> camera.to_world((200, 150))
    Vec(0.0, 0.0)
    """
    where = "draw.paint"
    if unknown:
        refuse_keywords(where, paint, unknown)
    return painted(where, surface, thing, camera, layers, color, labels, joints)


def painted(
    where: str,
    surface: pygame.Surface,
    thing: Any,
    camera: Camera | None,
    layers: str | Iterable[str],
    color: Any,
    labels: Sequence[str] | None = None,
    joints: bool = True,
) -> Camera:
    """Draw as `paint` does, for the call that is named in errors."""
    need(where, "pygame")
    import pygame

    if not isinstance(surface, pygame.Surface):
        inputs.refuse_type(where, "surface", surface, "must be a pygame.Surface")
    figures = figures_of(where, thing)
    if camera is None:
        camera = Camera.fitting(surface.get_size(), thing)
    elif not isinstance(camera, Camera):
        inputs.refuse_type(where, "camera", camera, "must be a Camera")
    chosen = names_of(where, layers, OVERLAYS)
    colors = colors_of(where, figures, color)
    words = labels_of(where, figures, labels, chosen)
    low_x, low_y, high_x, high_y = camera.bounds
    free = BEYOND / camera.zoom
    seen = seen_in(figures, Bounds(low_x - free, low_y - free, high_x + free, high_y + free))
    _figures(surface, seen, colors, camera)
    if inputs.truth(where, "joints", joints):
        _joints(surface, marks_of(seen, camera.zoom), camera)
    _overlays(surface, overlays_of(seen, chosen, camera.zoom), camera)
    _words(surface, seen, words, camera)
    if "legend" in chosen:
        _legend(surface, seen, colors, camera)
    return camera


def _figures(surface: pygame.Surface, figures: Figures, colors: Colors, camera: Camera) -> None:
    """Draw the parts of all figures: sensors below, the others in their order."""
    owner = figures.owner
    if not owner.size:
        return
    size = float(np.median(circles_around(figures)[1])) * camera.zoom
    width = _width(size)
    smooth = corners_about(figures) <= MOST_SMOOTH
    alone = np.bincount(owner)[owner] == 1
    opacity = np.array([look.opacity for look in colors.looks])[colors.chosen]
    inset = np.where(opacity[owner] < 1.0, float(width), float(width - 1))
    # A rim around several parts lies outside of them.
    outer, inner = parts_of(figures, camera, np.where(alone, inset, -float(width)))
    firsts = np.flatnonzero(np.diff(owner, prepend=-1))
    ends = np.append(firsts[1:], len(owner)).tolist()
    shown = owner[firsts]
    groups = list(zip(shown.tolist(), firsts.tolist(), ends, strict=True))
    strength = min(1.0, EDGE_SHARE * size)
    pens = [(look, rgb(look.fill), _mixed(look, strength)) for look in colors.looks]
    below, through = (figures.roles[shown] == SENSOR).tolist(), (opacity[shown] < 1.0).tolist()
    for (figure, first, end), sensor in zip(groups, below, strict=True):
        if sensor:
            _glass(surface, outer[first:end], inner[first:end], pens[colors.chosen[figure]][0], width)
    angles = figures.angles.tolist()
    down = -1.0 if camera.y_up else 1.0
    import pygame

    polygon, ellipse, spoke, cos, sin = pygame.draw.polygon, pygame.draw.ellipse, pygame.draw.aaline, math.cos, math.sin
    rim, rim_of_disc = (
        (pygame.draw.aalines, pygame.draw.aacircle) if smooth else (pygame.draw.lines, pygame.draw.circle)
    )
    for (figure, first, end), sensor, glass in zip(groups, below, through, strict=True):
        if sensor:
            continue
        look, fill, edge = pens[colors.chosen[figure]]
        part = outer[first]
        if glass:
            _glass(surface, outer[first:end], inner[first:end], look, width)
        elif end - first > 1:
            _several(surface, outer[first:end], inner[first:end], fill, edge, smooth, width)
        elif isinstance(part, Disc):
            x, y, radius = part
            column, row = at = round(x), round(y)
            if radius < LEAST:
                pygame.draw.circle(surface, edge, at, LEAST)
                continue
            within = int(radius)  # an ellipse is as wide on both sides of its middle; a circle leaves a gap to its rim
            side = 2 * within + 1
            ellipse(surface, fill, (column - within, row - within, side, side))
            rim_of_disc(surface, edge, at, radius, width)
            turn = down * angles[figure]
            if turn == turn:
                spoke(surface, edge, at, (x + radius * cos(turn), y + radius * sin(turn)), width)
        elif len(part) > 2:
            polygon(surface, fill, part)
            rim(surface, edge, True, part)
            if width > 1:
                rim(surface, edge, True, cast(list[Point2], inner[first]))
        elif len(part) == 2:
            pygame.draw.line(surface, edge, part[0], part[1], width + 1)


def _mixed(look: Look, strength: float) -> Rgb:
    """Return the colour of an edge, nearer to that of the fill where a full one would outweigh it."""
    red, green, blue = (
        round(inner + strength * (outer - inner)) for inner, outer in zip(rgb(look.fill), rgb(look.edge), strict=True)
    )
    return red, green, blue


def _width(size: float) -> int:
    """Return how many pixels wide edges are, where most parts are of some size."""
    return 1 if size < MIDDLE else 2


def _several(
    surface: pygame.Surface, parts: list[Part], around: list[Part], fill: Any, edge: Any, smooth: bool, width: int
) -> None:
    """Draw parts as one: a rim around all of them, and over it what they fill; strokes as edges."""
    import pygame

    for part in around:
        _flat(surface, part, edge)
        if not smooth:
            continue
        if isinstance(part, Disc):
            pygame.draw.aacircle(surface, edge, (round(part.x), round(part.y)), part.radius, 1)
        elif len(part) > 2:
            pygame.draw.aalines(surface, edge, True, part)
    for part in parts:
        if type(part) is list and len(part) == 2:
            pygame.draw.line(surface, edge, part[0], part[1], width + 1)
        else:
            _flat(surface, part, fill)


def _flat(surface: pygame.Surface, part: Part, color: Any) -> None:
    import pygame

    if type(part) is list:
        if len(part) > 2:
            pygame.draw.polygon(surface, color, part)
    elif isinstance(part, Disc):
        pygame.draw.circle(surface, color, (round(part.x), round(part.y)), part.radius)


def _glass(surface: pygame.Surface, parts: list[Part], second: list[Part], look: Look, width: int) -> None:
    """Draw parts as one that what lies behind shows through."""
    import pygame

    boxes = [_box(part) for part in (*parts, *second)]
    low_x, low_y = (max(0, math.floor(min(box[k] for box in boxes)) - 2) for k in (0, 1))
    wide, high = surface.get_size()
    high_x, high_y = (min(most, math.ceil(max(box[k + 2] for box in boxes)) + 2) for k, most in ((0, wide), (1, high)))
    if high_x <= low_x or high_y <= low_y:
        return
    pane = pygame.Surface((high_x - low_x, high_y - low_y), pygame.SRCALPHA)
    edge, tint = rgb(look.edge), (*rgb(look.fill), round(255 * look.opacity))
    outside, inside = (second, parts) if len(parts) > 1 else (parts, second)
    for part in outside:
        moved = _moved(part, -low_x, -low_y)
        _flat(pane, moved, edge)
        if isinstance(moved, list) and len(moved) == 2:
            pygame.draw.line(pane, edge, moved[0], moved[1], width)
        elif isinstance(moved, Disc) and moved.radius < 2.0:
            pygame.draw.circle(pane, edge, (moved.x, moved.y), 2.0)
    for part in inside:
        _flat(pane, _moved(part, -low_x, -low_y), tint)
    surface.blit(pane, (low_x, low_y))


def _box(part: Part) -> tuple[float, float, float, float]:
    if isinstance(part, Disc):
        x, y, r = part
        return x - r, y - r, x + r, y + r
    if not part:
        return 0.0, 0.0, 0.0, 0.0
    xs, ys = zip(*part, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _moved(part: Part, dx: float, dy: float) -> Part:
    if isinstance(part, Disc):
        return Disc(part.x + dx, part.y + dy, part.radius)
    return [(x + dx, y + dy) for x, y in part]


def _joints(surface: pygame.Surface, marks: Marks, camera: Camera) -> None:
    import pygame

    for color, width, lines in ((JOINT_WAY, 1, marks.faint), (JOINT, 2, marks.lines)):
        for start, end in camera.to_pixel(lines).tolist():
            pygame.draw.aaline(surface, color, start, end, width)
    for at in camera.to_pixel(marks.dots).tolist():
        pygame.draw.circle(surface, "white", at, 3.0)
        pygame.draw.aacircle(surface, JOINT, (round(at[0]), round(at[1])), 4.0, 2)


def _overlays(surface: pygame.Surface, found: Overlays, camera: Camera) -> None:
    import pygame

    for low_x, low_y, high_x, high_y in found.boxes.tolist():
        (x0, y0), (x1, y1) = camera.to_pixel((low_x, low_y)), camera.to_pixel((high_x, high_y))
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        pygame.draw.lines(surface, BOX, True, corners)
    kinds = (ONE_WAY, 2, found.one_way), (VELOCITY, 2, found.velocities), (NORMAL, 1, found.normals)
    for color, width, arrows in kinds:
        for start, end in camera.to_pixel(arrows).tolist():
            _arrow(surface, color, width, start, end)
    for at in camera.to_pixel(found.dots).tolist():
        pygame.draw.circle(surface, CONTACT, at, 3.0)


def _arrow(surface: pygame.Surface, color: str, width: int, start: Point2, end: Point2) -> None:
    import pygame

    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    if length < LEAST_ARROW:
        return
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    head = min(5.0 + 2.0 * width, length)
    x, y = x1 - dx * head, y1 - dy * head
    half = 0.45 * head
    pygame.draw.aaline(surface, color, start, (x, y), width)
    tip = [(x1, y1), (x - dy * half, y + dx * half), (x + dy * half, y - dx * half)]
    pygame.draw.polygon(surface, color, tip)
    pygame.draw.aalines(surface, color, True, tip)


def _words(surface: pygame.Surface, figures: Figures, words: Sequence[str], camera: Camera) -> None:
    if not words:
        return
    from carom.canvas.surface import written

    for (x, y), text in zip(camera.to_pixel(places_of(figures)).tolist(), words, strict=True):
        if text and x == x:
            shown = written(text, LETTERS, WORDS)
            surface.blit(shown, (round(x - shown.get_width() / 2.0), round(y - shown.get_height() / 2.0)))


def _legend(surface: pygame.Surface, figures: Figures, colors: Colors, camera: Camera) -> None:
    """Write beside a sample of each colour what it means, at the upper or lower edge, where that covers least."""
    import pygame

    from carom.canvas.surface import written

    # Among bodies that move a legend would leap from frame to frame: it gives way to what stands.
    boxes = bounds_of_parts(figures)[np.isin(figures.roles[figures.owner], (SHAPE, STATIC, SENSOR))]
    first, second = camera.to_pixel(boxes[:, :2]), camera.to_pixel(boxes[:, 2:])
    in_pixels = np.hstack((np.minimum(first, second), np.maximum(first, second)))
    (x, y), _ = best_place(in_pixels, surface.get_size(), size_of(colors, LETTERS))
    x, y = round(x + EDGE), round(y + EDGE)
    for text, look in colors.legend:
        pygame.draw.rect(surface, look.fill, (x, y, SAMPLE, SAMPLE), border_radius=3)
        pygame.draw.rect(surface, look.edge, (x, y, SAMPLE, SAMPLE), 2, border_radius=3)
        surface.blit(written(text, LETTERS, WORDS), (x + SAMPLE + 7, y + 1))
        y += round(LINE)
