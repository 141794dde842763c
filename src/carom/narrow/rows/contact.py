"""Contacts of two sets, row by row: every column written once, in one pass over the rows.

In: two sets. Out: the columns of `collide`. World frame, user's units. Sets of one kind go through the loops of
`contact_forms`, from their columns; all others, and the few rows that these leave, through the single pair's function.

Fresh memory is a good part of the time, so counts take one byte and features four. Rows whose sign rounding leaves in
doubt are first written as contacts; those that exact arithmetic then finds apart are cleared.

Contacts of sets of one kind each, from their columns: discs, boxes along the axes, turned boxes, discs with these.

In: the columns of two sets (see `column_forms`), for turned boxes also how far to go on in each from row to row (0 for
a set of one row), and the row to begin with. Out: the columns of `collide`, and which rows no formula here settles: the
caller has those done from the records. World frame, user's units. Single pairs ask the same formulas: the bits agree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import inner, uncounted_kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Columns, Floats, Integers
from carom.narrow.dispatch import Rows
from carom.narrow.manifold import Spots, clipped, manifold, manifold_of_discs
from carom.narrow.pairs.aabb import contact_of_straight_boxes
from carom.narrow.pairs.obb import (
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
from carom.narrow.rows.overlap import spread
from carom.narrow.signed_distance import settle_rows
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


class ContactColumns(NamedTuple):
    """`Contact` for every row of two sets; what a row does not have is 0."""

    hit: Booleans
    """(n,) whether the shapes touch or overlap."""
    normal: Floats
    """(n, 2)"""
    depth: Floats
    """(n,)"""
    count: Counts  # type: ignore[assignment]  # the field's word, and nobody counts equal columns
    """(n,) int8: how many points, 0, 1 or 2."""
    points: Floats
    """(n, 2, 2)"""
    depths: Floats
    """(n, 2)"""
    features: Features
    """(n, 2, 2) int32, of A and of B; wider where the user's vertex numbers are too large for that."""


@inner
def write_normal(row: int, nx: float, ny: float, depth: float, out_normals: Floats, out_depth: Floats) -> None:
    """Write the first columns of a row."""
    out_normals[row, 0], out_normals[row, 1], out_depth[row] = nx + 0.0, ny + 0.0, depth


@inner
def write_spot(
    row: int,
    which: int,
    x: float,
    y: float,
    depth: float,
    feature_a: int,
    feature_b: int,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    """Write one of the two points of a row."""
    out_points[row, which, 0], out_points[row, which, 1], out_depths[row, which] = x, y, depth
    out_features[row, which, 0], out_features[row, which, 1] = feature_a, feature_b


@uncounted_kernel
def _contacts_of_rows(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    out_undecided: Booleans,
    out_hits: Booleans,
    out_normals: Floats,
    out_depth: Floats,
    out_counts: Counts,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    for row in range(out_hits.shape[0]):
        separation, nx, ny, undecided, count, first, second = manifold(a, starts_a[row], b, starts_b[row])
        out_undecided[row], out_hits[row], out_counts[row] = undecided, count > 0, count
        if count == 0:
            separation, nx, ny = 0.0, 0.0, 0.0
        write_normal(row, nx, ny, 0.0 - separation, out_normals, out_depth)
        x, y, depth, feature_a, feature_b = first
        write_spot(row, 0, x, y, depth, feature_a, feature_b, out_points, out_depths, out_features)
        x, y, depth, feature_a, feature_b = second
        write_spot(row, 1, x, y, depth, feature_a, feature_b, out_points, out_depths, out_features)


def _empty_contacts(n: int) -> ContactColumns:
    return ContactColumns(
        np.empty(n, dtype=np.bool_),
        np.empty((n, 2)),
        np.empty(n),
        np.empty(n, dtype=np.int8),
        np.empty((n, 2, 2)),
        np.empty((n, 2)),
        np.empty((n, 2, 2), dtype=np.int32),
    )


def contact_rows(a: Shape | Shapes, b: Shape | Shapes, pairs: Rows, threads: int) -> ContactColumns:
    """Return the contacts of two sets, or of a set and one shape, whose records are `pairs`."""
    n = pairs.starts_a.size
    undecided, found = np.empty(n, dtype=np.bool_), _empty_contacts(n)
    form, leaves = contact_form(a, b, n)
    left = np.empty(n if leaves else 0, dtype=np.bool_)

    def work(begin: int, end: int) -> None:
        out: list[Any] = [column[begin:end] for column in (undecided, *found)]
        if form is None:
            _contacts_of_rows(*pairs.part(begin, end), *out)
        elif leaves:
            form(begin, left[begin:end], *out)
        else:
            form(begin, *out)

    in_parts(threads, n, work)
    rest = np.flatnonzero(left)
    if rest.size:
        asked = Rows(pairs.a, pairs.starts_a[rest], pairs.b, pairs.starts_b[rest])
        parts: list[Any] = [np.empty(rest.size, dtype=np.bool_), *_empty_contacts(rest.size)]
        _contacts_of_rows(*asked, *parts)
        wholes: list[Any] = [undecided, *found]
        for whole, part in zip(wholes, parts, strict=True):
            whole[rest] = part
    rows = np.flatnonzero(undecided)
    if rows.size:
        _settle_contacts(pairs, rows, found, threads)
    return found


def _settle_contacts(pairs: Rows, rows: Integers, found: ContactColumns, threads: int) -> None:
    """Give undecided rows their true sign, and clear those that turn out to be apart."""
    asked = Rows(pairs.a, pairs.starts_a[rows], pairs.b, pairs.starts_b[rows])
    separations = 0.0 - found.depth[rows]
    settle_rows(asked, np.ones(rows.size, dtype=np.bool_), separations, threads)
    found.depth[rows] = 0.0 - separations
    apart = rows[separations > 0.0]
    for column in found:
        column[apart] = 0
