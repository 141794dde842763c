"""The words around the table: score, level, lives, the effects at work, the name of a power-up just caught.

In: a `Snapshot`, a `View`, the art. Out: pixels. All places and sizes are in units of the field; the rails lie outside
it, left of 0, right of 800 and above 0.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

from carom_breakout.art import palette
from carom_breakout.art.drawing import Art
from carom_breakout.art.ink import Color, put_middle
from carom_breakout.art.lettering import BOLD, LIGHT, REGULAR, advance, put
from carom_breakout.art.snapshot import Snapshot
from carom_breakout.art.view import FIELD_WIDTH, View
from carom_breakout.power_up_table import POWER_UPS

TOAST = 1.6  # seconds that the name of a power-up caught stays
FLIGHT, RISE = 0.9, 34.0  # seconds that the points of a hit fly, and how far
LONGEST_NAME = 330.0
BASE = -21.0


class Flight(NamedTuple):
    """Points that fly up from where they were won."""

    text: str
    x: float
    y: float
    color: Color
    size: float = 15.0


class Words:
    """Sets text in units of the field, scaled with the picture.

    Parameters
    ----------
    view : where the picture lies.
    """

    def __init__(self, view: View) -> None:
        self.view = view

    def put(
        self,
        target: pygame.Surface,
        words: str,
        x: float,
        y: float,
        size: float,
        color: Color,
        **style: float,
    ) -> pygame.Rect:
        """Set one line with its baseline at y; see `lettering.put`."""
        return put(target, words, self.view.point(x, y), size * self.view.scale, color, **style)

    def put_title(self, target: pygame.Surface, number: str, name: str, y: float, size: float, longest: float) -> None:
        """Set the number and the name of a level in the middle of the picture."""
        name = self.fitted(name, size, longest)
        width = self.width(number, size, BOLD) + 12 + self.width(name, size)
        left = FIELD_WIDTH / 2 - width / 2
        self.put(target, number, left, y, size, palette.BRASS, weight=BOLD)
        self.put(target, name, left + width, y, size, palette.IVORY, anchor=1.0)

    def width(self, words: str, size: float, weight: float = REGULAR, tracking: float = 0.0) -> float:
        """Width of a line in units of the field."""
        return advance(words, size, weight, tracking)

    def fitted(self, words: str, size: float, width: float) -> str:
        """The line, or its beginning and an ellipsis if it is wider than that."""
        if self.width(words, size) <= width:
            return words
        while words and self.width(words + "…", size) > width:
            words = words[:-1]
        return words.rstrip() + "…"


def draw_rails(target: pygame.Surface, view: View, art: Art, snapshot: Snapshot, label: str = "") -> None:
    """Write the facts of the game on the rails: score, level, lives, effects at work and their time left."""
    words, small = Words(view), 14.0 if label else 9.5
    words.put(target, "SCORE", 2, BASE, small, palette.SAGE, tracking=0.22)
    score = 13 + words.width("SCORE", small, tracking=0.22)
    words.put(target, f"{snapshot.score}", score, BASE + 1, 17, palette.IVORY, weight=LIGHT + 0.02)
    if label:
        words.put(target, label, FIELD_WIDTH / 2, BASE, 19, palette.BRASS, weight=BOLD, anchor=0.5)
    else:
        words.put_title(target, f"{snapshot.level + 1}", snapshot.level_name, BASE, 14, LONGEST_NAME)
    lives = min(snapshot.lives, 8)
    for life in range(lives):
        put_middle(target, art.ball(8.0, False), *view.point(790 - 22 * life, BASE - 6.5))
    words.put(target, "LIVES", 786 - 22 * lives, BASE, small, palette.SAGE, tracking=0.22, anchor=1.0)
    for place, badge in enumerate(snapshot.badges):
        side, height = -20.0 if place < 5 else 820.0, 100.0 * (place % 5 + 1)
        put_middle(target, art.badge(badge.kind, round(15 * view.scale), badge.parts), *view.point(side, height))
        words.put(target, badge.note, side, height + 30, 9.5, POWER_UPS[badge.kind].color, anchor=0.5)


def draw_flight(target: pygame.Surface, view: View, flight: Flight, age: float) -> None:
    """Let the points of a hit rise from its place and fade."""
    share = age / FLIGHT
    if share >= 1.0:
        return
    y = max(flight.y - RISE * (1.0 - (1.0 - share) ** 2), 20.0)
    x = min(max(flight.x, 30.0), FIELD_WIDTH - 30.0)
    alpha = round(255 * min(1.0, 2.0 * (1.0 - share)))
    words = Words(view)
    for aside, down, color in ((-1.2, 0.6, palette.INK), (1.2, 1.2, palette.INK), (0.0, 0.0, flight.color)):
        words.put(target, flight.text, x + aside, y + down, flight.size, color, weight=BOLD, anchor=0.5, alpha=alpha)


def draw_toast(target: pygame.Surface, view: View, art: Art, kind: int, x: float, age: float) -> None:
    """Name a power-up just caught, rising above the paddle and fading."""
    if age >= TOAST:
        return
    power_up = POWER_UPS[kind]
    words = Words(view)
    alpha = round(255 * min(1.0, (TOAST - age) / 0.5))
    height = 545 - 46 * min(1.0, age / 0.6) ** 0.6
    half = max(words.width(power_up.title, 17, BOLD), words.width(power_up.says, 10)) / 2
    x = min(max(x, half + 14), 786 - half)
    place = view.box(x - half - 4, height - 20, 2 * half + 8, 44)
    art.cast_shadow(target, place, place.height / 2, 0.8, 0, alpha)
    words.put(target, power_up.title, x, height, 17, power_up.color, weight=BOLD, anchor=0.5, alpha=alpha)
    words.put(target, power_up.says, x, height + 18, 10, palette.IVORY, anchor=0.5, alpha=alpha)
