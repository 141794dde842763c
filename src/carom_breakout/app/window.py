"""The window: reads keys and mouse, plays ticks of 1/60 s, and draws between them at any rate.

In: a `Session` (the game), and a source of inputs: hands, autoplay or a replay. Out: pictures and sound, or, without a
display, a last picture, a film and a summary. Inputs are sampled for each tick, so the game that is played does not
depend on how often it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame

from carom_breakout import scores, state
from carom_breakout.app.hands import Hands
from carom_breakout.app.show import Show
from carom_breakout.app.sound import Sounds
from carom_breakout.art import palette
from carom_breakout.art.board import Board
from carom_breakout.art.drawing import Art
from carom_breakout.art.palette import INK
from carom_breakout.art.particles import Particles
from carom_breakout.art.screens import TOUR_ROOM, TOUR_TOP, Screens
from carom_breakout.art.snapshot import Snapshot
from carom_breakout.art.view import FIELD_WIDTH, View, fit
from carom_breakout.session import Session, Source
from carom_breakout.tour import Stage, next_stage, stage_of

IN_THE_MENU = {pygame.K_RIGHT: state.NEXT, pygame.K_LEFT: state.PREVIOUS}
YES = (pygame.K_y, pygame.K_RETURN, pygame.K_KP_ENTER)
NO = (pygame.K_n, pygame.K_ESCAPE)
CLOSE = (pygame.K_h, pygame.K_F1, pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)
QUIT, MENU = "quit", "menu"
QUESTIONS = {
    QUIT: ("QUIT", "Do you want to end the game and close the window?"),
    MENU: ("TO THE MENU", "Do you want to give this game up?"),
}
NOTE_TIME = 2.0
ROCKET, ROCKETS = 10, 30  # ticks between two rockets, and how many there are
PICTURE_SIZE = (1600, 1200)
FILM_SIZES = {".gif": (560, 420), ".mp4": (960, 720)}


class Window(Show):
    """One game in a window.

    Parameters
    ----------
    session : the game.
    source : who plays; None for the player at the keyboard.
    sounds : where sounds go, if anywhere.
    note : a short word that stays in the corner, such as the name of an automatic player.
    keeps_scores : whether high scores are read and kept: those of the whole game with its exact physics.
    """

    def __init__(
        self,
        session: Session,
        source: Source | None = None,
        sounds: Sounds | None = None,
        note: str = "",
        keeps_scores: bool = False,
    ) -> None:
        super().__init__(session.setup.dt)
        self.session, self.sounds, self.lasting_note = session, sounds, note
        self.hands = Hands()
        self.source: Source = source or self.hands
        self.board = Board(session, sounds)
        self.over: tuple[str, int] | None = None
        self.asking, self.helping = "", False  # the question that waits for an answer, and whether help is shown
        self.keeps_scores = (
            keeps_scores and self.playing_self and session.setup.physics == state.EXACT and session.setup.power_ups
        )
        self.best = scores.load() if self.keeps_scores else []
        self.place = -1  # of the last score among the best
        self.one_stage = False  # whether the tour stays where it is, since the game is being written down
        self.fireworks = Particles(state.stream(session.setup.seed, "fireworks"), fade=1.0)
        self._chance = np.random.default_rng(session.setup.seed)
        self._won = 0  # ticks since a level was won
        self._pointer: tuple[int, int] | None = None
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

    @property
    def tour(self) -> Stage | None:
        """The stage of the tutorial's physics that is played, if it is one."""
        physics = self.session.setup.physics
        return None if physics == state.EXACT else stage_of(physics)

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""
        if event.type == pygame.QUIT:
            self._keep_score()
            self.open = False
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)
        elif event.type == pygame.KEYUP:
            self.hands.key(event.key, False)
        elif event.type == pygame.MOUSEMOTION and self._size != (0, 0):
            self._pointer = event.pos
            self.hands.point(self._view.world(*event.pos)[0])
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._click(event.pos)
        elif event.type == pygame.MOUSEWHEEL and self.mode == state.MENU and event.y:
            self.hands.press(state.PREVIOUS if event.y > 0 else state.NEXT)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.hands.release_all()
            self._hold()

    def _hold(self) -> None:
        """Pause a game that is being played by hand."""
        if self.mode == state.ACTIVE and self.playing_self:
            self.hands.press(state.PAUSE)

    def _click(self, place: tuple[int, int]) -> None:
        action = self._screens.action_at(place) if self._screens is not None else ""
        if action:
            self.do(action)
        elif self.asking or self.helping:
            return
        elif self.over is not None:
            self.over = None
        elif self.mode == state.ACTIVE:
            self.hands.press(state.RELEASE)
        elif self.mode == state.WIN:
            self.do("on")

    def do(self, action: str) -> None:
        """Do what a place on the screen, or a key, asks for."""
        presses = {"play": state.ENTER, "next": state.NEXT, "previous": state.PREVIOUS, "new ball": state.NEW_BALL}
        if action in presses:
            self.hands.press(presses[action])
        elif action == "resume":
            self.hands.press(state.PAUSE)
        elif action in QUESTIONS:
            self._ask(action)
        elif action in ("yes", "no"):
            self._answer(action == "yes")
        elif action == "close":
            self.helping = False
        elif action == "on" and self.over is not None:
            self.over = None
        elif action == "on":
            self.hands.press(state.ENTER)
        elif action.startswith("stage"):
            self.change_stage(1 if action.endswith("next") else -1)

    def _ask(self, what: str) -> None:
        """Ask before a game is given up; where nothing would be lost, do it."""
        if what == MENU and (not self.playing_self or self.mode == state.MENU):
            return
        if what == QUIT and not self.playing_self:
            self.open = False
            return
        self._hold()
        self.asking, self.helping = what, False

    def _answer(self, yes: bool) -> None:
        asked, self.asking = self.asking, ""
        if yes:
            self._keep_score()
            if asked == QUIT:
                self.open = False
            else:
                self.hands.press(state.LEAVE)

    def change_stage(self, way: int) -> None:
        """Begin anew with the next stage of the tour, or the one before."""
        setup = self.session.setup
        stage = next_stage(setup.physics, way)
        if self.tour is None or stage == setup.physics or not self.playing_self:
            return
        if self.one_stage:
            self.say("The recording holds one stage")
            return
        overlay, menu = self.board.overlay.on, self.mode == state.MENU
        self.session = Session(setup._replace(physics=stage, level=int(self.session.now.level)))
        self.board = Board(self.session, self.sounds)
        self.board.overlay.on, self.over, self._size = overlay, None, (0, 0)
        if not menu:
            self.hands.press(state.ENTER)

    def _keep_score(self) -> None:
        """Keep the score of a game that ends, if it is among the best."""
        if self.keeps_scores and self.mode != state.MENU:
            self.best, self.place = scores.add(int(self.session.now.score), self.session.level_name)

    def _key(self, key: int) -> None:
        if self.asking:
            if key in YES or key in NO:
                self._answer(key in YES)
        elif self.helping:
            self.helping = key not in CLOSE
        elif key == pygame.K_q or (key == pygame.K_ESCAPE and self.mode in (state.MENU, state.WIN)):
            self._ask(QUIT)
        elif key in (pygame.K_b, pygame.K_BACKSPACE):
            self._ask(MENU)
        elif key in (pygame.K_h, pygame.K_F1):
            self._hold()
            self.helping = True
        elif key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            self.change_stage(1 if key == pygame.K_PAGEDOWN else -1)
        elif key == pygame.K_m:
            self._mute()
        elif key == pygame.K_o:
            self.board.overlay.on = not self.board.overlay.on
        elif key in (pygame.K_p, pygame.K_ESCAPE):
            self.hands.press(state.PAUSE)
        elif self.over is not None and key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.over = None
        elif self.mode == state.MENU and key in IN_THE_MENU:
            self.hands.press(IN_THE_MENU[key])
        else:
            self.hands.key(key, True)

    def _mute(self) -> None:
        if self.sounds is not None and self.sounds.available:
            self.sounds.mute()
            self.say("Sound off" if self.sounds.muted else "Sound on")
        else:
            self.say("There is no sound device" if self.sounds is not None else "Started without sound")

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
        self._celebrate()
        if any(event.kind == state.GAME_OVER for event in tick.events):
            self.over = (name, max(score, int(self.session.now.score)))
            if self.keeps_scores:
                self.best, self.place = scores.add(self.over[1], name)
        elif self.mode != state.MENU or press.buttons & (state.NEXT | state.PREVIOUS):
            self.over = None

    def _celebrate(self) -> None:
        """Send up rockets for a level that was won."""
        self.fireworks.step(self.dt)
        self._won = self._won + 1 if self.mode == state.WIN else 0
        if self._won % ROCKET == 1 and self._won < ROCKETS * ROCKET:
            x, y = self._chance.uniform((80, 60), (720, 420)).tolist()
            color = palette.brick_color(int(self._chance.integers(2, 7)))
            self.fireworks.burst((x - 20, y - 20, 40.0, 40.0), color, 48, 4.0)

    def draw(self, target: pygame.Surface) -> None:
        """Draw the game as it is now, as large as the target allows."""
        if target.get_size() != self._size or self._screens is None:
            self._size = target.get_size()
            self._view = fit(self._size, below=0.0 if self.tour is None else TOUR_ROOM)[0]
            art = Art(self._view.scale)
            self.board.place(self._view, art)
            self._screens = Screens(self._view, art, self.session.setup.power_ups)
            target.fill(INK)
        in_menu, lost = self.mode == state.MENU, self.over is not None
        snapshot = self.board.draw(target, self.share, bare=in_menu and not lost, lost=in_menu and lost)
        self._message(target, self._screens, snapshot)

    def _message(self, target: pygame.Surface, screens: Screens, snapshot: Snapshot) -> None:
        """Write the message of this state, and what lies over it: help, a question."""
        screens.begin(self._pointer)
        if snapshot.mode == state.MENU and self.over is not None:
            lines = [
                (f"{place + 1}  {score.level}", f"{score.points:,}", place == self.place)
                for place, score in enumerate(self.best)
            ]
            title = "HIGH SCORE" if self.place == 0 else "GAME OVER"
            screens.result(target, title, *self.over, "to the menu", tracking=0.3, lines=lines)
        elif snapshot.mode == state.MENU:
            best = [score.points for score in self.best]
            level, levels = snapshot.level, len(self.session.setup.levels)
            screens.menu(target, level + 1, snapshot.level_name, levels, snapshot.score, best)
        elif snapshot.mode == state.PAUSED and not self.asking:
            screens.paused(target)
        elif snapshot.mode == state.WIN:
            self._won_screen(target, screens, snapshot)
        elif snapshot.stuck and self.playing_self and snapshot.mode == state.ACTIVE:
            screens.hint(target, "Space", "to launch")
        if self.tour is not None:
            target.fill(INK, self._view.box(-40, TOUR_TOP, FIELD_WIDTH + 80, TOUR_ROOM))
            lost = snapshot.mode == state.ACTIVE and snapshot.ball[1] > state.HEIGHT + state.BALL_RADIUS
            screens.tour(target, self.tour, lost)
        if self.helping:
            screens.help(target)
        if self.asking:
            screens.question(target, *QUESTIONS[self.asking])
        if self._note_age < NOTE_TIME:
            screens.note(target, self._note, round(255 * min(1.0, (NOTE_TIME - self._note_age) / 0.5)))
        elif self.finished or self.lasting_note:
            screens.note(target, "End of the replay" if self.finished else self.lasting_note)

    def _won_screen(self, target: pygame.Surface, screens: Screens, snapshot: Snapshot) -> None:
        """Write what a level that was won has brought, with rockets behind."""
        last = snapshot.level + 1 == len(self.session.setup.levels)
        points = state.POINTS_LIFE * snapshot.lives
        lines = [("the level cleared", f"+{state.POINTS_CLEARED}", True)]
        lines.append((f"{snapshot.lives} {'life' if snapshot.lives == 1 else 'lives'} left", f"+{points}", True))
        name = f"{snapshot.level_name}: the last level!" if last else snapshot.level_name
        art = screens.art
        screens.result(
            target, "CLEARED", name, snapshot.score, self.session.after_win, lines=lines,
            behind=lambda surface: self.fireworks.draw(surface, self._view, art),
        )  # fmt: skip

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
