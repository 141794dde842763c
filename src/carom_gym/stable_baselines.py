"""The vector environment as Stable-Baselines3 wants it: its `VecEnv`, around `BreakoutVectorEnv`.

In: how many games, and their options. Out: four values a step, a list of dictionaries of information, and games that
begin anew in the step in which they end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom_gym.gymnasium_parts import AutoresetMode
from carom_gym.vector import BreakoutVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as missing:
    if not str(missing.name).startswith("stable_baselines3"):
        raise
    text = "BreakoutVecEnv needs stable_baselines3: pip install stable_baselines3"
    raise ModuleNotFoundError(text, name="stable_baselines3") from None

Indices = int | Iterable[int] | None


class BreakoutVecEnv(VecEnv):
    """Many games of Breakout for the algorithms of Stable-Baselines3.

    Parameters
    ----------
    num_envs : int
    **options
        Those of `BreakoutVectorEnv`, `autoreset_mode` excepted.

    Examples
    --------
    With Stable-Baselines3 installed::

        from stable_baselines3 import PPO
        from carom_gym.stable_baselines import BreakoutVecEnv

        model = PPO("MlpPolicy", BreakoutVecEnv(64)).learn(100_000)
    """

    def __init__(self, num_envs: int, **options: Any) -> None:
        self.games = BreakoutVectorEnv(num_envs, **options, autoreset_mode=AutoresetMode.SAME_STEP)
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> NDArray[Any]:
        """Begin an episode of each game, with the seeds given by `seed`, if any."""
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observations, _ = self.games.reset(seed=seeds)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play one step; an ended game's information has "terminal_observation" and "TimeLimit.truncated"."""
        observations, rewards, terminated, truncated, told = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = terminated | truncated
        for game in np.flatnonzero(ended):
            names = ("score", "lives", "bricks_left", "won")
            infos[game] = {name: told["final_info"][name][game].item() for name in names}
            infos[game]["terminal_observation"] = told["final_obs"][game]
            infos[game]["TimeLimit.truncated"] = bool(truncated[game] and not terminated[game])
        return observations, rewards.astype(np.float32), ended, infos

    def close(self) -> None:
        """Close the games and their window."""
        self.games.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return a picture of each game in the mode "rgb_array"."""
        return self.games.render() or [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of the vector environment, which is the same for all games, for each."""
        return [getattr(self.games, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refuse: the games share their options."""
        raise NotImplementedError(f"the games share their options; make others with {attr_name}={value!r}")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Refuse: the games have no methods of their own."""
        raise NotImplementedError(f"the games have no methods of their own; call games.{method_name}(...) for all")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Tell that no game is wrapped."""
        return [False for _ in self._get_indices(indices)]
