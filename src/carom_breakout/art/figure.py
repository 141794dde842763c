"""A flaw as a figure in a textbook: the tutorial's physics on the left, the exact one on the right.

In: a flaw as shown by `flaws.show_flaw`, with the ball's places at the end of each step, its way, its hits and their
normals, in units of the field. Out: a pygame surface, drawn at twice its size and made smaller, so that fine lines come
out smooth; or a file, of the kind that its ending asks for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import ceil, cos, dist, pi, sin
from pathlib import Path

from carom.draw import pygame, wrapped
from carom_breakout.art.film import save_picture
from carom_breakout.art.ink import Color, mix
from carom_breakout.art.lettering import BOLD, LIGHT, REGULAR, advance, put
from carom_breakout.art.palette import RIGHT, WRONG
from carom_breakout.art.view import FIELD_HEIGHT, FIELD_WIDTH
from carom_breakout.flaws import Shown
from carom_breakout.flaws.stage import Outcome
from carom_breakout.session import Box, Point
from carom_breakout.state import BALL_RADIUS

PAPER = (248, 245, 237)
INK = (34, 46, 54)
FAINT = (122, 131, 133)
HAIR = (214, 208, 194)
SHEET = (255, 254, 250)
BRICK, STONE, PADDLE, GONE, ITEM = "brick", "solid", "paddle", "broken", "item"
LOOKS: dict[str, tuple[Color, Color]] = {  # inside and edge
    BRICK: ((245, 214, 170), (178, 118, 48)),
    STONE: ((205, 206, 200), (110, 114, 112)),
    PADDLE: ((190, 205, 216), (76, 100, 120)),
    GONE: ((252, 250, 245), (196, 170, 130)),
    ITEM: ((240, 205, 222), (176, 84, 128)),
}
WALL, WALL_LINE = (228, 224, 212), (120, 124, 122)
STILL = 2.0  # a ball that moves less than this is not drawn
WIDTH, TALLEST = 1600, 608  # of the page, and of the two panels on it
FINE = 2
HEAD = 20.0  # length of an arrow's head
APART = 110.0  # least length of the way between two of its heads
MARGIN, GUTTER = 60, 50
LENS = 420  # width of a magnified part, in painted pixels
TOP, CAPTIONS, LEGEND = 138, 148, 66


def save_flaw(shown: Shown, path: Path) -> None:
    """Draw a flaw into a file."""
    save_picture(draw_flaw(shown), path)


def draw_flaw(shown: Shown, share: float = 1.0) -> pygame.Surface:
    """Draw both outcomes of a flaw side by side, both showing the same region of the field.

    Parameters
    ----------
    shown : the flaw, played under both physics.
    share : how much of the motion has gone by, 0 to 1.
    """
    flaw = shown.flaw
    width = (WIDTH - 2 * MARGIN - GUTTER) / 2
    height = min(TALLEST, width * shown.region[3] / shown.region[2])
    size = WIDTH, round(TOP + height + CAPTIONS + LEGEND)
    page = pygame.Surface((size[0] * FINE, size[1] * FINE), 0, 32)
    page.fill(PAPER)
    _put(page, f"{flaw.number}  {flaw.title}", (MARGIN, 66), 28, INK, weight=LIGHT + 0.02)
    for number, line in enumerate(wrapped(flaw.summary, WIDTH - 2 * MARGIN, lambda line: advance(line, 14))[:2]):
        _put(page, line, (MARGIN, 100 + 24 * number), 14, FAINT)
    sides = (("Tutorial", shown.tutorial, WRONG, MARGIN), ("Exact", shown.exact, RIGHT, MARGIN + width + GUTTER))
    for caption, outcome, color, left in sides:
        _panel(page, until(outcome, share), color, (left, TOP, width, height), shown)
        _put(page, caption, (left, TOP + height + 34), 15, color, weight=BOLD)
        for line_number, line in enumerate(wrapped(outcome.says, width, lambda line: advance(line, 12.5))[:4]):
            _put(page, line, (left, TOP + height + 61 + 23 * line_number), 12.5, INK)
    _legend(page, shown, size[1])
    return pygame.transform.smoothscale(page, size)


def _put(page: pygame.Surface, words: str, at: Point, size: float, color: Color, weight: float = REGULAR) -> float:
    put(page, words, (at[0] * FINE, at[1] * FINE), size * FINE, color, weight=weight)
    return advance(words, size, weight)


def _moves(outcome: Outcome) -> bool:
    """Whether the ball goes anywhere."""
    points = [*itertools.chain(*outcome.paths), *outcome.places]
    return any(max(values) - min(values) > STILL for values in zip(*points, strict=True))


def until(outcome: Outcome, share: float) -> Outcome:
    """Return what has happened after a share of a motion: places of whole steps, the way so far and its hits.

    Under the tutorial's physics the ball is nowhere between two steps, so nothing is drawn there.
    """
    if share >= 1.0 or len(outcome.places) < 2:
        return outcome
    paths = [_begun(path, share) for path in outcome.paths]
    passed = {point for path in paths for point in path}
    hits = [hit for hit in outcome.hits if hit[0] in passed]
    near = [point for point, _ in hits]
    boxes = [
        (box, BRICK if kind == GONE and not any(_touches(point, box) for point in near) else kind)
        for box, kind in outcome.boxes
    ]
    steps = int(share * (len(outcome.places) - 1) + 1e-9)
    last = [paths[0][-1]] if paths and paths[0] else []
    return outcome._replace(places=[*outcome.places[: steps + 1], *last], paths=paths, hits=hits, boxes=boxes)


def _begun(path: list[Point], share: float) -> list[Point]:
    """Return the first part of a way, by its length."""
    left = share * sum(itertools.starmap(dist, itertools.pairwise(path)))
    begun = path[:1]
    for start, end in itertools.pairwise(path):
        length = dist(start, end)
        if length > left:
            part = left / length
            return [*begun, (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)]
        left -= length
        begun.append(end)
    return begun


def _touches(point: Point, box: Box) -> bool:
    """Tell whether the ball around a point touches a box."""
    x, y, width, height = box
    near = min(max(point[0], x), x + width), min(max(point[1], y), y + height)
    return dist(point, near) <= BALL_RADIUS + 1.0


def _panel(page: pygame.Surface, outcome: Outcome, color: Color, frame: Box, shown: Shown) -> None:
    """Draw the geometry of one outcome into its frame, as large as the region allows, centred."""
    region = shown.region
    left, top, width, height = (value * FINE for value in frame)
    area = pygame.Rect(round(left), round(top), round(width), round(height))
    pygame.draw.rect(page, WALL, area)
    scale = min(width / region[2], height / region[3])
    offset_x = left + (width - region[2] * scale) / 2 - region[0] * scale
    offset_y = top + (height - region[3] * scale) / 2 - region[1] * scale

    def at(point: Point) -> Point:
        return (offset_x + point[0] * scale, offset_y + point[1] * scale)

    page.set_clip(area)
    inside = _pixels(at((0.0, 0.0)), at((FIELD_WIDTH, FIELD_HEIGHT)))
    pygame.draw.rect(page, SHEET, inside.union((inside.left, inside.bottom, inside.width, area.height)))
    corners = [(inside.left, area.bottom), inside.topleft, inside.topright, (inside.right, area.bottom)]
    pygame.draw.lines(page, WALL_LINE, False, corners, 4)
    moves = _moves(outcome)
    if not moves and outcome.boxes and not outcome.hits and region[3] > FIELD_HEIGHT / 2:
        # The upper half of the field, which the bricks are meant to fill.
        (half_left, half), (half_right, _) = at((0.0, FIELD_HEIGHT / 2)), at((FIELD_WIDTH, FIELD_HEIGHT / 2))
        _dashed(page, FAINT, (round(half_left), half), (round(half_right), half), 14)
        _put(page, "half of the field", (half_left / FINE + 10, half / FINE + 22), 11, FAINT)
    for (x, y, across, down), kind in outcome.boxes:
        _box(page, _pixels(at((x, y)), at((x + across, y + down))), kind)
    if not outcome.boxes:
        empty = "refused" if "refusal" in outcome.numbers else "no bricks"
        _put(page, empty, ((area.centerx / FINE - advance(empty, 15) / 2), area.centery / FINE), 15, FAINT)
    if moves:
        _motion(page, outcome, color, BALL_RADIUS * scale, at)
    if shown.lens is not None:
        _lens(page, outcome, shown.lens, area, at)
    if "degrees" in shown.exact.says:
        _compass(page, (area.left + 110.0, area.bottom - 110.0))
    page.set_clip(None)
    pygame.draw.rect(page, HAIR, area, 3)


def _lens(page: pygame.Surface, outcome: Outcome, lens: Box, area: pygame.Rect, at: Callable[[Point], Point]) -> None:
    """Magnify a part of the panel in a frame of its own, with lines from the part to the frame."""
    part = _pixels(at((lens[0], lens[1])), at((lens[0] + lens[2], lens[1] + lens[3])))
    scale = LENS / lens[2]
    frame = pygame.Rect(0, 0, LENS, round(lens[3] * scale))
    frame.center = (part.centerx, area.top + round(area.height * 0.4))
    for corner, end in ((part.topleft, frame.bottomleft), (part.topright, frame.bottomright)):
        pygame.draw.line(page, INK, corner, end, 3)
    pygame.draw.rect(page, INK, part, 3)
    pygame.draw.rect(page, SHEET, frame)
    page.set_clip(frame)
    for (x, y, across, down), kind in outcome.boxes:
        start = (frame.left + (x - lens[0]) * scale, frame.top + (y - lens[1]) * scale)
        _box(page, _pixels(start, (start[0] + across * scale, start[1] + down * scale)), kind)
    half = frame.top + (FIELD_HEIGHT / 2 - lens[1]) * scale
    _dashed(page, INK, (frame.left, half), (frame.right, half), 14)
    ends = [y + down for (_, y, _, down), _ in outcome.boxes if y + down <= FIELD_HEIGHT / 2]
    unused = FIELD_HEIGHT / 2 - max(ends, default=FIELD_HEIGHT / 2)
    _put(page, f"{unused:g} px unused", ((frame.left + 14) / FINE, (frame.bottom - 12) / FINE), 13, INK, weight=BOLD)
    page.set_clip(area)
    pygame.draw.rect(page, INK, frame, 4)


def _compass(page: pygame.Surface, middle: Point) -> None:
    """Draw where angles begin, to the right, and the way that they are counted, counter-clockwise."""
    x, y = middle
    turn = [(x + 52.0 * cos(k * pi / 24), y - 52.0 * sin(k * pi / 24)) for k in range(17)]
    pygame.draw.line(page, FAINT, (x, y), (x + 84.0, y), 3)
    pygame.draw.lines(page, FAINT, False, turn, 3)
    _head(page, FAINT, (turn[-1][0] - 8.0, turn[-1][1] + 4.0), (-sin(16 * pi / 24), -cos(16 * pi / 24)))
    _put(page, "0°", ((x + 92.0) / FINE, (y + 10.0) / FINE), 12, FAINT)
    _put(page, "90°", ((x - 22.0) / FINE, (y - 66.0) / FINE), 12, FAINT)


def _motion(page: pygame.Surface, outcome: Outcome, color: Color, radius: float, at: Callable[[Point], Point]) -> None:
    """Draw the ball after each step, its way with its direction, its hits, and the numbers of the steps."""
    places = [at(place) for place in outcome.places]
    for number, place in enumerate(places):
        share = 0.4 + 0.5 * number / max(1, len(places) - 1)
        pygame.draw.circle(page, mix(SHEET, color, share), place, radius, 3)
    for path in outcome.paths:
        points = [at(point) for point in path]
        for start, end in itertools.pairwise(points):
            pygame.draw.line(page, color, start, end, 4)
        _directions(page, color, points)
    for place in places:
        pygame.draw.aacircle(page, color, place, 6)
    arrows, length = [], max(70.0, radius * 1.35)
    for point, normal in outcome.hits:
        pygame.draw.circle(page, color, at(point), radius, 4)
        foot = at((point[0] - normal[0] * BALL_RADIUS, point[1] - normal[1] * BALL_RADIUS))
        _arrow(page, foot, normal, length)
        arrows.append((foot, (foot[0] + normal[0] * length, foot[1] + normal[1] * length)))
    disc = pygame.Surface((ceil(2 * radius) + 4, ceil(2 * radius) + 4), pygame.SRCALPHA, 32)
    middle = disc.get_width() / 2
    pygame.draw.circle(disc, (*color, 70), (middle, middle), radius)
    pygame.draw.circle(disc, (*color, 255), (middle, middle), radius, 5)
    for x, y in places[-1:]:
        page.blit(disc, (round(x - middle), round(y - middle)))
    _numbers(page, places, radius, arrows)


def _directions(page: pygame.Surface, color: Color, points: list[Point]) -> None:
    """Put heads in the middle of legs of the way, where the leg has room for one and the last head is not near."""
    since = APART
    for start, end in itertools.pairwise(points):
        length = dist(start, end)
        if length > 1.5 * HEAD and since + length / 2 >= APART:
            along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            _head(page, color, (middle[0] + along[0] * HEAD / 2, middle[1] + along[1] * HEAD / 2), along)
            since = length / 2
        else:
            since += length


def _numbers(page: pygame.Surface, places: list[Point], radius: float, arrows: list[tuple[Point, Point]]) -> None:
    """Number the places of the ball, the start is 0, outside the ball and off the arrows.

    A number that finds no room is left out, and so is that of a step in which the ball stood still.
    """
    marks = [
        (foot[0] + (tip[0] - foot[0]) * part, foot[1] + (tip[1] - foot[1]) * part)
        for foot, tip in arrows
        for part in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    taken: list[pygame.Rect] = []
    numbered: list[Point] = []
    for number in sorted(range(len(places)), key=lambda number: (number not in (0, len(places) - 1), number)):
        if any(dist(places[number], place) < 0.25 * radius for place in numbered):
            continue
        width, height = advance(str(number), 12) * FINE, 12 * FINE
        for turn in (0.0, pi, pi / 2, -pi / 2, 0.8, -0.8, pi - 0.8, pi + 0.8):
            away = radius + 18.0
            x, y = places[number][0] + away * cos(turn), places[number][1] + away * sin(turn)
            room = pygame.Rect(x - width / 2 - 4, y - height / 2 - 4, width + 8, height + 8)
            busy = any(dist(place, (x, y)) < radius + 8.0 for place in places)
            busy = busy or any(dist(mark, (x, y)) < HEAD + 10.0 for mark in marks)
            if not busy and page.get_clip().contains(room) and room.collidelist(taken) < 0:
                taken.append(room)
                numbered.append(places[number])
                _put(page, str(number), ((x - width / 2) / FINE, (y + height / 2) / FINE), 12, INK, weight=BOLD)
                break


def _box(page: pygame.Surface, box: pygame.Rect, kind: str) -> None:
    """A brick, the paddle or a power-up."""
    round_ends = box.height // 2 if kind == ITEM else 0
    inside, edge = LOOKS[kind]
    pygame.draw.rect(page, inside, box, border_radius=round_ends)
    if kind == STONE:
        _hatch(page, box)
    if kind == GONE:
        right, bottom = box.right - 1, box.bottom - 1
        for y in (box.top, bottom):
            _dashed(page, edge, (box.left, y), (box.right, y), 16)
        for x in (box.left, right):
            _dashed(page, edge, (x, box.top), (x, box.bottom), 16)
    else:
        pygame.draw.rect(page, edge, box, 3, border_radius=round_ends)


def _pixels(corner: Point, end: Point) -> pygame.Rect:
    left, top = round(corner[0]), round(corner[1])
    return pygame.Rect(left, top, ceil(end[0]) - left, ceil(end[1]) - top)


def _arrow(page: pygame.Surface, foot: Point, normal: Point, length: float) -> None:
    """The normal of a hit: a dot where the ball touched and an arrow out of the thing hit."""
    tip = (foot[0] + normal[0] * length, foot[1] + normal[1] * length)
    pygame.draw.line(page, INK, foot, (tip[0] - normal[0] * HEAD, tip[1] - normal[1] * HEAD), 5)
    _head(page, INK, tip, normal)
    pygame.draw.circle(page, INK, foot, 9)


def _head(page: pygame.Surface, color: Color, tip: Point, along: Point) -> None:
    back = (tip[0] - along[0] * HEAD, tip[1] - along[1] * HEAD)
    side = (-along[1] * HEAD * 0.45, along[0] * HEAD * 0.45)
    pygame.draw.polygon(
        page, color, [tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
    )


def _hatch(page: pygame.Surface, box: pygame.Rect) -> None:
    old = page.get_clip()
    page.set_clip(box.clip(old))
    for start in range(box.left - box.height, box.right, 26):
        pygame.draw.line(page, (178, 180, 174), (start, box.bottom), (start + box.height, box.top), 3)
    page.set_clip(old)


def _dashed(page: pygame.Surface, color: Color, start: Point, end: Point, dash: int) -> None:
    """A dashed line along one axis; its last dash ends where it does."""
    length = round(max(end[0] - start[0], end[1] - start[1]))
    dx, dy = (1, 0) if end[0] > start[0] else (0, 1)
    for along in range(0, length, 2 * dash):
        until = min(along + dash, length)
        dash_start = (start[0] + dx * along, start[1] + dy * along)
        pygame.draw.line(page, color, dash_start, (start[0] + dx * until, start[1] + dy * until), 3)


def _legend(page: pygame.Surface, shown: Shown, foot: int) -> None:
    """The meaning of the marks that are drawn, in one line at the foot of the page."""
    y = foot - 34.0
    pygame.draw.line(
        page, HAIR, (MARGIN * FINE, (foot - LEGEND) * FINE), ((WIDTH - MARGIN) * FINE, (foot - LEGEND) * FINE), 2
    )
    x = float(MARGIN)
    middle = (y - 5) * FINE

    def mark(width: float, words: str) -> None:
        nonlocal x
        x += width + 10 + _put(page, words, (x + width + 10, y), 11.5, FAINT) + 34

    outcomes = (shown.tutorial, shown.exact)
    moving = [outcome for outcome in outcomes if _moves(outcome)]
    if any(outcome.places for outcome in moving):
        pygame.draw.circle(page, mix(PAPER, INK, 0.55), ((x + 11) * FINE, middle), 22, 2)
        pygame.draw.circle(page, INK, ((x + 11) * FINE, middle), 6)
        mark(22, "the ball after so many steps")
        pygame.draw.circle(page, mix(PAPER, INK, 0.3), ((x + 11) * FINE, middle), 22)
        pygame.draw.circle(page, INK, ((x + 11) * FINE, middle), 22, 5)
        mark(22, "at the end")
    if any(outcome.paths for outcome in moving):
        pygame.draw.line(page, INK, (x * FINE, middle), ((x + 34) * FINE, middle), 4)
        _head(page, INK, ((x + 22) * FINE, middle), (1.0, 0.0))
        mark(34, "its way")
    if any(outcome.hits for outcome in outcomes):
        _arrow(page, (x * FINE + 9, middle), (1.0, 0.0), 70)
        mark(38, "a hit and its normal")
    drawn = {kind for outcome in outcomes for box, kind in outcome.boxes if _meet(box, shown.region)}
    for kind, words in ((BRICK, "brick"), (STONE, "solid"), (GONE, "gone"), (PADDLE, "paddle"), (ITEM, "power-up")):
        if kind in drawn:
            _box(page, pygame.Rect(round(x * FINE), round(middle - 18), 60, 36), kind)
            mark(30, words)


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
