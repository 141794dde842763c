"""What is said over the table: the menu, the pause, a level won, the game over, and the legend of keys.

In: a target, a view, the art, and what to say. Out: pixels. All places and sizes are in units of the field, so that a
message sits the same at any window size.
"""

from __future__ import annotations

import pygame

from carom.breakout.art import palette
from carom.breakout.art.drawing import Art
from carom.breakout.art.ink import Color
from carom.breakout.art.lettering import BOLD, LIGHT
from carom.breakout.art.rails import Words
from carom.breakout.art.view import FIELD_WIDTH, View

MIDDLE = FIELD_WIDTH / 2
LEGEND = (
    (("A", "D"), "move (arrows, mouse)"),
    (("Space",), "launch (click)"),
    (("P", "Esc"), "pause"),
    (("M",), "sound"),
    (("O",), "show the physics"),
    (("Q",), "quit"),
)


class Screens:
    """Writes the messages of one picture.

    Parameters
    ----------
    view : where the picture lies.
    art : the drawn things at its scale.
    """

    def __init__(self, view: View, art: Art) -> None:
        self.view, self.art = view, art
        self.words = Words(view)

    def menu(self, target: pygame.Surface, number: int, name: str, levels: int, score: int) -> None:
        """Title, the level on offer, how to start, and the keys; the level itself shows in the upper half."""
        words, middle = self.words, MIDDLE
        words.put(target, "BREAKOUT", middle, 386, 44, palette.IVORY, weight=LIGHT, tracking=0.34, anchor=0.5)
        self._rule(target, 408, 150)
        bottom = 446.0
        name = words.fitted(name, 16, 250)
        title = words.width(f"{number}", 16, BOLD) + 12 + words.width(name, 16)
        left = middle - title / 2
        words.put(target, f"{number}", left, bottom, 16, palette.BRASS, weight=BOLD)
        words.put(target, name, left + title, bottom, 16, palette.IVORY, anchor=1.0)
        if levels > 1:
            self._keys(target, ("S",), middle - 172, bottom - 7, anchor=0.5)
            words.put(target, "previous", middle - 192, bottom - 2, 10, palette.SAGE, anchor=1.0)
            self._keys(target, ("W",), middle + 172, bottom - 7, anchor=0.5)
            words.put(target, "next", middle + 192, bottom - 2, 10, palette.SAGE)
        width = self._keys_width(("Enter",)) + 10 + words.width("to play", 13)
        place = self._keys(target, ("Enter",), middle - width / 2, 478)
        words.put(target, "to play", place + 10, 483, 13, palette.IVORY)
        if score:
            words.put(target, f"Last score {score}", middle, 509, 10.5, palette.BRASS, anchor=0.5)
        self.legend(target, middle, 537, 3)

    def paused(self, target: pygame.Surface) -> None:
        """The card that holds the game, with the keys."""
        self._veil(target)
        self._card(target, 520, 272)
        words = self.words
        words.put(target, "PAUSED", MIDDLE, 224, 28, palette.IVORY, weight=LIGHT, tracking=0.34, anchor=0.5)
        self._rule(target, 244, 120)
        self.legend(target, MIDDLE, 280, 2, step=32, column=222)
        self._prompt(target, 398, (("P",), "go on"), (("Q", "Esc"), "quit"))

    def won(self, target: pygame.Surface, name: str, score: int, prompt: str) -> None:
        """The card after the last brick."""
        self._veil(target)
        self._card(target, 460, 240)
        words = self.words
        words.put(target, "CLEARED", MIDDLE, 240, 28, palette.IVORY, weight=LIGHT, tracking=0.34, anchor=0.5)
        self._rule(target, 260, 120)
        words.put(target, words.fitted(name, 13, 380), MIDDLE, 294, 13, palette.SAGE, anchor=0.5)
        self._score(target, 332, score)
        self._prompt(target, 378, (("Enter",), prompt))

    def over(self, target: pygame.Surface, name: str, score: int) -> None:
        """The card after the last life."""
        self._veil(target)
        self._card(target, 460, 240)
        words = self.words
        words.put(target, "GAME OVER", MIDDLE, 240, 28, palette.IVORY, weight=LIGHT, tracking=0.3, anchor=0.5)
        self._rule(target, 260, 120)
        words.put(target, words.fitted(name, 13, 380), MIDDLE, 294, 13, palette.SAGE, anchor=0.5)
        self._score(target, 332, score)
        self._prompt(target, 378, (("Enter",), "to the menu"))

    def hint(self, target: pygame.Surface, key: str, say: str) -> None:
        """A quiet line in the open field, while the ball waits."""
        width = self._keys_width((key,)) + 10 + self.words.width(say, 12)
        place = self._keys(target, (key,), MIDDLE - width / 2, 452)
        self.words.put(target, say, place + 10, 457, 12, palette.IVORY, alpha=220)

    def note(self, target: pygame.Surface, say: str, alpha: int = 255) -> None:
        """A short word in the lower left corner of the field: sound off, overlay on, a replay running."""
        self.words.put(target, say, 14, 588, 9.5, palette.SAGE, alpha=alpha)

    def legend(
        self, target: pygame.Surface, x: float, y: float, columns: int, step: float = 28.0, column: float = 238.0
    ) -> None:
        """The keys and what they do, in columns around x."""
        rows = -(-len(LEGEND) // columns)
        caps = [max(self._keys_width(LEGEND[c * rows + r][0]) for r in range(rows)) for c in range(columns)]
        says = [max(self.words.width(LEGEND[c * rows + r][1], 10) for r in range(rows)) for c in range(columns)]
        gap = (column * columns - sum(caps) - sum(says) - 9 * columns) / max(columns - 1, 1) if columns > 1 else 0
        total = sum(caps) + sum(says) + 9 * columns + gap * (columns - 1)
        left = x - total / 2
        for number in range(columns):
            for row in range(rows):
                keys, say = LEGEND[number * rows + row]
                height = y + step * row
                self._keys(target, keys, left + caps[number] - self._keys_width(keys), height)
                self.words.put(target, say, left + caps[number] + 9, height + 4, 10, palette.SAGE)
            left += caps[number] + 9 + says[number] + gap

    def _score(self, target: pygame.Surface, y: float, score: int) -> None:
        words = self.words
        label = words.width("SCORE", 10, tracking=0.22)
        left = MIDDLE - (label + 12 + words.width(f"{score}", 20, LIGHT + 0.02)) / 2
        words.put(target, "SCORE", left, y, 10, palette.SAGE, tracking=0.22)
        words.put(target, f"{score}", left + label + 12, y, 20, palette.BRASS, weight=LIGHT + 0.02)

    def _prompt(self, target: pygame.Surface, y: float, *parts: tuple[tuple[str, ...], str]) -> None:
        widths = [self._keys_width(keys) + 9 + self.words.width(say, 11) for keys, say in parts]
        left = MIDDLE - (sum(widths) + 30 * (len(parts) - 1)) / 2
        for (keys, say), width in zip(parts, widths, strict=True):
            place = self._keys(target, keys, left, y)
            self.words.put(target, say, place + 9, y + 4.5, 11, palette.IVORY)
            left += width + 30

    def _veil(self, target: pygame.Surface) -> None:
        field = self.view.field.clip(target.get_rect())
        target.blit(self.art.veil(field.size, 168), field)

    def _card(self, target: pygame.Surface, width: float, height: float) -> None:
        scale = self.view.scale
        card = self.art.panel(round(width * scale), round(height * scale))
        x, y = self.view.point(MIDDLE, 300)
        target.blit(card, (round(x) - card.get_width() // 2, round(y) - card.get_height() // 2))

    def _rule(self, target: pygame.Surface, y: float, half: float) -> None:
        scale = self.view.scale
        color: Color = palette.BRASS
        x, height = self.view.point(MIDDLE, y)
        thick = max(1, round(0.9 * scale))
        for sign in (-1, 1):
            start = x + sign * 9 * scale
            end = x + sign * half * scale
            left, right = sorted((round(start), round(end)))
            target.fill(color, (left, round(height) - thick // 2, right - left, thick))
        reach = 3.6 * scale
        corners = [(x, height - reach), (x + reach, height), (x, height + reach), (x - reach, height)]
        pygame.draw.polygon(target, color, corners)
        pygame.draw.aalines(target, color, True, corners)

    def _keys_width(self, keys: tuple[str, ...]) -> float:
        return sum(max(22.0, self.words.width(key, 9.5) + 13) for key in keys) + 4.0 * (len(keys) - 1)

    def _keys(self, target: pygame.Surface, keys: tuple[str, ...], x: float, y: float, anchor: float = 0.0) -> float:
        """Draw keys in a row with their middle at height y and return where the row ends."""
        left = x - self._keys_width(keys) * anchor
        scale = self.view.scale
        for key in keys:
            width = max(22.0, self.words.width(key, 9.5) + 13)
            cap = self.art.keycap(round(width * scale), round(21 * scale))
            place = self.view.point(left, y - 10.5)
            target.blit(cap, (round(place[0]), round(place[1])))
            self.words.put(target, key, left + width / 2, y + 3.6, 9.5, palette.IVORY, anchor=0.5)
            left += width + 4.0
        return left - 4.0
