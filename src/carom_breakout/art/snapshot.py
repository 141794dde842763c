"""The content of one picture of the game: plain facts from the rules' tables at any moment between two ticks.

In: a `Session` after a tick, and how far into the tick the picture is (0 to 1). Out: a `Snapshot`
of numbers in units of the field. Between ticks the ball follows its swept path from hit to hit, so a bounce is drawn
where it happened and not cut short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom_breakout import state
from carom_breakout.levels import brick_edges
from carom_breakout.session import Box, Point, Session
from carom_breakout.state import LAUNCH_SPEED

RING = 60  # parts of the ring around a badge


@dataclass
class Bricks:
    """The wall: edges of its columns and rows, and the code of each brick, 0 where there is none."""

    edge_x: NDArray[np.float64]
    edge_y: NDArray[np.float64]
    codes: NDArray[np.int8]

    def box(self, cell: int) -> Box:
        """Left, top, width and height of a brick."""
        row, column = divmod(cell, len(self.edge_x) - 1)
        left, top = float(self.edge_x[column]), float(self.edge_y[row])
        return left, top, float(self.edge_x[column + 1]) - left, float(self.edge_y[row + 1]) - top


class Badge(NamedTuple):
    """An effect at work: the kind of power-up, how many parts of a ring its time left fills, and a note."""

    kind: int
    parts: int  # RING without a clock
    note: str


@dataclass
class Snapshot:
    """Everything that a picture shows, in units of the field and in seconds."""

    bricks: Bricks
    mode: int
    level: int
    level_name: str
    score: int
    lives: int
    ball: tuple[float, float]
    velocity: tuple[float, float]
    stuck: bool
    paddle: tuple[float, float]
    items: list[tuple[int, float, float]]
    badges: list[Badge]
    effects: int
    shaking: bool
    time: float

    def has(self, kind: int) -> bool:
        """Whether the effect of a power-up is at work."""
        return bool(self.effects & (1 << kind))


class Camera:
    """Takes pictures of one game: remembers the paddle of a tick ago.

    Parameters
    ----------
    session : the game; its physics lays the bricks out in its own way.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._paddle: tuple[float, float] | None = None
        self._edges: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}

    def remember(self) -> None:
        """Keep the paddle as it is before the next tick."""
        now = self.session.now
        self._paddle = (float(now.paddle), float(now.paddle_width))

    def take(self, share: float = 1.0) -> Snapshot:
        """Picture the game at a share (0 to 1) of the tick that was just made; 1 is its end."""
        now, tick, dt = self.session.now, self.session.last, self.session.setup.dt
        level, mode = int(now.level), int(now.mode)
        if level not in self._edges:
            self._edges[level] = brick_edges(self.session.table, level, self.session.setup.physics != state.EXACT)
        edge_x, edge_y = self._edges[level]
        cells = (len(edge_x) - 1) * (len(edge_y) - 1)
        ball, paddle = _pair(now.ball), (float(now.paddle), float(now.paddle_width))
        behind = 0.0
        if tick is not None and mode == state.ACTIVE and share < 1.0:
            behind = (1.0 - share) * dt
            ball = tick.at(share * dt, dt)
            before = self._paddle or paddle
            paddle = (before[0] + (paddle[0] - before[0]) * share, before[1] + (paddle[1] - before[1]) * share)
        falling = now.items[: int(now.falling)].tolist()
        return Snapshot(
            bricks=Bricks(edge_x, edge_y, now.bricks[:cells].copy()),
            mode=mode,
            level=level,
            level_name=self.session.level_name,
            score=int(now.score),
            lives=int(now.lives),
            ball=ball,
            velocity=_pair(now.velocity),
            stuck=int(now.stuck) != state.FREE,
            paddle=paddle,
            items=[(kind, x, y - behind * state.ITEM_SPEED) for kind, (x, y) in falling],
            badges=_badges(now, paddle[1]),
            effects=int(now.effects),
            shaking=bool(now.shake > 0),
            time=max(0.0, int(now.tick) * dt - behind),
        )


def _pair(values: Any) -> Point:
    return (float(values[0]), float(values[1]))


def _badges(now: Any, shown_width: float) -> list[Badge]:
    """Effects at work: with the seconds left, or with their strength for those that last until the life is lost.

    `shown_width` is that of the paddle in the picture, which may still be growing.
    """
    running = int(now.running) & int(now.effects)
    found: list[Badge] = []
    for kind, lasts in enumerate(state.LASTS):
        if lasts > 0 and running & (1 << kind):
            seconds = float(now.timers[kind])
            parts = max(0, min(RING - 1, int(RING * seconds / lasts)))
            found.append(Badge(kind, parts, f"{seconds:.0f}"))
    speed = float(now.speed)
    if speed > 1.01 * LAUNCH_SPEED:
        found.append(Badge(state.SPEED, RING, f"×{speed / LAUNCH_SPEED:.1f}"))
    if float(now.paddle_width) > state.PADDLE_WIDTH:
        found.append(Badge(state.PAD_SIZE, RING, f"+{shown_width - state.PADDLE_WIDTH:.0f}"))
    return found
