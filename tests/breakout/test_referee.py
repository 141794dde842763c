"""The referee: nothing to count in exact games, the right count for each flaw, and no eye closed for either physics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom_breakout.autoplay import choose, make_plans
from carom_breakout.flaws.stage import Scene, set_scene
from carom_breakout.levels import make_levels, shipped_levels
from carom_breakout.referee import Referee, Tally
from carom_breakout.rules import step
from carom_breakout.state import (
    BRICK_HIT,
    CAUGHT,
    EXACT,
    LEVEL_LOADED,
    PADDLE_HIT,
    STICKY,
    TICK,
    TUTORIAL,
    WALL_HIT,
    make_games,
    make_inputs,
    make_trace,
)


def judged(scene: Scene, physics: int, dt: float, steps: int = 1, direction: int = 0) -> Tally:
    games, referee = scene.games.copy(), Referee(scene.levels, physics)
    inputs, trace = make_inputs(1), make_trace(1)
    inputs.direction = direction
    for _ in range(steps):
        before = games.copy()
        step(games, scene.levels, inputs, dt, physics, trace)
        referee.judge(before, games, trace, dt)
    return referee.tally


def autoplayed(level: int, physics: int, ticks: int, dt: float = TICK) -> Tally:
    table = make_levels(shipped_levels())
    games, plans = make_games(table, [level], level), make_plans([level])
    inputs, trace, referee = make_inputs(1), make_trace(1), Referee(table, physics)
    for k in range(ticks):
        choose(games, plans, inputs)
        if k % 97 < 20:  # keys now and then, so that sides and corners of the moving paddle are met, too
            inputs[0] = (1 if k % 194 < 97 else -1, math.nan, inputs[0].buttons)
        before = games.copy()
        step(games, table, inputs, dt, physics, trace)
        referee.judge(before, games, trace, dt)
    return referee.tally


@pytest.mark.parametrize("level", range(len(shipped_levels())))
def test_exact_games_have_nothing_to_count(level):
    tally = autoplayed(level, EXACT, 1200)
    assert tally == Tally(frames=tally.frames)
    assert tally.frames > 800


@pytest.mark.full
@pytest.mark.parametrize("dt", [1 / 144, 1 / 60, 1 / 20, 1 / 4])
@pytest.mark.parametrize("level", range(len(shipped_levels())))
def test_long_exact_games_have_nothing_to_count(level, dt):
    tally = autoplayed(level, EXACT, 20_000, dt)
    assert tally == Tally(frames=tally.frames)


def test_tutorial_games_have_flaws_to_count():
    tallies = [autoplayed(level, TUTORIAL, 1500) for level in range(len(shipped_levels()))]
    for name in ("tunnelled", "double_hits", "wrong_normals", "overlap_frames"):
        assert sum(getattr(tally, name) for tally in tallies) > 0
    slow = [autoplayed(level, TUTORIAL, 300, 1 / 12) for level in range(len(shipped_levels()))]
    assert sum(tally.tunnelled for tally in slow) > sum(tally.tunnelled for tally in tallies)


CORNER = "0 0 0 0 0 / 0 0 1 0 0 / 2 0 0 0 0"
ROW = "1 1 1 1 / 0 0 0 0 / 0 0 0 2"


@pytest.mark.parametrize(
    ("scene", "dt", "expected"),
    [
        # (tunnelled, double hits, wrong normals, frames in overlap) of one step of the tutorial
        (lambda: set_scene(CORNER, (400.0, 220.0), (0.0, -300.0)), 0.5, (1, 0, 0, 0)),
        (lambda: set_scene("2 0", (600.0, 565.0), (0.0, 400.0), 550.0), 0.2, (1, 0, 0, 0)),
        (lambda: set_scene(CORNER, (306.0, 214.0), (360.0, -480.0)), 1 / 60, (0, 0, 1, 0)),
        (lambda: set_scene(ROW, (411.4, 114.63), (-144.0, -458.0)), 1 / 60, (0, 0, 1, 0)),
        (lambda: set_scene(CORNER, (400.0, 205.0), (0.0, 60.0)), 1 / 60, (0, 1, 0, 0)),
        (lambda: set_scene("2 0", (400.0, 567.0), (0.0, 300.0)), 1 / 60, (0, 0, 0, 1)),
        (lambda: set_scene("2 0", (337.3, 586.2), (384.0, 288.0)), 1 / 60, (0, 0, 1, 1)),
        (lambda: set_scene(CORNER, (400.0, 214.0), (0.0, -300.0)), 1 / 60, (0, 0, 0, 0)),
        (lambda: set_scene(CORNER, (20.0, 400.0), (-900.0, 0.0)), 1 / 60, (0, 0, 0, 0)),
    ],
    ids=["through a brick", "through the paddle", "corner", "ghost edge", "leaving", "deep", "side", "fine", "wall"],
)
def test_each_flaw_is_counted_under_its_own_name(scene, dt, expected):
    assert judged(scene(), TUTORIAL, dt)[1:] == expected
    if expected != (0, 1, 0, 0):  # a start in overlap is no scene for exact physics
        assert judged(scene(), EXACT, dt) == Tally(frames=1)


def test_an_exact_step_with_many_hits_is_judged_leg_by_leg():
    room = "2 1 1 1 1 1 1 2 / 1 0 0 0 0 0 0 1 / 1 0 0 1 0 0 0 1 / 1 0 2 0 0 1 0 1 / 1 1 1 1 1 1 1 1"
    assert judged(set_scene(room, (250.0, 80.0), (4000.0, -3100.0)), EXACT, 1 / 4, 4) == Tally(frames=4)


def test_a_ball_held_in_the_paddle_counts_in_every_frame():
    scene = set_scene("2 0", (400.0, 575.0), (0.0, -1.0), effects=1 << STICKY)
    scene.games[0].stuck = CAUGHT
    assert judged(scene, TUTORIAL, 1 / 60, 5) == Tally(5, 0, 0, 0, 5)


@pytest.mark.parametrize(
    ("forge", "field"),
    [
        (lambda event, _: event.__setitem__("normal", (0.6, 0.8)), "wrong_normals"),
        (lambda event, _: event.__setitem__("normal", -event["normal"]), "double_hits"),
        (lambda event, _: event.__setitem__("kind", LEVEL_LOADED), "tunnelled"),
        (lambda _, after: after[0].ball.__setitem__(slice(None), (400.0, 150.0)), "overlap_frames"),
    ],
    ids=["normal", "leaving", "unnoticed", "overlap"],
)
def test_the_referee_measures_exact_physics_too(forge, field):
    # The same referee finds what is wrong when the step of an exact game is tampered with.
    scene = set_scene("0 0 0 / 0 2 0 / 2 0 0", (400.0, 214.0), (0.0, -300.0))
    games, referee, trace = scene.games.copy(), Referee(scene.levels, EXACT), make_trace(1)
    step(games, scene.levels, make_inputs(1), 1 / 60, EXACT, trace)
    assert trace.events[0, 0]["kind"] == BRICK_HIT
    if field == "overlap_frames":
        games[0].bricks[4] = 2
    if field == "tunnelled":
        trace[0].end[:] = 400.0, 190.0
    forge(trace.events[0, 0], games)
    referee.judge(scene.games, games, trace, 1 / 60)
    assert getattr(referee.tally, field) == 1


def test_hits_of_the_moving_paddle_are_judged_in_its_frame():
    for direction, x in ((-1, 330.0), (1, 470.0)):
        scene = set_scene("2 0", (x, 590.0), (0.0, 1.0))
        games, referee, trace, inputs = scene.games, Referee(scene.levels, EXACT), make_trace(1), make_inputs(1)
        inputs.direction = direction
        kinds: list[int] = []
        for _ in range(3):
            before = games.copy()
            step(games, scene.levels, inputs, 1 / 60, EXACT, trace)
            kinds += trace.events[0, : trace[0].count]["kind"].tolist()
            referee.judge(before, games, trace, 1 / 60)
        assert PADDLE_HIT in kinds
        assert WALL_HIT not in kinds
        assert referee.tally == Tally(frames=3)
        assert np.sign(games[0].velocity[0]) == direction
