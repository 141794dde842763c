"""Records by the thousand: what `record_writers` writes for one shape, for a whole set in one call.

In: kinds, core points in the world, radii. Out: a buffer of records and where each starts, or what is read from them.
The numbers are those of the single values, bit for bit. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom import _records as rec
from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.record_writers import choose_origin, convex_winding, finish_record
from carom.tolerances import SMALLEST_SQUARE

POINTS, STRIDE = rec.POINTS, rec.STRIDE
JUST_OVER_HALF_ULP = 2.0**-53 * (1.0 + 2.0**-52)


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
        winding = convex_winding(points, begin, count)
        out_clean[row], out_turned[row] = winding != 0, winding < 0
        if winding < 0:
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
