"""A lander that learns to land, in NumPy alone: the cross-entropy method on 128 landers at once, in a few minutes.

A pilot is a table of 4 x 9 numbers: the engine with the greatest weighted sum of what is seen fires. In each round 64
pilots are drawn round a mean, each flies twice, and the best eight make the next mean. Leaves lander_learns.png.
"""

import sys

import numpy as np
from PIL import Image

from carom_gym.lander import LunarLanderVectorEnv

PILOTS, FLIGHTS, BEST, LONGEST = 64, 3, 10, 500


def fly(envs, pilots, seed):
    """Fly one episode in each lander, with the pilot of its own, and return the scores."""
    seen, _ = envs.reset(seed=seed)
    scores, flying = np.zeros(len(pilots)), np.ones(len(pilots), bool)
    while flying.any():
        sums = np.einsum("nai,ni->na", pilots[:, :, :8], seen) + pilots[:, :, 8]
        seen, rewards, ended, cut, _ = envs.step(sums.argmax(axis=1))
        scores += np.where(flying, rewards, 0)
        flying &= ~(ended | cut)
    return scores


def learn(rounds=60, seed=0):
    """Return the pilot that is learnt, and the mean score of each round."""
    chance, envs = np.random.default_rng(seed), LunarLanderVectorEnv(PILOTS * FLIGHTS, LONGEST)
    mean, spread, curve = np.zeros((4, 9)), np.ones((4, 9)), []
    for k in range(rounds):
        pilots = mean + spread * chance.normal(size=(PILOTS, 4, 9))
        scores = fly(envs, np.repeat(pilots, FLIGHTS, axis=0), np.tile(chance.integers(2**31, size=FLIGHTS), PILOTS).tolist())
        scores = scores.reshape(PILOTS, FLIGHTS).mean(axis=1)
        best = pilots[np.argsort(-scores)[:BEST]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.3 * 0.9**k  # noise that fades keeps it curious
        curve.append(scores.mean())
        print(f"round {k + 1}: mean score {scores.mean():.0f}, best {scores.max():.0f}", flush=True)
    return mean, curve


if __name__ == "__main__":
    import time
    t = time.time()
    pilot, curve = learn(*map(int, sys.argv[1:]))
    print(time.time() - t)
    scores = fly(LunarLanderVectorEnv(100), np.repeat(pilot[None], 100, axis=0), 10_000)
    print(f"100 new flights: mean score {scores.mean():.0f}")
