"""Keys and mouse as a player: held and tapped keys, buttons and the place of the mouse, sampled once for each tick.

In: keys that go down and up, places of the mouse. Out: a `Press` for the next tick.
"""

from __future__ import annotations

import math

import pygame

from carom_breakout import state
from carom_breakout.session import Press, Session

LEFT = frozenset((pygame.K_a, pygame.K_LEFT))
RIGHT = frozenset((pygame.K_d, pygame.K_RIGHT))
BUTTONS = {
    pygame.K_SPACE: state.RELEASE,
    pygame.K_RETURN: state.ENTER,
    pygame.K_KP_ENTER: state.ENTER,
    pygame.K_w: state.NEXT,
    pygame.K_UP: state.NEXT,
    pygame.K_s: state.PREVIOUS,
    pygame.K_DOWN: state.PREVIOUS,
    pygame.K_n: state.NEW_BALL,
}


class Hands:
    """Keys and mouse of a player, from events, sampled once for each tick."""

    def __init__(self) -> None:
        self._held: list[int] = []
        self._tapped = 0
        self._mouse = math.nan
        self._buttons = 0

    def key(self, key: int, down: bool) -> None:
        """Take in a key pressed or let go."""
        if key in LEFT or key in RIGHT:
            if down:
                self._held.append(key)
                self._tapped = -1 if key in LEFT else 1
                self._mouse = math.nan
            elif key in self._held:
                self._held.remove(key)
        elif down:
            self._buttons |= BUTTONS.get(key, 0)

    def point(self, x: float) -> None:
        """Take in where the mouse points, in units of the field."""
        self._mouse = x

    def press(self, button: int) -> None:
        """Take in a button for the next tick."""
        self._buttons |= button

    def release_all(self) -> None:
        """Forget all keys held, when the window loses them."""
        self._held.clear()
        self._tapped = 0

    def next(self, session: Session) -> Press:
        """Inputs of the next tick; the last key of two that contradict each other counts."""
        direction = self._tapped
        if self._held:
            direction = -1 if self._held[-1] in LEFT else 1
        press = Press(direction, self._mouse, self._buttons)
        self._tapped, self._buttons = 0, 0
        return press
