"""Environments of Gymnasium for reinforcement learning: Breakout on its own rules, and tasks on copies of worlds.

In: nothing. Out: once this is imported, `gymnasium.make` and `gymnasium.make_vec` know `carom/Breakout-v0`,
`carom/BipedalWalker-v3`, `carom/BipedalWalkerHardcore-v3`, `carom/LunarLander-v3` and `carom/CarRacing-v3`. The import
is part of the name `carom_gym:carom/Breakout-v0`, too. Gymnasium has not looked for environments of other packages by
itself since its version 1.0. Only this folder knows Gymnasium, and `import carom` imports none of it.
"""

from __future__ import annotations

import contextlib

NAME, WALKER, LANDER = "carom/Breakout-v0", "carom/BipedalWalker-v3", "carom/LunarLander-v3"
HARDCORE, CAR = "carom/BipedalWalkerHardcore-v3", "carom/CarRacing-v3"

LONGEST = 9000
"""Steps of an episode, unless said: ten minutes of play."""

with contextlib.suppress(ModuleNotFoundError):  # the kernels are compiled for wheels where there is no Gymnasium
    from gymnasium.envs.registration import register, registry

    if NAME not in registry:
        register(
            id=NAME,
            entry_point="carom_gym.single:BreakoutEnv",
            vector_entry_point="carom_gym.vector:BreakoutVectorEnv",
            max_episode_steps=LONGEST,
        )
        register(
            id=WALKER,
            entry_point="carom_gym.walker:BipedalWalkerEnv",
            vector_entry_point="carom_gym.walker:BipedalWalkerVectorEnv",
            max_episode_steps=1600,
            reward_threshold=300,
        )
        register(
            id=HARDCORE,
            entry_point="carom_gym.walker:BipedalWalkerEnv",
            vector_entry_point="carom_gym.walker:BipedalWalkerVectorEnv",
            kwargs={"hardcore": True},
            max_episode_steps=2000,
            reward_threshold=300,
        )
        register(
            id=LANDER,
            entry_point="carom_gym.lander:LunarLanderEnv",
            vector_entry_point="carom_gym.lander:LunarLanderVectorEnv",
            max_episode_steps=1000,
            reward_threshold=200,
        )
        register(
            id=CAR,
            entry_point="carom_gym.racing:CarRacingEnv",
            vector_entry_point="carom_gym.racing:CarRacingVectorEnv",
            max_episode_steps=1000,
            reward_threshold=900,
        )
