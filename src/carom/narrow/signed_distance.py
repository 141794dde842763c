"""The signed separation of two records, with the normal and the feature that decided: where all other answers begin.

In: records, as pairs or row by row. Out: the separation, rounded, and whether its sign lies inside the error bound;
then `settle` asks for the exact sign. The bound is derived in docs/design/one-walk.md. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.dispatch import Rows
from carom.narrow.exact.double_double import decided_side
from carom.narrow.exact.integers import decide_side, side_of_touching_by_integers
from carom.narrow.exact.sign import BEYOND
from carom.narrow.kinds import AABBS, OBBS, form_of
from carom.narrow.pairs.aabb import distance_of_aabbs
from carom.narrow.pairs.obb import UNCLEAR, nearest_of_obbs, obb_of_record
from carom.narrow.pairs.point_polygon import polygon_and_point
from carom.narrow.walk import EDGE_A, EDGE_B, VERTICES, farthest_edge, nearest_from, unit
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
from carom.tolerances import FACE_BAND, SIGN_BAND
from carom.vector import LEAST

# separation, normal x and y, feature and places as in walk.Nearest, and whether the sign is inside the error bound
Separation = tuple[float, float, float, int, int, int, bool]


@inner
def magnitude(a: Floats, i: int, b: Floats, j: int) -> float:
    """Return a number that no coordinate difference of the pair exceeds: the measure of rounding errors."""
    return float(
        abs(b[j + X] - a[i + X])
        + abs(b[j + Y] - a[i + Y])
        + 2.0 * (a[i + REACH] + b[j + REACH])
        + abs(a[i + CENTER_X])
        + abs(a[i + CENTER_Y])
        + abs(b[j + CENTER_X])
        + abs(b[j + CENTER_Y])
        + a[i + RADIUS]
        + b[j + RADIUS]
    )


@inner
def comes_second(a: Floats, i: int, b: Floats, j: int) -> bool:
    """Tell whether (A, B) is to be computed as (B, A), so that both orders give the same bits."""
    for column in (X, Y, KIND, COUNT, RADIUS):
        if a[i + column] != b[j + column]:
            return bool(a[i + column] > b[j + column])
    for k in range(POINTS, POINTS + STRIDE * int(a[i + COUNT])):
        if a[i + k] != b[j + k]:
            return bool(a[i + k] > b[j + k])
    return False


@inner
def is_undecided(distance: float, radius: float, band: float) -> bool:
    """Tell whether rounding may hide on which side of the radius a distance of cores lies."""
    # Beyond a sharp corner every edge is nearer than the corner: there even the sign of the distance says little, and
    # a point taken for inside may be outside by more than a small radius.
    return abs(distance - radius) <= band or (radius > 0.0 and -band <= distance <= 0.0)


@inner
def clearly_apart(a: Floats, i: int, b: Floats, j: int) -> bool:
    """Tell whether the circles around two shapes are apart, by more than rounding could make of it."""
    dx = (b[j + X] - a[i + X]) + (b[j + CENTER_X] - a[i + CENTER_X])
    dy = (b[j + Y] - a[i + Y]) + (b[j + CENTER_Y] - a[i + CENTER_Y])
    reach = a[i + RADIUS] + b[j + RADIUS] + a[i + REACH] + b[j + REACH]
    reach += SIGN_BAND * magnitude(a, i, b, j)
    return bool(abs(dx) > reach or abs(dy) > reach or dx * dx + dy * dy > reach * reach)


@inner
def depth_of_center(a: Floats, i: int) -> float:
    """Return the radius of the circle about a core's centre that just fits into the core; negative if none does."""
    least = math.inf if a[i + COUNT] > 2.0 else 0.0
    for k in range(int(a[i + COUNT])):
        place = i + POINTS + STRIDE * k
        x, y = a[place] - a[i + CENTER_X], a[place + 1] - a[i + CENTER_Y]
        least = min(least, a[place + 2] * x + a[place + 3] * y)
    return least


