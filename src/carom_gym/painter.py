"""Pictures of games for people: one game as an array or in a window, or many as tiles of one picture.

In: records of games. Out: (height, width, 3) bytes, or a window of its own. The drawing is that of the game.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from carom.draw import open_display
from carom_breakout import state
from carom_breakout.app.opening import set_window
from carom_breakout.art.board import Board
from carom_breakout.art.drawing import Art
from carom_breakout.art.palette import INK
from carom_breakout.art.view import View, fit
from carom_breakout.levels import shipped_levels
from carom_breakout.replay import Setup
from carom_breakout.session import Session, read_tick
from carom_breakout.state import Rows

SIZE = (640, 480)
RATE = 60  # pictures a second in a window


class Painter:
    """Draws games one after the other.

    Parameters
    ----------
    physics : the physics they are played by, which lays the bricks out in its own way.
    dt : seconds of one step.
    """

    def __init__(self, physics: int, dt: float) -> None:
        self._session = Session(Setup(shipped_levels(), 0, 0, physics, dt=dt))
        self._sheet = pygame.Surface(SIZE, 0, 32)
        self._surface: pygame.Surface | None = None
        self._view: View | None = None
        self._board = Board(self._session)
        self._clock = pygame.time.Clock()
        self._in_window = False

    def _place(self, size: tuple[int, int]) -> None:
        view = fit(size)[0]
        if view != self._view:
            self._view = view
            self._board.place(view, Art(view.scale))

    def frame(self, game: Any, size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
        """Return a picture of one game as (height, width, 3) bytes."""
        if self._sheet.get_size() != size:
            self._sheet = pygame.Surface(size, 0, 32)
        self._draw(self._sheet, game)
        return np.ascontiguousarray(pygame.surfarray.array3d(self._sheet).swapaxes(0, 1))

    def _draw(self, target: pygame.Surface, game: Any, share: float = 1.0) -> None:
        self._place(target.get_size())
        target.fill(INK)
        self._session.games[0] = game
        self._board.draw(target, share)

    def tiles(self, games: Rows, size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
        """Return one picture of many games, as nearly square as their number allows, each of this size."""
        columns = math.ceil(math.sqrt(len(games)))
        rows = math.ceil(len(games) / columns)
        width, height = size
        picture = np.zeros((rows * height, columns * width, 3), np.uint8)
        for k in range(len(games)):
            top, left = k // columns * height, k % columns * width
            picture[top : top + height, left : left + width] = self.frame(games[k], size)
        return picture

    def show(self, before: Any, game: Any, trace: Rows | None) -> None:
        """Show one step of a game in the window, as smoothly as the display can; without a display, draw it unseen."""
        target = self._window()
        session, pictures = self._session, max(1, round(self._session.setup.dt * RATE))
        session.games[0] = before
        self._board.camera.remember()
        session.last = read_tick(trace, 0) if trace is not None else None
        for k in range(pictures):
            self._draw(target, game, (k + 1) / pictures)
            if self._in_window:
                pygame.event.pump()
                pygame.display.flip()
                self._clock.tick(RATE)
        session.last = None

    def show_tiles(self, games: Rows) -> None:
        """Show many games in the window, one picture a step; without a display, draw them unseen."""
        target = self._window()
        columns = math.ceil(math.sqrt(len(games)))
        width, height = target.get_width() // columns, target.get_height() // columns
        picture = pygame.surfarray.make_surface(self.tiles(games, (width, height)).swapaxes(0, 1))
        target.blit(picture, (0, 0))
        if self._in_window:
            pygame.event.pump()
            pygame.display.flip()
            self._clock.tick(1.0 / self._session.setup.dt)

    def _window(self) -> pygame.Surface:
        if self._surface is None:
            self._in_window = open_display()
            self._surface = set_window() if self._in_window else pygame.Surface(SIZE, 0, 32)
        shown = pygame.display.get_surface() if self._in_window else None
        return shown or self._surface

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._in_window:
            pygame.display.quit()
        self._surface, self._in_window = None, False


def painter_of(physics: str, seconds: float) -> Painter:
    """Return a painter of games of this physics, whose steps are so long."""
    return Painter(state.EXACT if physics == "exact" else state.TUTORIAL, seconds)
