"""The rules around the ball: states, lives, score, power-ups and timers; games in a batch and their random streams."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from carom_breakout import rules, state
from carom_breakout.autoplay import choose, make_plans
from carom_breakout.flaws.stage import Scene, set_scene
from carom_breakout.levels import make_levels, parse_level, shipped_levels
from carom_breakout.rules import step
from carom_breakout.state import (
    ACTIVE,
    CAUGHT,
    CHAOS,
    CONFUSE,
    EFFECT_ENDED,
    ENTER,
    EXACT,
    FREE,
    GAME_OVER,
    ITEM_CAUGHT,
    ITEM_DROPPED,
    ITEMS,
    LASTS,
    LEVEL_LOADED,
    LEVEL_WON,
    LIFE_LOST,
    LIVES,
    MENU,
    NEXT,
    ONE_IN,
    PADDLE_TOP,
    PASS_THROUGH,
    PAUSE,
    PAUSED,
    PREVIOUS,
    RELEASE,
    SERVED,
    SHAKE_TIME,
    SOLID_HIT,
    SPEED,
    STICKY,
    TICK,
    TUTORIAL,
    WIN,
    digest,
    events,
    make_games,
    make_inputs,
    make_trace,
    next_random,
    stream,
)
from tests.support.plain_python import printed_by_other_mode

LEVELS = [parse_level("2 3 1\n4 5 6", "first"), parse_level("2", "second"), parse_level("0 2", "third")]


class Board:
    """One game to press buttons at."""

    def __init__(self, physics: int = EXACT, levels=LEVELS, seed: int = 3) -> None:
        self.table, self.physics = make_levels(levels), physics
        self.games, self.trace, self.inputs = make_games(self.table, [seed]), make_trace(1), make_inputs(1)
        self.game = self.games[0]

    def press(self, buttons: int = 0, steps: int = 1, dt: float = TICK) -> list[int]:
        """Step with the buttons pressed in the first step; return the kinds of all events."""
        kinds: list[int] = []
        for k in range(steps):
            self.inputs.buttons = buttons if k == 0 else 0
            step(self.games, self.table, self.inputs, dt, self.physics, self.trace)
            kinds += events(self.trace, 0)["kind"].tolist()
        return kinds


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_the_menu_offers_the_levels_in_a_ring(physics):
    board = Board(physics)
    assert board.game.mode == MENU
    seen = []
    for button in (NEXT, NEXT, NEXT, PREVIOUS, PREVIOUS):
        assert board.press(button) == [LEVEL_LOADED]
        seen.append(int(board.game.level))
    assert seen == [1, 2, 0, 2, 1]
    assert board.game.remaining == 1
    assert board.game.bricks[:3].tolist() == [2, 0, 0]
    board.press(RELEASE | PAUSE)
    assert (board.game.mode, board.game.stuck) == (MENU, SERVED)
    board.press(ENTER)
    assert board.game.mode == ACTIVE
    board.press(NEXT)
    assert board.game.level == 1


def test_nothing_moves_in_the_menu_or_in_a_pause():
    board = Board()
    board.inputs.direction = 1
    before = board.game.copy()
    board.press(steps=10)
    assert board.game.paddle == before.paddle
    board.press(ENTER)
    board.press(RELEASE, steps=5)
    board.press(PAUSE)
    assert board.game.mode == PAUSED
    ball = board.game.ball.copy()
    board.press(steps=10)
    board.press(ENTER | RELEASE | NEXT)
    assert board.game.mode == PAUSED
    assert board.game.ball.tolist() == ball.tolist()
    board.press(PAUSE)
    assert board.game.mode == ACTIVE
    assert board.game.ball.tolist() != ball.tolist()


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_the_ball_is_served_on_the_moving_paddle(physics):
    board = Board(physics)
    board.press(ENTER)
    board.inputs.direction = 1
    board.press(steps=12)
    assert board.game.stuck == SERVED
    assert board.game.ball.tolist() == pytest.approx([500.0, 567.5])
    board.inputs.direction = 0
    board.press(RELEASE)
    assert board.game.stuck == FREE
    assert board.game.ball.tolist() == pytest.approx([500.0 + 100.0 / 60, 567.5 - 350.0 / 60])


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_after_three_lives_the_menu_shows_the_level_whole_again(physics):
    board = Board(physics)
    board.press(ENTER)
    board.game.bricks[0] = 0
    board.game.remaining -= 1
    kinds: list[int] = []
    for life in (2, 1, 0):
        board.game.stuck = FREE
        board.game.ball[:] = 700.0, 600.0
        board.game.velocity[:] = 0.0, 400.0
        board.game.effects = 1 << STICKY
        kinds = board.press(steps=10)
        assert LIFE_LOST in kinds
        if life:
            assert board.game.lives == life
            assert (board.game.mode, board.game.stuck, board.game.effects) == (ACTIVE, SERVED, 0)
            assert board.game.bricks[0] == 0
    assert GAME_OVER in kinds
    assert (board.game.mode, board.game.lives, board.game.remaining) == (MENU, LIVES, 5)
    assert board.game.bricks[0] == 2


def clear(board: Board) -> list[int]:
    """Let the ball break the last brick of the second level."""
    board.game.stuck = FREE
    board.game.ball[:] = 400.0, 330.0
    board.game.velocity[:] = 0.0, -400.0
    return board.press(steps=6)


def test_a_cleared_level_gives_points_and_leads_to_the_next():
    board = Board()
    board.press(NEXT)
    board.press(ENTER)
    board.game.lives = 2
    assert LEVEL_WON in clear(board)
    assert board.game.mode == WIN
    assert board.game.effects == 1 << CHAOS
    assert board.game.score == 10 + 250 + 2 * 100
    board.press(ENTER)
    assert (board.game.mode, board.game.level, board.game.effects) == (ACTIVE, 2, 0)
    assert (board.game.lives, board.game.score, board.game.remaining) == (2, 460, 1)
    assert board.game.stuck == SERVED


def test_in_the_tutorial_a_cleared_level_leads_back_to_the_menu():
    board = Board(TUTORIAL)
    board.press(NEXT)
    board.press(ENTER)
    board.game.lives = 2
    assert LEVEL_WON in clear(board)
    assert (board.game.mode, board.game.lives, board.game.remaining) == (WIN, 3, 1)
    board.press(ENTER)
    assert (board.game.mode, board.game.level, board.game.effects) == (MENU, 1, 0)


@pytest.mark.parametrize(("code", "points"), [(2, 10), (3, 20), (4, 30), (5, 40), (6, 50), (77, 50)])
def test_each_brick_gives_its_points(code, points):
    board = Board(levels=[parse_level(f"2\n{code}", "bricks")])
    board.press(ENTER)
    clear(board)
    assert board.game.score == points


def test_the_score_of_a_run_stands_until_the_next_begins():
    board = Board()
    board.press(ENTER)
    board.game.score = 120
    board.game.lives = 1
    board.game.stuck = FREE
    board.game.ball[:] = 700.0, 611.0
    board.game.velocity[:] = 0.0, 400.0
    board.press(steps=3)
    assert (board.game.mode, board.game.score) == (MENU, 120)
    board.press(ENTER)
    assert board.game.score == 0


def test_a_solid_brick_shakes_the_field_for_a_moment():
    board = Board(levels=[parse_level("1 2", "solid")])
    board.press(ENTER)
    board.game.stuck = FREE
    board.game.ball[:] = 200.0, 313.0
    board.game.velocity[:] = 0.0, -400.0
    assert board.press() == [SOLID_HIT]
    assert board.game.shake == pytest.approx(SHAKE_TIME - TICK)
    board.press(steps=3)
    assert board.game.shake == 0.0


def drop_on_paddle(board: Board, kind: int) -> list[int]:
    """Let one item fall the last pixels onto the paddle."""
    k = board.game.falling
    board.game.falling = k + 1
    board.game.items[k].kind = kind
    board.game.items[k].position[:] = board.game.paddle, PADDLE_TOP - 21.0
    return board.press()


def in_play(physics: int = EXACT) -> Board:
    board = Board(physics)
    board.press(ENTER)
    board.game.stuck = FREE
    board.game.ball[:] = 400.0, 450.0
    board.game.velocity[:] = 0.0, -1.0
    return board


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
@pytest.mark.parametrize("kind", [STICKY, PASS_THROUGH, CONFUSE, CHAOS])
def test_a_timed_effect_lasts_its_time_and_a_second_one_restarts_it(kind, physics):
    board = in_play(physics)
    step_ = 1 / 8
    while not board.game.effects:
        if board.game.falling == 0:
            board.game.falling = 1
            board.game.items[0].kind = kind
            board.game.items[0].position[:] = board.game.paddle, PADDLE_TOP - 21.0
        kinds = board.press(dt=step_)
    assert ITEM_CAUGHT in kinds
    assert board.game.effects == board.game.running == 1 << kind
    whole = LASTS[kind]
    board.press(steps=40, dt=step_)
    assert board.game.timers[kind] == pytest.approx(whole - 5.0, abs=2 * step_)
    board.game.falling = 1
    board.game.items[0].kind = kind
    board.game.items[0].position[:] = board.game.paddle, PADDLE_TOP - 19.0
    board.press(dt=step_)
    assert board.game.timers[kind] == pytest.approx(whole, abs=2 * step_)
    board.game.velocity[:] = 0.0, -0.01
    kinds = board.press(steps=int(whole / step_) + 1, dt=step_)
    assert kinds.count(EFFECT_ENDED) == 1
    assert board.game.effects == board.game.running == 0


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
@pytest.mark.parametrize(("first", "second"), [(CONFUSE, CHAOS), (CHAOS, CONFUSE)])
def test_confuse_and_chaos_shut_each_other_out(first, second, physics):
    board = in_play(physics)
    drop_on_paddle(board, first)
    for _ in range(3):
        drop_on_paddle(board, second)
    assert board.game.effects == 1 << first
    assert bool(board.game.running & (1 << second)) == (physics == TUTORIAL)


def test_speed_items_stack_until_the_life_is_lost():
    board = in_play()
    board.game.velocity[:] = 3.0, -4.0
    board.game.speed = 5.0
    drop_on_paddle(board, SPEED)
    drop_on_paddle(board, SPEED)
    board.press(steps=3)
    assert board.game.velocity.tolist() == pytest.approx([3.0 * 1.44, -4.0 * 1.44])
    assert board.game.speed == pytest.approx(5.0 * 1.44)
    board.game.ball[1] = 611.0
    board.game.velocity[:] = 0.0, 400.0
    board.press(steps=3)
    assert board.game.speed == state.LAUNCH_SPEED


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_items_are_lost_below_the_field(physics):
    board = in_play(physics)
    board.game.falling = 2
    board.game.items[0].position[:] = 10.0, 570.0
    board.game.items[1].position[:] = 600.0, 100.0
    board.game.items[1].kind = CHAOS
    kinds = board.press(steps=20)
    assert ITEM_CAUGHT not in kinds
    assert board.game.falling == 1
    assert board.game.items[0].kind == CHAOS
    assert board.game.items[0].position[1] == pytest.approx(100.0 + 150.0 * 20 / 60)


@pytest.mark.parametrize("dt", [1 / 1000, 1 / 60, 1 / 2])
@pytest.mark.parametrize("direction", [-1, 1])
def test_no_step_is_too_long_to_catch_an_item(dt, direction):
    # The paddle sweeps under the item for a moment only; or, standing still, the item falls past it in one step.
    scene = set_scene("2", (400.0, 400.0), (0.0, -1.0), 350.0)
    game = scene.games[0]
    game.falling = 1
    game.items[0].kind = SPEED
    game.items[0].position[:] = 370.0 + direction * 150.0, PADDLE_TOP - 20.0 - 30.0
    inputs, trace, caught = make_inputs(1), make_trace(1), False
    inputs.direction = direction
    for _ in range(int(0.5 / dt)):
        step(scene.games, scene.levels, inputs, dt, EXACT, trace)
        caught = caught or bool(trace[0].seen & (1 << ITEM_CAUGHT))
    assert caught
    time = next(e["time"] for e in events(trace, 0)) if dt == 1 / 2 else 0.2
    assert time >= 0.2 - 1e-9


def test_drops_come_as_often_as_they_should():
    n, rows = 400, 20
    table = make_levels([parse_level("\n".join(["2 " * 20] * rows), "wall")])
    games = make_games(table, range(n))
    games.mode, games.stuck, games.effects = ACTIVE, FREE, 1 << PASS_THROUGH
    games.ball = np.stack((np.linspace(20, 780, n), np.full(n, 320.0)), axis=1)
    games.velocity = 0.0, -1.0
    kinds: Counter[int] = Counter()
    broken = 0
    inputs, trace = make_inputs(n), make_trace(n)
    for _ in range(300):
        games.velocity[:, 1] = -90.0
        games.falling = 0
        step(games, table, inputs, 1 / 60, EXACT, trace)
        for g in np.flatnonzero(trace.seen & (1 << ITEM_DROPPED)):
            happened = events(trace, g)
            kinds.update(happened["subject"][happened["kind"] == ITEM_DROPPED].tolist())
    broken = int((table.destructible[0] - games.remaining).sum())
    assert broken > 10_000
    for kind in range(len(ONE_IN)):
        expected = broken / ONE_IN[kind]
        assert abs(kinds[kind] - expected) < 5 * np.sqrt(expected)


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_a_game_without_power_ups_goes_the_same_way_and_drops_none(physics: int):
    """The ways are those of games whose falling power-ups are taken away before they can be caught."""
    table, seeds = make_levels(shipped_levels()), range(40)
    with_drops, without = make_games(table, seeds), make_games(table, seeds, power_ups=False)
    inputs, trace, dropped = make_inputs(40), make_trace(40), 0
    for tick in range(900):
        inputs.buttons = ENTER if tick == 0 else RELEASE
        inputs.mouse = np.clip(without.ball[:, 0], 60.0, 740.0)
        with_drops.falling = 0
        step(with_drops, table, inputs, 1 / 60, physics, trace)
        dropped += int(np.count_nonzero(trace.seen & (1 << ITEM_DROPPED)))
        step(without, table, inputs, 1 / 60, physics, trace)
        assert not (trace.seen & (1 << ITEM_DROPPED)).any() and not without.falling.any()
    assert dropped > 20
    for name in ("ball", "velocity", "bricks", "score", "lives", "effects"):
        assert np.array_equal(with_drops[name], without[name]), name
    assert not without.drops.any()


def test_a_full_list_of_items_leaves_further_drops_out():
    board = Board(levels=[parse_level("2\n" * 20, "column")])
    board.press(ENTER)
    board.game.stuck, board.game.effects = FREE, 1 << PASS_THROUGH
    board.game.falling = ITEMS
    board.game.items["position"][:] = 10.0, 50.0
    board.game.ball[:] = 400.0, 290.0
    board.game.velocity[:] = 0.0, -2000.0
    board.press(dt=0.1)
    assert board.game.remaining < 10
    assert board.game.falling == ITEMS


def test_a_ball_that_goes_nowhere_is_turned():
    scene = set_scene("2 0 0", (400.0, 450.0), (400.0, 1e-6), 350.0)
    vertical = []
    trace = make_trace(1)
    for _ in range(60 * 25):
        step(scene.games, scene.levels, make_inputs(1), trace=trace)
        vertical.append(abs(scene.games[0].velocity[1]))
        if trace[0].seen & (1 << state.BALL_TURNED):
            break
    assert len(vertical) == pytest.approx(600, abs=2)
    assert vertical[-1] == pytest.approx(400.0 * 0.28)
    assert np.linalg.norm(scene.games[0].velocity) == pytest.approx(400.0)


def autoplayed(seeds: list[int], steps: int, physics: int = EXACT, dt: float = TICK) -> list[str]:
    table = make_levels(shipped_levels())
    games, plans, inputs = make_games(table, seeds), make_plans(seeds), make_inputs(len(seeds))
    for _ in range(steps):
        choose(games, plans, inputs)
        step(games, table, inputs, dt, physics)
    return [digest(games, row) for row in range(len(seeds))]


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_a_game_is_the_same_alone_and_in_a_batch(physics):
    together = autoplayed([5, 6, 7, 5], 700, physics)
    assert together[0] == together[3]
    assert len(set(together)) == 3
    assert together[2] == autoplayed([7], 700, physics)[0]


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_compiled_and_plain_play_the_same_game_bit_for_bit(physics):
    code = f"from tests.breakout.test_rules import autoplayed; print(*autoplayed([1, 2], 500, {physics}))"
    assert printed_by_other_mode(code).split() == autoplayed([1, 2], 500, physics)


def test_streams_of_different_seeds_and_purposes_share_nothing():
    starts = {stream(seed, purpose) for seed in range(500) for purpose in ("drops", "particles", "autoplay")}
    assert len(starts) == 1500
    assert all(0 < start < 2**32 for start in starts)
    assert stream(7, "drops") == stream(7, "drops")


def test_the_generator_is_marsaglias_xorshift():
    # First values for the seed of the paper's example, 2463534242.
    numbers = [2463534242]
    for _ in range(3):
        numbers.append(int(next_random(numbers[-1])))
    assert numbers[1:] == [723471715, 2497366906, 2064144800]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dt": 0.0}, "dt = 0.0 must be a positive number"),
        ({"dt": float("nan")}, "dt = nan"),
        ({"dt": float("inf")}, "dt = inf"),
        ({"physics": 6}, "physics = 6 must be EXACT"),
        ({"inputs": make_inputs(2)}, "inputs has 2 rows, there are 3 games"),
        ({"trace": make_trace(2)}, "trace has 2 rows, there are 3 games"),
    ],
)
def test_games_tables_and_inputs_that_do_not_fit_are_refused(change, message):
    table = make_levels(LEVELS)
    games = make_games(table, [1, 2, 3])
    before = games.copy()
    with pytest.raises(ValueError, match=message):
        step(games, table, **{"inputs": make_inputs(3), **change})
    assert games.tobytes() == before.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"games": make_games(make_levels(LEVELS), range(6))[::2]},
        {"inputs": make_inputs(6)[::2]},
        {"inputs": np.zeros(3)},
        {"trace": make_games(make_levels(LEVELS), range(3))},
    ],
)
def test_tables_with_other_columns_are_refused_before_compilation(change):
    tables = {"games": make_games(make_levels(LEVELS), range(3)), "inputs": make_inputs(3), **change}
    with pytest.raises(TypeError, match=f"{next(iter(change))} must be a contiguous, writeable"):
        step(levels=make_levels(LEVELS), **tables)


def test_each_kernel_is_compiled_once_however_it_is_called():
    table = make_levels(LEVELS)
    games, inputs = make_games(table, [1]), make_inputs(1)
    for dt, physics, inclusive in ((1, EXACT, False), (np.float32(0.25), 5, True), (TICK, np.int64(3), 1)):
        step(games, table, inputs, dt, physics, make_trace(1), inclusive)
        step(games.view(np.ndarray), table, inputs.view(np.ndarray), dt, physics)
    for kernel in (rules._step_exact, rules._step_tutorial):
        assert len(getattr(kernel, "signatures", [0])) == 1


def test_a_table_with_fewer_levels_reads_nothing_out_of_range():
    board = Board()
    board.press(NEXT)
    board.press(NEXT)
    board.table = make_levels(LEVELS[:1])
    board.press(ENTER)
    board.game.lives, board.game.stuck = 1, FREE
    board.game.ball[:] = 700.0, 611.0
    board.game.velocity[:] = 0.0, 400.0
    assert GAME_OVER in board.press(steps=3)
    assert (board.game.level, board.game.remaining) == (0, 5)


def test_games_that_cannot_be_made_are_refused():
    table = make_levels(LEVELS)
    with pytest.raises(ValueError, match=r"level = 3 must be one of the 3 levels"):
        make_games(table, [1], 3)
    with pytest.raises(ValueError, match=r"seeds\[1\] = -4 must not be negative"):
        make_games(table, [1, -4])


def test_the_trace_counts_on_where_its_room_ends():
    scene: Scene = set_scene("1 1\n1 2".replace("\n", "/"), (200.0, 400.0), (0.0, 0.0), 0.0, 800.0)
    scene.games[0].velocity[:] = 1.0, -100_000.0
    scene.games[0].speed = 100_000.0
    trace = make_trace(1)
    step(scene.games, scene.levels, make_inputs(1), 0.5, EXACT, trace)
    assert len(events(trace, 0)) == state.EVENTS
    assert trace[0].count > 150
    assert scene.games[0].stuck != CAUGHT
