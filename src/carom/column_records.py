"""Records by the thousand: what `_records.make_record` does for one shape, written for a whole set in one call.

In: kinds, core points in the world or relative to origins, radii. Out: the buffer of records and where each starts. The
numbers are those of the single values, bit for bit. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom import _records as rec
from carom._jit import inner, kernel
from carom._typing import Booleans, Floats, Integers
from carom.arithmetic import two_sum
from carom.boxes import turned_corners
from carom.tolerances import SMALLEST_SQUARE

difference_is_exact = inner(rec.difference_is_exact)
unit_normal = inner(rec.unit_normal)
length_of = inner(rec.length_of)
corners_of_turned = inner(turned_corners)

POINTS, STRIDE = rec.POINTS, rec.STRIDE

JUST_OVER_HALF_ULP = 2.0**-53 * (1.0 + 2.0**-52)
SMALLEST_CLEAR = 1e-100  # smaller outlines are looked at one by one: the products of their edges lose digits


@kernel
def _choose_origins(points: Floats, first: Integers, in_world: Booleans, out_origins: Floats) -> None:
    """Choose the origin of each shape in the world as `exact_origin` does, and make its points relative to it."""
    for row in range(out_origins.shape[0]):
        if not in_world[row]:
            continue
        for axis in range(2):
            origin = points[first[row], axis]
            for k in range(first[row], first[row + 1]):
                if not difference_is_exact(points[k, axis], origin):
                    origin = 0.0
                    break
            out_origins[row, axis] = origin
            for k in range(first[row], first[row + 1]):
                points[k, axis] = (points[k, axis] - origin) + 0.0


@kernel
def _write_records(
    kinds: Floats, origins: Floats, points: Floats, first: Integers, radii: Floats, starts: Integers, out: Floats
) -> None:
    for row in range(kinds.shape[0]):
        begin, count, at = first[row], first[row + 1] - first[row], starts[row]
        lowest, highest = 0, 0
        low_x, high_x = points[begin, 0], points[begin, 0]
        for k in range(1, count):
            x, y = points[begin + k, 0], points[begin + k, 1]
            low_x, high_x = min(low_x, x), max(high_x, x)
            bx, by = points[begin + lowest, 0], points[begin + lowest, 1]
            if y < by or (y == by and x < bx):
                lowest = k
            bx, by = points[begin + highest, 0], points[begin + highest, 1]
            if y > by or (y == by and x >= bx):
                highest = k
        low_y, high_y = points[begin + lowest, 1], points[begin + highest, 1]
        half_x, half_y = (high_x - low_x) * 0.5, (high_y - low_y) * 0.5
        center_x, center_y = low_x + half_x, low_y + half_y
        reach = 0.0
        for k in range(count):
            reach = max(reach, length_of(points[begin + k, 0] - center_x, points[begin + k, 1] - center_y))
        if kinds[row] == rec.AABB:
            reach = length_of(half_x, half_y)
        out[at + rec.KIND], out[at + rec.COUNT], out[at + rec.RADIUS] = kinds[row], float(count), radii[row]
        out[at + rec.X], out[at + rec.Y] = origins[row, 0], origins[row, 1]
        out[at + rec.LOWEST], out[at + rec.HIGHEST] = float(lowest), float(highest)
        out[at + rec.CENTER_X], out[at + rec.CENTER_Y] = center_x, center_y
        out[at + rec.REACH] = reach * (1.0 + 2.0**-50)
        for k in range(count):
            x, y = points[begin + k, 0], points[begin + k, 1]
            after = begin + (k + 1 if k + 1 < count else 0)
            nx, ny = unit_normal(points[after, 0] - x, points[after, 1] - y)
            place = at + POINTS + STRIDE * k
            out[place], out[place + 1], out[place + 2], out[place + 3] = x, y, nx, ny


def starts_of(sizes: Integers) -> Integers:
    """Return where runs of these sizes start, one behind the other."""
    starts = np.zeros(sizes.size, dtype=np.int64)
    np.cumsum(sizes[:-1], out=starts[1:])
    return starts


def make_records(
    kinds: Floats, points: Floats, first: Integers, radii: Floats, origins: Floats, in_world: Booleans
) -> tuple[Floats, Integers]:
    """Return (buffer, starts) of the records of many shapes.

    Parameters
    ----------
    kinds : (n,) float64
    points : (v, 2) float64
        Cleaned core points, counter-clockwise, relative to the origins; overwritten where they are in the world.
    first : (n + 1,) int64
        Where each shape's points begin; the last entry is v.
    radii : (n,) float64
    origins : (n, 2) float64
    in_world : (n,) bool
        Where the points are in the world: there an origin is chosen, as for single values, and written.

    Returns
    -------
    buffer : float64
    starts : (n,) int64
    """
    _choose_origins(points, first, in_world, origins)
    sizes = POINTS + STRIDE * np.diff(first)
    buffer, starts = np.empty(int(sizes.sum())), starts_of(sizes)
    _write_records(kinds, origins, points, first, radii, starts, buffer)
    return buffer, starts


def in_world(kinds: Floats, points: Floats, first: Integers, radii: Floats) -> tuple[Floats, Integers]:
    """Return (buffer, starts) of the records of shapes whose points are all in the world; see `make_records`."""
    n = kinds.size
    return make_records(kinds, points, first, radii, np.empty((n, 2)), np.ones(n, dtype=np.bool_))


@kernel
def are_convex(points: Floats, first: Integers, out_clean: Booleans) -> None:
    """Tell which outlines are surely strictly convex, counter-clockwise and go round once; the rest is in doubt."""
    for row in range(out_clean.shape[0]):
        begin, count = first[row], first[row + 1] - first[row]
        clean, rounds = count >= 3, 0
        size = 0.0
        for k in range(count):
            p, v = begin + k, begin + (k + 1) % count
            n = begin + (k + 2) % count
            left = (points[v, 0] - points[p, 0]) * (points[n, 1] - points[v, 1])
            right = (points[v, 1] - points[p, 1]) * (points[n, 0] - points[v, 0])
            clean = clean and left - right > 1e-14 * (abs(left) + abs(right))
            rises = points[v, 1] > points[p, 1] or (points[v, 1] == points[p, 1] and points[v, 0] > points[p, 0])
            goes_on = points[n, 1] > points[v, 1] or (points[n, 1] == points[v, 1] and points[n, 0] > points[v, 0])
            rounds += 1 if goes_on and not rises else 0
            size = max(size, abs(points[v, 0] - points[p, 0]), abs(points[v, 1] - points[p, 1]))
        out_clean[row] = clean and rounds == 1 and size >= SMALLEST_CLEAR


@kernel
def turned_box_points(angles: Floats, quarters: Integers, half_sizes: Floats, out_points: Floats) -> None:
    """Write the four local corners of each box turned by its angle; boxes in a quarter turn keep their axes."""
    for row in range(angles.shape[0]):
        if quarters[row] >= 0:
            c, s = 1.0, 0.0
        else:
            # Not in a loop of products: a cosine taken once, by the C library that Python's own comes from.
            c, s = math.cos(angles[row]), math.sin(angles[row])
        ax, ay, bx, by = corners_of_turned(c, s, half_sizes[row, 0], half_sizes[row, 1])
        out_points[4 * row, 0], out_points[4 * row, 1] = ax, ay
        out_points[4 * row + 1, 0], out_points[4 * row + 1, 1] = bx, by
        out_points[4 * row + 2, 0], out_points[4 * row + 2, 1] = 0.0 - ax, 0.0 - ay
        out_points[4 * row + 3, 0], out_points[4 * row + 3, 1] = 0.0 - bx, 0.0 - by


@kernel
def copy_records(buffer: Floats, starts: Integers, rows: Integers, out_starts: Integers, out: Floats) -> None:
    """Copy the records of some rows, in that order."""
    for k in range(rows.shape[0]):
        begin, at = starts[rows[k]], out_starts[k]
        for place in range(POINTS + STRIDE * int(buffer[begin + rec.COUNT])):
            out[at + place] = buffer[begin + place]


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
