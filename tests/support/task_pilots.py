"""Pilots of Gymnasium's documentation, for many episodes at once: the lander's, and the walker's gait.

In: what is seen, one row for each episode. Out: actions, one for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LIFT, LOWER, PUSH = range(3)
FAST, STRAIGHT = 0.29, 0.1


def pilot(seen: NDArray[Any], continuous: bool = False) -> NDArray[Any]:
    """Return what the documented pilot does, for each row of what is seen.

    Lean towards the pad, no further than 0.4; hover at a height that shrinks with the distance from it; with a foot on
    the ground, only brake. From Gymnasium's `heuristic` of LunarLander-v3 (MIT).
    """
    x, y, along, up, angle, spin, one, other = seen.astype(np.float64).T
    on_ground = (one > 0) | (other > 0)
    lean = np.clip(x * 0.5 + along, -0.4, 0.4)
    turn = np.where(on_ground, 0.0, (lean - angle) * 0.5 - spin)
    lift = np.where(on_ground, -up * 0.5, (0.55 * abs(x) - y) * 0.5 - up * 0.5)
    if continuous:
        throttles: NDArray[Any] = np.clip(np.stack((lift * 20 - 1, -turn * 20), axis=1), -1, 1).astype(np.float32)
        return throttles
    aside = np.where(turn < -0.05, 3, np.where(turn > 0.05, 1, 0))
    return np.where((lift > abs(turn)) & (lift > 0.05), 2, aside)


class Gait:
    """The documented gait for many walkers: lift a leg, put it down ahead, push off with the other one.

    From Gymnasium's pilot of BipedalWalker-v3 (MIT).
    """

    def __init__(self, count: int) -> None:
        self.phase, self.moving = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.knee, self.rows = np.full(count, STRAIGHT), np.arange(count)

    def act(self, seen: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return what the motors do."""
        rows, moving, other = self.rows, self.moving, 1 - self.moving
        lead, rest = 4 + 5 * moving, 4 + 5 * other
        hips, knees = np.full((len(rows), 2), np.nan), np.full((len(rows), 2), np.nan)
        on = self.phase == LIFT
        higher = np.minimum(self.knee + np.where(seen[:, 2] > FAST, 0.06, 0.03), STRAIGHT)
        self.knee = np.where(on, higher, self.knee)
        hips[rows[on], moving[on]], knees[rows[on], moving[on]] = 1.1, -0.6
        knees[rows[on], other[on]] = self.knee[on]
        self.phase[on & (seen[rows, rest] < 0.1)] = LOWER
        on = self.phase == LOWER
        hips[rows[on], moving[on]], knees[rows[on], moving[on]] = 0.1, STRAIGHT
        knees[rows[on], other[on]] = self.knee[on]
        down = on & (seen[rows, lead + 4] > 0)
        self.phase[down], self.knee[down] = PUSH, np.minimum(seen[rows, lead + 2], STRAIGHT)[down]
        on = self.phase == PUSH
        knees[rows[on], moving[on]], knees[rows[on], other[on]] = self.knee[on], 1.0
        off = on & ((seen[rows, rest + 2] > 0.88) | (seen[:, 2] > 1.2 * FAST))
        self.phase[off], self.moving[off] = LIFT, other[off]
        upright = 0.9 * seen[:, :1] + 1.5 * seen[:, 1:2]
        hip = np.nan_to_num(0.9 * (hips - seen[:, [4, 9]]) - 0.25 * seen[:, [5, 10]]) + upright
        knee = np.nan_to_num(4 * (knees - seen[:, [6, 11]]) - 0.25 * seen[:, [7, 12]]) - 15 * seen[:, 3:4]
        motors: NDArray[np.float64] = np.clip(np.stack((hip, knee), axis=2).reshape(-1, 4) / 2, -1, 1)
        return motors
