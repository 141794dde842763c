"""The rules of Breakout: step any number of games in one compiled call, without pixels.

In: the tables of games, levels and inputs, and the length of the step. The games are changed in place; the trace tells
what happened. The window is a batch of one game, a learning environment a batch of thousands: the rules stand here
once. Nothing depends on how often a game is drawn.
"""

from __future__ import annotations

import math

from carom._jit import inner, kernel
from carom.breakout.levels import Levels
from carom.breakout.mechanics import press_buttons, run_timers, settle
from carom.breakout.physics import fall_exactly, play_motion
from carom.breakout.state import ACTIVE, EXACT, TICK, TUTORIAL, Game, Games, Rows, make_trace
from carom.breakout.tutorial import play_step


def step(
    games: Games,
    levels: Levels,
    inputs: Rows,
    dt: float = TICK,
    physics: int = EXACT,
    trace: Rows | None = None,
    inclusive: bool = False,
) -> Rows:
    """Play every game on by one step.

    Parameters
    ----------
    games : Games
        Changed in place.
    levels : Levels
        The table that the games were made with.
    inputs : (n,) INPUT
    dt : float, seconds, > 0
        Length of the step; the game ticks at 1/60 s.
    physics : int
        EXACT, or 1 to 5 for the stage of the tutorial.
    trace : (n, capacity) EVENT, optional
        Overwritten with the first events of this step; their number is in `games.state.noted`, kept or not.
    inclusive : bool
        Tutorial stages 2 to 5: whether a ball that just touches collides (`<=`), or not (`<`).

    Returns
    -------
    (n, capacity) EVENT
        The trace given, or an empty one.
    """
    if not 0.0 < dt < math.inf:
        raise ValueError(f"dt = {dt} must be a positive number of seconds; the game ticks at 1/60")
    if not EXACT <= physics <= TUTORIAL:
        raise ValueError(f"physics = {physics} must be EXACT (0) or a stage of the tutorial, 1 to 5")
    if trace is None:
        trace = make_trace(len(games.state))
    for name, rows in (("inputs", len(inputs)), ("trace", len(trace))):
        if rows != len(games.state):
            raise ValueError(
                f"{name} has {rows} rows for {len(games.state)} games; make_{name}({len(games.state)}) fits"
            )
    if levels.codes.shape[1] != games.bricks.shape[1]:
        raise ValueError(
            f"levels has {levels.codes.shape[1]} cells a level, the games have {games.bricks.shape[1]}; "
            "step them with the table that they were made with"
        )
    if physics == EXACT:
        _step_exact(games, levels, inputs, trace, dt)
    else:
        _step_tutorial(games, levels, inputs, trace, dt, physics, inclusive)
    return trace


@inner
def begin(game: Game) -> None:
    """Forget the events of the step before, count the step."""
    game.seen = 0
    game.noted = 0
    game.tick += 1
    game.path_start[0] = game.ball[0]
    game.path_start[1] = game.ball[1]


@kernel
def _step_exact(games: Games, levels: Levels, inputs: Rows, trace: Rows, dt: float) -> None:
    for g in range(len(games.state)):
        game, bricks, items, events = games.state[g], games.bricks[g], games.items[g], trace[g]
        begin(game)
        if inputs[g].buttons != 0:
            press_buttons(game, bricks, events, levels, inputs[g].buttons, False)
        lost, time = False, dt
        if game.mode == ACTIVE:
            edges = levels.edge_x[game.level], levels.edge_y[game.level]
            lost, time, start, velocity, moves = play_motion(game, bricks, items, events, edges, inputs[g], dt)
            if game.falling > 0:
                fall_exactly(game, items, events, start, velocity, moves, dt)
            run_timers(game, events, dt, False)
        game.path_end[0] = game.ball[0]
        game.path_end[1] = game.ball[1]
        if lost or game.remaining == 0:
            settle(game, bricks, events, levels, lost, time, False)


@kernel
def _step_tutorial(
    games: Games, levels: Levels, inputs: Rows, trace: Rows, dt: float, stage: int, inclusive: bool
) -> None:
    for g in range(len(games.state)):
        game, bricks, items, events = games.state[g], games.bricks[g], games.items[g], trace[g]
        begin(game)
        play_step(game, bricks, items, events, levels, inputs[g], dt, stage, inclusive)
