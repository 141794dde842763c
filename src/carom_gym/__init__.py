"""Breakout for reinforcement learning: environments of Gymnasium, on the game's own rules.

In: nothing. Out: once this is imported, `gymnasium.make` and `gymnasium.make_vec` know `carom/Breakout-v0`. The import
is part of the name `carom_gym:carom/Breakout-v0`, too. Gymnasium has not looked for environments of
other packages by itself since its version 1.0. Only this folder knows Gymnasium, and `import carom` imports none of it.
"""

from __future__ import annotations

import contextlib

NAME = "carom/Breakout-v0"

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
