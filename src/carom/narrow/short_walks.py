"""Pairs for which the walk is shorter: a disc beside a polygon, and two turned boxes.

In: two records. Out: what `walk` finds, or for two boxes what `farthest_edge` finds, by the same rules in fewer steps:
around a point there is nothing to merge, and a box turned by half a circle is itself, so each step tells of two edges.
World frame, user's units.
"""

from __future__ import annotations

import math

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Floats
from carom.narrow.walk import EDGE_A, VERTICES, unit
from carom.tolerances import FACE_BAND

POINTS, STRIDE = rec.POINTS, rec.STRIDE

# whether all was clear, distance, normal x and y, feature, place of the polygon's point, place of the other's
Found = tuple[bool, float, float, float, int, int, int]


@kernel
def polygon_and_point(a: Floats, i: int, b: Floats, j: int, beyond: float) -> Found:
    """Return what of a core with area (A) is nearest to a core of one point (B), if that is clear beyond rounding.

    A distance larger than `beyond` may come out too small, as the distance from the line through an edge.
    """
    count, first, bt = int(a[i + rec.COUNT]), i + POINTS, j + POINTS
    offset_x, offset_y = b[j + rec.X] - a[i + rec.X], b[j + rec.Y] - a[i + rec.Y]
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
    # Beyond one end of the edge: that corner is nearest if the point lies beyond it along its other edge, too.
    corner, other = (at, before) if along < 0.0 else (far, far)
    px, py = (a[corner] - b[bt]) - offset_x, (a[corner + 1] - b[bt + 1]) - offset_y
    along_other = px * a[other + 3] - py * a[other + 2]
    distance, ux, uy = unit(-px, -py)
    clear = (along_other >= 0.0 if along < 0.0 else along_other <= 0.0) and best > 0.0
    return clear and distance > 2.0 * FACE_BAND * largest, distance, ux, uy, VERTICES, corner, bt


@inner
def farthest_edge_of_boxes(a: Floats, i: int, b: Floats, j: int) -> tuple[float, float, float, bool, int, int, float]:
    """Return what `farthest_edge` does, of two turned boxes: their edges come in opposite pairs."""
    offset_x, offset_y = b[j + rec.X] - a[i + rec.X], b[j + rec.Y] - a[i + rec.Y]
    first_a, first_b = i + POINTS, j + POINTS
    end_a, end_b = first_a + 4 * STRIDE, first_b + 4 * STRIDE
    at, bt = first_a + STRIDE * int(a[i + rec.LOWEST]), first_b + STRIDE * int(b[j + rec.HIGHEST])
    left_a, left_b = 2, 2
    best, best_x, best_y, of_a, best_a, best_b = -math.inf, 0.0, 0.0, True, at, bt
    back, back_x, back_y, back_of_a, back_a, back_b = -math.inf, 0.0, 0.0, True, at, bt
    largest = 0.0
    for _ in range(4):
        nax, nay, nbx, nby = a[at + 2], a[at + 3], b[bt + 2], b[bt + 3]
        x, y = a[at] - b[bt], a[at + 1] - b[bt + 1]
        px, py, qx, qy = x - offset_x, y - offset_y, -x - offset_x, -y - offset_y
        largest = max(max(largest, max(abs(px), abs(py))), max(abs(qx), abs(qy)))
        is_a = (left_b == 0) | ((left_a > 0) & (nay * nbx - nax * nby >= 0.0))
        nx, ny = (nax if is_a else -nbx), (nay if is_a else -nby)
        forth, opposite = -(nx * px + ny * py), nx * qx + ny * qy
        if forth > best:
            best, best_x, best_y, of_a, best_a, best_b = forth, nx, ny, is_a, at, bt
        if opposite > back:
            back, back_x, back_y, back_of_a, back_a, back_b = opposite, -nx, -ny, is_a, at, bt
        next_a, next_b = at + STRIDE, bt + STRIDE
        next_a, next_b = (first_a if next_a == end_a else next_a), (first_b if next_b == end_b else next_b)
        at, bt = (next_a if is_a else at), (bt if is_a else next_b)
        left_a, left_b = (left_a - 1 if is_a else left_a), (left_b if is_a else left_b - 1)
    if back > best:
        back_a, back_b = back_a + 2 * STRIDE, back_b + 2 * STRIDE
        back_a = back_a - 4 * STRIDE if back_a >= end_a else back_a
        back_b = back_b - 4 * STRIDE if back_b >= end_b else back_b
        return back, back_x, back_y, back_of_a, back_a, back_b, largest
    return best, best_x, best_y, of_a, best_a, best_b, largest
