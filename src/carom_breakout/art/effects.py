"""Effects on the finished picture of the field: confuse, chaos, shake.

In: a surface of the field alone (the rails and the words around it stay as they are) and the `Snapshot` that it shows.
Out: the same surface, changed. Everything is made of whole-surface blits, which are fast enough for a large window.
Only one effect shows at a time: chaos before confuse before shake.
"""

from __future__ import annotations

from math import cos, sin

import pygame

from carom_breakout import state
from carom_breakout.art.snapshot import Snapshot

CHAOS_AMPLITUDE = 0.3
CHAOS_SAMPLE = 1 / 300
SHAKE_REACH = 4.0


class Effects:
    """The effects with the spare surfaces they need, which are made once for each size."""

    def __init__(self) -> None:
        self._spare: list[pygame.Surface] = []

    def _spares(self, size: tuple[int, int]) -> list[pygame.Surface]:
        if not self._spare or self._spare[0].get_size() != size:
            self._spare = [pygame.Surface(size, 0, 32) for _ in range(2)]
        return self._spare

    def apply(self, field: pygame.Surface, snapshot: Snapshot) -> None:
        """Change the picture of the field as the strongest running effect says."""
        if snapshot.has(state.CHAOS):
            self.chaos(field, snapshot.time)
        elif snapshot.has(state.CONFUSE):
            self.confuse(field)
        elif snapshot.shaking:
            self.shake(field, snapshot.time)

    def confuse(self, field: pygame.Surface) -> None:
        """Invert all colours and turn the picture over on both axes."""
        inverted = self._spares(field.get_size())[0]
        inverted.fill((255, 255, 255))
        inverted.blit(field, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
        field.blit(pygame.transform.flip(inverted, True, True), (0, 0))

    def chaos(self, field: pygame.Surface, time: float) -> None:
        """Leave only the edges, bright on black, and let the picture go round, wrapped at its borders."""
        edges, rest = self._spares(field.get_size())
        width, height = field.get_size()
        step = max(1, round(width * CHAOS_SAMPLE * 0.5))
        subtract, add = pygame.BLEND_RGB_SUB, pygame.BLEND_RGB_ADD
        edges.blit(field, (0, 0))
        edges.blit(field, (step, step), special_flags=subtract)
        rest.blit(field, (step, step))
        rest.blit(field, (0, 0), special_flags=subtract)
        edges.blit(rest, (0, 0), special_flags=add)
        rest.blit(edges, (0, 0))
        edges.blit(rest, (0, 0), special_flags=add)
        x = round(CHAOS_AMPLITUDE * sin(time) * width) % width
        y = round(CHAOS_AMPLITUDE * cos(time) * height) % height
        for left in (x - width, x):
            for top in (y - height, y):
                field.blit(edges, (left, top))

    def shake(self, field: pygame.Surface, time: float) -> None:
        """Push the picture a few units to and fro and soften it."""
        copy = self._spares(field.get_size())[0]
        copy.blit(field, (0, 0))
        reach = SHAKE_REACH * field.get_width() / 800
        x, y = reach * cos(10 * time), reach * cos(15 * time)
        field.blit(copy, (round(x), round(y)))
        copy.set_alpha(110)
        field.blit(copy, (round(x) + 1, round(y) + 1))
        copy.set_alpha(255)
