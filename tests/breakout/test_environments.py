"""The environments of Gymnasium: its own checks, one game against thousands, refusals, copies, what is observed."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from carom_breakout import state
from carom_breakout.levels import BRICKS_END

gymnasium = pytest.importorskip("gymnasium", reason="the environments are Gymnasium's: install the extra `gym`")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics  # noqa: E402

from carom_gym import NAME  # noqa: E402
from carom_gym.features import FEATURES, FIRST_BRICK  # noqa: E402
from carom_gym.pixels import SIDE, STACK  # noqa: E402

OPTIONS = [
    {},
    {"observation": "pixels", "level": "random"},
    {"action": "continuous", "sticky_actions": 0.25, "level": 7},
    {"physics": "tutorial", "frame_skip": 2, "life_penalty": 5.0, "paddle_reward": 0.5},
    {"level": "random", "power_ups": False, "lives": 1, "sticky_actions": 0.5},
]
ids = lambda options: "-".join(f"{value}" for value in options.values()) or "default"  # noqa: E731


def drawn_actions(space, chance, n):
    """Actions of so many games, drawn by lot."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return chance.integers(0, 3, n)
    return chance.uniform(-1, 1, (n, 1)).astype(np.float32)


def follow(observations):
    """Discrete actions that keep the paddle under the ball."""
    aside = observations[:, 2] - observations[:, 0]
    return np.where(aside > 0.02, 2, np.where(aside < -0.02, 1, 0))


@pytest.mark.parametrize("options", OPTIONS, ids=ids)
def test_gymnasium_finds_nothing_to_say_about_the_environment(options):
    check_env(gymnasium.make(NAME, **options).unwrapped)
    check_env(gymnasium.make(f"carom_gym:{NAME}", **options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("options", OPTIONS, ids=ids)
def test_each_game_of_the_vector_is_the_single_game_of_its_seed(options):
    n, limit, chance = 3, 150, np.random.default_rng(3)
    many = gymnasium.make_vec(NAME, num_envs=n, max_episode_steps=limit, **options)
    singles = [gymnasium.make(NAME, max_episode_steps=limit, **options) for _ in range(n)]
    seen, _ = many.reset(seed=40)
    for i, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=40 + i)[0], seen[i])
    over, ends = [False] * n, 0
    for step in range(500):
        actions = drawn_actions(many.single_action_space, chance, n)
        if step % 3 == 0 and "observation" not in options and "action" not in options:
            actions = follow(seen)
        seen, rewards, terminated, truncated, infos = many.step(actions)
        for i, env in enumerate(singles):
            action = actions[i]
            made = (*env.reset(), 0.0, False, False) if over[i] else env.step(action)
            observation, reward, ended, cut, info = (made[0], *made[2:], made[1]) if over[i] else made
            assert np.array_equal(observation, seen[i])
            assert (reward, ended, cut) == (rewards[i], terminated[i], truncated[i])
            assert info == ({name: infos[name][i] for name in ("score", "lives", "bricks_left", "won")} if info else {})
            over[i] = ended or cut
            ends += over[i]
            assert many.unwrapped.games[i].tobytes() == env.unwrapped.game.tobytes()
    assert ends > n


