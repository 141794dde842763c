"""Where the parts of the playground lie in a window of any size, and how large words are in it.

In: width and height in pixels. Out: rectangles. The panel of words stands at the right, or below the scene where the
window is narrow. Words never get smaller than can be read; lines and handles do not either.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

NARROW = 720  # pixels; below that the panel stands under the scene
LEAST_LETTER = 0.75  # of the size of words in a window of 1280 x 800; that is 11 pixels
LEAST_STROKE = 0.62


class Layout(NamedTuple):
    """Where the parts of the playground lie."""

    stroke: float
    """Scale of lines and handles, 1 in a window of 1280 x 800."""
    letter: float
    """Scale of words."""
    narrow: bool
    """Whether the panel stands under the scene."""
    bar: pygame.Rect
    """The buttons above the scene."""
    field: pygame.Rect
    """The scene."""
    foot: pygame.Rect
    """The keys, or a message, below the scene."""
    panel: pygame.Rect
    """The words and switches."""


def layout_of(size: tuple[int, int]) -> Layout:
    """Return the layout of a window."""
    wide, high = size
    unit = min(wide / 1280.0, high / 800.0)
    letter, narrow = max(unit, LEAST_LETTER), wide < NARROW
    bar_high, foot_high = round((38 if narrow else 44) * letter), round((24 if narrow else 62) * letter)
    panel_wide = wide if narrow else round(max(270.0, min(0.37 * wide, 440.0 * letter)))
    left = wide if narrow else wide - panel_wide
    bar = pygame.Rect(0, 0, left, bar_high)
    foot = pygame.Rect(0, high - foot_high, left, foot_high)
    between = max(2, high - bar_high - foot_high)
    panel_high = round(max(0.42 * between, min(130.0 * letter, 0.6 * between))) if narrow else high
    field = pygame.Rect(0, bar_high, left, between - panel_high if narrow else between)
    panel = pygame.Rect(0, field.bottom, wide, panel_high) if narrow else pygame.Rect(left, 0, panel_wide, high)
    return Layout(max(unit, LEAST_STROKE), letter, narrow, bar, field, foot, panel)
