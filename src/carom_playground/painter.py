"""The playground as pixels: the scene to the left, words and switches to the right, keys below.

In: a state and a surface of any size. Out: pixels, and where the buttons are. The same picture serves the window
and `--shot`. All sizes are shares of the surface's, so it is read as well on a projector as on a laptop.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

from carom.canvas.drawing import BLACK, GREY, RED, SAFE_STYLES, STYLES, Drawing
from carom.canvas.geometry import View, fit
from carom.canvas.surface import FINE, font, paint_items, smooth, wrapped, written
from carom.draw.pair.explained import ROWS, strips, without_title
from carom.draw.pair.layers import items_of, minkowski, window_of
from carom.explain.words import sentence_of
from carom.vector import Point2
from carom_playground.edit import KINDS, corners
from carom_playground.scene import LAYER_KEYS, LAYERS
from carom_playground.state import State
from carom_playground.story import DIGITS, layer_lines, tally_lines

PAPER, SHADE, FIELD = "#FFFFFF", "#EDEBE6", "#FBFAF7"
HANDLE = "#0072B2"
LEGEND = (
    ("drag, arrows", "move"),
    ("wheel", "turn"),
    ("Shift+wheel", "scale"),
    ("E", "corners"),
    ("Del", "delete"),
    ("Ctrl+Z / Y", "undo, redo"),
    ("N / P", "step through the test"),
    ("[ ]", "axis"),
    ("T", "count tests"),
    ("F, Ctrl+wheel", "fit, zoom"),
    ("Tab", "select"),
    ("Page Up / Down", "scenes"),
    ("Ctrl+C", "copy as Python"),
    ("Ctrl+S", "save"),
    ("B", "colours"),
    ("Esc", "back, leave"),
)


class Button(NamedTuple):
    """A place that can be clicked, and the action that it stands for."""

    area: pygame.Rect
    action: str
    value: str


class Drawn(NamedTuple):
    """Where the parts of the playground were drawn."""

    field: pygame.Rect
    """The part that shows the scene."""
    view: View
    """How the scene lies in it."""
    buttons: tuple[Button, ...]


class Painter:
    """Draws a state on surfaces of one size; another size makes another painter.

    Parameters
    ----------
    size : width and height of the surface in pixels.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        wide, high = size
        self.unit = min(wide / 1280.0, high / 800.0)
        self.panel = pygame.Rect(round(wide - 440 * self.unit), 0, round(440 * self.unit), high)
        bar, foot = round(44 * self.unit), round(86 * self.unit)
        self.bar = pygame.Rect(0, 0, self.panel.left, bar)
        self.foot = pygame.Rect(0, high - foot, self.panel.left, foot)
        self.field = pygame.Rect(0, bar, self.panel.left, high - bar - foot)
        self._fine = pygame.Surface((self.field.width * FINE, self.field.height * FINE))

    def fitting(self, state: State) -> View:
        """Return the view that shows the whole scene."""
        return fit(window_of(state.scene, state.facts), self.field.size, self.field.center, 1.15 * self.unit)

    def draw(self, target: pygame.Surface, state: State, view: View, mouse: Point2 | None = None) -> Drawn:
        """Draw everything, and return where its parts are."""
        self._buttons: list[Button] = []
        self._target, self._mouse = target, mouse
        self._styles = SAFE_STYLES if state.safe else STYLES
        target.fill(PAPER)
        self._scene(state, view)
        self._bar()
        self._legend(state)
        self._panel(state)
        return Drawn(self.field, view, tuple(self._buttons))

    def handles(self, state: State, view: View) -> dict[str, Point2]:
        """Return the pixels of the handles: of the selected shape "turn", "scale" or its corners, and "motion"."""
        found: dict[str, Point2] = {}
        shape = state.chosen
        if shape is not None and state.corners:
            found |= {f"corner {k}": view.place(corner) for k, corner in enumerate(corners(shape))}
        elif shape is not None and state.step is None:
            x, y = view.place(shape.position)
            found["turn"] = (x, y - 46 * self.unit)
            found["scale"] = (x + 46 * self.unit, y)
        if "motion" in state.scene.layers and state.scene.pair is not None:
            found["motion"] = view.place(state.scene.a.position + state.scene.motion)
        return found

    def _scene(self, state: State, view: View) -> None:
        step = state.present_step
        drawn = None if step is None else step.items
        items = items_of(state.scene, state.facts, state.axis, drawn, plain=state.is_asking)
        fine = self._fine
        fine.fill(FIELD)
        left, top = self.field.topleft
        close = view._replace(
            left=(view.left - left) * FINE, top=(view.top - top) * FINE, scale=view.scale * FINE, size=view.size * FINE
        )
        paint_items(fine, items, close, self._styles)
        self._handles(state, view)
        smooth(fine, self._target, self.field.topleft)

    def _handles(self, state: State, view: View) -> None:
        left, top = self.field.topleft

        def near(point: Point2) -> Point2:
            return (point[0] - left) * FINE, (point[1] - top) * FINE

        radius, fine, stem = 7.0 * self.unit * FINE, self._fine, round(self.unit * FINE)
        for name, place in self.handles(state, view).items():
            if not self.field.inflate(self.field.width, self.field.height).collidepoint(place):
                continue
            x, y = near(place)
            if name in ("turn", "scale") and state.chosen is not None:
                pygame.draw.line(fine, GREY, near(view.place(state.chosen.position)), (x, y), stem)
            if name == "scale" or name.startswith("corner"):
                box = pygame.Rect(0, 0, round(1.8 * radius), round(1.8 * radius))
                box.center = round(x), round(y)
                pygame.draw.rect(fine, PAPER, box)
                pygame.draw.rect(fine, HANDLE, box, round(2.2 * self.unit * FINE))
            else:
                pygame.draw.circle(fine, PAPER, (x, y), radius)
                pygame.draw.circle(fine, HANDLE, (x, y), radius, round(2.2 * self.unit * FINE))

    def _bar(self) -> None:
        pygame.draw.rect(self._target, SHADE, self.bar)
        x, middle = 14.0 * self.unit, self.bar.centery
        x += self._write("Add", (x, middle), 15, GREY) + 10 * self.unit
        for kind in KINDS:
            x += self._button(kind, (x, middle), "add", kind) + 6 * self.unit
        right = self.bar.right - 14 * self.unit
        for name, value in (("next scene", "1"), ("previous", "-1")):
            wide = self._width(name, 15) + 18 * self.unit
            right -= wide
            self._button(name, (right, middle), "scene", value)
            right -= 6 * self.unit

    def _legend(self, state: State) -> None:
        pygame.draw.rect(self._target, SHADE, self.foot)
        x, y = 14.0 * self.unit, self.foot.top + 19.0 * self.unit
        if state.message:
            self._write(state.message, (x, y), 16, RED)
            return
        for keys, does in LEGEND:
            wide = self._width(keys, 14) + self._width(does, 14) + 6 * self.unit
            if x + wide > self.foot.right - 10 * self.unit:
                x, y = 14.0 * self.unit, y + 24.0 * self.unit
            x += self._write(keys, (x, y), 14, BLACK) + 6 * self.unit
            x += self._write(does, (x, y), 14, GREY) + 18 * self.unit

    def _panel(self, state: State) -> None:
        pygame.draw.rect(self._target, PAPER, self.panel)
        pygame.draw.line(self._target, "#CFCBC2", self.panel.topleft, self.panel.bottomleft)
        scene, facts, u = state.scene, state.facts, self.unit
        switches = self._switches(state)
        y = 26.0 * u
        y = self._paragraph(scene.title, y, 22, BLACK)
        y = self._paragraph(scene.words, y + 2 * u, 16, GREY) + 8 * u
        why = facts.why
        if why is not None and not state.is_asking:
            y = self._verdict(why.verdict, sentence_of(why.closest, DIGITS), y) + 10 * u
        elif why is None:
            alone = "Add a second shape to compare two." if scene.shapes else "Add a shape with the buttons above."
            y = self._paragraph(alone, y, 16, GREY)
        if state.present_step is not None:
            y = self._step(state, y)
        else:
            for line in layer_lines(scene, facts, state.shown_axis):
                y = self._paragraph(line, y, 15, BLACK) + 3 * u
        if state.counting:
            for k, line in enumerate(tally_lines(scene)):
                y = self._paragraph(line, y + (4 * u if k == 0 else 0), 15, BLACK if k == 0 else GREY)
        pictures = []
        told = why is not None and (not state.is_asking or state.tests_axes)
        if why is not None and told and "axes" in scene.layers:
            rows, tallest = (ROWS, 13.0) if "minkowski" not in scene.layers and not state.counting else (5, 10.0)
            pictures.append(without_title(strips(why, rows, state.shown_axis, tallest)))
        if why is not None and told and "minkowski" in scene.layers:
            pictures.append(minkowski(why))
        for number, picture in enumerate(pictures):
            room = (switches - y - 8 * u) / (len(pictures) - number)
            low_x, low_y, high_x, high_y = picture.window
            high = min(room - 6 * u, (self.panel.width - 24 * u) * (high_y - low_y) / (high_x - low_x))
            if high > 80 * u:
                self._picture(picture, y + 4 * u, high)
                y += high + 6 * u

    def _verdict(self, verdict: str, sentence: str, y: float) -> float:
        u, color = self.unit, self._styles["apart" if verdict == "apart" else "meets"].fill
        lines = wrapped(sentence, self.panel.width - 56 * u, lambda line: self._width(line, 16))
        high = (22 * len(lines) + 14) * u
        band = pygame.Rect(self.panel.left + round(16 * u), round(y), self.panel.width - round(32 * u), round(high))
        pygame.draw.rect(self._target, pygame.Color(color).lerp("white", 0.72), band, border_radius=round(6 * u))
        pygame.draw.rect(self._target, color, (*band.topleft, round(6 * u), band.height))
        for k, line in enumerate(lines):
            self._write(line, (band.left + 16 * u, y + (18 + 22 * k) * u), 16, BLACK)
        return y + high

    def _step(self, state: State, y: float) -> float:
        step, u = state.present_step, self.unit
        assert step is not None and state.step is not None
        count = len(state.steps)
        x = self.panel.left + 16 * u
        wide = self._button("back", (x, y + 12 * u), "step", "-1")
        wide += self._button("next", (x + wide + 6 * u, y + 12 * u), "step", "1") + 6 * u
        self._write(f"step {min(state.step, count - 1) + 1} of {count}", (x + wide + 12 * u, y + 12 * u), 15, GREY)
        y = self._paragraph(step.heading, y + 40 * u, 19, BLACK)
        y = self._paragraph(step.test, y + 3 * u, 16, BLACK)
        return self._paragraph(step.text, y + 3 * u, 16, GREY) + 8 * u

    def _switches(self, state: State) -> float:
        """Draw the layers with their keys at the foot of the panel; return where they begin."""
        u = self.unit
        rows = (len(LAYERS) + 1) // 2
        top = self.panel.bottom - (rows * 27 + 20) * u
        pygame.draw.rect(self._target, SHADE, (self.panel.left, round(top), self.panel.width, self.panel.height))
        for k, (name, title) in enumerate(LAYERS.items()):
            x = self.panel.left + (16 + 212 * (k // rows)) * u
            y = top + (23 + 27 * (k % rows)) * u
            box = pygame.Rect(round(x), round(y - 8 * u), round(16 * u), round(16 * u))
            pygame.draw.rect(self._target, PAPER, box)
            pygame.draw.rect(self._target, GREY, box, max(1, round(1.5 * u)))
            if name in state.scene.layers:
                pygame.draw.rect(self._target, HANDLE, box.inflate(-round(6 * u), -round(6 * u)))
            self._write(LAYER_KEYS[name], (x + 24 * u, y), 14, GREY)
            self._write(title, (x + 40 * u, y), 15, BLACK)
            area = pygame.Rect(round(x), round(y - 13 * u), round(206 * u), round(27 * u))
            self._buttons.append(Button(area, "layer", name))
        return top

    def _picture(self, picture: Drawing, y: float, high: float) -> None:
        area = pygame.Rect(0, 0, (self.panel.width - round(24 * self.unit)) * FINE, round(high) * FINE)
        fine = pygame.Surface(area.size)
        fine.fill(PAPER)
        window = picture.window
        view = fit(window, area.size, area.center)
        view = view._replace(size=view.scale * (window.max_x - window.min_x) / 560.0)
        paint_items(fine, picture.items, view, self._styles)
        smooth(fine, self._target, (self.panel.left + round(12 * self.unit), round(y)))

    def _button(self, words: str, at: Point2, action: str, value: str) -> float:
        """Draw a button with its left middle at a place; return its width."""
        wide = self._width(words, 15) + 18 * self.unit
        area = pygame.Rect(round(at[0]), round(at[1] - 14 * self.unit), round(wide), round(28 * self.unit))
        over = self._mouse is not None and area.collidepoint(self._mouse)
        pygame.draw.rect(self._target, "#DCEBF5" if over else PAPER, area, border_radius=round(5 * self.unit))
        pygame.draw.rect(self._target, "#B9B5AB", area, 1, border_radius=round(5 * self.unit))
        self._write(words, (at[0] + 9 * self.unit, at[1]), 15, BLACK)
        self._buttons.append(Button(area, action, value))
        return wide

    def _write(self, words: str, at: Point2, size: float, color: str) -> float:
        """Write a line with its left middle at a place; return its width."""
        line = written(words, size * self.unit, color)
        self._target.blit(line, (round(at[0]), round(at[1] - line.get_height() / 2.0)))
        return float(line.get_width())

    def _width(self, words: str, size: float) -> float:
        return float(font(max(6, round(1.25 * size * self.unit))).size(words)[0])

    def _paragraph(self, words: str, y: float, size: float, color: str) -> float:
        """Write words into the panel's width from y on; return where they end."""
        step = 1.32 * size * self.unit
        for line in wrapped(words, self.panel.width - 32 * self.unit, lambda line: self._width(line, size)):
            self._write(line, (self.panel.left + 16 * self.unit, y + step / 2.0), size, color)
            y += step
        return y
