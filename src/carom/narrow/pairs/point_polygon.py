"""A disc beside a polygon, for which the walk is shorter: around a point there is nothing to merge.

In: two records. Out: what `walk` finds, by the same rules in fewer steps. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.walk import EDGE_A, VERTICES, unit
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import FACE_BAND

# whether all was clear, distance, normal x and y, feature, place of the polygon's point, place of the other's
Found = tuple[bool, float, float, float, int, int, int]


@kernel
def polygon_and_point(a: Floats, i: int, b: Floats, j: int, beyond: float) -> Found:
    """Return what of a core with area (A) is nearest to a core of one point (B), if that is clear beyond rounding.

    A distance larger than `beyond` may come out too small, as the distance from the line through an edge.
    """
    count, first, bt = int(a[i + COUNT]), i + POINTS, j + POINTS
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    best, at, largest = -math.inf, first, 0.0
    for k in range(count):
        place = first + STRIDE * k
        px, py = (a[place] - b[bt]) - offset_x, (a[place + 1] - b[bt + 1]) - offset_y
        distance = -(a[place + 2] * px + a[place + 3] * py)
        largest = max(largest, abs(px), abs(py))
        if distance > best:
            best, at = distance, place
    nx, ny = a[at + 2], a[at + 3]
    if best > beyond:
        return True, best, nx, ny, EDGE_A, at, bt
    last = first + STRIDE * (count - 1)
    far, before = (at + STRIDE if at < last else first), (at - STRIDE if at > first else last)
    px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
    along = px * ny - py * nx
    if 0.0 <= along <= (a[far + 1] - a[at + 1]) * nx - (a[far] - a[at]) * ny:
        return True, best, nx, ny, EDGE_A, at, bt
    # Beyond one end of the edge: that corner is nearest if the point lies beyond it along its other edge, too, and, as
    # the corner's own coordinates tell, along the first: rounded otherwise, that only nearly says the same.
    corner, other = (at, before) if along < 0.0 else (far, far)
    px, py = (a[corner] - b[bt]) - offset_x, (a[corner + 1] - b[bt + 1]) - offset_y
    along_other, along_own = px * a[other + 3] - py * a[other + 2], px * ny - py * nx
    distance, ux, uy = unit(-px, -py)
    clear = (along_other >= 0.0 if along < 0.0 else along_other <= 0.0 <= along_own) and best > 0.0
    return clear and distance > 2.0 * FACE_BAND * largest, distance, ux, uy, VERTICES, corner, bt
