"""The rules of Breakout: step any number of games in one compiled call, without pixels.

In: the tables of games, levels and inputs, and the length of the step. The games are changed in place; the trace tells
what happened. The window is a batch of one game, a learning environment a batch of thousands: the rules stand here
once. Nothing depends on how often a game is drawn.
"""

from __future__ import annotations

import math

from carom._jit import kernel
from carom.breakout.levels import Levels
from carom.breakout.mechanics import load_level, reset_player
from carom.breakout.state import (
    ACTIVE,
    BALL_RADIUS,
    ENTER,
    EXACT,
    FREE,
    MENU,
    NEXT,
    PADDLE_SPEED,
    PADDLE_TOP,
    PREVIOUS,
    RELEASE,
    TICK,
    TUTORIAL,
    WIDTH,
    Games,
    Inputs,
    Trace,
    make_trace,
)


def step(
    games: Games,
    levels: Levels,
    inputs: Inputs,
    dt: float = TICK,
    physics: int = EXACT,
    trace: Trace | None = None,
    inclusive: bool = False,
) -> Trace:
    """Play every game on by one step.

    Parameters
    ----------
    games : Games
        Changed in place.
    levels : Levels
        The table that the games were made with.
    inputs : Inputs
    dt : float, seconds, > 0
        Length of the step; the game ticks at 1/60 s.
    physics : int
        EXACT, or 1 to 5 for the stage of the tutorial.
    trace : Trace, optional
        Overwritten with what happens in this step; made with no room for details if not given.
    inclusive : bool
        Tutorial stages 2 to 5: whether a ball that just touches collides (`<=`), or not (`<`).

    Returns
    -------
    Trace
        The one given, or the one made.
    """
    if not 0.0 < dt < math.inf:
        raise ValueError(f"dt = {dt} must be a positive number of seconds; the game ticks at 1/60")
    if not EXACT <= physics <= TUTORIAL:
        raise ValueError(f"physics = {physics} must be EXACT (0) or a stage of the tutorial, 1 to 5")
    if trace is None:
        trace = make_trace(len(games.mode))
    _step_exact(games, levels, inputs, trace, dt)
    return trace


@kernel
def _step_exact(games: Games, levels: Levels, inputs: Inputs, trace: Trace, dt: float) -> None:
    for g in range(len(games.mode)):
        trace.seen[g] = 0
        trace.count[g] = 0
        games.tick[g] += 1
        buttons = inputs.buttons[g]
        if games.mode[g] == MENU:
            if buttons & NEXT:
                load_level(games, levels, trace, g, (games.level[g] + 1) % len(levels.columns))
            if buttons & PREVIOUS:
                load_level(games, levels, trace, g, (games.level[g] + len(levels.columns) - 1) % len(levels.columns))
            if buttons & ENTER:
                reset_player(games, g, False)
                games.mode[g] = ACTIVE
        elif games.mode[g] == ACTIVE:
            left = games.paddle[g] + inputs.direction[g] * PADDLE_SPEED * dt
            games.paddle[g] = min(max(left, 0.0), WIDTH - games.paddle_width[g])
            if buttons & RELEASE:
                games.stuck[g] = FREE
            if games.stuck[g] != FREE:
                games.ball[g, 0] = games.paddle[g] + games.stuck_offset[g]
                games.ball[g, 1] = PADDLE_TOP - BALL_RADIUS
            else:
                games.ball[g, 0] += games.velocity[g, 0] * dt
                games.ball[g, 1] += games.velocity[g, 1] * dt
                if games.ball[g, 0] < BALL_RADIUS or games.ball[g, 0] > WIDTH - BALL_RADIUS:
                    games.velocity[g, 0] = -games.velocity[g, 0]
                if games.ball[g, 1] < BALL_RADIUS or games.ball[g, 1] > PADDLE_TOP:
                    games.velocity[g, 1] = -games.velocity[g, 1]
