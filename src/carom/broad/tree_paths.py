"""Whether a moving shape can meet another at all, and whether it surely does: looked at before the full answer.

In: a moving shape or its box, its motion, the boxes of a node or of a cell, a shape's circles. Out: which boxes the
path meets and when; and for one shape: surely not, surely, or unknown. Everything errs on the side of "unknown": the
answer always comes from `narrow.cast.strike` or, where that surely has the same bits, from one part of it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.broad.tree import BLOCK, CHILDREN
from carom.narrow.cast import strike
from carom.narrow.exact.hits import Strike, strike_at
from carom.narrow.linear_toi import Impact, clip, is_met_there, is_steady
from carom.narrow.pairs.disc_box import ray_disc
from carom.narrow.signed_distance import magnitude
from carom.narrow.slab import Box4, inverse
from carom.narrow.walk import EDGE_B, VERTICES, next_place
from carom.shapes.proxy import COUNT, HIGHEST, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import (
    EPSILON,
    LEAST_COMPONENT,
    SIGN_BAND,
    SMALLEST_MOTION,
    SURELY_INSIDE,
    SURELY_OUTSIDE,
)

LATER = 1.0 + 2.0**-48  # more than the rounding of a time

# The path as slabs ask for it: which of a box's sides is met first in x and y, and which is left last; the coordinates
# of the moving box that meet it first, and those that leave it last; and one over the motion.
Path = tuple[int, int, int, int, float, float, float, float, float, float]


class Mover(NamedTuple):
    """A moving shape, as each test of its path against another shape needs it."""

    records: Floats
    at: int
    """Where its record starts."""
    x: float
    """The centre of its circle."""
    y: float
    outer: float
    """The radius of a circle that surely holds it."""
    mx: float
    my: float
    length: float
    """Of the motion."""
    ray: bool


@inner
def path_of(box: Box4, mx: float, my: float) -> Path:
    """Return the path of a box that moves by m."""
    low_x, low_y, high_x, high_y = box
    ahead_x, behind_x = (high_x, low_x) if mx >= 0.0 else (low_x, high_x)
    ahead_y, behind_y = (high_y, low_y) if my >= 0.0 else (low_y, high_y)
    near_x, far_x = (0, 2) if mx >= 0.0 else (2, 0)
    near_y, far_y = (1, 3) if my >= 0.0 else (3, 1)
    return near_x, near_y, far_x, far_y, ahead_x, ahead_y, behind_x, behind_y, inverse(mx), inverse(my)


@inner
def meet_box(boxes: Floats, at: int, step: int, path: Path) -> tuple[float, float]:
    """Return when the path comes into a box, and when it has left it; its sides stand `step` places apart."""
    near_x, near_y, far_x, far_y, _, _, _, _, _, _ = path
    return meet_sides(
        boxes[at + step * near_x], boxes[at + step * near_y], boxes[at + step * far_x], boxes[at + step * far_y], path
    )


@inner
def meet_sides(near_x: float, near_y: float, far_x: float, far_y: float, path: Path) -> tuple[float, float]:
    """Return when the path comes into a box, and when it has left it, from the sides that it meets and leaves."""
    _, _, _, _, ahead_x, ahead_y, behind_x, behind_y, per_x, per_y = path
    enter_x, enter_y = (near_x - ahead_x) * per_x, (near_y - ahead_y) * per_y
    leave_x, leave_y = (far_x - behind_x) * per_x, (far_y - behind_y) * per_y
    return max(max(enter_x, enter_y), 0.0), min(leave_x, leave_y) * LATER + LEAST_COMPONENT


@inner
def meet_corners(box: Box4, path: Path) -> tuple[float, float]:
    """Return the same of a box given by its corners."""
    low_x, low_y, high_x, high_y = box
    from_left, from_below = path[0] == 0, path[1] == 1
    near_x, far_x = (low_x, high_x) if from_left else (high_x, low_x)
    near_y, far_y = (low_y, high_y) if from_below else (high_y, low_y)
    return meet_sides(near_x, near_y, far_x, far_y, path)


@inner
def meet_boxes(boxes: Floats, node: int, path: Path, near: Floats, far: Floats) -> None:
    """Write when the path comes into each of a node's eight boxes, and when it has left it."""
    for c in range(CHILDREN):
        near[c], far[c] = meet_box(boxes, node * BLOCK + c, CHILDREN, path)


@inner
def is_passed(mover: Mover, circles: Floats, slot: int) -> bool:
    """Tell whether the line of a path surely misses a shape: of a motion longer than SMALLEST_MOTION."""
    dx, dy = circles[slot, 0] - mover.x, circles[slot, 1] - mover.y
    left, right = mover.mx * dy, mover.my * dx
    return bool(
        abs(left - right) - 8.0 * EPSILON * (abs(left) + abs(right))
        > (circles[slot, 2] + mover.outer) * mover.length + LEAST_COMPONENT
    )


