"""The earliest that a moving shape can meet another: when its box comes to the other's box.

In: two records and the first one's motion. Out: boxes that hold the shapes with room for rounding, and the fraction of
the motion at which they first touch. World frame, user's units.

No hit is told to be earlier than that. An edge that the path nearly runs along is met at a time that rounding may move
far, beyond the tip of a needle even; held back to the entry of the box it is nearer the truth, and a search that looks
at boxes in the order of their entry may stop at the first hit: see docs/design/search.md.
"""

from __future__ import annotations

import math

from carom._core.jit import inner
from carom._core.types import Floats
from carom.shapes.proxy import COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import CULL_LEAST, CULL_SIZE, CULL_ULPS, EPSILON, LEAST_COMPONENT

Box4 = tuple[float, float, float, float]


@inner
def margin_of(size: float, largest: float) -> float:
    """Return the room to leave around a shape of this size, whose largest coordinate is given."""
    return CULL_SIZE * size + CULL_ULPS * EPSILON * largest + CULL_LEAST


@inner
def box_of(records: Floats, at: int) -> Box4:
    """Return a box that holds the shape with its margin: least x and y, greatest x and y."""
    x, y, radius = records[at + X], records[at + Y], records[at + RADIUS]
    first = at + POINTS
    low_x = high_x = records[first]
    low_y = high_y = records[first + 1]
    for k in range(1, int(records[at + COUNT])):
        px, py = records[first + STRIDE * k], records[first + STRIDE * k + 1]
        low_x, high_x = min(low_x, px), max(high_x, px)
        low_y, high_y = min(low_y, py), max(high_y, py)
    size = 2.0 * (records[at + REACH] + radius)
    largest = max(abs(x) + max(abs(low_x), abs(high_x)), abs(y) + max(abs(low_y), abs(high_y))) + radius
    room = radius + margin_of(size, largest)
    return x + low_x - room, y + low_y - room, x + high_x + room, y + high_y + room


@inner
def inverse(component: float) -> float:
    """Return one over a motion, finite also where it is none."""
    return 1.0 / component if abs(component) > LEAST_COMPONENT else math.copysign(1.0 / LEAST_COMPONENT, component)


@inner
def entry(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> float:
    """Return the fraction of A's motion at which its box comes to that of B; 0 where they meet from the start."""
    return entry_of_boxes(box_of(a, i), box_of(b, j), mx, my)


@inner
def entry_of_boxes(one: Box4, other: Box4, mx: float, my: float) -> float:
    """Return the fraction of a box's motion at which it comes to another; 0 where they meet from the start."""
    enter_x = (other[0] - one[2] if mx >= 0.0 else other[2] - one[0]) * inverse(mx)
    enter_y = (other[1] - one[3] if my >= 0.0 else other[3] - one[1]) * inverse(my)
    return max(max(enter_x, enter_y), 0.0)
