"""The screens over the table: the menu, the pause, a level won, the game over, and the legend of keys.

In: a target, a view, the art, and the words. Out: pixels. All places and sizes are in units of the field, so that a
message sits the same at any window size.
"""

from __future__ import annotations

import pygame

from carom_breakout.art import palette
from carom_breakout.art.drawing import Art
from carom_breakout.art.ink import put_middle
from carom_breakout.art.lettering import LIGHT
from carom_breakout.art.rails import Words
from carom_breakout.art.view import FIELD_WIDTH, View

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
        words.put_title(target, f"{number}", name, bottom, 16, 250)
        if levels > 1:
            self._keys(target, ("S",), middle - 172, bottom - 7, anchor=0.5)
            words.put(target, "previous", middle - 192, bottom - 2, 10, palette.SAGE, anchor=1.0)
            self._keys(target, ("W",), middle + 172, bottom - 7, anchor=0.5)
            words.put(target, "next", middle + 192, bottom - 2, 10, palette.SAGE)
        self._prompt(target, 478, (("Enter",), "to play"), size=13, gap=10, drop=5)
        if score:
            words.put(target, f"Last score {score}", middle, 509, 10.5, palette.BRASS, anchor=0.5)
        self.legend(target, middle, 537, 3)

    def paused(self, target: pygame.Surface) -> None:
        """The card that holds the game, with the keys."""
        self._card(target, (520, 272), "PAUSED", 224)
        self.legend(target, MIDDLE, 280, 2, step=32, column=222)
        self._prompt(target, 398, (("P",), "go on"), (("Q", "Esc"), "quit"))

    def result(
        self, target: pygame.Surface, title: str, name: str, score: int, prompt: str, tracking: float = 0.34
    ) -> None:
        """The card after the last brick or the last life: the level, the score and the effect of Enter."""
        self._card(target, (460, 240), title, 240, tracking)
        words = self.words
        words.put(target, words.fitted(name, 13, 380), MIDDLE, 294, 13, palette.SAGE, anchor=0.5)
        label = words.width("SCORE", 10, tracking=0.22)
        left = MIDDLE - (label + 12 + words.width(f"{score}", 20, LIGHT + 0.02)) / 2
        words.put(target, "SCORE", left, 332, 10, palette.SAGE, tracking=0.22)
        words.put(target, f"{score}", left + label + 12, 332, 20, palette.BRASS, weight=LIGHT + 0.02)
        self._prompt(target, 378, (("Enter",), prompt))

    def hint(self, target: pygame.Surface, key: str, say: str) -> None:
        """A quiet line in the open field, while the ball waits."""
        self._prompt(target, 452, ((key,), say), size=12, gap=10, drop=5, alpha=220)

    def note(self, target: pygame.Surface, say: str, alpha: int = 255) -> None:
        """A short word in the lower left corner of the field: sound off, overlay on, a replay running."""
        self.words.put(target, say, 14, 588, 9.5, palette.SAGE, alpha=alpha)

    def legend(
        self, target: pygame.Surface, x: float, y: float, columns: int, step: float = 28.0, column: float = 238.0
    ) -> None:
        """The keys and their effects, in two or more columns around x."""
        rows = -(-len(LEGEND) // columns)
        caps = [max(self._keys_width(LEGEND[c * rows + r][0]) for r in range(rows)) for c in range(columns)]
        says = [max(self.words.width(LEGEND[c * rows + r][1], 10) for r in range(rows)) for c in range(columns)]
        gap = (column * columns - sum(caps) - sum(says) - 9 * columns) / (columns - 1)
        left = x - column * columns / 2
        for number in range(columns):
            for row in range(rows):
                keys, say = LEGEND[number * rows + row]
                height = y + step * row
                self._keys(target, keys, left + caps[number] - self._keys_width(keys), height)
                self.words.put(target, say, left + caps[number] + 9, height + 4, 10, palette.SAGE)
            left += caps[number] + 9 + says[number] + gap

    def _prompt(
        self,
        target: pygame.Surface,
        y: float,
        *parts: tuple[tuple[str, ...], str],
        size: float = 11,
        gap: float = 9,
        drop: float = 4.5,
        alpha: int = 255,
    ) -> None:
        """Write one line of keys and their effects, with the middle of the keys at height y."""
        widths = [self._keys_width(keys) + gap + self.words.width(say, size) for keys, say in parts]
        left = MIDDLE - (sum(widths) + 30 * (len(parts) - 1)) / 2
        for (keys, say), width in zip(parts, widths, strict=True):
            place = self._keys(target, keys, left, y)
            self.words.put(target, say, place + gap, y + drop, size, palette.IVORY, alpha=alpha)
            left += width + 30

    def _card(
        self, target: pygame.Surface, size: tuple[float, float], title: str, y: float, tracking: float = 0.34
    ) -> None:
        """Veil the field and lay a card on it with a title at height y and a rule below."""
        field = self.view.field.clip(target.get_rect())
        target.blit(self.art.veil(field.size, 168), field)
        width, height = (round(side * self.view.scale) for side in size)
        put_middle(target, self.art.panel(width, height), *self.view.point(MIDDLE, 300))
        self.words.put(target, title, MIDDLE, y, 28, palette.IVORY, weight=LIGHT, tracking=tracking, anchor=0.5)
        self._rule(target, y + 20, 120)

    def _rule(self, target: pygame.Surface, y: float, half: float) -> None:
        scale = self.view.scale
        x, height = self.view.point(MIDDLE, y)
        thick = max(1, round(0.9 * scale))
        for sign in (-1, 1):
            start = x + sign * 9 * scale
            end = x + sign * half * scale
            left, right = sorted((round(start), round(end)))
            target.fill(palette.BRASS, (left, round(height) - thick // 2, right - left, thick))
        reach = 3.6 * scale
        corners = [(x, height - reach), (x + reach, height), (x, height + reach), (x - reach, height)]
        pygame.draw.polygon(target, palette.BRASS, corners)
        pygame.draw.aalines(target, palette.BRASS, True, corners)

    def _keys_width(self, keys: tuple[str, ...]) -> float:
        return sum(self._key_width(key) for key in keys) + 4.0 * (len(keys) - 1)

    def _key_width(self, key: str) -> float:
        return max(22.0, self.words.width(key, 9.5) + 13)

    def _keys(self, target: pygame.Surface, keys: tuple[str, ...], x: float, y: float, anchor: float = 0.0) -> float:
        """Draw keys in a row with their middle at height y and return where the row ends."""
        left = x - self._keys_width(keys) * anchor
        scale = self.view.scale
        for key in keys:
            width = self._key_width(key)
            cap = self.art.keycap(round(width * scale), round(21 * scale))
            place = self.view.point(left, y - 10.5)
            target.blit(cap, (round(place[0]), round(place[1])))
            self.words.put(target, key, left + width / 2, y + 3.6, 9.5, palette.IVORY, anchor=0.5)
            left += width + 4.0
        return left - 4.0
