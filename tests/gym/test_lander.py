"""The lander: Gymnasium's checks, many at once beside one at a time, the documented pilot, and the original."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from carom_gym.lander import LunarLanderEnv, LunarLanderVectorEnv
from carom_gym.lander_pictures import DUST, PAD
from tests.support.task_pilots import pilot

COUNT, STEPS = 16, 300
KINDS: list[dict[str, Any]] = [{}, {"continuous": True, "enable_wind": True}]


def returns_of(seeds: int, **options: Any) -> NDArray[np.float64]:
    """Return the sum of rewards of the pilot's episode after each seed."""
    envs = LunarLanderVectorEnv(seeds, autoreset_mode=AutoresetMode.NEXT_STEP, **options)
    seen, _ = envs.reset(seed=0)
    total, flying = np.zeros(seeds), np.ones(seeds, bool)
    while flying.any():
        seen, rewards, terminated, truncated, _ = envs.step(pilot(seen, envs.continuous))
        total[flying] += rewards[flying]
        flying &= ~(terminated | truncated)
    return total


@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_nothing_to_complain_about(continuous: bool) -> None:
    env = gymnasium.make("carom_gym:carom/LunarLander-v3", continuous=continuous)
    assert env.spec is not None and env.spec.max_episode_steps == 1000
    check_env(env.unwrapped, skip_render_check=True)


def test_make_vec_makes_many_with_options() -> None:
    envs = gymnasium.make_vec("carom_gym:carom/LunarLander-v3", 3, continuous=True, enable_wind=True)
    seen, _ = envs.reset(seed=1)
    assert envs.action_space.shape == (3, 2) and seen.shape == (3, 8) and envs.observation_space.contains(seen)


@pytest.mark.parametrize(
    ("mode", "options"), [*((mode, KINDS[0]) for mode in AutoresetMode), (AutoresetMode.NEXT_STEP, KINDS[1])]
)
def test_many_are_the_same_as_each_alone(mode: AutoresetMode, options: dict[str, Any]) -> None:
    envs = LunarLanderVectorEnv(COUNT, 120, autoreset_mode=mode, **options)
    alone = [LunarLanderEnv(**options) for _ in range(COUNT)]
    seen, _ = envs.reset(seed=5)
    mine = np.array([env.reset(seed=5 + k)[0] for k, env in enumerate(alone)])
    assert np.array_equal(seen, mine)
    chance, over, since, ends = np.random.default_rng(2), np.zeros(COUNT, bool), np.zeros(COUNT, int), 0
    for _ in range(STEPS):
        actions = chance.uniform(-1, 1, (COUNT, 2)) if options else chance.integers(4, size=COUNT)
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        for k, env in enumerate(alone):
            if mode == AutoresetMode.NEXT_STEP and over[k]:
                assert np.array_equal(seen[k], env.reset()[0]) and rewards[k] == 0
                assert not (terminated[k] or truncated[k])
                over[k], since[k] = False, 0
                continue
            one, reward, ended, *_ = env.step(actions[k])
            since[k] += 1
            assert (reward, ended, since[k] >= 120 and not ended) == (rewards[k], terminated[k], truncated[k])
            over[k] = ended or since[k] >= 120
            if over[k] and mode == AutoresetMode.SAME_STEP:
                assert np.array_equal(infos["final_obs"][k], one)
                one, over[k], since[k], ends = env.reset()[0], False, 0, ends + 1
            assert np.array_equal(seen[k], one)
        ends += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.any():
            seen, _ = envs.reset(options={"reset_mask": over.copy()})
            for k in np.flatnonzero(over).tolist():
                assert np.array_equal(seen[k], alone[k].reset()[0])
            since[over], over[:] = 0, False
    assert ends > COUNT


@pytest.mark.parametrize("continuous", [False, True])
def test_the_documented_pilot_lands(continuous: bool) -> None:
    assert returns_of(20, continuous=continuous).mean() > 150


def test_twenty_thousand_drawn_steps_stay_in_order() -> None:
    """Joints are exact but where a mechanism finds no way on, and stands still for the rest of a step (`stalled`)."""
    envs = LunarLanderVectorEnv(50, enable_wind=True)
    envs.reset(seed=9)
    chance, ends, gapes = np.random.default_rng(3), 0, 0
    for _ in range(400):
        seen, rewards, terminated, *_ = envs.step(chance.integers(4, size=50))
        ends += int(terminated.sum())
        assert np.isfinite(seen).all() and np.isfinite(rewards).all()
        assert (abs(seen[~terminated, 0]) < 1).all() and (seen[:, 1] > -1).all() and (seen[:, 1] < 2.5).all()
        gapes += int((abs(envs.worlds.joint_errors[~terminated]).max(axis=1) > 1e-6).sum())
        assert abs(envs.worlds.joint_errors).max() < 0.1
    assert ends > 100 and gapes <= 40


def test_rest_is_a_landing_and_a_fall_is_a_crash() -> None:
    env = LunarLanderEnv()
    env.reset(seed=4)
    reward, ended = 0.0, False
    while not ended:
        _, reward, ended, *_ = env.step(0)
    assert reward == -100
    seen, _ = env.reset(seed=1)
    ended, steps = False, 0
    while not ended and steps < 1000:
        seen, reward, ended, *_ = env.step(int(pilot(seen[None])[0]))
        steps += 1
    assert ended and reward == 100 and seen[6] == seen[7] == 1


@pytest.mark.parametrize("gravity", [0.0, -12.0, 3.0])
def test_a_gravity_out_of_range_is_refused(gravity: float) -> None:
    with pytest.raises(ValueError, match="gravity"):
        LunarLanderVectorEnv(2, gravity=gravity)


def test_a_great_wind_is_warned_about() -> None:
    with pytest.warns(UserWarning, match="wind_power"):
        LunarLanderVectorEnv(1, wind_power=30.0)


@pytest.mark.filterwarnings("error")
def test_a_picture_has_ground_pad_and_flames() -> None:
    pytest.importorskip("pygame")
    env = gymnasium.make("carom_gym:carom/LunarLander-v3", render_mode="rgb_array")
    env.reset(seed=1)
    before: Any = env.render()
    assert before.shape == (400, 600, 3) and before.dtype == np.uint8
    for color in (DUST, PAD):
        assert (before == color).all(axis=2).any()
    env.step(2)
    after: Any = env.render()
    assert ((after.astype(int) - (255, 190, 70)) ** 2).sum(axis=2).min() < 500
    assert ((before[:60].astype(int) - (255, 190, 70)) ** 2).sum(axis=2).min() > 500


@pytest.mark.parametrize("options", KINDS)
def test_flights_are_those_of_the_original(options: dict[str, Any]) -> None:
    pytest.importorskip("Box2D")
    theirs, mine = gymnasium.make("LunarLander-v3", **options).unwrapped, LunarLanderEnv(**options)
    ranges = np.array((5, 5, 20, 20, 4 * np.pi, 20, 1, 1))
    for seed in range(10):
        worst = abs(theirs.reset(seed=seed)[0] - mine.reset(seed=seed)[0])
        chance = np.random.default_rng(seed)
        for _ in range(100):
            action = chance.uniform(-1, 1, 2) if options else chance.integers(4)
            one, other = theirs.step(action), mine.step(action)
            if one[2] or other[2] or one[0][6:].any() or other[0][6:].any():
                break
            worst = np.maximum(worst, abs(one[0] - other[0]))
        assert (worst <= 0.01 * ranges).all(), seed
