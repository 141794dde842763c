"""The seeded player clears every shipped level, in exact physics, and never for ever."""

from __future__ import annotations

import numpy as np
import pytest

from carom_breakout.autoplay import PLAN, choose, make_plans
from carom_breakout.levels import make_levels, shipped_levels
from carom_breakout.rules import step
from carom_breakout.state import LEVEL_WON, LIFE_LOST, PADDLE_TOP, WIN, make_games, make_inputs, make_trace

LONGEST = 60 * 60 * 15  # ticks: a quarter of an hour of play


def play_all(seeds: range) -> tuple[np.ndarray, np.ndarray]:
    """Play every level from every seed; return (levels, seeds): ticks to clear it, -1 for never; lives lost."""
    levels = shipped_levels()
    table, n = make_levels(levels), len(levels) * len(seeds)
    games = np.concatenate([make_games(table, seeds, level) for level in range(len(levels))]).view(np.recarray)
    plans, inputs, trace = make_plans([*seeds] * len(levels)), make_inputs(n), make_trace(n)
    ticks, lost = np.full(n, -1), np.zeros(n, int)
    for tick in range(1, LONGEST + 1):
        choose(games, plans, inputs)
        inputs.buttons[games.mode == WIN] = 0  # wait there for the others
        step(games, table, inputs, trace=trace)
        ticks[(trace.seen & (1 << LEVEL_WON) != 0) & (ticks < 0)] = tick
        lost += trace.seen & (1 << LIFE_LOST) != 0
        if np.all(ticks > 0):
            break
    assert np.all(games.stalls == 0)
    return ticks.reshape(len(levels), -1), lost.reshape(len(levels), -1)


def check(seeds: range) -> None:
    ticks, lost = play_all(seeds)
    never = [(shipped_levels()[level].name, seeds[k]) for level, k in np.argwhere(ticks < 0)]
    assert not never, f"not cleared within {LONGEST} ticks: {never}"
    assert lost.mean() < 0.1


def test_autoplay_clears_every_level_from_some_seeds():
    check(range(0, 100, 25))


@pytest.mark.full
def test_autoplay_clears_every_level_from_seeds_0_to_99():
    check(range(100))


def test_the_same_seed_plays_the_same_way_and_another_does_not():
    plans = make_plans([3, 4])
    again = make_plans([3])
    assert plans.dtype.itemsize == PLAN.itemsize
    table = make_levels(shipped_levels())
    games, inputs = make_games(table, [9, 9]), make_inputs(2)
    alone, one = make_games(table, [9]), make_inputs(1)
    for _ in range(600):
        choose(games, plans, inputs)
        choose(alone, again, one)
        assert inputs[0].tobytes() == one[0].tobytes()
        step(games, table, inputs)
        step(alone, table, one)
    assert games[0].tobytes() == alone[0].tobytes()
    assert games[0].tobytes() != games[1].tobytes()


def test_autoplay_predicts_where_the_ball_lands_after_wall_bounces():
    table = make_levels(shipped_levels())
    games, plans, inputs = make_games(table, [1]), make_plans([1]), make_inputs(1)
    game = games[0]
    game.mode, game.stuck = 1, 0
    for x, vx in ((400.0, 30.0), (700.0, 300.0), (100.0, -350.0), (400.0, 3000.0)):
        game.ball[:] = x, 350.0
        game.velocity[:] = vx, 250.0
        plans.decided, plans.aim = 1, 0.0
        choose(games, plans, inputs)
        place, speed = x, vx
        for _ in range(1000):
            place += speed * (PADDLE_TOP - 12.5 - 350.0) / 250.0 / 1000
            if not 12.5 <= place <= 787.5:
                place, speed = min(max(place, 12.5), 787.5) * 2 - place, -speed
        assert inputs[0].mouse == pytest.approx(place, abs=1e-6)
