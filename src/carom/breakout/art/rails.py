"""What is said around the table: score, level, lives, the effects at work, the name of a power-up just caught.

In: a `Scene`, a `View`, the art. Out: pixels. All places and sizes are in units of the field; the rails lie outside it,
left of 0, right of 800 and above 0.
"""

from __future__ import annotations

import pygame

from carom.breakout import state
from carom.breakout.art import palette
from carom.breakout.art.drawing import Art
from carom.breakout.art.ink import Color
from carom.breakout.art.lettering import BOLD, LIGHT, REGULAR, advance, put
from carom.breakout.art.scene import Scene
from carom.breakout.art.view import View
from carom.breakout.state import LAUNCH_SPEED

TOAST = 1.6  # seconds that the name of a power-up caught stays
RING = 60  # parts of the ring around a badge
LONGEST_NAME = 330.0
BASE = -21.0


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
        *,
        weight: float = REGULAR,
        tracking: float = 0.0,
        anchor: float = 0.0,
        alpha: int = 255,
    ) -> pygame.Rect:
        """Set one line with its baseline at y; see `lettering.put`."""
        return put(
            target, words, self.view.point(x, y), size * self.view.scale, color,
            weight=weight, tracking=tracking, anchor=anchor, alpha=alpha,
        )  # fmt: skip

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


def draw_rails(target: pygame.Surface, view: View, art: Art, scene: Scene, label: str = "") -> None:
    """Say on the rails what a player wants to know: score, level, lives, effects at work and their time left."""
    words = Words(view)
    words.put(target, "SCORE", 2, BASE, 9.5, palette.SAGE, tracking=0.22)
    score = 13 + words.width("SCORE", 9.5, tracking=0.22)
    words.put(target, f"{scene.score}", score, BASE + 1, 17, palette.IVORY, weight=LIGHT + 0.02)
    number = label or f"{scene.level + 1}"
    name = words.fitted(scene.level_name, 14, LONGEST_NAME)
    total = words.width(number, 14, BOLD) + 12 + words.width(name, 14)
    left = 400 - total / 2
    words.put(target, number, left, BASE, 14, palette.BRASS, weight=BOLD)
    words.put(target, name, left + total, BASE, 14, palette.IVORY, anchor=1.0)
    for life in range(min(scene.lives, 8)):
        picture = art.ball(8.0, False)
        x, y = view.point(790 - 22 * life, BASE - 6.5)
        target.blit(picture, (round(x) - picture.get_width() // 2, round(y) - picture.get_height() // 2))
    words.put(target, "LIVES", 790 - 22 * min(scene.lives, 8) - 4, BASE, 9.5, palette.SAGE, tracking=0.22, anchor=1.0)
    for place, (kind, left_seconds) in enumerate(scene.running):
        draw_badge(target, view, art, place, kind, left_seconds, scene)


def draw_badge(
    target: pygame.Surface, view: View, art: Art, place: int, kind: str, left_seconds: float | None, scene: Scene
) -> None:
    """Show one effect at work on a rail: its sign, a ring that runs out, and the seconds left."""
    lasts = state.LASTS[state.POWER_UP_NAMES.index(kind)]
    share = RING if left_seconds is None else max(0, min(RING - 1, int(RING * left_seconds / lasts)))
    side = -20.0 if place < 5 else 820.0
    height = 100.0 * (place % 5 + 1)
    picture = art.badge(kind, round(15 * view.scale), share)
    x, y = view.point(side, height)
    target.blit(picture, (round(x) - picture.get_width() // 2, round(y) - picture.get_height() // 2))
    if left_seconds is not None:
        note = f"{left_seconds:.0f}"
    elif kind == "speed":
        note = f"×{scene.speed / LAUNCH_SPEED:.1f}"
    else:
        note = f"+{scene.paddle[1] - state.PADDLE_WIDTH:.0f}"
    Words(view).put(target, note, side, height + 30, 9.5, palette.POWERS[kind].color, anchor=0.5)


def draw_toast(target: pygame.Surface, view: View, art: Art, kind: str, x: float, age: float) -> None:
    """Name a power-up just caught, rising above the paddle and fading."""
    if age >= TOAST:
        return
    power = palette.POWERS[kind]
    words = Words(view)
    alpha = round(255 * min(1.0, (TOAST - age) / 0.5))
    height = 545 - 46 * min(1.0, age / 0.6) ** 0.6
    half = max(words.width(power.name, 17, BOLD), words.width(power.effect, 10)) / 2
    x = min(max(x, half + 14), 786 - half)
    place = view.box(x - half - 4, height - 20, 2 * half + 8, 44)
    shadow = art.shadow(place.width, place.height, place.height / 2, 0.8)
    shadow.set_alpha(alpha)
    target.blit(shadow, (place.left - art.shadow_margin, place.top - art.shadow_margin))
    words.put(target, power.name, x, height, 17, power.color, weight=BOLD, anchor=0.5, alpha=alpha)
    words.put(target, power.effect, x, height + 18, 10, palette.IVORY, anchor=0.5, alpha=alpha)
