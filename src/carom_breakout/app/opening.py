"""How a window opens: as large as fits the desktop well, with the game's sign, or not at all where there is no display.

In: a shape and a scale. Out: the surface of the window, or None.
"""

from __future__ import annotations

import pygame

from carom.draw import open_display, quiet_stderr
from carom_breakout.art.drawing import icon
from carom_breakout.art.palette import INK

SHAPE = (800, 600)
SCALES = (0.8, 1.0, 1.2, 1.4, 1.6, 2.0, 2.5, 3.0)


def open_window(scale: float = 0.0, shape: tuple[int, int] = SHAPE) -> pygame.Surface | None:
    """Open the window and return its surface, or None where there is no display to open it on.

    Parameters
    ----------
    scale : how much larger than its shape the window is to be; 0 takes a size that fits the desktop well.
    shape : width and height in pixels at scale 1.
    """
    if not open_display():
        return None
    with quiet_stderr():
        try:
            return set_window(scale, shape)
        except pygame.error:
            return None


def set_window(scale: float = 0.0, shape: tuple[int, int] = SHAPE) -> pygame.Surface:
    """Make the window on the display that is open."""
    pygame.display.set_caption("Breakout – Carom")
    width, height = shape
    if scale <= 0:
        desktop = pygame.display.get_desktop_sizes()[0]
        fits = min(desktop[0] * 0.92 / width, desktop[1] * 0.85 / height)
        scale = max((s for s in SCALES if s <= fits), default=fits)
    pygame.display.set_icon(icon())
    surface = pygame.display.set_mode((round(width * scale), round(height * scale)), pygame.RESIZABLE)
    surface.fill(INK)
    return surface
