"""The thirteen flaws: each happens under the tutorial's physics where it should, and never under the exact one."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest

from carom_breakout.bricks import SLOP
from carom_breakout.flaws import FLAWS, careless, motion, show_flaw
from carom_breakout.flaws.motion import Pair
from carom_breakout.flaws.stage import play, set_scene
from carom_breakout.state import (
    BRICK_HIT,
    EXACT,
    LAUNCH_Y,
    PADDLE_HIT,
    SOLID_HIT,
    TUTORIAL,
    TUTORIAL_BOX,
    TUTORIAL_CIRCLE,
    TUTORIAL_PADDLE,
    TUTORIAL_RESOLUTION,
)

getcontext().prec = 40
STEPS = [1 / 1000, 1 / 144, 1 / 60, 1 / 30, 1 / 15, 1 / 4, 1 / 2]
SPEEDS = [150.0, 364.0, 600.0, 3_000.0, 20_000.0, 100_000.0]
GRID = [(dt, speed) for dt in STEPS for speed in SPEEDS]


def each(scene) -> list[tuple[float, Pair]]:
    """Play a scene at all steps and speeds; return the length of a step in pixels with it."""
    return [(dt * speed, scene(dt, speed)) for dt, speed in GRID]


def between(low: float, high: float, pairs: list[tuple[float, Pair]]) -> list[Pair]:
    """Return the pairs whose step is so long in pixels; there must be some."""
    chosen = [pair for step, pair in pairs if low < step < high]
    assert len(chosen) >= 3
    return chosen


def assert_exact(pairs: list[tuple[float, Pair]], normal: tuple[float, float]) -> None:
    """Under exact physics the first normal is the true one and nothing ever overlaps, at any step and speed."""
    for _, pair in pairs:
        assert (pair.exact.numbers["normal_x"], pair.exact.numbers["normal_y"]) == pytest.approx(normal, abs=1e-9)
        assert pair.exact.numbers["deepest"] <= SLOP


def test_1_tunnelling():
    pairs = each(motion.tunnelling)
    assert_exact(pairs, (0.0, 1.0))
    assert all(pair.exact.numbers["bricks_hit"] == 1 for _, pair in pairs)
    assert all(pair.tutorial.numbers["bricks_hit"] == 0 for pair in between(67.0, math.inf, pairs))
    assert all(pair.tutorial.numbers["bricks_hit"] == 1 for pair in between(0.0, 60.0, pairs))


@pytest.mark.parametrize(("rows", "columns", "figure"), [(8, 15, 0.177), (9, 13, 0.166), (6, 13, 0.214)])
def test_1_the_longest_safe_step_is_the_figure_of_the_survey(rows, columns, figure):
    """At launch speed a brick can be skipped beyond 0.177 s in grids of 8 rows, 0.166 s in 9, 0.214 s in 6."""
    needed = (300 // rows + 25.0) / -LAUNCH_Y
    assert needed == pytest.approx(figure, abs=0.001)
    grid = [["0"] * columns for _ in range(rows)]
    grid[rows - 2][columns // 2], grid[0][0] = "1", "2"
    text = " / ".join(" ".join(row) for row in grid)
    x = (columns // 2 + 0.5) * 800.0 / columns
    for dt, misses in ((needed * 0.999, False), (needed * 1.02, True)):
        hits = []
        for start in np.linspace(320.0, 320.0 + 350.0 * dt, 200, endpoint=False):
            film = play(set_scene(text, (x, start), (0.0, LAUNCH_Y)), TUTORIAL, dt, 3)
            hits.append(SOLID_HIT in film.kinds)
        assert (not all(hits)) == misses


def test_1_the_paddle_is_skipped_beyond_0_129_seconds():
    needed = (20.0 + 25.0) / -LAUNCH_Y
    assert needed == pytest.approx(0.129, abs=0.001)
    for dt, misses in ((needed * 0.999, False), (needed * 1.02, True)):
        starts = np.linspace(500.0, 500.0 + 350.0 * dt, 200, endpoint=False)
        films = [play(set_scene("2", (400.0, y), (0.0, 350.0)), TUTORIAL, dt, 3) for y in starts]
        assert (not all(PADDLE_HIT in film.kinds for film in films)) == misses
        exact = [play(set_scene("2", (400.0, y), (0.0, 350.0)), EXACT, dt, 3) for y in starts]
        assert all(film.kinds[0] == PADDLE_HIT for film in exact)


def test_1_speed_items_alone_are_enough_at_60_frames():
    """Twelve to fifteen of them make a step at launch speed longer than brick and ball."""
    factors = [350.0 * 1.2**k / 60 for k in range(20)]
    first = next(k for k, step in enumerate(factors) if step > 33 + 25.0 - 6.0)
    assert 12 <= first <= 15
    pair = motion.tunnelling(1 / 60, 350.0 * 1.2**14)
    assert (pair.tutorial.numbers["bricks_hit"], pair.exact.numbers["bricks_hit"]) == (0, 1)


def test_2_centre_inside():
    pairs = each(motion.centre_inside)
    assert_exact(pairs, (-1.0, 0.0))
    for pair in between(15.0, 90.0, pairs):
        assert pair.tutorial.numbers["velocity_x"] > 0.0
        assert pair.tutorial.numbers["deepest"] > 12.5
    for pair in between(0.0, 90.0, pairs):
        assert pair.exact.numbers["velocity_x"] < 0.0


def test_2_a_ball_centred_inside_is_pushed_down_by_its_radius():
    for x, y, vx, vy in ((210.0, 112.0, 300.0, 5.0), (300.0, 80.0, 0.0, 50.0), (390.0, 145.0, -100.0, 0.0)):
        film = play(set_scene("0 0 0 0 / 0 1 0 0 / 0 0 0 0 / 2 0 0 0", (x, y), (vx, vy)), TUTORIAL, 1e-9)
        assert film.game.ball == pytest.approx(np.array([x, y + 12.5]), abs=1e-5)
        assert film.game.velocity.tolist() == [vx, -vy]


def test_3_double_hit():
    pairs = each(motion.double_hit)
    # Both corners of the gap are 10 px from its middle line; the way is 1 px aside of that at the place aimed at.
    assert_exact(pairs, tuple(corner_normal((411.0, 275.0), (-0.1, -0.995), (420.0, 270.0))))
    for pair in between(7.6, 20.0, pairs):
        assert pair.tutorial.numbers["velocity_y"] < 0.0
        assert pair.tutorial.numbers["hits"] >= 2
        assert pair.tutorial.numbers["deepest"] > 2.0
        assert pair.exact.numbers["velocity_y"] > 0.0


def corner_normal(place, direction, corner) -> list[float]:
    """The normal at which a ball that would pass a place in this direction meets a corner, to 40 digits."""
    px, py = (Decimal(p) - Decimal(c) for p, c in zip(place, corner, strict=True))
    dx, dy = map(Decimal, direction)
    a, half_b = dx * dx + dy * dy, px * dx + py * dy
    time = (-half_b - (half_b**2 - a * (px * px + py * py - Decimal("12.5") ** 2)).sqrt()) / a
    return [float((p + d * time) / Decimal("12.5")) for p, d in ((px, dx), (py, dy))]


def test_4_ghost_edge():
    pairs = each(motion.ghost_edge)
    assert_exact(pairs, (0.0, 1.0))
    for pair in between(5.8, 100.0, pairs):
        assert pair.tutorial.numbers["side_hits"] >= 1
        assert pair.tutorial.numbers["velocity_x"] > 0.0
    for pair in between(0.0, 100.0, pairs):
        assert pair.exact.numbers["side_hits"] == 0
        assert pair.exact.numbers["velocity_x"] < 0.0


def test_5_corner():
    pairs = each(motion.corner)
    assert_exact(pairs, tuple(corner_normal((312.0, 206.0), (0.6, -0.8), (320.0, 200.0))))
    for pair in between(2.7, 60.0, pairs):
        assert pair.tutorial.numbers["leaves_at"] == pytest.approx(126.9)
        assert pair.exact.numbers["leaves_at"] == pytest.approx(207.2, abs=0.1)
        assert pair.tutorial.numbers["shift"] > pair.tutorial.numbers["depth"]


def test_6_not_repeatable():
    for dt, speed in GRID:
        if 1080.0 / (speed * dt) > 300.0:
            continue  # thousands of steps that tell no more
        exact = motion.not_repeatable(dt, speed).exact.numbers
        assert exact["frame_rate"] < 1e-7
        assert exact["brick_order"] < 1e-7
    tutorial = motion.not_repeatable().tutorial.numbers
    assert tutorial["frame_rate"] > 100.0
    assert tutorial["brick_order"] > 100.0


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_6_only_tutorial_particles_draw_from_the_stream_of_the_drops(physics):
    ends = [play(set_scene("2 0", (600.0, 400.0), (0.0, -1.0)), physics, 0.1 / n, n).game.drops for n in (1, 7)]
    assert (ends[0] == ends[1]) == (physics == EXACT)


def test_7_paddle_overlap():
    pairs = each(motion.paddle_overlap)
    assert_exact(pairs, (-1.0, 0.0))
    for pair in between(7.9, 100.0, pairs):
        assert pair.tutorial.numbers["velocity_y"] < 0.0
        assert pair.tutorial.numbers["frames_in_overlap"] >= 1
    for _, pair in pairs:
        assert pair.exact.numbers["frames_in_overlap"] == 0
    default = motion.paddle_overlap()
    assert default.tutorial.numbers["frames_in_overlap"] >= 2
    assert default.exact.numbers["velocity_y"] > 0.0


@pytest.mark.parametrize("dt", STEPS)
def test_8_past_the_wall(dt):
    pair = careless.past_the_wall(dt)
    # The paddle has 10 px to the wall, and two steps.
    reaches = 1000.0 * dt > 10.0
    beyond = pair.tutorial.numbers["beyond_the_wall"]
    assert beyond <= 500.0 * dt
    assert (beyond > 0.0) == reaches
    assert pair.exact.numbers["beyond_the_wall"] == (0.0 if reaches else pytest.approx(1000.0 * dt - 10.0))
    assert pair.tutorial.numbers["middle_moves_by"] == 25.0
    assert pair.exact.numbers["middle_moves_by"] == 0.0


def test_9_stuck_overlap():
    pairs = each(motion.stuck_overlap)
    assert_exact(pairs, (0.0, -1.0))
    for pair in between(8.1, 400.0, pairs):
        assert pair.tutorial.numbers["deepest"] == pytest.approx(8.0)
        assert pair.tutorial.numbers["still_stuck"] == 1.0
    for _, pair in pairs:
        assert pair.exact.numbers["still_stuck"] == 0.0


def test_10_surviving_items():
    pair = careless.surviving_items()
    assert pair.tutorial.numbers == {"caught_in_the_menu": 1, "chaos": 1.0}
    assert pair.exact.numbers == {"caught_in_the_menu": 0, "chaos": 0.0}


def test_11_missing_level():
    pair = careless.missing_level()
    assert pair.tutorial.numbers == {"bricks_at_start": 6, "bricks_after_reset": 0, "won_at_once": 1.0}
    assert "cannot be read" in str(pair.exact.numbers["refusal"])


def test_12_ragged_level():
    pair = careless.ragged_level()
    assert pair.tutorial.numbers["bricks"] == 18
    assert "line 2: 3 bricks where line 1 has 6" in str(pair.exact.numbers["refusal"])


@pytest.mark.parametrize(("rows", "unused"), [(8, 4), (9, 3), (6, 0), (11, 3)])
def test_13_unused_rows(rows, unused):
    pair = careless.unused_rows(rows)
    assert pair.tutorial.numbers == {"brick_height": 300 // rows, "unused": unused}
    assert pair.exact.numbers["unused"] == pytest.approx(0.0, abs=1e-12)


def test_the_list_names_all_thirteen_flaws():
    assert [flaw.number for flaw in FLAWS] == list(range(1, 14))
    assert len({flaw.name for flaw in FLAWS}) == 13
    for flaw in FLAWS:
        assert flaw.summary.endswith(".")
        assert flaw.title


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_every_scene_can_be_drawn_and_comes_out_the_same_again(flaw):
    shown = show_flaw(flaw.name)
    left, top, width, height = shown.region
    assert width >= 140.0
    assert height >= 80.0
    for outcome in (shown.tutorial, shown.exact):
        assert outcome.says.endswith(".")
        kinds = {kind for _, kind in outcome.boxes}
        assert kinds <= {"brick", "solid", "broken", "paddle", "item"}
        for points in (outcome.places, *outcome.paths, [point for point, _ in outcome.hits]):
            assert np.all(np.isfinite(points))
        for _, normal in outcome.hits:
            assert math.hypot(*normal) == pytest.approx(1.0)
    seen = [p for p in shown.tutorial.places if left <= p[0] <= left + width and top <= p[1] <= top + height]
    assert len(seen) == len(shown.tutorial.places)
    again = show_flaw(str(flaw.number))
    assert (again.tutorial, again.exact) == (shown.tutorial, shown.exact)


def test_an_unknown_name_is_refused_with_the_choices():
    with pytest.raises(ValueError, match="name = 'gravity' is no flaw; there are tunnelling, centre-inside"):
        show_flaw("gravity")


def test_stages_1_and_2_do_not_bounce_and_stage_1_uses_the_box_of_the_ball():
    # Beside the corner of a brick: the ball's box overlaps it, the ball does not.
    rows = "2 0 0 / 0 0 0 / 0 2 0"
    beside = (266.0 - 10.0, 200.0 - 10.0)
    assert play(set_scene(rows, beside, (0.0, -0.001)), TUTORIAL_BOX).kinds == [BRICK_HIT]
    assert play(set_scene(rows, beside, (0.0, -0.001)), TUTORIAL_CIRCLE).kinds == []
    for stage in (TUTORIAL_BOX, TUTORIAL_CIRCLE):
        film = play(set_scene(rows, (400.0, 330.0), (0.0, -300.0)), stage, steps=30)
        assert film.kinds == [BRICK_HIT]
        assert film.game.velocity.tolist() == [0.0, -300.0]


@pytest.mark.parametrize("stage", [TUTORIAL_CIRCLE, TUTORIAL_RESOLUTION, TUTORIAL_PADDLE, TUTORIAL])
@pytest.mark.parametrize("inclusive", [False, True])
def test_touching_counts_only_where_the_test_is_inclusive(stage, inclusive):
    scene = set_scene("0 0 0 / 0 2 0 / 2 0 0", (400.0, 212.5), (0.0, 0.0))
    assert (play(scene, stage, inclusive=inclusive).kinds == [BRICK_HIT]) == inclusive
    assert play(set_scene("0 0 0 / 0 2 0 / 2 0 0", (400.0, 212.5), (0.0, 0.0)), TUTORIAL_BOX).kinds == [BRICK_HIT]


def test_stage_3_turns_shifts_and_flips_one_component():
    film = play(set_scene("0 0 0 / 0 1 0 / 2 0 0", (400.0, 215.0), (60.0, -300.0)), TUTORIAL_RESOLUTION)
    assert film.game.velocity.tolist() == [60.0, 300.0]
    assert film.game.ball.tolist() == [401.0, 212.5]
    film = play(set_scene("0 0 0 / 0 1 0 / 2 0 0", (258.0, 150.0), (300.0, 60.0)), TUTORIAL_RESOLUTION)
    assert film.game.velocity.tolist() == [-300.0, 60.0]
    assert film.game.ball[0] == pytest.approx(800 / 3 - 12.5)


def test_stage_4_sticks_to_the_paddle_and_stage_5_does_not():
    # Near the end of the paddle the ball leaves at a flatter angle than it came, so the next frame finds it inside.
    scene = set_scene("2 0 0 0", (445.0, 567.4), (0.0, 350.0))
    four = play(scene, TUTORIAL_PADDLE, 1 / 20, 6)
    five = play(scene, TUTORIAL, 1 / 20, 6)
    assert four.kinds.count(PADDLE_HIT) >= 2
    assert four.game.velocity[1] > 0.0
    assert four.game.ball[1] > 600.0
    assert five.game.velocity[1] < 0.0
    assert five.game.ball[1] < 520.0


def test_the_paddle_exists_from_stage_4_and_balls_are_lost_from_stage_5():
    for stage in (TUTORIAL_BOX, TUTORIAL_CIRCLE, TUTORIAL_RESOLUTION):
        assert PADDLE_HIT not in play(set_scene("2 0", (400.0, 560.0), (0.0, 300.0)), stage, steps=30).kinds
    for stage in range(TUTORIAL_BOX, TUTORIAL):
        film = play(set_scene("2 0", (700.0, 560.0), (0.0, 300.0)), stage, steps=60)
        assert film.game.lives == 3
        assert film.game.ball[1] > 800.0
    assert play(set_scene("2 0", (700.0, 560.0), (0.0, 300.0)), TUTORIAL, steps=60).game.lives == 2


def test_the_percentage_of_the_tutorial_is_not_limited_at_the_rim():
    film = play(set_scene("2 0", (343.0, 570.0), (0.0, 360.0)), TUTORIAL)
    percent = (343.0 - 400.0) / 50.0
    scale = 360.0 / math.hypot(200.0 * percent, 360.0)
    assert film.game.velocity == pytest.approx(np.array([200.0 * percent * scale, -360.0 * scale]))
