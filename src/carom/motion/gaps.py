"""How far apart two parts are now, along the direction that leaves them most freedom.

In: two parts at one instant and the way of A relative to B. Out: a gap, the unit normal from A to B along which it is
that wide, and a point relative to A's origin. Along any direction the gap is a bound: as long as what closes along it
is no more than the gap, the two do not meet. Of the sides of both, and of the line between their nearest corners, the
one is taken that the way uses up least, so that what slides along a floor is not stopped by the side of the next tile.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE

Gap = tuple[float, float, float, float, float]


@inner
def farthest_along(a: Floats, i: int, nx: float, ny: float) -> tuple[float, float]:
    """Return how far the core of the shape at i reaches along n, from its origin, and the middle of where, across n."""
    begin, end = i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT])
    farthest = -math.inf
    across = 0.0
    for at in range(begin, end, STRIDE):
        reach = a[at] * nx + a[at + 1] * ny
        if reach > farthest:
            farthest, across = reach, a[at + 1] * nx - a[at] * ny
    return farthest, across


@inner
def nearest_corners(a: Floats, i: int, j: int, dx: float, dy: float) -> tuple[float, float]:
    """Return the unit vector from the one to the other of the two nearest corners; 0, 0 where they coincide."""
    best, nx, ny = math.inf, 0.0, 0.0
    for of_a in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        for of_b in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
            x, y = dx + (a[of_b] - a[of_a]), dy + (a[of_b + 1] - a[of_a + 1])
            distance = x * x + y * y
            if distance < best:
                best, nx, ny = distance, x, y
    length = math.sqrt(best)
    return (nx / length, ny / length) if length > 0.0 else (0.0, 0.0)


@kernel
def easiest_gap(a: Floats, i: int, j: int, dx: float, dy: float, mx: float, my: float, slop: float) -> Gap:
    """Return the gap of the shapes at i and j, their origins d apart, along the direction that a motion m uses least.

    Directions along which they overlap by more than the slop count only if there are no others: the least deep then.
    """
    radius = a[i + RADIUS] + a[j + RADIUS]
    best, gap, nx, ny = math.inf, -math.inf, 0.0, 0.0
    count_a, count_b = int(a[i + COUNT]), int(a[j + COUNT])
    for k in range(count_a + count_b + 1):
        if k < count_a:
            at = i + POINTS + STRIDE * k
            px, py = a[at + 2], a[at + 3]
        elif k < count_a + count_b:
            at = j + POINTS + STRIDE * (k - count_a)
            px, py = -a[at + 2], -a[at + 3]
        else:
            px, py = nearest_corners(a, i, j, dx, dy)
        if px == 0.0 and py == 0.0:
            continue
        far, _ = farthest_along(a, i, px, py)
        near, _ = farthest_along(a, j, -px, -py)
        apart = (dx * px + dy * py) - near - far - radius
        used = mx * px + my * py - apart
        if apart < -slop:
            if gap >= -slop or apart <= gap:
                continue
            used = math.inf
        if gap < -slop or used < best or (used == best and apart > gap):
            best, gap, nx, ny = used, apart, px, py
    far, across = farthest_along(a, i, nx, ny)
    far += a[i + RADIUS]
    return gap, nx, ny, far * nx - across * ny, far * ny + across * nx
