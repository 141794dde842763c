"""Contacts of two sets, row by row: one loop for each closed form, and one for all other rows.

In: two sets. Out: the columns of `collide`. World frame, user's units. Sets of one kind are answered from their
columns; all others, and the few rows that these leave, from their records by the single pair's function. Both ask the
same formulas as single pairs, so the bits agree.

Fresh memory is a good part of the time, so counts take one byte and features four. Rows whose sign rounding leaves in
doubt are first written as contacts; those that exact arithmetic then finds apart are cleared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import inner, uncounted_kernel
from carom._core.names import names_near
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.dispatch import Rows
from carom.narrow.kinds import AABBS, DISC_AND_OBB, DISCS, OBBS, Asked, form_of_sets
from carom.narrow.manifold import Manifold, Spots, clipped, manifold, manifold_of_aabbs, no_spot
from carom.narrow.pairs.discs import contact_of_discs
from carom.narrow.pairs.obb import (
    APART,
    UNCLEAR,
    Obb,
    chosen,
    corner,
    corner_at,
    is_second,
    length_of_edge,
    nearest_of_obb_and_point,
    nearest_of_obbs,
    normal,
    obb_of_row,
)
from carom.narrow.rows.fill import fill
from carom.narrow.signed_distance import settle_rows
from carom.narrow.walk import EDGE_A, VERTICES
from carom.shapes.basic import ConvexShape
from carom.shapes.set import Shapes
from carom.tolerances import FACE_BAND, SIGN_BAND

Counts = NDArray[np.int8]
Features = NDArray[np.int32]

# Whether the sign of each row is in doubt, then the columns of `ContactColumns`.
Out = tuple[Booleans, Booleans, Floats, Floats, Counts, Floats, Floats, Features]


@inner
def write_contact(out: Out, row: int, found: Manifold) -> None:
    """Write one row; without points the shapes are apart, and all but the first column is 0."""
    out_undecided, out_hits, out_normals, out_depth, out_counts, out_points, out_depths, out_features = out
    separation, nx, ny, undecided, count, first, second = found
    hit = count > 0
    out_undecided[row], out_hits[row], out_counts[row] = undecided, hit, count
    out_normals[row, 0], out_normals[row, 1] = (nx if hit else 0.0) + 0.0, (ny if hit else 0.0) + 0.0
    out_depth[row] = (0.0 - separation) if hit else 0.0
    out_points[row, 0, 0], out_points[row, 0, 1], out_depths[row, 0] = first[0], first[1], first[2]
    out_points[row, 1, 0], out_points[row, 1, 1], out_depths[row, 1] = second[0], second[1], second[2]
    out_features[row, 0, 0], out_features[row, 0, 1] = first[3], first[4]
    out_features[row, 1, 0], out_features[row, 1, 1] = second[3], second[4]


@uncounted_kernel
def _contacts_of_records(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out: Out) -> None:
    for row in range(starts_a.shape[0]):
        write_contact(out, row, manifold(a, starts_a[row], b, starts_b[row]))


@uncounted_kernel
def _contacts_of_discs(asked: Asked, begin: int, out_left: Booleans, out: Out) -> None:
    _, _, a, b, step_a, step_b = asked
    first = max(begin, 0)
    for k in range(out_left.shape[0]):
        r, s = (first + k) * step_a, (first + k) * step_b
        ax, ay, ra, bx, by, rb = a[0, r], a[1, r], a[2, r], b[0, s], b[1, s], b[2, s]
        separation, nx, ny, undecided, x, y, depth = contact_of_discs(ax, ay, ra, bx, by, rb, ra > rb)
        hit = (separation <= 0.0) | undecided
        spot = (x if hit else 0.0), (y if hit else 0.0), (depth if hit else 0.0), 0, 0
        out_left[k] = False
        write_contact(out, k, (separation, nx, ny, undecided, 1 if hit else 0, spot, no_spot()))


@uncounted_kernel
def _contacts_of_aabbs(asked: Asked, begin: int, out_left: Booleans, out: Out) -> None:
    _, _, a, b, step_a, step_b = asked
    first = max(begin, 0)
    for k in range(out_left.shape[0]):
        r, s = (first + k) * step_a, (first + k) * step_b
        out_left[k] = False
        box_a, box_b = (a[0, r], a[1, r], a[2, r], a[3, r]), (b[0, s], b[1, s], b[2, s], b[3, s])
        write_contact(out, k, manifold_of_aabbs(box_a, box_b))


@uncounted_kernel
def _contacts_of_discs_and_obbs(asked: Asked, begin: int, out_left: Booleans, out: Out) -> None:
    _, swapped, a, b, step_a, step_b = asked
    # Found as box and disc, whichever comes first: the signs of the normal and the order of the features follow that.
    first, sign = max(begin, 0), 1.0 if swapped else -1.0
    for k in range(out_left.shape[0]):
        r, s = (first + k) * step_a, (first + k) * step_b
        x, y, radius = a[0, r], a[1, r], a[2, r]
        box = obb_of_row(b, s)
        band = SIGN_BAND * (abs(x - box[0]) + abs(y - box[1]) + 2.0 * b[10, s] + radius)
        clear, line, distance, nx, ny, on_edge, odd, back = nearest_of_obb_and_point(box, x, y)
        near = line <= radius + band  # else the shapes are apart, whatever rounding did
        separation = distance - radius
        undecided = (abs(separation) <= band) | ((radius > 0.0) & (-band <= distance) & (distance <= 0.0))
        hit = near & ((separation <= 0.0) | undecided)
        # The point of the box: that corner, or under the disc's centre on the edge.
        apart = separation + radius
        cx, cy = corner_at(box, odd, back)
        sx, sy, fx, fy = box[0] + cx, box[1] + cy, x - nx * apart, y - ny * apart
        bx, by = (fx if on_edge else sx), (fy if on_edge else sy)
        px, py = (bx + (x - nx * radius)) / 2.0, (by + (y - ny * radius)) / 2.0
        number = ((odd + 2 * back) ^ -(1 * on_edge)) * hit  # -1 - k for an edge
        depth = max(0.0 - separation, 0.0) if hit else 0.0
        spot = (px if hit else 0.0), (py if hit else 0.0), depth, (number if swapped else 0), (0 if swapped else number)
        out_left[k] = near & (not clear)
        write_contact(out, k, (separation, sign * nx, sign * ny, undecided & hit, 1 if hit else 0, spot, no_spot()))


@inner
def clipped_obbs(a: Obb, b: Obb, k: int, m: int, deepest: float, band: float, swapped: bool) -> Spots:
    """Return what `manifold.clip_face` does of two sharp OBBs: A's edge k, B's nearest corner m."""
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
def _contacts_of_obbs(asked: Asked, begin: int, out_left: Booleans, out: Out) -> None:
    _, _, a, b, step_a, step_b = asked
    first = max(begin, 0)
    for row in range(out_left.shape[0]):
        r, s = (first + row) * step_a, (first + row) * step_b
        box_a, box_b = obb_of_row(a, r), obb_of_row(b, s)
        size = abs(box_b[0] - box_a[0]) + abs(box_b[1] - box_a[1]) + 2.0 * (a[10, r] + b[10, s])
        band = SIGN_BAND * size
        second = is_second(box_a, box_b)
        found = nearest_of_obbs(chosen(second, box_b, box_a), chosen(second, box_a, box_b), band, size)
        state, separation, nx, ny, feature, k, m = found
        # From here on as seen from the box that has the edge.
        of_a = (feature == EDGE_A) != second
        nx, ny = (-nx if second else nx), (-ny if second else ny)
        k, m = (k if feature == EDGE_A else m), (m if feature == EDGE_A else k)
        undecided = abs(separation) <= band
        hit = (state != APART) & ((separation <= 0.0) | undecided)
        count, one, two = 0, no_spot(), no_spot()
        if hit and feature != VERTICES:
            owner, other = chosen(of_a, box_a, box_b), chosen(of_a, box_b, box_a)
            count, one, two = clipped_obbs(owner, other, k, m, -separation, FACE_BAND * size, not of_a)
        out_left[row] = (state == UNCLEAR) | (hit & (count == 0))
        write_contact(out, row, (separation, nx, ny, undecided & hit, count, one, two))


_LOOPS: dict[int, Callable[[Asked, int, Booleans, Out], None]] = {
    DISCS: _contacts_of_discs,
    AABBS: _contacts_of_aabbs,
    OBBS: _contacts_of_obbs,
    DISC_AND_OBB: _contacts_of_discs_and_obbs,
}


@names_near
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

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (n,) for a data frame.

        These are hit, nx, ny, depth, count, x0, y0, x1, y1, depth0, depth1, feature_a0 to feature_b1.
        """
        return flat(self._asdict())


def contact_rows(a: ConvexShape | Shapes, b: ConvexShape | Shapes, pairs: Rows, threads: int) -> ContactColumns:
    """Return the contacts of two sets, or of a set and one shape, whose records are `pairs`."""
    n = pairs.starts_a.size
    undecided = np.empty(n, dtype=np.bool_)
    found = ContactColumns(
        np.empty(n, dtype=np.bool_),
        np.empty((n, 2)),
        np.empty(n),
        np.empty(n, dtype=np.int8),
        np.empty((n, 2, 2)),
        np.empty((n, 2)),
        np.empty((n, 2, 2), dtype=np.int32),
    )
    form = form_of_sets(a, b, True)
    loop = None if form is None else _LOOPS.get(form.form)
    fill(pairs, threads, form, loop, _contacts_of_records, (undecided, *found))
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
