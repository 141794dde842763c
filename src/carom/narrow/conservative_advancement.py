"""When two parts come within a gap of each other while both move straight on and turn.

In: the records of two parts as they stand now, the centres that they turn about, and the velocities of their ways. Out:
the time, never late, or infinity. World frame, user's units; seconds.

Along a fixed direction the gap is the least over pairs of corners, and each corner goes on at its present velocity,
but for a bend of at most half of w^2 r t^2. That is a concave lower bound of the gap: where it is positive at the end,
the two do not meet, which one measurement tells for most pairs. Else chords to its root are never late, and the gap is
measured anew there (conservative advancement; B. Mirtich, "Impulse-based dynamic simulation", 1996).
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.kinds import kind_turned
from carom.narrow.least_gap import least_gap
from carom.narrow.signed_distance import separate
from carom.shapes.proxy import (
    CENTER_X,
    CENTER_Y,
    COUNT,
    HIGHEST,
    KIND,
    LOWEST,
    POINTS,
    RADIUS,
    REACH,
    STRIDE,
    X,
    Y,
)
from carom.tolerances import UPRIGHT

MOST_MEASURES = 1000
"""Measurements after which the time so far is taken; it is early then, never late."""
MEASURES_TO_DOUBLE = 16
"""Measurements after which the tolerance doubles for two that have met: beside each other they go on for long."""
CHORDS = 6
"""Steps towards the root of the bound for each measurement."""
CENTRED = 1e-11
"""Share of its radius: a disc that turns about a point no farther from its centre stays where it is."""

# Centre that a body turns about, the velocity of its way, its rate of turning, and how far from the centre it reaches.
Way = tuple[float, float, float, float, float, float]


@kernel
def write_turned(a: Floats, i: int, way: Way, time: float, out: Floats, o: int) -> None:
    """Write the record of a part as it will be after a time on its way."""
    x, y, vx, vy, rate, _ = way
    if rate == 0.0:
        for k in range(POINTS + STRIDE * int(a[i + COUNT])):
            out[o + k] = a[i + k]
        out[o + X], out[o + Y] = a[i + X] + vx * time, a[i + Y] + vy * time
        return
    c, s, _ = cos_sin_of(rate * time)
    turn_record(a, i, c, s, out, o)
    dx, dy = a[i + X] - x, a[i + Y] - y
    out[o + X], out[o + Y] = x + vx * time + (c * dx - s * dy), y + vy * time + (s * dx + c * dy)


@kernel
def turn_record(a: Floats, i: int, c: float, s: float, out: Floats, o: int) -> None:
    """Write a record turned about its origin; where that stands is left to the caller."""
    out[o + KIND] = kind_turned(a[i + KIND])
    out[o + COUNT], out[o + RADIUS], out[o + REACH] = a[i + COUNT], a[i + RADIUS], a[i + REACH]
    dx, dy = a[i + CENTER_X], a[i + CENTER_Y]
    out[o + CENTER_X], out[o + CENTER_Y] = c * dx - s * dy, s * dx + c * dy
    last = POINTS + STRIDE * int(a[i + COUNT])
    for k in range(POINTS, last, STRIDE):
        dx, dy = a[i + k], a[i + k + 1]
        out[o + k], out[o + k + 1] = c * dx - s * dy, s * dx + c * dy
        nx, ny = a[i + k + 2], a[i + k + 3]
        nx, ny = c * nx - s * ny, s * nx + c * ny
        # Edges near the horizontal must not change places for a rounding: the walk begins at one of them.
        out[o + k + 2], out[o + k + 3] = (nx if abs(nx) > UPRIGHT else 0.0), ny
    mark_ends(out, o, last)


@inner
def mark_ends(out: Floats, o: int, last: int) -> None:
    """Note which corners of a record are lowest and highest."""
    out[o + LOWEST], out[o + HIGHEST] = 0.0, 0.0
    before = last - STRIDE
    for k in range(POINTS, last, STRIDE):
        rises = out[o + k + 2] > 0.0 or (out[o + k + 2] == 0.0 and out[o + k + 3] < 0.0)
        rose = out[o + before + 2] > 0.0 or (out[o + before + 2] == 0.0 and out[o + before + 3] < 0.0)
        if rises and not rose:
            out[o + LOWEST] = float((k - POINTS) // STRIDE)
        if rose and not rises:
            out[o + HIGHEST] = float((k - POINTS) // STRIDE)
        before = k


@inner
def least_ahead(a: Floats, i: int, x: float, y: float, rate: float, nx: float, ny: float, time: float) -> float:
    """Return how far along n the core begins, if its corners go on as they move now; relative to its centre (x, y)."""
    dx, dy = a[i + X] - x, a[i + Y] - y
    best = math.inf
    for k in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        px, py = dx + a[k], dy + a[k + 1]
        best = min(best, px * nx + py * ny + rate * time * (px * ny - py * nx))
    return best


@inner
def corner_speed(a: Floats, i: int, x: float, y: float, rate: float, nx: float, ny: float) -> float:
    """Return how fast along n the corner that is first along n moves by turning."""
    if rate == 0.0:
        return 0.0
    dx, dy = a[i + X] - x, a[i + Y] - y
    best, speed = math.inf, 0.0
    for k in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        px, py = dx + a[k], dy + a[k + 1]
        if px * nx + py * ny < best:
            best, speed = px * nx + py * ny, rate * (px * ny - py * nx)
    return speed


@inner
def circles_miss(way_a: Way, way_b: Way, rest: float, limit: float) -> bool:
    """Tell whether the circles in which two bodies turn stay apart, however fast they turn."""
    xa, ya, ax, ay, _, reach_a = way_a
    xb, yb, bx, by, _, reach_b = way_b
    dx, dy, vx, vy = xb - xa, yb - ya, bx - ax, by - ay
    square, towards, reach = vx * vx + vy * vy, -(dx * vx + dy * vy), reach_a + reach_b + max(limit, 0.0)
    nearest = min(max(towards / square, 0.0), rest) if square > 0.0 else 0.0
    x, y = dx + vx * nearest, dy + vy * nearest
    return bool(x * x + y * y > 1.000001 * reach * reach)


@inner
def is_disc(a: Floats, i: int, way: Way) -> bool:
    """Tell whether a part is a disc that turning does not move."""
    x, y, _, _, rate, _ = way
    off = abs(a[i + X] - x) + abs(a[i + Y] - y)
    return bool(a[i + COUNT] == 1.0 and (rate == 0.0 or off <= CENTRED * a[i + RADIUS]))


@inner
def time_to_circle(dx: float, dy: float, vx: float, vy: float, radius: float, rest: float) -> float:
    """Return when a point outside a circle about the origin, at d with velocity v, comes to it; or infinity."""
    towards, aside, square = -(dx * vx + dy * vy), dx * vy - dy * vx, vx * vx + vy * vy
    under = radius * radius * square - aside * aside
    if towards <= 0.0 or under <= 0.0:
        return math.inf
    distance = math.sqrt(dx * dx + dy * dy)
    time = (distance - radius) * (distance + radius) / (towards + math.sqrt(under))
    return time if time < rest else math.inf


@inner
def time_to_fall(height: float, speed: float, bend: float) -> float:
    """Return when height + speed * t - bend * t^2 comes down to 0; or infinity."""
    root = math.sqrt(speed * speed + 4.0 * bend * height)
    if speed <= 0.0:
        return 2.0 * height / (root - speed) if root > speed else math.inf
    return 0.5 * (speed + root) / bend if bend > 0.0 else math.inf


@kernel
def time_to_gap(
    a: Floats,
    i: int,
    way_a: Way,
    b: Floats,
    j: int,
    way_b: Way,
    rest: float,
    target: float,
    margin: float,
    floor: float,
    tolerance: float,
    work: Floats,
) -> float:
    """Return after what time, below `rest`, two parts meet; or infinity.

    They meet where their gap comes down to `target`, or to the present gap if that is less, and by `margin` more; if
    `floor` is positive, by no more than half of the gap, or, where the gap is negative by less than `margin`, by no
    more than rounding. A pair deeper than `floor` that closes by more than the tolerance meets at once. Without a
    `floor` they meet where the gap comes down by the next multiple of `margin` below `target`: a pair that is looked at
    anew on its way does not go on by a margin each time.

    Parameters
    ----------
    a, i, b, j : the records of both parts, as they are now
    way_a, way_b : how they move
    rest : how far to look
    target, margin, floor : gaps; they may be negative
    tolerance : by how much larger the gap may be at the time found; more if it is below `target` now and stays near
    work : scratch, with room for both records
    """
    half = work.shape[0] // 2
    if circles_miss(way_a, way_b, rest, target):
        return math.inf
    xa, ya, ax, ay, rate_a, reach_a = way_a
    xb, yb, bx, by, rate_b, reach_b = way_b
    if floor <= 0.0 and is_disc(a, i, way_a) and is_disc(b, j, way_b):
        dx, dy, reach = b[j + X] - a[i + X], b[j + Y] - a[i + Y], a[i + RADIUS] + b[j + RADIUS]
        circle = reach + target - margin + 0.5 * tolerance
        if circle > 0.0 and dx * dx + dy * dy > (reach + max(target, target - margin + tolerance)) ** 2:
            return time_to_circle(dx, dy, bx - ax, by - ay, circle, rest)
    # A rounding radius does not turn: what bends is the way of the core.
    core_a, core_b = max(reach_a - a[i + RADIUS], 0.0), max(reach_b - b[j + RADIUS], 0.0)
    vx, vy = bx - ax, by - ay
    apart, nx, ny = least_gap(a, i, b, j)
    closing = abs(rate_a) * core_a + abs(rate_b) * core_b - (vx * nx + vy * ny)
    if apart - max(closing, 0.0) * rest > target + tolerance:
        return math.inf
    bend = 0.5 * (rate_a * rate_a * core_a + rate_b * rate_b * core_b)
    radii = a[i + RADIUS] + b[j + RADIUS]
    separation, nx, ny, _, _, _, _ = separate(a, i, b, j)
    limit, time, met = min(target, separation) - margin, 0.0, separation < target
    if floor == -math.inf and margin > 0.0:
        limit = target - margin * (1.0 + max(math.floor((target - separation + 1.5 * tolerance) / margin), 0.0))
    if floor > 0.0 and separation > 0.0:
        limit = max(limit, 0.5 * min(target, separation))
    elif floor > 0.0 and separation > -margin:
        # A part without width has no inside: where rounding has let it in, it goes no deeper.
        limit = max(limit, separation - 2.0 * tolerance)
    if separation - limit <= tolerance or separation < floor:
        closing = (
            vx * nx
            + vy * ny
            + corner_speed(b, j, xb, yb, rate_b, nx, ny)
            + corner_speed(a, i, xa, ya, rate_a, -nx, -ny)
        )
        if closing * rest < -tolerance:
            return 0.0
        if margin == 0.0:
            return math.inf
    for turn in range(MOST_MEASURES):
        if turn > 0:
            separation, nx, ny, _, _, _, _ = separate(work, 0, work, half)
        free = separation - limit
        if met and turn % MEASURES_TO_DOUBLE == MEASURES_TO_DOUBLE - 1:
            tolerance *= 2.0
        if free <= tolerance:
            return time
        # The lower bound of the gap along n, `ahead` later: base + closing * ahead + corners - bend * ahead^2.
        xa0, ya0, xb0, yb0 = xa + ax * time, ya + ay * time, xb + bx * time, yb + by * time
        base, closing = (xb0 - xa0) * nx + (yb0 - ya0) * ny - radii - limit, vx * nx + vy * ny
        low, at_low, at_high = 0.0, free, 0.0
        if turn == 0:
            speed_a = corner_speed(a, i, xa0, ya0, rate_a, -nx, -ny)
            speed_b = corner_speed(b, j, xb0, yb0, rate_b, nx, ny)
        else:
            speed_a = corner_speed(work, 0, xa0, ya0, rate_a, -nx, -ny)
            speed_b = corner_speed(work, half, xb0, yb0, rate_b, nx, ny)
        # The bound is no higher than that of the corners that are nearest now: it ends where theirs does.
        ahead = min(rest - time, time_to_fall(free, closing + speed_a + speed_b, bend))
        for chord in range(CHORDS + 1):
            if turn == 0:
                corners = least_ahead(b, j, xb0, yb0, rate_b, nx, ny, ahead) + least_ahead(
                    a, i, xa0, ya0, rate_a, -nx, -ny, ahead
                )
            else:
                corners = least_ahead(work, half, xb0, yb0, rate_b, nx, ny, ahead) + least_ahead(
                    work, 0, xa0, ya0, rate_a, -nx, -ny, ahead
                )
            value = base + closing * ahead + corners - bend * ahead * ahead
            if chord == 0 and value > 0.0 and ahead >= rest - time:
                return math.inf
            if chord == 0 and value < 0.0:
                high, at_high = ahead, value
            else:
                low, at_low = ahead, value
            if at_low <= 0.5 * tolerance or at_high == 0.0:
                break
            ahead = low + (high - low) * at_low / (at_low - at_high)
        if low <= 0.0:
            return time
        time += low
        if time >= rest:
            return math.inf
        write_turned(a, i, way_a, time, work, 0)
        write_turned(b, j, way_b, time, work, half)
    return time
