"""A step in which nothing happens is played at once: the same game, to the last bit, as from hit to hit.

Where the paddle moves, the ball's way from hit to hit may have two legs, and rounds otherwise once: when the paddle
stops within the step, and when the room between it and a wall becomes too narrow for the ball.
"""

from __future__ import annotations

import numpy as np
import pytest

from carom._core.jit import kernel
from carom_breakout import state
from carom_breakout.levels import make_levels, shipped_levels
from carom_breakout.rules import begin, finish, play_eventfully, step
from carom_breakout.state import make_games, make_inputs, make_trace

GAMES, STEPS = 200, 600


@kernel
def play_hit_by_hit(games, levels, inputs, traces, dt):
    """Play as `rules.step` does, without its short way through quiet steps."""
    for g in range(len(games)):
        game, player, trace = games[g], inputs[g], traces[g]
        begin(game, trace, levels, player, False)
        lost, time = False, dt
        if game.mode == state.ACTIVE:
            lost, time = play_eventfully(game, trace, player, dt)
        finish(game, trace, levels, lost, time, False)


def plain(table):
    """The table as kernels take it."""
    return table.view(np.ndarray)


def as_bytes(table):
    """The bytes of each row."""
    return plain(table).view(np.uint8).reshape(len(table), -1)


@pytest.mark.parametrize("dt", [1 / 1000, 1 / 60, 1 / 15, 0.4])
@pytest.mark.parametrize("mouse", [False, True])
def test_a_quiet_step_is_played_as_any_other(dt, mouse):
    chance, levels = np.random.default_rng(round(1000 * dt) + mouse), make_levels(shipped_levels())
    games = np.concatenate([make_games(levels, range(GAMES // 8), level) for level in range(8)]).view(state.Rows)
    inputs, trace, expected_trace = make_inputs(GAMES), make_trace(GAMES), make_trace(GAMES)
    inputs.buttons = state.ENTER
    step(games, levels, inputs, dt, trace=trace)
    quiet = total = 0
    for k in range(STEPS):
        if k % 5 == 0:
            aim = games.ball[:, 0] + chance.uniform(-60, 60, GAMES)
            inputs.direction = np.sign(aim - games.paddle - games.paddle_width / 2)
            inputs.mouse = aim if mouse else np.nan
        inputs.buttons = np.where(chance.random(GAMES) < 0.2, state.RELEASE | state.ENTER, 0)
        expected = games.copy()
        play_hit_by_hit(plain(expected), levels, plain(inputs), plain(expected_trace), dt)
        step(games, levels, inputs, dt, trace=trace)
        for g in np.flatnonzero((as_bytes(games) != as_bytes(expected)).any(axis=1)):
            rounding = 2 * np.spacing(state.WIDTH) * (trace.paddle_pace[g] != 0.0)
            assert np.allclose(games.ball[g], expected.ball[g], rtol=0.0, atol=rounding)
            for name in set(games.dtype.names) - {"ball"}:
                assert games[name][g].tobytes() == expected[name][g].tobytes(), f"step {k}: {name}"
        for name in ("seen", "count", "start", "paddle_start", "paddle_width", "paddle_pace", "paddle_moved"):
            active = (games.mode == state.ACTIVE) & (trace.count == 0)
            assert np.array_equal(trace[name][active], expected_trace[name][active]), name
        quiet, total = quiet + int((trace.count == 0).sum()), total + GAMES
    assert 0.2 * total < quiet < total
