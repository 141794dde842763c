"""A lander that learns to land, in NumPy alone: the cross-entropy method on 128 landers at once, in two minutes.

A pilot has two rows of weights for what is seen: one says how much to rise, the other how much to push left. The engine
that is asked for most fires, none if both are small. In each round 64 pilots are drawn round a mean, all fly over the
same two grounds, and the best eight make the next mean. Leaves lander.png: one flight with the mean of the end.
"""

import sys

import numpy as np
from PIL import Image

from carom_gym.lander import LunarLanderVectorEnv

PILOTS, FLIGHTS, BEST, LONGEST, QUIET = 64, 2, 8, 500, 0.1


def engines(pilots, seen):
    """Return which engine each pilot fires: none, left, main or right."""
    rise, left = (np.einsum("nai,ni->na", pilots[:, :, :8], seen) + pilots[:, :, 8]).T
    return np.argmax([np.full(len(rise), QUIET), left, rise, -left], axis=0)


def fly(envs, pilots, seeds, watch=None):
    """Fly one episode with each pilot, and return the scores; `watch` is called in each step of the first."""
    seen, _ = envs.reset(seed=seeds)
    scores, flying = np.zeros(len(pilots)), np.ones(len(pilots), bool)
    while flying.any():
        seen, rewards, ended, cut, _ = envs.step(engines(pilots, seen))
        scores += np.where(flying, rewards, 0)
        flying &= ~(ended | cut)
        if watch and flying[0]:
            watch()
    return scores


def learn(rounds=40, seed=0):
    """Return the pilot that is learnt, and the mean score of each round."""
    chance, envs = np.random.default_rng(seed), LunarLanderVectorEnv(PILOTS * FLIGHTS, LONGEST)
    mean, spread, curve = np.zeros((2, 9)), np.ones((2, 9)), []
    for k in range(rounds):
        pilots = mean + spread * chance.normal(size=(PILOTS, 2, 9))
        seeds = np.tile(chance.integers(2**31, size=FLIGHTS), PILOTS).tolist()
        scores = fly(envs, np.repeat(pilots, FLIGHTS, axis=0), seeds).reshape(PILOTS, FLIGHTS).mean(axis=1)
        best = pilots[np.argsort(-scores)[:BEST]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.3 * 0.9**k  # noise that fades lets it go on searching
        curve.append(scores.mean())
        print(f"round {k + 1}: mean score {scores.mean():.0f}, best {scores.max():.0f}", flush=True)
    return mean, curve


def picture(pilot, seed=7):
    """Return one flight as one picture, a lander in every third of a second."""
    envs, frames = LunarLanderVectorEnv(1, render_mode="rgb_array"), []
    fly(envs, pilot[None], seed, lambda: frames.append(envs.frame()))
    return np.max(frames[::16], axis=0)


if __name__ == "__main__":
    pilot, curve = learn(*map(int, sys.argv[1:]))
    scores = fly(LunarLanderVectorEnv(100), np.repeat(pilot[None], 100, axis=0), 10_000)
    Image.fromarray(picture(pilot)).save("lander.png")
    print(f"wrote lander.png; mean score of 100 new flights: {scores.mean():.0f}")
