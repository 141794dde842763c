"""The place of a legend: a corner, or a place at the upper or lower edge, where nothing is drawn.

In: the boxes of all that is drawn, the room there is, and the size of the legend. Out: its upper left point. All are in
pixels, with y down.
"""

from __future__ import annotations

import numpy as np

from carom._core.types import Floats
from carom.draw.colors import Colors
from carom.vector import Point2

EDGE = 10.0  # pixels between the legend and the edges
SAMPLE = 16.0  # the side of a sample of a colour
LINE = 22.0  # from one line to the next
SHARES = (0.0, 1.0), tuple(k / 16 for k in range(1, 16))  # of the way from left to right: corners, and places between
LETTER = 0.55  # of the height of letters: how wide most are


def size_of(colors: Colors, letters: float) -> Point2:
    """Return how wide and high a legend is, words roughly, with the room around it."""
    longest = max((len(text) for text, _ in colors.legend), default=0)
    return 2.0 * EDGE + SAMPLE + 7.0 + LETTER * letters * longest, 2.0 * EDGE + LINE * len(colors.legend)


def best_place(boxes: Floats, room: Point2, size: Point2) -> tuple[Point2, bool]:
    """Return the upper left point of the place where a legend covers least, and whether it covers nothing there.

    `boxes` are (p, 4); of places that are equally good a corner is taken first, and the upper edge.
    """
    right, low = max(0.0, room[0] - size[0]), max(0.0, room[1] - size[1])
    found = []
    for x, y in ((share * right, y) for shares in SHARES for y in (0.0, low) for share in shares):
        wide = np.minimum(boxes[:, 2], x + size[0]) - np.maximum(boxes[:, 0], x)
        high = np.minimum(boxes[:, 3], y + size[1]) - np.maximum(boxes[:, 1], y)
        found.append((float((np.maximum(wide, 0.0) * np.maximum(high, 0.0)).sum()), (x, y)))
    covered, place = min(found, key=lambda one: one[0])
    return place, covered == 0.0
