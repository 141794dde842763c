"""One game being played: its tables, its physics, its inputs, and the record of them.

In: a `Setup`, and a `Press` for each tick. Out: the events of each tick. The window and the headless
run both play through here, so that a game is the same in either.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np

from carom import will_compile
from carom_breakout import rules, state
from carom_breakout.autoplay import choose, make_plans
from carom_breakout.levels import make_levels
from carom_breakout.replay import Recorder, Replay, Setup
from carom_breakout.state import Rows, make_games, make_inputs, make_trace

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height

COMPILING = "Compiling the physics for this computer, once: the next start is quick"


class Press(NamedTuple):
    """The input of one player in one tick."""

    direction: int = 0
    mouse: float = math.nan
    buttons: int = 0


class Source(Protocol):
    """A player: gives the inputs of the next tick, or None when there are no more."""

    def next(self, session: Session) -> Press | None:
        """Inputs of the next tick."""


class Event(NamedTuple):
    """One thing that happened in a tick; see `state.EVENT`."""

    kind: int
    subject: int
    time: float
    point: Point
    normal: Point


class Tick(NamedTuple):
    """The course of one tick: where the ball's way began and ended, and the events in time order."""

    start: Point
    end: Point
    events: list[Event]

    @property
    def hits(self) -> list[Event]:
        """The events that met or turned the ball."""
        return [event for event in self.events if event.kind in state.HITS]

    @property
    def way(self) -> list[Point]:
        """The ball's swept path: start, each hit, end."""
        return [self.start, *(hit.point for hit in self.hits), self.end]

    def at(self, seconds: float, length: float) -> Point:
        """Where the ball was so many seconds into a tick of that length."""
        times = [0.0, *(hit.time for hit in self.hits), length]
        way = self.way
        return (
            float(np.interp(seconds, times, [x for x, _ in way])),
            float(np.interp(seconds, times, [y for _, y in way])),
        )


class Session:
    """A game from its setup on."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.recorder = Recorder(setup)
        self.table = make_levels(setup.levels)
        self.games = make_games(self.table, [setup.seed], setup.level, setup.power_ups)
        self.last: Tick | None = None
        self.trace = make_trace(1)
        self._inputs = make_inputs(1)

    @property
    def now(self) -> Any:
        """The record of the game, `state.GAME`, as it is now."""
        return self.games[0]

    @property
    def level_name(self) -> str:
        """Name of the level in play."""
        return self.setup.levels[int(self.now.level)].name

    @property
    def after_win(self) -> str:
        """The effect of Enter after a level is won."""
        return "to the next level" if self.setup.physics == state.EXACT and len(self.setup.levels) > 1 else "to play on"

    def tick(self, press: Press) -> Tick:
        """Play one tick and return its course."""
        self._inputs[0] = press
        setup = self.setup
        rules.step(self.games, self.table, self._inputs, setup.dt, setup.physics, self.trace, setup.inclusive)
        self.recorder.add(*press, self.games)
        self.last = read_tick(self.trace, 0)
        return self.last

    def digest(self) -> str:
        """Sixteen digits that stand for every bit of the game."""
        return state.digest(self.games, 0)


class Autoplay:
    """A player who sees no more than a person; see `autoplay`.

    Parameters
    ----------
    seed : start of this player's chance; the same seed plays the same way.
    """

    def __init__(self, seed: int) -> None:
        self._plans = make_plans([seed])
        self._inputs = make_inputs(1)

    def next(self, session: Session) -> Press:
        """Inputs of the next tick."""
        choose(session.games, self._plans, self._inputs)
        return Press(*self._inputs[0].tolist())


class Playback:
    """A replay as a player: gives the inputs recorded, and checks that the game goes the same way.

    Parameters
    ----------
    replay : as loaded; `session` makes the game that it belongs to.
    """

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._inputs = replay.inputs()

    @property
    def seconds(self) -> float:
        """Length of the game."""
        return self._replay.steps * self._replay.setup.dt

    def session(self) -> Session:
        """The game of the replay before its first tick."""
        return Session(self._replay.setup)

    def next(self, session: Session) -> Press | None:
        """Inputs of the next tick; a ValueError if the game went another way than it was recorded."""
        if session.last is not None:
            self._replay.check(session.games)
        row = next(self._inputs, None)
        return None if row is None else Press(*row)


def must_compile(physics: int) -> bool:
    """Whether the first tick has to compile the rules, which takes seconds."""
    return will_compile(rules._step_exact if physics == state.EXACT else rules._step_tutorial)


def read_tick(trace: Rows, row: int) -> Tick:
    """Read the course of one game's last step."""
    happened = [
        Event(kind, subject, time, (float(x), float(y)), (float(nx), float(ny)))
        for kind, subject, time, (x, y), (nx, ny) in state.events(trace, row).tolist()
    ]
    (start_x, start_y), (end_x, end_y) = trace[row].start.tolist(), trace[row].end.tolist()
    return Tick((start_x, start_y), (end_x, end_y), happened)