@inner
def clip_of_point(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, radius: float) -> Impact:
    """Return the impact that `clip` returns for a point A where it comes in between the ends of an edge; else no hit.

    The same operations in the same order, without the branches for edges of A: the same bits.
    """
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    x, y = a[i + POINTS], a[i + POINTS + 1]
    bt = j + POINTS + STRIDE * int(b[j + HIGHEST])
    hit_x, hit_y, hit_b, between = 0.0, 0.0, bt, False
    enter, leave = -math.inf, math.inf
    for _ in range(int(b[j + COUNT])):
        px, py = (x - b[bt]) - offset_x, (y - b[bt + 1]) - offset_y
        nx, ny = -b[bt + 2], -b[bt + 3]
        after = next_place(b, j, bt)
        gap = -(nx * px + ny * py) - radius
        closing = nx * mx + ny * my
        if closing > 0.0:
            when = gap / closing
            if when >= enter:
                foot = (px + when * mx) * ny - (py + when * my) * nx
                ex, ey = 0.0 - (b[after] - b[bt]), 0.0 - (b[after + 1] - b[bt + 1])
                met = 0.0 <= foot <= ey * nx - ex * ny
                if when > enter or met:
                    enter, between = when, met
                    hit_x, hit_y, hit_b = nx, ny, bt
        elif closing < 0.0:
            leave = min(leave, gap / closing)
        elif gap > 0.0:
            leave = -math.inf
        bt = after
    if between and 0.0 <= enter <= min(leave, 1.0):
        return enter, hit_x, hit_y, EDGE_B, i + POINTS, hit_b
    return math.inf, 0.0, 0.0, VERTICES, i + POINTS, hit_b


@kernel
def strike_or_pass(mover: Mover, records: Floats, at: int, circles: Floats, slot: int, earliest: float) -> Strike:
    """Return the answer of `strike`, most often without asking all of it; `earliest` is the entry of the box.

    The shape is none that `is_passed` tells to be missed.
    """
    a, i, mx, my, length = mover.records, mover.at, mover.mx, mover.my, mover.length
    if length > SMALLEST_MOTION:
        dx, dy = circles[slot, 0] - mover.x, circles[slot, 1] - mover.y
        reach = circles[slot, 2] + mover.outer
        along, cross = mx * dx + my * dy, mx * dy - my * dx
        error = 8.0 * EPSILON * (abs(mx * dy) + abs(my * dx))
        band = SIGN_BAND * (magnitude(a, i, records, at) + abs(mx) + abs(my))
        clear = SURELY_OUTSIDE * reach + 4.0 * band
        if dx * dx + dy * dy > clear * clear:
            # Surely apart at the start, by more than twice the band: `strike` has left to see where the path
            # comes in, and whether it does so by more than the band.
            radius = a[i + RADIUS] + records[at + RADIUS]
            count = records[at + COUNT]
            deep = (circles[slot, 3] + a[i + RADIUS]) * length * SURELY_INSIDE
            through = 0.0 < along < length * length and abs(cross) + error + 4.0 * band * length < deep
            if a[i + COUNT] == 1.0 and count == 1.0 and through:
                found = disc_on_disc(a, i, records, at, mx, my, radius)
                return strike_at(a, i, records, at, mx, my, found, earliest, False)
            if a[i + COUNT] == 1.0 and count > 2.0:
                found = clip_of_point(a, i, records, at, mx, my, radius)
                if found[0] < math.inf:
                    late = clip_of_point(a, i, records, at, mx, my, radius - band)
                    if late[0] < math.inf and is_met_there(found, late, band, mx, my):
                        return strike_at(a, i, records, at, mx, my, found, earliest, False)
            early = clip(a, i, records, at, mx, my, radius + band)
            if early[0] == math.inf:
                return False, False, False, math.inf, 0.0, 0.0, 0.0, 0.0
            if through:
                found = clip(a, i, records, at, mx, my, radius)
                late = clip(a, i, records, at, mx, my, radius - band)
                if max(found[0], late[0]) < math.inf and (
                    is_met_there(found, late, band, mx, my) or is_steady(early, found, late, band, mx, my)
                ):
                    return strike_at(a, i, records, at, mx, my, found, earliest, False)
    return strike(a, i, records, at, mx, my, mover.ray)


@inner
def disc_on_disc(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, radius: float) -> Impact:
    """Return where one disc meets another, as `clip` finds it."""
    at, bt = i + POINTS, j + POINTS
    px = (a[at] - b[bt]) - (b[j + X] - a[i + X])
    py = (a[at + 1] - b[bt + 1]) - (b[j + Y] - a[i + Y])
    fraction, nx, ny = ray_disc(0.0, 0.0, -mx, -my, px, py, radius)
    return fraction, nx, ny, VERTICES, at, bt
