"""How far apart two shapes are, or how deep they overlap: one signed number, with its direction and its two points.

In: records, as pairs or row by row, or two sets. Out: the separation (positive apart, 0 exactly in touch, negative in
overlap), the unit normal from A towards B, and the two points that realise it. World frame, user's units. Every other
verb that asks where two shapes stand asks here, so they all agree.

The numbers come from `signed_distance`; exact arithmetic is asked, and compiled, only where rounding leaves the sign in
doubt. Sets of one kind each are answered from their columns, by the formulas that single pairs ask: the bits agree.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import inner, kernel, uncounted_kernel
from carom._core.names import names_near
from carom._core.types import Booleans, Columns, Floats, Integers
from carom.narrow.dispatch import Rows
from carom.narrow.kinds import AABBS, DISC_AND_OBB, DISCS, OBBS, Asked, SetForm, form_of_sets
from carom.narrow.pairs.aabb import distance_of_corners
from carom.narrow.pairs.discs import contact_of_discs
from carom.narrow.pairs.obb import (
    UNCLEAR,
    chosen,
    corner,
    corner_at,
    is_second,
    nearest_of_obb_and_point,
    nearest_of_obbs,
    obb_of_row,
)
from carom.narrow.rows.fill import fill
from carom.narrow.signed_distance import core_points, is_undecided, nearest, separate, settle_rows
from carom.narrow.walk import EDGE_A, EDGE_B
from carom.shapes.basic import ConvexShape
from carom.shapes.proxy import RADIUS
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND
from carom.vector import Vec

# separation, whether its sign is in doubt, whether nothing here settles it; normal x, y; point of A x, y; of B x, y
Nearest = tuple[float, bool, bool, float, float, float, float, float, float]


@inner
def nearest_of_discs(ax: float, ay: float, ra: float, bx: float, by: float, rb: float) -> Nearest:
    """Return what is nearest of two discs."""
    separation, nx, ny, undecided, _, _, _ = contact_of_discs(ax, ay, ra, bx, by, rb, ra > rb)
    return separation, undecided, False, nx, ny, ax + nx * ra, ay + ny * ra, bx - nx * rb, by - ny * rb


@inner
def nearest_of_aabbs(a: Columns, r: int, b: Columns, s: int) -> Nearest:
    """Return what is nearest of two sharp boxes along the axes."""
    low, high = (a[0, r], a[1, r]), (a[2, r], a[3, r])
    least, most = (b[0, s], b[1, s]), (b[2, s], b[3, s])
    distance, nx, ny, feature, k, m = distance_of_corners((*low, *high), (*least, *most))
    # Corners 1 and 2 are at the greater x, 2 and 3 at the greater y.
    ax, ay = (high[0] if k == 1 or k == 2 else low[0]), (high[1] if k >= 2 else low[1])
    bx, by = (most[0] if m == 1 or m == 2 else least[0]), (most[1] if m >= 2 else least[1])
    over_b, over_a = feature == EDGE_A, feature == EDGE_B
    return (
        distance,
        False,
        False,
        nx,
        ny,
        (bx - nx * distance if over_b else ax),
        (by - ny * distance if over_b else ay),
        (ax + nx * distance if over_a else bx),
        (ay + ny * distance if over_a else by),
    )


@inner
def nearest_of_obb_rows(a: Columns, r: int, b: Columns, s: int) -> Nearest:
    """Return what is nearest of two sharp turned boxes."""
    box_a, box_b = obb_of_row(a, r), obb_of_row(b, s)
    size = abs(box_b[0] - box_a[0]) + abs(box_b[1] - box_a[1]) + 2.0 * (a[10, r] + b[10, s])
    second = is_second(box_a, box_b)
    box_a, box_b = chosen(second, box_b, box_a), chosen(second, box_a, box_b)
    state, distance, nx, ny, feature, k, m = nearest_of_obbs(box_a, box_b, math.inf, size)
    cx, cy = corner(box_a, k)
    dx, dy = corner(box_b, m)
    ax, ay, bx, by = box_a[0] + cx, box_a[1] + cy, box_b[0] + dx, box_b[1] + dy
    if feature == EDGE_A:
        ax, ay = bx - nx * distance, by - ny * distance
    elif feature == EDGE_B:
        bx, by = ax + nx * distance, ay + ny * distance
    undecided, left = abs(distance) <= SIGN_BAND * size, state == UNCLEAR
    if second:
        return distance, undecided, left, -nx, -ny, bx, by, ax, ay
    return distance, undecided, left, nx, ny, ax, ay, bx, by


@inner
def nearest_of_obb_and_disc(boxes: Columns, r: int, x: float, y: float, radius: float) -> Nearest:
    """Return what is nearest of a sharp turned box and a disc."""
    box = obb_of_row(boxes, r)
    clear, _, distance, nx, ny, on_edge, odd, back = nearest_of_obb_and_point(box, x, y)
    band = SIGN_BAND * (abs(x - box[0]) + abs(y - box[1]) + 2.0 * boxes[10, r] + radius)
    separation = distance - radius
    apart = separation + radius
    cx, cy = corner_at(box, odd, back)
    ax, ay, fx, fy = box[0] + cx, box[1] + cy, x - nx * apart, y - ny * apart
    ax, ay = (fx if on_edge else ax), (fy if on_edge else ay)
    undecided = is_undecided(distance, radius, band)
    return separation, undecided, not clear, nx, ny, ax, ay, x - nx * radius, y - ny * radius


@inner
def nearest_of_row(form: int, swapped: bool, a: Columns, r: int, b: Columns, s: int) -> Nearest:
    """Return what is nearest of two shapes that a closed form serves; see `kinds.SetForm`."""
    if form == DISCS:
        return nearest_of_discs(a[0, r], a[1, r], a[2, r], b[0, s], b[1, s], b[2, s])
    if form == AABBS:
        return nearest_of_aabbs(a, r, b, s)
    if form == OBBS:
        return nearest_of_obb_rows(a, r, b, s)
    found = nearest_of_obb_and_disc(b, s, a[0, r], a[1, r], a[2, r])
    if swapped:
        return found
    separation, undecided, left, nx, ny, bx, by, ax, ay = found
    return separation, undecided, left, -nx, -ny, ax, ay, bx, by


@uncounted_kernel
def separations_of_columns(asked: Asked, begin: int, out_left: Booleans, out: tuple[Floats, Booleans]) -> None:
    """Write the separations of rows, and whether their signs are in doubt."""
    form, swapped, a, b, step_a, step_b = asked
    out_separations, out_undecided = out
    first = max(begin, 0)
    for k in range(out_left.shape[0]):
        found = nearest_of_row(form, swapped, a, (first + k) * step_a, b, (first + k) * step_b)
        out_separations[k], out_undecided[k], out_left[k] = found[0], found[1], found[2]


@uncounted_kernel
def closest_of_columns(
    asked: Asked, begin: int, out_left: Booleans, out: tuple[Floats, Booleans, Floats, Floats, Floats]
) -> None:
    """Write the separations of rows, whether their signs are in doubt, normals, and points of A and of B."""
    form, swapped, a, b, step_a, step_b = asked
    out_separations, out_undecided, out_normals, out_points_a, out_points_b = out
    first = max(begin, 0)
    for k in range(out_left.shape[0]):
        separation, undecided, left, nx, ny, ax, ay, bx, by = nearest_of_row(
            form, swapped, a, (first + k) * step_a, b, (first + k) * step_b
        )
        out_separations[k], out_undecided[k], out_left[k] = separation, undecided, left
        out_normals[k, 0], out_normals[k, 1] = nx + 0.0, ny + 0.0
        out_points_a[k, 0], out_points_a[k, 1] = ax, ay
        out_points_b[k, 0], out_points_b[k, 1] = bx, by


def separation_form(a: ConvexShape | Shapes, b: ConvexShape | Shapes) -> SetForm | None:
    """Return how the loops above ask two sets, or a set and one shape; None if no formula here serves."""
    form = form_of_sets(a, b, True)
    return form if form is not None and form.form in (DISCS, AABBS, OBBS, DISC_AND_OBB) else None


@kernel
def separation_of_pair(a: Floats, b: Floats) -> tuple[float, bool]:
    """Return the separation of two records, and whether its sign is in doubt."""
    found = separate(a, 0, b, 0)
    return found[0], found[6]


@kernel
def closest_of_pair(a: Floats, b: Floats) -> tuple[float, bool, float, float, float, float, float, float]:
    """Return the separation of two records, whether its sign is in doubt, the normal without -0.0, the points."""
    found = nearest(a, 0, b, 0)
    separation, nx, ny, _, _, _, undecided = found
    ax, ay, bx, by = core_points(a, 0, b, 0, found)
    ra, rb = a[RADIUS], b[RADIUS]
    return separation, undecided, nx + 0.0, ny + 0.0, ax + nx * ra, ay + ny * ra, bx - nx * rb, by - ny * rb


@uncounted_kernel
def _separations_of_records(
    a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out: tuple[Floats, Booleans]
) -> None:
    out_separations, out_undecided = out
    for row in range(out_separations.shape[0]):
        found = separate(a, starts_a[row], b, starts_b[row])
        out_separations[row], out_undecided[row] = found[0], found[6]


@uncounted_kernel
def _closest_of_records(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    out: tuple[Floats, Booleans, Floats, Floats, Floats],
) -> None:
    out_separations, out_undecided, out_normals, out_points_a, out_points_b = out
    for row in range(out_separations.shape[0]):
        i, j = starts_a[row], starts_b[row]
        found = nearest(a, i, b, j)
        separation, nx, ny, _, _, _, undecided = found
        ax, ay, bx, by = core_points(a, i, b, j, found)
        ra, rb = a[i + RADIUS], b[j + RADIUS]
        out_separations[row], out_undecided[row] = separation, undecided
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        out_points_a[row, 0], out_points_a[row, 1] = ax + nx * ra, ay + ny * ra
        out_points_b[row, 0], out_points_b[row, 1] = bx - nx * rb, by - ny * rb


def separation_of_rows(pairs: Rows, threads: int, form: SetForm | None = None) -> Floats:
    """Return the signed separation of each pair, its sign exact; `form` tells the sets' columns, if they have any."""
    n = pairs.starts_a.size
    separations, undecided = np.empty(n), np.empty(n, dtype=np.bool_)
    fill(pairs, threads, form, separations_of_columns, _separations_of_records, (separations, undecided))
    settle_rows(pairs, undecided, separations, threads)
    return separations


