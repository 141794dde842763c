"""When a shape that moves and turns at once first touches another: conservative advancement, never late.

In: two records, A's motion, its turn in radians, and the pivot: at the fraction t of the motion A has been turned by
t * turn about the pivot and moved by t * motion. Out: whether A meets B, when, the normal out of B and the point. World
frame, user's units. A starts apart, in touch or in overlap; `cast` says how each is answered.

The separation is the largest gap over all directions. So while the gap along one direction stays open, fixed in the
world or turning with A, the shapes are apart. How fast any core point can close that gap is bounded with the curvature
of its path, which gives a step that is proved free; then the walk finds the next direction. The steps end when less
than the tolerance is left. docs/design/turning.md has the proof, the tolerance and how many steps it takes.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.linear_toi import clip, measure_through
from carom.narrow.rotating_pose import (
    ARM_X,
    ARM_Y,
    LONGEST,
    MARGIN,
    MOVE_X,
    MOVE_Y,
    MOVED,
    NOW_X,
    NOW_Y,
    OWN,
    PIVOT_X,
    PIVOT_Y,
    SCALE,
    TOLERANCE,
    TURN,
    lay_out,
    layout,
    length,
    pose,
)
from carom.narrow.signed_distance import core_points
from carom.narrow.walk import Nearest, advance, start, walk
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import FULL_TURN, STEPS_INSIDE

# hit, overlapping, fraction, normal x and y (out of B), point x and y, number of steps
Meeting = tuple[bool, bool, float, float, float, float, float, int]


@inner
def time_to_close(gap: float, rate: float, bend: float) -> float:
    """Return the root of gap - rate h - bend h^2 / 2, for a positive gap and a bend of at least 0."""
    root = math.sqrt(rate * rate + 2.0 * bend * gap)
    if rate >= 0.0:
        return 2.0 * gap / (rate + root) if rate + root > 0.0 else math.inf
    return (root - rate) / bend if bend > 0.0 else math.inf


@inner
def free_in_world(w: Floats, nx: float, ny: float, level: float, span: float) -> tuple[float, float]:
    """Return how long, at most `span`, the gap along n surely exceeds `level`, and how fast the first point closes it.

    The direction is fixed in the world: B's points stand still, A's go round the moving pivot.
    """
    at_b, _, own = layout(w)
    least = math.inf
    for k in range(int(w[at_b + COUNT])):
        at = at_b + POINTS + STRIDE * k
        least = min(least, nx * w[at] + ny * w[at + 1])
    least -= level
    turn, along = w[TURN], nx * w[MOVE_X] + ny * w[MOVE_Y]
    ahead = least - (nx * w[NOW_X] + ny * w[NOW_Y])  # from the pivot
    x, y = w[MOVED + X], w[MOVED + Y]
    free, closing = span, 0.0
    for k in range(int(w[MOVED + COUNT])):
        at = MOVED + POINTS + STRIDE * k
        gap = least - (nx * (x + w[at]) + ny * (y + w[at + 1]))
        if gap <= 0.0:
            return 0.0, 0.0
        arm_x, arm_y = w[ARM_X] + w[at], w[ARM_Y] + w[at + 1]
        rate = along + turn * (ny * arm_x - nx * arm_y)
        reach = w[own + OWN * k + 4]
        bend = turn * turn * reach
        if gap > free * (rate + 0.5 * bend * free):
            continue
        time = time_to_close(gap, rate, bend)
        if ahead > reach:  # going round, the point never comes there: only the motion brings it
            time = max(time, (ahead - reach) / along if along > 0.0 else math.inf)
        if time < free:
            free, closing = time, rate
    return free, closing


@inner
def free_in_body(w: Floats, nx: float, ny: float, level: float, span: float) -> tuple[float, float]:
    """Return the same for a direction that turns with A: A's points stand still, B's go round the moving pivot."""
    at_b, _, _ = layout(w)
    turn, mx, my = w[TURN], w[MOVE_X], w[MOVE_Y]
    most = -math.inf
    for k in range(int(w[MOVED + COUNT])):
        at = MOVED + POINTS + STRIDE * k
        most = max(most, nx * (w[ARM_X] + w[at]) + ny * (w[ARM_Y] + w[at + 1]))
    most += level
    along, speed, size = nx * mx + ny * my, length(mx, my), abs(turn)
    if speed > 0.0 and span * size > 1.0:
        span = 1.0 / size  # the bend below grows with the span
    free, closing = span, 0.0
    for k in range(int(w[at_b + COUNT])):
        at = at_b + POINTS + STRIDE * k
        arm_x, arm_y = w[at] - w[NOW_X], w[at + 1] - w[NOW_Y]
        gap = (nx * arm_x + ny * arm_y) - most
        if gap <= 0.0:
            return 0.0, 0.0
        rate = along + turn * (ny * arm_x - nx * arm_y)
        reach = length(arm_x, arm_y)
        bend = size * (size * (reach + span * speed) + 2.0 * speed)
        if gap > free * (rate + 0.5 * bend * free):
            continue
        time = time_to_close(gap, rate, bend)
        if reach < -most:  # going round, the point never comes there: only the motion brings it
            time = max(time, (-most - reach) / speed if speed > 0.0 else math.inf)
        if time < free:
            free, closing = time, rate
    return free, closing


@inner
def widest_edge(w: Floats) -> tuple[float, float]:
    """Return the edge normal of A or -B along which the gap is largest; (0, 0) for two points."""
    at_b, _, _ = layout(w)
    at, bt, left_a, left_b = start(w, MOVED, w, at_b)
    best, best_x, best_y = -math.inf, 0.0, 0.0
    while left_a + left_b > 0:
        px, py = (w[MOVED + X] + w[at]) - w[bt], (w[MOVED + Y] + w[at + 1]) - w[bt + 1]
        nx, ny, at, bt, left_a, left_b = advance(w, MOVED, at, left_a, w, at_b, bt, left_b)
        gap = -(nx * px + ny * py)
        if gap > best:
            best, best_x, best_y = gap, nx, ny
    return best_x, best_y


@kernel
def free_time(w: Floats, separation: float, nx: float, ny: float, safe: float, span: float) -> tuple[float, float]:
    """Return for how long, at most `span`, the separation surely exceeds `safe`, and the rate at which that ends."""
    at_b, _, _ = layout(w)
    level = safe + (w[MOVED + RADIUS] + w[at_b + RADIUS])
    free, closing = free_in_world(w, nx, ny, level, span)
    if free < span:
        time, rate = free_in_body(w, nx, ny, level, span)
        if time > free:
            free, closing = time, rate
    # No point is faster than this in any direction.
    speed = length(w[MOVE_X], w[MOVE_Y]) + abs(w[TURN]) * w[LONGEST]
    sure = (separation - safe) / speed if speed > 0.0 else math.inf
    if free > sure:
        return free, closing
    # Between two sharp corners that all but touch, the direction is made of rounding errors: an edge's is not.
    nx, ny = widest_edge(w)
    time, rate = free_in_world(w, nx, ny, level, span)
    if time > free:
        free, closing = time, rate
    time, rate = free_in_body(w, nx, ny, level, span)
    if time > free:
        free, closing = time, rate
    return (free, closing) if free > sure else (min(sure, span), speed)


@kernel
def reachable(w: Floats, begin: float) -> tuple[float, float]:
    """Return the fractions between which B is in reach of the disc that A sweeps about the pivot; (1, 0) if never."""
    at_b, disc, _ = layout(w)
    mx, my = w[MOVE_X] * (1.0 - begin), w[MOVE_Y] * (1.0 - begin)
    radius = w[LONGEST] + w[MOVED + RADIUS] + w[at_b + RADIUS] + 2.0 * w[TOLERANCE]
    moving = mx != 0.0 or my != 0.0
    first, last = begin, 1.0
    w[disc + X], w[disc + Y] = w[PIVOT_X] + begin * w[MOVE_X], w[PIVOT_Y] + begin * w[MOVE_Y]
    distance, _, _, _, _, _ = walk(w, disc, w, at_b)
    if distance > radius + w[TOLERANCE]:
        fraction = clip(w, disc, w, at_b, mx, my, radius)[0] if moving else math.inf
        if fraction == math.inf:
            return 1.0, 0.0
        first += fraction * (1.0 - begin)
    if not moving:
        # After a full turn everything comes again.
        return first, min(1.0, begin + (FULL_TURN / abs(w[TURN]) if w[TURN] != 0.0 else 1.0))
    w[disc + X], w[disc + Y] = w[PIVOT_X] + w[MOVE_X], w[PIVOT_Y] + w[MOVE_Y]
    distance, _, _, _, _, _ = walk(w, disc, w, at_b)
    if distance > radius + w[TOLERANCE]:
        fraction = clip(w, disc, w, at_b, -mx, -my, radius)[0]
        if fraction < math.inf:
            last = max(first, 1.0 - fraction * (1.0 - begin))
    return first, last


@kernel
def time_inside(w: Floats, found: Nearest, separation: float) -> float:
    """Return for how long the point that meets moves no farther than it would have to, to be clear."""
    at_b, _, _ = layout(w)
    distance, nx, ny, feature, at, bt = found
    radius = w[MOVED + RADIUS] + w[at_b + RADIUS]
    x, y, _, _ = core_points(w, MOVED, w, at_b, (distance - radius, nx, ny, feature, at, bt, False))
    arm_x, arm_y, turn = x - w[NOW_X], y - w[NOW_Y], w[TURN]
    rate = length(w[MOVE_X] - turn * arm_y, w[MOVE_Y] + turn * arm_x)
    bend = abs(turn) * (abs(turn) * length(arm_x, arm_y) + 2.0 * length(w[MOVE_X], w[MOVE_Y]))
    return time_to_close(4.0 * w[TOLERANCE] - separation, rate, bend)


@inner
def meeting(w: Floats, b: Floats, j: int, found: Nearest, overlapping: bool, fraction: float, steps: int) -> Meeting:
    """Return the answer for A where it stands in the workspace."""
    at_b, _, _ = layout(w)
    distance, nx, ny, feature, at, bt = found
    radius = w[MOVED + RADIUS] + w[at_b + RADIUS]
    _, _, x, y = core_points(w, MOVED, w, at_b, (distance - radius, nx, ny, feature, at, bt, False))
    reach = w[at_b + RADIUS]
    x, y = b[j + X] + (x - nx * reach) / w[SCALE], b[j + Y] + (y - ny * reach) / w[SCALE]
    return True, overlapping, fraction, 0.0 - nx, 0.0 - ny, x, y, steps


@kernel
def time_of_impact(
    a: Floats,
    i: int,
    b: Floats,
    j: int,
    mx: float,
    my: float,
    turn: float,
    px: float,
    py: float,
    begin: float,
    w: Floats,
) -> Meeting:
    """Return when A, moved by m and turned about the pivot p, first meets B, from the fraction `begin` on.

    `w` is a workspace of at least `workspace` numbers; its contents are overwritten.
    """
    lay_out(w, a, i, b, j, mx, my, turn, px, py)
    at_b, _, _ = layout(w)
    margin, tolerance = w[MARGIN], w[TOLERANCE]
    radius = w[MOVED + RADIUS] + w[at_b + RADIUS]
    t, end = reachable(w, begin)
    if end < t:
        return False, False, math.inf, 0.0, 0.0, 0.0, 0.0, 0
    found = pose(w, t)
    separation = found[0] - radius
    stop, safe = tolerance, 0.5 * tolerance
    held = t == begin and separation <= tolerance  # in touch or in overlap from the start, and not yet clear of it
    overlapping = held and separation < -tolerance
    room, first_free, first_closing = 0.0, 0.0, 0.0
    if held:
        stop = min(separation, 0.0) - tolerance
        safe = stop - 0.5 * tolerance
        if separation >= 2.0 * margin and radius < tolerance:
            thickness, _ = measure_through(w, MOVED, w, at_b, 0.0, 0.0, radius)
            if thickness <= 4.0 * tolerance:
                # Too thin to go deeper into: coming any nearer is going through.
                stop, safe = separation - 0.5 * margin, separation - margin
        room = separation - safe
    steps = 0
    while separation > stop:
        if t >= end:
            return False, False, math.inf, 0.0, 0.0, 0.0, 0.0, steps
        if held and separation > 2.0 * tolerance:
            held, overlapping = False, False
            stop, safe = tolerance, 0.5 * tolerance
        if overlapping and steps == STEPS_INSIDE:
            stop = min(separation, 0.0) - tolerance
            safe = stop - 0.5 * tolerance
        free, closing = free_time(w, separation, found[1], found[2], safe, end - t)
        if steps == 0:
            first_free, first_closing = free, closing
        if overlapping and steps < STEPS_INSIDE:
            # Out and in again must not pass for having stayed inside.
            free = min(free, time_inside(w, found, separation))
        t = t + free if free < end - t else end
        steps += 1
        found = pose(w, t)
        separation = found[0] - radius
    if held and t > begin and t - begin <= 4.0 * first_free and 2.0 * first_closing * first_free >= room:
        # It closes at once, not only later: the hit is where it starts.
        t = begin
        found = pose(w, t)
    return meeting(w, b, j, found, overlapping, t, steps)
