"""A picture on a pygame surface: the same items, roles and looks as in SVG and on matplotlib axes.

In: items, and the view that says where the world lies on the surface. Out: pixels. Thin lines and circles are smooth as
they are; for wide lines and fills paint on a surface of `FINE` times the size, which `smooth` then brings down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from io import BytesIO
from itertools import pairwise

import pygame

from carom._core.names import told_by_name
from carom.canvas.drawing import STYLES, Arrow, Dot, Item, Line, Merged, Outline, Style, Text
from carom.canvas.geometry import View, arrow_head, sides
from carom.vector import Point2

THIN = 3.0  # pixels; below that pygame's own smooth lines look best
FINE = 2  # pixels painted for each that is seen, in each direction
Pixels = Sequence[Point2]


@told_by_name
def paint_items(
    target: pygame.Surface, items: Iterable[Item], view: View, styles: Mapping[str, Style] = STYLES
) -> None:
    """Draw items in their order onto a pygame surface.

    Parameters
    ----------
    target : pygame.Surface
    items : iterable of Outline, Line, Arrow, Dot or Text
    view : View
        Where the world lies on the surface.
    styles : mapping of str to Style
        The look of each role that items have.

    Examples
    --------
    >>> from carom import draw
    >>> from carom.draw import pygame
    >>> surface = pygame.Surface((100, 100))
    >>> looks = {"wall": draw.Style("white", 2.0)}
    >>> view = draw.View(0, 0, low_x=0, high_y=10, scale=10)
    >>> draw.paint_items(surface, [draw.Line("wall", (1, 5), (9, 5))], view, looks)
    >>> surface.get_at((50, 50))[:3]
    (255, 255, 255)
    """
    for item in items:
        style = styles[item.role]
        if isinstance(item, Outline):
            _outline(target, item, style, view)
        elif isinstance(item, Merged):
            curves = [_curve(part, view) for part in item.parts]
            for corners in curves:
                _stroke(target, corners, style._replace(width=2.0 * style.width), view.size, closed=True)
            for corners in curves:  # the inner half of the stroke lies under it
                _fill(target, corners, style, view.size)
        elif isinstance(item, Dot):
            _dot(target, view.place(item.at), style, view.size)
        elif isinstance(item, Line):
            _stroke(target, (view.place(item.start), view.place(item.end)), style, view.size, closed=False)
        elif isinstance(item, Arrow):
            _arrow(target, view.place(item.start), view.place(item.end), style, view.size)
        else:
            _words(target, item, view, style)


@told_by_name
def smooth(fine: pygame.Surface, target: pygame.Surface, at: tuple[int, int] = (0, 0)) -> None:
    """Bring a surface of a whole multiple of a size down onto another, so that edges come out smooth.

    Parameters
    ----------
    fine : pygame.Surface
        Of `FINE`, 2, times the size of what is shown.
    target : pygame.Surface
    at : (left, top)
        Where on the target, in pixels.

    Examples
    --------
    >>> from carom import draw
    >>> from carom.draw import pygame
    >>> fine = pygame.Surface((200, 200))
    >>> draw.smooth(fine, pygame.Surface((100, 100)))
    """
    size = fine.get_width() // FINE, fine.get_height() // FINE
    target.blit(pygame.transform.smoothscale(fine, size), at)


def _curve(item: Outline, view: View) -> list[Point2]:
    """Return the corners, in pixels, of an outline whose arcs are cut so fine that nobody sees it."""
    reach = item.radius * view.scale
    pieces = max(8, min(90, math.ceil(2.0 * math.sqrt(reach)))) if reach > 0.0 else 0
    if len(item.points) == 1:
        x, y = view.place(item.points[0])
        turn = 2.0 * math.pi / (4 * pieces)
        return [(x + reach * math.cos(k * turn), y + reach * math.sin(k * turn)) for k in range(4 * pieces)]
    corners: list[Point2] = []
    for side in sides(item):
        corners += [view.place(side.start), view.place(side.end)]
        if reach:
            (cx, cy), (x0, y0), (x1, y1) = map(view.place, (side.center, side.end, side.arc_end))
            first = math.atan2(y0 - cy, x0 - cx)
            arc = (math.atan2(y1 - cy, x1 - cx) - first) % -(2.0 * math.pi)  # y down: counter-clockwise is negative
            if arc:
                turns = (first + arc * k / pieces for k in range(1, pieces))
                corners += [(cx + reach * math.cos(t), cy + reach * math.sin(t)) for t in turns]
    return corners


def _outline(target: pygame.Surface, item: Outline, style: Style, view: View) -> None:
    thin = style.width * view.size < THIN and not style.dash and not style.fill
    if thin and len(item.points) == 1:
        reach = item.radius * view.scale
        pygame.draw.aacircle(
            target, style.stroke, view.place(item.points[0]), reach, max(1, round(style.width * view.size))
        )
        return
    corners = _curve(item, view)
    if style.fill:
        _fill(target, corners, style, view.size)
    if style.stroke:
        _stroke(target, corners, style, view.size, closed=True)


def _fill(target: pygame.Surface, corners: Pixels, style: Style, size: float) -> None:
    """Lay a translucent colour, and hatching if asked for, over the visible part of an outline."""
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    area = target.get_clip()
    left, top = max(left, area.left), max(top, area.top)
    right, bottom = min(right, area.right), min(bottom, area.bottom)
    wide, high = math.ceil(right - left) + 1, math.ceil(bottom - top) + 1
    if wide <= 1 or high <= 1:
        return
    x0, y0 = math.floor(left), math.floor(top)
    inside = [(_near(x - x0, wide), _near(y - y0, high)) for x, y in corners]
    color = pygame.Color(style.fill)
    layer = pygame.Surface((wide, high), pygame.SRCALPHA)
    pygame.draw.polygon(layer, (color.r, color.g, color.b, round(255 * style.opacity)), inside)
    target.blit(layer, (x0, y0))
    if style.hatched:
        step = max(3, round(12.7 * size))
        layer.fill(0)
        for start in range(-(x0 + y0) % step - high, wide, step):
            line = (color.r, color.g, color.b, 140)
            pygame.draw.line(layer, line, (start + high, 0), (start, high), max(1, round(3.5 * size)))
        mask = pygame.Surface((wide, high), pygame.SRCALPHA)
        pygame.draw.polygon(mask, "white", inside)
        layer.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        target.blit(layer, (x0, y0))


def _near(value: float, room: float) -> float:
    """Clamp a pixel to the range of pygame's integers: far outside the surface its exact place does not show."""
    return max(-20.0 * room - 1000.0, min(21.0 * room + 1000.0, value))


