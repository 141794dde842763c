"""The view of the physics: the shapes it tests, the ball's swept path, where it hit, and the normals.

In: a `Snapshot` and the last ticks. Out: fine lines over the picture, in units of the field. For players
who ask why the ball went where it went.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

import pygame

from carom.draw import Arrow, Dot, Item, Line, Outline, Style, paint_items
from carom.draw import View as SurfaceView
from carom_breakout import state
from carom_breakout.art import palette
from carom_breakout.art.ink import web_color
from carom_breakout.art.rails import Words
from carom_breakout.art.snapshot import Snapshot
from carom_breakout.art.view import View
from carom_breakout.session import Point, Tick

PATH_COLOR = (255, 214, 120)
NORMAL_COLOR = (120, 236, 170)
SHAPE_COLOR = (196, 222, 226)
KEPT_TICKS = 90
NORMAL_LENGTH = 34.0
AHEAD = 0.15  # seconds of the ball's way that are drawn


LOOKS = {
    "shape": Style(web_color(SHAPE_COLOR), 1.3),
    "path": Style(web_color(PATH_COLOR), 1.0, size=1.3),
    "normal": Style(web_color(NORMAL_COLOR), 1.3, size=1.6),
}
LABEL_TURNS = 700.0  # right of this the speed stands left of the ball


class Overlay:
    """Keeps the last part of the ball's way and draws it.

    Parameters
    ----------
    kept : ticks of the way that are kept.
    """

    def __init__(self, kept: int = KEPT_TICKS) -> None:
        self.on = False
        self._ticks: deque[Tick] = deque(maxlen=kept)

    def tick(self, tick: Tick, snapshot: Snapshot) -> None:
        """Take in the swept path and the hits of one tick."""
        if snapshot.mode == state.PAUSED:
            return
        if snapshot.stuck or snapshot.mode != state.ACTIVE:
            self._ticks.clear()
            return
        self._ticks.append(tick)

    def draw(self, target: pygame.Surface, view: View, snapshot: Snapshot) -> None:
        """Draw the shapes, the way and the normals, and the speed."""
        items = [*self._shapes(snapshot), *self.way()]
        paint_items(target, items, surface_view(view), LOOKS)
        if snapshot.stuck or snapshot.mode not in (state.ACTIVE, state.PAUSED):
            return  # the ball rests
        speed = (snapshot.velocity[0] ** 2 + snapshot.velocity[1] ** 2) ** 0.5
        x, y = snapshot.ball
        side = 18 if x < LABEL_TURNS else -18
        anchor = 0.0 if side > 0 else 1.0
        Words(view).put(target, f"{speed:.0f} px/s", x + side, y - 14, 8.5, palette.SAGE, anchor=anchor)

    def _shapes(self, snapshot: Snapshot) -> Iterator[Item]:
        """Yield the things that the physics tests: boxes, the ball, and where the ball is bound for."""
        for cell in snapshot.bricks.codes.nonzero()[0]:
            yield box(*snapshot.bricks.box(int(cell)))
        left, width = snapshot.paddle
        yield box(left, state.PADDLE_TOP, width, state.PADDLE_HEIGHT)
        for _, x, y in snapshot.items:
            yield box(x, y, state.ITEM_WIDTH, state.ITEM_HEIGHT)
        yield Outline("shape", (up(snapshot.ball),), state.BALL_RADIUS)
        if snapshot.mode == state.ACTIVE and not snapshot.stuck:
            (x, y), (vx, vy) = snapshot.ball, snapshot.velocity
            yield Line("shape", up((x, y)), up((x + vx * AHEAD, y + vy * AHEAD)))

    def way(self) -> Iterator[Item]:
        """Yield the swept path with a dot where each tick ended, and the hits with their normals."""
        for tick in self._ticks:
            yield from (Line("path", up(start), up(end)) for start, end in pairwise(tick.way))
            yield Dot("path", up(tick.end))
        for tick in self._ticks:
            for (x, y), (nx, ny) in ((hit.point, hit.normal) for hit in tick.hits):
                foot = x - nx * state.BALL_RADIUS, y - ny * state.BALL_RADIUS
                yield Outline("path", (up((x, y)),), state.BALL_RADIUS)
                yield Arrow("normal", up(foot), up((foot[0] + nx * NORMAL_LENGTH, foot[1] + ny * NORMAL_LENGTH)))
                yield Dot("normal", up(foot))


def up(point: Point) -> Point:
    """Return a point of the field, where y points down, as pictures have it."""
    return point[0], -point[1]


def box(x: float, y: float, width: float, height: float) -> Outline:
    """Return the outline of a box of the field."""
    return Outline(
        "shape", tuple(up(corner) for corner in ((x, y + height), (x + width, y + height), (x + width, y), (x, y)))
    )


def surface_view(view: View) -> SurfaceView:
    """Return where pictures of the field lie on the output."""
    left, top = view.point(0.0, 0.0)
    return SurfaceView(left, top, 0.0, 0.0, view.scale, view.scale)
