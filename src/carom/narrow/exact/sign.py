"""Signs decided without any rounding: the side of touching two shapes are on, and whether a moving shape meets another.

In: two records, a motion of A, and the radius as a sum of two terms. Out: of a side -1, 0 or 1, the sign of (signed
distance of the cores, A moved, less the radius); of a path yes or no, where grazing is meeting. Asked only where a
rounded answer lies inside its own error bound: rare, but every flush tile is there. World frame, user's units.

The walk is the same as in `walk`, with every sign that a filter cannot tell taken from expansions: where the origin
lies as seen from each edge of the difference A - B, and how each edge or vertex near the radius compares with it.
Inputs are first multiplied by a power of two, so that no product leaves the range of float64.

Seen from A - B, the origin of a moving A runs along a segment. It comes within the radius of the polygon at the
segment's far end, at a vertex of the polygon beside it, or where it crosses the polygon itself.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.arithmetic import add_multiple, add_product, add_term, set_sum, sign_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.walk import edge_of_a_first, next_place, start, step, unit
from carom.shapes import proxy
from carom.shapes.proxy import COUNT, HIGHEST, LOWEST, POINTS, STRIDE, X, Y
from carom.tolerances import EPSILON, SIGN_BAND

# Where each expansion stands in the scratch buffer, with room for the most terms it can have.
RADIUS, POINT_X, POINT_Y, EDGE_X, EDGE_Y = 0, 4, 10, 16, 20
TURN, LENGTH, SQUARED_RADIUS, TOTAL, SCRATCH = 24, 72, 96, 106, 3600

UNIT_EXPONENT = 200  # the largest input is brought near 2**200: its fourth power is finite, low bits do not vanish
LOWEST_EXPONENT = -214  # and the fourth power of the last of its 53 bits stays above 2**-1074
UNIT_EXPONENT_OF_CORES = 450  # without radii there are only squares, and room for a wider range of sizes
LOWEST_EXPONENT_OF_CORES = -483

BEYOND = 2  # the answer where the numbers lie too far apart: `integers` has it


@inner
def widen(least: float, largest: float, value: float) -> tuple[float, float]:
    """Return the least nonzero and the largest magnitude, with one more number looked at."""
    size = abs(value)
    return (min(least, size) if size > 0.0 else least), max(largest, size)


@kernel
def power_of_two_scale(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float, first: float, second: float
) -> tuple[float, bool]:
    """Return the power of two that brings the largest number at hand near its unit exponent, and whether it serves.

    It does not where the smallest number is so much smaller that the last bits of products would vanish.
    """
    least, largest = math.inf, 0.0
    for value in (mx, my, first, second, a[i + X], a[i + Y], b[j + X], b[j + Y]):
        least, largest = widen(least, largest, value)
    for shape, at in ((a, i), (b, j)):
        for k in range(2 * int(shape[at + COUNT])):
            least, largest = widen(least, largest, shape[at + POINTS + STRIDE * (k // 2) + k % 2])
    if largest == 0.0:
        return 1.0, True
    sharp = first == 0.0 and second == 0.0
    exponent = (UNIT_EXPONENT_OF_CORES if sharp else UNIT_EXPONENT) - math.frexp(largest)[1]
    lowest = (LOWEST_EXPONENT_OF_CORES if sharp else LOWEST_EXPONENT) - exponent
    return math.ldexp(1.0, min(exponent, 1023)), math.frexp(least)[1] > lowest and exponent <= 1023


@kernel
def compare_coordinate(h: Floats, line: int) -> int:
    """Return the sign of |coordinate| - |radius|: no squares, and no limit to how far sizes may differ."""
    h[TOTAL] = 0.0
    add_multiple(h, TOTAL, line, -1.0 if sign_of(h, line) < 0 else 1.0)
    add_multiple(h, TOTAL, RADIUS, 1.0 if sign_of(h, RADIUS) < 0 else -1.0)
    return sign_of(h, TOTAL)


@kernel
def compare_vertex(h: Floats) -> int:
    """Return the sign of |p| - |radius|."""
    if sign_of(h, POINT_X) == 0 or sign_of(h, POINT_Y) == 0:
        return compare_coordinate(h, POINT_Y if sign_of(h, POINT_X) == 0 else POINT_X)
    h[TOTAL] = 0.0
    add_product(h, TOTAL, POINT_X, POINT_X, 1.0)
    add_product(h, TOTAL, POINT_Y, POINT_Y, 1.0)
    add_product(h, TOTAL, RADIUS, RADIUS, -1.0)
    return sign_of(h, TOTAL)


@kernel
def compare_edge(h: Floats) -> int:
    """Return the sign of (distance of the origin from the line through the edge) - |radius|."""
    if sign_of(h, EDGE_X) == 0 or sign_of(h, EDGE_Y) == 0:
        return compare_coordinate(h, POINT_X if sign_of(h, EDGE_X) == 0 else POINT_Y)
    h[SQUARED_RADIUS] = 0.0
    add_product(h, SQUARED_RADIUS, RADIUS, RADIUS, 1.0)
    h[LENGTH] = 0.0
    add_product(h, LENGTH, EDGE_X, EDGE_X, 1.0)
    add_product(h, LENGTH, EDGE_Y, EDGE_Y, 1.0)
    h[TOTAL] = 0.0
    add_product(h, TOTAL, TURN, TURN, 1.0)
    add_product(h, TOTAL, SQUARED_RADIUS, LENGTH, -1.0)
    return sign_of(h, TOTAL)


@kernel
def turn_sign(h: Floats) -> int:
    """Return 1 if the origin is on the inner side of the edge, 0 if on its line, -1 if on the outer side."""
    h[TURN] = 0.0
    add_product(h, TURN, EDGE_Y, POINT_X, 1.0)
    add_product(h, TURN, EDGE_X, POINT_Y, -1.0)
    return sign_of(h, TURN)


@kernel
def foot_inside(h: Floats) -> bool:
    """Tell whether the perpendicular from the origin meets the edge strictly between its ends."""
    h[TOTAL] = 0.0
    add_product(h, TOTAL, POINT_X, EDGE_X, 1.0)
    add_product(h, TOTAL, POINT_Y, EDGE_Y, 1.0)
    if sign_of(h, TOTAL) >= 0:
        return False
    add_product(h, TOTAL, EDGE_X, EDGE_X, 1.0)
    add_product(h, TOTAL, EDGE_Y, EDGE_Y, 1.0)
    return sign_of(h, TOTAL) > 0


@kernel
def set_edge(h: Floats, a: Floats, at: int, next_at: int, b: Floats, bt: int, next_bt: int, scale: float) -> None:
    """Set the expansions of the edge of A - B between two points of the walk."""
    if at != next_at:
        set_sum(h, EDGE_X, a[next_at] * scale, -a[at] * scale, 0.0, 0.0)
        set_sum(h, EDGE_Y, a[next_at + 1] * scale, -a[at + 1] * scale, 0.0, 0.0)
    else:
        set_sum(h, EDGE_X, b[bt] * scale, -b[next_bt] * scale, 0.0, 0.0)
        set_sum(h, EDGE_Y, b[bt + 1] * scale, -b[next_bt + 1] * scale, 0.0, 0.0)


@kernel
def exact_edge_of_a_first(h: Floats, a: Floats, i: int, at: int, b: Floats, j: int, bt: int, scale: float) -> bool:
    """Tell whether A's edge comes before -B's by angle, also where their rounded normals cannot tell."""
    nax, nay, nbx, nby = a[at + 2], a[at + 3], b[bt + 2], b[bt + 3]
    a_rises = nax > 0.0 or (nax == 0.0 and nay < 0.0)
    b_rises = nbx < 0.0 or (nbx == 0.0 and nby > 0.0)
    if a_rises != b_rises or abs(nay * nbx - nax * nby) > 8.0 * EPSILON:
        return edge_of_a_first(nax, nay, nbx, nby)
    set_edge(h, a, at, at, b, bt, next_place(b, j, bt), scale)
    h[POINT_X], h[POINT_Y] = 0.0, 0.0
    add_multiple(h, POINT_X, EDGE_X, 1.0)
    add_multiple(h, POINT_Y, EDGE_Y, 1.0)
    set_edge(h, a, at, next_place(a, i, at), b, bt, bt, scale)
    # cross(edge of A, edge of -B) is minus the turn of "point" around "edge".
    return turn_sign(h) <= 0


@inner
def lexicographic_sign(h: Floats) -> int:
    """Return the sign of the point in the order of (y, x)."""
    y = sign_of(h, POINT_Y)
    return y if y != 0 else sign_of(h, POINT_X)


@kernel
def set_point(
    h: Floats, a: Floats, i: int, at: int, b: Floats, j: int, bt: int, mx: float, my: float, scale: float
) -> None:
    """Set the expansions of the point p = a - b + m of the difference."""
    set_sum(h, POINT_X, a[at] * scale, -b[bt] * scale, a[i + X] * scale, -b[j + X] * scale)
    set_sum(h, POINT_Y, a[at + 1] * scale, -b[bt + 1] * scale, a[i + Y] * scale, -b[j + Y] * scale)
    add_term(h, POINT_X, mx * scale)
    add_term(h, POINT_Y, my * scale)


@kernel
def side_of_touching(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, first: float, second: float) -> int:
    """Return the exact sign of (signed distance of core A, moved by m, from core B) - (first + second).

    A negative radius asks whether A, then a single point, lies inside the core of B by that margin. BEYOND is none.
    """
    scale, serves = power_of_two_scale(a, i, b, j, mx, my, first, second)
    if not serves:
        return BEYOND
    h = np.empty(SCRATCH)
    set_sum(h, RADIUS, first * scale, second * scale, 0.0, 0.0)
    radius = first + second
    radius_sign = sign_of(h, RADIUS)
    offset_x, offset_y = (b[j + X] - a[i + X]) - mx, (b[j + Y] - a[i + Y]) - my
    known = abs(b[j + X] - a[i + X]) + abs(b[j + Y] - a[i + Y]) + abs(mx) + abs(my) + abs(radius)
    at, bt, left_a, left_b = start(a, i, b, j)
    edges = left_a + left_b
    first_at, first_bt = at, bt
    outer_sides, inner_sides = 0, 0  # edges that have the origin strictly outside, strictly inside
    least = 1  # the least comparison with the radius so far
    while True:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        band = SIGN_BAND * (abs(a[at]) + abs(b[bt]) + abs(a[at + 1]) + abs(b[bt + 1]) + known)
        if radius_sign > 0:
            distance, _, _ = unit(px, py)
            if abs(distance - radius) <= band:
                set_point(h, a, i, at, b, j, bt, mx, my, scale)
                least = min(least, compare_vertex(h))
            elif distance < radius:
                return -1
        if left_a + left_b == 0:
            break
        old_at, old_bt = at, bt
        a_first = left_a > 0 and left_b > 0 and exact_edge_of_a_first(h, a, i, at, b, j, bt, scale)
        nx, ny, at, bt, left_a, left_b = step(a, i, at, left_a, b, j, bt, left_b, a_first)
        distance = -(nx * px + ny * py)
        if distance > max(radius, 0.0) + band:
            if radius_sign < 0:
                return 1
            turn = -1
        elif distance < min(radius, 0.0) - band:
            turn = 1
        else:
            set_point(h, a, i, old_at, b, j, old_bt, mx, my, scale)
            set_edge(h, a, old_at, at, b, old_bt, bt, scale)
            turn = turn_sign(h)
            if radius_sign > 0 and turn < 0 and foot_inside(h):
                least = min(least, compare_edge(h))
            if radius_sign < 0:
                least = min(least, compare_edge(h) if turn > 0 else -1)
        outer_sides += 1 if turn < 0 else 0
        inner_sides += 1 if turn > 0 else 0

    if radius_sign < 0:
        # A margin inside: every edge must have the origin at least so deep; `least` compares the depths.
        return -least if inner_sides == edges and edges > 2 else 1
    if outer_sides > 0:
        return least
    if inner_sides > 0:
        # The cores overlap, or they touch where the origin is on an edge's line.
        return -1 if radius_sign > 0 or inner_sides == edges else 0
    # No area: a point, or a segment whose line passes through the origin. Is the origin between its ends?
    set_point(h, a, i, first_at, b, j, first_bt, mx, my, scale)
    starts = lexicographic_sign(h)
    last_at, last_bt = i + POINTS + STRIDE * int(a[i + HIGHEST]), j + POINTS + STRIDE * int(b[j + LOWEST])
    set_point(h, a, i, last_at, b, j, last_bt, mx, my, scale)
    if starts <= 0 <= lexicographic_sign(h):
        return -1 if radius_sign > 0 else 0
    return least


@kernel
def path_touches(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> int:
    """Return 1 if A, apart from B, touches it anywhere along the motion m, its end included; 0 if not, or BEYOND."""
    first, second = a[i + proxy.RADIUS], b[j + proxy.RADIUS]
    side = side_of_touching(a, i, b, j, mx, my, first, second)
    if side == BEYOND or side <= 0:
        return BEYOND if side == BEYOND else 1
    h = np.empty(SCRATCH)
    scale, _ = power_of_two_scale(a, i, b, j, mx, my, first, second)
    set_sum(h, RADIUS, first * scale, second * scale, 0.0, 0.0)
    rounded = sign_of(h, RADIUS) > 0
    at, bt, left_a, left_b = start(a, i, b, j)
    left_of_path, right_of_path, separated = False, False, False
    while True:
        # The motion as an edge that begins at this vertex: does the origin's path run past it, within the radius?
        set_point(h, a, i, at, b, j, bt, 0.0, 0.0, scale)
        set_sum(h, EDGE_X, mx * scale, 0.0, 0.0, 0.0)
        set_sum(h, EDGE_Y, my * scale, 0.0, 0.0, 0.0)
        turn = turn_sign(h)
        if foot_inside(h) and (turn == 0 or (rounded and compare_edge(h) <= 0)):
            return 1
        left_of_path = left_of_path or turn > 0
        right_of_path = right_of_path or turn < 0
        if left_a + left_b == 0:
            break
        old_at, old_bt = at, bt
        a_first = left_a > 0 and left_b > 0 and exact_edge_of_a_first(h, a, i, at, b, j, bt, scale)
        _, _, at, bt, left_a, left_b = step(a, i, at, left_a, b, j, bt, left_b, a_first)
        set_edge(h, a, old_at, at, b, old_bt, bt, scale)
        set_point(h, a, i, old_at, b, j, old_bt, 0.0, 0.0, scale)
        if turn_sign(h) < 0:
            add_term(h, POINT_X, mx * scale)
            add_term(h, POINT_Y, my * scale)
            separated = separated or turn_sign(h) < 0
    # No edge has the whole path outside, and the path's line has the polygon on both sides: the path crosses it.
    return 1 if left_of_path and right_of_path and not separated else 0
