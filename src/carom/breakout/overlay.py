"""What the physics sees: the shapes it tests, the ball's swept path, where it hit, and the normals.

In: a `Scene` and the hits of the last moments. Out: fine lines over the picture, in units of the field. For players who
ask why the ball went where it went.
"""

from __future__ import annotations

from collections import deque

import pygame

from carom.breakout import palette, state
from carom.breakout.rails import Words
from carom.breakout.scene import Scene
from carom.breakout.view import View

Point = tuple[float, float]

PATH_COLOR = (255, 214, 120)
NORMAL_COLOR = (120, 236, 170)
SHAPE_COLOR = (196, 222, 226)
KEPT_TICKS = 90
NORMAL_LENGTH = 34.0
LABEL_TURNS = 700.0  # right of this the speed stands left of the ball


class Overlay:
    """Keeps the last part of the ball's way and draws it.

    Parameters
    ----------
    kept : ticks of the way that are kept.
    """

    def __init__(self, kept: int = KEPT_TICKS) -> None:
        self.on = False
        self._paths: deque[list[Point]] = deque(maxlen=kept)
        self._hits: deque[list[tuple[Point, Point]]] = deque(maxlen=kept)

    def tick(self, scene: Scene) -> None:
        """Take in the swept path and the hits of one tick."""
        if scene.mode == state.PAUSED:
            return
        if scene.stuck or scene.mode != state.ACTIVE:
            self._paths.clear()
            self._hits.clear()
            return
        self._paths.append(scene.path)
        self._hits.append(scene.hits)

    def draw(self, target: pygame.Surface, view: View, scene: Scene) -> None:
        """Draw the shapes, the way and the normals, and the speed."""
        for cell in scene.bricks.codes.nonzero()[0]:
            pygame.draw.rect(target, SHAPE_COLOR, view.box(*scene.bricks.box(int(cell))), 1)
        left, width = scene.paddle
        pygame.draw.rect(target, SHAPE_COLOR, view.box(left, state.PADDLE_TOP, width, state.PADDLE_HEIGHT), 1)
        for _, x, y in scene.items:
            pygame.draw.rect(target, SHAPE_COLOR, view.box(x, y, state.ITEM_WIDTH, state.ITEM_HEIGHT), 1)
        self.draw_way(target, view)
        line = max(1, round(1.3 * view.scale))
        radius = state.BALL_RADIUS * view.scale
        center = view.point(*scene.ball)
        pygame.draw.aacircle(target, SHAPE_COLOR, center, radius, line)
        speed = (scene.velocity[0] ** 2 + scene.velocity[1] ** 2) ** 0.5
        if scene.mode == state.ACTIVE and not scene.stuck:
            ahead = view.point(scene.ball[0] + scene.velocity[0] * 0.15, scene.ball[1] + scene.velocity[1] * 0.15)
            pygame.draw.aaline(target, SHAPE_COLOR, center, ahead)
        x, y = scene.ball
        side = 18 if x < LABEL_TURNS else -18
        Words(view).put(
            target, f"{speed:.0f} px/s", x + side, y - 14, 8.5, palette.SAGE, anchor=0.0 if side > 0 else 1.0
        )

    def draw_way(self, target: pygame.Surface, view: View) -> None:
        """Draw the swept path with a dot where each tick ended, and the hits with their normals."""
        line = max(1, round(1.3 * view.scale))
        radius = state.BALL_RADIUS * view.scale
        for path in self._paths:
            points = [view.point(*point) for point in path]
            if len(points) > 1:
                pygame.draw.aalines(target, PATH_COLOR, False, points)
                pygame.draw.aacircle(target, PATH_COLOR, points[-1], max(1.5, 1.8 * view.scale))
        for hits in self._hits:
            for place, normal in hits:
                pygame.draw.aacircle(target, PATH_COLOR, view.point(*place), radius, 1)
                contact = view.point(place[0] - normal[0] * state.BALL_RADIUS, place[1] - normal[1] * state.BALL_RADIUS)
                self._arrow(target, contact, normal, view.scale, line)

    def _arrow(self, target: pygame.Surface, foot: Point, normal: Point, scale: float, line: int) -> None:
        length, head = NORMAL_LENGTH * scale, 6.0 * scale
        tip = (foot[0] + normal[0] * length, foot[1] + normal[1] * length)
        pygame.draw.aaline(target, NORMAL_COLOR, foot, tip, line)
        side = (-normal[1], normal[0])
        back = (tip[0] - normal[0] * head, tip[1] - normal[1] * head)
        corners = [
            tip,
            (back[0] + side[0] * head * 0.5, back[1] + side[1] * head * 0.5),
            (back[0] - side[0] * head * 0.5, back[1] - side[1] * head * 0.5),
        ]
        pygame.draw.polygon(target, NORMAL_COLOR, corners)
        pygame.draw.circle(target, NORMAL_COLOR, foot, max(2, 2.2 * scale))