@names_near
class ClosestColumns(NamedTuple):
    """`Closest` for every row of two sets."""

    separation: Floats
    """(n,)"""
    normal: Floats
    """(n, 2)"""
    point_a: Floats
    """(n, 2)"""
    point_b: Floats
    """(n, 2)"""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (n,) for a data frame.

        These are separation, nx, ny, ax, ay, bx, by.
        """
        return flat(self._asdict())


@names_near
class Closest(NamedTuple):
    """Where two shapes are nearest, or how they overlap least."""

    separation: float
    """Positive apart, exactly 0 in touch, negative in overlap."""
    normal: Vec
    """Unit vector from A towards B."""
    point_a: Vec
    """The point of A nearest to B; in overlap, the point of A deepest along the normal."""
    point_b: Vec
    """The point of B nearest to A."""


def closest_rows(pairs: Rows, threads: int, form: SetForm | None = None) -> ClosestColumns:
    """Return where the shapes of each row are nearest; `form` tells the sets' columns, if they have any."""
    n = pairs.starts_a.size
    undecided = np.empty(n, dtype=np.bool_)
    found = ClosestColumns(np.empty(n), np.empty((n, 2)), np.empty((n, 2)), np.empty((n, 2)))
    out = found.separation, undecided, *found[1:]
    fill(pairs, threads, form, closest_of_columns, _closest_of_records, out)
    settle_rows(pairs, undecided, found.separation, threads)
    return found
