"""Both physics side by side on one input: the same keys and mouse move two paddles, and a referee counts for each.

In: the setup of the tutorial's game, and how many ticks. Out: two pictures with the counts below them, in a
window or in a file, and a table of the counts. The input is that of a player who watches the exact game. At each flaw
both games stand still for a moment, while the place is circled and the flaw is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pygame

from carom_breakout import state
from carom_breakout.app.hands import Hands
from carom_breakout.app.show import Show
from carom_breakout.art import palette
from carom_breakout.art.board import Board
from carom_breakout.art.drawing import Art
from carom_breakout.art.ink import mix
from carom_breakout.art.lettering import BOLD, LIGHT
from carom_breakout.art.rails import Words
from carom_breakout.art.view import FIELD_HEIGHT, FIELD_WIDTH, PICTURE_HEIGHT, PICTURE_WIDTH, View, fit
from carom_breakout.referee import Referee, Tally
from carom_breakout.replay import Setup
from carom_breakout.session import Autoplay, Point, Press, Session

STEPS = 1800
SEED = 11  # of the seeds 0 to 59 the one that shows a corner, a double hit and a tunnelling soonest, within 2.4 s
HOLD = 1.5  # seconds that both games stand still at a flaw
BELOW = 124.0  # room for the counts, in units of the field
FILM_SCALE = 0.5
COUNTED = (
    ("tunnelled", "tunnelled"),
    ("double_hits", "double hits"),
    ("wrong_normals", "wrong normals"),
    ("overlap_frames", "frames in overlap"),
)
# What is written beside the circle, in the order in which one tick is told of: a tick may hold several flaws.
NAMED = {
    "tunnelled": "Tunnelled: past a brick, no hit",
    "double_hits": "Double hit: turned while leaving",
    "wrong_normals": "Wrong normal: a corner taken for a side",
}


class Sight(NamedTuple):
    """A flaw while it is shown: on which board, where, its names with their counts, and for how much longer."""

    board: int
    place: Point
    names: tuple[str, ...]
    left: float


class SideBySide(Show):
    """Two games, tutorial and exact, on one input.

    Parameters
    ----------
    setup : of the tutorial's game; that of the exact one differs in its physics alone. Neither has power-ups: one that
        turns a picture or moves a paddle would make two pictures that cannot be compared.
    steps : ticks to play.
    """

    def __init__(self, setup: Setup, steps: int = STEPS) -> None:
        super().__init__(setup.dt)
        setup = setup._replace(power_ups=False)
        sessions = [Session(setup), Session(setup._replace(physics=state.EXACT))]
        labels = f"Tutorial's physics, stage {setup.physics}", "Exact physics"
        self.boards = [Board(session, label=label) for session, label in zip(sessions, labels, strict=True)]
        self.referees = [Referee(session.table, session.setup.physics) for session in sessions]
        self.players = [Autoplay(setup.seed) for _ in sessions]
        self.hands = Hands()
        self.by_hand = self.paused = False
        self.steps, self.seed = steps, setup.seed
        self.seconds = 0.0  # that have gone by, those at flaws included
        self.sight: Sight | None = None
        self._size = (0, 0)
        self._views: list[View] = []

    @property
    def tallies(self) -> list[Tally]:
        """The counts so far: tutorial, exact."""
        return [referee.tally for referee in self.referees]

    @property
    def shape(self) -> tuple[int, int]:
        """Width and height of a window for both, at scale 1."""
        return picture_size(0.9)

    @property
    def ticks(self) -> int:
        """Ticks played."""
        return int(self.boards[1].session.now.tick)

    def tick(self) -> None:
        """Play one tick of both games.

        The paddles go where the player of the exact game wants, or the hand at the keys; a game that waits for a button
        gets it, and so does the other, where it means nothing. While a flaw is shown, both stand still.
        """
        self.seconds += self.dt
        if self.sight is not None:
            left = self.sight.left - self.dt
            self.sight = self.sight._replace(left=left) if left > 0.0 else None
            return
        tutorial, exact = (player.next(board.session) for player, board in zip(self.players, self.boards, strict=True))
        buttons = tutorial.buttons | exact.buttons
        press = Press(exact.direction, exact.mouse, buttons)
        hand = self.hands.next(self.boards[1].session)
        if self.by_hand:
            press = Press(hand.direction, hand.mouse, buttons | hand.buttons)
        for number, (board, referee) in enumerate(zip(self.boards, self.referees, strict=True)):
            before, counted = board.session.games.copy(), referee.tally
            tick = board.tick(press)
            referee.judge(before, board.session.games, board.session.trace, board.session.setup.dt)
            names = tuple(
                f"{words} ({getattr(referee.tally, name)})"
                for name, words in NAMED.items()
                if getattr(referee.tally, name) > getattr(counted, name)
            )
            if names:
                self.sight = Sight(number, tick.hits[-1].point if tick.hits else tick.end, names, HOLD)
        self.finished = self.ticks >= self.steps and self.sight is None

    def advance(self, seconds: float) -> None:
        """Let wall time pass, unless it is held."""
        if not self.paused:
            super().advance(seconds)

    def draw(self, target: pygame.Surface) -> None:
        """Draw both games and the counts."""
        if target.get_size() != self._size:
            self._size = target.get_size()
            self._views = fit(self._size, columns=2, below=BELOW)
            art = Art(self._views[0].scale)
            for board, view in zip(self.boards, self._views, strict=True):
                board.place(view, art)
        target.fill(palette.INK)
        for board, view, tally in zip(self.boards, self._views, self.tallies, strict=True):
            board.draw(target, 1.0 if self.sight is not None else self.share)
            self._counts(target, view, tally)
        if self.sight is not None:
            self._show_flaw(target, self._views[self.sight.board], self.sight)
        level = self.boards[1].session.level_name
        share_played = f"{self.ticks} of {self.steps} ticks · level {level} · one input · seed {self.seed}"
        middle = (PICTURE_WIDTH - 40.0, FIELD_HEIGHT + BELOW - 10)
        Words(self._views[0]).put(target, share_played, *middle, 13, palette.SAGE, anchor=0.5)

    def _show_flaw(self, target: pygame.Surface, view: View, sight: Sight) -> None:
        """Circle the place of a flaw, and write its name and its number beside it."""
        words, (x, y) = Words(view), sight.place
        radius = 30.0 + 60.0 * max(0.0, (sight.left - HOLD + 0.3) / 0.3)
        for wide, color in ((6.0, palette.INK), (3.0, palette.ROSE)):
            pygame.draw.circle(target, color, view.point(x, y), radius * view.scale, max(1, round(wide * view.scale)))
        wide = max(words.width(name, 17, BOLD) for name in sight.names) + 44
        left = min(max(x - wide / 2, 8.0), FIELD_WIDTH - 8.0 - wide)
        below = y < 120.0
        top = y + 46.0 if below else y - 46.0 - 30.0 * len(sight.names)
        plate = view.box(left, top, wide, 30.0 * len(sight.names))
        pygame.draw.rect(target, palette.INK, plate, border_radius=round(8 * view.scale))
        pygame.draw.rect(target, palette.ROSE, plate, max(1, round(1.5 * view.scale)), round(8 * view.scale))
        for row, name in enumerate(sight.names):
            words.put(target, name, left + wide / 2, top + 22 + 30.0 * row, 17, palette.IVORY, weight=BOLD, anchor=0.5)

    def _counts(self, target: pygame.Surface, view: View, tally: Tally) -> None:
        words = Words(view)
        for place, (name, label) in enumerate(COUNTED):
            number = int(getattr(tally, name))
            x = 100.0 + 200.0 * place
            color = palette.ROSE if number else palette.FINE
            words.put(target, f"{number}", x, FIELD_HEIGHT + 52, 32, color, weight=LIGHT + 0.02, anchor=0.5)
            words.put(target, label, x, FIELD_HEIGHT + 80, 14.5, mix(palette.SAGE, color, 0.2), anchor=0.5)

    def table(self) -> list[str]:
        """The counts in lines of text."""
        tutorial, exact = self.tallies
        lines = [f"{self.ticks} ticks on one input, seed {self.seed}", f"  {'':<20}{'tutorial':>10}{'exact':>10}"]
        for name, label in COUNTED:
            lines.append(f"  {label:<20}{getattr(tutorial, name):>10}{getattr(exact, name):>10}")
        return lines

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window; the first key for the paddle, or the mouse, takes it over."""
        if event.type == pygame.QUIT:
            self.open = False
        elif event.type in (pygame.KEYDOWN, pygame.KEYUP):
            down = event.type == pygame.KEYDOWN
            if down and event.key in (pygame.K_q, pygame.K_ESCAPE):
                self.open = False
            if down and event.key == pygame.K_SPACE:
                self.sight = None
            if down and event.key == pygame.K_p:
                self.paused = not self.paused
            if down and event.key in (pygame.K_a, pygame.K_d, pygame.K_LEFT, pygame.K_RIGHT):
                self.by_hand = True
            if down and event.key == pygame.K_o:
                for board in self.boards:
                    board.overlay.on = not board.overlay.on
            self.hands.key(event.key, down)
        elif event.type == pygame.MOUSEMOTION and self._views and any(event.rel):
            view = self._views[0] if event.pos[0] < self._views[0].picture.right else self._views[1]
            self.hands.point(view.world(*event.pos)[0])
            self.by_hand = True

    def run_without_window(self, shot: Path | None, film: Path | None) -> None:
        """Play all ticks as fast as can be, and leave the last picture, or a film."""

        def play() -> Iterator[float]:
            self._behind = self.dt  # each picture is of the end of a tick
            while not self.finished:
                yield self.seconds
                self.tick()

        self.record(play(), self.steps, "Comparing", (shot, picture_size(1.0)), (film, picture_size(FILM_SCALE)))


def picture_size(scale: float) -> tuple[int, int]:
    """Pixels of both pictures and the counts, even numbers, as films need them."""
    width, height = 2 * PICTURE_WIDTH * scale, (PICTURE_HEIGHT + BELOW) * scale
    return 2 * round(width / 2), 2 * round(height / 2)
