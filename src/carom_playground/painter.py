"""The playground as pixels: the scene, words and switches beside or below it, buttons above, keys below.

In: a state and a surface of any size. Out: pixels, and where the buttons are. The same picture serves the window
and `--shot`. `layout` says where the parts lie; what does not fit into one is left out.
"""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

import pygame

from carom.draw import FINE, SAFE_STYLES, STYLES, View, fit, paint_items, smooth
from carom.draw.pair import BLACK, GREY, RED, items_of, show_gap, window_of
from carom_playground.edit import KINDS
from carom_playground.hand import handles
from carom_playground.keys import ALL, LEGEND
from carom_playground.layout import layout_of
from carom_playground.magnifier import free_place, lens_of, picture
from carom_playground.panel import draw_panel
from carom_playground.pen import FIELD, HANDLE, PAPER, RIM, SHADE, Button, Pen
from carom_playground.scene import Point2
from carom_playground.state import State


class Drawn(NamedTuple):
    """Where the parts of the playground were drawn."""

    field: pygame.Rect
    """The part that shows the scene."""
    view: View
    """How the scene lies in it."""
    buttons: tuple[Button, ...]
    """Buttons, those that lie over others last."""


class Painter:
    """Draws a state on surfaces of one size; another size makes another painter.

    Parameters
    ----------
    size : width and height of the surface in pixels.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.layout = layout_of(size)
        self.field, self.stroke = self.layout.field, self.layout.stroke
        self._fine = pygame.Surface((self.field.width * FINE, self.field.height * FINE))

    def fitting(self, state: State) -> View:
        """Return the view that shows the whole scene."""
        return fit(window_of(state.scene, state.facts), self.field.size, self.field.center, 1.1 * self.stroke)

    def draw(self, target: pygame.Surface, state: State, view: View, mouse: Point2 | None = None) -> Drawn:
        """Draw everything, and return where its parts are."""
        self._pen = Pen(target, self.layout.letter, mouse)
        self._styles = SAFE_STYLES if state.safe else STYLES
        target.fill(PAPER)
        self._scene(target, state, view)
        if state.magnifying and not state.is_asking:
            self._magnifier(target, state, view)
        self._bar()
        self._legend(state)
        draw_panel(self._pen, state, self.layout, self._styles)
        if state.adding:
            self._kinds()
        if state.helping:
            self._all_keys(target)
        return Drawn(self.field, view, tuple(self._pen.buttons))

    def _scene(self, target: pygame.Surface, state: State, view: View) -> None:
        step = state.present_step
        drawn = None if step is None else step.items
        items = items_of(state.scene, state.facts, state.axis, drawn, plain=state.is_asking)
        self._items, fine = items, self._fine
        fine.fill(FIELD)
        left, top = self.field.topleft
        close = view._replace(
            left=(view.left - left) * FINE, top=(view.top - top) * FINE, scale=view.scale * FINE, size=view.size * FINE
        )
        paint_items(fine, items, close, self._styles)
        self._handles(state, view)
        smooth(fine, target, self.field.topleft)

    def _handles(self, state: State, view: View) -> None:
        left, top = self.field.topleft

        def near(point: Point2) -> Point2:
            return (point[0] - left) * FINE, (point[1] - top) * FINE

        radius, fine, stem = 7.0 * self.stroke * FINE, self._fine, round(self.stroke * FINE)
        for name, place in handles(state, view, self.stroke).items():
            if not self.field.inflate(self.field.width, self.field.height).collidepoint(place):
                continue
            x, y = near(place)
            if name in ("turn", "scale") and state.chosen is not None:
                pygame.draw.line(fine, GREY, near(view.place(state.chosen.position)), (x, y), stem)
            if name == "scale" or name.startswith("corner"):
                box = pygame.Rect(0, 0, round(1.8 * radius), round(1.8 * radius))
                box.center = round(x), round(y)
                pygame.draw.rect(fine, PAPER, box)
                pygame.draw.rect(fine, HANDLE, box, round(2.2 * self.stroke * FINE))
            else:
                pygame.draw.circle(fine, PAPER, (x, y), radius)
                pygame.draw.circle(fine, HANDLE, (x, y), radius, round(2.2 * self.stroke * FINE))

    def _magnifier(self, target: pygame.Surface, state: State, view: View) -> None:
        """Draw a magnified part of the scene in the corner that is farthest from it, if there is a gap to magnify."""
        why = state.facts.why
        lens = None if why is None else lens_of(why, view.scale)
        if why is None or lens is None:
            return
        pen, u = self._pen, self.layout.letter
        radius = round(min(84 * u, 0.26 * self.field.width, 0.30 * self.field.height))
        x, y = view.place(lens.middle)
        below_it = round(36 * u)
        room = self.field.inflate(-2 * radius - round(12 * u), -2 * radius - round(12 * u))
        room.height = max(1, room.height - below_it)
        middle = free_place(room, (x, y), radius, below_it, state.scene.shapes, self._items, view)
        length = hypot(middle[0] - x, middle[1] - y) or 1.0
        spot = 7 * u
        start = x + (middle[0] - x) / length * spot, y + (middle[1] - y) / length * spot
        target.set_clip(self.field)
        pygame.draw.aaline(target, GREY, start, middle)
        pygame.draw.aacircle(target, GREY, (x, y), spot, 2)
        target.blit(picture(why.a, why.b, lens, view.scale, radius), (middle[0] - radius, middle[1] - radius))
        pygame.draw.aacircle(target, GREY, middle, radius, max(2, round(2.5 * u)))
        below = middle[1] + radius
        for k, words in enumerate(
            (f"{show_gap(why.separation, 3)}", f"{lens.factor:,.0f} times larger".replace(",", " "))
        ):
            wide = pen.width(words, 14)
            at = min(max(middle[0] - wide / 2.0, self.field.left + 4), self.field.right - wide - 4)
            pen.write(words, (at, below + (11 + 17 * k) * u), 14, BLACK if k == 0 else GREY)
        target.set_clip(None)

    def _bar(self) -> None:
        pen, bar, u = self._pen, self.layout.bar, self.layout.letter
        pygame.draw.rect(pen.target, SHADE, bar)
        x, middle, right = 12.0 * u, bar.centery, bar.right - 10 * u
        for words, action, value in (("keys", "keys", ""), (">", "scene", "1"), ("<", "scene", "-1")):
            right -= pen.button_width(words)
            pen.button(words, (right, middle), action, value)
            right -= 6 * u
        right -= pen.width("scene", 15) + 4 * u
        pen.write("scene", (right, middle), 15, GREY)
        wide = pen.width("Add", 15) + 10 * u + sum(pen.button_width(kind) + 5 * u for kind in KINDS)
        if x + wide > right:
            pen.button("add a shape", (x, middle), "kinds", "")
            return
        x += pen.write("Add", (x, middle), 15, GREY) + 10 * u
        for kind in KINDS:
            x += pen.button(kind, (x, middle), "add", kind) + 5 * u

    def _legend(self, state: State) -> None:
        pen, foot, u = self._pen, self.layout.foot, self.layout.letter
        pygame.draw.rect(pen.target, SHADE, foot)
        row = 24.0 * u
        rows = max(1, int(foot.height / row))
        x, y = 12.0 * u, foot.top + (foot.height - (rows - 1) * row) / 2.0
        if state.message:
            place = pygame.Rect(round(x), foot.top, foot.width - round(24 * u), foot.height)
            pen.paragraph(state.message, place, foot.top + 3 * u, 14, RED)
            return
        last, done = LEGEND[-1], 0
        room = foot.right - 10 * u
        ends = [pen.width(keys, 14, bold=True) + pen.width(does, 14) + 6 * u for keys, does in LEGEND]
        for (keys, does), wide in zip(LEGEND, ends, strict=True):
            reserved = ends[-1] + 18 * u if done == rows - 1 and (keys, does) != last else 0.0
            if x + wide + reserved > room and done == rows - 1 and (keys, does) != last:
                continue
            if x + wide > room and done < rows - 1:
                x, y, done = 12.0 * u, y + row, done + 1
            x += pen.write(keys, (x, y), 14, BLACK, bold=True) + 6 * u
            x += pen.write(does, (x, y), 14, GREY) + 18 * u

    def _kinds(self) -> None:
        """List the kinds of shapes that can be added, each with its key."""
        pen, u = self._pen, self.layout.letter
        words = [f"{number}  {kind}" for number, kind in enumerate(KINDS, 1)]
        wide, row = max(map(pen.button_width, words)), 33 * u
        columns = 1 if row * len(words) + 20 * u < self.field.height else 2
        rows = -(-len(words) // columns)
        box = pygame.Rect(0, 0, round((wide + 8 * u) * columns + 12 * u), round(row * rows + 14 * u))
        box.topleft = self.field.left + round(8 * u), self.field.top + round(6 * u)
        pygame.draw.rect(pen.target, SHADE, box, border_radius=round(6 * u))
        pygame.draw.rect(pen.target, RIM, box, 1, border_radius=round(6 * u))
        for k, (text, kind) in enumerate(zip(words, KINDS, strict=True)):
            at = box.left + 8 * u + (wide + 8 * u) * (k // rows), box.top + 7 * u + row * (k % rows + 0.5)
            pen.button(text, at, "add", kind)

    def _all_keys(self, target: pygame.Surface) -> None:
        """List all keys over the whole window; a click anywhere closes the list."""
        pen, (wide, high) = self._pen, self.size
        veil = pygame.Surface(self.size, pygame.SRCALPHA)
        veil.fill((255, 255, 255, 252))
        target.blit(veil, (0, 0))
        columns = 2 if wide < 1000 or high < 420 else 1
        rows = -(-len(ALL) // columns)
        parts = [ALL[k * rows : (k + 1) * rows] for k in range(columns)]
        step = min(30.0 * pen.letter, (high - 12.0) / (rows + 1.0))
        for size in (16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0):
            widths = [
                (
                    max(pen.width(keys, size, bold=True) for keys, _ in part) + 16 * pen.letter,
                    max(pen.width(does, size) for _, does in part) + 16 * pen.letter,
                )
                for part in parts
            ]
            across = sum(keys + does for keys, does in widths)
            if across <= wide - 12.0 and 1.25 * size * pen.letter <= step:
                break
        x, top = max(6.0, (wide - across) / 2.0), max(4.0, (high - (rows + 1) * step) / 2.0)
        pen.write("All keys; any key closes this list", (x, top + step / 2.0), size, GREY)
        for part, (keys_wide, does_wide) in zip(parts, widths, strict=True):
            for k, (keys, does) in enumerate(part):
                y = top + step * (k + 1.5)
                pen.write(keys, (x, y), size, BLACK, bold=True)
                pen.write(does, (x + keys_wide, y), size, BLACK)
            x += keys_wide + does_wide
        pen.buttons.append(Button(target.get_rect(), "keys", ""))
