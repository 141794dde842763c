"""Tasks on copies of worlds behind Gymnasium's interface: seeds, ends, modes, pictures, and tasks of one's own."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import carom_gym.walker as walking  # noqa: E402, after Gymnasium is there
from carom_gym.gymnasium_parts import AutoresetMode  # noqa: E402
from carom_gym.lander import LunarLanderVectorEnv  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples" / "learning"
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


def example(name: str) -> ModuleType:
    """Import an example."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def cartpole() -> Any:
    return example("cartpole")


def played(env: Any, seed: int, actions: Any, mode: AutoresetMode) -> list[tuple[Any, ...]]:
    """Play a single environment as a vector in a mode would: begin anew after each end."""
    found, over = [(env.reset(seed=seed)[0], 0.0, False)], False
    for action in actions:
        if over and mode == AutoresetMode.NEXT_STEP:
            found.append((env.reset()[0], 0.0, False))
            over = False
            continue
        seen, reward, over, _, _ = env.step(action)
        if over and mode != AutoresetMode.NEXT_STEP:
            seen = env.reset()[0]
            found.append((seen, reward, True))
            over = False
        else:
            found.append((seen, reward, over))
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", ["walker", "cartpole"])
def test_copies_are_the_single_tasks_of_their_seeds(cartpole: Any, task: str, mode: AutoresetMode) -> None:
    n, steps, seed = 4, 120, 11
    kind = cartpole.CartPole if task == "cartpole" else walking.BipedalWalkerVectorEnv
    envs = kind(n, None, autoreset_mode=mode)
    envs.action_space.seed(3)
    actions = [envs.action_space.sample() for _ in range(steps)]
    singles = [cartpole.single(kind) for _ in range(n)]
    expected = [played(env, seed + k, [a[k] for a in actions], mode) for k, env in enumerate(singles)]
    seen, _ = envs.reset(seed=seed)
    ends = 0
    for step in range(steps + 1):
        if step:
            seen, rewards, ended, cut, infos = envs.step(actions[step - 1])
            assert not cut.any()
            if ended.any() and mode == AutoresetMode.SAME_STEP:
                assert [one is not None for one in infos["final_obs"]] == ended.tolist()
            if ended.any() and mode == AutoresetMode.DISABLED:
                seen, _ = envs.reset(options={"reset_mask": ended})
            ends += int(ended.sum())
            for k in range(n):
                assert (rewards[k], ended[k]) == expected[k][step][1:], (step, k)
        for k in range(n):
            assert np.array_equal(seen[k], expected[k][step][0]), (step, k)
    assert ends > 0


def test_episodes_are_cut_after_so_many_steps(cartpole: Any) -> None:
    envs = walking.BipedalWalkerVectorEnv(2, 5)
    envs.reset(seed=0)
    cuts = [envs.step(np.zeros((2, 4), np.float32))[3].tolist() for _ in range(7)]
    assert cuts == [[k == 4] * 2 for k in range(7)]
    with pytest.raises(ValueError, match="num_envs = 0 must be a positive"):
        cartpole.CartPole(0)
    with pytest.raises(ValueError, match="render_mode = 'film' must be one of"):
        cartpole.CartPole(1, render_mode="film")
    fresh = cartpole.CartPole(2, autoreset_mode="Disabled")
    with pytest.raises(Exception, match="copy 0 has no episode"):
        fresh.step(np.zeros(2, np.int64))


def test_the_walker_fits_gymnasium() -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("carom/BipedalWalker-v3", render_mode="rgb_array")
    assert isinstance(env.unwrapped, walking.BipedalWalkerEnv)
    check_env(env.unwrapped)
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (400, 600, 3) and picture.std() > 10
    envs = gymnasium.make_vec("carom/BipedalWalker-v3", num_envs=3)
    assert envs.reset(seed=1)[0].shape == (3, 24)
    other = pickle.loads(pickle.dumps(envs.unwrapped))
    actions = np.full((3, 4), 0.5, np.float32)
    assert np.array_equal(envs.step(actions)[0], other.step(actions)[0])


def test_the_ground_of_a_walker_is_that_of_its_seed() -> None:
    envs = walking.BipedalWalkerVectorEnv(2)
    envs.reset(seed=4)
    heights, _ = walking.ground_of(np.random.default_rng(np.random.SeedSequence(5)))
    world = envs.worlds.world(1)
    starts = [body.shape.start.y for body in world.bodies[walking.GROUND :]]
    assert starts == heights[:-1].tolist()
    assert heights[: walking.PAD] == pytest.approx(walking.LEVEL) and heights.std() > 0.01


@pytest.mark.full
def test_walkers_stay_whole_over_many_steps() -> None:
    envs = walking.BipedalWalkerVectorEnv(64)
    envs.reset(seed=0)
    envs.action_space.seed(0)
    for _ in range(500):
        seen, rewards, _, _, _ = envs.step(envs.action_space.sample())
        assert np.isfinite(seen).all() and np.isfinite(rewards).all()
        assert envs.worlds.joint_errors.max() < 1e-6
        assert (abs(envs.worlds.positions[:, : walking.GROUND]) < 200).all()


def test_a_cart_pole_of_ones_own_follows_the_equations(cartpole: Any) -> None:
    once, twice, four = (cartpole.deviation(parts) for parts in (1, 2, 4))
    assert (once[0] < 0.1 * once[1]).all()  # Gymnasium's own method is over ten times farther from them
    assert once[0] / twice[0] == pytest.approx(np.full(4, 4.0), rel=0.1)  # second order
    assert twice[0] / four[0] == pytest.approx(np.full(4, 4.0), rel=0.1)


def test_a_walker_of_ones_own_sees_and_walks() -> None:
    crawler = example("crawler")
    envs = crawler.Crawler(3)
    seen, _ = envs.reset(seed=2)
    assert seen.shape == (3, 4 + 2 * crawler.JOINTS + crawler.SEEN)
    assert (seen[:, -crawler.SEEN] < 1).all()  # the ray straight down
    ground = [[body.shape.start.y for body in envs.worlds.world(k).bodies[crawler.GROUND :]] for k in range(3)]
    assert ground[0] != ground[1] and len(set(ground[0][:9])) == 1
    far = crawler.came(envs, np.zeros((3, 2 * crawler.JOINTS)), 2)
    assert (abs(far) < 1).all()  # without swing nobody walks


def test_a_pilot_of_landers_fires_what_is_asked_for_most() -> None:
    lander = example("lander")
    pilots = np.zeros((4, 2, 9))
    pilots[1, 0, 8], pilots[2, 1, 8], pilots[3, 1, 8] = 1, 1, -1  # rise, push left, push right
    assert lander.engines(pilots, np.zeros((4, 8))).tolist() == [0, 2, 1, 3]
    envs = LunarLanderVectorEnv(4, 60)
    assert lander.fly(envs, pilots, 3).tolist() == lander.fly(envs, pilots, 3).tolist()


@pytest.mark.full
@pytest.mark.parametrize("seed", [0, 1])
def test_landers_learn_to_land(seed: int) -> None:
    lander = example("lander")
    pilot, curve = lander.learn(40, seed)
    assert curve[0] < -200
    assert lander.fly(LunarLanderVectorEnv(100), np.repeat(pilot[None], 100, axis=0), 10_000).mean() >= 200
