"""Kinematic bodies that spin about a pivot: flippers, doors, turnstiles.

In: a body's angle and pivot, and its parts' records as they were at angle 0. Out: the records as they are now, and when
such a body meets another: conservative advancement from `narrow.turning`, never late. Radians; world frame.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cos_sin_of, two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.rotating_pose import LONGEST, MOVE_X, MOVE_Y, MOVED, SCALE, TOLERANCE, lay_out, layout, length, pose
from carom.narrow.rotating_toi import time_of_impact
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, HIGHEST, LOWEST, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import SHORTEST_STAY, UPRIGHT
from carom.world.tables import Record, Table
from carom.world.toi.toi import OF_B, OVERLAP, Meeting, never

FACE_TURNS = 8  # mark of an impact in which a side of what turns takes part: its normal turns, too


@kernel
def turn_body(body: Record, parts: Table, buffer: Floats, time: float) -> None:
    """Let a spinning body move and turn for a time."""
    body.angle += body.turn * time
    body.pivot_x, body.spare_x = two_sum(body.pivot_x, body.way_x * time + body.spare_x)
    body.pivot_y, body.spare_y = two_sum(body.pivot_y, body.way_y * time + body.spare_y)
    body.moved = 1
    write_turned(body, parts, buffer)


@kernel
def write_turned(body: Record, parts: Table, buffer: Floats) -> None:
    """Write the records of a spinning body's parts as its angle and pivot say, and their bounds.

    It may stop at any angle: then its bounds are no longer those of all that it sweeps.
    """
    c, s, _ = cos_sin_of(body.angle)
    body.x = body.pivot_x + (c * body.lever_x - s * body.lever_y)
    body.y = body.pivot_y + (s * body.lever_x + c * body.lever_y)
    body.center_x = c * body.middle_x - s * body.middle_y
    body.center_y = s * body.middle_x + c * body.middle_y
    for p in range(body.first_part, body.first_part + body.part_count):
        part = parts[p]
        to, at = part.record, part.model
        # It may go straight on from here, or be put elsewhere: then its parts lie about its origin as they do now.
        x, y = buffer[at + X], buffer[at + Y]
        part.offset_x, part.offset_y = c * x - s * y, s * x + c * y
        buffer[to + X], buffer[to + Y] = body.x + part.offset_x, body.y + part.offset_y
        x, y = buffer[at + CENTER_X], buffer[at + CENTER_Y]
        buffer[to + CENTER_X], buffer[to + CENTER_Y] = c * x - s * y, s * x + c * y
        first, last = POINTS, POINTS + STRIDE * int(buffer[at + COUNT])
        left, bottom, right, top = math.inf, math.inf, -math.inf, -math.inf
        for k in range(first, last, STRIDE):
            x, y = buffer[at + k], buffer[at + k + 1]
            x, y = c * x - s * y, s * x + c * y
            buffer[to + k], buffer[to + k + 1] = x, y
            left, bottom, right, top = min(left, x), min(bottom, y), max(right, x), max(top, y)
            nx, ny = buffer[at + k + 2], buffer[at + k + 3]
            nx, ny = c * nx - s * ny, s * nx + c * ny
            # Edges near the horizontal must not change places for a rounding: the walk begins at one of them.
            buffer[to + k + 2], buffer[to + k + 3] = (nx if abs(nx) > UPRIGHT else 0.0), ny
        radius = buffer[at + RADIUS]
        part.left, part.bottom, part.right, part.top = left - radius, bottom - radius, right + radius, top + radius
        before = last - STRIDE
        for k in range(first, last, STRIDE):
            rises = buffer[to + k + 2] > 0.0 or (buffer[to + k + 2] == 0.0 and buffer[to + k + 3] < 0.0)
            rose = buffer[to + before + 2] > 0.0 or (buffer[to + before + 2] == 0.0 and buffer[to + before + 3] < 0.0)
            if rises and not rose:
                buffer[to + LOWEST] = float((k - first) // STRIDE)
            if rose and not rises:
                buffer[to + HIGHEST] = float((k - first) // STRIDE)
            before = k


@inner
def touching_span(a: Floats, i: int, ox: float, oy: float, nx: float, ny: float, slop: float) -> tuple[float, float]:
    """Return from where to where, across n, a core at offset o reaches as far along n as it can, up to the slop."""
    begin, end = i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT])
    farthest = -math.inf
    for at in range(begin, end, STRIDE):
        farthest = max(farthest, (ox + a[at]) * nx + (oy + a[at + 1]) * ny)
    low, high = math.inf, -math.inf
    for at in range(begin, end, STRIDE):
        x, y = ox + a[at], oy + a[at + 1]
        if x * nx + y * ny >= farthest - slop:
            across = y * nx - x * ny
            low, high = min(low, across), max(high, across)
    return low, high


@kernel
def meet_turning(
    a: Floats,
    i: int,
    j: int,
    x: float,
    y: float,
    mx: float,
    my: float,
    turn: float,
    pivot_x: float,
    pivot_y: float,
    first: bool,
    workspace: Floats,
) -> Meeting:
    """Return when the shape at i, moved by m and turned about its pivot, meets the shape at j, now at (x, y).

    As `meeting.meet` tells it for a pair in which the one that turns is A, or, unless `first`, is B; the point is
    relative to the origin of the other. Where sides meet it is the end of what they share that the turn moves fastest
    towards the other: once that leaves, all of it does.
    """
    w = workspace
    old_x, old_y = a[j + X], a[j + Y]
    a[j + X], a[j + Y] = x, y
    hit, overlapping, fraction, nx, ny, px, py, _ = time_of_impact(a, i, a, j, mx, my, turn, pivot_x, pivot_y, 0.0, w)
    a[j + X], a[j + Y] = old_x, old_y
    if not hit:
        return never()
    sign = -1.0 if first else 1.0
    marks = (OVERLAP if overlapping else 0) + (OF_B if first else 0)
    # The workspace holds A as it is then, relative to B's origin; n points out of B.
    at_b, _, _ = layout(w)
    tolerance = w[TOLERANCE]
    low_a, high_a = touching_span(w, MOVED, w[MOVED + X], w[MOVED + Y], -nx, -ny, tolerance)
    low_b, high_b = touching_span(w, at_b, 0.0, 0.0, nx, ny, tolerance)
    low, high = max(low_a, -high_b), min(high_a, -low_b)
    px, py = px - x, py - y
    if high_a - low_a > tolerance:
        marks += FACE_TURNS
    if high - low > tolerance:
        aside = (low if turn > 0.0 else high) / w[SCALE] - (px * ny - py * nx)
        px, py = px + aside * ny, py - aside * nx
    return fraction, sign * nx, sign * ny, px, py, marks


@kernel
def cross_turning(
    a: Floats,
    i: int,
    j: int,
    x: float,
    y: float,
    mx: float,
    my: float,
    turn: float,
    pivot_x: float,
    pivot_y: float,
    inside: bool,
    again: bool,
    workspace: Floats,
) -> tuple[float, float]:
    """Return when the shape at i, moved by m and turned about its pivot, enters the shape at j at (x, y), or leaves.

    As fractions, infinite for never; of the two only what comes first. It has left where it is farther than what counts
    as touching on the way in. `again`: it crossed something at this very instant; if it is so fast that rounding hides
    what it crossed, time must go on all the same.
    """
    w = workspace
    old_x, old_y = a[j + X], a[j + Y]
    a[j + X], a[j + Y] = x, y
    lay_out(w, a, i, a, j, mx, my, turn, pivot_x, pivot_y)
    at_b, _, _ = layout(w)
    radius = w[MOVED + RADIUS] + w[at_b + RADIUS]
    tolerance, speed = w[TOLERANCE], length(w[MOVE_X], w[MOVE_Y]) + abs(turn) * w[LONGEST]
    apart = pose(w, 0.0)[0] - radius
    enter, leave = math.inf, math.inf
    if not inside:
        enter = 0.0
        if apart > tolerance:
            found = time_of_impact(a, i, a, j, mx, my, turn, pivot_x, pivot_y, 0.0, w)
            enter = found[2] if found[0] else math.inf
    elif apart > 2.0 * tolerance:
        leave = SHORTEST_STAY if again else 0.0
    else:
        # No point is faster than `speed`, so that it stays inside for as long as it is deep.
        before, t = 0.0, 0.0
        while t < 1.0 and leave == math.inf:
            before, t = t, min(t + max((3.0 * tolerance - apart) / speed, SHORTEST_STAY), 1.0)
            apart = pose(w, t)[0] - radius
            if apart > 2.0 * tolerance:
                leave = t
        for _ in range(64 if leave < math.inf else 0):
            middle = 0.5 * (before + leave)
            if not before < middle < leave:
                break
            if pose(w, middle)[0] - radius > 2.0 * tolerance:
                leave = middle
            else:
                before = middle
    a[j + X], a[j + Y] = old_x, old_y
    return enter, leave


@kernel
def surface_speed(body: Record, x: float, y: float, nx: float, ny: float) -> float:
    """Return how fast the point (x, y) of a spinning body moves along n by its spin alone."""
    return float(body.turn * ((x - body.pivot_x) * ny - (y - body.pivot_y) * nx))


@kernel
def surface_velocity(body: Record, x: float, y: float) -> tuple[float, float]:
    """Return the velocity of the point (x, y) of a body, spin included."""
    return body.vx - body.turn * (y - body.pivot_y), body.vy + body.turn * (x - body.pivot_x)


@kernel
def surface_acceleration(body: Record, other: Record, x: float, y: float, nx: float, ny: float, faces: bool) -> float:
    """Return how fast, at most, the point (x, y) of a spinning body gains speed towards another; n points there.

    Going round it is drawn towards the pivot; where one of its sides meets the other (`faces`), the side turns into
    what slides along it, or away (Coriolis).
    """
    turn = body.turn
    dx, dy = x - body.pivot_x, y - body.pivot_y
    gain = turn * turn * math.sqrt(dx * dx + dy * dy)
    if faces and turn != 0.0:
        vx, vy = other.vx - body.vx + turn * dy, other.vy - body.vy - turn * dx
        gain += 2.0 * max(turn * (vx * ny - vy * nx), 0.0)
    return float(gain)