@inner
def clearly_overlapping(a: Floats, i: int, b: Floats, j: int) -> bool:
    """Tell whether circles inside two shapes overlap, by more than rounding could make of it."""
    dx = (b[j + X] - a[i + X]) + (b[j + CENTER_X] - a[i + CENTER_X])
    dy = (b[j + Y] - a[i + Y]) + (b[j + CENTER_Y] - a[i + CENTER_Y])
    fits = depth_of_center(a, i) + depth_of_center(b, j) + (a[i + RADIUS] + b[j + RADIUS])
    fits -= SIGN_BAND * magnitude(a, i, b, j)
    return bool(fits > 0.0 and dx * dx + dy * dy < fits * fits)


@kernel
def measured(a: Floats, i: int, b: Floats, j: int, only_near: bool) -> Separation:
    """Return the signed separation of two shapes in their fixed order; see `separate` and `separate_near`."""
    reach, band = a[i + RADIUS] + b[j + RADIUS], SIGN_BAND * magnitude(a, i, b, j)
    form = form_of(a, i, b, j)
    if form == AABBS:
        distance, nx, ny, feature, at, bt = distance_of_aabbs(a, i, b, j)
        return distance - reach, nx, ny, feature, at, bt, reach > 0.0 and is_undecided(distance, reach, band)
    if form == OBBS:
        beyond = reach + band if only_near else math.inf
        found = nearest_of_obbs(obb_of_record(a, i), obb_of_record(b, j), beyond, magnitude(a, i, b, j))
        state, distance, nx, ny, feature, k, m = found
        at, bt = i + POINTS + STRIDE * k, j + POINTS + STRIDE * m
        if state != UNCLEAR:
            return distance - reach, nx, ny, feature, at, bt, is_undecided(distance, reach, band)
    farthest = farthest_edge(a, i, b, j)
    best, nx, ny, _, at, bt, _ = farthest
    if only_near and best - reach > band:
        return math.inf, nx, ny, VERTICES, at, bt, False
    distance, nx, ny, feature, at, bt = nearest_from(a, i, b, j, farthest)
    return distance - reach, nx, ny, feature, at, bt, is_undecided(distance, reach, band)


@inner
def turned_round(found: Separation) -> Separation:
    """Return a separation of (B, A) as that of (A, B)."""
    separation, nx, ny, feature, bt, at, undecided = found
    return separation, -nx, -ny, (feature if feature == VERTICES else EDGE_A + EDGE_B - feature), at, bt, undecided


@inner
def in_order(a: Floats, i: int, b: Floats, j: int, only_near: bool) -> Separation:
    """Return the separation that `measured` finds, with A and B in the order that makes (A, B) and (B, A) the same."""
    # Two calls, because exchanging the arrays would have their references counted.
    count_a, count_b = a[i + COUNT], b[j + COUNT]
    if (count_a == 1.0 and count_b > 2.0) or (count_b == 1.0 and count_a > 2.0):
        reach, band = a[i + RADIUS] + b[j + RADIUS], SIGN_BAND * magnitude(a, i, b, j)
        beyond = reach + band if only_near else math.inf
        if count_b == 1.0:
            clear, distance, nx, ny, feature, at, bt = polygon_and_point(a, i, b, j, beyond)
        else:
            clear, distance, nx, ny, feature, bt, at = polygon_and_point(b, j, a, i, beyond)
            nx, ny, feature = -nx, -ny, VERTICES if feature == VERTICES else EDGE_B
        if clear:
            return distance - reach, nx, ny, feature, at, bt, is_undecided(distance, reach, band)
    if comes_second(a, i, b, j):
        return turned_round(measured(b, j, a, i, only_near))
    return measured(a, i, b, j, only_near)


@kernel
def separate(a: Floats, i: int, b: Floats, j: int) -> Separation:
    """Return the signed separation of two shapes, its normal, and the feature that decided."""
    return in_order(a, i, b, j, False)


@kernel
def separate_near(a: Floats, i: int, b: Floats, j: int) -> Separation:
    """Return the same, or, which is sooner told, any separation clearly above 0 if the shapes are clearly apart."""
    return in_order(a, i, b, j, True)


