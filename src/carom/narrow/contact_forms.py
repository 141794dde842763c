"""Contacts of sets of one kind each, from their columns: discs, boxes along the axes, turned boxes, discs with these.

In: the columns of two sets (see `column_forms`), for turned boxes also how far to go on in each from row to row (0 for
a set of one row), and the row to begin with. Out: the columns of `collide`, and which rows no formula here settles: the
caller has those done from the records. World frame, user's units. Single pairs ask the same formulas: the bits agree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import inner, uncounted_kernel
from carom._core.types import Booleans, Columns, Floats
from carom.narrow.closed_forms import spread
from carom.narrow.manifold import Spots, clipped, manifold_of_discs
from carom.narrow.straight_boxes import contact_of_straight_boxes
from carom.narrow.turned_boxes import (
    APART,
    UNCLEAR,
    Turned,
    chosen,
    corner,
    corner_at,
    is_second,
    length_of_edge,
    nearest_of_box_and_point,
    nearest_of_boxes,
    normal,
    turned_of_row,
)
from carom.narrow.walk import EDGE_A, VERTICES
from carom.shapes.basic import Shape
from carom.shapes.proxy import AABB, DISC, OBB
from carom.shapes.set import Shapes
from carom.tolerances import FACE_BAND, SIGN_BAND

Counts = NDArray[np.int8]
Features = NDArray[np.int32]


@uncounted_kernel
def _contacts_of_discs(
    a: Columns,
    b: Columns,
    begin: int,
    out_undecided: Booleans,
    out_hits: Booleans,
    out_normals: Floats,
    out_depth: Floats,
    out_counts: Counts,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    first = max(begin, 0)
    for k in range(out_hits.shape[0]):
        row = first + k
        ax, ay, ra, bx, by, rb = a[0, row], a[1, row], a[2, row], b[0, row], b[1, row], b[2, row]
        separation, nx, ny, undecided, x, y, depth = manifold_of_discs(ax, ay, ra, bx, by, rb, ra > rb)
        hit = (separation <= 0.0) | undecided
        out_undecided[k], out_hits[k], out_counts[k] = undecided, hit, 1 if hit else 0
        out_normals[k, 0], out_normals[k, 1] = (nx if hit else 0.0) + 0.0, (ny if hit else 0.0) + 0.0
        out_depth[k] = (0.0 - separation) if hit else 0.0
        out_points[k, 0, 0], out_points[k, 0, 1] = x if hit else 0.0, y if hit else 0.0
        out_points[k, 1, 0], out_points[k, 1, 1] = 0.0, 0.0
        out_depths[k, 0], out_depths[k, 1] = depth if hit else 0.0, 0.0
        out_features[k, 0, 0], out_features[k, 0, 1], out_features[k, 1, 0], out_features[k, 1, 1] = 0, 0, 0, 0


@uncounted_kernel
def _contacts_of_straight_boxes(
    a: Columns,
    b: Columns,
    begin: int,
    out_undecided: Booleans,
    out_hits: Booleans,
    out_normals: Floats,
    out_depth: Floats,
    out_counts: Counts,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    first = max(begin, 0)
    for k in range(out_hits.shape[0]):
        row = first + k
        separation, nx, ny, count, x0, y0, a0, b0, x1, y1, a1, b1 = contact_of_straight_boxes(
            (a[0, row], a[1, row], a[2, row], a[3, row]), (b[0, row], b[1, row], b[2, row], b[3, row])
        )
        hit = separation <= 0.0
        two = hit & (count == 2)
        depth = (0.0 - separation) if hit else 0.0
        out_undecided[k], out_hits[k], out_counts[k] = False, hit, count if hit else 0
        out_normals[k, 0], out_normals[k, 1] = (nx if hit else 0.0) + 0.0, (ny if hit else 0.0) + 0.0
        out_depth[k] = depth
        out_points[k, 0, 0], out_points[k, 0, 1] = x0 if hit else 0.0, y0 if hit else 0.0
        out_points[k, 1, 0], out_points[k, 1, 1] = x1 if two else 0.0, y1 if two else 0.0
        out_depths[k, 0], out_depths[k, 1] = depth, depth if two else 0.0
        out_features[k, 0, 0], out_features[k, 0, 1] = a0 if hit else 0, b0 if hit else 0
        out_features[k, 1, 0], out_features[k, 1, 1] = a1 if two else 0, b1 if two else 0


@uncounted_kernel
def _contacts_of_discs_and_turned_boxes(
    discs: Columns,
    boxes: Columns,
    step_discs: int,
    step_boxes: int,
    swapped: bool,
    begin: int,
    out_left: Booleans,
    out_undecided: Booleans,
    out_hits: Booleans,
    out_normals: Floats,
    out_depth: Floats,
    out_counts: Counts,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    # Found as box and disc, whichever comes first; `swapped` tells that the box does.
    first = max(begin, 0)
    sign, of_disc = (1.0, 1) if swapped else (-1.0, 0)
    for k in range(out_hits.shape[0]):
        r, s = (first + k) * step_discs, (first + k) * step_boxes
        x, y, radius = discs[0, r], discs[1, r], discs[2, r]
        box = turned_of_row(boxes, s)
        band = SIGN_BAND * (abs(x - box[0]) + abs(y - box[1]) + 2.0 * boxes[10, s] + radius)
        clear, line, distance, nx, ny, on_edge, odd, back = nearest_of_box_and_point(box, x, y)
        near = line <= radius + band  # else the shapes are apart, whatever rounding did
        separation = distance - radius
        undecided = (abs(separation) <= band) | ((radius > 0.0) & (-band <= distance) & (distance <= 0.0))
        hit = near & ((separation <= 0.0) | undecided)
        out_left[k], out_undecided[k], out_hits[k], out_counts[k] = near & (not clear), undecided & hit, hit, hit
        # The point of the box: that corner, or under the disc's centre on the edge.
        apart = separation + radius
        cx, cy = corner_at(box, odd, back)
        sx, sy, fx, fy = box[0] + cx, box[1] + cy, x - nx * apart, y - ny * apart
        bx, by = (fx if on_edge else sx), (fy if on_edge else sy)
        px, py = (bx + (x - nx * radius)) / 2.0, (by + (y - ny * radius)) / 2.0
        number = (odd + 2 * back) ^ -(1 * on_edge)  # -1 - k for an edge
        depth = max(0.0 - separation, 0.0)
        out_normals[k, 0], out_normals[k, 1] = (sign * nx if hit else 0.0) + 0.0, (sign * ny if hit else 0.0) + 0.0
        out_depth[k] = (0.0 - separation) if hit else 0.0
        out_points[k, 0, 0], out_points[k, 0, 1] = px if hit else 0.0, py if hit else 0.0
        out_points[k, 1, 0], out_points[k, 1, 1] = 0.0, 0.0
        out_depths[k, 0], out_depths[k, 1] = depth if hit else 0.0, 0.0
        out_features[k, 0, of_disc], out_features[k, 1, 0], out_features[k, 1, 1] = 0, 0, 0
        out_features[k, 0, 1 - of_disc] = number * hit


@inner
def clipped_boxes(a: Turned, b: Turned, k: int, m: int, deepest: float, band: float, swapped: bool) -> Spots:
    """Return what `manifold.clip_face` does of two sharp turned boxes: A's edge k, B's nearest corner m."""
    nx, ny = normal(a, k)
    after, before = normal(b, m), normal(b, (m + 3) & 3)
    face = m if after[0] * -nx + after[1] * -ny >= before[0] * -nx + before[1] * -ny else (m + 3) & 3
    ox, oy = b[0] - a[0], b[1] - a[1]
    sx, sy = corner(a, k)
    x0, y0 = corner(b, face)
    x1, y1 = corner(b, (face + 1) & 3)
    facing = (x0 - sx) + ox, (y0 - sy) + oy, (x1 - sx) + ox, (y1 - sy) + oy
    numbers = k, (k + 1) & 3, face, (face + 1) & 3
    origin = a[0], a[1], sx, sy
    return clipped((nx, ny), length_of_edge(a, k), facing, origin, (0.0, 0.0), numbers, deepest, band, swapped)


@uncounted_kernel
def _contacts_of_turned_boxes(
    a: Columns,
    b: Columns,
    step_a: int,
    step_b: int,
    begin: int,
    out_left: Booleans,
    out_undecided: Booleans,
    out_hits: Booleans,
    out_normals: Floats,
    out_depth: Floats,
    out_counts: Counts,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    first = max(begin, 0)
    for row in range(out_hits.shape[0]):
        r, s = (first + row) * step_a, (first + row) * step_b
        box_a, box_b = turned_of_row(a, r), turned_of_row(b, s)
        size = abs(box_b[0] - box_a[0]) + abs(box_b[1] - box_a[1]) + 2.0 * (a[10, r] + b[10, s])
        band = SIGN_BAND * size
        second = is_second(box_a, box_b)
        found = nearest_of_boxes(chosen(second, box_b, box_a), chosen(second, box_a, box_b), band, size)
        state, separation, nx, ny, feature, k, m = found
        # From here on as seen from the box that has the edge.
        of_a = (feature == EDGE_A) != second
        nx, ny = (-nx if second else nx), (-ny if second else ny)
        k, m = (k if feature == EDGE_A else m), (m if feature == EDGE_A else k)
        undecided = abs(separation) <= band
        hit = (state != APART) & ((separation <= 0.0) | undecided)
        count, one, two = 0, (0.0, 0.0, 0.0, 0, 0), (0.0, 0.0, 0.0, 0, 0)
        if hit and feature != VERTICES:
            owner, other = chosen(of_a, box_a, box_b), chosen(of_a, box_b, box_a)
            count, one, two = clipped_boxes(owner, other, k, m, -separation, FACE_BAND * size, not of_a)
        out_left[row] = (state == UNCLEAR) | (hit & (count == 0))
        out_undecided[row], out_hits[row], out_counts[row] = undecided & hit, hit, count
        out_normals[row, 0], out_normals[row, 1] = (nx if hit else 0.0) + 0.0, (ny if hit else 0.0) + 0.0
        out_depth[row] = (0.0 - separation) if hit else 0.0
        out_points[row, 0, 0], out_points[row, 0, 1], out_depths[row, 0] = one[0], one[1], one[2]
        out_points[row, 1, 0], out_points[row, 1, 1], out_depths[row, 1] = two[0], two[1], two[2]
        out_features[row, 0, 0], out_features[row, 0, 1] = one[3], one[4]
        out_features[row, 1, 0], out_features[row, 1, 1] = two[3], two[4]


def contact_form(a: Shape | Shapes, b: Shape | Shapes, count: int) -> tuple[Callable[..., None] | None, bool]:
    """Return the loop for two sets, to be given the row to begin with and what to write, and whether it leaves rows.

    If it does, it first writes which. Without a form the loop is None.
    """
    (kind_a, columns_a), (kind_b, columns_b) = columns_of_contacts(a), columns_of_contacts(b)
    steps = min(columns_a.shape[1] - 1, 1), min(columns_b.shape[1] - 1, 1)
    if kind_a == kind_b and kind_a in _FORMS:
        return partial(_FORMS[kind_a], spread(columns_a, count), spread(columns_b, count)), False
    if (kind_a, kind_b) == (OBB, OBB):
        return partial(_contacts_of_turned_boxes, columns_a, columns_b, *steps), True
    if (kind_a, kind_b) == (DISC, OBB):
        return partial(_contacts_of_discs_and_turned_boxes, columns_a, columns_b, *steps, False), True
    if (kind_a, kind_b) == (OBB, DISC):
        return partial(_contacts_of_discs_and_turned_boxes, columns_b, columns_a, *steps[::-1], True), True
    return None, False


def columns_of_contacts(shapes: Shape | Shapes) -> tuple[float, Columns]:
    """Return kind and columns of a set with a closed form, or of one shape; a kind of -1 where there is none."""
    found = (shapes if isinstance(shapes, Shapes) else Shapes([shapes]))._columns_of_contacts()
    return (-1.0, np.zeros((0, 1))) if found is None else found


_FORMS: dict[float, Callable[..., None]] = {DISC: _contacts_of_discs, AABB: _contacts_of_straight_boxes}
