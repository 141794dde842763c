"""A magnifier for a gap or an overlap that is too small to see.

In: the explanation of a pair, and how large the scene is shown. Out: how much to magnify and where; and a round picture
in which every pixel asks `separation` for itself, so that it is right at any magnification.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple

import numpy as np
import pygame

from carom import ConvexShape, Explanation, Shapes, Vec, separation
from carom.draw import Arrow, Item, Line, Text, View
from carom.draw.pair import BLUE, ORANGE, without_rounding
from carom_playground.scene import Point2

SEEN = 5.0  # pixels of a gap that is seen without help
SHOWN = 36.0  # pixels of the gap in the magnifier, about
EDGE = 1.6  # pixels of half an edge
PAPER, INSIDE, BOTH = (255, 255, 255), (214, 228, 236), (232, 160, 120)


class Lens(NamedTuple):
    """What to magnify."""

    middle: Vec
    """The place in the world."""
    factor: float
    """How many times larger than in the scene: 1, 2 or 5 and noughts."""


def lens_of(why: Explanation, scale: float) -> Lens | None:
    """Return what to magnify where the scene has so many pixels for a unit; None where all is seen or nothing is."""
    size = abs(why.separation)
    near, largest = why.closest, max(map(abs, (*why.closest.point_a, *why.closest.point_b)))
    if not without_rounding(size, largest) or size * scale >= SEEN:
        return None
    wanted = SHOWN / (size * scale)
    tens = 10.0 ** floor(log10(wanted))
    factor = max(step * tens for step in (1.0, 2.0, 5.0) if step * tens <= wanted)
    return Lens(near.point_a + (near.point_b - near.point_a) * 0.5, factor)


def picture(a: ConvexShape, b: ConvexShape, lens: Lens, scale: float, radius: int) -> pygame.Surface:
    """Return the round picture of what is magnified, y up, on a transparent surface."""
    across = 2 * radius + 1
    steps = (np.arange(across) - radius) / (scale * lens.factor)
    x, y = np.meshgrid(lens.middle.x + steps, lens.middle.y - steps, indexing="ij")
    points = Shapes.points(np.column_stack((x.ravel(), y.ravel())))
    inside = [separation(points, shape).reshape(across, across) for shape in (a, b)]
    colors = np.empty((across, across, 3), dtype=np.uint8)
    colors[:] = PAPER
    colors[(inside[0] <= 0.0) | (inside[1] <= 0.0)] = INSIDE
    colors[(inside[0] <= 0.0) & (inside[1] <= 0.0)] = BOTH
    half = EDGE / (scale * lens.factor)
    for gaps, color in zip(inside, (BLUE, ORANGE), strict=True):
        colors[np.abs(gaps) <= half] = tuple(pygame.Color(color))[:3]
    shown = pygame.Surface((across, across), pygame.SRCALPHA)
    pygame.surfarray.blit_array(shown, colors)
    round_hole = np.hypot(*np.meshgrid(np.arange(across) - radius, np.arange(across) - radius)) <= radius
    pygame.surfarray.pixels_alpha(shown)[:] = np.where(round_hole, 255, 0)
    return shown


def free_place(
    room: pygame.Rect,
    spot: Point2,
    radius: int,
    below: int,
    shapes: Sequence[ConvexShape],
    items: Sequence[Item],
    view: View,
) -> Point2:
    """Return the pixel of the room about which a magnifier covers least, as near to what it magnifies as may be.

    `below` is how high its words are; of the items lines and words count, shapes by themselves.
    """
    x, y = np.meshgrid(np.linspace(room.left, room.right, 13), np.linspace(room.top, room.bottom, 9))
    places = np.column_stack((x.ravel(), y.ravel()))
    centers = places + np.array((0.0, below / 2.0))  # of the magnifier with its words
    world = Shapes.points([view.world((px, py)) for px, py in centers.tolist()])
    free = np.full(len(places), 1.2 * (radius + below / 2.0))  # more room than that is not needed
    for shape in shapes:
        np.minimum(free, separation(world, shape) * view.scale, out=free)
    marks = [np.array([spot])]
    for item in items:
        if isinstance(item, Line | Arrow):
            start, end = np.array(view.place(item.start)), np.array(view.place(item.end))
            marks.append(start + np.linspace(0.0, 1.0, 17)[:, None] * (end - start))
        elif isinstance(item, Text):
            wide = 9.0 * len(item.text) * view.size
            marks.append(np.array(view.place(item.at)) + np.linspace(-0.5, 0.5, 5)[:, None] * (wide, 0.0))
    apart = np.linalg.norm(centers[:, None] - np.concatenate(marks)[None], axis=2).min(axis=1)
    free = np.minimum(free, apart)
    best = int(np.argmax(free - 0.02 * np.hypot(*(places - spot).T)))
    return float(places[best, 0]), float(places[best, 1])