def _stroke(target: pygame.Surface, corners: Pixels, style: Style, size: float, *, closed: bool) -> None:
    """Draw a line of some width along corners, dashed if asked for, with round joints."""
    width = max(style.width * size, 1.0)
    path = [*corners, corners[0]] if closed else list(corners)
    pieces = [path] if not style.dash else _dashes(path, [step * size for step in style.dash], target.get_clip())
    for piece in pieces:
        for (x0, y0), (x1, y1) in pairwise(piece):
            length = math.hypot(x1 - x0, y1 - y0)
            if length == 0.0:
                continue
            if width < THIN:
                start, end = ((_near(x, 1e4), _near(y, 1e4)) for x, y in ((x0, y0), (x1, y1)))
                pygame.draw.aaline(target, style.stroke, start, end, max(1, round(width)))
                continue
            dx, dy = (x1 - x0) / length * width / 2.0, (y1 - y0) / length * width / 2.0
            room = 4.0 * max(target.get_size())
            strip = [(x0 - dy, y0 + dx), (x1 - dy, y1 + dx), (x1 + dy, y1 - dx), (x0 + dy, y0 - dx)]
            pygame.draw.polygon(target, style.stroke, [(_near(x, room), _near(y, room)) for x, y in strip])
        joints = piece if closed and not style.dash else piece[1:-1]
        for x, y in joints if width >= THIN else ():
            if target.get_clip().inflate(20, 20).collidepoint(_near(x, 1e5), _near(y, 1e5)):
                pygame.draw.circle(target, style.stroke, (x, y), width / 2.0)


