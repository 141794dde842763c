"""When two shapes that both turn, one of them moving as well, first touch: conservative advancement in the world.

In: records, A's motion, turn and pivot, B's turn and pivot, row by row. Out: the columns of `cast`. At the fraction t
of the motion A has been turned by t * turn about its pivot and moved by t * motion, and B turned by its t * turn about
its own. World frame, user's units. Steps, bounds and directions are those of bodies in a world
(`conservative_advancement`); the tolerance is that of a cast with rotation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.jit import inner, kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import HitColumns
from carom.narrow.conservative_advancement import Way, time_to_gap, write_turned
from carom.narrow.dispatch import rows, vectors
from carom.narrow.rows.rotating_cast import turns_and_pivots
from carom.narrow.signed_distance import core_points, separate
from carom.narrow.slop import slop_of_pair
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import LARGEST, SIGN_BAND, STEPS_INSIDE, SWEEP_BAND, TOUCH_BANDS

# Whether they hit and overlap at the start; fraction, normal and point.
Columns = tuple[Booleans, Booleans, Floats, Floats, Floats]


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


@kernel
def time_of_meeting(
    a: Floats, i: int, way_a: Way, b: Floats, j: int, way_b: Way, tolerance: float, now: Floats, work: Floats
) -> tuple[float, bool]:
    """Return the fraction at which two shapes meet, infinity if never, and whether they overlap until then.

    `now` and `work` are scratch, each with room for both records.
    """
    half, end = now.shape[0] // 2, 1.0 + 1e-15
    _, _, vx, vy, rate_a, reach_a = way_a
    _, _, _, _, rate_b, reach_b = way_b
    speed = math.sqrt(vx * vx + vy * vy) + abs(rate_a) * reach_a + abs(rate_b) * reach_b
    if speed == 0.0:
        return math.inf, False
    begin = separate(a, i, b, j)[0]
    gap, time, steps, left = begin, 0.0, 0, 0.5 * tolerance
    while gap <= 2.0 * tolerance and begin <= tolerance:
        # In touch or in overlap since the start: until they are clear, what goes deeper than it began is a hit.
        write_turned(a, i, way_a, time, now, 0)
        write_turned(b, j, way_b, time, now, half)
        rest = end - time
        held = steps >= STEPS_INSIDE or begin >= -tolerance
        span = rest if held else min((4.0 * tolerance - gap) / speed, rest)
        deeper = time_to_gap(
            now, 0, later(way_a, time), now, half, later(way_b, time), span, begin, tolerance, -LARGEST, left, work
        )
        if deeper < span:
            at_once = time + deeper <= 4.0 * tolerance / speed
            return (0.0 if at_once else min(time + deeper, 1.0)), begin < -tolerance
        if held:
            return math.inf, False
        time, steps = time + span, steps + 1
        if time >= 1.0:
            return math.inf, False
        write_turned(a, i, way_a, time, now, 0)
        write_turned(b, j, way_b, time, now, half)
        gap = separate(now, 0, now, half)[0]
    write_turned(a, i, way_a, time, now, 0)
    write_turned(b, j, way_b, time, now, half)
    found = time_to_gap(
        now, 0, later(way_a, time), now, half, later(way_b, time), end - time, left, 0.0, 0.0, left, work
    )
    return min(time + found, 1.0) if found < math.inf else math.inf, False


@kernel
def turn_both(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    motions: Floats,
    turns: Floats,
    pivots: Floats,
    other_turns: Floats,
    other_pivots: Floats,
    room: int,
    out: Columns,
) -> None:
    """Write for each row when A meets B."""
    out_hits, out_overlapping, out_fractions, out_normals, out_points = out
    now, work = np.empty(2 * room), np.empty(2 * room)
    for row in range(turns.shape[0]):
        i, j = starts_a[row], starts_b[row]
        px, py, qx, qy = pivots[row, 0], pivots[row, 1], other_pivots[row, 0], other_pivots[row, 1]
        mx, my, turn, other = motions[row, 0], motions[row, 1], turns[row], other_turns[row]
        reach_a, reach_b = reach_from(a, i, px, py), reach_from(b, j, qx, qy)
        way_a, way_b = (px, py, mx, my, turn, reach_a), (qx, qy, 0.0, 0.0, other, reach_b)
        sweep = abs(mx) + abs(my) + reach_a * (1.0 + abs(turn)) + reach_b * (1.0 + abs(other))
        sweep += max(max(abs(px), abs(py)), max(abs(qx), abs(qy)))
        tolerance = max(slop_of_pair(a, i, b, j), TOUCH_BANDS * (SWEEP_BAND + SIGN_BAND) * sweep)
        time, overlapping = time_of_meeting(a, i, way_a, b, j, way_b, tolerance, now, work)
        hit = time < math.inf
        out_hits[row], out_overlapping[row], out_fractions[row] = hit, hit and overlapping, time
        out_normals[row, 0] = out_normals[row, 1] = out_points[row, 0] = out_points[row, 1] = 0.0
        if hit:
            write_turned(a, i, way_a, time, now, 0)
            write_turned(b, j, way_b, time, now, room)
            found = separate(now, 0, now, room)
            _, _, x, y = core_points(now, 0, now, room, found)
            nx, ny, reach = found[1], found[2], b[j + RADIUS]
            out_normals[row, 0], out_normals[row, 1] = 0.0 - nx, 0.0 - ny
            out_points[row, 0], out_points[row, 1] = x - nx * reach, y - ny * reach


def hits_of_both(
    a: Any, b: Any, translation: Any, rotation: Any, pivot: Any, other_rotation: Any, other_pivot: Any, threads: int
) -> HitColumns:
    """Return the hits of rows, or of one pair, of which both sides may turn."""
    for name, shape, about_which in (("a", a, "pivot"), ("b", b, "other_pivot")):
        if isinstance(shape, Compound):
            remedy = f"cast its parts, Shapes([{name}]), all about one {about_which}, and take the least fraction"
            inputs.refuse(
                TypeError, "cast", name, shape, f"is a Compound, which other_rotation does not take; {remedy}"
            )
    pairs = rows("cast", ("a", "b"), a, b)
    n = pairs.starts_a.size
    motions = vectors("cast", "translation", translation, n)
    turns, pivots = turns_and_pivots(a, rotation, pivot, n)
    others, about = turns_and_pivots(b, other_rotation, other_pivot, n, "cast", "other_")
    hit, overlapping = np.empty(n, dtype=np.bool_), np.empty(n, dtype=np.bool_)
    fraction, normal, point = np.empty(n), np.empty((n, 2)), np.empty((n, 2))
    given, out = (motions, turns, pivots, others, about), (hit, overlapping, fraction, normal, point)
    most = max((int(s[at + COUNT].max(initial=1)) for s, at in ((pairs.a, pairs.starts_a), (pairs.b, pairs.starts_b))))

    def work(first: int, last: int) -> None:
        some, into = ([column[first:last] for column in columns] for columns in (given, out))
        asked: Any = *pairs.part(first, last), *some, POINTS + STRIDE * most, tuple(into)
        turn_both(*asked)

    in_parts(threads, n, work)
    return HitColumns(hit, fraction, point, normal, overlapping)