@inner
def along_line(a: Floats, i: int, b: Floats, j: int, found: Separation) -> Separation:
    """Return a separation with the normal along the line where two segments lie on it end to end.

    There A - B is a line with the origin at its end. Across the line they come apart as well, but along it lies the
    normal that they have when they are a little farther apart. Casts keep the other one: what slides along a line of
    segments must not catch on the ends of these. Rounded ones overlap there, and keep the way out that casts know.
    """
    count_a, count_b = a[i + COUNT], b[j + COUNT]
    if count_a > 2.0 or count_b > 2.0 or count_a + count_b <= 2.0 or a[i + RADIUS] + b[j + RADIUS] > 0.0:
        return found
    at, bt = i + POINTS, j + POINTS
    if count_a == count_b and abs(a[at + 2] * b[bt + 3] - a[at + 3] * b[bt + 2]) > FACE_BAND:
        return found
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    low_a, high_a = at + STRIDE * int(a[i + LOWEST]), at + STRIDE * int(a[i + HIGHEST])
    low_b, high_b = bt + STRIDE * int(b[j + LOWEST]), bt + STRIDE * int(b[j + HIGHEST])
    x0, y0 = (a[low_a] - b[high_b]) - offset_x, (a[low_a + 1] - b[high_b + 1]) - offset_y
    x1, y1 = (a[high_a] - b[low_b]) - offset_x, (a[high_a + 1] - b[low_b + 1]) - offset_y
    low, high = max(abs(x0), abs(y0)), max(abs(x1), abs(y1))
    if min(low, high) > FACE_BAND * max(low, high):
        return found
    if low < high:
        _, nx, ny = unit(x0 - x1, y0 - y1)
        return found[0], nx, ny, VERTICES, low_a, high_b, found[6]
    _, nx, ny = unit(x1 - x0, y1 - y0)
    return found[0], nx, ny, VERTICES, high_a, low_b, found[6]


@kernel
def nearest(a: Floats, i: int, b: Floats, j: int) -> Separation:
    """Return the signed separation with the normal and the feature that users are told."""
    return along_line(a, i, b, j, separate(a, i, b, j))


def with_sign(separation: float, side: int, radius: float) -> float:
    """Return a rounded separation with its exact sign; between sharp cores only the sign can have been wrong."""
    if side == 0:
        return 0.0
    if radius == 0.0:
        separation = side * abs(separation)
    return max(separation, LEAST) if side > 0 else min(separation, -LEAST)


def settle(a: Floats, b: Floats, separation: float) -> float:
    """Return an undecided separation of two records with its true sign: 0 in touch, else at least the least float."""
    first, second = float(a[RADIUS]), float(b[RADIUS])
    return with_sign(separation, decide_side(a, 0, b, 0, 0.0, 0.0, first, second), first + second)


@inner
def core_points(a: Floats, i: int, b: Floats, j: int, found: Separation) -> tuple[float, float, float, float]:
    """Return the points of the two cores, in the world, that realise a separation: (ax, ay, bx, by)."""
    separation, nx, ny, feature, at, bt, _ = found
    apart = separation + (a[i + RADIUS] + b[j + RADIUS])
    ax, ay = a[i + X] + a[at], a[i + Y] + a[at + 1]
    bx, by = b[j + X] + b[bt], b[j + Y] + b[bt + 1]
    if feature == EDGE_A:
        return bx - nx * apart, by - ny * apart, bx, by
    if feature == EDGE_B:
        return ax, ay, ax + nx * apart, ay + ny * apart
    return ax, ay, bx, by


compiled_with_sign = inner(with_sign)


@kernel
def _settle_rows(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, undecided: Booleans, out_separations: Floats
) -> None:
    for row in range(undecided.shape[0]):
        if undecided[row]:
            i, j = starts_a[row], starts_b[row]
            first, second = a[i + RADIUS], b[j + RADIUS]
            side = decided_side(a, i, b, j)
            undecided[row] = side == BEYOND
            out_separations[row] = compiled_with_sign(out_separations[row], side, first + second)


def settle_rows(pairs: Rows, undecided: Booleans, separations: Floats, threads: int) -> None:
    """Give every undecided separation its true sign, as `settle` does for one pair."""
    if not undecided.any():
        return
    known = separations.copy()

    def work(begin: int, end: int) -> None:
        _settle_rows(*pairs.part(begin, end), undecided[begin:end], separations[begin:end])

    in_parts(threads, undecided.size, work)
    for row in np.flatnonzero(undecided).tolist():
        a, i, b, j = pairs.a, pairs.starts_a[row], pairs.b, pairs.starts_b[row]
        side, radius = side_of_touching_by_integers(a, i, b, j), float(a[i + RADIUS]) + float(b[j + RADIUS])
        separations[row] = with_sign(known.item(row), side, radius)
