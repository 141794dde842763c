"""Areas and centroids of the rows of a set, and of the cells of a region: those of `mass`, bit for bit, compiled.

In: records. Out: area and centroid of each, or the word that a needle among them has to be taken exactly (`grown_mass`
does). World frame or local, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes import mass
from carom.shapes.mass import THIN
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.shapes.proxy_writers import edge_normal
from carom.tolerances import SMALLEST_SQUARE

triangle, strip, sector = inner(mass.triangle), inner(mass.strip), inner(mass.sector)


@inner
def grown_centroid(run: Floats, at: int, count: int, radius: float) -> tuple[float, float, float, bool]:
    """Return area and centroid of a core grown by a radius, and False where a needle has to be taken exactly."""
    ox, oy = run[at], run[at + 1]
    largest = radius
    for k in range(count):
        largest = max(largest, abs(run[at + STRIDE * k] - ox), abs(run[at + STRIDE * k + 1] - oy))
    unit = math.ldexp(1.0, math.frexp(largest)[1])
    certain = True
    total = sum_x = sum_y = 0.0
    for k in range(1, count - 1):
        place = at + STRIDE * k
        ax, ay = (run[place] - ox) / unit, (run[place + 1] - oy) / unit
        bx, by = (run[place + STRIDE] - ox) / unit, (run[place + STRIDE + 1] - oy) / unit
        left, right = ax * by, ay * bx
        twice = left - right
        certain = certain and twice >= THIN * (abs(left) + abs(right))
        area, x, y = triangle(ax, ay, bx, by, twice)
        total += area
        sum_x += area * x
        sum_y += area * y
    if radius > 0.0:
        r = radius / unit
        before, last = at + STRIDE * (count - 1), at
        mx, my = edge_normal(run[last] - run[before], run[last + 1] - run[before + 1])
        for k in range(count):
            place, after = at + STRIDE * k, at + STRIDE * (k + 1 if k + 1 < count else 0)
            nx, ny = edge_normal(run[after] - run[place], run[after + 1] - run[place + 1])
            ax, ay = (run[place] - ox) / unit, (run[place + 1] - oy) / unit
            bx, by = (run[after] - ox) / unit, (run[after + 1] - oy) / unit
            area, x, y, _ = strip(ax, ay, bx, by, nx, ny, r)
            total += area
            sum_x += area * x
            sum_y += area * y
            turn = math.atan2(abs(mx * ny - my * nx), mx * nx + my * ny)
            if turn * r * r / 2.0 > 0.0:
                area, x, y, _ = sector(ax, ay, mx, my, nx, ny, turn, r)
                total += area
                sum_x += area * x
                sum_y += area * y
            mx, my = nx, ny
    certain = certain and (radius > 0.0 or total >= SMALLEST_SQUARE)
    return total * unit * unit, ox + sum_x / total * unit, oy + sum_y / total * unit, certain


@kernel
def find_centroids(buffer: Floats, starts: Integers, out: Floats) -> bool:
    """Write area and centroid of sharp polygons; tell whether all are certain."""
    for row in range(starts.shape[0]):
        at = starts[row]
        area, x, y, certain = grown_centroid(buffer, at + POINTS, int(buffer[at + COUNT]), 0.0)
        if not certain:
            return False
        out[row, 0], out[row, 1], out[row, 2] = area, buffer[at + X] + x, buffer[at + Y] + y
    return True
