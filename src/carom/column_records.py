"""Records by the thousand: what `_records.make_record` does for one shape, written for a whole set in one call.

In: kinds, core points in the world, radii. Out: a buffer of records and where each starts, or what is read from them.
The numbers are those of the single values, bit for bit. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Booleans, Floats, Integers
from carom.arithmetic import two_sum
from carom.tolerances import SMALLEST_SQUARE

difference_is_exact = inner(rec.difference_is_exact)
unit_normal = inner(rec.unit_normal)
length_of = inner(rec.length_of)

POINTS, STRIDE = rec.POINTS, rec.STRIDE
JUST_OVER_HALF_ULP = 2.0**-53 * (1.0 + 2.0**-52)
SMALLEST_CLEAR = 1e-100  # smaller outlines are looked at one by one: the products of their edges lose digits


@inner
def finish_record(kind: float, count: int, radius: float, ox: float, oy: float, out: Floats, at: int) -> None:
    """Complete a record whose core points stand in their places: everything else follows from them."""
    first = at + POINTS
    low_x = high_x = out[first]
    low_y = high_y = out[first + 1]
    low_y_x, high_y_x = low_x, low_x
    lowest, highest = 0, 0
    for k in range(1, count):
        x, y = out[first + STRIDE * k], out[first + STRIDE * k + 1]
        low_x, high_x = min(low_x, x), max(high_x, x)
        if y < low_y or (y == low_y and x < low_y_x):
            lowest, low_y, low_y_x = k, y, x
        if y > high_y or (y == high_y and x >= high_y_x):
            highest, high_y, high_y_x = k, y, x
    half_x, half_y = (high_x - low_x) * 0.5, (high_y - low_y) * 0.5
    center_x, center_y = low_x + half_x, low_y + half_y
    reach = 0.0
    if kind == rec.AABB:
        reach = length_of(half_x, half_y)
    for k in range(count):
        place = first + STRIDE * k
        after = first + STRIDE * (k + 1 if k + 1 < count else 0)
        x, y = out[place], out[place + 1]
        ex, ey = out[after] - x, out[after + 1] - y
        if kind == rec.AABB:
            nx, ny = 0.0, 0.0
            if k == 0:
                ny = -1.0
            elif k == 1:
                nx = 1.0
            elif k == 2:
                ny = 1.0
            else:
                nx = -1.0
        else:
            reach = max(reach, length_of(x - center_x, y - center_y))
            least, most = min(abs(ex), abs(ey)), max(abs(ex), abs(ey))
            if least > rec.LEAST_PLAIN and most < rec.MOST_PLAIN:
                length = math.sqrt(ex * ex + ey * ey)  # as `unit_normal`: scaling by a power of two changes no digit
                nx, ny = ey / length, 0.0 - ex / length
            else:
                nx, ny = unit_normal(ex, ey)
        out[place + 2], out[place + 3] = nx, ny
    out[at + rec.KIND], out[at + rec.COUNT], out[at + rec.RADIUS] = kind, float(count), radius
    out[at + rec.X], out[at + rec.Y] = ox, oy
    out[at + rec.LOWEST], out[at + rec.HIGHEST] = float(lowest), float(highest)
    out[at + rec.CENTER_X], out[at + rec.CENTER_Y] = center_x, center_y
    out[at + rec.REACH] = reach * (1.0 + 2.0**-50)


@inner
def choose_origin(count: int, axis: int, out: Floats, at: int) -> float:
    """Choose the origin of core points in the world, as `exact_origin` does, and make them relative to it."""
    first = at + POINTS + axis
    origin = out[first]
    for k in range(count):
        if not difference_is_exact(out[first + STRIDE * k], origin):
            origin = 0.0
            break
    for k in range(count):
        out[first + STRIDE * k] = (out[first + STRIDE * k] - origin) + 0.0
    return float(origin)


@kernel
def _write_records(
    kinds: Floats, points: Floats, first: Integers, radii: Floats, shifts: Floats, starts: Integers, out: Floats
) -> None:
    for row in range(starts.shape[0]):
        begin, count, at = first[row], first[row + 1] - first[row], starts[row]
        for k in range(count):
            place = at + POINTS + STRIDE * k
            out[place], out[place + 1] = points[begin + k, 0], points[begin + k, 1]
        ox, oy = choose_origin(count, 0, out, at), choose_origin(count, 1, out, at)
        finish_record(kinds[row], count, radii[row], ox + shifts[row, 0], oy + shifts[row, 1], out, at)


def starts_of(sizes: Integers) -> Integers:
    """Return where runs of these sizes start, one behind the other."""
    starts = np.zeros(sizes.size, dtype=np.int64)
    np.cumsum(sizes[:-1], out=starts[1:])
    return starts


def make_records(
    kinds: Floats, points: Floats, first: Integers, radii: Floats, shifts: Floats | None = None
) -> tuple[Floats, Integers]:
    """Return (buffer, starts) of the records of many shapes.

    Parameters
    ----------
    kinds : (n,) float64
    points : (v, 2) float64
        Cleaned core points, counter-clockwise. An origin is chosen for each shape as for single values.
    first : (n + 1,) int64
        Where each shape's points begin; the last entry is v.
    radii : (n,) float64
    shifts : (n, 2) float64, optional
        Added to the origins.

    Returns
    -------
    buffer : float64
    starts : (n,) int64
    """
    if shifts is None:
        shifts = np.broadcast_to(np.zeros(2), (kinds.size, 2)).copy()
    starts = POINTS * np.arange(kinds.size) + STRIDE * first[:-1]
    buffer = np.empty(POINTS * kinds.size + STRIDE * len(points))
    _write_records(kinds, points, first, radii, shifts, starts, buffer)
    return buffer, starts


@kernel
def order_outlines(points: Floats, first: Integers, out_clean: Booleans, out_turned: Booleans) -> None:
    """Turn outlines that are surely clockwise, and tell which are surely strictly convex and go round once.

    A turned outline keeps its first point first. What is not surely convex in either winding is in doubt, and stays.
    """
    for row in range(out_clean.shape[0]):
        begin, count = first[row], first[row + 1] - first[row]
        lefts, rights, upturns, downturns = 0, 0, 0, 0
        shortest = math.inf
        low_x = high_x = points[begin, 0] if count else 0.0
        low_y = high_y = points[begin, 1] if count else 0.0
        for k in range(count):
            p, v, n = begin + k, begin + (k + 1) % count, begin + (k + 2) % count
            ax, ay = points[v, 0] - points[p, 0], points[v, 1] - points[p, 1]
            bx, by = points[n, 0] - points[v, 0], points[n, 1] - points[v, 1]
            left, right = ax * by, ay * bx
            magnitude = abs(left) + abs(right)
            if magnitude > SMALLEST_SQUARE:
                lefts += 1 if left - right > 1e-14 * magnitude else 0
                rights += 1 if right - left > 1e-14 * magnitude else 0
            rises = ay > 0.0 or (ay == 0.0 and ax > 0.0)
            goes_on = by > 0.0 or (by == 0.0 and bx > 0.0)
            upturns += 1 if goes_on and not rises else 0
            downturns += 1 if rises and not goes_on else 0
            shortest = min(shortest, max(abs(ax), abs(ay)))
            low_x, high_x = min(low_x, points[v, 0]), max(high_x, points[v, 0])
            low_y, high_y = min(low_y, points[v, 1]), max(high_y, points[v, 1])
        shortest = min(shortest, high_x - low_x, high_y - low_y)
        sure = count >= 3 and shortest >= SMALLEST_CLEAR
        out_clean[row] = sure and lefts == count and upturns == 1
        out_turned[row] = False
        if sure and rights == count and downturns == 1:
            out_clean[row] = out_turned[row] = True
            for k in range(1, (count + 1) // 2):
                i, j = begin + k, begin + count - k
                points[i, 0], points[j, 0] = points[j, 0], points[i, 0]
                points[i, 1], points[j, 1] = points[j, 1], points[i, 1]


@inner
def outward(origin: float, local: float, radius: float) -> float:
    """Return the least float64 that is at least the exact sum of the three; its opposite bounds from below."""
    total, error = two_sum(origin, local)
    total, more = two_sum(total, radius)
    error, less = two_sum(error, more)
    total, rest = two_sum(total, error)
    # The next float64 by arithmetic, four times as fast as by a call: S. M. Rump and others, "Computing predecessor and
    # successor in rounding to nearest" (2009), algorithm 2; near the smallest numbers it may skip one.
    above = total + abs(total) * JUST_OVER_HALF_ULP
    if abs(total) < SMALLEST_SQUARE:
        above = float(np.nextafter(total, np.inf))
    return above if rest + less > 0.0 else total


@kernel
def record_bounds(buffer: Floats, starts: Integers, out_bounds: Floats) -> None:
    """Write the least x and y and the greatest x and y of each shape, radius included, rounded outward."""
    for row in range(starts.shape[0]):
        at = starts[row]
        count = int(buffer[at + rec.COUNT])
        radius = buffer[at + rec.RADIUS]
        for axis in range(2):
            low = high = buffer[at + POINTS + axis]
            for k in range(1, count):
                value = buffer[at + POINTS + STRIDE * k + axis]
                low, high = min(low, value), max(high, value)
            origin = buffer[at + rec.X + axis]
            out_bounds[row, axis] = 0.0 - outward(0.0 - origin, 0.0 - low, radius)  # not -0.0
            out_bounds[row, 2 + axis] = outward(origin, high, radius) + 0.0
