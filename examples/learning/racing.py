"""Pilots that see pixels only: eight cars, each on a road by chance, steered by the grey that they see ahead.

Row by row from the car on, the middle of the road is that of the grey pixels around the middle below. Speed is read off
the white bar: pixels are shaded by the exact area that is covered, so a bar of two pixels tells a metre per second.
Leaves racing.png.
"""

import sys

import numpy as np
from PIL import Image

from carom_gym.racing import CarRacingVectorEnv

CAR_ROW, CAR_COLUMN, AHEAD, NEAR, ASIDE = 66, 48, 32, 12, 12  # pixels
BAR, PER_SPEED = (slice(None), slice(84, 96), slice(12, 15), 0), 0.02 * 2.4 * 2.4 * 255
FAST, SLOW = 80.0, 36.0  # on straight road, and in the hardest bends


def look(seen):
    """Return where the middle of the road is in each row ahead, from the car on, (n, rows); 0 is straight ahead."""
    red, green, blue = np.moveaxis(seen[:, : CAR_ROW + 1].astype(np.int64), 3, 0)
    grey = (abs(red - green) < 15) & (abs(green - blue) < 15) & (red > 80) & (red < 130)
    columns, middle, found = np.arange(seen.shape[2]), np.full(len(seen), float(CAR_COLUMN)), []
    for row in range(CAR_ROW, CAR_ROW - AHEAD, -1):
        near = grey[:, row] & (abs(columns - middle[:, None]) <= ASIDE)
        count = near.sum(axis=1)
        middle = np.where(count > 2, (near * columns).sum(axis=1) / np.maximum(count, 1), middle)
        found.append(middle - CAR_COLUMN)
    return np.stack(found, axis=1)


def steer(seen):
    """Return steering, gas and brake of each car."""
    road, speed = look(seen), seen[BAR].sum(axis=(1, 2)) / PER_SPEED
    bend = np.clip(abs(road[:, -1] - road[:, 0]) / 12, 0, 1)
    wanted = FAST + bend * (SLOW - FAST)
    turn = np.clip(0.07 * road[:, NEAR], -1, 1)
    return np.stack((turn, np.clip((wanted - speed) / 20, 0, 0.6), np.clip((speed - wanted) / 60, 0, 0.5)), axis=1)


def drive(cars=8, steps=1000, seed=0):
    """Drive, and return the score of each car, which have come round, and what the first one sees, and people do."""
    envs = CarRacingVectorEnv(cars, steps)
    seen, _ = envs.reset(seed=seed)
    scores, driving, round_, frames = np.zeros(cars), np.ones(cars, bool), np.zeros(cars, bool), []
    for k in range(steps):
        seen, rewards, ended, cut, infos = envs.step(steer(seen).astype(np.float32))
        scores += np.where(driving, rewards, 0)
        round_ |= driving & infos.get("lap_finished", np.zeros(cars, bool))
        driving &= ~(ended | cut)
        if k == 60:
            frames += [seen[0], envs.frame()]
        if not driving.any():
            break
    return scores, round_, frames


if __name__ == "__main__":
    scores, round_, frames = drive(*map(int, sys.argv[1:]))
    seen = np.pad(np.kron(frames[0], np.ones((4, 4, 1), np.uint8)), ((8, 8), (0, 8), (0, 0)))
    Image.fromarray(np.concatenate((seen, frames[1]), axis=1)).save("racing.png")
    print(f"wrote racing.png; {round_.sum()} of {len(scores)} cars came round; mean score {scores.mean():.0f}")
    print(scores.round().tolist())
