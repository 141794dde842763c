"""Where the picture lies in the output: the field of 800 x 600 units, rails left, right and above, open below.

In: the size of the output in pixels. Out: one `View` for each picture in it, which turns places of the field into
pixels and back. The field's origin is its upper left corner, y points down.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

from carom_breakout.state import HEIGHT, WIDTH

PICTURE_WIDTH, PICTURE_HEIGHT = 880.0, 660.0
FIELD_LEFT, FIELD_TOP = 40.0, 60.0
FIELD_WIDTH, FIELD_HEIGHT = WIDTH, HEIGHT


class View(NamedTuple):
    """Where a picture lies in the output: the pixel of its corner and the pixels per unit of the world."""

    left: float
    top: float
    scale: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Output pixel of a point of the field."""
        return (self.left + (FIELD_LEFT + x) * self.scale, self.top + (FIELD_TOP + y) * self.scale)

    def world(self, x: float, y: float) -> tuple[float, float]:
        """Point of the field under an output pixel."""
        return ((x - self.left) / self.scale - FIELD_LEFT, (y - self.top) / self.scale - FIELD_TOP)

    def box(self, x: float, y: float, width: float, height: float) -> pygame.Rect:
        """Output rectangle of a box of the field, its edges on whole pixels."""
        left, top = self.point(x, y)
        right, bottom = self.point(x + width, y + height)
        return pygame.Rect(round(left), round(top), round(right) - round(left), round(bottom) - round(top))

    @property
    def field(self) -> pygame.Rect:
        """Output rectangle of the whole field."""
        return self.box(0, 0, FIELD_WIDTH, FIELD_HEIGHT)

    @property
    def picture(self) -> pygame.Rect:
        """Output rectangle of the picture: the field and its rails."""
        return pygame.Rect(
            round(self.left), round(self.top), round(PICTURE_WIDTH * self.scale), round(PICTURE_HEIGHT * self.scale)
        )


def fit(size: tuple[int, int], columns: int = 1, below: float = 0.0) -> list[View]:
    """Place pictures side by side as large as the output allows, centred, with room `below` in units of the world."""
    scale = max(min(size[0] / (PICTURE_WIDTH * columns), size[1] / (PICTURE_HEIGHT + below)), 0.1)
    left = round((size[0] - PICTURE_WIDTH * columns * scale) / 2)
    top = round((size[1] - (PICTURE_HEIGHT + below) * scale) / 2)
    return [View(left + round(i * PICTURE_WIDTH * scale), top, scale) for i in range(columns)]