def _dashes(path: Pixels, pattern: Sequence[float], seen: pygame.Rect) -> list[list[Point2]]:
    """Cut a path into dashes; parts outside the surface are left out, however long they are."""
    found: list[list[Point2]] = []
    left, on, index = pattern[0], True, 0
    present: list[Point2] = [path[0]]
    around = seen.inflate(40, 40)
    for start, end in pairwise(path):
        clipped = around.clipline(*(_near(value, 1e6) for value in (*start, *end)))
        if not clipped:
            present, on, index, left = [end], True, 0, pattern[0]
            continue
        x, y = start
        if math.hypot(end[0] - x, end[1] - y) > 4.0 * (around.width + around.height):
            (x, y), end = clipped
            present = [(x, y)]
        rest = math.hypot(end[0] - x, end[1] - y)
        while rest > left:
            x, y = x + (end[0] - x) * left / rest, y + (end[1] - y) * left / rest
            rest -= left
            if on:
                found.append([*present, (x, y)])
            on, index = not on, (index + 1) % len(pattern)
            present, left = [(x, y)], pattern[index]
        left -= rest
        present.append(end)
    if on and len(present) > 1:
        found.append(present)
    return found


def _arrow(target: pygame.Surface, start: Point2, end: Point2, style: Style, size: float) -> None:
    if start == end:
        return
    head, back = arrow_head(start, end, style.width * size)
    if back is not None:
        _stroke(target, (start, back), style, size, closed=False)
    pygame.draw.polygon(target, style.stroke, head)


def _dot(target: pygame.Surface, at: Point2, style: Style, size: float) -> None:
    if not target.get_clip().inflate(60, 60).collidepoint(_near(at[0], 1e5), _near(at[1], 1e5)):
        return
    if style.stroke:
        pygame.draw.aacircle(target, style.stroke, at, (style.size + style.width / 2.0) * size)
    inner = style.size - (style.width / 2.0 if style.stroke else 0.0)
    if style.fill:
        pygame.draw.aacircle(target, style.fill, at, inner * size)


def _words(target: pygame.Surface, item: Text, view: View, style: Style) -> None:
    words = written(item.text, style.size * view.size, style.fill, style.bold)
    x, y = view.place(item.at)
    if target.get_clip().inflate(600, 200).collidepoint(_near(x, 1e5), _near(y, 1e5)):
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[item.align] * words.get_width()
        target.blit(words, (round(x - shift), round(y - words.get_height() / 2.0)))


@lru_cache(maxsize=64)
def font(height: int, bold: bool = False) -> pygame.font.Font:
    """Return DejaVu Sans with the letters of European languages, so high in pixels; it comes with Carom."""
    if not pygame.font.get_init():
        pygame.font.init()
    file = resources.files("carom.canvas").joinpath("letters", "bold.ttf" if bold else "regular.ttf")
    try:
        return pygame.font.Font(BytesIO(file.read_bytes()), height)
    except OSError:  # a copy of the package without its other files: pygame's own typeface, which is bold
        return pygame.font.Font(None, round(1.25 * height))


@lru_cache(maxsize=1024)
def written(text: str, height: float, color: str, bold: bool = False) -> pygame.Surface:
    """Return one line of words on a transparent surface.

    Parameters
    ----------
    text : str
    height : float
        Of its letters, in pixels.
    color : str
        As "#1A1A1A".
    bold : bool

    Returns
    -------
    pygame.Surface

    Examples
    --------
    >>> from carom import draw
    >>> draw.written("42 bricks", 16, "#1A1A1A").get_height() > 8
    True
    """
    return font(max(6, round(height)), bold).render(text, True, color)


@told_by_name
def wrapped(words: str, room: float, width: Callable[[str], float]) -> list[str]:
    """Break words into lines that fit into the room by their width; a longer word stands alone.

    Parameters
    ----------
    words : str
    room : float
        The greatest width of a line.
    width : callable
        The width of a text, in the unit of the room; ``len`` for a terminal.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from carom import draw
    >>> draw.wrapped("a ball among bricks", 10, len)
    ['a ball', 'among', 'bricks']
    """
    lines: list[str] = []
    for word in words.split():
        if lines and width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
