"""The workspace of one turning pair: what stays, what A is at a moment of its motion, and how exact all that is.

In: two records and A's motion. Out: a run of floats that holds both shapes relative to B's origin, so that an origin
far from zero costs no digits; `pose` puts A where it is at a fraction of the motion. Lengths are the user's, times a
power of two where squares would overflow or vanish. World frame, B's origin at 0.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.slop import slop_of_pair
from carom.narrow.walk import Nearest, walk
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, HIGHEST, KIND, LOWEST, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import SAFE_SCALE, SIGN_BAND, SWEEP_BAND, TOUCH_BANDS, UPRIGHT

# The workspace of one pair, all lengths times SCALE and relative to B's origin: these numbers, then A's record as it
# stands at the moment (MOVED), B's, a disc around all that A sweeps about the pivot, and A's points as they were.
SCALE = 0
OFFSET_X, OFFSET_Y = 1, 2  # A's origin at the start
MOVE_X, MOVE_Y, TURN = 3, 4, 5  # the whole motion
PIVOT_X, PIVOT_Y = 6, 7  # the pivot at the start
LEVER_X, LEVER_Y = 8, 9  # from the pivot to A's origin, at the start
NOW_X, NOW_Y = 10, 11  # the pivot now
ARM_X, ARM_Y = 12, 13  # the lever now
LONGEST = 14  # how far from the pivot a core point of A is at most
MARGIN, TOLERANCE = 15, 16
MOVED = 17
OWN = 5  # for each point of A: x, y, normal x, normal y, distance from the pivot


def workspace(count_a: int, count_b: int) -> int:
    """Return how many numbers the workspace needs for cores of so many points."""
    return MOVED + 3 * POINTS + STRIDE * (count_a + count_b + 1) + OWN * count_a


@inner
def layout(w: Floats) -> tuple[int, int, int]:
    """Return where B, the disc, and A's own points stand in a workspace that holds both records."""
    at_b = MOVED + POINTS + STRIDE * int(w[MOVED + COUNT])
    disc = at_b + POINTS + STRIDE * int(w[at_b + COUNT])
    return at_b, disc, disc + POINTS + STRIDE


@inner
def length(x: float, y: float) -> float:
    """Return the length of a vector that is neither tiny nor huge."""
    return math.sqrt(x * x + y * y)


