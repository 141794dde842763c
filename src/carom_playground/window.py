"""The playground's window: mouse and keys become changes of the state, and the painter shows it.

In: pygame's events. Out: pictures at the display's rate, drawn again only when something changed. Every event goes
through `handle`, so that tests can play a user without a display.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pygame

from carom import ConvexShape, Vec
from carom.draw import View
from carom_playground.edit import KINDS
from carom_playground.hand import GROWTH, NOTCH, dragged, grasp, nearer, place_for_new
from carom_playground.painter import Drawn, Painter
from carom_playground.scene import LAYER_KEYS, Point2, Scene, SceneError, read_scene
from carom_playground.state import State

ZOOM = 1e-3, 1e9  # how much farther or nearer than the view that fits
SAVED = "scene.json"
ARROWS = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, 1), pygame.K_DOWN: (0, -1)}
NUMBERS = {pygame.K_1 + k: k for k in range(len(KINDS))} | {pygame.K_KP_1 + k: k for k in range(len(KINDS))}
MODIFIERS = {
    pygame.K_LSHIFT,
    pygame.K_RSHIFT,
    pygame.K_LCTRL,
    pygame.K_RCTRL,
    pygame.K_LALT,
    pygame.K_RALT,
    pygame.K_LMETA,
    pygame.K_RMETA,
}
LAYER_OF = {ord(key.lower()): name for name, key in LAYER_KEYS.items()}  # pygame's codes are those of ASCII


class Window:
    """A playground that takes events and draws itself.

    Parameters
    ----------
    scene : the one shown first.
    file : where it is saved.
    """

    def __init__(self, scene: Scene, file: Path | None = None) -> None:
        self.state = State(scene)
        self.file = file
        self._saved = scene
        self._warned = False
        self.open = True
        self.copied = ""
        self._view: View | None = None
        self._fits = False  # whether the view is the one that shows all: a layer that is switched on is then seen whole
        self._painter: Painter | None = None
        self._drawn: Drawn | None = None
        self._mouse: Point2 = (-1.0, -1.0)
        self._held = ""  # the thing that the mouse holds: "shape", "pan", or the name of a handle
        self._from: Point2 = (0.0, 0.0)
        self._original: ConvexShape | None = None

    @property
    def _has_changes(self) -> bool:
        """Whether shapes differ from those that were opened or saved."""
        return self.state.scene.shapes != self._saved.shapes

    def draw(self, target: pygame.Surface) -> None:
        """Draw the playground as it is now, in the size of the target."""
        if self._painter is None or self._painter.size != target.get_size():
            self._painter, self._view = Painter(target.get_size()), None
        if self._view is None:
            self._view, self._fits = self._painter.fitting(self.state), True
        self._drawn = self._painter.draw(target, self.state, self._view, self._mouse)

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event."""
        if event.type == pygame.QUIT:
            self._close()
        elif event.type == pygame.KEYDOWN:
            self._key(event.key, getattr(event, "mod", 0))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._press(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._held = ""
            self.state.end()
        elif event.type == pygame.MOUSEMOTION:
            self._mouse = event.pos
            self._drag(event.pos)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y)
        elif event.type == pygame.DROPFILE:
            self.load(Path(event.file))

    def load(self, file: Path) -> None:
        """Show the scene of a file; one that cannot be read changes nothing, and a message says why."""
        try:
            self.state.show(read_scene(file))
        except SceneError as refusal:
            self.state.message = str(refusal)
        else:
            self.file, self._view, self._saved = file, None, self.state.scene
            self.state.message = f"{file.name} is open; saving writes to it"

    def save(self) -> None:
        """Write the scene into its file, or into a new one in the current folder if it came from none."""
        file = self.file or _unused(Path(SAVED))
        try:
            file.write_text(self.state.scene.to_json(), encoding="utf-8")
        except OSError as error:
            self.state.message = f"{file} cannot be written: {error.strerror}"
        else:
            self.file, self._saved = file, self.state.scene
            self.state.message = f"Saved as {file}"

    def copy(self) -> None:
        """Put the Python code of the pair on the clipboard, where there is one."""
        if self.state.facts.why is None:
            self.state.message = "There is no pair to copy"
            return
        self.copied = self.state.scene.to_python()
        try:
            pygame.scrap.put_text(self.copied)
            self.state.message = "Copied: Python code that makes and explains this pair"
        except pygame.error:
            print(self.copied, flush=True)
            self.state.message = "No clipboard here: the code stands in the terminal"

    def fit(self) -> None:
        """Show the whole scene."""
        self._view = None

    def show_next(self, by: int) -> None:
        """Show the next or the previous scene of the gallery."""
        self.state.show_next(by)
        self.file, self._view, self._saved = None, None, self.state.scene

    def _key(self, key: int, mod: int) -> None:
        state, control = self.state, bool(mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        state.message = ""
        if state.helping and key not in MODIFIERS:
            state.helping = False
            return
        if state.adding and key not in MODIFIERS:
            state.adding = False
            if key in NUMBERS:
                self._do("add", KINDS[NUMBERS[key]])
            if key in NUMBERS or key == pygame.K_ESCAPE:
                return
        self._warned = self._warned and key in (pygame.K_q, pygame.K_ESCAPE)
        if control and key in (pygame.K_z, pygame.K_y):
            forward = key == pygame.K_y or bool(mod & pygame.KMOD_SHIFT)
            if not (state.redo() if forward else state.undo()):
                state.message = "There is nothing to redo" if forward else "There is nothing to undo"
        elif control and key == pygame.K_s:
            self.save()
        elif control and key == pygame.K_c:
            self.copy()
        elif key in (pygame.K_q, pygame.K_ESCAPE):
            self._leave(key)
        elif key in ARROWS and self._view is not None:  # by a pixel, with Shift by ten
            by = (10.0 if mod & pygame.KMOD_SHIFT else 1.0) / self._view.scale
            state.move(Vec(by * ARROWS[key][0], by * ARROWS[key][1]))
        elif key in (pygame.K_r, pygame.K_s):
            self._change(key, -1.0 if mod & pygame.KMOD_SHIFT else 1.0, 0.1 if mod & pygame.KMOD_ALT else 1.0)
        elif key == pygame.K_TAB and state.scene.shapes:
            state.select(0 if state.selected is None else (state.selected + 1) % len(state.scene.shapes))
        elif key in LAYER_OF:
            self._switch(LAYER_OF[key])
        elif key in KEYS:
            KEYS[key](self)

    def _switch(self, layer: str) -> None:
        """Switch a layer, and show all of it if all of the scene was shown."""
        self.state.switch(layer)
        if self._fits:
            self._view = None

    def _change(self, key: int, sense: float, share: float) -> None:
        """Turn the selected shape, or make it grow, by a share of a wheel's notch."""
        if self.state.selected is None:
            self.state.message = "Select a shape first: click it, or press Tab"
        elif key == pygame.K_r:
            self.state.turn(sense * share * NOTCH)
        else:
            self.state.scale(GROWTH ** (sense * share))

    def _leave(self, key: int) -> None:
        """Leave the steps, then the corners, then the window."""
        if key == pygame.K_ESCAPE and (self.state.step is not None or self.state.corners):
            self.state.step, self.state.corners = None, False
        elif self._has_changes and not self._warned:
            self._warned = True
            self.state.message = "There are changes: Ctrl+S saves them; press again to leave without saving"
        else:
            self.open = False

    def _close(self) -> None:
        """Close at once, as the frame of a window does; changes that nobody has saved are left in the terminal."""
        self.open = False
        if self._has_changes:
            print("The scene has changes that were not saved. A file with this text opens it again, with --scene FILE:")
            print(self.state.scene.to_json(), flush=True)

    def _do(self, action: str, value: str) -> None:
        """Do the action of a button."""
        if action == "layer":
            self._switch(value)
        elif action == "step":
            self.state.go(int(value))
        elif action == "scene":
            self.show_next(int(value))
        elif action == "kinds":
            self.state.flip("adding")
        elif action == "keys":
            self.state.flip("helping")
        elif action == "add" and self._drawn is not None:
            field, view = self._drawn.field, self._drawn.view
            place, size = place_for_new(self.state, view, field.center, field.height)
            self.state.adding = False
            self.state.add(value, place, size)

    def _press(self, at: Point2) -> None:
        """Take hold of the thing under the mouse: a button, a handle, a shape, or the field itself."""
        self._mouse = at
        if self._drawn is None or self._painter is None:
            return
        self.state.message = ""
        for button in reversed(self._drawn.buttons):  # the last one lies on top
            if button.area.collidepoint(at):
                self._do(button.action, button.value)
                return
        self.state.adding = False
        if not self._drawn.field.collidepoint(at):
            return
        self.state.begin()
        self._from, self._held = at, grasp(self.state, self._drawn.view, at, self._painter.stroke)
        self._original = self.state.chosen

    def _drag(self, at: Point2) -> None:
        """Move the held thing with the mouse; a shape always from its first place, so that it rounds once."""
        if not self._held or self._drawn is None:
            return
        view, state = self._drawn.view, self.state
        if self._held == "pan":
            self._view = view._replace(left=view.left + at[0] - self._from[0], top=view.top + at[1] - self._from[1])
            self._drawn = self._drawn._replace(view=self._view)
            self._from, self._fits = at, False
        elif self._held == "motion":
            state.aim(Vec(*view.world(at)) - state.scene.a.position)
        elif self._original is not None:
            held, shape = self._held, self._original
            start, end = Vec(*view.world(self._from)), Vec(*view.world(at))
            state.edit(lambda _: dragged(held, shape, start, end))

    def _wheel(self, notches: float) -> None:
        """Turn the selected shape, with Shift scale it, with Ctrl come nearer."""
        mod = pygame.key.get_mods() if pygame.display.get_init() else 0
        if mod & (pygame.KMOD_CTRL | pygame.KMOD_META) or self.state.selected is None:
            self.zoom(1.12**notches)
        elif mod & pygame.KMOD_SHIFT:
            self.state.scale(GROWTH**notches)
        else:
            self.state.turn(notches * NOTCH * (0.1 if mod & pygame.KMOD_ALT else 1.0))

    def zoom(self, factor: float) -> None:
        """Come nearer, or go farther away, about the mouse or the middle of the field."""
        if self._drawn is None or self._painter is None:
            return
        view, field = self._drawn.view, self._drawn.field
        least, most = (factor * self._painter.fitting(self.state).scale for factor in ZOOM)
        factor = min(max(view.scale * factor, least), most) / view.scale
        at = self._mouse if field.collidepoint(self._mouse) else field.center
        self._fits = False
        self._view = nearer(view, at, factor)
        self._drawn = self._drawn._replace(view=self._view)

    def run(self, seconds: float = math.inf) -> None:
        """Show the playground until it is closed, or for so many seconds."""
        rate = max(60, pygame.display.get_current_refresh_rate())
        clock = pygame.time.Clock()
        passed, stale = 0.0, True
        while self.open and passed < seconds:
            for event in pygame.event.get():
                self.handle(event)
                stale = True
            target = pygame.display.get_surface()
            if target is None:
                return
            if stale:
                self.draw(target)
                pygame.display.flip()
                stale = False
            passed += clock.tick(rate) / 1000.0


KEYS: dict[int, Callable[[Window], object]] = {
    **dict.fromkeys((pygame.K_DELETE, pygame.K_BACKSPACE), lambda window: window.state.delete()),
    pygame.K_n: lambda window: window.state.go(1),
    pygame.K_p: lambda window: window.state.go(-1),
    pygame.K_LEFTBRACKET: lambda window: window.state.next_axis(-1),
    pygame.K_RIGHTBRACKET: lambda window: window.state.next_axis(1),
    pygame.K_a: lambda window: window.state.flip("adding"),
    **dict.fromkeys((pygame.K_h, pygame.K_F1), lambda window: window.state.flip("helping")),
    pygame.K_m: lambda window: window.state.flip("magnifying"),
    pygame.K_x: lambda window: window.state.exchange(),
    pygame.K_e: lambda window: window.state.flip("corners"),
    pygame.K_t: lambda window: window.state.flip("counting"),
    pygame.K_b: lambda window: window.state.flip("safe"),
    pygame.K_PAGEUP: lambda window: window.show_next(-1),
    pygame.K_PAGEDOWN: lambda window: window.show_next(1),
    pygame.K_f: Window.fit,
    **dict.fromkeys((pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS), lambda window: window.zoom(1.25)),
    **dict.fromkeys((pygame.K_MINUS, pygame.K_KP_MINUS), lambda window: window.zoom(0.8)),
}
"""Actions of the keys without Ctrl, besides the arrows, Tab and those of the layers."""


def _unused(file: Path) -> Path:
    """Return this file's name, or the first of its kind that is not taken: scene.json, scene-2.json, ..."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_stem(f"{file.stem}-{number}")
    return free
