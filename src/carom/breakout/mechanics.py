"""The rules that both physics share: menu and pause, lives and levels, score, power-ups and their timers, the shake.

In: the tables, the row of one game, the step's length. Each function writes to its own game's row and notes what
happened in the trace; none allocates. `as_tutorial` reproduces what the tutorial's game does carelessly.
"""

from __future__ import annotations

from carom._jit import inner
from carom.breakout.levels import Levels
from carom.breakout.state import (
    BALL_RADIUS,
    LAUNCH_X,
    LAUNCH_Y,
    LEVEL_LOADED,
    PADDLE_TOP,
    PADDLE_WIDTH,
    POWER_UPS,
    SERVED,
    WIDTH,
    Games,
    Trace,
)

LAUNCH_SPEED = (LAUNCH_X * LAUNCH_X + LAUNCH_Y * LAUNCH_Y) ** 0.5


@inner
def note(trace: Trace, g: int, kind: int, subject: int, time: float, x: float, y: float, nx: float, ny: float) -> None:
    """Write one event of game g into the trace, if there is room, and count it."""
    k = trace.count[g]
    trace.count[g] = k + 1
    trace.seen[g] |= 1 << kind
    if k < trace.kind.shape[1]:
        trace.kind[g, k] = kind
        trace.subject[g, k] = subject
        trace.time[g, k] = time
        trace.point[g, k, 0] = x
        trace.point[g, k, 1] = y
        trace.normal[g, k, 0] = nx
        trace.normal[g, k, 1] = ny


@inner
def load_level(games: Games, levels: Levels, trace: Trace, g: int, level: int) -> None:
    """Put all bricks of the level in place."""
    games.level[g] = level
    for cell in range(games.bricks.shape[1]):
        games.bricks[g, cell] = levels.codes[level, cell]
    games.remaining[g] = levels.destructible[level]
    note(trace, g, LEVEL_LOADED, level, 0.0, games.ball[g, 0], games.ball[g, 1], 0.0, 0.0)


@inner
def reset_player(games: Games, g: int, as_tutorial: bool) -> None:
    """Serve a new ball on a normal paddle, all effects off; the tutorial forgets the items that fall or run."""
    left = (WIDTH - PADDLE_WIDTH) / 2
    games.paddle[g] = left
    games.paddle_width[g] = PADDLE_WIDTH
    games.paddle_grown[g] = PADDLE_WIDTH
    games.paddle_velocity[g] = 0.0
    games.stuck[g] = SERVED
    games.stuck_offset[g] = PADDLE_WIDTH / 2
    games.ball[g, 0] = left + PADDLE_WIDTH / 2
    games.ball[g, 1] = PADDLE_TOP - BALL_RADIUS
    games.velocity[g, 0] = LAUNCH_X
    games.velocity[g, 1] = LAUNCH_Y
    games.speed[g] = LAUNCH_SPEED
    games.effects[g] = 0
    if not as_tutorial:
        games.items[g] = 0
        games.running[g] = 0
        games.shake[g] = 0.0
        for kind in range(POWER_UPS):
            games.timers[g, kind] = 0.0
