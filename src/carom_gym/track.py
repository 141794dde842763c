"""Tracks of CarRacing: a closed road around twelve points by chance, its tiles and its kerbs.

In: a source of chance. Out: the middle line as Gymnasium's task draws it from the same seed, the corners of the tiles,
and where kerbs are.
Numbers of the task are those of Gymnasium's source (Farama Foundation, CarRacing-v3, MIT).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from carom_gym.arrays import Floats

SCALE = 6.0
RADIUS, FIELD = 900 / SCALE, 2000 / SCALE
"""How far the road goes about, and how far from the middle the field ends."""
STRIDE, TURN, HALF, KERB = 21 / SCALE, 0.31, 40 / SCALE, 8 / SCALE
"""The length of a tile, the most that the road turns in one, half of its width, and the width of a kerb."""
GOALS, LAPS, MOST, BEND = 12, 4, 2500, 4
"""Points to steer for, laps that are tried, steps of these, and tiles of a bend that has a kerb."""


def goals_of(chance: np.random.Generator) -> list[tuple[float, float, float]]:
    """Return the points that the road steers for, and their directions from the middle, in Gymnasium's order."""
    found = []
    for k in range(GOALS):
        angle = 2 * math.pi * k / GOALS + chance.uniform(0, 2 * math.pi / GOALS)
        away = chance.uniform(RADIUS / 3, RADIUS)
        if k in (0, GOALS - 1):
            angle, away = 2 * math.pi * k / GOALS, 1.5 * RADIUS
        found.append((angle, away * math.cos(angle), away * math.sin(angle)))
    return found


def driven(goals: list[tuple[float, float, float]]) -> list[tuple[float, float, float, float]]:
    """Return five laps of a pen that steers from goal to goal: direction from the middle, that of the way, x, y."""
    x, y, heading = 1.5 * RADIUS, 0.0, 0.0
    goal, laps, beyond = 0, 0, False
    way: list[tuple[float, float, float, float]] = []
    while laps <= LAPS and len(way) < MOST:
        around = math.atan2(y, x)
        if beyond and around > 0:
            laps, beyond = laps + 1, False
        if around < 0:
            beyond, around = True, around + 2 * math.pi
        while around > goals[goal % GOALS][0]:
            goal += 1
            if goal % GOALS == 0:
                around -= 2 * math.pi
        _, to_x, to_y = goals[goal % GOALS]
        across_x, across_y = math.cos(heading), math.sin(heading)
        aside = SCALE * (across_x * (to_x - x) + across_y * (to_y - y))
        while heading - around > 1.5 * math.pi:
            heading -= 2 * math.pi
        while heading - around < -1.5 * math.pi:
            heading += 2 * math.pi
        before = heading
        if abs(aside) > 0.3:
            heading -= math.copysign(min(TURN, abs(0.001 * aside)), aside)
        x, y = x - across_y * STRIDE, y + across_x * STRIDE
        way.append((around, before * 0.5 + heading * 0.5, x, y))
    return way


def lap_of(way: list[tuple[float, float, float, float]]) -> Floats | None:
    """Return the last whole lap, (tiles, 3): direction, x, y; None if there is none or its ends do not meet."""
    start = -math.pi / GOALS
    around = np.array([one[0] for one in way])
    passes = np.flatnonzero((around[1:] > start) & (around[:-1] <= start)) + 1
    if len(passes) < 2:
        return None
    lap = np.array(way)[passes[-2] : passes[-1] - 1, 1:]
    c, s = math.cos(lap[0, 0]), math.sin(lap[0, 0])
    gap = math.hypot(c * (lap[0, 1] - lap[-1, 1]), s * (lap[0, 2] - lap[-1, 2]))
    return lap if gap <= STRIDE else None


def track_of(chance: np.random.Generator) -> Floats:
    """Return the middle line of a track, (tiles, 3): the direction across the road, x, y."""
    lap = None
    while lap is None:
        lap = lap_of(driven(goals_of(chance)))
    return lap


def kerbs_of(track: Floats) -> NDArray[np.int64]:
    """Return for each tile on which side a kerb is, 1 or -1, and 0 where there is none."""
    turns = track[:, 0] - np.roll(track[:, 0], 1)
    hard = np.stack([np.roll(abs(turns) > 0.2 * TURN, k) for k in range(BEND)]).all(axis=0)
    one_way = abs(np.stack([np.roll(np.sign(turns), k) for k in range(BEND)]).sum(axis=0)) == BEND
    bend = (hard & one_way).tolist()
    for k in range(len(bend)):
        for back in range(BEND if bend[k] else 0):
            bend[k - back] = True
    return np.where(bend, -np.sign(turns), 0).astype(np.int64)


def edges_of(track: Floats, out: float = HALF) -> tuple[Floats, Floats]:
    """Return the left and the right edge of the road at each point of its middle line, (tiles, 2) each."""
    across = np.stack((np.cos(track[:, 0]), np.sin(track[:, 0])), axis=1) * out
    return track[:, 1:] - across, track[:, 1:] + across
