"""Polygons painted by the exact area that they cover of each pixel.

In: points in pixels, colors, and sums, zeros of (height, width + 1, 4). Out: pictures of bytes. Each edge of a polygon
adds to the sums, in every row that it crosses, what is covered to its right (`add_polygon`); the running sum along a
row is then color and cover of each pixel (`lay_down`). Polygons that are added before one call of `lay_down` share
their pixels; what is laid down later covers what lies there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from carom import inner
from carom_gym.arrays import Floats

Pictures = NDArray[np.uint8]


@inner
def add_piece(
    sums: Floats, row: int, column: int, dy: float, at: float, red: float, green: float, blue: float, cover: float
) -> None:
    """Add an edge within one pixel, at this place across it: what is right of the edge is covered."""
    first, second = dy * (1.0 - at), dy * at
    sums[row, column, 0] += first * red
    sums[row, column, 1] += first * green
    sums[row, column, 2] += first * blue
    sums[row, column, 3] += first * cover
    sums[row, column + 1, 0] += second * red
    sums[row, column + 1, 1] += second * green
    sums[row, column + 1, 2] += second * blue
    sums[row, column + 1, 3] += second * cover


@inner
def add_row(
    sums: Floats,
    row: int,
    width: int,
    xa: float,
    xb: float,
    dy: float,
    red: float,
    green: float,
    blue: float,
    cover: float,
) -> None:
    """Add an edge within one row of pixels, from xa to xb."""
    low, high = min(xa, xb), max(xa, xb)
    if low < width:
        if high <= 0.0:
            add_piece(sums, row, 0, dy, 0.0, red, green, blue, cover)
        elif low >= 0.0 and high <= int(low) + 1.0:
            add_piece(sums, row, int(low), dy, 0.5 * (low + high) - int(low), red, green, blue, cover)
        else:
            per = dy / (high - low)
            if low < 0.0:
                add_piece(sums, row, 0, -low * per, 0.0, red, green, blue, cover)
                low = 0.0
            column = int(low)
            while low < high and column < width:
                end = min(high, column + 1.0)
                add_piece(sums, row, column, (end - low) * per, 0.5 * (low + end) - column, red, green, blue, cover)
                low = end
                column += 1


@inner
def add_polygon(
    sums: Floats,
    height: int,
    width: int,
    points: Floats,
    count: int,
    red: float,
    green: float,
    blue: float,
    cover: float,
) -> None:
    """Add a polygon of the first points, turning either way, in a color; `cover` is 1, or 0 to add to a color only."""
    area, top, bottom = 0.0, points[0, 1], points[0, 1]
    left, right = points[0, 0], points[0, 0]
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        area += points[i, 0] * points[j, 1] - points[j, 0] * points[i, 1]
        top, bottom = min(top, points[i, 1]), max(bottom, points[i, 1])
        left, right = min(left, points[i, 0]), max(right, points[i, 0])
    if bottom > 0.0 and top < height and right > 0.0 and left < width:
        for i in range(count):
            j = i + 1 if i + 1 < count else 0
            ax, ay, bx, by = points[i, 0], points[i, 1], points[j, 0], points[j, 1]
            sign = 1.0 if area < 0.0 else -1.0
            if ay > by:
                ax, ay, bx, by, sign = bx, by, ax, ay, -sign
            if by > 0.0 and ay < height and ay < by:
                slope = (bx - ax) / (by - ay)
                if ay < 0.0:
                    ax -= ay * slope
                    ay = 0.0
                by = min(by, float(height))
                row = int(ay)
                while ay < by:
                    end = min(by, row + 1.0)
                    to = ax + (end - ay) * slope
                    add_row(sums, row, width, ax, to, sign * (end - ay), red, green, blue, cover)
                    ax, ay = to, end
                    row += 1


@inner
def add_box(
    sums: Floats,
    height: int,
    width: int,
    left: float,
    top: float,
    right: float,
    bottom: float,
    red: float,
    green: float,
    blue: float,
) -> None:
    """Add a box along the axes, of a picture's part that it may leave."""
    top, bottom = max(top, 0.0), min(bottom, float(height))
    row = int(top)
    while top < bottom:
        end = min(bottom, row + 1.0)
        add_row(sums, row, width, left, left, end - top, red, green, blue, 1.0)
        add_row(sums, row, width, right, right, top - end, red, green, blue, 1.0)
        top = end
        row += 1


@inner
def mixed(before: float, kept: float, color: float) -> float:
    """Return a color with another laid over it, as a byte that is still a number with a fraction."""
    return min(max(before * kept + color + 0.5, 0.0), 255.0)


@inner
def lay_down(sums: Floats, out: Pictures, g: int, top: int, bottom: int, left: int, right: int) -> None:
    """Blend what was added into rows and columns of picture g, if there are any, and make the sums zeros again."""
    for row in range(top, bottom if left < right else top):
        red, green, blue, cover = 0.0, 0.0, 0.0, 0.0
        for column in range(left, right):
            red += sums[row, column, 0]
            green += sums[row, column, 1]
            blue += sums[row, column, 2]
            cover += sums[row, column, 3]
            sums[row, column, 0] = 0.0
            sums[row, column, 1] = 0.0
            sums[row, column, 2] = 0.0
            sums[row, column, 3] = 0.0
            if cover > 1e-6:
                kept, share = max(1.0 - cover, 0.0), 1.0 / max(cover, 1.0)
                out[g, row, column, 0] = np.uint8(mixed(out[g, row, column, 0], kept, red * share))
                out[g, row, column, 1] = np.uint8(mixed(out[g, row, column, 1], kept, green * share))
                out[g, row, column, 2] = np.uint8(mixed(out[g, row, column, 2], kept, blue * share))
        for channel in range(4):
            sums[row, right, channel] = 0.0


@inner
def lay_first(sums: Floats, out: Pictures, g: int, height: int, width: int) -> None:
    """Write what was added into the first rows of picture g, on black, and make the sums zeros again."""
    for row in range(height):
        red, green, blue = 0.5, 0.5, 0.5
        for column in range(width):
            red += sums[row, column, 0]
            green += sums[row, column, 1]
            blue += sums[row, column, 2]
            sums[row, column, 0] = 0.0
            sums[row, column, 1] = 0.0
            sums[row, column, 2] = 0.0
            sums[row, column, 3] = 0.0
            out[g, row, column, 0] = np.uint8(min(max(red, 0.0), 255.0))
            out[g, row, column, 1] = np.uint8(min(max(green, 0.0), 255.0))
            out[g, row, column, 2] = np.uint8(min(max(blue, 0.0), 255.0))
        for channel in range(4):
            sums[row, width, channel] = 0.0
