"""The sparks: a trail behind the ball and fragments of broken bricks. Only for the eye; no rule depends on them.

In: places, velocities and colours in units of the world, one call for each tick. Out: small lights added to a picture.
The pool holds 500 and the oldest are used again. A spark lives one second; its light falls by 2.5 a second, so it is
gone after 0.4 s. Their chance comes from a stream of their own and cannot disturb the game's.
"""

from __future__ import annotations

import numpy as np
import pygame

from carom_breakout.art.drawing import Art
from carom_breakout.art.ink import Color, mix
from carom_breakout.art.view import View

POOL = 500
LIFE = 1.0
FADE = 2.5
TRAIL_SIZE = 10.0
TRAIL_EACH_TICK = 2
TRAIL_DRIFT = -0.1
EMBER = (255, 196, 128)
DARK = (0, 0, 0)
SHINE = 0.8


class Particles:
    """A pool of sparks as columns.

    Parameters
    ----------
    seed : start of their own stream of chance.
    fade : how fast their light falls, in shares of it a second.
    """

    def __init__(self, seed: int = 0, fade: float = FADE) -> None:
        self._fade = fade
        self._random = np.random.default_rng(seed)
        self.position = np.zeros((POOL, 2))
        self.velocity = np.zeros((POOL, 2))
        self.strength = np.zeros(POOL)
        self.life = np.zeros(POOL)
        self.size = np.zeros(POOL)
        self.colors: list[Color] = [EMBER] * POOL
        self._next = 0

    def _light(self, count: int, color: Color) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Begin the life of so many sparks of one colour and return their rows."""
        rows = (self._next + np.arange(count)) % POOL
        self._next = int(rows[-1] + 1) % POOL
        self.life[rows] = LIFE
        for row in rows:
            self.colors[row] = color
        return rows

    def trail(self, x: float, y: float, velocity: tuple[float, float], radius: float) -> None:
        """Leave two sparks behind the ball with its centre at (x, y)."""
        rows = self._light(TRAIL_EACH_TICK, EMBER)
        offset = self._random.integers(-50, 50, TRAIL_EACH_TICK) / 10
        self.position[rows, 0] = x + offset
        self.position[rows, 1] = y + offset
        self.velocity[rows] = np.array(velocity) * TRAIL_DRIFT
        self.strength[rows] = self._random.uniform(0.35, 0.8, TRAIL_EACH_TICK)
        self.size[rows] = TRAIL_SIZE * min(radius / 12.5, 1.0)

    def burst(self, box: tuple[float, float, float, float], color: Color, count: int = 16, force: float = 1.0) -> None:
        """Break a box (x, y, width, height) into fragments of its colour."""
        rows = self._light(count, color)
        x, y, width, height = box
        share = self._random.uniform(0.05, 0.95, (count, 2))
        self.position[rows] = np.array([x, y]) + share * [width, height]
        self.velocity[rows] = (share - 0.5) * np.array([220, 160]) * force + self._random.normal(0, 22, (count, 2))
        self.strength[rows] = self._random.uniform(0.5, 1.0, count)
        self.size[rows] = self._random.uniform(4, 9, count)

    def step(self, seconds: float) -> None:
        """Let time pass."""
        self.life -= seconds
        self.position += self.velocity * seconds
        self.velocity *= max(0.0, 1 - 2.2 * seconds)

    def clear(self) -> None:
        """Put all sparks out."""
        self.life[:] = 0

    def draw(self, target: pygame.Surface, view: View, art: Art, ahead: float = 0.0) -> None:
        """Add all living sparks to the picture, `ahead` seconds after the last tick."""
        alpha = self.strength * (1 - self._fade * (LIFE - self.life))
        lights = []
        for row in np.flatnonzero((self.life > 0) & (alpha > 0.03)):
            place = self.position[row] + self.velocity[row] * ahead
            left, top = view.point(place[0], place[1])
            level = max(1, round(float(alpha[row]) * 16))
            size = max(2, round(float(self.size[row]) * view.scale * (0.45 + 0.55 * float(alpha[row]))))
            spark = art.spark(mix(DARK, self.colors[row], SHINE), size, level)
            lights.append((spark, (round(left - size / 2), round(top - size / 2))))
        target.fblits(lights, pygame.BLEND_RGB_ADD)
