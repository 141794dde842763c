"""The rules of Breakout: step any number of games in one compiled call, without pixels.

In: the tables of games, levels and inputs, and the length of the step. The games are changed in place; the trace tells
what happened. The window is a batch of one game, a learning environment a batch of thousands: the rules stand here
once. Nothing depends on how often a game is drawn.
"""

from __future__ import annotations

import math

import numpy as np

from carom import inner, kernel
from carom_breakout import state
from carom_breakout.checks import check_records
from carom_breakout.levels import Levels
from carom_breakout.lives import press_buttons, settle
from carom_breakout.paddle import fall_exactly
from carom_breakout.physics import glide, play_motion, turn_fruitless_ball
from carom_breakout.power_ups import run_timers
from carom_breakout.state import Game, Player, Rows, Table, Trace, make_trace
from carom_breakout.tutorial import play_step


def step(
    games: Rows,
    levels: Levels,
    inputs: Rows,
    dt: float = state.TICK,
    physics: int = state.EXACT,
    trace: Rows | None = None,
    inclusive: bool = False,
) -> Rows:
    """Play every game on by one step.

    Parameters
    ----------
    games : (n,) GAME
        Changed in place.
    levels : Levels
        The table that the games were made with.
    inputs : (n,) INPUT
    dt : float, seconds, > 0
        Length of the step; the game ticks at 1/60 s.
    physics : int
        EXACT, or 1 to 5 for the stage of the tutorial.
    trace : (n,) TRACE, optional
        Overwritten with the events of this step. One row for many games serves as scratch for all of them.
    inclusive : bool
        Tutorial stages 2 to 5: whether a ball that just touches collides (`<=`), or not (`<`).

    Returns
    -------
    (n,) TRACE
        The trace given, or a single row for the last game.

    Raises
    ------
    ValueError
        If a game or an input holds a value out of range; the message names column, row and value. No game is stepped.
    """
    if not 0.0 < dt < math.inf:
        raise ValueError(f"dt = {dt} must be a positive number of seconds; the game ticks at 1/60")
    if not state.EXACT <= physics <= state.TUTORIAL:
        raise ValueError(f"physics = {physics} must be EXACT (0) or a stage of the tutorial, 1 to 5")
    if trace is None:
        trace = make_trace(1)
    for name, rows, dtype in (
        ("games", games, state.GAME),
        ("inputs", inputs, state.INPUT),
        ("trace", trace, state.TRACE),
    ):
        if rows.dtype != dtype or rows.ndim != 1 or not (rows.flags.c_contiguous and rows.flags.writeable):
            raise TypeError(
                f"{name} must be a contiguous, writeable (n,) table such as make_{name} gives; got {rows.dtype.name} "
                f"of shape {rows.shape}; a slice can be made one by .copy()"
            )
    if len(inputs) != len(games):
        raise ValueError(f"inputs has {len(inputs)} rows, there are {len(games)} games; see make_inputs")
    if len(trace) != len(games) and len(trace) != 1:
        raise ValueError(f"trace has {len(trace)} rows, there are {len(games)} games; see make_trace")
    # A plain array of records is recognised four times faster by the compiled call than a recarray.
    plain = games.view(np.ndarray), levels, inputs.view(np.ndarray), trace.view(np.ndarray), float(dt)
    check_records(plain[0], plain[2])
    if physics == state.EXACT:
        _step_exact(*plain)
    else:
        _step_tutorial(*plain, int(physics), bool(inclusive))
    return trace


@inner
def begin(game: Game, trace: Trace, levels: Levels, player: Player, as_tutorial: bool) -> None:
    """Forget the events of the step before, count the step, obey the buttons."""
    trace.seen = 0
    trace.count = 0
    trace.start[0] = game.ball[0]
    trace.start[1] = game.ball[1]
    game.tick += 1
    if player.buttons != 0:
        press_buttons(game, trace, levels, player.buttons, as_tutorial)


@inner
def finish(game: Game, trace: Trace, levels: Levels, lost: bool, time: float, as_tutorial: bool) -> None:
    """Keep where the ball's way ended, then see to a lost ball or a cleared level."""
    trace.end[0] = game.ball[0]
    trace.end[1] = game.ball[1]
    if lost or game.remaining == 0:
        settle(game, trace, levels, lost, time, as_tutorial)


@inner
def play_exactly(game: Game, trace: Trace, player: Player, dt: float) -> tuple[bool, float]:
    """Move all that moves in a step of an active game; return (ball lost, when its motion ended)."""
    start = game.paddle
    moved = glide(game, player.direction, player.mouse, dt)
    if moved < 0.0:
        return play_eventfully(game, trace, player, dt)
    trace.paddle_start, trace.paddle_width = start, game.paddle_width
    trace.paddle_pace, trace.paddle_moved = game.paddle_velocity, moved
    return False, dt


@inner
def play_eventfully(game: Game, trace: Trace, player: Player, dt: float) -> tuple[bool, float]:
    """Do the same in a step in which something may happen."""
    lost, time = play_motion(game, trace, player, dt)
    turn_fruitless_ball(game, trace, dt)
    if game.falling > 0:
        fall_exactly(game, trace, dt)
    if game.running != 0 or game.shake > 0.0:
        run_timers(game, trace, dt, False)
    return lost, time


@kernel
def _step_exact(games: Table, levels: Levels, inputs: Table, traces: Table, dt: float) -> None:
    for g in range(len(games)):
        game, player, trace = games[g], inputs[g], traces[min(g, len(traces) - 1)]
        begin(game, trace, levels, player, False)
        lost, time = False, dt
        if game.mode == state.ACTIVE:
            lost, time = play_exactly(game, trace, player, dt)
        finish(game, trace, levels, lost, time, False)


@kernel
def _step_tutorial(
    games: Table, levels: Levels, inputs: Table, traces: Table, dt: float, stage: int, inclusive: bool
) -> None:
    for g in range(len(games)):
        game, player, trace = games[g], inputs[g], traces[min(g, len(traces) - 1)]
        begin(game, trace, levels, player, True)
        lost = game.mode != state.PAUSED and play_step(game, trace, player, dt, stage, inclusive)
        finish(game, trace, levels, lost, 0.0, True)
