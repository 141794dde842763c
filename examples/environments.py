"""Twelve games of Breakout in one learning environment: a player follows the ball, each game is a level drawn by lot.

Leaves environments.png in the current folder. Needs Gymnasium, pygame-ce and matplotlib.
"""

import gymnasium
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import image

NAME = "carom.breakout.environments:carom/Breakout-v0"


def follow(seen):
    """Return 2, 1 or 0 for each game: right, left, or stay, so that the paddle comes under the ball."""
    aside = seen[:, 2] - seen[:, 0]
    return np.where(aside > 0.02, 2, np.where(aside < -0.02, 1, 0))


envs = gymnasium.make_vec(NAME, num_envs=12, level="random", autoreset_mode="SameStep").unwrapped
seen, infos = envs.reset(seed=3)
total = np.zeros(12)
for _ in range(30 * 15):  # thirty seconds, 15 steps each
    seen, points, terminated, truncated, infos = envs.step(follow(seen))
    total += points
image.imsave("environments.png", envs.picture(12, (320, 240)))
print(f"in thirty seconds: {total.min():.0f} to {total.max():.0f} points a game")
envs.close()
