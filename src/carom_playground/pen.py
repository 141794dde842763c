"""Words and buttons on a surface: the pen that all parts of the playground write with.

In: a surface, the scale of words and where the mouse is. Out: pixels, and the buttons that were drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

from carom.draw import font, wrapped, written
from carom.draw.pair import BLACK
from carom_playground.scene import Point2

PAPER, SHADE, FIELD = "#FFFFFF", "#EDEBE6", "#FBFAF7"
HANDLE, RIM, OVER = "#0072B2", "#B9B5AB", "#DCEBF5"


class Button(NamedTuple):
    """A place that can be clicked, and the action that it stands for."""

    area: pygame.Rect
    action: str
    value: str


class Pen:
    """Writes and draws buttons on a surface.

    Parameters
    ----------
    target : the surface.
    letter : scale of words.
    mouse : its pixel, over which a button changes its colour.
    """

    def __init__(self, target: pygame.Surface, letter: float, mouse: Point2 | None) -> None:
        self.target, self.letter, self._mouse = target, letter, mouse
        self.buttons: list[Button] = []

    def write(self, words: str, at: Point2, size: float, color: str, *, bold: bool = False) -> float:
        """Write a line with its left middle at a place; return its width."""
        line = written(words, size * self.letter, color, bold)
        self.target.blit(line, (round(at[0]), round(at[1] - line.get_height() / 2.0)))
        return float(line.get_width())

    def width(self, words: str, size: float, *, bold: bool = False) -> float:
        """Return how wide a line will be."""
        return float(font(max(6, round(size * self.letter)), bold).size(words)[0])

    def shortened(self, words: str, size: float, room: float) -> str:
        """Return words, or as many of them as have room, and dots."""
        if self.width(words, size) <= room:
            return words
        while words and self.width(f"{words} ...", size) > room:
            words = words[:-1]
        return f"{words.rpartition(' ')[0] or words} ..."

    def lines(self, words: str, size: float, room: float, *, bold: bool = False) -> list[str]:
        """Return words in lines that have room."""
        return wrapped(words, room, lambda line: self.width(line, size, bold=bold))

    def paragraph(
        self, words: str, place: pygame.Rect, y: float, size: float, color: str = BLACK, *, bold: bool = False
    ) -> float:
        """Write words into a place from y on, as many lines as have room; return where they end."""
        step, room = 1.3 * size * self.letter, place.width
        lines = self.lines(words, size, room, bold=bold)
        fit = max(0, int((place.bottom - y) / step))
        if 0 < fit < len(lines):
            lines = [*lines[: fit - 1], self.shortened(" ".join(lines[fit - 1 :]), size, room)]
        for line in lines[:fit]:
            self.write(line, (place.left, y + step / 2.0), size, color, bold=bold)
            y += step
        return y

    def button(self, words: str, at: Point2, action: str, value: str) -> float:
        """Draw a button with its left middle at a place; return its width."""
        wide, high = self.button_width(words), 28 * self.letter
        area = pygame.Rect(round(at[0]), round(at[1] - high / 2.0), round(wide), round(high))
        over = self._mouse is not None and area.collidepoint(self._mouse)
        pygame.draw.rect(self.target, OVER if over else PAPER, area, border_radius=round(5 * self.letter))
        pygame.draw.rect(self.target, RIM, area, 1, border_radius=round(5 * self.letter))
        self.write(words, (at[0] + 9 * self.letter, at[1]), 15, BLACK)
        self.buttons.append(Button(area, action, value))
        return wide

    def button_width(self, words: str) -> float:
        """Return how wide a button will be."""
        return self.width(words, 15) + 18 * self.letter