@pytest.mark.parametrize("power_ups", [True, False])
def test_bricks_drop_power_ups_only_where_they_are_asked_for(power_ups):
    many = gymnasium.make_vec(NAME, num_envs=16, power_ups=power_ups).unwrapped
    seen, _ = many.reset(seed=1)
    fell = False
    for _ in range(300):
        seen = many.step(follow(seen))[0]
        fell |= bool(many.games.falling.any())
    assert (many.games.score > 0).all() and fell is power_ups


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_vector_answers_as_single_games_side_by_side(mode):
    n, chance = 4, np.random.default_rng(8)
    ours = gymnasium.make_vec(NAME, num_envs=n, max_episode_steps=140, autoreset_mode=mode)
    theirs = SyncVectorEnv([lambda: gymnasium.make(NAME, max_episode_steps=140)] * n, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert np.array_equal(ours.reset(seed=5)[0], theirs.reset(seed=5)[0])
    ends = 0
    for _ in range(1200):
        actions = chance.integers(0, 3, n)
        (*made, infos), (*expected, told) = ours.step(actions), theirs.step(actions)
        assert_same(dict(enumerate(made)), dict(enumerate(expected)))
        assert_same(of_terminated(infos, made[2], made[3]), told)
        over = theirs._terminations | theirs._truncations
        ends += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            assert_same(
                ours.reset(options={"reset_mask": over.copy()})[0], theirs.reset(options={"reset_mask": over.copy()})[0]
            )
    assert ends > 2 * n


def of_terminated(infos, terminated, truncated):
    """Leave out what is told of truncated episodes: a single game does not know that a wrapper ends them."""
    if "final_info" in infos:
        return {**infos, "final_info": of_terminated(infos["final_info"], terminated, truncated)}
    if not terminated.any():
        return {}
    return {name: np.where(terminated, column, np.zeros_like(column)) for name, column in infos.items()}


def assert_same(a, b):
    """Compare arrays, and dictionaries of arrays, of which one may hold objects."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            assert_same(a[key], b[key])
    elif a.dtype == object:
        assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    else:
        assert np.array_equal(a, b)
        assert a.dtype == b.dtype


@pytest.mark.parametrize("options", [{}, {"observation": "pixels"}], ids=ids)
def test_threads_and_reuse_change_nothing_but_the_arrays(options):
    chance = np.random.default_rng(1)
    plain, other = (
        gymnasium.make_vec(NAME, num_envs=37, **options, **more) for more in ({}, {"threads": 3, "reuse": True})
    )
    first, _ = plain.reset(seed=2)
    kept, _ = other.reset(seed=2)
    assert np.array_equal(first, kept)
    before = None
    for _ in range(300):
        actions = chance.integers(0, 3, 37)
        ours, theirs = plain.step(actions), other.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(ours[:4], theirs[:4], strict=True))
        assert np.shares_memory(theirs[0], kept)
        assert before is None or not any(np.shares_memory(a, b) for a, b in zip(ours[:4], before, strict=True))
        before = ours[:4]
    other.close()


def test_statistics_of_episodes_are_those_of_the_game():
    envs = RecordEpisodeStatistics(gymnasium.make_vec(NAME, num_envs=16, autoreset_mode=AutoresetMode.SAME_STEP))
    seen, _ = envs.reset(seed=1)
    ends = 0
    for step in range(600):
        seen, _, _, _, infos = envs.step(follow(seen) if step < 100 else np.ones(16, int))
        if "final_info" in infos:
            over = infos["_final_info"]
            ends += over.sum()
            assert np.array_equal(infos["episode"]["r"][over], infos["final_info"]["score"][over])
            assert all((infos["final_obs"][i] is not None) == over[i] for i in range(16))
    assert ends > 10


def test_an_episode_ends_where_the_game_would_leave_the_level():
    env = gymnasium.make(NAME, max_episode_steps=100_000).unwrapped
    seen, _ = env.reset(seed=3)
    terminated, total, steps = False, 0.0, 0
    while not terminated:
        seen, reward, terminated, _, info = env.step(1)
        total, steps = total + reward, steps + 1
    assert info["lives"] == 0
    assert not info["won"]
    assert info["score"] == total
    assert seen[3] > 1.02, "the last observation shows the lost ball"
    assert seen[7] == 0.0
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=3)
    env.game.bricks[:] = 0
    env.game.bricks[40], env.game.remaining = 2, 1
    won = False
    seen, _ = env.reset(seed=3)
    game = env.game
    game.bricks[:], game.remaining = 0, 1
    game.bricks[5 * 13 + 6] = state.BLUE
    game.stuck, game.ball, game.velocity = state.FREE, (400, 400), (0, -350)
    for _ in range(30):
        _, reward, won, _, info = env.step(0)
        if won:
            break
    assert won
    assert info["won"]
    assert reward == 10 + 250 + 3 * 100
    assert info["bricks_left"] == 0


def test_shaping_adds_to_the_points():
    plain, shaped = (
        gymnasium.make(NAME, **more).unwrapped for more in ({}, {"life_penalty": 7.0, "paddle_reward": 2.0})
    )
    plain.reset(seed=9)
    shaped.reset(seed=9)
    more = 0.0
    for step in range(150):
        lives = plain.game.lives
        aside = plain.game.ball[0] - plain.game.paddle - plain.game.paddle_width / 2
        action = (2 if aside > 20 else 1 if aside < -20 else 0) if step < 100 else 1
        rising = plain.game.velocity[1] < 0 or plain.game.stuck
        reward, terminated = plain.step(action)[1:3]
        added = shaped.step(action)[1] - reward
        lost = lives - plain.game.lives
        met = 0 if lost or rising or plain.game.velocity[1] > 0 or plain.game.ball[1] < 500 else 1
        assert added == 2.0 * met - 7.0 * lost
        more += abs(added)
        if terminated:
            break
    assert more > 10


def test_observed_numbers_describe_the_game():
    envs = gymnasium.make_vec(NAME, num_envs=200, level="random").unwrapped
    seen, _ = envs.reset(seed=11)
    low, high = envs.single_observation_space.low, envs.single_observation_space.high
    for step in range(700):
        seen = envs.step(follow(seen) if step % 5 else np.zeros(200, int))[0]
        assert (seen >= low).all()
        assert (seen <= high).all()
    games, places = envs.games, seen.shape[1] - FIRST_BRICK
    expected = {
        "paddle_x": (games.paddle + games.paddle_width / 2) / 800,
        "paddle_width": games.paddle_width / 800,
        "ball_x": games.ball[:, 0] / 800,
        "ball_y": games.ball[:, 1] / 600,
        "ball_vx": games.velocity[:, 0] / state.LAUNCH_SPEED,
        "ball_vy": games.velocity[:, 1] / state.LAUNCH_SPEED,
        "waiting": games.stuck != state.FREE,
        "lives": games.lives / 3,
        "bricks_left": games.remaining / places,
        "sticky": games.timers[:, state.STICKY] / 20,
        "pass_through": games.timers[:, state.PASS_THROUGH] / 10,
        "speed": games.speed / state.LAUNCH_SPEED,
        "fruitless": games.fruitless / 10,
    }
    names = [feature.name for feature in FEATURES]
    for name, column in expected.items():
        assert seen[:, names.index(name)] == pytest.approx(np.asarray(column, float), abs=1e-6), name
    worth = np.array([0, -1, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert seen[:, FIRST_BRICK:] == pytest.approx(worth[games.bricks[:, :places]], abs=1e-6)
    assert not games.bricks[:, places:].any()
    for g in range(200):
        helping = [
            (y, x) for kind, (x, y) in games[g]["items"][: games[g].falling].tolist() if state.HELPS[kind] and y < 580
        ]
        y, x = max(helping, default=(0.0, -30.0))
        assert seen[g, 11:14] == pytest.approx([float(bool(helping)), (x + 30) / 800, y / 600], abs=1e-6)
    assert (seen[:, 11] > 0).any()


def test_the_picture_shows_bricks_paddle_and_ball_where_they_are():
    env = gymnasium.make(NAME, observation="pixels", level=3).unwrapped
    env.reset(seed=4)
    for _ in range(12):
        pictures = env.step(2)[0]
    assert pictures.shape == (STACK, SIDE, SIDE)
    game, fine = env.game, 20
    y, x = (np.mgrid[: SIDE * fine, : SIDE * fine] + 0.5) / fine / SIDE
    x, y = x * state.WIDTH, y * state.HEIGHT
    drawn = np.zeros_like(x)
    columns, rows = int(game.columns), int(game.rows)
    column, row = np.minimum(x / (800 / columns), columns - 1).astype(int), (y / (BRICKS_END / rows)).astype(int)
    code = np.where(row < rows, game.bricks[np.minimum(row, rows - 1) * columns + column], 0)
    shades = np.array([0, 70, 90, 110, 130, 150, 170.0])
    inside = (abs(x - (column + 0.5) * 800 / columns) < 400 / columns - 2.5) & (
        abs(y - (row + 0.5) * BRICKS_END / rows) < BRICKS_END / rows / 2 - 2.5
    )
    drawn[inside] = shades[code[inside]]
    drawn[(x > game.paddle) & (x < game.paddle + game.paddle_width) & (y > 580)] = 200
    drawn[(x - game.ball[0]) ** 2 + (y - game.ball[1]) ** 2 < state.BALL_RADIUS**2] = 255
    expected = drawn.reshape(SIDE, fine, SIDE, fine).mean((1, 3))
    assert abs(expected - pictures[-1]).max() < 40, "a pixel at the ball's edge is judged by its distance"
    assert abs(expected - pictures[-1]).mean() < 0.3
    assert not np.array_equal(pictures[0], pictures[-1])


def test_recent_pictures_follow_each_other():
    env = gymnasium.make(NAME, observation="pixels").unwrapped
    before, _ = env.reset(seed=4)
    assert all(np.array_equal(before[0], picture) for picture in before)
    for _ in range(10):
        pictures = env.step(1)[0]
        assert np.array_equal(pictures[:-1], before[1:])
        assert not np.array_equal(pictures[-1], pictures[-2])
        before = pictures


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("options", [{}, {"observation": "pixels"}], ids=ids)
def test_a_copy_goes_on_where_the_game_was(copied, options):
    chance = np.random.default_rng(6)
    many = gymnasium.make_vec(NAME, num_envs=20, threads=2, **options).unwrapped
    many.reset(seed=1)
    one = gymnasium.make(NAME, **options).unwrapped
    one.reset(seed=1)
    for _ in range(100):
        many.step(chance.integers(0, 3, 20))
        if one.step(1)[2]:
            one.reset()
    again, alone = copied(many), copied(one)
    for _ in range(100):
        actions = chance.integers(0, 3, 20)
        assert all(np.array_equal(a, b) for a, b in zip(many.step(actions)[:4], again.step(actions)[:4], strict=True))
        ours, theirs = one.step(2), alone.step(2)
        assert np.array_equal(ours[0], theirs[0])
        assert ours[1:] == theirs[1:]
        if ours[2]:
            assert np.array_equal(one.reset()[0], alone.reset()[0])


@pytest.mark.parametrize("options", [{}, {"observation": "pixels"}], ids=ids)
def test_a_restored_game_plays_the_same_again(options):
    env = gymnasium.make(NAME, sticky_actions=0.3, lives=9, **options).unwrapped
    env.reset(seed=2)
    for _ in range(20):
        seen = env.step(2)[0]
    kept = env.snapshot()
    course = [env.step(k % 3) for k in range(60)]
    for _ in range(2):
        assert np.array_equal(env.restore(kept), seen)
        for k in range(60):
            again = env.step(k % 3)
            assert np.array_equal(again[0], course[k][0])
            assert again[1:] == course[k][1:]
    many = gymnasium.make_vec(NAME, num_envs=5, **options).unwrapped
    many.reset(seed=2)
    kept = many.snapshot()
    first = [many.step(np.full(5, k % 3)) for k in range(50)][-1]
    many.restore(kept)
    second = [many.step(np.full(5, k % 3)) for k in range(50)][-1]
    assert all(np.array_equal(a, b) for a, b in zip(first[:4], second[:4], strict=True))


def test_seeds_are_one_number_or_one_for_each_game():
    many = gymnasium.make_vec(NAME, num_envs=4).unwrapped
    ours, _ = many.reset(seed=[3, 9, 1, 9])
    assert np.array_equal(ours[1], ours[3])
    assert not np.array_equal(ours[0], ours[1])
    assert np.array_equal(many.reset(seed=9)[0][0], ours[1])
    kept = many.games.copy()
    mask = np.array([False, True, False, False])
    many.reset(seed=1, options={"reset_mask": mask})
    changed = [kept[i].tobytes() != many.games[i].tobytes() for i in range(4)]
    assert changed == [False, True, False, False]
    other = gymnasium.make_vec(NAME, num_envs=4).unwrapped
    other.reset()
    assert len({game.drops for game in other.games}) == 4


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"level": 0}, ValueError, "level = 0 .*1 to 8"),
        ({"level": "hard"}, ValueError, "level = 'hard'"),
        ({"level": 1.5}, TypeError, "level"),
        ({"physics": "real"}, ValueError, "physics = 'real'.*exact"),
        ({"observation": "rgb"}, ValueError, "observation = 'rgb'.*pixels"),
        ({"action": "box"}, ValueError, "action = 'box'.*continuous"),
        ({"frame_skip": 0}, ValueError, "frame_skip = 0 must be at least 1"),
        ({"sticky_actions": 1.0}, ValueError, "sticky_actions = 1.0"),
        ({"sticky_actions": float("nan")}, ValueError, "sticky_actions"),
        ({"lives": 0}, ValueError, "lives = 0"),
        ({"power_ups": "yes"}, TypeError, "power_ups"),
        ({"life_penalty": float("inf")}, ValueError, "life_penalty"),
        ({"render_mode": "ascii"}, ValueError, "render_mode"),
    ],
)
def test_options_are_checked_at_the_door(options, error, said):
    from carom_gym.single import BreakoutEnv
    from carom_gym.vector import BreakoutVectorEnv

    with pytest.raises(error, match=said):
        BreakoutEnv(**options)
    with pytest.raises(error, match=said):
        BreakoutVectorEnv(3, **options)


def test_actions_may_be_whole_numbers_of_any_kind():
    many = gymnasium.make_vec(NAME, num_envs=3).unwrapped
    locked, wide = np.array([0, 1, 2]), np.zeros(6, int)
    locked.flags.writeable, wide[::2] = False, locked
    seen = []
    for actions in (locked, wide[::2], [0, 1, 2], locked.astype(np.uint8), locked.astype(np.int32)):
        many.reset(seed=1)
        seen.append([many.step(actions)[0] for _ in range(20)])
    assert all(np.array_equal(one, seen[0]) for one in seen)
    assert np.diff(np.array(seen[0])[:, :, 0], axis=0)[:, 1:].any()


def test_actions_are_checked_and_nothing_is_changed():
    many = gymnasium.make_vec(NAME, num_envs=3).unwrapped
    with pytest.raises(RuntimeError, match="game 0 has no episode"):
        many.step(np.zeros(3, int))
    many.reset(seed=1)
    kept = many.games.tobytes()
    for actions, said in (
        ([0, 1, 3], r"actions\[2\] = 3"),
        ([0, -1, 0], r"actions\[1\] = -1"),
        ([0, 1], r"\(3,\) whole numbers"),
        ([0.5, 0, 0], r"\(3,\) whole numbers"),
    ):
        with pytest.raises(ValueError, match=said):
            many.step(np.array(actions))
    one = gymnasium.make(NAME, action="continuous").unwrapped
    one.reset(seed=1)
    before = one.game.tobytes()
    for action in ([np.nan], [1.5], [0.0, 0.0], 0.5):
        with pytest.raises(ValueError, match="action"):
            one.step(np.array(action))
    single = gymnasium.make(NAME).unwrapped
    single.reset(seed=1)
    for action in (3, -1, 0.5, None):
        with pytest.raises(ValueError, match="action"):
            single.step(action)
    assert many.games.tobytes() == kept
    assert one.game.tobytes() == before
    with pytest.raises(TypeError, match="reset_mask"):
        many.reset(options={"reset_mask": [True, False, True]})
    with pytest.raises(ValueError, match="reset_mask"):
        many.reset(options={"reset_mask": np.zeros(3, bool)})
    with pytest.raises(ValueError, match="seed"):
        many.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="threads"):
        gymnasium.make_vec(NAME, num_envs=3, threads=0)
    with pytest.raises(ValueError, match="num_envs"):
        gymnasium.make_vec(NAME, num_envs=0)


def test_games_that_ended_wait_for_a_reset_where_nothing_resets_them():
    many = gymnasium.make_vec(NAME, num_envs=2, max_episode_steps=5, autoreset_mode="Disabled").unwrapped
    many.reset(seed=1)
    for _ in range(5):
        truncated = many.step(np.zeros(2, int))[3]
    assert truncated.all()
    with pytest.raises(RuntimeError, match="game 0 has no episode"):
        many.step(np.zeros(2, int))
    many.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(RuntimeError, match="game 1 has no episode"):
        many.step(np.zeros(2, int))


def test_pictures_for_people():
    pytest.importorskip("pygame")
    one = gymnasium.make(NAME, render_mode="rgb_array")
    one.reset(seed=1)
    first = one.render()
    for _ in range(10):
        one.step(1)
    assert first.shape == (480, 640, 3)
    assert first.dtype == np.uint8
    assert (first != one.render()).any()
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 50
    many = gymnasium.make_vec(NAME, num_envs=5, render_mode="rgb_array", level="random")
    many.reset(seed=1)
    frames = many.render()
    assert len(frames) == 5
    assert all(frame.shape == (480, 640, 3) for frame in frames)
    tiled = many.unwrapped.picture(5, (160, 120))
    assert tiled.shape == (240, 480, 3)
    assert tiled[:120].any()
    assert not tiled[120:, 320:].any()
    for env in (one, many):
        env.close()


@pytest.mark.parametrize("physics", ["exact", "tutorial"])
def test_a_game_shown_is_the_game_played(physics):
    pytest.importorskip("pygame")
    shown, played = (gymnasium.make(NAME, render_mode=mode, physics=physics).unwrapped for mode in ("human", None))
    many = gymnasium.make_vec(NAME, num_envs=1, render_mode="human", physics=physics)
    for env in (shown, played, many):
        env.reset(seed=5)
    for k in range(12):
        made = shown.step(k % 3)
        assert np.array_equal(made[0], played.step(k % 3)[0])
        assert np.array_equal(made[0], many.step(np.array([k % 3]))[0][0])
    assert shown.render() is None
    for env in (shown, many):
        env.close()
        env.close()


def overlapping(games):
    """Return the games whose ball lies in a living brick, or outside the walls, deeper than the slop."""
    x, y = games["ball"].T
    slop = 1e-6
    deep = (x < 12.5 - slop) | (x > 787.5 + slop) | (y < 12.5 - slop)
    columns, rows = games["columns"], games["rows"]
    width, height = 800 / columns, BRICKS_END / rows
    for across in (-1, 0, 1):
        for down in (-1, 0, 1):
            column, row = (x // width + across).astype(int), (y // height + down).astype(int)
            there = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
            cell = np.where(there, row * columns + column, 0)
            alive = there & (games["bricks"][np.arange(len(games)), cell] > 0)
            dx = x - np.clip(x, column * width, (column + 1) * width)
            dy = y - np.clip(y, row * height, (row + 1) * height)
            deep |= alive & (np.hypot(dx, dy) < 12.5 - slop) & (games["effects"] >> state.PASS_THROUGH & 1 == 0)
    return np.flatnonzero(deep & (games["mode"] == state.ACTIVE))


@pytest.mark.parametrize(
    "steps", [100_000, pytest.param(100_000_000, marks=pytest.mark.full)], ids=["sample", "hundred-million"]
)
@pytest.mark.parametrize("faster", [1, 32])
def test_no_ball_leaves_the_field_or_enters_a_brick(steps, faster):
    n = 1000 if steps < 1_000_000 else 4096
    envs = gymnasium.make_vec(NAME, num_envs=n, level="random", reuse=True).unwrapped
    chance = np.random.default_rng(faster)
    seen, _ = envs.reset(seed=0)
    games = envs.games.view(np.ndarray)
    turned_through = np.zeros(n, bool)
    bricks = 0
    for step in range(steps // n):
        actions = chance.integers(0, 3, n)
        actions[: n // 2] = follow(seen)[: n // 2]
        if faster > 1:
            slow = games["speed"] < 5 * state.LAUNCH_SPEED
            games["speed"][slow] *= faster
            games["velocity"][slow] *= faster
        seen, rewards, *_ = envs.step(actions)
        bricks += (rewards > 0).sum()
        # A ball may end its pass through a brick inside it; such games are left out until the ball is served anew.
        turned_through |= games["effects"] >> state.PASS_THROUGH & 1 == 1
        turned_through &= games["stuck"] == state.FREE
        wrong = [g for g in overlapping(games) if not turned_through[g]]
        assert wrong == [], (step, games[wrong[0]])
    assert games["stalls"].max() == 0
    assert bricks > steps / 1000