@kernel
def lay_out(
    w: Floats, a: Floats, i: int, b: Floats, j: int, mx: float, my: float, turn: float, px: float, py: float
) -> None:
    """Fill the workspace of a pair."""
    w[MOVED + COUNT] = a[i + COUNT]
    at_b = MOVED + POINTS + STRIDE * int(a[i + COUNT])
    w[at_b + COUNT] = b[j + COUNT]
    _, disc, own = layout(w)
    largest = max(abs(mx), abs(my), abs(a[i + X] - b[j + X]), abs(a[i + Y] - b[j + Y]))
    largest = max(largest, abs(a[i + X] - px), abs(a[i + Y] - py))
    largest = max(largest, abs(a[i + CENTER_X]) + a[i + REACH] + a[i + RADIUS], abs(a[i + CENTER_Y]))
    largest = max(largest, abs(b[j + CENTER_X]) + b[j + REACH] + b[j + RADIUS], abs(b[j + CENTER_Y]))
    scale = 1.0
    if not 1.0 / SAFE_SCALE < largest < SAFE_SCALE:  # squares could overflow or vanish
        scale = math.ldexp(1.0, -math.frexp(largest)[1])
    w[SCALE] = scale
    w[OFFSET_X], w[OFFSET_Y] = (a[i + X] - b[j + X]) * scale, (a[i + Y] - b[j + Y]) * scale
    w[MOVE_X], w[MOVE_Y], w[TURN] = mx * scale, my * scale, turn
    w[PIVOT_X], w[PIVOT_Y] = (px - b[j + X]) * scale, (py - b[j + Y]) * scale
    w[LEVER_X], w[LEVER_Y] = (a[i + X] - px) * scale, (a[i + Y] - py) * scale
    for to, shape, at in ((MOVED, a, i), (at_b, b, j)):
        w[to + KIND], w[to + RADIUS] = shape[at + KIND], shape[at + RADIUS] * scale
        w[to + X], w[to + Y] = 0.0, 0.0
        w[to + LOWEST], w[to + HIGHEST] = shape[at + LOWEST], shape[at + HIGHEST]
        w[to + CENTER_X], w[to + CENTER_Y] = (
            shape[at + CENTER_X] * scale,
            shape[at + CENTER_Y] * scale,
        )
        w[to + REACH] = shape[at + REACH] * scale
    for k in range(int(b[j + COUNT])):
        to, at = at_b + POINTS + STRIDE * k, j + POINTS + STRIDE * k
        w[to], w[to + 1], w[to + 2], w[to + 3] = b[at] * scale, b[at + 1] * scale, b[at + 2], b[at + 3]
    longest = 0.0
    for k in range(int(a[i + COUNT])):
        to, at = own + OWN * k, i + POINTS + STRIDE * k
        w[to], w[to + 1], w[to + 2], w[to + 3] = a[at] * scale, a[at + 1] * scale, a[at + 2], a[at + 3]
        w[to + 4] = length(w[LEVER_X] + w[to], w[LEVER_Y] + w[to + 1])
        longest = max(longest, w[to + 4])
    w[LONGEST] = longest
    for k in range(POINTS + STRIDE):
        w[disc + k] = 0.0
    w[disc + COUNT] = 1.0
    sweep = length(w[OFFSET_X], w[OFFSET_Y]) + length(w[MOVE_X], w[MOVE_Y]) + longest * (1.0 + abs(turn))
    local = w[MOVED + RADIUS] + w[at_b + RADIUS]
    for at in (MOVED, at_b):
        local += 2.0 * w[at + REACH] + abs(w[at + CENTER_X]) + abs(w[at + CENTER_Y])
    w[MARGIN] = SWEEP_BAND * sweep + SIGN_BAND * local
    w[TOLERANCE] = max(slop_of_pair(a, i, b, j) * scale, TOUCH_BANDS * w[MARGIN])


@inner
def rises(nx: float, ny: float) -> bool:
    """Tell whether an edge with this outward normal goes up; see `walk.edge_of_a_first`."""
    return nx > 0.0 or (nx == 0.0 and ny < 0.0)


@kernel
def pose(w: Floats, t: float) -> Nearest:
    """Put A where it is at the fraction t, and return what is nearest between A and B there."""
    at_b, _, own = layout(w)
    c, s, fall = cos_sin_of(w[TURN] * t)
    lever_x, lever_y = w[LEVER_X], w[LEVER_Y]
    w[ARM_X], w[ARM_Y] = c * lever_x - s * lever_y, s * lever_x + c * lever_y
    w[NOW_X], w[NOW_Y] = w[PIVOT_X] + t * w[MOVE_X], w[PIVOT_Y] + t * w[MOVE_Y]
    w[MOVED + X] = w[OFFSET_X] + (t * w[MOVE_X] + (fall * lever_x - s * lever_y))
    w[MOVED + Y] = w[OFFSET_Y] + (t * w[MOVE_Y] + (s * lever_x + fall * lever_y))
    count = int(w[MOVED + COUNT])
    for k in range(count):
        to, at = MOVED + POINTS + STRIDE * k, own + OWN * k
        w[to], w[to + 1] = c * w[at] - s * w[at + 1], s * w[at] + c * w[at + 1]
        nx, ny = c * w[at + 2] - s * w[at + 3], s * w[at + 2] + c * w[at + 3]
        # Edges near the horizontal must not change places for a rounding: the walk begins at one of them.
        w[to + 2], w[to + 3] = (nx if abs(nx) > UPRIGHT else 0.0), ny
    last = MOVED + POINTS + STRIDE * (count - 1)
    was_rising = rises(w[last + 2], w[last + 3])
    for k in range(count):
        at = MOVED + POINTS + STRIDE * k
        rising = rises(w[at + 2], w[at + 3])
        if rising and not was_rising:
            w[MOVED + LOWEST] = float(k)
        was_rising = rising
    return walk(w, MOVED, w, at_b)
