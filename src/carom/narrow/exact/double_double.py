"""Which side of touching two sharp shapes are on, decided with pairs of floats: nearly always, and quickly.

In: two records without radius, one of them with an area. Out: -1, 0, 1, or UNDECIDED, where `sign` has to be asked.
The walk is that of `sign`; each sign that plain floats cannot tell is taken from a number held as a float and its
rounding error, about 32 digits, with a bound for the rest that is left out. Where nothing was left out, 0 is 0.

Flush tiles are all decided here. Source of the building blocks: T. J. Dekker (1971), D. E. Knuth, as in
`_core.arithmetic`.
"""

from __future__ import annotations

from carom._core.arithmetic import two_product, two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.exact.sign import side_of_touching
from carom.narrow.walk import edge_of_a_first, next_place, start, step
from carom.shapes.proxy import COUNT, RADIUS, X, Y
from carom.tolerances import EPSILON, SIGN_BAND, SMALLEST_PRODUCT, TWOFOLD_BAND

UNDECIDED = 2

DoubleDouble = tuple[float, float, bool]  # high part, low part, whether their sum is exact


@inner
def sum_of_four(a: float, b: float, c: float, d: float) -> DoubleDouble:
    """Return a + b + c + d."""
    first, first_error = two_sum(a, b)
    second, second_error = two_sum(c, d)
    total, error = two_sum(first, second)
    return total, error + (first_error + second_error), first_error == 0.0 and second_error == 0.0


@kernel
def sign_of_cross(
    ax: float, ax_low: float, ay: float, ay_low: float, p: DoubleDouble, q: DoubleDouble, edge: float, size: float
) -> int:
    """Return the sign of ay * p - ax * q, where no part of p and q is larger than `size`, none of a than `edge`."""
    left, left_error = two_product(ay, p[0])
    right, right_error = two_product(ax, q[0])
    if edge * size < SMALLEST_PRODUCT:
        return UNDECIDED
    total, error = two_sum(left, -right)
    low = ((left_error - right_error) + error) + ((ay * p[1] + ay_low * p[0]) - (ax * q[1] + ax_low * q[0]))
    total += low
    if abs(total) > TWOFOLD_BAND * edge * size:
        return 1 if total > 0.0 else -1
    exact = ax_low == 0.0 and ay_low == 0.0 and p[1] == 0.0 and q[1] == 0.0 and p[2] and q[2]
    if not exact or 0.0 < abs(left) < SMALLEST_PRODUCT or 0.0 < abs(right) < SMALLEST_PRODUCT:
        return UNDECIDED
    if (left == 0.0 and ay != 0.0 and p[0] != 0.0) or (right == 0.0 and ax != 0.0 and q[0] != 0.0):
        return UNDECIDED
    # Both products are held whole, each rounded number first: they compare digit by digit.
    if left != right:
        return 1 if left > right else -1
    return (1 if left_error > right_error else 0) - (1 if left_error < right_error else 0)


@inner
def edge_between(a: Floats, at: int, far: int) -> tuple[float, float, float, float]:
    """Return the edge from one core point to another: x and its error, y and its error."""
    x, x_low = two_sum(a[far], -a[at])
    y, y_low = two_sum(a[far + 1], -a[at + 1])
    return x, x_low, y, y_low


@kernel
def side_of_sharp(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return -1 if two shapes without radius overlap, 0 if they exactly touch, 1 if they are apart, or UNDECIDED."""
    if a[i + COUNT] < 3.0 and b[j + COUNT] < 3.0:
        return UNDECIDED
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    origins = abs(a[i + X]) + abs(b[j + X]) + abs(a[i + Y]) + abs(b[j + Y])
    known = abs(offset_x) + abs(offset_y)
    at, bt, left_a, left_b = start(a, i, b, j)
    edges, inner_sides = left_a + left_b, 0
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        near = abs(a[at]) + abs(b[bt]) + abs(a[at + 1]) + abs(b[bt + 1])
        nax, nay, nbx, nby = a[at + 2], a[at + 3], b[bt + 2], b[bt + 3]
        a_first = left_a > 0
        if left_a > 0 and left_b > 0:
            a_first = edge_of_a_first(nax, nay, nbx, nby)
            a_rises = nax > 0.0 or (nax == 0.0 and nay < 0.0)
            b_rises = nbx < 0.0 or (nbx == 0.0 and nby > 0.0)
            if a_rises == b_rises and abs(nay * nbx - nax * nby) <= 8.0 * EPSILON:
                ux, ux_low, uy, uy_low = edge_between(a, at, next_place(a, i, at))
                vx, vx_low, vy, vy_low = edge_between(b, next_place(b, j, bt), bt)
                edge, size = abs(ux) + abs(uy), abs(vx) + abs(vy)
                turn = sign_of_cross(ux, ux_low, uy, uy_low, (vx, vx_low, True), (vy, vy_low, True), edge, size)
                if turn == UNDECIDED:
                    return UNDECIDED
                a_first = turn <= 0
        old_at, old_bt = at, bt
        nx, ny, at, bt, left_a, left_b = step(a, i, at, left_a, b, j, bt, left_b, a_first)
        distance = -(nx * px + ny * py)
        band = SIGN_BAND * (near + known)
        if distance > band:
            return 1
        if distance < -band:
            inner_sides += 1
            continue
        if old_at != at:
            ex, ex_low, ey, ey_low = edge_between(a, old_at, at)
        else:
            ex, ex_low, ey, ey_low = edge_between(b, bt, old_bt)
        p = sum_of_four(a[old_at], -b[old_bt], a[i + X], -b[j + X])
        q = sum_of_four(a[old_at + 1], -b[old_bt + 1], a[i + Y], -b[j + Y])
        turn = sign_of_cross(ex, ex_low, ey, ey_low, p, q, abs(ex) + abs(ey), near + origins)
        if turn == UNDECIDED:
            return UNDECIDED
        if turn < 0:
            return 1
        inner_sides += turn
    if inner_sides == 0:
        return UNDECIDED
    return -1 if inner_sides == edges else 0


@kernel
def decided_side(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return the exact side of touching of two shapes, or BEYOND: here if that is quick, or by expansions."""
    first, second = a[i + RADIUS], b[j + RADIUS]
    side = side_of_sharp(a, i, b, j) if first + second == 0.0 else UNDECIDED
    return side_of_touching(a, i, b, j, 0.0, 0.0, first, second) if side == UNDECIDED else side
