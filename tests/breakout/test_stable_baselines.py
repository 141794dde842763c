"""The adapter for Stable-Baselines3 gives the steps of the vector environment in that library's shape."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the environments are Gymnasium's: install the extra `gym`")
pytest.importorskip("stable_baselines3", reason="the adapter is for Stable-Baselines3, which is no extra of Carom")
from carom_gym.stable_baselines import BreakoutVecEnv
from carom_gym.vector import BreakoutVectorEnv


def test_the_adapter_gives_the_steps_of_the_vector_environment():
    n, chance = 6, np.random.default_rng(0)
    adapted = BreakoutVecEnv(n, max_episode_steps=90)
    plain = BreakoutVectorEnv(n, max_episode_steps=90, autoreset_mode="SameStep")
    adapted.seed(4)
    assert np.array_equal(adapted.reset(), plain.reset(seed=4)[0])
    ends, cut = 0, 0
    for _ in range(300):
        actions = chance.integers(0, 3, n)
        seen, rewards, ended, infos = adapted.step(actions)
        expected, points, terminated, truncated, told = plain.step(actions)
        assert np.array_equal(seen, expected)
        assert np.array_equal(rewards, points)
        assert np.array_equal(ended, terminated | truncated)
        assert len(infos) == n
        for game in range(n):
            assert bool(infos[game]) == ended[game]
            if ended[game]:
                assert np.array_equal(infos[game]["terminal_observation"], told["final_obs"][game])
                assert infos[game]["TimeLimit.truncated"] == (truncated[game] and not terminated[game])
                assert infos[game]["score"] == told["final_info"]["score"][game]
        ends, cut = ends + ended.sum(), cut + truncated.sum()
    assert ends > cut > 0


def test_the_adapter_is_a_whole_vecenv():
    adapted = BreakoutVecEnv(3)
    assert adapted.get_attr("render_mode", [0, 2]) == [None, None]
    assert adapted.env_is_wrapped(object) == [False] * 3
    with pytest.raises(NotImplementedError, match="level=3"):
        adapted.set_attr("level", 3)
    with pytest.raises(NotImplementedError, match="snapshot"):
        adapted.env_method("snapshot")
    adapted.close()
