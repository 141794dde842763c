"""The ground of walkers: grass that goes up and down, and for the hard task stumps, pits and stairs.

In: a source of chance. Out: the heights of its corners and the bounds of its boxes, as Gymnasium's task draws them from
the same seed.
Numbers of the task are those of Gymnasium's source (Farama Foundation, BipedalWalker-v3, MIT).
"""

from __future__ import annotations

import numpy as np

from carom_gym.arrays import Floats

STRIDE, COUNT, LEVEL, PAD, GRASS = 14 / 30, 200, 10 / 3, 20, 10
"""From corner to corner, their number, the height at first, corners of level ground, and the longest piece of grass."""
DEEP = 4
"""Strides down to the floor of a pit."""
BOXES = 40
"""Room for boxes: 17 pits of two and a stair of four are the most that the ground has room for."""
AWAY = -100.0
"""Boxes that a ground does not need lie there, left of all walkers."""
SOFT, STUMP, STAIRS, PIT, KINDS = range(5)


def ground_of(chance: np.random.Generator, hard: bool = False) -> tuple[Floats, Floats]:
    """Return the heights of the corners (corners,), and the bounds of the boxes (BOXES, 4): least x, y, greatest x, y.

    All is drawn in Gymnasium's order, its clouds included.
    """
    kind, first, left = SOFT, False, PAD
    speed, y, before, up, wide, steps = 0.0, LEVEL, LEVEL, 1, 1, 0
    heights, boxes = [], []
    for k in range(COUNT):
        x = k * STRIDE
        if kind == SOFT and not first:
            speed = 0.8 * speed + 0.01 * np.sign(LEVEL - y)
            if k > PAD:
                speed += chance.uniform(-1, 1) / 30
            y += speed
        elif kind == STUMP and first:
            left = int(chance.integers(1, 3))
            boxes.append((x, y, x + left * STRIDE, y + left * STRIDE))
        elif kind == STAIRS and first:
            up = 1 if chance.random() > 0.5 else -1
            wide, steps = int(chance.integers(4, 5)), int(chance.integers(3, 5))
            before, left = y, steps * wide
            for step in range(steps):
                low, ahead = y + (step * up - 1) * STRIDE, x + step * wide * STRIDE
                boxes.append((ahead, low, ahead + wide * STRIDE, low + STRIDE))
        elif kind == STAIRS:
            y = before + (steps * wide - left - up) / wide * up * STRIDE
        elif kind == PIT and first:
            left = int(chance.integers(3, 5))
            floor = y - DEEP * STRIDE
            boxes += [(edge, floor, edge + STRIDE, y) for edge in (x, x + left * STRIDE)]
            before, left = y, left + 2
        elif kind == PIT:
            y = before - (DEEP * STRIDE if left > 1 else 0)
        first = False
        heights.append(y)
        left -= 1
        if left == 0:
            left, first = int(chance.integers(GRASS // 2, GRASS)), True
            kind = int(chance.integers(1, KINDS)) if kind == SOFT and hard else SOFT
    chance.uniform(size=11 * (COUNT // 20))  # for its clouds
    spare = [(AWAY - 2 * k, 0.0, AWAY - 2 * k + 1, 1.0) for k in range(BOXES - len(boxes))]
    return np.array(heights), np.array(boxes + spare, np.float64)


def lines_of(heights: Floats) -> Floats:
    """Return the ends of the lines of grounds of some heights (n, corners): (n, lines, 2, 2)."""
    corners = np.stack(np.broadcast_arrays(np.arange(COUNT) * STRIDE, heights), axis=-1)
    return np.stack((corners[:, :-1], corners[:, 1:]), axis=2)


def corners_of(boxes: Floats, skin: float) -> Floats:
    """Return the corners of boxes (..., 4) that are larger by a skin on each side, (..., 4, 2)."""
    low, high = boxes[..., :2] - skin, boxes[..., 2:] + skin
    return np.stack(
        (low, np.stack((high[..., 0], low[..., 1]), -1), high, np.stack((low[..., 0], high[..., 1]), -1)), -2
    )
