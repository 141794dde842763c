"""Separations of sets of one kind each, from their columns: discs, boxes along the axes, turned boxes and discs.

In: the columns of two sets (see `column_forms`), how far to go on in each from row to row (0 for a set of one row), and
the row to begin with. Out: the columns of `separation` and `closest`, whether a sign is in doubt, and which rows no
formula here settles: the caller has those done from the records. World frame, user's units. Single pairs ask the same
formulas: the bits agree.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom._core.jit import inner, uncounted_kernel
from carom._core.types import Booleans, Columns, Floats
from carom.narrow.manifold import manifold_of_discs
from carom.narrow.pairs.aabb import gap_of_corners
from carom.narrow.pairs.obb import (
    UNCLEAR,
    chosen,
    corner,
    corner_at,
    is_second,
    nearest_of_box_and_point,
    nearest_of_boxes,
    turned_of_row,
)
from carom.narrow.rows.contact import columns_of_contacts
from carom.narrow.signed_distance import is_undecided
from carom.narrow.walk import EDGE_A, EDGE_B
from carom.shapes.basic import Shape
from carom.shapes.proxy import AABB, DISC, OBB
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND

DISCS, STRAIGHT, TURNED, DISC_AND_TURNED, TURNED_AND_DISC = 0, 1, 2, 3, 4
KINDS = {
    (DISC, DISC): DISCS,
    (AABB, AABB): STRAIGHT,
    (OBB, OBB): TURNED,
    (DISC, OBB): DISC_AND_TURNED,
    (OBB, DISC): TURNED_AND_DISC,
}

# separation, whether its sign is in doubt, whether nothing here settles it; normal x, y; point of A x, y; of B x, y
Nearest = tuple[float, bool, bool, float, float, float, float, float, float]


@inner
def nearest_of_discs(ax: float, ay: float, ra: float, bx: float, by: float, rb: float) -> Nearest:
    """Return what is nearest of two discs."""
    separation, nx, ny, undecided, _, _, _ = manifold_of_discs(ax, ay, ra, bx, by, rb, ra > rb)
    return separation, undecided, False, nx, ny, ax + nx * ra, ay + ny * ra, bx - nx * rb, by - ny * rb


@inner
def nearest_of_straight_boxes(a: Columns, r: int, b: Columns, s: int) -> Nearest:
    """Return what is nearest of two sharp boxes along the axes."""
    low, high = (a[0, r], a[1, r]), (a[2, r], a[3, r])
    least, most = (b[0, s], b[1, s]), (b[2, s], b[3, s])
    distance, nx, ny, feature, k, m = gap_of_corners((*low, *high), (*least, *most))
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
def nearest_of_turned_boxes(a: Columns, r: int, b: Columns, s: int) -> Nearest:
    """Return what is nearest of two sharp turned boxes."""
    box_a, box_b = turned_of_row(a, r), turned_of_row(b, s)
    size = abs(box_b[0] - box_a[0]) + abs(box_b[1] - box_a[1]) + 2.0 * (a[10, r] + b[10, s])
    second = is_second(box_a, box_b)
    box_a, box_b = chosen(second, box_b, box_a), chosen(second, box_a, box_b)
    state, distance, nx, ny, feature, k, m = nearest_of_boxes(box_a, box_b, math.inf, size)
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
def nearest_of_turned_box_and_disc(boxes: Columns, r: int, x: float, y: float, radius: float) -> Nearest:
    """Return what is nearest of a sharp turned box and a disc."""
    box = turned_of_row(boxes, r)
    clear, _, distance, nx, ny, on_edge, odd, back = nearest_of_box_and_point(box, x, y)
    band = SIGN_BAND * (abs(x - box[0]) + abs(y - box[1]) + 2.0 * boxes[10, r] + radius)
    separation = distance - radius
    apart = separation + radius
    cx, cy = corner_at(box, odd, back)
    ax, ay, fx, fy = box[0] + cx, box[1] + cy, x - nx * apart, y - ny * apart
    ax, ay = (fx if on_edge else ax), (fy if on_edge else ay)
    undecided = is_undecided(distance, radius, band)
    return separation, undecided, not clear, nx, ny, ax, ay, x - nx * radius, y - ny * radius


@inner
def nearest_of_row(kind: int, a: Columns, r: int, b: Columns, s: int) -> Nearest:
    """Return what is nearest of two shapes of the kinds that `kind` tells."""
    if kind == DISCS:
        return nearest_of_discs(a[0, r], a[1, r], a[2, r], b[0, s], b[1, s], b[2, s])
    if kind == STRAIGHT:
        return nearest_of_straight_boxes(a, r, b, s)
    if kind == TURNED:
        return nearest_of_turned_boxes(a, r, b, s)
    if kind == TURNED_AND_DISC:
        return nearest_of_turned_box_and_disc(a, r, b[0, s], b[1, s], b[2, s])
    separation, undecided, left, nx, ny, bx, by, ax, ay = nearest_of_turned_box_and_disc(
        b, s, a[0, r], a[1, r], a[2, r]
    )
    return separation, undecided, left, -nx, -ny, ax, ay, bx, by


@uncounted_kernel
def separations_of_columns(
    kind: int,
    a: Columns,
    b: Columns,
    step_a: int,
    step_b: int,
    begin: int,
    out_left: Booleans,
    out_separations: Floats,
    out_undecided: Booleans,
) -> None:
    """Write the separations of rows; see `form_of`."""
    first = max(begin, 0)
    for k in range(out_separations.shape[0]):
        found = nearest_of_row(kind, a, (first + k) * step_a, b, (first + k) * step_b)
        out_separations[k], out_undecided[k], out_left[k] = found[0], found[1], found[2]


@uncounted_kernel
def closest_of_columns(
    kind: int,
    a: Columns,
    b: Columns,
    step_a: int,
    step_b: int,
    begin: int,
    out_left: Booleans,
    out_separations: Floats,
    out_undecided: Booleans,
    out_normals: Floats,
    out_points_a: Floats,
    out_points_b: Floats,
) -> None:
    """Write the separations of rows, their normals and points; see `form_of`."""
    first = max(begin, 0)
    for k in range(out_separations.shape[0]):
        separation, undecided, left, nx, ny, ax, ay, bx, by = nearest_of_row(
            kind, a, (first + k) * step_a, b, (first + k) * step_b
        )
        out_separations[k], out_undecided[k], out_left[k] = separation, undecided, left
        out_normals[k, 0], out_normals[k, 1] = nx + 0.0, ny + 0.0
        out_points_a[k, 0], out_points_a[k, 1] = ax, ay
        out_points_b[k, 0], out_points_b[k, 1] = bx, by


class Form(NamedTuple):
    """What the loops above begin with: the kinds, the columns of both sets, and their steps."""

    kind: int
    a: Columns
    b: Columns
    step_a: int
    step_b: int


def form_of(a: Any, b: Any) -> Form | None:
    """Return how the rows of two sets, or of a set and one shape, are asked; None if no formula here serves."""
    if not all(isinstance(one, (Shape, Shapes)) for one in (a, b)):
        return None
    (kind_a, columns_a), (kind_b, columns_b) = columns_of_contacts(a), columns_of_contacts(b)
    kind = KINDS.get((kind_a, kind_b))
    if kind is None:
        return None
    return Form(kind, columns_a, columns_b, min(columns_a.shape[1] - 1, 1), min(columns_b.shape[1] - 1, 1))
