"""Contacts of two sets, row by row: every column written once, in one pass over the rows.

In: the records of two sets; for sets of discs and of sharp boxes along the axes their closed-form columns. Out: the
columns of `collide`. World frame, user's units. Rows have the same bits as single pairs: discs and boxes along the axes
share their formulas with those, all others go through the same function.

Fresh memory is a good part of the time, so counts take one byte and features four. Rows whose sign rounding leaves in
doubt are first written as contacts; those that exact arithmetic then finds apart are cleared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom import _records as rec
from carom._jit import inner, kernel
from carom._threads import in_parts
from carom._typing import Booleans, Columns, Floats, Integers
from carom.columns import Shapes
from carom.narrow._door import Rows
from carom.narrow.closed_forms import columns_of, spread
from carom.narrow.gap import settle_rows
from carom.narrow.manifold import manifold, manifold_of_discs
from carom.narrow.straight_boxes import contact_of_straight_boxes
from carom.shapes import Shape

Counts = NDArray[np.int8]
Features = NDArray[np.int32]


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
    """(n, 2, 2) int32, of A and of B; the vertex numbers are those of the cleaned outlines."""


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


@kernel
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


@kernel
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


@kernel
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


_FORMS = {rec.DISC: _contacts_of_discs, rec.AABB: _contacts_of_straight_boxes}


def contact_rows(a: Shape | Shapes, b: Shape | Shapes, pairs: Rows, threads: int) -> ContactColumns:
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
    kind, columns_a = columns_of(a)
    other, columns_b = columns_of(b)
    form = _FORMS.get(kind) if kind == other else None

    def work(begin: int, end: int) -> None:
        out: list[Any] = [column[begin:end] for column in (undecided, *found)]
        if form is None:
            _contacts_of_rows(*pairs.part(begin, end), *out)
        else:
            form(columns_a, columns_b, begin, *out)

    if form is not None:
        columns_a, columns_b = spread(columns_a, n), spread(columns_b, n)
    in_parts(threads, n, work)
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
