"""When two shapes that both turn, one of them moving as well, first touch: conservative advancement in the world.

In: records, and what both do, row by row. Out: the columns of `cast`. At the fraction t
of the motion A has been turned by t * turn about its pivot and moved by t * motion, and B turned by its t * turn about
its own. World frame, user's units. Steps, bounds and directions are those of bodies in a world
(`conservative_advancement`); the tolerance is that of a cast with rotation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns
from carom.narrow.conservative_advancement import Way, circles_miss, write_turned
from carom.narrow.dispatch import Rows, vectors
from carom.narrow.rotating_toi import time_to_close
from carom.narrow.rows.rotating_cast import turns_and_pivots
from carom.narrow.signed_distance import core_points, separate
from carom.narrow.slop import slop_of_pair
from carom.narrow.walk import farthest_edge
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import SIGN_BAND, STEPS_INSIDE, SWEEP_BAND, TOUCH_BANDS

# Whether they hit and overlap at the start; fraction, normal and point.
Columns = tuple[Booleans, Booleans, Floats, Floats, Floats]
AT_ONCE = 100.0  # tolerances that the fastest point goes meanwhile: one that only bends takes a million
# Columns of what both do: A's motion, turn and pivot, B's turn and pivot.
MOTION_X, MOTION_Y, TURN, PIVOT_X, PIVOT_Y, OTHER, ABOUT_X, ABOUT_Y = 0, 1, 2, 3, 4, 5, 6, 7


@inner
def reach_from(a: Floats, i: int, x: float, y: float) -> float:
    """Return how far a shape reaches from a point."""
    farthest = 0.0
    for k in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        dx, dy = (a[i + X] - x) + a[k], (a[i + Y] - y) + a[k + 1]
        farthest = max(farthest, math.sqrt(dx * dx + dy * dy))
    return float(farthest + a[i + RADIUS])


@inner
def later(way: Way, time: float) -> Way:
    """Return the way as it goes on after a time."""
    x, y, vx, vy, rate, reach = way
    return x + vx * time, y + vy * time, vx, vy, rate, reach


@inner
def ways_of(a: Floats, i: int, b: Floats, j: int, both: Floats, row: int) -> tuple[Way, Way]:
    """Return the ways of two shapes that do what a row of `both` says."""
    px, py, qx, qy = both[row, PIVOT_X], both[row, PIVOT_Y], both[row, ABOUT_X], both[row, ABOUT_Y]
    way_a = px, py, both[row, MOTION_X], both[row, MOTION_Y], both[row, TURN], reach_from(a, i, px, py)
    return way_a, (qx, qy, 0.0, 0.0, both[row, OTHER], reach_from(b, j, qx, qy))


@inner
def speed_of(way_a: Way, way_b: Way) -> float:
    """Return a speed that no point of one shape exceeds as seen from a point of the other."""
    _, _, vx, vy, rate_a, reach_a = way_a
    _, _, _, _, rate_b, reach_b = way_b
    return math.sqrt(vx * vx + vy * vy) + abs(rate_a) * reach_a + abs(rate_b) * reach_b


@inner
def tolerance_of(a: Floats, i: int, way_a: Way, b: Floats, j: int, way_b: Way) -> float:
    """Return the separation below which two shapes count as in touch on their ways."""
    px, py, vx, vy, rate_a, reach_a = way_a
    qx, qy, _, _, rate_b, reach_b = way_b
    sweep = abs(vx) + abs(vy) + reach_a * (1.0 + abs(rate_a)) + reach_b * (1.0 + abs(rate_b))
    sweep += max(max(abs(px), abs(py)), max(abs(qx), abs(qy)))
    return max(slop_of_pair(a, i, b, j), TOUCH_BANDS * (SWEEP_BAND + SIGN_BAND) * sweep)


@kernel
def gap_at(
    a: Floats, i: int, way_a: Way, b: Floats, j: int, way_b: Way, time: float, now: Floats
) -> tuple[float, float, float, float, float]:
    """Return the separation at a fraction, the normal from A to B, and the point on B; `now` has both records then."""
    half = now.shape[0] // 2
    write_turned(a, i, way_a, time, now, 0)
    write_turned(b, j, way_b, time, now, half)
    found = separate(now, 0, now, half)
    _, _, x, y = core_points(now, 0, now, half, found)
    return found[0], found[1], found[2], x - found[1] * b[j + RADIUS], y - found[2] * b[j + RADIUS]


@inner
def free_in_frame(
    now: Floats, i: int, way: Way, j: int, frame: Way, nx: float, ny: float, level: float, span: float
) -> float:
    """Return how long, at most `span`, the gap along n surely exceeds a level, where n turns with the shape at j.

    As seen from that shape, whose way is that of the frame, the points of the one at i go round a pivot that itself
    goes round the frame's centre; n points to the shape at j.
    """
    px, py, vx, vy, rate, _ = way
    cx, cy, ux, uy, spin, _ = frame
    x, y, vx, vy, rate, size = px - cx, py - cy, vx - ux, vy - uy, rate - spin, abs(spin)
    along, speed = nx * (vx + spin * y) + ny * (vy - spin * x), math.sqrt(vx * vx + vy * vy)
    if speed > 0.0 and span * size > 1.0:
        span = 1.0 / size  # the bend below grows with the span
    bend_of_pivot = size * (size * (math.sqrt(x * x + y * y) + span * speed) + 2.0 * speed)
    least, free = math.inf, span
    for k in range(j + POINTS, j + POINTS + STRIDE * int(now[j + COUNT]), STRIDE):
        least = min(least, nx * now[k] + ny * now[k + 1])
    least += nx * (now[j + X] - now[i + X]) + ny * (now[j + Y] - now[i + Y]) - level
    for k in range(i + POINTS, i + POINTS + STRIDE * int(now[i + COUNT]), STRIDE):
        gap = least - (nx * now[k] + ny * now[k + 1])
        if gap <= 0.0:
            return 0.0
        arm_x, arm_y = (now[i + X] - px) + now[k], (now[i + Y] - py) + now[k + 1]
        bend = bend_of_pivot + rate * rate * math.sqrt(arm_x * arm_x + arm_y * arm_y)
        free = min(free, time_to_close(gap, along + rate * (ny * arm_x - nx * arm_y), bend))
    return float(free)


@kernel
def free_of_both(
    now: Floats, way_a: Way, way_b: Way, time: float, gap: float, nx: float, ny: float, safe: float, span: float
) -> float:
    """Return how long, at most `span`, the gap of two shapes surely exceeds `safe`; `now` has both at the time."""
    half = now.shape[0] // 2
    on_a, on_b = later(way_a, time), later(way_b, time)
    level = safe + now[RADIUS] + now[half + RADIUS]
    speed = speed_of(way_a, way_b)
    best = (gap - safe) / speed if speed > 0.0 else span
    for turn in range(2):
        if turn == 1:
            # Between two sharp corners that all but touch, the direction is made of rounding errors: an edge's is not.
            _, nx, ny, _, _, _, _ = farthest_edge(now, 0, now, half)
        if best < span and (nx != 0.0 or ny != 0.0):
            best = max(best, free_in_frame(now, 0, on_a, half, on_b, nx, ny, level, span))
        if best < span and (nx != 0.0 or ny != 0.0):
            best = max(best, free_in_frame(now, half, on_b, 0, on_a, -nx, -ny, level, span))
    return min(best, span)


@inner
def time_to_clear(gap: float, tolerance: float, speed: float, overlapping: bool, steps: int, growth: float) -> float:
    """Return how long two shapes that began in touch may be followed at once.

    Out and in again must not pass for having stayed inside. Steps of shapes in touch grow: these are soon clear or not.
    """
    if gap > 2.0 * tolerance or speed == 0.0 or (overlapping and steps >= STEPS_INSIDE):
        return math.inf
    return (4.0 * tolerance - gap) / speed * (1.0 if overlapping else growth)


@kernel
def time_of_meeting(
    a: Floats, i: int, way_a: Way, b: Floats, j: int, way_b: Way, tolerance: float, first: float, now: Floats
) -> tuple[float, bool]:
    """Return the fraction, from `first` on, at which two shapes meet, and whether they overlap until then.

    It is infinity if they never do. `now` is scratch, with room for both records.
    """
    speed = speed_of(way_a, way_b)
    if circles_miss(way_a, way_b, 1.0, 4.0 * tolerance):
        return math.inf, False
    time, steps, growth = first, 0, 1.0
    gap, nx, ny, _, _ = gap_at(a, i, way_a, b, j, way_b, time, now)
    stop, safe, held = tolerance, 0.5 * tolerance, gap <= tolerance
    overlapping = gap < -tolerance
    if held:  # what goes deeper than it began is a hit, until they are clear
        stop, safe = min(gap, 0.0) - tolerance, min(gap, 0.0) - 1.5 * tolerance
    while gap > stop:
        if time >= 1.0:
            return math.inf, False
        span = 1.0 - time
        if held:
            if gap > 2.0 * tolerance:
                held, overlapping, stop, safe = False, False, tolerance, 0.5 * tolerance
            elif overlapping and steps == STEPS_INSIDE:
                stop, safe = min(gap, 0.0) - tolerance, min(gap, 0.0) - 1.5 * tolerance
            else:
                span = min(span, time_to_clear(gap, tolerance, speed, overlapping, steps, growth))
        free = free_of_both(now, way_a, way_b, time, gap, nx, ny, safe, span)
        time = time + free if free < 1.0 - time else 1.0
        steps, growth = steps + 1, 2.0 * growth
        gap, nx, ny, _, _ = gap_at(a, i, way_a, b, j, way_b, time, now)
    if held and (time - first) * speed <= AT_ONCE * tolerance:
        time = first  # it closes at once, not only later
    return time, overlapping


@kernel
def turn_both(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, both: Floats, first: float, room: int, out: Columns
) -> None:
    """Write for each row when A meets B, from a fraction on."""
    out_hits, out_overlapping, out_fractions, out_normals, out_points = out
    now = np.empty(2 * room)
    for row in range(both.shape[0]):
        i, j = starts_a[row], starts_b[row]
        way_a, way_b = ways_of(a, i, b, j, both, row)
        tolerance = tolerance_of(a, i, way_a, b, j, way_b)
        time, overlapping = time_of_meeting(a, i, way_a, b, j, way_b, tolerance, first, now)
        hit = time < math.inf
        out_hits[row], out_overlapping[row], out_fractions[row] = hit, hit and overlapping, time
        out_normals[row, 0] = out_normals[row, 1] = out_points[row, 0] = out_points[row, 1] = 0.0
        if hit:
            _, nx, ny, x, y = gap_at(a, i, way_a, b, j, way_b, time, now)
            out_normals[row, 0], out_normals[row, 1] = 0.0 - nx, 0.0 - ny
            out_points[row, 0], out_points[row, 1] = x, y


def record_room(pairs: Rows) -> int:
    """Return how many numbers the longest record takes."""
    most = (int(s[at + COUNT].max(initial=1)) for s, at in ((pairs.a, pairs.starts_a), (pairs.b, pairs.starts_b)))
    return POINTS + STRIDE * max(most)


def both_turned(
    a: Any, b: Any, translation: Any, rotation: Any, pivot: Any, other_rotation: Any, other_pivot: Any, n: int
) -> Floats:
    """Return what both sides of each of n rows do, as the user gave it."""
    motions = vectors("cast", "translation", translation, n)
    turns, pivots = turns_and_pivots(a, rotation, pivot, n)
    others, about = turns_and_pivots(b, other_rotation, other_pivot, n, "cast", "other_")
    return np.column_stack((motions, turns, pivots, others, about))


def hits_of_both(pairs: Rows, both: Floats, threads: int, first: float = 0.0) -> HitColumns:
    """Return the hits of rows of which both sides may turn, from a fraction on."""
    n, room = len(both), record_room(pairs)
    hit, overlapping = np.empty(n, dtype=np.bool_), np.empty(n, dtype=np.bool_)
    fraction, normal, point = np.empty(n), np.empty((n, 2)), np.empty((n, 2))
    out = hit, overlapping, fraction, normal, point

    def work(begin: int, end: int) -> None:
        into: Any = tuple(column[begin:end] for column in out)
        turn_both(*pairs.part(begin, end), both[begin:end], first, room, into)

    in_parts(threads, n, work)
    return HitColumns(hit, fraction, point, normal, overlapping)
