"""The window: reads keys and mouse, plays ticks of 1/60 s, and draws between them at any rate.

In: a `Session` (the game), and a source of inputs: hands, autoplay or a replay. Out: pictures and sound, or, without a
display, a last picture, a film and a summary. Inputs are sampled for each tick, so the game that is played does not
depend on how often it is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pygame

from carom.draw import open_display, quiet_stderr
from carom_breakout import state
from carom_breakout.app.show import Show
from carom_breakout.app.sound import Sounds
from carom_breakout.art.board import Board
from carom_breakout.art.drawing import Art, icon
from carom_breakout.art.palette import INK
from carom_breakout.art.screens import Screens
from carom_breakout.art.snapshot import Snapshot
from carom_breakout.art.view import View, fit
from carom_breakout.session import Press, Session, Source

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
}
NOTE_TIME = 2.0
SHAPE = (800, 600)
PICTURE_SIZE = (1600, 1200)
FILM_SIZES = {".gif": (560, 420), ".mp4": (960, 720)}
SCALES = (0.8, 1.0, 1.2, 1.4, 1.6, 2.0, 2.5, 3.0)


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


class Window(Show):
    """One game in a window.

    Parameters
    ----------
    session : the game.
    source : who plays; None for the player at the keyboard.
    sounds : where sounds go, if anywhere.
    note : a short word that stays in the corner, such as the name of an automatic player.
    """

    def __init__(
        self, session: Session, source: Source | None = None, sounds: Sounds | None = None, note: str = ""
    ) -> None:
        super().__init__(session.setup.dt)
        self.session, self.sounds, self.lasting_note = session, sounds, note
        self.hands = Hands()
        self.source: Source = source or self.hands
        self.board = Board(session, sounds)
        self.over: tuple[str, int] | None = None
        self._note, self._note_age = "", NOTE_TIME
        self._size = (0, 0)
        self._view = View(0, 0, 1)
        self._screens: Screens | None = None

    @property
    def playing_self(self) -> bool:
        """Whether the player at the keyboard is the one who plays."""
        return self.source is self.hands

    @property
    def mode(self) -> int:
        """MENU, ACTIVE, WIN or PAUSED."""
        return int(self.session.now.mode)

    @property
    def takes_the_mouse(self) -> bool:
        """Whether the mouse moves the paddle now."""
        return self.playing_self and self.mode == state.ACTIVE

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""
        if event.type == pygame.QUIT:
            self.open = False
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)
        elif event.type == pygame.KEYUP:
            self.hands.key(event.key, False)
        elif event.type == pygame.MOUSEMOTION and self._size != (0, 0):
            self.hands.point(self._view.world(*event.pos)[0])
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            if self.over is not None:
                self.over = None
            else:
                self.hands.press(state.RELEASE if self.mode == state.ACTIVE else state.ENTER)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.hands.release_all()
            if self.mode == state.ACTIVE and self.playing_self:
                self.hands.press(state.PAUSE)

    def _key(self, key: int) -> None:
        if key == pygame.K_q or (key == pygame.K_ESCAPE and self.mode != state.ACTIVE):
            self.open = False
        elif key == pygame.K_m:
            if self.sounds is not None and self.sounds.available:
                self.sounds.mute()
                self.say("Sound off" if self.sounds.muted else "Sound on")
            else:
                self.say("There is no sound device" if self.sounds is not None else "Started without sound")
        elif key == pygame.K_o:
            self.board.overlay.on = not self.board.overlay.on
        elif key in (pygame.K_p, pygame.K_ESCAPE):
            self.hands.press(state.PAUSE)
        elif self.over is not None and key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.over = None
        else:
            self.hands.key(key, True)

    def say(self, note: str) -> None:
        """Show a short word in the corner for a moment."""
        self._note, self._note_age = note, 0.0

    def advance(self, seconds: float) -> None:
        """Let wall time pass: play the ticks that fall into it."""
        self._note_age += seconds
        super().advance(seconds)

    def tick(self) -> None:
        """Play one tick with the inputs of the one who plays."""
        press = self.source.next(self.session)
        if press is None:
            self.finished = True
            return
        if not self.playing_self and self.hands.next(self.session).buttons & state.PAUSE:
            self.say("A game that plays itself does not pause; Q quits")
        score, name = int(self.session.now.score), self.session.level_name
        tick = self.board.tick(press)
        if any(event.kind == state.GAME_OVER for event in tick.events):
            self.over = (name, max(score, int(self.session.now.score)))
        elif self.mode != state.MENU or press.buttons & (state.NEXT | state.PREVIOUS):
            self.over = None

    def draw(self, target: pygame.Surface) -> None:
        """Draw the game as it is now, as large as the target allows."""
        if target.get_size() != self._size or self._screens is None:
            self._size = target.get_size()
            self._view = fit(self._size)[0]
            art = Art(self._view.scale)
            self.board.place(self._view, art)
            self._screens = Screens(self._view, art)
            target.fill(INK)
        in_menu, lost = self.mode == state.MENU, self.over is not None
        snapshot = self.board.draw(target, self.share, bare=in_menu and not lost, lost=in_menu and lost)
        self._message(target, self._screens, snapshot)

    def _message(self, target: pygame.Surface, screens: Screens, snapshot: Snapshot) -> None:
        """Write the message of this state."""
        if snapshot.mode == state.MENU and self.over is not None:
            screens.result(target, "GAME OVER", *self.over, "to the menu", tracking=0.3)
        elif snapshot.mode == state.MENU:
            screens.menu(
                target, snapshot.level + 1, snapshot.level_name, len(self.session.setup.levels), snapshot.score
            )
        elif snapshot.mode == state.PAUSED:
            screens.paused(target)
        elif snapshot.mode == state.WIN:
            screens.result(target, "CLEARED", snapshot.level_name, snapshot.score, self.session.after_win)
        elif snapshot.stuck and self.playing_self:
            screens.hint(target, "Space", "to launch")
        if self._note_age < NOTE_TIME:
            screens.note(target, self._note, round(255 * min(1.0, (NOTE_TIME - self._note_age) / 0.5)))
        elif self.finished or self.lasting_note:
            screens.note(target, "End of the replay" if self.finished else self.lasting_note)

    def run_without_window(self, seconds: float, shot: Path | None, film: Path | None) -> list[str]:
        """Play to the end, or for so many seconds of the game, as fast as can be; return the lines of a summary.

        Parameters
        ----------
        seconds : length of play at most.
        shot : where the last picture goes, if anywhere.
        film : where a film of the whole goes, if anywhere.
        """
        ticks = max(1, round(seconds / self.dt))
        broken = 0

        def play() -> Iterator[float]:
            nonlocal broken
            for tick in range(ticks):
                self.advance(self.dt)
                broken += sum(
                    event.kind == state.BRICK_HIT for event in (self.session.last.events if self.session.last else ())
                )
                if self.finished:
                    return
                yield tick * self.dt

        film_size = FILM_SIZES[film.suffix.lower()] if film is not None else (0, 0)
        self.record(play(), ticks, "Playing", (shot, PICTURE_SIZE), (film, film_size))
        session, now = self.session, self.session.now
        return [
            f"Played {int(now.tick) * self.dt:.1f} s of Breakout ({int(now.tick)} ticks), seed {session.setup.seed}",
            f"  score {int(now.score)}, lives {int(now.lives)}, bricks broken {broken}, "
            f"level {int(now.level) + 1} ({session.level_name}), {int(now.remaining)} bricks left in it",
            f"  state {session.digest()}",
        ]


def open_window(scale: float = 0.0, shape: tuple[int, int] = SHAPE) -> pygame.Surface | None:
    """Open the window and return its surface, or None where there is no display to open it on.

    Parameters
    ----------
    scale : how much larger than its shape the window is to be; 0 takes a size that fits the desktop well.
    shape : width and height in pixels at scale 1.
    """
    if not open_display():
        return None
    with quiet_stderr():
        try:
            return set_window(scale, shape)
        except pygame.error:
            return None


def set_window(scale: float = 0.0, shape: tuple[int, int] = SHAPE) -> pygame.Surface:
    """Make the window on the display that is open."""
    pygame.display.set_caption("Breakout – Carom")
    width, height = shape
    if scale <= 0:
        desktop = pygame.display.get_desktop_sizes()[0]
        fits = min(desktop[0] * 0.92 / width, desktop[1] * 0.85 / height)
        scale = max((s for s in SCALES if s <= fits), default=fits)
    pygame.display.set_icon(icon())
    surface = pygame.display.set_mode((round(width * scale), round(height * scale)), pygame.RESIZABLE)
    surface.fill(INK)
    return surface
