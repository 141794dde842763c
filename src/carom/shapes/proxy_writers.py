"""Writing of proxies: of one shape, and of all rows of a set in one call, with the same numbers bit for bit.

In: kinds, validated core points in the world or relative to an origin, radii. Out: the numbers of a proxy (see `proxy`)
in their places, or a mark that the points are in doubt and need the exact checks of a single value; of a set a buffer
and where each proxy starts. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from carom import vector
from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes import proxy
from carom.shapes.proxy import POINTS, STRIDE
from carom.tolerances import LARGEST, SMALLEST_SIZE, SMALLEST_SQUARE
from carom.vector import Point2, length_of, unit_normal

SMALLEST_CLEAR = 1e-100  # smaller outlines are looked at one by one: the products of their edges lose digits
BOX_LENGTH, _STADIUM_LENGTH = POINTS + 4 * STRIDE, POINTS + 2 * STRIDE

difference_is_exact = inner(proxy.difference_is_exact)
edge_normal = inner(unit_normal)
length_of = inner(length_of)
quarter_turns = inner(vector.quarter_turns)


@inner
def finish_proxy(kind: float, count: int, radius: float, ox: float, oy: float, out: Floats, at: int) -> None:
    """Complete a proxy whose core points stand in their places: everything else follows from them."""
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
    if kind == proxy.AABB:
        reach = length_of(half_x, half_y)
    for k in range(count):
        place = first + STRIDE * k
        after = first + STRIDE * (k + 1 if k + 1 < count else 0)
        x, y = out[place], out[place + 1]
        ex, ey = out[after] - x, out[after + 1] - y
        if kind == proxy.AABB:
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
            if least > proxy.LEAST_PLAIN and most < proxy.MOST_PLAIN:
                length = math.sqrt(ex * ex + ey * ey)  # as `edge_normal`: scaling by a power of two changes no digit
                nx, ny = ey / length, 0.0 - ex / length
            else:
                nx, ny = edge_normal(ex, ey)
        out[place + 2], out[place + 3] = nx, ny
    out[at + proxy.KIND], out[at + proxy.COUNT], out[at + proxy.RADIUS] = kind, float(count), radius
    out[at + proxy.X], out[at + proxy.Y] = ox, oy
    out[at + proxy.LOWEST], out[at + proxy.HIGHEST] = float(lowest), float(highest)
    out[at + proxy.CENTER_X], out[at + proxy.CENTER_Y] = center_x, center_y
    # The distance is within 3 roundings of the truth: 4 ulp upward keep every point inside.
    out[at + proxy.REACH] = reach * (1.0 + 2.0**-50)


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
        out[first + STRIDE * k] = (out[first + STRIDE * k] - origin) + 0.0  # no -0.0: equal values, equal bits
    return float(origin)


@inner
def convex_winding(points: Floats, begin: int, count: int) -> int:
    """Return 1 for an outline that is surely strictly convex, counter-clockwise, goes round once; -1 clockwise; or 0.

    0 says that it is in doubt: its turns are too flat, its edges too short, or it is no such outline.
    """
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
    if count < 3 or not shortest >= SMALLEST_CLEAR:
        return 0
    if lefts == count and upturns == 1:
        return 1
    return -1 if rights == count and downturns == 1 else 0


@inner
def turned_corners(c: float, s: float, w: float, h: float) -> tuple[float, float, float, float]:
    """Return the first two local corners of a box turned by (cosine, sine), from half its size; the others mirror."""
    return s * h - c * w, -(s * w) - c * h, c * w + s * h, s * w - c * h


@inner
def write_box(x: float, y: float, w: float, h: float, c: float, s: float, radius: float, out: Floats, at: int) -> bool:
    """Write the proxy of a box turned by (cosine, sine), from half its size; False if it may be too thin to turn."""
    ax, ay, bx, by = turned_corners(c, s, w, h)
    first = at + POINTS
    out[first], out[first + 1], out[first + 4], out[first + 5] = ax, ay, bx, by
    out[first + 8], out[first + 9] = 0.0 - ax, 0.0 - ay
    out[first + 12], out[first + 13] = 0.0 - bx, 0.0 - by
    finish_proxy(proxy.OBB, 4, radius, x, y, out, at)
    return ax * by - ay * bx > 1e-9 * (ax * ax + ay * ay)


@inner
def write_span(lx: float, ly: float, ux: float, uy: float, radius: float, out: Floats, at: int) -> bool:
    """Write the proxy of the box along the axes with these corners; tell whether `Box` takes them."""
    first = at + POINTS
    out[first], out[first + 1], out[first + 4], out[first + 5] = lx, ly, ux, ly
    out[first + 8], out[first + 9], out[first + 12], out[first + 13] = ux, uy, lx, uy
    ox, oy = choose_origin(4, 0, out, at), choose_origin(4, 1, out, at)
    finish_proxy(proxy.AABB, 4, radius, ox, oy, out, at)
    least = min(ux - lx, uy - ly)
    most = max(max(abs(lx), abs(ly)), max(abs(ux), abs(uy)))
    return least >= SMALLEST_SIZE and most <= LARGEST


@kernel
def write_given_box(x: float, y: float, width: float, height: float, angle: float, radius: float, out: Floats) -> int:
    """Write the proxy of a box by its numbers, whatever they are, unless a number or the box is out of range.

    Returns 1 for a box along the axes, 2 for a turned one; 0 where it may be refused, and is to be looked at with care.
    """
    placed = abs(x) <= LARGEST and abs(y) <= LARGEST and abs(angle) <= LARGEST
    if not (placed and SMALLEST_SIZE <= width <= LARGEST and SMALLEST_SIZE <= height <= LARGEST):
        return 0
    w, h = width * 0.5, height * 0.5
    quarters = quarter_turns(angle)
    if quarters < 0:
        # A cosine taken once, by the C library that Python's own comes from.
        c, s = math.cos(angle), math.sin(angle)
        return 2 if write_box(x + 0.0, y + 0.0, w, h, c, s, radius, out, 0) else 0
    if quarters % 2 == 1:
        w, h = h, w
    return 1 if write_span(x - w, y - h, x + w, y + h, radius, out, 0) else 0


@kernel
def _write_turned_box(x: float, y: float, w: float, h: float, c: float, s: float, radius: float, out: Floats) -> bool:
    return write_box(x, y, w, h, c, s, radius, out, 0)


@kernel
def _write_stadium(ax: float, ay: float, bx: float, by: float, radius: float, out: Floats) -> None:
    out[POINTS], out[POINTS + 1] = ax, ay
    out[POINTS + STRIDE], out[POINTS + STRIDE + 1] = bx, by
    ox, oy = choose_origin(2, 0, out, 0), choose_origin(2, 1, out, 0)
    finish_proxy(proxy.STADIUM, 2, radius, ox, oy, out, 0)


@kernel
def _write_polygon(points: Floats, radius: float, out: Floats) -> int:
    """Write the proxy of a polygon, from its first point, if it is surely convex; return its winding or 0."""
    count = points.shape[0]
    inside = True
    for k in range(count):
        inside = inside and abs(points[k, 0]) <= LARGEST and abs(points[k, 1]) <= LARGEST
    winding = convex_winding(points, 0, count) if inside else 0
    if winding != 0:
        for k in range(count):
            source = k if winding > 0 or k == 0 else count - k
            out[POINTS + STRIDE * k] = points[source, 0] + 0.0  # no -0.0: equal values, equal bits
            out[POINTS + STRIDE * k + 1] = points[source, 1] + 0.0
        ox, oy = choose_origin(count, 0, out, 0), choose_origin(count, 1, out, 0)
        finish_proxy(proxy.POLYGON, count, radius, ox, oy, out, 0)
    return winding


@kernel
def _write_local(kind: float, points: Floats, ox: float, oy: float, radius: float, out: Floats) -> None:
    for k in range(points.shape[0]):
        out[POINTS + STRIDE * k], out[POINTS + STRIDE * k + 1] = points[k, 0], points[k, 1]
    finish_proxy(kind, points.shape[0], radius, ox, oy, out, 0)


def turned_box_proxy(
    x: float, y: float, w: float, h: float, c: float, s: float, radius: float
) -> tuple[NDArray[np.float64], bool]:
    """Return the proxy of a box turned by (cosine, sine), from half its size; False if it may be too thin to turn."""
    out = np.empty(BOX_LENGTH)
    return out, _write_turned_box(x, y, w, h, c, s, radius, out)


def stadium_proxy(a: Point2, b: Point2, radius: float) -> NDArray[np.float64]:
    """Return the proxy of a segment grown by a radius, its ends in the world."""
    out = np.empty(_STADIUM_LENGTH)
    _write_stadium(*a, *b, radius, out)
    return out


def polygon_proxy(points: Floats, radius: float) -> tuple[NDArray[np.float64], int]:
    """Return the proxy of an outline (n, 2) in the world, and its winding; 0 where it is in doubt, and no proxy."""
    out = np.empty(POINTS + STRIDE * len(points))
    return out, _write_polygon(points, radius, out)


def make_proxy(kind: float, origin: Point2, points: Sequence[Point2], radius: float) -> NDArray[np.float64]:
    """Return the proxy of a shape whose cleaned, counter-clockwise core `points` are relative to `origin`.

    Parameters
    ----------
    kind : one of DISC, STADIUM, AABB, OBB, POLYGON
    origin : (x, y)
    points : core points relative to the origin, exact
    radius : float, >= 0

    Returns
    -------
    (10 + 4 * len(points),) float64, writeable, C-contiguous
    """
    out = np.empty(POINTS + STRIDE * len(points))
    _write_local(kind, np.array(points, dtype=np.float64), *origin, radius, out)
    return out


JUST_OVER_HALF_ULP = 2.0**-53 * (1.0 + 2.0**-52)


@kernel
def _write_proxies(
    kinds: Floats, points: Floats, first: Integers, radii: Floats, shifts: Floats, starts: Integers, out: Floats
) -> None:
    for row in range(starts.shape[0]):
        begin, count, at = first[row], first[row + 1] - first[row], starts[row]
        for k in range(count):
            place = at + POINTS + STRIDE * k
            out[place], out[place + 1] = points[begin + k, 0], points[begin + k, 1]
        ox, oy = choose_origin(count, 0, out, at), choose_origin(count, 1, out, at)
        finish_proxy(kinds[row], count, radii[row], ox + shifts[row, 0], oy + shifts[row, 1], out, at)


def starts_of(sizes: Integers) -> Integers:
    """Return where runs of these sizes start, one behind the other."""
    starts = np.zeros(sizes.size, dtype=np.int64)
    np.cumsum(sizes[:-1], out=starts[1:])
    return starts


def make_proxies(
    kinds: Floats, points: Floats, first: Integers, radii: Floats, shifts: Floats | None = None
) -> tuple[Floats, Integers]:
    """Return (buffer, starts) of the proxies of many shapes.

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
    _write_proxies(kinds, points, first, radii, shifts, starts, buffer)
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
def proxy_bounds(buffer: Floats, starts: Integers, out_bounds: Floats) -> None:
    """Write the least x and y and the greatest x and y of each shape, radius included, rounded outward."""
    for row in range(starts.shape[0]):
        at = starts[row]
        count = int(buffer[at + proxy.COUNT])
        radius = buffer[at + proxy.RADIUS]
        for axis in range(2):
            low = high = buffer[at + POINTS + axis]
            for k in range(1, count):
                value = buffer[at + POINTS + STRIDE * k + axis]
                low, high = min(low, value), max(high, value)
            origin = buffer[at + proxy.X + axis]
            out_bounds[row, axis] = 0.0 - outward(0.0 - origin, 0.0 - low, radius)  # not -0.0
            out_bounds[row, 2 + axis] = outward(origin, high, radius) + 0.0
