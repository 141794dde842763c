"""Sixteen games of Breakout in one learning environment: a player follows the ball, each game is a level drawn by lot.

Leaves environments.png in the current folder. Needs Gymnasium and pygame-ce.
"""

import numpy as np

from carom.draw import pygame
from carom_gym.vector import BreakoutVectorEnv


def follow(seen):
    """Return 2, 1 or 0 for each game: right, left, or stay, so that the paddle comes under the ball."""
    aside = seen[:, 2] - seen[:, 0]
    return np.where(aside > 0.02, 2, np.where(aside < -0.02, 1, 0))


envs = BreakoutVectorEnv(16, level="random", power_ups=False, autoreset_mode="SameStep")
seen, infos = envs.reset(seed=3)
total = np.zeros(16)
for _ in range(30 * 15):  # thirty seconds, 15 steps each
    seen, points, terminated, truncated, infos = envs.step(follow(seen))
    total += points
pygame.image.save(pygame.surfarray.make_surface(envs.picture(16, (320, 240)).swapaxes(0, 1)), "environments.png")
print(f"wrote environments.png: {total.min():.0f} to {total.max():.0f} points a game in thirty seconds")
envs.close()
