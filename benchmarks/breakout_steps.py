"""How many steps of Breakout a second, from one game to thousands in one call, and what a step of the window costs.

Every game is played: the paddle follows the ball, so that bricks break, lives are lost and power-ups fall as in a real
game. The tables of inputs are written inside the clock, as a player's would be. One thread.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from benchmarks.harness import Table, duration
from carom_breakout.levels import make_levels, shipped_levels
from carom_breakout.rules import step
from carom_breakout.state import (
    ACTIVE,
    BALL_RADIUS,
    ENTER,
    EXACT,
    RELEASE,
    TICK,
    TUTORIAL,
    make_games,
    make_inputs,
    make_trace,
)

SIZES = (1, 100, 10_000)
WARM_UP = 600  # ten seconds of play before the clock starts
BUDGET = 40_000  # steps of single games for each turn


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("physics", "games in a call", "a call", "steps a second")]
    for name, physics in (("exact", EXACT), ("tutorial", TUTORIAL)):
        for n in SIZES:
            seconds = time_of_a_call(n, physics, rounds)
            rows.append((name, f"{n:,}", duration(seconds), f"{n / seconds:,.0f}"))
    notes = f"Median of {rounds} turns, each step 1/60 s of play, the player's inputs included; one thread."
    return Table("Steps of Breakout", notes, rows)


def time_of_a_call(n: int, physics: int, rounds: int) -> float:
    levels = make_levels(shipped_levels())
    games = make_games(levels, range(n))
    inputs, trace = make_inputs(n), make_trace(n)
    ball, mode = games.ball[:, 0], games.mode
    mouse, buttons = inputs.mouse, inputs.buttons
    sway = np.random.default_rng(0).uniform(-BALL_RADIUS, BALL_RADIUS, n)

    def play(steps: int) -> None:
        for _ in range(steps):
            # Follow the ball a little off its centre, release it when it is stuck, and start where no game runs.
            np.add(ball, sway, out=mouse)
            buttons[:] = np.where(mode == ACTIVE, RELEASE, ENTER)
            step(games, levels, inputs, TICK, physics, trace)

    play(WARM_UP)
    steps = max(1, BUDGET // n)
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        play(steps)
        times.append((time.perf_counter() - started) / steps)
    assert games.score.max() > 0, "nobody played"
    return statistics.median(times)
