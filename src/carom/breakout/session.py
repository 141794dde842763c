"""One game being played: its tables, its physics, its inputs, and the record of them.

In: levels, a seed, a physics, and a `Press` for each tick. Out: the trace of each tick. The window and the headless run
both play through here, so that a game is the same in either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from carom.breakout import state
from carom.breakout.levels import Level, make_levels
from carom.breakout.rules import step
from carom.breakout.state import Games, Rows, make_games, make_inputs, make_trace

TRACED = 64


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
    point: tuple[float, float]
    normal: tuple[float, float]


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
        self.events: list[Event] = []
        self.presses: list[Press] = []
        self._trace = make_trace(1, TRACED)
        self._inputs = make_inputs(1)

    @property
    def now(self) -> Any:
        """The record of the game, `state.GAME`, as it is now."""
        return self.games.state[0]

    @property
    def level_name(self) -> str:
        """Name of the level in play."""
        return self.levels[int(self.now.level)].name

    @property
    def after_win(self) -> str:
        """What Enter does after a level is won."""
        return "next level" if self.physics == state.EXACT and len(self.levels) > 1 else "on"

    def tick(self, press: Press) -> list[Event]:
        """Play one tick and return what happened in it."""
        self._inputs.direction[0] = press.direction
        self._inputs.mouse[0] = press.mouse
        self._inputs.buttons[0] = press.buttons
        self.presses.append(press)
        step(self.games, self.table, self._inputs, state.TICK, self.physics, self._trace)
        self.events = read_events(self.games, self._trace, 0)
        return self.events

    def digest(self) -> str:
        """Sixteen digits that stand for every bit of the game."""
        return state.digest(self.games, 0)


def read_events(games: Games, trace: Rows, row: int) -> list[Event]:
    """Read what happened in one game's last step, in time order."""
    if int(games.state[row].noted) == 0:
        return []
    return [
        Event(kind, subject, time, (point[0], point[1]), (normal[0], normal[1]))
        for kind, subject, time, point, normal in (
            (int(e["kind"]), int(e["subject"]), float(e["time"]), e["point"].tolist(), e["normal"].tolist())
            for e in state.events(games, trace, row)
        )
    ]
