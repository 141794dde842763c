"""One game being played: its tables, its physics, its inputs, and the record of them.

In: levels, a seed, a physics, and a `Press` for each tick. Out: the trace of each tick. The window and the headless run
both play through here, so that a game is the same in either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from carom.breakout import state
from carom.breakout.levels import Level, make_levels
from carom.breakout.rules import step
from carom.breakout.state import Rows, make_games, make_inputs, make_trace

Point = tuple[float, float]

HITS = (state.BRICK_HIT, state.SOLID_HIT, state.WALL_HIT, state.PADDLE_HIT)


class Press(NamedTuple):
    """What one player does in one tick."""

    direction: int = 0
    mouse: float = math.nan
    buttons: int = 0


class Source(Protocol):
    """Who plays: gives the inputs of the next tick, or None when there are no more."""

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
    """What happened in one tick: where the ball's way began and ended, and the events in time order."""

    start: Point
    end: Point
    events: list[Event]

    @property
    def hits(self) -> list[Event]:
        """The events that met or turned the ball."""
        return [event for event in self.events if event.kind in HITS]

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
    """A game from its seed on.

    Parameters
    ----------
    levels : those to play, in order.
    seed : start of the game's chance.
    level : the level offered first, counted from 0.
    physics : EXACT, or the stage of the tutorial.
    """

    def __init__(self, levels: Sequence[Level], seed: int, level: int = 0, physics: int = state.EXACT) -> None:
        self.levels, self.seed, self.physics = list(levels), seed, physics
        self.first_level = level
        self.table = make_levels(self.levels)
        self.games = make_games(self.table, [seed], level)
        self.last: Tick | None = None
        self.presses: list[Press] = []
        self._trace = make_trace(1)
        self._inputs = make_inputs(1)

    @property
    def now(self) -> Any:
        """The record of the game, `state.GAME`, as it is now."""
        return self.games[0]

    @property
    def level_name(self) -> str:
        """Name of the level in play."""
        return self.levels[int(self.now.level)].name

    @property
    def after_win(self) -> str:
        """What Enter does after a level is won."""
        return "next level" if self.physics == state.EXACT and len(self.levels) > 1 else "on"

    def tick(self, press: Press) -> Tick:
        """Play one tick and return what happened in it."""
        self._inputs[0] = press
        self.presses.append(press)
        step(self.games, self.table, self._inputs, state.TICK, self.physics, self._trace)
        self.last = read_tick(self._trace, 0)
        return self.last

    def digest(self) -> str:
        """Sixteen digits that stand for every bit of the game."""
        return state.digest(self.games, 0)


def read_tick(trace: Rows, row: int) -> Tick:
    """Read what happened in one game's last step."""
    happened = [
        Event(kind, subject, time, (x, y), (nx, ny))
        for kind, subject, time, (x, y), (nx, ny) in state.events(trace, row).tolist()
    ]
    (start_x, start_y), (end_x, end_y) = trace[row].start.tolist(), trace[row].end.tolist()
    return Tick((start_x, start_y), (end_x, end_y), happened)
