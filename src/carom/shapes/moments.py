"""Area and second moment of a convex shape from its record, and how thin it is.

In: a record, and a point. Out: plain numbers; a shape of even density has its second moment over its area, times its
mass, as moment of inertia about that point. The formulas are those of `mass`. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.centroids import sector, strip, triangle
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y


@kernel
def moments(a: Floats, i: int, px: float, py: float) -> tuple[float, float]:
    """Return area and second moment about p of a part, both of a core grown by a radius (`shapes.mass`)."""
    count, radius = int(a[i + COUNT]), a[i + RADIUS]
    first, last = i + POINTS, i + POINTS + STRIDE * (count - 1)
    ox, oy = a[first], a[first + 1]
    dx, dy = (a[i + X] + ox) - px, (a[i + Y] + oy) - py
    total, second = 0.0, 0.0
    for at in range(first + STRIDE, last, STRIDE):
        ax, ay, bx, by = a[at] - ox, a[at + 1] - oy, a[at + STRIDE] - ox, a[at + STRIDE + 1] - oy
        area, x, y = triangle(ax, ay, bx, by, ax * by - ay * bx)
        sides = ax * ax + ay * ay + bx * bx + by * by + (bx - ax) ** 2 + (by - ay) ** 2
        total += area
        second += area * (sides / 36.0 + (dx + x) ** 2 + (dy + y) ** 2)
    if radius == 0.0:
        return total, second
    mx, my = a[last + 2], a[last + 3]
    for at in range(first, last + STRIDE, STRIDE):
        after = at + STRIDE if at < last else first
        nx, ny = a[at + 2], a[at + 3]
        ax, ay, bx, by = a[at] - ox, a[at + 1] - oy, a[after] - ox, a[after + 1] - oy
        turn = 2.0 * math.pi
        if count > 1:
            area, x, y, own = strip(ax, ay, bx, by, nx, ny, radius)
            total += area
            second += own + area * ((dx + x) ** 2 + (dy + y) ** 2)
            turn = math.atan2(abs(mx * ny - my * nx), mx * nx + my * ny)
        if turn * radius * radius / 2.0 > 0.0:
            area, x, y, own = sector(ax, ay, mx, my, nx, ny, turn, radius)
            total += area
            second += own + area * ((dx + x) ** 2 + (dy + y) ** 2)
        mx, my = nx, ny
    return total, second


@inner
def least_width(a: Floats, i: int) -> float:
    """Return how thin a shape is: the least distance between two parallels along its edges that enclose it."""
    begin, end = i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT])
    radius = 2.0 * a[i + RADIUS]
    if a[i + COUNT] < 3.0:
        return float(radius)
    least = math.inf
    for edge in range(begin, end, STRIDE):
        nx, ny = a[edge + 2], a[edge + 3]
        deepest = 0.0
        for at in range(begin, end, STRIDE):
            deepest = min(deepest, (a[at] - a[edge]) * nx + (a[at + 1] - a[edge + 1]) * ny)
        least = min(least, -deepest)
    return float(least + radius)
