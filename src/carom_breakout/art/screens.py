"""The screens over the table: the menu, the pause, a level won, the game over, and the legend of keys.

In: a target, a view, the art, and the words. Out: pixels. All places and sizes are in units of the field, so that a
message sits the same at any window size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from carom.draw import wrapped
from carom_breakout.art import palette
from carom_breakout.art.drawing import Art
from carom_breakout.art.ink import put_middle
from carom_breakout.art.lettering import LIGHT
from carom_breakout.art.rails import Words
from carom_breakout.art.view import FIELD_HEIGHT, FIELD_WIDTH, View
from carom_breakout.power_up_table import POWER_UPS
from carom_breakout.tour import STAGES, Stage

MIDDLE = FIELD_WIDTH / 2
TOUR_TOP, TOUR_ROOM = FIELD_HEIGHT, 78.0  # of the strip below the field
LEGEND = (
    (("A", "D"), "move (arrows, mouse)"),
    (("Space",), "launch (click)"),
    (("P", "Esc"), "pause"),
    (("B",), "back to the menu"),
    (("H",), "help, power-ups"),
    (("M",), "sound"),
    (("F11",), "full screen"),
    (("O",), "show the physics"),
    (("Q",), "quit"),
)
Part = tuple[tuple[str, ...], str, str]  # keys, their effect in words, the action that a click asks for


class Screens:
    """Writes the messages of one picture, and knows where in it a click asks for something.

    Parameters
    ----------
    view : where the picture lies.
    art : the drawn things at its scale.
    power_ups : whether the game has power-ups to tell of.
    """

    def __init__(self, view: View, art: Art, power_ups: bool = True) -> None:
        self.view, self.art, self.power_ups = view, art, power_ups
        self.words = Words(view)
        self.zones: list[tuple[pygame.Rect, str]] = []
        self.pointer: tuple[int, int] | None = None

    def begin(self, pointer: tuple[int, int] | None) -> None:
        """Begin another picture: no zones yet, and the mouse there, if anywhere."""
        self.zones, self.pointer = [], pointer

    def action_at(self, place: tuple[int, int]) -> str:
        """Return the action that a click on a pixel asks for; "" for none."""
        return next((action for zone, action in reversed(self.zones) if zone.collidepoint(place)), "")

    def menu(self, target: pygame.Surface, number: int, name: str, levels: int, score: int, best: list[int]) -> None:
        """Title, the level on offer, how to start, and the keys; the level itself shows in the upper half."""
        words, middle = self.words, MIDDLE
        words.put(target, "BREAKOUT", middle, 374, 44, palette.IVORY, weight=LIGHT, tracking=0.34, anchor=0.5)
        self._rule(target, 396, 150)
        bottom = 434.0
        words.put_title(target, f"{number}", name, bottom, 16, 250)
        if levels > 1:
            for key, say, action, sign in (("←", "previous", "previous", -1), ("→", "next", "next", 1)):
                self._keys(target, (key,), middle + sign * 172, bottom - 7, anchor=0.5)
                anchor = 1.0 if sign < 0 else 0.0
                self.words.put(target, say, middle + sign * 192, bottom - 2, 10, palette.SAGE, anchor=anchor)
                left = middle + sign * 172 - (84 if sign < 0 else 16)
                self._zone(target, self.view.box(left, bottom - 20, 100, 26), action)
        self._prompt(target, 466, (("Enter",), "to play", "play"), size=13, gap=10, drop=5)
        told = [f"Last score {score:,}"] if score else []
        if best:
            told.append("High scores " + " · ".join(f"{points:,}" for points in best))
        line = words.fitted("      ".join(told), 10.5, 720)
        words.put(target, line, middle, 500, 10.5, palette.BRASS, anchor=0.5)
        self.legend(target, middle, 530, 3, step=25)

    def paused(self, target: pygame.Surface, tour: bool = False) -> None:
        """The card that holds the game, with the keys and the power-ups."""
        self._card(target, (720, 436), "PAUSED", 130)
        self._keys_and_power_ups(target, 188)
        leave = (("B",), "menu", "menu")
        self._prompt(target, 486, (("P",), "go on", "resume"), leave, (("Q",), "quit", "quit"))

    def help(self, target: pygame.Surface) -> None:
        """The card with the keys and the power-ups."""
        self._card(target, (720, 436), "HELP", 130)
        self._keys_and_power_ups(target, 188)
        self._prompt(target, 486, (("H", "Esc"), "close", "close"))

    def question(self, target: pygame.Surface, title: str, says: str) -> None:
        """A question before something is given up, with both answers."""
        self._card(target, (max(470.0, self.words.width(says, 12) + 80.0), 190), title, 262, tracking=0.2)
        self.words.put(target, says, MIDDLE, 316, 12, palette.SAGE, anchor=0.5)
        self._prompt(target, 356, (("Y", "Enter"), "yes", "yes"), (("N", "Esc"), "no", "no"))

    def _keys_and_power_ups(self, target: pygame.Surface, y: float) -> None:
        """The keys on the left, the power-ups on the right: which to catch, which to avoid."""
        caps = max(self._keys_width(keys) for keys, _ in LEGEND)
        for row, (keys, say) in enumerate(LEGEND):
            height = y + 29.0 * row
            self._keys(target, keys, 70 + caps - self._keys_width(keys), height)
            self.words.put(target, say, 70 + caps + 10, height + 4, 10.5, palette.SAGE)
        if not self.power_ups:
            self.words.put(target, "No power-ups in this game", 388, y + 4, 10.5, palette.SAGE)
            return
        row = 0
        for heading, wanted in (("Catch", True), ("Let fall", False)):
            self.words.put(target, heading.upper(), 388, y + 4 + 36.0 * row, 9.5, palette.DIM, tracking=0.22)
            for kind, power_up in enumerate(POWER_UPS):
                if power_up.helps == wanted:
                    height = y + 36.0 * row
                    width, high = round(54 * self.view.scale), round(18 * self.view.scale)
                    put_middle(target, self.art.item(kind, width, high), *self.view.point(508, height))
                    self.words.put(target, power_up.title, 546, height - 1, 11, power_up.color)
                    self.words.put(target, power_up.says, 546, height + 13, 9, palette.SAGE)
                    row += 1

    def result(
        self,
        target: pygame.Surface,
        title: str,
        name: str,
        score: int,
        prompt: str,
        tracking: float = 0.34,
        lines: Sequence[tuple[str, str, bool]] = (),
        behind: Callable[[pygame.Surface], None] | None = None,
    ) -> None:
        """The card after the last brick or the last life: the level, the score and the effect of Enter.

        Parameters
        ----------
        target : the surface to draw on.
        title, name, score, prompt : the words of the card.
        tracking : room between the letters of the title.
        lines : further lines of a word and a number, the marked ones bright.
        behind : what is drawn between the veil and the card.
        """
        grown = 22.0 * len(lines) + (14.0 if lines else 0.0)
        top = 300.0 - (240.0 + grown) / 2
        self._veil(target)
        if behind is not None:
            behind(target)
        self._panel(target, (460, 240 + grown), title, top + 60, tracking)
        words = self.words
        words.put(target, words.fitted(name, 13, 380), MIDDLE, top + 114, 13, palette.SAGE, anchor=0.5)
        label = words.width("SCORE", 10, tracking=0.22)
        left = MIDDLE - (label + 12 + words.width(f"{score:,}", 20, LIGHT + 0.02)) / 2
        words.put(target, "SCORE", left, top + 152, 10, palette.SAGE, tracking=0.22)
        words.put(target, f"{score:,}", left + label + 12, top + 152, 20, palette.BRASS, weight=LIGHT + 0.02)
        for row, (say, number, bright) in enumerate(lines):
            color = palette.BRASS if bright else palette.SAGE
            height = top + 182 + 22 * row
            words.put(target, say, MIDDLE - 150, height, 11, color)
            words.put(target, number, MIDDLE + 150, height, 11, color, anchor=1.0)
        self._prompt(target, top + 198 + grown, (("Enter",), prompt, "on"))

    def hint(self, target: pygame.Surface, key: str, say: str) -> None:
        """A quiet line in the open field, while the ball waits."""
        self._prompt(target, 452, ((key,), say, ""), size=12, gap=10, drop=5, alpha=220)

    def tour(self, target: pygame.Surface, stage: Stage, lost: bool) -> None:
        """The strip below the field: the stage, what to watch for, and the keys of the tour."""
        words = self.words
        title = f"Stage {stage.number} of {len(STAGES)}: {stage.title}"
        words.put(target, title, 4, TOUR_TOP + 24, 15, palette.BRASS)
        lines = wrapped(stage.watch, 780, lambda line: words.width(line, 11))
        for row, line in enumerate(lines[:2]):
            words.put(target, line, 4, TOUR_TOP + 48 + 18 * row, 11, palette.IVORY)
        parts: list[Part] = [(("PgUp",), "before", "stage before"), (("PgDn",), "next", "stage next")]
        self._prompt(target, TOUR_TOP + 17, *parts, left=534)
        if lost:
            self._prompt(target, 452, (("N",), "for a new ball: this one is lost", "new ball"), size=12, gap=10, drop=5)

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
        *parts: Part,
        size: float = 11,
        gap: float = 9,
        drop: float = 4.5,
        alpha: int = 255,
        left: float | None = None,
    ) -> None:
        """Write one line of keys and their effects, with the middle of the keys at height y."""
        widths = [self._keys_width(keys) + gap + self.words.width(say, size) for keys, say, _ in parts]
        x = MIDDLE - (sum(widths) + 30 * (len(parts) - 1)) / 2 if left is None else left
        for (keys, say, action), width in zip(parts, widths, strict=True):
            place = self._keys(target, keys, x, y)
            self.words.put(target, say, place + gap, y + drop, size, palette.IVORY, alpha=alpha)
            if action:
                self._zone(target, self.view.box(x - 6, y - 15, width + 12, 30), action)
            x += width + 30

    def _zone(self, target: pygame.Surface, zone: pygame.Rect, action: str) -> None:
        """Take in a place to click, and frame it while the mouse is there."""
        self.zones.append((zone, action))
        if self.pointer is not None and zone.collidepoint(self.pointer):
            pygame.draw.rect(target, palette.BRASS, zone, max(1, round(self.view.scale)), round(6 * self.view.scale))

    def _card(
        self, target: pygame.Surface, size: tuple[float, float], title: str, y: float, tracking: float = 0.34
    ) -> None:
        """Veil the field and lay a card on it with a title at height y and a rule below."""
        self._veil(target)
        self._panel(target, size, title, y, tracking)

    def _veil(self, target: pygame.Surface) -> None:
        field = self.view.field.clip(target.get_rect())
        target.blit(self.art.veil(field.size, 168), field)
        self.zones.clear()  # a card lies over what could be clicked below

    def _panel(self, target: pygame.Surface, size: tuple[float, float], title: str, y: float, tracking: float) -> None:
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
